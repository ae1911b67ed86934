"""Games as data: positions, transcripts and records as bytes, and the checks of what is read."""

import warnings
from typing import Any, Final

from prico_env.serialization.invariants import broken_invariants
from prico_env.serialization.position import position_from_dict, position_to_dict
from prico_env.serialization.record import record_from_bytes, record_to_bytes
from prico_env.serialization.record_checks import check_ranges, check_record, wrong_records
from prico_env.serialization.transcript import (
    Start,
    Transcript,
    TranscriptAction,
    TranscriptNotes,
    check_replay,
    older_rules,
    read_names,
    read_notes,
    read_transcript,
    replay_transcript,
    transcript_lines,
    unwritable,
)

__all__ = [
    "Start",
    "Transcript",
    "TranscriptAction",
    "TranscriptNotes",
    "broken_invariants",
    "check_ranges",
    "check_record",
    "check_replay",
    "older_rules",
    "position_from_dict",
    "position_to_dict",
    "read_names",
    "read_notes",
    "read_transcript",
    "record_from_bytes",
    "record_to_bytes",
    "replay_transcript",
    "transcript_lines",
    "unwritable",
    "wrong_records",
]

_FORMER_NAMES: Final = {
    "GameRecord": "Transcript",
    "RecordedAction": "TranscriptAction",
    "RecordNotes": "TranscriptNotes",
    "record_lines": "transcript_lines",
    "read_record": "read_transcript",
    "state_to_bytes": "record_to_bytes",
    "state_from_bytes": "record_from_bytes",
}


def __getattr__(name: str) -> Any:
    """Return what a former name of this package stands for, with a warning."""
    if name not in _FORMER_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    now = _FORMER_NAMES[name]
    warnings.warn(f"{name} is called {now} now", DeprecationWarning, stacklevel=2)
    return globals()[now]
