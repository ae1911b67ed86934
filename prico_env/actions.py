"""What each action number means: one table of action kinds, from which all else here is derived.

The base game comes first and every expansion appends, so a number means the same in every state of
every rule set, and a policy of the base game keeps its meaning. A new kind of action is a new row
at the end of the table. What a kind is called in sentences stands in `text.messages`.
"""

from typing import Final, NamedTuple

import numpy as np

from prico_env.arguments import numbered
from prico_env.catalog import Building
from prico_env.errors import OutOfRangeError
from prico_env.vocabulary import (
    BASE_BUILDINGS,
    BUILDINGS,
    CITIZEN_BUILDINGS,
    FURTHER_BUILDINGS,
    GOODS,
    NEW_BUILDINGS,
    NUM_BASE_ROLES,
    NUM_CROP_BUILDINGS,
    NUM_SHIPS,
    ROLES,
    SPOTS,
    TILES,
    BuildingClass,
    Unit,
)


class ActionBlock(NamedTuple):
    """Consecutive action numbers of one kind.

    Attributes:
        kind: What the block is about, unique in the table.
        verb: The first word of its actions' names. A block of an expansion that goes on with a
            verb has the phases and rules of the verb's first block where it names none.
        words: What follows the verb, in the order of the numbers; nothing for a single action.
        phases: The phases that may ask for it, the usual one first; none means any.
        rules: The numbers of the rules that decide it.
        module: ``"base"`` or the expansion that brings these actions.
        unit: The kind of unit that it moves, None if it moves none.
        message: The key of its sentence in `text.messages`; the verb where left out.
        start: The first number; the table counts it.
        building: The building that it is all about, if that is none of the published ones: its
            actions are in the game only where it is.
    """

    kind: str
    verb: str
    words: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    module: str = "base"
    unit: Unit | None = None
    message: str = ""
    start: int = 0
    building: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The actions by name, in the order of their numbers."""
        return _each(self.verb, self.words) or (self.verb,)

    @property
    def stop(self) -> int:
        """One past the last number."""
        return self.start + max(1, len(self.words))


def _each(prefix: str, words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{prefix}:{word}" for word in words)


def _blocks_of(building: Building) -> tuple[ActionBlock, ...]:
    """Return the blocks of a building that came later: one action each, behind all others."""
    name, module = building.id, building.module
    guests = "citizens" if module == "citizens" else "buildings"
    units = (
        (Unit.WORKER, module, guests, (name,)),
        (Unit.CITIZEN, "citizens", "citizens", _each("citizen", (name,))),
    )
    blocks = [ActionBlock(f"build_{name}", "build", (name,), module=module)]
    if building.building_class >= BuildingClass.SMALL_COMMERCIAL:
        blocks.append(ActionBlock(f"board_{name}", "board", (name,), module=guests))
    for unit, staffed_in, moved_in, words in units if building.circles else ():
        kind = f"{unit.name.lower()}_{name}"
        paid = words if unit == Unit.CITIZEN else _each("worker", words)
        blocks += [
            ActionBlock(f"recall_{kind}", "recall", words, module=staffed_in, unit=unit),
            ActionBlock(f"place_{kind}", "place", words, module=staffed_in, unit=unit),
            ActionBlock(f"pay_{kind}", "pay", paid, module=moved_in, unit=unit),
            ActionBlock(f"guest_{kind}", "guest", words, module=moved_in, unit=unit),
        ]
    return tuple(block._replace(building=name) for block in blocks)


def _numbered(rows: tuple[ActionBlock, ...]) -> tuple[ActionBlock, ...]:
    """Lay the blocks out one behind the other, and complete those that go on with a verb."""
    firsts: dict[str, ActionBlock] = {}
    blocks: list[ActionBlock] = []
    for row in rows:
        first = firsts.setdefault(row.verb, row)
        block = row._replace(
            phases=row.phases or first.phases,
            rules=row.rules or first.rules,
            message=row.message or row.verb,
            start=blocks[-1].stop if blocks else 0,
        )
        blocks.append(block)
    return tuple(blocks)


_NEW_SPOTS = NEW_BUILDINGS[:-1]  # the statue has no circle
_BASE_SPOTS = TILES + BASE_BUILDINGS
_ALL_SPOTS = _BASE_SPOTS + _NEW_SPOTS + CITIZEN_BUILDINGS
_SHIPS = tuple(str(ship + 1) for ship in range(NUM_SHIPS))
_LOADS = tuple(f"{good}:{ship}" for good in GOODS for ship in _SHIPS)
_FOREST_TILES = (*GOODS, "forest")
_BASE_ROLES = ROLES[:NUM_BASE_ROLES]
_DRAFTED = BASE_BUILDINGS[NUM_CROP_BUILDINGS:] + NEW_BUILDINGS
_HANDOUT_PHASES = ("mayor", "builder", "settler", "trader", "smuggler")
_GUEST_RULES = ("R-GST-1", "R-GST-2", "R-GST-3")
_PAY_RULES = ("R-BLK-1", "R-BLK-2", "R-BLK-3")

BLOCKS: Final = _numbered((
    ActionBlock("pass", "pass", rules=("R-ROL-7", "R-CAP-2")),
    ActionBlock("role", "role", _BASE_ROLES, ("role",), ("R-ROL-1", "R-ROL-2", "R-ROL-4")),
    ActionBlock("take", "take", TILES, ("settler",), ("R-STL-1", "R-STL-2", "R-STL-4", "R-HUT-1")),
    ActionBlock("draw", "draw", (), ("settler",), ("R-HAC-1", "R-HAC-2", "R-HAC-3")),
    ActionBlock(
        "hospice", "hospice", ("drawn", "taken"), ("settler",), ("R-HOS-1", "R-HOS-2", "R-HOS-3"),
    ),
    ActionBlock(
        "recall", "recall", _BASE_SPOTS, ("mayor",), ("R-MAY-5", "R-MAY-7", "R-MAY-8"),
        unit=Unit.WORKER,
    ),
    ActionBlock(
        "place", "place", _BASE_SPOTS, _HANDOUT_PHASES, ("R-MAY-5", "R-MAY-6", "R-MAY-7"),
        unit=Unit.WORKER,
    ),
    ActionBlock(
        "build", "build", BASE_BUILDINGS, ("builder",),
        ("R-BLD-1", "R-BLD-2", "R-BLD-3", "R-BLD-4", "R-BLD-5"),
    ),
    ActionBlock("privilege", "privilege", GOODS, ("craftsman",), ("R-CRA-7",)),
    ActionBlock("sell", "sell", GOODS, ("trader",), ("R-TRA-1", "R-TRA-2", "R-TRA-3", "R-TRA-4")),
    ActionBlock("load", "load", _LOADS, ("captain",), ("R-CAP-2", "R-CAP-3", "R-CAP-4", "R-CAP-5")),
    ActionBlock("wharf", "wharf", GOODS, ("captain",), ("R-WHF-1", "R-WHF-2", "R-WHF-4")),
    ActionBlock(
        "store", "store", GOODS, ("storage",), ("R-CAP-10", "R-CAP-11", "R-SWH-1", "R-LWH-1"),
    ),
    ActionBlock("keep", "keep", GOODS, ("storage",), ("R-CAP-10", "R-CAP-11")),
    ActionBlock("gain", "gain", rules=("R-ROL-9",)),
    ActionBlock(
        "forest_row", "forest", GOODS, ("settler",), ("R-FOH-2", "R-FOH-6"), "buildings",
        message="forest_row",
    ),
    ActionBlock("forest", "forest", (), ("settler",), ("R-FOH-1", "R-FOH-6"), "buildings"),
    ActionBlock("recall_new", "recall", _NEW_SPOTS, module="buildings", unit=Unit.WORKER),
    ActionBlock("place_new", "place", _NEW_SPOTS, module="buildings", unit=Unit.WORKER),
    ActionBlock("build_new", "build", NEW_BUILDINGS, module="buildings"),
    ActionBlock(
        "board", "board", _DRAFTED, ("draft",), ("R-X1-2", "R-X1-3", "R-X1-4"), "buildings",
    ),
    ActionBlock(
        "post", "post", GOODS, ("trader",), ("R-TPO-1", "R-TPO-2", "R-TPO-3"), "buildings",
    ),
    ActionBlock(
        "small_wharf", "small_wharf", GOODS, ("captain",), ("R-SWF-1", "R-SWF-2"), "buildings",
    ),
    ActionBlock(
        "pay_worker", "pay", _each("worker", (*_BASE_SPOTS, *_NEW_SPOTS, "portrait")),
        ("builder",), (*_PAY_RULES, "R-BLK-5"), "buildings", Unit.WORKER,
    ),
    ActionBlock(
        "pay_good", "pay", GOODS, ("builder",), _PAY_RULES, "buildings", message="pay_good",
    ),
    ActionBlock(
        "pay_vp", "pay", ("vp",), ("builder",), _PAY_RULES, "buildings", message="pay_vp",
    ),
    ActionBlock(
        "guest", "guest", _BASE_SPOTS + _NEW_SPOTS, (), _GUEST_RULES, "buildings", Unit.WORKER,
    ),
    ActionBlock(
        "use", "use", ("plantation", "forest"), ("settler", "trader"), ("R-FOH-3", "R-LND-6"),
        "buildings",
    ),
    ActionBlock("recall_x2", "recall", CITIZEN_BUILDINGS, module="citizens", unit=Unit.WORKER),
    ActionBlock("place_x2", "place", CITIZEN_BUILDINGS, module="citizens", unit=Unit.WORKER),
    ActionBlock("build_x2", "build", CITIZEN_BUILDINGS, module="citizens"),
    ActionBlock("board_x2", "board", CITIZEN_BUILDINGS, module="citizens"),
    ActionBlock(
        "recall_citizen", "recall", _each("citizen", _ALL_SPOTS), (), ("R-MAY-5", "R-X2-8"),
        "citizens", Unit.CITIZEN,
    ),
    ActionBlock(
        "place_citizen", "place", _each("citizen", _ALL_SPOTS), (), ("R-MAY-5", "R-X2-8"),
        "citizens", Unit.CITIZEN,
    ),
    ActionBlock(
        "deal", "deal", ("worker", "citizen"), _HANDOUT_PHASES, ("R-X2-6", "R-X2-7", "R-SMG-6"),
        "citizens",
    ),
    ActionBlock("villa", "villa", (), ("mayor",), ("R-VIL-1", "R-VIL-2", "R-VIL-3"), "citizens"),
    ActionBlock(
        "pay_worker_x2", "pay", _each("worker", CITIZEN_BUILDINGS), module="citizens",
        unit=Unit.WORKER,
    ),
    ActionBlock(
        "pay_citizen", "pay", _each("citizen", (*_ALL_SPOTS, "portrait")), module="citizens",
        unit=Unit.CITIZEN,
    ),
    ActionBlock("guest_x2", "guest", CITIZEN_BUILDINGS, module="citizens", unit=Unit.WORKER),
    ActionBlock(
        "guest_citizen", "guest", _each("citizen", _ALL_SPOTS), module="citizens",
        unit=Unit.CITIZEN,
    ),
    ActionBlock(
        "supply", "supply", GOODS, ("captain",), ("R-RSP-1", "R-RSP-4", "R-RSP-5"), "citizens",
    ),
    ActionBlock(
        "land_buy", "land", ("buy",), ("trader",), ("R-LND-1", "R-LND-2", "R-LND-6"), "citizens",
        message="land_buy",
    ),
    ActionBlock(
        "land_sell", "land", _each("sell", _FOREST_TILES), ("trader",),
        ("R-LND-1", "R-LND-3", "R-LND-4"), "citizens", message="land_sell",
    ),
    ActionBlock(
        "lodge", "lodge", _FOREST_TILES, ("settler",), ("R-LDG-1", "R-LDG-3", "R-LDG-4"),
        "citizens",
    ),
    ActionBlock("role_x3", "role", ("smuggler",), (), ("R-SMG-2", "R-SMG-3"), "smuggler"),
    ActionBlock("raid", "raid", _SHIPS, ("smuggler",), ("R-SMG-4",), "smuggler"),
    ActionBlock("plunder", "plunder", (), ("smuggler",), ("R-SMG-5",), "smuggler"),
    ActionBlock("poach", "poach", (), ("smuggler",), ("R-SMG-6",), "smuggler"),
    ActionBlock(
        "capture", "capture", _BASE_ROLES, ("smuggler",), ("R-SMG-7", "R-SMG-11", "R-SMG-14"),
        "smuggler",
    ),
    ActionBlock(
        "remove", "remove", ("empty", "worker", "citizen"), ("trader", "settler"),
        ("R-LND-3", "R-LND-5", "R-LDG-1", "R-LDG-5"), "citizens",
    ),
    *(block for building in FURTHER_BUILDINGS for block in _blocks_of(building)),
))  # fmt: skip
"""Every action there is. The festival brings none of its own: its rewards are placed."""

NAMES: Final = tuple(name for block in BLOCKS for name in block.names)
"""Action names by number."""
IDS: Final = {name: number for number, name in enumerate(NAMES)}
"""Action numbers by name."""
NUM_BASE_ACTIONS: Final = next(block.start for block in BLOCKS if block.module != "base")
NUM_ACTIONS: Final = len(NAMES)
_BLOCK_BY_KIND: Final = {block.kind: block for block in BLOCKS}
_BLOCK_BY_ACTION: Final = tuple(block for block in BLOCKS for _ in block.names)


def block_of(action: int) -> ActionBlock:
    """Return the block that holds an action number."""
    return _BLOCK_BY_ACTION[numbered(action, "action", NUM_ACTIONS, OutOfRangeError)]


def _start_of(kind: str) -> int:
    return _BLOCK_BY_KIND[kind].start


PASS: Final = _start_of("pass")
ROLE: Final = _start_of("role")
TAKE: Final = _start_of("take")
TAKE_QUARRY: Final = IDS["take:quarry"]
DRAW: Final = _start_of("draw")
HOSPICE_DRAWN: Final = IDS["hospice:drawn"]
HOSPICE_TAKEN: Final = IDS["hospice:taken"]
RECALL: Final = _start_of("recall")
PLACE: Final = _start_of("place")
BUILD: Final = _start_of("build")
PRIVILEGE: Final = _start_of("privilege")
SELL: Final = _start_of("sell")
LOAD: Final = _start_of("load")
WHARF: Final = _start_of("wharf")
STORE: Final = _start_of("store")
KEEP: Final = _start_of("keep")
GAIN: Final = _start_of("gain")
FOREST_FROM_ROW: Final = _start_of("forest_row")
FOREST_FROM_STACK: Final = _start_of("forest")
POST: Final = _start_of("post")
SMALL_WHARF: Final = _start_of("small_wharf")
PAY_GOOD: Final = _start_of("pay_good")
PAY_VP: Final = _start_of("pay_vp")
USE_PLANTATION: Final = IDS["use:plantation"]
USE_FOREST: Final = IDS["use:forest"]
DEAL_WORKER: Final = IDS["deal:worker"]
DEAL_CITIZEN: Final = IDS["deal:citizen"]
VILLA: Final = _start_of("villa")
SUPPLY: Final = _start_of("supply")
LAND_BUY: Final = _start_of("land_buy")
LAND_SELL: Final = _start_of("land_sell")
LODGE: Final = _start_of("lodge")
ROLE_SMUGGLER: Final = IDS["role:smuggler"]
RAID: Final = _start_of("raid")
PLUNDER: Final = _start_of("plunder")
POACH: Final = _start_of("poach")
CAPTURE: Final = _start_of("capture")
REMOVE_EMPTY: Final = IDS["remove:empty"]
REMOVE_WORKER: Final = IDS["remove:worker"]
REMOVE_CITIZEN: Final = IDS["remove:citizen"]


def _by_word(verb: str, words: tuple[str, ...], *units: Unit | None) -> np.ndarray:
    """Action number of each word, a row for each kind of unit; -1 where there is no such action."""
    numbers = np.full((len(units), len(words)), -1, dtype=np.int16)
    for block in BLOCKS:
        if block.verb == verb and block.unit in units:
            row = numbers[units.index(block.unit)]
            for action, name in enumerate(block.names, start=block.start):
                row[words.index(name.rpartition(":")[2])] = action
    return numbers


RECALL_ACTION: Final = _by_word("recall", SPOTS, *Unit)
"""Recall action of each kind of unit and spot, shape ``(2, num_spots)``; -1 for the statue."""
PLACE_ACTION: Final = _by_word("place", SPOTS, *Unit)
"""Place action of each kind of unit and spot, shape ``(2, num_spots)``; -1 for the statue."""
GUEST_ACTION: Final = _by_word("guest", SPOTS, *Unit)
"""Guest action of each kind of unit and spot, shape ``(2, num_spots)``; -1 for the statue."""
PAY_ACTION: Final = _by_word("pay", (*SPOTS, "portrait"), *Unit)
"""Payment of each kind of unit and spot, the portrait last, shape ``(2, num_spots + 1)``."""
BUILD_ACTION: Final = _by_word("build", BUILDINGS, None)[0]
"""Build action of each building number, shape ``(num_buildings,)``."""
BOARD_ACTION: Final = _by_word("board", BUILDINGS, None)[0]
"""Draft action of each building number, shape ``(num_buildings,)``; -1 for what is not drafted."""


def _targets() -> np.ndarray:
    """What an action is about: its spot, building or the portrait; -1 where it names none."""
    target = np.full(NUM_ACTIONS, -1, dtype=np.int16)
    rows = (*RECALL_ACTION, *PLACE_ACTION, *GUEST_ACTION, *PAY_ACTION, BUILD_ACTION, BOARD_ACTION)
    for row in rows:
        (numbers,) = np.nonzero(row >= 0)
        target[row[numbers]] = numbers
    return target


TARGET: Final = _targets()
"""The spot of a recall, place, guest or pay action and the building of a build or board action."""
UNIT: Final = np.array([block.unit or Unit.WORKER for block in _BLOCK_BY_ACTION], dtype=np.int8)
"""The kind of unit that a recall, place, guest or pay action moves; workers where it moves none."""
IS_GUEST_MOVE: Final = np.array([block.verb == "guest" for block in _BLOCK_BY_ACTION])
"""Whether an action moves a guest, by action number."""
