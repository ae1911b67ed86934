"""How an observation is filled: one writer per part of the tables in `features.py`.

Together with the mask the vector is all that the deciding seat needs to know of the past (the game
is Markov in it), and it holds nothing that this seat cannot see.
"""

from typing import Any, Final

from prico_env.core.engine import secret_tile_holder
from prico_env.core.jit import kernel
from prico_env.core.rules import ROW_SPAN, Rules
from prico_env.core.state import STACK_SLOTS, State
from prico_env.observation_layout import (
    EXTRA_SEAT_BLOCKS,
    EXTRA_SEAT_FEATURES,
    EXTRA_TABLE_BLOCKS,
    EXTRA_TABLE_FEATURES,
    FIRST_EXTRA_POINT,
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
    NUM_EXTRA_POINTS,
    SEAT_FEATURES,
    TABLE_BLOCKS,
    TABLE_FEATURES,
    place_in,
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
    UsedOnce,
)

# Rows of spots are copied in whole spans of ``row_span``: read from the rules table and known to be
# a multiple of 32, it compiles to vector instructions, where a loop over the 29 spots would not.
# What a span spills behind its block is written over by the block that follows. Rows of the
# expansions are copied by their ends, so that no span reads past them: two spans that overlap, or
# one whose spill lies before its block. So the last block is written first there.
_MULTIPLE_OF_32: Final = -32

# Each writer begins with ``max(at, 0)``: a place is never negative, and told so the compiler drops
# the arithmetic for places that count from the end, which would cost more than the writing.

# In the part of the expansions places are also said to be small: only then does it see that sums of
# them are no negative numbers either, which makes that part three times as fast.
_ANY_PLACE: Final = 0xFFFF
_LAST_SPOTS: Final = NUM_SPOTS - ROW_SPAN
_LAST_BUILDINGS: Final = NUM_BUILDINGS - ROW_SPAN
"""Where the last span of a row of spots or of buildings begins."""

_UNSEEN: Final = place_in(TABLE_BLOCKS, "unseen")
_DRAWN: Final = place_in(TABLE_BLOCKS, "drawn")

_BOUGHT: Final = place_in(EXTRA_TABLE_BLOCKS, "bought")
_FESTIVAL_BUILDING: Final = place_in(EXTRA_TABLE_BLOCKS, "festival_building")
_DRAFT_SLOTS: Final = place_in(EXTRA_TABLE_BLOCKS, "draft_slots")
_BOARD: Final = place_in(EXTRA_TABLE_BLOCKS, "board")
_NEW_SUPPLY: Final = place_in(EXTRA_TABLE_BLOCKS, "new_building_supply")
_RECALLED_NEW: Final = place_in(EXTRA_TABLE_BLOCKS, "recalled_new")
_RECALLED_CITIZENS: Final = place_in(EXTRA_TABLE_BLOCKS, "recalled_citizens")

_NEW_BUILDINGS: Final = place_in(EXTRA_SEAT_BLOCKS, "new_buildings")
_NEW_WORKERS: Final = place_in(EXTRA_SEAT_BLOCKS, "new_building_workers")
_CITIZENS: Final = place_in(EXTRA_SEAT_BLOCKS, "tile_citizens")


@kernel
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
        _fill_seat(rules, state, player, features, at)
        if offset > 0 and rules["vp_hidden"]:
            features[at + 1] = 0
        at += SEAT_FEATURES
    for absent in range(at, table):
        features[absent] = 0
    _fill_table(rules, state, features, table)
    if rules["guest_windows"]:
        _hide_faces(rules, state, seat, features, table)
    if with_expansions:
        _fill_expansions(rules, state, seat, features, num_features)


@kernel
def _fill_seat(rules: Rules, state: State, player: int, features: Any, at: int) -> None:
    """Write the features of one seat from place ``at`` on."""
    span = rules["row_span"] & _MULTIPLE_OF_32
    at = max(at, 0)
    features[at] = min(state["coins"][player], MAX_COINS)
    features[at + 1] = min(state["vp"][player], MAX_VP)
    features[at + 2] = min(state["portrait_workers"][player], MAX_UNITS)
    features[at + 3] = state["island_used"][player]
    features[at + 4] = state["city_used"][player]
    features[at + 5] = player == state["governor"]
    features[at + 6] = player == state["actor"]
    features[at + 7] = state["wharf_used"][player]
    features[at + 8] = state["passed"][player]
    at += 9
    for good in range(NUM_GOODS):
        features[at + good] = state["goods"][player, good]
    at += NUM_GOODS
    for spot in range(span):
        features[at + spot] = state["owned"][player, spot]
    at += NUM_BASE_SPOTS
    for spot in range(span):
        features[at + spot] = state["workers"][player, spot]


