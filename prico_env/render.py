"""The board for people: as text for a terminal, and (from `picture`) as an array of pixels.

A position is shown as a seat may see it, in the words of the edition in play.
"""

import io
from collections.abc import Iterable
from typing import Any, Final

from prico_env.catalog import load
from prico_env.notation.boards import LABELS, can_see_vp
from prico_env.notation.words import printed
from prico_env.picture import Shown, render_rgb
from prico_env.ruleset import RuleSet
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
)

__all__ = ["render_rgb", "render_text"]

# -- text ------------------------------------------------------------------------------------------

_WIDTH: Final = 100
_LABEL_WIDTH: Final = 14
_GOOD_STYLES: Final = {
    "corn": "bold yellow",
    "indigo": "bold blue",
    "sugar": "bold bright_white",
    "tobacco": "bold orange3",
    "coffee": "bold rgb(160,110,70)",
    "quarry": "bold bright_black",
}
_CLASS_STYLES: Final = {
    BuildingClass.SMALL_PRODUCTION: "cyan",
    BuildingClass.LARGE_PRODUCTION: "cyan",
    BuildingClass.SMALL_COMMERCIAL: "magenta",
    BuildingClass.LARGE_COMMERCIAL: "bold magenta",
}
_FULL, _FREE = "●", "○"

Piece = tuple[str, str]
"""A bit of text and its style, which is a style of rich or empty."""


def render_text(game: Shown, seat: int | None = None, colour: bool = False) -> str:
    """Draw the board as text, about 100 columns wide.

    Args:
        game: The game.
        seat: Whose eyes we look through; it decides whose VP are shown where VP are hidden.
        colour: Whether to colour the text with ANSI escape codes.

    Returns:
        Several lines, without a line end after the last.
    """
    lines = _TextBoard(game.rules, game.state[0], seat).lines()
    if colour:
        return _coloured(lines)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def _coloured(lines: Iterable[list[Piece]]) -> str:
    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=io.StringIO(),
        force_terminal=True,
        color_system="256",
        width=2 * _WIDTH,
        legacy_windows=False,
    )
    with console.capture() as capture:
        for line in lines:
            console.print(Text.assemble(*line), soft_wrap=True, highlight=False)
    return capture.get().rstrip("\n")


