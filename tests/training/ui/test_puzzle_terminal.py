"""Puzzles in the terminal: asked, answered, kept, and looked for anew."""

import io
import json

import pytest
from rich.console import Console

from prico_env.render import render_svg
from prico_env.text.localization import codes, override
from prico_env.text.seats import seat_name
from prico_env.text.terms import capital
from prico_training import cli
from prico_training.puzzles import read_puzzles
from prico_training.puzzles.quiz import quiz_puzzles
from prico_training.ui import puzzle_terminal
from prico_training.ui.puzzle_terminal import ANSWERED, FRESH, Answered, ask_puzzles, puzzle_about


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(puzzle_terminal, "data_folder", lambda: tmp_path)
    return tmp_path


def played(puzzles, *lines, **options):
    """What a person reads who types these lines."""
    screen = io.StringIO()
    console = Console(file=screen, width=100, highlight=False)
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    ask_puzzles(puzzles, console=console, source=source, **options)
    return screen.getvalue()


def test_puzzles_are_asked_and_explained_and_counted(home):
    first, second, third, *_ = order = quiz_puzzles(kind="load")
    answered = Answered(home / ANSWERED)
    wrong = next(n for n in map(first.game().name, first.game().legal_actions())
                 if n not in first.answers)  # fmt: skip
    lines = [wrong, "", "role:pope", second.answers[0], "", "skip", "q"]
    text = played(order, *lines, count=3, answered=answered)
    assert "Puzzle 1 of 3" in text
    assert "what is the best choice for player" in text.replace("\n", " ")
    assert text.index("Not the best: ") < text.index("Puzzle 2 of 3") < text.index("Right: ")
    assert "there is no action 'role:pope'" in text
    assert "Not answered. The best is: " in text
    assert "deep searches agree" in text
    assert "Right: 1 of 3." in text
    assert "The planner finds " in text

    kept = json.loads((home / ANSWERED).read_text())
    assert list(kept.values()) == [False, True, False]
    text = played(order, "q", answered=Answered(home / ANSWERED))
    assert "Puzzle 1 of" in text
    assert "Right:" not in text  # nothing was answered
    text = played([first, second, third], "q", answered=Answered(home / ANSWERED))
    assert "they are asked again" in text


@pytest.mark.parametrize("language", codes())
def test_a_puzzle_names_the_seat_to_act_as_its_board_does(language):
    puzzle = quiz_puzzles(kind="load")[0]
    game = puzzle.game()
    with override(language):
        name = seat_name(game.rules.edition, game.turn)
        assert f" {name}" in puzzle_about(puzzle)
        assert capital(name) in render_svg(game, game.turn)


def test_who_stops_between_two_puzzles_is_told_how_many_were_right():
    first, *_ = order = quiz_puzzles(kind="sell")
    text = played([first, first], first.answers[0], "q")
    assert "Right: 1 of 1." in text
    assert "Puzzle 2" not in text
    assert order == [first]


def test_the_command_asks_in_the_language_that_is_wanted(home, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert cli.main(["puzzle", "--count", "2", "--language", "de"]) == 0
    assert "Aufgabe 1 von 2" in capsys.readouterr().out


def test_new_puzzles_are_kept_and_asked(home, monkeypatch, capsys):
    one, two, *_ = quiz_puzzles()
    monkeypatch.setattr(puzzle_terminal, "fresh_puzzles", lambda *_: iter([None, one, None, two]))
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert cli.main(["puzzle", "--new", "2"]) == 0
    assert "2 new puzzles are in" in capsys.readouterr().out
    assert read_puzzles(home / FRESH) == {each.name: each for each in (one, two)}
    assert [each.name for each in home.iterdir()] == [FRESH]
    mine = home / "mine.jsonl"
    monkeypatch.setattr(puzzle_terminal, "fresh_puzzles", lambda *_: iter([None, one]))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert cli.main(["puzzle", "--new", "2", "--puzzles", str(mine)]) == 0
    assert list(read_puzzles(mine)) == [one.name]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--kind", "ship"], "the kinds are choose_role"),
        (["--minutes", "0"], "--minutes runs from above 0"),
        (["--minutes", "nan"], "--minutes runs from above 0"),
        (["--puzzles", "missing"], "missing cannot be read"),
        (["--language", "la"], "the languages are de, en, fr"),
        (["--new", "1"], "no puzzle was found in 10 minutes, among 1 positions"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused_in_one_line(
    words, says, home, monkeypatch, capsys
):
    monkeypatch.setattr(puzzle_terminal, "fresh_puzzles", lambda *_: iter([None]))
    assert cli.main(["puzzle", *words]) == cli.USER_MISTAKE
    assert says in (error := capsys.readouterr().err)
    assert error.count("\n") == 1
    assert list(home.iterdir()) == []


def test_a_file_of_answers_that_is_damaged_is_left_alone(home, capsys):
    (home / ANSWERED).write_text("[1]")
    assert cli.main(["puzzle"]) == cli.USER_MISTAKE
    assert "does not say which puzzles were answered" in capsys.readouterr().err
    assert (home / ANSWERED).read_text() == "[1]"
