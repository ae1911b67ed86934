"""A position as compact text: everything a seat may know, nothing that it may not.

For logs, transcripts and players who read words rather than numbers. `render` draws the board.
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_env.catalog import load
from prico_env.notation.words import printed
from prico_env.ruleset import RuleSet
from prico_env.state import State
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    ISLAND_SPACES,
    NOBODY,
    NOT_IN_PLAY,
    NUM_TILES,
    PHASES,
    ROLES,
    SPOTS,
    Phase,
    Point,
)

LABELS: Final = {
    "en": {
        "round": "round", "player": "player", "players": "players", "to_act": "to act",
        "roles": "roles", "supply": "supply", "ships": "ships", "house": "trading house",
        "buildings": "buildings left", "shop": "for sale", "empty": "empty", "hidden": "hidden",
        "unseen": "by kind", "you": "you", "last_round": "last round", "nothing": "nothing",
        "board": "buildings in the game", "draft": "to choose",
        "cost": "cost", "smuggler": "smuggler tile", "tile": "tile",
        "captured": "captured by", "festival": "festival", "nobody": "nobody",
        "hand": "in hand", "drawn": "drawn",
    },
    "de": {
        "round": "Runde", "player": "Spieler", "players": "Spieler", "to_act": "am Zug",
        "roles": "Rollen", "supply": "Vorrat", "ships": "Schiffe", "house": "Handelshaus",
        "buildings": "Gebäude im Vorrat", "shop": "zu kaufen", "empty": "leer",
        "hidden": "verdeckt", "unseen": "nach Sorten", "you": "du",
        "last_round": "letzte Runde", "nothing": "nichts",
        "board": "Gebäude im Spiel", "draft": "zu wählen",
        "cost": "Kosten", "smuggler": "Schmuggler-Plättchen", "tile": "Plättchen",
        "captured": "abgefangen von", "festival": "Fest", "nobody": "niemand",
        "hand": "auf der Hand", "drawn": "gezogen",
    },
}  # fmt: skip
"""Words around the board that no edition prints, by language."""


def position_text(rules: RuleSet, state: State, seat: int | None = None) -> str:
    """Describe a position as a seat sees it, in the words of the edition in play.

    Args:
        rules: The rule set.
        state: One game, a record.
        seat: Whose eyes we look through; nobody's in particular when left out, which hides the VP
            of everyone if the rule set hides VP.

    Returns:
        A few lines of text. The order of the deck is in none of them.
    """
    writer = _Writer(rules, state, seat)
    seats = range(rules.players)
    return "\n".join([writer.head(), *writer.table(), *(writer.player(one) for one in seats)])


def can_see_vp(rules: RuleSet, state: State, seat: int | None, other: int) -> bool:
    """Whether a seat knows the VP of another (R-INF-2); when the game is over all is known."""
    return not rules.table[0]["vp_hidden"] or seat == other or state["phase"] == Phase.OVER


def can_see_drawn(state: State, seat: int | None) -> bool:
    """Whether a seat knows the tile drawn; before it is laid only who drew it does (R-FOH-3)."""
    return state["point"] != Point.USE_TILE or state["turn"] == seat


def drawn_tile(state: State) -> int:
    """The tile in a seat's hand that may become a plantation or a forest, -1 if there is none."""
    return int(state["drawn"]) if state["point"] == Point.USE_TILE else NOBODY


