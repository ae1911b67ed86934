"""The key of a kernel: a digest of what it is compiled from.

Numba's own cache watches the file a kernel lies in, but not what it calls, and it keeps the
kernels of every copy of a file apart. Here the key is what Numba compiles: bytecode, the values of
the globals it uses, and the same of every function it calls. Edit one rule or one number, and just
the kernels that reach it are compiled afresh; words, docstrings and pages are no part of any key,
and two copies of the same sources share one cache wherever they lie.
"""

import enum
import functools
import hashlib
import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic

_LIBRARIES: Final = frozenset(("numba", "numpy", "llvmlite")) | sys.stdlib_module_names
"""What these bring is no part of a key; Numba's version is, because it compiles."""


def kernel_key(compiled: Any) -> str:
    """Return the digest of what a kernel is compiled from.

    Args:
        compiled: A kernel, or the Python function that one is made from.

    Raises:
        TypeError: It uses a global of a kind whose value cannot be told.
    """
    parts = _parts(compiled)
    digest = hashlib.sha256(full_name(next(iter(parts))).encode())
    for part in sorted(parts.values()):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


def reached_functions(compiled: Any) -> frozenset[FunctionType]:
    """Return the functions of ours that a kernel is compiled from, its own included."""
    return frozenset(_parts(compiled))


def _parts(compiled: Any) -> dict[FunctionType, str]:
    """Return what each function that a kernel reaches consists of, its own function first."""
    waiting = [_function_of(compiled) or compiled]
    found: dict[FunctionType, str] = {}
    while waiting:
        function = waiting.pop()
        if function not in found:
            found[function], callees = _anatomy(function)
            waiting += callees
    return found


@functools.cache
def _anatomy(function: FunctionType) -> tuple[str, tuple[FunctionType, ...]]:
    """Return what a function itself consists of, in words, and the functions of ours it uses."""
    callees: list[FunctionType] = []
    words = [full_name(function)]
    codes = list(_codes(function.__code__))
    for code in codes:
        consts = tuple(one for one in code.co_consts if not isinstance(one, CodeType))
        if consts and isinstance(consts[0], str) and consts[0] == function.__doc__:
            consts = consts[1:]
        words.append(f"{code.co_code.hex()} {code.co_exceptiontable.hex()} {code.co_varnames}")
        words.append(f"{code.co_argcount} {code.co_freevars} {code.co_names}")
        words += [_value(one, callees) for one in consts]
    names = {name for code in codes for name in code.co_names}
    for name, value in _globals_of(function, names):
        words.append(f"{name} = {_value(value, callees)}")
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    words += [_value(one, callees) for one in (*cells, *(function.__defaults__ or ()))]
    return "\n".join(words), tuple(callees)


def _globals_of(function: FunctionType, names: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield the globals that these names may mean; of a module of ours, what it is asked for."""
    for name in sorted(names & set(function.__globals__)):
        value = function.__globals__[name]
        if isinstance(value, ModuleType) and _is_ours(value.__name__):
            yield from (
                (f"{name}.{one}", vars(value)[one]) for one in sorted(names & set(vars(value)))
            )
        else:
            yield name, value


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def full_name(function: Any) -> str:
    """Return the name of a function with that of its module."""
    return f"{function.__module__}.{function.__qualname__}"


def _function_of(value: Any) -> FunctionType | None:
    """Return the Python function of a kernel, an intrinsic or a plain function."""
    if isinstance(value, Dispatcher):
        return value.py_func
    if isinstance(value, _Intrinsic):
        return value._defn
    return value if isinstance(value, FunctionType) else None


def _value(value: Any, callees: list[FunctionType]) -> str:
    """Return a value that kernels may see in words that differ when the value does."""
    function = _function_of(value)
    if function is not None:
        if _is_ours(function.__module__):
            callees.append(function)
        return full_name(function)
    if isinstance(value, enum.Enum):
        return f"{type(value).__qualname__} {value.value!r}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, bool | int | float | str | bytes | slice | None | np.generic | np.dtype):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        parts: tuple[Any, ...] = value
        fields = getattr(value, "_fields", "")  # of a named tuple: which value is whose
        return f"{type(value).__qualname__}{fields}{[_value(one, callees) for one in parts]}"
    if isinstance(value, frozenset):  # of constants, as in ``kind in {1, 2}``
        return str(sorted(repr(one) for one in tuple(value)))
    if isinstance(value, enum.EnumType):
        members: list[Any] = [(name, value[name].value) for name in value.__members__]
        return f"{value.__qualname__} {members}"
    if isinstance(value, type):
        return f"{full_name(value)} {getattr(value, '_fields', '')}"
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, BuiltinFunctionType | np.ufunc):
        return repr(value)
    if isinstance(value, types.Type):
        return str(value)
    raise TypeError(
        f"a kernel uses {value!r}, and whether a {type(value).__name__} has changed cannot be "
        "told; give it numbers, tuples, arrays, enumerations or kernels"
    )


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] not in _LIBRARIES


def code_of(module: ModuleType) -> str:
    """Return what the functions of a module do, in words that differ when that does."""
    found: list[Any] = [one for one in vars(module).values() if _is_from(one, module)]
    found += [one for kind in found if isinstance(kind, type) for one in vars(kind).values()]
    codes = [_codes(one.__code__) for one in found if isinstance(one, FunctionType)]
    return " ".join(f"{code.co_code.hex()} {code.co_names}" for each in codes for code in each)


def _is_from(value: Any, module: ModuleType) -> bool:
    return getattr(value, "__module__", None) == module.__name__
