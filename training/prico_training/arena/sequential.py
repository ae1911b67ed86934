"""A test that may stop as soon as it knows: is a win rate rather p0 or rather p1?

A test that looks after every chunk of games and stops at the first small p-value claims too much.
This one may be asked at any time.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from prico_env.errors import PricoError

ACCEPT_H0: Final = "accept H0"
ACCEPT_H1: Final = "accept H1"
GO_ON: Final = "go on"
LEAST_BLOCKS: Final = 10
"""Deals before the first verdict: fewer do not show how much deals differ."""

_CAUTION: Final = 1
"""Deals, imagined, whose games count as a single one; they keep a first few from looking alike."""
_NOTHING: Final = 1e-12


class SequentialError(PricoError):
    """A sequential test that cannot decide anything."""


@dataclass(frozen=True)
class Verdict:
    """What a sequential test says so far."""

    decision: str
    """`ACCEPT_H0`, `ACCEPT_H1` or `GO_ON`."""
    log_ratio: float
    """Log of how much likelier H1 makes the scores than H0 does."""
    low: float
    """At or below this it accepts H0."""
    high: float
    """At or above this it accepts H1."""
    blocks: int
    """Deals looked at."""
    mean: float
    """Their mean score."""

    @property
    def is_final(self) -> bool:
        """Whether no more games are needed."""
        return self.decision != GO_ON

    def __str__(self) -> str:
        return (
            f"{self.decision} after {self.blocks} deals: mean {self.mean:.3f}, log-likelihood "
            f"ratio {self.log_ratio:+.2f} between {self.low:.2f} and {self.high:+.2f}"
        )


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of H0, the true mean is at most p0, against H1, it is at least p1.

    Wald's test (Sequential Tests of Statistical Hypotheses, 1945) stops when the log-likelihood
    ratio leaves ``log(beta / (1 - alpha))`` to ``log((1 - beta) / alpha)``. Chess engines are
    tested so on pairs of games with one opening (Van den Bergh, A Practical Introduction to the
    GSPRT, 2019): what is independent, there the pair and here the deal, enters as one score, and
    its spread is measured. Here the ratio is that of independent games, divided by the measured
    design effect of a deal (quasi-likelihood: McCullagh and Nelder, Generalized Linear Models,
    1989, chapter 9), which holds its error rates near shares of 0 and 1, where the normal
    approximation of the GSPRT does not. Looking only between chunks makes errors rarer.
    """

    p0: float
    """The mean score that is not good enough."""
    p1: float
    """The mean score that is."""
    alpha: float = 0.05
    """Chance to accept H1 when the mean is p0."""
    beta: float = 0.05
    """Chance to accept H0 when the mean is p1."""
    least: float = 0.0
    """The least score there is: 0 for shares, -1 for differences of shares."""

    def __post_init__(self) -> None:
        if not self.least < self.p0 < self.p1 < 1:
            raise SequentialError(
                f"a test of {self.p0:g} against {self.p1:g} decides nothing: the first must be "
                f"the smaller, and both between {self.least:g} and 1"
            )
        if not 0 < self.alpha < 1 or not 0 < self.beta < 1 or self.alpha + self.beta >= 1:
            raise SequentialError(
                f"chances of error of {self.alpha:g} and {self.beta:g} make no test: both must be "
                "above 0, and their sum below 1; 0.05 each is usual"
            )

    @classmethod
    def of_difference(
        cls, d0: float = 0.0, d1: float = 0.05, alpha: float = 0.05, beta: float = 0.05
    ) -> "Sprt":
        """A test of the difference of two candidates' shares, see `comparisons.block_differences`.

        Args:
            d0: The difference that is not good enough.
            d1: The difference that is.
            alpha: Chance to accept H1 when the difference is d0.
            beta: Chance to accept H0 when the difference is d1.
        """
        return cls(d0, d1, alpha, beta, least=-1.0)

    @property
    def low(self) -> float:
        """At or below this log-likelihood ratio it accepts H0."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def high(self) -> float:
        """At or above this log-likelihood ratio it accepts H1."""
        return math.log((1 - self.beta) / self.alpha)

    def decide(self, block_scores: np.ndarray) -> Verdict:
        """Say what is known now; ask again when there are more deals.

        Args:
            block_scores: The mean score of each deal so far, shape ``(deals,)``.
        """
        scores = np.asarray(block_scores, float)
        blocks = len(scores)
        if blocks == 0:
            return Verdict(GO_ON, 0.0, self.low, self.high, 0, math.nan)
        mean = float(scores.mean())
        log_ratio = blocks * self._gain(mean) / self._effect(scores)
        decision = GO_ON
        if blocks >= LEAST_BLOCKS and log_ratio >= self.high:
            decision = ACCEPT_H1
        elif blocks >= LEAST_BLOCKS and log_ratio <= self.low:
            decision = ACCEPT_H0
        return Verdict(decision, log_ratio, self.low, self.high, blocks, mean)

    def expected_blocks(self, effect: float) -> tuple[int, int]:
        """How many deals it takes on average when the mean is p0, and when it is p1 (Wald, 1945).

        Args:
            effect: Variance of a deal's score against that of a single game: about 1 over the
                games of a deal.
        """
        if_worse = self.alpha * self.high + (1 - self.alpha) * self.low
        if_better = (1 - self.beta) * self.high + self.beta * self.low
        found = effect * if_worse / self._gain(self.p0), effect * if_better / self._gain(self.p1)
        return max(LEAST_BLOCKS, math.ceil(found[0])), max(LEAST_BLOCKS, math.ceil(found[1]))

    def _gain(self, mean: float) -> float:
        """Log-likelihood ratio of one independent game with this mean score."""
        share, share0, share1 = (self._as_share(value) for value in (mean, self.p0, self.p1))
        return share * math.log(share1 / share0) + (1 - share) * math.log(
            (1 - share1) / (1 - share0)
        )

    def _effect(self, scores: np.ndarray) -> float:
        """Variance of a deal's score against that of a single game."""
        shares = self._as_share(scores)
        mean = float(shares.mean())
        spread = mean * (1 - mean)
        if spread < _NOTHING:
            return 1.0
        residual = float(((shares - mean) ** 2).sum())
        return (residual / spread + _CAUTION) / (len(scores) - 1 + _CAUTION)

    def _as_share(self, score: Any) -> Any:
        """Scores moved and stretched so that they run from 0 to 1."""
        return (score - self.least) / (1 - self.least)
