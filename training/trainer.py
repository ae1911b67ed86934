"""What learns in a run, from the settings alone: the warm start, then PPO among the league."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from agents import AgentError, load_agent
from agents.compiled import CompiledAgent
from agents.neural.checkpoint import CheckpointError, load_policy
from agents.neural.policy import Policy, can_play
from agents.neural.tables import Tables
from prico_env import RuleSet
from training.compiled_players import Teachers
from training.config import Config, ConfigError, at_table
from training.imitation import Imitator
from training.league import League
from training.model import ActorCritic, Frozen, device_of
from training.ppo import Learner
from training.rollout import Collector

Weights = dict[str, NDArray[np.float32]]
State = tuple[dict[str, NDArray[Any]], dict[str, Any]]
"""Arrays by name and plain values, from which something goes on."""

_SEED_STRIDE: Final = 1_000_003
"""Keeps the deals of one table apart from those of the next."""
_FIRST_LOOK: Final = (32, 300)
"""Games, and decisions of each, in which a network without teachers sees how features vary."""


class Trainer(Protocol):
    """What a run drives.

    Attributes:
        decisions: Decisions learnt from, teachers' and its own.
        games: Games finished while learning, without those of teachers.
        updates: How often the network learnt from a batch of decisions.
        league: Who else plays, at the table of the game that is asked for.
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

    def remember(self, name: str, weights: Weights) -> None:
        """Let what it was at some time join those who play along."""

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
        self._network = make_network(config)
        self._leagues = make_leagues(config)
        self.league = self._leagues[0]
        self._collectors = [
            Collector(
                rules,
                games,
                config.self_play.steps,
                self._network.num_judged,
                league,
                config.seed + number * _SEED_STRIDE,
            )
            for number, ((rules, games), league) in enumerate(
                zip(config.tables(), self._leagues, strict=True)
            )
        ]
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
        spent = (spent - warm_share) / max(1e-9, 1 - warm_share)
        hints = self._config.ppo.shaping * max(0.0, 1 - spent / self._config.ppo.shaping_share)
        for collector in self._collectors:
            collector.hints = hints
        rollouts = [collector.collect(self._network) for collector in self._collectors]
        figures = self._learner.learn(rollouts, spent)
        self.decisions += sum(int(rollout.mine.sum()) for rollout in rollouts)
        self.games = sum(collector.played for collector in self._collectors)
        return figures

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
        self.games = sum(collector.played for collector in self._collectors)

    def close(self) -> None:
        """Send the teachers home."""
        self._imitator.close()

    def _look(self) -> None:
        """Let the network see how features vary, in games like those it will learn from."""
        if self._config.imitation.share > 0:
            self._imitator.look()
        else:
            self._network.look_at([self._first_look(rules) for rules, _ in self._config.tables()])
        start_from(self._network, self._config)

    def _first_look(self, rules: RuleSet) -> NDArray[np.uint8]:
        games, steps = _FIRST_LOOK
        judged = self._network.num_judged
        first = Collector(rules, games, steps, judged, None, self._config.seed)
        seen = first.collect(self._network).observations
        return seen.reshape(games * steps, -1)

    def _parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = {"imitation": self._imitator, "learner": self._learner}
        for players, collector, league in zip(
            self._config.players, self._collectors, self._leagues, strict=True
        ):
            parts |= {f"games_{players}": collector, f"league_{players}": league}
        return parts


def make_trainer(config: Config) -> Trainer:
    """Make what the settings ask for.

    Raises:
        ConfigError: An opponent or teacher cannot be one.
    """
    if config.trainer == "ppo":
        return PpoTrainer(config)
    if config.trainer == "search":
        from training.improvement import SearchTrainer  # it is built of what is here

        return SearchTrainer(config)
    try:
        from training.maskable import MaskableTrainer
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"trainer=maskable_sb3 needs {error.name}, which is not installed: "
            "pip install 'prico[train]'"
        ) from None
    return MaskableTrainer(config)


def make_network(config: Config) -> ActorCritic:
    """Make the network of the settings.

    Raises:
        ConfigError: There is no such device, or the weights to start with do not fit.
    """
    network, largest = config.network, config.largest
    judged = largest.players if network.values == "all" else 1
    made = ActorCritic(largest, network.hidden, judged, network.half).to(device_of(config.device))
    start_from(made, config)
    return made


def start_from(network: ActorCritic, config: Config) -> None:
    """Give a network the weights that the settings let it start with, if they name any.

    Raises:
        ConfigError: They are those of another network.
    """
    if not config.network.start:
        return
    try:
        network.take_over(load_policy(config.network.start))
    except CheckpointError as error:
        raise ConfigError(f"network.start: {error}") from None


def make_leagues(config: Config) -> list[League]:
    """Seat the opponents of the settings at each table.

    Raises:
        ConfigError: One of them is neither a compiled player nor a trained policy for the game.
    """
    agents = {name: _opponent(name, config) for name in config.opponents.agents}
    return [
        League(
            config.opponents, agents, (games, rules.players), config.seed + number * _SEED_STRIDE
        )
        for number, (rules, games) in enumerate(config.tables())
    ]


def make_teachers(config: Config) -> list[Teachers]:
    """Call the teachers of the settings, as often for each table as its share says.

    Raises:
        ConfigError: One of them is no compiled player.
    """
    settings = config.imitation
    teacher = compiled_player(settings.teacher, "imitation.teacher")
    others = [compiled_player(name, "imitation.others") for name in settings.others]
    return [
        Teachers(
            at_table(config.game, players),
            teacher,
            others,
            settings.games,
            settings.slips,
            config.seed + number * _SEED_STRIDE,
        )
        for number, players in enumerate(config.self_play.players or (config.game.players,))
    ]


def _opponent(name: str, config: Config) -> CompiledAgent | Frozen:
    """Find an opponent: a compiled player, or a policy that has learnt to play at every table."""
    try:
        agent = load_agent(name)
    except AgentError as error:
        raise ConfigError(f"opponents.agents: {error}") from None
    if isinstance(agent, CompiledAgent):
        return agent
    if not isinstance(agent, Policy):
        raise ConfigError(
            "opponents.agents must name compiled players, such as planner or corn, or trained "
            f"policies, not {name!r}"
        )
    for rules, _ in config.tables():
        if not can_play(agent.saved, rules):
            raise ConfigError(f"opponents.agents: {name!r} has not learnt to play {rules}")
    return Frozen(Tables(agent.saved.rules), agent.saved.weights, greedy=agent.greedy)


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
