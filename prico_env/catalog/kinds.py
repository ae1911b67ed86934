"""The kinds of things that an edition speaks of, as integers with their names.

Numbers never move: a new member goes at the end. People and rules take these names from
`prico_env.vocabulary`, which adds what editions bring.
"""

import enum
from typing import Final

MAX_PLAYERS: Final = 5


class Good(enum.IntEnum):
    """A kind of barrel, which is also a kind of plantation; dearer kinds have higher numbers."""

    CORN = 0
    INDIGO = 1
    SUGAR = 2
    TOBACCO = 3
    COFFEE = 4


GOODS: Final = ("corn", "indigo", "sugar", "tobacco", "coffee")
NUM_GOODS: Final = len(GOODS)


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


class VillaMode(enum.IntEnum):
    """Which unit the villa's citizen comes in place of, if of any (`villa_mode`)."""

    NONE = 0
    EXTRA = 1
    REPLACE_FIRST_TAKE = 2
    REPLACE_PRIVILEGE = 3


class BuildingClass(enum.IntEnum):
    """What sort of building it is; city hall, guild hall and prices by column ask for it."""

    SMALL_PRODUCTION = 0
    LARGE_PRODUCTION = 1
    SMALL_COMMERCIAL = 2
    LARGE_COMMERCIAL = 3


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
