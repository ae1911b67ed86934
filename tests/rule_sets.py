"""Every rule set there is, switches apart: editions, expansions and numbers of players.

>>> len(ALL_RULE_SETS), len(set(ALL_RULE_SETS))
(144, 144)
"""

import itertools

from prico_env import ALL_EXPANSIONS, RuleSet, catalog
from prico_env.ruleset import every_rule_set

X1 = ("buildings",)
X1_AND_X2 = ("buildings", "citizens")
BOARD = (
    "hacienda", "harbor", "wharf", "residence", "fortress", "city_hall", "aqueduct",
    "forest_house", "storehouse", "guest_house", "trading_post", "church", "small_wharf",
    "lighthouse", "library", "cloister", "statue",
)  # fmt: skip
"""A board of 17 types, by their numbers."""
LARGE_BOARD = (
    "small_market", "hacienda", "construction_hut", "small_warehouse", "hospice", "office",
    "large_market", "large_warehouse", "factory", "university", "harbor", "wharf", "guild_hall",
    "residence", "fortress", "customs_house", "city_hall", "trading_post", "land_office", "chapel",
    "hunting_lodge", "royal_supplier", "villa", "jeweler", "royal_garden",
)  # fmt: skip
"""A board of 25 types where those of the citizens compete, by their numbers."""


def modules_of(edition: str) -> tuple[tuple[str, ...], ...]:
    """Every choice among the expansions of an edition, the base game first."""
    there = catalog.load(edition).expansions
    return tuple(
        modules for size in range(len(there) + 1) for modules in itertools.combinations(there, size)
    )


ALL_RULE_SETS = every_rule_set()
"""The 144 of them, as each edition has them: with the new buildings, players draft the board."""

BASE_RULE_SETS = tuple(rules for rules in ALL_RULE_SETS if not rules.expansions)
"""The base game in each edition at each number of players."""

EXPANDED_RULE_SETS = (
    RuleSet(2, "classic", X1),
    RuleSet(3, "classic", X1_AND_X2),
    RuleSet(5, "classic", ("citizens",)),
    RuleSet(2, "1897-de", ALL_EXPANSIONS),
    RuleSet(4, "1897-de", ("smuggler", "festival")),
    RuleSet(5, "1897-de", ("buildings", "smuggler"), board="random"),
    RuleSet(3, "1897-en", ("citizens", "festival")),
    RuleSet(4, "1897-en", ALL_EXPANSIONS, board=LARGE_BOARD),
    RuleSet(5, "1897-en", ALL_EXPANSIONS),
)
"""A few rule sets where all 144 would take too long: each expansion, edition and way to a board."""


def rule_set_id(rules: RuleSet) -> str:
    """A short name of a rule set for the list of tests: ``1897-en-X1X4-3p``."""
    numbers = "".join(
        f"X{number}"
        for number, name in enumerate(("buildings", "citizens", "smuggler", "festival"), 1)
        if name in rules.expansions
    )
    board = "" if rules.board in ("standard", "draft") else "-board"
    return f"{rules.edition}-{numbers or 'base'}-{rules.players}p{board}"
