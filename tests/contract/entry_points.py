"""What people may call, found by looking at the packages, and values of every kind to call it with.

Each public class and function of the modules listed here is an entry point, so a new one is covered
as soon as it is written. Only a parameter of a new name needs an example of a proper value.
"""

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import prico_agents
import prico_env
from prico_agents import View, load_agent
from prico_agents.analysis import Analysis, Candidate
from prico_agents.compiled import play_games
from prico_agents.heuristics.style import style_names
from prico_agents.language import LanguageAgent
from prico_env import (
    Game,
    Games,
    RuleSet,
    actions,
    cards,
    catalog,
    explain,
    render,
    selfplay,
    serialization,
    testing,
    text,
)
from prico_env.envs import (
    PuertoRicoEnv,
    PuertoRicoVectorEnv,
    SingleSeatEnv,
    learner_batch,
    random_opponent,
)
from prico_env.observation_layout import ObservationLayout, layout_for
from prico_env.text.how_to_play import how_to_play

RULES = RuleSet(players=2)
NUM_GAMES = 2


class Nothing:
    """An object of nobody's class."""

    def __repr__(self) -> str:
        return "<nothing\nof use>"


ODD: dict[str, Any] = {
    "None": None,
    "True": True,
    "False": False,
    "a truth value of NumPy": np.True_,
    "a whole float": 1.0,
    "a float": 0.5,
    "not a number": float("nan"),
    "infinity": float("inf"),
    "a float of NumPy": np.float32(1.0),
    "a complex number": 1j,
    "a negative number": -1,
    "far below": -(2**63),
    "a large number": 2**31,
    "too large for 64 bits": 2**64,
    "of ten thousand digits": 10**10_000,
    "nothing written": "",
    "a word": "classic",
    "a digit": "1",
    "many lines": "x\n" * 1000,
    "half a character": "\ud800",
    "bytes": b"1",
    "an empty list": [],
    "a list": [1],
    "nested lists": [[1], [2, 3]],
    "a tuple": (1.5, None),
    "an empty dict": {},
    "a dict": {"players": 3},
    "a set": {1},
    "an array of one": np.array([1]),
    "an array of truth values": np.ones(NUM_GAMES, np.bool_),
    "an array of floats": np.ones(NUM_GAMES),
    "a matrix": np.ones((3, 3), np.int64),
    "an empty array": np.zeros(0),
    "a float as an array": np.array(1.0),
    "an array of objects": np.array([None, "x"], dtype=object),
    "an object": Nothing(),
    "a class": int,
    "a function": len,
    "a module": np,
}
"""A value of every kind that somebody may hand in by mistake."""


_OF_TYPE_CHECKERS: dict[str, Any] = {"Analysis": Analysis, "PPOConfig": Any}
"""What annotations name, and modules import for type checkers alone."""


@dataclass(frozen=True)
class EntryPoint:
    """Something that people call.

    Attributes:
        name: What it is called.
        make: Makes what it is called on; None for a function or a class.
        function: Itself, unbound.
        examples: A proper value for each parameter that needs one.
    """

    name: str
    make: Callable[[], Any] | None
    function: Callable[..., Any]
    examples: Mapping[str, Any] = field(default_factory=dict)

    def parameters(self) -> dict[str, Any]:
        """The parameters that can be given a value of a wrong kind, with their annotations."""
        hints = typing.get_type_hints(_plain(self.function), localns=_OF_TYPE_CHECKERS)
        skipped = 0 if self.make is None and not inspect.isclass(self.function) else 1
        signature = inspect.signature(_plain(self.function))
        return {
            parameter.name: hints.get(parameter.name, Any)
            for parameter in list(signature.parameters.values())[skipped:]
            if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        }

    def call(self, subject: Any, changes: Mapping[str, Any]) -> Any:
        """Call it with proper values, some of them changed."""
        arguments = {name: make() for name, make in self.examples.items()} | dict(changes)
        signature = inspect.signature(_plain(self.function))
        positional = [
            arguments.pop(name)
            for name, parameter in signature.parameters.items()
            if parameter.kind == parameter.POSITIONAL_ONLY and name in arguments
        ]
        bound = (subject,) if subject is not None else ()
        result = self.function(*bound, *positional, **arguments)
        is_unread = isinstance(result, Iterator) and subject is None
        return list(result) if is_unread else result


