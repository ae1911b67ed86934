"""How fast a tournament goes, from the start of its processes to the last line of results."""

import tempfile
import time
from pathlib import Path
from typing import Final

from rich.console import Console

from prico_training.arena.settings import Entry, Tournament
from prico_training.arena.tournament import play_tournament
from prico_training.bench.figures import Effort, Figure

ARENA: Final = 1000
"""Games a second of compiled agents, on two cores."""
_WITH_RANDOM: Final = ("corn", "builder", "trader", "random")
_WITH_PLANNER: Final = ("planner", "corn", "builder", "trader")
_DEALS: Final = 300
"""Deals for each second of effort; each is played some fifty times."""
_FEWER: Final = 6
"""How many times fewer where the planner plays."""
_CORES: Final = 2


def arena(effort: Effort) -> list[Figure]:
    """Games a second of a tournament among compiled agents, results written and all."""
    deals = max(_FEWER, int(_DEALS * effort.seconds))
    return [
        Figure(
            "arena on two cores: corn, builder, trader, random",
            _rate(_WITH_RANDOM, deals),
            "games/s",
            ARENA,
        ),
        Figure(
            "the same with the planner in place of random",
            _rate(_WITH_PLANNER, deals // _FEWER),
            "games/s",
            None,
        ),
    ]


def _rate(agents: tuple[str, ...], deals: int) -> float:
    entries = tuple(Entry(agent) for agent in agents)
    tournament = Tournament(agents=entries, deals=deals, processes=_CORES)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        outcome = play_tournament(tournament, Path(folder, "bench"), console=Console(quiet=True))
        return outcome.played / (time.perf_counter() - began)
