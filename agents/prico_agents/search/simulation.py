"""One simulation after another: deal what is hidden, go down the tree, judge, and credit.

A simulation copies the game, deals anew what the searching seat cannot see, and goes down the tree
as long as it knows the way. Every seat goes for its own value (max^n). Where the tree ends the
position is judged, and every node on the way is credited with what that is worth to each seat.
"""

import enum
import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.heuristic_engine.evaluation import fill_win_probabilities
from prico_agents.heuristic_engine.greedy import greedy_action, greedy_rollout
from prico_agents.heuristic_engine.scratch import Scratch, new_scratch
from prico_agents.search.tree import (
    NO_NODE,
    ROOT,
    SPAN,
    Forest,
    Tree,
    add_child,
    backward,
    edge_of,
    find_child,
    has_room,
    last_child,
    seat_of,
    tree_in,
    visit,
)
from prico_env import RuleSet
from prico_env.actions import IS_GUEST_MOVE, NUM_BASE_ACTIONS
from prico_env.core.api import (
    Rules,
    State,
    advance,
    apply,
    copy_record,
    determinize,
    draw_legal,
    fill_observation,
    fill_scores,
    kernel,
    new_states,
    next_number,
)
from prico_env.vocabulary import MAX_PLAYERS, DecisionPoint, Outcome

MAX_PATH: Final = 256
"""Nodes on one way down; a way this long is judged where it stands."""


class Leaf(enum.IntEnum):
    """How a position is judged where the tree ends."""

    STATIC = 0
    GREEDY = 1
    RANDOM = 2
    NETWORK = 3


class Prior(enum.IntEnum):
    """What makes an untried move look promising."""

    UNIFORM = 0
    GREEDY = 1
    EVALUATION = 2
    NETWORK = 3


_MAIN_POINTS: Final = (
    DecisionPoint.CHOOSE_ROLE,
    DecisionPoint.TAKE_TILE,
    DecisionPoint.BUY,
    DecisionPoint.CRAFTSMAN_PRIVILEGE,
    DecisionPoint.SELL,
    DecisionPoint.LOAD,
    DecisionPoint.DRAFT,
    DecisionPoint.TAKE_AGAIN,
    DecisionPoint.HUNT,
    DecisionPoint.SUPPLY,
    DecisionPoint.SMALL_SHIP,
    DecisionPoint.SMUGGLE,
    DecisionPoint.RAID,
)
BRANCHES: Final = {
    "roles": (DecisionPoint.CHOOSE_ROLE,),
    "main": _MAIN_POINTS,
    "all": tuple(DecisionPoint),
}
"""Where a tree may branch below its root; at other decisions the default policy plays."""
ORIGIN: Final = 0
"""The record of the position that the search was asked about."""
HERE: Final = 1
"""The record that a simulation moves along."""
AHEAD: Final = 2
"""The record on which one further step is tried."""
_NUM_RECORDS: Final = 3
_SEED_BITS: Final = 31
_LEAD: Final = 100.0
"""A lead in points that is worth the whole margin."""
_LEAST_PRIOR: Final = 1e-4
"""A network that rules a move out may be wrong."""
_NEVER: Final = -1.0e9


class SearchParams(NamedTuple):
    """How a search goes about it, as kernels pass it on.

    Attributes:
        seat: Who searches: nobody's hidden tiles but its own are used.
        leaf: A `Leaf`.
        rollout_depth: Role choices of a greedy rollout from a leaf.
        prior: A `Prior`.
        sharpness: How much a prior prefers what it likes.
        exploration: How much untried moves are tried.
        fpu_reduction: How much worse than its parent an untried move is taken to be.
        margin: What a lead of a hundred points adds to a victory.
        branches: Whether the tree branches at a `DecisionPoint`, bool, shape ``(num_points,)``.
        guest_moves: Whether moves of guests are searched like others.
        network_everywhere: Whether the network decides where the tree does not branch, instead of
            the greedy policy; a node there costs a simulation like any other.
    """

    seat: int
    leaf: int
    rollout_depth: int
    prior: int
    sharpness: float
    exploration: float
    fpu_reduction: float
    margin: float
    branches: NDArray[np.bool_]
    guest_moves: bool
    network_everywhere: bool = False


