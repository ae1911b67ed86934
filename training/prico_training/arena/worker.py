"""What a worker process does: it plays games and stops agents that take too long.

Before it asks an agent it notes in shared memory whom, where, and until when that may take. It
interrupts an agent itself when its time is up. Where that does not help, because the agent hangs in
compiled code or takes the whole process with it, the supervisor sees from the note who it was.
"""

import contextlib
import ctypes
import functools
import multiprocessing
import multiprocessing.sharedctypes
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from prico_agents import Agent, BatchAgent, View
from prico_env import Game, RuleSet
from prico_env.errors import PricoError
from prico_env.streams import accept_any_text
from prico_training.arena.match import (
    BatchFaultError,
    Contestant,
    Fault,
    FaultError,
    Request,
    Supervisor,
    error_text,
    game_lines,
    play,
    play_compiled,
)
from prico_training.arena.results import write_lines
from prico_training.arena.schedule import LineUp, deal_seed
from prico_training.arena.settings import Entry
from prico_training.interrupt import pass_over_requests

_CALLS: Final = {
    "make": "to be made",
    "reset": "to sit down",
    "act": "to decide",
    "warm_up": "for a first decision",
    "compiled": "to play",
}
"""What an agent may be asked for, and how a message says so."""
_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Libraries that agents load use one thread: there are as many workers as cores."""

T = TypeVar("T")


class ArenaError(PricoError):
    """A tournament cannot be played."""


@dataclass(frozen=True)
class Limits:
    """How long an agent may take, in seconds."""

    move: float = 60.0
    """For one decision."""
    start: float = 120.0
    """For being made, and for sitting down."""
    warm_up: float = 600.0
    """For the first decision in a process, which may compile and does not count."""
    grace: float = 2.0
    """Beyond each limit, before the process is ended."""

    def of(self, request: Request) -> float:
        """How long an agent may take over a request."""
        if request.call == "act":
            return self.move * request.games
        return self.start if request.call in ("make", "reset") else self.warm_up


@dataclass(frozen=True)
class WorkerSettings:
    """What every worker knows from the start."""

    rules: RuleSet
    """What is played."""
    entries: tuple[Entry, ...]
    """Who plays."""
    seed: int
    """Of the first deal."""
    limits: Limits
    """How long agents may take."""
    log: Path
    """Where goes what agents print."""


@dataclass(frozen=True)
class Probe:
    """A job: find out whether an agent can be made and sits down, and how it is played."""

    agent: str


@dataclass(frozen=True)
class Play:
    """A job: play deals of a line-up."""

    line_up: LineUp
    """Who sits where."""
    deals: tuple[int, ...]
    """Numbers of the deals."""
    kind: str
    """How: a word of `schedule.BATCH_SIZES`."""
    known: Mapping[int, Fault] = field(default_factory=dict)
    """Seats that go wrong in the only game, and when."""
    disqualified: Mapping[str, Fault] = field(default_factory=dict)
    """Agents that lose every game."""
    no_warm_up: frozenset[str] = frozenset()
    """Agents that are not asked for a decision beforehand."""


class FinishedGame(NamedTuple):
    """A game that is over."""

    deal: int
    """Number of its deal."""
    wins: list[float]
    """Share of the win of each seat."""
    broken_by: tuple[str, ...]
    """Which agents made a fault."""
    line: bytes
    """What goes into the file of results."""


Job: TypeAlias = Probe | Play
Answer: TypeAlias = str | list[FinishedGame] | Fault | Exception
"""To `Probe` how an agent is played, to `Play` games, or what went wrong: an `ArenaError` that a
person should know at once, a `BatchFaultError` where games can be played one by one, a
`RuntimeError` where our own code is to blame."""


class Note:
    """Whom a worker asks for what, and until when, in memory that its supervisor reads.

    The deadline is a single number, so it can be read at any time; the request is read only when
    the process has ended.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Have room for requests to agents of these names."""
        longest = max(len(name.encode()) for name in names)
        self._deadline = multiprocessing.sharedctypes.RawValue(ctypes.c_double)
        self._request = multiprocessing.sharedctypes.RawArray(ctypes.c_char, longest + 200)

    @property
    def deadline(self) -> float:
        """The `time.monotonic` until which an agent may take, 0 when none is asked."""
        return float(self._deadline.value)

    @property
    def request(self) -> Request | None:
        """What an agent is asked for, None when none is."""
        if not self.deadline:
            return None
        call, *numbers, agent = self._request.value.decode().split(" ", 5)
        return Request(call, agent, *map(int, numbers))

    def begin(self, request: Request, limit: float) -> None:
        """Note that an agent is asked, and for how many seconds it may take."""
        call, agent, game, seat, decision, games = request
        self._request.value = f"{call} {game} {seat} {decision} {games} {agent}".encode()
        self._deadline.value = time.monotonic() + limit  # the same clock in all processes

    def end(self) -> None:
        """Note that it has answered."""
        self._deadline.value = 0.0


class _OutOfTimeError(BaseException):
    """Time is up; no error that agents catch by habit."""


def _ring(*_: object) -> None:
    raise _OutOfTimeError


_HAS_ALARM: Final = hasattr(signal, "setitimer")
"""Windows has none: there only the parent process ends an agent that takes too long."""


def _set_alarm(seconds: float) -> None:
    if _HAS_ALARM:
        signal.setitimer(signal.ITIMER_REAL, seconds)


class StrictSupervisor(Supervisor):
    """Trusts nobody: notes who is asked, looks at the clock, and catches what is raised."""

    def __init__(self, note: Note, limits: Limits) -> None:
        """Keep a note for the parent process, and limits for the agents."""
        self._note = note
        self._limits = limits
        if _HAS_ALARM:
            signal.signal(signal.SIGALRM, _ring)

    def ask(self, request: Request, call: Callable[[], T]) -> T:
        """Return an agent's answer, or raise `FaultError`."""
        limit = self._limits.of(request)
        self._note.begin(request, limit)
        began = time.perf_counter()
        try:
            _set_alarm(limit)
            try:
                answer = call()
            finally:
                _set_alarm(0)
            if time.perf_counter() - began > limit:
                raise _OutOfTimeError
            return answer
        except FaultError:
            raise
        except _OutOfTimeError:
            raise FaultError("timeout", late(request, limit)) from None
        except BaseException as error:
            raise FaultError("error", error_text(error)) from error
        finally:
            self._note.end()


