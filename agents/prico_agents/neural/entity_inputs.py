"""What an entity network takes in and chooses from, by name, at any table.

Such a network has a weight for each column of a seat, of the table and of each kind of object (see
`prico_env.entity_layout`), and shares it over all rows of that kind. Its arrays have axes with
names, so it finds its columns, objects and kinds of actions at every table and in later versions:
what a table does not have counts as 0, and what a network has not learnt is left out.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.layout import positions_of
from prico_env import Games, RuleSet
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.core.api import gather_columns
from prico_env.ruleset import PRESETS
from prico_env.vocabulary import EXPANSIONS, MAX_PLAYERS

Axes = Mapping[str, tuple[str, ...]]
"""The names along the axes of a network's arrays, by the name of the axis."""
SEAT: Final = "seat"
TABLE: Final = "table"
OBJECTS: Final = "objects"
KINDS: Final = "kinds"
PLACES: Final = "places"
RULES: Final = "rules"
"""What tells rule sets apart: edition and expansions, which positions show in part only."""
_OTHER: Final = "other"
"""The kind of objects that have no kind in their names, such as the portrait."""
_EDITIONS: Final = tuple(dict.fromkeys(preset.edition for preset in PRESETS.values()))
_NAMED: Final[dict[str, tuple[str | None, int]]] = {
    "seat": (SEAT, 1),
    "own": (SEAT, 1),
    "table": (TABLE, 1),
    "embedding": (OBJECTS, 0),
    "kinds": (KINDS, 0),
    "places": (PLACES, 0),
    "rules": (RULES, 0),
}
"""The axis with names, and its dimension, of the arrays of a layer."""
_SPOTS: Final = (f"{OBJECTS}.tile", f"{OBJECTS}.building")
"""The kinds of objects on which units stand."""
_ABSENT: Final = -1
"""The place of a feature that is not there."""


def axes_of(rules: RuleSet) -> dict[str, tuple[str, ...]]:
    """The axes of a network that is made for a rule set, as this version names them.

    ``seat`` and ``table`` are columns, and so is ``objects.role`` and the like, of each kind of
    objects; ``objects`` and ``kinds`` are what actions are made of, and ``places`` are the kinds
    of actions that have a place; ``rules`` are editions and expansions.
    """
    parts, actions = rules.entities.parts, rules.actions
    axes = {SEAT: parts["self"].columns, TABLE: parts["table"].columns}
    part = parts["objects"]
    told = (part.places != _ABSENT) | (part.constants > 0)
    for axis, rows in _rows_by_axis(part.rows).items():
        columns = np.flatnonzero(told[rows].any(axis=0)).tolist()
        shown = (part.columns[column] for column in columns)
        axes[axis] = tuple(name for name in shown if not name.startswith("is_"))
    with_place = actions.factors[actions.factors[:, 2] > 0, 0]
    placed = tuple(actions.kinds[kind] for kind in np.unique(with_place).tolist())
    told_apart = (*_EDITIONS, *EXPANSIONS)
    axes |= {OBJECTS: actions.objects, KINDS: actions.kinds, PLACES: placed}
    return axes | {RULES: told_apart}


def rules_shown(axes: Axes, rule_sets: Sequence[RuleSet]) -> NDArray[np.float32]:
    """What tells rule sets apart, 1 or 0, float32, shape ``(rule_sets, len(axes["rules"]))``."""
    shown = [
        [name == rules.edition or name in rules.expansions for name in axes[RULES]]
        for rules in rule_sets
    ]
    return np.array(shown, np.float32)


def input_axes(axes: Axes) -> tuple[str, ...]:
    """The axes that are columns of inputs, in order."""
    return SEAT, TABLE, *(axis for axis in axes if axis.startswith(f"{OBJECTS}."))


def axis_of(array: str) -> tuple[str | None, int]:
    """Which axis of an array of the network has names, and which of its dimensions that is."""
    layer, _, rest = array.partition(".")
    if layer in ("mean", "scale"):
        return rest, 0
    if layer == OBJECTS:
        return array.rpartition(".")[0], 1
    return _NAMED.get(layer, (None, 0))


