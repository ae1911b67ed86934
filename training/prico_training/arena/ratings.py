"""One number for each agent and each seat, from how everybody was placed in every game.

The model is that of Plackett (The Analysis of Permutations, 1975) and Luce (Individual Choice
Behavior, 1959): the first place goes to a seat with a chance in proportion to its strength, the
second to one of the rest in the same way, and so on. The log of a seat's strength is a term for its
agent plus a term for the seat.
"""

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from prico_training.arena.game_table import GameTable
from prico_training.arena.statistics import Estimate, t_quantile

RESAMPLES: Final = 200
"""Times the deals are drawn anew for the intervals."""
LEAST_DEALS: Final = 5
"""Fewer deals cannot be drawn anew in enough ways to show how much chance matters."""
RIDGE: Final = 0.1
"""How strongly terms are drawn to 0: as if each came from a normal distribution of this precision.

It matters only where the games leave a distance open, because one side never lost.
"""
ELO_PER_UNIT: Final = 400 / math.log(10)
"""Elo points in one unit of the log scale: 400 points are odds of ten to one (Elo, 1978)."""
ELO_CENTRE: Final = 1500.0
"""Elo points of the mean agent."""

_PRECISE: Final = 1e-7
_TAIL: Final = 2.5
"""Percent of resamples beyond either end of an interval."""


@dataclass(frozen=True)
class Rating:
    """How strong an agent is."""

    agent: str
    """Whose rating it is."""
    elo: Estimate
    """On a scale where 400 points are odds of ten to one to be placed before an equal seat."""
    log_strength: Estimate
    """The same on the natural scale, 0 for the mean agent."""
    best_place: int
    """Best place among the agents that resampled deals give it, 1 the first."""
    worst_place: int
    """Worst place among the agents that resampled deals give it."""
    p_above_next: float | None
    """Share of resampled deals that put it above the next one; None for the last."""
    bound: str = ""
    """``"at most"`` for an agent that was never placed before those the scale is centred on, ``"at
    least"`` for one that never was behind, ``"unknown"`` for one that shares no game with them:
    the games cannot say how far. Else empty."""


@dataclass(frozen=True)
class SeatTerm:
    """How much a seat helps among equals."""

    seat: int
    """0 is the first governor."""
    log_strength: Estimate
    """On the natural scale, 0 for the mean seat."""
    win_rate: Estimate
    """Chance to win with this seat when everybody plays alike."""


@dataclass(frozen=True)
class Ratings:
    """Agents and seats on one scale."""

    agents: tuple[Rating, ...]
    """Best first."""
    seats: tuple[SeatTerm, ...]
    """By their number."""
    games: int
    """Games with a winner."""
    deals: int
    """Deals of these games."""

    def of(self, agent: str) -> Rating:
        """The rating of an agent."""
        return next(line for line in self.agents if line.agent == agent)

    def win_rate_alone(self, agent: str, opponent: str) -> float:
        """The win rate it expects for one alone among copies, over all seats."""
        gap = self.of(agent).log_strength.mean - self.of(opponent).log_strength.mean
        terms = np.exp([term.log_strength.mean for term in self.seats])
        own = terms * math.exp(gap)
        return float((own / (own + terms.sum() - terms)).mean())


def rate(table: GameTable, resamples: int = RESAMPLES, seed: int = 0) -> Ratings | None:
    """Rate all agents and seats from every game that has a winner.

    Intervals are Student's, with the standard error from drawing the deals anew (Efron and
    Tibshirani, An Introduction to the Bootstrap, 1993, chapter 6; the deals as clusters: Davison
    and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8), enlarged by
    ``sqrt(D / (D - 1))`` for ``D`` deals; there are none with less than `LEAST_DEALS`.

    Args:
        table: The games.
        resamples: Times the deals are drawn anew.
        seed: Of these draws.

    Returns:
        The ratings; None when no game with a winner has different agents.
    """
    games = np.flatnonzero(table.decided & (table.fellows < table.seats).any(axis=1))
    if not games.size:
        return None
    likelihood = Likelihood(table, games)
    num, deals = likelihood.num_agents, likelihood.num_deals
    best = likelihood.fit(likelihood.counts(), np.zeros(num + table.seats))
    draws = np.empty((0, len(best)))
    if deals >= LEAST_DEALS:
        weights = resample(deals, resamples, seed)
        draws = np.array([likelihood.fit(likelihood.counts(drawn), best) for drawn in weights])
    names = [table.agents[agent] for agent in likelihood.present]
    linked = reach(table, games)[np.ix_(likelihood.present, likelihood.present)]
    return Ratings(
        _lines(names, linked, best[:num], draws[:, :num], deals),
        _seat_terms(best[num:], draws[:, num:], deals),
        len(games),
        deals,
    )


