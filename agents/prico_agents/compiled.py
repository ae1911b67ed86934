"""Players that are compiled: one choice, or whole games, in one call.

A compiled player is a strategy and its weights. Games among such players never come back to
Python before they are over.
"""

import copy
import enum
import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from prico_agents.analysis import Analysis
from prico_agents.base import AgentError, View, check_seating, check_view
from prico_agents.heuristic_engine.explanations import explain_greedy, explain_lookahead
from prico_agents.heuristic_engine.greedy import greedy_action, tries_moves
from prico_agents.heuristic_engine.lookahead import lookahead_action
from prico_agents.heuristic_engine.scratch import GAME, GUESS, Scratch, new_scratch
from prico_agents.heuristic_engine.weights import GREEDY_WEIGHTS, WEIGHTS, new_weights, set_weights
from prico_env import Game, Games, RuleSet
from prico_env.actions import ROLE, ROLE_SMUGGLER, TARGET
from prico_env.arguments import instance, whole_numbers
from prico_env.core.api import (
    Rules,
    State,
    advance,
    apply,
    copy_record,
    deal,
    determinize,
    draw_legal,
    kernel,
    next_number,
    seed_rng,
    ticks,
)
from prico_env.errors import quoted
from prico_env.playouts import PlayoutPolicy
from prico_env.ruleset import check_rules
from prico_env.vocabulary import MAX_PLAYERS, NUM_BUILDINGS, NUM_ROLES, DecisionPoint, Role


class Strategy(enum.IntEnum):
    """How a compiled player chooses."""

    RANDOM = 0
    GREEDY = 1
    LOOKAHEAD = 2


class CompiledRoster(NamedTuple):
    """Compiled players by number, as kernels pass them on.

    Attributes:
        strategies: A `Strategy` for each player, int64, shape ``(players,)``.
        weights: Records of `WEIGHTS`, shape ``(players,)``.
    """

    strategies: NDArray[np.int64]
    weights: NDArray[Any]

    @classmethod
    def of(cls, agents: "Sequence[CompiledAgent]") -> "CompiledRoster":
        """List players by number."""
        strategies = np.array([agent.strategy for agent in agents], np.int64)
        weights = (agent.weights for agent in agents)
        return cls(strategies, np.concatenate([np.zeros(0, WEIGHTS), *weights]))


@kernel
def choose(
    strategy: int,
    weights: Any,
    rules: Rules,
    state: State,
    legal: Any,
    rng: Any,
    scratch: Scratch,
) -> int:
    """Choose one of the legal moves, seeing no more than the seat to act may see."""
    if strategy == Strategy.RANDOM:
        return draw_legal(rng, legal, legal.sum())
    seed = next_number(rng)
    if strategy == Strategy.GREEDY and not tries_moves(state["decision_point"]):
        return greedy_action(rules, state, legal, weights, scratch)
    guess = scratch.states[GUESS]
    copy_record(guess, state)
    determinize(rules, guess, state["turn"], seed)
    if strategy == Strategy.GREEDY:
        return greedy_action(rules, guess, legal, weights, scratch)
    return lookahead_action(rules, guess, legal, weights, scratch)


class CompiledAgent:
    """A player made of a strategy and its weights.

    The weights are the defaults, changed by the ``style_weights`` of all players of a strategy, and
    then by the ``persona_weights`` of a single one.
    """

    strategy: ClassVar[Strategy]
    style_weights: ClassVar[Mapping[str, Any]] = {}
    persona_weights: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, **weights: float | Mapping[str, float]) -> None:
        """Choose the weights.

        Args:
            **weights: Weights of its own: see `prico_agents.heuristic_engine.weights`.

        Raises:
            AgentError: There is no such weight.
        """
        self.weights = new_weights()
        for changes in (self.style_weights, self.persona_weights, weights):
            set_weights(self.weights, changes)
        self._generators = np.zeros((1, 4), np.uint32)
        self._scratch = new_scratch()

    def reset(self, seat: int, rules: RuleSet, seed: int) -> None:
        """Sit down for a new game."""
        seed_all(self._generators, np.array([check_seating(seat, rules, seed)], np.int64))

    def act(self, view: View) -> int:
        """Choose one of the allowed actions."""
        check_view(view)
        return _choose_one(
            view.rules.table,
            view.game.state,
            np.asarray(view.legal, np.bool_),
            int(self.strategy),  # a number: Numba looks a member's enumeration up each time
            self.weights,
            self._generators,
            self._scratch,
        )

    def _before(self, view: View) -> tuple[Game, NDArray[np.bool_], NDArray[Any], Scratch]:
        """The arguments of an analysis of its next decision, which changes nothing.

        A determinization of the game, what is allowed, its weights, and a copy of its scratch.
        """
        check_view(view)
        seed = int(next_number(self._generators[0].copy()))
        guess = view.game.determinize(view.seat, seed)
        return guess, np.asarray(view.legal, np.bool_), self.weights, copy.deepcopy(self._scratch)


