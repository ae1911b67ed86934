"""The one decorator for compiled functions, so that all share the same flags and the same cache.

Numba's own cache watches the file a kernel lives in, but not what it calls, and it keeps the
kernels of every copy of a file apart. Here the key of a kernel is what Numba compiles: bytecode,
the values of the globals it uses, and the same of every function it calls. Edit one rule or one
number, and just the kernels that reach it are compiled afresh; words, docstrings and pages are no
part of any key, and two copies of the same sources share one cache wherever they lie.
"""

import enum
import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba import config, types
from numba.core import caching
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic

_Function = TypeVar("_Function", bound=Callable[..., Any])

_LIBRARIES: Final = frozenset(("numba", "numpy", "llvmlite")) | sys.stdlib_module_names
"""What these bring is no part of a key; Numba's version is, because it compiles."""


# -- what a kernel is made of ----------------------------------------------------------------------


def kernel_key(compiled: Any) -> str:
    """Return the digest of what a kernel is compiled from.

    Args:
        compiled: A kernel, or the Python function that one is made from.

    Raises:
        TypeError: It uses a global of a kind whose value cannot be told.
    """
    parts = _parts(compiled)
    digest = hashlib.sha256(f"{_compiler()}{_full_name(next(iter(parts)))}".encode())
    for part in sorted(parts.values()):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


def reached_functions(compiled: Any) -> frozenset[str]:
    """Return the names of the functions of ours that a kernel is compiled from, itself included."""
    return frozenset(_full_name(function) for function in _parts(compiled))


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
    words = [_full_name(function)]
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


def _full_name(function: Any) -> str:
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
        return _full_name(function)
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
        return f"{_full_name(value)} {getattr(value, '_fields', '')}"
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


# -- where compiled kernels are kept ---------------------------------------------------------------


def cache_root() -> Path:
    """Return the folder of all kernel caches: ``PRICO_CACHE_DIR``, else the user's cache folder."""
    named = os.environ.get("PRICO_CACHE_DIR")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "prico"


CACHE_FOLDER: Final = cache_root() / "kernels"
"""Where compiled kernels lie, in a folder for each module; their names end in their keys."""


class _KeyLocator(caching._CacheLocator):
    """Names the files of a kernel by what it is compiled from."""

    def __init__(self, function: Any) -> None:
        self._key = kernel_key(function)
        self._folder = CACHE_FOLDER / function.__module__

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return what Numba compares; the name of the file has settled it."""
        return self._key

    def get_disambiguator(self) -> str:
        return self._key

    @classmethod
    def from_function(cls, function: Any, file: str) -> "_KeyLocator":
        return cls(function)


class _CacheFile(caching.IndexDataCacheFile):
    """Takes files that cannot be read for absent: damaged ones, or of types renamed since then.

    Unpickling such a file may raise anything, and all it costs is to compile once more.
    """

    def _load_index(self) -> dict[Any, str]:
        try:
            return super()._load_index()
        except Exception:
            return {}

    def _load_data(self, name: str) -> Any:
        try:
            return super()._load_data(name)
        except Exception:
            return None


class _KernelCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = (_KeyLocator,)


class _KernelCache(caching.FunctionCache):
    """Finds its files when it is first asked: only then is all there that a kernel calls."""

    _impl_class = _KernelCacheImpl

    def __init__(self, function: Any) -> None:
        self._function = function

    def __getattr__(self, name: str) -> Any:
        if "_impl" in self.__dict__ or name.startswith("__"):
            raise AttributeError(name)
        super().__init__(self._function)
        key = self._impl.locator.get_source_stamp()
        self._cache_file = _CacheFile(self._cache_path, self._impl.filename_base, key)
        return getattr(self, name)

    def is_filled(self) -> bool:
        """Whether something has been compiled before."""
        return Path(self._cache_path, f"{self._impl.filename_base}.nbi").is_file()


def kernel(function: _Function) -> _Function:
    """Compile a function with the flags all kernels share (no-op with ``NUMBA_DISABLE_JIT=1``)."""
    if config.DISABLE_JIT:
        return function
    compiled: _Function = numba.njit(nogil=True)(function)
    compiled._cache = _KernelCache(function)  # type: ignore[attr-defined]
    _compile_once_for_all_integers(compiled)
    return compiled


def uncompiled(compiled: _Function) -> _Function:
    """Return a kernel as plain Python: a short one takes less than handing it a record does."""
    function: Any = _function_of(compiled)
    return function or compiled


def _compile_once_for_all_integers(compiled: Any) -> None:
    """Make calls from other kernels pass every whole number as int64.

    Numba compiles a function again for each kind of integer and even for each constant it is
    called with, and all it calls too. One kind for all halves the time to compile the rules.
    """
    template_for = compiled.get_call_template

    def template_for_plain(args: Any, kws: Any) -> Any:
        plain = tuple(_plain_type(one) for one in args)
        return template_for(plain, {name: _plain_type(one) for name, one in kws.items()})

    compiled.get_call_template = template_for_plain


def _plain_type(given: Any) -> Any:
    given = types.unliteral(given)
    if isinstance(given, types.Integer | types.IntEnumMember):
        return types.int64
    return given


_WAY_OF_COMPILING: Final = (kernel, _compile_once_for_all_integers, _plain_type)


@functools.cache
def _compiler() -> str:
    """Return what every kernel depends on: versions, and how this module has it compiled."""
    how = [_anatomy(function)[0] for function in _WAY_OF_COMPILING]
    return f"{numba.__version__} {sys.version_info[:2]} {how}"


_announced = False


def announce_first_compile(rules: Any) -> None:
    """Say once, on stderr, that a first run compiles the rules.

    Args:
        rules: A kernel that plays them.
    """
    global _announced
    if _announced or config.DISABLE_JIT:
        return
    _announced = True
    if not rules._cache.is_filled():
        print(
            "prico: compiling the rules for the first time, about half a minute; "
            f"later starts take them from {CACHE_FOLDER}",
            file=sys.stderr,
            flush=True,
        )
