"""What a building costs, who may buy it, and how the black market closes a gap (R-BLD, R-BLK)."""

from itertools import product

from tests.oracle.box import BUILDINGS, GOODS, SPOTS, buildings_of, cost, switch
from tests.oracle.position import (
    UNITS,
    city_left,
    forests,
    has_citizen_on,
    has_worker_on,
    is_occupied,
    units_of,
    units_on,
)


def price(position: dict, seat: int, building: str, *, privilege: int) -> int:
    """What a seat pays; never below 0 (R-BLD-4..9).

    Off go: a coin for each working quarry, up to the column; the builder's privilege; a coin for
    two forests; and what the notary's side gives.
    """
    player, column = position["players"][seat], BUILDINGS[building].column
    quarries = min(units_on(player, "quarry"), column)
    discount = quarries + privilege + forests(player) // 2 + notary_discount(player, column)
    return max(0, cost(position["rules"], building) - discount)


def notary_discount(player: dict, column: int) -> int:
    """A worker helps with columns 1 to 3, a citizen with column 4 (R-NOT-1)."""
    if column <= 3:
        return 1 if has_worker_on(player, "notary") else 0
    return 2 if has_citizen_on(player, "notary") else 0


def may_buy(position: dict, seat: int, building: str, *, privilege: int) -> bool:
    """A copy is left, the seat has none, it fits into the city, and the seat can pay."""
    player = position["players"][seat]
    if position["buildings"][building] == 0 or building in player["city"]:
        return False
    if BUILDINGS[building].spaces > city_left(player):
        return False
    gap = price(position, seat, building, privilege=privilege) - player["coins"]
    return gap <= 0 or bool(payments(position, seat, gap))


def build_options(position: dict, seat: int, *, privilege: int) -> set[str]:
    """Names of everything a seat may do on its builder turn."""
    names = buildings_of(position["rules"])
    return {
        "pass",
        *(f"build:{b}" for b in names if may_buy(position, seat, b, privilege=privilege)),
    }


def payments(position: dict, seat: int, gap: int) -> set[tuple[str, ...]]:
    """Every set of resources that makes up for this many coins (R-BLK-2, R-BLK-3, R-BLK-5).

    At most one unit, one barrel and one VP, and exactly as many as there are coins missing.
    """
    player = position["players"][seat]
    if not is_occupied(player, "black_market"):
        return set()
    places = [*SPOTS, "portrait"]
    if switch(position["rules"], "black_market_excludes_own_worker"):
        places.remove("black_market")
    units = [f"pay:{u}:{s}" for u in UNITS for s in places if units_of(player, s, u) > 0]
    barrels = [f"pay:{good}" for good in GOODS if player["goods"][good] > 0]
    points = ["pay:vp"] if player["vp"] > 0 else []
    choices = product(*([None, *ways] for ways in (units, barrels, points)))
    paid = {tuple(one for one in choice if one) for choice in choices}
    return {resources for resources in paid if len(resources) == gap}
