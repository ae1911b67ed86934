"""Advantages and returns for self-play: every seat is credited for its own decisions alone.

In a game of several players the decisions of the seats are mixed in time, and most of what a seat
is paid arrives while somebody else is to act: whoever makes the last move, all are paid then. So
the transitions of a seat lead from one of *its own* decisions to its next, or to the end of the
game. Let ``t`` count the decisions of one seat in one game, ``r[t]`` be all that the seat was paid
from decision ``t`` until it decides again, and ``V[t]`` its value there, 0 behind the end. Then

- ``delta[t] = r[t] + gamma * V[t + 1] - V[t]`` is the error of the value,
- ``A[t] = delta[t] + gamma * gae_lambda * A[t + 1]`` is the advantage, GAE(gamma, lambda), and
- ``A[t] + V[t]`` is the return, which a value head learns

(Schulman, Moritz, Levine, Jordan and Abbeel 2016, "High-Dimensional Continuous Control Using
Generalized Advantage Estimation", section 3). Games end, and pay at the end, so ``gamma`` is 1
unless it is given; it discounts from one own decision to the next.

Everything takes rollouts as a batch makes them, of ``steps`` steps of ``n`` games, and goes through
them once, compiled. Games may follow one another within a rollout (a row where ``ended`` is true is
the last of its game), and may have various numbers of players.

>>> import numpy as np
>>> from prico_env import Games, RuleSet
>>> from prico_env.selfplay import gae
>>> steps, n = 400, 8
>>> games = Games(RuleSet(players=3), n, seed=7, autoreset=True)
>>> values, seats = np.zeros((steps + 1, n), np.float32), np.zeros((steps + 1, n), np.int8)
>>> rewards, ended = np.zeros((steps, n, 3), np.float32), np.zeros((steps, n), np.bool_)
>>> for step in range(steps):
...     seats[step] = games.turn      # values[step] = what a network says of games.observations
...     games.step(games.sample())
...     rewards[step], ended[step] = games.rewards, games.ended
>>> seats[steps] = games.turn         # values[steps] likewise
>>> estimate = gae(rewards, values, seats, ended, gae_lambda=0.95)
>>> estimate.advantages.shape, estimate.complete.dtype
((400, 8), dtype('bool'))

"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from prico_env.arguments import as_array, number, truth_values, whole_numbers
from prico_env.core.jit import allocating_kernel, kernel
from prico_env.errors import PricoError

__all__ = ["Estimate", "gae", "gae_of_all_seats", "returns_to_go"]


class Estimate(NamedTuple):
    """What decisions were worth.

    Attributes:
        advantages: By how much each went better than its value said, float32; 0 where that is not
            known yet.
        returns: What a value head learns there, float32; the value itself where that is not known.
        complete: Where it is known, bool, shape ``(steps, n)``; learn from these rows only.
    """

    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]
    complete: NDArray[np.bool_]


def gae(
    rewards: ArrayLike,
    values: ArrayLike,
    seats: ArrayLike,
    ended: ArrayLike,
    *,
    gamma: float = 1.0,
    gae_lambda: float = 0.95,
    last_values: ArrayLike | None = None,
) -> Estimate:
    """Return generalised advantage estimates of each seat over its own decisions.

    Where the rollout cuts a game, the seat to act has its next decision there, and bootstraps from
    ``values[steps]``. When the other seats decide again, and what they see then, is not known yet:
    their last decisions in the rollout are not complete, and those before bootstrap from them. With
    ``last_values`` every seat bootstraps where the rollout ends, and every decision is complete.

    Args:
        rewards: What each step paid every seat, numbers, shape ``(steps, n, seats)``; or in several
            parts that have values of their own, shape ``(steps, n, seats, parts)``. A game with
            fewer players leaves the last seats at 0.
        values: What the seat to act expected for itself, shape ``(steps + 1, n)``, or
            ``(steps + 1, n, parts)``; the last row is that of the decisions still to come.
        seats: Which seat acted, integers, shape ``(steps + 1, n)``, the last row likewise; -1 where
            nobody did, as in the step in which Gymnasium's NEXT_STEP autoreset deals anew. Such
            rows are passed over.
        ended: Whether the step ended the game, bool, shape ``(steps, n)``; nothing reaches over an
            end. What a game that was cut off is still worth may be added to its last ``rewards``.
        gamma: Discount from one own decision to the next, from 0 to 1.
        gae_lambda: Weight of longer estimates, from 0, which trusts the next value, to 1, which
            trusts what was paid.
        last_values: What every seat expects where the rollout ends, of what
            ``games.observe(seats)`` shows it, shape ``(n, seats)`` or ``(n, seats, parts)``.

    Returns:
        Advantages and returns, of the shape of ``values`` without its last row.

    Raises:
        PricoError: An array has another shape or type, or names a seat that there is not.
    """
    paid, parts = _paid(rewards)
    steps, n, num_seats, num_parts = paid.shape
    expected = _floats(values, "values", (steps + 1, n, *parts))
    if last_values is None:
        last = np.zeros((0, num_seats, num_parts), np.float32)
    else:
        last = _floats(last_values, "last_values", (n, num_seats, *parts))
    advantages, complete = np.zeros_like(expected[:-1]), np.zeros((steps, n), np.bool_)
    _fill_gae(
        _seats(seats, (steps + 1, n), num_seats),
        _ends(ended, (steps, n)),
        paid,
        expected.reshape(steps + 1, n, num_parts),
        last.reshape(-1, num_seats, num_parts),
        *_factors(gamma, gae_lambda),
        advantages.reshape(steps, n, num_parts),
        complete,
    )
    return Estimate(advantages, advantages + expected[:-1], complete)


def gae_of_all_seats(
    rewards: ArrayLike,
    values: ArrayLike,
    ended: ArrayLike,
    *,
    counted: ArrayLike | None = None,
    gamma: float = 1.0,
    gae_lambda: float = 0.95,
) -> Estimate:
    """Return generalised advantage estimates of every seat over all positions.

    For a value head with an output for every seat. Each position then bootstraps from the very next
    one, whoever is to move there: ``t`` above counts positions. Every decision is complete, as the
    position where the rollout cuts a game has values of all seats.

    Args:
        rewards: As for :func:`gae`.
        values: What every seat expected at each position, numbers, shape ``(steps + 1, n, seats)``,
            or ``(steps + 1, n, seats, parts)``.
        ended: As for :func:`gae`.
        counted: Positions that count, bool, shape ``(steps, n)``. The others are passed over, and
            their values are not looked at. None counts all.
        gamma: Discount from one position that counts to the next, from 0 to 1.
        gae_lambda: As for :func:`gae`.

    Returns:
        Advantages and returns, of the shape of ``rewards``; ``complete`` is what counts.

    Raises:
        PricoError: An array has another shape or type.
    """
    paid, parts = _paid(rewards)
    steps, n, num_seats, _ = paid.shape
    expected = _floats(values, "values", (steps + 1, n, num_seats, *parts))
    counts = np.ones((steps, n), np.bool_)
    if counted is not None:
        counts[:] = truth_values(counted, "counted", (steps, n))
    advantages = np.zeros_like(expected[:-1])
    _fill_gae_of_all_seats(
        counts,
        _ends(ended, (steps, n)),
        paid,
        expected.reshape(steps + 1, *paid.shape[1:]),
        *_factors(gamma, gae_lambda),
        advantages.reshape(paid.shape),
    )
    return Estimate(advantages, advantages + expected[:-1], counts)


def returns_to_go(
    rewards: ArrayLike, seats: ArrayLike, ended: ArrayLike, *, gamma: float = 1.0
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return what each seat was paid from each of its decisions on, to the end of its game.

    The targets of REINFORCE, and of value heads that learn outcomes; no values are needed.

    Args:
        rewards: As for :func:`gae`.
        seats: Which seat acted, integers, shape ``(steps, n)``; -1 where nobody did.
        ended: As for :func:`gae`.
        gamma: Discount from one own decision to the next, from 0 to 1.

    Returns:
        The discounted sums, float32, shape ``(steps, n)`` or ``(steps, n, parts)``; and whether the
        game ended within the rollout, bool, shape ``(steps, n)``. Where it did not, the sum is of
        what was paid until then.

    Raises:
        PricoError: An array has another shape or type, or names a seat that there is not.
    """
    paid, parts = _paid(rewards)
    steps, n, num_seats, num_parts = paid.shape
    returns = np.zeros((steps, n, *parts), np.float32)
    complete = np.zeros((steps, n), np.bool_)
    _fill_returns(
        _seats(seats, (steps, n), num_seats),
        _ends(ended, (steps, n)),
        paid,
        number(gamma, "gamma", 0, 1),
        returns.reshape(steps, n, num_parts),
        complete,
    )
    return returns, complete


