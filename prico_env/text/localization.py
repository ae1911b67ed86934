"""What a language is made of: the shape of a file of `text.messages`, checked when it is loaded.

>>> codes()
('de', 'en', 'fr')
>>> language_of("1897-de").labels["round"]
'Runde'

A language other than the edition's own is spoken inside `override`, a context variable, as other
libraries of translations have it: functions that write words need no parameter for it. Whoever
writes words in another thread takes the context along (`contextvars.copy_context`).

>>> with override("fr"):
...     language_of("1897-de").labels["round"], edition_words("1897-de").terms["coins"]
('manche', 'pièces')
"""

import contextlib
import functools
import importlib
import pkgutil
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from typing import Final, NamedTuple

from prico_env import catalog
from prico_env.actions import BLOCKS, ActionBlock
from prico_env.arguments import words
from prico_env.catalog.model import TERMS, Edition
from prico_env.errors import PricoError, UnknownNameError, did_you_mean, quoted
from prico_env.text import messages
from prico_env.vocabulary import BUILDINGS, GOODS, PHASES, ROLES, DecisionPoint

_MODEL: Final = "en"
"""The language that all others are held against."""
_PLAIN: Final = (
    "actions",
    "heads",
    "labels",
    "cards",
    "guide",
    "page",
    "terminal",
    "rules",
    "reasons",
    "errors",
    "explanations",
)
"""Sections that are sentences by key."""
_USUAL_EDITION: Final = "classic"
"""The edition whose words serve for editions that a language does not name."""
_OF_BUILDINGS: Final = frozenset((*ROLES, *(f"{phase} phase" for phase in PHASES), "and_citizens"))
"""What the text of a building may show beside: roles, phases, and citizens if there are any."""
EDITION_WORDS: Final = frozenset((*TERMS, *BUILDINGS, *GOODS))
"""What a sentence may use or not as its grammar likes, unlike figures, which it must show."""

_SEATS: Final = frozenset(("seat", "seat_has", "owner", "owner_has", "lacks"))
"""What a reason may show or not: who it is about, and in English also the expansion that lacks."""


class Decision(NamedTuple):
    """What is said of a decision point; empty where there is nothing to say.

    Attributes:
        asked: What a seat decides.
        passing: What passing means there.
        gain: What is offered there.
    """

    asked: str
    passing: str = ""
    gain: str = ""


@dataclass(frozen=True)
class EditionWords:
    """What an edition that is printed in another language calls things in this one.

    Attributes:
        goods: The name of each good, by its engine name.
        roles: The name of each role card.
        buildings: The name of each building.
        phases: What each phase is called.
        terms: The general words of `catalog.model.TERMS`.
    """

    goods: Mapping[str, str]
    roles: Mapping[str, str]
    buildings: Mapping[str, str]
    phases: Mapping[str, str]
    terms: Mapping[str, str]

    @classmethod
    def printed_in(cls, edition: str) -> "EditionWords":
        """Return the words that an edition prints itself, for another one of the same game."""
        one = catalog.load(edition)
        return cls(one.good_names, one.role_names, one.building_names, one.phase_names, one.terms)

    def lacks(self) -> Iterator[str]:
        """What has no word here."""
        wanted = zip(fields(self), (GOODS, ROLES, BUILDINGS, PHASES, TERMS), strict=True)
        for kind, names in wanted:
            for name in names:
                if not getattr(self, kind.name).get(name):
                    yield f"{kind.name}.{name}"


def _unchanged(text: str) -> str:
    return text


@dataclass(frozen=True)
class Language:
    """Everything that is said in one language, in sentences that take an edition's words.

    Attributes:
        name: What the language calls itself.
        actions: A sentence for each `ActionBlock.message`; ``"take:quarry"`` is one for the actions
            of that message whose last word is `quarry`.
        decisions: What is said of each decision point.
        heads: What stands before the colon where no role card names the phase.
        labels: Words around the board, and what is said of a phase.
        rules: The paragraphs of the rules in short.
        buildings: What buildings do, by id; the texts of the catalog, in English, where left out.
        cards: What the cards say that explain a place of the board.
        guide: What the explanation of a whole game says around the rules in short.
        reasons: Why an action is not allowed.
        errors: What an error says that a player meets.
        explanations: What agents say of their decisions.
        page: What the pages in the browser say.
        terminal: What the game in the terminal says.
        editions: The words of editions that are printed in another language, by edition; those of
            ``classic`` serve for all that are not named.
        inside: How a common noun of an edition, printed with a capital, reads inside a sentence.
        finish: What grammar does to a sentence when its words are in.
    """

    name: str
    actions: Mapping[str, str]
    decisions: Mapping[str, Decision]
    heads: Mapping[str, str]
    labels: Mapping[str, str]
    cards: Mapping[str, str]
    guide: Mapping[str, str]
    page: Mapping[str, str]
    terminal: Mapping[str, str]
    rules: Mapping[str, str]
    reasons: Mapping[str, str]
    errors: Mapping[str, str]
    explanations: Mapping[str, str]
    editions: Mapping[str, EditionWords] = field(default_factory=dict)
    buildings: Mapping[str, str] = field(default_factory=dict)
    inside: Callable[[str], str] = _unchanged
    finish: Callable[[str], str] = _unchanged

    def action(self, block: ActionBlock, name: str) -> str:
        """Return the sentence of an action: one for its last word, else that of its block."""
        own = self.actions.get(f"{block.message}:{name.rpartition(':')[2]}")
        return own or self.actions[block.message]


