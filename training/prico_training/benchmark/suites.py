"""The suites of `prico benchmark`: which games, among whom, and what a decision may take.

A suite never changes. Its name ends with its version, and its hash, which every result names,
covers all that decides what is played: rule sets, deals, opponents by content, and this protocol.
Whoever changes any of it gives the suite a new version.
"""

import functools
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from prico_env import ALL_EXPANSIONS, RuleSet
from prico_env.arguments import words
from prico_env.errors import did_you_mean, quoted
from prico_env.ruleset import every_rule_set
from prico_env.serialization.transcript import RULES_VERSION
from prico_training.errors import ConfigError
from prico_training.rule_sets import HELD_OUT, WITH_A_SUITE, rule_set_name

PROTOCOL: Final = 1
"""Version of how a suite is played: the candidate alone among copies of each opponent, each deal
from every seat, the chance of each seat from the deal."""
EDITIONS: Final = ("classic", "1897-en", "1897-de")
"""The editions that come along; suites know no others that a machine may have."""
NETWORK: Final = "governor"
"""The trained network that comes along; it plays the base game alone."""
_HASH_DIGITS: Final = 16


class Opponent(NamedTuple):
    """An opponent by content."""

    name: str
    """As `load_agent` knows it."""
    parameters: str
    """Digest of its weights; see `identity.parameters_digest`."""
    play: str
    """Digest of how it plays fixed games; see `identity.play_digest`."""


OPPONENTS: Final = (
    Opponent("corn", "1012b0f512459d6a", "c98f975ce250ed9c"),
    Opponent("trader", "79ac8bb5dfcc7efd", "5ced082b37acbcc9"),
    Opponent("builder", "4935af099e044b57", "c6ae27cd89073ac4"),
    Opponent("planner", "c265007c1d66194e", "e419cdf8086d7bda"),
    Opponent(NETWORK, "a7574e7e9920c4ff", "bb5d01bb1ff3b0c8"),
)
"""The opponents of all suites of version 1.

If one of them plays otherwise one day, these suites stay as they are, and their new versions get
opponents of their own.
"""
STYLE_OPPONENTS: Final = (
    Opponent("style:16", "deea604a39581fde", "15bac5083a4e2410"),
    Opponent("style:17", "51209c630463af25", "484f7e379b434baf"),
    Opponent("style:18", "c1978af5c8f9405c", "fd1298f0446edd2d"),
    Opponent("style:19", "5f95f80d0a6ffa49", "95098b336ca9aa89"),
    Opponent("style:20", "80964699a86128c7", "454601675a06a45c"),
    Opponent("style:21", "47e7581c0bb85b85", "1733908e72bc5576"),
    Opponent("style:22", "a8ddbbf9b4e4b0fe", "997ed7dc665becc3"),
    Opponent("style:23", "0855ce5985226a26", "e7e458d18fac246b"),
    Opponent("style:40", "27d8697f6fe3d9af", "44712937e77dc1c6"),
    Opponent("style:41", "2c84f4be7c4551be", "3f9362081d28a1f6"),
    Opponent("style:42", "890841ebfd45e559", "87c77eda6026f2b5"),
    Opponent("style:43", "a63fc0964793ccec", "a0bfd1302c993dd5"),
    Opponent("style:44", "0a757c196c8bb9aa", "b3c946e18d2a1749"),
    Opponent("style:45", "2f5e79e281122c8a", "077e69111c8deda5"),
    Opponent("style:46", "ad8e9284bbfbdcbf", "a4847da754932636"),
    Opponent("style:47", "928780e4a04ba9dd", "fe7ac2528d85a57f"),
    Opponent("style:64", "51764ba4bef8731f", "f600f4ab86186fa5"),
    Opponent("style:65", "4d07e7f1e54f6e26", "705b053400e3275e"),
    Opponent("style:66", "314a81befe971f4d", "a3b79161b878e09f"),
    Opponent("style:67", "eec0ad093b9eab56", "2cd4c1e1db454105"),
    Opponent("style:68", "ec939f0203c38a3b", "5f301894029af01a"),
    Opponent("style:69", "65482bfafc7a8e1c", "a10f5d6ed832e924"),
    Opponent("style:70", "4ac71279db677fe1", "3af1038dd506e531"),
    Opponent("style:71", "0d616e81cc86c5e6", "fceba803db3f8613"),
)
"""The styles that are held out, three of each kind: nobody may train with them who is measured
among them. See `prico_agents.heuristics.style`."""


