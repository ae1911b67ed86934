"""The table as a web page: a person plays any seat against any agents, in a browser.

It is made for one machine and the people at it. It listens on the loopback address unless it is
told otherwise; it answers only to its own address, so that no other website can reach it through
the browser; it loads no agent that was not offered when it started. Games are kept in memory, one
for each browser, until nobody has asked for them for long.

What takes long is done elsewhere: searches in the queue of `thinking`, the rest in a few threads. A
game is locked only while something happens to it, never while somebody thinks about it.
"""

import asyncio
import contextlib
import json
import logging
import os
import socket
import time
import webbrowser
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prico_env.errors import IllegalActionError, PricoError
from prico_env.render.layout import LAYOUTS
from prico_training.errors import ConfigError
from prico_training.machine import give_large_memory_back
from prico_training.ui.choices import Choices, rule_set, shown
from prico_training.ui.limits import USUAL, Limits
from prico_training.ui.session import PERSON, USUAL_ADVISER, Question, Session, SessionError
from prico_training.ui.thinking import CalledOffError, QueueFullError, SearchQueue, Thought
from prico_training.ui.transcripts import read_recorded
from prico_training.ui.views import analysis_view, game_view, progress_view
from prico_training.ui.visitors import NoRoomError, Visitor, Visitors

PAGE: Final = Path(__file__).parent / "page"
"""The files of the page, which the server hands out as they are."""
PORT: Final = 8000
HOST: Final = "127.0.0.1"
MOST_BYTES: Final = 2_000_000
"""Longest body of a request; a record of a whole game has a twentieth of it."""
MOST_HEADER_BYTES: Final = 16_384
"""Longest head of a request, cookies included."""
BODY_SECONDS: Final = 30.0
"""How long a request may take to arrive."""
MOST_HINTS: Final = 200
"""Hints of a game that are kept for its record; the oldest goes first."""
ADVANCE_SECONDS: Final = 0.4
"""How long agents play on in one request, before the page is shown what happened."""
_THREADS: Final = 4
"""Threads for what takes a moment; many would only wait for each other."""
_GONE: Final = "the browser has gone away meanwhile"
_COOKIE: Final = "prico_table"
_MOST_PORTS: Final = 65_536
_DECISIONS: Final[Mapping[str, tuple["Kind", Any]]] = {
    "action": ((int, str), None),
    "actions": (list, None),
}
"""One decision, or several that are made as one."""
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_BAD_REQUEST: Final = 400
_FORBIDDEN: Final = 403
_NOT_FOUND: Final = 404
_TOO_SLOW: Final = 408
_CONFLICT: Final = 409
_TOO_LARGE: Final = 413
_NO_JSON: Final = 415
_LONG_HEAD: Final = 431
_NOBODY_WAITS: Final = 499
_OUR_FAULT: Final = 500
_FULL: Final = 503

_LOG: Final = logging.getLogger(__name__)

Result = TypeVar("Result")
Kind = type | tuple[type, ...]
Endpoint = Callable[[Request], Awaitable[Response]]


class Table:
    """What the endpoints of one server share.

    Attributes:
        choices: What may be chosen for a game.
        searches: The queue of searches.
        visitors: Who plays.
    """

    def __init__(self, agents: Sequence[str], limits: Limits) -> None:
        """Open it; see `make_app`."""
        self.choices = Choices(agents, limits.simulations)
        self.searches = SearchQueue(limits)
        self.visitors = Visitors(limits, self.searches)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="table")

    async def run(self, task: Callable[..., Result], *arguments: Any) -> Result:
        """Do what takes a moment, in a thread beside; it is done to its end in any case."""
        doing = asyncio.get_running_loop().run_in_executor(self._threads, task, *arguments)
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            await asyncio.wait([doing])
            raise

    def close(self) -> None:
        """Let nobody think any more."""
        self.searches.close()
        self._threads.shutdown(wait=False, cancel_futures=True)


