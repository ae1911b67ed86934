"""Whether the file of a benchmark can be believed: its arithmetic, and a sample played again."""

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from prico_env.errors import PricoError
from prico_training.arena.settings import Entry
from prico_training.benchmark.identity import candidate_identity, check_opponents
from prico_training.benchmark.result_file import BenchmarkResult
from prico_training.benchmark.suite_games import COLUMNS, Cell, SuiteSums, play_suite
from prico_training.rule_sets import rule_set_name

SAMPLE: Final = 20
"""Deals that are played again, unless it is told; each from every seat against one opponent."""


@dataclass
class Verification:
    """What was found out about a file."""

    verified: list[str] = field(default_factory=list)
    """What holds, in words."""
    unverified: list[str] = field(default_factory=list)
    """What could not be looked at, and why."""
    wrong: list[str] = field(default_factory=list)
    """What does not hold."""


def verify_result(
    result: BenchmarkResult,
    agent: str | None,
    sample: int,
    processes: int,
    keep_going: Callable[[], bool],
) -> Verification:
    """Look whether a result holds; `read_result` has checked its form and arithmetic.

    Args:
        result: What was read.
        agent: Where the candidate is on this machine; by default where the file says.
        sample: Deals to play again.
        processes: How many play.
        keep_going: Asked again and again; when it says no, the rest counts as not looked at.
    """
    found = Verification()
    suite, plan = result.suite, result.plan
    found.verified.append(
        f"its {plan.games:,} games are those of {suite.name} ({plan.deals} of {suite.deals} "
        "deals), and its estimates are what its deals give"
    )
    found.unverified.append("the times, which are those of another machine")
    played = "whether these games were played like this"
    entry = Entry(agent or result.candidate["agent"], result.candidate["name"])
    try:
        identity = candidate_identity(entry)
        found.unverified += check_opponents(suite)
    except (PricoError, OSError) as error:
        found.unverified.append(f"{played}: {error}")
        return found
    if identity["hash"] != result.candidate["hash"]:
        found.unverified.append(
            f"{played}: {entry.agent} here has the content {identity['hash']}, and the file is of "
            f"{result.candidate['hash']}"
        )
        return found
    found.verified.append(f"{entry.agent} here has the same content, {identity['hash']}")
    drawn = _draw(result, sample)
    first = _replay(result, entry, drawn, processes, keep_going)
    wrong = set(_differences(result, first))
    if not keep_going():
        found.unverified.append(f"{played}: stopped")
        return found
    same = len(first) - len(wrong)
    if same:
        found.verified.append(
            f"{same} of {len(first)} deals that were played again have the same scores, places and "
            "decisions, each from every seat"
        )
    if wrong:
        again = _replay(result, entry, wrong, processes, keep_going)
        chance = {place for place in wrong if first[place] != again.get(place)}
        if chance:
            found.unverified.append(
                f"{len(chance)} of {len(first)} deals: {entry.name} plays them otherwise each time "
                "(it draws by chance of its own, or by the clock)"
            )
        found.wrong += [_told(result, place, first) for place in sorted(wrong - chance)]
    return found


_Place = tuple[Cell, int]
"""A cell and a deal."""


def _draw(result: BenchmarkResult, sample: int) -> set[_Place]:
    """Draw deals, as evenly from the opponents as can be; nobody knows beforehand which."""
    chance = random.SystemRandom()
    cells = list(result.plan.cells)
    chance.shuffle(cells)
    by_opponent: dict[str, list[Cell]] = {}
    for cell in cells:
        by_opponent.setdefault(cell.opponent, []).append(cell)
    drawn: set[_Place] = set()
    wanted = min(sample, len(cells) * result.plan.deals)
    turns = _turns(list(by_opponent.values()))
    while len(drawn) < wanted:
        drawn.add((next(turns), chance.randrange(result.plan.deals)))
    return drawn


def _turns(kinds: list[list[Cell]]) -> Iterator[Cell]:
    """Cells of each kind in turn, for ever."""
    number = 0
    while True:
        for cells in kinds:
            yield cells[number % len(cells)]
        number += 1


def _replay(
    result: BenchmarkResult,
    candidate: Entry,
    wanted: set[_Place],
    processes: int,
    keep_going: Callable[[], bool],
) -> dict[_Place, list[int]]:
    """Play deals; return `COLUMNS` of those that are whole, and of others that came with them."""
    plan = result.plan
    sums = SuiteSums(plan)
    with tempfile.TemporaryDirectory() as folder:
        played = play_suite(
            plan,
            candidate,
            lambda line_up, deal: (plan.cell_of[line_up], deal) in wanted,
            Path(folder) / "agents.log",
            processes,
            keep_going,
        )
        for _, games in played:
            for game in games:
                sums.add(json.loads(game.line))
    return {
        (cell, deal): sums.sums[cell][:, deal].tolist()
        for cell, deal in {(plan.cell_of[line_up], deal) for line_up, deal in sums.known}
        if all(sums.has(line_up, deal) for line_up in plan.tables_of(cell))
    }


def _differences(result: BenchmarkResult, replayed: dict[_Place, list[int]]) -> Iterator[_Place]:
    for (cell, deal), sums in replayed.items():
        if result.sums[cell][:, deal].tolist() != sums:
            yield cell, deal


def _told(result: BenchmarkResult, place: _Place, replayed: dict[_Place, list[int]]) -> str:
    """A difference in words."""
    cell, deal = place
    told = dict(zip(COLUMNS, result.sums[cell][:, deal].tolist(), strict=True))
    now = dict(zip(COLUMNS, replayed[place], strict=True))
    rules = result.plan.suite.rule_sets[cell.rules]
    differ = ", ".join(
        f"{name} {told[name]}, played again {now[name]}"
        for name in COLUMNS
        if told[name] != now[name]
    )
    return f"deal {deal} of {rule_set_name(rules)} against {cell.opponent}: {differ}"
