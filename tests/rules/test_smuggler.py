"""The smuggler of 1897: a role for one, who raids, plunders, poaches or captures."""

import pytest

from prico_env import Game, PositionError, RuleSetError
from tests.builders import (
    ALICE,
    BOB,
    BOTH_1897,
    CAROL,
    CLASSIC,
    DAVE,
    ENGLISH,
    GERMAN,
    X1,
    X2,
    X3,
    all_citizens,
    all_workers,
    board,
    citizens,
    coins,
    end_triggered,
    finish_phase,
    goods,
    house,
    laden,
    moves,
    new_game,
    number,
    options,
    play,
    position,
    register,
    role_coins,
    row,
    rules,
    ship,
    supply,
    tiles,
    vp,
    workers,
)


@pytest.fixture(params=BOTH_1897)
def edition(request):
    """The editions that have a smuggler."""
    return request.param


def table(edition, seats=None, expansions=(X3,), **words):
    """A round begins at a table with the smuggler."""
    return board(edition=edition, expansions=expansions, seats=seats, **words)


def smuggling(edition, seats=None, expansions=(X3,), **words):
    """Alice has just taken the smuggler."""
    return play(table(edition, seats, expansions, **words), "alice role smuggler")


def last_pick(edition, captured, seats=None, expansions=(X3,), captor=ALICE, **words):
    """Dave's pick is the last of the round; a captured role is still free."""
    taken = {
        "smuggler": {"coins": 0, "taken_by": captor},
        "settler": {"coins": 0, "taken_by": BOB if captor == ALICE else ALICE},
        "builder": {"coins": 0, "taken_by": CAROL},
    }
    return table(
        edition,
        seats,
        expansions,
        turn=DAVE,
        roles=taken,
        smuggler={"tile": captor, "captured": {captured: captor}},
        **words,
    )


# -- the card and the tile -------------------------------------------------------------------------


def test_classic_has_no_smuggler():
    """D-70, R-CMB-1."""
    with pytest.raises(RuleSetError):
        rules(4, CLASSIC, expansions=[X3])


def test_the_card_joins_the_others(edition, players):
    """R-SMG-1, A.2: one more than in the base game."""
    plain = options(new_game(players, edition))
    assert options(new_game(players, edition, expansions=[X3])) == plain | {"role:smuggler"}


def test_whoever_takes_the_card_takes_the_tile(edition):
    """R-SMG-2, I-19: from the previous owner."""
    game = table(edition, smuggler={"tile": CAROL, "captured": {}})
    play(game, "alice role smuggler")
    assert number(game, "smuggler_tile") == ALICE


def test_a_position_with_card_and_tile_apart_is_refused(edition):
    """I-19: whoever has taken the card this round holds the tile."""
    taken = {"smuggler": {"coins": 0, "taken_by": ALICE}}
    with pytest.raises(PositionError, match="I-19"):
        table(edition, turn=BOB, roles=taken, smuggler={"tile": CAROL, "captured": {}})


def test_the_owner_of_the_tile_may_not_take_the_card(edition):
    """R-SMG-3, R-ROL-3: until somebody else has had it."""
    game = table(edition, smuggler={"tile": ALICE, "captured": {}})
    assert "role:smuggler" not in options(game)
    play(game, "alice role prospector_1")
    assert "role:smuggler" in options(game)
    play(game, "bob role smuggler\nbob pass")
    assert number(game, "smuggler_tile") == BOB


def test_the_tile_stays_where_it_is_when_nobody_takes_the_card(edition):
    """Q-136, R-SMG-3: and its owner stays barred."""
    game = table(edition, smuggler={"tile": BOB, "captured": {}})
    for role in ("prospector_1", "trader", "captain", "craftsman"):
        game.step(f"role:{role}")
        finish_phase(game)
    assert number(game, "smuggler_tile") == BOB
    assert (game.round, game.turn) == (2, BOB)
    assert "role:smuggler" not in options(game)


