"""What is in the box: an edition is a file, found by looking in `editions`, or one of your own.

``PRICO_EDITIONS`` names files or folders of editions of your own, as ``PATH`` does; `register` adds
one while a program runs.

>>> names()[:3]
('classic', '1897-en', '1897-de')
>>> load("classic").building("hospice").cost
4
"""

import functools
import importlib
import importlib.util
import os
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from prico_env.catalog import editions
from prico_env.catalog.model import Building, Edition, Setup
from prico_env.catalog.options import SWITCHES, Switch, default_switches
from prico_env.errors import EditionError, UnknownNameError, quoted

__all__ = [
    "SWITCHES",
    "Building",
    "Edition",
    "Setup",
    "Switch",
    "buildings",
    "default_switches",
    "load",
    "names",
    "register",
]

EDITIONS_VARIABLE: Final = "PRICO_EDITIONS"
"""The environment variable that names editions of your own."""
MOST_BUILDINGS: Final = 55
"""So many types of buildings have room in a record and in one copy of an observation."""


def names() -> tuple[str, ...]:
    """Return the keys of all editions, by their numbers."""
    return tuple(_editions())


def load(name: str) -> Edition:
    """Return an edition by its key.

    Raises:
        UnknownNameError: No edition has this key.
    """
    try:
        return _editions()[name]
    except (KeyError, TypeError):
        known = ", ".join(names())
        raise UnknownNameError(
            f"no edition is called {quoted(name)}; the editions are {known}"
        ) from None


def register(edition: Edition) -> None:
    """Add an edition of your own to those that a rule set may be played by.

    Raises:
        EditionError: Another edition has its key, or it brings a building of its own. The sizes of
            compiled rules are fixed when ``prico_env`` is imported, so such an edition must be
            found then: put its file where ``PRICO_EDITIONS`` points.
    """
    if edition.key in names():
        raise EditionError(f"there is an edition {edition.key!r} already; give yours another key")
    known = [row.id for row in buildings()]
    if strange := [row.id for row in edition.buildings if row.id not in known]:
        raise EditionError(
            f"{edition.key} brings the building {strange[0]}, for which compiled rules have no "
            f"room; name its file in the environment variable {EDITIONS_VARIABLE} before "
            "prico_env is imported"
        )
    _editions()[edition.key] = _numbered(edition, buildings(), len(names()))


def buildings() -> tuple[Building, ...]:
    """Return every building of every edition by number: its row in the first that has it."""
    return _rows(tuple(_editions().values()))


@functools.cache
def _editions() -> dict[str, Edition]:
    found = _found()
    rows = _rows(found)
    return {one.key: _numbered(one, rows, number) for number, one in enumerate(found)}


def _found() -> tuple[Edition, ...]:
    """Return the editions of the package by their numbers, then one's own as they are named."""
    own = [
        importlib.import_module(f"{editions.__name__}.{module.name}").EDITION
        for module in pkgutil.iter_modules(editions.__path__)
    ]
    found = (*sorted(own, key=lambda one: one.number), *_from_files())
    keys = [edition.key for edition in found]
    if twice := [key for key in keys if keys.count(key) > 1]:
        raise EditionError(f"two editions have the key {twice[0]!r}; give one of them another")
    return found


def _from_files() -> Iterator[Edition]:
    """Load the editions that the environment names."""
    for word in filter(None, os.environ.get(EDITIONS_VARIABLE, "").split(os.pathsep)):
        place = Path(word)
        if not os.path.exists(place):
            raise EditionError(f"{EDITIONS_VARIABLE} names {word}, and nothing is there")
        for file in sorted(place.glob("*.py")) if place.is_dir() else [place]:
            spec = importlib.util.spec_from_file_location(f"prico_edition_{file.stem}", file)
            if spec is None or spec.loader is None:
                raise EditionError(f"{EDITIONS_VARIABLE} names {word}, which is no Python file")
            module = importlib.util.module_from_spec(spec)
            try:
                spec.loader.exec_module(module)
            except Exception as error:
                raise EditionError(f"the edition {file} cannot be loaded: {error!r}") from error
            if not isinstance(getattr(module, "EDITION", None), Edition):
                raise EditionError(
                    f"{file} is no edition: it has no EDITION, made by catalog.Edition"
                )
            yield module.EDITION


def _rows(found: tuple[Edition, ...]) -> tuple[Building, ...]:
    """Number the buildings of all editions, in the order in which they are first met."""
    rows: dict[str, Building] = {}
    for edition in found:
        for row in edition.buildings:
            first = rows.setdefault(row.id, replace(row, number=len(rows)))
            same = (first.code, first.module, first.circles) == (row.code, row.module, row.circles)
            if not same:
                raise EditionError(
                    f"{edition.key}: {row.id} has another code, module or number of circles than "
                    "in an edition before; those are the same everywhere"
                )
    codes = [row.code for row in rows.values()]
    if twice := [row.id for row in rows.values() if codes.count(row.code) > 1]:
        raise EditionError(f"the buildings {' and '.join(twice)} have one code; choose another")
    if len(rows) > MOST_BUILDINGS:
        raise EditionError(
            f"the editions have {len(rows)} buildings in all, and there is room for "
            f"{MOST_BUILDINGS}; take an edition out of {EDITIONS_VARIABLE}"
        )
    return tuple(rows.values())


def _numbered(edition: Edition, rows: tuple[Building, ...], number: int) -> Edition:
    """Return an edition whose buildings have their numbers, and all buildings a word."""
    numbers = {row.id: row.number for row in rows}
    own = [replace(row, number=numbers[row.id]) for row in edition.buildings]
    words = {row.id: row.id.replace("_", " ") for row in rows}
    return replace(
        edition,
        number=number,
        buildings=tuple(sorted(own, key=lambda row: row.number)),
        building_names=words | dict(edition.building_names),
    )
