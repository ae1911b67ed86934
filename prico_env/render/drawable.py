"""What can be drawn."""

from typing import Protocol

import numpy as np

from prico_env.ruleset import RuleSet


class Drawable(Protocol):
    """What can be drawn: a `Game`, or anything else with a rule set and a record.

    Where it also has a ``history`` the last action is marked; where it has ``scores`` and
    ``ranking`` they are shown.
    """

    @property
    def rules(self) -> RuleSet:
        """What is played."""

    @property
    def state(self) -> np.ndarray:
        """The record, shape ``(1,)``."""
