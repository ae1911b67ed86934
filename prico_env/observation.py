"""How an observation is filled: one writer per part of the table in `features.py`.

Together with the mask the vector is all that the deciding seat needs to know of the past (the game
is Markov in it), and it holds nothing that this seat cannot see.
"""

from typing import Any, Final

from prico_env._jit import kernel
from prico_env.features import (
    MAX_COINS,
    MAX_ROUNDS,
    MAX_UNITS,
    MAX_VP,
    NUM_DECISION_POINTS,
    SEAT_FEATURES,
    TABLE_FEATURES,
)
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.vocabulary import (
    NOBODY,
    NUM_BASE_BUILDINGS,
    NUM_BASE_ROLES,
    NUM_BASE_SPOTS,
    NUM_GOODS,
    NUM_SHIPS,
    NUM_TILES,
    EndReason,
)

# Rows of spots are copied in whole spans of ``row_span``: read from the rules table and known to be
# a multiple of 32, it compiles to vector instructions, where a loop over the 29 spots would not.
# What a span spills behind its block is written over by the block that follows.
_MULTIPLE_OF_32: Final = -32

# Each writer begins with ``max(at, 0)``: a place is never negative, and told so the compiler drops
# the arithmetic for places that count from the end, which would cost more than the writing.


@kernel
def fill_observation(rules: Rules, state: State, seat: int, features: Any) -> None:
    """Describe the game as ``seat`` sees it; that seat comes first, then the others clockwise.

    Args:
        rules: The rule set.
        state: The game.
        seat: Whose eyes we look through.
        features: Filled in place, uint8, shape ``(num_features,)`` of a layout with at least as
            many seats as the game has; seats that are not in the game read 0.
    """
    num_players = rules["num_players"]
    table = features.shape[0] - TABLE_FEATURES
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
        features[at + spot] = state["tiles"][player, spot]
    at += NUM_BASE_SPOTS
    for spot in range(span):
        features[at + spot] = state["workers"][player, spot]


@kernel
def _fill_table(rules: Rules, state: State, features: Any, at: int) -> None:
    """Write the features of the table from place ``at`` on."""
    span = rules["row_span"] & _MULTIPLE_OF_32
    at = max(at, 0)
    for point in range(NUM_DECISION_POINTS):
        features[at + point] = point == state["point"]
    at += NUM_DECISION_POINTS
    features[at] = state["value"]
    at += 1
    for role in range(NUM_BASE_ROLES):
        features[at + role] = state["role_owner"][role] == NOBODY
        features[at + NUM_BASE_ROLES + role] = min(state["role_coins"][role], MAX_COINS)
    at += 2 * NUM_BASE_ROLES
    features[at] = state["picks"]
    features[at + 1] = state["turns"]
    features[at + 2] = state["first_circuit"]
    features[at + 3] = state["circuit_loads"]
    features[at + 4] = state["captain_loaded"]
    features[at + 5] = state["worker_supply"]
    features[at + 6] = state["register_workers"]
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
        features[at + NUM_GOODS + good] = state["row"][good]
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
        features[at + spot] = state["recalled"][spot]
    at += NUM_BASE_SPOTS
    features[at] = state["cursor"]
    at += 1
    actor = max(0, state["actor"])
    for good in range(NUM_GOODS):
        features[at + good] = state["made"][actor, good]
        features[at + NUM_GOODS + good] = state["stored"][good]
        features[at + 2 * NUM_GOODS + good] = state["kept"][good]
