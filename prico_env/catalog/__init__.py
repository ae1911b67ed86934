"""What is in the box: an edition is a file in `editions`, found by looking there.

>>> names()
('classic', '1897-en', '1897-de')
>>> load("classic").building("hospice").cost
4
"""

import functools
import importlib
import pkgutil

from prico_env.catalog import editions
from prico_env.catalog.model import Building, Edition, Setup
from prico_env.catalog.options import SWITCHES, Switch, default_switches

__all__ = [
    "SWITCHES",
    "Building",
    "Edition",
    "Setup",
    "Switch",
    "default_switches",
    "load",
    "names",
]


def names() -> tuple[str, ...]:
    """Return the keys of all editions, by their numbers."""
    return tuple(_editions())


def load(name: str) -> Edition:
    """Return an edition by its key.

    Raises:
        KeyError: No edition has this key.
    """
    try:
        return _editions()[name]
    except KeyError:
        known = ", ".join(names())
        raise KeyError(f"no edition is called {name!r}; the editions are {known}") from None


@functools.cache
def _editions() -> dict[str, Edition]:
    found: list[Edition] = [
        importlib.import_module(f"{editions.__name__}.{module.name}").EDITION
        for module in pkgutil.iter_modules(editions.__path__)
    ]
    return {edition.key: edition for edition in sorted(found, key=lambda one: one.number)}
