"""How units are dealt out, and how the register is filled again (R-MAY-1..3, R-MAY-11..13)."""

from typing import NamedTuple

from tests.reference.box import BUILDINGS, has
from tests.reference.position import clockwise, empty_circles


class Refill(NamedTuple):
    """What the new register holds, and whether it fell short."""

    workers: int
    ends_the_game: bool
    citizens: int = 0


def dealt_workers(position: dict, actor: int) -> dict[int, int]:
    """Workers of the register by seat: one at a time, clockwise from the actor (R-MAY-2)."""
    order = clockwise(position, actor)
    received = dict.fromkeys(order, 0)
    for unit in range(position["workers"]["register"]):
        received[order[unit % len(order)]] += 1
    return received


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
