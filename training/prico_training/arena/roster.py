"""The agents of a tournament, and what becomes of those that break things.

Whoever makes a fault loses the game in which it happens, and nothing else. When that took a process
down, the game is played again from its deal; at the decision where the fault was, the seat is not
asked again. Who cannot even be made or sit down is not asked at all, and loses all its games.
"""

import collections
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from prico_env.errors import PricoError
from prico_training.arena.match import Fault, table_kind
from prico_training.arena.schedule import Schedule, Unit
from prico_training.arena.supervisor import (
    Answer,
    Apart,
    Died,
    Failed,
    FinishedGame,
    Job,
    Meet,
    Met,
    Play,
    Played,
    Pool,
    Refused,
)

MOST_DEATHS: Final = 3
"""Times that a process may die in the same games while no agent is asked."""


class ArenaError(PricoError):
    """A tournament cannot be played."""


class Field:
    """Everybody who takes part.

    Attributes:
        absent: Who cannot take part, and why; they lose all their games.
        kinds: How everybody else is played: words of `schedule.TOGETHER`.
    """

    def __init__(
        self, schedule: Schedule, names: tuple[str, ...], max_faults: int, faults: Mapping[str, int]
    ) -> None:
        """Expect everybody.

        Args:
            schedule: The tournament.
            names: Who takes part.
            max_faults: Games an agent may break before it is not asked any more; 0 is no limit.
            faults: How many it broke already.
        """
        self.absent: dict[str, Fault] = {}
        self.kinds: dict[str, str] = {}
        self._schedule = schedule
        self._names = names
        self._max_faults = max_faults
        self._faults = collections.Counter(faults)
        self._unpractised: set[str] = set()
        self._deaths: collections.Counter[Job] = collections.Counter()

    def meet(self, pool: Pool, keep_going: Callable[[], bool]) -> None:
        """Call the roll.

        Raises:
            ArenaError: An agent cannot take part because of how it was named or made.
        """
        for job, answer in pool.run((Meet(name) for name in self._names), keep_going):
            if not isinstance(job, Meet):
                continue
            if isinstance(answer, Met):
                self.kinds[job.agent] = answer.kind
            elif isinstance(answer, Refused):
                raise ArenaError(answer.text)
            elif isinstance(answer, Died) and answer.busy is not None:
                self.absent[job.agent] = Fault(answer.kind, answer.text)
            elif isinstance(answer, Fault):
                self.absent[job.agent] = answer
            else:
                self._try_again(pool, job, answer)

    def play(
        self, pool: Pool, work: Iterator[Unit], keep_going: Callable[[], bool]
    ) -> Iterator[tuple[int, list[FinishedGame]]]:
        """Play; yield finished games with the number of their line-up."""
        for job, answer in pool.run((self._job(unit) for unit in work), keep_going):
            if not isinstance(job, Play):
                continue
            if isinstance(answer, Played):
                for game in answer.games:
                    self._count_faults(game)
                yield job.line_up.number, answer.games
            elif isinstance(answer, Apart):
                pool.again(self._apart(job))
            elif isinstance(answer, Died) and answer.busy is not None:
                pool.again(self._after_death(job, answer))
            else:
                self._try_again(pool, job, answer)

    def kind(self, line_up: int) -> str:
        """How a line-up is played: a word of `schedule.TOGETHER`."""
        table = self._schedule.line_ups[line_up].table
        return table_kind([self.kinds.get(name, "alone") for name in table])

    def _job(self, unit: Unit) -> Play:
        line_up = self._schedule.line_ups[unit.line_up]
        return self._now(Play(line_up, unit.deals, self.kind(unit.line_up)))

    def _now(self, job: Play) -> Play:
        """A job with what is known about its agents by now."""
        table = job.line_up.table
        absent = {name: self.absent[name] for name in table if name in self.absent}
        kind = "alone" if absent and job.kind == "compiled" else job.kind
        unpractised = frozenset(self._unpractised.intersection(table))
        return dataclasses.replace(job, kind=kind, absent=absent, unpractised=unpractised)

    def _apart(self, job: Play) -> list[Job]:
        """The same games, each by itself, and every agent asked one decision at a time."""
        alone = dataclasses.replace(job, kind="alone")
        return [self._now(dataclasses.replace(alone, deals=(deal,))) for deal in job.deals]

    def _after_death(self, job: Play, death: Died) -> list[Job]:
        """What to play when an agent took a process with it."""
        busy = death.busy
        if busy is None or busy.what == "compiled" or len(job.deals) > 1:
            return self._apart(job)
        if busy.what == "practise":
            self._unpractised.add(busy.agent)
            return [self._now(job)]
        seats = [busy.seat]
        if busy.what == "make":
            seats = [seat for seat, name in enumerate(job.line_up.table) if name == busy.agent]
        known = dict(job.known)
        for seat in seats:
            # Who breaks the same game twice, at another decision, is not asked there at all.
            decision = 0 if seat in known else busy.decision
            known[seat] = Fault(death.kind, death.text, decision)
        return [self._now(dataclasses.replace(job, known=known))]

    def _count_faults(self, game: FinishedGame) -> None:
        self._faults.update(game.broken_by)
        for name in game.broken_by:
            if 0 < self._max_faults <= self._faults[name] and name not in self.absent:
                words = f"it broke {self._faults[name]} games and is not asked any more"
                self.absent[name] = Fault("error", words)

    def _try_again(self, pool: Pool, job: Job, answer: Answer) -> None:
        """Go on after a process died for no reason that an agent gave."""
        if isinstance(answer, Failed):
            raise RuntimeError(f"a worker failed at {job}:\n{answer.text}")
        key = job if isinstance(job, Meet) else Play(job.line_up, job.deals, "")
        self._deaths[key] += 1
        if self._deaths[key] >= MOST_DEATHS:
            text = answer.text if isinstance(answer, Died) else str(answer)
            raise ArenaError(
                f"a worker died {MOST_DEATHS} times while no agent was asked; the last time {text}"
            )
        pool.again([job])