def test_only_the_smuggler_acts(edition):
    """R-SMG-2, R-ROL-6: nobody else has a turn."""
    game = smuggling(edition, house=["corn"])
    play(game, "alice plunder")
    assert (game.phase, game.turn) == ("role", BOB)


def test_the_smuggler_chooses_among_what_can_be_done(edition):
    """R-SMG-2, Q-125, Q-126, Q-127, Q-128: nothing on ships, in the house or on the register."""
    roles = ("settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector_1")
    captures = {f"capture:{role}" for role in roles}
    assert options(smuggling(edition)) == captures | {"pass"}
    game = smuggling(
        edition,
        ships=laden(None, ("corn", 2), ("sugar", 7)),
        house=["coffee"],
        workers={"supply": 60, "register": 5},
    )
    assert options(game) == captures | {"raid:2", "raid:3", "plunder", "poach", "pass"}


def test_the_smuggler_may_do_nothing(edition):
    """Q-125, R-SMG-2, R-ROL-7: the tile is taken all the same."""
    game = play(smuggling(edition, house=["corn"]), "alice pass")
    assert house(game) == {"corn": 1}
    assert number(game, "smuggler_tile") == ALICE
    assert (game.phase, game.turn) == ("role", BOB)


# -- raid ------------------------------------------------------------------------------------------


def test_a_raid_takes_three_barrels_and_empties_the_ship(edition):
    """TX-71, R-SMG-4, D-73, Q-126, G136: the rest to the supply, no VP."""
    game = smuggling(edition, ships=laden(None, ("sugar", 5)))
    before = supply(game, "sugar")
    play(game, "alice raid 2")
    assert goods(game, ALICE) == {"sugar": 3}
    assert supply(game, "sugar") == before + 2
    assert ship(game, 2) == (None, 0)
    assert vp(game, ALICE) == 0


@pytest.mark.parametrize(("load", "kept"), [(1, 1), (3, 3), (6, 3)])
def test_a_raid_takes_what_there_is_up_to_three(edition, load, kept):
    """R-SMG-4, Q-126, G136: also from a full ship."""
    game = play(smuggling(edition, ships=laden(None, ("corn", load))), "alice raid 2")
    assert goods(game, ALICE) == {"corn": kept}


def test_a_raided_ship_is_open_to_every_kind_again(edition):
    """R-SMG-4, G136: its kind is free."""
    game = smuggling(edition, {BOB: {"goods": {"corn": 1, "coffee": 1}}}, ships=laden(("corn", 5)))
    play(game, "alice raid 1\nbob role captain\nbob load coffee 1")
    assert ship(game, 1) == ("coffee", 1)


def test_a_raid_is_no_load_and_no_storage(edition):
    """R-SMG-9, R-SMG-10, D-72, G136: no harbor, no lighthouse; and the barrels stay."""
    seats = {ALICE: {"city": {"harbor": 1, "lighthouse": 1}, "goods": {"coffee": 3}}}
    game = smuggling(edition, seats, (X1, X3), ships=laden(("corn", 4)))
    play(game, "alice raid 1")
    assert (vp(game, ALICE), coins(game, ALICE)) == (0, 3)
    assert goods(game, ALICE) == {"corn": 3, "coffee": 3}


# -- plunder ---------------------------------------------------------------------------------------


def test_plunder_scores_a_vp_for_each_barrel(edition):
    """TX-72, R-SMG-5: and the house is empty."""
    game = smuggling(edition, house=["corn", "sugar", "coffee"])
    before = supply(game, "coffee")
    play(game, "alice plunder")
    assert vp(game, ALICE) == 3
    assert house(game) == {}
    assert supply(game, "coffee") == before + 1


def test_an_empty_house_is_not_plundered(edition):
    """Q-127, R-SMG-5."""
    assert "plunder" not in options(smuggling(edition))


