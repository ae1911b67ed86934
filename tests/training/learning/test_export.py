"""A policy is handed on small, with where it comes from, and plays the same."""

import numpy as np
import pytest

from prico_agents import load_agent
from prico_agents.base import View
from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy, load_policy
from prico_env import Game, RuleSet
from prico_training.cli import USER_MISTAKE, main
from prico_training.learning.checkpoint import write_policy
from prico_training.learning.export import export_policy

RULES = RuleSet(players=3)


@pytest.fixture
def run(tmp_path):
    """A run folder with a policy in `best`."""
    chance = np.random.default_rng(4)
    shape = RULES.num_actions, RULES.observation.num_features
    weights = {
        "layer_0.weight": chance.normal(0, 0.3, shape).astype(np.float32),
        "layer_0.bias": np.zeros(RULES.num_actions, np.float32),
    }
    folder = tmp_path / "run"
    write_policy(folder / "best", SavedPolicy(RULES, weights, {"seed": 7}))
    (folder / "config.yaml").write_text("name: test\n")
    (folder / "metrics.csv").write_text("seconds\n1.0\n")
    return folder


def test_an_exported_policy_is_half_as_large_and_plays_alike(run, tmp_path):
    folder = export_policy(run / "best", tmp_path / "small")
    before, after = load_policy(run / "best"), load_policy(folder)
    assert after.rules == before.rules
    assert after.about == before.about
    sizes = [(home / "policy.safetensors").stat().st_size for home in (folder, run / "best")]
    assert sizes[0] < 0.55 * sizes[1]
    agents = [load_agent(str(home)) for home in (folder, run / "best")]
    game = Game(RULES, seed=3)
    for _ in range(40):
        view = View.of(game)
        for agent in agents:
            agent.reset(game.turn, RULES, 0)
        assert agents[0].act(view) == agents[1].act(view)
        game.step(agents[0].act(view))


def test_settings_and_curve_of_the_run_go_along(run, tmp_path):
    assert main(["export", str(run / "best"), str(tmp_path / "small")]) == 0
    names = {path.name for path in (tmp_path / "small").iterdir()}
    assert names == {"policy.json", "policy.safetensors", "config.yaml", "curve.csv"}


def test_nothing_is_overwritten(run, tmp_path, capsys):
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "is_learner").write_text("keep")
    assert main(["export", str(run / "best"), str(taken)]) == USER_MISTAKE
    assert "exists already" in capsys.readouterr().err
    assert (taken / "is_learner").read_text() == "keep"


def test_a_damaged_policy_is_not_exported(run, tmp_path):
    weights = run / "best" / "policy.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(CheckpointError, match="damaged"):
        export_policy(run / "best", tmp_path / "small")
    assert not (tmp_path / "small").exists()
