"""Every noun of the game as an integer with its name, and the sizes that bound a record.

Kernels use the numbers, people read the words, and this file joins the two. Numbers never move:
a new member goes at the end, because saved games, trained policies and scripts depend on them.
"""

import enum
from typing import Final, NamedTuple

from prico_env.catalog import buildings, names as _edition_names
from prico_env.catalog.kinds import (
    ALL_EXPANSIONS as ALL_EXPANSIONS,
    EXPANSIONS as EXPANSIONS,
    GOODS as GOODS,
    MAX_PLAYERS as MAX_PLAYERS,
    NUM_GOODS as NUM_GOODS,
    NUM_POWERS as NUM_POWERS,
    NUM_ROLES as NUM_ROLES,
    PHASES as PHASES,
    POWERS as POWERS,
    ROLES as ROLES,
    TWO_SIDED as TWO_SIDED,
    BuildingClass as BuildingClass,
    Expansion as Expansion,
    Good as Good,
    Phase as Phase,
    Power as Power,
    Role as Role,
    VillaMode as VillaMode,
    Windows as Windows,
)

ISLAND_SPACES: Final = 12
CITY_SPACES: Final = 12
NOBODY: Final = -1
"""Stands for "no seat", "no good" or "no ship" wherever a number is expected."""

NUM_SHIPS: Final = 3
HOUSE_SLOTS: Final = 4
DECK_SLOTS: Final = 50


MAX_BARRELS: Final = 11
"""No kind has more barrels than this."""

QUARRY: Final = 5
"""The quarry comes after the five plantations among the tiles of an island."""
TILES: Final = (*GOODS, "quarry")
"""Island tiles that have a circle. Forests have none and are counted apart."""
NUM_TILES: Final = len(TILES)
FOREST: Final = 6
"""A forest, where a tile just drawn, taken or removed is named; it is no spot."""


NUM_BASE_ROLES: Final = 8

NOT_IN_PLAY: Final = -2
"""In ``role_owner``: this card stays in the box at this player count."""


class DecisionPoint(enum.IntEnum):
    """A place where a seat may have to decide: the program counter of the game.

    ``fill_legal`` of a phase asks what is allowed at a point; ``apply`` carries a choice out and
    names the next point. ``PHASE_BEGIN``, ``PHASE_END``, ``PHASE_CLOSE`` and ``GAME_OVER`` are not
    decisions: they are places the engine passes. The points of the expansions come behind them.
    """

    CHOOSE_ROLE = 0
    DRAW_TILE = 1
    TAKE_TILE = 2
    STAFF_TILE = 3
    MAYOR_PRIVILEGE = 4
    RECALL = 5
    PLACE = 6
    BUY = 7
    STAFF_BUILDING = 8
    PRODUCE = 9
    CRAFTSMAN_PRIVILEGE = 10
    SELL = 11
    LOAD = 12
    STORE = 13
    GAIN_COINS = 14
    GAIN_VP = 15
    PHASE_BEGIN = 16
    PHASE_END = 17
    GAME_OVER = 18
    DRAFT = 19
    OPEN_WINDOW = 20
    TURN_WINDOW = 21
    CLOSE_WINDOW = 22
    USE_TILE = 23
    TAKE_AGAIN = 24
    HUNT = 25
    OPENING = 26
    DEAL = 27
    HIRE = 28
    PAY = 29
    SMALL_SHIP = 30
    SUPPLY = 31
    SMUGGLE = 32
    RAID = 33
    GATHER = 34
    PLACE_UNITS = 35
    GAIN_UNITS = 36
    BUILT = 37
    PHASE_CLOSE = 38
    REMOVE_TILE = 39


DECISION_POINTS: Final = tuple(point.name.lower() for point in DecisionPoint)


class Asker(enum.IntEnum):
    """Which part of the engine knows what is allowed at a decision point."""

    PHASE = 0
    GAIN = 1
    UNIT_HANDOUT = 2
    WINDOW = 3
    NOBODY = 4
    """The game goes on by itself."""


