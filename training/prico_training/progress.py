"""What a person sees while a run goes on: a bar on a terminal, plain lines in a log."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table

from prico_training.config import Config
from prico_training.learning.metrics import Row, win_of

LINE_SECONDS: Final = 30.0
"""Time between two lines about a tournament in a log."""
_MARK_SECONDS: Final = 0.25
"""Time between two looks at the speed."""
_LEADERS: Final = 4
_SHOWN: Final = {
    "agreement": "agreement with the teacher",
    "entropy": "entropy",
    "value_error": "value error",
    "policy_change": "policy change",
    "learning_rate": "step",
}
"""Figures of an update that a person wants to follow, in words."""
_MINUTE: Final = 60
_HOUR: Final = 3600


@dataclass(frozen=True)
class Standing:
    """How a run does at a moment.

    Attributes:
        spent: Share of the budget that is used.
        decisions: Decisions learnt from.
        games: Games finished while learning.
        league: The learner's share of victories lately, alone among copies of each opponent.
        figures: Of the last update, by the names of `prico_training.learning.metrics`.
    """

    spent: float
    decisions: int
    games: int
    league: Mapping[str, float]
    figures: Mapping[str, float]


class Progress:
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

    def __enter__(self) -> "Progress":
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
        note = f"{rate:,.0f} decisions/s, {_duration(max(0.0, left))} left"
        self._bar.update(self._task, completed=min(1.0, standing.spent), note=note)

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
            table.add_row("in learning wins among", _shares(standing.league))
        if self._point:
            shares = {name: self._point[win_of(name)] for name in self._curve}
            table.add_row("last point: wins among", _shares(shares))
        figures = [
            f"{words} {standing.figures[name]:.3g}"
            for name, words in _SHOWN.items()
            if name in standing.figures
        ]
        if figures:
            table.add_row("last update", ", ".join(figures))
        return Group(self._bar, table)


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


class ArenaProgress:
    """A bar over the games of a tournament."""

    def __init__(self, played: int, planned: int, console: Console) -> None:
        """Make a bar; it shows while the object is open.

        Args:
            played: Games played before.
            planned: Games there are.
            console: Where it shows; one that is no terminal gets a line now and then.
        """
        self._console = console
        self._planned = planned
        self._bar = new_bar(console)
        self._task = self._bar.add_task(
            "arena", total=planned, completed=played, note="probing the agents"
        )
        now = time.perf_counter()
        self._marks = [(now, played)]
        self._next_line = now + LINE_SECONDS

    def __enter__(self) -> "ArenaProgress":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, played: int, shares: Sequence[tuple[str, float]]) -> None:
        """Show how far it has come, the speed, the time left and who leads.

        Args:
            played: Games played.
            shares: Everybody's share of the victory so far, best first.
        """
        now = time.perf_counter()
        if now - self._marks[-1][0] < _MARK_SECONDS and played < self._planned:
            return
        self._marks = [*self._marks[-20:], (now, played)]
        then, played_then = self._marks[0]
        rate = (played - played_then) / max(1e-9, now - then)
        left = (self._planned - played) / max(1e-9, rate)
        leaders = ", ".join(f"{name} {share:.0%}" for name, share in shares[:_LEADERS])
        note = (
            f"{played:,} of {self._planned:,} games, {rate:,.3g}/s, {_duration(left)} left: "
            f"{leaders}"
        )
        self._bar.update(self._task, completed=played, note=note)
        if not self._console.is_terminal and (now >= self._next_line or played == self._planned):
            print_plain(self._console, note)
            self._next_line = now + LINE_SECONDS


def print_plain(console: Console, text: str) -> None:
    """Print a line as it is, whatever it quotes."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def new_bar(console: Console) -> Bar:
    """A bar as all long work here shows it; nothing where there is no terminal."""
    return Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
    )


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"
