"""Tables of a tournament in words, made once for the terminal and for the page."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prico_training.arena.comparisons import Showing
from prico_training.arena.ratings import ELO_CENTRE, Rating
from prico_training.arena.statistics import (
    NORMAL_95,
    Estimate,
    as_chance,
    as_number,
    as_points,
    as_share,
)
from prico_training.arena.summary import HumanGames, Spread, Summary

if TYPE_CHECKING:
    from rich.table import Table

EMPTY: Final = "-"
MOST_DUELS: Final = 45
"""Pairs listed one by one; more agents than ten have more."""
MOST_COMPARISONS: Final = 45
"""Comparisons listed one by one."""
MOST_CYCLES: Final = 20
"""Circles listed one by one."""


@dataclass(frozen=True)
class Sheet:
    """A table: words in a first column, and figures in the others.

    Attributes:
        title: What it shows.
        note: How to read it.
        columns: Heads of the columns.
        rows: Cells as plain text, the first names the row.
        on_terminal: Whether the terminal shows it; the page shows them all.
    """

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    on_terminal: bool = False

    def markdown(self) -> list[str]:
        """The table as lines of Markdown."""
        rules = ["---", *("---:" for _ in self.columns[1:])]
        lines = [[escape(cell) for cell in row] for row in (self.columns, *self.rows)]
        return [
            f"## {self.title}",
            "",
            self.note,
            "",
            _line(lines[0]),
            _line(rules),
            *(_line(cells) for cells in lines[1:]),
            "",
        ]

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


def all_sheets(summary: Summary) -> list[Sheet]:
    """Every table of a tournament, what matters most first; empty ones are left out."""
    makers: tuple[Callable[[Summary], Sheet], ...] = (
        matrix_sheet,
        alone_sheet,
        mixed_sheet,
        ratings_sheet,
        comparisons_sheet,
        duels_sheet,
        cycles_sheet,
        seats_sheet,
        seats_by_agent_sheet,
        ends_sheet,
        lengths_sheet,
        roles_sheet,
        buildings_sheet,
        points_sheet,
        pace_sheet,
        plans_sheet,
    )
    return [sheet for make in makers if (sheet := make(summary)).rows]


def matrix_sheet(summary: Summary) -> Sheet:
    """Each agent alone among copies of each other."""
    opponents = [name for name in summary.agents if any(pair[1] == name for pair in summary.matrix)]
    agents = [name for name in summary.agents if any(pair[0] == name for pair in summary.matrix)]
    rows = [(name, *(_cell(summary, name, opponent) for opponent in opponents)) for name in agents]
    return Sheet(
        "One against copies",
        f"Share of victories of the row, alone among {summary.seats - 1} "
        f"{'copies' if summary.seats > 2 else 'copy'} of the column, with its 95% interval. "  # noqa: PLR2004
        f"Equals would win {summary.even_share:.1%}.",
        ("agent", *(f"among {name}" for name in opponents)),
        tuple(rows),
        on_terminal=True,
    )


def alone_sheet(summary: Summary) -> Sheet:
    """Each agent over all its games alone among copies."""
    return Sheet(
        "Alone among copies, over all opponents",
        _SHOWING_NOTE,
        _SHOWING_COLUMNS,
        tuple(_showing_row(one) for one in summary.alone),
    )


def mixed_sheet(summary: Summary) -> Sheet:
    """Each agent at mixed tables."""
    return Sheet(
        "Mixed tables",
        f"{_SHOWING_NOTE} Equals would win {summary.even_share:.1%} with each seat.",
        _SHOWING_COLUMNS,
        tuple(_showing_row(one) for one in summary.mixed),
        on_terminal=True,
    )


def ratings_sheet(summary: Summary) -> Sheet:
    """One number for each agent."""
    lines = summary.ratings.agents if summary.ratings else ()
    return Sheet(
        "Ratings",
        "Plackett-Luce strengths from the places of all games, seats taken out; 400 Elo points "
        "are odds of ten to one to be placed before an agent with an equal seat, and the mean of "
        f"those whose distances are known has {ELO_CENTRE:.0f}. Intervals come from drawing the "
        "deals anew. "
        '"At most" or "at least" marks an agent that was never placed before, or never behind, '
        "the others: games cannot say how far it is from them. A rating sums up these games "
        "against these agents.",
        ("agent", "Elo", "log strength", "place", "above the next in"),
        tuple(
            (
                line.agent,
                _bounded(line, line.elo, 0),
                _bounded(line, line.log, 2),
                str(line.best_place)
                if line.best_place == line.worst_place
                else f"{line.best_place} to {line.worst_place}",
                EMPTY if line.above_next is None else f"{line.above_next:.1%}",
            )
            for line in lines
        ),
        on_terminal=True,
    )


def comparisons_sheet(summary: Summary) -> Sheet:
    """Any two agents under the same conditions."""
    rows = [
        (
            f"{one.first} - {one.second}",
            as_points(one.win),
            as_number(one.score, signed=True),
            as_number(one.margin, signed=True),
            _chance(one.corrected),
            f"{one.better} is better" if one.better else "cannot be told",
            EMPTY if one.better or one.more_deals is None else f"{one.more_deals:,}",
        )
        for one in summary.comparisons[:MOST_COMPARISONS]
    ]
    left_out = len(summary.comparisons) - len(rows)
    ways = sorted({one.how for one in summary.comparisons})
    return Sheet(
        "Two candidates under the same conditions",
        f"The first less the second, {' or '.join(ways) or 'side by side'}: the same deals, seats "
        "and opponents. The p-value is that of flipping the signs of whole deals, corrected for "
        f"{len(summary.comparisons)} comparisons by Holm. The last column says how many more deals "
        "would tell a difference as large as the one measured (in 4 of 5 such tournaments)."
        + (f" {left_out} more comparisons are in report.json." if left_out else ""),
        ("pair", "victories", "score", "margin to the others", "p", "verdict", "more deals"),
        tuple(rows),
    )


def duels_sheet(summary: Summary) -> Sheet:
    """Who is placed before whom."""
    duels = summary.transitivity.duels if summary.transitivity else ()
    return Sheet(
        "Who is placed before whom",
        "How often the first is placed before the second when both sit at a table; a shared place "
        "counts half. P-values are corrected for all pairs by Holm."
        + (" The rest is in report.json." if len(duels) > MOST_DUELS else ""),
        ("pair", "ahead", "p"),
        tuple(
            (f"{one.agent} before {one.other}", as_share(one.ahead), _chance(one.corrected))
            for one in duels[:MOST_DUELS]
        ),
    )


def cycles_sheet(summary: Summary) -> Sheet:
    """Circles in who beats whom."""
    cycles = summary.transitivity.cycles if summary.transitivity else ()
    return Sheet(
        "Circles",
        "Each is more often placed before the next, and the last before the first. P-values are "
        "corrected for all circles that could have been found by Holm.",
        ("circle", "smallest share", "seen in resampled deals", "p"),
        tuple(
            (
                " > ".join((*one.agents, one.agents[0])),
                f"{one.least:.1%}",
                EMPTY if math.isnan(one.seen_in) else f"{one.seen_in:.1%}",
                _chance(one.p_value),
            )
            for one in cycles[:MOST_CYCLES]
        ),
    )


def seats_sheet(summary: Summary) -> Sheet:
    """What each seat is worth."""
    terms = {} if summary.ratings is None else {term.seat: term for term in summary.ratings.seats}
    humans = summary.humans
    rows = []
    for line in summary.seat_lines:
        term = terms.get(line.seat)
        cells = [
            str(line.seat),
            as_share(line.win),
            as_number(line.score),
            EMPTY if term is None else as_share(term.win),
        ]
        rows.append((*cells, *([f"{humans.wins[line.seat]:.0%}"] if humans else [])))
    return Sheet(
        "Seats",
        "Seat 0 is the first governor. Victories and scores are those of all agents together; "
        '"among equals" is what the ratings say of a seat when everybody plays alike. '
        f"An even share is {summary.even_share:.1%}.{_human_note(humans, summary.winners)}",
        (
            "seat",
            "victories",
            "score",
            "victories among equals",
            *(("victories of people",) if humans else ()),
        ),
        tuple(rows),
        on_terminal=True,
    )


def seats_by_agent_sheet(summary: Summary) -> Sheet:
    """How each agent does from each seat."""
    rows = []
    for name, lines in summary.seat_lines_of.items():
        by_seat = {line.seat: line for line in lines}
        cells = [
            f"{as_share(by_seat[seat].win)}; {as_number(by_seat[seat].score)}"
            if seat in by_seat
            else EMPTY
            for seat in range(summary.seats)
        ]
        rows.append((name, *cells))
    return Sheet(
        "Seats of each agent",
        "Share of victories, and score, of each agent with each seat, alone among copies and at "
        "mixed tables together.",
        ("agent", *(f"seat {seat}" for seat in range(summary.seats))),
        tuple(rows),
    )


def ends_sheet(summary: Summary) -> Sheet:
    """How games ended."""
    ends = summary.ends
    rows = [
        *((f"games {name}", as_share(value)) for name, value in ends.outcomes.items()),
        *((f"ended by: {_REASONS[name]}", as_share(value)) for name, value in ends.reasons.items()),
        *((f"exactly: {name}", f"{value:.1%}") for name, value in ends.together.items()),
    ]
    return Sheet(
        "How games ended",
        "Reasons are shares of the finished games and may hold together. A truncated game has no "
        "winner; in a broken one a player failed, which lost it.",
        ("", "share"),
        tuple(rows),
    )


def lengths_sheet(summary: Summary) -> Sheet:
    """How long games are."""
    rows = [] if summary.rounds is None else [_spread_row("rounds of a game", summary.rounds)]
    if summary.winners is not None:
        rows.append(_spread_row("score of a winner", summary.winners))
    rows += [_spread_row(f"score of {one.agent}", one.scores) for one in summary.habits]
    return Sheet(
        "Lengths and scores",
        "Of finished games: the mean, and least, lower quartile, median, upper quartile and "
        "greatest value.",
        ("", "mean", "least", "quarter", "median", "three quarters", "greatest"),
        tuple(rows),
    )


def _in_use(rows: Sequence[Mapping[str, float]]) -> list[str]:
    """The names at which anybody has something, in the order they have in every row."""
    return [name for name in (rows[0] if rows else ()) if any(row[name] for row in rows)]


def roles_sheet(summary: Summary) -> Sheet:
    """Which roles agents take."""
    played = _in_use([one.roles for one in summary.habits])
    return Sheet(
        "Roles",
        "How often an agent takes each role in a game, on average.",
        ("agent", *(_spoken(role) for role in played)),
        tuple(
            (one.agent, *(f"{one.roles[role]:.2f}" for role in played)) for one in summary.habits
        ),
    )


def buildings_sheet(summary: Summary) -> Sheet:
    """Which buildings agents buy."""
    buildings = list(summary.habits[0].buildings) if summary.habits else []
    return Sheet(
        "Buildings",
        "Share of its games in which an agent owns each building at the end.",
        ("building", *(one.agent for one in summary.habits)),
        tuple(
            (_spoken(name), *(f"{one.buildings[name]:.0%}" for one in summary.habits))
            for name in buildings
        ),
    )


def points_sheet(summary: Summary) -> Sheet:
    """Where the points come from."""
    parts = _in_use([one.points for one in summary.habits])
    return Sheet(
        "Points by source",
        "Mean points of each agent; `vp` are the chips from shipping and privileges. Coins and "
        "barrels are what is left at the end.",
        ("agent", *(_spoken(part) for part in parts), "sum", "coins", "barrels"),
        tuple(
            (
                one.agent,
                *(f"{one.points[part]:.1f}" for part in parts),
                f"{sum(one.points.values()):.1f}",
                f"{one.coins:.1f}",
                f"{one.barrels:.1f}",
            )
            for one in summary.habits
        ),
    )


def pace_sheet(summary: Summary) -> Sheet:
    """How long agents think, and their faults."""
    kinds = sorted({kind for one in summary.pace for kind in one.faults})
    return Sheet(
        "Thinking time and faults",
        "Milliseconds for each decision that left a choice, at all seats of an agent."
        + (" A game is broken by its first fault." if kinds else " Nobody made a fault."),
        ("agent", "ms a decision", "decisions a game", "seats", *kinds, "games broken"),
        tuple(
            (
                one.agent,
                _milliseconds(one.milliseconds),
                f"{one.decisions:.0f}",
                f"{one.seats:,}",
                *(str(one.faults.get(kind, 0)) for kind in kinds),
                str(one.games_broken),
            )
            for one in summary.pace
        ),
        on_terminal=True,
    )


def plans_sheet(summary: Summary) -> Sheet:
    """How many deals would make the shares how sure."""
    return Sheet(
        "How many deals would do",
        "Deals in all for a 95% interval of 2 points and of 1 point either way, as measured from "
        "how much deals differed here. The design effect is the variance against that of as many "
        "independent games: below 1, playing each deal from every seat saves games.",
        ("agent", "tables", "design effect", "±2 points", "±1 point", "games a deal"),
        tuple(
            (
                plan.agent,
                plan.tables,
                EMPTY if math.isnan(plan.effect) else f"{plan.effect:.2f}",
                *("too few deals" if deals is None else f"{deals:,}" for deals in plan.deals),
                f"{plan.games_per_deal:.1f}",
            )
            for plan in summary.plans
        ),
    )


_SPECIAL: Final = re.compile(r"([\\`*<|~]|^[\[>#+-](?!\d|$)|\](?=[\[(])|(?<![^\W_])_|_(?![^\W_]))")
"""What Markdown would read as more than a letter; brackets only where they could begin a link."""
_REASONS: Final = {
    "city": "a full city",
    "vp": "no chips left",
    "workers": "too few workers",
}
_SHOWING_NOTE: Final = (
    "Margins are to the best and to the mean of the others' scores; the rank is the place, ties "
    "sharing the mean of theirs. Scores, margins and ranks are those of finished games."
)
_SHOWING_COLUMNS: Final = (
    "agent",
    "victories",
    "score",
    "margin to the best",
    "margin to the others",
    "rank",
    "games",
    "deals",
)
_FAST_MS: Final = 1.0


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(summary: Summary, agent: str, opponent: str) -> str:
    showing = summary.matrix.get((agent, opponent))
    return EMPTY if showing is None else as_share(showing.win)


def _showing_row(one: Showing) -> tuple[str, ...]:
    return (
        one.agent,
        as_share(one.win),
        as_number(one.score),
        as_number(one.margin_best, signed=True),
        as_number(one.margin_others, signed=True),
        as_number(one.rank, digits=2),
        f"{one.win.count:,}",
        f"{one.win.deals:,}",
    )


def _bounded(line: Rating, value: Estimate, digits: int) -> str:
    if line.bound == "unknown":
        return "never met the others"
    if line.bound:
        return f"{line.bound} about {value.mean:.{digits}f}"
    if value.error == 0:  # all others are measured from this one
        return f"{value.mean:.{digits}f}"
    return as_number(value, digits=digits)


def _human_note(humans: HumanGames | None, winners: Spread | None) -> str:
    if humans is None:
        return ""
    low, high = humans.scores
    even = 1 / len(humans.wins)
    error = NORMAL_95 * math.sqrt(even * (1 - even) / humans.games)
    least, most = humans.winners
    own = ""
    if winners is not None:
        own = f" Here winners have {winners.percentiles[0]:.0f} to {winners.percentiles[-1]:.0f}."
    return (
        f" For reference, {humans.games} tournament games of four people: mean scores of {low} to "
        f"{high} by seat, winners with {least} to {most} points; so many games tell a seat's share "
        f"of the victories to {error:.0%} either way.{own}"
    )


def _spread_row(name: str, spread: Spread) -> tuple[str, ...]:
    return (name, as_number(spread.mean), *(f"{value:.0f}" for value in spread.percentiles))


def _milliseconds(estimate: Estimate) -> str:
    return as_number(estimate, digits=4 if estimate.mean < _FAST_MS else 1)


def _chance(p_value: float) -> str:
    return as_chance(p_value).removeprefix("p ").removeprefix("= ")


def _spoken(name: str) -> str:
    """An engine id as people write it."""
    return name.replace("_", " ")
