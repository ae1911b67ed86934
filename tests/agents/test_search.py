"""The search: it sees no more than its seat, keeps to its budget, and finds what wins."""

import itertools
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from prico_agents import AgentError, View, load_agent
from prico_agents.heuristic_engine.weights import new_weights
from prico_agents.monitor import monitored
from prico_agents.neural.network import PolicyValueNetwork
from prico_agents.search.mcts import Mcts
from prico_agents.search.simulation import (
    Leaf,
    Prior,
    new_leaf_batch,
    new_roots,
    new_search_params,
    new_workspace,
    simulate,
)
from prico_agents.search.tree import NO_NODE, ROOT, clear_tree, forest_of, move_subtree, new_tree
from prico_env import ALL_EXPANSIONS, Game, Games, RuleSet
from tests.agents.endings import last_load, last_pick
from tests.builders import ALICE, BOB, board
from tests.rule_sets import BASE_RULE_SETS, EXPANDED_RULE_SETS, rule_set_id

ROOT_FOLDER = Path(__file__).parents[2]
LEAVES = ["static", "greedy", "random"]
PRIORS = ["uniform", "greedy", "evaluation"]
FULL = RuleSet(4, expansions=ALL_EXPANSIONS)


def searcher(game, seed=1, **settings):
    """A search that sits down at the seat to act, and branches at all that matters."""
    agent = Mcts(**{"simulations": 30, "branch": "main", **settings})
    agent.reset(game.turn, game.rules, seed)
    return agent


def played_on(game, decisions, seed=5):
    """The game some random decisions later."""
    chance = np.random.default_rng(seed)
    for _ in range(decisions):
        game.step(int(chance.choice(game.legal_actions())))
    return game


def found(agent, game):
    """What a search chooses, and how often it tried every move and what that brought."""
    action = agent.act(View.of(game))
    return action, [(line.action, line.visits, line.values) for line in agent.report().candidates]


def visits(agent):
    return {line.action: line.visits for line in agent.report().candidates}


def play(game, seats):
    """A game to its end, or so many decisions of it."""
    for seat, agent in enumerate(seats):
        agent.reset(seat, game.rules, seat)
    while not game.over:
        view = View.of(game)
        action = seats[game.turn].act(view)
        assert view.legal[action]
        game.step(action)
    return game


# -- what every player owes ------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*BASE_RULE_SETS, *EXPANDED_RULE_SETS], ids=rule_set_id)
def test_a_search_plays_only_what_is_allowed(rules):
    play(Game(rules, 3), [Mcts(4) for _ in range(rules.players)])


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("prior", PRIORS)
def test_every_way_to_search_plays_in_the_largest_game(leaf, prior):
    game = Game(FULL, 8)
    for decisions in (0, 60, 150):
        place = played_on(game.clone(), decisions)
        agent = searcher(place, leaf=leaf, prior=prior, simulations=12)
        assert place.mask()[agent.act(View.of(place))]


def test_a_search_answers_every_offer_when_everything_is_asked():
    switches = {"optional_gains": "ask", "skip_forced": False, "voluntary_discard": True}
    for branch in ("roles", "main", "all"):
        seats = [Mcts(3, branch=branch) for _ in range(3)]
        play(Game(RuleSet(3, expansions=ALL_EXPANSIONS, **switches), 5), seats)


