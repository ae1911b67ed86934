"""Settler: everyone takes a tile from the row; the actor may take a quarry instead."""

from typing import Any

from prico_env._jit import kernel
from prico_env.actions import DRAW, HOSPICE_DRAWN, HOSPICE_TAKEN, PASS, TAKE, TAKE_QUARRY
from prico_env.bank import can_draw_tile, can_hire, draw_tile, hire
from prico_env.powers import put_worker
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.turns import next_turn, start_turns
from prico_env.vocabulary import ISLAND_SPACES, NOBODY, NUM_GOODS, QUARRY, Phase, Point, Power


@kernel
def begin(rules: Rules, state: State) -> None:
    """Start with the actor (R-ROL-6)."""
    state["phase"] = Phase.SETTLER
    start_turns(state, Point.DRAW_TILE)


@kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Draw first, then take, then staff what was placed (R-STL-7)."""
    point = state["point"]
    if point == Point.DRAW_TILE:
        return _fill_draw(state, player, legal)
    if point == Point.TAKE_TILE:
        return _fill_take(state, player, legal)
    return _fill_staff(rules, state, player, legal)


@kernel
def _fill_draw(state: State, player: int, legal: Any) -> int:
    """An occupied hacienda draws a tile if there is a space and a tile (R-HAC-1, R-HAC-3)."""
    if state["powers"][player, Power.EXTRA_TILE] == 0:
        return 0
    if state["island_used"][player] == ISLAND_SPACES or not can_draw_tile(state):
        return 0
    legal[PASS] = True
    legal[DRAW] = True
    return 2


@kernel
def _fill_take(state: State, player: int, legal: Any) -> int:
    """A tile of the row, or a quarry for who is entitled; or none (R-STL-1..6, R-STL-8)."""
    legal[PASS] = True
    count = 1
    if state["island_used"][player] == ISLAND_SPACES:
        return count
    for kind in range(NUM_GOODS):
        is_there = state["row"][kind] > 0
        legal[TAKE + kind] = is_there
        count += is_there
    may_quarry = state["quarries"] > 0 and can_take_quarry(state, player)
    legal[TAKE_QUARRY] = may_quarry
    return count + may_quarry


@kernel
def can_take_quarry(state: State, player: int) -> bool:
    """Whether the player is the actor or has an occupied construction hut (R-STL-2, R-HUT-1)."""
    return player == state["actor"] or state["powers"][player, Power.QUARRY_RIGHT] > 0


@kernel
def _fill_staff(rules: Rules, state: State, player: int, legal: Any) -> int:
    """An occupied hospice staffs the tile taken or, by edition, the one drawn (R-HOS-1..3)."""
    if state["powers"][player, Power.STAFF_TILE] == 0 or not can_hire(state):
        return 0
    count = 0
    taken, drawn = state["taken"], state["drawn"]
    if taken != NOBODY and _is_free(state, player, taken):
        legal[HOSPICE_TAKEN] = True
        count += 1
    # Two tiles of one kind cannot be told apart: staffing either is the same move.
    either = rules["hospice_either_tile"] and drawn != NOBODY and drawn != taken
    if either and _is_free(state, player, drawn):
        legal[HOSPICE_DRAWN] = True
        count += 1
    if count > 0 and rules["ask_gains"]:
        legal[PASS] = True
        count += 1
    return count


@kernel
def _is_free(state: State, player: int, kind: int) -> bool:
    """Whether a tile of this kind is unoccupied."""
    units = state["workers"][player, kind] + state["citizens"][player, kind]
    return units < state["tiles"][player, kind]


@kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out one step of a settler's turn."""
    point = state["point"]
    if point == Point.DRAW_TILE:
        if action == DRAW:
            state["drawn"] = draw_tile(state)
            place_tile(state, player, state["drawn"])
        state["point"] = Point.TAKE_TILE
    elif point == Point.TAKE_TILE:
        if action != PASS:
            _take_tile(state, player, action - TAKE)
        state["point"] = Point.STAFF_TILE
    else:
        if action == HOSPICE_TAKEN:
            _staff_tile(rules, state, player, state["taken"])
        elif action == HOSPICE_DRAWN:
            _staff_tile(rules, state, player, state["drawn"])
        state["drawn"] = NOBODY
        state["taken"] = NOBODY
        next_turn(rules, state, Point.DRAW_TILE)


@kernel
def place_tile(state: State, player: int, kind: int) -> None:
    """Lay a tile on an empty island space, unoccupied (R-STL-3)."""
    state["tiles"][player, kind] += 1
    state["island_used"][player] += 1


@kernel
def _take_tile(state: State, player: int, kind: int) -> None:
    """Take a plantation from the row or a quarry from its stack (R-STL-1)."""
    if kind == QUARRY:
        state["quarries"] -= 1
    else:
        state["row"][kind] -= 1
    state["taken"] = kind
    place_tile(state, player, kind)


@kernel
def _staff_tile(rules: Rules, state: State, player: int, kind: int) -> None:
    """Put the hospice's worker on a tile just placed (R-HOS-1, R-HOS-6)."""
    hire(state)
    put_worker(rules, state, player, kind)


@kernel
def end(rules: Rules, state: State) -> None:
    """Lay the rest of the row aside, then turn up a full row (R-STL-12, R-STL-14)."""
    for kind in range(NUM_GOODS):
        state["discard"][kind] += state["row"][kind]
        state["row"][kind] = 0
    for _ in range(rules["row_size"]):
        kind = draw_tile(state)
        if kind == NOBODY:
            break
        state["row"][kind] += 1
