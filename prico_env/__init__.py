"""Puerto Rico as a reinforcement-learning environment: the whole game, fast, in readable Python.

Names are loaded when they are first asked for, so that a program which needs only one interface
of the game does not wait for the others.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

from prico_env.registration import register_environments

if TYPE_CHECKING:
    from prico_env.batch import Games
    from prico_env.envs.aec import env, parallel_env, raw_env
    from prico_env.errors import (
        IllegalActionError,
        PositionError,
        PricoError,
        RecordError,
        RuleSetError,
    )
    from prico_env.game import Game
    from prico_env.ruleset import RuleSet
    from prico_env.vocabulary import ALL_EXPANSIONS

__version__ = "0.1.0"

__all__ = [
    "ALL_EXPANSIONS",
    "Game",
    "Games",
    "IllegalActionError",
    "PositionError",
    "PricoError",
    "RecordError",
    "RuleSet",
    "RuleSetError",
    "env",
    "parallel_env",
    "raw_env",
]

_HOMES: Final = {
    "ALL_EXPANSIONS": "vocabulary",
    "Game": "game",
    "Games": "batch",
    "IllegalActionError": "errors",
    "PositionError": "errors",
    "PricoError": "errors",
    "RecordError": "errors",
    "RuleSet": "ruleset",
    "RuleSetError": "errors",
    "env": "envs.aec",
    "parallel_env": "envs.aec",
    "raw_env": "envs.aec",
}
"""Which module each public name lives in."""

register_environments()


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module 'prico_env' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"prico_env.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names beside the module's own."""
    return sorted({*globals(), *__all__})
