"""The builder: one building each, cheaper by quarries and for whoever took the role."""

import pytest

from prico_env import IllegalActionError
from prico_env.vocabulary import BASE_BUILDINGS
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    COINS_IN_BOX,
    LARGE,
    PRODUCTION,
    all_workers,
    board,
    city,
    city_of,
    coins,
    end_triggered,
    number,
    options,
    play,
    workers,
)


def building(edition, seat, builder=True, **words):
    """One seat's turn in the builder phase: Alice's, who took the role, or Bob's, who did not."""
    turn = ALICE if builder else BOB
    return board("builder", edition=edition, turn=turn, seats={turn: seat}, **words)


def price(edition, name, seat, builder):
    """The fewest coins that buy a building; exactly these are paid, by whoever has more as well."""
    for purse in range(11):
        game = building(edition, seat | {"coins": purse}, builder)
        if f"build:{name}" in options(game):
            break
    rich = building(edition, seat | {"coins": 12}, builder)
    buyer = rich.turn
    rich.step(f"build:{name}")
    assert coins(rich, buyer) == 12 - purse
    return purse


def quarries(occupied, empty=0):
    """An island with quarries only."""
    return {"island": {"quarry": [occupied + empty, occupied]}}


# -- prices ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "cost"),
    [("construction_hut", 1), ("office", 3), ("harbor", 5), ("city_hall", 7)],
)
def test_three_quarries_discount_by_column(edition, name, cost):
    """TV-02, R-BLD-4, R-BLD-5."""
    assert price(edition, name, quarries(3), builder=False) == cost


@pytest.mark.parametrize(
    ("name", "cost"),
    [("construction_hut", 0), ("office", 2), ("harbor", 4), ("city_hall", 6)],
)
def test_the_builder_pays_one_coin_less(edition, name, cost):
    """TV-03, R-BLD-6, D-17, Q-45: the builder, not the mayor."""
    assert price(edition, name, quarries(3), builder=True) == cost


@pytest.mark.parametrize(
    ("name", "cost"),
    [("coffee_roaster", 3), ("small_sugar_mill", 1), ("guild_hall", 6), ("large_warehouse", 4)],
)
def test_a_column_limits_the_quarries_that_count(edition, name, cost):
    """TX-22, R-BLD-5, G031: four quarries count by column, not by cost."""
    assert price(edition, name, quarries(4), builder=False) == cost


@pytest.mark.parametrize("occupied", range(4))
def test_only_occupied_quarries_count(edition, occupied):
    """R-BLD-5, R-GEN-2, G032."""
    seat = quarries(occupied, empty=3 - occupied)
    assert price(edition, "guild_hall", seat, builder=False) == 10 - occupied


def test_a_price_never_drops_below_nothing(edition):
    """TX-23, R-BLD-9, D-18, Q-46, G038: a coin saved too many is lost."""
    assert price(edition, "small_market", quarries(1), builder=True) == 0


def test_discounts_apply_in_full(edition):
    """Q-47, R-BLD-4: a player who could pay more does not."""
    game = building(edition, quarries(2) | {"coins": 9}, builder=True)
    play(game, "alice build office")
    assert coins(game, ALICE) == 9 - (5 - 2 - 1)


@pytest.mark.parametrize("name", BASE_BUILDINGS)
def test_what_is_offered_is_what_can_be_paid(edition, name):
    """R-BLD-4, G031: one price for the offer and for the payment, without any discount."""
    table = building(edition, {}, builder=False).rules.table
    cost = int(table["cost"][0, BASE_BUILDINGS.index(name)])
    assert price(edition, name, {}, builder=False) == cost


# -- what may be built -----------------------------------------------------------------------------


def test_each_player_may_build_once(edition):
    """R-BLD-1, D-20, G040, I-25."""
    game = board("builder", edition=edition, seats={ALICE: {"coins": 20}, BOB: {"coins": 20}})
    play(game, "alice build hacienda")
    assert game.turn == BOB
    play(game, "bob build office")
    assert game.turn == CAROL
    assert (city(game, ALICE), city(game, BOB)) == (["hacienda"], ["office"])


