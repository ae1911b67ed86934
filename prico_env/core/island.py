"""Island tiles: how they are laid on an island, turned into forests and removed from it."""

from typing import Any

from prico_env.actions import (
    REMOVE_CITIZEN,
    REMOVE_EMPTY,
    REMOVE_WORKER,
    USE_FOREST,
    USE_PLANTATION,
)
from prico_env.core import festival
from prico_env.core.bank import lay_on_deck, shuffle_deck
from prico_env.core.jit import kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.units import has_power, lift_unit
from prico_env.vocabulary import FOREST, ISLAND_SPACES, NOBODY, NUM_GOODS, QUARRY, Power, Unit


@kernel
def place_tile(state: State, player: int, kind: int) -> None:
    """Lay a plantation or quarry on an empty island space, unoccupied (R-STL-3)."""
    state["owned"][player, kind] += 1
    state["island_used"][player] += 1


@kernel
def has_space(state: State, player: int) -> bool:
    """Whether an island space is empty (R-STL-4)."""
    return state["island_used"][player] < ISLAND_SPACES


@kernel
def lay_plantation(rules: Rules, state: State, player: int, kind: int) -> None:
    """Lay a plantation in the course of play; the festival may ask for it (R-FES-7, R-FES-10)."""
    place_tile(state, player, kind)
    festival.check_estate(rules, state, player, kind)


@kernel
def can_lay_forest(rules: Rules, state: State, player: int) -> bool:
    """Whether a tile could become a forest: with a forest house, and a tile for it (R-FOH-1/2)."""
    return has_power(state, player, Power.FOREST) and is_forest_left(rules, state)


@kernel
def is_forest_left(rules: Rules, state: State) -> bool:
    """Whether the stack of forests has one, where they come from a stack (R-FOH-1)."""
    return not rules["forest_source_is_own_stack_12"] or state["forests"] > 0


@kernel
def lay_stack_forest(state: State, player: int) -> None:
    """Lay a forest from its own stack (R-FOH-1)."""
    state["forests"] -= 1
    state["own_forests"][player] += 1
    state["island_used"][player] += 1


@kernel
def lay_face_down(state: State, player: int, kind: int, is_blind: bool) -> None:
    """Lay a plantation face down as a forest; only its owner has seen one drawn (R-FOH-2, Q-31)."""
    state["forest_kinds"][player, kind] += 1
    if is_blind:
        state["forest_blind"][player, kind] += 1
    state["own_forests"][player] += 1
    state["island_used"][player] += 1


@kernel
def lay_drawn_forest(rules: Rules, state: State, player: int, kind: int) -> None:
    """Make a forest of a tile just drawn, or instead of it: then it is shuffled back (Q-24)."""
    if rules["forest_source_is_own_stack_12"]:
        lay_on_deck(state, kind, 1)
        shuffle_deck(state)
        lay_stack_forest(state, player)
    else:
        lay_face_down(state, player, kind, True)


@kernel
def has_tile(state: State, player: int, kind: int) -> bool:
    """Whether a plantation of this kind, or a forest, lies on the island."""
    if kind == FOREST:
        return state["own_forests"][player] > 0
    return state["owned"][player, kind] > 0


@kernel
def fill_uses(legal: Any) -> int:
    """A tile drawn is laid as what it is, or becomes a forest (R-FOH-3)."""
    legal[USE_PLANTATION] = True
    legal[USE_FOREST] = True
    return 2


@kernel
def fill_removable(state: State, player: int, block: int, with_forests: bool, legal: Any) -> int:
    """Mark the plantations, and perhaps forests, of an island in a block of actions."""
    count = 0
    for kind in range(NUM_GOODS):
        is_there = has_tile(state, player, kind)
        legal[block + kind] = is_there
        count += is_there
    if with_forests and has_tile(state, player, FOREST):
        legal[block + NUM_GOODS] = True
        count += 1
    return count


@kernel
def removed_kind(action: int, block: int) -> int:
    """The kind of tile that an action of such a block removes."""
    return FOREST if action == block + NUM_GOODS else action - block


@kernel
def may_remove(state: State, player: int, kind: int, action: int) -> bool:
    """Whether a tile of a kind has nothing on it, a worker or a citizen (R-LND-3, R-LDG-1)."""
    if kind == FOREST:
        return action == REMOVE_EMPTY
    workers, citizens = state["workers"][player, kind], state["citizens"][player, kind]
    if action == REMOVE_EMPTY:
        return workers + citizens < state["owned"][player, kind]
    return workers > 0 if action == REMOVE_WORKER else citizens > 0


@kernel
def fill_removals(state: State, player: int, kind: int, legal: Any) -> int:
    """Mark what may stand on the tile of a kind that its owner removes (R-LND-3, R-LDG-1)."""
    count = 0
    for action in range(REMOVE_EMPTY, REMOVE_CITIZEN + 1):
        legal[action] = may_remove(state, player, kind, action)
        count += legal[action]
    return count


@kernel
def only_removal(state: State, player: int, kind: int) -> int:
    """The one way to remove a tile of a kind, as an action; `NOBODY` where its owner chooses."""
    only = NOBODY
    for action in range(REMOVE_EMPTY, REMOVE_CITIZEN + 1):
        if may_remove(state, player, kind, action):
            if only != NOBODY:
                return NOBODY
            only = action
    return only


@kernel
def remove_tile(
    rules: Rules, state: State, player: int, kind: int, action: int, to_row: bool
) -> None:
    """Take a plantation or forest off an island, to the discard or the row (R-LND-4, R-LDG-4).

    The action says what stands on it; a unit there comes to the portrait (R-LND-5, R-LDG-5).
    """
    state["island_used"][player] -= 1
    if kind != FOREST:
        if action == REMOVE_WORKER:
            lift_unit(rules, state, player, kind, Unit.WORKER)
            state["portrait_workers"][player] += 1
        elif action == REMOVE_CITIZEN:
            lift_unit(rules, state, player, kind, Unit.CITIZEN)
            state["portrait_citizens"][player] += 1
        state["owned"][player, kind] -= 1
    else:
        state["own_forests"][player] -= 1
        if rules["forest_source_is_own_stack_12"]:
            state["forests"] += 1
            return
        kind = _forest_to_remove(state, player)
        if state["forest_kinds"][player, kind] == state["forest_blind"][player, kind]:
            state["forest_blind"][player, kind] -= 1
        state["forest_kinds"][player, kind] -= 1
    if to_row:
        state["row"][kind] += 1
    else:
        state["discard"][kind] += 1


@kernel
def _forest_to_remove(state: State, player: int) -> int:
    """The printed kind of the forest that goes: one that all have seen if possible (Q-31)."""
    for kind in range(NUM_GOODS):
        if state["forest_kinds"][player, kind] > state["forest_blind"][player, kind]:
            return kind
    for kind in range(NUM_GOODS):
        if state["forest_kinds"][player, kind] > 0:
            return kind
    return QUARRY
