"""Games in pairs: the same deal twice, with two sides in each other's place."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prico_agents.compiled import CompiledAgent, play_games
from prico_env import RuleSet

_ONE: Final = -1
_OTHER: Final = -2
"""The two sides in a line-up; others are numbers of a pool."""
_SEEDS: Final = 2**31


def draw_line_up(
    seats: int, pool: int, pool_share: float, chance: np.random.Generator
) -> NDArray[np.int64]:
    """Draw who sits where: the sides in equal numbers, and others of a pool.

    Args:
        seats: How many seats there are.
        pool: How many there are in the pool.
        pool_share: Probability that either side takes a single seat, and the pool the others;
            otherwise the pool takes a seat only where their number is odd.
        chance: Draws.

    Returns:
        The sides as negative numbers, others by their number in the pool, shape ``(seats,)``.
    """
    of_each = 1 if chance.random() < pool_share else seats // 2
    line_up = chance.integers(pool, size=seats)
    line_up[:of_each] = _ONE
    line_up[of_each : 2 * of_each] = _OTHER
    return chance.permutation(line_up)


def play_pairs(
    rules: RuleSet,
    sides: tuple[CompiledAgent, CompiledAgent],
    pool: Sequence[CompiledAgent],
    pool_share: float,
    deals: int,
    chance: np.random.Generator,
) -> NDArray[np.float64]:
    """Play pairs of games in one line-up, which is drawn; see `draw_line_up`.

    Returns:
        What each side won in the two games of each deal, shares of the win, shape ``(deals, 2)``.
    """
    line_up = draw_line_up(rules.players, len(pool), pool_share, chance)
    seeds = chance.integers(_SEEDS, size=deals)
    player_seeds = chance.integers(_SEEDS, size=(deals, rules.players))
    won = np.zeros((deals, 2))
    for one, other in ((0, 1), (1, 0)):
        seated = {_ONE: sides[one], _OTHER: sides[other]}
        players = [seated[who] if who < 0 else pool[who] for who in line_up.tolist()]
        played = play_games(rules, players, seeds, player_seeds)
        firsts = played.games.places() == 1
        shares = firsts / firsts.sum(axis=1, keepdims=True)
        won[:, one] += shares[:, line_up == _ONE].sum(axis=1)
        won[:, other] += shares[:, line_up == _OTHER].sum(axis=1)
    return won


def points(won: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first side's share of the points of each deal, shape ``(deals,)``.

    A win is a point, and a game that neither side wins is half a point for both.
    """
    return np.asarray(0.5 + (won[:, 0] - won[:, 1]) / 4)
