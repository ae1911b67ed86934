"""Trader: everyone may sell one barrel to the trading house."""

from typing import Any

from prico_env._jit import kernel
from prico_env.actions import PASS, SELL
from prico_env.bank import offer_coins, pay_out
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.turns import next_turn, start_turns
from prico_env.vocabulary import HOUSE_SLOTS, NUM_GOODS, Phase, Point, Power


@kernel
def begin(rules: Rules, state: State) -> None:
    """Start with the actor (R-ROL-6)."""
    state["phase"] = Phase.TRADER
    start_turns(state, Point.SELL)


@kernel
def barrels_in_house(state: State) -> int:
    """How many barrels the trading house holds."""
    barrels = 0
    for good in range(NUM_GOODS):
        barrels += state["house"][good]
    return barrels


@kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Sell one barrel of a kind the house lacks, or of any with an office; or none (R-TRA-1..3)."""
    legal[PASS] = True
    count = 1
    if barrels_in_house(state) == HOUSE_SLOTS:
        return count
    sells_any = state["powers"][player, Power.SELL_ANY_KIND] > 0
    for good in range(NUM_GOODS):
        may_sell = (state["goods"][player, good] > 0) & (sells_any | (state["house"][good] == 0))
        legal[SELL + good] = may_sell
        count += may_sell
    return count


@kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Sell a barrel for its price, the actor's coin and the markets' bonus (R-TRA-4..6)."""
    next_turn(rules, state, Point.SELL)
    if action == PASS:
        return
    good = action - SELL
    state["goods"][player, good] -= 1
    state["house"][good] += 1
    pay_out(rules, state, player, rules["good_price"][good])
    offer_coins(rules, state, player, state["powers"][player, Power.SALE_BONUS])
    if player == state["actor"]:
        offer_coins(rules, state, player, 1)


@kernel
def end(rules: Rules, state: State) -> None:
    """A full house returns its barrels to the supply (R-TRA-8)."""
    if barrels_in_house(state) == HOUSE_SLOTS:
        for good in range(NUM_GOODS):
            state["goods_supply"][good] += state["house"][good]
            state["house"][good] = 0
