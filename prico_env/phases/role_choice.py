"""The round: who picks a role, what lies on the cards, and how a round ends."""

from typing import Any

from prico_env._jit import kernel
from prico_env.actions import ROLE
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.vocabulary import (
    NOBODY,
    NOT_IN_PLAY,
    NUM_BASE_ROLES,
    NUM_ROLES,
    Outcome,
    Phase,
    Point,
)


@kernel
def begin(rules: Rules, state: State) -> None:
    """Ask the next player for a role: the governor first, then clockwise (R-RND-1, R-RND-4)."""
    state["phase"] = Phase.ROLE
    state["point"] = Point.CHOOSE_ROLE
    state["actor"] = NOBODY
    state["role"] = NOBODY
    state["turns"] = 0
    state["turn"] = (state["governor"] + state["picks"]) % rules["num_players"]


@kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Any card that nobody has taken; one must be taken (R-ROL-1, R-ROL-2)."""
    count = 0
    for role in range(NUM_BASE_ROLES):
        is_free = state["role_owner"][role] == NOBODY
        legal[ROLE + role] = is_free
        count += is_free
    return count


@kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Take the card and, at once, the coins on it (R-ROL-4, R-ROL-5)."""
    role = action - ROLE
    state["coins"][player] += state["role_coins"][role]
    state["role_coins"][role] = 0
    state["role_owner"][role] = player
    state["actor"] = player
    state["role"] = role
    state["picks"] += 1
    state["point"] = Point.PHASE_BEGIN


@kernel
def end(rules: Rules, state: State) -> None:
    """Close the round: a coin on every card left over, a new governor or the end (R-EOR-2..4)."""
    for role in range(NUM_ROLES):
        if state["role_owner"][role] == NOT_IN_PLAY:
            continue
        if state["role_owner"][role] == NOBODY and (state["bank"] > 0 or not rules["bank_limited"]):
            state["role_coins"][role] += 1
            state["bank"] -= 1
        state["role_owner"][role] = NOBODY
    if state["end_reasons"] > 0:
        _close(state, Outcome.FINISHED)
    elif state["round"] >= rules["max_rounds"]:
        _close(state, Outcome.TRUNCATED)
    else:
        state["round"] += 1
        state["picks"] = 0
        state["governor"] = (state["governor"] + 1) % rules["num_players"]
        begin(rules, state)


@kernel
def _close(state: State, outcome: int) -> None:
    """End the game (R-END-5), or cut it off at the guard of I-33."""
    state["outcome"] = outcome
    state["phase"] = Phase.OVER
    state["point"] = Point.GAME_OVER
    state["turn"] = NOBODY
    state["actor"] = NOBODY
    state["role"] = NOBODY
