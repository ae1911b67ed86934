"""What all learners share: Adam, annealed, clipped and averaged over ranks, and its state."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim.adam import adam

from prico_agents.neural.checkpoint import CheckpointError
from prico_agents.neural.entity_inputs import RowRules
from prico_training.config import BehaviourCloning, ExpertIteration, Ppo
from prico_training.learning.distributed import ALONE, Ranks
from prico_training.learning.gradients import Gradients
from prico_training.learning.model import LearningNetwork
from prico_training.learning.trainer import State

_FINAL_SHARE: Final = 0.1
"""What is left at the end of the budget, as a share of what there was at its start."""


def anneal(spent: float) -> float:
    """Linear schedule: 1 at the start of the budget, a tenth at its end."""
    return 1 - (1 - _FINAL_SHARE) * min(1.0, spent)


class Optimizer(Protocol):
    """What has a state in the form of `torch.optim.Optimizer`: moments by number of the weight."""

    def state_dict(self) -> dict[str, Any]:
        """Return the moments, in ``"state"``, and settings, in ``"param_groups"``."""

    def load_state_dict(self, state: dict[str, Any], /) -> None:
        """Go on from what `state_dict` returned."""


class Adam:
    """Adam (Kingma and Ba 2015), step by step the same as `torch.optim.Adam`.

    It calls that one's functional form. The class itself imports Torch's compiler when it is made,
    which takes as long as Torch, some three seconds, and is not used here.

    Attributes:
        learning_rate: Of the next step.
    """

    _BETAS: ClassVar = (0.9, 0.999)
    """Decay of the two moments, as in the paper."""

    def __init__(self, weights: Iterable[Tensor], learning_rate: float, eps: float) -> None:
        """Begin with moments of 0.

        Args:
            weights: What is learnt.
            learning_rate: Of the next step.
            eps: Added to the root of the second moment.
        """
        self.learning_rate = learning_rate
        self._eps = eps
        self._weights = list(weights)
        self._moments = [
            {
                "step": torch.zeros((), device=weight.device),
                "exp_avg": torch.zeros_like(weight, requires_grad=False),
                "exp_avg_sq": torch.zeros_like(weight, requires_grad=False),
            }
            for weight in self._weights
        ]

    def zero_grad(self) -> None:
        """Forget all gradients."""
        for weight in self._weights:
            weight.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Change the weights that have a gradient."""
        learnt = [number for number, weight in enumerate(self._weights) if weight.grad is not None]
        adam(
            [self._weights[number] for number in learnt],
            [weight.grad for weight in self._weights if weight.grad is not None],
            [self._moments[number]["exp_avg"] for number in learnt],
            [self._moments[number]["exp_avg_sq"] for number in learnt],
            [],
            [self._moments[number]["step"] for number in learnt],
            fused=True,
            amsgrad=False,
            beta1=self._BETAS[0],
            beta2=self._BETAS[1],
            lr=self.learning_rate,
            weight_decay=0.0,
            eps=self._eps,
            maximize=False,
        )

    def state_dict(self) -> dict[str, Any]:
        """Return the moments of all weights that have been changed; see `Optimizer`."""
        state = {number: m for number, m in enumerate(self._moments) if m["step"] > 0}
        return {"state": state, "param_groups": []}

    @torch.no_grad()
    def load_state_dict(self, state: dict[str, Any], /) -> None:
        """Go on from what `state_dict` returned; see `Optimizer`.

        Raises:
            RuntimeError: The moments are those of other weights.
        """
        given = state["state"]
        for number, moments in enumerate(self._moments):
            for name, tensor in moments.items():
                if number in given:
                    tensor.copy_(given[number][name].view_as(tensor))  # one number may have an axis
                else:
                    tensor.zero_()


