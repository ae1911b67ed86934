"""The figures of how the packages are built: circles and double names are found."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
STRUCTURE: dict[str, Any] = runpy.run_path(str(ROOT / ".ci" / "structure.py"))

FILES = {
    "game/__init__.py": "from game.turns import play\n",
    "game/turns.py": "from . import board\n\n\ndef play(board, seat: int) -> int:\n    return 1\n",
    "game/board.py": "class Board:\n    def show(self) -> None:\n        import game.turns\n",
    "agents/players/__init__.py": "",
    "agents/players/board.py": "class Board:\n    pass\n",
    "tests/__init__.py": "class Board:\n    pass\n",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Two packages with a circle of imports, a file name and a class name that occur twice."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_a_checkout_is_measured_package_by_package(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert STRUCTURE["main"](str(checkout)) == 0
    printed = capsys.readouterr().out
    rows = [line[1:-1].split("|") for line in printed.splitlines() if line.startswith("|")]
    table = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}
    assert table[""] == ["game", "players", "all"]
    assert table["files"] == ["3", "2", "5"]
    assert table["annotated arguments"] == ["50.0 %", "100.0 %", "50.0 %"]
    assert table["import levels"] == ["3", "1", "3"]
    assert table["import circles"] == ["1", "0", "1"]
    assert table["file names that occur twice"] == ["0", "0", "1"]
    assert "circle: game.board, game.turns\n" in printed
    assert "file board.py: game/board.py, players/board.py\n" in printed
    assert "class Board: game.board, players.board\n" in printed


def test_two_checkouts_stand_side_by_side(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert STRUCTURE["main"](str(checkout), str(ROOT)) == 0
    head = capsys.readouterr().out.splitlines()[0]
    assert str(checkout) in head
    assert str(ROOT) in head


def test_a_folder_without_packages_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert STRUCTURE["main"](str(tmp_path)) == 1
    assert "there is no package" in capsys.readouterr().out


def test_no_module_imports_itself_by_way_of_others() -> None:
    modules = [
        module for modules in STRUCTURE["read_packages"](ROOT).values() for module in modules
    ]
    assert len(modules) > 100
    graph = STRUCTURE["import_graph"](modules, inside_functions=True)
    assert STRUCTURE["circles"](graph) == []


@pytest.mark.parametrize("module", ["prico_training.ui.terminal", "prico_env.look_up"])
def test_who_plays_in_a_terminal_or_looks_things_up_loads_no_environment(module: str) -> None:
    asked = f"import {module}, sys; print(*(m for m in sys.modules if m.startswith('prico_env.')))"
    loaded = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    ).stdout.split()
    environments = {path.stem for path in (ROOT / "prico_env" / "envs").glob("*.py")}
    found = {name.removeprefix("prico_env.envs.") for name in loaded if ".envs." in name}
    assert found & environments <= {"opponents"}
