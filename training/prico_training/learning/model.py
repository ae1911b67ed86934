"""The network that learns: the layers of `prico_agents.neural.network`, in Torch.

While it learns, features are normalised to about mean 0 and deviation 1, by the statistics of some
first positions (`ActorCritic.fit_normalizer`). That saves a third of the time of behaviour cloning:
most features are nearly constant, and what little they vary would hardly count beside the others.
In the weights that leave here for a player, the normalizer is folded into the first layer.

One network plays at tables of several sizes (see `player_counts`). A dense one tells them apart by
how many features there are; one of boards and objects is told the rule set of each row, too.
"""

import functools
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy
from prico_agents.neural.entity_inputs import RowRules
from prico_agents.neural.entity_network import EntityAdapter, EntityNetwork
from prico_agents.neural.layout import network_layout, numbers_at, positions_of
from prico_agents.neural.network import COUNTS, FACTOR, VALUE, inputs_of
from prico_agents.neural.player_counts import PlayerCountAdapter
from prico_agents.neural.policy import can_read
from prico_env import RuleSet
from prico_env.core.api import kernel
from prico_training.errors import ConfigError
from prico_training.learning.rollout import REWARD_PARTS

_KINDS: Final = ("weight", "bias")
HIDDEN_GAIN: Final = 2**0.5
"""Gain of first weights before a ReLU (He et al. 2015)."""
LEAST_DEVIATION: Final = 0.1
"""Added to the deviation of a feature, so that one that hardly varies is not blown up."""
_POLICY_GAIN: Final = 0.01
"""First weights of the policy: nearly even play."""


@kernel
def _fill_inputs(observations: Any, mean: Any, scale: Any, inputs: Any) -> None:
    """Take the logarithm of counts and normalise them, in one pass."""
    for row in range(observations.shape[0]):
        for feature in range(observations.shape[1]):
            count = COUNTS[observations[row, feature]]
            inputs[row, feature] = (count - mean[feature]) * scale[feature]


