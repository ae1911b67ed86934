"""What a person sees while a run goes on: a bar on a terminal, plain lines in a log."""

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from training.evaluate import Match
from training.metrics import Row


class Progress:
    """A bar over the budget or over the matches of a ranking."""

    def __init__(self, title: str, total: float, console: Console | None = None) -> None:
        """Make a bar; it shows while the object is open."""
        self._console = console or Console()
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f}%"),
            TextColumn("{task.fields[note]}"),
            TimeElapsedColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
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

    @classmethod
    def of_ranking(cls, agents: int) -> "Progress":
        """A bar over the matches of a ranking."""
        return cls("ranking ", agents * (agents - 1))

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

    def match(self, match: Match) -> None:
        """Show a finished match of a ranking."""
        self._bar.update(self._task, advance=1, note=f"{match.agent} against {match.opponent}")
