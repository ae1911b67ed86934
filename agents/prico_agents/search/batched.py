"""Many roots searched at once, so that a network judges the leaves of all of them together."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_agents.heuristic_engine.weights import new_weights
from prico_agents.neural.network import Evaluator
from prico_agents.search.leaf_evaluation import evaluate_leaves
from prico_agents.search.simulation import (
    LeafBatch,
    Roots,
    SearchParams,
    expand_batched,
    new_leaf_batch,
    new_workspace,
    simulate_batched,
)
from prico_agents.search.tree import (
    NODES_PER_SIMULATION,
    Forest,
    clear_forest,
    mix_root_priors,
    new_forest,
    read_root_priors,
    read_roots,
)
from prico_env import RuleSet
from prico_env.core.api import seed_rng

_FEWEST_NODES: Final = 256


@dataclass(frozen=True)
class SearchSummary:
    """What searches found, one row for each position.

    Attributes:
        priors: How promising the network thinks each action, shape ``(roots, num_actions)``.
        visits: How often each was tried, int64, of the same shape.
        qvalues: What that brought the seat to decide on the mean, 0 where it was not tried.
        values: What all simulations brought that seat on the mean, shape ``(roots,)``.
    """

    priors: NDArray[np.float64]
    visits: NDArray[np.int64]
    qvalues: NDArray[np.float64]
    values: NDArray[np.float64]


class BatchedSearch:
    """Searches roots of one rule set, as many at once as it has room for.

    Every search begins anew, and makes the same number of simulations.

    Attributes:
        generator: Where the seeds of what is dealt anew come from, uint32, shape ``(4,)``.
    """

    def __init__(
        self,
        rules: RuleSet,
        params: SearchParams,
        room: int,
        simulations: int,
        leaves: int,
        seed: int,
    ) -> None:
        """Make room.

        Args:
            rules: What is played.
            params: How it searches; the seat is that to decide.
            room: The most roots at once.
            simulations: Simulations of each search.
            leaves: Leaves of each position that are judged together.
            seed: Decides what is dealt where nobody may look.
        """
        self._rules = rules
        self._params = params
        self._simulations = simulations
        self._leaves = leaves
        self._room = room
        self._weights = new_weights()
        self._work = new_workspace(rules)
        self.generator: NDArray[np.uint32] = self._work.rng
        seed_rng(self.generator, seed)
        self._forest = new_forest(room, _FEWEST_NODES + NODES_PER_SIMULATION * simulations)
        self._batches: dict[int, LeafBatch] = {}

    def search(
        self,
        network: Evaluator,
        states: NDArray[Any],
        rows: NDArray[np.int64],
        noise: tuple[float, NDArray[np.float64]] | None = None,
    ) -> SearchSummary:
        """Search some roots.

        Args:
            network: What proposes moves and judges leaves.
            states: Records of games.
            rows: Which of them to search; each waits for a decision.
            noise: How much of what the network proposes is replaced at the root, and what by:
                shape ``(roots, num_actions)``.
        """
        count = len(rows)
        batch = self._batch(network)
        roots = Roots(states, rows, np.ones(count, np.int64), np.zeros(count, np.int64))
        forest = Forest(self._forest.nodes[:count], self._forest.sizes[:count])
        clear_forest(forest)
        found = self._blank(count)
        while roots.wanted.any():
            is_first = not roots.made.any()
            simulate_batched(
                self._rules.table,
                self._weights,
                self._params,
                self._work,
                roots,
                forest,
                batch,
            )
            if batch.size[0]:
                expand_batched(forest, batch, *evaluate_leaves(network, batch))
            if is_first:
                read_root_priors(forest, found.priors)
                if noise is not None:
                    mix_root_priors(forest, *noise)
            roots.wanted[:] = np.minimum(self._leaves, self._simulations - roots.made)
        read_roots(forest, found.visits, found.qvalues, found.values)
        return found

    def _blank(self, count: int) -> SearchSummary:
        shape = count, self._rules.num_actions
        return SearchSummary(
            priors=np.zeros(shape),
            visits=np.zeros(shape, np.int64),
            qvalues=np.zeros(shape),
            values=np.zeros(count),
        )

    def _batch(self, network: Evaluator) -> LeafBatch:
        """Room for the leaves, seen through as many eyes as the network wants."""
        views = self._rules.players if network.judges_own_seat else 1
        if views not in self._batches:
            self._batches[views] = new_leaf_batch(self._rules, self._room * self._leaves, views)
        return self._batches[views]
