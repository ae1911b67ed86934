"""Tables as a web page: people play any seats against each other and any agents, in browsers.

It listens on the loopback address unless it is told otherwise; it answers only to its own names, so
that no other website can reach it through a browser; it loads no agent that was not offered when it
started. Tables are stored as they change (`store`), and go on when the server starts again.

What takes long is done elsewhere: searches in the queue of `thinking`, the rest in a few threads. A
table is locked only while something happens to it, never while somebody thinks about it.
"""

import asyncio
import contextlib
import os
import socket
import sys
import webbrowser
from collections.abc import Sequence
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from prico_env.errors import IllegalActionError, PricoError
from prico_training.errors import ConfigError, StorageError
from prico_training.machine import give_large_memory_back
from prico_training.ui import drafting, explaining, playing, seating
from prico_training.ui.admission import Admission, TooOftenError
from prico_training.ui.choices import shown
from prico_training.ui.events import NoStreamError
from prico_training.ui.languages import InLanguageAsked, messages
from prico_training.ui.limits import USUAL, Limits
from prico_training.ui.requests import answer, layout_of
from prico_training.ui.service import (
    Endpoint,
    Service,
    changing,
    known_table_of,
    service_of,
    state_answer,
)
from prico_training.ui.session import SessionError
from prico_training.ui.store import StoreError, data_folder
from prico_training.ui.study import Study, study_routes
from prico_training.ui.tables import NoRoomError, NotYoursError
from prico_training.ui.thinking import CalledOffError, QueueFullError