def _plain(function: Any) -> Any:
    """What a class takes is written at its initialiser."""
    return function.__init__ if inspect.isclass(function) else inspect.unwrap(function)


def _a_game() -> Game:
    return Game(RULES, seed=7)


def _an_env() -> PuertoRicoEnv:
    env = prico_env.env(RULES)
    env.reset(seed=7)
    return env


def _a_single_env() -> SingleSeatEnv:
    env = SingleSeatEnv(RULES)
    env.reset(seed=7)
    return env


def _a_vector_env() -> PuertoRicoVectorEnv:
    env = PuertoRicoVectorEnv(NUM_GAMES, RULES)
    env.reset(seed=7)
    return env


def _a_learner_batch() -> learner_batch.LearnerBatch:
    batch = learner_batch.LearnerBatch(RULES, NUM_GAMES)
    batch.deal(7)
    return batch


def _a_self_play_batch() -> learner_batch.SelfPlayBatch:
    batch = learner_batch.SelfPlayBatch(RULES, NUM_GAMES)
    batch.deal(7)
    return batch


def _an_analysis() -> Analysis:
    return Analysis(0, 2, (Candidate(2, 1.0, (0.5, 0.5), "Wait"),), (0.5, 0.5), ("Because.",))


OBJECTS: dict[type, Callable[[], Any]] = {
    Game: _a_game,
    Games: lambda: Games(RULES, NUM_GAMES, seed=7),
    RuleSet: lambda: RULES,
    ObservationLayout: lambda: RULES.observation,
    PuertoRicoEnv: _an_env,
    SingleSeatEnv: _a_single_env,
    PuertoRicoVectorEnv: _a_vector_env,
    learner_batch.LearnerBatch: _a_learner_batch,
    learner_batch.SelfPlayBatch: _a_self_play_batch,
    View: lambda: View.of(_a_game()),
    Analysis: _an_analysis,
}
"""Public classes, and how to make one of each."""

try:
    from prico_env.envs import PuertoRicoVecEnv
except ImportError:  # Stable-Baselines3 is not there
    pass
else:
    OBJECTS[PuertoRicoVecEnv] = lambda: PuertoRicoVecEnv(NUM_GAMES, RULES)

OF_ATTRIBUTES = ("env_is_wrapped", "env_method", "get_attr", "has_attr", "set_attr")
"""Methods about attributes by name, which answer as Python does."""

AGENTS: tuple[str, ...] = ("random", "corn", "planner", "mcts:4", "governor")
"""Agents whose methods are called."""

_WHOLE_POSITIONS = (
    "broken_invariants", "position_from_dict", "position_to_dict", "read_transcript",
    "record_from_bytes", "record_to_bytes",
)  # fmt: skip
"""Of what reads and writes games."""
_OF_RECORDS = (
    "check_ranges", "check_record", "check_replay", "older_rules", "read_names", "read_notes",
    "transcript_lines", "unwritable", "wrong_records",
)  # fmt: skip
"""The rest of it, about lines and records that these have read."""

FUNCTIONS: tuple[Any, ...] = (
    *(getattr(prico_env, name) for name in prico_env.__all__ if name.endswith("env")),
    *(getattr(prico_agents, name) for name in prico_agents.__all__ if name[0].islower()),
    *(getattr(serialization, name) for name in dir(serialization) if name in _WHOLE_POSITIONS),
    *(getattr(text, name) for name in text.__all__),
    *(getattr(render, name) for name in render.__all__ if name[0].islower()),
    *(getattr(explain, name) for name in dir(explain) if name.startswith("explain_")),
    *(getattr(testing, name) for name in dir(testing) if name.startswith(("check_", "random_"))),
    *(getattr(serialization, name) for name in _OF_RECORDS),
    *(getattr(selfplay, name) for name in selfplay.__all__),
    actions.block_of,
    cards.action_outcome,
    cards.building_card,
    cards.card,
    catalog.load,
    how_to_play,
    layout_for,
    play_games,
    style_names,
    text.actions.describe_kind,
)
"""Public functions."""

_HISTORY: list[tuple[int, bool, int]] = []


def _lines() -> list[str]:
    return _a_game().to_record().splitlines()


