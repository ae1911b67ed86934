"""Sections of settings: dataclasses whose fields say type, range, default and meaning in one place.

pydantic checks the values. Here is what a person meets: YAML files, ``section.setting=value`` on a
command line, complaints that say what to write instead, and pages that are written from the fields.
"""

import itertools
import os
import site
import sys
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, cast

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    ValidationError,
)
from pydantic.dataclasses import dataclass

from prico_agents.input_files import parse_yaml, read_yaml
from prico_env import RuleSet
from prico_env.arguments import path, texts
from prico_env.errors import PricoError, did_you_mean, quoted
from prico_training.errors import ConfigError
from prico_training.rule_sets import MIXES

Section = TypeVar("Section")

_MOST_SHARES: Final = 1_000
"""Shares that a rule set or a mix of them may have."""

Flag = Annotated[bool, Field(strict=True)]
Number = Annotated[float, Field(strict=True)]
Integer = Annotated[int, Field(strict=True)]
Whole = Annotated[int, Field(strict=True, ge=0)]
Count = Annotated[int, Field(strict=True, ge=1)]
Several = Annotated[int, Field(strict=True, ge=2)]
NotNegative = Annotated[float, Field(strict=True, ge=0)]
Positive = Annotated[float, Field(strict=True, gt=0)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
SomeShare = Annotated[float, Field(strict=True, gt=0, le=1)]
Names = tuple[str, ...]
NameOrNames = Annotated[
    tuple[str, ...],
    BeforeValidator(lambda value: (value,) * bool(value) if isinstance(value, str) else value),
]
"""As `Names`; one alone may stand there without a list, and none as empty text."""

_WORDS: Final = {
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "bool_type": "true or false",
}
"""Complaints of pydantic about a type, and what the value should have been."""
_NO_SECTION: Final = ("dataclass_type", "dataclass_exact_type", "dict_type")


@typing.dataclass_transform(frozen_default=True)
def section(
    path: str = "", renamed: Mapping[str, str] | None = None
) -> Callable[[type[Section]], type[Section]]:
    """Make a frozen dataclass that refuses unknown settings and values out of range.

    Args:
        path: Where it stands in a settings file, for complaints; empty: it is the file.
        renamed: Old and new names of settings, sections, and values as ``setting=value``.

    Raises:
        ConfigError: (when one is made) Says which setting, why, and what would do.
    """
    rules = ConfigDict(extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)

    def make(cls: type[Section]) -> type[Section]:
        made: Any = dataclass(frozen=True, config=rules)(cls)
        validate = made.__init__

        def checked(self: object, *values: object, **fields: object) -> None:
            try:
                validate(self, *values, **fields)
            except ValidationError as error:
                found = error.errors(include_url=False)
                complaints = [_complaint(made, path, renamed or {}, each) for each in found]
                old = [complaint for complaint in complaints if "' is now '" in complaint]
                raise ConfigError(", ".join(old) or complaints[0]) from None

        made.__init__ = checked
        return cast(type[Section], made)

    return make


def from_dict(fields: object, section: type[Section]) -> Section:
    """Make a section from plain values; what is left out has its default.

    Raises:
        ConfigError: A name is unknown, or a value has the wrong type or is out of range.
    """
    if not isinstance(fields, dict | None):
        raise ConfigError(f"a settings file must hold named settings, not {quoted(fields)}")
    known = fields_of(section)
    given = {str(name): value for name, value in (fields or {}).items()}
    empty = [
        name
        for name, value in given.items()
        if value is None and name in known and is_section(known[name])
    ]
    return section(**{name: value for name, value in given.items() if name not in empty})


def to_plain(made: Any) -> dict[str, Any]:
    """Return a section as the plain values that `from_dict` reads."""
    return cast(dict[str, Any], TypeAdapter(type(made)).dump_python(made, mode="json"))


def merged(fields: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Plain values with some of them changed, setting by setting in each section."""
    result = dict(fields)
    for name, value in changes.items():
        before = result.get(name)
        if isinstance(value, dict) and isinstance(before, dict):
            value = merged(before, value)
        result[name] = value
    return result


# -- the game as a setting -------------------------------------------------------------------------


def _read_rules(value: object) -> RuleSet:
    if isinstance(value, RuleSet):
        return value
    if isinstance(value, str):
        value = read_fields(find_settings(value))
    if not isinstance(value, dict):
        raise ConfigError(
            f"game must hold the fields of a rule set, or name a file, not {quoted(value)}"
        )
    return RuleSet.from_dict(value)


def read_mix(value: object) -> tuple[str | RuleSet, ...]:
    """Read rule sets, files that hold one, and names of mixes, which stay names.

    What has several shares, such as ``{of: with-a-suite, shares: 3}``, stands there as often.

    Raises:
        ConfigError: They are something else, or a file cannot be read.
    """
    entries = (value,) if isinstance(value, str | dict | RuleSet) else value
    if not isinstance(entries, list | tuple):
        raise ConfigError(
            "games must be a list of rule sets, of files that hold one, and of mixes "
            f"({', '.join(MIXES)}), not {quoted(value)}"
        )
    return tuple(each for entry in entries for each in _read_shares(entry))


def _read_shares(entry: object) -> list[str | RuleSet]:
    """Read an entry of a mix, as often as it has shares."""
    if not (isinstance(entry, dict) and "shares" in entry):
        return [_read_entry(entry)]
    shares = entry["shares"]
    if set(entry) != {"of", "shares"} or not _is_count(shares, _MOST_SHARES):
        raise ConfigError(
            "games with several shares are written {of: with-a-suite, shares: 3}, with 1 to "
            f"{_MOST_SHARES} shares, not {quoted(entry)}"
        )
    return [_read_entry(entry["of"])] * shares


def _is_count(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def _read_entry(entry: object) -> str | RuleSet:
    if not isinstance(entry, str):
        return _read_rules(entry)
    if entry in MIXES:
        return entry
    if not find_settings(entry).exists():
        raise ConfigError(
            f"there are no games {quoted(entry)}: it is neither a file that holds a rule set, "
            f"such as configs/games/1897_en_3_players.yaml, nor a mix ({', '.join(MIXES)})"
        )
    return _read_rules(entry)


def _write_mix(mix: tuple[str | RuleSet, ...]) -> list[Any]:
    written = []
    for entry, same in itertools.groupby(mix):
        plain, shares = entry if isinstance(entry, str) else entry.to_dict(), len(list(same))
        written.append(plain if shares == 1 else {"of": plain, "shares": shares})
    return written


RuleMix = Annotated[
    tuple[str | RuleSet, ...], PlainValidator(read_mix), PlainSerializer(_write_mix)
]
"""Several rule sets, some of them by the name of a mix."""


def _read_stages(value: object) -> tuple[dict[str, Any], ...]:
    stages: Sequence[Any] = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(each, dict) and isinstance(each.get("name"), str) for each in stages):
        raise ConfigError(
            "stages must be a list of named settings, each with a name, such as "
            f"[{{name: league, budget: {{decisions: 1000}}}}], not {quoted(value)}"
        )
    names = [each["name"] for each in stages]
    if len(set(names)) < len(names):
        raise ConfigError(f"each of the stages has a name of its own, not {', '.join(names)}")
    return tuple(stages)


Stages = Annotated[tuple[dict[str, Any], ...], PlainValidator(_read_stages), PlainSerializer(list)]
"""Names of stages, with the settings that differ in each, nested by section."""
Rules = Annotated[RuleSet, PlainValidator(_read_rules), PlainSerializer(RuleSet.to_dict)]


# -- files and words -------------------------------------------------------------------------------


def find_settings(name: str | os.PathLike[str]) -> Path:
    """A settings file as it is named, or where this checkout or installation keeps its own."""
    name = path(name, "the name of a settings file", ConfigError)
    shares = (Path(prefix, "share", "prico") for prefix in (sys.prefix, site.getuserbase()))
    homes = (Path(__file__).parents[2], *shares)
    places = (name, *(home / name for home in homes))
    return next((place for place in places if os.path.exists(place)), name)


def read_fields(path: Path, refuse: type[PricoError] = ConfigError) -> dict[str, Any]:
    """Return the plain values of a settings file.

    A list in a list stands for its items, so that one can be written once and extended elsewhere:
    ``[*league, "stage:exploiter"]`` where another has the anchor ``&league``.

    Args:
        path: The file.
        refuse: What is raised when it cannot be read.
    """
    fields = _joined(read_yaml(path, refuse))
    if not isinstance(fields, dict | None):
        raise refuse(f"{path} must hold named settings, not {quoted(fields)}")
    return fields or {}


def _joined(value: Any) -> Any:
    """Plain values in which the items of a list within a list stand in the outer one."""
    if isinstance(value, dict):
        return {name: _joined(each) for name, each in value.items()}
    if not isinstance(value, list):
        return value
    items: list[Any] = []
    for each in map(_joined, value):
        items.extend(each if isinstance(each, list) else [each])
    return items


def read_overrides(
    overrides: Iterable[str], fields: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return ``"ppo.update_epochs=4"`` and the like as plain values, nested by section.

    Args:
        overrides: What a person wrote; the values are read as YAML.
        fields: Plain values that they change; none: they stand alone.

    Raises:
        ConfigError: One of them sets nothing.
    """
    fields = {} if fields is None else fields
    for override in texts(overrides, "changed settings", ConfigError):
        name, equals, text = override.partition("=")
        if not equals:
            raise ConfigError(
                f"{quoted(override)} sets nothing; write setting=value, such as ppo.update_epochs=4"
            )
        *sections, last = name.split(".")
        into = fields
        for each in sections:
            into = into.setdefault(each, {})
            if not isinstance(into, dict):
                raise ConfigError(f"{each!r} in {name!r} is not a section")
        try:
            into[last] = parse_yaml(text)
        except ValueError as error:
            raise ConfigError(f"{quoted(override)} cannot be read as a value: {error}") from None
    return fields


# -- complaints ------------------------------------------------------------------------------------


def _complaint(section: Any, home: str, renamed: Mapping[str, str], error: Any) -> str:
    """Say in one line what is wrong with a setting, and what would do."""
    parts = [part for part in error["loc"] if isinstance(part, str)]
    kind, value = error["type"], error["input"]
    path = ".".join([home, *parts] if home else parts)
    if kind == "unexpected_keyword_argument":
        if now := new_names(renamed, path, value):
            return ", ".join(f"{old!r} is now {new!r}" for old, new in now.items())
        return (
            f"unknown setting {path!r}{did_you_mean(parts[-1], fields_of(_home(section, parts)))}"
        )
    if kind in ("value_error", "assertion_error"):
        return str(error["ctx"]["error"])
    if kind in _NO_SECTION:
        return f"{path} must hold named settings, not {quoted(value)}"
    field = _field(section, parts)
    if kind == "tuple_type":
        example = "random" if inner_type(field) is str else "256, 256"
        return f"{path} must be a list, such as [{example}], not {quoted(value)}"
    if kind == "too_short":
        return f"{path} must name at least one {'agent' if inner_type(field) is str else 'layer'}"
    if kind == "too_long":
        return f"{path} may have at most {error['ctx']['max_length']}, not {len(value):,}"
    if kind == "literal_error":
        words = ", ".join(typing.get_args(inner_type(field)))
        moved = renamed.get(f"{path}={value}", "")
        hint = f"; {value!r} is now {moved!r}" if moved else did_you_mean(value, words.split(", "))
        return f"{path} must be one of {words}, not {quoted(value)}{hint}"
    if kind in _WORDS:
        return f"{path} must be {_WORDS[kind]}, not {quoted(value)}{_hint(value, kind)}"
    return (
        f"{path} must {range_of(field)}, not {quoted(value)}"
        if range_of(field)
        else f"{path}: {error['msg']}"
    )


def _hint(value: object, kind: str) -> str:
    """PyYAML reads ``3e-4`` as text: it wants a point in the number."""
    if kind != "float_type" or not isinstance(value, str):
        return ""
    try:
        number = float(value)
    except ValueError:
        return ""
    mantissa, _, exponent = value.lower().partition("e")
    fixed = f"{mantissa}.0e{exponent}" if exponent else str(number)
    return f"; YAML reads that as text, write {fixed}"


def range_of(field: Any) -> str:
    """What a number must be: ``lie from 0 to 1``; empty where there is no range."""
    marks = [*field.metadata, *getattr(inner_type(field), "__metadata__", ())]
    marks += [each for mark in marks for each in getattr(mark, "metadata", ())]
    low, above, high = (
        next((value for mark in marks if (value := getattr(mark, name, None)) is not None), None)
        for name in ("ge", "gt", "le")
    )
    if high is not None and low is not None:
        return f"be at least {low:,} and at most {high:,}" if low else f"lie from 0 to {high:,}"
    if high is not None:
        return f"be above {above} and at most {high:,}"
    if above is not None:
        return f"be above {above}"
    return "" if low is None else "not be negative" if low == 0 else f"be at least {low}"


# -- renamed settings ------------------------------------------------------------------------------


def new_names(renamed: Mapping[str, str], path: str, value: object) -> dict[str, str]:
    """What a setting, or each setting of a section, is called today; empty if nothing changed.

    Args:
        renamed: Old and new names, of sections and of single settings.
        path: The name, such as ``imitation.slips`` or ``imitation``.
        value: Its value; a section holds named settings.
    """
    if isinstance(value, dict) and value:
        return {
            old: new
            for name, each in value.items()
            for old, new in new_names(renamed, f"{path}.{name}", each).items()
        }
    first, dot, rest = path.partition(".")
    new = renamed.get(path, f"{renamed.get(first, first)}{dot}{rest}")
    return {} if new == path else {path: new}


def translated(fields: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """The plain values of a file that an older version wrote, under the names of today."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        if not isinstance(value, dict):
            found[name] = renamed.get(f"{name}={value}", value)
            continue
        for key, each in value.items():
            path = new_names(renamed, f"{name}.{key}", None).get(f"{name}.{key}", f"{name}.{key}")
            home, _, last = path.partition(".")
            section = found.setdefault(home, {})
            if isinstance(section, dict):  # what is none is refused when it is read
                section[last] = renamed.get(f"{path}={each}", each)
    return found


# -- fields ----------------------------------------------------------------------------------------


def fields_of(section: Any) -> dict[str, Any]:
    """The settings of a section by name, with their types, ranges and sentences."""
    return cast(dict[str, Any], section.__pydantic_fields__)


def inner_type(field: Any) -> Any:
    """The type of a setting, or of each of its values if it is a list."""
    is_list = typing.get_origin(field.annotation) is tuple
    return typing.get_args(field.annotation)[0] if is_list else field.annotation


def is_section(field: Any) -> bool:
    """Whether a setting holds settings itself."""
    return hasattr(field.annotation, "__pydantic_fields__")


def _home(section: Any, parts: Sequence[str]) -> Any:
    """The section in which the last part of a path stands."""
    for part in parts[:-1]:
        section = fields_of(section)[part].annotation
    return section


def _field(section: Any, parts: Sequence[str]) -> Any:
    return fields_of(_home(section, parts))[parts[-1]]


def check_unchanged(
    folder: object, what: str, before: Mapping[str, Any], now: Mapping[str, Any], instead: str
) -> None:
    """Refuse to go on with what a folder holds as if it were another one.

    Args:
        folder: The folder.
        what: What it holds, such as ``"a benchmark"``.
        before: The settings it began with.
        now: Those settings, as they are asked for, that must stay.
        instead: What works.

    Raises:
        ConfigError: One of them is another.
    """
    for name, value in now.items():
        if before.get(name) != value:
            raise ConfigError(
                f"{folder} holds {what} with {name} = {before.get(name)}, not {value}; {instead}"
            )
