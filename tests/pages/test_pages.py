"""What the pages say still holds: links lead somewhere, and code and commands work."""

import ast
import importlib.util
import re
from pathlib import Path

import click
import pytest

from prico_env.look_up import look_up
from prico_training.cli import prico
from prico_training.config import find_settings, load_config
from tests.pages.pages import (
    PAGES,
    ROOT,
    Block,
    anchors,
    blocks,
    commands,
    inline_code,
    links,
    name_of,
    shell_commands,
)

LONGEST_README = 300
DOCTESTED = {"README.md", *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))}
LANGUAGES = {"pycon", "python", "sh", "text", "json", "yaml", "toml", ""}
TOP = "prico_env|agents|training|configs|docs|notebooks|tests|prico_agents|prico_training"
A_PATH = re.compile(rf"(?:{TOP})/[\w./*-]*")
MADE_BY_COMMANDS = ("docs/build", "notebooks/NN_")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))

of_every_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def leads_nowhere(page: Path, link: str) -> bool:
    """Is this a link to a file or heading that does not exist?"""
    if re.match(r"https?:|mailto:", link):
        return False
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.is_file():
        return True
    return bool(anchor) and anchor not in anchors(read(target))


def refusal(words: list[str], folder: Path = ROOT) -> str | None:
    """Why a command line is not understood, if it is not; commands of others are not looked at.

    N stands for any number, and files of settings lie beside the page or where `prico` looks.
    """
    words = ["2" if word == "N" else word for word in words]
    words = [str(folder / word) if (folder / word).is_file() else word for word in words]
    if "-m" in words and words[0] != "make":
        module, *rest = words[words.index("-m") + 1 :]
        if module == "prico_env" and rest:
            return refusal_by(look_up, rest)
        if module == "prico_training":
            return refusal(["prico", *rest], folder)
        ours = module.startswith(("prico_", "tests."))
        found = not ours or (ROOT / home_of(module)).exists()
        return None if found else f"there is no module {module}"
    if words[0] == "make":
        wrong = [word for word in words[1:] if "=" not in word and word not in TARGETS]
        return f"the Makefile has no target {wrong[0]}" if wrong else None
    if words[0] == "prico":
        return refusal_by(prico, words[1:])
    return None


def refusal_by(group: click.Group, words: list[str]) -> str | None:
    """Why a command of ours does not understand these words, if it does not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(click.Command, "invoke", lambda command, context: None)
        try:
            group.main(words, prog_name="prico", standalone_mode=False)
        except click.MissingParameter as error:
            return error.format_message() if len(words) > 1 else None  # the verb is only mentioned
        except click.ClickException as error:
            return error.format_message()
    if words[0] == "train" and "--resume" not in words:
        settings = [word for word in words[1:] if "=" in word]
        files = [word for word in words[1:] if word.endswith(".yaml")]
        try:
            load_config(find_settings(files[0]) if files else None, settings)
        except ValueError as error:
            return str(error)
    return None


def home_of(module: str) -> str:
    """The file or folder of one of our modules."""
    top = {"prico_agents": "agents/", "prico_training": "training/"}
    path = top.get(module.partition(".")[0], "") + module.replace(".", "/")
    return f"{path}.py" if (ROOT / f"{path}.py").exists() else f"{path}/__main__.py"


def test_the_readme_is_short() -> None:
    assert len(read(ROOT / "README.md").splitlines()) < LONGEST_README


def test_every_page_can_be_reached_from_the_readme() -> None:
    known, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in known and page in PAGES:
            known.add(page)
            targets = (link.partition("#")[0] for link in links(read(page)))
            waiting += [(page.parent / path).resolve() for path in targets if path]
    docs = {page for page in PAGES if page.parent.name in ("docs", "reference")}
    assert docs - known == set()


def test_every_page_of_docs_is_in_the_navigation_of_the_site() -> None:
    navigation = read(ROOT / "docs" / "mkdocs.yml")
    assert [
        name
        for page in PAGES
        if (name := name_of(page)) not in navigation and page.parent.name in ("docs", "reference")
    ] == []


@of_every_page
def test_its_links_lead_somewhere(page: Path) -> None:
    assert [link for link in links(read(page)) if leads_nowhere(page, link)] == []


@of_every_page
def test_the_paths_it_names_exist(page: Path) -> None:
    """But for CHANGELOG, which tells of what once was."""
    if page.name == "CHANGELOG.md":
        return
    homes = (ROOT, ROOT / "agents", ROOT / "training")
    for code in inline_code(read(page)):
        for path in A_PATH.findall(code):
            if not path.startswith(MADE_BY_COMMANDS):
                assert any(list(home.glob(path.rstrip("./"))) for home in homes), path


@of_every_page
def test_its_code_runs_as_a_test(page: Path) -> None:
    """Sessions are doctests; other Python is understood, and what it imports is there."""
    found = blocks(read(page))
    assert {block.language for block in found} <= LANGUAGES
    if any(block.language == "pycon" for block in found):
        assert name_of(page) in DOCTESTED | {"prico_env/reference/positions.md"}
    for block in found:
        if block.language == "python":
            assert missing_imports(block) == []


def missing_imports(block: Block) -> list[str]:
    """The names of ours that a block of Python imports and that do not exist."""
    missing = []
    for node in ast.walk(ast.parse(block.text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("prico_"):
            spec = importlib.util.find_spec(node.module or "")
            source = Path(spec.origin).read_text("utf-8") if spec and spec.origin else ""
            defined = set(re.findall(r"\w+", source))
            missing += [alias.name for alias in node.names if alias.name not in defined]
    return missing


@of_every_page
def test_its_commands_are_understood(page: Path) -> None:
    """Settings of training runs included."""
    wrong = {" ".join(words): refusal(words, page.parent) for words in commands(page)}
    assert {line: why for line, why in wrong.items() if why} == {}


# -- and would we notice? --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link", ["docs/nowhere.md", "README.md#no-such-heading", "#nor-this-one", "docs"]
)
def test_a_dead_link_is_noticed(link: str) -> None:
    assert leads_nowhere(ROOT / "README.md", link)


@pytest.mark.parametrize(
    "line",
    [
        "prico trian",
        "prico play corn corn --sed 3",
        "prico train ppo.no_such_setting=3",
        "prico train seed=many",
        "prico train configs/experiments/no_such_file.yaml",
        "python -m prico_training.no_such_module",
        "python -m prico_env acton 117",
        "torchrun --nnodes 2 -m prico_training trian",
        "make teas",
    ],
)
def test_a_command_that_is_not_understood_is_noticed(line: str) -> None:
    (words,) = shell_commands(line)
    assert refusal(words)


def test_code_that_imports_what_is_gone_is_noticed() -> None:
    block = Block("python", "from prico_env import Game, Gmae\n", 1)
    assert missing_imports(block) == ["Gmae"]


def test_commands_are_read_around_comments_and_here_documents() -> None:
    text = (
        "cat > a.py << 'END'\nprico = 'nothing'\nEND\nls && make test  # both\nprico \\\n  play\n"
    )
    assert [*shell_commands(text)] == [
        ["cat", ">", "a.py", "<<", "END"],
        ["ls"],
        ["make", "test"],
        ["prico", "play"],
    ]