def entity_shapes(weights: Mapping[str, NDArray[Any]], axes: Axes) -> dict[str, tuple[int, ...]]:
    """The shapes that the arrays of an entity network have, by name.

    Args:
        weights: Its arrays, of which some say how wide its layers are.
        axes: The names along its axes.
    """

    def rows(name: str) -> int:
        return len(weights[name]) if name in weights else 0

    seat, first, asked = rows("seat.weight"), rows("own.weight"), rows(f"{OBJECTS}.role.weight")
    depth = sum(name.startswith("trunk.") for name in weights) // 2
    widths = [
        first + MAX_PLAYERS * seat,
        *(rows(f"trunk.{number}.weight") for number in range(depth)),
    ]
    shapes: dict[str, tuple[int, ...]] = {
        "seat.weight": (seat, len(axes[SEAT])),
        "relative": (MAX_PLAYERS, seat),
        "own.weight": (first, len(axes[SEAT])),
        "table.weight": (first, len(axes[TABLE])),
        "players": (len(PLAYER_COUNTS), first),
        "rules": (len(axes[RULES]), first),
        "embedding": (len(axes[OBJECTS]), asked),
        "head.weight": (rows("head.bias"), widths[-1]),
        "head.bias": (rows("head.bias"),),
    }
    for number, (before, after) in enumerate(pairwise(widths)):
        shapes |= {f"trunk.{number}.weight": (after, before), f"trunk.{number}.bias": (after,)}
    for axis in (KINDS, PLACES):
        shapes[f"{axis}.weight"] = (len(axes[axis]), asked, rows("head.bias"))
        shapes[f"{axis}.bias"] = (len(axes[axis]), asked)
    for axis in input_axes(axes):
        shapes |= {f"{part}.{axis}": (len(axes[axis]),) for part in ("mean", "scale")}
    for axis in input_axes(axes)[2:]:
        shapes[f"{axis}.weight"] = (asked, len(axes[axis]))
    if "value.weight" in weights:
        judging = rows("value_context.weight")
        shapes |= {
            "value_context.weight": (judging, widths[-1]),
            "value_context.bias": (judging,),
            "value.weight": (1, judging),
            "value.bias": (1,),
        }
        if "value_seat.weight" in weights:
            shapes["value_seat.weight"] = (judging, seat)
    return shapes


def first_columns(axes: Axes) -> dict[str, int]:
    """The first column of each axis of inputs, where all of them are counted through."""
    first, total = {}, 0
    for axis in input_axes(axes):
        first[axis], total = total, total + len(axes[axis])
    return first


def seated_inputs(first: int, seat: int, players: int) -> NDArray[np.int64]:
    """The inputs of the first shared layer that are there at a table of so many players.

    They are what comes of the own seat and the table, and then what each other seat is encoded as,
    in turn order, and the own one; there is room for the most players.

    Args:
        first: How many come of the own seat and the table.
        seat: How many of each seat.
        players: Seats of the table.
    """
    seats = [*range(players - 1), MAX_PLAYERS - 1]
    blocks = [np.arange(seat) + first + number * seat for number in seats]
    return np.concatenate([np.arange(first), *blocks])


class RowRules:
    """By which rules each row of a batch is played.

    Attributes:
        rule_sets: Some rule sets, whose features have one layout.
        numbers: Which of them it is, int64, shape ``(rows,)``.
    """

    __slots__ = ("numbers", "rule_sets")

    def __init__(self, rule_sets: tuple[RuleSet, ...], numbers: NDArray[np.int64]) -> None:
        """Take both as they are."""
        self.rule_sets, self.numbers = rule_sets, numbers

    @classmethod
    def of(cls, games: Games) -> "RowRules":
        """By which rules the games of a batch are played."""
        return cls(games.rule_sets, games.state["rules"].astype(np.int64))

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, rows: Any) -> "RowRules":
        """The same of some of the rows."""
        return RowRules(self.rule_sets, self.numbers[rows])

    @property
    def widest(self) -> RuleSet:
        """The rule set with all actions and objects that any of them has."""
        return max(self.rule_sets, key=lambda rules: rules.num_actions)


