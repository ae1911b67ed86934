"""Where guests may go (R-GST)."""

from tests.oracle.box import SPOTS
from tests.oracle.position import UNITS, empty_circles, units_of


def guest_moves(player: dict) -> set[str]:
    """Names of every move of a guest to an empty circle elsewhere (R-GST-2)."""
    targets = [s for s in SPOTS if s != "guest_house" and empty_circles(player, s) > 0]
    return {
        f"{verb}:{spot}"
        for verb, unit in zip(("guest", "guest:citizen"), UNITS, strict=True)
        if "guest_house" in player["city"] and units_of(player, "guest_house", unit) > 0
        for spot in targets
    }


def unit_and_spot(action: str) -> tuple[str, str]:
    """What an action such as `guest:citizen:wharf` or `place:corn` moves, and where."""
    words = action.split(":")
    return ("citizen" if "citizen" in words[1:-1] else "worker"), words[-1]
