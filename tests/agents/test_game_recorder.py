"""Whole games, recorded decision by decision."""

import numpy as np
import pytest

from prico_agents import game_recorder
from prico_agents.base import View
from prico_agents.game_recorder import GameRecorder, PlannedGames
from prico_agents.heuristics.corn import Corn
from prico_agents.heuristics.planner import Planner
from prico_agents.random import RandomAgent
from prico_env import ALL_EXPANSIONS, Game, RuleSet

RULES = RuleSet(players=3)


def plan(games, players, seed=5, rules=RULES):
    chance = np.random.default_rng(seed)
    seeds = chance.integers(2**40, size=(2, games))
    line_ups = chance.integers(players, size=(games, rules.players))
    return PlannedGames(seeds[0], line_ups, line_ups * 7 + seeds[0, :, None], seeds[1])


def uncompiled(player):
    """The same player, as one that is asked through Python."""

    class Asked:
        def __init__(self):
            self._player = player()
            self.reset = self._player.reset

        def act(self, view: View) -> int:
            return self._player.act(view)

    return Asked


@pytest.mark.parametrize("rules", [RULES, RuleSet(2, expansions=ALL_EXPANSIONS)], ids=str)
def test_what_is_recorded_is_what_a_game_shows_when_its_actions_are_played_again(rules):
    games = plan(3, 2, rules=rules)
    played = GameRecorder(rules, [Planner, Corn], 0.1).record(games)
    for number, deal in enumerate(games.deals):
        game = Game(rules, seed=int(deal))
        for step, row in enumerate(np.flatnonzero(played.games == number)):
            assert played.steps[row] == step
            assert played.seats[row] == game.turn
            assert np.array_equal(played.observations[row], game.observation())
            assert np.array_equal(played.masks[row], game.mask())
            game.step(int(played.actions[row]))
        assert game.over
        win, place, score, lead = played.results[number].T.tolist()
        assert np.array(win) - 1 / rules.players == pytest.approx(game.rewards("win"))
        assert (place, score) == (game.ranking(), game.scores())
        assert lead == pytest.approx(game.rewards("margin") * 100)


def test_players_that_are_asked_one_by_one_play_and_explore_as_compiled_ones_do():
    players, games = [Corn, RandomAgent], plan(4, 2)
    compiled = GameRecorder(RULES, players, 0.2)
    asked = GameRecorder(RULES, [uncompiled(player) for player in players], 0.2)
    assert compiled.is_compiled
    assert not asked.is_compiled
    for ours, theirs in zip(compiled.record(games), asked.record(games), strict=True):
        assert np.array_equal(ours, theirs)


def test_the_policys_own_action_is_kept_where_another_one_was_explored():
    played = GameRecorder(RULES, [Corn], 0.5).record(plan(10, 1))
    rows = np.arange(len(played.actions))
    explored = played.actions != played.policy_actions
    assert 0.2 < explored.mean() < 0.5  # a random action may be the same one
    assert played.masks[rows, played.actions].all()
    assert played.masks[rows, played.policy_actions].all()


def test_games_that_are_longer_than_expected_are_recorded_whole(monkeypatch):
    usual = GameRecorder(RULES, [Corn]).record(plan(3, 1))
    monkeypatch.setattr(game_recorder, "_DECISIONS_OF_A_SEAT", 5)
    cramped = GameRecorder(RULES, [Corn]).record(plan(3, 1))
    for ours, theirs in zip(usual, cramped, strict=True):
        assert np.array_equal(ours, theirs)


def test_a_recorder_is_used_for_more_and_for_fewer_games():
    recorder = GameRecorder(RULES, [Corn])
    for games in (1, 4, 2):
        assert set(recorder.record(plan(games, 1)).games) == set(range(games))
