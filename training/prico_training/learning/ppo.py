"""PPO for games of several seats, from top to bottom: collect rollouts, GAE, clipped updates.

Schulman et al. 2017 with action masks (Huang & Ontañón 2020). All seats of a game may learn: see
`prico_training.learning.rollout` for how advantages are told apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from prico_agents.neural.entity_inputs import RowRules
from prico_training.config import Config, Ppo
from prico_training.errors import ConfigError
from prico_training.learning import losses
from prico_training.learning.actors import LocalActors, collect_feature_statistics, with_own_seed
from prico_training.learning.behaviour_cloning import BehaviourCloner, make_teachers
from prico_training.learning.distributed import ALONE, Ranks
from prico_training.learning.gradients import (
    PPO_STATISTICS,
    Gradients,
    PpoCoefs,
    PpoTargets,
    ppo_gradients,
)
from prico_training.learning.league import reference_networks
from prico_training.learning.model import FrozenNetwork, LearningNetwork
from prico_training.learning.networks import load_start_weights, make_network
from prico_training.learning.optimizer import Learner
from prico_training.learning.reference_policy import NO_REFERENCE, ReferencePolicy
from prico_training.learning.rollout import Batch, Rollout
from prico_training.learning.trainer import State, Weights, arrays_below, states_of

_CHUNK: Final = 4096
"""Decisions that go through the network at once: more take memory, and fewer a tenth longer."""
_ADAM_EPS: Final = 1e-5
_ADVANTAGE_EPS: Final = 1e-8
"""Added to the standard deviation of the advantages, so that it never is 0."""
_SHARED: Final = ("behaviour_cloning", "learner")
"""Parts that are the same in all ranks: the network and what learns with it."""


class Minibatch(NamedTuple):
    """Decisions of one gradient step, one row each; see `Rollout`, `Batch`, `PpoTargets`."""

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]
    reference: NDArray[np.float32]
    rules: RowRules

    @classmethod
    def of(
        cls, rollout: Rollout, batch: Batch, mean: float, std: float, reference: ReferencePolicy
    ) -> "Minibatch":
        """All decisions of a batch, with advantages normalised by their mean and deviation."""
        observations = _flat(rollout.observations)[batch.rows]
        masks = _flat(rollout.masks)[batch.rows]
        rules = rollout.rules[batch.rows % len(rollout.rules)]
        return cls(
            observations=observations,
            masks=masks,
            actions=_flat(rollout.actions)[batch.rows],
            log_probs=_flat(rollout.log_probs)[batch.rows],
            advantages=(batch.advantages - np.float32(mean)) / np.float32(std),
            returns=batch.returns,
            reference=reference.log_probs(observations, masks, rules),
            rules=rules,
        )

    def take(self, rows: Any) -> "Minibatch":
        """Some of the decisions."""
        return Minibatch._make(array[rows] for array in self)

    def gradients(
        self, logits: NDArray[np.float32], values: NDArray[np.float32], coefs: PpoCoefs
    ) -> Gradients:
        """What a network is to change that computed these for them."""
        legal = np.unpackbits(self.masks, axis=1, count=logits.shape[1]).view(np.bool_)
        return ppo_gradients(logits, values, PpoTargets(legal, *self[2:-1]), coefs)


class PpoLearner(Learner):
    """The updates of PPO."""

    def __init__(
        self,
        network: LearningNetwork,
        settings: Ppo,
        seed: int,
        ranks: Ranks = ALONE,
        reference: ReferencePolicy = NO_REFERENCE,
    ) -> None:
        """Start with the weights that the network has, and stay near a policy; see `Learner`."""
        super().__init__(network, settings, settings.max_grad_norm, seed, ranks, _ADAM_EPS)
        self._settings = settings
        self._reference = reference

    def learn(self, rollouts: Sequence[Rollout], spent: float) -> dict[str, float]:
        """Update the network from rollouts, all of them at once.

        Args:
            rollouts: Decisions of the network as it is now, or was a moment ago.
            spent: Share of the budget that is used, 0 to 1.

        Returns:
            Figures by the names of `prico_training.learning.metrics`.
        """
        settings = self._settings
        left = self._anneal(spent)
        reward_coefs = np.array([1, settings.margin_coef], np.float32)
        batches = [Batch(rollout, settings.gae_lambda, reward_coefs) for rollout in rollouts]
        num_decisions, mean, std = self._advantage_statistics(batches)
        num_minibatches = max(1, round(num_decisions / settings.batch_size))
        decisions = [
            Minibatch.of(rollout, batch, mean, std, self._reference)
            for rollout, batch in zip(rollouts, batches, strict=True)
        ]
        statistics: list[NDArray[np.float64]] = []
        for _ in range(settings.update_epochs):
            statistics = [
                self._gradient_step(
                    parts, num_decisions / num_minibatches, settings.ent_coef * left
                )
                for parts in self._minibatches(decisions, num_minibatches)
            ]
        means = dict(zip(PPO_STATISTICS, self._mean_over_ranks(statistics), strict=True))
        returns = torch.from_numpy(np.concatenate([each.returns[:, 0, 0] for each in batches]))
        own = torch.from_numpy(np.concatenate([each.part_advantages[:, 0, 0] for each in batches]))
        return means | {
            "explained_variance": float(losses.explained_variance(returns - own, returns)),
            "learning_rate": self.learning_rate,
        }

    def _advantage_statistics(self, batches: Sequence[Batch]) -> tuple[float, float, float]:
        """Decisions of a rank on the mean; mean and deviation of the advantages of all ranks."""
        exact = np.concatenate([batch.advantages for batch in batches]).astype(np.float64)
        sums = self._ranks.sum([exact.size, exact.sum(), np.square(exact).sum()])
        decisions, total, squares = sums.tolist()
        mean = total / decisions
        std = max(0.0, squares / decisions - mean**2) ** 0.5
        return decisions / self._ranks.size, mean, std + _ADVANTAGE_EPS

    def _mean_over_ranks(self, statistics: Sequence[NDArray[np.float64]]) -> list[float]:
        mean = np.mean(statistics, axis=0)
        over_ranks: list[float] = (self._ranks.sum(mean) / self._ranks.size).tolist()
        return over_ranks

    def _minibatches(
        self, decisions: Sequence[Minibatch], number: int
    ) -> Iterator[list[Minibatch]]:
        """Shuffle the decisions and split them; each part holds as large a share of every batch."""
        orders = [self._generator.permutation(len(each.actions)) for each in decisions]
        split = [np.array_split(order, number) for order in orders]
        for rows in zip(*split, strict=True):
            yield [each.take(own) for each, own in zip(decisions, rows, strict=True)]

    def _gradient_step(
        self, parts: Sequence[Minibatch], size: float, ent_coef: float
    ) -> NDArray[np.float64]:
        """Make one gradient step.

        Args:
            parts: The decisions, of each table.
            size: Decisions of a minibatch on the mean: each counts the same in all steps.
            ent_coef: Weight of the entropy bonus now.

        Returns:
            The means of `PPO_STATISTICS`.
        """
        settings, statistics = self._settings, np.zeros(len(PPO_STATISTICS))
        coefs = PpoCoefs(
            settings.clip_range, settings.vf_coef, ent_coef, settings.reference_coef, size
        )
        with self._update():
            for part in parts:
                for start in range(0, len(part.actions), _CHUNK):
                    chunk = part.take(slice(start, start + _CHUNK))
                    differentiate = partial(chunk.gradients, coefs=coefs)
                    statistics += self._accumulate(chunk.observations, chunk.rules, differentiate)
        return statistics / size


class PpoTrainer:
    """Behaviour cloning as a warm start, then PPO for all seats; see `trainer.Trainer`.

    With several ranks each has games, opponents and teachers of its own.
    """

    def __init__(self, config: Config, actors: LocalActors, ranks: Ranks = ALONE) -> None:
        """Make a network with fresh weights.

        Args:
            config: The settings.
            actors: Who plays the games of this rank.
            ranks: The processes that learn together.
        """
        torch.manual_seed(config.seed)
        self.decisions = 0
        self.games = 0
        self.updates = 0
        self._config = config
        self._ranks = ranks
        self._network = make_network(config)
        ranks.refuse_to_share(self._network.device)
        self._actors = actors
        self.league = actors.leagues[0]
        reference = ReferencePolicy(reference_networks(config))
        self._learner = PpoLearner(self._network, config.ppo, config.seed, ranks, reference)
        teachers = make_teachers(with_own_seed(config, ranks.rank))
        self._cloner = BehaviourCloner(
            self._network, teachers, config.behaviour_cloning, config.seed, ranks
        )

    def learn(self, spent: float) -> dict[str, float]:
        """Clone a batch of demonstrations while the warm start lasts, then play and update."""
        if self.updates == 0:
            self._fit_normalizer()
            self._ranks.broadcast_weights(self._network)
        self.updates += 1
        warm_start, ppo = self._config.behaviour_cloning.share, self._config.ppo
        if spent < warm_start:
            figures = self._cloner.learn(spent / warm_start)
            self._count(figures.pop("decisions"))
            return figures
        spent = (spent - warm_start) / max(1e-9, 1 - warm_start)
        shaping_coef = ppo.shaping_coef * max(0.0, 1 - spent / ppo.shaping_share)
        rollouts = self._actors.play(self._network, shaping_coef)
        figures = self._learner.learn(rollouts, spent)
        self._count(sum(int(rollout.is_learner.sum()) for rollout in rollouts))
        return figures

    def weights(self) -> Weights:
        """A copy of what plays now."""
        return self._network.to_weights()

    def remember(self, name: str, weights: Weights) -> None:
        """Let a past self join the league."""
        self._actors.remember(name, FrozenNetwork.of(self._network.tables, weights, greedy=False))

    def state(self) -> State:
        """Return everything to go on from, of all ranks, but past selves; rank 0 gets it."""
        arrays, values = states_of(self._parts())
        values |= {"decisions": self.decisions, "updates": self.updates}
        own = {name: a for name, a in arrays.items() if not name.startswith(_SHARED)}
        others = self._ranks.gather((own, values))[1:]
        for rank, (theirs, _) in enumerate(others, 1):
            arrays |= {f"{_of_rank(rank)}{name}": array for name, array in theirs.items()}
        return arrays, values | {"others": [their_values for _, their_values in others]}

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned, after all past selves have joined the league again.

        Raises:
            ConfigError: There were more ranks or fewer.
        """
        everyone = [values, *values.get("others", ())]
        if len(everyone) != self._ranks.size:
            raise ConfigError(
                f"this run is one of {len(everyone)} ranks and cannot go on with "
                f"{self._ranks.size}: prico train --resume RUN --ranks {len(everyone)}, or start "
                "another from what it has learnt, with network.start=RUN"
            )
        own = everyone[self._ranks.rank]
        for name, part in self._parts().items():
            if name not in own:  # Ray actors, in a run that began without them
                continue
            home = f"{name}/" if name in _SHARED else f"{_of_rank(self._ranks.rank)}{name}/"
            part.restore(arrays_below(home, arrays), own[name])
        self.decisions, self.updates = values["decisions"], values["updates"]
        self._count(0)

    def close(self) -> None:
        """Stop the threads of the teachers, and the actors."""
        self._cloner.close()
        self._actors.close()

    def _fit_normalizer(self) -> None:
        """Fit the input normalizer in games like those it will learn from."""
        if self._config.behaviour_cloning.share > 0:
            self._cloner.fit_normalizer()
        else:
            collect_feature_statistics(self._network, self._config)
        load_start_weights(self._network, self._config)

    def _count(self, decisions: float) -> None:
        """Count what all ranks have just learnt from, and the games they have played so far."""
        more, games = self._ranks.sum([decisions, self._actors.played]).tolist()
        self.decisions += int(more)
        self.games = int(games)

    def _parts(self) -> dict[str, Any]:
        return {
            "behaviour_cloning": self._cloner,
            "learner": self._learner,
            **self._actors.parts(),
        }


def _flat(array: NDArray[Any]) -> NDArray[Any]:
    """Rows of an array of shape ``(steps, games, …)``, counted through."""
    return array.reshape(-1, *array.shape[2:])


def _of_rank(rank: int) -> str:
    """How the names of a rank's arrays begin in a checkpoint."""
    return f"rank_{rank}/" if rank else ""
