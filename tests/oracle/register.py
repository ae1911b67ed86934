"""How the register is filled again (R-MAY-11..13, R-X2-4)."""

from typing import NamedTuple

from tests.oracle.box import BUILDINGS, has
from tests.oracle.position import empty_circles


class Refill(NamedTuple):
    """What the new register holds, and whether it fell short."""

    workers: int
    ends_the_game: bool
    citizens: int = 0


def refill(position: dict) -> Refill:
    """As many as empty circles on buildings, at least one a player, while the supply lasts.

    With citizens one of them is a citizen, as long as there are any, and nothing ends the game
    (R-X2-3, R-X2-4).
    """
    empty = sum(
        empty_circles(player, building)
        for player in position["players"]
        for building in player["city"]
        if building in BUILDINGS
    )
    required = max(position["rules"]["players"], empty)
    if has(position["rules"], "citizens"):
        citizens = min(1, position["citizens"]["supply"])
        workers = min(required - citizens, position["workers"]["supply"])
        return Refill(workers, ends_the_game=False, citizens=citizens)
    workers = min(required, position["workers"]["supply"])
    return Refill(workers, ends_the_game=workers < required)
