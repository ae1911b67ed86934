"""How an observation is filled: every block of the tables in `observation_layout` is written here.

Together with the mask the vector is all that the deciding seat needs to know of the past (the game
is Markov in it), and it holds nothing that this seat cannot see.

Places come from the tables by the names of the blocks, and each block is written exactly, so that
the order in which blocks stand there and are written here does not matter.
"""

from typing import Any, Final

import numpy as np

from prico_env.core.engine import secret_tile_holder
from prico_env.core.intrinsics import copy_row
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import STACK_SLOTS, State
from prico_env.observation_layout import (
    EXTRA_POINTS,
    EXTRA_SEAT_BLOCKS,
    EXTRA_SEAT_FEATURES,
    EXTRA_TABLE_BLOCKS,
    EXTRA_TABLE_FEATURES,
    LAID_FOREST,
    MAX_AMOUNT,
    MAX_BASE_CURSOR,
    MAX_BASE_FEATURES,
    MAX_COINS,
    MAX_CURSOR,
    MAX_HAND,
    MAX_OFFER,
    MAX_ROUNDS,
    MAX_ROW,
    MAX_TURNS,
    MAX_UNITS,
    MAX_VP,
    NUM_DECISION_POINTS,
    SEAT_BLOCKS,
    SEAT_FEATURES,
    TABLE_BLOCKS,
    TABLE_FEATURES,
    places_of,
)
from prico_env.vocabulary import (
    FOREST,
    NOBODY,
    NUM_BASE_BUILDINGS,
    NUM_BASE_ROLES,
    NUM_BASE_SPOTS,
    NUM_BUILDINGS,
    NUM_CROP_BUILDINGS,
    NUM_GOODS,
    NUM_ROLES,
    NUM_SHIPS,
    NUM_SPOTS,
    NUM_TILES,
    PHASES,
    EndReason,
    Phase,
    Role,
    Unit,
    UsedOnce,
)

_SEAT: Final = places_of(SEAT_BLOCKS)
_TABLE: Final = places_of(TABLE_BLOCKS)
_EXTRA_TABLE: Final = places_of(EXTRA_TABLE_BLOCKS)
_EXTRA_SEAT: Final = places_of(EXTRA_SEAT_BLOCKS)
_DRAWN, _TAKEN = LAID_FOREST.index("drawn"), LAID_FOREST.index("taken")
_EXTRA_POINTS: Final = np.array(EXTRA_POINTS, dtype=np.int8)
_NUM_END_REASONS: Final = len(EndReason)
_NUM_USED_ONCE: Final = len(UsedOnce)

# A writer begins with ``at &= _ANY_PLACE``: told that a place is small and never negative, the
# compiler drops the arithmetic for places that count from the end, which would cost more than the
# writing.
_ANY_PLACE: Final = 0xFFFF


@separate_kernel
def fill_observation(rules: Rules, state: State, seat: int, features: Any) -> None:
    """Describe the game as ``seat`` sees it; that seat comes first, then the others clockwise.

    Args:
        rules: The rule set.
        state: The game.
        seat: Whose eyes we look through.
        features: Filled in place, uint8, shape ``(num_features,)`` of a layout with at least as
            many seats as the game has, and with the part of the expansions if it has any; seats
            that are not in the game, and that part of a game without them, read 0.
    """
    num_players = rules["num_players"]
    num_features = features.shape[0]
    with_expansions = num_features > MAX_BASE_FEATURES
    if with_expansions:
        num_features -= EXTRA_TABLE_FEATURES
        num_seats = (num_features - TABLE_FEATURES) // (SEAT_FEATURES + EXTRA_SEAT_FEATURES)
        num_features -= num_seats * EXTRA_SEAT_FEATURES
    table = num_features - TABLE_FEATURES
    at = 0
    for offset in range(num_players):
        player = seat + offset
        if player >= num_players:
            player -= num_players
        _fill_seat(rules, state, player, offset == 0, features, at)
        at += SEAT_FEATURES
    for absent in range(at, table):
        features[absent] = 0
    _fill_table(state, features, table)
    _fill_ships(rules, state, features, table)
    _fill_phase_memory(state, features, table)
    if rules["guest_windows"]:
        _hide_plantations(rules, state, seat, features, table)
    if with_expansions:
        _fill_expansions(rules, state, seat, features, num_features)


