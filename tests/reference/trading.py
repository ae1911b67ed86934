"""What may be sold to the trading house, and for how much (R-TRA, R-OFF, R-SMK, R-LMK)."""

from tests.reference.box import GOODS, HOUSE_SLOTS, PRICES
from tests.reference.position import is_occupied


def sell_options(position: dict, seat: int) -> set[str]:
    """Names of everything a seat may do on its trader turn."""
    player, house = position["players"][seat], position["house"]
    options = {"pass"}
    if len(house) >= HOUSE_SLOTS:
        return options
    for good in GOODS:
        welcome = good not in house or is_occupied(player, "office")
        if player["goods"][good] > 0 and welcome:
            options.add(f"sell:{good}")
    return options


def sale_income(player: dict, good: str, *, is_actor: bool) -> int:
    """Price of the kind, the trader's coin and the markets (R-TRA-4)."""
    markets = is_occupied(player, "small_market") + 2 * is_occupied(player, "large_market")
    return PRICES[good] + markets + (1 if is_actor else 0)
