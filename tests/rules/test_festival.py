"""The festival of 1897: three goals, each for whoever is the first to reach it."""

import pytest

from prico_env import Game, RuleSetError
from prico_env.vocabulary import BASE_BUILDINGS, GOODS
from tests.builders import (
    ALICE,
    BOB,
    BOTH_1897,
    CAROL,
    CLASSIC,
    ENGLISH,
    GERMAN,
    GOODS_IN_BOX,
    PLANTATIONS_IN_BOX,
    X1,
    X2,
    X3,
    X4,
    all_citizens,
    all_workers,
    board,
    coins,
    copies_in_box,
    deck_size,
    discard,
    drafted,
    end_triggered,
    festival,
    goods,
    new_game,
    number,
    options,
    play,
    row,
    rules,
    stock,
    supply,
    tiles,
    vp,
    workers,
)

THREE_VP = {"tobacco_storage", "coffee_roaster", "factory", "university", "harbor", "wharf"}
NAMED = {"factory", "university", "harbor", "wharf"}


@pytest.fixture(params=BOTH_1897)
def edition(request):
    """The editions that have a festival."""
    return request.param


def table(edition, seats=None, expansions=(X4,), **goals):
    """A round begins; only the goals that are named are open."""
    words = {
        key: goals.pop(key) for key in tuple(goals) if key not in ("estate", "goods", "building")
    }
    named = {"estate": None, "goods": None, "building": None} | goals
    return board(edition=edition, expansions=expansions, seats=seats, festival=named, **words)


# -- set-up ----------------------------------------------------------------------------------------


def test_classic_has_no_festival():
    """D-70, R-CMB-1."""
    with pytest.raises(RuleSetError):
        rules(4, CLASSIC, expansions=[X4])


def test_three_goals_are_drawn_and_set_aside(edition, players):
    """R-FES-1, R-FES-2, R-FES-3, R-SET-3, Q-150, Q-151, D-74, I-01, I-04: of what is in play."""
    game = new_game(players, edition, expansions=[X4])
    goals = festival(game)
    assert set(goals) == {"estate", "goods", "building"}
    assert sum(goals["goods"].values()) == 3
    for kind, whole, tiles_ in zip(
        GOODS, GOODS_IN_BOX[players], PLANTATIONS_IN_BOX[players], strict=True
    ):
        assert supply(game, kind) == whole - goals["goods"].get(kind, 0)
        on_islands = sum(tiles(game, seat).count(kind) for seat in range(players))
        hidden = int(game.state["deck_tiles"][0, GOODS.index(kind)])
        shown = row(game).get(kind, 0)
        assert hidden + shown + on_islands == tiles_ - (goals["estate"] == kind)


@pytest.mark.parametrize(("players", "left"), [(2, 3 + 29), (3, 4 + 42), (4, 5 + 40), (5, 6 + 38)])
def test_one_plantation_fewer_is_in_row_and_deck(edition, players, left):
    """R-FES-2, A.2."""
    game = new_game(players, edition, expansions=[X4])
    assert sum(row(game).values()) + deck_size(game) == left


def goals_of(edition, expansions=(X4,), seeds=60, **fields):
    """The goals of many games."""
    return [
        festival(new_game(4, edition, seed, expansions=expansions, **fields))
        for seed in range(seeds)
    ]


def test_the_estate_is_any_of_the_five(edition):
    """R-FES-2."""
    assert {goals["estate"] for goals in goals_of(edition)} == set(GOODS)


def test_goods_may_repeat(edition):
    """R-FES-3, Q-144: out of three of each kind."""
    most = {max(goals["goods"].values()) for goals in goals_of(edition)}
    assert most >= {1, 2}


def test_the_building_is_one_of_three_vp(edition):
    """R-FES-4, D-75: in English one of the four that the text names."""
    found = {goals["building"] for goals in goals_of(edition)}
    assert found == (NAMED if edition == ENGLISH else THREE_VP)


def test_with_citizens_their_buildings_join_the_pool(edition):
    """R-FES-4, Q-148, R-CMB-6, D-75: jeweler and villa; in English production buildings too."""
    found = {goals["building"] for goals in goals_of(edition, (X2, X4), 90)}
    assert found == THREE_VP | {"villa", "jeweler"}


