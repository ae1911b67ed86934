"""The file of a benchmark: who played what on which machine, the sums of every deal, and estimates.

It is JSON, so that anybody can recompute the estimates: `results` holds a line for each rule set
and opponent, with `suite_games.COLUMNS` of every deal, and all else follows from these.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_agents.input_files import read_json
from prico_env import RuleSet
from prico_training.benchmark.estimates import summarise_deals
from prico_training.benchmark.suite_games import (
    COLUMNS,
    BenchmarkError,
    Cell,
    SuitePlan,
    SuiteSums,
)
from prico_training.benchmark.suites import SUITES, Suite
from prico_training.files import write_text
from prico_training.machine import load_averages, machine, usable_cores
from prico_training.rule_sets import rule_set_name

FORMAT: Final = 1
"""Version of this file format."""
_TIMES: Final = ("mean", "median", "p99", "most", "over")
"""What is told of the seconds of decisions."""
_MOST: Final = 1_000_000
"""No sum of a deal is larger."""
_CLOSE: Final = 2e-6
"""How far estimates may lie from those recomputed here: they are rounded to six digits."""


@dataclass(frozen=True)
class BenchmarkResult:
    """A benchmark as its file tells it."""

    page: Mapping[str, Any]
    """All that stands in the file."""
    plan: SuitePlan
    """What was played."""
    sums: Mapping[Cell, NDArray[np.int64]]
    """`COLUMNS` by deals of each cell, int64, shape ``(columns, deals)``."""

    @property
    def suite(self) -> Suite:
        """The suite."""
        return self.plan.suite

    @property
    def candidate(self) -> Mapping[str, Any]:
        """Who was measured; see `identity.candidate_identity`."""
        identity: Mapping[str, Any] = self.page["candidate"]
        return identity

    def summary(self) -> dict[str, dict[str, Any]]:
        """The estimates, recomputed from the sums."""
        return summarise_deals(self.suite, self.plan.deals, self.sums)


def result_page(
    sums: SuiteSums,
    candidate: Mapping[str, Any],
    sources: str,
    seconds: Mapping[str, Any],
    notes: list[str],
) -> dict[str, Any]:
    """Everything that the file tells.

    Args:
        sums: All games.
        candidate: Who played; see `identity.candidate_identity`.
        sources: Digest of the program; see `identity.sources_digest`.
        seconds: What decisions took; see `decision_time.time_decisions`.
        notes: What a reader should know beside.
    """
    plan, suite = sums.plan, sums.plan.suite
    made = sum(int(cell[COLUMNS.index("decisions")].sum()) for cell in sums.sums.values())
    return {
        "format": FORMAT,
        "suite": suite.name,
        "suite_hash": suite.hash,
        "candidate": dict(candidate),
        "deals": plan.deals,
        "deals_of_suite": suite.deals,
        "games": plan.games,
        "opponents": {
            one.name: {"parameters": one.parameters, "play": one.play}
            for one in suite.contents.values()
        },
        "decisions": made,
        "seconds": {"mean": round(sums.seconds / max(1, made), 9), **seconds},
        "seconds_budget": suite.decision_seconds,
        "broken_games": sums.broken,
        "first_fault": sums.first_fault,
        "refused": sorted(plan.refused),
        "notes": notes,
        "sources": sources,
        "machine": {
            **machine(),
            "usable_cores": str(usable_cores()),
            "load": f"{load_averages()[0]:.1f}",
        },
        "summary": summarise_deals(suite, plan.deals, sums.sums),
        "columns": ["rules", "opponent", *COLUMNS],
        "results": [
            [rule_set_name(suite.rule_sets[cell.rules]), cell.opponent, *found.tolist()]
            for cell, found in sums.sums.items()
        ],
    }


def file_name(suite: Suite, candidate: str) -> str:
    """The name of a benchmark's folder, and of its file with an ending."""
    label = re.sub(r"[^\w.+-]+", "-", candidate)
    return f"{suite.name}-{label}"


