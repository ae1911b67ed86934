"""What pyproject.toml cannot say: the long description is README.md, rewritten for other places."""

import re
from pathlib import Path

from setuptools import setup

HOME = ""
"""Where the repository's files are read, ending in a slash; empty while that is nowhere public."""
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\n)*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")


def long_description(readme: str, home: str = HOME) -> str:
    """README.md for a place without the repository's files.

    Links to files lead to the repository's home; without one their words remain, and pictures go.
    """

    def rewrite(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if home:
            return f"{picture}[{words}]({home}{path})"
        return "" if picture else words

    return _LINK.sub(rewrite, readme)


if __name__ == "__main__":
    README = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    setup(
        long_description=long_description(README),
        long_description_content_type="text/markdown",
    )
