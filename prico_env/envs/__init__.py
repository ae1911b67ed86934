"""The environments: PettingZoo, Gymnasium, and batches for both Gymnasium and SB3.

Each is loaded when it is first asked for: whoever plays in a terminal needs none of them.
"""

import importlib
import warnings
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from prico_env.envs.aec import PuertoRicoEnv, env, parallel_env, raw_env
    from prico_env.envs.opponents import (
        BatchOpponents,
        Opponent,
        PerGameOpponents,
        random_opponent,
        register_opponent_loader,
    )
    from prico_env.envs.sb3 import PuertoRicoVecEnv
    from prico_env.envs.single_seat import SingleSeatEnv
    from prico_env.envs.vector import PuertoRicoVectorEnv

__all__ = [
    "BatchOpponents",
    "Opponent",
    "PerGameOpponents",
    "PuertoRicoEnv",
    "PuertoRicoVecEnv",
    "PuertoRicoVectorEnv",
    "SingleSeatEnv",
    "env",
    "parallel_env",
    "random_opponent",
    "raw_env",
    "register_opponent_loader",
]

_HOMES: Final = {
    "BatchOpponents": "opponents",
    "Opponent": "opponents",
    "PerGameOpponents": "opponents",
    "PuertoRicoEnv": "aec",
    "PuertoRicoVecEnv": "sb3",
    "PuertoRicoVectorEnv": "vector",
    "SingleSeatEnv": "single_seat",
    "env": "aec",
    "parallel_env": "aec",
    "random_opponent": "opponents",
    "raw_env": "aec",
    "register_opponent_loader": "opponents",
}
"""Which module each public name lives in."""


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name == "OneByOne":
        warnings.warn(
            "prico_env.envs.OneByOne is called PerGameOpponents now",
            DeprecationWarning,
            stacklevel=2,
        )
        name = "PerGameOpponents"
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names beside the module's own."""
    return sorted({*globals(), *__all__})
