"""The table as a web page: a person plays any seat against any agents, in a browser.

It is made for one machine and the people at it. It listens on the loopback address unless it is
told otherwise; it answers only to its own address, so that no other website can reach it through
the browser; it loads no agent that was not offered when it started. Games are kept in memory, one
for each browser.
"""

import asyncio
import contextlib
import json
import logging
import os
import secrets
import socket
import time
import webbrowser
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prico_env.errors import IllegalActionError, PricoError
from prico_env.render.layout import LAYOUTS
from prico_training.errors import ConfigError
from prico_training.ui.choices import Choices, rule_set
from prico_training.ui.session import PERSON, USUAL_ADVISER, Session, SessionError
from prico_training.ui.transcripts import read_recorded
from prico_training.ui.views import analysis_view, game_view

PAGE: Final = Path(__file__).parent / "page"
"""The files of the page, which the server hands out as they are."""
PORT: Final = 8000
HOST: Final = "127.0.0.1"
MOST_BYTES: Final = 2_000_000
"""Longest body of a request; a record of a whole game has a twentieth of it."""
MOST_VISITORS: Final = 200
"""Browsers whose games are kept; the one that was away longest leaves first."""
ADVANCE_SECONDS: Final = 0.4
"""How long agents play on in one request, before the page is shown what happened."""
_COOKIE: Final = "prico_table"
_MOST_PORTS: Final = 65_536
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
_CONFLICT: Final = 409
_TOO_LARGE: Final = 413
_NO_JSON: Final = 415
_OUR_FAULT: Final = 500

_LOG: Final = logging.getLogger(__name__)

Kind = type | tuple[type, ...]
Endpoint = Callable[[Request], Awaitable[Response]]


class StaleError(SessionError):
    """The request was made looking at a table that has changed since."""


class Visitor:
    """A browser, and the game it plays.

    Attributes:
        session: Its game.
        lock: Held while something is done with the game, one thing at a time.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lock = asyncio.Lock()
        self._earlier = 0

    @property
    def version(self) -> int:
        """A number that is another one whenever the table has changed."""
        return self._earlier + self.session.changes

    def begin(self, session: Session) -> None:
        """Play another game."""
        self._earlier = self.version + 1
        self.session = session

    def check(self, version: int) -> None:
        """Refuse what was asked while looking at an older state of the table."""
        if version != self.version:
            raise StaleError(
                "the table has changed since this was asked, perhaps in another tab; "
                "nothing was done, look again"
            )


class Visitors:
    """All browsers that play, by the secret their cookie holds."""

    def __init__(self) -> None:
        self._visitors: OrderedDict[str, Visitor] = OrderedDict()

    def find(self, request: Request) -> Visitor | None:
        """Who asks, if they have a game here."""
        key = request.cookies.get(_COOKIE, "")
        if key not in self._visitors:
            return None
        self._visitors.move_to_end(key)
        return self._visitors[key]

    def add(self, session: Session) -> tuple[str, Visitor]:
        """Greet a browser that has no game yet; return its secret, too."""
        key, visitor = secrets.token_urlsafe(), Visitor(session)
        self._visitors[key] = visitor
        while len(self._visitors) > MOST_VISITORS:
            self._visitors.popitem(last=False)
        return key, visitor


def make_app(agents: Sequence[str] = (), host: str = HOST) -> Starlette:
    """Make the web application.

    Args:
        agents: Agents that may be named beside those that come along.
        host: The name or address it listens on, by which it may be called.

    Raises:
        AgentError: One of the agents cannot be found, or cannot be made.
    """
    routes = [
        Route("/", _page),
        Route("/api/choices", _choices),
        Route("/api/game", _game),
        Route("/api/new", _new, methods=["POST"]),
        Route("/api/act", _changing(_act, {"action": (int, str)}), methods=["POST"]),
        Route("/api/advance", _changing(_advance, {}, {"all": (bool, False)}), methods=["POST"]),
        Route("/api/undo", _changing(_undo), methods=["POST"]),
        Route("/api/hint", _hint),
        Route("/api/record", _record),
        Route("/api/load", _load, methods=["POST"]),
        Mount("/static", StaticFiles(directory=PAGE)),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(_SameOriginOnly, host=host)],
        exception_handlers={PricoError: _refused, HTTPException: _no_such_thing},
    )
    app.state.visitors = Visitors()
    app.state.choices = Choices(agents)
    return app


def serve(
    host: str = HOST, port: int = PORT, agents: Sequence[str] = (), open_browser: bool = False
) -> None:
    """Serve the page until Ctrl-C.

    Args:
        host: The name or address to listen on.
        port: The port; 0 takes one that is free.
        agents: Agents that may be named beside those that come along.
        open_browser: Whether to show the page in the browser at once.

    Raises:
        ConfigError: It cannot listen there.
        AgentError: One of the agents cannot be found, or cannot be made.
    """
    app = make_app(agents, host)
    with listen(host, port) as listener:
        address = f"http://{_in_url(host)}:{listener.getsockname()[1]}/"
        print(f"The table is at {address} (Ctrl-C closes it)", flush=True)
        if open_browser:
            webbrowser.open(address)
        with contextlib.suppress(KeyboardInterrupt):
            make_server(app).run(sockets=[listener])
        print("The table is closed.")


def make_server(app: Starlette) -> uvicorn.Server:
    """Return what speaks HTTP for the web application; its ``run`` takes sockets that listen."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            lifespan="off",
            ws="none",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )


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
    return _answer(request.app.state.choices.choices())


