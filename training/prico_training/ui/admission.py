"""Who may ask the server, and how often: its own pages by its own names, no address too much."""

import logging
import time
from collections import OrderedDict
from collections.abc import Iterable
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prico_env.errors import PricoError
from prico_training.ui.limits import Limits
from prico_training.ui.requests import answer

MOST_HEADER_BYTES: Final = 16_384
"""Longest head of a request, cookies included."""
_MOST_ADDRESSES: Final = 10_000
"""Addresses that are remembered; one that has not asked for long comes in place of none."""
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_NEIGHBOURS: Final = 64
"""The part of an IPv6 address that one customer of a provider has for themselves, in bits."""
_LOG: Final = logging.getLogger(__name__)


class TooOftenError(PricoError):
    """An address has asked for something too often."""


class RateLimit:
    """A token bucket for each address: so often at once, and then again with time."""

    def __init__(self, burst: float, per_second: float) -> None:
        """Begin with full buckets.

        Args:
            burst: How often an address may ask at once.
            per_second: How often it may ask in the long run.
        """
        self._burst = burst
        self._per_second = per_second
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Whether an address has anything left."""
        return self._left(address, time.monotonic()) >= 1

    def take(self, address: str) -> bool:
        """Take one from an address; return whether it had one."""
        now = time.monotonic()
        left = self._left(address, now)
        self._buckets[address] = max(0.0, left - 1), now
        self._buckets.move_to_end(address)
        if len(self._buckets) > _MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return left >= 1

    def _left(self, address: str, now: float) -> float:
        left, then = self._buckets.get(address, (self._burst, now))
        return min(self._burst, left + (now - then) * self._per_second)


def address_of(request: Request) -> str:
    """Where a request comes from, as far as one person may have it for themselves."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ip_network((address, _NEIGHBOURS), strict=False))
    return host


def is_of_this_machine(address: str) -> bool:
    """Whether an address, as `address_of` says it, is this machine's own."""
    try:
        return ip_network(address).is_loopback
    except ValueError:
        return address in ("", "testclient")


class Admission:
    """Answers only who calls the server by its own names, lets no other website in, and no flood.

    It also owns up to mistakes of the program or of an agent; the terminal shows where they were.

    A website on another machine can make a browser send requests here, and can give this machine's
    address a name of its own. The browser tells both: by the headers `Origin` and `Host`. Numeric
    addresses are nobody's to give, so they are let in; names only if they are known to be ours.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], limits: Limits) -> None:
        """Stand before an application.

        Args:
            app: What answers.
            names: Names by which the server may be called, beside ``localhost`` and addresses.
            limits: How often an address may ask.
        """
        self.app = app
        self._names = {"localhost", *(name.lower() for name in names)}
        self._requests = RateLimit(20 * limits.requests, limits.requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # The files are small: whoever asks for a range of one is given it whole.
        kept = [field for field in scope["headers"] if field[0] != b"range"]
        scope = {**scope, "headers": kept}
        app, has_begun = self._refusal(scope) or self.app, False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await app(scope, receive, send_with_headers)
        except Exception as error:
            if has_begun:
                raise
            _LOG.exception("%s %s failed", scope["method"], scope["path"])
            said = f"something went wrong ({type(error).__name__}); the terminal says more"
            failed = answer({"error": said}, HTTPStatus.INTERNAL_SERVER_ERROR)
            await failed(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Any:
        """What is answered to a request that is not let in; None for one that is."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        head = sum(len(name) + len(value) for name, value in scope["headers"])
        if head + len(scope["raw_path"]) + len(scope["query_string"]) > MOST_HEADER_BYTES:
            words = f"the head of a request may have {MOST_HEADER_BYTES:,} bytes at most"
            return answer({"error": words}, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if not self._is_here(host):
            words = (
                "this table is not known by that name; it is by its address, and by names that "
                "`prico serve --name` gives it"
            )
            return answer({"error": words}, HTTPStatus.FORBIDDEN)
        if origin not in (None, f"http://{host}", f"https://{host}"):
            return answer({"error": "other websites may not ask here"}, HTTPStatus.FORBIDDEN)
        address = address_of(Request(scope))
        if not is_of_this_machine(address) and not self._requests.take(address):
            words = "too much was asked from this address in a short time; ask again in a while"
            refused = answer({"error": words}, HTTPStatus.TOO_MANY_REQUESTS)
            refused.headers["Retry-After"] = "5"
            return refused
        return None

    def _is_here(self, host: str) -> bool:
        """Whether a `Host` is this machine: nobody else can give an address for a name."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
