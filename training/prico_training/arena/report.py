"""What a tournament leaves for people: a page that tells the story, tables and pictures."""

import csv
import functools
import io
import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import yaml

from prico_env.core.scoring import SCORE_PARTS
from prico_env.vocabulary import BUILDINGS, ROLES
from prico_training.arena.comparisons import Showing
from prico_training.arena.game_table import ENDS, OUTCOMES, GameTable
from prico_training.arena.plots import draw_all
from prico_training.arena.report_tables import all_sheets, escape
from prico_training.arena.results import read_games, read_settings
from prico_training.arena.settings import FORMATS
from prico_training.arena.statistics import Estimate, counted
from prico_training.arena.story import headline
from prico_training.arena.summary import Summary, summarise
from prico_training.files import write_text

if TYPE_CHECKING:
    from rich.table import Table

REPORT_FILE: Final = "report.md"
NUMBERS_FILE: Final = "report.json"
AGENTS_FILE: Final = "agents.csv"
RATINGS_FILE: Final = "ratings.csv"
SEATS_FILE: Final = "seats.csv"

_CHUNK: Final = 8192
"""Games written to the table of seats at a time."""
_DIGITS: Final = 6
"""Digits after the point in tables for programs."""


def write_report(folder: Path) -> Summary:
    """Read the games of a tournament and write everything they say beside them.

    Args:
        folder: Where `games.jsonl` and `settings.yaml` are.

    Returns:
        What the files say.

    Raises:
        PricoError: There is no tournament, or its games cannot be read.
    """
    settings = read_settings(folder)
    table = GameTable.of(read_games(folder))
    summary = summarise(table)
    write_seats(folder / SEATS_FILE, table)
    write_text(folder / AGENTS_FILE, _agents_csv(summary))
    write_text(folder / RATINGS_FILE, _ratings_csv(summary))
    numbers = json.dumps(summary.to_dict(), indent=1, allow_nan=False)
    write_text(folder / NUMBERS_FILE, numbers)
    pictures = draw_all(folder, summary)
    write_text(folder / REPORT_FILE, _page(folder.name, summary, pictures, settings))
    return summary


def report_tables(summary: Summary) -> "list[Table]":
    """The tables that matter most, as the terminal shows them."""
    return [sheet.rich() for sheet in all_sheets(summary) if sheet.on_terminal]


def _page(name: str, summary: Summary, pictures: dict[str, str], settings: dict[str, Any]) -> str:
    lines = [
        f"# Tournament {escape(name)}",
        "",
        f"{counted(len(summary.agents), 'agent')}, {summary.seats} seats: "
        f"{counted(summary.games, 'game')} of {counted(summary.deals, 'deal')}. Every interval is "
        "a 95% interval with the deal, not the game, as the independent unit.",
        "",
        *(f"- {escape(sentence)}" for sentence in headline(summary)),
        "",
    ]
    for sheet in all_sheets(summary):
        lines += sheet.markdown()
        lines += [
            f"![{picture.removesuffix('.png')}]({picture})\n"
            for picture, title in pictures.items()
            if title == sheet.title
        ]
    lines += [*_fit_lines(summary), *_files_lines(), "## What was played", ""]
    lines += [f"    {line}" for line in yaml.safe_dump(settings, sort_keys=False).splitlines()]
    return "\n".join([*lines, ""])


def _fit_lines(summary: Summary) -> list[str]:
    fit = summary.fit
    if fit is None:
        return []
    agent, opponent = (escape(name) for name in fit.pairing)
    return [
        "## How far to trust the ratings",
        "",
        f"From the ratings one can work out the matrix. They miss its shares by {fit.typical:.1%} "
        f"as a rule, and most for {agent} among copies of {opponent}: {fit.expected:.1%} expected, "
        f"{fit.measured:.1%} measured.",
        "",
    ]


def _files_lines() -> list[str]:
    return [
        "## Files",
        "",
        f"- `{SEATS_FILE}`: a row for each game and seat, with everything that was counted",
        f"- `{AGENTS_FILE}`: a row for each agent at each kind of table, with intervals",
        f"- `{RATINGS_FILE}`: ratings of agents and terms of seats, with intervals",
        f"- `{NUMBERS_FILE}`: every number of this page",
        "",
    ]


# -- tables for programs ---------------------------------------------------------------------------


def _agents_csv(summary: Summary) -> str:
    """A row for each agent over all tables of a kind, and for each cell of the matrix."""
    measures = ("win", "score", "margin_best", "margin_others", "rank")
    ends = [f"{name}{end}" for name in measures for end in ("", "_low", "_high")]
    rows: list[Sequence[object]] = [("agent", "tables", "opponent", "games", "deals", *ends)]
    kinds: tuple[tuple[str, Sequence[Showing]], ...] = (
        ("alone", summary.alone),
        ("alone", tuple(summary.matrix.values())),
        ("mixed", summary.mixed),
    )
    for kind, showings in kinds:
        for one in showings:
            numbers = [number for name in measures for number in _numbers(getattr(one, name))]
            start = (one.agent, kind, one.opponent or "", one.win.count, one.win.deals)
            rows.append((*start, *numbers))
    return _as_csv(rows)


