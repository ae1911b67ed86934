"""What grows, what buildings pay for it, and the craftsman's further barrel (R-CRA, R-FAC)."""

from tests.oracle.box import BUILDINGS, GOODS, switch
from tests.oracle.position import is_occupied, num_citizens, units_on

FACTORY_INCOME = (0, 0, 1, 2, 3, 5)
AQUEDUCT_PLANTS = {"indigo": "indigo_plant", "sugar": "sugar_mill"}


def capacity(player: dict) -> dict[str, int]:
    """Barrels a player could make of each kind, were the supply endless (R-CRA-1, R-PRD-2)."""
    can_make = {}
    for good in GOODS:
        can_make[good] = units_on(player, good)
        if good != "corn":
            plants = (name for name in player["city"] if BUILDINGS[name].crop == good)
            can_make[good] = min(can_make[good], sum(units_on(player, name) for name in plants))
    return can_make


def production(position: dict, seat: int) -> dict[str, int]:
    """Barrels a player makes now, with the supply as it is (R-CRA-2)."""
    can_make = capacity(position["players"][seat])
    return {good: min(can_make[good], position["goods"][good]) for good in GOODS}


def aqueduct_extras(position: dict, seat: int, made: dict[str, int]) -> list[str]:
    """Kinds of which the aqueduct gives one barrel more, after the own production (R-AQU)."""
    player = position["players"][seat]
    if not is_occupied(player, "aqueduct"):
        return []
    return [
        good
        for good, plant in AQUEDUCT_PLANTS.items()
        if made[good] >= 1 and is_occupied(player, plant) and position["goods"][good] >= 1
    ]


def factory_income(player: dict, made: dict[str, int]) -> int:
    """Coins for the number of kinds produced, with an occupied factory (R-FAC-1, R-FAC-2)."""
    if not is_occupied(player, "factory"):
        return 0
    return FACTORY_INCOME[sum(1 for barrels in made.values() if barrels > 0)]


def specialty_income(player: dict, made: dict[str, int]) -> int:
    """A coin less than the barrels of the kind made most, corn left aside (R-SPF)."""
    if not is_occupied(player, "specialty_factory"):
        return 0
    return max(0, max(barrels for good, barrels in made.items() if good != "corn") - 1)


def jeweler_income(player: dict) -> int:
    """A coin a citizen, wherever it is (R-JEW-1)."""
    return num_citizens(player) if is_occupied(player, "jeweler") else 0


def privilege_kinds(position: dict, seat: int, made: dict[str, int], taken=()) -> list[str]:
    """Kinds the craftsman may take one more barrel of (R-CRA-7, R-LIB-7).

    Classic asks what the craftsman can produce, 1897 what was produced. `taken` holds the barrels
    of the privilege so far; in classic a second one is of another kind.
    """
    rules = position["rules"]
    if not any(made.values()):
        return []
    allowed = made
    if switch(rules, "craftsman_privilege_domain") == "can_produce":
        allowed = capacity(position["players"][seat])
    barred = () if switch(rules, "library_two_same_goods") else taken
    return [
        good
        for good in GOODS
        if allowed[good] > 0 and position["goods"][good] > 0 and good not in barred
    ]
