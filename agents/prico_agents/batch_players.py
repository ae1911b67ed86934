"""Compiled players among many games: as opponents, and as teachers who show how they play."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.compiled import CompiledAgent, choose
from prico_agents.heuristic_engine.scratch import Scratch, new_scratch
from prico_agents.heuristic_engine.weights import WEIGHTS
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
    new_states,
    next_number,
    seed_rng,
)

NOBODY = -1
"""In `BatchPlayers.choose`: a game that waits for somebody else."""
_WIN = 0
"""In kernels: the reward scheme of that name."""
_NUMBERS = 2**32
"""How many numbers a generator may give."""
_SEEDS = 2**31
_DECISIONS_OF_A_SEAT = 120
"""Room for so many decisions of each seat; more are played but not written down."""
_TEACHER = 0
"""The teacher's number in a roster."""


class Aids(NamedTuple):
    """What players think with.

    Attributes:
        generators: What chance gives them in each game, uint32, shape ``(n, 4)``.
        scratch: Their scratch arrays.
    """

    generators: NDArray[np.uint32]
    scratch: Scratch


class Roster(NamedTuple):
    """Compiled players, as kernels pass them on.

    Attributes:
        strategies: Of each player, int64, shape ``(players,)``.
        weights: Of each player, records of `WEIGHTS`, shape ``(players,)``.
    """

    strategies: NDArray[np.int64]
    weights: NDArray[Any]

    @classmethod
    def of(cls, agents: Sequence[CompiledAgent]) -> "Roster":
        """List players by number."""
        strategies = np.array([agent.strategy for agent in agents], np.int64)
        weights = [agent.weights for agent in agents]
        return cls(strategies, np.concatenate([np.zeros(0, WEIGHTS), *weights]))


@kernel
def _seed_all(generators: Any, seed: int) -> None:
    """Seed generators one by one from a seed, shape ``(n, 4)``."""
    for number in range(generators.shape[0]):
        seed_rng(generators[number], seed + number)


@kernel
def _choose_all(
    roster: Roster, table: Any, states: Any, masks: Any, players: Any, aids: Aids, actions: Any
) -> None:
    for game in range(players.shape[0]):
        player = players[game]
        if player == NOBODY:
            continue
        state = states[game]
        actions[game] = choose(
            roster.strategies[player],
            roster.weights[player],
            table[state["rules"]],
            state,
            masks[game],
            aids.generators[game],
            aids.scratch,
        )


