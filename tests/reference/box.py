"""What is in the box, typed in a second time from sections A.1, A.2 and A.4 of the rules.

Nothing here is imported from the package: a wrong figure in the catalog must not hide behind the
same figure here.
"""

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
}
"""The base game, in the order of the building numbers."""

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

SWITCHES = {
    "bank_limited": {},
    "hospice_scope": {
        "classic": "normal_tile", "1897-en": "either_tile_once", "1897-de": "normal_tile",
    },
    "voluntary_discard": {},
    "max_rounds": {"classic": 200, "1897-en": 200, "1897-de": 200},
    "residence_zero_tiles_vp": {"classic": 4, "1897-en": 0, "1897-de": 0},
    "corn_start_penalty": {"classic": 0, "1897-en": 0, "1897-de": 0},
    "swap_factory_university": {},
}  # fmt: skip
"""Defaults by edition of the switches the oracle knows; off where nothing stands."""


def switch(rules: dict, name: str):
    """A switch of a rule set given as a plain dict, or its edition's default (0.6)."""
    if name in rules:
        return rules[name]
    return SWITCHES[name].get(rules["edition"], False)


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
