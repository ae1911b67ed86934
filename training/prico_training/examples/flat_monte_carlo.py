"""A flat Monte Carlo player in a screenful of NumPy: try every move, play on many times, compare.

    prico play human prico_training.examples.flat_monte_carlo:FlatMonteCarlo corn corn
    python -m prico_training.examples.flat_monte_carlo --playouts 32 --policy corn

Each choice is made in as many copies of the game. In each copy what the player cannot see is dealt
anew, the same deals for all choices so that they differ by the choice alone, and the copies are
played to the end in compiled code. How strong it is stands in the page on search, docs/search.md.
"""

import argparse
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prico_agents import View
from prico_env import Games, RuleSet

POINT: Final = 0.001
"""What a point of lead adds to a win: it tells moves apart where all win, or none."""


def values_of_choices(
    position: Games, choices: Sequence[int], playouts: int, policy: str, seed: int
) -> NDArray[np.float64]:
    """Return what each choice is worth to the seat to act, float64, shape ``(choices,)``.

    Args:
        position: A batch of one game that waits for a decision.
        choices: The actions to try.
        playouts: Games that are played on after each.
        policy: Who plays them on, such as ``"random"`` or ``"corn"``.
        seed: Where all chance comes from.
    """
    seat = int(position.turn[0])
    games = position.take(np.zeros(len(choices) * playouts, np.int64))
    seeds = np.tile(seed + np.arange(playouts), len(choices))
    games.determinize(seat, seeds)
    games.step(np.repeat(choices, playouts))
    games.play(policy, seeds=seeds)
    scores = games.scores().astype(np.float64)
    lead = scores[:, seat] - np.delete(scores, seat, axis=1).max(axis=1)
    worth = games.rewards[:, seat] + POINT * lead
    return worth.reshape(len(choices), playouts).mean(axis=1)


class FlatMonteCarlo:
    """Plays the choice whose playouts won most."""

    def __init__(self, playouts: int = 32, policy: str = "corn") -> None:
        """Choose how to search.

        Args:
            playouts: Games that are played on after each choice.
            policy: Who plays them on.
        """
        self._playouts, self._policy = playouts, policy
        self._seeds = np.random.default_rng(0)

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game."""
        self._seeds = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """Choose one of the allowed actions."""
        choices = view.choices
        if len(choices) == 1:
            return choices[0]
        position = Games.of([view.game], observe=False)
        seed = int(self._seeds.integers(2**62))
        values = values_of_choices(position, choices, self._playouts, self._policy, seed)
        return choices[int(values.argmax())]


def main(arguments: Sequence[str] | None = None) -> None:
    """Say what the first choice of a game is worth."""
    parser = argparse.ArgumentParser(prog="python -m prico_training.examples.flat_monte_carlo")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--playouts", type=int, default=1000, help="of each choice")
    parser.add_argument("--policy", default="corn", help="who plays on")
    options = parser.parse_args(arguments)
    position = Games(RuleSet(options.players), 1, options.seed)
    choices = np.flatnonzero(position.masks[0]).tolist()
    values = values_of_choices(position, choices, options.playouts, options.policy, 1)
    for value, action in sorted(zip(values, choices, strict=True), reverse=True):
        print(f"{position[0].name(action):20} {value:+.3f}")


if __name__ == "__main__":
    main()
