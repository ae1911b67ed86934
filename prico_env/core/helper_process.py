"""The second process of a first compilation: it compiles what the first one gave away."""

import os
import sys
import threading
from typing import Any

import numpy as np
from numba import typeof

from prico_env.core.calls import GAME
from prico_env.core.engine import advance
from prico_env.core.first_compile import GIVEN_AWAY
from prico_env.core.kernel_key import full_name
from prico_env.core.observation import fill_observation


def main() -> None:
    """Compile for the types that other kernels pass, and end when the first process does."""
    threading.Thread(target=_end_with_the_first, daemon=True).start()
    game = np.zeros(1, GAME)[0]
    table = game["rules"], game["state"]
    shares: dict[Any, tuple[Any, ...]] = {
        advance: (*table, game["legal"].view(np.bool_), game["forced_log"], True),
        fill_observation: (*table, 0, np.zeros(1, np.uint8)),
    }
    assert {full_name(one.py_func) for one in shares} == set(GIVEN_AWAY)
    for kernel, arguments in shares.items():
        kernel.compile(tuple(typeof(one) for one in arguments))


def _end_with_the_first() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
