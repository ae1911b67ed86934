"""The mayor: workers are dealt out, and everybody staffs tiles and buildings anew."""

import itertools

import pytest

from prico_env.vocabulary import SPOTS
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    all_workers,
    board,
    coins,
    end_triggered,
    endings,
    moves,
    new_game,
    number,
    options,
    play,
    staffing,
    workers,
)


def arrangements(units, circles):
    """Every way to fill ``min(units, circles)`` of the circles of each spot (R-MAY-7, I.4)."""
    filled = min(units, sum(circles.values()))
    ways = set()
    for counts in itertools.product(*(range(room + 1) for room in circles.values())):
        if sum(counts) == filled:
            on_spots = dict(zip(circles, counts, strict=True))
            ways.add((*(on_spots.get(spot, 0) for spot in SPOTS), units - filled))
    return ways


def placing(edition, seat, players=4, turn=ALICE):
    """Alice took the mayor, all is dealt, and one seat has workers in hand."""
    return board("mayor", players=players, edition=edition, turn=turn, seats={turn: seat})


# -- dealing ---------------------------------------------------------------------------------------


def test_six_workers_for_four_players_and_one_for_the_mayor(edition):
    """TV-01, R-MAY-1, R-MAY-2, G020, I-21: received 3, 2, 1 and 1."""
    game = board(
        edition=edition,
        workers={"supply": 60, "register": 6},
        seats={ALICE: {"island": {"corn": [3, 0], "indigo": [2, 0]}}},
    )
    play(game, "alice role mayor")
    assert (game.phase, game.turn) == ("mayor", ALICE)
    assert [all_workers(game, seat) for seat in range(4)] == [3, 2, 1, 1]
    assert number(game, "worker_supply") == 59
    assert number(game, "register_workers") == 0


@pytest.mark.parametrize("actor", range(4))
def test_workers_are_dealt_clockwise_from_the_mayor(edition, actor):
    """R-MAY-2."""
    game = board(edition=edition, actor=actor, workers={"supply": 60, "register": 5})
    game.step("role:mayor")
    received = [all_workers(game, (actor + step) % 4) for step in range(4)]
    assert received == [3, 1, 1, 1]


def test_the_privilege_comes_from_the_supply_never_from_the_register(edition):
    """R-MAY-1, D-16: an empty supply gives no worker; the four on the register are dealt."""
    game = board(edition=edition, workers={"supply": 0, "register": 4})
    play(game, "alice role mayor")
    assert [all_workers(game, seat) for seat in range(4)] == [1, 1, 1, 1]


def test_dealt_workers_cannot_be_refused(edition):
    """R-MAY-3, Q-35, G025: nobody is asked, even when every gain is."""
    game = board(edition=edition, switches={"optional_gains": "ask"})
    play(game, "alice role mayor\nalice pass")
    assert [all_workers(game, seat) for seat in range(4)] == [1, 1, 1, 1]
    assert (game.phase, game.turn) == ("role", BOB)


def test_what_the_hospice_took_from_the_register_is_missing_at_the_next_deal(edition):
    """Q-44, R-HOS-2: no top-up."""
    game = board(edition=edition, workers={"supply": 0, "register": 2})
    play(game, "alice role mayor")
    assert [all_workers(game, seat) for seat in range(4)] == [1, 1, 0, 0]


# -- placing ---------------------------------------------------------------------------------------


def test_placing_begins_when_everything_is_dealt_and_goes_clockwise(edition):
    """R-MAY-4, D-15, Q-36."""
    room = {"island": {"corn": [2, 0], "indigo": [2, 0]}}
    game = board(edition=edition, seats=dict.fromkeys(range(4), room))
    play(game, "alice role mayor")
    assert number(game, "register_workers") == 0
    order = []
    while game.phase == "mayor":
        if not order or order[-1] != game.turn:
            order.append(game.turn)
        game.step(int(game.legal_actions()[0]))
    assert order == [ALICE, BOB, CAROL, DAVE]


def test_units_may_be_placed_on_any_circle_old_ones_included(edition):
    """R-MAY-5, R-MAY-8, G026, G028: one on the portrait, three on the board, five circles."""
    game = placing(
        edition,
        {
            "island": {"indigo": [2, 1], "quarry": [1, 0]},
            "city": {"small_indigo_plant": 1, "small_market": 1},
            "portrait": 1,
        },
    )
    circles = {"indigo": 2, "quarry": 1, "small_indigo_plant": 1, "small_market": 1}
    found = [staffing(end, ALICE) for end in endings(game)]
    assert set(found) == arrangements(4, circles)


