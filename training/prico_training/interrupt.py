"""Ctrl-C as a request: the first one lets the work end tidily, the second one ends it at once."""

import signal
import types
from collections.abc import Callable
from typing import Any


class Interruptions:
    """While this is open, Ctrl-C (and SIGTERM) asks to stop instead of raising.

    Attributes:
        happened: Whether somebody asked.
    """

    def __init__(self, on_request: Callable[[], None] = lambda: None) -> None:
        """Call ``on_request`` at the first Ctrl-C; by default `happened` alone tells of it."""
        self.happened = False
        self._on_request = on_request
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interruptions":
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, frame: types.FrameType | None) -> None:
        if self.happened:
            raise KeyboardInterrupt
        self.happened = True
        self._on_request()