@pytest.mark.parametrize(("pool", "found"), [("four_named", NAMED), ("all_vp3", THREE_VP)])
def test_a_table_may_agree_on_the_pool(edition, pool, found):
    """D-75: `festival_building_pool`."""
    goals = goals_of(edition, festival_building_pool=pool)
    assert {goal["building"] for goal in goals} == found


SAME = {("tobacco", "tobacco_storage"), ("coffee", "coffee_roaster")}


def test_the_german_building_does_not_suit_the_estate():
    """R-FES-5, D-76: another one is drawn."""
    assert not SAME & {
        (goals["estate"], goals["building"]) for goals in goals_of(GERMAN, seeds=150)
    }


def test_the_english_building_may_suit_the_estate():
    """D-76: there is no second draw."""
    goals = goals_of(ENGLISH, seeds=150, festival_building_pool="all_vp3")
    assert SAME & {(goal["estate"], goal["building"]) for goal in goals}


@pytest.mark.parametrize("redraw", [True, False])
def test_a_table_may_agree_on_a_second_draw(edition, redraw):
    """D-76, R-FES-5: `festival_redraw_if_same_product`."""
    goals = goals_of(
        edition,
        seeds=150,
        festival_building_pool="all_vp3",
        festival_redraw_if_same_product=redraw,
    )
    met = SAME & {(goal["estate"], goal["building"]) for goal in goals}
    assert bool(met) is not redraw


def test_a_pool_that_was_not_drafted_asks_for_nothing(edition):
    """R-FES-4, R-FES-11: players chose none of the four that were agreed on."""
    wanted = ("lighthouse", "specialty_factory", "library", "union_hall")
    pool = {"festival_building_pool": "four_named"}
    game = new_game(4, edition, expansions=[X1, X4], **pool)
    for name in wanted:
        game.step(f"board:{name}")
    while game.phase == "draft":
        game.step(game.legal_actions()[0])
    assert set(festival(game)) == {"estate", "goods"}
    with pytest.raises(RuleSetError, match="four_named"):
        rules(4, edition, expansions=[X1, X4], board=drafted(wanted, edition, (X1, X4)), **pool)


def test_a_copy_of_the_building_is_set_aside(edition, table):
    """R-FES-4, Q-145, I-09: one fewer is for sale until the goal is won."""
    game = new_game(table, edition, expansions=[X4])
    building = festival(game)["building"]
    assert stock(game)[building] == copies_in_box(table, building) - 1


def test_two_players_get_another_copy_to_buy(edition):
    """R-FES-6, D-77, Q-146, G140, I-09: the only one lies on the festival board."""
    for seed in range(12):
        game = new_game(2, edition, seed, expansions=[X4])
        building = festival(game)["building"]
        assert stock(game)[building] == copies_in_box(2, building)


def test_two_players_do_not_need_another_jeweler(edition):
    """R-FES-6: both copies are in the game, and one of them stays for sale."""
    found = set()
    for seed in range(60):
        game = new_game(2, edition, seed, expansions=[X2, X4])
        building = festival(game)["building"]
        found.add(building)
        assert stock(game)[building] == (1 if building == "jeweler" else copies_in_box(2, building))
    assert "jeweler" in found


def test_a_table_may_leave_the_copy_out(edition):
    """D-77: `festival_two_player_refill`."""
    game = new_game(2, edition, expansions=[X4], festival_two_player_refill=False)
    building = festival(game)["building"]
    assert stock(game).get(building, 0) == copies_in_box(2, building) - 1


# -- the estate ------------------------------------------------------------------------------------

TWO_SUGAR = {"island": {"sugar": [2, 0]}}


def third_sugar(edition, seat=None, **words):
    """Alice takes her third sugar plantation as settler."""
    seats = {ALICE: TWO_SUGAR | (seat or {})}
    game = table(edition, seats, estate="sugar", **words)
    return play(game, "alice role settler\nalice take sugar")


def test_the_third_plantation_brings_workers(edition):
    """TX-76, R-FES-7, Q-141, D-78: as many as there are, here two."""
    game = third_sugar(edition, workers={"supply": 2, "register": 4})
    assert options(game) == {"place:sugar", "pass"}
    play(game, "alice place sugar\nalice place sugar")
    assert workers(game, ALICE, "sugar") == 2
    assert number(game, "worker_supply") == 0
    assert number(game, "register_workers") == 4
    assert festival(game) == {}
    assert game.turn == BOB


