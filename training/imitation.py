"""A warm start: learn to play as teachers play, and to judge how their games end."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training import losses
from training.compiled_players import Demonstrations, Teachers
from training.model import ActorCritic
from training.rollout import from_seat, margins

_FINAL_SHARE: Final = 0.1
"""Step size at the end, as a share of that at the start."""
_MAX_GRADIENT: Final = 1.0


@dataclass(frozen=True)
class Imitation:
    """How the network is warmed up."""

    games: int = 20_000
    """Games that teachers show; 0 leaves it out."""
    lesson: int = 256
    """Games that they show at a time."""
    slips: float = 0.05
    """How often teachers are made to play anything else than they would."""
    epochs: int = 1
    """How often each decision is learnt from."""
    minibatch: int = 1024
    """Decisions of one gradient step."""
    learning_rate: float = 2.0e-3
    """Step size at the start; it falls to a tenth of that."""
    value_loss: float = 1.0
    """Weight of learning to judge beside learning to act."""


def imitate(
    network: ActorCritic, teachers: Teachers, settings: Imitation, seed: int
) -> Iterator[dict[str, float]]:
    """Learn from teachers, lesson after lesson, with figures after each of them.

    While the network learns, a thread lets the teachers play on.

    Args:
        network: What learns.
        teachers: Who shows `Imitation.lesson` games at a time.
        settings: How.
        seed: Decides in which order decisions are learnt from.

    Yields:
        Under ``decisions`` those learnt from so far; of the lesson under ``agreement`` the share of
        decisions in which the network preferred what the teacher did, under ``surprise`` the loss
        of the policy in nats, and under ``value_error`` that of the values.
    """
    generator = np.random.default_rng(seed)
    optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate, fused=True)
    lessons, decisions = max(1, settings.games // settings.lesson), 0
    with ThreadPoolExecutor(1) as beside:
        coming = beside.submit(_copy_of_lesson, teachers)
        for number in range(lessons):
            lesson = coming.result()
            if number + 1 < lessons:
                coming = beside.submit(_copy_of_lesson, teachers)
            left = 1 - (1 - _FINAL_SHARE) * number / lessons
            for group in optimizer.param_groups:
                group["lr"] = settings.learning_rate * left
            notes = [
                _step(network, optimizer, lesson, rows, settings.value_loss)
                for rows in _parts(len(lesson.actions), settings, generator)
            ]
            decisions += len(lesson.actions)
            agreement, surprise, error = torch.stack(notes).mean(dim=0).tolist()
            yield {
                "decisions": decisions,
                "agreement": agreement,
                "surprise": surprise,
                "value_error": error,
            }


def _parts(
    decisions: int, settings: Imitation, generator: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Rows of a lesson in the size of a gradient step, as often as there are epochs."""
    for _ in range(settings.epochs):
        order = generator.permutation(decisions)
        yield from np.array_split(order, max(1, decisions // settings.minibatch))


def _copy_of_lesson(teachers: Teachers) -> Demonstrations:
    lesson = teachers.show()
    return Demonstrations(*(getattr(lesson, name).copy() for name in lesson.__annotations__))


def _step(
    network: ActorCritic,
    optimizer: torch.optim.Optimizer,
    lesson: Demonstrations,
    rows: NDArray[np.int64],
    value_weight: float,
) -> Tensor:
    """Make one gradient step; returns agreement, surprise and the error of the values."""
    actions = torch.from_numpy(lesson.actions[rows])
    logits, values = network(lesson.observations[rows])
    log_probs = losses.log_probabilities(logits, torch.from_numpy(lesson.masks[rows]))
    taught = torch.from_numpy(lesson.taught[rows]).float()
    surprise = -(log_probs.gather(1, actions[:, None])[:, 0] * taught).sum() / taught.sum()
    outcomes = torch.from_numpy(_outcomes(lesson, rows, network.num_judged))
    error = losses.squared_error(values, outcomes).mean()
    optimizer.zero_grad(set_to_none=False)
    torch.autograd.backward(surprise + value_weight * error)
    torch.nn.utils.clip_grad_norm_(network.parameters(), _MAX_GRADIENT)
    optimizer.step()
    agreement = ((log_probs.argmax(dim=1) == actions) * taught).sum() / taught.sum()
    return torch.stack([agreement, surprise.detach(), error.detach()])


def _outcomes(
    lesson: Demonstrations, rows: NDArray[np.int64], num_judged: int
) -> NDArray[np.float32]:
    """What each decision's game came to, shape ``(rows, seats judged, parts)``."""
    by_seat = np.stack([lesson.shares, margins(lesson.scores)], axis=2)[lesson.games[rows]]
    return np.ascontiguousarray(from_seat(by_seat, lesson.seats[rows])[:, :num_judged])
