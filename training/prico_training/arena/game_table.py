"""The games of an arena as columns: a row for each game, and a place in it for each seat."""

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from prico_env.core.scoring import SCORE_PARTS
from prico_env.errors import PricoError, quoted
from prico_env.vocabulary import BUILDING_ROWS, BUILDINGS, NUM_ROLES, BuildingClass
from prico_training.arena.settings import FORMATS

OUTCOMES: Final = ("finished", "truncated", "broken")
"""How a game may stop: by the rules, at a limit of rounds, or because a player failed."""
ENDS: Final = ("city", "vp", "workers")
"""Why the last round was the last; a game may have several reasons."""

LATER_FIELDS: Final = frozenset({"bought", "unstaffed"})
"""Fields that games of earlier versions lack."""
LATE: Final = 2
"""So many rounds before the end, a building that was bought is hardly ever staffed in time."""
_IS_LARGE: Final = np.array(
    [row.building_class == BuildingClass.LARGE_COMMERCIAL for row in BUILDING_ROWS]
)
_PLACES: Final = {building: place for place, building in enumerate(BUILDINGS)}
_CHUNK: Final = 512
"""Games turned into columns at a time, so that their lines need not fit into memory together."""
_DAMAGE: Final = (LookupError, ValueError, TypeError, AttributeError, OverflowError)
"""What comes of turning into columns what is no game."""
_WHOLE: Final = 1e-6
"""How near to 1 the wins of a game must sum for it to have a winner."""


class GameTableError(PricoError):
    """Results that cannot be read as the games of one arena."""


class FaultRow(NamedTuple):
    """Something a player did that no player may do."""

    game: int
    """Row of the game."""
    seat: int
    """Who did it."""
    agent: str
    """Name of the agent there."""
    kind: str
    """``"error"``, ``"timeout"``, ``"illegal"`` or ``"crash"``."""
    decision: int
    """Its how-manieth decision it was."""
    text: str
    """What went wrong, in words."""


