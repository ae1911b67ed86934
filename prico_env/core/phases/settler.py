"""Settler: everyone takes a tile from the row; the actor may take a quarry instead."""

from typing import Any

from prico_env.actions import (
    DRAW,
    FOREST_FROM_ROW,
    FOREST_FROM_STACK,
    HOSPICE_DRAWN,
    HOSPICE_TAKEN,
    LODGE,
    PASS,
    TAKE,
    TAKE_QUARRY,
    USE_FOREST,
)
from prico_env.core.bank import can_draw_tile, can_hire, draw_tile, hire, offer_vp
from prico_env.core.island import (
    can_lay_forest,
    fill_removable,
    fill_removals,
    fill_uses,
    has_space,
    lay_drawn_forest,
    lay_face_down,
    lay_plantation,
    lay_stack_forest,
    only_removal,
    place_tile,
    remove_tile,
    removed_kind,
)
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import closing, next_turn, start_turns
from prico_env.core.units import has_power, owns, privilege
from prico_env.vocabulary import (
    FOREST,
    NOBODY,
    NUM_GOODS,
    PORTRAIT,
    QUARRY,
    DecisionPoint,
    Power,
    Side,
)

LODGE_VP = 2
"""What a citizen on the hunting lodge brings (R-LDG-2)."""


@kernel
def begin(rules: Rules, state: State) -> None:
    """Start with the actor (R-ROL-6)."""
    start_turns(state, DecisionPoint.DRAW_TILE)
    _skip_draw(rules, state)


@kernel
def _skip_draw(rules: Rules, state: State) -> None:
    """Go straight to the normal action where there is nothing to draw with, nor will be."""
    player = state["turn"]
    if (
        state["decision_point"] == DecisionPoint.DRAW_TILE
        and state["powers"][player, Power.EXTRA_TILE] == 0
    ):
        if not (rules["guest_windows"] and owns(rules, state, player, Power.EXTRA_TILE)):
            state["decision_point"] = DecisionPoint.TAKE_TILE


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Draw, take, staff what was placed; last the library and the lodges (R-STL-7, R-CMB-8)."""
    point = state["decision_point"]
    if point == DecisionPoint.TAKE_TILE:
        return _fill_take(rules, state, player, legal)
    if point == DecisionPoint.DRAW_TILE:
        return _fill_draw(state, player, legal)
    if point == DecisionPoint.STAFF_TILE:
        return _fill_staff(rules, state, player, legal)
    if point == DecisionPoint.USE_TILE:
        return fill_uses(legal)
    if point == DecisionPoint.TAKE_AGAIN:
        return _fill_take_again(rules, state, player, legal)
    if point == DecisionPoint.REMOVE_TILE:
        return fill_removals(state, player, state["value"], legal)
    return _fill_hunt(state, player, legal)


@kernel
def _fill_draw(state: State, player: int, legal: Any) -> int:
    """An occupied hacienda draws a tile if there is a space and a tile (R-HAC-1, R-HAC-3)."""
    if not has_power(state, player, Power.EXTRA_TILE):
        return 0
    if not has_space(state, player) or not can_draw_tile(state):
        return 0
    legal[PASS] = True
    legal[DRAW] = True
    return 2


@kernel
def _fill_take(rules: Rules, state: State, player: int, legal: Any) -> int:
    """A tile of the row, a quarry or forest for who is entitled; or none (R-STL-1..6, R-STL-8)."""
    legal[PASS] = True
    count = 1
    if not has_space(state, player):
        return count
    for kind in range(NUM_GOODS):
        is_there = is_in_row(state, kind)
        legal[TAKE + kind] = is_there
        count += is_there
    if is_quarry_left(state) and has_quarry_right(state, player):
        legal[TAKE_QUARRY] = True
        count += 1
    if can_lay_forest(rules, state, player):
        count += _fill_forests(rules, state, legal)
    return count


@kernel
def has_quarry_right(state: State, player: int) -> bool:
    """Whether a quarry may be taken: with a construction hut, or by the actor (R-STL-2, R-HUT-1).

    The library's second tile is a quarry only with the hut (R-LIB-5).
    """
    is_first = state["decision_point"] != DecisionPoint.TAKE_AGAIN
    return has_power(state, player, Power.QUARRY_RIGHT) or (is_first and player == state["actor"])


@kernel
def is_in_row(state: State, kind: int) -> bool:
    """Whether a plantation of a kind lies face up (R-STL-1)."""
    return state["row"][kind] > 0


@kernel
def is_quarry_left(state: State) -> bool:
    """Whether the stack of quarries has one (R-STL-5)."""
    return state["quarries"] > 0


@kernel
def _fill_forests(rules: Rules, state: State, legal: Any) -> int:
    """A forest from its stack, or a tile of the row face down (R-FOH-1, R-FOH-2)."""
    if rules["forest_source_is_own_stack_12"]:
        legal[FOREST_FROM_STACK] = True
        return 1
    count = 0
    for kind in range(NUM_GOODS):
        is_there = is_in_row(state, kind)
        legal[FOREST_FROM_ROW + kind] = is_there
        count += is_there
    return count


@kernel
def _fill_staff(rules: Rules, state: State, player: int, legal: Any) -> int:
    """An occupied hospice staffs the tile taken or, by edition, the one drawn (R-HOS-1..3)."""
    if not has_power(state, player, Power.STAFF_TILE) or not can_hire(rules, state):
        return 0
    count = 0
    if state["taken"] != NOBODY and is_free(state, player, state["taken"]):
        legal[HOSPICE_TAKEN] = True
        count += 1
    either = rules["hospice_scope_is_either_tile_once"] and state["drawn"] != NOBODY
    if either and is_another_tile(state) and is_free(state, player, state["drawn"]):
        legal[HOSPICE_DRAWN] = True
        count += 1
    if count > 0 and rules["optional_gains_is_ask"]:
        legal[PASS] = True
        count += 1
    return count


@kernel
def is_another_tile(state: State) -> bool:
    """Whether the tile drawn can be told apart from the one taken: staffing either is one move."""
    return state["drawn"] != state["taken"]


@kernel
def is_free(state: State, player: int, kind: int) -> bool:
    """Whether a tile of this kind is unoccupied; a forest's worker joins the portrait (R-HOS-5)."""
    if kind == FOREST:
        return True
    units = state["workers"][player, kind] + state["citizens"][player, kind]
    return units < state["owned"][player, kind]


