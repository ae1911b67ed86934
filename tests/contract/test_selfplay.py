"""What a decision was worth, whoever moved in between."""

from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies

from prico_env import Games, PricoError, RuleSet
from prico_env.envs import PuertoRicoVectorEnv
from prico_env.selfplay import gae, gae_of_all_seats, returns_to_go
from tests.contract.random_players import choose


def gae_of_one_game(
    turns: list[int], ended: list[bool], rewards: Any, values: list[float], gae_lambda: float
) -> tuple[list[float], list[bool]]:
    """Estimate one game; seats act in the order of `turns`, the last one is still to come."""
    estimate = gae(
        np.array(rewards, np.float32)[:, None],
        np.array(values, np.float32)[:, None],
        np.array(turns, np.int8)[:, None],
        np.array(ended)[:, None],
        gae_lambda=gae_lambda,
    )
    return estimate.advantages[:, 0].tolist(), estimate.complete[:, 0].tolist()


def test_each_seat_compares_with_its_own_next_decision_and_all_are_paid_at_the_end() -> None:
    # Three players: 0 and 1 act twice, 2 once; 1 makes the last move and 0 wins. A new game begins.
    turns = [0, 1, 2, 0, 1, 2]
    ended = [False, False, False, False, True]
    nothing = [0, 0, 0]
    rewards = [nothing, nothing, nothing, nothing, [1, 0, -1]]
    values = [0.5, 0.25, 0.125, 0.75, 0.0625, 9.0]
    advantages, complete = gae_of_one_game(turns, ended, rewards, values, gae_lambda=0.5)
    last_of_0, last_of_1, last_of_2 = 1 - 0.75, 0 - 0.0625, -1 - 0.125
    first_of_0 = 0.75 - 0.5 + 0.5 * last_of_0
    first_of_1 = 0.0625 - 0.25 + 0.5 * last_of_1
    assert advantages == [first_of_0, first_of_1, last_of_2, last_of_0, last_of_1]
    assert all(complete)


def test_where_a_game_is_cut_the_next_decision_of_the_seat_to_act_is_known() -> None:
    # Seat 1 is to act when the rollout ends; what comes for 0 and 2 after their last is unknown.
    turns = [0, 1, 0, 2, 1]
    values = [0.5, 0.25, 0.75, 0.125, 1.0]
    rewards = np.zeros((4, 3))
    advantages, complete = gae_of_one_game(turns, [False] * 4, rewards, values, gae_lambda=0.5)
    assert complete == [True, True, False, False]
    assert advantages[0] == 0.75 - 0.5  # trusts what its seat expected at its last decision
    assert advantages[1] == 1.0 - 0.25


def test_a_new_game_tells_nothing_about_the_one_before() -> None:
    turns, ended = [0, 1, 2, 0], [False, True, False]
    rewards = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    advantages, complete = gae_of_one_game(turns, ended, rewards, [0.5, 0.5, 0.5, 0.5], 1.0)
    assert advantages[:2] == [-0.5, 0.5]
    assert complete == [True, True, False]


def test_rewards_on_the_way_belong_to_the_decision_before_them() -> None:
    turns = [0, 1, 1, 0]
    rewards = [[1, 0], [2, 4], [8, 0]]  # 0 earns while 1 is deciding
    advantages, _ = gae_of_one_game(turns, [False] * 3, rewards, [0, 0, 0, 0.5], gae_lambda=1.0)
    assert advantages[0] == 1 + 2 + 8 + 0.5
    assert advantages[1] == 4


def test_with_values_of_every_seat_all_bootstrap_where_the_rollout_ends() -> None:
    rewards, ended = np.zeros((3, 1, 3), np.float32), np.zeros((3, 1), bool)
    values = np.array([0.5, 0.25, 0.125, 9.0], np.float32)[:, None]
    seats = np.array([0, 1, 2, 0])[:, None]
    estimate = gae(rewards, values, seats, ended, last_values=np.array([[1.0, 2.0, 4.0]]))
    assert estimate.advantages[:, 0].tolist() == [1 - 0.5, 2 - 0.25, 4 - 0.125]
    assert estimate.returns[:, 0].tolist() == [1, 2, 4]
    assert estimate.complete.all()


def test_every_seat_compares_each_position_with_the_next() -> None:
    ended = np.array([False, False, True, False])[:, None]
    values = np.array([[0.5, 0.5], [0.75, 0.25], [0.5, 0.5], [0.5, 0.25], [1, 0]], np.float32)
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[2, 0] = 1, 0
    advantages = gae_of_all_seats(rewards, values[:, None], ended, gae_lambda=0.5).advantages
    third = np.array([1 - 0.5, 0 - 0.5])
    second = np.array([0.5 - 0.75, 0.5 - 0.25]) + 0.5 * third
    first = np.array([0.75 - 0.5, 0.25 - 0.5]) + 0.5 * second
    fourth = np.array([1 - 0.5, 0 - 0.25])
    assert advantages[:, 0].tolist() == [*map(list, (first, second, third, fourth))]


