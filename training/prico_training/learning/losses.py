"""The losses and statistics of learning: small formulas, each with its source.

Masks say with true what is legal. Everything is computed for one row a decision.
"""

from typing import Final

import torch
from torch import Tensor

_FORBIDDEN: Final = -1.0e9
"""The logit of an illegal action: its probability is exactly 0, and 0 times it is still 0."""


def log_probabilities(logits: Tensor, masks: Tensor) -> Tensor:
    """Masked log-softmax (Huang & Ontañón 2020): illegal actions have the probability 0.

    Args:
        logits: Of the network, shape ``(rows, num_actions)``.
        masks: What is legal, bool, shape ``(rows, num_actions)``; at least one in each row.
    """
    # `where` is ten times as fast here as `masked_fill`.
    return torch.log_softmax(torch.where(masks, logits, _FORBIDDEN), dim=1)


def entropy(log_probs: Tensor) -> Tensor:
    """Entropy of each policy in nats, shape ``(rows,)``: ``-sum p log p`` (Shannon 1948)."""
    probs = torch.softmax(log_probs, dim=1)  # faster here than `exp`, which dislikes 0
    return -(probs * log_probs).sum(dim=1)


def value_loss(values: Tensor, returns: Tensor) -> Tensor:
    """Half the squared error of each row, shape ``(rows,)``, summed over seats and reward parts."""
    return 0.5 * (values - returns).square().flatten(1).sum(dim=1)


def explained_variance(values: Tensor, returns: Tensor) -> Tensor:
    """Share of the variance of the returns that the values predict; 1 is all, 0 is none of it."""
    return 1 - (returns - values).var() / returns.var()
