"""`prico tune`: weights that are tuned by play, exactly by a seed, and on after a stop."""

import json

import numpy as np
import pytest

from prico_agents import AgentError, load_agent
from prico_env import ALL_EXPANSIONS, RuleSet
from prico_training import cli
from prico_training.errors import ConfigError
from prico_training.sections import find_settings, from_dict, read_fields
from prico_training.tuning.paired_games import draw_line_up, play_pairs, points
from prico_training.tuning.rounds_left import rounds_left_errors
from prico_training.tuning.run_tuning import BEST_FILE, REPORT_FILE, STATE_FILE, run_tuning
from prico_training.tuning.settings import Tuning
from prico_training.tuning.weight_search import (
    WeightSearch,
    tunable_weights,
    weights_of,
    with_weights,
)

SMOKE = read_fields(find_settings("configs/tuning/smoke.yaml"))


def tuning(**changes):
    return from_dict({**SMOKE, "agent": "corn", **changes}, Tuning)


# -- pairs of games --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_both_sides_have_the_same_number_of_seats(seats, share):
    chance = np.random.default_rng(1)
    for _ in range(20):
        line_up = draw_line_up(seats, 3, share, chance)
        assert (line_up == -1).sum() == (line_up == -2).sum() == (1 if share else seats // 2)
        assert line_up.max() < 3


def test_an_agent_against_itself_takes_half_of_the_points_of_every_deal():
    corn = load_agent("corn")
    chance = np.random.default_rng(2)
    won = play_pairs(RuleSet(3), (corn, corn), [load_agent("trader")], 0.5, 4, chance)
    assert won.shape == (4, 2)
    assert (points(won) == 0.5).all()


def test_a_strong_agent_takes_more_points_than_a_random_one():
    sides = load_agent("planner"), load_agent("planner", coin=30.0)
    won = play_pairs(RuleSet(4), sides, [sides[0]], 0.0, 10, np.random.default_rng(3))
    assert points(won).mean() > 0.6


# -- which weights ---------------------------------------------------------------------------------


def test_weights_that_change_nothing_in_the_games_are_left_alone():
    planner = load_agent("planner")
    base = tunable_weights(planner, ("*",), (RuleSet(4),))
    assert {"coin", "power.kind_income", "role.captain"} < set(base)
    assert not {"power.barter", "power.own_ship", "lookahead_phases", "leader_weight"} & set(base)
    every = tunable_weights(planner, ("*",), (RuleSet(4, expansions=ALL_EXPANSIONS),))
    assert "power.villa" in every
    assert tunable_weights(planner, ("power.barter",), (RuleSet(4),)) == ("power.barter",)


def test_a_pattern_without_a_weight_is_refused_in_words():
    with pytest.raises(ConfigError, match="no weight is called 'coins'; did you mean 'coin'"):
        tunable_weights(load_agent("planner"), ("coins",), (RuleSet(4),))
    with pytest.raises(ConfigError, match=r"'power.bar\*' names what changes nothing"):
        tunable_weights(load_agent("planner"), ("power.bar*",), (RuleSet(4),))


def test_every_weight_of_the_games_with_expansions_that_prices_a_power_can_be_tuned():
    names = tunable_weights(
        load_agent("planner"), ("power.*",), (RuleSet(4, expansions=("citizens",)),)
    )
    assert "power.score_citizens" in names


# -- the end of the game ---------------------------------------------------------------------------


def test_weights_that_see_a_slow_pace_expect_more_rounds_than_come():
    slow = load_agent("corn", pace_vp=0.01, pace_workers=0.01, pace_city=0.01)
    fast = load_agent("corn", pace_vp=3.0, pace_workers=3.0, pace_city=3.0)
    errors = [rounds_left_errors(RuleSet(3), agent, 20, 1).mean() for agent in (slow, fast)]
    assert errors[0] > 1 > -1 > errors[1]


# -- the search ------------------------------------------------------------------------------------


def test_the_search_climbs_a_slope_it_can_only_measure():
    settings = tuning(directions=16, learning_rate=0.005)
    goal = {"coin": 2.0, "hold": 2.0}
    point = {"coin": 1.0, "hold": 3.0}
    search = WeightSearch(settings, point)

    def height(weights):
        return -sum((weights[name] - goal[name]) ** 2 for name in goal)

    for number in range(400):
        moves = search.moves(number)
        both = [search.sides(point, move, number) for move in moves]
        gains = np.array([height(upper) - height(lower) for upper, lower in both])
        point = search.step(point, moves, gains, number)
    assert point == pytest.approx(goal, abs=0.05)


def test_a_positive_weight_stays_positive_but_what_is_liked_of_roles_may_change_sign():
    start = {"coin": 1.0, "role.captain": 0.5}
    search = WeightSearch(tuning(), start)
    moved = search.step(start, np.array([[1.0, 1.0]]), np.array([-1e6]), 0)
    assert moved["coin"] == pytest.approx(0.1)
    assert moved["role.captain"] < 0


def test_a_copy_with_other_weights_leaves_the_agent_as_it_is():
    corn = load_agent("corn")
    other = with_weights(corn, {"coin": 7.0, "role.captain": 2.0})
    assert weights_of(other)["role.captain"] == 2.0
    assert weights_of(corn)["coin"] != 7.0


# -- whole runs ------------------------------------------------------------------------------------


def test_a_tuning_leaves_an_agent_that_plays_and_a_report(tmp_path, capsys):
    words = ["tune", "configs/tuning/smoke.yaml", "agent=corn", "--output", str(tmp_path / "run")]
    assert cli.main(words) == 0
    assert "best weights play as" in capsys.readouterr().out
    page = (tmp_path / "run" / REPORT_FILE).read_text()
    assert "decided games won" in page
    assert "held_out" in page
    assert "Rounds left" in page
    tuned = load_agent(str(tmp_path / "run" / BEST_FILE))
    assert weights_of(tuned)["hold"] == pytest.approx(weights_of(load_agent("corn"))["hold"])


def test_threads_and_stops_change_nothing(tmp_path):
    settings = tuning(bounds=(0.05, 0.1), test_deals=16)  # accepts anything
    whole = run_tuning(settings, tmp_path / "whole", processes=1)
    run_tuning(tuning(bounds=(0.05, 0.1), test_deals=16, iterations=2), tmp_path / "parts", 2)
    parts = run_tuning(settings, tmp_path / "parts", processes=2)
    assert whole.state.best != weights_of(load_agent("corn"))
    assert whole.state == parts.state
    assert [line.decided for line in whole.lines] == [line.decided for line in parts.lines]


def test_a_folder_goes_on_with_the_settings_it_began_with_only(tmp_path):
    run_tuning(tuning(iterations=1), tmp_path / "run", 1)
    with pytest.raises(ConfigError, match="holds a tuning with seed = 1, not 2"):
        run_tuning(tuning(seed=2), tmp_path / "run", 1)
    (tmp_path / "run" / STATE_FILE).write_text(json.dumps({"settings": {}}))
    with pytest.raises(ConfigError, match="is no state of a tuning"):
        run_tuning(tuning(), tmp_path / "run", 1)


def test_weights_that_lose_in_a_guard_are_not_accepted(tmp_path, monkeypatch):
    asked = []

    def lose(rules, sides, pool, share, deals, chance):
        asked.append(rules.players)
        won = 1.0 if rules.players == 4 else 0.0
        return np.tile([won, 1.0 - won], (deals, 1)) * 2

    monkeypatch.setattr("prico_training.tuning.run_tuning.play_pairs", lose)
    settings = tuning(guards=[{"players": 2}], iterations=2, test_deals=200)
    state = run_tuning(settings, tmp_path / "run", 1).state
    assert {2, 4} == set(asked)
    assert state.tests[-1]["guard"].startswith("RuleSet(players=2")
    assert state.best == {name: weights_of(load_agent("corn"))[name] for name in state.best}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"pool": ["style:16"]}, "'style:16' is held out"),
        ({"pool": ["mcts"]}, "pool must name compiled players"),
        ({"held_out": ["nobody"]}, "no agent is called 'nobody'"),
        ({"bounds": [0.6, 0.5]}, "the smaller first"),
        ({"tolerance": 0.5}, "tolerance must be below 0.5"),
    ],
)
def test_settings_that_cannot_work_are_refused_before_any_game(changes, says, tmp_path):
    with pytest.raises(ConfigError, match=says):
        run_tuning(tuning(**changes), tmp_path / "run", 1)


def test_an_agent_without_weights_of_its_own_is_refused_in_words(tmp_path):
    with pytest.raises(AgentError, match="has no setting 'coin'"):
        run_tuning(tuning(agent="style:0"), tmp_path / "run", 1)


def test_the_powers_that_are_tuned_apart_are_all_that_the_base_game_lacks():
    settings = from_dict(read_fields(find_settings("configs/tuning/powers.yaml")), Tuning)
    planner = load_agent("planner")
    base = tunable_weights(planner, ("*",), (RuleSet(4),))
    every = tunable_weights(planner, ("*",), settings.rule_sets)
    assert set(settings.weights) == {name for name in set(every) - set(base) if "power" in name}


@pytest.mark.parametrize("name", ["base", "expansions", "powers", "smoke"])
def test_the_settings_files_that_come_along_can_be_read(name):
    assert from_dict(read_fields(find_settings(f"configs/tuning/{name}.yaml")), Tuning).rule_sets
