"""The network a trained player thinks with: plain NumPy, so that playing needs no Torch."""

from collections.abc import Mapping
from typing import Final

import numpy as np

INPUT: Final = "log(1 + x)"
"""How a count enters the network: one barrel or none matters more than nine or ten."""
FORBIDDEN: Final = np.float32(-np.inf)
"""The logit of an action that is not allowed."""
_COUNTS: Final = np.log1p(np.arange(256, dtype=np.float32))


class Network:
    """Features in, one number for each action out: layers of weights with ReLU between them.

    The arrays are used as they are, so a network made from the arrays of one that is still
    learning is always up to date.
    """

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        """Stack the layers.

        Args:
            weights: ``layer_0.weight`` of shape ``(out, in)``, ``layer_0.bias``, ``layer_1.…``.
        """
        depth = sum(name.endswith(".weight") for name in weights)
        self._layers = [
            (weights[f"layer_{number}.weight"].T, weights[f"layer_{number}.bias"])
            for number in range(depth)
        ]

    def logits(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """How much the network likes each allowed action, shape ``(num_games, num_actions)``.

        Args:
            observations: Small integers, uint8, shape ``(num_games, num_features)``.
            legal: Allowed actions, shape ``(num_games, num_actions)``.
        """
        hidden = _COUNTS[observations]
        *inner, (weight, bias) = self._layers
        for inner_weight, inner_bias in inner:
            hidden = hidden @ inner_weight
            hidden += inner_bias
            np.maximum(hidden, 0, out=hidden)
        return np.where(legal, hidden @ weight + bias, FORBIDDEN)


def best(logits: np.ndarray) -> np.ndarray:
    """The best action of each row; the lowest number wins ties."""
    return logits.argmax(axis=1)


def draw(logits: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """An action of each row, drawn with the softmax of its logits (the Gumbel-max trick)."""
    waits = generator.standard_exponential(logits.shape, dtype=np.float32)
    return (logits - np.log(np.maximum(waits, np.float32(1e-30)))).argmax(axis=1)
