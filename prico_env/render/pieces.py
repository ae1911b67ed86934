"""The pieces that lie on every part of the board: goods, coins, VP, units, circles, tiles."""

from typing import Final

from prico_env.render import colours
from prico_env.render.icons import diamond, hexagon, icon
from prico_env.render.svg import STRONG, Box, Sheet
from prico_env.render.text_metrics import Font
from prico_env.vocabulary import FOREST

CIRCLE_STEP: Final = 16
"""From one circle to the next."""

_HALF_DIGIT: Final = 0.364
"""Half the height of a digit, in letter sizes."""
_ICON: Final = 0.66
"""How large the icon of a good is on its barrel."""


def good(sheet: Sheet, kind: int, x: float, y: float, size: float = 9) -> None:
    """Draw a barrel of a good around a point."""
    box = Box(x - size, y - size, 2 * size, 2 * size)
    sheet.rect(box, colours.TILE_FILLS[kind], edge=colours.TILE_EDGES[kind], radius=size / 2)
    sheet.path(icon(kind, x, y, round(size * _ICON, 1)), colours.ICONS[kind])


def no_good(sheet: Sheet, kind: int, x: float, y: float, size: float = 9) -> None:
    """Draw where barrels of a good would be."""
    sheet.rect(Box(x - size, y - size, 2 * size, 2 * size), colours.SPACE, radius=size / 2)
    sheet.path(icon(kind, x, y, round(size * _ICON, 1)), colours.LINE)


def coin(sheet: Sheet, x: float, y: float, amount: object, size: float = 9) -> None:
    """Draw a coin with an amount around a point."""
    sheet.disc(x, y, size, colours.COIN, colours.COIN_EDGE)
    _figure(sheet, x, y, amount, size, colours.ON_BRIGHT)


def vp(sheet: Sheet, x: float, y: float, amount: object, size: float = 8.5) -> None:
    """Draw an icon of VP with an amount around a point."""
    sheet.path(hexagon(x, y, size), colours.VP)
    _figure(sheet, x, y, amount, size, colours.ON_VP)


def seat(sheet: Sheet, x: float, y: float, number: int, size: float = 9) -> None:
    """Draw the badge of a seat around a point."""
    sheet.disc(x, y, size, colours.SEATS[number])
    _figure(sheet, x, y, number, size, colours.WHITE)


def _figure(sheet: Sheet, x: float, y: float, amount: object, size: float, fill: str) -> None:
    font = Font(max(STRONG.size, round(size * 1.2)), bold=True)
    sheet.text(
        x, y + font.size * _HALF_DIGIT, amount, font, fill=fill, align="middle", room=1.75 * size
    )


def worker(sheet: Sheet, x: float, y: float) -> None:
    """Draw a worker around a point."""
    sheet.disc(x, y, 6.5, colours.WORKER, colours.WHITE, 1.5)


def citizen(sheet: Sheet, x: float, y: float) -> None:
    """Draw a citizen around a point."""
    sheet.path(diamond(x, y, 7.5), colours.CITIZEN, colours.WHITE, 1.5)


def circles(sheet: Sheet, x: float, y: float, places: int, workers: int, citizens: int) -> None:
    """Draw circles side by side from a point: workers stand on the first, then citizens."""
    for place in range(places):
        middle = x + CIRCLE_STEP * place
        if place < workers:
            worker(sheet, middle, y)
        elif place < workers + citizens:
            citizen(sheet, middle, y)
        else:
            sheet.disc(middle, y, 6, colours.WHITE, colours.CIRCLE_EDGE)


def tile(sheet: Sheet, kind: int, box: Box) -> None:
    """Draw an island tile with its icon; the lower half of a high one is left for a circle."""
    fill, edge, ink = (
        (colours.FOREST_FILL, colours.FOREST_EDGE, colours.WHITE)
        if kind == FOREST
        else (colours.TILE_FILLS[kind], colours.TILE_EDGES[kind], colours.ICONS[kind])
    )
    sheet.rect(box, fill, edge=edge)
    size = min(8, box.width * 0.32)
    middle = box.y + min(box.height, box.width) / 2
    sheet.path(icon(kind, box.x + box.width / 2, middle, round(size, 1)), ink)
