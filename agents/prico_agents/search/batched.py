"""Many positions searched at once, so that a network judges the leaves of all of them together."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_agents.heuristic_engine.weights import believe
from prico_agents.neural.network import Evaluator
from prico_agents.search.evaluator import consult
from prico_agents.search.simulation import (
    Batch,
    Manner,
    Positions,
    new_batch,
    new_work,
    simulate_side_by_side,
    take_back_side_by_side,
)
from prico_agents.search.tree import (
    NODES_PER_SIMULATION,
    Forest,
    clear_forest,
    mix_priors,
    new_forest,
    read_priors,
    read_roots,
)
from prico_env import RuleSet
from prico_env.core.api import seed_rng

_FEWEST_NODES: Final = 256


@dataclass(frozen=True)
class Findings:
    """What searches found, one row for each position.

    Attributes:
        priors: How promising the network thinks each action, shape ``(positions, num_actions)``.
        visits: How often each was tried, int64, of the same shape.
        worths: What that brought the seat to decide on the mean, 0 where it was not tried.
        values: What all simulations brought that seat on the mean, shape ``(positions,)``.
    """

    priors: NDArray[np.float64]
    visits: NDArray[np.int64]
    worths: NDArray[np.float64]
    values: NDArray[np.float64]


class SideBySide:
    """Searches positions of one rule set, as many at once as it has room for.

    Every search begins anew, and makes the same number of simulations.

    Attributes:
        generator: Where the seeds of what is dealt anew come from, uint32, shape ``(4,)``.
    """

    def __init__(
        self, rules: RuleSet, manner: Manner, room: int, simulations: int, leaves: int, seed: int
    ) -> None:
        """Make room.

        Args:
            rules: What is played.
            manner: How it searches; the seat is that to decide.
            room: The most positions at once.
            simulations: Simulations of each search.
            leaves: Leaves of each position that are judged together.
            seed: Decides what is dealt where nobody may look.
        """
        self._rules = rules
        self._manner = manner
        self._simulations = simulations
        self._leaves = leaves
        self._room = room
        self._beliefs = believe()
        self._work = new_work(rules)
        self.generator: NDArray[np.uint32] = self._work.rng
        seed_rng(self.generator, seed)
        self._forest = new_forest(room, _FEWEST_NODES + NODES_PER_SIMULATION * simulations)
        self._batches: dict[int, Batch] = {}

    def search(
        self,
        network: Evaluator,
        states: NDArray[Any],
        rows: NDArray[np.int64],
        noise: tuple[float, NDArray[np.float64]] | None = None,
    ) -> Findings:
        """Search some positions.

        Args:
            network: What proposes moves and judges leaves.
            states: Records of games.
            rows: Which of them to search; each waits for a decision.
            noise: How much of what the network proposes is replaced at the root, and what by:
                shape ``(positions, num_actions)``.
        """
        count = len(rows)
        batch = self._batch(network)
        positions = Positions(states, rows, np.ones(count, np.int64), np.zeros(count, np.int64))
        forest = Forest(self._forest.nodes[:count], self._forest.sizes[:count])
        clear_forest(forest)
        found = self._blank(count)
        while positions.wanted.any():
            is_first = not positions.made.any()
            simulate_side_by_side(
                self._rules.table,
                self._beliefs,
                self._manner,
                self._work,
                positions,
                forest,
                batch,
            )
            if batch.size[0]:
                take_back_side_by_side(forest, batch, *consult(network, batch))
            if is_first:
                read_priors(forest, found.priors)
                if noise is not None:
                    mix_priors(forest, *noise)
            positions.wanted[:] = np.minimum(self._leaves, self._simulations - positions.made)
        read_roots(forest, found.visits, found.worths, found.values)
        return found

    def _blank(self, count: int) -> Findings:
        shape = count, self._rules.num_actions
        return Findings(
            priors=np.zeros(shape),
            visits=np.zeros(shape, np.int64),
            worths=np.zeros(shape),
            values=np.zeros(count),
        )

    def _batch(self, network: Evaluator) -> Batch:
        """Room for the leaves, seen through as many eyes as the network wants."""
        views = self._rules.players if network.judges_own_seat else 1
        if views not in self._batches:
            self._batches[views] = new_batch(self._rules, self._room * self._leaves, views)
        return self._batches[views]
