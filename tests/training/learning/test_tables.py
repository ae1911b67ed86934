"""One network at tables of several sizes, and networks that start from others."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from prico_agents import AgentError
from prico_agents.base import View
from prico_agents.heuristics.corn import Corn
from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy, load_policy, save_policy
from prico_agents.neural.network import PolicyValueNetwork
from prico_agents.neural.player_counts import PlayerCountAdapter
from prico_agents.neural.policy import Policy
from prico_env import ALL_EXPANSIONS, Game, Games, RuleSet
from prico_env.catalog.model import PLAYER_COUNTS
from prico_training.config import Config
from prico_training.errors import ConfigError
from prico_training.learning.factory import make_trainer
from prico_training.learning.model import ActorCritic, FrozenNetwork
from prico_training.learning.rollout import Collector
from prico_training.sections import from_dict
from tests.training.learning.continued import continue_exactly

SMALL = {
    "seed": 3,
    "game": {"players": 3},
    "self_play": {"num_envs": 12, "num_steps": 8, "players": [3, 5, 3, 2]},
    "opponents": {"agents": ["corn"], "pool_size": 1},
    "network": {"hidden": [16]},
    "behaviour_cloning": {"games": 2, "teacher": "corn", "others": []},
    "ppo": {"batch_size": 64},
}


def a_network(players=5, hidden=(16,), seed=1, shown=(2, 5)):
    torch.manual_seed(seed)
    network = ActorCritic(RuleSet(players), hidden, players)
    seen = [played(each, network) for each in shown]
    network.fit_normalizer(seen)
    return network


def played(players, network, n=4, steps=60):
    """Positions of games in which a network plays, shape ``(rows, features)``."""
    rollout = Collector(RuleSet(players), n, steps, network.value_seats, None, 5).collect(network)
    return rollout.observations.reshape(n * steps, -1)


@pytest.mark.parametrize("edition", ["classic", "1897-en", "1897-de"])
def test_each_feature_of_a_small_table_stands_where_it_stands_at_a_large_one(edition):
    for expansions in ((), ("buildings", "citizens")):
        large = RuleSet(5, edition, expansions)
        tables = PlayerCountAdapter(large)
        for players in PLAYER_COUNTS:
            small = RuleSet(players, edition, expansions).observation
            columns = tables.columns(players)
            assert tables.seats(small.num_features) == players
            for block in small.blocks:
                there = next(each for each in large.observation.blocks if each.name == block.name)
                here = columns[block.start : block.stop]
                assert here.tolist() == list(range(there.start, there.stop))


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_what_learns_and_what_plays_think_the_same_at_every_table(players):
    network = a_network()
    observations = played(players, network)
    logits, values = network.policy_and_value(observations)
    weights = network.to_weights()
    player = PolicyValueNetwork(PlayerCountAdapter(RuleSet(5)).fit(weights, players))
    everything = np.ones(logits.shape, bool)
    assert player.logits(observations, everything) == pytest.approx(logits, abs=1e-4)
    assert values.shape == (len(observations), players, 2)
    judged = player.evaluate(observations, everything)[1]
    assert judged == pytest.approx(np.clip(values[:, :, 0], 0, 1), abs=1e-4)
    frozen = FrozenNetwork(network.tables, weights, greedy=True)
    assert frozen.logits(observations) == pytest.approx(logits, abs=1e-4)


def test_a_network_that_starts_from_another_plays_like_it():
    one, other = a_network(seed=1), a_network(seed=2, shown=(3, 4))
    policy = SavedPolicy(RuleSet(5), one.to_weights(), {}, (2, 5))
    other.load_weights(policy)
    for players in PLAYER_COUNTS:
        observations = played(players, one)
        theirs, ours = one.policy_and_value(observations), other.policy_and_value(observations)
        assert ours[0] == pytest.approx(theirs[0], abs=1e-4)
        assert ours[1][..., 0] == pytest.approx(theirs[1][..., 0], abs=1e-4)


def test_a_network_for_five_starts_from_one_for_four():
    small, large = a_network(players=4, shown=(4,)), a_network(seed=2)
    large.load_weights(SavedPolicy(RuleSet(4), small.to_weights(), {}))
    observations = played(4, small)
    assert large.policy_and_value(observations)[0] == pytest.approx(
        small.policy_and_value(observations)[0], abs=1e-4
    )


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (lambda: SavedPolicy(RuleSet(5), a_network(hidden=(8,)).to_weights(), {}), "hidden"),
        (
            lambda: SavedPolicy(
                RuleSet(5, expansions=ALL_EXPANSIONS), a_network().to_weights(), {}
            ),
            "features and actions",
        ),
    ],
    ids=["other widths", "other features"],
)
def test_a_network_refuses_to_start_from_one_that_does_not_fit(policy, reason):
    network = a_network()
    before = network.to_weights()
    with pytest.raises(CheckpointError, match=reason):
        network.load_weights(policy())
    assert all((before[name] == each).all() for name, each in network.to_weights().items())


def test_a_run_learns_at_all_its_tables_and_goes_on_exactly():
    config = from_dict(SMALL, Config)
    assert [(rules.players, games) for rules, games in config.tables()] == [(3, 6), (5, 3), (2, 3)]
    kept = continue_exactly(config, [0.0, 0.1, 0.2, 0.3, 0.6, 0.7], [0.8, 0.9])
    assert {"games_3/states", "games_5/states", "games_2/states"} <= kept


def test_a_policy_plays_at_the_tables_it_was_trained_at_and_no_other(tmp_path):
    policy = SavedPolicy(RuleSet(5), a_network().to_weights(), {}, (3, 5))
    save_policy(tmp_path, policy)
    agent = Policy(tmp_path)
    for players in (3, 5, 3):
        game = Game(RuleSet(players), seed=1)
        agent.reset(game.turn, game.rules, 0)
        assert agent.act(View.of(game, game.turn)) in game.legal_actions()
    with pytest.raises(AgentError, match="has learnt 1897-en, 3 or 5 players"):
        agent.reset(0, RuleSet(4), 0)


def test_weights_of_half_the_size_play_nearly_the_same(tmp_path):
    network = a_network()
    for name, half in (("whole", False), ("half", True)):
        (tmp_path / name).mkdir()
        save_policy(tmp_path / name, SavedPolicy(RuleSet(5), network.to_weights(), {}), half=half)
    whole, half = (load_policy(tmp_path / name) for name in ("whole", "half"))
    assert all(array.dtype == np.float32 for array in half.weights.values())
    assert all(
        array == pytest.approx(whole.weights[name], abs=1e-2)
        for name, array in half.weights.items()
    )
    sizes = [(tmp_path / name / "policy.safetensors").stat().st_size for name in ("half", "whole")]
    assert sizes[0] < 0.55 * sizes[1]


def test_a_trained_policy_can_be_met_in_the_league(tmp_path):
    save_policy(tmp_path, SavedPolicy(RuleSet(5), a_network().to_weights(), {}, (2, 3, 5)))
    names = ["corn", str(tmp_path)]
    trainer = make_trainer(
        from_dict(SMALL | {"opponents": {"agents": names, "share": 1.0}}, Config)
    )
    assert trainer.league.names == names
    assert trainer.league.num_lasting == 2
    assert {0, 1} <= set(trainer.league.players.ravel())
    trainer.learn(0.9)
    trainer.close()


def test_a_policy_that_does_not_know_a_table_cannot_be_met_there(tmp_path):
    save_policy(tmp_path, SavedPolicy(RuleSet(5), a_network().to_weights(), {}, (2, 3)))
    fields = SMALL | {"opponents": {"agents": [str(tmp_path)]}}
    with pytest.raises(ConfigError, match=r"has not learnt to play RuleSet\(players=5"):
        make_trainer(from_dict(fields, Config))


def test_a_frozen_policy_plays_its_favourites_in_the_league():
    network = a_network()
    frozen = FrozenNetwork(network.tables, network.to_weights(), greedy=True)
    from prico_training.config import Opponents
    from prico_training.learning.league import League

    games = Games(RuleSet(5), 20)
    league = League(Opponents(share=1.0), {"corn": Corn(), "net": frozen}, (20, 5), 1)
    actions = np.zeros(20, np.int64)
    league.choose(games, np.ones(20, np.int64), actions)
    logits = np.where(games.masks, frozen.logits(games.observations), -np.inf)
    assert actions.tolist() == logits.argmax(axis=1).tolist()


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ({"players": [4, 5]}, "must name game.players"),
        ({"players": [3, 6]}, "at least 2 and at most 5, not 6"),
    ],
)
def test_tables_must_exist_and_hold_the_game_that_is_asked_for(play, reason):
    with pytest.raises(ConfigError, match=reason):
        from_dict({"game": {"players": 3}, "self_play": play}, Config)


def test_a_gpu_that_is_not_there_is_asked_for_in_vain():
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(ConfigError, match="device=cuda needs"):
        make_trainer(from_dict(SMALL | {"device": "cuda"}, Config))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here")
def test_learning_works_unchanged_on_a_gpu():
    trainer = make_trainer(from_dict(SMALL | {"device": "cuda"}, Config))
    for spent in (0.0, 0.2, 0.8, 0.9):
        trainer.learn(spent)
    weights = trainer.weights()
    assert all(np.isfinite(array).all() for array in weights.values())
    trainer.close()
