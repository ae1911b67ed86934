"""The report of a search, for a person to read."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Final

import numpy as np

from prico_agents.analysis import Analysis, Candidate, brief, compare, only_choice
from prico_agents.search.tree import NO_NODE, ROOT, SPAN, Tree, edge_of, find_child, seat_of
from prico_env import Game
from prico_env.text import describe_action
from prico_env.text.terms import explanation

_FORESEEN: Final = 6
"""Decisions to come that a sentence names."""


@dataclass(frozen=True)
class MoveReport(Candidate):
    """What was found about one move; its share is that of the simulations.

    Attributes:
        visits: How many simulations tried it.
        prior: How promising it looked beforehand, beside the other moves; they sum to 1.
        values: What each seat may expect after it, as the search compares it: its chance to win,
            and a little for its lead. Nothing is known of a move that was not tried.
    """

    visits: int = 0
    prior: float = 0.0
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class SearchReport(Analysis):
    """The result of a search: an analysis with its figures, of which a file keeps the analysis.

    Attributes:
        candidates: All moves, the most tried first.
        principal_variation: How the game would go on by the most tried moves, as far as they were
            searched: the seat and what it does.
        simulations: How many were made for this decision.
        reused: How many more were known from the decision before.
        depth: Decisions on the longest way down.
        seconds: How long it took.
    """

    candidates: tuple[MoveReport, ...]
    _: KW_ONLY
    principal_variation: tuple[tuple[int, str], ...]
    simulations: int
    reused: int
    depth: int
    seconds: float

    def _title(self) -> str:
        reused = f" and {self.reused:,} known before" if self.reused else ""
        return (
            f"{super()._title()}: {self.simulations:,} simulations{reused}, "
            f"{self.depth} decisions deep, {self.seconds:.2f} s"
        )

    def _cells(self, candidate: Candidate) -> dict[str, str]:
        cells = super()._cells(candidate)
        if isinstance(candidate, MoveReport):
            counts = {"visits": f"{candidate.visits:,}", "prior": f"{candidate.prior:.1%}"}
            return {"move": cells.pop("move"), **counts, **cells}
        return cells


def new_report(game: Game, tree: Tree, chosen: int, made: int, seconds: float) -> SearchReport:
    """Read a tree.

    Args:
        game: The position at its root, as the searching seat sees it.
        tree: What was found.
        chosen: The move that the player makes of it.
        made: Simulations of this search.
        seconds: How long they took.
    """
    nodes, players, seat = tree.nodes, game.rules.players, game.turn
    found = _children(game, tree)
    visits = {action: _visits(tree, child) for action, child in found.items()}
    priors = {a: float(nodes["prior"][child]) if child else 0.0 for a, child in found.items()}
    all_visits, all_priors = sum(visits.values()), sum(priors.values()) or 1.0
    lines = []
    for action, child in found.items():
        values = nodes["values"][child, :players] / visits[action] if visits[action] else ()
        lines.append(
            MoveReport(
                action,
                visits[action] / all_visits if all_visits else None,
                _chances(values),
                game.describe(action),
                visits[action],
                priors[action] / all_priors,
                tuple(map(float, values)),
            )
        )
    lines.sort(key=lambda line: (-line.visits, -line.values[seat] if line.values else 0.0))
    looked = int(nodes["visits"][ROOT])
    principal_variation = _principal_variation(game, tree)
    return SearchReport(
        seat,
        chosen,
        tuple(lines),
        _chances(nodes["values"][ROOT, :players] / looked if looked else ()),
        tuple(_reasons(game.rules.edition, seat, chosen, lines, principal_variation)),
        principal_variation=principal_variation,
        simulations=made,
        reused=looked - made,
        depth=_depth(tree),
        seconds=seconds,
    )


def _children(game: Game, tree: Tree) -> dict[int, int]:
    """The nodes of all moves, `NO_NODE` for those that were never looked at."""
    point, seat = int(game.state["decision_point"][0]), game.turn
    return {
        action: find_child(tree.nodes, ROOT, edge_of(point, seat, action))
        for action in game.legal_actions()
    }


def _chances(values: "np.ndarray | tuple[float, ...]") -> tuple[float, ...]:
    """Values without what they hold for a lead: chances that sum to 1."""
    chances = np.clip(values, 0.0, 1.0)
    return tuple(chances / chances.sum()) if chances.size else ()


def _reasons(
    edition: str,
    seat: int,
    chosen: int,
    lines: list[MoveReport],
    principal_variation: tuple[tuple[int, str], ...],
) -> Iterator[str]:
    """Why the chosen move, and not the most tried of the others."""
    best = next(line for line in lines if line.action == chosen)
    others = [line for line in lines if line.action != chosen]
    if not others:
        yield only_choice(edition, best)
    elif best.share is not None:
        other = others[0]
        shares = {"here": best.share, "there": other.share or 0.0}
        yield explanation(
            edition, "tried", move=brief(best.words), other=brief(other.words), **shares
        )
        if best.chances and other.chances:
            yield compare(edition, seat, best, other)
    if len(principal_variation) > 1:
        way = principal_variation[1 : 1 + _FORESEEN]
        steps = "; ".join(
            explanation(edition, "step", seat=who, move=brief(words)) for who, words in way
        )
        yield explanation(edition, "variation", move=brief(principal_variation[0][1]), steps=steps)


def _visits(tree: Tree, node: int) -> int:
    return 0 if node == NO_NODE else int(tree.nodes["visits"][node])


def _principal_variation(game: Game, tree: Tree) -> tuple[tuple[int, str], ...]:
    """The most tried moves, one after the other; with amounts only where the game stands now."""
    nodes = tree.nodes
    way: list[tuple[int, str]] = []
    node = ROOT
    while True:
        best = NO_NODE
        child = int(nodes["child"][node])
        while child != NO_NODE:
            if nodes["visits"][child] > max(0, _visits(tree, best)):
                best = child
            child = int(nodes["sibling"][child])
        if best == NO_NODE:
            return tuple(way)
        edge = int(nodes["edge"][best])
        action = edge % SPAN
        name = game.describe(action) if node == ROOT else describe_action(game.rules, action)
        way.append((seat_of(edge), name))
        node = best


def _depth(tree: Tree) -> int:
    """Decisions on the longest way that was tried; children stand behind their parents."""
    used = int(tree.size[0])
    depth = np.zeros(used, np.int64)
    for parent in np.flatnonzero(tree.nodes["child"][:used]).tolist():
        child = int(tree.nodes["child"][parent])
        while child != NO_NODE:
            depth[child] = depth[parent] + 1
            child = int(tree.nodes["sibling"][child])
    tried = tree.nodes["visits"][:used] > 0
    return int(depth[tried].max(initial=0))
