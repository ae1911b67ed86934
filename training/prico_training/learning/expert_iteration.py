"""Learning from what a search finds: play with it, learn to play so without it, and search again.

Expert iteration (Anthony et al. 2017) with the search of AlphaZero (Silver et al. 2018). Games are
played side by side. In some of the decisions the network looks ahead: a tree is searched that it
proposes moves for and judges the leaves of. It then learns to like what the search found good, and
to foresee how games end. All other decisions are drawn from what it likes, which
costs next to nothing, so that more games are seen to their end (Wu 2019, "playout cap
randomization").

What it learns to like is one of two things. ``visits``: moves as often as the search tried them, as
AlphaZero does. ``values``: what it liked before, moved towards moves that brought more than others
in the search (Danihelka et al. 2022). After few simulations visits say little but which
moves were tried at all, and a network that has learnt to choose sharply unlearns that from them.

Opponents of the league sit at the table as they do in PPO, and are not learnt from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from prico_agents.search.batched import BatchedSearch, SearchSummary
from prico_agents.search.simulation import new_search_params
from prico_env import Games, RuleSet
from prico_training.config import Config, Searching
from prico_training.learning import losses
from prico_training.learning.model import ActorCritic, Frozen, bring_back, keep
from prico_training.learning.rollout import PARTS, Collector, Guests, Rollout, Thinker, from_seat
from prico_training.learning.schedule import left_after, set_rate
from prico_training.learning.trainer import (
    SEED_STRIDE,
    State,
    Weights,
    arrays_below,
    look_around,
    make_leagues,
    make_network,
    start_from,
    states_of,
)

_MAX_GRADIENT: Final = 1.0
_DOUBT: Final = 3.0
"""Trials of a move that are needed to believe half of what they say."""
_EVENNESS: Final = 10.0
"""Noise at the root is drawn with this concentration, shared by the allowed moves: as much as the
0.3 for each of some 30 moves of chess (Silver et al. 2018)."""


class Judge:
    """A network that learns, as a search asks it; see `prico_agents.neural.network.Evaluator`."""

    def __init__(self, network: ActorCritic) -> None:
        """Ask this network, as it is at every moment."""
        self.judges_own_seat = network.num_judged == 1
        self._network = network

    @torch.no_grad()
    def evaluate(
        self, observations: NDArray[np.uint8], legal: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Judge positions."""
        logits, values = self._network(observations)
        masks = torch.from_numpy(legal).to(logits.device)
        priors = torch.softmax(losses.log_probabilities(logits, masks), dim=1)
        return priors.cpu().numpy(), values[:, :, 0].clamp(0, 1).cpu().numpy()


# -- playing ---------------------------------------------------------------------------------------


