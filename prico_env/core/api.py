"""The rules as compiled functions, for players and tools that are compiled themselves.

A record of `STATE` is a game and a record of `RULES` its rule set; `Game.state` and `RuleSet.table`
are arrays of one. What a kernel does to a record nobody checks: hand it copies, and actions that
`legal` allows.
"""

from prico_env.core.engine import advance, apply, deal, determinize
from prico_env.core.gather import gather_columns
from prico_env.core.intrinsics import copy_record, ticks
from prico_env.core.jit import allocating_kernel, kernel
from prico_env.core.observation import fill_observation
from prico_env.core.phases.craftsman import capacity
from prico_env.core.rng import draw_legal, next_number, seed_rng
from prico_env.core.rules import RULES, Rules
from prico_env.core.scoring import (
    count_units,
    fill_ranking,
    fill_results,
    fill_rewards,
    fill_score_parts,
    fill_scores,
)
from prico_env.core.state import STATE, State, new_states, states_in
from prico_env.core.units import count_citizens, free_circles, units_on

__all__ = [
    "RULES",
    "STATE",
    "Rules",
    "State",
    "advance",
    "allocating_kernel",
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
    "fill_results",
    "fill_rewards",
    "fill_score_parts",
    "fill_scores",
    "free_circles",
    "gather_columns",
    "kernel",
    "new_states",
    "next_number",
    "seed_rng",
    "states_in",
    "ticks",
    "units_on",
]