def test_three_workers_come_at_most(edition):
    """R-FES-7: on empty circles or on the portrait, in any mixture."""
    game = third_sugar(edition, {"city": {"harbor": 0}})
    assert options(game) == {"place:sugar", "place:harbor", "pass"}
    play(game, "alice place sugar\nalice place harbor")
    assert all_workers(game, ALICE) == 3
    assert workers(game, ALICE, "sugar") == workers(game, ALICE, "harbor") == 1
    assert workers(game, ALICE, "portrait") == 1


def test_all_of_them_may_go_to_the_portrait(edition):
    """R-FES-7, Q-141: no forced filling outside the mayor phase."""
    game = play(third_sugar(edition), "alice pass")
    assert workers(game, ALICE, "portrait") == 3
    assert game.turn == BOB


def test_without_an_empty_circle_they_go_to_the_portrait_unasked(edition):
    """R-FES-7: three tiles, two of them occupied, take one; then nobody is asked."""
    game = third_sugar(edition, {"island": {"sugar": [2, 2]}})
    play(game, "alice place sugar")
    assert workers(game, ALICE, "portrait") == 2
    assert game.turn == BOB


def test_an_empty_supply_gives_nothing_and_the_goal_is_won(edition):
    """R-FES-1, R-FES-7, Q-141: the register is not for it."""
    game = third_sugar(edition, workers={"supply": 0, "register": 4})
    assert all_workers(game, ALICE) == 0
    assert festival(game) == {}
    assert number(game, "register_workers") == 4


def test_where_the_tile_of_the_goal_goes(edition):
    """TX-76, R-FES-7, D-78, D-85, Q-147: into the English row, into the German deck."""
    game = table(edition, {ALICE: TWO_SUGAR}, estate="sugar")
    hidden = deck_size(game)
    play(game, "alice role settler\nalice take sugar\nalice pass")
    if edition == ENGLISH:
        assert row(game)["sugar"] == 1
        assert deck_size(game) == hidden
        play(game, "bob take sugar")
    else:
        assert "sugar" not in row(game)
        assert deck_size(game) == hidden + 1
    assert discard(game) == {}


def test_the_german_tile_is_shuffled_into_the_deck():
    """D-78, Q-147: nobody knows where it lies, and the seed decides."""
    depths = set()
    for seed in range(6):
        words = {"deck": ["corn"] * 9, "seed": seed, "row": {"sugar": 1}}
        game = table(GERMAN, {ALICE: TWO_SUGAR}, estate="sugar", **words)
        play(game, "alice role settler\nalice take sugar")
        depths.add(game.state["deck"][0, :10].tolist().index(GOODS.index("sugar")))
    assert len(depths) > 1


@pytest.mark.parametrize(("place", "in_row"), [("face_up_row", 1), ("deck", 0)])
def test_a_table_may_agree_where_it_goes(edition, place, in_row):
    """D-78: `festival_estate_returns_to`."""
    game = third_sugar(edition, switches={"festival_estate_returns_to": place})
    play(game, "alice pass")
    assert row(game).get("sugar", 0) == in_row


def test_only_the_first_seat_is_rewarded(edition):
    """R-FES-1, Q-142: Bob's third comes too late."""
    seats = {ALICE: TWO_SUGAR, BOB: TWO_SUGAR}
    game = table(edition, seats, estate="sugar", row={"sugar": 3, "corn": 2})
    play(game, "alice role settler\nalice take sugar\nalice pass\nbob take sugar")
    assert game.turn == CAROL
    assert (all_workers(game, ALICE), all_workers(game, BOB)) == (3, 0)


def test_two_plantations_are_not_enough(edition):
    """R-FES-7."""
    game = table(edition, {ALICE: {"island": {"sugar": [1, 0]}}}, estate="sugar")
    play(game, "alice role settler\nalice take sugar")
    assert game.turn == BOB
    assert festival(game) == {"estate": "sugar"}


def test_occupied_or_not_and_with_the_starting_tile(edition):
    """Q-140, R-FES-7: Alice began with indigo."""
    game = table(edition, {ALICE: {"island": {"indigo": [2, 1]}}}, estate="indigo")
    play(game, "alice role settler\nalice take indigo\nalice pass")
    assert all_workers(game, ALICE) == 1 + 3


