"""The ids under which Gymnasium and PettingZoo make the environments."""

import os
import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest

from prico_env.registration import ENV_ID, register_environments

WITH_REGISTRY = find_spec("pettingzoo.env_registry") is not None
needs_registry = pytest.mark.skipif(
    not WITH_REGISTRY, reason="before PettingZoo 1.27 there is no registry"
)


def python(folder: Path, *arguments: str) -> str:
    """What a fresh interpreter prints that ends well in a folder, and warns of nothing."""
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


def test_importing_the_game_loads_no_framework(tmp_path: Path) -> None:
    asked = "import prico_env, sys; print({'gymnasium', 'pettingzoo', 'numba'} & set(sys.modules))"
    assert python(tmp_path, "-c", asked).strip() == "set()"


@needs_registry
@pytest.mark.parametrize(
    "order",
    [
        "prico_env, pettingzoo, gymnasium",
        "gymnasium, pettingzoo, prico_env",
        "pettingzoo, prico_env, gymnasium",
        "prico_env.envs, prico_env, gymnasium.envs, pettingzoo.env_registry.registration",
    ],
)
def test_both_registries_know_the_game_whatever_is_imported_first(
    order: str, tmp_path: Path
) -> None:
    script = f"""import {order}
print(pettingzoo.spec("aec", {ENV_ID!r}).id, pettingzoo.spec("parallel", "prico/PuertoRico").id)
print(gymnasium.spec({ENV_ID!r}).id)
"""
    assert python(tmp_path, "-c", script).split() == [ENV_ID] * 3


def test_gymnasium_imports_the_game_by_the_name_before_the_colon(tmp_path: Path) -> None:
    """For programs that have room for an id and none for an import."""
    script = f"import gymnasium; print(gymnasium.make('prico_env:{ENV_ID}').spec.id)"
    assert python(tmp_path, "-c", script).strip() == ENV_ID


SPAWNED = """
import multiprocessing
import prico_env

def play(form):
    import pettingzoo
    env = pettingzoo.make(form, "prico/PuertoRico-v0", players=3)
    env.reset(seed=7)
    return len(env.agents)

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(play, ["aec", "parallel"]))
"""


@needs_registry
def test_a_spawned_process_makes_the_game_by_its_id(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SPAWNED)
    assert python(tmp_path, "script.py").strip() == "[3, 3]"


@needs_registry
def test_the_libraries_are_loaded_as_they_would_be_without_the_game(tmp_path: Path) -> None:
    script = """import prico_env, sys
waiting = [finder for finder in sys.meta_path if "prico_env" in type(finder).__module__]
import gymnasium, pettingzoo
print(len(waiting), set(waiting) & set(sys.meta_path))
print("exec_module" in vars(sys.modules["gymnasium.envs.registration"].__loader__))
"""
    assert python(tmp_path, "-c", script).split() == ["2", "set()", "False"]


@needs_registry
def test_an_import_that_was_interrupted_registers_the_game_when_it_is_repeated(
    tmp_path: Path,
) -> None:
    script = f"""import prico_env, sys
sys.modules["pettingzoo.utils.env"] = None
try:
    import pettingzoo
except ImportError:
    del sys.modules["pettingzoo.utils.env"]
import pettingzoo
print(pettingzoo.spec("aec", {ENV_ID!r}).id)
"""
    assert python(tmp_path, "-c", script).strip() == ENV_ID


@needs_registry
def test_the_registry_of_pettingzoo_makes_both_forms() -> None:
    import pettingzoo

    env = pettingzoo.make("aec", ENV_ID, players=3)
    assert len(env.possible_agents) == 3
    parallel = pettingzoo.make("parallel", ENV_ID, players=5)
    assert len(parallel.possible_agents) == 5


def test_registering_again_changes_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = list(sys.meta_path)
        register_environments()
        assert sys.meta_path == before
