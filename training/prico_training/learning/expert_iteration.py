"""Expert iteration: play with a tree search, learn its moves, and search again with the result.

Expert iteration (Anthony et al. 2017) with the search of AlphaZero (Silver et al. 2018). Games are
played side by side. Some of the decisions are searched: the network gives the priors and the values
of the leaves. It then learns the policy targets that the search found, and the outcomes of the
games. All other decisions are sampled from the policy, which costs next to nothing, so that more
games are seen to their end (Wu 2019, "playout cap randomization").

The policy target is one of two things. ``visits``: the visit counts of the search, as in AlphaZero.
``values``: the prior, improved by the action values of the search (Danihelka et al. 2022). After
few simulations visits say little but which moves were tried at all, and a policy that is already
sharp unlearns that from them.

Opponents of the league sit at the table as they do in PPO, and are not learnt from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from prico_agents.neural.entity_inputs import RowRules
from prico_agents.search.batched import BatchedSearch, SearchSummary
from prico_agents.search.simulation import new_search_params
from prico_env import Games, RuleSet
from prico_training.config import Config, ExpertIteration
from prico_training.learning import losses
from prico_training.learning.actors import LocalActors, collect_feature_statistics
from prico_training.learning.model import FrozenNetwork, LearningNetwork
from prico_training.learning.networks import load_start_weights, make_network
from prico_training.learning.optimizer import Learner
from prico_training.learning.rollout import (
    REWARD_PARTS,
    Collector,
    OpponentPolicy,
    PolicyAndValue,
    Rollout,
    from_seat,
)
from prico_training.learning.trainer import State, Weights, arrays_below, states_of

_MAX_GRAD_NORM: Final = 1.0
_PRIOR_VISITS: Final = 3.0
"""Visits of a move that are needed to trust half of its value."""
_DIRICHLET: Final = 10.0
"""Concentration of the root noise, shared by the legal moves: as much as the 0.3 for each of some
30 moves of chess (Silver et al. 2018)."""


class NetworkEvaluator:
    """A network that learns, as a search asks it; see `prico_agents.neural.network.Evaluator`."""

    def __init__(self, network: LearningNetwork) -> None:
        """Evaluate with this network, as it is at every moment."""
        self.judges_own_seat = network.value_seats == 1
        self._network = network

    @torch.no_grad()
    def evaluate(
        self,
        observations: NDArray[np.uint8],
        legal: NDArray[np.bool_],
        rules: RowRules | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return priors and win probabilities."""
        logits, values = self._network(observations, rules)
        masks = torch.from_numpy(legal).to(logits.device)
        priors = torch.softmax(losses.log_probabilities(logits, masks), dim=1)
        return priors.cpu().numpy(), values[:, :, 0].clamp(0, 1).cpu().numpy()


# -- playing ---------------------------------------------------------------------------------------


