"""The start of a game: one record for each rule set, which every new game is copied from.

It holds what the set-up fixes without a draw. `engine.deal` copies it, and draws the rest.
"""

import numpy as np

from prico_env.core.rules import Rules
from prico_env.core.state import new_states
from prico_env.vocabulary import NOBODY, NOT_IN_PLAY


def start_of(rules: Rules) -> np.ndarray:
    """Return the record of a game of a rule set before anything is drawn, shape ``(1,)``.

    What is not named here is zero (R-SET-1..12).
    """
    states = new_states(1)
    state = states[0]
    state["round"] = 1
    for field in ("actor", "role", "smuggler_tile", "drawn", "taken", "bought"):
        state[field] = NOBODY
    for field in ("festival_estate", "festival_building", "ship_good", "role_captor"):
        state[field] = NOBODY
    state["role_owner"] = np.where(rules["role_in_play"], NOBODY, NOT_IN_PLAY)
    citizens = min(1, rules["citizens"])  # the first register holds one, as every one (R-X2-4)
    state["citizen_supply"] = rules["citizens"] - citizens
    state["worker_supply"] = rules["worker_supply"] + citizens
    state["register_workers"] = rules["register_workers"] - citizens
    state["register_citizens"] = citizens
    state["goods_supply"] = rules["goods"]
    state["vp_pool"] = rules["vp_pool"]
    state["quarries"] = rules["quarries"]
    state["forests"] = rules["forests"]
    state["building_supply"] = rules["start_supply"]
    state["board"] = rules["board"]
    state["coins"] = rules["starting_coins"]
    state["bank"] = rules["coin_total_value"] - rules["starting_coins"].sum()
    state["deck_tiles"] = rules["plantations"]
    for player in range(rules["num_players"]):
        tile = rules["starting_tile"][player]
        state["owned"][player, tile] = 1
        state["island_used"][player] = 1
        state["deck_tiles"][tile] -= 1
    deck = np.repeat(np.arange(len(state["deck_tiles"])), state["deck_tiles"])
    state["deck"][: len(deck)] = deck
    state["deck_size"] = len(deck)
    return states
