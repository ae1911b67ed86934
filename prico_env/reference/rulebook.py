"""Finds rules in `rules.md`: by their number, and by what they are about."""

import functools
import re
from pathlib import Path
from typing import Final, NamedTuple

from prico_env.arguments import words
from prico_env.errors import PricoError, did_you_mean, quoted
from prico_env.vocabulary import BUILDING_CODES, BUILDING_ROWS

PAGE: Final = Path(__file__).with_name("rules.md")

_HEADING: Final = re.compile(r"#+ (?P<title>.+)")
_BULLET: Final = re.compile(
    r"- \*\*(?P<number>[A-Z0-9]+(?:-[A-Z0-9]+)?-\d+)(?P<title>[^*]*)\*\* ?(?P<text>.*)"
)
_ROW: Final = re.compile(r"\| (?P<number>[A-Z]+-\d+[a-z]?)(?: ≡)? \| (?P<text>.*) \|")
_WINDOW: Final = re.compile(r"\| (?P<codes>[A-Z]{3}(?:, [A-Z]{3})*) \| [^|]+ \| (?P<where>.+) \|")


class Rule(NamedTuple):
    """One numbered entry of the rules.

    Attributes:
        number: Its identifier, such as ``"R-CAP-3"``.
        text: What it says, without the identifier.
        section: The heading it stands under.
        line: Its line in `rules.md`, from 1.
    """

    number: str
    text: str
    section: str
    line: int


@functools.cache
def _rules() -> dict[str, Rule]:
    """Read every numbered entry of the page."""
    found: dict[str, Rule] = {}
    section, number = "", ""
    for line_number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), start=1):
        if heading := _HEADING.fullmatch(line):
            section, number = heading["title"].rstrip("#").strip(), ""
        elif bullet := _BULLET.match(line):
            number = bullet["number"]
            text = " ".join(part for part in (bullet["title"].strip(), bullet["text"]) if part)
            found.setdefault(number, Rule(number, text, section, line_number))
        elif row := _ROW.match(line):
            number = row["number"]
            found.setdefault(number, Rule(number, row["text"], section, line_number))
        elif number and line.startswith(" ") and line.strip():
            found[number] = found[number]._replace(text=f"{found[number].text}\n{line.strip()}")
        else:
            number = ""
    return found


def rule_numbers() -> tuple[str, ...]:
    """Return the identifiers of all rules, in the order of the page."""
    return tuple(_rules())


def find_rules(number: str) -> list[Rule]:
    """Return a rule by its identifier, or all rules that share the start of one.

    >>> find_rules("r-pro-1")[0].section
    'B.8 Prospector'
    >>> [rule.number for rule in find_rules("R-EOR")]
    ['R-EOR-1', 'R-EOR-2', 'R-EOR-3', 'R-EOR-4']

    Raises:
        PricoError: If there is no such rule.
    """
    wanted = words(number, "the number of a rule").strip().upper()
    by_upper = {known.upper(): rule for known, rule in _rules().items()}
    if wanted in by_upper:
        return [by_upper[wanted]]
    family = [rule for known, rule in by_upper.items() if known.startswith(f"{wanted}-")]
    if not family:
        raise PricoError(
            f"no rule is called {quoted(number)}{did_you_mean(wanted, rule_numbers())}"
        )
    return family


def rules_about(building: int) -> list[Rule]:
    """Return the rules about a building, by its number."""
    code = BUILDING_CODES[building]
    own = [rule for rule in _rules().values() if rule.number.startswith(f"R-{code}-")]
    return own or [rule for rule in _rules().values() if rule.number.startswith("R-PRD-")]


@functools.cache
def _windows() -> dict[str, str]:
    """Read when each building works from the table of codes (C.1)."""
    windows: dict[str, str] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if row := _WINDOW.fullmatch(line):
            for code in row["codes"].split(", "):
                windows[code] = ": ".join(part.strip() for part in row["where"].split("|"))
    return windows


def window_of(building: int) -> str:
    """Return in which phase a building works, and when exactly, by its number.

    One that is not in the rules works when the first building with its power does.
    """
    power = BUILDING_ROWS[building].power
    alike = [row.code for row in BUILDING_ROWS if power is not None and row.power == power]
    windows = _windows()
    found = [windows[code] for code in (BUILDING_CODES[building], *alike) if code in windows]
    return found[0] if found else "a way of its own, which the rules (C.1) do not list"
