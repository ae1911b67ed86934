"""A tournament from beginning to end, and on after a stop."""

import collections
import contextlib
import math
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import yaml
from rich.console import Console

from prico_env import Game
from prico_env.arguments import instance, instance_or_none, path
from prico_training.arena.comparisons import block_differences, block_win_rates
from prico_training.arena.game_table import GameTable
from prico_training.arena.match import what_failed
from prico_training.arena.results import (
    SETTINGS_FILE,
    GameLine,
    GamesFile,
    ResultsError,
    read_games,
    read_settings,
)
from prico_training.arena.roster import Roster
from prico_training.arena.schedule import make_schedule, work_units
from prico_training.arena.sequential import Sprt, Verdict
from prico_training.arena.settings import Tournament, check_goes_on, tournament_from
from prico_training.arena.supervisor import Pool
from prico_training.arena.worker import FinishedGame, Limits, WorkerSettings
from prico_training.errors import StorageError
from prico_training.files import remove_unfinished, write_text, writing
from prico_training.interrupt import Interruptions
from prico_training.machine import machine, usable_cores
from prico_training.progress import GamesProgress, print_plain

LOG_FILE: Final = "agents.log"
"""What agents print."""
VERSIONS: Final = "versions"
"""Where the file of settings says what was played with."""
_ANSWER: Final = "prico: stopping; games that have ended are kept"
"""What a person who stops is told at once."""
_LOOK_AGAIN: Final = 1.05
"""By how much complete deals grow before a stopping rule looks again."""


@dataclass(frozen=True)
class StopRule:
    """When enough is known about an agent."""

    test: Sprt
    """The test."""
    agent: str
    """Whose win rate it is about."""
    rival: str | None = None
    """If anybody, it is about the difference to this one's share."""

    def verdict(self, games: Iterable[GameLine]) -> Verdict:
        """Say what is known from these games."""
        table = GameTable.of(games)
        if self.rival is None:
            return self.test.decide(block_win_rates(table, self.agent))
        return self.test.decide(block_differences(table, self.agent, self.rival))


@dataclass(frozen=True)
class TournamentResult:
    """How a tournament stands when it stops."""

    folder: Path
    """Where everything is."""
    played: int
    """Games played so far."""
    planned: int
    """Games there are."""
    interrupted: bool
    """Whether a person stopped it."""
    verdict: Verdict | None = None
    """What a stopping rule said last; None without one."""


