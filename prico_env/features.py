"""What each feature number means: the blocks of an observation, and where they stand.

A fixed-size vector from the point of view of one seat: its own board first, then the others
clockwise, then what lies on the table. The core writes 8-bit integers; a layout knows the largest
value of each feature, so that environments can scale them to [0, 1]. `observation.py` writes the
blocks in the order of this table.
"""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env.vocabulary import (
    BASE_BUILDINGS,
    CITY_SPACES,
    GOODS,
    ISLAND_SPACES,
    MAX_BARRELS,
    NUM_BASE_ROLES,
    NUM_BASE_SPOTS,
    NUM_SHIPS,
    POINTS,
    ROLES,
    SPOTS,
    TILES,
    EndReason,
    Point,
)

LAYOUT_VERSION: Final = 1
"""Moves when a feature number changes its meaning; checkpoints remember it."""

NUM_DECISION_POINTS: Final = int(Point.PHASE_BEGIN)
_BASE_ROLES: Final = ROLES[:NUM_BASE_ROLES]
_BASE_SPOTS: Final = SPOTS[:NUM_BASE_SPOTS]
_SHIPS: Final = tuple(str(ship + 1) for ship in range(NUM_SHIPS))
_SHIP_GOODS: Final = tuple(f"{ship}:{good}" for ship in _SHIPS for good in GOODS)

MAX_COINS: Final = 100
MAX_VP: Final = 200
MAX_UNITS: Final = 100
MAX_ROUNDS: Final = 200


