"""A network of boards and objects: the same weights at every table and in every rule set."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from prico_agents import AgentError, load_agent
from prico_agents.base import View
from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy, load_policy, save_policy
from prico_agents.neural.entity_inputs import axes_of
from prico_agents.neural.entity_network import EntityAdapter
from prico_agents.neural.network import UNKNOWN_ACTION
from prico_agents.neural.policy import Policy, can_play
from prico_env import ALL_EXPANSIONS, Game, Games, RuleSet
from prico_env.catalog.model import PLAYER_COUNTS
from prico_training.config import Config, NetworkShape
from prico_training.errors import ConfigError
from prico_training.learning.entity_model import EntityActorCritic
from prico_training.learning.factory import make_trainer
from prico_training.learning.model import ActorCritic, FrozenNetwork
from prico_training.sections import from_dict
from tests.rule_sets import ALL_RULE_SETS

EVERYTHING = RuleSet(5, expansions=ALL_EXPANSIONS)
SHAPE = NetworkShape(kind="entities", hidden=(32, 24), seat_width=16, object_width=8, half=False)
SETTINGS = {
    "seed": 3,
    "device": "cpu",
    "game": {"players": 3},
    "self_play": {"num_envs": 8, "num_steps": 8, "players": [3, 2]},
    "opponents": {"agents": ["corn"], "pool_size": 1},
    "network": {"kind": "entities", "hidden": [16], "seat_width": 8, "object_width": 4},
    "behaviour_cloning": {"games": 2, "teacher": "corn", "others": [], "share": 0.5},
    "ppo": {"batch_size": 64},
}


def positions(rules, n=16, steps=70, seed=4):
    """Observations and masks in the midst of random games."""
    games = Games(rules, n, seed)
    for _ in range(steps):
        games.step(games.sample())
    return games.observations.copy(), games.masks.copy()


def a_network(rules=EVERYTHING, seed=1, value_seats=None):
    torch.manual_seed(seed)
    network = EntityActorCritic(rules, SHAPE, value_seats or rules.players)
    with torch.no_grad():  # not nearly even play, as at first
        network.kinds.weight *= 50
        network.places.weight *= 50
    network.fit_normalizer([positions(rules)[0], positions(RuleSet(2))[0]])
    return network


def a_policy(network, rules=EVERYTHING):
    return SavedPolicy(rules, network.to_weights(), {}, PLAYER_COUNTS, axes=axes_of(rules))


@pytest.fixture(scope="module")
def generalist():
    return a_network()


@pytest.mark.parametrize("players", PLAYER_COUNTS)
@pytest.mark.parametrize("expansions", [(), ALL_EXPANSIONS], ids=["base", "expansions"])
def test_a_player_computes_what_was_learnt_at_every_table(generalist, players, expansions):
    rules = RuleSet(players, expansions=expansions)
    observations, masks = positions(rules)
    logits, values = generalist.policy_and_value(observations)
    player = generalist.tables.network(generalist.to_weights(), rules)
    priors, judged = player.evaluate(observations, masks)
    assert player.all_logits(observations) == pytest.approx(logits, abs=1e-4)
    assert judged == pytest.approx(np.clip(values[:, :, 0], 0, 1), abs=1e-4)
    assert priors.sum(axis=1) == pytest.approx(1)
    assert (priors[~masks] == 0).all()
    assert player.evaluate(observations[:0], masks[:0])[1].shape == (0, players)


def test_the_same_weights_decide_in_all_rule_sets(generalist):
    player = Policy(a_policy(generalist))
    assert all(can_play(player.saved, rules) for rules in ALL_RULE_SETS)
    for rules in ALL_RULE_SETS[::5]:
        games = Games(rules, 2, seed=1)
        player.reset(0, rules, 1)
        actions = player.act_batch(games.observations, games.masks)
        assert games.masks[[0, 1], actions].all(), rules


@pytest.mark.parametrize("half", [False, True])
def test_what_is_worked_out_once_while_it_plays_changes_nothing_and_is_not_kept(half):
    shape = NetworkShape(hidden=(16, 16), seat_width=8, object_width=4, half=half)
    network = EntityActorCritic(EVERYTHING, shape, 5)
    observations, _ = positions(RuleSet(4, expansions=ALL_EXPANSIONS))
    before = network.policy_and_value(observations)
    with network.playing():
        for _ in range(2):
            for here, there in zip(before, network.policy_and_value(observations), strict=True):
                np.testing.assert_array_equal(here, there)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter *= 2
    after = network.policy_and_value(observations)
    assert np.abs(after[1] - before[1]).max() > 0.01
    with network.playing():
        for here, there in zip(after, network.policy_and_value(observations), strict=True):
            np.testing.assert_array_equal(here, there)


def test_a_network_for_the_base_game_refuses_expansions_and_plays_all_tables_up_to_its_own():
    small = SavedPolicy(RuleSet(3), a_network(RuleSet(3)).to_weights(), {}, (2, 3),
        axes=axes_of(RuleSet(3)))  # fmt: skip
    Policy(small).reset(0, RuleSet(2, "classic"), 1)
    for rules in (RuleSet(4), RuleSet(3, expansions=("smuggler",))):
        with pytest.raises(AgentError, match="it cannot play"):
            Policy(small).reset(0, rules, 1)
    assert not can_play(small, RuleSet(4))


def test_what_a_building_costs_in_an_edition_is_known(generalist):
    rules = RuleSet(4)
    inputs = EntityAdapter(EVERYTHING).network(generalist.to_weights(), rules)._inputs
    (buildings,) = [rows for rows in inputs.objects if rows.axis == "objects.building"]
    cost = inputs.axes["objects.building"].index("cost")
    assert buildings.facts[:, cost] == pytest.approx(rules.table[0]["cost"][:23] / 10)


def test_a_saved_network_plays_as_before_and_in_little_space(generalist, tmp_path):
    save_policy(tmp_path, a_policy(generalist))
    found, rules = load_policy(tmp_path), RuleSet(4, "classic", ("citizens",))
    observations, masks = positions(rules)
    logits = [
        EntityAdapter(policy.rules, policy.axes).network(policy.weights, rules)
        .logits(observations, masks) for policy in (found, a_policy(generalist))
    ]  # fmt: skip
    assert (logits[0] == logits[1]).all()
    assert found.axes == axes_of(EVERYTHING)


def test_the_usual_size_takes_less_than_a_megabyte_of_16_bits(tmp_path):
    network = EntityActorCritic(EVERYTHING, NetworkShape(kind="entities"), 5)
    save_policy(tmp_path, a_policy(network), half=True)
    assert (tmp_path / "policy.safetensors").stat().st_size < 1_000_000


def test_axes_may_stand_in_another_order_and_lack_what_is_new(generalist, tmp_path):
    rules = RuleSet(4)
    observations, _ = positions(rules)
    before = EntityAdapter(EVERYTHING).network(generalist.to_weights(), rules)
    axes, weights = dict(axes_of(EVERYTHING)), generalist.to_weights()
    kept = [n for n, name in enumerate(axes["kinds"]) if name != "wharf"][::-1]
    axes["kinds"] = tuple(axes["kinds"][n] for n in kept)
    for part in ("weight", "bias"):
        weights[f"kinds.{part}"] = weights[f"kinds.{part}"][kept]
    save_policy(tmp_path, SavedPolicy(EVERYTHING, weights, {}, PLAYER_COUNTS, axes=axes))
    saved = load_policy(tmp_path)
    after = EntityAdapter(saved.rules, saved.axes).network(saved.weights, rules)
    logits, wharf = after.all_logits(observations), rules.actions.slices["wharf"]
    assert (logits[:, wharf] == UNKNOWN_ACTION).all()
    others = np.delete(np.arange(rules.num_actions), np.r_[wharf])
    assert logits[:, others] == pytest.approx(before.all_logits(observations)[:, others], abs=1e-5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda w, a: w.update({"own.weight": w["own.weight"][:, 1:]}), r"own\.weight does not"),
        (lambda w, a: w.pop("trunk.0.bias"), r"damaged"),
        (lambda w, a: w.update(more=w["relative"]), "an entity network has no more"),
        (lambda w, a: a.update(seat=(*a["seat"][:-1], "moons")), "of seat it needs moons"),
        (lambda w, a: a.update(seat=(a["seat"][1], *a["seat"][1:])), "a name twice in seat"),
        (lambda w, a: a.pop("table"), "names nothing along table"),
    ],
)
def test_a_damaged_entity_network_is_refused_in_words(generalist, tmp_path, change, words):
    weights, axes = generalist.to_weights(), dict(axes_of(EVERYTHING))
    change(weights, axes)
    save_policy(tmp_path, SavedPolicy(EVERYTHING, weights, {}, (), axes=axes))
    with pytest.raises(CheckpointError, match=words):
        load_policy(tmp_path)


def test_a_network_starts_from_one_of_a_smaller_game():
    small, large = a_network(RuleSet(3), seed=2), a_network(EVERYTHING, seed=3)
    large.load_weights(SavedPolicy(RuleSet(3), small.to_weights(), {}, axes=axes_of(RuleSet(3))))
    observations, _ = positions(RuleSet(3))
    for ours, theirs in zip(large.policy_and_value(observations),
                            small.policy_and_value(observations), strict=True):  # fmt: skip
        assert ours[..., 0] == pytest.approx(theirs[..., 0], abs=1e-4)


@pytest.mark.parametrize("players", [2, 4])
def test_a_network_starts_from_one_of_a_larger_game_and_plays_as_it_does(players):
    """What expansions are told by adds something in the base game, too, where it is all 0."""
    large, small = a_network(EVERYTHING, seed=3), a_network(RuleSet(4), seed=2)
    small.load_weights(a_policy(large))
    observations, _ = positions(RuleSet(players))
    for ours, theirs in zip(small.policy_and_value(observations),
                            large.policy_and_value(observations), strict=True):  # fmt: skip
        assert ours[..., 0] == pytest.approx(theirs[..., 0], abs=1e-4)


def test_kinds_and_widths_of_networks_do_not_mix():
    network = a_network(RuleSet(3))
    dense = ActorCritic(RuleSet(3), (32, 24), 3)
    with pytest.raises(CheckpointError, match="of another kind"):
        network.load_weights(SavedPolicy(RuleSet(3), dense.to_weights(), {}))
    with pytest.raises(CheckpointError, match=r"network\.kind=entities"):
        dense.load_weights(a_policy(network, RuleSet(3)))
    wide = EntityActorCritic(RuleSet(3), NetworkShape(kind="entities", hidden=(32, 24)), 3)
    with pytest.raises(CheckpointError, match="seat_width"):
        wide.load_weights(a_policy(network, RuleSet(3)))


def test_a_network_that_judges_its_own_seat_says_so():
    network = a_network(RuleSet(3), value_seats=1)
    observations, masks = positions(RuleSet(3))
    player = network.tables.network(network.to_weights(), RuleSet(3))
    assert player.judges_own_seat
    assert player.evaluate(observations, masks)[1].shape == (len(observations), 1)
    assert network.policy_and_value(observations)[1].shape == (len(observations), 1, 2)


def test_a_past_self_plays_as_the_network_did(generalist):
    frozen = FrozenNetwork.of(generalist.tables, generalist.to_weights(), greedy=True)
    for rules in (RuleSet(2), EVERYTHING):
        observations, _ = positions(rules)
        ours = generalist.policy_and_value(observations)[0]
        assert frozen.logits(observations) == pytest.approx(ours, abs=1e-4)


def test_it_learns_from_teachers_and_from_itself_and_goes_on_where_it_stopped():
    config = from_dict(SETTINGS, Config)
    trainer = make_trainer(config)
    figures = [trainer.learn(spent) for spent in (0.1, 0.2, 0.6)]
    assert figures[1]["agreement"] > 0
    assert np.isfinite(figures[2]["value_loss"])
    trainer.remember("decisions_000000000001", trainer.weights())
    arrays, values = trainer.state()
    other = make_trainer(config)
    other.remember("decisions_000000000001", trainer.weights())
    other.restore(arrays, values)
    expected, found = trainer.learn(0.7), other.learn(0.7)
    assert found == pytest.approx(expected, rel=1e-4)
    trainer.close()
    other.close()


def test_a_search_lets_it_judge_leaves(generalist, tmp_path):
    save_policy(tmp_path, a_policy(generalist))
    agent = load_agent(f"mcts:simulations=8,leaf=network,network={tmp_path}")
    for rules in (RuleSet(3), EVERYTHING):
        game = Game(rules, 2)
        agent.reset(game.turn, rules, 1)
        assert agent.act(View.of(game)) in game.legal_actions()


def test_only_trainers_of_our_own_take_it():
    settings = SETTINGS | {"trainer": "maskable_sb3", "self_play": {"num_envs": 8}}
    with pytest.raises(ConfigError, match=r"network\.kind=entities"):
        make_trainer(from_dict(settings, Config))