class Explorer(Collector):
    """Plays games on and on, and searches for some of the decisions.

    Attributes:
        network: What searches, as it is at every moment.
        targets: How much it is to like each action, in the decisions of the last call of
            `explore`; not at all where it did not search. float16, shape
            ``(steps, games, num_actions)``.
    """

    def __init__(
        self,
        rules: RuleSet,
        shape: tuple[int, int],
        network: ActorCritic,
        guests: Guests | None,
        settings: Searching,
        seed: int,
    ) -> None:
        """Deal the games.

        Args:
            rules: What is played.
            shape: Games side by side, and decisions of each in a rollout.
            network: What searches.
            guests: Who plays the seats that are not the learner's.
            settings: How it searches.
            seed: Decides the deals and what is drawn.
        """
        n, steps = shape
        super().__init__(rules, n, steps, network.num_judged, guests, seed)
        self.targets = np.zeros((steps, n, rules.num_actions), np.float16)
        self.network = network
        self._settings = settings
        self._judge = Judge(network)
        manner = new_search_params(settings.branch, settings.elsewhere, settings.exploration)
        self._search = BatchedSearch(rules, manner, n, settings.simulations, settings.leaves, seed)

    def explore(self) -> Rollout:
        """Play on for a rollout."""
        return self.collect(self.network)

    def state(self) -> State:
        """Return arrays and plain values to go on from, between two rollouts."""
        arrays, values = super().state()
        return arrays | {"search": self._search.generator}, values

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        super().restore(arrays, values)
        self._search.generator[:] = arrays["search"]

    def _decide(self, network: Thinker, step: int) -> None:
        """Choose an action in each game, after a search in some."""
        super()._decide(network, step)
        into, games = self.rollout, self.games
        chosen = self._generator.random(len(games)) < self._settings.share
        rows = np.flatnonzero(chosen & into.mine[step] & (games.num_legal > 1))
        self.targets[step] = 0
        if not rows.size:
            return
        noise = self._settings.noise, self._draw_noise(games.masks[rows])
        found = self._search.search(self._judge, games.state, rows, noise)
        targets = self._make_targets(found)
        self.targets[step, rows] = targets
        into.actions[step, rows] = self._choose(targets, games.state["round"][rows])

    def _make_targets(self, found: SearchSummary) -> NDArray[np.float64]:
        """How much each action is to be liked; rows sum to 1."""
        if self._settings.target == "visits":
            return found.visits / found.visits.sum(axis=1, keepdims=True)
        belief = found.visits / (found.visits + _DOUBT)
        gains = belief * (found.qvalues - found.values[:, None])
        gains -= np.where(found.priors > 0, gains, -np.inf).max(axis=1, keepdims=True)
        targets = found.priors * np.exp(self._settings.sharpness * np.minimum(gains, 0))
        return targets / targets.sum(axis=1, keepdims=True)

    def _choose(self, targets: NDArray[np.float64], rounds: NDArray[Any]) -> NDArray[np.int64]:
        """The moves to be liked best; in the opening they are drawn."""
        opening = rounds <= self._settings.opening
        heaps = targets.cumsum(axis=1)
        lots = self._generator.random(len(targets)) * heaps[:, -1]
        drawn = (heaps > lots[:, None]).argmax(axis=1)
        return np.where(opening, drawn, targets.argmax(axis=1))

    def _draw_noise(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Draw how promising allowed moves look by chance (Dirichlet); rows sum to 1."""
        concentration = np.where(masks, _EVENNESS / masks.sum(axis=1, keepdims=True), 0.0)
        noise = self._generator.standard_gamma(concentration)
        return noise / noise.sum(axis=1, keepdims=True)


# -- remembering -----------------------------------------------------------------------------------


class Window:
    """The last decisions that were searched, and what their games came to.

    Attributes:
        noted: Decisions noted so far.
        known: Decisions noted so far of games that have ended.
    """

    def __init__(self, games: Games, size: int) -> None:
        """Make room.

        Args:
            games: What is played.
            size: Decisions that are remembered.
        """
        seats, actions = games.num_seats, games.num_actions
        self.noted = 0
        self.known = 0
        self._size = size
        self._arrays: dict[str, NDArray[Any]] = {
            "observations": np.zeros((size, games.layout.num_features), np.uint8),
            "masks": np.zeros((size, -(-actions // 8)), np.uint8),
            "targets": np.zeros((size, actions), np.float16),
            "seats": np.zeros(size, np.int8),
            "games": np.zeros(size, np.int32),
            "outcomes": np.zeros((size, seats, len(PARTS)), np.float32),
            "ended": np.zeros(size, np.bool_),
        }

    def note(self, rollout: Rollout, targets: NDArray[np.float16]) -> int:
        """Note the decisions of a rollout that were searched; returns how many they were."""
        before = self.noted
        for step in range(len(targets)):
            rows = np.flatnonzero(targets[step].any(axis=1))
            self._write(
                observations=rollout.observations[step, rows],
                masks=rollout.masks[step, rows],
                targets=targets[step, rows],
                seats=rollout.seats[step, rows],
                games=rows.astype(np.int32),
            )
            for game in np.flatnonzero(rollout.ended[step]).tolist():
                self._finish(game, rollout.rewards[step, game])
        return self.noted - before

    def draw(self, generator: np.random.Generator, count: int) -> "Decisions":
        """Draw decisions of games that have ended, any of them as likely as the others."""
        ended = np.flatnonzero(self._arrays["ended"])
        rows = generator.choice(ended, count)
        targets = self._arrays["targets"][rows].astype(np.float32)
        bits = self._arrays["masks"][rows]
        seats = self._arrays["seats"][rows]
        return Decisions(
            observations=self._arrays["observations"][rows],
            masks=np.unpackbits(bits, axis=1, count=targets.shape[1]).view(np.bool_),
            targets=targets / targets.sum(axis=1, keepdims=True),
            outcomes=from_seat(self._arrays["outcomes"][rows], seats),
        )

    def state(self) -> State:
        """Return arrays and plain values to go on from."""
        filled = min(self.noted, self._size)
        arrays = {name: array[:filled] for name, array in self._arrays.items()}
        return arrays, {"noted": self.noted, "known": self.known}

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned."""
        self.noted, self.known = values["noted"], values["known"]
        for name, array in arrays.items():
            self._arrays[name][: len(array)] = array

    def _write(self, **notes: NDArray[Any]) -> None:
        """Write rows over the oldest ones."""
        count = len(notes["seats"])
        places = (self.noted + np.arange(count)) % self._size
        for name, rows in notes.items():
            self._arrays[name][places] = rows
        self._arrays["ended"][places] = False
        self.noted += count

    def _finish(self, game: int, outcome: NDArray[np.float32]) -> None:
        """Note what a game has come to."""
        filled = min(self.noted, self._size)
        open_still = ~self._arrays["ended"][:filled] & (self._arrays["games"][:filled] == game)
        rows = np.flatnonzero(open_still)
        self._arrays["outcomes"][rows] = outcome
        self._arrays["ended"][rows] = True
        self.known += len(rows)


@dataclass(frozen=True)
class Decisions:
    """Decisions to learn from, one row each.

    Attributes:
        observations: What the seat to act saw, uint8, shape ``(rows, num_features)``.
        masks: What it might do, bool, shape ``(rows, num_actions)``.
        targets: How much it is to be liked, float32; rows sum to 1.
        outcomes: What its game came to, float32, shape ``(rows, seats, parts)``, its own seat
            being the first.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    targets: NDArray[np.float32]
    outcomes: NDArray[np.float32]


# -- learning --------------------------------------------------------------------------------------


class Student:
    """A network that learns from searches, and what it remembers of its steps."""

    def __init__(self, network: ActorCritic, settings: Searching, seed: int) -> None:
        """Start with the weights the network has.

        Args:
            network: What learns.
            settings: How.
            seed: Decides which decisions are learnt from.
        """
        self._network = network
        self._settings = settings
        self._generator = np.random.default_rng(seed)
        self._steps = 0
        self._optimizer = torch.optim.Adam(
            network.parameters(), lr=settings.learning_rate, fused=True
        )

    def learn(self, windows: Sequence[Window], spent: float) -> dict[str, float]:
        """Make as many gradient steps as the decisions that came since the last ones allow.

        Args:
            windows: Decisions of each table.
            spent: Share of the budget that is used, 0 to 1.

        Returns:
            Figures by the names of `metrics`; none before a first game has ended.
        """
        left = left_after(spent)
        rate = self._settings.learning_rate * left
        set_rate(self._optimizer, rate)
        known = sum(window.known for window in windows)
        allowed = int(known * self._settings.reuse / self._settings.minibatch)
        notes = [self._step(self._draw(windows)) for _ in range(self._steps, allowed)]
        self._steps = max(self._steps, allowed)
        if not notes:
            return {}
        agreement, error, openness = torch.stack(notes).mean(dim=0).tolist()
        return {
            "agreement": agreement,
            "value_error": error,
            "entropy": openness,
            "learning_rate": rate,
        }

    def state(self) -> State:
        """Return arrays and plain values to go on from: weights, and what the steps remember."""
        values = {"generator": self._generator.bit_generator.state, "steps": self._steps}
        return keep(self._network, self._optimizer), values

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned.

        Raises:
            CheckpointError: The arrays are those of another network.
        """
        bring_back(self._network, self._optimizer, arrays)
        self._generator.bit_generator.state = values["generator"]
        self._steps = values["steps"]

    def _draw(self, windows: Sequence[Window]) -> list[Decisions]:
        """Draw one minibatch: of each table as large a share as it has known decisions."""
        known = np.array([window.known for window in windows])
        counts = np.round(self._settings.minibatch * known / known.sum()).astype(int)
        return [
            window.draw(self._generator, count)
            for window, count in zip(windows, counts, strict=True)
            if count
        ]

    def _step(self, parts: Sequence[Decisions]) -> Tensor:
        """Make one gradient step; returns agreement, the error of the values, and entropy."""
        self._optimizer.zero_grad(set_to_none=False)
        size = sum(len(part.targets) for part in parts)
        notes = torch.zeros(3)
        for part in parts:
            loss, part_notes = self._loss(part)
            torch.autograd.backward(loss.sum() / size)
            notes += part_notes.cpu() * (len(part.targets) / size)
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), _MAX_GRADIENT)
        self._optimizer.step()
        return notes

    def _loss(self, part: Decisions) -> tuple[Tensor, Tensor]:
        """Return the loss of each decision, and the figures that `_step` returns."""
        logits, values = self._network(part.observations)
        masks, targets, outcomes = (
            torch.from_numpy(array).to(logits.device)
            for array in (
                part.masks,
                part.targets,
                np.ascontiguousarray(part.outcomes[:, : values.shape[1]]),
            )
        )
        log_probs = losses.log_probabilities(logits, masks)
        error = losses.squared_error(values, outcomes)
        surprise = -(targets * log_probs).sum(dim=1)
        loss = surprise + self._settings.value_loss * error
        with torch.no_grad():
            same = (log_probs.argmax(dim=1) == targets.argmax(dim=1)).float().mean()
            return loss, torch.stack([same, error.mean(), losses.entropy(log_probs).mean()])