class FeatureBlock(NamedTuple):
    """Consecutive features of one kind.

    Attributes:
        name: What they are about.
        high: The largest value; whatever is larger reads as this.
        labels: One label for each feature of the block; empty for a block of one.
        meaning: One sentence for a reader.
    """

    name: str
    high: int
    labels: tuple[str, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many features the block has."""
        return max(1, len(self.labels))


SEAT_BLOCKS: Final = (
    FeatureBlock("coins", MAX_COINS, (), "Coins."),
    FeatureBlock("vp", MAX_VP, (), "VP chips and paper; 0 where they are hidden."),
    FeatureBlock("portrait", MAX_UNITS, (), "Workers not placed; in the mayor phase, in hand."),
    FeatureBlock("island_used", ISLAND_SPACES, (), "Island spaces filled."),
    FeatureBlock("city_used", CITY_SPACES, (), "City spaces filled."),
    FeatureBlock("is_governor", 1, (), "Holds the governor card."),
    FeatureBlock("is_actor", 1, (), "Took the role that is being played."),
    FeatureBlock("wharf_used", 1, (), "Has used the wharf in this captain phase."),
    FeatureBlock("passed", 1, (), "Could not or would not load at the last turn of this phase."),
    FeatureBlock("goods", MAX_BARRELS, GOODS, "Barrels."),
    FeatureBlock("tiles", ISLAND_SPACES, TILES, "Island tiles."),
    FeatureBlock("buildings", 1, BASE_BUILDINGS, "Buildings owned."),
    FeatureBlock("tile_workers", ISLAND_SPACES, TILES, "Workers on island tiles."),
    FeatureBlock("building_workers", 3, BASE_BUILDINGS, "Workers in buildings."),
)
"""What the vector says of each seat, in order."""

TABLE_BLOCKS: Final = (
    FeatureBlock("point", 1, POINTS[:NUM_DECISION_POINTS], "What is being decided."),
    FeatureBlock("offer", 10, (), "How much an optional gain on offer is."),
    FeatureBlock("role_free", 1, _BASE_ROLES, "Role cards that may still be taken this round."),
    FeatureBlock("role_coins", MAX_COINS, _BASE_ROLES, "Coins on each role card."),
    FeatureBlock("picks", 6, (), "Role cards taken this round."),
    FeatureBlock("turns", 5, (), "Seats that had their turn in this phase or circuit."),
    FeatureBlock("first_circuit", 1, (), "The first circuit of loading is on."),
    FeatureBlock("circuit_loads", 5, (), "Loads in this circuit."),
    FeatureBlock("captain_loaded", 1, (), "The captain's extra VP has been given."),
    FeatureBlock("worker_supply", MAX_UNITS, (), "Workers in the supply."),
    FeatureBlock("register", MAX_UNITS, (), "Workers on the register."),
    FeatureBlock("quarries", 8, (), "Quarries left."),
    FeatureBlock("vp_pool", 126, (), "VP left; 0 when they are written on paper."),
    FeatureBlock(
        "end", 1, tuple(reason.name.lower() for reason in EndReason), "Why this round is the last.",
    ),
    FeatureBlock("round", MAX_ROUNDS, (), "The round being played, from 1."),
    FeatureBlock("goods_supply", MAX_BARRELS, GOODS, "Barrels in the supply."),
    FeatureBlock("row", 6, GOODS, "Plantations face up."),
    FeatureBlock("discard", 12, GOODS, "Plantations laid aside."),
    FeatureBlock("unseen", 12, GOODS, "Plantations in the deck and laid aside together."),
    FeatureBlock("house", 4, GOODS, "Barrels in the trading house."),
    FeatureBlock("building_supply", 4, BASE_BUILDINGS, "Copies left to buy."),
    FeatureBlock("ship_size", 8, _SHIPS, "What each ship holds; 0 for a ship that is not in play."),
    FeatureBlock("ship_load", 8, _SHIPS, "What each ship has on board."),
    FeatureBlock("ship_good", 1, _SHIP_GOODS, "Which kind that is."),
    FeatureBlock("drawn", 1, TILES, "The tile drawn this turn."),
    FeatureBlock("taken", 1, TILES, "The tile taken this turn."),
    FeatureBlock("recalled", 1, _BASE_SPOTS, "Spots this seat took workers back from."),
    FeatureBlock("cursor", 50, (), "The lowest spot or kind still to come, where order matters."),
    FeatureBlock("made", MAX_BARRELS, GOODS, "What the craftsman produced."),
    FeatureBlock("stored", 1, GOODS, "Kinds that the seat to decide keeps whole."),
    FeatureBlock("kept", MAX_BARRELS, GOODS, "Single barrels that it keeps."),
)  # fmt: skip
"""What the vector says of the table, in order."""

SEAT_FEATURES: Final = sum(block.size for block in SEAT_BLOCKS)
TABLE_FEATURES: Final = sum(block.size for block in TABLE_BLOCKS)


class FeatureSlice(NamedTuple):
    """Where a block stands in the vector of a layout.

    Attributes:
        name: The block's name, with the seat in front: ``"self.coins"``, ``"left_1.coins"``.
        start: The first feature number.
        stop: One past the last.
        high: The largest value of each feature.
        labels: One label for each feature; empty for a single one.
        meaning: One sentence for a reader.
    """

    name: str
    start: int
    stop: int
    high: int
    labels: tuple[str, ...]
    meaning: str


class ObservationLayout:
    """The meaning of an observation vector of so many seats.

    Attributes:
        num_seats: Seats the vector has room for.
        blocks: Every block with its place, in order.
        num_features: The vector's length.
        high: The largest value of each feature, shape ``(num_features,)``, uint8.
        version: The layout version, which a checkpoint must share.
    """

    def __init__(self, num_seats: int) -> None:
        self.num_seats = num_seats
        self.version = LAYOUT_VERSION
        named = [
            (_seat_name(seat), block) for seat in range(num_seats) for block in SEAT_BLOCKS
        ] + [("table", block) for block in TABLE_BLOCKS]
        blocks = []
        start = 0
        for owner, block in named:
            stop = start + block.size
            blocks.append(
                FeatureSlice(
                    f"{owner}.{block.name}", start, stop, block.high, block.labels, block.meaning
                )
            )
            start = stop
        self.blocks: tuple[FeatureSlice, ...] = tuple(blocks)
        self.num_features = start
        self.high: NDArray[np.uint8] = np.concatenate(
            [np.full(block.stop - block.start, block.high, dtype=np.uint8) for block in blocks]
        )
        self.high.setflags(write=False)
        self._factor = np.float32(1.0) / self.high.astype(np.float32)

    def scale(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Scale raw features to float32 in [0, 1]; works for any leading shape."""
        return np.multiply(observations, self._factor, dtype=np.float32)

    def block(self, name: str) -> FeatureSlice:
        """Return a block by name, such as ``"self.coins"`` or ``"table.row"``."""
        for block in self.blocks:
            if block.name == name:
                return block
        raise KeyError(f"no feature block is called {name!r}")

    def decode(self, observation: NDArray[Any]) -> dict[str, Any]:
        """Return a raw observation as numbers by name and label."""
        decoded: dict[str, Any] = {}
        for block in self.blocks:
            values = [int(value) for value in observation[block.start : block.stop]]
            decoded[block.name] = (
                dict(zip(block.labels, values, strict=True)) if block.labels else values[0]
            )
        return decoded

    def describe(self, feature: int) -> str:
        """Say in words what a feature number means."""
        if not 0 <= feature < self.num_features:
            raise IndexError(
                f"there is no feature {feature}; with {self.num_seats} seats they run "
                f"from 0 to {self.num_features - 1}"
            )
        block = next(block for block in self.blocks if feature < block.stop)
        label = f" [{block.labels[feature - block.start]}]" if block.labels else ""
        return f"{block.name}{label}: {block.meaning} (0 to {block.high})"


def _seat_name(seat: int) -> str:
    return "self" if seat == 0 else f"left_{seat}"


@lru_cache(maxsize=8)
def layout_for_seats(num_seats: int) -> ObservationLayout:
    """Return the layout of a vector with room for so many seats."""
    return ObservationLayout(num_seats)
