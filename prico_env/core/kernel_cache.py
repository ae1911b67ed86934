"""Compiled kernels on disk: where they are kept, and how they are written and read.

A file is one kernel for one combination of argument types. Its name tells all that the machine
code depends on, so a file of that name is right wherever the sources lie, and one that cannot be
read is compiled anew.
"""

import contextlib
import functools
import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numba
from numba.core import serialize, sigutils
from numba.core.compiler import CompileResult

from prico_env.core.kernel_key import full_name, kernel_key

_PRIVATE: Final = 0o700
_FOR_OTHERS: Final = 0o022
"""Permissions of a folder that only its owner uses, and those that let others write to it."""


class KernelCache:
    """The compiled forms of one kernel, as Numba asks for them and hands them over."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    @property
    def cache_path(self) -> str:
        """The folder of the kernel's module; Numba's statistics show it."""
        return str((kernel_folder() or Path()) / self._kernel.py_func.__module__)

    def has(self, sig: Any, target_context: Any) -> bool:
        """Whether there is a file for these types of arguments."""
        path = self._path(sig, target_context)
        return path is not None and path.is_file()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Read machine code, and first that of what it jumps to; None if it must be compiled.

        Reading a damaged file may raise anything, and all it costs is to compile once more.
        """
        target_context.refresh()
        path = self._path(sig, target_context)
        if path is None:
            return None
        try:
            needed, form = pickle.loads(path.read_bytes())
            every = self._kernel.registry.values() if needed else ()
            kernels = {full_name(one.py_func): one for one in every}
            for name, args in needed:
                kernels[name].compile(args)
            return CompileResult._rebuild(target_context, *form)
        except Exception:
            return None

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Write machine code, if there is a place for it."""
        path = self._path(sig, compiled.target_context)
        if path is None or compiled.library.has_dynamic_globals:
            return
        library = compiled.library
        needed = [(full_name(kernel.py_func), args) for kernel, args in library.needed]
        content = serialize.dumps((needed, compiled._reduce()))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, content)
        except OSError as error:
            _say_once(f"prico: compiled kernels are not kept: {path.parent}: {error.strerror}")

    def _path(self, sig: Any, target_context: Any) -> Path | None:
        folder = kernel_folder()
        if folder is None:
            return None
        args, _ = sigutils.normalize_signature(sig)
        machine = target_context.codegen().magic_tuple()
        compiler = numba.__version__, sys.version_info[:2], self._kernel.way_of_compiling()
        depends_on = compiler, machine, kernel_key(self._kernel), args
        digest = hashlib.sha256(repr(depends_on).encode()).hexdigest()[:24]
        function = self._kernel.py_func
        name = "".join(one if one.isalnum() else "_" for one in function.__qualname__)
        return folder / function.__module__ / f"{name}-{digest}.kernel"


def _write(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there, so that nobody reads half of it."""
    handle, beside = tempfile.mkstemp(prefix=f"{path.stem}-", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


# -- where -----------------------------------------------------------------------------------------


@functools.cache
def kernel_folder() -> Path | None:
    """Return the folder of compiled kernels, None if there is no place for one.

    It is the first of these that can be used: what ``PRICO_CACHE_DIR`` names, what
    ``NUMBA_CACHE_DIR`` names, the user's cache folder, a temporary folder of this user alone. A
    folder that can only be read is used where it holds kernels. A line on stderr says so when it
    is not the one that comes first.
    """
    refused: list[str] = []
    for place, is_named in _places():
        folder = place / "kernels"
        why_not = _why_not(folder, is_named)
        if why_not is None:
            if refused:
                _say_once(f"prico: compiled kernels are kept in {folder}: {'; '.join(refused)}")
            return folder
        refused.append(f"{folder} {why_not}")
    reason = "; ".join(refused) or "this user has no home and there is no temporary folder"
    _say_once(f"prico: compiled kernels are not kept, PRICO_CACHE_DIR may name a folder: {reason}")
    return None


def _places() -> Iterator[tuple[Path, bool]]:
    """Yield where kernels may be kept, the best place first, and whether somebody named it."""
    if named := os.environ.get("PRICO_CACHE_DIR"):
        yield Path(named), True
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(named, "prico"), True
    if named := os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA"):
        yield Path(named, "prico"), False
    with contextlib.suppress(RuntimeError):  # of a user without a home
        home = Path.home()
        if home.is_dir():
            yield home / ".cache" / "prico", False
    with contextlib.suppress(OSError):
        user = os.getuid() if hasattr(os, "getuid") else "of-user"
        yield Path(tempfile.gettempdir(), f"prico-{user}"), False


def _why_not(folder: Path, is_named: bool) -> str | None:
    """Return why kernels cannot be kept in a folder, None if they can; make it if need be."""
    try:
        if not folder.is_dir():
            folder.parent.mkdir(_PRIVATE, parents=True, exist_ok=True)
            folder.mkdir(_PRIVATE, exist_ok=True)
        if not is_named and (stranger := _stranger(folder) or _stranger(folder.parent)):
            return stranger
        if os.access(folder, os.W_OK) or any(folder.iterdir()):
            return None
    except OSError as error:
        return f"cannot be used ({error.strerror})"
    return "cannot be written to"


def _stranger(folder: Path) -> str | None:
    """Return who else could put machine code into a folder that nobody named."""
    status = folder.lstat()
    if not hasattr(os, "getuid"):
        return None
    if status.st_uid not in (os.getuid(), 0):
        return "belongs to another user"
    if not stat.S_ISDIR(status.st_mode) or status.st_mode & _FOR_OTHERS:
        return "can be written to by other users"
    return None


@functools.cache
def _say_once(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
