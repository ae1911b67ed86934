"""The league: who sits at the seats that are not the learner's while it learns.

In a share of the games an opponent takes some of the seats: a compiled agent, a frozen policy, or a
past self of the learner. The more it wins there, the more often it is met again (prioritised
fictitious self-play, Vinyals et al. 2019), unless one of them has a fixed share. A table with one
of a kind and a table with three are counted apart: who plays well among its own kind may be lost
among others. All other seats are the learner's, and only they are learnt from.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_agents import AgentError, load_agent
from prico_agents.batch_players import NOBODY, BatchPlayers
from prico_agents.compiled import CompiledAgent
from prico_agents.heuristics.style import KINDS, Style, style_names
from prico_agents.neural.entity_inputs import RowRules
from prico_agents.neural.network import FORBIDDEN, best
from prico_agents.neural.policy import Policy, can_play, tables_of
from prico_env import Games, RuleSet
from prico_training.config import Config, Opponents
from prico_training.errors import ConfigError
from prico_training.learning.model import FrozenNetwork
from prico_training.learning.rollout import sample_actions

LEARNER: Final = -1
"""In `League.players`: a seat of the learner."""
SEED_STRIDE: Final = 1_000_003
"""Keeps the deals of one table apart from those of the next."""
_DECAY: Final = 0.99
"""Of the moving average of win rates, with every game."""
_LEAST_WIN_RATE: Final = 0.02
"""Whoever wins less than this is met as if it won so much: nobody is forgotten."""


class League:
    """The opponents, where they sit, and how they fare.

    Attributes:
        players: Who sits where, int64, shape ``(n, seats)``: `LEARNER`, or the number of an
            opponent: compiled agents first, then trained policies, then past selves, oldest first.
        names: Names of the opponents by number.
        num_lasting: How many opponents are no past selves; they are the first ones.
        win_rates: Moving average of each opponent's win rate, one row for each, and one column for
            each number of seats it may take, shape ``(opponents, seats - 1)``.
    """

    def __init__(
        self,
        settings: Opponents,
        agents: Mapping[str, CompiledAgent | FrozenNetwork],
        shape: tuple[int, int],
        seed: int,
    ) -> None:
        """Draw who sits where at first.

        Args:
            settings: How often who is met.
            agents: Compiled agents and trained policies by name, who never leave.
            shape: Games side by side, and seats of a game.
            seed: Decides who sits where and what opponents draw.
        """
        self._settings = settings
        self._generator = np.random.default_rng(seed)
        trained = {name: each for name, each in agents.items() if isinstance(each, FrozenNetwork)}
        compiled = {name: each for name, each in agents.items() if isinstance(each, CompiledAgent)}
        self._num_compiled = len(compiled)
        self.num_lasting = len(agents)
        self._compiled = BatchPlayers(list(compiled.values()), shape[0], seed)
        self._networks = list(trained.values())
        self.names = [*compiled, *trained]
        self._even = np.arange(1, shape[1]) / shape[1]
        self.win_rates = np.tile(self._even, (len(agents), 1))
        self.players = np.full(shape, LEARNER, np.int64)
        self.seat(np.arange(shape[0]))

    def add(self, name: str, past: FrozenNetwork) -> None:
        """Let a past self join; if there are too many, the oldest leaves.

        Games in which the oldest was playing go on with the next one.

        Args:
            name: What to call it.
            past: What the learner was.
        """
        self._networks.append(past)
        self.names.append(name)
        self.win_rates = np.vstack([self.win_rates, self._even])
        if len(self.names) - self.num_lasting > self._settings.pool_size:
            oldest = self.num_lasting
            del self._networks[oldest - self._num_compiled], self.names[oldest]
            self.win_rates = np.delete(self.win_rates, oldest, axis=0)
            self.players[self.players > oldest] -= 1

    def act(self, games: Games, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Choose actions in games whose turn is an opponent's; return where it is not."""
        now = self.players[np.arange(len(games)), games.turn]
        self.choose(games, now, actions)
        is_learner: NDArray[np.bool_] = now == LEARNER
        return is_learner

    def choose(self, games: Games, now: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Choose actions where opponents are to decide.

        Args:
            games: The games.
            now: Who is to decide in each, as in `players`, shape ``(n,)``.
            actions: Receives theirs.
        """
        compiled = np.where(now < self._num_compiled, now, NOBODY)
        self._compiled.choose(games, compiled, actions)
        for number, network in enumerate(self._networks, self._num_compiled):
            rows = np.flatnonzero(now == number)
            if rows.size:
                actions[rows] = self._actions_of(network, games, rows)

    def finish(self, ended: NDArray[np.bool_], wins: NDArray[np.float32]) -> None:
        """Note who won, shape ``(n, seats)``, and draw who sits where in games dealt anew."""
        rows = np.flatnonzero(ended)
        for row in rows:
            self._average(self.players[row], wins[row])
        self.seat(rows)

    def seat(self, rows: NDArray[np.int64]) -> None:
        """Draw who plays in some games: in each at most one opponent, at one seat or more."""
        self.players[rows] = LEARNER
        if not self.names:
            return
        shares = self._shares()
        chosen = self._generator.choice(shares.size, len(rows), p=shares.ravel())
        opponents, others = np.divmod(chosen, self.win_rates.shape[1])
        met = self._generator.random(len(rows)) < self._settings.share
        for row, opponent, count in zip(rows[met], opponents[met], others[met] + 1, strict=True):
            seats = self._generator.permutation(self.players.shape[1])[:count]
            self.players[row, seats] = opponent

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return arrays and plain values to go on from; past selves are kept elsewhere."""
        arrays: dict[str, NDArray[Any]] = {
            "players": self.players,
            "win_rates": self.win_rates,
            "generators": self._compiled.generators,
        }
        return arrays, {"generator": self._generator.bit_generator.state}

    def restore(self, arrays: Mapping[str, NDArray[Any]], values: Mapping[str, Any]) -> None:
        """Go on from what `state` returned, after all past selves have joined again."""
        self.players[:] = arrays["players"]
        self.win_rates[:] = arrays["win_rates"]
        self._compiled.generators[:] = arrays["generators"]
        self._generator.bit_generator.state = values["generator"]

    def _shares(self) -> NDArray[np.float64]:
        """How often each opponent is met at each number of seats, shape as `win_rates`, sum 1."""
        weights = np.maximum(self.win_rates, _LEAST_WIN_RATE) ** self._settings.focus
        shares: NDArray[np.float64] = weights / weights.sum()
        if self._settings.main_agent in self.names:
            main = self.names.index(self._settings.main_agent)
            shares *= 1 - self._settings.main_share
            shares[main] = self._settings.main_share * weights[main] / weights[main].sum()
            shares /= shares.sum()
        return shares

    def _actions_of(
        self, network: FrozenNetwork, games: Games, rows: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Actions of a network in some games."""
        rules = RowRules.of(games)[rows]
        logits, masks = network.logits(games.observations[rows], rules), games.masks[rows]
        if network.greedy:
            return best(np.where(masks, logits, FORBIDDEN))
        return sample_actions(logits, masks, self._generator)[0]

    def _average(self, players: NDArray[np.int64], wins: NDArray[np.float32]) -> None:
        """Update the moving average of the opponent of a game."""
        theirs = players != LEARNER
        if not theirs.any():
            return
        here = players[theirs][0], theirs.sum() - 1
        self.win_rates[here] = _DECAY * self.win_rates[here] + (1 - _DECAY) * wins[theirs].sum()


def make_leagues(config: Config) -> list[League]:
    """Seat the opponents of the settings at each table.

    Raises:
        ConfigError: One of them is neither a compiled agent nor a trained policy for the game.
    """
    agents = {name: _opponent(name, config) for name in config.opponents.agents}
    return [
        League(
            config.opponents,
            {
                name: one
                for name, (one, known) in agents.items()
                if known.issuperset(batch.rule_sets)
            },
            (len(batch.rules), batch.players),
            config.seed + number * SEED_STRIDE,
        )
        for number, batch in enumerate(config.batches())
    ]


def _opponent(
    name: str, config: Config
) -> tuple[CompiledAgent | FrozenNetwork, frozenset[RuleSet]]:
    """Find an opponent, and by which rules it plays.

    A trained policy is met at the tables that it has learnt to play at; it must have learnt `game`,
    and all of it if there is nothing else.
    """
    agent, rule_sets = _load(name, "opponents.agents"), config.rule_sets
    if isinstance(agent, CompiledAgent):
        return agent, frozenset(rule_sets)
    if not isinstance(agent, Policy):
        raise ConfigError(
            "opponents.agents must name compiled players, such as planner or corn, or trained "
            f"policies, not {name!r}"
        )
    needed = (config.game,) if config.games else rule_sets
    known = frozenset(rules for rules in rule_sets if can_play(agent.saved, rules))
    return _frozen(agent, name, "opponents.agents", needed), known


def reference_networks(config: Config) -> list[FrozenNetwork]:
    """The trained policies that PPO is kept near.

    Raises:
        ConfigError: One of them is no trained policy, or does not know all that is learnt.
    """
    setting, networks = "ppo.reference", []
    for name in config.ppo.reference:
        agent = _load(name, setting)
        if not isinstance(agent, Policy):
            raise ConfigError(f"{setting} must name trained policies, not {name!r}")
        networks.append(_frozen(agent, name, setting, config.rule_sets))
    return networks


def _frozen(agent: Policy, name: str, setting: str, needed: Iterable[RuleSet]) -> FrozenNetwork:
    """The network of a policy that plays by certain rules."""
    for rules in needed:
        if not can_play(agent.saved, rules):
            raise ConfigError(f"{setting}: {name!r} has not learnt to play {rules}")
    saved = agent.saved.renumbered()
    return FrozenNetwork.of(tables_of(saved), saved.weights, greedy=agent.greedy)


def compiled_agent(name: str, setting: str) -> CompiledAgent:
    """Find an agent that is quick enough to play along while a network learns.

    Raises:
        ConfigError: There is none of this name, or it is another kind of agent.
    """
    agent = _load(name, setting)
    if not isinstance(agent, CompiledAgent):
        raise ConfigError(
            f"{setting} must name compiled players, such as planner or corn, not {name!r}"
        )
    return agent


def _load(name: str, setting: str) -> object:
    try:
        agent = load_agent(name)
    except AgentError as error:
        raise ConfigError(f"{setting}: {error}") from None
    if isinstance(agent, Style) and agent.is_held_out:
        raise ConfigError(
            f"{setting}: {name!r} is held out, to measure with; train with styles such as "
            f"{style_names(held_out=False)[agent.number % len(KINDS)]!r}"
        )
    return agent
