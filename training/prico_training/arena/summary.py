"""Everything a tournament says, as numbers: what the page, the tables and the plots show."""

import dataclasses
import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from prico_env.core.scoring import SCORE_PARTS
from prico_env.vocabulary import BUILDINGS, ROLES
from prico_training.arena.comparisons import (
    Comparison,
    Showing,
    alone,
    compare_all,
    matrix,
    mixed,
    own_seats,
)
from prico_training.arena.game_table import ENDS, OUTCOMES, GameTable
from prico_training.arena.ratings import Ratings, rate
from prico_training.arena.sample_size import deals_needed
from prico_training.arena.statistics import Estimate, design_effect, ratio, share
from prico_training.arena.transitivity import Duel, Transitivity, check_transitivity

PRECISIONS: Final = (0.02, 0.01)
"""Half-widths of an interval that people ask for: 2 points and 1 point either way."""
QUARTILES: Final = (0, 25, 50, 75, 100)
"""Percentiles that tell how a figure is spread."""


@dataclass(frozen=True)
class HumanGames:
    """What people reached in tournaments, to hold figures of four-player games against.

    Attributes:
        games: How many games were counted.
        wins: Share of the victories of each seat.
        scores: Lowest and highest of the four seats' mean scores.
        winners: Lowest and highest score that won a game.
    """

    games: int = 346
    wins: tuple[float, ...] = (0.21, 0.17, 0.31, 0.31)
    scores: tuple[int, int] = (41, 43)
    winners: tuple[int, int] = (36, 65)


HUMANS: Final = HumanGames()


@dataclass(frozen=True)
class SeatLine:
    """How a seat did, over all agents or with one.

    Attributes:
        seat: 0 is the first governor.
        win: Share of the victory.
        score: Final score.
    """

    seat: int
    win: Estimate
    score: Estimate


@dataclass(frozen=True)
class Pace:
    """How long an agent thinks, and what it did that no agent may do.

    Attributes:
        agent: Whose figures these are.
        milliseconds: Time for a decision that left a choice.
        decisions: Such decisions in a game.
        seats: At how many seats it was watched, its copies' seats among them.
        faults: How often each kind of fault happened.
        games_broken: Games it broke.
    """

    agent: str
    milliseconds: Estimate
    decisions: float
    seats: int
    faults: dict[str, int]
    games_broken: int


@dataclass(frozen=True)
class Ends:
    """How games ended; shares of end reasons are of the finished games.

    Attributes:
        outcomes: Share of all games that were finished, truncated and broken.
        reasons: Share of the games in which each reason held; they overlap.
        together: Share of the games with exactly these reasons, most frequent first.
    """

    outcomes: dict[str, Estimate]
    reasons: dict[str, Estimate]
    together: dict[str, float]


@dataclass(frozen=True)
class Spread:
    """A figure of games as it is distributed.

    Attributes:
        mean: Its mean.
        percentiles: Least, lower quartile, median, upper quartile and greatest.
        counts: How many games, or seats, have each value.
    """

    mean: Estimate
    percentiles: tuple[float, ...]
    counts: dict[int, int]


@dataclass(frozen=True)
class Habits:
    """What an agent does with its games.

    Attributes:
        agent: Whose habits these are.
        scores: Its final scores.
        points: Its mean points from each source.
        coins: Coins left, on average.
        barrels: Barrels left, on average.
        roles: How often it took each role in a game, on average.
        buildings: Share of its games in which it bought each building that anybody bought.
    """

    agent: str
    scores: Spread
    points: dict[str, float]
    coins: float
    barrels: float
    roles: dict[str, float]
    buildings: dict[str, float]


@dataclass(frozen=True)
class Plan:
    """How many deals would make an agent's share of victories so sure.

    Attributes:
        agent: Whose share.
        tables: ``"alone"`` or ``"mixed"``.
        effect: Variance of the share against that of as many independent games.
        deals: Deals in all for each of `PRECISIONS`; None when this cannot be told.
        games_per_deal: Games of one deal in which it sits at such tables.
    """

    agent: str
    tables: str
    effect: float
    deals: tuple[int | None, ...]
    games_per_deal: float


@dataclass(frozen=True)
class RatingFit:
    """How well the ratings say the shares of victories alone among copies.

    Attributes:
        typical: Root of the mean squared distance.
        largest: The largest distance.
        pairing: Who is alone there, and among whose copies.
        expected: What the ratings say there.
        measured: What was measured there.
    """

    typical: float
    largest: float
    pairing: tuple[str, str]
    expected: float
    measured: float


