"""Transcripts: games in JSON Lines, which replay.

A transcript has one line for the rule set and the seed, or the position that the game began from,
and one for each decision, forced ones included. It may also say who played, and what a player
thought of a decision; who only replays the game need not care. Reading one never runs anything from
the file, and says in one line what is wrong with a file that is damaged or from another version.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from prico_env.actions import IDS, NAMES, block_of
from prico_env.arguments import flag, instance_or_none, items, numbered, texts, whole, words
from prico_env.core.rng import MAX_SEED
from prico_env.errors import IllegalActionError, PricoError, RecordError, did_you_mean, quoted
from prico_env.ruleset import RuleSet, check_rules
from prico_env.serialization.position import position_from_dict, position_to_dict

FORMAT: Final = "prico-game"
FORMAT_VERSION: Final = 1
RULES_VERSION: Final = 2
"""Moves when a rule is played differently, so that some old games would not replay."""
OLDEST_RULES_VERSION: Final = 1
"""Games played by rules from this version on are read: where they replay, they are the same."""
ACTIONS_VERSION: Final = 1
"""Moves when an action number changes its meaning (appending does not count)."""
MOST_CHARACTERS: Final = 10_000
"""Longest name of a player, and longest text in an opinion."""

_BYTE_ORDER_MARK: Final = "\ufeff"
"""What some editors put in front of a text that they save in UTF-8."""

Start = int | Mapping[str, Any]
"""What a game begins from: the seed that deals it, or a position."""


class TranscriptAction(NamedTuple):
    """One decision of a recorded game.

    Attributes:
        action: The action number.
        forced: Whether it was carried out without asking.
    """

    action: int
    forced: bool


class Transcript(NamedTuple):
    """A recorded game.

    Attributes:
        rules: The rule set.
        start: The seed it was dealt with, or the position it began from, whole.
        actions: Its decisions in order, forced ones included.
    """

    rules: RuleSet
    start: Start
    actions: list[TranscriptAction]


class TranscriptNotes(NamedTuple):
    """What a transcript says beside the game.

    Attributes:
        players: Who played at each seat, an agent by its name; none if it names nobody.
        opinions: What was thought of decisions, JSON-ready, by their place in the history.
    """

    players: tuple[str, ...]
    opinions: dict[int, dict[str, Any]]


class Replaying(Protocol):
    """What a transcript is replayed in: a `Game` that stands where the recorded one began."""

    @property
    def history(self) -> Sequence[tuple[int, bool, int]]:
        """Action number, whether it was forced, and seat, for each decision."""

    def step(self, action: int, /) -> object:
        """Make a decision."""

    def settle(self) -> object:
        """Carry out forced decisions."""


def transcript_lines(
    rules: RuleSet,
    start: Start,
    history: Iterable[tuple[int, bool, int]],
    players: Iterable[str] | None = None,
    notes: Mapping[int, Mapping[str, Any]] | None = None,
    names: Iterable[str] | None = None,
) -> Iterator[str]:
    """Write a game as JSON Lines, without line ends.

    Args:
        rules: The rule set.
        start: The seed the game was dealt with, or the position it began from.
        history: Action number, whether it was forced, and seat, for each decision.
        players: Who played at each seat, an agent by its name, if the record is to say so.
        notes: What was thought of a decision, JSON-ready, by its place in the history.
        names: What those who played are called, a name for each seat, if the record is to say so.

    Yields:
        The header, then a line for each decision.

    Raises:
        RecordError: If it could not be read again: there are not as many names as seats, a text
            has no place in a file, a note is on no decision, or the position breaks the rules.
    """
    check_rules(rules)
    decisions = [_written_decision(move, rules) for move in items(history, "decisions")]
    who = [] if players is None else texts(players, "names of players", RecordError)
    called = [] if names is None else texts(names, "names of seats", RecordError)
    notes = instance_or_none(notes, dict, "notes come in a dict, by decision", RecordError) or {}
    header = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "rules_version": RULES_VERSION,
        "actions_version": ACTIONS_VERSION,
        "rules": rules.to_dict(),
        **_written_start(rules, start),
        "decisions": len(decisions),
    }
    if who:
        header["players"] = _check_players(who, rules)
    if called:
        header["names"] = _check_players(called, rules, "names")
    if homeless := [place for place in notes if place not in range(len(decisions))]:
        raise RecordError(
            f"an opinion on decision {quoted(homeless[0])} has no place: the game has "
            f"{len(decisions)}, counted from 0"
        )
    yield json.dumps(header, ensure_ascii=False)
    for number, line in enumerate(decisions):
        if number not in notes:
            yield json.dumps(line)
            continue
        _check_texts(notes[number], f"the opinion on decision {number}")
        try:
            noted = line | {"opinion": dict(notes[number])}
            yield json.dumps(noted, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise RecordError(f"the opinion on decision {number} is no JSON: {error}") from None


def read_transcript(lines: str | Iterable[str]) -> Transcript:
    """Read a game from JSON Lines.

    Args:
        lines: The text, or its lines with or without line ends; an open text file will do.

    Returns:
        The rule set, what the game began from and the decisions. Whether they are legal shows when
        they are played.

    Raises:
        RecordError: If a line is damaged or missing, or the game is of another version. The message
            names the line.
    """
    numbered = _numbered(lines)
    number, first = next(numbered, (1, ""))
    header = _object(first if number == 1 else "", 1)
    rules = _read_header(header)
    start = _read_start(header, rules)
    announced = _field(header, "decisions", int, 1) if "decisions" in header else None
    actions: list[TranscriptAction] = []
    for number, line in numbered:
        if len(actions) == announced:
            raise RecordError(
                f"line {number} of the game record comes after the {announced} decisions that its "
                f"first line announces: lines were added"
            )
        actions.append(_read_decision(_object(line, number), number, rules))
    if announced not in (None, len(actions)):
        raise RecordError(
            f"the game record ends after {len(actions)} decisions, and its first line announces "
            f"{quoted(announced)}: it is cut off"
        )
    return Transcript(rules, start, actions)


def replay_transcript(
    lines: str | Iterable[str], actions: Iterable[TranscriptAction], game: Replaying
) -> None:
    """Play the decisions of a transcript, and check that everything went as it says.

    Args:
        lines: The transcript, which `read_transcript` has read.
        actions: The decisions in it.
        game: A game that stands where the transcript begins.

    Raises:
        RecordError: If a decision is not allowed or differs; the message names the line.
    """
    for place, (action, forced) in enumerate(actions):
        if not forced:
            try:
                game.step(action)
            except IllegalActionError as error:
                numbered = list(_numbered(lines))
                raise RecordError(
                    f"line {numbered[place + 1][0]} of the game record: decision {place + 1} does "
                    f"not replay: {error}"
                    f"{older_rules(numbered[0][1])}"
                ) from error
        elif place == 0:
            game.settle()
    check_replay(lines, game.history)


def read_notes(lines: str | Iterable[str]) -> TranscriptNotes:
    """Read what a record says beside the game.

    Args:
        lines: The lines of the record, which `read_transcript` has read.

    Returns:
        Who played, and what was thought of decisions.

    Raises:
        RecordError: If a line is damaged.
    """
    header, *decisions = [_object(line, number) for number, line in _all_numbered(lines)]
    opinions = {
        number: line["opinion"] for number, line in enumerate(decisions) if "opinion" in line
    }
    players = items(header.get("players", ()), "names of players", RecordError)
    return TranscriptNotes(tuple(players), opinions)


def read_names(lines: str | Iterable[str]) -> tuple[str, ...]:
    """Read what those who played a recorded game are called.

    Args:
        lines: The lines of the record, which `read_transcript` has read.

    Returns:
        A name for each seat; none where the record gives no names.

    Raises:
        RecordError: If the first line is damaged.
    """
    _, first = next(_numbered(lines), (1, ""))
    return tuple(items(_object(first, 1).get("names", ()), "names of seats", RecordError))


def check_replay(lines: str | Iterable[str], history: Iterable[tuple[int, bool, int]]) -> None:
    """Check that a game, played again, went as its record says.

    Args:
        lines: The lines of the record, which `read_transcript` has read.
        history: What happened: action number, whether it was forced, and seat, for each decision.

    Raises:
        RecordError: If a decision differs; the message names the line.
    """
    numbered = _all_numbered(lines)
    rules = _read_header(_object(numbered[0][1], 1))
    happened = [_written_decision(move, rules) for move in items(history, "decisions")]
    for (number, line), decision in zip(numbered[1:], happened, strict=False):
        said = _object(line, number)
        for key, value in decision.items():
            if said.get(key) != value:
                raise RecordError(
                    f"line {number} of the game record does not replay: "
                    f"its {key} is {quoted(said.get(key))}, and the game has {value!r}"
                    f"{older_rules(numbered[0][1])}"
                )
    if len(numbered) - 1 != len(happened):
        raise RecordError(
            f"the game record has {len(numbered) - 1} decisions, and its replay {len(happened)}"
            f"{older_rules(numbered[0][1])}"
        )


def older_rules(header: str) -> str:
    """Say in which version of the rules a game was played, if not in ours; it may differ for that.

    Args:
        header: The first line of its record, which `read_transcript` has read.
    """
    theirs = _object(words(header, "the first line", RecordError), 1).get("rules_version")
    if theirs == RULES_VERSION:
        return ""
    return f"; it was played by rules_version {theirs}, and this prico plays {RULES_VERSION}"


def unwritable(text: str) -> str:
    r"""Say why a text cannot stand in a record; empty if it can.

    >>> unwritable("Zoë"), unwritable("\ud800")
    ('', "'\\ud800' cannot be written as UTF-8: leave out the lone surrogate '\\ud800'")
    """
    words(text, "what is written into a record", RecordError)
    if len(text) > MOST_CHARACTERS:
        return f"{quoted(text)} has {len(text):,} characters, and {MOST_CHARACTERS:,} are the most"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start]
        return f"{quoted(text)} cannot be written as UTF-8: leave out the lone surrogate {half!r}"
    return ""


def _check_texts(value: Any, where: str) -> None:
    """Refuse JSON-ready data that holds a text which cannot stand in a record."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str) and (problem := unwritable(part)):
            raise RecordError(f"{where}: {problem}")
        if isinstance(part, Mapping):
            waiting += [*part.keys(), *part.values()]
        elif isinstance(part, list | tuple):
            waiting += part


