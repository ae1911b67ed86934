"""What a run leaves for people: learning curve, ranking, reliability, and a page of all that."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from prico_training.arena.report_tables import alone_table, matrix_table
from prico_training.arena.summary import Summary
from prico_training.config import Config
from prico_training.files import new_file, write_text
from prico_training.learning.metrics import LABELS, Row, metrics_of, win_in, win_of
from prico_training.machine import machine
from prico_training.markdown import markdown_table
from prico_training.reliability.calibration import Reliability
from prico_training.reliability.reliability_page import draw_reliability, markdown
from prico_training.rule_sets import rule_set_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVE_FILE: Final = "curve.png"
RELIABILITY_FILE: Final = "reliability.png"
REPORT_FILE: Final = "report.md"
RESULTS_FILE: Final = "results.json"


def write_report(
    folder: Path,
    config: Config,
    counts: Mapping[str, float],
    rows: Sequence[Row],
    ranking: Summary | None,
    reliability: Reliability | None,
) -> None:
    """Write everything into the run folder."""
    results: dict[str, Any] = {
        "counts": dict(counts),
        "curve": [
            {name: None if math.isnan(value) else float(value) for name, value in row.items()}
            for row in rows
        ],
        "ranking": None if ranking is None else ranking.to_dict(),
        "reliability": None if reliability is None else reliability.to_dict(),
        "machine": machine(),
    }
    if rows:
        draw_curve(folder / CURVE_FILE, config, rows)
    if reliability is not None:
        draw_reliability(folder / RELIABILITY_FILE, reliability)
    page = _page(folder, config, counts, rows, ranking, reliability)
    write_text(folder / REPORT_FILE, page)
    results_text = json.dumps(results, indent=1, allow_nan=False)
    write_text(folder / RESULTS_FILE, results_text)  # the last one: `is_reported` looks at it


def is_reported(folder: Path, decisions: int, ranked: bool) -> bool:
    """Whether a run was brought to its end: reported after so many decisions, and ranked if asked.

    A report that cannot be read counts as none.
    """
    try:
        results = json.loads((folder / RESULTS_FILE).read_text(encoding="utf-8"))
        is_ranked = not ranked or results["ranking"] is not None
        return is_ranked and bool(results["counts"]["decisions"] == decisions)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def draw_curve(path: Path, config: Config, rows: Sequence[Row]) -> None:
    """Draw win rates, policy and values over the decisions learnt from."""
    from matplotlib.figure import Figure  # without pyplot: a server has no screen

    figure = Figure(figsize=(8, 9), layout="constrained")
    play, policy, values = figure.subplots(3, 1, sharex=True, height_ratios=(3, 1, 1))
    for name in config.evaluation.curve:
        column = win_of(name)
        decisions, rates = _series(rows, column)
        band = decisions, _series(rows, f"{column}_low")[1], _series(rows, f"{column}_high")[1]
        play.plot(decisions, rates, marker="o", label=name)
        play.fill_between(*band, alpha=0.12)
    equal = float(np.mean([1 / rules.players for rules in config.curve_rule_sets]))
    play.axhline(equal, linestyle=":", color="grey", label="equal play")
    play.set(ylabel="win rate", ylim=(0, 1.02), title="Alone among copies of")
    play.legend(loc="best")
    _draw_columns(policy, rows, "entropy", "agreement")
    _draw_columns(values, rows, "value_loss", "explained_variance")
    values.set(xlabel="decisions learnt from (thousands)")
    with new_file(path) as beside:
        figure.savefig(beside, dpi=120, format="png")


def _draw_columns(axes: "Axes", rows: Sequence[Row], *columns: str) -> None:
    """Draw columns of one scale, those that the run has."""
    for column in columns:
        decisions, figures = _series(rows, column)
        if decisions:
            axes.plot(decisions, figures, marker="o", label=LABELS[column])
    if axes.lines:
        axes.legend(loc="best")


def _series(rows: Sequence[Row], column: str) -> tuple[list[float], list[float]]:
    """Thousands of decisions, and a column, where it tells anything."""
    told = [row for row in rows if column in row]
    return [row["decisions"] / 1000 for row in told], [row[column] for row in told]


def _page(
    folder: Path,
    config: Config,
    counts: Mapping[str, float],
    rows: Sequence[Row],
    ranking: Summary | None,
    reliability: Reliability | None,
) -> str:
    lines = [
        f"# {config.name}",
        "",
        f"{config.game.players} players, {config.game.edition}{_others(config)}, seed "
        f"{config.seed}: "
        f"{counts['decisions']:,.0f} decisions learnt from, {counts['games']:,.0f} finished "
        f"games, {counts['seconds']:.0f} seconds of learning.",
        "",
    ]
    lines += _ranking_lines(ranking) if ranking else ["There was no ranking.", ""]
    if rows:
        lines += ["## Learning curve", "", f"![learning curve]({CURVE_FILE})", ""]
        lines += _rule_set_lines(config, rows[-1])
    lines += _reliability_lines(reliability) if reliability else []
    lines += [
        "## Do it again",
        "",
        "```",
        f"prico train {folder}/config.yaml",
        f"prico train --resume {folder} {config.budget.doubled}",
        f"prico play human {folder} planner corn",
        "```",
        "",
        "## What the columns of metrics.csv mean",
        "",
        *(
            f"- `{metric.name}`{f' ({metric.unit})' if metric.unit else ''}: {metric.meaning}"
            for metric in metrics_of(config)
        ),
        "",
        "## Machine",
        "",
        *(f"- {name}: {value}" for name, value in machine().items()),
        "",
    ]
    return "\n".join(lines)


def _reliability_lines(reliability: Reliability) -> list[str]:
    return [
        "## Reliability of the value head",
        "",
        f"![how often what it forecast came]({RELIABILITY_FILE})",
        "",
        "Whether the win probabilities of the network are calibrated, for the seat that sees and "
        "for the others, on deals that training never saw.",
        "",
        *markdown(reliability),
    ]


def _others(config: Config) -> str:
    """How many rule sets are learnt beside the one that is ranked, in words."""
    more = len(config.rule_sets) - 1
    return f" and {more} more rule sets" if config.games and more else ""


def _rule_set_lines(config: Config, row: Row) -> list[str]:
    """The last point of the curve in each rule set, where it has several."""
    names = config.evaluation.curve
    sets = [rules for rules in config.curve_rule_sets if win_in(names[0], rules) in row]
    if not sets:
        return []
    head = ["rule set", "even play", *(f"among {name}" for name in names)]
    lines = [
        [rule_set_name(rules), f"{1 / rules.players:.0%}"]
        + [f"{row[win_in(name, rules)]:.0%}" for name in names if win_in(name, rules) in row]
        for rules in sets
    ]
    return [
        f"The last point in each rule set, {config.evaluation.curve_deals} deals from every seat:",
        "",
        markdown_table(head, lines, left=None),
        "",
    ]


def _ranking_lines(ranking: Summary) -> list[str]:
    return [
        "## Ranking",
        "",
        "A tournament on deals that training never saw; all about it is in "
        "[arena/report.md](arena/report.md).",
        "",
        *matrix_table(ranking).markdown(),
        *alone_table(ranking).markdown(),
    ]
