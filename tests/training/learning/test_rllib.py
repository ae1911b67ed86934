"""RLlib at our table: what seats see and are paid, and a command that learns and goes on."""

import importlib.util
import sys

import numpy as np
import pytest

from prico_agents import View, load_agent
from prico_agents.neural.checkpoint import SavedPolicy
from prico_agents.neural.network import FACTOR, OFFSET, PolicyValueNetwork
from prico_env import Game, RuleSet
from prico_training.errors import ConfigError
from prico_training.learning import rllib
from prico_training.learning.rllib import MaskedTable

needs_rllib = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None,
    reason="RLlib lives in an environment of its own; `make test-ray` runs this there",
)
RULES = RuleSet(players=3)
FEW = {"hidden": (16,), "games": 2, "decisions": 64}


@pytest.fixture(scope="module")
def ray():
    with rllib.running_ray():
        yield


@pytest.fixture(scope="module")
def learnt(ray):
    """An algorithm that has learnt once, and its weights before that."""
    algorithm = rllib.config(RULES, **FEW).build_algo()
    before = rllib.learnt_policy(algorithm, RULES).weights
    algorithm.train()
    yield algorithm, before
    algorithm.stop()


@pytest.mark.parametrize("scaling", rllib.SCALINGS)
def test_seats_see_features_and_masks_that_fit_the_spaces(players, scaling):
    table = MaskedTable(players=players, scaling=scaling)
    table.reset(seed=7)
    for agent in table.agent_iter():
        seen, _, terminated, truncated, _ = table.last()
        assert table.observation_space(agent).contains(seen)
        seat = table.possible_agents.index(agent)
        counts = table.game.observation(seat)
        if scaling == rllib.LOG:
            expected = np.log1p(counts.astype(float))
        else:
            expected = table.rules.observation.scale(counts, scaling)
        assert seen["observations"] == pytest.approx(expected, abs=1e-6)
        assert (seen["action_mask"].astype(bool) == table.game.mask()).all()
        table.step(None if terminated or truncated else table.sample_action())


@needs_rllib
def test_every_seat_is_paid_what_the_game_says_and_only_at_the_end(players):
    env = rllib.make_env({"players": players, "reward": "margin"})
    (agent,) = env.reset(seed=7)[0]
    while True:
        seen, rewards, terminations, truncations, _ = env.step({agent: env.env.sample_action()})
        assert not truncations["__all__"]
        if terminations["__all__"]:
            break
        (agent,) = seen
        assert rewards == {agent: 0.0}
        assert env.observation_spaces[agent].contains(seen[agent])
    paid = [rewards[agent] for agent in env.env.possible_agents]
    assert paid == pytest.approx(env.env.game.rewards("margin").tolist())
    assert any(paid)


@needs_rllib
def test_a_game_that_is_cut_off_is_over_for_rllib_too():
    env = rllib.make_env({"rules": RULES, "max_steps": 2})
    (agent,) = env.reset(seed=7)[0]
    (agent,) = env.step({agent: env.env.sample_action()})[0]
    seen, _, terminations, truncations, _ = env.step({agent: env.env.sample_action()})
    assert list(seen) == env.env.possible_agents
    assert truncations["__all__"]
    assert not terminations["__all__"]


@needs_rllib
def test_rllib_never_chooses_what_is_forbidden(learnt):
    algorithm, _ = learnt
    for episode in algorithm.env_runner.sample(num_episodes=2):
        seats = list(episode.agent_episodes.values())
        assert len(seats) == RULES.players
        for seat in seats:
            masks = seat.get_observations()["action_mask"][:-1]
            chosen = np.asarray(seat.get_actions())
            assert len(chosen) > 20
            assert masks[np.arange(len(chosen)), chosen].all()


@needs_rllib
def test_rllib_keeps_what_each_seat_is_paid_with_its_own_decisions(learnt):
    algorithm, _ = learnt
    leads = []
    for episode in algorithm.env_runner.sample(num_episodes=4):
        assert episode.is_terminated
        payments = [seat.get_rewards() for seat in episode.agent_episodes.values()]
        assert not any(np.any(payment[:-1]) for payment in payments)
        *_, second, first = sorted(payment[-1] for payment in payments)
        assert first == pytest.approx(-second)  # one leads by as much as the other lacks
        leads.append(first)
    assert min(leads) >= 0  # two who are level lead by nothing
    assert max(leads) > 0


