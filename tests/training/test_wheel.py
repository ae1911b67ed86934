"""The distributions, and the wheel installed: bare, or among folders of the names of ours."""

import email
import email.policy
import importlib.metadata
import json
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterable
from email.message import Message
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from packaging.requirements import Requirement

import prico_env
from prico_env.core.kernel_cache import kernel_folder
from tests.pages.pages import ROOT, anchors, blocks, inline_code, links

pytest.importorskip("build", reason="builds the distributions")

pytestmark = [pytest.mark.slow, pytest.mark.training]

WRONG = "raise ImportError('this is a package of somebody else')\n"
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


class Distributions(NamedTuple):
    """What `make dist` builds."""

    sources: Path
    """The files that were built from: those of this checkout, without what tools left."""
    sdist: Path
    wheel: Path
    """Built from the source distribution."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    """The distributions of this checkout, built from a copy of it."""
    sources = tmp_path_factory.mktemp("sources")
    for name in stored_files():
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, sources / name)
    folder = tmp_path_factory.mktemp("dist")
    python("build", "--no-isolation", "--outdir", folder, sources)
    (sdist,) = folder.glob("prico-*.tar.gz")
    (wheel,) = folder.glob("prico-*.whl")
    return Distributions(sources, sdist, wheel)


@pytest.fixture(scope="module")
def wheel(built: Distributions) -> Path:
    """The wheel of this checkout."""
    return built.wheel


def stored_files() -> list[str]:
    """The files of the repository, those of the next commit included."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("this is no clone of the repository")
    return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


def python(*words: object, folder: Path = ROOT, **variables: str) -> str:
    """What a module of this Python says that ends well."""
    done = subprocess.run(
        [sys.executable, "-m", *map(str, words)], capture_output=True, text=True, check=False,
        cwd=folder, env={name: os.environ[name] for name in os.environ if name != "PYTHONPATH"}
        | variables,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(*words: object) -> None:
    """Run pip without a network."""
    python("pip", "--disable-pip-version-check", *words)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel, and with a package `agents` that is not ours.

    Everything that prico needs is taken from the environment of the tests: a line of a `.pth` file
    shows its folder, but not what is installed editable in it.
    """
    home = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / "bin" / "python"
    question = "import sysconfig; print(sysconfig.get_path('purelib'))"
    answer = subprocess.run([python, "-c", question], capture_output=True, text=True, check=True)
    site_packages = Path(answer.stdout.strip())
    pip("--python", python, "install", "--no-deps", "--no-index", wheel)
    (site_packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (site_packages / "agents").mkdir()
    (site_packages / "agents" / "__init__.py").write_text(WRONG)
    return home / "bin"


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment as `pip install prico` makes it: with the wheel, and without extras."""
    home = tmp_path_factory.mktemp("bare") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    site_packages = next(home.glob("lib/python*/site-packages"))
    pip("--python", home / "bin" / "python", "install", "--no-deps", "--no-index", wheel)
    for distribution in needed(PROJECT["dependencies"]):
        for top in {file.parts[0] for file in distribution.files or () if file.parts[0] != ".."}:
            if not (site_packages / top).exists():
                (site_packages / top).symlink_to(Path(str(distribution.locate_file(top))))
    return home / "bin"


def needed(requirements: Iterable[str]) -> Iterable[importlib.metadata.Distribution]:
    """The distributions that these requirements install, with what those require in turn."""
    waiting, seen = list(requirements), set()
    while waiting:
        requirement = Requirement(waiting.pop())
        name = requirement.name.lower().replace("_", "-")
        if name in seen or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        distribution = importlib.metadata.distribution(name)
        waiting += distribution.requires or ()
        yield distribution


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to work in, with packages `agents` and `training` of its own."""
    for name in ("agents", "training"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(WRONG)
    return tmp_path


def start(words: list[object], folder: Path, **variables: str) -> "subprocess.Popen[str]":
    """Start a command in a folder, with nothing of this checkout on the path."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.Popen(
        list(map(str, words)),
        cwd=folder,
        env=surroundings | {"PYTHONUNBUFFERED": "1"} | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(words: list[object], folder: Path, **variables: str) -> str:
    """What a command says that ends well."""
    with start(words, folder, **variables) as process:
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return said


def test_the_wheel_holds_three_packages_and_no_other(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {
        "prico_env", "prico_agents", "prico_training",
    }  # fmt: skip
    homes = re.compile("^(?:prico_env|agents(?=/prico_agents)|training(?=/prico_training))/")
    paths = [path for path in stored_files() if homes.match(path)]
    paths = [re.sub("^(agents|training)/", "", path) for path in paths]
    unneeded = re.compile(r"\.png$")  # pictures of the README
    assert [path for path in paths if path not in names and not unneeded.search(path)] == []
    mine = [name for name in names if name.startswith("prico_")]
    assert sorted(set(mine) - set(paths)) == []


def test_the_source_distribution_holds_all_of_the_repository(built: Distributions) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {file.name.partition("/")[2] for file in archive.getmembers() if file.isfile()}
    added = {"PKG-INFO", "setup.cfg"} | {
        name for name in names if name.startswith("prico.egg-info")
    }
    assert sorted((names ^ set(stored_files())) - added) == []


def test_the_source_distribution_builds_the_wheel_of_the_checkout(
    built: Distributions, tmp_path: Path
) -> None:
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, built.sources)
    (direct,) = tmp_path.glob("prico-*.whl")
    first, second = (
        {file.filename: file.CRC for file in zipfile.ZipFile(wheel).infolist()}
        for wheel in (direct, built.wheel)
    )
    assert first == second


def test_the_source_distribution_passes_its_tests(built: Distributions, tmp_path: Path) -> None:
    shutil.unpack_archive(built.sdist, tmp_path)
    (unpacked,) = tmp_path.iterdir()
    said = python(
        "pytest", "--quiet", "-p", "no:cacheprovider", "tests/rules/test_captain.py",
        "tests/text/test_errors.py", "tests/pages/test_pages.py",
        folder=unpacked, NUMBA_DISABLE_JIT="1",
    )  # fmt: skip
    assert " passed" in said


# -- what an index shows ---------------------------------------------------------------------------


def metadata(wheel: Path) -> Message:
    (name,) = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("/METADATA"))
    return email.message_from_bytes(zipfile.ZipFile(wheel).read(name), policy=email.policy.default)


