"""A masked sampler works on every form of the environment, for a whole run.

What is chosen in a game that is over is ignored, so its mask is all ones wherever a learner asks;
where every seat is its own agent nobody is asked, and the mask is all zeros.
"""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from prico_env import Game, Games, RuleSet, env
from prico_env.envs import PuertoRicoVectorEnv, SingleSeatEnv
from prico_env.envs.learner_batch import LearnerBatch
from prico_env.testing import random_play
from tests.contract.random_players import choose

ENV_ID = "prico/PuertoRico-v0"
RULES = RuleSet(players=2, max_rounds=6)  # some games end, some are cut off
NUM_ENVS = 3
STEPS = 1000

every_mode = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)


def made_by_gymnasium(vectorization: str | None) -> Callable[[AutoresetMode], Any]:
    """A vector environment as `gymnasium.make_vec` makes it; None takes our own."""

    def make(mode: AutoresetMode) -> Any:
        options = {"autoreset_mode": mode}
        if vectorization is not None:
            options = {"vectorization_mode": vectorization, "vector_kwargs": options}
        return gymnasium.make_vec(ENV_ID, NUM_ENVS, rules=RULES, illegal="raise", **options)

    return make


def with_every_seat_acting(mode: AutoresetMode) -> Any:
    """Our own vector environment for one policy at all seats."""
    return PuertoRicoVectorEnv(NUM_ENVS, RULES, illegal="raise", autoreset_mode=mode)


VECTORS = {
    "sync": made_by_gymnasium("sync"),
    "async": made_by_gymnasium("async"),
    "vector_entry_point": made_by_gymnasium(None),
    "every_seat": with_every_seat_acting,
}


def masks_shown(
    vector: Any, mode: AutoresetMode, steps: int
) -> Iterator[tuple[np.ndarray, np.ndarray, dict[str, Any]]]:
    """Play with a masked sampler; yields each step's masks, what is over, and its info."""
    chance = np.random.default_rng(1)
    observations, _ = vector.reset(seed=1)
    for _ in range(steps):
        actions = choose(observations["action_mask"], chance)
        observations, _, terminations, truncations, info = vector.step(actions)
        over = terminations | truncations
        yield observations["action_mask"], over, info
        if mode == AutoresetMode.DISABLED and over.any():
            observations, _ = vector.reset(options={"reset_mask": over})


@every_mode
@pytest.mark.parametrize("form", VECTORS)
def test_a_masked_sampler_plays_every_vector_for_a_whole_run(
    form: str, mode: AutoresetMode
) -> None:
    vector, ends = VECTORS[form](mode), 0
    for masks, over, info in masks_shown(vector, mode, STEPS if form != "async" else STEPS // 4):
        ends += int(over.sum())
        assert masks.any(axis=1).all()
        np.testing.assert_array_equal(masks, info["action_mask"])
        if mode != AutoresetMode.SAME_STEP:
            assert masks[over].all(), "whatever is chosen in a game that is over is ignored"
            assert not masks[~over].all(axis=1).any()
        else:
            for game in np.flatnonzero(over):
                assert info["final_obs"][game]["action_mask"].all()
    vector.close()
    assert ends > 2 * NUM_ENVS


def test_a_masked_sampler_plays_the_single_environment_for_a_whole_run() -> None:
    single, chance = gymnasium.make(ENV_ID, rules=RULES, illegal="raise"), np.random.default_rng(1)
    ends = 0
    observation, info = single.reset(seed=1)
    for _ in range(2 * STEPS):
        masks = single.get_wrapper_attr("action_masks")()
        np.testing.assert_array_equal(masks, observation["action_mask"])
        np.testing.assert_array_equal(masks, info["action_mask"])
        observation, _, terminated, truncated, info = single.step(
            int(choose(masks[None], chance)[0])
        )
        if terminated or truncated:
            ends += 1
            assert single.get_wrapper_attr("action_masks")().all()
            assert observation["action_mask"].all()
            assert info["action_mask"].all()
            observation, info = single.reset()
    assert ends > 10


def test_a_masked_sampler_plays_the_environments_of_stable_baselines_for_a_whole_run() -> None:
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.vec_env import DummyVecEnv

    from prico_env.envs import PuertoRicoVecEnv

    several = [lambda: SingleSeatEnv(RULES, flat=True, illegal="raise")] * NUM_ENVS
    for vector in (PuertoRicoVecEnv(NUM_ENVS, RULES), DummyVecEnv(several)):
        chance, ends = np.random.default_rng(1), 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            vector.reset()
        for _ in range(STEPS):
            masks = np.stack(vector.env_method("action_masks"))
            assert masks.any(axis=1).all()
            _, _, dones, _ = vector.step(choose(masks, chance))
            ends += int(dones.sum())
        assert ends > 2 * NUM_ENVS


def test_a_masked_sampler_plays_a_batch_of_learners_for_a_whole_run() -> None:
    batch, chance = LearnerBatch(RULES, NUM_ENVS), np.random.default_rng(1)
    batch.deal(seed=1)
    for _ in range(STEPS):
        over = batch.games.over.copy()
        masks = batch.action_masks()
        assert masks[over].all()
        assert not masks[~over].all(axis=1).any()
        batch.step(choose(masks, chance))
        if over.sum() > 1:
            batch.deal(where=over)


def test_nobody_is_asked_in_a_game_that_is_over() -> None:
    game = random_play(Game(RULES, seed=1))
    assert not game.mask().any()
    games = Games(RULES, 2, seed=1)
    while not games.over.all():
        games.step(games.sample())
    assert not games.masks.any()
    table = env(RULES)
    table.reset(seed=1)
    for agent in table.agent_iter():
        observation, _, terminated, truncated, info = table.last()
        if terminated or truncated:
            assert not observation["action_mask"].any()
            assert not info["action_mask"].any()
            assert not table.infos[agent]["action_mask"].any()
        table.step(None if terminated or truncated else table.sample_action())
