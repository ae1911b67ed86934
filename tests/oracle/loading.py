"""Which barrels may go on which ship, who may pass, and what comes before (R-CAP-2..4, R-WHF)."""

from itertools import combinations

from tests.oracle.box import GOODS, switch
from tests.oracle.position import is_occupied, num_citizens


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


def load_options(
    position: dict,
    seat: int,
    *,
    wharf_used: bool,
    small_wharf_used: bool = False,
    guest_moves: frozenset = frozenset(),
) -> set[str]:
    """Names of everything a seat may do on its loading turn; empty if it is skipped.

    Passing is there only when no cargo ship takes anything (R-CAP-2), and only beside something
    else. A seat with a guest to move is neither skipped nor forced (R-GST-3).
    """
    player = position["players"][seat]
    held = [good for good in GOODS if player["goods"][good] > 0]
    cargo = {f"load:{good}:{ship + 1}" for good, ship in legal_cargo(position, seat)}
    others = set(guest_moves)
    if is_occupied(player, "wharf") and not wharf_used:
        others |= {f"wharf:{good}" for good in held}
    if is_occupied(player, "small_wharf") and not small_wharf_used:
        others |= {f"small_wharf:{good}" for good in held}
    return others | {"pass"} if others and not cargo else cargo | others


def may_go_into(selection: list[str], player: dict) -> set[str]:
    """Kinds that may still join a small wharf's selection, cheapest first (R-SWF-1)."""
    last = GOODS.index(selection[-1])
    return {good for good in GOODS[last:] if player["goods"][good] > 0}


def union_hall_vp(player: dict) -> int:
    """A VP for every two barrels of one kind (R-UNH-1)."""
    if not is_occupied(player, "union_hall"):
        return 0
    return sum(barrels // 2 for barrels in player["goods"].values())


def supplier_barrels(player: dict) -> int:
    """How many barrels the royal supplier may return: one a citizen (R-RSP-1)."""
    return num_citizens(player) if is_occupied(player, "royal_supplier") else 0


def supplier_choices(player: dict, rules: dict) -> set[tuple[str, ...]]:
    """Every choice of barrels to return, each of another kind, ended by `pass` (R-RSP-5).

    Under the strict reading of Q-92 they are as many as citizens, or none.
    """
    most = supplier_barrels(player)
    held = [f"supply:{good}" for good in GOODS if player["goods"][good] > 0]
    exactly = switch(rules, "royal_supplier_count") == "exactly"
    numbers = {0, most} if exactly else range(most + 1)
    kinds = {way for number in numbers for way in combinations(held, number)}
    return {(*way, "pass") for way in kinds if len(way) < most}.union(
        way for way in kinds if len(way) == most
    )