def test_nobody_owns_two_of_a_kind(edition):
    """R-BLD-2, R-GEN-1, G041."""
    game = building(edition, {"coins": 12, "city": {"small_indigo_plant": 0, "wharf": 1}})
    assert options(game).isdisjoint({"build:small_indigo_plant", "build:wharf"})


def test_a_building_that_is_sold_out_is_not_for_sale(edition):
    """R-BLD-2, G041, I-09: two harbors and one city hall, and no third or second."""
    game = building(
        edition,
        {"coins": 12},
        builder=False,
        buildings={"harbor": 0, "city_hall": 0, "small_market": 1},
    )
    assert options(game).isdisjoint({"build:harbor", "build:city_hall"})
    play(game, "bob build small_market")
    assert "build:small_market" not in options(game)


def test_a_copy_leaves_the_supply(edition):
    """R-BLD-2, I-09."""
    game = building(edition, {"coins": 12})
    play(game, "alice build harbor")
    assert game.state["building_supply"][0, BASE_BUILDINGS.index("harbor")] == 1


def test_a_large_building_needs_two_spaces(edition):
    """R-BLD-3, TX-25, Q-12, D-19, G035: with one space left no large building is for sale."""
    game = building(edition, {"coins": 20, "city": city_of(11)})
    assert options(game).isdisjoint({f"build:{name}" for name in LARGE})
    assert "build:harbor" in options(game)


@pytest.mark.parametrize("name", ["office", "factory", "harbor", "wharf"])
def test_any_small_building_on_the_last_space_ends_the_game(edition, name):
    """TX-25, R-BLD-11, R-END-2."""
    game = building(edition, {"coins": 20, "city": city_of(11)})
    play(game, f"alice build {name}")
    assert end_triggered(game)


def test_a_large_building_on_the_last_two_spaces_ends_the_game(edition):
    """TX-26, R-BLD-3, R-BLD-11, R-GEN-5, G035."""
    game = building(edition, {"coins": 12, "city": city_of(10)})
    play(game, "alice build fortress")
    assert number(game, "end_reasons") == 2
    assert game.state["city_used"][0, ALICE] == 12


def test_eleven_spaces_do_not_end_the_game(edition):
    """R-BLD-11."""
    game = building(edition, {"coins": 12, "city": city_of(10)})
    play(game, "alice build harbor")
    assert not end_triggered(game)


def test_a_full_city_builds_nothing(edition):
    """R-BLD-3, I-11."""
    game = building(edition, {"coins": 20, "city": city_of(12)})
    assert options(game) == {"pass"}


def test_the_others_still_build_after_the_twelfth_space_is_filled(edition):
    """Q-56, R-BLD-11, R-END-5."""
    game = building(edition, {"coins": 12, "city": city_of(10)})
    play(game, "alice build residence\nbob build small_market")
    assert (game.phase, game.turn) == ("builder", CAROL)


# -- buying ----------------------------------------------------------------------------------------


def test_a_new_building_is_unoccupied_and_coins_go_to_the_bank(edition):
    """R-BLD-10, I-07."""
    game = building(edition, {"coins": 7})
    bank = COINS_IN_BOX[edition] - 7 - 3 * 3
    assert number(game, "bank") == bank
    play(game, "alice build hacienda")
    assert coins(game, ALICE) == 6
    assert number(game, "bank") == bank + 1
    assert workers(game, ALICE, "hacienda") == 0


def test_a_refused_purchase_changes_nothing(edition):
    """R-BLD-2, R-BLD-4, G034: neither coins nor anything else."""
    game = building(edition, {"coins": 7, "city": {"office": 0}})
    before = game.to_bytes()
    for name in ("office", "city_hall", "wharf"):
        with pytest.raises(IllegalActionError):
            game.step(f"build:{name}")
        assert game.to_bytes() == before


def test_a_builder_who_does_not_build_gets_no_coin(edition):
    """R-ROL-8, R-BLD-9, G038."""
    game = building(edition, {"coins": 7})
    play(game, "alice pass")
    assert coins(game, ALICE) == 7
    assert game.turn == BOB


