"""How reliable win probabilities are: made-up forecasts, those of real networks, and refusals."""

import dataclasses
import json
import math

import numpy as np
import pytest

from prico_agents import View, load_agent
from prico_agents.neural.checkpoint import load_policy
from prico_agents.neural.policy import Policy
from prico_env import Game, PricoError, RuleSet
from prico_training import cli
from prico_training.config import Config
from prico_training.learning.checkpoint import write_policy
from prico_training.learning.report import write_report
from prico_training.reliability import (
    Forecasts,
    Reliability,
    ReliabilityError,
    collect_forecasts,
    measure_reliability,
)
from prico_training.reliability.calibration import measure, measure_stages
from prico_training.reliability.forecasts import SEED
from prico_training.reliability.reliability_page import draw_reliability, markdown

OWN_WINS = 6
"""Of ten games with four seats; the seat on the left wins the others."""


def made_up(forecasts, shares=None, rounds=3):
    """Ten games of a deal each, one decision in each."""
    shares = np.eye(4)[[0] * OWN_WINS + [1] * (10 - OWN_WINS)] if shares is None else shares
    numbers = np.arange(len(shares))
    said = np.broadcast_to(np.asarray(forecasts, float), shares.shape)
    return Forecasts(RuleSet(shares.shape[1]), said, shares, numbers * 0 + rounds, numbers, numbers)


# -- made-up networks ------------------------------------------------------------------------------


def test_a_network_that_is_always_right_loses_nothing() -> None:
    shares = made_up([0.25] * 4).shares
    seen = measure([made_up(shares)])
    assert (seen.decisions, seen.games, seen.log_loss) == (10, 10, 0)
    assert seen.even_log_loss == pytest.approx(math.log(4))
    for each in (seen.own, seen.others):
        assert (each.log_loss, each.brier, each.calibration_error, each.reliability) == (0, 0, 0, 0)
        assert each.resolution == pytest.approx(each.uncertainty)
        assert each.excess.mean == 0
        assert [(one.forecast, one.won.mean) for one in each.bins] == [(0, 0), (1, 1)]


def test_a_network_that_always_says_an_even_share_loses_as_much_as_that() -> None:
    seen = measure([made_up([0.25] * 4)])
    assert seen.log_loss == pytest.approx(seen.even_log_loss)
    assert seen.own.log_loss == seen.own.even_log_loss
    assert seen.own.brier == seen.own.even_brier == pytest.approx(0.6 * 0.75**2 + 0.4 * 0.25**2)
    assert seen.own.excess.mean == pytest.approx(-0.35)
    assert seen.own.calibration_error == pytest.approx(0.35)
    assert seen.own.resolution == pytest.approx(0)
    assert seen.others.excess.mean == pytest.approx(0.25 - 0.4 / 3)
    assert seen.others.count == 30
    (only,) = seen.own.bins
    assert (only.low, only.high, only.count, only.games, only.forecast) == (0.2, 0.3, 10, 10, 0.25)
    assert only.won.mean == pytest.approx(0.6)
    assert only.won.contains(0.6)


def test_a_network_that_is_too_sure_of_itself_over_rates_itself() -> None:
    seen = measure([made_up([0.91, 0.03, 0.03, 0.03])])
    assert seen.own.excess.mean == pytest.approx(0.31)
    assert seen.own.calibration_error == pytest.approx(0.31)
    assert seen.own.log_loss == pytest.approx(-0.6 * math.log(0.91) - 0.4 * math.log(0.09))
    assert seen.log_loss == pytest.approx(-0.6 * math.log(0.91) - 0.4 * math.log(0.03))
    for each in (seen.own, seen.others):  # Murphy's partition, exact where a bin holds one forecast
        parts = each.reliability - each.resolution + each.uncertainty
        assert each.brier == pytest.approx(parts)


def test_seats_that_tie_share_the_win() -> None:
    shared = np.array([[0.5, 0.5, 0, 0]] * 4)
    seen = measure([made_up([0.5, 0.5, 0, 0], shared)])
    assert seen.own.excess.mean == seen.own.calibration_error == seen.own.brier == 0
    assert seen.log_loss == pytest.approx(math.log(2))


