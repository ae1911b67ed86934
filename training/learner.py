"""The learner: MaskablePPO of sb3-contrib with one trunk for policy and value.

What is ours here is small: the trunk, the step sizes that fall with the budget instead of a number
of steps, and the way in and out for weights, which are plain arrays and never pickles.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from agents.neural.checkpoint import CheckpointError
from training.config import Config

_FINAL_SHARE = 0.1
"""Step size and entropy bonus at the end of the budget, as a share of those at its start."""

_EPISODES_OF_AN_UPDATE = 1_000_000
"""SB3 forgets finished games beyond so many; all are wanted until they are counted."""


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value share; counts enter as ``log(1 + x)``."""

    def __init__(self, observation_space: gymnasium.Space[Any], hidden: tuple[int, ...]) -> None:
        """Make layers of the given widths."""
        super().__init__(observation_space, features_dim=hidden[-1])
        assert observation_space.shape is not None
        widths = (observation_space.shape[0], *hidden)
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return what policy and value look at, shape ``(batch, hidden[-1])``."""
        hidden = torch.log1p(observations)
        for layer in self.layers:
            hidden = torch.relu(layer(hidden))
        return hidden


class StopWhenAsked(BaseCallback):
    """Ends a rollout early when a person wants to stop."""

    def __init__(self) -> None:
        super().__init__()
        self.stop = False

    def _on_step(self) -> bool:
        return not self.stop


class Learner:
    """A network that learns from one seat of each game.

    Attributes:
        model: The MaskablePPO.
        stopper: Ends a rollout early when asked.
    """

    def __init__(self, config: Config, env: VecEnv) -> None:
        """Make a network with fresh weights."""
        ppo = config.ppo
        torch.distributions.Distribution.set_default_validate_args(False)
        self._config = config
        self._rate = ppo.learning_rate
        self.stopper = StopWhenAsked()
        self.model = MaskablePPO(
            "MlpPolicy",
            env,
            learning_rate=lambda _: self._rate,
            n_steps=ppo.decisions_per_update,
            batch_size=ppo.minibatch,
            n_epochs=ppo.epochs,
            gamma=ppo.discount,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip,
            ent_coef=ppo.entropy,
            vf_coef=ppo.value_loss,
            max_grad_norm=ppo.max_gradient,
            seed=config.seed,
            stats_window_size=_EPISODES_OF_AN_UPDATE,
            device="cpu",
            policy_kwargs={
                "features_extractor_class": Trunk,
                "features_extractor_kwargs": {"hidden": config.network.hidden},
                "net_arch": [],
                "optimizer_kwargs": {"eps": 1e-5},
            },
        )
        self.model.set_logger(Logger(None, []))

    def learn(self, spent: float) -> bool:
        """Play and learn once.

        Args:
            spent: Share of the budget that is used, 0 to 1.

        Returns:
            Whether the update was carried out; not, when somebody asked to stop.
        """
        ppo = self._config.ppo
        left = 1 - (1 - _FINAL_SHARE) * min(1.0, spent)
        self._rate = ppo.learning_rate * left
        self.model.ent_coef = ppo.entropy * left
        before = self.model._n_updates
        self.model.learn(
            self.model.n_steps * self.model.n_envs, self.stopper, reset_num_timesteps=False
        )
        return bool(self.model._n_updates > before)

    @property
    def decisions(self) -> int:
        """Decisions learnt from, or at least made."""
        return int(self.model.num_timesteps)

    @property
    def rate(self) -> float:
        """The step size now."""
        return self._rate

    @property
    def figures(self) -> dict[str, float]:
        """What the last update logged, by SB3's names."""
        return dict(self.model.logger.name_to_value)

    # -- weights in and out ------------------------------------------------------------------------

    def policy_weights(self) -> dict[str, np.ndarray]:
        """The layers from features to actions; they share memory with what is being learnt."""
        policy = self.model.policy
        trunk: Any = policy.features_extractor
        layers: list[Any] = [*trunk.layers, policy.action_net]
        weights = {}
        for number, layer in enumerate(layers):
            weights[f"layer_{number}.weight"] = layer.weight.detach().numpy()
            weights[f"layer_{number}.bias"] = layer.bias.detach().numpy()
        return weights

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything learning goes on from: all weights, and the optimizer's memory."""
        policy = self.model.policy
        arrays = {f"policy/{key}": value.numpy() for key, value in policy.state_dict().items()}
        for number, memory in policy.optimizer.state_dict()["state"].items():
            for key, value in memory.items():
                arrays[f"optimizer/{number}/{key}"] = value.numpy()
        return arrays

    def restore(self, arrays: Mapping[str, np.ndarray], decisions: int, updates: int) -> None:
        """Go on from what `arrays` returned.

        Raises:
            CheckpointError: The arrays are those of another network.
        """
        policy = self.model.policy
        weights: dict[str, torch.Tensor] = {}
        memory: dict[int, dict[str, torch.Tensor]] = {}
        for name, array in arrays.items():
            kind, _, rest = name.partition("/")
            tensor = torch.from_numpy(array.copy())
            if kind == "policy":
                weights[rest] = tensor
            else:
                number, _, key = rest.partition("/")
                memory.setdefault(int(number), {})[key] = tensor
        try:
            policy.load_state_dict(weights)
            groups = policy.optimizer.state_dict()["param_groups"]
            policy.optimizer.load_state_dict({"state": memory, "param_groups": groups})
        except (RuntimeError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise CheckpointError(
                f"the checkpoint is that of another network than network.hidden says: {reason}"
            ) from None
        self.model.num_timesteps = decisions
        self.model._n_updates = updates
