"""What PPO is kept near: a mixture of policies that learn no more."""

import numpy as np
import pytest

pytest.importorskip("torch")

from prico_agents.neural.entity_inputs import RowRules
from prico_env import Games, RuleSet
from prico_training.config import Config
from prico_training.errors import ConfigError
from prico_training.learning.league import reference_networks
from prico_training.learning.reference_policy import NO_REFERENCE, ReferencePolicy
from prico_training.sections import from_dict


def some_games():
    games = Games(RuleSet(), 50, seed=3)
    masks = np.packbits(games.masks, axis=1)
    return games, games.observations, masks, RowRules.of(games)


def test_the_mixture_gives_every_legal_action_a_chance_and_no_other_one():
    settings = {"ppo": {"reference": ["generalist", "governor"], "reference_coef": 0.1}}
    config = from_dict(settings, Config)
    both = reference_networks(config)
    games, *decisions = some_games()
    mixture = ReferencePolicy(both).log_probs(*decisions)
    each = [np.exp(ReferencePolicy([one]).log_probs(*decisions)) for one in both]
    chances = np.where(games.masks, np.exp(mixture), 0)
    np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(chances, np.where(games.masks, sum(each) / 2, 0), atol=1e-6)
    least = 0.1 / games.masks.sum(axis=1, keepdims=True)
    assert (chances >= np.where(games.masks, 0.999 * least, 0)).all()


def test_without_policies_there_is_nothing_to_stay_near():
    _, *decisions = some_games()
    assert NO_REFERENCE.log_probs(*decisions).shape == (50, 0)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"ppo": {"reference": ["planner"], "reference_coef": 0.1}}, "trained policies.*'planner'"),
        (
            {
                "game": {"expansions": ["festival"]},
                "ppo": {"reference": ["governor"], "reference_coef": 0.1},
            },
            "'governor' has not learnt to play",
        ),
    ],
)
def test_who_cannot_be_stayed_near_is_refused(settings, says):
    with pytest.raises(ConfigError, match=f"ppo.reference.*{says}"):
        reference_networks(from_dict(settings, Config))


@pytest.mark.parametrize("ppo", [{"reference": ["generalist"]}, {"reference_coef": 0.1}])
def test_a_reference_needs_a_weight_and_a_weight_a_reference(ppo):
    with pytest.raises(ConfigError, match="go together"):
        from_dict({"ppo": ppo}, Config)
