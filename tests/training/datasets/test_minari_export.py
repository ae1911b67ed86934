"""Data sets in Minari."""

import numpy as np
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("minari", reason="Minari is not installed: pip install 'prico[minari]'")

from prico_env import RuleSet
from prico_training.datasets import Dataset, DatasetSettings, to_minari, write_dataset


def test_minari_gets_an_episode_for_each_seat_of_each_game(tmp_path, monkeypatch):
    import minari

    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    settings = DatasetSettings(policies=("corn",), games=2, epsilon=0.1, game=RuleSet(players=3))
    write_dataset(tmp_path / "ours", settings)
    data = Dataset(tmp_path / "ours")
    about = {"author": "a", "author_email": "a@example.org", "code_permalink": "example.org"}
    to_minari(data, "prico/corn-3p-v0", **about)
    theirs = minari.load_dataset("prico/corn-3p-v0")
    assert (theirs.total_episodes, theirs.total_steps) == (6, len(data))
    ours = list(data.episodes())
    for own, episode in zip(ours, theirs.iterate_episodes(), strict=True):
        assert np.array_equal(episode.actions, own["action"])
        assert np.array_equal(episode.observations["observation"][:-1], own["observation"])
        assert np.array_equal(episode.observations["action_mask"][:-1], own["action_mask"])
        assert episode.rewards.sum() == pytest.approx(own["win"][0] - 1 / 3)
        assert episode.infos["policy_action"][:-1].tolist() == own["policy_action"].tolist()
        assert episode.terminations.tolist() == [False] * (len(own["action"]) - 1) + [True]
        assert theirs.observation_space["observation"].contains(
            episode.observations["observation"][-1]
        )
    (told,) = theirs.storage.get_episode_metadata([4])
    assert told["seed"] == ours[4]["deal_seed"][0]
    assert told["options"] == {"seat": ours[4]["seat"][0]}
    environment = theirs.recover_environment()
    assert environment.observation_space == theirs.observation_space
    observation, _ = environment.reset(seed=told["seed"], options=told["options"])
    assert observation["observation"].dtype == np.uint8
    environment.close()
