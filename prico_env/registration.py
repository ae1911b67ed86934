"""Makes the environments known to Gymnasium and PettingZoo under ``prico/PuertoRico-v0``.

Importing `prico_env` registers them, whichever is imported first: a library that is there already
learns of them at once, any other as soon as somebody imports it. So `prico_env` itself loads
neither. Only names are registered: what they stand for is imported when an environment is made.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

ENV_ID: Final = "prico/PuertoRico-v0"


def register_environments() -> None:
    """Register the environments, or see to it that they are; it may be called again."""
    for registry, register in _REGISTRIES.items():
        if registry in sys.modules:
            register()
        elif not any(isinstance(f, _AfterImport) and f.module == registry for f in sys.meta_path):
            sys.meta_path.insert(0, _AfterImport(registry, register))


def _register_with_gymnasium() -> None:
    from gymnasium.envs.registration import register, registry

    if ENV_ID not in registry:
        register(
            ENV_ID,
            entry_point="prico_env.envs.single_seat:SingleSeatEnv",
            vector_entry_point="prico_env.envs.vector:make_seated",
        )


def _register_with_pettingzoo() -> None:
    from pettingzoo.env_registry.registration import aec_registry, parallel_registry, register

    if ENV_ID not in aec_registry:
        register("aec", ENV_ID, entry_point="prico_env.puerto_rico_v0:env")
    if ENV_ID not in parallel_registry:
        register("parallel", ENV_ID, entry_point="prico_env.puerto_rico_v0:parallel_env")


_REGISTRIES: Final[dict[str, Callable[[], None]]] = {
    "gymnasium.envs.registration": _register_with_gymnasium,
    "pettingzoo.env_registry.registration": _register_with_pettingzoo,  # from PettingZoo 1.27 on
}
"""What registers the environments with the registry that a module holds."""


class _AfterImport(MetaPathFinder):
    """Calls a function when a module has been imported for the first time.

    PettingZoo looks for no plug-ins, and Gymnasium looks for them only in what pip has installed,
    so there is nothing of their own to hook into. Importing both here instead would cost every
    program that plays without them 80 ms.
    """

    def __init__(self, module: str, then: Callable[[], None]) -> None:
        self.module = module
        self.then = then

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find the module as it would be found without this, and add the call to its loading."""
        if fullname != self.module:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next(filter(None, found), None)
        if spec is None or spec.loader is None:
            return None
        loader = spec.loader
        execute = loader.exec_module

        def execute_then_call(module: ModuleType) -> None:
            del loader.exec_module  # the loader is left as it was found
            execute(module)
            sys.meta_path.remove(self)
            self.then()

        loader.exec_module = execute_then_call  # type: ignore[method-assign]
        return spec
