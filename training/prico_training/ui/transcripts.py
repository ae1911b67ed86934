"""Records of games at the table: who played, what was decided, and what was thought of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prico_agents.input_files import read_text
from prico_env import Game, RuleSet
from prico_env.arguments import instance, instance_or_none, numbered, words
from prico_env.errors import RecordError
from prico_env.serialization.transcript import (
    Start,
    TranscriptAction,
    read_names,
    read_notes,
    read_transcript,
    transcript_lines,
)

if TYPE_CHECKING:
    from prico_agents.analysis import Analysis


@dataclass(frozen=True)
class Recorded:
    """A recorded game."""

    rules: RuleSet
    """The rule set."""
    start: Start
    """The seed it was dealt with, or the position it began from."""
    actions: tuple[TranscriptAction, ...]
    """Its decisions in order, forced ones included."""
    players: tuple[str, ...]
    """Who played at each seat, an agent by its name; none if the record names nobody."""
    analyses: "Mapping[int, Analysis]"
    """What was thought of decisions, by their place in ``actions``."""
    text: str
    """The record itself."""
    names: tuple[str, ...] = ()
    """What those who played are called, a name for each seat; none in records without names."""

    @property
    def seed(self) -> int | None:
        """The seed it was dealt with; None when it began from a position."""
        return self.start if isinstance(self.start, int) else None

    def game(self) -> Game:
        """Replay it.

        Raises:
            RecordError: It does not replay; the message names the line or the decision.
        """
        return Game.from_record(self.text)


def read_recorded(source: str | Path) -> Recorded:
    """Read a record.

    Args:
        source: The file, as a `Path`; or the text of one.

    Raises:
        RecordError: It cannot be read, is damaged, or is of another version.
    """
    text = read_text(source, RecordError) if isinstance(source, Path) else source
    words(text, "a record", RecordError)
    rules, start, actions = read_transcript(text)
    players, notes = read_notes(text)
    analyses = {place: _analysis(note, place, rules) for place, note in notes.items()}
    return Recorded(rules, start, tuple(actions), players, analyses, text, read_names(text))


def recorded_text(
    game: Game,
    players: Iterable[str] | None = (),
    analyses: "Mapping[int, Analysis] | None" = None,
    names: Iterable[str] | None = None,
) -> str:
    r"""Write a game as a record; without names and analyses it is the same as `Game.to_record`.

    >>> game = Game(seed=7)
    >>> game.step("role:mayor")
    >>> recorded_text(game) == game.to_record()
    True
    >>> read_recorded(recorded_text(game, ["ann", "bob", "corn", "corn"])).players
    ('ann', 'bob', 'corn', 'corn')

    Args:
        game: The game.
        players: Who played at each seat, an agent by its name, if the record is to say so.
        analyses: What was thought of decisions, by their place in the history. Those about a
            decision that nobody has made are left out.
        names: What those who played are called, a name for each seat, if the record is to say so.

    Raises:
        RecordError: It could not be read again; see `transcript_lines`.
    """
    history = instance(game, Game, "what is written as a record is a Game").history
    instance_or_none(analyses, dict, "analyses come in a dict, by decision")
    notes = {
        place: analysis.to_dict()
        for place, analysis in (analyses or {}).items()
        if place in range(len(history))
    }
    lines = transcript_lines(game.rules, game.start, history, players, notes, names)
    return "\n".join(lines) + "\n"


def record_until(recorded: Recorded, decision: int) -> str:
    """Return the record of a game up to a decision, from which it can be played on.

    Forced decisions that stand there go along: a game carries them out by itself.

    Args:
        recorded: The game.
        decision: How many decisions it has, from 0 to as many as there are.

    Raises:
        RecordError: There are not so many.
    """
    history = recorded.game().history
    end = numbered(decision, "decision", len(history) + 1, RecordError)
    while end < len(history) and history[end].forced:
        end += 1
    notes = {
        place: analysis.to_dict() for place, analysis in recorded.analyses.items() if place < end
    }
    lines = transcript_lines(
        recorded.rules, recorded.start, history[:end], recorded.players, notes, recorded.names
    )
    return "\n".join(lines) + "\n"


def unforced_game(rules: RuleSet, start: Start) -> Game:
    """Begin a game that carries nothing out by itself: it stands before forced decisions, too."""
    return Game.begin(RuleSet.from_dict(rules.to_dict() | {"skip_forced": False}), start)


def start_in_words(start: Start) -> str:
    """What a game began from, in the words of a title."""
    return f"seed {start}" if isinstance(start, int) else "from a position"


def agents_seed(start: Start) -> int:
    """The seed of the agents in a game; who begins from a position has no deal to take it from."""
    return start if isinstance(start, int) else 0


def _analysis(note: Mapping[str, Any], place: int, rules: RuleSet) -> "Analysis":
    """Read what was thought of a decision; its line is the second after its place."""
    from prico_agents.analysis import Analysis, AnalysisError

    try:
        analysis = Analysis.from_dict(note)
        _check_fits(analysis, rules)
    except AnalysisError as error:
        raise RecordError(
            f"line {place + 2} of the game record has no proper 'opinion': {error}"
        ) from None
    return analysis


def _check_fits(analysis: "Analysis", rules: RuleSet) -> None:
    """Refuse an analysis of another game."""
    from prico_agents.analysis import AnalysisError

    for action in (analysis.action, *(each.action for each in analysis.candidates)):
        if action >= rules.num_actions:
            raise AnalysisError(f"there is no action {action} in this game")
    tables = (analysis.chances, *(each.chances for each in analysis.candidates))
    if analysis.seat >= rules.players or any(
        len(each) not in (0, rules.players) for each in tables
    ):
        raise AnalysisError(f"it is not of a game with {rules.players} seats")
