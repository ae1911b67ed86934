"""The browsers of this machine that something drives: its Chromium, and a Firefox of playwright.

Playwright drives a Firefox that it has built itself: ``playwright install firefox`` gets it.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

CHROMIUM: Final = "chromium"
FIREFOX: Final = "firefox"
NAMES: Final = (CHROMIUM, FIREFOX)
"""The browsers that pages are tried in, each where it is there."""

_COMMANDS: Final = ("chromium", "chromium-browser", "google-chrome")
"""What the command of Chromium may be called; the variable PRICO_CHROMIUM names another."""
_DRAWN: Final = """
() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
"""
"""Is done when the page has drawn once more: what watches sizes is told when a frame is drawn."""
_ARGUMENTS: Final = {
    CHROMIUM: (
        "--no-sandbox", "--no-first-run", "--disable-quic", "--disable-gpu",
        "--disable-background-networking", "--disable-component-update",
    ),
    FIREFOX: (),
}  # fmt: skip


@contextlib.contextmanager
def drive_browsers() -> Iterator[Any]:
    """Start what drives browsers, at most once at a time; gives it to `open_browser`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright


def open_browser(playwright: Any, name: str = CHROMIUM) -> Any:
    """Start a browser without a window; None where it is not here."""
    kind = getattr(playwright, name)
    path = os.environ.get(f"PRICO_{name.upper()}") or _find(kind, name)
    if path is None or not Path(path).exists():
        return None
    return kind.launch(executable_path=path, args=list(_ARGUMENTS[name]))


def _find(kind: Any, name: str) -> str | None:
    if name == CHROMIUM:
        return next(filter(None, map(shutil.which, _COMMANDS)), None)
    return str(kind.executable_path)


def resize(page: Any, width: int, height: int) -> None:
    """Give a window another size, and wait until the page has adapted to it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(_DRAWN)
