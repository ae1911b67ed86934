"""A game in the terminal: watch agents play, or sit among them, with hints and a way back."""

import contextlib
import functools
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from prico_agents.choice_list import FLAT, ChoiceList
from prico_agents.human import Command, Keyboard, LeaveGameError
from prico_agents.registry import display_name, known_names
from prico_env import RuleSet
from prico_env.streams import printable
from prico_env.text.seats import named_seats
from prico_env.text.terms import printed_words, terminal_words
from prico_training.files import write_text
from prico_training.ui.keeping import Keeper, command_line
from prico_training.ui.seat_names import login_name, names_of_people
from prico_training.ui.session import PERSON, USUAL_ADVISER, LogEntry, Session, SessionError
from prico_training.ui.terminal_cards import building_lines, rule_lines, why_lines
from prico_training.ui.terminal_tables import (
    candidates_table,
    chances_line,
    decision_line,
    decision_lines,
    score_table,
    title,
)
from prico_training.ui.transcripts import read_recorded

if TYPE_CHECKING:
    from prico_agents.analysis import Analysis

_INDENT: Final = 6
"""Columns in front of a reason."""
_ROUNDS_LOGGED: Final = 2
"""Rounds that `log` shows: this one and the one before."""
_LONG: Final = 0.5
"""Seconds after which an agent counts as one that thinks."""
_WHOLE_LOG: Final = "all"


@dataclass(frozen=True)
class DisplayOptions:
    """How a game is shown."""

    delay_seconds: float = 0.0
    """Pause after each decision of an agent."""
    boards: bool = False
    """Whether to show the board at every role choice of an agent."""
    explain: bool = False
    """Whether agents say why, where they can."""


