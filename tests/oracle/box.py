"""What is in the box, typed in a second time from sections A.1, A.2 and A.4 of the rules.

Nothing here is imported from the package: a wrong figure in the catalog must not hide behind the
same figure here.
"""

from itertools import product
from typing import NamedTuple

GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
PRICES = {"corn": 0, "indigo": 1, "sugar": 2, "tobacco": 3, "coffee": 4}
TILES = (*GOODS, "quarry")
HOUSE_SLOTS = 4
ISLAND_SPACES = 12
CITY_SPACES = 12


class Building(NamedTuple):
    """One line of table A.4."""

    cost: int
    vp: int
    column: int
    circles: int
    copies: int
    sort: str
    crop: str | None = None
    module: str = "base"

    @property
    def spaces(self) -> int:
        """City spaces it fills: 2 in column 4."""
        return 2 if self.column == 4 else 1

    @property
    def is_commercial(self) -> bool:
        """Whether the city hall counts it."""
        return self.sort in {"commercial", "large"}


BUILDINGS = {
    "small_indigo_plant": Building(1, 1, 1, 1, 4, "small production", "indigo"),
    "small_sugar_mill": Building(2, 1, 1, 1, 4, "small production", "sugar"),
    "indigo_plant": Building(3, 2, 2, 3, 3, "large production", "indigo"),
    "sugar_mill": Building(4, 2, 2, 3, 3, "large production", "sugar"),
    "tobacco_storage": Building(5, 3, 3, 3, 3, "large production", "tobacco"),
    "coffee_roaster": Building(6, 3, 3, 2, 3, "large production", "coffee"),
    "small_market": Building(1, 1, 1, 1, 2, "commercial"),
    "hacienda": Building(2, 1, 1, 1, 2, "commercial"),
    "construction_hut": Building(2, 1, 1, 1, 2, "commercial"),
    "small_warehouse": Building(3, 1, 1, 1, 2, "commercial"),
    "hospice": Building(4, 2, 2, 1, 2, "commercial"),
    "office": Building(5, 2, 2, 1, 2, "commercial"),
    "large_market": Building(5, 2, 2, 1, 2, "commercial"),
    "large_warehouse": Building(6, 2, 2, 1, 2, "commercial"),
    "factory": Building(7, 3, 3, 1, 2, "commercial"),
    "university": Building(8, 3, 3, 1, 2, "commercial"),
    "harbor": Building(8, 3, 3, 1, 2, "commercial"),
    "wharf": Building(9, 3, 3, 1, 2, "commercial"),
    "guild_hall": Building(10, 4, 4, 1, 1, "large"),
    "residence": Building(10, 4, 4, 1, 1, "large"),
    "fortress": Building(10, 4, 4, 1, 1, "large"),
    "customs_house": Building(10, 4, 4, 1, 1, "large"),
    "city_hall": Building(10, 4, 4, 1, 1, "large"),
    "aqueduct": Building(1, 1, 1, 1, 2, "commercial", None, "buildings"),
    "forest_house": Building(2, 1, 1, 1, 2, "commercial", None, "buildings"),
    "black_market": Building(2, 1, 1, 1, 2, "commercial", None, "buildings"),
    "storehouse": Building(3, 1, 1, 1, 2, "commercial", None, "buildings"),
    "guest_house": Building(4, 2, 2, 2, 2, "commercial", None, "buildings"),
    "trading_post": Building(5, 2, 2, 1, 2, "commercial", None, "buildings"),
    "church": Building(5, 2, 2, 1, 2, "commercial", None, "buildings"),
    "small_wharf": Building(6, 2, 2, 1, 2, "commercial", None, "buildings"),
    "lighthouse": Building(7, 3, 3, 1, 2, "commercial", None, "buildings"),
    "specialty_factory": Building(8, 3, 3, 1, 2, "commercial", None, "buildings"),
    "library": Building(8, 3, 3, 1, 2, "commercial", None, "buildings"),
    "union_hall": Building(9, 3, 3, 1, 2, "commercial", None, "buildings"),
    "cloister": Building(10, 4, 4, 1, 1, "large", None, "buildings"),
    "statue": Building(10, 8, 4, 0, 1, "large", None, "buildings"),
    "land_office": Building(2, 1, 1, 1, 2, "commercial", None, "citizens"),
    "chapel": Building(3, 1, 1, 1, 2, "commercial", None, "citizens"),
    "hunting_lodge": Building(4, 2, 2, 1, 2, "commercial", None, "citizens"),
    "notary": Building(5, 2, 2, 1, 2, "commercial", None, "citizens"),
    "royal_supplier": Building(6, 2, 2, 1, 2, "commercial", None, "citizens"),
    "villa": Building(7, 3, 3, 1, 2, "commercial", None, "citizens"),
    "jeweler": Building(8, 3, 3, 1, 2, "large production", None, "citizens"),
    "royal_garden": Building(10, 4, 4, 1, 1, "large", None, "citizens"),
}
"""Every building, in the order of the building numbers; the base game's come first."""

