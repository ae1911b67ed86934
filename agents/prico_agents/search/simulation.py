"""Simulations of a search: descend the tree, expand a leaf, evaluate it, and back its value up.

A simulation copies the root, deals anew what the searching seat cannot see (a determinization), and
goes down the tree as long as it knows the way. Every seat maximises its own value (max^n). The leaf
is evaluated, and every node on the path is credited with its value for each seat.
"""

import enum
import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.heuristic_engine.evaluation import fill_win_probabilities
from prico_agents.heuristic_engine.greedy import greedy_action, greedy_rollout
from prico_agents.heuristic_engine.lookahead import lookahead_action
from prico_agents.heuristic_engine.scratch import Scratch, new_scratch
from prico_agents.search.tree import (
    NO_NODE,
    ROOT,
    SPAN,
    Forest,
    Tree,
    add_children,
    backward,
    edge_of,
    has_room,
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
"""Nodes on one path; the last of a path this long is evaluated as a leaf."""


class Leaf(enum.IntEnum):
    """How a leaf is evaluated."""

    STATIC = 0
    GREEDY = 1
    RANDOM = 2
    NETWORK = 3


class Prior(enum.IntEnum):
    """Where the priors of moves come from."""

    UNIFORM = 0
    GREEDY = 1
    EVALUATION = 2
    NETWORK = 3


class Selection(enum.IntEnum):
    """How a child of a node is selected."""

    PUCT = 0
    """By the highest PUCT score for the seat to act."""
    PRIOR = 1
    """By the highest prior."""
    SHARE = 2
    """By how far it is behind its prior's share of the visits (the D'Hondt method of
    apportionment), as if the move were drawn."""


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
START: Final = 0
"""The record of the root that is searched."""
CURRENT: Final = 1
"""The record that a simulation moves along."""
AHEAD: Final = 2
"""The record on which one further step is tried."""
_NUM_RECORDS: Final = 3
_SEED_BITS: Final = 31
_LEAD: Final = 100.0
"""A lead in points that is worth the whole margin."""
_LOWEST: Final = -1.0e9


class SearchParams(NamedTuple):
    """The parameters of a search, as kernels pass them on; see `Mcts` for those it is made with.

    Attributes:
        leaf: A `Leaf`.
        rollout_depth: Role choices of a greedy rollout from a leaf.
        prior: A `Prior`.
        sharpness: How much a prior prefers what it likes.
        exploration: The exploration constant of PUCT.
        fpu_reduction: How much worse than its parent an unvisited move is taken to be.
        margin: What a lead of a hundred points adds to a win.
        branches: Whether the tree branches at a `DecisionPoint`, bool, shape ``(num_points,)``.
        guest_moves: Whether moves of guests are searched like others.
        network_everywhere: Whether the network decides where the tree does not branch, instead of
            the greedy policy; a node there costs a simulation like any other.
        mixed_opponents: Whether the seats that do not search draw their moves, where the tree
            branches, from the priors instead of maximising their own value; those of a network
            are mixed with what the planner does there.
    """

    leaf: int
    rollout_depth: int
    prior: int
    sharpness: float
    exploration: float
    fpu_reduction: float
    margin: float
    branches: NDArray[np.bool_]
    guest_moves: bool
    network_everywhere: bool
    mixed_opponents: bool


def new_search_params(
    branch: str, default_policy: str, exploration: float, opponents: str
) -> SearchParams:
    """The parameters of a search with a network that gives priors and evaluates leaves.

    Args:
        branch: A name of `BRANCHES`.
        default_policy: What decides where the tree does not branch: ``greedy`` or ``network``.
        exploration: The exploration constant of PUCT.
        opponents: How the seats that do not search choose: ``alike`` or as a ``mixture``.
    """
    return SearchParams(
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
        mixed_opponents=opponents == "mixture",
    )


class Workspace(NamedTuple):
    """Scratch arrays of a search, made once for a rule set.

    Attributes:
        states: The records ``START``, ``CURRENT`` and ``AHEAD``.
        legal: What is allowed there, bool, shape ``(3, num_actions)``.
        priors: Of actions, as a node is expanded, float32, shape ``(num_actions,)``.
        path: The nodes of a simulation, int32, shape ``(MAX_PATH,)``.
        values: The value of its leaf to each seat, float64, shape ``(seats,)``.
        scores: Final scores, float64, shape ``(seats,)``.
        rng: The generator of determinizations and random rollouts, uint32, shape ``(4,)``.
        scratch: The scratch arrays of evaluations and the greedy policy.
    """

    states: NDArray[Any]
    legal: NDArray[np.bool_]
    priors: NDArray[np.float32]
    path: NDArray[np.int32]
    values: NDArray[np.float64]
    scores: NDArray[np.float64]
    rng: NDArray[np.uint32]
    scratch: Scratch


class Roots(NamedTuple):
    """Positions to search, each from the seat to decide there.

    Attributes:
        states: Records of games.
        rows: Which of them each root is, int64, shape ``(roots,)``.
        wanted: Simulations to make from each now, int64, shape ``(roots,)``.
        made: Simulations made from each so far.
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
        paths: The path to each, int32, shape ``(rows, MAX_PATH)``.
        lengths: Nodes on it, int64, shape ``(rows,)``.
        edges: The edge of action 0 there, int64, shape ``(rows,)``.
        turns: The seat to decide there, int64, shape ``(rows,)``.
        likely: What the planner would do there, int64, shape ``(rows,)``; -1 where nobody asks.
        legal: What it may do, bool, shape ``(rows, num_actions)``.
        values: Their values by the static evaluation, float64, shape ``(rows, seats)``.
        observations: What seats see, uint8, shape ``(rows, views, num_features)``: every seat in
            turn, or with a single view the seat to decide.
    """

    size: NDArray[np.int64]
    trees: NDArray[np.int64]
    paths: NDArray[np.int32]
    lengths: NDArray[np.int64]
    edges: NDArray[np.int64]
    turns: NDArray[np.int64]
    likely: NDArray[np.int64]
    legal: NDArray[np.bool_]
    values: NDArray[np.float64]
    observations: NDArray[np.uint8]


def new_workspace(rules: RuleSet) -> Workspace:
    """Make the arrays that a search of a game of these rules needs."""
    return Workspace(
        states=new_states(_NUM_RECORDS),
        legal=np.zeros((_NUM_RECORDS, rules.num_actions), np.bool_),
        priors=np.zeros(rules.num_actions, np.float32),
        path=np.zeros(MAX_PATH, np.int32),
        values=np.zeros(rules.players),
        scores=np.zeros(MAX_PLAYERS),
        rng=np.zeros(4, np.uint32),
        scratch=new_scratch(),
    )


def new_roots(states: NDArray[Any], rows: NDArray[np.int64]) -> Roots:
    """Take some records as roots from which no simulation was made or is wanted yet."""
    return Roots(states, rows, np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64))


