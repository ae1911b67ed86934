"""The monitor of a search: it sees how far it is, and may ask for the decision early.

Whoever asks a player for a decision in a thread of its own installs one, as a chess program's
interface sends `stop`. A search then decides with what it has found so far; a search that nobody
monitors, or that is not stopped, decides as ever.

>>> with monitored(lambda share: share < 0.5):
...     [goes_on(share) for share in (0.25, 0.5)]
[True, False]
>>> goes_on(0.5)
True
"""

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Final

Monitor = Callable[[float], bool]
"""Takes the share of the budget that is spent, from 0 to 1; answers whether to go on."""

_MONITOR: Final[ContextVar[Monitor | None]] = ContextVar("monitor", default=None)


@contextlib.contextmanager
def monitored(monitor: Monitor) -> Iterator[None]:
    """Monitor the searches that this thread makes meanwhile."""
    token = _MONITOR.set(monitor)
    try:
        yield
    finally:
        _MONITOR.reset(token)


def goes_on(share: float) -> bool:
    """Tell the monitor how much of the budget is spent; return whether the search may go on."""
    monitor = _MONITOR.get()
    return monitor is None or monitor(share)
