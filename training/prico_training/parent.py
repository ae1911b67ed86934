"""The life of a process that another one has started: it ends when that one is gone."""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

_DEATH_SIGNAL: Final = 1
"""``PR_SET_PDEATHSIG`` of Linux's ``prctl``."""
_POLL_SECONDS: Final = 0.5


def end_with_parent(parent: int, *, by_system: bool = True) -> None:
    """Leave when the parent is gone, whatever is being done; on Linux, within a C call too.

    Elsewhere a thread notices it, which a call that never lets go of Python keeps from running.

    Args:
        parent: Process id of the parent.
        by_system: Whether the system may see to it, where it can; not where a thread of the parent
            that started this process may end before the parent does.
    """
    if by_system and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)

    def watch() -> None:
        while not _is_gone(parent):
            time.sleep(_POLL_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def tied(target: Callable[..., object], *arguments: object) -> dict[str, Any]:
    """What to make a process with that ends with this one.

    It ties itself before it loads what its target needs, which may take seconds.

    Args:
        target: What the process does.
        arguments: What it is called with.
    """
    return {"target": _call, "args": (_Tie(os.getpid()), target, *arguments)}


class _Tie:
    """Calls `end_with_parent` where it is received: as the first argument, before all others."""

    def __init__(self, parent: int) -> None:
        self._parent = parent

    def __reduce__(self) -> tuple[Callable[[int], None], tuple[int]]:
        return end_with_parent, (self._parent,)


def _call(_: None, target: Callable[..., object], *arguments: object) -> None:
    target(*arguments)


def _is_gone(parent: int) -> bool:
    if os.name == "posix" and os.getppid() != parent:
        return True
    started_by = multiprocessing.parent_process()  # known a little later; Windows has it alone
    return started_by is not None and not started_by.is_alive()
