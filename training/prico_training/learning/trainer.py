"""What learns in a run, from the settings alone: the warm start, then PPO among the league."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from prico_agents import AgentError, load_agent
from prico_agents.batch_players import Demonstrator
from prico_agents.compiled import CompiledAgent
from prico_agents.neural.checkpoint import CheckpointError, load_policy
from prico_agents.neural.player_counts import PlayerCountAdapter
from prico_agents.neural.policy import Policy, can_play
from prico_env.catalog.model import PLAYER_COUNTS
from prico_training.config import Config, ConfigError, at_table
from prico_training.learning.behaviour_cloning import Imitator
from prico_training.learning.distributed import ALONE, Ranks
from prico_training.learning.league import League
from prico_training.learning.model import ActorCritic, Frozen, device_of
from prico_training.learning.ppo import Learner
from prico_training.learning.rollout import Collector, Rollout

Weights = dict[str, NDArray[np.float32]]
State = tuple[dict[str, NDArray[Any]], dict[str, Any]]
"""Arrays by name and plain values, from which something goes on."""

SEED_STRIDE: Final = 1_000_003
"""Keeps the deals of one table apart from those of the next."""
_RANK_STRIDE: Final = len(PLAYER_COUNTS) * SEED_STRIDE
"""Keeps the deals of all tables of one rank apart from those of the next."""
_SHARED: Final = ("imitation", "learner")
"""What is the same in all ranks: the network and what learns with it."""
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
            Figures by the names of `prico_training.learning.metrics`.
        """

    def weights(self) -> Weights:
        """A copy of what plays now, as a `PolicyValueNetwork` wants it."""

    def remember(self, name: str, weights: Weights) -> None:
        """Let what it was at some time join those who play along."""

    def state(self) -> State:
        """Return everything to go on from, but past selves."""

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned, after all past selves have joined the league again."""

    def close(self) -> None:
        """Let go of threads."""


class Hall:
    """The tables at which one process plays: the games of each, and who else sits there.

    Attributes:
        leagues: The opponents, for each table.
    """

    def __init__(self, config: Config, num_judged: int) -> None:
        """Deal the games.

        Args:
            config: The settings.
            num_judged: For how many seats the network judges at its largest table.
        """
        self.leagues = make_leagues(config)
        self._players = config.players
        self._collectors = [
            Collector(
                rules,
                games,
                config.self_play.steps,
                num_judged,
                league,
                config.seed + number * SEED_STRIDE,
            )
            for number, ((rules, games), league) in enumerate(
                zip(config.tables(), self.leagues, strict=True)
            )
        ]

    @property
    def played(self) -> int:
        """Games that have ended so far."""
        return sum(collector.played for collector in self._collectors)

    def play(self, network: ActorCritic, hints: float) -> list[Rollout]:
        """Play on at each table; what is returned is overwritten by the next call.

        Args:
            network: What plays at the learner's seats.
            hints: What is paid on the way; see `prico_training.learning.rollout.Collector.hints`.
        """
        for collector in self._collectors:
            collector.hints = hints
        return [collector.collect(network) for collector in self._collectors]

    def remember(self, name: str, past: Frozen) -> None:
        """Let a past self join each league."""
        for league in self.leagues:
            league.add(name, past)

    def close(self) -> None:
        """Let go of whoever plays elsewhere; here nobody does."""

    def parts(self) -> dict[str, Any]:
        """What must be kept for going on, by name."""
        parts: dict[str, Any] = {}
        for players, collector, league in zip(
            self._players, self._collectors, self.leagues, strict=True
        ):
            parts |= {f"games_{players}": collector, f"league_{players}": league}
        return parts


class PpoTrainer:
    """PPO for all seats; see `Trainer` and `prico_training.learning.ppo`.

    With several ranks each has games, opponents and teachers of its own.
    """

    def __init__(self, config: Config, ranks: Ranks = ALONE) -> None:
        """Deal the games and make a network with fresh weights."""
        torch.manual_seed(config.seed)
        self.decisions = 0
        self.games = 0
        self.updates = 0
        self._config = config
        self._ranks = ranks
        self._network = make_network(config)
        ranks.refuse_to_share(self._network.device)
        own = apart(config, ranks.rank)
        self._hall = make_hall(own, self._network.num_judged)
        self.league = self._hall.leagues[0]
        self._learner = Learner(self._network, config.ppo, config.seed, ranks)
        self._imitator = Imitator(
            self._network, make_teachers(own), config.imitation, config.seed, ranks
        )

    def learn(self, spent: float) -> dict[str, float]:
        """Have a lesson while the warm start lasts, then play and learn."""
        if self.updates == 0:
            self._look()
            self._ranks.share(self._network)
        self.updates += 1
        warm_share = self._config.imitation.share
        if spent < warm_share:
            figures = self._imitator.learn(spent / warm_share)
            self._count(figures.pop("decisions"))
            return figures
        spent = (spent - warm_share) / max(1e-9, 1 - warm_share)
        hints = self._config.ppo.shaping * max(0.0, 1 - spent / self._config.ppo.shaping_share)
        rollouts = self._hall.play(self._network, hints)
        figures = self._learner.learn(rollouts, spent)
        self._count(sum(int(rollout.mine.sum()) for rollout in rollouts))
        return figures

    def weights(self) -> Weights:
        """A copy of what plays now."""
        return self._network.to_weights()

    def remember(self, name: str, weights: Weights) -> None:
        """Let what it was at some time join the league."""
        self._hall.remember(name, Frozen(self._network.tables, weights, greedy=False))

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
            if name not in own:  # workers, in a run that began without them
                continue
            home = f"{name}/" if name in _SHARED else f"{_of_rank(self._ranks.rank)}{name}/"
            part.restore(arrays_below(home, arrays), own[name])
        self.decisions, self.updates = values["decisions"], values["updates"]
        self._count(0)

    def close(self) -> None:
        """Send teachers and workers home."""
        self._imitator.close()
        self._hall.close()

    def _look(self) -> None:
        """Let the network see how features vary, in games like those it will learn from."""
        if self._config.imitation.share > 0:
            self._imitator.look()
        else:
            look_around(self._network, self._config)
        start_from(self._network, self._config)

    def _count(self, decisions: float) -> None:
        """Count what all ranks have just learnt from, and the games they have played so far."""
        more, games = self._ranks.sum([decisions, self._hall.played]).tolist()
        self.decisions += int(more)
        self.games = int(games)

    def _parts(self) -> dict[str, Any]:
        return {"imitation": self._imitator, "learner": self._learner, **self._hall.parts()}


def states_of(parts: Mapping[str, Any]) -> State:
    """Arrays and plain values of several parts, arrays below the name of their part."""
    arrays: dict[str, NDArray[Any]] = {}
    values: dict[str, Any] = {}
    for name, part in parts.items():
        part_arrays, values[name] = part.state()
        arrays |= {f"{name}/{key}": array for key, array in part_arrays.items()}
    return arrays, values


def arrays_below(home: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin so, by the rest of their names."""
    return {key.removeprefix(home): array for key, array in arrays.items() if key.startswith(home)}


