"""What the seat to act has in front of it, laid out by one compiled call for each decision.

Calling compiled code costs about as much as a decision of the game. So for PettingZoo's AEC
environment a game moves into a buffer with room for all that is shown of it: one call plays a
decision, writes the mask, lists the choices and scales the view.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from prico_env.actions import NUM_ACTIONS
from prico_env.core.calls import (
    COUNT_BITS,
    COUNT_MASK,
    DISPLAY,
    DISPLAY_AT,
    GAME_BYTES,
    LOOK,
    REFUSED,
    step_game,
)
from prico_env.game import Game
from prico_env.observation_layout import layout_for
from prico_env.vocabulary import MAX_PLAYERS, NOBODY


@lru_cache(maxsize=2 * MAX_PLAYERS)
def _factor(num_seats: int, with_expansions: bool) -> NDArray[np.float32]:
    """Return what features are multiplied by to lie in [0, 1], shape ``(num_features,)``."""
    layout = layout_for(num_seats, with_expansions)
    return layout.scale(np.ones_like(layout.high))


class StepBuffer:
    """A game with the choices and the view of its seat to act.

    Attributes:
        game: The game; its record lies in the buffer.
        num_choices: How many choices it has; 0 when the game is over.
        mask: Its legal actions, int8, shape ``(num_actions,)``; rewritten by every decision.
        choices: Their numbers, int16; the first ``num_choices`` count.
        view: What it sees, float32 in ``[0, 1]``, shape ``(num_features,)``; likewise.
    """

    __slots__ = ("choices", "game", "mask", "num_choices", "view")

    def __init__(self, game: Game) -> None:
        """Lay a game out. It must have settled."""
        self.seat_game(game)

    def seat_game(self, game: Game) -> None:
        """Move a game, which must have settled, into a new buffer."""
        factor = _factor(game.rules.players, game.rules.observation.with_expansions)
        num_features = len(factor)
        buffer = np.zeros(DISPLAY_AT + DISPLAY.itemsize, dtype=np.uint8)
        buffer[:GAME_BYTES] = game._buffer[:GAME_BYTES]
        display = buffer[DISPLAY_AT:].view(DISPLAY)
        display["num_features"] = num_features
        display["factor"][0, :num_features] = factor
        game._lie_in(buffer)
        self.game = game
        self.mask: NDArray[np.int8] = display["mask"][0, : game.num_actions]
        self.view: NDArray[np.float32] = display["scaled"][0, :num_features]
        self.choices: NDArray[np.int16] = display["choices"][0]
        self.num_choices = step_game(buffer, LOOK) & COUNT_MASK

    def step(self, action: int) -> int:
        """Carry out a decision and lay out the next one.

        Args:
            action: An action number; a Python integer.

        Returns:
            The seat to act, -1 when the game is over.

        Raises:
            IllegalActionError: The action is not allowed; nothing has changed.
        """
        game = self.game
        code = step_game(game._buffer, action) if 0 <= action < NUM_ACTIONS else REFUSED
        if code == REFUSED:
            game._refuse(action)
        game._note((code >> COUNT_BITS) & COUNT_MASK)
        self.num_choices = count = code & COUNT_MASK
        return code >> (2 * COUNT_BITS) if count else NOBODY

    def __getstate__(self) -> Game:
        """Save the game: everything else follows from it."""
        return self.game

    def __setstate__(self, game: Game) -> None:
        """Lay the game out again."""
        self.seat_game(game)
