"""The policy that PPO is kept near: a mixture of trained policies that learn no more.

Who learns against a few opponents drifts away from what it knew of others. The KL divergence to
what it was, or to what several networks make of the same decisions, holds that back (piKL, Jacob et
al. 2022).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.entity_inputs import RowRules
from prico_agents.neural.network import FORBIDDEN, softmax
from prico_training.learning.model import FrozenNetwork

_EVENLY: Final = np.float32(0.1)
"""The share of the mixture that is spread over all legal actions, so that no divergence is
infinite."""
_CHUNK: Final = 4096
"""Decisions that go through the networks at once."""


class ReferencePolicy:
    """An even mixture of policies, of which a tenth is spread over what is legal."""

    def __init__(self, networks: Sequence[FrozenNetwork]) -> None:
        """Mix some networks; without any there is nothing to stay near."""
        self._networks = networks

    def log_probs(
        self, observations: NDArray[np.uint8], masks: NDArray[np.uint8], rules: RowRules
    ) -> NDArray[np.float32]:
        """Log-probabilities of the mixture, as `gradients.PpoTargets` wants them.

        Args:
            observations: Raw features, uint8, shape ``(rows, num_features)``.
            masks: What is legal, packed to bits, shape ``(rows, bytes)``.
            rules: By which rules each decision is made.

        Returns:
            Float32, shape ``(rows, num_actions)``; ``(rows, 0)`` without networks.
        """
        if not self._networks:
            return np.zeros((len(observations), 0), np.float32)
        starts = range(0, len(observations), _CHUNK)
        return np.concatenate(
            [
                self._mixture(observations[rows], masks[rows], rules[rows])
                for rows in (slice(start, start + _CHUNK) for start in starts)
            ]
        )

    def _mixture(
        self, observations: NDArray[np.uint8], masks: NDArray[np.uint8], rules: RowRules
    ) -> NDArray[np.float32]:
        logits = [network.logits(observations, rules) for network in self._networks]
        legal = np.unpackbits(masks, axis=1, count=logits[0].shape[1]).view(np.bool_)
        mixture = _EVENLY * legal / legal.sum(axis=1, keepdims=True)
        for each in logits:
            mixture += (1 - _EVENLY) / len(logits) * softmax(np.where(legal, each, FORBIDDEN))
        return np.log(mixture, out=np.zeros_like(each), where=legal)


NO_REFERENCE: Final = ReferencePolicy(())
"""Nothing to stay near."""
