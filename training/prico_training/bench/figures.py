"""What a benchmark measures: a figure, and how long to measure it."""

from dataclasses import dataclass


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
