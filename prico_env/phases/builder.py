"""Builder: everyone may buy one building, cheaper with quarries and for the actor."""

from typing import Any

from prico_env._jit import kernel
from prico_env.actions import BUILD, BUILD_ACTION, PASS, PLACE_ACTION, TARGET
from prico_env.bank import can_hire, hire, pay_in
from prico_env.powers import put_worker
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.turns import next_turn, start_turns
from prico_env.vocabulary import (
    CITY_SPACES,
    NOBODY,
    NUM_BASE_BUILDINGS,
    NUM_TILES,
    QUARRY,
    EndReason,
    Phase,
    Point,
    Power,
)


@kernel
def begin(rules: Rules, state: State) -> None:
    """Start with the actor (R-ROL-6)."""
    state["phase"] = Phase.BUILDER
    start_turns(state, Point.BUY)


@kernel
def price(rules: Rules, state: State, player: int, building: int) -> int:
    """What a building costs a player right now, never below 0 (R-BLD-4..6, R-BLD-9)."""
    quarries = state["workers"][player, QUARRY] + state["citizens"][player, QUARRY]
    discount = min(quarries, rules["column"][building])
    if player == state["actor"]:
        discount += 1
    return max(0, rules["cost"][building] - discount)


@kernel
def can_buy(rules: Rules, state: State, player: int, building: int) -> bool:
    """Whether a copy is left, none is owned, and space and coins suffice (R-BLD-2..4)."""
    return (
        (state["building_supply"][building] > 0)
        & (state["tiles"][player, NUM_TILES + building] == 0)
        & (state["city_used"][player] + rules["spaces"][building] <= CITY_SPACES)
        & (price(rules, state, player, building) <= state["coins"][player])
    )


@kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Buy one building or none (R-BLD-1); then the university may staff it."""
    if state["point"] == Point.STAFF_BUILDING:
        return _fill_staff(rules, state, player, legal)
    legal[PASS] = True
    count = 1
    for building in range(NUM_BASE_BUILDINGS):  # their actions lie in a row: this loop is fast
        legal[BUILD + building] = can_buy(rules, state, player, building)
        count += legal[BUILD + building]
    for building in range(NUM_BASE_BUILDINGS, rules["num_buildings"]):
        legal[BUILD_ACTION[building]] = can_buy(rules, state, player, building)
        count += legal[BUILD_ACTION[building]]
    return count


@kernel
def _fill_staff(rules: Rules, state: State, player: int, legal: Any) -> int:
    """An occupied university puts one worker on the new building (R-UNI-1..5)."""
    spot = NUM_TILES + state["bought"]
    if state["powers"][player, Power.STAFF_BUILDING] == 0:
        return 0
    if rules["circles"][spot] == 0 or not can_hire(state):
        return 0
    legal[PLACE_ACTION[spot]] = True
    if not rules["ask_gains"]:
        return 1
    legal[PASS] = True
    return 2


@kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out one step of a builder's turn, in the order of R-BLD-10."""
    if state["point"] == Point.BUY and action != PASS:
        _buy(rules, state, player, TARGET[action])
        state["point"] = Point.STAFF_BUILDING
        return
    if action != PASS:
        hire(state)
        put_worker(rules, state, player, TARGET[action])
    state["bought"] = NOBODY
    next_turn(rules, state, Point.BUY)


@kernel
def _buy(rules: Rules, state: State, player: int, building: int) -> None:
    """Pay, place the building unoccupied; the 12th space triggers the end (R-BLD-10, R-BLD-11)."""
    pay_in(state, player, price(rules, state, player, building))
    state["building_supply"][building] -= 1
    state["tiles"][player, NUM_TILES + building] = 1
    state["city_used"][player] += rules["spaces"][building]
    state["bought"] = building
    if state["city_used"][player] >= CITY_SPACES:
        state["end_reasons"] |= EndReason.CITY


@kernel
def end(rules: Rules, state: State) -> None:
    """Nothing is left to do."""
