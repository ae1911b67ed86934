"""A person at the keyboard."""

import sys
from typing import Final, TextIO

from agents.base import View
from prico_env import Game, RuleSet
from prico_env.errors import PricoError, did_you_mean
from prico_env.render import render_text

HELP: Final = (
    "Type the number or the name of an action. Also: 'board' shows the table again, "
    "'list' the allowed actions, 'quit' leaves the game."
)


class LeaveGameError(PricoError):
    """The person at the keyboard wants to stop."""


class Human:
    """A person: sees the board and the allowed actions, and types one of them."""

    def __init__(
        self, source: TextIO | None = None, screen: TextIO | None = None, colour: bool = False
    ) -> None:
        """Read from ``source`` and write to ``screen``; by default the terminal."""
        self._source = source
        self._screen = screen
        self._colour = colour

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game."""
        self._say(f"You have seat {seat}. {HELP}")

    def act(self, view: View) -> int:
        """Show the board, and ask until the answer is an allowed action."""
        game = view.game
        self._say(render_text(game, view.seat, self._colour))
        self._list(game, view)
        while True:
            word = self._ask(f"seat {view.seat} ({game.phase})> ")
            if word == "board":
                self._say(render_text(game, view.seat, self._colour))
            elif word == "list":
                self._list(game, view)
            elif word in ("help", "?", ""):
                self._say(HELP)
            else:
                action = self._understand(game, view, word)
                if action is not None:
                    return action

    def _understand(self, game: Game, view: View, word: str) -> int | None:
        """The allowed action a word means; None, after saying why, when it means none."""
        names = {game.name(action): action for action in view.choices}
        action = int(word) if word.isdecimal() else names.get(word)
        if action is None:
            try:
                action = int(game.parse(word))
            except PricoError:
                self._say(f"there is no action {word!r}{did_you_mean(word, names)}")
                return None
        if action in view.choices:
            return action
        self._say(f"{word} is not allowed now; 'list' shows what is.")
        return None

    def _list(self, game: Game, view: View) -> None:
        for action in view.choices:
            self._say(f"  {action:>4}  {game.name(action):<28}{game.describe(action)}")

    def _ask(self, prompt: str) -> str:
        screen, source = self._screen or sys.stdout, self._source or sys.stdin
        screen.write(prompt)
        screen.flush()
        line = source.readline()
        word = line.strip().lower()
        if not line or word in ("quit", "exit", "q"):
            raise LeaveGameError("you left the game")
        return word

    def _say(self, text: str) -> None:
        print(text, file=self._screen or sys.stdout)