@kernel
def _fill_seat(
    rules: Rules, state: State, player: int, is_own: bool, features: Any, at: int
) -> None:
    """Write the features of one seat from place ``at`` on."""
    at &= _ANY_PLACE
    is_hidden = rules["vp_hidden"] and not is_own
    features[at + _SEAT.coins] = min(state["coins"][player], MAX_COINS)
    features[at + _SEAT.vp] = 0 if is_hidden else min(state["vp"][player], MAX_VP)
    features[at + _SEAT.portrait] = min(state["portrait_workers"][player], MAX_UNITS)
    features[at + _SEAT.island_used] = state["island_used"][player]
    features[at + _SEAT.city_used] = state["city_used"][player]
    features[at + _SEAT.is_governor] = player == state["governor"]
    features[at + _SEAT.is_actor] = player == state["actor"]
    features[at + _SEAT.wharf_used] = state["wharf_used"][player]
    features[at + _SEAT.passed] = state["passed"][player]
    copy_row(features, at + _SEAT.goods, state["goods"][player], 0, NUM_GOODS)
    owned, workers = state["owned"][player], state["workers"][player]
    copy_row(features, at + _SEAT.tiles, owned, 0, NUM_TILES)
    copy_row(features, at + _SEAT.buildings, owned, NUM_TILES, NUM_BASE_BUILDINGS)
    copy_row(features, at + _SEAT.tile_workers, workers, 0, NUM_TILES)
    copy_row(features, at + _SEAT.building_workers, workers, NUM_TILES, NUM_BASE_BUILDINGS)


@kernel
def _fill_table(state: State, features: Any, at: int) -> None:
    """Write the features of the table, which begins at ``at``: what lies on it."""
    at &= _ANY_PLACE
    for point in range(NUM_DECISION_POINTS):
        features[at + _TABLE.point + point] = point == state["decision_point"]
    features[at + _TABLE.offer] = max(0, min(state["value"], MAX_OFFER))
    for role in range(NUM_BASE_ROLES):
        features[at + _TABLE.role_free + role] = state["role_owner"][role] == NOBODY
        features[at + _TABLE.role_coins + role] = min(state["role_coins"][role], MAX_COINS)
    features[at + _TABLE.picks] = state["picks"]
    features[at + _TABLE.turns] = min(state["turns"], MAX_TURNS)
    features[at + _TABLE.first_circuit] = state["first_circuit"]
    features[at + _TABLE.circuit_loads] = state["circuit_loads"]
    features[at + _TABLE.idle_turns] = state["idle_turns"]
    features[at + _TABLE.captain_loaded] = state["captain_loaded"]
    features[at + _TABLE.worker_supply] = min(state["worker_supply"], MAX_UNITS)
    features[at + _TABLE.register] = min(state["register_workers"], MAX_UNITS)
    features[at + _TABLE.quarries] = state["quarries"]
    features[at + _TABLE.vp_pool] = max(0, state["vp_pool"])
    for bit in range(_NUM_END_REASONS):
        features[at + _TABLE.end + bit] = (state["end_reasons"] >> bit) & 1
    features[at + _TABLE.round] = min(state["round"], MAX_ROUNDS)
    for good in range(NUM_GOODS):
        unseen = state["discard"][good] + state["deck_tiles"][good]
        features[at + _TABLE.row + good] = min(state["row"][good], MAX_ROW)
        features[at + _TABLE.unseen + good] = unseen
    copy_row(features, at + _TABLE.goods_supply, state["goods_supply"], 0, NUM_GOODS)
    copy_row(features, at + _TABLE.discard, state["discard"], 0, NUM_GOODS)
    copy_row(features, at + _TABLE.house, state["house"], 0, NUM_GOODS)
    supply = state["building_supply"]
    copy_row(features, at + _TABLE.building_supply, supply, 0, NUM_BASE_BUILDINGS)


@kernel
def _fill_ships(rules: Rules, state: State, features: Any, at: int) -> None:
    """Write size, load and cargo of each ship."""
    at &= _ANY_PLACE
    copy_row(features, at + _TABLE.ship_size, rules["ship_size"], 0, NUM_SHIPS)
    copy_row(features, at + _TABLE.ship_load, state["ship_load"], 0, NUM_SHIPS)
    for ship in range(NUM_SHIPS):
        for good in range(NUM_GOODS):
            place = at + _TABLE.ship_good + ship * NUM_GOODS + good
            features[place] = state["ship_good"][ship] == good


@kernel
def _fill_phase_memory(state: State, features: Any, at: int) -> None:
    """Write what the phase in progress remembers."""
    at &= _ANY_PLACE
    for tile in range(NUM_TILES):
        features[at + _TABLE.drawn + tile] = tile == state["drawn"]
        features[at + _TABLE.taken + tile] = tile == state["taken"]
    for spot in range(NUM_BASE_SPOTS):
        features[at + _TABLE.recalled + spot] = state["recalled"][spot] & 1
    features[at + _TABLE.cursor] = max(0, min(state["cursor"], MAX_BASE_CURSOR))
    actor = max(0, state["actor"])
    copy_row(features, at + _TABLE.made, state["produced"][actor], 0, NUM_GOODS)
    copy_row(features, at + _TABLE.stored, state["stored"], 0, NUM_GOODS)
    copy_row(features, at + _TABLE.kept, state["kept"], 0, NUM_GOODS)


