"""Makes the environments known to Gymnasium and PettingZoo under ``prico/PuertoRico-v0``.

Importing `prico_env` registers with Gymnasium, importing `prico_env.envs` with PettingZoo too. Only
names are registered: what they stand for is imported when an environment is made.
"""

from typing import Final

ENV_ID: Final = "prico/PuertoRico-v0"


def register_with_gymnasium() -> None:
    """Register the environments with Gymnasium, unless they are known; it may be called again."""
    from gymnasium.envs.registration import register, registry

    if ENV_ID not in registry:
        register(
            ENV_ID,
            entry_point="prico_env.envs.single_seat:SingleSeatEnv",
            vector_entry_point="prico_env.envs.vector:make_seated",
        )


def register_with_pettingzoo() -> None:
    """Register the environments with PettingZoo, where it has a registry (from 1.27 on)."""
    import pettingzoo

    register = getattr(pettingzoo, "register", None)
    if register is None:
        return
    from pettingzoo.env_registry.registration import aec_registry, parallel_registry

    if ENV_ID not in aec_registry:
        register("aec", ENV_ID, entry_point="prico_env.puerto_rico_v0:env")
    if ENV_ID not in parallel_registry:
        register("parallel", ENV_ID, entry_point="prico_env.puerto_rico_v0:parallel_env")
