"""One game with people and agents at the table: whose turn, one decision at a time, and back again.

Nothing here reads or writes; the page and the terminal show it, each in its way.

>>> session = Session(RuleSet(players=3), ["human", "corn", "random"], seed=7)
>>> session.seat_to_act, session.waits_for_person
(0, True)
>>> session.choose("role:trader")[0].words
'Choice of role: take the Trader card'
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from prico_agents import Agent, Analysis, View, analysis_of, load_agent
from prico_agents.analysis import Candidate
from prico_env import Game, RuleSet
from prico_env.errors import IllegalActionError, PricoError
from prico_env.game import Move, Snapshot
from prico_env.serialization.transcript import Start, replay_transcript, unwritable
from prico_env.text.localization import spoken
from prico_env.text.seats import named_seats
from prico_env.text.terms import error_words
from prico_training.arena.schedule import agent_seed
from prico_training.ui.drafts import Suggestion, draft_of
from prico_training.ui.score import score_items
from prico_training.ui.seat_names import check_names, names_of_record, seat_names, shown_name
from prico_training.ui.sequences import make_sequence
from prico_training.ui.transcripts import (
    agents_seed,
    read_recorded,
    recorded_text,
    unforced_game,
)

PERSON: Final = "human"
"""What stands in place of an agent's name where a person sits."""
USUAL_ADVISER: Final = "planner"
"""Who gives a hint when nobody else is asked."""
_SEED_BITS: Final = 31


class SessionError(PricoError):
    """Something that does not go at this table now. Nothing has changed."""


@dataclass(frozen=True)
class LogEntry:
    """One decision, as a log shows it."""

    number: int
    """Its place in the history of the game."""
    round: int
    """The round it was made in, counted from 1."""
    seat: int
    """Who decided."""
    action: int
    """The action number."""
    words: str
    """What was done, in the edition's words, as it stood before the decision."""
    forced: bool
    """Whether it was carried out without asking, because nothing else was allowed."""
    group: int | None = None
    """The place of the first decision of those that were made with it as one; None by itself."""


class _TakenBack(NamedTuple):
    """What an undo took back, so that it can be done again."""

    entries: list[LogEntry]
    analyses: dict[int, Analysis]


@dataclass(frozen=True)
class Question:
    """A decision that an agent is asked for, apart from the game, which may go on meanwhile.

    Attributes:
        seat: Whose decision it is.
        place: Its place in the history.
        game: A copy of the game as it stands there.
        seated: Returns the agent; who gives a hint sits down only when it is to think.
        names: What those who sit there are called, by which the agent speaks of them.
    """

    seat: int
    place: int
    game: Game
    seated: Callable[[], Agent]
    names: tuple[str, ...] = ()

    def decide(self) -> int:
        """Return what the agent decides."""
        return int(self.seated().act(View.of(self.game, self.seat)))

    def analyse(self) -> Analysis:
        """Return what the agent thinks of the decision; at least what it would do."""
        agent, view = self.seated(), View.of(self.game, self.seat)
        with named_seats(self.names):
            analysis = analysis_of(agent, view)
        if analysis is None:
            action = int(agent.act(view))
            only = Candidate(action, words=self.game.describe(action))
            analysis = Analysis(self.seat, action, (only,))
        return analysis

    def draft(self) -> Suggestion:
        """Return what the agent would do with a whole run of decisions.

        Raises:
            SessionError: There is no such run here.
        """
        draft = draft_of(self.game)
        if draft is None:
            raise SessionError("the decision that waits is not one of those that are drafted")
        return draft.suggested_by(self.seated())


class _Teller:
    """Tells a log in one language, from where it has left off."""

    def __init__(self, rules: RuleSet, start: Start) -> None:
        self._game = unforced_game(rules, start)
        self._words: list[str] = []

    def tell(self, log: Sequence[LogEntry]) -> list[str]:
        """Return what every entry says."""
        for entry in log[len(self._words) :]:
            self._words.append(self._game.describe(entry.action))
            self._game.step(entry.action)
        return list(self._words)


