"""Playing and writing a data set: file by file, on several cores, going on where it was stopped."""

import concurrent.futures
import functools
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow.parquet as pq
from rich.console import Console

from prico_env.arguments import instance, instance_or_none, path, whole
from prico_training.datasets.settings import (
    SETTINGS_FILE,
    DatasetSettings,
    read_description,
    write_settings,
)
from prico_training.datasets.shards import games_of_shard, is_written, shard_path, write_shard
from prico_training.errors import DatasetError
from prico_training.files import remove_unfinished, writing
from prico_training.folder_lock import FolderLock
from prico_training.interrupt import Interruptions, pass_over_requests, requests_held_back
from prico_training.parent import end_with_parent
from prico_training.progress import GamesProgress

_POLL_SECONDS: Final = 0.25
_MOST_WORKERS: Final = 1024


class WrittenDataset(NamedTuple):
    """What came of writing a data set.

    Attributes:
        folder: Where it is.
        games: Games that are written.
        planned: Games there are to be.
        decisions: Decisions of the games that are written.
        file_bytes: What the files take on the disk.
        interrupted: Whether somebody stopped it.
    """

    folder: Path
    games: int
    planned: int
    decisions: int
    file_bytes: int
    interrupted: bool


def write_dataset(
    folder: str | os.PathLike[str],
    settings: DatasetSettings,
    workers: int = 1,
    console: Console | None = None,
) -> WrittenDataset:
    """Play games and write them, or go on where it was stopped; a whole file is never played again.

    The bytes are the same whatever the workers, and however often it was stopped. With more games
    than a folder holds, the data set grows.

    Args:
        folder: Where to.
        settings: Which games.
        workers: How many play at once: threads where all policies are compiled, else processes.
        console: Where progress shows; nowhere without.

    Raises:
        DatasetError: The folder holds another data set.
        AgentError: There is no such policy.
        InUseError: Another process writes there.
    """
    place = path(folder, "the folder of a data set", DatasetError)
    workers = whole(workers, "workers", 1, _MOST_WORKERS)
    settings = instance(
        settings, DatasetSettings, "the settings of a data set are DatasetSettings", DatasetError
    ).resolved()
    instance_or_none(console, Console, "where progress shows is a Console")
    with writing(place):
        place.mkdir(parents=True, exist_ok=True)
    with FolderLock(place):
        remove_unfinished(place)
        settings = _begin(place, settings)
        shards = range(-(-settings.games // settings.shard_games))
        missing = [number for number in shards if not is_written(settings, place, number)]
        played = settings.games - sum(len(games_of_shard(settings, each)) for each in missing)
        with (
            Interruptions("stopping as soon as the files at hand are written") as requests,
            GamesProgress(played, settings.games, console, "data set") as progress,
        ):
            for number in _written(settings, place, missing, workers, requests):
                played += len(games_of_shard(settings, number))
                progress.show(played)
        paths = [file for each in shards if (file := shard_path(place, each)).exists()]
        decisions = sum(pq.read_metadata(file).num_rows for file in paths)
        size = sum(file.stat().st_size for file in paths)
        planned = settings.games
    return WrittenDataset(place, played, planned, decisions, size, requests.happened)


def _begin(folder: Path, settings: DatasetSettings) -> DatasetSettings:
    """See that a folder is empty or holds the same data set, and say what it will hold."""
    if (folder / SETTINGS_FILE).exists():
        theirs = read_description(folder)
        games = theirs["settings"].pop("games", 0)
        ours = settings.describe()
        if theirs != ours:
            named = [name for name in ours if theirs.get(name) != ours[name]]
            differ = [
                f"{name} {theirs['settings'].get(name)!r}, not {value!r}"
                for name, value in ours["settings"].items()
                if theirs["settings"].get(name) != value
            ] or [f"{name} {theirs.get(name)!r}, not {ours[name]!r}" for name in named]
            raise DatasetError(
                f"{folder} holds a data set with {differ[0]}; write to another folder"
            )
        if settings.games < games:
            raise DatasetError(
                f"{folder} holds a data set of {games:,} games; it can grow, but not shrink to "
                f"{settings.games:,}"
            )
    elif any(folder.glob("*.parquet")):
        raise DatasetError(f"{folder} holds Parquet files of others; write to another folder")
    write_settings(folder, settings)
    return settings


def _written(
    settings: DatasetSettings,
    folder: Path,
    shards: list[int],
    workers: int,
    requests: Interruptions,
) -> Iterator[int]:
    """Write files, and give the number of each that is whole, until all are or somebody asks."""
    with _players(settings, workers) as submit:
        waiting = list(reversed(shards))
        running: dict[Future[int], int] = {}
        while running or (waiting and not requests.happened):
            while waiting and len(running) < workers and not requests.happened:
                number = waiting.pop()
                running[submit(settings, folder, number)] = number
            ended, _ = concurrent.futures.wait(running, _POLL_SECONDS, "FIRST_COMPLETED")
            for future in ended:
                number = running.pop(future)
                try:
                    future.result()
                except BrokenProcessPool:
                    raise DatasetError(
                        "a process that played ended unexpectedly, perhaps for want of memory; "
                        "the same command goes on"
                    ) from None
                yield number


@contextmanager
def _players(
    settings: DatasetSettings, workers: int
) -> Iterator[Callable[[DatasetSettings, Path, int], Future[int]]]:
    """Give what has a file written; whatever goes wrong, nobody goes on writing afterwards."""
    if workers == 1 or settings.is_compiled:  # compiled players let go of Python
        stop = threading.Event()
        with ThreadPoolExecutor(workers) as threads:
            try:
                yield functools.partial(threads.submit, functools.partial(write_shard, stop=stop))
            except BaseException:
                stop.set()
                raise
        return
    others = set(multiprocessing.active_children())
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, spawn, _start_worker, (os.getpid(),)) as processes:

        def submit(*shard: Any) -> Future[int]:
            with requests_held_back():
                return processes.submit(write_shard, *shard)

        try:
            yield submit
        except BaseException:
            for process in set(multiprocessing.active_children()) - others:
                process.kill()
            raise


def _start_worker(parent: int) -> None:
    end_with_parent(parent, by_system=False)
    pass_over_requests()
