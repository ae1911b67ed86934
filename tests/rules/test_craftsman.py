"""The craftsman: everybody produces, and whoever took the role gets a barrel more."""

import pytest

from prico_env.vocabulary import GOODS
from tests.builders import ALICE, BOB, CAROL, DAVE, board, coins, goods, options, play, supply

PLANT_OF = {
    "indigo": "small_indigo_plant",
    "sugar": "small_sugar_mill",
    "tobacco": "tobacco_storage",
    "coffee": "coffee_roaster",
}


def producing(*kinds, **city):
    """A seat that makes a barrel of each of some kinds, with further buildings."""
    plants = {PLANT_OF[kind]: 1 for kind in kinds if kind != "corn"}
    return {"island": {kind: [1, 1] for kind in kinds}, "city": plants | city}


def craftsman(edition, seats, actor=ALICE, **words):
    """The craftsman has just been taken."""
    game = board(edition=edition, actor=actor, seats=seats, **words)
    game.step("role:craftsman")
    return game


# -- production ------------------------------------------------------------------------------------


def test_a_whole_farm(edition):
    """TV-06, R-CRA-1, R-PRD-1, R-PRD-2: two corn, one tobacco, three sugar."""
    game = craftsman(
        edition,
        {
            BOB: {
                "island": {"corn": [3, 2], "tobacco": [2, 2], "sugar": [4, 3]},
                "city": {"tobacco_storage": 1, "small_sugar_mill": 1, "sugar_mill": 3},
            }
        },
    )
    assert goods(game, BOB) == {"corn": 2, "sugar": 3, "tobacco": 1}


def test_empty_circles_produce_nothing(edition):
    """TV-07, R-CRA-1, R-PRD-2: the storage's second circle is empty."""
    game = craftsman(
        edition,
        {
            BOB: {
                "island": {"tobacco": [2, 2], "sugar": [4, 3]},
                "city": {"tobacco_storage": 1, "sugar_mill": 3},
            }
        },
    )
    assert goods(game, BOB) == {"sugar": 3, "tobacco": 1}


def test_corn_needs_no_building_and_the_others_do(edition):
    """R-PRD-1, R-CRA-1."""
    game = craftsman(edition, {BOB: {"island": {kind: [2, 2] for kind in GOODS}}})
    assert goods(game, BOB) == {"corn": 2}


def test_a_plant_without_plantations_produces_nothing(edition):
    """R-PRD-1, Q-68."""
    game = craftsman(edition, {BOB: {"island": {}, "city": {"coffee_roaster": 2}}})
    assert goods(game, BOB) == {}


def test_a_plant_processes_its_own_kind_only(edition):
    """R-PRD-1, Q-68: sugar mills make nothing of indigo."""
    game = craftsman(
        edition, {BOB: {"island": {"indigo": [3, 3], "sugar": [1, 1]}, "city": {"sugar_mill": 3}}}
    )
    assert goods(game, BOB) == {"sugar": 1}


def test_small_and_large_plants_of_a_kind_add_up(edition):
    """R-PRD-2, R-PRD-3, G049: one and two workers, four fields: three indigo."""
    game = craftsman(
        edition,
        {
            BOB: {
                "island": {"indigo": [4, 4]},
                "city": {"small_indigo_plant": 1, "indigo_plant": 2},
            }
        },
    )
    assert goods(game, BOB) == {"indigo": 3}


def test_surplus_on_either_side_produces_nothing(edition):
    """R-PRD-2, Q-68: the smaller of fields and circles counts."""
    game = craftsman(
        edition,
        {
            BOB: {"island": {"coffee": [1, 1]}, "city": {"coffee_roaster": 2}},
            CAROL: {"island": {"coffee": [3, 3]}, "city": {"coffee_roaster": 1}},
        },
    )
    assert goods(game, BOB) == {"coffee": 1}
    assert goods(game, CAROL) == {"coffee": 1}


