"""What a line of `games.jsonl` must be, field by field, before anything is counted from it."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.core.scoring import SCORE_PARTS
from prico_env.errors import quoted
from prico_env.vocabulary import BUILDINGS, NUM_ROLES
from prico_training.arena.game_table import ENDS, LATER_FIELDS, OUTCOMES
from prico_training.arena.settings import FORMATS


class _Kind(NamedTuple):
    """A kind of value.

    Attributes:
        words: What a value of this kind is called.
        fits: Whether a value is of this kind in a game with so many seats.
    """

    words: str
    fits: Callable[[Any, int], bool]


def wrong_field(line: Mapping[str, Any]) -> str:
    """Say which field of a game is missing or of the wrong kind; empty if none is."""
    table = line.get("table")
    seats = len(table) if isinstance(table, list) else 0
    for name, kind in _FIELDS.items():
        if name not in line:
            if name in LATER_FIELDS:
                continue
            return f"lacks {name!r}"
        if not kind.fits(line[name], seats):
            return f"has {quoted(line[name])} as {name!r}, which should be {kind.words}"
    return ""


def _whole(low: int, high: int = np.iinfo(np.int64).max) -> _Kind:
    return _Kind(
        f"whole, {low} or more",
        lambda value, seats: type(value) is int and low <= value <= high,
    )


def _number(high: float, words: str) -> _Kind:
    return _Kind(
        words,
        lambda value, seats: (
            type(value) in (int, float) and 0 <= value <= high and math.isfinite(value)
        ),
    )


def _one_of(words: Iterable[str]) -> _Kind:
    known = frozenset(words)
    return _Kind(
        f"one of {', '.join(sorted(known))}" if len(known) <= len(OUTCOMES) else "a name of ours",
        lambda value, seats: isinstance(value, str) and value in known,
    )


def _listed(kind: _Kind, size: int | None = None) -> _Kind:
    """A list of values of a kind, as many as it says, or any number."""
    return _Kind(
        f"a list, each {kind.words}",
        lambda value, seats: (
            isinstance(value, list)
            and (size is None or len(value) == size)
            and all(kind.fits(one, seats) for one in value)
        ),
    )


def _each_seat(kind: _Kind) -> _Kind:
    """A list with a value for each seat."""
    return _Kind(
        f"a list with a value for each seat, {kind.words}",
        lambda value, seats: (
            isinstance(value, list)
            and len(value) == seats
            and all(kind.fits(one, seats) for one in value)
        ),
    )


def _fields(kinds: Mapping[str, _Kind]) -> _Kind:
    return _Kind(
        f"fields {', '.join(kinds)}",
        lambda value, seats: (
            isinstance(value, dict)
            and all(name in value and kind.fits(value[name], seats) for name, kind in kinds.items())
        ),
    )


def _by_name(names: Iterable[str], kind: _Kind) -> _Kind:
    """Values of a kind, each under one of the names."""
    known = frozenset(names)
    return _Kind(
        f"values by name of ours, each {kind.words}",
        lambda value, seats: (
            isinstance(value, dict)
            and known.issuperset(value)
            and all(kind.fits(one, seats) for one in value.values())
        ),
    )


_TEXT: Final = _Kind("text", lambda value, seats: isinstance(value, str))
_COUNT: Final = _whole(0)
_SMALL: Final = _whole(np.iinfo(np.int16).min, np.iinfo(np.int16).max)
_SEAT: Final = _Kind("a seat", lambda value, seats: type(value) is int and 0 <= value < seats)
_FIELDS: Final[Mapping[str, _Kind]] = {
    "table": _Kind(
        "the names at its 2 to 5 seats",
        lambda value, seats: (
            seats in PLAYER_COUNTS and all(isinstance(name, str) for name in value)
        ),
    ),
    "line_up": _COUNT,
    "deal": _COUNT,
    "seed": _COUNT,
    "rounds": _COUNT,
    "format": _one_of(FORMATS),
    "outcome": _one_of(OUTCOMES),
    "end": _listed(_one_of(ENDS)),
    "decisions": _each_seat(_COUNT),
    "seconds": _each_seat(_number(math.inf, "0 or more")),
    "wins": _each_seat(_number(1, "from 0 to 1")),
    "places": _each_seat(
        _Kind("from 1 on", lambda value, seats: type(value) is int and 1 <= value <= seats)
    ),
    "scores": _each_seat(_whole(np.iinfo(np.int64).min)),
    "coins": _each_seat(_COUNT),
    "goods": _each_seat(_COUNT),
    "parts": _fields(dict.fromkeys(SCORE_PARTS, _each_seat(_SMALL))),
    "roles": _each_seat(_listed(_SMALL, NUM_ROLES)),
    "built": _each_seat(_listed(_one_of(BUILDINGS))),
    "bought": _each_seat(_by_name(BUILDINGS, _whole(1, np.iinfo(np.int16).max))),
    "unstaffed": _each_seat(_listed(_one_of(BUILDINGS))),
    "faults": _listed(
        _fields({"seat": _SEAT, "agent": _TEXT, "kind": _TEXT, "decision": _COUNT, "text": _TEXT})
    ),
}
"""Every field of `results.GameLine`."""
