"""The order of things: set-up, decisions, phases and rounds.

The only file that knows which phase follows which. A game waits at a point for a seat; `settle`
carries out everything that needs no decision and stops where a seat has a choice.
"""

from typing import Any, Final

from prico_env._jit import kernel
from prico_env.actions import PASS
from prico_env.bank import lay_on_deck, shuffle_deck
from prico_env.phases import (
    builder,
    captain,
    craftsman,
    gain,
    mayor,
    prospector,
    role_choice,
    settler,
    storage,
    trader,
)
from prico_env.rng import seed_rng
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.vocabulary import (
    NOBODY,
    NOT_IN_PLAY,
    NUM_GOODS,
    NUM_ROLES,
    Phase,
    Point,
    Role,
)

TRAIL_ROWS: Final = 402
"""Rows of a trail: the decision, a count, and more forced decisions than any game can bring."""
REFUSED: Final = -1
"""What `decide` returns for an action that is not allowed."""


@kernel
def deal(rules: Rules, state: State, seed: int) -> None:
    """Set a blank record up for a new game (R-SET-1..12) and ask the governor for a role."""
    seed_rng(state["rng"], seed)
    _set_table(rules, state)
    for player in range(rules["num_players"]):
        state["coins"][player] = rules["starting_coins"][player]
        state["bank"] -= rules["starting_coins"][player]
        settler.place_tile(state, player, rules["starting_tile"][player])
    _set_plantations(rules, state)
    role_choice.begin(rules, state)


@kernel
def clear(state: State) -> None:
    """Make a record blank, apart from the rules it is played by."""
    state["round"] = 1
    state["outcome"] = 0
    state["end_reasons"] = 0
    state["value"] = 0
    state["depth"] = 0
    state["stack_point"][:] = 0
    state["stack_turn"][:] = 0
    state["stack_value"][:] = 0
    state["governor"] = 0
    state["picks"] = 0
    state["coins"][:] = 0
    state["vp"][:] = 0
    state["goods"][:, :] = 0
    state["tiles"][:, :] = 0
    state["workers"][:, :] = 0
    state["citizens"][:, :] = 0
    state["own_forests"][:] = 0
    state["forest_kinds"][:, :] = 0
    state["forest_blind"][:, :] = 0
    state["portrait_workers"][:] = 0
    state["portrait_citizens"][:] = 0
    state["island_used"][:] = 0
    state["city_used"][:] = 0
    state["powers"][:, :] = 0
    state["row"][:] = 0
    state["discard"][:] = 0
    state["deck"][:] = 0
    state["deck_tiles"][:] = 0
    state["deck_size"] = 0
    state["house"][:] = 0
    state["ship_load"][:] = 0
    state["role_coins"][:] = 0
    state["recalled"][:] = 0
    state["cursor"] = 0
    state["made"][:, :] = 0
    state["privilege_goods"][:] = 0
    state["circuit_loads"] = 0
    state["first_circuit"] = 0
    state["captain_loaded"] = 0
    state["wharf_used"][:] = 0
    state["small_wharf_used"][:] = 0
    state["passed"][:] = 0
    state["once"][:] = 0
    state["stored"][:] = 0
    state["kept"][:] = 0
    state["spare"][:] = 0


@kernel
def _set_table(rules: Rules, state: State) -> None:
    """Lay out what everybody shares (R-SET-4, R-SET-6, R-SET-9, R-SET-10)."""
    clear(state)
    for role in range(NUM_ROLES):
        state["role_owner"][role] = NOBODY if rules["role_in_play"][role] else NOT_IN_PLAY
        state["role_captor"][role] = NOBODY
    state["smuggler_tile"] = NOBODY
    state["worker_supply"] = rules["worker_supply"]
    state["citizen_supply"] = 0
    state["register_workers"] = rules["register_workers"]
    state["register_citizens"] = 0
    state["goods_supply"][:] = rules["goods"]
    state["vp_pool"] = rules["vp_pool"]
    state["bank"] = rules["coin_total"]
    state["quarries"] = rules["quarries"]
    state["forests"] = 0
    state["building_supply"][:] = rules["copies"]
    state["board"][:] = 0
    state["ship_good"][:] = NOBODY
    state["festival_estate"] = NOBODY
    state["festival_goods"][:] = 0
    state["festival_building"] = NOBODY
    state["drawn"] = NOBODY
    state["taken"] = NOBODY
    state["bought"] = NOBODY


@kernel
def _set_plantations(rules: Rules, state: State) -> None:
    """Shuffle what the starting tiles leave, and turn up the first row (R-SET-7, R-SET-8)."""
    for kind in range(NUM_GOODS):
        tiles = rules["plantations"][kind]
        for player in range(rules["num_players"]):
            if rules["starting_tile"][player] == kind:
                tiles -= 1
        lay_on_deck(state, kind, tiles)
    shuffle_deck(state)
    settler.end(rules, state)


@kernel
def fill_legal(rules: Rules, state: State, legal: Any) -> int:
    """Mark what the seat to act may do here, and return how many choices that makes."""
    point, player = state["point"], state["turn"]
    if point == Point.LOAD:
        return captain.fill_legal(rules, state, player, legal)
    if point == Point.RECALL or point == Point.PLACE or point == Point.MAYOR_PRIVILEGE:
        return mayor.fill_legal(rules, state, player, legal)
    if point == Point.CHOOSE_ROLE:
        return role_choice.fill_legal(rules, state, player, legal)
    if point <= Point.STAFF_TILE:
        return settler.fill_legal(rules, state, player, legal)
    if point <= Point.STAFF_BUILDING:
        return builder.fill_legal(rules, state, player, legal)
    if point <= Point.CRAFTSMAN_PRIVILEGE:
        return craftsman.fill_legal(rules, state, player, legal)
    if point == Point.SELL:
        return trader.fill_legal(rules, state, player, legal)
    if point == Point.STORE:
        return storage.fill_legal(rules, state, player, legal)
    return gain.fill_legal(rules, state, player, legal)


