"""The command on terminals of any encoding, before readers that leave early, and under Ctrl-C."""

import contextlib
import importlib.util
import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from prico_training import cli

ENCODINGS = ("cp1252", "cp437", "ascii", "latin-1", "utf-16", "utf-8")
PRINTING = (
    ["agents"],
    ["agents", "corn"],
    ["action", "117"],
    ["feature", "42"],
    ["building", "Kaffeerösterei", "--edition", "1897-de"],
    ["rule", "R-CAP"],
    ["play", "corn", "builder", "corn", "--seed", "3", "--boards"],
    ["play", "corn", "random", "--seed", "3", "--edition", "1897-de", "--explain"],
    ["arena", "corn", "builder", "--plan"],
    *([verb, "--help"] for verb in sorted(cli.prico.commands)),
    ["--help"],
    ["--version"],
)
"""Every verb that prints and needs no run, and all helps."""


def surroundings(**more):
    usual = {"PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100", "PYTHONUNBUFFERED": ""}
    return os.environ | usual | more


def started(words, folder, package="prico_training", **more):
    return subprocess.Popen(
        [sys.executable, "-m", package, *words],
        cwd=folder,
        env=surroundings(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )


# -- encodings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_every_verb_prints_in_any_encoding(words, encoding):
    result = CliRunner(charset=encoding).invoke(cli.prico, words)
    assert result.exception is None
    assert result.stdout
    assert not re.search(r"\\[ux][0-9a-f]", result.stdout)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "words",
    [
        ["play", "corn", "Würzgarten—♞"],
        ["building", "Würzgarten—♞"],
        ["train", "ppo.größe=♞"],
        ["replay", "größe♞.jsonl"],
        ["arena", "corn", "corn", "--resume", "größe\udcff♞"],
    ],
    ids=lambda words: words[0],
)
def test_a_mistake_is_told_in_any_encoding(words, encoding, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner(charset=encoding).invoke(cli.prico, words)
    assert result.exception is None
    assert result.stderr.startswith("prico: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "setting",
    [
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        pytest.param(
            {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}, marks=pytest.mark.slow
        ),
    ],
    ids=["cp1252", "C locale"],
)
def test_a_game_is_told_and_saved_whatever_the_terminal(setting, tmp_path):
    words = ["play", "corn", "builder", "corn", "--seed", "3", "--boards", "--save", "game.jsonl"]
    said, wrong = started(words, tmp_path, **setting).communicate(timeout=120)
    assert b"Final score" in said
    assert wrong == b""
    (tmp_path / "game.jsonl").read_text(encoding="utf-8")


def test_a_person_may_type_what_is_no_text(tmp_path):
    typed = CliRunner().invoke(cli.prico, ["play", "human", "random"], input=b"\xff\x00\nquit\n")
    assert typed.exception is None
    assert "You left the game." in typed.stdout


# -- readers that leave, and Ctrl-C ----------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="head is no command of Windows")
@pytest.mark.parametrize(
    "words",
    [
        ["agents"],
        ["rule", "R-CAP"],
        ["play", "--help"],
        ["play", "corn", "builder", "corn"],
        ["arena", "corn", "builder", "--plan"],
        pytest.param(
            ["arena", "corn", "builder", "--deals", "1", "--processes", "1"], marks=pytest.mark.slow
        ),
        ["replay", "nowhere.jsonl"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_reader_that_leaves_is_no_error(words, tmp_path):
    process = started(words, tmp_path)
    process.stdout.close()
    with process.stderr as wrong:
        said = wrong.read().decode()
    assert process.wait(timeout=120) == (2 if words[0] == "replay" else 0)
    assert said.count("\n") == (words[0] == "replay")


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("prico_training", ["building"]),
        ("prico_training", ["building", "nowhere"]),
        ("prico_training", ["plough"]),
        ("prico_training", ["replay", "nowhere.jsonl"]),
        ("prico_env", ["building"]),
        ("prico_env", ["building", "nowhere"]),
    ],
    ids=lambda part: part if isinstance(part, str) else " ".join(part),
)
def test_a_mistake_that_nobody_reads_is_still_one(package, words, unbuffered, tmp_path):
    process = started(words, tmp_path, package, PYTHONUNBUFFERED=unbuffered)
    process.stdout.close()
    process.stderr.close()
    assert process.wait(timeout=60) == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a full device")
def test_output_that_cannot_be_written_is_one_line(tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "prico_training", "agents"],
            cwd=tmp_path,
            env=surroundings(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "prico: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal elsewhere")
@pytest.mark.parametrize("words", [["play", *["random"] * 4, "--delay", "60"], ["serve"]])
def test_ctrl_c_is_one_line(words, tmp_path):
    pytest.importorskip("uvicorn")
    more = ["--port", "0"] if words == ["serve"] else []
    process = started([*words, *more], tmp_path)
    assert process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, wrong = process.communicate(timeout=60)
    assert process.returncode == (0 if words == ["serve"] else 130)
    assert wrong.decode() == ("" if words == ["serve"] else "prico: stopped\n")


# -- a terminal that a person types at -------------------------------------------------------------


_PATIENCE = 60
"""Seconds after which a test gives up waiting for a program."""
_CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x07")
"""What terminals do not show."""


class Typed:
    """`prico` on a terminal of 24 lines and 80 columns, at which keys are pressed."""

    def __init__(self, words, folder, **more):
        import fcntl
        import pty
        import termios

        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, 80))
        settings = surroundings(**more) | {"TERM": "xterm", "XDG_DATA_HOME": str(folder)}
        for name in ("COLUMNS", "NO_COLOR"):
            settings.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "prico_training", *words],
            cwd=folder,
            env=settings,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self.keys = ours

    def press(self, keys, until, every=_PATIENCE):
        """Press keys; what is shown until something stands there, without codes for colours.

        They are pressed again where nothing is shown for so many seconds.
        """
        os.write(self.keys, keys.encode())
        shown, last = "", time.monotonic() + _PATIENCE
        while until not in shown:
            if not select.select([self.keys], [], [], every)[0]:
                if time.monotonic() >= last:
                    raise AssertionError(f"{until!r} is not shown: {shown[-2000:]!r}")
                os.write(self.keys, keys.encode())
                continue
            try:
                more = os.read(self.keys, 1 << 16).decode(errors="replace")
            except OSError:  # the program has ended
                break
            shown = _CODES.sub("", shown + more)
        return shown.replace("\r", "")

    def close(self):
        """End it, if it still runs."""
        self.process.kill()
        self.process.wait()
        os.close(self.keys)


