"""Which tiles a seat may take, and where its hospice may send a worker (R-STL, R-HAC, R-HOS)."""

from tests.oracle.box import GOODS, switch
from tests.oracle.position import (
    empty_circles,
    has_forest_stack,
    is_occupied,
    island_left,
    units_of,
)


def can_draw(position: dict) -> bool:
    """Whether there is a tile to draw, reshuffled if need be (R-STL-13)."""
    return len(position["deck"]) + sum(position["discard"].values()) > 0


def may_draw(position: dict, seat: int) -> bool:
    """An occupied hacienda, an empty space, and a tile to draw."""
    player = position["players"][seat]
    return is_occupied(player, "hacienda") and island_left(player) > 0 and can_draw(position)


def take_options(
    position: dict, seat: int, *, is_actor: bool, by_hut_alone: bool = False
) -> set[str]:
    """Names of everything a seat may do as its normal action.

    The library's second pick is the same, but a quarry needs the hut (R-LIB-5): `by_hut_alone`.
    """
    player = position["players"][seat]
    if island_left(player) == 0:
        return {"pass"}
    options = {"pass", *(f"take:{good}" for good in GOODS if position["row"][good] > 0)}
    has_right = is_occupied(player, "construction_hut") or (is_actor and not by_hut_alone)
    if has_right and position["quarries"] > 0:
        options.add("take:quarry")
    return options | forest_options(position, seat)


def forest_options(position: dict, seat: int) -> set[str]:
    """Forests in place of a plantation: of their own stack, or a row tile face down (R-FOH)."""
    if not is_occupied(position["players"][seat], "forest_house"):
        return set()
    if has_forest_stack(position["rules"]):
        return {"forest"} if position["forests"] > 0 else set()
    return {f"forest:{good}" for good in GOODS if position["row"][good] > 0}


def drawn_tile_uses(position: dict, seat: int) -> set[str]:
    """What a tile just drawn may become (R-FOH-3)."""
    uses = {"use:plantation"}
    if is_occupied(position["players"][seat], "forest_house") and (
        not has_forest_stack(position["rules"]) or position["forests"] > 0
    ):
        uses.add("use:forest")
    return uses


def hospice_tiles(position: dict, seat: int, drawn: str | None, taken: str | None) -> list[str]:
    """Which tiles placed this turn may get the hospice's worker: `drawn`, `taken` (R-HOS).

    A tile needs an empty circle, except that a forest sends its worker to the portrait (R-HOS-5).
    """
    player = position["players"][seat]
    obtainable = sum(position["workers"].values())
    obtainable += position.get("citizens", {"register": 0})["register"]
    if not is_occupied(player, "hospice") or obtainable == 0:
        return []
    placed = {"taken": taken}
    # Tiles of one kind are interchangeable (I.4), so two of them are one choice.
    if drawn != taken and switch(position["rules"], "hospice_scope") == "either_tile_once":
        placed["drawn"] = drawn
    return [
        name
        for name in ("drawn", "taken")
        if (tile := placed.get(name)) and empty_circles_of(player, tile) > 0
    ]


def empty_circles_of(player: dict, tile: str | None) -> int:
    """Empty circles on tiles of a kind; a forest counts as having one."""
    if tile is None:
        return 0
    return 1 if tile == "forest" else empty_circles(player, tile)


def removable_tiles(player: dict) -> set[str]:
    """Kinds of which a tile may leave an island: no quarries (R-LND-3, R-LDG-1)."""
    return {tile for tile in (*GOODS, "forest") if player["island"].get(tile, [0])[0] > 0}


def what_stands_on(player: dict, tile: str) -> set[str]:
    """What may stand on the tile that is removed; the owner chooses (R-LND-3, R-LDG-1)."""
    if tile == "forest":
        return {"empty"}
    units = {unit for unit in ("worker", "citizen") if units_of(player, tile, unit) > 0}
    return units | ({"empty"} if empty_circles(player, tile) > 0 else set())


def leads_in_empty_spaces(position: dict, seat: int) -> bool:
    """Strictly more empty island spaces than every other player (R-LDG-2)."""
    spaces = [island_left(player) for player in position["players"]]
    return all(spaces[seat] > other for s, other in enumerate(spaces) if s != seat)
