"""The board of one player."""

from typing import Final, NamedTuple

from prico_env.render import colours, pieces
from prico_env.render.common_area import ground
from prico_env.render.icons import hexagon, icon, spaces
from prico_env.render.scene import Scene
from prico_env.render.svg import BODY, FIGURE, STRONG, Box, Sheet
from prico_env.render.text_metrics import Font, lines, shortened
from prico_env.text.position import forest_kinds
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    FOREST,
    GOODS,
    ISLAND_SPACES,
    NUM_CROP_BUILDINGS,
    NUM_GOODS,
    NUM_TILES,
    TILES,
)

_PAD: Final = 10
_GAP: Final = 4
_HEAD: Final = 36
_SECOND_HEAD: Final = 28
_NAME: Final = Font(15, bold=True)
_LEAST_NAME: Final = 130
"""Room that a name has, however much is said beside it."""
_ROOMY: Final = 54
"""Spaces so high have room for larger letters."""
_WIDE_TILE: Final = 38
_UNIT_STEP: Final = 29


class Frame(NamedTuple):
    """How a player's board is laid out."""

    width: float
    """How wide it is."""
    tiles_abreast: int
    """Island spaces side by side."""
    buildings_abreast: int
    """City spaces side by side."""
    is_stacked: bool
    """Whether the head has two lines and the city lies below the island."""
    cell: float
    """How high a space is."""
    good: float
    """How much room a kind of barrels has."""
    score: float
    """How much room the score has beside the barrels."""

    @property
    def height(self) -> float:
        """How high the board is."""
        step = self.cell + _GAP
        height = _HEAD + CITY_SPACES // self.buildings_abreast * step - _GAP + _PAD
        if self.is_stacked:
            height += _SECOND_HEAD + ISLAND_SPACES // self.tiles_abreast * step + _GAP
        return height

    def stretched(self, height: float, most: float) -> "Frame":
        """Return a frame of this height, whose spaces are no higher than `most`."""
        rows = CITY_SPACES // self.buildings_abreast
        if self.is_stacked:
            rows += ISLAND_SPACES // self.tiles_abreast
        return self._replace(cell=int(min(most, self.cell + (height - self.height) / rows)))


WIDE: Final = Frame(
    840, tiles_abreast=6, buildings_abreast=6, is_stacked=False, cell=46, good=43, score=84
)
TALL: Final = Frame(
    404, tiles_abreast=12, buildings_abreast=4, is_stacked=True, cell=46, good=37, score=0
)


