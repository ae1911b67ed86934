"""Games as files: transcripts that replay, bytes that go on, and clear words about damage."""

import json
import random
import struct
import zlib

import numpy as np
import pytest

from prico_env import Game, RecordError, RuleSet, serialization
from prico_env.actions import NAMES
from prico_env.catalog import load
from prico_env.serialization import (
    check_replay,
    read_notes,
    read_transcript,
    record_from_bytes,
    record_to_bytes,
    transcript_lines,
)
from tests.builders import EDITIONS

PLAYERS = ("Ann", "Zoë", "")


def finished_game(rules: RuleSet, seed: int) -> Game:
    """A game played at random to its end."""
    chance = random.Random(seed)
    game = Game(rules, seed=seed)
    while not game.over:
        game.step(chance.choice(game.legal_actions()))
    return game


@pytest.fixture(scope="module")
def game() -> Game:
    return finished_game(RuleSet(players=3, edition="1897-de", max_rounds=6), seed=5)


@pytest.fixture
def lines(game) -> list[str]:
    return list(transcript_lines(game.rules, game.seed, game.history))


@pytest.fixture(scope="module")
def saved(game) -> bytes:
    return record_to_bytes(game.rules, game.state[0])


def complaint(read, damaged) -> str:
    """The message about a damaged file: one line, and no other kind of error."""
    with pytest.raises(RecordError) as caught:
        read(damaged)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- transcripts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 5])
def test_a_transcript_replays_to_the_same_bytes(edition, players):
    game = finished_game(RuleSet(players=players, edition=edition, max_rounds=5), seed=players)
    rules, seed, actions = read_transcript(transcript_lines(game.rules, game.seed, game.history))
    again = Game(rules, seed)
    for action, forced in actions:
        if not forced:
            again.step(action)
    assert again.to_bytes() == game.to_bytes()


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("gains", ["auto", "ask"])
def test_a_transcript_with_every_expansion_replays_to_the_same_bytes(edition, gains):
    """The draft is in it, captured roles are, and forced moves."""
    modules = load(edition).expansions
    rules = RuleSet(3, edition, modules, optional_gains=gains, max_rounds=6)
    game = finished_game(rules, seed=8)
    lines = list(transcript_lines(game.rules, game.seed, game.history))
    read, _, actions = read_transcript(lines)
    assert read == rules
    names = [NAMES[action] for action, _ in actions]
    assert names[0].startswith("board:")
    assert ("role:smuggler" in names) == (edition != "classic")
    again = Game.from_record("\n".join(lines))
    assert again.to_bytes() == game.to_bytes()
    assert again.history == game.history
    assert record_from_bytes(game.to_bytes())[1].tobytes() == game.state.tobytes()


@pytest.mark.parametrize("board", ["draft", "random"])
def test_a_transcript_has_the_board_as_it_was_chosen(board):
    """R-X1-4: and a list of types as a list."""
    rules = RuleSet(2, "classic", ["buildings"], board=board, max_rounds=2)
    types = finished_game(rules, seed=3).to_dict()["board"]
    fixed = RuleSet(2, "classic", ["buildings"], board=types, max_rounds=2)
    for game in (finished_game(rules, seed=3), finished_game(fixed, seed=3)):
        again = Game.from_record(game.to_record())
        assert again.rules == game.rules
        assert again.to_dict() == game.to_dict()


def test_a_captured_role_is_in_the_transcript():
    """R-SMG-14: nobody picks it, and its phase is played all the same."""
    for seed in range(200):
        game = finished_game(RuleSet(3, "1897-de", ["smuggler"], max_rounds=3), seed)
        names = [game.name(move.action) for move in game.history]
        captured = [name for name in names if name.startswith("capture:")]
        if captured and f"role:{captured[0].partition(':')[2]}" not in names:
            break
    else:
        pytest.fail("no captured role was left over in any game")
    again = Game.from_record(game.to_record())
    assert again.to_bytes() == game.to_bytes()


def test_a_transcript_has_the_rule_set_and_the_seed_and_then_a_line_for_each_decision(game, lines):
    header = json.loads(lines[0])
    assert header["rules"] == game.rules.to_dict()
    assert header["seed"] == 5
    first = json.loads(lines[1])
    assert first == {
        "seat": 0,
        "action": game.name(game.history[0].action),
        "forced": game.history[0].forced,
    }
    assert len(lines) == 1 + len(game.history)


