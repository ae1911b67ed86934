"""What pyproject.toml requires, a line each, as pip reads it.

``python .ci/requirements.py train serve`` prints what prico and these extras need. With
``--lowest`` every version is the lowest that is allowed: ``numpy>=2.0`` becomes ``numpy==2.0``.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
NOT_LOWERED = {"torch"}
"""Torch stays at the version of `make setup`: another one is a download of several gigabytes."""


def requirements(extras: list[str]) -> list[str]:
    """What the project and some of its extras require."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    found = list(project["dependencies"])
    for extra in extras:
        found += project["optional-dependencies"][extra]
    return list(dict.fromkeys(found))


def lowest(requirement: str) -> str:
    """A requirement at the lowest version that it allows, if it names one."""
    name = re.split(r"[<>=!~; ]", requirement, maxsplit=1)[0]
    bound = re.search(r">=\s*([\w.]+)", requirement)
    return f"{name}=={bound[1]}" if bound and name not in NOT_LOWERED else requirement


def main(*words: str) -> None:
    """Print the lines."""
    for requirement in requirements([word for word in words if word != "--lowest"]):
        print(lowest(requirement) if "--lowest" in words else requirement)


if __name__ == "__main__":
    main(*sys.argv[1:])
