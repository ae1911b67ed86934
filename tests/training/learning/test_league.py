"""Who sits where while learning, and who is met more often."""

import numpy as np
import pytest

pytest.importorskip("torch")

from prico_agents.heuristics.corn import Corn
from prico_agents.random import RandomAgent
from prico_env import Games, RuleSet
from prico_training.config import Opponents
from prico_training.learning.league import LEARNER, League
from prico_training.learning.model import ActorCritic, FrozenNetwork

RULES = RuleSet(players=3)
ALL = np.ones(300, bool)


def a_league(n=300, **settings):
    agents = {"corn": Corn(), "random": RandomAgent()}
    return League(Opponents(**{"pool_size": 4} | settings), agents, (n, 3), seed=1)


def test_a_share_of_the_games_has_opponents_and_the_learner_sits_in_all():
    players = a_league(n=2000, share=0.25).players
    theirs = players != LEARNER
    assert theirs.any(axis=1).mean() == pytest.approx(0.25, abs=0.03)
    assert (theirs.sum(axis=1) < 3).all()
    assert theirs.mean(axis=0) == pytest.approx(np.full(3, 0.15), abs=0.03)


def test_at_a_table_all_opponents_are_the_same():
    for players in a_league(share=1.0).players:
        assert len(set(players[players != LEARNER])) == 1


def test_those_who_win_are_met_more_often():
    league = a_league(share=1.0, focus=2.0)
    for _ in range(200):
        winners = league.players != 1  # random play never wins, and corn beats the learner
        winners &= (league.players == 0) | ~(league.players == 0).any(axis=1, keepdims=True)
        league.finish(ALL, (winners / winners.sum(axis=1, keepdims=True)).astype(np.float32))
    assert league.win_rates == pytest.approx(np.array([[1.0, 1.0], [0.0, 0.0]]), abs=0.05)
    assert (league.players == 0).sum() > 10 * (league.players == 1).sum()


def test_an_opponent_that_wins_among_its_kind_is_met_among_its_kind():
    league = a_league(share=1.0, focus=2.0)
    for _ in range(200):
        theirs = league.players == 0
        many = theirs.sum(axis=1, keepdims=True) == 2
        winners = theirs == many
        league.finish(ALL, (winners / winners.sum(axis=1, keepdims=True)).astype(np.float32))
    assert league.win_rates[0] == pytest.approx([0.0, 1.0], abs=0.1)
    tables = np.bincount((league.players == 0).sum(axis=1), minlength=3)
    assert tables[2] > 10 * tables[1]


def test_the_main_agent_has_its_share_of_the_tables_however_it_fares():
    league = a_league(n=2000, share=0.5, main_agent="random", main_share=0.4)
    everywhere = np.ones(2000, bool)
    for _ in range(100):  # it never wins, and the other always does
        winners = league.players == 0
        seats = np.maximum(1, winners.sum(axis=1, keepdims=True))
        league.finish(everywhere, (winners / seats).astype(np.float32))
    with_main = (league.players == 1).any(axis=1).mean()
    assert with_main == pytest.approx(0.5 * 0.4, abs=0.03)
    assert (league.players == 0).any(axis=1).mean() == pytest.approx(0.5 * 0.6, abs=0.03)


def test_a_main_agent_without_others_is_the_only_opponent():
    agents = {"corn": Corn()}
    settings = Opponents(agents=("corn",), main_agent="corn", main_share=0.3)
    league = League(settings, agents, (500, 3), seed=1)
    assert (league.players == 0).any(axis=1).all()


def a_past_self():
    network = ActorCritic(RULES, (16,), 1)
    return FrozenNetwork(network.tables, network.to_weights(), greedy=False)


def test_opponents_decide_only_where_it_is_their_turn_and_only_what_is_allowed():
    league = a_league(share=0.7)
    league.add("past", a_past_self())
    games = Games(RULES, 300, autoreset=True)
    league.finish(ALL, np.full((300, 3), 1 / 3, np.float32))
    assert {LEARNER, 0, 1, 2} == set(league.players.ravel())
    for _ in range(50):
        actions = np.full(300, -1)
        is_learner = league.act(games, actions)
        assert (is_learner == (league.players[np.arange(300), games.turn] == LEARNER)).all()
        assert (actions[is_learner] == -1).all()
        assert games.masks[~is_learner, actions[~is_learner]].all()
        games.step(np.where(is_learner, games.sample(), actions))


def test_when_the_pool_is_full_the_oldest_leaves():
    league = a_league(share=1.0, pool_size=2)
    for name in ("old", "newer", "newest"):
        league.finish(ALL, np.full((300, 3), 1 / 3, np.float32))
        league.add(name, a_past_self())
    assert league.names == ["corn", "random", "newer", "newest"]
    assert league.players.max() <= 3
    assert league.win_rates.shape == (4, 2)


def test_without_opponents_the_learner_plays_against_itself():
    league = League(Opponents(), {}, (4, 3), seed=1)
    assert (league.players == LEARNER).all()