def test_a_transcript_may_say_who_played_and_what_was_thought(game, lines):
    thoughts = {0: {"action": 1}, 3: {"reasons": ["It pays."]}}
    noted = list(transcript_lines(game.rules, game.seed, game.history, PLAYERS, thoughts))
    assert read_notes(noted) == (PLAYERS, thoughts)
    assert read_notes(lines) == ((), {})
    assert read_transcript(noted) == read_transcript(lines)
    check_replay(noted, game.history)
    differing = [number for number, line in enumerate(noted) if line != lines[number]]
    assert differing == [0, 1, 4]


def test_a_thought_of_no_decision_is_not_written(game):
    end = len(game.history)
    with pytest.raises(RecordError, match=f"decision {end} has no place"):
        list(transcript_lines(game.rules, game.seed, game.history, None, {end: {}}))


def test_forced_decisions_are_in_the_transcript_and_marked(game, lines):
    _, _, actions = read_transcript(lines)
    assert [(move.action, move.forced) for move in game.history] == actions
    assert any(forced for _, forced in actions)


def test_line_ends_and_empty_lines_do_not_matter(lines):
    assert read_transcript([f"{line}\r\n" for line in lines] + ["\n", ""]) == read_transcript(lines)
    assert read_transcript("\n".join(lines)) == read_transcript(lines)


def test_actions_of_an_expansion_that_lies_between_others_are_not_in_a_game():
    """With the smuggler alone there are numbers of buildings, but nobody plays them."""
    game = finished_game(RuleSet(3, "1897-en", ["smuggler"], max_rounds=2), seed=1)
    lines = list(transcript_lines(game.rules, game.seed, game.history))
    lines[1] = json.dumps(json.loads(lines[1]) | {"action": "board:library"})
    assert "not in this game" in complaint(read_transcript, lines)


@pytest.mark.parametrize("line", [1, 2, 9])
def test_a_damaged_line_is_named(lines, line):
    lines[line - 1] = lines[line - 1][:-4]
    assert f"line {line} of the game record is damaged or cut off" in complaint(
        read_transcript, lines
    )


def test_a_transcript_that_is_cut_off_between_lines_is_noticed(lines):
    assert "ends after 3 decisions" in complaint(read_transcript, lines[:4])


def test_an_empty_file_is_no_transcript():
    assert "line 1 of the game record is empty" in complaint(read_transcript, [])
    assert "line 1" in complaint(read_transcript, ["", ""])


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"format": "pgn"}, ["line 1", "'pgn'"]),
        ({"format_version": 2}, ["line 1", "format_version 2", "format_version 1"]),
        ({"rules_version": 9}, ["line 1", "rules_version 9", "rules_version 2"]),
        ({"actions_version": 0}, ["line 1", "actions_version 0"]),
        ({"seed": -1}, ["line 1", "seed", "-1"]),
        ({"seed": "7"}, ["line 1", "'seed'"]),
        ({"seed": True}, ["line 1", "'seed'"]),
        ({"rules": {"edition": "1897-fr"}}, ["line 1", "rule set", "1897-fr"]),
        ({"rules": []}, ["line 1", "'rules'"]),
    ],
)
def test_a_header_of_another_kind_or_version_is_refused(lines, change, parts):
    lines[0] = json.dumps(json.loads(lines[0]) | change)
    message = complaint(read_transcript, lines)
    assert all(part in message for part in parts), message


def test_a_game_by_older_rules_is_read_where_it_replays_and_says_so_where_not(game, lines):
    """R-CAP-8: some games of rules_version 1 asked a seat to load once more."""
    lines[0] = json.dumps(json.loads(lines[0]) | {"rules_version": 1})
    assert Game.from_record("\n".join(lines)).to_bytes() == game.to_bytes()
    lines[-1] = json.dumps(json.loads(lines[-1]) | {"action": "role:mayor"})
    with pytest.raises(RecordError, match="played by rules_version 1, and this prico plays 2"):
        Game.from_record("\n".join(lines))


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"action": "role:setler"}, ["line 2", "did you mean 'role:settler'?"]),
        ({"action": 3}, ["line 2", "'action'"]),
        ({"action": "build:aqueduct"}, ["line 2", "not in this game"]),
        ({"action": "deal:citizen"}, ["line 2", "not in this game"]),
        ({"action": "capture:mayor"}, ["line 2", "not in this game"]),
        ({"seat": 3}, ["line 2", "seat 3"]),
        ({"seat": None}, ["line 2", "'seat'"]),
        ({"forced": "no"}, ["line 2", "'forced'"]),
    ],
)
def test_a_decision_that_makes_no_sense_is_named(lines, change, parts):
    lines[1] = json.dumps(json.loads(lines[1]) | change)
    message = complaint(read_transcript, lines)
    assert all(part in message for part in parts), message


