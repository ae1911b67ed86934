"""The site of the pages: what `make docs` finds wrong with it."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.pages.pages import ROOT

pytest.importorskip("mkdocs", reason="mkdocs is not installed: pip install 'prico[docs]'")


@pytest.fixture(scope="module")
def build_site() -> dict[str, Any]:
    """The functions of the script that builds the site."""
    return runpy.run_path(str(ROOT / ".ci" / "build_site.py"))


def test_a_link_of_a_finished_page_that_leads_nowhere_is_found(
    build_site: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#here"></a><a href="#top"></a><img src="a.html">'
        '<a href="b.html#gone"></a><a href="c.html"></a><a href="https://example.org/none"></a>'
    )
    (tmp_path / "b.html").write_text('<h2 id="here">B</h2>')
    assert list(build_site["dead_links"](tmp_path)) == [
        ("a.html", "b.html#gone"),
        ("a.html", "c.html"),
    ]


def test_notebooks_of_another_state_are_refused(build_site: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="run `make notebooks`"):
        list(build_site["copy_notebooks"](tmp_path))


def test_links_of_notebooks_lead_to_pages_of_the_site(build_site: dict[str, Any]) -> None:
    said = "[a](02_numbers.ipynb), [b](../docs/arena.md#sure), [c](../README.md), [d](https://x.org/y.md)"
    wanted = "[a](02_numbers.html), [b](../docs/arena.html#sure), [c](../index.html), [d](https://x.org/y.md)"
    assert build_site["site_links"](said) == wanted


def test_a_doctest_of_a_docstring_is_shown_as_code(build_site: dict[str, Any]) -> None:
    fences = runpy.run_path(str(ROOT / ".ci" / "doctest_fences.py"))
    said = "Add.\n\n>>> 1 + 1\n2\n\nAnd so on."
    assert fences["fenced"](said) == "Add.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nAnd so on."
