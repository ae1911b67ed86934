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


def given_name(seat: int) -> str:
    """Return the name of who sits at a seat; empty where nobody is named."""
    names = _NAMES.get()
    return names[seat] if 0 <= seat < len(names) else ""


def seat_name(edition: str, seat: int, *, begins: bool = False) -> str:
    """Return what a seat is called: the name of who sits there, else the number of the player.

    Args:
        edition: The edition, whose language gives the label.
        seat: The seat.
        begins: Whether it begins a line or a sentence; names stay as they are written.
    """
    labels = language_of(edition).labels
    given = given_name(seat)
    name = given or f"{labels['player']} {seat}"
    is_word = given in ("", labels["you"])
    return name[:1].upper() + name[1:] if begins and is_word else name
