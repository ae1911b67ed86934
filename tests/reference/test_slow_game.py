"""The slow game by itself: it ends, and no piece is lost on the way."""

import random

import pytest

from tests.reference.boards import busy_table, set_up
from tests.reference.box import COIN_TOTALS, GOODS, SETUPS
from tests.reference.position import num_units
from tests.reference.slow_game import SlowGame


def shuffled(chance):
    def reshuffle(discard, seat):
        tiles = [good for good in GOODS for _ in range(discard[good])]
        chance.shuffle(tiles)
        return tiles

    return reshuffle


def pieces(position):
    """Every conserved quantity (I-01..I-08), one number each."""
    players = position["players"]
    counts = {"vp": position["vp"] + sum(player["vp"] for player in players)}
    counts["workers"] = sum(position["workers"].values()) + sum(map(num_units, players))
    counts["coins"] = (
        position["bank"]
        + sum(player["coins"] for player in players)
        + sum(card["coins"] for card in position["roles"].values())
    )
    for good in GOODS:
        on_ships = sum(ship["barrels"] for ship in position["ships"] if ship["good"] == good)
        counts[good] = (
            position["goods"][good]
            + on_ships
            + position["house"].count(good)
            + sum(player["goods"][good] for player in players)
        )
        counts[f"{good} tiles"] = (
            position["row"][good]
            + position["deck"].count(good)
            + position["discard"][good]
            + sum(player["island"][good][0] for player in players)
        )
    return counts


@pytest.mark.parametrize("edition", ["classic", "1897-en", "1897-de"])
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_a_slow_game_ends_and_loses_no_piece(num_players, edition):
    """I-01..I-08, R-END."""
    chance = random.Random(num_players)
    game = SlowGame(set_up(num_players, edition, chance), shuffled(chance))
    setup = SETUPS[num_players]
    box = pieces(game.position)
    assert box["vp"] == setup.vp[edition]
    assert box["coins"] == COIN_TOTALS[edition]
    while not game.over:
        allowed = sorted(game.ask.options or game.ask.outcomes)
        game.choose(chance.choice(allowed))
        assert pieces(game.position) == box
    assert game.position["end_triggered"] or game.truncated


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_a_busy_table_holds_every_piece_of_the_box(num_players):
    """I-01..I-08 for the boards that the comparison starts from."""
    for seed in range(50):
        chance = random.Random(seed)
        fresh, busy = (make(num_players, "1897-en", chance) for make in (set_up, busy_table))
        assert pieces(busy) == pieces(fresh)
        assert busy["vp"] > 0