def test_plunder_may_take_the_last_vp(edition):
    """G137, Q-103, R-END-3, R-CAP-14: four VP although two are left, and the end is triggered."""
    game = smuggling(edition, house=["corn", "sugar", "coffee", "indigo"], vp=2, check=False)
    play(game, "alice plunder")
    assert vp(game, ALICE) == 4
    assert number(game, "vp_pool") == -2
    assert end_triggered(game)


def test_plunder_is_no_sale(edition):
    """R-SMG-9, D-72: markets pay nothing."""
    seats = {ALICE: {"city": {"large_market": 1, "office": 1}}}
    game = play(smuggling(edition, seats, house=["coffee"]), "alice plunder")
    assert coins(game, ALICE) == 3


# -- poach -----------------------------------------------------------------------------------------


def poaching(edition, seat, expansions=(X3,), players=3, **words):
    """Alice has just taken the smuggler; seven units lie on the register of three players."""
    words = {"workers": {"supply": 40, "register": 7}} | words
    return smuggling(edition, {ALICE: seat}, expansions, players=players, **words)


def test_poaching_leaves_one_unit_a_player_on_the_register(edition):
    """TX-73, R-SMG-6, Q-128: seven become three; two are placed, two go to the supply."""
    game = poaching(edition, {"island": {"corn": [2, 0]}})
    play(game, "alice poach\nalice place corn\nalice place corn")
    assert number(game, "register_workers") == 3
    assert workers(game, ALICE, "corn") == 2
    assert workers(game, ALICE, "portrait") == 0
    assert number(game, "worker_supply") == 40 + 2
    assert (game.phase, game.turn) == ("role", BOB)


def test_at_most_three_poached_units_are_placed(edition):
    """R-SMG-6, Q-128: four are removed."""
    game = poaching(edition, {"island": {"corn": [5, 0]}})
    play(game, "alice poach\nalice place corn\nalice place corn\nalice place corn")
    assert workers(game, ALICE, "corn") == 3
    assert number(game, "worker_supply") == 40 + 1
    assert game.phase == "role"


def test_poached_units_go_to_any_empty_circle(edition):
    """R-SMG-6, Q-128: tiles or buildings, in ascending order, never the portrait."""
    seat = {"island": {"corn": [1, 0], "quarry": [1, 0]}, "city": {"indigo_plant": 2, "harbor": 0}}
    game = poaching(edition, seat)
    play(game, "alice poach")
    assert options(game) == {
        "place:corn", "place:quarry", "place:indigo_plant", "place:harbor", "pass",
    }  # fmt: skip
    play(game, "alice place quarry")
    assert options(game) == {"place:indigo_plant", "place:harbor", "pass"}
    play(game, "alice place harbor")
    assert game.phase == "role"
    assert all_workers(game, ALICE) == 4


def test_the_rest_of_a_poach_may_go_back(edition):
    """R-SMG-6, Q-128: nobody has to place all of them."""
    game = poaching(edition, {"island": {"corn": [3, 0]}})
    play(game, "alice poach\nalice place corn\nalice pass")
    assert (workers(game, ALICE, "corn"), workers(game, ALICE, "portrait")) == (1, 0)
    assert number(game, "worker_supply") == 40 + 3
    assert number(game, "register_workers") == 3


def test_poaching_without_an_empty_circle_only_empties_the_register(edition):
    """R-SMG-6, Q-128."""
    game = play(poaching(edition, {"island": {}}), "alice poach")
    assert all_workers(game, ALICE) == 0
    assert register(game) == (3, 0)
    assert number(game, "worker_supply") == 40 + 4


@pytest.mark.parametrize(("on_register", "legal"), [(2, False), (3, False), (4, True)])
def test_poaching_needs_more_units_than_players(edition, on_register, legal):
    """Q-128, R-SMG-6."""
    game = poaching(edition, {}, workers={"supply": 40, "register": on_register})
    assert ("poach" in options(game)) is legal


