"""Drafts: a run of small decisions of one seat, prepared as the arrangement that it leads to.

Who puts workers on circles, keeps barrels, pays missing coins or moves guests decides one piece at
a time. A draft says how everything is to stand in the end, as a number for each place, and finds
the decisions that lead there; the engine alone says what is allowed. A draft looks at a copy of the
game. It never goes past a point where something is drawn at random.

"""

from collections.abc import Callable
from typing import Final

from prico_env import Game
from prico_env.actions import block_of
from prico_env.vocabulary import DecisionPoint
from prico_training.ui.drafts.draft import Draft, DraftError, Place, Pool, Suggestion
from prico_training.ui.drafts.payment import Payment
from prico_training.ui.drafts.storage import Storage
from prico_training.ui.drafts.units import Guests, Handout, Staffing

__all__ = ["Draft", "DraftError", "Place", "Pool", "Suggestion", "draft_of"]

_AT_POINT: Final[dict[DecisionPoint, Callable[[Game], Draft]]] = {
    DecisionPoint.RECALL: Staffing,
    DecisionPoint.PLACE: Staffing,
    DecisionPoint.STORE: Storage,
    DecisionPoint.PAY: Payment,
    DecisionPoint.GATHER: Handout,
    DecisionPoint.PLACE_UNITS: Handout,
}


def draft_of(game: Game) -> Draft | None:
    """Return the draft of the decisions that the seat to act is about to make, if there is one.

    >>> game = Game(seed=7)
    >>> draft_of(game) is None
    True
    >>> game.step("role:builder")
    >>> for building in ("sugar_mill", "small_sugar_mill", "indigo_plant", "small_sugar_mill"):
    ...     game.step(f"build:{building}")
    >>> game.step("role:mayor")
    >>> draft = draft_of(game)
    >>> draft.kind, draft.counts, draft.in_hand(draft.counts)
    ('staffing', {'worker:corn': 0, 'worker:indigo_plant': 0}, {'worker': 1})
    >>> [game.name(action) for action in draft.actions_to({"worker:indigo_plant": 1})]
    ['place:indigo_plant']
    """
    if game.over:
        return None
    kind = _AT_POINT.get(DecisionPoint(int(game.state[0]["decision_point"])))
    if kind is not None:
        return kind(game)
    moves_guests = any(block_of(action).verb == "guest" for action in game.legal_actions())
    return Guests(game) if moves_guests else None
