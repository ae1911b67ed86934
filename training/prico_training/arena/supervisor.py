"""Processes that play, so that whatever an agent does can be stopped and survived.

Before a process asks an agent it notes in shared memory whom, where, and how long that may take.
It interrupts an agent itself when its time is up. Where that does not help, because the agent
hangs in compiled code, or where the agent takes the whole process with it, the parent sees from
the note who it was, and starts another process.
"""

import collections
import contextlib
import ctypes
import functools
import multiprocessing
import multiprocessing.sharedctypes
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from prico_agents import Agent, BatchAgent, View
from prico_env import Game, RuleSet
from prico_env.errors import PricoError
from prico_training.arena.match import (
    ApartError,
    Contestant,
    Fault,
    FaultError,
    Moment,
    Umpire,
    game_lines,
    play,
    play_compiled,
)
from prico_training.arena.results import write_lines
from prico_training.arena.schedule import LineUp, deal_seed
from prico_training.arena.settings import Entry

POLL_SECONDS: Final = 0.1
"""How often the parent looks whether somebody takes too long."""
_QUOTED: Final = 2000
"""Letters of a traceback that are kept, its end being the telling part."""
_WORDS: Final = ("make", "reset", "act", "practise", "compiled")
"""What an agent may be busy with, as notes number it."""
_NOTE_LENGTH: Final = 8
_MILLISECONDS: Final = 1000
_ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)
"""Libraries of a worker use one thread: there are as many workers as cores."""
_LEAVE_SECONDS: Final = 2.0
"""Time for an idle worker to end by itself."""

T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """How long an agent may take, in seconds."""

    move: float = 60.0
    """For one decision."""
    start: float = 120.0
    """For being made, and for sitting down."""
    practice: float = 600.0
    """For the first decision in a process, which may compile and does not count."""
    grace: float = 2.0
    """Beyond each limit, before the process is ended."""


@dataclass(frozen=True)
class Brief:
    """What every worker knows from the start.

    Attributes:
        rules: What is played.
        entries: Who plays.
        seed: Of the first deal.
        limits: How long agents may take.
        log: Where goes what agents print.
    """

    rules: RuleSet
    entries: tuple[Entry, ...]
    seed: int
    limits: Limits
    log: Path


# -- what workers are asked, and what they answer --------------------------------------------------


@dataclass(frozen=True)
class Meet:
    """Find out whether an agent can be made and sits down, and how it is played."""

    agent: str


@dataclass(frozen=True)
class Play:
    """Play deals of a line-up.

    Attributes:
        line_up: Who sits where.
        deals: Numbers of the deals.
        kind: How: a word of `schedule.TOGETHER`.
        known: Seats that go wrong in the only game, and when.
        absent: Agents that lose every game.
        unpractised: Agents that are not asked for a decision to practise.
    """

    line_up: LineUp
    deals: tuple[int, ...]
    kind: str
    known: Mapping[int, Fault] = field(default_factory=dict)
    absent: Mapping[str, Fault] = field(default_factory=dict)
    unpractised: frozenset[str] = frozenset()


Job: TypeAlias = Meet | Play


@dataclass(frozen=True)
class Met:
    """An agent is ready; ``kind`` is a word of `schedule.TOGETHER`."""

    kind: str


@dataclass(frozen=True)
class Refused:
    """An agent cannot take part because of how it was named: a person should know at once."""

    text: str


class FinishedGame(NamedTuple):
    """A game that is over.

    Attributes:
        deal: Number of its deal.
        wins: Share of the victory of each seat.
        broken_by: Which agents made a fault.
        line: What goes into the file of results.
    """

    deal: int
    wins: list[float]
    broken_by: tuple[str, ...]
    line: bytes


@dataclass(frozen=True)
class Played:
    """The games of a job."""

    games: list[FinishedGame]


@dataclass(frozen=True)
class Apart:
    """The games cannot be played together; one by one they can."""


@dataclass(frozen=True)
class Failed:
    """Our own code went wrong; ``text`` is the traceback."""

    text: str


@dataclass(frozen=True)
class Died:
    """A worker is gone.

    Attributes:
        busy: What an agent was busy with then; None when nobody was.
        kind: ``"crash"``, or ``"timeout"`` when it was ended for taking too long.
        text: What is known about it, in words.
    """

    busy: Moment | None
    kind: str
    text: str


