"""Transcripts: games in JSON Lines, which replay.

A transcript has one line for the rule set and the seed and one for each decision, forced ones
included. It may also say who played, and what a player thought of a decision; who only replays the
game need not care. Reading one never runs anything from the file, and says in one line what is
wrong with a file that is damaged or from another version.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from prico_env.actions import IDS, NAMES, block_of
from prico_env.core.rng import MAX_SEED
from prico_env.errors import PricoError, RecordError, did_you_mean
from prico_env.ruleset import RuleSet

FORMAT: Final = "prico-game"
FORMAT_VERSION: Final = 1
RULES_VERSION: Final = 2
"""Moves when a rule is played differently, so that some old games would not replay."""
OLDEST_RULES_VERSION: Final = 1
"""Games played by rules from this version on are read: where they replay, they are the same."""
ACTIONS_VERSION: Final = 1
"""Moves when an action number changes its meaning (appending does not count)."""


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
        seed: The seed it was dealt with.
        actions: Its decisions in order, forced ones included.
    """

    rules: RuleSet
    seed: int
    actions: list[TranscriptAction]


class TranscriptNotes(NamedTuple):
    """What a transcript says beside the game.

    Attributes:
        players: A name for each seat; none if it names nobody.
        opinions: What was thought of decisions, JSON-ready, by their place in the history.
    """

    players: tuple[str, ...]
    opinions: dict[int, dict[str, Any]]


def transcript_lines(
    rules: RuleSet,
    seed: int,
    history: Iterable[tuple[int, bool, int]],
    players: Sequence[str] | None = None,
    notes: Mapping[int, Mapping[str, Any]] | None = None,
) -> Iterator[str]:
    """Write a game as JSON Lines, without line ends.

    Args:
        rules: The rule set.
        seed: The seed the game was dealt with.
        history: Action number, whether it was forced, and seat, for each decision.
        players: A name for each seat, if the record is to say who played.
        notes: What was thought of a decision, JSON-ready, by its place in the history.

    Yields:
        The header, then a line for each decision.

    Raises:
        RecordError: If there are not as many names as seats, or a note is on no decision.
    """
    decisions = list(history)
    header = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "rules_version": RULES_VERSION,
        "actions_version": ACTIONS_VERSION,
        "rules": rules.to_dict(),
        "seed": int(seed),
        "decisions": len(decisions),
    }
    if players:
        header["players"] = _check_players(list(players), rules)
    notes = notes or {}
    if homeless := sorted(set(notes) - set(range(len(decisions)))):
        raise RecordError(
            f"an opinion on decision {homeless[0]} has no place: the game has {len(decisions)}, "
            f"counted from 0"
        )
    yield json.dumps(header, ensure_ascii=False)
    for number, (action, forced, seat) in enumerate(decisions):
        line = {"seat": int(seat), "action": NAMES[action], "forced": bool(forced)}
        if number in notes:
            line["opinion"] = dict(notes[number])
        yield json.dumps(line, ensure_ascii=False)


def read_transcript(lines: Iterable[str]) -> Transcript:
    """Read a game from JSON Lines.

    Args:
        lines: The lines, with or without line ends; an open text file will do.

    Returns:
        The rule set, the seed and the decisions. Whether they are legal shows when they are played.

    Raises:
        RecordError: If a line is damaged or missing, or the game is of another version. The message
            names the line.
    """
    numbered = enumerate(_text_lines(lines), start=1)
    _, first = next(numbered, (1, ""))
    header = _object(first, 1)
    rules, seed = _read_header(header)
    actions = [
        _read_decision(_object(line, number), number, rules) for number, line in numbered if line
    ]
    announced = header.get("decisions", len(actions))
    if announced != len(actions):
        raise RecordError(
            f"the game record ends after {len(actions)} decisions, and its first line announces "
            f"{announced!r}: it is cut off, or lines were added"
        )
    return Transcript(rules, seed, actions)


def read_notes(lines: Iterable[str]) -> TranscriptNotes:
    """Read what a record says beside the game.

    Args:
        lines: The lines of the record, which `read_transcript` has read.

    Returns:
        Who played, and what was thought of decisions.

    Raises:
        RecordError: If a line is damaged.
    """
    header, *decisions = [
        _object(line, number) for number, line in enumerate(_text_lines(lines), 1) if line
    ]
    opinions = {
        number: line["opinion"] for number, line in enumerate(decisions) if "opinion" in line
    }
    return TranscriptNotes(tuple(header.get("players", ())), opinions)


