"""The agents of a tournament, and what becomes of those that break things.

Whoever makes a fault loses the game in which it happens, and nothing else. When that took a process
down, the game is played again from its deal; at the decision where the fault was, the seat is not
asked again. Who cannot even be made or sit down is disqualified: not asked at all, and all its
games are lost.
"""

import collections
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from prico_training.arena.match import BatchFaultError, Fault, table_kind
from prico_training.arena.schedule import Schedule, WorkUnit
from prico_training.arena.supervisor import Pool, WorkerDied
from prico_training.arena.worker import ArenaError, FinishedGame, Job, Play, Probe

MOST_DEATHS: Final = 3
"""Times that a process may die in the same games while no agent is asked."""


class Roster:
    """Everybody who takes part.

    Attributes:
        disqualified: Who cannot take part, and why; they lose all their games.
        kinds: How everybody else is played: words of `schedule.BATCH_SIZES`.
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
        self.disqualified: dict[str, Fault] = {}
        self.kinds: dict[str, str] = {}
        self._schedule = schedule
        self._names = names
        self._max_faults = max_faults
        self._faults = collections.Counter(faults)
        self._no_warm_up: set[str] = set()
        self._deaths: collections.Counter[Job] = collections.Counter()

    def probe(self, pool: Pool, keep_going: Callable[[], bool]) -> None:
        """Find out who can take part and how it is played.

        Raises:
            ArenaError: An agent cannot take part because of how it was named or made.
        """
        for job, answer in pool.run((Probe(name) for name in self._names), keep_going):
            if not isinstance(job, Probe):
                continue
            if isinstance(answer, str):
                self.kinds[job.agent] = answer
            elif isinstance(answer, Fault):
                self.disqualified[job.agent] = answer
            elif isinstance(answer, WorkerDied) and answer.request is not None:
                self.disqualified[job.agent] = Fault(answer.kind, answer.text)
            else:
                self._try_again(pool, job, answer)

    def play(
        self, pool: Pool, work: Iterator[WorkUnit], keep_going: Callable[[], bool]
    ) -> Iterator[tuple[int, list[FinishedGame]]]:
        """Play; yield finished games with the number of their line-up."""
        for job, answer in pool.run((self._job(unit) for unit in work), keep_going):
            if not isinstance(job, Play):
                continue
            if isinstance(answer, list):
                for game in answer:
                    self._count_faults(game)
                yield job.line_up.number, answer
            elif isinstance(answer, BatchFaultError):
                pool.again(self._one_by_one(job))
            elif isinstance(answer, WorkerDied) and answer.request is not None:
                pool.again(self._after_death(job, answer))
            else:
                self._try_again(pool, job, answer)

    def kind(self, line_up: int) -> str:
        """How a line-up is played: a word of `schedule.BATCH_SIZES`."""
        table = self._schedule.line_ups[line_up].table
        return table_kind([self.kinds.get(name, "single") for name in table])

    def _job(self, unit: WorkUnit) -> Play:
        line_up = self._schedule.line_ups[unit.line_up]
        return self._up_to_date(Play(line_up, unit.deals, self.kind(unit.line_up)))

    def _up_to_date(self, job: Play) -> Play:
        """A job with what is known about its agents by now."""
        table = job.line_up.table
        lost = {name: self.disqualified[name] for name in table if name in self.disqualified}
        kind = "single" if lost and job.kind == "compiled" else job.kind
        no_warm_up = frozenset(self._no_warm_up.intersection(table))
        return dataclasses.replace(job, kind=kind, disqualified=lost, no_warm_up=no_warm_up)

    def _one_by_one(self, job: Play) -> list[Job]:
        """The same games, each by itself, and every agent asked one decision at a time."""
        single = dataclasses.replace(job, kind="single")
        return [self._up_to_date(dataclasses.replace(single, deals=(deal,))) for deal in job.deals]

    def _after_death(self, job: Play, death: WorkerDied) -> list[Job]:
        """What to play when an agent took a process with it."""
        request = death.request
        if request is None or request.call == "compiled" or len(job.deals) > 1:
            return self._one_by_one(job)
        if request.call == "warm_up":
            self._no_warm_up.add(request.agent)
            return [self._up_to_date(job)]
        seats = [request.seat]
        if request.call == "make":
            seats = [seat for seat, name in enumerate(job.line_up.table) if name == request.agent]
        known = dict(job.known)
        for seat in seats:
            # Who breaks the same game twice, at another decision, is not asked there at all.
            decision = 0 if seat in known else request.decision
            known[seat] = Fault(death.kind, death.text, decision)
        return [self._up_to_date(dataclasses.replace(job, known=known))]

    def _count_faults(self, game: FinishedGame) -> None:
        self._faults.update(game.broken_by)
        for name in game.broken_by:
            if 0 < self._max_faults <= self._faults[name] and name not in self.disqualified:
                words = f"it broke {self._faults[name]} games and is not asked any more"
                self.disqualified[name] = Fault("error", words)

    def _try_again(self, pool: Pool, job: Job, answer: object) -> None:
        """Go on after a process died for no reason that an agent gave."""
        key = job if isinstance(job, Probe) else Play(job.line_up, job.deals, "")
        self._deaths[key] += 1
        if self._deaths[key] >= MOST_DEATHS:
            text = answer.text if isinstance(answer, WorkerDied) else str(answer)
            raise ArenaError(
                f"a worker died {MOST_DEATHS} times while no agent was asked; the last time {text}"
            )
        pool.again([job])