# -- the trainer -----------------------------------------------------------------------------------


class SearchTrainer:
    """A network that improves by looking ahead; see `prico_training.learning.trainer.Trainer`."""

    def __init__(self, config: Config) -> None:
        """Deal the games and make a network."""
        torch.manual_seed(config.seed)
        self.decisions = 0
        self.games = 0
        self.updates = 0
        self._config = config
        self._network = make_network(config)
        look_around(self._network, config)
        start_from(self._network, config)
        self._leagues = make_leagues(config)
        self.league = self._leagues[0]
        self._explorers = [
            Explorer(
                rules,
                (games, config.self_play.steps),
                self._network,
                league,
                config.search,
                config.seed + number * SEED_STRIDE,
            )
            for number, ((rules, games), league) in enumerate(
                zip(config.tables(), self._leagues, strict=True)
            )
        ]
        total = sum(len(each.games) for each in self._explorers)
        self._windows = [
            Window(each.games, config.search.window * len(each.games) // total)
            for each in self._explorers
        ]
        self._student = Student(self._network, config.search, config.seed)

    def learn(self, spent: float) -> dict[str, float]:
        """Play with the search, then learn from what it found."""
        self.updates += 1
        for explorer, window in zip(self._explorers, self._windows, strict=True):
            self.decisions += window.note(explorer.explore(), explorer.targets)
        self.games = sum(explorer.played for explorer in self._explorers)
        return self._student.learn(self._windows, spent)

    def weights(self) -> Weights:
        """A copy of what plays now."""
        return self._network.to_weights()

    def remember(self, name: str, weights: Weights) -> None:
        """Let what it was at some time join the league."""
        past = Frozen(self._network.tables, weights, greedy=False)
        for league in self._leagues:
            league.add(name, past)

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
        self.games = sum(explorer.played for explorer in self._explorers)

    def close(self) -> None:
        """Nothing runs beside it."""

    def _parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = {"student": self._student}
        for players, explorer, window, league in zip(
            self._config.players, self._explorers, self._windows, self._leagues, strict=True
        ):
            parts |= {
                f"games_{players}": explorer,
                f"window_{players}": window,
                f"league_{players}": league,
            }
        return parts
