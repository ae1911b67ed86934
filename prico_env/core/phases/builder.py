"""Builder: everyone may buy one building, cheaper with quarries and for the actor."""

from typing import Any, Final

from prico_env.actions import (
    BUILD,
    BUILD_ACTION,
    PASS,
    PAY_ACTION,
    PAY_GOOD,
    PAY_VP,
    PLACE_ACTION,
    TARGET,
    UNIT,
)
from prico_env.core import festival
from prico_env.core.bank import (
    can_hire,
    hire,
    offer_vp,
    pay_in,
    return_barrel,
    return_units,
    return_vp,
)
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import closing, next_turn, start_turns
from prico_env.core.units import has_power, has_unit, holds, privilege, take_unit
from prico_env.vocabulary import (
    CITY_SPACES,
    NOBODY,
    NUM_BASE_BUILDINGS,
    NUM_GOODS,
    NUM_TILES,
    PORTRAIT,
    QUARRY,
    DecisionPoint,
    EndReason,
    Power,
    Side,
    Unit,
)

_FORESTS_PER_COIN: Final = 2
_LARGE_COLUMN: Final = 4
_NOTARY_SMALL: Final = 1
_NOTARY_LARGE: Final = 2

# What may be returned through the black market, in the order in which it is asked (R-BLK-2).
UNIT_STAGE: Final = 0
GOOD_STAGE: Final = 1
VP_STAGE: Final = 2
_NUM_STAGES: Final = 3


@kernel
def begin(rules: Rules, state: State) -> None:
    """Start with the actor (R-ROL-6)."""
    start_turns(state, DecisionPoint.BUY)


# -- prices ----------------------------------------------------------------------------------------


@kernel
def _discounts(rules: Rules, state: State, player: int) -> tuple[int, int, int]:
    """What is off the cost: by quarries, for small and for large buildings (R-BLD-5..8)."""
    quarries = state["workers"][player, QUARRY] + state["citizens"][player, QUARRY]
    every = privilege(rules, state, player) + state["own_forests"][player] // _FORESTS_PER_COIN
    notary = state["powers"][player, Power.NOTARY]
    small = every + _NOTARY_SMALL * (notary == Side.WORKER)
    large = every + _NOTARY_LARGE * (notary == Side.CITIZEN)
    return quarries, small, large


@kernel
def _price(rules: Rules, building: int, discounts: tuple[int, int, int]) -> int:
    """The price with these discounts; the column limits the quarries (R-BLD-4, R-BLD-9)."""
    quarries, small, large = discounts
    column = rules["column"][building]
    discount = min(quarries, column) + (large if column == _LARGE_COLUMN else small)
    return max(0, rules["cost"][building] - discount)


@kernel
def price(rules: Rules, state: State, player: int, building: int) -> int:
    """What a building costs a player right now, never below 0 (R-BLD-4..9)."""
    return _price(rules, building, _discounts(rules, state, player))


@kernel
def _is_for_sale(rules: Rules, state: State, player: int, building: int) -> bool:
    """Whether a copy is left, none is owned, and there is space for it (R-BLD-2, R-BLD-3)."""
    return (
        is_left(state, building)
        & (not has_building(state, player, building))
        & has_room_for(rules, state, player, building)
    )


@kernel
def is_left(state: State, building: int) -> bool:
    """Whether a copy of a building is left to buy (R-BLD-2)."""
    return state["building_supply"][building] > 0


@kernel
def has_building(state: State, player: int, building: int) -> bool:
    """Whether a player has a building already (R-BLD-2)."""
    return state["owned"][player, NUM_TILES + building] > 0


@kernel
def has_room_for(rules: Rules, state: State, player: int, building: int) -> bool:
    """Whether a building fits into a player's city (R-BLD-3)."""
    return state["city_used"][player] + rules["spaces"][building] <= CITY_SPACES


@kernel
def _means(rules: Rules, state: State, player: int) -> int:
    """What a player can pay at most (R-BLD-4, R-BLK-1)."""
    return state["coins"][player] + barter(rules, state, player)


@kernel
def can_pay(rules: Rules, state: State, player: int, building: int) -> bool:
    """Whether the price of a building is within a player's means (R-BLD-4, R-BLK-1)."""
    return price(rules, state, player, building) <= _means(rules, state, player)