@pytest.mark.parametrize("leaf", LEAVES)
def test_the_same_seed_finds_the_same(leaf):
    game = played_on(Game(RuleSet(2), 4), 30)
    one, same, other = (
        found(searcher(game, seed, leaf=leaf, simulations=400), game) for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_a_search_sits_down_anew_in_the_middle_of_a_game():
    game = played_on(Game(RuleSet(3), 4), 30)
    agent, fresh = searcher(game), searcher(game)
    for _ in range(3):
        agent.act(View.of(game))
    agent.reset(game.turn, game.rules, 1)
    assert found(agent, game) == found(fresh, game)


def test_a_search_goes_on_after_pickling_with_what_it_knows():
    game = Game(RuleSet(3), 6)
    agent = searcher(game)
    agent.act(View.of(game))
    twin = pickle.loads(pickle.dumps(agent))
    assert str(twin.report()) == str(agent.report())
    for _ in range(8):
        action, tried = found(agent, game)
        assert found(twin, game) == (action, tried)
        game.step(action)
    assert len(pickle.dumps(agent)) < 300_000


def test_a_search_that_was_never_told_its_seat_takes_that_of_the_view():
    game = played_on(Game(FULL, 4), 30)
    assert game.mask()[Mcts(5).act(View.of(game))]


# -- what is hidden stays hidden -------------------------------------------------------------------


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize(
    "rules", [RuleSet(), FULL, RuleSet(3, "classic", ("buildings",))], ids=rule_set_id
)
def test_what_a_seat_cannot_see_changes_nothing_it_finds(rules, leaf):
    """R-INF-2: the deck, the generator, and forests that others laid face down."""
    game = Game(rules, 9)
    for _ in range(3):
        played_on(game, 70)
        other = game.determinize(game.turn, 99)
        assert other.to_bytes() != game.to_bytes()
        assert found(searcher(game, leaf=leaf), game) == found(searcher(game, leaf=leaf), other)


def test_forests_that_others_laid_unseen_change_nothing_a_search_finds():
    seats = {
        BOB: {"island": {"forest": [2, 0]}, "forest_kinds": {"corn": 1, "coffee": 1}},
    }
    game = board(players=3, expansions=("buildings",), seats=seats)
    blind = game.state["forest_blind"][0]
    blind[BOB] = game.state["forest_kinds"][0, BOB]
    other = game.determinize(ALICE, 5)
    while (other.state["forest_kinds"] == game.state["forest_kinds"]).all():
        other = other.determinize(ALICE, int(other.state["rng"][0, 0]))
    assert found(searcher(game), game) == found(searcher(game), other)


# -- what it finds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("prior", PRIORS)
def test_a_search_finds_the_last_load_that_wins(leaf, prior):
    game = last_load()
    action = searcher(game, leaf=leaf, prior=prior).act(View.of(game))
    assert game.name(action) == "load:corn:3"


@pytest.mark.parametrize("leaf", LEAVES)
def test_a_search_finds_the_last_role_that_wins(leaf):
    game = last_pick()
    action = searcher(game, leaf=leaf, simulations=200).act(View.of(game))
    assert game.name(action) == "role:captain"


@pytest.mark.parametrize("leaf", LEAVES)
def test_what_a_finished_game_is_worth_is_exact(leaf):
    game = last_load()
    agent = searcher(game, leaf=leaf, margin=0.0)
    agent.act(View.of(game))
    worth = {game.name(line.action): line.values for line in agent.report().candidates}
    assert worth["load:corn:3"] == (0.0, 0.0, 0.0, 1.0)
    assert worth["load:indigo:3"] == (1.0, 0.0, 0.0, 0.0)


def test_a_lead_counts_a_little_beside_a_victory():
    game = last_load()
    agent = searcher(game, margin=0.1)
    agent.act(View.of(game))
    worth = {game.name(line.action): line.values for line in agent.report().candidates}
    assert worth["load:corn:3"] == pytest.approx((0.0, -0.005, -0.005, 1.01), abs=0.01)
    assert sum(worth["load:corn:3"]) == pytest.approx(1)


def test_a_search_plays_the_only_move_without_thinking():
    game = Game(RuleSet(3, skip_forced=False), 1)
    while len(game.legal_actions()) > 1:
        played_on(game, 1)
    agent = searcher(game)
    assert [agent.act(View.of(game))] == game.legal_actions()
    assert agent.report().simulations == 0


# -- its budget ------------------------------------------------------------------------------------


@pytest.mark.parametrize("simulations", [1, 7, 400])
def test_a_search_makes_as_many_simulations_as_it_is_told(simulations):
    game = played_on(Game(RuleSet(), 4), 40)
    agent = searcher(game, simulations=simulations)
    agent.act(View.of(game))
    assert agent.report().simulations == simulations
    assert sum(visits(agent).values()) == simulations - 1  # the first looks at the position itself


def test_a_search_thinks_as_long_as_it_is_told():
    game = Game(RuleSet(), 4)
    agent = Mcts(seconds=0.2)
    agent.reset(0, game.rules, 1)
    searcher(game).act(View.of(game))  # compiles, where that is due
    began = time.perf_counter()
    agent.act(View.of(game))
    assert 0.15 < time.perf_counter() - began < 2.0
    assert agent.report().simulations > 0
    assert agent.report().seconds == pytest.approx(0.2, abs=0.2)


def test_a_search_stops_at_the_budget_that_is_used_up_first():
    game = Game(RuleSet(), 4)
    agent = searcher(game, simulations=10, seconds=60.0)
    agent.act(View.of(game))
    assert agent.report().simulations == 10


def test_a_short_name_gives_the_simulations():
    agent = load_agent("mcts:25")
    assert (agent.simulations, agent.seconds) == (25, None)
    assert load_agent("mcts").simulations == 400
    assert load_agent("mcts:seconds=0.5").simulations is None


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"simulations": 0}, "at least one simulation"),
        ({"seconds": -1.0}, "some time"),
        ({"batch_size": 0}, "at least one leaf"),
        ({"exploration": -0.1}, "exploration"),
        ({"exploration": float("nan")}, "exploration"),
        ({"temperature": -1.0}, "temperature"),
    ],
)
def test_a_budget_that_cannot_be_is_explained(settings, says):
    with pytest.raises(AgentError, match=says):
        Mcts(**settings)


