"""A decision by looking ahead: try every move, let all play on by habit, and see who may win then.

A role counts by what every seat makes of it and of the roles that are left, a load by the ship it
closes to others, and a building by what it will still earn.
"""

import math
from typing import Any, Final

import numpy as np

from prico_agents.heuristic_engine.evaluation import appraise_seat, fill_win_shares
from prico_agents.heuristic_engine.greedy import habit, play_by_habit
from prico_agents.heuristic_engine.scratch import TRIAL
from prico_env.core.api import Rules, State, advance, apply, copy_record, kernel
from prico_env.vocabulary import DecisionPoint

_NO_CHANCE: Final = -1.0
_PER_POINT: Final = 1e-3
"""What a point counts beside the chance to win: a player fights on when all seems won or lost."""
LEFT_TO_HABIT: Final = np.isin(
    np.arange(len(DecisionPoint)), (DecisionPoint.RECALL, DecisionPoint.PLACE, DecisionPoint.STORE)
)
"""Points that are not weighed, bool, shape ``(num_points,)``."""


@kernel
def plan(rules: Rules, guess: State, legal: Any, beliefs: Any, desk: Any) -> int:
    """Choose the move that gives the seat to act the best chance to win.

    Args:
        rules: The rule set.
        guess: The game as its seat may imagine it.
        legal: What is allowed there.
        beliefs: A record of `BELIEFS`.
        desk: A `Desk`; its records ``TRIAL`` and ``STEP`` are written over.
    """
    point, player = guess["decision_point"], guess["turn"]
    if LEFT_TO_HABIT[point]:
        return habit(rules, guess, legal, beliefs, desk)
    best, chosen = _NO_CHANCE, 0
    for action in range(rules["num_actions"]):
        if legal[action]:
            chance = chance_after(rules, guess, action, player, beliefs, desk)
            if chance > best:
                best, chosen = chance, action
    return chosen


@kernel
def chance_after(
    rules: Rules, guess: State, action: int, player: int, beliefs: Any, desk: Any
) -> float:
    """The chance to win after a move and the phases that a plan plays out, and a little for points.

    ``TRIAL`` holds the position there, and ``desk.shares`` every seat's chance to win.
    """
    trial, legal = desk.states[TRIAL], desk.legal[TRIAL, : rules["num_actions"]]
    copy_record(trial, guess)
    apply(rules, trial, action)
    count = advance(rules, trial, legal, desk.forced_log, True)
    phases = beliefs["foresight_within"]
    if guess["decision_point"] == DecisionPoint.CHOOSE_ROLE:
        phases = beliefs["foresight"]
    roles = max(0, math.ceil(phases) - 1)
    play_by_habit(rules, trial, legal, count, roles, beliefs, desk)
    fill_win_shares(rules, trial, beliefs, desk, desk.shares)
    score = appraise_seat(rules, trial, player, beliefs, desk.outlook)
    return float(desk.shares[player]) + _PER_POINT * score
