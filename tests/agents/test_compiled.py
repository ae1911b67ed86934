"""Compiled players: one decision at a time or whole games in one call, their weights, and what they
may see.
"""

import math
import subprocess
import sys

import numpy as np
import pytest
from numba import config

from prico_agents import AgentError, View, load_agent
from prico_agents.compiled import play_games
from prico_agents.heuristic_engine.evaluation import evaluate, fill_win_probabilities
from prico_agents.heuristic_engine.horizon import HORIZON_SIZE, Horizon, fill_horizon
from prico_agents.heuristic_engine.power_values import UNKNOWN_POWER, power_values
from prico_agents.heuristic_engine.scratch import new_scratch
from prico_agents.heuristic_engine.weights import WEIGHTS, new_weights
from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.vocabulary import POWERS, ROLES, Power
from tests.rule_sets import EXPANDED_RULE_SETS, rule_set_id

NAMES = ["planner", "corn", "builder", "trader", "random"]


def line_up(players):
    return [load_agent(NAMES[seat % len(NAMES)]) for seat in range(players)]


def play_step_by_step(rules, agents, seed, player_seeds):
    game = Game(rules, seed)
    for seat, agent in enumerate(agents):
        agent.reset(seat, rules, int(player_seeds[seat]))
    roles = np.zeros((rules.players, 9), int)
    decisions = np.zeros(rules.players, int)
    while not game.over:
        seat, phase = game.turn, game.phase
        action = agents[seat].act(View.of(game))
        decisions[seat] += 1
        if phase == "role":
            role = game.name(action).removeprefix("role:")
            roles[seat, ROLES.index(role)] += 1
        game.step(action)
    return game, roles, decisions


@pytest.mark.parametrize(
    "rules", [RuleSet(2), RuleSet(5, "classic"), EXPANDED_RULE_SETS[3]], ids=rule_set_id
)
def test_whole_games_are_the_games_of_one_decision_at_a_time(rules):
    agents = line_up(rules.players)
    player_seeds = np.arange(2 * rules.players).reshape(2, -1) + 5
    played = play_games(rules, agents, [7, 8], player_seeds)
    for number in range(2):
        game, roles, decisions = play_step_by_step(rules, agents, 7 + number, player_seeds[number])
        assert played.games[number].scores() == game.scores()
        assert (played.roles[number] == roles).all()
        assert (played.decisions[number] == decisions).all()
    assert played.games.over.all()
    assert not played.games.masks.any()
    assert not played.games.num_legal.any()
    assert (played.seconds[:, : rules.players] > 0).all()


@pytest.mark.parametrize("expansions", [(), ALL_EXPANSIONS], ids=["base", "expanded"])
def test_a_compiled_player_thinks_of_any_deck_alike(expansions):
    """Q-31: what a seat cannot see does not change its choice."""
    rules = RuleSet(3, expansions=expansions)
    chance = np.random.default_rng(3)
    game = Game(rules, 5)
    planner = load_agent("planner")
    while not game.over:
        other = game.clone()
        size = int(other.state["deck_size"][0])
        deck = other.state["deck"][0, :size]
        deck[:] = chance.permutation(deck)
        other.state["rng"][0] = chance.integers(0, 2**32, 4, dtype=np.uint32)
        choices = []
        for one in (game, other):
            planner.reset(game.turn, rules, 11)
            choices.append(planner.act(View.of(one)))
        assert choices[0] == choices[1]
        game.step(choices[0])


# -- weights ---------------------------------------------------------------------------------------


def test_weights_change_by_name():
    record = new_weights(coin=2, role={"captain": 1.5})
    assert record.dtype == WEIGHTS
    assert record["coin"][0] == 2
    assert (
        record["role"][0].sum()
        == new_weights()["role"][0].sum() - new_weights()["role"][0][5] + 1.5
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"coins": 1}, "did you mean 'coin'"),
        ({"coin": "dear"}, "must be a number, not 'dear'"),
        ({"coin": math.nan}, "must be a number"),
        ({"role": 3}, "takes numbers by name"),
        ({"role": {"captian": 1}}, "did you mean 'captain'"),
        ({"role": {"captain": True}}, "'role.captain' must be a number"),
    ],
)
def test_a_wrong_belief_is_refused_in_words(changes, says):
    with pytest.raises(AgentError, match=says):
        new_weights(**changes)


