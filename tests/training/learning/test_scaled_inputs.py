"""Policies that were trained on scaled observations read them as they did when they learnt."""

import json

import numpy as np
import pytest

from prico_agents import View, load_agent
from prico_agents.neural.checkpoint import (
    ABOUT_FILE,
    CheckpointError,
    SavedPolicy,
    load_policy,
    save_policy,
)
from prico_agents.neural.network import FACTOR, OFFSET, PolicyValueNetwork
from prico_agents.neural.player_counts import PlayerCountAdapter
from prico_env import Game, RuleSet
from prico_training.learning.model import ActorCritic, FrozenNetwork

RULES = RuleSet(4)
HIDDEN = 8


def weights(rules: RuleSet = RULES, kind: str = "standard") -> dict[str, np.ndarray]:
    chance, scaling = np.random.default_rng(3), rules.observation.scaling(kind)
    shapes = {
        "layer_0": (HIDDEN, rules.observation.num_features),
        "layer_1": (rules.num_actions, HIDDEN),
        "value": (1, HIDDEN),
    }
    made = {FACTOR: scaling.factor, OFFSET: scaling.offset}
    for name, shape in shapes.items():
        made[f"{name}.weight"] = chance.normal(0, 0.1, shape).astype(np.float32)
        made[f"{name}.bias"] = chance.normal(0, 0.1, shape[0]).astype(np.float32)
    return made


def a_decision(rules: RuleSet = RULES) -> tuple[np.ndarray, np.ndarray]:
    game = Game(rules, seed=5)
    return game.observation()[None], game.mask()[None]


@pytest.mark.parametrize("kind", ["standard", "range"])
def test_a_network_reads_observations_as_the_environment_scales_them(kind):
    made, (seen, legal) = weights(kind=kind), a_decision()
    hidden = RULES.observation.scale(seen, kind) @ made["layer_0.weight"].T + made["layer_0.bias"]
    expected = np.maximum(hidden, 0) @ made["layer_1.weight"].T + made["layer_1.bias"]
    found = PolicyValueNetwork(made).logits(seen, legal)
    assert found[legal] == pytest.approx(expected[legal], abs=1e-5)
    assert np.isneginf(found[~legal]).all()


def test_a_saved_policy_plays_by_the_numbers_it_was_saved_with(tmp_path, monkeypatch):
    """Whatever means and deviations are published later."""
    seen, legal = a_decision()
    before = PolicyValueNetwork(weights()).logits(seen, legal)
    save_policy(tmp_path, SavedPolicy(RULES, weights(), {}))
    later = RULES.observation.scaling("range")
    monkeypatch.setitem(RULES.observation._scalings, "standard", later)
    player, game = load_agent(str(tmp_path)), Game(RULES, seed=5)
    player.reset(game.turn, RULES, 1)
    assert player.act(View.of(game)) == before[0].argmax()
    assert np.array_equal(player.network.logits(seen, legal), before)


def test_seats_that_are_not_there_count_as_empty_boards():
    large = RuleSet(4)
    small = RuleSet(3)
    adapter = PlayerCountAdapter(large)
    seen, legal = a_decision(small)
    whole = np.zeros((1, large.observation.num_features), np.uint8)
    whole[:, adapter.columns(3)] = seen
    expected = PolicyValueNetwork(weights(large)).logits(whole, legal)
    found = adapter.network(weights(large), RuleSet(3)).logits(seen, legal)
    assert found[legal] == pytest.approx(expected[legal], abs=1e-4)


def test_as_an_opponent_it_plays_the_same():
    seen, legal = a_decision()
    frozen = FrozenNetwork(PlayerCountAdapter(RULES), weights(), greedy=True)
    ours = PolicyValueNetwork(weights()).logits(seen, legal)
    assert frozen.logits(seen)[legal] == pytest.approx(ours[legal], abs=1e-5)


def test_scales_that_do_not_fit_or_are_not_told_are_refused(tmp_path):
    made = weights()
    del made[OFFSET]
    save_policy(tmp_path, SavedPolicy(RULES, made, {}))
    with pytest.raises(CheckpointError, match=r"input\.offset is not one number a feature"):
        load_policy(tmp_path)
    save_policy(tmp_path, SavedPolicy(RULES, weights(), {}))
    page = json.loads((tmp_path / ABOUT_FILE).read_text())
    page["input"] = "log(1 + x)"
    (tmp_path / ABOUT_FILE).write_text(json.dumps(page))
    with pytest.raises(CheckpointError, match=r"entered as 'log\(1 \+ x\)'"):
        load_policy(tmp_path)


def test_a_network_that_reads_counts_does_not_start_from_one_that_reads_scaled_observations():
    network = ActorCritic(RULES, (HIDDEN,), 1)
    with pytest.raises(CheckpointError, match="that reads scaled observations, as rllib trains"):
        network.load_weights(SavedPolicy(RULES, weights(), {"trainer": "rllib"}))
