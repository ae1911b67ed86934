"""Is one number for each agent enough, or does A beat B, B beat C, and C beat A?"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from prico_training.arena.game_table import GameTable
from prico_training.arena.ratings import LEAST_DEALS, RIDGE, resample
from prico_training.arena.statistics import Estimate, holm, proportion

MOST_AGENTS: Final = 60
"""With more agents the cycles of three are not looked for: there are too many."""

_EVEN: Final = 0.5
_NOTHING: Final = 1e-12
_STEPS: Final = 100
_PRECISE: Final = 1e-9


@dataclass(frozen=True)
class HeadToHead:
    """How often an agent is placed before another when both sit at a table."""

    agent: str
    """The one that is more often ahead."""
    other: str
    """The other one."""
    ahead: Estimate
    """Share of the pairs of seats where it is ahead; a shared place counts half."""
    p_value: float
    """Two-sided, against an even share."""
    corrected: float
    """The same, corrected for looking at all pairs (Holm)."""


@dataclass(frozen=True)
class Cycle:
    """Three agents of which each is more often ahead of the next than behind it."""

    agents: tuple[str, str, str]
    """In order: each beats the next, and the last the first."""
    min_share: float
    """The smallest share of the three by which one is ahead of the next."""
    bootstrap_support: float
    """Share of resampled deals in which all three hold; NaN with few deals."""
    p_value: float
    """Chance that one of the three only seems so, corrected for all cycles that could have been
    found (Holm). All three must hold, so the largest of their p-values counts (Berger,
    Multiparameter Hypothesis Testing and Acceptance Sampling, 1982)."""


@dataclass(frozen=True)
class BradleyTerryFit:
    """How well one number for each agent explains who is placed before whom."""

    explained_deviance: float
    """Share of the deviance from "all are equal" that one number for each agent explains; a free
    number for each pair explains all of it."""
    max_residual: float
    """Largest distance of a pair's share to what the numbers say."""
    pair: tuple[str, str]
    """That pair."""
    predicted: float
    """What the numbers say of its share."""
    measured: float
    """Its share."""
    p_value: float
    """Chance of residuals as large as these if one number were enough; NaN when there are too few
    deals to tell."""
    degrees_of_freedom: int
    """How many free numbers the pairs have beyond one for each agent."""


@dataclass(frozen=True)
class Transitivity:
    """Who beats whom, and whether that puts the agents in one order."""

    head_to_head: tuple[HeadToHead, ...]
    """Every pair that met."""
    cycles: tuple[Cycle, ...]
    """Cycles of three among the shares as measured, most certain first."""
    bradley_terry: BradleyTerryFit | None
    """How well one number for each agent fits; None when that cannot be asked."""
    complete: bool
    """Whether every pair met and cycles were looked for."""


class PairwiseResults:
    """Sums over each deal of who was placed before whom.

    Attributes:
        pairs: The pairs that met, the first of each earlier in the table's names.
        ahead: Games of each deal and pair in which the first was ahead, ``(deals, pairs)``.
        games: Games of each deal and pair, ``(deals, pairs)``.
    """

    def __init__(self, table: GameTable) -> None:
        """Count every game that has a winner; its pairs of seats share one vote for each pair."""
        num = len(table.agents)
        rows = np.flatnonzero(table.decided)
        ids, ahead, weights, deals = [], [], [], []
        for one, other in itertools.combinations(range(table.seats), 2):
            first, second = table.table[rows, one], table.table[rows, other]
            differ = np.flatnonzero(first != second)
            chosen = rows[differ]
            first, second = first[differ], second[differ]
            steps = table.places[chosen, other] - table.places[chosen, one]
            wins = (1 + np.sign(steps)) / 2
            ids.append(np.minimum(first, second) * num + np.maximum(first, second))
            ahead.append(np.where(first < second, wins, 1 - wins))
            weights.append(1 / (table.fellows[chosen, one] * table.fellows[chosen, other]))
            deals.append(table.cluster[chosen])
        met, pair = np.unique(np.concatenate(ids), return_inverse=True)
        self.pairs = [divmod(one, num) for one in met.tolist()]
        cell = np.concatenate(deals) * len(met) + pair
        weight = np.concatenate(weights)
        shape = (table.deals, len(met))
        size = table.deals * len(met)
        votes = np.concatenate(ahead) * weight
        self.ahead = np.bincount(cell, votes, size).reshape(shape)
        self.games = np.bincount(cell, weight, size).reshape(shape)

    @property
    def shares(self) -> np.ndarray:
        """Share of its games in which the first of each pair was ahead."""
        return self.ahead.sum(axis=0) / self.games.sum(axis=0)

    def covariance(self) -> np.ndarray:
        """Covariance of the shares, deals being the independent units."""
        totals = self.games.sum(axis=0)
        residuals = (self.ahead - self.shares * self.games) / totals
        deals = len(residuals)
        return deals / (deals - 1) * residuals.T @ residuals


