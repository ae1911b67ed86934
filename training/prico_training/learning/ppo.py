"""PPO for games of several seats, from top to bottom: play, judge, improve.

Schulman et al. 2017 with action masks (Huang & Ontañón 2020). All seats of a game may learn: see
`prico_training.learning.rollout` for what belongs to whom.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from prico_training.config import Ppo
from prico_training.learning import losses
from prico_training.learning.distributed import ALONE, Ranks
from prico_training.learning.model import ActorCritic, bring_back, keep
from prico_training.learning.rollout import Lessons, Rollout
from prico_training.learning.schedule import left_after, set_rate

_CHUNK: Final = 1024
"""Decisions that go through the network at once: they fit into the caches of a processor."""
_LEAST_SPREAD: Final = 1e-8
"""Added to how much advantages vary, so that it never is 0."""
_NOTES: Final = 4
"""Figures that each gradient step notes down."""


class Learner:
    """A network and what it remembers of its steps.

    Attributes:
        network: What learns.
        rate: The step size now.
    """

    def __init__(
        self, network: ActorCritic, settings: Ppo, seed: int, ranks: Ranks = ALONE
    ) -> None:
        """Start with the weights the network has.

        Args:
            network: What learns.
            settings: How.
            seed: Decides in which order decisions are learnt from.
            ranks: Who learns the same, each from decisions of its own.
        """
        self.network = network
        self.rate = settings.learning_rate
        self._settings = settings
        self._ranks = ranks
        self._generator = np.random.default_rng(seed)
        self._optimizer = torch.optim.Adam(
            network.parameters(), lr=settings.learning_rate, eps=1e-5, fused=True
        )

    def learn(self, rollouts: Sequence[Rollout], spent: float) -> dict[str, float]:
        """Learn from rollouts, all of them at once.

        Args:
            rollouts: Decisions of the network as it is now, or was a moment ago.
            spent: Share of the budget that is used, 0 to 1.

        Returns:
            Figures by the names of `prico_training.learning.metrics`.
        """
        settings = self._settings
        left = left_after(spent)
        self.rate = settings.learning_rate * left
        set_rate(self._optimizer, self.rate)
        worth = np.array([1, settings.margin], np.float32)
        lessons = [Lessons(rollout, settings.decay, worth) for rollout in rollouts]
        advantages = np.concatenate([lesson.advantages for lesson in lessons])
        decisions, norm = self._agree(advantages)
        steps = max(1, round(decisions / settings.minibatch))
        batches = [_Batch.of(*pair, norm) for pair in zip(rollouts, lessons, strict=True)]
        notes: list[Tensor] = []
        for _ in range(settings.epochs):
            notes = [
                self._step(parts, decisions / steps, settings.entropy * left)
                for parts in self._parts(batches, steps)
            ]
        change, clipped, openness, error = self._mean(torch.stack(notes).mean(dim=0))
        returns = torch.from_numpy(np.concatenate([each.returns[:, 0, 0] for each in lessons]))
        traces = torch.from_numpy(np.concatenate([each.traces[:, 0, 0] for each in lessons]))
        before = returns - traces
        return {
            "entropy": openness,
            "policy_change": change,
            "clipped": clipped,
            "value_error": error,
            "value_explained": float(losses.variance_explained(before, returns)),
            "learning_rate": self.rate,
        }

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return arrays and plain values to go on from: weights, and what the steps remember."""
        arrays = keep(self.network, self._optimizer)
        return arrays, {"generator": self._generator.bit_generator.state}

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned.

        Raises:
            CheckpointError: The arrays are those of another network.
        """
        bring_back(self.network, self._optimizer, arrays)
        self._generator.bit_generator.state = values["generator"]

    def _agree(self, advantages: NDArray[np.float32]) -> tuple[float, tuple[float, float]]:
        """How many decisions a rank has on the mean; mean and spread of everybody's advantages."""
        exact = advantages.astype(np.float64)
        decisions, total, squares = self._ranks.sum(
            [exact.size, exact.sum(), np.square(exact).sum()]
        ).tolist()
        mean = total / decisions
        spread = max(0.0, squares / decisions - mean**2) ** 0.5
        return decisions / self._ranks.size, (mean, spread + _LEAST_SPREAD)

    def _mean(self, notes: Tensor) -> list[float]:
        """Figures of all ranks in one."""
        mean: list[float] = (self._ranks.sum(notes.numpy()) / self._ranks.size).tolist()
        return mean

    def _parts(self, batches: Sequence["_Batch"], number: int) -> Iterator[list["_Batch"]]:
        """The decisions in a new order, in parts for one gradient step each.

        Each part holds as large a share of every batch.
        """
        orders = [self._generator.permutation(len(batch.actions)) for batch in batches]
        split = [np.array_split(order, number) for order in orders]
        for rows in zip(*split, strict=True):
            yield [batch[own] for batch, own in zip(batches, rows, strict=True)]

    def _step(self, parts: Sequence["_Batch"], size: float, openness_worth: float) -> Tensor:
        """Make one gradient step.

        Args:
            parts: What to learn from.
            size: How many decisions a step has on the mean: each counts the same in all steps.
            openness_worth: Weight of the entropy.

        Returns:
            Policy change, clipped share, entropy and value error.
        """
        self._optimizer.zero_grad(set_to_none=False)
        notes = torch.zeros(_NOTES)
        for part in parts:
            for start in range(0, len(part.actions), _CHUNK):
                chunk = part[slice(start, start + _CHUNK)]
                loss, chunk_notes = self._loss(chunk, openness_worth)
                torch.autograd.backward(loss.sum() / size)
                notes += chunk_notes.cpu() * (len(chunk.actions) / size)
        self._ranks.average(self.network)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self._settings.max_gradient)
        self._optimizer.step()
        return notes

    def _loss(self, chunk: "_Batch", openness_worth: float) -> tuple[Tensor, Tensor]:
        """Return the loss of each decision, and the figures that `_step` notes down."""
        settings = self._settings
        logits, values = self.network(chunk.observations)
        allowed = np.unpackbits(chunk.masks, axis=1, count=logits.shape[1]).view(np.bool_)
        masks, actions, played, advantages, returns = (
            torch.from_numpy(array).to(logits.device)
            for array in (allowed, chunk.actions, chunk.log_probs, chunk.advantages, chunk.returns)
        )
        log_probs = losses.log_probabilities(logits, masks)
        ratios = log_probs.gather(1, actions[:, None])[:, 0] - played
        openness = losses.entropy(log_probs)
        error = losses.squared_error(values, returns)
        loss = (
            losses.clipped_surrogate(ratios, advantages, settings.clip)
            + settings.value_loss * error
            - openness_worth * openness
        )
        with torch.no_grad():
            change = losses.policy_change(ratios)
            clipped = losses.clipped_share(ratios, settings.clip)
            return loss, torch.stack([change, clipped, openness.mean(), error.mean()])


@dataclass(frozen=True)
class _Batch:
    """Decisions to learn from, one row each; see `Rollout` and `Lessons`."""

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]

    @classmethod
    def of(cls, rollout: Rollout, lessons: Lessons, norm: tuple[float, float]) -> "_Batch":
        """Take what is learnt from; mean and spread of the advantages are given by all of it."""
        mean, spread = np.array(norm, np.float32)
        return cls(
            observations=_flat(rollout.observations, lessons.rows),
            masks=_flat(rollout.masks, lessons.rows),
            actions=_flat(rollout.actions, lessons.rows),
            log_probs=_flat(rollout.log_probs, lessons.rows),
            advantages=(lessons.advantages - mean) / spread,
            returns=lessons.returns,
        )

    def __getitem__(self, rows: Any) -> "_Batch":
        return _Batch(
            self.observations[rows],
            self.masks[rows],
            self.actions[rows],
            self.log_probs[rows],
            self.advantages[rows],
            self.returns[rows],
        )


def _flat(array: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
    """Rows of an array of shape ``(steps, games, …)``, counted through."""
    return array.reshape(-1, *array.shape[2:])[rows]
