"""Whose turn it is, and how a decision interrupts another and hands back.

A game waits at a decision point (``state["decision_point"]``) for a seat (``state["turn"]``). A
decision in the middle of something else is an interruption: the place to go on is laid on a small
stack, and taken from it when the interrupting decision has been made. Whoever interrupts last is
asked first.
"""

from prico_env.core.jit import kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.vocabulary import DecisionPoint, Phase


@kernel
def start_turns(state: State, point: int) -> None:
    """Give the first turn of a phase, or of a part of it, to the actor (R-ROL-6)."""
    state["turns"] = 0
    state["turn"] = state["actor"]
    state["decision_point"] = point


@kernel
def seats_acting(rules: Rules, state: State) -> int:
    """How many seats act in this phase: all, or the actor alone (R-PRO-1, R-SMG-14)."""
    if state["captured"] and not rules["capture_others_act"]:
        return 1
    if state["phase"] == Phase.PROSPECTOR:
        return 1
    return rules["num_players"]


@kernel
def next_turn(rules: Rules, state: State, point: int, after: int) -> None:
    """Give the turn to the left neighbour; after the last seat the actor is up at ``after``."""
    state["turns"] += 1
    if state["turns"] >= seats_acting(rules, state):
        start_turns(state, after)
    else:
        state["turn"] = (state["turn"] + 1) % rules["num_players"]
        state["decision_point"] = point


@kernel
def closing(rules: Rules, after: int) -> int:
    """Where the turns of a phase lead: by the guests' window, where there may be any (R-GST-3)."""
    if rules["guest_windows"]:
        return DecisionPoint.CLOSE_WINDOW
    return after


@kernel
def interrupt(state: State, point: int, seat: int, value: int) -> None:
    """Ask ``seat`` something first; the game goes on from here when it has been answered."""
    depth = state["depth"]
    state["stack_point"][depth] = state["decision_point"]
    state["stack_turn"][depth] = state["turn"]
    state["stack_value"][depth] = state["value"]
    state["depth"] = depth + 1
    state["decision_point"] = point
    state["turn"] = seat
    state["value"] = value


@kernel
def resume(state: State) -> None:
    """Go on where the last interruption came from, and leave no trace of it."""
    depth = state["depth"] - 1
    state["depth"] = depth
    state["decision_point"] = state["stack_point"][depth]
    state["turn"] = state["stack_turn"][depth]
    state["value"] = state["stack_value"][depth]
    state["stack_point"][depth] = 0
    state["stack_turn"][depth] = 0
    state["stack_value"][depth] = 0
