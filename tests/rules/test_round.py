"""The end of a round: coins on what was left, cards back, and the next governor."""

import pytest

from prico_env.vocabulary import ROLES
from tests.builders import (
    BOB,
    ROLES_IN_PLAY,
    board,
    coins,
    finish_phase,
    new_game,
    number,
    options,
    play,
    role_coins,
)

QUIET = {
    2: ("trader", "craftsman", "captain", "prospector_1", "mayor", "settler"),
    3: ("trader", "craftsman", "captain"),
    4: ("trader", "craftsman", "captain", "prospector_1"),
    5: ("trader", "craftsman", "captain", "prospector_1", "prospector_2"),
}
"""Picks that ask nothing of anyone at set-up, but for the settler of a two-player game."""


def quiet_round(game, players):
    """Play a round in which as little as possible happens."""
    for role in QUIET[players]:
        game.step(f"role:{role}")
        finish_phase(game)
    return game


def test_a_coin_is_laid_on_each_role_that_nobody_took(edition, players):
    """R-EOR-2, TX-80, G085: three cards, or one in a two-player game."""
    game = quiet_round(new_game(players, edition), players)
    left = set(ROLES_IN_PLAY[players]) - set(QUIET[players])
    assert role_coins(game) == dict.fromkeys(sorted(left, key=ROLES.index), 1)
    assert len(left) == (1 if players == 2 else 3)


def test_coins_on_roles_pile_up_without_limit(edition, table):
    """R-EOR-2, G085: a card that is left four times has four coins."""
    game = new_game(table, edition)
    for _ in range(4):
        quiet_round(game, table)
    assert role_coins(game) == {"settler": 4, "mayor": 4, "builder": 4}
    assert "role:builder" in options(game)


def test_the_coins_come_from_the_bank(edition):
    """R-EOR-2, I-07."""
    game = new_game(4, edition)
    bank = number(game, "bank")
    quiet_round(game, 4)
    assert number(game, "bank") == bank - 3 - 1


def test_all_cards_are_back_in_the_next_round(edition, players):
    """R-EOR-3, R-ROL-5."""
    game = quiet_round(new_game(players, edition), players)
    assert options(game) == {f"role:{role}" for role in ROLES_IN_PLAY[players]}


def test_the_governor_card_goes_clockwise_every_round(edition, players):
    """R-RND-3, R-EOR-4, R-RND-1, I-18."""
    game = new_game(players, edition)
    governors, pickers = [], []
    for _ in range(players + 1):
        governors.append(number(game, "governor"))
        pickers.append(game.turn)
        quiet_round(game, players)
    assert governors == pickers == [*range(players), 0]


def test_rounds_are_counted(edition):
    """R-RND-3, G154."""
    game = new_game(4, edition)
    first = game.round
    quiet_round(quiet_round(game, 4), 4)
    assert game.round == first + 2


def test_coins_of_a_card_are_taken_with_it_in_the_next_round(edition):
    """R-EOR-2, R-ROL-4."""
    game = quiet_round(new_game(4, edition), 4)
    play(game, "bob role mayor")
    assert coins(game, BOB) == 3 + 1
    assert role_coins(game) == {"settler": 1, "builder": 1}


def test_coins_stay_on_cards_that_were_not_taken(edition):
    """R-EOR-2: existing coins are kept and one is added."""
    game = board(edition=edition, roles={"mayor": {"coins": 5, "taken_by": None}})
    quiet_round(game, 4)
    assert role_coins(game) == {"settler": 1, "mayor": 6, "builder": 1}


def test_a_game_goes_on_as_long_as_nothing_triggers_the_end(edition):
    """R-RND-3, R-END-5, I-33: the rules set no limit, ``max_rounds`` does."""
    game = new_game(3, edition)
    for _ in range(20):
        quiet_round(game, 3)
    assert not game.over
    assert game.turn == 20 % 3


@pytest.mark.parametrize("limit", [1, 3])
def test_a_game_is_truncated_after_so_many_rounds(edition, limit):
    """I-33, G167: neither won nor lost."""
    game = new_game(3, edition, max_rounds=limit)
    for _ in range(limit):
        assert not game.over
        quiet_round(game, 3)
    assert game.over
    assert game.truncated
    assert game.phase == "over"
    assert game.rewards("win").tolist() == [0, 0, 0]
