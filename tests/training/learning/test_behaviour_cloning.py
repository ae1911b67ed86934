"""A warm start: playing as teachers play."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from prico_agents.batch_players import Demonstrator
from prico_agents.heuristics.corn import Corn
from prico_env import RuleSet
from prico_training.config import BehaviourCloning
from prico_training.learning.behaviour_cloning import BehaviourCloner
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
