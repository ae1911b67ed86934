"""What a tournament leaves on disk: its settings, and one line for each finished game.

Lines are only ever added, many at a time and in the order in which games finish, so a tournament
can be stopped at any moment, also by a power cut, and go on later. A line that was torn then is
the last one; it is dropped and its game is played again.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict, cast

from prico_agents.input_files import check_file, read_yaml
from prico_env import arguments
from prico_env.errors import PricoError
from prico_training.arena.line_checks import wrong_field
from prico_training.errors import StorageError
from prico_training.files import writing
from prico_training.folder_lock import FolderLock

GAMES_FILE: Final = "games.jsonl"
"""One line for each game, as `GameLine` says."""
SETTINGS_FILE: Final = "settings.yaml"
"""What is played; see `prico_training.arena.settings`. `versions` says with what."""
_LINES_AT_ONCE: Final = 1 << 16
"""Bytes looked at together in search of the last end of a line."""
_LONGEST: Final = 2**24
"""Bytes of a line that are read; no game takes so many, with all that agents did wrong in it."""


class ResultsError(PricoError):
    """A folder holds no tournament, or its files cannot be read."""


class FaultLine(TypedDict):
    """What an agent did wrong in a game."""

    seat: int
    """Where it sat."""
    agent: str
    """Its name."""
    kind: str
    """``"error"``, ``"timeout"``, ``"illegal"`` or ``"crash"``."""
    decision: int
    """Which of its decisions it was, from 0."""
    text: str
    """What failed first, in a line; with an error, its traceback follows."""


class GameLine(TypedDict):
    """One game as a line of JSON; what has one entry for each seat begins with seat 0."""

    line_up: int
    """Number of the table: who sits where, and in which format. Together with ``deal`` it names a
    game."""
    table: list[str]
    """Name of the agent at each seat."""
    format: str
    """``"copies"`` or ``"mixed"``; see `schedule`."""
    deal: int
    """Number of the deal; every line-up meets the same ones."""
    seed: int
    """What the deal came from: ``Game(rules, seed)``."""
    outcome: str
    """``"finished"``, ``"truncated"`` by the rule set's ``max_rounds`` (nobody wins), or
    ``"broken"`` by an agent, whose seat was played on at random and placed last."""
    rounds: int
    """Rounds played."""
    end: list[str]
    """What ended the game: some of ``"workers"``, ``"city"`` and ``"vp"``."""
    decisions: list[int]
    """Decisions that left a choice."""
    seconds: list[float]
    """Time spent thinking."""
    wins: list[float]
    """Share of the win."""
    places: list[int]
    """1 the best; ties share a place."""
    scores: list[int]
    """Final scores."""
    coins: list[int]
    """Coins left."""
    goods: list[int]
    """Barrels left."""
    parts: dict[str, list[int]]
    """What the scores are the sum of, by the names of `prico_env.core.scoring.SCORE_PARTS`."""
    roles: list[list[int]]
    """How often each role was taken, in the order of `prico_env.vocabulary.ROLES`."""
    built: list[list[str]]
    """Buildings owned at the end, by name."""
    bought: NotRequired[list[dict[str, int]]]
    """The round in which each building was bought, by name. Games of earlier versions lack it."""
    unstaffed: NotRequired[list[list[str]]]
    """Buildings owned at the end that have circles and nobody on any of them, by name. Games of
    earlier versions lack it."""
    faults: list[FaultLine]
    """What agents did wrong."""


def read_games(path: str | os.PathLike[str]) -> Iterator[GameLine]:
    """Read the games of a tournament one after the other, each once, in the order of the file.

    Args:
        path: The folder of a tournament, or its file of games.

    Raises:
        ResultsError: There is no such file, or a line in the middle of it is damaged.
    """
    path = arguments.path(path, "what is read", ResultsError)
    file = path / GAMES_FILE if os.path.isdir(path) else path
    check_file(file, ResultsError)
    seen: set[tuple[int, int]] = set()
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(iter(partial(lines.readline, _LONGEST), b""), start=1):
                if not line.endswith(b"\n") and len(line) < _LONGEST:
                    return  # torn: its game counts as not played
                game = _read_line(file, number, line)
                key = (game["line_up"], game["deal"])
                if key not in seen:
                    seen.add(key)
                    yield game
    except OSError as error:
        raise ResultsError(f"{file} cannot be read: {error.strerror}") from None


def write_lines(games: Sequence[GameLine]) -> list[bytes]:
    """Return games as lines of the file."""
    return [json.dumps(game, separators=(",", ":")).encode() + b"\n" for game in games]


def read_settings(folder: Path) -> dict[str, Any]:
    """Return the settings of a tournament as they stand in its folder.

    Raises:
        ResultsError: The folder holds no tournament.
    """
    path = folder / SETTINGS_FILE
    if not os.path.lexists(path):
        raise ResultsError(f"{folder} holds no tournament: there is no {SETTINGS_FILE} in it")
    fields = read_yaml(path, ResultsError)
    if not isinstance(fields, dict):
        raise ResultsError(f"{path} is damaged: it must hold named settings")
    return cast(dict[str, Any], fields)


class GamesFile:
    """The file of games while a tournament adds to it; one tournament at a time may.

    Opening it drops a torn last line.
    """

    def __init__(self, folder: Path) -> None:
        """Open the file of a folder, which is made when it is not there yet.

        Raises:
            InUseError: Somebody else is adding to it.
            StorageError: It cannot be written.
        """
        self.path = folder / GAMES_FILE
        with contextlib.ExitStack() as stack, writing(self.path):
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(FolderLock(folder))
            self._file = stack.enter_context(self.path.open("ab", buffering=0))
            self._file.truncate(_whole_bytes(self.path))
            self._open = stack.pop_all()

    def __enter__(self) -> "GamesFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def append(self, lines: Sequence[bytes]) -> None:
        """Add finished games; they are safe from the end of this process when this returns.

        Raises:
            StorageError: They cannot be written, all of them; those before are kept.
        """
        before = os.fstat(self._file.fileno())
        if not before.st_nlink:
            raise StorageError(f"{self.path} cannot be written: its folder has been removed")
        left = memoryview(b"".join(lines))
        with writing(self.path):
            try:
                while left:
                    left = left[self._file.write(left) :]
            except OSError:
                self._file.truncate(before.st_size)
                raise


def _read_line(file: Path, number: int, line: bytes) -> GameLine:
    try:
        game = json.loads(line)
    except (ValueError, RecursionError):
        game = None
    problem = wrong_field(game) if isinstance(game, dict) else "is no JSON object"
    if problem:
        raise ResultsError(
            f"{file} is damaged: line {number} is no game, it {problem}; without that line, its "
            "game is played again"
        )
    return cast(GameLine, game)


def _whole_bytes(path: Path) -> int:
    """Bytes up to the end of the last whole line."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            begin = max(0, end - _LINES_AT_ONCE)
            file.seek(begin)
            newline = file.read(end - begin).rfind(b"\n")
            if newline >= 0:
                return begin + newline + 1
            end = begin
    return 0
