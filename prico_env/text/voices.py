"""Two voices in which one sentence is said: to players, and in an error of the library.

Players hear the language that is spoken and the words of the edition; a program that catches an
error reads English and the engine's names, whatever edition is played.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from prico_env.ruleset import RuleSet
from prico_env.text.localization import edition_words, language_of, load
from prico_env.text.phase_state import describe_decision
from prico_env.text.seats import given_name, seat_name
from prico_env.text.terms import Words, count_of, printed
from prico_env.vocabulary import DECISION_POINTS, TILES

_COMMON_NOUNS: Final = frozenset((*TILES, "forest", "worker", "citizen"))
"""Names whose words may be printed with a capital that they lose inside a sentence."""


class Voice:
    """How players are told: in the language that is spoken, in the words of the edition."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.edition = rules, rules.edition
        self.language = language_of(self.edition)

    def words(self, figures: Mapping[str, object]) -> dict[str, Any]:
        """What a sentence may ask for: figures, else words of the edition."""
        return Words(self.edition, **figures)

    def name(self, engine_name: str) -> str:
        """The word of a good, a tile, a building, a unit or a role."""
        word = printed(self.edition, engine_name)
        return self.language.inside(word) if engine_name in _COMMON_NOUNS else word

    def term(self, key: str) -> str:
        """A general word."""
        return self.language.inside(edition_words(self.edition).terms[key])

    def seat(self, seat: int) -> str:
        """What a seat is called."""
        return seat_name(self.edition, seat)

    def seat_has(self, seat: int) -> str:
        """The beginning of a sentence about what a seat has: "Ann has", "you have"."""
        labels, name = self.language.labels, self.seat(seat)
        is_you = name == language_of(self.edition).labels["you"]
        return labels["you_have" if is_you else "seat_has"].format(seat=name)

    def phases(self, names: Sequence[str]) -> str:
        """Phases, any of which will do."""
        said = edition_words(self.edition).phase_names
        return self.language.labels["or"].join(said[name] for name in names)

    def point(self, point: int, value: int) -> str:
        """What is decided at a point."""
        return describe_decision(self.rules, point, value)

    def coins(self, count: int) -> str:
        """So many coins."""
        return count_of(self.words({}), "coin", count)


class LibraryVoice(Voice):
    """How errors of the library are told: in English, by the engine's names, in any edition."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules)
        self.language = load("en")

    def words(self, figures: Mapping[str, object]) -> dict[str, Any]:
        """What a sentence may ask for: figures, else the engine's names as words."""
        return _EngineWords(figures)

    def name(self, engine_name: str) -> str:
        """The engine's name."""
        return engine_name

    def term(self, key: str) -> str:
        """The engine's word."""
        return key

    def seat(self, seat: int) -> str:
        """The name of who sits there, else the number of the seat."""
        return given_name(seat) or f"seat {seat}"

    def phases(self, names: Sequence[str]) -> str:
        """Phases by the engine's names."""
        return f"{' or '.join(names)} phase"

    def point(self, point: int, value: int) -> str:
        """The point by its name."""
        return repr(DECISION_POINTS[point])

    def coins(self, count: int) -> str:
        """So many coins."""
        return f"{count} coins"


class _EngineWords(dict[str, Any]):
    """Figures, and for any other key the key itself, as words."""

    def __missing__(self, key: str) -> str:
        return "VP" if key == "vp" else key.replace("_", " ")
