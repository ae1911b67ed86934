"""What `prico arena` does with its options."""

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from prico_env import RuleSet, catalog
from prico_training.arena.comparisons import compare
from prico_training.arena.findings import headline
from prico_training.arena.game_table import GameTable
from prico_training.arena.report import report_tables, write_report
from prico_training.arena.results import GAMES_FILE, SETTINGS_FILE, read_games
from prico_training.arena.sample_size import games_needed
from prico_training.arena.schedule import Schedule, make_schedule
from prico_training.arena.sequential import Sprt
from prico_training.arena.settings import Entry, Tournament, tournament_from
from prico_training.arena.tournament import (
    StopRule,
    TournamentResult,
    new_folder,
    play_tournament,
    read_tournament,
)
from prico_training.errors import ConfigError
from prico_training.progress import print_plain
from prico_training.sections import find_settings, read_fields, read_overrides

COMPARE: Final = "compare"
"""The first word, where two candidates are compared."""
_OWN: Final = ("deals", "seed", "seatings", "move_seconds", "processes", "max_faults")
"""Options that are settings of a tournament."""
_WORTHWHILE: Final = 0.05
"""The gain in win rate that a stopping rule looks for, unless it is told."""
_FILES: Final = (".yaml", ".yml")


def run_arena(options: SimpleNamespace) -> bool:
    """Do what was asked; return whether a person stopped it."""
    console = Console()
    if options.report is not None:
        _report(options.report, console)
        return False
    tournament = _tournament(options)
    if options.plan:
        _plan(tournament, options.interval, console)
        return False
    candidates = _candidates(options, tournament)
    stop = _stop_rule(options, tournament, candidates)
    folder = options.resume or options.output or new_folder(Path("runs"))
    outcome = play_tournament(tournament, folder, stop=stop, console=console)
    if outcome.interrupted:
        print(f"Stopped after {outcome.played:,} of {outcome.planned:,} games.")
        if (folder / SETTINGS_FILE).exists():
            print(f"Go on with: prico arena --resume {folder}")
        return True
    _report(folder, console)
    _say_how_it_ended(outcome)
    if candidates:
        print(_compared(folder, *candidates))
    return False


# -- which tournament ------------------------------------------------------------------------------


def _tournament(options: SimpleNamespace) -> Tournament:
    """The tournament that the words and options describe."""
    if options.resume is not None:
        fields: dict[str, Any] = read_tournament(options.resume).to_dict()
        if options.agents or options.against:
            raise ConfigError(f"{options.resume} has its agents; --resume takes no others")
    else:
        fields = _fields_of_words(options)
    given = [name for name in _OWN if getattr(options, name) is not None]
    fields |= read_overrides([f"{name}={getattr(options, name)}" for name in given])
    if options.formats is not None:
        fields["formats"] = list(options.formats)
    fields["game"] = _game_fields(options, fields.get("game", {}))
    return tournament_from(fields)


def _fields_of_words(options: SimpleNamespace) -> dict[str, Any]:
    """Settings from a file, if one is named, with the agents that are named beside it."""
    words = options.agents[1:] if _is_comparison(options) else options.agents
    files = {
        word: read_fields(find_settings(word))
        for word in words
        if word.endswith(_FILES) and Entry.of(word).agent == word
    }
    tournaments = [word for word, page in files.items() if "agents" in page]
    if len(tournaments) > 1:
        raise ConfigError(f"one tournament has one settings file, not {', '.join(tournaments)}")
    fields = dict(files[tournaments[0]]) if tournaments else {}
    agents = fields.get("agents")
    named = list(agents) if isinstance(agents, list) else []
    around = [entry for text in options.against for entry in Entry.several(text)]
    entries = [Entry.of(word) for word in words if word not in tournaments]
    known = {entry.name for entry in entries}
    entries += [entry for entry in around if entry.name not in known]
    fields["agents"] = named + [{"agent": one.agent, "name": one.name} for one in entries]
    if around:
        fields["against"] = [entry.name for entry in around]
    if _is_comparison(options):
        fields["formats"] = ["copies"]
    return fields


def _game_fields(options: SimpleNamespace, game: Any) -> Any:
    """The rule set of the settings, with what the options change of it."""
    given = {
        name: getattr(options, name)
        for name in ("players", "edition", "expansions", "board")
        if getattr(options, name) is not None
    }
    if not given or not isinstance(game, str | dict):
        return game
    fields = read_fields(find_settings(game)) if isinstance(game, str) else dict(game)
    if "board" in given and len(given["board"]) == 1:
        given["board"] = given["board"][0]
    fields |= given
    edition = fields.get("edition", RuleSet().edition)
    if fields.get("expansions") == ("all",) and edition in catalog.names():
        fields["expansions"] = catalog.load(edition).expansions
    return fields


