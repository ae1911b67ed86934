"""Games, moves and positions as text, both ways."""

from prico_env.notation.boards import position_text
from prico_env.notation.invariants import broken_invariants
from prico_env.notation.moves import action_name, describe_action, parse_action
from prico_env.notation.positions import position_from_dict, position_to_dict
from prico_env.notation.primer import rules_text
from prico_env.notation.reasons import why_not
from prico_env.notation.records import (
    GameRecord,
    RecordedAction,
    RecordNotes,
    check_replay,
    read_notes,
    read_record,
    record_lines,
    state_from_bytes,
    state_to_bytes,
)

__all__ = [
    "GameRecord",
    "RecordNotes",
    "RecordedAction",
    "action_name",
    "broken_invariants",
    "check_replay",
    "describe_action",
    "parse_action",
    "position_from_dict",
    "position_text",
    "position_to_dict",
    "read_notes",
    "read_record",
    "record_lines",
    "rules_text",
    "state_from_bytes",
    "state_to_bytes",
    "why_not",
]
