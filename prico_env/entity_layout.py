"""Observations as entities: boards, the table, and what actions are about, a row of columns each.

These are the numbers of the vector, gathered into arrays that attention and shared weights can
take: the own seat, the others in turn order, the table, and the objects of actions (roles, goods,
tiles, buildings, ships ...) in the order of `ActionTable.objects`. Every seat has one row of
columns, to which the part of the expansions is joined; so has every object. A column that an object
does not have is 0 there. What never changes in a game, such as the cost of a building, has columns
as well, though the vector does not show it.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env.action_factors import KINDS_OF_OBJECTS
from prico_env.arguments import as_array, check_out, instance
from prico_env.core.gather import gather_columns
from prico_env.data_frames import data_frame
from prico_env.errors import PricoError, quoted
from prico_env.observation_layout import ObservationLayout
from prico_env.vocabulary import BUILDINGS, GOODS, NOBODY, TILES


class ObjectColumn(NamedTuple):
    """One column of the rows of objects, and the features that it shows.

    Attributes:
        name: What it says.
        features: Patterns of feature names by the kind of object, or by the whole name of one. A
            brace stands for the object; of several, the first that the vector has counts.
        meaning: One sentence for a reader.
    """

    name: str
    features: Mapping[str, tuple[str, ...]]
    meaning: str


def _of_seat(seat: str) -> dict[str, tuple[str, ...]]:
    """What a seat has of each object."""
    return {
        "role": (f"{seat}.roles_taken[{{}}]",),
        "good": (f"{seat}.goods[{{}}]",),
        "tile": (f"{seat}.tiles[{{}}]",),
        "tile:forest": (f"{seat}.forests",),
        "building": (f"{seat}.buildings[{{}}]", f"{seat}.new_buildings[{{}}]"),
        "vp": (f"{seat}.vp",),
    }


def _object_columns(num_seats: int) -> tuple[ObjectColumn, ...]:
    """Every column that objects may have at a table, in order."""
    others = [
        ObjectColumn(f"left_{seat}", _of_seat(f"left_{seat}"), "The same of another seat.")
        for seat in range(1, num_seats)
    ]
    ships = [
        ObjectColumn(f"on_ship[{ship}]", {"good": (f"table.ship_good[{ship}:{{}}]",)},
            "Whether that ship carries it.")
        for ship in KINDS_OF_OBJECTS["ship"]
    ]  # fmt: skip
    cargo = [
        ObjectColumn(f"cargo[{good}]", {"ship": (f"table.ship_good[{{}}:{good}]",)},
            "Whether it carries that kind.")
        for good in GOODS
    ]  # fmt: skip
    return (
        ObjectColumn("supply", {
            "role": ("table.role_free[{}]",),
            "role:smuggler": ("table.smuggler_free",),
            "good": ("table.goods_supply[{}]",),
            "tile": ("table.row[{}]",),
            "tile:quarry": ("table.quarries",),
            "tile:forest": ("table.forests",),
            "building": ("table.building_supply[{}]", "table.new_building_supply[{}]"),
            "unit:worker": ("table.worker_supply",),
            "unit:citizen": ("table.citizen_supply",),
            "vp": ("table.vp_pool",),
        }, "How many there are to take."),
        ObjectColumn("own", _of_seat("self"), "How many the own seat has."),
        *others,
        ObjectColumn("workers", {
            "tile": ("self.tile_workers[{}]",),
            "building": ("self.building_workers[{}]", "self.new_building_workers[{}]"),
            "portrait": ("self.portrait",),
            "unit:worker": ("self.portrait",),
        }, "Own workers on it; in the row of workers, those that are not placed."),
        ObjectColumn("citizens", {
            "tile": ("self.tile_citizens[{}]",),
            "building": ("self.building_citizens[{}]",),
            "portrait": ("self.portrait_citizens",),
            "unit:citizen": ("self.portrait_citizens",),
        }, "Own citizens on it; in the row of citizens, those that are not placed."),
        ObjectColumn("coins", {"role": ("table.role_coins[{}]",)}, "Coins on the card."),
        ObjectColumn("captured", {"role": ("self.roles_captured[{}]",)},
            "Captured by the own seat in this round."),
        ObjectColumn("register", {
            "unit:worker": ("table.register",),
            "unit:citizen": ("table.register_citizens",),
        }, "How many are on the register."),
        ObjectColumn("hand", {
            "unit:worker": ("table.hand[workers]",),
            "unit:citizen": ("table.hand[citizens]",),
        }, "How many are in hand."),
        ObjectColumn("recalled", {
            "tile": ("table.recalled[{}]",),
            "building": ("table.recalled[{}]", "table.recalled_new[{}]"),
        }, "Workers were taken back from it."),
        ObjectColumn("recalled_citizens", {
            "tile": ("table.recalled_citizens[{}]",),
            "building": ("table.recalled_citizens[{}]",),
        }, "Citizens were taken back from it."),
        ObjectColumn("drawn", {
            "tile": ("table.drawn[{}]",), "tile:forest": ("table.laid_forest[drawn]",),
        }, "Drawn this turn."),
        ObjectColumn("taken", {
            "tile": ("table.taken[{}]",), "tile:forest": ("table.laid_forest[taken]",),
        }, "Taken this turn."),
        ObjectColumn("discard", {"tile": ("table.discard[{}]",)}, "How many are laid aside."),
        ObjectColumn("unseen", {"tile": ("table.unseen[{}]",)}, "How many may still be drawn."),
        ObjectColumn("house", {"good": ("table.house[{}]",)}, "Barrels in the trading house."),
        ObjectColumn("made", {"good": ("table.made[{}]",)}, "What the craftsman produced."),
        ObjectColumn("own_made", {"good": ("table.own_made[{}]",)}, "What this seat produced."),
        ObjectColumn("privilege", {"good": ("table.privilege_goods[{}]",)},
            "Barrels of the craftsman's privilege."),
        ObjectColumn("stored", {"good": ("table.stored[{}]",)}, "Kept whole."),
        ObjectColumn("kept", {"good": ("table.kept[{}]",)}, "Single barrels kept."),
        *ships,
        ObjectColumn("size", {"ship": ("table.ship_size[{}]",)}, "What it holds."),
        ObjectColumn("load", {"ship": ("table.ship_load[{}]",)}, "What it has on board."),
        *cargo,
        ObjectColumn("festival", {
            "tile": ("table.festival_estate[{}]",),
            "good": ("table.festival_goods[{}]",),
            "building": ("table.festival_building[{}]",),
        }, "How many the festival asks for."),
        ObjectColumn("bought", {"building": ("table.bought[{}]",)}, "Being bought."),
        ObjectColumn("board", {"building": ("table.board[{}]",)}, "Chosen for this game."),
    )  # fmt: skip


class Fact(NamedTuple):
    """One column of the rows of objects that never changes in a game.

    Attributes:
        name: What it says.
        high: The largest value, by which it is divided where features are scaled.
        meaning: One sentence for a reader.
        values: What it is of each object, by name; 0 for all others.
    """

    name: str
    high: int
    meaning: str
    values: Mapping[str, int]


def _facts(record: Any) -> tuple[Fact, ...]:
    """What the rules say of objects.

    Args:
        record: The record of a rule set, of the dtype `RULES`.
    """
    buildings = [f"building:{name}" for name in BUILDINGS]
    goods = [f"good:{name}" for name in GOODS]
    spots = [f"tile:{name}" for name in TILES] + buildings
    of_kinds = [
        Fact(f"is_{kind}", 1, f"It is a {kind}.", {f"{kind}:{name}": 1 for name in names})
        for kind, names in KINDS_OF_OBJECTS.items()
    ]
    crops = record["crop"].tolist()
    of_goods = [
        Fact(f"crop[{good}]", 1, "It is that kind of good, grows it or processes it.", {
            f"good:{good}": 1,
            f"tile:{good}": 1,
            **{name: 1 for name, crop in zip(buildings, crops, strict=True) if crop == number},
        })
        for number, good in enumerate(GOODS)
    ]  # fmt: skip
    of_rules = [
        Fact(name, high, meaning, dict(zip(of, record[field].tolist(), strict=True)))
        for name, field, high, of, meaning in (
            ("price", "good_price", 4, goods, "What the trading house pays."),
            ("cost", "cost", 10, buildings, "Price before discounts."),
            ("vp", "vp", 8, buildings, "Printed VP."),
            ("column", "column", 4, buildings, "The most quarries that may discount it."),
            ("spaces", "spaces", 2, buildings, "City spaces it fills."),
            ("circles", "circles", 3, spots, "Circles for workers of one tile or building."),
        )
    ]
    return (*of_kinds, *of_goods, *of_rules)


class Part(NamedTuple):
    """One part of an entity observation: an array, and where its numbers come from.

    Attributes:
        rows: The name of each row; none where the part is one row.
        columns: The name of each column.
        meanings: One sentence for each column.
        places: The feature of the vector that each entry shows, intp, of the part's shape; -1 for
            none.
        constants: What an entry shows that shows no feature, uint8, likewise.
        highs: What constants are divided by where features are scaled, float32, likewise.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    meanings: tuple[str, ...]
    places: NDArray[np.intp]
    constants: NDArray[np.uint8]
    highs: NDArray[np.float32]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array for one game."""
        return self.places.shape


class EntityLayout:
    """The meaning of the entities of a rule set, and the gather that makes them from a vector.

    >>> from prico_env import Game
    >>> game = Game(seed=7)
    >>> entities = game.rules.entities.gather(game.observation(game.turn))
    >>> {name: array.shape for name, array in entities.items()}
    {'self': (72,), 'others': (3, 72), 'table': (173,), 'objects': (49, 44)}

    Attributes:
        layout: The layout of the vector.
        parts: Each part by its name: ``"self"``, ``"others"``, ``"table"``, ``"objects"``.
    """

    def __init__(self, layout: ObservationLayout, objects: tuple[str, ...], record: Any) -> None:
        """Work out where every number stands.

        Args:
            layout: The layout of the vector.
            objects: The objects of actions, `ActionTable.objects` of the rule set.
            record: The record of the rule set, of the dtype `RULES`.
        """
        self.layout = instance(layout, ObservationLayout, "a layout is RuleSet.observation")
        self.parts: Mapping[str, Part] = MappingProxyType({
            "self": _row_of(layout, "self"),
            "others": _rows_of(layout, [f"left_{seat}" for seat in range(1, layout.num_seats)]),
            "table": _row_of(layout, "table"),
            "objects": _objects(layout, objects, record),
        })  # fmt: skip

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The columns of each part, by the part's name."""
        return {name: part.columns for name, part in self.parts.items()}

    def to_frame(self) -> Any:
        """Return the columns as a `pandas.DataFrame`: a row each, with its part and meaning.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        columns = [
            (name, column, meaning)
            for name, part in self.parts.items()
            for column, meaning in zip(part.columns, part.meanings, strict=True)
        ]
        parts, names, meanings = zip(*columns, strict=True)
        return data_frame({"part": parts, "name": names, "meaning": meanings}, "column")

    def gather(
        self, features: NDArray[Any], out: Mapping[str, NDArray[Any]] | None = None
    ) -> dict[str, NDArray[Any]]:
        """Turn observation vectors into entities.

        Args:
            features: Vectors, raw or scaled, shape ``(..., num_features)``, uint8 or float32.
            out: Arrays to fill, by the names of the parts, of the dtype of the features and the
                shapes that are returned otherwise; new ones where not given.

        Returns:
            ``self`` ``(..., columns)``, ``others`` ``(..., num_seats - 1, columns)``, ``table``
            ``(..., columns)`` and ``objects`` ``(..., num_objects, columns)``.

        Raises:
            PricoError: The vectors are of another layout, or an array does not fit.
        """
        vectors = as_array(features)
        width = self.layout.num_features
        if vectors.dtype not in (np.uint8, np.float32) or vectors.shape[-1:] != (width,):
            raise PricoError(
                f"observations are uint8 or float32, {width} numbers in each row, not "
                f"{quoted(features)}"
            )
        if out is not None and set(out) != set(self.parts):
            raise PricoError(f"out has the arrays {', '.join(self.parts)}, not {quoted(out)}")
        leading, kind = vectors.shape[:-1], vectors.dtype.type
        rows = vectors.reshape(-1, width)
        entities = self.new_arrays(leading, vectors.dtype) if out is None else dict(out)
        for name, part in self.parts.items():
            array, places = entities[name], part.places.reshape(-1)
            check_out(array, kind, (*leading, *part.shape))
            into = array.reshape(len(rows), len(places))
            gather_columns(rows, places, self._constants[name, kind], into)
        return entities

    def new_arrays(self, leading: tuple[int, ...], kind: np.dtype[Any]) -> dict[str, NDArray[Any]]:
        """Return arrays for entities, not yet written.

        Args:
            leading: The shape before that of a part, such as the number of games.
            kind: uint8 or float32.
        """
        parts = self.parts.items()
        return {name: np.empty((*leading, *part.shape), kind) for name, part in parts}

    @cached_property
    def _constants(self) -> dict[tuple[str, type], NDArray[Any]]:
        """What entries show that show no feature, flat, by the part and the kind of numbers."""
        found: dict[tuple[str, type], NDArray[Any]] = {}
        for name, part in self.parts.items():
            flat = part.constants.reshape(-1)
            found[name, np.uint8] = flat
            found[name, np.float32] = flat / part.highs.reshape(-1)
        return found


def _row_of(layout: ObservationLayout, owner: str) -> Part:
    """All that the vector says of the table or of a seat, in one row."""
    rows = _rows_of(layout, [owner])
    return rows._replace(
        rows=(), places=rows.places[0], constants=rows.constants[0], highs=rows.highs[0]
    )


def _rows_of(layout: ObservationLayout, owners: Sequence[str]) -> Part:
    """All that the vector says of several seats, a row each."""
    place = {name: number for number, name in enumerate(layout.names)}
    meaning = {block.name: block.meaning for block in layout.blocks}
    first = f"{owners[0]}."
    columns = tuple(name.removeprefix(first) for name in place if name.startswith(first))
    places = np.array([[place[f"{owner}.{column}"] for column in columns] for owner in owners])
    return Part(
        rows=tuple(owners),
        columns=columns,
        meanings=tuple(meaning[first + column.partition("[")[0]] for column in columns),
        places=places.astype(np.intp),
        constants=np.zeros(places.shape, np.uint8),
        highs=np.ones(places.shape, np.float32),
    )


def _objects(layout: ObservationLayout, objects: tuple[str, ...], record: Any) -> Part:
    """The rows of objects: what changes, then what does not; columns that none has are left out."""
    place = {name: number for number, name in enumerate(layout.names)}
    shown = [
        (column, [_feature_of(column, name, place) for name in objects])
        for column in _object_columns(layout.num_seats)
    ]
    shown = [(column, places) for column, places in shown if max(places) != NOBODY]
    facts = _facts(record)
    shape = (len(objects), len(shown) + len(facts))
    places = np.full(shape, NOBODY, np.intp)
    constants, highs = np.zeros(shape, np.uint8), np.ones(shape, np.float32)
    for number, (_, column_places) in enumerate(shown):
        places[:, number] = column_places
    for number, fact in enumerate(facts, start=len(shown)):
        constants[:, number] = [fact.values.get(name, 0) for name in objects]
        highs[:, number] = fact.high
    named = [(column.name, column.meaning) for column, _ in shown]
    named += [(fact.name, fact.meaning) for fact in facts]
    return Part(
        rows=objects,
        columns=tuple(name for name, _ in named),
        meanings=tuple(meaning for _, meaning in named),
        places=places,
        constants=constants,
        highs=highs,
    )


def _feature_of(column: ObjectColumn, name: str, place: Mapping[str, int]) -> int:
    """The feature that a column shows of an object; -1 for none."""
    kind, _, word = name.partition(":")
    patterns = column.features.get(name, column.features.get(kind, ()))
    return next((place[f] for p in patterns if (f := p.format(word)) in place), NOBODY)
