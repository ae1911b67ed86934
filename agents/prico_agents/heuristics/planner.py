"""The lookahead player: one-ply search with greedy rollouts of some phases."""

from prico_agents.compiled import LookaheadAgent


class Planner(LookaheadAgent):
    """Tries every decision, plays a greedy rollout, and compares every seat's win probability."""