def check_replay(lines: Iterable[str], history: Iterable[tuple[int, bool, int]]) -> None:
    """Check that a game, played again, went as its record says.

    Args:
        lines: The lines of the record, which `read_transcript` has read.
        history: What happened: action number, whether it was forced, and seat, for each decision.

    Raises:
        RecordError: If a decision differs; the message names the line.
    """
    numbered = [(number, line) for number, line in enumerate(_text_lines(lines), 1) if line]
    happened = list(history)
    for (number, line), (action, forced, seat) in zip(numbered[1:], happened, strict=False):
        said = _object(line, number)
        for key, value in (("action", NAMES[action]), ("seat", seat), ("forced", forced)):
            if said.get(key) != value:
                raise RecordError(
                    f"line {number} of the game record does not replay: "
                    f"its {key} is {said.get(key)!r}, and the game has {value!r}"
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
    theirs = _object(header, 1).get("rules_version")
    if theirs == RULES_VERSION:
        return ""
    return f"; it was played by rules_version {theirs}, and this prico plays {RULES_VERSION}"


def _text_lines(lines: Iterable[str]) -> Iterator[str]:
    """Strip the lines, and report a file that is not text at all."""
    try:
        for line in lines.splitlines() if isinstance(lines, str) else lines:
            if not isinstance(line, str):
                raise RecordError("this is not a game record: its lines are not text")
            yield line.strip()
    except UnicodeDecodeError:
        raise RecordError("this is not a game record: it is not text") from None


def _object(line: str, number: int) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):  # damaged, a number too long, or nested too deep
        wrong = "is empty" if not line else "is damaged or cut off"
        raise RecordError(f"line {number} of the game record {wrong}") from None
    if not isinstance(value, dict):
        raise RecordError(f"line {number} of the game record is not a JSON object")
    return value


def _field(line: Mapping[str, Any], key: str, kind: type, number: int) -> Any:
    value = line.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RecordError(f"line {number} of the game record has no proper {key!r}: {value!r}")
    return value


def _read_header(header: Mapping[str, Any]) -> tuple[RuleSet, int]:
    if header.get("format") != FORMAT:
        raise RecordError(
            f"line 1 of the game record does not start a {FORMAT} record, "
            f"its format is {header.get('format')!r}"
        )
    for key, oldest, ours in (
        ("format_version", FORMAT_VERSION, FORMAT_VERSION),
        ("rules_version", OLDEST_RULES_VERSION, RULES_VERSION),
        ("actions_version", ACTIONS_VERSION, ACTIONS_VERSION),
    ):
        theirs = _field(header, key, int, 1)
        if not oldest <= theirs <= ours:
            raise RecordError(
                f"line 1 of the game record has {key} {theirs}, and this prico plays {key} {ours}"
            )
    seed = _field(header, "seed", int, 1)
    if not 0 <= seed <= MAX_SEED:
        raise RecordError(f"line 1 of the game record has a seed out of range: {seed}")
    try:
        rules = RuleSet.from_dict(_field(header, "rules", dict, 1))
    except PricoError as error:
        raise RecordError(f"line 1 of the game record has no proper rule set: {error}") from None
    if "players" in header:
        _check_players(header["players"], rules)
    return rules, seed


def _check_players(names: Any, rules: RuleSet) -> list[str]:
    is_proper = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not is_proper or len(names) != rules.players:
        raise RecordError(
            f"line 1 of the game record has no proper 'players': it names {names!r}, and the game "
            f"has {rules.players} seats"
        )
    return list(names)


def _read_decision(line: Mapping[str, Any], number: int, rules: RuleSet) -> TranscriptAction:
    name = _field(line, "action", str, number)
    if name not in IDS:
        raise RecordError(
            f"line {number} of the game record: no action is called {name!r}"
            f"{did_you_mean(name, NAMES)}"
        )
    seat = _field(line, "seat", int, number)
    if not 0 <= seat < rules.players:
        raise RecordError(f"line {number} of the game record: there is no seat {seat}")
    if rules.lacks(block_of(IDS[name])):
        raise RecordError(f"line {number} of the game record: {name!r} is not in this game")
    if "opinion" in line:
        _field(line, "opinion", dict, number)
    return TranscriptAction(IDS[name], _field(line, "forced", bool, number))
