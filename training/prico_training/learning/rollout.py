"""Rollouts: many games side by side, and generalised advantage estimation for every seat.

In every step each game makes one decision, by whoever's turn it is. So the decisions of a game's
seats are mixed in time, and advantages must be told apart again afterwards. There are two ways, for
two kinds of value heads (`network.values`):

``own``
    The value is that of the seat that observes alone. Each seat's own decisions make a trajectory
    of their own (`prico_env.selfplay.gae`). Where the rollout cuts a game, the last decision of
    every seat but the one to act is not learnt from.

``all``
    There is a value for every seat, whoever observes (the numbers turn with the seat). Then each
    position bootstraps from the very next one (`prico_env.selfplay.gae_of_all_seats`), whoever is
    to move there, and a cut game is valued for all seats at the position where it was cut.

Nothing is discounted: games end. A reward has two parts, the share of the victory and the margin,
and each has a value of its own, so that the first one stays a win probability. Reward shaping, if
there is any (`prico_training.learning.shaping`), is added to the first part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.entity_inputs import RowRules
from prico_env import Games, RuleSet
from prico_env.core.api import kernel
from prico_env.selfplay import gae, gae_of_all_seats
from prico_training.learning.shaping import Potential

REWARD_PARTS: Final = ("win", "margin")
"""What a reward is made of; each part has a value of its own."""
_KEPT: Final = ("seeds", "masks", "num_legal", "observations")
"""Arrays of `Games` that are kept for going on, beside the records."""
_MARGIN_SCALE: Final = 20.0
"""VP of margin that count fully; more count no more."""


# -- sampling -------------------------------------------------------------------------------------


@kernel
def fill_sampled_actions(
    logits: Any, masks: Any, uniform: Any, actions: Any, log_probs: Any
) -> None:
    """Sample a legal action in each game with the softmax of its logits.

    Args:
        logits: Float32, shape ``(games, num_actions)``.
        masks: What is legal, bool, of the same shape.
        uniform: Uniform from 0 to 1, shape ``(games,)``.
        actions: Receives the actions, int64.
        log_probs: Receives their log-probabilities, float32.
    """
    num_actions = masks.shape[1]
    for game in range(masks.shape[0]):
        highest = -np.inf
        for action in range(num_actions):
            if masks[game, action]:
                highest = max(highest, logits[game, action])
        total = 0.0
        for action in range(num_actions):
            if masks[game, action]:
                total += np.exp(logits[game, action] - highest)
        left = uniform[game] * total
        chosen = -1
        for action in range(num_actions):
            if masks[game, action]:
                chosen = action
                left -= np.exp(logits[game, action] - highest)
                if left < 0:
                    break
        actions[game] = chosen
        log_probs[game] = logits[game, chosen] - highest - np.log(total)


def sample_actions(
    logits: NDArray[np.float32], masks: NDArray[np.bool_], generator: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Sample a legal action in each game; returns them and their log-probabilities."""
    count = len(logits)
    actions, log_probs = np.zeros(count, np.int64), np.zeros(count, np.float32)
    fill_sampled_actions(logits, masks, generator.random(count), actions, log_probs)
    return actions, log_probs


# -- a rollout -------------------------------------------------------------------------------------


