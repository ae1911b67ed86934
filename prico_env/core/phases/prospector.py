"""Prospector: a coin for the actor, nothing for anybody else."""

from prico_env.core.bank import offer_coins
from prico_env.core.jit import kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import closing, start_turns
from prico_env.core.units import privilege
from prico_env.vocabulary import DecisionPoint


@kernel
def begin(rules: Rules, state: State) -> None:
    """The actor takes a coin from the bank, two with a library (R-PRO-1, Q-74)."""
    start_turns(state, closing(rules, DecisionPoint.PHASE_END))
    offer_coins(rules, state, state["actor"], privilege(rules, state, state["actor"]))
