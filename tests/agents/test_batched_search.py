"""Roots searched side by side, and what a network does in a tree."""

import numpy as np
import pytest

from prico_agents import AgentError, View
from prico_agents.neural.checkpoint import SavedPolicy, save_policy
from prico_agents.neural.network import PolicyValueNetwork
from prico_agents.search.batched import BatchedSearch
from prico_agents.search.mcts import Mcts
from prico_agents.search.simulation import Leaf, new_search_params
from prico_agents.search.tree import NO_NODE, ROOT, SPAN
from prico_env import ALL_EXPANSIONS, Game, Games, RuleSet
from prico_env.vocabulary import DecisionPoint

RULES = RuleSet(3)
FULL = RuleSet(4, expansions=ALL_EXPANSIONS)


def weights(rules, outputs):
    """Of a small made-up network."""
    chance, width = np.random.default_rng(0), 8
    sizes = {
        "layer_0": (width, rules.observation.num_features),
        "layer_1": (rules.num_actions, width),
        "value": (outputs, width),
    }
    made = {
        f"{name}.weight": chance.normal(0, 0.1, shape).astype(np.float32)
        for name, shape in sizes.items()
    }
    made |= {f"{name}.bias": np.zeros(shape[0], np.float32) for name, shape in sizes.items()}
    made["value.bias"] += 1 / rules.players
    return made


def positions(rules, n=6, decisions=40):
    """Games some random decisions later."""
    games = Games(rules, n, seed=3)
    for _ in range(decisions):
        games.step(games.sample())
    return games


def search(games, rows, simulations=25, default_policy="greedy", noise=None, outputs=3, leaves=4):
    rules = games.rule_sets[0]
    params = new_search_params("roles", default_policy, 0.1, "alike")
    searches = BatchedSearch(rules, params, len(games), simulations, leaves, 1)
    network = PolicyValueNetwork(weights(rules, outputs))
    return searches.search(network, games.state, np.array(rows), noise)


@pytest.mark.parametrize("default_policy", ["greedy", "network"])
@pytest.mark.parametrize("leaves", [1, 7])
def test_each_position_gets_its_simulations(default_policy, leaves):
    found = search(positions(RULES), [0, 2, 5], default_policy=default_policy, leaves=leaves)
    assert found.visits.sum(axis=1).tolist() == [24, 24, 24]  # the first looks at the position


@pytest.mark.parametrize(("rules", "outputs"), [(RULES, 3), (RULES, 1), (FULL, 4)])
def test_only_what_is_allowed_is_proposed_and_tried(rules, outputs):
    games = positions(rules)
    found = search(games, range(6), outputs=outputs)
    assert (found.visits[~games.masks] == 0).all()
    assert ((found.priors > 0) == games.masks).all()
    assert ((found.qvalues > 0) <= (found.visits > 0)).all()
    assert found.values.min() > 0
    assert found.values.max() < 1


def test_a_position_is_searched_as_if_it_were_alone():
    """Where chance has nothing to say, others beside it change nothing."""
    games = positions(RULES)
    games.state["deck_size"] = 0  # no tile is drawn any more
    games.state["deck_tiles"] = 0
    games.state["discard"] = 0
    alone, beside = search(games, [2]), search(games, [0, 2, 4])
    assert (alone.visits[0] == beside.visits[1]).all()


def test_noise_makes_other_moves_look_promising():
    games = positions(RULES)
    lots = np.where(games.masks, np.random.default_rng(1).random(games.masks.shape), 0.0)
    noise = 1.0, lots / lots.sum(axis=1, keepdims=True)
    plain, noisy = search(games, range(6)), search(games, range(6), noise=noise)
    assert (plain.visits != noisy.visits).any()
    assert (plain.priors == noisy.priors).all()  # what the network thinks stays what it is


def test_the_network_decides_where_the_tree_does_not_branch():
    game = Game(RULES, 4)
    agent = Mcts(60, leaf="network", default_policy="network")
    agent.network = PolicyValueNetwork(weights(RULES, 3))
    agent.reset(game.turn, RULES, 1)
    agent.act(View.of(game))
    nodes = agent._tree.nodes
    deep = 0
    for node in range(1, int(agent._tree.size[0])):
        tried, child = [], int(nodes["child"][node])
        while child != NO_NODE:
            if nodes["visits"][child]:
                tried.append(child)
            child = int(nodes["sibling"][child])
        points = {int(nodes["edge"][child]) // SPAN // 8 for child in tried}
        if points and not points & {DecisionPoint.CHOOSE_ROLE, DecisionPoint.TAKE_TILE}:
            deep += 1
            assert len(tried) == 1
            assert nodes["prior"][tried[0]] > 0
    assert deep > 0
    assert nodes["visits"][ROOT] == 60


def test_a_search_with_a_network_goes_on_in_what_it_knows():
    game = Game(RULES, 6)
    agents = [Mcts(40, leaf="network", default_policy="network") for _ in range(3)]
    for seat, agent in enumerate(agents):
        agent.reset(seat, RULES, seat)
        agent.network = PolicyValueNetwork(weights(RULES, 3))
    kept = 0
    while not game.over and kept == 0:
        agent = agents[game.turn]
        action = agent.act(View.of(game))
        kept += agent.report().reused
        game.step(action)
    assert kept > 0


def test_a_search_that_is_given_a_network_uses_it(tmp_path):
    save_policy(tmp_path, SavedPolicy(RULES, weights(RULES, 3), {}))
    agent = Mcts(10, network=str(tmp_path))
    assert agent._params.leaf == Leaf.NETWORK
    assert agent._params.mixed_opponents
    assert Mcts(10)._params.leaf == Leaf.GREEDY
    assert not Mcts(10)._params.network_everywhere
    assert Mcts(10)._params.exploration == pytest.approx(0.1)


def test_the_network_cannot_decide_where_there_is_none():
    with pytest.raises(AgentError, match="default_policy=network needs"):
        Mcts(10, default_policy="network")
