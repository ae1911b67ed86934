"""Everything a tournament says, as numbers: what the page, the tables and the plots show."""

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from prico_env.core.scoring import SCORE_PARTS
from prico_env.vocabulary import BUILDINGS, ROLES
from prico_training.arena.comparisons import (
    Comparison,
    Performance,
    alone,
    check_table,
    compare_all,
    matrix,
    mixed,
    own_seats,
)
from prico_training.arena.game_table import ENDS, OUTCOMES, GameTable
from prico_training.arena.match import what_failed
from prico_training.arena.ratings import Ratings, rate
from prico_training.arena.sample_size import deals_needed
from prico_training.arena.statistics import Estimate, design_effect, proportion, ratio
from prico_training.arena.transitivity import HeadToHead, Transitivity, check_transitivity

PRECISIONS: Final = (0.02, 0.01)
"""Half-widths of an interval that people ask for: 2 points and 1 point either way."""
QUARTILES: Final = (0, 25, 50, 75, 100)
"""Percentiles that tell how a figure is spread."""


@dataclass(frozen=True)
class HumanGames:
    """What people reached in tournaments, to hold figures of four-player games against."""

    games: int = 346
    """How many games were counted."""
    wins: tuple[float, ...] = (0.21, 0.17, 0.31, 0.31)
    """Win rate of each seat."""
    scores: tuple[int, int] = (41, 43)
    """Lowest and highest of the four seats' mean scores."""
    winners: tuple[int, int] = (36, 65)
    """Lowest and highest score that won a game."""


HUMANS: Final = HumanGames()


@dataclass(frozen=True)
class SeatResult:
    """How a seat did, over all agents or with one."""

    seat: int
    """0 is the first governor."""
    win_rate: Estimate
    """Share of the wins."""
    score: Estimate
    """Final score."""


@dataclass(frozen=True)
class Timing:
    """How long an agent thinks, and what it did that no agent may do."""

    agent: str
    """Whose figures these are."""
    milliseconds: Estimate
    """Time for a decision that left a choice."""
    decisions: float
    """Such decisions in a game."""
    seats: int
    """At how many seats it was watched, its copies' seats among them."""
    faults: dict[str, int]
    """How often each kind of fault happened."""
    games_broken: int
    """Games it broke."""


@dataclass(frozen=True)
class Endings:
    """How games ended; shares of end reasons are of the finished games."""

    outcomes: dict[str, Estimate]
    """Share of all games that were finished, truncated and broken."""
    reasons: dict[str, Estimate]
    """Share of the games in which each reason held; they overlap."""
    combinations: dict[str, float]
    """Share of the games with exactly these reasons, most frequent first."""


@dataclass(frozen=True)
class Distribution:
    """A figure of games as it is distributed."""

    mean: Estimate
    """Its mean."""
    percentiles: tuple[float, ...]
    """Least, lower quartile, median, upper quartile and greatest."""
    counts: dict[int, int]
    """How many games, or seats, have each value."""


@dataclass(frozen=True)
class Left:
    """What an agent leaves unused at the end of a finished game, and when that is.

    Staffing and purchases are not known of games of earlier versions, which do not count there.
    """

    rounds: Estimate
    """The round the game ended in."""
    coins: Estimate
    """Coins left."""
    barrels: Estimate
    """Barrels left."""
    coins_and_barrels: Estimate
    """Both together."""
    large_unstaffed: Estimate
    """Large buildings owned with nobody on them."""
    late: Estimate
    """Buildings bought in the last two rounds."""
    late_unstaffed: Estimate
    """Those of them that have circles and nobody on any."""


@dataclass(frozen=True)
class Behaviour:
    """What an agent does with its games."""

    agent: str
    """Whose behaviour it is."""
    scores: Distribution
    """Its final scores."""
    points: dict[str, float]
    """Its mean points from each source."""
    roles: dict[str, float]
    """How often it took each role in a game, on average."""
    role_shares: dict[str, Estimate]
    """Share of each role in all that it took."""
    buildings: dict[str, float]
    """Share of its games in which it bought each building that anybody bought."""
    left: Left
    """What it leaves unused at the end."""


