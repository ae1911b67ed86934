"""Who sits at the other seats: named or handed in, one game at a time or a batch at once.

The game never imports its players. Opponents come in as callables, or by names that a loader
resolves which the players' own package has registered here.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np

from prico_env.arguments import instance
from prico_env.batch import LEAVE, Games
from prico_env.core.calls import play_random_games
from prico_env.errors import PricoError
from prico_env.game import Game
from prico_env.loaders import Loaders
from prico_env.vocabulary import NOBODY

Opponent: TypeAlias = Callable[[Game, int, np.random.Generator], int]
"""Chooses for a seat: ``(game, seat, rng) -> action``. It may look at the game, not change it."""


def random_opponent(game: Game, seat: int, rng: np.random.Generator) -> int:
    """Choose evenly among the legal actions."""
    legal = instance(game, Game, "what an opponent looks at is a Game").legal_actions()
    return int(legal[int(rng.integers(len(legal)))])


OPPONENTS: Final = Loaders[Opponent](
    "an", "opponent", "(game, seat, rng) -> action", random_opponent
)
"""Opponents by name."""

register_opponent_loader = OPPONENTS.register
find_opponent = OPPONENTS.find


def seat_opponents(
    opponents: str | Opponent | Sequence[str | Opponent], num_others: int
) -> list[Opponent]:
    """Return one opponent for every other seat, clockwise from the learner's left.

    Raises:
        PricoError: An opponent is unknown, or a list has the wrong length.
    """
    if not isinstance(opponents, Sequence) or isinstance(opponents, str | bytes):
        return [find_opponent(opponents)] * num_others
    found = [find_opponent(opponent) for opponent in opponents]
    if len(found) != num_others:
        raise PricoError(
            f"{num_others} seats need an opponent, but the list names {len(found)}; give one for "
            "each other seat, clockwise from the learner's left, or a single one for all"
        )
    return found


@runtime_checkable
class BatchOpponents(Protocol):
    """Plays the other seats of many games at once."""

    def act(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, games: np.ndarray
    ) -> np.ndarray:
        """Choose one action for each of ``k`` games that wait for an opponent.

        Args:
            observations: What the deciding seats see, uint8, shape ``(k, num_features)``.
            masks: Their legal actions, bool, shape ``(k, num_actions)``.
            seats: The deciding seats, shape ``(k,)``.
            games: Which games of the batch these are, shape ``(k,)``.

        Returns:
            Actions, shape ``(k,)``.
        """

    def assign(self, dealt: np.ndarray, rng: np.random.Generator) -> None:
        """Choose who plays in the games that were just dealt, bool, shape ``(num_games,)``."""


@runtime_checkable
class CompiledOpponents(Protocol):
    """Plays the other seats of many games in one call for all of their decisions."""

    def play(self, games: Games, seats: np.ndarray, rows: np.ndarray) -> None:
        """Play on in some games, until it is the learner's turn or they are over.

        What follows are their records, masks and ``num_legal``. Several threads may call this at
        once, for rows that are not the same.

        Args:
            games: The batch.
            seats: The learner's seat in each game of it, int64, shape ``(num_games,)``.
            rows: Which games to play on, int64.
        """

    def assign(self, dealt: np.ndarray, rng: np.random.Generator) -> None:
        """Choose who plays in the games that were just dealt, bool, shape ``(num_games,)``."""


class RandomOpponents:
    """Opponents that choose with even chances, by the samplers of the batch."""

    def play(self, games: Games, seats: np.ndarray, rows: np.ndarray) -> None:
        """Play on by chance."""
        play_random_games(games._arrays(), seats, games._samplers, rows)

    def assign(self, dealt: np.ndarray, rng: np.random.Generator) -> None:
        """Nothing to choose."""


def compiled_opponents(opponents: Sequence[Opponent]) -> CompiledOpponents | None:
    """Return what plays for some opponents in compiled code, where all of them can be played so.

    An opponent that can has a method ``together``, which is given those of all seats and returns
    what plays for them, or None if it does not know how.

    Args:
        opponents: One for each other seat, clockwise from the learner's left.
    """
    if all(opponent is random_opponent for opponent in opponents):
        return RandomOpponents()
    for opponent in opponents:
        together = getattr(opponent, "together", None)
        if together is not None:
            compiled: CompiledOpponents | None = together(opponents)
            return compiled
    return None


BatchChoice: TypeAlias = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""``(observations, masks, games) -> actions``: opponents that do not care who sits where."""


class CallableOpponents:
    """Opponents from one batch callable that plays every other seat of every game."""

    def __init__(self, choose: BatchChoice) -> None:
        self._choose = choose

    def act(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, games: np.ndarray
    ) -> np.ndarray:
        """Ask the callable."""
        return self._choose(observations, masks, games)

    def assign(self, dealt: np.ndarray, rng: np.random.Generator) -> None:
        """Nothing to choose: it is the same opponent everywhere."""


class SteppedOpponents:
    """Opponents who are asked from Python, one decision at a time in all games that wait."""

    def __init__(self, opponents: BatchOpponents) -> None:
        self._opponents = opponents

    def play(self, games: Games, seats: np.ndarray, rows: np.ndarray) -> None:
        """Ask until every game waits for its learner or is over."""
        while True:
            turns = games.turn[rows]
            waiting = rows[(turns != NOBODY) & (turns != seats[rows])]
            if len(waiting) == 0:
                return
            actions = np.full(len(games), LEAVE, dtype=np.int64)
            chosen = self._opponents.act(
                games.observations[waiting], games.masks[waiting], games.turn[waiting], waiting
            )
            actions[waiting] = np.where(np.less(chosen, 0), games.num_actions, chosen)
            games.step(actions)

    def assign(self, dealt: np.ndarray, rng: np.random.Generator) -> None:
        """Tell them."""
        self._opponents.assign(dealt, rng)


class PerGameOpponents:
    """Opponents who know single games only, asked game by game: simple, and slow."""

    def __init__(self, opponents: str | Opponent | Sequence[str | Opponent], batch: Any) -> None:
        """Seat the opponents.

        Args:
            opponents: As for :func:`seat_opponents`.
            batch: The batch they play in, a :class:`prico_env.envs.learner_batch.LearnerBatch`.
        """
        self._batch = batch
        self._opponents = seat_opponents(opponents, batch.rules.players - 1)
        self._rng = np.random.default_rng(0)

    def act(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, games: np.ndarray
    ) -> np.ndarray:
        """Ask the opponent at each seat, showing it its game."""
        players = self._batch.rules.players
        actions = np.zeros(len(games), dtype=np.int64)
        for row, (game, seat) in enumerate(zip(games.tolist(), seats.tolist(), strict=True)):
            offset = (seat - int(self._batch.seats[game])) % players
            opponent = self._opponents[offset - 1]
            actions[row] = opponent(self._batch.games[game], seat, self._rng)
        return actions

    def assign(self, dealt: np.ndarray, rng: np.random.Generator) -> None:
        """Keep the seats; only the generator is the batch's."""
        self._rng = rng
