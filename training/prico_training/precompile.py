"""Compile every kernel once, so that later starts, and processes side by side, find them ready."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_agents import View, agent_names, analysis_of, load_agent
from prico_agents.batch_players import BatchPlayers, Demonstrator
from prico_agents.compiled import play_games
from prico_agents.neural.entity_inputs import RowRules
from prico_agents.random import RandomAgent
from prico_agents.search.batched import BatchedSearch
from prico_agents.search.simulation import new_search_params
from prico_env import Game, Games, RuleSet, env
from prico_env.envs import PuertoRicoVectorEnv
from prico_env.selfplay import returns_to_go
from prico_training.arena.match import Contestant, game_lines, play
from prico_training.arena.schedule import LineUp
from prico_training.learning.rollout import REWARD_PARTS, Batch, Collector

_SEARCHES: Final = ("mcts:2", "mcts:2,network=governor")


def precompile() -> None:
    """Take a step with everything that is compiled; what lies in the cache is not done again."""
    rules = RuleSet()
    games = Games(rules, 2)
    games.step(games.sample())
    games[0].clone().determinize(0, 1)
    games.determinize(games.turn, 1)
    games.playout()
    games.scores()
    games.places()
    _meet(rules)
    _look_at(rules)
    game = Game(rules, 1)
    for name in (*sorted(set(agent_names()) - {"human", "mcts"}), *_SEARCHES):
        agent = load_agent(name)
        agent.reset(game.turn, rules, 1)
        analysis_of(agent, View.of(game))
        agent.act(View.of(game))
    _step_side_by_side(rules)
    _learn(rules)
    _look_ahead(rules)


def _look_at(rules: RuleSet) -> None:
    """Ask a game whatever can be asked, and take a step as PettingZoo does."""
    game = Game.from_dict(Game(rules, 1).to_dict())
    game.observation()
    game.scores()
    game.rewards()
    game.ranking()
    table = env(rules)
    table.reset(seed=1)
    table.step(table.sample_action())


def _meet(rules: RuleSet) -> None:
    """Play a game as tournaments and points of the curve do."""
    table = [Contestant.of("random", "random")] * rules.players
    line_up = LineUp(0, "copies", tuple(each.name for each in table))
    game_lines(rules, line_up, 1, range(1), play(rules, table, [1]))
    play_games(rules, [RandomAgent()] * rules.players, [1], [range(rules.players)])


def _step_side_by_side(rules: RuleSet) -> None:
    """Take a step as the vector environments do, and look at how games end."""
    everybody: dict[str, Any] = {}
    learner = {"seat": "rotate"}
    for options in (everybody, learner, learner | {"opponents": "corn"}):
        envs = PuertoRicoVectorEnv(1, rules, **options)
        envs.reset(seed=1)
        envs.step(envs.sample_actions())
        envs._batch.last_features()
        envs._batch.endings()


class _Uniform:
    """A policy that likes all actions alike, with values for one seat or all."""

    judges_own_seat = False

    def __init__(self, value_seats: int, num_actions: int) -> None:
        self.value_seats = value_seats
        self._num_actions = num_actions

    def policy_and_value(
        self, observations: NDArray[np.uint8], rules: RowRules
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Give every action the same logit and every seat the value 0."""
        del rules
        rows = len(observations)
        values = np.zeros((rows, self.value_seats, len(REWARD_PARTS)), np.float32)
        return np.zeros((rows, self._num_actions), np.float32), values

    def evaluate(
        self,
        observations: NDArray[np.uint8],
        legal: NDArray[np.bool_],
        rules: RowRules | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Give every seat the same value."""
        del observations, rules
        priors = legal / legal.sum(axis=1, keepdims=True)
        values = np.full((len(legal), self.value_seats), 0.5, np.float32)
        return priors.astype(np.float32), values


def _learn(rules: RuleSet) -> None:
    """Take a step with what only learning uses."""
    Demonstrator(rules, RandomAgent(), (), 1, 0.0, 1).show(0)
    games = Games(rules, 1, threads=1)
    BatchPlayers([RandomAgent()], 1, 1).choose(games, *(np.zeros(1, np.int64) for _ in range(2)))
    for value_seats in (1, rules.players):
        rollout = Collector(rules, 1, 1, value_seats, None, 1).collect(
            _Uniform(value_seats, rules.num_actions)
        )
        Batch(rollout, 0.9, np.ones(len(REWARD_PARTS), np.float32))
    returns_to_go(rollout.rewards, rollout.seats[:-1], rollout.ended)


def _look_ahead(rules: RuleSet) -> None:
    """Take a step with what only learning from searches uses."""
    games = Games(rules, 1)
    noise = 0.5, games.masks / games.num_legal[:, None]
    params = new_search_params("roles", "greedy", 0.1, "mixture")
    searches = BatchedSearch(rules, params, 1, 3, 1, 1)
    network = _Uniform(rules.players, rules.num_actions)
    searches.search(network, games.state, np.zeros(1, np.int64), noise)
