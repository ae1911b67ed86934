"""Units on their circles, and the powers that occupied buildings give.

``state["powers"]`` is the sum over a player's occupied buildings. It changes only here, when the
first unit comes to a building or the last one leaves it. A building with two sides gives as much of
its power as the kind of unit on it says (`Side`).
"""

from typing import Any

from prico_env.core.intrinsics import lowest, spots_in
from prico_env.core.jit import kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.vocabulary import NUM_GOODS, NUM_SPOTS, NUM_TILES, PORTRAIT, Power, Unit


@kernel
def units_on(state: State, player: int, spot: int) -> int:
    """Workers and citizens on a spot."""
    return int(state["workers"][player, spot]) + int(state["citizens"][player, spot])


@kernel
def has_unit(state: State, player: int, spot: int, unit: int) -> bool:
    """Whether a unit of a kind stands on a spot or, where ``spot`` says so, on the portrait."""
    if spot == PORTRAIT:
        if unit == Unit.WORKER:
            return state["portrait_workers"][player] > 0
        return state["portrait_citizens"][player] > 0
    if unit == Unit.WORKER:
        return state["workers"][player, spot] > 0
    return state["citizens"][player, spot] > 0


@kernel
def empty_circles(rules: Rules, state: State, player: int, spot: int) -> int:
    """How many circles of a spot are free (R-MAY-6)."""
    return state["owned"][player, spot] * rules["circles"][spot] - units_on(state, player, spot)


@kernel
def is_passed(state: State, spot: int, unit: int) -> bool:
    """Whether the place of a spot has passed: workers' spots ascend, then those of citizens."""
    return spot + unit * NUM_SPOTS < state["cursor"]


@kernel
def free_circles(rules: Rules, state: State, player: int) -> int:
    """All circles without a unit."""
    circles = 0
    spots = spots_in(state["owned"][player])
    while spots:
        circles += empty_circles(rules, state, player, lowest(spots))
        spots &= spots - 1
    return circles


@kernel
def _count_power(
    rules: Rules, state: State, player: int, building: int, unit: int, sign: int
) -> None:
    power = rules["power"][building]
    if power >= 0:
        amount = rules["citizen_amount"] if unit == Unit.CITIZEN else rules["power_amount"]
        state["powers"][player, power] += sign * amount[building]


@kernel
def put_worker(rules: Rules, state: State, player: int, spot: int) -> None:
    """Put a worker on a spot; a building works from its first unit on (R-GEN-2)."""
    state["workers"][player, spot] += 1
    if spot >= NUM_TILES and units_on(state, player, spot) == 1:
        _count_power(rules, state, player, spot - NUM_TILES, Unit.WORKER, 1)


@kernel
def lift_worker(rules: Rules, state: State, player: int, spot: int) -> None:
    """Take a worker off a spot; a building without a unit does not work (R-GEN-2)."""
    state["workers"][player, spot] -= 1
    if spot >= NUM_TILES and units_on(state, player, spot) == 0:
        _count_power(rules, state, player, spot - NUM_TILES, Unit.WORKER, -1)


@kernel
def put_unit(rules: Rules, state: State, player: int, spot: int, unit: int) -> None:
    """Put a unit of either kind on a spot."""
    if unit == Unit.WORKER:
        put_worker(rules, state, player, spot)
        return
    state["citizens"][player, spot] += 1
    if spot >= NUM_TILES and units_on(state, player, spot) == 1:
        _count_power(rules, state, player, spot - NUM_TILES, unit, 1)


@kernel
def lift_unit(rules: Rules, state: State, player: int, spot: int, unit: int) -> None:
    """Take a unit of either kind off a spot."""
    if unit == Unit.WORKER:
        lift_worker(rules, state, player, spot)
        return
    state["citizens"][player, spot] -= 1
    if spot >= NUM_TILES and units_on(state, player, spot) == 0:
        _count_power(rules, state, player, spot - NUM_TILES, unit, -1)


@kernel
def give_unit(rules: Rules, state: State, player: int, spot: int, unit: int) -> None:
    """Put a unit on a spot or, where ``spot`` says so, on the portrait."""
    if spot != PORTRAIT:
        put_unit(rules, state, player, spot, unit)
    elif unit == Unit.WORKER:
        state["portrait_workers"][player] += 1
    else:
        state["portrait_citizens"][player] += 1


@kernel
def take_unit(rules: Rules, state: State, player: int, spot: int, unit: int) -> None:
    """Take a unit from a spot or, where ``spot`` says so, from the portrait."""
    if spot != PORTRAIT:
        lift_unit(rules, state, player, spot, unit)
    elif unit == Unit.WORKER:
        state["portrait_workers"][player] -= 1
    else:
        state["portrait_citizens"][player] -= 1


@kernel
def count_citizens(state: State, player: int) -> int:
    """All citizens on a player's board, the portrait included (R-X2-9)."""
    return int(state["portrait_citizens"][player]) + _total(state["citizens"][player])


@kernel
def count_workers(state: State, player: int) -> int:
    """All workers on a player's board, the portrait included."""
    return int(state["portrait_workers"][player]) + _total(state["workers"][player])


@kernel
def _total(row: Any) -> int:
    """All units of a kind on the spots of a board."""
    units = 0
    spots = spots_in(row)
    while spots:
        units += int(row[lowest(spots)])
        spots &= spots - 1
    return units


@kernel
def count_goods(state: State, player: int) -> int:
    """All barrels of a player."""
    barrels = 0
    for good in range(NUM_GOODS):
        barrels += int(state["goods"][player, good])
    return barrels


@kernel
def holds(state: State, player: int, good: int) -> bool:
    """Whether a player has a barrel of a kind."""
    return state["goods"][player, good] > 0


@kernel
def has_power(state: State, player: int, power: int) -> bool:
    """Whether an occupied building gives a player a power."""
    return state["powers"][player, power] > 0


@kernel
def owns(rules: Rules, state: State, player: int, power: int) -> bool:
    """Whether a player has the building of a power, occupied or not; of the first such building."""
    spot = rules["power_spot"][power]
    return state["owned"][player, spot] > 0


@kernel
def privilege(rules: Rules, state: State, player: int) -> int:
    """How often the privilege counts: 1 for the actor, 2 with a library, 0 for others (R-LIB-1).

    A library doubles it in a role that its owner picked, not in a captured one (R-LIB-9, Q-134).
    """
    if player != state["actor"]:
        return 0
    if state["powers"][player, Power.DOUBLE_PRIVILEGE] == 0:
        return 1
    if state["captured"] and not rules["smuggler_affected_by_buildings"]:
        return 1
    return 2


@kernel
def recount_powers(rules: Rules, state: State, player: int) -> None:
    """Work out a player's powers from scratch."""
    state["powers"][player, :] = 0
    for building in range(rules["num_buildings"]):
        spot = NUM_TILES + building
        if units_on(state, player, spot) > 0:
            unit = Unit.WORKER if state["workers"][player, spot] > 0 else Unit.CITIZEN
            _count_power(rules, state, player, building, unit, 1)
