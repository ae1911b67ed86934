"""What a building costs and who may buy it (R-BLD-2..6, R-BLD-9)."""

from tests.reference.box import BUILDINGS, cost
from tests.reference.position import city_left


def price(position: dict, seat: int, building: str, *, is_actor: bool) -> int:
    """Cost less one a working quarry, up to the column, less one for the builder; never below 0."""
    working_quarries = position["players"][seat]["island"]["quarry"][1]
    discount = min(working_quarries, BUILDINGS[building].column) + (1 if is_actor else 0)
    return max(0, cost(position["rules"], building) - discount)


def may_buy(position: dict, seat: int, building: str, *, is_actor: bool) -> bool:
    """A copy is left, the seat has none, it fits into the city, and the seat can pay."""
    player = position["players"][seat]
    return (
        position["buildings"][building] > 0
        and building not in player["city"]
        and BUILDINGS[building].spaces <= city_left(player)
        and price(position, seat, building, is_actor=is_actor) <= player["coins"]
    )


def build_options(position: dict, seat: int, *, is_actor: bool) -> set[str]:
    """Names of everything a seat may do on its builder turn."""
    buildings = (b for b in BUILDINGS if may_buy(position, seat, b, is_actor=is_actor))
    return {"pass", *(f"build:{building}" for building in buildings)}
