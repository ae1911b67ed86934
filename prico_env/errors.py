"""What can go wrong, in a player's words: each error says what was given, why not, and what works.

Every error of ours is a :class:`PricoError`, so one ``except`` catches them all, and a
``ValueError``, so that code which knows nothing of us does too.
"""

import contextlib
import difflib
import reprlib
from collections.abc import Iterable, Iterator
from typing import Any, Final

_LONGEST_WORD: Final = 100
"""Characters beyond which a word is none of ours misspelt."""
_MOST_CHARACTERS: Final = 2_000
"""Longest message; what was given and is repeated in it may be of any length."""


class PricoError(ValueError):
    r"""Something that prico was asked to do does not go.

    Its message is one line that any terminal and any file can hold, whatever it repeats.

    >>> print(PricoError("no agent is called corn\ud800\u2028"))
    no agent is called corn\ud800\u2028
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(_one_line(str(message)))


class IllegalActionError(PricoError):
    """An action that is not allowed now. Nothing has changed."""


class EditionError(PricoError):
    """An edition of one's own that cannot be loaded, or does not go with the others."""


class RuleSetError(PricoError):
    """A rule set that does not exist, or that contradicts itself."""


class PositionError(PricoError):
    """A position that cannot be read, or that cannot occur."""


class RecordError(PricoError):
    """A saved game that is damaged, or that does not replay."""


class OutOfRangeError(PricoError, IndexError):
    """A number that nothing has: an action, a feature, a game of a batch."""


class UnknownNameError(PricoError, KeyError):
    """A name that nothing has, where a mapping would raise a ``KeyError``."""

    __str__ = PricoError.__str__


class MissingExtraError(PricoError, ImportError):
    """A library is not installed that comes with an extra of prico."""


@contextlib.contextmanager
def from_extra(extra: str, user: str) -> Iterator[None]:
    """Import inside what an extra of prico installs.

    Args:
        extra: The extra, as `pyproject.toml` calls it.
        user: What needs its libraries, as an error says it.

    Raises:
        MissingExtraError: One of them is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library.startswith("prico_"):
            raise
        raise MissingExtraError(
            f"{user} needs {library}, which is not installed: pip install 'prico[{extra}]'"
        ) from None


def quoted(value: object) -> str:
    """Return what was given as an error repeats it: in one line, and cut short where it is long.

    >>> quoted("corn"), quoted([1] * 9), len(quoted("x" * 2_000_000))
    ("'corn'", '[1, 1, 1, 1, 1, 1, ...]', 80)
    """
    text = _QUOTE.repr(value)
    return " ".join(text.split()) if "\n" in text else text


class _Quote(reprlib.Repr):
    """Shows a few items of what holds many, and also what cannot show itself."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 80

    def repr1(self, x: Any, level: int) -> str:
        """Show anything, nested so deep."""
        try:
            return super().repr1(x, level)
        except Exception:  # numbers of thousands of digits, and whatever others do in their repr
            return f"{hex(x)[: self.maxother]}..." if type(x) is int else f"<{type(x).__name__}>"


_QUOTE: Final = _Quote()


def nearest(word: object, words: Iterable[str]) -> str | None:
    """Return the word that was probably meant, or nothing when none comes close.

    >>> nearest("hospise", ["hospice", "hacienda"])
    'hospice'
    """
    if not isinstance(word, str) or len(word) > _LONGEST_WORD:
        return None
    by_shape = {_shape(candidate): candidate for candidate in words}
    close = difflib.get_close_matches(_shape(word), by_shape, n=1)
    return by_shape[close[0]] if close else None


def did_you_mean(word: object, words: Iterable[str]) -> str:
    """Return the end of a sentence that suggests the nearest word, empty when none comes close.

    >>> did_you_mean("hospise", ["hospice", "hacienda"])
    "; did you mean 'hospice'?"
    """
    guess = nearest(word, words)
    return "" if guess is None else f"; did you mean {guess!r}?"


def _one_line(text: str) -> str:
    """Escape what is not printable, and cut out the middle of what is too long."""
    if len(text) > _MOST_CHARACTERS:
        half = _MOST_CHARACTERS // 2
        text = f"{text[:half]} ... {text[-half:]}"
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def _shape(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")
