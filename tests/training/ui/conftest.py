"""A real browser for tests that are marked with it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.training.ui.chromium import find_chromium, open_chromium


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The Chromium of this machine; skips where there is none, or nothing that drives it."""
    pytest.importorskip("playwright.sync_api", reason="needs playwright")
    path = find_chromium()
    if path is None:
        pytest.skip("there is no Chromium here")
    with open_chromium(path) as browser:
        yield browser
