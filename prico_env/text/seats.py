"""What a seat is called in everything that is printed: who sits there, or its number.

>>> seat_name("classic", 1)
'player 1'
>>> with named_seats(["Ann", "planner"]):
...     seat_name("classic", 1)
'planner'
"""

import contextlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Final

from prico_env.text.localization import language_of
from prico_env.text.terms import capital

_NAMES: Final[ContextVar[tuple[str, ...]]] = ContextVar("names of the seats", default=())


@contextlib.contextmanager
def named_seats(names: Sequence[str] | None) -> Iterator[None]:
    """Call seats by the names of those who sit there, in every sentence made meanwhile.

    Like the language, the names belong to a context: other threads do not see them.

    Args:
        names: A name for each seat; None leaves everything as it is.
    """
    if names is None:
        yield
        return
    token = _NAMES.set(tuple(names))
    try:
        yield
    finally:
        _NAMES.reset(token)


def is_named(seat: int) -> bool:
    """Whether it is known by name who sits there."""
    return 0 <= seat < len(_NAMES.get())


def seat_name(edition: str, seat: int, label: str = "player", *, begins: bool = False) -> str:
    """Return what a seat is called: the name of who sits there, else a label and its number.

    Args:
        edition: The edition, whose language gives the label.
        seat: The seat.
        label: What stands before the number where nobody is named.
        begins: Whether it begins a line; names stay as they are written.
    """
    if is_named(seat):
        return _NAMES.get()[seat]
    word = language_of(edition).labels[label]
    return f"{capital(word) if begins else word} {seat}"
