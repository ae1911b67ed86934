"""Where a player thinks: arrays that decisions need, made once and used again and again."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.heuristic_engine.horizon import NUM_OUTLOOK
from prico_env.actions import NUM_ACTIONS
from prico_env.core.api import new_states
from prico_env.vocabulary import MAX_PLAYERS, NUM_SPOTS


class Desk(NamedTuple):
    """Arrays of one thread of play, as kernels pass them on together.

    Attributes:
        states: Records to try moves on, shape ``(num_records,)``: see the constants here.
        legal: What is allowed there, bool, shape ``(num_records, num_actions)``.
        forced_log: A log without rows, for `advance`.
        outlook: See `outlook.fill_outlook`, float64, shape ``(num_outlook,)``.
        shares: Chances to win or scores, float64, shape ``(seats,)``.
        places: Places, int64, shape ``(seats,)``.
        wanted: How many units should stand on each spot, int64, shape ``(num_spots,)``.
    """

    states: NDArray[Any]
    legal: NDArray[np.bool_]
    forced_log: NDArray[np.int16]
    outlook: NDArray[np.float64]
    shares: NDArray[np.float64]
    places: NDArray[np.int64]
    wanted: NDArray[np.int64]


GUESS = 0
"""The record that holds a game as the deciding seat may imagine it."""
TRIAL = 1
"""The record on which it tries a move and plays on."""
STEP = 2
"""The record on which a habit tries a single step."""
_NUM_RECORDS = 3


def new_desk() -> Desk:
    """Make the arrays for one thread of play."""
    return Desk(
        states=new_states(_NUM_RECORDS),
        legal=np.zeros((_NUM_RECORDS, NUM_ACTIONS), np.bool_),
        forced_log=np.zeros((0, 2), np.int16),
        outlook=np.zeros(NUM_OUTLOOK),
        shares=np.zeros(MAX_PLAYERS),
        places=np.zeros(MAX_PLAYERS, np.int64),
        wanted=np.zeros(NUM_SPOTS, np.int64),
    )
