"""The first compilation of the rules: said, shown, and done by two processes where there are cores.

One process compiles what carries out decisions, the other what finds the next one and what a seat
sees. They meet in the cache: the first waits there for what the second was given.
"""

import contextlib
import functools
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

from prico_env.core.kernel_cache import kernel_folder
from prico_env.core.kernel_key import reached_functions

_HELP: Final = "from prico_env.core.first_compile import help_out; help_out()"
_GIVEN_AWAY: Final = (
    "prico_env.core.engine.advance",
    "prico_env.core.observation.fill_observation",
)
"""What the helper compiles; it takes as long as the rest of what a step needs."""

_WHAT: Final = {"prico_env": "the rules", "prico_agents": "agents", "prico_training": "training"}
"""What the kernels of a package are, in words."""
_WORTH_A_WORD: Final = 20
"""How many functions a kernel consists of that takes seconds to compile."""
_LOOK_EVERY: Final = 0.2
"""Seconds between two looks at how far it has come."""

_is_compiling = False
_is_helper = False
_helper: subprocess.Popen[bytes] | None = None


@contextlib.contextmanager
def first_compile(kernel: Any, sig: Any) -> Iterator[None]:
    """Say that a kernel is compiled because it never was before, and show how far that has come.

    Kernels that are compiled because this one needs them are a part of that.
    """
    global _is_compiling
    if _is_compiling or _is_helper or kernel._cache.has(sig, kernel.targetctx):
        yield
        return
    _is_compiling = True
    try:
        reached = reached_functions(kernel)
        if len(reached) < _WORTH_A_WORD:
            yield
            return
        package = kernel.py_func.__module__.partition(".")[0]
        _say_once(_WHAT.get(package, kernel.py_func.__name__))
        if package == "prico_env":
            _start_helper()
        with _progress(reached):
            yield
    finally:
        _is_compiling = False


@functools.cache
def _say_once(what: str) -> None:
    folder = kernel_folder()
    later = "later starts compile again" if folder is None else f"later starts read {folder}"
    print(
        f"prico: compiling {what} for the first time, seconds on two free cores; {later}",
        file=sys.stderr,
        flush=True,
    )


@contextlib.contextmanager
def _progress(functions: frozenset[FunctionType]) -> Iterator[None]:
    """Show on a terminal how many of some functions are compiled."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from prico_env.core.kernel_compiler import KERNELS

    given_away = {
        function
        for name, kernel in KERNELS.items()
        if _helper is not None and _full_name(name) in _GIVEN_AWAY
        for function in reached_functions(kernel)
    }
    kernels = [KERNELS[one] for one in functions - given_away if one in KERNELS]
    columns = (TextColumn("compiling"), BarColumn(), TextColumn("{task.completed} of {task.total}"))
    bar = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    is_over = threading.Event()

    def follow() -> None:
        task = bar.add_task("", total=len(kernels))
        while not is_over.wait(_LOOK_EVERY):
            bar.update(task, completed=sum(one.is_compiled for one in kernels))

    thread = threading.Thread(target=follow, daemon=True)
    with bar:
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()


# -- the second process ----------------------------------------------------------------------------


def _start_helper() -> None:
    """Have another process compile its share, if there are a core and a folder for it."""
    global _helper
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    can = sys.executable and not getattr(sys, "frozen", False) and kernel_folder() is not None
    if _helper is not None or not can or (cores or 1) < 2:  # noqa: PLR2004
        return
    paths = os.pathsep.join(one for one in sys.path if one)
    with contextlib.suppress(OSError):
        _helper = subprocess.Popen(
            [sys.executable, "-P", "-c", _HELP],
            env=os.environ | {"PYTHONPATH": paths},
            stdin=subprocess.PIPE,  # it ends when this process does
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def wait_for_helper(kernel: Any) -> None:
    """Wait for a kernel that the helper compiles; if it failed, that is done here."""
    if _helper is not None and _full_name(kernel.py_func) in _GIVEN_AWAY:
        _helper.wait()


def help_out() -> None:
    """Compile what another process gave away, and end when that one does."""
    global _is_helper
    _is_helper = True
    threading.Thread(target=_end_with_the_other, daemon=True).start()

    import numpy as np
    from numba import typeof

    from prico_env.core.calls import GAME
    from prico_env.core.kernel_compiler import KERNELS

    game = np.zeros(1, GAME)[0]
    table = game["rules"], game["state"]
    arguments = {
        "advance": (*table, game["legal"].view(np.bool_), game["forced_log"], True),
        "fill_observation": (*table, 0, np.zeros(1, np.uint8)),
    }
    for function, kernel in list(KERNELS.items()):
        if _full_name(function) in _GIVEN_AWAY:
            kernel.compile(tuple(typeof(one) for one in arguments[function.__name__]))


def _end_with_the_other() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def _full_name(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"
