"""Tables and the picture of how reliable win probabilities are."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from prico_training.arena.statistics import (
    Estimate,
    as_number,
    as_percentage,
    as_points,
    counted,
)
from prico_training.files import new_file
from prico_training.markdown import markdown_table
from prico_training.reliability.calibration import BINS, Calibration, Measures, Reliability

_SEATS: Final = ("the seat that sees", "the other seats")
_COLOURS: Final = ("#0072B2", "#E69F00")
_DOTS_PER_INCH: Final = 120


def markdown(reliability: Reliability) -> list[str]:
    """All tables as lines of Markdown, without a heading."""
    whole = reliability.whole
    lines = [
        *_head(reliability),
        "",
        markdown_table(["seats", *_MEASURES], _seats(whole)),
        "",
        markdown_table(["in", *_STAGES], _parts({"the whole game": whole, **reliability.stages})),
        "",
    ]
    if len(reliability.rule_sets) > 1:
        lines += [markdown_table(["in", *_STAGES], _parts(reliability.rule_sets)), ""]
    for name, calibration in zip(_SEATS, (whole.own, whole.others), strict=True):
        lines += [markdown_table([f"forecasts for {name}", *_BINS], _bins(calibration)), ""]
    return lines


def _head(reliability: Reliability) -> Iterator[str]:
    whole, sets = reliability.whole, reliability.rule_sets
    opponents = ", ".join(f"`{name}`" for name in reliability.opponents)
    games = next(iter(sets)) if len(sets) == 1 else f"{len(sets)} rule sets"
    yield (
        f"`{reliability.policy}` among {opponents} in {games}: "
        f"{counted(reliability.deals, 'deal')}, each from every seat; "
        f"{counted(whole.decisions, 'decision')} in {counted(whole.games, 'game')}."
    )
    yield (
        f"It {_rated(whole.own.excess)}. The log loss of all seats together is "
        f"{whole.log_loss:.3f} nat; always saying an even share, {whole.even_log_loss:.3f}."
    )


def _rated(excess: Estimate) -> str:
    """Whether a network forecasts its own seat more than that wins, in words."""
    over = excess.mean > 0
    seen = excess if over else excess.negated()
    points = Estimate(100 * seen.mean, 100 * seen.low, 100 * seen.high)
    return f"{'over' if over else 'under'}-rates itself by {as_number(points)} points"


_MEASURES: Final = (
    "mean forecast",
    "won",
    "forecast less won",
    "log loss (of an even share)",
    "Brier score (of an even share)",
    "reliability, resolution, uncertainty",
    "calibration error",
)
_STAGES: Final = (
    "decisions",
    "games",
    "mean forecast of the seat that sees",
    "won",
    "forecast less won",
    "log loss of all seats (of an even share)",
    "calibration error: own seat, others",
)
_BINS: Final = ("mean forecast", "won", "forecasts", "games")


def _seats(measures: Measures) -> Iterator[list[str]]:
    for name, seen in zip(_SEATS, (measures.own, measures.others), strict=True):
        yield [
            name,
            f"{seen.forecast:.1%}",
            f"{seen.won:.1%}",
            as_points(seen.excess),
            f"{seen.log_loss:.3f} ({seen.even_log_loss:.3f})",
            f"{seen.brier:.4f} ({seen.even_brier:.4f})",
            f"{seen.reliability:.4f}, {seen.resolution:.4f}, {seen.uncertainty:.4f}",
            f"{seen.calibration_error:.1%}",
        ]


def _parts(parts: Mapping[str, Measures]) -> Iterator[list[str]]:
    for name, seen in parts.items():
        yield [
            name,
            f"{seen.decisions:,}",
            f"{seen.games:,}",
            f"{seen.own.forecast:.1%}",
            f"{seen.own.won:.1%}",
            as_points(seen.own.excess),
            f"{seen.log_loss:.3f} ({seen.even_log_loss:.3f})",
            f"{seen.own.calibration_error:.1%}, {seen.others.calibration_error:.1%}",
        ]


def _bins(calibration: Calibration) -> Iterator[list[str]]:
    for each in calibration.bins:
        yield [
            f"{each.low:.0%} to {each.high:.0%}",
            f"{each.forecast:.1%}",
            as_percentage(each.won),
            f"{each.count:,}",
            f"{each.games:,}",
        ]


def draw_reliability(path: Path, reliability: Reliability) -> None:
    """Draw the reliability diagram: what came over what was forecast, and how often it was."""
    from matplotlib.figure import Figure  # without pyplot: a server has no screen

    figure = Figure(figsize=(8, 5.5), layout="constrained")
    axes = figure.subplots(2, 2, sharex=True, sharey="row", height_ratios=(3, 1))
    measures = (reliability.whole.own, reliability.whole.others)
    for column, (name, seen) in enumerate(zip(_SEATS, measures, strict=True)):
        _draw(axes[0, column], axes[1, column], seen, _COLOURS[column])
        axes[0, column].set_title(name)
        axes[1, column].set_xlabel("win probability forecast")
    axes[0, 0].set_ylabel("share of the win")
    axes[1, 0].set_ylabel("share of forecasts")
    axes[0, 0].legend(loc="upper left")
    with new_file(path) as beside:
        figure.savefig(beside, dpi=_DOTS_PER_INCH, format="png")


def _draw(diagram: Any, histogram: Any, seen: Calibration, colour: str) -> None:
    """Draw the bins with their intervals, and how many forecasts each holds."""
    diagram.plot([0, 1], [0, 1], linestyle=":", color="grey", label="as forecast")
    said, won = [each.forecast for each in seen.bins], [each.won.mean for each in seen.bins]
    known = [each for each in seen.bins if each.won.has_interval]
    ends = [[each.won.low for each in known], [each.won.high for each in known]]
    diagram.vlines([each.forecast for each in known], *ends, color=colour)
    diagram.plot(said, won, marker="o", color=colour, label="came true, 95 %")
    diagram.set(xlim=(0, 1), ylim=(0, 1))
    shares = [each.count / seen.count for each in seen.bins]
    histogram.bar([each.low for each in seen.bins], shares, 1 / BINS, align="edge", color=colour)
