"""The board as text for a terminal.

A position is shown as a seat may see it, in the words of the edition in play.
"""

import io
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

from prico_env.arguments import flag, one_of, whole
from prico_env.render import terminal_colours as colours
from prico_env.render.drawable import Drawable, check_names, check_view
from prico_env.ruleset import RuleSet
from prico_env.streams import accept_any_text
from prico_env.text.localization import edition_words, language_of
from prico_env.text.position import (
    can_see_drawn,
    can_see_vp,
    describe_forests,
    describe_goals,
    describe_slots,
    drawn_tile,
    vp_left,
)
from prico_env.text.seats import given_name, named_seats, seat_name
from prico_env.text.terms import capital, count_of, printed
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    NOBODY,
    NOT_IN_PLAY,
    NUM_TILES,
    PHASES,
    ROLES,
    SPOTS,
    TILES,
    BuildingClass,
    Phase,
)

DETAILS: Final = ("full", "short", "players")
"""How much of a board is shown."""
WIDTH: Final = 100
"""Columns of the board, where nobody asks for fewer."""
_WIDEST: Final = 10_000
_LABEL_WIDTH: Final = 14
_SHORT_NAME: Final = 10
"""Characters of a name where there is little room."""
_CLASS_STYLES: Final = {
    BuildingClass.SMALL_PRODUCTION: colours.CROPS,
    BuildingClass.LARGE_PRODUCTION: colours.CROPS,
    BuildingClass.SMALL_COMMERCIAL: colours.TRADE,
    BuildingClass.LARGE_COMMERCIAL: f"bold {colours.TRADE}",
}
_FULL, _CITIZEN, _FREE = "●", "◆", "○"

Piece = tuple[str, str]
"""A bit of text and its style, which is a style of rich or empty."""


def render_text(
    game: Drawable,
    seat: int | None = None,
    colour: bool = False,
    width: int = WIDTH,
    names: Sequence[str] | None = None,
    detail: str = "full",
) -> str:
    """Draw the board as text, about 100 columns wide or as wide as is asked for.

    Args:
        game: The game.
        seat: The seat whose view is drawn; it decides whose VP are shown where VP are hidden, and
            which kinds of forests.
        colour: Whether to colour the text with ANSI escape codes.
        width: Columns; a few lines may need about 80.
        names: Who sits at each seat; seats are numbered when left out.
        detail: ``"full"``; ``"short"`` for 8 to 20 lines, without the buildings for sale and with
            a line for each of the others; or ``"players"``, which also leaves out what lies
            between the players.

    Returns:
        Several lines, without a line end after the last.

    Raises:
        PricoError: There is no such seat or detail, or not a name for each.
    """
    one_of(detail, DETAILS, "detail")
    seat, width = check_view(game, seat), whole(width, "the width of a board", 1, _WIDEST)
    with named_seats(check_names(game, names)):
        board = _TextBoard(game.rules, game.state[0], seat, width)
        lines = board.lines() if detail == "full" else board.short_lines(detail == "short")
    if flag(colour, "colour"):
        return _coloured(lines)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def render_ansi(game: Drawable, seat: int | None = None) -> str:
    """Draw the board as text, in colours where the output is a terminal that knows their codes."""
    return render_text(game, seat, colour=_has_colours())


def print_text(game: Drawable, seat: int | None = None) -> None:
    """Print the board as text, whatever the encoding of the terminal."""
    accept_any_text()
    sys.stdout.write(render_ansi(game, seat) + "\n")


def _has_colours() -> bool:
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return False
    from rich.console import detect_legacy_windows

    return not detect_legacy_windows()


def _coloured(lines: Iterable[list[Piece]]) -> str:
    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=io.StringIO(),
        force_terminal=True,
        color_system="256",
        width=2 * WIDTH,
        legacy_windows=False,
    )
    with console.capture() as capture:
        for line in lines:
            console.print(Text.assemble(*line), soft_wrap=True, highlight=False)
    return capture.get().rstrip("\n")


