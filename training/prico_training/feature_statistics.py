"""Makes the means and deviations that features are standardised with, and writes their file.

    python -m prico_training.feature_statistics

A fixed mix of players plays every rule set: each seat of each game is drawn evenly from `PLAYERS`,
those left out that cannot read the rule set. Every decision counts once, as the seat to act sees
it. There are as many games without expansions as with them: a feature of the base game has one
scaling in both. Sums are whole numbers, so that the same games give the same file, bit for bit.
`prico_env.feature_scaling` reads it.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_agents import load_agent
from prico_agents.batch_players import NOBODY, BatchPlayers
from prico_agents.compiled import CompiledAgent
from prico_agents.neural.policy import Policy, can_play
from prico_env import Games, RuleSet
from prico_env.feature_scaling import STATISTICS_FILE, shared_name
from prico_env.observation_layout import layout_for
from prico_env.ruleset import every_rule_set
from prico_env.vocabulary import MAX_PLAYERS
from prico_training.files import write_text

VERSION: Final = 1
"""Of the published numbers; it moves whenever they do."""
PLAYERS: Final = ("random", "corn", "trader", "builder", "planner", "governor")
"""Who plays, each with the same chance at each seat."""
GAMES_OF_EACH: Final = 24
"""Games of each rule set with expansions."""
SEED: Final = 20_261_129
"""Of the deals, the draws of who sits where, and what players draw."""
_SEED_STRIDE: Final = 1_000_003
"""Keeps the deals of rule sets apart."""
_DIGITS: Final = 5


class Moments:
    """Sums over decisions, by the shared name of a feature; whole numbers.

    Attributes:
        names: Shared names, in the order of the largest layout.
        decisions: How many have been counted.
        count: How many values of each feature, int64, shape ``(names,)``.
        total: Their sum, likewise.
        squares: The sum of their squares, likewise.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        features = layout_for(MAX_PLAYERS, True).feature_names
        self.names: tuple[str, ...] = tuple(dict.fromkeys(map(shared_name, features)))
        self.decisions = 0
        self.count, self.total, self.squares = np.zeros((3, len(self.names)), np.int64)
        self._number = {name: number for number, name in enumerate(self.names)}

    def add(self, rules: RuleSet, observations: NDArray[np.uint8]) -> None:
        """Count decisions of a rule set.

        Args:
            rules: The rule set.
            observations: Raw features, shape ``(decisions, num_features)``.
        """
        shared = [self._number[shared_name(name)] for name in rules.observation.feature_names]
        self.decisions += len(observations)
        np.add.at(self.count, shared, len(observations))
        np.add.at(self.total, shared, observations.sum(axis=0, dtype=np.int64))
        squares = np.einsum("ij,ij->j", observations, observations, dtype=np.int64)
        np.add.at(self.squares, shared, squares)

    def rows(self) -> dict[str, tuple[float, float]]:
        """Return mean and deviation of each feature that has been counted, by shared name."""
        found = {}
        for name, count, total, squares in zip(
            self.names, self.count.tolist(), self.total.tolist(), self.squares.tolist(), strict=True
        ):
            if count:
                spread = max(0, count * squares - total**2) ** 0.5
                found[name] = _rounded(total / count), _rounded(spread / count)
        return found


def _rounded(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


def play(rules: RuleSet, num_games: int, seed: int) -> NDArray[np.uint8]:
    """Let the mix of players play games; return what the seat to act saw at each decision.

    Args:
        rules: What is played.
        num_games: How many games, side by side.
        seed: Decides everything in them.

    Returns:
        Raw features, shape ``(decisions, num_features)``.
    """
    agents = [load_agent(name) for name in PLAYERS]
    compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
    readers = [a for a in agents if isinstance(a, Policy) and can_play(a.saved, rules)]
    for reader in readers:
        reader.reset(0, rules, seed)
    games = Games(rules, num_games, seed, threads=1)
    batch = BatchPlayers(compiled, num_games, seed)
    everybody = len(compiled) + len(readers)
    line_ups = np.random.default_rng(seed).integers(everybody, size=(num_games, rules.players))
    seen, every = [], np.arange(num_games)
    actions = np.zeros(num_games, np.int64)
    while not games.over.all():
        running = ~games.over
        seen.append(games.observations[running])
        players = np.where(running, line_ups[every, games.turn], NOBODY)
        batch.choose(games, np.where(players < len(compiled), players, NOBODY), actions)
        for number, reader in enumerate(readers, start=len(compiled)):
            own = np.flatnonzero(players == number)
            if own.size:
                actions[own] = reader.act_batch(games.observations[own], games.masks[own])
        games.step(actions)
    return np.concatenate(seen)


def measure(rule_sets: Sequence[RuleSet], games_of_each: int, seed: int) -> tuple[Moments, int]:
    """Play rule sets and count; as many games in all without expansions as with them.

    Args:
        rule_sets: What is played.
        games_of_each: Games of each rule set with expansions.
        seed: Decides everything.

    Returns:
        The sums, and how many games there were.
    """
    moments, played = Moments(), 0
    expanded = sum(bool(rules.expansions) for rules in rule_sets)
    base = len(rule_sets) - expanded
    for number, rules in enumerate(rule_sets):
        num_games = games_of_each
        if not rules.expansions and expanded:
            num_games = games_of_each * expanded // base
        moments.add(rules, play(rules, num_games, seed + number * _SEED_STRIDE))
        played += num_games
    return moments, played


def page(moments: Moments, origin: dict[str, Any]) -> str:
    """Return the file of statistics: JSON, with a line for each feature."""
    rows = (f"  {json.dumps(name)}: {list(row)}" for name, row in moments.rows().items())
    head = json.dumps({"version": VERSION, "origin": origin}, indent=1)
    return head.removesuffix("\n}") + ',\n "features": {\n' + ",\n".join(rows) + "\n }\n}\n"


def publish(file: Path, rule_sets: Sequence[RuleSet], games_of_each: int, seed: int) -> None:
    """Measure, and write the file."""
    moments, played = measure(rule_sets, games_of_each, seed)
    origin = {
        "command": "python -m prico_training.feature_statistics",
        "players": list(PLAYERS),
        "rule_sets": len(rule_sets),
        "games": played,
        "decisions": moments.decisions,
        "seed": seed,
        "features": "mean and deviation of the raw counts, others.* over all other seats",
    }
    write_text(file, page(moments, origin))


def main(arguments: Iterable[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m prico_training.feature_statistics", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--output", type=Path, default=STATISTICS_FILE, help="the file to write")
    options = parser.parse_args(None if arguments is None else list(arguments))
    publish(options.output, every_rule_set(), GAMES_OF_EACH, SEED)
    print(f"written: {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