def test_both_distributions_can_be_published(built: Distributions) -> None:
    pytest.importorskip("twine")
    assert python("twine", "check", "--strict", built.sdist, built.wheel).count("PASSED") == 2


def test_the_readme_renders_away_from_the_repository(wheel: Path) -> None:
    said = metadata(wheel)
    assert said["Description-Content-Type"] == "text/markdown"
    text = said.get_payload()
    assert len(text) > 0.8 * len(README)
    headings = anchors(text)
    astray = [
        link
        for link in links(text)
        if not link.startswith("https://") and link.removeprefix("#") not in headings
    ]
    assert astray == []
    renderer = pytest.importorskip("readme_renderer.markdown")
    page = renderer.render(text)
    assert page.count("<table>") >= 4
    assert "<img" not in page.replace('<img src="https://', "")


def test_links_of_the_readme_lead_to_the_home_of_the_repository_where_it_has_one() -> None:
    text = runpy.run_path(str(ROOT / "setup.py"))["long_description"](
        README, "https://home.example/"
    )
    assert [link for link in links(text) if not link.startswith(("https://", "#"))] == []
    assert "](https://home.example/docs/play.md)" in text


def test_the_version_is_the_same_everywhere(wheel: Path, installed: Path, folder: Path) -> None:
    version = prico_env.__version__
    assert metadata(wheel)["Version"] == version
    assert run([installed / "prico", "--version"], folder).split()[-1] == version
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == version
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(\d[^]]*)\]", changes, re.MULTILINE)[:1] in ([], [version])


def test_classifiers_list_the_versions_of_python_that_are_tested() -> None:
    listed = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    oldest = PROJECT["requires-python"].removeprefix(">=")
    newest = re.search(r"^version=(\S+)", (ROOT / ".ci" / "newest").read_text(), re.MULTILINE)
    assert newest is not None
    assert listed == [oldest, newest[1]]
    assert f"FROM python:{newest[1]}-" in DOCKERFILE


@pytest.mark.parametrize(
    ("requirement", "lowest"),
    [
        ("numpy>=2.0", "numpy==2.0"),
        ("gymnasium>=1.1,<2", "gymnasium==1.1"),
        ("ray[rllib]>=2.50", "ray[rllib]==2.50"),
        ("torch>=2.8", "torch>=2.8"),
        ("types-PyYAML", "types-PyYAML"),
    ],
)
def test_a_requirement_is_tested_at_its_lowest_version(requirement: str, lowest: str) -> None:
    script = runpy.run_path(str(ROOT / ".ci" / "requirements.py"))
    assert script["lowest"](requirement) == lowest


