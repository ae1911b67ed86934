"""Tree reuse: which subtree stands for what has happened since a search."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from prico_agents.search.tree import NO_NODE, ROOT, Tree, edge_of, find_child
from prico_env import Game
from prico_env.game import Move


def find_subtree(
    tree: Tree, game: Game, moves: Sequence[Move], now: Game, seat: int, branches: NDArray[np.bool_]
) -> int:
    """Find the root of the subtree of what has happened since a search.

    Decisions at which the tree does not branch are passed over. The moves are made once more from
    the position of that search, and must lead exactly to the present one as far as ``seat`` sees:
    where chance has shown something since, what the tree found out is of another position.

    Args:
        tree: The tree of that search.
        game: The position it began from, as the seat saw it.
        moves: What was decided since, forced decisions included.
        now: The present position, dealt anew for the seat with seed 0.
        seat: Who searches.
        branches: Whether the tree branches at a point below its root, bool, ``(num_points,)``.

    Returns:
        The node, or `NO_NODE` where there is none or it holds nothing of use.
    """
    twin = game.clone()
    node = ROOT
    is_root = True
    for move in moves:
        if move.forced:
            continue
        legal = twin.mask()
        if twin.turn != move.seat or not legal[move.action]:
            return NO_NODE
        if is_root or (legal.sum() > 1 and branches[twin.state["decision_point"][0]]):
            edge = edge_of(int(twin.state["decision_point"][0]), twin.turn, move.action)
            node = find_child(tree.nodes, node, edge)
            if node == NO_NODE:
                return NO_NODE
        twin.step(move.action)
        is_root = False
    same = twin.determinize(seat, 0).state.tobytes() == now.state.tobytes()
    return node if same and _waits_here(tree, node, now) else NO_NODE


def _waits_here(tree: Tree, node: int, now: Game) -> bool:
    """Whether the tree has tried something at a node where the game waits now."""
    point = int(now.state["decision_point"][0])
    children = (
        find_child(tree.nodes, node, edge_of(point, now.turn, action))
        for action in now.legal_actions()
    )
    return any(child != NO_NODE and tree.nodes["visits"][child] > 0 for child in children)
