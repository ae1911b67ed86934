"""Mayor: units are dealt from the register, then every seat puts its units to work."""

from typing import Any

from prico_env.actions import DEAL_CITIZEN, DEAL_WORKER, GAIN, PASS, VILLA
from prico_env.core.bank import can_hire, hire, register_of, take_off_register, take_villa_unit
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import interrupt, next_turn, seats_acting, start_turns
from prico_env.core.units import empty_circles, give_unit, has_power, privilege
from prico_env.vocabulary import (
    NUM_TILES,
    PORTRAIT,
    DecisionPoint,
    EndReason,
    Power,
    Unit,
    UsedOnce,
    VillaMode,
)


@kernel
def begin(rules: Rules, state: State) -> None:
    """Start with the villas, where they come first, or the actor's privilege (R-MAY-1, R-VIL-1)."""
    if rules["citizens"] and rules["villa_timing_is_phase_start"]:
        start_turns(state, DecisionPoint.OPENING)
        return
    start_turns(state, DecisionPoint.MAYOR_PRIVILEGE)
    asks = rules["optional_gains_is_ask"] > 0
    if not asks and not may_replace_privilege(rules, state, state["actor"]):
        _take_privilege(rules, state, state["actor"], PASS)


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Take the privilege worker where that is asked, or a kind of unit in dealing."""
    point = state["decision_point"]
    if point == DecisionPoint.DEAL:
        return _fill_deal(rules, state, player, legal)
    if point == DecisionPoint.OPENING:
        return 0
    return _fill_privilege(rules, state, player, legal)


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out one step before the staffing."""
    point = state["decision_point"]
    if point == DecisionPoint.OPENING:
        next_turn(rules, state, DecisionPoint.OPENING, DecisionPoint.MAYOR_PRIVILEGE)
        if state["powers"][player, Power.VILLA] > 0:
            _offer_villa_unit(rules, state, player)
    elif point == DecisionPoint.MAYOR_PRIVILEGE:
        _take_privilege(rules, state, player, action)
    else:
        _take_dealt(rules, state, player, action)


# -- the privilege and the villa -------------------------------------------------------------------


@kernel
def _fill_privilege(rules: Rules, state: State, player: int, legal: Any) -> int:
    """A worker, or nobody, where that is asked; or a citizen by the villa (R-ROL-9, Q-117)."""
    asks = rules["optional_gains_is_ask"] > 0
    villa = may_replace_privilege(rules, state, player)
    gain = can_hire(rules, state)
    if not villa and not (asks and gain):
        return 0
    legal[GAIN] = gain
    if villa:
        legal[VILLA] = True
    legal[PASS] = asks or not gain
    return int(gain) + int(villa) + int(legal[PASS])


@kernel
def may_replace_privilege(rules: Rules, state: State, player: int) -> bool:
    """Whether a citizen may come in place of a worker of the privilege (R-VIL-1, Q-117)."""
    return (
        rules["villa_mode"] == VillaMode.REPLACE_PRIVILEGE
        and state["powers"][player, Power.VILLA] > 0
        and state["used_once"][player] & UsedOnce.VILLA == 0
        and state["citizen_supply"] > 0
    )


@kernel
def _take_privilege(rules: Rules, state: State, player: int, action: int) -> None:
    """Take a worker from the supply, two with a library; or the villa's citizen (R-MAY-1, Q-41).

    Passing declines what is asked for; where nothing is, it takes what is left.
    """
    left = privilege(rules, state, player) - state["value"]
    if action == VILLA:
        state["used_once"][player] |= UsedOnce.VILLA
        take_villa_unit(rules, state, player)
    if action != PASS and left > 1:
        state["value"] += 1
        if action == GAIN:
            hire(rules, state, player, PORTRAIT)
        return
    if action == VILLA or (action == PASS and rules["optional_gains_is_ask"]):
        left = 0
    state["value"] = 0
    start_turns(state, DecisionPoint.DEAL)
    for _ in range(left):
        if can_hire(rules, state):
            hire(rules, state, player, PORTRAIT)
    if state["decision_point"] == DecisionPoint.DEAL:
        _deal(rules, state)


@kernel
def _offer_villa_unit(rules: Rules, state: State, player: int) -> None:
    """Take the villa's unit, or ask for it, if there is one (R-VIL-1, R-VIL-2)."""
    if not is_supply_left(state):
        return
    if rules["optional_gains_is_ask"]:
        interrupt(state, DecisionPoint.GAIN_UNITS, player, 1)
    else:
        take_villa_unit(rules, state, player)


# -- dealing ---------------------------------------------------------------------------------------


