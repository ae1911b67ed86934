"""What the learner makes of a rollout."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from prico_agents.heuristics.corn import Corn
from prico_agents.neural.checkpoint import CheckpointError
from prico_agents.neural.network import PolicyValueNetwork
from prico_agents.neural.player_counts import PlayerCountAdapter
from prico_agents.random import RandomAgent
from prico_env import Game, RuleSet
from prico_training.config import Opponents, Ppo
from prico_training.learning.league import League
from prico_training.learning.model import ActorCritic, FrozenNetwork
from prico_training.learning.ppo import PpoLearner
from prico_training.learning.reference_policy import ReferencePolicy
from prico_training.learning.rollout import Collector, Rollout

RULES = RuleSet(players=3)
GAMES = 8


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(4)
    yield
    torch.set_num_threads(before)


class Run:
    """Everything that learns and plays, as a run sets it up."""

    def __init__(self, value_seats, half=False):
        self.network = ActorCritic(RULES, (32,), value_seats, half)
        first = Collector(RULES, 1, 100, value_seats, None, 8).collect(self.network)
        self.network.fit_normalizer([first.observations[:, 0]])
        agents = {"corn": Corn(), "random": RandomAgent()}
        self.league = League(Opponents(share=0.5, pool_size=1), agents, (GAMES, 3), 5)
        self.collector = Collector(RULES, GAMES, 60, value_seats, self.league, 6)
        self.learner = PpoLearner(self.network, Ppo(batch_size=128), 7)
        self.remembered = {}

    def learn(self, times):
        for _ in range(times):
            self.figures = self.learner.learn([self.collector.collect(self.network)], 0.5)

    def remember(self):
        self.remembered = self.network.to_weights()
        self.league.add("past", frozen(self.remembered))

    def state_dict(self):
        parts = (self.learner, self.collector, self.league)
        return [
            ({name: array.copy() for name, array in arrays.items()}, values)
            for arrays, values in (part.state() for part in parts)
        ]

    def restore(self, kept, past):
        self.league.add("past", frozen(past))
        for part, state in zip((self.learner, self.collector, self.league), kept, strict=True):
            part.restore(*state)


def frozen(weights):
    return FrozenNetwork(PlayerCountAdapter(RULES), weights, greedy=False)


def last_decision():
    """A position in which one decision ends the game, and what each action makes of it."""
    for seed in range(1000):
        game, chance = Game(RULES, seed), np.random.default_rng(seed)
        while not game.over:
            before = game.clone()
            game.step(int(chance.choice(np.flatnonzero(game.mask()))))
        scores = {}
        for action in np.flatnonzero(before.mask()):
            after = before.clone()
            after.step(int(action))
            scores[int(action)] = after.scores()[before.turn] if after.over else None
        if None not in scores.values() and len(set(scores.values())) > 2:
            return before, scores
    raise AssertionError("no game ended in a decision that matters")


@pytest.mark.parametrize("value_seats", [1, 3])
def test_it_finds_the_best_move_of_a_position_that_is_solved(value_seats):
    game, scores = last_decision()
    network = ActorCritic(RULES, (32,), value_seats)
    learner = PpoLearner(network, Ppo(learning_rate=0.01, ent_coef=0.0, batch_size=64), 1)
    collector = Collector(RULES, 64, 1, value_seats, None, 1)
    collector.games.masks[:] = game.mask()
    collector.games.observations[:] = game.observation()
    collector.games.state["turn"] = game.turn
    rollout = collector.rollout
    for _ in range(30):
        collector._decide(network, 0)
        rollout.ended[:] = True
        rollout.rewards[:] = 0
        rollout.rewards[0, :, game.turn, 1] = [scores[action] for action in rollout.actions[0]]
        learner.learn([rollout], 0)
    logits, _ = network.policy_and_value(game.observation()[None])
    best = int(np.where(game.mask(), logits[0], -np.inf).argmax())
    assert scores[best] == max(scores.values())


@pytest.mark.parametrize("value_seats", [1, 3])
def test_weights_play_the_same_in_the_network_that_needs_no_torch(value_seats):
    run = Run(value_seats)
    run.learn(2)
    observations, masks = run.collector.games.observations, run.collector.games.masks
    player = PolicyValueNetwork(run.network.to_weights())
    logits, values = run.network.policy_and_value(observations)
    given = player.logits(observations, masks)
    assert np.abs(given - logits)[masks].max() < 1e-4
    chances = player.evaluate(observations, masks)[1]
    assert chances == pytest.approx(values[:, :, 0].clip(0, 1), abs=1e-4)
    assert player.judges_own_seat == (value_seats == 1)


def test_a_past_self_plays_as_the_network_did():
    run = Run(1)
    past = frozen(run.network.to_weights())
    observations = run.collector.games.observations.copy()
    logits, _ = run.network.policy_and_value(observations)
    run.learn(1)
    assert np.abs(past.logits(observations) - logits).max() < 1e-4


def test_half_precision_changes_little_of_what_is_thought():
    torch.manual_seed(1)
    whole = ActorCritic(RULES, (32,), 3)
    half = ActorCritic(RULES, (32,), 3, half=True)
    half.load_state_dict(whole.state_dict())
    observations = Collector(RULES, 4, 1, 3, None, 1).games.observations
    for exact, rough in zip(
        whole.policy_and_value(observations), half.policy_and_value(observations), strict=True
    ):
        assert np.abs(exact - rough).max() < 0.1


@pytest.mark.parametrize("value_seats", [1, 3])
def test_a_run_that_goes_on_from_what_was_kept_is_the_run_that_never_stopped(value_seats):
    run = Run(value_seats)
    run.learn(1)
    run.remember()
    run.learn(2)
    kept, past = run.state_dict(), run.remembered
    run.learn(2)
    torch.manual_seed(9)
    other = Run(value_seats)
    other.restore(kept, past)
    other.learn(2)
    assert other.figures == run.figures
    assert other.collector.played == run.collector.played
    ours, theirs = run.network.state_dict(), other.network.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    assert other.league.win_rates.tolist() == run.league.win_rates.tolist()


def test_only_decisions_of_the_learner_are_learnt_from():
    run = Run(1)
    rollout = run.collector.collect(run.network)
    theirs = ~rollout.is_learner
    assert theirs.any()
    rollout.observations[theirs] = 255  # would spoil everything
    rollout.log_probs[theirs] = np.nan
    run.learner.learn([rollout], 0)
    assert all(parameter.isfinite().all() for parameter in run.network.parameters())


def test_step_size_falls_to_a_tenth():
    run = Run(1)
    rollout = run.collector.collect(run.network)
    assert run.learner.learn([rollout], 0)["learning_rate"] == pytest.approx(6e-4)
    assert run.learner.learn([rollout], 1)["learning_rate"] == pytest.approx(6e-5)


def test_weights_of_another_network_are_refused():
    kept, _ = Run(1).learner.state()
    with pytest.raises(CheckpointError, match="another network"):
        Run(3).learner.restore(kept, {})


def test_an_update_raises_the_chance_of_what_turned_out_well():
    network = ActorCritic(RULES, (16,), 1)
    collector = Collector(RULES, 16, 1, 1, None, 1)
    rollout: Rollout = collector.collect(network)
    rollout.ended[:] = True
    won = np.arange(16) % 2
    rollout.rewards[0, np.arange(16), rollout.seats[0], 0] = won
    PpoLearner(network, Ppo(ent_coef=0.0), 1).learn([rollout], 0)
    logits, _ = network.policy_and_value(rollout.observations[0])
    masks = np.unpackbits(rollout.masks[0], axis=1, count=RULES.num_actions).astype(bool)
    logits = np.where(masks, logits, -np.inf)
    now = logits[np.arange(16), rollout.actions[0]] - np.log(np.exp(logits).sum(axis=1))
    gained = now - rollout.log_probs[0]
    assert gained[won == 1].mean() > gained[won == 0].mean()


def test_who_is_kept_near_a_policy_comes_nearer_to_it():
    network, other = (ActorCritic(RULES, (32,), 1) for _ in range(2))
    rollout = Collector(RULES, 16, 60, 1, None, 2).collect(network)
    surer = {name: 9 * a if "layer" in name else a for name, a in other.to_weights().items()}
    near = ReferencePolicy([frozen(surer)])
    settings = Ppo(ent_coef=0.0, batch_size=128, reference=("other",), reference_coef=10.0)
    learner = PpoLearner(network, settings, 1, reference=near)
    first, *_, last = (learner.learn([rollout], 0)["reference_kl"] for _ in range(30))
    assert 0 < last < first / 2
