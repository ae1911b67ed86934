"""The Gymnasium environment: one learner against opponents."""

import copy
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check

from prico_env import Game, IllegalActionError, PricoError, RuleSet
from prico_env.envs import (
    SingleSeatEnv,
    opponents,
    random_opponent,
    register_opponent_loader,
)
from tests.contract.random_players import EVERY_TABLE, table_name

ENV_ID = "prico/PuertoRico-v0"

every_table = pytest.mark.parametrize("rules", EVERY_TABLE, ids=table_name)


def first_legal(game: Game, seat: int, rng: np.random.Generator) -> int:
    """Choose the lowest legal number: an opponent that leaves nothing to chance."""
    assert game.turn == seat
    return game.legal_actions()[0]


def play(env: Any, seed: int, choices: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    """Play one episode with random legal actions; yields what each step gave."""
    env.reset(seed=seed)
    while True:
        action = int(choices.choice(np.flatnonzero(env.action_masks())))
        step = env.step(action)
        yield step
        if step[2] or step[3]:
            return


# -- the checkers ----------------------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("flat", [False, True], ids=["dict", "flat"])
def test_passes_the_check_of_gymnasium(rules: RuleSet, flat: bool) -> None:
    env = gymnasium.make(ENV_ID, rules=rules, flat=flat, disable_env_checker=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*illegal='raise'")  # it samples without a mask
        gymnasium_check(env.unwrapped)


@pytest.mark.filterwarnings("ignore:.*illegal='raise'")
@every_table
def test_passes_the_check_of_stable_baselines(rules: RuleSet) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(SingleSeatEnv(rules))
    checker.check_env(SingleSeatEnv(rules, seat="random", flat=True))


def test_the_id_makes_the_environment_with_all_its_options() -> None:
    env = gymnasium.make(
        ENV_ID, rules=RuleSet(players=3), seat="random", opponents="random", reward="rank"
    )
    assert env.unwrapped.rules.players == 3
    env.reset(seed=1)
    assert isinstance(env.unwrapped.game, Game)
    assert gymnasium.make(ENV_ID, players=5, edition="classic").unwrapped.rules.players == 5


# -- what the learner meets ------------------------------------------------------------------------


@every_table
def test_every_step_is_a_decision_of_the_learner(rules: RuleSet) -> None:
    env = SingleSeatEnv(rules, seat="random")
    for seed in range(2):
        for observation, reward, terminated, truncated, info in play(
            env, seed, np.random.default_rng(seed)
        ):
            assert env.observation_space.contains(observation)
            expected = env.rules.observation.scale(env.game.observation(env.seat))
            np.testing.assert_array_equal(observation["observation"], expected)
            np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
            np.testing.assert_array_equal(observation["action_mask"], env.action_masks())
            assert info["action_mask"].dtype == np.int8
            assert env.action_masks().dtype == np.bool_
            if not (terminated or truncated):
                assert env.game.turn == env.seat
                assert env.action_masks().any()
                assert reward == 0.0


@pytest.mark.parametrize("scheme", ["win", "rank", "margin"])
def test_the_learner_gets_its_own_reward_and_nobody_elses(scheme: str) -> None:
    """G157, G163: whoever made the last move."""
    last_movers = set()
    for seed in range(12):
        env = SingleSeatEnv(players=3, seat=seed % 3, reward=scheme)
        steps = list(play(env, seed, np.random.default_rng(seed)))
        assert sum(step[1] for step in steps) == pytest.approx(env.game.rewards(scheme)[seed % 3])
        last_movers.add(env.game.history[-1].seat == env.seat)
    assert last_movers == {True, False}


def test_shaping_adds_up_to_nothing() -> None:
    """G166."""
    for seat in range(4):
        env = SingleSeatEnv(players=4, seat=seat, shaping=0.05)
        rewards = [step[1] for step in play(env, 5, np.random.default_rng(5))]
        assert sum(reward != 0 for reward in rewards) > 5
        assert sum(rewards) == pytest.approx(env.game.rewards("win")[seat])


def test_a_cut_off_game_is_a_truncation_without_a_winner() -> None:
    """G167."""
    env = SingleSeatEnv(players=3, max_rounds=2)
    *_, last = play(env, 1, np.random.default_rng(1))
    assert last[1:4] == (0.0, False, True)
    limited = gymnasium.make(ENV_ID, max_episode_steps=5, disable_env_checker=True)
    limited.reset(seed=1)
    for number in range(5):
        legal = np.flatnonzero(limited.get_wrapper_attr("action_masks")())
        _, reward, terminated, truncated, _ = limited.step(int(legal[0]))
        assert (reward, terminated, truncated) == (0.0, False, number == 4)


def test_a_seed_deals_the_game_of_the_same_seed() -> None:
    env = SingleSeatEnv(players=4, seat=0)
    env.reset(seed=77)
    assert env.game.to_bytes() == Game(env.rules, seed=77).to_bytes()


def test_the_same_seed_and_actions_give_the_same_episode() -> None:
    def episode() -> list[bytes]:
        env = SingleSeatEnv(players=4, seat="random")
        states = [env.game.to_bytes() for _ in play(env, 3, np.random.default_rng(3))]
        env.reset()
        return [*states, env.game.to_bytes()]

    assert episode() == episode()


def test_seats_rotate_or_are_drawn() -> None:
    """G161: a learner that knows one seat only knows a quarter of the game."""
    env = SingleSeatEnv(players=4, seat="rotate")
    seats = [env.reset(seed=1)[1]["seat"]] + [env.reset()[1]["seat"] for _ in range(7)]
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3]
    env = SingleSeatEnv(players=4, seat="random")
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(80)]
    assert {seats.count(seat) > 8 for seat in range(4)} == {True}
    assert env.reset(seed=1, options={"seat": 2})[1]["seat"] == 2


