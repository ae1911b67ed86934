"""The names of those who sit at a table: one for each seat, told apart, and the same everywhere."""

import contextlib
import getpass
import unicodedata
from collections.abc import Sequence
from typing import Final

from prico_agents.registry import display_name
from prico_env.errors import PricoError, quoted
from prico_env.streams import printable
from prico_env.text.localization import codes, language_of, load
from prico_env.text.terms import error_words

LONGEST_NAME: Final = 24
"""Characters of a name, so that it has room on a board and in a list."""


class SeatNameError(PricoError):
    """A name that nobody can have at this table."""


def checked_name(name: object) -> str:
    """Return a name as it is shown: its letters composed, single spaces, none around it.

    >>> checked_name("  Ann   Lee ")
    'Ann Lee'

    Raises:
        SeatNameError: It is empty, too long, or has characters that cannot be seen.
    """
    if not isinstance(name, str):
        raise SeatNameError(f"a name is text, such as 'Ann', not {quoted(name)}")
    if not all(each.isprintable() or each.isspace() for each in name):
        raise SeatNameError(error_words("name_unseen", name=quoted(name)))
    words = " ".join(unicodedata.normalize("NFC", name).split())
    if not words:
        raise SeatNameError(error_words("name_empty"))
    if len(words) > LONGEST_NAME:
        raise SeatNameError(
            error_words("name_long", name=quoted(words), count=len(words), most=LONGEST_NAME)
        )
    return words


def check_names(names: Sequence[object], players: Sequence[str]) -> tuple[str | None, ...]:
    """Check the names that were given for the seats of a table.

    Args:
        names: A name for each seat, None for a seat that gets one.
        players: An agent's name for each seat, or ``"human"``.

    Raises:
        SeatNameError: There are not as many as seats, one cannot be had, or two are the same.
    """
    if isinstance(names, str) or len(names) != len(players):
        raise SeatNameError(
            f"there is a name for each seat or None: {len(players)} of them, not {quoted(names)}"
        )
    given = tuple(None if name is None else checked_name(name) for name in names)
    seats: dict[str, int] = {}
    for seat, name in enumerate(given):
        if name is not None and seats.setdefault(_as_read(name), seat) != seat:
            raise SeatNameError(
                error_words("name_twice", name=repr(name), one=seats[_as_read(name)], other=seat)
            )
    return given


def seat_names(
    players: Sequence[str], people: Sequence[int], given: Sequence[str | None], edition: str
) -> tuple[str, ...]:
    """Return a name for each seat, no two of them the same.

    People have the name they gave, else "you" where one person sits, or the number of the seat.
    Agents have their display name. A name that is taken already gets a number: "planner 2".

    >>> seat_names(["human", "planner", "planner"], [0], ["Ann", None, None], "classic")
    ('Ann', 'planner', 'planner 2')
    >>> seat_names(["human", "governor"], [0], [None, None], "classic")
    ('you', 'base network')

    Args:
        players: An agent's name for each seat.
        people: The seats where people sit.
        given: The names that were given, checked; None for a seat that gets one.
        edition: What is played, in whose language those without a name are spoken of.
    """
    labels = language_of(edition).labels
    taken = {_as_read(name) for name in given if name is not None}
    names = []
    for seat, (player, name) in enumerate(zip(players, given, strict=True)):
        if name is None:
            usual = labels["you"] if len(people) == 1 else f"{labels['player']} {seat}"
            name = _free(usual if seat in people else display_name(player, edition), taken)
            taken.add(_as_read(name))
        names.append(name)
    return tuple(names)


def names_of_people(given: Sequence[str], people: Sequence[int], seats: int) -> list[str | None]:
    """Return a name for each seat, given those of the people in the order of their seats.

    >>> names_of_people(["Ann"], [1, 2], 4)
    [None, 'Ann', None, None]

    Args:
        given: What the people are called; those beyond get a name by their seat.
        people: The seats where people sit.
        seats: How many seats there are.

    Raises:
        SeatNameError: More names were given than people sit there.
    """
    if len(given) > len(people):
        raise SeatNameError(
            f"{len(given)} names were given ({', '.join(given)}), and the people at the table are "
            f"{len(people)}; name one for each seat that is 'human'"
        )
    named = dict(zip(people, given, strict=False))
    return [named.get(seat) for seat in range(seats)]


def login_name() -> str | None:
    """Return what somebody is called who is logged in here; None where that is no name."""
    try:
        return checked_name(getpass.getuser())
    except (SeatNameError, OSError, KeyError, ImportError):
        return None


def names_of_record(
    names: Sequence[str], stay: Sequence[bool], seats: int
) -> tuple[str | None, ...]:
    """Return the names that people of a recorded game keep; None for who gets one anew.

    Args:
        names: The names in the record, one for each seat or none at all.
        stay: Whether a person sat there, and does so again.
        seats: How many seats there are now.
    """
    everywhere = {_as_read(load(code).labels["you"]) for code in codes()}
    kept: list[str | None] = [None] * seats
    for seat, (name, stays) in enumerate(zip(names, stay, strict=False)):
        with contextlib.suppress(SeatNameError):
            if stays and _as_read(name) not in everywhere:
                kept[seat] = checked_name(name)
                everywhere.add(_as_read(name))
    return tuple(kept)


def _free(name: str, taken: set[str]) -> str:
    """The name, with the first number that makes it another one than those taken."""
    name = printable(name)
    short, number = _shortened(name, LONGEST_NAME), 1
    while _as_read(short) in taken:
        number += 1
        short = f"{_shortened(name, LONGEST_NAME - len(f' {number}'))} {number}"
    return short


def shown_name(name: str) -> str:
    r"""Return a name from a file as it is shown: without control characters, and cut.

    >>> shown_name("Ann"), shown_name("A" * 99), shown_name("Ann\x1b[2J")
    ('Ann', 'AAAAAAAAAAAAAAAAAAAAAAA…', 'Ann\\x1b[2J')
    """
    return _shortened(printable(name), LONGEST_NAME)


def _shortened(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def _as_read(name: str) -> str:
    """What two names have in common that a reader could take for one another."""
    return unicodedata.normalize("NFKC", name).casefold()
