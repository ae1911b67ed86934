"""Craftsman: everyone produces; the actor, last of all, takes a further barrel."""

from typing import Any, Final

from prico_env.actions import GAIN, PASS, PRIVILEGE
from prico_env.core import festival
from prico_env.core.bank import offer_coins, offer_vp
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import closing, next_turn, seats_acting, start_turns
from prico_env.core.units import count_citizens, privilege, units_on
from prico_env.vocabulary import (
    NUM_CROP_BUILDINGS,
    NUM_GOODS,
    NUM_TILES,
    BuildingClass,
    DecisionPoint,
    Good,
    Power,
    Side,
)

_LAST_AQUEDUCT_GOOD: Final = Good.SUGAR


@kernel
def begin(rules: Rules, state: State) -> None:
    """Everyone produces in turn, strictly clockwise from the actor (R-CRA-2, Q-60).

    Where chapels pay as the phase opens, they come first (R-CHP-2).
    """
    if rules["citizens"] and rules["chapel_timing_is_phase_start"]:
        start_turns(state, DecisionPoint.OPENING)
        return
    start_turns(state, DecisionPoint.PRODUCE)
    if rules["optional_gains_is_ask"] or rules["guest_windows"]:
        return
    for _ in range(seats_acting(rules, state)):  # nobody could be asked in between
        _take_turn(rules, state, state["turn"], True)


@kernel
def capacity(rules: Rules, state: State, player: int, good: int) -> int:
    """Barrels of a kind that plantations and plants can make (R-CRA-1, R-PRD-1, R-PRD-2)."""
    plantations = units_on(state, player, good)
    if good == Good.CORN:
        return plantations
    plants = 0
    for building in range(NUM_CROP_BUILDINGS):
        if rules["crop"][building] == good:
            plants += units_on(state, player, NUM_TILES + building)
    return min(plantations, plants)


# -- decisions -------------------------------------------------------------------------------------


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Produce or not, where that is asked; then the actor's further barrel."""
    if state["decision_point"] == DecisionPoint.CRAFTSMAN_PRIVILEGE:
        return _fill_privilege(rules, state, player, legal)
    if not rules["optional_gains_is_ask"] or state["decision_point"] == DecisionPoint.OPENING:
        return 0
    if not can_produce(rules, state, player):
        return 0
    legal[PASS] = True
    legal[GAIN] = True
    return 2


@kernel
def can_produce(rules: Rules, state: State, player: int) -> bool:
    """Whether a player can produce a barrel of any kind (R-CRA-1)."""
    for good in range(NUM_GOODS):
        if min(capacity(rules, state, player, good), state["goods_supply"][good]) > 0:
            return True
    return False


@kernel
def _fill_privilege(rules: Rules, state: State, player: int, legal: Any) -> int:
    """A barrel of a kind produced, or that can be produced, by edition (R-CRA-7, D-21).

    A library gives two, by edition of two kinds (R-LIB-7).
    """
    total = 0
    count = 0
    for good in range(NUM_GOODS):
        total += int(state["produced"][player, good])
        if is_another_kind(rules, state, good) and is_privilege_kind(rules, state, player, good):
            legal[PRIVILEGE + good] = True
            count += 1
    if total == 0 or _privileges_left(rules, state, player) <= 0:
        legal[PRIVILEGE : PRIVILEGE + NUM_GOODS] = False
        return 0
    if count > 0 and rules["optional_gains_is_ask"]:
        legal[PASS] = True
        count += 1
    return count


@kernel
def is_another_kind(rules: Rules, state: State, good: int) -> bool:
    """Whether the library's second barrel may be of this kind, by edition a new one (R-LIB-7)."""
    return state["privilege_goods"][good] == 0 or rules["library_two_same_goods"]


@kernel
def is_privilege_kind(rules: Rules, state: State, player: int, good: int) -> bool:
    """Whether the actor produced a kind, or by edition can, and the supply has one (R-CRA-7)."""
    if state["goods_supply"][good] == 0:
        return False
    if rules["craftsman_privilege_domain_is_can_produce"]:
        return capacity(rules, state, player, good) > 0
    return state["produced"][player, good] > 0


@kernel
def _privileges_left(rules: Rules, state: State, player: int) -> int:
    """How many further barrels the actor may still take (R-CRA-7)."""
    left = privilege(rules, state, player)
    for good in range(NUM_GOODS):
        left -= state["privilege_goods"][good]
    return left


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Open with the chapels, produce, or take the privilege's barrel."""
    point = state["decision_point"]
    if point == DecisionPoint.OPENING:
        next_turn(rules, state, DecisionPoint.OPENING, DecisionPoint.PRODUCE)
        _pay_chapel(rules, state, player)
    elif point == DecisionPoint.PRODUCE:
        _take_turn(rules, state, player, action == GAIN or not rules["optional_gains_is_ask"])
    elif action == PASS:
        _end_privilege(rules, state, player)
    else:
        good = action - PRIVILEGE
        state["goods_supply"][good] -= 1
        state["goods"][player, good] += 1
        state["privilege_goods"][good] += 1
        if _privileges_left(rules, state, player) <= 0:
            _end_privilege(rules, state, player)


