"""A player with one idea: try every decision, play on for some phases, and see who may win then."""

from prico_agents.compiled import PlanAgent


class Planner(PlanAgent):
    """Weighs every decision by what all seats will make of it, and by everybody's chance to win."""
