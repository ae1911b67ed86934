"""Actors of Ray play, the learner learns, and machines may come and go."""

import dataclasses
import re

import pytest

pytest.importorskip("torch")
pytest.importorskip("ray", reason="ray is not installed: pip install 'prico[ray]'")

import ray
from ray.cluster_utils import Cluster

from prico_agents.neural.checkpoint import SavedPolicy
from prico_env import RuleSet
from prico_training.config import (
    Actors,
    BehaviourCloning,
    Budget,
    Config,
    Evaluation,
    NetworkShape,
    Opponents,
    Ppo,
    SelfPlay,
)
from prico_training.errors import ConfigError
from prico_training.learning import run as run_module
from prico_training.learning.factory import make_trainer
from prico_training.learning.learning_curve import Curve
from prico_training.learning.metrics import read_metrics
from prico_training.learning.networks import make_network
from prico_training.learning.ray_actors import RayCurve
from prico_training.learning.run import METRICS_FILE, resume_run, start_run

pytestmark = pytest.mark.slow


def settings(folder, **changes):
    config = Config(
        name="actors",
        runs=str(folder),
        threads=1,
        device="cpu",
        game=RuleSet(players=3),
        self_play=SelfPlay(num_envs=4, num_steps=40),
        opponents=Opponents(agents=("corn",), share=0.7, pool_size=1, snapshot_every=600),
        network=NetworkShape(hidden=(16,)),
        behaviour_cloning=BehaviourCloning(share=0.0),
        ppo=Ppo(batch_size=64, update_epochs=1),
        budget=Budget(minutes=0.0, decisions=3000),
        evaluation=Evaluation(every_seconds=1e9, curve=("random",), curve_deals=1, deals=0),
        actors=Actors(count=2, cpus=1.0),
    )
    return dataclasses.replace(config, **changes)


PROMPT = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 4,
}
"""Ray looks often whether a machine is still there."""


@pytest.fixture(scope="module")
def cluster():
    """A machine for the learner, which has no room for actors, to which others can be added.

    Actors are as urgent as the learner: others may keep this machine busy.
    """
    head = {"num_cpus": 0, "include_dashboard": False, "_system_config": PROMPT}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")
        machines = Cluster(initialize_head=True, head_node_args=head)
        try:
            yield machines
        finally:
            ray.shutdown()
            machines.shutdown()


def learn_until(trainer, holds):
    """Learn on; the test's own time limit is the only one."""
    while not holds():
        trainer.learn(trainer.updates / 1e4)


def test_a_run_ends_with_an_actor_on_this_machine_and_goes_on_without(tmp_path, monkeypatch):
    made = []

    def make(config, ranks):
        made.append(make_trainer(config, ranks))
        made[-1].learn(0.0)
        made[-1]._actors.wait_for(1)
        return made[-1]

    with monkeypatch.context() as patch:
        patch.setattr(run_module, "make_trainer", make)
        run = start_run(settings(tmp_path, actors=Actors(count=1)))
    assert not run.interrupted
    assert not ray.is_initialized()
    (trainer,) = made
    assert trainer._actors._games > 0
    first, last = read_metrics(run.folder / METRICS_FILE, 1e9)
    assert (first["updates"], last["updates"]) == (1, trainer.updates)
    assert last["games"] == trainer.games
    more = {"minutes": 0.0, "decisions": trainer.decisions + 500}
    resume_run(run.folder, {"budget": more, "actors": {"count": 0}})
    row = read_metrics(run.folder / METRICS_FILE, 1e9)[-1]
    assert row["decisions"] >= trainer.decisions + 500


def test_a_lost_machine_is_noticed_and_another_takes_its_place(cluster, capsys):
    first, _ = (cluster.add_node(num_cpus=1) for _ in range(2))
    trainer = make_trainer(settings(None, actors=Actors(count=2, address=cluster.address)))
    actors = trainer._actors
    try:
        trainer.learn(0.0)
        actors.wait_for(2)
        cluster.remove_node(first, allow_graceful=False)
        learn_until(trainer, lambda: actors.playing == 1)
        lost = re.findall(r"actor (\d+) on .* is lost", capsys.readouterr().err)
        assert lost  # and who was called in its place may have been sent there too: each once
        assert len(set(lost)) == len(lost)
        before, weights = trainer.decisions, trainer.weights()
        learn_until(trainer, lambda: trainer.decisions > before + 1000)
        assert any((array != trainer.weights()[name]).any() for name, array in weights.items())
        cluster.add_node(num_cpus=1)
        actors.wait_for(2)
        assert re.search(r"actor \d+ has come", capsys.readouterr().err)
    finally:
        trainer.close()


def test_a_point_of_the_curve_is_played_whoever_is_lost(cluster, capsys):
    config = settings(None, evaluation=Evaluation(curve=("random",), curve_deals=2))
    policy = SavedPolicy(config.game, make_network(config).to_weights(), {})
    curve = Curve(config.game, ("random",), 2)
    expected = curve.point(policy, lambda: True)
    ray.init(address=cluster.address, log_to_driver=False)
    points = RayCurve(config, curve)
    points.ask(policy)
    assert points.answer(lambda: True, wait=False) is None
    ray.kill(points._remote, no_restart=False)
    assert points.answer(lambda: True, wait=True) == expected
    assert points.answer(lambda: True, wait=True) is None
    assert not capsys.readouterr().err
    points.ask(policy)
    points.close()
    assert points.answer(lambda: True, wait=True) == expected
    assert "played here" in capsys.readouterr().err
    ray.shutdown()


def test_actors_need_a_cluster_that_is_there():
    with pytest.raises(ConfigError, match=r"actors\.address"):
        make_trainer(settings(None, actors=Actors(count=1, address="127.0.0.1:1")))
