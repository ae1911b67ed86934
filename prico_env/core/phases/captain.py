"""Captain: goods are shipped for VP, round and round, until nobody can load any more.

What a seat may do before it loads, the royal supplier and the union hall, is the point ``SUPPLY``:
by edition a round of its own as the phase opens, or the start of each seat's first turn.
"""

from typing import Any

from prico_env.actions import LOAD, PASS, SMALL_WHARF, SUPPLY, WHARF
from prico_env.core.bank import award_vp, offer_coins, offer_vp, return_barrel
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import closing, interrupt, next_turn, seats_acting, start_turns
from prico_env.core.units import (
    count_citizens,
    count_goods,
    has_power,
    holds,
    owns,
    privilege,
)
from prico_env.vocabulary import NOBODY, NUM_GOODS, NUM_SHIPS, DecisionPoint, Phase, Power

_BARRELS_PER_VP = 2


@kernel
def begin(rules: Rules, state: State) -> None:
    """The lighthouse pays the captain; then come first-turn effects, or the loading (R-LGT-2)."""
    captain = state["actor"]
    if _effects_come(rules, True):
        start_turns(state, DecisionPoint.SUPPLY)
    else:
        _begin_loading(rules, state)
    if state["powers"][captain, Power.LOAD_COINS] > 0:
        offer_coins(rules, state, captain, 1)


@kernel
def _effects_come(rules: Rules, at_start: bool) -> bool:
    """Whether royal supplier or union hall come as the phase opens, or on first turns (R-UNH-3)."""
    return _supplier_comes(rules, at_start) or _union_hall_comes(rules, at_start)


@kernel
def _supplier_comes(rules: Rules, at_start: bool) -> bool:
    return rules["citizens"] > 0 and (rules["royal_supplier_timing_is_phase_start"] > 0) == at_start


@kernel
def _union_hall_comes(rules: Rules, at_start: bool) -> bool:
    return (
        rules["guest_windows"] > 0 and (rules["union_hall_timing_is_phase_start"] > 0) == at_start
    )


@kernel
def _begin_loading(rules: Rules, state: State) -> None:
    """Start the first circuit with the actor (R-CAP-1)."""
    state["first_circuit"] = 1
    start_turns(state, DecisionPoint.LOAD)
    if rules["expansions"]:
        _begin_turn(rules, state)


@kernel
def first_point(rules: Rules) -> int:
    """Where a turn of the first circuit begins: with effects that come then, or with loading."""
    return DecisionPoint.SUPPLY if _effects_come(rules, False) else DecisionPoint.LOAD


@kernel
def _begin_turn(rules: Rules, state: State) -> None:
    """Begin a first turn with its effects; guests may move before them (R-GST-3, R-UNH-3)."""
    state["decision_point"] = first_point(rules)
    if state["decision_point"] == DecisionPoint.LOAD or not rules["guest_windows"]:
        return
    player = state["turn"]
    uses_supplier = _supplier_comes(rules, False) and owns(rules, state, player, Power.SUPPLY)
    uses_hall = _union_hall_comes(rules, False) and owns(rules, state, player, Power.PAIR_VP)
    if uses_supplier or uses_hall:
        interrupt(state, DecisionPoint.TURN_WINDOW, player, 0)


# -- before loading --------------------------------------------------------------------------------


@kernel
def _fill_supply(rules: Rules, state: State, player: int, legal: Any) -> int:
    """The royal supplier returns barrels of different kinds, one a citizen (R-RSP-1, R-RSP-5)."""
    comes = _supplier_comes(rules, state["first_circuit"] == 0)
    if not comes or not has_power(state, player, Power.SUPPLY):
        return 0
    if not has_barrels_to_return(state, player):
        return 0
    count = 0
    for good in range(state["cursor"], NUM_GOODS):
        if holds(state, player, good) and leaves_enough_kinds(rules, state, player, good):
            legal[SUPPLY + good] = True
            count += 1
    if count > 0 and may_stop_returning(rules, state):
        legal[PASS] = True
        count += 1
    return count