def new_search_params(branch: str, default_policy: str, exploration: float) -> SearchParams:
    """The parameters of a search with a network that gives priors and evaluates leaves.

    Args:
        branch: A name of `BRANCHES`.
        default_policy: Who decides where the tree does not branch: ``greedy`` or ``network``.
        exploration: How much untried moves are tried.
    """
    return SearchParams(
        seat=0,
        leaf=int(Leaf.NETWORK),
        rollout_depth=0,
        prior=int(Prior.NETWORK),
        sharpness=1.0,
        exploration=float(exploration),
        fpu_reduction=0.0,
        margin=0.05,
        branches=np.isin(np.arange(len(DecisionPoint)), BRANCHES[branch]),
        guest_moves=branch == "all" or default_policy == "network",
        network_everywhere=default_policy == "network",
    )


class Workspace(NamedTuple):
    """Where a search works: arrays made once for a rule set.

    Attributes:
        states: Records, shape ``(3,)``: ``ORIGIN``, ``HERE`` and ``AHEAD``.
        legal: What is allowed there, bool, shape ``(3, num_actions)``.
        path: The nodes of a simulation, int32, shape ``(MAX_PATH,)``.
        values: What it brings each seat, float64, shape ``(seats,)``.
        scores: Final scores, float64, shape ``(seats,)``.
        rng: The searching seat's own generator, uint32, shape ``(4,)``.
        scratch: Scratch arrays of evaluations and the greedy policy.
    """

    states: NDArray[Any]
    legal: NDArray[np.bool_]
    path: NDArray[np.int32]
    values: NDArray[np.float64]
    scores: NDArray[np.float64]
    rng: NDArray[np.uint32]
    scratch: Scratch


class Roots(NamedTuple):
    """Roots that are searched side by side, a tree for each.

    Attributes:
        states: Records of games.
        rows: Which of them each position is, int64, shape ``(positions,)``.
        wanted: Simulations to make in each now, int64, shape ``(positions,)``.
        made: Receives how many were made.
    """

    states: NDArray[Any]
    rows: NDArray[np.int64]
    wanted: NDArray[np.int64]
    made: NDArray[np.int64]


class LeafBatch(NamedTuple):
    """Leaves that wait for a network, as many as it has rows.

    Attributes:
        size: Rows in use, int64, shape ``(1,)``.
        trees: The number of the tree that each is of, int64, shape ``(rows,)``.
        paths: The way to each, int32, shape ``(rows, MAX_PATH)``.
        lengths: Nodes on it, int64, shape ``(rows,)``.
        edges: The edge of action 0 there, int64, shape ``(rows,)``.
        turns: The seat to decide there, int64, shape ``(rows,)``.
        legal: What it may do, bool, shape ``(rows, num_actions)``.
        values: Win probabilities by the static evaluation, float64, shape ``(rows, seats)``.
        observations: What seats see, uint8, shape ``(rows, views, num_features)``: every seat in
            turn, or with a single view the seat to decide.
    """

    size: NDArray[np.int64]
    trees: NDArray[np.int64]
    paths: NDArray[np.int32]
    lengths: NDArray[np.int64]
    edges: NDArray[np.int64]
    turns: NDArray[np.int64]
    legal: NDArray[np.bool_]
    values: NDArray[np.float64]
    observations: NDArray[np.uint8]


def new_workspace(rules: RuleSet) -> Workspace:
    """Make the arrays that a search of a game of these rules needs."""
    return Workspace(
        states=new_states(_NUM_RECORDS),
        legal=np.zeros((_NUM_RECORDS, rules.num_actions), np.bool_),
        path=np.zeros(MAX_PATH, np.int32),
        values=np.zeros(rules.players),
        scores=np.zeros(MAX_PLAYERS),
        rng=np.zeros(4, np.uint32),
        scratch=new_scratch(),
    )


def new_leaf_batch(rules: RuleSet, rows: int, views: int) -> LeafBatch:
    """Make room for so many leaves, each seen through so many pairs of eyes."""
    return LeafBatch(
        size=np.zeros(1, np.int64),
        trees=np.zeros(rows, np.int64),
        paths=np.zeros((rows, MAX_PATH), np.int32),
        lengths=np.zeros(rows, np.int64),
        edges=np.zeros(rows, np.int64),
        turns=np.zeros(rows, np.int64),
        legal=np.zeros((rows, rules.num_actions), np.bool_),
        values=np.zeros((rows, rules.players)),
        observations=np.zeros((rows, views, rules.observation.num_features), np.uint8),
    )