EXAMPLES: dict[str, Callable[[], Any]] = {
    "action": lambda: 2,
    "actions": lambda: np.array([2, 2]),
    "agent": lambda: "player_0",
    "ask": lambda: lambda prompt: f"ACTION: {prompt}",
    "block": lambda: actions.BLOCKS[0],
    "data": lambda: _a_game().to_bytes(),
    "feature": lambda: 3,
    "fields": lambda: {"players": 3},
    "game": lambda: 1,
    "games": lambda: Games(RULES, NUM_GAMES),
    "header": lambda: _lines()[0],
    "held_out": lambda: True,
    "history": lambda: list(_HISTORY),
    "line_up": lambda: [load_agent("corn"), load_agent("builder")],
    "legal": lambda: _a_game().mask()[None],
    "lines": _lines,
    "name": lambda: "role:mayor",
    "num_envs": lambda: NUM_GAMES,
    "num_games": lambda: NUM_GAMES,
    "num_seats": lambda: 2,
    "number": lambda: 1,
    "observation": lambda: _a_game().observation(),
    "observations": lambda: _a_game().observation()[None],
    "page": lambda: _an_analysis().to_dict(),
    "player_seeds": lambda: [[1, 2], [3, 4]],
    "position": lambda: {"rules": {"players": 2}},
    "rows": lambda: [0, 1],
    "rule_sets": lambda: [RULES],
    "rules": lambda: RULES,
    "saved": lambda: _a_game().to_bytes(),
    "seat": lambda: 1,
    "seats": lambda: [0, 1],
    "seed": lambda: 3,
    "seeds": lambda: [1, 2],
    "snapshot": lambda: _a_game().snapshot(),
    "start": lambda: 7,
    "state": lambda: _a_game().state[0],
    "states": lambda: _a_game().state,
    "text": lambda: "role:mayor",
    "view": lambda: View.of(_a_game()),
    "where": lambda: np.array([True, False]),
    "word": lambda: "2",
}
"""A proper value for each parameter that has no default, by its name."""

_REWARDS: Mapping[str, Callable[[], Any]] = {
    "rewards": lambda: np.zeros((2, NUM_GAMES, 2), np.float32),
    "ended": lambda: np.zeros((2, NUM_GAMES), np.bool_),
}
_A_ROLLOUT = _REWARDS | {"values": lambda: np.zeros((3, NUM_GAMES), np.float32)}

OTHER_EXAMPLES: dict[str, Mapping[str, Callable[[], Any]]] = {
    "Analysis": {
        "candidates": lambda: _an_analysis().candidates,
        "action": lambda: 2,
        "seat": lambda: 0,
    },
    "RuleSet.preset": {"name": lambda: "doc000"},
    "Games.of": {"games": lambda: [_a_game()]},
    "RuleSet.lacks": {"block": lambda: actions.BLOCKS[0]},
    "ObservationLayout.block": {"name": lambda: "self.coins"},
    "Game.name": {"action": lambda: 2},
    "Game.render": {"name": lambda: "ansi"},
    "Game.from_record": {"text": lambda: _a_game().to_record()},
    "View.of": {"game": _a_game},
    "load": {"name": lambda: "classic"},
    "load_agent": {"name": lambda: "random"},
    "agent_label": {"name": lambda: "random"},
    "as_opponent": {"name": lambda: "random"},
    "as_playout": {"name": lambda: "random"},
    "analysis_of": {"agent": lambda: load_agent("corn")},
    "explain_building": {"word": lambda: "hospice"},
    "explain_rule": {"word": lambda: "R-CAP"},
    "check_replay": {"lines": _lines, "history": list},
    "why_not": {"action": lambda: 0},
    "action_outcome": {"game": _a_game},
    "building_card": {"game": _a_game, "building": lambda: 8},
    "card": {"game": _a_game, "anchor": lambda: "ship-1"},
    "override": {"code": lambda: "fr"},
    "anchor_of": {"game": _a_game},
    "check_player": {"choose": lambda: random_opponent, "games": lambda: 1},
    **{
        name: {"game": _a_game}
        for name in (
            "render", "render_text", "render_svg", "render_png", "render_rgb",
            "random_play", "check_game", "check_masks", "check_invariants", "check_views",
            "check_copies", "random_opponent",
        )
    },
    "check_render_mode": {"render_mode": lambda: "ansi"},
    "gae": _A_ROLLOUT | {"seats": lambda: np.zeros((3, NUM_GAMES), np.int64)},
    "gae_of_all_seats": _A_ROLLOUT | {"values": lambda: np.zeros((3, NUM_GAMES, 2))},
    "returns_to_go": {"seats": lambda: np.zeros((2, NUM_GAMES), np.int64)} | _REWARDS,
}  # fmt: skip
"""The same where a name means something else, by the entry point."""