@kernel
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice of the seat to act, which the caller has checked."""
    point, player = state["point"], state["turn"]
    if point == Point.LOAD:
        captain.apply(rules, state, player, action)
    elif point == Point.RECALL or point == Point.PLACE or point == Point.MAYOR_PRIVILEGE:
        mayor.apply(rules, state, player, action)
    elif point == Point.CHOOSE_ROLE:
        role_choice.apply(rules, state, player, action)
    elif point <= Point.STAFF_TILE:
        settler.apply(rules, state, player, action)
    elif point <= Point.STAFF_BUILDING:
        builder.apply(rules, state, player, action)
    elif point <= Point.CRAFTSMAN_PRIVILEGE:
        craftsman.apply(rules, state, player, action)
    elif point == Point.SELL:
        trader.apply(rules, state, player, action)
    elif point == Point.STORE:
        storage.apply(rules, state, player, action)
    else:
        gain.apply(rules, state, player, action)


@kernel
def _begin_phase(rules: Rules, state: State) -> None:
    """Start the phase of the role just taken (R-RND-2)."""
    role = state["role"]
    if role == Role.SETTLER:
        settler.begin(rules, state)
    elif role == Role.MAYOR:
        mayor.begin(rules, state)
    elif role == Role.BUILDER:
        builder.begin(rules, state)
    elif role == Role.CRAFTSMAN:
        craftsman.begin(rules, state)
    elif role == Role.TRADER:
        trader.begin(rules, state)
    elif role == Role.CAPTAIN:
        captain.begin(rules, state)
    else:
        prospector.begin(rules, state)


@kernel
def _end_phase(rules: Rules, state: State) -> None:
    """Close the phase, then go on to the next pick or the end of the round (R-RND-2, R-RND-3)."""
    phase = state["phase"]
    if phase == Phase.SETTLER:
        settler.end(rules, state)
    elif phase == Phase.MAYOR:
        mayor.end(rules, state)
    elif phase == Phase.CRAFTSMAN:
        craftsman.end(rules, state)
    elif phase == Phase.TRADER:
        trader.end(rules, state)
    elif phase == Phase.STORAGE:
        captain.end(rules, state)
    if state["picks"] < rules["picks_per_round"]:
        role_choice.begin(rules, state)
    else:
        role_choice.end(rules, state)


@kernel
def settle(rules: Rules, state: State, legal: Any, trail: Any, carry_forced: bool) -> int:
    """Carry out what needs no decision, up to the next choice of a seat.

    Args:
        rules: The rule set.
        state: The game.
        legal: Filled with the choices there, shape ``(num_actions,)``, bool.
        trail: Forced decisions are noted here as pairs of action and seat from row 1 on, their
            number in ``trail[0, 0]``; shape ``(0, 2)`` when nobody wants to know.
        carry_forced: Whether to carry out decisions that leave no choice, if the rule set does.

    Returns:
        How many choices the seat has; 0 when the game is over.
    """
    num_forced = 0
    legal[:] = False
    while True:
        point = state["point"]
        if point == Point.PHASE_BEGIN:
            _begin_phase(rules, state)
            continue
        if point == Point.PHASE_END:
            _end_phase(rules, state)
            continue
        if point == Point.GAME_OVER:
            count = 0
            break
        count = fill_legal(rules, state, legal)
        if count == 0:
            apply(rules, state, PASS)
            continue
        if count > 1 or not (carry_forced and rules["skip_forced"]):
            break
        action = 0
        while not legal[action]:
            action += 1
        legal[action] = False
        if trail.shape[0] > 0:
            num_forced += 1
            trail[num_forced, 0] = action
            trail[num_forced, 1] = state["turn"]
        apply(rules, state, action)
    if trail.shape[0] > 0:
        trail[0, 0] = num_forced
    return count


@kernel
def decide(rules: Rules, state: State, action: int, legal: Any, trail: Any) -> int:
    """Make a decision if it is allowed, and settle.

    Args:
        rules: The rule set.
        state: The game.
        action: What the seat to act chooses.
        legal: Its choices, rewritten with those of the next decision.
        trail: Row 0 gets the decision and its seat; behind it lies a trail as `settle` writes it.

    Returns:
        How many choices there are next, 0 when the game is over; `REFUSED`, and nothing changed,
        when the action is not allowed.
    """
    if action < 0 or action >= legal.shape[0] or not legal[action]:
        return REFUSED
    trail[0, 0] = action
    trail[0, 1] = state["turn"]
    apply(rules, state, action)
    return settle(rules, state, legal, trail[1:], True)


@kernel
def determinize(state: State, seed: int) -> None:
    """Re-seed the game and re-deal what nobody can see: the order of the deck (R-INF-2).

    The deck is sorted before it is shuffled, so the result depends on nothing hidden.
    """
    seed_rng(state["rng"], seed)
    state["deck_size"] = 0
    for kind in range(NUM_GOODS):
        tiles = state["deck_tiles"][kind]
        state["deck_tiles"][kind] = 0
        lay_on_deck(state, kind, tiles)
    shuffle_deck(state)