def make_hall(config: Config, num_judged: int) -> Hall:
    """Make the tables of the settings, here or with workers.

    Raises:
        ConfigError: There shall be workers, and no Ray is installed or there is no cluster.
    """
    if config.workers.count == 0:
        return Hall(config, num_judged)
    try:
        from prico_training.learning.ray_actors import Crew
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"workers.count={config.workers.count} needs {error.name}, which is not installed: "
            "pip install 'prico[ray]'"
        ) from None
    return Crew(config, num_judged)


def apart(config: Config, number: int) -> Config:
    """The same settings with deals and chances of their own, for one process of several."""
    return dataclasses.replace(config, seed=config.seed + number * _RANK_STRIDE)


def _of_rank(rank: int) -> str:
    """How the names of a rank's arrays begin in a checkpoint."""
    return f"rank_{rank}/" if rank else ""


def make_trainer(config: Config, ranks: Ranks = ALONE) -> Trainer:
    """Make what the settings ask for.

    Args:
        config: The settings.
        ranks: The processes that learn together.

    Raises:
        ConfigError: An opponent or teacher cannot be one.
    """
    if ranks.size > 1 and (config.trainer != "ppo" or config.workers.count):
        raise ConfigError("only trainer=ppo without workers can learn with several ranks")
    if config.trainer == "ppo":
        return PpoTrainer(config, ranks)
    if config.trainer == "search":
        from prico_training.learning.expert_iteration import (
            SearchTrainer,  # it is built of what is here
        )

        return SearchTrainer(config)
    try:
        from prico_training.learning.maskable_ppo import MaskableTrainer
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


def look_around(network: ActorCritic, config: Config) -> None:
    """Let a network see how features vary, in games that it plays with itself."""
    games, steps = _FIRST_LOOK
    seen = []
    for rules, _ in config.tables():
        first = Collector(rules, games, steps, network.num_judged, None, config.seed)
        seen.append(first.collect(network).observations.reshape(games * steps, -1))
    network.look_at(seen)


def make_leagues(config: Config) -> list[League]:
    """Seat the opponents of the settings at each table.

    Raises:
        ConfigError: One of them is neither a compiled player nor a trained policy for the game.
    """
    agents = {name: _opponent(name, config) for name in config.opponents.agents}
    return [
        League(config.opponents, agents, (games, rules.players), config.seed + number * SEED_STRIDE)
        for number, (rules, games) in enumerate(config.tables())
    ]


def make_teachers(config: Config) -> list[Demonstrator]:
    """Call the teachers of the settings, as often for each table as its share says.

    Raises:
        ConfigError: One of them is no compiled player.
    """
    settings = config.imitation
    teacher = compiled_player(settings.teacher, "imitation.teacher")
    others = [compiled_player(name, "imitation.others") for name in settings.others]
    return [
        Demonstrator(
            at_table(config.game, players),
            teacher,
            others,
            settings.games,
            settings.slips,
            config.seed + number * SEED_STRIDE,
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
    saved = agent.saved.renumbered()
    return Frozen(PlayerCountAdapter(saved.rules), saved.weights, greedy=agent.greedy)


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
