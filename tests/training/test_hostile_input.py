"""Whatever a file, a folder or a setting turns out to be: one line, no traceback, no gigabytes.

Nothing that is written here may lie outside the folder of a test, nor lead to a device: whoever
runs the tests may be allowed to replace one.
"""

import contextlib
import os
import random
import subprocess
import sys
import threading
from operator import attrgetter
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings, strategies as st

from prico_agents.neural.checkpoint import ABOUT_FILE, WEIGHTS_FILE
from prico_env import Game
from prico_env.errors import PricoError
from prico_training import cli
from prico_training.arena.results import GAMES_FILE, SETTINGS_FILE
from prico_training.arena.settings import Tournament, tournament_from
from prico_training.config import RENAMED, Config, load_config
from prico_training.errors import ConfigError
from prico_training.files import write_text
from prico_training.sections import fields_of, from_dict, is_section, translated

TEXTS = {
    "empty": "",
    "nuls": "\0" * 100,
    "list.yaml": "[1, 2]",
    "deep.yaml": "[" * 300_000,
    "deeper.yaml": "[" * 30_000,
    "deep.jsonl": "[" * 300_000 + "\n",
    "junk.jsonl": "{}\n" * 10_000,
    "agents.yaml": "agents: 3",
    "strange.yaml": "agents: [corn, {agent: 3}, null]",
    "agent.yaml": "agent: corn\nsettings: 3",
    "weights.yaml": "agent: corn\nsettings: {coin: [1]}",
    "self.yaml": "agent: self.yaml",
    "twice.yaml": "agent: corn\nagent: corn",
    "date.yaml": "game: 2001-01-01\nagents: !!set {corn, builder}\n2: 3\nnull: 4\n",
    "bytes.yaml": "agents: !!binary aGVsbG8=\ngame: !!binary aGVsbG8=\n",
    "sections.yaml": "ppo: 3\nself_play: [1]\nnetwork: text\nbudget: {minutes: {}}",
}
"""Files that hold text, but none that anything asks for."""
PAGES = (
    *("[]", "3", '{"format": 2}', '{"format": 2, "rules": 3}', "{" * 5, "[" * 100_000, "\0"),
    *('{"format": 2, "rules": {"players": "x"}}', '{"format": 1e999}'),
    '{"format": 2, "rules": {"players": 3}, "features": 5, "actions": "x", "weights_sha256": 3}',
    '{"format": 1, "rules": {"players": 4}, "observation": [[1]], "actions": []}',
)
"""What the page of a policy can be instead of one."""
GAMES = (
    *("", "{}\n", "x\n", "\0\n", "[1, 2]\n", "[" * 100_000 + "\n"),
    '{"line_up": 0, "deal": 0}\n',
    '{"line_up": "x", "deal": []}\n',
    '{"line_up": 0, "deal": 0, "table": 3, "faults": 4, "wins": "x"}\n',
    '{"line_up": 1e400, "deal": NaN, "table": [], "faults": [], "wins": []}\n',
)
"""What the games of a tournament can be instead."""
WORDS = (
    *("missing", "x" * 300, "", ".", " ", "..", "/", "~nobody", "binary/x", "a\nb", "-", "--", "*"),
    *("\udcff", "con", "a:b", "folder/", "folder/missing/x", "♞", "-1", "nan", "1e400", "%s", "{}"),
    *("/dev/zero", "/dev/null", "/proc/self/mem"),
)
"""Names of nothing, and devices."""
VERBS = (
    ["replay", "@"],
    ["replay", "@", "--think", "@"],
    ["replay", "good.jsonl", "--think", "@"],
    ["play", "--load", "@"],
    ["play", "corn", "@"],
    ["play", "corn", "corn", "--board", "@"],
    ["play", "corn", "corn", "--expansions", "@"],
    ["play", "corn", "corn", "--edition", "@"],
    ["play", "corn", "corn", "--language", "@"],
    ["play", "human", "corn", "--name", "@"],
    ["train", "@"],
    ["train", "--resume", "@"],
    ["train", "game=@"],
    ["train", "ppo=@"],
    ["train", "opponents.agents=[@]"],
    ["train", "name=@"],
    ["tune", "@"],
    ["tune", "games=[@]"],
    ["tune", "agent=@"],
    ["arena", "@", "corn", "--plan"],
    ["arena", "x=@", "corn", "--plan"],
    ["arena", "corn", "builder", "--against", "@", "--plan"],
    ["arena", "--resume", "@", "--plan"],
    ["arena", "--report", "@"],
    ["benchmark", "--verify", "@"],
    ["benchmark", "corn", "--suite", "@"],
    ["puzzles", "@"],
    ["puzzles", "corn", "--puzzles", "@"],
    ["puzzle", "--puzzles", "@"],
    ["puzzle", "--kind", "@"],
    ["reliability", "@"],
    ["reliability", "governor", "@"],
    ["reliability", "governor", "--games", "@"],
    ["export", "@", "new"],
    ["agents", "@"],
    ["action", "@"],
    ["feature", "@"],
    ["building", "@"],
    ["rule", "@"],
)
"""What takes a file, a folder or a word, written as @."""
OUTPUTS = (
    ["replay", "good.jsonl", "-o", "@"],
    ["play", "corn", "corn", "--load", "good.jsonl", "--save", "@"],
    ["puzzles", "corn", "--json", "@"],
    ["reliability", "governor", "corn", "--players", "2", "--deals", "1", "--json", "@"],
    ["export", "governor", "@"],
)
"""What writes to a place."""