def test_positions_of_opponents_are_passed_over() -> None:
    counted = np.array([True, False, True, False])[:, None]
    ended = np.array([False, False, False, True])[:, None]
    values = np.array([0.5, 99.0, 0.25, 99.0, 99.0], np.float32)[:, None, None]
    rewards = np.zeros((4, 1, 1), np.float32)
    rewards[3] = 1.0
    estimate = gae_of_all_seats(rewards, values, ended, counted=counted, gae_lambda=0.5)
    assert estimate.advantages[:, 0, 0].tolist() == [0.25 - 0.5 + 0.5 * 0.75, 0, 1 - 0.25, 0]
    assert estimate.complete.tolist() == counted.tolist()


# -- beside a slow reference -----------------------------------------------------------------------


class Rollout(NamedTuple):
    rewards: np.ndarray
    values: np.ndarray
    seats: np.ndarray
    ended: np.ndarray
    last_values: np.ndarray


@strategies.composite
def rollouts(draw: Any, parts: tuple[int, ...] = ()) -> Rollout:
    """Any turn order, ends anywhere, steps in which nobody acts, games of various sizes."""
    steps, n, players = (draw(strategies.integers(1, most)) for most in (12, 3, 5))
    chance = np.random.default_rng(draw(strategies.integers(0, 2**32)))
    players_of = chance.integers(1, players, n, endpoint=True)
    return Rollout(
        chance.normal(size=(steps, n, players, *parts)).astype(np.float32),
        chance.normal(size=(steps + 1, n, *parts)).astype(np.float32),
        chance.integers(-draw(strategies.booleans()), players_of, (steps + 1, n)),
        chance.random((steps, n)) < draw(strategies.sampled_from([0.0, 0.2, 0.6])),
        chance.normal(size=(n, players, *parts)).astype(np.float32),
    )


def own_steps(rollout: Rollout, game: int, seat: int) -> list[list[int]]:
    """The steps at which a seat acted, a list for each game that was played in a slot."""
    episodes: list[list[int]] = [[]]
    for step in range(len(rollout.ended)):
        if rollout.seats[step, game] == seat:
            episodes[-1].append(step)
        if rollout.ended[step, game]:
            episodes.append([])
    return episodes


def slow_gae(
    rollout: Rollout, gamma: float, lam: float, use_last: bool
) -> tuple[np.ndarray, np.ndarray]:
    """GAE as its formula says: for each decision the sum over all later ones of its seat."""
    steps, n, num_seats = rollout.rewards.shape[:3]
    advantages = np.zeros(rollout.values[:-1].shape)
    complete = np.zeros((steps, n), bool)
    ends = [[*np.flatnonzero(rollout.ended[:, game]), steps] for game in range(n)]
    for game in range(n):
        for seat in range(num_seats):
            for episode, own in enumerate(own_steps(rollout, game, seat)):
                end = ends[game][episode]
                errors = []
                for step, following in zip_longest(own, own[1:]):
                    until = end if following is None else following - 1
                    paid = rollout.rewards[step : until + 1, game, seat].sum(axis=0, dtype=float)
                    expected: Any = 0.0
                    if following is not None:
                        expected = rollout.values[following, game]
                    elif end == steps and use_last:
                        expected = rollout.last_values[game, seat]
                    elif end == steps and rollout.seats[steps, game] == seat:
                        expected = rollout.values[steps, game]
                    elif end == steps:
                        break  # its next decision is not known
                    errors.append(paid + gamma * expected - rollout.values[step, game])
                for at, step in enumerate(own[: len(errors)]):
                    complete[step, game] = True
                    for later, error in enumerate(errors[at:]):
                        advantages[step, game] += (gamma * lam) ** later * error
    return advantages, complete


FACTORS = strategies.sampled_from([(1.0, 0.95), (0.9, 0.5), (1.0, 0.0), (0.5, 1.0), (1.0, 1.0)])


@settings(max_examples=150, deadline=None)
@given(rollouts() | rollouts((2,)), FACTORS, strategies.booleans())
def test_estimates_are_those_of_the_formula_for_each_seat_by_itself(
    rollout: Rollout, factors: tuple[float, float], use_last: bool
) -> None:
    gamma, lam = factors
    estimate = gae(
        *rollout[:4],
        gamma=gamma,
        gae_lambda=lam,
        last_values=rollout.last_values if use_last else None,
    )
    advantages, complete = slow_gae(rollout, gamma, lam, use_last)
    assert estimate.complete.tolist() == complete.tolist()
    assert estimate.advantages == pytest.approx(advantages, abs=1e-4)
    assert estimate.returns == pytest.approx(advantages + rollout.values[:-1], abs=1e-4)
    assert estimate.advantages.dtype == estimate.returns.dtype == np.float32


