"""What a person sees while a run learns: a bar over its budget, and how it does."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table

from prico_training.config import Config
from prico_training.learning.metrics import LABELS, Row, win_of
from prico_training.progress import duration, new_bar, print_plain

_SHOWN: Final = ("agreement", "entropy", "value_loss", "approx_kl", "learning_rate")
"""Figures of an update that a person wants to follow."""


@dataclass(frozen=True)
class Standing:
    """How a run does at a moment.

    Attributes:
        spent: Share of the budget that is used.
        decisions: Decisions learnt from.
        games: Games finished while learning.
        league: The learner's win rate lately, alone among copies of each opponent.
        figures: Of the last update, by the names of `prico_training.learning.metrics`.
    """

    spent: float
    decisions: int
    games: int
    league: Mapping[str, float]
    figures: Mapping[str, float]


class RunProgress:
    """What a training run shows: a bar over its budget, and how it does."""

    def __init__(self, config: Config, standing: Standing, console: Console | None = None) -> None:
        """Make the view; it shows while the object is open.

        Args:
            config: The settings of the run.
            standing: How it does at first.
            console: Where it shows; one that is no terminal gets the points of the curve alone.
        """
        self._console = console or Console()
        self._curve = config.evaluation.curve
        self._bar = new_bar(self._console)
        self._task = self._bar.add_task("learning", total=1.0, note="")
        self._marks = [(time.perf_counter(), standing.spent, standing.decisions)]
        self._standing = standing
        self._point: Row = {}
        self._live = Live(get_renderable=self._view, console=self._console, refresh_per_second=4)

    def __enter__(self) -> "RunProgress":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def show(self, standing: Standing) -> None:
        """Show how the run does now."""
        now = time.perf_counter()
        self._standing = standing
        self._marks = [*self._marks[-20:], (now, standing.spent, standing.decisions)]
        then, spent_then, decisions_then = self._marks[0]
        elapsed = max(1e-9, now - then)
        rate = (standing.decisions - decisions_then) / elapsed
        left = (1 - standing.spent) * elapsed / max(1e-9, standing.spent - spent_then)
        note = f"{rate:,.0f} decisions/s, {duration(max(0.0, left))} left"
        self._bar.update(self._task, completed=min(1.0, standing.spent), note=note)

    def estimate(self, decisions: int, seconds: float) -> None:
        """Tell how long so many decisions will take."""
        print_plain(
            self._console,
            f"{decisions:,} decisions: about {duration(seconds)} of learning on this machine, as "
            "busy as it is now",
        )

    def point(self, row: Row) -> None:
        """Show a new point of the learning curve."""
        self._point = row
        wins = ", ".join(
            f"{name} {row[win_of(name)]:.0%} ({row[f'lead_{name}']:+.1f} VP)"
            for name in self._curve
        )
        print_plain(
            self._console,
            f"{row['seconds']:6.0f} s  {row['decisions']:>12,.0f} decisions  "
            f"{row['decisions_per_second']:>7,.0f}/s  wins among {wins}",
        )

    def _view(self) -> RenderableType:
        """The bar, and a table under it."""
        standing = self._standing
        table = Table.grid(padding=(0, 2))
        table.add_row("learnt from", f"{standing.decisions:,} decisions, {standing.games:,} games")
        if standing.league:
            table.add_row("in learning wins among", _in_percent(standing.league))
        if self._point:
            rates = {name: self._point[win_of(name)] for name in self._curve}
            table.add_row("last point: wins among", _in_percent(rates))
        figures = [
            f"{LABELS[name]} {standing.figures[name]:.3g}"
            for name in _SHOWN
            if name in standing.figures
        ]
        if figures:
            table.add_row("last update", ", ".join(figures))
        return Group(self._bar, table)


def _in_percent(rates: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {rate:.0%}" for name, rate in rates.items())
