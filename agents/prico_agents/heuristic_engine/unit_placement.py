"""Where a seat's units do most good."""

from typing import Any, Final

from prico_agents.heuristic_engine.evaluation import power_value, quarry_value
from prico_agents.heuristic_engine.horizon import Horizon
from prico_env.actions import PASS, TARGET
from prico_env.core.api import Rules, State, count_units, kernel, units_on
from prico_env.vocabulary import (
    NUM_CROP_BUILDINGS,
    NUM_GOODS,
    NUM_TILES,
    QUARRY,
    DecisionPoint,
    Good,
    Power,
)

_BARREL: Final = 0.75
"""VP of one more barrel, in arranging units."""
_SHIPPED_MORE: Final = 2.0
"""Barrels that a ship of one's own takes, which no other would."""
_USUAL_PRICE: Final = 3.0
_NO_SPOT: Final = -1


@kernel
def staff(rules: Rules, state: State, player: int, legal: Any, weights: Any, scratch: Any) -> int:
    """Move towards the best arrangement: take back what stands elsewhere, then put down.

    ``scratch.horizon`` must be that of the state.
    """
    _arrange(rules, state, player, weights, scratch)
    recalling = state["decision_point"] == DecisionPoint.RECALL
    last = PASS
    for action in range(PASS + 1, rules["num_actions"]):
        if not legal[action]:
            continue
        last = action
        spot = TARGET[action]
        standing = units_on(state, player, spot)
        if recalling:
            if standing > scratch.wanted[spot]:
                return action
        elif standing < scratch.wanted[spot]:
            return action
    if recalling and legal[PASS]:
        return PASS
    return last


@kernel
def _arrange(rules: Rules, state: State, player: int, weights: Any, scratch: Any) -> None:
    """Write into ``scratch.wanted`` how many units should stand on each spot: the best jobs first.

    A crop needs two, one on the field and one in the plant.
    """
    wanted = scratch.wanted
    wanted[:] = 0
    left = count_units(state, player)
    kinds = _kinds_possible(rules, state, player)
    while left > 0:
        best, best_spot = 0.0, _NO_SPOT
        for spot in range(rules["num_spots"]):
            if wanted[spot] < state["owned"][player, spot] * rules["circles"][spot]:
                worth = _job(rules, state, player, spot, kinds, weights, scratch)
                if worth > best:
                    best, best_spot = worth, spot
        if best_spot == _NO_SPOT:
            break
        wanted[best_spot] += 1
        left -= 1
        if Good.CORN < best_spot < NUM_GOODS and left > 0:
            wanted[_free_plant(rules, state, player, best_spot, wanted)] += 1
            left -= 1
    for spot in range(rules["num_spots"]):  # nobody may hold a unit back while a circle is empty
        idle = min(left, state["owned"][player, spot] * rules["circles"][spot] - wanted[spot])
        wanted[spot] += idle
        left -= idle


@kernel
def _job(
    rules: Rules, state: State, player: int, spot: int, kinds: float, weights: Any, scratch: Any
) -> float:
    """VP that one more unit on a spot brings, and 0 where it does nothing by itself."""
    wanted, horizon = scratch.wanted, scratch.horizon
    if spot == QUARRY:
        return quarry_value(wanted[spot], weights, horizon)
    if spot >= NUM_TILES:
        if spot < NUM_TILES + NUM_CROP_BUILDINGS:
            return 0.0  # comes with the field
        return _building_worth(rules, state, player, spot - NUM_TILES, kinds, weights, horizon)
    worth = _BARREL * horizon[Horizon.CRAFTSMEN]
    if wanted[spot] == 0:
        worth += _first_of_kind(rules, spot, weights, horizon)
    if spot == Good.CORN:
        return worth
    if _free_plant(rules, state, player, spot, wanted) == _NO_SPOT:
        return 0.0
    return worth / 2.0


@kernel
def _first_of_kind(rules: Rules, good: int, weights: Any, horizon: Any) -> float:
    """VP of producing a kind at all: it can be sold."""
    coins = weights["sale"] * rules["good_price"][good] + 0.5
    return coins * horizon[Horizon.COIN] * horizon[Horizon.TRADERS]


@kernel
def _free_plant(rules: Rules, state: State, player: int, good: int, wanted: Any) -> int:
    """The spot of a plant for a crop that still has a free circle."""
    for building in range(NUM_CROP_BUILDINGS):
        spot = NUM_TILES + building
        if rules["crop"][building] == good:
            if wanted[spot] < state["owned"][player, spot] * rules["circles"][spot]:
                return spot
    return _NO_SPOT


@kernel
def _kinds_possible(rules: Rules, state: State, player: int) -> float:
    """Kinds of goods for which a seat has both field and plant."""
    kinds = 1.0 if state["owned"][player, Good.CORN] > 0 else 0.0
    for building in range(NUM_CROP_BUILDINGS):
        good = rules["crop"][building]
        if state["owned"][player, NUM_TILES + building] > 0 and state["owned"][player, good] > 0:
            kinds += 1.0
    return min(kinds, float(NUM_GOODS))


@kernel
def _building_worth(
    rules: Rules, state: State, player: int, building: int, kinds: float, weights: Any, horizon: Any
) -> float:
    """VP that the first unit in a commercial building brings."""
    power = rules["power"][building]
    if power < 0:
        return 0.0
    if power == Power.OWN_SHIP:
        return _SHIPPED_MORE * horizon[Horizon.CAPTAINS]
    coins = weights["sale"] * horizon[Horizon.TRADERS] * horizon[Horizon.COIN]
    if power == Power.SALE_BONUS:
        return rules["power_amount"][building] * coins
    if power == Power.SELL_ANY_KIND:
        return weights["sale_any_kind"] * _USUAL_PRICE * coins
    return power_value(rules, state, player, building, kinds, weights, horizon)