class PlayerBoard:
    """Draws the board of one player."""

    def __init__(self, scene: Scene, sheet: Sheet, seat: int, frame: Frame) -> None:
        self.scene, self.sheet, self.seat, self.frame = scene, sheet, seat, frame

    def draw(self, x: float, y: float) -> None:
        """Draw it with its upper left corner at a point."""
        scene, frame = self.scene, self.frame
        is_turn = scene["turn"] == self.seat
        edge, line = (colours.SEATS[self.seat], 4) if is_turn else (colours.LINE, 1)
        box = Box(x, y, frame.width, frame.height)
        self.sheet.rect(box, colours.PANEL, edge=edge, line=line, radius=8)
        left, right, top = x + _PAD, x + frame.width - _PAD, y + _HEAD
        if frame.is_stacked:
            self._purse(right, top - 4, left)
            self._score(right, y + 23)
            self._name(x, y, right - 90)
            top += _SECOND_HEAD
            self._island(left, top, (right - left + 2) / frame.tiles_abreast, 2)
            self._city(left, top + frame.cell + 2 * _GAP, right - left)
        else:
            purse = self._purse(right, y + 4, None)
            self._name(x, y, purse - 12)
            self._score(right, y + 23)
            self._island(left, top, _WIDE_TILE, _GAP)
            city = left + _WIDE_TILE * frame.tiles_abreast + _PAD
            self._city(city, top, right - city)

    # -- head --------------------------------------------------------------------------------------

    def _name(self, x: float, y: float, right: float) -> None:
        """Draw who it is, and what can be said about them."""
        scene, sheet = self.scene, self.sheet
        pieces.seat(sheet, x + 20, y + 18, self.seat, 11)
        tags = list(self._tags())
        wanted = sum(STRONG.width(words) + 17 for words, _, _ in tags)
        most = max(_LEAST_NAME, right - x - 46 - wanted)
        name = shortened(scene.name(self.seat), _NAME, most)
        left = x + 46 + sheet.text(x + 38, y + 23, name, _NAME, room=most)
        room = right - left - len(tags) * 17
        share = min(1, room / max(1, sum(STRONG.width(words) for words, _, _ in tags)))
        for words, fill, ink in tags:
            wide = STRONG.width(words) * share
            sheet.rect(Box(left, y + 9, wide + 12, 19), fill, radius=9.5)
            sheet.text(left + 6, y + 23, words, STRONG, fill=ink, room=wide)
            left += wide + 17

    def _tags(self) -> list[tuple[str, str, str]]:
        """Words about a player, each with the colours of its ground and its letters."""
        scene, seat = self.scene, self.seat
        tags = [
            (scene["turn"] == seat, scene.label("to_act"), colours.SEATS[seat], colours.WHITE),
            (scene.has_won(seat), scene.label("winner"), colours.SEATS[seat], colours.WHITE),
            (scene["governor"] == seat, scene.term("governor"), colours.TAG, colours.INK),
            (scene.is_watching(seat), scene.label("you"), colours.SPACE, colours.MUTED),
        ]
        return [(words, fill, ink) for is_so, words, fill, ink in tags if is_so]

    def _score(self, right: float, y: float) -> None:
        score, word = self.scene.score(self.seat), self.scene.label("score")
        if score:
            wide = _NAME.width(score)
            whole = wide + 5 + BODY.width(word)
            box = Box(right - whole, y - 17, whole, 24)
            with self.sheet.anchor(f"score-{self.seat}", box, colours.PANEL):
                self.sheet.text(right, y, score, _NAME, align="end")
                self.sheet.text(right - wide - 5, y, word, fill=colours.MUTED, align="end")

    def _purse(self, right: float, y: float, left: float | None) -> float:
        """Draw coins, VP, units not placed and barrels, in columns that end to the right.

        Args:
            right: Where they end.
            y: Their upper edge.
            left: Where they begin; as near to their end as they fit if left out.

        Returns:
            Where they begin.
        """
        scene, sheet, seat, frame = self.scene, self.sheet, self.seat, self.frame
        goods = right - frame.good * NUM_GOODS - frame.score
        if left is None:
            left = goods - 18 - self._portrait_width() - 102
        with sheet.anchor(f"coins-{seat}", Box(left, y + 2, 42, 24), colours.PANEL):
            sheet.disc(left + 9, y + 14, 8.5, colours.COIN, colours.COIN_EDGE)
            sheet.text(left + 22, y + 19, scene["coins"][seat], FIGURE, room=20)
        vp = left + (42 if frame.is_stacked else 50)
        with sheet.anchor(f"vp-{seat}", Box(vp, y + 2, 42, 24), colours.PANEL):
            sheet.path(hexagon(vp + 9, y + 14, 9), colours.VP)
            sheet.text(vp + 21, y + 19, scene.vp(seat), FIGURE, room=20)
        portrait = vp + (47 if frame.is_stacked else 52)
        self._portrait(portrait, y, min(self._portrait_width(), goods - portrait - 4))
        for kind in range(NUM_GOODS):
            self._barrels(kind, goods + frame.good * kind, y)
        return left

    def _portrait_width(self) -> float:
        kinds = 2 if "citizens" in self.scene.rules.expansions else 1
        return BODY.width(self.scene.term("portrait")) + 4 + kinds * _UNIT_STEP

    def _portrait(self, x: float, y: float, wide: float) -> None:
        """Draw the units that are not placed."""
        scene, sheet, seat = self.scene, self.sheet, self.seat
        units = [(scene["portrait_workers"][seat], pieces.worker)]
        if "citizens" in scene.rules.expansions:
            units.append((scene["portrait_citizens"][seat], pieces.citizen))
        with sheet.anchor(f"portrait-{seat}", Box(x, y + 2, wide, 24), colours.PANEL):
            room = wide - 4 - _UNIT_STEP * len(units)
            sheet.text(x, y + 18.5, scene.term("portrait"), fill=colours.MUTED, room=room)
            for place, (count, draw) in enumerate(units):
                left = x + room + 12 + _UNIT_STEP * place
                draw(sheet, left, y + 14)
                sheet.text(left + 9, y + 19, count, FIGURE, room=12.6)

    def _barrels(self, kind: int, x: float, y: float) -> None:
        scene, sheet, wide = self.scene, self.sheet, self.frame.good - 3
        count = scene["goods"][self.seat][kind]
        with sheet.anchor(
            f"goods-{self.seat}-{GOODS[kind]}", Box(x, y + 2, wide, 24), colours.PANEL
        ):
            if count:
                pieces.good(sheet, kind, x + 10, y + 14)
                sheet.text(x + 20.5, y + 19, count, FIGURE, room=wide - 20.5)
            else:
                pieces.no_good(sheet, kind, x + 10, y + 14)

    # -- island ------------------------------------------------------------------------------------

    def _island(self, x: float, y: float, step: float, gap: float) -> None:
        """Draw the tiles by kind, then the forests."""
        scene, frame = self.scene, self.frame
        tiles, forests = scene["owned"][self.seat], scene["own_forests"][self.seat]
        used = sum(tiles[:NUM_TILES]) + forests
        boxes = [
            Box(
                x + step * (place % frame.tiles_abreast),
                y + (frame.cell + _GAP) * (place // frame.tiles_abreast),
                step - gap,
                frame.cell,
            )
            for place in range(max(ISLAND_SPACES, used))
        ]
        self._free(f"island-{self.seat}", boxes[used:])
        for kind in range(NUM_TILES):
            if tiles[kind]:
                self._tiles(kind, boxes[: tiles[kind]])
                boxes = boxes[tiles[kind] :]
        if forests:
            self._forests(boxes[:forests])

    def _free(self, anchor: str, boxes: list[Box]) -> None:
        """Draw spaces on which nothing lies."""
        if boxes:
            corners = [(box.x, box.y) for box in boxes]
            with self.sheet.anchor(anchor, boxes[0]):
                self.sheet.path(spaces(corners, boxes[0].width, boxes[0].height), colours.SPACE)

    def _tiles(self, kind: int, boxes: list[Box]) -> None:
        scene, sheet, seat = self.scene, self.sheet, self.seat
        workers, citizens = scene["workers"][seat][kind], scene["citizens"][seat][kind]
        with sheet.anchor(f"island-{seat}-{TILES[kind]}", boxes[-1]):
            for place, box in enumerate(boxes):
                pieces.tile(sheet, kind, box)
                is_worker = place < workers
                is_citizen = not is_worker and place < workers + citizens
                low = box.y + box.height - 12
                pieces.circles(sheet, box.x + box.width / 2, low, 1, is_worker, is_citizen)

    def _forests(self, boxes: list[Box]) -> None:
        """Draw forests with the kinds that may be seen; a broad ring is for the owner only."""
        sheet = self.sheet
        public, own = forest_kinds(self.scene.record, self.scene.seat, self.seat)
        kinds = [
            (kind, ring)
            for counts, ring in ((public, 1), (own, 3))
            for kind in range(NUM_GOODS)
            for _ in range(counts[kind])
        ]
        with sheet.anchor(f"island-{self.seat}-forest", boxes[-1]):
            for place, box in enumerate(boxes):
                pieces.tile(sheet, FOREST, box)
                if place < len(kinds):
                    kind, ring = kinds[place]
                    x, y = box.x + box.width / 2, box.y + box.height - 12
                    sheet.disc(x, y, 8, colours.TILE_FILLS[kind], colours.WHITE, ring)
                    sheet.path(icon(kind, x, y, 4.6), colours.ICONS[kind])

    # -- city --------------------------------------------------------------------------------------

    def _city(self, x: float, y: float, room: float) -> None:
        """Draw the buildings by number."""
        abreast, cell = self.frame.buildings_abreast, self.frame.cell
        step = (room + _GAP) / abreast
        boxes = [
            Box(x + step * (place % abreast), y + (cell + _GAP) * (place // abreast), 0, cell)
            for place in range(CITY_SPACES)
        ]
        sites = self._sites()
        taken = {place + more for number, place in sites for more in range(self._spaces(number))}
        free = [box._replace(width=step - _GAP) for box in boxes]
        self._free(
            f"city-{self.seat}", [box for place, box in enumerate(free) if place not in taken]
        )
        for number, place in sites:
            box = boxes[place]._replace(width=step * self._spaces(number) - _GAP)
            with self.sheet.anchor(f"city-{self.seat}-{BUILDINGS[number]}", box):
                self._building(number, box)

    def _sites(self) -> list[tuple[int, int]]:
        """Each building with its first space: small ones from the front, large ones from behind.

        So the large ones never have to be parted at the end of a line.
        """
        tiles = self.scene["owned"][self.seat]
        owned = [number for number in range(len(BUILDINGS)) if tiles[NUM_TILES + number]]
        small = [number for number in owned if self._spaces(number) == 1]
        large = [number for number in owned if self._spaces(number) > 1]
        first = CITY_SPACES - 2 * len(large)
        return [(number, place) for place, number in enumerate(small)] + [
            (number, first + 2 * place) for place, number in enumerate(large)
        ]

    def _spaces(self, number: int) -> int:
        return int(self.scene.table["spaces"][number])

    def _building(self, number: int, box: Box) -> None:
        scene, sheet, seat, (x, y, wide, high) = self.scene, self.sheet, self.seat, box
        spot = NUM_TILES + number
        sheet.rect(box, ground(scene, number), edge=colours.BUILDING_EDGE)
        font = Font(13) if high >= _ROOMY else BODY
        for row, line in enumerate(lines(scene.building(number), font, wide - 9)):
            sheet.text(x + 5, y + 1 + font.size * (1.04 * row + 1), line, font, room=wide - 9)
        workers, citizens = scene["workers"][seat][spot], scene["citizens"][seat][spot]
        low = y + high - 10
        pieces.circles(sheet, x + 13, low, scene.table["circles"][spot], workers, citizens)
        if number < NUM_CROP_BUILDINGS:
            pieces.good(sheet, scene.table["crop"][number], x + wide - 12, low, 7)
