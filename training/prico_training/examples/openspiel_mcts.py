"""Let the tree search of OpenSpiel play at one seat, among random players at the others.

    pip install "prico[openspiel]"
    python -m prico_training.examples.openspiel_mcts --simulations 100 --games 10

Tried with open_spiel 2.0.2; a game takes some ten seconds with 50 simulations a decision.
``pyspiel.MCTSBot``, written in C++, plays too, but ask it with ``step_with_policy``: its ``step``
ends the process with a segmentation fault in any game that is written in Python. What a search gets
to see, and how chance enters, is told in `prico_env.envs.openspiel`.
"""

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

import prico_env.envs.openspiel  # noqa: F401 - registers the game
from prico_env.errors import from_extra

with from_extra("openspiel", "this example"):
    import pyspiel
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
    from open_spiel.python.bots.uniform_random import UniformRandomBot


def make_search(game: Any, simulations: int, hidden: bool, rng: np.random.RandomState) -> Any:
    """Make a bot that searches.

    Args:
        game: What is played.
        simulations: How many games it plays on from a decision, at random, to choose.
        hidden: Whether it deals what its seat cannot see anew for each, as it has to where a rule
            set hides more than the order of the tiles.
        rng: What it draws from.
    """
    evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    if hidden:
        return ISMCTSBot(
            game, evaluator, 1.4, simulations, random_state=rng, use_observation_string=True
        )
    return MCTSBot(game, 1.4, simulations, evaluator, random_state=rng)


def play(game: Any, bots: Sequence[Any], rng: np.random.RandomState) -> list[float]:
    """Play a game with a bot at each seat; return what it pays them."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    return list(state.returns())


def main(arguments: Sequence[str] | None = None) -> None:
    """Play some games, the search at each seat in turn, and say how often it wins."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.openspiel_mcts")
    parser.add_argument("--game", default="python_puerto_rico(players=3)", help="with parameters")
    parser.add_argument("--simulations", type=int, default=50, help="a decision")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--hidden", action="store_true", help="search by ISMCTS")
    options = parser.parse_args(arguments)
    game, rng = pyspiel.load_game(options.game), np.random.RandomState(1)
    wins = 0
    for number in range(options.games):
        seat = number % game.num_players()
        bots = [UniformRandomBot(other, rng) for other in range(game.num_players())]
        bots[seat] = make_search(game, options.simulations, options.hidden, rng)
        paid = play(game, bots, rng)
        wins += paid[seat] > 0
        print(f"game {number + 1}: the search sits at seat {seat} and gets {paid[seat]:+.2f}")
    print(f"it wins {wins} of {options.games}")


if __name__ == "__main__":
    main()
