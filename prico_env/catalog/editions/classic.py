"""The original game of 2002 with its expansions of 2004; the other editions start from it."""

from typing import Final

from prico_env.catalog.kinds import BuildingClass, Good, Power
from prico_env.catalog.model import Building, Edition, Setup

_SMALL_PRODUCTION: Final = BuildingClass.SMALL_PRODUCTION
_LARGE_PRODUCTION: Final = BuildingClass.LARGE_PRODUCTION
_SMALL: Final = BuildingClass.SMALL_COMMERCIAL
_LARGE: Final = BuildingClass.LARGE_COMMERCIAL

_NEW: Final = "buildings"
_CITIZENS: Final = "citizens"

# A building keeps its number, which is its place here: new rows go to the end.
_BUILDINGS: Final = (
    # -- production buildings ----------------------------------------------------------------------
    Building(
        "small_indigo_plant", "SIP", cost=1, vp=1, column=1, circles=1, copies=4,
        copies_two_players=2, building_class=_SMALL_PRODUCTION, crop=Good.INDIGO,
        text="Each worker here makes one indigo from an occupied indigo plantation.",
        evidence="cost, vp [T]; copies [K]",
    ),
    Building(
        "small_sugar_mill", "SSM", cost=2, vp=1, column=1, circles=1, copies=4,
        copies_two_players=2, building_class=_SMALL_PRODUCTION, crop=Good.SUGAR,
        text="Each worker here makes one sugar from an occupied sugar plantation.",
        evidence="cost, vp [T]; copies [K]",
    ),
    Building(
        "indigo_plant", "IPL", cost=3, vp=2, column=2, circles=3, copies=3,
        copies_two_players=2, building_class=_LARGE_PRODUCTION, crop=Good.INDIGO,
        text="Each worker here makes one indigo from an occupied indigo plantation.",
        evidence="cost, vp [T]; circles, copies [K]",
    ),
    Building(
        "sugar_mill", "SML", cost=4, vp=2, column=2, circles=3, copies=3,
        copies_two_players=2, building_class=_LARGE_PRODUCTION, crop=Good.SUGAR,
        text="Each worker here makes one sugar from an occupied sugar plantation.",
        evidence="cost, vp [T]; circles, copies [K]",
    ),
    Building(
        "tobacco_storage", "TST", cost=5, vp=3, column=3, circles=3, copies=3,
        copies_two_players=2, building_class=_LARGE_PRODUCTION, crop=Good.TOBACCO,
        text="Each worker here makes one tobacco from an occupied tobacco plantation.",
        evidence="cost, vp [T]; circles at least 2 [T], 3 [K]; copies [K]",
    ),
    Building(
        "coffee_roaster", "CRO", cost=6, vp=3, column=3, circles=2, copies=3,
        copies_two_players=2, building_class=_LARGE_PRODUCTION, crop=Good.COFFEE,
        text="Each worker here makes one coffee from an occupied coffee plantation.",
        evidence="cost, vp [T]; circles, copies [K]",
    ),
    # -- commercial buildings ----------------------------------------------------------------------
    Building(
        "small_market", "SMK", cost=1, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.SALE_BONUS: 1},
        text="Your sale to the trading house brings 1 coin more.",
        evidence="vp [T]; cost [X]",
    ),
    Building(
        "hacienda", "HAC", cost=2, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.EXTRA_TILE: 1},
        text="In the settler phase you may draw a plantation from the deck before your normal tile.",
    ),
    Building(
        "construction_hut", "HUT", cost=2, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.QUARRY_RIGHT: 1},
        text="In the settler phase you may take a quarry instead of a plantation.",
        evidence="vp [T]; cost [X]",
    ),
    Building(
        "small_warehouse", "SWH", cost=3, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.STORE_KINDS: 1},
        text="After loading you keep every barrel of one kind, beside the single barrel.",
        evidence="vp [T]; cost [X]",
    ),
    Building(
        "hospice", "HOS", cost=4, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.STAFF_TILE: 1},
        text="In the settler phase you may put a worker on the tile you take.",
    ),
    Building(
        "office", "OFF", cost=5, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.SELL_ANY_KIND: 1},
        text="You may sell a kind that the trading house already holds.",
    ),
    Building(
        "large_market", "LMK", cost=5, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.SALE_BONUS: 2},
        text="Your sale to the trading house brings 2 coins more.",
        evidence="vp [T]; cost [X]",
    ),
    Building(
        "large_warehouse", "LWH", cost=6, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.STORE_KINDS: 2},
        text="After loading you keep every barrel of two kinds, beside the single barrel.",
    ),
    Building(
        "factory", "FAC", cost=7, vp=3, column=3, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.KIND_INCOME: 1},
        text="Producing 2, 3, 4 or 5 kinds in the craftsman phase brings 1, 2, 3 or 5 coins.",
    ),
    Building(
        "university", "UNI", cost=8, vp=3, column=3, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.STAFF_BUILDING: 1},
        text="In the builder phase you may put a worker on the building you buy.",
    ),
    Building(
        "harbor", "HBR", cost=8, vp=3, column=3, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.LOAD_VP: 1},
        text="Each time you load goods in the captain phase you gain 1 VP more.",
    ),
    Building(
        "wharf", "WHF", cost=9, vp=3, column=3, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.OWN_SHIP: 1},
        text="Once in a captain phase you may ship all your barrels of one kind on a ship of your own.",
        evidence="vp [T]; cost [X]",
    ),
    # -- large buildings ---------------------------------------------------------------------------
    Building(
        "guild_hall", "GUI", cost=10, vp=4, column=4, circles=1, copies=1,
        copies_two_players=1, building_class=_LARGE, powers={Power.SCORE_PLANTS: 1},
        text="At the end: 1 VP for each small and 2 VP for each large production building you own.",
    ),
    Building(
        "residence", "RES", cost=10, vp=4, column=4, circles=1, copies=1,
        copies_two_players=1, building_class=_LARGE, powers={Power.SCORE_ISLAND: 1},
        text="At the end: 4 VP for up to 9 filled island spaces, 5 for 10, 6 for 11, 7 for 12.",
    ),
    Building(
        "fortress", "FRT", cost=10, vp=4, column=4, circles=1, copies=1,
        copies_two_players=1, building_class=_LARGE, powers={Power.SCORE_UNITS: 1},
        text="At the end: 1 VP for every three workers and citizens you have.",
    ),
    Building(
        "customs_house", "CUS", cost=10, vp=4, column=4, circles=1, copies=1,
        copies_two_players=1, building_class=_LARGE, powers={Power.SCORE_VP: 1},
        text="At the end: 1 VP for every four VP you gained during the game.",
    ),
    Building(
        "city_hall", "CTY", cost=10, vp=4, column=4, circles=1, copies=1,
        copies_two_players=1, building_class=_LARGE, powers={Power.SCORE_COMMERCE: 1},
        text="At the end: 1 VP for each commercial building you own, this one included.",
    ),
    # -- new buildings (X1) ------------------------------------------------------------------------
    Building(
        "aqueduct", "AQU", module=_NEW, cost=1, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.EXTRA_CROP: 1},
        text="An occupied large indigo plant or sugar mill that produces makes 1 barrel more.",
        evidence="cost, vp [X]",
    ),
    Building(
        "forest_house", "FOH", module=_NEW, cost=2, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.FOREST: 1},
        text="In the settler phase you may take a forest; every two forests make building 1 coin "
        "cheaper.",
    ),
    Building(
        "black_market", "BLK", module=_NEW, cost=2, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.BARTER: 1},
        text="When you buy, a unit, a barrel and a VP may each stand for 1 missing coin.",
    ),
    Building(
        "storehouse", "STO", module=_NEW, cost=3, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.STORE_BARRELS: 3},
        text="After loading you keep 3 barrels of any kinds, beside the single barrel.",
        evidence="[X]",
    ),
    Building(
        "guest_house", "GST", module=_NEW, cost=4, vp=2, column=2, circles=2, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.GUESTS: 1},
        text="Its two guests may move to empty circles in any phase and work there at once.",
        evidence="circles [T]; cost [X]",
    ),
    Building(
        "trading_post", "TPO", module=_NEW, cost=5, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.OWN_MARKET: 1},
        text="You may sell any kind here instead of to the trading house, without your markets.",
    ),
    Building(
        "church", "CHU", module=_NEW, cost=5, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.BUILD_VP: 1},
        text="Building in the second or third column brings 1 VP, in the fourth 2 VP.",
    ),
    Building(
        "small_wharf", "SWF", module=_NEW, cost=6, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.SMALL_SHIP: 1},
        text="Once in a captain phase you may ship any of your barrels for 1 VP for every two.",
        evidence="[X]",
    ),
    Building(
        "lighthouse", "LGT", module=_NEW, cost=7, vp=3, column=3, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.LOAD_COINS: 1},
        text="Each time you load goods you gain 1 coin, and 1 more for being the captain.",
        evidence="[X]",
    ),
    Building(
        "specialty_factory", "SPF", module=_NEW, cost=8, vp=3, column=3, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.CROP_INCOME: 1},
        text="The kind you produce most of, corn apart, brings a coin for every barrel but the "
        "first.",
        evidence="[X]",
    ),
    Building(
        "library", "LIB", module=_NEW, cost=8, vp=3, column=3, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.DOUBLE_PRIVILEGE: 1},
        text="The privilege of a role you pick counts twice.",
        evidence="[X]",
    ),
    Building(
        "union_hall", "UNH", module=_NEW, cost=9, vp=3, column=3, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.PAIR_VP: 1},
        text="Before you load you gain 1 VP for every two barrels of one kind you have.",
        evidence="[X]",
    ),
    Building(
        "cloister", "CLO", module=_NEW, cost=10, vp=4, column=4, circles=1, copies=1,
        copies_two_players=1, building_class=_LARGE, powers={Power.SCORE_SETS: 1},
        text="At the end: 1, 3, 6 or 10 VP for 1, 2, 3 or 4 sets of three equal island tiles.",
        evidence="[X]",
    ),
    Building(
        "statue", "STA", module=_NEW, cost=10, vp=8, column=4, circles=0, copies=1,
        copies_two_players=1, building_class=_LARGE,
        text="It does nothing and needs no worker, but it is worth 8 VP.",
    ),
    # -- buildings of the citizens (X2) ------------------------------------------------------------
    Building(
        "land_office", "LND", module=_CITIZENS, cost=2, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.LAND_TRADE: 1},
        text="In the trader phase a worker here buys a tile from the deck for 1 coin, a citizen "
        "sells a plantation for 1 coin.",
        evidence="[X]",
    ),
    Building(
        "chapel", "CHP", module=_CITIZENS, cost=3, vp=1, column=1, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.CHAPEL: 1},
        text="In the craftsman phase a worker here brings 1 coin, a citizen 1 VP.",
        evidence="[X]",
    ),
    Building(
        "hunting_lodge", "LDG", module=_CITIZENS, cost=4, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.HUNT: 1},
        text="As the settler phase ends, a worker here may remove a plantation or forest, a citizen "
        "brings 2 VP if your island is the emptiest.",
        evidence="[X]",
    ),
    Building(
        "notary", "NOT", module=_CITIZENS, cost=5, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.NOTARY: 1},
        text="A worker here makes small buildings 1 coin cheaper, a citizen large ones 2 coins.",
        evidence="[X]",
    ),
    Building(
        "royal_supplier", "RSP", module=_CITIZENS, cost=6, vp=2, column=2, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.SUPPLY: 1},
        text="Before you load you may return one barrel of a kind for each of your citizens, for "
        "1 VP each.",
        evidence="[X]",
    ),
    Building(
        "villa", "VIL", module=_CITIZENS, cost=7, vp=3, column=3, circles=1, copies=2,
        copies_two_players=1, building_class=_SMALL, powers={Power.VILLA: 1},
        text="In the mayor phase you take a citizen from the supply.",
        evidence="[X]",
    ),
    Building(
        "jeweler", "JEW", module=_CITIZENS, cost=8, vp=3, column=3, circles=1, copies=2,
        copies_two_players=2, building_class=_LARGE_PRODUCTION, powers={Power.CITIZEN_INCOME: 1},
        text="In the craftsman phase you gain 1 coin for each of your citizens.",
        evidence="class [T]; cost [X]",
    ),
    Building(
        "royal_garden", "GDN", module=_CITIZENS, cost=10, vp=4, column=4, circles=1, copies=1,
        copies_two_players=1, building_class=_LARGE, powers={Power.SCORE_CITIZENS: 1},
        text="At the end: 1 VP for each of your citizens, on top of what they score anyway.",
        evidence="[X]",
    ),
)  # fmt: skip

