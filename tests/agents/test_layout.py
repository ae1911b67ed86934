"""Policies know features and actions by name: they play on when the observation changes."""

import json

import numpy as np
import pytest

from prico_agents import load_agent
from prico_agents.neural import layout as names
from prico_agents.neural.checkpoint import (
    ABOUT_FILE,
    CheckpointError,
    SavedPolicy,
    load_policy,
    save_policy,
)
from prico_agents.neural.layout import NetworkLayout, missing_names, network_layout, rearranged
from prico_agents.neural.network import UNKNOWN_ACTION, PolicyValueNetwork
from prico_env import Games, RuleSet, observation_layout, ruleset
from prico_env.observation_layout import SEAT_BLOCKS, TABLE_BLOCKS, FeatureBlock, layout_for

NEW = FeatureBlock("moons", 3, ("full", "new"), "Something that later versions see.")


def in_new_order(blocks, *rows):
    """Blocks as a later version may have them: one in front, one inside, two exchanged."""
    first, second, *rest = blocks
    middle = len(rest) // 2
    return (*rows, second, first, *rest[:middle], *(r._replace(name="tides") for r in rows),
            *rest[middle:])  # fmt: skip


@pytest.fixture
def later(monkeypatch):
    """The observation of a later version: more features of seats and table, in another order."""
    now = {players: layout_for(players).feature_names for players in (2, 3, 4, 5)}
    longer = (TABLE_BLOCKS[0].labels[0], "an early decision", *TABLE_BLOCKS[0].labels[1:])
    table = (TABLE_BLOCKS[0]._replace(labels=longer), *TABLE_BLOCKS[1:])
    monkeypatch.setattr(observation_layout, "SEAT_BLOCKS", in_new_order(SEAT_BLOCKS, NEW))
    monkeypatch.setattr(observation_layout, "TABLE_BLOCKS", in_new_order(table, NEW))
    remembering = (observation_layout._layout, ruleset._remembered)
    for each in remembering:
        each.cache_clear()
    yield now
    monkeypatch.undo()
    for each in remembering:
        each.cache_clear()


def positions(players, games=40, steps=120):
    """Observations and masks of games in their middle."""
    games = Games(RuleSet(players), games, seed=players)
    for _ in range(steps):
        games.step(games.sample())
    return games.observations.copy(), games.masks.copy()


def seen_later(observations, names_before, names_later):
    """What a later version shows of the same positions."""
    chance = np.random.default_rng(1)
    seen = chance.integers(0, 9, (len(observations), len(names_later)), dtype=np.uint8)
    place = {name: number for number, name in enumerate(names_later)}
    seen[:, [place[name] for name in names_before]] = observations
    return seen


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_policy_made_before_features_were_added_thinks_the_same_bit_for_bit(players, request):
    agent = load_agent("governor")
    agent.reset(0, RuleSet(players), 0)
    observations, legal = positions(players)
    before = agent.network.evaluate(observations, legal)
    moves = agent.act_batch(observations, legal)
    now = request.getfixturevalue("later")[players]
    names_later = layout_for(players).feature_names
    assert len(names_later) > len(now) + 4 * players
    agent = load_agent("governor")
    agent.reset(0, RuleSet(players), 0)
    shown = seen_later(observations, now, names_later)
    after = agent.network.evaluate(shown, legal)
    assert agent.act_batch(shown, legal).tolist() == moves.tolist()
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


@pytest.mark.usefixtures("later")
def test_a_policy_saved_again_by_a_later_version_plays_in_the_first_one_too(tmp_path):
    policy = load_policy("governor")
    save_policy(tmp_path, policy)
    again = load_policy(tmp_path)
    assert again.layout == policy.layout
    assert set(again.layout.features) < set(layout_for(5).feature_names)


