"""How step sizes and bonuses fade over a budget."""

from typing import Final

from torch.optim import Optimizer

_FINAL_SHARE: Final = 0.1
"""What is left at the end of the budget, as a share of what there was at its start."""


def left_after(spent: float) -> float:
    """What is left, 1 at the start and a tenth at the end, when so much of the budget is used."""
    return 1 - (1 - _FINAL_SHARE) * min(1.0, spent)


def set_rate(optimizer: Optimizer, rate: float) -> None:
    """Let an optimizer make steps of this size."""
    for group in optimizer.param_groups:
        group["lr"] = rate