Answer: TypeAlias = Met | Refused | Fault | Played | Apart | Failed | Died


# -- inside a worker -------------------------------------------------------------------------------


class Notes:
    """Who is busy with what, in memory that the parent reads.

    The first number counts beginnings and ends, so it is odd while somebody is busy.
    """

    def __init__(self, numbers: Any, names: Sequence[str]) -> None:
        """Write to and read from an array of shared numbers."""
        self._numbers = numbers
        self._names = tuple(names)
        self._number_of = {name: number for number, name in enumerate(names)}

    @property
    def count(self) -> int:
        """How often somebody began or ended to be busy."""
        return int(self._numbers[0])

    def begin(self, moment: Moment, limit: float) -> None:
        """Note that an agent is asked."""
        numbers = self._numbers
        numbers[1:_NOTE_LENGTH] = (
            _WORDS.index(moment.what),
            self._number_of[moment.agent],
            moment.game,
            moment.seat,
            moment.decision,
            moment.games,
            int(limit * _MILLISECONDS),
        )
        numbers[0] += 1

    def end(self) -> None:
        """Note that it has answered."""
        self._numbers[0] += 1

    def busy(self) -> tuple[Moment, float] | None:
        """What an agent is busy with, and for how many seconds it may be; None when nobody is."""
        count, what, agent, game, seat, decision, games, limit = self._numbers[:_NOTE_LENGTH]
        if count % 2 == 0:
            return None
        moment = Moment(_WORDS[what], self._names[agent], game, seat, decision, games)
        return moment, limit / _MILLISECONDS


class _OutOfTimeError(BaseException):
    """Time is up; no error that agents catch by habit."""


class _Clock:
    """Interrupts a call that takes too long, where the system has alarms (Windows has none)."""

    def __init__(self) -> None:
        self._running = False
        self._has_alarm = hasattr(signal, "setitimer")
        if self._has_alarm:
            signal.signal(signal.SIGALRM, self._ring)

    def call(self, limit: float, call: Callable[[], T]) -> T:
        """Return what a call returns within so many seconds, or raise."""
        began = time.perf_counter()
        self._running = True
        if self._has_alarm:
            signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            answer = call()
        finally:
            self._running = False
            if self._has_alarm:
                signal.setitimer(signal.ITIMER_REAL, 0)
        if time.perf_counter() - began > limit:
            raise _OutOfTimeError
        return answer

    def _ring(self, *_: object) -> None:
        if self._running:
            self._running = False
            raise _OutOfTimeError


class StrictUmpire(Umpire):
    """Trusts nobody: notes who is asked, looks at the clock, and catches what is raised."""

    def __init__(self, notes: Notes, limits: Limits) -> None:
        """Keep notes for the parent, and limits for the agents."""
        self._notes = notes
        self._limits = limits
        self._clock = _Clock()

    def ask(self, moment: Moment, call: Callable[[], T]) -> T:
        """Return an agent's answer, or raise `FaultError`."""
        limit = self._limit(moment)
        self._notes.begin(moment, limit)
        try:
            return self._clock.call(limit, call)
        except FaultError:
            raise
        except _OutOfTimeError:
            raise FaultError("timeout", late(moment, limit)) from None
        except BaseException as error:
            text = "".join(traceback.format_exception(error))
            raise FaultError("error", text[-_QUOTED:]) from error
        finally:
            self._notes.end()

    def _limit(self, moment: Moment) -> float:
        if moment.what == "act":
            return self._limits.move * moment.games
        return self._limits.start if moment.what in ("make", "reset") else self._limits.practice


def late(moment: Moment, limit: float) -> str:
    """Say that an agent took too long."""
    what = {
        "make": "to be made",
        "reset": "to sit down",
        "practise": "for a first decision",
        "compiled": "to play",
    }.get(moment.what, "to decide")
    return f"it took longer than {limit:g} seconds {what}"