def test_the_tile_of_a_hacienda_counts(edition):
    """R-FES-10, G139, Q-152: the workers come before the normal tile is chosen."""
    seat = TWO_SUGAR | {"city": {"hacienda": 1}}
    game = table(edition, {ALICE: seat}, estate="sugar", on_top=("sugar",))
    play(game, "alice role settler\nalice draw")
    assert options(game) == {"place:sugar", "pass"}
    play(game, "alice pass")
    assert "take:corn" in options(game)


def test_the_second_tile_of_a_library_counts(edition):
    """R-FES-10, G139."""
    seat = TWO_SUGAR | {"city": {"library": 1}}
    game = table(edition, {ALICE: seat}, (X1, X4), estate="sugar")
    play(game, "alice role settler\nalice take corn\nbob pass\ncarol pass\ndave pass")
    play(game, "alice take sugar\nalice pass")
    assert workers(game, ALICE, "portrait") == 3


def test_a_tile_of_the_land_office_counts(edition):
    """R-FES-10, G139: also in the trader phase."""
    seat = TWO_SUGAR | {"city": {"land_office": [1, 0]}, "goods": {"corn": 1}}
    game = table(edition, {ALICE: seat}, (X2, X4), estate="sugar", on_top=("sugar",))
    play(game, "alice role trader\nalice land buy")
    assert options(game) == {"place:sugar", "pass"}
    play(game, "alice pass")
    assert options(game) == {"sell:corn", "pass"}
    assert workers(game, ALICE, "portrait") == 3


def test_forests_do_not_count(edition):
    """R-FES-7, R-FOH-8, R-CMB-4, G139: they lie face down."""
    seat = {
        "island": {"sugar": [1, 0], "forest": [1, 0]},
        "forest_kinds": {"sugar": 1},
        "city": {"forest_house": 1},
    }
    game = table(edition, {ALICE: seat}, (X1, X4), estate="sugar")
    play(game, "alice role settler\nalice take sugar")
    assert festival(game) == {"estate": "sugar"}
    game = table(
        edition, {ALICE: TWO_SUGAR | {"city": {"forest_house": 1}}}, (X1, X4), estate="sugar"
    )
    play(game, "alice role settler\nalice forest sugar")
    assert festival(game) == {"estate": "sugar"}


def test_the_reward_comes_before_the_worker_of_the_hospice(edition):
    """TX-85, Q-152, R-HOS-1: it stands on the tile just taken, so the hospice gives none for it."""
    seat = {"island": {"sugar": [2, 2]}, "city": {"hospice": 1}}
    game = play(third_sugar(edition, seat), "alice place sugar")
    assert workers(game, ALICE, "sugar") == 3
    assert workers(game, ALICE, "portrait") == 2
    assert all_workers(game, ALICE) == 2 + 1 + 3
    assert game.turn == BOB


def test_the_hospice_gives_its_worker_if_the_tile_is_still_empty(edition):
    """Q-152, R-HOS-1: the three went to the portrait."""
    seat = {"island": {"sugar": [2, 2]}, "city": {"hospice": 1}}
    game = play(third_sugar(edition, seat), "alice pass")
    assert workers(game, ALICE, "portrait") == 3
    assert workers(game, ALICE, "sugar") == 3


def test_festival_workers_come_first_when_the_supply_is_nearly_empty(edition):
    """Q-152, R-HOS-2: three left go to the festival, so the hospice asks the register."""
    seat = {"island": {"sugar": [2, 2]}, "city": {"hospice": 1}}
    game = third_sugar(edition, seat, workers={"supply": 3, "register": 4})
    play(game, "alice pass")
    assert number(game, "worker_supply") == 0
    assert number(game, "register_workers") == 3


def test_the_english_hospice_then_serves_the_other_tile():
    """R-HOS-1, R-HOS-3, Q-20, TX-85: the drawn tile was filled by the festival."""
    seat = {"island": {"sugar": [2, 2]}, "city": {"hospice": 1, "hacienda": 1}}
    game = table(ENGLISH, {ALICE: seat}, estate="sugar", on_top=("sugar",))
    play(game, "alice role settler\nalice draw\nalice place sugar\nalice take corn")
    assert workers(game, ALICE, "corn") == 1
    assert workers(game, ALICE, "sugar") == 3


