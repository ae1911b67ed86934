"""What a person sees while a run goes on: a bar on a terminal, plain lines in a log."""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from training.metrics import Row

LINE_SECONDS: Final = 30.0
"""Time between two lines about a tournament in a log."""
_MARK_SECONDS: Final = 0.25
"""Time between two looks at the speed."""
_LEADERS: Final = 4
_MINUTE: Final = 60
_HOUR: Final = 3600


class Progress:
    """A bar over the budget of a training run."""

    def __init__(self, title: str, total: float, console: Console | None = None) -> None:
        """Make a bar; it shows while the object is open."""
        self._console = console or Console()
        self._bar = new_bar(self._console)
        self._task = self._bar.add_task(title, total=total, note="")
        self._rate = ""
        self._won = ""
        self._marks = [(time.perf_counter(), 0.0, 0)]

    @classmethod
    def of_learning(cls, spent: float, decisions: int) -> "Progress":
        """A bar over the budget of a run that may be partly spent."""
        progress = cls("learning", 1.0)
        progress._marks = [(time.perf_counter(), spent, decisions)]
        return progress

    def __enter__(self) -> "Progress":
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def advance(self, spent: float, decisions: int) -> None:
        """Show how much of the budget is used, the speed and the time left."""
        now = time.perf_counter()
        self._marks = [*self._marks[-20:], (now, spent, decisions)]
        then, spent_then, decisions_then = self._marks[0]
        elapsed = max(1e-9, now - then)
        left = (1 - spent) * elapsed / max(1e-9, spent - spent_then)
        self._rate = f"{(decisions - decisions_then) / elapsed:,.0f} decisions/s"
        note = f"{decisions:,} decisions, {self._rate}{self._won}, {max(0.0, left):.0f} s left"
        self._bar.update(self._task, completed=min(1.0, spent), note=note)

    def point(self, row: Row) -> None:
        """Show a new point of the learning curve."""
        self._won = f", beats random {row['win_rate']:.0%}"
        self._console.print(
            f"{row['seconds']:6.0f} s  {row['decisions']:>12,.0f} decisions  "
            f"{row['decisions_per_second']:>7,.0f}/s  against random: wins {row['win_rate']:6.1%} "
            f"[{row['win_rate_low']:.0%}, {row['win_rate_high']:.0%}], "
            f"score {row['score']:.1f}, lead {row['lead']:+.1f}",
            highlight=False,
            soft_wrap=True,
        )


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
            "arena", total=planned, completed=played, note="meeting the agents"
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
