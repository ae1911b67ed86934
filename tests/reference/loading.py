"""Which barrels may go on which ship, and who may pass (R-CAP-2..4, R-WHF)."""

from tests.reference.box import GOODS
from tests.reference.position import is_occupied


def legal_cargo(position: dict, seat: int) -> dict[tuple[str, int], int]:
    """Every (kind, ship) a seat may load, with the barrels that go aboard (R-CAP-3, R-CAP-4)."""
    loads = {}
    for good in GOODS:
        barrels = position["players"][seat]["goods"][good]
        for number, amount in _ships_for(position["ships"], good, barrels).items():
            loads[good, number] = amount
    return loads


def _ships_for(ships: list[dict], good: str, barrels: int) -> dict[int, int]:
    """Ship numbers that may take this many barrels of a kind, and how many each takes."""
    if barrels == 0:
        return {}
    for number, ship in enumerate(ships):
        if ship["barrels"] > 0 and ship["good"] == good:
            free = ship["size"] - ship["barrels"]
            return {number: min(barrels, free)} if free > 0 else {}
    empty = {n: min(barrels, ship["size"]) for n, ship in enumerate(ships) if ship["barrels"] == 0}
    most = max(empty.values(), default=0)
    return {number: amount for number, amount in empty.items() if amount == most}


def load_options(position: dict, seat: int, *, wharf_used: bool) -> set[str]:
    """Names of everything a seat may do on its loading turn; empty if it is skipped.

    Passing is there only when no cargo ship takes anything (R-CAP-2), and only beside a wharf.
    """
    player = position["players"][seat]
    cargo = {f"load:{good}:{ship + 1}" for good, ship in legal_cargo(position, seat)}
    own_ship = set()
    if is_occupied(player, "wharf") and not wharf_used:
        own_ship = {f"wharf:{good}" for good in GOODS if player["goods"][good] > 0}
    if own_ship and not cargo:
        return own_ship | {"pass"}
    return cargo | own_ship
