"""Sections of settings: dataclasses whose fields say type, range, default and meaning in one place.

pydantic checks the values. Here is what a person meets: YAML files, ``section.setting=value`` on a
command line, complaints that say what to write instead, and pages that are written from the fields.
"""

import site
import sys
import textwrap
import typing
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, cast

import yaml
from pydantic import (
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    ValidationError,
)
from pydantic.dataclasses import dataclass

from prico_env import RuleSet
from prico_env.errors import did_you_mean
from prico_training.errors import ConfigError

T = TypeVar("T")
Section = TypeVar("Section")

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
Counts = tuple[Count, ...]

_WORDS: Final = {
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "bool_type": "true or false",
}
"""Complaints of pydantic about a type, and what the value should have been."""
_NO_SECTION: Final = ("dataclass_type", "dataclass_exact_type", "dict_type")
_WIDTH: Final = 100
_COMMENT_COLUMN: Final = 34


@typing.dataclass_transform(frozen_default=True)
def section(cls: type[T]) -> type[T]:
    """Make a frozen dataclass that refuses unknown settings and values out of range.

    Raises:
        ConfigError: (when one is made) Says which setting, why, and what would do.
    """
    rules = ConfigDict(extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)
    made: Any = dataclass(frozen=True, config=rules)(cls)
    validate = made.__init__

    def checked(self: object, *values: object, **fields: object) -> None:
        try:
            validate(self, *values, **fields)
        except ValidationError as error:
            raise ConfigError(_explain(made, error)) from None

    made.__init__ = checked
    return cast(type[T], made)


def from_dict(fields: object, section: type[Section]) -> Section:
    """Make a section from plain values; what is left out has its default.

    Raises:
        ConfigError: A name is unknown, or a value has the wrong type or is out of range.
    """
    if not isinstance(fields, dict | None):
        raise ConfigError(f"a settings file must hold named settings, not {fields!r}")
    known = _fields(section)
    given = {str(name): value for name, value in (fields or {}).items()}
    empty = [
        name
        for name, value in given.items()
        if value is None and name in known and _is_section(known[name])
    ]
    return section(**{name: value for name, value in given.items() if name not in empty})


def to_plain(made: Any) -> dict[str, Any]:
    """Return a section as the plain values that `from_dict` reads."""
    return cast(dict[str, Any], TypeAdapter(type(made)).dump_python(made, mode="json"))


# -- the game as a setting -------------------------------------------------------------------------


def _read_rules(value: object) -> RuleSet:
    if isinstance(value, RuleSet):
        return value
    if isinstance(value, str):
        value = read_fields(find_settings(value))
    if not isinstance(value, dict):
        raise ConfigError(f"game must hold the fields of a rule set, or name a file, not {value!r}")
    return RuleSet.from_dict(value)


Rules = Annotated[RuleSet, PlainValidator(_read_rules), PlainSerializer(RuleSet.to_dict)]


# -- files and words -------------------------------------------------------------------------------


def find_settings(name: str) -> Path:
    """A settings file as it is named, or where this checkout or installation keeps its own."""
    shares = (Path(prefix, "share", "prico") for prefix in (sys.prefix, site.getuserbase()))
    homes = (Path(__file__).parents[2], *shares)
    places = (Path(name), *(home / name for home in homes))
    return next((place for place in places if place.exists()), Path(name))


def read_fields(path: Path) -> dict[str, Any]:
    """Return the plain values of a settings file.

    Raises:
        ConfigError: It cannot be read.
    """
    try:
        fields = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(f"{path} is not a YAML file: {reason}") from None
    if not isinstance(fields, dict | None):
        raise ConfigError(f"{path} must hold named settings, not {fields!r}")
    return fields or {}


