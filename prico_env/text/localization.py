"""What a language is made of: the shape of a file of `text.messages`, checked when it is loaded.

>>> codes()
('de', 'en')
>>> language_of("1897-de").labels["round"]
'Runde'
"""

import functools
import importlib
import pkgutil
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from prico_env import catalog
from prico_env.actions import BLOCKS, ActionBlock
from prico_env.catalog.model import TERMS
from prico_env.errors import did_you_mean
from prico_env.text import messages
from prico_env.vocabulary import BUILDINGS, GOODS, DecisionPoint

_MODEL: Final = "en"
"""The language that all others are held against."""
_OPTIONAL: Final = ("rules", "explanations", "page")
"""Sections that a language may leave out as a whole."""
_EDITION_WORDS: Final = frozenset((*TERMS, *BUILDINGS, *GOODS))
"""What a sentence may use or not as its grammar likes, unlike figures, which it must show."""


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


def _unchanged(text: str) -> str:
    return text


@dataclass(frozen=True)
class Language:
    """Everything that is said in one language, in sentences that take an edition's words.

    Attributes:
        actions: A sentence for each `ActionBlock.message`; ``"take:quarry"`` is one for the actions
            of that message whose last word is `quarry`.
        decisions: What is said of each decision point.
        heads: What stands before the colon where no role card names the phase.
        labels: Words around the board, and what is said of a phase.
        rules: The paragraphs of the rules in short; read in English where there are none.
        buildings: What buildings do, by id; the texts of the catalog, in English, where left out.
        explanations: What agents say of their decisions; read in English where there is nothing.
        page: What the page says about an agent that thinks; read in English where there is nothing.
        inside: How a common noun of an edition, printed with a capital, reads inside a sentence.
        finish: What grammar does to a sentence when its words are in.
    """

    actions: Mapping[str, str]
    decisions: Mapping[str, Decision]
    heads: Mapping[str, str]
    labels: Mapping[str, str]
    rules: Mapping[str, str] = field(default_factory=dict)
    buildings: Mapping[str, str] = field(default_factory=dict)
    explanations: Mapping[str, str] = field(default_factory=dict)
    page: Mapping[str, str] = field(default_factory=dict)
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
        KeyError: There is no such language.
        ValueError: A sentence of it is missing, unknown or lacks a figure; says which.
    """
    if code not in codes():
        raise KeyError(
            f"no language is called {code!r}; the languages are {', '.join(codes())}, and a file "
            f"{code}.py in prico_env/text/messages makes one"
        )
    language: Language = importlib.import_module(f"{messages.__name__}.{code}").MESSAGES
    faults = list(_faults(language, language if code == _MODEL else load(_MODEL)))
    if faults:
        raise ValueError(f"the language {code!r}: {'; '.join(faults)}")
    return language


def language_of(edition: str) -> Language:
    """Return the language of an edition."""
    return load(catalog.load(edition).language)


def language_with(edition: str, section: str) -> Language:
    """Return the language of an edition if it has a section that it may lack, else English."""
    language = language_of(edition)
    return language if getattr(language, section) else load(_MODEL)


def _faults(language: Language, model: Language) -> Iterator[str]:
    """What is wrong with a language, a clause for each sentence."""
    ours, theirs = _sentences(language), _sentences(model)
    for section in _OPTIONAL:
        if not getattr(language, section):
            theirs = {key: said for key, said in theirs.items() if not key.startswith(section)}
    missing = (theirs.keys() | _asked_for(language)) - ours.keys()
    for key in sorted(missing):
        yield f"{key} is missing"
    for key in sorted(ours.keys() - theirs.keys()):
        yield f"{key} is asked for by nobody{did_you_mean(key, missing)}"
    for building in sorted(set(language.buildings) - set(BUILDINGS)):
        yield f"buildings.{building} is no building{did_you_mean(building, BUILDINGS)}"
    for key in sorted(ours.keys() & theirs.keys()):
        figures, wanted = _figures(ours[key]), _figures(theirs[key])
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
        for section in ("actions", "heads", "labels", *_OPTIONAL)
        for key, text in getattr(language, section).items()
    }
    for point, decision in language.decisions.items():
        said |= {f"decisions.{point}.{key}": text for key, text in decision._asdict().items()}
    return {key: text for key, text in said.items() if text}


def _figures(sentence: str) -> frozenset[str]:
    """What a sentence shows that is no word of an edition."""
    named = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
    return frozenset(named - _EDITION_WORDS)


def _listed(figures: Iterable[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(figures)) or "nothing"