def new_folder(runs: Path) -> Path:
    """A name for the folder of a new tournament."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    folder = runs / f"arena-{stamp}"
    number = 1
    while folder.exists():
        number += 1
        folder = runs / f"arena-{stamp}-{number}"
    return folder


def read_tournament(folder: Path) -> Tournament:
    """Return the tournament of a folder.

    Raises:
        PricoError: There is none, or its settings cannot be read.
    """
    fields = read_settings(folder)
    fields.pop(VERSIONS, None)
    return tournament_from(fields)


def play_tournament(
    tournament: Tournament,
    folder: str | os.PathLike[str],
    *,
    stop: StopRule | None = None,
    limits: Limits | None = None,
    console: Console | None = None,
) -> TournamentResult:
    """Play what is missing of a tournament.

    Args:
        tournament: Its settings.
        folder: Where its games are, or will be.
        stop: When it may end early.
        limits: How long agents may take; by default what the settings say.
        console: Where its progress shows.

    Raises:
        PricoError: The folder holds another tournament, or an agent cannot take part.
    """
    folder = path(folder, "the folder of a tournament")
    instance(tournament, Tournament, "what is played is a Tournament")
    instance_or_none(stop, StopRule, "what may end it early is a StopRule")
    instance_or_none(limits, Limits, "how long agents may take is Limits")
    instance_or_none(console, Console, "where progress shows is a Console")
    is_known, was_there = os.path.exists(folder / SETTINGS_FILE), os.path.exists(folder)
    if is_known:
        check_goes_on(read_tournament(folder), tournament, folder)
    standing = _Standing(tournament, stop)
    with GamesFile(folder) as file, Interruptions(_ANSWER) as interruptions:
        try:
            remove_unfinished(folder)
            standing.read(file)
            if standing.left and not standing.knows_enough:
                _play(standing, file, folder, interruptions, limits, console or Console())
        except StorageError as error:
            if not (folder / SETTINGS_FILE).exists():
                raise
            raise StorageError(
                f"{error}; {standing.played:,} games are kept, go on with: "
                f"prico arena --resume {folder}"
            ) from None
        finally:
            _remove_empty(folder / LOG_FILE)
            if not was_there and not os.path.exists(folder / SETTINGS_FILE):
                shutil.rmtree(folder, ignore_errors=True)  # nothing has begun
    return TournamentResult(
        folder,
        standing.played,
        standing.played + standing.left,
        interruptions.happened,
        standing.verdict,
    )


def _play(
    standing: "_Standing",
    file: GamesFile,
    folder: Path,
    interruptions: Interruptions,
    limits: Limits | None,
    console: Console,
) -> None:
    """Find out who can take part, and play."""
    tournament, schedule = standing.tournament, standing.schedule

    def keep_going() -> bool:
        return not interruptions.happened and not standing.knows_enough

    settings = WorkerSettings(
        tournament.game,
        tournament.agents,
        tournament.seed,
        limits or Limits(move=tournament.move_seconds),
        folder / LOG_FILE,
    )
    with writing(folder / LOG_FILE):
        (folder / LOG_FILE).touch()  # here, where it is said if that cannot be
    roster = Roster(schedule, tournament.names, tournament.max_faults, standing.faults)
    processes = min(
        tournament.processes or usable_cores(), max(standing.left, len(tournament.agents))
    )
    Game(tournament.game)  # compiles the rules, if need be, before every process does
    planned = standing.played + standing.left
    with (
        Pool(settings, processes) as pool,
        GamesProgress(standing.played, planned, console, "arena", "probing the agents") as progress,
    ):
        roster.probe(pool, keep_going)
        if not keep_going():
            return
        for name, fault in roster.disqualified.items():
            print_plain(console, f"{name} loses every game: {what_failed(fault.text)}")
        _write_settings(tournament, folder)
        kinds = [roster.kind(number) for number in range(len(schedule.line_ups))]
        work = work_units(schedule, kinds, standing.missing)
        for line_up, games in roster.play(pool, work, keep_going):
            new = standing.take(line_up, games)
            file.append([game.line for game in new])
            standing.look(file)
            progress.show(standing.played, standing.shares())


def _remove_empty(log: Path) -> None:
    """Remove a log to which nobody has printed anything."""
    with contextlib.suppress(OSError):
        if log.stat().st_size == 0:
            log.unlink()


def _write_settings(tournament: Tournament, folder: Path) -> None:
    """Write the settings where there are none yet, or where there are more deals now."""
    if (folder / SETTINGS_FILE).exists() and read_tournament(folder) == tournament:
        return
    fields = {**tournament.to_dict(), VERSIONS: machine()}
    write_text(folder / SETTINGS_FILE, yaml.safe_dump(fields, sort_keys=False))


class _Standing:
    """What has been played, and what it says so far.

    Attributes:
        tournament: What is played.
        schedule: All its games.
        missing: Which games are left, bool, shape ``(deals, num_line_ups)``.
        played: How many have been played.
        left: How many have not.
        faults: Games that each agent broke.
        verdict: What the stopping rule said last; None without one.
    """

    def __init__(self, tournament: Tournament, stop: StopRule | None) -> None:
        self.tournament = tournament
        self.schedule = make_schedule(tournament)
        self.missing = self.schedule.planned()
        self.left = int(self.missing.sum())
        self.played = 0
        self.faults: collections.Counter[str] = collections.Counter()
        self.verdict: Verdict | None = None
        self._stop = stop
        self._next_look = 1
        self._left_of_deal = self.missing.sum(axis=1)
        self._wins: collections.defaultdict[str, float] = collections.defaultdict(float)
        self._seats: collections.Counter[str] = collections.Counter()

    @property
    def knows_enough(self) -> bool:
        """Whether the stopping rule has decided."""
        return self.verdict is not None and self.verdict.is_final

    def read(self, file: GamesFile) -> None:
        """Enter the games that a file holds already.

        Raises:
            ResultsError: It holds games of another tournament.
        """
        for game in read_games(file.path):
            line_up, deal = game["line_up"], game["deal"]
            if not self._knows(game):
                raise ResultsError(
                    f"{file.path} holds a game of line-up {line_up} on deal {deal} that is not "
                    "in this tournament"
                )
            self.faults.update({fault["agent"] for fault in game["faults"]})
            self._enter(line_up, deal, game["wins"])
        self.look(file)

    def take(self, line_up: int, games: Iterable[FinishedGame]) -> list[FinishedGame]:
        """Enter games and return those that were missing."""
        new = [game for game in games if self.missing[game.deal, line_up]]
        for game in new:
            self._enter(line_up, game.deal, game.wins)
        return new

    def look(self, file: GamesFile) -> None:
        """Ask the stopping rule, if there is one and it has something new to look at.

        It sees whole deals only: of others, the games that end first would count for more.
        """
        if self._stop is None:
            return
        complete = self._left_of_deal == 0
        deals = int(complete.sum())
        if deals < self._next_look:
            return
        games = (game for game in read_games(file.path) if complete[game["deal"]])
        self.verdict = self._stop.verdict(games)
        self._next_look = max(deals + 1, math.ceil(deals * _LOOK_AGAIN))

    def shares(self) -> list[tuple[str, float]]:
        """Everybody's win rate over all seats so far, best first."""
        shares = [(name, self._wins[name] / seats) for name, seats in self._seats.items()]
        return sorted(shares, key=lambda each: -each[1])

    def _knows(self, game: GameLine) -> bool:
        line_ups, (deals, _) = self.schedule.line_ups, self.missing.shape
        line_up, deal = game["line_up"], game["deal"]
        return (
            0 <= line_up < len(line_ups)
            and 0 <= deal < deals
            and tuple(game["table"]) == line_ups[line_up].table
        )

    def _enter(self, line_up: int, deal: int, wins: Iterable[float]) -> None:
        self.missing[deal, line_up] = False
        self._left_of_deal[deal] -= 1
        self.played += 1
        self.left -= 1
        for name, share in zip(self.schedule.line_ups[line_up].table, wins, strict=True):
            self._wins[name] += share
            self._seats[name] += 1
