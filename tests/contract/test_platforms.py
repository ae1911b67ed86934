"""Windows and macOS, as far as Linux can stand in for them."""

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from prico_training.config import Config
from prico_training.errors import ConfigError

HOME = Path(importlib.util.find_spec("prico_env").origin).parents[1]
SOURCES = [
    path
    for folder in ("prico_env", "agents/prico_agents", "training/prico_training")
    for path in sorted((HOME / folder).rglob("*.py"))
]
POSIX_MODULES = (
    *("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "readline", "curses", "syslog"),
    *("posix", "crypt", "spwd", "nis"),
)
POSIX_NAMES = {
    "os": (
        *("fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "getgroups", "killpg"),
        *("setsid", "setpgid", "getpgid", "getpgrp", "chown", "lchown", "fchown", "fchmod"),
        *("mkfifo", "mknod", "nice", "getloadavg", "sched_getaffinity", "sched_setaffinity"),
        *("sysconf", "statvfs", "fstatvfs", "uname", "wait", "WNOHANG", "O_NOFOLLOW", "O_CLOEXEC"),
        *("O_DIRECTORY", "pipe2", "sync", "pread", "pwrite", "ctermid", "confstr", "openpty"),
        *("execv", "execve", "execvp", "rename"),
    ),
    "signal": (
        *("SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD", "SIGPIPE", "SIGSTOP"),
        *("SIGCONT", "SIGTSTP", "SIGWINCH", "SIGQUIT", "setitimer", "getitimer", "alarm", "pause"),
        *("pthread_sigmask", "pthread_kill", "sigwait", "sigpending", "siginterrupt"),
    ),
    "socket": ("AF_UNIX",),
}
"""What Windows has not, or, as `exec` and `rename`, has with another meaning."""
GUARD = re.compile(r"sys\.platform|os\.name|hasattr\(|_HAS_[A-Z]+|_IS_[A-Z]+")
"""How a condition looks that keeps a system from what it has not."""
PLACES = re.compile(r"^/(dev|proc|tmp|var|etc|usr|run|sys)/")


def strange_uses(source):
    """What a module uses that not every system has, with nothing to keep the others from it."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        used = use_of(node)
        if used and not is_guarded(node, parents):
            yield f"{getattr(node, 'lineno', 0)}: {used}"


def use_of(node):
    if isinstance(node, ast.Import):
        return next((name.name for name in node.names if name.name in POSIX_MODULES), "")
    if isinstance(node, ast.ImportFrom):
        names = POSIX_NAMES.get(node.module, ())
        strange = [name.name for name in node.names if name.name in names]
        return node.module if node.module in POSIX_MODULES else ", ".join(strange)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        is_strange = node.attr in POSIX_NAMES.get(node.value.id, ())
        return f"{node.value.id}.{node.attr}" if is_strange else ""
    if isinstance(node, ast.Attribute) and node.attr == "add_signal_handler":
        return node.attr
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value if PLACES.match(node.value) else ""
    return ""


def is_guarded(node, parents):
    """Whether a condition around it, or one before it in its function that returns, asks first."""
    while node in parents:
        child, node = node, parents[node]
        if isinstance(node, ast.If | ast.IfExp) and GUARD.search(ast.unparse(node.test)):
            return True
        if isinstance(node, ast.BoolOp) and GUARD.search(ast.unparse(node.values[0])):
            return True
        if isinstance(node, ast.Try) and child in node.body:
            caught = " ".join(ast.unparse(each.type or ast.Name("any")) for each in node.handlers)
            if re.search("OSError|ImportError|AttributeError|any", caught):
                return True
        if isinstance(node, ast.With) and "suppress(" in ast.unparse(node.items[0]):
            return True
        for before in getattr(node, "body", []) if isinstance(node, ast.FunctionDef) else []:
            if before is child:
                break
            if isinstance(before, ast.If) and GUARD.search(ast.unparse(before.test)):
                is_exit = "sys.exit(" in ast.unparse(before.body[-1])
                if is_exit or isinstance(before.body[-1], ast.Return | ast.Raise):
                    return True
    return False


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import fcntl", True),
        ("import os\nos.getuid()", True),
        ("from signal import SIGKILL", True),
        ("x = open('/dev/null')", True),
        ("import os\nif hasattr(os, 'getuid'):\n    os.getuid()", False),
        ("import sys, os\ny = os.getuid() if sys.platform != 'win32' else 0", False),
        ("try:\n    import fcntl\nexcept ImportError:\n    fcntl = None", False),
        ("def f():\n    if os.name == 'nt':\n        return 0\n    return os.getuid()", False),
        ("import os\nos.replace('a', 'b')", False),
    ],
)
def test_what_not_every_system_has_is_found_in_a_module(source, found):
    assert bool(list(strange_uses(source))) == found


def test_no_module_uses_what_not_every_system_has_without_asking():
    found = {str(path): list(strange_uses(path.read_text(encoding="utf-8"))) for path in SOURCES}
    assert not {path: uses for path, uses in found.items() if uses}


def test_files_are_read_and_written_in_utf_8_whatever_the_system():
    """Without a name for the encoding, Python takes that of the system."""
    bare = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and opens_text(node):
                bare += [f"{path}:{node.lineno}: {ast.unparse(node)}"]
    assert not bare


def opens_text(call):
    """Whether a call opens a file as text and does not say in which encoding."""
    words = ast.unparse(call)
    if "encoding=" in words or re.search(r"'[rwax]b\+?'|'rb\+'", words):
        return False
    is_method = isinstance(call.func, ast.Attribute)
    name = call.func.attr if is_method else getattr(call.func, "id", "")
    return (is_method and name in ("read_text", "write_text")) or (
        name == "open" and not words.startswith(("os.open(", "Image.open(", "webbrowser.open("))
    )


WITHOUT_POSIX = """
import importlib, pkgutil, signal, socket, sys, os, warnings
warnings.simplefilter("ignore")
import prico_env, prico_agents
packages = sys.argv[1].split(",")

def modules():
    for package in map(importlib.import_module, packages):
        yield package.__name__
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not found.name.endswith("__main__") and ".examples." not in found.name:
                yield found.name

def load():
    loaded = []
    for name in sorted(modules()):
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name.startswith("prico") or error.name in {strange!r}:
                raise
        else:
            loaded.append(name)
    return loaded

first = load()  # other libraries know by themselves where they are
for name in [name for name in sys.modules if name.split(".")[0] in packages]:
    del sys.modules[name]
for name in {strange!r}:
    sys.modules[name] = None
for owner, names in {names!r}.items():
    for name in names:
        if name not in ("rename", "execv", "sync") and hasattr(sys.modules[owner], name):
            delattr(sys.modules[owner], name)
assert load() == first and len(first) > int(sys.argv[2]), len(first)
from prico_training import cli
assert cli.main(["play", "random", "random", "--seed", "1"]) == 0
assert cli.main(["arena", "corn", "random", "--plan"]) == 0
"""


def python(folder, *arguments):
    """What an interpreter prints that ends well in a folder."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


@pytest.mark.slow
def test_every_module_can_be_imported_and_played_with_where_there_is_no_posix(tmp_path):
    script = WITHOUT_POSIX.format(strange=POSIX_MODULES, names=POSIX_NAMES)
    printed = python(tmp_path, "-c", script, "prico_env,prico_agents,prico_training", "150")
    assert "Final score" in printed


def test_every_file_of_the_packages_has_a_name_that_every_system_can_have():
    names = [
        path.relative_to(HOME).as_posix()
        for folder in ("prico_env", "agents", "training", "tests", "docs", "configs", "notebooks")
        for path in (HOME / folder).rglob("*")
        if "__pycache__" not in path.parts
    ]
    assert len({name.casefold() for name in names}) == len(names)
    reserved = re.compile(r"(?i)(^|/)(con|prn|aux|nul|com\d|lpt\d)(\.|/|$)|[<>:\"|?*\\]|[. ](/|$)")
    assert not [name for name in names if reserved.search(name)]


@pytest.mark.parametrize(
    "name",
    ["a/b", "a\\b", "a:b", "..", ".", "x.", "x ", " x", "", "a*", "a?", "a\0b", "x" * 200, "a\n"],
)
def test_a_run_cannot_have_a_name_that_is_no_folder_somewhere(name):
    with pytest.raises(ConfigError, match="name must be a word for a folder"):
        Config(name=name)


SPAWNING = """
import multiprocessing, sys
from prico_training import cli
if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    words = ["random", "corn", "--players", "2", "--deals", "1", "--formats", "copies"]
    sys.exit(cli.main(["arena", *words, "--processes", "2", "--output", "games"]))
"""


@pytest.mark.slow
def test_a_tournament_plays_where_the_system_spawns_processes(tmp_path):
    """As Windows and macOS do."""
    (tmp_path / "script.py").write_text(SPAWNING)
    python(tmp_path, "script.py")
    assert len((tmp_path / "games/games.jsonl").read_text().splitlines()) == 2