class _UndoneError(Exception):
    """A person has taken decisions back or made them again, so that another question stands."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


def new_session(
    rules: RuleSet, players: Sequence[str], seed: int | None = None, people: Sequence[str] = ()
) -> Session:
    """Set up a new game.

    Args:
        rules: What is played.
        players: An agent's name for each seat, or ``"human"``.
        seed: The deal; None for a new one.
        people: What the people are called, in the order of their seats; a person who is alone is
            called as they are logged in.

    Raises:
        PricoError: There is no such agent, or not as many as seats, or a name cannot be had.
    """
    seats = [seat for seat, player in enumerate(players) if player == PERSON]
    login = login_name() if len(seats) == 1 and not people else None
    names = names_of_people([login] if login else people, seats, len(players))
    return Session(rules, players, seed, names)


def load_session(path: Path, players: Sequence[str] = (), people: Sequence[str] = ()) -> Session:
    """Set up a recorded game to go on with.

    Args:
        path: The record.
        players: An agent's name for each seat, or ``"human"``; by default whom the record names,
            and people at all seats if it names nobody.
        people: What the people are called, in the order of their seats; by default they have the
            names in the record.

    Raises:
        RecordError: It cannot be read, is damaged, or does not replay.
        PricoError: There is no such agent, or not as many as seats, or a name cannot be had.
    """
    recorded = read_recorded(path)
    names = None
    if people:
        seated = players or recorded.players or (PERSON,) * recorded.rules.players
        seats = [seat for seat, player in enumerate(seated) if player == PERSON]
        names = names_of_people(people, seats, len(seated))
    return Session.from_record(recorded.text, players or None, names)


def play_in_terminal(
    session: Session,
    watch: DisplayOptions,
    keeper: Keeper | Path | None = None,
    console: Console | None = None,
    source: TextIO | None = None,
    is_interactive: bool | None = None,
) -> None:
    """Play a game to its end, or until a person leaves, and print every decision.

    Args:
        session: The game and who sits at it.
        watch: How it is shown.
        keeper: Where to keep the record of the game, if anywhere; it is written as each round
            begins, when a person has decided, and when the game ends, however it ends.
        console: Where it is shown; by default the terminal, without colours if that is none.
        source: What people type; by default the terminal.
        is_interactive: Whether a person sits there; by default where both are a terminal.

    Raises:
        StorageError: The record cannot be written there; nothing has been played then.
        PricoError: An agent cannot go on; what was played is saved.
    """
    keeper = keeper if isinstance(keeper, Keeper) else Keeper(keeper)
    console = console or Console(highlight=False)
    with named_seats(session.names):
        _Terminal(session, watch, keeper, console, source, is_interactive).play()


class _Terminal:
    """Shows one session, and asks its people."""

    def __init__(
        self,
        session: Session,
        watch: DisplayOptions,
        keeper: Keeper,
        console: Console,
        source: TextIO | None,
        is_interactive: bool | None,
    ) -> None:
        self.session, self.watch, self.keeper, self.console = session, watch, keeper, console
        self.said: Callable[..., str] = functools.partial(
            terminal_words, session.game.rules.edition
        )
        self.keyboard = Keyboard(console, source, self._commands(), is_interactive)
        self.round_shown = 0
        self.explains = watch.explain
        self.seen = (-1, "")
        self.thinking: set[int] = set()

    def play(self) -> None:
        """Play on to the end, and keep the record whatever happens."""
        session, is_over = self.session, False
        self._say(title(session), "bold")
        self._tell_who_sits_in()
        self.keeper.keep(session)
        if not self._collects:
            self._log("")
        try:
            while not session.game.over:
                self._turn()
            is_over = True
        except LeaveGameError:
            self._say(self.said("left"))
        except KeyboardInterrupt:
            self.console.print()
            raise
        else:
            self._show_end()
        finally:
            self._close(is_over)

    @property
    def _collects(self) -> bool:
        """Whether decisions are shown together, when a person has to decide."""
        is_watched = self.watch.boards or self.watch.delay_seconds > 0
        return self.keyboard.is_interactive and bool(self.session.people) and not is_watched

    def _turn(self) -> None:
        """One decision, by whoever is up."""
        session = self.session
        if session.waits_for_person:
            try:
                self._show(session.choose(self._asked()))
            except _UndoneError as done:
                self._say(self.said(done.key))
                self.seen = (-1, "")
            self._keep()
            return
        if self.watch.boards and session.game.phase == "role":
            self.keyboard.show_board(session.game, session.viewer)
        self._show(self._agent_decides())
        if self.watch.delay_seconds:
            time.sleep(self.watch.delay_seconds)

    def _asked(self) -> int:
        """What a person decides."""
        session, is_new = self.session, not self._goes_on()
        news: list[Text] = []
        if self._collects and self.explains:
            self._page(*self._reasoned_news(session.seat_to_act))
        elif self._collects:
            news = self._news(session.seat_to_act)
        return self.keyboard.ask(session.game, session.seat_to_act, board=is_new, news=news)

    def _agent_decides(self) -> list[LogEntry]:
        """Let an agent decide, and say so where that takes long."""
        session, seat, began = self.session, self.session.seat_to_act, time.monotonic()
        thinks: contextlib.AbstractContextManager[object] = contextlib.nullcontext()
        if self.keyboard.is_interactive and seat in self.thinking:
            thinks = self.console.status(self.said("thinks", agent=session.names[seat]))
        with thinks:
            entries = session.advance(explain=self.explains or bool(session.people))
        if time.monotonic() - began > _LONG:
            self.thinking.add(seat)
        return entries

    def _goes_on(self) -> bool:
        """Whether the person to decide has just decided in the same phase, and saw the board."""
        here = (self.session.seat_to_act, self.session.game.phase)
        seen, self.seen = self.seen, here
        decided = [entry.seat for entry in self.session.log if not entry.forced]
        return seen == here and decided[-1:] == [here[0]]

    def _show_end(self) -> None:
        """Print what happened last, the board and the score."""
        session, viewer = self.session, self.session.viewer
        if self._collects and viewer is not None:
            self._page(*self._news(viewer))
        score = self.keyboard.lines(score_table(session))
        self.keyboard.show_board(session.game, None, len(score))
        self.keyboard.page(score)

    # -- what is kept ------------------------------------------------------------------------------

    def _keep(self) -> None:
        self.keeper.keep(self.session)
        if self.keeper.problem:
            self._say(self.said("not_kept", reason=self.keeper.problem))
            self.keeper.problem = ""

    def _close(self, is_over: bool) -> None:
        """Keep the record, and say how to go on with it."""
        self._keep()
        path = self.keeper.path
        if path is None:
            return
        self._say(self.said("record", path=path))
        verb = ("replay",) if is_over else ("play", "--load")
        command = command_line("prico", *verb, path)
        line = self.said("look_back" if is_over else "go_on", command=command)
        self.console.print(Text(line), soft_wrap=True)  # so that it can be copied whole

    def _tell_who_sits_in(self) -> None:
        """Say who plays on for whom, and how others could."""
        session = self.session
        for seat, whom in session.sits_in_for.items():
            self._say(self.said("sits_in", agent=session.names[seat], whom=whom))
        if session.sits_in_for:
            command = command_line("prico", "play", "--load", "FILE", *session.players)
            self._say(self.said("others", command=command))

    # -- what was decided --------------------------------------------------------------------------

    def _show(self, entries: Iterable[LogEntry]) -> None:
        """Print decisions, and what those who made them thought if that is wanted."""
        for entry in entries:
            if entry.round != self.round_shown:
                self.round_shown = entry.round
                self._keep()
                if not self._collects:
                    self._say(f"\n{self.said('round', round=entry.round)}", "bold")
            if self._collects:
                continue
            self._print(decision_line(self.session, entry))
            if self.explains and (analysis := self._thought(entry)) is not None:
                self._print(*self._reason_lines(analysis))

    def _news(self, seat: int) -> list[Text]:
        """What a person decided last, and all that has happened since."""
        return decision_lines(self.session, self.session.log[max(0, self._own_last(seat) - 1) :])

    def _reasoned_news(self, seat: int) -> list[RenderableType]:
        """The same with what agents thought of it."""
        parts: list[RenderableType] = []
        for entry in self.session.log[max(0, self._own_last(seat) - 1) :]:
            parts.append(decision_line(self.session, entry))
            if (analysis := self._thought(entry)) is not None:
                parts += self._reason_lines(analysis)
        return parts

    def _thought(self, entry: LogEntry) -> "Analysis | None":
        """What the agent thought that decided; None of people, and of agents that do not say."""
        is_agent = self.session.players[entry.seat] != PERSON
        return self.session.analyses.get(entry.number) if is_agent else None

    def _reason_lines(self, analysis: "Analysis") -> list[RenderableType]:
        return [
            Padding(Text(printable(reason), "dim italic"), (0, 0, 0, _INDENT))
            for reason in analysis.reasons
        ]

    # -- what people can type ----------------------------------------------------------------------

    def _commands(self) -> dict[str, Command]:
        def command(
            key: str, run: Callable[[str], None], words: Callable[[], Iterable[str]] = tuple
        ) -> Command:
            return Command(self.said(f"help_{key}", agent=USUAL_ADVISER), run, words)

        return {
            "hint": command("hint", self._hint, known_names),
            "why": command("why", self._why, self._allowed_words),
            "building": command("building", self._building, self._building_words),
            "rule": command("rule", self._rule),
            "explain": command("explain", self._explain),
            "undo": command("undo", self._undo),
            "redo": command("redo", self._redo),
            "log": command("log", self._log, lambda: (_WHOLE_LOG,)),
            "save": command("save", self._save),
        }

    @property
    def _choices(self) -> ChoiceList:
        """What is allowed now."""
        session = self.session
        return ChoiceList(session.game, session.seat_to_act, self.keyboard.is_interactive)

    def _allowed_words(self) -> Iterable[str]:
        return self._choices.phrases()

    def _building_words(self) -> Iterable[str]:
        return printed_words(self.session.game.rules.edition)["building"].values()

    def _hint(self, name: str) -> None:
        name = name or USUAL_ADVISER
        try:
            with self.console.status(
                self.said("thinks", agent=display_name(name, self.session.game.rules.edition))
            ):
                analysis = self.session.hint(name)
        except KeyboardInterrupt:  # the adviser has nothing to do with the game
            raise SessionError(self.said("hint_called_off")) from None
        self._analysis(analysis, name)

    def _analysis(self, analysis: "Analysis", name: str) -> None:
        """Print what somebody thinks of the decision that stands: chances, candidates, reasons."""
        choices, has_names = self._choices, self.keyboard.shows_names
        would = self.said("would_play", agent=display_name(name, self.session.game.rules.edition))
        words = Text.assemble(f"{would} ", (choices.words(analysis.action), "bold"))
        if has_names:
            words.append(f" ({self.session.game.name(analysis.action)})")
        parts: list[RenderableType] = [words]
        if len(analysis.candidates) > 1:
            parts.append(candidates_table(self.session, analysis, choices, has_names))
        if analysis.chances:
            parts.append(chances_line(self.session, analysis.chances))
        self._page(*parts, *self._reason_lines(analysis))

    def _explain(self, rest: str) -> None:
        self.explains = not self.explains
        self._say(self.said("reasons_on" if self.explains else "reasons_off"))

    def _why(self, word: str) -> None:
        if word:
            with named_seats(self.session.names):
                self._page(*map(Text, why_lines(self.session.game, self._named(word))))
            return
        recent = [
            entry
            for entry in self.session.log[self._own_last(self.session.seat_to_act) :]
            if not entry.forced and entry.number in self.session.analyses
        ]
        if not recent:
            raise SessionError(self.said("no_reasons"))
        parts: list[RenderableType] = []
        for entry in recent:
            parts.append(decision_line(self.session, entry))
            parts += self._reason_lines(self.session.analyses[entry.number])
        self._page(*parts)

    def _named(self, word: str) -> str:
        """What names an action in all games, where a number of the list was typed."""
        if word.isdecimal() and self.keyboard.is_interactive:
            return str(self._choices.read(word))
        return word.removeprefix(FLAT)

    def _building(self, word: str) -> None:
        with named_seats(self.session.names):
            self._page(*map(Text, building_lines(self.session.game, word, self.session.viewer)))

    def _rule(self, word: str) -> None:
        self._page(*map(Text, rule_lines(self.session.game, word)))

    def _own_last(self, seat: int) -> int:
        """Where the log goes on after the last decision of a seat."""
        own = [
            entry.number for entry in self.session.log if entry.seat == seat and not entry.forced
        ]
        return own[-1] + 1 if own else 0

    def _undo(self, rest: str) -> None:
        self.session.undo()
        self.round_shown = self.session.game.round
        raise _UndoneError("back")

    def _redo(self, rest: str) -> None:
        self.session.redo()
        self.round_shown = self.session.game.round
        raise _UndoneError("again")

    def _log(self, rest: str) -> None:
        first = 1 if rest == _WHOLE_LOG else self.session.game.round - _ROUNDS_LOGGED + 1
        parts: list[RenderableType] = []
        shown = 0
        for entry in self.session.log:
            if entry.round < first:
                continue
            if entry.round != shown:
                shown = self.round_shown = entry.round
                parts += [Text(), Text(self.said("round", round=shown), "bold")]
            parts.append(decision_line(self.session, entry))
        self._page(*parts)

    def _save(self, rest: str) -> None:
        if not rest and self.keeper.path is None:
            raise SessionError(self.said("say_where"))
        path = Path(rest) if rest else self.keeper.path
        assert path is not None
        write_text(path, self.session.to_record())
        self._say(self.said("saved", path=path))

    def _say(self, text: str, style: str = "") -> None:
        self.keyboard.say(text, style)

    def _print(self, *parts: RenderableType) -> None:
        self.keyboard.show(*parts)

    def _page(self, *parts: RenderableType) -> None:
        self.keyboard.page(self.keyboard.lines(*parts))
