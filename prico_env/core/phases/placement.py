"""Staffing, the second half of the mayor phase: every seat puts its units to work.

It is an edit of what stands: a seat takes units back one at a time, spots in ascending order, says
that it is done, and puts what is in hand down, again in ascending order. Nothing returns to a spot
it was taken from, so every arrangement is reached by exactly one sequence.

Who has citizens goes through the spots twice, for workers and then for citizens; the other kind of
unit may come to a spot that one was taken from. What may still become of a board is then a range of
numbers of workers and citizens for each spot, and a step is allowed if those ranges, added up,
leave an arrangement that fills as many circles as it must (R-MAY-7, R-X2-8).
"""

from typing import Any, Final

import numpy as np

from prico_env.actions import (
    NUM_ACTIONS,
    PASS,
    PLACE_ACTION,
    RECALL_ACTION,
    TARGET,
    UNIT,
)
from prico_env.core.intrinsics import lowest, spots_in
from prico_env.core.jit import allocating_kernel, kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import next_turn
from prico_env.core.units import (
    count_citizens,
    count_workers,
    empty_circles,
    free_circles,
    give_unit,
    has_unit,
    lift_unit,
    put_unit,
    put_worker,
    take_unit,
)
from prico_env.vocabulary import NUM_SPOTS, PORTRAIT, DecisionPoint, Unit

_NO_UNIT: Final = -1
_WORKER_BIT: Final = 1
_CITIZEN_BIT: Final = 2


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Take units back, or put them down."""
    if rules["citizens"] and count_citizens(state, player) > 0:
        if state["decision_point"] == DecisionPoint.RECALL:
            return _fill_recall_kinds(rules, state, player, legal)
        return _fill_place_kinds(rules, state, player, legal)
    if state["decision_point"] == DecisionPoint.RECALL:
        return _fill_recall(rules, state, player, legal)
    return _fill_place(rules, state, player, legal)


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out one step of the staffing."""
    if state["decision_point"] == DecisionPoint.PLACE:
        if action == PASS:  # only where a position made by hand leaves nothing to place
            _end_turn(rules, state)
        else:
            _place(rules, state, player, TARGET[action], UNIT[action])
    elif action == PASS:
        _stop_recalling(rules, state, player)
    else:
        _recall(rules, state, player, TARGET[action], UNIT[action])


@kernel
def _recall(rules: Rules, state: State, player: int, spot: int, unit: int) -> None:
    """Take a unit back in hand; this spot takes no such unit any more in this phase."""
    lift_unit(rules, state, player, spot, unit)
    give_unit(rules, state, player, PORTRAIT, unit)
    state["recalled"][spot] |= _CITIZEN_BIT if unit == Unit.CITIZEN else _WORKER_BIT
    state["cursor"] = spot + unit * NUM_SPOTS


@kernel
def _place(rules: Rules, state: State, player: int, spot: int, unit: int) -> None:
    """Put a unit down; nobody holds units back while a circle is empty (R-MAY-7)."""
    put_unit(rules, state, player, spot, unit)
    take_unit(rules, state, player, PORTRAIT, unit)
    state["cursor"] = spot + unit * NUM_SPOTS
    if _in_hand(state, player) == 0:
        _end_turn(rules, state)
    elif rules["citizens"] and free_circles(rules, state, player) == 0:
        _end_turn(rules, state)


@kernel
def _in_hand(state: State, player: int) -> int:
    return state["portrait_workers"][player] + state["portrait_citizens"][player]


@kernel
def _stop_recalling(rules: Rules, state: State, player: int) -> None:
    """Go on to putting units down, unless there is nothing to choose."""
    hand = _in_hand(state, player)
    if rules["citizens"] and count_citizens(state, player) > 0:
        if hand == 0 or free_circles(rules, state, player) == 0:
            _end_turn(rules, state)
            return
    elif hand >= open_circles(rules, state, player):
        _fill_open_circles(rules, state, player)
        _end_turn(rules, state)
        return
    elif hand == 0:
        _end_turn(rules, state)
        return
    state["cursor"] = 0
    state["decision_point"] = DecisionPoint.PLACE


