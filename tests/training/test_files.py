"""What cannot be written is said in one line, and leaves nothing half written behind."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from prico_training.arena.results import GAMES_FILE, GamesFile, read_games, write_lines
from prico_training.errors import StorageError
from prico_training.files import new_file, new_folder, remove_folder, remove_unfinished, write_text
from tests.training.arena.made_games import game

ROOT = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="mounts a small disk, as root on Linux"
)


@pytest.fixture
def disk(tmp_path):
    """A disk of 64 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def full(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_named_with_the_file_and_the_space_that_is_left(tmp_path, monkeypatch):
    write_text(tmp_path / "page", "old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        StorageError, match=r"page cannot be written: No space left on device, [\d,]+ bytes are"
    ):
        write_text(tmp_path / "page", "new")
    assert (tmp_path / "page").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["page"]


def test_a_folder_that_cannot_be_finished_leaves_the_one_before(tmp_path, monkeypatch):
    for text in ("one", "two"):
        with new_folder(tmp_path / "home") as beside:
            (beside / "page").write_text(text)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError), new_folder(tmp_path / "home") as beside:
        (beside / "page").write_text("three")
    assert (tmp_path / "home" / "page").read_text() == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


@pytest.mark.parametrize("write", [new_file, new_folder])
@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt])
def test_work_that_goes_wrong_leaves_nothing_half_written(tmp_path, write, error):
    def half():
        with write(tmp_path / "home") as beside:
            (beside / "page" if beside.is_dir() else beside).write_text("half")
            raise error

    with pytest.raises(error):
        half()
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_left_is_removed(tmp_path):
    (tmp_path / ".page.new").write_text("half")
    (tmp_path / ".home.new").mkdir()
    (tmp_path / ".home.old" / "deep").mkdir(parents=True)
    (tmp_path / "page").write_text("whole")
    remove_unfinished(tmp_path, tmp_path / "nowhere")
    assert [path.name for path in tmp_path.iterdir()] == ["page"]


def test_a_folder_that_has_gone_is_not_made_again(tmp_path):
    with pytest.raises(StorageError, match="No such file or directory"):
        write_text(tmp_path / "gone" / "page", "new")
    with pytest.raises(StorageError), new_folder(tmp_path / "gone" / "far" / "home"):
        pass
    assert not list(tmp_path.iterdir())
    remove_folder(tmp_path / "gone")


# -- the games of a tournament ---------------------------------------------------------------------

GAMES = [game(["ann", "bob"], [30, 20], deal=deal) for deal in range(3)]


@ROOT
def test_games_that_a_full_disk_has_no_room_for_leave_those_before(disk):
    with GamesFile(disk) as file:
        file.append(write_lines(GAMES))
        before = (disk / GAMES_FILE).read_bytes()
        more = write_lines([game(["ann", "bob"], [1, 2], deal=deal) for deal in range(3, 300)])
        with pytest.raises(StorageError, match=r"games\.jsonl cannot be written: No space left"):
            file.append(more)
        assert (disk / GAMES_FILE).read_bytes() == before
        file.append(more[:3])
    assert len(list(read_games(disk))) == 6
    assert [path.name for path in disk.iterdir()] == [GAMES_FILE]


@ROOT
def test_a_disk_that_may_only_be_read_is_refused(disk):
    (disk / "home").mkdir()
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    for write in (
        lambda: write_text(disk / "page", "new"),
        lambda: GamesFile(disk / "home"),
        lambda: GamesFile(disk / "cup"),
        lambda: remove_folder(disk / "home"),
    ):
        with pytest.raises(StorageError, match="cannot be written: Read-only file system"):
            write()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no open file")
def test_a_tournament_notices_that_its_folder_has_been_removed(tmp_path):
    folder = tmp_path / "cup"
    with GamesFile(folder) as file:
        file.append(write_lines(GAMES))
        remove_folder(folder)
        with pytest.raises(StorageError, match="its folder has been removed"):
            file.append(write_lines(GAMES))
    assert not folder.exists()


def test_a_limit_on_the_size_of_files_is_no_accident_either(tmp_path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with GamesFile(tmp_path) as file:
        file.append(write_lines(GAMES))
        whole = Path(file.path).read_bytes()
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 10, before[1]))
        try:
            with pytest.raises(StorageError, match="File too large"):
                file.append(write_lines(GAMES))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert Path(file.path).read_bytes() == whole