def test_rule_sets_with_other_seats_count_with_even_shares_of_their_own() -> None:
    two = made_up([0.5, 0.5], np.array([[1.0, 0]] * 10))
    seen = measure([made_up([0.25] * 4), two])
    assert (seen.decisions, seen.games, seen.others.count) == (20, 20, 40)
    assert seen.log_loss == pytest.approx((math.log(4) + math.log(2)) / 2)
    assert seen.own.won == pytest.approx(0.8)
    assert seen.own.excess.deals == 20


def test_thirds_of_a_game_are_told_apart_where_there_are_any() -> None:
    early, late = made_up([0.97, 0.01, 0.01, 0.01], rounds=5), made_up([0.25] * 4, rounds=11)
    found = measure_stages([early, late])
    assert list(found) == ["rounds 1 to 5", "rounds 11 and later"]
    assert found["rounds 1 to 5"].own.forecast == pytest.approx(0.97)
    assert found["rounds 11 and later"].own.forecast == 0.25


def reliability(policy="made-up") -> Reliability:
    seen = [made_up([0.91, 0.03, 0.03, 0.03])]
    whole = measure(seen)
    sets = {"1897-en 4p": whole}
    return Reliability(policy, ("planner",), 10, 1, 4, whole, measure_stages(seen), sets)


def test_the_report_of_a_run_tells_it_and_shows_the_picture(tmp_path) -> None:
    counts = {"decisions": 1, "games": 1, "seconds": 1.0}
    write_report(tmp_path, Config(), counts, [], None, reliability())
    report = (tmp_path / "report.md").read_text()
    assert "## Reliability of the value head\n\n![" in report
    assert "It over-rates itself by 31.0 [" in report
    assert (tmp_path / "reliability.png").read_bytes().startswith(b"\x89PNG")
    results = json.loads((tmp_path / "results.json").read_text())["reliability"]
    assert results == reliability().to_dict()
    assert results["whole"]["own"]["excess"]["mean"] == pytest.approx(0.31)


def test_one_deal_is_told_to_be_too_few_for_an_interval(tmp_path) -> None:
    seen = measure([made_up([0.7, 0.1, 0.1, 0.1], np.eye(4)[:1])])
    alone = dataclasses.replace(reliability(), whole=seen, stages={}, deals=1)
    assert "under-rates itself by 30.0 [too few deals] points" in "\n".join(markdown(alone))
    draw_reliability(tmp_path / "alone.png", alone)
    assert (tmp_path / "alone.png").exists()


# -- real games ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def governor():
    return load_policy("governor")


def with_value(saved, rows):
    """The same policy with some rows of its value head alone."""
    head = {name: saved.weights[name][rows] for name in ("value.weight", "value.bias")}
    return dataclasses.replace(saved, weights=saved.weights | head)


@pytest.mark.parametrize("rows", [slice(None), slice(0, 1)], ids=["all", "own"])
def test_forecasts_are_what_the_policy_says_of_every_seat_itself_first(governor, rows) -> None:
    rules, policy = RuleSet(3), Policy(with_value(governor, rows))
    found = collect_forecasts(policy, [load_agent("corn")], rules, deals=1, every=1)
    asked = Policy(with_value(governor, rows))
    for seat in range(3):
        corn, game = load_agent("corn"), Game(rules, seed=SEED)
        while game.turn != seat:
            corn.reset(game.turn, rules, 1)
            game.step(corn.act(View.of(game)))
        asked.reset(seat, rules, 1)
        chances = np.roll(asked.analyse(View.of(game)).chances, -seat)
        first = int(np.argmax(found.games == seat))
        assert found.forecasts[first] == pytest.approx(chances, abs=1e-4)
        assert found.rounds[first] == game.round
    assert found.shares.sum(axis=1) == pytest.approx(1)
    assert set(found.deals.tolist()) == {0}


def test_the_seat_that_sees_is_the_first_in_outcomes_too() -> None:
    seen = measure_reliability("governor", ["random"], RuleSet(2), deals=3).whole
    assert (seen.own.won, seen.others.won) == (1, 0)


class Noting:
    """Plays the first thing that is allowed, and notes where it sat."""

    def __init__(self) -> None:
        self.seats: list[int] = []

    def reset(self, seat, rules, seed) -> None:
        """Nothing to remember."""

    def act(self, view: View) -> int:
        self.seats.append(view.seat)
        return view.choices[0]