def new_leaf_batch(rules: RuleSet, rows: int, views: int) -> LeafBatch:
    """Make room for so many leaves, each as so many seats see it."""
    return LeafBatch(
        size=np.zeros(1, np.int64),
        trees=np.zeros(rows, np.int64),
        paths=np.zeros((rows, MAX_PATH), np.int32),
        lengths=np.zeros(rows, np.int64),
        edges=np.zeros(rows, np.int64),
        turns=np.zeros(rows, np.int64),
        likely=np.zeros(rows, np.int64),
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
    roots: Roots,
    forest: Forest,
    batch: LeafBatch,
) -> None:
    """Make the simulations that are wanted from every root, each in the tree of its number.

    With a network, leaves are put into the batch instead of being evaluated, which must have room
    for all; and a root gets fewer simulations where they came to a leaf that waits already.
    """
    batch.size[0] = 0
    for number in range(roots.rows.shape[0]):
        if roots.wanted[number] > 0:
            first, tree, root = batch.size[0], tree_in(forest, number), work.states[START]
            copy_record(root, roots.states[roots.rows[number]])
            roots.made[number] += _simulate(
                table[root["rules"]], weights[0], params, work, tree, batch, roots.wanted[number]
            )
            batch.trees[first : batch.size[0]] = number


@kernel
def fill_root_views(table: Any, work: Workspace, roots: Roots, observations: Any) -> None:
    """Write what every seat sees at each root, uint8, shape ``(roots, seats, num_features)``.

    What the searching seat cannot see is dealt anew.
    """
    state = work.states[CURRENT]
    for number in range(roots.rows.shape[0]):
        copy_record(state, roots.states[roots.rows[number]])
        rules = table[state["rules"]]
        determinize(rules, state, state["turn"], _draw_seed(work.rng))
        for seat in range(observations.shape[1]):
            fill_observation(rules, state, seat, observations[number, seat])


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
    """Make so many simulations, fewer if one comes to a leaf that waits already; how many."""
    root, state, legal = work.states[START], work.states[CURRENT], work.legal[CURRENT]
    nodes = tree.nodes
    for done in range(count):
        copy_record(state, root)
        determinize(rules, state, root["turn"], _draw_seed(work.rng))
        choices = advance(rules, state, legal, work.scratch.forced_log, False)
        length, choices = _descend(rules, weights, params, work, tree, choices)
        was_visited = nodes[work.path[length - 1]]["visits"] > 0
        visit(nodes, work.path, length)
        if choices > 0 and params.leaf == Leaf.NETWORK:
            _enqueue(rules, weights, params, work, batch, choices, length)
            if was_visited:
                return done + 1
        else:
            _evaluate_leaf(rules, weights, params, work, choices)
            backward(nodes, work.path, length, work.values)
    return count


