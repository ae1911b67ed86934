"""Finds rules in `rules.md`: by their number, and by what they are about."""

import functools
import re
from pathlib import Path
from typing import Final, NamedTuple

from prico_env.errors import PricoError, did_you_mean
from prico_env.text.terms import BUILDING_CODES
from prico_env.vocabulary import BUILDINGS

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


ACTION_RULES: Final = {
    "pass": ("R-ROL-7", "R-CAP-2"),
    "role": ("R-ROL-1", "R-ROL-2", "R-ROL-4"),
    "take": ("R-STL-1", "R-STL-2", "R-STL-4", "R-HUT-1"),
    "draw": ("R-HAC-1", "R-HAC-2", "R-HAC-3"),
    "hospice": ("R-HOS-1", "R-HOS-2", "R-HOS-3"),
    "recall": ("R-MAY-5", "R-MAY-7", "R-MAY-8"),
    "place": ("R-MAY-5", "R-MAY-6", "R-MAY-7"),
    "build": ("R-BLD-1", "R-BLD-2", "R-BLD-3", "R-BLD-4", "R-BLD-5"),
    "privilege": ("R-CRA-7",),
    "sell": ("R-TRA-1", "R-TRA-2", "R-TRA-3", "R-TRA-4"),
    "load": ("R-CAP-2", "R-CAP-3", "R-CAP-4", "R-CAP-5"),
    "wharf": ("R-WHF-1", "R-WHF-2", "R-WHF-4"),
    "store": ("R-CAP-10", "R-CAP-11", "R-SWH-1", "R-LWH-1"),
    "keep": ("R-CAP-10", "R-CAP-11"),
    "gain": ("R-ROL-9",),
    "forest_row": ("R-FOH-2", "R-FOH-6"),
    "forest": ("R-FOH-1", "R-FOH-6"),
    "board": ("R-X1-2", "R-X1-3", "R-X1-4"),
    "post": ("R-TPO-1", "R-TPO-2", "R-TPO-3"),
    "small_wharf": ("R-SWF-1", "R-SWF-2"),
    "pay_worker": ("R-BLK-1", "R-BLK-2", "R-BLK-3", "R-BLK-5"),
    "pay_good": ("R-BLK-1", "R-BLK-2", "R-BLK-3"),
    "pay_vp": ("R-BLK-1", "R-BLK-2", "R-BLK-3"),
    "pay_citizen": ("R-BLK-1", "R-BLK-2", "R-BLK-3", "R-BLK-5"),
    "guest": ("R-GST-1", "R-GST-2", "R-GST-3"),
    "guest_citizen": ("R-GST-1", "R-GST-2", "R-GST-3"),
    "use": ("R-FOH-3", "R-LND-6"),
    "recall_citizen": ("R-MAY-5", "R-X2-8"),
    "place_citizen": ("R-MAY-5", "R-X2-8"),
    "deal": ("R-X2-6", "R-X2-7", "R-SMG-6"),
    "villa": ("R-VIL-1", "R-VIL-2", "R-VIL-3"),
    "supply": ("R-RSP-1", "R-RSP-4", "R-RSP-5"),
    "land_buy": ("R-LND-1", "R-LND-2", "R-LND-6"),
    "land_sell": ("R-LND-1", "R-LND-3", "R-LND-4"),
    "lodge": ("R-LDG-1", "R-LDG-3", "R-LDG-4"),
    "role_x3": ("R-SMG-2", "R-SMG-3"),
    "raid": ("R-SMG-4",),
    "plunder": ("R-SMG-5",),
    "poach": ("R-SMG-6",),
    "capture": ("R-SMG-7", "R-SMG-11", "R-SMG-14"),
}
"""The rules that decide each kind of action."""


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
    wanted = number.strip().upper()
    by_upper = {known.upper(): rule for known, rule in _rules().items()}
    if wanted in by_upper:
        return [by_upper[wanted]]
    family = [rule for known, rule in by_upper.items() if known.startswith(f"{wanted}-")]
    if not family:
        raise PricoError(f"no rule is called {number!r}{did_you_mean(wanted, rule_numbers())}")
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
    """Return in which phase a building works, and when exactly, by its number."""
    return _windows().get(BUILDING_CODES[building], f"{BUILDINGS[building]} is in no table")
