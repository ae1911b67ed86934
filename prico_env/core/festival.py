"""Festival: three goals are drawn at set-up, and whoever meets one first is rewarded (R-FES-1).

The goals are checked where they can be met: a plantation laid, goods produced, a building bought.
"""

from prico_env.core.bank import (
    lay_on_deck,
    offer_coins,
    offer_vp,
    return_units,
    shuffle_deck,
    sort_deck,
    supply_of,
)
from prico_env.core.jit import kernel
from prico_env.core.rng import below
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import interrupt
from prico_env.vocabulary import NOBODY, NUM_BUILDINGS, NUM_GOODS, DecisionPoint, Unit

_TILES_WANTED = 3
_WORKERS = 3
_COINS = 3
_VP = 3
_BARRELS = 3
_BARRELS_OF_A_KIND = 3
_TWO_PLAYERS = 2


@kernel
def draw_estate_and_goods(rules: Rules, state: State) -> None:
    """Draw the plantation and the three barrels of the goals, and set them aside (R-FES-2/3)."""
    estate = below(state["rng"], NUM_GOODS)
    state["festival_estate"] = estate
    state["deck_tiles"][estate] -= 1
    sort_deck(state)
    left = NUM_GOODS * _BARRELS_OF_A_KIND
    for _ in range(_BARRELS):
        place = below(state["rng"], left)
        good = 0
        while good < NUM_GOODS - 1 and place >= _BARRELS_OF_A_KIND - state["festival_goods"][good]:
            place -= _BARRELS_OF_A_KIND - state["festival_goods"][good]
            good += 1
        state["festival_goods"][good] += 1
        state["goods_supply"][good] -= 1
        left -= 1


@kernel
def draw_building(rules: Rules, state: State) -> None:
    """Draw the building of the goal from those for sale, and set a copy aside (R-FES-4..6)."""
    candidates = 0
    for building in range(NUM_BUILDINGS):
        candidates += _may_ask_for(rules, state, building)
    if candidates == 0:
        return
    place = below(state["rng"], candidates)
    for building in range(NUM_BUILDINGS):
        if not _may_ask_for(rules, state, building):
            continue
        if place == 0:
            state["festival_building"] = building
            state["building_supply"][building] -= 1
            if is_refilled(rules, building):
                state["building_supply"][building] += 1
            return
        place -= 1


@kernel
def is_refilled(rules: Rules, building: int) -> bool:
    """Whether a copy from the box replaces the goal's building: with two players (R-FES-6)."""
    two_players = rules["num_players"] == _TWO_PLAYERS
    return (
        two_players and rules["festival_two_player_refill"] and rules["spare_copies"][building] > 0
    )


@kernel
def _may_ask_for(rules: Rules, state: State, building: int) -> bool:
    """Whether the goal may be this building (R-FES-4, R-FES-5)."""
    if not rules["festival_pool"][building] or state["building_supply"][building] == 0:
        return False
    suits = rules["crop"][building] == state["festival_estate"]
    return not (rules["festival_redraw_if_same_product"] and suits)


@kernel
def check_estate(rules: Rules, state: State, player: int, kind: int) -> None:
    """Three plantations of the goal's kind bring up to three workers (R-FES-7, Q-140, Q-152)."""
    if kind != state["festival_estate"] or state["owned"][player, kind] < _TILES_WANTED:
        return
    state["festival_estate"] = NOBODY
    if rules["festival_estate_returns_to_is_face_up_row"]:
        state["row"][kind] += 1
    else:
        lay_on_deck(state, kind, 1)
        shuffle_deck(state)
    supply = supply_of(rules, state, Unit.WORKER) + supply_of(rules, state, Unit.CITIZEN)
    if supply == 0:
        return
    if rules["optional_gains_is_ask"]:
        interrupt(state, DecisionPoint.GAIN_UNITS, player, min(_WORKERS, supply))
    else:
        give_workers(rules, state, player, min(_WORKERS, supply))


@kernel
def give_workers(rules: Rules, state: State, player: int, count: int) -> None:
    """Take workers from the supply in hand, to be placed at once (Q-141)."""
    if supply_of(rules, state, Unit.CITIZEN) > 0:
        interrupt(state, DecisionPoint.GATHER, player, count)
        return
    return_units(state, Unit.WORKER, -count)
    state["hand_workers"] = count
    interrupt(state, DecisionPoint.PLACE_UNITS, player, count)


@kernel
def check_goods(rules: Rules, state: State, player: int, with_privilege: bool) -> None:
    """Producing the goal's three barrels in one phase brings three coins (R-FES-8, Q-143)."""
    wanted = 0
    for good in range(NUM_GOODS):
        made = state["produced"][player, good]
        if with_privilege:
            made += int(state["privilege_goods"][good])
        if made < state["festival_goods"][good]:
            return
        wanted += int(state["festival_goods"][good])
    if wanted == 0:
        return
    for good in range(NUM_GOODS):
        state["goods_supply"][good] += state["festival_goods"][good]
        state["festival_goods"][good] = 0
    offer_coins(rules, state, player, _COINS)


@kernel
def check_building(rules: Rules, state: State, player: int, building: int) -> None:
    """Buying the goal's building brings three VP; its copy is for sale now (R-FES-9, D-80)."""
    if building != state["festival_building"]:
        return
    state["festival_building"] = NOBODY
    state["building_supply"][building] += 1
    offer_vp(rules, state, player, _VP)
