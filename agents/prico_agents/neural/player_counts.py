"""One network at tables of several sizes: what it sees there, and whom it judges.

A network is made for the largest table it knows. At a smaller one the features of the seats that
are not there are left out, as if all their counts were 0, and nobody asks how it judges them.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.network import VALUE
from prico_env import RuleSet
from prico_env.catalog.model import PLAYER_COUNTS


class Tables:
    """The tables at which a network can sit, told apart by how many features there are.

    Attributes:
        largest: The rule set with the most players.
    """

    def __init__(self, largest: RuleSet) -> None:
        """Work out where features stand at each table."""
        self.largest = largest
        self._columns: dict[int, NDArray[np.int64]] = {}
        self._seats: dict[int, int] = {}
        for players in PLAYER_COUNTS:
            if players <= largest.players:
                columns = _columns_of(numbers_at(largest, players), largest)
                self._columns[players] = columns
                self._seats[len(columns)] = players

    def seats(self, num_features: int) -> int:
        """How many sit at the table that shows so many features."""
        return self._seats[num_features]

    def columns(self, players: int) -> NDArray[np.int64]:
        """Where the features of a table stand at the largest one, int64, shape ``(features,)``."""
        return self._columns[players]

    def fit(
        self, weights: Mapping[str, NDArray[np.float32]], players: int
    ) -> dict[str, NDArray[np.float32]]:
        """What is left of the weights of a network at a table of so many players."""
        fitted = dict(weights)
        first = weights["layer_0.weight"][:, self._columns[players]]
        fitted["layer_0.weight"] = np.ascontiguousarray(first)
        for name in (f"{VALUE}.weight", f"{VALUE}.bias"):
            if name in weights:
                fitted[name] = weights[name][:players]
        return fitted


def numbers_at(rules: RuleSet, players: int) -> RuleSet:
    """A rule set with the same numbers of actions and features, for so many players.

    Switches are those of its edition: they change what is allowed, and no number.
    """
    return RuleSet(players, rules.edition, rules.expansions)


def _columns_of(rules: RuleSet, within: RuleSet) -> NDArray[np.int64]:
    """Where the features of a table stand among those of a larger one, by the names of blocks."""
    places = {block.name: block for block in within.observation.blocks}
    found = (places[block.name] for block in rules.observation.blocks)
    return np.concatenate([np.arange(block.start, block.stop) for block in found])
