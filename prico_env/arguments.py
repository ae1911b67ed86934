"""What calls may be given: each function returns an argument as it is used, or says what is wrong.

Integers are Python's and NumPy's, in an array without axes too; truth values, floats and digits in
quotation marks are none. What comes back is of Python's own kind, or an array that compiled code
has met before: a value of another type would have it compiled anew.
"""

import math
import operator
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from prico_env.errors import PricoError, did_you_mean, quoted

Kind = TypeVar("Kind")

_INT64: Final = np.dtype(np.int64)
_LIMITS: Final = {2**31 - 1: "2**31 - 1", 2**63 - 1: "2**63 - 1"}
"""Numbers that say more as powers."""


def whole(
    value: object,
    what: str,
    lowest: int = 0,
    highest: int | None = None,
    error: type[PricoError] = PricoError,
) -> int:
    """Return an integer in a range.

    >>> whole(np.int8(3), "a seat", 0, 3)
    3
    >>> whole(3.0, "a seat", 0, 3)
    Traceback (most recent call last):
    prico_env.errors.PricoError: a seat is a whole number from 0 to 3, not 3.0

    Args:
        value: What was given.
        what: What it is, with its article, for the error.
        lowest: The lowest that goes.
        highest: The highest that goes; None for any.
        error: What to raise.
    """
    number = as_integer(value)
    if number is None or number < lowest or (highest is not None and number > highest):
        end = "on" if highest is None else f"to {_LIMITS.get(highest, highest)}"
        raise error(f"{what} is a whole number from {lowest} {end}, not {quoted(value)}")
    return number


def numbered(value: object, noun: str, count: int, error: type[PricoError] = PricoError) -> int:
    """Return the number of one of some things that are counted from 0.

    >>> numbered(9, "seat", 4)
    Traceback (most recent call last):
    prico_env.errors.PricoError: there is no seat 9; seats run from 0 to 3
    """
    number = as_integer(value)
    if number is None:
        raise error(f"{noun}s are whole numbers from 0 to {count - 1}, not {quoted(value)}")
    if not 0 <= number < count:
        raise error(f"there is no {noun} {quoted(number)}; {noun}s run from 0 to {count - 1}")
    return number


def as_integer(value: Any) -> int | None:
    """Return an integer as Python's own; None for anything else, truth values too."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def number(value: Any, what: str, lowest: float = -math.inf, highest: float = math.inf) -> float:
    """Return a finite number, in a range if there is one, as a float."""
    is_real = isinstance(value, int | float | np.integer | np.floating)
    try:
        if is_real and not isinstance(value, bool) and math.isfinite(value):
            real = float(value)
            if lowest <= real <= highest:
                return real
    except OverflowError:
        pass
    wanted = "finite number" if highest == math.inf else f"number from {lowest:g} to {highest:g}"
    raise PricoError(f"{what} is a {wanted}, not {quoted(value)}")


def flag(value: object, what: str) -> bool:
    """Return a truth value."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise PricoError(f"{what} is True or False, not {quoted(value)}")


def instance(
    value: object, kind: type[Kind], what: str, error: type[PricoError] = PricoError
) -> Kind:
    """Return an object of a class.

    Args:
        value: What was given.
        kind: The class.
        what: What it is, in words, for the error.
        error: What to raise.
    """
    if isinstance(value, kind):
        return value
    raise error(f"{what}, not {quoted(value)}")


def instance_or_none(
    value: object, kind: type[Kind], what: str, error: type[PricoError] = PricoError
) -> Kind | None:
    """Return an object of a class, or None where that was given."""
    return None if value is None else instance(value, kind, what, error)


def one_of(value: object, choices: Collection[str], what: str) -> str:
    """Return one of some words."""
    if isinstance(value, str) and value in choices:
        return value
    *first, last = choices
    raise PricoError(
        f"there is no {what} {quoted(value)}; the {what}s are {', '.join(first)} and {last}"
        f"{did_you_mean(value, choices)}"
    )


def words(value: object, what: str, error: type[PricoError] = PricoError) -> str:
    """Return a text."""
    return instance(value, str, f"{what} is text", error)


def items(values: Any, what: str, error: type[PricoError] = PricoError) -> list[Any]:
    """Return what a list holds, or anything else to go through; a text or a mapping is no list."""
    try:
        if not isinstance(values, str | bytes | Mapping):
            return list(values)
    except TypeError:
        pass
    raise error(f"{what} come in a list, not as {quoted(values)}")


def texts(values: Any, what: str, error: type[PricoError] = PricoError) -> list[str]:
    """Return the texts in a list."""
    return [words(each, f"each of {what}", error) for each in items(values, what, error)]


