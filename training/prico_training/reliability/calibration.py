"""How well forecasts of a win agree with how often it came: calibration of win probabilities."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_training.arena.statistics import Estimate, bounded, proportion
from prico_training.arena.summary import plain
from prico_training.reliability.forecasts import Forecasts

BINS: Final = 10
"""Bins of equal width that forecasts fall into."""
STAGES: Final[Mapping[str, tuple[int, float]]] = {
    "rounds 1 to 5": (1, 5),
    "rounds 6 to 10": (6, 10),
    "rounds 11 and later": (11, math.inf),
}
"""Thirds of a game: their first and their last round."""


@dataclass(frozen=True)
class Bin:
    """Forecasts between two bounds.

    Attributes:
        low: The lower bound.
        high: The upper bound, which belongs to the next bin, and to the last one itself.
        count: How many forecasts there are.
        games: From how many games.
        forecast: Their mean.
        won: The share of the win that came, with its 95 % interval by deals.
    """

    low: float
    high: float
    count: int
    games: int
    forecast: float
    won: Estimate


@dataclass(frozen=True)
class Calibration:
    """How forecasts for some seats agree with the shares of the win that these got.

    All that compares looks at each forecast by itself: this seat wins, or it does not.

    Attributes:
        count: How many forecasts there are.
        games: From how many games.
        forecast: Their mean.
        won: The mean share of the win.
        excess: Mean forecast less mean share, with its 95 % interval by deals; above 0 the network
            over-rates these seats.
        log_loss: Cross entropy in nat: the mean of ``-(y log f + (1 - y) log(1 - f))`` over
            forecasts ``f`` and shares ``y``.
        even_log_loss: The same of always saying an even share.
        brier: The Brier score: the mean of ``(f - y) ** 2``.
        even_brier: The same of always saying an even share.
        reliability: With ``n_k`` forecasts in bin ``k``, whose means are ``f_k`` and ``y_k``:
            ``sum(n_k * (f_k - y_k) ** 2) / n``. The Brier score is this less the resolution and
            plus the uncertainty, but for what forecasts of a bin differ (Murphy, A New Vector
            Partition of the Probability Score, 1973).
        resolution: ``sum(n_k * (y_k - y) ** 2) / n``, ``y`` being the mean of all.
        uncertainty: The variance of the shares; ``y * (1 - y)`` where nobody ties.
        calibration_error: Expected calibration error: ``sum(n_k * abs(f_k - y_k)) / n`` (Guo et
            al., On Calibration of Modern Neural Networks, 2017).
        bins: The reliability table: the bins that hold forecasts.
    """

    count: int
    games: int
    forecast: float
    won: float
    excess: Estimate
    log_loss: float
    even_log_loss: float
    brier: float
    even_brier: float
    reliability: float
    resolution: float
    uncertainty: float
    calibration_error: float
    bins: tuple[Bin, ...]


@dataclass(frozen=True)
class Measures:
    """How forecasts at some decisions agree with the outcomes.

    Attributes:
        decisions: How many decisions they were made at.
        games: In how many games.
        log_loss: Cross entropy of the shares of all seats together in nat: the mean over decisions
            of ``-sum(y * log(f))`` over the seats.
        even_log_loss: The same of always saying an even share, ``log(seats)``.
        own: For the seat that sees.
        others: For the others.
    """

    decisions: int
    games: int
    log_loss: float
    even_log_loss: float
    own: Calibration
    others: Calibration


@dataclass(frozen=True)
class Reliability:
    """How reliable the win probabilities of a network are among some opponents.

    Attributes:
        policy: What tables call the network.
        opponents: Who sat at the other seats, by turns.
        deals: Deals of each rule set, each played from every seat.
        seed: The first of them.
        every: Of so many decisions of a game one was noted.
        whole: Everything together.
        stages: By the third of the game, those that have decisions; see `STAGES`.
        rule_sets: By the name of the rule set.
    """

    policy: str
    opponents: tuple[str, ...]
    deals: int
    seed: int
    every: int
    whole: Measures
    stages: Mapping[str, Measures]
    rule_sets: Mapping[str, Measures]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: what is not known is None."""
        found: dict[str, Any] = plain(self)
        return found