# -- installed -------------------------------------------------------------------------------------


def test_it_runs_from_where_it_is_installed(installed: Path, folder: Path) -> None:
    code = (
        "import prico_env, prico_agents, prico_training as t; print(prico_env.__file__, t.__file__)"
    )
    for place in run([installed / "python", "-c", code], folder).split():
        assert Path(place).is_relative_to(installed.parent)


def test_it_plays(installed: Path, folder: Path) -> None:
    said = run([installed / "prico", "play", "corn", "builder", "corn", "trader"], folder)
    assert "builder" in said
    again = run([installed / "python", "-m", "prico_training", "play", "corn", "corn"], folder)
    assert "corn" in again


ADDED = {
    "train": "configs/experiments/smoke.yaml budget.decisions=1000 budget.minutes=0.0 threads=1",
    "arena": "--deals 1 --processes 1",
    "benchmark": "--deals 1 --processes 1",
    "play": "--seed 1 < /dev/null",  # nobody is at the keyboard
    "puzzle": "< /dev/null",
}
"""What makes a command of the README quick, by its verb."""
ELSEWHERE = ("make test", "make serve", "prico serve", "pip install")
"""What is for a clone, would install something, or runs in a test of its own."""


def section(title: str) -> str:
    """A section of the README."""
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def quick(line: str) -> str:
    """A line of the README, as it is run here."""
    command = line.partition("  #")[0].rstrip()
    if command.startswith(ELSEWHERE):
        return ""
    recipe = re.fullmatch(r"make ([a-z-]+)", command)
    if recipe:
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        found = re.search(rf"^{recipe[1]}:.*\n\t@\$\(BIN\)/(.*)$", makefile, re.MULTILINE)
        assert found is not None
        command = found[1]
    verb = re.match(r"prico ([a-z]+)", command)
    return f"{command} {ADDED.get(verb[1], '')}".rstrip() if verb else command


def paths() -> dict[str, str]:
    """The scripts of the five minutes: a block of commands each, and the commands of the prose."""
    text = section("Five minutes")
    blocks_of = [block.text for block in blocks(text) if block.language == "sh"]
    prose = [code for code in inline_code(text) if re.match(r"(make|prico) [a-z]", code)]
    save = "prico play corn corn --seed 1 --save GAME.jsonl"  # of which the prose speaks
    scripts = [*blocks_of, "\n".join([save, *prose])]
    name = "$(ls runs | grep -v arena)"
    quickly = ("\n".join(map(quick, script.splitlines())) for script in scripts)
    return {f"path-{n}": each.replace("NAME", name) for n, each in enumerate(quickly)}


@pytest.mark.parametrize("script", [pytest.param(text, id=name) for name, text in paths().items()])
def test_a_path_of_the_readme_runs_from_an_empty_folder(
    script: str, installed: Path, tmp_path: Path
) -> None:
    """With the installed wheel, and with settings added that make it quick."""
    search = f"{installed}{os.pathsep}{os.environ['PATH']}"
    with start(["bash", "-ex", "-c", script], tmp_path, PATH=search, BROWSER="true") as process:
        said, _ = process.communicate(timeout=600)
    assert process.returncode == 0, said
    assert "Traceback" not in said
    if "prico train" in script:
        results = [
            path for path in tmp_path.glob("runs/*/results.json") if "arena" not in str(path)
        ]
        assert json.loads(results[0].read_text())["counts"]["decisions"] >= 1000


def test_the_paths_of_the_readme_are_the_five_it_tells_of() -> None:
    scripts = "\n".join(paths().values())
    for verb in ("train", "arena", "benchmark", "play", "replay"):
        assert f"prico {verb} " in scripts
    assert "prico arena lucky:Lucky " in scripts