def test_the_reward_gives_workers_where_there_are_citizens(edition):
    """Q-141, R-X2-7, R-CMB-6."""
    game = third_sugar(edition, expansions=(X2, X4))
    assert options(game) == {"place:sugar", "pass"}


def test_a_table_may_let_the_reward_be_citizens(edition):
    """Q-112: `citizens_from_supply_by_worker_effects`."""
    switches = {"citizens_from_supply_by_worker_effects": True}
    game = third_sugar(edition, expansions=(X2, X4), switches=switches)
    assert options(game) == {"deal:worker", "deal:citizen"}


def test_a_worker_of_the_reward_works_at_once(edition):
    """R-GEN-4, R-FES-7, R-HUT-1: the hut that was empty gives a quarry with the normal action."""
    seat = TWO_SUGAR | {"city": {"hacienda": 1, "construction_hut": 0}}
    game = table(edition, {BOB: seat}, estate="sugar", on_top=("sugar",))
    play(game, "alice role settler\nalice pass\nbob draw\nbob place construction_hut")
    assert "take:quarry" in options(game)


def test_a_worker_of_the_reward_may_become_a_guest(edition):
    """Q-87, R-GST-2: and move in the window of the phase's close."""
    seat = TWO_SUGAR | {"city": {"guest_house": 0, "office": 0}}
    game = table(edition, {ALICE: seat}, (X1, X4), estate="sugar")
    play(game, "alice role settler\nalice take sugar\nalice place guest_house\nalice pass")
    play(game, "bob pass\ncarol pass\ndave pass")
    assert "guest:office" in options(game)


def test_citizens_of_the_reward_are_placed_like_workers(edition):
    """Q-112, section I.12: here two citizens and a worker."""
    switches = {"citizens_from_supply_by_worker_effects": True}
    game = third_sugar(edition, expansions=(X2, X4), switches=switches)
    play(game, "alice deal citizen\nalice deal citizen\nalice deal worker")
    assert options(game) == {"place:sugar", "place:citizen:sugar", "pass"}
    play(game, "alice place citizen sugar\nalice pass")
    assert (all_workers(game, ALICE), all_citizens(game, ALICE)) == (1, 2)
    assert workers(game, ALICE, "portrait") == 1


def test_a_plantation_that_goes_away_later_changes_nothing(edition):
    """R-FES-1: a goal is won once, by whoever was first."""
    seat = {"island": {"sugar": [3, 0]}, "city": {"hunting_lodge": [1, 0]}}
    game = table(edition, {ALICE: seat}, (X2, X4))
    play(game, "alice role settler\nalice pass\nbob pass\ncarol pass\ndave pass\nalice lodge sugar")
    assert festival(game) == {}
    assert all_workers(game, ALICE) == 1


# -- the goods -------------------------------------------------------------------------------------

CROPS = {
    "island": {"corn": [2, 2], "sugar": [2, 2]},
    "city": {"sugar_mill": 2},
}
GOAL = ["corn", "corn", "sugar"]


def test_three_coins_for_the_goods(edition):
    """TX-77, R-FES-8, Q-144, Q-150: at least these; the barrels return to the supply."""
    game = table(edition, {BOB: CROPS}, goods=GOAL)
    before = supply(game, "corn")
    play(game, "alice role craftsman")
    assert goods(game, BOB) == {"corn": 2, "sugar": 2}
    assert coins(game, BOB) == 3 + 3
    assert supply(game, "corn") == before - 2 + 2
    assert festival(game) == {}


def test_too_few_goods_win_nothing(edition):
    """R-FES-8, Q-144: one corn is not two."""
    seat = CROPS | {"island": {"corn": [1, 1], "sugar": [2, 2]}}
    game = play(table(edition, {BOB: seat}, goods=GOAL), "alice role craftsman")
    assert coins(game, BOB) == 3
    assert festival(game) == {"goods": {"corn": 2, "sugar": 1}}


def test_goods_of_two_phases_do_not_add_up(edition):
    """R-FES-8, D-79: in one craftsman phase; barrels at hand are none of it."""
    seat = CROPS | {"island": {"corn": [1, 1], "sugar": [2, 2]}, "goods": {"corn": 3}}
    game = play(table(edition, {BOB: seat}, goods=GOAL), "alice role craftsman")
    assert coins(game, BOB) == 3


