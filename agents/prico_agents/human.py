"""A person at the keyboard: sees the table and what is allowed, and types a decision."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TextIO

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from prico_agents.base import View
from prico_agents.choice_list import FLAT, ChoiceList
from prico_agents.line_editor import read_line
from prico_env import Game, RuleSet
from prico_env.errors import IllegalActionError, PricoError
from prico_env.render import render_text
from prico_env.render.terminal import DETAILS, WIDTH
from prico_env.render.terminal_colours import WARNING
from prico_env.text.localization import edition_words, language_of
from prico_env.text.seats import seat_name
from prico_env.text.terms import capital, terminal_words

LEAVING: Final = ("quit", "exit", "q")
_NARROWEST: Final = 40
"""Columns below which a board is not laid out any narrower."""

Lines = list[list[Segment]]
"""What is shown, a list for each line of the terminal."""


class LeaveGameError(PricoError):
    """The person at the keyboard wants to stop."""


class Command(NamedTuple):
    """Something that can be typed beside actions.

    Attributes:
        help: What it does, in a few words.
        run: Does it, given the rest of the line; it may raise a `PricoError`, which is shown.
        words: What may stand behind it, for Tab.
    """

    help: str
    run: Callable[[str], None]
    words: Callable[[], Iterable[str]] = tuple


class Keyboard:
    """Asks a person at a terminal, or whoever writes into its place.

    A person sees everything that a decision needs at once: what has happened, the board and what is
    allowed fit the terminal, in short where they must, and wait for a key where they cannot. Into a
    pipe goes everything in full, and numbers that come out of one are action numbers.

    Attributes:
        console: Where the table is shown.
        source: Where answers come from; None: the terminal.
        is_interactive: Whether a person sits at a terminal.
        shows_names: Whether actions are shown with the names of the engine, too.
    """

    def __init__(
        self,
        console: Console | None = None,
        source: TextIO | None = None,
        commands: Mapping[str, Command] | None = None,
        is_interactive: bool | None = None,
    ) -> None:
        """Write to a console and read from a source; by default the terminal.

        Args:
            console: Where the table is shown.
            source: Where answers come from, a line each.
            commands: What else can be typed, by its word.
            is_interactive: Whether a person sits there; by default where both are a terminal.
        """
        self.console = console or Console(highlight=False)
        self.source = source
        self._more = dict(commands or {})
        if is_interactive is None:
            is_interactive = self.console.is_terminal and source is None and _is_terminal(sys.stdin)
        self.is_interactive = is_interactive
        self.shows_names = False
        self._more_words = "-- Enter -- "
        self._since_board: int | None = None
        self._unread = 0  # lines that were printed since a person has typed anything

    # -- asking ------------------------------------------------------------------------------------

    def ask(
        self, game: Game, seat: int, board: bool = True, news: Sequence[RenderableType] = ()
    ) -> int:
        """Show the table to a seat, and ask until the answer is an allowed action.

        Args:
            game: The game.
            seat: Who has to decide.
            board: Whether to show the board in any case; else only where it has scrolled away.
            news: What has happened and was not shown yet; it is shortened where there is no room.

        Raises:
            LeaveGameError: The person has left, or there are no more lines to read.
        """
        choices = ChoiceList(game, seat, self.is_interactive)
        self._more_words = terminal_words(game.rules.edition, "enter_shows_more")
        commands = self._commands(game, seat, choices)
        self._show_turn(game, seat, choices, board, news)
        phase = edition_words(game.rules.edition).phase_names[game.phase]
        prompt = f"{seat_name(game.rules.edition, seat, begins=True)} ({capital(phase)})> "
        while True:
            line = self.line(prompt, lambda: self._phrases(choices, commands))
            try:
                action = self._understood(line, choices, commands)
            except LeaveGameError:
                raise
            except IllegalActionError as error:
                hint = terminal_words(game.rules.edition, "list_shows")
                self.say(f"{error}; {hint}", WARNING)
            except PricoError as error:
                self.say(str(error), WARNING)
            else:
                if action is not None:
                    return action

    def _understood(
        self, line: str, choices: ChoiceList, commands: Mapping[str, Command]
    ) -> int | None:
        """The action that a line means; None for a line that means something else."""
        word, _, rest = line.partition(" ")
        edition = choices.game.rules.edition
        if word.casefold() in (_ACTION, _spoken(edition, _ACTION)) and rest.strip():
            return choices.read(f"{FLAT}{rest.strip()}")
        if word.casefold() in commands:
            commands[word.casefold()].run(rest.strip())
            return None
        if line:
            return choices.read(line)
        self.say(how_to_answer(edition, self.is_interactive))
        return None

    def _commands(self, game: Game, seat: int, choices: ChoiceList) -> dict[str, Command]:
        """What can be typed beside actions, by its English word and by that of the language."""
        edition = game.rules.edition

        def leave(rest: str) -> None:
            raise LeaveGameError("you left the game")

        def switch_names(rest: str) -> None:
            self.shows_names = not self.shows_names
            self.say(terminal_words(edition, "names_on" if self.shows_names else "names_off"))
            self.page(self.lines(choices.table(self.shows_names)))

        run: dict[str, Callable[[str], None]] = {
            "board": lambda rest: self.page(self._board(game, seat)),
            "list": lambda rest: self.page(self.lines(choices.table(self.shows_names))),
            "names": switch_names,
            "help": lambda rest: self._help(edition, commands),
            "quit": leave,
        }
        own = {key: Command(terminal_words(edition, f"help_{key}"), run[key]) for key in run}
        leaving = own.pop("quit")
        helping = own.pop("help")
        commands = {**own, **self._more, "help": helping, "quit": leaving}
        for key in [*commands]:
            commands.setdefault(_spoken(edition, key), commands[key])
        return commands | dict.fromkeys(LEAVING, leaving) | {"?": helping}

    def _phrases(self, choices: ChoiceList, commands: Mapping[str, Command]) -> Iterator[str]:
        """What a line may become: words of actions and commands."""
        yield from choices.phrases(self.shows_names)
        for word, command in commands.items():
            yield word
            yield from (f"{word} {each}" for each in command.words())

    def _help(self, edition: str, commands: Mapping[str, Command]) -> None:
        table = Table.grid(padding=(0, 2))
        shown: set[str] = set()
        for word, command in commands.items():
            if word not in (*LEAVING[1:], "?") and command.help not in shown:
                shown.add(command.help)
                table.add_row(Text(_spoken(edition, word), "bold"), Text(command.help))
        table.add_row(
            Text(_spoken(edition, _ACTION), "bold"),
            Text(terminal_words(edition, "help_action")),
        )
        self.say(how_to_answer(edition, self.is_interactive))
        self.page(self.lines(table))

    # -- showing -----------------------------------------------------------------------------------

    def say(self, text: str, style: str = "") -> None:
        """Print a text as it is, on as many lines as it needs."""
        self.show(Text(text, style))

    def show(self, *parts: RenderableType) -> None:
        """Print things one below the other."""
        self._print(self.lines(*parts))

    def show_board(self, game: Game, seat: int | None, below: int = 0) -> None:
        """Print the board, in short where it would scroll away.

        Args:
            game: The game.
            seat: As which seat sees it; None for nobody in particular.
            below: How many lines will follow.
        """
        drawn = self._board(game, seat)
        if self.is_interactive and len(drawn) + below >= self.console.height:
            drawn = self._board(game, seat, "short")
        self._print(drawn)

    def lines(self, *parts: RenderableType) -> Lines:
        """What is to be printed, as lines of this terminal."""
        options = self.console.options
        return [
            line for part in parts for line in self.console.render_lines(part, options, pad=False)
        ]

    def page(self, lines: Lines) -> None:
        """Print lines, and wait for a person to have read them where they would scroll away."""
        room = max(2, self.console.height - 1)
        if not self.is_interactive:
            room = len(lines)
        while len(lines) > room:
            self._print(lines[:room])
            lines = lines[room:]
            if self.line(self._more_words).casefold() in LEAVING:
                return
        self._print(lines)

    def _show_turn(
        self,
        game: Game,
        seat: int,
        choices: ChoiceList,
        board: bool,
        news: Sequence[RenderableType],
    ) -> None:
        """Print what has happened, the board and what is allowed, so that nothing scrolls away."""
        told, grouped = self.lines(*news), self.lines(choices.table(self.shows_names))
        if not self.is_interactive:
            self._print([*told, *(self._board(game, seat) if board else []), *grouped])
            return
        room = self.console.height - 1  # a line is typed below
        short = self.lines(choices.columns(self.console.width))
        least = min(len(grouped), len(short)) + len(self._board(game, seat, DETAILS[-1]))
        if self._unread and self._unread + least > room:
            self.line(terminal_words(game.rules.edition, "enter_shows_list"))
        room -= self._unread
        lists = [grouped] if self.shows_names or len(grouped) <= len(short) else [grouped, short]
        if not board and self._since_board is not None:
            for listed in lists:
                if self._since_board - self._unread + len(told) + len(listed) <= room:
                    self._print([*told, *listed])
                    return
        for detail in DETAILS:
            drawn = self._board(game, seat, detail)
            for listed in lists:
                left = room - len(drawn) - len(listed)
                is_least = detail != DETAILS[0] and listed is lists[-1] and left > 1
                if len(told) <= left or is_least:
                    self._print(_shortened(told, left, game.rules.edition))
                    self._since_board = 0
                    self._print([*drawn, *listed])
                    return
        drawn = self._board(game, seat, "short")
        self.page([*_shortened(told, max(2, room - len(drawn)), game.rules.edition), *drawn])
        self.line(terminal_words(game.rules.edition, "enter_shows_list"))
        self.page(lists[-1])

    def _board(self, game: Game, seat: int | None, detail: str = DETAILS[0]) -> Lines:
        has_colour = self.console.color_system is not None
        width = max(_NARROWEST, min(WIDTH, self.console.width))
        drawn = render_text(game, seat, has_colour, width, detail=detail)
        return self.lines(Text.from_ansi(drawn))

    def _print(self, lines: Lines) -> None:
        for line in lines:
            self.console.print(Segments([*line, Segment.line()]), end="")
        self._unread += len(lines)
        if self._since_board is not None:
            self._since_board += len(lines)

    # -- reading -----------------------------------------------------------------------------------

    def line(self, prompt: str, phrases: Callable[[], Iterable[str]] = tuple) -> str:
        """A line without the spaces around it."""
        ended = False
        try:
            if self.source is None and self.is_interactive:
                has_style = self.console.color_system not in (None, "windows")
                line = read_line(prompt, phrases, has_style)
            else:
                styled = f"[bold]{escape(prompt)}[/bold]"
                line = self.console.input(styled, stream=self.source)
                ended = self.source is not None and line == ""
        except EOFError:
            line, ended = "", True
        self._unread = 0
        if self._since_board is not None:
            self._since_board += 1
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
        how = how_to_answer(rules.edition, self._keyboard.is_interactive)
        self._keyboard.say(f"{terminal_words(rules.edition, 'your_seat', seat=seat)} {how}")

    def act(self, view: View) -> int:
        """Show the board, and ask until the answer is an allowed action.

        Raises:
            LeaveGameError: The person has left.
        """
        return self._keyboard.ask(view.game, view.seat)


def how_to_answer(edition: str, is_counted: bool) -> str:
    """Say what can be typed.

    Args:
        edition: The edition in play.
        is_counted: Whether numbers count within the list, see `ChoiceList`.
    """
    key = "how_to_answer" if is_counted else "how_to_answer_in_a_pipe"
    return terminal_words(edition, key)


_ACTION: Final = "action"
"""What may stand before an action number."""


def _spoken(edition: str, word: str) -> str:
    """The word for a command in the language that is spoken; the English one always works."""
    return language_of(edition).terminal.get(f"word_{word}", word)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _shortened(lines: Lines, most: int, edition: str) -> Lines:
    """The last lines, below one that says how many are left out; all where there is room."""
    if len(lines) <= most:
        return lines
    left = len(lines) - most + 1
    note = Segment(terminal_words(edition, "earlier", count=left))
    return [[note], *lines[left:]]