def measure(forecasts: Sequence[Forecasts]) -> Measures:
    """Compare forecasts, of one rule set or several, with the outcomes."""
    losses = np.concatenate([-_x_log_y(each.shares, each.forecasts).sum(1) for each in forecasts])
    evens = np.concatenate([
        np.full(len(each.games), math.log(each.rules.players)) for each in forecasts
    ])  # fmt: skip
    return Measures(
        decisions=len(losses),
        games=sum(len(np.unique(each.games)) for each in forecasts),
        log_loss=float(losses.mean()),
        even_log_loss=float(evens.mean()),
        own=_calibration(forecasts, slice(0, 1)),
        others=_calibration(forecasts, slice(1, None)),
    )


def measure_stages(forecasts: Sequence[Forecasts]) -> dict[str, Measures]:
    """The same in each third of the games that has decisions; see `STAGES`."""
    found = {}
    for name, (first, last) in STAGES.items():
        parts = [each.where((first <= each.rounds) & (each.rounds <= last)) for each in forecasts]
        parts = [each for each in parts if len(each.games)]
        if parts:
            found[name] = measure(parts)
    return found


def _calibration(forecasts: Sequence[Forecasts], seats: slice) -> Calibration:
    """Compare forecasts for some seats, the one that sees being 0, with their shares."""
    said, won, even, games, deals = _columns(forecasts, seats)
    numbers = np.minimum((said * BINS).astype(np.int64), BINS - 1)
    bins = []
    for number in np.unique(numbers).tolist():
        inside = numbers == number
        bins.append(
            Bin(
                low=number / BINS,
                high=(number + 1) / BINS,
                count=int(inside.sum()),
                games=len(np.unique(games[inside])),
                forecast=float(said[inside].mean()),
                won=proportion(won[inside], deals[inside]),
            )
        )
    weights = np.array([each.count for each in bins]) / len(said)
    means = np.array([each.forecast for each in bins])
    shares = np.array([each.won.mean for each in bins])
    return Calibration(
        count=len(said),
        games=len(np.unique(games)),
        forecast=float(said.mean()),
        won=float(won.mean()),
        excess=bounded(said - won, deals, -1, 1),
        log_loss=_log_loss(said, won),
        even_log_loss=_log_loss(even, won),
        brier=float(((said - won) ** 2).mean()),
        even_brier=float(((even - won) ** 2).mean()),
        reliability=float(weights @ (means - shares) ** 2),
        resolution=float(weights @ (shares - won.mean()) ** 2),
        uncertainty=float(won.var()),
        calibration_error=float(weights @ np.abs(means - shares)),
        bins=tuple(bins),
    )


def _columns(forecasts: Sequence[Forecasts], seats: slice) -> tuple[NDArray[Any], ...]:
    """Forecast, share of the win, even share, game and deal, a row for each seat and decision."""
    columns, first_game, first_deal = [], 0, 0
    for each in forecasts:
        said = each.forecasts[:, seats]
        width = said.shape[1]
        columns.append((
            said.ravel(),
            each.shares[:, seats].ravel(),
            np.full(said.size, 1 / each.rules.players),
            np.repeat(each.games + first_game, width),
            np.repeat(each.deals + first_deal, width),
        ))  # fmt: skip
        first_game += int(each.games.max()) + 1
        first_deal += int(each.deals.max()) + 1
    return tuple(np.concatenate(column) for column in zip(*columns, strict=True))


def _log_loss(said: NDArray[np.float64], won: NDArray[np.float64]) -> float:
    return float(-(_x_log_y(won, said) + _x_log_y(1 - won, 1 - said)).mean())


def _x_log_y(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """``x * log(y)``, and 0 where ``x`` is 0: what did not come cost nothing."""
    from scipy.special import xlogy

    product: NDArray[np.float64] = xlogy(x, y)
    return product
