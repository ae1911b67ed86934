"""Records that say who played and what was thought, and are records all the same."""

import json
import random
from dataclasses import replace

import pytest

from prico_agents.analysis import Analysis, AnalysisError, Candidate
from prico_env import Game, PricoError, RecordError, RuleSet
from prico_training.errors import StorageError
from prico_training.files import write_text
from prico_training.ui.session import Session
from prico_training.ui.transcripts import read_recorded, recorded_text

NAMES = ["ann", "corn", "Zoë </script>"]


@pytest.fixture(scope="module")
def game() -> Game:
    chance = random.Random(5)
    game = Game(RuleSet(3, "1897-de", max_rounds=2), seed=5)
    while not game.over:
        game.step(chance.choice(game.legal_actions()))
    return game


@pytest.fixture(scope="module")
def analysis(game) -> Analysis:
    """What somebody thought of the first decision."""
    first = game.history[0].action
    candidates = (Candidate(first, 0.75, (0.5, 0.25, 0.25)), Candidate(2, 0.25, ()))
    return Analysis(0, first, candidates, (0.4, 0.3, 0.3), ("It brings a coin.",))


def changed(text: str, line: int, **fields) -> str:
    """A record of which one line says something else."""
    lines = text.splitlines()
    lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | fields)
    return "\n".join(lines)


def complaint(source) -> str:
    with pytest.raises(RecordError) as caught:
        read_recorded(source)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_record_that_names_nobody_is_that_of_the_game_to_the_byte(game):
    assert recorded_text(game) == game.to_record()
    recorded = read_recorded(game.to_record())
    assert (recorded.players, recorded.analyses) == ((), {})
    assert [action for action, _ in recorded.actions] == [move.action for move in game.history]


def test_names_and_opinions_come_back(game, analysis, tmp_path):
    path = tmp_path / "game.jsonl"
    write_text(path, recorded_text(game, NAMES, {0: analysis}))
    recorded = read_recorded(path)
    assert recorded.players == tuple(NAMES)
    assert recorded.analyses == {0: analysis}
    assert (recorded.rules, recorded.seed) == (game.rules, game.seed)


def test_a_record_with_names_and_opinions_replays_like_any_other(game, analysis):
    text = recorded_text(game, NAMES, {0: analysis})
    assert Game.from_record(text).to_bytes() == game.to_bytes()
    assert read_recorded(text).game().history == game.history


def test_an_opinion_of_a_decision_that_nobody_made_is_left_out(game, analysis):
    text = recorded_text(game, NAMES, {len(game.history): analysis})
    assert text == recorded_text(game, NAMES)


@pytest.mark.parametrize(
    ("players", "reason"),
    [(["ann", "bob"], "3 seats"), ("ann", "'ann'"), ([1, 2, 3], r"\[1, 2, 3\]"), (None, "None")],
)
def test_names_that_do_not_fit_the_seats_are_refused(game, players, reason):
    text = changed(game.to_record(), 1, players=players)
    with pytest.raises(RecordError, match=f"line 1 .*'players'.*{reason}"):
        read_recorded(text)
    with pytest.raises(RecordError, match="line 1"):
        Game.from_record(text)


@pytest.mark.parametrize("ending", ["\u2028", "\u2029", "\x85", "\r", "\n"], ids=ascii)
def test_names_and_reasons_with_any_end_of_a_line_come_back(game, analysis, ending, tmp_path):
    names = [f"{name}{ending}" for name in NAMES]
    thought = replace(analysis, reasons=(f"It brings{ending}a coin.",))
    path = tmp_path / "game.jsonl"
    write_text(path, recorded_text(game, names, {0: thought}))
    recorded = read_recorded(path)
    assert recorded.players == tuple(names)
    assert recorded.analyses == {0: thought}
    assert recorded.game().to_bytes() == game.to_bytes()


@pytest.mark.parametrize(
    ("make", "where"),
    [
        (lambda text: Candidate(1, words=text), "words"),
        (lambda text: Analysis(0, 1, (Candidate(1),), (), ("Fine.", text)), r"reasons\[1\]"),
        (lambda text: Session(RuleSet(2), [text, "human"]), "player"),
    ],
    ids=["words", "reasons", "players"],
)
def test_text_that_no_record_can_hold_is_refused_where_it_comes_in(make, where):
    for text, why in (("x\ud800", "UTF-8"), ("x" * 2_000_000, "2,000,000 characters")):
        with pytest.raises(PricoError, match=f"{where}.*{why}") as caught:
            make(text)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize("chance", [float("nan"), float("inf"), -0.1, 1.1])
def test_a_probability_that_is_none_is_refused_where_it_comes_in(chance):
    for make in (
        lambda: Candidate(1, chance),
        lambda: Candidate(1, None, (0.5, chance)),
        lambda: Analysis(0, 1, (Candidate(1),), (chance, 0.5)),
    ):
        with pytest.raises(AnalysisError, match="should be a number from 0 to 1"):
            make()


def test_a_game_is_not_written_with_too_few_names(game):
    with pytest.raises(RecordError, match="3 seats"):
        recorded_text(game, ["ann"])


@pytest.mark.parametrize(
    "change",
    [
        {"candidates": [{"action": 10**6, "words": ""}], "action": 10**6},
        {"chances": [1.0], "candidates": [{"action": 1, "words": ""}], "action": 1},
        {"seat": 7},
        {"candidates": 3},
    ],
    ids=["an action of no game", "chances of another table", "no such seat", "no candidates"],
)
def test_a_damaged_opinion_names_the_line(game, analysis, change):
    text = recorded_text(game, analyses={2: analysis})
    damaged = changed(text, 4, opinion=analysis.to_dict() | change)
    assert "line 4 of the game record has no proper 'opinion'" in complaint(damaged)
    assert "line 4" in complaint(changed(text, 4, opinion="good"))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    assert "nothing.jsonl cannot be read" in complaint(tmp_path / "nothing.jsonl")
    (tmp_path / "picture").write_bytes(b"\xff\xd8\xff")
    assert "not text" in complaint(tmp_path / "picture")


def test_what_cannot_be_written_is_said_in_a_line(tmp_path):
    with pytest.raises(StorageError, match="cannot be written: No such file"):
        write_text(tmp_path / "nowhere" / "game.jsonl", "text")
