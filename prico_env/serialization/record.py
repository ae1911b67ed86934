"""The record of a game as bytes, from which it goes on.

Reading them never runs anything from the file, and says in one line what is wrong with a file that
is damaged or from another version.
"""

import json
import struct
import zlib
from typing import Final

import numpy as np

from prico_env.core.state import STATE, State, copy_states
from prico_env.errors import RecordError
from prico_env.ruleset import RuleSet, check_position
from prico_env.serialization.record_checks import check_record

STATE_VERSION: Final = 1
"""Moves when the fields of a record change."""

_MAGIC: Final = b"PRICO\x00"
_HEADER: Final = struct.Struct("<6sHI")
"""Magic, version of the state, length of the rule set in bytes; little-endian like the record."""
_CHECKSUM: Final = struct.Struct("<I")


def record_to_bytes(rules: RuleSet, state: State) -> bytes:
    """Write a game as bytes: its rule set and its whole record.

    Args:
        rules: The rule set.
        state: One game, a record.

    Returns:
        The saved game. Equal games of one rule set give equal bytes.
    """
    check_position(rules, state)
    record = np.array([state], dtype=STATE)
    record["rules"] = 0
    text = json.dumps(rules.to_dict(), sort_keys=True).encode()
    body = _HEADER.pack(_MAGIC, STATE_VERSION, len(text)) + text + record.tobytes()
    return body + _CHECKSUM.pack(zlib.crc32(body))


def record_from_bytes(saved: bytes) -> tuple[RuleSet, np.ndarray]:
    """Read a game that `record_to_bytes` wrote.

    Args:
        saved: The saved game.

    Returns:
        The rule set, and the records, shape ``(1,)``.

    Raises:
        RecordError: If the bytes are damaged, cut off, too long or of another version, or hold what
            no game can.
    """
    if not isinstance(saved, bytes | bytearray | memoryview):
        raise RecordError(f"a saved game is bytes, not {type(saved).__name__}")
    saved = bytes(saved)
    if len(saved) < _HEADER.size or saved[: len(_MAGIC)] != _MAGIC:
        raise RecordError("these bytes are not a saved game of prico, or only its first few")
    _, version, text_size = _HEADER.unpack_from(saved)
    if version != STATE_VERSION:
        raise RecordError(
            f"the saved game has state version {version}, and this prico reads {STATE_VERSION}"
        )
    expected = _HEADER.size + text_size + STATE.itemsize + _CHECKSUM.size
    if len(saved) != expected:
        raise RecordError(f"the saved game has {len(saved)} bytes instead of {expected}")
    body = saved[: -_CHECKSUM.size]
    if _CHECKSUM.unpack_from(saved, len(body))[0] != zlib.crc32(body):
        raise RecordError("the saved game is damaged: its checksum does not fit")
    text = body[_HEADER.size : _HEADER.size + text_size]
    try:
        rules = RuleSet.from_dict(json.loads(text))
    except (ValueError, TypeError, RecursionError) as error:
        raise RecordError(f"the saved game has no proper rule set: {error}") from None
    states = copy_states(np.frombuffer(body, dtype=STATE, offset=_HEADER.size + text_size))
    check_record(rules, states)
    return rules, states
