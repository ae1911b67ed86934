"""A position as it may be drawn: plain numbers, words of the edition, and only what may be seen."""

import functools
import re
from typing import Any, Final

from prico_env.render.anchors import effect_anchor_of
from prico_env.render.drawable import Drawable
from prico_env.ruleset import RuleSet
from prico_env.text.actions import describe_action
from prico_env.text.localization import edition_words, language_of
from prico_env.text.position import can_see_vp, vp_left
from prico_env.text.seats import seat_name
from prico_env.text.terms import capital, printed
from prico_env.vocabulary import BUILDINGS, NUM_BUILDINGS, PHASES, Outcome, Phase

_IS_SHARED: Final = re.compile("ship-")
"""Anchors with a number that is no seat's."""


class _PlainNumbers(dict[str, Any]):
    """The fields of a record as plain numbers, each turned into them when it is asked for."""

    def __init__(self, record: Any) -> None:
        self._record = record

    def __missing__(self, field: str) -> Any:
        value = self[field] = self._record[field].tolist()
        return value


@functools.lru_cache(maxsize=64)
def _table(rules: RuleSet) -> _PlainNumbers:
    return _PlainNumbers(rules.table[0])


class Scene:
    """One position in the view of a seat.

    Attributes:
        rules: What is played.
        record: The record itself.
        table: What of the rules is drawn, as plain numbers.
        seat: The seat whose view it is, None for everybody's.
        mark: The anchor where the last thing happened, empty if nothing did.
        last: What happened last, in words.
    """

    def __init__(self, game: Drawable, seat: int | None) -> None:
        self.rules, self.seat = game.rules, seat
        self.record: Any = game.state[0]
        self.table = _table(game.rules)
        self.catalog = edition_words(game.rules.edition)
        self.terms = self.catalog.terms
        self._labels = language_of(game.rules.edition).labels
        self._state = _PlainNumbers(self.record)
        is_over = self["outcome"] == Outcome.FINISHED
        self._scores = _asked(game, "scores")
        self._ranking = _asked(game, "ranking") if is_over else []
        self.mark, self.last = self._what_happened(game)

    def __getitem__(self, field: str) -> Any:
        """What a field of the record holds, as plain numbers."""
        return self._state[field]

    def order(self) -> list[int]:
        """The seats clockwise, beginning with the one that looks on."""
        first = self.seat or 0
        players = self.rules.players
        return [(first + turn) % players for turn in range(players)]

    def _what_happened(self, game: Drawable) -> tuple[str, str]:
        history = getattr(game, "history", None)
        if not history:
            return "", ""
        move = history[-1]
        words = describe_action(self.rules, move.action)
        return effect_anchor_of(move.action, move.seat), f"{self.name(move.seat)} – {words}"

    def marks(self, seat: int) -> bool:
        """Whether the last thing happened on the board of a seat."""
        return bool(re.match(rf"[a-z]+-{seat}\b", self.mark)) and not _IS_SHARED.match(self.mark)

    # -- words -------------------------------------------------------------------------------------

    def word(self, engine_name: str) -> str:
        """The printed word of a good, tile, role or building."""
        return capital(printed(self.rules.edition, engine_name))

    def term(self, name: str) -> str:
        """A general word of the edition."""
        return capital(self.terms[name])

    def label(self, name: str) -> str:
        """A word around the board."""
        return capital(self._labels[name])

    def plain(self, name: str) -> str:
        """A word around the board, as it stands within a sentence."""
        return self._labels[name]

    def name(self, seat: int) -> str:
        """What a seat is called."""
        return seat_name(self.rules.edition, seat, begins=True)

    def is_watching(self, seat: int) -> bool:
        """Whether a seat is the one that looks on, and is not called so anyway."""
        return self.seat == seat and self.name(seat) != self.label("you")

    def phase(self) -> str:
        """What is being played."""
        return capital(self.catalog.phase_names[PHASES[self["phase"]]])

    def title(self) -> str:
        """The position in a line."""
        parts = [self.catalog.key, f"{self.label('round')} {self['round']}", self.phase()]
        if self["turn"] >= 0:
            parts.append(f"{self.name(self['turn'])} {self._labels['to_act']}")
        return " · ".join(parts)

    # -- what a seat has ---------------------------------------------------------------------------

    def vp(self, seat: int) -> str:
        """The VP of a seat, a question mark if they are hidden."""
        return str(self["vp"][seat]) if self._sees(seat) else "?"

    def score(self, seat: int) -> str:
        """The score of a seat if the game ended now, a question mark if it is hidden."""
        if not self._sees(seat):
            return "?"
        return str(self._scores[seat]) if self._scores else ""

    def has_won(self, seat: int) -> bool:
        """Whether the game is over and this seat is among the first."""
        return bool(self._ranking) and self._ranking[seat] == 1

    def _sees(self, seat: int) -> bool:
        return can_see_vp(self.rules, self.record, self.seat, seat)

    def vp_left(self) -> int:
        """How many VP chips lie in the supply."""
        return vp_left(self.record)

    def on_sale(self) -> list[int]:
        """The buildings that are in this game, by number, those sold out as well."""
        copies, pool = self.table["copies"], self.table["draft_pool"]
        is_draft = self["phase"] == Phase.DRAFT
        return [
            number
            for number in range(NUM_BUILDINGS)
            if copies[number] and (not pool[number] or self["board"][number] or is_draft)
        ]

    def copies_left(self, number: int) -> int:
        """How many copies of a building can be bought; in a draft, whether it can be chosen."""
        if self["phase"] == Phase.DRAFT and self.table["draft_pool"][number]:
            return int(not self["board"][number])
        return int(self["building_supply"][number])

    def building(self, number: int) -> str:
        """The printed name of a building."""
        return self.word(BUILDINGS[number])


def _asked(game: Drawable, name: str) -> list[int]:
    """What a game says about its scores or places; nothing if it cannot say."""
    answer = getattr(game, name, None)
    return list(answer()) if answer is not None else []
