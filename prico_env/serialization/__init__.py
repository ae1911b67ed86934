"""Games as data: position dicts, transcripts, and the checks that whatever is read must pass."""

from prico_env.serialization.invariants import broken_invariants
from prico_env.serialization.position import position_from_dict, position_to_dict
from prico_env.serialization.transcript import (
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
    "broken_invariants",
    "check_replay",
    "position_from_dict",
    "position_to_dict",
    "read_notes",
    "read_record",
    "record_lines",
    "state_from_bytes",
    "state_to_bytes",
]
