"""The games of a suite: who sits where on which deals, played by the workers of the arena."""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from prico_env import Game
from prico_env.errors import PricoError
from prico_training.arena.match import what_failed
from prico_training.arena.roster import Roster
from prico_training.arena.schedule import BATCH_SIZES, LineUp, Schedule, WorkUnit
from prico_training.arena.settings import Entry
from prico_training.arena.supervisor import Pool
from prico_training.arena.worker import FinishedGame, Limits, WorkerSettings
from prico_training.benchmark.suites import Suite
from prico_training.rule_sets import rule_set_name

CANDIDATE: Final = "candidate"
"""The name of whoever enters, at the tables of a suite."""
COLUMNS: Final = ("wins_60ths", "ranks_halves", "leads", "scores", "decisions")
"""What is kept of a deal, each a whole number summed over the candidate's seats: shares of the win
in sixtieths (ties share it among 2 to 5), places in halves (those who tie share the mean of
theirs), score minus the best of the others, score, and decisions that left a choice."""
_WHOLE_WIN: Final = 60


class BenchmarkError(PricoError):
    """A benchmark cannot be played, or its file cannot be read."""


class Cell(NamedTuple):
    """Games that differ in deal and seat only."""

    rules: int
    """Place of the rule set in the suite."""
    opponent: str
    """Whose copies surround the candidate."""


@dataclass(frozen=True)
class SuitePlan:
    """All games of a suite, or of its first deals."""

    suite: Suite
    """The suite."""
    deals: int
    """Deals of each rule set."""
    refused: frozenset[str] = frozenset()
    """Names of rule sets that the candidate does not play: it loses them, and no game is played."""

    @functools.cached_property
    def cells(self) -> tuple[Cell, ...]:
        """What is played, in the order of the suite."""
        return tuple(
            Cell(number, opponent)
            for number, rules in enumerate(self.suite.rule_sets)
            if rule_set_name(rules) not in self.refused
            for opponent in self.suite.opponents(rules)
        )

    @functools.cached_property
    def line_ups(self) -> tuple[LineUp, ...]:
        """The tables: for each cell the candidate at each seat."""
        tables = (
            (rules, tuple(CANDIDATE if here == seat else cell.opponent for here in seats))
            for cell in self.cells
            for rules in (self.suite.rule_sets[cell.rules],)
            for seats in (range(rules.players),)
            for seat in seats
        )
        return tuple(
            LineUp(number, "copies", table, rules=rules)
            for number, (rules, table) in enumerate(tables)
        )

    @functools.cached_property
    def cell_of(self) -> tuple[Cell, ...]:
        """The cell of each table."""
        return tuple(
            cell for cell in self.cells for _ in range(self.suite.rule_sets[cell.rules].players)
        )

    def tables_of(self, cell: Cell) -> range:
        """The numbers of the tables of a cell, one for each seat."""
        first = self.cell_of.index(cell)
        return range(first, first + self.suite.rule_sets[cell.rules].players)

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.line_ups) * self.deals

    def number_of(self, line_up: int, deal: int) -> int:
        """The number of a deal among those of all rule sets: no two of them share one."""
        return self.cell_of[line_up].rules * self.suite.deals + deal

    def deal_of(self, line_up: int, number: int) -> int:
        """The deal of a rule set from its number among those of all."""
        return number - self.cell_of[line_up].rules * self.suite.deals

    def work(self, kinds: Sequence[str], wanted: Callable[[int, int], bool]) -> Iterator[WorkUnit]:
        """Yield the games that are wanted, in the order of deals.

        Agents that decide in many games at once get the same games together whatever is wanted of
        them, so that it never matters what was played before.

        Args:
            kinds: How each table is played: a word of `schedule.BATCH_SIZES`.
            wanted: Whether a table is wanted on a deal of its rule set.
        """
        for first in range(self.deals):
            for line_up, kind in enumerate(kinds):
                if first % BATCH_SIZES[kind]:
                    continue
                together = range(first, min(first + BATCH_SIZES[kind], self.deals))
                left = [deal for deal in together if wanted(line_up, deal)]
                if left:
                    chosen = together if kind == "batched" else left
                    yield WorkUnit(line_up, tuple(self.number_of(line_up, deal) for deal in chosen))