def resample(deals: int, resamples: int = RESAMPLES, seed: int = 0) -> np.ndarray:
    """How often each deal is drawn when deals are drawn anew, shape ``(resamples, deals)``."""
    chance = np.random.default_rng(seed)
    return chance.multinomial(deals, np.full(deals, 1 / deals), size=resamples)


class Likelihood:
    """The log-likelihood of places, from counts instead of games.

    Whoever is placed next is chosen from those who are left. So all that matters of a game is who
    sat where, and which sets of seats were left at some time. Every seat is chosen once. Seats that
    share a place were chosen in some order: its log-likelihood is the mean over all of them.
    """

    def __init__(self, table: GameTable, games: np.ndarray) -> None:
        """Count the games given by their rows."""
        seated, which = np.unique(table.table[games], axis=0, return_inverse=True)
        present, renamed = np.unique(seated, return_inverse=True)
        self.present = present
        """Agents that play, as places in ``table.agents``."""
        self.num_agents = len(present)
        self._seated = renamed.reshape(seated.shape)
        deals, self._deal = np.unique(table.cluster[games], return_inverse=True)
        self.num_deals = len(deals)
        orders, order = np.unique(table.places[games], axis=0, return_inverse=True)
        self._left = np.array([sets_left(tuple(places)) for places in orders.tolist()])
        self._cell = which.reshape(-1) * len(orders) + order.reshape(-1)
        self._members = subsets(table.seats)

    def counts(self, deal_weights: np.ndarray | None = None) -> np.ndarray:
        """How often each set of seats was left at each table, shape ``(tables, sets)``.

        Args:
            deal_weights: How often each deal counts, shape ``(deals,)``; by default once.
        """
        weights = None if deal_weights is None else deal_weights[self._deal].astype(float)
        num_cells = len(self._seated) * len(self._left)
        cells = np.bincount(self._cell, weights=weights, minlength=num_cells)
        return cells.reshape(len(self._seated), -1) @ self._left

    def fit(self, counts: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Find the terms that make the counts likeliest; agents and seats sum to 0 each.

        The search is L-BFGS (Liu and Nocedal, 1989) with the exact gradient. The likelihood is
        concave, so it finds the one best answer (Hunter, MM Algorithms for Generalized
        Bradley-Terry Models, 2004).

        Args:
            counts: See :meth:`counts`.
            start: Terms to begin with: of agents, then of seats.
        """
        from scipy.optimize import minimize

        scale = max(1.0, float(counts[:, -1].sum()))  # the last set is that of all seats

        def loss(terms: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient = self.log_likelihood(terms, counts)
            value -= RIDGE / 2 * float(terms @ terms)
            return -value / scale, (RIDGE * terms - gradient) / scale

        options = {"ftol": 0.0, "gtol": _PRECISE}
        terms = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
        return self._centred(terms)

    def log_likelihood(self, terms: np.ndarray, counts: np.ndarray) -> tuple[float, np.ndarray]:
        """The log-likelihood of counts and its gradient.

        Args:
            terms: Of agents, then of seats, shape ``(num_agents + seats,)``.
            counts: See :meth:`counts`.
        """
        of_agents, of_seats = terms[: self.num_agents], terms[self.num_agents :]
        utility = of_agents[self._seated] + of_seats
        highest = utility.max(axis=1, keepdims=True)
        strength = np.exp(utility - highest)
        left = strength @ self._members.T
        games = counts[:, -1:]
        value = (games * utility).sum() - (counts * (np.log(left) + highest)).sum()
        by_seat = games - strength * ((counts / left) @ self._members)
        agents = np.bincount(self._seated.ravel(), by_seat.ravel(), self.num_agents)
        return float(value), np.concatenate([agents, by_seat.sum(axis=0)])

    def _centred(self, terms: np.ndarray) -> np.ndarray:
        agents, seats = terms[: self.num_agents], terms[self.num_agents :]
        return np.concatenate([agents - agents.mean(), seats - seats.mean()])


@functools.cache
def subsets(seats: int) -> np.ndarray:
    """Every set of seats but the empty one, as rows of 0 and 1; the last is that of all."""
    numbers = np.arange(1, 1 << seats)
    return ((numbers[:, None] >> np.arange(seats)) & 1).astype(float)


def sets_left(places: Sequence[int]) -> np.ndarray:
    """How often each set of seats was left while places were given out, shape ``(sets,)``.

    Seats that share a place are taken in every order, each with the same weight: a set with ``j``
    of ``k`` such seats left occurs in one of ``comb(k, j)`` orders.

    >>> sets_left([1, 2]).tolist()  # left were: seat 1 alone, and both
    [0.0, 1.0, 1.0]
    >>> sets_left([1, 1]).tolist()
    [0.5, 0.5, 1.0]
    """
    counts = np.zeros((1 << len(places)) - 1)
    for place in sorted(set(places)):
        tied = [seat for seat, own in enumerate(places) if own == place]
        behind = sum(1 << seat for seat, own in enumerate(places) if own > place)
        for number in range(1, len(tied) + 1):
            for chosen in itertools.combinations(tied, number):
                left = behind + sum(1 << seat for seat in chosen)
                counts[left - 1] += 1 / math.comb(len(tied), number)
    return counts


def reach(table: GameTable, games: np.ndarray) -> np.ndarray:
    """Whether an agent was placed before another, directly or by way of others, shape (K, K).

    Where that holds one way only, the likelihood has no best distance of the two: the more the
    better (Hunter, 2004, assumption 1).

    Args:
        table: The games.
        games: Rows of those that count.
    """
    num = len(table.agents)
    reached = np.eye(num, dtype=bool)
    agents, places = table.table[games], table.places[games]
    for one, other in itertools.permutations(range(table.seats), 2):
        ahead = places[:, one] <= places[:, other]
        reached[agents[ahead, one], agents[ahead, other]] = True
    for middle in range(num):
        reached |= reached[:, middle : middle + 1] & reached[middle]
    return reached


def _main_group(linked: np.ndarray, agents: np.ndarray) -> np.ndarray:
    """Mark the most agents whose distances the games determine, the stronger of two such groups."""
    both = linked & linked.T
    return max(both, key=lambda group: (group.sum(), agents[group].mean()))


def _bound(reaches_main: bool, main_reaches: bool) -> str:
    """What the games say of an agent's distance to the main group."""
    if reaches_main and main_reaches:
        return ""
    if main_reaches:
        return "at most"
    return "at least" if reaches_main else "unknown"


def _lines(
    names: Sequence[str], linked: np.ndarray, agents: np.ndarray, draws: np.ndarray, deals: int
) -> tuple[Rating, ...]:
    """The lines of the agents, best first."""
    main = _main_group(linked, agents)
    centre = int(np.flatnonzero(main)[0])
    draws = draws - draws[:, main].mean(axis=1, keepdims=True)
    agents = agents - agents[main].mean()
    ranks = (draws[:, None, :] > draws[:, :, None]).sum(axis=2) + 1
    order = np.argsort(-agents, kind="stable").tolist()
    lines = []
    for place, number in enumerate(order, start=1):
        log = _interval(agents[number], draws[:, number], deals)
        p_above_next = None
        if place < len(order) and len(draws):
            p_above_next = float((draws[:, number] > draws[:, order[place]]).mean())
        lines.append(
            Rating(
                agent=names[number],
                elo=_elo(log),
                log_strength=log,
                best_place=_percentile(ranks[:, number], _TAIL, place),
                worst_place=_percentile(ranks[:, number], 100 - _TAIL, place),
                p_above_next=p_above_next,
                bound=_bound(linked[number, centre], linked[centre, number]),
            )
        )
    return tuple(lines)


def _seat_terms(seats: np.ndarray, draws: np.ndarray, deals: int) -> tuple[SeatTerm, ...]:
    wins, win_draws = _even_shares(seats), _even_shares(draws)
    return tuple(
        SeatTerm(
            seat,
            _interval(seats[seat], draws[:, seat], deals),
            _share_interval(wins[seat], win_draws[:, seat], deals),
        )
        for seat in range(len(seats))
    )


def _interval(value: float, draws: np.ndarray, deals: int) -> Estimate:
    if len(draws) < 2:  # noqa: PLR2004
        return Estimate(float(value), deals=deals)
    error = float(draws.std(ddof=1)) * math.sqrt(deals / (deals - 1))
    half = t_quantile(deals) * error
    return Estimate(float(value), float(value) - half, float(value) + half, error, deals=deals)


def _share_interval(value: float, draws: np.ndarray, deals: int) -> Estimate:
    """The interval of a share, from that of its log odds, so that it stays between 0 and 1."""
    odds = _interval(math.log(value / (1 - value)), np.log(draws / (1 - draws)), deals)
    mean, low, high = (1 / (1 + math.exp(-end)) for end in (odds.mean, odds.low, odds.high))
    return Estimate(mean, low, high, odds.standard_error * mean * (1 - mean), deals=deals)


def _elo(log: Estimate) -> Estimate:
    def points(value: float) -> float:
        return ELO_CENTRE + ELO_PER_UNIT * value

    error = ELO_PER_UNIT * log.standard_error
    return Estimate(points(log.mean), points(log.low), points(log.high), error, deals=log.deals)


def _even_shares(seats: np.ndarray) -> np.ndarray:
    strengths = np.exp(seats)
    return strengths / strengths.sum(axis=-1, keepdims=True)


def _percentile(values: np.ndarray, percent: float, otherwise: int) -> int:
    if not len(values):
        return otherwise
    return int(np.percentile(values, percent, method="nearest"))
