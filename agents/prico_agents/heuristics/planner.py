"""A player with one idea: try every decision, play on for some phases, and see who may win then."""

from prico_agents.compiled import LookaheadAgent


class Planner(LookaheadAgent):
    """Weighs every decision by what all seats will make of it, and by everybody's chance to win."""
