"""Storage, the second half of the captain phase: which barrels each seat keeps.

Warehouses keep whole kinds, everyone keeps single barrels besides. Kinds are chosen first and then
barrels, each in ascending order. Some outcomes could be reached in two ways (store the corn and
keep the coffee, or the reverse, with one barrel of each); only one of them is offered, the one that
stores the kinds which come first, so that each outcome has exactly one sequence of actions.
"""

from typing import Any

import numpy as np

from prico_env.actions import KEEP, NUM_ACTIONS, PASS, STORE
from prico_env.core.jit import allocating_kernel, kernel, separate_kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.turns import next_turn
from prico_env.vocabulary import NUM_GOODS, DecisionPoint, Power

_KIND_SETS = 1 << NUM_GOODS
_DIGIT_BITS = 3
_DIGIT_MASK = 7


@kernel
def kinds_to_store(state: State, player: int) -> int:
    """How many kinds the player's occupied warehouses keep whole (R-CAP-10)."""
    return state["powers"][player, Power.STORE_KINDS]


@kernel
def barrels_to_keep(state: State, player: int) -> int:
    """How many single barrels the player keeps besides, as a digit can say (R-CAP-10)."""
    return min(1 + int(state["powers"][player, Power.STORE_BARRELS]), _DIGIT_MASK)


@separate_kernel
def fill_legal(rules: Rules, state: State, player: int, legal: Any) -> int:
    """The next kind to store or barrel to keep; as much as possible must be kept (R-CAP-10/11)."""
    barrels = 0
    for good in range(NUM_GOODS):
        barrels += int(state["goods"][player, good])
    if barrels == 0:
        legal[PASS] = True
        return 1
    if kinds_to_store(state, player) == 0 and not rules["voluntary_discard"]:
        return _fill_single(state, player, legal)
    return _fill_outcomes(rules, state, player, legal)


@allocating_kernel
def may_take_next(rules: Rules, state: State, player: int, action: int) -> bool:
    """Whether an action goes on towards an outcome that may be kept (R-CAP-10, R-CAP-11)."""
    legal = np.zeros(NUM_ACTIONS, dtype=np.bool_)
    fill_legal(rules, state, player, legal)
    return legal[action]


@kernel
def _fill_single(state: State, player: int, legal: Any) -> int:
    """Without a warehouse: single barrels in ascending order, as many as may be kept."""
    kept = 0
    rest = 0
    for good in range(NUM_GOODS):
        kept += state["kept"][good]
        rest += state["goods"][player, good]
    wanted = min(barrels_to_keep(state, player), rest) - kept
    count = 0
    room = 0
    if wanted == 0:
        return 0
    for good in range(NUM_GOODS - 1, state["cursor"] - 1, -1):
        loose = state["goods"][player, good] - state["kept"][good]
        room += loose
        if loose > 0 and room >= wanted:
            legal[KEEP + good] = True
            count += 1
    return count


@kernel
def _fill_outcomes(rules: Rules, state: State, player: int, legal: Any) -> int:
    """With warehouses: go through every outcome that is still open and mark its next action."""
    singles = barrels_to_keep(state, player)
    stored = _kinds_stored(state)
    fixed = _kinds_decided(state, stored)
    count = 0
    for kinds in range(_KIND_SETS):
        if kinds & fixed != stored or not _may_store(rules, state, player, kinds):
            continue
        choice = 0
        while choice >= 0:
            if (
                _continues(state, choice)
                and _may_keep(rules, state, player, kinds, choice)
                and _is_first_way(rules, state, player, kinds, choice)
            ):
                action = _next_action(state, kinds, choice)
                if not legal[action] and (action != PASS or rules["voluntary_discard"]):
                    legal[action] = True
                    count += 1
            choice = _next_choice(choice, singles)
    return count


# A set of kinds is a number with a bit for each kind; a choice of single barrels has a digit of
# three bits for each kind.


@kernel
def _digit(choice: int, good: int) -> int:
    """Single barrels of a kind in a choice."""
    return (choice >> (_DIGIT_BITS * good)) & _DIGIT_MASK


@kernel
def _next_choice(choice: int, singles: int) -> int:
    """The choice after this one, of all with up to so many barrels; -1 after the last."""
    total = 0
    lowest = NUM_GOODS
    for good in range(NUM_GOODS - 1, -1, -1):
        total += _digit(choice, good)
        if _digit(choice, good) > 0:
            lowest = good
    if total < singles:
        return choice + 1
    if lowest == NUM_GOODS - 1:
        return -1
    choice -= _digit(choice, lowest) << (_DIGIT_BITS * lowest)
    return choice + (1 << (_DIGIT_BITS * (lowest + 1)))


