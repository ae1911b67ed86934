"""Kinds of plain values, both ways; each wrong one is a `PositionError` that names its field."""

import enum
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from prico_env.arguments import as_integer
from prico_env.core.state import State
from prico_env.errors import PositionError, did_you_mean, quoted
from prico_env.ruleset import RuleSet
from prico_env.vocabulary import GOODS, NOBODY, TILES

KeysByModule: TypeAlias = Mapping[str, tuple[str, ...]]
"""The keys of a block, and the expansions that bring each; none for those of the base game."""


def mapping(value: Any, where: str, keys: Sequence[str] | None = None) -> Mapping[str, Any]:
    """Return a block, refusing anything but a dict with these keys."""
    if type(value) is not dict and not isinstance(value, Mapping):
        raise PositionError(f"{where}: {quoted(value)} should be a dict")
    for key in value:
        if not isinstance(key, str):
            raise PositionError(f"{where}: the keys are words, and {quoted(key)} is not one")
        if keys is not None and key not in keys:
            place = key if where == "position" else f"{where}.{key}"
            raise PositionError(f"{place}: there is no such field{did_you_mean(key, keys)}")
    return value


def is_list(value: Any) -> bool:
    """Whether a value is a list, as Python or NumPy has it; text and bytes are none."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def sequence(value: Any, where: str) -> Sequence[Any]:
    """Return a list, refusing anything else."""
    if type(value) is not list and not is_list(value):
        raise PositionError(f"{where}: {quoted(value)} should be a list")
    found: Sequence[Any] = value.tolist() if isinstance(value, np.ndarray) else value
    return found


def is_name(value: Any, names: Sequence[str]) -> bool:
    """Whether a value is one of these names; arrays cannot be asked whether they equal one."""
    return isinstance(value, str) and value in names


def number_of(value: Any, names: Sequence[str], where: str, noun: str) -> int:
    """Return the number of a name."""
    try:
        if isinstance(value, str):
            return names.index(value)
    except ValueError:
        pass
    raise PositionError(f"{where}: no {noun} is called {quoted(value)}{did_you_mean(value, names)}")


@functools.cache
def _limits(dtype: Any) -> tuple[int, int]:
    """Return the lowest and the highest number of a type."""
    limits = np.iinfo(np.dtype(dtype).base)
    return int(limits.min), int(limits.max)


@functools.cache
def _places(names: Sequence[str]) -> dict[str, int]:
    """Return where each name is."""
    return {name: place for place, name in enumerate(names)}


def integer(value: Any, where: str, dtype: Any, lowest: int | None = None) -> int:
    """Return a whole number that its field can hold."""
    number = value if type(value) is int else as_integer(value)
    if number is None:
        raise PositionError(f"{where}: {quoted(value)} should be a whole number")
    floor, highest = _limits(dtype)
    if lowest is not None:
        floor = lowest
    if not floor <= number <= highest:
        raise PositionError(
            f"{where}: {quoted(value)} is out of range; it may be {floor} to {highest}"
        )
    return number


def integers(value: Any, where: str, size: int, dtype: Any) -> list[int]:
    """Return so many whole numbers."""
    found = sequence(value, where)
    if len(found) != size:
        raise PositionError(f"{where}: {quoted(value)} should be a list of {size} numbers")
    low, high = _limits(dtype)
    for one in found:
        if type(one) is not int or not low <= one <= high:
            return [integer(one, f"{where}[{place}]", dtype) for place, one in enumerate(found)]
    return [*found]


def flag(value: Any, where: str) -> bool:
    """Return a truth value."""
    if not isinstance(value, bool | np.bool_):
        raise PositionError(f"{where}: {quoted(value)} should be true or false")
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
        self._modules = frozenset(rules.expansions)

    def has(self, *modules: str) -> bool:
        """Whether one of these expansions is in the game."""
        return not self._modules.isdisjoint(modules)

    def block(self, value: Any, where: str, keys: KeysByModule) -> Mapping[str, Any]:
        """Return a block, refusing keys that are none, or those of an expansion left out."""
        found = mapping(value, where)
        for key in found:
            modules = keys.get(key)
            if modules is None:
                mapping(found, where, [one for one, needs in keys.items() if self._are_here(needs)])
            elif not self._are_here(modules):
                place = key if where == "position" else f"{where}.{key}"
                raise PositionError(
                    f"{place}: this belongs to the {modules[0]!r} expansion, which is not in this "
                    "game"
                )
        return found

    def _are_here(self, modules: tuple[str, ...]) -> bool:
        """Whether what one of these expansions brings is in the game; what none does always is."""
        return not modules or self.has(*modules)

    def put(self, array: np.ndarray, place: int, value: Any, where: str) -> None:
        """Write a number into a place of a field."""
        array[place] = integer(value, where, array.dtype)

    def count(
        self, counts: np.ndarray, block: Any, where: str, names: Sequence[str], noun: str
    ) -> list[int]:
        """Return counts by name, as a field holds them; what is left out is 0."""
        totals, dtype = [0] * len(counts), counts.dtype
        places, (low, high) = _places(names), _limits(dtype)
        for name, value in mapping(block, where).items():
            place = places.get(name)
            if place is None or type(value) is not int or not low <= value <= high:
                place = number_of(name, names, f"{where}.{name}", noun)
                value = integer(value, f"{where}.{name}", dtype)
            totals[place] = value
        return totals

    def tally(self, counts: np.ndarray, goods: Any, where: str) -> None:
        """Write how often each good is in a list."""
        kinds = [
            number_of(good, GOODS, f"{where}[{place}]", "good")
            for place, good in enumerate(sequence(goods, where))
        ]
        for kind in range(len(GOODS)):
            self.put(counts, kind, kinds.count(kind), where)

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


def tile_names(rules: RuleSet) -> tuple[str, ...]:
    """Return the island tiles of a game by number; with the new buildings forests are among them.

    >>> tile_names(RuleSet(expansions=["buildings"]))[-1]
    'forest'
    """
    return (*TILES, "forest") if "buildings" in rules.expansions else TILES


def named(names: Sequence[str], counts: np.ndarray) -> dict[str, int]:
    """Return counts by name."""
    return {name: int(count) for name, count in zip(names, counts, strict=False)}


def seat_or_none(seat: int) -> int | None:
    """Return a seat as JSON has it."""
    return None if seat < 0 else int(seat)


def name_or_none(names: Sequence[str], number: int) -> str | None:
    """Return the name of a number, and nothing for none."""
    return None if number < 0 else names[number]


# -- the kinds of values ---------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of value, both ways.

    Attributes:
        write: Takes the rule set and what the record holds; returns it as JSON has it.
        read: Takes a reader, what the record holds so far, the value as JSON has it and where it
            stands; returns what the record is to hold.
    """

    write: Callable[[RuleSet, Any], Any]
    read: Callable[[Reader, Any, Any, str], Any]


