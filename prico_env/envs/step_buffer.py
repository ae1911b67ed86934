"""What the seat to act has in front of it, laid out by one compiled call for each decision.

Calling compiled code costs about as much as a decision of the game. So for PettingZoo's AEC
environment a game moves into a buffer with room for all that is shown of it: one call plays a
decision, writes the mask, lists the choices and scales the view.
"""

from typing import Any

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
from prico_env.feature_scaling import ScalingKind
from prico_env.game import Game
from prico_env.vocabulary import NOBODY


class StepBuffer:
    """A game with the choices and the view of its seat to act.

    Attributes:
        game: The game; its record lies in the buffer.
        num_choices: How many choices it has; 0 when the game is over.
        mask: Its legal actions, int8, shape ``(num_actions,)``; rewritten by every decision.
        choices: Their numbers, int16; the first ``num_choices`` count.
        scaling: How what it sees is scaled.
        view: What it sees, scaled, shape ``(num_features,)``; rewritten by every decision.
    """

    __slots__ = ("choices", "game", "mask", "num_choices", "scaling", "view")

    def __init__(self, game: Game, scaling: ScalingKind) -> None:
        """Lay a game out. It must have settled."""
        self.scaling = scaling
        self.seat_game(game)

    def seat_game(self, game: Game) -> None:
        """Move a game, which must have settled, into a new buffer."""
        num_features = game.rules.observation.num_features
        scaling = game.rules.observation.scaling(self.scaling)
        buffer = np.zeros(DISPLAY_AT + DISPLAY.itemsize, dtype=np.uint8)
        buffer[:GAME_BYTES] = game._buffer[:GAME_BYTES]
        display = buffer[DISPLAY_AT:].view(DISPLAY)
        display["num_features"] = num_features
        if self.scaling != "raw":
            display["num_scaled"] = num_features
            display["factor"][0, :num_features] = scaling.factor
            display["offset"][0, :num_features] = scaling.offset
        game._lie_in(buffer)
        self.game = game
        self.mask: NDArray[np.int8] = display["mask"][0, : game.num_actions]
        shown = "features" if self.scaling == "raw" else "scaled"
        self.view: NDArray[Any] = display[shown][0, :num_features]
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

    def __getstate__(self) -> tuple[Game, ScalingKind]:
        """Save the game and its scaling: everything else follows from them."""
        return self.game, self.scaling

    def __setstate__(self, saved: tuple[Game, ScalingKind]) -> None:
        """Lay the game out again."""
        game, self.scaling = saved
        self.seat_game(game)
