"""The evaluation of a batch of leaves by a network, as the search takes it."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.entity_inputs import RowRules
from prico_agents.neural.network import Evaluator, in_seat_order, win_probabilities
from prico_agents.search.simulation import LeafBatch, SearchParams

_LEAST_PRIOR: Final = np.float32(1e-4)
"""A network that rules a move out may be wrong."""


def evaluate_leaves(
    params: SearchParams, network: Evaluator, batch: LeafBatch, rules: RowRules | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Evaluate every leaf of a batch.

    A network that judges for one seat is asked once for each, with what that seat sees.

    Args:
        params: How the search mixes values and flattens priors.
        network: What evaluates.
        batch: The leaves.
        rules: By which rules each root is played, in games of several rule sets.

    Returns:
        The prior of each action, shape ``(rows, num_actions)``; and the value of each seat, shape
        ``(rows, seats)``, by the static evaluation where the network has none.
    """
    rows = int(batch.size[0])
    turns = batch.turns[:rows]
    seen = batch.observations[:rows]
    _, views, num_features = seen.shape
    legal = np.repeat(batch.legal[:rows], views, axis=0)
    asked = (seen.reshape(-1, num_features), legal)
    if rules is None:
        priors, values = network.evaluate(*asked)
    else:
        of_leaves = rules[np.repeat(batch.trees[:rows], views)]
        priors, values = network.evaluate(*asked, of_leaves)
    priors = priors.reshape(rows, views, -1)[np.arange(rows), turns if views > 1 else 0]
    priors = np.maximum(priors, _LEAST_PRIOR)
    if params.prior_temperature != 1.0:
        priors **= np.float32(1 / params.prior_temperature)
    if values is None:
        return priors, batch.values[:rows].copy()
    seats = batch.values.shape[1]
    by_seat = values.reshape(rows, seats) if views > 1 else in_seat_order(values, turns)
    weight = params.network_weight
    return priors, weight * win_probabilities(by_seat) + (1 - weight) * batch.values[:rows]