def _numbered(lines: str | Iterable[str]) -> Iterator[tuple[int, str]]:
    """Number the lines from 1 and drop empty ones; report a file that is not text at all.

    A line ends at a line feed and nowhere else: names and reasons may hold other ends of lines.
    """
    try:
        for number, line in enumerate(lines.split("\n") if isinstance(lines, str) else lines, 1):
            if not isinstance(line, str):
                raise RecordError("this is not a game record: its lines are not text")
            if stripped := line.removeprefix(_BYTE_ORDER_MARK).strip():
                yield number, stripped
    except UnicodeDecodeError:
        raise RecordError("this is not a game record: it is not text") from None
    except TypeError:
        raise RecordError(f"a game record is text or its lines, not {quoted(lines)}") from None


def _all_numbered(lines: str | Iterable[str]) -> list[tuple[int, str]]:
    """All lines with their numbers; there is a first one, which may be empty."""
    return list(_numbered(lines)) or [(1, "")]


def _written_decision(move: Any, rules: RuleSet) -> dict[str, Any]:
    """Return what a line says of a decision: action number, whether it was forced, and seat."""
    try:
        action, forced, seat = move
    except (TypeError, ValueError):
        raise RecordError(
            f"a decision is its action, whether it was forced, and its seat, not {quoted(move)}"
        ) from None
    return {
        "seat": numbered(seat, "seat", rules.players, RecordError),
        "action": NAMES[numbered(action, "action", len(NAMES), RecordError)],
        "forced": flag(forced, "forced"),
    }


