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
from prico_env.core.calls import (
    DEAL,
    Accounts,
    account_games,
    close_games,
    first_illegal,
    observe_rows,
    scale_games,
    step_games,
)
from prico_env.core.scoring import RESULTS
from prico_env.envs.episode import episodes_of_games, results_of_games
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
from prico_env.game import check_seed
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
        turns: The seat to decide, int64, shape ``(num_games,)``; -1 in a game that is over.
        ended: Numbers of the games that are over, int64.
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
        self.turns = np.full(num_games, NOBODY, dtype=np.int64)
        self.ended = np.arange(num_games)
        self._potentials = np.zeros((num_games, rules.players))

    @property
    def over(self) -> np.ndarray:
        """Which games are over, bool, shape ``(num_games,)``."""
        return self.turns == NOBODY

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
        out[self.ended] = True
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
        if len(self.ended) > 0:
            out[self.ended] = self.last_features(scaling)
        return out

    def last_features(self, scaling: ScalingKind = "raw") -> np.ndarray:
        """Return what games that are over show, shape ``(k, num_features)``.

        That is what their learner sees, or whoever acted last.

        Args:
            scaling: As for `features`.
        """
        games = self.games
        seen = np.zeros((len(self.ended), games.layout.num_features), dtype=np.uint8)
        observe_rows(games._table, games.state, self.ended, self._last_viewers(), seen)
        return self.rules.observation.scale(seen, scaling)

    def _last_viewers(self) -> np.ndarray:
        """Return the seats to whom games that are over are shown, int64, shape ``(k,)``."""
        raise NotImplementedError

    def info(self) -> dict[str, np.ndarray]:
        """Return what only this kind of batch tells of where its games stand."""
        return {}

    def step_info(self) -> dict[str, np.ndarray]:
        """Return what the step paid every seat: ``rewards``, float32, ``(num_games, players)``."""
        return {"rewards": self.payments.copy()}

    def endings(self) -> dict[str, Any]:
        """Return how games that are over went.

        Returns:
            ``scores`` and ``places`` of every seat, int64, shape ``(num_games, players)``, and
            ``episode``, arrays of a row for each game by name, see :mod:`prico_env.envs.episode`:
            for every seat likewise, unless there is one learner, shape ``(num_games,)``. They are
            zeros in a game that is not over.
        """
        results = results_of_games(self.games, self.ended)
        episode = self._episodes(results)
        told = {"scores": episode["score"], "places": episode["place"]}
        if episode["score"].ndim == 1:
            for key, column in (("scores", "score"), ("places", "place")):
                told[key] = np.zeros(self.payments.shape, dtype=np.int64)
                told[key][self.ended] = results[..., RESULTS.index(column)]
        return {**told, "episode": episode}

    def _episodes(self, results: np.ndarray) -> dict[str, np.ndarray]:
        return episodes_of_games(results, self.ended, self.returns, self.lengths)

    def _rows_of(self, where: np.ndarray | None) -> np.ndarray:
        """Return the numbers of the games where a bool array says so; of all without one."""
        every = np.ones(self.num_games, dtype=bool)
        return np.flatnonzero(every if where is None else truth_values(where, "where", every.shape))

    def deal(self, seed: int | None = None, where: np.ndarray | None = None) -> None:
        """Deal games anew, and go on to the first decision to make.

        Args:
            seed: Starts everything over from a seed; None goes on with the next deals.
            where: Which games, bool, shape ``(num_games,)``; None for all.
        """
        self._deal(self._rows_of(where), None if seed is None else check_seed(seed))

    def _deal(self, rows: np.ndarray, seed: int | None = None) -> None:
        """Deal some games anew."""
        self.games._deal(rows, seed)
        self.rewards[rows] = 0.0
        self.payments[rows] = 0.0
        self.returns[rows] = 0.0
        self.lengths[rows] = 0
        if self.shaping:
            self._potentials[rows] = potential(self.games, self.shaping)[rows]

    def step(self, actions: np.ndarray) -> None:
        """Carry out a decision in each game that is not over, and go on to the next one to make.

        Args:
            actions: One legal action for each game, shape ``(num_games,)``; in a game that is over
                it is ignored.

        Raises:
            IllegalActionError: Some actions are not legal; nothing has changed.
        """
        self._advance(self._allowed(actions), self.ended[:0])

    def _advance(self, chosen: np.ndarray, dealt: np.ndarray) -> None:
        """Carry out actions that are allowed, and deal some of the games that are over anew."""
        raise NotImplementedError

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

    def _deal(self, rows: np.ndarray, seed: int | None = None) -> None:
        super()._deal(rows, seed)
        if seed is not None:
            self._rng = np.random.default_rng(seed)
            self._deals[rows] = -1
        self._deals[rows] += 1
        self._seat_learners(rows)
        dealt = np.zeros(self.num_games, dtype=bool)
        dealt[rows] = True
        self._opponents.assign(dealt, self._rng)
        self._play_others(rows)
        self._note_turns()

    def _seat_learners(self, rows: np.ndarray) -> None:
        players = self.rules.players
        if self._seat_choice == "random":
            self.seats[rows] = self._rng.integers(players, size=len(rows))
        elif self._seat_choice == "rotate":
            self.seats[rows] = (rows + self._deals[rows]) % players
        else:
            self.seats[rows] = self._seat_choice

    def _note_turns(self) -> None:
        self.turns[:] = np.where(self.games.num_legal > 0, self.seats, NOBODY)
        self.ended = (self.games.num_legal == 0).nonzero()[0]

    def _advance(self, chosen: np.ndarray, dealt: np.ndarray) -> None:
        games = self.games
        moving = games.num_legal > 0
        if isinstance(self._opponents, SteppedOpponents):
            games.step(chosen)
            self._play_others(np.flatnonzero(moving))
        else:
            games._run(self._step_range, chosen, moving)
        self.payments[:] = games.rewards
        if self.shaping:
            self.payments += self._shaping_of(moving)
        self.rewards[:] = np.take_along_axis(self.payments, self.seats[:, None], axis=1)[:, 0]
        self.returns += self.rewards
        self.lengths += moving
        if len(dealt) > 0:
            self._deal(dealt)
        self._note_turns()

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

    def _last_viewers(self) -> np.ndarray:
        return self.seats[self.ended]

    def info(self) -> dict[str, np.ndarray]:
        """Return where the learners sit."""
        return {"seat": self.seats.copy()}

    def _episodes(self, results: np.ndarray) -> dict[str, np.ndarray]:
        return super()._episodes(results[np.arange(len(self.ended)), self.seats[self.ended], None])