def make_strange_places():
    """Files and folders of every kind but the right one, in the current folder."""
    for name, text in TEXTS.items():
        Path(name).write_text(text)
    Path("binary").write_bytes(b"\x89PNG\r\n\x1a\n\0\0" + bytes(range(256)))
    Path("utf16").write_text("agent: corn", encoding="utf-16")
    for name in ("huge", "huge.yaml", "huge.jsonl"):
        with open(name, "wb") as file:
            file.truncate(200 * 2**30)
    for name, target in {"dangling": "nowhere", "looping": "looping", "zero": "/dev/zero"}.items():
        Path(name).symlink_to(target)
    for number, newest in enumerate((b"\xff\xfe\0", b".", b"../run_2", b"x" * 5_000, b"")):
        Path(f"run_{number}").mkdir()
        Path(f"run_{number}/latest").write_bytes(newest)
    for number, page in enumerate(PAGES):
        folder = Path(f"policy_{number}")
        folder.mkdir()
        (folder / ABOUT_FILE).write_text(page)
        (folder / WEIGHTS_FILE).write_bytes(b"none")
        (folder / "latest").write_text(".")
    for number, games in enumerate(GAMES):
        folder = Path(f"arena_{number}")
        folder.mkdir()
        (folder / SETTINGS_FILE).write_text("agents: [corn, builder]\ndeals: 1\n")
        (folder / GAMES_FILE).write_text(games)
    for name in ("folder", "arena_zero", f"folder/{SETTINGS_FILE}", f"folder/{GAMES_FILE}"):
        Path(name).mkdir()
    Path(f"arena_zero/{GAMES_FILE}").symlink_to("/dev/zero")
    game = Game(seed=1)
    for _ in range(5):
        game.step(game.legal_actions()[0])
    Path("good.jsonl").write_text(game.to_record())


@pytest.fixture(scope="module")
def strange_places(tmp_path_factory):
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("strange"))
    make_strange_places()
    yield sorted(os.listdir())
    os.chdir(before)


@pytest.fixture
def no_learning(monkeypatch):
    """A run or a tuning that would begin ends there."""
    pytest.importorskip("torch")

    def begin(*_):
        raise ConfigError("it would begin now")

    monkeypatch.setattr("prico_training.learning.stages.start", begin)
    monkeypatch.setattr("prico_training.tuning.run_tuning.run_tuning", begin)
    monkeypatch.setattr("prico_training.learning.distributed.start_ranks", begin)


def refused(words, place):
    """Run a command; return what is wrong with how it ends, or nothing."""
    words = [word.replace("@", place) for word in words]
    done = CliRunner().invoke(cli.prico, words, standalone_mode=False, input="quit\n")
    if isinstance(done.exception, click.ClickException):
        return ""
    if done.exception is not None:
        return f"{words} raises {done.exception!r}"
    lines = done.stderr.count("\n")
    if done.return_value == cli.USER_MISTAKE and (lines != 1 or len(done.stderr) > 1_500):
        return f"{words} is told in {lines} lines, {len(done.stderr)} characters"
    return "" if done.return_value in (None, 0, cli.USER_MISTAKE) else f"{words} ends strangely"


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
@pytest.mark.usefixtures("no_learning")
def test_whatever_a_place_is_it_is_refused_in_one_line(words, strange_places):
    """A sample of the places for each verb; all of them, when it is run as a slow test."""
    places = [*strange_places, *WORDS]
    chosen = random.Random(" ".join(words)).sample(places, 12)
    assert not list(filter(None, (refused(words, place) for place in chosen)))


