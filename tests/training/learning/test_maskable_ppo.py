"""MaskablePPO of sb3-contrib on the settings and the seats of our own trainer."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from prico_agents.neural.network import PolicyValueNetwork
from prico_env import RuleSet
from prico_training.config import BehaviourCloning, Config, NetworkShape, Opponents, Ppo, SelfPlay
from prico_training.errors import ConfigError
from prico_training.learning.league import LEARNER
from prico_training.learning.maskable_ppo import MaskableTrainer
from prico_training.sections import from_dict

GAMES = 12


def trainer(share=0.5, **cloning):
    config = Config(
        trainer="maskable_sb3",
        threads=1,
        game=RuleSet(players=3),
        self_play=SelfPlay(num_envs=GAMES, num_steps=24),
        opponents=Opponents(agents=("corn",), share=share, pool_size=1),
        network=NetworkShape(hidden=(16,)),
        behaviour_cloning=BehaviourCloning(teacher="corn", others=(), games=3, **cloning),
        ppo=Ppo(batch_size=48, update_epochs=1),
    )
    return MaskableTrainer(config)


def test_the_learner_decides_at_its_own_seat_alone():
    made = trainer(share=1.0)
    env = made._env
    env.reset()
    for _ in range(60):
        players, seats = made.league.players, env.seated.seats
        assert (players[np.arange(GAMES), seats] == LEARNER).all()
        assert (players == 0).any(axis=1).all()
        assert (env.seated.games.turn == seats).all()
        actions = np.array([np.flatnonzero(mask)[0] for mask in env.action_masks()])
        env.step_async(actions)
        env.step_wait()


def test_the_playing_network_is_the_learning_one():
    made = trainer(share=0.0)
    observations, masks = made._env.reset(), made._env.action_masks()
    made.learn(1.0)
    logits = PolicyValueNetwork(made.weights()).logits(observations, masks)
    tensor, _ = made.model.policy.obs_to_tensor(observations)
    theirs = made.model.policy.get_distribution(tensor, action_masks=masks)
    ours = np.exp(logits - logits.max(axis=1, keepdims=True))
    ours /= ours.sum(axis=1, keepdims=True)
    assert ours == pytest.approx(theirs.distribution.probs.detach().numpy(), abs=1e-5)


def test_it_goes_on_with_what_it_learnt_from_teachers():
    made = trainer(share=0.5)
    made.learn(0.0)
    taught = made.weights()
    made._take_over()
    assert all((made.weights()[name] == taught[name]).all() for name in made.weights())
    figures = made.learn(0.9)
    assert {"entropy", "value_loss", "approx_kl"} <= set(figures)
    assert made.games >= 0
    assert made.decisions > GAMES * 8


def test_learning_goes_on_from_what_was_kept_with_other_deals():
    one, two = trainer(), trainer()
    for spent in (0.0, 0.6, 0.9):
        one.learn(spent)
    two.remember("past", one.weights())
    one.remember("past", one.weights())
    two.restore(*one.state())
    ours, theirs = one.state()[0], two.state()[0]
    assert ours.keys() == theirs.keys()
    assert all((ours[name] == theirs[name]).all() for name in ours)
    assert two.decisions == one.decisions
    two.learn(0.95)
    assert not np.array_equal(one._env.seated.games.seeds, two._env.seated.games.seeds)


@pytest.mark.parametrize(
    "fields",
    [
        {"self_play": {"players": [3, 4]}},
        {"network": {"start": "runs/somewhere"}},
        {"ppo": {"reference": ["generalist"], "reference_coef": 0.1}},
        {"ppo": {"shaping_coef": 0.5}},
        {"device": "cuda"},
    ],
    ids=["tables", "start", "reference", "shaping", "gpu"],
)
def test_what_only_our_own_ppo_does_is_refused(fields):
    with pytest.raises(ConfigError, match="goes with trainer=ppo only"):
        MaskableTrainer(from_dict({"game": {"players": 3}} | fields, Config))
