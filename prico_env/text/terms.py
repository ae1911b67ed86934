"""The words of an edition, and the way back from a printed word to the engine's.

Kernels and files use the engine's names. What a person reads uses the words printed in the edition
that is being played; what a person types may use the words of any edition, where they are clear.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Final

from prico_env.catalog import names
from prico_env.ruleset import RuleSet
from prico_env.text.localization import (
    codes,
    edition_words,
    language_of,
    load,
    overridden,
    override,
    spoken,
)
from prico_env.text.seats import seat_name
from prico_env.vocabulary import BUILDINGS, GOODS, ROLES

_GAPS: Final = re.compile("__+")


def normalize(word: str) -> str:
    """Reduce a word to what matters in comparing: no case, no accents, one kind of gap."""
    decomposed = unicodedata.normalize("NFKD", word)
    word = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    for mark in ".'’«»":
        word = word.replace(mark, "")
    for gap in " -/":
        word = word.replace(gap, "_")
    return _GAPS.sub("_", word).strip("_").casefold()


def capital(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


_SEATS: Final = frozenset(("seat", "leader"))
"""Figures of a sentence that are seats."""
_PLURALS: Final = {"vp": "vp", "quarry": "quarries"}


def count_of(terms: Mapping[str, str], what: str, count: int) -> str:
    """Return so many of a thing, in the words of an edition.

    >>> count_of(edition_words("classic").terms, "quarry", 2)
    '2 quarries'
    """
    return f"{count} {terms[what if count == 1 else _PLURALS.get(what, f'{what}s')]}"


def printed_words(edition: str) -> dict[str, dict[str, str]]:
    """Return the words of an edition in the language that is spoken: kind, engine name, word."""
    return _printed_words(edition, spoken(edition))


@functools.cache
def _printed_words(edition: str, language: str) -> dict[str, dict[str, str]]:
    with override(language):
        catalog = edition_words(edition)
    terms = catalog.terms
    return {
        "good": {good: catalog.good_names[good] for good in GOODS},
        "role": dict(catalog.role_names),
        "building": {building: catalog.building_names[building] for building in BUILDINGS},
        "tile": {
            **{good: catalog.good_names[good] for good in GOODS},
            "quarry": terms["quarry"],
            "forest": terms["forest"],
        },
        "portrait": {"portrait": terms["portrait"]},
        "unit": {"worker": terms["worker"], "citizen": terms["citizen"]},
        "phase": {f"{phase} phase": name for phase, name in catalog.phase_names.items()},
        "tile_drawn": {"plantation": terms["plantation"], "forest": terms["forest"]},
    }


def printed(edition: str, engine_name: str) -> str:
    """Return the printed word of a good, tile, role or building; an unknown word stays as it is."""
    for words in printed_words(edition).values():
        if engine_name in words:
            return words[engine_name]
    return engine_name


def engine_words(kind: str, edition: str | None = None) -> dict[str, frozenset[str]]:
    """Return what each word of a kind may mean, in one edition or in all of them.

    A word may mean several things: two editions print the same name on different buildings, and
    both prospectors have one name. Of all editions, each word is as it is printed.
    """
    if edition is not None:
        return _engine_words(kind, ((edition, spoken(edition)),))
    with override(None):
        return _engine_words(kind, tuple((one, spoken(one)) for one in names()))


def _words_of_all_languages(kind: str) -> dict[str, frozenset[str]]:
    """Return what each word of a kind may mean, in all editions and all languages."""
    return _engine_words(kind, tuple((one, code) for one in names() for code in codes()))


@functools.cache
def _engine_words(kind: str, editions: tuple[tuple[str, str], ...]) -> dict[str, frozenset[str]]:
    """Return what each word of a kind may mean in editions, each in a language."""
    meanings: dict[str, set[str]] = {}
    for one in editions:
        for engine_name, word in _printed_words(*one)[kind].items():
            meanings.setdefault(normalize(word), set()).add(engine_name)
            meanings.setdefault(normalize(engine_name), set()).add(engine_name)
    for engine_name in ROLES if kind == "role" else ():
        bare, _, number = engine_name.rpartition("_")
        if number.isdigit():
            meanings.setdefault(bare, set()).add(engine_name)
            for one in editions:
                word = _printed_words(*one)["role"].get(engine_name, bare)
                meanings.setdefault(f"{normalize(word)}_{number}", set()).add(engine_name)
    return {word: frozenset(engine_names) for word, engine_names in meanings.items()}


def meanings(kinds: Iterable[str], word: str, edition: str) -> frozenset[str]:
    """Return the engine names that a word of one of these kinds may stand for.

    What the edition in play calls so in the language spoken comes first, then what any edition
    prints, then what any is called in any language.

    >>> sorted(meanings(["building"], "zoning office", "classic"))
    ['notary']
    >>> sorted(meanings(["building"], "zoning office", "1897-de"))
    ['land_office', 'notary']
    """
    tables = (functools.partial(engine_words, edition=edition), engine_words)
    for words_of in (*tables, _words_of_all_languages):
        found: frozenset[str] = frozenset()
        for kind in kinds:
            found |= words_of(kind).get(normalize(word), frozenset())
        if found:
            return found
    return frozenset()


class Words(dict[str, Any]):
    """The words that a sentence may ask for: those given, else terms and names of the edition.

    >>> "put a {worker} on {hospice} {value}".format_map(Words("1897-en", value="3"))
    'put a worker on Hospital 3'
    """

    def __init__(self, edition: str, **words: object) -> None:
        super().__init__(words)
        self._edition = edition

    def __missing__(self, key: str) -> str:
        terms = edition_words(self._edition).terms
        if key not in terms:
            return printed(self._edition, key)
        return terms[key] if key == "vp" else language_of(self._edition).inside(terms[key])


def explanation(edition: str, key: str, **figures: object) -> str:
    """Return what an agent says of a decision, in the language and the words of an edition.

    Seats are spoken of by the names of those who sit there, see `text.seats`.

    >>> explanation("classic", "part", gap=1.5, part="coins")
    '+1.5 from coins'
    >>> explanation("classic", "costs", seat=2, here=0.25, there=0.375)
    'It costs player 2 the most: 25.0% to win instead of 37.5%.'
    """
    for word in _SEATS & figures.keys():
        seat = int(str(figures[word]))
        figures[word] = seat_name(edition, seat)
        figures[word.capitalize()] = seat_name(edition, seat, begins=True)
    return _said(edition, "explanations", key, {**edition_words(edition).terms, **figures})


def page_words(edition: str | None, key: str, **figures: object) -> str:
    """Return what a page says, in the language of an edition; in English where there is none.

    >>> page_words("classic", "waits", agent="mcts:400", before=2)
    'mcts:400 waits: 2 searches before yours'
    """
    return _said(edition, "page", key, figures)


def expansion_titles(rules: RuleSet) -> list[str]:
    """Return what the expansions of a game are called, by their numbers in the rulebooks."""
    return [page_words(rules.edition, f"expansion_{name}") for name in rules.expansions]


def terminal_words(edition: str | None, key: str, **figures: object) -> str:
    """Return what the game in the terminal says, in the language of an edition.

    >>> terminal_words("1897-de", "round", round=3)
    'Runde 3'
    """
    return _said(edition, "terminal", key, figures)


def error_words(key: str, **figures: object) -> str:
    """Return what an error says: in the language that is spoken by `override`, else in English.

    >>> error_words("called_off", name="planner")
    'planner was told to stop thinking'
    """
    return load(overridden() or "en").errors[key].format_map(figures)


def _said(edition: str | None, section: str, key: str, figures: Mapping[str, object]) -> str:
    """Return a sentence of a section, with the words of an edition where there is one."""
    language = language_of(edition)
    words = figures if edition is None else Words(edition, **figures)
    sentence: str = getattr(language, section)[key]
    return language.finish(sentence.format_map(words))
