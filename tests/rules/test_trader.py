"""The trader: a barrel each to the trading house, which takes four and no kind twice."""

import pytest

from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    board,
    coins,
    goods,
    house,
    moves,
    options,
    play,
    supply,
)


def trader(edition, seats, **words):
    """Alice has just taken the trader."""
    return play(board(edition=edition, seats=seats, **words), "alice role trader")


ONE_OF_EACH = {"corn": 1, "indigo": 1, "sugar": 1, "tobacco": 1, "coffee": 1}


# -- prices ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("good", "paid"), [("corn", 0), ("indigo", 1), ("sugar", 2), ("tobacco", 3), ("coffee", 4)]
)
def test_the_house_pays_by_kind(edition, good, paid):
    """R-TRA-4, Q-05."""
    game = trader(edition, {BOB: {"goods": ONE_OF_EACH}})
    play(game, f"bob sell {good}")
    assert coins(game, BOB) == 3 + paid
    assert house(game) == {good: 1}


def test_the_trader_gets_one_coin_more(edition):
    """R-TRA-4, R-TRA-6."""
    game = trader(edition, {ALICE: {"goods": {"sugar": 1}}})
    play(game, "alice sell sugar")
    assert coins(game, ALICE) == 3 + 2 + 1


def test_the_trader_who_does_not_sell_gets_no_coin(edition):
    """R-TRA-6, R-ROL-8."""
    game = trader(edition, {ALICE: {"goods": {"sugar": 1}}, BOB: {"goods": {"sugar": 1}}})
    play(game, "alice pass\nbob sell sugar")
    assert (coins(game, ALICE), coins(game, BOB)) == (3, 5)


def test_corn_may_be_sold_for_nothing(edition):
    """R-TRA-5: a sale all the same."""
    game = trader(edition, {BOB: {"goods": {"corn": 1}}})
    assert options(game) == {"sell:corn", "pass"}
    play(game, "bob sell corn")
    assert coins(game, BOB) == 3
    assert house(game) == {"corn": 1}


def test_the_trader_gets_a_coin_for_corn(edition):
    """R-TRA-5, Q-78."""
    game = trader(edition, {ALICE: {"goods": {"corn": 1}}})
    play(game, "alice sell corn")
    assert coins(game, ALICE) == 3 + 0 + 1


def test_the_small_market_adds_a_coin_also_for_corn(edition):
    """TV-08, R-SMK-1, R-TRA-5."""
    game = trader(edition, {BOB: {"goods": {"corn": 1}, "city": {"small_market": 1}}})
    play(game, "bob sell corn")
    assert coins(game, BOB) == 3 + 1


def test_the_large_market_adds_two_coins(edition):
    """R-LMK-1."""
    game = trader(edition, {BOB: {"goods": {"indigo": 1}, "city": {"large_market": 1}}})
    play(game, "bob sell indigo")
    assert coins(game, BOB) == 3 + 1 + 2


def test_markets_and_the_privilege_add_up(edition):
    """R-SMK-2, R-LMK-1, R-TRA-4: four for coffee, one as trader, one and two for the markets."""
    markets = {"small_market": 1, "large_market": 1}
    game = trader(edition, {ALICE: {"goods": {"coffee": 1}, "city": markets}})
    play(game, "alice sell coffee")
    assert coins(game, ALICE) == 3 + 4 + 1 + 3


def test_empty_markets_add_nothing(edition):
    """R-GEN-2, R-SMK-1, R-LMK-1."""
    markets = {"small_market": 0, "large_market": 0}
    game = trader(edition, {BOB: {"goods": {"coffee": 1}, "city": markets}})
    play(game, "bob sell coffee")
    assert coins(game, BOB) == 3 + 4


# -- who may sell what -----------------------------------------------------------------------------


def test_a_player_sells_one_barrel_or_none(edition):
    """R-TRA-1, G056."""
    game = trader(edition, {BOB: {"goods": {"corn": 2, "sugar": 1}}, CAROL: {"goods": {"corn": 1}}})
    assert options(game) == {"sell:corn", "sell:sugar", "pass"}
    play(game, "bob sell sugar")
    assert goods(game, BOB) == {"corn": 2}
    assert game.turn == CAROL


def test_passing_ends_the_turn(edition):
    """R-TRA-1, R-ROL-7, G056."""
    game = trader(edition, {BOB: {"goods": {"corn": 2}}, CAROL: {"goods": {"corn": 1}}})
    play(game, "bob pass\ncarol pass")
    assert (game.phase, game.turn) == ("role", BOB)
    assert house(game) == {}


def test_a_kind_in_the_house_is_not_bought_again(edition):
    """R-TRA-3."""
    game = trader(edition, {BOB: {"goods": {"corn": 1, "sugar": 1}}}, house=["corn"])
    assert options(game) == {"sell:sugar", "pass"}


