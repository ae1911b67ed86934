"""Compile every kernel once, so that later starts, and processes side by side, find them ready."""

import numpy as np

from agents import View, agent_names, load_agent
from agents.compiled import play_games
from agents.random import RandomAgent
from prico_env import Game, Games, RuleSet


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
