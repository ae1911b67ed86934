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
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.errors import PricoError, did_you_mean

DEFAULT: Final = "configs/experiments/default.yaml"
"""What `prico train` runs when it is not told what."""

TRAINERS: Final = ("ppo", "maskable_sb3", "search")
VALUES: Final = ("all", "own")
BRANCHES: Final = ("roles", "main", "all")
ELSEWHERE: Final = ("greedy", "network")
TARGETS: Final = ("values", "visits")
DEVICES: Final = ("cpu", "cuda", "auto")


class ConfigError(PricoError):
    """A setting is unknown, or its value cannot be used."""


@dataclass(frozen=True)
class SelfPlay:
    """The games that are learnt from."""

    games: int = 512
    """Games played side by side."""
    players: tuple[int, ...] = ()
    """Numbers of players at the tables, as ``4, 4, 3``: one share of the games for each; none: all
    have those of `game`."""
    steps: int = 64
    """Decisions of each game before the network learns."""


@dataclass(frozen=True)
class Opponents:
    """Who else plays while learning: the league."""

    agents: tuple[str, ...] = ("planner", "corn", "builder", "trader")
    """Compiled players and folders of trained policies who are met; none leaves the learner to
    itself and its past selves."""
    share: float = 1.0
    """Share of the games in which an opponent takes some of the seats; in the others all are the
    learner's."""
    focus: float = 2.0
    """How much more often those are met who win; 0 meets all alike."""
    pool_size: int = 0
    """Past selves kept as opponents; the oldest leaves when another joins. 0 keeps none."""
    snapshot_every: int = 500_000
    """Decisions after which the learner's present self joins them."""


@dataclass(frozen=True)
class Network:
    """The shape of the network."""

    hidden: tuple[int, ...] = (256, 256)
    """Width of each layer that policy and value share."""
    values: str = "all"
    """Whose chances to win it judges: those of `all` seats, or its `own`."""
    half: bool = True
    """Whether layers are computed with 16 bits, where the processor is made for that."""
    start: str = ""
    """Folder of a policy or run whose weights it starts with; none: fresh ones."""


@dataclass(frozen=True)
class Imitation:
    """The warm start: playing as a teacher plays."""

    share: float = 0.5
    """Share of the budget that it takes; 0 leaves it out."""
    teacher: str = "planner"
    """The compiled player who shows how to play."""
    others: tuple[str, ...] = ("corn", "builder", "trader")
    """Compiled players who sit beside the teacher, by lot; none seats the teacher everywhere."""
    games: int = 256
    """Games of one lesson."""
    slips: float = 0.05
    """How often players are made to do anything else than they would."""
    minibatch: int = 1024
    """Decisions of one gradient step."""
    learning_rate: float = 2.0e-3
    """Step size at the start; it falls to a tenth of that by the end of the warm start."""
    value_loss: float = 1.0
    """Weight of learning to judge beside learning to act."""


@dataclass(frozen=True)
class Ppo:
    """How the network learns from its own games (PPO with action masks)."""

    minibatch: int = 4096
    """Decisions of one gradient step."""
    epochs: int = 2
    """How often each decision is learnt from."""
    learning_rate: float = 6.0e-4
    """Step size at the start; it falls to a tenth of that by the end of the budget."""
    decay: float = 0.98
    """Between trusting the judgement of the network (0) and the outcome of the game (1)."""
    clip: float = 0.2
    """How far one update may move the probability of an action."""
    entropy: float = 0.01
    """Reward for keeping several actions open, at the start; it falls to a tenth."""
    value_loss: float = 1.0
    """Weight of learning to judge beside learning to act."""
    margin: float = 0.3
    """What 20 VP of margin count beside a victory."""
    shaping: float = 0.0
    """What a hint counts beside a victory at the start, a rise of the appraised chance to win from
    0 to 1; see `prico_training.learning.shaping`. 0 gives none."""
    shaping_share: float = 0.5
    """Share of the budget over which hints fade away."""
    max_gradient: float = 0.5
    """Longer gradients are cut to this length."""


