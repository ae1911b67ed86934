"""Every environment shows entities where it is asked to, and its spaces say the truth."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from prico_env import PricoError, RuleSet, env
from prico_env.envs import PuertoRicoVectorEnv, SingleSeatEnv
from prico_env.vocabulary import ALL_EXPANSIONS

EVERYTHING = RuleSet(3, expansions=ALL_EXPANSIONS)
PARTS = {"self", "others", "table", "objects", "action_mask"}
SCALINGS = ("standard", "range", "raw")


def expected(rules, game, seat, scaling):
    return rules.entities.gather(rules.observation.scale(game.observation(seat), scaling))


def same(seen, entities):
    return all((seen[name] == array).all() for name, array in entities.items())


@pytest.mark.parametrize("scaling", SCALINGS)
def test_aec_shows_the_entities_of_the_agent_to_act_and_of_any_other(scaling):
    table = env(EVERYTHING, scaling=scaling, observation="entities")
    table.reset(seed=4)
    for _ in range(40):
        seen, *_ = table.last()
        seat = table.possible_agents.index(table.agent_selection)
        assert set(seen) == PARTS
        assert seen in table.observation_space(table.agent_selection)
        assert same(seen, expected(EVERYTHING, table.game, seat, scaling))
        assert (seen["action_mask"] == table.game.mask()).all()
        other = table.possible_agents[seat - 1]
        assert same(table.observe(other), expected(EVERYTHING, table.game, (seat - 1) % 3, scaling))
        table.step(table.sample_action())


def test_what_aec_showed_stays_as_it_was_and_survives_pickling():
    table = env(players=3, observation="entities")
    table.reset(seed=1)
    first, *_ = table.last()
    kept = {name: array.copy() for name, array in first.items()}
    table.step(table.sample_action())
    assert same(first, kept)
    again = pickle.loads(pickle.dumps(table))
    assert same(again.last()[0], table.last()[0])


def test_pettingzoo_finds_nothing_wrong_with_entities():
    api_test(env(players=3, observation="entities"), num_cycles=60)


def test_gymnasium_finds_nothing_wrong_with_entities():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*illegal='raise'")  # it samples without a mask
        check_env(SingleSeatEnv(players=3, observation="entities"), skip_render_check=True)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_one_seat_sees_its_own_entities(scaling):
    table = gymnasium.make(
        "prico/PuertoRico-v0", rules=EVERYTHING, seat=1, scaling=scaling, observation="entities"
    )
    seen, _ = table.reset(seed=3)
    game = table.unwrapped.game
    assert set(seen) == PARTS
    assert seen in table.observation_space
    assert same(seen, expected(EVERYTHING, game, 1, scaling))


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("copy", [True, False])
def test_a_batch_shows_the_entities_of_every_game(scaling, copy):
    tables = PuertoRicoVectorEnv(
        6, EVERYTHING, scaling=scaling, observation="entities", copy=copy,
        autoreset_mode="SameStep",
    )  # fmt: skip
    seen, _ = tables.reset(seed=5)
    ends = 0
    while ends < 2:
        for game in range(6):
            seat = int(tables.games.turn[game])
            own = {name: array[game] for name, array in seen.items()}
            assert same(own, expected(EVERYTHING, tables.games[game], seat, scaling))
        before = seen["table"].copy()
        for _ in range(50):
            shown, _, _, _, info = tables.step(tables.sample_actions())
            for last in info.get("final_obs", ()):
                if last is not None:
                    ends += 1
                    assert last in tables.single_observation_space
        assert (seen["table"] == before).all() == copy
        assert seen in tables.observation_space
        seen = shown


def test_a_bare_vector_cannot_be_entities():
    for make in (SingleSeatEnv, PuertoRicoVectorEnv):
        with pytest.raises(PricoError, match="flat=True is the bare vector"):
            make(observation="entities", flat=True)
    with pytest.raises(PricoError, match="observation"):
        env(observation="pixels")


def test_a_learner_of_sb3_gets_entities_and_asks_for_its_masks():
    envs = pytest.importorskip("prico_env.envs.sb3")
    tables = envs.PuertoRicoVecEnv(4, players=3, observation="entities")
    seen = tables.reset()
    assert set(seen) == PARTS - {"action_mask"}
    rng, infos = np.random.default_rng(1), [{}]
    while not any("terminal_observation" in info for info in infos):
        masks = tables.env_method("action_masks")
        seen, _, _, infos = tables.step([rng.choice(np.flatnonzero(mask)) for mask in masks])
        assert seen in gymnasium.vector.utils.batch_space(tables.observation_space, 4)
    ended = next(info for info in infos if "terminal_observation" in info)
    assert ended["terminal_observation"] in tables.observation_space
