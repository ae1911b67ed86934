"""Scratch arrays that decisions need, made once and used again and again."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.heuristic_engine.horizon import HORIZON_SIZE
from prico_env.actions import NUM_ACTIONS
from prico_env.core.api import new_states
from prico_env.vocabulary import MAX_PLAYERS, NUM_SPOTS


class Scratch(NamedTuple):
    """Arrays of one thread of play, as kernels pass them on together.

    Attributes:
        states: Records to try moves on, shape ``(num_records,)``: see the constants here.
        legal: What is allowed there, bool, shape ``(num_records, num_actions)``.
        forced_log: A log without rows, for `advance`.
        horizon: See `horizon.fill_horizon`, float64, shape ``(horizon_size,)``.
        win_probabilities: Chances to win or scores, float64, shape ``(seats,)``.
        places: Places, int64, shape ``(seats,)``.
        wanted: How many units should stand on each spot, int64, shape ``(num_spots,)``.
    """

    states: NDArray[Any]
    legal: NDArray[np.bool_]
    forced_log: NDArray[np.int16]
    horizon: NDArray[np.float64]
    win_probabilities: NDArray[np.float64]
    places: NDArray[np.int64]
    wanted: NDArray[np.int64]


GUESS = 0
"""The record of a determinization: the game as the deciding seat may imagine it."""
TRIAL = 1
"""The record on which it tries a move and plays on."""
STEP = 2
"""The record on which the greedy policy tries a single step."""
GAME = 3
"""The record of a game that is played from its deal to its end."""
_NUM_RECORDS = 4


def new_scratch() -> Scratch:
    """Make the arrays for one thread of play."""
    return Scratch(
        states=new_states(_NUM_RECORDS),
        legal=np.zeros((_NUM_RECORDS, NUM_ACTIONS), np.bool_),
        forced_log=np.zeros((0, 2), np.int16),
        horizon=np.zeros(HORIZON_SIZE),
        win_probabilities=np.zeros(MAX_PLAYERS),
        places=np.zeros(MAX_PLAYERS, np.int64),
        wanted=np.zeros(NUM_SPOTS, np.int64),
    )