class BatchPlayers:
    """Compiled players who sit in many games and decide in all of them at once.

    Attributes:
        generators: What chance gives them in each game, uint32, shape ``(n, 4)``.
    """

    def __init__(self, agents: Sequence[CompiledAgent], n: int, seed: int) -> None:
        """Sit down.

        Args:
            agents: The players, known by their numbers from here on.
            n: How many games.
            seed: Decides what they draw.
        """
        self._roster = Roster.of(agents)
        self.generators = np.zeros((n, 4), np.uint32)
        self._aids = Aids(self.generators, new_scratch())
        _seed_all(self.generators, seed)

    def choose(self, games: Games, players: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Decide in the games that wait for one of them.

        Args:
            games: The games, all by one rule set.
            players: Who is to decide in each game, or `NOBODY`, shape ``(n,)``.
            actions: Receives their actions.
        """
        _choose_all(
            self._roster,
            games.rule_sets[0].table,
            games.state,
            games.masks,
            players,
            self._aids,
            actions,
        )


# -- teachers --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Demonstrations:
    """How teachers played some games, one row for each decision that left a choice.

    Attributes:
        observations: What the seat to act saw, uint8, shape ``(rows, num_features)``.
        masks: What it might do, bool, shape ``(rows, num_actions)``.
        actions: What the teacher would do, int64, shape ``(rows,)``.
        seats: Whose decision it was, int8.
        games: In which game, int32.
        taught: Whether it was the teacher's, bool.
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


class _Rows(NamedTuple):
    """The arrays of `Demonstrations` as a kernel fills them; the first five have room for more."""

    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    seats: NDArray[np.int8]
    games: NDArray[np.int32]
    shares: NDArray[np.float32]
    scores: NDArray[np.int16]


class _Lesson(NamedTuple):
    """What a kernel needs to play.

    Attributes:
        roster: Who plays.
        table: The rule set, shape ``(1,)``.
        states: A record to play on, shape ``(1,)``.
        line_ups: Who sits where, int64, shape ``(games, seats)``.
        generators: Of all chance, uint32, shape ``(1, 4)``.
        scratch: Where players think.
        legal: What is allowed, bool, shape ``(num_actions,)``.
    """

    roster: Roster
    table: NDArray[Any]
    states: NDArray[Any]
    line_ups: NDArray[np.int64]
    generators: NDArray[np.uint32]
    scratch: Scratch
    legal: NDArray[np.bool_]


@kernel
def _record_games(lesson: _Lesson, slips: float, rows: _Rows) -> int:
    """Play games and write down decisions while there is room; returns how many."""
    rules, state, rng = lesson.table[0], lesson.states[0], lesson.generators[0]
    roster, legal, filled = lesson.roster, lesson.legal, 0
    for game in range(lesson.line_ups.shape[0]):
        deal(rules, state, next_number(rng))
        count = advance(rules, state, legal, lesson.scratch.forced_log, True)
        while count > 0:
            seat = state["turn"]
            player = lesson.line_ups[game, seat]
            action = choose(
                roster.strategies[player],
                roster.weights[player],
                rules,
                state,
                legal,
                rng,
                lesson.scratch,
            )
            if filled < rows.actions.shape[0]:
                fill_observation(rules, state, seat, rows.observations[filled])
                rows.masks[filled, :] = legal
                rows.actions[filled] = action
                rows.seats[filled] = seat
                rows.games[filled] = game
                filled += 1
            if next_number(rng) < slips * _NUMBERS:
                action = draw_legal(rng, legal, count)
            apply(rules, state, action)
            count = advance(rules, state, legal, lesson.scratch.forced_log, True)
        fill_rewards(rules, state, _WIN, rows.shares[game])
        fill_scores(rules, state, rows.scores[game])
    return filled


class Demonstrator:
    """Compiled players who show how they play, game after game."""

    def __init__(
        self,
        rules: RuleSet,
        teacher: CompiledAgent,
        others: Sequence[CompiledAgent],
        games: int,
        slips: float,
        seed: int,
    ) -> None:
        """Lay out the memory.

        Args:
            rules: What is played.
            teacher: Who shows how to play.
            others: Who sits at half of the seats, by lot; nobody: the teacher sits everywhere.
            games: Games of one lesson.
            slips: How often a decision is replaced by any other, so that there is something to
                learn about positions that good play does not lead to. What is shown is still what
                the teacher would do.
            seed: Decides, with its number, everything in a lesson.
        """
        self._rules = rules
        self._roster = Roster.of([teacher, *others])
        self._games = games
        self._slips = slips
        self._seed = seed
        room = games * rules.players * _DECISIONS_OF_A_SEAT
        self._rows = _Rows(
            observations=np.zeros((room, rules.observation.num_features), np.uint8),
            masks=np.zeros((room, rules.num_actions), np.bool_),
            actions=np.zeros(room, np.int64),
            seats=np.zeros(room, np.int8),
            games=np.zeros(room, np.int32),
            shares=np.zeros((games, rules.players), np.float32),
            scores=np.zeros((games, rules.players), np.int16),
        )

    def show(self, number: int) -> Demonstrations:
        """Play the lesson of a number; the arrays are overwritten by the next call."""
        chance = np.random.default_rng([self._seed, number])
        generators = np.zeros((1, 4), np.uint32)
        _seed_all(generators, int(chance.integers(_SEEDS)))
        rules, rows, line_ups = self._rules, self._rows, self._draw_line_ups(chance)
        lesson = _Lesson(
            roster=self._roster,
            table=rules.table,
            states=new_states(1),
            line_ups=line_ups,
            generators=generators,
            scratch=new_scratch(),
            legal=np.zeros(rules.num_actions, np.bool_),
        )
        filled = _record_games(lesson, self._slips, rows)
        games, seats = rows.games[:filled], rows.seats[:filled]
        return Demonstrations(
            observations=rows.observations[:filled],
            masks=rows.masks[:filled],
            actions=rows.actions[:filled],
            seats=seats,
            games=games,
            taught=line_ups[games, seats] == _TEACHER,
            shares=rows.shares + np.float32(1 / rules.players),
            scores=rows.scores,
        )

    def _draw_line_ups(self, chance: np.random.Generator) -> NDArray[np.int64]:
        """Draw who sits where in each game, shape ``(games, seats)``."""
        shape = (self._games, self._rules.players)
        others = len(self._roster.strategies) - 1
        if others == 0:
            return np.full(shape, _TEACHER)
        guests = chance.integers(1, others + 1, shape)
        teachers = chance.random((self._games, 1))
        return np.where(chance.random(shape) < teachers, _TEACHER, guests)
