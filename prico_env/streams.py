"""Text for streams of any encoding: what a stream cannot show gets a readable substitute."""

import codecs
import contextlib
import errno
import os
import sys
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

_STRICT: Final = ("strict", "surrogateescape", "backslashreplace")
"""How streams treat what they cannot show unless somebody chose otherwise."""
_STAND_INS: Final = {
    "·": "-",
    "…": "...",
    "–": "-",
    "—": "-",
    "×": "x",
    "±": "+-",
    "≡": "==",
    "−": "-",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "→": "->",
    "←": "<-",
    "⇔": "<=>",
    "Σ": "sum of",
    "∪": "or",
    "∈": "in",
    "∉": "not in",
    "†": "+",
    "§": "section",
    "═": "=",
    "─": "-",
    "━": "-",
    "│": "|",
    "█": "#",
    "■": "#",
    "●": "*",
    "◆": "+",
    "○": "o",
    "▶": ">",
    "’": "'",
    "µ": "u",
    "ß": "ss",
    "Ä": "Ae",
    "Ö": "Oe",
    "Ü": "Ue",
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
}
"""What the characters that we print look like in ASCII."""


def substitute(error: UnicodeError) -> tuple[str, int]:
    r"""Stand in for what an encoding lacks, as an error handler of `codecs`.

    >>> codecs.register_error("substitute", substitute)
    >>> "3 Gewürze … señor ♞".encode("ascii", "substitute")
    b'3 Gewuerze ... senor \\u265e'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(map(_stand_in, missing)), error.end


def _stand_in(character: str) -> str:
    if character in _STAND_INS:
        return _STAND_INS[character]
    letters = unicodedata.normalize("NFKD", character)
    plain = "".join(letter for letter in letters if letter.isascii())
    return plain or character.encode("ascii", "backslashreplace").decode()


def printable(text: str) -> str:
    r"""Return a text without signs that a terminal would obey; each is written as Python has it.

    >>> printable("Zoë\x1b[31m")
    'Zoë\\x1b[31m'
    """
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def accept_any_text() -> None:
    """Let what is printed from here on reach its stream whatever the encoding of that is.

    A stream whose user chose what it does, as ``PYTHONIOENCODING=ascii:replace``
    says, and one that holds text as it is, stay as they are.
    """
    codecs.register_error(substitute.__qualname__, substitute)
    for stream in (sys.stdout, sys.stderr):
        _change_errors(stream, _STRICT, substitute.__qualname__)
    _change_errors(sys.stdin, _STRICT, "replace")


def _change_errors(stream: Any, before: tuple[str, ...], now: str) -> None:
    if getattr(stream, "errors", None) in before and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=now)


def is_closed_pipe(error: BaseException | None) -> bool:
    """Whether the reader of a pipe, such as ``head``, has seen enough.

    Windows calls it an invalid argument, and rich leaves the process because of it.
    """
    if isinstance(error, SystemExit):
        return is_closed_pipe(error.__context__)
    invalid = isinstance(error, OSError) and error.errno == errno.EINVAL
    return isinstance(error, BrokenPipeError) or (invalid and os.name == "nt")


def drop_unread() -> None:
    """Send nowhere what a stream cannot be rid of, so that the end of the process is quiet."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextlib.contextmanager
def perhaps_unread() -> Iterator[None]:
    """Let what is written in this block fail, because its reader may have left.

    Python itself would try again at the end of the process, and change its exit code to 120.
    """
    with contextlib.suppress(OSError):
        yield
    drop_unread()
