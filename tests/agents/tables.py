"""Tables of compiled players for tests."""

import numpy as np

from prico_agents import load_agent
from prico_agents.compiled import play_games


def wins_alone(rules, agent, opponent, deals, seed=1):
    """Win shares of one agent alone among copies of another, shape ``(deals, seats)``."""
    alone, other = load_agent(agent), load_agent(opponent)
    player_seeds = np.arange(deals * rules.players).reshape(deals, -1)
    wins = np.zeros((deals, rules.players))
    for seat in range(rules.players):
        line_up = [alone if chair == seat else other for chair in range(rules.players)]
        first = (
            play_games(rules, line_up, seed + np.arange(deals), player_seeds).games.places() == 1
        )
        wins[:, seat] = first[:, seat] / first.sum(axis=1)
    return wins
