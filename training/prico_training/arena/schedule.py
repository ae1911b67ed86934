"""Who sits where, on which deals: everything about a tournament that is decided beforehand.

Deals are the same for every line-up, so luck of the deal cancels, and every agent gets every seat,
so luck of the seat does. What chance a player has comes from the deal and its seat alone; whoever
sits there instead meets the same world.

Two formats answer two questions. In ``"copies"`` an agent sits alone among copies of one other:
does it stand its ground against them? In ``"mixed"`` different agents sit together: who comes out
on top among all? A table that belongs to both is played once, as ``"copies"``.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from prico_env import RuleSet
from prico_env.arguments import instance, whole
from prico_env.core.rng import MAX_SEED
from prico_env.errors import PricoError
from prico_env.game import check_seed
from prico_training.arena.settings import Tournament

MOST_LINE_UPS: Final = 200_000
"""More are refused: a tournament of so many tables would not end."""
MOST_GAMES: Final = 100_000_000
"""More are refused, for the same reason."""
BATCH_SIZES: Final = {"compiled": 64, "batched": 32, "single": 1}
"""Deals of one unit of work, by how its table is played; see `match.Contestant.kind`."""


class ScheduleError(PricoError):
    """A tournament of these agents cannot be laid out."""


@dataclass(frozen=True, slots=True)
class LineUp:
    """Who sits where."""

    number: int
    """Its place in the schedule."""
    format: str
    """``"copies"`` or ``"mixed"``."""
    table: tuple[str, ...]
    """Name of the agent at each seat."""
    turn: int = 0
    """Which deals it plays: those that leave this rest when divided by ``turns``."""
    turns: int = 1
    """How many orders around the table take turns from deal to deal."""
    rules: RuleSet | None = None
    """What is played there; None: what the tournament plays."""


@dataclass(frozen=True)
class Schedule:
    """All games of a tournament: every line-up on each of its deals."""

    line_ups: tuple[LineUp, ...]
    deals: int

    def planned(self) -> np.ndarray:
        """Return which games there are, bool, shape ``(deals, num_line_ups)``."""
        turns = [(line_up.turn, line_up.turns) for line_up in self.line_ups]
        each, column = np.unique(turns, axis=0, return_inverse=True)  # few, of very many
        return (np.arange(self.deals)[:, None] % each[:, 1] == each[:, 0])[:, column]


@dataclass(frozen=True)
class WorkUnit:
    """Games that one process plays in one go: deals of one line-up.

    What is played together is decided by the schedule alone, so that it never matters what was
    played before a stop and what after.
    """

    line_up: int
    deals: tuple[int, ...]


def make_schedule(tournament: Tournament) -> Schedule:
    """Lay out a tournament.

    Raises:
        ScheduleError: There would be too many games.
    """
    instance(tournament, Tournament, "what is laid out is a Tournament")
    names, seats = tournament.names, tournament.game.players
    line_ups: list[LineUp] = []
    if "copies" in tournament.formats:
        _check_size(names, seats, len(names) * (len(names) - 1) * seats)
        tables = dict.fromkeys(_among_copies(names, tournament.against, seats))
        line_ups += [LineUp(number, "copies", table) for number, table in enumerate(tables)]
    if "mixed" in tournament.formats:
        known = {line_up.table for line_up in line_ups}
        ways = math.comb(len(names), min(seats, len(names))) * math.factorial(seats)
        _check_size(names, seats, ways)
        for agents in mixed_groups(names, seats):
            for table, turn, turns in _seatings(agents, tournament.seatings):
                if table not in known:
                    line_ups.append(LineUp(len(line_ups), "mixed", table, turn, turns))
    if len(line_ups) * tournament.deals > MOST_GAMES:
        raise ScheduleError(
            f"{len(line_ups):,} line-ups and {tournament.deals:,} deals are more than "
            f"{MOST_GAMES:,} games; take fewer deals"
        )
    return Schedule(tuple(line_ups), tournament.deals)


def mixed_groups(names: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Yield who may meet in the mixed format.

    With enough agents that is every choice of different ones; with fewer agents than seats each
    sits at the table, as evenly as can be.

    >>> list(mixed_groups(["ann", "bob", "cyd"], 4))
    [('ann', 'ann', 'bob', 'cyd'), ('ann', 'bob', 'bob', 'cyd'), ('ann', 'bob', 'cyd', 'cyd')]
    """
    times, more = divmod(seats, len(names))
    for extra in itertools.combinations(names, more):
        yield tuple(name for name in names for _ in range(times + (name in extra)))


def work_units(schedule: Schedule, kinds: Sequence[str], missing: np.ndarray) -> Iterator[WorkUnit]:
    """Yield the work that is left, in the order of deals.

    Args:
        schedule: The tournament.
        kinds: How each line-up is played: a word of `BATCH_SIZES`.
        missing: Which games are left, bool, shape ``(deals, num_line_ups)``.
    """
    spans = [
        BATCH_SIZES[kind] * line_up.turns
        for kind, line_up in zip(kinds, schedule.line_ups, strict=True)
    ]
    planned = schedule.planned()
    for deal in range(schedule.deals):
        for line_up, (span, kind) in enumerate(zip(spans, kinds, strict=True)):
            if deal % span:
                continue
            wanted = missing[deal : deal + span, line_up]
            if wanted.any():
                # Agents that share their chance among games need the same games together again.
                chosen = planned[deal : deal + span, line_up] if kind == "batched" else wanted
                yield WorkUnit(line_up, tuple((np.flatnonzero(chosen) + deal).tolist()))


def deal_seed(seed: int, deal: int) -> int:
    """What a deal of a tournament is dealt from, the first deal from ``seed``."""
    return (check_seed(seed) + whole(deal, "the number of a deal")) & MAX_SEED


def agent_seed(seed: int, seat: int) -> int:
    """The seed of the player at a seat, apart from that of the game, ``seed``."""
    return (seed * 10 + seat + 1) & MAX_SEED


def _among_copies(
    names: Sequence[str], against: Sequence[str], seats: int
) -> Iterator[tuple[str, ...]]:
    pairs: Iterable[tuple[str, ...]] = itertools.permutations(names, 2)
    if against:
        pairs = itertools.product((name for name in names if name not in against), against)
    for alone, other in pairs:
        for seat in range(seats):
            yield tuple(alone if here == seat else other for here in range(seats))


def _seatings(agents: tuple[str, ...], seatings: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Yield the tables of some agents, each with its turn and the number of turns."""
    if seatings == "all":
        for table in sorted(set(itertools.permutations(agents))):
            yield table, 0, 1
        return
    first, *others = agents
    orders = sorted({min(_rotations((first, *rest))) for rest in itertools.permutations(others)})
    for turn, order in enumerate(orders):
        for table in _rotations(order):
            yield table, turn, len(orders)


def _rotations(table: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every way to sit down in an order around the table, each once."""
    return list(dict.fromkeys(table[start:] + table[:start] for start in range(len(table))))


def _check_size(names: Sequence[str], seats: int, most: int) -> None:
    if most > MOST_LINE_UPS:
        raise ScheduleError(
            f"{len(names)} agents at {seats} seats can sit together in {most:,} ways, and "
            f"{MOST_LINE_UPS:,} are enough; name fewer agents, or play the format 'copies' only"
        )