# -- the tree --------------------------------------------------------------------------------------


def search_in(tree, game, count, **changes):
    """Simulate in a tree of one's own."""
    params = new_search_params("main", "greedy", 0.3, "alike")._replace(
        leaf=int(Leaf.STATIC), prior=int(Prior.UNIFORM), margin=0.0, **changes
    )
    work, batch = new_workspace(game.rules), new_leaf_batch(game.rules, 0, 0)
    roots = new_roots(game.state, np.zeros(1, np.int64))
    work.rng[:] = (1, 2, 3, 4)
    roots.wanted[0] = count
    simulate(game.rules.table, new_weights(), params, work, roots, forest_of(tree), batch)
    return roots.made[0]


def grown(game, count=200, room=5000, **changes):
    tree = new_tree(room)
    clear_tree(tree)
    assert search_in(tree, game, count, **changes) == count
    return tree


def children_of(tree, node):
    child = int(tree.nodes["child"][node])
    while child != NO_NODE:
        yield child
        child = int(tree.nodes["sibling"][child])


def used(tree):
    return range(int(tree.size[0]))


@pytest.mark.parametrize("rules", [RuleSet(), FULL], ids=rule_set_id)
def test_every_visit_of_a_node_ends_there_or_goes_on_to_a_child(rules):
    tree = grown(played_on(Game(rules, 2), 60))
    for node in used(tree):
        below = sum(int(tree.nodes["visits"][child]) for child in children_of(tree, node))
        assert below <= tree.nodes["visits"][node]
        if below:
            assert tree.nodes["visits"][node] - below >= 1
    assert tree.nodes["visits"][ROOT] == 200


def test_no_child_is_tried_more_often_than_it_was_on_offer():
    tree = grown(played_on(Game(FULL, 2), 90), 500)
    offered, tried = tree.nodes["available"], tree.nodes["visits"]
    assert (tried[1 : tree.size[0]] <= offered[1 : tree.size[0]]).all()
    assert (offered[1 : tree.size[0]] < 500).all()


def test_siblings_have_edges_of_their_own():
    tree = grown(played_on(Game(FULL, 2), 90), 500)
    for node in used(tree):
        edges = [int(tree.nodes["edge"][child]) for child in children_of(tree, node)]
        assert len(edges) == len(set(edges))


def test_what_the_seats_may_expect_adds_up():
    game = played_on(Game(RuleSet(), 2), 60)
    tree = grown(game)
    total = tree.nodes["values"][ROOT].sum()
    assert total == pytest.approx(200)


@pytest.mark.parametrize("room", [1, 2, 9, 40])
def test_a_full_tree_does_no_harm(room):
    game = played_on(Game(RuleSet(), 2), 60)
    tree = grown(game, 300, room)
    assert tree.size[0] <= room
    assert tree.nodes["visits"][ROOT] == 300
    assert tree.nodes["values"][ROOT].sum() == pytest.approx(300)


def test_moves_that_chance_brings_later_find_their_place():
    """A tile may be on offer in one simulation and not in another."""
    tree = grown(played_on(Game(RuleSet(2), 4), 30), 3000, 60_000)
    offered = tree.nodes["available"][: tree.size[0]]
    takes = [
        node
        for node in used(tree)
        if any(
            offered[child] < tree.nodes["visits"][node] // 2 for child in children_of(tree, node)
        )
        and tree.nodes["visits"][node] > 20
    ]
    assert takes


