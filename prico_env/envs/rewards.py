"""Reward schemes by name, and shaping that leaves the best play unchanged.

What a scheme pays at the end is worked out in :mod:`prico_env.core.scoring`, for one game and for a
batch alike. Before the end, and in a game that was cut off, every scheme pays nothing: nobody has
won yet.
"""

import numpy as np
from numpy.typing import NDArray

from prico_env.batch import Games
from prico_env.game import Game


def potential(games: Game | Games, per_vp: float) -> NDArray[np.float64]:
    """Return how good running games look to each seat: VP above the mean, times ``per_vp``.

    Shaping pays the difference of two potentials with no discount and takes the potential of a
    finished game as zero. Over a whole game the differences cancel, whatever was played, so no
    policy gains or loses by it (Ng, Harada and Russell, 1999).

    Args:
        games: A game, or a batch of ``n``.
        per_vp: Reward for one VP of lead.

    Returns:
        Potentials, float64, shape ``(players,)`` or ``(n, players)``.
    """
    scores = np.asarray(games.scores(), dtype=np.float64)
    finished = np.logical_and(games.over, np.logical_not(games.truncated))[..., None]
    return np.where(finished, 0.0, per_vp * (scores - scores.mean(axis=-1, keepdims=True)))