@pytest.mark.usefixtures("later")
def test_weights_in_the_numbering_of_a_later_version_think_the_same():
    policy = load_policy("governor")
    moved = policy.renumbered()
    assert moved.layout == network_layout(policy.rules) != policy.layout
    before = np.eye(len(policy.layout.features), dtype=np.uint8)
    shown = seen_later(before, policy.layout.features, moved.layout.features)
    everything = np.ones((len(shown), len(moved.layout.actions)), bool)
    ours = PolicyValueNetwork(policy.weights).logits(before, everything)
    assert PolicyValueNetwork(moved.weights).logits(shown, everything) == pytest.approx(
        ours, abs=1e-4
    )


def saved(folder, layout):
    """Save a policy of one layer with weights that were drawn."""
    chance = np.random.default_rng(3)
    shape = len(layout.actions), len(layout.features)
    weights = {
        "layer_0.weight": chance.normal(0, 1, shape).astype(np.float32),
        "layer_0.bias": np.full(len(layout.actions), -9, np.float32),
    }
    save_policy(folder, SavedPolicy(RuleSet(3), weights, {}, (), layout))


@pytest.fixture
def without_role_mayor(tmp_path):
    """A policy from before an action was known."""
    features, actions = network_layout(RuleSet(3))
    saved(tmp_path, NetworkLayout(features, tuple(n for n in actions if n != "role:mayor")))
    return tmp_path, actions.index("role:mayor")


def test_an_action_that_is_new_is_chosen_only_where_no_other_is_allowed(without_role_mayor):
    folder, new = without_role_mayor
    agent = load_agent(f"{folder}:sampled,temperature=9")
    observations, legal = positions(3)
    legal[:, new] = True
    chosen = agent.act_batch(observations, legal)
    others = legal.sum(axis=1) > 1
    assert others.any()
    assert (chosen[others] != new).all()
    assert legal[np.arange(len(chosen)), chosen].all()
    alone = np.zeros_like(legal)
    alone[:, new] = True
    assert (agent.act_batch(observations, alone) == new).all()
    moved = load_policy(folder).renumbered()
    assert moved.weights["layer_0.bias"][new] == UNKNOWN_ACTION
    network = PolicyValueNetwork(moved.weights)
    assert (network.logits(observations, legal) == agent.network.logits(observations, legal)).all()


@pytest.fixture
def of_the_first_format(tmp_path):
    """A policy as versions before saved it: blocks without names within."""
    saved(tmp_path, network_layout(RuleSet(3)))
    page = json.loads((tmp_path / ABOUT_FILE).read_text())
    del page["features"]
    page |= {
        "format": 1,
        "actions": [[number, name] for number, name in enumerate(page["actions"])],
        "observation": [
            [each.name, each.start, each.stop, each.high] for each in layout_for(3).blocks
        ],
    }
    (tmp_path / ABOUT_FILE).write_text(json.dumps(page))
    return tmp_path


def test_a_policy_of_the_first_format_is_read_as_ever(of_the_first_format):
    assert load_policy(of_the_first_format).layout == network_layout(RuleSet(3))


def test_a_block_of_the_first_format_that_has_grown_is_refused_by_name(of_the_first_format, later):
    with pytest.raises(CheckpointError, match=r"features of table\.point: it had \d+ of them"):
        load_policy(of_the_first_format)


def test_names_that_are_gone_are_told_by_block_where_the_block_is_gone():
    before = ("a.x", "a.y[1]", "a.y[2]", "b.z[1]", "b.z[2]")
    assert missing_names(before, ("a.x", "b.z[1]", "c")) == ["a.y", "b.z[2]"]


def test_entries_move_with_their_names_along_any_axis():
    array = np.array([[1.0, 2.0, 3.0]])
    moved = rearranged(array, ("a", "b", "c"), ("c", "new", "a", "b"), 1, fill=7.0)
    assert moved.tolist() == [[3, 7, 1, 2]]
    assert rearranged(array.T, ("a", "b", "c"), ("b", "c", "a"), 0).tolist() == [[2], [3], [1]]
    assert names.positions_of(("b", "x", "a"), ("a", "b")).tolist() == [1, 0]