@kernel
def _fill_table(rules: Rules, state: State, features: Any, at: int) -> None:
    """Write the features of the table from place ``at`` on."""
    span = rules["row_span"] & _MULTIPLE_OF_32
    at = max(at, 0)
    for point in range(NUM_DECISION_POINTS):
        features[at + point] = point == state["decision_point"]
    at += NUM_DECISION_POINTS
    features[at] = max(0, min(state["value"], MAX_OFFER))
    at += 1
    for role in range(NUM_BASE_ROLES):
        features[at + role] = state["role_owner"][role] == NOBODY
        features[at + NUM_BASE_ROLES + role] = min(state["role_coins"][role], MAX_COINS)
    at += 2 * NUM_BASE_ROLES
    features[at] = state["picks"]
    features[at + 1] = min(state["turns"], MAX_TURNS)
    features[at + 2] = state["first_circuit"]
    features[at + 3] = state["circuit_loads"]
    features[at + 4] = state["captain_loaded"]
    features[at + 5] = min(state["worker_supply"], MAX_UNITS)
    features[at + 6] = min(state["register_workers"], MAX_UNITS)
    features[at + 7] = state["quarries"]
    features[at + 8] = max(0, state["vp_pool"])
    features[at + 9] = (state["end_reasons"] & EndReason.WORKERS) > 0
    features[at + 10] = (state["end_reasons"] & EndReason.CITY) > 0
    features[at + 11] = (state["end_reasons"] & EndReason.VP) > 0
    features[at + 12] = min(state["round"], MAX_ROUNDS)
    at = _fill_goods(state, features, at + 13)
    for building in range(span):
        features[at + building] = state["building_supply"][building]
    at = _fill_ships(rules, state, features, at + NUM_BASE_BUILDINGS)
    _fill_phase_memory(rules, state, features, at)


@kernel
def _fill_goods(state: State, features: Any, at: int) -> int:
    """Write what the table has of each good and plantation; returns the next place."""
    at = max(at, 0)
    for good in range(NUM_GOODS):
        features[at + good] = state["goods_supply"][good]
        features[at + NUM_GOODS + good] = min(state["row"][good], MAX_ROW)
        features[at + 2 * NUM_GOODS + good] = state["discard"][good]
        features[at + 3 * NUM_GOODS + good] = state["discard"][good] + state["deck_tiles"][good]
        features[at + 4 * NUM_GOODS + good] = state["house"][good]
    return at + 5 * NUM_GOODS


@kernel
def _fill_ships(rules: Rules, state: State, features: Any, at: int) -> int:
    """Write size, load and cargo of each ship; returns the next place."""
    at = max(at, 0)
    for ship in range(NUM_SHIPS):
        features[at + ship] = rules["ship_size"][ship]
        features[at + NUM_SHIPS + ship] = state["ship_load"][ship]
        for good in range(NUM_GOODS):
            place = at + 2 * NUM_SHIPS + ship * NUM_GOODS + good
            features[place] = state["ship_good"][ship] == good
    return at + NUM_SHIPS * (NUM_GOODS + 2)


@kernel
def _fill_phase_memory(rules: Rules, state: State, features: Any, at: int) -> None:
    """Write what the phase in progress remembers."""
    span = rules["row_span"] & _MULTIPLE_OF_32
    at = max(at, 0)
    for tile in range(NUM_TILES):
        features[at + tile] = tile == state["drawn"]
        features[at + NUM_TILES + tile] = tile == state["taken"]
    at += 2 * NUM_TILES
    for spot in range(span):
        features[at + spot] = state["recalled"][spot] & 1
    at += NUM_BASE_SPOTS
    features[at] = max(0, min(state["cursor"], MAX_BASE_CURSOR))
    at += 1
    actor = max(0, state["actor"])
    for good in range(NUM_GOODS):
        features[at + good] = state["produced"][actor, good]
        features[at + NUM_GOODS + good] = state["stored"][good]
        features[at + 2 * NUM_GOODS + good] = state["kept"][good]


