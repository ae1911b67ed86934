"""What the processor does better than NumPy gives what plain Python gives."""

import numpy as np
import pytest

from prico_env.core.intrinsics import lowest, nth_true, spots_in
from prico_env.vocabulary import NUM_SPOTS


@pytest.mark.parametrize("size", [1, 63, 64, 65, 140, 607])
def test_the_nth_allowed_action_is_found_wherever_it_stands(size):
    rng = np.random.default_rng(size)
    for share in (0.02, 0.5, 1.0):
        rows = (
            rng.random((3, size)) < share
        )  # a row that is found by more than its own values fails
        allowed = np.flatnonzero(rows[1])
        assert [nth_true(rows[1], n) for n in range(len(allowed))] == allowed.tolist()
        assert nth_true(rows[1], len(allowed)) == 0


def test_the_spots_of_a_row_are_those_that_are_not_zero_in_ascending_order():
    rng = np.random.default_rng(1)
    for _ in range(50):
        row = rng.integers(-1, 2, NUM_SPOTS).astype(np.int8)
        bits, found = spots_in(row), []
        while bits:
            found.append(lowest(bits))
            bits &= bits - 1
        assert found == np.flatnonzero(row).tolist()
