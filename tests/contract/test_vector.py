"""The Gymnasium environment of many games, in every autoreset mode."""

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from packaging.version import Version

from prico_env import (
    ALL_EXPANSIONS,
    Game,
    IllegalActionError,
    PricoError,
    RuleSet,
    envs,
)
from prico_env.envs import PuertoRicoVectorEnv, SingleSeatEnv
from tests.contract.random_players import EVERY_TABLE, choose, table_name

ENV_ID = "prico/PuertoRico-v0"
MODES = list(AutoresetMode)

every_mode = pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
every_seating = pytest.mark.parametrize("seat", [None, 0, "rotate"], ids=str)


def views(envs: PuertoRicoVectorEnv, game: int, seat: int) -> np.ndarray:
    """What a seat of one game sees, as the environment shows it."""
    return envs.rules.observation.scale(envs.games[game].observation(seat))


@every_mode
@every_seating
def test_masks_and_observations_are_always_of_the_same_state(
    mode: AutoresetMode, seat: Any
) -> None:
    """G160: in the step that ends a game, in the one that deals it anew, and everywhere else."""
    envs = PuertoRicoVectorEnv(6, players=3, seat=seat, autoreset_mode=mode)
    choices = np.random.default_rng(1)
    observations, infos = envs.reset(seed=1)
    ends = 0
    for _ in range(260):
        assert envs.observation_space.contains(observations)
        np.testing.assert_array_equal(observations["action_mask"], infos["action_mask"])
        assert observations["action_mask"].any(axis=1).all()
        for number in range(6):
            game = envs.games[number]
            if game.over:
                assert observations["action_mask"][number].all()
                continue
            np.testing.assert_array_equal(observations["action_mask"][number], game.mask())
            expected = views(envs, number, game.turn)
            np.testing.assert_array_equal(observations["observation"][number], expected)
            if seat is not None:
                assert game.turn == infos["seat"][number]
        actions = choose(observations["action_mask"], choices)
        observations, _, terminations, truncations, infos = envs.step(actions)
        done = terminations | truncations
        ends += int(done.sum())
        if mode is AutoresetMode.DISABLED and done.any():
            observations, infos = envs.reset(options={"reset_mask": done})
    assert ends >= 4


@every_mode
@pytest.mark.parametrize("seat", [None, "rotate"], ids=str)
def test_games_with_expansions_begin_with_the_draft_and_go_to_their_end(
    mode: AutoresetMode, seat: Any
) -> None:
    """G160: masks and observations are of the same state there too."""
    envs = PuertoRicoVectorEnv(
        5, players=2, edition="1897-de", expansions=ALL_EXPANSIONS, seat=seat, autoreset_mode=mode
    )
    choices = np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    assert all(envs.games[number].phase == "draft" for number in range(5))
    ends = 0
    for decision in range(500):
        if decision % 10 == 0:
            assert envs.observation_space.contains(observations)
            for number in range(5):
                game = envs.games[number]
                if not game.over:
                    np.testing.assert_array_equal(observations["action_mask"][number], game.mask())
                    expected = views(envs, number, game.turn)
                    np.testing.assert_array_equal(observations["observation"][number], expected)
        actions = choose(observations["action_mask"], choices)
        observations, _, terminations, truncations, _ = envs.step(actions)
        done = terminations | truncations
        ends += int(done.sum())
        if mode is AutoresetMode.DISABLED and done.any():
            observations, _ = envs.reset(options={"reset_mask": done})
    assert ends >= 4


