"""The pinned versions can be installed wherever the project says that it can be."""

import importlib.metadata
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
PINNED = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOWEST_PYTHON = PROJECT["requires-python"].removeprefix(">=") + ".0"


@pytest.mark.parametrize("pinned", PINNED, ids=lambda pinned: pinned.name)
def test_a_pinned_version_installs_on_the_lowest_python(pinned: Requirement) -> None:
    """Debian 12 has Python 3.11.2: what needs 3.11.5 would end `make train` in its set-up."""
    try:
        found = importlib.metadata.metadata(pinned.name)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{pinned.name} is not installed here")
    if found["Version"] not in pinned.specifier:
        pytest.skip(f"{found['Version']} is installed here")
    assert LOWEST_PYTHON in SpecifierSet(found["Requires-Python"] or "")
