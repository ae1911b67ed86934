"""Every rule of the base game is cited by a test: its number stands in the test's docstring."""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RULEBOOK = HERE.parents[1] / "prico_env" / "reference" / "rules.md"
IDENTIFIER = re.compile(r"\b(?:R-[A-Z]{3}-\d+|(?:TV|TX|D|Q|I)-\d+[a-h]?|G\d{3})\b")

RULES = {
    # area: the numbers of its rules that the base game has
    "CMP": (1, 2),
    "SET": (1, 2, 4, 5, 6, 7, 8, 9, 10, 12),
    "INF": (1, 2, 3),
    "RND": (1, 2, 3, 4, 5),
    "ROL": (1, 2, 4, 5, 6, 7, 8, 9),
    "STL": (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14),
    "MAY": range(1, 14),
    "BLD": (1, 2, 3, 4, 5, 6, 9, 10, 11, 12),
    "CRA": (1, 2, 4, 7),
    "TRA": range(1, 9),
    "CAP": range(1, 15),
    "PRO": (1,),
    "EOR": (2, 3, 4),
    "END": range(1, 6),
    "SCO": range(1, 6),
    "GEN": range(1, 9),
    "PRD": (1, 2, 3),
    "SMK": (1, 2),
    "HAC": range(1, 8),
    "HUT": (1, 2, 4),
    "SWH": (1, 2, 3),
    "HOS": (1, 2, 3, 6),
    "OFF": range(1, 5),
    "LMK": (1,),
    "LWH": (1,),
    "FAC": (1, 2, 3),
    "UNI": (1, 2, 3, 5),
    "HBR": (1, 2),
    "WHF": range(1, 8),
    "GUI": (1,),
    "RES": (1,),
    "FRT": (1,),
    "CUS": (1,),
    "CTY": (1,),
}
DIFFERENCES = (*range(1, 31), 32, 33, 34, 70, 82)
AMBIGUITIES = (
    *range(1, 22), 23, 33, *range(34, 41), 42, 43, 44, 45, 46, 47, 49, 56, *range(59, 64), 68,
    71, 77, 78, 79, 86, 94, 95, 96, 97, 99, 100, 101, 102, 104, 105, 106, 108, 153,
)  # fmt: skip
PRINTED = (
    "01", "02", "03", "04", "05a", "05b", "05c", "05d", "05e", "05f", "05g", "05h",
    *(f"{number:02}" for number in range(6, 25)), "39", "40",
)  # fmt: skip
DERIVED = (
    *range(1, 14), *range(16, 24), 25, 26, 27, 28, 33, 34, 35, 39, 42, 43, 44, 45, 50, 51, 53, 54,
    55, 56, 58, 79, 80,
)  # fmt: skip
INVARIANTS = (
    1, 2, 3, 4, 5, 7, 8, 9, *range(10, 19), 20, 21, 22, 23, 24, 25, 26, 28, 29, 30, 31, 32, 33,
)  # fmt: skip
CASES = (
    1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37,
    38, 40, 41, 43, 44, 46, 47, 49, 50, 52, 53, 55, 56, 58, 59, 61, 62, 64, 65, 67, 68, 70, 71, 73,
    74, 76, 77, 79, 80, 82, 83, 85, 86, 88, 89, 91, 92, 94, 95, 97, 98, 101, 142, 146, 148, 152,
    154, 155, 163, 167,
)  # fmt: skip

WANTED = [
    *(f"R-{area}-{number}" for area, numbers in RULES.items() for number in numbers),
    *(f"D-{number:02}" for number in DIFFERENCES),
    *(f"Q-{number:02}" for number in AMBIGUITIES),
    *(f"TV-{number}" for number in PRINTED),
    *(f"TX-{number:02}" for number in DERIVED),
    *(f"I-{number:02}" for number in INVARIANTS),
    *(f"G{number:03}" for number in CASES),
]


def cited_identifiers() -> set[str]:
    """Every identifier in the docstring of a test of this folder."""
    found: set[str] = set()
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update(IDENTIFIER.findall(ast.get_docstring(node) or ""))
    return found


CITED = cited_identifiers()


@pytest.mark.parametrize("identifier", WANTED)
def test_a_test_cites(identifier: str) -> None:
    """Each rule, difference, ambiguity, vector, invariant and case of the base game has a test."""
    assert identifier in CITED, f"no test of tests/rules cites {identifier} in its docstring"


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    """A mistyped number would count for nothing."""
    rules = RULEBOOK.read_text(encoding="utf-8")
    numbers = {identifier for identifier in CITED if not identifier.startswith(("G", "TV", "TX"))}
    unknown = {identifier for identifier in numbers if not re.search(rf"{identifier}\b", rules)}
    assert not unknown