def test_a_branch_that_is_moved_is_the_same_branch():
    tree = grown(played_on(Game(RuleSet(), 2), 60), 500)
    top = max(children_of(tree, ROOT), key=lambda child: tree.nodes["visits"][child])
    target = new_tree(len(tree.nodes))
    move_subtree(tree, top, target, np.zeros(len(tree.nodes), np.int32))

    def unfolded(source, node):
        record = source.nodes[node]
        own = (int(record["edge"]), int(record["visits"]), tuple(record["values"]))
        return own, [unfolded(source, child) for child in children_of(source, node)]

    assert unfolded(target, ROOT) == unfolded(tree, top)


# -- going on in the tree --------------------------------------------------------------------------


def test_a_search_goes_on_in_what_it_knows():
    game = Game(RuleSet(), 3)
    game.step("role:settler")
    while game.phase != "role":
        played_on(game, 1)
    agent = searcher(game, simulations=200)
    seat = game.turn
    chosen = game.parse("role:builder")
    agent.act(View.of(game))
    tried = visits(agent)[chosen]
    game.step(chosen)
    assert game.turn == seat
    agent.act(View.of(game))
    assert agent.report().reused == tried > 0
    assert agent.report().simulations == 200


def test_a_search_begins_anew_when_chance_has_shown_something():
    game = Game(RuleSet(), 3)
    agent = searcher(game, simulations=200)
    agent.act(View.of(game))
    game.step("role:settler")
    while game.turn != 0 or game.phase != "role":
        played_on(game, 1)
    agent.act(View.of(game))
    assert agent.report().reused == 0


def test_a_search_begins_anew_where_nobody_tells_what_has_happened():
    games = Games(RuleSet(2), 1, seed=3)
    game = games[0]
    game.step("role:builder")
    agent = searcher(games[0])
    agent.act(View.in_batch(games, 0, game.rules))
    games.step([game.parse("role:builder")])
    agent.act(View.in_batch(games, 0, game.rules))
    assert agent.report().reused == 0


def test_a_search_begins_anew_in_another_game():
    game, other = Game(RuleSet(2), 3), Game(RuleSet(2), 4)
    agent = searcher(game)
    agent.act(View.of(game))
    for each in (game, other):
        each.step("role:builder")
    agent.act(View.of(other))
    assert agent.report().reused == 0


@pytest.mark.parametrize("rules", [RuleSet(2), RuleSet(4), FULL], ids=rule_set_id)
def test_what_a_search_keeps_is_of_the_position_at_hand(rules):
    """Every move it knows something of is allowed, and no more visits are kept than were made."""
    game = Game(rules, 6)
    agents = [Mcts(60) for _ in range(rules.players)]
    for seat, agent in enumerate(agents):
        agent.reset(seat, rules, seat)
    kept = 0
    for _ in range(150):
        if game.over:
            break
        agent = agents[game.turn]
        action = agent.act(View.of(game))
        report = agent.report()
        assert {line.action for line in report.candidates} == set(game.legal_actions())
        assert 0 <= sum(visits(agent).values()) <= report.reused + report.simulations
        kept += report.reused
        game.step(action)
    assert kept > 0


def test_a_search_may_be_told_to_forget():
    game = Game(RuleSet(2), 6)
    agent = searcher(game, reuse_tree=False)
    for _ in range(5):
        game.step(agent.act(View.of(game)))
        assert agent.report().reused == 0


# -- the choice and the report ---------------------------------------------------------------------


def test_the_most_tried_move_is_played():
    game = played_on(Game(RuleSet(), 4), 40)
    agent = searcher(game, simulations=150)
    action = agent.act(View.of(game))
    assert visits(agent)[action] == max(visits(agent).values())
    assert agent.report().candidates[0].action == action


def test_with_a_temperature_moves_are_drawn_as_often_as_they_were_tried():
    game = Game(RuleSet(), 4)
    drawn = {searcher(game, seed, temperature=1.0).act(View.of(game)) for seed in range(20)}
    assert len(drawn) > 1
    cold = {searcher(game, seed, temperature=0.01).act(View.of(game)) for seed in range(5)}
    assert len(cold) == 1


