"""Playing for learning: many games side by side, and what each decision in them was worth.

In every step each game makes one decision, by whoever's turn it is. So the decisions of a game's
seats are mixed in time, and what a decision was worth must be told apart again afterwards. Two ways
are here, for two kinds of value heads:

``own``
    The network judges for the seat that sees alone. Each seat's own decisions make a sequence of
    their own (`trace_own`): the value of a decision is compared with that of the same seat's next
    decision, and with the end of the game if there is none. So the end reaches every seat, whoever
    made the last move. Where the rollout cuts a game, the seat whose turn it is has its next
    decision before it and is judged there. The next decision of every other seat is still unknown:
    its last decision in the rollout is not learnt from, and only tells those before it how things
    stood.

``all``
    The network judges for every seat, whoever sees (the numbers turn with the seat). Then each
    position tells how things stand for everybody (`trace_all`): a decision is compared with the
    very next position, whoever is to move there, and a cut game is judged for all seats at the
    position where it was cut.

Nothing is discounted: games end. A reward has two parts, the share of the victory and the margin,
and they are foreseen separately, so that the first one stays a chance to win. Hints on the way, if
there are any (`prico_training.learning.shaping`), are added to the first part.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from prico_env import Games, RuleSet
from prico_env.core.api import kernel
from prico_training.learning.shaping import Potential

VALUES: Final = ("own", "all")
"""For whom a network judges: see above."""
PARTS: Final = ("win", "margin")
"""What a reward is made of."""
_MARGIN_SCALE: Final = 20.0
"""VP of margin that count fully; more count no more."""


# -- drawing and judging ---------------------------------------------------------------------------


@kernel
def draw_actions(logits: Any, masks: Any, chances: Any, actions: Any, log_probs: Any) -> None:
    """Draw an allowed action in each game with the softmax of its logits.

    Args:
        logits: Float32, shape ``(games, num_actions)``.
        masks: What is allowed, bool, of the same shape.
        chances: Evenly drawn from 0 to 1, shape ``(games,)``.
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
        left = chances[game] * total
        chosen = -1
        for action in range(num_actions):
            if masks[game, action]:
                chosen = action
                left -= np.exp(logits[game, action] - highest)
                if left < 0:
                    break
        actions[game] = chosen
        log_probs[game] = logits[game, chosen] - highest - np.log(total)


