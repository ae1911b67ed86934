"""Compile every kernel once, so that later starts, and processes side by side, find them ready."""

import numpy as np
from numpy.typing import NDArray

from agents import View, agent_names, load_agent
from agents.compiled import play_games
from agents.random import RandomAgent
from prico_env import Game, Games, RuleSet
from training.compiled_players import CompiledPlayers, Teachers
from training.rollout import PARTS, Collector, Lessons


def warm() -> None:
    """Take a step with everything that is compiled; what lies in the cache is not done again."""
    rules = RuleSet()
    games = Games(rules, 2)
    games.step(games.sample())
    games[0].clone().determinize(0, 1)
    play_games(rules, [RandomAgent()] * rules.players, [1], np.zeros((1, rules.players), np.int64))
    game = Game(rules, 1)
    for name in sorted(set(agent_names()) - {"human"}):
        agent = load_agent("mcts:2" if name == "mcts" else name)
        agent.reset(game.turn, rules, 1)
        agent.act(View.of(game))
    _learn(rules)


class _Even:
    """Likes all actions alike, and judges for one seat or all."""

    def __init__(self, num_judged: int, num_actions: int) -> None:
        self.num_judged = num_judged
        self._num_actions = num_actions

    def think(
        self, observations: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Think nothing."""
        rows = len(observations)
        values = np.zeros((rows, self.num_judged, len(PARTS)), np.float32)
        return np.zeros((rows, self._num_actions), np.float32), values


def _learn(rules: RuleSet) -> None:
    """Take a step with what only learning uses."""
    Teachers(rules, RandomAgent(), (), 1, 0.0, 1).show(0)
    games = Games(rules, 1, threads=1)
    CompiledPlayers([RandomAgent()], 1, 1).choose(games, *(np.zeros(1, np.int64) for _ in range(2)))
    for num_judged in (1, rules.players):
        rollout = Collector(rules, 1, 1, num_judged, None, 1).collect(
            _Even(num_judged, rules.num_actions)
        )
        Lessons(rollout, 0.9, np.ones(len(PARTS), np.float32))
