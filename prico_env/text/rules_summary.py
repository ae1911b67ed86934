"""The rules of one game in short, with its numbers: what never changes while it is played.

Together with `position_text` this is all that somebody needs to play who has never seen the game.
The sentences are English; the names are those printed in the edition.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from prico_env.catalog import load
from prico_env.core.rules import Draft
from prico_env.ruleset import RuleSet
from prico_env.text.terms import Words, printed
from prico_env.vocabulary import CITY_SPACES, GOODS, HOUSE_SLOTS, ISLAND_SPACES, Role

_AIM: Final = (
    "Puerto Rico for {players} players. Who has most {vp} when the game ends has won; of equals "
    "who has more {coins} and {barrels} together.",
    "Everybody has {island_spaces} spaces for {plantations} and {quarries} ({island}) and "
    "{city_spaces} for buildings ({city}). All of them work only while {workers} stand on their "
    "{circles}: 0/1 is one {circle} with nobody on it. {workers} not placed wait on the "
    "{portrait}.",
    "A round: beginning with the {governor}, clockwise, {picks} role cards are taken, one at a "
    "time; who takes a card takes the {coins} on it. At once everybody acts in the phase of that "
    "role, first who took it, who alone has the {privilege}. At the end of the round every card "
    "left over gets 1 {coin}, all cards come back, and the next player is {governor}.",
)
_ROLES: Final = {
    Role.SETTLER: "everybody takes one face-up tile; the rest are laid aside and {row_size} new "
    "ones turned up. {privilege}: a {quarry} instead.",
    Role.MAYOR: "{workers} on the {register} are dealt out one at a time; then everybody "
    "rearranges all own {workers}; no {circle} stays empty while somebody is on the {portrait}. "
    "Then the {register} gets one for each empty {circle} in buildings, {players} at least. "
    "{privilege}: 1 {worker} from the supply.",
    Role.BUILDER: "everybody may buy one building, each type once. Every occupied {quarry} makes "
    "it 1 {coin} cheaper, up to the building's {column}. {privilege}: 1 {coin} cheaper.",
    Role.CRAFTSMAN: "everybody produces: a {barrel} for each occupied {plantation}, if an occupied "
    "{circle} of a building for that good matches it; {corn} needs no building. {privilege}: 1 "
    "more {barrel} of a kind produced.",
    Role.TRADER: "everybody may sell one {barrel} to the {trading_house} ({house_slots} spaces, "
    "every kind once, emptied after the phase if full) for {prices}. {privilege}: 1 {coin} more.",
    Role.CAPTAIN: "round and round, everybody who can must load all {barrels} of one kind that fit "
    "on a ship, for 1 {vp} each; a ship takes one kind, and no kind is on two ships. Ends when "
    "nobody can load. Then everybody keeps 1 {barrel}, and what warehouses keep; full ships are "
    "emptied. {privilege}: 1 {vp} more with the first load.",
    Role.PROSPECTOR_1: "nobody acts. {privilege}: 1 {coin}.",
    Role.SMUGGLER: "only who took it acts: empties a ship (keeps up to 3 {barrels}) or the "
    "{trading_house} (1 {vp} a {barrel}), takes up to 3 {workers} that the {register} holds beyond "
    "{players}, or captures a free role card with its {coins}, to play it last in the round; if "
    "somebody else takes that card before, 3 {coins}. Who holds the tile cannot take the card "
    "again.",
}
_END: Final = (
    "The game ends with the round in which {shortage}the last of the {pool} {vp} is gained or "
    "somebody fills all {city_spaces} spaces for buildings.",
    "The score: {vp} gained, printed {vp} of all buildings, what occupied large buildings "
    "bring{citizens_score}.{hidden}",
)
_CITIZENS: Final = (
    "{citizens} count as {workers} and stand on any {circle}; some buildings do other things for "
    "them. Each is 1 {vp} in the end; the {register} gets one of them every time."
)
_FESTIVAL: Final = (
    "The festival: whoever first has three {plantations} of the kind shown gets up to 3 {workers}, "
    "whoever produces the {barrels} shown in one phase 3 {coins}, whoever buys the building shown "
    "3 {vp}."
)
_DRAFT: Final = "Before the first round the players choose which of these buildings are for sale."


def rules_text(rules: RuleSet) -> str:
    """Say how a game is played, with its figures and the printed names, one thing a line.

    >>> print(rules_text(RuleSet(players=3, edition="classic")).splitlines()[0])
    Puerto Rico for 3 players. Who has most VP when the game ends has won; ...
    """
    return "\n".join(_Primer(rules).lines())


class _Primer:
    """Writes the rules of one game."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.table: Any = rules.table[0]
        self.catalog = load(rules.edition)
        self.words = self._words()

    def lines(self) -> Iterator[str]:
        """The aim, the round, the roles, the end, expansions and buildings."""
        yield from map(self._say, _AIM)
        for role, sentence in _ROLES.items():
            if self.table["role_in_play"][role]:
                name = self.catalog.role_names[role.name.lower()]
                yield f"- {self._say(f'{name}: {sentence}')}"
        yield from map(self._say, _END)
        if "citizens" in self.rules.expansions:
            yield self._say(_CITIZENS)
        if "festival" in self.rules.expansions:
            yield self._say(_FESTIVAL)
        yield self._say("Buildings (cost, {vp}, {column}, {circles}):")
        if self.table["draft"] == Draft.BY_PLAYERS:
            yield _DRAFT
        yield from self._buildings()

    def _buildings(self) -> Iterator[str]:
        """Every building that is or may be for sale, cheap ones first."""
        table = self.table
        numbers = np.flatnonzero((table["copies"] > 0) | (table["draft_pool"] > 0))
        for number in sorted(numbers, key=lambda each: int(table["cost"][each])):
            row = self.catalog.buildings[number]
            figures = ", ".join(
                str(figure) for figure in (table["cost"][number], row.vp, row.column, row.circles)
            )
            name = printed(self.rules.edition, row.id)
            yield f"- {self._say(f'{name} ({figures}): {self._in_words(row.text)}')}"

    def _say(self, sentence: str) -> str:
        """A paragraph in the words of the edition."""
        text = _A_BEFORE_A_VOWEL.sub("n", sentence.format_map(self.words))
        return _SENTENCE_START.sub(lambda found: found[0].upper(), text)

    def _words(self) -> Words:
        """What the sentences above ask for."""
        table, edition, terms = self.table, self.rules.edition, self.catalog.terms
        prices = zip(GOODS, table["good_price"], strict=True)
        citizens = bool(table["citizens"])
        return Words(
            edition,
            **terms,
            players=str(self.rules.players),
            island_spaces=str(ISLAND_SPACES),
            city_spaces=str(CITY_SPACES),
            house_slots=str(HOUSE_SLOTS),
            picks=str(table["picks_per_round"]),
            row_size=str(table["row_size"]),
            pool=str(table["vp_pool"]),
            prices=", ".join(f"{printed(edition, good)} {price}" for good, price in prices),
            hidden=f" The {terms['vp']} of others are hidden." if table["vp_hidden"] else "",
            shortage="" if citizens else f"the {terms['register']} cannot be filled, ",
            citizens_score=f", 1 for each of the {terms['citizens']}" if citizens else "",
        )

    def _in_words(self, text: str) -> str:
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
_A_BEFORE_A_VOWEL: Final = re.compile(r"(?<=\ba)(?= [aeioAEIO])")
_SENTENCE_START: Final = re.compile(r"(?:^|(?<=[.] ))[a-z]")
