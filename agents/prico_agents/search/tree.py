"""A search tree in one flat array: a record for every node.

A node stands for what was decided so far, not for a position: what chance brings on the way differs
from one simulation to the next. So a node keeps a value for every seat, and the edge that leads to
it names where the game waited and who decided, not the action alone. Which children count is asked
of the position at hand; how often each could have been chosen is counted apart.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_env.core.api import kernel
from prico_env.vocabulary import MAX_PLAYERS

ROOT: Final = 0
NO_NODE: Final = 0
NODES_PER_SIMULATION: Final = 24
"""Room for the moves that a simulation makes known."""
"""The root is nobody's child, so its number stands for "none" in every link."""
SPAN: Final = 1024
"""An edge's number is this many times where and who, and the action."""
_SEATS: Final = 8

NODE: Final = np.dtype(
    [
        ("edge", "i4"),  # where the game waited, who decided and what; see `edge_of`
        ("child", "i4"),  # the first child
        ("sibling", "i4"),  # the next child of the same parent
        ("visits", "i4"),  # simulations that went through
        ("available", "i4"),  # simulations in which the parent could choose it
        ("prior", "f4"),  # how promising it looked beforehand, beside its siblings
        ("values", "f8", (MAX_PLAYERS,)),  # what its simulations brought each seat, added up
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
    """Several trees of the same size.

    Attributes:
        nodes: Records of `NODE`, shape ``(trees, num_nodes)``.
        sizes: Nodes in use of each, int64, shape ``(trees, 1)``.
    """

    nodes: NDArray[Any]
    sizes: NDArray[np.int64]


def new_forest(num_trees: int, num_nodes: int) -> Forest:
    """Make trees with room for so many nodes each and no root; see `clear_tree`."""
    return Forest(np.zeros((num_trees, num_nodes), NODE), np.zeros((num_trees, 1), np.int64))


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
def add_child(tree: Tree, parent: int, last: int, edge: int, prior: float) -> int:
    """Add a child behind the last one of a parent (`NO_NODE`: it has none); there must be room."""
    child = _add_node(tree, edge, prior)
    _hang(tree.nodes, parent, last, child)
    return child


@kernel
def last_child(nodes: Any, parent: int) -> int:
    """The last child of a node, or `NO_NODE`."""
    last = NO_NODE
    child = int(nodes[parent]["child"])
    while child != NO_NODE:
        last = child
        child = int(nodes[child]["sibling"])
    return last


@kernel
def find_child(nodes: Any, parent: int, edge: int) -> int:
    """The child that an edge leads to, or `NO_NODE`."""
    child = int(nodes[parent]["child"])
    while child != NO_NODE and nodes[child]["edge"] != edge:
        child = int(nodes[child]["sibling"])
    return child


@kernel
def clear_forest(forest: Forest) -> None:
    """Forget everything but the roots."""
    for number in range(forest.sizes.shape[0]):
        clear_tree(tree_in(forest, number))


@kernel
def read_root_priors(forest: Forest, priors: Any) -> None:
    """Write how promising each action looks at each root.

    Args:
        forest: The trees, whose roots are open.
        priors: Receives it, all zero before, shape ``(positions, num_actions)``.
    """
    for number in range(priors.shape[0]):
        nodes = forest.nodes[number]
        child = int(nodes[ROOT]["child"])
        while child != NO_NODE:
            priors[number, nodes[child]["edge"] % SPAN] = nodes[child]["prior"]
            child = int(nodes[child]["sibling"])


@kernel
def read_roots(forest: Forest, visits: Any, qvalues: Any, values: Any) -> None:
    """Write what was found about each action at each root.

    Args:
        forest: The trees.
        visits: Receives how often it was tried, all zero before, ``(positions, num_actions)``.
        qvalues: Receives what that brought the seat to decide, on the mean, of the same shape.
        values: Receives what all simulations brought that seat, on the mean, ``(positions,)``.
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


@kernel
def mix_root_priors(forest: Forest, share: float, others: Any) -> None:
    """Mix what looks promising at each root with something else.

    Args:
        forest: The trees, whose roots are open.
        share: How much of the priors is replaced.
        others: What by: numbers that sum to 1 over what is allowed, ``(positions, num_actions)``.
    """
    for number in range(others.shape[0]):
        nodes = forest.nodes[number]
        child = int(nodes[ROOT]["child"])
        while child != NO_NODE:
            other = share * others[number, nodes[child]["edge"] % SPAN]
            nodes[child]["prior"] = (1 - share) * nodes[child]["prior"] + other
            child = int(nodes[child]["sibling"])


@kernel
def visit(nodes: Any, path: Any, length: int) -> None:
    """Count a simulation at every node it goes through, before anybody knows what it brings.

    Until then it counts as lost for everybody, which sends others elsewhere.
    """
    for step in range(length):
        nodes[path[step]]["visits"] += 1


@kernel
def backward(nodes: Any, path: Any, length: int, shares: Any) -> None:
    """Credit what a simulation brought each seat to every node it went through."""
    for step in range(length):
        values = nodes[path[step]]["values"]
        for seat in range(shares.shape[0]):
            values[seat] += shares[seat]


@kernel
def move_branch(source: Tree, top: int, target: Tree, origins: Any) -> None:
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
    node = source.nodes[number]
    copy = _add_node(target, node["edge"], node["prior"])
    origins[copy] = number
    twin = target.nodes[copy]
    twin["visits"] = node["visits"]
    twin["available"] = node["available"]
    for seat in range(MAX_PLAYERS):
        twin["values"][seat] = node["values"][seat]
    return copy