def wait_for_page(process: "subprocess.Popen[str]") -> tuple[str, bytes]:
    """What a server says before it serves, and the page that it then serves."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        address = re.search(r"http://([\d.]+)(:\d+)", line)
        if address:
            local = address[0].replace("0.0.0.0", "127.0.0.1")
            with urllib.request.urlopen(local, timeout=60) as answer:
                return said, answer.read()
    raise AssertionError(said)


def test_it_serves(installed: Path, folder: Path) -> None:
    words = [installed / "prico", "serve", "--open", "--port", "0"]  # as `make serve` does
    with start(words, folder, BROWSER="true", XDG_DATA_HOME=str(folder / "data")) as process:
        try:
            _, page = wait_for_page(process)
        finally:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=60)
    assert b"<!doctype html" in page.lower()
    assert "Traceback" not in rest


# -- without extras --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "play corn builder --seed 1",
        "action 117",
        "building hospice",
        "feature 42",
        "rule R-CAP-3",
        "agents",
        "--version",
        "--help",
    ],
)
def test_without_extras_it_plays_in_the_terminal_and_looks_things_up(
    words: str, bare: Path, tmp_path: Path
) -> None:
    assert "Traceback" not in run([bare / "prico", *words.split()], tmp_path)


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("train", "train"),
        ("train --resume run", "train"),
        ("arena corn builder", "train"),
        ("arena compare corn builder --against corn", "train"),
        ("benchmark corn", "train"),
        ("serve", "serve"),
    ],
)
def test_a_missing_extra_is_named_in_one_line(
    words: str, extra: str, bare: Path, tmp_path: Path
) -> None:
    with start([bare / "prico", *words.split()], tmp_path) as process:
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 2
    assert re.fullmatch(rf"prico: .* is not installed: pip install 'prico\[{extra}\]'\n", said)


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("prico_env.envs.sb3", "train"),
        ("prico_env.envs.openspiel", "openspiel"),
        ("prico_training.learning.rllib as rllib; rllib.require_rllib()", "rllib"),
        ("prico_training.examples.torchrl_reinforce", "torchrl"),
        ("prico_env; prico_env.RuleSet().actions.to_frame()", "frames"),
    ],
)
def test_an_interface_whose_library_is_missing_names_the_extra(
    module: str, extra: str, bare: Path, tmp_path: Path
) -> None:
    with start([bare / "python", "-c", f"import {module}"], tmp_path) as process:
        said, _ = process.communicate(timeout=60)
    assert process.returncode != 0
    assert f"pip install 'prico[{extra}]'" in said.splitlines()[-1]


def test_the_install_table_says_what_each_extra_adds() -> None:
    rows = re.findall(r"^\| (`\[.+?) \| .+ \| .+ \|$", section("Install"), re.MULTILINE)
    named = re.findall(r"`\[(\w+)\]`", " ".join(rows))
    assert sorted(named) == sorted(PROJECT["optional-dependencies"])


# -- in a container --------------------------------------------------------------------------------

READ_ONLY = (
    "mount --make-rprivate / && mount -o remount,bind,ro / && "
    'exec unshare --user --map-user=65534 --map-group=65534 "$@"'
)
"""Runs a command as nobody, who may write nowhere."""


def instructions(word: str) -> list[str]:
    """What follows an instruction of the container recipe, wherever it stands."""
    return re.findall(rf"^{word} (.*)$", DOCKERFILE, re.MULTILINE)


def test_the_recipe_of_the_container_is_short_and_ends_as_nobody() -> None:
    lines = [line for line in DOCKERFILE.splitlines() if line and line[0] != "#"]
    assert len(lines) <= 10
    assert instructions("USER") == ["65534:65534"]


def test_the_container_serves_from_what_was_compiled_while_it_was_built(
    installed: Path, tmp_path: Path
) -> None:
    """Its steps, without a container: by nobody, on a file system that cannot be written to.

    What was compiled before for this processor stands in for what the image compiles.
    """
    may = ["unshare", "--mount", "sh", "-c", READ_ONLY, "sh", "true"]
    if not shutil.which("unshare") or subprocess.run(may, check=False).returncode:
        pytest.skip("this machine lets nobody make a file system read-only")
    cache = tmp_path / "opt" / "prico"
    compiled = kernel_folder()
    assert compiled is not None
    shutil.copytree(compiled, cache / "kernels", dirs_exist_ok=True)
    search = f"{installed}{os.pathsep}{os.environ['PATH']}"
    variables = {"PRICO_CACHE_DIR": str(cache), "PATH": search, "HOME": "/nonexistent"}
    (build,) = (line for line in instructions("RUN") if "prico warm" in line)
    run(["sh", "-ec", build.replace("/opt/prico", str(cache))], tmp_path, **variables)
    kernels = {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}
    assert kernels

    (command,) = instructions("CMD")
    words = [*json.loads(command), "--port", "0"]
    inside = ["unshare", "--mount", "sh", "-c", READ_ONLY, "sh", *words]
    with start(inside, tmp_path, **variables) as process:
        try:
            said, page = wait_for_page(process)
        finally:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=60)
    assert b"<!doctype html" in page.lower()
    assert "Traceback" not in said + rest
    assert "compil" not in said + rest
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()} == kernels
