"""Whole games, recorded decision by decision: for data sets, and to be imitated."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prico_agents.base import Agent, View
from prico_agents.compiled import CompiledAgent, CompiledRoster, choose, seed_all
from prico_agents.heuristic_engine.scratch import GAME, Scratch, new_scratch
from prico_env import Game, RuleSet
from prico_env.core.api import (
    advance,
    apply,
    deal,
    draw_legal,
    fill_observation,
    fill_results,
    kernel,
    next_number,
)
from prico_env.core.calls import result_games
from prico_env.core.scoring import RESULTS

_NUMBERS: Final = 2**32
"""How many numbers a generator may give."""
_THE_GAME: Final = np.zeros(1, np.int64)
_FIRST: Final = np.zeros(0, np.int64)
"""The first rule set, in all games."""
_DECISIONS_OF_A_SEAT: Final = 120
"""Room for so many decisions of each seat of each game, at first."""


class PlannedGames(NamedTuple):
    """Everything that decides how some games go.

    Attributes:
        deals: Game ``i`` is dealt as ``Game(rules, deals[i])``, int64, shape ``(n,)``.
        line_ups: Number of the player at each seat, int64, shape ``(n, seats)``.
        player_seeds: What each player's `reset` gets, int64, shape ``(n, seats)``.
        exploration_seeds: Decide which random actions are played, int64, shape ``(n,)``.
        rules: Number of the rule set of each game, int64, shape ``(n,)``; nothing is the first.
    """

    deals: NDArray[np.int64]
    line_ups: NDArray[np.int64]
    player_seeds: NDArray[np.int64]
    exploration_seeds: NDArray[np.int64]
    rules: NDArray[np.int64] = _FIRST


class RecordedGames(NamedTuple):
    """Games that were played to the end, one row for each decision that left a choice.

    Attributes:
        observations: What the seat to act saw, uint8, shape ``(rows, num_features)``.
        masks: What it might do, bool, shape ``(rows, num_actions)``.
        actions: What was played, int64, shape ``(rows,)``.
        policy_actions: What its player chose, int64; another action where one was explored.
        seats: Whose decision it was, int8.
        games: In which game, int32.
        steps: Number of the decision in its game, from 0, int32.
        results: What each game came to for each seat, in the order of `RESULTS`, float64, shape
            ``(games, seats, 4)``.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    policy_actions: NDArray[np.int64]
    seats: NDArray[np.int8]
    games: NDArray[np.int32]
    steps: NDArray[np.int32]
    results: NDArray[np.float64]

    @classmethod
    def blank(cls, rules: RuleSet, rows: int, games: int) -> "RecordedGames":
        """Lay out the memory for so many decisions and games."""
        return cls(
            observations=np.zeros((rows, rules.observation.num_features), np.uint8),
            masks=np.zeros((rows, rules.num_actions), np.bool_),
            actions=np.zeros(rows, np.int64),
            policy_actions=np.zeros(rows, np.int64),
            seats=np.zeros(rows, np.int8),
            games=np.zeros(rows, np.int32),
            steps=np.zeros(rows, np.int32),
            results=np.zeros((games, rules.players, len(RESULTS))),
        )

    def first(self, rows: int, games: int) -> "RecordedGames":
        """The first rows of decisions and of games, in the same memory."""
        return RecordedGames(
            *(getattr(self, name)[: games if name == "results" else rows] for name in self._fields)
        )