@pytest.mark.slow
@pytest.mark.parametrize("words", VERBS, ids=" ".join)
@pytest.mark.usefixtures("no_learning")
def test_every_verb_refuses_every_strange_place(words, strange_places):
    places = [*strange_places, *WORDS]
    assert not list(filter(None, (refused(words, place) for place in places)))


@pytest.mark.parametrize("words", OUTPUTS, ids=" ".join)
def test_a_place_that_cannot_be_written_to_is_refused_in_one_line(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_strange_places()
    places = ["folder", "binary/x", "nowhere/x", "x" * 300, "", ".", " ", "folder/", "dangling/x"]
    assert not list(filter(None, (refused(words, place) for place in places)))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["replay", "."], "is a folder, not a file"),
        (["train", "deep.yaml"], "is larger than the 262,144 bytes that are read"),
        (["train", "deeper.yaml"], "nests deeper than 20 levels"),
        (["train", "self_play.num_envs=99999999999"], "must be at least 1 and at most 65,536"),
        (["train", "self_play.num_envs=65536", "self_play.num_steps=16384"], "is memory for"),
        (["play", "corn", "run_0"], "not text in UTF-8"),
        (["play", "corn", "/dev/zero"], "holds no checkpoint"),
        (["train", "seed=1" + "0" * 5_000], "cannot be read as a value"),
        (["train", "ppo.clip_range=.nan"], "ppo.clip_range must be above 0, not nan"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_a_refusal_says_what_was_given_and_why(words, says, strange_places, capsys):
    assert cli.main(words) == cli.USER_MISTAKE
    error = capsys.readouterr().err
    assert error.startswith("prico: ")
    assert error.count("\n") == 1
    assert says in error


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("nowhere", "and nothing is there"),
        ("text", "which is no Python file"),
        ("empty.py", "is no edition"),
        ("broken.py", "cannot be loaded: SyntaxError"),
        ("raising.py", "cannot be loaded: ZeroDivisionError"),
    ],
)
def test_an_edition_that_cannot_be_loaded_is_told_in_one_line(place, says, tmp_path):
    (tmp_path / "text").write_text("no Python")
    (tmp_path / "empty.py").touch()
    (tmp_path / "broken.py").write_text("EDITION = (")
    (tmp_path / "raising.py").write_text("1 / 0")
    done = subprocess.run(
        [sys.executable, "-m", "prico_training", "building", "hospice"],
        cwd=tmp_path,
        env=os.environ | {"PRICO_EDITIONS": place, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (cli.USER_MISTAKE, 1), done.stderr
    assert says in done.stderr


# -- settings --------------------------------------------------------------------------------------

HOSTILE = st.one_of(
    st.integers(),
    st.integers(10**6, 10**30),
    st.floats(),
    st.booleans(),
    st.none(),
    st.text(max_size=8),
    st.lists(st.integers() | st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


def names_of(section, before=""):
    for name, field in fields_of(section).items():
        if is_section(field):
            yield from names_of(field.annotation, f"{before}{name}.")
        else:
            yield before + name


def nested(name, value):
    for part in reversed(name.split(".")):
        value = {part: value}
    return value


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(names_of(Config))), HOSTILE)
def test_any_value_of_a_training_setting_is_taken_or_refused_in_words(name, value):
    complaint = ""
    try:
        config = from_dict(nested(name, value), Config)
        assert config.tables()
    except PricoError as error:  # of the rule set, in its own words
        complaint = str(error)
    assert "\n" not in complaint
    assert len(complaint) < 1_000


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(names_of(Tournament))), HOSTILE)
def test_any_value_of_a_tournament_setting_is_taken_or_refused_in_words(name, value):
    complaint = ""
    try:
        tournament_from({"agents": ["corn", "builder"]} | nested(name, value))
    except PricoError as error:
        complaint = str(error)
    assert "\n" not in complaint
    assert len(complaint) < 1_000


