"""What a benchmark measures: a figure, and how long to measure it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Rates = dict[str, list[float]]
"""What was measured, by name: a number for each burst."""


@dataclass(frozen=True)
class Figure:
    """One line of the table.

    Attributes:
        name: What was measured.
        value: The median of the runs.
        unit: Its unit; rates are better the larger they are, everything else the smaller.
        target: What it should reach; nothing where it is only told.
        beside: The reference from the same run and the ratio to it, in words.
    """

    name: str
    value: float
    unit: str
    target: float | None
    beside: str = ""

    @property
    def reached(self) -> bool:
        """Whether it is as good as it should be."""
        if self.target is None:
            return True
        if self.unit.endswith("/s"):
            return self.value >= self.target
        return self.value <= self.target


@dataclass(frozen=True)
class Effort:
    """How long to measure.

    Attributes:
        runs: Runs of which the median counts.
        seconds: Length of one run.
    """

    runs: int
    seconds: float


def by_turns(bursts: int, measures: Mapping[str, Callable[[], float]]) -> Rates:
    """Measure by turns, so that a busy moment of the machine hits each of them.

    Args:
        bursts: How often; one more comes before them that compiles and warms up.
        measures: What to measure, by name.
    """
    rates: Rates = {name: [] for name in measures}
    for burst in range(1 + bursts):
        for name, measure in measures.items():
            rate = measure()
            if burst > 0:
                rates[name].append(rate)
    return rates