@kernel
def has_barrels_to_return(state: State, player: int) -> bool:
    """Whether fewer barrels have been returned than there are citizens (R-RSP-1)."""
    return state["value"] < count_citizens(state, player)


@kernel
def leaves_enough_kinds(rules: Rules, state: State, player: int, good: int) -> bool:
    """Whether there are enough kinds from here on, where so many must be returned (R-RSP-5)."""
    kinds = 0
    for later in range(good, NUM_GOODS):
        kinds += holds(state, player, later)
    left = count_citizens(state, player) - state["value"]
    return not rules["royal_supplier_count_is_exactly"] or kinds >= left


@kernel
def may_stop_returning(rules: Rules, state: State) -> bool:
    """Whether no more barrels need be returned (R-RSP-5)."""
    return not rules["royal_supplier_count_is_exactly"] or state["value"] == 0


@kernel
def _supply(rules: Rules, state: State, player: int, action: int) -> None:
    """Return a barrel for a VP, or be done; then comes the union hall (R-RSP-1, R-RSP-4)."""
    if action != PASS:
        return_barrel(state, player, action - SUPPLY)
        state["cursor"] = action - SUPPLY + 1
        state["value"] += 1
        award_vp(state, player, 1)
        return
    state["cursor"] = 0
    state["value"] = 0
    at_start = state["first_circuit"] == 0
    if at_start:
        next_turn(rules, state, DecisionPoint.SUPPLY, DecisionPoint.LOAD)
        if state["decision_point"] == DecisionPoint.LOAD:
            _begin_loading(rules, state)
    else:
        state["decision_point"] = DecisionPoint.LOAD
    if _union_hall_comes(rules, at_start) and state["powers"][player, Power.PAIR_VP] > 0:
        pairs = 0
        for good in range(NUM_GOODS):
            pairs += int(state["goods"][player, good]) // _BARRELS_PER_VP
        offer_vp(rules, state, player, pairs)


# -- loading ---------------------------------------------------------------------------------------


@kernel
def free_space(rules: Rules, state: State, ship: int) -> int:
    """How many barrels a ship still takes."""
    return rules["ship_size"][ship] - state["ship_load"][ship]


@kernel
def ship_that_carries(state: State, good: int) -> int:
    """The ship with this kind on board, or ``NOBODY``."""
    for ship in range(NUM_SHIPS):
        if state["ship_good"][ship] == good:
            return ship
    return NOBODY


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Cargo loads, wharf loads; passing only where no cargo can be loaded (R-CAP-2, R-CAP-3).

    Before it, barrels are returned; a small wharf takes one after another.
    """
    point = state["decision_point"]
    if point == DecisionPoint.SMALL_SHIP:
        return _fill_small_ship(state, player, legal)
    if point == DecisionPoint.SUPPLY:
        return _fill_supply(rules, state, player, legal)
    largest = _largest_empty(rules, state)
    cargo = 0
    wharf = 0
    has_wharf = has_power(state, player, Power.OWN_SHIP) and not wharf_used(state, player)
    for good in range(NUM_GOODS):
        barrels = state["goods"][player, good]
        if barrels == 0:
            continue
        cargo += _fill_cargo(rules, state, good, min(barrels, largest), legal)
        if has_wharf:
            legal[WHARF + good] = True
            wharf += 1
    if has_power(state, player, Power.SMALL_SHIP) and not small_wharf_used(state, player):
        wharf += _fill_barrels(state, player, 0, legal)
    if cargo == 0 and wharf > 0:
        legal[PASS] = True
        wharf += 1
    return cargo + wharf


@kernel
def wharf_used(state: State, player: int) -> bool:
    """Whether the wharf has sailed in this phase (R-WHF-1)."""
    return state["wharf_used"][player] > 0


@kernel
def small_wharf_used(state: State, player: int) -> bool:
    """Whether the small wharf has sailed in this phase (R-SWF-1)."""
    return state["small_wharf_used"][player] > 0


@kernel
def must_load(rules: Rules, state: State, player: int) -> bool:
    """Whether a cargo ship can take one of the player's barrels (R-CAP-2)."""
    for good in range(NUM_GOODS):
        for ship in range(rules["num_ships"]):
            if holds(state, player, good) and takes(rules, state, player, good, ship):
                return True
    return False


