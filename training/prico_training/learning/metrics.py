"""Every number a training run logs: its name, its unit and what it means."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from prico_env import RuleSet
from prico_env.arguments import instance
from prico_training.config import Config
from prico_training.errors import ConfigError
from prico_training.files import write_text
from prico_training.rule_sets import rule_set_name


@dataclass(frozen=True)
class Metric:
    """A column of `metrics.csv`; its words are those of its name where no others are given."""

    name: str
    unit: str
    meaning: str
    words: str = ""

    @property
    def label(self) -> str:
        """What pictures and progress call it: words and unit."""
        words = self.words or self.name.replace("_", " ")
        return f"{words} ({self.unit})" if self.unit else words


_PROGRESS: Final = (
    Metric("seconds", "s", "Time spent learning, over all parts of the run."),
    Metric("decisions", "", "Decisions learnt from so far: teachers' first, then its own."),
    Metric("games", "", "Games finished while learning, without those of teachers."),
    Metric("updates", "", "Times the network learnt from a batch of decisions."),
    Metric("decisions_per_second", "1/s", "Decisions learnt from by second since the row before."),
)
_LEARNING: Final = (
    Metric(
        "agreement",
        "",
        "Share of decisions of its teacher, or its own search, it would make.",
        "agreement with teacher or search",
    ),
    Metric("entropy", "nat", "Entropy of the policy over legal actions."),
    Metric("value_loss", "", "Half the squared error of its values, summed over seats and parts."),
    Metric("explained_variance", "", "Share of the variance of returns that its values predict."),
    Metric("approx_kl", "nat", "Approximate KL divergence of the last update.", "approximate KL"),
    Metric("clip_fraction", "", "Share of decisions whose ratio has left the clip range."),
    Metric("learning_rate", "", "Learning rate now."),
)
_REFERENCE: Final = Metric(
    "reference_kl", "nat", "KL divergence from the policy to the mixture that it is kept near."
)
LABELS: Final = {metric.name: metric.label for metric in _LEARNING}
"""What pictures and progress call the columns of an update."""
_RENAMED: Final = {
    "value_error": "value_loss",
    "value_explained": "explained_variance",
    "policy_change": "approx_kl",
    "clipped": "clip_fraction",
}
"""Columns of older runs, and their names now."""
MEAN_WIN: Final = "win_rate"
"""Column of the mean over all opponents of the curve; the best checkpoint has the highest."""

Row = dict[str, float]


def metrics_of(config: Config) -> tuple[Metric, ...]:
    """All columns of a run, in order."""
    instance(config, Config, "the settings of a run are a Config", ConfigError)
    curve = [
        metric
        for name in config.evaluation.curve
        for metric in (
            Metric(win_of(name), "", f"Win rate alone among copies of {name}, greedy."),
            Metric(f"{win_of(name)}_low", "", "Lower end of its 95% interval, by deals."),
            Metric(f"{win_of(name)}_high", "", "Upper end of that interval."),
            Metric(f"lead_{name}", "VP", "Mean score there minus the mean of the others."),
        )
    ]
    sets = config.curve_rule_sets if config.evaluation.curve_games > 1 else ()
    curve += [
        Metric(win_in(name, rules), "", f"The same in {rule_set_name(rules)} alone.")
        for name in config.evaluation.curve
        for rules in sets
    ]
    league = [
        Metric(league_of(name), "", f"The same lately in learning, moves sampled, with {name}.")
        for name in config.opponents.agents
    ]
    if config.opponents.pool_size > 0:
        league.append(Metric(league_of("past"), "", "The same with past selves, their mean."))
    learning = [*_LEARNING, _REFERENCE] if config.ppo.reference else _LEARNING
    mean = Metric(MEAN_WIN, "", "Mean win rate over the opponents of the curve.")
    return (*_PROGRESS, mean, *curve, *league, *learning)


def win_of(opponent: str) -> str:
    """Name of the column that tells how it does among copies of an opponent."""
    return f"win_rate_{opponent}"


def win_in(opponent: str, rules: RuleSet) -> str:
    """Name of the column that tells how it does among copies of an opponent in one rule set."""
    return f"{win_of(opponent)} {rule_set_name(rules)}"


def league_of(opponent: str) -> str:
    """Name of the column that tells how it does against an opponent while it learns."""
    return f"league_{opponent}"


def columns_of(config: Config) -> tuple[str, ...]:
    """Names of all columns of a run, in order."""
    return tuple(metric.name for metric in metrics_of(config))


def write_metrics(path: Path, rows: Iterable[Mapping[str, float]], columns: Iterable[str]) -> None:
    """Write all rows so far."""
    write_text(path, metrics_text(rows, columns))


def metrics_text(rows: Iterable[Mapping[str, float]], columns: Iterable[str]) -> str:
    """All rows as a table of CSV; what a row does not tell is left empty."""
    text = io.StringIO()
    table = csv.DictWriter(text, list(columns), lineterminator="\n", extrasaction="ignore")
    table.writeheader()
    table.writerows({name: f"{value:.6g}" for name, value in row.items()} for row in rows)
    return text.getvalue()


def read_metrics(path: Path, up_to_decisions: float) -> list[Row]:
    """Read the rows of a run that lie before a checkpoint; none if there is no file.

    Raises:
        ValueError: The file is damaged.
        KeyError: It is damaged so that a row lacks its decisions.
    """
    if not path.is_file():
        return []
    rows = rows_of(path.read_text(encoding="utf-8"))
    return [row for row in rows if row["decisions"] <= up_to_decisions]


def rows_of(text: str) -> list[Row]:
    """Read what `metrics_text` wrote."""
    return [
        {_RENAMED.get(name, name): float(text) for name, text in row.items() if text}
        for row in csv.DictReader(io.StringIO(text, newline=""))
    ]
