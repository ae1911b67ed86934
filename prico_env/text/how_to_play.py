"""How the game of an edition is played, for somebody who has never seen it.

Everything comes from the rules in short, the buildings and the set-ups of the catalog, in the words
of the edition and in the language that is spoken; so the same parts make a page of the site, a page
of the table, and whatever else shows them.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from prico_env.catalog.draft import slots as slots_by_cost
from prico_env.catalog.model import PLAYER_COUNTS, Building
from prico_env.ruleset import RuleSet, check_rules
from prico_env.text.localization import edition_words, language_of
from prico_env.text.rules_summary import building_effect, rule_paragraph
from prico_env.text.terms import Words, capital, count_of, printed
from prico_env.vocabulary import EXPANSIONS, GOODS, ROLES, Good, Role

_OF_EXPANSION: Final = {
    "buildings": ("draft",),
    "citizens": ("citizens",),
    "smuggler": ("smuggler",),
    "festival": ("festival",),
}
"""The paragraphs of the rules in short that tell what an expansion changes."""


class TextTable(NamedTuple):
    """A table of words: what stands above the columns, and the rows."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Part(NamedTuple):
    """A part of the explanation.

    Attributes:
        key: Its name, the same in every language, which no other part has.
        title: Its heading.
        level: 2 for a main part, 3 for one within it.
        paragraphs: What it says.
        table: A table below that, if it has one.
    """

    key: str
    title: str
    level: int
    paragraphs: tuple[str, ...]
    table: TextTable | None = None


def how_to_play(rules: RuleSet) -> list[Part]:
    """Explain the game of an edition with so many players, and the expansions it has.

    >>> parts = how_to_play(RuleSet(3, "classic"))
    >>> [part.title for part in parts[:4]]
    ['What it is about', 'At the beginning', 'A round', 'The roles']
    >>> parts[4].title, parts[4].paragraphs[0][:33]
    ('Settler', 'Everybody takes one face-up tile;')

    Args:
        rules: The edition and the number of players; every expansion of the edition is explained,
            whether it is in the rule set or not.
    """
    return list(_HowToPlay(check_rules(rules)).parts())


class _HowToPlay:
    """Writes the parts for one edition and number of players."""

    def __init__(self, rules: RuleSet) -> None:
        self.edition, self.players = rules.edition, rules.players
        self.words = edition_words(rules.edition)
        self.language = language_of(rules.edition)
        self.base = RuleSet(rules.players, rules.edition)
        self.whole = RuleSet(rules.players, rules.edition, self.words.expansions)

    def say(self, key: str, **figures: str) -> str:
        """A heading or a sentence of this explanation."""
        said = self.language.guide[key].format_map(Words(self.edition, **figures))
        return capital(self.language.finish(said))

    def parts(self) -> Iterator[Part]:
        """All parts, in the order in which they are read."""
        yield self._told("aim", "aim", "spaces")
        yield Part("setup", self.say("setup"), 2, (self.say("setup_text"),), self._setups())
        yield self._told("round", "round")
        yield Part("roles", self.say("roles"), 2, (self.say("roles_text"),))
        yield from self._roles(self.base)
        yield Part("goods", self.say("goods"), 2, (self.say("goods_text"),), self._goods())
        yield Part(
            "buildings",
            self.say("buildings"),
            2,
            (self.say("buildings_text"),),
            self._buildings("base"),
        )
        yield self._told("end", "end", "score")
        yield from self._expansions()

    def _told(self, key: str, *paragraphs: str) -> Part:
        said = tuple(rule_paragraph(self.base, paragraph) for paragraph in paragraphs)
        return Part(key, self.say(key), 2, said)

    def _roles(self, rules: RuleSet) -> Iterator[Part]:
        """What each role does; the prospector once, however many there are of it."""
        for name in ROLES[: Role.PROSPECTOR_2]:
            title = capital(self.words.role_names[name])
            yield Part(f"role-{name}", title, 3, (rule_paragraph(rules, name),))

    def _setups(self) -> TextTable:
        """What lies there at the beginning, by the number of players."""
        setups = [self.words.setups[count] for count in PLAYER_COUNTS]
        rows: list[tuple[str, Iterable[object]]] = [
            ("setup_coins", (one.coins for one in setups)),
            ("setup_tiles", (self._tiles(one.starting_tiles) for one in setups)),
            ("setup_vp", (one.vp_pool for one in setups)),
            ("setup_workers", (one.worker_supply for one in setups)),
            ("setup_register", (one.register_workers for one in setups)),
            ("setup_row", (one.row_size for one in setups)),
            ("setup_ships", (", ".join(map(str, one.ships)) for one in setups)),
            ("setup_prospectors", (one.prospectors for one in setups)),
            ("setup_picks", (one.picks_per_round for one in setups)),
        ]
        return TextTable(
            (self.say("setup_players"), *map(str, PLAYER_COUNTS)),
            tuple((self.say(key), *map(str, figures)) for key, figures in rows),
        )

    def _tiles(self, tiles: tuple[Good, ...]) -> str:
        """Who begins with which tile: ``"2 Indigo, 2 Corn"``, the governor's kind first."""
        kinds = dict.fromkeys(tiles)
        return ", ".join(
            f"{tiles.count(kind)} {printed(self.edition, GOODS[kind])}" for kind in kinds
        )

    def _goods(self) -> TextTable:
        setup = self.words.setups[self.players]
        heads = ("goods_name", "goods_price", "goods_tiles", "goods_barrels")
        rows = (
            (
                capital(self.words.good_names[name]),
                str(self.words.good_price[good]),
                str(setup.plantations[good]),
                str(setup.goods[good]),
            )
            for good, name in enumerate(GOODS)
        )
        return TextTable(tuple(map(self.say, heads)), tuple(rows))

    def _buildings(self, module: str) -> TextTable:
        """The buildings that a part of the game brings, cheap ones first."""
        heads = ("building_name", "building_cost", "building_vp", "building_column")
        more = ("building_circles", "building_copies", "building_does")
        rows = sorted(
            (row for row in self.words.buildings if row.module == module),
            key=lambda row: (row.column, row.cost, row.number),
        )
        return TextTable(
            tuple(map(self.say, (*heads, *more))), tuple(self._building(row) for row in rows)
        )

    def _building(self, row: Building) -> tuple[str, ...]:
        figures = (row.cost, row.vp, row.column, row.circles, row.copies_for(self.players))
        name = capital(self.words.building_names[row.id])
        return (name, *map(str, figures), building_effect(self.whole, row.number))

    def _slots(self) -> str:
        """How many types of each cost are drafted."""
        coins = Words(self.edition)
        return ", ".join(
            f"{slots} × {count_of(coins, 'coin', cost)}"
            for cost, slots in slots_by_cost(with_citizens=False).items()
        )

    def _expansions(self) -> Iterator[Part]:
        """What each expansion of the edition adds."""
        there = [name for name in EXPANSIONS if name in self.words.expansions]
        if not there:
            return
        yield Part("expansions", self.say("expansions"), 2, (self.say("expansions_text"),))
        for name in there:
            rules = RuleSet(self.players, self.edition, (name,))
            told = [rule_paragraph(rules, key) for key in _OF_EXPANSION[name]]
            if name == "buildings":
                told.append(self.say("draft_slots", slots=self._slots()))
            has_buildings = any(row.module == name for row in self.words.buildings)
            title = self.language.page[f"expansion_{name}"]
            table: Any = self._buildings(name) if has_buildings else None
            yield Part(f"expansion-{name}", title, 3, tuple(told), table)
