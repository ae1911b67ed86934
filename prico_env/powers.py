"""Units on their circles, and the powers that occupied buildings give.

``state["powers"]`` is the sum over a player's occupied buildings. It changes only here, when the
first unit comes to a building or the last one leaves it.
"""

from prico_env._jit import kernel
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.vocabulary import NUM_TILES


@kernel
def empty_circles(rules: Rules, state: State, player: int, spot: int) -> int:
    """How many circles of a spot are free (R-MAY-6)."""
    circles = state["tiles"][player, spot] * rules["circles"][spot]
    return circles - state["workers"][player, spot] - state["citizens"][player, spot]


@kernel
def _count_power(rules: Rules, state: State, player: int, building: int, sign: int) -> None:
    power = rules["power"][building]
    if power >= 0:
        state["powers"][player, power] += sign * rules["power_amount"][building]


@kernel
def put_worker(rules: Rules, state: State, player: int, spot: int) -> None:
    """Put a worker on a spot; a building works from its first unit on (R-GEN-2)."""
    state["workers"][player, spot] += 1
    if spot >= NUM_TILES and state["workers"][player, spot] == 1:
        _count_power(rules, state, player, spot - NUM_TILES, 1)


@kernel
def lift_worker(rules: Rules, state: State, player: int, spot: int) -> None:
    """Take a worker off a spot; a building without a unit does not work (R-GEN-2)."""
    state["workers"][player, spot] -= 1
    if spot >= NUM_TILES and state["workers"][player, spot] == 0:
        _count_power(rules, state, player, spot - NUM_TILES, -1)


@kernel
def recount_powers(rules: Rules, state: State, player: int) -> None:
    """Work out a player's powers from scratch."""
    state["powers"][player, :] = 0
    for building in range(rules["num_buildings"]):
        spot = NUM_TILES + building
        if state["workers"][player, spot] + state["citizens"][player, spot] > 0:
            _count_power(rules, state, player, building, 1)
