"""What can be drawn."""

from typing import Any, Protocol

import numpy as np

from prico_env.arguments import numbered, texts
from prico_env.core.state import STATE
from prico_env.errors import PricoError, quoted
from prico_env.ruleset import RuleSet


class Drawable(Protocol):
    """What can be drawn: a `Game`, or anything else with a rule set and a record.

    Where it also has a ``history`` the last action is marked; where it has ``scores`` and
    ``ranking`` they are shown.
    """

    @property
    def rules(self) -> RuleSet:
        """What is played."""

    @property
    def state(self) -> np.ndarray:
        """The record, shape ``(1,)``."""


def check_view(game: Any, seat: object) -> int | None:
    """Check what is to be drawn, and return the seat whose view it is; None for nobody's.

    Raises:
        PricoError: It cannot be drawn, or there is no such seat.
    """
    state = getattr(game, "state", None)
    has_record = isinstance(state, np.ndarray) and state.dtype == STATE and state.shape == (1,)
    if not has_record or not isinstance(getattr(game, "rules", None), RuleSet):
        raise PricoError(f"what is drawn is a game, not {quoted(game)}")
    return None if seat is None else numbered(seat, "seat", game.rules.players)


def check_names(game: Any, names: object) -> list[str] | None:
    """Check the names of the seats that are drawn, and return them; None for none.

    Raises:
        PricoError: It cannot be drawn, or there is not a text for each seat.
    """
    check_view(game, None)
    given = None if names is None else texts(names, "names of the seats")
    if given is not None and len(given) != game.rules.players:
        raise PricoError(
            f"a game of {game.rules.players} players has a name for each seat, not {quoted(given)}"
        )
    return given