# -- what is hidden --------------------------------------------------------------------------------


@kernel
def _hide_plantations(rules: Rules, state: State, seat: int, features: Any, at: int) -> None:
    """Hide the kinds of plantations that a seat cannot see (R-INF-2, Q-31).

    Those are the forests that others laid unseen, and a tile that another seat has just drawn and
    not yet laid. They count among the unseen ones of the table, which begins at ``at``: for this
    seat they might as well lie in the deck.
    """
    at &= _ANY_PLACE
    for player in range(rules["num_players"]):
        if player != seat:
            for good in range(NUM_GOODS):
                features[at + _TABLE.unseen + good] += state["forest_blind"][player, good]
    holder = secret_tile_holder(state)
    if holder != NOBODY and holder != seat:
        drawn = int(state["drawn"])
        features[at + _TABLE.unseen + drawn] += 1
        features[at + _TABLE.drawn + drawn] = 0


# -- what expansions bring -------------------------------------------------------------------------


@kernel
def _fill_expansions(rules: Rules, state: State, seat: int, features: Any, at: int) -> None:
    """Write the part of the expansions, which begins at ``at`` and ends the vector."""
    at &= _ANY_PLACE
    num_players = rules["num_players"]
    if rules["expansions"] > 0 or rules["num_buildings"] > NUM_BASE_BUILDINGS:
        _fill_extra_table(rules, state, seat, features, at)
        _fill_extra_rows(rules, state, features, at)
        at += EXTRA_TABLE_FEATURES
        for offset in range(num_players):
            player = seat + offset
            if player >= num_players:
                player -= num_players
            _fill_extra_seat(state, player, offset == 0, features, at)
            at += EXTRA_SEAT_FEATURES
    at &= _ANY_PLACE
    for absent in range(features.shape[0] - at):
        features[at + absent] = 0


@kernel
def _fill_extra_table(rules: Rules, state: State, seat: int, features: Any, at: int) -> None:
    """Write what expansions bring to the table, but for rows of buildings and spots."""
    at &= _ANY_PLACE
    for place in range(len(EXTRA_POINTS)):
        is_here = _EXTRA_POINTS[place] == state["decision_point"]
        features[at + _EXTRA_TABLE.extra_point + place] = is_here
    for phase in range(len(PHASES)):
        features[at + _EXTRA_TABLE.phase + phase] = phase == state["phase"]
    features[at + _EXTRA_TABLE.amount] = max(0, min(state["value"], MAX_AMOUNT))
    _fill_waiting(rules, state, seat, features, at)
    features[at + _EXTRA_TABLE.smuggler_free] = state["role_owner"][Role.SMUGGLER] == NOBODY
    features[at + _EXTRA_TABLE.captured] = state["captured"]
    features[at + _EXTRA_TABLE.citizen_supply] = state["citizen_supply"]
    features[at + _EXTRA_TABLE.register_citizens] = state["register_citizens"]
    features[at + _EXTRA_TABLE.forests] = state["forests"]
    features[at + _EXTRA_TABLE.hand + Unit.WORKER] = min(state["hand_workers"], MAX_HAND)
    features[at + _EXTRA_TABLE.hand + Unit.CITIZEN] = min(state["hand_citizens"], MAX_HAND)
    features[at + _EXTRA_TABLE.unit_cursor] = max(0, min(state["cursor"], MAX_CURSOR))
    features[at + _EXTRA_TABLE.laid_forest + _DRAWN] = state["drawn"] == FOREST
    features[at + _EXTRA_TABLE.laid_forest + _TAKEN] = state["taken"] == FOREST
    for good in range(NUM_GOODS):
        features[at + _EXTRA_TABLE.festival_estate + good] = state["festival_estate"] == good
    copy_row(features, at + _EXTRA_TABLE.festival_goods, state["festival_goods"], 0, NUM_GOODS)
    copy_row(features, at + _EXTRA_TABLE.privilege_goods, state["privilege_goods"], 0, NUM_GOODS)
    produced = state["produced"][max(0, state["turn"])]
    copy_row(features, at + _EXTRA_TABLE.own_made, produced, 0, NUM_GOODS)


