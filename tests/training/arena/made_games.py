"""Games that nobody played: lines of results as a test wants them."""

import itertools

import numpy as np

from prico_env.core.scoring import SCORE_PARTS
from prico_env.vocabulary import NUM_ROLES


def game(table, scores, deal=0, line_up=0, **fields):
    """A finished game whose places follow from the scores; `fields` replace what stands here."""
    seats = len(table)
    places = [1 + sum(other > own for other in scores) for own in scores]
    winners = places.count(1)
    parts = {part: [0] * seats for part in SCORE_PARTS} | {"vp": list(scores)}
    line = {
        "line_up": line_up,
        "table": list(table),
        "format": "copies" if is_copies(table) else "mixed",
        "deal": deal,
        "seed": 100 + deal,
        "outcome": "finished",
        "rounds": 15,
        "end": ["city"],
        "decisions": [10] * seats,
        "seconds": [0.01] * seats,
        "wins": [1 / winners if place == 1 else 0.0 for place in places],
        "places": places,
        "scores": list(scores),
        "coins": [0] * seats,
        "goods": [0] * seats,
        "parts": parts,
        "roles": [[1] * NUM_ROLES for _ in table],
        "built": [["small_market"] for _ in table],
        "bought": [{"small_market": 3} for _ in table],
        "unstaffed": [[] for _ in table],
        "faults": [],
    }
    return line | fields


def is_copies(table):
    counts = sorted(list(table).count(name) for name in set(table))
    return counts == [1, len(table) - 1] or counts == [1, 1]


def tables_of(names, seats, mixed=True):
    """Every seating of one among copies, and of different agents."""
    tables = [
        tuple(alone if here == seat else other for here in range(seats))
        for alone, other in itertools.permutations(names, 2)
        for seat in range(seats)
    ]
    if mixed:
        tables += list(itertools.permutations(names, seats))
    return list(dict.fromkeys(tables))


def plackett_luce(strength, tables, deals, chance, seat_terms=(), luck=0.0, ties=0.0):
    """Games whose order of seats is drawn as the model says, `luck` being the deal's for a seat.

    The order is that of the terms with Gumbel noise, which is the same model.
    """
    seats = len(tables[0])
    terms = np.array(seat_terms or [0.0] * seats)
    games = []
    for deal in range(deals):
        fate = luck * chance.normal(size=seats)
        for line_up, table in enumerate(tables):
            worth = np.array([strength[name] for name in table]) + terms + fate
            draw = np.argsort(np.argsort(worth + chance.gumbel(size=seats)))
            scores = 30 + 5 * draw
            if ties and chance.random() < ties:
                best = scores.max()
                scores = np.where(scores == best - 5, best, scores)
            games.append(game(table, scores.tolist(), deal, line_up))
    return games
