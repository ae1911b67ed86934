"""The black market: a unit, a barrel and a VP in place of coins."""

import pytest

from prico_env import IllegalActionError
from tests.builders import (
    ALICE,
    BOB,
    X1,
    X2,
    all_workers,
    board,
    city,
    city_of,
    coins,
    end_triggered,
    goods,
    number,
    options,
    play,
    supply,
    vp,
    workers,
)

RICH = {"goods": {"indigo": 1}, "vp": 1}


def buying(edition, seat, expansions=(X1,), **words):
    """Bob's turn in a builder phase that Alice opened; his black market is occupied."""
    seat = seat | {"city": {"black_market": 1} | seat.get("city", {})}
    words |= {"edition": edition, "expansions": expansions}
    return board("builder", turn=BOB, seats={BOB: {"island": {}} | seat}, **words)


def payments(edition, seat, building):
    """Every way in which Bob may pay for a building, as sets of resources."""
    game = buying(edition, seat, for_sale=(building,), switches={"skip_forced": False})
    game.step(f"build:{building}")
    found, waiting = [], [(game, ())]
    while waiting:
        here, paid = waiting.pop()
        if here.turn != BOB:
            found.append(paid)
            continue
        for name in options(here):
            there = here.clone()
            there.step(name)
            waiting.append((there, (*paid, name)))
    assert len(found) == len(set(found))
    return {frozenset(paid) for paid in found}


# -- how much --------------------------------------------------------------------------------------


def test_a_barrel_and_a_worker_make_up_for_two_coins(edition):
    """TV-30, R-BLK-1, R-BLK-3, R-BLK-6, I-27: six coins and a harbor of eight."""
    seat = {"coins": 6, "goods": {"indigo": 1}, "island": {"corn": [1, 1]}}
    game = buying(edition, seat, for_sale=("harbor",))
    before = number(game, "worker_supply"), supply(game, "indigo")
    play(game, "bob build harbor")
    assert "harbor" in city(game, BOB)
    assert coins(game, BOB) == 0
    assert goods(game, BOB) == {}
    assert workers(game, BOB, "corn") == 0
    assert (number(game, "worker_supply"), supply(game, "indigo")) == (before[0] + 1, before[1] + 1)


def test_no_third_resource_is_taken_where_two_suffice(edition):
    """TV-31, R-BLK-3, Q-50: no coin may remain, and one resource alone is too little."""
    seat = {"coins": 6, "goods": {"indigo": 1}, "vp": 1, "island": {"corn": [1, 1]}}
    found = payments(edition, seat, "harbor")
    assert found == {
        frozenset({"pay:worker:corn", "pay:indigo"}),
        frozenset({"pay:worker:corn", "pay:vp"}),
        frozenset({"pay:indigo", "pay:vp"}),
    }


def test_payment_goes_unit_barrel_vp(edition):
    """R-BLK-2, R-BLK-3: in this order, so that each way to pay is one sequence."""
    seat = {"coins": 6, "goods": {"indigo": 1, "corn": 2}, "vp": 3, "island": {"corn": [1, 1]}}
    game = buying(edition, seat, for_sale=("harbor",))
    play(game, "bob build harbor")
    assert options(game) == {"pay:worker:corn", "pay:indigo", "pay:corn"}
    play(game, "bob pay corn")
    assert game.turn != BOB
    assert vp(game, BOB) == 2


@pytest.mark.parametrize(("purse", "ways"), [(5, 0), (4, 3), (3, 3), (2, 1)])
def test_exactly_the_gap_is_paid(edition, purse, ways):
    """TX-30, R-BLK-3, R-BLK-4, Q-50, Q-54, D-44: a building of five, and three resources."""
    seat = {"coins": purse, "goods": {"sugar": 1}, "vp": 1, "portrait": 1}
    found = payments(edition, seat, "office")
    if ways == 0:
        assert found == {frozenset()}
    else:
        assert len(found) == ways
        assert {len(paid) for paid in found} == {5 - purse}


def test_four_coins_too_few_are_too_few(edition):
    """TX-30, R-BLK-2: a fourth resource does not exist."""
    seat = {"coins": 1, "goods": {"sugar": 5}, "vp": 5, "portrait": 5}
    assert "build:office" not in options(buying(edition, seat, for_sale=("office",)))


def test_enough_coins_are_paid_in_coins(edition):
    """R-BLK-4, Q-54, D-44: nobody saves coins that way."""
    seat = {"coins": 5, "goods": {"sugar": 1}, "vp": 1, "portrait": 1}
    game = play(buying(edition, seat, for_sale=("office",)), "bob build office")
    assert (coins(game, BOB), goods(game, BOB), vp(game, BOB)) == (0, {"sugar": 1}, 1)
    assert game.turn != BOB


