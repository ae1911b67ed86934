"""Every notebook answers its question, from a fresh start, and is stored without a trace of it."""

import ast
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("nbformat", reason="nbformat is not installed: pip install 'prico[notebooks]'")

import nbformat

from tests.pages.notebook_form import FOLDER, FORMAT, notebooks, stored_form

ROOT = FOLDER.parent
NUMBERS = ["01", "02", "03", "04", "05", "06", "07", "08", "09"]
LONGEST_SECONDS = 120
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def cells(path: Path, kind: str) -> list[str]:
    """The sources of a notebook's cells of one kind."""
    notebook = nbformat.read(path, as_version=FORMAT[0])
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def names_used(source: str) -> Iterator[str]:
    """Every module and name that a cell imports, with dots, and every attribute it reads."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr


@pytest.fixture
def no_home(tmp_path, monkeypatch):
    """Keep what Jupyter and IPython write about themselves out of the home folder."""
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        folder = tmp_path / name.lower()
        folder.mkdir()
        monkeypatch.setenv(name, str(folder))


@pytest.mark.notebook
@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_it_runs_from_beginning_to_end(path, no_home, monkeypatch):
    from jupyter_client import AsyncKernelManager
    from jupyter_client.kernelspec import KernelSpecManager
    from nbclient import NotebookClient

    monkeypatch.setenv("PRICO_FAST", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    beside = sorted(FOLDER.rglob("*"))
    kernels = KernelSpecManager(kernel_dirs=[])  # none but that of this very interpreter
    notebook = nbformat.read(path, as_version=FORMAT[0])
    NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_spec_manager=kernels),
        timeout=LONGEST_SECONDS,
        resources={"metadata": {"path": str(FOLDER)}},
    ).execute()
    assert sorted(FOLDER.rglob("*")) == beside, "it left files beside it"
    if "PRICO_EXECUTED" in os.environ:  # for the site of the pages
        executed = ROOT / os.environ["PRICO_EXECUTED"]
        executed.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, executed / path.name)


def test_they_are_numbered_in_reading_order():
    assert [path.name.partition("_")[0] for path in notebooks()] == NUMBERS


def test_each_asks_one_question_in_its_title():
    titles = {path.name: cells(path, "markdown")[0].splitlines()[0] for path in notebooks()}
    assert titles
    for name, title in titles.items():
        assert title.startswith("# "), f"{name} begins with {title!r}"
        assert title.endswith("?"), f"{name} begins with {title!r}"
    assert len(set(titles.values())) == len(titles)


def test_nothing_of_a_run_is_stored():
    """``python -m tests.pages.notebook_form`` writes the notebooks as they should be."""
    for path in notebooks():
        text = path.read_text(encoding="utf-8")
        assert text == stored_form(text), f"{path.name}: run `python -m tests.pages.notebook_form`"


def test_a_run_leaves_no_trace_in_the_stored_form():
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("6 * 7", id="answer", execution_count=3)],
        metadata={"language_info": {"name": "python", "version": "3.11"}},
    )
    blank = stored_form(nbformat.writes(notebook))
    notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text="42\n")]
    notebook.cells[0].metadata["collapsed"] = True
    assert stored_form(nbformat.writes(notebook)) == blank
    assert '"id": "answer"' in blank
    assert "3.11" not in blank


def test_they_use_public_names_only():
    """What players may not import, readers of notebooks need not know either."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    inner = next(
        tuple(contract["forbidden_modules"])
        for contract in contracts
        if contract["name"] == "Players use the public names of the game"
    )
    for path in notebooks():
        for source in cells(path, "code"):
            for name in names_used(source):
                last = name.rpartition(".")[2]
                assert not last.startswith("_"), f"{path.name} uses {name}"
                assert not f"{name}.".startswith(tuple(f"{module}." for module in inner)), (
                    f"{path.name} uses {name}"
                )


def test_their_links_lead_somewhere():
    found = [
        (path.name, link)
        for path in notebooks()
        for text in cells(path, "markdown")
        for link in LINK.findall(text)
    ]
    assert found
    assert [(name, link) for name, link in found if not (FOLDER / link).is_file()] == []


def test_they_find_their_tools_with_the_interpreter_that_runs_them():
    from jupyter_client.kernelspec import KernelSpecManager

    spec = KernelSpecManager(kernel_dirs=[]).get_kernel_spec("python3")
    assert spec.argv[0] == sys.executable
