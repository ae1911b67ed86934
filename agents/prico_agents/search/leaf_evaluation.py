"""The evaluation of a batch of leaves by a network, as the search takes it."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.entity_inputs import RowRules
from prico_agents.neural.network import Evaluator, in_seat_order, win_probabilities
from prico_agents.search.simulation import (
    LeafBatch,
    Roots,
    Workspace,
    fill_root_views,
)

_LEAST_PRIOR: Final = np.float32(1e-4)
"""A network that rules a move out may be wrong."""
_FLATTENING: Final = 6.0
"""By what the logarithms of a network's priors are divided for seats that others play."""
_PLANNER_ODDS: Final = np.float32(4.5)
"""How much likelier they do what the planner does. Both numbers predict best what searches without
a network choose as roles: 1.24 nats a choice, where the network's own priors leave 3.6, even
choices 1.68, and priors that are only flattened 1.43 (2,076 choices of four `mcts:200`)."""
_MOST_LOG_ODDS: Final = 2.0
"""Where a game is as good as decided, what the seats make of themselves says little."""
_HALVINGS: Final = 24
"""Steps of the bisection for the odds, each of which halves the interval."""


def evaluate_leaves(
    network: Evaluator,
    batch: LeafBatch,
    viewer_odds: NDArray[np.float64],
    rules: RowRules | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Evaluate every leaf of a batch.

    A network that judges for one seat is asked once for each, with what that seat sees.

    Args:
        network: What evaluates.
        batch: The leaves.
        viewer_odds: What the odds of the seat that sees are multiplied by in each tree, as
            `find_viewer_odds` gives them, shape ``(trees,)``.
        rules: By which rules each root is played, in games of several rule sets.

    Returns:
        The prior of each action, shape ``(rows, num_actions)``; and the value of each seat, shape
        ``(rows, seats)``, by the static evaluation where the network has none.
    """
    rows = int(batch.size[0])
    turns, trees = batch.turns[:rows], batch.trees[:rows]
    views = batch.observations.shape[1]
    legal = np.repeat(batch.legal[:rows], views, axis=0)
    of_leaves = None if rules is None else rules[np.repeat(trees, views)]
    priors, values = network.evaluate(_flat(batch.observations[:rows]), legal, of_leaves)
    priors = priors.reshape(rows, views, -1)[np.arange(rows), turns if views > 1 else 0]
    priors = np.maximum(priors, _LEAST_PRIOR)
    _mix_in_the_planner(priors, batch.likely[:rows])
    if values is None:
        return priors, batch.values[:rows].copy()
    if views > 1:
        return priors, win_probabilities(values.reshape(rows, views))
    chances = _with_odds(win_probabilities(values), viewer_odds[trees])
    return priors, in_seat_order(chances, turns)


def _mix_in_the_planner(priors: NDArray[np.float32], likely: NDArray[np.int64]) -> None:
    """Flatten the priors of seats that are others than the network, and favour the planner's move.

    Args:
        priors: Of each action, shape ``(rows, num_actions)``; written over.
        likely: What the planner would do in each row, -1 where the priors stay as they are.
    """
    rows = np.flatnonzero(likely >= 0)
    priors[rows] **= np.float32(1 / _FLATTENING)
    priors[rows, likely[rows]] *= _PLANNER_ODDS


def find_viewer_odds(
    network: Evaluator,
    table: Any,
    work: Workspace,
    roots: Roots,
    batch: LeafBatch,
    rules: RowRules | None = None,
) -> NDArray[np.float64]:
    """By what to multiply the odds of the seat that sees, so that the seats of a root agree.

    A network learns for a seat of its own, among others that play worse or better than it, so it
    may take the seat that sees for better or worse than the others are. Asked for each seat in
    turn, their own chances to win must sum to 1.

    Args:
        network: What evaluates.
        table: The records of the rules.
        work: Scratch arrays.
        roots: The positions.
        batch: Room for leaves, as many seats and features as here.
        rules: By which rules each root is played, in games of several rule sets.

    Returns:
        The factor of each root, shape ``(roots,)``; 1 where the network has no values, or judges
        for one seat.
    """
    if network.judges_own_seat:
        return np.ones(len(roots.rows))
    seats, num_features = batch.values.shape[1], batch.observations.shape[2]
    seen = np.zeros((len(roots.rows), seats, num_features), np.uint8)
    fill_root_views(table, work, roots, seen)
    legal = np.ones((len(seen) * seats, batch.legal.shape[1]), np.bool_)
    of_views = None if rules is None else rules[np.repeat(np.arange(len(seen)), seats)]
    _, values = network.evaluate(_flat(seen), legal, of_views)
    if values is None:
        return np.ones(len(seen))
    own = win_probabilities(values)[:, 0].reshape(len(seen), seats)
    low, high = np.full(len(seen), -_MOST_LOG_ODDS), np.full(len(seen), _MOST_LOG_ODDS)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        odds = np.exp(middle)[:, None]
        is_above = (own * odds / (1 - own + own * odds)).sum(axis=1) > 1
        low, high = np.where(is_above, low, middle), np.where(is_above, middle, high)
    return np.exp(low)


def _with_odds(chances: NDArray[np.float64], odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chances of all seats after the odds of the first are multiplied, shape ``(rows, seats)``."""
    changed = chances.copy()
    changed[:, 0] *= odds
    changed /= changed.sum(axis=1, keepdims=True)
    return changed


def _flat(seen: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What seats see at some positions, a row for each seat of each."""
    return seen.reshape(-1, seen.shape[-1])