class _TextBoard:
    """Draws one position as lines of styled pieces."""

    def __init__(self, rules: RuleSet, state: Any, seat: int | None) -> None:
        self.rules, self.state, self.seat = rules, state, seat
        self.table = rules.table[0]
        self.catalog = load(rules.edition)
        self.terms = self.catalog.terms
        self.labels = LABELS[self.catalog.language]

    def lines(self) -> list[list[Piece]]:
        """The head, the table and the boards, clockwise from the seat that looks on."""
        first = self.seat or 0
        lines = [*self._head(), *self._table()]
        for turn in range(self.rules.players):
            lines += self._player((first + turn) % self.rules.players)
        return lines

    # -- the table ---------------------------------------------------------------------------------

    def _head(self) -> list[list[Piece]]:
        state = self.state
        phase = _capital(self.catalog.phase_names[PHASES[state["phase"]]])
        words = [
            f"{self.rules.edition} · {self.rules.players} {self.labels['players']}",
            f"{self.labels['round']} {state['round']}",
            phase,
        ]
        if state["turn"] >= 0:
            words.append(f"{self.labels['player']} {state['turn']} {self.labels['to_act']}")
        head: list[Piece] = [(" · ".join(words), "bold")]
        if state["end_reasons"]:
            head.append((f" · {self.labels['last_round']}", "bold red"))
        return [head, [("═" * _WIDTH, "dim")]]

    def _table(self) -> list[list[Piece]]:
        state, terms, labels = self.state, self.terms, self.labels
        supply: list[Piece] = [
            (f"{state['worker_supply']} {terms['workers']}", ""),
            (f" · {terms['register']} {state['register_workers']}", ""),
            (f" · {state['vp_pool']} {terms['vp']}", ""),
            (f" · {state['quarries']} {terms['quarries']}", ""),
        ]
        tiles = self._goods(state["row"])
        tiles.append((f"   {terms['deck']} {state['deck_size']}", "dim"))
        tiles.append((f" · {terms['discard']} {state['discard'].sum()}", "dim"))
        ships = self._ships()
        house = int(state["house"].sum())
        ships.append((f"    {_capital(labels['house'])} ", "dim"))
        ships += self._goods(state["house"]) if house else []
        ships.append((f" {_FREE * (HOUSE_SLOTS - house)}", "dim"))
        return [
            *_wrapped(_capital(labels["roles"]), self._roles()),
            _labelled(_capital(labels["supply"]), supply),
            _labelled(_capital(terms["goods"]), self._goods(state["goods_supply"])),
            _labelled(_capital(terms["plantations"]), tiles),
            _labelled(_capital(labels["ships"]), ships),
            *_wrapped(_capital(self.labels["shop"]), self._shop()),
        ]

    def _roles(self) -> Iterable[list[Piece]]:
        state = self.state
        for role, name in enumerate(ROLES):
            owner, coins = state["role_owner"][role], state["role_coins"][role]
            if owner == NOT_IN_PLAY:
                continue
            taken = owner != NOBODY
            style = "dim" if taken else "bold"
            if taken and role == state["role"]:
                style = "bold green"
            card: list[Piece] = [(_capital(printed(self.rules.edition, name)), style)]
            if coins:
                card.append((f" +{coins}", "yellow"))
            if taken:
                card.append((f" ({self.labels['player'][0].upper()}{owner})", style))
            yield card

    def _ships(self) -> list[Piece]:
        pieces: list[Piece] = []
        for ship in range(int(self.table["num_ships"])):
            size, load = int(self.table["ship_size"][ship]), int(self.state["ship_load"][ship])
            good = int(self.state["ship_good"][ship])
            style = _GOOD_STYLES[GOODS[good]] if good != NOBODY else ""
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
            entry: list[Piece] = [] if cost[number] == price else [(f"{cost[number]}: ", "yellow")]
            price = cost[number]
            name = _capital(self._word(BUILDINGS[number]))
            copies = f" ×{left[number]}" if left[number] > 1 else ""
            building = BuildingClass(int(self.table["building_class"][number]))
            yield [*entry, (f"{name}{copies}", _CLASS_STYLES[building])]

    # -- the players -------------------------------------------------------------------------------

    def _player(self, seat: int) -> list[list[Piece]]:
        state, terms = self.state, self.terms
        is_turn = seat == state["turn"]
        name = f"{_capital(self.labels['player'])} {seat}"
        notes = [terms["governor"]] if seat == state["governor"] else []
        notes += [self.labels["you"]] if seat == self.seat else []
        if notes:
            name += f" ({', '.join(notes)})"
        seen = can_see_vp(self.rules, state, self.seat, seat)
        vp = state["vp"][seat] if seen else "?"
        head: list[Piece] = [
            ("▶ " if is_turn else "  ", "bold green"),
            (f"{name:<28}", "bold green" if is_turn else "bold"),
            (f"{state['coins'][seat]} {_plural(terms, 'coin', state['coins'][seat])}", "yellow"),
            (f" · {vp} {terms['vp']} · ", ""),
            *self._goods(state["goods"][seat]),
        ]
        in_hand = state["portrait_workers"][seat]
        if in_hand:
            head.append((f" · {in_hand} {_plural(terms, 'worker', in_hand)}", ""))
            head.append((f" ({terms['portrait']})", "dim"))
        used, built = state["island_used"][seat], state["city_used"][seat]
        return [
            [("─" * _WIDTH, "dim")],
            head,
            *_wrapped(
                f"  {_capital(terms['island'])}", self._island(seat), f"{used}/{ISLAND_SPACES}"
            ),
            *_wrapped(f"  {_capital(terms['city'])}", self._city(seat), f"{built}/{CITY_SPACES}"),
        ]

    def _island(self, seat: int) -> Iterable[list[Piece]]:
        tiles, workers = self.state["tiles"][seat], self.state["workers"][seat]
        for kind, name in enumerate(TILES):
            if tiles[kind]:
                circles = _FULL * workers[kind] + _FREE * (tiles[kind] - workers[kind])
                yield [(_capital(self._word(name)), _GOOD_STYLES[name]), (f" {circles}", "")]

    def _city(self, seat: int) -> Iterable[list[Piece]]:
        tiles, workers = self.state["tiles"][seat], self.state["workers"][seat]
        for spot in range(NUM_TILES, len(SPOTS)):
            if tiles[spot]:
                building = BuildingClass(int(self.table["building_class"][spot - NUM_TILES]))
                free = int(self.table["circles"][spot]) - workers[spot]
                name = _capital(self._word(SPOTS[spot]))
                circles = f" {_FULL * workers[spot]}{_FREE * free}"
                yield [(name, _CLASS_STYLES[building]), (circles, "")]

    # -- words -------------------------------------------------------------------------------------

    def _goods(self, counts: Any) -> list[Piece]:
        pieces: list[Piece] = []
        for good, count in zip(GOODS, counts, strict=True):
            if count:
                gap = "  " if pieces else ""
                pieces.append((f"{gap}{count} {self._word(good)}", _GOOD_STYLES[good]))
        return pieces or [(self.labels["nothing"], "dim")]

    def _word(self, engine_name: str) -> str:
        return printed(self.rules.edition, engine_name)


def _labelled(label: str, pieces: list[Piece]) -> list[Piece]:
    return [(f"{label:<{_LABEL_WIDTH}} ", "dim"), *pieces]


def _wrapped(label: str, entries: Iterable[list[Piece]], last: str = "") -> list[list[Piece]]:
    """Lay entries out side by side, on as many lines as they need."""
    line = _labelled(label, [])
    lines = [line]
    width = len(line[0][0])
    for entry in [*entries, [(last, "dim")]] if last else entries:
        size = sum(len(text) for text, _ in entry)
        if width + size > _WIDTH and len(line) > 1:
            line = _labelled("", [])
            lines.append(line)
            width = len(line[0][0])
        line += [*entry, ("   ", "")]
        width += size + 3
    return lines


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _plural(terms: Any, word: str, count: int) -> str:
    return str(terms[word if count == 1 else f"{word}s"])