def test_the_first_in_turn_order_wins_the_goods(edition):
    """Q-142, R-FES-1: Carol is the craftsman, so she is before Bob."""
    game = table(edition, {BOB: CROPS, CAROL: CROPS}, goods=GOAL, actor=CAROL)
    play(game, "carol role craftsman")
    while game.phase == "craftsman":
        game.step(game.legal_actions()[0])
    assert (coins(game, CAROL), coins(game, BOB)) == (3 + 3, 3)


def test_the_barrel_of_the_privilege_counts_in_german(edition):
    """TX-81, R-FES-8, D-79, Q-143: it completes the three."""
    seat = {"island": {"corn": [1, 1], "sugar": [1, 1]}, "city": {"sugar_mill": 1}}
    game = table(edition, {ALICE: seat}, goods=GOAL)
    play(game, "alice role craftsman\nalice privilege corn")
    assert coins(game, ALICE) == 3 + (3 if edition == GERMAN else 0)
    assert bool(festival(game)) is (edition == ENGLISH)


@pytest.mark.parametrize(("window", "paid"), [("whole_phase", 3), ("own_turn", 0)])
def test_a_table_may_agree_what_counts(edition, window, paid):
    """D-79, Q-143: `festival_production_window`."""
    seat = {"island": {"corn": [1, 1], "sugar": [1, 1]}, "city": {"sugar_mill": 1}}
    switches = {"festival_production_window": window}
    game = table(edition, {ALICE: seat}, goods=GOAL, switches=switches)
    play(game, "alice role craftsman\nalice privilege corn")
    assert coins(game, ALICE) == 3 + paid


def test_another_seat_may_be_first_before_the_privilege(edition):
    """Q-142, Q-143: Bob makes all three before Alice's further barrel."""
    seats = {
        ALICE: {"island": {"corn": [1, 1], "sugar": [1, 1]}, "city": {"sugar_mill": 1}},
        BOB: CROPS,
    }
    game = table(edition, seats, goods=GOAL)
    play(game, "alice role craftsman\nalice privilege corn")
    assert (coins(game, ALICE), coins(game, BOB)) == (3, 6)


def test_the_barrel_of_an_aqueduct_counts(edition):
    """R-CMB-4, R-AQU-5, Q-65: a second sugar out of one."""
    seat = {
        "island": {"corn": [1, 1], "sugar": [1, 1]},
        "city": {"sugar_mill": 1, "aqueduct": 1},
    }
    game = table(edition, {BOB: seat}, (X1, X4), goods=["corn", "sugar", "sugar"])
    play(game, "alice role craftsman")
    assert coins(game, BOB) == 3 + 3


def test_barrels_set_aside_are_missing_until_won(edition):
    """Q-150, R-CRA-2, I-01: two coffee in the supply, three on the festival board."""
    seat = {"island": {"coffee": [2, 2], "corn": [2, 2]}, "city": {"coffee_roaster": 2}}
    seats = {BOB: seat, CAROL: {"goods": {"coffee": 5}}}
    game = table(edition, seats, goods=["coffee", "coffee", "coffee"])
    assert supply(game, "coffee") == 9 - 3 - 5
    play(game, "alice role craftsman")
    assert goods(game, BOB) == {"coffee": 1, "corn": 2}


def test_raided_barrels_are_not_produced(edition):
    """R-CMB-7."""
    game = table(
        edition,
        None,
        (X3, X4),
        goods=["corn", "corn", "corn"],
        ships=[{"size": 5, "good": "corn", "barrels": 4}],
    )
    play(game, "alice role smuggler\nalice raid 1")
    assert goods(game, ALICE) == {"corn": 3}
    assert coins(game, ALICE) == 3
    assert festival(game) == {"goods": {"corn": 3}}


# -- the building ----------------------------------------------------------------------------------


def test_three_vp_for_the_building(edition):
    """TX-78, R-FES-9, D-80, Q-145, Q-147: any copy; then the one set aside is for sale."""
    game = table(edition, {ALICE: {"coins": 12}}, building="harbor")
    assert stock(game)["harbor"] == 1
    play(game, "alice role builder\nalice build harbor")
    assert vp(game, ALICE) == 3
    assert number(game, "vp_pool") == game.rules.vp_pool - 3
    assert stock(game)["harbor"] == 1
    assert festival(game) == {}


