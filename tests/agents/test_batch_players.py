"""Compiled players among many games, and what they show."""

import numpy as np
import pytest

from prico_agents import as_opponent
from prico_agents.batch_players import NOBODY, BatchPlayers, Demonstrator
from prico_agents.compiled import play_games
from prico_agents.heuristics.corn import Corn
from prico_agents.heuristics.planner import Planner
from prico_agents.random import RandomAgent
from prico_env import Games, RuleSet
from prico_env.envs.learner_batch import LearnerBatch
from prico_env.envs.opponents import Opponent

RULES = RuleSet(players=3)


def test_players_decide_only_in_games_that_wait_for_them():
    games = Games(RULES, 6)
    actions = np.full(6, -7)
    players = np.array([0, NOBODY, 1, 0, NOBODY, 1])
    BatchPlayers([Corn(), RandomAgent()], 6, seed=1).choose(games, players, actions)
    waits = players != NOBODY
    assert (actions[~waits] == -7).all()
    assert games.masks[waits, actions[waits]].all()


def test_players_keep_their_strength_in_a_batch():
    games = Games(RULES, 60, autoreset=False)
    everywhere = BatchPlayers([Corn(), RandomAgent()], 60, seed=1)
    while not games.over.all():
        players = np.where(games.over, NOBODY, np.where(games.turn == 1, 0, 1))
        actions = np.full(60, -1)
        everywhere.choose(games, players.astype(np.int64), actions)
        games.step(actions)
    assert (games.places()[:, 1] == 1).mean() > 0.9


def teachers(others=(), epsilon=0.0, games=20):
    return Demonstrator(RULES, Planner(), others, games, epsilon, seed=3)


def test_a_lesson_shows_allowed_actions_and_how_each_game_ends():
    lesson = teachers().show(0)
    rows = np.arange(len(lesson.actions))
    assert lesson.masks[rows, lesson.actions].all()
    assert (lesson.masks.sum(axis=1) > 1).all()
    assert set(lesson.games) == set(range(20))
    assert lesson.shares.sum(axis=1) == pytest.approx(1)
    best = lesson.scores == lesson.scores.max(axis=1, keepdims=True)
    assert best[lesson.shares > 0].all()
    assert lesson.taught.all()


def test_the_games_of_a_lesson_are_those_that_are_played_anywhere():
    lesson = Demonstrator(RULES, Corn(), (), 100, 0.0, seed=3).show(0)
    played = play_games(RULES, [Corn()] * 3, np.arange(100), np.arange(300).reshape(100, 3))
    assert len(lesson.actions) == pytest.approx(played.decisions.sum(), rel=0.05)
    assert lesson.scores.mean() == pytest.approx(played.games.scores().mean(), rel=0.05)


def test_what_is_shown_is_what_the_player_of_that_seat_saw():
    lesson = teachers().show(0)
    own_vp = next(block.start for block in RULES.observation.blocks if block.name == "self.vp")
    own_scores = lesson.scores[lesson.games, lesson.seats]
    assert (lesson.observations[:, own_vp] <= own_scores).all()


def test_each_lesson_is_another_and_its_number_gives_the_same_one_again():
    ours, theirs = teachers(), teachers()
    first = ours.show(0).actions.copy()
    assert not np.array_equal(first, ours.show(1).actions)
    assert np.array_equal(first, theirs.show(0).actions)
    assert np.array_equal(first, ours.show(0).actions)


def test_only_what_the_teacher_does_is_taught():
    lesson = teachers(others=(RandomAgent(),), games=50).show(0)
    assert 0.3 < lesson.taught.mean() < 0.7
    for game in range(50):
        for seat in range(3):
            here = lesson.taught[(lesson.games == game) & (lesson.seats == seat)]
            assert here.all() or not here.any()


def test_random_actions_lead_to_other_games_but_are_not_shown():
    careful, careless = teachers().show(0), teachers(epsilon=0.9).show(0)
    rows = np.arange(len(careless.actions))
    assert careless.masks[rows, careless.actions].all()
    assert careful.scores.mean() > careless.scores.mean() + 3


# -- opponents -------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_compiled_opponents_play_to_the_learners_turn_as_they_would_one_by_one(
    threads: int,
) -> None:
    """The same deals, seats and players without chance: the same games, whoever asks them."""
    names = ["corn", "builder"]
    together = LearnerBatch(RuleSet(players=3), 6, opponents=names, seed=1, threads=threads)
    one_by_one = LearnerBatch(RuleSet(players=3), 6, opponents=[*map(_apart, names)], seed=1)
    for batch in (together, one_by_one):
        batch.deal(seed=5)
    for _ in range(70):
        assert together.games.state.tobytes() == one_by_one.games.state.tobytes()
        np.testing.assert_array_equal(together.features(), one_by_one.features())
        np.testing.assert_array_equal(together.action_masks(), one_by_one.action_masks())
        np.testing.assert_array_equal(together.payments, one_by_one.payments)
        actions = together.action_masks().argmax(axis=1)
        for batch in (together, one_by_one):
            over = batch.over
            batch.step(actions)
            batch.deal(where=over) if over.any() else None


def _apart(name: str) -> Opponent:
    """An agent that is asked one decision at a time, because nothing tells that it is compiled."""
    opponent = as_opponent(name)
    return lambda game, seat, rng: opponent(game, seat, rng)