@dataclass(frozen=True)
class SampleSize:
    """How many deals would make an agent's win rate so sure."""

    agent: str
    """Whose share."""
    tables: str
    """``"alone"`` or ``"mixed"``."""
    design_effect: float
    """Variance of the share against that of as many independent games."""
    deals: tuple[int | None, ...]
    """Deals in all for each of `PRECISIONS`; None when this cannot be told."""
    games_per_deal: float
    """Games of one deal in which it sits at such tables."""


@dataclass(frozen=True)
class RatingFit:
    """How well the ratings say the win rates alone among copies."""

    rmse: float
    """Root of the mean squared distance."""
    max_error: float
    """The largest distance."""
    pairing: tuple[str, str]
    """Who is alone there, and among whose copies."""
    predicted: float
    """What the ratings say there."""
    measured: float
    """What was measured there."""


@dataclass(frozen=True)
class Summary:
    """Everything a tournament says. Agents come best first."""

    agents: tuple[str, ...]
    """Names, best first."""
    seats: int
    """Seats of a game."""
    games: int
    """Games read."""
    deals: int
    """Different deals among them."""
    winning_scores: Distribution | None
    """Scores that won a finished game."""
    matrix: dict[tuple[str, str], Performance]
    """Each agent alone among copies of each other."""
    alone: tuple[Performance, ...]
    """Each agent over all those games."""
    mixed: tuple[Performance, ...]
    """Each agent at mixed tables."""
    ratings: Ratings | None
    """One number for each agent and seat; None without a game that has a winner."""
    rating_fit: RatingFit | None
    """How well they say the matrix; None without one of both."""
    comparisons: tuple[Comparison, ...]
    """Any two agents under the same conditions."""
    transitivity: Transitivity | None
    """Whether one order fits who beats whom; None when nobody met another."""
    seat_results: tuple[SeatResult, ...]
    """Each seat over all agents."""
    seat_results_of: dict[str, tuple[SeatResult, ...]]
    """Each seat with each agent."""
    endings: Endings
    """How games ended."""
    rounds: Distribution | None
    """How long finished games were; None when none is."""
    behaviour: tuple[Behaviour, ...]
    """What agents do with their finished games; agents without one are left out."""
    timing: tuple[Timing, ...]
    """How long agents think, and their faults."""
    sample_sizes: tuple[SampleSize, ...]
    """How many deals would make the win rates how sure."""
    first_faults: dict[str, str]
    """The first fault of each agent and kind, in words."""

    @property
    def even_share(self) -> float:
        """What everybody wins when all are equal."""
        return 1 / self.seats

    @property
    def humans(self) -> HumanGames | None:
        """What people reached, where there are figures for this number of players."""
        return HUMANS if self.seats == len(HUMANS.wins) else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        fields = {name: plain(value) for name, value in vars(self).items()}
        fields["matrix"] = [plain(performance) for performance in self.matrix.values()]
        return fields | {"even_share": self.even_share, "humans": plain(self.humans)}


def summarise(table: GameTable) -> Summary:
    """Work out everything a tournament says."""
    check_table(table)
    ratings = rate(table)
    cells, by_alone, by_mixed = matrix(table), alone(table), mixed(table)
    names = _best_first(table, ratings, by_alone, by_mixed)
    order = {name: place for place, name in enumerate(names)}
    return Summary(
        agents=names,
        seats=table.seats,
        games=table.games,
        deals=table.deals,
        winning_scores=_spread(
            table, (table.places == 1) & table.spread(table.finished), table.scores
        ),
        matrix={pair: cells[pair] for pair in sorted(cells, key=lambda p: [order[n] for n in p])},
        alone=tuple(sorted(by_alone, key=lambda one: order[one.agent])),
        mixed=tuple(sorted(by_mixed, key=lambda one: order[one.agent])),
        ratings=ratings,
        rating_fit=_rating_fit(ratings, cells),
        comparisons=_in_order_of(order, compare_all(table)),
        transitivity=_pairs_in_order_of(order, check_transitivity(table)),
        seat_results=_seat_results(table, np.ones(table.table.shape, bool)),
        seat_results_of={
            name: _seat_results(table, own_seats(table) & (table.table == table.agents.index(name)))
            for name in names
        },
        endings=_ends(table),
        rounds=_rounds(table),
        behaviour=tuple(_behaviour(table, names)),
        timing=tuple(_timing(table, name) for name in names),
        sample_sizes=tuple(_sample_sizes(table, names)),
        first_faults=_first_faults(table),
    )


