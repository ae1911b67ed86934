"""Server-sent events: what others do at a table arrives by itself, in every page that shows it.

An event says only that something has changed, and who is there; the page then asks for what it may
see. So nothing that is hidden from one of them can be in it.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final

from prico_env.errors import PricoError
from prico_training.ui.admission import is_of_this_machine

HEARTBEAT_SECONDS: Final = 15.0
"""After how long of silence a stream says that it is alive; proxies close those that do not."""
OF_A_BROWSER: Final = 4
"""Streams of one browser; HTTP/1.1 gives it six connections for everything."""
OF_WATCHERS: Final = 20
"""Streams at one table of those who have no seat there."""
OF_AN_ADDRESS: Final = 100
"""Streams of one address of another machine."""
_HEARTBEAT: Final = ":\n\n"
_REPLACED: Final = "event: replaced\ndata: {}\n\n"
_CLOSED: Final = "retry: 1000\nevent: closed\ndata: {}\n\n"


class NoStreamError(PricoError):
    """There are as many streams as there may be."""


class Stream:
    """A page that is told what happens at a table.

    Attributes:
        table: The table's id.
        browser: Which browser the page is open in.
        sits: Whether that browser had a seat at the table, or is its host.
        address: Where it is.
    """

    def __init__(self, table: str, browser: str, sits: bool, address: str) -> None:
        self.table = table
        self.browser = browser
        self.sits = sits
        self.address = address
        self.news = asyncio.Event()
        self.last_words = ""

    def end(self, last_words: str) -> None:
        """Say something and close."""
        self.last_words = last_words
        self.news.set()


class Streams:
    """The streams of all tables."""

    def __init__(self, most: int) -> None:
        """Begin with none.

        Args:
            most: How many there may be.
        """
        self._most = most
        self._streams: list[Stream] = []
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._streams)

    def add(self, stream: Stream) -> None:
        """Add one; the oldest of the same browser gives way where it has many.

        Raises:
            NoStreamError: There are too many others.
        """
        same = [one for one in self._streams if one.browser == stream.browser]
        if len(same) >= OF_A_BROWSER:
            self._remove(same[0], _REPLACED)
        at_table = self.of_table(stream.table)
        near = [one for one in self._streams if one.address == stream.address]
        is_far = not is_of_this_machine(stream.address)
        if (
            self._is_closed
            or len(self) >= self._most
            or (is_far and len(near) >= OF_AN_ADDRESS)
            or (not stream.sits and sum(not one.sits for one in at_table) >= OF_WATCHERS)
        ):
            raise NoStreamError("too many pages are told what happens here; look again in a while")
        self._streams.append(stream)
        self.tell(stream.table)

    async def follow(
        self, stream: Stream, look: Callable[[], Mapping[str, Any]]
    ) -> AsyncIterator[str]:
        """Yield the lines of a stream until it is closed.

        Args:
            stream: One that is open.
            look: Returns what an event says now.
        """
        try:
            while not stream.last_words:
                stream.news.clear()
                yield f"data: {json.dumps(look())}\n\n"
                while not stream.news.is_set():
                    try:
                        async with asyncio.timeout(HEARTBEAT_SECONDS):
                            await stream.news.wait()
                    except TimeoutError:
                        yield _HEARTBEAT
            yield stream.last_words
        finally:
            self._remove(stream)

    def of_table(self, table: str) -> list[Stream]:
        """The streams of a table, the oldest first."""
        return [one for one in self._streams if one.table == table]

    def tell(self, table: str) -> None:
        """Let those who look at a table know that something has changed."""
        for stream in self.of_table(table):
            stream.news.set()

    def end(self, table: str) -> None:
        """Close the streams of a table that is out of memory; who comes back opens it again."""
        for stream in self.of_table(table):
            self._remove(stream, _REPLACED)

    def close(self) -> None:
        """Close all of them, for good; pages try again, in case the server comes back."""
        self._is_closed = True
        for stream in list(self._streams):
            self._remove(stream, _CLOSED)

    def _remove(self, stream: Stream, last_words: str = _REPLACED) -> None:
        if stream in self._streams:
            self._streams.remove(stream)
            stream.end(last_words)
            self.tell(stream.table)
