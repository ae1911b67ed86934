"""Tables of a tournament in words, made once for the terminal and for the page."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from prico_env.vocabulary import ROLES
from prico_training.arena.comparisons import Comparison, Performance
from prico_training.arena.game_table import LATE
from prico_training.arena.ratings import ELO_CENTRE, Rating
from prico_training.arena.statistics import (
    NORMAL_95,
    Estimate,
    as_number,
    as_p_value,
    as_percentage,
    as_points,
)
from prico_training.arena.summary import (
    Behaviour,
    Distribution,
    HumanGames,
    SampleSize,
    SeatResult,
    Summary,
    Timing,
)
from prico_training.arena.transitivity import Cycle, HeadToHead
from prico_training.markdown import markdown_table

if TYPE_CHECKING:
    from rich.table import Table

EMPTY: Final = "-"
MOST_ROWS: Final = 45
"""Pairs of agents listed one by one; more agents than ten have more."""
MOST_CYCLES: Final = 20
"""Cycles listed one by one."""

Row = TypeVar("Row")
Columns: TypeAlias = Mapping[str, Callable[[Row], str]]
"""What stands in a row below each head."""


@dataclass(frozen=True)
class ReportTable:
    """A table: words in a first column, and figures in the others."""

    title: str
    """What it shows."""
    note: str
    """How to read it."""
    columns: tuple[str, ...]
    """Heads of the columns."""
    rows: tuple[tuple[str, ...], ...]
    """Cells as plain text, the first names the row."""
    on_terminal: bool = False
    """Whether the terminal shows it; the page shows them all."""

    @classmethod
    def of(
        cls,
        title: str,
        note: str,
        rows: Iterable[Row],
        columns: "Columns[Row]",
        on_terminal: bool = False,
    ) -> "ReportTable":
        """Fill a table column by column."""
        cells = tuple(tuple(cell(row) for cell in columns.values()) for row in rows)
        return cls(title, note, tuple(columns), cells, on_terminal)

    def markdown(self) -> list[str]:
        """The table as lines of Markdown."""
        heads, *rows = ([escape(cell) for cell in row] for row in (self.columns, *self.rows))
        return [f"## {self.title}", "", self.note, "", markdown_table(heads, rows), ""]

    def rich(self) -> "Table":
        """The table as the terminal shows it."""
        from rich.markup import escape as plain
        from rich.table import Table

        table = Table(title=self.title, title_justify="left", caption=plain(self.note))
        table.caption_justify = "left"
        for number, name in enumerate(self.columns):
            table.add_column(plain(name), justify="right" if number else "left")
        for row in self.rows:
            table.add_row(*(plain(cell) for cell in row))
        return table


def escape(text: str) -> str:
    r"""Write any text so that Markdown shows it as it is, in a cell of a table too.

    >>> escape("runs/a|b")
    'runs/a\\|b'
    """
    words = " ".join(text.split())
    return _SPECIAL.sub(r"\\\1", words)


def all_tables(summary: Summary) -> list[ReportTable]:
    """Every table of a tournament, what matters most first; empty ones are left out."""
    makers: tuple[Callable[[Summary], ReportTable], ...] = (
        matrix_table,
        alone_table,
        mixed_table,
        ratings_table,
        comparisons_table,
        head_to_head_table,
        cycles_table,
        seats_table,
        seats_by_agent_table,
        endings_table,
        lengths_table,
        roles_table,
        buildings_table,
        points_table,
        left_table,
        timing_table,
        sample_sizes_table,
    )
    return [table for make in makers if (table := make(summary)).rows]


# -- who is better ---------------------------------------------------------------------------------


def matrix_table(summary: Summary) -> ReportTable:
    """Each agent alone among copies of each other."""
    agents, opponents = (
        [name for name in summary.agents if any(pair[side] == name for pair in summary.matrix)]
        for side in (0, 1)
    )

    def among(opponent: str) -> Callable[[str], str]:
        def cell(agent: str) -> str:
            found = summary.matrix.get((agent, opponent))
            return EMPTY if found is None else as_percentage(found.win_rate)

        return cell

    return ReportTable.of(
        "One against copies",
        f"Win rate of the row, alone among {summary.seats - 1} "
        f"{'copies' if summary.seats > 2 else 'copy'} of the column, with its 95% interval. "  # noqa: PLR2004
        f"Equals would win {summary.even_share:.1%}.",
        agents,
        {"agent": str} | {f"among {opponent}": among(opponent) for opponent in opponents},
        on_terminal=True,
    )


_PERFORMANCE_NOTE: Final = (
    "Margins are to the best and to the mean of the others' scores; the rank is the place, ties "
    "sharing the mean of theirs. Scores, margins and ranks are those of finished games."
)
_PERFORMANCE_COLUMNS: Final[Columns[Performance]] = {
    "agent": lambda one: one.agent,
    "win rate": lambda one: as_percentage(one.win_rate),
    "score": lambda one: as_number(one.score),
    "margin to the best": lambda one: as_number(one.margin_best, signed=True),
    "margin to the others": lambda one: as_number(one.margin_others, signed=True),
    "rank": lambda one: as_number(one.rank, digits=2),
    "games": lambda one: f"{one.win_rate.count:,}",
    "deals": lambda one: f"{one.win_rate.deals:,}",
}


def alone_table(summary: Summary) -> ReportTable:
    """Each agent over all its games alone among copies."""
    title = "Alone among copies, over all opponents"
    return ReportTable.of(title, _PERFORMANCE_NOTE, summary.alone, _PERFORMANCE_COLUMNS)


def mixed_table(summary: Summary) -> ReportTable:
    """Each agent at mixed tables."""
    return ReportTable.of(
        "Mixed tables",
        f"{_PERFORMANCE_NOTE} Equals would win {summary.even_share:.1%} with each seat.",
        summary.mixed,
        _PERFORMANCE_COLUMNS,
        on_terminal=True,
    )


def ratings_table(summary: Summary) -> ReportTable:
    """One number for each agent."""
    columns: Columns[Rating] = {
        "agent": lambda one: one.agent,
        "Elo": lambda one: _bounded(one, one.elo, 0),
        "log strength": lambda one: _bounded(one, one.log_strength, 2),
        "place": lambda one: (
            str(one.best_place)
            if one.best_place == one.worst_place
            else f"{one.best_place} to {one.worst_place}"
        ),
        "above the next in": lambda one: _percent(one.p_above_next),
    }
    return ReportTable.of(
        "Ratings",
        "Plackett-Luce strengths from the places of all games, seats taken out; 400 Elo points "
        "are odds of ten to one to be placed before an agent with an equal seat, and the mean of "
        f"those whose distances are known has {ELO_CENTRE:.0f}. Intervals come from drawing the "
        "deals anew. "
        '"At most" or "at least" marks an agent that was never placed before, or never behind, '
        "the others: games cannot say how far it is from them. A rating sums up these games "
        "against these agents.",
        summary.ratings.agents if summary.ratings else (),
        columns,
        on_terminal=True,
    )


def comparisons_table(summary: Summary) -> ReportTable:
    """Any two agents under the same conditions."""
    columns: Columns[Comparison] = {
        "pair": lambda one: f"{one.first} - {one.second}",
        "win rate": lambda one: as_points(one.win_rate),
        "score": lambda one: as_number(one.score, signed=True),
        "margin to the others": lambda one: as_number(one.margin, signed=True),
        "p": lambda one: _p_value(one.corrected),
        "verdict": lambda one: f"{one.better} is better" if one.better else "cannot be told",
        "more deals": lambda one: (
            EMPTY if one.better or one.more_deals is None else f"{one.more_deals:,}"
        ),
    }
    left_out = len(summary.comparisons) - MOST_ROWS
    ways = sorted({one.how for one in summary.comparisons})
    return ReportTable.of(
        "Two candidates under the same conditions",
        f"The first less the second, {' or '.join(ways) or 'side by side'}: the same deals, seats "
        "and opponents. The p-value is that of flipping the signs of whole deals, corrected for "
        f"{len(summary.comparisons)} comparisons by Holm. The last column says how many more deals "
        "would tell a difference as large as the one measured (in 4 of 5 such tournaments)."
        + (f" {left_out} more comparisons are in report.json." if left_out > 0 else ""),
        summary.comparisons[:MOST_ROWS],
        columns,
    )


def head_to_head_table(summary: Summary) -> ReportTable:
    """Who is placed before whom."""
    pairs = summary.transitivity.head_to_head if summary.transitivity else ()
    columns: Columns[HeadToHead] = {
        "pair": lambda one: f"{one.agent} before {one.other}",
        "ahead": lambda one: as_percentage(one.ahead),
        "p": lambda one: _p_value(one.corrected),
    }
    return ReportTable.of(
        "Head to head",
        "How often the first is placed before the second when both sit at a table; a shared place "
        "counts half. P-values are corrected for all pairs by Holm."
        + (" The rest is in report.json." if len(pairs) > MOST_ROWS else ""),
        pairs[:MOST_ROWS],
        columns,
    )


def cycles_table(summary: Summary) -> ReportTable:
    """Cycles in who beats whom."""
    columns: Columns[Cycle] = {
        "cycle": lambda one: " > ".join((*one.agents, one.agents[0])),
        "smallest share": lambda one: f"{one.min_share:.1%}",
        "seen in resampled deals": lambda one: _percent(one.bootstrap_support),
        "p": lambda one: _p_value(one.p_value),
    }
    return ReportTable.of(
        "Cycles",
        "Each is more often placed before the next, and the last before the first. P-values are "
        "corrected for all cycles that could have been found by Holm.",
        (summary.transitivity.cycles if summary.transitivity else ())[:MOST_CYCLES],
        columns,
    )


# -- seats and games -------------------------------------------------------------------------------


def seats_table(summary: Summary) -> ReportTable:
    """How much each seat helps."""
    terms = {} if summary.ratings is None else {term.seat: term for term in summary.ratings.seats}
    humans = summary.humans
    columns: dict[str, Callable[[SeatResult], str]] = {
        "seat": lambda one: str(one.seat),
        "win rate": lambda one: as_percentage(one.win_rate),
        "score": lambda one: as_number(one.score),
        "win rate among equals": lambda one: (
            as_percentage(terms[one.seat].win_rate) if one.seat in terms else EMPTY
        ),
    }
    if humans is not None:
        columns["win rate of people"] = lambda one: f"{humans.wins[one.seat]:.0%}"
    return ReportTable.of(
        "Seats",
        "Seat 0 is the first governor. Win rates and scores are those of all agents together; "
        '"among equals" is what the ratings say of a seat when everybody plays alike. '
        f"An even share is {summary.even_share:.1%}.{_human_note(humans, summary.winning_scores)}",
        summary.seat_results,
        columns,
        on_terminal=True,
    )


def seats_by_agent_table(summary: Summary) -> ReportTable:
    """How each agent does from each seat."""

    def at(seat: int) -> Callable[[str], str]:
        def cell(agent: str) -> str:
            found = [one for one in summary.seat_results_of[agent] if one.seat == seat]
            return (
                "".join(f"{as_percentage(one.win_rate)}; {as_number(one.score)}" for one in found)
                or EMPTY
            )

        return cell

    return ReportTable.of(
        "Seats of each agent",
        "Win rate, and score, of each agent with each seat, alone among copies and at mixed "
        "tables together.",
        summary.seat_results_of,
        {"agent": str} | {f"seat {seat}": at(seat) for seat in range(summary.seats)},
    )


_REASONS: Final = {"city": "a full city", "vp": "no chips left", "workers": "too few workers"}


def endings_table(summary: Summary) -> ReportTable:
    """How games ended."""
    ends = summary.endings
    rows = {f"games {name}": as_percentage(value) for name, value in ends.outcomes.items()}
    rows |= {f"ended by: {_REASONS[name]}": as_percentage(v) for name, v in ends.reasons.items()}
    rows |= {f"exactly: {name}": f"{value:.1%}" for name, value in ends.combinations.items()}
    return ReportTable(
        "How games ended",
        "Reasons are shares of the finished games and may hold together. A truncated game has no "
        "winner; in a broken one a player failed, which lost it.",
        ("", "share"),
        tuple(rows.items()),
    )


def lengths_table(summary: Summary) -> ReportTable:
    """How long games are, and what scores they end with."""
    spreads = {"rounds of a game": summary.rounds, "score of a winner": summary.winning_scores}
    spreads |= {f"score of {one.agent}": one.scores for one in summary.behaviour}
    heads = ("", "mean", "least", "quarter", "median", "three quarters", "greatest")
    rows = [
        (name, as_number(spread.mean), *(f"{value:.0f}" for value in spread.percentiles))
        for name, spread in spreads.items()
        if spread is not None
    ]
    return ReportTable(
        "Lengths and scores",
        "Of finished games: the mean, and least, lower quartile, median, upper quartile and "
        "greatest value.",
        heads,
        tuple(rows),
    )


# -- how agents play -------------------------------------------------------------------------------


def _columns_of(field: str, shape: str, summary: Summary) -> dict[str, Callable[[Behaviour], str]]:
    """A column for each name of a field at which anybody has something."""

    def column(name: str) -> Callable[[Behaviour], str]:
        return lambda one: shape.format(getattr(one, field)[name])

    rows = [getattr(one, field) for one in summary.behaviour]
    names = [name for name in (rows[0] if rows else ()) if any(row[name] for row in rows)]
    return {name.replace("_", " "): column(name) for name in names}


def _agent(one: Any) -> str:
    return str(one.agent)


def roles_table(summary: Summary) -> ReportTable:
    """Which roles agents take."""

    def times_and_share(role: str) -> Callable[[Behaviour], str]:
        return lambda one: f"{one.roles[role]:.2f}; {as_percentage(one.role_shares[role])}"

    taken = [role for role in ROLES if any(one.roles[role] for one in summary.behaviour)]
    return ReportTable.of(
        "Roles",
        "How often an agent takes each role in a game, on average, and the share of the role in "
        "all that it takes.",
        summary.behaviour,
        {"agent": _agent} | {role: times_and_share(role) for role in taken},
    )


def buildings_table(summary: Summary) -> ReportTable:
    """Which buildings agents buy; agents are the columns, as there are more buildings."""
    columns = _columns_of("buildings", "{:.0%}", summary)
    return ReportTable(
        "Buildings",
        "Share of its games in which an agent owns each building at the end.",
        ("building", *(one.agent for one in summary.behaviour)),
        tuple((name, *(cell(one) for one in summary.behaviour)) for name, cell in columns.items()),
    )


def points_table(summary: Summary) -> ReportTable:
    """Where the points come from."""
    total: Columns[Behaviour] = {"sum": lambda one: f"{sum(one.points.values()):.1f}"}
    return ReportTable.of(
        "Points by source",
        "Mean points of each agent; `vp` are the chips from shipping and privileges.",
        summary.behaviour,
        {"agent": _agent} | _columns_of("points", "{:.1f}", summary) | dict(total),
    )


def left_table(summary: Summary) -> ReportTable:
    """What agents leave unused at the end."""
    columns: Columns[Behaviour] = {
        "agent": _agent,
        "coins": lambda one: as_number(one.left.coins),
        "barrels": lambda one: as_number(one.left.barrels),
        "coins and barrels": lambda one: as_number(one.left.coins_and_barrels),
        "large unstaffed": lambda one: as_number(one.left.large_unstaffed, digits=2),
        f"bought in the last {LATE} rounds": lambda one: as_number(one.left.late, digits=2),
        "of these unstaffed": lambda one: as_number(one.left.late_unstaffed, digits=2),
        "last round": lambda one: as_number(one.left.rounds),
    }
    return ReportTable.of(
        "Left at the end",
        "Means of each agent's finished games: coins and barrels that became nothing, large "
        "buildings with nobody on them, buildings of any size bought in the last "
        f"{LATE} rounds, and the round the game ended in.",
        summary.behaviour,
        columns,
    )


def timing_table(summary: Summary) -> ReportTable:
    """How long agents think, and their faults."""

    def number_of(kind: str) -> Callable[[Timing], str]:
        return lambda one: str(one.faults.get(kind, 0))

    kinds = sorted({kind for one in summary.timing for kind in one.faults})
    columns: dict[str, Callable[[Timing], str]] = {
        "agent": _agent,
        "ms a decision": lambda one: _milliseconds(one.milliseconds),
        "decisions a game": lambda one: f"{one.decisions:.0f}",
        "seats": lambda one: f"{one.seats:,}",
        **{kind: number_of(kind) for kind in kinds},
        "games broken": lambda one: str(one.games_broken),
    }
    return ReportTable.of(
        "Thinking time and faults",
        "Milliseconds for each decision that left a choice, at all seats of an agent."
        + (" A game is broken by its first fault." if kinds else " Nobody made a fault."),
        summary.timing,
        columns,
        on_terminal=True,
    )


def sample_sizes_table(summary: Summary) -> ReportTable:
    """How many deals would make the win rates how sure."""

    def deals_for(place: int) -> Callable[[SampleSize], str]:
        return lambda one: "too few deals" if one.deals[place] is None else f"{one.deals[place]:,}"

    columns: Columns[SampleSize] = {
        "agent": _agent,
        "tables": lambda one: one.tables,
        "design effect": lambda one: (
            EMPTY if math.isnan(one.design_effect) else f"{one.design_effect:.2f}"
        ),
        "±2 points": deals_for(0),
        "±1 point": deals_for(1),
        "games a deal": lambda one: f"{one.games_per_deal:.1f}",
    }
    return ReportTable.of(
        "Sample sizes",
        "Deals in all for a 95% interval of 2 points and of 1 point either way, as measured from "
        "how much deals differed here. The design effect is the variance against that of as many "
        "independent games: below 1, playing each deal from every seat saves games.",
        summary.sample_sizes,
        columns,
    )


# -- words -----------------------------------------------------------------------------------------


_SPECIAL: Final = re.compile(r"([\\`*<|~]|^[\[>#+-](?!\d|$)|\](?=[\[(])|(?<![^\W_])_|_(?![^\W_]))")
"""What Markdown would read as more than a letter; brackets only where they could begin a link."""
_FAST_MS: Final = 1.0


def _bounded(line: Rating, value: Estimate, digits: int) -> str:
    if line.bound == "unknown":
        return "never met the others"
    if line.bound:
        return f"{line.bound} about {value.mean:.{digits}f}"
    if value.standard_error == 0:  # all others are measured from this one
        return f"{value.mean:.{digits}f}"
    return as_number(value, digits=digits)


def _human_note(humans: HumanGames | None, winning_scores: Distribution | None) -> str:
    if humans is None:
        return ""
    low, high = humans.scores
    even = 1 / len(humans.wins)
    error = NORMAL_95 * math.sqrt(even * (1 - even) / humans.games)
    least, most = humans.winners
    own = ""
    if winning_scores is not None:
        lowest, *_, highest = winning_scores.percentiles
        own = f" Here winners have {lowest:.0f} to {highest:.0f}."
    return (
        f" For reference, {humans.games} tournament games of four people: mean scores of {low} to "
        f"{high} by seat, winners with {least} to {most} points; so many games tell a seat's win "
        f"rate to {error:.0%} either way.{own}"
    )


def _milliseconds(estimate: Estimate) -> str:
    return as_number(estimate, digits=4 if estimate.mean < _FAST_MS else 1)


def _percent(share: float | None) -> str:
    return EMPTY if share is None or math.isnan(share) else f"{share:.1%}"


def _p_value(p_value: float) -> str:
    return as_p_value(p_value).removeprefix("p ").removeprefix("= ")