class Rows(NamedTuple):
    """Rows of a table that share their columns: its seats, the table itself, objects of a kind.

    Attributes:
        axis: The axis of the columns.
        numbers: Which rows they are of all that the network knows, int64: objects by their
            numbers, seats by their places in turn order.
        shown: The columns that are inputs here, int64; others have no feature in any row.
        facts: What the rules add to each column, float32, shape ``(rows, columns)``.
        inputs: Where the inputs stand, row by row.
    """

    axis: str
    numbers: NDArray[np.int64]
    shown: NDArray[np.int64]
    facts: NDArray[np.float32]
    inputs: slice


class EntityInputs:
    """Where the inputs of an entity network come from in the games of a rule set.

    Inputs stand in one row: the other seats in turn order, the own seat, the table, and then the
    objects, one kind after the other.

    Attributes:
        axes: The names of the network's axes.
        rules: The rule set.
        features: The feature that each input shows, intp, shape ``(inputs,)``; -1 for none.
        columns: The column of each input among all columns of the network, int64,
            shape ``(inputs,)``.
        seats: The boards, the own one last.
        table: The table.
        own_and_table: Where the inputs of the own seat and the table stand.
        objects: The objects, kind by kind.
    """

    def __init__(self, axes: Axes, rules: RuleSet) -> None:
        """Find everything by its name.

        Args:
            axes: The names of the network's axes.
            rules: What is played.
        """
        self.axes, self.rules = axes, rules
        self.features: NDArray[np.intp] = np.zeros(0, np.intp)
        self.columns: NDArray[np.int64] = np.zeros(0, np.int64)
        parts = rules.entities.parts
        boards = np.vstack([parts["others"].places, parts["self"].places])
        self.seats = self._add(SEAT, [*range(1, rules.players), 0], parts["self"].columns, boards)
        self.table = self._add(TABLE, [0], parts["table"].columns, parts["table"].places[None])
        own = self.seats.inputs.stop - len(self.seats.shown)
        self.own_and_table = slice(own, self.table.inputs.stop)
        objects = parts["objects"]
        known = {name: number for number, name in enumerate(axes[OBJECTS])}
        self.objects: list[Rows] = []
        for axis, there in _rows_by_axis(objects.rows).items():
            rows = [row for row in there if objects.rows[row] in known and axis in axes]
            if rows:
                numbers = [known[objects.rows[row]] for row in rows]
                facts = (objects.constants[rows] / objects.highs[rows]).astype(np.float32)
                found = self._add(axis, numbers, objects.columns, objects.places[rows], facts)
                self.objects.append(found)
        self._nothing = np.zeros(len(self.features), np.uint8)

    def gather(self, observations: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the features that the inputs show, uint8, shape ``(rows, inputs)``."""
        shown = np.empty((len(observations), len(self.features)), np.uint8)
        gather_columns(observations, self.features, self._nothing, shown)
        return shown

    def facts_of(self, rows: Rows, rule_sets: Sequence[RuleSet]) -> NDArray[np.float32]:
        """What several rule sets add to the columns of objects, 0 where they have no such object.

        Args:
            rows: Objects of a kind.
            rule_sets: Rule sets whose features have the same layout.

        Returns:
            float32, shape ``(rule_sets, objects, columns)``.
        """
        wanted, names = self.axes[rows.axis], [self.axes[OBJECTS][n] for n in rows.numbers.tolist()]
        facts = np.zeros((len(rule_sets), len(names), len(wanted)), np.float32)
        for number, rules in enumerate(rule_sets):
            part = rules.entities.parts["objects"]
            there = [place for place, name in enumerate(names) if name in set(part.rows)]
            known = [place for place, name in enumerate(wanted) if name in set(part.columns)]
            taken = np.ix_(positions_of(names, part.rows), positions_of(wanted, part.columns))
            shares = part.constants[taken] / part.highs[taken]
            facts[number][np.ix_(there, known)] = shares
        return facts

    def _add(
        self,
        axis: str,
        numbers: Sequence[int],
        names: Sequence[str],
        places: NDArray[np.intp],
        constants: NDArray[np.float32] | None = None,
    ) -> Rows:
        """Add the inputs of some rows, in the columns of an axis.

        Args:
            axis: The axis.
            numbers: Which rows they are.
            names: The columns that the rows have in this version.
            places: The feature of each, shape ``(rows, names)``.
            constants: What the rules say there, likewise.
        """
        wanted, there, start = self.axes[axis], set(names), len(self.features)
        is_there = np.array([name in there for name in wanted], np.bool_)
        taken, shape = positions_of(wanted, names), (len(places), len(wanted))
        features, facts = np.full(shape, _ABSENT, np.intp), np.zeros(shape, np.float32)
        features[:, is_there] = places[:, taken]
        if constants is not None:
            facts[:, is_there] = constants[:, taken]
        shown = np.flatnonzero((features != _ABSENT).any(axis=0))
        first = first_columns(self.axes)[axis]
        columns = np.broadcast_to(first + shown, (len(places), len(shown)))
        self.features = np.concatenate([self.features, features[:, shown].ravel()])
        self.columns = np.concatenate([self.columns, columns.ravel()])
        inputs = slice(start, len(self.features))
        return Rows(axis, np.array(numbers, np.int64), shown, facts, inputs)


class AnswerGroup(NamedTuple):
    """Objects that are asked together.

    Attributes:
        objects: Their kinds.
        questions: What any action asks of any of them, int64, see `ActionScores`.
    """

    objects: tuple[Rows, ...]
    questions: NDArray[np.int64]


class ActionScores:
    """How the actions of a rule set are scored by what they are made of.

    Each kind of action asks a question of its object, and each kind that has a place another one
    of that. There is a score for each question and each object of a group that is asked it.

    Attributes:
        kinds: The kinds there are, by their numbers in the network, int64. Questions are numbered
            in this order; behind them come those of the places.
        places: The kinds that have a place, by their numbers among such in the network, int64.
        groups: Who is asked what: first the spots of units, then all else.
        known: The actions that the network knows, int64; None for all.
        of_object: Where the kind of each of them meets its object among all scores, int64.
        placed: Which of them have a place, int64.
        of_place: Where their kind meets their place, int64.
    """

    def __init__(self, inputs: EntityInputs) -> None:
        """Find everything by its name."""
        axes, actions = inputs.axes, inputs.rules.actions
        self.kinds = positions_of(actions.kinds, axes[KINDS])
        self.places = positions_of(actions.kinds, axes[PLACES])
        asked = [axes[KINDS][kind] for kind in self.kinds.tolist()]
        placed = [axes[PLACES][kind] for kind in self.places.tolist()]
        there = {axes[OBJECTS][row] for part in inputs.objects for row in part.numbers.tolist()}
        known: list[int] = []
        with_place: list[int] = []
        of_object: list[tuple[int, str]] = []  # the question, and who is asked
        of_place: list[tuple[int, str]] = []
        for action, parts in enumerate(actions.factors.tolist()):
            kind, what, where = actions.kinds[parts[0]], *(actions.objects[n] for n in parts[1:])
            has_place = parts[2] > 0
            if kind not in asked or what not in there or (has_place and where not in there):
                continue
            if has_place:
                with_place.append(len(known))
                of_place.append((len(asked) + placed.index(kind), where))
            of_object.append((asked.index(kind), what))
            known.append(action)
        self.groups: list[AnswerGroup] = []
        place: dict[tuple[int, str], int] = {}
        for is_spot in (True, False):
            objects = tuple(part for part in inputs.objects if (part.axis in _SPOTS) == is_spot)
            names = [axes[OBJECTS][row] for part in objects for row in part.numbers.tolist()]
            met = {question for question, name in (*of_object, *of_place) if name in set(names)}
            self.groups.append(AnswerGroup(objects, np.array(sorted(met), np.int64)))
            for each in ((question, name) for question in sorted(met) for name in names):
                place[each] = len(place)
        self.known = None if len(known) == len(actions) else np.array(known, np.int64)
        self.of_object = np.array([place[each] for each in of_object], np.int64)
        self.placed = np.array(with_place, np.int64)
        self.of_place = np.array([place[each] for each in of_place], np.int64)


def _rows_by_axis(objects: Sequence[str]) -> dict[str, list[int]]:
    """The rows of each kind of objects, by the axis of its columns."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(objects):
        kind, colon, _ = name.partition(":")
        rows.setdefault(f"{OBJECTS}.{kind if colon else _OTHER}", []).append(row)
    return rows
