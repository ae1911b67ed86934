"""What each feature number means: the blocks of an observation, and where they stand.

A fixed-size vector from the point of view of one seat: its own board first, then the others
clockwise, then what lies on the table. With expansions the same vector goes on with what they
bring, first to the table, then to each board. The core writes 8-bit integers; a layout knows how
environments scale them (see `feature_scaling`). `observation.py` writes the blocks in the order of
these tables.
"""

from collections import namedtuple
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env.arguments import flag, numbered, one_of, whole, whole_numbers
from prico_env.core.rules import MAX_COST
from prico_env.core.state import STACK_SLOTS
from prico_env.data_frames import data_frame
from prico_env.errors import OutOfRangeError, UnknownNameError, did_you_mean, quoted
from prico_env.feature_scaling import (
    SCALINGS,
    FeatureScaling,
    ScalingKind,
    make_scaling,
    moments_of,
)
from prico_env.vocabulary import (
    BASE_BUILDINGS,
    BUILDINGS,
    CITY_SPACES,
    DECISION_POINTS,
    GOODS,
    ISLAND_SPACES,
    MAX_BARRELS,
    MAX_PLAYERS,
    NUM_BASE_BUILDINGS,
    NUM_BASE_ROLES,
    NUM_BASE_SPOTS,
    NUM_CROP_BUILDINGS,
    NUM_SHIPS,
    PHASES,
    POINTS,
    ROLES,
    SPOTS,
    TILES,
    Asker,
    EndReason,
    Unit,
    UsedOnce,
)

LAYOUT_VERSION: Final = 1
"""Moves when a feature changes its meaning under the same name; checkpoints remember it."""

NUM_DECISION_POINTS: Final = next(int(row.point) for row in POINTS if row.asker == Asker.NOBODY)
EXTRA_POINTS: Final = tuple(int(row.point) for row in POINTS if row.modules)
"""The decisions that only expansions bring, by number."""
_BASE_ROLES: Final = ROLES[:NUM_BASE_ROLES]
_BASE_SPOTS: Final = SPOTS[:NUM_BASE_SPOTS]
_SHIPS: Final = tuple(str(ship + 1) for ship in range(NUM_SHIPS))
_SHIP_GOODS: Final = tuple(f"{ship}:{good}" for ship in _SHIPS for good in GOODS)
_WAITING: Final = tuple(str(depth + 1) for depth in range(STACK_SLOTS))
_UNITS: Final = tuple(f"{unit.name.lower()}s" for unit in Unit)
_COMMERCE: Final = BUILDINGS[NUM_CROP_BUILDINGS:]
LAID_FOREST: Final = ("drawn", "taken")
_FURTHER_BUILDINGS: Final = BUILDINGS[NUM_BASE_BUILDINGS:]

MAX_COINS: Final = 100
MAX_VP: Final = 200
MAX_UNITS: Final = 100
MAX_ROUNDS: Final = 200
MAX_TURNS: Final = 5
MAX_ROW: Final = 6
MAX_OFFER: Final = 10
MAX_BASE_CURSOR: Final = 50
MAX_CURSOR: Final = 101
MAX_AMOUNT: Final = 100
MAX_HAND: Final = 12
MAX_WAITING_POINT: Final = len(DECISION_POINTS)
MAX_FORESTS: Final = 12


