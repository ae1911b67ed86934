"""The board as an array of pixels, drawn with nothing but NumPy.

Letters are five dots high, so buildings and roles carry the three-letter codes of `rules.md` (C.1)
instead of their names. Everything that lies open in the game can be read off the picture.
"""

from collections.abc import Iterable
from typing import Any, Final, Protocol

import numpy as np

from prico_env.notation.boards import can_see_drawn, can_see_vp, drawn_tile, forest_faces
from prico_env.notation.words import BUILDING_CODES
from prico_env.ruleset import RuleSet
from prico_env.vocabulary import (
    CITY_SPACES,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    NOBODY,
    NOT_IN_PLAY,
    NUM_GOODS,
    NUM_TILES,
    PHASES,
    ROLES,
    BuildingClass,
    Phase,
)

Colour = tuple[int, int, int]

WIDTH: Final = 760
TABLE_HEIGHT: Final = 196
PLAYER_HEIGHT: Final = 104
_ACROSS: Final = 6
"""Spaces of an island or a city side by side."""
_SHELF: Final = 12
"""Buildings for sale side by side."""
_SHELF_HEIGHT: Final = 32
_SHELVES: Final = 2
"""Rows of buildings for sale that the table has room for."""
_STRIP_HEIGHT: Final = 28
"""What expansions bring to the table lies in a strip below the buildings for sale."""
_ROLE_STEP: Final = 90
_NARROW_ROLE_STEP: Final = 82
_ROLES_ABREAST: Final = 8
"""More role cards than these only fit side by side if they are narrow."""

_ROLE_CODES: Final = ("STL", "MAY", "BLD", "CRA", "TRA", "CAP", "PR1", "PR2", "SMG")

_PAPER: Final = (244, 236, 216)
_PANEL: Final = (230, 216, 184)
_INK: Final = (52, 42, 34)
_FAINT: Final = (196, 180, 148)
_TURN: Final = (196, 60, 44)
_COIN: Final = (214, 164, 34)
_WORKER: Final = (90, 58, 40)
_CITIZEN: Final = (150, 40, 120)
_FOREST: Final = (60, 130, 70)
_WHITE: Final = (252, 250, 244)
_TILE_COLOURS: Final[tuple[Colour, ...]] = (
    (240, 206, 70),  # corn
    (70, 96, 190),  # indigo
    (250, 248, 240),  # sugar
    (186, 130, 72),  # tobacco
    (96, 60, 40),  # coffee
    (150, 150, 150),  # quarry
)
_CLASS_COLOURS: Final = {
    BuildingClass.SMALL_PRODUCTION: (150, 196, 190),
    BuildingClass.LARGE_PRODUCTION: (120, 176, 172),
    BuildingClass.SMALL_COMMERCIAL: (200, 172, 214),
    BuildingClass.LARGE_COMMERCIAL: (176, 136, 200),
}

_GLYPHS: Final = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717",
    "6": "74757", "7": "71122", "8": "75757", "9": "75717", "A": "75755", "B": "65656",
    "C": "74447", "D": "65556", "E": "74647", "F": "74644", "G": "74557", "H": "55755",
    "I": "72227", "J": "11157", "K": "55655", "L": "44447", "M": "57755", "N": "65555",
    "O": "25552", "P": "75744", "Q": "25573", "R": "75655", "S": "34216", "T": "72222",
    "U": "55557", "V": "55552", "W": "55775", "X": "55255", "Y": "55222", "Z": "71247",
    "-": "00700", "+": "02720", "/": "11244", ":": "02020", "?": "71202", ".": "00002",
    " ": "00000",
}  # fmt: skip
"""Letters of three by five dots: a row is an octal digit, its bits the dots from left to right."""
_GLYPH_WIDTH: Final = 3
_SCALE: Final = 2
_STEP: Final = (_GLYPH_WIDTH + 1) * _SCALE


class Shown(Protocol):
    """What can be drawn: a `Game`, or anything else with a rule set and a record."""

    @property
    def rules(self) -> RuleSet:
        """What is played."""

    @property
    def state(self) -> np.ndarray:
        """The record, shape ``(1,)``."""


def render_rgb(game: Shown, seat: int | None = None) -> np.ndarray:
    """Draw the board as a picture.

    Args:
        game: The game.
        seat: Whose eyes we look through; it decides whose VP are shown where VP are hidden, and
            which faces of forests.

    Returns:
        Pixels, uint8, shape ``(height, 760, 3)``; the height depends on the rule set.
    """
    height = _table_height(game.rules) + game.rules.players * PLAYER_HEIGHT
    painter = _Painter(game.rules, game.state[0], seat, _Canvas(height, WIDTH))
    painter.table()
    for one in range(game.rules.players):
        painter.player(one)
    return painter.canvas.pixels