@settings(max_examples=100, deadline=None)
@given(rollouts() | rollouts((2,)), strategies.sampled_from([1.0, 0.9]))
def test_returns_are_what_a_seat_is_paid_to_the_end_of_its_game(
    rollout: Rollout, gamma: float
) -> None:
    returns, complete = returns_to_go(
        rollout.rewards, rollout.seats[:-1], rollout.ended, gamma=gamma
    )
    # With a value of 0 everywhere and lambda 1, advantages are returns.
    blank = rollout._replace(
        values=np.zeros_like(rollout.values), last_values=np.zeros_like(rollout.last_values)
    )
    expected, _ = slow_gae(blank, gamma, 1.0, use_last=True)
    assert returns == pytest.approx(expected, abs=1e-4)
    for game in range(rollout.ended.shape[1]):
        finished = np.flip(np.logical_or.accumulate(np.flip(rollout.ended[:, game])))
        acted = rollout.seats[:-1, game] >= 0
        assert complete[:, game].tolist() == (finished & acted).tolist()


@settings(max_examples=100, deadline=None)
@given(rollouts(), FACTORS)
def test_estimates_of_all_seats_are_those_of_one_seat_that_always_acts(
    rollout: Rollout, factors: tuple[float, float]
) -> None:
    gamma, lam = factors
    values = np.random.default_rng(len(rollout.ended)).normal(
        size=(len(rollout.ended) + 1, *rollout.last_values.shape)
    )
    counted = rollout.seats[:-1] >= 0
    estimate = gae_of_all_seats(
        rollout.rewards, values, rollout.ended, counted=counted, gamma=gamma, gae_lambda=lam
    )
    for seat in range(rollout.rewards.shape[2]):
        seats = np.vstack([np.where(counted, 0, -1), np.zeros_like(rollout.seats[:1])])
        alone = gae(
            rollout.rewards[:, :, [seat]],
            values[:, :, seat],
            seats,
            rollout.ended,
            gamma=gamma,
            gae_lambda=lam,
        )
        assert estimate.advantages[:, :, seat] == pytest.approx(alone.advantages, abs=1e-5)


# -- in games --------------------------------------------------------------------------------------


def test_every_seat_of_a_finished_game_learns_its_result_in_games_of_various_sizes() -> None:
    rules = [RuleSet(players=players) for players in (2, 3, 4, 5)]
    games = Games(rules, 4, seed=3, autoreset=True)
    steps = 1000
    seats, ended = np.zeros((steps, 4), np.int8), np.zeros((steps, 4), bool)
    rewards = np.zeros((steps, 4, games.num_seats), np.float32)
    for step in range(steps):
        seats[step] = games.turn
        games.step(games.sample())
        rewards[step], ended[step] = games.rewards, games.ended
    returns, complete = returns_to_go(rewards, seats, ended)
    for game, rule_set in enumerate(rules):
        end = int(np.flatnonzero(ended[:, game])[0])
        for seat in range(rule_set.players):
            own = np.flatnonzero(seats[: end + 1, game] == seat)
            assert (returns[own, game] == rewards[end, game, seat]).all()
            assert complete[own, game].all()


def test_the_step_in_which_a_vector_deals_anew_is_passed_over() -> None:
    envs = PuertoRicoVectorEnv(2, players=2)  # Gymnasium's NEXT_STEP
    _, info = envs.reset(seed=3)
    choices = np.random.default_rng(3)
    seats, paid, ends = [info["turn"]], [], []
    for _ in range(400):
        masks = info["action_mask"].astype(bool)
        _, _, terminated, truncated, info = envs.step(choose(masks, choices))
        seats.append(info["turn"])
        paid.append(info["rewards"])
        ends.append(terminated | truncated)
    ended = np.array(ends)
    assert ended.any(axis=0).all()
    zeros = np.zeros((401, 2), np.float32)
    estimate = gae(np.array(paid), zeros, np.array(seats), ended, gae_lambda=1.0)
    for game in range(2):
        end = int(np.flatnonzero(ended[:, game])[0])
        assert np.array(seats)[end + 1, game] == -1
        own = np.array(seats)[: end + 1, game]
        expected = np.array(paid)[end, game][own]
        assert estimate.advantages[: end + 1, game] == pytest.approx(expected)
        assert not estimate.complete[end + 1, game]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rewards": np.zeros((2, 3))}, r"shape \(steps, games, seats\).*not float64 of shape"),
        ({"values": np.zeros((2, 3))}, r"values are numbers of shape \(3, 3\).*\(2, 3\)"),
        ({"seats": np.full((3, 3), 2)}, "seats are 0 to 1.*not 2 to 2"),
        ({"ended": np.zeros((2, 3))}, r"ended is an array of truth values of shape \(2, 3\)"),
        ({"gamma": 1.5}, "gamma"),
        ({"gae_lambda": -1}, "gae_lambda"),
        ({"last_values": np.zeros(3)}, r"last_values are numbers of shape \(3, 2\)"),
    ],
)
def test_what_does_not_fit_together_is_explained(changes: dict[str, Any], message: str) -> None:
    proper: dict[str, Any] = {
        "rewards": np.zeros((2, 3, 2)),
        "values": np.zeros((3, 3)),
        "seats": np.zeros((3, 3), int),
        "ended": np.zeros((2, 3), bool),
    }
    with pytest.raises(PricoError, match=message):
        gae(**(proper | changes))
