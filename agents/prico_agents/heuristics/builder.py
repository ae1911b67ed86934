"""A player with one idea: quarries first, then the large buildings before the city is full."""

from prico_agents.compiled import GreedyAgent


class Builder(GreedyAgent):
    """Saves on quarries and spends on large buildings, to fill the city first."""

    persona_weights = {
        "coin": 0.9,
        "quarry": 1.2,
        "quarry_later": 0.9,
        "spend": 0.3,
        "hold": 3.0,
        "power": {
            "quarry_right": 1.0,
            "score_plants": 1.4,
            "score_island": 1.4,
            "score_units": 1.4,
            "score_vp": 1.4,
            "score_commerce": 1.4,
            "build_vp": 1.5,
            "notary": 1.5,
            "forest": 1.0,
        },
        "role": {"builder": 0.8, "settler": 0.4, "captain": -0.5},
    }