class _TextBoard:
    """Draws one position as lines of styled pieces."""

    def __init__(self, rules: RuleSet, state: Any, seat: int | None, width: int) -> None:
        self.rules, self.state, self.seat, self.width = rules, state, seat, width
        self.table = rules.table[0]
        self.catalog = edition_words(rules.edition)
        self.terms = self.catalog.terms
        self.labels = language_of(rules.edition).labels

    def lines(self) -> list[list[Piece]]:
        """The head, the table and the boards, clockwise from the seat that looks on."""
        first = self.seat or 0
        lines = [*self._head(), *self._table()]
        for turn in range(self.rules.players):
            lines += self._player((first + turn) % self.rules.players)
        return lines

    def short_lines(self, has_table: bool) -> list[list[Piece]]:
        """The head, the table in short, the board of who looks on, and a line for each other."""
        lines = [self._head()[0], *(self._short_table() if has_table else [])]
        first, players = self.seat or 0, self.rules.players
        order = [(first + turn) % players for turn in range(players)]
        if self.seat is not None:
            lines += self._player(order.pop(0))[1:]
        return [*lines, *map(self._player_in_short, order)]

    # -- the table ---------------------------------------------------------------------------------

    def _short_table(self) -> list[list[Piece]]:
        state, terms, labels = self.state, self.terms, self.labels
        deck = [(f"{terms['deck']} {state['deck_size']}", "dim")]
        return [
            *self._wrapped(capital(labels["roles"]), self._roles()),
            *self._said(capital(labels["supply"]), self._supply()),
            _labelled(capital(terms["goods"]), self._goods(state["goods_supply"])),
            *self._wrapped(capital(terms["plantations"]), [self._goods(state["row"]), deck]),
            *self._ships_and_house(),
            *self._expansions(),
        ]

    def _head(self) -> list[list[Piece]]:
        state = self.state
        phase = capital(self.catalog.phase_names[PHASES[state["phase"]]])
        words = [
            f"{self.rules.edition} · {self.rules.players} {self.labels['players']}",
            f"{self.labels['round']} {state['round']}",
            phase,
        ]
        if state["turn"] >= 0:
            turn = seat_name(self.rules.edition, state["turn"])
            words.append(f"{turn} {self.labels['to_act']}")
        head: list[Piece] = [(" · ".join(words), "bold")]
        if state["end_reasons"]:
            head.append((f" · {self.labels['last_round']}", colours.ENDING))
        return [head, [("═" * self.width, "dim")]]

    def _table(self) -> list[list[Piece]]:
        state, terms, labels = self.state, self.terms, self.labels
        deck = f"{terms['deck']} {state['deck_size']}"
        discard = f"{terms['discard']} {state['discard'].sum()}"
        tiles = [self._goods(state["row"]), [(f"{deck} · {discard}", "dim")]]
        return [
            *self._wrapped(capital(labels["roles"]), self._roles()),
            *self._said(capital(labels["supply"]), self._supply()),
            _labelled(capital(terms["goods"]), self._goods(state["goods_supply"])),
            *self._wrapped(capital(terms["plantations"]), tiles),
            *self._ships_and_house(),
            *self._wrapped(capital(self.labels["shop"]), self._shop()),
            *self._expansions(),
        ]

    def _supply(self) -> Iterable[str]:
        state, terms = self.state, self.terms
        has_citizens = "citizens" in self.rules.expansions
        yield f"{state['worker_supply']} {terms['workers']}"
        if has_citizens:
            yield f"{state['citizen_supply']} {terms['citizens']}"
        register = f"{terms['register']} {state['register_workers']}"
        if has_citizens:
            citizens = state["register_citizens"]
            register += f" + {count_of(terms, 'citizen', citizens)}"
        yield register
        yield f"{vp_left(state)} {terms['vp']}"
        yield f"{state['quarries']} {terms['quarries']}"
        if self.table["forest_source_is_own_stack_12"]:
            yield f"{state['forests']} {terms['forests']}"

    def _expansions(self) -> Iterable[list[Piece]]:
        """What expansions bring to the table: the draft, tile, goals, what is in hand."""
        state, labels, modules = self.state, self.labels, self.rules.expansions
        if state["phase"] == Phase.DRAFT:
            slots = describe_slots(self.rules, state)
            yield from self._wrapped(capital(labels["draft"]), ([(slot, "")] for slot in slots))
        if "smuggler" in modules:
            owner = state["smuggler_tile"]
            nobody = owner == NOBODY
            holder = labels["nobody"] if nobody else seat_name(self.rules.edition, owner)
            name = capital(self._word("smuggler"))
            yield _labelled(name, [(f"{labels['tile']}{labels['colon']}", "dim"), (holder, "")])
        if "festival" in modules:
            goals = describe_goals(self.rules, state) or [labels["nothing"]]
            yield from self._said(capital(labels["festival"]), goals)
        drawn = drawn_tile(state)
        if drawn != NOBODY and can_see_drawn(state, self.seat):
            tile = (self._word(GOODS[drawn]), colours.GOODS[GOODS[drawn]])
            yield _labelled(capital(labels["drawn"]), [tile])
        elif drawn != NOBODY:
            yield _labelled(capital(labels["drawn"]), [(labels["hidden"], "dim")])
        if state["hand_workers"] or state["hand_citizens"]:
            units = self._units(state["hand_workers"], state["hand_citizens"])
            yield _labelled(capital(labels["hand"]), [(units, "")])

    def _roles(self) -> Iterable[list[Piece]]:
        state = self.state
        for role, name in enumerate(ROLES):
            owner, coins = state["role_owner"][role], state["role_coins"][role]
            if owner == NOT_IN_PLAY:
                continue
            taken = owner != NOBODY
            style = "dim" if taken else "bold"
            if taken and role == state["role"]:
                style = colours.TURN
            card: list[Piece] = [(capital(printed(self.rules.edition, name)), style)]
            if coins:
                card.append((f" +{coins}", colours.MONEY))
            if taken:
                card.append((f" ({self._short_name(owner)})", style))
            captor = state["role_captor"][role]
            if captor != NOBODY:
                words = f" ({self.labels['captured']} {self._short_name(captor)})"
                card.append((words, colours.TRADE))
            yield card

    def _short_name(self, seat: int) -> str:
        if name := given_name(seat):
            return name if len(name) <= _SHORT_NAME else f"{name[: _SHORT_NAME - 1]}…"
        return f"{self.labels['player'][0].upper()}{seat}"

    def _ships_and_house(self) -> list[list[Piece]]:
        """The cargo ships and the trading house, side by side where they fit."""
        barrels = int(self.state["house"].sum())
        house = self._goods(self.state["house"]) if barrels else []
        house.append((f" {_FREE * (HOUSE_SLOTS - barrels)}", "dim"))
        name = capital(self.labels["house"])
        ships = _labelled(capital(self.labels["ships"]), self._ships())
        together = [*ships, (f"    {name} ", "dim"), *house]
        if sum(len(text) for text, _ in together) <= self.width:
            return [together]
        return [ships, _labelled(name, house)]

    def _ships(self) -> list[Piece]:
        pieces: list[Piece] = []
        for ship in range(int(self.table["num_ships"])):
            size, load = int(self.table["ship_size"][ship]), int(self.state["ship_load"][ship])
            good = int(self.state["ship_good"][ship])
            style = colours.GOODS[GOODS[good]] if good != NOBODY else ""
            pieces += [
                ("[", "dim"),
                ("■" * load, style),
                ("·" * (size - load), "dim"),
                ("]", "dim"),
            ]
            if good != NOBODY:
                pieces.append((f" {self._word(GOODS[good])}", style))
            pieces.append(("  ", ""))
        return pieces

    def _shop(self) -> Iterable[list[Piece]]:
        """The buildings left, by price; a price stands before the first of its buildings."""
        left, cost = self.state["building_supply"], self.table["cost"]
        price = NOBODY
        for number in sorted(range(len(BUILDINGS)), key=lambda building: cost[building]):
            if left[number] == 0:
                continue
            entry: list[Piece] = (
                []
                if cost[number] == price
                else [(f"{cost[number]}{self.labels['colon']}", colours.MONEY)]
            )
            price = cost[number]
            copies = f" ×{left[number]}" if left[number] > 1 else ""
            name, style = self._building(number)
            yield [*entry, (f"{name}{copies}", style)]

    def _building(self, number: int) -> Piece:
        building = BuildingClass(int(self.table["building_class"][number]))
        return capital(self._word(BUILDINGS[number])), _CLASS_STYLES[building]

    # -- the players -------------------------------------------------------------------------------

    def _player(self, seat: int) -> list[list[Piece]]:
        state, terms = self.state, self.terms
        is_turn = seat == state["turn"]
        name = seat_name(self.rules.edition, seat, begins=True)
        notes = [terms["governor"]] if seat == state["governor"] else []
        notes += [self.labels["you"]] if seat == self.seat and name != self.labels["you"] else []
        if notes:
            name += f" ({', '.join(notes)})"
        seen = can_see_vp(self.rules, state, self.seat, seat)
        vp = state["vp"][seat] if seen else "?"
        head: list[Piece] = [
            ("▶ " if is_turn else "  ", colours.TURN),
            (f"{name:<28}", colours.TURN if is_turn else "bold"),
            (count_of(terms, "coin", state["coins"][seat]), colours.MONEY),
            (f" · {vp} {terms['vp']} · ", ""),
            *self._goods(state["goods"][seat]),
        ]
        units = self._units(state["portrait_workers"][seat], state["portrait_citizens"][seat])
        portrait: list[list[Piece]] = []
        if units and "citizens" in self.rules.expansions:  # with barrels this may be a long line
            portrait = [_labelled(f"  {capital(terms['portrait'])}", [(units, "")])]
        elif units:
            head += [(f" · {units}", ""), (f" ({terms['portrait']})", "dim")]
        used, built = state["island_used"][seat], state["city_used"][seat]
        return [
            [("─" * self.width, "dim")],
            head,
            *portrait,
            *self._wrapped(
                f"  {capital(terms['island'])}", self._island(seat), f"{used}/{ISLAND_SPACES}"
            ),
            *self._wrapped(
                f"  {capital(terms['city'])}", self._city(seat), f"{built}/{CITY_SPACES}"
            ),
        ]

    def _player_in_short(self, seat: int) -> list[Piece]:
        """A player in a line: what they have, and as many of their buildings as have room."""
        state, terms = self.state, self.terms
        is_turn = seat == state["turn"]
        name = seat_name(self.rules.edition, seat, begins=True)
        if seat == state["governor"]:
            name += f" ({terms['governor']})"
        vp = state["vp"][seat] if can_see_vp(self.rules, state, self.seat, seat) else "?"
        line: list[Piece] = [
            ("▶ " if is_turn else "  ", colours.TURN),
            (f"{name:<18} ", colours.TURN if is_turn else "bold"),
            (count_of(terms, "coin", state["coins"][seat]), colours.MONEY),
            (f" · {vp} {terms['vp']} · ", ""),
            *self._goods(state["goods"][seat]),
            (f" · {terms['island']} {state['island_used'][seat]}/{ISLAND_SPACES}", "dim"),
            (f" · {terms['city']} {state['city_used'][seat]}/{CITY_SPACES}", "dim"),
        ]
        for place, building in enumerate(self._city(seat)):
            line += [("  " if place else ": ", "dim"), *building]
        return _clipped(line, self.width)

    def _island(self, seat: int) -> Iterable[list[Piece]]:
        tiles = self.state["owned"][seat]
        for kind, name in enumerate(TILES):
            if tiles[kind]:
                circles = self._circles(seat, kind, tiles[kind])
                yield [(capital(self._word(name)), colours.GOODS[name]), (circles, "")]
        if self.state["own_forests"][seat]:
            text = describe_forests(self.rules, self.state, self.seat, seat)
            yield [(capital(text), colours.FOREST)]

    def _city(self, seat: int) -> Iterable[list[Piece]]:
        tiles = self.state["owned"][seat]
        for spot in range(NUM_TILES, len(SPOTS)):
            if tiles[spot]:
                circles = self._circles(seat, spot, self.table["circles"][spot])
                yield [self._building(spot - NUM_TILES), (circles, "")]

    def _circles(self, seat: int, spot: int, circles: int) -> str:
        workers, citizens = self.state["workers"][seat, spot], self.state["citizens"][seat, spot]
        free = circles - workers - citizens
        return f" {_FULL * workers}{_CITIZEN * citizens}{_FREE * free}"

    def _said(self, label: str, parts: Iterable[str]) -> list[list[Piece]]:
        """A list behind a label, on as many lines as it needs; no part of it is broken."""
        lines = [""]
        for part in parts:
            longer = f"{lines[-1]} · {part}" if lines[-1] else part
            if lines[-1] and len(longer) > self.width - _LABEL_WIDTH - 1:
                lines.append(part)
            else:
                lines[-1] = longer
        return [_labelled("" if row else label, [(line, "")]) for row, line in enumerate(lines)]

    def _wrapped(
        self, label: str, entries: Iterable[list[Piece]], last: str = ""
    ) -> list[list[Piece]]:
        """Lay entries out side by side, on as many lines as they need."""
        line = _labelled(label, [])
        lines = [line]
        width = len(line[0][0])
        for entry in [*entries, [(last, "dim")]] if last else entries:
            size = sum(len(text) for text, _ in entry)
            if width + size > self.width and len(line) > 1:
                line = _labelled("", [])
                lines.append(line)
                width = len(line[0][0])
            line += [*entry, ("   ", "")]
            width += size + 3
        return lines

    # -- words -------------------------------------------------------------------------------------

    def _goods(self, counts: Any) -> list[Piece]:
        pieces: list[Piece] = []
        for good, count in zip(GOODS, counts, strict=True):
            if count:
                gap = "  " if pieces else ""
                pieces.append((f"{gap}{count} {self._word(good)}", colours.GOODS[good]))
        return pieces or [(self.labels["nothing"], "dim")]

    def _units(self, workers: int, citizens: int) -> str:
        """So many workers and citizens; a kind of which there is none is left out."""
        counts = (("worker", workers), ("citizen", citizens))
        return ", ".join(count_of(self.terms, unit, count) for unit, count in counts if count)

    def _word(self, engine_name: str) -> str:
        return printed(self.rules.edition, engine_name)


def _clipped(line: list[Piece], width: int) -> list[Piece]:
    """A line cut where the terminal ends; an ellipsis says so."""
    if sum(len(text) for text, _ in line) <= width:
        return line
    room, kept = width - 1, []
    for text, style in line:
        kept.append((text[:room], style))
        room -= len(text)
        if room <= 0:
            break
    return [*kept, ("…", "dim")]


def _labelled(label: str, pieces: list[Piece]) -> list[Piece]:
    return [(f"{label:<{_LABEL_WIDTH}} ", "dim"), *pieces]