def test_opponents_take_the_other_seats_by_turns(governor) -> None:
    players = [Noting(), Noting()]
    collect_forecasts(Policy(governor), players, RuleSet(3), deals=2)
    assert all(set(player.seats) == {0, 1, 2} for player in players)


def test_every_kind_of_opponent_plays_and_the_same_deals_give_the_same_figures() -> None:
    opponents = ["random", "governor", "mcts:2"]
    first, again = (measure_reliability("governor", opponents, RuleSet(2), 1) for _ in range(2))
    assert first.to_dict() == again.to_dict()


def test_a_decision_in_four_is_noted(governor) -> None:
    some, all_of_them = (
        collect_forecasts(Policy(governor), [load_agent("corn")], RuleSet(2), 2, every=every)
        for every in (4, 1)
    )
    assert len(all_of_them.games) / 4 == pytest.approx(len(some.games), abs=4)
    assert set(some.games.tolist()) == {0, 1, 2, 3}


def test_the_command_prints_tables_and_writes_figures_and_a_picture(tmp_path, capsys) -> None:
    file, picture = tmp_path / "found.json", tmp_path / "found.png"
    words = ["generalist", "corn", "--games", "configs/games/1897_en_2_players.yaml,"]
    words[-1] += "configs/games/1897_en_3_players.yaml"
    words += ["--deals", "1", "--json", str(file), "--picture", str(picture)]
    assert cli.main(["reliability", *words]) == 0
    said = capsys.readouterr().out
    assert said.startswith("`generalist` among `corn` in 2 rule sets: 1 deal, each from every seat")
    assert "| 1897-en 3p | " in said
    found = json.loads(file.read_text())
    assert list(found["rule_sets"]) == ["1897-en 2p", "1897-en 3p"]
    assert found["whole"]["games"] == 5
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_policy_plays_the_rule_set_of_its_run_unless_it_is_told(governor, tmp_path) -> None:
    about = governor.about | {"settings": {"game": {"players": 2}}}
    write_policy(tmp_path / "mine", dataclasses.replace(governor, about=about))
    found = measure_reliability(f"mine={tmp_path / 'mine'}", ["corn"], deals=1)
    assert (found.policy, list(found.rule_sets)) == ("mine", ["1897-en 2p"])


# -- refusals --------------------------------------------------------------------------------------


def test_who_has_no_value_head_is_refused(governor, tmp_path) -> None:
    with pytest.raises(ReliabilityError, match="'corn' has no value head"):
        measure_reliability("corn")
    weights = {
        name: array for name, array in governor.weights.items() if not name.startswith("value")
    }
    write_policy(tmp_path / "mute", dataclasses.replace(governor, weights=weights))
    with pytest.raises(ReliabilityError, match="mute' has no value head"):
        measure_reliability(str(tmp_path / "mute"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"opponents": []}, "needs opponents, such as 'planner'"),
        ({"opponents": "planner"}, "opponents come in a list"),
        ({"opponents": ["human"]}, "decide by themselves"),
        ({"opponents": ["nobody"]}, "no agent is called 'nobody'"),
        ({"rule_sets": RuleSet(expansions=("citizens",))}, "it cannot play"),
        ({"rule_sets": []}, "at least one rule set"),
        ({"rule_sets": RuleSet(max_rounds=1)}, "cut off"),
        ({"rule_sets": 4}, r"RuleSet\(players=4\)"),
        ({"deals": 0}, "the number of deals is a whole number from 1"),
        ({"every": 0.5}, "every is a whole number from 1"),
        ({"seed": -1}, "a seed is a whole number"),
    ],
    ids=str,
)
def test_what_cannot_be_measured_is_refused_in_words(arguments, says) -> None:
    with pytest.raises(PricoError, match=says):
        measure_reliability("governor", **{"deals": 1} | arguments)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--games", "every", "--players", "2"], "do not go with it"),
        (["--games", "nonsense"], "nor a mix (every, every-but-held-out, with-a-suite)"),
        (["--games", ","], "at least one rule set"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_command_refuses_in_one_line(words, says, capsys) -> None:
    assert cli.main(["reliability", "governor", *words]) == cli.USER_MISTAKE
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