class LookaheadAgent(CompiledAgent):
    """A player that tries every move and looks ahead by a greedy rollout."""

    strategy = Strategy.LOOKAHEAD

    def analyse(self, view: View) -> Analysis:
        """Say where each move leads, and why one is better than the next."""
        return explain_lookahead(*self._before(view))


class GreedyAgent(CompiledAgent):
    """A greedy player: it looks no further than the next step."""

    strategy = Strategy.GREEDY
    style_weights = GREEDY_WEIGHTS

    def analyse(self, view: View) -> Analysis:
        """Say which move the greedy policy makes, and who may win."""
        return explain_greedy(*self._before(view))


@kernel
def seed_all(generators: Any, seeds: Any) -> None:
    """Seed generators, shape ``(n, 4)``, one from each seed."""
    for number in range(seeds.shape[0]):
        seed_rng(generators[number], seeds[number])


@kernel
def _choose_one(
    table: Any,
    states: Any,
    legal: Any,
    strategy: int,
    weights: Any,
    generators: Any,
    scratch: Scratch,
) -> int:
    return choose(strategy, weights[0], table[0], states[0], legal, generators[0], scratch)


# -- whole games -----------------------------------------------------------------------------------


_SEAT_BITS: Final = 48
"""Where the seat stands in the seed of a player's chance in a playout."""


class Seats(NamedTuple):
    """Who sits where in many games, and what they did, as kernels pass it on.

    Attributes:
        strategies: A `Strategy` for each seat, int64, shape ``(seats,)``.
        weights: Records of `WEIGHTS`, shape ``(seats,)``.
        generators: Of each player in each game, uint32, shape ``(n, seats, 4)``.
        roles: How often each seat took each role, int16, shape ``(n, seats, num_roles)``.
        bought: The round in which each seat bought each building, 0 for those it did not buy,
            int16, shape ``(n, seats, num_buildings)``.
        decisions: Decisions that left a choice, int32, shape ``(n, seats)``.
        ticks: Time each seat thought, int64, shape ``(n, seats)``.
    """

    strategies: NDArray[np.int64]
    weights: NDArray[Any]
    generators: NDArray[np.uint32]
    roles: NDArray[np.int16]
    bought: NDArray[np.int16]
    decisions: NDArray[np.int32]
    ticks: NDArray[np.int64]


def _seat_players(line_up: Sequence[CompiledAgent], seeds: NDArray[np.int64]) -> Seats:
    """Seat players in many games, given the seeds of each in each game, shape ``(n, seats)``."""
    seats = Seats(
        strategies=np.array([agent.strategy for agent in line_up], np.int64),
        weights=np.concatenate([agent.weights for agent in line_up]),
        generators=np.zeros((*seeds.shape, 4), np.uint32),
        roles=np.zeros((*seeds.shape, NUM_ROLES), np.int16),
        bought=np.zeros((*seeds.shape, NUM_BUILDINGS), np.int16),
        decisions=np.zeros(seeds.shape, np.int32),
        ticks=np.zeros(seeds.shape, np.int64),
    )
    seed_all(seats.generators.reshape(-1, 4), seeds.ravel())
    return seats


