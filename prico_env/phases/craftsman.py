"""Craftsman: everyone produces; the actor, last of all, takes a further barrel."""

from typing import Any

from prico_env._jit import kernel
from prico_env.actions import GAIN, PASS, PRIVILEGE
from prico_env.bank import offer_coins
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.turns import next_turn, start_turns
from prico_env.vocabulary import (
    NUM_CROP_BUILDINGS,
    NUM_GOODS,
    NUM_TILES,
    Good,
    Phase,
    Point,
    Power,
)


@kernel
def begin(rules: Rules, state: State) -> None:
    """Everyone produces in turn, strictly clockwise from the actor (R-CRA-2, Q-60)."""
    state["phase"] = Phase.CRAFTSMAN
    start_turns(state, Point.PRODUCE)


@kernel
def capacity(rules: Rules, state: State, player: int, good: int) -> int:
    """Barrels of a kind that plantations and plants can make (R-CRA-1, R-PRD-1, R-PRD-2)."""
    plantations = state["workers"][player, good] + state["citizens"][player, good]
    if good == Good.CORN:
        return plantations
    plants = 0
    for building in range(NUM_CROP_BUILDINGS):
        if rules["crop"][building] == good:
            spot = NUM_TILES + building
            plants += state["workers"][player, spot] + state["citizens"][player, spot]
    return min(plantations, plants)


@kernel
def _produce(rules: Rules, state: State, player: int) -> None:
    """Move what can be made from the supply; the factory pays by kinds (R-CRA-2, R-CRA-4)."""
    kinds = 0
    for good in range(NUM_GOODS):
        made = min(capacity(rules, state, player, good), state["goods_supply"][good])
        state["goods_supply"][good] -= made
        state["goods"][player, good] += made
        state["made"][player, good] = made
        if made > 0:
            kinds += 1
    if state["powers"][player, Power.KIND_INCOME] > 0:
        offer_coins(rules, state, player, rules["kind_income"][kinds])


@kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Produce or not, where that is asked; then the actor's further barrel."""
    if state["point"] == Point.CRAFTSMAN_PRIVILEGE:
        return _fill_privilege(rules, state, player, legal)
    if not rules["ask_gains"]:
        return 0
    for good in range(NUM_GOODS):
        if min(capacity(rules, state, player, good), state["goods_supply"][good]) > 0:
            legal[PASS] = True
            legal[GAIN] = True
            return 2
    return 0


@kernel
def _fill_privilege(rules: Rules, state: State, player: int, legal: Any) -> int:
    """A barrel of a kind produced, or that can be produced, by edition (R-CRA-7, D-21)."""
    total = 0
    count = 0
    for good in range(NUM_GOODS):
        made = state["made"][player, good]
        total += made
        allowed = capacity(rules, state, player, good) if rules["privilege_of_capacity"] else made
        if allowed > 0 and state["goods_supply"][good] > 0:
            legal[PRIVILEGE + good] = True
            count += 1
    if total == 0:
        legal[PRIVILEGE : PRIVILEGE + NUM_GOODS] = False
        return 0
    if count > 0 and rules["ask_gains"]:
        legal[PASS] = True
        count += 1
    return count


@kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Produce, or take the privilege's barrel."""
    if state["point"] == Point.PRODUCE:
        next_turn(rules, state, Point.PRODUCE)
        if state["point"] == Point.PHASE_END:
            state["point"] = Point.CRAFTSMAN_PRIVILEGE
            state["turn"] = state["actor"]
        if action == GAIN or not rules["ask_gains"]:
            _produce(rules, state, player)
        return
    if action != PASS:
        good = action - PRIVILEGE
        state["goods_supply"][good] -= 1
        state["goods"][player, good] += 1
        state["privilege_goods"][good] += 1
    state["point"] = Point.PHASE_END


@kernel
def end(rules: Rules, state: State) -> None:
    """Forget what was made."""
    state["made"][:, :] = 0
    state["privilege_goods"][:] = 0
