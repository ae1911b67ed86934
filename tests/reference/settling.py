"""Which tiles a seat may take, and where its hospice may send a worker (R-STL, R-HAC, R-HOS)."""

from tests.reference.box import GOODS, switch
from tests.reference.position import is_occupied, island_left


def may_draw(position: dict, seat: int) -> bool:
    """An occupied hacienda, an empty space, and a tile to draw, reshuffled if need be."""
    player = position["players"][seat]
    tiles_left = len(position["deck"]) + sum(position["discard"].values())
    return is_occupied(player, "hacienda") and island_left(player) > 0 and tiles_left > 0


def take_options(position: dict, seat: int, *, is_actor: bool) -> set[str]:
    """Names of everything a seat may do as its normal action."""
    player = position["players"][seat]
    if island_left(player) == 0:
        return {"pass"}
    options = {"pass", *(f"take:{good}" for good in GOODS if position["row"][good] > 0)}
    has_right = is_actor or is_occupied(player, "construction_hut")
    if has_right and position["quarries"] > 0:
        options.add("take:quarry")
    return options


def hospice_tiles(position: dict, seat: int, drawn: str | None, taken: str | None) -> list[str]:
    """Which tiles placed this turn may get the hospice's worker: `drawn`, `taken` (R-HOS)."""
    workers = position["workers"]
    if not is_occupied(position["players"][seat], "hospice"):
        return []
    if workers["supply"] + workers["register"] == 0:
        return []
    tiles = ["taken"] if taken else []
    # Tiles of one kind are interchangeable (I.4), so two of them are one choice.
    if (
        drawn
        and drawn != taken
        and switch(position["rules"], "hospice_scope") == "either_tile_once"
    ):
        tiles.insert(0, "drawn")
    return tiles
