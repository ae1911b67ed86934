"""Win probabilities that a network gives while it plays, and how these games end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prico_agents import Agent, BatchAgent
from prico_agents.batch_players import NOBODY, AgentOpponent, BatchPlayers
from prico_agents.compiled import CompiledAgent
from prico_agents.neural.network import win_probabilities
from prico_agents.neural.policy import Policy
from prico_env import Games, RuleSet
from prico_env.batch import LEAVE
from prico_env.errors import PricoError
from prico_training.arena.counterfactual import win_shares

SEED: Final = 3_000_000_000
"""First deal; training, its learning curve and its ranking never get there."""
EVERY: Final = 4
"""Of so many decisions of a game one is noted: those next to each other tell much the same."""


class ReliabilityError(PricoError):
    """Forecasts were asked of somebody who makes none, or in games that cannot be played."""


@dataclass(frozen=True)
class Forecasts:
    """What a network forecast at decisions of its own, in games of one rule set.

    Seats are in the order in which the network sees them: its own first, then clockwise.

    Attributes:
        rules: What was played.
        forecasts: Win probability of each seat, float64, shape ``(decisions, seats)``.
        shares: What each of them got of the win, float64, shape ``(decisions, seats)``.
        rounds: The round of each decision, from 1, int64, shape ``(decisions,)``.
        games: The number of its game, from 0, int64, likewise.
        deals: The number of its deal, from 0, int64, likewise.
    """

    rules: RuleSet
    forecasts: NDArray[np.float64]
    shares: NDArray[np.float64]
    rounds: NDArray[np.int64]
    games: NDArray[np.int64]
    deals: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_]) -> "Forecasts":
        """Those of some decisions, bool, shape ``(decisions,)``."""
        return Forecasts(
            self.rules,
            self.forecasts[chosen],
            self.shares[chosen],
            self.rounds[chosen],
            self.games[chosen],
            self.deals[chosen],
        )


def collect_forecasts(
    policy: Policy,
    opponents: Sequence[Agent],
    rules: RuleSet,
    deals: int,
    seed: int = SEED,
    every: int = EVERY,
) -> Forecasts:
    """Play each deal with a network at every seat, and note what it forecasts.

    Games that are cut off have no winner and are left out.

    Args:
        policy: The network, which must have a value head.
        opponents: Who takes the other seats, by turns: clockwise from the network, beginning one
            later in each deal.
        rules: What is played.
        deals: How many deals.
        seed: The first deal; also decides what players draw.
        every: Of so many decisions of a game one is noted, beginning at another one for each seat.

    Raises:
        AgentError: Somebody cannot play this rule set.
        ReliabilityError: All games were cut off.
    """
    dealt = Games(rules, deals, seed=seed, threads=1)
    games = dealt.take(np.repeat(np.arange(deals), rules.players))
    seats = np.tile(np.arange(rules.players), deals)
    policy.reset(0, rules, seed)
    others = _Others(opponents, games, seats, seed)
    decided = seats.copy()
    noted: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]] = []
    while not games.over.all():
        actions = others.choose(games)
        own = np.flatnonzero(games.turn == seats)
        actions[own] = policy.act_batch(games.observations[own], games.masks[own])
        rows = own[decided[own] % every == 0]
        decided[own] += 1
        if len(rows):
            rounds = games.state["round"][rows].astype(np.int64)
            noted.append((rows, rounds, _forecasts(policy, games, rows)))
        games.step(actions)
    rows, rounds, forecasts = (np.concatenate(parts) for parts in zip(*noted, strict=True))
    clockwise = (seats[:, None] + np.arange(rules.players)) % rules.players
    shares = np.take_along_axis(win_shares(games), clockwise, axis=1)[rows]
    found = Forecasts(rules, forecasts, shares, rounds, rows, rows // rules.players)
    found = found.where(~games.truncated[rows])
    if not len(found.games):
        raise ReliabilityError(
            f"all games of {rules} were cut off, so nobody won; allow more rounds"
        )
    return found


def _forecasts(policy: Policy, games: Games, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Win probabilities of the seats of some games, those to act first.

    A network that judges for the seat that sees alone is asked for each seat, as a search does.
    """
    players, network = games.num_seats, policy.network
    views = range(players if network.judges_own_seat else 1)
    turn = np.maximum(games.turn, 0)  # a game that is over has none, and is not asked
    seen = [games.observe((turn + view) % players)[rows] for view in views]
    legal = np.repeat(games.masks[rows], len(seen), axis=0)
    _, values = network.evaluate(np.stack(seen, axis=1).reshape(len(legal), -1), legal)
    if values is None:
        raise ReliabilityError("this policy has no value head, so it forecasts nothing")
    return win_probabilities(values.reshape(len(rows), players))


class _Others:
    """Everybody else at the tables of a network."""

    def __init__(
        self, agents: Sequence[Agent], games: Games, seats: NDArray[np.int64], seed: int
    ) -> None:
        """Seat them.

        Args:
            agents: Who they are.
            games: The games, all of the same rule set.
            seats: The network's seat in each, shape ``(games,)``.
            seed: Decides what they draw.
        """
        players = games.num_seats
        here, deals = np.arange(players), np.arange(len(games)) // players
        behind = (here - seats[:, None]) % players
        self._line_ups = (deals[:, None] + behind - 1) % len(agents)
        self._line_ups[behind == 0] = NOBODY
        compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
        self._compiled = BatchPlayers(compiled, len(games), seed) if compiled else None
        numbers = [NOBODY] * (len(agents) + 1)  # the last one is that of nobody
        self._batched: dict[int, BatchAgent] = {}
        self._single: dict[int, AgentOpponent] = {}
        for number, agent in enumerate(agents):
            agent.reset(0, games.rule_sets[0], seed)
            if isinstance(agent, CompiledAgent):
                numbers[number] = compiled.index(agent)
            elif isinstance(agent, BatchAgent):
                self._batched[number] = agent
            else:
                self._single[number] = AgentOpponent(agent)
        self._numbers = np.array(numbers, np.int64)
        self._chance = np.random.default_rng(seed)

    def choose(self, games: Games) -> NDArray[np.int64]:
        """Decide in the games that wait for one of them; leave the others, shape ``(games,)``."""
        actions = np.full(len(games), LEAVE, np.int64)
        turn = games.turn.astype(np.int64)
        waiting = np.where(turn < 0, NOBODY, self._line_ups[np.arange(len(games)), turn])
        if self._compiled is not None:
            self._compiled.choose(games, self._numbers[waiting], actions)
        for number, agent in self._batched.items():
            rows = np.flatnonzero(waiting == number)
            if len(rows):
                actions[rows] = agent.act_batch(games.observations[rows], games.masks[rows])
        for number, opponent in self._single.items():
            for row in np.flatnonzero(waiting == number).tolist():
                actions[row] = opponent(games[row], int(turn[row]), self._chance)
        return actions