@dataclass(frozen=True)
class GameTable:
    """Games with one number of seats, in an order that does not depend on who finished first.

    Columns hold what `results.GameLine` says of each game, shape ``(games,)``, and of each seat,
    shape ``(games, seats)``, but for those that say otherwise.
    """

    agents: tuple[str, ...]
    """Every agent's name, in alphabetical order."""
    line_up: np.ndarray
    deal: np.ndarray
    seed: np.ndarray
    copies: np.ndarray
    """Whether one agent sat alone among copies of another, shape ``(games,)``."""
    table: np.ndarray
    """Who sat where, as places in ``agents``, shape ``(games, seats)``."""
    outcome: np.ndarray
    """Place in ``OUTCOMES``, shape ``(games,)``."""
    rounds: np.ndarray
    end: np.ndarray
    """Which of ``ENDS`` held, shape ``(games, ends)``."""
    decisions: np.ndarray
    seconds: np.ndarray
    wins: np.ndarray
    places: np.ndarray
    scores: np.ndarray
    coins: np.ndarray
    goods: np.ndarray
    parts: np.ndarray
    """What the score is the sum of, shape ``(games, seats, score_parts)``."""
    roles: np.ndarray
    """How often each seat took each role, shape ``(games, seats, roles)``."""
    built: np.ndarray
    """Which buildings each seat owns, shape ``(games, seats, buildings)``."""
    tells_staffing: np.ndarray
    """Whether `bought` and `unstaffed` are known, as they are not of games of earlier versions,
    shape ``(games,)``."""
    bought: np.ndarray
    """The round in which each seat bought each building, 0 for those it did not buy, shape
    ``(games, seats, buildings)``."""
    unstaffed: np.ndarray
    """Which buildings each seat owns without anybody on them, though they have circles, shape
    ``(games, seats, buildings)``."""
    faults: tuple[FaultRow, ...]
    """Everything that went wrong, by game, seat and decision."""

    @classmethod
    def of(cls, games: Iterable[Mapping[str, Any]]) -> "GameTable":
        """Turn games, as the lines of `games.jsonl` describe them, into columns.

        Raises:
            GameTableError: There is no game, or one of them does not fit the others.
        """
        numbers: dict[str, int] = {}
        faults: list[FaultRow] = []
        chunks: list[dict[str, np.ndarray]] = []
        read = 0
        for chunk in _in_chunks(games):
            chunks.append(_columns(chunk, numbers, read))
            faults += _faults(chunk, read)
            read += len(chunk)
        if not chunks:
            raise GameTableError("there is no game to read: an arena needs at least one")
        seats = {chunk["table"].shape[1] for chunk in chunks}
        if len(seats) > 1:
            raise GameTableError(_several_sizes(seats))
        columns = {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}
        return _in_order(columns, numbers, faults)

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.deal)

    @property
    def seats(self) -> int:
        """How many seats a game has."""
        return self.table.shape[1]

    @property
    def deals(self) -> int:
        """How many different deals there are."""
        return int(self.cluster.max()) + 1

    @functools.cached_property
    def cluster(self) -> np.ndarray:
        """The deals numbered from 0 without gaps, shape ``(games,)``."""
        return np.unique(self.deal, return_inverse=True)[1].reshape(-1)

    @functools.cached_property
    def finished(self) -> np.ndarray:
        """Which games came to the end the rules foresee, shape ``(games,)``."""
        return self.outcome == OUTCOMES.index("finished")

    @functools.cached_property
    def decided(self) -> np.ndarray:
        """Which games have a winner, those won by forfeit among them, shape ``(games,)``."""
        return np.abs(self.wins.sum(axis=1) - 1) < _WHOLE

    @functools.cached_property
    def fellows(self) -> np.ndarray:
        """At how many seats of the game this seat's agent sits, shape ``(games, seats)``."""
        same = self.table[:, :, None] == self.table[:, None, :]
        return same.sum(axis=2)

    @functools.cached_property
    def alone(self) -> np.ndarray:
        """Which seats hold one agent among copies of one other, shape ``(games, seats)``.

        With two seats both do.
        """
        others_agree = self.fellows.max(axis=1) == self.seats - 1
        return (self.copies & others_agree)[:, None] & (self.fellows == 1)

    @functools.cached_property
    def crowd(self) -> np.ndarray:
        """Whose copies surround a seat that is alone: the agent of the next seat."""
        return np.roll(self.table, -1, axis=1)

    @functools.cached_property
    def ranks(self) -> np.ndarray:
        """Places where those who tie share the mean of their places, shape ``(games, seats)``."""
        tied = (self.places[:, :, None] == self.places[:, None, :]).sum(axis=2)
        return self.places + (tied - 1) / 2

    @functools.cached_property
    def is_late(self) -> np.ndarray:
        """Which buildings were bought in the last `LATE` rounds, (games, seats, buildings)."""
        first_late = self.rounds - LATE + 1
        return self.bought >= np.maximum(1, first_late)[:, None, None]

    @functools.cached_property
    def late(self) -> np.ndarray:
        """How many buildings each seat bought so late, shape ``(games, seats)``."""
        return self.is_late.sum(axis=2)

    @functools.cached_property
    def late_unstaffed(self) -> np.ndarray:
        """How many of these each seat left unstaffed, shape ``(games, seats)``."""
        return (self.unstaffed & self.is_late).sum(axis=2)

    @functools.cached_property
    def large_unstaffed(self) -> np.ndarray:
        """How many large buildings each seat left unstaffed, shape ``(games, seats)``."""
        return (self.unstaffed & _IS_LARGE).sum(axis=2)

    @functools.cached_property
    def margin_best(self) -> np.ndarray:
        """Score minus the best of the other scores, shape ``(games, seats)``."""
        ordered = np.sort(self.scores, axis=1)
        best, second = ordered[:, -1:], ordered[:, -2:-1]
        is_only_best = (self.scores == best) & (best > second)
        return self.scores - np.where(is_only_best, second, best)

    @functools.cached_property
    def margin_others(self) -> np.ndarray:
        """Score minus the mean of the other scores, shape ``(games, seats)``."""
        others = (self.scores.sum(axis=1, keepdims=True) - self.scores) / (self.seats - 1)
        return self.scores - others

    def spread(self, column: np.ndarray) -> np.ndarray:
        """Give every seat what its game has: from shape ``(games,)`` to ``(games, seats)``."""
        return np.broadcast_to(column[:, None], self.table.shape)


