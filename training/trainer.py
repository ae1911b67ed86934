"""What learns in a run, from the settings alone: the warm start, then PPO among the league."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from agents import AgentError, load_agent
from agents.compiled import CompiledAgent
from training.compiled_players import Teachers
from training.config import Config, ConfigError
from training.imitation import Imitator
from training.league import League
from training.model import ActorCritic
from training.ppo import Learner
from training.rollout import Collector

Weights = dict[str, NDArray[np.float32]]
State = tuple[dict[str, NDArray[Any]], dict[str, Any]]
"""Arrays by name and plain values, from which something goes on."""

_FIRST_LOOK: Final = (32, 300)
"""Games, and decisions of each, in which a network without teachers sees how features vary."""


class Trainer(Protocol):
    """What a run drives.

    Attributes:
        decisions: Decisions learnt from, teachers' and its own.
        games: Games finished while learning, without those of teachers.
        updates: How often the network learnt from a batch of decisions.
        league: Who else plays.
    """

    decisions: int
    games: int
    updates: int
    league: League

    def learn(self, spent: float) -> dict[str, float]:
        """Play and learn once; ``spent`` is the share of the budget that is used.

        Returns:
            Figures by the names of `training.metrics`.
        """

    def weights(self) -> Weights:
        """A copy of what plays now, as `agents.neural.network.Network` wants it."""

    def state(self) -> State:
        """Return everything to go on from, but past selves."""

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned, after all past selves have joined the league again."""

    def close(self) -> None:
        """Let go of threads."""


class PpoTrainer:
    """PPO for all seats; see `Trainer` and `training.ppo`."""

    def __init__(self, config: Config) -> None:
        """Deal the games and make a network with fresh weights."""
        torch.manual_seed(config.seed)
        self.decisions = 0
        self.games = 0
        self.updates = 0
        self._config = config
        judged = config.game.players if config.network.values == "all" else 1
        self._network = ActorCritic(config.game, config.network.hidden, judged, config.network.half)
        self.league = make_league(config)
        self._collector = Collector(
            config.game,
            config.self_play.games,
            config.self_play.steps,
            judged,
            self.league,
            config.seed,
        )
        self._learner = Learner(self._network, config.ppo, config.seed)
        self._imitator = Imitator(
            self._network, make_teachers(config), config.imitation, config.seed
        )

    def learn(self, spent: float) -> dict[str, float]:
        """Have a lesson while the warm start lasts, then play and learn."""
        if self.updates == 0:
            self._look()
        self.updates += 1
        warm_share = self._config.imitation.share
        if spent < warm_share:
            figures = self._imitator.learn(spent / warm_share)
            self.decisions += int(figures.pop("decisions"))
            return figures
        rollout = self._collector.collect(self._network)
        figures = self._learner.learn(rollout, (spent - warm_share) / max(1e-9, 1 - warm_share))
        self.decisions += int(rollout.mine.sum())
        self.games = self._collector.played
        return figures

    def weights(self) -> Weights:
        """A copy of what plays now."""
        return self._network.to_weights()

    def state(self) -> State:
        """Return everything to go on from, but past selves."""
        arrays: dict[str, NDArray[Any]] = {}
        values: dict[str, Any] = {"decisions": self.decisions, "updates": self.updates}
        for name, part in self._parts().items():
            part_arrays, values[name] = part.state()
            arrays |= {f"{name}/{key}": array for key, array in part_arrays.items()}
        return arrays, values

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned, after all past selves have joined the league again."""
        for name, part in self._parts().items():
            own = {
                key.removeprefix(f"{name}/"): array
                for key, array in arrays.items()
                if key.startswith(f"{name}/")
            }
            part.restore(own, values[name])
        self.decisions, self.updates = values["decisions"], values["updates"]
        self.games = self._collector.played

    def close(self) -> None:
        """Send the teachers home."""
        self._imitator.close()

    def _look(self) -> None:
        """Let the network see how features vary, in games like those it will learn from."""
        if self._config.imitation.share > 0:
            self._imitator.look()
            return
        games, steps = _FIRST_LOOK
        judged = self._network.num_judged
        first = Collector(self._config.game, games, steps, judged, None, self._config.seed)
        seen = first.collect(self._network).observations
        self._network.look_at(seen.reshape(games * steps, -1))

    def _parts(self) -> dict[str, Any]:
        return {
            "imitation": self._imitator,
            "learner": self._learner,
            "games": self._collector,
            "league": self.league,
        }


def make_trainer(config: Config) -> Trainer:
    """Make what the settings ask for.

    Raises:
        ConfigError: An opponent or teacher cannot be one.
    """
    if config.trainer == "ppo":
        return PpoTrainer(config)
    try:
        from training.maskable import MaskableTrainer
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"trainer=maskable_sb3 needs {error.name}, which is not installed: "
            "pip install 'prico[train]'"
        ) from None
    return MaskableTrainer(config)


def make_league(config: Config) -> League:
    """Seat the opponents of the settings.

    Raises:
        ConfigError: One of them is no compiled player.
    """
    agents = {name: compiled_player(name, "opponents.agents") for name in config.opponents.agents}
    shape = config.self_play.games, config.game.players
    return League(config.opponents, agents, shape, config.seed)


def make_teachers(config: Config) -> Teachers:
    """Call the teachers of the settings.

    Raises:
        ConfigError: One of them is no compiled player.
    """
    settings = config.imitation
    return Teachers(
        config.game,
        compiled_player(settings.teacher, "imitation.teacher"),
        [compiled_player(name, "imitation.others") for name in settings.others],
        settings.games,
        settings.slips,
        config.seed,
    )


def compiled_player(name: str, setting: str) -> CompiledAgent:
    """Find a player that is quick enough to play along while a network learns.

    Raises:
        ConfigError: There is none of this name, or it is another kind of player.
    """
    try:
        agent = load_agent(name)
    except AgentError as error:
        raise ConfigError(f"{setting}: {error}") from None
    if not isinstance(agent, CompiledAgent):
        raise ConfigError(
            f"{setting} must name compiled players, such as planner or corn, not {name!r}"
        )
    return agent
