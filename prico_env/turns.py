"""Whose turn it is, and how a decision interrupts another and hands back.

A game waits at a point (``state["point"]``) for a seat (``state["turn"]``). A decision in the
middle of something else is an interruption: the place to go on is laid on a small stack, and taken
from it when the interrupting decision has been made. Whoever interrupts last is asked first.
"""

from prico_env._jit import kernel
from prico_env.ruleset import Rules
from prico_env.state import State
from prico_env.vocabulary import Point


@kernel
def start_turns(state: State, point: int) -> None:
    """Give the first turn of a phase to the actor (R-ROL-6)."""
    state["turns"] = 0
    state["turn"] = state["actor"]
    state["point"] = point


@kernel
def next_turn(rules: Rules, state: State, point: int) -> None:
    """Give the turn to the left neighbour; after the last seat the phase ends (R-ROL-6)."""
    state["turns"] += 1
    if state["turns"] == rules["num_players"]:
        state["point"] = Point.PHASE_END
    else:
        state["turn"] = (state["turn"] + 1) % rules["num_players"]
        state["point"] = point


@kernel
def interrupt(state: State, point: int, seat: int, value: int) -> None:
    """Ask ``seat`` something first; the game goes on from here when it has been answered."""
    depth = state["depth"]
    state["stack_point"][depth] = state["point"]
    state["stack_turn"][depth] = state["turn"]
    state["stack_value"][depth] = state["value"]
    state["depth"] = depth + 1
    state["point"] = point
    state["turn"] = seat
    state["value"] = value


@kernel
def resume(state: State) -> None:
    """Go on where the last interruption came from, and leave no trace of it."""
    depth = state["depth"] - 1
    state["depth"] = depth
    state["point"] = state["stack_point"][depth]
    state["turn"] = state["stack_turn"][depth]
    state["value"] = state["stack_value"][depth]
    state["stack_point"][depth] = 0
    state["stack_turn"][depth] = 0
    state["stack_value"][depth] = 0
