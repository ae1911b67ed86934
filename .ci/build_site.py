"""Builds the site: the pages, the executed notebooks, and the API reference from the docstrings.

``make docs`` runs it. Pages are copied to ``build/pages`` as they lie in the repository, so that
their links work in both; MkDocs builds ``build/site`` from them and fails on any warning. Then
every link of the finished pages is followed once more, those of notebooks included.
"""

import argparse
import base64
import logging
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import nbformat
import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.pages.notebook_form import FORMAT, notebooks, stored_form
from tests.pages.pages import PAGES, ROOT, links

PAGES_FOLDER = ROOT / "build" / "pages"
PACKAGES = {"prico_env": "", "prico_agents": "agents", "prico_training": "training"}


def main(executed: Path) -> int:
    """Build the site; return 0 if nothing is wrong with it."""
    began = time.perf_counter()
    logging.basicConfig(format="%(levelname)s: %(message)s")
    shutil.rmtree(PAGES_FOLDER, ignore_errors=True)
    copy_pages()
    notebook_pages = list(copy_notebooks(executed))
    api_pages = write_api()
    config = load_config(
        str(ROOT / "docs" / "mkdocs.yml"), nav=navigation(notebook_pages, api_pages)
    )
    build(config)
    dead = list(dead_links(Path(config.site_dir)))
    for place, link in dead:
        print(f"{place}: {link} leads nowhere")
    seconds = time.perf_counter() - began
    print(f"{config.site_dir}: {len(api_pages)} modules, in {seconds:.0f} s")
    return 1 if dead else 0


# -- pages -----------------------------------------------------------------------------------------


def copy_pages() -> None:
    """Copy every page, and the files that it links to."""
    for page in PAGES:
        copy(page)
        for link in links(page.read_text(encoding="utf-8")):
            if not urlsplit(link).scheme:
                target = (page.parent / urlsplit(link).path).resolve()
                if target.is_file() and target.suffix not in (".md", ".ipynb"):
                    copy(target)


def copy(path: Path) -> None:
    """Copy one file to where it lies in the repository."""
    target = PAGES_FOLDER / path.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


def copy_notebooks(executed: Path) -> Iterator[str]:
    """Copy what the notebooks showed when they ran, with links to pages of the site."""
    for path in notebooks():
        run = executed / path.name
        if not run.is_file():
            raise SystemExit(f"{run} is missing: run `make notebooks`")
        text = run.read_text(encoding="utf-8")
        if stored_form(text) != path.read_text(encoding="utf-8"):
            raise SystemExit(f"{run} is of another state of {path}: run `make notebooks`")
        notebook = nbformat.reads(text, as_version=FORMAT[0])
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = site_links(cell.source)
            for output in cell.get("outputs", ()):
                describe_picture(output)
        target = PAGES_FOLDER / "notebooks" / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)
        yield f"notebooks/{path.name}"


def site_links(markdown: str) -> str:
    """Markdown of a notebook, with its links to pages as links to what the site makes of them."""
    return re.sub(
        r"\]\((?!https?:)([^)]*?)(?:README)?\.(?:md|ipynb)(#[^)]*)?\)", page_link, markdown
    )


def describe_picture(output: Any) -> None:
    """Show a picture with the alternative text that pages need and notebooks do not store."""
    data = output.get("data", {})
    for kind in ("image/svg+xml", "image/png"):
        if kind in data and "text/html" not in data:
            picture = data[kind]
            coded = picture if kind == "image/png" else base64.b64encode(picture.encode()).decode()
            data["text/html"] = (
                f'<img alt="what the code above draws" src="data:{kind};base64,{coded.strip()}">'
            )


def page_link(found: re.Match[str]) -> str:
    """A Markdown link to a page, as a link to what the site makes of it."""
    path = found[1] + ("index" if "README" in found[0] else "")
    return f"]({path}.html{found[2] or ''})"


# -- the API reference -----------------------------------------------------------------------------


def write_api() -> list[str]:
    """Write a page for every module that has a public name; return their dotted names."""
    modules = [
        ".".join(path.relative_to(ROOT / home).with_suffix("").parts).removesuffix(".__init__")
        for package, home in PACKAGES.items()
        for path in sorted((ROOT / home / package).rglob("*.py"))
        if not path.name.startswith("_") or path.name == "__init__.py"
    ]
    (PAGES_FOLDER / "api").mkdir(parents=True)
    for module in modules:
        page = PAGES_FOLDER / "api" / f"{module}.md"
        page.write_text(f"# {module}\n\n::: {module}\n", encoding="utf-8")
    return modules


def navigation(notebook_pages: list[str], modules: list[str]) -> list[Any]:
    """The navigation of the site, with notebooks and modules in it."""
    text = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^nav:\n.*", text, re.MULTILINE | re.DOTALL)
    items: list[Any] = yaml.safe_load(listed)["nav"]
    whole = {"Notebooks": notebook_pages, "API": module_tree(modules)}
    for item in items:
        if isinstance(item, dict):
            item.update({name: whole[name] for name in item if name in whole})
    return items


def module_tree(modules: Iterable[str]) -> list[Any]:
    """Modules below the packages that hold them."""
    modules = sorted(modules)
    packages = {name.rpartition(".")[0] for name in modules} & set(modules)

    def entries(names: list[str]) -> list[Any]:
        return [
            {name: [f"api/{name}.md", *entries(children(name))]}
            if name in packages
            else {name: f"api/{name}.md"}
            for name in names
        ]

    def children(parent: str) -> list[str]:
        return [name for name in modules if name.rpartition(".")[0] == parent]

    return entries(children(""))


# -- links of the finished site --------------------------------------------------------------------


class Links(HTMLParser):
    """The links and the anchors of one page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where it leads to, and by what name others lead here."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append(value)
            elif value and (name == "id" or (tag == "a" and name == "name")):
                self.anchors.add(value)


def dead_links(site: Path) -> Iterator[tuple[str, str]]:
    """Links of the site to files or anchors that it does not have."""
    found = {path: Links(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    for path, page in found.items():
        for link in sorted(set(page.links)):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path
            if parts.path:
                target = Path(os.path.normpath(path.parent / unquote(parts.path)))
            anchor = unquote(parts.fragment)
            missing = anchor and target in found and anchor not in found[target].anchors
            if not target.exists() or (missing and not anchor.startswith("__")):
                yield str(path.relative_to(site)), link


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the site of the pages.")
    parser.add_argument("--notebooks", type=Path, default=ROOT / "build" / "notebooks")
    sys.exit(main(parser.parse_args().notebooks))
