"""Tables with seats: who may decide where, who sees what, and which tables are at hand.

A browser is known by the secret in its cookie, of which only a digest is kept. It may hold any
seats of a table: one, those of several people at one screen, or none, and then it watches. Whoever
has the code of a seat may sit down there, from any browser.
"""

import asyncio
import hashlib
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from prico_env import Game, catalog
from prico_env.errors import PricoError, RecordError
from prico_env.text.terms import error_words
from prico_training.ui.events import Stream, Streams
from prico_training.ui.limits import Limits
from prico_training.ui.session import PERSON, Session, SessionError
from prico_training.ui.store import (
    ListedTable,
    Store,
    StoredDecision,
    StoredSeat,
    StoredTable,
    StoreError,
)
from prico_training.ui.thinking import SearchQueue
from prico_training.ui.transcripts import read_recorded, recorded_text

CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""No two that look alike; there are 32, so that a letter has five bits."""
CODE_LENGTH: Final = 10
CONSENT_SECONDS: Final = 60.0
"""How long others are asked whether somebody may take a decision back."""
_AN_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What the id of a table can be."""
_VERSION_BITS: Final = 40
"""A table begins with a version drawn by lot, so that no two have the same by accident."""
_MINUTE: Final = 60.0
_SOON: Final = 0.05
_STORE_CHECK_SECONDS: Final = 3600.0

Run = Callable[..., Awaitable[Any]]


class NoRoomError(PricoError):
    """There are as many games as the server has room for."""


class StaleError(SessionError):
    """The request was made looking at a table that has changed since."""


class NotYoursError(PricoError):
    """Something that only somebody else may do."""


def browser_id(key: str) -> str:
    """What a browser is known by, from the secret in its cookie."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def new_code() -> str:
    """A code for a seat, which nobody can guess."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str:
    """A code as somebody typed it: with spaces or hyphens, in small letters."""
    return "".join(letter for letter in text.upper() if letter in CODE_LETTERS)[:CODE_LENGTH]


@dataclass
class Chair:
    """A place for a person at a table.

    Attributes:
        code: What the link of the seat says.
        holder: The browser of the person; None where nobody has sat down yet.
        name: What they said they are called.
    """

    code: str = field(default_factory=new_code)
    holder: str | None = None
    name: str | None = None


@dataclass
class UndoRequest:
    """Somebody wants to take a decision back, after which others have decided.

    Attributes:
        seat: Whose decision it is.
        browser: Who asks.
        place: Its place in the history.
        version: The version of the game; the request is void when the game has gone on.
        waiting: Seats whose consent is missing.
        until: When nobody waits for it any more, by the monotonic clock.
    """

    seat: int
    browser: str
    place: int
    version: int
    waiting: set[int]
    until: float