@needs_rllib
def test_an_iteration_changes_every_layer(learnt):
    algorithm, before = learnt
    after = rllib.learnt_policy(algorithm, RULES).weights
    assert after.keys() == before.keys()
    for name, array in after.items():
        assert np.isfinite(array).all()
        is_scaling = name in (FACTOR, OFFSET)
        assert np.array_equal(array, before[name]) == is_scaling


@needs_rllib
def test_our_network_likes_what_the_module_likes(learnt):
    import torch

    algorithm, _ = learnt
    table = MaskedTable(RULES)
    table.reset(seed=3)
    seen, _, _, _, _ = table.last()
    batch = {name: torch.from_numpy(array[None]) for name, array in seen.items()}
    theirs = algorithm.get_module(rllib.POLICY).forward_inference({"obs": batch})
    legal = table.game.mask()
    network = PolicyValueNetwork(rllib.learnt_policy(algorithm, RULES).weights)
    ours = network.logits(table.game.observation()[None], legal[None])
    likes = theirs["action_dist_inputs"].detach().numpy()
    assert ours[0, legal] == pytest.approx(likes[0, legal], abs=1e-5)


@needs_rllib
def test_a_checkpoint_goes_on_where_it_was_and_plays(learnt, tmp_path):
    algorithm, _ = learnt
    saved = rllib.learnt_policy(algorithm, RULES)
    rllib.save(algorithm, RULES, tmp_path)
    again = rllib.config(RULES, **FEW, seed=2).build_algo()
    again.restore_from_path(rllib.find_rllib_state(tmp_path))
    restored = rllib.learnt_policy(again, RULES)
    assert restored.about == saved.about
    assert restored.about["decisions"] > 0
    for name, array in saved.weights.items():
        assert (restored.weights[name] == array).all()
    again.train()
    assert rllib.decisions_of(again) > restored.about["decisions"]
    again.stop()
    game, player = Game(RULES, 5), load_agent(str(tmp_path))
    player.reset(game.turn, RULES, 1)
    assert player.act(View.of(game)) in game.legal_actions()


@needs_rllib
@pytest.mark.training
def test_the_command_learns_and_goes_on(ray, tmp_path, capsys):
    run = tmp_path / "run"
    few = ["--iterations", "1", "--decisions", "64", "--games", "2", "--deals", "2"]
    assert rllib.main([*few, "--players", "3", "--output", str(run)]) == 0
    printed = capsys.readouterr().out
    assert "at the start: wins" in printed
    assert "at the end: wins" in printed
    assert "even play is 33%" in printed
    (first,) = (run / "checkpoints").iterdir()
    assert rllib.main([*few, "--resume", str(run)]) == 0
    (second,) = (run / "checkpoints").iterdir()
    assert second.name > first.name


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--iterations", "0"], "--iterations must be at least 1, not 0"),
        (["--output", "."], ". exists; go on with --resume"),
        (["--output", "a", "--resume", "b"], "keeps its folder"),
        (["--scaling", "range", "--resume", "b"], "keeps its scaling"),
        (["--resume", "nowhere"], "nowhere holds no checkpoint"),
    ],
)
def test_the_command_refuses_in_words(words, complaint, capsys, monkeypatch):
    monkeypatch.setattr(rllib, "require_rllib", lambda: None)
    assert rllib.main(words) == 2
    assert complaint in capsys.readouterr().err


def test_without_rllib_it_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "ray.rllib", raising=False)
    assert rllib.main([]) == 2
    assert "pip install 'prico[rllib]'" in capsys.readouterr().err


@needs_rllib
def test_a_run_from_before_observations_were_standardised_goes_on_as_it_was(ray, tmp_path):
    old = rllib.config(RULES, **FEW, scaling=rllib.LOG).build_algo()
    policy = rllib.learnt_policy(old, RULES)
    assert not any(name.startswith("input") for name in policy.weights)
    assert rllib._scaling_of(tmp_path, policy) == rllib.LOG
    del policy.about["scaling"]  # they did not say
    assert rllib._scaling_of(tmp_path, policy) == rllib.LOG
    old.stop()


def test_a_run_does_not_go_on_with_other_means_and_deviations(tmp_path):
    scaling = RULES.observation.scaling()
    weights = {FACTOR: scaling.factor, OFFSET: scaling.offset}
    saved = SavedPolicy(RULES, weights, {"scaling": "standard"})
    assert rllib._scaling_of(tmp_path, saved) == "standard"
    saved.weights[OFFSET] = scaling.offset + 1
    with pytest.raises(ConfigError, match="other means and deviations"):
        rllib._scaling_of(tmp_path, saved)
