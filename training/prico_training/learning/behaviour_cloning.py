"""A warm start: learn to play as teachers play, and to judge how their games end."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from prico_agents.batch_players import Demonstrations, Demonstrator
from prico_training.config import Imitation
from prico_training.learning import losses
from prico_training.learning.distributed import ALONE, Ranks
from prico_training.learning.model import ActorCritic, bring_back, keep
from prico_training.learning.rollout import from_seat, margins
from prico_training.learning.schedule import left_after, set_rate

_MAX_GRADIENT: Final = 1.0


class Imitator:
    """A network that learns from teachers, lesson after lesson.

    While it learns from one lesson, a thread lets the teachers play the next one.

    Attributes:
        lessons: How many it had.
    """

    def __init__(
        self,
        network: ActorCritic,
        teachers: Sequence[Demonstrator],
        settings: Imitation,
        seed: int,
        ranks: Ranks = ALONE,
    ) -> None:
        """Start with the weights the network has.

        Args:
            network: What learns.
            teachers: Who shows lessons, by turns.
            settings: How it learns.
            seed: Decides in which order decisions are learnt from.
            ranks: Who learns the same, each from lessons of its own.
        """
        self.lessons = 0
        self._network = network
        self._teachers = teachers
        self._settings = settings
        self._seed = seed
        self._ranks = ranks
        self._optimizer = torch.optim.Adam(
            network.parameters(), lr=settings.learning_rate, fused=True
        )
        self._beside = ThreadPoolExecutor(1)
        self._coming: tuple[int, Future[Demonstrations]] | None = None

    def look(self) -> None:
        """Let the network see in the first lessons how features vary; before all else."""
        first = [self._play(number) for number in range(len(self._teachers))]
        self._network.look_at([lesson.observations for lesson in first])

    def learn(self, spent: float) -> dict[str, float]:
        """Learn from the next lesson.

        Args:
            spent: Share of the warm start that is over, 0 to 1.

        Returns:
            Figures by the names of `metrics`, and under ``decisions`` how many there were.
        """
        lesson = self._take(self.lessons)
        self._order(self.lessons + 1)
        left = left_after(spent)
        rate = self._settings.learning_rate * left
        set_rate(self._optimizer, rate)
        notes = [self._step(lesson, rows) for rows in self._parts(len(lesson.actions))]
        self.lessons += 1
        agreement, error, openness = torch.stack(notes).mean(dim=0).tolist()
        return {
            "decisions": len(lesson.actions),
            "agreement": agreement,
            "value_error": error,
            "entropy": openness,
            "learning_rate": rate,
        }

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return arrays and plain values to go on from."""
        return keep(self._network, self._optimizer), {"lessons": self.lessons}

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned.

        Raises:
            CheckpointError: The arrays are those of another network.
        """
        bring_back(self._network, self._optimizer, arrays)
        self.lessons = values["lessons"]

    def close(self) -> None:
        """Send the teachers home."""
        self._beside.shutdown(wait=True, cancel_futures=True)

    def _order(self, number: int) -> None:
        """Have a lesson played."""
        self._coming = number, self._beside.submit(self._play, number)

    def _take(self, number: int) -> Demonstrations:
        """Wait for a lesson; it can be taken more than once."""
        if self._coming is None or self._coming[0] != number:
            self._order(number)
        assert self._coming is not None
        return self._coming[1].result()

    def _play(self, number: int) -> Demonstrations:
        lesson = self._teachers[number % len(self._teachers)].show(number)
        return Demonstrations(*(getattr(lesson, name).copy() for name in lesson.__annotations__))

    def _parts(self, decisions: int) -> Iterator[NDArray[np.int64]]:
        """Rows of a lesson for one gradient step each; all ranks make as many."""
        order = np.random.default_rng([self._seed, self.lessons]).permutation(decisions)
        mean = int(self._ranks.sum(decisions) / self._ranks.size)
        yield from np.array_split(order, max(1, mean // self._settings.minibatch))

    def _step(self, lesson: Demonstrations, rows: NDArray[np.int64]) -> Tensor:
        """Make one gradient step; returns agreement, the error of the values, and entropy."""
        logits, values = self._network(lesson.observations[rows])
        actions, masks, taught, outcomes = (
            torch.from_numpy(array).to(logits.device)
            for array in (
                lesson.actions[rows],
                lesson.masks[rows],
                lesson.taught[rows].astype(np.float32),
                _outcomes(lesson, rows, values.shape[1]),
            )
        )
        log_probs = losses.log_probabilities(logits, masks)
        num_taught = taught.sum().clamp(min=1)
        surprise = -(log_probs.gather(1, actions[:, None])[:, 0] * taught).sum() / num_taught
        error = losses.squared_error(values, outcomes).mean()
        self._optimizer.zero_grad(set_to_none=False)
        torch.autograd.backward(surprise + self._settings.value_loss * error)
        self._ranks.average(self._network)
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), _MAX_GRADIENT)
        self._optimizer.step()
        with torch.no_grad():
            agreement = ((log_probs.argmax(dim=1) == actions) * taught).sum() / num_taught
            return torch.stack([agreement, error, losses.entropy(log_probs).mean()])


def _outcomes(
    lesson: Demonstrations, rows: NDArray[np.int64], num_judged: int
) -> NDArray[np.float32]:
    """What each decision's game came to, shape ``(rows, seats judged, parts)``."""
    by_seat = np.stack([lesson.shares, margins(lesson.scores)], axis=2)[lesson.games[rows]]
    return np.ascontiguousarray(from_seat(by_seat, lesson.seats[rows])[:, :num_judged])
