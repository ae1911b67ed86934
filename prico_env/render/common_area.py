"""What lies between the players, section by section from the top to the bottom."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from prico_env.render import colours, pieces
from prico_env.render.icons import hexagon, hull, icon, spaces
from prico_env.render.scene import Scene
from prico_env.render.svg import BODY, FIGURE, STRONG, TIGHTEST, Box, Sheet
from prico_env.render.text_metrics import Font, lines
from prico_env.text.position import can_see_drawn, describe_slots, drawn_tile
from prico_env.vocabulary import (
    BUILDINGS,
    FOREST,
    GOODS,
    HOUSE_SLOTS,
    NOBODY,
    NOT_IN_PLAY,
    NUM_CROP_BUILDINGS,
    NUM_GOODS,
    QUARRY,
    ROLES,
    BuildingClass,
    Phase,
)

Section: TypeAlias = Callable[[float], float]
"""Draws from a height on and returns where it ends."""

_BETWEEN: Final = 9
"""Between sections."""
_TITLE: Final = 18
"""The height of the title of a section."""
_GAP: Final = 5
"""Between cards."""
_WIDE_GAP: Final = 14
"""Between columns of buildings, where a column is several cards wide."""
_ROLE: Final = 44
_FEW_ROLES: Final = 8
"""So many fit on two lines of four."""
_TILE: Final = 32
_SMALL_TILE: Final = 20
_HAND: Final = _TILE + 6
_SLOT: Final = 15
_SLOT_HEIGHT: Final = 20
_BOW: Final = 8
"""How far a ship reaches beyond its slots."""
_SHIP: Final = 46
_HOUSE: Final = 28
_HOUSE_STEP: Final = 24
_PRICE_STEP: Final = 33
_CHIP: Final = 20
_COLUMNS: Final = 4
_CARD_WIDTH: Final = 88
_CARD: Final = 46


class CommonArea:
    """Draws what lies between the players into a column."""

    def __init__(self, scene: Scene, sheet: Sheet, x: float, width: float) -> None:
        self.scene, self.sheet, self.x, self.width = scene, sheet, x, width

    def draw(self, y: float) -> float:
        """Draw all but the buildings left, below one another; returns where the last one ends."""
        for place, section in enumerate(self._sections()):
            y = section(y + (_BETWEEN if place else 0))
        return y

    def room_for_hand(self) -> float:
        """How much higher all but the buildings left can become: what is in hand comes and goes."""
        return 0 if self._has_hand() else _BETWEEN + _HAND

    def _has_hand(self) -> bool:
        scene = self.scene
        in_hand = scene["hand_workers"] or scene["hand_citizens"]
        return bool(in_hand) or drawn_tile(scene.record) != NOBODY

    def _sections(self) -> Iterator[Section]:
        scene = self.scene
        yield from (self.roles, self.plantations, self.ships, self.house, self.supply)
        if "smuggler" in scene.rules.expansions:
            yield self.smuggler
        if "festival" in scene.rules.expansions:
            yield self.festival
        if self._has_hand():
            yield self.hand

    def _title(self, y: float, words: str) -> float:
        """Write the title of a section; returns where what it heads begins."""
        self.sheet.text(self.x, y + 11, words, STRONG, fill=colours.MUTED, room=self.width)
        return y + _TITLE

    # -- roles -------------------------------------------------------------------------------------

    def roles(self, y: float) -> float:
        """Draw the role cards with their coins and who took them."""
        scene = self.scene
        cards = [role for role in range(len(ROLES)) if scene["role_owner"][role] != NOT_IN_PLAY]
        abreast = _COLUMNS + (len(cards) > _FEW_ROLES)
        wide = (self.width - _GAP * (abreast - 1)) / abreast
        fits = all(STRONG.width(scene.word(ROLES[role])) <= wide - 12 for role in cards)
        for place, role in enumerate(cards):
            x = self.x + (wide + _GAP) * (place % abreast)
            box = Box(x, y + (_ROLE + _GAP) * (place // abreast), wide, _ROLE)
            with self.sheet.anchor(f"role-{ROLES[role]}", box):
                self._role(role, box, STRONG if fits else BODY)
        return y + (_ROLE + _GAP) * -(-len(cards) // abreast) - _GAP

    def _role(self, role: int, box: Box, font: Font) -> None:
        """Draw a card: free ones white, the one being played with a strong edge, others grey."""
        scene, sheet, (x, y, wide, _) = self.scene, self.sheet, box
        owner, captor = scene["role_owner"][role], scene["role_captor"][role]
        ink = colours.INK
        if role == scene["role"]:
            sheet.rect(box, colours.SPACE, edge=colours.INK, line=2.5)
            font = STRONG
        elif owner == NOBODY:
            sheet.rect(box, colours.CARD, edge=colours.INK)
        else:
            sheet.rect(box, colours.SPACE, edge=colours.LINE)
            font, ink = BODY, colours.MUTED
        word, room = scene.word(ROLES[role]), wide - 8
        if font.width(word) > room / TIGHTEST:
            font = BODY
        sheet.text(x + 4.5, y + 16, word, font, fill=ink, room=room)
        if scene["role_coins"][role]:
            pieces.coin(sheet, x + 16, y + 31, scene["role_coins"][role])
        if owner != NOBODY:
            pieces.seat(sheet, x + wide - 15, y + 31, owner)
        if captor != NOBODY:
            pieces.seat(sheet, x + wide - 35, y + 31, captor, 7)
            sheet.disc(x + wide - 35, y + 31, 9, "none", colours.CITIZEN, 1.5)

    # -- plantations -------------------------------------------------------------------------------

    def plantations(self, y: float) -> float:
        """Draw the row face up, the stacks beside it, and below how many are face down."""
        scene, sheet = self.scene, self.sheet
        y = self._title(y, scene.term("row"))
        row = scene["row"]
        step = min(_TILE + 4, self._stacks(y) / max(1, sum(row)))
        x = self.x
        for kind in range(NUM_GOODS):
            tiles = [Box(x + step * place, y, _TILE, _TILE) for place in range(row[kind])]
            x += step * len(tiles)
            if tiles:
                with sheet.anchor(f"row-{GOODS[kind]}", tiles[-1]):
                    for box in tiles:
                        pieces.tile(sheet, kind, box)
        if not any(row):
            sheet.text(self.x, y + 20, "–", fill=colours.MUTED)
        chips = (
            _Chip("deck", _deck, scene["deck_size"], scene.term("deck")),
            _Chip("discard", _discard, sum(scene["discard"]), scene.term("discard")),
        )
        return self._chips(y + _TILE + 6, chips)

    def _stacks(self, y: float) -> float:
        """Draw the quarries, and forests that have a stack; returns what is left for the row."""
        scene, sheet = self.scene, self.sheet
        x = self.x + self.width
        for name, kind in (("quarries", QUARRY), ("forests", FOREST)):
            if kind == FOREST and not scene.table["forest_source_is_own_stack_12"]:
                continue
            wide = max(_TILE + 24, BODY.width(scene.term(name)))
            x -= wide
            with sheet.anchor(name, Box(x, y, _TILE, _TILE)):
                sheet.rect(Box(x, y - _TITLE, wide, _TITLE + _TILE), colours.PANEL)
                sheet.text(x, y - _TITLE + 11, scene.term(name), fill=colours.MUTED)
                pieces.tile(sheet, kind, Box(x, y, _TILE, _TILE))
                sheet.text(x + _TILE + 5, y + 21, scene[name], FIGURE)
            x -= _GAP
        return x - self.x - _GAP

    def _chips(self, y: float, chips: "Iterable[_Chip]") -> float:
        """Draw small counts side by side, on as many lines as they need; returns their end."""
        x = self.x
        for chip in chips:
            wide = chip.width
            if x > self.x and x + wide > self.x + self.width:
                x, y = self.x, y + _CHIP + 2
            with self.sheet.anchor(chip.anchor, Box(x, y, wide, _CHIP), colours.PANEL):
                chip.write(self.sheet, x, y)
            x += wide + 10
        return y + _CHIP

    # -- ships and house ---------------------------------------------------------------------------

    def ships(self, y: float) -> float:
        """Draw the cargo ships."""
        scene = self.scene
        y = self._title(y, scene.label("ships"))
        sizes = scene.table["ship_size"][: scene.table["num_ships"]]
        widths = [size * _SLOT + 2 * _BOW for size in sizes]
        gap = min(16, (self.width - sum(widths)) / (len(sizes) - 1))
        x = self.x
        for ship, wide in enumerate(widths):
            with self.sheet.anchor(f"ship-{ship + 1}", Box(x, y, wide, _SHIP), colours.PANEL):
                self._ship(ship, x, y, sizes[ship])
            x += wide + gap
        return y + _SHIP

    def _ship(self, ship: int, x: float, y: float, size: int) -> None:
        scene, sheet = self.scene, self.sheet
        kind, load = scene["ship_good"][ship], scene["ship_load"][ship]
        wide = size * _SLOT + 2 * _BOW
        sheet.path(hull(x, y + 5, wide, 23), colours.WOOD)
        free = [(x + _BOW + _SLOT * place, y) for place in range(load, size)]
        if free:
            sheet.path(spaces(free, _SLOT - 2, _SLOT_HEIGHT), colours.FREE, colours.CIRCLE_EDGE)
        for place in range(load):
            barrel = Box(x + _BOW + _SLOT * place, y, _SLOT - 2, _SLOT_HEIGHT)
            sheet.rect(barrel, colours.TILE_FILLS[kind], edge=colours.TILE_EDGES[kind], radius=3)
            middle = barrel.x + barrel.width / 2
            sheet.path(icon(kind, middle, y + _SLOT_HEIGHT / 2, 4.6), colours.ICONS[kind])
        words = f"{load}/{size}" if kind == NOBODY else f"{load}/{size} {scene.word(GOODS[kind])}"
        sheet.text(x + wide / 2, y + _SHIP - 4, words, align="middle", room=wide)

    def house(self, y: float) -> float:
        """Draw the trading house."""
        scene, sheet = self.scene, self.sheet
        name = scene.label("house")
        barrels = [kind for kind in range(NUM_GOODS) for _ in range(scene["house"][kind])]
        slots = max(HOUSE_SLOTS, len(barrels))
        wide = STRONG.width(name) + 20 + _HOUSE_STEP * slots
        with sheet.anchor("house", Box(self.x, y, wide, _HOUSE), colours.SPACE):
            sheet.text(self.x + 7, y + 18.5, name, STRONG, fill=colours.MUTED)
            x = self.x + STRONG.width(name) + 26
            for place in range(slots):
                if place < len(barrels):
                    pieces.good(sheet, barrels[place], x, y + 14, 9.5)
                else:
                    sheet.rect(
                        Box(x - 9.5, y + 4.5, 19, 19), colours.FREE, edge=colours.EDGE, radius=5
                    )
                x += _HOUSE_STEP
        if slots == HOUSE_SLOTS:
            self._prices(y + 14)
        return y + _HOUSE

    def _prices(self, y: float) -> None:
        """Draw what the trading house pays for each good."""
        wide = _PRICE_STEP * NUM_GOODS
        x = self.x + self.width - wide
        prices = self.scene.table["good_price"]
        with self.sheet.anchor("prices", Box(x, y - 10, wide, 20), colours.PANEL):
            for kind in range(NUM_GOODS):
                middle = x + 11.5 + _PRICE_STEP * kind
                pieces.good(self.sheet, kind, middle, y, 5.5)
                pieces.coin(self.sheet, middle + 15, y, prices[kind], 6.5)

    # -- supplies ----------------------------------------------------------------------------------

    def supply(self, y: float) -> float:
        """Draw barrels, units and VP that nobody has."""
        scene, sheet = self.scene, self.sheet
        y = self._title(y, scene.label("supply"))
        wide = self.width / NUM_GOODS
        for kind in range(NUM_GOODS):
            x = self.x + wide * kind
            with sheet.anchor(f"supply-{GOODS[kind]}", Box(x, y, wide - 4, 38), colours.PANEL):
                pieces.good(sheet, kind, x + 10, y + 11)
                sheet.text(x + 25, y + 16, scene["goods_supply"][kind], FIGURE)
                sheet.text(
                    x + 1, y + 34, scene.word(GOODS[kind]), fill=colours.MUTED, room=wide - 6
                )
        return self._chips(y + 44, self._units())

    def _units(self) -> "Iterator[_Chip]":
        scene = self.scene
        register = str(scene["register_workers"])
        yield _Chip("workers", pieces.worker, scene["worker_supply"], scene.term("workers"))
        if "citizens" in scene.rules.expansions:
            yield _Chip("citizens", pieces.citizen, scene["citizen_supply"], scene.term("citizens"))
            register += f" + {scene['register_citizens']}"
        yield _Chip("vp-pool", _vp, scene.vp_left(), scene.term("vp"))
        yield _Chip("register", pieces.worker, register, scene.term("register"))

    # -- expansions --------------------------------------------------------------------------------

    def smuggler(self, y: float) -> float:
        """Draw who has the smuggler's tile."""
        scene, owner = self.scene, self.scene["smuggler_tile"]
        label = scene.label("smuggler")
        wide = STRONG.width(label) + 12 + max(_SMALL_TILE, BODY.width(scene.label("nobody")))
        with self.sheet.anchor("smuggler", Box(self.x, y, wide, _SMALL_TILE), colours.PANEL):
            x = self.x + self.sheet.text(self.x, y + 14, label, STRONG, fill=colours.MUTED) + 10
            if owner == NOBODY:
                self.sheet.text(x, y + 14, scene.label("nobody"), fill=colours.MUTED)
            else:
                pieces.seat(self.sheet, x + 9, y + 10, owner)
        return y + _SMALL_TILE

    def festival(self, y: float) -> float:
        """Draw what the festival still asks for."""
        scene, sheet, label = self.scene, self.sheet, self.scene.label("festival")
        wide = STRONG.width(label)
        with sheet.anchor("festival", Box(self.x, y, wide, _SMALL_TILE), colours.PANEL):
            sheet.text(self.x, y + 14, label, STRONG, fill=colours.MUTED)
        x = self.x + wide + 10
        estate, building = scene["festival_estate"], scene["festival_building"]
        goods = [kind for kind in range(NUM_GOODS) for _ in range(scene["festival_goods"][kind])]
        if estate != NOBODY:
            with sheet.anchor("festival-estate", Box(x, y, 48, _SMALL_TILE)):
                for place in range(3):
                    tile = Box(x + 14 * place, y, _SMALL_TILE, _SMALL_TILE)
                    pieces.tile(sheet, estate, tile)
            x += 60
        if goods:
            wide = 21 * len(goods)
            with sheet.anchor("festival-goods", Box(x, y, wide, _SMALL_TILE), colours.PANEL):
                for place, kind in enumerate(goods):
                    pieces.good(sheet, kind, x + 9 + 21 * place, y + 10)
            x += wide + 10
        if building != NOBODY:
            box = Box(x, y, self.x + self.width - x, _SMALL_TILE)
            with sheet.anchor("festival-building", box, colours.PANEL):
                sheet.text(x, y + 14, scene.building(building), room=box.width)
        elif estate == NOBODY and not goods:
            sheet.text(x, y + 14, scene.label("nothing"), fill=colours.MUTED)
        return y + _SMALL_TILE

    def hand(self, y: float) -> float:
        """Draw what the player to act has in hand: a tile just drawn, units to be placed."""
        scene, sheet = self.scene, self.sheet
        x, kind = self.x, drawn_tile(scene.record)
        if kind != NOBODY:
            wide = STRONG.width(scene.label("drawn")) + 46
            box = Box(x, y, wide, _HAND)
            with sheet.anchor("drawn", box):
                sheet.rect(box, colours.SPACE, edge=colours.SEATS[scene["turn"]], line=2)
                sheet.text(x + 7, y + 23, scene.label("drawn"), STRONG, fill=colours.MUTED)
                self._drawn(kind, Box(x + wide - _TILE - 3, y + 3, _TILE, _TILE))
            x += wide + 16
        workers, citizens = scene["hand_workers"], scene["hand_citizens"]
        if workers or citizens:
            label = scene.label("hand")
            start = x + STRONG.width(label) + 14
            box = Box(x, y, self.x + self.width - x, _HAND)
            with sheet.anchor("hand", box, colours.PANEL):
                sheet.text(x, y + 23, label, STRONG, fill=colours.MUTED)
                pieces.circles(sheet, start, y + 19, workers + citizens, workers, citizens)
        return y + _HAND

    def _drawn(self, kind: int, box: Box) -> None:
        """Draw a tile in hand: its face to who may see it."""
        if can_see_drawn(self.scene.record, self.scene.seat):
            pieces.tile(self.sheet, kind, box)
        else:
            self.sheet.rect(box, colours.BACK)
            self.sheet.text(
                box.x + box.width / 2,
                box.y + 22,
                "?",
                FIGURE,
                fill=colours.ON_BRIGHT,
                align="middle",
            )

    # -- buildings for sale ------------------------------------------------------------------------

    def shop(self, y: float, *, in_columns: bool = True) -> float:
        """Draw the buildings left; returns where they end.

        Args:
            y: Their upper edge.
            in_columns: Whether each number of quarries that may help has its column; otherwise
                they stand in lines, by that number and by price, which takes less room.
        """
        is_draft = self.scene["phase"] == Phase.DRAFT
        y = self._title(y, self.scene.label("draft" if is_draft else "buildings"))
        for line in self._slots() if is_draft else ():
            self.sheet.text(self.x, y + 10, line, room=self.width)
            y += _TITLE
        sites = self._sites(in_columns)
        for number, site in sites:
            box = site._replace(y=y + site.y)
            with self.sheet.anchor(f"shop-{BUILDINGS[number]}", box):
                self._card(number, box, self.scene.copies_left(number))
        return y + _bottom(sites)

    def shop_height(self, *, in_columns: bool = True) -> float:
        """How high the buildings left will be."""
        is_draft = self.scene["phase"] == Phase.DRAFT
        return _TITLE * (1 + len(self._slots()) * is_draft) + _bottom(self._sites(in_columns))

    def _slots(self) -> list[str]:
        """What is still to be chosen, on lines that fit."""
        found: list[str] = []
        for slot in describe_slots(self.scene.rules, self.scene.record):
            longer = f"{found[-1]} · {slot}" if found else slot
            if found and BODY.width(longer) <= self.width:
                found[-1] = longer
            else:
                found.append(slot)
        return found

    def _columns(self) -> list[list[int]]:
        """The buildings of each column by their price."""
        column, cost = self.scene.table["column"], self.scene.table["cost"]
        numbers = sorted(self.scene.on_sale(), key=lambda one: (cost[one], one))
        return [[one for one in numbers if column[one] == place + 1] for place in range(_COLUMNS)]

    def _sites(self, in_columns: bool) -> list[tuple[int, Box]]:
        """Each building left with where its card lies below the title."""
        columns = self._columns()
        if in_columns:
            abreast = int(self.width / _COLUMNS // _CARD_WIDTH)
            between = _WIDE_GAP if abreast > 1 else _GAP
            wide = (self.width + between) / _COLUMNS
            card = (wide - between + _GAP) / abreast - _GAP
            left = [self.x + wide * column for column in range(_COLUMNS)]
        else:
            columns, left = [[one for column in columns for one in column]], [self.x]
            abreast = int((self.width + _GAP) // (_CARD_WIDTH + _GAP))
            card = (self.width + _GAP) / abreast - _GAP
        return [
            (
                number,
                Box(
                    left[column] + (card + _GAP) * (place % abreast),
                    (_CARD + _GAP) * (place // abreast),
                    card,
                    _CARD,
                ),
            )
            for column, numbers in enumerate(columns)
            for place, number in enumerate(numbers)
        ]

    def _card(self, number: int, box: Box, left: int) -> None:
        """Draw a building for sale: its name, price, VP, crop, and how many are left."""
        scene, sheet, (x, y, wide, _) = self.scene, self.sheet, box
        fill, ink = (ground(scene, number), colours.INK) if left else (colours.SPACE, colours.MUTED)
        sheet.rect(box, fill, edge=colours.BUILDING_EDGE)
        for row, line in enumerate(lines(scene.building(number), BODY, wide - 9)):
            sheet.text(x + 5, y + 12.5 + 11.5 * row, line, fill=ink, room=wide - 9)
        low = y + _CARD - 10
        pieces.coin(sheet, x + 12, low, scene.table["cost"][number], 8)
        pieces.vp(sheet, x + 31, low, scene.table["vp"][number])
        if number < NUM_CROP_BUILDINGS:
            pieces.good(sheet, scene.table["crop"][number], x + 49, low, 7)
        sheet.text(x + wide - 5, low + 4.5, f"×{left}", STRONG, fill=ink, align="end")


def _bottom(sites: list[tuple[int, Box]]) -> float:
    return max((box.y + box.height for _, box in sites), default=0)


def ground(scene: Scene, number: int) -> str:
    """The colour of a building: that of its crop, or of its class."""
    if number < NUM_CROP_BUILDINGS:
        return colours.CROPS[scene.table["crop"][number]]
    is_large = scene.table["building_class"][number] == BuildingClass.LARGE_COMMERCIAL
    return colours.LARGE if is_large else colours.COMMERCIAL


# -- small counts ----------------------------------------------------------------------------------


class _Chip(NamedTuple):
    """A small icon, a number and a word."""

    anchor: str
    """The anchor it is."""
    draw: Callable[[Sheet, float, float], None]
    """Draws the icon around a point."""
    number: object
    """How many there are."""
    word: str
    """What is counted."""

    @property
    def width(self) -> float:
        """How much room it takes."""
        return 29 + STRONG.width(str(self.number)) + BODY.width(self.word)

    def write(self, sheet: Sheet, x: float, y: float) -> None:
        """Draw it with its upper left corner at a point."""
        self.draw(sheet, x + 10, y + 10)
        wide = sheet.text(x + 24, y + 14.5, self.number, STRONG)
        sheet.text(x + 29 + wide, y + 14.5, self.word, fill=colours.MUTED)


def _vp(sheet: Sheet, x: float, y: float) -> None:
    sheet.path(hexagon(x, y, 8.5), colours.VP)


def _deck(sheet: Sheet, x: float, y: float) -> None:
    _pile(sheet, x, y, colours.BACK)


def _discard(sheet: Sheet, x: float, y: float) -> None:
    _pile(sheet, x, y, colours.SPACE)


def _pile(sheet: Sheet, x: float, y: float, fill: str) -> None:
    sheet.rect(Box(x - 6, y - 8, 14, 14), fill, edge=colours.EDGE, radius=3)
    sheet.rect(Box(x - 9, y - 5, 14, 14), fill, edge=colours.EDGE, radius=3)
