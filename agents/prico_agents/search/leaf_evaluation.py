"""What a network thinks of the leaves of a batch, as a search wants to hear it."""

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.network import Evaluator, by_seat, share_out
from prico_agents.search.simulation import LeafBatch


def evaluate_leaves(
    network: Evaluator, batch: LeafBatch
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Ask a network about every leaf of a batch.

    A network that judges for one seat is asked once for each, with what that seat sees.

    Returns:
        How likely each action is to be the best, shape ``(rows, num_actions)``; and the chance of
        each seat to win, shape ``(rows, seats)``, by the static evaluation where the
            network has none.
    """
    rows = int(batch.size[0])
    turns = batch.turns[:rows]
    seen = batch.observations[:rows]
    _, views, num_features = seen.shape
    legal = np.repeat(batch.legal[:rows], views, axis=0)
    priors, values = network.evaluate(seen.reshape(-1, num_features), legal)
    priors = priors.reshape(rows, views, -1)[np.arange(rows), turns if views > 1 else 0]
    if values is None:
        return priors, batch.values[:rows].copy()
    seats = batch.values.shape[1]
    return priors, share_out(values.reshape(rows, seats) if views > 1 else by_seat(values, turns))
