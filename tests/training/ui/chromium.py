"""The Chromium of this machine, where there is one and something that drives it."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any, Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
"""What its command may be called; the variable PRICO_CHROMIUM names another."""
_QUIET: Final = ("--disable-gpu", "--disable-background-networking", "--disable-component-update")


def find_chromium() -> str | None:
    """Where it is, None if it is not here."""
    found = (shutil.which(name) for name in NAMES)
    return os.environ.get("PRICO_CHROMIUM") or next(filter(None, found), None)


@contextlib.contextmanager
def open_chromium(path: str) -> Iterator[Any]:
    """Start it without a window; gives a browser of playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--no-first-run", "--disable-quic", *_QUIET]
        )
        yield browser
        browser.close()