@pytest.mark.parametrize(
    ("actor", "made"), [(ALICE, [3, 2, 0]), (BOB, [0, 3, 2]), (CAROL, [2, 0, 3])]
)
def test_a_short_supply_is_served_clockwise_from_the_craftsman(edition, actor, made):
    """TX-33, R-CRA-2, Q-60, G043, I-32: three corn each, five in the supply."""
    farm = {"island": {"corn": [3, 3]}}
    game = craftsman(
        edition,
        dict.fromkeys(range(3), farm),
        actor=actor,
        players=3,
        goods={"corn": 5, "indigo": 11, "sugar": 11, "tobacco": 9, "coffee": 9},
    )
    assert [goods(game, seat).get("corn", 0) for seat in range(3)] == made
    assert supply(game, "corn") == 0


def test_a_player_is_served_whole_before_the_next(edition):
    """R-CRA-2, Q-60: Alice takes the last coffee and the last corn, Bob neither."""
    game = craftsman(
        edition,
        {ALICE: producing("corn", "coffee"), BOB: producing("corn", "coffee", "sugar")},
        goods={"corn": 1, "indigo": 5, "sugar": 5, "tobacco": 5, "coffee": 1},
    )
    assert goods(game, ALICE) == {"corn": 1, "coffee": 1}
    assert goods(game, BOB) == {"sugar": 1}


def test_barrels_come_out_of_the_supply(edition):
    """R-CRA-2, I-01."""
    game = craftsman(edition, {BOB: {"island": {"corn": [3, 3]}}})
    assert supply(game, "corn") == 10 - 3


def test_production_is_automatic_and_complete(edition):
    """D-22, Q-59: nobody is asked, and nobody makes less than possible."""
    game = craftsman(edition, {BOB: producing(*GOODS), CAROL: producing("corn")})
    assert goods(game, BOB) == dict.fromkeys(GOODS, 1)
    assert goods(game, CAROL) == {"corn": 1}
    assert (game.phase, game.turn) == ("role", BOB)


# -- factory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kinds", "income"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3), (5, 5)])
def test_the_factory_pays_by_the_number_of_kinds(edition, kinds, income):
    """TX-35, R-FAC-1, R-CRA-4, G047."""
    game = craftsman(edition, {BOB: producing(*GOODS[:kinds], factory=1)})
    assert coins(game, BOB) == 3 + income


def test_a_kind_that_the_supply_could_not_give_pays_nothing(edition):
    """TV-11, R-FAC-2: no corn, two sugar of three, one tobacco: one coin."""
    game = craftsman(
        edition,
        {
            BOB: {
                "island": {"corn": [3, 3], "sugar": [3, 3], "tobacco": [1, 1]},
                "city": {"sugar_mill": 3, "tobacco_storage": 1, "factory": 1},
            }
        },
        goods={"corn": 0, "indigo": 11, "sugar": 2, "tobacco": 9, "coffee": 9},
    )
    assert goods(game, BOB) == {"sugar": 2, "tobacco": 1}
    assert coins(game, BOB) == 3 + 1


def test_the_factory_does_not_count_barrels(edition):
    """TV-12, R-FAC-2: three corn, one coffee, two indigo: two coins."""
    game = craftsman(
        edition,
        {
            BOB: {
                "island": {"corn": [3, 3], "coffee": [1, 1], "indigo": [2, 2]},
                "city": {"indigo_plant": 2, "coffee_roaster": 1, "factory": 1},
            }
        },
    )
    assert goods(game, BOB) == {"corn": 3, "indigo": 2, "coffee": 1}
    assert coins(game, BOB) == 3 + 2


def test_an_empty_factory_pays_nothing(edition):
    """R-GEN-2, R-FAC-1."""
    game = craftsman(edition, {BOB: producing(*GOODS, factory=0)})
    assert coins(game, BOB) == 3