PIECES = st.sampled_from(
    [
        "ppo",
        "game",
        "seed",
        "",
        ".",
        "=",
        "[",
        "{",
        "}",
        "]",
        "a",
        "1",
        ":",
        "&x",
        "*x",
        "!!int",
        " ",
    ]
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(PIECES, max_size=8).map("".join))
def test_any_word_that_sets_something_is_taken_or_refused_in_words(word):
    complaint = ""
    try:
        load_config(None, [word])
    except PricoError as error:
        complaint = str(error)
    assert "\n" not in complaint


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.dictionaries(
        st.sampled_from(sorted({name.partition(".")[0] for name in (*RENAMED, *names_of(Config))})),
        HOSTILE | st.dictionaries(st.sampled_from(["slips", "epsilon", "games", 3]), HOSTILE),
        max_size=4,
    )
)
def test_any_settings_of_an_older_run_are_taken_or_refused_in_words(fields):
    complaint = ""
    try:
        from_dict(translated(fields, RENAMED), Config)
    except PricoError as error:
        complaint = str(error)
    assert "\n" not in complaint


def test_whatever_takes_memory_has_an_upper_bound():
    """Whole numbers without one are moments of a run, which take none."""
    unbounded = []
    for name in names_of(Config):
        for value in (2**40, [2**40]):
            with contextlib.suppress(PricoError):
                from_dict(nested(name, value), Config)
                unbounded.append(name)
    floats = [name for name in unbounded if isinstance(attrgetter(name)(Config()), float)]
    assert set(unbounded) - set(floats) == {"budget.decisions", "opponents.snapshot_every"}


AGENT_SETTINGS = ("mcts", "planner", "corn", "governor", "random", "builder", "trader", "human")
NUMBERS = ("0", "-1", "1e400", "-inf", "nan", "99999999999999999999", "1" * 5_000, "yes", "", "x")


@pytest.mark.parametrize("agent", AGENT_SETTINGS)
def test_any_value_of_an_agent_setting_is_taken_or_refused_in_one_line(agent):
    from prico_agents.agent_settings import settings_of
    from prico_agents.registry import find_agent

    names = [setting.name for setting in settings_of(find_agent(agent).player)] or ["coin", "role"]
    for name in names:
        for number in NUMBERS:
            assert not refused(["agents", f"{agent}:{name}={number}"], "")


OPTIONS = (
    ["play", "random", "random", "--seed", "@"],
    ["play", "random", "random", "--delay", "@"],
    ["serve", "--no-data", "--port", "@"],
    ["serve", "--no-data", "--name", "@"],
    ["serve", "--no-data", "--proxy", "@"],
    ["serve", "--no-data", "seconds=@"],
    ["serve", "--no-data", "sessions=@"],
    ["serve", "--no-data", "@"],
    ["replay", "good.jsonl", "--seat", "@"],
    ["replay", "good.jsonl", "--language", "@"],
    ["puzzle", "--count", "@"],
    ["puzzle", "--minutes", "@"],
    ["puzzle", "--language", "@"],
    ["train", "--ranks", "@"],
    ["feature", "42", "--players", "@"],
    *(
        ["arena", "corn", "builder", "--plan", f"--{name}", "@"]
        for name in ("deals", "seed", "move-seconds", "processes", "max-faults", "players")
    ),
    ["arena", "corn", "builder", "--plan", "--interval", "@"],
    ["arena", "corn", "builder", "--plan", "--seatings", "@"],
    ["arena", "corn", "builder", "--plan", "--formats", "@"],
    ["arena", "corn", "builder", "--deals", "0", "--stop-when", "corn", "--bounds", "@"],
)
"""Options that take numbers or words."""


@pytest.mark.parametrize("words", OPTIONS, ids=lambda words: f"{words[0]} {words[-2]}")
@pytest.mark.usefixtures("no_learning")
def test_any_value_of_an_option_is_taken_or_refused_in_one_line(words, strange_places, monkeypatch):
    monkeypatch.setattr("prico_training.ui.server.serve", lambda *_, **__: None)
    monkeypatch.setattr("prico_training.ui.terminal.play_in_terminal", lambda *_: None)
    numbers = (*NUMBERS, "1.5", "[1", "{}", "true", "2001-01-01", "1_0", "0x10", "1,2", "nan,inf")
    assert not list(filter(None, (refused(words, number) for number in numbers)))


# -- writing ---------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    said = []
    reader = threading.Thread(target=lambda: said.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "moved\n")
    reader.join(10)
    assert said == ["moved\n"]
    assert pipe.is_fifo()


def test_a_link_that_is_written_to_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_text(tmp_path / "link", "moved\n")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"moved\n"
