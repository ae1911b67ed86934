"""The one decorator for compiled rules, so that every kernel shares the same flags.

Numba's cache on disk watches the file a kernel lives in, but not the files that kernel calls into.
Keying the cache folder on all sources of the rules keeps the two in step: edit one rule, and every
kernel that depends on it is compiled afresh. With ``NUMBA_DISABLE_JIT=1`` kernels are the plain
Python they are written in, which is how debuggers and coverage see them.
"""

import functools
import hashlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic

_PACKAGE: Final = Path(__file__).parent
_SURFACE: Final = (
    "catalog",
    "envs",
    "errors.py",
    "helpdesk.py",
    "notation",
    "puerto_rico_v0.py",
    "reference",
    "render",
    "testing.py",
    "__main__.py",
)
"""What no kernel imports (the import contracts see to it), so that its edits recompile nothing."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _sources_key() -> str:
    """Return a digest of every source file that a kernel may depend on."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        if path.relative_to(_PACKAGE).parts[0] not in _SURFACE:
            digest.update(path.relative_to(_PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """Return the folder of all kernel caches: ``PRICO_CACHE_DIR``, else the user's cache folder."""
    named = os.environ.get("PRICO_CACHE_DIR")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "prico"


CACHE_FOLDER: Final = _cache_root() / f"kernels-{_sources_key()}"
"""Where this version of the rules keeps its compiled kernels."""


def kernel(function: _Function) -> _Function:
    """Compile a rule with the flags all rules share (no-op with ``NUMBA_DISABLE_JIT=1``)."""
    return _compiled(function, CACHE_FOLDER)


def kernels_in(package: Path) -> Callable[[_Function], _Function]:
    """Return a decorator like `kernel` for the kernels of another package.

    Its cache follows the sources of that package as well as those of the rules: edit one file, and
    every kernel of the package is compiled afresh.

    Args:
        package: The folder whose Python files its kernels may depend on.
    """
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    folder = CACHE_FOLDER / f"{package.name}-{digest.hexdigest()[:16]}"
    return functools.partial(_compiled, folder=folder)


def _compiled(function: _Function, folder: Path) -> _Function:
    if config.DISABLE_JIT:
        return function
    chosen = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        compiled: _Function = numba.njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_DIR = chosen
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


_CACHE_LINE: Final = 64
_IS_PYTHON: Final = bool(config.DISABLE_JIT)


@intrinsic
def _prefetch_line(typing_context: Any, array: Any, element: Any, offset: Any) -> Any:
    """Compile to the processor's hint to bring a line of memory near."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        source = context.make_array(array_type)(context, builder, arguments[0])
        strides = cgutils.unpack_tuple(builder, source.strides, array_type.ndim)
        distance = builder.add(builder.mul(strides[0], arguments[1]), arguments[2])
        byte = ir.IntType(8)
        address = builder.gep(
            builder.bitcast(source.data, byte.as_pointer()), [distance], source_etype=byte
        )
        flag = ir.IntType(32)
        hint = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, hint, "llvm.prefetch.p0")
        builder.call(function, [address, flag(1), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp), generate


@kernel
def prefetch(array: Any, element: int, size: int) -> None:
    """Ask for one element of an array, of so many bytes, before it is needed.

    A batch of thousands of games is larger than the caches: without the hint every game begins
    with a wait for its record.
    """
    if _IS_PYTHON:
        return
    for offset in range(0, size, _CACHE_LINE):
        _prefetch_line(array, element, offset)


@intrinsic
def _copy_bytes(typing_context: Any, target: Any, source: Any) -> Any:
    """Compile to a copy of the memory that a record lies in."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


@kernel
def copy_record(target: Any, source: Any) -> None:
    """Copy one record over another of the same type; a game is copied so in some 40 ns."""
    if _IS_PYTHON:
        target.setfield(source, target.dtype)
    else:
        _copy_bytes(target, source)


@intrinsic
def _read_ticks(typing_context: Any) -> Any:
    """Compile to the processor's instruction that reads its clock."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        clock = ir.FunctionType(ir.IntType(64), [])
        function = cgutils.get_or_insert_function(builder.module, clock, "llvm.readcyclecounter")
        return builder.call(function, [])

    return types.int64(), generate


@kernel
def ticks() -> int:
    """Read the processor's clock, in ticks of an unknown but steady length; some 10 ns a call."""
    if _IS_PYTHON:
        return time.perf_counter_ns()
    return _read_ticks()


_announced = False


def announce_first_compile() -> None:
    """Say once, on stderr, that a first run compiles the rules."""
    global _announced
    if _announced or config.DISABLE_JIT:
        return
    _announced = True
    if not any(CACHE_FOLDER.rglob("*.nbi")):
        print(
            "prico: compiling the rules for the first time, about half a minute; "
            f"later starts take them from {CACHE_FOLDER}",
            file=sys.stderr,
            flush=True,
        )
