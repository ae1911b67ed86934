"""A lock on a folder: one process at a time writes there.

The lock is one of the operating system on the file ``.lock`` of the folder: ``flock`` or, on
Windows, ``msvcrt.locking``. The system opens it when its process ends, however that happens, so
none is ever left behind by a process that was killed, and nobody has to guess whether the process
of an old file is still alive, which cannot be known of another machine. It holds between machines
where their network file system shares locks (NFS and SMB do). Where a file system has none, there
is nothing to hold a second process back.
"""

import contextlib
import datetime
import errno
import os
import socket
import sys
from pathlib import Path
from typing import Final

from prico_training.errors import InUseError
from prico_training.files import writing

LOCK_FILE: Final = ".lock"
"""Says whose lock it is; it is there as long as the lock, or until a killed one's successor."""
_TAKEN: Final = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
_BEHIND: Final = 1 << 20
"""Windows locks bytes and lets nobody read them: it is a byte behind those that say whose it is."""
_LONGEST: Final = 500


class FolderLock:
    """A folder that is locked until `close`, or until the end of the process."""

    def __init__(self, folder: Path) -> None:
        """Lock a folder.

        Raises:
            InUseError: Another process holds the lock; the message says which.
            StorageError: The folder is not there, or cannot be written to.
        """
        self._path = folder / LOCK_FILE
        with writing(folder):
            self._descriptor = self._open()
            while not self._is_there():  # who held the lock removed the file a moment ago
                os.close(self._descriptor)
                self._descriptor = self._open()
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, _whose().encode())

    def __enter__(self) -> "FolderLock":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others in."""
        with contextlib.suppress(OSError):  # Windows removes no open file; it may stay
            self._path.unlink()
        os.close(self._descriptor)

    def _open(self) -> int:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(descriptor)
        except OSError as error:
            if error.errno not in _TAKEN:  # this file system has no locks
                return descriptor
            whose = os.read(descriptor, _LONGEST).decode(errors="replace").strip()
            os.close(descriptor)
            raise InUseError(
                f"{self._path.parent} is in use by another process ({whose or 'not named'}); "
                "wait until it has ended, or stop it"
            ) from None
        return descriptor

    def _is_there(self) -> bool:
        """Whether the file that is locked still has its name."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), self._path.stat())
        except FileNotFoundError:
            return False


def _whose() -> str:
    now = datetime.datetime.now().astimezone()
    return f"process {os.getpid()} on {socket.gethostname()}, since {now:%Y-%m-%d %H:%M:%S%z}"


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _BEHIND, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