class PointRow(NamedTuple):
    """What is known of a decision point.

    Attributes:
        point: The point.
        asker: Which part of the engine asks.
        phases: The phases that ask, where it is a point of phases; else any phase can have it.
        modules: The expansions that bring it, any of them; none for the base game.
        interrupts: Whether it interrupts another decision, which then waits below it.
    """

    point: DecisionPoint
    asker: Asker = Asker.PHASE
    phases: tuple[Phase, ...] = ()
    modules: tuple[str, ...] = ()
    interrupts: bool = False


_BUILDINGS = ("buildings",)
_CITIZENS = ("citizens",)
_SMUGGLER = ("smuggler",)
_HANDOUTS = ("smuggler", "festival")
POINTS: Final = (
    PointRow(DecisionPoint.CHOOSE_ROLE, phases=(Phase.ROLE,)),
    PointRow(DecisionPoint.DRAW_TILE, phases=(Phase.SETTLER,)),
    PointRow(DecisionPoint.TAKE_TILE, phases=(Phase.SETTLER,)),
    PointRow(DecisionPoint.STAFF_TILE, phases=(Phase.SETTLER,)),
    PointRow(DecisionPoint.MAYOR_PRIVILEGE, phases=(Phase.MAYOR,)),
    PointRow(DecisionPoint.RECALL, phases=(Phase.MAYOR,)),
    PointRow(DecisionPoint.PLACE, phases=(Phase.MAYOR,)),
    PointRow(DecisionPoint.BUY, phases=(Phase.BUILDER,)),
    PointRow(DecisionPoint.STAFF_BUILDING, phases=(Phase.BUILDER,)),
    PointRow(DecisionPoint.PRODUCE, phases=(Phase.CRAFTSMAN,)),
    PointRow(DecisionPoint.CRAFTSMAN_PRIVILEGE, phases=(Phase.CRAFTSMAN,)),
    PointRow(DecisionPoint.SELL, phases=(Phase.TRADER,)),
    PointRow(DecisionPoint.LOAD, phases=(Phase.CAPTAIN,)),
    PointRow(DecisionPoint.STORE, phases=(Phase.STORAGE,)),
    PointRow(DecisionPoint.GAIN_COINS, Asker.GAIN, interrupts=True),
    PointRow(DecisionPoint.GAIN_VP, Asker.GAIN, interrupts=True),
    PointRow(DecisionPoint.PHASE_BEGIN, Asker.NOBODY),
    PointRow(DecisionPoint.PHASE_END, Asker.NOBODY),
    PointRow(DecisionPoint.GAME_OVER, Asker.NOBODY),
    PointRow(DecisionPoint.DRAFT, phases=(Phase.DRAFT,), modules=_BUILDINGS),
    PointRow(DecisionPoint.OPEN_WINDOW, Asker.WINDOW, modules=_BUILDINGS),
    PointRow(DecisionPoint.TURN_WINDOW, Asker.WINDOW, modules=_BUILDINGS, interrupts=True),
    PointRow(DecisionPoint.CLOSE_WINDOW, Asker.WINDOW, modules=_BUILDINGS),
    PointRow(DecisionPoint.USE_TILE, phases=(Phase.SETTLER, Phase.TRADER), modules=_BUILDINGS),
    PointRow(DecisionPoint.TAKE_AGAIN, phases=(Phase.SETTLER,), modules=_BUILDINGS),
    PointRow(DecisionPoint.HUNT, phases=(Phase.SETTLER,), modules=_CITIZENS),
    PointRow(DecisionPoint.OPENING, phases=(Phase.MAYOR, Phase.CRAFTSMAN), modules=_CITIZENS),
    PointRow(DecisionPoint.DEAL, phases=(Phase.MAYOR,), modules=_CITIZENS),
    PointRow(DecisionPoint.HIRE, Asker.UNIT_HANDOUT, modules=_CITIZENS, interrupts=True),
    PointRow(DecisionPoint.PAY, phases=(Phase.BUILDER,), modules=_BUILDINGS),
    PointRow(DecisionPoint.SMALL_SHIP, phases=(Phase.CAPTAIN,), modules=_BUILDINGS),
    PointRow(DecisionPoint.SUPPLY, phases=(Phase.CAPTAIN,), modules=("citizens", "buildings")),
    PointRow(DecisionPoint.SMUGGLE, phases=(Phase.SMUGGLER,), modules=_SMUGGLER),
    PointRow(DecisionPoint.RAID, phases=(Phase.SMUGGLER,), modules=_SMUGGLER),
    PointRow(DecisionPoint.GATHER, Asker.UNIT_HANDOUT, modules=_HANDOUTS, interrupts=True),
    PointRow(DecisionPoint.PLACE_UNITS, Asker.UNIT_HANDOUT, modules=_HANDOUTS, interrupts=True),
    PointRow(
        DecisionPoint.GAIN_UNITS,
        Asker.UNIT_HANDOUT,
        modules=("festival", "citizens"),
        interrupts=True,
    ),
    PointRow(DecisionPoint.BUILT, phases=(Phase.BUILDER,)),
    PointRow(DecisionPoint.PHASE_CLOSE, Asker.NOBODY),
    PointRow(DecisionPoint.REMOVE_TILE, phases=(Phase.SETTLER, Phase.TRADER), modules=_CITIZENS),
)
"""Every decision point, by number."""