def read_overrides(
    overrides: Sequence[str], fields: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return ``"ppo.update_epochs=4"`` and the like as plain values, nested by section.

    Args:
        overrides: What a person wrote; the values are read as YAML.
        fields: Plain values that they change; none: they stand alone.

    Raises:
        ConfigError: One of them sets nothing.
    """
    fields = {} if fields is None else fields
    for override in overrides:
        name, equals, text = override.partition("=")
        if not equals:
            raise ConfigError(
                f"{override!r} sets nothing; write setting=value, such as ppo.update_epochs=4"
            )
        *sections, last = name.split(".")
        into = fields
        for each in sections:
            into = into.setdefault(each, {})
            if not isinstance(into, dict):
                raise ConfigError(f"{each!r} in {name!r} is not a section")
        try:
            into[last] = yaml.safe_load(text)
        except yaml.YAMLError:
            raise ConfigError(f"{override!r}: {text!r} cannot be read as a value") from None
    return fields


# -- complaints ------------------------------------------------------------------------------------


def _explain(section: Any, error: ValidationError) -> str:
    """Say in one line what is wrong with a setting, and what would do."""
    complaints = [_complaint(section, each) for each in error.errors(include_url=False)]
    old = [complaint for complaint in complaints if "' is now '" in complaint]
    return ", ".join(old) or complaints[0]


def _complaint(section: Any, error: Any) -> str:
    parts = [part for part in error["loc"] if isinstance(part, str)]
    home, kind, value = getattr(section, "home", ""), error["type"], error["input"]
    path = ".".join([home, *parts] if home else parts)
    renamed: Mapping[str, str] = getattr(section, "renamed", {})
    if kind == "unexpected_keyword_argument":
        if now := new_names(renamed, path, value):
            return ", ".join(f"{old!r} is now {new!r}" for old, new in now.items())
        return f"unknown setting {path!r}{did_you_mean(parts[-1], _fields(_home(section, parts)))}"
    if kind in ("value_error", "assertion_error"):
        return str(error["ctx"]["error"])
    if kind in _NO_SECTION:
        return f"{path} must hold named settings, not {value!r}"
    field = _field(section, parts)
    if kind == "tuple_type":
        example = "random" if _inner(field) is str else "256, 256"
        return f"{path} must be a list, such as [{example}], not {value!r}"
    if kind == "literal_error":
        words = ", ".join(typing.get_args(_inner(field)))
        moved = renamed.get(f"{path}={value}", "")
        hint = f"; {value!r} is now {moved!r}" if moved else did_you_mean(value, words.split(", "))
        return f"{path} must be one of {words}, not {value!r}{hint}"
    if kind in _WORDS:
        return f"{path} must be {_WORDS[kind]}, not {value!r}{_hint(value, kind)}"
    return (
        f"{path} must {_range(field)}, not {value!r}"
        if _range(field)
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


def _range(field: Any) -> str:
    """What a number must be: ``lie from 0 to 1``; empty where there is no range."""
    marks = [*field.metadata, *getattr(_inner(field), "__metadata__", ())]
    marks += [each for mark in marks for each in getattr(mark, "metadata", ())]
    low, above, high = (
        next((value for mark in marks if (value := getattr(mark, name, None)) is not None), None)
        for name in ("ge", "gt", "le")
    )
    if high is not None and low is not None:
        return f"lie from {low} to {high}"
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
            found.setdefault(home, {})[last] = renamed.get(f"{path}={each}", each)
    return found


# -- pages written from the fields -----------------------------------------------------------------


def to_commented_yaml(made: Any, notes: Mapping[str, str]) -> str:
    """A section as a YAML file in which each setting says what it means.

    Args:
        made: The section.
        notes: What the fields of a rule set mean, by name.
    """
    return "\n".join(_yaml_lines(made, to_plain(made), notes)) + "\n"


def _yaml_lines(
    made: Any, plain: Mapping[str, Any], notes: Mapping[str, str], indent: str = ""
) -> Iterator[str]:
    for name, field in _fields(type(made)).items():
        value = plain[name]
        if not isinstance(value, dict):
            yield from _commented(f"{indent}{name}: {_flow(value)}", field.description)
            continue
        yield from ("", *_commented(f"{indent}{name}:", field.description))
        if _is_section(field):
            yield from _yaml_lines(getattr(made, name), value, notes, f"{indent}  ")
            continue
        for key, each in value.items():
            yield from _commented(f"{indent}  {key}: {_flow(each)}", notes[key])


def _commented(line: str, comment: str) -> Iterator[str]:
    column = max(_COMMENT_COLUMN, len(line) + 2)
    for words in textwrap.wrap(
        " ".join(comment.split()), _WIDTH - column - 2, break_on_hyphens=False
    ):
        yield f"{line:<{column}}# {words}"
        line = ""


def _flow(value: object) -> str:
    """A plain value as YAML writes it on one line."""
    return yaml.safe_dump(value, default_flow_style=True, width=999).removesuffix("...\n").strip()


def to_tables(section: Any, name: str, heading: str) -> Iterator[str]:
    """The settings of a section as a table of Markdown, then those of the sections in it."""
    fields = _fields(section)
    yield from (f"{heading} {name}", "", " ".join(section.__doc__.split()), "")
    yield from ("| setting | default | range | meaning |", "| --- | --- | --- | --- |")
    for key, field in fields.items():
        if not _is_section(field):
            default = field.get_default(call_default_factory=True)
            if isinstance(default, RuleSet):
                default = default.to_dict()
            shown = _flow(list(default) if isinstance(default, tuple) else default)
            meaning = " ".join(field.description.split())
            yield f"| `{key}` | `{shown}` | {_allowed(field)} | {meaning} |"
    yield ""
    for key, field in fields.items():
        if _is_section(field):
            yield from to_tables(field.annotation, f"`{key}`", f"{heading}#")


def _allowed(field: Any) -> str:
    """The values of a setting as a table says it: ``0 to 1``, ``all, own``; empty: any."""
    if typing.get_origin(_inner(field)) is typing.Literal:
        return ", ".join(typing.get_args(_inner(field)))
    return _range(field).removeprefix("be ").removeprefix("lie ").replace("not be", "not")


# -- fields ----------------------------------------------------------------------------------------


def _fields(section: Any) -> dict[str, Any]:
    return cast(dict[str, Any], section.__pydantic_fields__)


def _inner(field: Any) -> Any:
    """The type of a setting, or of each of its values if it is a list."""
    is_list = typing.get_origin(field.annotation) is tuple
    return typing.get_args(field.annotation)[0] if is_list else field.annotation


def _is_section(field: Any) -> bool:
    return hasattr(field.annotation, "__pydantic_fields__")


def _home(section: Any, parts: Sequence[str]) -> Any:
    """The section in which the last part of a path stands."""
    for part in parts[:-1]:
        section = _fields(section)[part].annotation
    return section


def _field(section: Any, parts: Sequence[str]) -> Any:
    return _fields(_home(section, parts))[parts[-1]]
