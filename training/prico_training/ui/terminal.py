"""A game in the terminal: watch agents play, or sit among them, with hints and a way back."""

import functools
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prico_agents.human import Command, Keyboard, LeaveGameError
from prico_env.text.terms import terminal_words
from prico_training.files import write_text
from prico_training.ui.session import PERSON, USUAL_ADVISER, LogEntry, Session, SessionError
from prico_training.ui.terminal_cards import building_lines, rule_lines, why_lines
from prico_training.ui.transcripts import read_recorded, start_in_words

if TYPE_CHECKING:
    from prico_agents.analysis import Analysis

_SEAT_STYLES: Final = ("#56B4E9", "#E69F00", "#00B588", "#CC79A7", "#B5A642")
"""The colours of the seats: lighter than on the page, because terminals are dark."""
_BAR: Final = 12
"""Characters of a whole bar."""
_INDENT: Final = 6
"""Columns in front of a reason."""
_MOST_CANDIDATES: Final = 8
_ROUNDS_LOGGED: Final = 2
"""Rounds that `log` shows: this one and the one before."""


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
    """A person has taken decisions back, so the question that was asked no longer stands."""


def load_session(path: Path, players: Sequence[str] = ()) -> Session:
    """Set up a recorded game to go on with.

    Args:
        path: The record.
        players: An agent's name for each seat, or ``"human"``; by default whom the record names,
            and people at all seats if it names nobody.

    Raises:
        RecordError: It cannot be read, is damaged, or does not replay.
        PricoError: There is no such agent, or not as many as seats.
    """
    return Session.from_record(read_recorded(path).text, players or None)


def play_in_terminal(
    session: Session,
    watch: DisplayOptions,
    save: Path | None = None,
    console: Console | None = None,
    source: TextIO | None = None,
) -> None:
    """Play a game to its end, or until a person leaves, and print every decision.

    Args:
        session: The game and who sits at it.
        watch: How it is shown.
        save: Where to keep the record of the game, if anywhere; it is written as each round
            begins and when the game ends, however it ends.
        console: Where it is shown; by default the terminal, without colours if that is none.
        source: What people type; by default the terminal.

    Raises:
        StorageError: The record cannot be written there; nothing has been played then.
        PricoError: An agent cannot go on; what was played is saved.
    """
    _Terminal(session, watch, save, console or Console(highlight=False), source).play()


class _Terminal:
    """Shows one session, and asks its people."""

    def __init__(
        self,
        session: Session,
        watch: DisplayOptions,
        save: Path | None,
        console: Console,
        source: TextIO | None,
    ) -> None:
        self.session, self.watch, self.save_path, self.console = session, watch, save, console
        self.keyboard = Keyboard(console, source, self._commands())
        self.round_shown = 0
        self.explains = watch.explain
        self.seen = (-1, "")

    def play(self) -> None:
        """Play on to the end, and keep the record whatever happens."""
        session = self.session
        self._say(_title(session), "bold")
        self._keep()
        self._log("")
        try:
            while not session.game.over:
                self._turn()
        except LeaveGameError:
            self._say("You left the game.")
        else:
            self.keyboard.show_board(session.game, None)
            self.console.print(_score_table(session))
        finally:
            if self.save_path is not None:
                self._keep()
                self._say(f"The record is in {self.save_path}")

    def _turn(self) -> None:
        """One decision, by whoever is up."""
        session = self.session
        if session.waits_for_person:
            try:
                seat, is_new = session.seat_to_act, not self._goes_on()
                self._show(session.choose(self.keyboard.ask(session.game, seat, board=is_new)))
            except _UndoneError:
                self._say("Back at your last decision.")
                self.seen = (-1, "")
            return
        if self.watch.boards and session.game.phase == "role":
            self.keyboard.show_board(session.game, session.viewer)
        self._show(session.advance(explain=self.explains or bool(session.people)))
        if self.watch.delay_seconds:
            time.sleep(self.watch.delay_seconds)

    def _goes_on(self) -> bool:
        """Whether the person to decide has just decided in the same phase, and saw the board."""
        here = (self.session.seat_to_act, self.session.game.phase)
        seen, self.seen = self.seen, here
        decided = [entry.seat for entry in self.session.log if not entry.forced]
        return seen == here and decided[-1:] == [here[0]]

    def _keep(self, path: Path | None = None) -> None:
        """Write the record to a file, or to where it is kept."""
        place = path or self.save_path
        if place is not None:
            write_text(place, self.session.to_record())

    # -- what was decided --------------------------------------------------------------------------

    def _show(self, entries: Iterable[LogEntry]) -> None:
        """Print decisions, and what those who made them thought if that is wanted."""
        for entry in entries:
            if entry.round != self.round_shown:
                self.round_shown = entry.round
                self._say(f"\nround {entry.round}", "bold")
                self._keep()
            self.console.print(self._line(entry))
            analysis = self.session.analyses.get(entry.number)
            is_agent = self.session.players[entry.seat] != PERSON
            if self.explains and analysis is not None and is_agent:
                self._reasons(analysis)

    def _line(self, entry: LogEntry) -> Text:
        """A decision in one line: who, and what."""
        who = f"  {entry.seat} {self.session.names[entry.seat]:<12} "
        line = Text.assemble((who, _SEAT_STYLES[entry.seat]), entry.words)
        if entry.forced:
            line.append("  (nothing else possible)", "dim")
        return line

    def _reasons(self, analysis: "Analysis") -> None:
        for reason in analysis.reasons:
            self.console.print(Padding(Text(reason, "dim italic"), (0, 0, 0, _INDENT)))

    # -- what people can type ----------------------------------------------------------------------

    def _commands(self) -> dict[str, Command]:
        said = functools.partial(terminal_words, self.session.game.rules.edition)
        return {
            "hint": Command(
                f"asks an agent what it would do: hint planner, hint mcts:400 ({USUAL_ADVISER})",
                self._hint,
            ),
            "why": Command(said("help_why"), self._why),
            "building": Command(said("help_building"), self._building),
            "rule": Command(said("help_rule"), self._rule),
            "explain": Command("shows from now on why agents play so, or no longer", self._explain),
            "undo": Command("takes your last decision back", self._undo),
            "log": Command("shows the last two rounds; log all: everything", self._log),
            "save": Command("writes the game to a file: save FILE", self._save),
        }

    def _hint(self, name: str) -> None:
        analysis = self.session.hint(name or USUAL_ADVISER)
        self._analysis(analysis, name or USUAL_ADVISER)

    def _analysis(self, analysis: "Analysis", name: str) -> None:
        """Print what somebody thinks of the decision that stands: chances, candidates, reasons."""
        game = self.session.game
        words = game.describe(analysis.action)
        self.console.print(
            Text.assemble(
                f"{name} would play ", (game.name(analysis.action), "bold cyan"), f": {words}"
            )
        )
        if len(analysis.candidates) > 1:
            self.console.print(_candidates_table(self.session, analysis))
        if analysis.chances:
            self.console.print(_chances_line(analysis.chances, self.session.names))
        self._reasons(analysis)

    def _explain(self, rest: str) -> None:
        self.explains = not self.explains
        self._say(f"Reasons are {'shown' if self.explains else 'left out'} from now on.")

    def _why(self, word: str) -> None:
        game = self.session.game
        if word:
            self._lines(why_lines(game, word))
            return
        recent = [
            entry
            for entry in self.session.log[self._own_last() :]
            if not entry.forced and entry.number in self.session.analyses
        ]
        if not recent:
            raise SessionError("no agent has said why it played so since your last decision")
        for entry in recent:
            self.console.print(self._line(entry))
            self._reasons(self.session.analyses[entry.number])

    def _building(self, word: str) -> None:
        self._lines(building_lines(self.session.game, word, self.session.viewer))

    def _rule(self, word: str) -> None:
        self._lines(rule_lines(self.session.game, word))

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)

    def _own_last(self) -> int:
        """Where the log goes on after the last decision of the person who is asked."""
        own = [
            entry.number
            for entry in self.session.log
            if entry.seat == self.session.seat_to_act and not entry.forced
        ]
        return own[-1] + 1 if own else 0

    def _undo(self, rest: str) -> None:
        self.session.undo()
        self.round_shown = self.session.game.round
        raise _UndoneError

    def _log(self, rest: str) -> None:
        first = 1 if rest == "all" else self.session.game.round - _ROUNDS_LOGGED + 1
        shown = 0
        for entry in self.session.log:
            if entry.round < first:
                continue
            if entry.round != shown:
                shown = self.round_shown = entry.round
                self._say(f"\nround {shown}", "bold")
            self.console.print(self._line(entry))

    def _save(self, rest: str) -> None:
        if not rest and self.save_path is None:
            raise SessionError("say where to: save game.jsonl")
        path = Path(rest) if rest else self.save_path
        self._keep(path)
        self._say(f"The game so far is in {path}")

    def _say(self, text: str, style: str = "") -> None:
        self.keyboard.say(text, style)


