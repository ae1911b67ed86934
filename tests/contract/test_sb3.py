"""The Stable-Baselines3 environment: what one learner meets in a batch, and MaskablePPO on it."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from prico_env import IllegalActionError, PricoError, RuleSet
from prico_env.envs import random_opponent
from tests.contract.random_players import EVERY_TABLE, choose, table_name

pytest.importorskip("stable_baselines3")

from prico_env.envs import PuertoRicoVecEnv

every_table = pytest.mark.parametrize("rules", EVERY_TABLE, ids=table_name)


def masks_of(envs: PuertoRicoVecEnv) -> np.ndarray:
    return np.stack(envs.env_method("action_masks"))


@every_table
def test_every_transition_is_a_decision_of_the_learner(rules: RuleSet) -> None:
    envs = PuertoRicoVecEnv(4, rules, seed=3)
    choices = np.random.default_rng(3)
    observations = envs.reset()
    for _ in range(40):
        masks = masks_of(envs)
        assert masks.dtype == np.bool_
        assert masks.any(axis=1).all()
        for number, seat in enumerate(envs.seated.seats):
            game = envs.seated.games[number]
            assert game.turn == seat
            np.testing.assert_array_equal(masks[number], game.mask())
            expected = rules.observation.scale(game.observation(seat))
            np.testing.assert_array_equal(observations[number], expected)
            assert envs.observation_space.contains(observations[number])
        observations, *_ = envs.step(choose(masks, choices))


@pytest.mark.parametrize("scheme", ["win", "rank", "margin"])
def test_the_learner_is_paid_at_the_end_whoever_moved_last(scheme: str) -> None:
    """G145, G146, G157: the reward of its own seat, once, in the step that ends its game."""

    def choose_any(observations: np.ndarray, masks: np.ndarray, games: np.ndarray) -> np.ndarray:
        return choose(masks, choices)

    envs = PuertoRicoVecEnv(8, players=4, seed=1, reward=scheme, opponents=choose_any)
    ends = []
    deal = envs.seated.deal

    def note_the_end_and_deal(seed: Any = None, where: Any = None) -> None:
        """Look at the finished games just before they make room for the next."""
        for number in np.flatnonzero(envs.seated.games.over):
            game = envs.seated.games[int(number)]
            ends.append((int(number), int(envs.seated.seats[number]), game, movers[number]))
        deal(seed, where)

    envs.seated.deal = note_the_end_and_deal  # type: ignore[method-assign]
    movers = np.zeros(8, dtype=int)
    step = envs.seated.games.step

    def note_the_mover_and_step(actions: np.ndarray) -> None:
        moved = (actions >= 0) & ~envs.seated.games.over
        movers[moved] = envs.seated.games.turn[moved]
        step(actions)

    envs.seated.games.step = note_the_mover_and_step  # type: ignore[method-assign]
    choices = np.random.default_rng(1)
    envs.reset()
    ends.clear()
    totals = np.zeros(8)
    moved_last = {True: 0, False: 0}
    while min(moved_last.values()) < 1:
        ends.clear()
        _, rewards, dones, infos = envs.step(choose(masks_of(envs), choices))
        totals += rewards
        assert sorted(number for number, *_ in ends) == np.flatnonzero(dones).tolist()
        assert not rewards[~dones].any()
        for number, seat, game, mover in ends:
            own = game.rewards(scheme)[seat]
            assert rewards[number] == pytest.approx(own)
            assert totals[number] == pytest.approx(own)
            assert infos[number]["episode"]["r"] == pytest.approx(own)
            moved_last[bool(mover == seat)] += 1
            totals[number] = 0.0


def test_the_end_of_an_episode_is_told() -> None:
    envs = PuertoRicoVecEnv(8, players=3, seed=2)
    choices = np.random.default_rng(2)
    envs.reset()
    lengths = np.zeros(8, dtype=int)
    told = 0
    while told < 16:
        seats = envs.seated.seats.copy()
        observations, _, dones, infos = envs.step(choose(masks_of(envs), choices))
        lengths += 1
        for number, info in enumerate(infos):
            assert bool(info) == dones[number]
            if not info:
                continue
            episode = info["episode"]
            assert episode["l"] == lengths[number]
            assert episode["seat"] == seats[number]
            assert 1 <= episode["place"] <= 3
            assert (episode["win"] > 0) == (episode["place"] == 1)
            assert episode["r"] == pytest.approx(episode["win"] - 1 / 3, abs=1e-6)
            assert envs.observation_space.contains(info["terminal_observation"])
            assert not np.array_equal(info["terminal_observation"], observations[number])
            assert info["TimeLimit.truncated"] is False
            lengths[number] = 0
            told += 1


def test_a_cut_off_game_is_a_truncation_without_a_winner() -> None:
    """G167: SB3 then takes the value of the last view for what was still to come."""
    envs = PuertoRicoVecEnv(4, players=3, max_rounds=1, seed=2)
    choices = np.random.default_rng(2)
    envs.reset()
    ended = 0
    while ended < 8:
        _, rewards, dones, infos = envs.step(choose(masks_of(envs), choices))
        assert not rewards.any()
        for number in np.flatnonzero(dones):
            assert infos[number]["TimeLimit.truncated"] is True
            assert infos[number]["episode"]["win"] == 0.0
            assert "terminal_observation" in infos[number]
            ended += 1


def test_shaping_adds_up_to_nothing() -> None:
    """G166."""
    envs = PuertoRicoVecEnv(6, players=4, shaping=0.05, seed=4)
    choices = np.random.default_rng(4)
    envs.reset()
    told = 0
    while told < 8:
        *_, infos = envs.step(choose(masks_of(envs), choices))
        for info in infos:
            if info:
                expected = info["episode"]["win"] - 0.25
                assert info["episode"]["r"] == pytest.approx(expected, abs=1e-5)
                told += 1


def test_learners_sit_at_every_seat_in_turn() -> None:
    """G161."""
    envs = PuertoRicoVecEnv(8, players=4, seed=1)
    envs.reset()
    assert envs.seated.seats.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    envs.reset()
    assert envs.seated.seats.tolist() == [1, 2, 3, 0, 1, 2, 3, 0]
    drawn = PuertoRicoVecEnv(64, players=4, seed=1, seat="random")
    drawn.reset()
    assert set(drawn.seated.seats.tolist()) == {0, 1, 2, 3}
    fixed = PuertoRicoVecEnv(3, players=4, seed=1, seat=2)
    fixed.reset()
    assert fixed.seated.seats.tolist() == [2, 2, 2]


# -- opponents -------------------------------------------------------------------------------------


class Pool:
    """Two kinds of opponents, drawn for each game: one takes low numbers, one takes high ones."""

    def __init__(self, num_games: int) -> None:
        self.low = np.zeros(num_games, dtype=bool)
        self.dealt = 0
        self.asked = 0

    def assign(self, dealt: np.ndarray, rng: np.random.Generator) -> None:
        self.low[dealt] = rng.random(int(dealt.sum())) < 0.5
        self.dealt += int(dealt.sum())

    def act(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, games: np.ndarray
    ) -> np.ndarray:
        assert observations.dtype == np.uint8
        assert masks.dtype == np.bool_
        assert len(observations) == len(masks) == len(seats) == len(games)
        self.asked += len(games)
        lowest = masks.argmax(axis=1)
        highest = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.where(self.low[games], lowest, highest)


def test_a_pool_plays_the_other_seats_and_is_told_of_every_deal() -> None:
    pool = Pool(6)
    envs = PuertoRicoVecEnv(6, players=3, seed=1, opponents=pool)
    choices = np.random.default_rng(1)
    envs.reset()
    assert pool.dealt == 6
    ended = 0
    for _ in range(120):
        *_, dones, _ = envs.step(choose(masks_of(envs), choices))
        ended += int(dones.sum())
    assert ended > 0
    assert pool.dealt == 6 + ended
    assert pool.asked > 120


def test_a_plain_batch_callable_may_play_the_other_seats() -> None:
    asked = []

    def choose_first(observations: np.ndarray, masks: np.ndarray, games: np.ndarray) -> np.ndarray:
        asked.append(len(games))
        return masks.argmax(axis=1)

    envs = PuertoRicoVecEnv(6, players=3, seed=1, opponents=choose_first)
    envs.reset()
    envs.step(masks_of(envs).argmax(axis=1))
    assert max(asked) <= 6
    assert asked


def test_opponents_of_single_games_may_play_too() -> None:
    envs = PuertoRicoVecEnv(3, players=3, seed=1, opponents=[random_opponent, random_opponent])
    envs.reset()
    for _ in range(10):
        envs.step(masks_of(envs).argmax(axis=1))


def test_an_opponent_that_breaks_the_rules_is_stopped() -> None:
    def cheat(observations: np.ndarray, masks: np.ndarray, games: np.ndarray) -> np.ndarray:
        return np.full(len(games), 139)

    envs = PuertoRicoVecEnv(3, players=3, seed=1, opponents=cheat)
    with pytest.raises(IllegalActionError, match="not allowed"):
        envs.reset()


# -- what SB3 asks for -----------------------------------------------------------------------------


def test_seeds_repeat_and_go_on() -> None:
    def some_play(seed: int | None, make_seed: int) -> tuple[bytes, bytes]:
        envs = PuertoRicoVecEnv(4, players=4, seed=make_seed)
        if seed is not None:
            envs.seed(seed)
        envs.reset()
        first = envs.seated.games.state.tobytes()
        for _ in range(30):
            envs.step(masks_of(envs).argmax(axis=1))
        return first, envs.seated.games.state.tobytes()

    assert some_play(None, 5) == some_play(None, 5)
    assert some_play(5, 1) == some_play(5, 2)
    assert some_play(None, 5) != some_play(None, 6)


def test_attributes_and_methods_are_found_the_way_sb3_looks_for_them() -> None:
    envs = PuertoRicoVecEnv(3, players=3)
    envs.reset()
    assert envs.has_attr("action_masks")
    assert not envs.has_attr("nonsense")
    assert envs.get_attr("render_mode") == [None, None, None]
    assert envs.get_attr("rules", indices=[0, 2]) == [envs.rules, envs.rules]
    assert envs.env_method("action_masks", indices=[1]).shape == (1, 140)
    assert envs.env_is_wrapped(object) == [False] * 3
    envs.set_attr("note", 1)
    assert envs.get_attr("note") == [1, 1, 1]
    with pytest.raises(PricoError, match="leave indices out"):
        envs.set_attr("note", 1, indices=[0])
    with pytest.raises(AttributeError, match="no method 'jump'"):
        envs.env_method("jump")
    envs.close()


def test_masks_handed_out_do_not_change_later() -> None:
    envs = PuertoRicoVecEnv(3, players=3)
    observations = envs.reset()
    masks = masks_of(envs)
    kept, seen = masks.copy(), observations.copy()
    envs.step(masks.argmax(axis=1))
    np.testing.assert_array_equal(masks, kept)
    np.testing.assert_array_equal(observations, seen)


def test_features_may_stay_integers() -> None:
    envs = PuertoRicoVecEnv(3, players=3, scaling="raw")
    observations = envs.reset()
    assert observations.dtype == np.uint8
    assert all(envs.observation_space.contains(row) for row in observations)


def test_illegal_actions_are_refused() -> None:
    """G158: SB3 must be given the masks."""
    envs = PuertoRicoVecEnv(3, players=3)
    envs.reset()
    with pytest.raises(IllegalActionError, match="3 of 3 actions are not allowed"):
        envs.step(np.array([0, 0, 139]))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_copy_of_a_running_batch_has_the_same_future(copied: Any) -> None:
    """G142."""
    envs = PuertoRicoVecEnv(4, players=3, seed=6)
    envs.reset()
    for _ in range(20):
        envs.step(masks_of(envs).argmax(axis=1))
    twin = copied(envs)
    for one in (twin, envs):
        for _ in range(60):
            one.step(masks_of(one).argmax(axis=1))
    assert (twin.seated.games.state == envs.seated.games.state).all()


def test_pictures_of_the_games_tile() -> None:
    envs = PuertoRicoVecEnv(2, players=2, render_mode="rgb_array")
    envs.reset()
    picture = envs.render()
    assert picture.ndim == 3
    assert picture.dtype == np.uint8


@pytest.mark.parametrize("wrapped", [False, True], ids=["bare", "monitored"])
def test_maskable_ppo_learns_on_it_and_predicts_with_masks(wrapped: bool) -> None:
    """G158: at rollout, evaluation and prediction."""
    contrib = pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.vec_env import VecMonitor

    envs: Any = PuertoRicoVecEnv(8, players=3, seed=1)
    if wrapped:
        envs = VecMonitor(envs)
    model = contrib.MaskablePPO(
        "MlpPolicy", envs, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu",
        policy_kwargs={"net_arch": [16]},
    )  # fmt: skip
    model.learn(256)
    observations = envs.reset()
    masks = np.stack(envs.env_method("action_masks"))
    actions, _ = model.predict(observations, action_masks=masks)
    assert masks[np.arange(8), actions].all()
    rewards, _ = evaluate_policy(model, envs, n_eval_episodes=8, warn=False)
    assert -1 / 3 - 1e-6 <= rewards <= 2 / 3 + 1e-6


def test_maskable_ppo_learns_on_the_single_environment_too() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    from prico_env.envs import SingleSeatEnv

    for policy, flat in (("MlpPolicy", True), ("MultiInputPolicy", False)):
        env = SingleSeatEnv(players=2, seat="random", flat=flat, illegal="raise")
        model = contrib.MaskablePPO(
            policy, env, n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu",
            policy_kwargs={"net_arch": [16]},
        )  # fmt: skip
        model.learn(64)
