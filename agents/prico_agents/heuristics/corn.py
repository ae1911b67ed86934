"""A player with one idea: ship corn from the first round on.

Corn needs no plant, so every worker on a field is a barrel, and every barrel a point. Harbor and
wharf make it more; coins matter only as far as they buy those two.
"""

from prico_agents.compiled import GreedyAgent


class Corn(GreedyAgent):
    """Ships cheap goods early and often, with wharf and harbor."""

    persona_weights = {
        "hold": 6.0,
        "sale": 0.3,
        "crop": {"corn": 1.4, "tobacco": 0.6, "coffee": 0.6},
        "power": {"own_ship": 1.6, "load_vp": 1.5, "store_kinds": 0.5, "small_ship": 1.5},
        "role": {"captain": 0.8, "craftsman": 0.4, "trader": -0.5},
    }