class SearchCollector(Collector):
    """Plays games on and on, and searches some of the decisions.

    Attributes:
        network: What searches, as it is at every moment.
        targets: Policy targets of the decisions of the last call of `collect`; all 0 where it did
            not search. float16, shape ``(steps, games, num_actions)``.
    """

    def __init__(  # noqa: PLR0913 - those of a collector, and two more
        self,
        rules: RuleSet | Sequence[RuleSet],
        n: int,
        steps: int,
        value_seats: int,
        opponents: OpponentPolicy | None,
        seed: int,
        *,
        network: LearningNetwork,
        settings: ExpertIteration,
    ) -> None:
        """Deal the games; see `Collector` for the first arguments.

        Args:
            rules: What is played, or the rule set of each game.
            n: Games side by side.
            steps: Decisions of each game in a rollout.
            value_seats: Outputs of the value head at the largest table.
            opponents: Who plays the seats that are not the learner's.
            seed: Decides the deals and what is sampled.
            network: What searches.
            settings: How it searches.
        """
        super().__init__(rules, n, steps, value_seats, opponents, seed)
        self.targets = np.zeros((steps, n, self.games.num_actions), np.float16)
        self.network = network
        self._settings = settings
        self._evaluator = NetworkEvaluator(network)
        search_params = new_search_params(
            settings.branch, settings.default_policy, settings.exploration, settings.opponents
        )
        self._search = BatchedSearch(
            self.games.rule_sets, search_params, n, settings.simulations, settings.leaves, seed
        )

    def state(self) -> State:
        """Return arrays and plain values to go on from, between two rollouts."""
        arrays, values = super().state()
        return arrays | {"search": self._search.generator}, values

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        super().restore(arrays, values)
        self._search.generator[:] = arrays["search"]

    def _decide(self, network: PolicyAndValue, step: int) -> None:
        """Choose an action in each game, after a search in some."""
        super()._decide(network, step)
        into, games = self.rollout, self.games
        chosen = self._generator.random(len(games)) < self._settings.share
        rows = np.flatnonzero(chosen & into.is_learner[step] & (games.num_legal > 1))
        self.targets[step] = 0
        if not rows.size:
            return
        noise = self._settings.root_noise, self._dirichlet_noise(games.masks[rows])
        found = self._search.search(self._evaluator, games.state, rows, noise)
        targets = self._make_targets(found)
        self.targets[step, rows] = targets
        into.actions[step, rows] = self._choose(targets, games.state["round"][rows])

    def _make_targets(self, found: SearchSummary) -> NDArray[np.float64]:
        """Policy targets; rows sum to 1."""
        if self._settings.target == "visits":
            return found.visits / found.visits.sum(axis=1, keepdims=True)
        trust = found.visits / (found.visits + _PRIOR_VISITS)
        advantages = trust * (found.qvalues - found.values[:, None])
        advantages -= np.where(found.priors > 0, advantages, -np.inf).max(axis=1, keepdims=True)
        targets = found.priors * np.exp(self._settings.value_scale * np.minimum(advantages, 0))
        return targets / targets.sum(axis=1, keepdims=True)

    def _choose(self, targets: NDArray[np.float64], rounds: NDArray[Any]) -> NDArray[np.int64]:
        """The moves of the highest targets; in the first rounds they are sampled."""
        cumulative = targets.cumsum(axis=1)
        uniform = self._generator.random(len(targets)) * cumulative[:, -1]
        sampled = (cumulative > uniform[:, None]).argmax(axis=1)
        first_rounds = rounds <= self._settings.sampled_rounds
        return np.where(first_rounds, sampled, targets.argmax(axis=1))

    def _dirichlet_noise(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Sample Dirichlet noise over the legal moves; rows sum to 1."""
        concentration = np.where(masks, _DIRICHLET / masks.sum(axis=1, keepdims=True), 0.0)
        noise = self._generator.standard_gamma(concentration)
        return noise / noise.sum(axis=1, keepdims=True)


# -- the replay buffer -----------------------------------------------------------------------------


class ReplayBuffer:
    """The last decisions that were searched, and the outcomes of their games.

    Attributes:
        added: Decisions added so far.
        complete: Decisions added so far of games that have ended.
    """

    def __init__(self, games: Games, size: int) -> None:
        """Make room.

        Args:
            games: What is played.
            size: Decisions that it holds.
        """
        seats, actions = games.num_seats, games.num_actions
        self.added = 0
        self.complete = 0
        self._size = size
        self._rule_sets = games.rule_sets
        self._arrays: dict[str, NDArray[Any]] = {
            "observations": np.zeros((size, games.layout.num_features), np.uint8),
            "masks": np.zeros((size, -(-actions // 8)), np.uint8),
            "targets": np.zeros((size, actions), np.float16),
            "seats": np.zeros(size, np.int8),
            "games": np.zeros(size, np.int32),
            "rules": np.zeros(size, np.int64),
            "outcomes": np.zeros((size, seats, len(REWARD_PARTS)), np.float32),
            "ended": np.zeros(size, np.bool_),
        }

    def add(self, rollout: Rollout, targets: NDArray[np.float16]) -> int:
        """Add the decisions of a rollout that were searched; returns how many they were."""
        before = self.added
        for step in range(len(targets)):
            rows = np.flatnonzero(targets[step].any(axis=1))
            self._write(
                observations=rollout.observations[step, rows],
                masks=rollout.masks[step, rows],
                targets=targets[step, rows],
                seats=rollout.seats[step, rows],
                games=rows.astype(np.int32),
                rules=rollout.rules.numbers[rows],
            )
            for game in np.flatnonzero(rollout.ended[step]).tolist():
                self._finish(game, rollout.rewards[step, game])
        return self.added - before

    def sample(self, generator: np.random.Generator, count: int) -> "Samples":
        """Sample decisions of games that have ended, uniformly."""
        ended = np.flatnonzero(self._arrays["ended"])
        rows = generator.choice(ended, count)
        targets = self._arrays["targets"][rows].astype(np.float32)
        bits = self._arrays["masks"][rows]
        seats = self._arrays["seats"][rows]
        return Samples(
            observations=self._arrays["observations"][rows],
            masks=np.unpackbits(bits, axis=1, count=targets.shape[1]).view(np.bool_),
            targets=targets / targets.sum(axis=1, keepdims=True),
            outcomes=from_seat(self._arrays["outcomes"][rows], seats),
            rules=RowRules(self._rule_sets, self._arrays["rules"][rows]),
        )

    def state(self) -> State:
        """Return arrays and plain values to go on from."""
        filled = min(self.added, self._size)
        arrays = {name: array[:filled] for name, array in self._arrays.items()}
        return arrays, {"added": self.added, "complete": self.complete}

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        self.added, self.complete = values["added"], values["complete"]
        for name, array in arrays.items():
            self._arrays[name][: len(array)] = array

    def _write(self, **columns: NDArray[Any]) -> None:
        """Write rows over the oldest ones."""
        count = len(columns["seats"])
        places = (self.added + np.arange(count)) % self._size
        for name, rows in columns.items():
            self._arrays[name][places] = rows
        self._arrays["ended"][places] = False
        self.added += count

    def _finish(self, game: int, outcome: NDArray[np.float32]) -> None:
        """Write the outcome of a game that has ended."""
        filled = min(self.added, self._size)
        open_still = ~self._arrays["ended"][:filled] & (self._arrays["games"][:filled] == game)
        rows = np.flatnonzero(open_still)
        self._arrays["outcomes"][rows] = outcome
        self._arrays["ended"][rows] = True
        self.complete += len(rows)


@dataclass(frozen=True)
class Samples:
    """Decisions to learn from, one row each.

    Attributes:
        observations: Of the seat to act, uint8, shape ``(rows, num_features)``.
        masks: What was legal, bool, shape ``(rows, num_actions)``.
        targets: Policy targets, float32; rows sum to 1.
        outcomes: Of its game, float32, shape ``(rows, seats, parts)``, its own seat being first.
        rules: By which rules it was made.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    targets: NDArray[np.float32]
    outcomes: NDArray[np.float32]
    rules: RowRules


# -- learning --------------------------------------------------------------------------------------


class ExpertIterationLearner(Learner):
    """The updates of expert iteration.

    Attributes:
        steps: Gradient steps so far.
    """

    counters = ("steps",)

    def __init__(self, network: LearningNetwork, settings: ExpertIteration, seed: int) -> None:
        """Start with the weights that the network has; see `Learner`."""
        super().__init__(network, settings, _MAX_GRAD_NORM, seed)
        self._settings = settings
        self.steps = 0

    def learn(self, buffers: Sequence[ReplayBuffer], spent: float) -> dict[str, float]:
        """Make as many gradient steps as the replay ratio allows after what is new.

        Args:
            buffers: Decisions of each table.
            spent: Share of the budget that is used, 0 to 1.

        Returns:
            Figures by the names of `metrics`; none before a first game has ended.
        """
        self._anneal(spent)
        complete = sum(buffer.complete for buffer in buffers)
        allowed = int(complete * self._settings.replay_ratio / self._settings.batch_size)
        steps = [self._gradient_step(self._sample(buffers)) for _ in range(self.steps, allowed)]
        self.steps = max(self.steps, allowed)
        if not steps:
            return {}
        agreement, value_loss, entropy = torch.stack(steps).mean(dim=0).tolist()
        return {
            "agreement": agreement,
            "value_loss": value_loss,
            "entropy": entropy,
            "learning_rate": self.learning_rate,
        }

    def _sample(self, buffers: Sequence[ReplayBuffer]) -> list[Samples]:
        """Sample a minibatch: of each table as large a share as it has complete decisions."""
        complete = np.array([buffer.complete for buffer in buffers])
        counts = np.round(self._settings.batch_size * complete / complete.sum()).astype(int)
        return [
            buffer.sample(self._generator, count)
            for buffer, count in zip(buffers, counts, strict=True)
            if count
        ]

    def _gradient_step(self, parts: Sequence[Samples]) -> Tensor:
        """Make one gradient step; returns agreement, value loss and entropy."""
        size = sum(len(part.targets) for part in parts)
        statistics = torch.zeros(3)
        with self._update():
            for part in parts:
                loss, part_statistics = self._loss(part)
                torch.autograd.backward(loss.sum() / size)
                statistics += part_statistics.cpu() * (len(part.targets) / size)
        return statistics

    def _loss(self, part: Samples) -> tuple[Tensor, Tensor]:
        """Return the loss of each decision, and the statistics of `_gradient_step`."""
        logits, values = self.network(part.observations, part.rules)
        outcomes = np.ascontiguousarray(part.outcomes[:, : values.shape[1]])
        masks, targets, returns = (
            torch.from_numpy(array).to(logits.device)
            for array in (part.masks, part.targets, outcomes)
        )
        log_probs = losses.log_probabilities(logits, masks)
        value_loss = losses.value_loss(values, returns)
        cross_entropy = -(targets * log_probs).sum(dim=1)
        loss = cross_entropy + self._settings.vf_coef * value_loss
        with torch.no_grad():
            same = (log_probs.argmax(dim=1) == targets.argmax(dim=1)).float().mean()
            return loss, torch.stack([same, value_loss.mean(), losses.entropy(log_probs).mean()])


# -- the trainer -----------------------------------------------------------------------------------


class ExpertIterationTrainer:
    """Expert iteration with a network that searches; see `trainer.Trainer`."""

    def __init__(self, config: Config) -> None:
        """Deal the games and make a network."""
        torch.manual_seed(config.seed)
        self.decisions = 0
        self.games = 0
        self.updates = 0
        self._config = config
        self._network = make_network(config)
        collect_feature_statistics(self._network, config)
        load_start_weights(self._network, config)
        settings = config.expert_iteration
        search = partial(SearchCollector, network=self._network, settings=settings)
        self._actors = LocalActors(config, search)
        self.league = self._actors.leagues[0]
        self._collectors = cast(list[SearchCollector], self._actors.collectors)
        total = sum(len(each.games) for each in self._collectors)
        self._buffers = [
            ReplayBuffer(each.games, settings.buffer_size * len(each.games) // total)
            for each in self._collectors
        ]
        self._learner = ExpertIterationLearner(self._network, settings, config.seed)

    def learn(self, spent: float) -> dict[str, float]:
        """Play with the search, then learn from what it found."""
        self.updates += 1
        rollouts = self._actors.play(self._network, shaping_coef=0.0)
        for collector, buffer, rollout in zip(
            self._collectors, self._buffers, rollouts, strict=True
        ):
            self.decisions += buffer.add(rollout, collector.targets)
        self.games = self._actors.played
        return self._learner.learn(self._buffers, spent)

    def weights(self) -> Weights:
        """A copy of what plays now."""
        return self._network.to_weights()

    def remember(self, name: str, weights: Weights) -> None:
        """Let a past self join the league."""
        self._actors.remember(name, FrozenNetwork.of(self._network.tables, weights, greedy=False))

    def state(self) -> State:
        """Return everything to go on from, but past selves."""
        arrays, values = states_of(self._parts())
        return arrays, values | {"decisions": self.decisions, "updates": self.updates}

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned, after all past selves have joined the league again.

        Raises:
            CheckpointError: The arrays are those of another network.
        """
        for name, part in self._parts().items():
            part.restore(arrays_below(f"{name}/", arrays), values[name])
        self.decisions, self.updates = values["decisions"], values["updates"]
        self.games = self._actors.played

    def close(self) -> None:
        """Nothing runs beside it."""

    def _parts(self) -> dict[str, Any]:
        buffers = zip(self._config.batches(), self._buffers, strict=True)
        return {
            "learner": self._learner,
            **self._actors.parts(),
            **{f"buffer_{batch.name}": buffer for batch, buffer in buffers},
        }