class _Worker:
    """What a worker process does with its jobs."""

    def __init__(self, brief: Brief, notes: Notes) -> None:
        self._brief = brief
        self._umpire = StrictUmpire(notes, brief.limits)
        self._contestants = {
            entry.name: Contestant.of(entry.name, entry.agent, **entry.settings)
            for entry in brief.entries
        }
        self._practised: set[str] = set()

    def answer(self, job: Job) -> Answer:
        """Do a job."""
        try:
            return self._meet(job.agent) if isinstance(job, Meet) else self._play(job)
        except ApartError:
            return Apart()
        except Exception:
            return Failed(traceback.format_exc())

    def _meet(self, name: str) -> Answer:
        contestant = self._contestants[name]
        try:
            kind = contestant.kind(self._umpire)
            self._sit_down(contestant)
        except FaultError as error:
            if isinstance(error.__cause__, PricoError):
                return Refused(f"{name} cannot take part: {error.__cause__}")
            return Fault(error.kind, error.text)
        return Met(kind)

    def _sit_down(self, contestant: Contestant) -> Agent:
        """Let a player sit down for a game that does not count."""
        player = contestant.borrow(self._umpire)
        call = functools.partial(player.reset, 0, self._brief.rules, 0)
        self._umpire.ask(Moment("reset", contestant.name), call)
        contestant.give_back(player)
        return player

    def _play(self, job: Play) -> Answer:
        rules, table = self._brief.rules, [self._contestants[name] for name in job.line_up.table]
        seeds = [deal_seed(self._brief.seed, deal) for deal in job.deals]
        if job.kind == "compiled":
            call = functools.partial(play_compiled, rules, table, seeds)
            try:
                ended = self._umpire.ask(Moment("compiled", job.line_up.table[0]), call)
            except FaultError:
                return Apart()
        else:
            for contestant in table:
                contestant.absent = job.absent.get(contestant.name)
                if contestant.absent is None and contestant.name not in job.unpractised:
                    self._practise(contestant)
            known = {(0, seat): fault for seat, fault in job.known.items()}
            ended = play(rules, table, seeds, self._umpire, known)
        lines = game_lines(rules, job.line_up, self._brief.seed, job.deals, ended)
        return Played(
            [
                FinishedGame(
                    line["deal"],
                    line["wins"],
                    tuple({fault["agent"] for fault in line["faults"]}),
                    text,
                )
                for line, text in zip(lines, write_lines(lines), strict=True)
            ]
        )

    def _practise(self, contestant: Contestant) -> None:
        """Let an agent decide once without the clock: a first decision often compiles something."""
        if contestant.name in self._practised:
            return
        self._practised.add(contestant.name)
        game = Game(self._brief.rules, 0)
        with contextlib.suppress(FaultError):  # where it counts, it will happen again
            player = self._sit_down(contestant)
            if isinstance(player, BatchAgent):
                observations, legal = game.observation()[None], game.mask()[None]
                call: Callable[[], Any] = functools.partial(player.act_batch, observations, legal)
            else:
                call = functools.partial(player.act, View.of(game))
            self._umpire.ask(Moment("practise", contestant.name), call)


def _work(connection: Connection, numbers: Any, brief: Brief) -> None:
    """Do jobs until there are no more."""
    _print_to(brief.log)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    worker = _Worker(brief, Notes(numbers, [entry.name for entry in brief.entries]))
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            connection.send(worker.answer(connection.recv()))


def _print_to(log: Path) -> None:
    """Send what agents print into a file: the terminal belongs to the parent."""
    sys.stdout.flush()
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(descriptor, stream)
    os.close(descriptor)