class FeatureBlock(NamedTuple):
    """Consecutive features of one kind.

    Attributes:
        name: What they are about.
        high: The largest value; whatever is larger reads as this.
        labels: One label for each feature of the block; empty for a block of one.
        meaning: One sentence for a reader.
        fields: The fields of the record that it depends on; none: the one of its own name.
    """

    name: str
    high: int
    labels: tuple[str, ...]
    meaning: str
    fields: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many features the block has."""
        return max(1, len(self.labels))


SEAT_BLOCKS: Final = (
    FeatureBlock("coins", MAX_COINS, (), "Coins."),
    FeatureBlock("vp", MAX_VP, (), "VP chips and paper; 0 where they are hidden."),
    FeatureBlock("portrait", MAX_UNITS, (), "Workers not placed; in the mayor phase, in hand.",
        ("portrait_workers",)),
    FeatureBlock("island_used", ISLAND_SPACES, (), "Island spaces filled."),
    FeatureBlock("city_used", CITY_SPACES, (), "City spaces filled."),
    FeatureBlock("is_governor", 1, (), "Holds the governor card.", ("governor",)),
    FeatureBlock("is_actor", 1, (), "Took the role that is being played.", ("actor",)),
    FeatureBlock("wharf_used", 1, (), "Has used the wharf in this captain phase."),
    FeatureBlock("passed", 1, (), "Could not or would not load at the last turn of this phase."),
    FeatureBlock("goods", MAX_BARRELS, GOODS, "Barrels."),
    FeatureBlock("tiles", ISLAND_SPACES, TILES, "Island tiles.", ("owned",)),
    FeatureBlock("buildings", 1, BASE_BUILDINGS, "Buildings owned.", ("owned",)),
    FeatureBlock("tile_workers", ISLAND_SPACES, TILES, "Workers on island tiles.", ("workers",)),
    FeatureBlock("building_workers", 3, BASE_BUILDINGS, "Workers in buildings.", ("workers",)),
)  # fmt: skip
"""What the vector says of each seat, in order."""

TABLE_BLOCKS: Final = (
    FeatureBlock("point", 1, DECISION_POINTS[:NUM_DECISION_POINTS], "What is being decided.",
        ("decision_point",)),
    FeatureBlock("offer", MAX_OFFER, (), "How much an optional gain on offer is.", ("value",)),
    FeatureBlock("role_free", 1, _BASE_ROLES, "Role cards that may still be taken this round.",
        ("role_owner",)),
    FeatureBlock("role_coins", MAX_COINS, _BASE_ROLES, "Coins on each role card."),
    FeatureBlock("picks", 6, (), "Role cards taken this round."),
    FeatureBlock("turns", MAX_TURNS, (), "Seats that had their turn in this phase or circuit."),
    FeatureBlock("first_circuit", 1, (), "The first circuit of loading is on."),
    FeatureBlock("circuit_loads", 5, (), "Loads in this circuit."),
    FeatureBlock("captain_loaded", 1, (), "The captain's extra VP has been given."),
    FeatureBlock("worker_supply", MAX_UNITS, (), "Workers in the supply."),
    FeatureBlock("register", MAX_UNITS, (), "Workers on the register.", ("register_workers",)),
    FeatureBlock("quarries", 8, (), "Quarries left."),
    FeatureBlock("vp_pool", 126, (), "VP left; 0 when they are written on paper."),
    FeatureBlock("end", 1, tuple(reason.name.lower() for reason in EndReason),
        "Why this round is the last.", ("end_reasons",)),
    FeatureBlock("round", MAX_ROUNDS, (), "The round being played, from 1."),
    FeatureBlock("goods_supply", MAX_BARRELS, GOODS, "Barrels in the supply."),
    FeatureBlock("row", MAX_ROW, GOODS, "Plantations face up."),
    FeatureBlock("discard", 12, GOODS, "Plantations laid aside."),
    FeatureBlock("unseen", 12, GOODS,
        "Plantations in the deck, laid aside or hidden from this seat.",
        ("discard", "deck_tiles", "forest_blind", "drawn", "decision_point", "turn")),
    FeatureBlock("house", 4, GOODS, "Barrels in the trading house."),
    FeatureBlock("building_supply", 4, BASE_BUILDINGS, "Copies left to buy."),
    FeatureBlock("ship_size", 8, _SHIPS, "What each ship holds; 0 for a ship that is not in play."),
    FeatureBlock("ship_load", 8, _SHIPS, "What each ship has on board."),
    FeatureBlock("ship_good", 1, _SHIP_GOODS, "Which kind that is."),
    FeatureBlock("drawn", 1, TILES, "The tile drawn this turn.",
        ("drawn", "decision_point", "turn")),
    FeatureBlock("taken", 1, TILES, "The tile taken this turn."),
    FeatureBlock("recalled", 1, _BASE_SPOTS, "Spots this seat took workers back from."),
    FeatureBlock("cursor", MAX_BASE_CURSOR, (),
        "The lowest spot or kind still to come, where order matters."),
    FeatureBlock("made", MAX_BARRELS, GOODS, "What the craftsman produced.", ("produced", "actor")),
    FeatureBlock("stored", 1, GOODS, "Kinds that the seat to decide keeps whole."),
    FeatureBlock("kept", MAX_BARRELS, GOODS, "Single barrels that it keeps."),
    FeatureBlock("idle_turns", MAX_TURNS, (), "Captain: turns in a row without loading."),
)  # fmt: skip
"""What the vector says of the table, in order."""

EXTRA_TABLE_BLOCKS: Final = (
    FeatureBlock("extra_point", 1,
        tuple(DECISION_POINTS[point] for point in EXTRA_POINTS),
        "What is being decided, if only expansions bring it.", ("decision_point",)),
    FeatureBlock("phase", 1, PHASES, "What is being played."),
    FeatureBlock("amount", MAX_AMOUNT, (), "What the decision is about: how much, how many.",
        ("value",)),
    FeatureBlock("waiting_point", MAX_WAITING_POINT, _WAITING, "Where waiting decisions go on.",
        ("stack_point", "depth")),
    FeatureBlock("waiting_seat", MAX_PLAYERS, _WAITING, "Whose they are: 1 this seat, 2 the next.",
        ("stack_turn", "depth")),
    FeatureBlock("waiting_amount", MAX_AMOUNT, _WAITING, "What they are about.",
        ("stack_value", "depth")),
    FeatureBlock("smuggler_free", 1, (), "The smuggler card may still be taken this round.",
        ("role_owner",)),
    FeatureBlock("captured", 1, (), "A captured role is being played."),
    FeatureBlock("citizen_supply", 20, (), "Citizens in the supply."),
    FeatureBlock("register_citizens", 20, (), "Citizens on the register."),
    FeatureBlock("forests", MAX_FORESTS, (), "Forests in a stack of their own."),
    FeatureBlock("hand", MAX_HAND, _UNITS, "Units in hand, to be placed at once.",
        ("hand_workers", "hand_citizens")),
    FeatureBlock("unit_cursor", MAX_CURSOR, (), "The cursor; spots of citizens come behind all.",
        ("cursor",)),
    FeatureBlock("laid_forest", 1, LAID_FOREST, "The tile drawn or taken is a forest.",
        ("drawn", "taken")),
    FeatureBlock("festival_estate", 1, GOODS, "The plantations the festival asks for."),
    FeatureBlock("festival_goods", 3, GOODS, "The barrels it asks for."),
    FeatureBlock("privilege_goods", MAX_BARRELS, GOODS, "Barrels of the craftsman's privilege."),
    FeatureBlock("own_made", MAX_BARRELS, GOODS, "What the seat to decide produced.",
        ("produced", "turn")),
    FeatureBlock("draft_slots", 6, tuple(f"cost {cost}" for cost in range(1, MAX_COST + 1)),
        "Types of each cost still to be chosen.", ("phase", "board")),
    FeatureBlock("bought", 1, BUILDINGS, "The building being bought."),
    FeatureBlock("festival_building", 1, BUILDINGS, "The building the festival asks for."),
    FeatureBlock("board", 1, _COMMERCE, "Types that were chosen for this game."),
    FeatureBlock("new_building_supply", 2, _FURTHER_BUILDINGS, "Copies left to buy.",
        ("building_supply",)),
    FeatureBlock("recalled_new", 1, _FURTHER_BUILDINGS, "New buildings it took workers back from.",
        ("recalled",)),
    FeatureBlock("recalled_citizens", 1, SPOTS, "Spots this seat took citizens back from.",
        ("recalled",)),
)  # fmt: skip
"""What the vector goes on to say of the table with expansions, in order."""

EXTRA_SEAT_BLOCKS: Final = (
    FeatureBlock("forests", MAX_FORESTS, (), "Forests on the island.", ("own_forests",)),
    FeatureBlock("portrait_citizens", 20, (), "Citizens not placed."),
    FeatureBlock("smuggler_tile", 1, (), "Holds the smuggler tile."),
    FeatureBlock("small_wharf_used", 1, (), "Has used the small wharf in this captain phase."),
    FeatureBlock("once", 1, tuple(what.name.lower() for what in UsedOnce),
        "What it did once in this phase.", ("used_once",)),
    FeatureBlock("roles_taken", 1, ROLES, "Role cards it took this round.", ("role_owner",)),
    FeatureBlock("roles_captured", 1, _BASE_ROLES, "Role cards it captured this round.",
        ("role_captor",)),
    FeatureBlock("forest_kinds", MAX_FORESTS, GOODS,
        "Printed kinds of forests that everybody has seen.", ("forest_kinds", "forest_blind")),
    FeatureBlock("forest_blind", MAX_FORESTS, GOODS,
        "Kinds only this seat has seen; 0 for other boards."),
    FeatureBlock("new_buildings", 1, _FURTHER_BUILDINGS, "Further buildings owned.", ("owned",)),
    FeatureBlock("new_building_workers", 2, _FURTHER_BUILDINGS, "Workers in them.", ("workers",)),
    FeatureBlock("tile_citizens", ISLAND_SPACES, TILES, "Citizens on island tiles.", ("citizens",)),
    FeatureBlock("building_citizens", 3, BUILDINGS, "Citizens in buildings.", ("citizens",)),
)  # fmt: skip
"""What the vector goes on to say of each seat with expansions, in order."""


def _size(blocks: tuple[FeatureBlock, ...]) -> int:
    return sum(block.size for block in blocks)


SEAT_FEATURES: Final = _size(SEAT_BLOCKS)
TABLE_FEATURES: Final = _size(TABLE_BLOCKS)
EXTRA_TABLE_FEATURES: Final = _size(EXTRA_TABLE_BLOCKS)
EXTRA_SEAT_FEATURES: Final = _size(EXTRA_SEAT_BLOCKS)
MAX_BASE_FEATURES: Final = MAX_PLAYERS * SEAT_FEATURES + TABLE_FEATURES
"""Any longer vector has the part of the expansions: with it the shortest is longer than this."""


def places_of(blocks: tuple[FeatureBlock, ...]) -> Any:
    """Return how many features of a table of blocks stand before each, by the block's name.

    It is a named tuple: compiled code reads its members as constants.
    """
    starts: list[Any] = [_size(blocks[:number]) for number in range(len(blocks))]
    return namedtuple("Places", [block.name for block in blocks])(*starts)


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
        with_expansions: Whether it goes on with what expansions bring.
        blocks: Every block with its place, in order.
        num_features: The vector's length.
        feature_names: The name of each feature: ``"self.coins"``, ``"self.goods[corn]"``.
        high: The largest value of each feature, shape ``(num_features,)``, uint8.
        version: The layout version, which a checkpoint must share.
    """

    def __init__(self, num_seats: int, with_expansions: bool = False) -> None:
        self.num_seats = num_seats = whole(num_seats, "the number of seats", 1, MAX_PLAYERS)
        self.with_expansions = flag(with_expansions, "with_expansions")
        self.version = LAYOUT_VERSION
        parts: list[tuple[str, tuple[FeatureBlock, ...]]] = [
            (_seat_name(seat), SEAT_BLOCKS) for seat in range(num_seats)
        ]
        parts.append(("table", TABLE_BLOCKS))
        if with_expansions:
            parts.append(("table", EXTRA_TABLE_BLOCKS))
            parts += [(_seat_name(seat), EXTRA_SEAT_BLOCKS) for seat in range(num_seats)]
        named = [(owner, block) for owner, part in parts for block in part]
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
        self.feature_names: tuple[str, ...] = tuple(
            f"{block.name}[{label}]" if label else block.name
            for block in blocks
            for label in block.labels or ("",)
        )
        self.high: NDArray[np.uint8] = np.concatenate(
            [np.full(block.stop - block.start, block.high, dtype=np.uint8) for block in blocks]
        )
        self.high.setflags(write=False)
        self._scalings: dict[str, FeatureScaling] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each feature by number, as `ActionTable.names` has those of actions."""
        return self.feature_names

    def to_frame(self) -> Any:
        """Return the features as a `pandas.DataFrame`: a row each, with all that is known of it.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        labelled = [(block, label) for block in self.blocks for label in block.labels or ("",)]
        means, deviations = moments_of(self.names, self.high)
        return data_frame(
            {
                "name": self.names,
                "block": [block.name for block, _ in labelled],
                "label": [label for _, label in labelled],
                "high": self.high,
                "mean": means,
                "deviation": deviations,
                "meaning": [block.meaning for block, _ in labelled],
            },
            "feature",
        )

    def scaling(self, kind: ScalingKind = "standard") -> FeatureScaling:
        """Return how features are scaled, always the same object for a kind.

        Args:
            kind: ``"standard"`` for mean 0 and deviation 1 in published games, within [-10, 10];
                ``"range"`` for 0 to 1, the largest value; ``"raw"`` for 8-bit integers as they are.

        Raises:
            PricoError: There is no such kind.
        """
        kind = check_scaling(kind)
        if kind not in self._scalings:
            self._scalings[kind] = make_scaling(kind, self.feature_names, self.high)
        return self._scalings[kind]

    def scale(
        self,
        observations: NDArray[np.uint8],
        kind: ScalingKind = "standard",
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """Scale raw features of any leading shape.

        Args:
            observations: Raw features, uint8, shape ``(..., num_features)``.
            kind: As in :meth:`scaling`.
            out: Receives them, if given: float32, with ``"raw"`` uint8, of the same shape.

        Returns:
            The scaled features; ``out`` if it was given, else an array of its own.

        Raises:
            PricoError: There is no such kind, or these are no features of this layout.
        """
        return self.scaling(kind).apply(observations, out)

    def block(self, name: str) -> FeatureSlice:
        """Return a block by name, such as ``"self.coins"`` or ``"table.row"``."""
        for block in self.blocks:
            if isinstance(name, str) and block.name == name:
                return block
        names = [block.name for block in self.blocks]
        raise UnknownNameError(
            f"no feature block is called {quoted(name)}{did_you_mean(name, names)}"
        )

    def decode(self, observation: NDArray[Any]) -> dict[str, Any]:
        """Return a raw observation as numbers by name and label."""
        features = whole_numbers(observation, "features", (self.num_features,)).tolist()
        decoded: dict[str, Any] = {}
        for block in self.blocks:
            values = features[block.start : block.stop]
            decoded[block.name] = (
                dict(zip(block.labels, values, strict=True)) if block.labels else values[0]
            )
        return decoded

    def describe(self, feature: int) -> str:
        """Say in words what a feature number means."""
        number = numbered(feature, "feature", self.num_features, OutOfRangeError)
        block = next(block for block in self.blocks if number < block.stop)
        label = f" [{block.labels[number - block.start]}]" if block.labels else ""
        means, deviations = moments_of(self.names, self.high)
        usual = f"mean {means[number]:.3g}, deviation {deviations[number]:.3g} in published games"
        return f"{block.name}{label}: {block.meaning} (0 to {block.high}; {usual})"


def _seat_name(seat: int) -> str:
    return "self" if seat == 0 else f"left_{seat}"


def check_scaling(kind: object) -> ScalingKind:
    """Return a kind of scaling.

    Raises:
        PricoError: There is no such kind.
    """
    found: Any = one_of(kind, SCALINGS, "scaling")
    return found


def layout_for(num_seats: int, with_expansions: bool = False) -> ObservationLayout:
    """Return the layout of a vector with room for so many seats, and for expansions if wanted."""
    num_seats = whole(num_seats, "the number of seats", 1, MAX_PLAYERS)
    return _layout(num_seats, flag(with_expansions, "with_expansions"))


_layout = lru_cache(maxsize=16)(ObservationLayout)
