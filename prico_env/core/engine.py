"""The order of things: set-up, decisions, phases and rounds.

The only file that knows which phase follows which. A game waits at a point for a seat; `advance`
carries out everything that needs no decision and stops where a seat has a choice.
"""

from typing import Any, Final

from prico_env.actions import IS_GUEST_MOVE, NUM_BASE_ACTIONS, PASS
from prico_env.core import festival, guest_house
from prico_env.core.bank import draw_tile, shuffle_deck, sort_deck
from prico_env.core.intrinsics import copy_record
from prico_env.core.jit import kernel
from prico_env.core.phases import (
    builder,
    captain,
    craftsman,
    draft,
    gain,
    mayor,
    placement,
    prospector,
    role_choice,
    settler,
    smuggler,
    storage,
    trader,
    unit_handout,
)
from prico_env.core.rng import seed_rng
from prico_env.core.rules import Draft, Rules
from prico_env.core.state import State
from prico_env.core.turns import next_turn, resume
from prico_env.vocabulary import NOBODY, NUM_GOODS, DecisionPoint, Phase

FORCED_LOG_ROWS: Final = 402
"""Rows of a log: the decision, a count, and more forced decisions than any game can bring."""


@kernel
def deal(rules: Rules, state: State, seed: int) -> None:
    """Set a record up for a new game: the start of the rule set, then what is drawn (R-SET-1..12).

    Where players choose the buildings they do so first; what depends on that, and what the deck
    shows, is dealt when they have.
    """
    row = state["rules"]
    copy_record(state, rules["start"])
    state["rules"] = row
    seed_rng(state["rng"], seed)
    if rules["festival"]:
        festival.draw_estate_and_goods(rules, state)
    if rules["draft"] == Draft.BY_PLAYERS:
        draft.begin(state)
        return
    if rules["draft"] == Draft.AT_RANDOM:
        draft.choose_at_random(rules, state)
    _begin_game(rules, state)


@kernel
def _begin_game(rules: Rules, state: State) -> None:
    """With the buildings known, deal the rest and ask for the first role (R-FES-11, R-SET-8)."""
    if rules["festival"]:
        festival.draw_building(rules, state)
    shuffle_deck(state)
    settler.end(rules, state)
    role_choice.begin(rules, state)


@kernel
def fill_legal(rules: Rules, state: State, legal: Any) -> int:
    """Mark what the seat to act may do here, and return how many choices that makes.

    The moves of guests come on top (`guests.join`).
    """
    point, player = state["decision_point"], state["turn"]
    if point == DecisionPoint.LOAD:
        return captain.fill_load(rules, state, player, legal)
    if point == DecisionPoint.RECALL or point == DecisionPoint.PLACE:
        return placement.fill_legal(rules, state, player, legal)
    if point == DecisionPoint.CHOOSE_ROLE:
        return role_choice.fill_legal(rules, state, player, legal)
    if point <= DecisionPoint.STAFF_TILE:
        return settler.fill_legal(rules, state, player, legal)
    if point == DecisionPoint.BUY:
        return builder.fill_buy(rules, state, player, legal)
    if point == DecisionPoint.SELL:
        return trader.fill_legal(rules, state, player, legal)
    if point == DecisionPoint.STORE:
        return storage.fill_legal(rules, state, player, legal)
    if point == DecisionPoint.PRODUCE or point == DecisionPoint.CRAFTSMAN_PRIVILEGE:
        return craftsman.fill_legal(rules, state, player, legal)
    return _fill_further(rules, state, player, legal)


