"""A benchmark from beginning to end, and on after a stop."""

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from rich.console import Console

from prico_training.arena.results import SETTINGS_FILE, GamesFile, read_games, read_settings
from prico_training.arena.settings import Entry
from prico_training.arena.tournament import LOG_FILE
from prico_training.benchmark.decision_time import time_decisions
from prico_training.benchmark.identity import (
    candidate_identity,
    check_opponents,
    refused_rule_sets,
    sources_digest,
)
from prico_training.benchmark.result_file import file_name, result_page, write_result
from prico_training.benchmark.suite_games import BenchmarkError, SuitePlan, SuiteSums, play_suite
from prico_training.benchmark.suites import Suite
from prico_training.errors import ConfigError
from prico_training.files import remove_unfinished, write_text, writing
from prico_training.interrupt import Interruptions
from prico_training.machine import usable_cores
from prico_training.progress import GamesProgress
from prico_training.rule_sets import rule_set_name
from prico_training.sections import check_unchanged

RUNS: Final = Path("runs")
"""Where the folders of benchmarks are."""
_ANSWER: Final = "prico: stopping; games that have ended are kept"
"""What a person who stops is told at once."""


@dataclass(frozen=True)
class BenchmarkOutcome:
    """How a benchmark stands when it stops."""

    folder: Path
    """Where its games are."""
    file: Path
    """The file of the result; it is there when the benchmark is complete."""
    games: int
    """Games played so far."""
    planned: int
    """Games there are."""

    @property
    def complete(self) -> bool:
        """Whether the file of the result is written."""
        return self.file.exists()


def run_benchmark(
    suite: Suite,
    candidate: Entry,
    *,
    deals: int | None = None,
    folder: Path | None = None,
    processes: int = 0,
    console: Console | None = None,
) -> BenchmarkOutcome:
    """Play what is missing of a suite and write the file of the result.

    Args:
        suite: What is played.
        candidate: Who enters.
        deals: Only the first deals of each rule set; by default all.
        folder: Where games are kept, in which a benchmark that was stopped goes on.
        processes: How many play; 0 takes all cores.
        console: Where progress shows.

    Raises:
        PricoError: The candidate cannot take part, the opponents at hand are not those of the
            suite, or the folder holds something else.
    """
    deals = suite.deals if deals is None else deals
    if not 1 <= deals <= suite.deals:
        raise ConfigError(f"--deals runs from 1 to {suite.deals} in {suite.name}, not {deals}")
    identity = candidate_identity(candidate)
    refused = frozenset(rule_set_name(rules) for rules in refused_rule_sets(candidate, suite))
    if len(refused) == len(suite.rule_sets):
        raise BenchmarkError(f"{candidate.name} plays no rule set of {suite.name}")
    notes = check_opponents(suite)
    plan = SuitePlan(suite, deals, refused)
    folder = folder or RUNS / file_name(suite, candidate.name)
    sources = sources_digest()
    settings = {
        "suite": suite.name,
        "suite_hash": suite.hash,
        "candidate": identity,
        "deals": deals,
        "sources": sources,
    }
    file = folder / f"{file_name(suite, candidate.name)}.json"
    _check_goes_on(folder, settings)
    with GamesFile(folder) as games, Interruptions(_ANSWER) as interruptions:
        remove_unfinished(folder)
        write_text(folder / SETTINGS_FILE, yaml.safe_dump(settings, sort_keys=False))
        sums = SuiteSums(plan)
        for line in read_games(games.path):
            sums.add(line)

        def keep_going() -> bool:
            return not interruptions.happened

        if sums.games < plan.games:
            file.unlink(missing_ok=True)
            _play(sums, candidate, games, folder, processes, console or Console(), keep_going)
        if sums.games == plan.games and not file.exists():
            seconds = time_decisions(candidate, suite, refused, keep_going)
            if keep_going():
                write_result(file, result_page(sums, identity, sources, seconds, notes))
    return BenchmarkOutcome(folder, file, sums.games, plan.games)


def _play(
    sums: SuiteSums,
    candidate: Entry,
    file: GamesFile,
    folder: Path,
    processes: int,
    console: Console,
    keep_going: Callable[[], bool],
) -> None:
    """Play the games that are missing."""
    log, plan = folder / LOG_FILE, sums.plan
    with writing(log):
        log.touch()
    workers = min(processes or usable_cores(), plan.games - sums.games)
    with GamesProgress(
        sums.games, plan.games, console, plan.suite.name, "probing the agents"
    ) as progress:
        played = play_suite(
            plan,
            candidate,
            lambda line_up, deal: not sums.has(line_up, deal),
            log,
            workers,
            keep_going,
        )
        for _, games in played:
            new = [game.line for game in games if sums.add(json.loads(game.line))]
            file.append(new)
            progress.show(sums.games, sums.win_rates())
    with contextlib.suppress(OSError):
        if not log.stat().st_size:
            log.unlink()


def _check_goes_on(folder: Path, settings: Mapping[str, Any]) -> None:
    """Refuse to go on with a benchmark as if it were another one."""
    if not (folder / SETTINGS_FILE).exists():
        return
    instead = "choose another --output, or remove it"
    check_unchanged(folder, "a benchmark", read_settings(folder), settings, instead)