def make_app(agents: Sequence[str] = (), host: str = HOST, limits: Limits = USUAL) -> Starlette:
    """Make the web application.

    Args:
        agents: Agents that may be named beside those that come along.
        host: The name or address it listens on, by which it may be called.
        limits: What each of those who play may use.

    Raises:
        AgentError: One of the agents cannot be found, or cannot be made.
    """
    routes = [
        Route("/", _page),
        Route("/api/choices", _choices),
        Route("/api/game", _game),
        Route("/api/new", _new, methods=["POST"]),
        Route("/api/act", _changing(_act, {}, _DECISIONS), methods=["POST"]),
        Route("/api/advance", _advance, methods=["POST"]),
        Route("/api/undo", _changing(_undo), methods=["POST"]),
        Route("/api/redo", _changing(_redo), methods=["POST"]),
        Route("/api/hint", _hint),
        Route("/api/thinking", _thinking),
        Route("/api/cancel", _cancel, methods=["POST"]),
        Route("/api/record", _record),
        Route("/api/load", _load, methods=["POST"]),
        Mount("/static", StaticFiles(directory=PAGE)),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(_SameOriginOnly, host=host)],
        exception_handlers={PricoError: _refused, HTTPException: _no_such_thing},
    )
    app.state.table = Table(agents, limits)
    return app


def serve(
    host: str = HOST,
    port: int = PORT,
    agents: Sequence[str] = (),
    open_browser: bool = False,
    limits: Limits = USUAL,
) -> None:
    """Serve the page until Ctrl-C.

    Args:
        host: The name or address to listen on.
        port: The port; 0 takes one that is free.
        agents: Agents that may be named beside those that come along.
        open_browser: Whether to show the page in the browser at once.
        limits: What each of those who play may use.

    Raises:
        ConfigError: It cannot listen there.
        AgentError: One of the agents cannot be found, or cannot be made.
    """
    give_large_memory_back()
    app = make_app(agents, host, limits)
    with listen(host, port) as listener:
        address = f"http://{_in_url(host)}:{listener.getsockname()[1]}/"
        print(f"The table is at {address} (Ctrl-C closes it)", flush=True)
        if open_browser:
            webbrowser.open(address)
        with contextlib.suppress(KeyboardInterrupt):
            make_server(app).run(sockets=[listener])
        app.state.table.close()
        print("The table is closed.")


