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
from prico_env.core.calls import result_games
from prico_env.core.scoring import RESULTS
from prico_env.game import Game

_THE_GAME: Final = np.zeros(1, dtype=np.int64)
_DTYPES: Final = {"win": np.float64}
"""Figures that are no whole numbers."""


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


def episodes_of_games(games: Games, ended: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """Return the results of games that have ended, for every seat.

    Args:
        games: The batch, of ``n`` games.
        ended: Which games have ended, bool, shape ``(n,)``.

    Returns:
        ``win`` float64, ``place``, ``score`` and ``lead`` int64, each of shape ``(n, seats)``, with
        zeros in games that have not ended.
    """
    rows = np.flatnonzero(ended)
    results = np.zeros((len(rows), games.num_seats, len(RESULTS)))
    result_games(games._table, games.state, rows, results)
    columns: dict[str, NDArray[Any]] = {}
    for column, name in enumerate(RESULTS):
        columns[name] = np.zeros((len(games), games.num_seats), _DTYPES.get(name, np.int64))
        columns[name][rows] = results[:, :, column]
    return columns
