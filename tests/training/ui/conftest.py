"""A server for each module of tests, clients before it, and real browsers."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.training.ui.browsers import CHROMIUM, NAMES, drive_browsers, open_browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a server is reached that the tests of a module share."""
    from tests.training.ui.serving import served

    with served() as address:
        yield address


@pytest.fixture
def visit(address: str) -> Iterator[Callable[..., Any]]:
    """Opens clients before the server of this module, or before another one."""
    import httpx

    with contextlib.ExitStack() as clients:
        yield lambda other=None: clients.enter_context(
            httpx.Client(base_url=other or address, timeout=60)
        )


@pytest.fixture(scope="session")
def browsers() -> Iterator["_Opened"]:
    """The browsers that have been asked for, by name."""
    pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with drive_browsers() as playwright:
        opened = _Opened(playwright)
        yield opened
        for browser in opened.values():
            browser.close()


@pytest.fixture(scope="session")
def chromium(browsers: "_Opened") -> Any:
    """The Chromium of this machine; skips where there is none, or nothing that drives it."""
    return browsers[CHROMIUM]


@pytest.fixture(scope="session", params=NAMES)
def any_browser(request: pytest.FixtureRequest, browsers: "_Opened") -> Any:
    """Each browser of this machine in turn; skips those that are not here."""
    return browsers[request.param]


class _Opened(dict[str, Any]):
    """Browsers by name, each opened when it is asked for."""

    def __init__(self, playwright: Any) -> None:
        self._playwright = playwright

    def __missing__(self, name: str) -> Any:
        browser = open_browser(self._playwright, name)
        if browser is None:
            pytest.skip(f"there is no {name.capitalize()} here")
        self[name] = browser
        return browser
