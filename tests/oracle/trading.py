"""What may be sold where and for how much, and the land office (R-TRA, R-OFF, R-TPO, R-LND)."""

from tests.oracle.box import GOODS, HOUSE_SLOTS, PRICES, switch
from tests.oracle.position import (
    has_citizen_on,
    has_forest_stack,
    has_worker_on,
    is_occupied,
    island_left,
)
from tests.oracle.settling import can_draw, removable_tiles


def sell_options(position: dict, seat: int) -> set[str]:
    """Names of everything a seat may do with a barrel on its trader turn, and `pass`."""
    player, house = position["players"][seat], position["house"]
    options = {"pass"}
    is_full = len(house) >= HOUSE_SLOTS
    may_post = is_occupied(player, "trading_post") and (
        not is_full or switch(position["rules"], "trading_post_after_house_full")
    )
    for good in GOODS:
        if player["goods"][good] == 0:
            continue
        welcome = good not in house or is_occupied(player, "office")
        if welcome and not is_full:
            options.add(f"sell:{good}")
        if may_post:
            options.add(f"post:{good}")
    return options


def sale_income(player: dict, good: str, *, privilege: int, at_post: bool = False) -> int:
    """Price of the kind, the trader's coins, and for the house the markets (R-TRA-4, R-TPO-3)."""
    markets = is_occupied(player, "small_market") + 2 * is_occupied(player, "large_market")
    return PRICES[good] + privilege + (0 if at_post else markets)


def land_options(position: dict, seat: int) -> set[str]:
    """What the land office lets its owner do: buy with a worker on it, sell with a citizen."""
    player = position["players"][seat]
    if has_citizen_on(player, "land_office"):
        tiles = removable_tiles(player)
        if not switch(position["rules"], "land_office_sells_forest"):
            tiles.discard("forest")
        return {f"land:sell:{tile}" for tile in tiles}
    can_pay = has_worker_on(player, "land_office") and player["coins"] >= 1
    return {"land:buy"} if can_pay and island_left(player) and land_uses(position, seat) else set()


def takes_forest_from_stack(rules: dict) -> bool:
    """Whether a forest is bought undrawn, from its own stack (R-LND-6, D-62)."""
    return (
        has_forest_stack(rules)
        and switch(rules, "land_office_forest_buy") == "take_from_forest_stack"
    )


def land_uses(position: dict, seat: int) -> set[str]:
    """What a tile to be bought may become, before anything is drawn."""
    uses = {"use:plantation"} if can_draw(position) else set()
    player, rules = position["players"][seat], position["rules"]
    if takes_forest_from_stack(rules) and is_occupied(player, "forest_house"):
        uses |= {"use:forest"} if position["forests"] > 0 else set()
    return uses