@kernel
def _kinds_stored(state: State) -> int:
    """The kinds stored so far."""
    kinds = 0
    for good in range(NUM_GOODS):
        kinds |= int(state["stored"][good]) << good
    return kinds


@kernel
def _kinds_decided(state: State, stored: int) -> int:
    """The kinds that can no longer be stored or left: those up to the last one stored, or all."""
    for good in range(NUM_GOODS):
        if state["kept"][good] > 0:
            return _KIND_SETS - 1
    return (2 << int(state["cursor"])) - 1 if stored > 0 else 0


@kernel
def _continues(state: State, choice: int) -> bool:
    """Whether the barrels kept so far are the first ones of this choice."""
    kept = 0
    for good in range(NUM_GOODS):
        kept += state["kept"][good]
    for good in range(NUM_GOODS):
        more = _digit(choice, good) - state["kept"][good]
        if more < 0 or (more > 0 and kept > 0 and good < state["cursor"]):
            return False
    return True


@kernel
def _may_store(rules: Rules, state: State, player: int, kinds: int) -> bool:
    """Whether exactly these kinds may be kept whole (R-CAP-10, R-CAP-11)."""
    held = 0
    stored = 0
    for good in range(NUM_GOODS):
        is_held = state["goods"][player, good] > 0
        if (kinds >> good) & 1:
            if not is_held:
                return False
            stored += 1
        held += is_held
    most = min(kinds_to_store(state, player), held)
    return stored == most or (rules["voluntary_discard"] and stored < most)


@kernel
def _may_keep(rules: Rules, state: State, player: int, kinds: int, choice: int) -> bool:
    """Whether, with these kinds stored, exactly these barrels may be kept (R-CAP-10, R-CAP-11)."""
    kept = 0
    rest = 0
    for good in range(NUM_GOODS):
        loose = 0 if (kinds >> good) & 1 else int(state["goods"][player, good])
        single = _digit(choice, good)
        if single > loose:
            return False
        kept += single
        rest += loose
    most = min(barrels_to_keep(state, player), rest)
    return kept == most or (rules["voluntary_discard"] and kept < most)


@kernel
def _is_first_way(rules: Rules, state: State, player: int, kinds: int, choice: int) -> bool:
    """Whether no earlier set of kinds leads to the same barrels."""
    whole = kinds
    for good in range(NUM_GOODS):
        single = _digit(choice, good)
        if single > 0 and single == state["goods"][player, good]:
            whole |= 1 << good
    for other in range(kinds):
        # What is whole in the outcome may be stored instead; the rest is then kept as singles.
        if other & ~whole == 0 and _may_store(rules, state, player, other):
            other_choice = _singles_instead(state, player, kinds, choice, other)
            if other_choice >= 0 and _may_keep(rules, state, player, other, other_choice):
                return False
    return True


@kernel
def _singles_instead(state: State, player: int, kinds: int, choice: int, other: int) -> int:
    """The single barrels that lead to the same outcome with other kinds stored; -1 if too many."""
    singles = 0
    other_choice = 0
    for good in range(NUM_GOODS):
        if (other >> good) & 1:
            continue
        kept = _digit(choice, good)
        if (kinds >> good) & 1:
            kept = int(state["goods"][player, good])
        singles += kept
        if singles > barrels_to_keep(state, player):
            return -1
        other_choice |= kept << (_DIGIT_BITS * good)
    return other_choice


@kernel
def _next_action(state: State, kinds: int, choice: int) -> int:
    """The first action still missing on the way to an outcome; ``PASS`` when it is reached."""
    for good in range(NUM_GOODS):
        if (kinds >> good) & 1 > state["stored"][good]:
            return STORE + good
    for good in range(NUM_GOODS):
        if _digit(choice, good) > state["kept"][good]:
            return KEEP + good
    return PASS


@separate_kernel
def apply(rules: Rules, state: State, player: int, action: int) -> None:
    """Store a kind, keep a barrel, or give up the rest."""
    if action == PASS:
        _give_up_rest(state, player)
        next_turn(rules, state, DecisionPoint.STORE, DecisionPoint.PHASE_END)
    elif action < KEEP:
        state["stored"][action - STORE] = 1
        state["cursor"] = action - STORE
    else:
        state["kept"][action - KEEP] += 1
        state["cursor"] = action - KEEP


@kernel
def _give_up_rest(state: State, player: int) -> None:
    """Return to the supply what is neither stored nor kept (R-CAP-10)."""
    for good in range(NUM_GOODS):
        if state["stored"][good] == 0:
            rest = state["goods"][player, good] - state["kept"][good]
            state["goods"][player, good] -= rest
            state["goods_supply"][good] += rest
        state["stored"][good] = 0
        state["kept"][good] = 0
    state["cursor"] = 0
