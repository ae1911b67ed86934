"""What the learner is given to learn from: its own decisions, and what they earned."""

import dataclasses

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from agents.neural.network import Network
from training.config import Network as NetworkShape
from training.config import Ppo, SelfPlay, from_dict, load_config
from training.learner import Learner
from training.self_play import make_table

GAMES = 24


def config(**self_play):
    settings = {"games": GAMES, "reward": "win", "shaping": 0.0, "past": 0.0} | self_play
    return dataclasses.replace(
        load_config(None),
        threads=1,
        self_play=SelfPlay(**settings),
        network=NetworkShape(hidden=(16,)),
        ppo=Ppo(decisions_per_update=8, minibatch=64, epochs=1),
    )


class Witness:
    """Plays for the pool, and remembers who was asked since the learner's last decision."""

    def __init__(self, pool):
        self.pool = pool
        self.asked = np.zeros(GAMES, bool)

    def act(self, observations, masks, seats, games):
        self.asked[games] = True
        return self.pool.act(observations, masks, seats, games)

    def assign(self, dealt, rng):
        self.pool.assign(dealt, rng)


def play_episodes(settings, steps):
    """Play the learner at random; yields what finished games paid, and whose the last move was."""
    env, _, pool = make_table(settings, deals=5)
    witness = Witness(pool)
    env.seated._opponents = witness
    chance = np.random.default_rng(2)
    env.reset()
    potentials = np.zeros(GAMES)
    for _ in range(steps):
        begun = env.seated.lengths == 0
        potentials[begun] = env.seated._potential[begun]
        masks = env.action_masks()
        actions = [chance.choice(np.flatnonzero(mask)) for mask in masks]
        seats = env.seated.seats.copy()
        witness.asked[:] = False
        env.step_async(np.array(actions))
        deal, asked = env.seated.deal, []
        env.seated.deal = lambda *args, deal=deal, asked=asked, **kwargs: (
            asked.append(witness.asked.copy()),
            deal(*args, **kwargs),
        )
        _, rewards, dones, infos = env.step_wait()
        env.seated.deal = deal
        for game in np.flatnonzero(dones).tolist():
            episode = infos[game]["episode"] | {"potential": float(potentials[game])}
            yield seats[game], bool(asked[0][game]), float(rewards[game]), episode


@pytest.fixture(scope="module")
def episodes():
    return list(play_episodes(config(), 400))


def test_a_learner_that_did_not_move_last_gets_its_terminal_reward(episodes):
    """G157, G146."""
    others = [(reward, episode) for _, by_other, reward, episode in episodes if by_other]
    assert len(others) > 10
    assert any(episode["win"] > 0 for _, episode in others)
    for reward, episode in others:
        assert reward == pytest.approx(episode["win"] - 0.25, abs=1e-6)


def test_a_learner_that_moved_last_gets_the_same(episodes):
    own = [(reward, episode) for _, by_other, reward, episode in episodes if not by_other]
    assert own
    for reward, episode in own:
        assert reward == pytest.approx(episode["win"] - 0.25, abs=1e-6)


def test_the_learner_sits_at_every_seat(episodes):
    """G161."""
    assert {int(seat) for seat, *_ in episodes} == {0, 1, 2, 3}


def test_shaping_is_given_back_by_the_end():
    """G166: over a game, the differences of the potential cancel."""
    finished = list(play_episodes(config(shaping=0.05), 250))
    assert finished
    for _, _, _, episode in finished:
        earned = episode["win"] - 0.25
        assert episode["r"] + episode["potential"] == pytest.approx(earned, abs=1e-4)


@pytest.mark.parametrize("reward", ["rank", "margin"])
def test_the_reward_is_the_one_of_the_settings(reward):
    """G163."""
    paid = [episode["r"] for *_, episode in play_episodes(config(reward=reward), 250)]
    in_thirds = [abs(3 * each - round(3 * each)) < 1e-4 and abs(each) <= 1.001 for each in paid]
    assert paid
    assert all(in_thirds) == (reward == "rank")


def test_every_transition_starts_at_a_decision_of_the_learner():
    """G160: view and mask are of the same game and seat, also after a new deal."""
    env, _, _ = make_table(config(), deals=1)
    observations = env.reset()
    for _ in range(60):
        games = env.seated.games
        assert (games.turn == env.seated.seats).all()
        assert (observations == games.observe(env.seated.seats)).all()
        assert env.action_masks().any(axis=1).all()
        actions = np.array([np.flatnonzero(mask)[0] for mask in env.action_masks()])
        env.step_async(actions)
        observations, *_ = env.step_wait()


def test_the_playing_network_is_the_learning_one():
    env, learner, pool = make_table(config(), deals=1)
    for _ in range(2):
        observations, masks = env.reset(), env.action_masks()
        logits = Network(learner.policy_weights()).logits(observations, masks)
        tensor, _ = learner.model.policy.obs_to_tensor(observations)
        distribution = learner.model.policy.get_distribution(tensor, action_masks=masks)
        theirs = distribution.distribution.probs.detach().numpy()
        ours = np.exp(logits - logits.max(axis=1, keepdims=True))
        ours /= ours.sum(axis=1, keepdims=True)
        assert ours == pytest.approx(theirs, abs=1e-5)
        assert (pool.learner.logits(observations, masks) == logits).all()
        learner.learn(0.0)


def test_learning_changes_the_network_and_counts_its_decisions():
    _, learner, _ = make_table(config(), deals=1)
    before = {name: array.copy() for name, array in learner.policy_weights().items()}
    assert learner.learn(0.0)
    assert learner.decisions == 8 * GAMES
    assert any((before[name] != array).any() for name, array in learner.policy_weights().items())


def test_asking_to_stop_ends_a_rollout_without_an_update():
    _, learner, _ = make_table(config(), deals=1)
    learner.stopper.stop = True
    before = learner.arrays()
    assert not learner.learn(0.0)
    after = learner.arrays()
    assert all((before[name] == after[name]).all() for name in before)


def test_the_step_size_falls_with_the_budget():
    _, learner, _ = make_table(config(), deals=1)
    rates = []
    for spent in (0.0, 0.5, 1.0, 1.3):
        learner.learn(spent)
        rates.append(learner.model.policy.optimizer.param_groups[0]["lr"])
    full = Ppo().learning_rate
    assert rates == pytest.approx([full, 0.55 * full, 0.1 * full, 0.1 * full])


def test_learning_goes_on_exactly_from_saved_arrays():
    settings = config()
    _, one, _ = make_table(settings, deals=1)
    one.learn(0.0)
    _, two, _ = make_table(settings, deals=1)
    two.restore(one.arrays(), one.decisions, one.model._n_updates)
    assert two.decisions == one.decisions
    ours, theirs = one.arrays(), two.arrays()
    assert ours.keys() == theirs.keys()
    assert any(name.startswith("optimizer/") for name in ours)
    assert all((ours[name] == theirs[name]).all() for name in ours)


def test_one_network_serves_every_number_of_players():
    for players in (2, 3, 5):
        fields = {"game": {"players": players}, "self_play": {"games": 4}, "threads": 1}
        fields["ppo"] = {"decisions_per_update": 4, "minibatch": 16, "epochs": 1}
        fields["network"] = {"hidden": [8]}
        env, learner, _ = make_table(from_dict(fields, type(load_config(None))), deals=1)
        assert isinstance(learner, Learner)
        assert learner.learn(0.0)
        assert env.num_envs == 4
