"""AlphaZero's search in NumPy: trees of many games side by side, so that a network sees one batch.

    prico play human prico_training.examples.batched_puct:BatchedPuct planner planner
    python -m prico_training.examples.batched_puct --simulations 32 --games 64

`search` takes a batch of positions and any ``evaluate(observations, masks) -> (priors, values)``,
and returns how often each move was visited: the policy target of AlphaZero and MuZero. Values are
win probabilities of every seat, and each seat maximises its own (max^n). What the seat at the root
cannot see is dealt anew for each simulation, and a node stands for the actions that lead to it
(open loop), so that one tree holds what may happen whatever the tiles to come. A simulation takes
every tree down to a new node by `Games.step`, however many there are. How strong it is stands in
the page on search, docs/search.md; the compiled search of `prico_agents.search` is faster for few
games, this one is for reading and changing.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prico_agents import AgentError, View, load_agent
from prico_agents.batch_players import NOBODY, BatchPlayers
from prico_agents.compiled import CompiledAgent
from prico_agents.neural.policy import Policy
from prico_env import Games, RuleSet
from prico_env.arguments import instance
from prico_env.batch import LEAVE
from prico_training.arena.statistics import as_percentage, proportion

Evaluate: TypeAlias = Callable[
    [NDArray[np.uint8], NDArray[np.bool_]], tuple[NDArray[np.floating], NDArray[np.floating]]
]
"""Judges ``k`` positions: ``(observations, masks) -> (priors, values)``.

What the seats to decide see, ``(k, num_features)``, and may do, ``(k, num_actions)``; the prior
probability of each action, ``(k, num_actions)``, and the win probability of each seat,
``(k, seats)``, the seat to decide first and the others clockwise.
"""

ROOT: Final = 0
NO_NODE: Final = -1
_LEAST_PRIOR: Final = 1e-3
"""Of moves that were not allowed when a node was made, but are with other tiles."""


class Found(NamedTuple):
    """What a search found, a row for each position.

    Attributes:
        visits: Of each action at the root, int64, shape ``(n, num_actions)``.
        values: Win probabilities of the seats by number, float64, shape ``(n, seats)``.
    """

    visits: NDArray[np.int64]
    values: NDArray[np.float64]


class Trees:
    """A tree for each of ``n`` games with room for ``nodes``, as arrays with an axis for each."""

    def __init__(self, n: int, nodes: int, num_actions: int, seats: int) -> None:
        """Make room; the root of every tree is node 0."""
        self.children = np.full((n, nodes, num_actions), NO_NODE, np.int32)
        self.priors = np.zeros((n, nodes, num_actions), np.float32)
        self.visits = np.zeros((n, nodes), np.int64)
        self.sums = np.zeros((n, nodes, seats))

    def select(
        self, rows: NDArray[np.int64], nodes: NDArray[np.int64], games: Games, exploration: float
    ) -> NDArray[np.int64]:
        """Return the action with the highest PUCT score at a node of each of some trees."""
        each = rows[:, None]
        seats, legal = games.turn[rows].astype(np.int64), games.masks[rows]
        children = self.children[rows, nodes]
        visits = np.where(children == NO_NODE, 0, self.visits[each, children])
        here = self.sums[rows, nodes, seats] / self.visits[rows, nodes]
        sums = self.sums[each, children, seats[:, None]]
        values = np.where(visits > 0, sums / np.maximum(visits, 1), here[:, None])
        priors = np.maximum(self.priors[rows, nodes], _LEAST_PRIOR)
        total = np.sqrt(self.visits[rows, nodes])[:, None]
        scores = values + exploration * priors * total / (1 + visits)
        return np.where(legal, scores, -np.inf).argmax(axis=1)


def search(
    positions: Games,
    evaluate: Evaluate,
    simulations: int,
    seed: int,
    exploration: float = 0.5,
) -> Found:
    """Search positions of one rule set, each in a tree of its own.

    Args:
        positions: Games that wait for a decision; they stay where they are.
        evaluate: Judges the new nodes of all trees at once.
        simulations: Simulations in each tree.
        seed: Where the guesses at what is hidden come from.
        exploration: The exploration constant of PUCT.
    """
    n, players = len(positions), positions.rule_sets[0].players
    trees = Trees(n, simulations + 1, positions.num_actions, players)
    everyone, root_seats = np.arange(n), positions.turn.copy()
    seeds = np.random.default_rng(seed).integers(2**62, size=(simulations + 1, n))
    for new in range(simulations + 1):
        games = positions.take(everyone)
        games.determinize(root_seats, seeds[new])
        paths, paid = _descend(trees, games, new, exploration)
        values = _evaluate(trees, games, paths[-1], paid, evaluate)
        for nodes in paths:
            on_path = np.flatnonzero(nodes != NO_NODE)
            trees.visits[on_path, nodes[on_path]] += 1
            trees.sums[on_path, nodes[on_path]] += values[on_path]
    children = trees.children[:, ROOT]
    visits = np.where(children == NO_NODE, 0, trees.visits[everyone[:, None], children])
    return Found(visits, trees.sums[:, ROOT] / trees.visits[:, ROOT, None])


def _descend(
    trees: Trees, games: Games, new: int, exploration: float
) -> tuple[list[NDArray[np.int64]], NDArray[np.float64]]:
    """Go down every tree to its new node, or to the end of the game.

    Returns:
        The node of each tree by depth, `NO_NODE` below its leaf, and all leaves at the end; and the
        rewards of games that are over, shape ``(n, seats)``.
    """
    n, players = len(games), games.rule_sets[0].players
    leaves, paid = np.full(n, ROOT), np.zeros((n, players))
    paths = []
    rows = np.arange(n) if new != ROOT else np.arange(0)  # the root itself is new at first
    while len(rows):
        nodes = np.full(n, NO_NODE)
        nodes[rows] = leaves[rows]
        paths.append(nodes)
        chosen = trees.select(rows, nodes[rows], games, exploration)
        actions = np.full(n, LEAVE)
        actions[rows] = chosen
        games.step(actions)
        paid += games.rewards
        below = trees.children[rows, nodes[rows], chosen]
        is_new = below == NO_NODE
        trees.children[rows[is_new], nodes[rows[is_new]], chosen[is_new]] = new
        leaves[rows] = np.where(is_new, new, below)
        rows = rows[~is_new & ~games.over[rows]]
    return [*paths, leaves], paid


def _evaluate(
    trees: Trees,
    games: Games,
    leaves: NDArray[np.int64],
    paid: NDArray[np.float64],
    evaluate: Evaluate,
) -> NDArray[np.float64]:
    """Return the values of all seats at the leaves, and write the priors of those that go on."""
    players = paid.shape[1]
    values = paid + 1 / players
    going = np.flatnonzero(~games.over)
    if len(going):
        priors, judged = evaluate(games.observations[going], games.masks[going])
        trees.priors[going, leaves[going]] = priors
        clockwise = (np.arange(players) - games.turn[going, None]) % players
        values[going] = np.take_along_axis(judged, clockwise, axis=1)
    return values


# -- as an agent -----------------------------------------------------------------------------------


def network_evaluator(network: str, rules: RuleSet) -> Evaluate:
    """Return the priors and values of a policy or checkpoint such as ``governor``."""
    policy = instance(load_agent(network), Policy, "what evaluates is a network", AgentError)
    policy.reset(0, rules, 0)

    def evaluate(
        observations: NDArray[np.uint8], masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        priors, values = policy.network.evaluate(observations, masks)
        if values is None or values.shape[1] != rules.players:
            raise AgentError(f"{network!r} does not judge every seat")
        return priors, values / values.sum(axis=1, keepdims=True)

    return evaluate


class BatchedPuct:
    """Plays the most visited move of a search with a network.

    Attributes:
        made: Simulations so far.
    """

    def __init__(
        self, simulations: int = 64, network: str = "governor", exploration: float = 0.5
    ) -> None:
        """Choose how to search.

        Args:
            simulations: Simulations a decision.
            network: What gives priors and values.
            exploration: The exploration constant of PUCT.
        """
        self._simulations, self._network = simulations, network
        self._exploration = exploration
        self.made = 0
        self._seeds = np.random.default_rng(0)

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game."""
        self._evaluate = network_evaluator(self._network, rules)
        self._seeds = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """Choose one of the allowed actions."""
        return int(self.act_in(Games.of([view.game]))[0])

    def act_in(self, positions: Games) -> NDArray[np.int64]:
        """Choose in many games at once, int64, shape ``(n,)``."""
        seed = int(self._seeds.integers(2**62))
        found = search(positions, self._evaluate, self._simulations, seed, self._exploration)
        self.made += self._simulations * len(positions)
        return found.visits.argmax(axis=1)


