"""What a search found, for a person to read."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from rich.table import Table

from agents.search.tree import NO_NODE, ROOT, SPAN, Tree, edge_of, find_child, seat_of
from prico_env import Game
from prico_env.notation import describe_action

_SHOWN: Final = 12
"""Moves that a page shows; the others were hardly tried."""


@dataclass(frozen=True)
class Line:
    """What was found about one move.

    Attributes:
        action: Its number.
        name: What it does, in the words of the edition.
        visits: How many simulations tried it.
        share: Which share of all simulations that is.
        prior: How promising it looked beforehand, beside the other moves; they sum to 1.
        values: What each seat may expect after it, by seat: its chance to win, and a little for
            its lead. Nothing is known of a move that was not tried.
    """

    action: int
    name: str
    visits: int
    share: float
    prior: float
    values: tuple[float, ...]


@dataclass(frozen=True)
class Report:
    """What a search found.

    Attributes:
        seat: Who searched.
        lines: All moves, the most tried first.
        principal: How the game would go on by the most tried moves, as far as they were searched:
            the seat and what it does.
        simulations: How many were made for this decision.
        kept: How many more were known from the decision before.
        depth: Decisions on the longest way down.
        seconds: How long it took.
    """

    seat: int
    lines: tuple[Line, ...]
    principal: tuple[tuple[int, str], ...]
    simulations: int
    kept: int
    depth: int
    seconds: float

    def __str__(self) -> str:
        """The page as plain text."""
        rows = [_HEAD, *(self._row(line) for line in self.lines[:_SHOWN])]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        page = [
            "  ".join(
                cell.ljust(width) if number == 0 else cell.rjust(width)
                for number, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join((self._title(), *page, *self._foot()))

    def __rich__(self) -> Table:
        """The page as a table for the terminal."""
        table = Table(title=self._title(), title_justify="left", caption_justify="left")
        table.caption = "\n".join(self._foot())
        for number, head in enumerate(_HEAD):
            table.add_column(head, justify="left" if number == 0 else "right")
        for line in self.lines[:_SHOWN]:
            table.add_row(*self._row(line))
        return table

    def _title(self) -> str:
        kept = f" and {self.kept:,} known before" if self.kept else ""
        return (
            f"seat {self.seat}: {self.simulations:,} simulations{kept}, "
            f"{self.depth} decisions deep, {self.seconds:.2f} s"
        )

    def _row(self, line: Line) -> tuple[str, ...]:
        others = " ".join(
            f"{value:.1%}" for seat, value in enumerate(line.values) if seat != self.seat
        )
        own = f"{line.values[self.seat]:.1%}" if line.values else ""
        return line.name, f"{line.visits:,}", f"{line.share:.1%}", f"{line.prior:.1%}", own, others

    def _foot(self) -> list[str]:
        left = len(self.lines) - _SHOWN
        more = [f"and {left} moves that were tried less"] if left > 0 else []
        way = [f"  seat {seat}: {name}" for seat, name in self.principal]
        return [*more, "most tried:", *way] if way else more


_HEAD: Final = ("move", "visits", "share", "prior", "wins", "others win, by seat")


def new_report(game: Game, tree: Tree, made: int, seconds: float) -> Report:
    """Read a tree.

    Args:
        game: The position at its root, as the searching seat sees it.
        tree: What was found.
        made: Simulations of this search.
        seconds: How long they took.
    """
    nodes, players = tree.nodes, game.rules.players
    point, seat = int(game.state["point"][0]), game.turn
    found = {
        action: find_child(nodes, ROOT, edge_of(point, seat, action))
        for action in game.legal_actions()
    }
    visits = {action: _visits(tree, child) for action, child in found.items()}
    priors = {a: float(nodes["prior"][child]) if child else 0.0 for a, child in found.items()}
    all_visits, all_priors = max(1, sum(visits.values())), sum(priors.values()) or 1.0
    lines = [
        Line(
            action,
            game.describe(action),
            visits[action],
            visits[action] / all_visits,
            priors[action] / all_priors,
            tuple((nodes["values"][child, :players] / visits[action]).tolist())
            if visits[action]
            else (),
        )
        for action, child in found.items()
    ]
    lines.sort(key=lambda line: -line.visits)
    known = int(nodes["visits"][ROOT]) - made
    return Report(seat, tuple(lines), _principal(game, tree), made, known, _depth(tree), seconds)


def _visits(tree: Tree, node: int) -> int:
    return 0 if node == NO_NODE else int(tree.nodes["visits"][node])


def _principal(game: Game, tree: Tree) -> tuple[tuple[int, str], ...]:
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