def plain(value: Any) -> Any:
    """Turn a value into what JSON knows; a number that is not known becomes None."""
    if isinstance(value, Estimate):
        return value.to_dict()
    if dataclasses.is_dataclass(value):
        return {name: plain(part) for name, part in vars(value).items()}
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _best_first(
    table: GameTable,
    ratings: Ratings | None,
    by_alone: tuple[Performance, ...],
    by_mixed: tuple[Performance, ...],
) -> tuple[str, ...]:
    """Names by rating; without one by the win rate."""
    places = {} if ratings is None else {one.agent: k for k, one in enumerate(ratings.agents)}
    wins = {one.agent: one.win_rate.mean for one in (*by_mixed, *by_alone)}
    last = len(places)

    def key(name: str) -> tuple[int, float, str]:
        return places.get(name, last), -wins.get(name, 0.0), name

    return tuple(sorted(table.agents, key=key))


def _in_order_of(
    order: Mapping[str, int], comparisons: tuple[Comparison, ...]
) -> tuple[Comparison, ...]:
    """Name the better agent of the whole tournament first, and sort by both."""
    turned = [one if order[one.first] < order[one.second] else one.turned() for one in comparisons]
    return tuple(sorted(turned, key=lambda one: (order[one.first], order[one.second])))


def _pairs_in_order_of(order: Mapping[str, int], found: Transitivity | None) -> Transitivity | None:
    """Sort pairs by the better agent of the whole tournament, then by the other."""
    if found is None:
        return None

    def key(pair: HeadToHead) -> list[int]:
        return sorted((order[pair.agent], order[pair.other]))

    return dataclasses.replace(found, head_to_head=tuple(sorted(found.head_to_head, key=key)))


def _rating_fit(
    ratings: Ratings | None, cells: Mapping[tuple[str, str], Performance]
) -> RatingFit | None:
    if ratings is None or not cells:
        return None
    rated = {line.agent for line in ratings.agents}
    gaps = {
        pair: (ratings.win_rate_alone(*pair), performance.win_rate.mean)
        for pair, performance in cells.items()
        if rated.issuperset(pair)
    }
    if not gaps:
        return None
    worst = max(gaps, key=lambda pair: abs(gaps[pair][0] - gaps[pair][1]))
    predicted, measured = gaps[worst]
    squares = [(said - seen) ** 2 for said, seen in gaps.values()]
    rmse = math.sqrt(sum(squares) / len(squares))
    return RatingFit(rmse, abs(predicted - measured), worst, predicted, measured)


def _seat_results(table: GameTable, seats: np.ndarray) -> tuple[SeatResult, ...]:
    """Each seat that was taken, over the places of `seats`, shape ``(games, seats)``."""
    found = []
    for seat in range(table.seats):
        taken = seats[:, seat]
        ended = taken & table.finished
        if taken.any():
            found.append(
                SeatResult(
                    seat,
                    proportion(table.wins[taken, seat], table.cluster[taken]),
                    ratio(table.scores[ended, seat], table.cluster[ended]),
                )
            )
    return tuple(found)


def _ends(table: GameTable) -> Endings:
    ended = table.finished
    clusters = table.cluster[ended]
    bits = table.end[ended] @ (1 << np.arange(len(ENDS)))
    kinds, counts = np.unique(bits, return_counts=True)
    combinations = {
        _reasons(int(kind)): count / len(bits) for kind, count in zip(kinds, counts, strict=True)
    }
    return Endings(
        outcomes={
            name: proportion((table.outcome == number).astype(float), table.cluster)
            for number, name in enumerate(OUTCOMES)
        },
        reasons={
            name: proportion(table.end[ended, number].astype(float), clusters)
            for number, name in enumerate(ENDS)
        },
        combinations=dict(sorted(combinations.items(), key=lambda item: (-item[1], item[0]))),
    )


def _reasons(bits: int) -> str:
    """The reasons behind the bits: ``city + vp``."""
    return " + ".join(name for number, name in enumerate(ENDS) if bits >> number & 1) or "none"