@kernel
def _fill_take_again(rules: Rules, state: State, player: int, legal: Any) -> int:
    """The library's second tile, a quarry only with a hut; skipped where none is left (R-LIB-4)."""
    count = _fill_take(rules, state, player, legal)
    if count > 1:
        return count
    legal[PASS] = False
    return 0


@kernel
def _fill_hunt(state: State, player: int, legal: Any) -> int:
    """A worker on the hunting lodge may remove a plantation or forest (R-LDG-1)."""
    if state["powers"][player, Power.HUNT] != Side.WORKER:
        return 0
    count = fill_removable(state, player, LODGE, True, legal)
    if count > 0:
        legal[PASS] = True
        count += 1
    return count


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out one step of a settler's turn, or of the close of the phase."""
    point = state["decision_point"]
    if point == DecisionPoint.DRAW_TILE:
        _draw(rules, state, player, action)
    elif point == DecisionPoint.USE_TILE:
        _use_drawn(rules, state, player, action)
    elif point == DecisionPoint.TAKE_TILE:
        state["decision_point"] = DecisionPoint.STAFF_TILE
        if action != PASS:
            state["taken"] = _take_tile(rules, state, player, action)
        has_hospice = state["powers"][player, Power.STAFF_TILE] > 0
        if not has_hospice and state["decision_point"] == DecisionPoint.STAFF_TILE:
            _end_turn(rules, state)
    elif point == DecisionPoint.STAFF_TILE:
        tile = NOBODY
        if action != PASS:
            tile = state["taken"] if action == HOSPICE_TAKEN else state["drawn"]
        _end_turn(rules, state)
        if tile != NOBODY:
            hire(rules, state, player, PORTRAIT if tile == FOREST else tile)
    elif point == DecisionPoint.TAKE_AGAIN:
        _begin_hunt(rules, state)
        if action != PASS:
            _take_tile(rules, state, player, action)
    elif point == DecisionPoint.REMOVE_TILE:
        kind = state["value"]
        state["value"] = 0
        _remove_hunted(rules, state, player, kind, action)
    else:
        _hunt(rules, state, player, action)