def test_only_the_first_buyer_is_rewarded(edition):
    """R-FES-1, R-FES-9: Bob buys the copy that came from the festival."""
    seats = {ALICE: {"coins": 12}, BOB: {"coins": 12}}
    game = table(edition, seats, building="harbor")
    play(game, "alice role builder\nalice build harbor\nbob build harbor")
    assert (vp(game, ALICE), vp(game, BOB)) == (3, 0)


def test_another_building_wins_nothing(edition):
    """R-FES-9."""
    game = table(edition, {ALICE: {"coins": 12}}, building="harbor")
    play(game, "alice role builder\nalice build wharf")
    assert vp(game, ALICE) == 0
    assert festival(game) == {"building": "harbor"}


def test_the_copy_on_the_festival_board_is_not_for_sale(edition):
    """Q-145: two players without a copy from the box cannot reach the goal."""
    game = board(
        edition=edition,
        expansions=(X4,),
        players=2,
        seats={ALICE: {"coins": 12}},
        festival={"estate": None, "goods": None, "building": "harbor"},
        buildings={"harbor": 0},
        switches={"festival_two_player_refill": False},
    )
    play(game, "alice role builder")
    assert "build:harbor" not in options(game)


def test_church_and_festival_both_score(edition):
    """R-BLD-10, R-CHU-1, R-FES-9: one for the column, three for the goal."""
    seat = {"coins": 12, "city": {"church": 1}}
    game = table(edition, {ALICE: seat}, (X1, X4), building="wharf", for_sale=("wharf",))
    play(game, "alice role builder\nalice build wharf")
    assert vp(game, ALICE) == 1 + 3


def test_the_last_vp_may_be_those_of_the_festival(edition):
    """Q-149, Q-103, R-END-3."""
    game = table(edition, {ALICE: {"coins": 12}}, building="harbor", vp=3)
    play(game, "alice role builder\nalice build harbor")
    assert number(game, "vp_pool") == 0
    assert end_triggered(game)


def test_goals_are_won_in_any_order(edition):
    """R-FES-1: three goals, three winners, one phase after another."""
    seats = {
        ALICE: TWO_SUGAR,
        BOB: {"coins": 12},
        CAROL: CROPS,
    }
    game = table(edition, seats, estate="sugar", goods=GOAL, building="harbor")
    play(game, "alice role settler\nalice take sugar\nalice pass")
    play(game, "bob pass\ncarol pass\ndave pass")
    assert set(festival(game)) == {"goods", "building"}
    play(game, "bob role builder\nbob build harbor\ncarol pass\ndave pass\nalice pass")
    assert set(festival(game)) == {"goods"}
    play(game, "carol role craftsman")
    while game.phase == "craftsman":
        game.step(game.legal_actions()[0])
    assert festival(game) == {}


# -- saving and the rest ---------------------------------------------------------------------------


def test_goals_are_public_and_saved(edition):
    """R-INF-1, G154: everybody sees them."""
    goals = {"estate": "sugar", "goods": ["corn", "corn", "coffee"], "building": "wharf"}
    game = table(edition, **goals)
    assert game.to_dict()["festival"] == goals
    assert Game.from_dict(game.to_dict()).to_bytes() == game.to_bytes()
    other = table(edition, **(goals | {"building": "harbor"}))
    for seat in range(4):
        assert game.observation(seat).tobytes() != other.observation(seat).tobytes()


def test_a_position_names_the_goals_that_are_open(edition):
    """R-FES-1: what it does not name has been won."""
    game = board(edition=edition, expansions=(X4,))
    assert festival(game) == {}


def test_the_festival_alone_changes_no_action(edition):
    """Section H: its rewards are placed with the actions of the mayor."""
    assert rules(4, edition, expansions=[X4]).num_actions == rules(4, edition).num_actions
    assert set(BASE_BUILDINGS) >= NAMED


def test_switches_of_the_festival(edition):
    """D-75, D-76, D-77, D-78, D-79: as section 0.6 has them."""
    english = edition == ENGLISH
    found = rules(4, edition, expansions=[X4])
    assert found.festival_building_pool == ("four_named" if english else "all_vp3")
    assert rules(4, edition, expansions=[X1, X4]).festival_building_pool == "all_vp3"
    assert found.festival_redraw_if_same_product is not english
    assert found.festival_two_player_refill is True
    assert found.festival_estate_returns_to == ("face_up_row" if english else "deck")
    assert found.festival_production_window == ("own_turn" if english else "whole_phase")
