"""The first compilation of the rules: said, shown, and done by two processes where there are cores.

One process compiles what carries out decisions and what a seat sees, the other what finds the next
decision. They meet in the cache: the first waits there for what the second was given.
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
from prico_env.core.kernel_key import full_name, reached_functions

_HELPER: Final = "prico_env.core.helper_process"
_IS_HELPER: Final = "PRICO_COMPILES_FOR_ANOTHER"
"""Set in the environment of the helper, which has none of its own."""
GIVEN_AWAY: Final = "prico_env.core.engine.advance"
"""What the helper compiles; it takes as long as the rest of what a step needs."""

_WHAT: Final = {"prico_env": "the rules", "prico_agents": "agents", "prico_training": "training"}
"""What the kernels of a package are, in words."""
_WORTH_A_WORD: Final = 20
"""How many functions a kernel consists of that takes seconds to compile."""
_LOOK_EVERY: Final = 0.2
"""Seconds between two looks at how far it has come."""

_is_compiling = False
_helper: subprocess.Popen[bytes] | None = None


@contextlib.contextmanager
def first_compile(kernel: Any, sig: Any) -> Iterator[None]:
    """Say that a kernel is compiled because it never was before, and show how far that has come.

    Kernels that are compiled because this one needs them are a part of that. One that the helper
    compiles is waited for; if the helper failed, that is done here.
    """
    global _is_compiling
    if _helper is not None and full_name(kernel.py_func) == GIVEN_AWAY:
        _helper.wait()
    if _is_compiling or kernel._cache.has(sig, kernel.targetctx):
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
        with _progress(reached, kernel.registry):
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
def _progress(
    functions: frozenset[FunctionType], kernels: dict[FunctionType, Any]
) -> Iterator[None]:
    """Show on a terminal how many of some functions are compiled."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    given_away = {
        reached
        for function in kernels
        if _helper is not None and full_name(function) == GIVEN_AWAY
        for reached in reached_functions(function)
    }
    own = [kernels[one] for one in functions - given_away if one in kernels]
    columns = (TextColumn("compiling"), BarColumn(), TextColumn("{task.completed} of {task.total}"))
    bar = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    is_over = threading.Event()

    def follow() -> None:
        task = bar.add_task("", total=len(own))
        while not is_over.wait(_LOOK_EVERY):
            bar.update(task, completed=sum(one.is_compiled for one in own))

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
    if _helper is not None or _IS_HELPER in os.environ or not can or cores == 1:
        return
    paths = os.pathsep.join(one for one in sys.path if one)
    with contextlib.suppress(OSError):
        _helper = subprocess.Popen(
            [sys.executable, "-P", "-m", _HELPER],
            env=os.environ | {"PYTHONPATH": paths, _IS_HELPER: "1"},
            stdin=subprocess.PIPE,  # it ends when this process does
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
