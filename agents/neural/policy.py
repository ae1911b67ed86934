"""A checkpoint that plays."""

from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from agents.base import AgentError, View
from agents.neural.checkpoint import action_layout, load_policy, observation_layout
from agents.neural.network import Network, best, draw
from prico_env import RuleSet


class Policy:
    """Plays what a trained network likes best.

    Attributes:
        rules: The rule set it was trained on. It also plays others with the same numbers.
        about: What its trainer noted.
        network: What it thinks with.
    """

    short_setting: ClassVar = "choice"

    def __init__(
        self,
        checkpoint: str | Path,
        choice: Literal["greedy", "sampled"] = "greedy",
        temperature: float = 1.0,
    ) -> None:
        """Load a policy.

        Args:
            checkpoint: The folder of a checkpoint, or of a training run (its newest one).
            choice: Whether it plays its favourite, or draws by its probabilities.
            temperature: Of the draw: below 1 it keeps closer to its favourites, above 1 less close.
        """
        if temperature <= 0:
            raise AgentError(
                f"temperature must be above 0, not {temperature:g}; the favourite alone is "
                "choice=greedy"
            )
        if choice == "greedy" and temperature != 1:
            raise AgentError("temperature says how to draw; it needs choice=sampled")
        saved = load_policy(checkpoint)
        self.rules = saved.rules
        self.about = saved.about
        self._choice = choice
        self._temperature = np.float32(temperature)
        self.network = Network(saved.weights)
        self._generator = np.random.default_rng(0)

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game; refuses one whose numbers mean something else."""
        if rules != self.rules and not _same_numbers(rules, self.rules):
            raise AgentError(
                f"this policy was trained with {self.rules.players} players and "
                f"{self.rules.edition} and cannot read a game with {rules.players} players "
                f"and {rules.edition}"
            )
        self._generator = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """Choose one of the allowed actions."""
        return int(self.act_batch(view.observation[None], view.legal[None])[0])

    def act_batch(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Choose an action in each game, shape ``(num_games,)``."""
        logits = self.network.logits(observations, legal)
        if self._choice == "greedy":
            return best(logits)
        return draw(logits / self._temperature, self._generator)


def _same_numbers(rules: RuleSet, other: RuleSet) -> bool:
    return action_layout(rules) == action_layout(other) and observation_layout(
        rules
    ) == observation_layout(other)