@dataclass(frozen=True)
class Searching:
    """How the network learns from what a search finds."""

    simulations: int = 100
    """Positions that the network looks at for one decision."""
    leaves: int = 4
    """How many of them it judges together, for each game."""
    share: float = 0.25
    """Share of the decisions that are searched and learnt from; others are drawn as the network
    likes."""
    branch: str = "roles"
    """Where the tree branches below the decision: at `roles`, at the `main` decisions, or at
    `all`."""
    elsewhere: str = "network"
    """Who decides in the tree where it does not branch: the `greedy` policy, or the `network`."""
    exploration: float = 0.1
    """How much moves are tried that the search has hardly tried yet."""
    noise: float = 0.0
    """How much of what the network proposes is replaced by chance at the root. Every move there is
    tried once anyway while untried ones count as much as their position."""
    target: str = "values"
    """What it learns to like: what it liked before, moved towards moves of better `values`, or as
    often as the search has tried moves, `visits`."""
    sharpness: float = 150.0
    """How far it is moved, with `values`: the exponential of so many chances to win."""
    opening: int = 4
    """Rounds of a game in which moves are drawn by what it is to like; after that the best one is
    played."""
    window: int = 60_000
    """Decisions that are remembered."""
    reuse: float = 4.0
    """How often each of them is learnt from, on the mean."""
    minibatch: int = 1024
    """Decisions of one gradient step."""
    learning_rate: float = 3.0e-4
    """Step size at the start; it falls to a tenth of that by the end of the budget."""
    value_loss: float = 1.0
    """Weight of learning to judge beside learning to act."""


@dataclass(frozen=True)
class Workers:
    """Who plays elsewhere, by Ray, while this process learns: its games, and the learning curve."""

    count: int = 0
    """Workers, each of which plays as many games as `self_play` says; 0: this process plays."""
    address: str = ""
    """Cluster of Ray to join, such as ``auto`` or ``10.0.0.1:6379``; none: one on this machine."""
    cpus: float = 1.0
    """Cores that one worker takes."""


@dataclass(frozen=True)
class Budget:
    """When to stop; whichever comes first. 0 sets no limit."""

    minutes: float = 3.0
    """Minutes of learning, without the learning curve and the ranking."""
    decisions: int = 0
    """Decisions learnt from, teachers' and its own."""


