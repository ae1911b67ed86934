"""The random generator that lives in a game's record: SFC32.

SFC32 is the 32-bit "Small Fast Chaotic" generator of Chris Doty-Humphrey (PractRand), the little
sister of NumPy's SFC64, seeded the way PractRand seeds it. Every operation fits into signed 64-bit
integers, so a seed gives the same numbers compiled and in plain Python, on every platform.
"""

from typing import Any, Final

import numpy as np

from prico_env.core.intrinsics import nth_true
from prico_env.core.jit import kernel

_MASK: Final = 0xFFFFFFFF
_WARM_UP: Final = 12
_MOST_DRAWS: Final = 64
"""Numbers that `below` draws at most: two are needed once in many million calls."""
MAX_SEED: Final = 2**63 - 1
"""Seeds run from 0 to this number."""


@kernel
def next_number(rng: Any) -> int:
    """Draw the next number from 0 to 2**32 - 1 and move the generator on, shape ``(4,)``."""
    a, b = np.int64(rng[0]), np.int64(rng[1])
    c, counter = np.int64(rng[2]), np.int64(rng[3])
    number = (a + b + counter) & _MASK
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & _MASK
    rng[2] = ((((c << 21) | (c >> 11)) & _MASK) + number) & _MASK
    rng[3] = (counter + 1) & _MASK
    return int(number)


@kernel
def seed_rng(rng: Any, seed: int) -> None:
    """Start the generator from a seed of up to 63 bits."""
    rng[0] = 0
    rng[1] = seed & _MASK
    rng[2] = (seed >> 32) & _MASK
    rng[3] = 1
    for _ in range(_WARM_UP):
        next_number(rng)


@kernel
def draw_legal(rng: Any, legal: Any, count: int) -> int:
    """Draw one of the ``count`` allowed actions, each as likely as the others."""
    return nth_true(legal, below(rng, count))


@kernel
def below(rng: Any, limit: int) -> int:
    """Draw a number from 0 to ``limit - 1``, each exactly as likely (Lemire's method)."""
    product = next_number(rng) * limit
    if (product & _MASK) < limit:
        threshold = (_MASK + 1 - limit) % limit
        draws = 1
        while (product & _MASK) < threshold and draws < _MOST_DRAWS:
            product = next_number(rng) * limit
            draws += 1
    return product >> 32
