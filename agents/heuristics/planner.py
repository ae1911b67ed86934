"""A player with one idea: try every decision, play on for some phases, and see who may win then."""

from agents.compiled import CompiledAgent, Strategy


class Planner(CompiledAgent):
    """Weighs every decision by what all seats will make of it, and by everybody's chance to win."""

    strategy = Strategy.PLAN