BASE_BUILDINGS = tuple(name for name, line in BUILDINGS.items() if line.module == "base")

SPOTS = (*TILES, *BUILDINGS)
"""Where units may stand, in the order in which staffing goes through them."""

BASE_ROLES = ("settler", "mayor", "builder", "craftsman", "trader", "captain")


class Setup(NamedTuple):
    """One column of table A.2."""

    coins: int
    tiles: tuple[str, ...]
    workers: int
    vp: dict[str, int]
    ships: tuple[int, ...]
    roles: tuple[str, ...]
    picks: int
    goods: dict[str, int]
    plantations: dict[str, int]
    quarries: int


def _by_good(corn, indigo, sugar, tobacco, coffee):
    return {"corn": corn, "indigo": indigo, "sugar": sugar, "tobacco": tobacco, "coffee": coffee}


def _vp(classic, newer):
    return {"classic": classic, "1897-en": newer, "1897-de": newer}


_FULL = (_by_good(10, 11, 11, 9, 9), _by_good(10, 12, 11, 9, 8), 8)
_FEWER = (_by_good(8, 9, 9, 7, 7), _by_good(7, 9, 8, 6, 5), 5)
_ONE = (*BASE_ROLES, "prospector_1")
_TWO = (*_ONE, "prospector_2")

SETUPS = {
    2: Setup(3, ("indigo", "corn"), 40, _vp(65, 65), (4, 6), _ONE, 6, *_FEWER),
    3: Setup(2, ("indigo",) * 2 + ("corn",), 55, _vp(75, 75), (4, 5, 6), BASE_ROLES, 3, *_FULL),
    4: Setup(3, ("indigo",) * 2 + ("corn",) * 2, 75, _vp(100, 100), (5, 6, 7), _ONE, 4, *_FULL),
    5: Setup(4, ("indigo",) * 3 + ("corn",) * 2, 95, _vp(122, 126), (6, 7, 8), _TWO, 5, *_FULL),
}

COIN_TOTALS = {"classic": 86, "1897-en": 83, "1897-de": 83}
ALL_WORKERS = 100
CITIZENS = 20
FOREST_TILES = 12

DRAFT_SLOTS = {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}
"""Types of each cost with the new buildings (R-X1-3)."""
MORE_DRAFT_SLOTS = {1: 1, 2: 3, 3: 2, 4: 2, 5: 3, 6: 2, 7: 2, 8: 3, 9: 1, 10: 6}
"""The same where the buildings of the citizens are drafted with them (D.2)."""

EDITIONS = ("classic", "1897-en", "1897-de")


def _each(classic, english, german) -> dict:
    return dict(zip(EDITIONS, (classic, english, german), strict=True))


