"""Smuggler: the actor raids a ship, plunders the house, poaches workers or captures a role."""

from typing import Any

from prico_env.actions import CAPTURE, GAIN, PASS, PLUNDER, POACH, RAID
from prico_env.core.bank import award_vp, barrels_in_house, empty_house, take_role_coins
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.phases import unit_handout
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.vocabulary import NOBODY, NUM_BASE_ROLES, DecisionPoint

MOST_BARRELS = 3
"""Barrels that a raid brings at most (R-SMG-4)."""


@kernel
def begin(rules: Rules, state: State) -> None:
    """Only the actor acts (R-SMG-2)."""
    state["turn"] = state["actor"]
    state["decision_point"] = DecisionPoint.SMUGGLE


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """One of the four actions where it has an effect, or nothing (R-SMG-4..7, Q-125..130)."""
    legal[PASS] = True
    if state["decision_point"] == DecisionPoint.RAID:
        legal[GAIN] = True
        return 2
    count = 1
    for ship in range(rules["num_ships"]):
        has_barrels = is_loaded(state, ship)
        legal[RAID + ship] = has_barrels
        count += has_barrels
    if barrels_in_house(state) > 0:
        legal[PLUNDER] = True
        count += 1
    if units_too_many(rules, state) > 0:
        legal[POACH] = True
        count += 1
    for role in range(NUM_BASE_ROLES):
        is_free = is_card_free(state, role)
        legal[CAPTURE + role] = is_free
        count += is_free
    return count


@kernel
def is_loaded(state: State, ship: int) -> bool:
    """Whether there are barrels to take from a ship (R-SMG-4)."""
    return state["ship_load"][ship] > 0


@kernel
def is_card_free(state: State, role: int) -> bool:
    """Whether nobody has taken a card in play this round (R-SMG-7)."""
    return state["role_owner"][role] == NOBODY


@kernel
def units_too_many(rules: Rules, state: State) -> int:
    """Units on the register beyond the number of players (R-SMG-6)."""
    return state["register_workers"] + state["register_citizens"] - rules["num_players"]


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out what the smuggler does; nothing else changes (R-SMG-10)."""
    if state["decision_point"] == DecisionPoint.RAID:
        _raid_on(state, player, action)
        return
    state["decision_point"] = DecisionPoint.PHASE_END
    if action >= CAPTURE:
        state["role_captor"][action - CAPTURE] = player
        take_role_coins(state, player, action - CAPTURE)
    elif action == POACH:
        unit_handout.poach(rules, state, player, units_too_many(rules, state))
    elif action == PLUNDER:
        award_vp(state, player, barrels_in_house(state))
        empty_house(state)
    elif action >= RAID:
        _raid(rules, state, player, action - RAID)


@kernel
def _raid(rules: Rules, state: State, player: int, ship: int) -> None:
    """Empty a ship: up to three barrels for the player, the rest to the supply (R-SMG-4)."""
    if rules["optional_gains_is_ask"]:
        state["cursor"] = ship
        state["decision_point"] = DecisionPoint.RAID
        return
    for _ in range(min(MOST_BARRELS, state["ship_load"][ship])):
        _take_barrel(state, player, ship)
    _sink(state, ship)


@kernel
def _raid_on(state: State, player: int, action: int) -> None:
    """Take one barrel more, or leave the rest (Q-126)."""
    ship = state["cursor"]
    if action == GAIN:
        _take_barrel(state, player, ship)
        state["value"] += 1
        if state["value"] < MOST_BARRELS and state["ship_load"][ship] > 0:
            return
    _sink(state, ship)
    state["cursor"] = 0
    state["value"] = 0
    state["decision_point"] = DecisionPoint.PHASE_END


@kernel
def _take_barrel(state: State, player: int, ship: int) -> None:
    state["ship_load"][ship] -= 1
    state["goods"][player, state["ship_good"][ship]] += 1


@kernel
def _sink(state: State, ship: int) -> None:
    """Return what is left on a ship to the supply."""
    state["goods_supply"][state["ship_good"][ship]] += state["ship_load"][ship]
    state["ship_load"][ship] = 0
    state["ship_good"][ship] = NOBODY