@kernel
def barter(rules: Rules, state: State, player: int) -> int:
    """How many missing coins a player could make up for (R-BLK-1, R-BLK-2)."""
    if not has_power(state, player, Power.BARTER):
        return 0
    resources = 0
    for stage in range(_NUM_STAGES):
        resources += _has_resource(rules, state, player, stage)
    return resources


@kernel
def _has_resource(rules: Rules, state: State, player: int, stage: int) -> bool:
    """Whether the player has a unit, a barrel or a VP to return (R-BLK-2, R-BLK-5)."""
    if stage == VP_STAGE:
        return has_vp(state, player)
    if stage == GOOD_STAGE:
        for good in range(NUM_GOODS):
            if holds(state, player, good):
                return True
        return False
    for spot in range(rules["num_spots"]):
        for unit in range(2):
            if _may_return(rules, state, player, spot, unit):
                return True
    for unit in range(2):
        if has_unit(state, player, PORTRAIT, unit):
            return True
    return False


@kernel
def has_vp(state: State, player: int) -> bool:
    """Whether a player has a VP to return (R-BLK-2)."""
    return state["vp"][player] > 0


@kernel
def _may_return(rules: Rules, state: State, player: int, spot: int, unit: int) -> bool:
    """Whether a unit of a kind stands on a spot and may be returned (R-BLK-5)."""
    return may_return_from(rules, spot) and has_unit(state, player, spot, unit)


@kernel
def may_return_from(rules: Rules, spot: int) -> bool:
    """Whether units of a spot may be returned: by edition not the black market's own (R-BLK-5)."""
    spared = rules["black_market_excludes_own_worker"]
    return not spared or spot != rules["power_spot"][Power.BARTER]


# -- decisions -------------------------------------------------------------------------------------


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Choose a building, pay for it, and staff it with the university."""
    point = state["decision_point"]
    if point == DecisionPoint.BUY:
        return _fill_buy(rules, state, player, legal)
    if point == DecisionPoint.STAFF_BUILDING:
        return _fill_staff(rules, state, player, legal)
    if point == DecisionPoint.PAY:
        return _fill_pay(rules, state, player, legal)
    return 0


@kernel
def _fill_buy(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Every building that is for sale and within the player's means, or none (R-BLD-1..4)."""
    discounts = _discounts(rules, state, player)
    means = _means(rules, state, player)
    legal[PASS] = True
    count = 1
    for building in range(NUM_BASE_BUILDINGS):  # their actions lie in a row: this loop is fast
        legal[BUILD + building] = _is_for_sale(rules, state, player, building) & (
            _price(rules, building, discounts) <= means
        )
        count += legal[BUILD + building]
    for building in range(NUM_BASE_BUILDINGS, rules["num_buildings"]):
        may_buy = _is_for_sale(rules, state, player, building) & (
            _price(rules, building, discounts) <= means
        )
        legal[BUILD_ACTION[building]] = may_buy
        count += may_buy
    return count


@kernel
def _fill_pay(rules: Rules, state: State, player: int, legal: Any) -> int:
    """The next resource to return, if those behind it cover what is then missing (R-BLK-2..5)."""
    count = 0
    for stage in range(_NUM_STAGES):
        if may_return_next(rules, state, player, stage):
            count += _fill_resource(rules, state, player, stage, legal)
    return count


@kernel
def may_return_next(rules: Rules, state: State, player: int, stage: int) -> bool:
    """Whether a resource is next, and those behind it cover what is then missing."""
    behind = 0
    for later in range(stage + 1, _NUM_STAGES):
        behind += _has_resource(rules, state, player, later)
    return stage >= state["cursor"] and state["value"] - 1 <= behind


@kernel
def _fill_resource(rules: Rules, state: State, player: int, stage: int, legal: Any) -> int:
    """Mark every unit, barrel or VP that may be returned."""
    if stage == VP_STAGE:
        legal[PAY_VP] = has_vp(state, player)
        return int(legal[PAY_VP])
    count = 0
    if stage == GOOD_STAGE:
        for good in range(NUM_GOODS):
            is_held = holds(state, player, good)
            legal[PAY_GOOD + good] = is_held
            count += is_held
        return count
    for unit in range(2):
        for spot in range(rules["num_spots"]):
            if _may_return(rules, state, player, spot, unit):
                legal[PAY_ACTION[unit, spot]] = True
                count += 1
        if has_unit(state, player, PORTRAIT, unit):
            legal[PAY_ACTION[unit, PORTRAIT]] = True
            count += 1
    return count


