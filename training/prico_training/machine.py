"""The machine at hand: what figures were measured on, its cores and its memory."""

import contextlib
import ctypes
import importlib.metadata
import math
import os
import platform
import sys
from pathlib import Path
from typing import Final

_M_TRIM_THRESHOLD: Final = -1
"""In <malloc.h>: what `mallopt` sets so that less than this stays when it is freed."""
_M_MMAP_THRESHOLD: Final = -3
"""In <malloc.h>: what `mallopt` sets so that larger blocks are mapped, and unmapped, alone."""
_LARGE: Final = 1_048_576
_LARGEST: Final = 32 * _LARGE
"""What `mallopt` takes at most as the threshold for mapped blocks."""
_MOST: Final = 2**31 - 1
_LIBRARIES: Final = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium")


def machine() -> dict[str, str]:
    """Processor, system, and versions of the libraries that matter."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        **{name: _version(name) for name in ("prico", *_LIBRARIES)},
    }


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def give_large_memory_back() -> None:
    """Have the memory of large arrays given back to the system as soon as they are freed.

    The C library of Linux does so at first, but keeps what it gets once such an array was freed;
    from then on a zeroed array takes all its room at once, too, and not as it is written.
    """
    _set_malloc(_M_MMAP_THRESHOLD, _LARGE)


def keep_freed_memory() -> None:
    """Have the memory of freed arrays kept for the next ones.

    What learns frees arrays and asks for as many of the same sizes all the time. The C library of
    Linux gives large ones back to the system, which zeroes every page that it hands out anew: a
    fifth of the time of an update.
    """
    _set_malloc(_M_MMAP_THRESHOLD, _LARGEST)
    _set_malloc(_M_TRIM_THRESHOLD, _MOST)


def _set_malloc(option: int, value: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # another C library, which has no such option
            ctypes.CDLL(None).mallopt(option, value)


def load_averages() -> tuple[float, float, float]:
    """Busy processes in the last 1, 5 and 15 minutes; no numbers where the system tells none."""
    return os.getloadavg() if hasattr(os, "getloadavg") else (math.nan, math.nan, math.nan)


def _processor() -> str:
    """The processor's name, where the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
