"""Tables on disk: every decision is committed before anybody is shown it.

They are in a file of SQLite, in the user's data folder unless another is named. What is kept of a
game is what it began from and its decisions, so that it is replayed when somebody asks for it
again. Without a folder the same tables are in a database in memory, and end with the program.
"""

import contextlib
import json
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from prico_agents.analysis import Analysis, AnalysisError
from prico_env.errors import PricoError
from prico_training.errors import ConfigError, InUseError
from prico_training.folder_lock import FolderLock

FILE: Final = "tables.sqlite"
SCHEMA: Final = 1
"""The version of what follows; a file of a later one is left alone."""
_ADVICE: Final = (
    "it was left as it is; name another folder with --data, or keep nothing with --no-data"
)
_OURS: Final = 0x70726963
"""Says in a file of SQLite that it is one of prico."""
_TABLES: Final = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, title TEXT NOT NULL, start TEXT NOT NULL,
    deal_is_chosen INTEGER NOT NULL, is_paused INTEGER NOT NULL,
    version INTEGER NOT NULL, revision INTEGER NOT NULL,
    round INTEGER NOT NULL, turn INTEGER NOT NULL, decided REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE seats (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, seat INTEGER NOT NULL,
    player TEXT NOT NULL, name TEXT, shown_name TEXT NOT NULL, code TEXT NOT NULL UNIQUE,
    holder TEXT,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE TABLE decisions (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, place INTEGER NOT NULL,
    action INTEGER NOT NULL, forced INTEGER NOT NULL, first INTEGER,
    PRIMARY KEY (table_id, place)
) WITHOUT ROWID;
CREATE TABLE hints (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, place INTEGER NOT NULL,
    analysis TEXT NOT NULL,
    PRIMARY KEY (table_id, place)
) WITHOUT ROWID;
CREATE TABLE visits (
    browser TEXT NOT NULL, table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    opened REAL NOT NULL,
    PRIMARY KEY (browser, table_id)
) WITHOUT ROWID;
CREATE INDEX visits_of_tables ON visits (table_id);
CREATE INDEX tables_by_time ON tables (decided);
"""


_COLUMNS: Final = (
    *("id", "host", "title", "start", "deal_is_chosen", "is_paused"),
    *("version", "revision", "round", "turn"),
)
"""The columns of a table that are read back."""


class StoreError(PricoError):
    """A stored table cannot be read, or one cannot be stored."""


class StoredSeat(NamedTuple):
    """A seat of a stored table.

    Attributes:
        player: Who plays there: an agent's name, or a person.
        name: What the person said they are called.
        shown_name: What the seat is called in lists of tables.
        code: What the link of the seat says.
        holder: The browser of the person; None where nobody has sat down yet.
    """

    player: str
    name: str | None
    shown_name: str
    code: str
    holder: str | None


class StoredDecision(NamedTuple):
    """A decision of a stored game.

    Attributes:
        action: The action number.
        forced: Whether nothing else was allowed.
        first: The place of the first of those that were made with it as one; None by itself.
    """

    action: int
    forced: bool
    first: int | None


@dataclass
class StoredTable:
    """A table as it is stored.

    Attributes:
        id: Its secret name.
        host: The browser of who began it.
        title: What is played, for people who look into the file.
        start: The first line of a record: the rules, and what the game began from.
        deal_is_chosen: Whether the host knows what the game is dealt from.
        is_paused: Whether the host has stopped the game for now.
        version: The version of the game.
        revision: That of the rest of the table.
        round: The round.
        turn: The seat to decide, -1 at the end.
        seats: Who sits there.
        decisions: What was decided.
        hints: What was thought of a decision, by its place.
    """

    id: str
    host: str
    title: str
    start: str
    deal_is_chosen: int
    is_paused: int
    version: int
    revision: int
    round: int
    turn: int
    seats: list[StoredSeat]
    decisions: list[StoredDecision] = field(default_factory=list)
    hints: dict[int, Analysis] = field(default_factory=dict)


class ListedTable(NamedTuple):
    """A table as a list of them shows it.

    Attributes:
        id: Its secret name.
        start: The first line of a record: the rules, and what the game began from.
        round: The round.
        turn: The seat to decide, -1 at the end.
        decided: When somebody last decided something, in seconds since 1970.
        names: What the seats are called.
        holders: The browsers of the people at the seats.
    """

    id: str
    start: str
    round: int
    turn: int
    decided: float
    names: tuple[str, ...]
    holders: tuple[str | None, ...]


def data_folder() -> Path | None:
    """Return where this user's programs keep their data; None for a user without a home."""
    if sys.platform == "win32" and (named := os.environ.get("LOCALAPPDATA")):
        return Path(named, "prico")
    if named := os.environ.get("XDG_DATA_HOME"):
        return Path(named, "prico")
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if not home.is_dir():
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "prico"
    return home / ".local" / "share" / "prico"


class Store:
    """The stored tables. Any thread may ask; one is served at a time.

    Attributes:
        is_lasting: Whether tables outlive the program.
    """

    def __init__(self, folder: Path | None) -> None:
        """Open it.

        Args:
            folder: Where the file is, or is to be; None keeps everything in memory.

        Raises:
            ConfigError: The file is damaged, of a later version, or of another program.
            StorageError: It cannot be written there.
            InUseError: Another server has it.
        """
        self.is_lasting = folder is not None
        self._one_at_a_time = threading.Lock()
        self._folder_lock = None
        if folder is None:
            self._database = _connected(":memory:")
            self._database.executescript(f"BEGIN; {_TABLES} COMMIT;")
            return
        try:
            self._folder_lock = FolderLock(folder)
        except InUseError as error:
            advice = "or name another folder with --data, or none with --no-data"
            raise InUseError(f"{error}; {advice}") from None
        try:
            self._database = _opened(folder / FILE)
        except BaseException:
            self._folder_lock.close()
            raise

    def close(self) -> None:
        """Close the file; nothing is left to be written."""
        with self._one_at_a_time:
            self._database.close()
        if self._folder_lock is not None:
            self._folder_lock.close()
            self._folder_lock = None

    def save(self, table: StoredTable, before: StoredTable | None) -> None:
        """Store what has changed at a table.

        Args:
            table: The table.
            before: The same as it was stored last; None if it never was.

        Raises:
            StoreError: It cannot be written; what was stored stays as it was.
        """
        old = before.decisions if before else []
        same = _common(old, table.decisions)
        new_hints = {
            place: hint
            for place, hint in table.hints.items()
            if before is None or before.hints.get(place) is not hint
        }
        gone = set(before.hints) - set(table.hints) if before else set()
        moved = same < max(len(old), len(table.decisions)) or before is None
        with self._changing() as database:
            _write_table(database, table, time.time() if moved else None)
            if before is None or before.seats != table.seats:
                _write_seats(database, table)
            if same < len(old):
                database.execute(
                    "DELETE FROM decisions WHERE table_id = ? AND place >= ?", (table.id, same)
                )
            database.executemany(
                "INSERT INTO decisions VALUES (?, ?, ?, ?, ?)",
                [(table.id, at, *one) for at, one in enumerate(table.decisions[same:], same)],
            )
            database.executemany(
                "DELETE FROM hints WHERE table_id = ? AND place = ?",
                [(table.id, place) for place in gone],
            )
            database.executemany(
                "INSERT OR REPLACE INTO hints VALUES (?, ?, ?)",
                [(table.id, at, json.dumps(hint.to_dict())) for at, hint in new_hints.items()],
            )

    def load(self, table_id: str) -> StoredTable | None:
        """Return a table; None if there is none of that name.

        Raises:
            StoreError: It cannot be read.
        """
        with self._reading() as database:
            found: Any = database.execute(
                f"SELECT {', '.join(_COLUMNS)} FROM tables WHERE id = ?", (table_id,)
            ).fetchone()
            if found is None:
                return None
            seats = database.execute(
                "SELECT player, name, shown_name, code, holder FROM seats WHERE table_id = ? "
                "ORDER BY seat",
                (table_id,),
            ).fetchall()
            moves = database.execute(
                "SELECT action, forced, first FROM decisions WHERE table_id = ? ORDER BY place",
                (table_id,),
            ).fetchall()
            hints = database.execute(
                "SELECT place, analysis FROM hints WHERE table_id = ?", (table_id,)
            ).fetchall()
        try:
            thoughts = {place: Analysis.from_dict(json.loads(hint)) for place, hint in hints}
        except (AnalysisError, ValueError) as error:
            raise StoreError(
                f"a hint of this table is damaged where it is stored: {error}"
            ) from None
        values = dict(zip(_COLUMNS, found, strict=True))
        table = StoredTable(**values, seats=[StoredSeat(*one) for one in seats])
        table.decisions = [StoredDecision(action, bool(forced), at) for action, forced, at in moves]
        table.hints = thoughts
        return table

    def delete(self, table_id: str) -> None:
        """Delete a table.

        Raises:
            StoreError: It cannot be written.
        """
        with self._changing() as database:
            database.execute("DELETE FROM tables WHERE id = ?", (table_id,))

    def visit(self, browser: str, table_id: str) -> None:
        """Take note that a browser has opened a table, which then is in its list.

        Raises:
            StoreError: It cannot be written.
        """
        with self._changing() as database:
            database.execute(
                "INSERT OR REPLACE INTO visits SELECT ?, id, ? FROM tables WHERE id = ?",
                (browser, time.time(), table_id),
            )

    def leave(self, browser: str, table_id: str) -> None:
        """Take a table off the list of a browser.

        Raises:
            StoreError: It cannot be written.
        """
        with self._changing() as database:
            database.execute(
                "DELETE FROM visits WHERE browser = ? AND table_id = ?", (browser, table_id)
            )

    def tables_of(self, browser: str) -> list[ListedTable]:
        """The tables of a browser, the one that it opened last first."""
        with self._reading() as database:
            rows: Any = database.execute(
                "SELECT id, start, round, turn, decided FROM visits JOIN tables ON id = table_id "
                "WHERE browser = ? ORDER BY opened DESC",
                (browser,),
            ).fetchall()
            listed = []
            for row in rows:
                seats = database.execute(
                    "SELECT shown_name, holder FROM seats WHERE table_id = ? ORDER BY seat",
                    (row[0],),
                ).fetchall()
                names = tuple(name for name, _ in seats)
                holders = tuple(holder for _, holder in seats)
                listed.append(ListedTable._make((*row, names, holders)))
        return listed

    def latest_of(self, browser: str) -> str | None:
        """The table that a browser opened last."""
        return self._one(
            "SELECT table_id FROM visits WHERE browser = ? ORDER BY opened DESC LIMIT 1", browser
        )

    def seat_of(self, code: str) -> tuple[str, int] | None:
        """The table and the seat that a code is for."""
        with self._reading() as database:
            found: tuple[str, int] | None = database.execute(
                "SELECT table_id, seat FROM seats WHERE code = ?", (code,)
            ).fetchone()
        return found

    def forget(self, days: float, most: int, kept: Sequence[str]) -> None:
        """Delete tables where nothing was decided for long, and the oldest of too many.

        Args:
            days: After how long.
            most: How many may be left.
            kept: Tables that stay in any case.

        Raises:
            StoreError: It cannot be written.
        """
        with self._changing() as database:
            old = database.execute(
                "SELECT id FROM tables WHERE decided < ? UNION "
                "SELECT * FROM (SELECT id FROM tables ORDER BY decided DESC LIMIT -1 OFFSET ?)",
                (time.time() - days * 86_400, most),
            ).fetchall()
            database.executemany(
                "DELETE FROM tables WHERE id = ?", [one for one in old if one[0] not in kept]
            )

    # -- how it is done ----------------------------------------------------------------------------

    def _one(self, query: str, *values: Any) -> Any:
        with self._reading() as database:
            found = database.execute(query, values).fetchone()
        return None if found is None else found[0]

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._one_at_a_time:
            try:
                yield self._database
            except sqlite3.Error as error:
                raise StoreError(f"the stored tables cannot be read: {error}") from None

    @contextlib.contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """Change something, all of it or nothing."""
        with self._one_at_a_time:
            try:
                with self._database:
                    self._database.execute("BEGIN IMMEDIATE")
                    yield self._database
            except sqlite3.Error as error:
                raise StoreError(f"the table cannot be stored, nothing was done: {error}") from None


def _write_table(database: sqlite3.Connection, table: StoredTable, decided: float | None) -> None:
    """Write everything that is one value a table; the time only if something was decided."""
    values = (
        table.host,
        table.title,
        table.start,
        table.deal_is_chosen,
        table.is_paused,
        table.version,
        table.revision,
        table.round,
        table.turn,
    )
    database.execute(
        "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET host = excluded.host, is_paused = excluded.is_paused, "
        "deal_is_chosen = excluded.deal_is_chosen, version = excluded.version, "
        "revision = excluded.revision, round = excluded.round, turn = excluded.turn",
        (table.id, *values, decided or 0.0),
    )
    if decided is not None:
        database.execute("UPDATE tables SET decided = ? WHERE id = ?", (decided, table.id))


def _write_seats(database: sqlite3.Connection, table: StoredTable) -> None:
    database.execute("DELETE FROM seats WHERE table_id = ?", (table.id,))
    database.executemany(
        "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(table.id, seat, *one) for seat, one in enumerate(table.seats)],
    )


def _common(old: Sequence[StoredDecision], new: Sequence[StoredDecision]) -> int:
    """How many decisions two games have in common before they part."""
    for at, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return at
    return min(len(old), len(new))


def _opened(path: Path) -> sqlite3.Connection:
    """Open a file that is there, or make a new one.

    Raises:
        ConfigError: It is not one that can be read; it is left as it is.
    """
    database = None
    try:
        database = _connected(str(path))
        if problem := _problem(database):
            raise ConfigError(f"{path} {problem}; {_ADVICE}")
        # One writer at a time, readers beside it; what was committed outlives the process.
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        if _is_empty(database):
            database.executescript(
                f"BEGIN; PRAGMA application_id = {_OURS}; PRAGMA user_version = {SCHEMA};"
                f"{_TABLES} COMMIT;"
            )
    except sqlite3.Error as error:
        if database is not None:
            database.close()
        raise ConfigError(f"{path} cannot be read as stored tables ({error}); {_ADVICE}") from None
    except ConfigError:
        assert database is not None
        database.close()
        raise
    with contextlib.suppress(OSError):
        path.chmod(0o600)  # it has the codes of seats
    return database


def _is_empty(database: sqlite3.Connection) -> bool:
    return not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def _problem(database: sqlite3.Connection) -> str:
    """Why a file cannot be used, in words; nothing if it can."""
    if _is_empty(database):
        return ""
    schema = database.execute("PRAGMA user_version").fetchone()[0]
    if database.execute("PRAGMA application_id").fetchone()[0] != _OURS:
        return "is a database of another program"
    if schema > SCHEMA:
        return (
            f"was written by a later version of prico: its layout is {schema}, and this one knows "
            f"up to {SCHEMA}"
        )
    if database.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        return "is damaged"
    return ""


def _connected(path: str) -> sqlite3.Connection:
    database = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
    database.execute("PRAGMA foreign_keys = ON")
    return database