# -- what is hidden --------------------------------------------------------------------------------


@kernel
def _hide_faces(rules: Rules, state: State, seat: int, features: Any, at: int) -> None:
    """Hide the faces of plantations that a seat cannot see (R-INF-2, Q-31).

    Those are the forests that others laid unseen, and a tile that another seat has just drawn and
    not yet laid. They count among the unseen ones of the table, which begins at ``at``: for this
    seat they might as well lie in the deck.
    """
    at &= _ANY_PLACE
    for player in range(rules["num_players"]):
        if player != seat:
            for good in range(NUM_GOODS):
                features[at + _UNSEEN + good] += state["forest_blind"][player, good]
    holder = secret_tile_holder(state)
    if holder != NOBODY and holder != seat:
        drawn = int(state["drawn"])
        features[at + _UNSEEN + drawn] += 1
        features[at + _DRAWN + drawn] = 0


# -- what expansions bring -------------------------------------------------------------------------


@kernel
def _fill_expansions(rules: Rules, state: State, seat: int, features: Any, at: int) -> None:
    """Write the part of the expansions, which begins at ``at`` and ends the vector."""
    at &= _ANY_PLACE
    num_players = rules["num_players"]
    if rules["expansions"] > 0 or rules["num_buildings"] > NUM_BASE_BUILDINGS:
        _fill_extra_table(rules, state, seat, features, at)
        at += EXTRA_TABLE_FEATURES
        for offset in range(num_players):
            player = seat + offset
            if player >= num_players:
                player -= num_players
            _fill_extra_seat(rules, state, player, offset == 0, features, at)
            at += EXTRA_SEAT_FEATURES
    at &= _ANY_PLACE
    for absent in range(features.shape[0] - at):
        features[at + absent] = 0


@kernel
def _fill_extra_table(rules: Rules, state: State, seat: int, features: Any, at: int) -> None:
    """Write what expansions bring to the table; rows first, the last of them before the others."""
    at &= _ANY_PLACE
    _fill_extra_rows(rules, state, features, at)
    if state["phase"] == Phase.DRAFT:
        _fill_draft_slots(rules, state, features, at + _DRAFT_SLOTS)
    for point in range(NUM_EXTRA_POINTS):
        features[at + point] = point + FIRST_EXTRA_POINT == state["decision_point"]
    at += NUM_EXTRA_POINTS
    for phase in range(len(PHASES)):
        features[at + phase] = phase == state["phase"]
    at += len(PHASES)
    features[at] = max(0, min(state["value"], MAX_AMOUNT))
    at = _fill_waiting(rules, state, seat, features, at + 1)
    features[at] = state["role_owner"][Role.SMUGGLER] == NOBODY
    features[at + 1] = state["captured"]
    features[at + 2] = state["citizen_supply"]
    features[at + 3] = state["register_citizens"]
    features[at + 4] = state["forests"]
    features[at + 5] = min(state["hand_workers"], MAX_HAND)
    features[at + 6] = min(state["hand_citizens"], MAX_HAND)
    features[at + 7] = max(0, min(state["cursor"], MAX_CURSOR))
    features[at + 8] = state["drawn"] == FOREST
    features[at + 9] = state["taken"] == FOREST
    at += 10
    turn = max(0, state["turn"])
    for good in range(NUM_GOODS):
        features[at + good] = state["festival_estate"] == good
        features[at + NUM_GOODS + good] = state["festival_goods"][good]
        features[at + 2 * NUM_GOODS + good] = state["privilege_goods"][good]
        features[at + 3 * NUM_GOODS + good] = state["produced"][turn, good]