class LearningNetwork(nn.Module):
    """A policy with a value head that learns; counts enter as ``log(1 + x)``.

    Attributes:
        value_seats: For how many seats the value head has an output at the largest table: 1, for
            the seat that observes alone, or all.
        tables: What fits it to each table.
        mean: What is subtracted from each input, shape ``(inputs,)``.
        scale: What it is multiplied with after that.
    """

    mean: Tensor
    scale: Tensor

    def __init__(
        self, tables: PlayerCountAdapter | EntityAdapter, value_seats: int, half: bool
    ) -> None:
        """Take what all kinds of networks have.

        Args:
            tables: What fits it to each table.
            value_seats: 1, or the seats of the game.
            half: Whether layers are computed with 16 bits, where the processor is made for it.
        """
        super().__init__()
        self.tables = tables
        self.value_seats = value_seats
        self._half = half

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return self.mean.device

    def forward(
        self, observations: NDArray[np.uint8], rules: RowRules | None = None
    ) -> tuple[Tensor, Tensor]:
        """Compute logits and values.

        Args:
            observations: Small integers of one layout, shape ``(rows, num_features)``.
            rules: By which rules each row is played; None: by those that the network is made for,
                at the table that shows so many features.

        Returns:
            Logits, shape ``(rows, num_actions)``, and values of each part of the reward, shape
            ``(rows, value_seats, parts)``, the seat that observes being the first.
        """
        raise NotImplementedError

    def fit_normalizer(self, positions: Sequence[NDArray[np.uint8]]) -> None:
        """Take mean and deviation of each input from positions like those to come.

        Args:
            positions: Observations of one or several tables, each of shape ``(rows, features)``.
        """
        raise NotImplementedError

    def to_weights(self) -> dict[str, NDArray[np.float32]]:
        """Return what a player plays with: a copy of the weights now.

        Of the values only the win probabilities go along: a player needs no margin.
        """
        raise NotImplementedError

    def load_weights(self, policy: SavedPolicy) -> None:
        """Take the weights of another network: the way back from `to_weights`.

        The value of the margin is not known and starts at 0. What is new among the inputs weighs
        nothing at first, and new actions keep their fresh weights: an action that is never chosen
        is never learnt.

        Raises:
            CheckpointError: The policy is one for other numbers, or of other widths.
        """
        raise NotImplementedError

    def playing(self) -> AbstractContextManager[Any]:
        """While this is open the weights do not change: Torch brings them to 16 bits once only."""
        half = self._half and has_half_units(self.device)
        return torch.autocast(self.device.type, torch.bfloat16, enabled=half)

    @torch.no_grad()
    def policy_and_value(
        self, observations: NDArray[np.uint8], rules: RowRules | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the same as `forward`, as arrays."""
        logits, values = self(observations, rules)
        return logits.cpu().numpy(), values.cpu().numpy()


class ActorCritic(LearningNetwork):
    """Policy and value head on shared layers, over the whole vector (`network.kind=dense`)."""

    tables: PlayerCountAdapter

    def __init__(
        self, rules: RuleSet, hidden: tuple[int, ...], value_seats: int, half: bool = False
    ) -> None:
        """Make a network with fresh weights.

        Args:
            rules: What it plays, with the most players.
            hidden: Width of each hidden layer.
            value_seats: 1, or the seats of the game.
            half: Whether layers are computed with 16 bits, where the processor is made for it.
        """
        super().__init__(PlayerCountAdapter(rules), value_seats, half)
        self._num_actions = rules.num_actions
        features = rules.observation.num_features
        widths = (features, *hidden, rules.num_actions + value_seats * len(REWARD_PARTS))
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("scale", torch.ones(features))
        self._linear = [nn.Linear(before, after) for before, after in pairwise(widths)]
        self.layers = nn.ModuleList(self._linear)
        for layer in self._linear:
            nn.init.orthogonal_(layer.weight, gain=HIDDEN_GAIN)
            nn.init.zeros_(layer.bias)
        with torch.no_grad():
            last = self._linear[-1]
            last.weight[: rules.num_actions] *= _POLICY_GAIN
            last.bias[rules.num_actions :: len(REWARD_PARTS)] = 1 / rules.players

    def fit_normalizer(self, positions: Sequence[NDArray[np.uint8]]) -> None:
        """Take mean and deviation of each feature; see `LearningNetwork`."""
        sums = np.zeros((3, len(self.mean)))
        for observations in positions:
            columns = self.tables.columns(self.tables.seats(observations.shape[1]))
            counts = np.take(COUNTS, observations).astype(np.float64)
            sums[0, columns] += len(counts)
            sums[1, columns] += counts.sum(axis=0)
            sums[2, columns] += np.square(counts).sum(axis=0)
        number = np.maximum(1, sums[0])
        mean = sums[1] / number
        deviation = np.sqrt(np.maximum(0, sums[2] / number - mean**2))
        self.mean.copy_(torch.from_numpy(mean))
        self.scale.copy_(torch.from_numpy(1 / (deviation + LEAST_DEVIATION)))

    def forward(
        self, observations: NDArray[np.uint8], rules: RowRules | None = None
    ) -> tuple[Tensor, Tensor]:
        """Compute logits and values; see `LearningNetwork`."""
        del rules  # all that it knows of them is what it sees
        seats = self.tables.seats(observations.shape[1])
        layers: list[tuple[Tensor, Tensor]] = [(layer.weight, layer.bias) for layer in self._linear]
        mean, scale = self.mean.cpu().numpy(), self.scale.cpu().numpy()
        if len(mean) != observations.shape[1]:
            columns = self.tables.columns(seats)
            mean, scale = mean[columns], scale[columns]
            layers[0] = self._first_layer_at(torch.from_numpy(columns).to(self.device))
        inputs = np.empty(observations.shape, np.float32)
        _fill_inputs(observations, mean, scale, inputs)
        outputs = _forward(layers, torch.from_numpy(inputs).to(self.device), self._half)
        logits, values = outputs[:, : self._num_actions], outputs[:, self._num_actions :]
        values = values.reshape(len(outputs), self.value_seats, len(REWARD_PARTS))
        return logits, values[:, :seats]

    def to_weights(self) -> dict[str, NDArray[np.float32]]:
        """Return what a `PolicyValueNetwork` plays with; see `LearningNetwork`."""
        weights: dict[str, NDArray[np.float32]] = {}
        for number, layer in enumerate(self._linear):
            weights[f"layer_{number}.weight"] = layer.weight.detach().cpu().numpy().copy()
            weights[f"layer_{number}.bias"] = layer.bias.detach().cpu().numpy().copy()
        weights["layer_0.weight"] *= self.scale.cpu().numpy()
        weights["layer_0.bias"] -= weights["layer_0.weight"] @ self.mean.cpu().numpy()
        last = f"layer_{len(self._linear) - 1}"
        for kind in _KINDS:
            rows = weights[f"{last}.{kind}"]
            weights[f"{last}.{kind}"] = rows[: self._num_actions].copy()
            weights[f"{VALUE}.{kind}"] = rows[self._num_actions :: len(REWARD_PARTS)].copy()
        return weights

    @torch.no_grad()
    def load_weights(self, policy: SavedPolicy) -> None:
        """Take the weights of another network; see `LearningNetwork`.

        The value of seats that a smaller table did not have starts at 0, too.
        """
        weights = self._fitted(policy)
        known = positions_of(policy.layout.actions, network_layout(policy.rules).actions)
        weights["layer_0.bias"] = weights["layer_0.bias"] + weights["layer_0.weight"] @ self.mean
        weights["layer_0.weight"] = weights["layer_0.weight"] / self.scale
        last = len(self._linear) - 1
        for number, layer in enumerate(self._linear):
            for kind in _KINDS:
                given = weights[f"layer_{number}.{kind}"]
                if number < last:
                    getattr(layer, kind).copy_(given)
                    continue
                rows = getattr(layer, kind)
                rows[known] = given[known]
                values = weights[f"{VALUE}.{kind}"]
                rows[self._num_actions :] = 0.0
                seats = rows[self._num_actions :: len(REWARD_PARTS)]
                seats[: len(values)] = values[: len(seats)]

    def _fitted(self, policy: SavedPolicy) -> dict[str, Tensor]:
        """The weights of a policy, with features where this network has them."""
        if FACTOR in policy.weights:
            raise CheckpointError(
                "a network that reads counts cannot start from one that reads scaled observations, "
                f"as {policy.about.get('trainer', 'another trainer')} trains them; start from one "
                "of trainer=ppo"
            )
        widths = [layer.out_features for layer in self._linear[:-1]]
        depth = sum(name.startswith("layer_") for name in policy.weights) // 2
        theirs = [policy.weights[f"layer_{number}.bias"].size for number in range(depth - 1)]
        if policy.axes is not None:
            raise CheckpointError(
                "a network of kind dense cannot start from one of kind entities; set "
                "network.kind=entities"
            )
        if widths != theirs or f"{VALUE}.bias" not in policy.weights:
            raise CheckpointError(
                f"a network of hidden layers {widths} cannot start from one of {theirs}; "
                f"set network.hidden to {theirs}, or start from another"
            )
        largest = self.tables.largest
        players = min(policy.rules.players, largest.players)
        if not can_read(policy, numbers_at(largest, policy.rules.players)):
            raise CheckpointError(
                f"a network for {largest} cannot start from one for {policy.rules}: their "
                "features and actions are others"
            )
        weights = PlayerCountAdapter(policy.rules).fit(policy.renumbered().weights, players)
        first = np.zeros((widths[0], len(self.mean)), np.float32)
        first[:, self.tables.columns(players)] = weights["layer_0.weight"]
        weights["layer_0.weight"] = first
        return {name: torch.from_numpy(a.copy()).to(self.device) for name, a in weights.items()}

    def _first_layer_at(self, columns: Tensor) -> tuple[Tensor, Tensor]:
        """The first layer at a smaller table: what is not there has the count 0."""
        layer = self._linear[0]
        nothing = self.mean * self.scale
        nothing[columns] = 0.0
        return layer.weight[:, columns], layer.bias - layer.weight @ nothing


class FrozenNetwork:
    """The policy of a past self, or of another's network, that learns no more.

    It computes with 32 bits: features enter as they are, and that is too much for fewer.

    Attributes:
        greedy: Whether it plays the likeliest action; if not, it samples.
    """

    def __init__(
        self,
        tables: PlayerCountAdapter,
        weights: Mapping[str, NDArray[np.float32]],
        *,
        greedy: bool,
    ) -> None:
        """Take the weights that `ActorCritic.to_weights` returned."""
        self.greedy = greedy
        self._tables = tables
        self._depth = sum(name.startswith("layer_") for name in weights) // 2
        self._weights = weights
        self._at_table: dict[int, dict[str, NDArray[np.float32]]] = {}

    @classmethod
    def of(
        cls,
        tables: PlayerCountAdapter | EntityAdapter,
        weights: Mapping[str, NDArray[np.float32]],
        *,
        greedy: bool,
    ) -> "FrozenNetwork":
        """Return a network of any kind that learns no more."""
        if isinstance(tables, EntityAdapter):
            return FrozenEntityNetwork(tables, weights, greedy=greedy)
        return FrozenNetwork(tables, weights, greedy=greedy)

    @torch.no_grad()
    def logits(
        self, observations: NDArray[np.uint8], rules: RowRules | None = None
    ) -> NDArray[np.float32]:
        """Return logits, shape ``(rows, num_actions)``; see `LearningNetwork.forward`."""
        del rules  # all that it knows of them is what it sees
        num_features = observations.shape[1]
        if num_features not in self._at_table:
            seats = self._tables.seats(num_features)
            self._at_table[num_features] = self._tables.fit(self._weights, seats)
        weights = self._at_table[num_features]
        layers = [
            tuple(torch.from_numpy(weights[f"layer_{number}.{kind}"]) for kind in _KINDS)
            for number in range(self._depth)
        ]
        inputs = torch.from_numpy(inputs_of(weights, observations))
        return _forward(layers, inputs, half=False).numpy()


class FrozenEntityNetwork(FrozenNetwork):
    """The same of the kind entities, as a player computes it."""

    def __init__(
        self,
        tables: EntityAdapter,
        weights: Mapping[str, NDArray[np.float32]],
        *,
        greedy: bool,
    ) -> None:
        """Take the weights that `EntityActorCritic.to_weights` returned."""
        self.greedy = greedy
        self._entities, self._shared = tables, dict(weights)
        self._networks: dict[int | tuple[RuleSet, ...], EntityNetwork] = {}

    def logits(
        self, observations: NDArray[np.uint8], rules: RowRules | None = None
    ) -> NDArray[np.float32]:
        """Return logits, shape ``(rows, num_actions)``; see `LearningNetwork.forward`."""
        key = observations.shape[1] if rules is None else rules.rule_sets
        if key not in self._networks:
            self._networks[key] = (
                EntityNetwork(self._shared, self._entities.inputs(observations.shape[1]))
                if rules is None
                else EntityNetwork(
                    self._shared, self._entities.inputs_of(rules.widest), rules.rule_sets
                )
            )
        numbers = None if rules is None else rules.numbers
        return self._networks[key].all_logits(observations, numbers)


def device_of(setting: str) -> torch.device:
    """Where to compute: ``cpu``, ``cuda``, or ``auto``, which takes a GPU if there is one.

    Raises:
        ConfigError: There is no GPU, or none that this Torch can use.
    """
    found = torch.cuda.is_available()
    if setting == "cuda" and not found:
        raise ConfigError(
            "device=cuda needs an NVIDIA GPU and a build of Torch for it, and none was found; "
            "device=cpu or device=auto work here"
        )
    return torch.device("cuda" if found and setting != "cpu" else "cpu")


@functools.cache
def has_half_units(device: torch.device) -> bool:
    """Whether a processor computes with bf16; on others 16 bits are slower than 32."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.cpu._is_avx512_bf16_supported())


def _forward(layers: Any, hidden: Tensor, half: bool) -> Tensor:
    """Apply layers of weights and biases with ReLU between them."""
    half = half and has_half_units(hidden.device)
    with torch.autocast(hidden.device.type, torch.bfloat16, enabled=half):
        for weight, bias in layers[:-1]:
            hidden = torch.relu(nn.functional.linear(hidden, weight, bias))
        return nn.functional.linear(hidden, *layers[-1]).float()
