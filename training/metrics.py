"""Every number a training run logs: its name, its unit and what it means."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from training.checkpoint import write_text


@dataclass(frozen=True)
class Metric:
    """A column of `metrics.csv`."""

    name: str
    unit: str
    meaning: str


METRICS: Final = (
    Metric("seconds", "s", "Time spent learning, over all parts of the run."),
    Metric("decisions", "", "Decisions of the learner's seats so far; opponents' not counted."),
    Metric("games", "", "Games finished while learning."),
    Metric("updates", "", "Times the network learnt from a batch of decisions."),
    Metric("decisions_per_second", "1/s", "Learner's decisions by second since the row before."),
    Metric("win_rate", "", "Share of victories alone against random players, ties shared."),
    Metric("win_rate_low", "", "Lower end of its 95% interval, deals being the independent unit."),
    Metric("win_rate_high", "", "Upper end of that interval."),
    Metric("score", "VP", "Mean final score in those games."),
    Metric("lead", "VP", "Mean final score minus the mean of the others in those games."),
    Metric("self_play_wins", "", "Share of victories in self-play; fair play among equals is 1/n."),
    Metric("self_play_length", "", "Decisions of the learner in a game of self-play."),
    Metric("entropy", "nat", "How open the choice among legal actions still is."),
    Metric("value_explained", "", "Share of the variance of returns the value network foresees."),
    Metric("policy_change", "nat", "Approximate KL divergence of the last update."),
    Metric("clipped", "", "Share of decisions whose change hit the clip range."),
    Metric("learning_rate", "", "Step size now."),
)
"""All columns, in order."""

COLUMNS: Final = tuple(metric.name for metric in METRICS)

Row = dict[str, float]


def write_metrics(path: Path, rows: Iterable[Mapping[str, float]]) -> None:
    """Write all rows so far."""
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows({name: f"{value:.6g}" for name, value in row.items()} for row in rows)
    write_text(path, text.getvalue())


def read_metrics(path: Path, up_to_decisions: float) -> list[Row]:
    """Read the rows of a run that lie before a checkpoint; none if there is no file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [{name: float(text) for name, text in row.items()} for row in csv.DictReader(lines)]
    return [row for row in rows if row["decisions"] <= up_to_decisions]