BOARDS = {
    "new workers only": ({"island": {"corn": [2, 0], "sugar": [2, 0]}, "portrait": 2}, 2),
    "one old worker": ({"island": {"corn": [1, 1], "sugar": [2, 0]}, "portrait": 1}, 2),
    "nobody in hand": ({"island": {"corn": [2, 1], "coffee": [1, 1]}, "portrait": 0}, 2),
    "a large plant": (
        {"island": {"corn": [1, 1]}, "city": {"indigo_plant": 2, "hospice": 0}, "portrait": 1},
        4,
    ),
    "quarries and a plant": (
        {
            "island": {"quarry": [3, 2], "tobacco": [2, 1]},
            "city": {"tobacco_storage": 1, "guild_hall": 0},
            "portrait": 2,
        },
        6,
    ),
}


@pytest.mark.parametrize("name", BOARDS)
def test_every_arrangement_is_reached_by_exactly_one_sequence(edition, name):
    """R-MAY-5, R-MAY-7, R-MAY-8, G019, G029: none is missing, none comes twice, all end."""
    seat, units = BOARDS[name]
    circles = {kind: number_ for kind, (number_, _) in seat["island"].items()}
    room = {"indigo_plant": 3, "tobacco_storage": 3}
    circles |= {building: room.get(building, 1) for building in seat.get("city", {})}
    found = [staffing(end, ALICE) for end in endings(placing(edition, seat))]
    assert len(found) == len(set(found))
    assert set(found) == arrangements(units, circles)


def test_nobody_may_hold_workers_back_while_a_circle_is_empty(edition):
    """R-MAY-7, Q-37, G023, I-20: three workers and four circles leave nobody in the portrait."""
    game = placing(edition, {"island": {"corn": [2, 0], "indigo": [2, 0]}, "portrait": 3})
    assert {workers(end, ALICE, "portrait") for end in endings(game)} == {0}


def test_two_workers_and_six_circles(edition):
    """TX-21, R-MAY-7: exactly two are filled."""
    game = placing(edition, {"island": {"corn": [3, 0], "indigo": [3, 0]}, "portrait": 2})
    found = {staffing(end, ALICE) for end in endings(game)}
    assert found == arrangements(2, {"corn": 3, "indigo": 3})
    assert len(found) == 3


def test_more_workers_than_circles_are_no_choice(edition):
    """TX-20, R-MAY-7, R-MAY-9: all three circles are filled and two stay in the portrait."""
    game = placing(edition, {"island": {"corn": [2, 0], "indigo": [1, 0]}, "portrait": 5})
    game.settle()
    assert game.turn != ALICE or game.phase != "mayor"
    assert workers(game, ALICE, "corn") == 2
    assert workers(game, ALICE, "indigo") == 1
    assert workers(game, ALICE, "portrait") == 2
    assert all(forced for _, forced, _ in game.history)


def test_as_many_workers_as_circles_are_no_choice(edition):
    """R-MAY-9: a seat that can fill everything is asked nothing."""
    game = placing(
        edition, {"island": {"corn": [2, 1]}, "city": {"hacienda": 0, "hospice": 1}, "portrait": 2}
    )
    game.settle()
    assert (game.phase, game.turn) == ("role", BOB)
    assert workers(game, ALICE, "corn") == 2
    assert workers(game, ALICE, "hacienda") == 1


def test_no_workers_are_no_choice(edition):
    """R-MAY-9."""
    game = placing(edition, {"island": {"corn": [2, 0], "coffee": [1, 0]}})
    game.settle()
    assert (game.phase, game.turn) == ("role", BOB)


def test_equal_circles_are_no_choice(edition):
    """R-MAY-9: section I.4 counts tiles of one kind as one."""
    game = placing(edition, {"island": {"corn": [3, 0]}, "portrait": 1})
    game.settle()
    assert (game.phase, game.turn) == ("role", BOB)
    assert workers(game, ALICE, "corn") == 1


def test_useless_circles_count_as_circles(edition):
    """R-MAY-7, Q-38: a coffee roaster without coffee is filled before anyone stays idle."""
    game = placing(edition, {"island": {}, "city": {"coffee_roaster": 0}, "portrait": 2})
    game.settle()
    assert workers(game, ALICE, "coffee_roaster") == 2
    assert workers(game, ALICE, "portrait") == 0


