"""The benchmark: suites that never change, results that can be checked, and a table of them."""

import dataclasses
import json
import math
import random
import shutil

import numpy as np
import pytest

from prico_agents import AgentError, load_agent
from prico_agents.heuristics.style import style_names
from prico_env import RuleSet
from prico_training import cli
from prico_training.arena.match import Contestant, game_lines, play
from prico_training.arena.results import write_lines
from prico_training.arena.schedule import deal_seed
from prico_training.arena.settings import Entry
from prico_training.arena.statistics import Estimate, proportion, ratio
from prico_training.arena.worker import FinishedGame
from prico_training.benchmark import run_suite, verification
from prico_training.benchmark.decision_time import time_decisions
from prico_training.benchmark.estimates import Group, estimate, rating_of
from prico_training.benchmark.identity import (
    candidate_identity,
    check_opponents,
    opponent_now,
    parameters_digest,
    refused_rule_sets,
)
from prico_training.benchmark.leaderboard import FOLDER, benchmark_page, read_results
from prico_training.benchmark.result_file import BenchmarkError, read_result
from prico_training.benchmark.run_suite import run_benchmark
from prico_training.benchmark.suite_games import CANDIDATE, COLUMNS, Cell, SuitePlan
from prico_training.benchmark.suites import (
    HELD_OUT,
    OPPONENTS,
    STYLE_OPPONENTS,
    SUITES,
    every_rule_set,
    find_suite,
)
from prico_training.benchmark.verification import verify_result
from prico_training.errors import ConfigError
from prico_training.reference import HOME
from tests.rule_sets import ALL_RULE_SETS

SMALL = SUITES["base-2p-v1"]
HERE = "tests.training.benchmark.test_benchmark"


class Last:
    """Plays the last allowed action."""

    def reset(self, seat, rules, seed):
        self.rules = rules

    def act(self, view):
        return view.choices[-1]


class Fickle(Last):
    """Plays by a chance that no seed decides."""

    def act(self, view):
        return random.SystemRandom().choice(view.choices)


class BaseGameOnly(Last):
    """Refuses expansions, as trained policies do."""

    def reset(self, seat, rules, seed):
        if rules.expansions:
            raise AgentError("I have learnt the base game alone")


class Breaks(Last):
    """Raises an error at its third decision of a game."""

    def reset(self, seat, rules, seed):
        self.asked = 0

    def act(self, view):
        self.asked += 1
        return view.choices[-1] if self.asked < 3 else {}["third"]


def play_here(plan, candidate, wanted, log, processes, keep_going):
    """The games of `play_suite` in this process, where starting others would take longer."""
    who = {name: Contestant.of(name, name) for name in plan.suite.all_opponents}
    who[CANDIDATE] = Contestant.of(CANDIDATE, candidate.agent, **candidate.settings)
    for unit in plan.work(["single"] * len(plan.line_ups), wanted):
        if not keep_going():
            return
        line_up, seed = plan.line_ups[unit.line_up], plan.suite.seed
        table = [who[name] for name in line_up.table]
        finished = play(line_up.rules, table, [deal_seed(seed, deal) for deal in unit.deals])
        lines = game_lines(line_up.rules, line_up, seed, unit.deals, finished)
        yield (
            unit.line_up,
            [
                FinishedGame(line["deal"], line["wins"], (), text)
                for line, text in zip(lines, write_lines(lines), strict=True)
            ],
        )


@pytest.fixture(autouse=True)
def in_this_process(request, monkeypatch):
    if request.node.get_closest_marker("training") is None:
        for module in (run_suite, verification):
            monkeypatch.setattr(module, "play_suite", play_here)


