"""An optional gain that is offered: take it or leave it (``optional_gains="ask"``, R-ROL-9)."""

from typing import Any

from prico_env.actions import GAIN, PASS
from prico_env.core.bank import award_vp, pay_out
from prico_env.core.jit import separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import resume
from prico_env.vocabulary import DecisionPoint


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Take it or leave it (R-GEN-3)."""
    legal[PASS] = True
    legal[GAIN] = True
    return 2


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Take what is offered, if wanted, and go on where the offer came from."""
    point, amount = state["decision_point"], state["value"]
    resume(state)
    if action == GAIN and point == DecisionPoint.GAIN_COINS:
        pay_out(rules, state, player, amount)
    elif action == GAIN:
        award_vp(state, player, amount)