_CORN, _INDIGO = Good.CORN, Good.INDIGO
_ALL_GOODS: Final = (10, 11, 11, 9, 9)
_ALL_PLANTATIONS: Final = (10, 12, 11, 9, 8)

_SETUPS: Final = {
    2: Setup(
        vp_pool=65, worker_supply=40, register_workers=2, coins=3,
        starting_tiles=(_INDIGO, _CORN), row_size=3, prospectors=1, picks_per_round=6,
        ships=(4, 6), goods=(8, 9, 9, 7, 7), plantations=(7, 9, 8, 6, 5), quarries=5,
        evidence="borrowed from 1897 (Q-02), stated there [T]",
    ),
    3: Setup(
        vp_pool=75, worker_supply=55, register_workers=3, coins=2,
        starting_tiles=(_INDIGO, _INDIGO, _CORN), row_size=4, prospectors=0, picks_per_round=3,
        ships=(4, 5, 6), goods=_ALL_GOODS, plantations=_ALL_PLANTATIONS, quarries=8,
    ),
    4: Setup(
        vp_pool=100, worker_supply=75, register_workers=4, coins=3,
        starting_tiles=(_INDIGO, _INDIGO, _CORN, _CORN), row_size=5, prospectors=1,
        picks_per_round=4,
        ships=(5, 6, 7), goods=_ALL_GOODS, plantations=_ALL_PLANTATIONS, quarries=8,
    ),
    5: Setup(
        vp_pool=122, worker_supply=95, register_workers=5, coins=4,
        starting_tiles=(_INDIGO, _INDIGO, _INDIGO, _CORN, _CORN), row_size=6, prospectors=2,
        picks_per_round=5,
        ships=(6, 7, 8), goods=_ALL_GOODS, plantations=_ALL_PLANTATIONS, quarries=8,
    ),
}  # fmt: skip