def _table_height(rules: RuleSet) -> int:
    """The height of what lies between the players: expansions need more shelves, and a strip."""
    if not rules.expansions:
        return TABLE_HEIGHT
    shelves = -(-int(np.count_nonzero(rules.table[0]["copies"])) // _SHELF)
    return TABLE_HEIGHT + (shelves - _SHELVES) * _SHELF_HEIGHT + _STRIP_HEIGHT


class _Canvas:
    """Pixels, and the few shapes that a board needs."""

    def __init__(self, height: int, width: int) -> None:
        self.pixels = np.empty((height, width, 3), dtype=np.uint8)
        self.pixels[:] = _PAPER

    def box(self, x: int, y: int, width: int, height: int, fill: Colour, edge: Colour) -> None:
        """Draw a filled rectangle with an edge one pixel wide."""
        self.pixels[y : y + height, x : x + width] = edge
        self.pixels[y + 1 : y + height - 1, x + 1 : x + width - 1] = fill

    def disc(self, x: int, y: int, radius: int, fill: Colour, edge: Colour) -> None:
        """Draw a filled circle around a point."""
        patch = self.pixels[y - radius : y + radius + 1, x - radius : x + radius + 1]
        rows, columns = np.ogrid[: patch.shape[0], : patch.shape[1]]
        distance = (rows - radius) ** 2 + (columns - radius) ** 2
        patch[distance <= radius * radius + 1] = edge
        patch[distance <= (radius - 1) * (radius - 1) + 1] = fill

    def text(self, x: int, y: int, words: object, colour: Colour = _INK) -> int:
        """Write capital letters and digits; returns where the next letter would stand."""
        for letter in str(words).upper():
            for row, bits in enumerate(_GLYPHS.get(letter, _GLYPHS["?"])):
                for column in range(_GLYPH_WIDTH):
                    if int(bits, 8) >> (_GLYPH_WIDTH - 1 - column) & 1:
                        top, left = y + row * _SCALE, x + column * _SCALE
                        self.pixels[top : top + _SCALE, left : left + _SCALE] = colour
            x += _STEP
        return x


class _Painter:
    """Draws one position."""

    def __init__(self, rules: RuleSet, state: Any, seat: int | None, canvas: _Canvas) -> None:
        self.rules, self.state, self.seat, self.canvas = rules, state, seat, canvas
        self.rules_table = rules.table[0]
        self.height = _table_height(rules)

    # -- what lies between the players -------------------------------------------------------------

    def table(self) -> None:
        """Draw head, roles, supplies, row, ships, house and the buildings for sale."""
        state, canvas = self.state, self.canvas
        head = f"round {state['round']}  {PHASES[state['phase']]}"
        if state["turn"] >= 0:
            head += f"  player {state['turn']} to act"
        x = canvas.text(10, 8, head)
        if state["end_reasons"]:
            canvas.text(x + 20, 8, "last round", _TURN)
        self._roles(26)
        x = self._counts(10, 70, state["goods_supply"])
        for label, count in (
            ("W", state["worker_supply"]),
            ("REG", state["register_workers"]),
            ("VP", state["vp_pool"]),
            ("Q", state["quarries"]),
        ):
            x = canvas.text(x + 14, 74, f"{label} {count}")
        self._row(98)
        self._ships(250, 98)
        self._house(596, 98)
        self._shop(128)
        if self.rules.expansions:
            self._strip(self.height - _STRIP_HEIGHT)

    def _roles(self, y: int) -> None:
        x = 10
        in_play = np.count_nonzero(self.rules_table["role_in_play"])
        step = _ROLE_STEP if in_play <= _ROLES_ABREAST else _NARROW_ROLE_STEP
        for role in range(len(ROLES)):
            owner = self.state["role_owner"][role]
            if owner == NOT_IN_PLAY:
                continue
            fill = _PANEL if owner == NOBODY else _FAINT
            edge = _TURN if role == self.state["role"] else _INK
            self.canvas.box(x, y, step - 6, 34, fill, edge)
            self.canvas.text(x + 6, y + 5, _ROLE_CODES[role])
            if owner != NOBODY:
                self.canvas.text(x + 6, y + 20, f"P{owner}", _TURN)
            captor = self.state["role_captor"][role]
            if captor != NOBODY:
                self.canvas.text(x + 32, y + 20, f"-P{captor}", _CITIZEN)
            coins = int(self.state["role_coins"][role])
            if coins:
                self._coins(x + 52, y + 11, coins)
            x += step

    def _strip(self, y: int) -> None:
        """Draw what expansions bring to the table: units, forests, smuggler, festival, hand."""
        state, modules, canvas = self.state, self.rules.expansions, self.canvas
        x = 10
        if "citizens" in modules:
            canvas.disc(x + 6, y + 10, 6, _CITIZEN, _WHITE)
            supply, register = state["citizen_supply"], state["register_citizens"]
            x = canvas.text(x + 18, y + 5, f"{supply} REG {register}") + 14
        if self.rules_table["forest_stack"]:
            canvas.box(x, y, 20, 20, _FOREST, _INK)
            x = canvas.text(x + 26, y + 5, state["forests"]) + 14
        if "smuggler" in modules:
            owner = state["smuggler_tile"]
            x = canvas.text(x, y + 5, f"SMG {'-' if owner == NOBODY else f'P{owner}'}") + 14
        if "festival" in modules:
            x = self._goals(x, y) + 14
        drawn = drawn_tile(state)
        if drawn != NOBODY:
            x = canvas.text(x, y + 5, "DRAWN ")
            is_seen = can_see_drawn(state, self.seat)
            canvas.box(x, y, 20, 20, _TILE_COLOURS[drawn] if is_seen else _PAPER, _INK)
            x += 34
        for place in range(state["hand_workers"] + state["hand_citizens"]):
            fill = _WORKER if place < state["hand_workers"] else _CITIZEN
            canvas.disc(x + 8 + 16 * place, y + 10, 6, fill, _WHITE)

    def _goals(self, x: int, y: int) -> int:
        """Draw the goals of the festival that nobody has met; returns where they end."""
        x = self.canvas.text(x, y + 5, "FEST ")
        if self.state["festival_estate"] != NOBODY:
            estate = self.state["festival_estate"]
            self.canvas.box(x, y, 20, 20, _TILE_COLOURS[estate], _INK)
            x = self.canvas.text(x + 24, y + 5, "X3 ")
        for good in range(NUM_GOODS):
            for _ in range(self.state["festival_goods"][good]):
                self.canvas.box(x, y + 1, 16, 18, _TILE_COLOURS[good], _INK)
                x += 19
        if self.state["festival_building"] != NOBODY:
            x = self.canvas.text(x + 8, y + 5, BUILDING_CODES[self.state["festival_building"]])
        return x

    def _coins(self, x: int, y: int, coins: int) -> None:
        self.canvas.disc(x, y, 6, _COIN, _INK)
        self.canvas.text(x + 10, y - 5, coins)

    def _counts(self, x: int, y: int, counts: Iterable[int]) -> int:
        """Draw a barrel of each good with its number."""
        for good, count in enumerate(counts):
            self.canvas.box(x, y, 16, 18, _TILE_COLOURS[good], _INK)
            x = self.canvas.text(x + 20, y + 4, f"{count:<2}") + 6
        return x

    def _row(self, y: int) -> None:
        x = 10
        for kind in range(NUM_GOODS):
            for _ in range(self.state["row"][kind]):
                self.canvas.box(x, y, 22, 22, _TILE_COLOURS[kind], _INK)
                x += 25
        self.canvas.text(x + 4, y, f"D {self.state['deck_size']}")
        self.canvas.text(x + 4, y + 13, f"X {self.state['discard'].sum()}")

    def _ships(self, x: int, y: int) -> None:
        for ship in range(int(self.rules_table["num_ships"])):
            good, load = int(self.state["ship_good"][ship]), int(self.state["ship_load"][ship])
            for place in range(int(self.rules_table["ship_size"][ship])):
                fill = _TILE_COLOURS[good] if place < load else _WHITE
                self.canvas.box(x, y, 14, 22, fill, _INK)
                x += 14
            x += 12

    def _house(self, x: int, y: int) -> None:
        barrels = [kind for kind in range(NUM_GOODS) for _ in range(self.state["house"][kind])]
        for place in range(max(HOUSE_SLOTS, len(barrels))):
            fill = _TILE_COLOURS[barrels[place]] if place < len(barrels) else _WHITE
            self.canvas.disc(x + 12 + 28 * place, y + 11, 11, fill, _INK)

    def _shop(self, y: int) -> None:
        left, drafted = self.state["building_supply"], self.rules_table["draft_pool"]
        is_open = (drafted == 0) | (self.state["board"] > 0) | (self.state["phase"] == Phase.DRAFT)
        shelf = np.flatnonzero(self.rules_table["copies"] * is_open).tolist()
        for place, number in enumerate(shelf):
            x = 10 + 62 * (place % _SHELF)
            top = y + _SHELF_HEIGHT * (place // _SHELF)
            fill = self._class_colour(number) if left[number] > 0 else _PAPER
            self.canvas.box(x, top, 58, 28, fill, _INK if left[number] > 0 else _FAINT)
            ink = _INK if left[number] > 0 else _FAINT
            self.canvas.text(x + 4, top + 3, BUILDING_CODES[number], ink)
            self.canvas.text(x + 34, top + 3, f"{self.rules_table['cost'][number]:>2}", ink)
            self.canvas.text(x + 4, top + 16, f"X{left[number]}", ink)

    def _class_colour(self, number: int) -> Colour:
        return _CLASS_COLOURS[BuildingClass(int(self.rules_table["building_class"][number]))]

    # -- a player ----------------------------------------------------------------------------------

    def player(self, seat: int) -> None:
        """Draw what a player has: purse, barrels, island and city."""
        state, canvas = self.state, self.canvas
        sees_vp = can_see_vp(self.rules, state, self.seat, seat)
        top = self.height + seat * PLAYER_HEIGHT
        is_turn = seat == state["turn"]
        canvas.box(4, top, WIDTH - 8, PLAYER_HEIGHT - 6, _PANEL, _TURN if is_turn else _FAINT)
        x = canvas.text(12, top + 8, f"P{seat}", _TURN if is_turn else _INK)
        if seat == state["governor"]:
            x = canvas.text(x + 8, top + 8, "GOV")
        self._coins(18, top + 34, int(state["coins"][seat]))
        canvas.text(62, top + 29, f"VP {state['vp'][seat] if sees_vp else '?'}")
        x = canvas.text(12, top + 48, f"HAND {state['portrait_workers'][seat]}")
        if state["portrait_citizens"][seat]:
            canvas.text(x, top + 48, f" +{state['portrait_citizens'][seat]}", _CITIZEN)
        self._counts(12, top + 70, state["goods"][seat])
        self._island(seat, 236, top + 10)
        self._city(seat, 420, top + 10)

    def _island(self, seat: int, x: int, y: int) -> None:
        """Draw the tiles by kind, then the forests."""
        tiles, forests = self.state["tiles"][seat], int(self.state["own_forests"][seat])
        kinds = [
            (_TILE_COLOURS[kind], self._unit(seat, kind, place))
            for kind in range(NUM_TILES)
            for place in range(tiles[kind])
        ]
        for place in range(max(ISLAND_SPACES, len(kinds) + forests)):
            left, top = x + 28 * (place % _ACROSS), y + 28 * (place // _ACROSS)
            if place >= len(kinds):
                self.canvas.box(left, top, 26, 26, _PAPER, _FAINT)
                continue
            fill, unit = kinds[place]
            self.canvas.box(left, top, 26, 26, fill, _INK)
            self.canvas.disc(left + 13, top + 13, 6, unit, _WHITE)
        self._forests(seat, x, y, len(kinds))

    def _forests(self, seat: int, x: int, y: int, first: int) -> None:
        """Draw forests with the faces that may be seen; those only the owner knows, edged white."""
        public, own = forest_faces(self.state, self.seat, seat)
        faces = [
            (kind, edge)
            for counts, edge in ((public, _INK), (own, _WHITE))
            for kind in range(NUM_GOODS)
            for _ in range(counts[kind])
        ]
        for place in range(int(self.state["own_forests"][seat])):
            left, top = x + 28 * ((first + place) % _ACROSS), y + 28 * ((first + place) // _ACROSS)
            self.canvas.box(left, top, 26, 26, _FOREST, _INK)
            if place < len(faces):
                kind, edge = faces[place]
                self.canvas.box(left + 9, top + 9, 8, 8, _TILE_COLOURS[kind], edge)

    def _unit(self, seat: int, spot: int, circle: int) -> Colour:
        """The colour of a circle: workers stand on the first ones, then citizens."""
        workers, citizens = self.state["workers"][seat, spot], self.state["citizens"][seat, spot]
        if circle < workers:
            return _WORKER
        return _CITIZEN if circle < workers + citizens else _PAPER

    def _city(self, seat: int, x: int, y: int) -> None:
        """Draw the buildings by number; a large one fills two spaces."""
        place = 0
        for number in range(len(BUILDING_CODES)):
            spot = NUM_TILES + number
            if not self.state["tiles"][seat, spot]:
                continue
            spaces = int(self.rules_table["spaces"][number])
            if place % _ACROSS + spaces > _ACROSS:
                self._building_site(x, y, place)
                place += 1
            left, top = x + 54 * (place % _ACROSS), y + 40 * (place // _ACROSS)
            self.canvas.box(left, top, 54 * spaces - 2, 38, self._class_colour(number), _INK)
            self.canvas.text(left + 5, top + 5, BUILDING_CODES[number])
            for circle in range(int(self.rules_table["circles"][spot])):
                fill = self._unit(seat, spot, circle)
                self.canvas.disc(left + 11 + 14 * circle, top + 26, 6, fill, _WHITE)
            place += spaces
        for empty in range(place, CITY_SPACES):
            self._building_site(x, y, empty)

    def _building_site(self, x: int, y: int, place: int) -> None:
        self.canvas.box(
            x + 54 * (place % _ACROSS), y + 40 * (place // _ACROSS), 52, 38, _PAPER, _FAINT
        )