def draw(
    logits: NDArray[np.float32], masks: NDArray[np.bool_], generator: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Draw an allowed action in each game; returns them and their log-probabilities."""
    count = len(logits)
    actions, log_probs = np.zeros(count, np.int64), np.zeros(count, np.float32)
    draw_actions(logits, masks, generator.random(count), actions, log_probs)
    return actions, log_probs


@kernel
def trace_own(
    seats: Any,
    ended: Any,
    rewards: Any,
    values: Any,
    decay: float,
    traces: Any,
    complete: Any,
) -> None:
    """Compare each decision with the next one of the same seat (GAE, Schulman et al. 2016).

    Args:
        seats: Whose decision it was, shape ``(steps + 1, games)``; the last row is still to come.
        ended: Whether it ended the game, shape ``(steps, games)``.
        rewards: What it brought each seat, shape ``(steps, games, seats, parts)``.
        values: What its seat expected, shape ``(steps + 1, games, 1, parts)``.
        decay: Lambda, from one own decision to the next.
        traces: Receives the advantages, shape ``(steps, games, 1, parts)``.
        complete: Receives whether the seat's next decision is known, or the game's end.
    """
    steps, games = ended.shape
    num_seats, parts = rewards.shape[2], rewards.shape[3]
    earned = np.zeros((num_seats, parts))
    later = np.zeros((num_seats, parts))
    trace = np.zeros((num_seats, parts))
    known = np.zeros(num_seats, np.bool_)
    for game in range(games):
        earned[:] = 0.0
        later[:] = 0.0
        trace[:] = 0.0
        known[:] = False
        seat = seats[steps, game]
        known[seat] = True
        for part in range(parts):
            later[seat, part] = values[steps, game, 0, part]
        for step in range(steps - 1, -1, -1):
            if ended[step, game]:
                earned[:] = 0.0
                later[:] = 0.0
                trace[:] = 0.0
                known[:] = True
            for one in range(num_seats):
                for part in range(parts):
                    earned[one, part] += rewards[step, game, one, part]
            seat = seats[step, game]
            complete[step, game] = known[seat]
            for part in range(parts):
                value = values[step, game, 0, part]
                surprise = earned[seat, part] + later[seat, part] - value
                trace[seat, part] = surprise + decay * trace[seat, part] if known[seat] else 0.0
                traces[step, game, 0, part] = trace[seat, part]
                later[seat, part] = value
                earned[seat, part] = 0.0
            known[seat] = True


@kernel
def trace_all(mine: Any, ended: Any, rewards: Any, values: Any, decay: float, traces: Any) -> None:
    """Compare each position of the learner with its next one, for every seat.

    Args:
        mine: Whether a seat of the learner was to act there, shape ``(steps, games)``. The network
            does not learn to judge other positions, so they are passed over.
        ended: Whether the decision there ended the game, shape ``(steps, games)``.
        rewards: What it brought each seat, shape ``(steps, games, seats, parts)``.
        values: What each seat may expect there, shape ``(steps + 1, games, seats, parts)``.
        decay: Lambda, from one decision of the learner to the next of whatever seat.
        traces: Receives the advantages, shape ``(steps, games, seats, parts)``.
    """
    steps, games = ended.shape
    num_seats, parts = rewards.shape[2], rewards.shape[3]
    for game in range(games):
        for seat in range(num_seats):
            for part in range(parts):
                trace, later = 0.0, values[steps, game, seat, part]
                for step in range(steps - 1, -1, -1):
                    if ended[step, game]:
                        trace, later = 0.0, 0.0
                    later += rewards[step, game, seat, part]
                    if mine[step, game]:
                        value = values[step, game, seat, part]
                        trace = later - value + decay * trace
                        traces[step, game, seat, part] = trace
                        later = value


# -- a rollout -------------------------------------------------------------------------------------


class Thinker(Protocol):
    """What chooses and judges while games are played.

    Attributes:
        num_judged: For how many seats it judges at the largest table it knows.
    """

    num_judged: int

    def think(
        self, observations: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits, shape ``(games, num_actions)``, and values.

        Values have the shape ``(games, num_judged, parts)``, the seat that sees being the first.
        """


class Guests(Protocol):
    """Who else plays: the seats that are not the learner's."""

    def act(self, games: Games, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Choose actions in games whose turn is theirs; return where it is not."""

    def finish(self, ended: NDArray[np.bool_], shares: NDArray[np.float32]) -> None:
        """Note who won, shape ``(games, seats)``, and sit down anew in the games that ended."""


@dataclass(frozen=True)
class Rollout:
    """Decisions of many games, one row for each step and game.

    Attributes:
        observations: What the seat to act saw, uint8, shape ``(steps, games, num_features)``.
        masks: What it might do, packed to bits, shape ``(steps, games, bytes)``.
        actions: What it did, int64, shape ``(steps, games)``.
        log_probs: Log-probabilities of that, float32; where it was not the learner's, anything.
        seats: Whose decision it was, int8, shape ``(steps + 1, games)``.
        mine: Whether it was the learner's.
        ended: Whether it ended the game.
        rewards: What it brought each seat, float32, shape ``(steps, games, seats, parts)``.
        values: What was expected, float32, shape ``(steps + 1, games, num_judged, parts)``; if
            that is all seats, seat 0 is the first. Anything where it was not the learner's.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    seats: NDArray[np.int8]
    mine: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    values: NDArray[np.float32]

    @classmethod
    def blank(cls, games: Games, steps: int, num_judged: int) -> "Rollout":
        """Make the arrays; they are filled again and again."""
        n, seats, parts = len(games), games.num_seats, len(PARTS)
        return cls(
            observations=np.zeros((steps, n, games.layout.num_features), np.uint8),
            masks=np.zeros((steps, n, -(-games.num_actions // 8)), np.uint8),
            actions=np.zeros((steps, n), np.int64),
            log_probs=np.zeros((steps, n), np.float32),
            seats=np.zeros((steps + 1, n), np.int8),
            mine=np.zeros((steps, n), np.bool_),
            ended=np.zeros((steps, n), np.bool_),
            rewards=np.zeros((steps, n, seats, parts), np.float32),
            values=np.zeros((steps + 1, n, num_judged, parts), np.float32),
        )


class Lessons:
    """What a rollout teaches, one row for each decision to learn from.

    Attributes:
        rows: Which of the rollout's decisions, flat.
        advantages: How much better than expected each turned out, float32, shape ``(rows,)``.
        returns: What should have been expected, float32, shape ``(rows, num_judged, parts)``, the
            seat that sees being the first.
    """

    def __init__(self, rollout: Rollout, decay: float, weights: NDArray[np.float32]) -> None:
        """Judge every decision.

        Args:
            rollout: The decisions.
            decay: Lambda of the advantages; see `trace_own` and `trace_all`.
            weights: What each part of the reward counts, shape ``(parts,)``.
        """
        steps, games, judged, _ = rollout.values[:-1].shape
        traces = np.zeros_like(rollout.values[:-1])
        complete = np.ones((steps, games), np.bool_)
        if judged == 1:
            trace_own(
                rollout.seats,
                rollout.ended,
                rollout.rewards,
                rollout.values,
                decay,
                traces,
                complete,
            )
        else:
            trace_all(rollout.mine, rollout.ended, rollout.rewards, rollout.values, decay, traces)
        self.rows = np.flatnonzero(rollout.mine & complete)
        seats = rollout.seats[:-1].reshape(-1)[self.rows]
        traces = from_seat(traces.reshape(-1, *traces.shape[2:])[self.rows], seats)
        values = rollout.values[:-1].reshape(-1, *traces.shape[1:])[self.rows]
        self.traces: NDArray[np.float32] = traces
        self.advantages: NDArray[np.float32] = traces[:, 0] @ weights
        self.returns: NDArray[np.float32] = from_seat(values, seats) + traces


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
        hints: How much hints on the way count now; 0 gives none.
        rollout: The decisions of the last call of `collect`.
    """

    def __init__(
        self, rules: RuleSet, n: int, steps: int, num_judged: int, guests: Guests | None, seed: int
    ) -> None:
        """Deal the games.

        Args:
            rules: What is played.
            n: Games side by side.
            steps: Decisions of each game in a rollout.
            num_judged: For how many seats the network judges at its largest table.
            guests: Who plays the seats that are not the learner's; nobody, they are all its own.
            seed: Decides the deals and what is drawn.
        """
        self.games = Games(rules, n, seed=seed, threads=1)
        self.played = 0
        self.hints = 0.0
        self._potential = Potential()
        self.rollout = Rollout.blank(self.games, steps, min(num_judged, rules.players))
        self._guests = guests
        self._generator = np.random.default_rng(seed)

    def collect(self, network: Thinker) -> Rollout:
        """Play on for a rollout."""
        into, games = self.rollout, self.games
        before = self._potential.of(games) if self.hints > 0 else None
        for step in range(len(into.actions)):
            self._decide(network, step)
            self._advance(step)
            if before is not None:
                before = self._hint(step, before)
        into.seats[-1] = games.turn
        into.values[-1] = to_seat(network.think(games.observations)[1], into.seats[-1])
        return into

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return arrays and plain values to go on from, between two rollouts."""
        games = self.games
        arrays: dict[str, NDArray[Any]] = {
            "states": _bytes_of(games),
            "seeds": games.seeds,
            "masks": games.masks,
            "num_legal": games.num_legal,
            "observations": games.observations,
        }
        return arrays, {"generator": self._generator.bit_generator.state, "played": self.played}

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        games = self.games
        _bytes_of(games)[:] = arrays["states"]
        games.seeds[:] = arrays["seeds"]
        games.masks[:] = arrays["masks"]
        games.num_legal[:] = arrays["num_legal"]
        games.observations[:] = arrays["observations"]
        self._generator.bit_generator.state = values["generator"]
        self.played = values["played"]

    def _decide(self, network: Thinker, step: int) -> None:
        """Choose an action in each game."""
        into, games = self.rollout, self.games
        into.observations[step] = games.observations
        into.masks[step] = np.packbits(games.masks, axis=1)
        into.seats[step] = games.turn
        into.mine[step] = True
        if self._guests is not None:
            into.mine[step] = self._guests.act(games, into.actions[step])
        rows = np.flatnonzero(into.mine[step])
        logits, values = network.think(games.observations[rows])
        actions, log_probs = draw(logits, games.masks[rows], self._generator)
        into.actions[step, rows] = actions
        into.log_probs[step, rows] = log_probs
        into.values[step, rows] = to_seat(values, into.seats[step, rows])

    def _hint(self, step: int, before: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pay every seat for how its position has changed; what all positions are worth now."""
        now = self._potential.of(self.games)
        later = np.where(self.rollout.ended[step][:, None], 0.0, now)
        self.rollout.rewards[step, :, :, 0] += self.hints * (later - before)
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
        shares = games.rewards + np.float32(1 / games.num_seats)
        into.rewards[step, rows, :, 0] = shares[rows]
        into.rewards[step, rows, :, 1] = margins(games.scores()[rows])
        self.played += len(rows)
        if self._guests is not None:
            self._guests.finish(ended, shares)
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
