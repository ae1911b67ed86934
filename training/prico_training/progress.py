"""What a person sees while long work goes on: a bar on a terminal, plain lines in a log."""

import time
from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress as Bar, TextColumn, TimeElapsedColumn

LINE_SECONDS: Final = 30.0
"""Time between two lines about a tournament in a log."""
_MARK_SECONDS: Final = 0.25
"""Time between two looks at the speed."""
_LEADERS: Final = 4
_MINUTE: Final = 60
_HOUR: Final = 3600


class GamesProgress:
    """A bar over games that are played."""

    def __init__(
        self, played: int, planned: int, console: Console | None, title: str, note: str = ""
    ) -> None:
        """Make a bar; it shows while the object is open.

        Args:
            played: Games played before.
            planned: Games there are.
            console: Where it shows; one that is no terminal gets a line now and then, none nothing.
            title: What is going on.
            note: What is told before the first game.
        """
        self._console = Console(quiet=True) if console is None else console
        self._planned = planned
        self._bar = new_bar(self._console)
        self._task = self._bar.add_task(title, total=planned, completed=played, note=note)
        now = time.perf_counter()
        self._marks = [(now, played)]
        self._next_line = now + LINE_SECONDS

    def __enter__(self) -> "GamesProgress":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, played: int, shares: Sequence[tuple[str, float]] = ()) -> None:
        """Show how far it has come, the speed, the time left and who leads.

        Args:
            played: Games played.
            shares: Everybody's win rate so far, best first, where they compete.
        """
        now = time.perf_counter()
        if now - self._marks[-1][0] < _MARK_SECONDS and played < self._planned:
            return
        self._marks = [*self._marks[-20:], (now, played)]
        then, played_then = self._marks[0]
        rate = (played - played_then) / max(1e-9, now - then)
        left = (self._planned - played) / max(1e-9, rate)
        note = f"{played:,} of {self._planned:,} games, {rate:,.3g}/s, {duration(left)} left"
        if shares:
            leaders = (f"{name} {share:.0%}" for name, share in shares[:_LEADERS])
            note += f": {', '.join(leaders)}"
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


def duration(seconds: float) -> str:
    """A time as a person reads it, such as ``3 min 20 s``."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"