def _ratings_csv(summary: Summary) -> str:
    """A row for each agent, then for each seat."""
    head = "kind,name,elo,elo_low,elo_high,log,log_low,log_high,best_place,worst_place,above_next"
    rows: list[Sequence[object]] = [(*head.split(","), "bound")]
    for line in summary.ratings.agents if summary.ratings else ():
        above = "" if line.above_next is None else _number(line.above_next)
        places = (line.best_place, line.worst_place, above, line.bound)
        rows.append(("agent", line.agent, *_numbers(line.elo), *_numbers(line.log), *places))
    rows += [
        ("seat", term.seat, "", "", "", *_numbers(term.log), "", "", "", "")
        for term in (summary.ratings.seats if summary.ratings else ())
    ]
    return _as_csv(rows)


def _numbers(estimate: Estimate) -> tuple[str, str, str]:
    """Mean and ends; empty where they are not known."""
    return _number(estimate.mean), _number(estimate.low), _number(estimate.high)


def _number(value: float) -> str:
    return f"{value:.{_DIGITS}g}" if math.isfinite(value) else ""


def _as_csv(rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def write_seats(path: Path, table: GameTable) -> None:
    """Write a flat row for each seat of each game, as tables of other libraries want it."""
    columns = dict(_seat_columns(table))
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for start in range(0, table.games, _CHUNK):
            games = slice(start, start + _CHUNK)
            writer.writerows(zip(*(column(games) for column in columns.values()), strict=True))
    os.replace(beside, path)


def _seat_columns(table: GameTable) -> Iterator[tuple[str, Callable[[slice], list[Any]]]]:
    """The columns of the table of seats: each gives its cells for a slice of the games."""

    def by_game(column: np.ndarray) -> Callable[[slice], list[Any]]:
        return lambda games: np.repeat(column[games], table.seats).tolist()

    def by_seat(column: np.ndarray) -> Callable[[slice], list[Any]]:
        return lambda games: column[games].reshape(-1).tolist()

    seats = np.broadcast_to(np.arange(table.seats), table.table.shape)
    yield "line_up", by_game(table.line_up)
    yield "format", by_game(np.where(table.copies, *FORMATS))
    yield "deal", by_game(table.deal)
    yield "seed", by_game(table.seed)
    yield "outcome", by_game(np.array(OUTCOMES)[table.outcome])
    yield "rounds", by_game(table.rounds)
    yield "end", by_game(_end_words()[table.end @ (1 << np.arange(len(ENDS)))])
    yield "seat", by_seat(seats)
    yield "agent", by_seat(np.array(table.agents, dtype=object)[table.table])
    yield "win", by_seat(np.round(table.wins, _DIGITS))
    yield "place", by_seat(table.places)
    yield "rank", by_seat(table.ranks)
    yield "score", by_seat(table.scores)
    yield "margin_best", by_seat(table.margin_best)
    yield "margin_others", by_seat(np.round(table.margin_others, _DIGITS))
    yield "coins", by_seat(table.coins)
    yield "barrels", by_seat(table.goods)
    yield "decisions", by_seat(table.decisions)
    yield "seconds", by_seat(np.round(table.seconds, _DIGITS))
    for number, part in enumerate(SCORE_PARTS):
        yield f"from_{part}", by_seat(table.parts[:, :, number])
    for number, role in enumerate(ROLES):
        yield f"role_{role}", by_seat(table.roles[:, :, number])
    yield "built", functools.partial(_built, table)
    yield "fault", by_seat(_fault_kinds(table))


def _end_words() -> np.ndarray:
    """The reasons of an end in words, by their bits."""
    return np.array(
        [
            "+".join(name for place, name in enumerate(ENDS) if bits >> place & 1)
            for bits in range(1 << len(ENDS))
        ]
    )


def _built(table: GameTable, games: slice) -> list[str]:
    """The buildings of each seat, with spaces between."""
    built = table.built[games].reshape(-1, len(BUILDINGS))
    names = np.array(BUILDINGS, dtype=object)[np.nonzero(built)[1]].tolist()
    ends = np.cumsum(built.sum(axis=1)).tolist()
    return [" ".join(names[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def _fault_kinds(table: GameTable) -> np.ndarray:
    """The first fault of each seat, empty where there was none."""
    kinds = np.full(table.table.shape, "", dtype=object)
    for fault in reversed(table.faults):
        kinds[fault.game, fault.seat] = fault.kind
    return kinds
