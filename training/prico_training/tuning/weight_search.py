"""The search: simultaneous perturbation of all weights, and where it stands."""

import copy
import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_agents.compiled import CompiledAgent
from prico_agents.heuristic_engine.power_values import POWER_VALUES
from prico_agents.heuristic_engine.weights import by_field, describe_weights, set_weights
from prico_env import RuleSet
from prico_env.errors import did_you_mean
from prico_env.vocabulary import Power, Role
from prico_training.errors import ConfigError
from prico_training.tuning.settings import Tuning

_LEAST_SIZE: Final = 0.25
"""Weights near 0 are moved as if they were of this size."""
_LEAST_SHARE: Final = 0.1
"""How much of it a positive weight keeps; only what a player likes about roles changes sign."""
_LIKING: Final = "role."
_BY_FULL_NAME: Final = ("lookahead_phases", "lookahead_phases_within", "leader_weight")
_STEP_DECAY: Final = 0.602
_PERTURBATION_DECAY: Final = 0.101
"""Exponents of Spall, IEEE Transactions on Aerospace and Electronic Systems 34 (1998)."""
_DIGITS: Final = 4


def weights_of(agent: CompiledAgent) -> dict[str, float]:
    """All weights of an agent by name."""
    return {name: value for name, value, _ in describe_weights(agent.weights)}


def with_weights(agent: CompiledAgent, weights: Mapping[str, float]) -> CompiledAgent:
    """A copy of an agent with some other weights, by name."""
    changed = copy.deepcopy(agent)
    set_weights(changed.weights, by_field(weights))
    return changed


def tunable_weights(
    agent: CompiledAgent, patterns: Sequence[str], rule_sets: Sequence[RuleSet]
) -> tuple[str, ...]:
    """The weights that patterns name, without those that change nothing in some rule sets.

    Raises:
        ConfigError: A pattern names none.
    """
    names, chosen = list(weights_of(agent)), []
    idle = _idle(names, rule_sets)
    for pattern in patterns:
        matching = fnmatch.filter(names, pattern)
        found = [name for name in matching if name == pattern or name not in idle]
        if matching and not found:
            raise ConfigError(f"weights: {pattern!r} names what changes nothing in these games")
        if not matching:
            raise ConfigError(
                f"weights: no weight is called {pattern!r}{did_you_mean(pattern, names)}; "
                "`prico agents planner` lists them"
            )
        chosen += found
    return tuple(name for name in names if name in chosen)


def _idle(names: Sequence[str], rule_sets: Sequence[RuleSet]) -> set[str]:
    """Weights that change nothing in any of some rule sets, and those of depth."""
    powers, roles = set(), set()
    for rules in rule_sets:
        row = rules.table[0]
        powers |= {int(power) for power in row["power"][: row["num_buildings"]] if power >= 0}
        roles |= {role.name.lower() for role in Role if row["role_in_play"][role]}
    there = {
        power.name.lower() for power in Power if power in powers and POWER_VALUES[power].weight
    }
    idle = set(_BY_FULL_NAME)
    for name in names:
        group, _, part = name.partition(".")
        if (group == "power" and part not in there) or (
            group in ("often", "role") and part not in roles
        ):
            idle.add(name)
    return idle


@dataclass
class SearchState:
    """Where a search stands; plain values, as its file holds them."""

    point: dict[str, float]
    """The present weights."""
    best: dict[str, float]
    """The best weights that a test has accepted."""
    iteration: int = 0
    """Iterations done."""
    games: int = 0
    """Games played."""
    tests: list[dict[str, Any]] = field(default_factory=list)
    """What the tests said, oldest first."""


class WeightSearch:
    """Simultaneous perturbation stochastic approximation (Spall, 1992) over weights.

    All weights are moved at once, each by chance up or down, and the two agents that differ by
    twice the move play each other. What they win tells the slope along the move; the mean over
    several moves is the gradient.
    """

    def __init__(self, settings: Tuning, start: Mapping[str, float]) -> None:
        """Lay out the search.

        Args:
            settings: How it goes.
            start: The weights that are tuned, with their values before.
        """
        self._settings = settings
        self.names = tuple(start)
        self._start = np.array([start[name] for name in self.names])
        self._size = np.maximum(np.abs(self._start), _LEAST_SIZE)
        least = np.where(self._start > 0, _LEAST_SHARE * self._start, -np.inf)
        likings = [name.startswith(_LIKING) for name in self.names]
        self._least = np.where(likings, -np.inf, least)

    def moves(self, iteration: int) -> NDArray[np.float64]:
        """The moves of an iteration, each up or down, shape ``(directions, weights)``."""
        chance = np.random.default_rng([self._settings.seed, iteration, 0])
        shape = (self._settings.directions, len(self.names))
        return chance.choice([-1.0, 1.0], size=shape)

    def sides(
        self, point: Mapping[str, float], move: NDArray[np.float64], iteration: int
    ) -> tuple[dict[str, float], dict[str, float]]:
        """The weights on both sides of a point along a move."""
        far = self._perturbation(iteration) * move
        return self._moved(point, far), self._moved(point, -far)

    def step(
        self,
        point: Mapping[str, float],
        moves: NDArray[np.float64],
        gains: NDArray[np.float64],
        iteration: int,
    ) -> dict[str, float]:
        """Step uphill.

        Args:
            point: Where from.
            moves: As `moves` gave them.
            gains: What the upper side of each won more than the lower one, a share of the games,
                shape ``(directions,)``.
            iteration: Of the search.
        """
        gradient = (gains[:, None] * moves).mean(axis=0) / self._perturbation(iteration)
        rate = self._settings.learning_rate * self._decay(iteration, _STEP_DECAY)
        return self._moved(point, rate * gradient)

    def _moved(self, point: Mapping[str, float], by: NDArray[np.float64]) -> dict[str, float]:
        here = np.array([point[name] for name in self.names])
        there = np.maximum(here + self._size * by, self._least)
        return dict(zip(self.names, there.tolist(), strict=True))

    def _perturbation(self, iteration: int) -> float:
        return self._settings.perturbation * self._decay(iteration, _PERTURBATION_DECAY)

    def _decay(self, iteration: int, exponent: float) -> float:
        return float((1 + iteration / self._settings.decay_after) ** -exponent)


def rounded(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights as they are handed on."""
    return {name: round(value, _DIGITS) for name, value in weights.items()}