@dataclass(frozen=True)
class Suite:
    """A fixed set of games."""

    name: str
    """Ends with its version: ``base-4p-v1``."""
    title: str
    """What it asks, in a few words."""
    rule_sets: tuple[RuleSet, ...]
    """What is played; each rule set counts the same."""
    deals: int
    """Deals of each rule set; each is played from every seat among copies of every opponent."""
    seed: int = 20_260_000
    """The first deal of the first rule set; the others follow."""
    panel: tuple[Opponent, ...] = OPPONENTS
    """Who the opponents are."""
    held_out: tuple[RuleSet, ...] = ()
    """Rule sets that nobody may train on who enters the suite; they are reported apart, too."""
    decision_seconds: float = 1.0
    """The budget of time for a decision. Whoever exceeds it is told so in the table."""
    forfeit_seconds: float = 60.0
    """Longest time for one decision; who takes longer loses the game."""

    def opponents(self, rules: RuleSet) -> tuple[str, ...]:
        """The names of those who sit around the candidate in games of a rule set."""
        names = (opponent.name for opponent in self.panel)
        return tuple(name for name in names if name != NETWORK or not rules.expansions)

    @property
    def all_opponents(self) -> tuple[str, ...]:
        """The names of all who are opponents in some rule set."""
        return tuple(self.contents)

    @property
    def contents(self) -> dict[str, Opponent]:
        """All who are opponents in some rule set, by name."""
        there = {name for rules in self.rule_sets for name in self.opponents(rules)}
        return {opponent.name: opponent for opponent in self.panel if opponent.name in there}

    @property
    def games_of_a_deal(self) -> int:
        """Games of one deal of every rule set."""
        return sum(rules.players * len(self.opponents(rules)) for rules in self.rule_sets)

    @functools.cached_property
    def hash(self) -> str:
        """Digest of all that decides what is played, and of the budget."""
        page = {
            "protocol": PROTOCOL,
            "rules_version": RULES_VERSION,
            "name": self.name,
            "rule_sets": [rule_set_name(rules) for rules in self.rule_sets],
            "held_out": [rule_set_name(rules) for rules in self.held_out],
            "deals": self.deals,
            "seed": self.seed,
            "opponents": {one.name: one[1:] for one in self.contents.values()},
            "seconds": [self.decision_seconds, self.forfeit_seconds],
        }
        return digest_of(page)


def digest_of(page: Any) -> str:
    """Digest of plain values."""
    text = json.dumps(page, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_DIGITS]


_DEALS: Final = 250
"""Deals of a suite of one rule set: its win rates are known to about one point."""
_DEALS_OF_STYLES: Final = 100
"""Deals among many opponents: the mean win rate is known to about one point, one to three."""
_DEALS_OF_EACH: Final = 6
"""Deals of each of many rule sets."""


_BASE_GAME: Final = "the base game of 1897"
_EDITIONS: Final = {"classic": "the classic edition", "1897-de": "the German edition of 1897"}


def _title(rules: RuleSet) -> str:
    """What a suite of one rule set is about."""
    if rules.expansions == ALL_EXPANSIONS:
        return "with all four expansions"
    if rules.expansions:
        return f"with the {rules.expansions[0]} expansion"
    return _EDITIONS.get(rules.edition) or f"{_BASE_GAME}, {rules.players} players"


def _suites() -> Iterator[Suite]:
    for name, rules in WITH_A_SUITE.items():
        yield Suite(f"{name}-v1", _title(rules), (rules,), _DEALS)
    yield Suite(
        "generalist-v1",
        "all editions, expansions and numbers of players",
        tuple(every_rule_set()),
        _DEALS_OF_EACH,
        held_out=HELD_OUT,
    )
    yield Suite(
        "styles-4p-v1",
        f"{_BASE_GAME}, among 24 held-out styles of play",
        (RuleSet(4),),
        _DEALS_OF_STYLES,
        panel=STYLE_OPPONENTS,
    )


SUITES: Final[Mapping[str, Suite]] = MappingProxyType({suite.name: suite for suite in _suites()})
"""Every suite by its name."""


def find_suite(name: str) -> Suite:
    """Return the suite of a name.

    Raises:
        ConfigError: There is none.
    """
    if words(name, "the name of a suite", ConfigError) not in SUITES:
        raise ConfigError(
            f"no suite is called {quoted(name)}{did_you_mean(name, SUITES)} "
            f"(there are: {', '.join(SUITES)})"
        )
    return SUITES[name]
