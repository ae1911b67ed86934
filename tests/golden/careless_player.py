"""A player that draws its decisions from a generator of its own, so that they never move."""

from typing import Final

from prico_env import Game
from prico_env.actions import BLOCKS, PASS, block_of

_MULTIPLIER: Final = 6364136223846793005
_INCREMENT: Final = 1442695040888963407
_WORD: Final = 1 << 64
_RECALLS: Final = {block.kind for block in BLOCKS if block.kind.startswith("recall")}


class CarelessPlayer:
    """Acts whenever it can, moves few workers and otherwise throws dice of its own."""

    def __init__(self, seed: int) -> None:
        self.luck = seed

    def roll(self, sides: int) -> int:
        """Throw a die with so many sides."""
        self.luck = (self.luck * _MULTIPLIER + _INCREMENT) % _WORD
        return (self.luck >> 33) % sides

    def choose(self, game: Game) -> int:
        """Return a legal action: mostly no pass, and mostly no worker back."""
        choices = game.legal_actions()
        is_recalling = any(block_of(action).kind in _RECALLS for action in choices)
        if is_recalling and PASS in choices and self.roll(3) > 0:
            return PASS
        if not is_recalling and self.roll(4) > 0:
            choices = [action for action in choices if action != PASS] or choices
        return choices[self.roll(len(choices))]
