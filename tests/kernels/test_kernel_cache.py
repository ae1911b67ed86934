"""Where compiled kernels are kept, and what happens where none can be."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from numba import config

from prico_env import Game
from prico_env.core import helper_process
from prico_env.core.first_compile import GIVEN_AWAY

SOURCES = os.pathsep.join(one for one in sys.path if one)
NOBODY = 54321
"""A user that no machine knows."""

BECOME = """
import os
import prico_env.core.kernel_cache
os.setgroups([]), os.setgid({user}), os.setuid({user})
"""
"""Reads the sources first: they may lie where nobody else may look."""

KERNEL = """
from typing import NamedTuple
from prico_env.core.jit import kernel

class {name}(NamedTuple):
    number: int

@kernel
def doubled(pair):
    return 2 * pair.number

print(doubled({name}(21)))
"""


def python(code, *, user=None, folder="/", **environment):
    """What a fresh interpreter prints, and what it says on stderr."""
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{folder}{os.pathsep}{SOURCES}"}
    become = BECOME.format(user=user) if user else ""
    done = subprocess.run(
        [sys.executable, "-c", become + code],
        env=kept | {"NUMBA_DISABLE_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip(), done.stderr.strip()


def folder_for(**settings):
    """The folder that is chosen, `None` if there is none, and what is said of it."""
    code = "from prico_env.core.kernel_cache import kernel_folder; print(kernel_folder())"
    folder, said = python(code, **settings)
    assert said.count("\n") == 0
    return folder, said


@pytest.fixture
def home():
    """The home of somebody, in a folder that everybody may pass; pytest's own are private."""
    with tempfile.TemporaryDirectory() as folder:
        for one in (Path(folder), Path(folder, "home")):
            one.mkdir(exist_ok=True)
            one.chmod(0o777)
        yield Path(folder, "home")


# -- which folder ----------------------------------------------------------------------------------


def test_the_folder_that_is_named_comes_before_numbas_and_the_users(home):
    named = {"PRICO_CACHE_DIR": str(home / "a"), "NUMBA_CACHE_DIR": str(home / "b")}
    user = {"XDG_CACHE_HOME": str(home / "c"), "HOME": str(home)}
    assert folder_for(**named, **user) == (f"{home}/a/kernels", "")
    del named["PRICO_CACHE_DIR"]
    assert folder_for(**named, **user) == (f"{home}/b/prico/kernels", "")
    assert folder_for(**user) == (f"{home}/c/prico/kernels", "")
    assert folder_for(HOME=str(home)) == (f"{home}/.cache/prico/kernels", "")


def test_a_home_that_is_not_there_is_not_made(home):
    folder, said = folder_for(HOME=f"{home}/missing", TMPDIR=str(home))
    assert folder == f"{home}/prico-{os.getuid()}/kernels"
    assert not said
    assert not (home / "missing").exists()


needs_root = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root becomes somebody else"
)


@needs_root
@pytest.mark.parametrize("environment", [{}, {"HOME": "/"}, {"HOME": "/nonexistent"}])
def test_a_user_without_home_or_name_gets_a_temporary_folder_of_their_own(home, environment):
    """Neither a home nor an entry in the list of users, as in many containers."""
    folder, said = folder_for(user=NOBODY, TMPDIR=str(home), **environment)
    assert folder == f"{home}/prico-{NOBODY}/kernels"
    assert (home / f"prico-{NOBODY}").stat().st_mode & 0o777 == 0o700
    assert said == "" or "/.cache/prico/kernels cannot be" in said


@needs_root
def test_where_nothing_can_be_written_there_is_no_folder_and_one_line_says_so(home):
    home.chmod(0o555)
    folder, said = folder_for(user=NOBODY, HOME=str(home), TMPDIR=str(home), TMP=str(home))
    if folder == "None":
        assert said.startswith("prico: compiled kernels are not kept, PRICO_CACHE_DIR may name")
    else:  # Python knows other folders for temporary files
        assert "cannot be used (Permission denied)" in said


@needs_root
def test_a_folder_of_kernels_that_can_only_be_read_is_used_as_it_is(home):
    kernels = home / "image" / "kernels"
    kernels.mkdir(parents=True)
    image = {"PRICO_CACHE_DIR": str(home / "image"), "TMPDIR": str(home)}
    empty, said = folder_for(user=NOBODY, **image)
    assert empty == f"{home}/prico-{NOBODY}/kernels"
    assert f"{kernels} cannot be written to" in said
    (kernels / "module").mkdir()
    assert folder_for(user=NOBODY, **image) == (str(kernels), "")