def test_a_report_can_be_read():
    game = Game(RuleSet(), 4)
    agent = searcher(game, simulations=120)
    with pytest.raises(AgentError, match="first decision"):
        agent.report()
    action = agent.act(View.of(game))
    report = agent.report()
    page = str(report)
    assert game.describe(action) in page
    assert "120 simulations" in page
    assert report.principal_variation[0] == (0, game.describe(action))
    assert report.depth >= len(report.principal_variation) - 1
    assert sum(line.share for line in report.candidates) == pytest.approx(1, abs=0.01)
    assert sum(line.prior for line in report.candidates) == pytest.approx(1)
    assert report.__rich__().row_count == len(report.candidates)


# -- a network -------------------------------------------------------------------------------------


def network(rules, outputs, likes=None, seed=0):
    """A small made-up network; it may like one action, and judges with so many numbers, or not."""
    chance = np.random.default_rng(seed)
    width = 8

    def layer(name, size, before):
        return {
            f"{name}.weight": chance.normal(0, 0.1, (size, before)).astype(np.float32),
            f"{name}.bias": np.zeros(size, np.float32),
        }

    weights = {
        **layer("layer_0", width, rules.observation.num_features),
        **layer("layer_1", rules.num_actions, width),
    }
    if likes is not None:
        weights["layer_1.bias"][likes] = 8.0
    if outputs:
        weights |= layer("value", outputs, width)
        weights["value.bias"] += 0.5
    return PolicyValueNetwork(weights)


def with_network(game, outputs, **settings):
    agent = searcher(game, leaf="network", **settings)
    agent.network = network(game.rules, outputs, settings.pop("likes", None))
    return agent


@pytest.mark.parametrize("outputs", [0, 1, 4])
@pytest.mark.parametrize("rules", [RuleSet(), FULL], ids=rule_set_id)
def test_a_network_proposes_and_judges(rules, outputs):
    game = played_on(Game(rules, 4), 30)
    agent = with_network(game, outputs, simulations=50)
    assert game.mask()[agent.act(View.of(game))]
    report = agent.report()
    assert report.simulations == 50
    for line in report.candidates:
        if line.visits:
            assert sum(line.values) == pytest.approx(1, abs=1e-6)


def test_a_move_that_the_network_likes_is_tried_most():
    game = Game(RuleSet(), 4)
    liked = game.legal_actions()[3]
    agent = searcher(game, leaf="network", simulations=60)
    agent.network = network(game.rules, 0, liked)
    agent.act(View.of(game))
    assert max(visits(agent), key=visits(agent).get) == liked


def opinion(rules, chances):
    """A network that gives the seat that sees, and those after it, the same chances anywhere."""
    weights = dict(network(rules, rules.players)._weights)
    weights["value.weight"] = np.zeros_like(weights["value.weight"])
    weights["value.bias"] = np.array(chances, np.float32)
    return PolicyValueNetwork(weights)


@pytest.mark.parametrize("own", [0.1, 0.25, 0.4, 0.7])
def test_seats_that_overrate_themselves_are_taken_for_as_good_as_each_other(own):
    rules = RuleSet(4)
    game = played_on(Game(rules, 4), 30)
    agent = searcher(game, leaf="network", simulations=100, margin=0.0)
    agent.network = opinion(rules, [own, *[(1 - own) / 3] * 3])
    agent.act(View.of(game))
    for line in agent.report().candidates:
        if line.visits:
            assert line.values == pytest.approx([0.25] * 4, abs=1e-6)


def test_what_a_seat_cannot_see_changes_nothing_a_network_tells_it():
    """R-INF-2: what the other seats make of themselves is asked with what is hidden dealt anew."""
    game = played_on(Game(FULL, 9), 70)
    other = game.determinize(game.turn, 99)
    assert found(with_network(game, 4), game) == found(with_network(other, 4), other)


def roles_tried_second(**settings):
    """Visits of each role of the next seat, after the likeliest one of the seat that searches."""
    game = Game(RuleSet(4), 4)
    liked = game.legal_actions()[0]
    agent = searcher(game, leaf="network", branch="roles", simulations=400, **settings)
    agent.network = network(game.rules, 0, liked)
    agent.act(View.of(game))
    tried = agent._tree.nodes["visits"]
    first = max(children_of(agent._tree, ROOT), key=lambda child: tried[child])
    return sorted((int(tried[child]) for child in children_of(agent._tree, first)), reverse=True)


