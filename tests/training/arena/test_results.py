"""What is written is read again, torn ends are dropped, and nobody writes over anybody."""

import copy

import pytest

from prico_env import PricoError
from prico_training.arena.game_table import GameTable
from prico_training.arena.results import (
    GAMES_FILE,
    SETTINGS_FILE,
    GamesFile,
    ResultsError,
    read_games,
    read_settings,
    write_lines,
)
from prico_training.errors import InUseError, StorageError
from tests.training.arena.made_games import game

FAULT = {"seat": 1, "agent": "bob", "kind": "error", "decision": 3, "text": "It broke."}
GAMES = [game(["ann", "bob"], [30, 20], deal=deal) for deal in range(3)]


def test_games_come_back_as_they_were_written(tmp_path):
    with GamesFile(tmp_path) as file:
        file.append(write_lines(GAMES[:2]))
        file.append(write_lines(GAMES[2:]))
    assert list(read_games(tmp_path)) == GAMES
    assert list(read_games(tmp_path / GAMES_FILE)) == GAMES


def test_each_game_counts_once(tmp_path):
    with GamesFile(tmp_path) as file:
        file.append(write_lines([*GAMES, *GAMES[:2]]))
    assert list(read_games(tmp_path)) == GAMES


@pytest.mark.parametrize("torn", [b'{"line_up": 0, "dea', b"\x00" * 100_000, b"{"])
def test_a_torn_last_line_is_left_out_and_then_dropped(tmp_path, torn):
    whole = b"".join(write_lines(GAMES))
    (tmp_path / GAMES_FILE).write_bytes(whole + torn)
    assert list(read_games(tmp_path)) == GAMES
    more = game(["ann", "bob"], [1, 2], deal=9)
    with GamesFile(tmp_path) as file:
        file.append(write_lines([more]))
    assert list(read_games(tmp_path)) == [*GAMES, more]


def test_a_file_with_nothing_but_a_torn_line_is_empty(tmp_path):
    (tmp_path / GAMES_FILE).write_bytes(b'{"line')
    with GamesFile(tmp_path):
        pass
    assert list(read_games(tmp_path)) == []


@pytest.mark.parametrize(
    "damage", [b"{]\n", b"[]\n", b'{"deal": 3}\n', b"\xff\n", b"[" * 9999 + b"\n"]
)
def test_a_damaged_line_in_the_middle_is_named(tmp_path, damage):
    first, *others = write_lines(GAMES)
    (tmp_path / GAMES_FILE).write_bytes(first + damage + b"".join(others))
    with pytest.raises(ResultsError, match="line 2 is no game"):
        list(read_games(tmp_path))


def places(block, path=()):
    """The places in a line; of every list the first."""
    if path:
        yield path
    if isinstance(block, dict | list):
        for key, value in block.items() if isinstance(block, dict) else enumerate(block[:1]):
            yield from places(value, (*path, key))


WHOLE = game(["ann", "bob", "eve"], [30, 20, 10], faults=[FAULT])
STRANGE = (
    None, True, -1, 10**30, 1.5, -0.5, float("nan"), float("inf"), "", "corn", [], {}, [[]],
    {"a": 1}, [0] * 9,
)  # fmt: skip


@pytest.mark.parametrize("path", list(places(WHOLE)), ids=str)
def test_a_line_with_anything_in_any_place_is_read_or_named_in_one_line(tmp_path, path):
    """Whatever is read can be counted; what is taken away is missed."""
    for value in STRANGE:
        line = copy.deepcopy(WHOLE)
        block = line
        for key in path[:-1]:
            block = block[key]
        if value is None:
            del block[path[-1]]
        else:
            block[path[-1]] = value
        (tmp_path / GAMES_FILE).write_bytes(b"".join(write_lines([WHOLE, line | {"deal": 1}])))
        try:
            GameTable.of(read_games(tmp_path))
        except PricoError as error:
            message = str(error)
        else:
            continue
        assert message.isprintable()
        assert "line 2 is no game, it " in message or "same number of seats" in message


def test_two_tournaments_cannot_write_into_one_folder(tmp_path):
    with GamesFile(tmp_path), pytest.raises(InUseError, match="another process"):
        GamesFile(tmp_path)


def test_a_folder_without_a_tournament_says_so(tmp_path):
    with pytest.raises(ResultsError, match="holds no tournament"):
        read_settings(tmp_path)
    with pytest.raises(ResultsError, match="cannot be read"):
        list(read_games(tmp_path / "nowhere"))
    (tmp_path / SETTINGS_FILE).write_text("agents: [")
    with pytest.raises(ResultsError, match="is damaged"):
        read_settings(tmp_path)


def test_a_place_that_is_no_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        GamesFile(tmp_path / "file")
