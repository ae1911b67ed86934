"""Two players: three picks each, two ships, and one role left over."""

import pytest

from prico_env import Game, IllegalActionError
from prico_env.vocabulary import BASE_BUILDINGS
from tests.builders import (
    ALICE,
    BOB,
    all_workers,
    board,
    end_triggered,
    finish_phase,
    new_game,
    number,
    options,
    play,
    role_coins,
    row,
    ship,
)


def quiet_round(game):
    """Six picks, whoever's turn it is, with every offer declined."""
    pickers = []
    for role in ("trader", "craftsman", "captain", "prospector_1", "mayor", "settler"):
        pickers.append(game.turn)
        game.step(f"role:{role}")
        finish_phase(game)
    return pickers


def test_players_pick_in_turns_three_roles_each(edition):
    """R-RND-4, R-RND-1, D-04, G098."""
    assert quiet_round(new_game(2, edition)) == [ALICE, BOB] * 3


def test_both_act_on_every_role(edition):
    """R-RND-4, R-ROL-6."""
    game = new_game(2, edition)
    play(game, "alice role settler\nalice pass")
    assert (game.phase, game.turn) == ("settler", BOB)
    play(game, "bob pass")
    assert (game.phase, game.turn) == ("role", BOB)


def test_a_player_holds_the_roles_it_took(edition):
    """R-RND-4, R-ROL-5, G098: a second pick does not overwrite the first."""
    game = new_game(2, edition)
    play(game, "alice role trader\nbob role craftsman\nalice role captain\nbob role prospector_1")
    assert options(game) == {"role:settler", "role:mayor", "role:builder"}


def test_one_role_is_left_and_gets_a_coin(edition):
    """R-RND-4, R-EOR-2, TX-80, G085, G098."""
    game = new_game(2, edition)
    quiet_round(game)
    assert role_coins(game) == {"builder": 1}


def test_the_governor_changes_every_round(edition):
    """R-RND-4, R-EOR-4."""
    game = new_game(2, edition)
    quiet_round(game)
    assert (game.turn, number(game, "governor")) == (BOB, BOB)
    assert quiet_round(game) == [BOB, ALICE] * 3
    assert number(game, "governor") == ALICE


def test_the_register_is_filled_with_two_at_least(edition):
    """R-RND-5, R-MAY-11."""
    game = new_game(2, edition)
    play(game, "alice role mayor")
    assert [all_workers(game, seat) for seat in (ALICE, BOB)] == [2, 1]
    assert number(game, "register_workers") == 2
    assert number(game, "worker_supply") == 40 - 1 - 2


def test_one_worker_is_not_enough_for_the_register(edition):
    """R-RND-5, R-MAY-13."""
    game = board(players=2, edition=edition, workers={"supply": 2, "register": 2})
    play(game, "alice role mayor")
    assert number(game, "register_workers") == 1
    assert end_triggered(game)


def test_the_row_has_three_tiles(edition):
    """R-RND-5."""
    game = new_game(2, edition)
    play(game, "alice role settler\nalice take quarry\nbob pass")
    assert sum(row(game).values()) == 3


def test_there_are_ships_of_four_and_six_and_no_third(edition):
    """R-RND-5, I-13, G101: a ship that is not there is never loaded."""
    game = board("captain", players=2, edition=edition, seats={ALICE: {"goods": {"corn": 3}}})
    assert options(game) == {"load:corn:1", "load:corn:2"}
    with pytest.raises(IllegalActionError):
        game.step("load:corn:3")
    play(game, "alice load corn 1")
    assert ship(game, 1) == ("corn", 3)


def test_more_than_four_go_on_the_ship_of_six(edition):
    """R-RND-5, R-CAP-3."""
    game = board("captain", players=2, edition=edition, seats={ALICE: {"goods": {"corn": 5}}})
    assert options(game) == {"load:corn:2"}


def test_the_ship_that_is_not_there_is_seen_inside_the_bounds(edition):
    """G101, G148: no ship is shown as an empty one out of range."""
    game = new_game(2, edition)
    seen = game.observation(ALICE)
    assert (seen <= game.rules.observation.high).all()


def test_one_copy_of_each_shop(edition):
    """R-SET-4, R-BLD-2: what one player has built the other cannot."""
    game = board(
        "builder", players=2, edition=edition, seats={ALICE: {"coins": 9}, BOB: {"coins": 9}}
    )
    play(game, "alice build office")
    assert "build:office" not in options(game)
    assert "build:large_market" in options(game)
    assert game.state["building_supply"][0, BASE_BUILDINGS.index("office")] == 0


def test_a_position_of_two_players_comes_back_as_it_was(edition):
    """G154, R-RND-4: the picks of a round follow from the roles taken."""
    game = new_game(2, edition)
    play(game, "alice role trader\nbob role craftsman\nalice role captain")
    again = Game.from_dict(game.to_dict())
    assert (again.turn, again.phase) == (BOB, "role")
    assert again.to_bytes() == game.to_bytes()
    play(again, "bob role prospector_1\nalice role mayor")
    assert again.turn == BOB
