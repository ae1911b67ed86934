"""A position as compact text: everything a seat may know, nothing that it may not.

For logs, transcripts and players who read words rather than numbers. `render` draws the board.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

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
)

LABELS: Final = {
    "en": {
        "round": "round", "player": "player", "players": "players", "to_act": "to act",
        "roles": "roles", "supply": "supply", "ships": "ships", "house": "trading house",
        "buildings": "buildings left", "shop": "for sale", "empty": "empty", "hidden": "hidden",
        "unseen": "by kind", "you": "you", "last_round": "last round", "nothing": "nothing",
    },
    "de": {
        "round": "Runde", "player": "Spieler", "players": "Spieler", "to_act": "am Zug",
        "roles": "Rollen", "supply": "Vorrat", "ships": "Schiffe", "house": "Handelshaus",
        "buildings": "Gebäude im Vorrat", "shop": "zu kaufen", "empty": "leer",
        "hidden": "verdeckt", "unseen": "nach Sorten", "you": "du",
        "last_round": "letzte Runde", "nothing": "nichts",
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


class _Writer:
    """Writes one position in the words of one edition."""

    def __init__(self, rules: RuleSet, state: State, seat: int | None) -> None:
        self.rules, self.state, self.seat = rules, state, seat
        self.table_of_rules: Any = rules.table[0]
        self.catalog = load(rules.edition)
        self.labels = LABELS[self.catalog.language]
        self.terms = self.catalog.terms

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
        return [
            f"{labels['roles']}: {'; '.join(self._roles())}",
            f"{labels['supply']}: {state['worker_supply']} {terms['workers']}, "
            f"{terms['register']} {state['register_workers']}; "
            f"{state['vp_pool']} {terms['vp']}; {state['quarries']} {terms['quarries']}; "
            f"{self._counts(state['goods_supply'])}",
            f"{terms['row']}: {self._counts(state['row'])}",
            f"{terms['deck']}: {state['deck_size']} "
            f"({labels['unseen']}: {self._counts(state['deck_tiles'])}); "
            f"{terms['discard']}: {self._counts(state['discard'])}",
            f"{labels['ships']}: {'; '.join(self._ships())}",
            f"{labels['house']}: {self._counts(state['house'])}",
            f"{labels['buildings']}: {self._buildings()}",
        ]

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
        tiles, workers = state["tiles"][seat], state["workers"][seat]
        island = self._joined(
            f"{self._word(SPOTS[spot])} {workers[spot]}/{tiles[spot]}"
            for spot in range(NUM_TILES)
            if tiles[spot]
        )
        city = self._joined(
            f"{self._word(SPOTS[spot])} {workers[spot]}/{self.table_of_rules['circles'][spot]}"
            for spot in range(NUM_TILES, len(SPOTS))
            if tiles[spot]
        )
        return (
            f"{name}: {state['coins'][seat]} {terms['coins']}, {vp} {terms['vp']}, "
            f"{terms['goods']}: {self._counts(state['goods'][seat])}; "
            f"{terms['island']} {state['island_used'][seat]}/{ISLAND_SPACES}: {island}; "
            f"{terms['city']} {state['city_used'][seat]}/{CITY_SPACES}: {city}; "
            f"{terms['portrait']}: {state['portrait_workers'][seat]} {terms['workers']}"
        )

    def _roles(self) -> Iterable[str]:
        for role, name in enumerate(ROLES):
            owner = self.state["role_owner"][role]
            if owner == NOT_IN_PLAY:
                continue
            text = self._word(name)
            if self.state["role_coins"][role]:
                text += f" +{self.state['role_coins'][role]}"
            yield text if owner == NOBODY else f"{text} ({self._name(owner)})"

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

    def _counts(self, counts: Sequence[int]) -> str:
        return self._joined(
            f"{count} {self._word(good)}"
            for good, count in zip(GOODS, counts, strict=True)
            if count > 0
        )

    def _joined(self, words: Iterable[str]) -> str:
        return ", ".join(words) or self.labels["nothing"]

    def _word(self, engine_name: str) -> str:
        return printed(self.rules.edition, engine_name)

    def _name(self, seat: int) -> str:
        return f"{self.labels['player']} {seat}"
