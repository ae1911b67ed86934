"""Learning from what a search finds: what is learnt, what is seen of it, and how it goes on."""

import dataclasses
import json

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy, save_policy
from prico_agents.search.batched import SearchSummary
from prico_agents.search.mcts import Mcts
from prico_env import RuleSet
from prico_training.config import (
    Budget,
    Config,
    Evaluation,
    ExpertIteration,
    NetworkShape,
    Opponents,
    SelfPlay,
)
from prico_training.errors import ConfigError
from prico_training.learning.entity_model import EntityActorCritic
from prico_training.learning.expert_iteration import (
    ExpertIterationLearner,
    ExpertIterationTrainer,
    ReplayBuffer,
    SearchCollector,
)
from prico_training.learning.factory import make_trainer
from prico_training.learning.model import ActorCritic
from prico_training.learning.run import resume_run, start_run
from tests.builders import ALICE, BOB, CAROL, DAVE, board, laden

RULES = RuleSet(players=3)
FOUR = RuleSet()


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(4)
    yield
    torch.set_num_threads(before)


def settings(folder=None, **changes):
    config = Config(
        name="test",
        runs=str(folder),
        threads=1,
        device="cpu",
        trainer="expert_iteration",
        game=RULES,
        self_play=SelfPlay(num_envs=3, num_steps=60),
        opponents=Opponents(agents=("corn",), share=0.5, pool_size=1, snapshot_every=400),
        network=NetworkShape(hidden=(16,)),
        expert_iteration=ExpertIteration(
            simulations=6, leaves=2, share=0.4, batch_size=64, buffer_size=400
        ),
        budget=Budget(minutes=0.0, decisions=300),
        evaluation=Evaluation(every_seconds=1e9, curve=("random",), curve_deals=1, deals=0),
    )
    return dataclasses.replace(config, **changes)


def collector(network, games=4, steps=20, rules=RULES, **changes):
    wanted = {"simulations": 12, "share": 1.0} | changes
    return SearchCollector(
        rules,
        games,
        steps,
        network.value_seats,
        None,
        3,
        network=network,
        settings=ExpertIteration(**wanted),
    )


def learn(trainer, times):
    """Learn on; returns the figures of the last time that had some."""
    figures = {}
    for _ in range(times):
        figures = trainer.learn(trainer.updates / 20) or figures
    return figures


def everything(trainer):
    """A copy of its state, as it comes back from a checkpoint."""
    arrays, values = trainer.state()
    return {name: array.copy() for name, array in arrays.items()}, json.loads(json.dumps(values))


def put(game, into):
    """Let every game of an collector be at one position."""
    games = into.games
    for number in range(len(games)):
        games.state[number] = game.state[0]
    games.masks[:] = game.mask()
    games.num_legal[:] = game.mask().sum()
    games.observations[:] = game.observation()


# -- what is learnt --------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["values", "visits"])
@pytest.mark.parametrize(
    ("branch", "default_policy"), [("roles", "greedy"), ("roles", "network"), ("all", "greedy")]
)
def test_policy_targets_sum_to_1_over_what_is_allowed(branch, default_policy, target):
    settings = {"branch": branch, "default_policy": default_policy, "target": target, "share": 0.2}
    player = collector(ActorCritic(RULES, (16,), 3), 4, 220, **settings)
    buffer = ReplayBuffer(player.games, 2000)
    noted = 0
    while buffer.complete == 0:
        noted += buffer.add(player.collect(player.network), player.targets)
    assert noted == buffer.added
    decisions = buffer.sample(np.random.default_rng(1), 300)
    assert decisions.targets.sum(axis=1) == pytest.approx(1)
    assert (decisions.targets[~decisions.masks] == 0).all()
    assert decisions.outcomes[:, :, 0].sum(axis=1) == pytest.approx(1)


def test_a_search_that_learns_from_visits_learns_how_often_moves_were_tried():
    player = collector(ActorCritic(RULES, (16,), 3), simulations=30, target="visits")
    player.collect(player.network)
    trials = 29 * player.targets.astype(float)  # the first looks at the position itself
    assert trials == pytest.approx(trials.round(), abs=0.02)


def test_moves_that_brought_more_get_higher_targets_than_before():
    player = collector(ActorCritic(RULES, (16,), 3))
    found = SearchSummary(
        priors=np.array([[0.5, 0.2, 0.3, 0.0]]),
        visits=np.array([[9, 9, 0, 0]]),
        qvalues=np.array([[0.2, 0.4, 0.0, 0.0]]),
        values=np.array([0.3]),
    )
    [targets] = player._make_targets(found)
    assert targets[1] > 0.99
    assert targets[2] / targets[0] > 0.3 / 0.5  # untried, it counts as much as the mean of all
    assert targets[3] == 0