def play_among(
    player: BatchedPuct, rules: RuleSet, opponent: str, games: int, seed: int
) -> NDArray[np.float64]:
    """Let the search play many games at once, seat by seat, among copies of a compiled agent.

    Returns:
        Its share of each victory, float64, shape ``(games,)``.
    """
    batch = Games(rules, games, seed)
    seats = np.arange(games) % rules.players
    agent = instance(load_agent(opponent), CompiledAgent, "opponents are compiled", AgentError)
    others = BatchPlayers([agent], games, seed)
    player.reset(0, rules, seed)
    while not batch.over.all():
        is_own = batch.turn == seats
        actions = np.full(games, LEAVE)
        others.choose(batch, np.where(is_own | batch.over, NOBODY, 0), actions)
        own = np.flatnonzero(is_own)
        if len(own):
            actions[own] = player.act_in(batch.take(own))
        batch.step(actions)
    won = batch.places() == 1
    return (won / won.sum(axis=1, keepdims=True))[np.arange(games), seats]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play games and say how often the search wins, and how fast it is."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.batched_puct")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=64, help="side by side")
    parser.add_argument("--simulations", type=int, default=32, help="a decision")
    parser.add_argument("--network", default="governor")
    parser.add_argument("--opponent", default="planner", help="a compiled agent")
    options = parser.parse_args(arguments)
    player = BatchedPuct(options.simulations, options.network)
    rules, began = RuleSet(options.players), time.perf_counter()
    won = play_among(player, rules, options.opponent, options.games, seed=1)
    seconds = time.perf_counter() - began
    rate = as_percentage(proportion(won, np.arange(len(won))))
    print(f"wins {rate} of {options.games} games (equals: {1 / options.players:.1%})")
    print(f"{player.made / seconds:,.0f} simulations a second, games included")


if __name__ == "__main__":
    main()
