"""The files of a data set: whole games in Parquet, readable by anything that reads Parquet.

Rows stand in the order in which they were played, game by game. So the rows of a seat are never far
apart, and Zstandard finds in a row what has not changed since the last ones: plain bytes come out
smaller than one column for each feature, or bytes sorted by feature, and are written and read
faster. Measured for the planner at a table of four, at Zstandard's level 3, bytes and microseconds
of one core for an observation: 21.6 and 0.4 as it is here, 25.4 and 2.5 as 461 columns sorted by
seat (35.5 unsorted), 26.3 and 0.6 as a byte stream split, 33.0 and 12.5 as a list of integers.
"""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from prico_agents.game_recorder import GameRecorder, PlannedGames, RecordedGames
from prico_training.datasets.settings import MASK_BITS, SETTINGS_FILE, DatasetSettings
from prico_training.errors import DatasetError
from prico_training.files import new_file

GROUP_GAMES: Final = 100
"""Games of a row group, which is what a reader holds at once."""
OBSERVATION: Final = "observation"
MASK: Final = "action_mask"
DTYPES: Final[dict[str, type[np.generic]]] = {
    "action": np.int16,
    "policy_action": np.int16,
    "seat": np.int8,
    "game": np.int32,
    "step": np.int16,
    "policy": np.int8,
    "win": np.float32,
    "place": np.int8,
    "score": np.int16,
    "lead": np.int16,
    "deal_seed": np.int64,
}
"""Columns that hold a number; policies are words that stand in a dictionary."""
COLUMNS: Final = (OBSERVATION, MASK, *DTYPES)
_KEY: Final = b"prico"
"""Under which a file says in JSON what it holds, in the metadata of its schema."""
_DICTIONARIES: Final = [name for name in COLUMNS if name not in (OBSERVATION, "step")]
_LEVEL: Final = 12
"""Of Zstandard. With level 5 the planner's decisions are written a fifth faster and take 3 bytes
more each, with all expansions 8 bytes more."""


def shard_path(folder: Path, number: int) -> Path:
    """Where a file of a data set stands."""
    return folder / f"part-{number:05}.parquet"


def games_of_shard(settings: DatasetSettings, number: int) -> range:
    """The games in a file."""
    first = number * settings.shard_games
    return range(first, min(settings.games, first + settings.shard_games))


def write_shard(
    settings: DatasetSettings, folder: Path, number: int, stop: threading.Event | None = None
) -> int:
    """Play the games of a file and write it beside its place, then into it.

    Args:
        settings: Which games.
        folder: Where to.
        number: Of the file.
        stop: Set by a caller who does not want it any more; nothing is left of it then.

    Returns:
        How many decisions it holds.
    """
    recorder = GameRecorder(settings.game, settings.makers, settings.epsilon)
    games = games_of_shard(settings, number)
    schema = _schema(settings, games)
    rows = 0
    with (
        new_file(shard_path(folder, number)) as path,
        pq.ParquetWriter(
            path,
            schema,
            compression="zstd",
            compression_level=_LEVEL,
            use_dictionary=_DICTIONARIES,
            write_statistics=["game"],
        ) as file,
    ):
        for first in range(games.start, games.stop, GROUP_GAMES):
            if stop is not None and stop.is_set():
                raise DatasetError("writing was stopped")
            group = range(first, min(games.stop, first + GROUP_GAMES))
            plan = settings.plan(group)
            table = _table(schema, settings, plan, recorder.record(plan), group.start)
            file.write_table(table, row_group_size=max(1, len(table)))
            rows += len(table)
    return rows


def is_written(settings: DatasetSettings, folder: Path, number: int) -> bool:
    """Whether a file is there, whole, with the games that belong in it."""
    path = shard_path(folder, number)
    if not path.exists():
        return False
    try:
        theirs = pq.read_schema(path).metadata or {}
    except (pa.ArrowException, OSError):
        return False
    return theirs.get(_KEY) == _description(settings, games_of_shard(settings, number))


# -- writing ---------------------------------------------------------------------------------------


def _description(settings: DatasetSettings, games: range) -> bytes:
    held = {"first_game": games.start, "games": len(games)}
    return json.dumps({**settings.describe(), "held": held}).encode()


