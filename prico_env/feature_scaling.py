"""How features become the numbers that a network reads: standardised, from 0 to 1, or as they are.

A feature ``x`` is scaled by an affine map with limits, ``clip(x * factor + offset, low, high)``.
``"standard"`` takes factor and offset from means and deviations that are published beside this
module, in `STATISTICS_FILE`: of games that a fixed mix of players played by every rule set. They
are kept by the name of a feature, ``self.coins`` or ``table.row[corn]``, and those of all other
seats together, as ``others.coins``: a feature has one scaling at tables of every size, with and
without expansions, so that what has learnt to read it can read it everywhere.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prico_env.errors import PricoError, quoted

ScalingKind: TypeAlias = Literal["standard", "range", "raw"]

SCALINGS: Final = ("standard", "range", "raw")
"""Kinds of scaling: mean 0 and deviation 1, from 0 to 1, and 8-bit integers as they are."""
CLIP: Final = 10.0
"""Standardised features are cut to so many deviations from the mean."""
LEAST_DEVIATION: Final = 0.1
"""A smaller deviation counts as this: a step of one, the least there is, then just fits."""
UNMEASURED_SHARE: Final = 4
"""A feature without statistics has mean 0; its deviation is its largest value over this."""
STATISTICS_FILE: Final = Path(__file__).with_name("feature_statistics.json")
"""The published means and deviations: a version, how they were found, and a row for each name."""


class FeatureStatistics(NamedTuple):
    """Published means and deviations of features.

    Attributes:
        version: Moves with every change of the numbers; what was trained with others reads other
            inputs.
        origin: How they were found: players, rule sets, games, decisions, seed and command.
        moments: Mean and deviation of the raw counts, by the name of a feature.
    """

    version: int
    origin: dict[str, Any]
    moments: dict[str, tuple[float, float]]


class FeatureScaling:
    """A scaling of the features of a layout.

    Attributes:
        kind: ``"standard"``, ``"range"`` or ``"raw"``.
        factor: What a feature is multiplied by, float32, shape ``(num_features,)``.
        offset: What is added after that, likewise.
        low: The least value of each scaled feature, ``dtype``, likewise.
        high: The largest, likewise.
        dtype: Of scaled features: float32, with ``"raw"`` uint8.
    """

    def __init__(
        self, kind: ScalingKind, factor: NDArray[Any], offset: NDArray[Any], largest: NDArray[Any]
    ) -> None:
        """Make a scaling.

        Args:
            kind: What it is called.
            factor: As above.
            offset: As above.
            largest: The largest value of each raw feature, uint8, shape ``(num_features,)``.
        """
        self.kind: Final = kind
        self.factor: NDArray[np.float32] = factor.astype(np.float32)
        self.offset: NDArray[np.float32] = offset.astype(np.float32)
        self.dtype: np.dtype[Any] = np.dtype(np.uint8 if kind == "raw" else np.float32)
        self._factor = self.factor.astype(self.dtype)
        self.low = self.apply(np.zeros_like(largest))
        self.high = self.apply(largest)
        for array in (self.factor, self.offset, self.low, self.high):
            array.setflags(write=False)

    def apply(self, features: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Scale raw features of any leading shape.

        Args:
            features: Raw features, shape ``(..., num_features)``.
            out: Receives them, of that shape and of this scaling's dtype; a new array by default.

        Returns:
            The scaled features; ``out`` if it was given.
        """
        try:
            scaled = np.multiply(features, self._factor, out=out, dtype=self.dtype)
            if self.kind == "standard":
                scaled += self.offset
                np.clip(scaled, -CLIP, CLIP, out=scaled)
            return scaled
        except (TypeError, ValueError, OverflowError):
            into = "" if out is None else f" into {quoted(out)}"
            raise PricoError(
                f"observations are numbers, {len(self.factor)} in each row, not "
                f"{quoted(features)}{into}"
            ) from None


def make_scaling(kind: ScalingKind, names: Sequence[str], largest: NDArray[Any]) -> FeatureScaling:
    """Make the scaling of a layout.

    Args:
        kind: One of `SCALINGS`.
        names: The names of its features, as in a layout: ``"self.coins"``, ``"left_1.coins"``.
        largest: The largest value of each, uint8, shape ``(num_features,)``.
    """
    nothing = np.zeros(len(names))
    if kind == "raw":
        return FeatureScaling(kind, nothing + 1, nothing, largest)
    if kind == "range":
        return FeatureScaling(kind, np.float32(1) / largest.astype(np.float32), nothing, largest)
    means, deviations = moments_of(names, largest)
    deviations = np.maximum(deviations, LEAST_DEVIATION)
    return FeatureScaling(kind, 1 / deviations, -means / deviations, largest)


def moments_of(names: Sequence[str], largest: NDArray[Any]) -> NDArray[np.float64]:
    """Return the published means and deviations of raw features, shape ``(2, num_features)``.

    Args:
        names: As for `make_scaling`.
        largest: Likewise.
    """
    published = feature_statistics().moments
    unmeasured = [(0.0, float(high) / UNMEASURED_SHARE) for high in largest]
    moments = [
        published.get(shared_name(name), other)
        for name, other in zip(names, unmeasured, strict=True)
    ]
    return np.array(moments).T


def shared_name(feature: str) -> str:
    """Return the name by which statistics know a feature: that of all other seats is the same."""
    owner, _, rest = feature.partition(".")
    return f"others.{rest}" if owner.startswith("left_") else feature


@lru_cache(maxsize=1)
def feature_statistics() -> FeatureStatistics:
    """Return the published means and deviations, read once."""
    page = json.loads(STATISTICS_FILE.read_text(encoding="utf-8"))
    moments = {name: (float(mean), float(sd)) for name, (mean, sd) in page["features"].items()}
    return FeatureStatistics(int(page["version"]), page["origin"], moments)
