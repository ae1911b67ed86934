"""The gather that turns observation vectors into entities."""

from typing import Any

from prico_env.core.jit import kernel


@kernel
def gather_columns(features: Any, places: Any, constants: Any, out: Any) -> None:
    """Fill each column of an output from a feature, or with a constant of its own.

    Args:
        features: One row for each game, shape ``(rows, num_features)``.
        places: The feature that each column shows, intp, shape ``(columns,)``; -1 for none.
        constants: What the columns show that show no feature, shape ``(columns,)``.
        out: Is filled, shape ``(rows, columns)``.
    """
    for row in range(features.shape[0]):
        for column in range(places.shape[0]):
            place = places[column]
            out[row, column] = features[row, place] if place >= 0 else constants[column]
