"""Every rule of the rulebook is cited by a test: its number stands in the test's docstring.

The numbers are read from the rulebook itself, so a rule that is added there wants a test here.
"""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
RULEBOOK = (TESTS.parent / "prico_env" / "reference" / "rules.md").read_text(encoding="utf-8")
IDENTIFIER = re.compile(r"\b(?:R-(?:[A-Z]{3}|X[12])-\d+|(?:TV|TX|D|Q|I)-\d+[a-h]?|G\d{3})\b")

DEFINITIONS = {
    # what: how the rulebook introduces one, and how many it has
    "rule": (r"^- \*\*(R-(?:[A-Z]{3}|X[12])-\d+)\b", 325),
    "difference": (r"^\| (D-\d+)\b", 85),
    "ambiguity": (r"^- \*\*(Q-\d+)\b", 153),
    "printed example": (r"^\| (TV-\d+[a-h]?)\b", 48),
    "vector": (r"\b(TX-\d+)\b", 85),
    "invariant": (r"^- \*\*(I-\d+)\b", 33),
}
RULES = {
    what: sorted(set(re.findall(pattern, RULEBOOK, re.MULTILINE)))
    for what, (pattern, _) in DEFINITIONS.items()
}
CASES = [f"G{number:03}" for number in range(1, 168) if number % 3]
"""Situations that somebody got wrong in public. Their numbers leave out every third."""
ABOUT_INTERFACES = {
    "G143": "masks of agents that wait",
    "G145": "rewards that are counted twice",
    "G149": "metadata and render modes",
    "G151": "the type of a mask, and spaces that stay the same object",
    "G157": "whose reward a wrapper returns",
    "G158": "masks at prediction and evaluation",
    "G160": "what a mask belongs to after an autoreset",
    "G161": "advantages at the end of a game, and the learner's seat",
    "G164": "random baselines and masks",
    "G166": "shaping that changes who is better",
}
"""Cases that are no rule of play; tests of environments, agents and training cite them."""


def cited_in(*folders: Path) -> set[str]:
    """Every identifier in the docstring of a test of these folders."""
    found: set[str] = set()
    for path in sorted(path for folder in folders for path in folder.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update(IDENTIFIER.findall(ast.get_docstring(node) or ""))
    return found


CITED = cited_in(*(TESTS / room for room in ("rules", "text", "render", "serialization")))


@pytest.mark.parametrize("what", DEFINITIONS)
def test_the_rulebook_has_as_many(what: str) -> None:
    """A pattern that finds less than there is would ask for less."""
    assert len(RULES[what]) == DEFINITIONS[what][1]


@pytest.mark.parametrize("identifier", [name for names in RULES.values() for name in names])
def test_a_test_cites(identifier: str) -> None:
    """Each rule, difference, ambiguity, example, vector and invariant has a test."""
    assert identifier in CITED, f"no test of the rules cites {identifier} in its docstring"


@pytest.mark.parametrize("case", [case for case in CASES if case not in ABOUT_INTERFACES])
def test_a_test_cites_the_case(case: str) -> None:
    """Each case that is about the rules of play has a test among those of the rules."""
    assert case in CITED, f"no test of the rules cites {case} in its docstring"


def test_cases_about_interfaces_are_cited_where_interfaces_are_tested() -> None:
    """They are no rules of play, and no gap either."""
    others = cited_in(*(TESTS / room for room in ("agents", "contract", "training")))
    assert set(ABOUT_INTERFACES) <= others


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    """A mistyped number would count for nothing."""
    known = {name for names in RULES.values() for name in names} | set(CASES)
    assert not {identifier for identifier in CITED if identifier not in known}
