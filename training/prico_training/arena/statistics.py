"""Estimates that say how sure they are, with the deal and not the game as the independent unit.

All games of one deal share its luck, so they are no independent witnesses. An interval here looks
only at how the sums of whole deals differ from each other.
"""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from prico_env.arguments import flag, instance, number, numbers, whole, whole_numbers
from prico_env.errors import PricoError

LEVEL: Final = 0.95
"""Chance that an interval holds the truth."""
NORMAL_95: Final = 1.959964
"""Half-width of a 95% interval, in standard errors that are known exactly."""
CAUTION: Final = 1
"""Deals, imagined, whose games are independent, beside those that were played.

They count only where the real deals differ less. A few deals may agree by chance as if the games
of each made up for its luck entirely, but playing a deal from every seat was measured to leave
0.46 to 0.90 of the variance of independent games.
"""
LEAST_SHOWN: Final = 0.001
"""Smaller p-values are not told apart in words."""
TOO_FEW: Final = "too few deals for an interval"
"""What is said where there is no interval; in tables it is shorter."""
FLIPS: Final = 10_000
"""Sign patterns tried by the permutation test where there are more than this."""

_FLIPS_AT_ONCE: Final = 500
_FLIPPED_ALONE: Final = 5000
"""Deals beyond this number are flipped in groups, which costs no validity and next to no power."""
_MOST: Final = 1e18
"""More games than anybody plays."""
_MOST_DEALS: Final = 100_000_000
"""Deals are counted in an array of as many numbers."""
_MOST_DIGITS: Final = 15
_ROUNDING: Final = 1e-9
_NOTHING: Final = 1e-15
"""A variance below this is that of rounding."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95% interval."""

    mean: float
    """The estimate; NaN when nothing was observed."""
    low: float = math.nan
    """Lower end of the interval; NaN with fewer than two deals."""
    high: float = math.nan
    """Upper end of the interval; NaN with fewer than two deals."""
    standard_error: float = math.nan
    """Standard error; NaN with fewer than two deals."""
    count: int = 0
    """How many seats or games it is the mean of."""
    deals: int = 0
    """How many deals these are from."""

    @property
    def has_interval(self) -> bool:
        """Whether there were deals enough for one."""
        return not math.isnan(self.low) and not math.isnan(self.high)

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    def contains(self, value: float) -> bool:
        """Whether the interval holds a value."""
        return self.low <= value <= self.high

    def negated(self) -> "Estimate":
        """The same of a difference taken the other way round."""
        return dataclasses.replace(self, mean=-self.mean, low=-self.high, high=-self.low)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: what is not known is None."""
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in vars(self).items()
        }


NOTHING: Final = Estimate(math.nan)
"""What is known of something that was never seen."""


def t_quantile(deals: int) -> float:
    """Half-width of a 95% interval, in standard errors estimated from so many deals.

    It is the quantile of Student's distribution with one degree of freedom less than there are
    deals (Student, The Probable Error of a Mean, Biometrika 1908).
    """
    from scipy.special import stdtrit

    return float(stdtrit(deals - 1, (1 + LEVEL) / 2))


def ratio(
    values: np.ndarray,
    clusters: np.ndarray,
    weights: np.ndarray | None = None,
    strata: np.ndarray | None = None,
) -> Estimate:
    """The mean of values, or a ratio of two sums, whose independent units are deals.

    It is the ratio estimator for clusters of unequal size (Cochran, Sampling Techniques, 3rd ed.,
    1977, sections 6.3 and 9A.1): with ``z`` the sum over a deal of ``value - ratio * weight``, the
    variance is ``C / (C - 1) * sum(z ** 2) / sum(weight) ** 2`` for ``C`` deals, with `CAUTION`
    where these are few. The interval uses Student's quantile. Deals that were not drawn from one
    pool, but so many from each stratum, differ from the mean of their stratum alone (the same,
    section 5.3), and each stratum costs a degree of freedom.

    Args:
        values: What is summed above the line, shape ``(count,)``.
        clusters: Number of the deal, from 0, shape ``(count,)``.
        weights: What is summed below the line, shape ``(count,)``; by default 1 each.
        strata: Number of the stratum, from 0, shape ``(count,)``, each with several deals; by
            default all are from one.
    """
    values, clusters, weights, strata = _columns(values, clusters, weights, strata)
    sums, sizes = deal_sums(values, clusters, weights)
    total = sizes.sum()
    if total <= 0:
        return NOTHING
    mean, deals = float(sums.sum() / total), len(sums)
    if deals == 1:
        return Estimate(mean, count=len(values), deals=1)
    error = _error(values, clusters, weights, strata, mean)
    half = t_quantile(_free(deals, strata)) * error
    return Estimate(mean, mean - half, mean + half, error, len(values), deals)


def proportion(
    values: np.ndarray,
    clusters: np.ndarray,
    weights: np.ndarray | None = None,
    strata: np.ndarray | None = None,
) -> Estimate:
    """A win rate, between 0 and 1, whose independent units are deals.

    It is Wilson's interval (JASA 1927) for as many games as would give the same variance if they
    were independent, with Student's quantile in place of the normal one (Dean and Pagano,
    Evaluating Confidence Interval Methods for Binomial Proportions in Clustered Surveys, 2015).
    So it stays inside 0 and 1 and does not shrink to nothing at either. A share that is exactly 0
    or 1 says nothing of how alike the games of a deal are: then each deal counts once.

    Args:
        values: Victories, shape ``(count,)``.
        clusters: Number of the deal, from 0, shape ``(count,)``.
        weights: How many games each is of, shape ``(count,)``; by default one.
        strata: As in :func:`ratio`.
    """
    values, clusters, weights, strata = _columns(values, clusters, weights, strata)
    sums, sizes = deal_sums(values, clusters, weights)
    games, deals = float(sizes.sum()), len(sums)
    if games <= 0:
        return NOTHING
    mean = min(1.0, max(0.0, float(sums.sum()) / games))
    if deals == 1:
        return Estimate(mean, count=round(games), deals=1)
    spread = mean * (1 - mean)
    variance = _error(values, clusters, weights, strata, mean) ** 2
    size = spread / variance if min(spread, variance) > _NOTHING else float(deals)
    low, high = wilson(mean, size, t_quantile(_free(deals, strata)))
    return Estimate(mean, low, high, math.sqrt(spread / size), round(games), deals)


def bounded(
    values: np.ndarray,
    clusters: np.ndarray,
    least: float,
    most: float,
    strata: np.ndarray | None = None,
) -> Estimate:
    """The mean of values between two bounds, whose independent units are deals.

    It is that of :func:`ratio`, cut off at the bounds. When all values are the same, as many deals
    as could have hidden from the sample (Wilson's upper end for a share of 0) may be at a bound.

    Args:
        values: Such as places, or differences of shares, shape ``(count,)``.
        clusters: Number of the deal, from 0, shape ``(count,)``.
        least: The lowest value there is.
        most: The highest value there is.
        strata: As in :func:`ratio`.
    """
    seen = ratio(values, clusters, strata=strata)
    if not seen.has_interval:
        return seen
    low, high = seen.low, seen.high
    if seen.standard_error**2 < _NOTHING:
        _, hidden = wilson(0.0, seen.deals, t_quantile(seen.deals))
        low, high = (seen.mean + hidden * (bound - seen.mean) for bound in (least, most))
    return dataclasses.replace(seen, low=max(least, low), high=min(most, high))


def wilson(mean: float, size: float, quantile: float = NORMAL_95) -> tuple[float, float]:
    """Endings of Wilson's interval for a share seen in so many independent games (JASA 1927)."""
    mean = number(mean, "a share", 0, 1)
    size = number(size, "the number of games", 1 / _MOST, _MOST)
    square = number(quantile, "a quantile", 0, _MOST) ** 2
    middle = (mean + square / (2 * size)) / (1 + square / size)
    half = math.sqrt(square) / (1 + square / size)
    half *= math.sqrt(mean * (1 - mean) / size + square / (4 * size**2))
    return max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half))


