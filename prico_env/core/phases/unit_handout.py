"""Units in hand that are placed at once: poached from the register, or the festival's reward.

The kinds are chosen first, citizens before workers, then spots in ascending order, workers before
citizens, so that every outcome is reached by exactly one sequence of actions.
"""

from typing import Any, Final

from prico_env.actions import (
    DEAL_CITIZEN,
    DEAL_WORKER,
    GAIN,
    PASS,
    PLACE_ACTION,
    TARGET,
    UNIT,
)
from prico_env.core.bank import (
    hirable,
    hire_unit,
    register_of,
    return_units,
    supply_of,
    take_off_register,
    take_villa_unit,
)
from prico_env.core.festival import give_workers
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import interrupt, resume
from prico_env.core.units import empty_circles, is_passed, put_unit
from prico_env.vocabulary import NUM_SPOTS, DecisionPoint, Phase, Unit

MOST_POACHED: Final = 3
"""Poached units that the smuggler may place (R-SMG-6)."""


@kernel
def poach(rules: Rules, state: State, player: int, count: int) -> None:
    """Take so many units off the register; up to three may be placed (R-SMG-6, Q-128)."""
    interrupt(state, DecisionPoint.GATHER, player, count)
    _gather_what_is_clear(rules, state)


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Choose a kind, place a unit, or take or leave what is offered."""
    point = state["decision_point"]
    if point == DecisionPoint.PLACE_UNITS:
        return _fill_place(rules, state, player, legal)
    if point == DecisionPoint.GAIN_UNITS:
        legal[PASS] = True
        legal[GAIN] = True
        return 2
    count = 0
    for unit in range(2):
        is_offered = may_take(rules, state, unit) and comes_in_order(state, unit)
        legal[DEAL_WORKER + unit] = is_offered
        count += is_offered
    return count


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out a choice about units that are handed out."""
    point = state["decision_point"]
    if point == DecisionPoint.PLACE_UNITS:
        _place(rules, state, player, action)
    elif point == DecisionPoint.GATHER:
        _gather(rules, state, Unit.CITIZEN if action == DEAL_CITIZEN else Unit.WORKER)
        _gather_what_is_clear(rules, state)
    elif point == DecisionPoint.HIRE:
        spot = state["value"]
        resume(state)
        if action != PASS:
            unit = Unit.CITIZEN if action == DEAL_CITIZEN else Unit.WORKER
            hire_unit(rules, state, player, spot, unit)
    else:
        count = state["value"]
        resume(state)
        if action == GAIN and state["phase"] == Phase.MAYOR:
            take_villa_unit(rules, state, player)
        elif action == GAIN:
            give_workers(rules, state, player, count)


# -- which kinds -----------------------------------------------------------------------------------


@kernel
def _source(rules: Rules, state: State, unit: int) -> int:
    """Units of a kind where they are taken from: the register or, for the festival, the supply."""
    if state["phase"] != Phase.SMUGGLER:
        return supply_of(rules, state, unit)
    return register_of(state, unit)


@kernel
def may_take(rules: Rules, state: State, unit: int) -> bool:
    """Whether there is a unit of a kind; with a worker all that are still to come are workers."""
    if state["decision_point"] != DecisionPoint.GATHER:
        return hirable(rules, state, unit) > 0
    if unit == Unit.WORKER:
        return _source(rules, state, unit) >= state["value"]
    return _source(rules, state, unit) > 0


@kernel
def comes_in_order(state: State, unit: int) -> bool:
    """Whether no worker has been gathered before a citizen (Q-129)."""
    is_gathered = state["decision_point"] == DecisionPoint.GATHER
    return not is_gathered or unit == Unit.WORKER or state["hand_workers"] == 0


@kernel
def _gather(rules: Rules, state: State, unit: int) -> None:
    """Take a unit of a kind in hand."""
    if state["phase"] != Phase.SMUGGLER:
        return_units(state, unit, -1)
    else:
        take_off_register(state, unit)
    if unit == Unit.WORKER:
        state["hand_workers"] += 1
    else:
        state["hand_citizens"] += 1
    state["value"] -= 1


@kernel
def _gather_what_is_clear(rules: Rules, state: State) -> None:
    """Take units in hand as long as there is no choice of a kind, then place them."""
    for _ in range(state["value"]):
        workers = may_take(rules, state, Unit.WORKER)
        if workers and may_take(rules, state, Unit.CITIZEN) and comes_in_order(state, Unit.CITIZEN):
            return
        _gather(rules, state, Unit.WORKER if workers else Unit.CITIZEN)
    in_hand = state["hand_workers"] + state["hand_citizens"]
    state["value"] = in_hand
    if state["phase"] == Phase.SMUGGLER:
        state["value"] = min(in_hand, MOST_POACHED)
    state["decision_point"] = DecisionPoint.PLACE_UNITS


# -- where they go ---------------------------------------------------------------------------------


@kernel
def _fill_place(rules: Rules, state: State, player: int, legal: Any) -> int:
    """An empty circle from the cursor on, or no more (R-SMG-6, R-FES-7)."""
    legal[PASS] = True
    count = 1
    for spot in range(rules["num_spots"]):
        if empty_circles(rules, state, player, spot) == 0:
            continue
        for unit in range(2):
            if is_in_hand(state, unit) and not is_passed(state, spot, unit):
                legal[PLACE_ACTION[unit, spot]] = True
                count += 1
    return count


@kernel
def is_in_hand(state: State, unit: int) -> bool:
    """Whether a unit of a kind is in hand, to be placed at once."""
    return (state["hand_workers"] if unit == Unit.WORKER else state["hand_citizens"]) > 0


@kernel
def _place(rules: Rules, state: State, player: int, action: int) -> None:
    """Place a unit; the rest of a poach returns, the rest of a reward joins the portrait."""
    if action != PASS:
        unit = UNIT[action]
        put_unit(rules, state, player, TARGET[action], unit)
        if unit == Unit.WORKER:
            state["hand_workers"] -= 1
        else:
            state["hand_citizens"] -= 1
        state["cursor"] = TARGET[action] + unit * NUM_SPOTS
        state["value"] -= 1
        if state["value"] > 0:
            return
    if state["phase"] == Phase.SMUGGLER:
        return_units(state, Unit.WORKER, state["hand_workers"])
        return_units(state, Unit.CITIZEN, state["hand_citizens"])
    else:
        state["portrait_workers"][player] += state["hand_workers"]
        state["portrait_citizens"][player] += state["hand_citizens"]
    state["hand_workers"] = 0
    state["hand_citizens"] = 0
    state["cursor"] = 0
    resume(state)
