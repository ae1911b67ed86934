"""Worker processes as their parent sees them: they are watched, ended when they hang, and replaced.

An agent can take a process with it at any decision, and the others must play on. Executors of the
standard library lose every job when one process dies, and time limits elsewhere are for a whole
job, so the pool here is our own; it is small.
"""

import collections
import contextlib
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import wait
from typing import Final, NamedTuple

from prico_training.arena.match import Request
from prico_training.arena.worker import Answer, ArenaError, Job, Note, WorkerSettings, late, work
from prico_training.interrupt import requests_held_back
from prico_training.parent import tied

POLL_SECONDS: Final = 0.1
"""How often the parent looks whether somebody takes too long."""
_LEAVE_SECONDS: Final = 1.0
"""Time for an idle worker to end by itself."""


class WorkerDied(NamedTuple):
    """An answer that a worker could not give: it is gone."""

    request: Request | None
    """What an agent was asked for then; None when nobody was."""
    kind: str
    """``"crash"``, or ``"timeout"`` when it was ended for taking too long."""
    text: str
    """What is known about it, in words."""


class _Process:
    """A worker and its job, None when it is idle."""

    def __init__(self, settings: WorkerSettings) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.job: Job | None = None
        self._limits = settings.limits
        self._note = Note([entry.name for entry in settings.entries])
        self._process = context.Process(**tied(work, theirs, self._note, settings))
        with requests_held_back():
            self._process.start()
        theirs.close()
        self.signs = (self.connection, self._process.sentinel)

    def start(self, job: Job) -> None:
        """Hand out a job."""
        self.job = job
        with contextlib.suppress(BrokenPipeError):  # its end is noticed in a moment
            self.connection.send(job)

    def answer(self) -> Answer | WorkerDied | None:
        """Take the answer to the job if there is one, also when it is that the worker is gone."""
        try:
            if self.connection.poll():
                answer: Answer = self.connection.recv()
                return answer
        except (EOFError, OSError):
            self._process.join()
        if self._process.is_alive():
            return self._ended_for_lateness()
        return WorkerDied(self._note.request, "crash", self._how_it_ended())

    def end(self) -> None:
        """End the process: an idle one by itself, a busy one at once."""
        self.connection.close()
        if self.job is None:
            self._process.join(_LEAVE_SECONDS)
        self._process.kill()
        self._process.join()

    def _ended_for_lateness(self) -> WorkerDied | None:
        """End the process if an agent has been asked for longer than it may take."""
        deadline = self._note.deadline
        if not deadline or time.monotonic() < deadline + self._limits.grace:
            return None
        self._process.kill()
        self._process.join()
        request = self._note.request
        if request is None or self._note.deadline != deadline:  # it answered in the last moment
            return WorkerDied(None, "crash", "")
        words = f"{late(request, self._limits.of(request))}, and its process had to be ended"
        return WorkerDied(request, "timeout", words)

    def _how_it_ended(self) -> str:
        code = self._process.exitcode or 0
        if code >= 0:
            return f"the process ended with exit code {code}"
        names = {number.value: number.name for number in signal.Signals}
        return f"the process was ended by {names.get(-code, f'signal {-code}')}"


class Pool:
    """Worker processes, replaced as they die."""

    def __init__(self, settings: WorkerSettings, processes: int) -> None:
        """Have so many processes, each started when it is first needed."""
        self._settings = settings
        self._again: collections.deque[Job] = collections.deque()
        self._processes: list[_Process | None] = [None] * processes

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            if process is not None:
                process.end()

    def run(
        self, jobs: Iterator[Job], keep_going: Callable[[], bool]
    ) -> Iterator[tuple[Job, Answer | WorkerDied]]:
        """Do jobs, as many at once as there are processes; yield answers as they come.

        Args:
            jobs: Taken one by one, as processes become free.
            keep_going: Asked again and again; what is being done when it says no is dropped.

        Raises:
            ArenaError: An agent cannot take part because of how it was named.
            RuntimeError: Our own code went wrong in a worker.
        """
        while keep_going():
            self._hand_out(jobs)
            busy = [process for process in self._processes if process and process.job]
            if not busy:
                return
            wait([sign for process in busy for sign in process.signs], POLL_SECONDS)
            for process in busy:
                job, answer = process.job, process.answer()
                if answer is None or job is None:
                    continue
                process.job = None
                if isinstance(answer, WorkerDied):
                    process.end()
                    self._processes[self._processes.index(process)] = None
                elif isinstance(answer, ArenaError | RuntimeError):
                    raise answer
                yield job, answer

    def again(self, jobs: Sequence[Job]) -> None:
        """Put jobs before all others that wait."""
        self._again.extend(jobs)

    def _hand_out(self, jobs: Iterator[Job]) -> None:
        """Give a job to everybody who has none."""
        for slot, process in enumerate(self._processes):
            if process is None or process.job is None:
                job = self._again.popleft() if self._again else next(jobs, None)
                if job is None:
                    return
                if process is None:
                    process = self._processes[slot] = _Process(self._settings)
                process.start(job)
