"""The built wheel, installed among other packages and folders called `agents` and `training`."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.pages.pages import ROOT

pytest.importorskip("setuptools", reason="builds a wheel")

pytestmark = [pytest.mark.slow, pytest.mark.training]

SOURCES = ("prico_env", "agents", "training", "configs", "pyproject.toml", "README.md", "LICENSE")
WRONG = "raise ImportError('this is a package of somebody else')\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built from a copy of it."""
    sources = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(ROOT / name, sources / name)
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, sources)
    (built,) = folder.glob("prico-*.whl")
    return built


def pip(*words: object) -> None:
    """Run pip without a network."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel, and with a package `agents` that is not ours.

    Everything that prico needs is taken from the environment of the tests: a line of a `.pth` file
    shows its folder, but not what is installed editable in it.
    """
    home = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / "bin" / "python"
    question = "import sysconfig; print(sysconfig.get_path('purelib'))"
    answer = subprocess.run([python, "-c", question], capture_output=True, text=True, check=True)
    site_packages = Path(answer.stdout.strip())
    pip("--python", python, "install", "--no-deps", "--no-index", wheel)
    (site_packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (site_packages / "agents").mkdir()
    (site_packages / "agents" / "__init__.py").write_text(WRONG)
    return home / "bin"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to work in, with packages `agents` and `training` of its own."""
    for name in ("agents", "training"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(WRONG)
    return tmp_path


def start(words: list[object], folder: Path) -> "subprocess.Popen[str]":
    """Start a command in a folder, with nothing of this checkout on the path."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.Popen(
        list(map(str, words)),
        cwd=folder,
        env=surroundings | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(words: list[object], folder: Path) -> str:
    """What a command says that ends well."""
    with start(words, folder) as process:
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return said


def test_the_wheel_holds_three_packages_and_no_other(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {
        "prico_env", "prico_agents", "prico_training",
    }  # fmt: skip
    stored = subprocess.run(
        ["git", "ls-files", "prico_env", "agents/prico_agents", "training/prico_training"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if stored.returncode == 0:
        paths = (re.sub("^(agents|training)/", "", path) for path in stored.stdout.splitlines())
        unneeded = re.compile(r"\.png$")  # pictures of the README
        assert [path for path in paths if path not in names and not unneeded.search(path)] == []


def test_it_runs_from_where_it_is_installed(installed: Path, folder: Path) -> None:
    code = (
        "import prico_env, prico_agents, prico_training as t; print(prico_env.__file__, t.__file__)"
    )
    for place in run([installed / "python", "-c", code], folder).split():
        assert Path(place).is_relative_to(installed.parent)


def test_it_plays(installed: Path, folder: Path) -> None:
    said = run([installed / "prico", "play", "corn", "builder", "corn", "trader"], folder)
    assert "builder" in said
    again = run([installed / "python", "-m", "prico_training", "play", "corn", "corn"], folder)
    assert "corn" in again


def test_it_trains(installed: Path, folder: Path) -> None:
    smoke = "configs/experiments/smoke.yaml"  # which the wheel brings along
    run(
        [
            installed / "prico",
            "train",
            smoke,
            "budget.decisions=1000",
            "budget.minutes=0.0",
            "threads=1",
        ],
        folder,
    )
    (results,) = folder.glob("runs/*/results.json")
    assert json.loads(results.read_text())["counts"]["decisions"] >= 1000


def test_it_serves(installed: Path, folder: Path) -> None:
    with start([installed / "prico", "serve", "--port", "0"], folder) as process:
        try:
            assert process.stdout is not None
            addresses = (re.search(r"http://[\d.]+:\d+", line) for line in process.stdout)
            address = next(found[0] for found in addresses if found)
            with urllib.request.urlopen(address, timeout=60) as answer:
                assert b"<!doctype html" in answer.read().lower()
        finally:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=60)
    assert "Traceback" not in rest