def play_suite(
    plan: SuitePlan,
    candidate: Entry,
    wanted: Callable[[int, int], bool],
    log: Path,
    processes: int,
    keep_going: Callable[[], bool],
) -> Iterator[tuple[int, list[FinishedGame]]]:
    """Play games of a suite in worker processes.

    Args:
        plan: The games.
        candidate: Who enters.
        wanted: As in `SuitePlan.work`.
        log: Where goes what agents print.
        processes: How many play.
        keep_going: Asked again and again; what is being played when it says no is dropped.

    Yields:
        The number of a table and finished games there.

    Raises:
        BenchmarkError: The candidate cannot be made or seated.
        ArenaError: The same, because of how it was named.
    """
    entries = (
        Entry(candidate.agent, CANDIDATE, candidate.settings),
        *(Entry(name) for name in plan.suite.all_opponents),
    )
    first = plan.line_ups[0].rules
    limits = Limits(move=plan.suite.forfeit_seconds)
    settings = WorkerSettings(first or Game().rules, entries, plan.suite.seed, limits, log)
    schedule = Schedule(plan.line_ups, plan.deals)
    roster = Roster(schedule, tuple(entry.name for entry in entries), 0, {})
    Game(first)  # compiles the rules, if need be, before every process does
    with Pool(settings, processes) as pool:
        roster.probe(pool, keep_going)
        for fault in roster.disqualified.values():
            raise BenchmarkError(f"{candidate.name} cannot take part: {what_failed(fault.text)}")
        if keep_going():
            kinds = [roster.kind(number) for number in range(len(plan.line_ups))]
            yield from roster.play(pool, plan.work(kinds, wanted), keep_going)


class SuiteSums:
    """What came out, summed over the seats of each deal.

    Attributes:
        plan: What was to be played.
        sums: Of each cell, `COLUMNS` by deals, int64, shape ``(columns, deals)``.
        broken: Games that the candidate broke.
        first_fault: How the first of them went wrong, in a line; empty where none did.
        seconds: Time the candidate thought in all games.
        known: Which games are in, by table and deal.
    """

    def __init__(self, plan: SuitePlan) -> None:
        """Begin with no games."""
        self.plan = plan
        self.sums = {cell: np.zeros((len(COLUMNS), plan.deals), np.int64) for cell in plan.cells}
        self.broken = 0
        self.first_fault = ""
        self.seconds = 0.0
        self.known: set[tuple[int, int]] = set()

    def has(self, line_up: int, deal: int) -> bool:
        """Whether a table has played a deal of its rule set."""
        return (line_up, deal) in self.known

    @property
    def games(self) -> int:
        """How many games are in."""
        return len(self.known)

    def add(self, game: Mapping[str, Any]) -> bool:
        """Add a game, as a line of `games.jsonl` describes it; return whether it is a new one.

        Raises:
            BenchmarkError: It is no game of this suite.
        """
        line_up = game["line_up"]
        if not 0 <= line_up < len(self.plan.line_ups):
            raise BenchmarkError(f"there is a game of table {line_up}, which is not in the suite")
        deal = self.plan.deal_of(line_up, game["deal"])
        table = self.plan.line_ups[line_up].table
        if not 0 <= deal < self.plan.deals or tuple(game["table"]) != table:
            raise BenchmarkError(f"there is a game of {game['table']} that is not in the suite")
        if self.has(line_up, deal):
            return False
        self.known.add((line_up, deal))
        seat = table.index(CANDIDATE)
        scores, places = game["scores"], game["places"]
        tied = places.count(places[seat])
        self.sums[self.plan.cell_of[line_up]][:, deal] += (
            round(_WHOLE_WIN * game["wins"][seat]),
            2 * places[seat] + tied - 1,
            scores[seat] - max(scores[:seat] + scores[seat + 1 :]),
            scores[seat],
            game["decisions"][seat],
        )
        self.seconds += game["seconds"][seat]
        if game["faults"]:
            self.broken += 1
            self.first_fault = self.first_fault or what_failed(game["faults"][0]["text"])
        return True

    def win_rates(self) -> list[tuple[str, float]]:
        """The win rate so far against each opponent, over all its games."""
        won: dict[str, float] = dict.fromkeys(self.plan.suite.all_opponents, 0.0)
        games = dict.fromkeys(won, 0)
        for cell, sums in self.sums.items():
            won[cell.opponent] += float(sums[0].sum()) / _WHOLE_WIN
        for line_up, _ in self.known:
            games[self.plan.cell_of[line_up].opponent] += 1
        return [(name, won[name] / games[name]) for name in won if games[name]]