def _in_chunks(games: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    try:
        iterator = iter(games)
    except TypeError:
        raise GameTableError(
            f"a table is made of games such as read_games yields, not of {quoted(games)}"
        ) from None
    while chunk := list(itertools.islice(iterator, _CHUNK)):
        yield chunk


def _columns(
    games: Sequence[Mapping[str, Any]], numbers: dict[str, int], read: int
) -> dict[str, np.ndarray]:
    """The columns of some games; new names get the next number."""
    try:
        return _plain_columns(games, numbers)
    except GameTableError:
        raise
    except _DAMAGE as error:
        raise GameTableError(_what_is_wrong(games, read, error)) from None


_BY_GAME: Final = {"line_up": np.int64, "deal": np.int64, "rounds": np.int64, "seed": np.uint64}
_BY_SEAT: Final = {
    "decisions": np.int64,
    "seconds": np.float64,
    "wins": np.float64,
    "places": np.int64,
    "scores": np.int64,
    "coins": np.int64,
    "goods": np.int64,
}
"""Columns that a game has once, and once for each seat, with their kinds."""


def _plain_columns(
    games: Sequence[Mapping[str, Any]], numbers: dict[str, int]
) -> dict[str, np.ndarray]:
    seats = {len(game["table"]) for game in games}
    if len(seats) > 1:
        raise GameTableError(_several_sizes(seats))
    shape = (len(games), seats.pop())
    agents = [numbers.setdefault(name, len(numbers)) for game in games for name in game["table"]]
    parts = [[game["parts"][part] for part in SCORE_PARTS] for game in games]

    def filled(name: str, kind: type, shape: tuple[int, ...]) -> np.ndarray:
        return np.array([game[name] for game in games], kind).reshape(shape)

    return {
        **{name: filled(name, kind, shape[:1]) for name, kind in _BY_GAME.items()},
        **{name: filled(name, kind, shape) for name, kind in _BY_SEAT.items()},
        "copies": np.array([FORMATS.index(game["format"]) == 0 for game in games]),
        "outcome": np.array([OUTCOMES.index(game["outcome"]) for game in games]),
        "end": np.array([[name in game["end"] for name in ENDS] for game in games]),
        "table": np.array(agents).reshape(shape),
        "roles": filled("roles", np.int16, (*shape, NUM_ROLES)),
        "parts": np.array(parts, np.int16).transpose(0, 2, 1),
        "built": _by_building(games, "built", shape, bool),
        "tells_staffing": np.array([game.keys() >= LATER_FIELDS for game in games]),
        "bought": _by_building(games, "bought", shape, np.int16),
        "unstaffed": _by_building(games, "unstaffed", shape, bool),
    }


def _by_building(
    games: Sequence[Mapping[str, Any]], field: str, shape: tuple[int, int], kind: type
) -> np.ndarray:
    """A value for each building that a field names at each seat: what it gives there, or 1."""
    untold: list[list[str]] = [[]] * shape[1]
    cities = list(
        itertools.chain.from_iterable(
            game.get(field, untold) if field in LATER_FIELDS else game[field] for game in games
        )
    )
    kinds = list(map(_PLACES.__getitem__, itertools.chain.from_iterable(cities)))
    rows = np.repeat(np.arange(shape[0] * shape[1]), [len(city) for city in cities])
    values: np.ndarray = np.zeros((shape[0] * shape[1], len(BUILDINGS)), kind)
    values[rows, kinds] = [
        city[name] if isinstance(city, dict) else 1 for city in cities for name in city
    ]
    return values.reshape(*shape, -1)


def _faults(games: Sequence[Mapping[str, Any]], read: int) -> list[FaultRow]:
    names = FaultRow._fields[1:]
    return [
        FaultRow(read + number, *(fault[name] for name in names))
        for number, game in enumerate(games)
        for fault in game["faults"]
    ]


def _in_order(
    columns: dict[str, np.ndarray], numbers: dict[str, int], faults: Sequence[FaultRow]
) -> GameTable:
    """Sort agents by name, and games by line-up, deal and seating."""
    agents = tuple(sorted(numbers))
    renamed = np.zeros(len(numbers), np.int64)
    for place, name in enumerate(agents):
        renamed[numbers[name]] = place
    columns["table"] = renamed[columns["table"]]
    keys = (*reversed(columns["table"].T), columns["deal"], columns["line_up"])
    order = np.lexsort(keys)
    row = np.empty(len(order), np.int64)
    row[order] = np.arange(len(order))
    moved = [fault._replace(game=int(row[fault.game])) for fault in faults]
    moved.sort(key=lambda fault: (fault.game, fault.seat, fault.decision))
    ordered = {name: column[order] for name, column in columns.items()}
    return GameTable(agents=agents, faults=tuple(moved), **ordered)


def _several_sizes(seats: set[int]) -> str:
    sizes = ", ".join(str(size) for size in sorted(seats))
    return f"the games of one arena have the same number of seats, not {sizes}"


def _what_is_wrong(games: Sequence[Mapping[str, Any]], read: int, error: Exception) -> str:
    """Name the first game that cannot stand alone."""
    for number, game in enumerate(games):
        try:
            _plain_columns([game], {})
            _faults([game], 0)
        except _DAMAGE as own:
            words = f"lacks {own}" if isinstance(own, KeyError) else f"cannot be read: {own}"
            return f"game {read + number} of the results {words}"
    return f"the results cannot be read: {error}"
