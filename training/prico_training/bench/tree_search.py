"""How fast the search is: simulations a second on one core, for each way to evaluate a leaf.

All are measured by turns in short bursts, so that a busy moment of the machine hits each of them;
the median counts and the best is told beside it.
"""

import statistics
import time
from functools import partial
from typing import Any, Final

import numpy as np

from prico_agents import View
from prico_agents.neural.network import PolicyValueNetwork
from prico_agents.search.mcts import Mcts
from prico_env import Game, RuleSet
from prico_training.bench.figures import Effort, Figure, by_turns

RANDOM_LEAVES: Final = 12_000
STATIC_LEAVES: Final = 150_000
_BURSTS: Final = 3
"""Bursts of each kind for every run that other figures take."""
_SIMULATIONS: Final = 1000
"""Budget of each search."""
_HIDDEN: Final = 256
_PLAIN: Final = {"prior": "uniform", "branch": "all"}
"""A tree of every decision, in which no move looks better before it is tried."""
_WAYS: Final[dict[str, tuple[dict[str, Any], float | None]]] = {
    "a greedy rollout, as it does by default": ({"leaf": "greedy"}, None),
    "evaluating at once": ({"leaf": "static", **_PLAIN}, STATIC_LEAVES),
    "playing to the end at random": ({"leaf": "random", **_PLAIN}, RANDOM_LEAVES),
    f"a network of 2 x {_HIDDEN}, in batches": ({"leaf": "network", "batch_size": 32}, None),
}
"""What a figure says about leaves, the settings, and the target."""


def search(effort: Effort) -> list[Figure]:
    """Simulations a second at the first decision, nothing known before."""
    view = View.of(Game(RuleSet(), 7))
    measures = {
        name: partial(_rate, _player(settings), view, effort.seconds / _BURSTS)
        for name, (settings, _) in _WAYS.items()
    }
    rates = by_turns(_BURSTS * effort.runs, measures)
    return [
        Figure(
            f"search, {name}",
            statistics.median(rates[name]),
            "simulations/s",
            target,
            f"best {max(rates[name]):,.0f}",
        )
        for name, (_, target) in _WAYS.items()
    ]


def _player(settings: dict[str, Any]) -> Mcts:
    player = Mcts(_SIMULATIONS, **settings)
    if settings["leaf"] == "network":
        player.network = _network(RuleSet())
    return player


def _rate(player: Mcts, view: View, seconds: float) -> float:
    """Simulations a second, over so many seconds."""
    made, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        player.reset(view.seat, view.rules, made)
        player.act(view)
        made += _SIMULATIONS
    return made / (time.process_time() - began)


def _network(rules: RuleSet) -> PolicyValueNetwork:
    """A network with arbitrary weights with values of all seats."""
    chance = np.random.default_rng(0)
    widths = (rules.observation.num_features, _HIDDEN, _HIDDEN, rules.num_actions)
    shapes = {f"layer_{number}": widths[number : number + 2] for number in range(3)}
    shapes["value"] = (_HIDDEN, rules.players)
    weights = {}
    for name, (before, behind) in shapes.items():
        weights[f"{name}.weight"] = chance.normal(0, 0.05, (behind, before)).astype(np.float32)
        weights[f"{name}.bias"] = np.full(behind, 0.25, np.float32)
    return PolicyValueNetwork(weights)
