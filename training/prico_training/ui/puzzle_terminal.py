"""Puzzles in the terminal: one position after the other, and what is said to each answer."""

import json
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TextIO

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from prico_agents.analysis import brief
from prico_agents.human import LEAVING, Command, Keyboard, LeaveGameError
from prico_agents.input_files import read_text
from prico_env.render.terminal_colours import TURN, WARNING
from prico_env.text.localization import edition_words
from prico_env.text.seats import seat_name
from prico_env.text.terms import page_words
from prico_training.errors import ConfigError
from prico_training.files import write_text
from prico_training.progress import new_bar
from prico_training.puzzles.puzzle import Puzzle, PuzzleError, read_puzzles
from prico_training.puzzles.quiz import (
    NATURAL_PLAYERS,
    deadline,
    fresh_puzzles,
    judge_answer,
    misled_players,
    puzzle_key,
    quiz_puzzles,
)
from prico_training.ui.choices import title_of
from prico_training.ui.store import data_folder

FRESH: Final = "puzzles.jsonl"
"""The file of the puzzles that somebody has had found, in their data folder."""
ANSWERED: Final = "puzzle_answers.json"
"""The file that says which puzzles were answered, and whether rightly, in the same folder."""
COUNT: Final = 10
"""Puzzles that are asked at once when nobody says how many."""
_INDENT: Final = 2
_ORDER: Final = 1
"""The seed of the order in which puzzles come when nobody names one."""
_LONGEST_MINUTES: Final = 24 * 60
_SEEDS: Final = 2**31
"""Seeds that new puzzles are looked for with."""


class _SkipError(Exception):
    """The person wants to see the answer."""


class Answered:
    """Which puzzles a person has answered, so that the next ones are others.

    Attributes:
        rights: Whether each was answered rightly, by `puzzle_key`.
    """

    def __init__(self, file: Path | None) -> None:
        """Read what is there; None keeps nothing.

        Raises:
            ConfigError: The file holds something else.
        """
        self._file = file
        self.rights: dict[str, bool] = {}
        if file is None or not file.exists():
            return
        try:
            kept = json.loads(read_text(file, ConfigError))
        except (ValueError, RecursionError):
            kept = None
        if not isinstance(kept, dict) or not all(isinstance(each, bool) for each in kept.values()):
            raise ConfigError(f"{file} does not say which puzzles were answered; move it away")
        self.rights = kept

    def add(self, puzzle: Puzzle, is_right: bool) -> None:
        """Take note of an answer, and keep it."""
        self.rights[puzzle_key(puzzle)] = is_right
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_text(self._file, json.dumps(self.rights, indent=1) + "\n")


def run_puzzle(
    count: int,
    kind: str | None,
    seed: int | None,
    easy: bool,
    new: int | None,
    minutes: float,
    puzzles: Path | None,
) -> None:
    """Carry out `prico puzzle`: look for new puzzles if they are wanted, and ask.

    Args:
        count: How many are asked.
        kind: Of which kind of decision; None for all.
        seed: Decides the order, and all chance of new ones; None for an order that stays the same,
            and for new ones that nobody has seen.
        easy: Whether to ask those, too, in which no natural player errs.
        new: How many new ones to look for.
        minutes: How long to look for them.
        puzzles: The file of the puzzles; None for those that come along and those found before.
    """
    if not 0 < minutes <= _LONGEST_MINUTES:
        raise ConfigError(f"--minutes runs from above 0 to {_LONGEST_MINUTES}, not {minutes}")
    folder = data_folder()
    answered = Answered(None if folder is None else folder / ANSWERED)
    if new is None:
        asked = all_puzzles(puzzles)
    else:
        chance = secrets.randbelow(_SEEDS) if seed is None else seed
        asked, place = find_fresh(new, chance, minutes, puzzles, Console(stderr=True))
        print(f"{len(asked)} new puzzles are in {place}")
    order = quiz_puzzles(asked, kind, _ORDER if seed is None else seed, easy)
    ask_puzzles(order, count, answered)


def all_puzzles(file: Path | None = None) -> dict[str, Puzzle]:
    """Return the puzzles of a file; by default those that come along, and those found here.

    Raises:
        PuzzleError: A file is damaged.
    """
    if file is not None:
        return read_puzzles(file)
    folder = data_folder()
    found = None if folder is None else folder / FRESH
    return read_puzzles() | (read_puzzles(found) if found is not None and found.exists() else {})


