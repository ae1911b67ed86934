"""Adam: the steps of Torch's own, without its compiler."""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("torch", reason="the trainer needs Torch: pip install 'prico[train]'")

import torch

from prico_agents.neural.checkpoint import CheckpointError
from prico_training.learning.optimizer import Adam, load_state_dict, state_dict
from tests.pages.pages import ROOT

STEPS = 7


def layers():
    torch.manual_seed(5)
    return torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.Linear(4, 3))


def learn(network, optimizer, steps, rates=lambda _: None):
    """Make steps with gradients of their own; the last bias gets one in every other step."""
    for step in steps:
        optimizer.zero_grad()
        generator = torch.Generator().manual_seed(step)
        for weight in network.parameters():
            weight.grad = torch.randn(weight.shape, generator=generator)
        if step % 2:
            network[-1].bias.grad = None
        rates(step)
        optimizer.step()


def equal(one, other):
    return all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_every_step_is_that_of_torch_whatever_the_learning_rate():
    ours, theirs = layers(), layers()
    one = Adam(ours.parameters(), 1e-3, 1e-5)
    other = torch.optim.Adam(theirs.parameters(), lr=1e-3, eps=1e-5, fused=True)

    def rates(step):
        one.learning_rate = other.param_groups[0]["lr"] = 1e-3 / (1 + step)

    for step in range(STEPS):
        learn(ours, one, [step], rates)
        learn(theirs, other, [step], rates)
        assert equal(ours, theirs)
    assert not equal(ours, layers())
    kept, same = state_dict(ours, one), state_dict(theirs, other)
    assert kept.keys() == same.keys()
    assert all(np.array_equal(kept[name], same[name]) for name in kept)


def test_it_goes_on_from_its_state_as_if_it_had_never_stopped():
    whole, stopped, resumed = layers(), layers(), layers()
    learn(whole, Adam(whole.parameters(), 1e-3, 1e-8), range(STEPS))
    first = Adam(stopped.parameters(), 1e-3, 1e-8)
    learn(stopped, first, range(3))
    second = Adam(resumed.parameters(), 1e-3, 1e-8)
    learn(resumed, second, range(20, 22))  # is forgotten
    stored = {name: np.atleast_1d(array) for name, array in state_dict(stopped, first).items()}
    load_state_dict(resumed, second, stored)  # files keep no number without an axis
    learn(resumed, second, range(3, STEPS))
    assert equal(whole, resumed)


def test_a_weight_that_has_never_been_changed_has_no_moments():
    network = layers()
    optimizer = Adam(network.parameters(), 1e-3, 1e-8)
    assert not any(name.startswith("optimizer/") for name in state_dict(network, optimizer))
    learn(network, optimizer, [1])
    kept = state_dict(network, optimizer)
    assert "optimizer/2/step" in kept
    assert "optimizer/3/step" not in kept


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: kept.update({"optimizer/0/exp_avg": np.zeros((2, 2), np.float32)}),
        lambda kept: kept.pop("optimizer/0/exp_avg_sq"),
        lambda kept: kept.pop("network/0.weight"),
    ],
    ids=["another shape", "no moment", "no weight"],
)
def test_a_state_of_another_network_is_refused(damage):
    network = layers()
    optimizer = Adam(network.parameters(), 1e-3, 1e-8)
    learn(network, optimizer, [2])
    kept = state_dict(network, optimizer)
    damage(kept)
    with pytest.raises(CheckpointError, match="the checkpoint is that of another network: "):
        load_state_dict(network, optimizer, kept)


@pytest.mark.training
def test_learning_never_imports_the_compiler_of_torch(tmp_path):
    script = (
        "import sys; from prico_training.cli import main; "
        f"assert main(['train', 'configs/experiments/smoke.yaml', 'runs={tmp_path}']) == 0; "
        "assert 'torch' in sys.modules and 'torch._dynamo' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
