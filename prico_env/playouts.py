"""Who plays games on without being watched: compiled policies, by name or handed in.

A playout goes from a position to the end of the game in compiled code, as the rollouts of a search
do. The game itself brings ``"random"``; the package of players registers the others.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prico_env.core.calls import play_randomly
from prico_env.loaders import Loaders

PlayoutPolicy: TypeAlias = Callable[
    [NDArray[Any], NDArray[Any], NDArray[np.int64], int, NDArray[np.int32], int, int], None
]
"""Plays a range of games on in place: ``(table, states, seeds, limit, decisions, start, stop)``.

``table`` has records of rule sets and ``states`` those of ``n`` games, whose field ``rules`` is a
row of the table. Games ``start`` to ``stop - 1`` are played to their end, or for ``limit``
decisions unless that is -1, the chance of the players in each coming from its seed alone; how many
decisions it were goes into ``decisions``, int32, shape ``(n,)``. Several threads call it at once
for different ranges, so it keeps nothing between calls and releases the global interpreter lock.
"""

PLAYOUTS: Final = Loaders[PlayoutPolicy](
    "a",
    "playout policy",
    "(table, states, seeds, limit, decisions, start, stop) -> None",
    play_randomly,
)
"""Playout policies by name."""

register_playout_loader = PLAYOUTS.register
find_playout = PLAYOUTS.find