EDITION: Final = Edition(
    key="classic",
    number=0,
    title="the original game (2002) and its expansions (2004)",
    language="en",
    expansions=("buildings", "citizens"),
    buildings=_BUILDINGS,
    setups=_SETUPS,
    good_price=(0, 1, 2, 3, 4),
    kind_income=(0, 0, 1, 2, 3, 5),
    island_score=(4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 6, 7),
    switches={
        "coin_total_value": 86,
        "two_player_setup": "borrowed",
        "craftsman_privilege_domain": "can_produce",
        "forest_source": "own_stack_12",
        "wharf_capacity": 11,
        "lighthouse_counts_wharves": False,
        "library_two_same_goods": False,
        "villa_mode": "replace_first_take",
        "land_office_forest_buy": "take_from_forest_stack",
        "residence_zero_tiles_vp": 4,
        "vp_hidden": True,
    },
    good_names={
        "corn": "corn",
        "indigo": "indigo",
        "sugar": "sugar",
        "tobacco": "tobacco",
        "coffee": "coffee",
    },
    role_names={
        "settler": "settler",
        "mayor": "mayor",
        "builder": "builder",
        "craftsman": "craftsman",
        "trader": "trader",
        "captain": "captain",
        "prospector_1": "prospector",
        "prospector_2": "prospector",
    },
    building_names={building.id: building.id.replace("_", " ") for building in _BUILDINGS}
    | {"notary": "zoning office"},
    phase_names={
        "draft": "choice of buildings",
        "role": "choice of roles",
        "settler": "settler phase",
        "mayor": "mayor phase",
        "builder": "builder phase",
        "craftsman": "craftsman phase",
        "trader": "trader phase",
        "captain": "captain phase",
        "storage": "storage of goods",
        "prospector": "prospector phase",
        "smuggler": "smuggler",
        "end": "end of the game",
        "over": "game over",
    },
    terms={
        "worker": "colonist",
        "workers": "colonists",
        "citizen": "noble",
        "citizens": "nobles",
        "register": "colonist ship",
        "worker_supply": "colonist supply",
        "portrait": "San Juan",
        "player_board": "player board",
        "island": "island",
        "city": "city",
        "plantation": "plantation",
        "plantations": "plantations",
        "island_tile": "island tile",
        "quarry": "quarry",
        "quarries": "quarries",
        "forest": "forest",
        "forests": "forests",
        "row": "face-up plantations",
        "deck": "face-down stack",
        "discard": "discard stack",
        "circle": "circle",
        "circles": "circles",
        "column": "column",
        "commercial_building": "violet building",
        "privilege": "privilege",
        "coin": "doubloon",
        "coins": "doubloons",
        "good": "good",
        "goods": "goods",
        "barrel": "barrel",
        "barrels": "barrels",
        "cargo_ship": "cargo ship",
        "private_ship": "wharf ship",
        "trading_house": "trading house",
        "governor": "governor",
        "vp": "VP",
    },
)
"""The original game."""
