"""Compiled players in many games at once: as opponents, and as demonstrators to be imitated."""

import threading
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.base import Agent, View
from prico_agents.compiled import CompiledAgent, CompiledRoster, choose, seed_all
from prico_agents.game_recorder import GameRecorder, PlannedGames
from prico_agents.heuristic_engine.scratch import Scratch, new_scratch
from prico_agents.neural.entity_inputs import RowRules
from prico_agents.random import RandomAgent
from prico_env import Game, Games, RuleSet
from prico_env.core.api import advance, apply, kernel
from prico_env.envs.opponents import Opponent, random_opponent

NOBODY: Final = -1
"""In `BatchPlayers.choose`: a game that waits for somebody else."""
_SEEDS: Final = 2**31
_DEMONSTRATOR: Final = 0
"""The demonstrator's number in a roster."""


@kernel
def _choose_all(
    roster: CompiledRoster,
    table: Any,
    games: tuple[Any, Any],
    players: Any,
    generators: Any,
    scratch: Scratch,
    actions: Any,
) -> None:
    states, masks = games
    for game in range(players.shape[0]):
        player = players[game]
        if player != NOBODY:
            state, legal, rng = states[game], masks[game], generators[game]
            strategy, weights = roster.strategies[player], roster.weights[player]
            rules = table[state["rules"]]
            actions[game] = choose(strategy, weights, rules, state, legal, rng, scratch)