def codes() -> tuple[str, ...]:
    """Return the codes of all languages."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(messages.__path__)))


@functools.cache
def load(code: str) -> Language:
    """Return a language by its code.

    Raises:
        UnknownNameError: There is no such language.
        PricoError: It cannot be loaded, or a sentence of it is missing, unknown or lacks a figure.
    """
    if code not in codes():
        raise UnknownNameError(
            f"no language is called {quoted(code)}; the languages are {', '.join(codes())}, and a "
            f"file {code}.py in a folder that {messages.LANGUAGES_VARIABLE} names makes one"
        )
    try:
        language: Language = importlib.import_module(f"{messages.__name__}.{code}").MESSAGES
    except Exception as error:
        raise PricoError(f"the language {code!r} cannot be loaded: {error!r}") from error
    faults = list(_faults(language, language if code == _MODEL else load(_MODEL)))
    faults += _word_faults(code, language)
    if faults:
        raise PricoError(f"the language {code!r}: {'; '.join(faults)}")
    return language


_SPOKEN: Final[ContextVar[str | None]] = ContextVar("language", default=None)


def override(code: str | None) -> contextlib.AbstractContextManager[None]:
    """Speak a language until the end of a ``with`` block, whatever language an edition prints.

    Args:
        code: The language; None for each edition's own.

    Raises:
        UnknownNameError: There is no such language; the message lists those that there are.
        PricoError: The code is no text.
    """
    if code is not None:
        load(words(code, "a language"))
    return _speaking(code)


@contextlib.contextmanager
def _speaking(code: str | None) -> Iterator[None]:
    token = _SPOKEN.set(code)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def overridden() -> str | None:
    """Return the code of the language that `override` speaks here; None where it speaks none."""
    return _SPOKEN.get()


def spoken(edition: str | None = None) -> str:
    """Return the code of the language that is spoken of an edition.

    Args:
        edition: The edition; None where there is none, such as on a page without a game.
    """
    own = _MODEL if edition is None else catalog.load(edition).language
    return _SPOKEN.get() or own


def language_of(edition: str | None = None) -> Language:
    """Return the language that is spoken of an edition: its own, unless another is spoken here."""
    return load(spoken(edition))


def edition_words(edition: str) -> Edition:
    """Return an edition with its words in the language that is spoken: printed ones in its own."""
    return _worded(edition, spoken(edition))


@functools.cache
def _worded(name: str, code: str) -> Edition:
    edition = catalog.load(name)
    if code == edition.language:
        return edition
    words = _words_of(load(code), name)
    return replace(
        edition,
        good_names=words.goods,
        role_names=words.roles,
        building_names={**edition.building_names, **words.buildings},
        phase_names=words.phases,
        terms=words.terms,
    )


def _words_of(language: Language, edition: str) -> EditionWords:
    """The words of an edition in another language than its own."""
    words = language.editions.get(edition) or language.editions.get(_USUAL_EDITION)
    return words or EditionWords.printed_in(_USUAL_EDITION)


def _word_faults(code: str, language: Language) -> Iterator[str]:
    """What is wrong with the words that a language has for editions, a clause for each."""
    named = {*language.editions, _USUAL_EDITION} & {*catalog.names()}
    for edition in sorted(named):
        if edition in language.editions:
            for word in language.editions[edition].lacks():
                yield f"editions.{edition}.{word} is missing"
        elif code != catalog.load(edition).language:
            yield f"editions.{edition} is missing"
    for edition in sorted(set(language.editions) - named):
        yield f"editions.{edition} is no edition{did_you_mean(edition, catalog.names())}"


def _faults(language: Language, model: Language) -> Iterator[str]:
    """What is wrong with a language, a clause for each sentence."""
    ours, theirs = _sentences(language), _sentences(model)
    missing = (theirs.keys() | _asked_for(language)) - ours.keys()
    for key in sorted(missing):
        yield f"{key} is missing"
    for key in sorted(ours.keys() - theirs.keys()):
        yield f"{key} is asked for by nobody{did_you_mean(key, missing)}"
    for building in sorted(set(language.buildings) - set(BUILDINGS)):
        yield f"buildings.{building} is no building{did_you_mean(building, BUILDINGS)}"
    for building in sorted(set(language.buildings) & set(BUILDINGS)):
        if strange := _figures(language.buildings[building]) - _OF_BUILDINGS:
            yield f"buildings.{building} shows {_listed(strange)}, which is no word of an edition"
    for key in sorted(ours.keys() & theirs.keys()):
        left_out = _SEATS if key.startswith("reasons.") else frozenset()
        figures, wanted = (_figures(said[key]) - left_out for said in (ours, theirs))
        if figures != wanted:
            yield f"{key} shows {_listed(figures)} where English shows {_listed(wanted)}"


def _asked_for(language: Language) -> set[str]:
    """The sentences that the tables of actions and of decision points ask for."""
    points = (point.name.lower() for point in DecisionPoint if point != DecisionPoint.GAME_OVER)
    messages_of_actions = {
        block.message
        for block in BLOCKS
        for word in block.words or ("",)
        if f"{block.message}:{word}" not in language.actions
    }
    return {
        *(f"decisions.{point}.asked" for point in points),
        *(f"actions.{message}" for message in messages_of_actions),
    }


def _sentences(language: Language) -> dict[str, str]:
    """Everything that a language says, by its place: ``"decisions.sell.passing"``."""
    said = {
        f"{section}.{key}": text
        for section in _PLAIN
        for key, text in getattr(language, section).items()
    }
    for point, decision in language.decisions.items():
        said |= {f"decisions.{point}.{key}": text for key, text in decision._asdict().items()}
    return {key: text for key, text in said.items() if text}


def _figures(sentence: str) -> frozenset[str]:
    """What a sentence shows that is no word of an edition."""
    named = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
    return frozenset(named - EDITION_WORDS)


def _listed(figures: Iterable[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(figures)) or "nothing"
