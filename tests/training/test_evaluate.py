"""Matches are fair: the same deals for everybody, each from every seat; intervals are honest."""

import math

import numpy as np
import pytest

from agents.random import RandomAgent
from prico_env import Games, RuleSet
from training import evaluate
from training.config import ConfigError
from training.evaluate import Contestant, clustered_share, play_deals, play_match, rank

RULES = RuleSet(players=3)


class Prudent(RandomAgent):
    """Random, except that it never passes when something else is allowed."""

    def act(self, view):
        return view.choices[-1]


class Together:
    """Plays the last allowed action, in batches."""

    def reset(self, seat, rules, seed):
        pass

    def act(self, view):
        return view.choices[-1]

    def act_batch(self, observations, legal):
        return legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)


RANDOM = Contestant("random", RandomAgent)
PRUDENT = Contestant("prudent", Prudent)
TOGETHER = Contestant("together", Together)


def test_every_seating_and_every_match_plays_the_same_deals(monkeypatch):
    dealt = []

    class Watched(Games):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            dealt.append((self.seeds.tolist(), self.state["deck"].tobytes()))

    monkeypatch.setattr(evaluate, "Games", Watched)
    rank(RULES, [RANDOM, PRUDENT], deals=3, seed=40)
    assert len(dealt) == 2 * RULES.players
    assert dealt[0][0] == [40, 41, 42]
    assert all(each == dealt[0] for each in dealt)


def test_the_one_alone_sits_at_every_seat(monkeypatch):
    line_ups = []
    real = evaluate.play_deals

    def watched(rules, line_up, deals, seed):
        line_ups.append([contestant.name for contestant in line_up])
        return real(rules, line_up, deals, seed)

    monkeypatch.setattr(evaluate, "play_deals", watched)
    play_match(RULES, PRUDENT, RANDOM, deals=1, seed=1)
    assert [names.index("prudent") for names in line_ups] == [0, 1, 2]
    assert all(names.count("random") == 2 for names in line_ups)


def test_every_victory_is_given_out_exactly_once():
    results = play_deals(RULES, [RANDOM, PRUDENT, RANDOM], deals=6, seed=3)
    assert results.wins.sum(axis=1) == pytest.approx(np.ones(6))
    best = results.scores == results.scores.max(axis=1, keepdims=True)
    assert (results.wins[~best] == 0).all()


def test_a_game_that_was_cut_off_has_no_winner():
    """G167."""
    results = play_deals(RuleSet(players=3, max_rounds=2), [RANDOM] * 3, deals=2, seed=3)
    assert (results.wins == 0).all()


def test_the_same_seed_gives_the_same_match():
    one, two = (play_match(RULES, PRUDENT, RANDOM, deals=2, seed=5) for _ in range(2))
    assert (one.scores == two.scores).all()
    assert (one.wins == two.wins).all()


def test_playing_in_a_batch_changes_nothing():
    alone = play_deals(RULES, [PRUDENT, RANDOM, PRUDENT], deals=3, seed=9)
    batch = play_deals(RULES, [TOGETHER, RANDOM, TOGETHER], deals=3, seed=9)
    assert (alone.scores == batch.scores).all()


def test_a_ranking_puts_the_best_first():
    merchant = Contestant.of("merchant")
    ranking = rank(RULES, [RANDOM, merchant], deals=2, seed=1)
    assert [line.agent for line in ranking.standings] == ["merchant", "random"]
    assert ranking.standings[0].lead > 0 > ranking.standings[1].lead
    assert ranking.to_dict()["standings"][0]["against"]["random"]["mean"] > 0.5


def test_a_ranking_refuses_the_same_agent_twice():
    with pytest.raises(ConfigError, match="different agents"):
        rank(RULES, [RANDOM, RANDOM], deals=1, seed=1)


# -- intervals -------------------------------------------------------------------------------------


def test_independent_games_have_the_wilson_interval():
    wins = np.array([[1.0], [0.0]] * 50)
    estimate = clustered_share(wins)
    # Wilson for 50 of 100 by hand; the sample variance makes the effective size 99.
    square, size = 1.959964**2, 99
    half = 1.959964 / (1 + square / size) * math.sqrt(0.25 / size + square / (4 * size**2))
    assert estimate.mean == 0.5
    assert (estimate.low, estimate.high) == pytest.approx((0.5 - half, 0.5 + half))


def test_games_of_one_deal_that_agree_count_as_one():
    alone = clustered_share(np.array([[1.0], [0.0]] * 20))
    fourfold = clustered_share(np.array([[1.0] * 4, [0.0] * 4] * 20))
    assert (alone.low, alone.high) == pytest.approx((fourfold.low, fourfold.high))


def test_winning_everything_is_not_certainty():
    estimate = clustered_share(np.ones((10, 4)))
    assert estimate.mean == estimate.high == 1
    assert 0.6 < estimate.low < 0.8


@pytest.mark.parametrize("share", [0.25, 0.6, 0.9])
def test_intervals_hold_the_truth_about_as_often_as_they_say(share):
    chance = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        luck = chance.uniform(-0.1, 0.1, (40, 1))
        wins = (chance.random((40, 4)) < share + luck).astype(float)
        estimate = clustered_share(wins)
        held += estimate.low <= share <= estimate.high
    assert held >= 0.92 * 400


# -- contestants from files ------------------------------------------------------------------------


def test_a_contestant_may_come_from_a_file(tmp_path):
    path = tmp_path / "careful.yaml"
    path.write_text("agent: agents.heuristics.merchant:Merchant\nsettings: {}\n")
    contestant = Contestant.of(str(path))
    assert contestant.name == "careful"
    assert type(contestant.make()).__name__ == "Merchant"


@pytest.mark.parametrize("text", ["agent: 3", "agent: merchant\ncolour: red", "- 1", "a: ["])
def test_a_file_that_names_no_agent_is_refused(tmp_path, text):
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"wrong\.yaml"):
        Contestant.of(str(path))
