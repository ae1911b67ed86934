"""The second process of a first compilation: it compiles what the first one gave away."""

import os
import sys
import threading
from typing import Any, Final

import numpy as np
from numba import typeof

from prico_env.core.calls import GAME
from prico_env.core.engine import advance

SHARE: Final[Any] = advance
"""The kernel that it compiles, with all that belongs to it."""


def main() -> None:
    """Compile for the types that other kernels pass, and end when the first process does."""
    threading.Thread(target=_end_with_the_first, daemon=True).start()
    SHARE.compile(types_of_arguments())


def types_of_arguments() -> tuple[Any, ...]:
    """Return the types that a step passes, as Numba has them."""
    game = np.zeros(1, GAME)[0]
    legal = game["legal"].view(np.bool_)
    arguments = game["rules"], game["state"], legal, game["forced_log"], True
    return tuple(typeof(one) for one in arguments)


def _end_with_the_first() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
