"""How fast learning goes: beside MaskablePPO, and with two ranks or Ray actors beside one.

What is compared is measured by turns in one run of its own, each with one thread of Torch and 512
games of which a rollout has 64 decisions. There is no warm start and no league: the learner plays
at all seats.
"""

import dataclasses
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from prico_training.bench.figures import Effort, Figure, Rates, by_turns
from prico_training.config import Actors, BehaviourCloning, Config, Opponents, SelfPlay

if TYPE_CHECKING:
    from prico_training.learning.model import LearningNetwork
    from prico_training.learning.ray_actors import RayActors
    from prico_training.learning.trainer import Trainer

LEAN: Final = 2.5
"""How many times as many decisions as MaskablePPO our PPO should learn from."""
SECOND: Final = 1.6
"""What a second rank or actor should multiply the rate by."""
_LONG: Final = 0.5
"""Seconds from which a measurement is one of whole updates; a quick one plays few games."""
_GAMES: Final = SelfPlay(num_envs=512, num_steps=64)
_FEW_GAMES: Final = SelfPlay(num_envs=16, num_steps=64)
_ONE_THREAD: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
}
_TORCHRUN: Final = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2")


def training(effort: Effort) -> list[Figure]:
    """Decisions learnt from and rollouts played, by second; without Torch, nothing."""
    if importlib.util.find_spec("torch") is None:
        return []
    figures = _beside_maskable(effort) if importlib.util.find_spec("sb3_contrib") else []
    figures.append(_second("rank, updates included", _apart(effort, "ranks", _TORCHRUN)))
    if importlib.util.find_spec("ray"):
        figures.append(_second("Ray actor, play alone", _apart(effort, "actors")))
    return figures


def _beside_maskable(effort: Effort) -> list[Figure]:
    rates = _apart(effort, "trainers")
    reference = statistics.median(rates.pop("MaskablePPO"))
    return [
        Figure(
            f"lean PPO, {name}, updates included, one core",
            rate := statistics.median(measured),
            "decisions/s",
            LEAN * reference,
            f"MaskablePPO {reference:,.0f}: {rate / reference:.1f} times that",
        )
        for name, measured in rates.items()
    ]


def _second(what: str, rates: Rates) -> Figure:
    one, two = (statistics.median(rates[name]) for name in ("one", "two"))
    return Figure(
        f"rollouts with a second {what}",
        two,
        "rollouts/s",
        SECOND * one,
        f"{two / one:.2f} times one, {os.cpu_count()} cores here",
    )


def _apart(effort: Effort, what: str, starter: tuple[str, ...] = ()) -> Rates:
    """Measure in a process of its own, or in several."""
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, *starter, "-m", __name__, what, str(effort.runs), str(effort.seconds)],
        env=dict(os.environ) | _ONE_THREAD | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    rates: Rates = json.loads(done.stdout.splitlines()[-1])
    return rates


# -- in a process of its own -----------------------------------------------------------------------


def _settings(effort: Effort) -> Config:
    return Config(
        threads=1,
        self_play=_GAMES if effort.seconds >= _LONG else _FEW_GAMES,
        device="cpu",
        behaviour_cloning=BehaviourCloning(share=0.0),
        opponents=Opponents(agents=()),
    )


def _trainers(effort: Effort) -> Rates:
    """Decisions learnt from by second of the core, updates included."""
    from prico_training.learning.factory import make_trainer

    config = _settings(effort)
    whole = dataclasses.replace(config.network, half=False)
    made = {
        "MaskablePPO": make_trainer(dataclasses.replace(config, trainer="maskable_sb3")),
        "32 bits": make_trainer(dataclasses.replace(config, network=whole)),
        "16 bits": make_trainer(config),
    }
    measures = {name: partial(_decisions_rate, effort, trainer) for name, trainer in made.items()}
    rates = by_turns(effort.runs, measures)
    for trainer in made.values():
        trainer.close()
    return rates


def _decisions_rate(effort: Effort, trainer: "Trainer") -> float:
    before, began = trainer.decisions, time.process_time()
    while time.process_time() - began < effort.seconds:
        trainer.learn(0.5)
    return (trainer.decisions - before) / (time.process_time() - began)


def _ranks(effort: Effort) -> Rates:
    """Rollouts played and learnt from by second on the clock: by rank 0 alone, and by both."""
    from prico_training.learning.distributed import Ranks
    from prico_training.learning.factory import make_trainer

    ranks = Ranks.join()
    alone, together = make_trainer(_settings(effort)), make_trainer(_settings(effort), ranks)
    measures = {
        "one": lambda: _rate(effort, bool, partial(_learn, alone)) if ranks.is_first else 0.0,
        "two": lambda: ranks.size * _rate(effort, ranks.broadcast, partial(_learn, together)),
    }
    rates = by_turns(effort.runs, measures)
    alone.close()
    together.close()
    return rates if ranks.is_first else {}


def _ray_actors(effort: Effort) -> Rates:
    """Rollouts played by second on the clock, by one Ray actor and by two."""
    from prico_training.learning.networks import make_network
    from prico_training.learning.ray_actors import RayActors

    config, rates = _settings(effort), Rates()
    network = make_network(config)
    for name, count in (("one", 1), ("two", 2)):
        actors = RayActors(dataclasses.replace(config, actors=Actors(count=count)))
        actors.play(network, 0.0)
        actors.wait_for(count)
        play = partial(_play, actors, network)
        rates[name] = [_rate(effort, bool, play) for _ in range(1 + effort.runs)][1:]
        actors.close()
    return rates


def _rate(effort: Effort, agree: Callable[[bool], bool], play: Callable[[], int]) -> float:
    """How many rollouts come by second on the clock."""
    began, made = time.perf_counter(), 0
    while agree(time.perf_counter() - began < effort.seconds):
        made += play()
    return made / (time.perf_counter() - began)


def _learn(trainer: "Trainer") -> int:
    trainer.learn(0.5)
    return 1


def _play(actors: "RayActors", network: "LearningNetwork") -> int:
    return len(actors.play(network, 0.0))


_MEASURES: Final = {"trainers": _trainers, "ranks": _ranks, "actors": _ray_actors}

if __name__ == "__main__":
    measure, runs, seconds = sys.argv[1:]
    measured = _MEASURES[measure](Effort(int(runs), float(seconds)))
    if measured:
        print(json.dumps(measured))