@needs_root
@pytest.mark.parametrize("owner", [NOBODY + 1, NOBODY])
def test_machine_code_that_others_could_have_put_there_is_not_run(home, owner):
    """A temporary folder of the right name that is another user's, or open to all."""
    squatted = home / f"prico-{NOBODY}"
    (squatted / "kernels").mkdir(parents=True)
    for one in (squatted, squatted / "kernels"):
        os.chown(one, owner, owner)
        one.chmod(0o777)
    folder, said = folder_for(user=NOBODY, HOME="/nonexistent", TMPDIR=str(home))
    assert folder == "None"
    assert ("belongs to another user" if owner != NOBODY else "by other users") in said


# -- reading and writing ---------------------------------------------------------------------------


DAMAGED = """
import pathlib, pairs
from prico_env.core.kernel_compiler import Kernel
(file,) = pathlib.Path(pairs.__file__).parent.rglob("*.kernel")
whole = file.read_bytes()
damages = {
    "empty": b"",
    "cut off": whole[: len(whole) // 2],
    "foreign": b"not a pickle",
    "of a type that is not there": whole.replace(b"Pair", b"Pear"),
    "ends in zeros": whole[:-300] + bytes(300),
}
for name, damaged in damages.items():
    assert damaged != whole
    file.write_bytes(damaged)
    doubled = Kernel(pairs.doubled.py_func, False)
    assert doubled(pairs.Pair(21)) == 42, name
    assert sum(doubled.stats.cache_misses.values()) == 1, name
    assert file.stat().st_size > 0.9 * len(whole), name
"""


def test_a_file_that_cannot_be_read_is_compiled_anew(tmp_path):
    (tmp_path / "pairs.py").write_text(KERNEL.format(name="Pair"))
    printed = python(DAMAGED, folder=tmp_path, PRICO_CACHE_DIR=str(tmp_path))
    assert printed == ("42", "")


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
import pairs
"""


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
def test_a_full_disk_stops_nobody_and_leaves_no_half_of_a_file(tmp_path):
    (tmp_path / "pairs.py").write_text(KERNEL.format(name="Pair"))
    printed, said = python(FULL, folder=tmp_path, PRICO_CACHE_DIR=str(tmp_path))
    assert printed == "42"
    assert said == f"prico: compiled kernels are not kept: {tmp_path}/kernels/pairs: File too large"
    assert not [one for one in (tmp_path / "kernels").rglob("*") if one.is_file()]


def test_looking_up_what_an_action_means_needs_no_folder(tmp_path):
    """Nothing is compiled, so nobody asks where that would be kept."""
    code = "from prico_training.cli import main; main(['action', '117'])"
    said = python(code, PRICO_CACHE_DIR=str(tmp_path / "cache"))
    assert said[0]
    assert not (tmp_path / "cache").exists()


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_the_second_process_compiles_for_the_types_that_the_first_one_passes():
    """Else it would work in vain, and the first step take twice as long."""
    game = Game(seed=1)
    game.step(int(game.mask().argmax()))
    kernel = helper_process.SHARE
    assert f"{kernel.py_func.__module__}.{kernel.py_func.__name__}" == GIVEN_AWAY
    assert helper_process.types_of_arguments() in kernel.overloads


def test_machine_code_made_elsewhere_fits_whatever_was_compiled_here_before(tmp_path):
    """Names of functions hold no number that depends on what a process did."""
    (tmp_path / "parts.py").write_text(
        "import numpy as np\nfrom prico_env.core.jit import kernel, separate_kernel\n"
        "@kernel\ndef inner(row):\n    return row['n'] + min(row['n'], 1)\n"
        "@separate_kernel\ndef middle(row):\n    return inner(row) * 2\n"
        "@kernel\ndef outer(rows):\n    return middle(rows[0]) + 1\n"
        "@kernel\ndef other(rows):\n    return middle(rows[0]) + 2\n"
        "ROWS = np.ones(1, [('n', 'i8')])\n"
    )
    busy = "import numpy as np, numba\n"
    busy += "for w in range(9): numba.typeof(np.zeros(1, [('x', f'S{w}')]))\n"
    for code, result in [
        ("import parts; print(parts.outer(parts.ROWS))", "5"),
        (busy + "import parts; print(parts.other(parts.ROWS))", "6"),
        (busy + "import parts; print(parts.outer(parts.ROWS))", "5"),
    ]:
        assert python(code, folder=tmp_path, PRICO_CACHE_DIR=str(tmp_path)) == (result, "")
    names = sorted(one.name.rpartition("-")[0] for one in tmp_path.rglob("*.kernel"))
    assert names == ["middle", "other", "outer"]