def _end_with_parent() -> None:
    """Leave when the parent is gone, also in the middle of a game."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


# -- outside ---------------------------------------------------------------------------------------


class _Process:
    """A worker as the parent sees it.

    Attributes:
        job: What it is doing; None when it is idle.
        connection: Where its answers come from.
    """

    def __init__(self, brief: Brief) -> None:
        context = multiprocessing.get_context("spawn")
        numbers = multiprocessing.sharedctypes.RawArray(ctypes.c_int64, _NOTE_LENGTH)
        self.connection, theirs = context.Pipe()
        self.job: Job | None = None
        self._notes = Notes(numbers, [entry.name for entry in brief.entries])
        self._limits = brief.limits
        self._seen = (0, 0.0)
        self._process = context.Process(target=_work, args=(theirs, numbers, brief))
        with _started_quietly():
            self._process.start()
        theirs.close()

    @property
    def sentinel(self) -> int:
        """What becomes ready when the process ends."""
        return self._process.sentinel

    def start(self, job: Job) -> None:
        """Hand out a job."""
        self.job = job
        with contextlib.suppress(BrokenPipeError):  # its end is noticed in a moment
            self.connection.send(job)

    def answer(self) -> Answer | None:
        """Take the answer to the job if there is one, also when it is that the worker is gone."""
        try:
            if self.connection.poll():
                return self._finished(self.connection.recv())
        except (EOFError, OSError):
            self._process.join()
        if not self._process.is_alive():
            return self._finished(Died(self._culprit(), "crash", self._last_words()))
        return self._ended_for_lateness()

    def leave(self) -> None:
        """End the process: an idle one by itself, a busy one at once."""
        self.connection.close()
        if self.job is None:
            self._process.join(_LEAVE_SECONDS)
        self._process.kill()
        self._process.join()

    def _finished(self, answer: Answer) -> Answer:
        self.job = None
        return answer

    def _ended_for_lateness(self) -> Died | None:
        """End the process if an agent has been busy for longer than it may."""
        now, count = time.monotonic(), self._notes.count
        if self._seen[0] != count:
            self._seen = (count, now)
        busy = self._notes.busy()
        if busy is None or now - self._seen[1] < busy[1] + self._limits.grace:
            return None
        self._process.kill()
        self._process.join()
        busy = self._notes.busy() if self._notes.count == count else None
        self.job = None
        if busy is None:  # it answered in the last moment
            return Died(None, "crash", "")
        return Died(busy[0], "timeout", f"{late(*busy)}, and its process had to be ended")

    def _culprit(self) -> Moment | None:
        busy = self._notes.busy()
        return None if busy is None else busy[0]

    def _last_words(self) -> str:
        code = self._process.exitcode or 0
        if code >= 0:
            return f"the process ended with exit code {code}"
        try:
            return f"the process was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"the process was ended by signal {-code}"


class Pool:
    """Worker processes, replaced as they go."""

    def __init__(self, brief: Brief, processes: int) -> None:
        """Start so many processes."""
        self._brief = brief
        self._again: collections.deque[Job] = collections.deque()
        self._processes: list[_Process | None] = [None] * processes

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            if process is not None:
                process.leave()

    def run(
        self, jobs: Iterator[Job], keep_going: Callable[[], bool]
    ) -> Iterator[tuple[Job, Answer]]:
        """Do jobs, as many at once as there are processes; yield answers as they come.

        Args:
            jobs: Taken one by one, as processes become free.
            keep_going: Asked again and again; what is being done when it says no is dropped.
        """
        while keep_going() and self._hand_out(jobs):
            busy = [process for process in self._processes if process and process.job]
            waiting = [each for process in busy for each in (process.connection, process.sentinel)]
            wait(waiting, POLL_SECONDS)
            for process in busy:
                job, answer = process.job, process.answer()
                if answer is None or job is None:
                    continue
                if isinstance(answer, Died):
                    self._forget(process)
                yield job, answer

    def again(self, jobs: Sequence[Job]) -> None:
        """Put jobs before all others that wait."""
        self._again.extend(jobs)

    def _hand_out(self, jobs: Iterator[Job]) -> bool:
        """Give a job to everybody who has none; say whether somebody has one."""
        for slot, process in enumerate(self._processes):
            if process is None or process.job is None:
                job = self._again.popleft() if self._again else next(jobs, None)
                if job is None:
                    break
                if process is None:
                    process = self._processes[slot] = _Process(self._brief)
                process.start(job)
        return any(process is not None and process.job for process in self._processes)

    def _forget(self, process: _Process) -> None:
        process.leave()
        self._processes[self._processes.index(process)] = None


@contextlib.contextmanager
def _started_quietly() -> Iterator[None]:
    """While this is open, new processes ignore Ctrl-C, and their libraries use one thread."""
    missing = [name for name in _ONE_THREAD if name not in os.environ]
    os.environ.update({name: _ONE_THREAD[name] for name in missing})
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        for name in missing:
            del os.environ[name]
