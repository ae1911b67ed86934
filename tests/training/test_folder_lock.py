"""One process at a time works in a folder, and one that was killed holds nobody back."""

import os
import socket
import subprocess
import sys

import pytest

from prico_training.errors import InUseError, StorageError
from prico_training.folder_lock import LOCK_FILE, FolderLock

HOLDER = """
import sys, time
from pathlib import Path
from prico_training.folder_lock import FolderLock
lock = FolderLock(Path(sys.argv[1]))
print("locked", flush=True)
time.sleep(60)
"""


def test_a_second_process_is_told_whose_folder_it_is_and_a_killed_one_leaves_it_free(tmp_path):
    words = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout.readline() == "locked\n"
            with pytest.raises(InUseError) as refused:
                FolderLock(tmp_path)
        finally:
            holder.kill()
    assert f"process {holder.pid} on {socket.gethostname()}, since 20" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert (tmp_path / LOCK_FILE).exists()
    with FolderLock(tmp_path):
        assert f"process {os.getpid()} " in (tmp_path / LOCK_FILE).read_text()
    assert not list(tmp_path.iterdir())


def test_a_lock_is_held_until_it_is_given_back_however_often_others_ask(tmp_path):
    for _ in range(3):
        with FolderLock(tmp_path):
            for _ in range(3):
                with pytest.raises(InUseError):
                    FolderLock(tmp_path)


def test_who_asks_while_a_lock_is_given_back_locks_the_file_that_is_there(tmp_path, monkeypatch):
    first = FolderLock(tmp_path)
    is_there, asked = FolderLock._is_there, []

    def once_gone(lock):
        if not asked:
            (tmp_path / LOCK_FILE).unlink()  # as the one before does at its end
        asked.append(is_there(lock))
        return asked[-1]

    first.close()
    monkeypatch.setattr(FolderLock, "_is_there", once_gone)
    with FolderLock(tmp_path):
        assert asked == [False, True]
        with pytest.raises(InUseError):
            FolderLock(tmp_path)


def test_a_folder_that_is_not_there_cannot_be_locked(tmp_path):
    with pytest.raises(StorageError, match="nowhere cannot be written: No such file"):
        FolderLock(tmp_path / "nowhere")
