"""Monte Carlo tree search as an agent: a budget, a tree, and the most visited move of its root."""

import copy
import math
import time
from typing import Any, ClassVar, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.base import AgentError, View, check_seating, check_view
from prico_agents.heuristic_engine.weights import new_weights
from prico_agents.monitor import goes_on
from prico_agents.neural.network import Evaluator
from prico_agents.neural.policy import Policy
from prico_agents.search.leaf_evaluation import evaluate_leaves, find_viewer_odds
from prico_agents.search.search_report import SearchReport, new_report
from prico_agents.search.simulation import (
    Leaf,
    LeafBatch,
    Prior,
    expand_leaves,
    new_leaf_batch,
    new_roots,
    new_search_params,
    new_workspace,
    simulate,
)
from prico_agents.search.tree import (
    NO_NODE,
    NODES_PER_SIMULATION,
    ROOT,
    clear_tree,
    edge_of,
    find_child,
    forest_of,
    move_subtree,
    new_tree,
)
from prico_agents.search.tree_reuse import find_subtree
from prico_env import Game, RuleSet
from prico_env.core.api import new_states, seed_rng

DEFAULT_SIMULATIONS: Final = 400
"""The budget of who is given none."""
_NODES_PER_SECOND: Final = 1_000_000
_FEWEST_NODES: Final = 4096
_MOST_NODES: Final = 2_000_000
_CHUNK_SECONDS: Final = 0.002
"""How often the clock is looked at."""
_FIRST_CHUNK: Final = 8
_MOST_AT_ONCE: Final = 1024
_MADE_ANEW: Final = frozenset({"_work", "_root", "_tree", "_spare", "_origins", "_asked"})


