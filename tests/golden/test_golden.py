"""Stored games, counts and numbers: nothing about them changes without notice."""

from pathlib import Path
from typing import Any

import pytest

from prico_env.actions import BLOCKS, NAMES
from tests.golden.write import FILES, HERE, ID_FILE, store

pytestmark = pytest.mark.golden


@pytest.mark.parametrize("name", FILES)
def test_what_is_stored_is_what_comes_out(name: str) -> None:
    """Run `make golden` to rewrite the files, and review the difference like code."""
    stored = (HERE / name).read_text(encoding="utf-8")
    assert FILES[name]().splitlines() == stored.splitlines(), f"{name} differs; see `make golden`"


def test_what_an_id_means_is_written_once(tmp_path: Path) -> None:
    store(ID_FILE, tmp_path)
    store(ID_FILE, tmp_path)
    moved = (HERE / ID_FILE).read_text(encoding="utf-8").replace("reward='win'", "reward='rank'")
    (tmp_path / ID_FILE).write_text(moved, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"move its version in prico_env/registration\.py"):
        store(ID_FILE, tmp_path)
    assert (tmp_path / ID_FILE).read_text(encoding="utf-8") == moved


@pytest.mark.parametrize(
    ("files", "is_shown"),
    [
        ("*_players.txt", lambda block: block.module == "base" and block.kind != "gain"),
        ("*_expansions.txt", lambda block: block.module != "base"),
    ],
    ids=["base", "expansions"],
)
def test_the_stored_games_show_every_kind_of_decision(files: str, is_shown: Any) -> None:
    """A change to any phase shows in a transcript, but for what only asking would bring."""
    played = {
        ":".join(line.removesuffix("  (forced)").split()[1:])
        for path in HERE.glob(files)
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("  ")
    }
    kinds = {block.kind for block in BLOCKS if played & set(block.names)}
    assert kinds >= {block.kind for block in BLOCKS if is_shown(block)}


def test_action_names_are_unique_and_numbered_without_gaps() -> None:
    """A number means one action, and blocks meet without gap or overlap."""
    assert len(set(NAMES)) == len(NAMES)
    place = 0
    for block in BLOCKS:
        assert block.start == place
        place = block.stop
    assert place == len(NAMES)
