"""Who has how many points, who has won, and what that is worth as a reward."""

from typing import Any, Final

import numpy as np

from prico_env.core.jit import allocating_kernel, kernel
from prico_env.core.rules import Rules
from prico_env.core.state import State
from prico_env.core.units import count_citizens, count_goods
from prico_env.vocabulary import (
    ISLAND_SPACES,
    MAX_PLAYERS,
    NUM_SPOTS,
    NUM_TILES,
    BuildingClass,
    Outcome,
    Power,
)

SCORE_PARTS: Final = (
    "vp",
    "buildings",
    "guild_hall",
    "residence",
    "fortress",
    "customs_house",
    "city_hall",
    "cloister",
    "royal_garden",
    "citizens",
)
"""What a score is the sum of (R-SCO-1), in the order of :func:`fill_score_parts`."""
NUM_SCORE_PARTS: Final = len(SCORE_PARTS)

REWARDS: Final = ("win", "rank", "margin")
"""Reward schemes by name; kernels know them by their place here."""
_WIN: Final = 0
_RANK: Final = 1
_VP_PER_MARGIN: Final = 100.0

_SMALL_PLANT_VP: Final = 1
_LARGE_PLANT_VP: Final = 2
_UNITS_PER_VP: Final = 3
_VP_PER_VP: Final = 4
_TILES_PER_SET: Final = 3
_SETS_SCORE: Final = (0, 1, 3, 6, 10)


@kernel
def fill_score_parts(rules: Rules, state: State, player: int, parts: Any) -> int:
    """Itemise a player's score as if the game ended now, and return it (R-SCO-1..3).

    ``parts`` is filled in place, shape ``(num_score_parts,)``.
    """
    powers = state["powers"]
    parts[:] = 0
    parts[0] = state["vp"][player]
    for building in range(rules["num_buildings"]):
        if state["owned"][player, NUM_TILES + building] > 0:
            parts[1] += rules["vp"][building]
    if powers[player, Power.SCORE_PLANTS] > 0:
        parts[2] = _plants_score(rules, state, player)
    if powers[player, Power.SCORE_ISLAND] > 0:
        parts[3] = rules["island_score"][min(state["island_used"][player], ISLAND_SPACES)]
    if powers[player, Power.SCORE_UNITS] > 0:
        parts[4] = count_units(state, player) // _UNITS_PER_VP
    if powers[player, Power.SCORE_VP] > 0:
        parts[5] = max(0, state["vp"][player]) // _VP_PER_VP
    if powers[player, Power.SCORE_COMMERCE] > 0:
        parts[6] = _commerce_score(rules, state, player)
    if powers[player, Power.SCORE_SETS] > 0:
        parts[7] = _SETS_SCORE[_count_sets(state, player)]
    if rules["citizens"]:
        parts[9] = count_citizens(state, player)
        if powers[player, Power.SCORE_CITIZENS] > 0:
            parts[8] = parts[9]
    total = 0
    for part in range(NUM_SCORE_PARTS):
        total += parts[part]
    return total


@kernel
def _count_sets(state: State, player: int) -> int:
    """Sets of three equal island tiles, forests among them (R-CLO-1, R-CLO-2)."""
    sets = state["own_forests"][player] // _TILES_PER_SET
    for kind in range(NUM_TILES):
        sets += int(state["owned"][player, kind]) // _TILES_PER_SET
    return sets


@kernel
def _plants_score(rules: Rules, state: State, player: int) -> int:
    """1 VP for each small and 2 for each large production building (R-GUI-1)."""
    score = 0
    for building in range(rules["num_buildings"]):
        if state["owned"][player, NUM_TILES + building] > 0:
            if rules["building_class"][building] == BuildingClass.SMALL_PRODUCTION:
                score += _SMALL_PLANT_VP
            elif rules["building_class"][building] == BuildingClass.LARGE_PRODUCTION:
                score += _LARGE_PLANT_VP
    return score


@kernel
def _commerce_score(rules: Rules, state: State, player: int) -> int:
    """1 VP for each commercial building, large ones and itself included (R-CTY-1)."""
    score = 0
    for building in range(rules["num_buildings"]):
        is_commercial = rules["building_class"][building] >= BuildingClass.SMALL_COMMERCIAL
        if is_commercial and state["owned"][player, NUM_TILES + building] > 0:
            score += 1
    return score


