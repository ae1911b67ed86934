"""Guests: units on a guest house move to other circles whenever a window is open (R-GST-2/3).

A window is a decision of its own as a phase opens or closes; at the decisions of an own turn the
moves stand beside the other actions.
"""

from typing import Any

from prico_env.actions import GUEST_ACTION, PASS, TARGET, UNIT
from prico_env.core.jit import kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.units import empty_circles, lift_unit, owns, put_unit
from prico_env.vocabulary import DecisionPoint, Power, Unit


@kernel
def can_move(rules: Rules, state: State, player: int) -> bool:
    """Whether the player has a guest and an empty circle elsewhere."""
    if state["powers"][player, Power.GUESTS] == 0:
        return False
    house = rules["power_spot"][Power.GUESTS]
    for spot in range(rules["num_spots"]):
        if spot != house and empty_circles(rules, state, player, spot) > 0:
            return True
    return False


@kernel
def _fill_moves(rules: Rules, state: State, player: int, legal: Any) -> int:
    """A guest of either kind to an empty circle of an own building, plantation or quarry."""
    house = rules["power_spot"][Power.GUESTS]
    has_worker = state["workers"][player, house] > 0
    has_citizen = state["citizens"][player, house] > 0
    count = 0
    for spot in range(rules["num_spots"]):
        if spot == house or empty_circles(rules, state, player, spot) == 0:
            continue
        if has_worker:
            legal[GUEST_ACTION[Unit.WORKER, spot]] = True
            count += 1
        if has_citizen:
            legal[GUEST_ACTION[Unit.CITIZEN, spot]] = True
            count += 1
    return count


@kernel
def join(rules: Rules, state: State, player: int, legal: Any, count: int) -> int:
    """Add guest moves to the choices here, if this is a time for them; how many that makes.

    Who could do nothing else may pass (R-GST-3).
    """
    if state["powers"][player, Power.GUESTS] == 0 or not is_open(rules, state, player, count):
        return count
    moves = _fill_moves(rules, state, player, legal)
    if moves > 0 and count == 0:
        legal[PASS] = True
        count = 1
    return count + moves


@kernel
def is_open(rules: Rules, state: State, player: int, count: int) -> bool:
    """Whether guests may move here: a window, or a decision of an own turn (R-GST-3).

    ``count`` is how many choices there are without them.
    """
    point = state["decision_point"]
    if point == DecisionPoint.DRAW_TILE:
        return owns(rules, state, player, Power.EXTRA_TILE)
    if point == DecisionPoint.SELL:
        return count > 0
    return (
        point == DecisionPoint.LOAD
        or point == DecisionPoint.TAKE_TILE
        or point == DecisionPoint.BUY
        or point == DecisionPoint.PRODUCE
        or point == DecisionPoint.OPEN_WINDOW
        or point == DecisionPoint.TURN_WINDOW
        or point == DecisionPoint.CLOSE_WINDOW
    )


@kernel
def move(rules: Rules, state: State, player: int, action: int) -> None:
    """Move a guest; it works at once, and the seat is asked again (R-GST-2)."""
    unit = UNIT[action]
    lift_unit(rules, state, player, rules["power_spot"][Power.GUESTS], unit)
    put_unit(rules, state, player, TARGET[action], unit)