def path(value: Any, what: str, error: type[PricoError] = PricoError) -> Path:
    """Return the place of a file or folder, which may be text."""
    try:
        place = os.fspath(value)
        if isinstance(place, str) and b"\0" not in os.fsencode(place):
            return Path(place)
    except (TypeError, UnicodeEncodeError):
        pass
    raise error(f"{what} is a path, as text or a Path, not {quoted(value)}")


def numbers(values: Any, what: str, length: int | None = None) -> NDArray[np.float64]:
    """Return numbers in a row as an array, float64; truth values count as 0 and 1.

    Args:
        values: What was given: an array, or what NumPy makes one of.
        what: What they are, in the plural, for the error.
        length: How many there must be; None for any number of them.
    """
    given = as_array(values)
    if given.ndim != 1 or given.dtype.kind not in "buif" or length not in (None, len(given)):
        wanted = "in a row" if length is None else f"of shape {(length,)}"
        raise PricoError(f"{what} are numbers {wanted}, not {given.dtype} of shape {given.shape}")
    return given.astype(np.float64, copy=False)


def whole_numbers(
    values: Any, what: str, shape: tuple[int, ...] | None = None
) -> NDArray[np.int64]:
    """Return integers in an array, int64, as compiled code takes it.

    Args:
        values: What was given: an array, or what NumPy makes one of.
        what: What they are, in the plural, for the error.
        shape: The shape it must have; None for any row of numbers.
    """
    given = as_array(values)
    fits = given.ndim == 1 if shape is None else given.shape == shape
    if not fits or given.dtype.kind not in "iu":
        wanted = "in a row" if shape is None else f"of shape {shape}"
        raise PricoError(
            f"{what} are whole numbers {wanted}, not {given.dtype} of shape {given.shape}"
        )
    if given.dtype == _INT64 and given.flags.carray:
        return given
    if given.dtype.kind == "u" and given.size and given.max() > np.iinfo(np.int64).max:
        raise PricoError(f"{what} are whole numbers of 64 bits, and {given.max()} is none")
    return given.astype(np.int64, order="C")


def truth_values(values: Any, what: str, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return truth values in an array of a shape."""
    given = as_array(values)
    if given.dtype != np.bool_ or given.shape != shape:
        raise PricoError(
            f"{what} is an array of truth values of shape {shape}, not {given.dtype} of shape "
            f"{given.shape}"
        )
    return given


def record(value: Any, dtype: np.dtype[Any], what: str) -> Any:
    """Return a record of a kind, such as ``game.state[0]``."""
    if isinstance(value, np.void) and value.dtype == dtype:
        return value
    raise PricoError(f"{what} is a record such as game.state[0], not {quoted(value)}")


def records(values: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array of records of a kind, such as ``games.state``."""
    if isinstance(values, np.ndarray) and values.dtype == dtype and values.ndim == 1:
        return values
    raise PricoError(f"records are an array such as games.state, not {quoted(values)}")


def check_out(
    out: Any, dtype: type[np.generic] | np.dtype[Any], shape: tuple[int, ...], what: str = "out"
) -> None:
    """Check that results can be written to an array: compiled code would write beside another."""
    fits = isinstance(out, np.ndarray) and out.dtype == dtype and out.shape == shape
    if not fits or type(out) is not np.ndarray or not out.flags.carray:
        raise PricoError(
            f"{what} is a writable array in C order, {_short(np.dtype(dtype))} of shape {shape}, "
            f"not {_about(out)}"
        )


def _short(dtype: np.dtype[Any]) -> str:
    """Name a dtype; that of records by what it is, for its name would fill pages."""
    return "records of prico_env.core.api.STATE" if dtype.names else str(dtype)


def _about(given: Any) -> str:
    """Say of an array what does not go, and of anything else what it is."""
    if not isinstance(given, np.ndarray):
        return quoted(given)
    flags = (
        (type(given) is not np.ndarray, f"a {type(given).__name__} (np.asarray unwraps it)"),
        (not given.flags.c_contiguous, "not in C order"),
        (not given.flags.aligned, "not aligned"),
        (not given.flags.writeable, "read-only"),
    )
    wrong = [words for is_so, words in flags if is_so]
    return ", ".join([f"{_short(given.dtype)} of shape {given.shape}", *wrong])


def as_array(values: Any) -> NDArray[Any]:
    """Return what NumPy makes of a value; an object where it makes nothing of it."""
    try:
        return np.asarray(values)
    except (TypeError, ValueError, OverflowError):  # such as lists of unequal lengths
        return np.array(None)
