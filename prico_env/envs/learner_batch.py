"""Batches of games as the batch environments play them: for one learner a game, or for all seats.

Gymnasium's vector environment stands on both, that of Stable-Baselines3 on the first. In a
`LearnerBatch` one seat of each game is the learner's and the others are played inside. A step is
one decision of the learner in every game, so each learner meets its own decisions, one after the
other, and is paid for the whole way from one to the next, whoever made the last move of a game. In
a `SelfPlayBatch` every seat is the caller's.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from prico_env.arguments import number, truth_values, whole, whole_numbers
from prico_env.batch import LEAVE, Games
from prico_env.envs.episode import episodes_of_games
from prico_env.envs.opponents import (
    BatchChoice,
    BatchOpponents,
    CallableOpponents,
    Opponent,
    PerGameOpponents,
)
from prico_env.envs.rewards import potential
from prico_env.envs.spaces import check_seat
from prico_env.ruleset import RuleSet, check_rules

OpponentChoice = str | BatchOpponents | BatchChoice | Sequence[str | Opponent]
"""Opponents of a batch: a name, an object, a batch callable, or one opponent for each seat."""


class ShapedBatch:
    """Games side by side, and what shaping pays for a move in them.

    Attributes:
        rules: The rule set of every game.
        num_games: Games side by side.
        games: The batch itself.
        rewards: What the step just made paid whoever it is for, float32, shape ``(num_games,)``.
        payments: What it paid every seat, float32, shape ``(num_games, players)``.
        returns: Rewards of the game so far, float64: the learner's, shape ``(num_games,)``, or
            those of every seat, shape ``(num_games, players)``.
        lengths: Decisions of the game so far, int64, likewise.
    """

    returns: np.ndarray
    lengths: np.ndarray

    def __init__(
        self,
        rules: RuleSet,
        num_games: int,
        *,
        reward: str = "win",
        shaping: float = 0.0,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        """Make a batch; its method ``deal`` starts it.

        Args:
            rules: The rule set of every game.
            num_games: Games side by side.
            reward: Reward scheme by name.
            shaping: Reward for each VP of lead gained on the way; 0 is off.
            seed: Decides deals, drawn seats and random opponents.
            threads: As in :class:`prico_env.Games`.
        """
        self.rules = check_rules(rules)
        self.num_games = num_games = whole(num_games, "the number of games", 1)
        self.shaping = number(shaping, "shaping")
        self.games = Games(rules, num_games, seed, reward=reward, observe=True, threads=threads)
        self.rewards = np.zeros(num_games, dtype=np.float32)
        self.payments = np.zeros((num_games, rules.players), dtype=np.float32)
        self._index = np.arange(num_games)
        self._potentials = np.zeros((num_games, rules.players))

    def action_masks(self) -> np.ndarray:
        """Return what the seats to act may do, bool, shape ``(num_games, num_actions)``.

        A game that is over has a mask of ones: whatever is chosen there is ignored, and a masked
        sampler always finds something to choose.
        """
        return self.games.masks | self.games.over[:, None]

    def info(self) -> dict[str, np.ndarray]:
        """Return what the step paid every seat: ``rewards``, float32, ``(num_games, players)``."""
        return {"rewards": self.payments.copy()}

    def episodes(self) -> dict[str, np.ndarray]:
        """Return ``info["episode"]`` of games that are over; see :mod:`prico_env.envs.episode`.

        Returns:
            Arrays of a row for each game, zeros where it is not over; for every seat, shape
            ``(num_games, players)``, unless there is one learner, shape ``(num_games,)``.
        """
        over = self.games.over
        columns = episodes_of_games(self.games, over)
        told = over.reshape(-1, *[1] * (self.lengths.ndim - 1))
        columns["length"] = columns["l"] = np.where(told, self.lengths, 0)
        columns["r"] = np.where(told, self.returns, 0.0)
        return columns

    def _deal(self, seed: int | None, where: np.ndarray | None) -> np.ndarray:
        """Deal all games anew, or some; returns which, bool, shape ``(num_games,)``."""
        every = np.ones(self.num_games, dtype=bool)
        dealt = every if where is None else truth_values(where, "where", every.shape)
        self.games.reset(seed=seed, where=dealt)
        self.rewards[dealt] = 0.0
        self.payments[dealt] = 0.0
        self.returns[dealt] = 0.0
        self.lengths[dealt] = 0
        if self.shaping:
            self._potentials[dealt] = potential(self.games, self.shaping)[dealt]
        return dealt

    def _moving(self, where: np.ndarray | None) -> np.ndarray:
        """In which games a step makes a move: where it says, unless they are over."""
        running = ~self.games.over
        return running if where is None else running & truth_values(where, "where", running.shape)

    def _chosen(self, actions: np.ndarray, moving: np.ndarray) -> np.ndarray:
        """The actions of the games that move; the others are left as they are."""
        return np.where(moving, whole_numbers(actions, "actions", moving.shape), LEAVE)

    def _shaping_of(self, moving: np.ndarray) -> np.ndarray:
        """What shaping pays every seat of the games that moved, shape ``(num_games, players)``."""
        before, self._potentials = self._potentials, potential(self.games, self.shaping)
        return np.where(moving[:, None], self._potentials - before, 0.0)


class LearnerBatch(ShapedBatch):
    """Many games, each waiting for its learner or over; ``rewards`` are the learner's.

    Attributes:
        seats: The learner's seat in each game, shape ``(num_games,)``.
    """

    def __init__(
        self,
        rules: RuleSet,
        num_games: int,
        *,
        seat: int | Literal["random", "rotate"] = "rotate",
        opponents: OpponentChoice = "random",
        seed: int = 0,
        **options: Any,
    ) -> None:
        """Make a batch; :meth:`deal` starts it.

        Args:
            rules: The rule set of every game.
            num_games: Games side by side.
            seat: The learner's seat; ``"random"`` draws it for each game, ``"rotate"`` takes the
                seats in turn, which is as fair and less noisy.
            opponents: Who plays the other seats: ``"random"``, a name that a loader knows, one
                opponent for each other seat (clockwise from the learner's left), a batch callable
                ``(observations, masks, games) -> actions``, or a :class:`BatchOpponents`.
            seed: Decides deals, drawn seats and random opponents.
            **options: ``reward``, ``shaping`` and ``threads``, as in :class:`ShapedBatch`.
        """
        super().__init__(rules, num_games, seed=seed, **options)
        self._seat_choice = check_seat(seat, rules.players)
        self._opponents = batch_opponents(opponents, self)
        self._rng = np.random.default_rng(seed)
        self._deals = np.full(num_games, -1)
        self.seats = np.zeros(num_games, dtype=np.int64)
        self.returns = np.zeros(num_games)
        self.lengths = np.zeros(num_games, dtype=np.int64)

    # -- playing -----------------------------------------------------------------------------------

    def deal(self, seed: int | None = None, where: np.ndarray | None = None) -> None:
        """Deal games anew and play them to the learner's first decision.

        Args:
            seed: Starts everything over from a seed; None goes on with the next deals.
            where: Which games, bool, shape ``(num_games,)``; None for all.
        """
        dealt = self._deal(seed, where)
        if seed is not None:
            self._rng = np.random.default_rng(seed)
            self._deals[dealt] = -1
        self._deals[dealt] += 1
        self._seat_learners(dealt)
        if self._opponents is not None:
            self._opponents.assign(dealt, self._rng)
        self._play_others()  # what that brings is paid with the learner's first decision

    def _seat_learners(self, dealt: np.ndarray) -> None:
        players = self.rules.players
        if self._seat_choice == "random":
            self.seats[dealt] = self._rng.integers(players, size=int(dealt.sum()))
        elif self._seat_choice == "rotate":
            self.seats[dealt] = ((self._index + self._deals) % players)[dealt]
        else:
            self.seats[dealt] = self._seat_choice

    def step(self, actions: np.ndarray, where: np.ndarray | None = None) -> None:
        """Carry out the learner's decisions and play on to its next ones.

        Args:
            actions: One legal action for each game, shape ``(num_games,)``.
            where: Games to play in, bool, shape ``(num_games,)``; None for all. The others stay
                as they are, with a reward of 0.

        Raises:
            IllegalActionError: Some actions are not legal; nothing has changed.
        """
        moving = self._moving(where)
        self.games.step(self._chosen(actions, moving))
        self.payments[:] = self.games.rewards
        self._play_others()
        if self.shaping:
            self.payments += self._shaping_of(moving)
        self.rewards[:] = self.payments[self._index, self.seats]
        self.returns += self.rewards
        self.lengths += moving

    def _play_others(self) -> None:
        """Let the opponents act until every game waits for its learner or is over."""
        games = self.games
        while True:
            waiting = np.flatnonzero(~games.over & (games.turn != self.seats))
            if len(waiting) == 0:
                return
            actions = np.full(self.num_games, LEAVE, dtype=np.int64)
            if self._opponents is None:
                actions[waiting] = games.sample()[waiting]
            else:
                actions[waiting] = self._opponents.act(
                    games.observations[waiting], games.masks[waiting], games.turn[waiting], waiting
                )
            games.step(actions)
            self.payments += games.rewards

    # -- what learners see -------------------------------------------------------------------------

    def features(self) -> np.ndarray:
        """Return what each learner sees, also of a game that is over, uint8, shape ``(n, F)``."""
        if self.games.over.any():
            return self.games.observe(self.seats)
        return self.games.observations  # every game waits for its learner

    def info(self) -> dict[str, np.ndarray]:
        """Return what the step paid every seat, and where the learner sits."""
        return super().info() | {"seat": self.seats.copy()}

    def episodes(self) -> dict[str, np.ndarray]:
        """Return ``info["episode"]`` of the learners; see :meth:`ShapedBatch.episodes`."""
        columns = super().episodes()
        learners = self._index, self.seats
        return {key: rows[learners] if rows.ndim > 1 else rows for key, rows in columns.items()}


class SelfPlayBatch(ShapedBatch):
    """Many games in which the seat to act decides; ``rewards`` are those of who acted."""

    def __init__(self, rules: RuleSet, num_games: int, **options: Any) -> None:
        """Make a batch; the arguments are those of :class:`ShapedBatch`."""
        super().__init__(rules, num_games, **options)
        self._actors = np.zeros(num_games, dtype=np.int64)
        self.returns = np.zeros(self.payments.shape)
        self.lengths = np.zeros(self.payments.shape, dtype=np.int64)

    def deal(self, seed: int | None = None, where: np.ndarray | None = None) -> None:
        """Deal games anew: all, or where the bool array of shape ``(num_games,)`` says."""
        self._deal(seed, where)

    def step(self, actions: np.ndarray, where: np.ndarray | None = None) -> None:
        """Carry out one decision in each game, or where ``where`` says, that is not over."""
        games = self.games
        moving = self._moving(where)
        actors = np.where(moving, games.turn, self._actors)
        games.step(self._chosen(actions, moving))
        self._actors[:] = actors
        self.payments[:] = games.rewards
        if self.shaping:
            self.payments += self._shaping_of(moving)
        self.rewards[:] = np.where(moving, self.payments[self._index, self._actors], 0.0)
        self.returns += self.payments
        self.lengths[self._index, self._actors] += moving

    def features(self) -> np.ndarray:
        """Return what the seats to act see, and in finished games the seats that acted last."""
        games = self.games
        if games.over.any():
            return games.observe(np.where(games.over, self._actors, games.turn))
        return games.observations


def is_random(opponents: object) -> bool:
    """Whether opponents are the built-in ones that choose with even chances."""
    return isinstance(opponents, str) and opponents == "random"


def batch_opponents(opponents: Any, batch: LearnerBatch) -> BatchOpponents | None:
    """Return who plays the other seats of a batch; None stands for even chances.

    Raises:
        PricoError: An opponent is unknown.
    """
    if is_random(opponents):
        return None
    if hasattr(opponents, "act"):
        return opponents
    if callable(opponents):
        return CallableOpponents(opponents)
    return PerGameOpponents(opponents, batch)