def _spread(table: GameTable, seats: np.ndarray, column: np.ndarray) -> Distribution | None:
    """A figure of seats; None when there are none."""
    values = column[seats]
    return _distribution(values, table.spread(table.cluster)[seats])


def _rounds(table: GameTable) -> Distribution | None:
    return _distribution(table.rounds[table.finished], table.cluster[table.finished])


def _distribution(values: np.ndarray, clusters: np.ndarray) -> Distribution | None:
    if not values.size:
        return None
    kinds, counts = np.unique(values, return_counts=True)
    percentiles = np.percentile(values, QUARTILES, method="nearest")
    return Distribution(
        ratio(values, clusters),
        tuple(percentiles.astype(float).tolist()),
        dict(zip(kinds.tolist(), counts.tolist(), strict=True)),
    )


def _behaviour(table: GameTable, names: tuple[str, ...]) -> Iterator[Behaviour]:
    own = own_seats(table) & table.spread(table.finished)
    bought = np.flatnonzero(table.built[table.finished].any(axis=(0, 1))).tolist()
    for name in names:
        seats = own & (table.table == table.agents.index(name))
        scores = _spread(table, seats, table.scores)
        if scores is None:
            continue
        points, roles, built = (
            column[seats].mean(axis=0) for column in (table.parts, table.roles, table.built)
        )
        yield Behaviour(
            agent=name,
            scores=scores,
            points=_named(SCORE_PARTS, points),
            roles=_named(ROLES, roles),
            role_shares=_role_shares(table, seats),
            buildings={BUILDINGS[kind]: float(built[kind]) for kind in bought},
            left=_left(table, seats),
        )


def _role_shares(table: GameTable, seats: np.ndarray) -> dict[str, Estimate]:
    """The share of each role in all that were taken at some seats."""
    taken, clusters = table.roles[seats], table.spread(table.cluster)[seats]
    return {
        role: ratio(taken[:, number], clusters, taken.sum(axis=1))
        for number, role in enumerate(ROLES)
    }


def _left(table: GameTable, seats: np.ndarray) -> Left:
    """What is left unused at some seats."""
    told = seats & table.spread(table.tells_staffing)

    def mean(column: np.ndarray, of: np.ndarray = seats) -> Estimate:
        return ratio(column[of], table.spread(table.cluster)[of])

    return Left(
        rounds=mean(table.spread(table.rounds)),
        coins=mean(table.coins),
        barrels=mean(table.goods),
        coins_and_barrels=mean(table.coins + table.goods),
        large_unstaffed=mean(table.large_unstaffed, told),
        late=mean(table.late, told),
        late_unstaffed=mean(table.late_unstaffed, told),
    )


def _named(names: tuple[str, ...], values: np.ndarray) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))


def _timing(table: GameTable, name: str) -> Timing:
    seats = table.table == table.agents.index(name)
    clusters = table.spread(table.cluster)[seats]
    own = [fault for fault in table.faults if fault.agent == name]
    kinds = [fault.kind for fault in own]
    return Timing(
        agent=name,
        milliseconds=ratio(1000 * table.seconds[seats], clusters, table.decisions[seats]),
        decisions=float(table.decisions[seats].mean()),
        seats=int(seats.sum()),
        faults={kind: kinds.count(kind) for kind in sorted(set(kinds))},
        games_broken=len({fault.game for fault in own}),
    )


def _sample_sizes(table: GameTable, names: tuple[str, ...]) -> Iterator[SampleSize]:
    for tables, seats, performances in (
        ("alone", table.alone, alone(table)),
        ("mixed", ~table.spread(table.copies), mixed(table)),
    ):
        by_name = {performance.agent: performance for performance in performances}
        for name in names:
            if name not in by_name:
                continue
            sits = seats & (table.table == table.agents.index(name))
            win = by_name[name].win_rate
            yield SampleSize(
                name,
                tables,
                design_effect(table.wins[sits], table.spread(table.cluster)[sits]),
                tuple(deals_needed(win, half_width) for half_width in PRECISIONS),
                win.count / win.deals,
            )


def _first_faults(table: GameTable) -> dict[str, str]:
    found: dict[str, str] = {}
    for fault in table.faults:
        where = f"{fault.agent}: {fault.kind}"
        if where not in found:
            found[where] = what_failed(fault.text)
    return found
