"""The pool: the learner as it is, its past selves and chance, in the shares that were asked for."""

import dataclasses

import numpy as np
import pytest

from agents.neural.network import FORBIDDEN, Network, best, draw
from training.config import SelfPlay
from training.opponents import LATEST, RANDOM, Pool

FEATURES, ACTIONS = 6, 4


def weights(favourite):
    """A network of one layer that likes one action, whatever it sees."""
    bias = np.zeros(ACTIONS, np.float32)
    bias[favourite] = 50
    return {
        "layer_0.weight": np.zeros((ACTIONS, FEATURES), np.float32),
        "layer_0.bias": bias,
    }


def pool(**changes):
    settings = dataclasses.replace(SelfPlay(games=4000, pool_size=2), **changes)
    made = Pool(settings, seed=1)
    made.learner = Network(weights(0))
    return made


def ask(made, games, legal=None):
    number = len(games)
    return made.act(
        np.zeros((number, FEATURES), np.uint8),
        np.ones((number, ACTIONS), bool) if legal is None else legal,
        np.zeros(number, int),
        np.asarray(games),
    )


def assign(made, seed=3):
    made.assign(np.ones(len(made.players), bool), np.random.default_rng(seed))


def test_the_shares_are_those_of_the_settings():
    made = pool(latest=0.5, past=0.3)
    made.add("one", weights(1))
    made.add("two", weights(2))
    assign(made)
    share = {player: np.mean(made.players == player) for player in (RANDOM, LATEST, 1, 2)}
    assert share == pytest.approx({RANDOM: 0.2, LATEST: 0.5, 1: 0.15, 2: 0.15}, abs=0.03)


def test_without_past_selves_their_share_goes_to_the_learner():
    made = pool(latest=0.5, past=0.3)
    assign(made)
    assert np.mean(made.players == LATEST) == pytest.approx(0.8, abs=0.03)


def test_each_game_is_played_by_whom_it_was_given_to():
    made = pool()
    made.add("one", weights(1))
    made.add("two", weights(2))
    made.players[:4] = [2, LATEST, 1, 2]
    assert ask(made, [3, 2, 1, 0]).tolist() == [2, 1, 0, 2]


def test_a_random_opponent_plays_every_allowed_action_and_no_other():
    """G164."""
    made = pool()
    made.players[:] = RANDOM
    legal = np.zeros((3000, ACTIONS), bool)
    legal[:, [1, 3]] = True
    chosen = ask(made, range(3000), legal)
    assert np.bincount(chosen, minlength=4) / 3000 == pytest.approx([0, 0.5, 0, 0.5], abs=0.04)


def test_the_learner_in_the_pool_is_always_up_to_date():
    live = weights(0)
    made = pool()
    made.learner = Network(live)
    made.players[:] = LATEST
    assert ask(made, [0]).tolist() == [0]
    live["layer_0.bias"][:] = [0, 0, 50, 0]
    assert ask(made, [0]).tolist() == [2]


def test_a_past_self_stays_as_it_was():
    live = weights(1)
    made = pool()
    made.add("one", live)
    live["layer_0.bias"][:] = [0, 0, 50, 0]
    made.players[:] = 1
    assert ask(made, [0]).tolist() == [1]


def test_the_oldest_leaves_and_its_games_go_on():
    made = pool()
    for number, name in enumerate(("one", "two", "three"), start=1):
        made.add(name, weights(number))
        made.players[:3] = [1, min(number, 2), LATEST]
    assert made.names == ["two", "three"]
    made.players[:2] = [1, 2]
    assert ask(made, [0, 1]).tolist() == [2, 3]


def test_only_games_that_were_dealt_change_hands():
    made = pool(latest=0.0, past=0.0)
    dealt = np.zeros(4000, bool)
    dealt[7] = True
    made.assign(dealt, np.random.default_rng(1))
    assert np.flatnonzero(made.players == RANDOM).tolist() == [7]


def test_drawing_follows_the_softmax_and_never_the_mask():
    logits = np.tile(np.array([0, np.log(3), FORBIDDEN, 0], np.float32), (5000, 1))
    shares = np.bincount(draw(logits, np.random.default_rng(1)), minlength=4) / 5000
    assert shares == pytest.approx([0.2, 0.6, 0, 0.2], abs=0.03)
    assert best(logits[:1]).tolist() == [1]


def test_no_logit_is_low_enough_to_prefer_what_is_not_allowed():
    """G158."""
    made = Network(weights(0))
    made_bad = weights(0)
    made_bad["layer_0.bias"][:] = [3e38, -3e38, 0, 0]
    legal = np.array([[False, True, False, False]])
    for network in (made, Network(made_bad)):
        logits = network.logits(np.zeros((1, FEATURES), np.uint8), legal)
        assert best(logits).tolist() == [1]
        assert draw(logits, np.random.default_rng(1)).tolist() == [1]
