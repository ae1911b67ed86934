"""The floor: every other agent must beat this one."""

from prico_agents.compiled import CompiledAgent, Strategy


class RandomAgent(CompiledAgent):
    """Plays any allowed action, each with the same chance."""

    strategy = Strategy.RANDOM

    def __init__(self) -> None:
        super().__init__()