async def _game(request: Request) -> Response:
    layout, visitor = _layout(request), request.app.state.visitors.find(request)
    if visitor is None:
        return _answer({"version": 0, "game": None})
    async with visitor.lock:
        return _answer(await _state(visitor, layout))


async def _new(request: Request) -> Response:
    asked = await _body(
        request,
        {"edition": str, "players": list},
        {"expansions": (list, []), "board": (str, "draft"), "seed": (int, None)},
    )
    players = request.app.state.choices.check_players(_names(asked["players"]))
    return await _begin(request, lambda: Session(rule_set(asked), players, asked["seed"]))


async def _load(request: Request) -> Response:
    asked = await _body(request, {"record": str}, {"players": (list, None)})
    choices: Choices = request.app.state.choices

    def load() -> Session:
        recorded = read_recorded(asked["record"])
        if asked["players"] is not None:
            players = choices.check_players(_names(asked["players"]))
        else:
            players = [
                name if name == PERSON or choices.allows(name) else USUAL_ADVISER
                for name in recorded.players
            ]
            players = players or [PERSON, *[USUAL_ADVISER] * (recorded.rules.players - 1)]
        return Session.from_record(asked["record"], players)

    return await _begin(request, load)


def _act(session: Session, asked: Mapping[str, Any]) -> None:
    session.choose(asked["action"])


def _advance(session: Session, asked: Mapping[str, Any]) -> None:
    session.advance()
    until = time.monotonic() + ADVANCE_SECONDS
    while asked["all"] and time.monotonic() < until:
        if session.game.over or session.waits_for_person:
            break
        session.advance()


def _undo(session: Session, asked: Mapping[str, Any]) -> None:
    session.undo()


async def _hint(request: Request) -> Response:
    _layout(request)
    agent = request.query_params.get("agent", USUAL_ADVISER)
    request.app.state.choices.check(agent)
    visitor = _visitor(request)
    async with visitor.lock:
        analysis = await run_in_threadpool(visitor.session.hint, agent)
        shown = analysis_view(visitor.session, agent, analysis)
        return _answer({"version": visitor.version, "hint": shown})


