"""Batched search: many positions at once, so that a network evaluates all their leaves together."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.base import AgentError
from prico_agents.heuristic_engine.weights import new_weights
from prico_agents.neural.entity_inputs import RowRules
from prico_agents.neural.network import Evaluator
from prico_agents.search.leaf_evaluation import evaluate_leaves, find_viewer_odds
from prico_agents.search.simulation import (
    LeafBatch,
    SearchParams,
    expand_leaves,
    new_leaf_batch,
    new_roots,
    new_workspace,
    simulate,
)
from prico_agents.search.tree import (
    NODES_PER_SIMULATION,
    Forest,
    clear_forest,
    mix_root_priors,
    new_forest,
    summarize_roots,
)
from prico_env import RuleSet
from prico_env.core.api import seed_rng

_FEWEST_NODES: Final = 256


class SearchSummary(NamedTuple):
    """The results of searches, one row for each root.

    Attributes:
        priors: Of each action by the network, shape ``(roots, num_actions)``.
        visits: Of each action, int64, of the same shape.
        qvalues: The mean value of each action to the seat to decide, 0 where it was not visited.
        values: The mean value of all simulations to that seat, shape ``(roots,)``.
    """

    priors: NDArray[np.float64]
    visits: NDArray[np.int64]
    qvalues: NDArray[np.float64]
    values: NDArray[np.float64]


class BatchedSearch:
    """Searches positions, as many at once as it has room for.

    Every search begins anew, and makes the same number of simulations.

    Attributes:
        generator: Where the seeds of determinizations come from, uint32, shape ``(4,)``.
    """

    def __init__(
        self,
        rules: RuleSet | Sequence[RuleSet],
        params: SearchParams,
        room: int,
        simulations: int,
        leaves: int,
        seed: int,
    ) -> None:
        """Make room.

        Args:
            rules: What is played, or several rule sets with features of one layout, in the order
                in which records number them.
            params: How it searches.
            room: The most positions at once.
            simulations: Simulations of each search.
            leaves: Leaves of each position that are evaluated together.
            seed: Decides what is dealt where nobody may look.
        """
        self._rule_sets = (rules,) if isinstance(rules, RuleSet) else tuple(rules)
        self._table = np.concatenate([each.table for each in self._rule_sets])
        self._rules = max(self._rule_sets, key=lambda each: each.num_actions)
        self._params = params
        self._simulations = simulations
        self._leaves = leaves
        self._room = room
        self._weights = new_weights()
        self._work = new_workspace(self._rules)
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
        """Search some positions.

        Args:
            network: What gives priors and evaluates leaves.
            states: Records of games.
            rows: Which of them to search; each waits for a decision.
            noise: How much of the priors is replaced at the root, and what by: shape
                ``(roots, num_actions)``.

        Raises:
            AgentError: A record is of a rule set that this search does not know.
        """
        numbers = states["rules"][rows].astype(np.int64)
        if len(rows) and numbers.max() >= len(self._rule_sets):
            raise AgentError(
                f"a search of {len(self._rule_sets)} rule sets cannot take records of rule set "
                f"{numbers.max()}; give it all rule sets of the batch, as games.rule_sets has them"
            )
        count, batch, roots = len(rows), self._batch(network), new_roots(states, rows)
        forest = Forest(self._forest.nodes[:count], self._forest.sizes[:count])
        clear_forest(forest)
        shape = count, self._rules.num_actions
        priors, visits, qvalues = np.zeros(shape), np.zeros(shape, np.int64), np.zeros(shape)
        roots.wanted[:] = 1
        rules = None
        if len(self._rule_sets) > 1:
            rules = RowRules(self._rule_sets, numbers)
        odds = find_viewer_odds(network, self._table, self._work, roots, batch, rules)
        while roots.wanted.any():
            is_first = not roots.made.any()
            simulate(self._table, self._weights, self._params, self._work, roots, forest, batch)
            if batch.size[0]:
                leaves = evaluate_leaves(network, batch, odds, rules)
                expand_leaves(forest, batch, *leaves)
            if is_first:
                mix_root_priors(forest, priors, *(noise or (0.0, priors)))
            roots.wanted[:] = np.minimum(self._leaves, self._simulations - roots.made)
        values = np.zeros(count)
        summarize_roots(forest, visits, qvalues, values)
        return SearchSummary(priors, visits, qvalues, values)

    def _batch(self, network: Evaluator) -> LeafBatch:
        """Room for the leaves, as seen by as many seats as the network wants."""
        views = self._rules.players if network.judges_own_seat else 1
        if views not in self._batches:
            self._batches[views] = new_leaf_batch(self._rules, self._room * self._leaves, views)
        return self._batches[views]
