"""Faults of a page for people with disabilities, as axe finds them."""

import pytest


def violations(page):
    """What axe finds fault with."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    found = axe.Axe().run(page).response["violations"]
    return [
        (one["id"], node["html"][:120], node["failureSummary"][:300])
        for one in found
        for node in one["nodes"][:3]
    ]