@kernel
def _play_games(
    table: Any, states: Any, deals: Any, limit: int, seats: Seats, scratch: Scratch
) -> int:
    """Play every game to its end, or for so many decisions; return the time it took in ticks.

    With ``deals``, the seeds of the games, they are dealt before; there is no limit below 0.
    """
    began = ticks()
    for game in range(states.shape[0]):
        state = states[game]
        rules = table[state["rules"]]
        legal = scratch.legal[GAME][: rules["num_actions"]]
        if deals.shape[0] > 0:
            deal(rules, state, deals[game])
        made = 0
        count = advance(rules, state, legal, scratch.forced_log, True)
        while count > 0 and made != limit:
            seat = state["turn"]
            start = ticks()
            action = choose(
                seats.strategies[seat],
                seats.weights[seat],
                rules,
                state,
                legal,
                seats.generators[game, seat],
                scratch,
            )
            seats.ticks[game, seat] += ticks() - start
            seats.decisions[game, seat] += 1
            if state["decision_point"] == DecisionPoint.CHOOSE_ROLE:
                role = Role.SMUGGLER if action == ROLE_SMUGGLER else action - ROLE
                seats.roles[game, seat, role] += 1
            elif state["decision_point"] == DecisionPoint.BUY and TARGET[action] >= 0:
                seats.bought[game, seat, TARGET[action]] = state["round"]
            apply(rules, state, action)
            count = advance(rules, state, legal, scratch.forced_log, True)
            made += 1
    return ticks() - began


def playout_policy(agent: CompiledAgent) -> PlayoutPolicy:
    """Return what plays games on with a compiled player at all seats; see `Games.playout`."""
    line_up = [agent] * MAX_PLAYERS
    no_deals = np.zeros(0, np.int64)

    def play_on(
        table: NDArray[Any],
        states: NDArray[Any],
        seeds: NDArray[np.int64],
        limit: int,
        decisions: NDArray[np.int32],
        start: int,
        stop: int,
    ) -> None:
        chances = seeds[start:stop, None] ^ (np.arange(MAX_PLAYERS) << _SEAT_BITS)
        seats = _seat_players(line_up, chances)
        _play_games(table, states[start:stop], no_deals, limit, seats, new_scratch())
        decisions[start:stop] = seats.decisions.sum(axis=1)

    return play_on


class Played(NamedTuple):
    """Games that compiled players have played to the end.

    Attributes:
        games: The games, all over.
        roles: How often each seat took each role, int16, shape ``(n, seats, num_roles)``.
        bought: The round in which each seat bought each building, 0 for those it did not buy,
            int16, shape ``(n, seats, num_buildings)``.
        decisions: Decisions that left a choice, int32, shape ``(n, seats)``.
        seconds: Time each seat thought, float64, shape ``(n, seats)``.
    """

    games: Games
    roles: NDArray[np.int16]
    bought: NDArray[np.int16]
    decisions: NDArray[np.int32]
    seconds: NDArray[np.float64]


def _check_line_up(rules: RuleSet, line_up: object) -> None:
    """Check that a compiled player sits at each seat."""
    if not isinstance(line_up, Sequence) or len(line_up) != rules.players:
        raise AgentError(
            f"a line-up is a list of {rules.players} players, one for each seat, not "
            f"{quoted(line_up)}"
        )
    for player in line_up:
        what = "whole games are played by compiled players, such as load_agent('corn')"
        instance(player, CompiledAgent, what, AgentError)


def play_games(
    rules: RuleSet, line_up: Sequence[CompiledAgent], seeds: ArrayLike, player_seeds: ArrayLike
) -> Played:
    """Let compiled players play whole games, the same as one decision at a time.

    Args:
        rules: What is played.
        line_up: Who sits where, one for each seat.
        seeds: Game ``i`` is dealt as ``Game(rules, seeds[i])``, shape ``(n,)``.
        player_seeds: What each player's `reset` gets in each game, shape ``(n, seats)``.
    """
    _check_line_up(check_rules(rules), line_up)
    deals = whole_numbers(seeds, "seeds")
    shape = (len(deals), rules.players)
    chances = whole_numbers(player_seeds, "player_seeds", shape)
    seats = _seat_players(line_up, chances)
    games = Games(rules, len(deals), observe=False, threads=1)
    games.seeds[:] = deals
    scratch = new_scratch()
    table = rules.table.copy()  # writable, as playouts have it: the kernel is compiled for one type
    _play_games(table, games.state[:0], deals[:0], -1, seats, scratch)  # not to time loading
    began = time.perf_counter()
    spent = _play_games(table, games.state, deals, -1, seats, scratch)
    tick = (time.perf_counter() - began) / max(1, spent)
    games.masks[:], games.num_legal[:] = False, 0
    seconds = seats.ticks * np.float64(tick)
    return Played(games, seats.roles, seats.bought, seats.decisions, seconds)
