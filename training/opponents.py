"""Who sits at the other seats while learning: the learner as it is, its past selves, and chance.

In each game every other seat is given to one of them by lot. All decisions of one player that are
due at the same time are made in one batch.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from agents.neural.network import FORBIDDEN, Network, draw
from training.config import SelfPlay

RANDOM: Final = -1
"""In `Pool.players`: a seat played at random."""
LATEST: Final = 0
"""In `Pool.players`: a seat played by the learner as it is now; past selves count from 1."""


class Pool:
    """The players of the other seats, as the environment wants them.

    Attributes:
        players: Who plays in each game, shape ``(games,)``: `RANDOM`, `LATEST`, or the place of a
            past self.
        names: Names of the past selves, oldest first.
        learner: A network over the arrays that are being learnt; set before the first deal.
    """

    def __init__(self, settings: SelfPlay, seed: int) -> None:
        """Start with no past selves.

        Args:
            settings: The shares.
            seed: Decides what opponents draw.
        """
        self._settings = settings
        self.learner: Network | None = None
        self._past: list[Network] = []
        self.names: list[str] = []
        self._generator = np.random.default_rng(seed)
        self.players = np.full(settings.games, LATEST)

    def add(self, name: str, weights: Mapping[str, np.ndarray]) -> None:
        """Let another past self join; when there are too many, the oldest leaves.

        Games in which the oldest was playing go on with the next one.
        """
        self._past.append(Network({key: array.copy() for key, array in weights.items()}))
        self.names.append(name)
        if len(self._past) > self._settings.pool_size:
            del self._past[0], self.names[0]
            self.players[self.players > 1] -= 1

    def assign(self, dealt: np.ndarray, rng: np.random.Generator) -> None:
        """Draw who plays in the games that were just dealt, bool, shape ``(games,)``."""
        games = np.flatnonzero(dealt)
        lot = rng.random(games.size)
        past = rng.integers(1, len(self._past) + 1, games.size) if self._past else LATEST
        latest = self._settings.latest
        self.players[games] = np.where(
            lot < latest, LATEST, np.where(lot < latest + self._settings.past, past, RANDOM)
        )

    def act(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, games: np.ndarray
    ) -> np.ndarray:
        """Choose one action in each game that waits for an opponent, shape ``(k,)``."""
        actions = np.zeros(len(games), np.int64)
        players = self.players[games]
        for player in np.unique(players).tolist():
            rows = np.flatnonzero(players == player)
            legal = masks[rows]
            network = self._network(player)
            if network is None:
                logits = np.where(legal, np.float32(0), FORBIDDEN)
            else:
                logits = network.logits(observations[rows], legal)
            actions[rows] = draw(logits, self._generator)
        return actions

    def _network(self, player: int) -> Network | None:
        """Who thinks for a player; nobody does for one that plays at random."""
        if player == RANDOM:
            return None
        return self.learner if player == LATEST else self._past[player - 1]