def test_a_finished_game_is_shown_before_it_is_dealt_anew_in_the_next_step() -> None:
    envs = PuertoRicoVectorEnv(4, players=3, autoreset_mode=AutoresetMode.NEXT_STEP)
    choices = np.random.default_rng(2)
    observations, _ = envs.reset(seed=2)
    done = np.zeros(4, dtype=bool)
    dealt = 0
    for _ in range(500):
        actions = choose(observations["action_mask"], choices)
        turns = envs.games.turn.copy()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        for game in np.flatnonzero(done):
            # No learning across the deal: nothing is paid, and nothing ends.
            assert (rewards[game], terminations[game], truncations[game]) == (0.0, False, False)
            seed = int(envs.games.seeds[game])
            assert envs.games[game].to_bytes() == Game(envs.rules, seed).to_bytes()
            dealt += 1
        done = terminations | truncations
        for game in np.flatnonzero(done):
            last_view = views(envs, game, int(turns[game]))
            np.testing.assert_array_equal(observations["observation"][game], last_view)
            assert infos["turn"][game] == -1
            expected = envs.games[game].rewards("win")
            assert rewards[game] == pytest.approx(expected[turns[game]])
            np.testing.assert_allclose(infos["rewards"][game], expected, rtol=1e-6)
            assert infos["_scores"][game]
            assert infos["scores"][game].tolist() == envs.games[game].scores()
            assert infos["places"][game].tolist() == envs.games[game].ranking()
    assert dealt >= 4


def test_the_last_view_is_in_the_info_when_a_game_is_dealt_anew_in_the_same_step() -> None:
    envs = PuertoRicoVectorEnv(4, players=3, autoreset_mode=AutoresetMode.SAME_STEP)
    twin = PuertoRicoVectorEnv(4, players=3, autoreset_mode=AutoresetMode.DISABLED)
    choices = np.random.default_rng(2)
    observations, _ = envs.reset(seed=2)
    twin.reset(seed=2)
    ends = 0
    for _ in range(500):
        actions = choose(observations["action_mask"], choices)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        twin_observations, twin_rewards, twin_ends, *_, twin_infos = twin.step(actions)
        np.testing.assert_array_equal(rewards, twin_rewards)
        np.testing.assert_array_equal(terminations, twin_ends)
        np.testing.assert_array_equal(infos["rewards"], twin_infos["rewards"])
        done = terminations | truncations
        assert ("final_obs" in infos) == done.any()
        if not done.any():
            continue
        ends += int(done.sum())
        np.testing.assert_array_equal(infos["_final_obs"], done)
        np.testing.assert_array_equal(infos["_final_info"], done)
        for game in np.flatnonzero(done):
            final = infos["final_obs"][game]
            assert envs.single_observation_space.contains(final)
            np.testing.assert_array_equal(
                final["observation"], twin_observations["observation"][game]
            )
            assert infos["final_info"]["_scores"][game]
            np.testing.assert_array_equal(
                infos["final_info"]["scores"][game], twin_infos["scores"][game]
            )
            seed = int(envs.games.seeds[game])
            assert envs.games[game].to_bytes() == Game(envs.rules, seed).to_bytes()
        twin.reset(options={"reset_mask": done})
        assert (envs.games.state == twin.games.state).all()
    assert ends >= 4


def test_without_autoreset_a_finished_game_has_to_be_dealt_anew() -> None:
    envs = PuertoRicoVectorEnv(3, players=2, autoreset_mode=AutoresetMode.DISABLED)
    choices = np.random.default_rng(3)
    observations, _ = envs.reset(seed=3)
    done = np.zeros(3, dtype=bool)
    while not done.any():
        observations, _, terminations, truncations, _ = envs.step(
            choose(observations["action_mask"], choices)
        )
        done = terminations | truncations
    ended = np.flatnonzero(done).tolist()
    with pytest.raises(PricoError, match=rf"games \[{ended[0]}.*are over: deal them anew"):
        envs.step(choose(observations["action_mask"], choices))
    others = envs.games.state[~done].copy()
    envs.reset(options={"reset_mask": done})
    assert (envs.games.state[~done] == others).all()
    assert not envs.games.over.any()


@pytest.mark.parametrize("mask", [[True, False], np.ones(2), np.ones(3, bool), np.zeros(2, bool)])
def test_a_wrong_reset_mask_is_explained(mask: Any) -> None:
    envs = PuertoRicoVectorEnv(2, players=2)
    envs.reset(seed=1)
    with pytest.raises(PricoError, match="reset_mask"):
        envs.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("rules", EVERY_TABLE, ids=table_name)
def test_games_are_those_of_the_same_seeds(rules: RuleSet) -> None:
    envs = PuertoRicoVectorEnv(4, rules)
    envs.reset(seed=50)
    for number in range(4):
        assert envs.games[number].to_bytes() == Game(rules, 50 + number).to_bytes()


