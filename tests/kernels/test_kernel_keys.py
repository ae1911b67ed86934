"""The key of a compiled kernel: what it is made of, and nothing else."""

import ast
import json
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

import prico_env
from prico_env.core.kernel_key import kernel_key

PACKAGES = Path(prico_env.__file__).parent
AGENTS = Path(__file__).parents[2] / "agents" / "prico_agents"

LIST_KEYS = """
import importlib, json, pkgutil, sys
import prico_agents, prico_env
from numba.core.dispatcher import Dispatcher
from prico_env.core.kernel_key import kernel_key, reached_functions
found = {}
for package in (prico_env, prico_agents):
    for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not info.name.endswith("__main__"):
            for one in vars(importlib.import_module(info.name)).values():
                if isinstance(one, Dispatcher):
                    name = f"{one.py_func.__module__}.{one.py_func.__qualname__}"
                    reached = [
                        f"{two.__module__}.{two.__qualname__}" for two in reached_functions(one)
                    ]
                    found[name] = kernel_key(one), reached
json.dump(found, sys.stdout)
"""


class Copy:
    """A copy of the game and its players, to be edited."""

    def __init__(self, folder):
        self.folder = folder
        for package in (PACKAGES, AGENTS):
            shutil.copytree(
                package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__", "*.pt")
            )

    def edit(self, file, old, new):
        path = self.folder / file
        text = path.read_text("utf-8")
        assert old in text, f"{file} has no {old!r} any more; edit something else"
        path.write_text(text.replace(old, new), "utf-8")

    def keys(self):
        run = subprocess.run(
            [sys.executable, "-c", LIST_KEYS],
            cwd=self.folder,
            env={"PYTHONPATH": str(self.folder), "PATH": "", "HOME": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr[-2000:]
        return {
            name: (key, set(reached)) for name, (key, reached) in json.loads(run.stdout).items()
        }


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return Copy(tmp_path_factory.mktemp("copy"))


@pytest.fixture(scope="module")
def before(copy):
    """Every kernel, with its key and the functions that it is compiled from."""
    return copy.keys()


def changed(before, after):
    assert set(before) == set(after)
    return {name for name in before if before[name][0] != after[name][0]}


def test_every_kernel_has_a_key_that_knows_each_name_it_uses(before):
    """A kernel whose globals could not all be told would be an error here, by its name."""
    assert len(before) > 300
    assert len({key for key, _ in before.values()}) == len(before)
    assert "prico_env.core.phases.storage.fill_legal" in before["prico_env.core.calls.step_game"][1]


def test_words_docstrings_messages_and_comments_are_in_no_key(copy, before):
    copy.edit("prico_env/catalog/editions/classic.py", '"doubloons"', '"ducats"')
    copy.edit("prico_env/core/phases/storage.py", ':\n    """', ':\n    """Here: ')
    copy.edit("prico_env/core/engine.py", "\n@kernel\n", "\n# A line of its own.\n\n\n@kernel\n")
    copy.edit("prico_env/vocabulary.py", '"""Every noun', '"""Each word')
    copy.edit("prico_env/core/rules.py", "Seats.", "How many play.")
    copy.edit("prico_env/errors.py", "did you mean", "do you mean")
    assert changed(before, copy.keys()) == set()


def test_a_rule_is_in_the_key_of_exactly_the_kernels_that_reach_it(copy, before):
    rule = "prico_env.core.festival.is_refilled"
    file, old = "prico_env/core/festival.py", '["spare_copies"][building] > 0'
    copy.edit(file, old, f"{old} + 1")
    after = copy.keys()
    copy.edit(file, f"{old} + 1", old)
    reaching = {name for name, (_, functions) in before.items() if rule in functions}
    assert rule in before
    assert changed(before, after) == reaching
    assert 0 < len(reaching) < len(before)


def test_a_number_is_in_the_key_of_exactly_the_kernels_that_reach_a_use_of_it(copy, before):
    """`HOUSE_SLOTS` is asked for by name in some functions; the others never see it."""
    copy.edit("prico_env/vocabulary.py", "HOUSE_SLOTS: Final = 4", "HOUSE_SLOTS: Final = 40")
    after = copy.keys()
    copy.edit("prico_env/vocabulary.py", "HOUSE_SLOTS: Final = 40", "HOUSE_SLOTS: Final = 4")
    users = {name for name in before if _says(copy.folder, name, "HOUSE_SLOTS")}
    reaching = {name for name, (_, functions) in before.items() if functions & users}
    assert users
    assert changed(before, after) == reaching
    assert 0 < len(reaching) < len(before)


def _says(folder, kernel, word):
    """Whether the function that a kernel is made from names something."""
    module, _, name = kernel.rpartition(".")
    file = folder / (module.replace(".", "/") + ".py")
    body = ast.parse(file.read_text("utf-8")).body
    functions = (one for one in body if getattr(one, "name", "") == name)
    return any(getattr(node, "id", "") == word for one in functions for node in ast.walk(one))


def test_a_kernel_that_uses_what_cannot_be_told_is_refused():
    table = {"corn": 1}

    def price():
        return table

    with pytest.raises(TypeError, match="whether a dict has changed cannot be told"):
        kernel_key(price)


def test_a_slice_may_be_a_constant_as_it_is_from_python_3_14_on():
    def key(part):
        there = {"__name__": "somewhere", "PART": part}
        exec("def first(row): return row[PART]", there)
        return kernel_key(there["first"])

    assert len({key(slice(None)), key(slice(1)), key(slice(1, None)), key(slice(0, 9, 2))}) == 4


def test_a_docstring_is_no_part_of_a_key_and_a_constant_is():
    def key(words, number, at):
        there = {"__name__": "somewhere", "AT": at}
        exec(f'def price():\n    """{words}"""\n    return {number} + AT', there)
        return kernel_key(there["price"])

    assert key("Once.", 2, 1) == key("Twice.", 2, 1)
    assert len({key("Once.", number, at) for number in (2, 3) for at in (1, 2)}) == 4


def test_the_names_of_the_values_of_a_tuple_are_part_of_a_key():
    """Where two blocks of an observation change places, only the names in the tuple move."""

    def key(names):
        there = {"__name__": "somewhere", "PLACES": namedtuple("Places", names)(0, 1)}
        exec("def price():\n    return PLACES.corn", there)
        return kernel_key(there["price"])

    assert key("corn sugar") == key("corn sugar") != key("sugar corn")
