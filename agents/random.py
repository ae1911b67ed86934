"""The floor: every other agent must beat this one."""

from random import Random as Generator

from agents.base import View
from prico_env import RuleSet


class RandomAgent:
    """Plays any allowed action, each with the same chance."""

    def __init__(self) -> None:
        self._generator = Generator(0)

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game."""
        self._generator = Generator(seed)

    def act(self, view: View) -> int:
        """Draw one of the allowed actions."""
        return self._generator.choice(view.choices)