@pytest.fixture(scope="module")
def entered(tmp_path_factory):
    """The result of an agent in two deals of a suite."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_suite, "play_suite", play_here)
        folder = tmp_path_factory.mktemp("entered") / "last"
        return run_benchmark(SMALL, Entry(f"{HERE}:Last", "last"), deals=2, folder=folder).file


def changed(file, folder, **fields):
    """A copy of a result with other fields."""
    page = json.loads(file.read_text(encoding="utf-8")) | fields
    copy = folder / "changed.json"
    copy.write_text(json.dumps(page), encoding="utf-8")
    return copy


def checked(file, agent=None, sample=4):
    return verify_result(read_result(file), agent, sample, 1, lambda: True)


# -- suites ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", OPPONENTS, ids=lambda opponent: opponent.name)
def test_an_opponent_plays_as_the_suites_say_or_they_get_a_new_version(opponent):
    assert opponent_now(opponent.name) == opponent


@pytest.mark.parametrize("opponent", STYLE_OPPONENTS, ids=lambda opponent: opponent.name)
def test_a_held_out_style_has_the_weights_that_its_suite_names(opponent):
    assert parameters_digest(load_agent(opponent.name)) == opponent.parameters


@pytest.mark.parametrize("opponent", STYLE_OPPONENTS[-2:], ids=lambda opponent: opponent.name)
def test_a_held_out_style_plays_as_its_suite_says(opponent):
    assert opponent_now(opponent.name) == opponent


def test_the_suite_of_styles_seats_the_candidate_among_each_held_out_style():
    suite = SUITES["styles-4p-v1"]
    assert suite.all_opponents == style_names(held_out=True)
    assert suite.games_of_a_deal == 4 * len(STYLE_OPPONENTS)


def test_an_opponent_of_another_content_stops_a_benchmark(monkeypatch):
    other = SMALL.contents["corn"]._replace(play="0123456789abcdef")
    monkeypatch.setattr("prico_training.benchmark.identity.opponent_now", lambda name: other)
    with pytest.raises(ConfigError, match="corn is not the opponent of base-2p-v1"):
        check_opponents(SMALL)


def test_generalists_play_every_rule_set_and_train_without_the_held_out_ones():
    suite = SUITES["generalist-v1"]
    assert set(suite.rule_sets) == set(ALL_RULE_SETS) == set(every_rule_set())
    assert len(suite.rule_sets) == 144
    assert suite.held_out == HELD_OUT
    assert len(set(HELD_OUT)) == 24
    assert set(HELD_OUT) < set(suite.rule_sets)
    own = {rules for one in SUITES.values() if not one.held_out for rules in one.rule_sets}
    assert not own & set(HELD_OUT)


def test_held_out_rule_sets_are_spread_over_players_editions_and_expansions():
    for players in (2, 3, 4, 5):
        assert sum(rules.players == players for rules in HELD_OUT) == 6
    for edition, number in (("1897-en", 10), ("1897-de", 10), ("classic", 4)):
        assert sum(rules.edition == edition for rules in HELD_OUT) == number
    new = [rules for rules in HELD_OUT if rules.edition != "classic"]
    for expansion in ("buildings", "citizens", "smuggler", "festival"):
        assert sum(expansion in rules.expansions for rules in new) == len(new) // 2


def test_the_hash_of_a_suite_covers_all_that_decides_what_is_played():
    changes = (
        {"name": "base-2p-v2"},
        {"rule_sets": (RuleSet(3),)},
        {"deals": 251},
        {"seed": 1},
        {"panel": OPPONENTS[:3]},
        {"held_out": (RuleSet(2),)},
        {"decision_seconds": 2.0},
    )
    hashes = {dataclasses.replace(SMALL, **change).hash for change in changes}
    assert len(hashes | {SMALL.hash}) == len(changes) + 1
    assert dataclasses.replace(SMALL, title="another title").hash == SMALL.hash


def test_every_deal_is_played_from_every_seat_among_copies_of_every_opponent():
    plan = SuitePlan(SUITES["generalist-v1"], 2)
    assert len({(*one.table, one.rules) for one in plan.line_ups}) * 2 == plan.games
    for line_up, cell in zip(plan.line_ups, plan.cell_of, strict=True):
        assert sorted(line_up.table) == sorted(
            [CANDIDATE, *[cell.opponent] * (line_up.rules.players - 1)]
        )
    numbers = {
        plan.number_of(line_up, deal) for line_up in range(len(plan.line_ups)) for deal in range(2)
    }
    assert len(numbers) == 2 * 144


# -- estimates -------------------------------------------------------------------------------------


def test_a_rating_is_the_odds_that_a_win_rate_tells_of():
    for players in (2, 3, 4, 5):
        assert rating_of(Estimate(1 / players), [players]).mean == pytest.approx(0, abs=1e-6)
    odds = 10 ** (200 / 400)
    shares = [odds / (odds + players - 1) for players in (2, 5)]
    assert rating_of(Estimate(float(np.mean(shares))), [2, 5]).mean == pytest.approx(200)
    nothing = rating_of(Estimate(0.0, 0.0, 0.2), [4])
    assert nothing.mean == nothing.low == -math.inf
    assert nothing.high < 0


def two_rule_sets(chance, deals=6):
    """A suite of two rule sets and sums as if one were won far more often than the other."""
    suite = dataclasses.replace(SMALL, rule_sets=(RuleSet(2), RuleSet(5)), deals=deals)
    sums = {
        Cell(number, opponent): np.stack(
            [
                60 * chance.integers(least, least + 2, deals),
                chance.integers(2 * seats, 2 * seats + 3, deals),
                chance.integers(-20, 20, deals),
                chance.integers(20, 50, deals),
                chance.integers(20, 50, deals),
            ]
        )
        for number, (seats, least) in enumerate(((2, 1), (5, 0)))
        for opponent in suite.all_opponents
    }
    return suite, sums


def test_every_rule_set_counts_the_same_and_differs_from_others_for_no_reason_of_chance():
    suite, sums = two_rule_sets(np.random.default_rng(1))
    group = Group("all", (0, 1), suite.all_opponents)
    found = estimate(suite, 6, sums, group)
    rows = [
        np.mean([sums[Cell(number, name)] for name in suite.all_opponents], axis=0) / seats
        for number, seats in enumerate((2, 5))
    ]
    wins = np.concatenate([row[0] / 60 for row in rows])
    assert found.win_rate.mean == pytest.approx(wins.mean())
    assert found.rank.mean == pytest.approx(np.mean([row[1] / 2 for row in rows]))
    assert found.lead.mean == pytest.approx(np.mean([row[2] for row in rows]))
    assert found.even == pytest.approx((1 / 2 + 1 / 5) / 2)
    within = np.sqrt(sum(row[2].var(ddof=1) / 6 for row in rows) / 4)
    assert found.lead.standard_error == pytest.approx(within, rel=0.1)
    assert found.win_rate.standard_error < proportion(wins, np.arange(12)).standard_error


def test_strata_of_one_pool_change_nothing_and_each_needs_two_deals():
    values, deals = np.random.default_rng(2).normal(size=8), np.arange(8) // 2
    assert ratio(values, deals, strata=np.zeros(8, int)) == pytest.approx(ratio(values, deals))
    with pytest.raises(ValueError, match="each stratum needs two deals"):
        ratio(values, deals, strata=np.arange(8) // 2)


def test_a_rule_set_that_is_refused_is_lost():
    suite, sums = two_rule_sets(np.random.default_rng(3))
    played = {cell: columns for cell, columns in sums.items() if cell.rules == 0}
    group = Group("all", (0, 1), suite.all_opponents)
    half, own = estimate(suite, 6, played, group), Group("own", (0,), suite.all_opponents)
    alone = estimate(suite, 6, sums, own)
    assert half.win_rate.mean == pytest.approx(alone.win_rate.mean / 2)
    assert half.rank.mean == pytest.approx((alone.rank.mean + 5) / 2)
    assert half.lead == alone.lead
    generalist = SUITES["generalist-v1"]
    refused = list(refused_rule_sets(Entry(f"{HERE}:BaseGameOnly"), generalist))
    assert len(refused) == 132
    assert all(rules.expansions for rules in refused)


# -- who plays -------------------------------------------------------------------------------------


def test_a_candidate_is_known_by_its_content(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "mine_to_enter.py").write_text(
        "class Mine:\n"
        "    def __init__(self, depth: int = 1, weights: str = ''): ...\n"
        "    def reset(self, seat, rules, seed): ...\n"
        "    def act(self, view): return view.choices[0]\n"
    )

    def content(agent, **more):
        return candidate_identity(Entry(agent, **more))["hash"]

    mine = content("mine_to_enter:Mine")
    seen = {mine}
    assert content("mine_to_enter:Mine", name="ours") == mine
    assert content("mine_to_enter:Mine:depth=2") != mine
    for weights in (b"learnt", b"learnt more"):
        (tmp_path / "weights").write_bytes(weights)
        seen.add(content(f"mine_to_enter:Mine:weights={tmp_path / 'weights'}"))
    assert len(seen) == 3
    with (tmp_path / "mine_to_enter.py").open("a") as file:
        file.write("# a better idea\n")
    assert content("mine_to_enter:Mine") != mine
    assert len({content(name) for name in ("corn", "planner", "governor", "random")}) == 4
    assert content("planner:coin=0.5") != content("planner")
    search = candidate_identity(Entry("mcts:2,network=governor"))
    assert "weights of network" in search["covers"]
    with pytest.raises(ConfigError, match="a person cannot take part"):
        content("human")


def test_decisions_are_measured_one_at_a_time_and_held_against_the_budget():
    quick = time_decisions(Entry("corn"), SMALL, frozenset(), lambda: True)
    assert quick["decisions"] >= 1000
    assert 0 < quick["median"] <= quick["p99"] <= quick["most"]
    strict = dataclasses.replace(SMALL, decision_seconds=1e-9)
    assert time_decisions(Entry("corn"), strict, frozenset(), lambda: True)["over"] == 1


# -- entering --------------------------------------------------------------------------------------


@pytest.mark.training
def test_a_stranger_enters_with_one_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lucky.py").write_text(
        "class Lucky:\n"
        "    def reset(self, seat, rules, seed): ...\n"
        "    def act(self, view): return view.choices[-1]\n"
    )
    words = ["benchmark", "lucky:Lucky", "--suite", "base-2p-v1", "--deals", "1"]
    assert cli.main([*words, "--processes", "1"]) == 0
    said = capsys.readouterr().out
    assert "against governor" in said
    file = tmp_path / "runs" / "base-2p-v1-lucky-Lucky" / "base-2p-v1-lucky-Lucky.json"
    assert str(file.relative_to(tmp_path)) in said
    place = next(word for word in said.split() if word.startswith(FOLDER)).rstrip(".")
    (tmp_path / place).parent.mkdir(parents=True)
    shutil.copy(file, tmp_path / place)
    page = benchmark_page(tmp_path)
    assert f"| 1 | [`lucky:Lucky`]({place})‡ |" in page
    assert f"1 of {SMALL.deals}" in page


def test_a_benchmark_that_was_stopped_goes_on_and_ends_as_one_that_was_not(
    entered, tmp_path, monkeypatch
):
    def for_a_while(*arguments):
        yield from (games for games, _ in zip(play_here(*arguments), range(7), strict=False))

    candidate, folder = Entry(f"{HERE}:Last", "last"), tmp_path / "last"
    monkeypatch.setattr(run_suite, "play_suite", for_a_while)
    first = run_benchmark(SMALL, candidate, deals=2, folder=folder)
    assert (first.games, first.planned, first.complete) == (7, 20, False)
    monkeypatch.setattr(run_suite, "play_suite", play_here)
    assert run_benchmark(SMALL, candidate, deals=2, folder=folder).complete
    results = [json.loads(file.read_text()) for file in (entered, folder / entered.name)]
    assert results[0]["results"] == results[1]["results"]
    assert results[0]["summary"] == results[1]["summary"]
    with pytest.raises(ConfigError, match="holds a benchmark with deals = 2, not 3"):
        run_benchmark(SMALL, candidate, deals=3, folder=folder)


def test_games_that_a_candidate_breaks_are_lost_and_told(tmp_path, monkeypatch):
    monkeypatch.setattr("prico_training.arena.match.Supervisor.ask", strict_ask)
    outcome = run_benchmark(SMALL, Entry(f"{HERE}:Breaks"), deals=1, folder=tmp_path / "breaks")
    page = read_result(outcome.file).page
    assert page["broken_games"] == page["games"] == 10
    assert page["first_fault"] == "KeyError: 'third'"
    assert page["summary"]["all"]["win_rate"][0] == 0
    assert page["summary"]["all"]["rating"][0] is None


def strict_ask(self, request, call):
    from prico_training.arena.match import FaultError, error_text

    try:
        return call()
    except KeyError as error:
        raise FaultError("error", error_text(error)) from error


# -- checking --------------------------------------------------------------------------------------


def test_a_result_holds_that_is_played_again_the_same(entered):
    found = checked(entered)
    assert not found.wrong
    assert "4 of 4 deals that were played again have the same scores" in found.verified[-1]
    assert found.unverified == ["the times, which are those of another machine"]


def test_a_result_whose_games_were_not_played_like_this_is_found_out(entered, tmp_path):
    rows = json.loads(entered.read_text())["results"]
    for row in rows:
        row[2 + COLUMNS.index("scores")] = [7, 7]
    found = checked(changed(entered, tmp_path, results=rows))
    assert len(found.wrong) == 4
    assert "scores 7, played again" in found.wrong[0]


def test_a_policy_that_draws_by_its_own_chance_cannot_be_verified(tmp_path):
    folder = tmp_path / "fickle"
    file = run_benchmark(SMALL, Entry(f"{HERE}:Fickle"), deals=1, folder=folder).file
    found = checked(file)
    assert not found.wrong
    assert "plays them otherwise each time" in found.unverified[-1]


def test_it_is_said_what_cannot_be_looked_at(entered, tmp_path):
    assert "has the content" in checked(entered, "corn").unverified[-1]
    page = json.loads(entered.read_text())
    gone = changed(entered, tmp_path, candidate=page["candidate"] | {"agent": "no_module:Mine"})
    assert "no_module" in checked(gone).unverified[-1]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"suite_hash": "0" * 16}, "of base-2p-v1 with hash 0000000000000000, not"),
        ({"suite": "base-9p-v1"}, "which this prico does not know"),
        ({"deals": 3}, "must be 3 whole numbers"),
        ({"games": 21}, "tells of 21 games, and its deals are 20"),
        ({"decisions": 1}, "tells of 1 decisions"),
        ({"results": []}, "not those of the rule sets and opponents"),
        ({"summary": {}}, "is no file of a benchmark"),
        ({"format": 9}, "format 9"),
        ({"seconds": {"mean": math.nan}}, "the mean of its seconds is nan"),
    ],
)
def test_a_file_whose_arithmetic_does_not_hold_is_refused(entered, tmp_path, change, says):
    with pytest.raises(BenchmarkError, match=says):
        read_result(changed(entered, tmp_path, **change))


def test_estimates_that_the_deals_do_not_give_are_refused(entered, tmp_path):
    summary = json.loads(entered.read_text())["summary"]
    summary["against corn"]["win_rate"][0] += 0.01
    with pytest.raises(BenchmarkError, match="win_rate of against corn is"):
        read_result(changed(entered, tmp_path, summary=summary))


# -- the page --------------------------------------------------------------------------------------


def test_the_committed_results_hold_and_the_page_is_what_they_give():
    results = read_results(HOME)
    page = (HOME / "BENCHMARK.md").read_text(encoding="utf-8")
    assert page == benchmark_page(HOME)
    for result in results:
        assert f"`{result.candidate['name']}`" in page


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["corn", "--suite", ""], "no suite is called '' (there are: base-4p-v1"),
        (["corn", "--suite", "base-4p"], "no suite is called 'base-4p'; did you mean 'base-4p-v1'"),
        (["corn", "--deals", "999"], "--deals runs from 1 to 250 in base-4p-v1, not 999"),
        (["cron"], "no agent is called 'cron'"),
        (["--sample", "3"], "--verify"),
        (["--verify", "nowhere.json"], "nowhere.json"),
        (["--verify", "nowhere.json", "--deals", "3"], "--verify takes a FILE"),
        (["governor", "--suite", "festival-4p-v1"], "governor plays no rule set of festival"),
    ],
)
def test_a_mistake_gets_one_line(words, says, capsys):
    assert cli.main(["benchmark", *words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert says in error


def test_without_a_policy_the_suites_are_listed(capsys):
    assert cli.main(["benchmark"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in SUITES)
    assert find_suite("base-4p-v1").games_of_a_deal == 20
