"""Behaviour cloning: learn the actions of a teacher, and to predict how its games end."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from prico_agents.batch_players import Demonstrations, Demonstrator
from prico_agents.neural.entity_inputs import RowRules
from prico_training.config import BehaviourCloning, Config
from prico_training.errors import ConfigError
from prico_training.learning.distributed import ALONE, Ranks
from prico_training.learning.gradients import (
    CLONING_STATISTICS,
    CloningTargets,
    Gradients,
    cloning_gradients,
)
from prico_training.learning.league import SEED_STRIDE, compiled_agent
from prico_training.learning.model import LearningNetwork
from prico_training.learning.optimizer import Learner
from prico_training.learning.rollout import from_seat, margins

if TYPE_CHECKING:
    from prico_training.datasets import Dataset

_MAX_GRAD_NORM: Final = 1.0


class Teacher(Protocol):
    """Who shows how to play, batch after batch: a `Demonstrator`, or games of a data set."""

    def show(self, number: int) -> Demonstrations:
        """Give the batch of a number; the arrays may be overwritten by the next call."""


class BehaviourCloner(Learner):
    """A network that learns from demonstrations, batch after batch.

    A batch has a part of each teacher, and so has each gradient step. While the network learns from
    one batch, a thread lets the teachers play the next one.

    Attributes:
        batches: How many it has learnt from.
    """

    counters = ("batches",)

    def __init__(
        self,
        network: LearningNetwork,
        teachers: Sequence[Teacher],
        settings: BehaviourCloning,
        seed: int,
        ranks: Ranks = ALONE,
    ) -> None:
        """Start with the weights the network has.

        Args:
            network: What learns.
            teachers: Who plays the parts of a batch.
            settings: How it learns.
            seed: Decides how decisions are shuffled.
            ranks: Who learns the same, each from batches of its own.
        """
        super().__init__(network, settings, _MAX_GRAD_NORM, seed, ranks)
        self.batches = 0
        self._teachers = teachers
        self._settings = settings
        self._seed = seed
        self._thread = ThreadPoolExecutor(1)
        self._next: tuple[int, Future[list[Demonstrations]]] | None = None

    def fit_normalizer(self) -> None:
        """Fit the input normalizer of the network to the first batch; before all else."""
        self.network.fit_normalizer([part.observations for part in self._take(0)])

    def learn(self, spent: float) -> dict[str, float]:
        """Learn from the next batch.

        Args:
            spent: Share of the warm start that is over, 0 to 1.

        Returns:
            Figures by the names of `metrics`, and under ``decisions`` how many there were.
        """
        batch = self._take(self.batches)
        self._order(self.batches + 1)
        self._anneal(spent)
        steps = [self._gradient_step(parts) for parts in self._minibatches(batch)]
        self.batches += 1
        agreement, value_loss, entropy = np.mean(steps, axis=0).tolist()
        return {
            "decisions": sum(len(part.actions) for part in batch),
            "agreement": agreement,
            "value_loss": value_loss,
            "entropy": entropy,
            "learning_rate": self.learning_rate,
        }

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _order(self, number: int) -> None:
        """Have a batch played."""
        self._next = number, self._thread.submit(self._play, number)

    def _take(self, number: int) -> list[Demonstrations]:
        """Wait for a batch; it can be taken more than once."""
        if self._next is None or self._next[0] != number:
            self._order(number)
        assert self._next is not None
        return self._next[1].result()

    def _play(self, number: int) -> list[Demonstrations]:
        parts = (teacher.show(number) for teacher in self._teachers)
        return [
            part._replace(
                **{name: a.copy() for name, a in part._asdict().items() if name != "rules"}
            )
            for part in parts
        ]

    def _minibatches(
        self, batch: Sequence[Demonstrations]
    ) -> Iterator[list[tuple[Demonstrations, NDArray[np.int64]]]]:
        """Rows of each part of a batch for one gradient step; all ranks make as many steps."""
        generator = np.random.default_rng([self._seed, self.batches])
        orders = [generator.permutation(len(part.actions)) for part in batch]
        mean = int(self._ranks.sum(sum(map(len, orders))) / self._ranks.size)
        number = max(1, mean // self._settings.batch_size)
        for rows in zip(*(np.array_split(order, number) for order in orders), strict=True):
            yield list(zip(batch, rows, strict=True))

    def _gradient_step(
        self, parts: Sequence[tuple[Demonstrations, NDArray[np.int64]]]
    ) -> NDArray[np.float64]:
        """Make one gradient step; returns the means of `CLONING_STATISTICS`."""
        size = sum(len(rows) for _, rows in parts)
        num_taught = sum(int(part.taught[rows].sum()) for part, rows in parts)
        sums = np.zeros(len(CLONING_STATISTICS))
        with self._update():
            for part, rows in parts:
                if rows.size:
                    sums += self._add_gradients(part, rows, (num_taught, size))
        means: NDArray[np.float64] = sums / (max(1, num_taught), size, size)
        return means

    def _add_gradients(
        self, part: Demonstrations, rows: NDArray[np.int64], sizes: tuple[int, int]
    ) -> NDArray[np.float64]:
        """Accumulate the gradients of rows of a part of a minibatch; see `cloning_gradients`."""

        def differentiate(logits: NDArray[np.float32], values: NDArray[np.float32]) -> Gradients:
            returns = _outcomes(part, rows, values.shape[1])
            taught = part.taught[rows]
            targets = CloningTargets(part.masks[rows], part.actions[rows], taught, returns)
            return cloning_gradients(logits, values, targets, self._settings.vf_coef, sizes)

        rules = part.rules[part.games[rows]]
        return self._accumulate(part.observations[rows], rules, differentiate)


def _outcomes(
    batch: Demonstrations, rows: NDArray[np.int64], value_seats: int
) -> NDArray[np.float32]:
    """The return of each decision, shape ``(rows, value_seats, parts)``."""
    by_seat = np.stack([batch.shares, margins(batch.scores)], axis=2)[batch.games[rows]]
    return np.ascontiguousarray(from_seat(by_seat, batch.seats[rows])[:, :value_seats])


class RecordedTeacher:
    """Games of a data set, some row groups for a batch, in another order in each epoch."""

    def __init__(self, data: "Dataset", teacher: str, games: int, seed: int) -> None:
        """Read nothing yet.

        Args:
            data: The data set.
            teacher: The policy whose decisions are taught; all games teach how they end.
            games: Games of one batch, at most; at least a row group.
            seed: Decides, with the epoch, the order of row groups.
        """
        self._data = data
        self._teacher = [name == teacher for name in data.policies]
        groups = games * data.num_groups // data.num_games
        self._groups = min(data.num_groups, max(1, groups))
        self._seed = seed

    def show(self, number: int) -> Demonstrations:
        """Read the batch of a number."""
        epoch, batch = divmod(number, self._data.num_groups // self._groups)
        order = np.random.default_rng([self._seed, epoch]).permutation(self._data.num_groups)
        chosen = order[batch * self._groups : (batch + 1) * self._groups]
        rows = self._data.read_groups(chosen.tolist())
        _, games = np.unique(rows["game"], return_inverse=True)
        seats = rows["seat"]
        by_seat = (games.max() + 1, self._data.rules.players)
        shares, scores = np.zeros(by_seat, np.float32), np.zeros(by_seat, np.int16)
        shares[games, seats], scores[games, seats] = rows["win"], rows["score"]
        return Demonstrations(
            observations=rows["observation"],
            masks=rows["action_mask"],
            actions=rows["policy_action"],
            seats=seats,
            games=games.astype(np.int32),
            taught=np.array(self._teacher)[rows["policy"]],
            shares=shares,
            scores=scores,
            rules=RowRules((self._data.rules,), np.zeros(len(scores), np.int64)),
        )


def make_teachers(config: Config) -> Sequence[Teacher]:
    """Make the teachers of the settings, each of as many games as its tables have a share.

    Raises:
        ConfigError: One of them is no compiled agent, or the data set is of another game.
        DatasetError: There is no data set, or it is damaged.
    """
    settings = config.behaviour_cloning
    if settings.dataset:
        return [_recorded_teacher(config)]
    teacher = compiled_agent(settings.teacher, "behaviour_cloning.teacher")
    others = [compiled_agent(name, "behaviour_cloning.others") for name in settings.others]
    batches = config.batches()
    total = sum(len(batch.rules) for batch in batches)
    return [
        Demonstrator(
            batch.rules,
            teacher,
            others,
            max(1, round(settings.games * len(batch.rules) / total)),
            settings.epsilon,
            config.seed + number * SEED_STRIDE,
        )
        for number, batch in enumerate(batches)
    ]


def _recorded_teacher(config: Config) -> RecordedTeacher:
    from prico_training.datasets import Dataset

    settings = config.behaviour_cloning
    data = Dataset(settings.dataset)
    layout = data.rules.observation.feature_names
    if config.rule_sets != (data.rules,):
        raise ConfigError(
            f"behaviour_cloning.dataset holds games of {data.rules}, which is not what is learnt; "
            "write one with the rules of game, and leave games and self_play.players empty"
        )
    if data.feature_names != layout:
        raise ConfigError(
            f"{settings.dataset} was written with other features than this prico's; write it anew"
        )
    if settings.teacher not in data.policies:
        raise ConfigError(
            f"behaviour_cloning.teacher {settings.teacher!r} does not play in {settings.dataset}; "
            f"its policies are {', '.join(data.policies)}"
        )
    return RecordedTeacher(data, settings.teacher, settings.games, config.seed)
