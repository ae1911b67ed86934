"""The environments: PettingZoo, Gymnasium, and batches for both Gymnasium and SB3.

Importing this package registers ``prico/PuertoRico-v0`` with Gymnasium and PettingZoo.
"""

import warnings
from typing import Any

from prico_env.envs.aec import PuertoRicoEnv, env, parallel_env, raw_env
from prico_env.envs.opponents import (
    BatchOpponents,
    Opponent,
    PerGameOpponents,
    random_opponent,
    register_opponent_loader,
)
from prico_env.envs.single_seat import SingleSeatEnv
from prico_env.envs.vector import PuertoRicoVectorEnv
from prico_env.registration import register_with_gymnasium, register_with_pettingzoo

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

register_with_gymnasium()
register_with_pettingzoo()


def __getattr__(name: str) -> Any:
    if name == "PuertoRicoVecEnv":  # needs Stable-Baselines3, which not everybody has
        from prico_env.envs.sb3 import PuertoRicoVecEnv

        return PuertoRicoVecEnv
    if name == "OneByOne":
        warnings.warn(
            "prico_env.envs.OneByOne is called PerGameOpponents now",
            DeprecationWarning,
            stacklevel=2,
        )
        return PerGameOpponents
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
