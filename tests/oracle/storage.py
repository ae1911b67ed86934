"""What a seat may keep when the ships have sailed (R-CAP-10, R-CAP-11)."""

from itertools import combinations, product

from tests.oracle.box import GOODS
from tests.oracle.position import is_occupied

Barrels = tuple[int, ...]
"""Barrels by kind, cheapest kind first."""


def kinds_kept_whole(player: dict) -> int:
    """Kinds the warehouses keep: 1 for the small one, 2 for the large one."""
    return is_occupied(player, "small_warehouse") + 2 * is_occupied(player, "large_warehouse")


def single_barrels(player: dict) -> int:
    """Barrels kept beside them: one, and three more in the storehouse (R-STO-1)."""
    return 1 + 3 * is_occupied(player, "storehouse")


def storage_outcomes(player: dict, *, voluntary_discard: bool = False) -> set[Barrels]:
    """Every holding a seat may be left with.

    Without voluntary discards as many kinds and single barrels as allowed must be used (Q-101).
    """
    goods = tuple(player["goods"][good] for good in GOODS)
    held = [kind for kind in range(len(GOODS)) if goods[kind] > 0]
    most = min(kinds_kept_whole(player), len(held))
    outcomes = set()
    for size in range(0 if voluntary_discard else most, most + 1):
        for whole in combinations(held, size):
            outcomes |= _with_singles(goods, whole, single_barrels(player), voluntary_discard)
    return outcomes


def _with_singles(goods: Barrels, whole: tuple, singles: int, may_discard: bool) -> set[Barrels]:
    """The kinds of `whole` kept entirely, and every choice of single barrels from the rest."""
    rest = [0 if kind in whole else goods[kind] for kind in range(len(GOODS))]
    most = min(singles, sum(rest))
    fewest = 0 if may_discard else most
    return {
        tuple(goods[kind] if kind in whole else extra[kind] for kind in range(len(GOODS)))
        for extra in product(*(range(min(count, most) + 1) for count in rest))
        if fewest <= sum(extra) <= most
    }
