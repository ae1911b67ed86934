"""A player with one idea: tobacco and coffee, sold dearly through markets and offices."""

from prico_agents.compiled import GreedyAgent


class Trader(GreedyAgent):
    """Grows coffee and tobacco and lives by the trading house."""

    persona_weights = {
        "sale": 0.9,
        "sale_any_kind": 0.5,
        "crop": {"corn": 0.8, "indigo": 0.8, "tobacco": 1.4, "coffee": 1.6},
        "power": {"sale_bonus": 1.5, "kind_income": 1.5, "own_market": 1.5, "crop_income": 1.5},
        "role": {"trader": 1.0, "craftsman": 0.4},
    }
