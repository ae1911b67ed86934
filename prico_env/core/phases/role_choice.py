"""The round: who picks a role, what lies on the cards, and how a round ends."""

from typing import Any, Final

import numpy as np

from prico_env.actions import ROLE, ROLE_SMUGGLER
from prico_env.core.bank import pay_out, take_role_coins
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import seats_acting, start_turns
from prico_env.vocabulary import (
    NOBODY,
    NOT_IN_PLAY,
    NUM_BASE_ROLES,
    NUM_ROLES,
    DecisionPoint,
    Outcome,
    Phase,
    Role,
    Windows,
)

CAPTURE_REWARD: Final = 3
"""Coins for the captor when somebody else takes the captured role (R-SMG-11)."""

_PHASE_OF_ROLE: Final = np.array(
    [
        Phase.SETTLER,
        Phase.MAYOR,
        Phase.BUILDER,
        Phase.CRAFTSMAN,
        Phase.TRADER,
        Phase.CAPTAIN,
        Phase.PROSPECTOR,
        Phase.PROSPECTOR,
        Phase.SMUGGLER,
    ],
    dtype=np.int8,
)


@kernel
def begin(rules: Rules, state: State) -> None:
    """Ask the next player for a role: the governor first, then clockwise (R-RND-1, R-RND-4)."""
    state["phase"] = Phase.ROLE
    state["decision_point"] = DecisionPoint.CHOOSE_ROLE
    state["actor"] = NOBODY
    state["role"] = NOBODY
    state["turns"] = 0
    state["turn"] = (state["governor"] + state["picks"]) % rules["num_players"]


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Any card that nobody has taken; one must be taken (R-ROL-1..3).

    Neither the owner of the smuggler tile takes the smuggler, nor a captor what he has captured.
    """
    count = 0
    for role in range(NUM_BASE_ROLES):
        is_free = is_on_table(state, role) & (not is_captor(state, player, role))
        legal[ROLE + role] = is_free
        count += is_free
    if is_on_table(state, Role.SMUGGLER) and not has_smuggler_tile(state, player):
        legal[ROLE_SMUGGLER] = True
        count += 1
    return count


@kernel
def is_in_play(state: State, role: int) -> bool:
    """Whether a card is in the game with so many players."""
    return state["role_owner"][role] != NOT_IN_PLAY


@kernel
def is_on_table(state: State, role: int) -> bool:
    """Whether nobody has taken a card in play this round (R-ROL-2)."""
    return state["role_owner"][role] == NOBODY


@kernel
def is_captor(state: State, player: int, role: int) -> bool:
    """Whether a player has captured a card, and so does not take it (R-SMG-12)."""
    return state["role_captor"][role] == player


@kernel
def has_smuggler_tile(state: State, player: int) -> bool:
    """Whether a player has the tile, and so does not take the smuggler (R-SMG-3)."""
    return state["smuggler_tile"] == player


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Take the card and, at once, the coins on it (R-ROL-4, R-ROL-5)."""
    role = Role.SMUGGLER if action == ROLE_SMUGGLER else action - ROLE
    take_role_coins(state, player, role)
    state["picks"] += 1
    if state["role_captor"][role] != NOBODY:
        pay_out(rules, state, state["role_captor"][role], CAPTURE_REWARD)
    if role == Role.SMUGGLER:
        state["smuggler_tile"] = player
    _open_phase(rules, state, player, role)


@kernel
def _open_phase(rules: Rules, state: State, player: int, role: int) -> None:
    """Start the phase of a role: guests move first, where they may (R-RND-2, R-GST-3)."""
    state["role_owner"][role] = player
    state["actor"] = player
    state["role"] = role
    phase = _PHASE_OF_ROLE[role]
    state["phase"] = phase
    full = (
        rules["guest_windows"] == Windows.FULL and phase != Phase.MAYOR and phase != Phase.SMUGGLER
    )
    own_turn = rules["guest_windows"] == Windows.REDUCED and phase == Phase.PROSPECTOR
    start_turns(state, DecisionPoint.OPEN_WINDOW if full or own_turn else DecisionPoint.PHASE_BEGIN)


@kernel
def end(rules: Rules, state: State) -> None:
    """Close the round: a captured role is played, guests may move a last time (R-EOR-1, Q-90)."""
    acted_alone = seats_acting(rules, state) == 1
    state["captured"] = 0
    for role in range(NUM_BASE_ROLES):
        if state["role_captor"][role] != NOBODY and state["role_owner"][role] == NOBODY:
            state["captured"] = 1
            _open_phase(rules, state, state["role_captor"][role], role)
            return
    unopened = acted_alone or state["phase"] == Phase.SMUGGLER
    if rules["guest_windows"] and state["end_reasons"] > 0 and unopened:
        state["phase"] = Phase.END
        start_turns(state, DecisionPoint.CLOSE_WINDOW)
        if acted_alone:  # who acted alone has had the close of the phase
            next_last_window(rules, state)
    else:
        close_round(rules, state)


@kernel
def next_last_window(rules: Rules, state: State) -> None:
    """Give the last window to the left neighbour; after the last seat the round closes (Q-90)."""
    state["turns"] += 1
    if state["turns"] == rules["num_players"]:
        close_round(rules, state)
    else:
        state["turn"] = (state["turn"] + 1) % rules["num_players"]


@kernel
def close_round(rules: Rules, state: State) -> None:
    """A coin on every card left over, then a new governor or the end (R-EOR-2..4, R-SMG-8)."""
    for role in range(NUM_ROLES):
        state["role_captor"][role] = NOBODY
        if state["role_owner"][role] == NOT_IN_PLAY:
            continue
        is_left = state["role_owner"][role] == NOBODY and role != Role.SMUGGLER
        if is_left and (state["bank"] > 0 or not rules["bank_limited"]):
            state["role_coins"][role] += 1
            state["bank"] -= 1
        state["role_owner"][role] = NOBODY
    if state["end_reasons"] > 0:
        _close(state, Outcome.FINISHED)
    elif state["round"] >= rules["max_rounds"]:
        cut_off(state)
    else:
        state["round"] += 1
        state["picks"] = 0
        state["governor"] = (state["governor"] + 1) % rules["num_players"]
        begin(rules, state)


@kernel
def cut_off(state: State) -> None:
    """End a game that would go on for ever, without a winner (I-33)."""
    _close(state, Outcome.TRUNCATED)


@kernel
def _close(state: State, outcome: int) -> None:
    """End the game (R-END-5), or cut it off at the guard of I-33."""
    state["outcome"] = outcome
    state["phase"] = Phase.OVER
    state["decision_point"] = DecisionPoint.GAME_OVER
    state["turn"] = NOBODY
    state["actor"] = NOBODY
    state["role"] = NOBODY
