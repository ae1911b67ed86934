"""Lookahead: try every move, play a greedy rollout of some phases, and compare who may win then.

A role counts by what every seat makes of it and of the roles that are left, a load by the ship it
closes to others, and a building by what it will still earn.
"""

import math
from typing import Any, Final

import numpy as np

from prico_agents.heuristic_engine.evaluation import evaluate_seat, fill_win_probabilities
from prico_agents.heuristic_engine.greedy import greedy_action, greedy_rollout
from prico_agents.heuristic_engine.scratch import TRIAL
from prico_env.core.api import Rules, State, advance, apply, copy_record, kernel
from prico_env.vocabulary import DecisionPoint

_NO_CHANCE: Final = -1.0
_PER_POINT: Final = 1e-3
"""What a point counts beside the chance to win: a player fights on when all seems won or lost."""
GREEDY_POINTS: Final = np.isin(
    np.arange(len(DecisionPoint)), (DecisionPoint.RECALL, DecisionPoint.PLACE, DecisionPoint.STORE)
)
"""Points that are left to the greedy policy, bool, shape ``(num_points,)``."""


@kernel
def lookahead_action(rules: Rules, guess: State, legal: Any, weights: Any, scratch: Any) -> int:
    """Choose the move with the best win probability for the seat to act, after a greedy rollout.

    Args:
        rules: The rule set.
        guess: The game as its seat may imagine it.
        legal: What is allowed there.
        weights: A record of `WEIGHTS`.
        scratch: A `Scratch`; its records ``TRIAL`` and ``STEP`` are written over.
    """
    point, player = guess["decision_point"], guess["turn"]
    if GREEDY_POINTS[point]:
        return greedy_action(rules, guess, legal, weights, scratch)
    best, chosen = _NO_CHANCE, 0
    for action in range(rules["num_actions"]):
        if legal[action]:
            chance = lookahead_value(rules, guess, action, player, weights, scratch)
            if chance > best:
                best, chosen = chance, action
    return chosen


@kernel
def lookahead_value(
    rules: Rules, guess: State, action: int, player: int, weights: Any, scratch: Any
) -> float:
    """The win probability after a move and a greedy rollout, and a little for points.

    ``TRIAL`` holds the position there, ``scratch.win_probabilities`` those of every seat.
    """
    trial, legal = scratch.states[TRIAL], scratch.legal[TRIAL, : rules["num_actions"]]
    copy_record(trial, guess)
    apply(rules, trial, action)
    count = advance(rules, trial, legal, scratch.forced_log, True)
    phases = weights["lookahead_phases_within"]
    if guess["decision_point"] == DecisionPoint.CHOOSE_ROLE:
        phases = weights["lookahead_phases"]
    roles = max(0, math.ceil(phases) - 1)
    greedy_rollout(rules, trial, legal, count, roles, weights, scratch)
    fill_win_probabilities(rules, trial, weights, scratch, scratch.win_probabilities)
    score = evaluate_seat(rules, trial, player, weights, scratch.horizon)
    return float(scratch.win_probabilities[player]) + _PER_POINT * score
