"""The checks for users pass on the game itself, and notice what is wrong."""

import numpy as np
import pytest

from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.envs import random_opponent
from prico_env.testing import check_game, check_invariants, check_player, random_play
from tests.contract.random_players import EVERY_TABLE, table_name


@pytest.mark.parametrize("rules", EVERY_TABLE, ids=table_name)
def test_the_checks_hold_along_a_random_game(rules: RuleSet) -> None:
    game = Game(rules, seed=5)
    number = 0
    while not game.over:
        check_game(game)
        number += 1
        random_play(game, seed=number, decisions=40)
    check_game(game)


def test_random_play_repeats_and_stops_where_it_is_told() -> None:
    one, other = random_play(Game(seed=1), seed=3), random_play(Game(seed=1), seed=3)
    assert one.over
    assert one.to_bytes() == other.to_bytes()
    chosen = [move for move in random_play(Game(seed=1), decisions=7).history if not move.forced]
    assert len(chosen) == 7


def test_a_broken_position_is_noticed() -> None:
    game = Game(seed=1)
    game.state["worker_supply"][0] -= 1
    with pytest.raises(AssertionError, match="1 missing"):
        check_invariants(game)


def test_players_are_checked() -> None:
    check_player(random_opponent, RuleSet(players=2), games=1)
    check_player(random_opponent, RuleSet(2, "1897-de", ALL_EXPANSIONS), games=1)

    def cheat(game: Game, seat: int, rng: np.random.Generator) -> int:
        return 139

    def meddler(game: Game, seat: int, rng: np.random.Generator) -> int:
        game.step(game.legal_actions()[0])
        return 1

    with pytest.raises(AssertionError, match=r"chose 139 \(seat 0, game 0, round 1, role\)"):
        check_player(cheat)
    with pytest.raises(AssertionError, match="changed the game it was shown"):
        check_player(meddler)