@kernel
def count_units(state: State, player: int) -> int:
    """All workers and citizens on a player's board, the portrait included (R-FRT-1)."""
    units = int(state["portrait_workers"][player]) + int(state["portrait_citizens"][player])
    for spot in range(NUM_SPOTS):
        units += int(state["workers"][player, spot]) + int(state["citizens"][player, spot])
    return units


@allocating_kernel
def fill_scores(rules: Rules, state: State, scores: Any) -> None:
    """Write every seat's score as if the game ended now; ``scores`` has a place per seat."""
    parts = np.zeros(NUM_SCORE_PARTS, dtype=np.int64)
    for player in range(rules["num_players"]):
        scores[player] = fill_score_parts(rules, state, player, parts)


@allocating_kernel
def fill_ranking(rules: Rules, state: State, places: Any) -> None:
    """Write every seat's place, 1 the best: by score, then coins and barrels (R-SCO-4).

    Players who are still equal share a place, unless the rule set gives it to the lower seat.
    """
    scores = np.zeros(MAX_PLAYERS, dtype=np.int64)
    fill_scores(rules, state, scores)
    for player in range(rules["num_players"]):
        place = 1
        for other in range(rules["num_players"]):
            place += _is_ahead(rules, state, scores, other, player)
        places[player] = place


@kernel
def _is_ahead(rules: Rules, state: State, scores: Any, other: int, player: int) -> bool:
    """Whether ``other`` is placed before ``player`` (R-SCO-4)."""
    if scores[other] != scores[player]:
        return scores[other] > scores[player]
    other_wealth = int(state["coins"][other]) + count_goods(state, other)
    wealth = int(state["coins"][player]) + count_goods(state, player)
    if other_wealth != wealth:
        return other_wealth > wealth
    return not rules["shared_victory"] and other < player


RESULTS: Final = ("win", "place", "score", "lead")
"""What a game came to for a seat, in the order of :func:`fill_results`."""


@kernel
def fill_results(rules: Rules, state: State, results: Any) -> None:
    """Write what a game came to for every seat, or would if it ended now; see `RESULTS`.

    The share of the win is 1, divided by the winners where several are tied (R-SCO-4), and 0 in a
    game that has not finished or was cut off. The lead is the score less the best of the others'.

    Args:
        rules: The rules of the game.
        state: Its record.
        results: Filled in place, shape ``(players, 4)``.
    """
    num_players = rules["num_players"]
    places, scores = results[:, 1], results[:, 2]
    fill_ranking(rules, state, places)
    fill_scores(rules, state, scores)
    winners = 0
    for player in range(num_players):
        winners += places[player] == 1
    for player in range(num_players):
        won = places[player] == 1 and state["outcome"] == Outcome.FINISHED
        results[player, 0] = 1.0 / winners if won else 0.0
        results[player, 3] = scores[player] - _best_other(scores, num_players, player)


@kernel
def _best_other(scores: Any, num_players: int, player: int) -> int:
    """The highest score among the other seats."""
    best = -1000
    for other in range(num_players):
        if other != player:
            best = max(best, int(scores[other]))
    return best


@allocating_kernel
def fill_rewards(rules: Rules, state: State, scheme: int, rewards: Any) -> None:
    """Write the rewards of a finished game; zero for one that was cut off or still runs.

    ``"win"`` shares 1 among the winners and takes ``1 / n`` from everybody, so that it sums to 0.
    ``"rank"`` runs evenly from 1 for the first to -1 for the last, ties sharing their mean.
    ``"margin"`` is the score less the best of the others', over 100.
    """
    rewards[:] = 0.0
    if state["outcome"] != Outcome.FINISHED:
        return
    num_players = rules["num_players"]
    results = np.zeros((MAX_PLAYERS, len(RESULTS)))
    fill_results(rules, state, results)
    places = results[:, 1]
    if scheme == _WIN:
        for player in range(num_players):
            rewards[player] = results[player, 0] - 1.0 / num_players
    elif scheme == _RANK:
        for player in range(num_players):
            tied = 0
            for other in range(num_players):
                tied += places[other] == places[player]
            mean_place = places[player] + (tied - 1) / 2.0
            rewards[player] = 1.0 - 2.0 * (mean_place - 1.0) / (num_players - 1.0)
    else:
        for player in range(num_players):
            rewards[player] = results[player, 3] / _VP_PER_MARGIN
