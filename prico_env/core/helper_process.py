"""The second process of a first compilation: it compiles what the first one gave away."""

import os
import sys
import threading
from typing import Any

import numpy as np
from numba import typeof

from prico_env.core.calls import GAME
from prico_env.core.engine import advance


def main() -> None:
    """Compile for the types that other kernels pass, and end when the first process does."""
    threading.Thread(target=_end_with_the_first, daemon=True).start()
    game = np.zeros(1, GAME)[0]
    legal = game["legal"].view(np.bool_)
    arguments = game["rules"], game["state"], legal, game["forced_log"], True
    kernel: Any = advance
    kernel.compile(tuple(typeof(one) for one in arguments))


def _end_with_the_first() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
