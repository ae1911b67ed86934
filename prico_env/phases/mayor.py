"""Mayor: workers are dealt from the register, then every seat puts its workers to work.

Staffing is an edit of what stands: a seat takes workers back one at a time, spots in ascending
order, says that it is done, and puts what is in hand down, again in ascending order. Nothing
returns to a spot it was taken from, so every arrangement is reached by exactly one sequence.
"""

from typing import Any

from prico_env._jit import kernel
from prico_env.actions import (
    GAIN,
    PASS,
    PLACE,
    PLACE_ACTION,
    RECALL,
    RECALL_ACTION,
    TARGET,
)
from prico_env.powers import empty_circles, lift_worker, put_worker
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.turns import next_turn, start_turns
from prico_env.vocabulary import NUM_BASE_SPOTS, NUM_TILES, EndReason, Phase, Point


@kernel
def begin(rules: Rules, state: State) -> None:
    """The actor takes a worker from the supply, if there is one (R-MAY-1)."""
    state["phase"] = Phase.MAYOR
    start_turns(state, Point.MAYOR_PRIVILEGE)
    if not rules["ask_gains"]:
        apply(rules, state, state["actor"], GAIN)


@kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Take the privilege worker, take workers back, or put them down."""
    point = state["point"]
    if point == Point.RECALL:
        return _fill_recall(rules, state, player, legal)
    if point == Point.PLACE:
        return _fill_place(rules, state, player, legal)
    if state["worker_supply"] == 0:
        return 0
    legal[PASS] = True
    legal[GAIN] = True
    return 2


@kernel
def open_circles(rules: Rules, state: State, player: int) -> int:
    """Free circles of the spots that may still take a worker: those not recalled from."""
    circles = 0
    for spot in range(rules["num_spots"]):
        circles += _open_here(rules, state, player, spot)
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
    for spot in range(NUM_BASE_SPOTS):  # their actions lie in a row, which makes this loop fast
        legal[RECALL + spot] = _may_recall(rules, state, player, spot, spare)
        count += legal[RECALL + spot]
    for spot in range(NUM_BASE_SPOTS, rules["num_spots"]):
        legal[RECALL_ACTION[spot]] = _may_recall(rules, state, player, spot, spare)
        count += legal[RECALL_ACTION[spot]]
    return count


@kernel
def _may_recall(rules: Rules, state: State, player: int, spot: int, spare: int) -> bool:
    """Whether a worker may come back from a spot, with so many circles more than the hand needs."""
    lost = _open_here(rules, state, player, spot)
    stands = (spot >= state["cursor"]) & (state["workers"][player, spot] > 0)
    return stands & (lost < spare)


@kernel
def _fill_place(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Put a worker on a free circle, if the rest of the hand fits there or beyond (R-MAY-7)."""
    last = rules["num_spots"]
    room = 0
    while room < state["portrait_workers"][player]:
        last -= 1
        room += _open_here(rules, state, player, last)
    count = 0
    for spot in range(NUM_BASE_SPOTS):
        legal[PLACE + spot] = _may_place(rules, state, player, spot, last)
        count += legal[PLACE + spot]
    for spot in range(NUM_BASE_SPOTS, rules["num_spots"]):
        legal[PLACE_ACTION[spot]] = _may_place(rules, state, player, spot, last)
        count += legal[PLACE_ACTION[spot]]
    return count


@kernel
def _may_place(rules: Rules, state: State, player: int, spot: int, last: int) -> bool:
    """Whether a worker may go to a spot; behind ``last`` the hand would not find room."""
    is_next = (state["cursor"] <= spot) & (spot <= last)
    return is_next & (_open_here(rules, state, player, spot) > 0)


@kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out one step of the phase."""
    point = state["point"]
    if point == Point.MAYOR_PRIVILEGE:
        if action == GAIN and state["worker_supply"] > 0:
            state["worker_supply"] -= 1
            state["portrait_workers"][player] += 1
        _deal(rules, state)
        start_turns(state, Point.RECALL)
    elif point == Point.RECALL:
        if action == PASS:
            _stop_recalling(rules, state, player)
        else:
            _recall(rules, state, player, TARGET[action])
    else:
        _place(rules, state, player, TARGET[action])


@kernel
def _deal(rules: Rules, state: State) -> None:
    """Deal the register out one worker at a time, the actor first (R-MAY-2)."""
    player = state["actor"]
    while state["register_workers"] > 0:
        state["register_workers"] -= 1
        state["portrait_workers"][player] += 1
        player = (player + 1) % rules["num_players"]


@kernel
def _recall(rules: Rules, state: State, player: int, spot: int) -> None:
    """Take a worker back in hand; this spot takes nobody any more in this phase."""
    lift_worker(rules, state, player, spot)
    state["portrait_workers"][player] += 1
    state["recalled"][spot] = 1
    state["cursor"] = spot


@kernel
def _stop_recalling(rules: Rules, state: State, player: int) -> None:
    """Go on to putting workers down, unless there is nothing to choose."""
    hand = state["portrait_workers"][player]
    if hand >= open_circles(rules, state, player):
        _fill_open_circles(rules, state, player)
        _end_turn(rules, state)
    elif hand == 0:
        _end_turn(rules, state)
    else:
        state["cursor"] = 0
        state["point"] = Point.PLACE


@kernel
def _fill_open_circles(rules: Rules, state: State, player: int) -> None:
    """Fill every open circle from the hand; only the surplus stays on the portrait (R-MAY-7)."""
    for spot in range(rules["num_spots"]):
        if state["recalled"][spot]:
            continue
        for _ in range(empty_circles(rules, state, player, spot)):
            put_worker(rules, state, player, spot)
            state["portrait_workers"][player] -= 1


@kernel
def _place(rules: Rules, state: State, player: int, spot: int) -> None:
    """Put a worker down; nobody holds workers back while a circle is empty (R-MAY-7)."""
    put_worker(rules, state, player, spot)
    state["portrait_workers"][player] -= 1
    state["cursor"] = spot
    if state["portrait_workers"][player] == 0:
        _end_turn(rules, state)


@kernel
def _end_turn(rules: Rules, state: State) -> None:
    """Forget this seat's recalls and go on to the next seat."""
    state["cursor"] = 0
    state["recalled"][:] = 0
    next_turn(rules, state, Point.RECALL)


@kernel
def end(rules: Rules, state: State) -> None:
    """Refill the register; a shortage of workers triggers the end (R-MAY-11..13)."""
    empty = 0
    for player in range(rules["num_players"]):
        for spot in range(NUM_TILES, rules["num_spots"]):
            empty += empty_circles(rules, state, player, spot)
    required = max(rules["num_players"], empty)
    moved = min(required, state["worker_supply"])
    state["worker_supply"] -= moved
    state["register_workers"] = moved
    if moved < required:
        state["end_reasons"] |= EndReason.WORKERS