def write_result(path: Path, page: Mapping[str, Any]) -> None:
    """Write the file, with each of its entries on a line of its own."""
    short = {"separators": (",", ":"), "allow_nan": False}
    lines = []
    for name, value in page.items():
        if isinstance(value, dict | list) and value and name in ("results", "summary"):
            opening, closing = "[]" if isinstance(value, list) else "{}"
            heads = [""] * len(value) if isinstance(value, list) else [f'"{key}":' for key in value]
            each = value if isinstance(value, list) else value.values()
            rows = [
                f"  {head}{json.dumps(one, **short)}"  # type: ignore[arg-type]
                for head, one in zip(heads, each, strict=True)
            ]
            lines.append(f'"{name}":{opening}\n' + ",\n".join(rows) + f"\n{closing}")
        else:
            lines.append(f'"{name}":{json.dumps(value, **short)}')  # type: ignore[arg-type]
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def read_result(path: Path) -> BenchmarkResult:
    """Read a file and see that everything in it fits together.

    Raises:
        BenchmarkError: It is damaged, of another version of its suite, or its estimates are not
            what its deals give.
    """
    page = read_json(path, BenchmarkError)
    try:
        return _checked(page)
    except BenchmarkError as error:
        raise BenchmarkError(f"{path}: {error}") from None
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BenchmarkError(
            f"{path} is no file of a benchmark: {type(error).__name__}: {error}"
        ) from None


def _checked(page: Any) -> BenchmarkResult:
    if page["format"] != FORMAT:
        raise BenchmarkError(f"it has format {page['format']}, and this prico reads {FORMAT}")
    suite = SUITES.get(page["suite"])
    if suite is None or page["suite_hash"] != suite.hash:
        ours = "which this prico does not know" if suite is None else f"not {suite.hash}"
        raise BenchmarkError(f"it is of {page['suite']} with hash {page['suite_hash']}, {ours}")
    deals = page["deals"]
    if type(deals) is not int or not 1 <= deals <= suite.deals:
        raise BenchmarkError(f"it tells of {deals} deals, and {suite.name} has {suite.deals}")
    plan = SuitePlan(suite, deals, frozenset(page["refused"]))
    names = {rule_set_name(rules): number for number, rules in enumerate(suite.rule_sets)}
    sums = {
        Cell(names[rules], opponent): _columns(columns, deals, suite.rule_sets[names[rules]])
        for rules, opponent, *columns in page["results"]
    }
    if set(sums) != set(plan.cells) or len(page["results"]) != len(sums):
        raise BenchmarkError("its results are not those of the rule sets and opponents it names")
    if page["games"] != plan.games:
        raise BenchmarkError(f"it tells of {page['games']} games, and its deals are {plan.games}")
    made = sum(int(cell[COLUMNS.index("decisions")].sum()) for cell in sums.values())
    if page["decisions"] != made:
        raise BenchmarkError(f"it tells of {page['decisions']} decisions, and its deals of {made}")
    result = BenchmarkResult(page, plan, sums)
    wrong = _first_difference(page["summary"], result.summary())
    if wrong:
        raise BenchmarkError(f"its summary is not what its deals give: {wrong}")
    for text in ("name", "agent", "hash"):
        if not isinstance(page["candidate"][text], str):
            raise BenchmarkError(f"its candidate has no {text}")
    for name in _TIMES:
        if not 0 <= page["seconds"][name] < math.inf:
            raise BenchmarkError(f"the {name} of its seconds is {page['seconds'][name]}")
    return result


def _columns(columns: Sequence[Any], deals: int, rules: RuleSet) -> NDArray[np.int64]:
    """The sums of a cell, each in the range of what can be."""
    seats = rules.players
    bounds = {
        "wins_60ths": (0, 60 * seats),
        "ranks_halves": (2 * seats, 2 * seats * seats),
        "leads": (-_MOST, _MOST),
        "scores": (0, _MOST),
        "decisions": (0, _MOST),
    }
    for name, values in zip(COLUMNS, columns, strict=True):
        low, high = bounds[name]
        if len(values) != deals or not all(
            type(value) is int and low <= value <= high for value in values
        ):
            raise BenchmarkError(
                f"{name} of {rule_set_name(rules)} must be {deals} whole numbers from {low} to "
                f"{high}"
            )
    return np.array(columns, np.int64)


def _first_difference(told: Any, found: Mapping[str, Mapping[str, Any]]) -> str:
    """Where a summary differs from another one, in words; empty where it does not."""
    for group, measures in found.items():
        for name, values in measures.items():
            theirs = told[group][name]
            ours = values if isinstance(values, list) else [values]
            pairs = zip(theirs if isinstance(theirs, list) else [theirs], ours, strict=True)
            if not all(_alike(one, other) for one, other in pairs):
                return f"{name} of {group} is {theirs}, not {values}"
    return ""


def _alike(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)
