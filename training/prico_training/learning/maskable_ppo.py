"""MaskablePPO of sb3-contrib in place of our own PPO: a second opinion, on the same settings.

It learns from one seat of each game, which changes from game to game; the others are played by the
league, and those that are the learner's by its present self. So it sees a quarter of the decisions
that `ppo` sees, and takes about four times as long. Opponents are met as often whether
they win or not, it is paid the margin alone, it computes with 32 bits, and a run that goes on deals
its games anew.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from prico_agents.neural.network import VALUE, PolicyValueNetwork, draw
from prico_env.envs.sb3 import PuertoRicoVecEnv
from prico_training.config import Config
from prico_training.errors import ConfigError
from prico_training.learning.behaviour_cloning import BehaviourCloner, make_teachers
from prico_training.learning.league import LEARNER, League, make_leagues
from prico_training.learning.model import ActorCritic, FrozenNetwork
from prico_training.learning.optimizer import anneal, load_state_dict, state_dict
from prico_training.learning.trainer import State, Weights, arrays_below

_EPISODES_OF_AN_UPDATE: Final = 1_000_000
"""SB3 forgets finished games beyond so many; all are wanted until they are counted."""
_RESUME_STRIDE: Final = 1_000_003
"""Keeps the deals of a resumed run apart from those already played."""
_FIGURES: Final = {
    "value_loss": "train/value_loss",
    "explained_variance": "train/explained_variance",
    "approx_kl": "train/approx_kl",
    "clip_fraction": "train/clip_fraction",
}
"""Our names of what SB3 logs."""


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value share; counts enter as ``log(1 + x)``."""

    def __init__(self, observation_space: gymnasium.Space[Any], hidden: tuple[int, ...]) -> None:
        """Make layers of the given widths."""
        super().__init__(observation_space, features_dim=hidden[-1])
        assert observation_space.shape is not None
        widths = (observation_space.shape[0], *hidden)
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the features of policy and value head, shape ``(batch, hidden[-1])``."""
        hidden = torch.log1p(observations)
        for layer in self.layers:
            hidden = torch.relu(layer(hidden))
        return hidden


class Others:
    """The seats that are not learnt from, as the environment wants them.

    Attributes:
        env: The games; set before the first deal.
        learner: A network over the arrays that are being learnt.
    """

    env: PuertoRicoVecEnv
    learner: PolicyValueNetwork

    def __init__(self, league: League, seed: int) -> None:
        """Take the opponents.

        Args:
            league: Who they are and where they sit.
            seed: Decides what the learner draws at these seats.
        """
        self._league = league
        self._generator = np.random.default_rng(seed)

    def assign(self, dealt: NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Draw who sits where in games just dealt; the seat that learns is the learner's."""
        rows = np.flatnonzero(dealt)
        self._league.seat(rows)
        players, seats = self._league.players, self.env.seated.seats
        for row, seat in zip(rows.tolist(), seats[rows].tolist(), strict=True):
            own = int(np.flatnonzero(players[row] == LEARNER)[0])
            players[row, own], players[row, seat] = players[row, seat], LEARNER

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        seats: NDArray[np.int64],
        games: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Choose one action in each game that waits for one of these seats, shape ``(k,)``."""
        now = np.full(len(self._league.players), LEARNER)
        now[games] = self._league.players[games, seats]
        actions = np.zeros(len(now), np.int64)
        self._league.choose(self.env.seated.games, now, actions)
        own = np.flatnonzero(now[games] == LEARNER)
        if own.size:
            logits = self.learner.logits(observations[own], masks[own])
            actions[games[own]] = draw(logits, self._generator)
        return actions[games]


class MaskableTrainer:
    """MaskablePPO on the games of our settings; see `prico_training.learning.trainer.Trainer`."""

    def __init__(self, config: Config) -> None:
        """Deal the games and make a network with fresh weights.

        Raises:
            ConfigError: A setting asks for what only our own PPO does.
        """
        _refuse_what_only_ppo_does(config)
        torch.manual_seed(config.seed)
        torch.distributions.Distribution.set_default_validate_args(False)
        self.decisions = 0
        self.games = 0
        self.updates = 0
        self._parts = 1
        self._is_cloning = config.behaviour_cloning.share > 0
        self._config = config
        self._learning_rate = config.ppo.learning_rate
        self.league = make_leagues(config)[0]
        self._cloned = ActorCritic(config.game, config.network.hidden, 1, config.network.half)
        self._cloner = BehaviourCloner(
            self._cloned, make_teachers(config), config.behaviour_cloning, config.seed
        )
        self._others = Others(self.league, config.seed)
        self._env = PuertoRicoVecEnv(
            config.self_play.num_envs,
            config.game,
            seat="rotate",
            opponents=self._others,
            reward="margin",
            scaling="raw",
            seed=config.seed,
            threads=1,
        )
        self._others.env = self._env
        self.model = self._make_model()
        self._others.learner = PolicyValueNetwork(self._live_weights())

    def learn(self, spent: float) -> dict[str, float]:
        """Clone a batch of demonstrations while the warm start lasts, then play and update."""
        self.updates += 1
        warm_start = self._config.behaviour_cloning.share
        if spent < warm_start:
            if self.updates == 1:
                self._cloner.fit_normalizer()
            figures = self._cloner.learn(spent / warm_start)
            self.decisions += int(figures.pop("decisions"))
            return figures
        if self._is_cloning:
            self._take_over()
        return self._update((spent - warm_start) / max(1e-9, 1 - warm_start))

    def weights(self) -> Weights:
        """A copy of what plays now."""
        if self._is_cloning:
            return self._cloned.to_weights()
        return {name: array.copy() for name, array in self._live_weights().items()}

    def remember(self, name: str, weights: Weights) -> None:
        """Let a past self join the league."""
        self.league.add(name, FrozenNetwork(self._cloned.tables, weights, greedy=False))

    def state(self) -> State:
        """Return everything to go on from, but past selves and the games that are under way."""
        parts, cloning = self._cloner.state()
        arrays = {f"behaviour_cloning/{name}": array for name, array in parts.items()}
        policy = self.model.policy
        for name, array in state_dict(policy, policy.optimizer).items():
            arrays[f"policy/{name}"] = array
        counts = ("decisions", "games", "updates", "_parts", "_is_cloning")
        return arrays, {
            "behaviour_cloning": cloning,
            "counts": {name: getattr(self, name) for name in counts},
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned, after all past selves have joined the league again.

        Raises:
            CheckpointError: The arrays are those of another network.
        """
        own = arrays_below("behaviour_cloning/", arrays)
        self._cloner.restore(own, values["behaviour_cloning"])
        policy = self.model.policy
        load_state_dict(policy, policy.optimizer, arrays_below("policy/", arrays))
        for name, value in values["counts"].items():
            setattr(self, name, value)
        self._env.seed(self._config.seed + _RESUME_STRIDE * self._parts)
        self._parts += 1

    def close(self) -> None:
        """Stop the thread of the teachers."""
        self._cloner.close()

    def _make_model(self) -> MaskablePPO:
        config, ppo = self._config, self._config.ppo
        model = MaskablePPO(
            "MlpPolicy",
            self._env,
            learning_rate=lambda _: self._learning_rate,
            n_steps=max(2, config.self_play.num_steps // config.game.players),
            batch_size=ppo.batch_size,
            n_epochs=ppo.update_epochs,
            gamma=1.0,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            ent_coef=ppo.ent_coef,
            vf_coef=ppo.vf_coef,
            max_grad_norm=ppo.max_grad_norm,
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
        model.set_logger(Logger(None, []))
        return model

    def _update(self, spent: float) -> dict[str, float]:
        """Play a rollout and learn from it."""
        left = anneal(spent)
        model, ppo = self.model, self._config.ppo
        self._learning_rate = ppo.learning_rate * left
        model.ent_coef = ppo.ent_coef * left
        before = model.num_timesteps
        model.learn(model.n_steps * model.n_envs, reset_num_timesteps=False)
        self.decisions += model.num_timesteps - before
        episodes = model.ep_info_buffer or ()
        self.games += len(episodes)
        if model.ep_info_buffer is not None:
            model.ep_info_buffer.clear()
        logged = dict(model.logger.name_to_value)
        return {
            "entropy": -float(logged["train/entropy_loss"]),
            "learning_rate": self._learning_rate,
            **{name: float(logged[theirs]) for name, theirs in _FIGURES.items()},
        }

    def _layers(self) -> dict[str, Any]:
        """Layers of the model by their names in a policy."""
        policy = self.model.policy
        trunk: Any = policy.features_extractor
        layers: list[Any] = [*trunk.layers, policy.action_net]
        return {f"layer_{number}": layer for number, layer in enumerate(layers)}

    def _live_weights(self) -> Weights:
        """The policy alone; it shares memory with what is being learnt."""
        return {
            f"{name}.{kind}": getattr(layer, kind).detach().numpy()
            for name, layer in self._layers().items()
            for kind in ("weight", "bias")
        }

    def _take_over(self) -> None:
        """Go on with what was learnt from teachers."""
        self._is_cloning = False
        with torch.no_grad():
            layers = self._layers() | {VALUE: self.model.policy.value_net}
            for name, array in self._cloned.to_weights().items():
                layer, _, kind = name.partition(".")
                getattr(layers[layer], kind).copy_(torch.from_numpy(array))


def _refuse_what_only_ppo_does(config: Config) -> None:
    alone = {
        "games": bool(config.games),
        "self_play.players": config.players != (config.game.players,),
        "network.kind=entities": config.network.kind == "entities",
        "network.start": bool(config.network.start),
        "ppo.reference": bool(config.ppo.reference),
        "ppo.shaping_coef": config.ppo.shaping_coef > 0,
        "device=cuda": config.device == "cuda",
    }
    for name, asked in alone.items():
        if asked:
            raise ConfigError(f"{name} goes with trainer=ppo only; leave it out, or set that")