@kernel
def _end_turn(rules: Rules, state: State) -> None:
    """Forget this seat's recalls and go on to the next seat."""
    state["cursor"] = 0
    state["recalled"][:] = 0
    next_turn(rules, state, DecisionPoint.RECALL, DecisionPoint.PHASE_END)


# -- workers alone ---------------------------------------------------------------------------------


@kernel
def open_circles(rules: Rules, state: State, player: int) -> int:
    """Free circles of the spots that may still take a worker: those not recalled from."""
    circles = 0
    spots = spots_in(state["owned"][player]) & ~spots_in(state["recalled"])
    while spots:
        circles += empty_circles(rules, state, player, lowest(spots))
        spots &= spots - 1
    return circles


@kernel
def _open_here(rules: Rules, state: State, player: int, spot: int) -> int:
    """Free circles of a spot that may still take a worker; none where one was taken back."""
    return (1 - state["recalled"][spot]) * empty_circles(rules, state, player, spot)


@kernel
def _fill_recall(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Take a worker back, if all in hand will then find a circle elsewhere (R-MAY-5, R-MAY-7).

    A seat whose hand fills every open circle can only be done: nothing is left to choose (R-MAY-9).
    """
    hand = state["portrait_workers"][player]
    circles = open_circles(rules, state, player)
    legal[PASS] = True
    count = 1
    if hand >= circles:
        return count
    spare = circles - hand
    spots = spots_in(state["workers"][player])
    while spots:
        spot = lowest(spots)
        spots &= spots - 1
        may_recall = _may_recall(rules, state, player, spot, spare)
        legal[RECALL_ACTION[Unit.WORKER, spot]] = may_recall
        count += may_recall
    return count


@allocating_kernel
def leaves_room(rules: Rules, state: State, player: int, spot: int, unit: int) -> bool:
    """Whether all units still find a circle when one is taken back, or put down, here (R-MAY-7)."""
    recalls = state["decision_point"] == DecisionPoint.RECALL
    if rules["citizens"] and count_citizens(state, player) > 0:
        actions = RECALL_ACTION if recalls else PLACE_ACTION
        legal = np.zeros(NUM_ACTIONS, dtype=np.bool_)
        _fill_steps(rules, state, player, actions, _units_to_place(rules, state, player), legal)
        return legal[actions[unit, spot]]
    if recalls:
        spare = open_circles(rules, state, player) - state["portrait_workers"][player]
        return _may_recall(rules, state, player, spot, spare)
    return _may_place(rules, state, player, spot, _last_spot(rules, state, player))


@kernel
def may_stop(rules: Rules, state: State, player: int) -> bool:
    """Whether no more units need be taken back: what must be filled still can be (R-MAY-7)."""
    if not rules["citizens"] or count_citizens(state, player) == 0:
        return True
    return _ends_well(rules, state, player, _units_to_place(rules, state, player))


@kernel
def _ends_well(rules: Rules, state: State, player: int, units: tuple[int, int, bool]) -> bool:
    """Whether an arrangement is still possible with everybody else left where they stand."""
    return _is_possible(_total_range(rules, state, player, 2 * NUM_SPOTS, units[2]), units)


@kernel
def _may_recall(rules: Rules, state: State, player: int, spot: int, spare: int) -> bool:
    """Whether a worker may come back from a spot, with so many circles more than the hand needs."""
    lost = _open_here(rules, state, player, spot)
    stands = (spot >= state["cursor"]) & (state["workers"][player, spot] > 0)
    return stands & (lost < spare)


@kernel
def _fill_place(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Put a worker on a free circle, if the rest of the hand fits there or beyond (R-MAY-7)."""
    last = _last_spot(rules, state, player)
    count = 0
    spots = spots_in(state["owned"][player])
    while spots:
        spot = lowest(spots)
        spots &= spots - 1
        may_place = _may_place(rules, state, player, spot, last)
        legal[PLACE_ACTION[Unit.WORKER, spot]] = may_place
        count += may_place
    return count


@kernel
def _last_spot(rules: Rules, state: State, player: int) -> int:
    """The last spot that a worker may go to, so that the hand finds room there and behind it."""
    last = 0
    room = open_circles(rules, state, player)
    spots = spots_in(state["owned"][player]) & ~spots_in(state["recalled"])
    while spots and room >= state["portrait_workers"][player]:
        last = lowest(spots)
        room -= empty_circles(rules, state, player, last)
        spots &= spots - 1
    return last


@kernel
def _may_place(rules: Rules, state: State, player: int, spot: int, last: int) -> bool:
    """Whether a worker may go to a spot; behind ``last`` the hand would not find room."""
    is_next = (state["cursor"] <= spot) & (spot <= last)
    return is_next & (_open_here(rules, state, player, spot) > 0)


@kernel
def _fill_open_circles(rules: Rules, state: State, player: int) -> None:
    """Fill every open circle from the hand; only the surplus stays on the portrait (R-MAY-7)."""
    spots = spots_in(state["owned"][player]) & ~spots_in(state["recalled"])
    while spots:
        spot = lowest(spots)
        spots &= spots - 1
        for _ in range(empty_circles(rules, state, player, spot)):
            put_worker(rules, state, player, spot)
            state["portrait_workers"][player] -= 1


# -- workers and citizens --------------------------------------------------------------------------

# What may become of a board, added up over its spots: the fewest and the most workers, the fewest
# and the most citizens, the most units, and how many spots cannot be filled at all.
_NOWHERE: Final = (0, 0, 0, 0, 0, 0)


@kernel
def _spot_range(
    rules: Rules, state: State, player: int, spot: int, cursor: int, moved: int, must_fill: bool
) -> tuple[int, int, int, int, int, int]:
    """What may become of one spot.

    Args:
        rules: The rule set.
        state: The game; its point says whether units are taken back or put down.
        player: Whose board it is.
        spot: The spot.
        cursor: Steps from here on are still open: spots for workers, then spots for citizens.
        moved: A kind of unit of which one more is taken back from, or put on, this spot.
        must_fill: Whether every circle must be filled in the end (as many units as circles).
    """
    circles = int(state["owned"][player, spot] * rules["circles"][spot])
    least_workers, most_workers = _unit_range(
        state, player, spot, cursor, circles, Unit.WORKER, moved
    )
    least_citizens, most_citizens = _unit_range(
        state, player, spot, cursor, circles, Unit.CITIZEN, moved
    )
    if not must_fill:
        return (
            least_workers,
            min(most_workers, circles - least_citizens),
            least_citizens,
            min(most_citizens, circles - least_workers),
            min(circles, most_workers + most_citizens),
            0,
        )
    least = max(least_workers, circles - most_citizens)
    most = min(most_workers, circles - least_citizens)
    return least, most, circles - most, circles - least, circles, int(least > most)


@kernel
def _unit_range(
    state: State, player: int, spot: int, cursor: int, circles: int, unit: int, moved: int
) -> tuple[int, int]:
    """The fewest and the most units of a kind that may stand on a spot in the end."""
    if unit == Unit.WORKER:
        stand = int(state["workers"][player, spot])
        is_recalled = state["recalled"][spot] & _WORKER_BIT > 0
    else:
        stand = int(state["citizens"][player, spot])
        is_recalled = state["recalled"][spot] & _CITIZEN_BIT > 0
    is_open = spot + unit * NUM_SPOTS >= cursor
    if state["decision_point"] == DecisionPoint.RECALL:
        least = 0 if is_open else stand
        if moved == unit:
            return 0, stand - 1
        return least, stand if is_recalled else circles
    if moved == unit:
        stand += 1
    return stand, circles if is_open and not is_recalled else stand


@kernel
def _exchange(
    total: tuple[int, int, int, int, int, int],
    old: tuple[int, int, int, int, int, int],
    new: tuple[int, int, int, int, int, int],
) -> tuple[int, int, int, int, int, int]:
    """Put a spot's new range in the place of its old one in the total."""
    return (
        total[0] - old[0] + new[0],
        total[1] - old[1] + new[1],
        total[2] - old[2] + new[2],
        total[3] - old[3] + new[3],
        total[4] - old[4] + new[4],
        total[5] - old[5] + new[5],
    )


@kernel
def _units_to_place(rules: Rules, state: State, player: int) -> tuple[int, int, bool]:
    """The player's workers, citizens, and whether they must fill every circle (R-MAY-7)."""
    circles = 0
    spots = spots_in(state["owned"][player])
    while spots:
        spot = lowest(spots)
        spots &= spots - 1
        circles += int(state["owned"][player, spot]) * int(rules["circles"][spot])
    workers, citizens = count_workers(state, player), count_citizens(state, player)
    return workers, citizens, workers + citizens >= circles


@kernel
def _is_possible(total: tuple[int, int, int, int, int, int], units: tuple[int, int, bool]) -> bool:
    """Whether some arrangement uses all units, or fills all circles, within the ranges."""
    workers, citizens, must_fill = units
    if total[0] > workers or total[2] > citizens:
        return False
    if must_fill:
        return total[5] == 0
    return workers <= total[1] and citizens <= total[3] and workers + citizens <= total[4]


@kernel
def _total_range(
    rules: Rules, state: State, player: int, cursor: int, must_fill: bool
) -> tuple[int, int, int, int, int, int]:
    """What may become of the whole board."""
    total = _NOWHERE
    spots = spots_in(state["owned"][player])
    while spots:
        here = _spot_range(rules, state, player, lowest(spots), cursor, _NO_UNIT, must_fill)
        total = _exchange(total, _NOWHERE, here)
        spots &= spots - 1
    return total


@kernel
def _fill_recall_kinds(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Take a unit back, or be done, if what must be filled can still be filled (R-MAY-7)."""
    units = _units_to_place(rules, state, player)
    count, is_possible = _fill_steps(rules, state, player, RECALL_ACTION, units, legal)
    if is_possible:
        legal[PASS] = True
        count += 1
    return count


@kernel
def _fill_place_kinds(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Put a unit down, if what must be filled can still be filled (R-MAY-7)."""
    units = _units_to_place(rules, state, player)
    count, _ = _fill_steps(rules, state, player, PLACE_ACTION, units, legal)
    return count


@kernel
def _fill_steps(
    rules: Rules,
    state: State,
    player: int,
    actions: Any,
    units: tuple[int, int, bool],
    legal: Any,
) -> tuple[int, bool]:
    """Mark every step from the cursor on after which an arrangement is still possible.

    Returns:
        How many there are, and whether one is possible without any further step.
    """
    cursor, must_fill = int(state["cursor"]), units[2]
    total = _total_range(rules, state, player, cursor, must_fill)
    count = 0
    for unit in range(2):
        is_there = state["decision_point"] == DecisionPoint.RECALL or has_unit(
            state, player, PORTRAIT, unit
        )
        spots = spots_in(state["owned"][player])
        while spots:
            spot = lowest(spots)
            spots &= spots - 1
            step = spot + unit * NUM_SPOTS
            if step < cursor or not _has_step(rules, state, player, spot, unit):
                continue
            here = _spot_range(rules, state, player, spot, step, _NO_UNIT, must_fill)
            if is_there:
                moved = _spot_range(rules, state, player, spot, step, unit, must_fill)
                may_move = _is_possible(_exchange(total, here, moved), units)
                legal[actions[unit, spot]] = may_move
                count += may_move
            passed = _spot_range(rules, state, player, spot, step + 1, _NO_UNIT, must_fill)
            total = _exchange(total, here, passed)
    return count, _is_possible(total, units)


@kernel
def _has_step(rules: Rules, state: State, player: int, spot: int, unit: int) -> bool:
    """Whether there is a unit to take back, or a circle for one in hand.

    Where there is none, what may become of the spot is the same before its step and behind it.
    """
    if state["decision_point"] == DecisionPoint.RECALL:
        return has_unit(state, player, spot, unit)
    if was_recalled(state, spot, unit):
        return False
    return empty_circles(rules, state, player, spot) != 0


@kernel
def was_recalled(state: State, spot: int, unit: int) -> bool:
    """Whether a unit of a kind was taken back from a spot, which then takes no such unit."""
    bit = _CITIZEN_BIT if unit == Unit.CITIZEN else _WORKER_BIT
    return state["recalled"][spot] & bit > 0
