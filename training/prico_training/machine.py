"""What the figures of a report were measured on."""

import importlib.metadata
import os
import platform
from pathlib import Path
from typing import Final

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
