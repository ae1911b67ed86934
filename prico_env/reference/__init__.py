"""Pages that ship with the package: the rules, and what is generated from the tables.

`rules.md` is written by hand and decides what is right. The other pages are made by
``python -m prico_env.reference``, and a test fails when one of them is stale.
"""

from prico_env.reference.pages import PAGES, stale_pages, write_pages
from prico_env.reference.rulebook import Rule, find_rules, rule_numbers, rules_about

__all__ = [
    "PAGES",
    "Rule",
    "find_rules",
    "rule_numbers",
    "rules_about",
    "stale_pages",
    "write_pages",
]
