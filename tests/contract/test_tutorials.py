"""What the published PettingZoo tutorials for masked games rely on, with the id replaced."""

from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo
import pettingzoo.utils
import pytest

from prico_env.registration import ENV_ID

pytestmark = pytest.mark.skipif(
    not hasattr(pettingzoo, "make"), reason="before PettingZoo 1.27 there is no registry"
)


@pytest.fixture(name="table")
def two_seats() -> Any:
    """The tutorials seat two."""
    return pettingzoo.make("aec", ENV_ID, players=2)


def test_an_observation_is_the_vector_and_then_the_mask(table: Any) -> None:
    """The tutorial for Stable-Baselines3 unpacks the values in this order."""
    table.reset(seed=1)
    vector, mask = table.last()[0].values()
    inner = table.observation_space(table.agent_selection)["observation"]
    assert inner.contains(vector)
    assert mask.dtype == np.int8
    assert mask.shape == (table.action_space("player_0").n,)


def test_the_space_of_actions_samples_by_the_mask_for_a_whole_game(table: Any) -> None:
    table.reset(seed=1)
    for agent in table.agent_iter():
        observation, _, terminated, truncated, _ = table.last()
        if terminated or truncated:
            break
        table.step(table.action_space(agent).sample(observation["action_mask"]))
    assert set(table.rewards) == set(table.possible_agents)
    assert sum(table.rewards.values()) == pytest.approx(0.0)


def test_a_wrapper_reaches_what_the_tutorial_for_stable_baselines_reads(table: Any) -> None:
    wrapped = pettingzoo.utils.BaseWrapper(table)
    wrapped.reset(seed=1)
    mover = wrapped.agent_selection
    wrapped.step(wrapped.observe(mover)["action_mask"].argmax())
    assert wrapped._cumulative_rewards[mover] == 0.0
    assert (wrapped.terminations[mover], wrapped.truncations[mover]) == (False, False)
    assert wrapped.observe(wrapped.agent_selection)["action_mask"].any()
    assert "action_mask" in wrapped.infos[mover]


def test_the_name_of_the_environment_serves_as_the_name_of_a_file(
    table: Any, tmp_path: Path
) -> None:
    """Tutorials save what they trained under it, and look for the newest such file."""
    name = pettingzoo.utils.BaseWrapper(table).unwrapped.metadata["name"]
    assert name == "puerto_rico_v0"
    (tmp_path / f"{name}_20260101-000000.zip").touch()
    assert len(list(tmp_path.glob(f"{table.metadata['name']}*.zip"))) == 1


def test_every_seat_has_the_same_spaces(table: Any) -> None:
    """Tianshou and RLlib give all seats one network."""
    spaces = [table.observation_space(agent) for agent in table.possible_agents]
    assert spaces[0] == spaces[1]
    assert table.action_space("player_0") == table.action_space("player_1")


def test_what_tianshou_asks_with_is_taken_for_true(table: Any) -> None:
    """It passes its own environment to ``last`` where PettingZoo has a truth value."""
    table.reset(seed=1)
    assert table.last(object())[0]["action_mask"].any()
    assert table.last(np.True_)[0]["action_mask"].any()
    assert table.last(np.False_)[0] is None
    assert table.last(False)[0] is None


def test_after_the_end_each_agent_takes_one_step_with_none(table: Any) -> None:
    """RLlib takes all agents out before it deals anew."""
    table.reset(seed=1)
    while not any(table.terminations.values()):
        table.step(table.sample_action())
    paid = {}
    while table.agents:
        _, paid[table.agent_selection], terminated, _, _ = table.last()
        assert terminated
        table.step(None)
    assert sorted(paid) == table.possible_agents
    assert sum(paid.values()) == pytest.approx(0.0)


def test_a_renderer_for_people_is_asked_for_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    table = pettingzoo.make("aec", ENV_ID, players=2, render_mode="human")
    table.reset(seed=1)
    table.render()
    table.close()
    assert capsys.readouterr().out.count("\n") > 10
