"""How pieces change hands: coins, VP, workers and plantations."""

from prico_env.core.jit import kernel
from prico_env.core.rng import below
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import interrupt
from prico_env.core.units import give_unit
from prico_env.vocabulary import NOBODY, NUM_GOODS, PORTRAIT, DecisionPoint, EndReason, Phase, Unit


@kernel
def pay_out(rules: Rules, state: State, player: int, coins: int) -> None:
    """Pay a player from the bank, which never runs dry unless the rule set says so (Q-06)."""
    if rules["bank_limited"]:
        coins = max(0, min(coins, state["bank"]))
    state["bank"] -= coins
    state["coins"][player] += coins


@kernel
def pay_in(state: State, player: int, coins: int) -> None:
    """Take coins from a player into the bank."""
    state["bank"] += coins
    state["coins"][player] -= coins


@kernel
def award_vp(state: State, player: int, vp: int) -> None:
    """Award VP, on paper when the pool is empty; the last chip triggers the end (R-CAP-13/14)."""
    state["vp"][player] += vp
    state["vp_pool"] -= vp
    if vp > 0 and state["vp_pool"] <= 0:
        state["end_reasons"] |= EndReason.VP


@kernel
def offer_coins(rules: Rules, state: State, player: int, coins: int) -> None:
    """Pay an optional gain, or ask for it under ``optional_gains="ask"`` (R-ROL-9)."""
    if coins > 0:
        if rules["optional_gains_is_ask"]:
            interrupt(state, DecisionPoint.GAIN_COINS, player, coins)
        else:
            pay_out(rules, state, player, coins)


@kernel
def offer_vp(rules: Rules, state: State, player: int, vp: int) -> None:
    """Award an optional gain, or ask for it under ``optional_gains="ask"`` (R-ROL-9)."""
    if vp > 0:
        if rules["optional_gains_is_ask"]:
            interrupt(state, DecisionPoint.GAIN_VP, player, vp)
        else:
            award_vp(state, player, vp)


@kernel
def return_vp(state: State, player: int) -> None:
    """Take a VP back into the pool; what it triggered stays triggered (Q-52, R-END-4)."""
    state["vp"][player] -= 1
    state["vp_pool"] += 1


@kernel
def return_barrel(state: State, player: int, good: int) -> None:
    """Return one of a player's barrels to the supply."""
    state["goods"][player, good] -= 1
    state["goods_supply"][good] += 1


@kernel
def take_role_coins(state: State, player: int, role: int) -> None:
    """Take the coins that lie on a role card (R-ROL-4, R-SMG-7)."""
    state["coins"][player] += state["role_coins"][role]
    state["role_coins"][role] = 0


@kernel
def barrels_in_house(state: State) -> int:
    """How many barrels the trading house holds."""
    barrels = 0
    for good in range(NUM_GOODS):
        barrels += int(state["house"][good])
    return barrels


@kernel
def empty_house(state: State) -> None:
    """Return the trading house's barrels to the supply (R-TRA-8, R-SMG-5)."""
    for good in range(NUM_GOODS):
        state["goods_supply"][good] += state["house"][good]
        state["house"][good] = 0


@kernel
def return_units(state: State, unit: int, count: int) -> None:
    """Return units to their supply."""
    if unit == Unit.WORKER:
        state["worker_supply"] += count
    else:
        state["citizen_supply"] += count


@kernel
def register_of(state: State, unit: int) -> int:
    """Units of a kind on the register."""
    return state["register_workers"] if unit == Unit.WORKER else state["register_citizens"]


@kernel
def take_off_register(state: State, unit: int) -> None:
    """Take a unit of a kind off the register."""
    if unit == Unit.WORKER:
        state["register_workers"] -= 1
    else:
        state["register_citizens"] -= 1


# -- units that an effect hands out ----------------------------------------------------------------


@kernel
def supply_of(rules: Rules, state: State, unit: int) -> int:
    """Units of a kind that an effect which gives a worker may take from the supply (R-X2-7)."""
    if unit == Unit.WORKER:
        return state["worker_supply"]
    return state["citizen_supply"] if rules["citizens_from_supply_by_worker_effects"] else 0


