"""The order of things: set-up, decisions, phases and rounds.

The only file that knows which phase follows which. A game waits at a point for a seat; `advance`
carries out everything that needs no decision and stops where a seat has a choice.
"""

from typing import Any, Final

from prico_env.actions import IS_GUEST_MOVE, NUM_BASE_ACTIONS, PASS
from prico_env.core import festival, guest_house
from prico_env.core.bank import draw_tile, shuffle_deck, sort_deck
from prico_env.core.intrinsics import copy_record, nth_true
from prico_env.core.jit import kernel, separate_kernel
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
from prico_env.vocabulary import NOBODY, NUM_GOODS, POINTS, Asker, DecisionPoint, Phase

FORCED_LOG_ROWS: Final = 402
"""Rows of a log: the decision, a count, and more forced decisions than any game can bring."""
MOST_STEPS: Final = 4096
"""More than a game takes from one choice to the next: records that go in circles are cut off."""


def _points_of(asker: Asker) -> int:
    """Return the decision points of an asker, as bits of one number: looked up without memory."""
    return sum(1 << row.point for row in POINTS if row.asker == asker)


_OF_PHASES: Final = _points_of(Asker.PHASE)
_OF_GAIN: Final = _points_of(Asker.GAIN)
_OF_UNIT_HANDOUT: Final = _points_of(Asker.UNIT_HANDOUT)
_OF_NOBODY: Final = _points_of(Asker.NOBODY)


@separate_kernel
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
        draft.begin(rules, state)
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

    The moves of guests come on top (`guest_house.join`). The phases with most decisions come first;
    the mayor phase is in two files.
    """
    player, phase, point = state["turn"], state["phase"], int(state["decision_point"])
    if not (_OF_PHASES >> point) & 1:
        return _fill_interruption(rules, state, player, legal)
    if phase == Phase.CAPTAIN:
        return captain.fill_legal(rules, state, player, legal)
    if point == DecisionPoint.RECALL or point == DecisionPoint.PLACE:
        return placement.fill_legal(rules, state, player, legal)
    if phase == Phase.MAYOR:
        return mayor.fill_legal(rules, state, player, legal)
    if phase == Phase.ROLE:
        return role_choice.fill_legal(rules, state, player, legal)
    if phase == Phase.SETTLER:
        return settler.fill_legal(rules, state, player, legal)
    if phase == Phase.BUILDER:
        return builder.fill_legal(rules, state, player, legal)
    if phase == Phase.TRADER:
        return trader.fill_legal(rules, state, player, legal)
    if phase == Phase.STORAGE:
        return storage.fill_legal(rules, state, player, legal)
    if phase == Phase.CRAFTSMAN:
        return craftsman.fill_legal(rules, state, player, legal)
    if phase == Phase.SMUGGLER:
        return smuggler.fill_legal(rules, state, player, legal)
    return draft.fill_legal(rules, state, player, legal)


@kernel
def _fill_interruption(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Mark what is allowed whatever the phase; in a window of guests nothing else is."""
    point = int(state["decision_point"])
    if (_OF_GAIN >> point) & 1:
        return gain.fill_legal(rules, state, player, legal)
    if (_OF_UNIT_HANDOUT >> point) & 1:
        return unit_handout.fill_legal(rules, state, player, legal)
    return 0


@separate_kernel
def apply(rules: Rules, state: State, action: int) -> None:
    """Carry out a choice of the seat to act, which the caller has checked."""
    player, phase, point = state["turn"], state["phase"], int(state["decision_point"])
    if action >= NUM_BASE_ACTIONS and IS_GUEST_MOVE[action]:
        guest_house.move(rules, state, player, action)
    elif not (_OF_PHASES >> point) & 1:
        _apply_interruption(rules, state, player, action)
    elif phase == Phase.CAPTAIN:
        captain.apply(rules, state, player, action)
    elif point == DecisionPoint.RECALL or point == DecisionPoint.PLACE:
        placement.apply(rules, state, player, action)
    elif phase == Phase.MAYOR:
        mayor.apply(rules, state, player, action)
    elif phase == Phase.ROLE:
        role_choice.apply(rules, state, player, action)
    elif phase == Phase.SETTLER:
        settler.apply(rules, state, player, action)
    elif phase == Phase.BUILDER:
        builder.apply(rules, state, player, action)
    elif phase == Phase.TRADER:
        trader.apply(rules, state, player, action)
    elif phase == Phase.STORAGE:
        storage.apply(rules, state, player, action)
    elif phase == Phase.CRAFTSMAN:
        craftsman.apply(rules, state, player, action)
    elif phase == Phase.SMUGGLER:
        smuggler.apply(rules, state, player, action)
    else:
        draft.apply(rules, state, player, action)


@kernel
def _apply_interruption(rules: Rules, state: State, player: int, action: int) -> None:
    """Carry out a choice that no phase asked for."""
    point = int(state["decision_point"])
    if (_OF_GAIN >> point) & 1:
        gain.apply(rules, state, player, action)
    elif (_OF_UNIT_HANDOUT >> point) & 1:
        unit_handout.apply(rules, state, player, action)
    else:
        _close_window(rules, state)


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
def _go_on(rules: Rules, state: State, point: int) -> None:
    """Begin a phase, do what it does last, or end it."""
    if point == DecisionPoint.PHASE_BEGIN:
        _begin_phase(rules, state)
    elif point == DecisionPoint.PHASE_CLOSE:
        _close_phase(rules, state)
    else:
        _end_phase(rules, state)


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
        captain.close(rules, state)
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


@separate_kernel
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
        How many choices the seat has; 0 when the game is over. A record that no game can have, and
        that never comes to a choice, is cut off.
    """
    num_forced = 0
    count = 0
    legal[:] = False
    for _ in range(MOST_STEPS):
        point = int(state["decision_point"])
        if (_OF_NOBODY >> point) & 1:
            if point == DecisionPoint.GAME_OVER:
                count = 0
                break
            _go_on(rules, state, point)
            continue
        count = fill_legal(rules, state, legal)
        if rules["guest_windows"]:
            count = guest_house.join(rules, state, state["turn"], legal, count)
        if count > 1 or (count == 1 and not (carry_forced and rules["skip_forced"])):
            break
        action = PASS
        if count == 1:
            action = nth_true(legal, 0)
            legal[action] = False
            if num_forced + 1 < forced_log.shape[0]:
                num_forced += 1
                forced_log[num_forced, 0] = action
                forced_log[num_forced, 1] = state["turn"]
        apply(rules, state, action)
    else:
        role_choice.cut_off(state)
        count = 0
    if forced_log.shape[0] > 0:
        forced_log[0, 0] = num_forced
    return count


@separate_kernel
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
                blind += int(state["forest_blind"][player, kind])
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
