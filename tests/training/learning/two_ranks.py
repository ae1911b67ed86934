"""What each of two ranks does in `test_distributed.py`; it notes down what it sees in a folder."""

import json
import os
import signal
import sys
from pathlib import Path

import numpy as np
import torch

from prico_env import RuleSet
from prico_training.config import (
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
from prico_training.learning import run
from prico_training.learning.actors import with_own_seed
from prico_training.learning.distributed import Ranks
from prico_training.learning.factory import make_actors, make_trainer
from prico_training.learning.networks import make_network
from prico_training.learning.ppo import PpoLearner, PpoTrainer
from prico_training.learning.rollout import Collector
from prico_training.learning.run import resume_run, start_run


def settings(folder):
    return Config(
        name="ranks",
        runs=str(folder),
        threads=1,
        device="cpu",
        game=RuleSet(players=3),
        self_play=SelfPlay(num_envs=6, num_steps=40, players=(3, 2)),
        opponents=Opponents(agents=("corn",), share=0.7, pool_size=1, snapshot_every=600),
        network=NetworkShape(hidden=(16,)),
        behaviour_cloning=BehaviourCloning(
            share=0.25, teacher="corn", others=("trader",), games=2, batch_size=128
        ),
        ppo=Ppo(batch_size=64, update_epochs=1),
        budget=Budget(minutes=0.0, decisions=5000),
        evaluation=Evaluation(every_seconds=1e9, curve=("random",), curve_deals=1, deals=0),
    )


def learn(trainer, times):
    for _ in range(times):
        figures = trainer.learn(trainer.updates / 8)
    return figures


def state_dict(path, arrays):
    np.savez(path, **{name.replace("/", ":"): array for name, array in arrays.items()})


def learn_together(folder, ranks):
    """Learn through the warm start and after it, and go on from the middle of it once more."""
    trainer = make_trainer(settings(folder), ranks)
    learn(trainer, 4)
    arrays, values = ranks.broadcast(trainer.state())
    arrays, values = {name: a.copy() for name, a in arrays.items()}, json.loads(json.dumps(values))
    figures = learn(trainer, 3)
    refusal = refuse_alone(folder, arrays, values) if ranks.is_first else ""
    again = make_trainer(settings(folder), ranks)
    again.restore(arrays, values)
    figures_again = learn(again, 3)
    for name, one in (("whole", trainer), ("again", again)):
        state_dict(folder / f"{name}_{ranks.rank}.npz", one._learner.state()[0])
    games = trainer._actors.parts()["games_3"].games
    np.save(folder / f"games_{ranks.rank}.npy", games.observations)
    counts = [trainer.decisions, trainer.games, trainer.updates]
    page = {"figures": figures, "figures_again": figures_again, "counts": counts}
    page["refusal"] = refusal
    (folder / f"told_{ranks.rank}.json").write_text(json.dumps(page))
    trainer.close()
    again.close()


def refuse_alone(folder, arrays, values):
    """Let one rank go on alone with what two have learnt; returns why it may not."""
    trainer = make_trainer(settings(folder))
    try:
        trainer.restore(arrays, values)
    except ConfigError as error:
        return str(error)
    finally:
        trainer.close()
    return ""


def one_step(folder, ranks):
    """Make one step from the games of both, and then alone from the same games."""
    config = settings(folder)
    ppo, networks = Ppo(batch_size=10**6, update_epochs=1), []
    for _ in range(2):
        torch.manual_seed(3)
        networks.append(make_network(config))
    collector = Collector(config.game, 3 + 2 * ranks.rank, 30, 3, None, ranks.rank)
    rollout = collector.collect(networks[0])
    PpoLearner(networks[0], ppo, 1, ranks).learn([rollout], 0.0)
    rollouts = ranks.gather(rollout)
    if ranks.is_first:
        PpoLearner(networks[1], ppo, 1).learn(rollouts, 0.0)
        for name, network in zip(("together", "alone"), networks, strict=True):
            state_dict(
                folder / f"{name}.npz", {n: a.numpy() for n, a in network.state_dict().items()}
            )


class Stopped(PpoTrainer):
    """Somebody stops the second rank after a few updates."""

    stops = 4

    def __init__(self, config, ranks):
        super().__init__(config, make_actors(with_own_seed(config, ranks.rank)), ranks)

    def learn(self, spent):
        figures = super().learn(spent)
        type(self).stops -= 1
        if self.stops == 0 and self._ranks.rank == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return figures


def stop_and_go_on(folder):
    run.make_trainer = Stopped
    stopped = start_run(settings(folder / "runs"))
    page = {"stopped": stopped.interrupted, "updates": 4 - Stopped.stops}
    keep_of_first = (stopped.folder / "latest").read_text()
    ended = resume_run(stopped.folder, {})
    page |= {"ended": not ended.interrupted, "first": keep_of_first, "to_tell": ended.to_tell}
    page["folder"] = str(ended.folder)
    (folder / f"run_{os.environ['RANK']}.json").write_text(json.dumps(page))


if __name__ == "__main__":
    home = Path(sys.argv[1])
    torch.set_num_threads(1)
    both = Ranks.join()
    learn_together(home, both)
    one_step(home, both)
    stop_and_go_on(home)