def test_at_most_one_of_each(edition):
    """R-BLK-2, G106: three barrels are no three coins."""
    seat = {"coins": 2, "goods": {"sugar": 3}}
    assert "build:office" not in options(buying(edition, seat, for_sale=("office",)))
    seat = {"coins": 3, "goods": {"sugar": 3}, "vp": 1}
    found = payments(edition, seat, "office")
    assert found == {frozenset({"pay:sugar", "pay:vp"})}


def test_an_unoccupied_black_market_is_of_no_use(edition):
    """R-BLK-1, R-GEN-2."""
    seat = {"coins": 4, "goods": {"sugar": 1}, "city": {"black_market": 0}}
    assert "build:office" not in options(buying(edition, seat, for_sale=("office",)))


def test_everybody_else_pays_coins(edition):
    """R-BLK-1: the market is its owner's alone."""
    game = board(
        "builder",
        edition=edition,
        expansions=(X1,),
        seats={ALICE: {"coins": 3} | RICH, BOB: {"city": {"black_market": 1}}},
        for_sale=("office",),
    )
    assert "build:office" not in options(game)


def test_discounts_come_first(edition):
    """R-BLK-4, Q-47, R-BLD-4: they apply whole; nobody declines one to pay in kind."""
    seat = {"coins": 4, "goods": {"sugar": 1}, "island": {"quarry": [1, 1]}}
    game = play(buying(edition, seat, for_sale=("office",)), "bob build office")
    assert (coins(game, BOB), goods(game, BOB)) == (0, {"sugar": 1})
    assert workers(game, BOB, "quarry") == 1


def test_a_payment_is_carried_through(edition):
    """R-BLK-3: no passing half way."""
    seat = {"coins": 3, "goods": {"sugar": 1, "corn": 1}, "portrait": 1, "vp": 1}
    game = play(buying(edition, seat, for_sale=("office",)), "bob build office")
    while game.turn == BOB:
        assert "pass" not in options(game)
        game.step(game.legal_actions()[0])
    assert coins(game, BOB) == 0
    assert "office" in city(game, BOB)


# -- which unit ------------------------------------------------------------------------------------


def test_the_unit_may_come_from_anywhere_but_the_black_market(edition):
    """R-BLK-5, D-42, Q-51, G106: a tile, a building or the portrait."""
    seat = {
        "coins": 4,
        "island": {"corn": [2, 1], "quarry": [1, 0]},
        "city": {"large_warehouse": 1, "sugar_mill": 2, "hacienda": 0},
        "portrait": 2,
    }
    game = play(buying(edition, seat, for_sale=("office",)), "bob build office")
    assert options(game) == {
        "pay:worker:corn",
        "pay:worker:large_warehouse",
        "pay:worker:sugar_mill",
        "pay:worker:portrait",
    }
    play(game, "bob pay worker sugar_mill")
    assert workers(game, BOB, "sugar_mill") == 1


def test_the_unit_on_the_portrait_is_as_good(edition):
    """R-BLK-5."""
    seat = {"coins": 4, "portrait": 2, "goods": {"corn": 1}}
    game = play(
        buying(edition, seat, for_sale=("office",)), "bob build office\nbob pay worker portrait"
    )
    assert workers(game, BOB, "portrait") == 1
    assert goods(game, BOB) == {"corn": 1}


def test_the_unit_on_the_market_itself_is_no_payment(edition):
    """TX-31, R-BLK-5, D-42, G106: it is the only one on the board."""
    seat = {"coins": 2}
    game = buying(edition, seat, for_sale=("storehouse",))
    assert "build:storehouse" not in options(game)


def test_a_table_may_allow_the_unit_on_the_market(edition):
    """D-42, R-BLK-5: `black_market_excludes_own_worker`."""
    switches = {"black_market_excludes_own_worker": False}
    game = buying(edition, {"coins": 2}, for_sale=("storehouse",), switches=switches)
    play(game, "bob build storehouse")
    assert "storehouse" in city(game, BOB)
    assert workers(game, BOB, "black_market") == 0


def test_a_citizen_is_a_unit_too(edition):
    """Q-53, R-GEN-9, R-BLK-6: it goes back to the citizens."""
    seat = {"coins": 4, "island": {"corn": [1, 0, 1]}}
    game = buying(edition, seat, (X1, X2), for_sale=("office",))
    before = number(game, "citizen_supply")
    play(game, "bob build office")
    assert "office" in city(game, BOB)
    assert number(game, "citizen_supply") == before + 1


def test_which_kind_of_unit_is_the_owners_choice(edition):
    """Q-53, Q-115, R-BLK-2: one unit in all, of either kind."""
    seat = {"coins": 4, "island": {"corn": [2, 1, 1]}, "portrait": [0, 1]}
    game = buying(edition, seat, (X1, X2), for_sale=("office",))
    play(game, "bob build office")
    assert options(game) == {"pay:worker:corn", "pay:citizen:corn", "pay:citizen:portrait"}
    play(game, "bob pay citizen portrait")
    assert game.turn != BOB
    assert all_workers(game, BOB) == 2


# -- what it does to the purchase ------------------------------------------------------------------