@kernel
def simulate(
    table: Any,
    weights: Any,
    params: SearchParams,
    work: Workspace,
    tree: Tree,
    batch: LeafBatch,
    count: int,
) -> int:
    """Make so many simulations, and return how many were made.

    With a network, leaves are put into the batch instead of being judged, and the search stops
    early where it came to a leaf that waits already.
    """
    batch.size[0] = 0
    return _simulate(table[0], weights[0], params, work, tree, batch, count)


@kernel
def simulate_batched(
    table: Any,
    weights: Any,
    params: SearchParams,
    work: Workspace,
    positions: Roots,
    forest: Forest,
    batch: LeafBatch,
) -> None:
    """Make simulations for several positions, each for the seat to decide, as `simulate` does.

    Their leaves come into one batch, which must have room for all.
    """
    batch.size[0] = 0
    for number in range(positions.rows.shape[0]):
        first = batch.size[0]
        if positions.wanted[number] > 0:
            state = positions.states[positions.rows[number]]
            copy_record(work.states[ORIGIN], state)
            own = _for_seat(params, state["turn"])
            tree = tree_in(forest, number)
            positions.made[number] += _simulate(
                table[0], weights[0], own, work, tree, batch, positions.wanted[number]
            )
        batch.trees[first : batch.size[0]] = number


@kernel
def _for_seat(params: SearchParams, seat: int) -> SearchParams:
    """The same params for another seat that searches."""
    return SearchParams(
        int(seat),
        params.leaf,
        params.rollout_depth,
        params.prior,
        params.sharpness,
        params.exploration,
        params.fpu_reduction,
        params.margin,
        params.branches,
        params.guest_moves,
        params.network_everywhere,
    )


@kernel
def _simulate(
    rules: Rules,
    weights: Any,
    params: SearchParams,
    work: Workspace,
    tree: Tree,
    batch: LeafBatch,
    count: int,
) -> int:
    nodes = tree.nodes
    for done in range(count):
        state = work.states[HERE]
        copy_record(state, work.states[ORIGIN])
        determinize(rules, state, params.seat, _draw_seed(work.rng))
        choices = advance(rules, state, work.legal[HERE], work.scratch.forced_log, False)
        length, choices = _descend(rules, weights, params, work, tree, choices)
        leaf = work.path[length - 1]
        was_known = nodes[leaf]["visits"] > 0
        visit(nodes, work.path, length)
        if choices > 0 and params.leaf == Leaf.NETWORK:
            _put_in_batch(rules, state, weights, work, batch, length)
            if was_known:
                return done + 1
        else:
            _evaluate_leaf(rules, weights, params, work, choices)
            backward(nodes, work.path, length, work.values)
    return count


@kernel
def _draw_seed(rng: Any) -> int:
    return (next_number(rng) << _SEED_BITS) | (next_number(rng) >> 1)


# -- going down ------------------------------------------------------------------------------------


@kernel
def _descend(
    rules: Rules, weights: Any, params: SearchParams, work: Workspace, tree: Tree, choices: int
) -> tuple[int, int]:
    """Choose at every node until the tree ends; return nodes on the way and choices at its end."""
    state, legal, nodes = work.states[HERE], work.legal[HERE], tree.nodes
    node, length = ROOT, 1
    work.path[0] = ROOT
    while choices > 0 and nodes[node]["visits"] > 0 and length < MAX_PATH:
        seat = int(state["turn"])
        base = edge_of(state["decision_point"], seat, 0)
        known, mass, tried = _legal_priors(nodes, node, base, legal)
        if known < choices and params.prior != Prior.NETWORK and has_room(tree, choices - known):
            _expand(rules, weights, params, work, tree, node)
            known, mass, tried = _legal_priors(nodes, node, base, legal)
        if known == 0 or (known < choices and params.prior == Prior.NETWORK):
            break
        if (
            params.network_everywhere
            and length > 1
            and not params.branches[state["decision_point"]]
        ):
            node = _select_prior(nodes, node, base, legal)
        else:
            doubt = params.fpu_reduction * math.sqrt(tried / mass)
            node = _select_puct(nodes, node, base, legal, params.exploration / mass, doubt)
        work.path[length] = node
        length += 1
        apply(rules, state, nodes[node]["edge"] - base)
        choices = _advance_to_branch(rules, state, weights, params, legal, work.scratch)
    return length, choices