def design_effect(values: np.ndarray, clusters: np.ndarray) -> float:
    """Variance of a mean against that of as many independent games (Kish, Survey Sampling, 1965).

    Below 1 the games of a deal make up for each other's luck, above 1 they share it. NaN when
    that cannot be seen: with one deal, or when all values are the same.
    """
    variance, independent, deals = _variance(values, clusters, None, None, float(np.mean(values)))
    return variance / independent if deals > 1 and independent > _NOTHING else math.nan


def deal_sums(
    values: np.ndarray, clusters: np.ndarray, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of values and of weights over each deal that occurs, each shape ``(deals,)``."""
    clusters = np.asarray(clusters)
    if clusters.size == 0:
        return np.zeros(0), np.zeros(0)
    occurs = np.bincount(clusters) > 0
    sums = np.bincount(clusters, weights=np.asarray(values, float))[occurs]
    sizes = np.bincount(clusters, weights=weights)[occurs]
    return sums, sizes.astype(float)


def deal_means(values: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """The mean of each deal that occurs, by its number, shape ``(deals,)``."""
    sums, sizes = deal_sums(values, clusters)
    return sums / sizes


def sign_flip(sums: np.ndarray, seed: int = 0) -> float:
    """How often chance alone would give a sum at least as far from 0: a two-sided p-value.

    If neither candidate is better, each deal's difference may as well have the other sign
    (Fisher, The Design of Experiments, 1935, section 21). All patterns of signs are tried when
    there are few enough, else `FLIPS` random ones, the one that happened counted among them
    (Phipson and Smyth, Permutation P-values Should Never Be Zero, 2010).

    Args:
        sums: Difference of each deal, shape ``(deals,)``.
        seed: Of the random patterns.
    """
    sums = sums[sums != 0]  # the sign of nothing changes nothing
    if not len(sums):
        return 1.0
    bound = abs(sums.sum()) - _ROUNDING * np.abs(sums).sum()
    if 2 ** len(sums) <= FLIPS:
        bits = (np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums))) & 1
        return float((np.abs((1 - 2 * bits) @ sums) >= bound).mean())
    chance = np.random.default_rng(seed)
    sums = np.bincount(chance.permutation(len(sums)) % _FLIPPED_ALONE, weights=sums)
    extreme = 1
    for _ in range(0, FLIPS, _FLIPS_AT_ONCE):
        signs = chance.integers(0, 2, (_FLIPS_AT_ONCE, len(sums)), np.int8)
        flipped = 2 * (signs.astype(float) @ sums) - sums.sum()
        extreme += int((np.abs(flipped) >= bound).sum())
    return extreme / (FLIPS + 1)


def holm(p_values: Sequence[float], tests: int | None = None) -> list[float]:
    """P-values corrected for looking at several (Holm, A Simple Sequentially Rejective, 1979).

    Args:
        p_values: One for each question.
        tests: How many questions could have been asked; by default those that were.
    """
    questions = len(p_values) if tests is None else tests
    corrected = [1.0] * len(p_values)
    largest = 0.0
    ordered = sorted(range(len(p_values)), key=lambda place: p_values[place])
    for done, place in enumerate(ordered):
        largest = max(largest, min(1.0, (questions - done) * p_values[place]))
        corrected[place] = largest
    return corrected


def as_percentage(estimate: Estimate) -> str:
    """A share in words: ``61.2% [55.0%, 67.0%]``."""
    return _in_words(_checked(estimate), "{:z.1%}")


def as_number(estimate: Estimate, digits: int = 1, signed: bool = False) -> str:
    """A mean in words: ``+3.4 [+1.1, +5.7]``."""
    digits = whole(digits, "the number of digits", 0, _MOST_DIGITS)
    sign = "+" if flag(signed, "signed") else ""
    return _in_words(_checked(estimate), f"{{:{sign}z.{digits}f}}")


def as_points(estimate: Estimate) -> str:
    """A difference of shares in percentage points: ``+3.1 [+0.2, +6.0] points``."""
    names = ("mean", "low", "high")
    hundredfold = Estimate(*(100 * getattr(estimate, name) for name in names))
    return f"{_in_words(hundredfold, '{:+z.1f}')} points"


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "deal"), counted(2000, "deal")
    ('1 deal', '2,000 deals')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def as_p_value(p_value: float) -> str:
    """A p-value in words: ``p = 0.021``, or ``p < 0.001``."""
    return f"p < {LEAST_SHOWN}" if p_value < LEAST_SHOWN else f"p = {p_value:.2g}"


def _columns(
    values: Any, clusters: Any, weights: Any, strata: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray | None]:
    """Values, their deals, and weights and strata if there are any, as arrays of one length."""
    values = numbers(values, "values")
    clusters = whole_numbers(clusters, "deals", values.shape) if len(values) else np.zeros(0, int)
    if strata is not None:
        strata = whole_numbers(strata, "strata", values.shape)
    if len(clusters) and not 0 <= clusters.min() <= clusters.max() <= _MOST_DEALS:
        raise PricoError(
            "deals are numbered from 0; np.unique(deals, return_inverse=True)[1] numbers them"
        )
    weights = None if weights is None else numbers(weights, "weights", len(values))
    return values, clusters, weights, strata


def _free(deals: int, strata: np.ndarray | None) -> int:
    """How many deals of one stratum would leave as many degrees of freedom."""
    return deals if strata is None else deals - len(np.unique(strata)) + 1


def _variance(
    values: np.ndarray,
    clusters: np.ndarray,
    weights: np.ndarray | None,
    strata: np.ndarray | None,
    mean: float,
) -> tuple[float, float, int]:
    """Variance of a mean over deals, that of as many independent games, and how many deals."""
    residuals = values - mean * (1.0 if weights is None else weights)
    sums, sizes = deal_sums(residuals, clusters, weights)
    square = float(sizes.sum()) ** 2
    deals = len(sums)
    if strata is None:
        variance = deals / max(1, deals - 1) * float(sums @ sums) / square
    else:
        first_of_deal = np.unique(clusters, return_index=True)[1]
        variance = _within(sums, strata[first_of_deal]) / square
    return variance, float(residuals @ residuals) / square, deals


def _within(sums: np.ndarray, strata: np.ndarray) -> float:
    """The sum of the variances of strata, each times how many deals it has."""
    _, stratum, deals = np.unique(strata, return_inverse=True, return_counts=True)
    if deals.min() == 1:
        raise PricoError("each stratum needs two deals, else nobody knows how they differ")
    centred = sums - (np.bincount(stratum, sums) / deals)[stratum]
    return float((centred**2 * (deals / (deals - 1))[stratum]).sum())


def _error(
    values: np.ndarray,
    clusters: np.ndarray,
    weights: np.ndarray | None,
    strata: np.ndarray | None,
    mean: float,
) -> float:
    """Standard error of a mean, with `CAUTION`."""
    variance, independent, deals = _variance(values, clusters, weights, strata, mean)
    cautious = ((deals - 1) * variance + CAUTION * independent) / (deals - 1 + CAUTION)
    return math.sqrt(max(variance, cautious))


def _checked(estimate: object) -> Estimate:
    return instance(estimate, Estimate, "what is put into words is an Estimate")


def _in_words(estimate: Estimate, shape: str) -> str:
    if math.isnan(estimate.mean):
        return "-"
    ends = "too few deals"
    if estimate.has_interval:
        ends = f"{shape.format(estimate.low)}, {shape.format(estimate.high)}"
    return f"{shape.format(estimate.mean)} [{ends}]"