class EndReason(enum.IntEnum):
    """Why this round is the last (R-END-1..3): bits, because a game may have several reasons."""

    WORKERS = 1
    CITY = 2
    VP = 4


EDITIONS: Final = _edition_names()
"""The editions there are from the start, by number."""


class Outcome(enum.IntEnum):
    """Whether a game is over, and how."""

    RUNNING = 0
    FINISHED = 1
    TRUNCATED = 2


class UsedOnce(enum.IntEnum):
    """What a seat did once, as bits of ``once``."""

    LAND = 1
    SOLD = 2
    VILLA = 4


class Unit(enum.IntEnum):
    """The two kinds of units."""

    WORKER = 0
    CITIZEN = 1


class Side(enum.IntEnum):
    """How much of a power a two-sided building gives: which kind of unit stands on it."""

    WORKER = 1
    CITIZEN = 2


BUILDING_ROWS: Final = buildings()
"""Every building of every edition, by number: its row in the first edition that has it."""
BUILDINGS: Final = tuple(row.id for row in BUILDING_ROWS)
"""Engine ids by building number; a building keeps its number in every edition, for ever."""
BUILDING_CODES: Final = tuple(row.code for row in BUILDING_ROWS)
"""A code for each building, by number, as `rules.md` (C.1) has them."""
NUM_BUILDINGS: Final = len(BUILDINGS)

NUM_PUBLISHED_BUILDINGS: Final = 45
"""The published ones: their actions stand in blocks by module, and later ones bring their own."""


def _published(module: str) -> tuple[str, ...]:
    return tuple(row.id for row in BUILDING_ROWS[:NUM_PUBLISHED_BUILDINGS] if row.module == module)


BASE_BUILDINGS: Final = _published("base")
NEW_BUILDINGS: Final = _published("buildings")
CITIZEN_BUILDINGS: Final = _published("citizens")
FURTHER_BUILDINGS: Final = BUILDING_ROWS[NUM_PUBLISHED_BUILDINGS:]
"""The rows of what came later: buildings added to an edition, or brought by one of your own."""
NUM_BASE_BUILDINGS: Final = len(BASE_BUILDINGS)
NUM_CROP_BUILDINGS: Final = 6
"""Buildings that process a crop have the numbers below this one."""

SPOTS: Final = TILES + BUILDINGS
"""Where units may stand: tiles by kind, then buildings by number."""
NUM_SPOTS: Final = len(SPOTS)
NUM_BASE_SPOTS: Final = NUM_TILES + NUM_BASE_BUILDINGS
PORTRAIT: Final = NUM_SPOTS
"""Where units stand that are not placed, where a spot is asked for."""
