"""Every noun of the game as an integer with its name, and the sizes that bound a record.

Kernels use the numbers, people read the words, and this file joins the two. Numbers never move:
a new member goes at the end, because saved games, trained policies and scripts depend on them.
"""

import enum
from typing import Final

MAX_PLAYERS: Final = 5
ISLAND_SPACES: Final = 12
CITY_SPACES: Final = 12
NOBODY: Final = -1
"""Stands for "no seat", "no good" or "no ship" wherever a number is expected."""

NUM_SHIPS: Final = 3
HOUSE_SLOTS: Final = 4
DECK_SLOTS: Final = 50


class Good(enum.IntEnum):
    """A kind of barrel, which is also a kind of plantation; dearer kinds have higher numbers."""

    CORN = 0
    INDIGO = 1
    SUGAR = 2
    TOBACCO = 3
    COFFEE = 4


GOODS: Final = ("corn", "indigo", "sugar", "tobacco", "coffee")
NUM_GOODS: Final = len(GOODS)
MAX_BARRELS: Final = 11
"""No kind has more barrels than this."""

QUARRY: Final = 5
"""The quarry comes after the five plantations among the tiles of an island."""
TILES: Final = (*GOODS, "quarry")
"""Island tiles that have a circle. Forests have none and are counted apart."""
NUM_TILES: Final = len(TILES)
FOREST: Final = 6
"""A forest, where a tile just drawn, taken or removed is named; it is no spot."""


class Role(enum.IntEnum):
    """A role card. The two prospectors are two cards with coins of their own."""

    SETTLER = 0
    MAYOR = 1
    BUILDER = 2
    CRAFTSMAN = 3
    TRADER = 4
    CAPTAIN = 5
    PROSPECTOR_1 = 6
    PROSPECTOR_2 = 7
    SMUGGLER = 8


ROLES: Final = tuple(role.name.lower() for role in Role)
NUM_ROLES: Final = len(ROLES)
NUM_BASE_ROLES: Final = 8

NOT_IN_PLAY: Final = -2
"""In ``role_owner``: this card stays in the box at this player count."""


class Phase(enum.IntEnum):
    """What is being played, as ``Game.phase`` names it."""

    DRAFT = 0
    ROLE = 1
    SETTLER = 2
    MAYOR = 3
    BUILDER = 4
    CRAFTSMAN = 5
    TRADER = 6
    CAPTAIN = 7
    STORAGE = 8
    PROSPECTOR = 9
    SMUGGLER = 10
    END = 11
    OVER = 12


PHASES: Final = tuple(phase.name.lower() for phase in Phase)


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


DECISION_POINTS: Final = tuple(point.name.lower() for point in DecisionPoint)


class EndReason(enum.IntEnum):
    """Why this round is the last (R-END-1..3): bits, because a game may have several reasons."""

    WORKERS = 1
    CITY = 2
    VP = 4


class Outcome(enum.IntEnum):
    """Whether a game is over, and how."""

    RUNNING = 0
    FINISHED = 1
    TRUNCATED = 2


class Edition(enum.IntEnum):
    """The three sets of rules."""

    CLASSIC = 0
    EN_1897 = 1
    DE_1897 = 2


EDITIONS: Final = ("classic", "1897-en", "1897-de")


class Expansion(enum.IntEnum):
    """Modules beside the base game, as bits of ``rules["expansions"]``."""

    BUILDINGS = 1
    CITIZENS = 2
    SMUGGLER = 4
    FESTIVAL = 8


EXPANSIONS: Final = ("buildings", "citizens", "smuggler", "festival")
ALL_EXPANSIONS: Final = EXPANSIONS
"""What a rule set is given to play with everything; both 1897 editions have all of it."""


class Windows(enum.IntEnum):
    """When guests may move (`guest_windows`)."""

    NONE = 0
    REDUCED = 1
    FULL = 2


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


class BuildingClass(enum.IntEnum):
    """What sort of building it is; city hall, guild hall and prices by column ask for it."""

    SMALL_PRODUCTION = 0
    LARGE_PRODUCTION = 1
    SMALL_COMMERCIAL = 2
    LARGE_COMMERCIAL = 3