@dataclass(frozen=True)
class Summary:
    """Everything a tournament says. Agents come best first.

    Attributes:
        agents: Names, best first.
        seats: Seats of a game.
        games: Games read.
        deals: Different deals among them.
        winners: Scores that won a finished game.
        matrix: Each agent alone among copies of each other.
        alone: Each agent over all those games.
        mixed: Each agent at mixed tables.
        ratings: One number for each agent and seat; None without a game that has a winner.
        fit: How well they say the matrix; None without one of both.
        comparisons: Any two agents under the same conditions.
        transitivity: Whether one order fits who beats whom; None when nobody met another.
        seat_lines: Each seat over all agents.
        seat_lines_of: Each seat with each agent.
        ends: How games ended.
        rounds: How long finished games were; None when none is.
        habits: What agents do with their finished games; agents without one are left out.
        pace: How long agents think, and their faults.
        plans: How many deals would make the shares how sure.
        fault_texts: The first fault of each agent and kind, in words.
    """

    agents: tuple[str, ...]
    seats: int
    games: int
    deals: int
    winners: Spread | None
    matrix: dict[tuple[str, str], Showing]
    alone: tuple[Showing, ...]
    mixed: tuple[Showing, ...]
    ratings: Ratings | None
    fit: RatingFit | None
    comparisons: tuple[Comparison, ...]
    transitivity: Transitivity | None
    seat_lines: tuple[SeatLine, ...]
    seat_lines_of: dict[str, tuple[SeatLine, ...]]
    ends: Ends
    rounds: Spread | None
    habits: tuple[Habits, ...]
    pace: tuple[Pace, ...]
    plans: tuple[Plan, ...]
    fault_texts: dict[str, str]

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
        fields["matrix"] = [plain(showing) for showing in self.matrix.values()]
        return fields | {"even_share": self.even_share, "humans": plain(self.humans)}


def summarise(table: GameTable) -> Summary:
    """Work out everything a tournament says."""
    ratings = rate(table)
    cells, by_alone, by_mixed = matrix(table), alone(table), mixed(table)
    names = _best_first(table, ratings, by_alone, by_mixed)
    order = {name: place for place, name in enumerate(names)}
    return Summary(
        agents=names,
        seats=table.seats,
        games=table.games,
        deals=table.deals,
        winners=_spread(table, (table.places == 1) & table.spread(table.finished), table.scores),
        matrix={pair: cells[pair] for pair in sorted(cells, key=lambda p: [order[n] for n in p])},
        alone=tuple(sorted(by_alone, key=lambda one: order[one.agent])),
        mixed=tuple(sorted(by_mixed, key=lambda one: order[one.agent])),
        ratings=ratings,
        fit=_rating_fit(ratings, cells),
        comparisons=_in_order_of(order, compare_all(table)),
        transitivity=_duels_in_order_of(order, check_transitivity(table)),
        seat_lines=_seat_lines(table, np.ones(table.table.shape, bool)),
        seat_lines_of={
            name: _seat_lines(table, own_seats(table) & (table.table == table.agents.index(name)))
            for name in names
        },
        ends=_ends(table),
        rounds=_rounds(table),
        habits=tuple(_habits(table, names)),
        pace=tuple(_pace(table, name) for name in names),
        plans=tuple(_plans(table, names)),
        fault_texts=_fault_texts(table),
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
    by_alone: tuple[Showing, ...],
    by_mixed: tuple[Showing, ...],
) -> tuple[str, ...]:
    """Names by rating; without one by the share of victories."""
    places = {} if ratings is None else {one.agent: k for k, one in enumerate(ratings.agents)}
    wins = {one.agent: one.win.mean for one in (*by_mixed, *by_alone)}
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


def _duels_in_order_of(order: Mapping[str, int], found: Transitivity | None) -> Transitivity | None:
    """Sort pairs by the better agent of the whole tournament, then by the other."""
    if found is None:
        return None

    def key(duel: Duel) -> list[int]:
        return sorted((order[duel.agent], order[duel.other]))

    return dataclasses.replace(found, duels=tuple(sorted(found.duels, key=key)))


def _rating_fit(
    ratings: Ratings | None, cells: Mapping[tuple[str, str], Showing]
) -> RatingFit | None:
    if ratings is None or not cells:
        return None
    rated = {line.agent for line in ratings.agents}
    gaps = {
        pair: (ratings.win_alone(*pair), showing.win.mean)
        for pair, showing in cells.items()
        if rated.issuperset(pair)
    }
    if not gaps:
        return None
    worst = max(gaps, key=lambda pair: abs(gaps[pair][0] - gaps[pair][1]))
    expected, measured = gaps[worst]
    squares = [(said - seen) ** 2 for said, seen in gaps.values()]
    typical = math.sqrt(sum(squares) / len(squares))
    return RatingFit(typical, abs(expected - measured), worst, expected, measured)


