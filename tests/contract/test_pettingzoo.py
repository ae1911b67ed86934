"""PettingZoo's own tests, in every edition and at every number of players."""

import importlib
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state_space as check_state_space

import prico_env
from prico_env import RuleSet, puerto_rico_v0
from tests.contract.random_players import EVERY_TABLE, table_name

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")

every_table = pytest.mark.parametrize("rules", EVERY_TABLE, ids=table_name)

UNAVOIDABLE = (
    "Observation is not a NumPy array",  # of any third party's dict with a mask in it
    "Observation space for each agent probably should be gymnasium.spaces.box",
)


@every_table
def test_passes_the_api_test_without_a_warning_that_could_be_avoided(rules: RuleSet) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(puerto_rico_v0.env(rules), num_cycles=150)
    messages = {str(warning.message) for warning in caught}
    assert [text for text in messages if not text.startswith(UNAVOIDABLE)] == []


@every_table
def test_passes_the_seed_test(rules: RuleSet) -> None:
    seed_test(lambda: puerto_rico_v0.env(rules), num_cycles=60)


@every_table
def test_passes_the_render_test(rules: RuleSet, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **options: puerto_rico_v0.env(rules, **options))
    assert capsys.readouterr().out.count("\n") > 50  # the boards of the "human" mode


@every_table
def test_the_performance_benchmark_runs(rules: RuleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    class QuickClock:
        """Lets the five seconds of the benchmark pass in a few hundred cycles."""

        now = 0.0

        def time(self) -> float:
            self.now += 0.05
            return self.now

    module = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(module, "time", QuickClock())
    module.performance_benchmark(puerto_rico_v0.env(rules))


@every_table
def test_the_parallel_form_passes_its_api_test(rules: RuleSet) -> None:
    parallel_api_test(puerto_rico_v0.parallel_env(rules), num_cycles=400)


def test_the_state_has_a_space_and_stays_in_it() -> None:
    env = puerto_rico_v0.env(players=3)
    check_state_space(env)
    env.reset(seed=0)
    while env.agents:
        assert env.state_space.contains(env.state())
        env.step(env.sample_action())


def test_the_public_names_are_those_of_the_package() -> None:
    assert prico_env.env is puerto_rico_v0.env
    assert prico_env.raw_env is puerto_rico_v0.raw_env
    assert prico_env.parallel_env is puerto_rico_v0.parallel_env


def test_the_parallel_form_pays_every_agent_at_the_end() -> None:
    env = puerto_rico_v0.parallel_env(players=4)
    observations, infos = env.reset(seed=5)
    rewards: dict[str, float] = {}
    choices = np.random.default_rng(0)
    active = env.aec_env.agent_selection
    while env.agents:
        mask = observations[active]["action_mask"]
        action = int(choices.choice(np.flatnonzero(mask)))
        observations, rewards, terminations, _, infos = env.step({active: action})
        if env.agents:
            active = infos[active]["active_agent"] if active in infos else active
    assert all(terminations.values())
    assert sum(rewards.values()) == pytest.approx(0.0)
    assert max(rewards.values()) > 0.0
