"""How fast a search that is written over the batch gets its copies, its guesses and its playouts.

Everything runs on one thread and is timed by its core's clock.
"""

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from prico_agents import load_agent
from prico_env import Games, RuleSet
from prico_training.bench.figures import Effort, Figure, by_turns

STEPS: Final = 1.0e6
"""Decisions a second of playouts."""
ROWS: Final = 4.0e6
"""Copies of games a second."""
GAMES: Final = 1024
_POLICIES: Final = ("random", "corn")


def playouts(effort: Effort) -> list[Figure]:
    """Decisions a second of playouts from the middle of games, and copies a second."""
    load_agent("corn")  # its package then finds the policies by name
    games = Games(RuleSet(), GAMES, seed=7, autoreset=True, threads=1)
    for _ in range(400):
        games.step(games.sample())
    rows = np.arange(GAMES)
    blind = Games.of([games[row] for row in range(GAMES)], observe=False, threads=1)
    measures = {policy: partial(_steps, effort, blind, policy) for policy in _POLICIES}
    measures["rows"] = partial(_rate, effort, lambda: games.take(rows))
    measures["guesses"] = partial(_rate, effort, lambda: blind.determinize(blind.turn, 1))
    found = by_turns(effort.runs, measures)
    rates = {name: statistics.median(values) for name, values in found.items()}
    return [
        *(
            Figure(f"playouts by {policy}, one core", rates[policy], "decisions/s", STEPS)
            for policy in _POLICIES
        ),
        Figure(f"Games.take of {GAMES:,} rows", rates["rows"], "rows/s", ROWS),
        Figure(f"Games.determinize of {GAMES:,} games", rates["guesses"], "games/s", None),
    ]


def _steps(effort: Effort, games: Games, policy: str) -> float:
    """Decisions a second of playouts of copies of some games."""
    spent, made = 0.0, 0
    while spent < effort.seconds:
        copies = games.take(np.arange(len(games)))
        began = time.thread_time()
        made += int(copies.play(policy).sum())
        spent += time.thread_time() - began
    return made / spent


def _rate(effort: Effort, work: Callable[[], object]) -> float:
    """Games a second of what is done to all of them at once."""
    began, times = time.thread_time(), 0
    while time.thread_time() - began < effort.seconds:
        work()
        times += 1
    return times * GAMES / (time.thread_time() - began)
