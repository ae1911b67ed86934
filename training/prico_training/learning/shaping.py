"""Hints on the way: potential-based shaping (Ng, Harada & Russell 1999).

Whoever's chance to win rises by a decision, as the appraisal of the built-in players sees it, is
paid the difference at once, and pays it back at the end: a finished game has the potential 0. So
what is best to play does not change, however wrong the appraisal is.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prico_agents.heuristic_engine.evaluation import fill_win_shares
from prico_agents.heuristic_engine.scratch import Desk, new_desk
from prico_agents.heuristic_engine.weights import believe
from prico_env import Games
from prico_env.core.api import kernel


class Potential:
    """What the position of each seat is worth in many games at once."""

    def __init__(self) -> None:
        """Take a place to think."""
        self._desk = new_desk()
        self._beliefs = believe()

    def of(self, games: Games) -> NDArray[np.float64]:
        """Each seat's chance to win in each running game, shape ``(games, seats)``."""
        chances = np.zeros((len(games), games.num_seats))
        _fill_chances(
            games.rule_sets[0].table[0], games.state, self._beliefs[0], self._desk, chances
        )
        return chances


@kernel
def _fill_chances(rules: Any, states: Any, beliefs: Any, desk: Desk, chances: Any) -> None:
    for game in range(states.shape[0]):
        fill_win_shares(rules, states[game], beliefs, desk, desk.shares)
        for seat in range(chances.shape[1]):
            chances[game, seat] = desk.shares[seat]