def test_the_privilege_adds_no_kind_for_the_factory(edition):
    """R-FAC-3: the further barrel is of a kind that was produced."""
    game = craftsman(edition, {ALICE: producing("corn", "indigo", factory=1)})
    assert options(game) == {"privilege:corn", "privilege:indigo"}
    play(game, "alice privilege corn")
    assert coins(game, ALICE) == 3 + 1


# -- privilege -------------------------------------------------------------------------------------


def test_the_craftsman_takes_one_more_of_a_kind_produced(edition):
    """R-CRA-7."""
    game = craftsman(edition, {ALICE: producing("corn", "sugar")})
    play(game, "alice privilege sugar")
    assert goods(game, ALICE) == {"corn": 1, "sugar": 2}
    assert (supply(game, "corn"), supply(game, "sugar")) == (9, 9)
    assert (game.phase, game.turn) == ("role", BOB)


def test_one_possible_kind_is_no_choice(edition):
    """R-CRA-7, R-ROL-9."""
    game = craftsman(edition, {ALICE: producing("corn")})
    assert goods(game, ALICE) == {"corn": 2}
    assert (game.phase, game.turn) == ("role", BOB)


def test_the_further_barrel_is_taken_after_everybody_has_produced(edition):
    """R-CRA-7, G044: the neighbour gets the last coffee first."""
    game = craftsman(
        edition,
        {ALICE: producing("coffee"), BOB: producing("coffee")},
        goods={"corn": 9, "indigo": 9, "sugar": 9, "tobacco": 9, "coffee": 2},
    )
    assert goods(game, ALICE) == {"coffee": 1}
    assert goods(game, BOB) == {"coffee": 1}
    assert (game.phase, game.turn) == ("role", BOB)


def test_the_privilege_gives_nothing_when_the_kind_is_used_up(edition):
    """TX-34, R-CRA-7, Q-61."""
    game = craftsman(
        edition,
        {ALICE: producing("corn")},
        goods={"corn": 1, "indigo": 9, "sugar": 9, "tobacco": 9, "coffee": 9},
    )
    assert goods(game, ALICE) == {"corn": 1}


def test_another_kind_may_be_taken_when_one_is_used_up(edition):
    """R-CRA-7, Q-61: corn is gone, so the barrel is sugar."""
    game = craftsman(
        edition,
        {ALICE: producing("corn", "sugar")},
        goods={"corn": 1, "indigo": 9, "sugar": 9, "tobacco": 9, "coffee": 9},
    )
    assert goods(game, ALICE) == {"corn": 1, "sugar": 2}


def test_a_kind_the_craftsman_could_make_but_did_not_is_not_given(edition):
    """R-CRA-7, D-21, Q-62, G046: coffee was out of supply; in the base game editions agree."""
    game = craftsman(
        edition,
        {ALICE: producing("corn", "coffee")},
        goods={"corn": 9, "indigo": 9, "sugar": 9, "tobacco": 9, "coffee": 0},
    )
    assert goods(game, ALICE) == {"corn": 2}


def test_a_craftsman_who_produced_nothing_gets_nothing(edition):
    """R-CRA-7, R-ROL-8, Q-63, D-21: not even with capacity."""
    game = craftsman(
        edition,
        {ALICE: producing("coffee"), DAVE: producing("corn")},
        goods={"corn": 9, "indigo": 9, "sugar": 9, "tobacco": 9, "coffee": 0},
    )
    assert goods(game, ALICE) == {}
    assert goods(game, DAVE) == {"corn": 1}


def test_nobody_but_the_craftsman_has_the_privilege(edition):
    """R-CRA-7, R-ROL-6."""
    game = craftsman(edition, {BOB: producing("corn", "indigo")})
    assert goods(game, BOB) == {"corn": 1, "indigo": 1}


def test_goods_are_kept_until_a_captain_phase(edition):
    """R-CAP-9, G079: nothing is thrown away at the end of a craftsman phase."""
    game = craftsman(edition, {BOB: {"island": {"corn": [6, 6]}}})
    play(game, "bob role prospector_1\ncarol role trader\nbob pass")
    assert goods(game, BOB) == {"corn": 6}
