"""What `prico benchmark` does with its options."""

from pathlib import Path
from types import SimpleNamespace
from typing import Final

from rich.console import Console
from rich.table import Table

from prico_training.arena.settings import Entry
from prico_training.benchmark.leaderboard import (
    PAGE,
    file_of,
    interval_text,
    mean_text,
    seconds_text,
)
from prico_training.benchmark.result_file import BenchmarkResult, read_result
from prico_training.benchmark.run_suite import run_benchmark
from prico_training.benchmark.suites import SUITES, find_suite
from prico_training.benchmark.verification import SAMPLE, verify_result
from prico_training.errors import ConfigError
from prico_training.interrupt import Interruptions
from prico_training.machine import usable_cores
from prico_training.progress import print_plain

DEFAULT_SUITE: Final = "base-4p-v1"
"""The suite that is played unless another one is named."""
STOPPED: Final = 130
"""Exit code after Ctrl-C."""
WRONG: Final = 1
"""Exit code when a result does not hold."""
_MOST_TOLD: Final = 5
"""Lines of a kind that are printed of a verification."""


def benchmark(options: SimpleNamespace) -> int:
    """Do what was asked; return the exit code."""
    console = Console()
    if options.verify is not None:
        return _verify(options, console)
    if options.sample is not None:
        raise ConfigError("--sample is how many deals --verify plays again; name a FILE there")
    if options.policy is None:
        _list_suites(console)
        return 0
    suite = find_suite(DEFAULT_SUITE if options.suite is None else options.suite)
    outcome = run_benchmark(
        suite,
        Entry.of(options.policy),
        deals=options.deals,
        folder=options.output,
        processes=options.processes or 0,
        console=console,
    )
    if not outcome.complete:
        print(f"Stopped after {outcome.games:,} of {outcome.planned:,} games.")
        print("Go on with the same command.")
        return STOPPED
    result = read_result(outcome.file)
    _show(result, console)
    print(f"The result is in {outcome.file}, every game beside it.")
    print(f"To enter it into {PAGE}, send the file as {file_of(result)}.")
    return 0


def _list_suites(console: Console) -> None:
    table = Table(title="Suites", title_justify="left")
    for heading, justify in (("suite", "left"), ("what it asks", "left"), ("games", "right")):
        table.add_column(heading, justify="right" if justify == "right" else "left")
    for suite in SUITES.values():
        table.add_row(suite.name, suite.title, f"{suite.games_of_a_deal * suite.deals:,}")
    console.print(table)
    print("Play one with: prico benchmark POLICY --suite NAME")


def _show(result: BenchmarkResult, console: Console) -> None:
    """The estimates as a table, and what a reader should know beside."""
    page, suite = result.page, result.suite
    part = "" if result.plan.deals == suite.deals else f", {result.plan.deals} of its deals"
    table = Table(title=f"{result.candidate['name']} in {suite.name}{part}", title_justify="left")
    table.add_column("games")
    for heading in ("rating", "win rate", "even", "rank", "lead"):
        table.add_column(heading, justify="right")
    for name, group in page["summary"].items():
        table.add_row(
            name,
            interval_text(group["rating"], "{:+z.0f}"),
            interval_text(group["win_rate"], "{:.1%}"),
            f"{group['even']:.1%}",
            mean_text(group["rank"], "{:.2f}"),
            mean_text(group["lead"], "{:+z.1f}"),
        )
    console.print(table)
    seconds, budget = page["seconds"], page["seconds_budget"]
    times = (seconds_text(seconds[name]) for name in ("median", "p99", "most"))
    print_plain(
        console,
        "A decision takes {} (median), {} (99 %), {} (most)".format(*times)
        + f" of {seconds['decisions']:,}; the budget is {budget:g} s.",
    )
    if seconds["over"]:
        print_plain(console, f"{seconds['over']:.1%} of the decisions exceed the budget.")
    if page["broken_games"]:
        print_plain(
            console,
            f"It broke and lost {page['broken_games']:,} games; the first: {page['first_fault']}",
        )
    if page["refused"]:
        print_plain(console, f"It refused {len(page['refused'])} rule sets, which count as lost.")
    for note in page["notes"]:
        print_plain(console, f"Note: {note}.")


def _verify(options: SimpleNamespace, console: Console) -> int:
    if options.suite is not None or options.deals is not None or options.output is not None:
        raise ConfigError("--verify takes a FILE, --sample, --processes, and where the policy is")
    result = read_result(Path(options.verify))
    sample = SAMPLE if options.sample is None else options.sample
    with Interruptions("prico: stopping") as interruptions:
        found = verify_result(
            result,
            options.policy,
            sample,
            options.processes or usable_cores(),
            lambda: not interruptions.happened,
        )
    print_plain(console, f"{options.verify}: {result.candidate['name']} in {result.suite.name}")
    for heading, lines in (
        ("verified", found.verified),
        ("not verified", found.unverified),
        ("WRONG", found.wrong),
    ):
        for line in lines[:_MOST_TOLD]:
            print_plain(console, f"{heading}: {line}")
        if len(lines) > _MOST_TOLD:
            print_plain(console, f"{heading}: {len(lines) - _MOST_TOLD} more")
    if interruptions.happened:
        return STOPPED
    return WRONG if found.wrong else 0