def test_a_full_house_buys_nothing_for_the_rest_of_the_phase(edition):
    """R-TRA-2, R-TRA-7, D-23, Q-77, G052: the others pass, and it is emptied after them."""
    game = trader(
        edition,
        {ALICE: {"goods": {"tobacco": 1}}, CAROL: {"goods": {"coffee": 2}}},
        house=["corn", "indigo", "sugar"],
    )
    play(game, "alice sell tobacco")
    assert goods(game, CAROL) == {"coffee": 2}
    assert (game.phase, game.turn) == ("role", BOB)
    assert moves(game)[-3:] == ["bob pass !", "carol pass !", "dave pass !"]


def test_a_full_house_is_emptied_into_the_supply_at_the_end_of_the_phase(edition):
    """R-TRA-8, G053, G055, Q-86, I-01, I-24."""
    game = trader(edition, {ALICE: {"goods": {"tobacco": 1}}}, house=["corn", "indigo", "sugar"])
    play(game, "alice sell tobacco")
    assert house(game) == {}
    assert [supply(game, kind) for kind in ONE_OF_EACH] == [10, 11, 11, 9, 9]


def test_the_house_is_not_emptied_before_the_last_turn(edition):
    """Q-86, R-TRA-8: Bob fills it, so Dave cannot sell although it holds four."""
    game = trader(
        edition,
        {BOB: {"goods": {"tobacco": 1}}, DAVE: {"goods": {"corn": 1, "coffee": 1}}},
        house=["corn", "indigo", "sugar"],
    )
    play(game, "bob sell tobacco")
    assert goods(game, DAVE) == {"corn": 1, "coffee": 1}
    assert house(game) == {}


def test_a_house_that_is_not_full_keeps_its_barrels(edition):
    """R-TRA-8."""
    game = trader(edition, {ALICE: {"goods": {"sugar": 1}}}, house=["corn", "indigo"])
    play(game, "alice sell sugar")
    assert (game.phase, game.turn) == ("role", BOB)
    assert house(game) == {"corn": 1, "indigo": 1, "sugar": 1}


def test_everybody_gets_a_turn_even_when_the_house_is_full(edition):
    """R-TRA-7, D-23, Q-77: a forced pass in the base game."""
    game = trader(
        edition,
        {ALICE: {"goods": {"coffee": 1}}},
        house=["corn", "indigo", "sugar"],
        switches={"skip_forced": False},
    )
    play(game, "alice sell coffee\nbob pass\ncarol pass\ndave pass")
    assert (game.phase, game.turn) == ("role", BOB)


# -- office ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("good", "paid"), [("tobacco", 3), ("sugar", 2)])
def test_two_offices_sell_a_kind_that_is_there(edition, good, paid):
    """TV-09, TV-10, R-OFF-1, R-OFF-4."""
    office = {"goods": {good: 1}, "city": {"office": 1}}
    game = trader(edition, {BOB: office, CAROL: office}, house=[good])
    play(game, f"bob sell {good}\ncarol sell {good}")
    assert house(game) == {good: 3}
    assert (coins(game, BOB), coins(game, CAROL)) == (3 + paid, 3 + paid)


def test_an_empty_office_sells_nothing_twice(edition):
    """R-GEN-2, R-OFF-1."""
    game = trader(edition, {BOB: {"goods": {"corn": 1}, "city": {"office": 0}}}, house=["corn"])
    assert (game.phase, game.turn) == ("role", BOB)
    assert goods(game, BOB) == {"corn": 1}


def test_a_full_house_blocks_the_office(edition):
    """R-OFF-2, R-TRA-2: Alice brings the fourth barrel."""
    game = trader(
        edition,
        {
            ALICE: {"goods": {"tobacco": 1}},
            BOB: {"goods": {"corn": 1, "coffee": 1}, "city": {"office": 1}},
        },
        house=["corn", "indigo", "sugar"],
    )
    play(game, "alice sell tobacco")
    assert goods(game, BOB) == {"corn": 1, "coffee": 1}


def test_the_office_sells_one_barrel_a_phase(edition):
    """R-OFF-3."""
    office = {"goods": {"corn": 3}, "city": {"office": 1}}
    game = trader(edition, {BOB: office}, house=["corn"])
    play(game, "bob sell corn")
    assert house(game) == {"corn": 2}
    assert goods(game, BOB) == {"corn": 2}
    assert (game.phase, game.turn) == ("role", BOB)


def test_the_office_fills_the_house_with_a_kind_that_is_there(edition):
    """TX-39, R-TRA-8, R-OFF-1, I-14: three sugar and a corn go back to the supply."""
    game = trader(
        edition,
        {BOB: {"goods": {"sugar": 1}, "city": {"office": 1}}},
        house=["sugar", "sugar", "corn"],
    )
    play(game, "bob sell sugar")
    assert house(game) == {}
    assert (supply(game, "sugar"), supply(game, "corn")) == (11, 10)


def test_the_office_opens_the_house_to_its_owner_only(edition):
    """Q-79, R-TRA-3: others are bound by every kind that is there."""
    game = trader(
        edition,
        {
            BOB: {"goods": {"corn": 1, "sugar": 1}, "city": {"office": 1}},
            CAROL: {"goods": {"corn": 1, "sugar": 1}},
        },
        house=["corn", "sugar"],
    )
    assert options(game) == {"sell:corn", "sell:sugar", "pass"}
    play(game, "bob pass")
    assert (game.phase, game.turn) == ("role", BOB)
