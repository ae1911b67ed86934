"""A warm start: playing as teachers play."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from prico_agents.batch_players import Demonstrator
from prico_agents.heuristics.corn import Corn
from prico_env import RuleSet
from prico_env.errors import PricoError
from prico_training.config import BehaviourCloning, Config
from prico_training.errors import ConfigError
from prico_training.learning.behaviour_cloning import BehaviourCloner, make_teachers
from prico_training.learning.model import ActorCritic

RULES = RuleSet(players=3)


@pytest.mark.parametrize("value_seats", [1, 3])
def test_the_network_learns_to_agree_with_its_teacher_and_to_foresee_the_end(value_seats):
    torch.manual_seed(1)
    network = ActorCritic(RULES, (64,), value_seats)
    settings = BehaviourCloning(games=30, batch_size=256)
    teachers = Demonstrator(RULES, Corn(), (), settings.games, settings.epsilon, seed=1)
    cloner = BehaviourCloner(network, [teachers], settings, seed=1)
    cloner.fit_normalizer()
    figures = [cloner.learn(number / 30) for number in range(30)]
    cloner.close()
    assert figures[-1]["agreement"] > figures[0]["agreement"] + 0.05
    assert figures[-1]["value_loss"] < figures[0]["value_loss"]
    batch = Demonstrator(RULES, Corn(), (), 300, 0.0, seed=2).show(0)
    logits, values = network.policy_and_value(batch.observations)
    chosen = np.where(batch.masks, logits, -np.inf).argmax(axis=1)
    assert (chosen == batch.actions).mean() > 0.7
    late = np.flatnonzero(np.diff(batch.games))  # the last decision of each game
    won = batch.shares[batch.games[late], batch.seats[late]]
    assert np.corrcoef(values[late, 0, 0], won)[0, 1] > 0.4


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Six games of corn and random, a row group each."""
    pytest.importorskip("pyarrow")
    from prico_training.datasets import DatasetSettings, shards, write_dataset

    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "GROUP_GAMES", 1)
        write_dataset(folder, DatasetSettings(policies=("corn", "random"), games=6, game=RULES))
    return folder


def from_data(folder, **settings):
    cloning = {"teacher": "corn", "games": 2, "dataset": str(folder), **settings}
    return Config(game=RULES, behaviour_cloning=BehaviourCloning(**cloning))


def test_a_network_can_learn_from_games_that_were_recorded_before(recorded):
    from prico_training.datasets import Dataset

    config, data = from_data(recorded), Dataset(recorded)
    (teacher,) = make_teachers(config)
    epoch = [teacher.show(number) for number in range(3)]
    assert sum(len(batch.actions) for batch in epoch) == len(data)
    rows = data.read()
    is_corn = rows["policy"] == data.policies.index("corn")
    assert sum(batch.taught.sum() for batch in epoch) == is_corn.sum()
    for batch in epoch:
        assert batch.shares.sum(axis=1) == pytest.approx(1)
        assert batch.scores.shape == (2, 3)
        assert batch.masks[np.arange(len(batch.actions)), batch.actions].all()
    assert len(teacher.show(3).actions) != len(epoch[0].actions)
    cloner = BehaviourCloner(ActorCritic(RULES, (8,), 1), [teacher], config.behaviour_cloning, 1)
    cloner.fit_normalizer()
    assert cloner.learn(0.0)["decisions"] == len(epoch[0].actions)
    cloner.close()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"teacher": "planner"}, "'planner' does not play in"),
        ({"dataset": "nowhere"}, "nowhere holds no data set"),
    ],
)
def test_a_data_set_that_does_not_teach_is_refused(recorded, change, reason):
    with pytest.raises(PricoError, match=reason):
        make_teachers(from_data(recorded, **change))


def test_a_data_set_of_another_game_is_refused(recorded):
    cloning = BehaviourCloning(teacher="corn", dataset=str(recorded))
    with pytest.raises(ConfigError, match="is not what is learnt"):
        make_teachers(Config(game=RuleSet(players=2), behaviour_cloning=cloning))
