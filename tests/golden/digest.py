"""One digest of how the game and its agents play, to compare before and after a change.

``python -m tests.golden.digest`` prints digests of random play in all 144 rule sets (records, legal
actions, observations and rewards of every decision), of the choices of every heuristic and of the
search, and of those of the network that ships. A change that is not meant to alter play leaves
them all as they were.
"""

import argparse
import hashlib

import numpy as np
from rich.console import Console
from rich.progress import track

from prico_agents import View, load_agent
from prico_env import Game, Games, RuleSet
from tests.rule_sets import ALL_RULE_SETS, BASE_RULE_SETS, EXPANDED_RULE_SETS

GAMES_OF_A_RULE_SET = 4
GAMES_OF_AN_AGENT = 200
HEURISTICS = ("random", "corn", "builder", "trader", "planner")
SEARCH = "mcts:8"
NETWORK = "governor"
NETWORK_TABLES = tuple(RuleSet(players) for players in (2, 3, 4, 5))


def digest_of_random_play() -> tuple[str, int]:
    """Digest every record, legal action, observation and reward of random games."""
    digest, decisions = hashlib.sha256(), 0
    for rules in track(ALL_RULE_SETS, "random play", console=Console(stderr=True)):
        games = Games(rules, GAMES_OF_A_RULE_SET, seed=7)
        while not games.over.all():
            decisions += int((~games.over).sum())
            legal = np.stack(np.nonzero(games.masks)).astype(np.int32)
            for part in (games.state, games.turn, legal, games.observations):
                digest.update(part.tobytes())
            games.step(games.sample())
            digest.update(games.rewards.tobytes())
    return digest.hexdigest()[:16], decisions


def digest_of_agent(name: str, tables: tuple[RuleSet, ...]) -> tuple[str, int]:
    """Digest the choices of an agent that sits at every seat of some games."""
    digest, decisions = hashlib.sha256(), 0
    for number in track(range(GAMES_OF_AN_AGENT), name, console=Console(stderr=True)):
        game = Game(tables[number % len(tables)], seed=number)
        agents = [load_agent(name) for _ in range(game.rules.players)]
        for seat, agent in enumerate(agents):
            agent.reset(seat, game.rules, number)
        while not game.over:
            action = agents[game.turn].act(View.of(game, game.turn))
            digest.update(int(action).to_bytes(2, "little"))
            game.step(action)
            decisions += 1
        digest.update(repr(game.scores()).encode())
    return digest.hexdigest()[:16], decisions


def main() -> None:
    """Print the digests."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    tables = (*BASE_RULE_SETS, *EXPANDED_RULE_SETS)
    print(f"{'random play':12} %s  %d decisions" % digest_of_random_play())
    for name in (*HEURISTICS, SEARCH):
        print(f"{name:12} %s  %d decisions" % digest_of_agent(name, tables))
    print(f"{NETWORK:12} %s  %d decisions" % digest_of_agent(NETWORK, NETWORK_TABLES))


if __name__ == "__main__":
    main()