def find_fresh(
    count: int, seed: int, minutes: float, file: Path | None, console: Console
) -> tuple[dict[str, Puzzle], Path]:
    """Look for new puzzles for some minutes, and add them to a file.

    Args:
        count: How many are wanted.
        seed: Decides all chance.
        minutes: After so long it is over, however many were found.
        file: Where they go; None for the user's data folder.
        console: Where progress is shown.

    Returns:
        What was found, by name, and the file.

    Raises:
        PuzzleError: The file holds something else, or nothing was found.
        ConfigError: There is no data folder.
    """
    folder = data_folder()
    if file is None and folder is None:
        raise ConfigError("this user has no data folder; name a file for new puzzles: --puzzles")
    place = file or Path(folder or "", FRESH)
    kept = read_puzzles(place) if place.exists() else {}
    found: dict[str, Puzzle] = {}
    goes_on, looked = deadline(minutes), 0
    with new_bar(console) as bar:
        task = bar.add_task("looking for puzzles", total=count, note="")
        for puzzle in fresh_puzzles(seed, goes_on):
            looked += 1
            if puzzle is not None and puzzle.name not in kept:
                found[puzzle.name] = puzzle
                place.parent.mkdir(parents=True, exist_ok=True)
                lines = (f"{each.to_line()}\n" for each in (kept | found).values())
                write_text(place, "".join(lines))
            bar.update(task, completed=len(found), note=f"{looked} positions looked at")
            if len(found) >= count:
                break
    if not found:
        raise PuzzleError(
            f"no puzzle was found in {minutes:g} minutes, among {looked} positions; --minutes "
            "gives more time"
        )
    return found, place


def ask_puzzles(
    puzzles: Sequence[Puzzle],
    count: int = COUNT,
    answered: Answered | None = None,
    console: Console | None = None,
    source: TextIO | None = None,
) -> None:
    """Ask puzzles one after the other, and say how many were answered rightly.

    Args:
        puzzles: The puzzles in their order; those that were not answered yet come first.
        count: How many are asked.
        answered: Which were answered before; it is kept up to date.
        console: Where they are shown; by default the terminal.
        source: What the person types; by default the terminal.
    """
    answered = answered or Answered(None)
    new = [puzzle for puzzle in puzzles if puzzle_key(puzzle) not in answered.rights]
    asked = list(new or puzzles)[:count]
    _Quiz(asked, answered, console or Console(highlight=False), source).ask(not new)


class _Quiz:
    """Asks a person."""

    def __init__(
        self,
        puzzles: list[Puzzle],
        answered: Answered,
        console: Console,
        source: TextIO | None,
    ) -> None:
        self.puzzles = puzzles
        self.answered = answered
        self.console = console
        self.keyboard = Keyboard(console, source)
        self.asked: list[Puzzle] = []
        self.right = 0

    def ask(self, is_again: bool) -> None:
        """Ask all of them, or until the person leaves."""
        if is_again:
            self._say(self.puzzles[0], "puzzle_all_solved")
        try:
            for number, puzzle in enumerate(self.puzzles):
                if (
                    number
                    and self.keyboard.line(self._text(puzzle, "puzzle_next") + "> ") in LEAVING
                ):
                    break
                self._one(puzzle, number)
        except LeaveGameError:
            pass
        if self.asked:
            self._score()

    def _one(self, puzzle: Puzzle, number: int) -> None:
        game = puzzle.game()
        commands = {"skip": Command(self._text(puzzle, "puzzle_skip_help"), self._skip)}
        self.keyboard = Keyboard(self.console, self.keyboard.source, commands)
        where = {"number": number + 1, "count": len(self.puzzles)}
        self._say(puzzle, "puzzle_title", "bold", **where)
        self.keyboard.say(puzzle_about(puzzle))
        try:
            action = self.keyboard.ask(game, game.turn)
            verdict = judge_answer(puzzle, action)
            headline, is_right = verdict.headline, verdict.is_right
        except _SkipError:
            verdict = judge_answer(puzzle, game.parse(puzzle.answers[0]))
            best = brief(game.describe(verdict.best))
            headline, is_right = self._text(puzzle, "puzzle_skipped", best=best), False
        self.asked.append(puzzle)
        self.right += is_right
        self.answered.add(puzzle, is_right)
        self.console.print(Text(headline, TURN if is_right else f"bold {WARNING}"))
        for reason in verdict.reasons:
            self.console.print(Padding(Text(reason), (0, 0, 0, _INDENT)))

    def _score(self) -> None:
        last, asked = self.asked[-1], len(self.asked)
        found = {
            name: sum(name not in misled_players(puzzle) for puzzle in self.asked)
            for name in NATURAL_PLAYERS
        }
        planner = found.pop("planner")
        self._say(last, "puzzle_score", "bold", right=self.right, asked=asked)
        mean = sum(found.values()) / len(found)
        self._say(last, "puzzle_others", planner=planner, others=mean)

    def _skip(self, rest: str) -> None:
        raise _SkipError

    def _text(self, puzzle: Puzzle, key: str, **figures: object) -> str:
        return page_words(puzzle.game().rules.edition, key, **figures)

    def _say(self, puzzle: Puzzle, key: str, style: str = "", **figures: object) -> None:
        self.keyboard.say(self._text(puzzle, key, **figures), style)


def puzzle_about(puzzle: Puzzle) -> str:
    """What is played in a puzzle, where the game stands, and what is asked."""
    game = puzzle.game()
    rules = game.rules
    players = page_words(rules.edition, "replay_players", count=rules.players)
    played = f"{title_of(rules)}, {players}"
    phase = edition_words(rules.edition).phase_names[game.phase]
    where = {"round": game.round, "phase": phase, "who": seat_name(rules.edition, game.turn)}
    return page_words(rules.edition, "puzzle_about", rules=played, **where)