def test_workers_of_the_portrait_are_placed_in_the_next_mayor_phase(edition):
    """R-MAY-5, Q-10, D-06, G026: San Juan and the windrose are one place."""
    game = board(edition=edition, seats={BOB: {"portrait": 2, "island": {"corn": [3, 0]}}})
    play(game, "alice role mayor")
    assert workers(game, BOB, "corn") == 3
    assert workers(game, BOB, "portrait") == 0


def test_one_worker_stands_on_a_circle(edition):
    """R-MAY-6, I-12: a tile takes one, an indigo plant three."""
    game = placing(
        edition, {"island": {"indigo": [1, 0]}, "city": {"indigo_plant": 0}, "portrait": 9}
    )
    game.settle()
    assert workers(game, ALICE, "indigo") == 1
    assert workers(game, ALICE, "indigo_plant") == 3
    assert workers(game, ALICE, "portrait") == 5


def test_no_sequence_makes_a_worker_or_loses_one(edition):
    """G019, R-MAY-5, I-02."""
    game = placing(
        edition,
        {"island": {"corn": [2, 2], "indigo": [2, 1]}, "city": {"sugar_mill": 1}, "portrait": 1},
    )
    before = all_workers(game, ALICE)
    assert {all_workers(end, ALICE) for end in endings(game)} == {before}


def test_a_seat_that_changes_nothing_spends_one_decision_beside_its_new_workers(edition):
    """R-MAY-8, G029: pass the recalling, then place the new one."""
    game = placing(edition, {"island": {"corn": [2, 1], "indigo": [2, 1]}, "portrait": 1})
    play(game, "alice pass\nalice place corn")
    assert (game.phase, game.turn) == ("role", BOB)
    assert workers(game, ALICE, "corn") == 2


def test_an_occupied_tile_may_be_emptied(edition):
    """R-MAY-8, G028."""
    game = placing(edition, {"island": {"corn": [1, 1], "indigo": [1, 0]}, "portrait": 0})
    play(game, "alice recall corn")
    assert workers(game, ALICE, "corn") == 0
    assert workers(game, ALICE, "indigo") == 1
    assert (game.phase, game.turn) == ("role", BOB)


def test_an_emptied_building_works_no_more_and_a_staffed_one_does(edition):
    """R-GEN-2, R-GEN-4, R-MAY-8: the worker of the small market goes to the large one."""
    game = placing(
        edition,
        {
            "island": {"corn": [1, 1]},
            "city": {"small_market": 1, "large_market": 0},
            "goods": {"indigo": 1},
        },
    )
    play(game, "alice recall small_market")
    assert workers(game, ALICE, "large_market") == 1
    play(game, "bob role trader\nalice sell indigo")
    assert coins(game, ALICE) == 3 + 1 + 2


def test_workers_on_tiles_give_no_powers(edition):
    """R-GEN-2: whatever stands on plantations and quarries, only buildings have functions."""
    island = {kind: [1, 0] for kind in ("corn", "indigo", "sugar", "tobacco", "coffee", "quarry")}
    game = placing(edition, {"island": island, "portrait": 6})
    game.settle()
    assert all_workers(game, ALICE) == 6
    assert not game.state["powers"].any()


def test_a_spot_that_was_recalled_from_takes_nobody_back(edition):
    """R-MAY-8, G019, G029: no toggling."""
    game = placing(
        edition, {"island": {"corn": [1, 1], "indigo": [1, 0], "sugar": [1, 0]}, "portrait": 0}
    )
    play(game, "alice recall corn")
    assert options(game) == {"place:indigo", "place:sugar"}


def test_workers_do_not_move_outside_mayor_phases(edition):
    """R-MAY-10, I-29."""
    game = board(
        edition=edition,
        seats={ALICE: {"island": {"corn": [2, 1]}, "portrait": 1, "goods": {"corn": 1}}},
    )
    before = staffing(game, ALICE)
    play(game, "alice role settler\nalice take quarry\nbob pass\ncarol pass\ndave pass")
    play(game, "bob role craftsman")
    play(game, "carol role trader\nalice sell corn")
    assert staffing(game, ALICE)[:6] == before[:6]
    assert staffing(game, ALICE)[-1] == before[-1]


