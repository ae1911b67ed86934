"""Settings of a training run: one dataclass for each section of a YAML file.

Each setting has its sentence here and its value in a file of `configs/experiments/`. A file names
only what differs from the defaults below. An unknown name stops the run and suggests its
neighbour; so does a value of the wrong type.
"""

import dataclasses
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml

from prico_env import RuleSet
from prico_env.errors import PricoError, did_you_mean

DEFAULT: Final = "configs/experiments/default.yaml"
"""What `prico train` runs when it is not told what."""

REWARDS: Final = ("win", "rank", "margin")


class ConfigError(PricoError):
    """A setting is unknown, or its value cannot be used."""


@dataclass(frozen=True)
class SelfPlay:
    """Who plays whom while learning."""

    games: int = 256
    """Games played side by side."""
    reward: str = "margin"
    """What the learner is paid at the end of a game: `win`, `rank` or `margin`."""
    shaping: float = 0.0667
    """Reward for each VP of lead gained on the way and given back at the end; 0 is off. With four
    players and `margin`, 1/15 pays every VP the moment it is earned."""
    latest: float = 0.7
    """Share of opponents that are the learner as it is now."""
    past: float = 0.25
    """Share of opponents drawn from the pool of past selves. What is left of 1 plays at random."""
    pool_size: int = 10
    """Past selves kept; the oldest but one leaves when another joins."""
    snapshot_every: int = 100_000
    """Learner's decisions after which its present self joins the pool."""


@dataclass(frozen=True)
class Network:
    """The shape of the network."""

    hidden: tuple[int, ...] = (256, 256)
    """Width of each layer that policy and value share."""


@dataclass(frozen=True)
class Ppo:
    """How the network learns (PPO with action masks, from sb3-contrib)."""

    decisions_per_update: int = 64
    """Learner's decisions of each game before the network learns."""
    minibatch: int = 2048
    """Decisions of one gradient step."""
    epochs: int = 3
    """How often each decision is learnt from."""
    learning_rate: float = 1.0e-3
    """Step size at the start; it falls to a tenth of that by the end of the budget."""
    discount: float = 1.0
    """Worth of a reward one decision later; games end, so 1 is right."""
    gae_lambda: float = 0.95
    """Between trusting the value network (0) and the outcome of the game (1)."""
    clip: float = 0.2
    """How far one update may move the probability of an action."""
    entropy: float = 0.01
    """Reward for keeping several actions open, at the start; it falls to a tenth."""
    value_loss: float = 0.5
    """Weight of learning values beside learning to act."""
    max_gradient: float = 0.5
    """Longer gradients are cut to this length."""


@dataclass(frozen=True)
class Budget:
    """When to stop; whichever comes first. 0 sets no limit."""

    minutes: float = 3.0
    """Minutes of learning, without the ranking at the end."""
    decisions: int = 0
    """Learner's decisions."""


@dataclass(frozen=True)
class Evaluation:
    """How play is measured."""

    every_seconds: float = 20.0
    """Seconds of learning between two points of the learning curve."""
    curve_games: int = 100
    """Games against random play for one point of the curve; a multiple of the players."""
    opponents: tuple[str, ...] = ("planner", "random")
    """Whom the trained agent is ranked against at the end."""
    deals: int = 50
    """Deals of the ranking; each is played once from every seat. 0 leaves the ranking out."""


@dataclass(frozen=True)
class Config:
    """A whole training run."""

    name: str = "default"
    """Names the run folder."""
    seed: int = 7
    """Decides deals, opponents and the network's first weights."""
    runs: str = "runs"
    """Folder that holds the run folders."""
    threads: int = 2
    """Threads of the network; more than there are idle cores makes it slower."""
    checkpoint_seconds: float = 60.0
    """Seconds between two checkpoints; one is always written at the end."""
    game: RuleSet = field(default_factory=RuleSet)
    """The rule set: players, edition and switches; or a file of `configs/games/`."""
    self_play: SelfPlay = field(default_factory=SelfPlay)
    """Who plays whom while learning."""
    network: Network = field(default_factory=Network)
    """The shape of the network."""
    ppo: Ppo = field(default_factory=Ppo)
    """How the network learns."""
    budget: Budget = field(default_factory=Budget)
    """When to stop."""
    evaluation: Evaluation = field(default_factory=Evaluation)
    """How play is measured."""

    def __post_init__(self) -> None:
        """Refuse values that cannot work, before any time is spent."""
        _check_ranges(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `from_dict` reads them."""
        return typing.cast(dict[str, Any], to_plain(self))

    def to_yaml(self) -> str:
        """Return the settings as a YAML file."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False)


Section = TypeVar("Section")


def from_dict(fields: object, section: type[Section], path: str = "") -> Section:
    """Make a section from plain values; what is left out has its default.

    Raises:
        ConfigError: A name is unknown or a value has the wrong type.
    """
    if fields is None:
        fields = {}
    if not isinstance(fields, dict):
        raise ConfigError(f"{path or 'a settings file'} must hold named settings, not {fields!r}")
    hints = typing.get_type_hints(section)
    values = {}
    for name, value in fields.items():
        here = f"{path}.{name}" if path else str(name)
        if name not in hints:
            raise ConfigError(f"unknown setting {here!r}{did_you_mean(name, hints)}")
        values[name] = _value(value, hints[name], here)
    return section(**values)


def to_plain(value: object) -> object:
    """Return a section as the plain values that `from_dict` reads."""
    if isinstance(value, RuleSet):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            each.name: to_plain(getattr(value, each.name)) for each in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return dict(value)
    return [to_plain(each) for each in value] if isinstance(value, tuple) else value


def load_config(path: Path | None, overrides: typing.Sequence[str] = ()) -> Config:
    """Read a settings file and change single settings of it.

    Args:
        path: A YAML file; None takes the defaults.
        overrides: ``"ppo.epochs=4"`` and the like, read as YAML.

    Raises:
        ConfigError: The file or a setting cannot be used.
    """
    fields = {} if path is None else read_fields(path)
    for override in overrides:
        _override(fields, override)
    return from_dict(fields, Config)


def find_settings(name: str) -> Path:
    """A settings file as it is named, or where this installation keeps its own."""
    given, ours = Path(name), Path(__file__).parent.parent / name
    return given if given.exists() or not ours.exists() else ours


def read_overrides(overrides: typing.Sequence[str]) -> dict[str, Any]:
    """Return ``"ppo.epochs=4"`` and the like as plain values, nested by section."""
    fields: dict[str, Any] = {}
    for override in overrides:
        _override(fields, override)
    return fields


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


def _override(fields: dict[str, Any], override: str) -> None:
    name, equals, text = override.partition("=")
    if not equals:
        raise ConfigError(f"{override!r} sets nothing; write setting=value, such as ppo.epochs=4")
    *sections, last = name.split(".")
    for section in sections:
        fields = fields.setdefault(section, {})
        if not isinstance(fields, dict):
            raise ConfigError(f"{section!r} in {name!r} is not a section")
    try:
        fields[last] = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"{override!r}: {text!r} cannot be read as a value") from None


