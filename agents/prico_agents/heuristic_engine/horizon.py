"""How long the game will last, and how often each role will still be played."""

import enum
from typing import Any, Final

from prico_env.core.api import Rules, State, kernel
from prico_env.vocabulary import CITY_SPACES, NOBODY, NUM_ROLES, Role

_FIRST_ROUNDS: Final = 2
_LEAST_ROUNDS: Final = 0.25


class Horizon(enum.IntEnum):
    """Places in a horizon: phases to come by role, rounds to come, and what a coin is worth."""

    SETTLERS = Role.SETTLER
    MAYORS = Role.MAYOR
    BUILDERS = Role.BUILDER
    CRAFTSMEN = Role.CRAFTSMAN
    TRADERS = Role.TRADER
    CAPTAINS = Role.CAPTAIN
    ROUNDS = NUM_ROLES
    COIN = NUM_ROLES + 1


HORIZON_SIZE: Final = NUM_ROLES + 2


@kernel
def fill_horizon(rules: Rules, state: State, weights: Any, horizon: Any) -> None:
    """Estimate the phases to come by how much of the supplies is used, and how fast that went.

    What is played already, the phase going on included, does not count; roles that can still be
    taken this round do, by the chance that they are.

    Args:
        rules: The rule set.
        state: The game.
        weights: A record of `WEIGHTS`.
        horizon: Filled, float64, shape ``(horizon_size,)``; see `Horizon`.
    """
    rounds = _rounds_after_this(rules, state, weights)
    in_play, free = 0.0, 0.0
    for role in range(NUM_ROLES):
        if rules["role_in_play"][role]:
            in_play += weights["often"][role]
            if state["role_owner"][role] == NOBODY:
                free += weights["often"][role]
    picks = rules["picks_per_round"]
    each_round = picks / in_play
    this_round = (picks - state["picks"]) / free if free > 0.0 else 0.0
    for role in range(NUM_ROLES):
        often = weights["often"][role]
        phases = rounds * min(1.0, each_round * often)
        if state["role_owner"][role] == NOBODY:
            phases += min(1.0, this_round * often)
        horizon[role] = phases
    horizon[Horizon.ROUNDS] = rounds
    builders = horizon[Horizon.BUILDERS]
    horizon[Horizon.COIN] = weights["coin"] * builders / (builders + weights["coin_patience"])


@kernel
def _rounds_after_this(rules: Rules, state: State, weights: Any) -> float:
    """How many rounds will follow: as the clock says that is furthest (R-END-1..3)."""
    if state["end_reasons"]:
        return 0.0
    city = 0
    for player in range(rules["num_players"]):
        city = max(city, state["city_used"][player])
    played = state["round"]
    rounds = _clock(1.0 - state["vp_pool"] / rules["vp_pool"], weights["pace_vp"], played)
    if not rules["citizens"]:
        left = state["worker_supply"] / rules["worker_supply"]
        rounds = min(rounds, _clock(1.0 - left, weights["pace_workers"], played))
    return min(rounds, _clock(city / CITY_SPACES, weights["pace_city"], played))


@kernel
def _clock(used: float, pace: float, played: int) -> float:
    """Rounds until a supply is used up, at the pace so far."""
    return max(_LEAST_ROUNDS, (1.0 - used) * (played + _FIRST_ROUNDS) / (used + pace) - 1.0)
