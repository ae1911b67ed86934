"""What each action number means: one table, in blocks that never move.

The base game comes first and every expansion appends, so a number means the same in every state of
every rule set, and a policy of the base game keeps its meaning. Starts are written out so that a
reader can find a number by eye; a test checks that blocks meet without gap or overlap.
"""

from typing import Final, NamedTuple

import numpy as np

from prico_env.vocabulary import (
    BASE_BUILDINGS,
    BUILDINGS,
    CITIZEN_BUILDINGS,
    GOODS,
    NEW_BUILDINGS,
    NUM_BASE_ROLES,
    NUM_SHIPS,
    ROLES,
    SPOTS,
    TILES,
    Unit,
)


class ActionBlock(NamedTuple):
    """Consecutive action numbers of one kind.

    Attributes:
        kind: What the block is about, unique in the table.
        module: ``"base"`` or the expansion that brings these actions.
        start: The first number.
        names: The actions by name, in the order of their numbers.
        meaning: One sentence for a reader.
        phases: The phases it belongs to; none means any.
    """

    kind: str
    module: str
    start: int
    names: tuple[str, ...]
    meaning: str
    phases: tuple[str, ...] = ()

    @property
    def stop(self) -> int:
        """One past the last number."""
        return self.start + len(self.names)


def _each(prefix: str, words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{prefix}:{word}" for word in words)


_NEW_SPOTS = NEW_BUILDINGS[:-1]  # the statue has no circle
_BASE_SPOTS = TILES + BASE_BUILDINGS
_ALL_SPOTS = _BASE_SPOTS + _NEW_SPOTS + CITIZEN_BUILDINGS
_SHIPS = tuple(str(ship + 1) for ship in range(NUM_SHIPS))
_LOADS = tuple(f"load:{good}:{ship}" for good in GOODS for ship in _SHIPS)
_FOREST_TILES = (*GOODS, "forest")

BLOCKS: Final = (
    ActionBlock("pass", "base", 0, ("pass",), "Decline, or be done."),
    ActionBlock("role", "base", 1, _each("role", ROLES[:NUM_BASE_ROLES]), "Take a role card.", ("role",)),
    ActionBlock("take", "base", 9, _each("take", TILES), "Take a tile from the row, or a quarry.", ("settler",)),
    ActionBlock("draw", "base", 15, ("draw",), "Draw a tile before the normal action (hacienda).", ("settler",)),
    ActionBlock(
        "hospice", "base", 16, ("hospice:drawn", "hospice:taken"),
        "Put the hospice's worker on the tile drawn or the tile taken.", ("settler",),
    ),
    ActionBlock("recall", "base", 18, _each("recall", _BASE_SPOTS), "Take a worker back in hand.", ("mayor",)),
    ActionBlock("place", "base", 47, _each("place", _BASE_SPOTS), "Put a worker from the hand down."),
    ActionBlock("build", "base", 76, _each("build", BASE_BUILDINGS), "Buy a building.", ("builder",)),
    ActionBlock("privilege", "base", 99, _each("privilege", GOODS), "The craftsman's further barrel.", ("craftsman",)),
    ActionBlock("sell", "base", 104, _each("sell", GOODS), "Sell a barrel to the trading house.", ("trader",)),
    ActionBlock("load", "base", 109, _LOADS, "Load a kind onto a ship (1 is the smallest).", ("captain",)),
    ActionBlock("wharf", "base", 124, _each("wharf", GOODS), "Ship a kind by the wharf.", ("captain",)),
    ActionBlock("store", "base", 129, _each("store", GOODS), "Keep every barrel of a kind.", ("storage",)),
    ActionBlock("keep", "base", 134, _each("keep", GOODS), "Keep a single barrel of a kind.", ("storage",)),
    ActionBlock("gain", "base", 139, ("gain",), "Take the gain that is offered."),
    ActionBlock("forest_row", "buildings", 140, _each("forest", GOODS), "Take a tile as a forest.", ("settler",)),
    ActionBlock("forest", "buildings", 145, ("forest",), "Take a forest from its stack.", ("settler",)),
    ActionBlock("recall_new", "buildings", 146, _each("recall", _NEW_SPOTS), "Take a worker back.", ("mayor",)),
    ActionBlock("place_new", "buildings", 159, _each("place", _NEW_SPOTS), "Put a worker down."),
    ActionBlock("build_new", "buildings", 172, _each("build", NEW_BUILDINGS), "Buy a building.", ("builder",)),
    ActionBlock(
        "board", "buildings", 186, _each("board", BASE_BUILDINGS[6:] + NEW_BUILDINGS),
        "Choose a building for the board (draft).", ("draft",),
    ),
    ActionBlock("post", "buildings", 217, _each("post", GOODS), "Sell a barrel to the trading post.", ("trader",)),
    ActionBlock("small_wharf", "buildings", 222, _each("small_wharf", GOODS), "Ship one barrel more.", ("captain",)),
    ActionBlock(
        "pay_worker", "buildings", 227, _each("pay:worker", (*_BASE_SPOTS, *_NEW_SPOTS, "portrait")),
        "Return a worker to the black market.", ("builder",),
    ),
    ActionBlock("pay_good", "buildings", 270, _each("pay", GOODS), "Return a barrel.", ("builder",)),
    ActionBlock("pay_vp", "buildings", 275, ("pay:vp",), "Return a VP.", ("builder",)),
    ActionBlock(
        "guest", "buildings", 276, _each("guest", _BASE_SPOTS + _NEW_SPOTS), "Move a guest to a circle.",
    ),
    ActionBlock(
        "use", "buildings", 318, ("use:plantation", "use:forest"), "What a drawn tile becomes.", ("settler", "trader"),
    ),
    ActionBlock("recall_x2", "citizens", 320, _each("recall", CITIZEN_BUILDINGS), "Take a worker back.", ("mayor",)),
    ActionBlock("place_x2", "citizens", 328, _each("place", CITIZEN_BUILDINGS), "Put a worker down."),
    ActionBlock("build_x2", "citizens", 336, _each("build", CITIZEN_BUILDINGS), "Buy a building.", ("builder",)),
    ActionBlock(
        "board_x2", "citizens", 344, _each("board", CITIZEN_BUILDINGS), "Choose for the board (draft).", ("draft",),
    ),
    ActionBlock(
        "recall_citizen", "citizens", 352, _each("recall:citizen", _ALL_SPOTS), "Take a citizen back.", ("mayor",),
    ),
    ActionBlock(
        "place_citizen", "citizens", 402, _each("place:citizen", _ALL_SPOTS), "Put a citizen down.",
    ),
    ActionBlock("deal", "citizens", 452, ("deal:worker", "deal:citizen"), "Which kind of unit to take."),
    ActionBlock("villa", "citizens", 454, ("villa",), "Take the unit from the supply instead.", ("mayor",)),
    ActionBlock(
        "pay_worker_x2", "citizens", 455, _each("pay:worker", CITIZEN_BUILDINGS), "Return a worker.", ("builder",),
    ),
    ActionBlock(
        "pay_citizen", "citizens", 463, _each("pay:citizen", (*_ALL_SPOTS, "portrait")),
        "Return a citizen to the black market.", ("builder",),
    ),
    ActionBlock("guest_x2", "citizens", 514, _each("guest", CITIZEN_BUILDINGS), "Move a guest."),
    ActionBlock(
        "guest_citizen", "citizens", 522, _each("guest:citizen", _ALL_SPOTS), "Move a citizen guest.",
    ),
    ActionBlock("supply", "citizens", 572, _each("supply", GOODS), "Return a barrel for a VP.", ("captain",)),
    ActionBlock("land_buy", "citizens", 577, ("land:buy",), "Buy a tile at the land office.", ("trader",)),
    ActionBlock("land_sell", "citizens", 578, _each("land:sell", _FOREST_TILES), "Sell a tile.", ("trader",)),
    ActionBlock("lodge", "citizens", 584, _each("lodge", _FOREST_TILES), "Remove a tile (lodge).", ("settler",)),
    ActionBlock("role_x3", "smuggler", 590, ("role:smuggler",), "Take the smuggler card.", ("role",)),
    ActionBlock("raid", "smuggler", 591, _each("raid", _SHIPS), "Empty a cargo ship.", ("smuggler",)),
    ActionBlock("plunder", "smuggler", 594, ("plunder",), "Empty the trading house.", ("smuggler",)),
    ActionBlock("poach", "smuggler", 595, ("poach",), "Take units from the register.", ("smuggler",)),
    ActionBlock(
        "capture", "smuggler", 596, _each("capture", ROLES[:NUM_BASE_ROLES]), "Capture a role card.", ("smuggler",),
    ),
)  # fmt: skip
"""Every action there is. The festival brings none of its own: its rewards are placed."""

NAMES: Final = tuple(name for block in BLOCKS for name in block.names)
"""Action names by number."""
IDS: Final = {name: number for number, name in enumerate(NAMES)}
"""Action numbers by name."""
NUM_BASE_ACTIONS: Final = 140
NUM_ACTIONS: Final = len(NAMES)


def block_of(action: int) -> ActionBlock:
    """Return the block that holds an action number."""
    for block in BLOCKS:
        if block.start <= action < block.stop:
            return block
    raise IndexError(f"there is no action {action}; actions run from 0 to {NUM_ACTIONS - 1}")


PASS: Final = 0
ROLE: Final = 1
TAKE: Final = 9
TAKE_QUARRY: Final = 14
DRAW: Final = 15
HOSPICE_DRAWN: Final = 16
HOSPICE_TAKEN: Final = 17
RECALL: Final = 18
PLACE: Final = 47
BUILD: Final = 76
PRIVILEGE: Final = 99
SELL: Final = 104
LOAD: Final = 109
WHARF: Final = 124
STORE: Final = 129
KEEP: Final = 134
GAIN: Final = 139
FOREST_FROM_ROW: Final = 140
FOREST_FROM_STACK: Final = 145
POST: Final = 217
SMALL_WHARF: Final = 222
PAY_GOOD: Final = 270
PAY_VP: Final = 275
USE_PLANTATION: Final = 318
USE_FOREST: Final = 319
DEAL_WORKER: Final = 452
DEAL_CITIZEN: Final = 453
VILLA: Final = 454
SUPPLY: Final = 572
LAND_BUY: Final = 577
LAND_SELL: Final = 578
LODGE: Final = 584
ROLE_SMUGGLER: Final = 590
RAID: Final = 591
PLUNDER: Final = 594
POACH: Final = 595
CAPTURE: Final = 596

_SPOTS_AND_PORTRAIT = (*SPOTS, "portrait")


def _ids(*prefixes_and_words: tuple[str, tuple[str, ...]]) -> np.ndarray:
    """Action number of each word, a row for each prefix; -1 where there is no such action."""
    rows = [
        [IDS.get(f"{prefix}:{word}", -1) for word in words] for prefix, words in prefixes_and_words
    ]
    return np.array(rows, dtype=np.int16)


RECALL_ACTION: Final = _ids(("recall", SPOTS), ("recall:citizen", SPOTS))
"""Recall action of each kind of unit and spot, shape ``(2, num_spots)``; -1 for the statue."""
PLACE_ACTION: Final = _ids(("place", SPOTS), ("place:citizen", SPOTS))
"""Place action of each kind of unit and spot, shape ``(2, num_spots)``; -1 for the statue."""
GUEST_ACTION: Final = _ids(("guest", SPOTS), ("guest:citizen", SPOTS))
"""Guest action of each kind of unit and spot, shape ``(2, num_spots)``; -1 for the statue."""
PAY_ACTION: Final = _ids(("pay:worker", _SPOTS_AND_PORTRAIT), ("pay:citizen", _SPOTS_AND_PORTRAIT))
"""Payment of each kind of unit and spot, the portrait last, shape ``(2, num_spots + 1)``."""
BUILD_ACTION: Final = _ids(("build", BUILDINGS))[0]
"""Build action of each building number, shape ``(num_buildings,)``."""
BOARD_ACTION: Final = _ids(("board", BUILDINGS))[0]
"""Draft action of each building number, shape ``(num_buildings,)``; -1 for what is not drafted."""


def _targets() -> np.ndarray:
    """What an action is about: its spot, building or the portrait; -1 where it names none."""
    target = np.full(NUM_ACTIONS, -1, dtype=np.int16)
    rows = (*RECALL_ACTION, *PLACE_ACTION, *GUEST_ACTION, *PAY_ACTION, BUILD_ACTION, BOARD_ACTION)
    for row in rows:
        for number, action in enumerate(row.tolist()):
            if action >= 0:
                target[action] = number
    return target


TARGET: Final = _targets()
"""The spot of a recall, place, guest or pay action and the building of a build or board action."""


def _units() -> np.ndarray:
    """Which kind of unit an action moves; workers where it moves none."""
    unit = np.zeros(NUM_ACTIONS, dtype=np.int8)
    for table in (RECALL_ACTION, PLACE_ACTION, GUEST_ACTION, PAY_ACTION):
        unit[table[Unit.CITIZEN][table[Unit.CITIZEN] >= 0]] = Unit.CITIZEN
    return unit


UNIT: Final = _units()
"""The kind of unit that a recall, place, guest or pay action moves, by action number."""

IS_GUEST_MOVE: Final = np.array([name.startswith("guest:") for name in NAMES])
"""Whether an action moves a guest, by action number."""