def _value(value: object, wanted: Any, path: str) -> Any:
    """Check a value against the type of its setting."""
    if wanted is RuleSet:
        return _rules(value, path)
    if dataclasses.is_dataclass(wanted):
        return from_dict(value, typing.cast(type, wanted), path)
    if typing.get_origin(wanted) is Mapping:
        if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
            raise ConfigError(f"{path} must hold named settings, not {value!r}")
        return value
    if typing.get_origin(wanted) is tuple:
        inner = typing.get_args(wanted)[0]
        if not isinstance(value, list | tuple):
            raise ConfigError(f"{path} must be a list, such as [{_example(inner)}], not {value!r}")
        return tuple(_value(each, inner, path) for each in value)
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not wanted:
        raise ConfigError(
            f"{path} must be {_describe(wanted)}, not {value!r}{_hint(value, wanted)}"
        )
    return value


def _rules(value: object, path: str) -> RuleSet:
    if isinstance(value, RuleSet):
        return value
    if isinstance(value, str):
        value = read_fields(find_settings(value))
    if not isinstance(value, dict):
        raise ConfigError(
            f"{path} must hold the fields of a rule set, or name a file, not {value!r}"
        )
    return RuleSet.from_dict(value)


def _hint(value: object, wanted: type) -> str:
    """PyYAML reads ``3e-4`` as text: it wants a point in the number."""
    if wanted is not float or not isinstance(value, str):
        return ""
    try:
        number = float(value)
    except ValueError:
        return ""
    mantissa, _, exponent = value.lower().partition("e")
    fixed = f"{mantissa}.0e{exponent}" if exponent else str(number)
    return f"; YAML reads that as text, write {fixed}"


def _describe(wanted: type) -> str:
    words: dict[type, str] = {
        int: "a whole number",
        float: "a number",
        str: "text",
        bool: "true or false",
    }
    return words[wanted]


def _example(wanted: type) -> str:
    return "256, 256" if wanted is int else "random"


def _check_ranges(config: Config) -> None:
    play, ppo, test = config.self_play, config.ppo, config.evaluation
    rules: tuple[tuple[bool, str], ...] = (
        (play.games >= 1, "self_play.games must be at least 1"),
        (play.reward in REWARDS, f"self_play.reward must be one of {', '.join(REWARDS)}"),
        (play.shaping >= 0, "self_play.shaping must not be negative"),
        (play.latest >= 0 and play.past >= 0, "self_play shares must not be negative"),
        (
            play.latest + play.past <= 1 + 1e-9,
            "self_play.latest and past must not exceed 1 together",
        ),
        (play.pool_size >= 1, "self_play.pool_size must be at least 1"),
        (play.snapshot_every >= 1, "self_play.snapshot_every must be at least 1"),
        (
            len(config.network.hidden) >= 1 and min(config.network.hidden) >= 1,
            "network.hidden must name the width of at least one layer",
        ),
        (ppo.decisions_per_update >= 1, "ppo.decisions_per_update must be at least 1"),
        (ppo.minibatch > 1, "ppo.minibatch must be at least 2"),
        (ppo.epochs >= 1, "ppo.epochs must be at least 1"),
        (ppo.learning_rate > 0, "ppo.learning_rate must be above 0"),
        (0 < ppo.discount <= 1, "ppo.discount must be above 0 and at most 1"),
        (0 <= ppo.gae_lambda <= 1, "ppo.gae_lambda must lie from 0 to 1"),
        (ppo.clip > 0, "ppo.clip must be above 0"),
        (
            config.budget.minutes > 0 or config.budget.decisions > 0,
            "budget needs minutes or decisions above 0, or training would never end",
        ),
        (config.threads >= 1, "threads must be at least 1"),
        (test.curve_games >= 1, "evaluation.curve_games must be at least 1"),
        (test.deals >= 0, "evaluation.deals must not be negative"),
        (test.every_seconds > 0, "evaluation.every_seconds must be above 0"),
        (config.seed >= 0, "seed must not be negative"),
        (bool(config.name) and "/" not in config.name, "name must be a word for a folder"),
    )
    for holds, complaint in rules:
        if not holds:
            raise ConfigError(complaint)