class Learner:
    """A network and its Adam: the learning rate is annealed, gradients are averaged and clipped.

    Attributes:
        network: What learns.
    """

    counters: ClassVar[tuple[str, ...]] = ()
    """Attributes that are kept for going on, beside the weights and the moments."""

    def __init__(
        self,
        network: LearningNetwork,
        settings: Ppo | BehaviourCloning | ExpertIteration,
        max_grad_norm: float,
        seed: int,
        ranks: Ranks = ALONE,
        eps: float = 1e-8,
    ) -> None:
        """Start with the weights that the network has.

        Args:
            network: What learns.
            settings: Among them the learning rate at the start.
            max_grad_norm: Gradients of a larger norm are scaled down to it.
            seed: Decides how decisions are shuffled or sampled.
            ranks: Who learns the same, each from decisions of its own.
            eps: Of Adam.
        """
        self.network = network
        self._first_rate = settings.learning_rate
        self._max_grad_norm = max_grad_norm
        self._generator = np.random.default_rng(seed)
        self._ranks = ranks
        self._adam = Adam(network.parameters(), settings.learning_rate, eps)

    @property
    def learning_rate(self) -> float:
        """The learning rate now."""
        return self._adam.learning_rate

    def state(self) -> State:
        """Return arrays and plain values to go on from."""
        values = {name: getattr(self, name) for name in self.counters}
        generator = self._generator.bit_generator.state
        return state_dict(self.network, self._adam), values | {"generator": generator}

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned.

        Raises:
            CheckpointError: The arrays are those of another network.
        """
        load_state_dict(self.network, self._adam, arrays)
        for name in self.counters:
            setattr(self, name, values[name])
        if "generator" in values:
            self._generator.bit_generator.state = values["generator"]

    def _anneal(self, spent: float) -> float:
        """Set the learning rate by the share of the budget that is used; returns what is left."""
        left = anneal(spent)
        self._adam.learning_rate = self._first_rate * left
        return left

    def _accumulate(
        self,
        observations: NDArray[np.uint8],
        rules: RowRules,
        differentiate: Callable[[NDArray[np.float32], NDArray[np.float32]], Gradients],
    ) -> NDArray[np.float64]:
        """Add the gradients of a loss to those of the weights.

        Args:
            observations: What the network is to see, shape ``(rows, num_features)``.
            rules: By which rules each row is played.
            differentiate: Returns the derivatives of the loss by its logits and values.

        Returns:
            The statistics that come with them.
        """
        outputs = self.network(observations, rules)
        arrays = (np.ascontiguousarray(output.detach().cpu().numpy()) for output in outputs)
        found = differentiate(*arrays)
        by_outputs = (torch.from_numpy(array).to(self.network.device) for array in found[:2])
        torch.autograd.backward(outputs, list(by_outputs))
        return found.statistics

    @contextmanager
    def _update(self) -> Iterator[None]:
        """Make a step of Adam with the gradients that are accumulated while this is open."""
        self._adam.zero_grad()
        yield
        self._ranks.all_reduce_gradients(self.network)
        _clip_norm([p.grad for p in self.network.parameters()], self._max_grad_norm)
        self._adam.step()


def _clip_norm(gradients: Sequence[Tensor | None], largest: float) -> None:
    """Scale gradients down to a norm; ten times as fast here as Torch's own `clip_grad_norm_`."""
    present = [gradient.view(-1) for gradient in gradients if gradient is not None]
    norm = sum(float(torch.dot(gradient, gradient)) for gradient in present) ** 0.5
    if norm > largest:
        for gradient in present:
            gradient *= largest / norm


def state_dict(network: nn.Module, optimizer: Optimizer) -> dict[str, NDArray[Any]]:
    """Return weights and the state of an optimizer as arrays, by name."""
    arrays = {
        f"network/{name}": value.cpu().numpy() for name, value in network.state_dict().items()
    }
    for number, moments in optimizer.state_dict()["state"].items():
        for name, value in moments.items():
            arrays[f"optimizer/{number}/{name}"] = value.cpu().numpy()
    return arrays


def load_state_dict(
    network: nn.Module, optimizer: Optimizer, arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Go on from what `state_dict` returned.

    Raises:
        CheckpointError: The arrays are those of another network.
    """
    weights: dict[str, Tensor] = {}
    moments: dict[int, dict[str, Tensor]] = {}
    for name, array in arrays.items():
        kind, _, rest = name.partition("/")
        tensor = torch.from_numpy(array.copy())
        if kind == "network":
            weights[rest] = tensor
        else:
            number, _, key = rest.partition("/")
            moments.setdefault(int(number), {})[key] = tensor
    try:
        network.load_state_dict(weights)
        groups = optimizer.state_dict()["param_groups"]
        optimizer.load_state_dict({"state": moments, "param_groups": groups})
    except (KeyError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise CheckpointError(f"the checkpoint is that of another network: {reason}") from None
