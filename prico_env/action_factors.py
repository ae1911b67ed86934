"""What each action is made of: its kind, what it is about, and where, derived from its block.

A policy that scores actions by their parts needs no parsing of names with this: ``load:sugar:2`` is
the kind ``load`` of the object ``good:sugar`` at the place ``ship:2``. Kinds and objects are
numbered in the order in which the actions first name them, so that, as with actions, the base game
comes first, expansions append, and no number ever moves. Number 0 stands for no object.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env.actions import BLOCKS, ActionBlock
from prico_env.vocabulary import BUILDINGS, GOODS, NUM_SHIPS, ROLES, TILES, Unit

NO_OBJECT: Final = "none"
"""The object of an action that is about nothing in particular, and the place of most."""
KINDS_OF_OBJECTS: Final = {
    "role": ROLES,
    "good": GOODS,
    "tile": (*TILES, "forest"),
    "building": BUILDINGS,
    "ship": tuple(str(ship + 1) for ship in range(NUM_SHIPS)),
    "unit": tuple(unit.name.lower() for unit in Unit),
}
"""The objects of each kind: one is called ``"good:corn"``. What is of no kind, such as the
portrait, has its bare name."""
_SEATED: Final = ("building", "tile")
"""Where units stand."""
_VERBS_OF_TILES: Final = ("take", "forest", "land", "lodge", "use")
"""Verbs whose plantations are tiles; with all others a word such as ``corn`` means barrels."""
_TWO_WORDS: Final = ("land",)
"""Verbs that are a kind only together with the word behind them."""


class Factors(NamedTuple):
    """One action in parts, by name.

    Attributes:
        kind: What is done: the verb of its name, such as ``"load"`` or ``"land:sell"``.
        object: What it is about, such as ``"good:sugar"``; of staffing, the kind of unit.
        place: Where: a ship, or the spot of a unit; `NO_OBJECT` for most actions.
    """

    kind: str
    object: str = NO_OBJECT
    place: str = NO_OBJECT


def _factors_of(block: ActionBlock, word: str) -> Factors:
    """Take an action apart: a block, and what follows the verb in its name."""
    words = word.split(":") if word else []
    kind = block.verb
    if kind in _TWO_WORDS:
        kind = f"{kind}:{words.pop(0)}"
    if block.unit is not None:  # the last word is the spot, a unit may be named before it
        unit = block.unit.name.lower()
        return Factors(kind, f"unit:{unit}", _object(words[-1], _SEATED))
    among = ("tile",) if block.verb in _VERBS_OF_TILES else ("good", "role", "building", "unit")
    named = [_object(each, ("ship",) if each.isdigit() else among) for each in words]
    return Factors(kind, *named)


def _object(word: str, among: tuple[str, ...]) -> str:
    """The full name of an object, one of the kinds of objects where any of them has it."""
    return next((f"{kind}:{word}" for kind in among if word in KINDS_OF_OBJECTS[kind]), word)


FACTORS: Final = tuple(
    _factors_of(block, word) for block in BLOCKS for word in block.words or ("",)
)
"""Every action in parts, by its number."""
ACTION_KINDS: Final = tuple(dict.fromkeys(each.kind for each in FACTORS))
"""The kinds of actions, by number."""
OBJECTS: Final = tuple(
    dict.fromkeys((NO_OBJECT, *(name for each in FACTORS for name in (each.object, each.place))))
)
"""The objects that actions are about, by number; places have the same numbers."""


def _numbers() -> NDArray[np.int16]:
    rows = [
        (ACTION_KINDS.index(kind), OBJECTS.index(what), OBJECTS.index(where))
        for kind, what, where in FACTORS
    ]
    numbers = np.array(rows, np.int16)
    numbers.setflags(write=False)
    return numbers


FACTOR_NUMBERS: Final = _numbers()
"""Kind, object and place of each action by number, int16, shape ``(num_actions, 3)``, read-only."""