# -- compiled --------------------------------------------------------------------------------------


@allocating_kernel
def _fill_gae(  # noqa: PLR0913 - every array is one of its own
    seats: Any,
    ended: Any,
    rewards: Any,
    values: Any,
    last_values: Any,
    gamma: float,
    gae_lambda: float,
    advantages: Any,
    complete: Any,
) -> None:
    """Write what :func:`gae` returns; every array has parts, and no ``last_values`` no rows."""
    steps, games = ended.shape
    num_seats, parts = rewards.shape[2], rewards.shape[3]
    reward = np.zeros((num_seats, parts))
    next_value = np.zeros((num_seats, parts))
    advantage = np.zeros((num_seats, parts))
    known = np.zeros(num_seats, np.bool_)
    for game in range(games):
        reward[:] = 0.0
        next_value[:] = 0.0
        advantage[:] = 0.0
        known[:] = last_values.shape[0] > 0
        seat = seats[steps, game]
        if known[0]:
            next_value[:] = last_values[game]
        elif seat >= 0:
            known[seat] = True
            next_value[seat] = values[steps, game]
        for step in range(steps - 1, -1, -1):
            if ended[step, game]:
                reward[:] = 0.0
                next_value[:] = 0.0
                advantage[:] = 0.0
                known[:] = True
            for one in range(num_seats):
                for part in range(parts):
                    reward[one, part] += rewards[step, game, one, part]
            seat = seats[step, game]
            if seat < 0:
                continue
            complete[step, game] = known[seat]
            for part in range(parts):
                value = values[step, game, part]
                td_error = reward[seat, part] + gamma * next_value[seat, part] - value
                advantage[seat, part] = (
                    td_error + gamma * gae_lambda * advantage[seat, part] if known[seat] else 0.0
                )
                advantages[step, game, part] = advantage[seat, part]
                next_value[seat, part] = value
                reward[seat, part] = 0.0
            known[seat] = True