@kernel
def _legal_priors(nodes: Any, node: int, base: int, legal: Any) -> tuple[int, float, float]:
    """How many children are allowed here, their priors together, and those of the tried ones."""
    known, mass, tried = 0, 0.0, 0.0
    child = int(nodes[node]["child"])
    while child != NO_NODE:
        action = nodes[child]["edge"] - base
        if 0 <= action < SPAN and legal[action]:
            known += 1
            mass += nodes[child]["prior"]
            if nodes[child]["visits"] > 0:
                tried += nodes[child]["prior"]
        child = int(nodes[child]["sibling"])
    return known, mass, tried


@kernel
def _select_puct(
    nodes: Any, node: int, base: int, legal: Any, exploration: float, doubt: float
) -> int:
    """The allowed child with the best sum of value and curiosity for the seat to act (PUCT).

    Curiosity counts the simulations in which the child could have been chosen, not all.
    """
    seat = seat_of(base)
    untried = nodes[node]["values"][seat] / nodes[node]["visits"] - doubt
    best, chosen = _NEVER, NO_NODE
    child = int(nodes[node]["child"])
    while child != NO_NODE:
        action = nodes[child]["edge"] - base
        if 0 <= action < SPAN and legal[action]:
            nodes[child]["available"] += 1
            visits = nodes[child]["visits"]
            value = nodes[child]["values"][seat] / visits if visits > 0 else untried
            curiosity = nodes[child]["prior"] * math.sqrt(nodes[child]["available"]) / (1 + visits)
            value += exploration * curiosity
            if value > best:
                best, chosen = value, child
        child = int(nodes[child]["sibling"])
    return chosen


@kernel
def _select_prior(nodes: Any, node: int, base: int, legal: Any) -> int:
    """The allowed child that looked the most promising beforehand."""
    best, chosen = _NEVER, NO_NODE
    child = int(nodes[node]["child"])
    while child != NO_NODE:
        action = nodes[child]["edge"] - base
        if 0 <= action < SPAN and legal[action]:
            nodes[child]["available"] += 1
            if nodes[child]["prior"] > best:
                best, chosen = nodes[child]["prior"], child
        child = int(nodes[child]["sibling"])
    return chosen


@kernel
def _advance_to_branch(
    rules: Rules, state: State, weights: Any, params: SearchParams, legal: Any, scratch: Scratch
) -> int:
    """Go on to the next decision that is searched; return its choices, 0 when the game is over.

    What is not searched is decided by the greedy policy, unless the network is asked.
    """
    choices = advance(rules, state, legal, scratch.forced_log, True)
    while choices > 0:
        if params.network_everywhere or params.branches[state["decision_point"]]:
            if rules["guest_windows"] and not params.guest_moves:
                choices -= _leave_out_guests(rules, legal)
            if choices > 1:
                break
        apply(rules, state, greedy_action(rules, state, legal, weights, scratch))
        choices = advance(rules, state, legal, scratch.forced_log, True)
    return choices


@kernel
def _leave_out_guests(rules: Rules, legal: Any) -> int:
    """Strike moves of guests off what is allowed; how many they were."""
    moves = 0
    for action in range(NUM_BASE_ACTIONS, rules["num_actions"]):
        if IS_GUEST_MOVE[action] and legal[action]:
            legal[action] = False
            moves += 1
    return moves


# -- opening a node --------------------------------------------------------------------------------


@kernel
def _expand(
    rules: Rules, weights: Any, params: SearchParams, work: Workspace, tree: Tree, node: int
) -> None:
    """Add a child for each allowed action that has none, with its prior; there must be room."""
    state, legal = work.states[HERE], work.legal[HERE]
    base = edge_of(state["decision_point"], state["turn"], 0)
    liked = -1
    if params.prior == Prior.GREEDY:
        liked = greedy_action(rules, state, legal, weights, work.scratch)
    last = last_child(tree.nodes, node)
    is_new = last == NO_NODE
    for action in range(rules["num_actions"]):
        if legal[action] and (is_new or find_child(tree.nodes, node, base + action) == NO_NODE):
            prior = 1.0
            if params.prior == Prior.EVALUATION:
                prior = _evaluate_step(rules, weights, params, work, action)
            elif action == liked:
                prior += params.sharpness
            last = add_child(tree, node, last, base + action, prior)