PAGE: Final = Path(__file__).parent / "page"
"""The files of the page, which the server hands out as they are."""
PORT: Final = 8000
HOST: Final = "127.0.0.1"
_LOOK_SECONDS: Final = 0.05
"""How often a request looks whether what it needs is compiled."""
_MOST_PORTS: Final = 65_536
_STATUS: Final[dict[type[Exception], int]] = {
    QueueFullError: HTTPStatus.SERVICE_UNAVAILABLE,
    NoRoomError: HTTPStatus.SERVICE_UNAVAILABLE,
    NoStreamError: HTTPStatus.SERVICE_UNAVAILABLE,
    NotYoursError: HTTPStatus.FORBIDDEN,
    TooOftenError: HTTPStatus.TOO_MANY_REQUESTS,
    StoreError: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""What is answered to what goes wrong, if it is not the request that is bad."""


def make_app(
    agents: Sequence[str] = (),
    host: str = HOST,
    limits: Limits = USUAL,
    names: Sequence[str] = (),
    data: Path | None = None,
    is_prepared: bool = True,
) -> Starlette:
    """Make the web application.

    Args:
        agents: Agents that may be named beside those that come along.
        host: The name or address it listens on, by which it may be called.
        limits: What each of those who play may use.
        names: Further names by which it may be called, such as that of a proxy before it.
        data: The folder where tables are stored; None keeps them in memory.
        is_prepared: Whether kernels are compiled when they are needed, not before.

    Raises:
        AgentError: One of the agents cannot be found, or cannot be made.
        ConfigError: What is stored cannot be read.
        StorageError: Nothing can be stored there.
    """
    act = changing(playing.act, {"version": int}, playing.DECISIONS)
    undo = changing(playing.undo, {"version": int})
    redo = changing(playing.redo, {"version": int})
    rename = changing(seating.rename, {"seat": int, "name": str})
    pause = changing(seating.pause, {"paused": bool})
    consent = changing(seating.consent, {"version": int, "accept": bool})
    gets: dict[str, Endpoint] = {
        "choices": playing.choices,
        "game": playing.game,
        "hint": playing.hint,
        "card": explaining.explained,
        "thinking": playing.thinking,
        "record": playing.record,
        "tables": seating.tables,
        "invitation": seating.invitation,
        "events": seating.events,
    }
    posts: dict[str, Endpoint] = {
        "new": seating.new,
        "load": seating.load,
        "act": act,
        "advance": playing.advance,
        "undo": undo,
        "redo": redo,
        "draft": drafting.arrange,
        "suggest": drafting.suggest,
        "consent": consent,
        "cancel": playing.cancel,
        "join": seating.join,
        "seat": seating.seat,
        "name": rename,
        "pause": pause,
        "leave": seating.leave,
    }
    routes = [
        *(Route(path, _page) for path in ("/", "/table/{table}", "/join/{code}")),
        Route("/how-to-play", explaining.how_to_play_page),
        Route("/api/ready", seating.ready),
        Route("/api/messages", messages),
        *(Route(f"/api/{name}", _when_ready(endpoint)) for name, endpoint in gets.items()),
        *(
            Route(f"/api/{name}", _when_ready(endpoint), methods=["POST"])
            for name, endpoint in posts.items()
        ),
        *study_routes(_when_ready),
        Mount("/static", StaticFiles(directory=PAGE)),
    ]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Admission, names=[host, *names], limits=limits),
            Middleware(InLanguageAsked),
        ],
        exception_handlers={PricoError: _refused, HTTPException: _no_such_thing},
    )
    app.state.study = Study()
    app.state.service = Service(agents, limits, data, is_prepared)
    return app


def serve(  # noqa: PLR0913
    host: str = HOST,
    port: int = PORT,
    agents: Sequence[str] = (),
    open_browser: bool = False,
    limits: Limits = USUAL,
    names: Sequence[str] = (),
    data: Path | None = None,
    proxy: str | None = None,
) -> None:
    """Serve the page until Ctrl-C.

    Args:
        host: The name or address to listen on.
        port: The port; 0 takes one that is free.
        agents: Agents that may be named beside those that come along.
        open_browser: Whether to show the page in the browser at once.
        limits: What each of those who play may use.
        names: Further names by which it may be called; links of seats have the first one.
        data: The folder where tables are stored; None keeps them in memory.
        proxy: The address of a proxy that says whom it asks for, by ``X-Forwarded-For``.

    Raises:
        ConfigError: It cannot listen there, or what is stored cannot be read.
        AgentError: One of the agents cannot be found, or cannot be made.
        StorageError: Nothing can be stored there.
    """
    give_large_memory_back()
    own = [] if _is_loopback(host) else _names_of_this_machine()
    app = make_app(agents, host, limits, [*names, *own], data, is_prepared=False)
    service: Service = app.state.service
    with listen(host, port) as listener:
        port = listener.getsockname()[1]
        address = f"http://{_in_url(_reachable(host))}:{port}/"
        others = _address_for_others(host, port, names, proxy)
        service.address = others
        print(f"The table is at {address} (Ctrl-C closes it)", flush=True)
        if others:
            print(f"Others reach it at {others}/", flush=True)
        service.preparation.start()
        if open_browser:
            webbrowser.open(address)
        with contextlib.suppress(KeyboardInterrupt):
            make_server(app, proxy).run(sockets=[listener])
        service.close()
        print("The table is closed.")


def usual_data_folder() -> Path | None:
    """Return the folder where tables of this user are stored, made if need be.

    None, with a line on the terminal, where there can be none.
    """
    folder = data_folder()
    try:
        if folder is None:
            raise OSError("this user has no home")
        folder.mkdir(0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise OSError(f"{folder} cannot be written to")
    except OSError as error:
        print(
            f"prico: tables end with this program, since nothing can be stored: {error}",
            file=sys.stderr,
            flush=True,
        )
        return None
    return folder


def named_data_folder(folder: Path) -> Path:
    """Return a folder that was named, made if need be.

    Raises:
        StorageError: It cannot be made.
    """
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"--data {folder}: {error.strerror or error}") from None
    return folder


def make_server(app: Starlette, proxy: str | None = None) -> uvicorn.Server:
    """Return what speaks HTTP for the web application; its ``run`` takes sockets that listen."""
    return _Server(
        uvicorn.Config(
            app,
            http="h11",  # which bounds the head of a request
            log_level="warning",
            lifespan="off",
            ws="none",
            proxy_headers=proxy is not None,
            forwarded_allow_ips=proxy,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )


class _Server(uvicorn.Server):
    """A server that lets no agent think on, and nobody wait for news, once it is to close."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close, and answer those who wait."""
        app: Any = self.config.app
        app.state.service.end_waiting()
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


# -- where it is -----------------------------------------------------------------------------------


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _reachable(host: str) -> str:
    """The address by which this machine itself reaches what listens on one."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not address.is_unspecified:
        return host
    return "127.0.0.1" if address.version == 4 else "::1"  # noqa: PLR2004


def _names_of_this_machine() -> list[str]:
    """The names that its own network has for this machine; nobody outside can give them."""
    name = socket.gethostname().partition(".")[0]
    return [socket.gethostname(), name, f"{name}.local"]


def _address_for_others(
    host: str, port: int, names: Sequence[str], proxy: str | None
) -> str | None:
    """Where people on other machines reach the server; None where they do not."""
    if proxy is not None and names:
        return f"https://{_in_url(names[0])}"
    if _is_loopback(host):
        return None
    if names:
        return f"http://{_in_url(names[0])}:{port}"
    if _reachable(host) == host:
        return f"http://{_in_url(host)}:{port}"
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("192.0.2.1", 9))  # sends nothing; the system says from where it would
        return f"http://{asked.getsockname()[0]}:{port}"
    return None


def _in_url(host: str) -> str:
    """A host as it stands in an address: numbers of version 6 in brackets."""
    return f"[{host}]" if ":" in host else host


# -- what is answered ------------------------------------------------------------------------------


async def _page(request: Request) -> Response:
    return FileResponse(PAGE / "play.html")


def _when_ready(endpoint: Endpoint) -> Endpoint:
    """An endpoint that answers when what a game needs is compiled."""

    async def waiting(request: Request) -> Response:
        while not service_of(request).preparation.is_over:
            await asyncio.sleep(_LOOK_SECONDS)
        return await endpoint(request)

    return waiting


async def _refused(request: Request, error: Exception) -> Response:
    """Say why something does not go; where the table is what forbids it, show the table."""
    words = {"error": str(error)}
    if status := _STATUS.get(type(error)):
        return answer(words, status)
    if not isinstance(error, SessionError | IllegalActionError):
        return answer(words, HTTPStatus.BAD_REQUEST)
    table = await known_table_of(request)
    if table is None:
        return answer(words, HTTPStatus.CONFLICT)
    is_off = isinstance(error, CalledOffError)
    return await state_answer(
        request, table, layout_of(request), HTTPStatus.CONFLICT, called_off=is_off, **words
    )


async def _no_such_thing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words: dict[int, str] = {
        HTTPStatus.NOT_FOUND: f"there is nothing at {shown(request.url.path)}",
        HTTPStatus.METHOD_NOT_ALLOWED: (
            f"{request.method} does not go at {shown(request.url.path)}"
        ),
    }
    is_ours = error.detail[:1].islower()
    said = error.detail if is_ours else words.get(error.status_code, error.detail)
    response = answer({"error": said}, error.status_code)
    response.headers.update(error.headers or {})
    return response