def _seat_lines(table: GameTable, seats: np.ndarray) -> tuple[SeatLine, ...]:
    """Each seat that was taken, over the places of `seats`, shape ``(games, seats)``."""
    found = []
    for seat in range(table.seats):
        taken = seats[:, seat]
        ended = taken & table.finished
        if taken.any():
            found.append(
                SeatLine(
                    seat,
                    share(table.wins[taken, seat], table.cluster[taken]),
                    ratio(table.scores[ended, seat], table.cluster[ended]),
                )
            )
    return tuple(found)


def _ends(table: GameTable) -> Ends:
    ended = table.finished
    clusters = table.cluster[ended]
    bits = table.end[ended] @ (1 << np.arange(len(ENDS)))
    kinds, counts = np.unique(bits, return_counts=True)
    together = {
        _reasons(int(kind)): count / len(bits) for kind, count in zip(kinds, counts, strict=True)
    }
    return Ends(
        outcomes={
            name: share((table.outcome == number).astype(float), table.cluster)
            for number, name in enumerate(OUTCOMES)
        },
        reasons={
            name: share(table.end[ended, number].astype(float), clusters)
            for number, name in enumerate(ENDS)
        },
        together=dict(sorted(together.items(), key=lambda item: (-item[1], item[0]))),
    )


def _reasons(bits: int) -> str:
    """The reasons behind the bits: ``city + vp``."""
    return " + ".join(name for number, name in enumerate(ENDS) if bits >> number & 1) or "none"


def _spread(table: GameTable, seats: np.ndarray, column: np.ndarray) -> Spread | None:
    """A figure of seats; None when there are none."""
    values = column[seats]
    return _distribution(values, table.spread(table.cluster)[seats])


def _rounds(table: GameTable) -> Spread | None:
    return _distribution(table.rounds[table.finished], table.cluster[table.finished])


def _distribution(values: np.ndarray, clusters: np.ndarray) -> Spread | None:
    if not values.size:
        return None
    kinds, counts = np.unique(values, return_counts=True)
    percentiles = np.percentile(values, QUARTILES, method="nearest")
    return Spread(
        ratio(values, clusters),
        tuple(percentiles.astype(float).tolist()),
        dict(zip(kinds.tolist(), counts.tolist(), strict=True)),
    )


def _habits(table: GameTable, names: tuple[str, ...]) -> Iterator[Habits]:
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
        yield Habits(
            agent=name,
            scores=scores,
            points=_named(SCORE_PARTS, points),
            coins=float(table.coins[seats].mean()),
            barrels=float(table.goods[seats].mean()),
            roles=_named(ROLES, roles),
            buildings={BUILDINGS[kind]: float(built[kind]) for kind in bought},
        )


def _named(names: tuple[str, ...], values: np.ndarray) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))


def _pace(table: GameTable, name: str) -> Pace:
    seats = table.table == table.agents.index(name)
    clusters = table.spread(table.cluster)[seats]
    own = [fault for fault in table.faults if fault.agent == name]
    kinds = [fault.kind for fault in own]
    return Pace(
        agent=name,
        milliseconds=ratio(1000 * table.seconds[seats], clusters, table.decisions[seats]),
        decisions=float(table.decisions[seats].mean()),
        seats=int(seats.sum()),
        faults={kind: kinds.count(kind) for kind in sorted(set(kinds))},
        games_broken=len({fault.game for fault in own}),
    )


def _plans(table: GameTable, names: tuple[str, ...]) -> Iterator[Plan]:
    for tables, seats, showings in (
        ("alone", table.alone, alone(table)),
        ("mixed", ~table.spread(table.copies), mixed(table)),
    ):
        by_name = {showing.agent: showing for showing in showings}
        for name in names:
            if name not in by_name:
                continue
            sits = seats & (table.table == table.agents.index(name))
            win = by_name[name].win
            yield Plan(
                name,
                tables,
                design_effect(table.wins[sits], table.spread(table.cluster)[sits]),
                tuple(deals_needed(win, half_width) for half_width in PRECISIONS),
                win.count / win.deals,
            )


def _fault_texts(table: GameTable) -> dict[str, str]:
    found: dict[str, str] = {}
    for fault in table.faults:
        where = f"{fault.agent}: {fault.kind}"
        found.setdefault(where, _last_line(fault.text))
    return found


@functools.cache
def _last_line(text: str) -> str:
    """What a traceback ends with."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