@pytest.mark.parametrize(
    ("line", "change", "parts"),
    [
        (2, {"seat": 2}, ["line 2", "seat is 2", "has 0"]),
        (3, {"forced": False}, ["line 3", "forced"]),
        (5, {"action": "store:coffee"}, ["line 5", "store:coffee"]),
    ],
)
def test_a_replay_that_differs_names_the_line(game, lines, line, change, parts):
    check_replay(lines, game.history)
    lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | change)
    message = complaint(lambda damaged: check_replay(damaged, game.history), lines)
    assert all(part in message for part in parts), message


def test_a_replay_that_is_shorter_is_noticed(game, lines):
    message = complaint(lambda short: check_replay(short, game.history), lines[:-2])
    assert "decisions, and its replay" in message


@pytest.mark.parametrize("line", ["7", "[]", "null", '"text"', "[" * 100_000, "1" * 5000])
def test_a_line_that_is_no_object_is_refused(lines, line):
    lines[2] = line
    assert "line 3" in complaint(read_transcript, lines)


def test_bytes_are_no_transcript(tmp_path, lines):
    assert "not text" in complaint(read_transcript, [b"\x00\x01"])
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"\xff\xfe\x00" + "\n".join(lines).encode())
    with path.open(encoding="utf-8") as file:
        assert "not text" in complaint(read_transcript, file)


# -- bytes ---------------------------------------------------------------------------------------


def test_bytes_hold_the_whole_record(game, saved):
    rules, states = record_from_bytes(saved)
    assert rules == game.rules
    assert states.tobytes() == game.state.tobytes()
    assert states.flags.writeable
    assert record_to_bytes(rules, states[0]) == saved


def test_bytes_do_not_depend_on_the_row_of_the_rules_table(game, saved):
    record = game.state.copy()
    record["rules"] = 3
    assert record_to_bytes(game.rules, record[0]) == saved


def test_any_flipped_bit_is_noticed(saved):
    chance = random.Random(1)
    for _ in range(300):
        place = chance.randrange(len(saved))
        damaged = bytearray(saved)
        damaged[place] ^= 1 << chance.randrange(8)
        complaint(record_from_bytes, bytes(damaged))


def test_any_truncation_is_noticed(saved):
    for size in (0, 1, 5, 6, 11, 12, 40, len(saved) // 2, len(saved) - 1):
        complaint(record_from_bytes, saved[:size])
    complaint(record_from_bytes, saved + b"\x00")


def test_damage_is_said_in_words(saved):
    assert "not a saved game" in complaint(record_from_bytes, b"PK\x03\x04" + saved)
    assert "instead of" in complaint(record_from_bytes, saved[:-1])
    assert "checksum" in complaint(record_from_bytes, saved[:-5] + b"\xff" + saved[-4:])
    assert "str" in complaint(record_from_bytes, "text")


def test_another_version_of_the_state_is_refused(saved):
    other = bytearray(saved)
    struct.pack_into("<H", other, 6, 99)
    assert "version 99" in complaint(record_from_bytes, bytes(other))


def test_a_rule_set_that_does_not_exist_is_refused(saved):
    body = saved[:-4].replace(b"1897-de", b"1897-fr")
    message = complaint(record_from_bytes, body + struct.pack("<I", zlib.crc32(body)))
    assert "1897-fr" in message


def test_loading_numpy_garbage_is_an_error_and_not_a_game():
    noise = np.random.default_rng(0)
    for size in (10, 1000, 2000):
        complaint(record_from_bytes, noise.bytes(size))


def test_former_names_of_the_package_work_with_a_warning():
    with pytest.warns(DeprecationWarning, match="read_record is called read_transcript now"):
        assert serialization.read_record is read_transcript
    with pytest.raises(AttributeError, match="read_nothing"):
        _ = serialization.read_nothing
