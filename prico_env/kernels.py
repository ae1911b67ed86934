"""The rules as compiled functions, for players and tools that are compiled themselves.

A record of `STATE` is a game and a record of `RULES` its rule set; `Game.state` and `RuleSet.table`
are arrays of one. What a kernel does to a record nobody checks: hand it copies, and actions that
`legal` allows.
"""

from prico_env._jit import copy_record, kernel, kernels_in, ticks
from prico_env.engine import apply, deal, determinize, settle
from prico_env.observation import fill_observation
from prico_env.phases.craftsman import capacity
from prico_env.powers import count_citizens, free_circles, units_on
from prico_env.rng import draw_legal, next_number, seed_rng
from prico_env.ruleset import RULES, Rules
from prico_env.scoring import count_units, fill_ranking, fill_rewards, fill_score_parts, fill_scores
from prico_env.state import STATE, State, new_states, states_in

__all__ = [
    "RULES",
    "STATE",
    "Rules",
    "State",
    "apply",
    "capacity",
    "copy_record",
    "count_citizens",
    "count_units",
    "deal",
    "determinize",
    "draw_legal",
    "fill_observation",
    "fill_ranking",
    "fill_rewards",
    "fill_score_parts",
    "fill_scores",
    "free_circles",
    "kernel",
    "kernels_in",
    "new_states",
    "next_number",
    "seed_rng",
    "settle",
    "states_in",
    "ticks",
    "units_on",
]