@kernel
def takes(rules: Rules, state: State, player: int, good: int, ship: int) -> bool:
    """Whether a ship may take a kind: its own with space, else an empty one that takes most."""
    return (
        carries_alone(state, good, ship)
        and free_space(rules, state, ship) > 0
        and takes_most(rules, state, player, good, ship)
    )


@kernel
def carries_alone(state: State, good: int, ship: int) -> bool:
    """Whether no other ship carries this kind, nor this ship another kind (R-CAP-3)."""
    carrier = ship_that_carries(state, good)
    return carrier == ship or (carrier == NOBODY and state["ship_good"][ship] == NOBODY)


@kernel
def takes_most(rules: Rules, state: State, player: int, good: int, ship: int) -> bool:
    """Whether no empty ship takes more barrels of a kind than this one (R-CAP-3)."""
    most = min(state["goods"][player, good], _largest_empty(rules, state))
    return state["ship_good"][ship] == good or rules["ship_size"][ship] >= most


@kernel
def _largest_empty(rules: Rules, state: State) -> int:
    """The size of the largest empty ship, 0 without one."""
    largest = 0
    for ship in range(rules["num_ships"]):
        if state["ship_good"][ship] == NOBODY:
            largest = rules["ship_size"][ship]  # ships ascend, so the last empty one is largest
    return largest


@kernel
def _fill_small_ship(state: State, player: int, legal: Any) -> int:
    """One barrel more, kinds in ascending order, or no more (R-SWF-1, R-SWF-2)."""
    legal[PASS] = True
    return 1 + _fill_barrels(state, player, state["cursor"], legal)


@kernel
def _fill_barrels(state: State, player: int, first: int, legal: Any) -> int:
    """Mark the kinds, from one on, of which the small wharf may ship a barrel."""
    count = 0
    for good in range(first, NUM_GOODS):
        is_held = holds(state, player, good)
        legal[SMALL_WHARF + good] = is_held
        count += is_held
    return count


