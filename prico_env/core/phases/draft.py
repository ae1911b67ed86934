"""Draft: before the first round the players choose which commercial buildings are in the game.

Each cost has so many slots; a type is chosen once, and all its copies are for sale (R-X1-2..6).
"""

from typing import Any

from prico_env.actions import BOARD_ACTION, TARGET
from prico_env.core.jit import kernel, separate_kernel
from prico_env.core.rng import below
from prico_env.core.rules import MAX_COST, Rules
from prico_env.core.state import State
from prico_env.vocabulary import NUM_BUILDINGS, DecisionPoint, Phase


@kernel
def begin(rules: Rules, state: State) -> None:
    """Let the first governor choose first (R-X1-4)."""
    state["phase"] = Phase.DRAFT
    state["decision_point"] = DecisionPoint.DRAFT
    state["turn"] = state["governor"]


@kernel
def slots_left(rules: Rules, state: State, cost: int) -> int:
    """How many types of a cost are still to be chosen (R-X1-3)."""
    left = rules["draft_slots"][cost]
    for building in range(NUM_BUILDINGS):
        if rules["cost"][building] == cost:
            left -= state["board"][building]
    return left


@kernel
def _may_choose(rules: Rules, state: State, building: int) -> bool:
    """Whether a type may be chosen: not yet in the game, with an open slot (R-X1-4)."""
    if not is_drafted(rules, building) or is_chosen(state, building):
        return False
    if slots_left(rules, state, rules["cost"][building]) == 0:
        return False
    return leaves_a_board(rules, state, building)


@kernel
def leaves_a_board(rules: Rules, state: State, chosen: int) -> bool:
    """Whether the slots can be filled with one type of each exclusive pair at most (R-X1-9)."""
    if rules["num_pairs"] == 0:
        return True
    for sides in range(1 << rules["num_pairs"]):
        if not _leaves_out(rules, sides, chosen) and _fills_slots(rules, state, sides):
            return True
    return False


@kernel
def _leaves_out(rules: Rules, sides: int, building: int) -> bool:
    """Whether a type goes if each pair loses one side, by the bits of ``sides``."""
    for pair in range(rules["num_pairs"]):
        if rules["pairs"][pair, (sides >> pair) & 1] == building:
            return True
    return False


@kernel
def _fills_slots(rules: Rules, state: State, sides: int) -> bool:
    """Whether types that do not go are enough for every slot, and none on the board goes."""
    for cost in range(MAX_COST + 1):
        there = 0
        for building in range(NUM_BUILDINGS):
            if is_drafted(rules, building) and rules["cost"][building] == cost:
                is_out = _leaves_out(rules, sides, building)
                if is_out and is_chosen(state, building):
                    return False
                there += not is_out
        if there < rules["draft_slots"][cost]:
            return False
    return True


@kernel
def is_drafted(rules: Rules, building: int) -> bool:
    """Whether a type is in the game only if it is chosen (R-X1-1)."""
    return rules["draft_pool"][building] > 0


@kernel
def is_chosen(state: State, building: int) -> bool:
    """Whether a type is on the board of this game (R-X1-4)."""
    return state["board"][building] > 0


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """Every type whose cost has an open slot; nobody may pass (R-X1-4, R-X1-5)."""
    count = 0
    for building in range(NUM_BUILDINGS):
        if _may_choose(rules, state, building):
            legal[BOARD_ACTION[building]] = True
            count += 1
    return count


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Put all copies of a type up for sale, and let the left neighbour choose (R-X1-6)."""
    _choose(rules, state, TARGET[action])
    state["turn"] = (state["turn"] + 1) % rules["num_players"]
    for cost in range(MAX_COST + 1):
        if slots_left(rules, state, cost) > 0:
            return
    state["decision_point"] = DecisionPoint.PHASE_END


@kernel
def _choose(rules: Rules, state: State, building: int) -> None:
    state["board"][building] = 1
    state["building_supply"][building] += rules["copies"][building]


@kernel
def choose_at_random(rules: Rules, state: State) -> None:
    """Let the game's generator fill the slots, cost by cost."""
    for cost in range(MAX_COST + 1):
        for _ in range(slots_left(rules, state, cost)):
            candidates = 0
            for building in range(NUM_BUILDINGS):
                candidates += rules["cost"][building] == cost and _may_choose(
                    rules, state, building
                )
            _choose_candidate(rules, state, cost, below(state["rng"], candidates))


@kernel
def _choose_candidate(rules: Rules, state: State, cost: int, place: int) -> None:
    """Choose the candidate of a cost at a place, counted from 0."""
    for building in range(NUM_BUILDINGS):
        if rules["cost"][building] == cost and _may_choose(rules, state, building):
            if place == 0:
                _choose(rules, state, building)
                return
            place -= 1