def entry_points() -> Iterator[EntryPoint]:
    """Every public class, method and function that takes anything."""
    return (entry for entry in _callables() if entry.parameters())


def _callables() -> Iterator[EntryPoint]:
    for kind, make in OBJECTS.items():
        if kind not in (View, Analysis):  # views are made by methods, analyses by players
            yield _entry_point(kind.__name__, None, kind)
        yield from _methods(kind.__name__, kind, make)
    yield _entry_point(LanguageAgent.__name__, None, LanguageAgent)
    for name in AGENTS:
        yield from _methods(name, type(load_agent(name)), lambda name=name: _seated(name))
    for function in FUNCTIONS:
        if not inspect.isclass(function):
            yield _entry_point(function.__name__, None, function)


def _seated(name: str) -> Any:
    agent = load_agent(name)
    agent.reset(0, RULES, 1)
    return agent


def _methods(name: str, kind: type, make: Callable[[], Any]) -> Iterator[EntryPoint]:
    """The public methods of a class that are our own."""
    for member, function in inspect.getmembers(kind):
        is_public = member == "__getitem__" or (member[0] != "_" and member not in OF_ATTRIBUTES)
        module = getattr(inspect.unwrap(function), "__module__", None) if callable(function) else ""
        if not is_public or not (module or "").startswith("prico_"):
            continue
        label = f"{name}.{member}"
        if isinstance(inspect.getattr_static(kind, member), classmethod | staticmethod):
            yield _entry_point(label, None, function)
        elif isinstance(function, types.FunctionType):
            yield _entry_point(label, make, function)


def _entry_point(name: str, make: Callable[[], Any] | None, function: Any) -> EntryPoint:
    """An entry point with an example for each parameter that has no default."""
    entry = EntryPoint(name, make, function)
    own = OTHER_EXAMPLES.get(name, {})
    signature = inspect.signature(_plain(function))
    missing = [
        parameter
        for parameter in entry.parameters()
        if signature.parameters[parameter].default is inspect.Parameter.empty
    ]
    unknown = [each for each in missing if each not in own and each not in EXAMPLES]
    assert not unknown, f"{name}: give an example of {unknown} in EXAMPLES or OTHER_EXAMPLES"
    examples = {each: own.get(each, EXAMPLES.get(each)) for each in missing} | dict(own)
    return EntryPoint(name, make, function, examples)


def fits(hint: Any, value: Any) -> bool:
    """Whether a value is of the kind that an annotation names; true where it does not say."""
    origin = typing.get_origin(hint)
    if hint is Any:
        return True
    if origin in (typing.Union, types.UnionType):
        return any(fits(each, value) for each in typing.get_args(hint))
    if origin is typing.Literal:
        return isinstance(value, str) and value in typing.get_args(hint)
    if hint is None or hint is types.NoneType:
        return value is None
    if hint is int:
        return _is_whole(value)
    if hint is float:
        is_number = isinstance(value, int | float | np.integer | np.floating)
        plain = value.item() if isinstance(value, np.generic) else value
        return is_number and not isinstance(value, bool) and abs(plain) < 10**300
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    kind = origin or hint
    if kind in (Sequence, typing.get_origin(typing.Iterable)):
        return not isinstance(value, str | bytes) and isinstance(value, kind)
    if kind is Callable:
        return callable(value)
    if kind is np.ndarray:  # NumPy makes one of almost anything
        return True
    if isinstance(kind, type) and kind is not object and not getattr(kind, "_is_protocol", False):
        return isinstance(value, kind)
    return True


def _is_whole(value: Any) -> bool:
    is_scalar = isinstance(value, int | np.integer) or (
        isinstance(value, np.ndarray) and value.shape == () and value.dtype.kind in "iu"
    )
    return is_scalar and not isinstance(value, bool)