def test_opponents_of_a_mixture_play_what_the_network_and_the_planner_like_in_proportion():
    """A network that always likes one action: flattened, it is no certainty."""
    mixed = roles_tried_second(opponents="mixture")
    alike = roles_tried_second(opponents="alike")
    assert min(mixed) > 0
    assert mixed[0] < 0.9 * sum(mixed)
    assert mixed != alike


@pytest.mark.parametrize("batch", [1, 4, 32])
def test_a_batch_of_any_size_makes_the_simulations_it_was_told(batch):
    game = Game(RuleSet(3), 4)
    agent = with_network(game, 3, simulations=90, batch_size=batch)
    agent.act(View.of(game))
    assert agent.report().simulations == 90
    assert sum(visits(agent).values()) + 1 <= 90


def test_a_counted_budget_finds_the_same_however_slow_the_clock(monkeypatch):
    """Only a budget of seconds may ask the clock."""
    game, found = Game(RuleSet(3), 4), []
    for pace in (1e-6, 10.0):
        ticks = itertools.count()
        monkeypatch.setattr(time, "perf_counter", lambda ticks=ticks, pace=pace: next(ticks) * pace)
        agent = with_network(game, 3, simulations=90, batch_size=16)
        agent.act(View.of(game))
        found.append(visits(agent))
    assert found[0] == found[1]


def test_a_network_finds_the_last_load_that_wins():
    game = last_load()
    agent = with_network(game, 4, simulations=60)
    assert game.name(agent.act(View.of(game))) == "load:corn:3"


def test_a_network_that_judges_one_seat_is_asked_for_each():
    """Who sees more corn of its own expects more: each seat is judged by its own eyes."""
    rules = RuleSet()
    game = board(seats={BOB: {"goods": {"corn": 9}}})
    block = next(block for block in rules.observation.blocks if block.name == "self.goods")
    weight = np.zeros((1, rules.observation.num_features), np.float32)
    weight[0, block.start] = 1.0
    weights = {
        "layer_0.weight": weight,
        "layer_0.bias": np.zeros(1, np.float32),
        "layer_1.weight": np.zeros((rules.num_actions, 1), np.float32),
        "layer_1.bias": np.zeros(rules.num_actions, np.float32),
        "value.weight": np.full((1, 1), 0.3, np.float32),
        "value.bias": np.full(1, 0.1, np.float32),
    }
    agent = searcher(game, leaf="network", simulations=20)
    agent.network = PolicyValueNetwork(weights)
    agent.act(View.of(game))
    for line in agent.report().candidates:
        if line.visits:
            assert max(line.values) == line.values[BOB]


def test_a_network_is_needed_to_ask_one():
    game = Game(RuleSet(), 4)
    with pytest.raises(AgentError, match="network=<folder"):
        searcher(game, leaf="network").act(View.of(game))


# -- compiled or not -------------------------------------------------------------------------------

PLAIN = """
import sys
from tests.agents.test_search import digest
print(digest())
"""


def digest():
    """What searches of every kind find in two games."""
    results = []
    for rules in (RuleSet(3), FULL):
        game = played_on(Game(rules, 7), 40)
        for leaf in LEAVES:
            for prior in PRIORS:
                agent = searcher(game, leaf=leaf, prior=prior, simulations=6)
                agent.act(View.of(game))
                results.append(sorted(visits(agent).items()))
    return results


@pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}, reason="nothing to compare with"
)
def test_compiled_and_plain_python_searches_try_the_same():
    plain = subprocess.run(
        [sys.executable, "-c", PLAIN],
        cwd=ROOT_FOLDER,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == str(digest())


# -- a search that somebody watches ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["mcts:1500", "mcts:simulations=300,leaf=random"])
def test_a_search_that_is_watched_and_not_stopped_decides_as_ever(name):
    game, shares = Game(RuleSet(players=3), seed=7), []
    watched, alone = load_agent(name), load_agent(name)
    for _ in range(6):
        with monitored(lambda share: shares.append(share) or True):
            action = watched.act(View.of(game))
        assert action == alone.act(View.of(game))
        game.step(action)
    assert shares.count(1.0) == 6
    assert min(shares) > 0


def test_a_search_that_is_stopped_decides_with_what_it_has_found():
    game = Game(RuleSet(players=3), seed=7)
    agent = load_agent("mcts:900000")
    with monitored(lambda share: False):
        report = agent.analyse(View.of(game))
        assert agent.act(View.of(game)) == report.action
    assert report.action in game.legal_actions()
    assert 0 < report.simulations < 900_000