class Table:
    """A game, and who sits at it.

    Attributes:
        id: Its secret name; who knows it may watch.
        host: The browser of who began it.
        chairs: A place for a person at each seat, whoever plays there now.
        session: The game.
        deal_is_chosen: Whether the host knows what the game is dealt from.
        is_paused: Whether the host has stopped the game for now.
        revision: A number that is a larger one whenever anything beside the game has changed.
        undo_request: The decision that somebody wants to take back.
        lock: Held while something is done with the table, one thing at a time.
        seen: When anybody last asked for anything here, by the monotonic clock.
        hinted: Browsers that have a search for a hint about what stands here now.
        stored: The table as it was stored last.
    """

    def __init__(
        self, session: Session, host: str, chairs: list[Chair], deal_is_chosen: bool = False
    ) -> None:
        self.id = secrets.token_urlsafe(12)
        self.host = host
        self.chairs = chairs
        self.session = session
        self.deal_is_chosen = deal_is_chosen
        self.is_paused = False
        self.revision = 1
        self.undo_request: UndoRequest | None = None
        self.lock = asyncio.Lock()
        self.seen = time.monotonic()
        self.hinted: set[str] = set()
        self.advancing = ""
        self.stored: StoredTable | None = None
        self._earlier = 1 + secrets.randbits(_VERSION_BITS)

    @property
    def version(self) -> int:
        """A number that is another one whenever the game has changed."""
        return self._earlier + self.session.changes

    def check(self, version: int) -> None:
        """Refuse what was asked while looking at an older state of the game."""
        if version != self.version:
            raise StaleError(error_words("table_changed"))

    # -- who is who --------------------------------------------------------------------------------

    def seats_of(self, browser: str) -> list[int]:
        """The seats where a browser decides."""
        return [seat for seat in self.session.people if self.chairs[seat].holder == browser]

    def sits(self, browser: str) -> bool:
        """Whether a browser belongs to the table: its host, or somebody with a seat."""
        return browser == self.host or any(chair.holder == browser for chair in self.chairs)

    def is_alone(self, browser: str) -> bool:
        """Whether nobody else has a seat here, or may get one by a link that was given away."""
        holders = {chair.holder for chair in self.chairs}
        return browser == self.host and holders <= {None, browser} and not self.open_seats()

    def open_seats(self) -> list[int]:
        """The seats that wait for somebody to sit down."""
        return [seat for seat in self.session.people if self.chairs[seat].holder is None]

    def viewer(self, browser: str) -> int | None:
        """The seat whose view a browser is shown: of those it has, the one that decides or decided.

        None is the view of everybody: of those who watch.
        """
        return self.session.viewer_of(self.seats_of(browser))

    def may_know_the_deal(self, browser: str) -> bool:
        """Whether a browser may see what decides every draw to come, and all that is hidden."""
        return self.session.game.over or self.is_alone(browser)

    def must_sit(self, browser: str) -> None:
        """Refuse what only those may do who belong to the table."""
        if not self.sits(browser):
            raise NotYoursError(error_words("watching"))

    def must_be_host(self, browser: str) -> None:
        """Refuse what only the host may do."""
        if browser != self.host:
            raise NotYoursError(error_words("host_only"))

    def must_decide(self, browser: str) -> None:
        """Refuse a decision of somebody else's seat, or in a pause."""
        seat = self.session.seat_to_act
        if self.is_paused:
            raise SessionError(error_words("paused"))
        if self.session.waits_for_person and seat not in self.seats_of(browser):
            raise NotYoursError(
                error_words("not_yours_to_decide", name=self.session.names[seat], seat=seat)
            )

    # -- who sits where ----------------------------------------------------------------------------

    def sit_down(self, seat: int, browser: str, name: str | None, player: str = PERSON) -> None:
        """Give a seat to a browser, and let a person play there, or an agent in their place."""
        self.session.seat(seat, player, name if player == PERSON else None)
        self.chairs[seat].holder = browser
        self.chairs[seat].name = name
        self.changed()

    def replace(self, seat: int, agent: str) -> None:
        """Let an agent play at a seat; the person may take it back."""
        self.session.seat(seat, agent, None)
        self.changed()

    def open_up(self, seat: int) -> None:
        """Offer a seat to whoever gets its new link; the old one is void."""
        self.deal_is_chosen |= self.may_know_the_deal(self.host)
        self.session.seat(seat, PERSON, None)
        self.chairs[seat] = Chair()
        self.changed()

    def changed(self) -> None:
        """Take note that something beside the game has changed."""
        self.revision += 1

    # -- taking back -------------------------------------------------------------------------------

    def undo(self, browser: str) -> None:
        """Take back the last decision of a browser, or ask those who have decided since.

        Raises:
            SessionError: It has decided nothing.
        """
        seats = self.seats_of(browser)
        last = self.session.last_decision(seats)
        if last is None:
            raise SessionError(error_words("nothing_of_yours"))
        place = last.number if last.group is None else last.group
        since = {entry.seat for entry in self.session.log[place:] if not entry.forced}
        others = {
            seat
            for seat in since & set(self.session.people)
            if self.chairs[seat].holder not in (None, browser)
        }
        if not others:
            self.undo_request = None
            self.session.undo(seats)
            return
        until = time.monotonic() + CONSENT_SECONDS
        self.undo_request = UndoRequest(last.seat, browser, place, self.version, others, until)
        self.changed()

    def answer_undo(self, browser: str, accepts: bool) -> None:
        """Say whether somebody may take a decision back; who asked for it may withdraw that.

        Raises:
            SessionError: Nobody asks this browser.
        """
        request = self.pending_undo()
        if request is None:
            raise SessionError(error_words("nobody_asks"))
        if browser == request.browser and not accepts:
            self.undo_request = None
            self.changed()
            return
        asked = request.waiting & set(self.seats_of(browser))
        if not asked:
            raise SessionError(error_words("not_asked"))
        request.waiting -= asked
        if not accepts or not request.waiting:
            self.undo_request = None
        if accepts and not request.waiting:
            self.session.undo([request.seat])
        self.changed()

    def pending_undo(self) -> UndoRequest | None:
        """What somebody wants to take back, if others are still asked for it."""
        request = self.undo_request
        if request is not None and (
            request.version != self.version or time.monotonic() > request.until
        ):
            self.undo_request = None
            self.changed()
        return self.undo_request

    # -- as it is stored ---------------------------------------------------------------------------

    def to_store(self) -> StoredTable:
        """Return it as it is stored."""
        session, before = self.session, self.stored
        game = session.game
        return StoredTable(
            id=self.id,
            host=self.host,
            title=before.title if before else _title(session),
            start=before.start if before else _first_line(session),
            deal_is_chosen=self.deal_is_chosen,
            is_paused=self.is_paused,
            version=self.version,
            revision=self.revision,
            round=game.round,
            turn=session.seat_to_act,
            seats=[
                StoredSeat(player, chair.name, shown, chair.code, chair.holder)
                for player, shown, chair in zip(
                    session.players, session.names, self.chairs, strict=True
                )
            ],
            decisions=[
                StoredDecision(entry.action, entry.forced, entry.group) for entry in session.log
            ],
            hints=dict(session.analyses),
        )

    @classmethod
    def from_store(cls, stored: StoredTable) -> "Table":
        """Replay a stored table.

        Raises:
            StoreError: It does not replay, or somebody who sits there cannot be loaded any more.
        """
        try:
            began = read_recorded(stored.start)
            players = [seat.player for seat in stored.seats]
            names = [seat.name if seat.player == PERSON else None for seat in stored.seats]
            session = Session(began.rules, players, began.start, names)
            session.replay(stored.decisions)
        except (PricoError, RecordError) as error:
            raise StoreError(f"this table cannot be opened as it is stored: {error}") from None
        session.analyses.update(stored.hints)
        chairs = [Chair(seat.code, seat.holder, seat.name) for seat in stored.seats]
        table = cls(session, stored.host, chairs, bool(stored.deal_is_chosen))
        table.id, table.is_paused = stored.id, bool(stored.is_paused)
        table.revision = stored.revision
        table._earlier = stored.version - session.changes
        table.stored = stored
        return table