def test_resets_without_a_seed_go_on_to_other_games() -> None:
    envs = PuertoRicoVectorEnv(2, players=3)
    deals = []
    envs.reset(seed=1)
    for _ in range(3):
        deals += [envs.games[0].to_bytes(), envs.games[1].to_bytes()]
        envs.reset()
    assert len(set(deals)) == 6


@every_mode
def test_rewards_are_those_of_the_seats_that_acted(mode: AutoresetMode) -> None:
    envs = PuertoRicoVectorEnv(3, players=4, shaping=0.1, autoreset_mode=mode)
    choices = np.random.default_rng(5)
    observations, infos = envs.reset(seed=5)
    for _ in range(150):
        turns = infos["turn"]
        observations, rewards, terminations, _, infos = envs.step(
            choose(observations["action_mask"], choices)
        )
        for game in range(3):
            assert rewards[game] == pytest.approx(infos["rewards"][game, turns[game]])
        if terminations.any():
            break


def test_shaping_adds_up_to_nothing_for_every_seat() -> None:
    """G166."""
    envs = PuertoRicoVectorEnv(3, players=4, shaping=0.1, autoreset_mode=AutoresetMode.DISABLED)
    choices = np.random.default_rng(5)
    observations, infos = envs.reset(seed=5)
    totals = np.zeros((3, 4))
    finished = 0
    while finished < 3:
        observations, _, terminations, _, infos = envs.step(
            choose(observations["action_mask"], choices)
        )
        totals += infos["rewards"]
        for game in np.flatnonzero(terminations):
            expected = envs.games[game].rewards("win")
            np.testing.assert_allclose(totals[game], expected, atol=1e-5)
            finished += 1
        if terminations.any():
            totals[terminations] = 0.0
            observations, infos = envs.reset(options={"reset_mask": terminations})


def test_a_cut_off_game_is_a_truncation_without_a_winner() -> None:
    """G167."""
    for seat in (None, "rotate"):
        envs = PuertoRicoVectorEnv(2, players=3, max_rounds=1, seat=seat)
        choices = np.random.default_rng(5)
        observations, _ = envs.reset(seed=5)
        truncations = np.zeros(2, bool)
        while not truncations.any():
            observations, rewards, terminations, truncations, _ = envs.step(
                choose(observations["action_mask"], choices)
            )
            assert not terminations.any()
            assert not rewards.any()


def test_a_seated_batch_plays_like_the_single_environment() -> None:
    """Same deals, same seat, opponents without chance: the same episode, step for step."""

    def first_legal(game: Game, seat: int, rng: np.random.Generator) -> int:
        return game.legal_actions()[0]

    def last_legal(game: Game, seat: int, rng: np.random.Generator) -> int:
        return game.legal_actions()[-1]

    seated = {"seat": 1, "opponents": [first_legal, last_legal], "shaping": 0.02, "players": 3}
    envs = gymnasium.make_vec(ENV_ID, num_envs=2, autoreset_mode=AutoresetMode.DISABLED, **seated)
    singles = [SingleSeatEnv(**seated) for _ in range(2)]
    observations, _ = envs.reset(seed=30)
    for number, single in enumerate(singles):
        view, _ = single.reset(seed=30 + number)
        np.testing.assert_array_equal(observations["observation"][number], view["observation"])
    for _ in range(25):
        actions = observations["action_mask"].argmax(axis=1)
        observations, rewards, terminations, truncations, _ = envs.step(actions)
        for number, single in enumerate(singles):
            view, reward, terminated, truncated, _ = single.step(int(actions[number]))
            np.testing.assert_array_equal(observations["observation"][number], view["observation"])
            assert rewards[number] == pytest.approx(reward, abs=1e-6)
            assert (terminations[number], truncations[number]) == (terminated, truncated)
        if (terminations | truncations).any():
            break


def test_make_vec_seats_the_learner_and_the_class_lets_every_seat_act() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec(ENV_ID, num_envs=3, players=3)
    _, infos = envs.reset(seed=1)
    assert infos["seat"].tolist() == [0, 0, 0]
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    _, infos = PuertoRicoVectorEnv(3, players=3).reset(seed=1)
    assert "seat" not in infos