class PolicyAndValue(Protocol):
    """The network that plays and is learnt.

    Attributes:
        value_seats: For how many seats the value head has an output, at the largest table.
    """

    value_seats: int

    def policy_and_value(
        self, observations: NDArray[np.uint8], rules: RowRules
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits, shape ``(games, num_actions)``, and values.

        Values have the shape ``(games, value_seats, parts)``, the seat that observes being first.
        ``rules`` tells by which rules each game is played.
        """


class OpponentPolicy(Protocol):
    """Who else plays: the seats that are not the learner's."""

    def act(self, games: Games, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Choose actions in games whose turn is theirs; return where it is not."""

    def finish(self, ended: NDArray[np.bool_], wins: NDArray[np.float32]) -> None:
        """Note who won, shape ``(games, seats)``, and take seats anew in the games that ended."""


@dataclass(frozen=True)
class Rollout:
    """Decisions of many games, one row for each step and game.

    Attributes:
        observations: Of the seat to act, uint8, shape ``(steps, games, num_features)``.
        masks: What was legal, packed to bits, shape ``(steps, games, bytes)``.
        actions: What was played, int64, shape ``(steps, games)``.
        log_probs: Log-probabilities of that, float32; where it was not the learner's, anything.
        seats: Whose decision it was, int8, shape ``(steps + 1, games)``.
        is_learner: Whether it was the learner's.
        ended: Whether it ended the game.
        rewards: What it brought each seat, float32, shape ``(steps, games, seats, parts)``.
        values: Of the network, float32, shape ``(steps + 1, games, value_seats, parts)``; if
            that is all seats, seat 0 is the first. Anything where it was not the learner's.
        rules: By which rules each game is played.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    seats: NDArray[np.int8]
    is_learner: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    values: NDArray[np.float32]
    rules: RowRules

    @classmethod
    def blank(cls, games: Games, steps: int, value_seats: int) -> "Rollout":
        """Make the arrays; they are filled again and again."""
        n, seats, parts = len(games), games.num_seats, len(REWARD_PARTS)
        return cls(
            observations=np.zeros((steps, n, games.layout.num_features), np.uint8),
            masks=np.zeros((steps, n, -(-games.num_actions // 8)), np.uint8),
            actions=np.zeros((steps, n), np.int64),
            log_probs=np.zeros((steps, n), np.float32),
            seats=np.zeros((steps + 1, n), np.int8),
            is_learner=np.zeros((steps, n), np.bool_),
            ended=np.zeros((steps, n), np.bool_),
            rewards=np.zeros((steps, n, seats, parts), np.float32),
            values=np.zeros((steps + 1, n, value_seats, parts), np.float32),
            rules=RowRules.of(games),
        )


class Batch:
    """Advantages and returns of a rollout, one row for each decision to learn from.

    Attributes:
        rows: Which of the rollout's decisions, flat.
        part_advantages: Of each part of the reward, float32, shape ``(rows, value_seats, parts)``,
            the seat that observes being the first.
        advantages: Of the policy: those of its own seat, parts weighted, shape ``(rows,)``.
        returns: Targets of the value head, of the shape of `part_advantages`.
    """

    def __init__(
        self, rollout: Rollout, gae_lambda: float, reward_coefs: NDArray[np.float32]
    ) -> None:
        """Estimate the advantages.

        Args:
            rollout: The decisions.
            gae_lambda: See `prico_env.selfplay`.
            reward_coefs: Weight of each part of the reward in the policy's, shape ``(parts,)``.
        """
        played, values = rollout, rollout.values
        if values.shape[2] == 1:
            own = values[:, :, 0]
            estimate = gae(played.rewards, own, played.seats, played.ended, gae_lambda=gae_lambda)
        else:
            estimate = gae_of_all_seats(
                played.rewards,
                values,
                played.ended,
                counted=played.is_learner,
                gae_lambda=gae_lambda,
            )
        self.rows = np.flatnonzero(played.is_learner & estimate.complete)
        seats = played.seats[:-1].reshape(-1)[self.rows]

        def of_the_rows(estimates: NDArray[np.float32]) -> NDArray[np.float32]:
            return from_seat(estimates.reshape(-1, *values.shape[2:])[self.rows], seats)

        self.part_advantages = of_the_rows(estimate.advantages)
        self.returns = of_the_rows(estimate.returns)
        self.advantages: NDArray[np.float32] = self.part_advantages[:, 0] @ reward_coefs


def from_seat(by_seat: NDArray[Any], seats: NDArray[np.int8]) -> NDArray[Any]:
    """Turn numbers by seat so that those of the given seat come first; see `by_seat`.

    Args:
        by_seat: One number or several for each seat, shape ``(rows, seats, …)``.
        seats: Whose shall come first, shape ``(rows,)``.
    """
    return _turn(by_seat, seats.astype(np.int64))


def to_seat(from_seat: NDArray[Any], seats: NDArray[np.int8]) -> NDArray[Any]:
    """Turn numbers that begin with those of the given seat so that seat 0 comes first."""
    return _turn(from_seat, -seats.astype(np.int64))


def _turn(numbers: NDArray[Any], by: NDArray[np.int64]) -> NDArray[Any]:
    num_seats = numbers.shape[1]
    if num_seats == 1:
        return numbers
    places = (np.arange(num_seats) + by[:, None]) % num_seats
    return numbers[np.arange(len(numbers))[:, None], places]


# -- playing ---------------------------------------------------------------------------------------


class Collector:
    """Plays games on and on.

    Attributes:
        games: The games.
        played: Games that have ended so far.
        shaping_coef: Weight of reward shaping now; 0 gives none.
        rollout: The decisions of the last call of `collect`.
    """

    def __init__(
        self,
        rules: RuleSet | Sequence[RuleSet],
        n: int,
        steps: int,
        value_seats: int,
        opponents: OpponentPolicy | None,
        seed: int,
    ) -> None:
        """Deal the games.

        Args:
            rules: What is played, or the rule set of each game, all with as many players.
            n: Games side by side.
            steps: Decisions of each game in a rollout.
            value_seats: Outputs of the value head at the largest table.
            opponents: Who plays the seats that are not the learner's; nobody, they are all its own.
            seed: Decides the deals and what is sampled.
        """
        self.games = Games(rules, n, seed=seed, threads=1)
        self.played = 0
        self.shaping_coef = 0.0
        self._potential = Potential()
        self.rollout = Rollout.blank(self.games, steps, min(value_seats, self.games.num_seats))
        self._opponents = opponents
        self._generator = np.random.default_rng(seed)

    def collect(self, network: PolicyAndValue) -> Rollout:
        """Play on for a rollout."""
        into, games = self.rollout, self.games
        before = self._potential.of(games) if self.shaping_coef > 0 else None
        for step in range(len(into.actions)):
            self._decide(network, step)
            self._advance(step)
            if before is not None:
                before = self._add_shaping(step, before)
        into.seats[-1] = games.turn
        values = network.policy_and_value(games.observations, into.rules)[1]
        into.values[-1] = to_seat(values, into.seats[-1])
        return into

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return arrays and plain values to go on from, between two rollouts."""
        arrays = {name: getattr(self.games, name) for name in _KEPT}
        values = {"generator": self._generator.bit_generator.state, "played": self.played}
        return arrays | {"states": _bytes_of(self.games)}, values

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        _bytes_of(self.games)[:] = arrays["states"]
        for name in _KEPT:
            getattr(self.games, name)[:] = arrays[name]
        self._generator.bit_generator.state = values["generator"]
        self.played = values["played"]

    def _decide(self, network: PolicyAndValue, step: int) -> None:
        """Choose an action in each game."""
        into, games = self.rollout, self.games
        into.observations[step] = games.observations
        into.masks[step] = np.packbits(games.masks, axis=1)
        into.seats[step] = games.turn
        into.is_learner[step] = True
        if self._opponents is not None:
            into.is_learner[step] = self._opponents.act(games, into.actions[step])
        rows = np.flatnonzero(into.is_learner[step])
        logits, values = network.policy_and_value(games.observations[rows], into.rules[rows])
        actions, log_probs = sample_actions(logits, games.masks[rows], self._generator)
        into.actions[step, rows] = actions
        into.log_probs[step, rows] = log_probs
        into.values[step, rows] = to_seat(values, into.seats[step, rows])

    def _add_shaping(self, step: int, before: NDArray[np.float64]) -> NDArray[np.float64]:
        """Reward every seat for the change of its potential; returns the potentials now."""
        now = self._potential.of(self.games)
        later = np.where(self.rollout.ended[step][:, None], 0.0, now)
        self.rollout.rewards[step, :, :, 0] += self.shaping_coef * (later - before)
        return now

    def _advance(self, step: int) -> None:
        """Carry the actions out, pay for the games that end, and deal them anew."""
        into, games = self.rollout, self.games
        games.step(into.actions[step])
        into.ended[step] = games.ended
        into.rewards[step] = 0.0
        if not games.ended.any():
            return
        ended = games.ended.copy()
        rows = np.flatnonzero(ended)
        wins = games.rewards + np.float32(1 / games.num_seats)  # a tie is shared
        into.rewards[step, rows, :, 0] = wins[rows]
        into.rewards[step, rows, :, 1] = margins(games.scores()[rows])
        self.played += len(rows)
        if self._opponents is not None:
            self._opponents.finish(ended, wins)
        games.reset(where=ended)


def _bytes_of(games: Games) -> NDArray[np.uint8]:
    """The records of games as bytes, shape ``(n, record)``; the same memory."""
    return games.state.view(np.uint8).reshape(len(games), -1)


def margins(scores: NDArray[np.int16]) -> NDArray[np.float32]:
    """Each seat's score less the best of the others', as a share of 20 VP and at most 1."""
    order = np.sort(scores, axis=1)
    best = order[:, -1:]
    rival = np.where(scores == best, order[:, -2:-1], best)
    return np.clip((scores - rival) / np.float32(_MARGIN_SCALE), -1, 1).astype(np.float32)
