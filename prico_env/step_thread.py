"""A step on a thread of its own: `send` starts it and returns at once, `recv` waits for its end."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from prico_env.errors import PricoError


class StepThread:
    """Carries out one step at a time while its owner does something else.

    A copy, or what a pickle gives back, has a thread of its own, with nothing sent.
    """

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._sent: Future[Any] | None = None

    def send(self, step: Callable[..., Any], *arguments: Any) -> None:
        """Start a step.

        Raises:
            PricoError: One was sent before, and has not been received.
        """
        self.check_idle("send()")
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="prico step")
        self._sent = self._thread.submit(step, *arguments)

    def recv(self) -> Any:
        """Wait for the step that was sent, and return what it returned, or raise what it raised.

        Raises:
            PricoError: None was sent.
        """
        if self._sent is None:
            raise PricoError("there is no step to receive: call send() before recv()")
        sent, self._sent = self._sent, None
        return sent.result()

    def check_idle(self, call: str) -> None:
        """Check that no step was sent and not received.

        Args:
            call: What is to be done now, for the error.

        Raises:
            PricoError: One was.
        """
        if self._sent is not None:
            raise PricoError(f"a step is under way: call recv() before {call}")

    def close(self) -> None:
        """Wait for a step that may be under way, forget it, and end the thread."""
        self._sent = None
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave the thread behind.

        Raises:
            PricoError: A step is under way.
        """
        self.check_idle("a copy is made")
        return {"_thread": None, "_sent": None}