def late(request: Request, limit: float) -> str:
    """Say that an agent took too long."""
    return f"it took longer than {limit:g} seconds {_CALLS[request.call]}"


class _Worker:
    """Does jobs, one after the other."""

    def __init__(self, settings: WorkerSettings, note: Note) -> None:
        self._settings = settings
        self._supervisor = StrictSupervisor(note, settings.limits)
        self._contestants = {
            entry.name: Contestant.of(entry.name, entry.agent, **entry.settings)
            for entry in settings.entries
        }
        self._warm: set[str] = set()

    def answer(self, job: Job) -> Answer:
        """Do a job."""
        try:
            return self._probe(job.agent) if isinstance(job, Probe) else self._play(job)
        except BatchFaultError as error:
            return error
        except Exception:
            return RuntimeError(f"a worker failed at {job}:\n{traceback.format_exc()}")

    def _probe(self, name: str) -> Answer:
        contestant = self._contestants[name]
        try:
            kind = contestant.kind(self._supervisor)
            self._sit_down(contestant)
        except FaultError as error:
            if isinstance(error.__cause__, PricoError):
                return ArenaError(f"{name} cannot take part: {error.__cause__}")
            return Fault(error.kind, error.text)
        return kind

    def _sit_down(self, contestant: Contestant) -> Agent:
        """Let a player sit down for a game that does not count."""
        player = contestant.acquire(self._supervisor)
        call = functools.partial(player.reset, 0, self._settings.rules, 0)
        self._supervisor.ask(Request("reset", contestant.name), call)
        contestant.release(player)
        return player

    def _play(self, job: Play) -> Answer:
        rules = job.line_up.rules or self._settings.rules
        table = [self._contestants[one] for one in job.line_up.table]
        seeds = [deal_seed(self._settings.seed, deal) for deal in job.deals]
        if job.kind == "compiled":
            call = functools.partial(play_compiled, rules, table, seeds)
            try:
                finished = self._supervisor.ask(Request("compiled", job.line_up.table[0]), call)
            except FaultError as error:
                raise BatchFaultError(error.text) from None
        else:
            for contestant in table:
                contestant.disqualified = job.disqualified.get(contestant.name)
                if contestant.disqualified is None and contestant.name not in job.no_warm_up:
                    self._warm_up(contestant)
            known = {(0, seat): fault for seat, fault in job.known.items()}
            finished = play(rules, table, seeds, self._supervisor, known)
        lines = game_lines(rules, job.line_up, self._settings.seed, job.deals, finished)
        return [
            FinishedGame(
                line["deal"],
                line["wins"],
                tuple({fault["agent"] for fault in line["faults"]}),
                text,
            )
            for line, text in zip(lines, write_lines(lines), strict=True)
        ]

    def _warm_up(self, contestant: Contestant) -> None:
        """Let an agent decide once without the clock: a first decision often compiles something."""
        if contestant.name in self._warm:
            return
        self._warm.add(contestant.name)
        game = Game(self._settings.rules, 0)
        with contextlib.suppress(FaultError):  # where it counts, it will happen again
            player = self._sit_down(contestant)
            if isinstance(player, BatchAgent):
                observations, legal = game.observation()[None], game.mask()[None]
                call: Callable[[], Any] = functools.partial(player.act_batch, observations, legal)
            else:
                call = functools.partial(player.act, View.of(game))
            self._supervisor.ask(Request("warm_up", contestant.name), call)


def work(connection: Connection, note: Note, settings: WorkerSettings) -> None:
    """Do jobs until there are no more, or the parent process is gone."""
    pass_over_requests()
    os.environ.update({name: os.environ.get(name, "1") for name in _ONE_THREAD})
    _print_to(settings.log)
    worker = _Worker(settings, note)
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
    accept_any_text()
