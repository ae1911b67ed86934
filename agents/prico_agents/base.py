"""What a player sees, and what a player must be able to do."""

import functools
from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from prico_env import Game, Games, RuleSet
from prico_env.arguments import instance, numbered
from prico_env.errors import PricoError, quoted
from prico_env.game import Move, check_seed
from prico_env.ruleset import check_rules


class AgentError(PricoError):
    """An agent cannot be found, cannot be made, or cannot play here."""


def check_seating(seat: object, rules: object, seed: object) -> int:
    """Check what a player is told when it sits down, and return its seed.

    Raises:
        PricoError: There is no such rule set, seat or seed.
    """
    numbered(seat, "seat", check_rules(rules).players)
    return check_seed(seed)


def check_view(view: object) -> "View":
    """Return what a player is to decide on.

    Raises:
        AgentError: It is no view of a game.
    """
    return instance(view, View, "what a player decides on is a View of a game", AgentError)


class View:
    """What one seat may know when it has to decide.

    A view holds for one decision: it looks into a game that goes on afterwards.

    Attributes:
        seat: Whose decision it is.
        rules: The rule set of the game.
        legal: Which actions are allowed, shape ``(num_actions,)``; true means allowed.
    """

    __slots__ = ("_game", "_open", "_remember", "_see", "_vector", "legal", "rules", "seat")

    def __init__(
        self,
        seat: int,
        rules: RuleSet,
        legal: np.ndarray,
        open_game: Callable[[], Game],
        see: Callable[[], np.ndarray],
        remember: Callable[[], Sequence[Move] | None],
    ) -> None:
        """Use :meth:`of` or :meth:`in_batch` instead of this."""
        self.seat = seat
        self.rules = rules
        self.legal = legal
        self._open = open_game
        self._see = see
        self._game: Game | None = None
        self._remember = remember
        self._vector: np.ndarray | None = None

    @classmethod
    def of(cls, game: Game, seat: int | None = None) -> "View":
        """See a single game through the eyes of a seat; by default of the seat to decide."""
        instance(game, Game, "what is seen is a Game", AgentError)
        seat = game.turn if seat is None else numbered(seat, "seat", game.rules.players)
        return cls(
            seat,
            game.rules,
            game.mask(),
            lambda: game,
            functools.partial(game.observation, seat),
            lambda: game.history,
        )

    @classmethod
    def in_batch(
        cls, games: Games, number: int, rules: RuleSet, history: Sequence[Move] | None = None
    ) -> "View":
        """See game ``number`` of a batch through the eyes of the seat to decide there.

        Args:
            games: The batch.
            number: Which of its games.
            rules: The rule set of that game.
            history: The decisions made in it so far, by a caller who keeps them.
        """
        instance(games, Games, "a batch is a Games", AgentError)
        number = numbered(number, "game", len(games))
        if not isinstance(history, Sequence | None) or isinstance(history, str | bytes):
            raise AgentError(f"a history is a list of decisions or None, not {quoted(history)}")
        return cls(
            int(games.turn[number]),
            check_rules(rules),
            games.masks[number],
            functools.partial(games.__getitem__, number),
            lambda: games.observations[number].copy(),
            lambda: history,
        )

    @property
    def game(self) -> Game:
        """A copy of the game in which everything this seat cannot see is dealt at random.

        What is public is as it is on the table, so reading ``view.game.state`` is fair. The hidden
        rest is one possibility among many: ``view.game.determinize(view.seat, seed)`` gives more.
        """
        if self._game is None:
            self._game = self._open().determinize(self.seat, 0)
        return self._game

    @property
    def observation(self) -> np.ndarray:
        """The game as this seat sees it, shape ``(num_features,)``, small integers."""
        if self._vector is None:
            self._vector = self._see()
        return self._vector

    @property
    def history(self) -> Sequence[Move] | None:
        """Every decision since the game was dealt or loaded, forced ones included.

        Decisions are public: none names a tile that was drawn unseen. None where nobody keeps
        them, as in most batches.
        """
        return self._remember()

    @property
    def choices(self) -> list[int]:
        """The allowed actions, ascending."""
        return np.flatnonzero(self.legal).tolist()


@runtime_checkable
class Agent(Protocol):
    """A player. It is told where it sits, and then asked for its decisions."""

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game; all chance of this player comes from ``seed``."""

    def act(self, view: View) -> int:
        """Choose one of the allowed actions."""


@runtime_checkable
class BatchAgent(Agent, Protocol):
    """A player that is much faster when many games ask at once."""

    def act_batch(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Choose an action in each game.

        Args:
            observations: Small integers, shape ``(num_games, num_features)``.
            legal: Allowed actions, shape ``(num_games, num_actions)``.

        Returns:
            Action numbers, shape ``(num_games,)``.
        """