def test_the_price_is_fixed_before_the_unit_goes(edition):
    """R-BLD-10, Q-51: the worker of a quarry discounts once more and is paid."""
    seat = {"coins": 3, "island": {"quarry": [1, 1]}}
    game = play(buying(edition, seat, for_sale=("office",)), "bob build office")
    assert "office" in city(game, BOB)
    assert workers(game, BOB, "quarry") == 0
    assert coins(game, BOB) == 0


def test_a_university_that_gave_its_worker_away_gives_none(edition):
    """R-BLD-10, Q-51: it is asked after the payment."""
    seat = {"coins": 4, "city": {"university": 1}}
    game = play(buying(edition, seat, for_sale=("office",)), "bob build office")
    assert workers(game, BOB, "university") == 0
    assert workers(game, BOB, "office") == 0


def test_a_church_that_gave_its_worker_away_gives_nothing(edition):
    """R-BLD-10, Q-51."""
    seat = {"coins": 4, "city": {"church": 1}}
    game = play(buying(edition, seat, for_sale=("office",)), "bob build office")
    assert workers(game, BOB, "church") == 0
    assert vp(game, BOB) == 0


def test_a_vp_paid_comes_back_from_the_church(edition):
    """R-BLD-10, R-CHU-1, R-BLK-6: out first, then in."""
    seat = {"coins": 4, "vp": 1, "city": {"church": 1}}
    game = buying(edition, seat, for_sale=("office",))
    pool = number(game, "vp_pool")
    play(game, "bob build office\nbob pay vp")
    assert vp(game, BOB) == 1
    assert number(game, "vp_pool") == pool


def test_one_building_however_rich_the_market(edition):
    """G040, R-BLD-1: the turn is over once it is paid."""
    seat = {"coins": 4, "goods": {"corn": 5}, "vp": 9, "portrait": 5}
    game = play(buying(edition, seat, for_sale=("office",)), "bob build office\nbob pay vp")
    assert game.turn != BOB


def test_what_comes_after_the_market_is_bought_does_not_help_to_buy_it(edition):
    """R-BLK-1: one's own black market is unoccupied when it is bought."""
    seat = {"coins": 1, "goods": {"corn": 1}, "vp": 1, "portrait": 1}
    game = board(
        "builder",
        edition=edition,
        expansions=(X1,),
        turn=BOB,
        seats={BOB: seat},
        for_sale=("black_market",),
    )
    assert "build:black_market" not in options(game)


# -- the end of the game ---------------------------------------------------------------------------


def test_a_vp_returned_does_not_call_off_the_end(edition):
    """R-BLK-7, R-END-4, D-43, Q-52, G106, I-28: the pool has one again."""
    game = buying(
        edition,
        {"coins": 4, "vp": 3},
        for_sale=("office",),
        vp=0,
    )
    assert end_triggered(game)
    play(game, "bob build office")
    assert number(game, "vp_pool") == 1
    assert vp(game, BOB) == 2
    assert end_triggered(game)


def test_a_vp_on_paper_is_paid_back(edition):
    """Q-52, R-CAP-14: the pool is a signed account."""
    game = buying(edition, {"coins": 4, "vp": 3}, for_sale=("office",), vp=-5)
    play(game, "bob build office")
    assert number(game, "vp_pool") == -4


def test_a_worker_returned_does_not_call_off_the_end(edition):
    """R-BLK-7, R-END-4, D-43, G106."""
    game = buying(edition, {"coins": 4, "portrait": 1}, for_sale=("office",), end_triggered=True)
    play(game, "bob build office")
    assert end_triggered(game)


def test_the_last_city_space_may_be_filled_through_the_market(edition):
    """R-BLD-10, R-BLD-11, Q-56: the end is triggered as with coins."""
    spaces = city_of(8) | {"small_warehouse": 0, "hospice": 0}
    seat = {"coins": 4, "portrait": 1, "city": spaces}
    game = buying(edition, seat, for_sale=("office",))
    assert number(game, "end_reasons") == 0
    play(game, "bob build office")
    assert len(city(game, BOB)) == 12
    assert end_triggered(game)


@pytest.mark.parametrize("word", ["pay:worker:black_market", "pay:vp", "pay:corn"])
def test_nothing_else_is_a_payment(edition, word):
    """R-BLK-2, R-BLK-5: what one does not have, and the market's own worker."""
    seat = {"coins": 4, "portrait": 1, "goods": {"sugar": 1}}
    game = play(buying(edition, seat, for_sale=("office",)), "bob build office")
    with pytest.raises(IllegalActionError):
        game.step(word)


def test_customs_house_counts_the_vp_that_are_left(edition):
    """Q-106, R-CUS-1, G094: what was returned is gone."""
    seat = {"coins": 4, "vp": 8, "city": {"customs_house": 1}}
    game = buying(edition, seat, for_sale=("office",))
    before = game.score_table()[BOB]["total"]
    play(game, "bob build office\nbob pay vp")
    assert game.score_table()[BOB]["total"] == before - 1 + 2 - 1
