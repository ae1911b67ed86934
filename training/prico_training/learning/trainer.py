"""What a run drives, whatever the algorithm: a trainer, and the state of its parts."""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from prico_training.learning.league import League

Weights = dict[str, NDArray[np.float32]]
State = tuple[dict[str, NDArray[Any]], dict[str, Any]]
"""Arrays by name and plain values, from which something goes on."""


class Trainer(Protocol):
    """An algorithm with its games, its opponents and its network.

    Attributes:
        decisions: Decisions learnt from, teachers' and its own.
        games: Games finished while learning, without those of teachers.
        updates: How often the network learnt from a batch of decisions.
        league: Who else plays, at the table of the game that is asked for.
    """

    decisions: int
    games: int
    updates: int
    league: League

    def learn(self, spent: float) -> dict[str, float]:
        """Play and learn once; ``spent`` is the share of the budget that is used.

        Returns:
            Figures by the names of `prico_training.learning.metrics`.
        """

    def weights(self) -> Weights:
        """A copy of what plays now, as a `PolicyValueNetwork` wants it."""

    def remember(self, name: str, weights: Weights) -> None:
        """Let a past self join the league."""

    def state(self) -> State:
        """Return everything to go on from, but past selves."""

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned, after all past selves have joined the league again."""

    def close(self) -> None:
        """Stop threads and processes."""


def states_of(parts: Mapping[str, Any]) -> State:
    """Arrays and plain values of several parts, arrays below the name of their part."""
    arrays: dict[str, NDArray[Any]] = {}
    values: dict[str, Any] = {}
    for name, part in parts.items():
        part_arrays, values[name] = part.state()
        arrays |= {f"{name}/{key}": array for key, array in part_arrays.items()}
    return arrays, values


def arrays_below(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin so, by the rest of their names."""
    return {
        key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)
    }
