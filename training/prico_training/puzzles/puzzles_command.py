"""What `prico puzzles` does with its options."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console

from prico_agents import load_agent
from prico_training.arena.settings import Entry
from prico_training.files import write_text
from prico_training.progress import new_bar
from prico_training.puzzles.agreement import ask_agent, to_json, usual_agents
from prico_training.puzzles.agreement_page import tables
from prico_training.puzzles.make_puzzles import make_puzzles
from prico_training.puzzles.puzzle import HOME, PuzzleError, read_puzzles

_SEED: Final = 1


def run_puzzles(
    agents: Sequence[str],
    puzzles: Path | None,
    seed: int | None,
    json: Path | None,
    make: Path | None,
) -> None:
    """Carry out `prico puzzles`: ask agents and print the tables, or make puzzles.

    Args:
        agents: Who is asked; nobody: all that come along.
        puzzles: The file of the puzzles; None for those that come along.
        seed: Decides what agents draw, or all chance of new puzzles; None for the usual one.
        json: Where the choices and shares go, too.
        make: Where new puzzles go; then nobody is asked.
    """
    seed = _SEED if seed is None else seed
    if make is not None:
        if agents or puzzles or json:
            raise PuzzleError("--make asks nobody; it goes with --seed alone")
        _make(make, seed)
        return
    names = list(agents) or usual_agents()
    _check_agents(names)
    asked = read_puzzles(HOME if puzzles is None else puzzles)
    agreements = []
    with new_bar(Console(stderr=True)) as bar:
        task = bar.add_task("puzzles", total=len(names), note="")
        for name in names:
            bar.update(task, note=name)
            agreements.append(ask_agent(name, asked, seed))
            bar.advance(task)
    if json is not None:
        write_text(json, to_json(agreements, asked))
    print(tables(agreements, asked), end="")


def _check_agents(words: Sequence[str]) -> None:
    """Refuse two of one name, and who does not exist, before anybody is asked."""
    entries = [Entry.of(word) for word in words]
    names = [entry.name for entry in entries]
    for entry in entries:
        if names.count(entry.name) > 1:
            raise PuzzleError(f"two agents are called {entry.name!r}; NAME=AGENT names one anew")
        load_agent(entry.agent)


def _make(file: Path, seed: int) -> None:
    for puzzle in make_puzzles(file, seed):
        print(f"{puzzle.name}: {', '.join(puzzle.answers)}", flush=True)
    print(f"The puzzles are in {file}; ask agents with --puzzles {file}")