def test_a_power_that_has_no_row_yet_is_worth_something_by_default():
    invented = max(Power) + 1
    assert power_values([invented]) == [UNKNOWN_POWER]
    assert UNKNOWN_POWER.weight > 0


def test_the_weights_of_powers_are_those_of_their_rows():
    weights = dict(zip(POWERS, new_weights()["power"][0].tolist(), strict=True))
    assert weights == {
        power.name.lower(): value.weight
        for power, value in zip(Power, power_values(Power), strict=True)
    }


# -- the value of a position -----------------------------------------------------------------------


def shares_of(game):
    shares = np.zeros(5)
    fill_win_probabilities(
        game.rules.table[0], game.state[0], new_weights()[0], new_scratch(), shares
    )
    return shares[: game.rules.players]


def scores_of(game):
    scores = np.zeros(5)
    evaluate(game.rules.table[0], game.state[0], new_weights()[0], new_scratch(), scores)
    return scores[: game.rules.players]


def outlook_of(game):
    horizon = np.zeros(HORIZON_SIZE)
    fill_horizon(game.rules.table[0], game.state[0], new_weights()[0], horizon)
    return horizon


@pytest.mark.parametrize("rules", [RuleSet(4), *EXPANDED_RULE_SETS], ids=rule_set_id)
def test_chances_to_win_are_a_distribution_from_the_deal_to_the_end(rules):
    game = Game(rules, 2)
    chance = np.random.default_rng(1)
    while not game.over:
        shares = shares_of(game)
        assert (shares >= 0).all()
        assert shares.sum() == pytest.approx(1)
        assert np.isfinite(scores_of(game)).all()
        game.step(int(chance.choice(game.legal_actions())))


def test_the_chance_to_win_is_exact_when_the_game_is_over():
    game = Game(RuleSet(3), 4)
    chance = np.random.default_rng(2)
    while not game.over:
        game.step(int(chance.choice(game.legal_actions())))
    first = np.array(game.ranking()) == 1
    assert shares_of(game) == pytest.approx(first / first.sum())


def test_another_building_is_worth_something_and_a_point_is_a_point():
    game = Game(RuleSet(3), 4)
    before = scores_of(game)
    game.state["vp"][0, 1] += 3
    after = scores_of(game)
    assert after[1] - before[1] == pytest.approx(3)
    assert after[0] == before[0]


def test_no_phase_is_to_come_when_the_last_round_has_no_role_left():
    game = Game(RuleSet(4), 4)
    assert outlook_of(game)[Horizon.ROUNDS] > 5
    game.state["end_reasons"][0] = 1
    game.state["picks"][0] = 3
    game.state["role_owner"][0, :] = [0, 1, 2, -1, 3, -2, -2, -2, -2]
    horizon = outlook_of(game)
    assert horizon[Horizon.ROUNDS] == 0
    assert horizon[Horizon.CRAFTSMEN] > 0
    assert horizon[Horizon.SETTLERS] == 0


CALLED_WITH = """
import gc
from numba import types
from prico_agents import View, load_agent
from prico_env import Game
from prico_env.core.kernel_compiler import Kernel
for name in {names}:
    game, agent = Game(seed=3), load_agent(name)
    agent.reset(game.turn, game.rules, 0)
    game.step(agent.act(View.of(game)))
for kernel in gc.get_objects():
    if isinstance(kernel, Kernel):
        given = [one for types_of in kernel.overloads for one in types_of]
        print(kernel.py_func.__name__, any(isinstance(one, types.IntEnumMember) for one in given))
"""


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_no_kernel_is_called_with_a_member_of_an_enumeration():
    """Finding its type takes Numba 9 µs at every call, four times as long as `corn` thinks."""
    script = CALLED_WITH.format(names=[*NAMES, "governor", "mcts:2"])
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    kernels = dict(line.split() for line in done.stdout.splitlines())
    assert kernels["_choose_one"] == "False"
    assert "True" not in kernels.values(), kernels
