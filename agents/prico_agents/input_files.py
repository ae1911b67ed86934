"""Files that a person names: read whole, or refused in one line whatever they turn out to be.

A name may lead to a folder, a device, a file of any size, or to bytes that are no text; a YAML file
may nest, repeat and refer to itself without end. None of that is believed before it is looked at.
"""

import json
import os
import stat
from pathlib import Path
from typing import Any, Final

import yaml

from prico_env.errors import PricoError

_MEGABYTE: Final = 2**20
MOST_TEXT: Final = 64 * _MEGABYTE
"""Bytes of a text that are read; a game with what its players thought is a few hundred thousand."""
MOST_BYTES: Final = 1024 * _MEGABYTE
"""Bytes of other files that are read, such as the weights of a network."""
_MOST_YAML: Final = _MEGABYTE // 4
_MOST_VALUES: Final = 20_000
_MOST_LEVELS: Final = 20
_LARGEST: Final = 2**64
"""Of YAML: bytes of a file, values, levels of nesting, and the size of a whole number."""
_NONSENSE: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)
"""What PyYAML raises for a tag that its value does not fit, beside its own errors."""


class _Loader(yaml.SafeLoader):
    """Stops early at what no settings need: very many values, and values in values in values."""

    _levels = 0
    _values = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._levels += 1
        self._values += 1
        if self._levels > _MOST_LEVELS:
            raise ValueError(f"it nests deeper than {_MOST_LEVELS} levels")
        if self._values > _MOST_VALUES:
            raise ValueError(f"it holds more than {_MOST_VALUES:,} values")
        node = super().compose_node(parent, index)
        self._levels -= 1
        return node


def parse_yaml(text: str) -> Any:
    """Return the plain values of a YAML text.

    Raises:
        ValueError: It is no YAML, names a setting twice, or is larger than settings are; in words.
    """
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _check(node, [0], 0)
        value = loader.construct_document(node)
    except (yaml.YAMLError, *_NONSENSE) as error:
        raise ValueError(" ".join(str(error).split()) or "a value does not fit its tag") from None
    _check_numbers(value)
    return value


def _check(node: yaml.Node, values: list[int], level: int) -> None:
    """Refuse names that stand twice, and references that would make a small text a large value."""
    values[0] += 1
    if values[0] > _MOST_VALUES or level > _MOST_LEVELS:
        raise ValueError("its references (*name) make it larger than settings are")
    if isinstance(node, yaml.MappingNode):
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if twice := next((name for name in names if name != "<<" and names.count(name) > 1), None):
            raise ValueError(f"it sets {twice!r} twice")
    if not isinstance(node, yaml.ScalarNode):
        for each in node.value:
            for part in each if isinstance(each, tuple) else (each,):
                _check(part, values, level + 1)


def _check_numbers(value: Any) -> None:
    """Refuse whole numbers so large that they cannot even be printed."""
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise ValueError(f"it holds a whole number beyond {_LARGEST:,}")
    if isinstance(value, dict | list):
        for each in (*value, *value.values()) if isinstance(value, dict) else value:
            _check_numbers(each)


def read_yaml(path: Path, refuse: type[PricoError]) -> Any:
    """Return the plain values of a YAML file.

    Args:
        path: The file.
        refuse: What is raised, in one line, when it cannot be read or used.
    """
    text = read_text(path, refuse, _MOST_YAML)
    try:
        return parse_yaml(text)
    except ValueError as error:
        raise refuse(f"{path} is damaged, or not a YAML file: {error}") from None


def read_json(path: Path, refuse: type[PricoError]) -> Any:
    """Return the value of a JSON file; see `read_yaml`."""
    text = read_text(path, refuse)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refuse(f"{path} is damaged: {error}") from None


def read_text(path: Path, refuse: type[PricoError], most: int = MOST_TEXT) -> str:
    """Return the text of a UTF-8 file, without the mark that some editors begin it with.

    Args:
        path: The file.
        refuse: What is raised, in one line, when it cannot be read.
        most: How many bytes it may have.
    """
    blob = read_bytes(path, refuse, most)
    try:
        return blob.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise refuse(
            f"{path} is not text in UTF-8: byte {error.start} is {blob[error.start]:#x}"
        ) from None


def read_bytes(path: Path, refuse: type[PricoError], most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file; see `read_text`."""
    check_file(path, refuse)
    try:
        with path.open("rb") as file:
            blob = file.read(most + 1)
    except OSError as error:
        raise refuse(f"{path} cannot be read: {error.strerror}") from None
    if len(blob) > most:
        raise refuse(f"{path} is larger than the {most:,} bytes that are read of such a file")
    return blob


def check_file(path: Path, refuse: type[PricoError]) -> None:
    """Refuse what is no file, before it is opened: some devices have no end, and some wait."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise refuse(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise refuse(f"{str(path)!r} cannot be the name of a file") from None
    if stat.S_ISDIR(mode):
        raise refuse(f"{path} cannot be read: it is a folder, not a file")
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise refuse(f"{path} cannot be read: it is a device, not a file")