def _title(session: Session) -> str:
    rules = session.game.rules
    return ", ".join((catalog.load(rules.edition).title, *rules.expansions))


def _first_line(session: Session) -> str:
    """The record of the game before anybody has decided anything."""
    return recorded_text(Game.begin(session.game.rules, session.start))


class Tables:
    """All tables: those in memory, and those that are read when somebody asks for them.

    Attributes:
        store: Where they are stored.
    """

    def __init__(
        self, limits: Limits, searches: SearchQueue, streams: Streams, store: Store, run: Run
    ) -> None:
        """Begin with those that are stored.

        Args:
            limits: How many there may be, and for how long nobody may ask for them.
            searches: Where their searches are; who waits for one is not away.
            streams: Who is told what happens.
            store: Where they are stored.
            run: Does what takes a moment in a thread beside.
        """
        self.store = store
        self._limits = limits
        self._searches = searches
        self._streams = streams
        self._run = run
        self._open: OrderedDict[str, Table] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Table | None]] = {}
        self._is_watched = False
        self._tidied = -_STORE_CHECK_SECONDS

    def __len__(self) -> int:
        return len(self._open)

    async def find(self, table_id: str) -> Table | None:
        """The table of a name.

        Raises:
            NoRoomError: It would have to be read, and there are too many in memory.
            StoreError: It cannot be read.
        """
        if table_id in self._open:
            return self._see(table_id)
        if not _AN_ID.fullmatch(table_id):
            return None
        if table_id not in self._opening:
            task = asyncio.ensure_future(self._read(table_id))
            self._opening[table_id] = task
            task.add_done_callback(lambda _: self._opening.pop(table_id, None))
        return await asyncio.shield(self._opening[table_id])

    async def latest(self, browser: str) -> Table | None:
        """The table that a browser opened last."""
        latest = await self._run(self.store.latest_of, browser)
        return await self.find(latest) if latest else None

    async def seat_of(self, code: str) -> tuple[Table, int] | None:
        """The table and the seat that a code is for."""
        found = await self._run(self.store.seat_of, code)
        table = await self.find(found[0]) if found else None
        return (table, found[1]) if table and found else None

    async def add(self, table: Table, browser: str) -> None:
        """Add a table that has just begun, and show it to a browser from now on.

        Raises:
            NoRoomError: There are too many, and nobody is away.
            StoreError: It cannot be stored.
        """
        await self._make_room(browser)
        await self._drop_oldest(browser)
        await self._run(self._store, table)
        await self._run(self.store.visit, browser, table.id)
        self._keep(table)

    async def save(self, table: Table, is_news: bool = True) -> None:
        """Store what has changed at a table, and then tell those who look at it.

        Args:
            table: The table, whose lock is held.
            is_news: Whether it looks otherwise than before.

        Raises:
            StoreError: It cannot be stored; the table is as it was before.
        """
        try:
            await self._run(self._store, table)
        except BaseException:
            self._open.pop(table.id, None)  # what is not stored was not decided
            raise
        if is_news:
            self._streams.tell(table.id)

    async def visit(self, browser: str, table: Table) -> None:
        """Show a table to a browser from now on, and keep it in its list."""
        await self._run(self.store.visit, browser, table.id)

    async def listed(self, browser: str) -> list[ListedTable]:
        """The tables of a browser, the one that it opened last first."""
        found: list[ListedTable] = await self._run(self.store.tables_of, browser)
        return found

    async def leave(self, table: Table, browser: str, agent: str) -> None:
        """Take a table off the list of a browser; it goes when nobody else has a seat there.

        Where others do, an agent plays on in the browser's place, and somebody else is the host.

        Args:
            table: The table, whose lock is held.
            browser: The browser.
            agent: Who plays on at its seats.
        """
        if not table.sits(browser):
            await self._run(self.store.leave, browser, table.id)
            return
        others = [chair.holder for chair in table.chairs if chair.holder not in (None, browser)]
        if not others:
            self._streams.end(table.id)
            self._searches.cancel(table.id)
            self._open.pop(table.id, None)
            await self._run(self.store.delete, table.id)
            return
        for seat in table.seats_of(browser):
            table.replace(seat, agent)
        for chair in table.chairs:
            if chair.holder == browser:
                chair.holder, chair.name, chair.code = None, None, new_code()
        if table.host == browser:
            table.host = str(others[0])
        table.changed()
        await self.save(table)
        await self._run(self.store.leave, browser, table.id)

    # -- in memory ---------------------------------------------------------------------------------

    async def _read(self, table_id: str) -> Table | None:
        stored = await self._run(self.store.load, table_id)
        if stored is None:
            return None
        await self._make_room("")
        table: Table = await self._run(Table.from_store, stored)
        self._keep(table)
        return table

    def _store(self, table: Table) -> None:
        stored = table.to_store()
        self.store.save(stored, table.stored)
        table.stored = stored

    def _keep(self, table: Table) -> None:
        self._open[table.id] = table
        if not self._is_watched:
            self._is_watched = True
            self._forget_idle()

    def _see(self, table_id: str) -> Table:
        """Take note that somebody is here."""
        table = self._open[table_id]
        table.seen = time.monotonic()
        self._open.move_to_end(table_id)
        return table

    async def _make_room(self, browser: str) -> None:
        """Take a table out of memory where there are too many: one left alone, or the browser's.

        Raises:
            NoRoomError: Somebody plays at all of them.
        """
        too_many = 1 + len(self) - self._limits.sessions
        if too_many <= 0:
            return
        gone = self._close_idle(_MINUTE * self._limits.away_minutes, too_many)
        own = (table for table in list(self._open.values()) if table.is_alone(browser))
        for table in own if len(gone) < too_many else ():
            gone.append(table)
            self._close(table)
            if len(gone) == too_many:
                break
        await self._lose(gone)
        if len(gone) < too_many:
            raise NoRoomError(error_words("no_room", count=len(self)))

    async def _drop_oldest(self, browser: str) -> None:
        """Delete the oldest tables of a browser that has too many, if nobody else sits there.

        Raises:
            NoRoomError: Others sit at all of them.
        """
        tables = await self.listed(browser)
        too_many = 1 + len(tables) - self._limits.tables
        if too_many <= 0:
            return
        own = [one for one in reversed(tables) if set(one.holders) <= {None, browser}]
        if len(own) < too_many:
            raise NoRoomError(error_words("too_many_games", count=len(tables)))
        for one in own[:too_many]:
            if table := self._open.get(one.id):
                self._close(table)
            await self._run(self.store.delete, one.id)

    def _close_idle(self, seconds: float, most: int) -> list[Table]:
        """Take up to so many tables out of memory that nobody has asked for so long."""
        before = time.monotonic() - seconds
        gone: list[Table] = []
        for table in list(self._open.values()):
            if table.seen > before or len(gone) >= most:
                break
            if table.lock.locked() or self._is_searching(table):
                self._see(table.id)
            else:
                self._close(table)
                gone.append(table)
        return gone

    def _close(self, table: Table) -> None:
        del self._open[table.id]
        self._searches.cancel(table.id)
        self._streams.end(table.id)

    async def _lose(self, tables: Collection[Table]) -> None:
        """Where nothing outlives memory, what is out of it is gone for good."""
        if not self.store.is_lasting:
            for table in tables:
                await self._run(self.store.delete, table.id)

    def _is_searching(self, table: Table) -> bool:
        return any(self._searches.progress(owner) for owner in (table.id, *table.hinted))

    def _forget_idle(self) -> None:
        """Forget idle tables now, and again when the next one may be idle."""
        idle = _MINUTE * self._limits.idle_minutes
        gone = self._close_idle(idle, len(self))
        loop = asyncio.get_running_loop()
        self._is_watched = bool(self._open)
        tidying = loop.create_task(self._tidy(gone))
        tidying.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self._is_watched:
            oldest = next(iter(self._open.values()))
            wait = max(_SOON, oldest.seen + idle - time.monotonic())
            loop.call_later(wait, self._forget_idle)

    async def _tidy(self, gone: Collection[Table]) -> None:
        await self._lose(gone)
        if time.monotonic() - self._tidied >= _STORE_CHECK_SECONDS:
            self._tidied = time.monotonic()
            limits = self._limits
            forget = partial(self.store.forget, limits.stored_days, limits.stored)
            await self._run(forget, tuple(self._open))


def presence(table: Table, streams: Streams, stream: Stream) -> dict[str, Any]:
    """What an event says to a page that looks at a table: that it changed, and who is here.

    One page lets the agents play on, at its own pace: the host's, or else that of who has been
    here longest of those with a seat.
    """
    here = streams.of_table(table.id)
    sitting = [one for one in here if table.sits(one.browser)]
    first = next((one for one in sitting if one.browser == table.host), None)
    browsers = {one.browser for one in here}
    return {
        "version": table.version,
        "revision": table.revision,
        "here": [seat for seat, chair in enumerate(table.chairs) if chair.holder in browsers],
        "watching": len(here) - len(sitting),
        "drives": stream is (first or next(iter(sitting), None)),
    }