@kernel
def _fill_gae_of_all_seats(
    counted: Any,
    ended: Any,
    rewards: Any,
    values: Any,
    gamma: float,
    gae_lambda: float,
    advantages: Any,
) -> None:
    """Write what :func:`gae_of_all_seats` returns; every array has parts."""
    steps, games = ended.shape
    num_seats, parts = rewards.shape[2], rewards.shape[3]
    for game in range(games):
        for seat in range(num_seats):
            for part in range(parts):
                advantage, reward, next_value = 0.0, 0.0, values[steps, game, seat, part]
                for step in range(steps - 1, -1, -1):
                    if ended[step, game]:
                        advantage, reward, next_value = 0.0, 0.0, 0.0
                    reward += rewards[step, game, seat, part]
                    if counted[step, game]:
                        value = values[step, game, seat, part]
                        td_error = reward + gamma * next_value - value
                        advantage = td_error + gamma * gae_lambda * advantage
                        advantages[step, game, seat, part] = advantage
                        next_value = value
                        reward = 0.0


@allocating_kernel
def _fill_returns(
    seats: Any, ended: Any, rewards: Any, gamma: float, returns: Any, complete: Any
) -> None:
    """Write what :func:`returns_to_go` returns; every array has parts."""
    steps, games = ended.shape
    num_seats, parts = rewards.shape[2], rewards.shape[3]
    paid = np.zeros((num_seats, parts))
    discounted = np.zeros((num_seats, parts))
    for game in range(games):
        has_ended = False
        paid[:] = 0.0
        discounted[:] = 0.0
        for step in range(steps - 1, -1, -1):
            if ended[step, game]:
                has_ended = True
                paid[:] = 0.0
                discounted[:] = 0.0
            for one in range(num_seats):
                for part in range(parts):
                    paid[one, part] += rewards[step, game, one, part]
            seat = seats[step, game]
            if seat < 0:
                continue
            complete[step, game] = has_ended
            for part in range(parts):
                discounted[seat, part] = paid[seat, part] + gamma * discounted[seat, part]
                returns[step, game, part] = discounted[seat, part]
                paid[seat, part] = 0.0


# -- what is handed in -----------------------------------------------------------------------------


def _paid(rewards: ArrayLike) -> tuple[NDArray[np.float32], tuple[int, ...]]:
    """Return rewards with parts, and the parts that they came with: their number, or nothing."""
    given = as_array(rewards)
    if given.ndim not in (3, 4) or given.dtype.kind not in "iuf" or not given.size:
        raise PricoError(
            "rewards are numbers of shape (steps, games, seats), perhaps with a last axis of "
            f"parts, not {given.dtype} of shape {given.shape}; `rewards` of Games has them for "
            "each step"
        )
    parts = given.shape[3:]
    return np.ascontiguousarray(given, np.float32).reshape(*given.shape[:3], -1), parts


def _floats(values: ArrayLike, what: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    given = as_array(values)
    if given.shape != shape or given.dtype.kind not in "iuf":
        raise PricoError(
            f"{what} are numbers of shape {shape}, as rewards are given, not {given.dtype} of "
            f"shape {given.shape}"
        )
    return np.ascontiguousarray(given, np.float32)


def _seats(seats: ArrayLike, shape: tuple[int, ...], num_seats: int) -> NDArray[np.int64]:
    chosen = whole_numbers(seats, "seats", shape)
    if chosen.min() < -1 or chosen.max() >= num_seats:
        raise PricoError(
            f"seats are 0 to {num_seats - 1}, as rewards have {num_seats}, or -1 where nobody "
            f"acted, not {chosen.min()} to {chosen.max()}"
        )
    return chosen


def _ends(ended: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.ascontiguousarray(truth_values(ended, "ended", shape))


def _factors(gamma: float, gae_lambda: float) -> tuple[float, float]:
    return number(gamma, "gamma", 0, 1), number(gae_lambda, "gae_lambda", 0, 1)
