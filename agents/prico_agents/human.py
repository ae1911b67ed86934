"""A person at the keyboard: sees the table and what is allowed, and types a decision."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TextIO

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from prico_agents.base import View
from prico_env import Game, RuleSet
from prico_env.errors import IllegalActionError, PricoError
from prico_env.render import anchor_of, render_text
from prico_env.render.terminal import WIDTH
from prico_env.text.localization import edition_words, language_of
from prico_env.text.parsing import read_answer
from prico_env.text.terms import capital

LEAVING: Final = ("quit", "exit", "q")
HOW_TO_ANSWER: Final = (
    "Type an action: its number, its name, its words, or a beginning that only one action has."
)
_NARROWEST: Final = 40
"""Columns below which a board is not laid out any narrower."""
_GROUPS: Final = {
    "role": ("label", "roles"), "row": ("term", "row"), "deck": ("term", "deck"),
    "quarries": ("term", "quarries"), "forests": ("term", "forests"), "shop": ("label", "shop"),
    "ship": ("label", "ships"), "house": ("label", "house"), "goods": ("term", "goods"),
    "island": ("term", "island"), "city": ("term", "city"), "portrait": ("term", "portrait"),
    "register": ("term", "register"), "drawn": ("label", "drawn"),
}  # fmt: skip
"""What the places of the table are called: a label of ours, or a term of the edition."""


class LeaveGameError(PricoError):
    """The person at the keyboard wants to stop."""


class Command(NamedTuple):
    """Something that can be typed beside actions.

    Attributes:
        help: What it does, in a few words.
        run: Does it, given the rest of the line; it may raise a `PricoError`, which is shown.
    """

    help: str
    run: Callable[[str], None]


class Keyboard:
    """Asks a person at a terminal, or whoever writes into its place."""

    def __init__(
        self,
        console: Console | None = None,
        source: TextIO | None = None,
        commands: Mapping[str, Command] | None = None,
    ) -> None:
        """Write to a console and read from a source; by default the terminal.

        Args:
            console: Where the table is shown.
            source: Where answers come from, a line each.
            commands: What else can be typed, by its word.
        """
        self.console = console or Console(highlight=False)
        self.source = source
        self._more = dict(commands or {})

    def ask(self, game: Game, seat: int, board: bool = True) -> int:
        """Show the table to a seat, and ask until the answer is an allowed action.

        Args:
            game: The game.
            seat: Who has to decide.
            board: Whether to show the board; what is allowed is always shown.

        Raises:
            LeaveGameError: The person has left, or there are no more lines to read.
        """
        commands = self._commands(game, seat)
        if board:
            self.show_board(game, seat)
        self.show_choices(game, seat)
        while True:
            line = self.line(f"seat {seat} ({game.phase})> ")
            word, _, rest = line.partition(" ")
            try:
                if word.casefold() in commands:
                    commands[word.casefold()].run(rest.strip())
                elif line:
                    return read_answer(game, line)
                else:
                    self.say(HOW_TO_ANSWER + " 'help' tells what else.")
            except LeaveGameError:
                raise
            except IllegalActionError as error:
                self.say(f"{error}; 'list' shows what is allowed", "yellow")
            except PricoError as error:
                self.say(str(error), "yellow")

    def say(self, text: str, style: str = "") -> None:
        """Print a text as it is, on as many lines as it needs."""
        self.console.print(Text(text, style))

    def show_board(self, game: Game, seat: int | None) -> None:
        """Print the board as a seat sees it; None for nobody in particular."""
        has_colour = self.console.color_system is not None
        width = max(_NARROWEST, min(WIDTH, self.console.width))
        self.console.print(Text.from_ansi(render_text(game, seat, has_colour, width)))

    def show_choices(self, game: Game, seat: int) -> None:
        """Print what is allowed, grouped by where it is on the table."""
        self.console.print(choices_table(game, seat))

    def _commands(self, game: Game, seat: int) -> dict[str, Command]:
        """What can be typed beside actions."""

        def leave(rest: str) -> None:
            raise LeaveGameError("you left the game")

        leaving = Command("leaves the game", leave)
        commands = {
            "board": Command("shows the table again", lambda rest: self.show_board(game, seat)),
            "list": Command("shows what is allowed", lambda rest: self.show_choices(game, seat)),
            **self._more,
            "help": Command("shows this", lambda rest: self._help(commands)),
            **dict.fromkeys(LEAVING, leaving),
        }
        return commands | {"?": commands["help"]}

    def _help(self, commands: Mapping[str, Command]) -> None:
        table = Table.grid(padding=(0, 2))
        for word, command in commands.items():
            if word not in (*LEAVING[1:], "?"):
                table.add_row(Text(word, "bold"), command.help)
        self.say(HOW_TO_ANSWER + " Also:")
        self.console.print(table)

    def line(self, prompt: str) -> str:
        """A line without the spaces around it."""
        try:
            line = self.console.input(f"[bold]{escape(prompt)}[/bold]", stream=self.source)
        except EOFError:
            line = ""
            ended = True
        else:
            ended = self.source is not None and line == ""
        if ended:
            self.console.print()
            raise LeaveGameError("there is nothing more to read")
        return line.strip()


class Human:
    """A person: sees the board and the allowed actions, and types one of them."""

    def __init__(self, source: TextIO | None = None, screen: TextIO | None = None) -> None:
        """Read from ``source`` and write to ``screen``; by default the terminal."""
        console = None if screen is None else Console(file=screen, highlight=False)
        self._keyboard = Keyboard(console, source)

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game."""
        self._keyboard.say(f"You have seat {seat}. {HOW_TO_ANSWER} 'help' tells what else.")

    def act(self, view: View) -> int:
        """Show the board, and ask until the answer is an allowed action.

        Raises:
            LeaveGameError: The person has left.
        """
        return self._keyboard.ask(view.game, view.seat)


def choices_table(game: Game, seat: int) -> Table:
    """Lay out what is allowed: number, name and sentence, grouped by the place on the table."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold", style="cyan")
    table.add_column(overflow="fold")
    groups: dict[str, list[int]] = {}
    for action in game.legal_actions():
        groups.setdefault(_group(game, action, seat), []).append(action)
    without = groups.pop("", [])
    for group, actions in (*groups.items(), ("", without)):
        if group and len(groups) > 1:
            table.add_row("", Text(group, "bold"), "")
        for action in actions:
            table.add_row(str(action), game.name(action), game.describe(action))
    return table


def _group(game: Game, action: int, seat: int) -> str:
    """What the place of an action is called; empty for one without a place."""
    place = anchor_of(game, action, seat).partition("-")[0]
    kind, key = _GROUPS.get(place, ("", ""))
    edition = game.rules.edition
    words = language_of(edition).labels if kind == "label" else edition_words(edition).terms
    return capital(words[key]) if kind else ""