def forest_faces(state: State, seat: int | None, owner: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Count somebody's forests by printed kind, as a seat knows them (R-INF-2, Q-31).

    Returns:
        Those that everybody has seen and those that only the owner has, which others see as 0;
        each of shape ``(num_goods,)``. Forests from a stack have no kind.
    """
    blind = state["forest_blind"][owner]
    return state["forest_kinds"][owner] - blind, blind * (seat == owner)


def unseen_plantations(rules: RuleSet, state: State, seat: int | None) -> NDArray[Any]:
    """Count the plantations whose place a seat does not know, shape ``(num_goods,)`` (R-INF-2).

    Those lie in the deck, under forests of others, or in the hand of who has just drawn one.
    """
    counts = state["deck_tiles"].copy()
    for other in range(rules.players):
        if other != seat:
            counts += state["forest_blind"][other]
    if not can_see_drawn(state, seat) and drawn_tile(state) != NOBODY:
        counts[drawn_tile(state)] += 1
    return counts


def forests_in_words(rules: RuleSet, state: State, seat: int | None, owner: int) -> str:
    """Say how many forests somebody has, with the kinds that a seat knows (R-INF-2)."""
    catalog = load(rules.edition)
    hidden = LABELS[catalog.language]["hidden"]
    public, own = forest_faces(state, seat, owner)
    forests = int(state["own_forests"][owner])
    unknown = forests - int(public.sum() + own.sum())
    known = [_counted(rules, public)] if public.any() else []
    if own.any():
        known.append(f"{hidden}: {_counted(rules, own)}")
    if unknown and not rules.table[0]["forest_stack"]:
        known.append(f"{unknown} {hidden}")
    text = f"{catalog.terms['forest']} {forests}"
    return f"{text} ({'; '.join(known)})" if known else text


def goals_in_words(rules: RuleSet, state: State) -> list[str]:
    """Say which goals of the festival nobody has met yet (R-FES-1)."""
    terms, goals = load(rules.edition).terms, []
    estate, building = state["festival_estate"], state["festival_building"]
    if estate != NOBODY:
        goals.append(f"{terms['plantations']} {printed(rules.edition, GOODS[estate])}")
    if state["festival_goods"].any():
        goals.append(f"{terms['goods']} {_counted(rules, state['festival_goods'])}")
    if building != NOBODY:
        goals.append(printed(rules.edition, BUILDINGS[building]))
    return goals


def slots_in_words(rules: RuleSet, state: State) -> list[str]:
    """Say how many types of each cost are still to be chosen (R-X1-3)."""
    table: Any = rules.table[0]
    left = table["draft_slots"].copy()
    np.subtract.at(left, table["cost"][np.flatnonzero(state["board"])], 1)
    word = LABELS[load(rules.edition).language]["cost"]
    return [f"{left[cost]}× {word} {cost}" for cost in np.flatnonzero(left)]


def _counted(rules: RuleSet, counts: Iterable[int]) -> str:
    return ", ".join(
        f"{count} {printed(rules.edition, good)}"
        for good, count in zip(GOODS, counts, strict=True)
        if count > 0
    )


class _Writer:
    """Writes one position in the words of one edition."""

    def __init__(self, rules: RuleSet, state: State, seat: int | None) -> None:
        self.rules, self.state, self.seat = rules, state, seat
        self.table_of_rules: Any = rules.table[0]
        self.catalog = load(rules.edition)
        self.labels = LABELS[self.catalog.language]
        self.terms = self.catalog.terms
        self.has_citizens = "citizens" in rules.expansions

    def head(self) -> str:
        """Edition, round, phase and whose turn it is."""
        state, labels = self.state, self.labels
        phase = self.catalog.phase_names[PHASES[state["phase"]]]
        if state["actor"] != NOBODY:
            phase += f" ({self._name(state['actor'])})"
        parts = [
            f"{self.rules.edition}, {self.rules.players} {labels['players']}",
            f"{labels['round']} {state['round']}",
            phase,
        ]
        if state["turn"] >= 0:
            parts.append(f"{self._name(state['turn'])} {labels['to_act']}")
        if state["end_reasons"]:
            parts.append(labels["last_round"])
        return "; ".join(parts)

    def table(self) -> list[str]:
        """Everything that lies between the players."""
        state, terms, labels = self.state, self.terms, self.labels
        unseen = unseen_plantations(self.rules, state, self.seat)
        return [
            f"{labels['roles']}: {'; '.join(self._roles())}",
            f"{labels['supply']}: {'; '.join(self._supply())}",
            f"{terms['row']}: {self._counts(state['row'])}",
            f"{terms['deck']}: {state['deck_size']} "
            f"({labels['unseen']}: {self._counts(unseen)}); "
            f"{terms['discard']}: {self._counts(state['discard'])}",
            f"{labels['ships']}: {'; '.join(self._ships())}",
            f"{labels['house']}: {self._counts(state['house'])}",
            f"{labels['buildings']}: {self._buildings()}",
            *self._expansions(),
        ]

    def _supply(self) -> Iterable[str]:
        """Units, VP, tiles and barrels that nobody has."""
        state, terms = self.state, self.terms
        units, register = f"{state['worker_supply']} {terms['workers']}", state["register_workers"]
        if self.has_citizens:
            units += f", {state['citizen_supply']} {terms['citizens']}"
            register = self._units(state["register_workers"], state["register_citizens"])
        yield f"{units}, {terms['register']} {register}"
        yield f"{state['vp_pool']} {terms['vp']}"
        yield f"{state['quarries']} {terms['quarries']}"
        if self.table_of_rules["forest_stack"]:
            yield f"{state['forests']} {terms['forests']}"
        yield self._counts(state["goods_supply"])

    def _expansions(self) -> Iterable[str]:
        """What expansions bring to the table."""
        state, labels, modules = self.state, self.labels, self.rules.expansions
        if "buildings" in modules:
            board = (self._word(BUILDINGS[number]) for number in np.flatnonzero(state["board"]))
            yield f"{labels['board']}: {self._joined(board)}"
        if state["phase"] == Phase.DRAFT:
            yield f"{labels['draft']}: {self._joined(slots_in_words(self.rules, state))}"
        if "smuggler" in modules:
            owner = state["smuggler_tile"]
            holder = labels["nobody"] if owner == NOBODY else self._name(owner)
            yield f"{labels['smuggler']}: {holder}"
        if "festival" in modules:
            goals = "; ".join(goals_in_words(self.rules, state))
            yield f"{labels['festival']}: {goals or labels['nothing']}"
        drawn = drawn_tile(state)
        if drawn != NOBODY:
            is_seen = can_see_drawn(state, self.seat)
            tile = self._word(GOODS[drawn]) if is_seen else labels["hidden"]
            yield f"{labels['drawn']} ({self._name(state['turn'])}): {tile}"
        if state["hand_workers"] or state["hand_citizens"]:
            units = self._units(state["hand_workers"], state["hand_citizens"])
            yield f"{labels['hand']} ({self._name(state['turn'])}): {units}"

    def player(self, seat: int) -> str:
        """One player's board."""
        state, terms = self.state, self.terms
        name = self._name(seat)
        if seat == state["governor"]:
            name += f" ({terms['governor']})"
        if seat == self.seat:
            name += f" [{self.labels['you']}]"
        seen = can_see_vp(self.rules, state, self.seat, seat)
        vp = state["vp"][seat] if seen else self.labels["hidden"]
        tiles, circles = state["tiles"][seat], self.table_of_rules["circles"]
        laid = [self._spot(seat, spot, tiles[spot]) for spot in range(NUM_TILES) if tiles[spot]]
        if state["own_forests"][seat]:
            laid.append(forests_in_words(self.rules, state, self.seat, seat))
        island = self._joined(laid)
        city = self._joined(
            self._spot(seat, spot, circles[spot])
            for spot in range(NUM_TILES, len(SPOTS))
            if tiles[spot]
        )
        return (
            f"{name}: {state['coins'][seat]} {terms['coins']}, {vp} {terms['vp']}, "
            f"{terms['goods']}: {self._counts(state['goods'][seat])}; "
            f"{terms['island']} {state['island_used'][seat]}/{ISLAND_SPACES}: {island}; "
            f"{terms['city']} {state['city_used'][seat]}/{CITY_SPACES}: {city}; "
            f"{terms['portrait']}: {self._portrait(seat)}"
        )

    def _spot(self, seat: int, spot: int, circles: int) -> str:
        """The units on the circles of a spot."""
        state = self.state
        workers, citizens = state["workers"][seat, spot], state["citizens"][seat, spot]
        text = f"{self._word(SPOTS[spot])} {workers + citizens}/{circles}"
        return f"{text} ({self._citizens(citizens)})" if citizens else text

    def _portrait(self, seat: int) -> str:
        workers = self.state["portrait_workers"][seat]
        if self.has_citizens:
            return self._units(workers, self.state["portrait_citizens"][seat])
        return f"{workers} {self.terms['workers']}"

    def _units(self, workers: int, citizens: int) -> str:
        return f"{workers} {self.terms['workers']}, {self._citizens(citizens)}"

    def _citizens(self, citizens: int) -> str:
        return f"{citizens} {self.terms['citizen' if citizens == 1 else 'citizens']}"

    def _roles(self) -> Iterable[str]:
        for role, name in enumerate(ROLES):
            owner = self.state["role_owner"][role]
            if owner == NOT_IN_PLAY:
                continue
            text = self._word(name)
            if self.state["role_coins"][role]:
                text += f" +{self.state['role_coins'][role]}"
            if owner != NOBODY:
                text += f" ({self._name(owner)})"
            captor = self.state["role_captor"][role]
            if captor != NOBODY:
                text += f" ({self.labels['captured']} {self._name(captor)})"
            yield text

    def _ships(self) -> Iterable[str]:
        for ship in range(int(self.table_of_rules["num_ships"])):
            size, good = self.table_of_rules["ship_size"][ship], self.state["ship_good"][ship]
            if good == NOBODY:
                yield f"{size}: {self.labels['empty']}"
            else:
                yield f"{size}: {self.state['ship_load'][ship]} {self._word(GOODS[good])}"

    def _buildings(self) -> str:
        left = self.state["building_supply"]
        return self._joined(
            f"{self._word(name)} {left[number]}"
            for number, name in enumerate(BUILDINGS)
            if left[number] > 0
        )

    def _counts(self, counts: Iterable[int]) -> str:
        return _counted(self.rules, counts) or self.labels["nothing"]

    def _joined(self, words: Iterable[str]) -> str:
        return ", ".join(words) or self.labels["nothing"]

    def _word(self, engine_name: str) -> str:
        return printed(self.rules.edition, engine_name)

    def _name(self, seat: int) -> str:
        return f"{self.labels['player']} {seat}"