@kernel
def _draw_seed(rng: Any) -> int:
    return (next_number(rng) << _SEED_BITS) | (next_number(rng) >> 1)


# -- down the tree ---------------------------------------------------------------------------------


@kernel
def _descend(
    rules: Rules, weights: Any, params: SearchParams, work: Workspace, tree: Tree, choices: int
) -> tuple[int, int]:
    """Select a child at every node until the tree ends; return the path's length and choices there.

    Nodes are expanded as they are visited again, or when the network has given their priors.
    """
    state, legal, nodes = work.states[CURRENT], work.legal[CURRENT], tree.nodes
    asks_network = params.prior == Prior.NETWORK
    node, length = ROOT, 1
    work.path[0] = ROOT
    while choices > 0 and nodes[node]["visits"] > 0 and length < MAX_PATH:
        base = edge_of(state["decision_point"], state["turn"], 0)
        known, mass, visited = _legal_children(nodes, node, base, legal)
        if known < choices and not asks_network and has_room(tree, choices - known):
            _expand(rules, weights, params, work, tree, node)
            known, mass, visited = _legal_children(nodes, node, base, legal)
        if known == 0 or (known < choices and asks_network):
            break
        selection = _selection(params, work, length == 1)
        discount = params.fpu_reduction * math.sqrt(visited / mass)
        exploration = params.exploration / mass
        node = _select(nodes, node, base, legal, exploration, discount, selection)
        work.path[length] = node
        length += 1
        apply(rules, state, nodes[node]["edge"] - base)
        choices = _advance_to_branch(rules, weights, params, work, CURRENT)
    return length, choices


@kernel
def _selection(params: SearchParams, work: Workspace, is_root: bool) -> int:
    """By which `Selection` the tree goes on from the current position."""
    state = work.states[CURRENT]
    selection = Selection.PUCT
    if params.branches[state["decision_point"]]:
        if params.mixed_opponents and state["turn"] != work.states[START]["turn"]:
            selection = Selection.SHARE
    elif params.network_everywhere and not is_root:
        selection = Selection.PRIOR
    return selection


@kernel
def _legal_children(nodes: Any, node: int, base: int, legal: Any) -> tuple[int, float, float]:
    """How many children are allowed here, the sum of their priors, and that of the visited ones."""
    known, mass, visited = 0, 0.0, 0.0
    child = int(nodes[node]["child"])
    while child != NO_NODE:
        action = nodes[child]["edge"] - base
        if 0 <= action < SPAN and legal[action]:
            known += 1
            mass += nodes[child]["prior"]
            if nodes[child]["visits"] > 0:
                visited += nodes[child]["prior"]
        child = int(nodes[child]["sibling"])
    return known, mass, visited


@kernel
def _select(
    nodes: Any,
    node: int,
    base: int,
    legal: Any,
    exploration: float,
    discount: float,
    selection: int,
) -> int:
    """Select an allowed child by a `Selection`.

    Exploration counts the simulations in which the child was available, not all (as in ISMCTS).
    """
    seat = seat_of(base)
    unvisited = nodes[node]["values"][seat] / nodes[node]["visits"] - discount
    best, selected = _LOWEST, NO_NODE
    child = int(nodes[node]["child"])
    while child != NO_NODE:
        action = nodes[child]["edge"] - base
        if 0 <= action < SPAN and legal[action]:
            nodes[child]["available"] += 1
            prior, visits = nodes[child]["prior"], nodes[child]["visits"]
            if selection == Selection.SHARE:
                score = prior / (1.0 + visits)
            elif selection == Selection.PRIOR:
                score = float(prior)
            else:
                score = nodes[child]["values"][seat] / visits if visits > 0 else unvisited
                bonus = prior * math.sqrt(nodes[child]["available"]) / (1 + visits)
                score += exploration * bonus
            if score > best:
                best, selected = score, child
        child = int(nodes[child]["sibling"])
    return selected


