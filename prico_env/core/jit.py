"""The decorators for compiled functions, so that all share the same flags and the same cache."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import config

_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """Compile a function; where other kernels call it, it becomes a part of them.

    With ``NUMBA_DISABLE_JIT=1`` it stays the Python that it is.
    """
    return _compiled(function)


def allocating_kernel(function: _Function) -> _Function:
    """Compile a kernel that makes arrays of its own.

    All others only use arrays that they are given, and need not count who still refers to them,
    which would cost more than many a rule.
    """
    return _compiled(function, allocates=True)


def separate_kernel(function: _Function) -> _Function:
    """Compile a function that other kernels jump to.

    For what many kernels reach and what takes long to compile, such as the phases: it is compiled
    once, and not again when its callers change. A call costs some nanoseconds more.
    """
    return _compiled(function, separate=True)


def _compiled(function: _Function, *, separate: bool = False, allocates: bool = False) -> _Function:
    if config.DISABLE_JIT:
        return function
    from prico_env.core.kernel_compiler import Kernel

    compiled: Any = Kernel(function, separate, allocates)
    return compiled


def uncompiled(compiled: _Function) -> _Function:
    """Return a kernel as plain Python: a short one takes less than handing it a record does."""
    function: Any = getattr(compiled, "py_func", compiled)
    return function