def test_nobody_refills_the_register_after_a_poach(edition):
    """Q-137, R-SMG-10: it keeps what is there until the next mayor deals it."""
    game = play(poaching(edition, {"island": {"corn": [1, 0]}}), "alice poach\nalice place corn")
    play(game, "bob role mayor")
    assert [all_workers(game, seat) for seat in range(3)] == [1 + 1, 1 + 1, 1]


def test_the_smuggler_chooses_which_kinds_to_take(edition):
    """Q-129, R-CMB-5, section I.12: of six units three go; the rest returns to its own supply."""
    game = poaching(
        edition,
        {"island": {"corn": [3, 0, 0]}},
        (X2, X3),
        workers={"supply": 50, "register": 4},
        citizens={"supply": 10, "register": 2},
        check=False,
    )
    play(game, "alice poach")
    assert options(game) == {"deal:worker", "deal:citizen"}
    play(game, "alice deal citizen\nalice deal citizen")
    assert register(game) == (3, 0)
    assert options(game) >= {"place:corn", "place:citizen:corn", "pass"}
    play(game, "alice place citizen corn\nalice pass")
    assert (all_workers(game, ALICE), all_citizens(game, ALICE)) == (0, 1)
    assert (number(game, "worker_supply"), number(game, "citizen_supply")) == (51, 11)


def test_once_a_worker_is_taken_the_rest_are_workers(edition):
    """Q-129, section I.12: citizens first, so that each selection comes by one sequence."""
    game = poaching(
        edition,
        {"island": {"corn": [3, 0, 0]}},
        (X2, X3),
        workers={"supply": 50, "register": 4},
        citizens={"supply": 10, "register": 2},
        check=False,
    )
    play(game, "alice poach\nalice deal citizen\nalice deal worker")
    assert register(game) == (2, 1)
    assert options(game) == {"place:corn", "place:citizen:corn", "pass"}


def test_poached_units_may_become_guests(edition):
    """Q-138, Q-87, R-GST-1: the one way in which the smuggler phase and guests meet."""
    seat = {"island": {}, "city": {"guest_house": 0}}
    game = poaching(edition, seat, (X1, X3))
    play(game, "alice poach\nalice place guest_house\nalice place guest_house")
    assert workers(game, ALICE, "guest_house") == 2


# -- capture ---------------------------------------------------------------------------------------


def test_a_capture_takes_the_coins_on_the_card_at_once(edition):
    """TX-74, R-SMG-7, R-SMG-13, G134."""
    game = smuggling(edition, roles={"trader": {"coins": 2, "taken_by": None}})
    play(game, "alice capture trader")
    assert coins(game, ALICE) == 3 + 2
    assert role_coins(game) == {}
    assert game.to_dict()["smuggler"] == {"tile": ALICE, "captured": {"trader": ALICE}}


def test_an_opponent_who_takes_the_captured_role_pays_nothing_and_finds_nothing(edition):
    """TX-74, R-SMG-11, R-SMG-12, R-SMG-13, Q-132, G134: the bank pays the captor three coins."""
    game = smuggling(
        edition,
        {BOB: {"goods": {"sugar": 1}}},
        roles={"trader": {"coins": 2, "taken_by": None}},
    )
    play(game, "alice capture trader")
    before = number(game, "bank")
    play(game, "bob role trader")
    assert coins(game, ALICE) == 3 + 2 + 3
    assert coins(game, BOB) == 3
    assert number(game, "bank") == before - 3
    play(game, "bob sell sugar")
    assert coins(game, BOB) == 3 + 2 + 1


def test_a_role_that_was_taken_back_is_not_played_again(edition):
    """R-SMG-11, R-SMG-14: the round ends without it."""
    game = smuggling(edition)
    play(game, "alice capture trader\nbob role trader\ncarol role prospector_1\ndave role captain")
    assert (game.phase, game.round) == ("role", 2)


