"""Writes the pages that are made from the fields of settings; with ``--check`` it names stale ones.

These are `configs/experiments/default.yaml` and `docs/settings.md`, in a checkout.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from prico_env import catalog
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.vocabulary import EXPANSIONS
from prico_training.arena.settings import Tournament
from prico_training.config import DEFAULT, Config
from prico_training.sections import to_commented_yaml, to_tables

HOME: Final = Path(__file__).parents[2]
SETTINGS_PAGE: Final = "docs/settings.md"
_GAME: Final = {
    "players": f"{PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}; see `self_play.players` for several.",
    "edition": f"One of {', '.join(catalog.names())}.",
    "expansions": f"Any of {', '.join(EXPANSIONS)}. Options of the rules may stand here, too.",
}
_DEFAULT_HEAD: Final = """\
# The run of `prico train` and `make train`: an agent for the base game with four players, about
# three minutes of learning on two CPU cores, then ranked against the built-in agents. It clones the
# planner first, and then learns by PPO from games among the built-in agents.
# Every value here is the default; another file names only what differs. A single setting can also
# be changed on the command line: prico train ppo.update_epochs=4 game.players=3
# Written from the fields of `prico_training.config` by: python -m prico_training.reference

"""
_SETTINGS_HEAD: Final = """\
# Settings

Written from the fields by `python -m prico_training.reference`. A settings file is YAML and names
only what differs; `prico train ppo.update_epochs=4 game.players=3` changes single settings. How
runs are started is told in [Training](training.md), and tournaments in [Arena](arena.md).

"""


def pages() -> dict[str, str]:
    """Every page by its path in a checkout."""
    train = to_tables(Config, "`prico train`", "##")
    arena = to_tables(Tournament, "`prico arena`", "##")
    return {
        DEFAULT: _DEFAULT_HEAD + to_commented_yaml(Config(), _GAME),
        SETTINGS_PAGE: _SETTINGS_HEAD + "\n".join([*train, *arena]).rstrip() + "\n",
    }


def stale_pages() -> list[str]:
    """Pages that are not what the fields say."""
    return [
        name
        for name, text in pages().items()
        if not (HOME / name).is_file() or (HOME / name).read_text(encoding="utf-8") != text
    ]


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