@kernel
def _fill_cargo(rules: Rules, state: State, good: int, most: int, legal: Any) -> int:
    """The ships for a kind: its own, else the empty ones that take the most (R-CAP-3).

    ``most`` is how many barrels the largest empty ship would take, 0 without an empty ship.
    """
    ship = ship_that_carries(state, good)
    if ship != NOBODY:
        if free_space(rules, state, ship) == 0:
            return 0
        legal[LOAD + good * NUM_SHIPS + ship] = True
        return 1
    count = 0
    for ship in range(rules["num_ships"]):
        if most > 0 and state["ship_good"][ship] == NOBODY and rules["ship_size"][ship] >= most:
            legal[LOAD + good * NUM_SHIPS + ship] = True
            count += 1
    return count


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Load one kind onto one ship, or by a wharf, or pass; before it, return barrels."""
    point = state["decision_point"]
    if point == DecisionPoint.SUPPLY:
        _supply(rules, state, player, action)
    elif action >= SMALL_WHARF:
        _load_small_wharf(state, player, action - SMALL_WHARF)
    elif point == DecisionPoint.SMALL_SHIP:
        barrels = state["value"]
        state["value"] = 0
        state["cursor"] = 0
        _end_load(rules, state, player, barrels // _BARRELS_PER_VP, True)
    elif action == PASS:
        state["passed"][player] = 1
        state["idle_turns"] += 1
        _next_turn(rules, state)
    elif action >= WHARF:
        _end_load(rules, state, player, _load_wharf(state, player, action - WHARF), True)
    else:
        good, ship = divmod(action - LOAD, NUM_SHIPS)
        _end_load(rules, state, player, _load_ship(rules, state, player, good, ship), False)


@kernel
def _end_load(rules: Rules, state: State, player: int, vp: int, by_wharf: bool) -> None:
    """Count the load, go round, and score it."""
    state["passed"][player] = 0
    state["circuit_loads"] += 1
    state["idle_turns"] = 0
    _next_turn(rules, state)
    _score_load(rules, state, player, vp, by_wharf)


@kernel
def _next_turn(rules: Rules, state: State) -> None:
    """Go round until every seat has had a turn without loading since a load (R-CAP-1, R-CAP-8).

    Who has nothing to load and no guest to move is passed over at once, except where a gain is
    still to be asked for: what is seen then is not ahead of it.
    """
    seats = seats_acting(rules, state)
    while state["idle_turns"] < seats:
        state["turns"] += 1
        if state["turns"] < seats:
            state["turn"] = (state["turn"] + 1) % rules["num_players"]
            state["decision_point"] = DecisionPoint.LOAD
            if state["first_circuit"] and rules["expansions"]:
                _begin_turn(rules, state)
        else:
            state["first_circuit"] = 0
            state["circuit_loads"] = 0
            start_turns(state, DecisionPoint.LOAD)
        player = state["turn"]
        if (
            state["decision_point"] != DecisionPoint.LOAD
            or state["powers"][player, Power.GUESTS] > 0
        ):
            return
        if rules["optional_gains_is_ask"] or count_goods(state, player) > 0:
            return
        state["passed"][player] = 1
        state["idle_turns"] += 1
    state["first_circuit"] = 0
    state["circuit_loads"] = 0
    state["idle_turns"] = 0
    start_turns(state, closing(rules, DecisionPoint.PHASE_CLOSE))


@kernel
def close(rules: Rules, state: State) -> None:
    """After the loading every seat stores what it keeps (R-CAP-9, R-CAP-12)."""
    state["phase"] = Phase.STORAGE
    start_turns(state, DecisionPoint.STORE)


@kernel
def _load_ship(rules: Rules, state: State, player: int, good: int, ship: int) -> int:
    """Load as many barrels as fit, holding none back; how many that were (R-CAP-4)."""
    barrels = min(state["goods"][player, good], free_space(rules, state, ship))
    state["goods"][player, good] -= barrels
    state["ship_good"][ship] = good
    state["ship_load"][ship] += barrels
    return barrels


@kernel
def _load_wharf(state: State, player: int, good: int) -> int:
    """Ship every barrel of a kind by the wharf, to the supply; how many (R-WHF-1, R-WHF-2)."""
    barrels = state["goods"][player, good]
    state["goods"][player, good] = 0
    state["goods_supply"][good] += barrels
    state["wharf_used"][player] = 1
    return barrels


@kernel
def _load_small_wharf(state: State, player: int, good: int) -> None:
    """Ship one barrel by the small wharf, to the supply (R-SWF-1)."""
    return_barrel(state, player, good)
    state["small_wharf_used"][player] = 1
    state["cursor"] = good
    state["value"] += 1
    state["decision_point"] = DecisionPoint.SMALL_SHIP


@kernel
def _score_load(rules: Rules, state: State, player: int, vp: int, by_wharf: bool) -> None:
    """A load's VP, the harbor's, the actor's with the first, the lighthouse's coin (R-CAP-6/7).

    Offers are laid down in reverse: the actor's VP, the harbor's, the coin (R-HBR-1, R-LGT-1).
    """
    award_vp(state, player, vp)
    if not by_wharf or rules["lighthouse_counts_wharves"]:
        offer_coins(rules, state, player, state["powers"][player, Power.LOAD_COINS])
    offer_vp(rules, state, player, state["powers"][player, Power.LOAD_VP])
    if player == state["actor"] and state["captain_loaded"] == 0:
        state["captain_loaded"] = 1
        offer_vp(rules, state, player, privilege(rules, state, player))


@kernel
def end(rules: Rules, state: State) -> None:
    """Full ships sail and empty into the supply; the phase is forgotten (R-CAP-12)."""
    for ship in range(rules["num_ships"]):
        if free_space(rules, state, ship) == 0:
            state["goods_supply"][state["ship_good"][ship]] += state["ship_load"][ship]
            state["ship_load"][ship] = 0
            state["ship_good"][ship] = NOBODY
    state["captain_loaded"] = 0
    state["wharf_used"][:] = 0
    state["small_wharf_used"][:] = 0
    state["passed"][:] = 0