def _schema(settings: DatasetSettings, games: range) -> pa.Schema:
    types = {
        OBSERVATION: pa.binary(settings.game.observation.num_features),
        MASK: pa.binary((settings.game.num_actions + 7) // 8),
        **{name: pa.from_numpy_dtype(dtype) for name, dtype in DTYPES.items()},
        "policy": pa.dictionary(pa.int8(), pa.string()),
    }
    return pa.schema(
        [pa.field(name, types[name], nullable=False) for name in COLUMNS],
        metadata={_KEY: _description(settings, games)},
    )


def _table(
    schema: pa.Schema,
    settings: DatasetSettings,
    plan: PlannedGames,
    played: RecordedGames,
    first_game: int,
) -> pa.Table:
    """The rows of some games."""
    games, seats = played.games, played.seats
    policies = np.array([settings.names.index(name) for name in settings.policies])
    win, place, score, lead = played.results[games, seats].T
    numbers: dict[str, NDArray[Any]] = {
        "action": played.actions,
        "policy_action": played.policy_actions,
        "seat": seats,
        "game": games + first_game,
        "step": played.steps,
        "policy": policies[plan.line_ups[games, seats]],
        "win": win,
        "place": place,
        "score": score,
        "lead": lead,
        "deal_seed": plan.deals[games],
    }
    columns = {name: pa.array(numbers[name].astype(dtype)) for name, dtype in DTYPES.items()}
    names = pa.array(settings.names, pa.string())
    columns["policy"] = pa.DictionaryArray.from_arrays(columns["policy"], names)
    columns[OBSERVATION] = _bytes(played.observations)
    columns[MASK] = _bytes(np.packbits(played.masks, axis=1, bitorder=MASK_BITS))
    return pa.Table.from_arrays([columns[name] for name in COLUMNS], schema=schema)


def _bytes(rows: NDArray[np.uint8]) -> pa.Array:
    """Rows of bytes as Arrow holds them, in the same memory."""
    whole = np.ascontiguousarray(rows)
    buffers = [None, pa.py_buffer(whole)]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(whole.shape[1]), len(whole), buffers)


# -- reading ---------------------------------------------------------------------------------------


class Shard:
    """A file of a data set, open for reading.

    Attributes:
        path: The file.
        rows: Rows of each row group.
        games: The first and the last game of each row group.
    """

    def __init__(self, path: Path, description: dict[str, Any]) -> None:
        """Read what stands at the end of a file.

        Args:
            path: The file.
            description: That of the data set, which the file must share.

        Raises:
            DatasetError: It is damaged, or belongs to another data set.
        """
        self.path = path
        self._policies: list[str] = list(dict.fromkeys(description["settings"]["policies"]))
        try:
            footer = pq.read_metadata(path)
            held = json.loads((footer.metadata or {}).get(_KEY, b"null"))
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _damaged(path, error) from None
        if not isinstance(held, dict):
            raise DatasetError(f"{path} was not written by `prico dataset`")
        ours = {**description, "settings": {**description["settings"]}}
        ours["settings"].pop("games", None)
        if {**held, "held": None} != {**ours, "held": None}:
            raise DatasetError(
                f"{path} is of another data set than {SETTINGS_FILE} beside it says; every data "
                "set has a folder of its own"
            )
        groups = [footer.row_group(number) for number in range(footer.num_row_groups)]
        game = COLUMNS.index("game")
        try:
            self.rows = [group.num_rows for group in groups]
            ends = [group.column(game).statistics for group in groups]
            self.games = [(int(end.min), int(end.max)) for end in ends]
        except (AttributeError, TypeError, IndexError, ValueError) as error:
            raise _damaged(path, error) from None
        if any(not 0 <= last - first < GROUP_GAMES for first, last in self.games):
            raise _damaged(path, ValueError("its row groups hold other games than it says"))

    def read(self, group: int, columns: tuple[str, ...]) -> dict[str, NDArray[Any]]:
        """Read a row group: bytes and masks unpacked, policies as numbers.

        Raises:
            DatasetError: It is damaged.
        """
        try:
            with pq.ParquetFile(self.path, memory_map=True) as file:
                table = file.read_row_group(group, columns=list(columns), use_threads=False)
            read = dict(_arrays(table, self._policies))
        except (pa.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
            raise _damaged(self.path, error) from None
        return {name: read[name] for name in columns}


def _arrays(table: pa.Table, policies: list[str]) -> Iterator[tuple[str, NDArray[Any]]]:
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks)
        if name in (OBSERVATION, MASK):
            width = column.type.byte_width
            flat = np.frombuffer(column.buffers()[1], np.uint8)
            yield name, flat[column.offset * width :][: len(column) * width].reshape(-1, width)
        elif name == "policy":
            numbers = [policies.index(word) for word in column.dictionary.to_pylist()]
            yield name, np.array(numbers, np.int8)[column.indices.to_numpy(zero_copy_only=False)]
        else:
            yield name, column.to_numpy(zero_copy_only=False)


def _damaged(path: Path, error: Exception) -> DatasetError:
    return DatasetError(f"{path} is damaged, or no Parquet file: {error}")