def _is_comparison(options: SimpleNamespace) -> bool:
    return bool(options.agents) and options.agents[0] == COMPARE


def _candidates(options: SimpleNamespace, tournament: Tournament) -> tuple[str, ...]:
    """The two to be compared; empty when that was not asked."""
    if not _is_comparison(options):
        return ()
    candidates = tuple(name for name in tournament.names if name not in tournament.against)
    if len(candidates) != 2 or not tournament.against:  # noqa: PLR2004
        raise ConfigError(
            "a comparison is between two agents and against at least one other: "
            "prico arena compare A B --against C"
        )
    return candidates


def _stop_rule(
    options: SimpleNamespace, tournament: Tournament, candidates: tuple[str, ...]
) -> StopRule | None:
    agent = options.stop_when
    if agent is None:
        if options.bounds is not None:
            raise ConfigError("--bounds are those of --stop-when; name the agent there")
        return None
    if agent not in tournament.names:
        raise ConfigError(f"--stop-when names {agent!r}, who is not in this tournament")
    if not candidates:
        even = 1 / tournament.game.players
        return StopRule(Sprt(*_bounds(options, even)), agent)
    rivals = [name for name in candidates if name != agent]
    if len(rivals) != 1:
        raise ConfigError(f"--stop-when must name {' or '.join(candidates)}, not {agent!r}")
    return StopRule(Sprt.of_difference(*_bounds(options, 0.0)), agent, rivals[0])


def _bounds(options: SimpleNamespace, low: float) -> tuple[float, float]:
    """What is not good enough, and what is."""
    if options.bounds is None:
        return low, low + _WORTHWHILE
    try:
        first, second = map(float, options.bounds.split(","))
    except ValueError:
        raise ConfigError(
            f"--bounds are two numbers with a comma between, such as 0.25,0.30, "
            f"not {options.bounds!r}"
        ) from None
    return first, second


# -- what is said about it -------------------------------------------------------------------------


def _report(folder: Path, console: Console) -> None:
    summary = write_report(folder)
    for table in report_tables(summary):
        console.print(table)
    for sentence in headline(summary):
        print_plain(console, f"- {sentence}")
    print(f"Everything is in {folder}: report.md, tables and pictures, {GAMES_FILE}")


def _say_how_it_ended(outcome: TournamentResult) -> None:
    if outcome.verdict is not None:
        print(f"Sequential test: {outcome.verdict}")
        if outcome.verdict.is_final:
            print("Shares of a tournament that ended early lie a little too far from the bounds.")
    if outcome.played < outcome.planned:
        print(
            f"Stopped after {outcome.played:,} of {outcome.planned:,} games; play the rest with: "
            f"prico arena --resume {outcome.folder}"
        )


def _compared(folder: Path, first: str, second: str) -> str:
    comparison = compare(GameTable.of(read_games(folder)), first, second)
    if comparison is None:
        return f"{first} and {second} never met the same conditions"
    return str(comparison)


def _plan(tournament: Tournament, interval: str, console: Console) -> None:
    """Say how many games there are, and how many a question takes."""
    try:
        half_width = float(interval)
    except ValueError:
        half_width = 0.0
    if not 0 < half_width < 1:
        raise ConfigError(
            f"--interval is half the length of an interval, between 0 and 1, not {interval!r}"
        )
    schedule = make_schedule(tournament)
    planned = schedule.planned().sum()
    table = Table(title=f"{planned:,} games of {tournament.deals:,} deals", title_justify="left")
    for heading in ("format", "line-ups", "games of a deal", "seats of an agent in a deal"):
        table.add_column(heading, justify="right" if heading != "format" else "left")
    table.add_column(f"deals for ±{half_width:.1%}", justify="right")
    for name in tournament.formats:
        cells = _format_cells(tournament, schedule, name, half_width)
        if cells is not None:
            table.add_row(*cells)
    console.print(table)
    print(
        "The deals are those for a 95% interval of each agent's win rate, of each\n"
        "pairing in copies, if the games of a deal were independent; playing each deal from every\n"
        "seat was measured to need 0.4 to 0.9 times as many."
    )


def _format_cells(
    tournament: Tournament, schedule: Schedule, name: str, half_width: float
) -> list[str] | None:
    line_ups = [one for one in schedule.line_ups if one.format == name]
    if not line_ups:
        return None
    players = tournament.game.players
    games = sum(1 / one.turns for one in line_ups)
    seats = float(players)
    if name == "mixed":
        seats = games * players / len(tournament.agents)
    deals = math.ceil(games_needed(half_width, players) / seats)
    return [name, f"{len(line_ups):,}", f"{games:,.4g}", f"{seats:,.4g}", f"{deals:,}"]
