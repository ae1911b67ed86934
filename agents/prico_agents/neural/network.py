"""The policy and value network of a trained player: plain NumPy, so that playing needs no Torch."""

from collections.abc import Mapping
from typing import Final, Protocol

import numpy as np

from prico_agents.neural.entity_inputs import RowRules
from prico_env.feature_scaling import CLIP

INPUT: Final = "log(1 + x)"
"""How a count enters the network: one barrel or none matters more than nine or ten."""
SCALED_INPUT: Final = "clip(factor * x + offset, -10, 10)"
"""How it enters one that was trained on scaled observations; it keeps factors and offsets."""
FACTOR: Final = "input.factor"
OFFSET: Final = "input.offset"
"""Names of these among its arrays, float32, shape ``(features,)``; other networks have none."""
FORBIDDEN: Final = np.float32(-np.inf)
"""The logit of an action that is not allowed."""
UNKNOWN_ACTION: Final = np.float32(-1e6)
"""The logit of an action that a network has not learnt: chosen only if it knows none that is
allowed. It is finite, so that even then an allowed action is found."""
VALUE: Final = "value"
"""Name of the layer that judges, beside the last one that chooses; a network may lack it."""
_LEAST_SHARE: Final = 1e-6
"""Keeps a position in which a network sees no winner from counting for nobody."""
COUNTS: Final = np.log1p(np.arange(256, dtype=np.float32))
"""What each count enters as."""


class Evaluator(Protocol):
    """What a search asks of a network: which moves look promising, and who may win.

    Attributes:
        judges_own_seat: Whether it judges for the seat that sees alone, so that each is asked.
    """

    judges_own_seat: bool

    def evaluate(
        self, observations: np.ndarray, legal: np.ndarray, rules: RowRules | None = None
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Judge positions.

        Args:
            observations: Small integers, uint8, shape ``(rows, num_features)``.
            legal: Allowed actions, shape ``(rows, num_actions)``.
            rules: By which rules each row is played, in games of several rule sets.

        Returns:
            How likely each action is chosen, shape ``(rows, num_actions)``, forbidden ones never;
            and chances to win from 0 to 1, of the seat that sees, shape ``(rows, 1)``, or of all,
            itself first and then clockwise, shape ``(rows, seats)``. None: it does not judge.
        """


class PolicyValueNetwork:
    """Features in, one number for each action out: layers of weights with ReLU between them.

    The arrays are used as they are, so a network made from the arrays of one that is still
    learning is always up to date.

    Attributes:
        judges_own_seat: Whether its value is that of the seat that sees alone.
    """

    def __init__(
        self,
        weights: Mapping[str, np.ndarray],
        features: np.ndarray | None = None,
        actions: np.ndarray | None = None,
    ) -> None:
        """Stack the layers.

        Features are picked from observations, rather than columns moved in the first layer: sums
        in the same order give the same moves, bit for bit, wherever the features stand.

        Args:
            weights: ``layer_0.weight`` of shape ``(out, in)``, ``layer_0.bias``, ``layer_1.…``;
                and, if it judges, ``value.weight`` and ``value.bias`` behind the last but one; and
                ``input.factor`` and ``input.offset``, if it reads scaled observations.
            features: The number of each of its inputs in an observation; by default all in order.
            actions: The number of each action it knows, `UNKNOWN_ACTION` stands for the others; by
                default it knows all.
        """
        self._features, self._actions = features, actions
        depth = sum(name.startswith("layer_") for name in weights) // 2
        self._layers = [_layer(weights, f"layer_{number}") for number in range(depth)]
        self._weights = weights
        self._value = _layer(weights, VALUE) if f"{VALUE}.weight" in weights else None
        self.judges_own_seat = self._value is not None and self._value[1].size == 1

    def logits(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """How much the network likes each allowed action, shape ``(num_games, num_actions)``.

        Args:
            observations: Small integers, uint8, shape ``(num_games, num_features)``.
            legal: Allowed actions, shape ``(num_games, num_actions)``.
        """
        return self._masked_logits(self._last_hidden(observations), legal)

    def evaluate(
        self, observations: np.ndarray, legal: np.ndarray, rules: RowRules | None = None
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Judge positions; see `Evaluator`."""
        del rules  # all that it knows of them is what it sees
        hidden = self._last_hidden(observations)
        logits = self._masked_logits(hidden, legal)
        if self._value is None:
            return softmax(logits), None
        weight, bias = self._value
        return softmax(logits), np.clip(hidden @ weight + bias, 0, 1)

    def _last_hidden(self, observations: np.ndarray) -> np.ndarray:
        """Activations of the last hidden layer, shape ``(num_games, width)``."""
        if self._features is not None:
            observations = observations[:, self._features]
        hidden = inputs_of(self._weights, observations)
        for weight, bias in self._layers[:-1]:
            hidden = hidden @ weight
            hidden += bias
            np.maximum(hidden, 0, out=hidden)
        return hidden

    def _masked_logits(self, hidden: np.ndarray, legal: np.ndarray) -> np.ndarray:
        weight, bias = self._layers[-1]
        logits = hidden @ weight + bias
        if self._actions is not None:
            known, logits = logits, np.full(legal.shape, UNKNOWN_ACTION)
            logits[:, self._actions] = known
        return np.where(legal, logits, FORBIDDEN)


def inputs_of(weights: Mapping[str, np.ndarray], observations: np.ndarray) -> np.ndarray:
    """What features enter a network of these weights as, float32, of the same shape."""
    if FACTOR not in weights:
        return COUNTS[observations]
    return np.clip(observations * weights[FACTOR] + weights[OFFSET], -CLIP, CLIP)


def _layer(weights: Mapping[str, np.ndarray], name: str) -> tuple[np.ndarray, np.ndarray]:
    return weights[f"{name}.weight"].T, weights[f"{name}.bias"]


def softmax(logits: np.ndarray) -> np.ndarray:
    """How likely each action of a row is: the softmax of its logits."""
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def in_seat_order(values: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Judgements of every seat in the order of seats, shape ``(rows, players)``.

    Args:
        values: The seat that sees first, then clockwise, shape ``(rows, players)``.
        seats: Which seat that is, shape ``(rows,)``.
    """
    players = values.shape[1]
    return np.take_along_axis(values, (np.arange(players) - seats[:, None]) % players, axis=1)


def win_probabilities(values: np.ndarray) -> np.ndarray:
    """Judgements of every seat as chances that sum to 1, float64, shape ``(rows, players)``."""
    shares = np.array(values, np.float64, order="C")
    shares += _LEAST_SHARE
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def best(logits: np.ndarray) -> np.ndarray:
    """The best action of each row; the lowest number wins ties."""
    return logits.argmax(axis=1)


def draw(logits: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """An action of each row, drawn with the softmax of its logits (the Gumbel-max trick)."""
    waits = generator.standard_exponential(logits.shape, dtype=np.float32)
    return (logits - np.log(np.maximum(waits, np.float32(1e-30)))).argmax(axis=1)