def _object(line: str, number: int) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):  # damaged, a number too long, or nested too deep
        wrong = "is empty" if not line else "is damaged or cut off"
        raise RecordError(
            f"line {number} of the game record {wrong}; {_expected(number)}"
        ) from None
    if not isinstance(value, dict):
        raise RecordError(
            f"line {number} of the game record is not a JSON object; {_expected(number)}"
        )
    return value


def _expected(number: int) -> str:
    """Say what a line should look like."""
    if number == 1:
        return f'a {FORMAT} record starts with {{"format": "{FORMAT}", "rules": ..., ...}}'
    return 'a decision is {"seat": 0, "action": "role:mayor", "forced": false}'


def _field(line: Mapping[str, Any], key: str, kind: type, number: int) -> Any:
    value = line.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RecordError(
            f"line {number} of the game record has no proper {key!r}: {quoted(value)}"
        )
    return value


def _read_header(header: Mapping[str, Any]) -> RuleSet:
    if header.get("format") != FORMAT:
        raise RecordError(
            f"line 1 of the game record does not start a {FORMAT} record, "
            f"its format is {quoted(header.get('format'))}"
        )
    for key, oldest, ours in (
        ("format_version", FORMAT_VERSION, FORMAT_VERSION),
        ("rules_version", OLDEST_RULES_VERSION, RULES_VERSION),
        ("actions_version", ACTIONS_VERSION, ACTIONS_VERSION),
    ):
        theirs = _field(header, key, int, 1)
        if not oldest <= theirs <= ours:
            raise RecordError(
                f"line 1 of the game record has {key} {quoted(theirs)}, and this prico plays "
                f"{key} {ours}"
            )
    try:
        rules = RuleSet.from_dict(_field(header, "rules", dict, 1))
    except PricoError as error:
        raise RecordError(f"line 1 of the game record has no proper rule set: {error}") from None
    for field in ("players", "names"):
        if field in header:
            _check_players(header[field], rules, field)
    return rules


