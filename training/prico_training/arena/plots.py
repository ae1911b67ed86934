"""Pictures of a tournament: readable at a glance, and without telling colours apart."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from prico_training.arena.statistics import Estimate
from prico_training.arena.summary import Summary
from prico_training.files import new_file

PALETTE: Final = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#F0E442",
    "#000000",
    "#999999",
    "#661100",
)
"""Colours that people who see fewer tell apart too (Okabe and Ito, 2008), and two more."""
HATCHES: Final = ("", "//", "..", "xx", "\\\\", "oo", "--", "++", "**", "||")
LONGEST_NAME: Final = 28
"""Letters of a name that a picture shows."""
MOST_WORDS: Final = 12
"""Agents up to which the squares of the matrix hold their numbers."""
_DOTS_PER_INCH: Final = 120
_DARK: Final = 0.6


def draw_all(folder: Path, summary: Summary) -> dict[str, str]:
    """Draw everything that can be drawn.

    Args:
        folder: Where the files go; each appears in one moment.
        summary: What is shown.

    Returns:
        Names of the files, each with what it shows.
    """
    from matplotlib.figure import Figure  # not pyplot: it would change how a notebook shows others

    drawn = {}
    for name, (words, draw) in _PICTURES.items():
        figure = Figure(layout="constrained")
        if draw(summary, figure.subplots()):
            with new_file(folder / name) as beside:
                figure.savefig(beside, dpi=_DOTS_PER_INCH, format="png")
            drawn[name] = words
    return drawn


def label(name: str) -> str:
    """A name as a picture shows it: not too long, and nothing in it means anything.

    >>> label("a_very_long_name_of_a_run_folder_of_mine")
    'a_very_long_...older_of_mine'
    """
    if len(name) > LONGEST_NAME:
        head = (LONGEST_NAME - 3) // 2
        name = f"{name[:head]}...{name[head + 3 - LONGEST_NAME :]}"
    return name.replace("$", r"\$")


def _matrix(summary: Summary, axis: Any) -> bool:
    import numpy as np

    if not summary.matrix:
        return False
    names = [name for name in summary.agents if any(name in pair for pair in summary.matrix)]
    wins = np.full((len(names), len(names)), np.nan)
    for (agent, opponent), performance in summary.matrix.items():
        wins[names.index(agent), names.index(opponent)] = performance.win_rate.mean
    _resize(axis, 3 + 0.8 * len(names), 2.2 + 0.55 * len(names))
    image = axis.imshow(wins, vmin=0, vmax=1, cmap="cividis", aspect="auto")
    axis.figure.colorbar(image, ax=axis, label="win rate")
    labels = [label(name) for name in names]
    axis.set_xticks(range(len(names)), labels, rotation=35, ha="right")
    axis.set_yticks(range(len(names)), labels)
    axis.set(xlabel="among copies of", ylabel="alone")
    axis.set_title(f"One against copies (equals win {summary.even_share:.0%})")
    if len(names) <= MOST_WORDS:
        for row, column in np.argwhere(~np.isnan(wins)):
            value = wins[row, column]
            colour = "black" if value > _DARK else "white"
            axis.text(column, row, f"{value:.0%}", ha="center", va="center", color=colour)
    return True


def _ratings(summary: Summary, axis: Any) -> bool:
    if summary.ratings is None:
        return False
    lines = [line for line in summary.ratings.agents if line.bound != "unknown"]
    _resize(axis, 7, 1.5 + 0.38 * len(lines))
    for place, line in enumerate(lines):
        mark = {"at most": "<", "at least": ">"}.get(line.bound, "o")
        _bar(axis, line.elo, place, mark)
    _name_rows(axis, [line.agent for line in lines])
    axis.set(xlabel="Elo points, with 95% interval (400 are odds of ten to one)")
    axis.set_title("Ratings")
    return True


def _scores(summary: Summary, axis: Any) -> bool:
    if not summary.behaviour:
        return False
    _resize(axis, 7, 1.5 + 0.42 * len(summary.behaviour))
    boxes = []
    for one in summary.behaviour:
        least, lower, median, upper, most = one.scores.percentiles
        boxes.append(
            {"whislo": least, "q1": lower, "med": median, "q3": upper, "whishi": most, "fliers": []}
            | {"mean": one.scores.mean.mean}
        )
    axis.bxp(
        boxes,
        positions=range(len(boxes)),
        orientation="horizontal",
        showmeans=True,
        patch_artist=True,
        boxprops={"facecolor": PALETTE[4]},
        medianprops={"color": "black"},
        meanprops={"marker": "D", "markerfacecolor": PALETTE[5], "markeredgecolor": "black"},
    )
    _name_rows(axis, [one.agent for one in summary.behaviour])
    axis.set(xlabel="final score: least, quarter, median, three quarters, greatest; diamond: mean")
    axis.set_title("Scores in finished games")
    return True


def _seats(summary: Summary, axis: Any) -> bool:
    rows: list[tuple[str, list[Estimate], str]] = [
        ("all agents", [line.win_rate for line in summary.seat_results], "o")
    ]
    if summary.ratings is not None:
        rows.append(
            ("among equals (ratings)", [term.win_rate for term in summary.ratings.seats], "s")
        )
    if len(rows[0][1]) < summary.seats:
        return False
    _resize(axis, 7, 4)
    for number, (name, estimates, mark) in enumerate(rows):
        _bars(axis, name, estimates, mark, number)
    if summary.humans is not None:
        seats = [seat + 0.24 for seat in range(summary.seats)]
        style = {"linestyle": "none", "marker": "^", "markersize": 8, "color": PALETTE[2]}
        axis.plot(seats, summary.humans.wins, label="people in tournaments", **style)
    axis.axhline(summary.even_share, linestyle=":", color="grey", label="even share")
    axis.set_xticks(range(summary.seats), [f"seat {seat}" for seat in range(summary.seats)])
    axis.set(ylabel="win rate", ylim=(0, None))
    axis.set_title("Seats")
    axis.legend()
    return True


def _points(summary: Summary, axis: Any) -> bool:
    behaviour = summary.behaviour
    if not behaviour:
        return False
    _resize(axis, 8, 1.9 + 0.42 * len(behaviour))
    begin = [0.0] * len(behaviour)
    parts = [part for part in behaviour[0].points if any(one.points[part] for one in behaviour)]
    for number, part in enumerate(parts):
        widths = [one.points[part] for one in behaviour]
        axis.barh(
            range(len(behaviour)),
            widths,
            left=begin,
            color=PALETTE[number],
            hatch=HATCHES[number],
            edgecolor="white",
            label=part.replace("_", " "),
        )
        begin = [start + width for start, width in zip(begin, widths, strict=True)]
    _name_rows(axis, [one.agent for one in behaviour])
    axis.set(xlabel="mean points")
    axis.set_title("Points by source")
    axis.legend(bbox_to_anchor=(1.01, 1), loc="upper left")
    return True


def _lengths(summary: Summary, axis: Any) -> bool:
    if summary.rounds is None:
        return False
    _resize(axis, 7, 4)
    counts = summary.rounds.counts
    games = sum(counts.values())
    axis.bar(list(counts), [number / games for number in counts.values()], color=PALETTE[0])
    axis.axvline(summary.rounds.mean.mean, linestyle="--", color="black", label="mean")
    axis.set(xlabel="rounds", ylabel="share of the finished games")
    axis.margins(y=0.2)
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.set_title("Lengths of games")
    axis.legend()
    return True


_PICTURES: Final[dict[str, tuple[str, Callable[[Summary, Any], bool]]]] = {
    "matrix.png": ("One against copies", _matrix),
    "ratings.png": ("Ratings", _ratings),
    "seats.png": ("Seats", _seats),
    "scores.png": ("Lengths and scores", _scores),
    "lengths.png": ("Lengths and scores", _lengths),
    "points.png": ("Points by source", _points),
}
"""Each picture: the table of the page it stands with, and what draws it."""


def _resize(axis: Any, width: float, height: float) -> None:
    axis.figure.set_size_inches(width, height)


def _name_rows(axis: Any, names: list[str]) -> None:
    """Name rows from the top down."""
    axis.set_yticks(range(len(names)), [label(name) for name in names])
    axis.set_ylim(len(names) - 0.5, -0.5)
    axis.grid(axis="x", alpha=0.3)
    axis.set_axisbelow(True)


def _bar(axis: Any, estimate: Estimate, row: int, mark: str) -> None:
    """A mark with its interval, lying."""
    if estimate.has_interval and mark == "o":
        axis.plot([estimate.low, estimate.high], [row, row], color=PALETTE[0], linewidth=2)
    axis.plot([estimate.mean], [row], marker=mark, color=PALETTE[0], markersize=8)


def _bars(axis: Any, name: str, estimates: list[Estimate], mark: str, number: int) -> None:
    """Marks with their intervals, standing, one for each seat."""
    style = {"color": PALETTE[number * 5], "linestyle": "none", "marker": mark, "markersize": 7}
    for seat, estimate in enumerate(estimates):
        at = seat + 0.12 * number
        words = name if seat == 0 else None
        axis.plot([at], [estimate.mean], label=words, **style)
        if estimate.has_interval:
            axis.plot([at, at], [estimate.low, estimate.high], color=PALETTE[number * 5])
