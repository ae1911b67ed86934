"""The pages of the project, and what stands in them: links, headings, blocks and commands."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted(
    page
    for pattern in (
        "*.md",
        "docs/*.md",
        "prico_env/reference/*.md",
        "training/*.md",
        "agents/prico_agents/neural/policies/*/README.md",
    )
    for page in ROOT.glob(pattern)
)

_FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+?)\s*$", re.MULTILINE)


class Block(NamedTuple):
    """Fenced code: its language, its text, and the line that it begins on."""

    language: str
    text: str
    line: int


def name_of(page: Path) -> str:
    """The page's path in the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(text: str) -> list[Block]:
    """Every block of fenced code."""
    return [
        Block(found[2], found[3], text.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(text)
    ]


def prose(text: str) -> str:
    """A page without its blocks of code."""
    return _FENCE.sub("", text)


def inline_code(text: str) -> list[str]:
    """What stands between backticks in the prose."""
    return [" ".join(code.split()) for code in _CODE.findall(prose(text))]


def links(text: str) -> list[str]:
    """Where the links and images of the prose lead to."""
    return _LINK.findall(_CODE.sub("", prose(text)))


def anchors(text: str) -> set[str]:
    """The anchors of the headings, as GitHub makes them and the site does."""
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(prose(text)))
    return {heading.replace(" ", "-") for heading in words}


def shell_commands(text: str) -> Iterator[list[str]]:
    """The commands of a shell block, split into words; what a here-document holds is no command."""
    lines = iter(text.replace("\\\n", " ").splitlines())
    for line in lines:
        for part in re.split(r"&&|;|\|", line):
            words = shlex.split(part, comments=True)
            if words:
                yield words
        document = re.search(r"<<-? *'?(\w+)'?", line)
        if document:
            while next(lines) != document[1]:
                pass


def commands(page: Path) -> Iterator[list[str]]:
    """Every command line of a page, in blocks and between backticks."""
    text = page.read_text(encoding="utf-8")
    for block in blocks(text):
        if block.language == "sh":
            yield from shell_commands(block.text)
    for code in inline_code(text):
        if re.match(r"(prico|make|python -m) \w", code):
            yield shlex.split(code)