def check_transitivity(table: GameTable) -> Transitivity | None:
    """Ask whether who beats whom puts the agents in one order; None when none met another."""
    results = PairwiseResults(table)
    if not results.pairs:
        return None
    head_to_head = _head_to_head(table, results)
    num = len({agent for pair in results.pairs for agent in pair})
    complete = len(results.pairs) == math.comb(num, 2) and num <= MOST_AGENTS
    cycles = _cycles(table, results, head_to_head) if complete else ()
    return Transitivity(head_to_head, cycles, _bradley_terry(table, results), complete)


def _head_to_head(table: GameTable, results: PairwiseResults) -> tuple[HeadToHead, ...]:
    found = []
    for column, (one, other) in enumerate(results.pairs):
        games, ahead = results.games[:, column], results.ahead[:, column]
        if 2 * ahead.sum() < games.sum():
            one, other, ahead = other, one, games - ahead
        met = np.flatnonzero(games)
        estimate = proportion(ahead[met], met, games[met])
        found.append((table.agents[one], table.agents[other], estimate, against_even(estimate)))
    corrected = holm([p_value for *_, p_value in found])
    return tuple(HeadToHead(*one, p_value) for one, p_value in zip(found, corrected, strict=True))


def against_even(estimate: Estimate) -> float:
    """Two-sided p-value of a share against one half.

    It is the score test with the number of independent games behind the estimate (Wilson, 1927),
    and Student's distribution in place of the normal one; 1 when there was one deal only.
    """
    from scipy.special import stdtr

    if not estimate.has_interval:
        return 1.0
    spread = estimate.mean * (1 - estimate.mean)
    size = spread / estimate.standard_error**2 if estimate.standard_error > 0 else estimate.deals
    errors = abs(estimate.mean - _EVEN) / math.sqrt(_EVEN**2 / size)
    return float(2 * stdtr(estimate.deals - 1, -errors))


