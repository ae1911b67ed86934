"""Captain: goods are shipped for VP, round and round, until nobody can load any more."""

from typing import Any

from prico_env._jit import kernel
from prico_env.actions import LOAD, PASS, WHARF
from prico_env.bank import award_vp, offer_vp
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.turns import start_turns
from prico_env.vocabulary import NOBODY, NUM_GOODS, NUM_SHIPS, Phase, Point, Power


@kernel
def begin(rules: Rules, state: State) -> None:
    """Start the first circuit with the actor (R-CAP-1)."""
    state["phase"] = Phase.CAPTAIN
    state["first_circuit"] = 1
    start_turns(state, Point.LOAD)


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


@kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Cargo loads, wharf loads; passing only where no cargo can be loaded (R-CAP-2, R-CAP-3)."""
    largest = 0
    for ship in range(rules["num_ships"]):
        if state["ship_good"][ship] == NOBODY:
            largest = rules["ship_size"][ship]  # ships ascend, so the last empty one is largest
    cargo = 0
    wharf = 0
    has_wharf = state["powers"][player, Power.OWN_SHIP] > 0 and state["wharf_used"][player] == 0
    for good in range(NUM_GOODS):
        barrels = state["goods"][player, good]
        if barrels == 0:
            continue
        cargo += _fill_cargo(rules, state, good, min(barrels, largest), legal)
        if has_wharf:
            legal[WHARF + good] = True
            wharf += 1
    if cargo == 0 and wharf > 0:
        legal[PASS] = True
        wharf += 1
    return cargo + wharf


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


@kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Load one kind onto one ship, or onto the wharf's, or pass."""
    if action == PASS:
        state["passed"][player] = 1
        _next_in_circuit(rules, state)
        return
    state["passed"][player] = 0
    state["circuit_loads"] += 1
    _next_in_circuit(rules, state)
    if action >= WHARF:
        _score_load(rules, state, player, _load_wharf(state, player, action - WHARF))
    else:
        good, ship = divmod(action - LOAD, NUM_SHIPS)
        _score_load(rules, state, player, _load_ship(rules, state, player, good, ship))


@kernel
def _next_in_circuit(rules: Rules, state: State) -> None:
    """Go round; the loading ends with a circuit in which nobody loaded (R-CAP-1, R-CAP-8)."""
    state["turns"] += 1
    if state["turns"] < rules["num_players"]:
        state["turn"] = (state["turn"] + 1) % rules["num_players"]
        return
    if state["circuit_loads"] == 0:
        state["phase"] = Phase.STORAGE
        start_turns(state, Point.STORE)
    else:
        state["circuit_loads"] = 0
        start_turns(state, Point.LOAD)
    state["first_circuit"] = 0


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
def _score_load(rules: Rules, state: State, player: int, barrels: int) -> None:
    """A VP a barrel, the harbor's VP, and the actor's with the first load (R-CAP-6/7, R-HBR-1)."""
    award_vp(state, player, barrels)
    offer_vp(rules, state, player, state["powers"][player, Power.LOAD_VP])
    if player == state["actor"] and state["captain_loaded"] == 0:
        state["captain_loaded"] = 1
        offer_vp(rules, state, player, 1)


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
    state["passed"][:] = 0
