"""Compiled players in many games at once: as opponents, and as demonstrators to be imitated."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.compiled import CompiledAgent, CompiledRoster, choose, seed_all
from prico_agents.heuristic_engine.scratch import GAME, Scratch, new_scratch
from prico_env import Games, RuleSet
from prico_env.core.api import (
    advance,
    apply,
    deal,
    draw_legal,
    fill_observation,
    fill_rewards,
    fill_scores,
    kernel,
    next_number,
)

NOBODY: Final = -1
"""In `BatchPlayers.choose`: a game that waits for somebody else."""
_WIN: Final = 0
"""In kernels: the reward scheme of that name."""
_NUMBERS: Final = 2**32
"""How many numbers a generator may give."""
_SEEDS: Final = 2**31
_DECISIONS_OF_A_SEAT: Final = 120
"""Room for so many decisions of each seat; more are played but not recorded."""
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
            games: The games, all by one rule set.
            players: Who is to decide in each game, or `NOBODY`, shape ``(n,)``.
            actions: Receives their actions.
        """
        table, batch = games.rule_sets[0].table, (games.state, games.masks)
        roster, generators = self._roster, self.generators
        _choose_all(roster, table, batch, players, generators, self._scratch, actions)


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
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    seats: NDArray[np.int8]
    games: NDArray[np.int32]
    taught: NDArray[np.bool_]
    shares: NDArray[np.float32]
    scores: NDArray[np.int16]


_OF_DECISIONS: Final = ("observations", "masks", "actions", "seats", "games", "taught")


@kernel
def _record_games(
    roster: CompiledRoster,
    table: Any,
    line_ups: Any,
    generators: Any,
    scratch: Scratch,
    epsilon: float,
    rows: Demonstrations,
) -> int:
    """Play games and record decisions while there is room; return how many."""
    rules, state, rng, filled = table[0], scratch.states[GAME], generators[0], 0
    legal, num_actions = scratch.legal[GAME], rules["num_actions"]
    for game in range(line_ups.shape[0]):
        deal(rules, state, next_number(rng))
        count = advance(rules, state, legal, scratch.forced_log, True)
        while count > 0:
            seat = state["turn"]
            player = line_ups[game, seat]
            strategy, weights = roster.strategies[player], roster.weights[player]
            action = choose(strategy, weights, rules, state, legal, rng, scratch)
            if filled < rows.actions.shape[0]:
                fill_observation(rules, state, seat, rows.observations[filled])
                rows.masks[filled, :] = legal[:num_actions]
                rows.actions[filled] = action
                rows.seats[filled] = seat
                rows.games[filled] = game
                rows.taught[filled] = player == _DEMONSTRATOR
                filled += 1
            if next_number(rng) < epsilon * _NUMBERS:
                action = draw_legal(rng, legal, count)
            apply(rules, state, action)
            count = advance(rules, state, legal, scratch.forced_log, True)
        fill_rewards(rules, state, _WIN, rows.shares[game])
        fill_scores(rules, state, rows.scores[game])
    return filled


class Demonstrator:
    """A compiled player whose games are recorded, batch after batch."""

    def __init__(
        self,
        rules: RuleSet,
        agent: CompiledAgent,
        others: Sequence[CompiledAgent],
        games: int,
        epsilon: float,
        seed: int,
    ) -> None:
        """Lay out the memory.

        Args:
            rules: What is played.
            agent: Who demonstrates how to play.
            others: Who sits at half of the seats, by lot; nobody: the demonstrator sits everywhere.
            games: Games of one batch.
            epsilon: Probability that a random action is played instead (epsilon-greedy), so that
                positions come up that good play does not lead to. Recorded is still what the player
                would do.
            seed: Decides, with its number, everything in a batch.
        """
        self._rules = rules
        self._roster = CompiledRoster.of([agent, *others])
        self._games = games
        self._epsilon = epsilon
        self._seed = seed
        room = games * rules.players * _DECISIONS_OF_A_SEAT
        self._rows = Demonstrations(
            observations=np.zeros((room, rules.observation.num_features), np.uint8),
            masks=np.zeros((room, rules.num_actions), np.bool_),
            actions=np.zeros(room, np.int64),
            seats=np.zeros(room, np.int8),
            games=np.zeros(room, np.int32),
            taught=np.zeros(room, np.bool_),
            shares=np.zeros((games, rules.players), np.float32),
            scores=np.zeros((games, rules.players), np.int16),
        )

    def show(self, number: int) -> Demonstrations:
        """Play the batch of a number; the arrays are overwritten by the next call."""
        chance = np.random.default_rng([self._seed, number])
        generators = np.zeros((1, 4), np.uint32)
        seed_all(generators, chance.integers(_SEEDS, size=1))
        table, line_ups, rows = self._rules.table, self._draw_line_ups(chance), self._rows
        filled = _record_games(
            self._roster, table, line_ups, generators, new_scratch(), self._epsilon, rows
        )
        recorded = {name: getattr(rows, name)[:filled] for name in _OF_DECISIONS}
        return rows._replace(shares=rows.shares + np.float32(1 / self._rules.players), **recorded)

    def _draw_line_ups(self, chance: np.random.Generator) -> NDArray[np.int64]:
        """Draw who sits where in each game, shape ``(games, seats)``."""
        shape = (self._games, self._rules.players)
        others = len(self._roster.strategies) - 1
        if others == 0:
            return np.full(shape, _DEMONSTRATOR)
        guests = chance.integers(1, others + 1, shape)
        shares = chance.random((self._games, 1))
        return np.where(chance.random(shape) < shares, _DEMONSTRATOR, guests)
