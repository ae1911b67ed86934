"""Prospector: a coin for the actor, nothing for anybody else."""

from prico_env._jit import kernel
from prico_env.bank import offer_coins
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.vocabulary import Phase, Point


@kernel
def begin(rules: Rules, state: State) -> None:
    """The actor takes a coin from the bank (R-PRO-1)."""
    state["phase"] = Phase.PROSPECTOR
    state["turn"] = state["actor"]
    state["point"] = Point.PHASE_END
    offer_coins(rules, state, state["actor"], 1)
