"""What the seat to act has in front of it, laid out by one compiled call for each decision.

Calling compiled code costs about as much as a decision of the game, and every argument adds to it.
So for the PettingZoo face a game moves into one record together with all that is shown of it: one
call plays a decision, writes the mask, lists the choices and scales the view. The record has room
for the largest game: one size for all rule sets means that the call compiles once.
"""

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_env.actions import NUM_ACTIONS
from prico_env.core.engine import FORCED_LOG_ROWS, REFUSED, step
from prico_env.core.jit import kernel
from prico_env.core.observation import fill_observation
from prico_env.core.rules import RULES
from prico_env.core.state import STATE
from prico_env.game import Game
from prico_env.observation_layout import layout_for
from prico_env.vocabulary import MAX_PLAYERS, NOBODY

_MAX_FEATURES: Final = layout_for(MAX_PLAYERS, True).num_features
_DESK: Final = np.dtype(
    [
        ("only_look", "i4"),
        ("num_actions", "i4"),
        ("num_features", "i4"),
        ("factor", "f4", (_MAX_FEATURES,)),
        ("scaled", "f4", (_MAX_FEATURES,)),
        ("choices", "i2", (NUM_ACTIONS,)),
        ("forced_log", "i2", (FORCED_LOG_ROWS, 2)),
        ("table", RULES),
        ("state", STATE),
        ("mask", "i1", (NUM_ACTIONS,)),
        ("features", "u1", (_MAX_FEATURES,)),
        ("legal", "u1", (NUM_ACTIONS,)),
    ]
)
_LEGAL_AT: Final = _DESK.itemsize - NUM_ACTIONS
"""Where the game's own mask begins; a record cannot hold truth values, so it is a view of bytes."""
_COUNT_BITS: Final = 16
_COUNT_MASK: Final = (1 << _COUNT_BITS) - 1
_SEAT_BITS: Final = 32


@kernel
def _decide(raw: Any, action: int) -> int:
    """Make a decision and lay out the next; -1, and nothing changed, when it is not allowed.

    With ``only_look`` on the desk, lay out where the game stands, and leave the action aside.

    Returns the number of choices (0 when the game is over), above them the number of forced
    decisions that followed, and above that the seat to act.
    """
    desk = raw.view(_DESK)[0]
    legal = raw[_LEGAL_AT : _LEGAL_AT + desk["num_actions"]].view(np.bool_)
    rules, state, forced_log = desk["table"], desk["state"], desk["forced_log"]
    if desk["only_look"]:
        desk["only_look"] = 0
        forced_log[1, 0] = 0
    elif step(rules, state, action, legal, forced_log) == REFUSED:
        return REFUSED
    mask, choices = desk["mask"], desk["choices"]
    count = 0
    for choice in range(legal.shape[0]):
        mask[choice] = legal[choice]
        choices[count] = choice  # overwritten unless it counts: no branch to guess wrong
        count += legal[choice]
    seat = max(0, int(state["turn"]))
    num_features = desk["num_features"]
    features = desk["features"][:num_features]
    fill_observation(rules, state, seat, features)
    factor, scaled = desk["factor"], desk["scaled"]
    for feature in range(num_features):
        scaled[feature] = np.float32(features[feature]) * factor[feature]
    return count + (int(forced_log[1, 0]) << _COUNT_BITS) + (seat << _SEAT_BITS)


@lru_cache(maxsize=2 * MAX_PLAYERS)
def _factor(num_seats: int, with_expansions: bool) -> NDArray[np.float32]:
    """Return what features are multiplied by to lie in [0, 1], shape ``(num_features,)``."""
    layout = layout_for(num_seats, with_expansions)
    return layout.scale(np.ones_like(layout.high))


def _copy_bytes(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Copy one record, many times faster than an assignment, which goes field by field."""
    target.view(np.uint8)[:] = source.view(np.uint8)


class Desk:
    """A game with the choices and the view of its seat to act.

    Attributes:
        game: The game; its record lies on the desk.
        num_choices: How many choices it has; 0 when the game is over.
        mask: Its legal actions, int8, shape ``(num_actions,)``; rewritten by every decision.
        choices: Their numbers, int16; the first ``num_choices`` count.
        view: What it sees, float32 in ``[0, 1]``, shape ``(num_features,)``; likewise.
    """

    __slots__ = (
        "_forced_log",
        "_raw",
        "_unforced",
        "choices",
        "game",
        "mask",
        "num_choices",
        "view",
    )

    def __init__(self, game: Game) -> None:
        """Lay a game out. It must have settled."""
        self.seat_game(game)

    def seat_game(self, game: Game) -> None:
        """Move a game, which must have settled, onto a new desk."""
        factor = _factor(game.rules.players, bool(game.rules.expansions))
        num_actions, num_features = game.num_actions, len(factor)
        record = np.zeros(1, dtype=_DESK)
        record["num_actions"] = num_actions
        record["num_features"] = num_features
        record["factor"][0, :num_features] = factor
        _copy_bytes(game._table, record["table"])
        _copy_bytes(game._states, record["state"])
        legal = record["legal"][0, :num_actions].view(np.bool_)
        legal[:] = game.mask()
        game._table, game._states = record["table"], record["state"]
        game._legal, game._owns_legal = legal, True
        game._forced_log = self._forced_log = record["forced_log"][0]
        self._unforced = self._forced_log[:2]
        self.game = game
        self._raw = record.view(np.uint8)
        self.mask: NDArray[np.int8] = record["mask"][0, :num_actions]
        self.view: NDArray[np.float32] = record["scaled"][0, :num_features]
        self.choices: NDArray[np.int16] = record["choices"][0]
        record["only_look"] = 1
        self.num_choices = _decide(self._raw, 0) & _COUNT_MASK

    def decide(self, action: int) -> int:
        """Make a decision and lay out the next one.

        Args:
            action: An action number; a Python integer.

        Returns:
            The seat to act, -1 when the game is over.

        Raises:
            IllegalActionError: The action is not allowed; nothing has changed.
        """
        game = self.game
        if not game._owns_legal:
            self.seat_game(game)  # the clones keep the mask they share
        code = _decide(self._raw, action)
        if code < 0:
            game._refuse(action)
        forced = (code >> _COUNT_BITS) & _COUNT_MASK
        rows = self._forced_log[: 2 + forced] if forced else self._unforced
        game._history = (game._history, rows.tobytes())
        self.num_choices = count = code & _COUNT_MASK
        return code >> _SEAT_BITS if count else NOBODY

    def __getstate__(self) -> Game:
        """Save the game: everything else follows from it."""
        return self.game

    def __setstate__(self, game: Game) -> None:
        """Lay the game out again."""
        self.seat_game(game)
