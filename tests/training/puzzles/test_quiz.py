"""Puzzles for a person: which are asked, and what is said to an answer."""

import pytest

from prico_env import RuleSet
from prico_env.errors import IllegalActionError
from prico_env.text.localization import codes, override
from prico_training.puzzles import PuzzleError, ask_agent, make_puzzles, quiz, read_puzzles
from prico_training.puzzles.quiz import (
    NATURAL_PLAYERS,
    fresh_puzzles,
    judge_answer,
    misled_players,
    quiz_puzzles,
)

PUZZLES = read_puzzles()
TILE = PUZZLES["self-play 45"]
MARKET = PUZZLES["self-play 20"]


def test_puzzles_are_asked_where_a_natural_player_errs():
    choices = {name: ask_agent(name).choices for name in NATURAL_PLAYERS}
    asked = quiz_puzzles()
    for puzzle in PUZZLES.values():
        wrong = [name for name in choices if choices[name][puzzle.name] not in puzzle.answers]
        assert bool(wrong) == (puzzle in asked)
        assert misled_players(puzzle) == tuple(wrong)
    assert sorted(each.name for each in quiz_puzzles(easy=True)) == sorted(PUZZLES)


def test_the_order_is_drawn_from_the_seed_and_a_kind_can_be_chosen():
    assert quiz_puzzles(seed=3) == quiz_puzzles(seed=3) != quiz_puzzles(seed=4)
    assert {each.kind.name for each in quiz_puzzles(kind="load")} == {"LOAD"}
    with pytest.raises(PuzzleError, match="the kinds are choose_role, buy"):
        quiz_puzzles(kind="ship")
    sure = {name: each for name, each in PUZZLES.items() if not misled_players(each)}
    with pytest.raises(PuzzleError, match="--easy asks the others"):
        quiz_puzzles(sure)


def test_an_answer_is_judged_and_explained():
    game = TILE.game()
    right = judge_answer(TILE, game.parse("take:tobacco"))
    assert (right.is_right, right.best) == (True, game.parse("take:tobacco"))
    assert right.headline == "Right: Take a tobacco estate."
    wrong = judge_answer(TILE, game.parse("pass"))
    assert (wrong.is_right, wrong.best) == (False, right.best)
    assert wrong.headline == "Not the best: Take no tile. The best is: Take a tobacco estate."
    said = "\n".join(wrong.reasons)
    assert "4 deep searches agree" in said
    assert "to win; Take no tile: " in said
    assert "+0.7 from Estates" in said
    assert "After Take a tobacco estate it expects: player 2" in said
    assert "corn, builder, trader, planner" in said


def test_what_is_not_allowed_is_no_answer():
    with pytest.raises(IllegalActionError, match="may not take"):
        judge_answer(TILE, MARKET.game().parse("build:small_market"))


@pytest.mark.parametrize("language", codes())
def test_an_explanation_comes_in_every_language(language):
    with override(language):
        verdict = judge_answer(MARKET, MARKET.game().parse("pass"))
    assert all("{" not in each for each in (verdict.headline, *verdict.reasons))
    assert (verdict.headline.startswith("Not the best")) == (language == "en")


def test_new_puzzles_are_looked_for_where_natural_players_differ(monkeypatch):
    monkeypatch.setattr(make_puzzles, "SEARCHES", ("mcts:60", "mcts:80"))
    monkeypatch.setattr(make_puzzles, "NETWORK_SEARCH", "mcts:40")
    monkeypatch.setattr(make_puzzles, "LEAST_SHARE", 0.3)
    monkeypatch.setattr(make_puzzles, "LEAST_LEAD", -1.0)
    monkeypatch.setattr(make_puzzles, "VARIANTS", 2)
    monkeypatch.setattr(make_puzzles, "DEALS", 2)
    monkeypatch.setattr(make_puzzles, "PLAYERS", ("corn", "trader"))
    looked = []

    def goes_on():
        looked.append(True)
        return len(looked) < 60

    found = [each for each in fresh_puzzles(5, goes_on, [RuleSet(3, max_rounds=4)]) if each]
    assert found
    for puzzle in found:
        puzzle.check()
        assert misled_players(puzzle)
        assert puzzle.name.startswith("fresh ")
    assert len({each.played["seed"] for each in found}) == len(found)
    assert len(looked) == 60


def test_nobody_looks_on_after_the_time_is_over():
    assert quiz.deadline(1)()
    assert not quiz.deadline(0)()
    assert list(fresh_puzzles(1, lambda: False, [RuleSet(3, max_rounds=1)])) == []
