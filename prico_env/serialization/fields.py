"""Plain values read with care: each wrong one is a `PositionError` that names its field."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from prico_env.core.state import STATE, State
from prico_env.errors import PositionError, did_you_mean
from prico_env.ruleset import RuleSet
from prico_env.vocabulary import NOBODY

KeysByModule: TypeAlias = Mapping[str, tuple[str, ...]]
"""The keys of a block, and the expansions that bring each; none for those of the base game."""


def mapping(value: Any, where: str, keys: Sequence[str] | None = None) -> Mapping[str, Any]:
    """Return a block, refusing anything but a dict with these keys."""
    if not isinstance(value, Mapping):
        raise PositionError(f"{where}: {value!r} should be a dict")
    if keys is not None:
        for key in value:
            if key not in keys:
                place = str(key) if where == "position" else f"{where}.{key}"
                raise PositionError(f"{place}: there is no such field{did_you_mean(key, keys)}")
    return value


def sequence(value: Any, where: str) -> Sequence[Any]:
    """Return a list, refusing anything else."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise PositionError(f"{where}: {value!r} should be a list")
    return value


def number_of(value: Any, names: Sequence[str], where: str, noun: str) -> int:
    """Return the number of a name."""
    if value not in names:
        raise PositionError(f"{where}: no {noun} is called {value!r}{did_you_mean(value, names)}")
    return names.index(value)


def integer(value: Any, where: str, dtype: Any, lowest: int | None = None) -> int:
    """Return a whole number that its field can hold."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise PositionError(f"{where}: {value!r} should be a whole number")
    limits = np.iinfo(np.dtype(dtype).base)
    floor = int(limits.min) if lowest is None else lowest
    if not floor <= value <= limits.max:
        raise PositionError(f"{where}: {value} is out of range; it may be {floor} to {limits.max}")
    return int(value)


def integers(value: Any, where: str, size: int, dtype: Any) -> list[int]:
    """Return so many whole numbers."""
    found = sequence(value, where)
    if len(found) != size:
        raise PositionError(f"{where}: {value!r} should be a list of {size} numbers")
    return [integer(one, f"{where}[{place}]", dtype) for place, one in enumerate(found)]


def flag(value: Any, where: str) -> bool:
    """Return a truth value."""
    if not isinstance(value, bool | np.bool_):
        raise PositionError(f"{where}: {value!r} should be true or false")
    return bool(value)


def listed(words: Sequence[Any]) -> str:
    """Return words with commas between them."""
    return ", ".join(str(word) for word in words)


class Reader:
    """Writes plain values into a record, each in its range."""

    def __init__(self, rules: RuleSet, state: State) -> None:
        self.rules = rules
        self.table: Any = rules.table[0]
        self.state = state

    def has(self, *modules: str) -> bool:
        """Whether one of these expansions is in the game."""
        return any(module in self.rules.expansions for module in modules)

    def keys_in_game(self, value: Any, where: str, keys: KeysByModule) -> tuple[str, ...]:
        """Return the keys of a block in this game, refusing those of an expansion left out."""
        for key, modules in keys.items():
            if modules and not self.has(*modules) and key in mapping(value, where):
                place = key if where == "position" else f"{where}.{key}"
                raise PositionError(
                    f"{place}: this belongs to the {modules[0]!r} expansion, which is not in this "
                    "game"
                )
        return tuple(key for key, modules in keys.items() if not modules or self.has(*modules))

    def store(self, field: str, value: Any, where: str) -> None:
        """Write a number into a field."""
        self.state[field] = integer(value, where, STATE[field])

    def put(self, array: np.ndarray, place: int, value: Any, where: str) -> None:
        """Write a number into a place of a field."""
        array[place] = integer(value, where, array.dtype)

    def count(
        self, counts: np.ndarray, block: Any, where: str, names: Sequence[str], noun: str
    ) -> None:
        """Write counts by name; what is left out is 0."""
        counts[:] = 0
        for name, value in mapping(block, where).items():
            place = f"{where}.{name}"
            self.put(counts, number_of(name, names, place, noun), value, place)

    def per_seat(self, value: Any, where: str) -> Sequence[Any]:
        """Return a list with an entry for each seat."""
        entries = sequence(value, where)
        if len(entries) != self.rules.players:
            raise PositionError(f"{where}: {len(entries)} entries for {self.rules.players} players")
        return entries

    def seat(self, value: Any, where: str) -> int:
        """Return a seat that is there."""
        seat = integer(value, where, np.int8)
        if not 0 <= seat < self.rules.players:
            raise PositionError(
                f"{where}: there is no seat {seat}; seats run from 0 to {self.rules.players - 1}"
            )
        return seat

    def seat_or_nobody(self, value: Any, where: str) -> int:
        """Return a seat, or nobody for nothing."""
        return NOBODY if value is None else self.seat(value, where)
