"""Who did how well: each agent, each pairing, and any two candidates in each other's place."""

import itertools
import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from prico_env.arguments import instance, one_of
from prico_training.arena.game_table import GameTable
from prico_training.arena.sample_size import ALPHA, deals_to_tell
from prico_training.arena.statistics import (
    Estimate,
    as_p_value,
    as_points,
    bounded,
    counted,
    deal_means,
    deal_sums,
    holm,
    proportion,
    ratio,
    sign_flip,
)

IN_PLACE: Final = "in each other's place"
"""Both candidates played the same deals from the same seats against the same opponents."""
SAME_TABLE: Final = "at the same table"
"""Both candidates sat in the same games."""


@dataclass(frozen=True)
class Performance:
    """How an agent did at some tables."""

    agent: str
    """Whose figures these are."""
    opponent: str | None
    """Whose copies sat at the other seats; None for mixed tables and over all."""
    win_rate: Estimate
    """Share of the wins."""
    score: Estimate
    """Final score."""
    margin_best: Estimate
    """Score less the best of the others'."""
    margin_others: Estimate
    """Score less the mean of the others'."""
    rank: Estimate
    """Place, ties sharing the mean of theirs."""


@dataclass(frozen=True)
class Comparison:
    """Two candidates under the same conditions; differences are the first's less the second's."""

    first: str
    """The one candidate."""
    second: str
    """The other."""
    how: str
    """`IN_PLACE` or `SAME_TABLE`."""
    pairs: int
    """How many pairs of games, or games, were compared."""
    win_rate: Estimate
    """Difference of win rates."""
    score: Estimate
    """Difference of scores."""
    margin: Estimate
    """Difference of margins to the mean of the others."""
    p_value: float
    """Chance of such a difference of win rates if neither were better."""
    corrected: float
    """The same, corrected for looking at several comparisons (Holm)."""
    questions: int = 1
    """How many comparisons were looked at together."""

    def turned(self) -> "Comparison":
        """The same with the second candidate first."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            win_rate=self.win_rate.negated(),
            score=self.score.negated(),
            margin=self.margin.negated(),
        )

    @property
    def better(self) -> str | None:
        """Who is better, or None when it cannot be told."""
        if self.corrected >= ALPHA:
            return None
        return self.first if self.win_rate.mean > 0 else self.second

    @property
    def more_deals(self) -> int | None:
        """Deals more that would tell a difference as large as the one seen; None: nobody knows."""
        deals = deals_to_tell(self.win_rate, questions=self.questions)
        if deals is None:
            return None
        # The signs of fewer deals cannot make a p-value that is small enough.
        least = math.ceil(1 + math.log2(self.questions / ALPHA))
        return max(1, max(least, deals) - self.win_rate.deals)

    def __str__(self) -> str:
        gap = f"{as_points(self.win_rate)}, {as_p_value(self.corrected)}"
        if self.better is not None:
            worse = self.second if self.better == self.first else self.first
            return f"{self.better} is better than {worse} ({gap})"
        words = f"{self.first} and {self.second} cannot be told apart ({gap})"
        if self.more_deals is None:
            return words
        games = 2 if self.how == IN_PLACE else 1
        more = math.ceil(self.more_deals * games * self.pairs / self.win_rate.deals)
        return (
            f"{words}; about {counted(self.more_deals, 'more deal')} ({more:,} games of these two) "
            "would tell a difference as large as this"
        )


def matrix(table: GameTable) -> dict[tuple[str, str], Performance]:
    """Each agent alone among copies of each other one, as far as it was played."""
    check_table(table)
    found = {}
    for agent in range(len(table.agents)):
        sits = np.flatnonzero(table.alone & (table.table == agent))
        crowd = table.crowd.reshape(-1)[sits]
        for opponent in np.unique(crowd).tolist():
            names = table.agents[agent], table.agents[opponent]
            found[names] = _performance(table, *names, sits[crowd == opponent])
    return found


def check_table(table: object) -> None:
    """Refuse what is no table of games."""
    instance(table, GameTable, "games are compared in a GameTable")


def alone(table: GameTable) -> tuple[Performance, ...]:
    """Each agent over all its games alone among copies."""
    return _performances(table, table.alone)


def mixed(table: GameTable) -> tuple[Performance, ...]:
    """Each agent over its seats at mixed tables."""
    return _performances(table, ~table.spread(table.copies))


def own_seats(table: GameTable) -> np.ndarray:
    """Seats that tell of their agent: alone among copies, or at a mixed table, (games, seats).

    The copies that another agent is alone among are the measure, and not what is measured.
    """
    return table.alone | ~table.spread(table.copies)


def compare_all(table: GameTable) -> tuple[Comparison, ...]:
    """Compare any two agents that played under the same conditions, p-values by Holm."""
    pairs = itertools.combinations(range(len(table.agents)), 2)
    found = [one for pair in pairs if (one := _compare(table, *pair)) is not None]
    corrected = holm([one.p_value for one in found])
    return tuple(
        replace(one, corrected=p_value, questions=len(found))
        for one, p_value in zip(found, corrected, strict=True)
    )


def compare(table: GameTable, first: str, second: str) -> Comparison | None:
    """Compare two candidates; None when they never played under the same conditions."""
    return _compare(table, _number(table, first), _number(table, second))


def block_win_rates(table: GameTable, agent: str, opponent: str | None = None) -> np.ndarray:
    """An agent's win rate in each deal, as a sequential test wants it.

    Args:
        table: The games.
        agent: Whose share.
        opponent: Only alone among copies of this one; by default over all.

    Returns:
        One mean for each deal, in order of the deals, shape ``(deals,)``.
    """
    number = _number(table, agent)
    sits = own_seats(table) & (table.table == number)
    if opponent is not None:
        sits &= table.alone & (table.crowd == _number(table, opponent))
    return deal_means(table.wins[sits], table.spread(table.cluster)[sits])


def block_differences(table: GameTable, first: str, second: str) -> np.ndarray:
    """Difference of two candidates' shares in each deal, as a sequential test wants it."""
    one, other = _number(table, first), _number(table, second)
    here, there, _ = _conditions(table, one, other)
    differences = table.wins.reshape(-1)[here] - table.wins.reshape(-1)[there]
    return deal_means(differences, table.cluster[here // table.seats])


def _number(table: GameTable, agent: str) -> int:
    """The place of an agent in a table."""
    check_table(table)
    return table.agents.index(one_of(agent, table.agents, "agent"))


def _performances(table: GameTable, seats: np.ndarray) -> tuple[Performance, ...]:
    found = []
    for number, agent in enumerate(table.agents):
        sits = np.flatnonzero(seats & (table.table == number))
        if sits.size:
            found.append(_performance(table, agent, None, sits))
    return tuple(found)


def _performance(
    table: GameTable, agent: str, opponent: str | None, sits: np.ndarray
) -> Performance:
    """What is known of some seats, numbered through all games."""
    clusters = table.cluster[sits // table.seats]
    is_finished = table.finished[sits // table.seats]
    ended, clusters_ended = sits[is_finished], clusters[is_finished]

    def over_finished(column: np.ndarray) -> Estimate:
        return ratio(column.reshape(-1)[ended], clusters_ended)

    return Performance(
        agent,
        opponent,
        win_rate=proportion(table.wins.reshape(-1)[sits], clusters),
        score=over_finished(table.scores),
        margin_best=over_finished(table.margin_best),
        margin_others=over_finished(table.margin_others),
        rank=bounded(table.ranks.reshape(-1)[ended], clusters_ended, 1, table.seats),
    )


def _compare(table: GameTable, one: int, other: int) -> Comparison | None:
    here, there, how = _conditions(table, one, other)
    if not here.size:
        return None
    clusters = table.cluster[here // table.seats]
    is_finished = table.finished[here // table.seats] & table.finished[there // table.seats]

    def less(column: np.ndarray, which: np.ndarray) -> np.ndarray:
        flat = column.reshape(-1)
        return flat[here[which]] - flat[there[which]]

    wins = less(table.wins, np.ones(len(here), bool))
    p_value = sign_flip(deal_sums(wins, clusters)[0])
    return Comparison(
        first=table.agents[one],
        second=table.agents[other],
        how=how,
        pairs=len(here),
        win_rate=bounded(wins, clusters, -1.0, 1.0),
        score=ratio(less(table.scores, is_finished), clusters[is_finished]),
        margin=ratio(less(table.margin_others, is_finished), clusters[is_finished]),
        p_value=p_value,
        corrected=p_value,
    )


def _conditions(table: GameTable, one: int, other: int) -> tuple[np.ndarray, np.ndarray, str]:
    """Seats of one candidate and of another under the same conditions, numbered through all games.

    Conditions are the deal, the seat, and who sits where around it. Where each candidate meets the
    other, they are the same when the two change names.
    """
    keys = [_keys(table, candidate, rival) for candidate, rival in ((one, other), (other, one))]
    (here, here_keys), (there, there_keys) = keys
    _, at_here, at_there = np.intersect1d(here_keys, there_keys, return_indices=True)
    if at_here.size:
        return here[at_here], there[at_there], IN_PLACE
    return *_in_same_games(table, one, other), SAME_TABLE


def _keys(table: GameTable, candidate: int, rival: int) -> tuple[np.ndarray, np.ndarray]:
    """Seats where a candidate is its only copy, and a number for the conditions of each."""
    sits = np.flatnonzero((table.table == candidate) & (table.fellows == 1))
    around = table.table[sits // table.seats] + 2
    around[around == candidate + 2] = 0
    around[around == rival + 2] = 1
    keys = table.cluster[sits // table.seats].astype(object if _is_huge(table) else np.int64)
    for seat in range(table.seats):
        keys = keys * (len(table.agents) + 2) + around[:, seat]
    return sits, keys


def _is_huge(table: GameTable) -> bool:
    """Whether conditions have more numbers than fit into a machine word."""
    return bool(table.deals * (len(table.agents) + 2) ** table.seats >= np.iinfo(np.int64).max)


def _in_same_games(table: GameTable, one: int, other: int) -> tuple[np.ndarray, np.ndarray]:
    """The seats of two candidates in the games where each sits once."""
    ones, others = ((table.table == who) & (table.fellows == 1) for who in (one, other))
    both = ones.any(axis=1) & others.any(axis=1)
    games = np.flatnonzero(both)
    first, second = (games * table.seats + seat[both].argmax(axis=1) for seat in (ones, others))
    return first, second
