"""Writes the generated reference pages; with ``--check`` it only says which are stale."""

import argparse
import sys
from collections.abc import Sequence

from prico_env.reference.pages import FOLDER, PAGES, stale_pages, write_pages


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the pages; returns 1 when ``--check`` finds a stale one."""
    parser = argparse.ArgumentParser(prog="python -m prico_env.reference", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when stale")
    if parser.parse_args(arguments).check:
        stale = stale_pages()
        for name in stale:
            print(f"stale: {FOLDER / name}; `make reference` writes it")
        if not stale:
            print(f"{len(PAGES)} reference pages are up to date")
        return 1 if stale else 0
    for name in write_pages():
        print(f"written: {FOLDER / name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
