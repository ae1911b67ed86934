"""How many games a question takes: before a tournament from theory, after one from its spread."""

import math
from typing import Final

from prico_env.arguments import number, whole
from prico_env.catalog.model import PLAYER_COUNTS
from prico_training.arena.statistics import NORMAL_95, Estimate

POWER: Final = 0.8
"""Chance to notice a difference that is there."""
ALPHA: Final = 0.05
"""Chance to claim a difference that is not there."""
_LEAST: Final = 1e-6
"""The least share that is told from nothing."""
_MOST_EFFECT: Final = 1e6
"""The largest design effect that means anything."""


def games_needed(
    half_width: float, players: int = 4, share: float | None = None, effect: float = 1.0
) -> int:
    """Games for a 95% interval of a win rate that is so narrow.

    It is ``1.96 ** 2 * share * (1 - share) / half_width ** 2`` independent games (Cochran,
    Sampling Techniques, 3rd ed., 1977, section 4.4), times the design effect.

    >>> games_needed(0.02, players=4), games_needed(0.02, players=2)
    (1801, 2401)

    Args:
        half_width: Half the length of the interval: 0.02 is 2 percentage points either way.
        players: Seats of the game.
        share: About what share is expected; by default an even one.
        effect: Variance against that of independent games, as a pilot measured it; see
            `statistics.design_effect`.
    """
    half_width = number(half_width, "half the length of an interval", _LEAST, 1)
    players = whole(players, "the number of players", PLAYER_COUNTS[0], PLAYER_COUNTS[-1])
    expected = 1 / players if share is None else number(share, "a share", 0, 1)
    effect = number(effect, "the design effect", 0, _MOST_EFFECT)
    return math.ceil(effect * NORMAL_95**2 * expected * (1 - expected) / half_width**2)


def deals_needed(pilot: Estimate, half_width: float) -> int | None:
    """Deals for a 95% interval that is so narrow, if deals differ as they did in a pilot.

    Args:
        pilot: What a tournament of the same line-ups measured.
        half_width: Half the length of the interval that is wanted.

    Returns:
        Deals in all, those of the pilot among them; None when the pilot cannot tell.
    """
    if not math.isfinite(pilot.standard_error):
        return None
    return max(2, math.ceil(pilot.deals * (NORMAL_95 * pilot.standard_error / half_width) ** 2))


def games_to_tell(
    difference: float,
    share: float,
    correlation: float = 0.0,
    effect: float = 1.0,
    power: float = POWER,
) -> int:
    """Games of each of two candidates to notice a difference of their win rates.

    It is ``(z(1 - alpha / 2) + z(power)) ** 2 * 2 * share * (1 - share) * (1 - correlation)``
    over the square of the difference (Fleiss, Statistical Methods for Rates and Proportions, 1981,
    section 3.2, without the correction for continuity).

    Args:
        difference: What shall be noticed: 0.03 is 3 percentage points.
        share: About what share both have.
        correlation: Of two games on the same deal, seat and opponents with either candidate. 0 if
            they play different ones; about 0.19 was measured for the same ones.
        effect: Variance against that of independent games.
        power: Chance to notice it.
    """
    difference = number(abs(number(difference, "a difference")), "a difference", _LEAST, 1)
    share = number(share, "a share", 0, 1)
    effect = number(effect, "the design effect", 0, _MOST_EFFECT)
    power = number(power, "power", _LEAST, 1 - _LEAST)
    spread = 2 * share * (1 - share) * (1 - number(correlation, "a correlation", -1, 1))
    return math.ceil(
        effect * (_normal(1 - ALPHA / 2) + _normal(power)) ** 2 * spread / difference**2
    )


def power_to_tell(
    games: int, difference: float, share: float, correlation: float = 0.0, effect: float = 1.0
) -> float:
    """Chance to notice a difference with so many games of each of two candidates.

    It is :func:`games_to_tell` the other way round.
    """
    from scipy.special import ndtr

    variance = effect * 2 * share * (1 - share) * (1 - correlation) / games
    return float(ndtr(abs(difference) / math.sqrt(variance) - _normal(1 - ALPHA / 2)))


def deals_to_tell(
    seen: Estimate, difference: float | None = None, questions: int = 1, power: float = POWER
) -> int | None:
    """Deals to notice a difference, if deals differ as they did in a comparison.

    Args:
        seen: The difference and its standard error in that comparison.
        difference: What shall be noticed; by default a difference as large as the one seen.
        questions: How many comparisons are looked at together.
        power: Chance to notice it.

    Returns:
        Deals in all, those of the comparison among them; None when it cannot tell.
    """
    wanted = seen.mean if difference is None else difference
    if not wanted or not math.isfinite(seen.standard_error) or not math.isfinite(wanted):
        return None
    errors = _normal(1 - ALPHA / (2 * questions)) + _normal(power)
    return max(2, math.ceil(seen.deals * (errors * seen.standard_error / wanted) ** 2))


def _normal(chance: float) -> float:
    """Quantile of the normal distribution."""
    from scipy.special import ndtri

    return float(ndtri(chance))
