"""The drawing of a page on a desk: it fits the window, and always has the same size.

To the left is what lies between the players and below it the other players, to the right one's own
board and the buildings left. Nothing changes its place within a game.
"""

from typing import Final, NamedTuple

from prico_env.render.compact_board import LOWEST, CompactBoard
from prico_env.render.panel import Panel
from prico_env.render.player_board import TALL, Frame, PlayerBoard
from prico_env.render.scene import Scene
from prico_env.render.svg import Box, Sheet

_MARGIN: Final = 8
_LEFT: Final = 404
_MOST_STRETCHED: Final = 66
"""How high a space of one's own board becomes at most where there is room."""


class Desk(NamedTuple):
    """A window for which is drawn."""

    width: float
    """How wide the drawing is."""
    height: float
    """How high it is."""
    buildings_abreast: int
    """City spaces of one's own board side by side."""
    good: float
    """How much room a kind of barrels has there."""

    @property
    def own(self) -> Frame:
        """One's own board."""
        return TALL._replace(
            width=self.width - 3 * _MARGIN - _LEFT,
            buildings_abreast=self.buildings_abreast,
            good=self.good,
        )


LAPTOP: Final = Desk(1056, 795, buildings_abreast=6, good=43)
TABLET: Final = Desk(826, 764, buildings_abreast=4, good=36)


def draw_desk(desk: Desk, scene: Scene, sheet: Sheet) -> tuple[float, float]:
    """Draw for a window; returns how wide and how high the drawing is."""
    own, *others = scene.order()
    table = Panel(scene, Box(_MARGIN, _MARGIN, _LEFT, 0))
    table.table()
    sheet.add(table.drawn())
    left = _others(desk, scene, sheet, others, table.end_with_hand() + _MARGIN)
    right = _own_and_shop(desk, scene, sheet, own)
    return desk.width, max(desk.height, left, right)


def _own_and_shop(desk: Desk, scene: Scene, sheet: Sheet, own: int) -> float:
    """Draw one's own board and the buildings left below it; returns where they end."""
    x, frame = 2 * _MARGIN + _LEFT, desk.own
    room = desk.height - 2 * _MARGIN
    shop = Panel(scene, Box(x, 0, frame.width, 0))
    high = shop.end_with_shop()
    in_columns = frame.height + _MARGIN + high <= room
    if not in_columns:
        high = shop.end_with_shop(in_columns=False)
    room -= _MARGIN + high
    if frame.height <= room:
        frame = frame.stretched(room, _MOST_STRETCHED)
        PlayerBoard(scene, sheet, own, frame).draw(x, _MARGIN)
        top = 2 * _MARGIN + frame.height
    else:
        top = 2 * _MARGIN + LOWEST
        CompactBoard(scene, sheet, own).draw(Box(x, _MARGIN, frame.width, LOWEST))
        _whole(scene, sheet, own, frame, x, top)
    shop = Panel(scene, Box(x, top, frame.width, 0))
    shop.shop(in_columns=in_columns)
    sheet.add(shop.drawn())
    return shop.end + _MARGIN


def _others(desk: Desk, scene: Scene, sheet: Sheet, others: list[int], top: float) -> float:
    """Draw the other players below one another; returns where they end."""
    room = (desk.height - top) / len(others) - _MARGIN
    if room >= TALL.height:
        for place, seat in enumerate(others):
            y = top + place * (TALL.height + _MARGIN)
            PlayerBoard(scene, sheet, seat, TALL).draw(_MARGIN, y)
        return desk.height
    high = max(LOWEST, room)
    for place, seat in enumerate(others):
        box = Box(_MARGIN, top + place * (high + _MARGIN), _LEFT, high)
        CompactBoard(scene, sheet, seat).draw(box)
    for seat in others:
        _whole(scene, sheet, seat, TALL, _MARGIN, top - _MARGIN - TALL.height)
    return top + len(others) * (high + _MARGIN)


def _whole(scene: Scene, sheet: Sheet, seat: int, frame: Frame, x: float, y: float) -> None:
    """Draw the whole board of a player over what lies there, hidden until it is asked for."""
    with sheet.part("whole", seat, is_hidden=True):
        PlayerBoard(scene, sheet, seat, frame).draw(x, y)
