"""Saved games with any text in them, and saved games that somebody or something has damaged."""

import itertools
import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from prico_env import Game, RecordError, RuleSet
from prico_env.serialization import read_notes, read_transcript, transcript_lines, unwritable
from prico_env.serialization.transcript import MOST_CHARACTERS
from tests.rule_sets import ALL_RULE_SETS

SOME_LINE_ENDS = ("\u2028", "\u2029", "\x85", "\r", "\n", "\x0b", "\x1c", "\x00", "\ufeff")
THREE = RuleSet(3)
HALF_OF_A_PAIR = "\ud800"


def game_of(rules: RuleSet, seed: int, decisions: int = 12) -> Game:
    """A short game; every other one goes on from a position."""
    chance = random.Random(seed)
    game = Game(rules, seed)
    for half in range(2):
        for _ in range(decisions // 2):
            game.step(chance.choice(game.legal_actions()))
        if half == 0 and seed % 2:
            game = Game.from_dict(game.to_dict())
    return game


def written(names: tuple[str, ...], note: dict) -> str:
    """A record of three people, with a thought about the first decision."""
    game = game_of(THREE, 4)
    return "\n".join(transcript_lines(THREE, game.start, game.history, names, {0: note}))


def refusal(read, text) -> str:
    """The message with which a record is refused: one line of bounded length."""
    with pytest.raises(RecordError) as caught:
        read(text)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 3000
    return message


# -- any text --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", SOME_LINE_ENDS, ids=ascii)
def test_names_and_reasons_may_hold_any_end_of_a_line(text, tmp_path):
    names, note = (f"a{text}b", text, text * 3), {"reasons": [f"It{text}pays."], text: text}
    saved = written(names, note)
    assert read_notes(saved) == (names, {0: note})
    assert Game.from_record(saved).history == game_of(THREE, 4).history
    path = tmp_path / "game.jsonl"
    path.write_text(saved, encoding="utf-8")
    assert read_notes(path.read_text(encoding="utf-8")) == (names, {0: note})
    with path.open(encoding="utf-8") as file:
        assert read_notes(file) == (names, {0: note})


def test_an_editor_may_mark_a_record_as_utf_8():
    saved = written(("ann", "", ""), {})
    marked = saved.encode("utf-8-sig").decode()
    assert marked != saved
    assert Game.from_record(marked).history == Game.from_record(saved).history


any_text = st.text(st.characters(exclude_categories=()), max_size=8)


@settings(max_examples=200, deadline=None)
@given(st.tuples(any_text, any_text, any_text), st.dictionaries(any_text, any_text, max_size=3))
def test_any_text_comes_back_as_it_was_or_is_refused_when_it_is_written(names, note):
    texts = [*names, *note, *note.values()]
    if any(map(unwritable, texts)):
        assert "cannot be written as UTF-8" in refusal(lambda _: written(names, note), "")
        return
    saved = written(names, note).encode().decode()
    assert read_notes(saved) == (names, {0: note})
    assert read_transcript(saved).actions == read_transcript(written((), {})).actions


def test_text_that_no_file_can_hold_is_refused_when_it_is_read_too():
    """JSON can name the half of a pair, which would be in the way when the game is saved again."""
    saved = written(("ann", "bob", "Zoe"), {"reasons": ["It pays."]})
    for old, line in (("Zoe", 1), ("It pays.", 2)):
        message = refusal(read_transcript, saved.replace(old, "\\ud800"))
        assert message.startswith(f"line {line} ")
        assert "leave out the lone surrogate '\\ud800'" in message


def test_names_and_reasons_are_of_a_bounded_length():
    longest, two_megabytes = "x" * MOST_CHARACTERS, "x" * 2_000_000
    assert read_notes(written((longest, "", ""), {"reasons": [longest]}))[0][0] == longest
    for names, note in (((two_megabytes, "", ""), {}), ((), {"reasons": [two_megabytes]})):
        assert "2,000,000 characters" in refusal(lambda _, n=names, o=note: written(n, o), "")
    saved = written(("ann", "", ""), {"reasons": ["It pays."]})
    for old, line in (("ann", 1), ("It pays.", 2)):
        message = refusal(Game.from_record, saved.replace(old, two_megabytes))
        assert message.startswith(f"line {line} ")
        assert "10,000 are the most" in message


@pytest.mark.parametrize(
    "note", [{"chance": float("nan")}, {"chance": float("inf")}, {"chance": {1, 2}}], ids=str
)
def test_a_thought_that_is_no_json_is_refused_when_it_is_written(note):
    assert "the opinion on decision 0 is no JSON" in refusal(lambda _: written((), note), "")


# -- damage ----------------------------------------------------------------------------------------


def counted(lines: Iterator[str], taken: list[str]) -> Iterator[str]:
    """The lines, noting which were taken."""
    for line in lines:
        taken.append(line)
        yield line


@pytest.mark.parametrize("junk", ["junk", "{}", "[" * 1000, "7", "\x00", '{"seat": 0}'])
@pytest.mark.parametrize("begun", [False, True])
def test_of_endless_junk_no_more_is_read_than_shows_that_it_is_junk(junk, begun):
    first = game_of(THREE, 4).to_record().partition("\n")[0]
    taken: list[str] = []
    lines = itertools.chain([first] if begun else [], itertools.repeat(junk))
    assert f"line {1 + begun} " in refusal(read_transcript, counted(lines, taken))
    assert len(taken) == 1 + begun


def test_of_lines_that_were_added_only_the_first_is_read():
    lines = game_of(THREE, 4).to_record().splitlines()
    taken: list[str] = []
    endless = counted(itertools.chain(lines, itertools.repeat(lines[-1])), taken)
    assert "lines were added" in refusal(read_transcript, endless)
    assert len(taken) == len(lines) + 1


@pytest.mark.parametrize("junk", ["junk\n", "{}\n", "\n", "[", "{", '"', "\u2028", "x\r"])
def test_a_long_file_of_junk_is_refused_in_one_line(junk):
    assert refusal(Game.from_record, junk * 300_000).startswith("line 1 of the game record ")


@pytest.mark.parametrize(
    "given", [None, 3, 2.5, b"", [1], [None], object()], ids=lambda given: type(given).__name__
)
def test_what_is_no_text_is_no_record(given):
    assert "record" in refusal(Game.from_record, given)


HUGE = (10**30, -(10**30), 2**63, 2**31, 255, -129, 1e300)
OTHER_KINDS = (
    None, True, False, 0, -1, 1.5, float("nan"), "", "corn", "role:mayor", HALF_OF_A_PAIR,
    "x" * 20_000, [], {}, [[]], {"a": {}}, [0] * 1000,
)  # fmt: skip


def places(block, path=()) -> Iterator[tuple]:
    """Every place in a line of JSON."""
    if path:
        yield path
    if isinstance(block, dict | list):
        for key, value in block.items() if isinstance(block, dict) else enumerate(block):
            yield from places(value, (*path, key))


def with_another_value(line: str, kind: str, chance: random.Random) -> str:
    """A line of JSON with something else in one place of it."""
    whole = json.loads(line)
    path = chance.choice(list(places(whole)))
    block = whole
    for key in path[:-1]:
        block = block[key]
    if kind == "renamed" and isinstance(block, dict):
        block[chance.choice(["x", HALF_OF_A_PAIR, "seed", "position"])] = block.pop(path[-1])
    else:
        block[path[-1]] = chance.choice(HUGE if kind == "huge" else OTHER_KINDS)
    return json.dumps(whole)


DAMAGES = (
    "bits", "cut", "dropped", "doubled", "swapped", "letter", "huge", "renamed", "other kind"
)  # fmt: skip


def damaged(text: str, kind: str, chance: random.Random) -> str:
    """A saved game with one thing wrong with it, or a few."""
    if kind == "bits":
        data = bytearray(text.encode())
        for _ in range(chance.choice([1, 1, 5])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        return data.decode("utf-8", "replace")
    if kind == "cut":
        return text[: chance.randrange(len(text))]
    if kind == "letter":
        place = chance.randrange(len(text))
        letter = chance.choice([*SOME_LINE_ENDS, "[", "{", '"', "\\", HALF_OF_A_PAIR])
        return text[:place] + letter + text[place + chance.randrange(2) :]
    lines = text.split("\n")[:-1]
    place, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    if kind == "dropped":
        del lines[place]
    elif kind == "doubled":
        lines.insert(place, lines[place])
    elif kind == "swapped":
        lines[place], lines[other] = lines[other], lines[place]
    else:
        place = chance.choice([0, place])
        lines[place] = with_another_value(lines[place], kind, chance)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "numbers", [range(40), pytest.param(range(40, 240), marks=pytest.mark.slow)], ids=str
)
@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_game_is_refused_in_one_line_or_is_another_game_that_replays(kind, numbers):
    for number in numbers:
        chance = random.Random(f"{kind} {number}")
        rules = ALL_RULE_SETS[chance.randrange(len(ALL_RULE_SETS))]
        text = damaged(game_of(rules, number).to_record(), kind, chance)
        try:
            game = Game.from_record(text)
        except RecordError as error:
            message = str(error)
            assert message.isprintable()
            assert len(message) < 3000
            assert "record" in message
        else:
            assert Game.from_record(game.to_record()).to_bytes() == game.to_bytes()
