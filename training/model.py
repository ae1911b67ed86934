"""The network that learns: the layers of `agents.neural.network`, in Torch.

While it learns, every feature enters with about mean 0 and spread 1, as far as positions that it
was shown tell (`ActorCritic.look_at`). That saves a third of the time to learn from teachers: most
features are nearly constant, and what little they vary would hardly count beside the others. In the
weights that leave here for a player, this is already reckoned in.
"""

import contextlib
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.neural.checkpoint import CheckpointError
from prico_env import RuleSet
from training.rollout import PARTS

_COUNTS: Final = np.log1p(np.arange(256, dtype=np.float32))
_KINDS: Final = ("weight", "bias")
_HIDDEN_GAIN: Final = 2**0.5
_LEAST_SPREAD: Final = 0.1
"""Added to how much a feature varies, so that one that hardly does is not blown up."""
_POLICY_GAIN: Final = 0.01
"""First weights of the policy: nearly even play."""


class ActorCritic(nn.Module):
    """One stack of layers that chooses and judges; counts enter as ``log(1 + x)``.

    Attributes:
        num_judged: For how many seats it judges: 1, for the seat that sees alone, or all.
        middle: What is subtracted from each feature, shape ``(num_features,)``.
        scale: What it is multiplied with after that.
    """

    middle: Tensor
    scale: Tensor

    def __init__(
        self, rules: RuleSet, hidden: tuple[int, ...], num_judged: int, half: bool = False
    ) -> None:
        """Make a network with fresh weights.

        Args:
            rules: What it plays.
            hidden: Width of each hidden layer.
            num_judged: 1, or the seats of the game.
            half: Whether layers are computed with 16 bits, where the processor is made for it.
        """
        super().__init__()
        self.num_judged = num_judged
        self._half = half and has_half_units()
        self._num_actions = rules.num_actions
        features = rules.observation.num_features
        widths = (features, *hidden, rules.num_actions + num_judged * len(PARTS))
        self.register_buffer("middle", torch.zeros(features))
        self.register_buffer("scale", torch.ones(features))
        self._linear = [nn.Linear(before, after) for before, after in pairwise(widths)]
        self.layers = nn.ModuleList(self._linear)
        for layer in self._linear:
            nn.init.orthogonal_(layer.weight, gain=_HIDDEN_GAIN)
            nn.init.zeros_(layer.bias)
        with torch.no_grad():
            last = self._linear[-1]
            last.weight[: rules.num_actions] *= _POLICY_GAIN
            last.bias[rules.num_actions :: len(PARTS)] = 1 / rules.players

    def look_at(self, observations: NDArray[np.uint8]) -> None:
        """Learn from positions like those to come how each feature varies; before all else."""
        counts = torch.from_numpy(np.take(_COUNTS, observations))
        self.middle.copy_(counts.mean(dim=0))
        self.scale.copy_(1 / (counts.std(dim=0) + _LEAST_SPREAD))

    def forward(self, observations: NDArray[np.uint8]) -> tuple[Tensor, Tensor]:
        """Look at positions.

        Args:
            observations: Small integers, shape ``(rows, num_features)``.

        Returns:
            Logits, shape ``(rows, num_actions)``, and what is expected of each part of the reward,
            shape ``(rows, num_judged, parts)``, the seat that sees being the first.
        """
        counts = torch.from_numpy(np.take(_COUNTS, observations))
        layers = [(layer.weight, layer.bias) for layer in self._linear]
        numbers = _through(layers, (counts - self.middle) * self.scale, self._half)
        logits, values = numbers[:, : self._num_actions], numbers[:, self._num_actions :]
        return logits, values.reshape(len(numbers), self.num_judged, len(PARTS))

    @torch.no_grad()
    def think(
        self, observations: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the same as arrays."""
        logits, values = self(observations)
        return logits.numpy(), values.numpy()

    def to_weights(self) -> dict[str, NDArray[np.float32]]:
        """Return what `agents.neural.network.Network` plays with: a copy of the weights now.

        Of what is expected only the chances to win go along: a player needs no margin.
        """
        weights: dict[str, NDArray[np.float32]] = {}
        for number, layer in enumerate(self._linear):
            weights[f"layer_{number}.weight"] = layer.weight.detach().numpy().copy()
            weights[f"layer_{number}.bias"] = layer.bias.detach().numpy().copy()
        weights["layer_0.weight"] *= self.scale.numpy()
        weights["layer_0.bias"] -= weights["layer_0.weight"] @ self.middle.numpy()
        last = f"layer_{len(self._linear) - 1}"
        for kind in _KINDS:
            rows = weights[f"{last}.{kind}"]
            weights[f"{last}.{kind}"] = rows[: self._num_actions].copy()
            weights[f"value.{kind}"] = rows[self._num_actions :: len(PARTS)].copy()
        return weights


class PastSelf:
    """What a network was at some time: it chooses, and learns no more.

    It computes with 32 bits: features enter as they are, and that is too much for fewer.
    """

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        """Take the weights that `ActorCritic.to_weights` returned."""
        depth = sum(name.startswith("layer_") for name in weights) // 2
        self._layers = [
            tuple(torch.from_numpy(weights[f"layer_{number}.{kind}"]) for kind in _KINDS)
            for number in range(depth)
        ]

    @torch.no_grad()
    def logits(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """How much it likes each action, shape ``(rows, num_actions)``."""
        counts = torch.from_numpy(np.take(_COUNTS, observations))
        return _through(self._layers, counts, half=False).numpy()


def has_half_units() -> bool:
    """Whether the processor computes with bf16; on others 16 bits are slower than 32."""
    return bool(torch.cpu._is_avx512_bf16_supported())


def _through(layers: Any, hidden: Tensor, half: bool) -> Tensor:
    """Pass positions through layers of weights and biases with ReLU between them."""
    with _precision(half):
        for weight, bias in layers[:-1]:
            hidden = torch.relu(nn.functional.linear(hidden, weight, bias))
        return nn.functional.linear(hidden, *layers[-1]).float()


def _precision(half: bool) -> contextlib.AbstractContextManager[Any]:
    return torch.autocast("cpu", torch.bfloat16, enabled=half)


# -- going on later --------------------------------------------------------------------------------


def keep(network: ActorCritic, optimizer: torch.optim.Optimizer) -> dict[str, NDArray[Any]]:
    """Return weights, and what the steps of an optimizer remember, by name."""
    arrays = {f"network/{name}": value.numpy() for name, value in network.state_dict().items()}
    for number, memory in optimizer.state_dict()["state"].items():
        for name, value in memory.items():
            arrays[f"optimizer/{number}/{name}"] = value.numpy()
    return arrays


def bring_back(
    network: ActorCritic, optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Go on from what `keep` returned.

    Raises:
        CheckpointError: The arrays are those of another network.
    """
    weights: dict[str, Tensor] = {}
    memory: dict[int, dict[str, Tensor]] = {}
    for name, array in arrays.items():
        kind, _, rest = name.partition("/")
        tensor = torch.from_numpy(array.copy())
        if kind == "network":
            weights[rest] = tensor
        else:
            number, _, key = rest.partition("/")
            memory.setdefault(int(number), {})[key] = tensor
    try:
        network.load_state_dict(weights)
        groups = optimizer.state_dict()["param_groups"]
        optimizer.load_state_dict({"state": memory, "param_groups": groups})
    except (RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise CheckpointError(f"the checkpoint is that of another network: {reason}") from None
