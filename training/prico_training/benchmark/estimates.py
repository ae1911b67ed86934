"""What a suite says of a candidate: estimates with intervals whose independent unit is the deal."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_training.arena.ratings import ELO_PER_UNIT
from prico_training.arena.statistics import NOTHING, Estimate, bounded, proportion, ratio
from prico_training.benchmark.suite_games import COLUMNS, Cell
from prico_training.benchmark.suites import Suite

ALL: Final = "all"
"""The group of everything."""
HELD_OUT: Final = "held out"
"""The group of the rule sets that are not for training."""
IN_TRAINING: Final = "not held out"
"""The group of all others."""
MEASURES: Final = ("win_rate", "rating", "rank", "lead")
"""What is estimated of each group."""
_SIXTIETHS: Final = 60
_STEPS: Final = 100
_FARTHEST: Final = 60.0
"""On the natural scale; no win rate that can be told from 0 or 1 lies beyond."""
_DIGITS: Final = 6


class Group(NamedTuple):
    """Games that are estimated together."""

    name: str
    rules: tuple[int, ...]
    """Places of rule sets in the suite."""
    opponents: tuple[str, ...]
    """Whose copies surround the candidate."""


class GroupEstimate(NamedTuple):
    """What is known of a candidate in a group of games."""

    win_rate: Estimate
    """Share of the win; ties share it."""
    rating: Estimate
    """Elo points above the opponents; see :func:`rating_of`."""
    rank: Estimate
    """Mean place, 1 the best; those who tie share the mean of theirs."""
    lead: Estimate
    """Score minus the best of the others, where games were played."""
    even: float
    """The win rate of play as good as the opponents'."""


def groups_of(suite: Suite) -> Iterator[Group]:
    """The groups that a suite is reported in."""
    every = tuple(range(len(suite.rule_sets)))
    yield Group(ALL, every, suite.all_opponents)
    for opponent in suite.all_opponents:
        there = tuple(n for n in every if opponent in suite.opponents(suite.rule_sets[n]))
        yield Group(f"against {opponent}", there, (opponent,))
    if suite.held_out:
        held = tuple(n for n in every if suite.rule_sets[n] in suite.held_out)
        yield Group(HELD_OUT, held, suite.all_opponents)
        rest = tuple(n for n in every if suite.rule_sets[n] not in suite.held_out)
        yield Group(IN_TRAINING, rest, suite.all_opponents)
    counts = sorted({rules.players for rules in suite.rule_sets})
    for players in counts if len(counts) > 1 else ():
        there = tuple(n for n in every if suite.rule_sets[n].players == players)
        yield Group(f"{players} players", there, suite.all_opponents)


def estimate(
    suite: Suite, deals: int, sums: Mapping[Cell, NDArray[np.int64]], group: Group
) -> GroupEstimate:
    """Estimate how a candidate does in a group of games.

    Every rule set counts the same, and in it every opponent, seat and deal. The deals of a rule set
    are a stratum. A rule set without sums is one that the candidate refused: it counts as lost, in
    the last place, and not for the lead.

    Args:
        suite: What was played.
        deals: Deals of each rule set.
        sums: `COLUMNS` by deals of each cell, shape ``(columns, deals)``.
        group: Which games.
    """
    wins, ranks, leads, seats = [], [], [], []
    for number in group.rules:
        rules = suite.rule_sets[number]
        seats.append(rules.players)
        there = [
            sums[cell]
            for name in suite.opponents(rules)
            if name in group.opponents and (cell := Cell(number, name)) in sums
        ]
        if not there:
            wins.append(np.zeros(deals))
            ranks.append(np.full(deals, float(rules.players)))
            continue
        means = np.mean(there, axis=0) / rules.players
        wins.append(means[COLUMNS.index("wins_60ths")] / _SIXTIETHS)
        ranks.append(means[COLUMNS.index("ranks_halves")] / 2)
        leads.append(means[COLUMNS.index("leads")])
    win_rate = _over_deals(wins, lambda of, deals, strata: proportion(of, deals, strata=strata))
    return GroupEstimate(
        win_rate=win_rate,
        rating=rating_of(win_rate, seats),
        rank=_over_deals(
            ranks, lambda of, deals, strata: bounded(of, deals, 1, max(seats), strata)
        ),
        lead=_over_deals(leads, lambda of, deals, strata: ratio(of, deals, strata=strata))
        if leads
        else NOTHING,
        even=float(np.mean([1 / players for players in seats])),
    )


def _over_deals(
    rows: Sequence[NDArray[np.float64]], estimator: Callable[..., Estimate]
) -> Estimate:
    """Estimate a mean from the means of deals, a row for each rule set."""
    values = np.concatenate(rows)
    strata = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    several = min(len(row) for row in rows) > 1
    return estimator(values, np.arange(len(values)), strata if several else None)


def rating_of(win_rate: Estimate, seats: Sequence[int]) -> Estimate:
    """The Elo points above the opponents that a win rate tells of: a performance rating.

    Of one alone among ``n - 1`` copies, with odds of ``10 ** (points / 400)`` to be placed before
    an equal (Elo, The Rating of Chessplayers, 1978; Luce, Individual Choice Behavior, 1959), the
    model expects a win rate of ``odds / (odds + n - 1)``, on several tables their mean. 0 is as
    good as the opponents of the suite; the ends are those of the win rate's interval.

    >>> round(rating_of(Estimate(0.5), [4]).mean)
    191
    """
    mean, low, high = (
        _points(share, seats) for share in (win_rate.mean, win_rate.low, win_rate.high)
    )
    return Estimate(mean, low, high, count=win_rate.count, deals=win_rate.deals)


def _points(share: float, seats: Sequence[int]) -> float:
    if math.isnan(share):
        return math.nan
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    others = np.asarray(seats, float) - 1
    low, high = -_FARTHEST, _FARTHEST
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if float(np.mean(1 / (1 + others * math.exp(-middle)))) < share:
            low = middle
        else:
            high = middle
    return ELO_PER_UNIT * (low + high) / 2


def summarise_deals(
    suite: Suite, deals: int, sums: Mapping[Cell, NDArray[np.int64]]
) -> dict[str, dict[str, Any]]:
    """Every estimate of every group, as plain values: mean and both ends, None where unknown."""
    page: dict[str, dict[str, Any]] = {}
    for group in groups_of(suite):
        found = estimate(suite, deals, sums, group)
        page[group.name] = {
            **{name: _plain(getattr(found, name)) for name in MEASURES},
            "even": round(found.even, _DIGITS),
            "rule_sets": len(group.rules),
        }
    return page


def _plain(one: Estimate) -> list[float | None]:
    values = (one.mean, one.low, one.high)
    return [round(value, _DIGITS) if math.isfinite(value) else None for value in values]