@pytest.mark.skipif(
    Version(gymnasium.__version__) < Version("1.3"),
    reason="before Gymnasium 1.3 these two wrappers do not go together",
)
def test_gymnasiums_vector_wrappers_work() -> None:
    games = PuertoRicoVectorEnv(3, players=2, seat=0, flat=True)
    envs = DictInfoToList(RecordEpisodeStatistics(games, stats_key="statistics"))
    _, infos = envs.reset(seed=1)
    choices = np.random.default_rng(1)
    episodes = 0
    for _ in range(250):
        masks = np.stack([info["action_mask"] for info in infos])
        _, _, _, _, infos = envs.step(choose(masks, choices))
        for info in infos:
            assert ("episode" in info) == ("statistics" in info)
            if "episode" in info:
                for key in ("r", "l"):
                    assert info["episode"][key] == pytest.approx(info["statistics"][key])
                episodes += 1
    assert episodes >= 3


def test_illegal_actions_are_replaced_and_said_once_or_refused() -> None:
    """G158."""
    envs = PuertoRicoVectorEnv(3, players=3)
    envs.reset(seed=1)
    with pytest.warns(UserWarning, match=r"games \[0, 2\] got illegal actions"):
        *_, infos = envs.step(np.array([0, 1, 999]))
    assert infos["illegal_action"].tolist() == [True, False, True]
    strict = PuertoRicoVectorEnv(3, players=3, illegal="raise")
    strict.reset(seed=1)
    before = strict.games.state.copy()
    with pytest.raises(IllegalActionError, match=r"game 0 .*game 2"):
        strict.step(np.array([0, 1, 0]))
    assert (strict.games.state == before).all()


def test_wrong_calls_are_explained() -> None:
    envs = PuertoRicoVectorEnv(3, players=3)
    with pytest.raises(PricoError, match=r"call reset\(\) before step\(\)"):
        envs.step(np.array([1, 1, 1]))
    with pytest.raises(PricoError, match="the first reset deals every game"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    envs.reset(seed=1)
    with pytest.raises(PricoError, match=r"actions.* of shape \(3,\), not int64 of shape \(2,\)"):
        envs.step(np.array([1, 1]))
    with pytest.raises(PricoError, match="opponents play only when the learner has a seat"):
        PuertoRicoVectorEnv(3, opponents=lambda *_: None)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
@every_seating
def test_a_copy_of_a_running_environment_has_the_same_future(copied: Any, seat: Any) -> None:
    """G142."""
    envs = PuertoRicoVectorEnv(3, players=3, seat=seat)
    observations, _ = envs.reset(seed=6)
    for _ in range(20):
        observations, *_ = envs.step(observations["action_mask"].argmax(axis=1))
    twin = copied(envs)
    before = envs.games.state.copy()
    seen = observations["action_mask"]
    for one in (twin, envs):
        if one is envs:
            assert (envs.games.state == before).all()
        masks = seen
        for _ in range(60):
            observations, *_ = one.step(masks.argmax(axis=1))
            masks = observations["action_mask"]
    assert (twin.games.state == envs.games.state).all()


def test_rendering_shows_every_game() -> None:
    envs = PuertoRicoVectorEnv(2, players=2, render_mode="ansi")
    envs.reset(seed=1)
    assert [type(frame) for frame in envs.render()] == [str, str]
    silent = PuertoRicoVectorEnv(2, players=2)
    silent.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode="):
        assert silent.render() is None


def test_sampled_actions_are_legal() -> None:
    envs = PuertoRicoVectorEnv(5, players=4)
    envs.reset(seed=1)
    for _ in range(50):
        actions = envs.sample_actions()
        running = ~envs.games.over
        assert envs.games.masks[np.arange(5), actions][running].all()
        envs.step(actions)


def test_the_former_name_of_per_game_opponents_still_works():
    with pytest.warns(DeprecationWarning, match="called PerGameOpponents now"):
        assert envs.OneByOne is envs.PerGameOpponents
