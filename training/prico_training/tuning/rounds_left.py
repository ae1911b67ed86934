"""How well weights foresee the end: rounds to come as they estimate them, and as they came."""

import numpy as np
from numpy.typing import NDArray

from prico_agents.compiled import CompiledAgent, playout_policy
from prico_agents.heuristic_engine.horizon import HORIZON_SIZE, Horizon, fill_horizon
from prico_env import RuleSet
from prico_env.vocabulary import DecisionPoint
from prico_training.arena.counterfactual import pick_decisions


def rounds_left_errors(
    rules: RuleSet, agent: CompiledAgent, games: int, seed: int
) -> NDArray[np.float64]:
    """Rounds that an agent's weights estimate to follow, less those that did.

    Copies of the agent play; each game is looked at once, at one of its choices of a role.

    Args:
        rules: What is played.
        agent: Whose weights estimate, and who plays.
        games: How many games.
        seed: The first deal; all chance comes from it.

    Returns:
        Errors in rounds, positive where it plays for a longer game than it is, shape ``(n,)``.

    >>> from prico_agents import load_agent
    >>> rounds_left_errors(RuleSet(3), load_agent("corn"), 4, seed=1).shape
    (4,)
    """
    decisions = pick_decisions(rules, agent, DecisionPoint.CHOOSE_ROLE, games, seed)
    horizon, estimates = np.zeros(HORIZON_SIZE), np.zeros(len(decisions))
    for number, state in enumerate(decisions.state):
        fill_horizon(rules.table[0], state, agent.weights[0], horizon)
        estimates[number] = horizon[Horizon.ROUNDS]
    rounds = decisions.state["round"].astype(np.float64)
    decisions.play(playout_policy(agent), seeds=np.arange(len(decisions)) + seed)
    return np.asarray(estimates - (decisions.state["round"] - rounds))