@kernel
def _fill_extra_rows(rules: Rules, state: State, features: Any, at: int) -> None:
    """Write the rows of buildings and spots that expansions bring to the table."""
    at &= _ANY_PLACE
    for spot in range(NUM_SPOTS):
        features[at + _EXTRA_TABLE.recalled_citizens + spot] = (state["recalled"][spot] & 2) > 0
    for spot in range(NUM_BASE_SPOTS, NUM_SPOTS):
        place = at + _EXTRA_TABLE.recalled_new + spot - NUM_BASE_SPOTS
        features[place] = state["recalled"][spot] & 1
    count = NUM_BUILDINGS - NUM_BASE_BUILDINGS
    supply = state["building_supply"]
    copy_row(features, at + _EXTRA_TABLE.new_building_supply, supply, NUM_BASE_BUILDINGS, count)
    count = NUM_BUILDINGS - NUM_CROP_BUILDINGS
    copy_row(features, at + _EXTRA_TABLE.board, state["board"], NUM_CROP_BUILDINGS, count)
    for building in range(NUM_BUILDINGS):
        features[at + _EXTRA_TABLE.bought + building] = 0
        features[at + _EXTRA_TABLE.festival_building + building] = 0
    bought, goal = int(state["bought"]), int(state["festival_building"])
    features[at + _EXTRA_TABLE.bought + max(0, bought)] = bought != NOBODY
    features[at + _EXTRA_TABLE.festival_building + max(0, goal)] = goal != NOBODY
    _fill_draft_slots(rules, state, features, at + _EXTRA_TABLE.draft_slots)


@kernel
def _fill_draft_slots(rules: Rules, state: State, features: Any, at: int) -> None:
    """Count the types of each cost that are still to be chosen, in the draft (R-X1-3)."""
    at &= _ANY_PLACE
    is_draft = state["phase"] == Phase.DRAFT
    for cost in range(1, rules["draft_slots"].shape[0]):
        features[at + cost - 1] = rules["draft_slots"][cost] if is_draft else 0
    if is_draft:
        for building in range(NUM_CROP_BUILDINGS, NUM_BUILDINGS):
            if state["board"][building]:
                features[at + int(rules["cost"][building]) - 1] -= 1


@kernel
def _fill_waiting(rules: Rules, state: State, seat: int, features: Any, at: int) -> None:
    """Write which decisions wait below this one, whose they are and what they are about."""
    at &= _ANY_PLACE
    for slot in range(STACK_SLOTS):
        is_waiting = slot < state["depth"]
        owner = state["stack_turn"][slot] - seat
        owner += rules["num_players"] if owner < 0 else 0
        amount = max(0, min(state["stack_value"][slot], MAX_AMOUNT))
        waiting = is_waiting * (state["stack_point"][slot] + 1)
        features[at + _EXTRA_TABLE.waiting_point + slot] = waiting
        features[at + _EXTRA_TABLE.waiting_seat + slot] = is_waiting * (owner + 1)
        features[at + _EXTRA_TABLE.waiting_amount + slot] = is_waiting * amount


@kernel
def _fill_extra_seat(state: State, player: int, is_own: bool, features: Any, at: int) -> None:
    """Write what expansions bring to one seat."""
    at &= _ANY_PLACE
    features[at + _EXTRA_SEAT.forests] = state["own_forests"][player]
    features[at + _EXTRA_SEAT.portrait_citizens] = state["portrait_citizens"][player]
    features[at + _EXTRA_SEAT.smuggler_tile] = state["smuggler_tile"] == player
    features[at + _EXTRA_SEAT.small_wharf_used] = state["small_wharf_used"][player]
    for bit in range(_NUM_USED_ONCE):
        features[at + _EXTRA_SEAT.once + bit] = (state["used_once"][player] >> bit) & 1
    for role in range(NUM_ROLES):
        features[at + _EXTRA_SEAT.roles_taken + role] = state["role_owner"][role] == player
    for role in range(NUM_BASE_ROLES):
        features[at + _EXTRA_SEAT.roles_captured + role] = state["role_captor"][role] == player
    for good in range(NUM_GOODS):
        blind = state["forest_blind"][player, good]
        kinds = state["forest_kinds"][player, good] - blind
        features[at + _EXTRA_SEAT.forest_kinds + good] = kinds
        features[at + _EXTRA_SEAT.forest_blind + good] = blind if is_own else 0
    owned, workers = state["owned"][player], state["workers"][player]
    count = NUM_SPOTS - NUM_BASE_SPOTS
    copy_row(features, at + _EXTRA_SEAT.new_buildings, owned, NUM_BASE_SPOTS, count)
    copy_row(features, at + _EXTRA_SEAT.new_building_workers, workers, NUM_BASE_SPOTS, count)
    citizens = state["citizens"][player]
    copy_row(features, at + _EXTRA_SEAT.tile_citizens, citizens, 0, NUM_TILES)
    copy_row(features, at + _EXTRA_SEAT.building_citizens, citizens, NUM_TILES, NUM_BUILDINGS)