async def _record(request: Request) -> Response:
    visitor = _visitor(request)
    async with visitor.lock:
        session = visitor.session
        rules = session.game.rules
        began = "position" if session.seed is None else f"seed{session.seed}"
        name = f"prico-{rules.edition}-{rules.players}p-{began}.jsonl"
        return Response(
            session.to_record(),
            media_type="application/x-ndjson",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


# -- how it is answered ----------------------------------------------------------------------------


def _changing(
    change: Callable[[Session, Mapping[str, Any]], None],
    needed: Mapping[str, Kind] = MappingProxyType({}),
    optional: Mapping[str, tuple[type, Any]] = MappingProxyType({}),
) -> Endpoint:
    """An endpoint that changes the game of who asks, and shows it afterwards; see `_body`."""

    async def endpoint(request: Request) -> Response:
        layout = _layout(request)
        asked = await _body(request, {"version": int, **needed}, optional)
        visitor = _visitor(request)
        async with visitor.lock:
            visitor.check(asked["version"])
            await run_in_threadpool(change, visitor.session, asked)
            return _answer(await _state(visitor, layout))

    return endpoint


async def _begin(request: Request, make: Callable[[], Session]) -> Response:
    """Answer with a game that has just begun, and make it that of who asks."""
    layout = _layout(request)
    session = await run_in_threadpool(make)
    visitors: Visitors = request.app.state.visitors
    visitor = visitors.find(request)
    if visitor is not None:
        async with visitor.lock:
            visitor.begin(session)
            return _answer(await _state(visitor, layout))
    key, visitor = visitors.add(session)
    response = _answer(await _state(visitor, layout))
    response.set_cookie(_COOKIE, key, httponly=True, samesite="strict")
    return response


async def _state(visitor: Visitor, layout: str) -> dict[str, Any]:
    shown = await run_in_threadpool(game_view, visitor.session, layout)
    return {"version": visitor.version, "game": shown}


def _answer(content: Mapping[str, Any], status: int = 200) -> Response:
    # Escaped, so that whatever a request named can be named back.
    return Response(json.dumps(content), status, media_type="application/json")


def _visitor(request: Request) -> Visitor:
    visitor: Visitor | None = request.app.state.visitors.find(request)
    if visitor is None:
        raise HTTPException(_NOT_FOUND, "there is no game here; begin a new one, or load one")
    return visitor


def _layout(request: Request) -> str:
    layout = request.query_params.get("layout", LAYOUTS[0])
    if layout not in LAYOUTS:
        raise PricoError(f"a board is drawn {' or '.join(LAYOUTS)}, not {layout!r}")
    return layout


def _names(names: Sequence[Any]) -> list[str]:
    if not all(isinstance(name, str) for name in names):
        raise PricoError(f"players are named by words, not as {names!r}")
    return list(names)


async def _body(
    request: Request, needed: Mapping[str, Kind], optional: Mapping[str, tuple[type, Any]]
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
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_BYTES:
            raise HTTPException(_TOO_LARGE, f"a request may have {MOST_BYTES:,} bytes at most")
    try:
        asked = json.loads(data)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise PricoError("what is sent here must be a JSON object")
    kinds = {**needed, **{name: kind for name, (kind, _) in optional.items()}}
    if strange := sorted(set(asked) - set(kinds)):
        raise PricoError(f"{strange[0]!r} is unknown here; there are {', '.join(kinds)}")
    if missing := [name for name in needed if name not in asked]:
        raise PricoError(f"{missing[0]!r} is missing")
    values = {name: usual for name, (_, usual) in optional.items()} | asked
    for name, value in asked.items():
        may_be_none = name in optional and optional[name][1] is None
        if not (_is_a(value, kinds[name]) or (value is None and may_be_none)):
            raise PricoError(f"{name!r} cannot be {json.dumps(value)[:80]}")
    return values


def _is_a(value: object, kind: Kind) -> bool:
    return isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)


async def _refused(request: Request, error: Exception) -> Response:
    """Say why something does not go; where the table is what forbids it, show the table."""
    if not isinstance(error, SessionError | IllegalActionError):
        return _answer({"error": str(error)}, _BAD_REQUEST)
    visitor = request.app.state.visitors.find(request)
    if visitor is None:
        return _answer({"error": str(error)}, _CONFLICT)
    async with visitor.lock:
        state = await _state(visitor, request.query_params.get("layout", LAYOUTS[0]))
    return _answer({"error": str(error), **state}, _CONFLICT)


async def _no_such_thing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {
        _NOT_FOUND: f"there is nothing at {request.url.path}",
        405: f"{request.method} does not go at {request.url.path}",
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
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        app, has_begun = self.app, False
        if not self._is_here(host):
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
