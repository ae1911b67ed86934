"""Trader: everyone may sell one barrel to the trading house, or trade land at the land office."""

from typing import Any, Final

from prico_env.actions import LAND_BUY, LAND_SELL, PASS, POST, SELL, USE_FOREST
from prico_env.core.bank import (
    barrels_in_house,
    can_draw_tile,
    draw_tile,
    empty_house,
    offer_coins,
    pay_in,
    pay_out,
)
from prico_env.core.guest_house import can_move
from prico_env.core.island import (
    can_lay_forest,
    fill_removable,
    fill_removals,
    fill_uses,
    has_space,
    lay_drawn_forest,
    lay_plantation,
    lay_stack_forest,
    only_removal,
    remove_tile,
    removed_kind,
)
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import closing, next_turn, start_turns
from prico_env.core.units import has_power, holds, owns, privilege
from prico_env.vocabulary import (
    HOUSE_SLOTS,
    NOBODY,
    NUM_GOODS,
    DecisionPoint,
    Power,
    Side,
    UsedOnce,
)

_LAND_PRICE: Final = 1


@kernel
def begin(rules: Rules, state: State) -> None:
    """Start with the actor (R-ROL-6)."""
    start_turns(state, DecisionPoint.SELL)


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Sell one barrel, trade land once, or be done (R-TRA-1..3, R-TPO-1, R-LND-1)."""
    if state["decision_point"] == DecisionPoint.USE_TILE:
        return fill_uses(legal)
    if state["decision_point"] == DecisionPoint.REMOVE_TILE:
        return fill_removals(state, player, state["value"], legal)
    legal[PASS] = True
    count = 1
    if not rules["citizens"]:
        return count + _fill_sales(rules, state, player, legal)
    if not has_sold(state, player):
        count += _fill_sales(rules, state, player, legal)
    count += _fill_land(rules, state, player, legal)
    is_done = count == 1 and has_sold(state, player)
    if is_done and not _may_open_land_office(rules, state, player):
        legal[PASS] = False
        return 0
    return count


@kernel
def _fill_sales(rules: Rules, state: State, player: int, legal: Any) -> int:
    """A kind the house lacks, or any with an office; any to the own market (R-TRA-2/3, R-TPO-1)."""
    count = 0
    if not is_house_full(state):
        for good in range(NUM_GOODS):
            legal[SELL + good] = holds(state, player, good) & house_takes(state, player, good)
            count += legal[SELL + good]
    if has_power(state, player, Power.OWN_MARKET) and is_post_open(rules, state):
        for good in range(NUM_GOODS):
            legal[POST + good] = holds(state, player, good)
            count += legal[POST + good]
    return count


@kernel
def has_sold(state: State, player: int) -> bool:
    """Whether a player who is still trading has sold a barrel (R-TRA-1)."""
    return state["used_once"][player] & UsedOnce.SOLD > 0


@kernel
def is_house_full(state: State) -> bool:
    """Whether the trading house buys no more (R-TRA-2)."""
    return barrels_in_house(state) == HOUSE_SLOTS


@kernel
def house_takes(state: State, player: int, good: int) -> bool:
    """Whether the house lacks a kind, or an office sells it all the same (R-TRA-3, R-OFF-1)."""
    return (state["house"][good] == 0) | has_power(state, player, Power.SELL_ANY_KIND)


@kernel
def is_post_open(rules: Rules, state: State) -> bool:
    """Whether trading posts buy: by edition not when the house is full (R-TPO-5)."""
    return rules["trading_post_after_house_full"] or not is_house_full(state)


@kernel
def _fill_land(rules: Rules, state: State, player: int, legal: Any) -> int:
    """A worker on the land office buys a tile, a citizen sells one, once (R-LND-1..3)."""
    side = state["powers"][player, Power.LAND_TRADE]
    if side == 0 or has_traded_land(state, player):
        return 0
    if side == Side.CITIZEN:
        return fill_removable(state, player, LAND_SELL, rules["land_office_sells_forest"], legal)
    if not can_pay_land(state, player) or not has_space(state, player):
        return 0
    if not is_land_left(rules, state, player):
        return 0
    legal[LAND_BUY] = True
    return 1


@kernel
def has_traded_land(state: State, player: int) -> bool:
    """Whether a player's land office has traded in this phase (R-LND-1)."""
    return state["used_once"][player] & UsedOnce.LAND > 0


@kernel
def can_pay_land(state: State, player: int) -> bool:
    """Whether a player has the coin that a tile costs (R-LND-2)."""
    return state["coins"][player] >= _LAND_PRICE


@kernel
def is_land_left(rules: Rules, state: State, player: int) -> bool:
    """Whether there is a tile to buy: from the deck, or a forest (R-LND-2, R-LND-6)."""
    return can_draw_tile(state) or _may_take_forest(rules, state, player)


