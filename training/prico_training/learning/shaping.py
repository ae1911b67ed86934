"""Potential-based reward shaping (Ng, Harada & Russell 1999).

The potential of a position is each seat's win probability, as the evaluation of the built-in agents
has it. A rise is rewarded at once and paid back at the end: a finished game has the potential 0. So
what is best to play does not change, however wrong the evaluation is.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prico_agents.heuristic_engine.evaluation import fill_win_probabilities
from prico_agents.heuristic_engine.scratch import Scratch, new_scratch
from prico_agents.heuristic_engine.weights import new_weights
from prico_env import Games
from prico_env.core.api import kernel


class Potential:
    """The potential of each seat in many games at once."""

    def __init__(self) -> None:
        """Make the scratch arrays."""
        self._scratch = new_scratch()
        self._weights = new_weights()

    def of(self, games: Games) -> NDArray[np.float64]:
        """Each seat's win probability in each running game, shape ``(games, seats)``."""
        chances = np.zeros((len(games), games.num_seats))
        _fill_win_probabilities(games._table, games.state, self._weights[0], self._scratch, chances)
        return chances


@kernel
def _fill_win_probabilities(
    table: Any, states: Any, weights: Any, scratch: Scratch, chances: Any
) -> None:
    for game in range(states.shape[0]):
        state = states[game]
        rules = table[state["rules"]]
        fill_win_probabilities(rules, state, weights, scratch, scratch.win_probabilities)
        for seat in range(chances.shape[1]):
            chances[game, seat] = scratch.win_probabilities[seat]