@kernel
def _evaluate_step(
    rules: Rules, weights: Any, params: SearchParams, work: Workspace, action: int
) -> float:
    """How promising an action looks by the chance to win right after it."""
    state, ahead = work.states[HERE], work.states[AHEAD]
    seat = state["turn"]
    copy_record(ahead, state)
    apply(rules, ahead, action)
    _advance_to_branch(rules, ahead, weights, params, work.legal[AHEAD], work.scratch)
    fill_win_probabilities(rules, ahead, weights, work.scratch, work.values)
    return math.exp(params.sharpness * work.values[seat])


# -- judging a leaf --------------------------------------------------------------------------------


@kernel
def _evaluate_leaf(
    rules: Rules, weights: Any, params: SearchParams, work: Workspace, choices: int
) -> None:
    """Write into ``work.values`` what the position at the end of the way is worth to each seat."""
    state, legal, scratch = work.states[HERE], work.legal[HERE], work.scratch
    if params.leaf == Leaf.GREEDY:
        greedy_rollout(rules, state, legal, choices, params.rollout_depth, weights, scratch)
    elif params.leaf == Leaf.RANDOM:
        _random_rollout(rules, state, legal, scratch.forced_log, work.rng, choices)
    fill_win_probabilities(rules, state, weights, scratch, work.values)
    if params.margin > 0.0 and state["outcome"] == Outcome.FINISHED:
        _add_margin(rules, state, params.margin, work)


@kernel
def _random_rollout(
    rules: Rules, state: State, legal: Any, forced_log: Any, rng: Any, choices: int
) -> None:
    """Play to the end, every allowed action as likely as the others."""
    while choices > 0:
        apply(rules, state, draw_legal(rng, legal, choices))
        choices = advance(rules, state, legal, forced_log, True)


@kernel
def _add_margin(rules: Rules, state: State, margin: float, work: Workspace) -> None:
    """Add a little for the lead over the mean of all, so that won and lost games are fought too.

    Over the seats this sums to nothing.
    """
    players = rules["num_players"]
    fill_scores(rules, state, work.scores)
    mean = 0.0
    for seat in range(players):
        mean += work.scores[seat] / players
    for seat in range(players):
        work.values[seat] += margin * (work.scores[seat] - mean) / _LEAD


# -- leaves for a network --------------------------------------------------------------------------


@kernel
def _put_in_batch(
    rules: Rules, state: State, weights: Any, work: Workspace, batch: LeafBatch, length: int
) -> None:
    """Lay the position at the end of the way into the next row, as the seats see it."""
    row = batch.size[0]
    batch.size[0] = row + 1
    batch.lengths[row] = length
    batch.paths[row, :length] = work.path[:length]
    batch.edges[row] = edge_of(state["decision_point"], state["turn"], 0)
    batch.turns[row] = state["turn"]
    batch.legal[row, :] = work.legal[HERE]
    fill_win_probabilities(rules, state, weights, work.scratch, batch.values[row])
    views = batch.observations.shape[1]
    for view in range(views):
        seat = state["turn"] if views == 1 else view
        fill_observation(rules, state, seat, batch.observations[row, view])


@kernel
def expand_leaves(tree: Tree, batch: LeafBatch, priors: Any, values: Any) -> None:
    """Open the leaves of a batch by what the network thinks of them, and credit it.

    Args:
        tree: The tree.
        batch: Leaves that `simulate` collected.
        priors: How likely each action is to be the best, shape ``(rows, num_actions)``.
        values: What each seat may expect, float64, shape ``(rows, seats)``.
    """
    for row in range(batch.size[0]):
        _expand_leaf(tree, batch, row, priors, values)


@kernel
def expand_batched(forest: Forest, batch: LeafBatch, priors: Any, values: Any) -> None:
    """Do the same for leaves of several trees, which `simulate_batched` collected."""
    for row in range(batch.size[0]):
        _expand_leaf(tree_in(forest, batch.trees[row]), batch, row, priors, values)


@kernel
def _expand_leaf(tree: Tree, batch: LeafBatch, row: int, priors: Any, values: Any) -> None:
    length = batch.lengths[row]
    leaf = int(batch.paths[row, length - 1])
    last = last_child(tree.nodes, leaf)
    is_new = last == NO_NODE
    for action in range(batch.legal.shape[1]):
        if batch.legal[row, action] and has_room(tree, 1):
            edge = batch.edges[row] + action
            if is_new or find_child(tree.nodes, leaf, edge) == NO_NODE:
                prior = max(priors[row, action], _LEAST_PRIOR)
                last = add_child(tree, leaf, last, edge, prior)
    backward(tree.nodes, batch.paths[row], length, values[row])