@kernel
def _take_turn(rules: Rules, state: State, player: int, produces: bool) -> None:
    """Produce, unless that is declined, and earn what comes with it (R-CRA-2..6)."""
    next_turn(rules, state, DecisionPoint.PRODUCE, closing(rules, DecisionPoint.PHASE_CLOSE))
    if state["decision_point"] == DecisionPoint.PHASE_CLOSE:
        close(rules, state)
    kinds = _produce(rules, state, player) if produces else 0
    _pay_producer(rules, state, player, kinds)


@kernel
def close(rules: Rules, state: State) -> None:
    """After all have produced the actor's privilege comes last (R-CRA-7)."""
    start_turns(state, DecisionPoint.CRAFTSMAN_PRIVILEGE)
    state["turns"] = seats_acting(rules, state)


@kernel
def _end_privilege(rules: Rules, state: State, player: int) -> None:
    """The actor's specialty factory counts the privilege; so may the festival (R-SPF-3, Q-143)."""
    state["decision_point"] = DecisionPoint.PHASE_END
    if rules["festival"] and rules["festival_production_window_is_whole_phase"]:
        festival.check_goods(rules, state, player, True)
    if state["powers"][player, Power.CROP_INCOME] > 0:
        _pay_best_crop(rules, state, player, rules["specialty_counts_privilege"])


# -- production ------------------------------------------------------------------------------------


@kernel
def _produce(rules: Rules, state: State, player: int) -> int:
    """Move what can be made from the supply; returns how many kinds that is (R-CRA-2)."""
    kinds = 0
    for good in range(NUM_GOODS):
        made = min(capacity(rules, state, player, good), state["goods_supply"][good])
        state["goods_supply"][good] -= made
        state["goods"][player, good] += made
        state["produced"][player, good] = made
        if made > 0:
            kinds += 1
    if state["powers"][player, Power.EXTRA_CROP] > 0:
        _add_extra_crops(rules, state, player)
    return kinds


@kernel
def _add_extra_crops(rules: Rules, state: State, player: int) -> None:
    """One more barrel from each large plant for indigo and sugar that produced (R-AQU-1..5)."""
    for building in range(NUM_CROP_BUILDINGS):
        good = rules["crop"][building]
        if good > _LAST_AQUEDUCT_GOOD:
            continue
        is_large = rules["building_class"][building] == BuildingClass.LARGE_PRODUCTION
        if not is_large or units_on(state, player, NUM_TILES + building) == 0:
            continue
        if state["produced"][player, good] > 0 and state["goods_supply"][good] > 0:
            state["goods_supply"][good] -= 1
            state["goods"][player, good] += 1
            state["produced"][player, good] += 1


@kernel
def _pay_producer(rules: Rules, state: State, player: int, kinds: int) -> None:
    """What a player's own production brings besides goods (R-CRA-4..6).

    Offers are laid down in reverse: factory, jeweler, chapel, specialty factory, festival.
    """
    if rules["festival"]:
        festival.check_goods(rules, state, player, False)
    if state["powers"][player, Power.CROP_INCOME] > 0 and player != state["actor"]:
        _pay_best_crop(rules, state, player, False)
    if rules["citizens"]:
        if not rules["chapel_timing_is_phase_start"]:
            _pay_chapel(rules, state, player)
        if state["powers"][player, Power.CITIZEN_INCOME] > 0:
            offer_coins(rules, state, player, count_citizens(state, player))
    if state["powers"][player, Power.KIND_INCOME] > 0:
        offer_coins(rules, state, player, rules["kind_income"][kinds])


@kernel
def _pay_best_crop(rules: Rules, state: State, player: int, with_privilege: bool) -> None:
    """A coin for each barrel but the first of the kind produced most, corn apart (R-SPF-1..3)."""
    most = 1
    for good in range(Good.CORN + 1, NUM_GOODS):
        made = int(state["produced"][player, good])
        if with_privilege:
            made += int(state["privilege_goods"][good])
        most = max(most, made)
    offer_coins(rules, state, player, most - 1)


@kernel
def _pay_chapel(rules: Rules, state: State, player: int) -> None:
    """A coin for a worker in the chapel, a VP for a citizen (R-CHP-1)."""
    if state["powers"][player, Power.CHAPEL] == Side.WORKER:
        offer_coins(rules, state, player, 1)
    elif state["powers"][player, Power.CHAPEL] == Side.CITIZEN:
        offer_vp(rules, state, player, 1)


@kernel
def end(rules: Rules, state: State) -> None:
    """Forget what was made."""
    state["produced"][:, :] = 0
    state["privilege_goods"][:] = 0
