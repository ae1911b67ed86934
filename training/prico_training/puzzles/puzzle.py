"""One puzzle, a position with its right answers, and the file of all that come along."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from prico_agents.input_files import read_text
from prico_env import Game
from prico_env.arguments import path
from prico_env.errors import PricoError, quoted
from prico_env.vocabulary import DecisionPoint

HOME: Final = Path(__file__).with_name("puzzles.jsonl")
"""The puzzles that come along, a line of JSON for each."""
NOTEBOOK: Final = "notebook"
SELF_PLAY: Final = "self-play"
SOURCES: Final = (SELF_PLAY, NOTEBOOK)
"""Drawn from games among the agents, or set up by hand and settled in notebook 08."""


class PuzzleError(PricoError):
    """A puzzle is damaged, or an agent cannot decide in it."""


@dataclass(frozen=True)
class Puzzle:
    """A position whose best action is known.

    >>> puzzles = read_puzzles()
    >>> puzzles["a coin on the trader"].answers
    ('role:mayor',)
    >>> puzzles["a coin on the trader"].game().turn
    0

    Attributes:
        name: What it is called; no other has the name.
        source: Where it is from, one of `SOURCES`.
        answers: Names of the right actions; mostly one.
        position: The position, as `Game.to_dict` writes it.
        played: How self-play came there: ``seed``, the deal, and ``actions``, all that were played.
        searches: What each deep search said: ``agent``, ``seed``, ``action``, its ``share`` of the
            simulations, and its ``lead`` in win probability over the best other action.
        rollouts: What games played on say: ``player``, of which ``variants`` in so many ``deals``
            each, the smallest ``lead`` of the answer in win rate over another action, and the
            ``p`` of that lead. The notebook settles its puzzles itself: they have neither
            searches nor rollouts.
    """

    name: str
    source: str
    answers: tuple[str, ...]
    position: dict[str, Any]
    played: Mapping[str, Any] | None = None
    searches: tuple[Mapping[str, Any], ...] = ()
    rollouts: Mapping[str, Any] | None = None

    def game(self) -> Game:
        """A game that stands at the position, with the seat to act to move."""
        return Game.from_dict(self.position)

    @cached_property
    def kind(self) -> DecisionPoint:
        """The kind of decision."""
        return DecisionPoint(int(self.game().state["decision_point"][0]))

    def check(self) -> None:
        """Check that the position can be, and that it leaves something to find out.

        Raises:
            PuzzleError: An answer is not allowed, or all actions are answers.
            PricoError: The position is none.
        """
        game = self.game()
        names = [game.name(action) for action in game.legal_actions()]
        for answer in self.answers:
            if answer not in names:
                allowed = ", ".join(names)
                raise PuzzleError(f"puzzle {self.name!r}: {answer!r} is not one of {allowed}")
        if len(set(self.answers)) in (0, len(names)):
            raise PuzzleError(f"puzzle {self.name!r} has nothing to find out: {self.answers}")

    def to_line(self) -> str:
        """The puzzle as a line of JSON, for `read_puzzles`."""
        return json.dumps(dataclasses.asdict(self))


def read_puzzles(file: str | Path = HOME) -> dict[str, Puzzle]:
    """Read puzzles by their names, from the file that comes along or one of `prico puzzles --make`.

    Raises:
        PuzzleError: The file cannot be read, a line is no puzzle, or two have one name.
    """
    puzzles: dict[str, Puzzle] = {}
    file = path(file, "the file of the puzzles", PuzzleError)
    for number, line in enumerate(read_text(file, PuzzleError).splitlines(), 1):
        where = f"{file}, line {number}"
        puzzle = _read_puzzle(line, where)
        if puzzle.name in puzzles:
            raise PuzzleError(f"{where}: there are two puzzles {puzzle.name!r}")
        puzzles[puzzle.name] = puzzle
    if not puzzles:
        raise PuzzleError(f"{file} holds no puzzles")
    return puzzles


def _read_puzzle(line: str, where: str) -> Puzzle:
    try:
        fields = json.loads(line)
        lists = {name: tuple(fields[name]) for name in ("answers", "searches")}
        puzzle = Puzzle(**fields | lists)
        if not isinstance(puzzle.name, str) or puzzle.source not in SOURCES:
            raise PuzzleError(
                f"name {quoted(puzzle.name)} and source {quoted(puzzle.source)}; a name is text, "
                f"a source {' or '.join(SOURCES)}"
            )
        puzzle.check()
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise PuzzleError(f"{where} is no puzzle: {error}") from None
    return puzzle