class SelfPlayBatch(ShapedBatch):
    """Many games in which the seat to act decides; ``rewards`` are those of who acted."""

    def __init__(self, rules: RuleSet, num_games: int, **options: Any) -> None:
        """Make a batch; the arguments are those of :class:`ShapedBatch`."""
        super().__init__(rules, num_games, **options)
        self.returns = np.zeros(self.payments.shape)
        self.lengths = np.zeros(self.payments.shape, dtype=np.int64)
        self._actors = np.zeros(num_games, dtype=np.int64)

    def _deal(self, rows: np.ndarray, seed: int | None = None) -> None:
        super()._deal(rows, seed)
        self.turns[rows] = self.games.turn[rows]
        self.ended = (self.games.num_legal == 0).nonzero()[0]

    def _advance(self, chosen: np.ndarray, dealt: np.ndarray) -> None:
        games = self.games
        if len(dealt) > 0:
            games._move_on(dealt)
            chosen = chosen.copy()
            chosen[dealt] = DEAL
        games._run(step_games, games._arrays(), chosen, 0, games._scheme)
        paid = games.rewards
        if self.shaping:
            paid = (paid + self._shaping_of(~self.over)).astype(np.float32)
        accounts = Accounts(
            self.turns, self._actors, self.payments, self.rewards, self.returns, self.lengths
        )
        games._run(account_games, games.state, games.num_legal, paid, accounts)
        self.ended = (games.num_legal == 0).nonzero()[0]

    def _last_viewers(self) -> np.ndarray:
        return self._actors[self.ended]


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