def test_roles_that_are_taken_cannot_be_captured(edition):
    """R-SMG-7: nor the smuggler itself."""
    game = table(
        edition,
        turn=BOB,
        roles={"mayor": {"coins": 0, "taken_by": ALICE}},
    )
    play(game, "bob role smuggler")
    assert "capture:mayor" not in options(game)
    assert "capture:builder" in options(game)


def test_the_captor_may_not_spend_a_pick_on_it(edition):
    """Q-130, R-SMG-12, R-ROL-3: with two players the captor picks again."""
    game = smuggling(edition, players=2)
    play(game, "alice capture trader")
    assert "role:trader" in options(game)
    play(game, "bob role prospector_1")
    assert game.turn == ALICE
    assert "role:trader" not in options(game)


def test_each_prospector_is_a_card_of_its_own(edition):
    """R-ROL-2, R-SMG-7, I-17, G083: one is captured, the other is free."""
    game = smuggling(edition, players=5)
    play(game, "alice capture prospector_1\nbob role prospector_2")
    assert coins(game, ALICE) == 4
    play(game, "carol role prospector_1")
    assert coins(game, ALICE) == 4 + 3


# -- the captured role at the end of the round -----------------------------------------------------

SUGAR = {"goods": {"sugar": 1}}


def test_the_captor_plays_a_role_that_nobody_took(edition):
    """TX-75, R-SMG-14, R-EOR-1, D-71, Q-131, G134: action and privilege; the English others too."""
    game = last_pick(edition, "trader", {ALICE: SUGAR, BOB: {"goods": {"corn": 1, "coffee": 1}}})
    play(game, "dave role prospector_1")
    assert (game.phase, game.turn, game.round) == ("trader", ALICE, 1)
    play(game, "alice sell sugar")
    assert coins(game, ALICE) == 3 + 2 + 1
    if edition == ENGLISH:
        assert (game.phase, game.turn) == ("trader", BOB)
        play(game, "bob sell coffee")
        assert coins(game, BOB) == 3 + 4
    else:
        assert goods(game, BOB) == {"corn": 1, "coffee": 1}
    assert (game.phase, game.round) == ("role", 2)


def test_no_coin_is_laid_on_a_role_that_was_played(edition):
    """TX-75, R-SMG-15, R-EOR-2, Q-133: nor on the smuggler's card."""
    game = last_pick(edition, "trader")
    play(game, "dave role prospector_1")
    assert game.round == 2
    assert role_coins(game) == {"mayor": 1, "craftsman": 1, "captain": 1}


@pytest.mark.parametrize("others", [True, False])
def test_a_table_may_agree_whether_others_act(edition, others):
    """D-71, Q-131: `capture_others_act`."""
    game = last_pick(
        edition,
        "trader",
        {BOB: {"goods": {"corn": 1, "coffee": 1}}},
        switches={"capture_others_act": others},
    )
    play(game, "dave role prospector_1")
    assert (game.phase == "trader") is others


def test_the_captor_may_decline_the_role(edition):
    """R-SMG-14, R-ROL-7."""
    game = last_pick(edition, "trader", {ALICE: SUGAR})
    play(game, "dave role prospector_1\nalice pass")
    assert coins(game, ALICE) == 3
    assert game.round == 2


def test_a_captured_mayor_brings_the_whole_register_in_german():
    """TX-83, R-SMG-14: one and four; nobody else re-places, then the register is refilled."""
    seats = {
        ALICE: {"island": {}},
        BOB: {"island": {"corn": [1, 1], "sugar": [1, 0]}},
    }
    game = last_pick(GERMAN, "mayor", seats)
    assert register(game) == (4, 0)
    play(game, "dave role prospector_1")
    assert [all_workers(game, seat) for seat in range(4)] == [1 + 4, 1, 0, 0]
    assert not any(move.startswith("bob") for move in moves(game))
    assert register(game) == (4, 0)
    assert game.round == 2


