"""All rule sets that come along, and which of them are not for training."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from prico_env import ALL_EXPANSIONS, RuleSet
from prico_env.ruleset import every_rule_set

_OF_THE_NAME: Final = ("players", "edition", "expansions")


def rule_set_name(rules: RuleSet) -> str:
    """A short name of a rule set, with the options that are its own.

    >>> rule_set_name(RuleSet(3, "classic", ("buildings", "citizens")))
    'classic+buildings+citizens 3p'
    >>> rule_set_name(RuleSet(4, vp_pool=60))
    '1897-en 4p vp_pool=60'
    """
    own = {name: value for name, value in rules.to_dict().items() if name not in _OF_THE_NAME}
    options = "".join(f" {name}={value}" for name, value in own.items())
    return f"{'+'.join((rules.edition, *rules.expansions))} {rules.players}p{options}"


HELD_OUT: Final = tuple(
    RuleSet(players, edition, expansions)
    for edition, expansions, players in (
        ("1897-de", (), 5),
        ("1897-de", ("buildings", "citizens"), 3),
        ("1897-de", ("buildings", "citizens", "smuggler"), 5),
        ("1897-de", ("buildings", "festival"), 2),
        ("1897-de", ("buildings", "smuggler"), 4),
        ("1897-de", ("buildings", "smuggler", "festival"), 3),
        ("1897-de", ("citizens", "festival"), 2),
        ("1897-de", ("citizens", "smuggler"), 4),
        ("1897-de", ("citizens", "smuggler", "festival"), 2),
        ("1897-de", ("festival",), 4),
        ("1897-en", ("buildings",), 2),
        ("1897-en", ("buildings", "citizens"), 5),
        ("1897-en", ("buildings", "citizens", "festival"), 4),
        ("1897-en", ("buildings", "citizens", "smuggler", "festival"), 5),
        ("1897-en", ("buildings", "smuggler"), 2),
        ("1897-en", ("citizens",), 3),
        ("1897-en", ("citizens", "smuggler", "festival"), 3),
        ("1897-en", ("festival",), 5),
        ("1897-en", ("smuggler",), 3),
        ("1897-en", ("smuggler", "festival"), 4),
        ("classic", (), 3),
        ("classic", ("buildings",), 2),
        ("classic", ("buildings", "citizens"), 5),
        ("classic", ("citizens",), 4),
    )
)
"""The rule sets of `generalist-v1` that are not for training.

Six of each number of players; ten of either edition of 1897 and four of the classic one; in those
of 1897 each expansion is in half of them, each pair of expansions in about a quarter, and each
combination occurs once or twice. None has a suite of its own.
"""

WITH_A_SUITE: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {f"base-{players}p": RuleSet(players) for players in (4, 2, 3, 5)}
    | {f"{edition}-4p": RuleSet(4, edition) for edition in ("classic", "1897-de")}
    | {f"{one}-4p": RuleSet(4, expansions=(one,)) for one in ALL_EXPANSIONS}
    | {"all-expansions-4p": RuleSet(4, expansions=ALL_EXPANSIONS)}
)
"""The rule sets that have a suite of their own, by its name without the version."""

MIXES: Final[Mapping[str, tuple[RuleSet, ...]]] = MappingProxyType({
    "every": tuple(every_rule_set()),
    "every-but-held-out": tuple(each for each in every_rule_set() if each not in HELD_OUT),
    "with-a-suite": tuple(WITH_A_SUITE.values()),
})  # fmt: skip
"""Rule sets that are learnt together, by name."""


def expand_mix(mix: Iterable[str | RuleSet]) -> tuple[RuleSet, ...]:
    """The rule sets of a mix in which some stand by a name of `MIXES`.

    >>> len(expand_mix(["with-a-suite", RuleSet(2)]))
    12
    """
    return tuple(
        rules for each in mix for rules in (MIXES[each] if isinstance(each, str) else (each,))
    )