class Mcts:
    """Searches a tree of what may happen (MCTS with PUCT), and plays the most visited move.

    Attributes:
        simulations: How many it makes for a decision at most; None: as many as time allows.
        seconds: How long it searches at most; None: as long as the simulations take.
        network: Gives priors and values of leaves, with the setting ``leaf="network"``.
    """

    short_setting: ClassVar = "simulations"
    _chosen: int
    _asked: "_Asked | None"

    def __init__(  # noqa: PLR0913 - every setting is a keyword of its own
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        *,
        leaf: Literal["static", "greedy", "random", "network"] | None = None,
        rollout_depth: int = 0,
        prior: Literal["uniform", "greedy", "evaluation"] = "greedy",
        sharpness: float = 2.0,
        exploration: float = 0.1,
        fpu_reduction: float = 0.0,
        margin: float = 0.05,
        branch: Literal["roles", "main", "all"] = "roles",
        default_policy: Literal["greedy", "network"] = "greedy",
        reuse_tree: bool = True,
        temperature: float = 0.0,
        network: str | None = None,
        opponents: Literal["alike", "mixture"] | None = None,
        batch_size: int = 4,
    ) -> None:
        """Choose how to search.

        Args:
            simulations: Simulations a decision; 400 when neither they nor seconds are given.
            seconds: Seconds a decision; with both, whichever is used up first.
            leaf: How leaves are evaluated: by the static evaluation, by the same after a greedy
                rollout, by one random rollout to the end of the game, or by a network; by default
                with a network if one is given, else after a greedy rollout.
            rollout_depth: Role choices of a greedy rollout; 0 plays the phase to its end.
            prior: Where the prior probabilities of moves come from.
            sharpness: How much the prior prefers what it likes: the greedy move by so many times
                the prior of others, an evaluation by the exponential of so many win probabilities.
            exploration: The exploration constant of PUCT.
            fpu_reduction: First play urgency: how much worse than its parent an unvisited move is
                taken to be.
            margin: What a lead of a hundred points adds to a win.
            branch: Where the tree branches below the root: at roles, or at tiles, buildings, sales
                and loads too, or everywhere.
            default_policy: What decides where the tree does not branch: the greedy policy, or the
                network, for which each such decision costs a simulation.
            reuse_tree: Whether to go on with the subtree of the position from the last decision.
            temperature: 0 plays the most visited move; above that moves are drawn, at 1 in
                proportion to their visits.
            network: The checkpoint or run whose network evaluates leaves and gives priors.
            opponents: How other seats choose in the tree where it branches: ``alike``, to maximise
                their own value as the one that searches, or ``mixture``, drawn from the priors,
                those of a network flattened and mixed with what the planner does; a mixture if a
                network evaluates leaves.
            batch_size: Leaves that the network evaluates together; more are faster, and know less
                of each other.
        """
        _check(simulations, seconds, batch_size)
        leaf = leaf or ("greedy" if network is None else "network")
        opponents = opponents or ("mixture" if leaf == "network" else "alike")
        for name, value in (("exploration", exploration), ("temperature", temperature)):
            if not value >= 0:  # not a number is neither
                raise AgentError(f"{name} must be 0 or more, not {value}")
        if default_policy == "network" and leaf != "network":
            raise AgentError("default_policy=network needs network=<folder of a checkpoint or run>")
        has_budget = simulations is not None or seconds is not None
        self.simulations = simulations if has_budget else DEFAULT_SIMULATIONS
        self.seconds = seconds
        self.network: Evaluator | None = None
        self._policy = None if network is None else Policy(network)
        if self._policy is not None:
            self.network = self._policy.network
        self._reuse_tree = reuse_tree
        self._temperature = temperature
        self._batch_size = batch_size
        self._params = new_search_params(branch, default_policy, exploration, opponents)._replace(
            leaf=int(Leaf[leaf.upper()]),
            rollout_depth=rollout_depth,
            prior=int(Prior.NETWORK if leaf == "network" else Prior[prior.upper()]),
            sharpness=float(sharpness),
            fpu_reduction=float(fpu_reduction),
            margin=float(margin),
        )
        self._weights = new_weights()
        self._sit_down(RuleSet(), 0)

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game; refuses one whose numbers its network does not know."""
        seed = check_seating(seat, rules, seed)
        if self._policy is not None:
            self._policy.reset(seat, rules, seed)
            self.network = self._policy.network
        self._sit_down(rules, seed)

    def act(self, view: View) -> int:
        """Search, and choose one of the allowed actions."""
        check_view(view)
        asked, self._asked = self._asked, None
        if asked is not None and asked.place == _place_of(view):
            vars(self).update(vars(asked.twin))
            return self._chosen
        if view.rules != self._rules:
            self._sit_down(view.rules, 0)
        self._set_root(view)
        if len(view.choices) > 1:
            self._search()
        self._chosen = self._choose(view.choices)
        return self._chosen

    def analyse(self, view: View) -> SearchReport:
        """Search, and report it; a decision right after it reuses the search."""
        place = _place_of(check_view(view))
        if self._asked is None or self._asked.place != place:
            twin = copy.copy(self)
            twin._generator = copy.deepcopy(self._generator)
            twin.act(view)
            self._asked = _Asked(place, twin)
        return self._asked.twin.report()

    def report(self) -> SearchReport:
        """What the search for the last decision found.

        Raises:
            AgentError: It has made none in this game.
        """
        if self._game is None:
            raise AgentError("a search has something to report after its first decision")
        return new_report(
            self._game, self._tree, self._chosen, int(self._root.made[0]), self._spent
        )

    # -- before a search ---------------------------------------------------------------------------

    def _sit_down(self, rules: RuleSet, seed: int) -> None:
        self._rules = rules
        self._game: Game | None = None
        self._asked = None
        self._known = 0
        self._allocate()
        seed_rng(self._work.rng, seed)
        self._generator = np.random.default_rng(seed)

    def _allocate(self) -> None:
        """Make the arrays of a search, for the budget and the rule set."""
        num_nodes = _FEWEST_NODES
        if self.simulations is not None:
            num_nodes += NODES_PER_SIMULATION * self.simulations
        elif self.seconds is not None:
            num_nodes += int(_NODES_PER_SECOND * self.seconds)
        num_nodes = min(num_nodes, _MOST_NODES)
        self._work = new_workspace(self._rules)
        self._root = new_roots(new_states(1), np.zeros(1, np.int64))
        self._tree, self._spare = new_tree(num_nodes), new_tree(num_nodes)
        self._origins = np.zeros(num_nodes, np.int32)
        clear_tree(self._tree)

    def _set_root(self, view: View) -> None:
        """Take up the position, and go on with its subtree where the tree has one."""
        now = view.game
        self._root.made[0], self._spent = 0, 0.0
        moves = view.history if self._reuse_tree else None
        node = NO_NODE
        if self._game is not None and moves is not None and len(moves) > self._known:
            since = moves[self._known :]
            branches = self._params.branches | self._params.network_everywhere
            node = find_subtree(self._tree, self._game, since, now, view.seat, branches)
        if node == NO_NODE:
            clear_tree(self._tree)
        else:
            move_subtree(self._tree, node, self._spare, self._origins)
            self._tree, self._spare = self._spare, self._tree
        self._game = now
        self._known = 0 if moves is None else len(moves)
        self._root.states.view(np.uint8)[:] = now.state.view(np.uint8)

    # -- the search --------------------------------------------------------------------------------

    def _search(self) -> None:
        """Simulate until the budget is used up, or the monitor asks for the decision."""
        began, made = time.perf_counter(), self._root.made
        chunk = _MOST_AT_ONCE if self.seconds is None else _FIRST_CHUNK
        batch, odds = self._new_batch(), np.ones(1)
        if self.network and self._params.leaf == Leaf.NETWORK:
            odds = find_viewer_odds(self.network, self._rules.table, self._work, self._root, batch)
        while True:
            left = _MOST_AT_ONCE if self.simulations is None else self.simulations - int(made[0])
            if left <= 0 or (self.seconds is not None and self._spent >= self.seconds):
                break
            self._simulate(min(chunk, left), batch, odds)
            self._spent = time.perf_counter() - began
            if self.seconds is not None:  # else the clock would have a say in what is found
                chunk = min(_MOST_AT_ONCE, 1 + int(made[0] / self._spent * _CHUNK_SECONDS))
            if not goes_on(self._share_spent()):
                break

    def _share_spent(self) -> float:
        """How much of the budget is spent, from 0 to 1; of two budgets the one that ends first."""
        made, simulations, seconds = int(self._root.made[0]), self.simulations, self.seconds
        return min(1.0, max(made / (simulations or math.inf), self._spent / (seconds or math.inf)))

    def _simulate(self, count: int, batch: LeafBatch, odds: NDArray[np.float64]) -> None:
        """Make up to so many simulations; with a network no more than it has rows for."""
        forest = forest_of(self._tree)
        self._root.wanted[0] = min(count, len(batch.lengths) or count)
        simulate(
            self._rules.table, self._weights, self._params, self._work, self._root, forest, batch
        )
        if self.network and batch.size[0]:
            leaves = evaluate_leaves(self.network, batch, odds)
            expand_leaves(forest, batch, *leaves)

    def _new_batch(self) -> LeafBatch:
        """Make room for the leaves that wait for the network, if there is one."""
        if self._params.leaf != Leaf.NETWORK:
            return new_leaf_batch(self._rules, 0, 0)
        if self.network is None:
            raise AgentError("leaf=network needs network=<folder of a checkpoint or run>")
        views = self._rules.players if self.network.judges_own_seat else 1
        return new_leaf_batch(self._rules, self._batch_size, views)

    # -- the choice --------------------------------------------------------------------------------

    def _choose(self, choices: list[int]) -> int:
        """The most visited move, the better one of equals; or one drawn in proportion to visits."""
        root, nodes = self._root.states, self._tree.nodes
        point, seat = int(root["decision_point"][0]), int(root["turn"][0])
        children = [find_child(nodes, ROOT, edge_of(point, seat, action)) for action in choices]
        tried = nodes["visits"][children] * (np.array(children) != NO_NODE)
        if self._temperature > 0 and tried.any():
            chances = (tried / tried.max()) ** (1 / self._temperature)
            return int(self._generator.choice(choices, p=chances / chances.sum()))
        worth = nodes["values"][children, seat] / np.maximum(1, tried)
        return choices[int(np.lexsort((-worth, -tried))[0])]

    # -- keeping it --------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs to go on: everything but arrays that each search writes anew."""
        kept = {key: value for key, value in vars(self).items() if key not in _MADE_ANEW}
        root = self._root.states, int(self._root.made[0])
        kept["_kept"] = root, self._work.rng, self._tree.nodes[: int(self._tree.size[0])]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Go on from what was kept."""
        (root, made), rng, nodes = kept.pop("_kept")
        vars(self).update(kept)
        self._asked = None
        self._allocate()
        self._root.states[:], self._root.made[0] = root, made
        self._work.rng[:] = rng
        self._tree.nodes[: len(nodes)] = nodes
        self._tree.size[0] = len(nodes)


class _Asked(NamedTuple):
    """A search that was asked for its analysis, and may be asked for the decision next.

    Attributes:
        place: What it was asked about; see `_place_of`.
        twin: A copy of it that has thought about this.
    """

    place: Any
    twin: Mcts


def _place_of(view: View) -> Any:
    """What a search makes of a view depends on this, and on what it knows."""
    moves = None if view.history is None else list(view.history)
    return view.seat, view.rules, view.legal.tobytes(), view.game.state.tobytes(), moves


def _check(simulations: int | None, seconds: float | None, batch_size: int) -> None:
    """Refuse a budget that cannot be."""
    if simulations is not None and simulations < 1:
        raise AgentError(f"a search needs at least one simulation, not {simulations}")
    if seconds is not None and seconds <= 0:
        raise AgentError(f"a search needs some time, not {seconds} seconds")
    if batch_size < 1:
        raise AgentError(f"a network evaluates at least one leaf at a time, not {batch_size}")
    if batch_size > _MOST_AT_ONCE:
        raise AgentError(
            f"a network evaluates at most {_MOST_AT_ONCE:,} leaves at a time, not {batch_size}"
        )
