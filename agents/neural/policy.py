"""A checkpoint that plays."""

from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from agents.base import AgentError, View
from agents.neural.checkpoint import SavedPolicy, action_layout, load_policy, observation_layout
from agents.neural.network import Network, best, draw
from agents.neural.tables import Tables, numbers_at
from prico_env import RuleSet


class Policy:
    """Plays what a trained network likes best.

    Attributes:
        saved: What was trained, and for which rule set. It also plays others with the same
            numbers, and tables of other sizes if it was trained at them.
        network: What it thinks with at the table it sits at.
        greedy: Whether it plays its favourite; if not, it draws.
    """

    short_setting: ClassVar = "choice"

    def __init__(
        self,
        checkpoint: str | Path | SavedPolicy,
        choice: Literal["greedy", "sampled"] = "greedy",
        temperature: float = 1.0,
    ) -> None:
        """Load a policy.

        Args:
            checkpoint: The folder of a checkpoint, or of a training run (its newest one); or what
                it holds.
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
        if not isinstance(checkpoint, SavedPolicy):
            checkpoint = load_policy(checkpoint)
        self.saved = checkpoint
        self.greedy = choice == "greedy"
        self._temperature = np.float32(temperature)
        self._tables = Tables(self.saved.rules)
        self._sit_down(self.saved.rules.players)
        self._generator = np.random.default_rng(0)

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game; refuses one whose numbers mean something else."""
        if not can_play(self.saved, rules):
            raise AgentError(
                f"this policy has learnt {self.saved.describe()}; it cannot play {rules}"
            )
        if rules.players != self._players:
            self._sit_down(rules.players)
        self._generator = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """Choose one of the allowed actions."""
        return int(self.act_batch(view.observation[None], view.legal[None])[0])

    def act_batch(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Choose an action in each game, shape ``(num_games,)``."""
        logits = self.network.logits(observations, legal)
        if self.greedy:
            return best(logits)
        return draw(logits / self._temperature, self._generator)

    def _sit_down(self, players: int) -> None:
        self._players = players
        self.network = Network(self._tables.fit(self.saved.weights, players))


def can_play(saved: SavedPolicy, rules: RuleSet) -> bool:
    """Whether a policy has learnt to play at such a table, and its numbers mean the same there."""
    return saved.plays(rules.players) and can_read(saved.rules, rules)


def can_read(known: RuleSet, rules: RuleSet) -> bool:
    """Whether features and actions mean the same as in a rule set that a network knows.

    The number of players may be another one: see `agents.neural.tables`.
    """
    known = numbers_at(known, rules.players)
    return action_layout(rules) == action_layout(known) and observation_layout(
        rules
    ) == observation_layout(known)
