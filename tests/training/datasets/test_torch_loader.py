"""Data sets in Torch."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

import torch

from prico_env import RuleSet
from prico_training.datasets import Dataset, DatasetSettings, shards, write_dataset
from prico_training.datasets.torch_loader import TorchLoader


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "GROUP_GAMES", 1)
        settings = DatasetSettings(policies=("corn",), games=4, game=RuleSet(players=2))
        write_dataset(folder, settings)
    return Dataset(folder)


def steps(loader):
    return [
        tuple(pair)
        for batch in loader
        for pair in zip(batch["game"].tolist(), batch["step"].tolist(), strict=True)
    ]


@pytest.mark.parametrize("workers", [0, 2])
def test_an_epoch_is_every_decision_once_whoever_reads(data, workers):
    loader = TorchLoader(data, 32, workers=workers, columns=("game", "step"), seed=5)
    first, second = steps(loader), steps(loader)
    assert len(first) == len(set(first)) == len(data)
    assert set(first) == set(second)
    assert first != second
    assert loader.epoch == 2
    again = TorchLoader(data, 32, workers=workers, columns=("game", "step"), seed=5)
    again.epoch = 1
    assert steps(again) == second


def test_batches_are_what_a_network_and_a_loss_take(data):
    batch = next(iter(TorchLoader(data, 16, transitions=True, pin_memory=False)))
    assert batch["observation"].dtype == torch.float32
    assert batch["action_mask"].dtype == torch.bool
    logits = torch.zeros(16, data.rules.num_actions).masked_fill(~batch["action_mask"], -torch.inf)
    assert torch.isfinite(torch.nn.functional.cross_entropy(logits, batch["action"]))
    assert batch["next_observation"].shape == batch["observation"].shape


def test_without_a_seed_games_come_as_they_were_played(data):
    played = data.read(("game", "step"))
    expected = np.column_stack((played["game"], played["step"])).tolist()
    assert steps(TorchLoader(data, 32, columns=("game", "step"), seed=None)) == [
        tuple(pair) for pair in expected
    ]