@kernel
def _fill_further(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Mark what is allowed at a rarer point; in a window of guests that is nothing else."""
    point = state["decision_point"]
    if point == DecisionPoint.MAYOR_PRIVILEGE or point == DecisionPoint.DEAL:
        return mayor.fill_legal(rules, state, player, legal)
    if (
        point == DecisionPoint.STAFF_BUILDING
        or point == DecisionPoint.PAY
        or point == DecisionPoint.BUILT
    ):
        return builder.fill_legal(rules, state, player, legal)
    if point == DecisionPoint.GAIN_COINS or point == DecisionPoint.GAIN_VP:
        return gain.fill_legal(rules, state, player, legal)
    if (
        point == DecisionPoint.USE_TILE
        or point == DecisionPoint.TAKE_AGAIN
        or point == DecisionPoint.HUNT
    ):
        return settler.fill_further(rules, state, player, legal)
    if point == DecisionPoint.SUPPLY or point == DecisionPoint.SMALL_SHIP:
        return captain.fill_legal(rules, state, player, legal)
    if point == DecisionPoint.SMUGGLE or point == DecisionPoint.RAID:
        return smuggler.fill_legal(rules, state, player, legal)
    if point == DecisionPoint.DRAFT:
        return draft.fill_legal(rules, state, legal)
    if point <= DecisionPoint.CLOSE_WINDOW or point == DecisionPoint.OPENING:
        return 0
    return unit_handout.fill_legal(rules, state, player, legal)


@kernel
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice of the seat to act, which the caller has checked."""
    point, player = state["decision_point"], state["turn"]
    if action >= NUM_BASE_ACTIONS and IS_GUEST_MOVE[action]:
        guest_house.move(rules, state, player, action)
    elif point == DecisionPoint.LOAD:
        captain.apply(rules, state, player, action)
    elif point == DecisionPoint.RECALL or point == DecisionPoint.PLACE:
        placement.apply(rules, state, player, action)
    elif point == DecisionPoint.CHOOSE_ROLE:
        role_choice.apply(rules, state, player, action)
    elif point <= DecisionPoint.STAFF_TILE:
        settler.apply(rules, state, player, action)
    elif point == DecisionPoint.BUY or point == DecisionPoint.STAFF_BUILDING:
        builder.apply(rules, state, player, action)
    elif point == DecisionPoint.SELL:
        trader.apply(rules, state, player, action)
    elif point == DecisionPoint.STORE:
        storage.apply(rules, state, player, action)
    elif point == DecisionPoint.PRODUCE or point == DecisionPoint.CRAFTSMAN_PRIVILEGE:
        craftsman.apply(rules, state, player, action)
    elif point == DecisionPoint.MAYOR_PRIVILEGE:
        mayor.apply(rules, state, player, action)
    elif point <= DecisionPoint.GAIN_VP:
        gain.apply(rules, state, player, action)
    else:
        _apply_further(rules, state, player, action)


@kernel
def _apply_further(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out a choice at a point that only expansions have."""
    point, phase = state["decision_point"], state["phase"]
    if point == DecisionPoint.DEAL or (point == DecisionPoint.OPENING and phase == Phase.MAYOR):
        mayor.apply(rules, state, player, action)
    elif point == DecisionPoint.OPENING:
        craftsman.apply(rules, state, player, action)
    elif point == DecisionPoint.PAY or point == DecisionPoint.BUILT:
        builder.apply(rules, state, player, action)
    elif point == DecisionPoint.USE_TILE and phase == Phase.TRADER:
        trader.apply(rules, state, player, action)
    elif (
        point == DecisionPoint.USE_TILE
        or point == DecisionPoint.TAKE_AGAIN
        or point == DecisionPoint.HUNT
    ):
        settler.apply(rules, state, player, action)
    elif point == DecisionPoint.SUPPLY or point == DecisionPoint.SMALL_SHIP:
        captain.apply(rules, state, player, action)
    elif point == DecisionPoint.SMUGGLE or point == DecisionPoint.RAID:
        smuggler.apply(rules, state, player, action)
    elif point == DecisionPoint.DRAFT:
        draft.apply(rules, state, action)
    elif point <= DecisionPoint.CLOSE_WINDOW:
        _close_window(rules, state)
    else:
        unit_handout.apply(rules, state, player, action)


@kernel
def _close_window(rules: Rules, state: State) -> None:
    """Close a seat's window and go on to the next, or to what the windows were before (R-GST-3)."""
    if state["decision_point"] == DecisionPoint.TURN_WINDOW:
        resume(state)
    elif state["decision_point"] == DecisionPoint.OPEN_WINDOW:
        next_turn(rules, state, DecisionPoint.OPEN_WINDOW, DecisionPoint.PHASE_BEGIN)
    elif state["phase"] == Phase.END:
        role_choice.next_last_window(rules, state)
    else:
        next_turn(rules, state, DecisionPoint.CLOSE_WINDOW, DecisionPoint.PHASE_CLOSE)


@kernel
def _begin_phase(rules: Rules, state: State) -> None:
    """Start the phase of the role just taken (R-RND-2)."""
    phase = state["phase"]
    if phase == Phase.SETTLER:
        settler.begin(rules, state)
    elif phase == Phase.MAYOR:
        mayor.begin(rules, state)
    elif phase == Phase.BUILDER:
        builder.begin(rules, state)
    elif phase == Phase.CRAFTSMAN:
        craftsman.begin(rules, state)
    elif phase == Phase.TRADER:
        trader.begin(rules, state)
    elif phase == Phase.CAPTAIN:
        captain.begin(rules, state)
    elif phase == Phase.PROSPECTOR:
        prospector.begin(rules, state)
    else:
        smuggler.begin(rules, state)


@kernel
def _close_phase(rules: Rules, state: State) -> None:
    """After all turns and windows go on to what the phase does last (R-CMB-8)."""
    phase = state["phase"]
    if phase == Phase.SETTLER:
        settler.close(rules, state)
    elif phase == Phase.CRAFTSMAN:
        craftsman.close(rules, state)
    elif phase == Phase.CAPTAIN:
        captain.close(state)
    else:
        state["decision_point"] = DecisionPoint.PHASE_END


@kernel
def _end_phase(rules: Rules, state: State) -> None:
    """End the phase, then go on to the next pick or the end of the round (R-RND-2, R-RND-3)."""
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
    elif phase == Phase.DRAFT:
        _begin_game(rules, state)
        return
    if state["picks"] < rules["picks_per_round"]:
        role_choice.begin(rules, state)
    else:
        role_choice.end(rules, state)


@kernel
def advance(rules: Rules, state: State, legal: Any, forced_log: Any, carry_forced: bool) -> int:
    """Carry out what needs no decision, up to the next choice of a seat.

    Args:
        rules: The rule set.
        state: The game.
        legal: Filled with the choices there, shape ``(num_actions,)``, bool.
        forced_log: Forced decisions are noted here as pairs of action and seat from row 1 on, their
            number in ``forced_log[0, 0]``; shape ``(0, 2)`` when nobody wants to know.
        carry_forced: Whether to carry out decisions that leave no choice, if the rule set does.

    Returns:
        How many choices the seat has; 0 when the game is over.
    """
    num_forced = 0
    legal[:] = False
    while True:
        point = state["decision_point"]
        if point == DecisionPoint.PHASE_BEGIN:
            _begin_phase(rules, state)
            continue
        if point == DecisionPoint.PHASE_CLOSE:
            _close_phase(rules, state)
            continue
        if point == DecisionPoint.PHASE_END:
            _end_phase(rules, state)
            continue
        if point == DecisionPoint.GAME_OVER:
            count = 0
            break
        count = fill_legal(rules, state, legal)
        if rules["guest_windows"]:
            count = guest_house.join(rules, state, state["turn"], legal, count)
        if count > 1 or (count == 1 and not (carry_forced and rules["skip_forced"])):
            break
        action = PASS
        if count == 1:
            while not legal[action]:
                action += 1
            legal[action] = False
            if forced_log.shape[0] > 0:
                num_forced += 1
                forced_log[num_forced, 0] = action
                forced_log[num_forced, 1] = state["turn"]
        apply(rules, state, action)
    if forced_log.shape[0] > 0:
        forced_log[0, 0] = num_forced
    return count


@kernel
def determinize(rules: Rules, state: State, seat: int, seed: int) -> None:
    """Re-seed the game and re-deal what a seat cannot see (R-INF-2, Q-31).

    That is the order of the deck and, among its tiles, what others drew and laid face down or have
    not laid yet. The tiles are sorted before they are dealt, so the result depends on nothing
    hidden.
    """
    seed_rng(state["rng"], seed)
    for player in range(rules["num_players"]):
        if player != seat:
            for kind in range(NUM_GOODS):
                blind = state["forest_blind"][player, kind]
                state["deck_tiles"][kind] += blind
                state["forest_kinds"][player, kind] -= blind
    holder = secret_tile_holder(state)
    is_secret = holder != NOBODY and holder != seat
    if is_secret:
        state["deck_tiles"][state["drawn"]] += 1
    sort_deck(state)
    shuffle_deck(state)
    for player in range(rules["num_players"]):
        if player != seat:
            blind = 0
            for kind in range(NUM_GOODS):
                blind += state["forest_blind"][player, kind]
                state["forest_blind"][player, kind] = 0
            for _ in range(blind):
                kind = draw_tile(state)
                state["forest_blind"][player, kind] += 1
                state["forest_kinds"][player, kind] += 1
    if is_secret:
        state["drawn"] = draw_tile(state)


@kernel
def secret_tile_holder(state: State) -> int:
    """The seat that alone has seen a tile just drawn, or ``NOBODY`` (Q-31)."""
    if state["decision_point"] == DecisionPoint.USE_TILE and state["drawn"] != NOBODY:
        return state["turn"]
    return NOBODY
