"""The board of a player in a few lines: what there is of it, without circles and spaces."""

from collections.abc import Iterator
from typing import Final

from prico_env.render import colours, pieces
from prico_env.render.icons import hexagon
from prico_env.render.scene import Scene
from prico_env.render.svg import BODY, FIGURE, STRONG, Box, Sheet
from prico_env.render.text_metrics import shortened
from prico_env.vocabulary import BUILDINGS, FOREST, NUM_GOODS, NUM_TILES

LOWEST: Final = 31
"""The height of one line with its edges."""
_PAD: Final = 8
_LINE: Final = 19
_TEXT_LINE: Final = 16
_GOOD: Final = 34
_COUNT: Final = 44
_TILE: Final = 16
_NAME: Final = 84


class CompactBoard:
    """Draws the board of one player into a box, as much of it as there is room for."""

    def __init__(self, scene: Scene, sheet: Sheet, seat: int) -> None:
        self.scene, self.sheet, self.seat = scene, sheet, seat

    def draw(self, box: Box) -> None:
        """Draw it."""
        scene, sheet = self.scene, self.sheet
        is_turn = scene["turn"] == self.seat
        edge, line = (colours.SEATS[self.seat], 4) if is_turn else (colours.LINE, 1)
        with sheet.part("compact", self.seat):
            sheet.rect(box, colours.PANEL, edge=edge, line=line, radius=8)
            self._head(box)
            y = box.y + LOWEST - 5
            if y + _LINE <= box.y + box.height:
                self._tiles(box, y)
                y += _LINE
            self._buildings(box, y)
            if scene.marks(self.seat):
                ring = Box(box.x + 2, box.y + 2, box.width - 4, box.height - 4)
                sheet.rect(ring, "none", edge=colours.MARK, line=3, radius=6)

    def _head(self, box: Box) -> None:
        """Draw who it is, coins, VP and barrels."""
        scene, sheet, seat = self.scene, self.sheet, self.seat
        x, y = box.x + _PAD, box.y + LOWEST / 2
        pieces.seat(sheet, x + 9, y, seat)
        name = shortened(scene.name(seat), STRONG, _NAME)
        sheet.text(x + 24, y + 5, name, STRONG, room=_NAME)
        x = box.x + box.width - _PAD - _GOOD * NUM_GOODS
        for kind in range(NUM_GOODS):
            count, left = scene["goods"][seat][kind], x + _GOOD * kind
            if count:
                pieces.good(sheet, kind, left + 9, y)
                sheet.text(left + 20, y + 5, count, FIGURE, room=_GOOD - 20)
            else:
                pieces.no_good(sheet, kind, left + 9, y)
        sheet.disc(x - 2 * _COUNT + 4, y, 8.5, colours.COIN, colours.COIN_EDGE)
        sheet.text(x - 2 * _COUNT + 16, y + 5, scene["coins"][seat], FIGURE, room=22)
        sheet.path(hexagon(x - _COUNT + 4, y, 9), colours.VP)
        sheet.text(x - _COUNT + 16, y + 5, scene.vp(seat), FIGURE, room=22)

    def _tiles(self, box: Box, y: float) -> None:
        """Draw how many tiles of each kind there are, how many of them are staffed, and units."""
        scene, sheet, seat = self.scene, self.sheet, self.seat
        tiles, forests = scene["owned"][seat], scene["own_forests"][seat]
        x, middle = box.x + _PAD, y + _LINE / 2
        for kind in range(NUM_TILES):
            if tiles[kind]:
                staffed = scene["workers"][seat][kind] + scene["citizens"][seat][kind]
                x = self._count(kind, f"{staffed}/{tiles[kind]}", x, middle)
        if forests:
            self._count(FOREST, str(forests), x, middle)
        if scene["governor"] == seat:
            word = scene.term("governor")
            wide = STRONG.width(word)
            right = box.x + box.width - _PAD
            sheet.rect(Box(right - wide - 12, middle - 9.5, wide + 12, 19), colours.TAG, radius=9.5)
            sheet.text(right - 6, middle + 4.5, word, STRONG, align="end")

    def _count(self, kind: int, words: str, x: float, middle: float) -> float:
        """Draw a tile and how many there are; returns where the next one begins."""
        pieces.tile(self.sheet, kind, Box(x, middle - _TILE / 2, _TILE, _TILE))
        return x + _TILE + 12 + self.sheet.text(x + _TILE + 4, middle + 4.5, words, BODY)

    def _buildings(self, box: Box, y: float) -> None:
        """Write which buildings there are, on as many lines as there is room for."""
        room = box.width - 2 * _PAD
        space = int((box.y + box.height - y - 2) // _TEXT_LINE)
        written = list(self._lines(room))
        if len(written) > space > 0:
            written[space - 1] += " …"
        for place, words in enumerate(written[: max(0, space)]):
            base = y + 11 + _TEXT_LINE * place
            self.sheet.text(box.x + _PAD, base, words, room=room)

    def _lines(self, room: float) -> Iterator[str]:
        """The printed names of the buildings, on lines that fit."""
        scene, tiles = self.scene, self.scene["owned"][self.seat]
        names = [
            scene.building(number) for number in range(len(BUILDINGS)) if tiles[NUM_TILES + number]
        ]
        line = ""
        for name in names:
            longer = f"{line}, {name}" if line else name
            if line and BODY.width(longer) > room - 16:
                yield f"{line},"
                line = name
            else:
                line = longer
        if line:
            yield line
