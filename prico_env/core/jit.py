"""The one decorator for compiled functions, so that all share the same flags and the same cache.

Numba's own cache watches the file a kernel lives in, but not the files it calls into, and it keeps
the kernels of every copy of a file apart. Here the key is what a kernel is made of: the text of its
module and of every module of ours that this one imports. Edit one rule, and just the kernels that
depend on it are compiled afresh; two copies of the same sources share one cache wherever they lie.
"""

import functools
import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
from numba import config, types
from numba.core import caching

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OWN_PACKAGES: Final = ("prico_env", "prico_agents", "prico_training")
_CORE: Final = "prico_env.core"
_IMPORT: Final = re.compile(
    r"^(?:from ([\w.]+) import (\([^)]*\)|[^\n]*)|import ([\w.]+))", re.MULTILINE
)


# -- what a kernel is made of ----------------------------------------------------------------------


@functools.cache
def _source_of(module: str) -> Path | None:
    """Return the file of a module of ours, or None where there is no such module."""
    package, _, rest = module.partition(".")
    if package not in _OWN_PACKAGES:
        return None
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    place = Path(spec.origin).parent.joinpath(*rest.split(".")) if rest else Path(spec.origin)
    for file in (place, place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None


@functools.cache
def _imports_of(module: str) -> tuple[str, ...]:
    """Return the modules of ours that a module imports as it is loaded."""
    file = _source_of(module)
    return _imports_in(file) if file else ()


@functools.cache
def _imports_in(file: Path) -> tuple[str, ...]:
    """Return the modules of ours that a file imports as it is loaded."""
    found = set()
    for source, names, plain in _IMPORT.findall(file.read_text("utf-8")):
        found.add(source or plain)
        for name in names.strip("()").split(","):
            found.add(f"{source}.{name.split(' as ')[0].strip()}")
    return tuple(sorted(name for name in found if _source_of(name)))


def _reach(modules: tuple[str, ...], allowed: frozenset[str] | None) -> frozenset[str]:
    """Return what modules import, and what that imports, themselves included.

    Args:
        modules: Where to begin.
        allowed: The modules of the game that kernels outside of it may depend on; None allows all.
    """
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        is_barred = allowed is not None and module.startswith("prico_env") and module not in allowed
        if module not in seen and not is_barred:
            seen.add(module)
            waiting += _imports_of(module)
    return frozenset(seen)


@functools.cache
def _core_modules() -> frozenset[str]:
    """Return the modules of the compiled rules and what they are made of."""
    home = Path(__file__).parent
    files = (path.relative_to(home).with_suffix("").parts for path in home.rglob("*.py"))
    return _reach(
        tuple(".".join((_CORE, *parts)) for parts in files if "__init__" not in parts), None
    )


def kernel_sources(file: Path) -> frozenset[str]:
    """Return the modules whose text decides how the kernels of a file are compiled, beside it.

    Of the game itself those are the compiled core and what it imports, nothing else: players and
    trainers see the rest of it from outside of their kernels only.
    """
    return _reach(_imports_in(file), _core_modules())


@functools.cache
def _digest(file: Path) -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    digest.update(file.read_bytes())
    for name in sorted(kernel_sources(file)):
        source = _source_of(name)
        digest.update(name.encode())
        digest.update(source.read_bytes() if source else b"")
    return digest.hexdigest()[:16]


# -- where compiled kernels are kept ---------------------------------------------------------------


def cache_root() -> Path:
    """Return the folder of all kernel caches: ``PRICO_CACHE_DIR``, else the user's cache folder."""
    named = os.environ.get("PRICO_CACHE_DIR")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "prico"


CACHE_FOLDER: Final = cache_root() / "kernels"
"""Where compiled kernels lie, in a folder for each module and digest of its sources."""


class _SourcesLocator(caching._CacheLocator):
    """Keeps the kernels of a module in a folder that is named after all their sources."""

    def __init__(self, function: Any) -> None:
        self._line = function.__code__.co_firstlineno
        digest = _digest(Path(function.__code__.co_filename))
        self._folder = CACHE_FOLDER / f"{function.__module__}-{digest}"

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return what Numba compares; the folder's name has settled it."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Any, file: str) -> "_SourcesLocator":
        return cls(function)


class _SourcesCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = (_SourcesLocator,)


class _SourcesCache(caching.FunctionCache):
    _impl_class = _SourcesCacheImpl


def kernel(function: _Function) -> _Function:
    """Compile a function with the flags all kernels share (no-op with ``NUMBA_DISABLE_JIT=1``)."""
    if config.DISABLE_JIT:
        return function
    compiled: _Function = numba.njit(nogil=True)(function)
    if Path(function.__code__.co_filename).is_file():
        compiled._cache = _SourcesCache(function)  # type: ignore[attr-defined]
    _compile_once_for_all_integers(compiled)
    return compiled


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


_announced = False


def announce_first_compile() -> None:
    """Say once, on stderr, that a first run compiles the rules."""
    global _announced
    if _announced or config.DISABLE_JIT:
        return
    _announced = True
    engine = _digest(Path(__file__).with_name("engine.py"))
    if not any(CACHE_FOLDER.glob(f"{_CORE}.engine-{engine}/*.nbi")):
        print(
            "prico: compiling the rules for the first time, about half a minute; "
            f"later starts take them from {CACHE_FOLDER}",
            file=sys.stderr,
            flush=True,
        )
