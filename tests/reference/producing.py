"""What grows, what the factory pays, and the craftsman's further barrel (R-CRA, R-FAC)."""

from tests.reference.box import BUILDINGS, GOODS
from tests.reference.position import is_occupied

FACTORY_INCOME = (0, 0, 1, 2, 3, 5)


def capacity(player: dict) -> dict[str, int]:
    """Barrels a player could make of each kind, were the supply endless (R-CRA-1, R-PRD-2)."""
    can_make = {}
    for good in GOODS:
        can_make[good] = player["island"][good][1]
        if good != "corn":
            in_plants = sum(
                workers for name, workers in player["city"].items() if BUILDINGS[name].crop == good
            )
            can_make[good] = min(can_make[good], in_plants)
    return can_make


def production(position: dict, seat: int) -> dict[str, int]:
    """Barrels a player makes now, with the supply as it is (R-CRA-2)."""
    can_make = capacity(position["players"][seat])
    return {good: min(can_make[good], position["goods"][good]) for good in GOODS}


def factory_income(player: dict, made: dict[str, int]) -> int:
    """Coins for the number of kinds produced, with an occupied factory (R-FAC-1, R-FAC-2)."""
    if not is_occupied(player, "factory"):
        return 0
    return FACTORY_INCOME[sum(1 for barrels in made.values() if barrels > 0)]


def privilege_kinds(position: dict, seat: int, made: dict[str, int]) -> list[str]:
    """Kinds the craftsman may take one more barrel of (R-CRA-7).

    Classic asks what the craftsman can produce, 1897 what was produced; without expansions that is
    the same, but both are spelt out here.
    """
    if not any(made.values()):
        return []
    allowed = capacity(position["players"][seat])
    if position["rules"]["edition"] != "classic":
        allowed = made
    return [good for good in GOODS if allowed[good] > 0 and position["goods"][good] > 0]