@kernel
def _fill_deal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Which kind of unit to take; with the classic villa, or one from the supply (R-X2-6, R-VIL-1).

    Without a choice there is nothing to ask: the dealing goes on by itself.
    """
    if rules["villa_mode"] == VillaMode.EXTRA and uses_villa(rules, state, player):
        return 0  # its unit comes before the one from the register
    workers = register_of(state, Unit.WORKER) > 0
    citizens = register_of(state, Unit.CITIZEN) > 0
    villa = _may_replace(rules, state, player)
    if not villa and not (workers and citizens):
        return 0
    legal[DEAL_WORKER] = workers
    legal[DEAL_CITIZEN] = citizens
    legal[VILLA] = villa
    legal[PASS] = is_register_empty(state)
    return int(workers) + int(citizens) + int(villa) + int(legal[PASS])


@kernel
def is_register_empty(state: State) -> bool:
    """Whether nobody is left to be dealt (R-MAY-2)."""
    return register_of(state, Unit.WORKER) + register_of(state, Unit.CITIZEN) == 0


@kernel
def uses_villa(rules: Rules, state: State, player: int) -> bool:
    """Whether it is the first turn of somebody whose villa works then (R-VIL-1)."""
    return (
        has_power(state, player, Power.VILLA)
        and rules["villa_mode"] != VillaMode.REPLACE_PRIVILEGE
        and state["turns"] < seats_acting(rules, state)
        and not rules["villa_timing_is_phase_start"]
        and state["used_once"][player] & UsedOnce.VILLA == 0
    )


@kernel
def _may_replace(rules: Rules, state: State, player: int) -> bool:
    """Whether a unit from the supply may replace the one from the register (R-VIL-1, Q-117)."""
    if rules["villa_mode"] == VillaMode.EXTRA or not uses_villa(rules, state, player):
        return False
    return is_supply_left(state)


@kernel
def is_supply_left(state: State) -> bool:
    """Whether the supply has a unit of either kind (R-VIL-2)."""
    return state["citizen_supply"] + state["worker_supply"] > 0


@kernel
def _take_dealt(rules: Rules, state: State, player: int, action: int) -> None:
    """Take the unit chosen, and deal on up to the next choice (R-MAY-2, R-X2-6)."""
    if action == VILLA:
        take_villa_unit(rules, state, player)
        _next_to_take(rules, state)
    elif action == DEAL_CITIZEN:
        _take_from_register(rules, state, player, Unit.CITIZEN)
        _next_to_take(rules, state)
    elif action == DEAL_WORKER:
        _take_from_register(rules, state, player, Unit.WORKER)
        _next_to_take(rules, state)
    elif _may_replace(rules, state, player):
        _next_to_take(rules, state)
    _deal(rules, state)


@kernel
def _take_from_register(rules: Rules, state: State, player: int, unit: int) -> None:
    """Take a unit from the register; it is not placed before all are dealt (R-MAY-4)."""
    take_off_register(state, unit)
    give_unit(rules, state, player, PORTRAIT, unit)


@kernel
def _next_to_take(rules: Rules, state: State) -> None:
    """Let the left neighbour take the next unit, round and round (R-MAY-2)."""
    seats = seats_acting(rules, state)
    state["turns"] = min(state["turns"] + 1, seats)
    if seats > 1:
        state["turn"] = (state["turn"] + 1) % rules["num_players"]


@kernel
def _deal(rules: Rules, state: State) -> None:
    """Deal the register out one unit at a time, the actor first (R-MAY-2).

    Everyone has a first turn even when the register is empty, for the villas.
    """
    units = int(state["register_workers"]) + int(state["register_citizens"])
    for _ in range(units + seats_acting(rules, state) + 1):  # a turn brings a unit, or is a first
        player = state["turn"]
        if rules["citizens"]:
            if _may_replace(rules, state, player):
                return
            if uses_villa(rules, state, player):
                state["used_once"][player] |= UsedOnce.VILLA
                _offer_villa_unit(rules, state, player)
                if state["decision_point"] != DecisionPoint.DEAL:
                    return
        if state["register_citizens"] > 0:
            if state["register_workers"] > 0:
                return
            _take_from_register(rules, state, player, Unit.CITIZEN)
        elif state["register_workers"] > 0:
            _take_from_register(rules, state, player, Unit.WORKER)
        elif not rules["citizens"] or state["turns"] >= seats_acting(rules, state):
            break
        _next_to_take(rules, state)
    start_turns(state, DecisionPoint.RECALL)


@kernel
def end(rules: Rules, state: State) -> None:
    """Refill the register; without citizens a shortage triggers the end (R-MAY-11..13, R-X2-4)."""
    empty = 0
    for player in range(rules["num_players"]):
        for spot in range(NUM_TILES, rules["num_spots"]):
            empty += empty_circles(rules, state, player, spot)
    required = max(rules["num_players"], empty)
    citizens = min(1, state["citizen_supply"])
    workers = min(required - citizens, state["worker_supply"])
    state["citizen_supply"] -= citizens
    state["register_citizens"] = citizens
    state["worker_supply"] -= workers
    state["register_workers"] = workers
    if rules["citizens"]:
        state["used_once"][:] = 0
    elif workers < required:
        state["end_reasons"] |= EndReason.WORKERS
