"""Reading a data set in NumPy: whole, in batches that stream from the disk, or by episodes."""

import copy
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_env import RuleSet
from prico_env.arguments import flag, number, numbered, path, texts, whole
from prico_env.errors import did_you_mean, quoted
from prico_env.observation_layout import check_scaling
from prico_training.datasets.settings import MASK_BITS, read_description, settings_of
from prico_training.datasets.shards import COLUMNS, MASK, OBSERVATION, Shard, shard_path
from prico_training.errors import DatasetError

Columns = dict[str, NDArray[Any]]
"""Rows by the name of their column, arrays of one length."""

TRANSITIONS: Final = ("next_observation", "next_action_mask", "reward", "terminated")
"""What `Dataset.batches` adds on demand: what the same seat met at its next decision."""
_WIDE: Final = ("action", "policy_action")
"""Columns that are read as int64, which is what losses and indexing want."""
_POOL_ROWS: Final = 131_072
"""Rows that are shuffled together, at least."""
_EPISODE: Final = ("game", "seat", "step")


class Dataset:
    """A data set in a folder, or a part of one that `split` made.

    Attributes:
        folder: Where it is.
        settings: Which games it holds: policies, epsilon, seed, rule set.
        rules: The rule set.
        policies: The policies, each once, by number as the column ``policy`` has them.
        feature_names: The name of each feature of an observation.
        num_games: How many games it holds.
    """

    def __init__(self, folder: str | os.PathLike[str], partial: bool = False) -> None:
        """Open a data set; nothing is read yet but what it holds.

        Args:
            folder: Its folder.
            partial: Whether files may be missing, as long as it is being written.

        Raises:
            DatasetError: There is none, it is not whole, or a file of it is damaged.
        """
        self.folder = path(folder, "the folder of a data set", DatasetError)
        description = read_description(self.folder)
        self.settings = settings_of(self.folder, description)
        self.rules: RuleSet = self.settings.game
        self.policies: tuple[str, ...] = self.settings.names
        self.feature_names: tuple[str, ...] = tuple(description["features"])
        self._actions = len(description["actions"])
        shards = self._open(description, flag(partial, "partial"))
        self._groups = [(shard, group) for shard in shards for group in range(len(shard.rows))]
        self._games: NDArray[np.int64] = np.concatenate(
            [np.arange(first, last + 1) for shard in shards for first, last in shard.games]
            or [np.zeros(0, np.int64)]
        )
        self._rows: int | None = sum(sum(shard.rows) for shard in shards)

    def __len__(self) -> int:
        """How many decisions it holds; after a `split` they are counted at the first call."""
        if self._rows is None:
            self._rows = sum(len(group["game"]) for group in self._read_groups(("game",)))
        return self._rows

    def __repr__(self) -> str:
        names = ", ".join(self.policies)
        return f"<Dataset {self.folder}: {self.num_games:,} games of {names}, {self.rules}>"

    @property
    def num_games(self) -> int:
        """How many games it holds."""
        return len(self._games)

    def split(self, *shares: float, seed: int = 0) -> tuple["Dataset", ...]:
        """Split by games, so that no game stands in two parts.

        Args:
            *shares: The share of each part, such as ``0.9, 0.1``; together at most 1.
            seed: Decides which games go where.
        """
        parts = [number(share, "a share of the games", 0, 1) for share in shares]
        if not parts or sum(parts) > 1 + 1e-9:
            raise DatasetError(f"shares such as 0.9, 0.1 come to at most 1, not {quoted(shares)}")
        order = np.random.default_rng(whole(seed, "seed")).permutation(self._games)
        ends = np.rint(np.cumsum(parts) * len(order)).astype(int)
        return tuple(
            self._with_games(np.sort(games)) for games in np.split(order, ends)[: len(parts)]
        )

    def read(self, columns: Iterable[str] = COLUMNS, scaling: str = "raw") -> Columns:
        """Read everything, in the order in which it was played.

        A decision takes about 0.6 KB in memory with raw observations, four times as much scaled.

        Args:
            columns: Which columns.
            scaling: Of observations: see `batches`.
        """
        wanted = self._checked(columns, scaling)
        return self._scaled(_joined(list(self._read_groups(wanted))), scaling)

    def batches(
        self,
        batch_size: int,
        *,
        columns: Iterable[str] = COLUMNS,
        scaling: str = "standard",
        seed: int | None = None,
        transitions: bool = False,
        part: tuple[int, int] = (0, 1),
    ) -> Iterator[Columns]:
        """Stream batches from the disk, holding some 130,000 decisions in memory.

        Args:
            batch_size: Decisions in a batch; the last one may be smaller.
            columns: Which columns: ``"observation"`` and ``"action_mask"`` (bool), one row each,
                and numbers, ``"action"`` and ``"policy_action"`` as int64.
            scaling: Of observations: ``"standard"``, ``"range"`` or ``"raw"``, as in environments.
            seed: Shuffles, another order for each seed: row groups of 100 games at random, and
                the decisions of several such groups among each other. None: as they were played.
            transitions: Adds what the same seat met at its next decision, `TRANSITIONS`: its
                observation and mask, the reward ``"win"`` in between (zero before the end), and
                whether the game ended instead. Then the next observation is the same one again and
                the mask all ones; neither is to be used.
            part: This one of so many equal parts, for readers side by side, such as ``(0, 2)``.

        Raises:
            DatasetError: There is no such column, or a file is damaged.
        """
        size = whole(batch_size, "batch_size", 1)
        add = flag(transitions, "transitions")
        wanted = self._checked(columns, scaling)
        needed = tuple(dict.fromkeys((*wanted, *(_NEEDED if add else ()))))
        chance = None if seed is None else np.random.default_rng(whole(seed, "seed"))
        return self._batches(size, wanted, needed, scaling, add, chance, _checked_part(part))

    def episodes(self, columns: Iterable[str] = COLUMNS) -> Iterator[Columns]:
        """Go through the episodes: the decisions of one seat in one game, in order.

        The return of every decision of an episode is ``win - 1 / players`` with discount 1, or
        whatever else one makes of ``win``, ``place``, ``score`` and ``lead``.
        """
        wanted = self._checked(columns, "raw")
        needed = tuple(dict.fromkeys((*wanted, *_EPISODE)))
        for group in self._read_groups(needed):
            order = _by_episode(group)
            breaks = np.flatnonzero(_is_last(group, order))[:-1] + 1
            for rows in np.split(order, breaks):
                yield {name: group[name][rows] for name in wanted}

    @property
    def num_groups(self) -> int:
        """How many row groups of up to 100 whole games the files hold."""
        return len(self._groups)

    def read_groups(self, groups: Sequence[int], columns: Iterable[str] = COLUMNS) -> Columns:
        """Read some row groups, in the order in which they are named, with raw observations."""
        wanted = self._checked(columns, "raw")
        numbers = [numbered(group, "row group", self.num_groups) for group in groups]
        return _joined(list(self._read_groups(wanted, numbers)))

    # -- within ------------------------------------------------------------------------------------

    def _open(self, description: dict[str, Any], partial: bool) -> list[Shard]:
        settings = self.settings
        count = -(-settings.games // max(1, settings.shard_games))
        paths = [shard_path(self.folder, number) for number in range(count)]
        there = [place for place in paths if place.exists()]
        if len(there) < count and not partial:
            raise DatasetError(
                f"{self.folder} holds {len(there):,} of {count:,} files; go on with the command "
                "that wrote it, or read what is there with partial=True"
            )
        return [Shard(place, description) for place in there]

    def _with_games(self, games: NDArray[np.int64]) -> "Dataset":
        part = copy.copy(self)
        part._games, part._rows = games, None
        return part

    def _checked(self, columns: Iterable[str], scaling: str) -> tuple[str, ...]:
        check_scaling(scaling)
        names = tuple(texts(columns, "columns", DatasetError))
        for name in names:
            if name not in COLUMNS:
                raise DatasetError(
                    f"no column is called {quoted(name)}{did_you_mean(name, COLUMNS)}"
                )
        if scaling != "raw" and self.feature_names != self.rules.observation.feature_names:
            raise DatasetError(
                f"{self.folder} was written with other features than this prico's; read it with "
                "scaling='raw' and find them by feature_names"
            )
        return names

    def _scaled(self, rows: Columns, scaling: str) -> Columns:
        if scaling != "raw":
            layout = self.rules.observation
            for name in (OBSERVATION, "next_observation"):
                if name in rows:
                    rows[name] = layout.scale(rows[name], check_scaling(scaling))
        return rows

    def _read_groups(
        self, columns: tuple[str, ...], groups: Sequence[int] | None = None
    ) -> Iterator[Columns]:
        """The row groups of its games, unpacked."""
        needed = tuple(dict.fromkeys((*columns, "game")))
        for at in range(len(self._groups)) if groups is None else groups:
            shard, group = self._groups[at]
            first, last = shard.games[group]
            start, stop = np.searchsorted(self._games, [first, last + 1])
            if start == stop:
                continue
            rows = shard.read(group, needed)
            if stop - start <= last - first:
                chosen = np.isin(rows["game"], self._games[start:stop])
                rows = {name: column[chosen] for name, column in rows.items()}
            yield {name: self._unpacked(name, rows[name]) for name in columns}

    def _unpacked(self, name: str, column: NDArray[Any]) -> NDArray[Any]:
        if name == MASK:
            bits = np.unpackbits(column, axis=1, count=self._actions, bitorder=MASK_BITS)
            return bits.view(np.bool_)
        return column.astype(np.int64) if name in _WIDE else column

    def _batches(
        self,
        size: int,
        wanted: tuple[str, ...],
        needed: tuple[str, ...],
        scaling: str,
        add: bool,
        chance: np.random.Generator | None,
        part: tuple[int, int],
    ) -> Iterator[Columns]:
        order = np.arange(len(self._groups))
        if chance is not None:
            order = chance.permutation(order)
        names = (*wanted, *(TRANSITIONS if add else ()))
        pool: list[Columns] = []
        groups = self._read_groups(needed, order[part[0] :: part[1]].tolist())
        for group in groups:
            if add:
                self._add_transitions(group)
            pool.append({name: group[name] for name in names})
            if chance is None or sum(len(rows[names[0]]) for rows in pool) >= _POOL_ROWS:
                rest = yield from self._emit(pool, size, scaling, chance)
                pool = [rest]
        if pool:
            rest = yield from self._emit(pool, size, scaling, chance)
            if len(rest[names[0]]):
                yield self._scaled(rest, scaling)

    def _emit(
        self,
        pool: list[Columns],
        size: int,
        scaling: str,
        chance: np.random.Generator | None,
    ) -> Generator[Columns, None, Columns]:
        """Give the whole batches of a pool; return the rows that are left."""
        rows = _joined(pool)
        count = len(next(iter(rows.values())))
        order = np.arange(count) if chance is None else chance.permutation(count)
        whole_rows = count - count % size
        for first in range(0, whole_rows, size):
            batch = {name: column[order[first : first + size]] for name, column in rows.items()}
            yield self._scaled(batch, scaling)
        return {name: column[order[whole_rows:]] for name, column in rows.items()}

    def _add_transitions(self, group: Columns) -> None:
        order = _by_episode(group)
        is_last = _is_last(group, order)
        after = np.empty(len(order), np.int64)
        after[order] = np.where(is_last, order, np.roll(order, -1))
        ended = np.empty(len(order), np.bool_)
        ended[order] = is_last
        group["next_observation"] = group[OBSERVATION][after]
        group["next_action_mask"] = group[MASK][after] | ended[:, None]
        won = group["win"] - np.float32(1 / self.rules.players)
        group["reward"] = np.where(ended, won, np.float32(0))
        group["terminated"] = ended


_NEEDED: Final = (OBSERVATION, MASK, "win", *_EPISODE)
"""What transitions are made of."""


def _by_episode(group: Columns) -> NDArray[np.int64]:
    """Rows in the order of game, seat and step."""
    return np.lexsort((group["step"], group["seat"], group["game"]))


def _is_last(group: Columns, order: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether an ordered row is the last of its episode."""
    game, seat = group["game"][order], group["seat"][order]
    ends = (game[1:] != game[:-1]) | (seat[1:] != seat[:-1])
    return np.append(ends, True) if len(order) else np.zeros(0, np.bool_)


def _joined(parts: Sequence[Columns]) -> Columns:
    if len(parts) <= 1:
        return parts[0] if parts else {}
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _checked_part(part: object) -> tuple[int, int]:
    if not isinstance(part, tuple) or len(part) != 2:  # noqa: PLR2004
        raise DatasetError(f"a part is such as (0, 2), the first of two, not {quoted(part)}")
    count = whole(part[1], "the number of parts", 1)
    return whole(part[0], "a part", 0, count - 1), count
