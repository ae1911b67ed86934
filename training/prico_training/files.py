"""Files and folders that appear in one moment: a reader sees the old one or the new one, whole.

What is not whole yet stands beside them as ``.NAME.new``, what is not removed yet as ``.NAME.old``.
Neither is left where something goes wrong, and the next process that writes there removes what a
killed one has left.
"""

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from prico_training.errors import StorageError

_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Put into words why the system does not let a file or a folder be written.

    Raises:
        StorageError: Something is in the way.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _NO_SPACE:
            reason += f", {_free_bytes(path):,} bytes are free there"
        raise StorageError(f"{path} cannot be written: {reason}") from None


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Write a file under another name; it takes the place of the one before when it is whole.

    A link stays one, and what is no file, such as a pipe or a device, is written to as it is.
    """
    place = Path(os.path.realpath(path))
    if os.path.exists(place) and not os.path.isfile(place):
        with writing(path):
            yield place
        return
    beside = _beside(place)
    with writing(path), _or_nothing(beside):
        yield beside
        _flush(beside)
        os.replace(beside, place)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Fill a folder that takes its name, from one before, when everything in it is written."""
    beside = _beside(folder)
    with writing(folder), _or_nothing(beside):
        folder.parent.mkdir(exist_ok=True)
        _remove(beside)
        beside.mkdir()
        yield beside
        for path in beside.iterdir():
            _flush(path)
        remove_folder(folder)
        beside.rename(folder)


def write_text(path: Path, text: str) -> None:
    """Replace a text file atomically."""
    with new_file(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")


def remove_folder(folder: Path) -> None:
    """Remove a folder, if it is there, so that nobody ever sees a part of it."""
    if not folder.exists():
        return
    old = folder.with_name(f".{folder.name}.old")
    with writing(folder):
        _remove(old)
        folder.rename(old)
    _remove(old)


def remove_unfinished(*folders: Path) -> None:
    """Remove what processes that were killed have left half written or half removed."""
    for folder in folders:
        for pattern in (".*.new", ".*.old"):
            for beside in folder.glob(pattern):
                _remove(beside)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


@contextmanager
def _or_nothing(beside: Path) -> Iterator[None]:
    """Leave nothing of what could not be finished."""
    try:
        yield
    except BaseException:
        _remove(beside)
        raise


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def _flush(path: Path) -> None:
    """Have a file written before it is named: else a power cut may leave its name alone."""
    if path.is_file():
        with path.open("rb+") as file:
            os.fsync(file.fileno())


def _free_bytes(path: Path) -> int:
    """Space left where a file or folder stands, or would stand."""
    there = next(parent for parent in path.absolute().parents if parent.exists())
    return shutil.disk_usage(there).free
