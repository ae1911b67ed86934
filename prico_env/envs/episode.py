"""What ``info["episode"]`` says when a game ends: one definition for all environments.

For each seat it holds

``win``
    its share of the win: 1, divided by the winners where several are tied, and 0 for everybody in
    a game that was cut off;
``place``
    its place, 1 the best; who is tied shares it;
``score``
    its victory points;
``lead``
    its score less the best of the others', in victory points;
``length``
    the decisions that it was asked for. Forced ones are not.

In a game that was cut off, place, score and lead are as if it had ended there. Where libraries know
episodes by ``r`` and ``l``, these are there as well: the sum of the rewards, and the length. So
Gymnasium's ``RecordEpisodeStatistics`` is not needed; it refuses a key that is taken, and works
beside ours with a ``stats_key`` of its own.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_env.batch import Games
from prico_env.core.calls import result_games, tabulate_results
from prico_env.core.scoring import RESULTS
from prico_env.game import Game

_THE_GAME: Final = np.zeros(1, dtype=np.int64)


def episodes_of_game(game: Game, lengths: Sequence[int]) -> list[dict[str, float]]:
    """Return ``info["episode"]`` of every seat of a game that has ended.

    Args:
        game: The game.
        lengths: Decisions of each seat.

    Returns:
        One dict for each seat: ``win`` is a float, all else integers.
    """
    results = np.zeros((1, game.rules.players, len(RESULTS)))
    result_games(game.rules.table, game.state, _THE_GAME, results)
    return [
        {"win": win, "place": int(place), "score": int(score), "lead": int(lead), "length": length}
        for (win, place, score, lead), length in zip(results[0].tolist(), lengths, strict=True)
    ]


def results_of_games(games: Games, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what some games came to, or would if they ended now.

    Args:
        games: The batch.
        rows: Numbers of the games, shape ``(k,)``.

    Returns:
        For each game and seat the numbers that `RESULTS` names, shape ``(k, seats, 4)``.
    """
    results = np.zeros((len(rows), games.num_seats, len(RESULTS)))
    result_games(games._table, games.state, rows, results)
    return results


def episodes_of_games(
    results: NDArray[np.float64],
    rows: NDArray[np.int64],
    returns: NDArray[np.float64],
    lengths: NDArray[np.int64],
) -> dict[str, NDArray[Any]]:
    """Return ``info["episode"]`` of games that have ended, for every seat or for a learner.

    Args:
        results: What they came to, shape ``(k, seats, 4)``, for learners ``(k, 1, 4)``.
        rows: Their numbers in a batch of ``n``, shape ``(k,)``.
        returns: What each game of the batch has paid, shape ``(n, seats)`` or ``(n,)``.
        lengths: Decisions in it, likewise.

    Returns:
        ``win`` and ``r`` float64, ``place``, ``score``, ``lead``, ``length`` and ``l`` int64, each
        of the shape of ``returns``, with zeros in games that have not ended.
    """
    reals = np.zeros((2, len(returns), results.shape[1]))
    counts = np.zeros((len(RESULTS), *reals.shape[1:]), dtype=np.int64)
    by_seat = reals.shape[1:]
    tabulate_results(
        results, rows, returns.reshape(by_seat), lengths.reshape(by_seat), reals, counts
    )
    win, paid = reals.reshape(2, *returns.shape)
    place, score, lead, length = counts.reshape(len(counts), *returns.shape)
    return {
        "win": win,
        "place": place,
        "score": score,
        "lead": lead,
        "length": length,
        "l": length,
        "r": paid,
    }
