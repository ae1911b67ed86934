"""The life of a process that another one has started: it ends when that one is gone."""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from typing import Final

_DEATH_SIGNAL: Final = 1
"""``PR_SET_PDEATHSIG`` of Linux's ``prctl``."""
_POLL_SECONDS: Final = 0.5


def end_with_parent() -> None:
    """Leave when the parent is gone, whatever is being done; on Linux, within a C call too.

    Elsewhere a thread notices it, which a call that never lets go of Python keeps from running.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    parent = os.getppid()

    def wait() -> None:
        started_by = multiprocessing.parent_process()
        if started_by is not None:
            started_by.join()
        while started_by is None and os.getppid() == parent:
            time.sleep(_POLL_SECONDS)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