@kernel
def _advance_to_branch(
    rules: Rules, weights: Any, params: SearchParams, work: Workspace, record: int
) -> int:
    """Go on to the next decision in the tree; return its choices, 0 when the game is over.

    Decisions on the way are those of the greedy policy, unless the network makes them.
    """
    state, legal, scratch = work.states[record], work.legal[record], work.scratch
    choices = advance(rules, state, legal, scratch.forced_log, True)
    while choices > 0:
        if params.network_everywhere or params.branches[state["decision_point"]]:
            if rules["guest_windows"] and not params.guest_moves:
                choices -= _mask_guest_moves(rules, legal)
            if choices > 1:
                break
        apply(rules, state, greedy_action(rules, state, legal, weights, scratch))
        choices = advance(rules, state, legal, scratch.forced_log, True)
    return choices


@kernel
def _mask_guest_moves(rules: Rules, legal: Any) -> int:
    """Strike moves of guests off what is allowed; how many they were."""
    moves = 0
    for action in range(NUM_BASE_ACTIONS, rules["num_actions"]):
        if IS_GUEST_MOVE[action] and legal[action]:
            legal[action] = False
            moves += 1
    return moves


# -- expansion -------------------------------------------------------------------------------------


@kernel
def _expand(
    rules: Rules, weights: Any, params: SearchParams, work: Workspace, tree: Tree, node: int
) -> None:
    """Add a child with its prior for each allowed action that has none; there must be room."""
    state, legal = work.states[CURRENT], work.legal[CURRENT]
    liked = -1
    if params.prior == Prior.GREEDY:
        liked = greedy_action(rules, state, legal, weights, work.scratch)
    for action in range(rules["num_actions"]):
        if legal[action]:
            work.priors[action] = 1.0 + params.sharpness * (action == liked)
            if params.prior == Prior.EVALUATION:
                work.priors[action] = _evaluate_step(rules, weights, params, work, action)
    base = edge_of(state["decision_point"], state["turn"], 0)
    add_children(tree, node, base, legal, work.priors)


@kernel
def _evaluate_step(
    rules: Rules, weights: Any, params: SearchParams, work: Workspace, action: int
) -> float:
    """The prior of an action by the win probability right after it."""
    state, ahead = work.states[CURRENT], work.states[AHEAD]
    copy_record(ahead, state)
    apply(rules, ahead, action)
    _advance_to_branch(rules, weights, params, work, AHEAD)
    fill_win_probabilities(rules, ahead, weights, work.scratch, work.values)
    return math.exp(params.sharpness * work.values[state["turn"]])


@kernel
def expand_leaves(forest: Forest, batch: LeafBatch, priors: Any, values: Any) -> None:
    """Expand the leaves of a batch with the priors of the network, and back their values up.

    Args:
        forest: The trees.
        batch: Leaves that `simulate` collected.
        priors: Of each action, float32, shape ``(rows, num_actions)``.
        values: Of each seat, float64, shape ``(rows, seats)``.
    """
    for row in range(batch.size[0]):
        tree, length = tree_in(forest, batch.trees[row]), batch.lengths[row]
        leaf = int(batch.paths[row, length - 1])
        add_children(tree, leaf, batch.edges[row], batch.legal[row], priors[row])
        backward(tree.nodes, batch.paths[row], length, values[row])


# -- evaluation of leaves --------------------------------------------------------------------------


@kernel
def _evaluate_leaf(
    rules: Rules, weights: Any, params: SearchParams, work: Workspace, choices: int
) -> None:
    """Write the value of the current position to each seat into ``work.values``."""
    state, legal, scratch = work.states[CURRENT], work.legal[CURRENT], work.scratch
    if params.leaf == Leaf.GREEDY:
        depth = params.rollout_depth
        greedy_rollout(rules, state, legal, choices, depth, weights, scratch)
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


@kernel
def _enqueue(
    rules: Rules,
    weights: Any,
    params: SearchParams,
    work: Workspace,
    batch: LeafBatch,
    choices: int,
    length: int,
) -> None:
    """Put the current position into the next row of the batch, as the seats see it."""
    state, row = work.states[CURRENT], batch.size[0]
    batch.size[0] = row + 1
    batch.lengths[row] = length
    for step in range(length):
        batch.paths[row, step] = work.path[step]
    batch.edges[row] = edge_of(state["decision_point"], state["turn"], 0)
    batch.turns[row] = state["turn"]
    batch.likely[row] = -1
    if _selection(params, work, False) == Selection.SHARE:
        legal = work.legal[CURRENT]
        batch.likely[row] = lookahead_action(rules, state, legal, weights, work.scratch)
    for action in range(batch.legal.shape[1]):
        batch.legal[row, action] = work.legal[CURRENT, action]
    views = batch.observations.shape[1]
    for view in range(views):
        seat = state["turn"] if views == 1 else view
        fill_observation(rules, state, seat, batch.observations[row, view])
    _evaluate_leaf(rules, weights, params, work, choices)
    for seat in range(batch.values.shape[1]):
        batch.values[row, seat] = work.values[seat]