def _cycles(
    table: GameTable, results: PairwiseResults, head_to_head: Sequence[HeadToHead]
) -> tuple[Cycle, ...]:
    """Cycles of three in the shares as measured."""
    num = len(table.agents)
    column = np.full((num, num), -1)
    for place, (one, other) in enumerate(results.pairs):
        column[one, other] = column[other, one] = place
    present = sorted({agent for pair in results.pairs for agent in pair})
    shares = results.shares
    drawn = _drawn_shares(results)
    found = []
    for one, middle, last in itertools.combinations(present, 3):
        for cycle in ((one, middle, last), (one, last, middle)):
            edges = list(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
            columns = [column[edge] for edge in edges]
            turned = np.array([edge[0] > edge[1] for edge in edges])
            own = np.where(turned, 1 - shares[columns], shares[columns])
            if (own <= _EVEN).any():
                continue
            redrawn = np.where(turned, 1 - drawn[:, columns], drawn[:, columns])
            first, second, third = (table.agents[agent] for agent in cycle)
            bootstrap_support = (
                float((redrawn > _EVEN).all(axis=1).mean()) if len(drawn) else math.nan
            )
            p_value = max(head_to_head[place].p_value for place in columns) / 2
            found.append(
                Cycle((first, second, third), float(own.min()), bootstrap_support, p_value)
            )
    possible = 2 * math.comb(len(present), 3)
    corrected = holm([cycle.p_value for cycle in found], possible)
    cycles = [replace(cycle, p_value=p) for cycle, p in zip(found, corrected, strict=True)]
    return tuple(sorted(cycles, key=lambda cycle: (cycle.p_value, -cycle.min_share, cycle.agents)))


def _drawn_shares(results: PairwiseResults) -> np.ndarray:
    """The shares when deals are drawn anew, shape ``(resamples, pairs)``; none for few deals."""
    if len(results.games) < LEAST_DEALS:
        return np.empty((0, len(results.pairs)))
    weights = resample(len(results.games)).astype(float)
    games = weights @ results.games
    return np.divide(
        weights @ results.ahead, games, out=np.full(games.shape, np.nan), where=games > 0
    )


def _bradley_terry(table: GameTable, results: PairwiseResults) -> BradleyTerryFit | None:
    """Compare one number for each agent with a free number for each pair.

    One number each is the model of Bradley and Terry (Rank Analysis of Incomplete Block Designs,
    1952). The test is Wald's on the residuals, with their covariance over deals, referred to
    Hotelling's distribution (Rao and Scott, The Analysis of Categorical Data from Complex Sample
    Surveys, 1981, for why the plain chi-square of the deviance will not do).
    """
    present, ends = np.unique(np.array(results.pairs), return_inverse=True)
    ends = ends.reshape(-1, 2)
    design = np.zeros((len(ends), len(present)))
    rows = np.arange(len(ends))
    design[rows, ends[:, 0]], design[rows, ends[:, 1]] = 1.0, -1.0
    free = len(ends) - int(np.linalg.matrix_rank(design))
    if free == 0:
        return None
    games, shares = results.games.sum(axis=0), results.shares
    fitted = _fit_bradley_terry(design, games, shares)
    equal = np.full(len(ends), _EVEN)
    gaps = shares - fitted
    worst = int(np.abs(gaps).argmax())
    names = tuple(table.agents[agent] for agent in results.pairs[worst])
    predicted, measured = float(fitted[worst]), float(shares[worst])
    if measured < _EVEN:
        names, predicted, measured = names[::-1], 1 - predicted, 1 - measured
    deviance = _deviance(games, shares, equal)
    return BradleyTerryFit(
        explained_deviance=1 - _deviance(games, shares, fitted) / deviance
        if deviance > 0
        else math.nan,
        max_residual=abs(float(gaps[worst])),
        pair=(names[0], names[1]),
        predicted=predicted,
        measured=measured,
        p_value=_wald(design, results, fitted, free),
        degrees_of_freedom=free,
    )


def _fit_bradley_terry(design: np.ndarray, games: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """The shares that one number for each agent makes likeliest, by Newton's method."""
    terms = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        fitted = _logistic(design @ terms)
        gradient = design.T @ (games * (shares - fitted)) - RIDGE * terms
        weights = games * fitted * (1 - fitted)
        curvature = design.T @ (weights[:, None] * design) + RIDGE * np.eye(len(terms))
        step = np.linalg.solve(curvature, gradient)
        terms += step / max(1.0, float(np.abs(step).max()))  # no step beyond one unit
        if np.abs(step).max() < _PRECISE:
            break
    return _logistic(design @ terms)


def _wald(design: np.ndarray, results: PairwiseResults, fitted: np.ndarray, free: int) -> float:
    """Chance of residuals as large as these if one number for each agent were enough."""
    from scipy.special import fdtrc

    deals = len(results.games)
    if deals <= free + 1:
        return math.nan
    games = results.games.sum(axis=0)
    spread = fitted * (1 - fitted)
    curvature = design.T @ ((games * spread)[:, None] * design)
    influence = spread[:, None] * (design @ np.linalg.pinv(curvature, hermitian=True) @ design.T)
    left = np.eye(len(fitted)) - influence * games
    covariance = results.covariance()
    covariance[np.diag_indices_from(covariance)] += _unseen(results)
    residuals = results.shares - fitted
    values, vectors = np.linalg.eigh(left @ covariance @ left.T)
    along = residuals @ vectors[:, -free:]
    statistic = float((along**2 / np.maximum(values[-free:], _NOTHING)).sum())
    return float(fdtrc(free, deals - free, statistic * (deals - free) / (deals - 1) / free))


def _unseen(results: PairwiseResults) -> np.ndarray:
    """Variance of shares in which all deals agree, as if half a deal more had gone either way."""
    deals = (results.games > 0).sum(axis=0)
    is_same = np.diag(results.covariance()) < _NOTHING
    about = (results.shares * deals + _EVEN) / (deals + 1)
    return np.where(is_same, about * (1 - about) / deals, 0.0)


def _deviance(games: np.ndarray, shares: np.ndarray, fitted: np.ndarray) -> float:
    """Twice the log-likelihood that fitted shares lose against those measured."""
    ahead = np.where(shares > 0, shares * np.log(np.maximum(shares, _NOTHING) / fitted), 0.0)
    behind = 1 - shares
    lost = np.where(behind > 0, behind * np.log(np.maximum(behind, _NOTHING) / (1 - fitted)), 0.0)
    return float(2 * (games * (ahead + lost)).sum())


def _logistic(value: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-value))