@kernel
def _end_turn(rules: Rules, state: State) -> None:
    """Forget the tiles of this turn and go on to the next seat."""
    state["drawn"] = NOBODY
    state["taken"] = NOBODY
    next_turn(rules, state, DecisionPoint.DRAW_TILE, closing(rules, DecisionPoint.PHASE_CLOSE))
    _skip_draw(rules, state)


@kernel
def _draw(rules: Rules, state: State, player: int, action: int) -> None:
    """Draw a tile, which must be laid one way or another (R-HAC-2, R-FOH-3)."""
    state["decision_point"] = DecisionPoint.TAKE_TILE
    if action != DRAW:
        return
    state["drawn"] = draw_tile(state)
    if can_lay_forest(rules, state, player):
        state["decision_point"] = DecisionPoint.USE_TILE
    else:
        lay_plantation(rules, state, player, state["drawn"])


@kernel
def _use_drawn(rules: Rules, state: State, player: int, action: int) -> None:
    """Lay the tile drawn as what it is, or have a forest (R-FOH-3, Q-25)."""
    state["decision_point"] = DecisionPoint.TAKE_TILE
    kind = state["drawn"]
    if action == USE_FOREST:
        state["drawn"] = FOREST
        lay_drawn_forest(rules, state, player, kind)
    else:
        lay_plantation(rules, state, player, kind)


@kernel
def _take_tile(rules: Rules, state: State, player: int, action: int) -> int:
    """Take a tile from the row, a quarry or a forest; returns its kind (R-STL-1, R-FOH-1/2)."""
    if action == TAKE_QUARRY:
        state["quarries"] -= 1
        place_tile(state, player, QUARRY)
        return QUARRY
    if action < FOREST_FROM_ROW:
        kind = action - TAKE
        state["row"][kind] -= 1
        lay_plantation(rules, state, player, kind)
        return kind
    if action == FOREST_FROM_STACK:
        lay_stack_forest(state, player)
    else:
        kind = action - FOREST_FROM_ROW
        state["row"][kind] -= 1
        lay_face_down(state, player, kind, False)
    return FOREST


@kernel
def close(rules: Rules, state: State) -> None:
    """After all turns: the library's second tile, then the hunting lodges (R-STL-10, R-STL-11)."""
    if privilege(rules, state, state["actor"]) > 1:
        start_turns(state, DecisionPoint.TAKE_AGAIN)
    else:
        _begin_hunt(rules, state)


@kernel
def _begin_hunt(rules: Rules, state: State) -> None:
    """Ask the owners of hunting lodges in turn, where there are any (R-LDG-3)."""
    start_turns(state, DecisionPoint.HUNT if rules["citizens"] else DecisionPoint.PHASE_END)


@kernel
def _remove_hunted(rules: Rules, state: State, player: int, kind: int, action: int) -> None:
    """Remove a tile of a kind; with no action, ask which one (R-LDG-1, R-LDG-4)."""
    if action == NOBODY:
        state["decision_point"] = DecisionPoint.REMOVE_TILE
        state["value"] = kind
        return
    next_turn(rules, state, DecisionPoint.HUNT, DecisionPoint.PHASE_END)
    remove_tile(rules, state, player, kind, action, False)


@kernel
def _hunt(rules: Rules, state: State, player: int, action: int) -> None:
    """Remove a tile, or earn VP for the emptiest island (R-LDG-1, R-LDG-2)."""
    if action != PASS:
        kind = removed_kind(action, LODGE)
        _remove_hunted(rules, state, player, kind, only_removal(state, player, kind))
        return
    next_turn(rules, state, DecisionPoint.HUNT, DecisionPoint.PHASE_END)
    if state["powers"][player, Power.HUNT] == Side.CITIZEN and _is_emptiest(rules, state, player):
        offer_vp(rules, state, player, LODGE_VP)


@kernel
def _is_emptiest(rules: Rules, state: State, player: int) -> bool:
    """Whether the player has more empty island spaces than anybody else (R-LDG-2)."""
    for other in range(rules["num_players"]):
        if other != player and state["island_used"][other] <= state["island_used"][player]:
            return False
    return True


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
