"""The decorators for compiled functions, so that all share the same flags and the same cache."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import config

_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """Compile a function; where other kernels call it, it becomes a part of them.

    With ``NUMBA_DISABLE_JIT=1`` it stays the Python that it is.
    """
    return _compiled(function, separate=False)


def separate_kernel(function: _Function) -> _Function:
    """Compile a function that other kernels jump to.

    For what many kernels reach and what takes long to compile, such as the phases: it is compiled
    once, and not again when its callers change. A call costs some nanoseconds more.
    """
    return _compiled(function, separate=True)


def _compiled(function: _Function, *, separate: bool) -> _Function:
    if config.DISABLE_JIT:
        return function
    from prico_env.core.kernel_compiler import Kernel

    compiled: Any = Kernel(function, separate)
    return compiled


def uncompiled(compiled: _Function) -> _Function:
    """Return a kernel as plain Python: a short one takes less than handing it a record does."""
    function: Any = getattr(compiled, "py_func", compiled)
    return function
