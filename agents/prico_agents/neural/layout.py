"""What the inputs and outputs of a network mean, by name: what lets a policy outlive its version.

A network knows features and actions by their numbers, and those move when a version adds a feature
or an action, or puts them in another order. So a policy remembers the names it was trained with,
and is read by them: see `prico_agents.neural.player_counts`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env import RuleSet
from prico_env.actions import NAMES


class NetworkLayout(NamedTuple):
    """The names of the inputs and outputs of a network, in their order.

    Attributes:
        features: Of the features, such as ``"self.coins"`` and ``"table.row[corn]"``.
        actions: Of the actions, such as ``"role:mayor"``.
    """

    features: tuple[str, ...]
    actions: tuple[str, ...]


def network_layout(rules: RuleSet) -> NetworkLayout:
    """What the numbers of features and actions mean in this version, for a rule set."""
    return NetworkLayout(rules.observation.feature_names, NAMES[: rules.num_actions])


def numbers_at(rules: RuleSet, players: int) -> RuleSet:
    """A rule set with the same numbers of actions and features, for so many players.

    Switches are those of its edition: they change what is allowed, and no number.
    """
    return RuleSet(players, rules.edition, rules.expansions)


def positions_of(names: Sequence[str], among: Sequence[str]) -> NDArray[np.int64]:
    """Where names stand among others, int64; those that are not there are left out."""
    place = {name: number for number, name in enumerate(among)}
    return np.array([place[name] for name in names if name in place], np.int64)


def missing_names(names: Sequence[str], among: Sequence[str]) -> list[str]:
    """Which names are not among others; a block of which no feature is there counts as one."""
    blocks = {_block_of(name) for name in among}
    gone = [name for name in names if name not in set(among)]
    return list(dict.fromkeys(n if _block_of(n) in blocks else _block_of(n) for n in gone))


def rearranged(
    array: NDArray[Any], names: Sequence[str], among: Sequence[str], axis: int, fill: float = 0.0
) -> NDArray[Any]:
    """Move the entries of an array to where their names stand among others.

    Args:
        array: Has one entry for each name along an axis.
        names: The names of the entries; each is among the others.
        among: All names in their new order.
        axis: Along which the entries stand.
        fill: What the new ones among the others get.
    """
    shape = list(array.shape)
    shape[axis] = len(among)
    result = np.full(shape, fill, array.dtype)
    np.moveaxis(result, axis, 0)[positions_of(names, among)] = np.moveaxis(array, axis, 0)
    return result


def _block_of(name: str) -> str:
    return name.partition("[")[0]