# -- the register ----------------------------------------------------------------------------------


def refill(edition, players, supply, empty_circles, island=None):
    """Alice has so many empty circles on buildings when the last seat has nobody to place."""
    city = {}
    for plant in ("indigo_plant", "sugar_mill", "tobacco_storage"):
        city[plant] = max(0, 3 - empty_circles)
        empty_circles -= 3 - city[plant]
    game = board(
        "mayor",
        players=players,
        edition=edition,
        turn=players - 1,
        seats={ALICE: {"island": island or {}, "city": city}},
        workers={"supply": supply, "register": 0},
    )
    game.settle()
    assert (game.phase, game.turn) == ("role", BOB)
    return game


def test_the_register_holds_at_least_one_worker_a_player(edition):
    """TX-16, R-MAY-11, R-MAY-12: two empty circles, four players."""
    game = refill(edition, 4, supply=60, empty_circles=2)
    assert number(game, "register_workers") == 4
    assert number(game, "worker_supply") == 56
    assert not end_triggered(game)


def test_the_register_holds_a_worker_for_each_empty_circle_on_buildings(edition):
    """TX-17, R-MAY-11, Q-42: nine on buildings count, seven on the island do not."""
    game = refill(edition, 4, supply=60, empty_circles=9, island={"corn": [4, 0], "quarry": [3, 0]})
    assert number(game, "register_workers") == 9
    assert number(game, "worker_supply") == 51


def test_a_register_that_cannot_be_filled_ends_the_game(edition):
    """TX-18, R-MAY-13, R-END-1, Q-39, G022, I-22: what is there is put on it."""
    game = refill(edition, 3, supply=4, empty_circles=5)
    assert number(game, "register_workers") == 4
    assert number(game, "worker_supply") == 0
    assert end_triggered(game)


def test_a_refill_that_uses_the_last_worker_does_not_end_the_game(edition):
    """TX-19, R-MAY-13, Q-40, G022."""
    game = refill(edition, 3, supply=3, empty_circles=3)
    assert number(game, "register_workers") == 3
    assert number(game, "worker_supply") == 0
    assert not end_triggered(game)


def test_the_mayor_after_the_last_worker_has_no_privilege_and_ends_the_game(edition):
    """TX-19, R-MAY-1, R-MAY-13, D-16."""
    game = board(players=3, edition=edition, workers={"supply": 0, "register": 3})
    play(game, "alice role mayor")
    assert [all_workers(game, seat) for seat in range(3)] == [1, 1, 1]
    assert number(game, "register_workers") == 0
    assert end_triggered(game)


@pytest.mark.parametrize(
    ("supply", "empty", "on_register", "ends"),
    [(5, 2, 4, False), (4, 2, 4, False), (3, 2, 3, True), (6, 6, 6, False), (5, 6, 5, True)],
)
def test_the_end_comes_exactly_when_more_is_required_than_there_is(
    edition, supply, empty, on_register, ends
):
    """R-MAY-13, R-END-1, G022."""
    game = refill(edition, 4, supply, empty)
    assert number(game, "register_workers") == on_register
    assert end_triggered(game) is ends


def test_the_register_is_filled_from_nothing_after_the_last_placement(edition):
    """R-MAY-12, Q-42, Q-43, D-14, G020: dealt out empty, then filled for the circles left."""
    game = new_game(4, edition)
    play(game, "alice role mayor")
    assert (game.phase, game.turn) == ("role", BOB)
    assert [all_workers(game, seat) for seat in range(4)] == [2, 1, 1, 1]
    assert number(game, "register_workers") == 4
    assert number(game, "worker_supply") == 75 - 1 - 4
    assert [move.split()[0] for move in moves(game)].count("alice") >= 1


def test_the_circles_left_are_counted_after_everybody_has_placed(edition):
    """Q-42, R-MAY-11: Alice fills one of two plants, so three circles stay empty, Bob has two."""
    game = board(
        edition=edition,
        seats={
            ALICE: {"island": {}, "city": {"indigo_plant": 0}},
            BOB: {"island": {}, "city": {"sugar_mill": 0, "tobacco_storage": 0}},
        },
    )
    play(game, "alice role mayor")
    while game.phase == "mayor":
        game.step(int(game.legal_actions()[-1]))
    assert number(game, "register_workers") == (3 - 2) + (6 - 1)