@dataclass(frozen=True)
class Evaluation:
    """How play is measured."""

    every_seconds: float = 30.0
    """Seconds of learning between two points of the learning curve."""
    curve: tuple[str, ...] = ("planner", "corn", "builder", "trader")
    """Agents whom the learner meets alone, among copies of each, for one point of the curve."""
    curve_deals: int = 16
    """Deals of one point; each is played once from every seat."""
    opponents: tuple[str, ...] = ("planner", "corn", "builder", "trader", "random")
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
    device: str = "auto"
    """Where the network learns: `cpu`, `cuda` for a GPU of NVIDIA, or `auto`, whatever is there."""
    checkpoint_seconds: float = 60.0
    """Seconds between two checkpoints; one is always written at the end."""
    tensorboard: bool = False
    """Whether to write the metrics for TensorBoard as well, which must be installed then."""
    trainer: str = "ppo"
    """What learns: `ppo`, `search` (it looks ahead and learns from what it finds), or
    `maskable_sb3` for MaskablePPO of sb3-contrib."""
    game: RuleSet = field(default_factory=RuleSet)
    """The rule set: players, edition and switches; or a file of `configs/games/`."""
    self_play: SelfPlay = field(default_factory=SelfPlay)
    """The games that are learnt from."""
    opponents: Opponents = field(default_factory=Opponents)
    """Who else plays while learning: the league."""
    network: Network = field(default_factory=Network)
    """The shape of the network."""
    imitation: Imitation = field(default_factory=Imitation)
    """The warm start: playing as a teacher plays."""
    ppo: Ppo = field(default_factory=Ppo)
    """How the network learns from its own games."""
    search: Searching = field(default_factory=Searching)
    """How it learns from what a search finds, with trainer `search`."""
    workers: Workers = field(default_factory=Workers)
    """Who plays on other cores and machines."""
    budget: Budget = field(default_factory=Budget)
    """When to stop."""
    evaluation: Evaluation = field(default_factory=Evaluation)
    """How play is measured."""

    def __post_init__(self) -> None:
        """Refuse values that cannot work, before any time is spent."""
        _check_ranges(self)

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players at the tables, each once, that of `game` first."""
        return tuple(dict.fromkeys((self.game.players, *self.self_play.players)))

    def tables(self) -> list[tuple[RuleSet, int]]:
        """Rule set and number of games of each table, in the order of `players`."""
        shares = self.self_play.players or (self.game.players,)
        one = self.self_play.games / len(shares)
        return [
            (at_table(self.game, players), max(1, round(one * shares.count(players))))
            for players in self.players
        ]

    @property
    def largest(self) -> RuleSet:
        """The rule set of the table with the most players."""
        return at_table(self.game, max(self.players))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `from_dict` reads them."""
        return typing.cast(dict[str, Any], to_plain(self))

    def to_yaml(self) -> str:
        """Return the settings as a YAML file."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False)


def at_table(rules: RuleSet, players: int) -> RuleSet:
    """The same rules for another number of players.

    Raises:
        RuleSetError: One of its switches does not go with that number.
    """
    return RuleSet.from_dict(rules.to_dict() | {"players": players})


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
    if isinstance(fields.get("game"), str):  # so that single switches of it can be changed
        fields["game"] = read_fields(find_settings(fields["game"]))
    for override in overrides:
        _override(fields, override)
    return from_dict(fields, Config)


def find_settings(name: str) -> Path:
    """A settings file as it is named, or where this installation keeps its own."""
    given, ours = Path(name), Path(__file__).parents[2] / name
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
    play, league, teaching, ppo = config.self_play, config.opponents, config.imitation, config.ppo
    test, network, search = config.evaluation, config.network, config.search
    rules: tuple[tuple[bool, str], ...] = (
        (config.trainer in TRAINERS, f"trainer must be one of {', '.join(TRAINERS)}"),
        (play.games >= 1, "self_play.games must be at least 1"),
        (play.steps >= 1, "self_play.steps must be at least 1"),
        (
            not play.players or config.game.players in play.players,
            f"self_play.players must name game.players, which is {config.game.players}, too",
        ),
        (
            set(play.players) <= set(PLAYER_COUNTS),
            f"self_play.players must lie from {PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}",
        ),
        (config.device in DEVICES, f"device must be one of {', '.join(DEVICES)}"),
        (0 <= league.share <= 1, "opponents.share must lie from 0 to 1"),
        (league.focus >= 0, "opponents.focus must not be negative"),
        (league.pool_size >= 0, "opponents.pool_size must not be negative"),
        (league.snapshot_every >= 1, "opponents.snapshot_every must be at least 1"),
        (
            len(network.hidden) >= 1 and min(network.hidden) >= 1,
            "network.hidden must name the width of at least one layer",
        ),
        (network.values in VALUES, f"network.values must be one of {', '.join(VALUES)}"),
        (0 <= teaching.share <= 1, "imitation.share must lie from 0 to 1"),
        (teaching.games >= 1, "imitation.games must be at least 1"),
        (0 <= teaching.slips <= 1, "imitation.slips must lie from 0 to 1"),
        (teaching.minibatch > 1, "imitation.minibatch must be at least 2"),
        (teaching.learning_rate > 0, "imitation.learning_rate must be above 0"),
        (ppo.minibatch > 1, "ppo.minibatch must be at least 2"),
        (ppo.epochs >= 1, "ppo.epochs must be at least 1"),
        (ppo.learning_rate > 0, "ppo.learning_rate must be above 0"),
        (0 <= ppo.decay <= 1, "ppo.decay must lie from 0 to 1"),
        (ppo.clip > 0, "ppo.clip must be above 0"),
        (ppo.shaping >= 0, "ppo.shaping must not be negative"),
        (0 < ppo.shaping_share <= 1, "ppo.shaping_share must lie above 0 and not above 1"),
        (ppo.max_gradient > 0, "ppo.max_gradient must be above 0"),
        (search.simulations > 1, "search.simulations must be at least 2"),
        (search.leaves >= 1, "search.leaves must be at least 1"),
        (0 < search.share <= 1, "search.share must lie above 0 and not above 1"),
        (search.branch in BRANCHES, f"search.branch must be one of {', '.join(BRANCHES)}"),
        (
            search.elsewhere in ELSEWHERE,
            f"search.elsewhere must be one of {', '.join(ELSEWHERE)}",
        ),
        (search.exploration >= 0, "search.exploration must not be negative"),
        (0 <= search.noise <= 1, "search.noise must lie from 0 to 1"),
        (search.target in TARGETS, f"search.target must be one of {', '.join(TARGETS)}"),
        (search.sharpness >= 0, "search.sharpness must not be negative"),
        (search.opening >= 0, "search.opening must not be negative"),
        (search.window >= 1, "search.window must be at least 1"),
        (search.reuse > 0, "search.reuse must be above 0"),
        (search.minibatch > 1, "search.minibatch must be at least 2"),
        (search.learning_rate > 0, "search.learning_rate must be above 0"),
        (config.workers.count >= 0, "workers.count must not be negative"),
        (config.workers.cpus > 0, "workers.cpus must be above 0"),
        (
            config.workers.count == 0 or config.trainer == "ppo",
            "workers.count needs trainer=ppo",
        ),
        (
            config.budget.minutes > 0 or config.budget.decisions > 0,
            "budget needs minutes or decisions above 0, or training would never end",
        ),
        (config.threads >= 1, "threads must be at least 1"),
        (len(test.curve) >= 1, "evaluation.curve must name at least one agent"),
        (test.curve_deals >= 1, "evaluation.curve_deals must be at least 1"),
        (test.deals >= 0, "evaluation.deals must not be negative"),
        (test.every_seconds > 0, "evaluation.every_seconds must be above 0"),
        (config.checkpoint_seconds > 0, "checkpoint_seconds must be above 0"),
        (config.seed >= 0, "seed must not be negative"),
        (bool(config.name) and "/" not in config.name, "name must be a word for a folder"),
    )
    for holds, complaint in rules:
        if not holds:
            raise ConfigError(complaint)