def test_a_captured_mayor_is_for_everybody_in_english():
    """R-SMG-14, D-71."""
    game = last_pick(ENGLISH, "mayor")
    play(game, "dave role prospector_1")
    finish_phase(game)
    assert [all_workers(game, seat) for seat in range(4)] == [1 + 1, 1, 1, 1]


def test_a_captured_captain_ships_alone_in_german():
    """TX-84, R-SMG-14, I-23: others keep everything; full ships are emptied."""
    seats = {
        ALICE: {"goods": {"corn": 3, "coffee": 2}},
        BOB: {"goods": {"corn": 3, "indigo": 4}},
    }
    game = last_pick(
        GERMAN, "captain", seats, ships=laden(("corn", 3), ("tobacco", 6), ("sugar", 1))
    )
    play(game, "dave role prospector_1")
    assert goods(game, BOB) == {"corn": 3, "indigo": 4}
    assert (vp(game, ALICE), vp(game, BOB)) == (2 + 1, 0)
    if game.phase == "storage":
        assert game.turn == ALICE
        finish_phase(game)
    assert sum(goods(game, ALICE).values()) == 1
    assert ship(game, 1) == ship(game, 2) == (None, 0)
    assert ship(game, 3) == ("sugar", 1)
    assert game.round == 2


def test_a_captured_captain_is_for_everybody_in_english():
    """R-SMG-14, D-71."""
    seats = {ALICE: {"goods": {"corn": 3}}, BOB: {"goods": {"corn": 3}}}
    game = last_pick(
        ENGLISH, "captain", seats, ships=laden(("corn", 3), ("tobacco", 6), ("sugar", 1))
    )
    play(game, "dave role prospector_1")
    assert (vp(game, ALICE), vp(game, BOB)) == (2 + 1, 0)
    assert goods(game, BOB) == {"corn": 1}


def test_a_captured_settler_takes_alone_in_german():
    """R-SMG-14, D-71, R-STL-12: row refreshed as usual."""
    game = last_pick_of_settler(GERMAN)
    play(game, "dave role prospector_1\nalice take quarry")
    assert game.round == 2
    assert tiles(game, ALICE) == ["indigo", "quarry"]
    assert sum(row(game).values()) == 5


def test_a_captured_settler_is_for_everybody_in_english():
    """R-SMG-14."""
    game = last_pick_of_settler(ENGLISH)
    play(game, "dave role prospector_1\nalice take quarry\nbob take corn\ncarol pass\ndave pass")
    assert game.round == 2
    assert tiles(game, BOB) == ["corn", "indigo"]


def last_pick_of_settler(edition):
    """Alice holds the settler captive, and Dave has the last pick."""
    return table(
        edition,
        turn=DAVE,
        roles={
            "smuggler": {"coins": 0, "taken_by": ALICE},
            "trader": {"coins": 0, "taken_by": BOB},
            "builder": {"coins": 0, "taken_by": CAROL},
        },
        smuggler={"tile": ALICE, "captured": {"settler": ALICE}},
    )


def test_a_captured_craftsman_produces_alone_in_german(edition):
    """R-SMG-14, D-71: with the privilege."""
    crop = {"island": {"corn": [1, 1]}}
    game = last_pick(edition, "craftsman", {ALICE: crop, BOB: crop})
    play(game, "dave role prospector_1")
    assert goods(game, ALICE) == {"corn": 2}
    assert goods(game, BOB) == ({"corn": 1} if edition == ENGLISH else {})


def test_a_captured_prospector_gives_a_coin(edition):
    """R-SMG-14, R-PRO-1."""
    game = last_pick(edition, "prospector_1")
    play(game, "dave role captain")
    assert coins(game, ALICE) == 4
    assert game.round == 2


