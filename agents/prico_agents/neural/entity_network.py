"""The entity network of a trained player in plain NumPy: shared weights for boards and objects.

Every board goes through the same layer, and so does every object of a kind. What the boards are
encoded as goes on by their places in turn order, and an action is scored by what it is made of: its
kind asks, its object and its place answer, and what they say is multiplied (as in pointer networks,
Vinyals et al. 2015). So the same weights play at every table, whatever expansions there are.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.entity_inputs import (
    ActionScores,
    AnswerGroup,
    Axes,
    EntityInputs,
    RowRules,
    Rows,
    axes_of,
    rules_shown,
    seated_inputs,
)
from prico_agents.neural.layout import numbers_at
from prico_agents.neural.network import COUNTS, FORBIDDEN, UNKNOWN_ACTION, softmax
from prico_env import RuleSet
from prico_env.catalog.model import PLAYER_COUNTS

VALUE: Final = "value"
_Array = NDArray[np.float32]
Weights = Mapping[str, _Array]


class EntityNetwork:
    """An entity network in the games of one rule set, or several; see `network.Evaluator`.

    What is the same in every position of these games is worked out once: the normalizer and what
    the rules say of objects become a part of weights and biases, and kinds and objects that are not
    in the game are left out.

    Attributes:
        judges_own_seat: Whether its value is that of the seat that sees alone.
    """

    def __init__(
        self, weights: Weights, inputs: EntityInputs, rule_sets: Sequence[RuleSet] = ()
    ) -> None:
        """Fold the weights.

        Args:
            weights: Arrays by name, as `prico_training.learning.entity_model` makes them.
            inputs: Where inputs come from in the games of the rule set.
            rule_sets: Several with the same layout, of which each row has one; none: that of the
                inputs alone.
        """
        self._inputs, self._scores = inputs, ActionScores(inputs)
        players, relative = inputs.rules.players, weights["relative"]
        weight, bias = _folded(weights, "seat", inputs.seats)
        self._seat = weight, bias + relative[inputs.seats.numbers]
        own, own_bias = _folded(weights, "own", inputs.seats)
        table, table_bias = _folded(weights, "table", inputs.table)
        bias = own_bias[-1] + table_bias[0] + weights["players"][PLAYER_COUNTS.index(players)]
        told = rules_shown(inputs.axes, rule_sets or (inputs.rules,)) @ weights["rules"]
        self._first = np.concatenate([own, table]), bias + (told if rule_sets else told[0])
        depth = sum(name.startswith("trunk.") for name in weights) // 2
        self._trunk = [_layer(weights, f"trunk.{number}") for number in range(depth)]
        weight, bias = self._trunk[0]
        there = seated_inputs(self._first[0].shape[1], relative.shape[1], players)
        self._trunk[0] = np.ascontiguousarray(weight[there]), bias
        self._objects = {}
        for rows in inputs.objects:
            facts = inputs.facts_of(rows, rule_sets) if rule_sets else rows.facts
            weight, bias = _folded(weights, rows.axis, rows._replace(facts=facts))
            self._objects[rows.axis] = weight, bias + weights["embedding"][rows.numbers]
        self._width = weights["embedding"].shape[1]
        self._head = _layer(weights, "head")
        self._asks = _stacked(weights, self._scores)
        self._value = None
        if f"{VALUE}.weight" in weights:
            self._value = _layer(weights, "value_context"), _layer(weights, VALUE)
        self._value_seat = (
            weights["value_seat.weight"].T if "value_seat.weight" in weights else None
        )
        self.judges_own_seat = self._value is not None and self._value_seat is None

    def logits(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """How much the network likes each allowed action, shape ``(num_games, num_actions)``.

        Args:
            observations: Small integers, uint8, shape ``(num_games, num_features)``.
            legal: Allowed actions, shape ``(num_games, num_actions)``.
        """
        return np.where(legal, self.all_logits(observations), FORBIDDEN)

    def all_logits(
        self, observations: np.ndarray, numbers: NDArray[np.int64] | None = None
    ) -> np.ndarray:
        """How much it likes every action, shape ``(num_games, num_actions)``.

        Args:
            observations: Small integers, uint8, shape ``(num_games, num_features)``.
            numbers: Which of several rule sets each row is of, shape ``(num_games,)``.
        """
        inputs = COUNTS[self._inputs.gather(observations)]
        return self._logits_of(inputs, self._trunk_of(inputs, numbers)[0], numbers)

    def evaluate(
        self, observations: np.ndarray, legal: np.ndarray, rules: RowRules | None = None
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Judge positions; see `Evaluator`."""
        inputs = COUNTS[self._inputs.gather(observations)]
        numbers = None if rules is None else rules.numbers
        hidden, seats = self._trunk_of(inputs, numbers)
        priors = softmax(np.where(legal, self._logits_of(inputs, hidden, numbers), FORBIDDEN))
        if self._value is None:
            return priors, None
        (weight, bias), (out, out_bias) = self._value
        judged = (hidden @ weight + bias)[:, None]
        if self._value_seat is not None:
            judged = judged + np.roll(seats @ self._value_seat, 1, axis=1)
        values = np.maximum(judged, 0) @ out + out_bias
        return priors, np.clip(values[:, :, 0], 0, 1)

    def _trunk_of(
        self, inputs: _Array, numbers: NDArray[np.int64] | None = None
    ) -> tuple[_Array, _Array]:
        """The last hidden layer, and what the boards are encoded as, the own one last."""
        rows, (weight, bias) = len(inputs), self._seat
        boards = inputs[:, self._inputs.seats.inputs].reshape(-1, len(weight))
        seats = np.maximum((boards @ weight).reshape(rows, *bias.shape) + bias, 0)
        weight, bias = self._first
        bias = bias if numbers is None else bias[numbers]
        first = np.maximum(inputs[:, self._inputs.own_and_table] @ weight + bias, 0)
        hidden = np.concatenate([first, _flat(seats)], axis=1)
        for weight, bias in self._trunk:
            hidden = np.maximum(hidden @ weight + bias, 0)
        return hidden, seats

    def _logits_of(
        self, inputs: _Array, hidden: _Array, numbers: NDArray[np.int64] | None = None
    ) -> _Array:
        """Score each action: what its kind asks times what its object and its place answer."""
        weight, bias = self._head
        asks_weight, asks_bias = self._asks
        asked = (hidden @ weight + bias) @ asks_weight + asks_bias
        asked = asked.reshape(len(inputs), asked.shape[1] // self._width, self._width)
        scores = np.concatenate([
            _flat(asked[:, group.questions] @ self._answers(inputs, group, numbers))
            for group in self._scores.groups
        ], axis=1)  # fmt: skip
        logits = scores[:, self._scores.of_object]
        logits[:, self._scores.placed] += scores[:, self._scores.of_place]
        if self._scores.known is None:
            return logits
        known, num_actions = logits, self._inputs.rules.num_actions
        logits = np.full((len(inputs), num_actions), UNKNOWN_ACTION)
        logits[:, self._scores.known] = known
        return logits

    def _answers(
        self, inputs: _Array, group: AnswerGroup, numbers: NDArray[np.int64] | None
    ) -> _Array:
        """What the objects of a group answer, shape ``(rows, width, objects)``."""
        answers = []
        for rows in group.objects:
            weight, bias = self._objects[rows.axis]
            shown = inputs[:, rows.inputs].reshape(len(inputs), len(rows.numbers), len(weight))
            bias = bias if numbers is None else bias[numbers]
            answers.append(np.maximum(shown @ weight + bias, 0))
        return np.concatenate(answers, axis=1).transpose(0, 2, 1)


def _folded(weights: Weights, layer: str, rows: Rows) -> tuple[_Array, _Array]:
    """A layer over rows of inputs that takes counts as they are: its weight, and a bias a row."""
    weight = weights[f"{layer}.weight"]
    mean, scale = weights[f"mean.{rows.axis}"], weights[f"scale.{rows.axis}"]
    shown = np.ascontiguousarray((weight * scale)[:, rows.shown].T)
    return shown, (rows.facts - mean * scale) @ weight.T


def _flat(array: NDArray[Any]) -> NDArray[Any]:
    """All numbers of each row in one; there may be no rows."""
    return array.reshape(len(array), math.prod(array.shape[1:]))


def _layer(weights: Weights, name: str) -> tuple[_Array, _Array]:
    return weights[f"{name}.weight"].T, weights[f"{name}.bias"]


def _stacked(weights: Weights, scores: ActionScores) -> tuple[_Array, _Array]:
    """What kinds ask of objects, and then of places, in one layer."""
    parts = (("kinds", scores.kinds), ("places", scores.places))
    weight = np.concatenate([weights[f"{name}.weight"][rows] for name, rows in parts])
    bias = np.concatenate([weights[f"{name}.bias"][rows] for name, rows in parts])
    return np.ascontiguousarray(weight.reshape(-1, weight.shape[2]).T), bias.reshape(-1)


class EntityAdapter:
    """Fits an entity network to each table, told apart by how many features there are.

    Attributes:
        largest: The rule set that the network is made for: the most players, all expansions.
        axes: The names of its axes.
    """

    def __init__(self, largest: RuleSet, axes: Axes | None = None) -> None:
        """Work out which tables there are.

        Args:
            largest: The rule set that the network is made for.
            axes: The names of its axes; as in this version, if not given.
        """
        self.largest = largest
        self.axes = dict(axes or axes_of(largest))
        base = RuleSet(largest.players, largest.edition)
        self._rules = {
            table.observation.num_features: table
            for rules in (base, largest)
            for players in PLAYER_COUNTS
            if players <= largest.players
            for table in (numbers_at(rules, players),)
        }
        self._inputs: dict[RuleSet, EntityInputs] = {}

    def seats(self, num_features: int) -> int:
        """How many sit at the table that shows so many features."""
        return self._rules[num_features].players

    def inputs(self, num_features: int) -> EntityInputs:
        """Where inputs come from at the table that shows so many features."""
        return self.inputs_of(self._rules[num_features])

    def network(self, weights: Weights, rules: RuleSet) -> EntityNetwork:
        """The network of these weights in the games of a rule set."""
        return EntityNetwork(weights, self.inputs_of(rules))

    def inputs_of(self, rules: RuleSet) -> EntityInputs:
        """Where inputs come from in the games of a rule set."""
        if rules not in self._inputs:
            self._inputs[rules] = EntityInputs(self.axes, rules)
        return self._inputs[rules]
