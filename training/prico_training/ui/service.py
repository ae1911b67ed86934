"""What the endpoints of a server share: the tables, the searches, and how a table is shown."""

import asyncio
import contextvars
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from prico_agents.registry import display_name
from prico_training.ui.admission import RateLimit
from prico_training.ui.choices import Choices
from prico_training.ui.events import Streams
from prico_training.ui.limits import Limits
from prico_training.ui.preparing import Preparation
from prico_training.ui.requests import (
    GONE,
    NOBODY_WAITS,
    Kind,
    Optional,
    answer,
    body_of,
    layout_of,
)
from prico_training.ui.store import Store
from prico_training.ui.tables import Table, Tables, browser_id
from prico_training.ui.thinking import SearchQueue, Thought
from prico_training.ui.views import game_view, table_view

_THREADS: Final = 4
"""Threads for what takes a moment; many would only wait for each other."""
_COOKIE: Final = "prico_table"
_COOKIE_SECONDS: Final = 400 * 86_400
"""How long a browser stays known; browsers allow no longer."""
_WRONG_CODES: Final = 10, 0.1
"""Wrong codes of seats that an address may try at once, and then each second."""
_NEW_TABLES: Final = 60, 0.2
"""Tables that an address of another machine may begin at once, and then each second."""

Result = TypeVar("Result")
Endpoint = Callable[[Request], Awaitable[Response]]
Change = Callable[[Table, str, Mapping[str, Any]], None]


class Service:
    """What the endpoints of one server share.

    Attributes:
        choices: What may be chosen for a game.
        searches: The queue of searches.
        streams: Who is told what happens.
        tables: The tables.
        preparation: What has to be compiled before a game can be played.
        wrong_codes: How many codes an address may still guess.
        new_tables: How many tables an address may still begin.
        address: Where people on other machines reach the server, for the links of seats.
    """

    def __init__(
        self, agents: Sequence[str], limits: Limits, folder: Path | None, is_prepared: bool = True
    ) -> None:
        """Open it; see `server.make_app`."""
        self.choices = Choices(agents, limits.simulations)
        self.searches = SearchQueue(limits)
        self.streams = Streams(limits.streams)
        self.store = Store(folder)
        self.tables = Tables(limits, self.searches, self.streams, self.store, self.run)
        self.preparation = Preparation(is_prepared)
        self.wrong_codes = RateLimit(*_WRONG_CODES)
        self.new_tables = RateLimit(*_NEW_TABLES)
        self.address: str | None = None
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="table")

    async def run(self, task: Callable[..., Result], *arguments: Any) -> Result:
        """Do what takes a moment, in a thread beside; it is done to its end in any case."""
        context = contextvars.copy_context()
        doing = asyncio.get_running_loop().run_in_executor(
            self._threads, context.run, task, *arguments
        )
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            await asyncio.wait([doing])
            raise

    def end_waiting(self) -> None:
        """Let nobody think any more, and nobody wait for news."""
        self.searches.close()
        self.streams.close()

    def close(self) -> None:
        """Close everything; what was decided is stored."""
        self.searches.close()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self.store.close()


def service_of(request: Request) -> Service:
    """What the endpoints of the server share."""
    service: Service = request.app.state.service
    return service


def browser_of(request: Request) -> str:
    """The browser that asks; a new one without its cookie, see `remembered`."""
    key = request.cookies.get(_COOKIE)
    if not key:
        key = request.scope.setdefault("new_key", secrets.token_urlsafe())
    return browser_id(key)


def remembered(request: Request, response: Response) -> Response:
    """Give a browser that has none yet the cookie by which it is known."""
    if key := request.scope.get("new_key"):
        response.set_cookie(
            _COOKIE,
            key,
            max_age=_COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
    return response


async def known_table_of(request: Request) -> Table | None:
    """The table that a request names, or else the one that its browser opened last."""
    tables = service_of(request).tables
    named = request.query_params.get("table")
    if named is None:
        return await tables.latest(browser_of(request)) if request.cookies.get(_COOKIE) else None
    table = await tables.find(named)
    if table is None:
        raise HTTPException(
            HTTPStatus.NOT_FOUND, "there is no such table; it may have been deleted, or forgotten"
        )
    return table


async def table_of(request: Request) -> Table:
    """The table that a request is about.

    Raises:
        HTTPException: There is none.
    """
    table = await known_table_of(request)
    if table is None:
        raise HTTPException(
            HTTPStatus.NOT_FOUND, "there is no game here; begin a new one, or load one"
        )
    return table


async def state_answer(
    request: Request, table: Table, layout: str, status: int = HTTPStatus.OK, **more: Any
) -> Response:
    """Show a browser where a table stands, as far as it may see that."""
    service, browser = service_of(request), browser_of(request)
    async with table.lock:
        shown = await service.run(game_view, table, browser, layout)
        about = table_view(table, browser, service.address)
        state = {"version": table.version, "game": shown, "table": about, **more}
    return answer(state, status)


def changing(
    change: Change, needed: Mapping[str, Kind], optional: Optional = MappingProxyType({})
) -> Endpoint:
    """An endpoint that changes a table and shows it afterwards.

    Args:
        change: Does it, for a browser, with what was asked.
        needed: The kind of each value that must be there; with a ``version`` the table must not
            have changed since.
        optional: The kind of each value that may be there, and what it is if it is not.
    """

    async def endpoint(request: Request) -> Response:
        layout, service = layout_of(request), service_of(request)
        asked = await body_of(request, needed, optional)
        table, browser = await table_of(request), browser_of(request)
        async with table.lock:
            if "version" in asked:
                table.check(asked["version"])
            before = table.version
            await service.run(change, table, browser, asked)
            if table.version != before:
                cancel_searches(service, table)
            await service.tables.save(table)
        return await state_answer(request, table, layout)

    return endpoint


def cancel_searches(service: Service, table: Table) -> None:
    """Call off what is thought about a table that has changed since."""
    service.searches.cancel(table.id)
    for browser in table.hinted:
        service.searches.cancel(browser)
    table.hinted.clear()


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """Do something as long as the browser waits for it."""
    doing, leaving = asyncio.create_task(work), asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise HTTPException(NOBODY_WAITS, GONE)
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()


async def ask_adviser(
    request: Request, agent: str, edition: str, think: Callable[[], Result]
) -> Thought[Result]:
    """Let an agent think for a browser: at once if it decides at once, else in the queue.

    Args:
        request: The request; a search is called off when nobody waits for it any more.
        agent: The agent's name.
        edition: The edition, for the name of the agent that the page shows meanwhile.
        think: What it does.
    """
    service = service_of(request)
    if service.choices.decides_at_once(agent):
        return Thought(await service.run(think), was_cut=False)
    adviser = display_name(agent, edition)
    search = service.searches.think(browser_of(request), adviser, think, is_replaceable=True)
    return await while_connected(request, search)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