def test_captor_and_others_act_clockwise_from_the_captor(edition):
    """R-SMG-14: here Bob is the captor, so Alice is the last."""
    seats = {seat: {"goods": {"corn": 1, "sugar": 1}} for seat in (ALICE, BOB)}
    game = last_pick(edition, "trader", seats, captor=BOB)
    play(game, "dave role prospector_1")
    assert (game.phase, game.turn) == ("trader", BOB)
    play(game, "bob sell sugar")
    assert coins(game, BOB) == 3 + 2 + 1
    assert (game.phase, game.turn) == (("trader", ALICE) if edition == ENGLISH else ("role", BOB))


def test_the_end_may_come_in_a_captured_role(edition):
    """R-SMG-15, R-END-5, Q-139: it counts for this round, which ends right after."""
    game = last_pick(
        edition,
        "mayor",
        {seat: {"island": {}} for seat in range(4)},
        workers={"supply": 2, "register": 4},
        check=False,
    )
    play(game, "dave role prospector_1")
    assert game.over
    assert game.round == 1


def test_buildings_work_in_a_captured_role(edition):
    """R-CMB-3, R-SMG-14, Q-134: here the market and the office."""
    seats = {ALICE: SUGAR | {"city": {"small_market": 1, "office": 1}}}
    game = last_pick(edition, "trader", seats, house=["sugar"])
    play(game, "dave role prospector_1\nalice sell sugar")
    assert coins(game, ALICE) == 3 + 2 + 1 + 1


def test_the_library_doubles_no_captured_role(edition):
    """Q-134, R-LIB-1, R-LIB-9, R-CMB-3, R-SMG-9: its owner did not pick it."""
    game = last_pick(edition, "prospector_1", {ALICE: {"city": {"library": 1}}}, (X1, X3))
    play(game, "dave role captain")
    assert coins(game, ALICE) == 3 + 1


def test_a_table_may_let_buildings_change_what_the_smuggler_does(edition):
    """D-72, R-SMG-9: `smuggler_affected_by_buildings`; the library doubles then."""
    game = last_pick(
        edition,
        "prospector_1",
        {ALICE: {"city": {"library": 1}}},
        (X1, X3),
        switches={"smuggler_affected_by_buildings": True},
    )
    play(game, "dave role captain")
    assert coins(game, ALICE) == 3 + 2


def test_windows_of_guests_in_a_captured_role(edition):
    """R-SMG-14, R-GST-3: those of the captor only, where only the captor acts."""
    inn = {"island": {}, "city": {"guest_house": 1, "office": 0}}
    game = last_pick(edition, "trader", {ALICE: inn, BOB: inn}, (X1, X3))
    play(game, "dave role prospector_1\nalice pass")
    if edition == ENGLISH:
        assert (game.phase, game.turn) == ("trader", BOB)
    else:
        assert (game.phase, game.turn) == ("trader", ALICE)
        play(game, "alice pass\nalice pass")
        assert game.round == 2


# -- coins at the end of the round -----------------------------------------------------------------


def test_no_coin_is_ever_laid_on_the_smuggler(edition):
    """R-SMG-8, R-EOR-2, Q-135, G133, I-16: nobody took it for a round."""
    game = table(edition)
    for role in ("prospector_1", "trader", "captain", "craftsman"):
        game.step(f"role:{role}")
        finish_phase(game)
    assert role_coins(game) == {"settler": 1, "mayor": 1, "builder": 1}


def test_one_role_more_gets_a_coin_when_the_smuggler_was_taken(edition):
    """Q-135, R-EOR-2."""
    game = table(edition)
    play(game, "alice role smuggler\nalice pass")
    for role in ("trader", "captain", "craftsman"):
        game.step(f"role:{role}")
        finish_phase(game)
    assert role_coins(game) == {"settler": 1, "mayor": 1, "builder": 1, "prospector_1": 1}


