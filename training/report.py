"""What a run leaves for people: a learning curve, a ranking and a page that tells the story."""

import csv
import importlib.metadata
import io
import json
import math
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rich.table import Table

from training.checkpoint import write_text
from training.config import Config
from training.evaluate import Estimate, Ranking
from training.metrics import METRICS, Row

CURVE_FILE: Final = "curve.png"
REPORT_FILE: Final = "report.md"
RESULTS_FILE: Final = "results.json"
RANKING_FILE: Final = "ranking.csv"
_LIBRARIES: Final = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium")


def machine() -> dict[str, str]:
    """What the figures of a report were measured on."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        **{name: _version(name) for name in ("prico", *_LIBRARIES)},
    }


def ranking_table(ranking: Ranking) -> Table:
    """A ranking as the terminal shows it."""
    seats = ranking.rules.players
    table = Table(
        title=f"Alone among {seats - 1} copies of each other agent: {ranking.deals} deals, each "
        f"from all {seats} seats; equal play wins {1 / seats:.0%}",
        title_justify="left",
    )
    table.add_column("agent")
    table.add_column("wins (95% interval)", justify="right")
    table.add_column("score", justify="right")
    table.add_column("lead", justify="right")
    for line in ranking.standings:
        table.add_column(f"against {line.agent}", justify="right")
    for line in ranking.standings:
        cells = [
            str(line.against[other.agent]) if other.agent in line.against else ""
            for other in ranking.standings
        ]
        table.add_row(
            line.agent, str(line.win_rate), f"{line.score:.1f}", f"{line.lead:+.1f}", *cells
        )
    return table


def write_report(
    folder: Path,
    config: Config,
    counts: Mapping[str, float],
    rows: Sequence[Row],
    ranking: Ranking | None,
) -> None:
    """Write everything into the run folder."""
    results: dict[str, Any] = {
        "counts": dict(counts),
        "curve": [
            {name: None if math.isnan(value) else float(value) for name, value in row.items()}
            for row in rows
        ],
        "ranking": None if ranking is None else ranking.to_dict(),
        "machine": machine(),
    }
    write_text(folder / RESULTS_FILE, json.dumps(results, indent=1, allow_nan=False))
    if ranking is not None:
        write_text(folder / RANKING_FILE, _ranking_csv(ranking))
    if rows:
        draw_curve(folder / CURVE_FILE, rows, 1 / config.game.players)
    write_text(folder / REPORT_FILE, _page(folder, config, counts, rows, ranking))


def draw_curve(path: Path, rows: Sequence[Row], equal_share: float) -> None:
    """Draw the share of victories against random play over the decisions learnt from."""
    import matplotlib as mpl

    mpl.use("Agg")  # files only: a server has no screen
    from matplotlib import pyplot as plt

    decisions = [row["decisions"] / 1000 for row in rows]
    figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    axis.fill_between(
        decisions,
        [row["win_rate_low"] for row in rows],
        [row["win_rate_high"] for row in rows],
        alpha=0.2,
        label="95% interval",
    )
    axis.plot(decisions, [row["win_rate"] for row in rows], marker="o", label="learner")
    axis.axhline(equal_share, linestyle=":", color="grey", label="equal play")
    axis.set(
        xlabel="decisions of the learner (thousands)",
        ylabel="share of victories",
        title="Alone against random players",
        ylim=(0, 1.02),
    )
    axis.legend(loc="lower right")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _page(
    folder: Path,
    config: Config,
    counts: Mapping[str, float],
    rows: Sequence[Row],
    ranking: Ranking | None,
) -> str:
    lines = [
        f"# {config.name}",
        "",
        f"{config.game.players} players, {config.game.edition}, seed {config.seed}: "
        f"{counts['decisions']:,.0f} decisions of the learner in {counts['games']:,.0f} finished "
        f"games, {counts['seconds']:.0f} seconds of learning.",
        "",
    ]
    lines += _ranking_lines(ranking) if ranking else ["There was no ranking.", ""]
    if rows:
        lines += ["## Learning curve", "", f"![learning curve]({CURVE_FILE})", ""]
    lines += [
        "## Do it again",
        "",
        "```",
        f"prico train {folder}/config.yaml",
        f"prico train --resume {folder} budget.minutes={config.budget.minutes * 2:g}",
        f"prico play human {folder} heuristic random",
        "```",
        "",
        "## What the columns of metrics.csv mean",
        "",
        *(
            f"- `{metric.name}`{f' ({metric.unit})' if metric.unit else ''}: {metric.meaning}"
            for metric in METRICS
        ),
        "",
        "## Machine",
        "",
        *(f"- {name}: {value}" for name, value in machine().items()),
        "",
    ]
    return "\n".join(lines)


def _ranking_lines(ranking: Ranking) -> list[str]:
    names = [line.agent for line in ranking.standings]
    return [
        "## Ranking",
        "",
        f"Each agent alone among copies of each other one: {ranking.deals} deals, each from all "
        f"{ranking.rules.players} seats. Equal play wins {1 / ranking.rules.players:.0%}. "
        "Intervals are 95%, with the deal as the independent unit.",
        "",
        "| agent | wins | score | lead | " + " | ".join(f"against {name}" for name in names) + " |",
        "|---" * (4 + len(names)) + "|",
        *(
            f"| {line.agent} | {line.win_rate} | {line.score:.1f} | {line.lead:+.1f} | "
            + " | ".join(str(line.against.get(name, "")) for name in names)
            + " |"
            for line in ranking.standings
        ),
        "",
    ]


def _ranking_csv(ranking: Ranking) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["agent", "opponent", "wins", "low", "high"])
    for line in ranking.standings:
        rates: list[tuple[str, Estimate]] = [("all", line.win_rate), *line.against.items()]
        for opponent, rate in rates:
            numbers = (f"{number:.4f}" for number in (rate.mean, rate.low, rate.high))
            table.writerow([line.agent, opponent, *numbers])
    return text.getvalue()


def _processor() -> str:
    """The processor's name, where the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