SWITCHES = {
    "bank_limited": {},
    "hospice_scope": _each("normal_tile", "either_tile_once", "normal_tile"),
    "craftsman_privilege_domain": _each("can_produce", "produced", "produced"),
    "voluntary_discard": {},
    "max_rounds": _each(200, 200, 200),
    "residence_zero_tiles_vp": _each(4, 0, 0),
    "corn_start_penalty": _each(0, 0, 0),
    "swap_factory_university": {},
    "optional_gains": _each("auto", "auto", "auto"),
    "forest_source": _each("own_stack_12", "facedown_estate", "facedown_estate"),
    "lighthouse_counts_wharves": _each(False, True, True),
    "specialty_counts_privilege": _each(True, True, True),
    "library_two_same_goods": _each(False, True, True),
    "union_hall_timing": _each("first_turn", "phase_start", "first_turn"),
    "trading_post_after_house_full": _each(True, True, True),
    "black_market_excludes_own_worker": _each(True, True, True),
    "guest_windows": _each("full", "full", "full"),
    "royal_supplier_timing": _each("first_turn", "phase_start", "first_turn"),
    "royal_supplier_count": _each("up_to", "up_to", "up_to"),
    "chapel_timing": _each("with_production", "phase_start", "with_production"),
    "exclusive_buildings": _each(None, None, None),
    "villa_mode": _each("replace_first_take", "extra", "extra"),
    "villa_timing": _each("first_turn", "phase_start", "first_turn"),
    "land_office_sale_to": _each("discard", "face_up_row", "discard"),
    "land_office_sells_forest": _each(False, False, True),
    "land_office_forest_buy": _each(
        "take_from_forest_stack", "flip_bought_tile", "flip_bought_tile"
    ),
    "x2_with_x1_setup": _each("add_all_8", "draft_extra_slots", "add_all_8"),
    "citizens_from_supply_by_worker_effects": {},
    "capture_others_act": _each(False, True, False),
    "smuggler_affected_by_buildings": {},
    "festival_redraw_if_same_product": _each(False, False, True),
    "festival_two_player_refill": _each(False, True, True),
    "festival_estate_returns_to": _each("deck", "face_up_row", "deck"),
    "festival_production_window": _each("whole_phase", "own_turn", "whole_phase"),
}
"""Defaults by edition of the switches the oracle knows; off where nothing stands."""


def switch(rules: dict, name: str):
    """A switch of a rule set given as a plain dict, or its edition's default (0.6)."""
    if name in rules:
        return rules[name]
    return SWITCHES[name].get(rules["edition"], False)


def has(rules: dict, module: str) -> bool:
    """Whether an expansion is in play."""
    return module in rules.get("expansions", ())


def buildings_of(rules: dict) -> tuple[str, ...]:
    """Every type that the modules in play bring, drafted or not."""
    return tuple(
        b for b, line in BUILDINGS.items() if line.module == "base" or has(rules, line.module)
    )


def copies(rules: dict, building: str) -> int:
    """Copies at set-up: 2 players have 1 of each commercial, 2 of each production type (A.2)."""
    if rules["players"] != 2:
        return BUILDINGS[building].copies
    return 1 if BUILDINGS[building].is_commercial else 2


def cost(rules: dict, building: str) -> int:
    """Printed cost, or the tournament variant's for factory and university."""
    if switch(rules, "swap_factory_university"):
        building = {"factory": "university", "university": "factory"}.get(building, building)
    return BUILDINGS[building].cost


# -- the draft (D.1, R-X2-10) ----------------------------------------------------------------------


def drafts_citizen_buildings(rules: dict) -> bool:
    """Whether the buildings of the citizens compete for places on the board."""
    both = has(rules, "buildings") and has(rules, "citizens")
    return both and switch(rules, "x2_with_x1_setup") == "draft_extra_slots"


def draft_pool(rules: dict) -> tuple[str, ...]:
    """Every type that the draft chooses among: all commercial ones, and where asked X2's."""
    if not has(rules, "buildings"):
        return ()
    pool = (b for b, line in BUILDINGS.items() if line.is_commercial and line.module != "citizens")
    if not drafts_citizen_buildings(rules):
        return tuple(pool)
    return (*pool, *(b for b, line in BUILDINGS.items() if line.module == "citizens"))


def draft_slots(rules: dict) -> dict[int, int]:
    """How many types of each cost are chosen."""
    return MORE_DRAFT_SLOTS if drafts_citizen_buildings(rules) else DRAFT_SLOTS


def may_be_on_a_board(rules: dict, types: list[str]) -> bool:
    """Whether a board can have these types, with one of each exclusive pair at most (R-X1-9)."""
    pairs = switch(rules, "exclusive_buildings") or ()
    pool = [(name, cost(rules, name)) for name in draft_pool(rules)]
    return any(
        not set(gone) & set(types)
        and all(
            sum(name not in gone for name, price in pool if price == wanted) >= number
            for wanted, number in draft_slots(rules).items()
        )
        for gone in product(*pairs)
    )


def festival_pool(rules: dict) -> tuple[str, ...]:
    """Types that the festival may ask for, if they are in the game (R-FES-4, Q-148)."""
    widened = has(rules, "buildings") or has(rules, "citizens")
    default = "four_named" if rules["edition"] == "1897-en" and not widened else "all_vp3"
    if rules.get("festival_building_pool", default) == "four_named":
        return ("factory", "university", "harbor", "wharf")
    return tuple(b for b in buildings_of(rules) if BUILDINGS[b].vp == 3)