@pytest.mark.parametrize(
    ("expansions", "taken", "laid"),
    [
        ((), ("settler", "mayor", "builder", "craftsman", "trader"), 1),
        ((X3,), ("smuggler", "settler", "mayor", "builder", "craftsman"), 2),
        ((X3,), ("settler", "mayor", "builder", "craftsman", "trader"), 1),
    ],
)
def test_coins_laid_with_two_players(edition, expansions, taken, laid):
    """TX-80, R-EOR-2, R-RND-4: without the smuggler, with the card taken, and not taken."""
    owners = {role: {"coins": 0, "taken_by": pick % 2} for pick, role in enumerate(taken)}
    game = board(edition=edition, expansions=expansions, players=2, turn=BOB, roles=owners)
    play(game, "bob role prospector_1")
    assert sum(role_coins(game).values()) == laid
    assert game.round == 2


# -- saving and the rest ---------------------------------------------------------------------------


def test_captures_are_saved(edition):
    """G154, R-INF-1: who holds the tile, and whose card is whose."""
    place = position(
        edition=edition,
        expansions=(X3,),
        turn=BOB,
        roles={"smuggler": {"coins": 0, "taken_by": ALICE}},
        smuggler={"tile": ALICE, "captured": {"mayor": ALICE}},
    )
    game = Game.from_dict(place)
    assert game.to_dict()["smuggler"] == place["smuggler"]
    assert Game.from_dict(game.to_dict()).to_bytes() == game.to_bytes()


def test_tile_and_captures_are_public(edition):
    """R-INF-1: every seat can tell them apart."""
    taken = {"smuggler": {"coins": 0, "taken_by": ALICE}}
    games = [
        table(edition, turn=BOB, roles=taken, smuggler={"tile": ALICE, "captured": captured})
        for captured in ({}, {"mayor": ALICE}, {"trader": ALICE})
    ]
    games += [
        table(edition, smuggler={"tile": tile, "captured": {}}) for tile in (None, CAROL, DAVE)
    ]
    for seat in range(4):
        assert len({game.observation(seat).tobytes() for game in games}) == len(games)


def test_the_villa_of_the_captor_works(edition):
    """R-SMG-14, R-VIL-1: one citizen from the supply; it is no privilege."""
    game = last_pick(
        edition,
        "mayor",
        {ALICE: {"island": {}, "city": {"villa": [1, 0]}}},
        (X2, X3),
        workers={"supply": 60, "register": 4},
        citizens={"supply": 9, "register": 0},
        check=False,
    )
    play(game, "dave role prospector_1")
    finish_phase(game)
    assert all_citizens(game, ALICE) == 1
    assert all_workers(game, ALICE) == 1 + 1 + (1 if edition == ENGLISH else 4)


def test_captures_end_with_the_round(edition):
    """R-EOR-3, R-SMG-7: all cards return to the display."""
    game = last_pick(edition, "trader")
    play(game, "dave role prospector_1")
    assert game.to_dict()["smuggler"] == {"tile": ALICE, "captured": {}}
    assert "role:trader" in options(game)


def test_switches_of_the_smuggler(edition):
    """D-71, D-72: as section 0.6 has them."""
    found = rules(4, edition, expansions=[X3])
    assert found.capture_others_act is (edition == ENGLISH)
    assert found.smuggler_affected_by_buildings is False


def test_citizens_may_be_poached_and_stand_anywhere(edition):
    """R-CMB-5, R-X2-5, Q-129: a citizen enters the chapel."""
    game = poaching(
        edition,
        {"island": {}, "city": {"chapel": [0, 0]}},
        (X2, X3),
        workers={"supply": 50, "register": 3},
        citizens={"supply": 10, "register": 1},
        check=False,
    )
    play(game, "alice poach\nalice deal citizen\nalice place citizen chapel")
    assert citizens(game, ALICE, "chapel") == 1
