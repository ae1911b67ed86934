"""What a decision was worth, whoever moved in between."""

import numpy as np
import pytest

pytest.importorskip("torch")

from prico_env import RuleSet
from prico_training.learning.rollout import (
    Collector,
    fill_sampled_actions,
    from_seat,
    margins,
    to_seat,
)
from prico_training.learning.shaping import Potential

RULES = RuleSet(players=3)


class AnyMove:
    """Likes every action as much, and expects nothing."""

    def __init__(self, value_seats):
        self.value_seats = value_seats

    def policy_and_value(self, observations, rules):
        n = len(observations)
        return (
            np.zeros((n, RULES.num_actions), np.float32),
            np.zeros((n, self.value_seats, 2), np.float32),
        )


def test_numbers_turn_with_the_seat_and_back():
    by_seat = np.array([[10, 11, 12], [20, 21, 22]])
    seats = np.array([1, 2], np.int8)
    turned = from_seat(by_seat, seats)
    assert turned.tolist() == [[11, 12, 10], [22, 20, 21]]
    assert to_seat(turned, seats).tolist() == by_seat.tolist()


def test_a_margin_is_what_parts_a_seat_from_the_best_of_the_others():
    scores = np.array([[40, 30, 38], [10, 50, 50]], np.int16)
    expected = [[0.1, -0.5, -0.1], [-1.0, 0.0, 0.0]]
    assert margins(scores) == pytest.approx(np.array(expected, np.float32))


def test_actions_are_drawn_as_often_as_their_logits_say_and_never_a_forbidden_one():
    chances = (np.arange(1000) + 0.5) / 1000
    logits = np.tile(np.log(np.array([1, 2, 100, 1], np.float32)), (1000, 1))
    masks = np.tile([True, True, False, True], (1000, 1))
    actions, log_probs = np.zeros(1000, np.int64), np.zeros(1000, np.float32)
    fill_sampled_actions(logits, masks, chances, actions, log_probs)
    assert np.bincount(actions).tolist() == [250, 500, 0, 250]
    assert np.exp(log_probs) == pytest.approx(np.where(actions == 1, 0.5, 0.25))


@pytest.mark.parametrize("value_seats", [1, 3])
def test_a_rollout_holds_allowed_actions_and_pays_every_seat_when_games_end(value_seats):
    collector = Collector(RULES, 8, 400, value_seats, None, seed=3)
    rollout = collector.collect(AnyMove(value_seats))
    allowed = np.unpackbits(rollout.masks, axis=2, count=RULES.num_actions)
    assert np.take_along_axis(allowed, rollout.actions[:, :, None], axis=2).all()
    assert rollout.ended.any()
    assert collector.played == rollout.ended.sum()
    paid = rollout.rewards[..., 0].sum(axis=2)
    assert paid[rollout.ended] == pytest.approx(1)
    assert not rollout.rewards[~rollout.ended].any()


def test_the_games_of_a_rollout_are_those_of_the_same_seeds_played_anywhere():
    collector = Collector(RULES, 4, 350, 1, None, seed=11)
    rollout = collector.collect(AnyMove(1))
    from prico_env import Games

    games = Games(RULES, 4, seed=11, autoreset=True)
    for step in range(350):
        assert (games.turn == rollout.seats[step]).all()
        assert (games.observations == rollout.observations[step]).all()
        games.step(rollout.actions[step])
        assert (games.ended == rollout.ended[step]).all()


def test_shaping_cancels_out_over_a_game_but_for_where_it_began():
    # Shares of the victory sum to 1, and all shaping of a game to minus the potential of the deal.
    plain, shaped = (Collector(RULES, 3, 400, 3, None, seed=3) for _ in range(2))
    shaped.shaping_coef = 0.5
    at_the_deal = Potential().of(shaped.games)
    without, with_shaping = plain.collect(AnyMove(3)), shaped.collect(AnyMove(3))
    assert (without.actions == with_shaping.actions).all()
    extra = with_shaping.rewards[..., 0] - without.rewards[..., 0]
    for game in range(3):
        end = int(np.flatnonzero(without.ended[:, game])[0])
        assert extra[: end + 1, game].sum(axis=0) == pytest.approx(
            -0.5 * at_the_deal[game], abs=1e-4
        )
        assert np.abs(extra[:end, game]).max() > 0.001
    assert (with_shaping.rewards[..., 1] == without.rewards[..., 1]).all()