def test_it_searches_as_the_agent_with_a_network_does():
    """What is learnt from is the search that is known to win: other seats are no copies of it."""
    player = collector(ActorCritic(RULES, (16,), 3))
    ours, theirs = player._search._params._asdict(), Mcts(leaf="network")._params._asdict()
    assert (ours.pop("branches") == theirs.pop("branches")).all()
    del ours["sharpness"], theirs["sharpness"]  # of priors without a network
    assert ours == theirs


def test_other_seats_can_be_taken_for_copies_of_the_one_that_searches():
    network = ActorCritic(RULES, (16,), 3)
    players = [collector(network, opponents=which) for which in ("mixture", "alike", "alike")]
    for player in players:
        player.collect(player.network)
    mixture, alike, again = (player.targets[0] for player in players)
    assert (alike == again).all()
    assert (mixture != alike).any()


def test_so_large_a_share_of_the_decisions_is_searched():
    player = collector(ActorCritic(RULES, (16,), 3), 32, 30, simulations=3, share=0.25)
    player.collect(player.network)
    assert player.targets.any(axis=2).mean() == pytest.approx(0.25, abs=0.05)


def test_while_it_plays_the_network_is_prepared_once(monkeypatch):
    folds, fold = [], EntityActorCritic._fold
    monkeypatch.setattr(
        EntityActorCritic, "_fold", lambda self, table: folds.append(table) or fold(self, table)
    )
    few, network = SelfPlay(num_envs=3, num_steps=4), NetworkShape(hidden=(16,), kind="entities")
    trainer = ExpertIterationTrainer(settings(self_play=few, network=network))
    assert len(folds) == len(set(folds)) > 0  # for the games that the normalizer is fitted to
    folds.clear()
    learn(trainer, 1)  # no game has ended, so no gradient step prepared it anew
    assert len(folds) == len(set(folds)) > 0
    learn(trainer, 1)
    assert len(folds) == 2 * len(set(folds))  # after a gradient step the old ones would be wrong


def test_decisions_of_opponents_are_not_learnt_from():
    trainer = ExpertIterationTrainer(settings(opponents=Opponents(agents=("corn",), share=1.0)))
    learn(trainer, 1)
    [player] = trainer._collectors
    theirs = ~player.rollout.is_learner
    assert theirs.any()
    assert not player.targets[theirs].any()


def test_after_the_opening_the_best_move_is_played():
    player = collector(ActorCritic(RULES, (16,), 3), sampled_rounds=0)
    rollout = player.collect(player.network)
    assert (rollout.actions == player.targets.argmax(axis=2)).all()


def test_in_the_opening_moves_are_drawn():
    player = collector(ActorCritic(RULES, (16,), 3), 64, 1, sampled_rounds=99, value_scale=1.0)
    rollout = player.collect(player.network)
    chosen = np.take_along_axis(player.targets[0], rollout.actions[0][:, None], axis=1)
    assert (chosen > 0).all()
    assert (rollout.actions[0] != player.targets[0].argmax(axis=1)).any()


def test_only_games_that_have_ended_are_learnt_from():
    player = collector(ActorCritic(RULES, (16,), 3), 4, 20)
    buffer = ReplayBuffer(player.games, 500)
    assert buffer.add(player.collect(player.network), player.targets) == 80
    assert buffer.complete == 0
    assert ExpertIterationLearner(player.network, ExpertIteration(), 1).learn([buffer], 0.0) == {}


def test_old_decisions_are_forgotten():
    player = collector(ActorCritic(RULES, (16,), 3), 4, 60, simulations=2)
    buffer = ReplayBuffer(player.games, 100)
    for _ in range(2):
        buffer.add(player.collect(player.network), player.targets)
    assert buffer.added > 200
    arrays, _ = buffer.state()
    assert len(arrays["seats"]) == 100


# -- what a search sees ----------------------------------------------------------------------------


def test_what_a_seat_cannot_see_changes_nothing_that_is_learnt():
    """R-INF-2: the order of the tiles to come."""
    network = ActorCritic(RULES, (16,), 3)
    found = []
    for secret in (None, 99):
        player = collector(network, 8, 1, simulations=40)
        for _ in range(40):
            player.games.step(player.games.sample())
        if secret is not None:
            for number, game in enumerate([player.games[n] for n in range(8)]):
                other = game.determinize(game.turn, secret)
                assert other.to_bytes() != game.to_bytes()
                player.games.state[number] = other.state[0]
        player.collect(player.network)
        found.append(player.targets.copy())
    assert (found[0] == found[1]).all()


# -- what it finds ---------------------------------------------------------------------------------


