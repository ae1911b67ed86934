"""A batch of games in which one seat each is the learner's and the others are played inside.

Both batch faces stand on this: Gymnasium's vector environment and Stable-Baselines3's. A step is
one decision of the learner in every game, so each learner meets its own decisions, one after the
other, and is paid for the whole way from one to the next, whoever made the last move of a game.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from prico_env.batch import LEAVE, Games
from prico_env.envs.opponents import BatchChoice, BatchOpponents, OneByOne, Opponent, SameForAll
from prico_env.envs.rewards import check_scheme, potential
from prico_env.envs.spaces import check_seat
from prico_env.ruleset import RuleSet

OpponentChoice = str | BatchOpponents | BatchChoice | Sequence[str | Opponent]
"""Opponents of a batch: a name, an object, a batch callable, or one opponent for each seat."""


class SeatedGames:
    """Many games, each waiting for its learner or over.

    Attributes:
        games: The batch itself.
        seats: The learner's seat in each game, shape ``(num_games,)``.
        rewards: The learner's reward of the step just made, float32, shape ``(num_games,)``.
        returns: Its rewards of the game so far, float64, shape ``(num_games,)``.
        lengths: Its decisions in the game so far, shape ``(num_games,)``.
    """

    def __init__(  # noqa: PLR0913 - every option is a keyword of its own
        self,
        rules: RuleSet,
        num_games: int,
        *,
        seat: int | Literal["random", "rotate"] = "rotate",
        opponents: OpponentChoice = "random",
        reward: str = "win",
        shaping: float = 0.0,
        seed: int = 0,
        threads: int | None = None,
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
            reward: Reward scheme by name.
            shaping: Reward for each VP of lead gained on the way; 0 is off.
            seed: Decides deals, drawn seats and random opponents.
            threads: As in :class:`prico_env.Games`.
        """
        self.rules = rules
        self.num_games = num_games
        self.shaping = float(shaping)
        self.games = Games(
            rules, num_games, seed, reward=check_scheme(reward), observe=True, threads=threads
        )
        self._seat_choice = check_seat(seat, rules.players)
        self._opponents = batch_opponents(opponents, self)
        self._rng = np.random.default_rng(seed)
        self._index = np.arange(num_games)
        self._deals = np.full(num_games, -1)
        self._potential = np.zeros(num_games)
        self.seats = np.zeros(num_games, dtype=np.int64)
        self.rewards = np.zeros(num_games, dtype=np.float32)
        self.returns = np.zeros(num_games)
        self.lengths = np.zeros(num_games, dtype=np.int64)

    # -- playing -----------------------------------------------------------------------------------

    def deal(self, seed: int | None = None, where: np.ndarray | None = None) -> None:
        """Deal games anew and play them to the learner's first decision.

        Args:
            seed: Starts everything over from a seed; None goes on with the next deals.
            where: Which games, bool, shape ``(num_games,)``; None for all.
        """
        dealt = np.ones(self.num_games, dtype=bool) if where is None else where
        if seed is not None:
            self._rng = np.random.default_rng(seed)
            self._deals[dealt] = -1
        self.games.reset(seed=seed, where=where)
        self._deals[dealt] += 1
        self._seat_learners(dealt)
        self.rewards[dealt] = 0.0
        self.returns[dealt] = 0.0
        self.lengths[dealt] = 0
        if self._opponents is not None:
            self._opponents.assign(dealt, self._rng)
        if self.shaping:
            self._potential = np.where(dealt, self._learner_potential(), self._potential)
        self._play_others()
        self.rewards[dealt] = 0.0  # what others do first is paid with the learner's first decision

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
        running = ~self.games.over
        moving = running if where is None else running & where
        self.rewards[:] = 0.0
        self._move(np.where(moving, actions, LEAVE))
        self._play_others()
        if self.shaping:
            after = self._learner_potential()
            self.rewards += np.where(moving, after - self._potential, 0.0)
            self._potential = after
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
            self._move(actions)

    def _move(self, actions: np.ndarray) -> None:
        """Make one move in some games, and keep what it pays the learner."""
        self.games.step(actions)
        self.rewards += self.games.rewards[self._index, self.seats]

    def _learner_potential(self) -> np.ndarray:
        """Return the learner's potential in each game; a finished game has none."""
        games = self.games
        values = potential(games.scores(), self.shaping)[self._index, self.seats]
        return np.where(games.over & ~games.truncated, 0.0, values)

    # -- what learners see -------------------------------------------------------------------------

    def features(self) -> np.ndarray:
        """Return what each learner sees, also of a game that is over, uint8, shape ``(n, F)``."""
        if self.games.over.any():
            return self.games.observe(self.seats)
        return self.games.observations  # every game waits for its learner

    def places(self) -> np.ndarray:
        """Return the learner's place in each game as if it ended now, 1 the best."""
        return self.games.places()[self._index, self.seats]


def batch_opponents(opponents: Any, seated: SeatedGames) -> BatchOpponents | None:
    """Return who plays the other seats of a batch; None stands for even chances.

    Raises:
        PricoError: An opponent is unknown.
    """
    if opponents == "random":
        return None
    if hasattr(opponents, "act"):
        return opponents
    if callable(opponents):
        return SameForAll(opponents)
    return OneByOne(opponents, seated)
