"""What an agent can be told: the settings its class takes, and their values as people write them.

A setting is a parameter of the class that is a number, a text, one of some words, or a yes or no.
Its name, kind and default stand in the signature and nowhere else.
"""

import inspect
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from prico_agents.base import AgentError
from prico_agents.renamed import name_hint
from prico_env.errors import quoted

Player = type[Any]
"""The class of an agent."""

_KINDS: Final[dict[Any, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    Mapping: "values by name",
    object: "anything",
}
"""Kinds of settings, and what a sentence calls their values; any other parameter is no setting."""
LARGEST: Final = 2**63 - 1
"""The largest number that a setting can be, in either direction; seeds run as far."""
_TRUTH: Final = {"true": True, "yes": True, "false": False, "no": False}
_MUST_BE_GIVEN: Final = inspect.Parameter.empty
_REST: Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True)
class Setting:
    """One thing that an agent can be told.

    Attributes:
        name: The name of the parameter.
        kind: ``bool``, ``int``, ``float``, ``str``, ``Mapping``, or ``object`` where the class does
            not say.
        words: If it is one of some words, which.
        default: Its value when it is not given, if there is one.
    """

    name: str
    kind: type[Any]
    words: tuple[str, ...]
    default: Any

    def __str__(self) -> str:
        """The setting with its default, then the other words it can be: ``leaf=static|greedy``."""
        if self.default is _MUST_BE_GIVEN:
            return f"{self.name}=({'|'.join(self.words) or _KINDS[self.kind]})"
        default = str(self.default)
        default = default.lower() if self.default in (None, True, False) else default
        return f"{self.name}={'|'.join((default, *(w for w in self.words if w != default)))}"

    def read(self, text: str) -> Any:
        """The value that a text stands for; the text itself when it stands for no other."""
        if self.kind in (bool, object) and text.lower() in _TRUTH:
            return _TRUTH[text.lower()]
        for number in (int, float):
            if self.kind in (number, object):
                try:
                    return number(text)
                except ValueError:
                    continue
        return text

    def complaint(self, value: object) -> str:
        """What a value should have been; empty when it will do."""
        if value is None and self.default is None:
            return ""
        if self.words and not (isinstance(value, str) and value in self.words):
            hint = name_hint(value, self.words)
            return f"{self.name} must be {' or '.join(self.words)}, not {quoted(value)}{hint}"
        fits = isinstance(value, (int, float) if self.kind is float else self.kind)
        if isinstance(value, bool):
            fits = self.kind in (bool, object)
        if isinstance(value, float):
            fits = fits and not math.isnan(value)
        if not fits:
            return f"{self.name} must be {_KINDS[self.kind]}, not {quoted(value)}"
        if isinstance(value, int | float) and abs(value) > LARGEST:
            return f"{self.name} must lie from -{LARGEST:,} to {LARGEST:,}, not {quoted(value)}"
        return ""


def settings_of(player: Player) -> list[Setting]:
    """What an agent can be told, in the order of its signature."""
    found = []
    for parameter in _parameters(player):
        kind, words = _kind(parameter)
        if kind in _KINDS and parameter.kind not in _REST:
            found.append(Setting(parameter.name, kind, words, parameter.default))
    return found


def describe_settings(player: Player) -> str:
    """All settings with their defaults, as a person writes them; empty when there are none.

    >>> describe_settings(type("Calm", (), {"__init__": lambda self, patience=3, **virtues: None}))
    'patience=3, any of its virtues'
    """
    further = _further(player)
    named = [str(setting) for setting in settings_of(player)]
    return ", ".join([*named, f"any of its {further}"] if further else named)


def read_settings(name: str, player: Player, text: str) -> dict[str, Any]:
    """Values as they stand behind a name: ``400``, or ``simulations=400,leaf=greedy``.

    Args:
        name: What a person wrote, for complaints.
        player: Its attribute ``short_setting`` names the setting of a first value without a name.
        text: What stands behind the colon.
    """
    there = {setting.name: setting for setting in settings_of(player)}
    if not there and not _further(player):
        raise AgentError(f"{name!r} cannot be set: this agent has no settings")
    found: dict[str, Any] = {}
    for number, part in enumerate(text.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            key, value = getattr(player, "short_setting", ""), part
            if number > 0 or not key or not part:
                raise AgentError(
                    f"{name!r} sets nothing with {part!r}; write setting=value; {_known(player)}"
                )
        if key in found:
            raise AgentError(f"{name!r} sets {key} twice")
        found[key] = there.get(key, Setting(key, object, (), None)).read(value)
    return found


def check_settings(name: str, player: Player, settings: Mapping[str, Any]) -> None:
    """Refuse settings that the agent does not have, and values that they cannot have.

    Raises:
        AgentError: Says which setting, why, and which settings there are.
    """
    there = {setting.name: setting for setting in settings_of(player)}
    for key, value in settings.items():
        if key not in there:
            if _further(player):
                continue
            raise AgentError(
                f"{name!r} has no setting {key!r}{name_hint(key, there)}; {_known(player)}"
            )
        complaint = there[key].complaint(value)
        if complaint:
            raise AgentError(f"{name!r} cannot be set so: {complaint}; {_known(player)}")


def _known(player: Player) -> str:
    """The end of a complaint: which settings there are."""
    known = describe_settings(player)
    return f"its settings are {known}" if known else "it has no settings"


def _further(player: Player) -> str:
    """What a class calls the settings that it checks by itself; empty when it has none."""
    return "".join(each.name for each in _parameters(player) if each.kind is each.VAR_KEYWORD)


def _parameters(player: Player) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(player, eval_str=True).parameters.values())
    except NameError as error:
        raise AgentError(f"the parameters of {player.__name__} cannot be read: {error}") from None


def _kind(parameter: inspect.Parameter) -> tuple[Any, tuple[str, ...]]:
    """What kind of value a parameter takes, and the words if it is one of some."""
    hint = parameter.annotation
    if hint is inspect.Parameter.empty or hint is Any:
        return object, ()
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        hints = [each for each in typing.get_args(hint) if each is not types.NoneType]
        hint = hints[0] if len(hints) == 1 else hint
    if typing.get_origin(hint) is typing.Literal:
        return str, typing.get_args(hint)
    return typing.get_origin(hint) or hint, ()