@kernel
def _fill_extra_rows(rules: Rules, state: State, features: Any, at: int) -> None:
    """Write the rows of buildings and spots that expansions bring to the table."""
    span = rules["row_span"] & _MULTIPLE_OF_32
    at &= _ANY_PLACE
    place = at + _RECALLED_CITIZENS
    for spot in range(span):
        features[place + spot] = (state["recalled"][spot] & 2) > 0
    for spot in range(span):
        features[place + _LAST_SPOTS + spot] = (state["recalled"][_LAST_SPOTS + spot] & 2) > 0
    place = at + _RECALLED_NEW + _LAST_SPOTS - NUM_BASE_SPOTS
    for spot in range(span):
        features[place + spot] = state["recalled"][_LAST_SPOTS + spot] & 1
    place = at + _NEW_SUPPLY + _LAST_BUILDINGS - NUM_BASE_BUILDINGS
    for building in range(span):
        features[place + building] = state["building_supply"][_LAST_BUILDINGS + building]
    place = at + _BOARD
    for building in range(span):
        features[place + building] = state["board"][NUM_CROP_BUILDINGS + building]
    place = at + _BOARD + _LAST_BUILDINGS - NUM_CROP_BUILDINGS
    for building in range(span):
        features[place + building] = state["board"][_LAST_BUILDINGS + building]
    for rest in range(_DRAFT_SLOTS, _BOARD):
        features[at + rest] = 0
    bought, goal = int(state["bought"]), int(state["festival_building"])
    features[at + _BOUGHT + max(0, bought)] = bought != NOBODY
    features[at + _FESTIVAL_BUILDING + max(0, goal)] = goal != NOBODY


@kernel
def _fill_draft_slots(rules: Rules, state: State, features: Any, at: int) -> None:
    """Count the types of each cost that are still to be chosen (R-X1-3)."""
    at &= _ANY_PLACE
    for cost in range(1, rules["draft_slots"].shape[0]):
        features[at + cost - 1] = rules["draft_slots"][cost]
    for building in range(NUM_CROP_BUILDINGS, NUM_BUILDINGS):
        if state["board"][building]:
            features[at + int(rules["cost"][building]) - 1] -= 1


@kernel
def _fill_waiting(rules: Rules, state: State, seat: int, features: Any, at: int) -> int:
    """Write which decisions wait below this one, and whose; returns the next place."""
    at &= _ANY_PLACE
    for slot in range(STACK_SLOTS):
        is_waiting = slot < state["depth"]
        owner = state["stack_turn"][slot] - seat
        owner += rules["num_players"] if owner < 0 else 0
        features[at + slot] = is_waiting * (state["stack_point"][slot] + 1)
        features[at + STACK_SLOTS + slot] = is_waiting * (owner + 1)
        amount = max(0, min(state["stack_value"][slot], MAX_AMOUNT))
        features[at + 2 * STACK_SLOTS + slot] = is_waiting * amount
    return at + 3 * STACK_SLOTS


@kernel
def _fill_extra_seat(
    rules: Rules, state: State, player: int, is_own: bool, features: Any, at: int
) -> None:
    """Write what expansions bring to one seat; rows first, the last of them before the others."""
    span = rules["row_span"] & _MULTIPLE_OF_32
    at &= _ANY_PLACE
    place = at + _CITIZENS
    for spot in range(span):
        features[place + spot] = state["citizens"][player, spot]
    for spot in range(span):
        features[place + _LAST_SPOTS + spot] = state["citizens"][player, _LAST_SPOTS + spot]
    place = at + _NEW_WORKERS + _LAST_SPOTS - NUM_BASE_SPOTS
    for spot in range(span):
        features[place + spot] = state["workers"][player, _LAST_SPOTS + spot]
    place = at + _NEW_BUILDINGS + _LAST_SPOTS - NUM_BASE_SPOTS
    for spot in range(span):
        features[place + spot] = state["owned"][player, _LAST_SPOTS + spot]
    features[at] = state["own_forests"][player]
    features[at + 1] = state["portrait_citizens"][player]
    features[at + 2] = state["smuggler_tile"] == player
    features[at + 3] = state["small_wharf_used"][player]
    features[at + 4] = (state["used_once"][player] & UsedOnce.LAND) > 0
    features[at + 5] = (state["used_once"][player] & UsedOnce.SOLD) > 0
    features[at + 6] = (state["used_once"][player] & UsedOnce.VILLA) > 0
    at += 7
    for role in range(NUM_ROLES):
        features[at + role] = state["role_owner"][role] == player
    at += NUM_ROLES
    for role in range(NUM_BASE_ROLES):
        features[at + role] = state["role_captor"][role] == player
    at += NUM_BASE_ROLES
    for good in range(NUM_GOODS):
        blind = state["forest_blind"][player, good]
        features[at + good] = state["forest_kinds"][player, good] - blind
        features[at + NUM_GOODS + good] = blind if is_own else 0