def last_load():
    """Dave wins with corn on the only ship, and not with indigo."""
    taken = {"settler": ALICE, "mayor": BOB, "trader": CAROL, "captain": DAVE}
    return board(
        "captain",
        actor=DAVE,
        roles={name: {"coins": 0, "taken_by": seat} for name, seat in taken.items()},
        seats={ALICE: {"vp": 10}, DAVE: {"vp": 6, "goods": {"corn": 4, "indigo": 1}}},
        ships=laden(("sugar", 5), ("tobacco", 6)),
        governor=ALICE,
        end_triggered=True,
    )


@pytest.mark.parametrize("target", ["values", "visits"])
def test_it_learns_the_last_load_that_wins_from_what_the_search_found(target):
    game = last_load()
    best = game.parse("load:corn:3")
    network = ActorCritic(FOUR, (32,), 4)
    player = collector(network, 16, 1, FOUR, simulations=40, target=target)
    buffer = ReplayBuffer(player.games, 16)
    learner = ExpertIterationLearner(
        network, ExpertIteration(batch_size=64, replay_ratio=400.0, learning_rate=1e-2), 1
    )
    put(game, player)
    buffer.add(player.collect(player.network), player.targets)
    assert player.rollout.ended.all()
    assert (player.targets[0].argmax(axis=1) == best).all()
    learner.learn([buffer], 0.0)
    logits, values = network.policy_and_value(game.observation()[None])
    assert np.where(game.mask(), logits[0], -np.inf).argmax() == best
    assert values[0, 0, 0] == pytest.approx(1, abs=0.1)


def test_learning_from_searches_is_bounded_by_what_is_new():
    player = collector(ActorCritic(RULES, (16,), 3), 4, 300, simulations=2, share=0.5)
    buffer = ReplayBuffer(player.games, 10_000)
    buffer.add(player.collect(player.network), player.targets)
    learner = ExpertIterationLearner(
        player.network, ExpertIteration(batch_size=100, replay_ratio=2.0), 1
    )
    assert learner.learn([buffer], 0.0)
    _, values = learner.state()
    assert values["steps"] == buffer.complete * 2 // 100
    assert learner.learn([buffer], 0.0) == {}


# -- a run -----------------------------------------------------------------------------------------


def test_going_on_is_the_same_as_never_having_stopped():
    whole, part = (make_trainer(settings()) for _ in range(2))
    learn(part, 5)
    resumed = make_trainer(settings())
    resumed.restore(*everything(part))
    assert learn(resumed, 3) == learn(whole, 8)
    assert (resumed.decisions, resumed.games) == (whole.decisions, whole.games)
    assert whole.games > 0
    ours, theirs = everything(whole)[0], everything(resumed)[0]
    assert ours.keys() == theirs.keys()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_the_state_of_another_network_is_refused():
    arrays, values = everything(ExpertIterationTrainer(settings()))
    with pytest.raises(CheckpointError, match="another network"):
        ExpertIterationTrainer(settings(network=NetworkShape(hidden=(24,)))).restore(arrays, values)


def test_it_starts_from_a_trained_policy(tmp_path):
    trained = ActorCritic(RULES, (16,), 3).to_weights()
    save_policy(tmp_path, SavedPolicy(RULES, trained, {}))
    config = settings(network=NetworkShape(hidden=(16,), start=str(tmp_path)))
    trainer = ExpertIterationTrainer(config)
    learn(trainer, 1)  # no game has ended, so nothing has been learnt
    weights = trainer.weights()
    assert all(weights[name] == pytest.approx(trained[name], abs=1e-4) for name in trained)


def test_tables_of_several_sizes_are_learnt_from_together():
    play = SelfPlay(num_envs=4, num_steps=250, players=(3, 2))
    search = ExpertIteration(simulations=2, share=0.2, batch_size=32, buffer_size=400)
    trainer = ExpertIterationTrainer(settings(self_play=play, expert_iteration=search))
    assert learn(trainer, 2)
    assert all(buffer.complete > 0 for buffer in trainer._buffers)


@pytest.mark.training
def test_a_run_can_be_stopped_and_goes_on(tmp_path):
    outcome = start_run(settings(tmp_path))
    again = resume_run(outcome.folder, {"budget": {"decisions": 500}})
    assert again.folder == outcome.folder
    assert (again.folder / "metrics.csv").is_file()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"simulations": 1}, "expert_iteration.simulations"),
        ({"branch": "leaves"}, "expert_iteration.branch"),
        ({"default_policy": "nobody"}, "expert_iteration.default_policy"),
        ({"opponents": "nobody"}, "expert_iteration.opponents"),
        ({"share": 0.0}, "expert_iteration.share"),
        ({"root_noise": 1.5}, "expert_iteration.root_noise"),
        ({"target": "moves"}, "expert_iteration.target"),
    ],
)
def test_a_search_that_cannot_be_is_explained(changes, says):
    with pytest.raises(ConfigError, match=says):
        settings(expert_iteration=ExpertIteration(**changes))