def test_a_reset_may_start_from_a_position() -> None:
    game = Game(RuleSet(players=3), seed=4)
    rng = np.random.default_rng(0)
    for _ in range(60):
        game.step(random_opponent(game, game.turn, rng))
    env = SingleSeatEnv(players=3, seat=game.turn)
    env.reset(options={"position": game.to_dict()})
    assert env.game.to_dict() == game.to_dict()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_copy_of_a_running_environment_has_the_same_future(copied: Any) -> None:
    """G142."""
    env = SingleSeatEnv(players=4, seat=2)
    env.reset(seed=6)
    for _ in range(15):
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    twin = copied(env)
    before = env.game.to_bytes()
    futures = []
    for one in (twin, env):
        if one is env:
            assert env.game.to_bytes() == before
        rewards = []
        while not one.game.over:
            rewards.append(one.step(int(np.flatnonzero(one.action_masks())[-1]))[1])
        futures.append((rewards, one.game.to_bytes()))
    assert futures[0] == futures[1]


# -- opponents -------------------------------------------------------------------------------------


def test_opponents_sit_clockwise_from_the_learners_left() -> None:
    asked: list[tuple[str, int]] = []

    def named(name: str) -> opponents.Opponent:
        def choose(game: Game, seat: int, rng: np.random.Generator) -> int:
            asked.append((name, seat))
            return first_legal(game, seat, rng)

        return choose

    env = SingleSeatEnv(players=4, seat=2, opponents=[named("left"), named("far"), named("right")])
    env.reset(seed=1)
    for _ in range(12):
        env.step(env.game.legal_actions()[0])
    assert set(asked) == {("left", 3), ("far", 0), ("right", 1)}


@every_table
def test_named_agents_are_opponents_at_every_table(rules: RuleSet) -> None:
    import prico_agents  # noqa: F401 - its loader knows the names

    env = SingleSeatEnv(rules, seat="random", opponents="planner", illegal="raise")
    for _ in play(env, 4, np.random.default_rng(4)):
        assert env.observation_space.contains(env._observation())
    assert env.game.over


def test_an_opponent_that_breaks_the_rules_is_stopped() -> None:
    env = SingleSeatEnv(players=3, seat=1, opponents=lambda game, seat, rng: 139)
    with pytest.raises(IllegalActionError, match="seat 0 may not take action 139"):
        env.reset(seed=1)


def test_names_are_found_by_registered_loaders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents.OPPONENTS, "loaders", [])
    with pytest.raises(PricoError, match="'random' is built in, and no other players are"):
        SingleSeatEnv(opponents="first_legal")

    def loader(name: str) -> opponents.Opponent:
        if name != "first_legal":
            raise LookupError(name)
        return first_legal

    register_opponent_loader(loader)
    env = SingleSeatEnv(players=3, seat=2, opponents=["first_legal", "random"])
    env.reset(seed=1)
    with pytest.raises(PricoError, match=r"no opponent 'second_legal'.*no loader knows it"):
        SingleSeatEnv(opponents="second_legal")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": ["random"]}, "3 seats need an opponent, but the list names 1"),
        ({"opponents": [1, 2, 3]}, "an opponent is a name or a callable"),
        ({"seat": 4}, "there is no seat 4; it is a number from 0 to 3"),
        ({"seat": "rotat"}, "'random' or 'rotate'"),
        ({"illegal": "ignore"}, "choose replace or raise"),
        ({"reward": "points"}, "the reward schemes are win, rank and margin"),
    ],
)
def test_wrong_arguments_are_explained(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PricoError, match=message):
        SingleSeatEnv(**options)


# -- mistakes --------------------------------------------------------------------------------------


def test_an_illegal_action_is_replaced_and_said_once() -> None:
    """G158: nothing illegal is ever played, and who forgets the mask hears of it."""
    env = SingleSeatEnv(players=3)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="action 0 is not legal here"):
        *_, info = env.step(0)
    assert info["illegal_action"] is True
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        illegal = int(np.flatnonzero(~env.action_masks())[0])
        assert env.step(illegal)[-1]["illegal_action"] is True
        assert "illegal_action" not in env.step(env.game.legal_actions()[0])[-1]


def test_an_illegal_action_may_be_refused_instead() -> None:
    env = SingleSeatEnv(players=3, illegal="raise")
    env.reset(seed=1)
    before = env.game.to_bytes()
    with pytest.raises(IllegalActionError, match="Legal: 1 = role:settler"):
        env.step(0)
    assert env.game.to_bytes() == before


def test_steps_before_the_start_and_after_the_end_are_explained() -> None:
    env = SingleSeatEnv(players=2, render_mode="ansi")
    with pytest.raises(PricoError, match=r"call reset\(\) before step\(\)"):
        env.step(1)
    with pytest.raises(PricoError, match=r"call reset\(\) before render\(\)"):
        env.render()
    for _ in play(env, 2, np.random.default_rng(2)):
        pass
    with pytest.raises(PricoError, match=r"the game is over: call reset\(\)"):
        env.step(1)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    """G149."""
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray), ("human", type(None))):
        env = SingleSeatEnv(players=2, render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(), kind)
    assert capsys.readouterr().out
    env = SingleSeatEnv(players=2)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode="):
        assert env.render() is None


def test_the_end_tells_scores_and_places() -> None:
    env = SingleSeatEnv(players=3)
    *_, last = play(env, 3, np.random.default_rng(3))
    assert last[-1]["scores"].tolist() == env.game.scores()
    assert last[-1]["places"].tolist() == env.game.ranking()
