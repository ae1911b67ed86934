"""One network at tables of several sizes and in later versions: what it sees, and whom it judges.

A network is made for the largest table it knows. At a smaller one the features of the seats that
are not there are left out, as if all their counts were 0, and nobody asks how it judges them.
Features and actions that it has not learnt are left out in the same way.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from prico_agents.neural.layout import NetworkLayout, network_layout, numbers_at, positions_of
from prico_agents.neural.network import FACTOR, OFFSET, VALUE, PolicyValueNetwork
from prico_env import RuleSet
from prico_env.catalog.model import PLAYER_COUNTS
from prico_env.feature_scaling import CLIP


class PlayerCountAdapter:
    """Fits a network to each number of players, told apart by how many features there are.

    Attributes:
        largest: The rule set with the most players.
    """

    def __init__(self, largest: RuleSet, layout: NetworkLayout | None = None) -> None:
        """Work out where features stand at each table.

        Args:
            largest: The rule set with the most players.
            layout: What inputs and outputs of the network mean; as in this version, if not given.
        """
        self.largest = largest
        ours = network_layout(largest)
        layout = layout or ours
        self._columns: dict[int, NDArray[np.int64]] = {}
        self._features: dict[int, NDArray[np.int64] | None] = {}
        self._seats: dict[int, int] = {}
        for players in PLAYER_COUNTS:
            if players <= largest.players:
                shown = network_layout(numbers_at(largest, players)).features
                there = set(shown)
                columns = [n for n, name in enumerate(layout.features) if name in there]
                self._columns[players] = np.array(columns, np.int64)
                self._features[players] = _unless_same(layout.features, shown)
                self._seats[len(shown)] = players
        self._actions = _unless_same(layout.actions, ours.actions)

    def seats(self, num_features: int) -> int:
        """How many sit at the table that shows so many features."""
        return self._seats[num_features]

    def columns(self, players: int) -> NDArray[np.int64]:
        """Which features of the network are there at a table, int64, shape ``(features,)``."""
        return self._columns[players]

    def fit(
        self, weights: Mapping[str, NDArray[np.float32]], players: int
    ) -> dict[str, NDArray[np.float32]]:
        """What is left of the weights of a network at a table of so many players."""
        fitted = dict(weights)
        columns = self._columns[players]
        first = weights["layer_0.weight"]
        fitted["layer_0.weight"] = np.ascontiguousarray(first[:, columns])
        if OFFSET in weights:  # where a count of 0 is no 0
            absent = np.delete(np.arange(first.shape[1]), columns)
            nothing = np.clip(weights[OFFSET][absent], -CLIP, CLIP)
            fitted["layer_0.bias"] = weights["layer_0.bias"] + first[:, absent] @ nothing
            fitted |= {name: weights[name][columns] for name in (FACTOR, OFFSET)}
        for name in (f"{VALUE}.weight", f"{VALUE}.bias"):
            if name in weights:
                fitted[name] = weights[name][:players]
        return fitted

    def network(
        self, weights: Mapping[str, NDArray[np.float32]], rules: RuleSet
    ) -> PolicyValueNetwork:
        """The network of these weights in the games of a rule set, whose numbers it knows."""
        fitted = self.fit(weights, rules.players)
        return PolicyValueNetwork(fitted, self._features[rules.players], self._actions)


def _unless_same(names: tuple[str, ...], ours: tuple[str, ...]) -> NDArray[np.int64] | None:
    """Where names stand among ours; None where they are all of ours in our order."""
    positions = positions_of(names, ours)
    return None if np.array_equal(positions, np.arange(len(ours))) else positions
