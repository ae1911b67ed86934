"""Ways to play at random, and how many games a test plays.

`PRICO_GAMES=20 pytest tests/properties` plays twenty times as many games as usual.
"""

import os
import random

from numba import config

from tests.rule_sets import BASE_RULE_SETS, EXPANDED_RULE_SETS

EDITIONS = ("classic", "1897-en", "1897-de")
PLAYERS = (2, 3, 4, 5)
RULE_SETS = [(players, edition) for players in PLAYERS for edition in EDITIONS]
"""The base game, as a number of players and an edition."""
MIXED_RULE_SETS = [*BASE_RULE_SETS, *EXPANDED_RULE_SETS]
"""The base game, and a few games with expansions."""


def num_games(usual: int) -> int:
    """How many games to play where a handful is usual."""
    return usual * int(os.environ.get("PRICO_GAMES", "1"))


def playable(many):
    """All rule sets or seeds, or every seventh where the compiler is off and games take seconds."""
    return list(many)[:: 7 if config.DISABLE_JIT else 1]


def chooser(seed: int, eagerness: float = 0.0):
    """Pick among legal actions at random.

    Args:
        seed: Of Python's own generator.
        eagerness: How often to refuse to pass where something else is legal.
    """
    chance = random.Random(seed)

    def choose(actions) -> int:
        actions = [int(action) for action in actions]
        if actions[0] == 0 and len(actions) > 1 and chance.random() < eagerness:
            actions = actions[1:]
        return chance.choice(actions)

    return choose