class GameRecorder:
    """Plays games and records every decision; compiled players need no Python for it."""

    def __init__(
        self,
        rules: RuleSet | Sequence[RuleSet],
        players: Sequence[Callable[[], Agent]],
        epsilon: float = 0.0,
    ) -> None:
        """Lay out no memory yet.

        Args:
            rules: What is played, or several rule sets with features of one layout.
            players: What makes each player, known by its number from here on.
            epsilon: Probability that a random action is played instead of the player's
                (epsilon-greedy), so that positions come up that good play does not lead to.
        """
        self._rule_sets = (rules,) if isinstance(rules, RuleSet) else tuple(rules)
        self._table = np.concatenate([each.table for each in self._rule_sets])
        self._widest = max(self._rule_sets, key=lambda each: each.num_actions)
        self._epsilon = epsilon
        self._makers = players
        self._agents: dict[tuple[int, int], Agent] = {}
        everyone = [make() for make in players]
        compiled = [agent for agent in everyone if isinstance(agent, CompiledAgent)]
        self._roster = CompiledRoster.of(compiled) if len(compiled) == len(everyone) else None
        self._scratch = new_scratch()
        self._memory = RecordedGames.blank(self._widest, 0, 0)

    @property
    def is_compiled(self) -> bool:
        """Whether all players are compiled."""
        return self._roster is not None

    def record(self, plan: PlannedGames) -> RecordedGames:
        """Play games; the arrays are overwritten by the next call."""
        plan = PlannedGames(*(np.ascontiguousarray(part, np.int64) for part in plan))
        games, seats = plan.line_ups.shape
        if not len(plan.rules):
            plan = plan._replace(rules=np.zeros(games, np.int64))
        chance = np.zeros((games, seats + 1, 4), np.uint32)
        seeds = np.column_stack((plan.player_seeds, plan.exploration_seeds))
        while True:
            seed_all(chance.reshape(-1, 4), seeds.ravel())
            filled = self._play(plan, chance)
            if filled >= 0:
                return self._memory.first(filled, games)
            room = max(2 * len(self._memory.actions), games * seats * _DECISIONS_OF_A_SEAT)
            self._memory = RecordedGames.blank(self._widest, room, games)

    def _play(self, plan: PlannedGames, chance: NDArray[np.uint32]) -> int:
        """Play games and record decisions; return how many, or -1 where there is no room left.

        Args:
            plan: The games.
            chance: Generators of each seat of each game and of its exploration, shape
                ``(n, seats + 1, 4)``.
        """
        rows = self._memory
        if not len(rows.actions) or len(rows.results) < len(plan.deals):
            return -1
        if self._roster is None:
            return self._play_one_by_one(plan, chance)
        table, scratch = self._table, self._scratch
        return _record_games(self._roster, table, plan, chance, scratch, self._epsilon, rows)

    def _play_one_by_one(self, plan: PlannedGames, chance: NDArray[np.uint32]) -> int:
        """Do what `_record_games` does, with players of any sort."""
        rows, filled = self._memory, 0
        for number, line_up in enumerate(plan.line_ups.tolist()):
            rules = self._rule_sets[plan.rules[number]]
            game = Game(rules, seed=int(plan.deals[number]))
            for seat, player in enumerate(line_up):
                seed = int(plan.player_seeds[number, seat])
                self._agent(player, seat).reset(seat, rules, seed)
            exploration, step = chance[number, -1], 0
            while not game.over:
                if filled == len(rows.actions):
                    return -1
                seat, legal = game.turn, game.mask()
                choice = int(self._agent(line_up[seat], seat).act(View.of(game)))
                action = choice
                if next_number(exploration) < self._epsilon * _NUMBERS:
                    action = int(draw_legal(exploration, legal, int(legal.sum())))
                rows.observations[filled] = game.observation(seat)
                rows.masks[filled] = False
                rows.masks[filled, : len(legal)] = legal
                rows.actions[filled], rows.policy_actions[filled] = action, choice
                rows.seats[filled], rows.games[filled], rows.steps[filled] = seat, number, step
                game.step(action)
                filled, step = filled + 1, step + 1
            results = rows.results[number : number + 1]
            result_games(rules.table, game.state, _THE_GAME, results)
        return filled

    def _agent(self, player: int, seat: int) -> Agent:
        """The player's own instance at a seat."""
        if (player, seat) not in self._agents:
            self._agents[player, seat] = self._makers[player]()
        return self._agents[player, seat]


@kernel
def _record_games(
    roster: CompiledRoster,
    table: Any,
    plan: PlannedGames,
    chance: Any,
    scratch: Scratch,
    epsilon: float,
    rows: RecordedGames,
) -> int:
    """Play games and record decisions; return how many, or -1 where there is no room left."""
    state, legal, filled = scratch.states[GAME], scratch.legal[GAME], 0
    for game in range(plan.deals.shape[0]):
        rules = table[plan.rules[game]]
        seats, num_actions = rules["num_players"], rules["num_actions"]
        deal(rules, state, plan.deals[game])
        exploration, step = chance[game, seats], 0
        count = advance(rules, state, legal, scratch.forced_log, True)
        while count > 0:
            if filled == rows.actions.shape[0]:
                return -1
            seat = state["turn"]
            player, rng = plan.line_ups[game, seat], chance[game, seat]
            strategy, weights = roster.strategies[player], roster.weights[player]
            choice = choose(strategy, weights, rules, state, legal, rng, scratch)
            action = choice
            if next_number(exploration) < epsilon * _NUMBERS:
                action = draw_legal(exploration, legal, count)
            fill_observation(rules, state, seat, rows.observations[filled])
            for number in range(rows.masks.shape[1]):
                rows.masks[filled, number] = number < num_actions and legal[number]
            rows.actions[filled] = action
            rows.policy_actions[filled] = choice
            rows.seats[filled] = seat
            rows.games[filled] = game
            rows.steps[filled] = step
            apply(rules, state, action)
            count = advance(rules, state, legal, scratch.forced_log, True)
            filled += 1
            step += 1
        fill_results(rules, state, rows.results[game])
    return filled