@pytest.mark.skipif(
    sys.platform != "linux" or importlib.util.find_spec("readline") is None,
    reason="lines are edited by readline",
)
def test_a_person_edits_lines_completes_and_recalls_them_and_finds_the_game_again(tmp_path):
    words = ["play", "human", "corn", "--seed", "3", "--edition", "classic", "--name", "Ann"]
    prompt = ")> "
    with contextlib.closing(Typed(words, tmp_path)) as terminal:
        shown = terminal.press("", until=prompt)
        assert "1  Take the settler card" in shown
        assert shown.count("\n") < 24
        assert "Take the trader card" in terminal.press("take the tr\t", until="trader card")
        shown = terminal.press("\n", until=prompt)
        assert "Ann           Choice of role: take the trader card" in shown
        # A slip is mended with the cursor, and the line comes back with the arrow.
        shown = terminal.press("hlp\x1b[D\x1b[De\n", until=prompt)
        assert "shows the whole table" in shown
        assert "shows the whole table" in terminal.press("\x1b[A\n", until=prompt)
        # Python hears Ctrl-C only with the next key if it came just before a line was read.
        shown = terminal.press("\x03", until="prico: stopped", every=3)
        assert terminal.process.wait(timeout=_PATIENCE) == 130
    (path,) = (tmp_path / "prico" / "games").glob("*.jsonl")
    assert f"prico play --load {path}" in shown.replace("\n", "")
    assert "role:trader" in path.read_text()