BASE_BUILDINGS: Final = (
    "small_indigo_plant",
    "small_sugar_mill",
    "indigo_plant",
    "sugar_mill",
    "tobacco_storage",
    "coffee_roaster",
    "small_market",
    "hacienda",
    "construction_hut",
    "small_warehouse",
    "hospice",
    "office",
    "large_market",
    "large_warehouse",
    "factory",
    "university",
    "harbor",
    "wharf",
    "guild_hall",
    "residence",
    "fortress",
    "customs_house",
    "city_hall",
)
NEW_BUILDINGS: Final = (
    "aqueduct",
    "forest_house",
    "black_market",
    "storehouse",
    "guest_house",
    "trading_post",
    "church",
    "small_wharf",
    "lighthouse",
    "specialty_factory",
    "library",
    "union_hall",
    "cloister",
    "statue",  # last, because it is the only building without a circle
)
CITIZEN_BUILDINGS: Final = (
    "land_office",
    "chapel",
    "hunting_lodge",
    "notary",
    "royal_supplier",
    "villa",
    "jeweler",
    "royal_garden",
)
BUILDINGS: Final = BASE_BUILDINGS + NEW_BUILDINGS + CITIZEN_BUILDINGS
"""Engine ids by building number; a building keeps its number in every edition, for ever."""
NUM_BASE_BUILDINGS: Final = len(BASE_BUILDINGS)
NUM_CROP_BUILDINGS: Final = 6
"""Buildings that process a crop have the numbers below this one."""
NUM_BUILDINGS: Final = len(BUILDINGS)

SPOTS: Final = TILES + BUILDINGS
"""Where units may stand: tiles by kind, then buildings by number."""
NUM_SPOTS: Final = len(SPOTS)
NUM_BASE_SPOTS: Final = NUM_TILES + NUM_BASE_BUILDINGS
PORTRAIT: Final = NUM_SPOTS
"""Where units stand that are not placed, where a spot is asked for."""


class Power(enum.IntEnum):
    """What an occupied building gives its owner; a phase asks for the power, never the building."""

    SALE_BONUS = 0
    """Trader: extra coins for a sale to the trading house."""
    EXTRA_TILE = 1
    """Settler: may draw a tile before the normal action."""
    QUARRY_RIGHT = 2
    """Settler: may take a quarry instead of a plantation."""
    STORE_KINDS = 3
    """Captain: this many kinds are kept whole."""
    STAFF_TILE = 4
    """Settler: a worker joins the tile just placed."""
    SELL_ANY_KIND = 5
    """Trader: may sell a kind that the trading house already holds."""
    KIND_INCOME = 6
    """Craftsman: coins by the number of kinds produced."""
    STAFF_BUILDING = 7
    """Builder: a worker joins the building just bought."""
    LOAD_VP = 8
    """Captain: VP with each load."""
    OWN_SHIP = 9
    """Captain: once a phase, all barrels of one kind go on a ship of one's own."""
    SCORE_PLANTS = 10
    """End: VP for production buildings."""
    SCORE_ISLAND = 11
    """End: VP for filled island spaces."""
    SCORE_UNITS = 12
    """End: VP for units on the whole player board."""
    SCORE_VP = 13
    """End: VP for VP earned during the game."""
    SCORE_COMMERCE = 14
    """End: VP for commercial buildings."""
    EXTRA_CROP = 15
    """Craftsman: one more indigo and sugar from the large buildings."""
    FOREST = 16
    """Settler: a tile may become a forest."""
    BARTER = 17
    """Builder: resources make up for missing coins."""
    STORE_BARRELS = 18
    """Captain: this many further single barrels are kept."""
    GUESTS = 19
    """Any phase: units here may move to other circles."""
    OWN_MARKET = 20
    """Trader: the sale may go to a market of one's own."""
    BUILD_VP = 21
    """Builder: VP for a building by its column."""
    SMALL_SHIP = 22
    """Captain: once a phase, any barrels for half their number in VP."""
    LOAD_COINS = 23
    """Captain: a coin with each load, and for being captain."""
    CROP_INCOME = 24
    """Craftsman: coins for the kind produced most."""
    DOUBLE_PRIVILEGE = 25
    """Any role its owner picked: the privilege counts twice."""
    PAIR_VP = 26
    """Captain: VP for pairs of barrels before loading."""
    SCORE_SETS = 27
    """End: VP for sets of three island tiles."""
    LAND_TRADE = 28
    """Trader: buy a tile, or sell a plantation."""
    CHAPEL = 29
    """Craftsman: a coin or a VP."""
    HUNT = 30
    """Settler: remove a tile, or VP for the emptiest island."""
    NOTARY = 31
    """Builder: buildings cost less."""
    SUPPLY = 32
    """Captain: return barrels for VP before loading."""
    VILLA = 33
    """Mayor: a citizen from the supply."""
    CITIZEN_INCOME = 34
    """Craftsman: a coin for each citizen."""
    SCORE_CITIZENS = 35
    """End: VP for citizens."""


POWERS: Final = tuple(power.name.lower() for power in Power)
NUM_POWERS: Final = len(POWERS)
TWO_SIDED: Final = (Power.LAND_TRADE, Power.CHAPEL, Power.HUNT, Power.NOTARY)
"""Powers that differ by the kind of unit on the building (C.6); `Side` is how much of them."""
