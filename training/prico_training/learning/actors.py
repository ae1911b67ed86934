"""Who plays the games that are learnt from: here, the process itself."""

import dataclasses
from collections.abc import Callable
from typing import Any, Final

from prico_env.catalog.model import PLAYER_COUNTS
from prico_training.config import Config
from prico_training.learning.league import SEED_STRIDE, make_leagues
from prico_training.learning.model import FrozenNetwork, LearningNetwork
from prico_training.learning.rollout import Collector, Rollout

_RANK_STRIDE: Final = 2 * len(PLAYER_COUNTS) * SEED_STRIDE
"""Keeps the deals of all batches of one process apart from those of the next."""
_FIRST_GAMES: Final = (32, 300)
"""Games, and decisions of each, from which feature statistics are collected without a teacher."""


class LocalActors:
    """The tables at which one process plays: the games of each, and its league.

    Attributes:
        leagues: The opponents, for each table.
        collectors: Who plays the games of each table.
    """

    def __init__(
        self, config: Config, make_collector: Callable[..., Collector] = Collector
    ) -> None:
        """Deal the games.

        Args:
            config: The settings.
            make_collector: `Collector`, or what takes the same arguments.
        """
        self.leagues = make_leagues(config)
        self._batches = config.batches()
        self.collectors = [
            make_collector(
                batch.rules,
                len(batch.rules),
                config.self_play.num_steps,
                config.value_seats,
                league,
                config.seed + number * SEED_STRIDE,
            )
            for number, (batch, league) in enumerate(zip(self._batches, self.leagues, strict=True))
        ]

    @property
    def played(self) -> int:
        """Games that have ended so far."""
        return sum(collector.played for collector in self.collectors)

    def play(self, network: LearningNetwork, shaping_coef: float) -> list[Rollout]:
        """Play on at each table; what is returned is overwritten by the next call.

        Args:
            network: What plays at the learner's seats.
            shaping_coef: Weight of reward shaping; see `prico_training.learning.shaping`.
        """
        for collector in self.collectors:
            collector.shaping_coef = shaping_coef
        with network.playing():
            return [collector.collect(network) for collector in self.collectors]

    def remember(self, name: str, past: FrozenNetwork) -> None:
        """Let a past self join each league."""
        for league in self.leagues:
            league.add(name, past)

    def close(self) -> None:
        """Stop other processes; here there are none."""

    def parts(self) -> dict[str, Any]:
        """What must be kept for going on, by name."""
        batches = zip(self._batches, self.collectors, self.leagues, strict=True)
        return {
            name: part
            for batch, collector, league in batches
            for name, part in ((f"games_{batch.name}", collector), (f"league_{batch.name}", league))
        }


def with_own_seed(config: Config, number: int) -> Config:
    """The same settings with deals and chances of their own, for one process of several."""
    return dataclasses.replace(config, seed=config.seed + number * _RANK_STRIDE)


def collect_feature_statistics(network: LearningNetwork, config: Config) -> None:
    """Fit the input normalizer of a network in games that it plays with itself."""
    games, steps = _FIRST_GAMES
    seen = []
    for batch in config.batches():
        rules = [batch.rule_sets[number % len(batch.rule_sets)] for number in range(games)]
        first = Collector(rules, games, steps, network.value_seats, None, config.seed)
        with network.playing():
            seen.append(first.collect(network).observations.reshape(games * steps, -1))
    network.fit_normalizer(seen)
