"""What the smuggler may do (R-SMG)."""

from tests.oracle.box import SPOTS
from tests.oracle.position import empty_circles


def on_register(position: dict) -> dict[str, int]:
    """Units on the register by kind."""
    return {
        "worker": position["workers"]["register"],
        "citizen": position.get("citizens", {}).get("register", 0),
    }


def smuggler_options(position: dict) -> set[str]:
    """Names of everything the smuggler may do (DP-SMG-ACT)."""
    ships, roles = position["ships"], position["roles"]
    options = {"pass", *(f"raid:{n + 1}" for n, ship in enumerate(ships) if ship["barrels"] > 0)}
    if position["house"]:
        options.add("plunder")
    if sum(on_register(position).values()) > position["rules"]["players"]:
        options.add("poach")
    free = (name for name, card in roles.items() if card["taken_by"] is None)
    return options | {f"capture:{name}" for name in free if name != "smuggler"}


def role_options(position: dict, seat: int) -> set[str]:
    """Cards a seat may take: free ones, but no card it captured, nor a second smuggling in a row.

    R-ROL-2, R-ROL-3, R-SMG-3, R-SMG-12.
    """
    smuggler = position.get("smuggler", {"tile": None, "captured": {}})
    barred = {role for role, captor in smuggler["captured"].items() if captor == seat}
    if smuggler["tile"] == seat:
        barred.add("smuggler")
    free = {name for name, card in position["roles"].items() if card["taken_by"] is None}
    return {f"role:{name}" for name in free - barred}


def gathered(left: dict[str, int], taken: list[str], number: int) -> set[str]:
    """Which kind of unit may be taken next, of `number` in all: citizens first (R-CMB-5)."""
    options = set()
    if left.get("worker", 0) >= number - len(taken):
        options.add("worker")
    if left.get("citizen", 0) > 0 and "worker" not in taken:
        options.add("citizen")
    return options


def places_for(player: dict, hand: dict[str, int], last: tuple[str, str] | None) -> set[str]:
    """Where a unit in hand may be put: ascending, workers before citizens."""
    options = set()
    for unit, verb in (("worker", "place"), ("citizen", "place:citizen")):
        if hand[unit] == 0 or (last and last[0] == "citizen" and unit == "worker"):
            continue
        start = SPOTS.index(last[1]) if last and last[0] == unit else 0
        options |= {f"{verb}:{s}" for s in SPOTS[start:] if empty_circles(player, s) > 0}
    return options