@kernel
def _may_take_forest(rules: Rules, state: State, player: int) -> bool:
    """Whether a purchase may be a forest from the stack, with nothing drawn (R-LND-6, Q-122)."""
    return not rules["land_office_forest_buy_is_flip_bought_tile"] and can_lay_forest(
        rules, state, player
    )


@kernel
def _may_open_land_office(rules: Rules, state: State, player: int) -> bool:
    """Whether a guest could still come to an empty land office that has not been used."""
    if has_traded_land(state, player) or has_power(state, player, Power.LAND_TRADE):
        return False
    return owns(rules, state, player, Power.LAND_TRADE) and can_move(rules, state, player)


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Sell, trade land, lay the tile bought, or end the turn."""
    if state["decision_point"] == DecisionPoint.USE_TILE:
        _use_bought(rules, state, player, action)
    elif state["decision_point"] == DecisionPoint.REMOVE_TILE:
        kind = state["value"]
        state["value"] = 0
        state["decision_point"] = DecisionPoint.SELL
        _sell_land(rules, state, player, kind, action)
    elif action == PASS:
        _end_turn(rules, state, player)
    elif action == LAND_BUY:
        _buy_land(rules, state, player)
    elif action >= LAND_SELL:
        state["used_once"][player] |= UsedOnce.LAND
        kind = removed_kind(action, LAND_SELL)
        _sell_land(rules, state, player, kind, only_removal(state, player, kind))
    else:
        _sell(rules, state, player, action)


@kernel
def _sell_land(rules: Rules, state: State, player: int, kind: int, action: int) -> None:
    """Sell a tile of a kind for a coin; with no action, ask which one (R-LND-3, R-LND-4)."""
    if action == NOBODY:
        state["decision_point"] = DecisionPoint.REMOVE_TILE
        state["value"] = kind
        return
    to_row = rules["land_office_sale_to_is_face_up_row"]
    remove_tile(rules, state, player, kind, action, to_row)
    pay_out(rules, state, player, _LAND_PRICE)


@kernel
def _end_turn(rules: Rules, state: State, player: int) -> None:
    state["used_once"][player] = 0
    next_turn(rules, state, DecisionPoint.SELL, closing(rules, DecisionPoint.PHASE_END))


@kernel
def _sell(rules: Rules, state: State, player: int, action: int) -> None:
    """Sell a barrel for its price, the actor's coin and the markets' bonus (R-TRA-4..6, R-TPO-2).

    Only who could still trade land stays.
    """
    state["used_once"][player] |= UsedOnce.SOLD
    if not rules["citizens"] or not owns(rules, state, player, Power.LAND_TRADE):
        _end_turn(rules, state, player)
    elif has_traded_land(state, player):
        _end_turn(rules, state, player)
    to_post = action >= POST
    good = action - POST if to_post else action - SELL
    state["goods"][player, good] -= 1
    if to_post:
        state["goods_supply"][good] += 1
    else:
        state["house"][good] += 1
    pay_out(rules, state, player, rules["good_price"][good])
    if not to_post:
        offer_coins(rules, state, player, state["powers"][player, Power.SALE_BONUS])
    offer_coins(rules, state, player, privilege(rules, state, player))


@kernel
def _buy_land(rules: Rules, state: State, player: int) -> None:
    """Pay a coin for the top tile of the deck, which may become a forest (R-LND-2, R-LND-6)."""
    state["used_once"][player] |= UsedOnce.LAND
    pay_in(state, player, _LAND_PRICE)
    if rules["land_office_forest_buy_is_flip_bought_tile"] or not can_lay_forest(
        rules, state, player
    ):
        kind = draw_tile(state)
        if can_lay_forest(rules, state, player):
            state["drawn"] = kind
            state["decision_point"] = DecisionPoint.USE_TILE
        else:
            lay_plantation(rules, state, player, kind)
    elif can_draw_tile(state):
        state["decision_point"] = DecisionPoint.USE_TILE
    else:
        lay_stack_forest(state, player)


@kernel
def _use_bought(rules: Rules, state: State, player: int, action: int) -> None:
    """Lay the tile bought, or have a forest; from the stack nothing is drawn (R-LND-6, Q-122)."""
    state["decision_point"] = DecisionPoint.SELL
    kind = state["drawn"]
    state["drawn"] = NOBODY
    if action == USE_FOREST and rules["land_office_forest_buy_is_flip_bought_tile"]:
        lay_drawn_forest(rules, state, player, kind)
    elif action == USE_FOREST:
        lay_stack_forest(state, player)
    else:
        lay_plantation(rules, state, player, draw_tile(state) if kind == NOBODY else kind)


@kernel
def end(rules: Rules, state: State) -> None:
    """A full house returns its barrels to the supply (R-TRA-8)."""
    if is_house_full(state):
        empty_house(state)