@kernel
def hirable(rules: Rules, state: State, unit: int) -> int:
    """Units of a kind that may be taken: from the supply or, when it is empty, from the register.

    In the mayor phase only the supply gives (R-MAY-1, R-HOS-2, R-X2-7).
    """
    supply = supply_of(rules, state, Unit.WORKER) + supply_of(rules, state, Unit.CITIZEN)
    if supply > 0 or state["phase"] == Phase.MAYOR:
        return supply_of(rules, state, unit)
    return register_of(state, unit)


@kernel
def can_hire(rules: Rules, state: State) -> bool:
    """Whether any unit may be taken (R-HOS-2)."""
    return hirable(rules, state, Unit.WORKER) > 0 or hirable(rules, state, Unit.CITIZEN) > 0


@kernel
def hire(rules: Rules, state: State, player: int, spot: int) -> None:
    """Put a unit on a spot; where both kinds may be taken the player chooses (R-HOS-2, R-X2-7)."""
    if hirable(rules, state, Unit.CITIZEN) == 0:
        hire_unit(rules, state, player, spot, Unit.WORKER)
    elif hirable(rules, state, Unit.WORKER) == 0:
        hire_unit(rules, state, player, spot, Unit.CITIZEN)
    else:
        interrupt(state, DecisionPoint.HIRE, player, spot)


@kernel
def hire_unit(rules: Rules, state: State, player: int, spot: int, unit: int) -> None:
    """Move a unit of a kind from where it may be taken to a player's spot."""
    if supply_of(rules, state, unit) > 0:
        return_units(state, unit, -1)
    else:
        take_off_register(state, unit)
    give_unit(rules, state, player, spot, unit)


@kernel
def take_villa_unit(rules: Rules, state: State, player: int) -> None:
    """Take a citizen from the supply, else a worker; never from the register (R-VIL-2, R-VIL-3)."""
    unit = Unit.CITIZEN if state["citizen_supply"] > 0 else Unit.WORKER
    return_units(state, unit, -1)
    give_unit(rules, state, player, PORTRAIT, unit)


# -- the deck --------------------------------------------------------------------------------------


@kernel
def shuffle_deck(state: State) -> None:
    """Shuffle the deck with the game's own generator (Fisher and Yates)."""
    deck = state["deck"]
    for last in range(state["deck_size"] - 1, 0, -1):
        chosen = below(state["rng"], last + 1)
        kind = deck[last]
        deck[last] = deck[chosen]
        deck[chosen] = kind


@kernel
def lay_on_deck(state: State, kind: int, tiles: int) -> None:
    """Put tiles of one kind on top of the deck."""
    for _ in range(tiles):
        state["deck"][state["deck_size"]] = kind
        state["deck_size"] += 1
    state["deck_tiles"][kind] += tiles


@kernel
def sort_deck(state: State) -> None:
    """Lay the deck out by kind, from its counts, so that its order says nothing."""
    state["deck"][:] = 0
    state["deck_size"] = 0
    for kind in range(NUM_GOODS):
        tiles = state["deck_tiles"][kind]
        state["deck_tiles"][kind] = 0
        lay_on_deck(state, kind, tiles)


@kernel
def can_draw_tile(state: State) -> bool:
    """Whether the deck, or the discard that would become it, has a tile (R-STL-13)."""
    if state["deck_size"] > 0:
        return True
    for kind in range(NUM_GOODS):
        if state["discard"][kind] > 0:
            return True
    return False


@kernel
def draw_tile(state: State) -> int:
    """Draw the top tile; an empty deck is first made anew from the discard (R-STL-13).

    Returns the kind, or ``NOBODY`` when there is no tile at all.
    """
    if state["deck_size"] == 0:
        for kind in range(NUM_GOODS):
            lay_on_deck(state, kind, state["discard"][kind])
            state["discard"][kind] = 0
        shuffle_deck(state)
    if state["deck_size"] == 0:
        return NOBODY
    state["deck_size"] -= 1
    kind = state["deck"][state["deck_size"]]
    state["deck"][state["deck_size"]] = 0
    state["deck_tiles"][kind] -= 1
    return kind