class Session:
    """A game between people and agents.

    Attributes:
        game: The game itself; look at it, but change it only through the session.
        players: An agent's name for each seat, or ``"human"``.
        given_names: What those who sit there said they are called; None where they did not.
        sits_in_for: Whom a record names at a seat where somebody else plays on, by seat.
        log: Every decision since the deal, forced ones included.
        analyses: What was thought of a decision, by its place in the history: hints that were
            asked for, whether or not they were followed, and what agents said of their own.
        changes: How often anything was decided or taken back; who has seen an older number has an
            old picture of the table.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: Sequence[str],
        seed: Start | None = None,
        names: Sequence[str | None] | None = None,
    ) -> None:
        """Sit down and deal.

        Args:
            rules: What is played.
            players: An agent's name for each seat, or ``"human"``; seat 0 is the first governor.
            seed: The deal, or a position to go on from in its place; None for a new deal.
            names: What each of them is called; None for a seat that gets a name, see `names`.

        Raises:
            SessionError: There are too many players, or too few, or a name that no file can hold.
            SeatNameError: A name is empty, too long, has control characters, or is given twice.
            AgentError: An agent cannot be found, or cannot play these rules.
        """
        if len(players) != rules.players:
            raise SessionError(
                f"{len(players)} players were named for a table of {rules.players}: "
                f"{', '.join(players) or 'none'}"
            )
        for name in players:
            if problem := unwritable(name):
                raise SessionError(f"the player {problem}")
        start = secrets.randbits(_SEED_BITS) if seed is None else seed
        self.players = tuple(players)
        self.given_names = check_names(names or (None,) * len(players), self.players)
        self.sits_in_for: dict[int, str] = {}
        self._agents: dict[int, Agent] = {}
        self.game = Game.begin(rules, start)
        self._agents_seed = agents_seed(start)
        # Words for a decision are found where it stands: some depend on the position.
        self._narrator = unforced_game(rules, start)
        self._start = self.game.snapshot(), self._narrator.snapshot()
        self._tellers: dict[str, _Teller] = {}
        self.log: list[LogEntry] = []
        self.analyses: dict[int, Analysis] = {}
        self.changes = 0
        self._taken_back: list[_TakenBack] = []
        self._seat_agents()

    # -- where the game stands ---------------------------------------------------------------------

    @property
    def seed(self) -> int | None:
        """What the game was dealt from; None when it began from a position."""
        return self.game.seed

    @property
    def start(self) -> Start:
        """What the game was dealt from, or the position it began from."""
        return self.game.start

    @property
    def history(self) -> list[Move]:
        """Every decision so far, as the game has it."""
        return self.game.history

    @property
    def names(self) -> tuple[str, ...]:
        """What those who sit there are called: one name for each seat, no two the same.

        Whoever gave no name gets one in the language of now: a person "you" if they are alone, an
        agent its display name, with a number where it sits there more than once.
        """
        edition = self.game.rules.edition
        return seat_names(self.players, self.people, self.given_names, edition)

    def names_for_watchers(self) -> tuple[str, ...]:
        """What the seats are called where none of them is the reader's: nobody is "you"."""
        edition = self.game.rules.edition
        return seat_names(self.players, (*self.people, -1), self.given_names, edition)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats where people sit."""
        return tuple(seat for seat, name in enumerate(self.players) if name == PERSON)

    @property
    def seat_to_act(self) -> int:
        """The seat to decide, -1 when the game is over."""
        return self.game.turn

    @property
    def waits_for_person(self) -> bool:
        """Whether a person has to decide."""
        return self.seat_to_act in self.people

    @property
    def viewer(self) -> int | None:
        """The seat whose view is shown: the person's to decide, or who decided last.

        None where only agents play: then as everybody may see it.
        """
        return self.viewer_of(self.people)

    def viewer_of(self, seats: Collection[int]) -> int | None:
        """The seat whose view those see who have some seats: the one that decides, or decided last.

        None, as everybody may see it, for those who have none.
        """
        if self.seat_to_act in seats:
            return self.seat_to_act
        decided = self.last_decision(seats)
        return decided.seat if decided else min(seats, default=None)

    @property
    def can_undo(self) -> bool:
        """Whether a person has decided anything yet."""
        return self.last_decision(self.people) is not None

    def last_decision(self, seats: Collection[int]) -> LogEntry | None:
        """The last decision that some seats made of their own; None if there is none."""
        decisions = (entry for entry in reversed(self.log) if not entry.forced)
        return next((entry for entry in decisions if entry.seat in seats), None)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back, and nothing else has been decided since."""
        return bool(self._taken_back)

    def log_words(self) -> list[str]:
        """Return what each entry of the log says, in the language that is spoken here.

        People at one table may speak several; whose decision it was is said in the one of that
        moment in the entry itself.
        """
        code = spoken(self.game.rules.edition)
        teller = self._tellers.get(code) or _Teller(self.game.rules, self.start)
        self._tellers[code] = teller
        return teller.tell(self.log)

    def score_items(self) -> dict[str, list[int]]:
        """The points of every seat by item, in the edition's words, and their total.

        Items that gave nobody anything are left out.
        """
        return score_items(self.game)

    # -- deciding ----------------------------------------------------------------------------------

    def choose(self, action: int | str) -> list[LogEntry]:
        """Make a person's decision; return it, and the forced ones that followed.

        Args:
            action: An action number, or its name.

        Raises:
            SessionError: The game is over, or it is an agent's turn.
            IllegalActionError: It is not allowed now.
        """
        self._check_person_decides()
        return self.step(action)

    def choose_all(self, actions: Sequence[int | str]) -> list[LogEntry]:
        """Make several decisions of a person as one; return them, and the forced ones.

        They are made in order, forced ones between them as ever; see `make_sequence`. One `undo`
        takes all of them back.

        Args:
            actions: Action numbers, or their names.

        Raises:
            SessionError: The game is over, or it is an agent's turn, or no decision was named.
            IllegalActionError: One of them cannot be made; the message says which and why.
        """
        self._check_person_decides()
        if not actions:
            raise SessionError("no decision was named, where several were to be made as one")
        before = self.game.snapshot()
        with named_seats(self.names):  # for what is said if one of them is not allowed
            make_sequence(self.game, actions)
        return self._decided_since(before, is_one=True)

    def advance(self, explain: bool = False) -> list[LogEntry]:
        """Let the agent whose turn it is make one decision; return it, and forced ones after it.

        Args:
            explain: Whether the agent is to say why; that joins the analyses, if it has one.

        Raises:
            SessionError: The game is over, a person has to decide, or the agent chose what is not
                allowed.
        """
        question = self.ask_turn()
        agent, view = question.seated(), View.of(question.game, question.seat)
        with named_seats(question.names):
            analysis = analysis_of(agent, view) if explain else None
        entries = self.carry_out(question, int(agent.act(view)))
        if analysis is not None:
            self.analyses[question.place] = analysis
        return entries

    def ask_turn(self) -> Question:
        """Ask the agent whose turn it is for its decision; `carry_out` makes it.

        The agent goes along with the question. If its decision is not wanted any more it does not
        come back, and another one of its name sits down in its place.

        Raises:
            SessionError: The game is over, or a person has to decide.
        """
        self._check_running()
        seat = self.seat_to_act
        if self.waits_for_person:
            raise SessionError(f"seat {seat} is a person's, who has to decide now")
        agent = self._agents.pop(seat, None) or self._seated(seat)
        return Question(seat, len(self.log), self.game.clone(), lambda: agent, self.names)

    def carry_out(self, question: Question, action: int) -> list[LogEntry]:
        """Make the decision that an agent was asked for; return it, and forced ones after it.

        Raises:
            SessionError: It is not allowed.
        """
        seat = question.seat
        self._agents[seat] = question.seated()
        try:
            return self.step(action)
        except IllegalActionError as error:
            raise SessionError(f"{self._name(seat)} chose wrongly: {error}") from None

    def step(self, action: int | str) -> list[LogEntry]:
        """Make the decision of whoever is up; return it, and the forced ones that followed.

        Raises:
            IllegalActionError: It is not allowed now.
        """
        before = self.game.snapshot()
        with named_seats(self.names):  # for what is said if it is not allowed
            self.game.step(action)
        return self._decided_since(before)

    def settle(self) -> list[LogEntry]:
        """Carry out forced decisions, which only a position can be waiting for; return them."""
        before = self.game.snapshot()
        self.game.settle()
        return self._log_since(before)

    def undo(self, seats: Collection[int] | None = None) -> None:
        """Go back to the last decision of a person, who then has to make it again.

        Decisions that were made as one are taken back as one. Agents sit down anew, with the same
        seed as before.

        Args:
            seats: The seats whose last decision it is; by default those of all people.

        Raises:
            SessionError: No person has decided anything there.
        """
        last = self.last_decision(self.people if seats is None else seats)
        if last is None:
            raise SessionError(error_words("nothing_to_take_back"))
        for game, start in zip((self.game, self._narrator), self._start, strict=True):
            game.restore(start)
        here = last.number if last.group is None else last.group
        later = {at: analysis for at, analysis in self.analyses.items() if at > here}
        self._taken_back.append(_TakenBack(self.log[here:], later))
        del self.log[here:]
        self._tellers.clear()
        for entry in self.log:
            self._narrator.step(entry.action)
            if not entry.forced:
                self.game.step(entry.action)
            elif entry.number == 0:
                self.game.settle()
        self.analyses = {at: analysis for at, analysis in self.analyses.items() if at <= here}
        self._seat_agents()
        self.changes += 1

    def redo(self) -> None:
        """Decide again what was taken back last, with what agents made of it.

        Raises:
            SessionError: Nothing was taken back, or something else has been decided since.
        """
        if not self._taken_back:
            raise SessionError(error_words("nothing_to_do_again"))
        entries, analyses = self._taken_back.pop()
        for entry in entries:
            self._narrator.step(entry.action)
            if not entry.forced:
                self.game.step(entry.action)
        self.log += entries
        self.analyses |= analyses
        self._seat_agents()
        self.changes += 1
        self._let_agents_go()

    def hint(self, name: str = USUAL_ADVISER) -> Analysis:
        """Ask an agent what it would do here; it sees what the seat to decide may see.

        Args:
            name: The agent's name; it may sit at the table or not.

        Raises:
            SessionError: The game is over, an agent is to decide in a game with people, or a person
                was named.
            AgentError: There is no such agent, or it cannot play these rules.
        """
        question = self.ask_hint(name)
        analysis = question.analyse()
        self.analyses[question.place] = analysis
        return analysis

    def ask_hint(self, name: str) -> Question:
        """Ask an agent what it would do here; what it answers may join the analyses.

        Args:
            name: The agent's name; it may sit at the table or not.

        Raises:
            SessionError: The game is over, an agent is to decide in a game with people, or a person
                was named.
        """
        self._check_running()
        seat = self.seat_to_act
        if self.people and not self.waits_for_person:
            raise SessionError(error_words("hint_not_now", name=self._name(seat)))
        if name.partition(":")[0] == PERSON:
            raise SessionError(error_words("hint_from_agent"))
        rules, seed = self.game.rules, agent_seed(self._agents_seed, len(self.players) + seat)

        def seated() -> Agent:
            adviser = load_agent(name)
            adviser.reset(seat, rules, seed)
            return adviser

        return Question(seat, len(self.log), self.game.clone(), seated, self.names)

    # -- who sits there ----------------------------------------------------------------------------

    def seat(self, seat: int, player: str, name: str | None = None) -> None:
        """Let somebody else play on at a seat.

        Args:
            seat: The seat.
            player: An agent's name, or ``"human"``.
            name: What a person is called; None for a name that is given.

        Raises:
            SeatNameError: Nobody can have this name here.
            AgentError: The agent cannot be found, or cannot play these rules.
        """
        players = [player if each == seat else old for each, old in enumerate(self.players)]
        names = [name if each == seat else old for each, old in enumerate(self.given_names)]
        given = check_names(names, players)
        if player != PERSON:
            load_agent(player).reset(seat, self.game.rules, agent_seed(self._agents_seed, seat))
        self.players, self.given_names = tuple(players), given
        self.sits_in_for.pop(seat, None)
        self._agents.pop(seat, None)
        self.changes += 1

    def rename(self, seat: int, name: str | None) -> None:
        """Call a seat otherwise.

        Raises:
            SeatNameError: Nobody can have this name here.
        """
        names = [name if each == seat else old for each, old in enumerate(self.given_names)]
        self.given_names = check_names(names, self.players)

    # -- records -----------------------------------------------------------------------------------

    def to_record(self) -> str:
        """Return the game so far as a record, from which it can go on; hints go along."""
        return recorded_text(self.game, self.players, self.analyses, self.names)

    @classmethod
    def from_record(
        cls,
        text: str,
        players: Sequence[str] | None = None,
        names: Sequence[str | None] | None = None,
        offered: Callable[[Sequence[str]], Sequence[str]] | None = None,
    ) -> "Session":
        """Replay a record to its end, to go on from there.

        Args:
            text: The record.
            players: Who plays on at each seat; by default whom the record names, and people at all
                seats if it names nobody. Where that is nobody who can be loaded here, the usual
                adviser sits in for them; `sits_in_for` says so.
            names: What they are called; by default people have the names in the record.
            offered: Who plays on where the record names such players; by default all who can be
                loaded, and the usual adviser for others.

        Raises:
            RecordError: The record is damaged, of another version, or does not replay.
            AgentError: An agent that was named cannot be found, or cannot play these rules.
            SeatNameError: A name is empty, too long, has control characters, or is given twice.
        """
        recorded = read_recorded(text)
        theirs = recorded.players or (PERSON,) * recorded.rules.players
        seated = tuple(players or (offered or _loadable)(theirs))
        stay = [old == new == PERSON for old, new in zip(theirs, seated, strict=False)]
        names = names or names_of_record(recorded.names, stay, len(seated))
        session = cls(recorded.rules, seated, recorded.start, names)
        if not players:
            session.sits_in_for = {
                seat: shown_name((recorded.names or theirs)[seat])
                for seat, (old, new) in enumerate(zip(theirs, seated, strict=True))
                if old != new
            }
        replay_transcript(text, recorded.actions, session)
        session.analyses.update(recorded.analyses)
        return session

    def replay(self, moves: Iterable[tuple[int, bool, int | None]]) -> None:
        """Make all decisions of a game that has gone on from here before.

        Args:
            moves: The action number of each, whether nothing else was allowed, and the place of the
                first of those that were made with it as one.

        Raises:
            SessionError: They are not decisions of this game.
        """
        expected = list(moves)
        for place, (action, forced, _) in enumerate(expected):
            if not forced:
                self.step(action)
            elif place == 0:
                self.settle()
        if [(entry.action, entry.forced) for entry in self.log] != [move[:2] for move in expected]:
            raise SessionError("its decisions do not lead to each other")
        groups = [first for _, _, first in expected]
        self.log = [replace(entry, group=at) for entry, at in zip(self.log, groups, strict=True)]

    # -- how it is done ----------------------------------------------------------------------------

    def _name(self, seat: int) -> str:
        return f"{self.names[seat]} at seat {seat}"

    def _check_person_decides(self) -> None:
        self._check_running()
        if not self.waits_for_person:
            raise SessionError(error_words("agents_turn", name=self._name(self.seat_to_act)))

    def _check_running(self) -> None:
        if self.game.over:
            raise SessionError(error_words("game_over"))

    def _seat_agents(self) -> None:
        """Let every agent sit down anew."""
        for seat, name in enumerate(self.players):
            if name != PERSON:
                self._agents[seat] = self._seated(seat)

    def _seated(self, seat: int) -> Agent:
        """The agent of a seat, which has just sat down there anew."""
        agent = self._agents.get(seat) or load_agent(self.players[seat])
        agent.reset(seat, self.game.rules, agent_seed(self._agents_seed, seat))
        return agent

    def _let_agents_go(self) -> None:
        """Let agents go when the game is over: nobody asks them, and search trees are large."""
        if self.game.over:
            self._agents.clear()

    def _decided_since(self, before: Snapshot, is_one: bool = False) -> list[LogEntry]:
        """Take note of what somebody decided, and of the forced ones after it; return both.

        Args:
            before: Where the game stood.
            is_one: Whether all of it is taken back as one.
        """
        self.changes += 1
        self._taken_back.clear()
        self._let_agents_go()
        return self._log_since(before, is_one)

    def _log_since(self, before: Snapshot, is_one: bool = False) -> list[LogEntry]:
        """Add what has happened since then to the log, and return it."""
        narrator, moves = self._narrator, self.game.history_since(before)
        first = len(self.log)
        last = max((place for place, move in enumerate(moves) if not move.forced), default=0)
        for place, (action, forced, seat) in enumerate(moves):
            group = first if is_one and 0 < last and place <= last else None
            said = narrator.describe(action)
            entry = LogEntry(len(self.log), narrator.round, seat, action, said, forced, group)
            narrator.step(action)
            self.log.append(entry)
        return self.log[first:]


def _loadable(players: Sequence[str]) -> list[str]:
    """Return who is to play a recorded game on: whom it names, others where nobody has the name."""
    return [name if name == PERSON or _can_load(name) else USUAL_ADVISER for name in players]


def _can_load(name: str) -> bool:
    try:
        load_agent(name)
    except PricoError:
        return False
    return True