def _title(session: Session) -> str:
    rules = session.game.rules
    played = ", ".join((rules.edition, *rules.expansions))
    return f"{played}, {rules.players} players, {start_in_words(session.start)}"


def _candidates_table(session: Session, analysis: "Analysis") -> Table:
    """The candidates, best first: share, and everybody's chance to win after each."""
    game = session.game
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("")
    table.add_column("action", style="cyan", overflow="fold")
    has_shares = any(candidate.share is not None for candidate in analysis.candidates)
    has_chances = any(candidate.chances for candidate in analysis.candidates)
    if has_shares:
        table.add_column("share", no_wrap=True)
    if has_chances:
        table.add_column("wins after it", no_wrap=True)
    for place, candidate in enumerate(analysis.candidates[:_MOST_CANDIDATES]):
        mark = "▶" if candidate.action == analysis.action else str(place + 1)
        cells: list[Text | str] = [mark, game.name(candidate.action)]
        if has_shares:
            cells.append(_bar(candidate.share, "cyan") if candidate.share is not None else "")
        if has_chances:
            style = _SEAT_STYLES[analysis.seat]
            cells.append(_bar(candidate.chances[analysis.seat], style) if candidate.chances else "")
        table.add_row(*cells)
    return table


def _bar(share: float, style: str) -> Text:
    """A share of one as a bar and in percent."""
    full = round(share * _BAR)
    return Text.assemble(
        ("█" * full, style), ("·" * (_BAR - full), "dim"), f" {100 * share:4.1f} %"
    )


def _chances_line(chances: Sequence[float], names: Sequence[str]) -> Text:
    """Everybody's chance to win now."""
    line = Text("chances to win now: ")
    for seat, chance in enumerate(chances):
        line.append(f"{', ' if seat else ''}{names[seat]} ", _SEAT_STYLES[seat])
        line.append(f"{100 * chance:.1f} %")
    return line


def _score_table(session: Session) -> Table:
    game, names = session.game, session.names
    items, places = session.score_items(), game.ranking()
    table = Table(title="Final score", title_justify="left")
    table.add_column("place")
    table.add_column("seat")
    for title in items:
        table.add_column(title, justify="right")
    for seat in sorted(range(len(names)), key=lambda each: places[each]):
        cells = [str(points[seat]) for points in items.values()]
        name = Text(f"{seat} {names[seat]}", _SEAT_STYLES[seat])
        table.add_row(str(places[seat]), name, *cells)
    return table
