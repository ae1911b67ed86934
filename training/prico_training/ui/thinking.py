"""The queue of searches: one for each session, as many at once as there are cores, by turns.

A search runs in a thread of its own, where compiled code leaves the interpreter to others, and is
monitored: it can be stopped within a slice of its simulations. Who has had a search goes to the end
of the queue with the next one, so that sessions take turns. Everything but the searches themselves
happens in the thread of the event loop.

A search that cannot be stopped, of an agent that does not ask its monitor, goes on until it ends by
itself. It keeps its core until then and its session gets no other one meanwhile; nobody waits for
its result.
"""

import asyncio
import contextlib
import contextvars
import os
import sys
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from prico_agents.monitor import monitored
from prico_env.errors import PricoError
from prico_env.text.terms import error_words
from prico_training.machine import usable_cores
from prico_training.ui.limits import Limits
from prico_training.ui.session import SessionError

Result = TypeVar("Result")
_NICENESS: Final = 10
"""How far behind the threads that answer requests a search stands, where both want a core."""


class BusyError(SessionError):
    """The session has a search already."""


class CalledOffError(SessionError):
    """A search was cancelled; its result is not wanted any more."""


class QueueFullError(PricoError):
    """Too many searches wait already."""


@dataclass(frozen=True)
class Thought(Generic[Result]):
    """The result of a search, and whether it was out of time before its budget was spent."""

    result: Result
    was_cut: bool


class Progress(NamedTuple):
    """How far the search of a session is.

    Attributes:
        agent: Who searches.
        before: Searches that come first; 0: it runs.
        seconds: How long it has run.
        share: How much of its budget is spent, from 0 to 1; None: it waits, or does not say.
    """

    agent: str
    before: int
    seconds: float
    share: float | None


class _Search:
    """A search that waits or runs."""

    def __init__(
        self, agent: str, think: Callable[[], Any], seconds: float, is_replaceable: bool
    ) -> None:
        self.agent = agent
        self.is_replaceable = is_replaceable
        self.ended = asyncio.Event()
        self.result: Any = None
        self.error: Exception | None = None
        self.was_cut = False
        self.is_called_off = False
        self.began: float | None = None
        self.share: float | None = None
        self._think = think
        self._context = contextvars.copy_context()
        self._seconds = seconds

    def run(self) -> None:
        """Search, in the thread of this search, and in the language of who waits for it."""
        self._context.run(self._run)

    def _run(self) -> None:
        try:
            with monitored(self._goes_on):
                self.result = self._think()
        except Exception as error:
            self.error = error
        except BaseException as error:  # such as `sys.exit`, which is not for an agent to call
            self.error = RuntimeError(f"{self.agent} raised {type(error).__name__}: {error}")

    def _goes_on(self, share: float) -> bool:
        self.share = share
        assert self.began is not None
        self.was_cut = share < 1 and time.monotonic() - self.began >= self._seconds
        return not (self.was_cut or self.is_called_off)


class SearchQueue:
    """The searches of all sessions."""

    def __init__(self, limits: Limits) -> None:
        """Make an empty queue."""
        self._limits = limits
        self._at_once = limits.searches or usable_cores()
        self._waiting: dict[Hashable, _Search] = {}  # the next one first
        self._running: dict[Hashable, _Search] = {}

    async def think(
        self,
        owner: Hashable,
        agent: str,
        think: Callable[[], Result],
        is_replaceable: bool = False,
    ) -> Thought[Result]:
        """Search as soon as it is this session's turn, and return what was found.

        Whoever stops waiting for it calls it off.

        Args:
            owner: The session.
            agent: Who searches.
            think: The search; it is called in another thread.
            is_replaceable: Whether the next search of the session calls it off, as it does a hint.

        Raises:
            BusyError: The session has a search already.
            QueueFullError: Too many wait already.
            CalledOffError: It was cancelled.
        """
        other = self._of(owner)
        if other is not None and not other.is_replaceable:
            raise BusyError(error_words("busy", name=other.agent))
        self.cancel(owner)
        if len(self._waiting) >= self._limits.queue:
            raise QueueFullError(error_words("queue_full", count=len(self._waiting)))
        search = _Search(agent, think, self._limits.seconds, is_replaceable)
        self._waiting[owner] = search
        self._start()
        try:
            await search.ended.wait()
        finally:
            if not search.ended.is_set():
                self.cancel(owner)
        if search.is_called_off:
            raise CalledOffError(error_words("called_off", name=agent))
        if search.error is not None:
            raise search.error
        return Thought(search.result, search.was_cut)

    def cancel(self, owner: Hashable) -> bool:
        """Call off the search of a session; return whether it had one."""
        search = self._of(owner)
        if search is None:
            return False
        self._waiting.pop(owner, None)
        search.is_called_off = True
        search.ended.set()
        return True

    def close(self) -> None:
        """Call every search off."""
        for owner in [*self._waiting, *self._running]:
            self.cancel(owner)

    def progress(self, owner: Hashable) -> Progress | None:
        """How far the search of a session is; None where it has none."""
        search = self._of(owner)
        if search is None:
            return None
        if search.began is None:
            before = list(self._waiting).index(owner) + len(self._running)
            return Progress(search.agent, before, 0.0, None)
        return Progress(search.agent, 0, time.monotonic() - search.began, search.share)

    # -- how it is done ----------------------------------------------------------------------------

    def _of(self, owner: Hashable) -> _Search | None:
        """The search that a session waits for."""
        search = self._waiting.get(owner) or self._running.get(owner)
        return None if search is None or search.is_called_off else search

    def _start(self) -> None:
        """Start searches that wait, as long as there are cores for them."""
        for owner in list(self._waiting):
            if len(self._running) >= self._at_once:
                break
            if owner not in self._running:  # else one that was called off still runs
                search = self._running[owner] = self._waiting.pop(owner)
                search.began = time.monotonic()
                asked = owner, search, asyncio.get_running_loop()
                threading.Thread(target=self._run, args=asked, daemon=True).start()

    def _run(self, owner: Hashable, search: _Search, loop: asyncio.AbstractEventLoop) -> None:
        _go_behind()
        search.run()
        with contextlib.suppress(RuntimeError):  # the loop may have been closed meanwhile
            loop.call_soon_threadsafe(self._end, owner)

    def _end(self, owner: Hashable) -> None:
        self._running.pop(owner).ended.set()
        self._start()


def _go_behind() -> None:
    """Let the other threads go first, where a system gives each thread a priority of its own."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # some containers forbid it
            usual = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), usual + _NICENESS)
