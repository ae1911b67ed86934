"""Writes the pages that are made from the fields of settings; with ``--check`` it names stale ones.

These are `configs/experiments/default.yaml`, `docs/settings.md`, `BENCHMARK.md`,
`docs/game_numbers.md` and `docs/puzzles.md`, in a checkout; the last three from results that lie
beside them.
"""

import argparse
import sys
import textwrap
import typing
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from prico_env import RuleSet, catalog
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.vocabulary import EXPANSIONS
from prico_training.arena.game_numbers_page import HEAD, page, read_lines
from prico_training.arena.settings import Tournament
from prico_training.benchmark.leaderboard import PAGE, benchmark_page
from prico_training.config import DEFAULT, Config
from prico_training.puzzles import agreement_page, read_puzzles
from prico_training.puzzles.agreement import read_agreements
from prico_training.sections import fields_of, inner_type, is_section, range_of, to_plain
from prico_training.tuning.settings import Tuning
from prico_training.ui.limits import Limits

HOME: Final = Path(__file__).parents[2]
SETTINGS_PAGE: Final = "docs/settings.md"
NUMBERS_PAGE: Final = "docs/game_numbers.md"
NUMBERS: Final = "docs/game_numbers.jsonl"
PUZZLES_PAGE: Final = "docs/puzzles.md"
AGREEMENTS: Final = "docs/puzzles.json"
_WIDTH: Final = 100
_COMMENT_COLUMN: Final = 34
_GAME: Final = {
    "players": f"{PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}; see `self_play.players` for several.",
    "edition": f"One of {', '.join(catalog.names())}.",
    "expansions": f"Any of {', '.join(EXPANSIONS)}. Options of the rules may stand here, too.",
}
_DEFAULT_HEAD: Final = """\
# The run of `prico train` and `make train`: an agent for the base game with four players, about
# four minutes of learning on two CPU cores, then ranked against the built-in agents. It clones the
# planner first, and then learns by PPO from games among the built-in agents.
# Every value here is the default; another file names only what differs. A single setting can also
# be changed on the command line: prico train ppo.update_epochs=4 game.players=3
# Written from the fields of `prico_training.config` by: python -m prico_training.reference

"""
_SETTINGS_HEAD: Final = """\
# Settings

Written from the fields by `python -m prico_training.reference`. A settings file is YAML and names
only what differs; `prico train ppo.update_epochs=4 game.players=3` changes single settings, and
`prico serve seconds=10` those of the page. How runs are started is told in [Training](training.md),
tournaments in [Arena](arena.md), [tuning](agents.md#tuning) and [the page](play.md) in its own
place.

"""


def pages() -> dict[str, str]:
    """Every page by its path in a checkout."""
    train = to_tables(Config, "`prico train`", "##")
    arena = to_tables(Tournament, "`prico arena`", "##")
    tune = to_tables(Tuning, "`prico tune`", "##")
    serve = to_tables(Limits, "`prico serve`", "##")
    numbers = read_lines((HOME / NUMBERS).read_text(encoding="utf-8"))
    agreements = read_agreements((HOME / AGREEMENTS).read_text(encoding="utf-8"))
    return {
        NUMBERS_PAGE: HEAD + page(numbers),
        PUZZLES_PAGE: agreement_page.HEAD + agreement_page.page(agreements, read_puzzles()),
        DEFAULT: _DEFAULT_HEAD + to_commented_yaml(Config(), _GAME),
        PAGE: benchmark_page(HOME),
        SETTINGS_PAGE: _SETTINGS_HEAD + "\n".join([*train, *arena, *tune, *serve]).rstrip() + "\n",
    }


def stale_pages() -> list[str]:
    """Pages that are not what the fields say."""
    return [
        name
        for name, text in pages().items()
        if not (HOME / name).is_file() or (HOME / name).read_text(encoding="utf-8") != text
    ]


def to_commented_yaml(made: Any, notes: Mapping[str, str]) -> str:
    """A section as a YAML file in which each setting says what it means.

    Args:
        made: The section.
        notes: What the fields of a rule set mean, by name.
    """
    return "\n".join(_yaml_lines(made, to_plain(made), notes)) + "\n"


def _yaml_lines(
    made: Any, plain: Mapping[str, Any], notes: Mapping[str, str], indent: str = ""
) -> Iterator[str]:
    for name, field in fields_of(type(made)).items():
        value = plain[name]
        if not isinstance(value, dict):
            yield from _commented(f"{indent}{name}: {_flow(value)}", field.description)
            continue
        yield from ("", *_commented(f"{indent}{name}:", field.description))
        if is_section(field):
            yield from _yaml_lines(getattr(made, name), value, notes, f"{indent}  ")
            continue
        for key, each in value.items():
            yield from _commented(f"{indent}  {key}: {_flow(each)}", notes[key])


def _commented(line: str, comment: str) -> Iterator[str]:
    column = max(_COMMENT_COLUMN, len(line) + 2)
    for words in textwrap.wrap(
        " ".join(comment.split()), _WIDTH - column - 2, break_on_hyphens=False
    ):
        yield f"{line:<{column}}# {words}"
        line = ""


def _flow(value: object) -> str:
    """A plain value as YAML writes it on one line."""
    return yaml.safe_dump(value, default_flow_style=True, width=999).removesuffix("...\n").strip()


def to_tables(section: Any, name: str, heading: str) -> Iterator[str]:
    """The settings of a section as a table of Markdown, then those of the sections in it."""
    fields = fields_of(section)
    yield from (f"{heading} {name}", "", " ".join(section.__doc__.split()), "")
    yield from ("| setting | default | range | meaning |", "| --- | --- | --- | --- |")
    for key, field in fields.items():
        if not is_section(field):
            default = field.get_default(call_default_factory=True)
            if isinstance(default, RuleSet):
                default = default.to_dict()
            shown = _flow(list(default) if isinstance(default, tuple) else default)
            meaning = " ".join(field.description.split())
            yield f"| `{key}` | `{shown}` | {_allowed(field)} | {meaning} |"
    yield ""
    for key, field in fields.items():
        if is_section(field):
            yield from to_tables(field.annotation, f"`{key}`", f"{heading}#")


def _allowed(field: Any) -> str:
    """The values of a setting as a table says it: ``0 to 1``, ``all, own``; empty: any."""
    if typing.get_origin(inner_type(field)) is typing.Literal:
        return ", ".join(typing.get_args(inner_type(field)))
    words = range_of(field).removeprefix("be ").removeprefix("lie ").replace("not be", "not")
    return (
        words.replace("at least", "from").replace("and at most", "to") if "and" in words else words
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the pages; returns 1 when ``--check`` finds a stale one."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.reference", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when stale")
    if parser.parse_args(arguments).check:
        stale = stale_pages()
        for name in stale:
            print(f"stale: {name}; `make reference` writes it")
        return 1 if stale else 0
    for name, text in pages().items():
        (HOME / name).write_text(text, encoding="utf-8")
        print(f"written: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