NUMBER: Final = Kind(
    lambda rules, held: int(held),
    lambda reader, held, value, where: integer(value, where, held.dtype),
)
FLAG: Final = Kind(
    lambda rules, held: bool(held),
    lambda reader, held, value, where: flag(value, where),
)
SEAT: Final = Kind(
    lambda rules, held: seat_or_none(held),
    lambda reader, held, value, where: reader.seat_or_nobody(value, where),
)
TILE: Final = Kind(
    lambda rules, held: name_or_none(tile_names(rules), held),
    lambda reader, held, value, where: (
        NOBODY if value is None else number_of(value, tile_names(reader.rules), where, "tile")
    ),
)


def one_name(names: Sequence[str], noun: str, or_none: bool = True) -> Kind:
    """One of several names; where nobody minds, nothing for none."""
    return Kind(
        lambda rules, held: name_or_none(names, held),
        lambda reader, held, value, where: (
            NOBODY if value is None and or_none else number_of(value, names, where, noun)
        ),
    )


def counts_of(names: Sequence[str], noun: str, with_zeros: bool = True) -> Kind:
    """Numbers by name; what is left out is 0."""

    def write(rules: RuleSet, held: Any) -> dict[str, int]:
        return {name: count for name, count in named(names, held).items() if count or with_zeros}

    def read(reader: Reader, held: Any, value: Any, where: str) -> Any:
        return reader.count(held, value, where, names, noun)

    return Kind(write, read)


def bits_of(kind: type[enum.IntEnum], noun: str) -> Kind:
    """The names of the bits that are set."""
    bits = {bit.name.lower(): bit for bit in kind}

    def read(reader: Reader, held: Any, value: Any, where: str) -> int:
        total = 0
        for place, name in enumerate(sequence(value, where)):
            total |= tuple(kind)[number_of(name, tuple(bits), f"{where}[{place}]", noun)]
        return total

    return Kind(lambda rules, held: [name for name, bit in bits.items() if held & bit], read)


def each_seat(kind: Kind) -> Kind:
    """A value for each seat."""

    def read(reader: Reader, held: Any, value: Any, where: str) -> Any:
        found = held.copy()
        for seat, entry in enumerate(reader.per_seat(value, where)):
            found[seat] = kind.read(reader, held[seat], entry, f"{where}[{seat}]")
        return found

    return Kind(lambda rules, held: [kind.write(rules, one) for one in held[: rules.players]], read)


BARRELS: Final = counts_of(GOODS, "good")