@kernel
def _fill_staff(rules: Rules, state: State, player: int, legal: Any) -> int:
    """An occupied university puts one worker on the new building (R-UNI-1..5)."""
    spot = NUM_TILES + state["bought"]
    if not has_power(state, player, Power.STAFF_BUILDING):
        return 0
    if rules["circles"][spot] == 0 or not can_hire(rules, state):
        return 0
    legal[PLACE_ACTION[Unit.WORKER, spot]] = True
    if not rules["optional_gains_is_ask"]:
        return 1
    legal[PASS] = True
    return 2


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out one step of a builder's turn, in the order of R-BLD-10."""
    point = state["decision_point"]
    if point == DecisionPoint.BUY:
        if action == PASS:
            next_turn(rules, state, DecisionPoint.BUY, closing(rules, DecisionPoint.PHASE_END))
        else:
            _buy(rules, state, player, TARGET[action])
    elif point == DecisionPoint.PAY:
        _return_resource(rules, state, player, action)
    elif point == DecisionPoint.STAFF_BUILDING:
        state["decision_point"] = DecisionPoint.BUILT
        if action != PASS:
            hire(rules, state, player, TARGET[action])
        if state["decision_point"] == DecisionPoint.BUILT:
            _reward(rules, state, player)
    else:
        _reward(rules, state, player)


@kernel
def _buy(rules: Rules, state: State, player: int, building: int) -> None:
    """Pay; what coins do not cover is asked for by the black market (R-BLD-10, R-BLK-3)."""
    coins = price(rules, state, player, building)
    state["bought"] = building
    gap = coins - state["coins"][player]
    if gap > 0:
        pay_in(state, player, state["coins"][player])
        state["value"] = gap
        state["decision_point"] = DecisionPoint.PAY
    else:
        pay_in(state, player, coins)
        _place_building(rules, state, player)


@kernel
def _return_resource(rules: Rules, state: State, player: int, action: int) -> None:
    """Return a unit, a barrel or a VP for one missing coin (R-BLK-1, R-BLK-6)."""
    if action == PAY_VP:
        return_vp(state, player)
    elif PAY_GOOD <= action < PAY_GOOD + NUM_GOODS:
        return_barrel(state, player, action - PAY_GOOD)
        state["cursor"] = VP_STAGE
    else:
        take_unit(rules, state, player, TARGET[action], UNIT[action])
        return_units(state, UNIT[action], 1)
        state["cursor"] = GOOD_STAGE
    state["value"] -= 1
    if state["value"] == 0:
        state["cursor"] = 0
        _place_building(rules, state, player)


@kernel
def _place_building(rules: Rules, state: State, player: int) -> None:
    """Place the building, unoccupied; the 12th space triggers the end (R-BLD-10, R-BLD-11)."""
    building = state["bought"]
    state["building_supply"][building] -= 1
    state["owned"][player, NUM_TILES + building] = 1
    state["city_used"][player] += rules["spaces"][building]
    if state["city_used"][player] >= CITY_SPACES:
        state["end_reasons"] |= EndReason.CITY
    if state["powers"][player, Power.STAFF_BUILDING] > 0:
        state["decision_point"] = DecisionPoint.STAFF_BUILDING
    else:
        _reward(rules, state, player)


@kernel
def _reward(rules: Rules, state: State, player: int) -> None:
    """What a purchase brings: the church's VP, then the festival's; the turn ends (R-BLD-10)."""
    building = state["bought"]
    state["bought"] = NOBODY
    next_turn(rules, state, DecisionPoint.BUY, closing(rules, DecisionPoint.PHASE_END))
    festival.check_building(rules, state, player, building)
    if state["powers"][player, Power.BUILD_VP] > 0:
        offer_vp(rules, state, player, _church_vp(rules, building))


@kernel
def _church_vp(rules: Rules, building: int) -> int:
    """VP for a building by its column, none for the church itself (R-CHU-1, R-CHU-2)."""
    if rules["power"][building] == Power.BUILD_VP:
        return 0
    return rules["column"][building] // 2