def test_nothing_in_a_builder_phase_takes_a_building_away(edition):
    """R-BLD-12, R-GEN-6: neither for a larger one nor to make room."""
    game = building(edition, {"coins": 20, "city": {"small_market": 1}})
    play(game, "alice build large_market")
    assert city(game, ALICE) == ["small_market", "large_market"]
    assert workers(game, ALICE, "small_market") == 1


def test_where_a_building_stands_does_not_matter(edition):
    """R-GEN-6, R-BLD-3, D-10, Q-12: only the number of free spaces does."""
    small = city_of(8)
    first = building(edition, {"coins": 20, "city": small | {"fortress": 0}})
    second = building(edition, {"coins": 20, "city": {"fortress": 0} | small})
    assert first.to_bytes() == second.to_bytes()
    assert "build:residence" in options(first)


# -- university ------------------------------------------------------------------------------------


UNIVERSITY = {"coins": 12, "city": {"university": 1}}


def test_the_university_puts_a_worker_on_the_new_building(edition):
    """R-UNI-1, R-BLD-10."""
    game = building(edition, UNIVERSITY)
    supply = number(game, "worker_supply")
    play(game, "alice build hacienda")
    assert workers(game, ALICE, "hacienda") == 1
    assert number(game, "worker_supply") == supply - 1


def test_the_university_gives_one_worker_however_many_circles(edition):
    """TX-28, R-UNI-3, G037."""
    game = building(edition, UNIVERSITY)
    play(game, "alice build tobacco_storage")
    assert workers(game, ALICE, "tobacco_storage") == 1


def test_the_university_takes_from_the_register_when_the_supply_is_empty(edition):
    """TX-27, R-UNI-2, D-82."""
    game = building(edition, UNIVERSITY, workers={"supply": 0, "register": 3})
    play(game, "alice build harbor")
    assert workers(game, ALICE, "harbor") == 1
    assert number(game, "register_workers") == 2


def test_the_university_gives_nothing_when_there_are_no_workers_left(edition):
    """R-UNI-2, D-82."""
    game = building(edition, UNIVERSITY, workers={"supply": 0, "register": 0})
    play(game, "alice build harbor")
    assert workers(game, ALICE, "harbor") == 0
    assert game.turn == BOB


def test_the_university_gives_none_for_itself(edition):
    """R-UNI-5, G037."""
    game = building(edition, {"coins": 12})
    play(game, "alice build university")
    assert workers(game, ALICE, "university") == 0
    assert all_workers(game, ALICE) == 0


def test_an_empty_university_gives_nothing(edition):
    """R-GEN-2, R-UNI-1."""
    game = building(edition, {"coins": 12, "city": {"university": 0}})
    play(game, "alice build hacienda")
    assert all_workers(game, ALICE) == 0


def test_a_university_of_somebody_else_gives_nothing(edition):
    """R-UNI-1, G037."""
    game = building(edition, UNIVERSITY)
    play(game, "alice pass\nbob build small_market")
    assert all_workers(game, BOB) == 0


def test_a_university_worker_makes_the_building_work_at_once(edition):
    """Q-49, Q-71, R-GEN-4: the market bought in this round already adds its coin."""
    game = building(edition, UNIVERSITY | {"goods": {"indigo": 1}})
    play(game, "alice build small_market\nbob pass\ncarol pass\ndave pass")
    play(game, "bob role trader\nalice sell indigo")
    assert coins(game, ALICE) == 12 + 1 + 1


def test_a_university_worker_does_not_discount_its_own_purchase(edition):
    """Q-49, R-BLD-10: the price is fixed before anything is placed."""
    game = building(edition, UNIVERSITY)
    play(game, "alice build office")
    assert coins(game, ALICE) == 12 - 4


@pytest.mark.parametrize("name", PRODUCTION)
def test_the_university_serves_every_kind_of_building(edition, name):
    """R-UNI-1, R-UNI-3."""
    game = building(edition, UNIVERSITY)
    play(game, f"alice build {name}")
    assert workers(game, ALICE, name) == 1
    assert game.turn == BOB
