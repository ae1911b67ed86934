"""One network that learns many rule sets and numbers of players in one run."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from prico_agents import AgentError
from prico_agents.batch_players import BatchPlayers, Demonstrator
from prico_agents.heuristics.corn import Corn
from prico_agents.neural.checkpoint import SavedPolicy, load_policy, save_policy
from prico_agents.neural.entity_inputs import RowRules
from prico_agents.neural.policy import Policy, can_play
from prico_agents.search.batched import BatchedSearch
from prico_agents.search.simulation import new_search_params
from prico_env import ALL_EXPANSIONS, Games, RuleSet
from prico_training.config import Config, NetworkShape
from prico_training.errors import ConfigError
from prico_training.learning.behaviour_cloning import make_teachers
from prico_training.learning.entity_model import EntityActorCritic
from prico_training.learning.expert_iteration import NetworkEvaluator
from prico_training.learning.factory import make_trainer
from prico_training.learning.league import make_leagues
from prico_training.learning.learning_curve import Curve
from prico_training.learning.metrics import columns_of
from prico_training.learning.model import ActorCritic, FrozenNetwork
from prico_training.learning.networks import make_network, saved_policy
from prico_training.learning.rollout import Collector
from prico_training.learning.shaping import Potential
from prico_training.rule_sets import HELD_OUT, rule_set_name
from prico_training.sections import from_dict, to_plain
from tests.rule_sets import ALL_RULE_SETS
from tests.training.learning.continued import continue_exactly

MIX = (
    RuleSet(3),
    RuleSet(2, "classic"),
    RuleSet(3, "classic"),
    RuleSet(3, "1897-de", ("buildings",)),
    RuleSet(3, "1897-en", ALL_EXPANSIONS),
    RuleSet(3, "classic", ("citizens",)),
)
SETTINGS = {
    "seed": 3,
    "device": "cpu",
    "threads": 1,
    "game": {"players": 3},
    "games": [rules.to_dict() for rules in MIX],
    "self_play": {"num_envs": 12, "num_steps": 6},
    "opponents": {"agents": ["corn"], "pool_size": 1},
    "network": {"kind": "entities", "hidden": [16], "seat_width": 8, "object_width": 4},
    "behaviour_cloning": {"games": 6, "teacher": "corn", "others": [], "share": 0.5},
    "ppo": {"batch_size": 64},
    "evaluation": {"curve": ["random"], "curve_deals": 1, "curve_games": 3},
}
EVERYTHING = RuleSet(5, expansions=ALL_EXPANSIONS)
MIXED = (RuleSet(3, "1897-de", ("buildings",)), RuleSet(3, "classic", ("citizens",)),
         RuleSet(3, expansions=ALL_EXPANSIONS), RuleSet(3, "1897-en", ("smuggler",)))  # fmt: skip


def config(**changes):
    return from_dict(SETTINGS | changes, Config)


def mixed_games(n=16, steps=60):
    """Games of several rule sets with the features of one layout, in their midst."""
    games = Games([MIXED[number % len(MIXED)] for number in range(n)], n, seed=4)
    for _ in range(steps):
        games.step(games.sample())
    return games


@pytest.fixture(scope="module")
def generalist():
    torch.manual_seed(1)
    shape = NetworkShape(kind="entities", hidden=(24,), seat_width=8, object_width=8, half=False)
    network = EntityActorCritic(EVERYTHING, shape, 5)
    with torch.no_grad():  # not nearly even play, as at first
        network.kinds.weight *= 50
        network.places.weight *= 50
        network.rules.normal_()
    network.fit_normalizer([mixed_games().observations])
    return network


def test_rule_sets_in_one_batch_are_computed_as_each_is_alone(generalist):
    games = mixed_games()
    rules = RowRules.of(games)
    logits, values = generalist.policy_and_value(games.observations, rules)
    frozen = FrozenNetwork.of(generalist.tables, generalist.to_weights(), greedy=True)
    assert frozen.logits(games.observations, rules) == pytest.approx(logits, abs=1e-4)
    for number, one in enumerate(games.rule_sets):
        rows = np.flatnonzero(rules.numbers == number)
        player = generalist.tables.network(generalist.to_weights(), one)
        masks = games.masks[rows, : one.num_actions]
        alone = player.all_logits(games.observations[rows])
        assert alone == pytest.approx(logits[rows, : one.num_actions], abs=1e-4)
        judged = player.evaluate(games.observations[rows], masks)[1]
        assert judged == pytest.approx(np.clip(values[rows, :, 0], 0, 1), abs=1e-4)


def test_a_network_is_told_the_edition_where_a_position_does_not_show_it(generalist):
    sets = tuple(RuleSet(3, edition, ("buildings",)) for edition in ("1897-en", "classic"))
    observations = Games(sets[0], 1, seed=1).observations.repeat(2, axis=0)
    one, other = generalist.policy_and_value(observations, RowRules(sets, np.array([0, 1])))[0]
    assert np.abs(one - other).max() > 1e-3


def test_rule_sets_of_one_layout_are_played_in_one_batch_and_the_others_beside_it():
    batches = {batch.name: batch.rules for batch in config().batches()}
    assert {name: set(rules) for name, rules in batches.items()} == {
        "3": {MIX[0], MIX[2]},
        "2": {MIX[1]},
        "3_expansions": set(MIX[3:]),
    }
    assert all(len(rules) == 2 * len(set(rules)) for rules in batches.values())
    assert config().rule_sets == MIX
    assert config().players == (3, 2)
    assert config().largest == RuleSet(3, "1897-en", ALL_EXPANSIONS)


def test_a_rule_set_that_is_named_twice_has_two_shares_of_all_games():
    more = config(games=[*SETTINGS["games"], MIX[2].to_dict()], self_play={"num_envs": 14})
    rules = more.batches()[0].rules
    assert [rules.count(each) for each in (MIX[0], MIX[2])] == [2, 4]
    teacher = make_teachers(more)[0]
    shown = [teacher.show(number).rules for number in range(6)]
    played = [each.rule_sets[number] for each in shown for number in each.numbers]
    assert played.count(MIX[2]) == 2 * played.count(MIX[0])
    assert more.rule_sets == MIX


def test_a_mix_leaves_out_what_is_held_out_and_survives_the_way_through_a_file():
    mixed = config(game={"players": 4}, games="every-but-held-out")
    assert set(mixed.rule_sets) == set(ALL_RULE_SETS) - set(HELD_OUT)
    assert sum(len(batch.rules) for batch in mixed.batches()) == 120
    plain = to_plain(mixed)
    assert plain["games"] == ["every-but-held-out"]
    assert from_dict(plain, Config) == mixed


def test_several_shares_are_written_once():
    short = [{"of": "every", "shares": 2}, {"of": {"players": 3}, "shares": 3}, {"players": 4}]
    mixed = config(game={"players": 4}, games=short)
    assert mixed == config(game={"players": 4}, games=["every"] * 2 + [{"players": 3}] * 3 + [{}])
    plain = to_plain(mixed)
    assert [each.get("shares") for each in plain["games"]] == [2, 3, None]
    assert from_dict(plain, Config) == mixed


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"games": ["every"], "network": {}}, "need network.kind=entities"),
        ({"games": [{"players": 2}]}, "games must name game"),
        ({"games": 3}, "every, every-but-held-out, with-a-suite"),
        ({"games": [{"of": "every", "shares": 0}]}, "1 to 1000 shares"),
        ({"games": [{"of": "every", "shares": 10**9}]}, "1 to 1000 shares"),
        ({"games": [{"of": "every", "shares": True}]}, "1 to 1000 shares"),
        ({"games": [{"shares": 2}]}, "{of: with-a-suite, shares: 3}"),
        ({"games": [{"of": ["every"], "shares": 2}]}, "game must hold the fields of a rule set"),
        ({"games": [{"of": {"of": "every", "shares": 2}, "shares": 2}]}, "of"),
        ({"self_play": {"players": [3, 2]}}, "leave it out with games"),
        ({"opponents": {"agents": ["corn"], "main_agent": "planner"}}, "one of opponents.agents"),
        ({"opponents": {"main_share": 0.5}}, "opponents.main_agent and .* go together"),
        ({"opponents": {"main_agent": "planner"}}, "opponents.main_agent and .* go together"),
    ],
)
def test_games_that_cannot_be_learnt_together_are_refused(changes, reason):
    with pytest.raises(ConfigError, match=reason):
        config(**changes)


def test_opponents_play_each_game_by_its_own_rules():
    games = mixed_games()
    mixed, alone = np.zeros(len(games), np.int64), np.zeros(len(games), np.int64)
    BatchPlayers([Corn()], len(games), 1).choose(games, np.zeros_like(mixed), mixed)
    chances = Potential().of(games)
    for number in range(len(games)):
        one = Games.of([games[number]])
        choice = np.zeros(1, np.int64)
        BatchPlayers([Corn()], 1, 1).choose(one, choice.copy(), choice)
        alone[number] = choice[0]
        assert Potential().of(one)[0] == pytest.approx(chances[number])
    assert mixed.tolist() == alone.tolist()


def test_a_teacher_shows_every_rule_set_as_it_would_alone():
    mixed = Demonstrator(MIXED, Corn(), (), 8, 0.0, seed=3).show(0)
    assert np.bincount(mixed.rules.numbers).tolist() == [2, 2, 2, 2]
    for number, rules in enumerate(MIXED):
        alone = Demonstrator(rules, Corn(), (), 8, 0.0, seed=3).show(0)
        for game in np.flatnonzero(mixed.rules.numbers == number):
            here, there = mixed.games == game, alone.games == game
            assert mixed.actions[here].tolist() == alone.actions[there].tolist()
            assert (mixed.observations[here] == alone.observations[there]).all()
            masks = mixed.masks[here]
            assert (masks[:, : rules.num_actions] == alone.masks[there]).all()
            assert not masks[:, rules.num_actions :].any()
            assert mixed.scores[game].tolist() == alone.scores[game].tolist()


def test_a_trained_opponent_is_met_where_it_knows_the_rules(tmp_path):
    rules = RuleSet(3)
    network = ActorCritic(rules, (8,), 3)
    save_policy(tmp_path, SavedPolicy(rules, network.to_weights(), {}))
    leagues = make_leagues(config(opponents={"agents": ["corn", str(tmp_path)]}))
    names = {
        batch.name: league.names for batch, league in zip(config().batches(), leagues, strict=True)
    }
    assert names == {"3": ["corn", str(tmp_path)], "2": ["corn"], "3_expansions": ["corn"]}
    with pytest.raises(ConfigError, match="has not learnt to play"):
        make_leagues(config(game={"players": 2}, games=[{"players": 2}, {"players": 3}],
            opponents={"agents": [str(tmp_path)]}))  # fmt: skip


def test_a_rollout_tells_the_rules_of_each_game(generalist):
    sets = [MIXED[number % 4] for number in range(8)]
    rollout = Collector(sets, 8, 3, 5, None, 1).collect(generalist)
    assert [rollout.rules.rule_sets[number] for number in rollout.rules.numbers] == sets
    some = rollout.rules[np.array([3, 3, 0])]
    assert [some.rule_sets[number] for number in some.numbers] == [sets[3], sets[3], sets[0]]


def test_a_run_learns_all_rule_sets_at_once_and_goes_on_exactly():
    kept = continue_exactly(config(), [0.0, 0.2, 0.6], [0.4, 0.8, 0.9])
    assert {"games_3/states", "games_2/states", "games_3_expansions/states"} <= kept


def test_searches_of_several_rule_sets_are_learnt_from_together():
    search = {"simulations": 2, "leaves": 2, "share": 0.2, "batch_size": 16, "buffer_size": 500}
    games = [{"players": 2, "expansions": [name]} for name in ("buildings", "smuggler", "festival")]
    play = {"num_envs": 6, "num_steps": 100}
    mixed = config(
        trainer="expert_iteration",
        expert_iteration=search,
        self_play=play,
        game=games[0],
        games=games,
    )
    one, two = make_trainer(mixed), make_trainer(mixed)
    one.learn(0.1)
    arrays, values = one.state()
    assert set(arrays["buffer_2/rules"].tolist()) == {0, 1, 2}
    two.restore({name: array.copy() for name, array in arrays.items()}, values)
    ours, theirs = one.learn(0.2), two.learn(0.2)
    assert ours == theirs
    assert ours["value_loss"] > 0


def test_a_search_takes_every_position_by_its_own_rules(generalist):
    games = mixed_games(8)
    params, rows = new_search_params("roles", "network", 0.1, "alike"), np.arange(8)
    evaluator = NetworkEvaluator(generalist)
    together = BatchedSearch(games.rule_sets, params, 8, 2, 1, 1)
    found = together.search(evaluator, games.state, rows)
    for number in range(8):
        one = Games.of([games[number]])
        alone = BatchedSearch(one.rule_sets, params, 1, 2, 1, 1)
        network = generalist.tables.network(generalist.to_weights(), one.rule_sets[0])
        priors = alone.search(network, one.state, rows[:1]).priors[0]
        assert found.priors[number, : len(priors)] == pytest.approx(priors, abs=1e-4)


def test_a_search_refuses_games_of_rules_that_it_does_not_know(generalist):
    games = mixed_games(4)
    params = new_search_params("roles", "network", 0.1, "alike")
    search = BatchedSearch(games.rule_sets[0], params, 4, 2, 1, 1)
    with pytest.raises(AgentError, match="records of rule set 3"):
        search.search(NetworkEvaluator(generalist), games.state, np.arange(4))


def test_one_policy_plays_every_rule_set_that_there_is(tmp_path):
    mixed = config(game={"players": 4}, games="every-but-held-out")
    policy = saved_policy(mixed, make_network(mixed).to_weights(), {})
    save_policy(tmp_path, policy, half=True)
    player = Policy(load_policy(tmp_path))
    for rules in ALL_RULE_SETS[::7]:
        assert can_play(player.saved, rules)
        games = Games(rules, 1, seed=1)
        player.reset(0, rules, 1)
        assert games.masks[0, player.act_batch(games.observations, games.masks)[0]]


def test_a_point_of_the_curve_is_told_by_rule_set_too():
    mixed = config()
    sets = mixed.curve_rule_sets
    assert sets[0] == mixed.game
    assert len(set(sets)) == 3
    policy = saved_policy(mixed, make_network(mixed).to_weights(), {})
    row = Curve(sets, ("random",), 2).point(policy, lambda: True)
    by_set = [row[f"win_rate_random {rule_set_name(rules)}"] for rules in sets]
    assert row["win_rate_random"] == pytest.approx(np.mean(by_set))
    assert row["win_rate_random_low"] <= row["win_rate_random"] <= row["win_rate_random_high"]
    assert set(row) <= set(columns_of(mixed))


def test_a_curve_takes_its_rule_sets_from_all_parts_of_a_mix():
    mixed = config(
        game={"players": 4},
        games="every-but-held-out",
        evaluation={"curve": ["planner"], "curve_games": 12},
    )
    counts = np.bincount([rules.players for rules in mixed.curve_rule_sets])
    assert counts[2:].min() >= 3
    assert {rules.edition for rules in mixed.curve_rule_sets} >= {"1897-en", "1897-de"}