def make_server(app: Starlette) -> uvicorn.Server:
    """Return what speaks HTTP for the web application; its ``run`` takes sockets that listen."""
    return _Server(
        uvicorn.Config(
            app,
            http="h11",  # which bounds the head of a request
            log_level="warning",
            lifespan="off",
            ws="none",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )


class _Server(uvicorn.Server):
    """A server that lets no agent think on once it is told to close."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close, and answer those who wait for an agent."""
        app: Any = self.config.app
        app.state.table.searches.close()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        ConfigError: The port is taken, or there is no such address here.
    """
    if not 0 <= port < _MOST_PORTS:
        raise ConfigError(f"--port {port}: ports run from 0 to {_MOST_PORTS - 1}")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
    except (OSError, UnicodeError):
        raise ConfigError(
            f"--host {host}: there is no such address; {HOST} is reached from this machine alone, "
            "0.0.0.0 from its network too"
        ) from None
    try:
        if os.name == "posix":  # elsewhere it would share a port that is taken
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        raise ConfigError(
            f"port {port} of {host} cannot be used: {(error.strerror or str(error)).lower()}; "
            "choose another with --port, or --port 0 for any that is free"
        ) from None
    return listener


# -- what can be asked -----------------------------------------------------------------------------


async def _page(request: Request) -> Response:
    return FileResponse(PAGE / "play.html")


async def _choices(request: Request) -> Response:
    return _answer(_table(request).choices.choices())


async def _game(request: Request) -> Response:
    layout, visitor = _layout(request), _known_visitor(request)
    if visitor is None:
        return _answer({"version": 0, "game": None})
    return await _state_answer(request, visitor, layout)


async def _new(request: Request) -> Response:
    asked = await _body(
        request,
        {"edition": str, "players": list},
        {
            "expansions": (list, []),
            "board": (str, "draft"),
            "seed": (int, None),
            "names": (list, None),
        },
    )
    players = _table(request).choices.check_players(_names(asked["players"]))
    return await _begin(
        request, lambda: Session(rule_set(asked), players, asked["seed"], asked["names"])
    )


async def _load(request: Request) -> Response:
    asked = await _body(request, {"record": str}, {"players": (list, None), "names": (list, None)})
    choices = _table(request).choices

    def load() -> Session:
        recorded, players, names = read_recorded(asked["record"]), None, asked["names"]
        if asked["players"] is not None:
            players = choices.check_players(_names(asked["players"]))
        elif not recorded.players:
            players = [PERSON, *[USUAL_ADVISER] * (recorded.rules.players - 1)]
        return Session.from_record(asked["record"], players, names, choices.players_of_record)

    return await _begin(request, load)


def _act(session: Session, asked: Mapping[str, Any]) -> None:
    """Make one decision, or several as one."""
    action, actions = asked["action"], asked["actions"]
    if action is not None and actions is not None:
        raise PricoError("there is one 'action' or there are 'actions', not both")
    if actions is not None:
        session.choose_all(actions)
    elif action is not None:
        session.choose(action)
    else:
        raise PricoError("'action' is missing; or 'actions', for several as one")


def _undo(session: Session, asked: Mapping[str, Any]) -> None:
    session.undo()


def _redo(session: Session, asked: Mapping[str, Any]) -> None:
    session.redo()


async def _advance(request: Request) -> Response:
    """Let agents play on: one decision, or many for as long as a page may wait for news."""
    layout = _layout(request)
    asked = await _body(request, {"version": int}, {"all": (bool, False)})
    table, visitor = _table(request), _visitor(request)
    until = time.monotonic() + (ADVANCE_SECONDS if asked["all"] else 0)
    await _while_connected(request, _play_on(table, visitor, asked["version"], until))
    return await _state_answer(request, visitor, layout)


async def _play_on(table: Table, visitor: Visitor, version: int, until: float) -> None:
    """Let agents make a decision, and more until the time is over or a person has to decide."""
    goes_on = True
    while goes_on:
        async with visitor.lock:
            visitor.check(version)
            session = visitor.session
            question = await table.run(_play_at_once, session, table.choices, until)
            if visitor.version != version:
                table.searches.cancel(visitor)  # a hint about what stood here before
            version = visitor.version
        if question is None:
            return
        agent = session.players[question.seat]
        thought = await table.searches.think(visitor, agent, question.decide)
        async with visitor.lock:
            visitor.check(version)
            await table.run(session.carry_out, question, thought.result)
            version = visitor.version
            goes_on = _may_play_on(session, until)


def _play_at_once(session: Session, choices: Choices, until: float) -> Question | None:
    """Let agents play on that decide at once; return the turn of the first one that does not."""
    goes_on = True
    while goes_on:
        if not choices.decides_at_once(session.players[session.seat_to_act]):
            return session.ask_turn()
        session.advance()
        goes_on = _may_play_on(session, until)
    return None


def _may_play_on(session: Session, until: float) -> bool:
    """Whether it is an agent's turn and there is time left."""
    return not (time.monotonic() >= until or session.game.over or session.waits_for_person)


async def _hint(request: Request) -> Response:
    _layout(request)
    agent = request.query_params.get("agent", USUAL_ADVISER)
    table = _table(request)
    table.choices.check(agent)
    visitor = _visitor(request)
    async with visitor.lock:
        session, version = visitor.session, visitor.version
        question = session.ask_hint(agent)
    if table.choices.decides_at_once(agent):
        thought = Thought(await table.run(question.analyse), was_cut=False)
    else:
        search = table.searches.think(visitor, agent, question.analyse, is_replaceable=True)
        thought = await _while_connected(request, search)
    async with visitor.lock:
        visitor.check(version)
        session.analyses[question.place] = thought.result
        while len(session.analyses) > MOST_HINTS:
            del session.analyses[min(session.analyses)]
        return _answer({"version": version, "hint": analysis_view(session, agent, thought)})


async def _thinking(request: Request) -> Response:
    """How far the search is that a visitor waits for."""
    visitor = _visitor(request)
    progress = _table(request).searches.progress(visitor)
    return _answer({"thinking": progress and progress_view(visitor.session, progress)})


async def _cancel(request: Request) -> Response:
    await _body(request, {}, {})
    return _answer({"cancelled": _table(request).searches.cancel(_visitor(request))})


async def _record(request: Request) -> Response:
    visitor = _visitor(request)
    async with visitor.lock:
        session = visitor.session
        rules = session.game.rules
        began = "position" if session.seed is None else f"seed{session.seed}"
        name = f"prico-{rules.edition}-{rules.players}p-{began}.jsonl"
        return Response(
            await _table(request).run(session.to_record),
            media_type="application/x-ndjson",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


# -- how it is answered ----------------------------------------------------------------------------


def _changing(
    change: Callable[[Session, Mapping[str, Any]], None],
    needed: Mapping[str, Kind] = MappingProxyType({}),
    optional: Mapping[str, tuple[Kind, Any]] = MappingProxyType({}),
) -> Endpoint:
    """An endpoint that changes the game of who asks, and shows it afterwards; see `_body`."""

    async def endpoint(request: Request) -> Response:
        layout = _layout(request)
        asked = await _body(request, {"version": int, **needed}, optional)
        visitor = _visitor(request)
        async with visitor.lock:
            visitor.check(asked["version"])
            await _table(request).run(change, visitor.session, asked)
            _table(request).searches.cancel(visitor)
        return await _state_answer(request, visitor, layout)

    return endpoint


async def _begin(request: Request, make: Callable[[], Session]) -> Response:
    """Answer with a game that has just begun, and make it that of who asks."""
    layout, table = _layout(request), _table(request)
    session = await table.run(make)
    visitor = _known_visitor(request)
    if visitor is not None:
        async with visitor.lock:
            visitor.begin(session)
            table.searches.cancel(visitor)
        return await _state_answer(request, visitor, layout)
    key, visitor = table.visitors.add(session)
    response = await _state_answer(request, visitor, layout)
    response.set_cookie(_COOKIE, key, httponly=True, samesite="strict")
    return response


async def _state_answer(
    request: Request, visitor: Visitor, layout: str, status: int = 200, **more: Any
) -> Response:
    """Show a visitor where the game stands."""
    async with visitor.lock:
        shown = await _table(request).run(game_view, visitor.session, layout)
        return _answer({"version": visitor.version, "game": shown, **more}, status)


async def _while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """Do something as long as the browser waits for it."""
    doing, leaving = asyncio.create_task(work), asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise HTTPException(_NOBODY_WAITS, _GONE)
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _table(request: Request) -> Table:
    table: Table = request.app.state.table
    return table


def _answer(content: Mapping[str, Any], status: int = 200) -> Response:
    # Escaped, so that whatever a request named can be named back.
    return Response(json.dumps(content), status, media_type="application/json")


def _known_visitor(request: Request) -> Visitor | None:
    """Who asks, if they have a game here."""
    return _table(request).visitors.find(request.cookies.get(_COOKIE, ""))


def _visitor(request: Request) -> Visitor:
    visitor = _known_visitor(request)
    if visitor is None:
        raise HTTPException(_NOT_FOUND, "there is no game here; begin a new one, or load one")
    return visitor


def _layout(request: Request) -> str:
    layout = request.query_params.get("layout", LAYOUTS[0])
    if layout not in LAYOUTS:
        raise PricoError(f"a board is drawn {' or '.join(LAYOUTS)}, not {shown(layout)}")
    return layout


def _names(names: Sequence[Any]) -> list[str]:
    if not all(isinstance(name, str) for name in names):
        raise PricoError(f"players are named by words, not as {shown(names)}")
    return list(names)


async def _body(
    request: Request, needed: Mapping[str, Kind], optional: Mapping[str, tuple[Kind, Any]]
) -> dict[str, Any]:
    """Read the JSON object that came with a request.

    Args:
        request: The request.
        needed: The kind of each value that must be there.
        optional: The kind of each value that may be there, and what it is if it is not.

    Raises:
        HTTPException: It is too long, or no JSON.
        PricoError: Something is missing, unknown, or of another kind.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(_NO_JSON, "what is sent here must be JSON, Content-Type included")
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                data += chunk
                if len(data) > MOST_BYTES:
                    raise HTTPException(
                        _TOO_LARGE, f"a request may have {MOST_BYTES:,} bytes at most"
                    )
    except ClientDisconnect:
        raise HTTPException(_NOBODY_WAITS, _GONE) from None
    except TimeoutError:
        raise HTTPException(
            _TOO_SLOW, f"a request may take {BODY_SECONDS:.0f} seconds to arrive"
        ) from None
    try:
        asked = json.loads(data)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise PricoError("what is sent here must be a JSON object")
    kinds = {**needed, **{name: kind for name, (kind, _) in optional.items()}}
    if strange := sorted(set(asked) - set(kinds)):
        raise PricoError(
            f"{shown(strange[0])} is unknown here; "
            + (f"there are {', '.join(kinds)}" if kinds else "nothing more can be said")
        )
    if missing := [name for name in needed if name not in asked]:
        raise PricoError(f"{missing[0]!r} is missing")
    values = {name: usual for name, (_, usual) in optional.items()} | asked
    for name, value in asked.items():
        may_be_none = name in optional and optional[name][1] is None
        if not (_is_a(value, kinds[name]) or (value is None and may_be_none)):
            raise PricoError(f"{name!r} cannot be {_as_json(value)}")
    return values


def _as_json(value: object) -> str:
    """A value as it was sent, short enough for a line."""
    simple = value is None or isinstance(value, bool | int | float | str)
    return json.dumps(value)[:80] if simple else shown(value)


def _is_a(value: object, kind: Kind) -> bool:
    return isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)


async def _refused(request: Request, error: Exception) -> Response:
    """Say why something does not go; where the table is what forbids it, show the table."""
    if isinstance(error, QueueFullError | NoRoomError):
        return _answer({"error": str(error)}, _FULL)
    if not isinstance(error, SessionError | IllegalActionError):
        return _answer({"error": str(error)}, _BAD_REQUEST)
    visitor = _known_visitor(request)
    if visitor is None:
        return _answer({"error": str(error)}, _CONFLICT)
    return await _state_answer(
        request,
        visitor,
        _layout(request),
        _CONFLICT,
        error=str(error),
        called_off=isinstance(error, CalledOffError),
    )


async def _no_such_thing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {
        _NOT_FOUND: f"there is nothing at {shown(request.url.path)}",
        405: f"{request.method} does not go at {shown(request.url.path)}",
    }
    is_ours = error.detail[:1].islower()
    said = error.detail if is_ours else words.get(error.status_code, error.detail)
    response = _answer({"error": said}, error.status_code)
    response.headers.update(error.headers or {})
    return response


class _SameOriginOnly:
    """Answers only who calls the table by its own address, and lets no other website in.

    It also owns up to mistakes of the program or of an agent; the terminal shows where they were.

    A website on another machine can make a browser send requests here, and can give this machine's
    address a name of its own. The browser tells both: by the headers `Origin` and `Host`.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app = app
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # The files are small: whoever asks for a range of one is given it whole.
        kept = [field for field in scope["headers"] if field[0] != b"range"]
        headers = Headers(scope=(scope := {**scope, "headers": kept}))
        host, origin = headers.get("host", ""), headers.get("origin")
        app, has_begun = self.app, False
        head = sum(len(name) + len(value) for name, value in scope["headers"])
        if head + len(scope["raw_path"]) + len(scope["query_string"]) > MOST_HEADER_BYTES:
            app = _answer(
                {"error": f"the head of a request may have {MOST_HEADER_BYTES:,} bytes at most"},
                _LONG_HEAD,
            )
        elif not self._is_here(host):
            app = _answer({"error": "this table is not known by that name"}, _FORBIDDEN)
        elif origin not in (None, f"http://{host}"):
            app = _answer({"error": "other websites may not ask here"}, _FORBIDDEN)

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        try:
            await app(scope, receive, send_with_headers)
        except Exception as error:
            if has_begun:
                raise
            _LOG.exception("%s %s failed", scope["method"], scope["path"])
            said = f"something went wrong ({type(error).__name__}); the terminal says more"
            await _answer({"error": said}, _OUR_FAULT)(scope, receive, send_with_headers)

    def _is_here(self, host: str) -> bool:
        """Whether a `Host` is this machine: nobody else can give an address for a name."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in ("localhost", self._host.lower()) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _in_url(host: str) -> str:
    """A host as it stands in an address: numbers of version 6 in brackets."""
    return f"[{host}]" if ":" in host else host
