"""A search tree in one flat array: a record for every node.

A node stands for what was decided so far, not for a position: chance differs from one simulation to
the next (open-loop search). So a node has a value for every seat, and the edge that leads to it
names where the game waited and who decided, not the action alone. Which children are legal is asked
of the position at hand; how often each was available is counted apart.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env.core.api import kernel
from prico_env.vocabulary import MAX_PLAYERS

ROOT: Final = 0
NO_NODE: Final = 0
"""The root is nobody's child, so its number stands for "none" in every link."""
NODES_PER_SIMULATION: Final = 24
"""Room for the moves that a simulation makes known."""
SPAN: Final = 1024
"""An edge's number is this many times where and who, and the action."""
_SEATS: Final = 8

NODE: Final = np.dtype(
    [
        ("edge", "i4"),  # where the game waited, who decided and what; see `edge_of`
        ("child", "i4"),  # the first child
        ("sibling", "i4"),  # the next child of the same parent
        ("visits", "i4"),  # simulations that went through
        ("available", "i4"),  # simulations in which its parent could select it
        ("prior", "f4"),  # beside its siblings, not normalised
        ("values", "f8", (MAX_PLAYERS,)),  # of its simulations to each seat, added up
    ]
)
"""The record of a node: 64 bytes, a line of the processor's cache."""


class Tree(NamedTuple):
    """The nodes, and how many of them are in use.

    Attributes:
        nodes: Records of `NODE`, the root first, shape ``(num_nodes,)``.
        size: Nodes in use, int64, shape ``(1,)``.
    """

    nodes: NDArray[Any]
    size: NDArray[np.int64]


def new_tree(num_nodes: int) -> Tree:
    """Make a tree with room for so many nodes and no root; see `clear_tree`."""
    return Tree(np.zeros(num_nodes, NODE), np.zeros(1, np.int64))


class Forest(NamedTuple):
    """Several trees of the same size, one for each root that is searched.

    Attributes:
        nodes: Records of `NODE`, shape ``(trees, num_nodes)``.
        sizes: Nodes in use of each, int64, shape ``(trees, 1)``.
    """

    nodes: NDArray[Any]
    sizes: NDArray[np.int64]


def new_forest(num_trees: int, num_nodes: int) -> Forest:
    """Make trees with room for so many nodes each and no root; see `clear_tree`."""
    return Forest(np.zeros((num_trees, num_nodes), NODE), np.zeros((num_trees, 1), np.int64))


def forest_of(tree: Tree) -> Forest:
    """A forest of one tree; the same memory."""
    return Forest(tree.nodes[None], tree.size[None])


@kernel
def tree_in(forest: Forest, number: int) -> Tree:
    """One of the trees; the same memory."""
    return Tree(forest.nodes[number], forest.sizes[number])


@kernel
def edge_of(point: int, seat: int, action: int) -> int:
    """The number of an edge: point, seat and action in one."""
    return (int(point) * _SEATS + int(seat)) * SPAN + action


@kernel
def seat_of(edge: int) -> int:
    """Who decides at an edge."""
    return edge // SPAN % _SEATS


@kernel
def clear_tree(tree: Tree) -> None:
    """Forget everything but a root that nobody has visited."""
    tree.size[0] = 0
    _add_node(tree, 0, 0.0)


@kernel
def _add_node(tree: Tree, edge: int, prior: float) -> int:
    """Add a node that hangs nowhere yet, and return its number."""
    number = tree.size[0]
    tree.size[0] = number + 1
    node = tree.nodes[number]
    node["edge"] = edge
    node["child"] = NO_NODE
    node["sibling"] = NO_NODE
    node["visits"] = 0
    node["available"] = 0
    node["prior"] = prior
    for seat in range(MAX_PLAYERS):
        node["values"][seat] = 0.0
    return int(number)


@kernel
def _hang(nodes: Any, parent: int, last: int, child: int) -> None:
    """Hang a node behind the last child of a parent, or as its first."""
    if last == NO_NODE:
        nodes[parent]["child"] = child
    else:
        nodes[last]["sibling"] = child


@kernel
def has_room(tree: Tree, num_nodes: int) -> bool:
    """Whether so many nodes more find a place."""
    return tree.size[0] + num_nodes <= tree.nodes.shape[0]


