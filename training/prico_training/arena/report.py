"""What a tournament leaves for people: a page, tables and pictures."""

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import yaml

from prico_env.core.scoring import SCORE_PARTS
from prico_env.vocabulary import BUILDINGS, ROLES
from prico_training.arena.findings import headline
from prico_training.arena.game_table import ENDS, OUTCOMES, GameTable
from prico_training.arena.plots import draw_all
from prico_training.arena.report_tables import all_tables, escape
from prico_training.arena.results import read_games, read_settings
from prico_training.arena.settings import FORMATS
from prico_training.arena.statistics import Estimate, counted
from prico_training.arena.summary import Summary, summarise
from prico_training.files import new_file, write_text

if TYPE_CHECKING:
    from rich.table import Table

REPORT_FILE: Final = "report.md"
NUMBERS_FILE: Final = "report.json"
AGENTS_FILE: Final = "agents.csv"
RATINGS_FILE: Final = "ratings.csv"
SEATS_FILE: Final = "seats.csv"

_RATING_COLUMNS: Final = (
    "kind,name,elo,elo_low,elo_high,log_strength,log_strength_low,log_strength_high,"
    "best_place,worst_place,p_above_next,bound"
)
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
    return [table.rich() for table in all_tables(summary) if table.on_terminal]


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
    for table in all_tables(summary):
        lines += table.markdown()
        lines += [
            f"![{picture.removesuffix('.png')}]({picture})\n"
            for picture, title in pictures.items()
            if title == table.title
        ]
    lines += [*_fit_lines(summary), *_files_lines(), "## What was played", ""]
    lines += [f"    {line}" for line in yaml.safe_dump(settings, sort_keys=False).splitlines()]
    return "\n".join([*lines, ""])


def _fit_lines(summary: Summary) -> list[str]:
    fit = summary.rating_fit
    if fit is None:
        return []
    agent, opponent = (escape(name) for name in fit.pairing)
    return [
        "## How far to trust the ratings",
        "",
        f"From the ratings one can work out the matrix. They miss its shares by {fit.rmse:.1%} "
        f"as a rule, and most for {agent} among copies of {opponent}: {fit.predicted:.1%} "
        f"predicted, {fit.measured:.1%} measured.",
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
    measures = ("win_rate", "score", "margin_best", "margin_others", "rank")
    kinds = (("alone", (*summary.alone, *summary.matrix.values())), ("mixed", summary.mixed))
    return _as_csv(
        {
            "agent": one.agent,
            "tables": kind,
            "opponent": one.opponent or "",
            "games": one.win_rate.count,
            "deals": one.win_rate.deals,
            **_interval_cells({name: getattr(one, name) for name in measures}),
        }
        for kind, performances in kinds
        for one in performances
    )


def _ratings_csv(summary: Summary) -> str:
    """A row for each agent, then for each seat; what a seat has not is empty."""
    agents = summary.ratings.agents if summary.ratings else ()
    seats = summary.ratings.seats if summary.ratings else ()
    rows: list[dict[str, object]] = [
        {
            "kind": "agent",
            "name": line.agent,
            **_interval_cells({"elo": line.elo, "log_strength": line.log_strength}),
            "best_place": line.best_place,
            "worst_place": line.worst_place,
            "p_above_next": "" if line.p_above_next is None else _number(line.p_above_next),
            "bound": line.bound,
        }
        for line in agents
    ]
    rows += [
        {"kind": "seat", "name": term.seat, **_interval_cells({"log_strength": term.log_strength})}
        for term in seats
    ]
    return _as_csv(rows, _RATING_COLUMNS.split(","))


def _interval_cells(estimates: Mapping[str, Estimate]) -> dict[str, str]:
    """Means with the ends of their intervals; empty where they are not known."""
    return {
        f"{name}{end}": _number(value)
        for name, one in estimates.items()
        for end, value in (("", one.mean), ("_low", one.low), ("_high", one.high))
    }


def _number(value: float) -> str:
    return f"{value:.{_DIGITS}g}" if math.isfinite(value) else ""


def _as_csv(rows: Iterable[Mapping[str, object]], head: Sequence[str] = ()) -> str:
    """The rows below the names of their columns, by default those of the first row."""
    rows, text = list(rows), io.StringIO()
    writer = csv.DictWriter(text, head or list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write_seats(path: Path, table: GameTable) -> None:
    """Write a flat row for each seat of each game, as tables of other libraries want it."""
    columns = dict(_seat_columns(table))
    with new_file(path) as beside, beside.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*columns, "built", "fault"])
        faults = _fault_kinds(table)
        for start in range(0, table.games, _CHUNK):
            games = slice(start, start + _CHUNK)
            cells = [_of_seats(column[games], table.seats) for column in columns.values()]
            cells += [_built(table, games), faults[games].reshape(-1).tolist()]
            writer.writerows(zip(*cells, strict=True))


def _of_seats(column: np.ndarray, seats: int) -> list[Any]:
    """A cell for each seat; what a game has once is repeated."""
    return (np.repeat(column, seats) if column.ndim == 1 else column.reshape(-1)).tolist()


def _seat_columns(table: GameTable) -> Iterator[tuple[str, np.ndarray]]:
    """The columns of the table of seats but the last two, by game or by game and seat."""
    yield "line_up", table.line_up
    yield "format", np.where(table.copies, *FORMATS)
    yield "deal", table.deal
    yield "seed", table.seed
    yield "outcome", np.array(OUTCOMES)[table.outcome]
    yield "rounds", table.rounds
    yield "end", _end_words()[table.end @ (1 << np.arange(len(ENDS)))]
    yield "seat", np.broadcast_to(np.arange(table.seats), table.table.shape)
    yield "agent", np.array(table.agents, dtype=object)[table.table]
    yield "win", np.round(table.wins, _DIGITS)
    yield "place", table.places
    yield "rank", table.ranks
    yield "score", table.scores
    yield "margin_best", table.margin_best
    yield "margin_others", np.round(table.margin_others, _DIGITS)
    yield "coins", table.coins
    yield "barrels", table.goods
    for name in ("large_unstaffed", "late", "late_unstaffed"):
        yield name, _if_told(table, getattr(table, name))
    yield "decisions", table.decisions
    yield "seconds", np.round(table.seconds, _DIGITS)
    for number, part in enumerate(SCORE_PARTS):
        yield f"from_{part}", table.parts[:, :, number]
    for number, role in enumerate(ROLES):
        yield f"role_{role}", table.roles[:, :, number]


def _if_told(table: GameTable, column: np.ndarray) -> np.ndarray:
    """A column about purchases or staffing, empty for games that do not tell."""
    return np.where(table.spread(table.tells_staffing), column.astype(object), "")


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
