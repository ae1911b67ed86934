"""Ctrl-C as a request: the first one lets the work end tidily, the second one ends it at once."""

import multiprocessing.resource_tracker
import os
import signal
import sys
import threading
import time
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_REQUESTS: Final = (signal.SIGINT, signal.SIGTERM)
_ECHO_SECONDS: Final = 2.0
"""``torchrun`` passes on a Ctrl-C that its ranks have had from the terminal: it is the same one."""


class Interruptions:
    """While this is open, Ctrl-C (and SIGTERM) asks to stop instead of raising.

    In a thread that is not the main one nothing changes: signals go to the main thread.

    Attributes:
        happened: Whether somebody asked.
    """

    def __init__(self, answer: str = "") -> None:
        """Ask for nothing yet.

        Args:
            answer: What a person is told at the first Ctrl-C; nothing where it is empty.
        """
        self.happened = False
        self._answer = answer
        self._asked_at = 0.0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interruptions":
        if threading.current_thread() is threading.main_thread():
            for number in _REQUESTS:
                self._before[number] = signal.signal(number, self._handle) or signal.SIG_DFL
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, frame: types.FrameType | None) -> None:
        if not self.happened:
            self.happened, self._asked_at = True, time.monotonic()
            if self._answer:  # past Python's own buffer, which may be in use at this moment
                os.write(2, f"{self._answer}; asked once more, it ends at once\n".encode())
        elif not self._is_echo():
            raise KeyboardInterrupt

    def _is_echo(self) -> bool:
        is_rank = "TORCHELASTIC_RUN_ID" in os.environ
        return is_rank and time.monotonic() < self._asked_at + _ECHO_SECONDS


@contextmanager
def requests_held_back() -> Iterator[None]:
    """Keep requests to stop from processes that are started while this is open.

    A terminal, or whoever ends a service, sends them to a whole group; they are for the parent
    alone. They reach none of these processes before it calls `pass_over_requests`. Windows has no
    such thing; there a process that is just starting may hear them.
    """
    if sys.platform == "win32":
        yield
        return
    multiprocessing.resource_tracker.ensure_running()  # else it lets requests through once started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _REQUESTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def pass_over_requests() -> None:
    """Leave it to the parent process to stop this one, which it started with them held back."""
    for number in _REQUESTS:
        signal.signal(number, _pass_over)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _REQUESTS)


def _pass_over(*_: object) -> None:
    """Do nothing; unlike ``SIG_IGN`` this is not handed on to processes that agents start."""
