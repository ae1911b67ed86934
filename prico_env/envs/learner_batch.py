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

from prico_env.arguments import check_out, number, truth_values, whole, whole_numbers
from prico_env.batch import Games
from prico_env.core.calls import close_games, first_illegal, observe_games, scale_games, step_games
from prico_env.core.state import take_states
from prico_env.envs.episode import episodes_of_games
from prico_env.envs.opponents import (
    BatchChoice,
    BatchOpponents,
    CallableOpponents,
    CompiledOpponents,
    Opponent,
    PerGameOpponents,
    SteppedOpponents,
    compiled_opponents,
    seat_opponents,
)
from prico_env.envs.rewards import potential
from prico_env.envs.spaces import check_seat
from prico_env.feature_scaling import ScalingKind
from prico_env.ruleset import RuleSet, check_rules
from prico_env.vocabulary import NOBODY

OpponentChoice = str | BatchOpponents | CompiledOpponents | BatchChoice | Sequence[str | Opponent]
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

    @property
    def viewers(self) -> np.ndarray:
        """The seats to whom the games are shown, int64, shape ``(num_games,)``."""
        raise NotImplementedError

    @property
    def over(self) -> np.ndarray:
        """Which games are over, bool, shape ``(num_games,)``."""
        return self.games.num_legal == 0

    def action_masks(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return what the seats to act may do, bool, shape ``(num_games, num_actions)``.

        A game that is over has a mask of ones: whatever is chosen there is ignored, and a masked
        sampler always finds something to choose.

        Args:
            out: An array to write it to.
        """
        masks = self.games.masks
        out = np.empty_like(masks) if out is None else out
        check_out(out, masks.dtype, masks.shape)
        np.copyto(out, masks)
        out[self.over] = True
        return out

    def features(self, scaling: ScalingKind = "raw", out: np.ndarray | None = None) -> np.ndarray:
        """Return what the viewers see, shape ``(num_games, num_features)``.

        Args:
            scaling: As in :meth:`prico_env.observation_layout.ObservationLayout.scaling`.
            out: An array to write it to, of the dtype of the scaling.
        """
        games, scaled = self.games, self.rules.observation.scaling(scaling)
        shape = games.observations.shape
        out = np.empty(shape, scaled.dtype) if out is None else out
        check_out(out, scaled.dtype, shape)
        if scaling == "raw":
            np.copyto(out, games.observations)
        else:
            games._run(scale_games, games.observations, scaled.factor, scaled.offset, out)
        over = self.over
        if over.any():
            out[over] = self.last_features(scaling)
        return out

    def last_features(self, scaling: ScalingKind = "raw") -> np.ndarray:
        """Return what the viewers see of the games that are over, shape ``(k, num_features)``.

        Args:
            scaling: As for `features`.
        """
        games, rows = self.games, np.flatnonzero(self.over)
        seen = np.zeros((len(rows), games.layout.num_features), dtype=np.uint8)
        observe_games(games._table, take_states(games.state, rows), self.viewers[rows], seen)
        return self.rules.observation.scale(seen, scaling)

    def info(self) -> dict[str, np.ndarray]:
        """Return what only this kind of batch tells of where its games stand."""
        return {}

    def step_info(self) -> dict[str, np.ndarray]:
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

    def are_allowed(self, actions: np.ndarray) -> bool:
        """Whether a step may carry out some actions, int64, shape ``(num_games,)``."""
        chosen = whole_numbers(actions, "actions", (self.num_games,))
        return first_illegal(self.games.masks, self.games.num_legal, chosen, False) < 0

    def _allowed(self, actions: np.ndarray) -> np.ndarray:
        """Return actions that kernels may carry out.

        Raises:
            IllegalActionError: One is not allowed; nothing has changed.
        """
        chosen = whole_numbers(actions, "actions", (self.num_games,))
        return self.games._allowed(chosen, may_leave=False)

    def _shaping_of(self, moved: np.ndarray) -> np.ndarray:
        """What shaping pays every seat of the games that moved, shape ``(num_games, players)``."""
        before, self._potentials = self._potentials, potential(self.games, self.shaping)
        return np.where(moved[:, None], self._potentials - before, 0.0)


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
        self._opponents = _opponents_of(opponents, self)
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
        self._opponents.assign(dealt, self._rng)
        self._play_others(np.flatnonzero(dealt))

    def _seat_learners(self, dealt: np.ndarray) -> None:
        players = self.rules.players
        if self._seat_choice == "random":
            self.seats[dealt] = self._rng.integers(players, size=int(dealt.sum()))
        elif self._seat_choice == "rotate":
            self.seats[dealt] = ((self._index + self._deals) % players)[dealt]
        else:
            self.seats[dealt] = self._seat_choice

    def step(self, actions: np.ndarray) -> None:
        """Carry out the learner's decisions and play on to its next ones.

        Args:
            actions: One legal action for each game, shape ``(num_games,)``; in a game that is over
                it is ignored.

        Raises:
            IllegalActionError: Some actions are not legal; nothing has changed.
        """
        games = self.games
        chosen, moving = self._allowed(actions), games.num_legal > 0
        if isinstance(self._opponents, SteppedOpponents):
            games.step(chosen)
            self._play_others(np.flatnonzero(moving))
        else:
            games._run(self._step_range, chosen, moving)
        self.payments[:] = games.rewards
        if self.shaping:
            self.payments += self._shaping_of(moving)
        self.rewards[:] = self.payments[self._index, self.seats]
        self.returns += self.rewards
        self.lengths += moving

    def _step_range(self, chosen: np.ndarray, moving: np.ndarray, start: int, stop: int) -> None:
        """Carry out decisions in a range of games; what others see of them need not be written."""
        games = self.games
        arrays = games._arrays()
        unseen = arrays._replace(observations=arrays.observations[:, :0])
        step_games(unseen, chosen, 0, games._scheme, start, stop)
        self._play_others(start + np.flatnonzero(moving[start:stop]))

    def _play_others(self, rows: np.ndarray) -> None:
        """Let the opponents act in some games until they wait for their learner or are over."""
        games = self.games
        self._opponents.play(games, self.seats, rows)
        close_games(games._arrays(), games._scheme, rows)

    # -- what learners see -------------------------------------------------------------------------

    @property
    def viewers(self) -> np.ndarray:
        """The learners' seats."""
        return self.seats

    def info(self) -> dict[str, np.ndarray]:
        """Return where the learners sit."""
        return {"seat": self.seats.copy()}

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

    @property
    def viewers(self) -> np.ndarray:
        """The seats to act, and in games that are over the seats that acted last."""
        turns = self.games.turn.astype(np.int64)
        return np.where(turns == NOBODY, self._actors, turns)

    def deal(self, seed: int | None = None, where: np.ndarray | None = None) -> None:
        """Deal games anew: all, or where the bool array of shape ``(num_games,)`` says."""
        self._deal(seed, where)

    def step(self, actions: np.ndarray) -> None:
        """Carry out one decision in each game that is not over."""
        games = self.games
        chosen, moving = self._allowed(actions), games.num_legal > 0
        self._actors = self.viewers
        games._run(step_games, games._arrays(), chosen, 0, games._scheme)
        self.payments[:] = games.rewards
        if self.shaping:
            self.payments += self._shaping_of(moving)
        self.rewards[:] = self.payments[self._index, self._actors]
        self.returns += self.payments
        self.lengths[self._index, self._actors] += moving


def is_random(opponents: object) -> bool:
    """Whether opponents are the built-in ones that choose with even chances."""
    return isinstance(opponents, str) and opponents == "random"


def _opponents_of(opponents: Any, batch: LearnerBatch) -> CompiledOpponents:
    """Return who plays the other seats of a batch.

    Raises:
        PricoError: An opponent is unknown.
    """
    if hasattr(opponents, "play"):
        return opponents
    if hasattr(opponents, "act"):
        return SteppedOpponents(opponents)
    if callable(opponents):
        return SteppedOpponents(CallableOpponents(opponents))
    seated = seat_opponents(opponents, batch.rules.players - 1)
    return compiled_opponents(seated) or SteppedOpponents(PerGameOpponents(seated, batch))