@kernel
def add_children(tree: Tree, parent: int, base: int, legal: Any, priors: Any) -> None:
    """Add a child with its prior for each allowed action that has none, while there is room.

    Args:
        tree: The tree.
        parent: The node to expand.
        base: The edge of action 0 there.
        legal: What is allowed, bool, shape ``(num_actions,)``.
        priors: Of each action, of the same shape.
    """
    nodes, last = tree.nodes, NO_NODE
    child = int(nodes[parent]["child"])
    while child != NO_NODE:
        last = child
        child = int(nodes[child]["sibling"])
    is_new = last == NO_NODE
    for action in range(legal.shape[0]):
        if legal[action] and has_room(tree, 1):
            if is_new or find_child(nodes, parent, base + action) == NO_NODE:
                child = _add_node(tree, base + action, priors[action])
                _hang(nodes, parent, last, child)
                last = child


@kernel
def find_child(nodes: Any, parent: int, edge: int) -> int:
    """The child that an edge leads to, or `NO_NODE`."""
    child = int(nodes[parent]["child"])
    while child != NO_NODE and nodes[child]["edge"] != edge:
        child = int(nodes[child]["sibling"])
    return child


@kernel
def visit(nodes: Any, path: Any, length: int) -> None:
    """Count a simulation at every node of its path, before its value is known.

    Until then it counts as lost for every seat (a virtual loss), which sends others elsewhere.
    """
    for step in range(length):
        nodes[path[step]]["visits"] += 1


@kernel
def backward(nodes: Any, path: Any, length: int, leaf_values: Any) -> None:
    """Back the value of a leaf to each seat up to every node of its path."""
    for step in range(length):
        values = nodes[path[step]]["values"]
        for seat in range(leaf_values.shape[0]):
            values[seat] += leaf_values[seat]


# -- roots of a forest -----------------------------------------------------------------------------


@kernel
def clear_forest(forest: Forest) -> None:
    """Forget everything but the roots."""
    for number in range(forest.sizes.shape[0]):
        clear_tree(tree_in(forest, number))


@kernel
def mix_root_priors(forest: Forest, priors: Any, share: float, noise: Any) -> None:
    """Write the priors of the moves at each root, then mix noise into them.

    Args:
        forest: The trees, whose roots are expanded.
        priors: Receives the priors, all zero before, shape ``(roots, num_actions)``.
        share: How much of them is replaced.
        noise: What by: numbers that sum to 1 over what is allowed, of the same shape.
    """
    for number in range(priors.shape[0]):
        nodes = forest.nodes[number]
        child = int(nodes[ROOT]["child"])
        while child != NO_NODE:
            action = nodes[child]["edge"] % SPAN
            priors[number, action] = nodes[child]["prior"]
            mixed = (1 - share) * nodes[child]["prior"] + share * noise[number, action]
            nodes[child]["prior"] = mixed
            child = int(nodes[child]["sibling"])


@kernel
def summarize_roots(forest: Forest, visits: Any, qvalues: Any, values: Any) -> None:
    """Write the results of the searches to the seats to decide.

    Args:
        forest: The trees.
        visits: Receives the visits of each action, all zero before, ``(roots, num_actions)``.
        qvalues: Receives the mean value of each visited action, of the same shape.
        values: Receives the mean value of all simulations, shape ``(roots,)``.
    """
    for number in range(visits.shape[0]):
        nodes = forest.nodes[number]
        child = int(nodes[ROOT]["child"])
        seat = seat_of(nodes[child]["edge"])
        values[number] = nodes[ROOT]["values"][seat] / nodes[ROOT]["visits"]
        while child != NO_NODE:
            tried = nodes[child]["visits"]
            if tried > 0:
                action = nodes[child]["edge"] % SPAN
                visits[number, action] = tried
                qvalues[number, action] = nodes[child]["values"][seat] / tried
            child = int(nodes[child]["sibling"])


# -- subtrees --------------------------------------------------------------------------------------


@kernel
def move_subtree(source: Tree, top: int, target: Tree, origins: Any) -> None:
    """Copy a node and all below it into another tree of the same size, as its root.

    Args:
        source: The tree to copy from.
        top: The node.
        target: The tree to write over.
        origins: Written over, int32, shape ``(num_nodes,)``.
    """
    target.size[0] = 0
    _copy_node(source, top, target, origins)
    node = ROOT
    while node < target.size[0]:
        last = NO_NODE
        child = int(source.nodes[origins[node]]["child"])
        while child != NO_NODE:
            copy = _copy_node(source, child, target, origins)
            _hang(target.nodes, node, last, copy)
            last = copy
            child = int(source.nodes[child]["sibling"])
        node += 1


@kernel
def _copy_node(source: Tree, number: int, target: Tree, origins: Any) -> int:
    copy = int(target.size[0])
    target.size[0] = copy + 1
    origins[copy] = number
    target.nodes[copy] = source.nodes[number]
    target.nodes[copy]["child"] = NO_NODE
    target.nodes[copy]["sibling"] = NO_NODE
    return copy