class BatchPlayers:
    """Compiled players who sit in many games and decide in all of them at once.

    Attributes:
        generators: Of their chance in each game, uint32, shape ``(n, 4)``.
    """

    def __init__(self, agents: Sequence[CompiledAgent], n: int, seed: int) -> None:
        """Sit down.

        Args:
            agents: The players, known by their numbers from here on.
            n: How many games.
            seed: Decides what they draw.
        """
        self._roster = CompiledRoster.of(agents)
        self._scratch = new_scratch()
        self.generators = np.zeros((n, 4), np.uint32)
        seed_all(self.generators, seed + np.arange(n))

    def choose(self, games: Games, players: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Decide in the games that wait for one of them.

        Args:
            games: The games.
            players: Who is to decide in each game, or `NOBODY`, shape ``(n,)``.
            actions: Receives their actions.
        """
        table, batch = games._table, (games.state, games.masks)
        roster, generators = self._roster, self.generators
        _choose_all(roster, table, batch, players, generators, self._scratch, actions)


# -- opponents -------------------------------------------------------------------------------------


@kernel
def _play_others(
    roster: CompiledRoster,
    table: Any,
    games: tuple[Any, Any, Any],
    seats: Any,
    rows: Any,
    generators: Any,
    scratch: Scratch,
) -> None:
    states, masks, num_legal = games
    for row in range(rows.shape[0]):
        game = rows[row]
        state, legal, rng, learner = states[game], masks[game], generators[game], seats[game]
        rules = table[state["rules"]]
        count = int(num_legal[game])
        while count > 0 and state["turn"] != learner:
            player = (state["turn"] - learner) % rules["num_players"] - 1
            strategy, weights = roster.strategies[player], roster.weights[player]
            apply(rules, state, choose(strategy, weights, rules, state, legal, rng, scratch))
            count = advance(rules, state, legal, scratch.forced_log, True)
        num_legal[game] = count


class AgentOpponent:
    """An agent as environments want their opponents: ``(game, seat, rng) -> action``.

    Compiled ones play together: all of their decisions in many games in one call.
    """

    def __init__(self, agent: Agent) -> None:
        """Take the agent that decides."""
        self._agent = agent

    def __call__(self, game: Game, seat: int, rng: np.random.Generator) -> int:
        """Choose for a seat, with chance drawn from the generator of the environment."""
        self._agent.reset(seat, game.rules, int(rng.integers(_SEEDS)))
        return self._agent.act(View.of(game, seat))

    def together(self, opponents: Sequence[Opponent]) -> "CompiledOpponents | None":
        """Return what plays for the opponents at all seats; None if one of them is not compiled."""
        agents = [_agent_of(opponent) for opponent in opponents]
        compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
        return CompiledOpponents(compiled) if len(compiled) == len(agents) else None


def _agent_of(opponent: Opponent) -> object:
    """Return the agent behind an opponent, if there is one."""
    if opponent is random_opponent:
        return RandomAgent()
    return opponent._agent if isinstance(opponent, AgentOpponent) else None


class CompiledOpponents:
    """Compiled players at the seats that are not the learner's, in many games at once.

    They play on to the learner's next turn in one call for all of their decisions.
    """

    def __init__(self, agents: Sequence[CompiledAgent]) -> None:
        """Take the other seats.

        Args:
            agents: Who sits where, clockwise from the learner's left.
        """
        self._roster = CompiledRoster.of(agents)
        self._generators = np.zeros((0, 4), np.uint32)
        self._scratch: dict[int, Scratch] = {}

    def assign(self, dealt: NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Draw what decides by chance in games that were just dealt, bool, shape ``(n,)``."""
        if len(self._generators) != len(dealt):
            self._generators = np.zeros((len(dealt), 4), np.uint32)
        fresh = np.zeros((int(dealt.sum()), 4), np.uint32)
        seed_all(fresh, rng.integers(_SEEDS, size=len(fresh)))
        self._generators[dealt] = fresh

    def play(self, games: Games, seats: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Play on in some games, until it is the learner's turn or they are over.

        Args:
            games: The games, all with one player more than there are opponents.
            seats: The learner's seat in each, shape ``(n,)``.
            rows: Numbers of the games to play on.
        """
        if len(rows) == 0:
            return
        scratch = self._scratch.setdefault(threading.get_ident(), new_scratch())
        batch = games.state, games.masks, games.num_legal
        table, generators = games._table, self._generators
        _play_others(self._roster, table, batch, seats, rows, generators, scratch)

    def __getstate__(self) -> dict[str, Any]:
        """Leave what belongs to threads behind."""
        return {**self.__dict__, "_scratch": {}}


# -- demonstrations --------------------------------------------------------------------------------


class Demonstrations(NamedTuple):
    """How a demonstrator played some games, one row for each decision that left a choice.

    Attributes:
        observations: What the seat to act saw, uint8, shape ``(rows, num_features)``.
        masks: What it might do, bool, shape ``(rows, num_actions)``.
        actions: What its player would do, int64, shape ``(rows,)``.
        seats: Whose decision it was, int8.
        games: In which game, int32.
        taught: Whether it was the demonstrator's, bool.
        shares: What each seat got of the victory, float32, shape ``(games, seats)``.
        scores: Final scores, int16, shape ``(games, seats)``.
        rules: By which rules each game was played.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    seats: NDArray[np.int8]
    games: NDArray[np.int32]
    taught: NDArray[np.bool_]
    shares: NDArray[np.float32]
    scores: NDArray[np.int16]
    rules: RowRules


class Demonstrator:
    """A compiled player whose games are recorded, batch after batch."""

    def __init__(
        self,
        rules: RuleSet | Sequence[RuleSet],
        agent: CompiledAgent,
        others: Sequence[CompiledAgent],
        games: int,
        epsilon: float,
        seed: int,
    ) -> None:
        """Lay out the memory.

        Args:
            rules: What is played, or several rule sets with features of one layout, by turns; those
                that are named more often are played more often.
            agent: Who demonstrates how to play.
            others: Who sits at half of the seats, by lot; nobody: the demonstrator sits everywhere.
            games: Games of one batch.
            epsilon: Probability that a random action is played instead (epsilon-greedy), so that
                positions come up that good play does not lead to. Recorded is still what the player
                would do.
            seed: Decides, with its number, everything in a batch.
        """
        turns = (rules,) if isinstance(rules, RuleSet) else tuple(rules)
        self._rule_sets = tuple(dict.fromkeys(turns))
        self._turns = np.array([self._rule_sets.index(each) for each in turns], np.int64)
        self._games, self._seats, self._seed = games, self._rule_sets[0].players, seed
        self._others = len(others)
        players = [lambda player=player: player for player in (agent, *others)]
        self._recorder = GameRecorder(self._rule_sets, players, epsilon)

    def show(self, number: int) -> Demonstrations:
        """Play the batch of a number; the arrays are overwritten by the next call."""
        chance = np.random.default_rng([self._seed, number])
        deals, exploration = chance.integers(_SEEDS, size=(2, self._games))
        player_seeds = chance.integers(_SEEDS, size=(self._games, self._seats))
        line_ups = self._draw_line_ups(chance)
        first = number * self._games
        rules = self._turns[(first + np.arange(self._games)) % len(self._turns)]
        plan = PlannedGames(deals, line_ups, player_seeds, exploration, rules)
        played = self._recorder.record(plan)
        return Demonstrations(
            observations=played.observations,
            masks=played.masks,
            actions=played.policy_actions,
            seats=played.seats,
            games=played.games,
            taught=line_ups[played.games, played.seats] == _DEMONSTRATOR,
            shares=played.results[:, :, 0].astype(np.float32),
            scores=played.results[:, :, 2].astype(np.int16),
            rules=RowRules(self._rule_sets, rules),
        )

    def _draw_line_ups(self, chance: np.random.Generator) -> NDArray[np.int64]:
        """Draw who sits where in each game, shape ``(games, seats)``."""
        shape = (self._games, self._seats)
        if self._others == 0:
            return np.full(shape, _DEMONSTRATOR)
        guests = chance.integers(1, self._others + 1, shape)
        shares = chance.random((self._games, 1))
        return np.where(chance.random(shape) < shares, _DEMONSTRATOR, guests)
