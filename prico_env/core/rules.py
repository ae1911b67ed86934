"""One record is one rule set, as kernels read it: its fields and what they mean.

What does not change during a game stands here, so that no kernel asks for an edition by name.
`prico_env.ruleset` fills the record from an edition, a number of players and switches.
"""

import enum
from typing import Any, Final, TypeAlias

import numpy as np

from prico_env.catalog.options import SWITCHES
from prico_env.core.state import STATE
from prico_env.vocabulary import (
    MAX_PLAYERS,
    NUM_BUILDINGS,
    NUM_GOODS,
    NUM_POWERS,
    NUM_ROLES,
    NUM_SHIPS,
    NUM_SPOTS,
)

Rules: TypeAlias = Any
"""What does not change during a game: a record of :data:`RULES`."""

MAX_COST: Final = 10
"""What the dearest buildings cost."""
MAX_PAIRS: Final = 8
"""Pairs of exclusive buildings (R-X1-9): a draft looks at every way to leave one of each out."""


class Draft(enum.IntEnum):
    """Who chooses the commercial buildings of a game with the new buildings (R-X1-4)."""

    NONE = 0
    BY_PLAYERS = 1
    AT_RANDOM = 2


SWITCH_FIELDS: Final = tuple(
    (switch.field, switch.kind, (), switch.text) for switch in SWITCHES.values() if switch.field
)
"""The switches that kernels ask for; how each is a number says its row in `catalog.options`."""

RULES_FIELDS: Final[tuple[tuple[str, Any, tuple[int, ...], str], ...]] = (
    ("num_players", "i1", (), "Seats."),
    ("edition", "i1", (), "An `Edition`."),
    ("expansions", "i1", (), "Bits of `Expansion`."),
    ("num_actions", "i2", (), "Size of the action space of this rule set."),
    ("num_spots", "i1", (), "Spots units can stand on in this rule set: 29 in the base game."),
    ("num_buildings", "i1", (), "Building numbers that can occur: 23 in the base game."),
    ("picks_per_round", "i1", (), "Role cards taken in a round."),
    ("row_size", "i1", (), "Tiles in a full row."),
    ("starting_coins", "i1", (MAX_PLAYERS,), "Coins by seat at set-up."),
    ("starting_tile", "i1", (MAX_PLAYERS,), "Plantation by seat at set-up."),
    ("role_in_play", "i1", (NUM_ROLES,), "Which role cards are on the table."),
    ("worker_supply", "i2", (), "Workers in the supply at set-up."),
    ("register_workers", "i2", (), "Workers on the register at set-up."),
    ("quarries", "i1", (), "Quarries at set-up."),
    ("goods", "i1", (NUM_GOODS,), "Barrels of each kind."),
    ("plantations", "i1", (NUM_GOODS,), "Plantations of each kind, starting tiles included."),
    ("num_ships", "i1", (), "Cargo ships."),
    ("ship_size", "i1", (NUM_SHIPS,), "Capacities, ascending; 0 for a ship that is not in play."),
    ("good_price", "i1", (NUM_GOODS,), "What the trading house pays."),
    ("kind_income", "i1", (NUM_GOODS + 1,), "Factory income by number of kinds produced."),
    ("island_score", "i1", (13,), "Residence score by filled island spaces."),
    ("cost", "i1", (NUM_BUILDINGS,), "Price before discounts."),
    ("vp", "i1", (NUM_BUILDINGS,), "Printed VP."),
    ("column", "i1", (NUM_BUILDINGS,), "Column 1 to 4: the most quarries that may discount it."),
    ("spaces", "i1", (NUM_BUILDINGS,), "City spaces it fills."),
    ("copies", "i1", (NUM_BUILDINGS,), "Copies at set-up; 0 for a type that is not in the game."),
    ("spare_copies", "i1", (NUM_BUILDINGS,), "Copies that stay in the box at this player count."),
    ("building_class", "i1", (NUM_BUILDINGS,), "A `BuildingClass`."),
    ("crop", "i1", (NUM_BUILDINGS,), "The good a production building processes, -1 none."),
    ("power", "i1", (NUM_BUILDINGS,), "The `Power` it gives, -1 none."),
    ("power_amount", "i1", (NUM_BUILDINGS,), "How much of it."),
    ("circles", "i1", (NUM_SPOTS,), "Circles of one tile or building of each spot."),
    ("citizen_amount", "i1", (NUM_BUILDINGS,), "The same while a citizen stands there alone."),
    ("power_spot", "i1", (NUM_POWERS,), "The spot of the first building with each power, -1 none."),
    # -- expansions ------------------------------------------------------------------------------
    ("citizens", "i1", (), "Citizens in the game."),
    ("forests", "i1", (), "Forest tiles in a stack of their own; 0 where there is none."),
    ("start_supply", "i1", (NUM_BUILDINGS,), "Copies for sale before any draft."),
    ("board", "i1", (NUM_BUILDINGS,), "Drafted types that are in the game from the start."),
    ("draft_pool", "i1", (NUM_BUILDINGS,), "Types that the draft chooses among."),
    ("draft_slots", "i1", (MAX_COST + 1,), "How many types of each cost it chooses."),
    ("num_pairs", "i1", (), "Pairs of types of which the board holds one at most."),
    ("pairs", "i1", (MAX_PAIRS, 2), "Those pairs."),
    ("draft", "i1", (), "A `Draft`: whether players choose, or the game's generator."),
    ("festival", "i1", (), "Whether there is a festival."),
    ("festival_pool", "i1", (NUM_BUILDINGS,), "Buildings the festival may ask for, if for sale."),
    # -- switches ----------------------------------------------------------------------------------
    *SWITCH_FIELDS,
    # -- the start -------------------------------------------------------------------------------
    ("start", STATE, (), "The record that a new game is copied from, see `core.start`."),
)
"""Every field: name, type of an element, shape, meaning."""

RULES: Final = np.dtype([(name, kind, shape) for name, kind, shape, _ in RULES_FIELDS])
"""The record of one rule set."""