def _read_start(header: Mapping[str, Any], rules: RuleSet) -> Start:
    """Read the seed or the position; what a position leaves open is dealt from a seed beside it."""
    seed = header.get("seed", 0 if "position" in header else None)
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise RecordError(
            f"line 1 of the game record has no proper 'seed': {quoted(seed)}; a game begins from "
            f"a seed, a whole number from 0 to 2**63 - 1, or from a 'position'"
        )
    if not 0 <= seed <= MAX_SEED:
        raise RecordError(
            f"line 1 of the game record has a seed out of range: {quoted(seed)}; seeds are from 0 "
            f"to 2**63 - 1"
        )
    if "position" not in header:
        return seed
    position = {"rules": header["rules"], **_field(header, "position", dict, 1)}
    try:
        of_position, states = position_from_dict(position, seed)
    except PricoError as error:
        raise RecordError(f"line 1 of the game record has no proper 'position': {error}") from None
    if of_position != rules:
        raise RecordError(
            f"line 1 of the game record has 'rules' and a 'position' with other rules, "
            f"{of_position!r}; leave out those of the position"
        )
    return position_to_dict(rules, states[0])


def _written_start(rules: RuleSet, start: Start) -> dict[str, Any]:
    """Return what the header says of where the game began."""
    if not isinstance(start, Mapping):
        return {"seed": whole(start, "a seed", 0, MAX_SEED, RecordError)}
    try:
        _, states = position_from_dict({**start, "rules": rules.to_dict()})
    except PricoError as error:
        raise RecordError(
            f"the game began from a position that breaks the rules, so it has no record; "
            f"to_dict writes a position down as it is: {error}"
        ) from None
    return {"position": position_to_dict(rules, states[0])}


def _check_players(names: Any, rules: RuleSet, field: str = "players") -> list[str]:
    is_proper = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not is_proper or len(names) != rules.players:
        raise RecordError(
            f"line 1 of the game record has no proper {field!r}: it names {quoted(names)}, and the "
            f"game has {rules.players} seats"
        )
    _check_texts(names, f"line 1 of the game record, {field!r}")
    return list(names)


def _read_decision(line: Mapping[str, Any], number: int, rules: RuleSet) -> TranscriptAction:
    name = _field(line, "action", str, number)
    if name not in IDS:
        raise RecordError(
            f"line {number} of the game record: no action is called {quoted(name)}"
            f"{did_you_mean(name, NAMES)}"
        )
    seat = _field(line, "seat", int, number)
    if not 0 <= seat < rules.players:
        raise RecordError(
            f"line {number} of the game record: there is no seat {quoted(seat)}; "
            f"seats run from 0 to {rules.players - 1}"
        )
    if rules.lacks(block_of(IDS[name])):
        raise RecordError(f"line {number} of the game record: {name!r} is not in this game")
    if "opinion" in line:
        opinion = _field(line, "opinion", dict, number)
        _check_texts(opinion, f"line {number} of the game record, 'opinion'")
    return TranscriptAction(IDS[name], _field(line, "forced", bool, number))
