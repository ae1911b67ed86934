"""The rules of one game in short, with its numbers: what never changes while it is played.

Together with `position_text` this is all that somebody needs to play who has never seen the game.
The names are those of the edition.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from prico_env.catalog import Building
from prico_env.core.rules import Draft
from prico_env.ruleset import RuleSet, check_rules
from prico_env.text.localization import edition_words, language_of
from prico_env.text.terms import Words, printed
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    ROLES,
    Role,
)


def rules_text(rules: RuleSet) -> str:
    """Say how a game is played, with its figures and the printed names, one thing a line.

    >>> print(rules_text(RuleSet(players=3, edition="classic")).splitlines()[0])
    Puerto Rico for 3 players. Who has most VP when the game ends has won; ...
    """
    return "\n".join(_RulesSummary(check_rules(rules)).lines())


def rule_paragraph(rules: RuleSet, key: str) -> str:
    """Return one paragraph of the rules in short, by its key in the messages of a language.

    >>> rule_paragraph(RuleSet(edition="classic"), "prospector_1")
    'Nobody acts. Privilege: 1 doubloon.'
    """
    return _RulesSummary(check_rules(rules)).paragraph(key)


def building_effect(rules: RuleSet, building: int) -> str:
    """Say what a building does, by its number, in the words of the edition.

    >>> building_effect(RuleSet(edition="classic"), BUILDINGS.index("small_market"))
    'Your sale to the trading house brings 1 doubloon more.'
    """
    return _RulesSummary(check_rules(rules)).effect(BUILDINGS[building])


class _RulesSummary:
    """Writes the rules of one game."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.table: Any = rules.table[0]
        self.catalog = edition_words(rules.edition)
        self.language = language_of(rules.edition)
        self.words = self._words()

    def lines(self) -> Iterator[str]:
        """The aim, the round, the roles, the end, expansions and buildings."""
        said, colon = self.language.rules, self.language.labels["colon"]
        yield from (self._say(said[key]) for key in ("aim", "spaces", "round"))
        for role, name in enumerate(ROLES):
            if self.table["role_in_play"][role] and role != Role.PROSPECTOR_2:
                paragraph = f"{self.catalog.role_names[name]}{colon}{said[name]}"
                yield f"- {self._say(paragraph)}"
        yield from (self._say(said[key]) for key in ("end", "score"))
        for module in ("citizens", "festival"):
            if module in self.rules.expansions:
                yield self._say(said[module])
        yield self._say(said["buildings"])
        if self.table["draft"] == Draft.BY_PLAYERS:
            yield said["draft"]
        yield from self._buildings()

    def _buildings(self) -> Iterator[str]:
        """Every building that is or may be for sale, cheap ones first."""
        table = self.table
        numbers = np.flatnonzero((table["copies"] > 0) | (table["draft_pool"] > 0))
        for number in sorted(numbers, key=lambda each: int(table["cost"][each])):
            row = self.catalog.building(BUILDINGS[number])
            figures = ", ".join(
                str(figure) for figure in (table["cost"][number], row.vp, row.column, row.circles)
            )
            name = printed(self.rules.edition, row.id)
            head = f"{name} ({figures}){self.language.labels['colon']}"
            yield f"- {self._say(head + self._does(row))}"

    def paragraph(self, key: str) -> str:
        """One of the paragraphs."""
        return self._say(self.language.rules[key])

    def effect(self, building: str) -> str:
        """What a building does, by its id."""
        return self._say(self._does(self.catalog.building(building)))

    def _does(self, row: Building) -> str:
        return self.language.buildings.get(row.id) or self._with_terms(row.text)

    def _say(self, sentence: str) -> str:
        """A paragraph in the words of the edition."""
        text = self.language.finish(sentence.format_map(self.words))
        return _SENTENCE_START.sub(lambda found: found[0].upper(), text)

    def _words(self) -> Words:
        """What the sentences above ask for."""
        table, edition = self.table, self.rules.edition
        prices = zip(GOODS, table["good_price"], strict=True)
        citizens, said = bool(table["citizens"]), self.language.rules
        words = Words(
            edition,
            **self.catalog.terms,
            players=str(self.rules.players),
            island_spaces=str(ISLAND_SPACES),
            city_spaces=str(CITY_SPACES),
            house_slots=str(HOUSE_SLOTS),
            picks=str(table["picks_per_round"]),
            row_size=str(table["row_size"]),
            pool=str(table["vp_pool"]),
            prices=", ".join(f"{printed(edition, good)} {price}" for good, price in prices),
        )
        for key, is_said in (
            ("hidden", table["vp_hidden"]),
            ("shortage", not citizens),
            ("citizens_score", citizens),
            ("and_citizens", citizens),
        ):
            words[key] = said[key].format_map(words) if is_said else ""
        return words

    def _with_terms(self, text: str) -> str:
        """The text of a building, which speaks the engine's words, in those of the edition."""
        if not self.table["citizens"]:
            text = text.replace(" and citizens", "")
        return _ENGINE_WORD.sub(lambda found: self._printed(found[0]), text)

    def _printed(self, word: str) -> str:
        if word.endswith(" phase"):
            return self.catalog.phase_names[word.removesuffix(" phase")]
        return self.words[_TERMS.get(word, word.replace(" ", "_"))]


_TERMS: Final = {"VP": "vp", "large indigo plant": "indigo_plant"}
_ENGINE_WORD: Final = re.compile(
    r"\b(?:(?:settler|mayor|builder|craftsman|trader|captain) phase|trading house|coins?|VP|"
    r"workers?|citizens?|plantations?|quarry|quarries|forests?|large indigo plant|sugar mill|corn|"
    r"indigo|sugar|tobacco|coffee|privilege|circles?|columns?|deck|barrels?|goods|captain)\b"
)
"""The words in the texts of buildings that editions print in their own way."""
_SENTENCE_START: Final = re.compile(r"(?:^|(?<=[.] ))\w")
