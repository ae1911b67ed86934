"""The entity network that learns: what `prico_agents.neural.entity_network` plays, in Torch.

Its inputs are those of `prico_agents.neural.entity_inputs`, normalised by column: the boards of all
seats share mean and deviation, and so do all objects of a kind.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy
from prico_agents.neural.entity_inputs import (
    KINDS,
    OBJECTS,
    PLACES,
    RULES,
    SEAT,
    TABLE,
    ActionScores,
    Axes,
    EntityInputs,
    RowRules,
    Rows,
    axis_of,
    first_columns,
    input_axes,
    rules_shown,
)
from prico_agents.neural.entity_network import EntityAdapter, Weights
from prico_agents.neural.layout import positions_of
from prico_agents.neural.network import COUNTS, VALUE
from prico_env import RuleSet
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.vocabulary import MAX_PLAYERS
from prico_training.config import NetworkShape
from prico_training.learning.model import (
    HIDDEN_GAIN,
    LEAST_DEVIATION,
    LearningNetwork,
    has_half_units,
)
from prico_training.learning.rollout import REWARD_PARTS

_FIRST_EMBEDDING: Final = 0.1
"""Deviation of the first embeddings of seats and objects."""
_FIRST_QUESTIONS: Final = 0.01
"""Deviation of what kinds ask at first, in parts of what keeps the scale: nearly even play."""
_OF_VALUE: Final = (f"{VALUE}.weight", f"{VALUE}.bias")
"""Arrays with a row for each part of the reward; a player has the first alone."""


class Questions(nn.Module):
    """What each kind of action asks of objects: a vector that depends on the position.

    Attributes:
        weight: Shape ``(kinds, width, inputs)``.
        bias: Shape ``(kinds, width)``.
    """

    def __init__(self, kinds: int, width: int, inputs: int) -> None:
        """Make it ask nearly nothing, so that first play is nearly even."""
        super().__init__()
        deviation = _FIRST_QUESTIONS / inputs**0.5
        self.weight = nn.Parameter(deviation * torch.randn(kinds, width, inputs))
        self.bias = nn.Parameter(torch.zeros(kinds, width))


class Table:
    """What an entity network needs to know of games whose features have one layout, as tensors.

    Attributes:
        inputs: Where inputs come from.
        groups: Who is asked together; see `ActionScores`.
        rules: What tells the rule sets apart; see `entity_inputs.rules_shown`.
        columns: See `EntityInputs`.
        kinds: See `ActionScores`, and so are `places`, `of_object`, `placed` and `of_place`.
        questions: What each group is asked.
        numbers: Of the rows of each axis; see `Rows`.
        shown: Likewise.
        facts: What each rule set says of the objects of each axis; see `EntityInputs.facts_of`.
    """

    def __init__(
        self, inputs: EntityInputs, rule_sets: Sequence[RuleSet], device: torch.device
    ) -> None:
        """Bring index arrays to where they are needed."""
        scores = ActionScores(inputs)
        self.inputs, self.groups = inputs, scores.groups

        def there(array: NDArray[Any]) -> Tensor:
            return torch.from_numpy(array).to(device)

        self.rules = there(rules_shown(inputs.axes, rule_sets))
        self.columns = there(inputs.columns)
        self.kinds, self.places = there(scores.kinds), there(scores.places)
        self.of_object, self.placed = there(scores.of_object), there(scores.placed)
        self.of_place = there(scores.of_place)
        self.questions = [there(group.questions) for group in scores.groups]
        rows = {each.axis: each for each in (inputs.seats, inputs.table, *inputs.objects)}
        self.numbers = {axis: there(each.numbers) for axis, each in rows.items()}
        self.shown = {axis: there(each.shown) for axis, each in rows.items()}
        self.facts = {each.axis: there(inputs.facts_of(each, rule_sets)) for each in inputs.objects}


class Folded(NamedTuple):
    """The weights of a network in games whose features have one layout.

    A layer is its weight for what is shown and its bias, of which all else has become a part.

    Attributes:
        shift: What is added to each input, shape ``(inputs,)``, after the multiplication.
        scale: What it is multiplied with.
        seat: The layer of the boards.
        first: The layer of the own board and the table; its bias has a row for each rule set.
        entrance: The first layer of the trunk, without the seats that are not there.
        questions: The layer of each group of questions.
        objects: The layer of each kind of objects, by its axis; its bias has the shape
            ``(rule_sets, objects, width)``.
    """

    shift: Tensor
    scale: Tensor
    seat: tuple[Tensor, Tensor]
    first: tuple[Tensor, Tensor]
    entrance: tuple[Tensor, Tensor]
    questions: list[tuple[Tensor, Tensor]]
    objects: dict[str, tuple[Tensor, Tensor]]

    def cast(self) -> "Folded":
        """The same in the type that layers are computed in where this is called."""
        return Folded(
            self.shift,
            self.scale,
            _cast(self.seat),
            _cast(self.first),
            _cast(self.entrance),
            [_cast(layer) for layer in self.questions],
            {axis: _cast(layer) for axis, layer in self.objects.items()},
        )


class EntityActorCritic(LearningNetwork):
    """Policy and value head on boards and objects that share weights."""

    tables: EntityAdapter

    def __init__(self, rules: RuleSet, shape: NetworkShape, value_seats: int) -> None:
        """Make a network with fresh weights.

        Args:
            rules: What it plays, with the most players.
            shape: The widths.
            value_seats: 1, or the seats of the game.
        """
        super().__init__(EntityAdapter(rules), value_seats, shape.half)
        axes, seat, asked = self.tables.axes, shape.seat_width, shape.object_width
        first, *others = shape.hidden
        columns = sum(len(axes[axis]) for axis in input_axes(axes))
        self.register_buffer("mean", torch.zeros(columns))
        self.register_buffer("scale", torch.ones(columns))
        self.seat = _linear(len(axes[SEAT]), seat, bias=False)
        self.relative = nn.Parameter(torch.randn(MAX_PLAYERS, seat) * _FIRST_EMBEDDING)
        self.own = _linear(len(axes[SEAT]), first, bias=False)
        self.table = _linear(len(axes[TABLE]), first, bias=False)
        self.players = nn.Parameter(torch.zeros(len(PLAYER_COUNTS), first))
        self.rules = nn.Parameter(torch.zeros(len(axes[RULES]), first))
        widths = (first + MAX_PLAYERS * seat, *(others or (first,)))
        self._layers = [_linear(before, after) for before, after in pairwise(widths)]
        self.trunk = nn.ModuleList(self._layers)
        self.objects = nn.ModuleDict({
            axis.partition(".")[2]: _linear(len(axes[axis]), asked, bias=False)
            for axis in input_axes(axes)[2:]
        })  # fmt: skip
        self.embedding = nn.Parameter(torch.randn(len(axes[OBJECTS]), asked) * _FIRST_EMBEDDING)
        self.head = _linear(widths[-1], shape.seat_width)
        self.kinds = Questions(len(axes[KINDS]), asked, shape.seat_width)
        self.places = Questions(len(axes[PLACES]), asked, shape.seat_width)
        self.value_context = _linear(widths[-1], seat)
        self.value_seat = _linear(seat, seat, bias=False) if value_seats > 1 else None
        self.value = nn.Linear(seat, len(REWARD_PARTS))
        nn.init.orthogonal_(self.value.weight)
        with torch.no_grad():
            self.value.bias[:] = torch.tensor([1 / rules.players, 0.0])
        self._first = first_columns(axes)
        self._tables: dict[int | tuple[RuleSet, ...], Table] = {}
        self._folded: dict[Table, Folded] | None = None

    def fit_normalizer(self, positions: Sequence[NDArray[np.uint8]]) -> None:
        """Take mean and deviation of each column; see `LearningNetwork`."""
        sums = np.zeros((3, len(self.mean)))
        for observations in positions:
            inputs = self.tables.inputs(observations.shape[1])
            present = inputs.features >= 0
            columns, features = inputs.columns[present], inputs.features[present]
            counts = np.take(COUNTS, observations).astype(np.float64)
            rows = np.full(len(features), float(len(counts)))
            np.add.at(sums[0], columns, rows)
            np.add.at(sums[1], columns, counts.sum(axis=0)[features])
            np.add.at(sums[2], columns, np.square(counts).sum(axis=0)[features])
        number = np.maximum(1, sums[0])
        mean = sums[1] / number
        deviation = np.sqrt(np.maximum(0, sums[2] / number - mean**2))
        scale = np.where(sums[0] > 0, 1 / (deviation + LEAST_DEVIATION), 1.0)
        self.mean.copy_(torch.from_numpy(mean))
        self.scale.copy_(torch.from_numpy(scale))

    @contextmanager
    def playing(self) -> Iterator[None]:
        """While this is open the weights do not change: they are folded once for each table."""
        self._folded = {}
        try:
            with super().playing():
                yield
        finally:
            self._folded = None

    def forward(
        self, observations: NDArray[np.uint8], rules: RowRules | None = None
    ) -> tuple[Tensor, Tensor]:
        """Compute logits and values; see `LearningNetwork`."""
        table = self._table_of(observations.shape[1], rules)
        numbers = None
        if rules is not None and len(rules.rule_sets) > 1:
            numbers = torch.from_numpy(rules.numbers).to(self.device)
        half = self._half and has_half_units(self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=half):
            folded = self._folded_for(table)
            counts = torch.from_numpy(np.take(COUNTS, table.inputs.gather(observations)))
            shown = torch.addcmul(folded.shift, counts.to(self.device), folded.scale)
            hidden, seats = self._trunk_of(table, folded, shown, numbers)
            logits = self._logits_of(table, folded, shown, hidden, numbers)
            values = self._values_of(hidden, seats)
        return logits.float(), values.float()

    def _folded_for(self, table: Table) -> Folded:
        """The weights at a table, from memory while they do not change."""
        if self._folded is None:
            return self._fold(table)
        if table not in self._folded:
            with torch.no_grad():
                self._folded[table] = self._fold(table).cast()
        return self._folded[table]

    def _fold(self, table: Table) -> Folded:
        """Work out all that is the same in every position of the games of a table."""
        inputs, players = table.inputs, table.inputs.rules.players
        scale = self.scale[table.columns]
        seat, seat_bias = self._rows(self.seat, table, inputs.seats)
        own, own_bias = self._rows(self.own, table, inputs.seats)
        common, common_bias = self._rows(self.table, table, inputs.table)
        first_bias = own_bias[-1] + common_bias[0] + self.players[PLAYER_COUNTS.index(players)]
        with torch.autocast(self.device.type, enabled=False):
            first_bias = first_bias + table.rules @ self.rules
        entrance, width = self._layers[0], self.seat.out_features
        others_end = own.shape[0] + (players - 1) * width
        own_start = entrance.in_features - width
        seated = [entrance.weight[:, :others_end], entrance.weight[:, own_start:]]
        weights = torch.cat([self.kinds.weight[table.kinds], self.places.weight[table.places]])
        biases = torch.cat([self.kinds.bias[table.kinds], self.places.bias[table.places]])
        return Folded(
            shift=-self.mean[table.columns] * scale,
            scale=scale,
            seat=(seat, seat_bias + self.relative[table.numbers[SEAT]]),
            first=(torch.cat([own, common], dim=1), first_bias),
            entrance=(torch.cat(seated, dim=1), entrance.bias),
            questions=[
                (weights[each].flatten(0, 1), biases[each].flatten()) for each in table.questions
            ],
            objects={rows.axis: self._fold_objects(table, rows) for rows in inputs.objects},
        )

    def _fold_objects(self, table: Table, rows: Rows) -> tuple[Tensor, Tensor]:
        """The layer of a kind of objects, with what each of them is embedded as in its bias."""
        weight, bias = self._rows(self.objects[rows.axis.partition(".")[2]], table, rows)
        return weight, bias + self.embedding[table.numbers[rows.axis]]

    def _trunk_of(
        self, table: Table, folded: Folded, shown: Tensor, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """The last hidden layer, and what the boards are encoded as, the own one last."""
        inputs, players = table.inputs, table.inputs.rules.players
        weight, bias = folded.seat
        boards = shown[:, inputs.seats.inputs].reshape(len(shown), players, len(inputs.seats.shown))
        seats = nn.functional.linear(boards, weight)
        seats = torch.relu(seats + bias.to(seats.dtype))
        weight, bias = folded.first
        first = nn.functional.linear(shown[:, inputs.own_and_table], weight)
        first = torch.relu(first + _of_rows(bias, numbers).to(first.dtype))
        hidden = torch.cat([first, seats.flatten(1)], dim=1)
        hidden = torch.relu(nn.functional.linear(hidden, *folded.entrance))
        for layer in self._layers[1:]:
            hidden = torch.relu(layer(hidden))
        return hidden, seats

    def _logits_of(
        self,
        table: Table,
        folded: Folded,
        shown: Tensor,
        hidden: Tensor,
        numbers: Tensor | None,
    ) -> Tensor:
        """Score each action: what its kind asks times what its object and its place answer."""
        asking, scores = self.head(hidden), []
        for group, (weight, bias) in zip(table.groups, folded.questions, strict=True):
            asked = nn.functional.linear(asking, weight, bias)
            asked = asked.reshape(len(shown), len(group.questions), self.embedding.shape[1])
            answers = torch.cat(
                [_answers(folded, shown, rows, numbers) for rows in group.objects], dim=1
            )
            scores.append(_products(asked, answers).flatten(1))
        scored = torch.cat(scores, dim=1)
        logits = scored.index_select(1, table.of_object)
        return logits.index_add(1, table.placed, scored.index_select(1, table.of_place))

    def _rows(self, layer: nn.Module, table: Table, rows: Rows) -> tuple[Tensor, Tensor]:
        """A layer over rows: its weight for what is shown, and what all else adds to each row.

        The second has the shape ``(rule_sets, rows, width)`` for objects, of which rules say more
        or less, and ``(1, width)`` for seats and the table.
        """
        weight = layer.get_parameter("weight")
        axis = slice(self._first[rows.axis], self._first[rows.axis] + weight.shape[1])
        told = -self.mean[axis] * self.scale[axis]
        told = told.index_fill(0, table.shown[rows.axis], 0.0)[None]
        if rows.axis in table.facts:
            told = table.facts[rows.axis] + told
        with torch.autocast(weight.device.type, enabled=False):
            bias = told @ weight.T
        return weight.index_select(1, table.shown[rows.axis]), bias

    def _values_of(self, hidden: Tensor, seats: Tensor) -> Tensor:
        """Value each part of the reward for each seat, the own one first."""
        judged = self.value_context(hidden)[:, None]
        if self.value_seat is not None:
            judged = judged + self.value_seat(torch.roll(seats, 1, dims=1))
        values: Tensor = self.value(torch.relu(judged))
        return values

    def _table_of(self, num_features: int, rules: RowRules | None) -> Table:
        """All that is the same in every position of games that show so many features."""
        key = num_features if rules is None else rules.rule_sets
        if key not in self._tables:
            inputs = (
                self.tables.inputs(num_features)
                if rules is None
                else self.tables.inputs_of(rules.widest)
            )
            rule_sets = (inputs.rules,) if rules is None else rules.rule_sets
            self._tables[key] = Table(inputs, rule_sets, self.device)
        return self._tables[key]

    def to_weights(self) -> dict[str, NDArray[np.float32]]:
        """Return what an `EntityNetwork` plays with; see `LearningNetwork`."""
        return {
            name: (tensor[:1] if name in _OF_VALUE else tensor).cpu().numpy().copy()
            for name, tensor in self._named_tensors().items()
        }

    @torch.no_grad()
    def load_weights(self, policy: SavedPolicy) -> None:
        """Take the weights of another network; see `LearningNetwork`.

        Objects and kinds of actions that are new keep their fresh weights. Columns that are not
        known here, those of expansions, are 0 in all games to come: what they add becomes a part of
        biases.
        """
        ours = self._named_tensors()
        if policy.axes is None or set(_arrays(ours)) != set(_arrays(policy.weights)):
            raise CheckpointError(
                "a network of kind entities cannot start from one of another kind, or with other "
                "layers or values; set network.kind, network.hidden and network.values to its own"
            )
        for name, tensor in ours.items():
            target = tensor
            if name in _OF_VALUE:
                target, tensor[1:] = tensor[:1], 0.0
            if name in policy.weights:
                self._copy_named(name, target, policy.weights[name], policy.axes)
        unknown = partial(self._of_unknown_columns, policy.weights, policy.axes)
        self.relative.add_(unknown("seat", SEAT))
        self.players.add_(unknown("own", SEAT) + unknown("table", TABLE))
        for rows in self.tables.inputs_of(self.tables.largest).objects:
            if rows.axis in policy.axes:
                numbers = torch.from_numpy(rows.numbers).to(self.device)
                self.embedding[numbers] += unknown(rows.axis, rows.axis)

    def _of_unknown_columns(self, weights: Weights, axes: Axes, layer: str, axis: str) -> Tensor:
        """What columns of another network that this one lacks add to a layer when they are 0."""
        known = set(self.tables.axes[axis])
        unknown = np.array([name not in known for name in axes[axis]], np.bool_)
        shown = (-weights[f"mean.{axis}"] * weights[f"scale.{axis}"])[unknown]
        added = shown @ weights[f"{layer}.weight"][:, unknown].T
        return torch.from_numpy(added.astype(np.float32)).to(self.device)

    def _copy_named(
        self, name: str, target: Tensor, given: NDArray[np.float32], axes: Axes
    ) -> None:
        """Copy an array of another network to where its names stand in this one."""
        axis, dimension = axis_of(name)
        array = torch.from_numpy(given.copy()).to(self.device)
        if axis is not None:
            common = [each for each in axes[axis] if each in set(self.tables.axes[axis])]
            origin = torch.from_numpy(positions_of(common, axes[axis]))
            to = torch.from_numpy(positions_of(common, self.tables.axes[axis]))
            array = array.index_select(dimension, origin.to(self.device))
        fits = [
            here == there
            for number, (here, there) in enumerate(zip(target.shape, array.shape, strict=True))
            if axis is None or number != dimension
        ]
        if not all(fits):
            raise CheckpointError(
                f"a network whose {name} has the shape {tuple(target.shape)} cannot start from one "
                f"of {given.shape}; set network.hidden, network.seat_width and "
                "network.object_width to those of the other"
            )
        if axis is None:
            target.copy_(array)
        else:
            if dimension == 1:  # columns that are new weigh nothing
                target.zero_()
            target.index_copy_(dimension, to.to(self.device), array)

    def _named_tensors(self) -> dict[str, Tensor]:
        """Every array of the network as it is, by its name in a policy."""
        named = {name: parameter.detach() for name, parameter in self.named_parameters()}
        for axis, start in self._first.items():
            stop = start + len(self.tables.axes[axis])
            named[f"mean.{axis}"] = self.mean[start:stop]
            named[f"scale.{axis}"] = self.scale[start:stop]
        return named


def _cast(layer: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """A layer in the type that layers are computed in here."""
    device = layer[0].device.type
    half = torch.is_autocast_enabled(device)
    dtype = torch.get_autocast_dtype(device) if half else layer[0].dtype
    return layer[0].to(dtype), layer[1].to(dtype)


def _of_rows(bias: Tensor, numbers: Tensor | None) -> Tensor:
    """The bias of each row by its rule set; None where there is one alone."""
    return bias if numbers is None else bias.index_select(0, numbers)


def _answers(folded: Folded, shown: Tensor, rows: Rows, numbers: Tensor | None) -> Tensor:
    """What the objects of a kind answer, shape ``(rows, objects, width)``.

    Args:
        folded: The weights.
        shown: The inputs.
        rows: The objects.
        numbers: Which of the rule sets each row is of; None where there is one alone.
    """
    weight, bias = folded.objects[rows.axis]
    columns = shown[:, rows.inputs].reshape(len(shown), len(rows.numbers), len(rows.shown))
    answers = nn.functional.linear(columns, weight)
    return torch.relu(answers + _of_rows(bias.to(answers.dtype), numbers))


def _products(asked: Tensor, answers: Tensor) -> Tensor:
    """Multiply each question with each answer, in 32 bits: small products are slow in 16.

    Args:
        asked: Shape ``(rows, questions, width)``.
        answers: Shape ``(rows, objects, width)``.

    Returns:
        Shape ``(rows, questions, objects)``.
    """
    with torch.autocast(asked.device.type, enabled=False):
        return torch.bmm(asked.float(), answers.float().transpose(1, 2))


def _arrays(names: Iterable[str]) -> list[str]:
    """The arrays that networks of the same layers share, whatever objects they know."""
    return [name for name in names if f"{OBJECTS}." not in name]


def _linear(inputs: int, outputs: int, bias: bool = True) -> nn.Linear:
    with warnings.catch_warnings():  # some kinds of objects have no columns in the base game
        warnings.filterwarnings("ignore", "Initializing zero-element tensors")
        layer = nn.Linear(inputs, outputs, bias)
    nn.init.orthogonal_(layer.weight, gain=HIDDEN_GAIN)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer
