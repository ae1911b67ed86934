"""The captain: round after round a kind of goods on a ship, until nobody can load any more."""

import pytest

from prico_env import IllegalActionError
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    SHIPS,
    board,
    end_triggered,
    goods,
    moves,
    number,
    options,
    play,
    ship,
    supply,
    vp,
)


def ships(*cargo, players=4):
    """The ships of a table, each with ``(kind, barrels)`` or ``None``."""
    return [
        {"size": size} if load is None else {"size": size, "good": load[0], "barrels": load[1]}
        for size, load in zip(SHIPS[players], cargo, strict=True)
    ]


BUSY = ships(("corn", 1), ("indigo", 1), ("tobacco", 1))
"""Three ships under way: neither sugar nor coffee can be loaded."""


def captain(edition, seats, actor=ALICE, **words):
    """The captain has just been taken."""
    game = board(edition=edition, actor=actor, seats=seats, **words)
    game.step("role:captain")
    return game


def loads(game):
    """The legal loads of the seat to act."""
    return {name for name in options(game) if name.startswith("load")}


# -- the printed example ---------------------------------------------------------------------------


EXAMPLE = {
    ALICE: {"goods": {"corn": 2, "sugar": 6}},
    BOB: {"goods": {"sugar": 2, "tobacco": 3}},
    CAROL: {"goods": {"corn": 2, "tobacco": 1}},
    DAVE: {"goods": {"corn": 1, "indigo": 5}},
}


def example(edition, **switches):
    """Ships of 5, 6 with three corn, and 7; Alice is the captain."""
    return captain(edition, EXAMPLE, ships=ships(None, ("corn", 3), None), switches=switches)


def test_the_captain_of_the_example_may_load_corn_or_sugar(edition):
    """TV-05a, R-CAP-1, R-CAP-3: sugar goes on the ship that takes all six, corn to the corn."""
    game = example(edition)
    assert options(game) == {"load:corn:2", "load:sugar:3"}
    with pytest.raises(IllegalActionError):
        game.step("load:sugar:1")


def test_the_captain_of_the_example_loads_six_sugar_for_seven_vp(edition):
    """TV-05b, R-CAP-4, R-CAP-6, R-CAP-7, D-24."""
    game = play(example(edition), "alice load sugar 3")
    assert ship(game, 3) == ("sugar", 6)
    assert vp(game, ALICE) == 7


def test_the_second_of_the_example_fills_the_sugar_ship(edition):
    """TV-05c, R-CAP-4, R-CAP-5: one of two sugar fits, although three tobacco would."""
    game = play(example(edition), "alice load sugar 3")
    assert options(game) == {"load:sugar:3", "load:tobacco:1"}
    play(game, "bob load sugar 3")
    assert ship(game, 3) == ("sugar", 7)
    assert (vp(game, BOB), goods(game, BOB)) == (1, {"sugar": 1, "tobacco": 3})


def test_the_third_of_the_example_begins_the_smallest_ship(edition):
    """TV-05d."""
    game = play(example(edition), "alice load sugar 3\nbob load sugar 3")
    assert options(game) == {"load:corn:2", "load:tobacco:1"}
    game = play(game, "carol load tobacco 1")
    assert vp(game, CAROL) == 1


def test_the_rest_of_the_example_is_forced(edition):
    """TV-05e, TV-05f, TV-05g, R-CAP-2: corn, corn without a second privilege, and tobacco."""
    game = example(edition, skip_forced=False)
    play(game, "alice load sugar 3\nbob load sugar 3\ncarol load tobacco 1")
    assert options(game) == {"load:corn:2"}
    play(game, "dave load corn 2")
    assert (ship(game, 2), vp(game, DAVE)) == (("corn", 4), 1)
    assert options(game) == {"load:corn:2"}
    play(game, "alice load corn 2")
    assert (ship(game, 2), vp(game, ALICE)) == (("corn", 6), 7 + 2)
    assert options(game) == {"load:tobacco:1"}
    play(game, "bob load tobacco 1")
    assert (ship(game, 1), vp(game, BOB)) == (("tobacco", 4), 1 + 3)
    assert game.phase == "storage"


def test_the_end_of_the_example(edition):
    """TV-05h, R-CAP-8, R-CAP-9, R-CAP-12, I-23, I-31: nine, four, one and one VP."""
    game = play(example(edition), "alice load sugar 3\nbob load sugar 3\ncarol load tobacco 1")
    assert (game.phase, game.turn) == ("role", BOB)
    assert [vp(game, seat) for seat in range(4)] == [9, 4, 1, 1]
    assert [goods(game, seat) for seat in range(4)] == [
        {},
        {"sugar": 1},
        {"corn": 1},
        {"indigo": 1},
    ]
    assert [ship(game, number_) for number_ in (1, 2, 3)] == [("tobacco", 4), (None, 0), (None, 0)]


# -- which ship ------------------------------------------------------------------------------------


def test_each_kind_has_its_ship(edition):
    """TV-39, R-CAP-3: indigo and corn to their ships, tobacco to the empty one."""
    game = captain(
        edition,
        {ALICE: {"goods": {"corn": 1, "indigo": 1, "tobacco": 1}}},
        ships=ships(("indigo", 2), ("corn", 2), None),
    )
    assert options(game) == {"load:indigo:1", "load:corn:2", "load:tobacco:3"}


@pytest.mark.parametrize(
    ("barrels", "choice"), [(3, {1, 2, 3}), (4, {1, 2, 3}), (5, {2, 3}), (6, {3}), (8, {3})]
)
def test_an_empty_ship_must_take_as_much_as_possible(edition, barrels, choice):
    """TX-42, R-CAP-3, Q-95, G061, G062: ships of 4, 5 and 6, all equal for three or four."""
    game = board(
        "captain",
        players=3,
        edition=edition,
        seats={ALICE: {"goods": {"corn": barrels}}},
    )
    assert loads(game) == {f"load:corn:{number_}" for number_ in choice}


def test_a_smaller_empty_ship_is_refused_when_a_bigger_one_takes_more(edition):
    """R-CAP-3, G061: six sugar, ships of 5 and 7."""
    game = board(
        "captain",
        edition=edition,
        seats={ALICE: {"goods": {"sugar": 6}}},
        ships=ships(None, ("corn", 1), None),
    )
    assert options(game) == {"load:sugar:3"}


def test_a_kind_that_fills_a_ship_is_loaded_nowhere_else(edition):
    """TX-43, R-CAP-3, G059."""
    game = captain(
        edition,
        {ALICE: {"goods": {"corn": 3, "sugar": 1}}},
        ships=ships(("corn", 5), None, None),
    )
    assert options(game) == {"load:sugar:2", "load:sugar:3"}


def test_a_started_ship_is_compulsory_even_if_it_takes_less(edition):
    """R-CAP-3, Q-95: an empty ship would take all four corn."""
    game = captain(
        edition,
        {ALICE: {"goods": {"corn": 4, "coffee": 1}}},
        ships=ships(("corn", 4), None, ("indigo", 1)),
    )
    assert options(game) == {"load:corn:1", "load:coffee:2"}


def test_a_ship_carries_one_kind(edition):
    """R-CAP-3, I-13."""
    game = captain(edition, {ALICE: {"goods": {"sugar": 1, "coffee": 2}}}, ships=BUSY)
    assert all(not move.startswith("alice load") for move in moves(game))
    assert vp(game, ALICE) == 0


def test_everything_that_fits_is_loaded(edition):
    """R-CAP-4: no barrel may be held back."""
    game = captain(
        edition,
        {ALICE: {"goods": {"corn": 4, "sugar": 2}}},
        ships=ships(None, None, ("corn", 4)),
    )
    play(game, "alice load corn 3")
    assert ship(game, 3) == ("corn", 7)
    assert goods(game, ALICE)["corn"] == 1
    assert vp(game, ALICE) == 3 + 1


def test_the_kind_is_a_free_choice(edition):
    """R-CAP-5: one corn rather than five sugar."""
    game = captain(
        edition, {ALICE: {"goods": {"corn": 1, "sugar": 5}}}, ships=ships(("corn", 1), None, None)
    )
    play(game, "alice load corn 1")
    assert vp(game, ALICE) == 1 + 1


def test_every_barrel_is_worth_one_vp_whatever_its_kind(edition):
    """R-CAP-6."""
    game = captain(
        edition,
        {BOB: {"goods": {"corn": 3, "coffee": 3}}},
    )
    play(game, "bob load coffee 3\nbob load corn 1")
    assert vp(game, BOB) == 6


# -- must and may ----------------------------------------------------------------------------------


def test_whoever_can_load_must_load(edition):
    """R-CAP-2, R-ROL-7, G058, I-26."""
    game = captain(edition, {BOB: {"goods": {"sugar": 1, "corn": 1}}})
    assert "pass" not in options(game)
    with pytest.raises(IllegalActionError):
        game.step("pass")


def test_loading_goes_round_until_nobody_can_load(edition):
    """R-CAP-1, R-CAP-8, G071: Alice is out of goods, Bob and Carol go on."""
    game = captain(
        edition,
        {
            ALICE: {"goods": {"corn": 1}},
            BOB: {"goods": {"indigo": 1, "corn": 1}},
            CAROL: {"goods": {"indigo": 1, "corn": 1}},
        },
        ships=ships(("corn", 1), ("indigo", 1), None),
    )
    play(game, "bob load indigo 2\ncarol load corn 1")
    assert [vp(game, seat) for seat in (ALICE, BOB, CAROL)] == [1 + 1, 2, 2]
    assert (game.phase, game.turn) == ("role", BOB)


def test_one_kind_is_loaded_a_turn(edition):
    """R-CAP-1."""
    game = captain(
        edition, {BOB: {"goods": {"corn": 1, "sugar": 1}}, CAROL: {"goods": {"corn": 2}}}
    )
    play(game, "bob load sugar 1")
    assert game.turn == CAROL
    assert goods(game, BOB) == {"corn": 1}


def test_a_seat_without_a_load_is_skipped_not_asked(edition):
    """R-CAP-8: nobody says pass where there is nothing to refuse, forced or not."""
    game = captain(
        edition,
        {BOB: {"goods": {"corn": 1}}},
        switches={"skip_forced": False},
    )
    assert game.turn == BOB
    assert options(game) == {"load:corn:1", "load:corn:2", "load:corn:3"}


def test_goods_are_stored_when_nobody_loads_any_more(edition):
    """R-CAP-8, R-CAP-9: the phase ends when each seat had a turn without loading."""
    game = captain(edition, {ALICE: {"goods": {"sugar": 2, "coffee": 1}}}, ships=BUSY)
    assert game.phase == "storage"


# -- the captain's privilege -----------------------------------------------------------------------


def test_the_privilege_is_one_vp_with_the_first_load_only(edition):
    """R-CAP-7, D-24, G064: two loads, one further VP."""
    game = captain(edition, {ALICE: {"goods": {"corn": 2, "sugar": 3}}})
    play(game, "alice load corn 1\nalice load sugar 2")
    assert vp(game, ALICE) == 2 + 1 + 3


def test_a_captain_who_loads_nothing_gets_no_vp(edition):
    """R-CAP-7, R-ROL-8, D-24, G064."""
    game = captain(edition, {BOB: {"goods": {"corn": 1, "sugar": 1}}})
    play(game, "bob load corn 1\nbob load sugar 2")
    assert vp(game, ALICE) == 0
    assert vp(game, BOB) == 2


def test_a_wharf_load_is_a_load_for_the_privilege(edition):
    """R-CAP-7, R-WHF-7, Q-96, G064."""
    game = captain(edition, {ALICE: {"goods": {"sugar": 2}, "city": {"wharf": 1}}}, ships=BUSY)
    play(game, "alice wharf sugar")
    assert vp(game, ALICE) == 2 + 1


# -- harbor ----------------------------------------------------------------------------------------


def test_the_harbor_adds_a_vp_to_every_load(edition):
    """R-HBR-1, R-GEN-8."""
    game = captain(edition, {BOB: {"goods": {"corn": 2, "sugar": 3}, "city": {"harbor": 1}}})
    play(game, "bob load corn 1\nbob load sugar 2")
    assert vp(game, BOB) == (2 + 1) + (3 + 1)


def test_the_harbor_counts_forced_loads(edition):
    """R-HBR-1, Q-97."""
    game = captain(
        edition,
        {BOB: {"goods": {"corn": 2}, "city": {"harbor": 1}}},
        ships=ships(("corn", 1), None, None),
    )
    assert vp(game, BOB) == 2 + 1


def test_an_empty_harbor_adds_nothing(edition):
    """R-GEN-2, R-HBR-1."""
    game = captain(
        edition,
        {BOB: {"goods": {"corn": 2}, "city": {"harbor": 0}}},
        ships=ships(("corn", 1), None, None),
    )
    assert vp(game, BOB) == 2


HARBOR_AND_WHARF = {BOB: {"goods": {"tobacco": 5, "sugar": 2}, "city": {"harbor": 1, "wharf": 1}}}
TOBACCO_AND_SUGAR = ships(("tobacco", 2), ("sugar", 1), ("corn", 1))


def test_harbor_and_wharf_with_the_wharf_last(edition):
    """TV-13, R-HBR-2, R-WHF-1, R-WHF-4, R-WHF-7, D-29, G065: ten VP, three from the harbor."""
    game = captain(edition, HARBOR_AND_WHARF, ships=TOBACCO_AND_SUGAR)
    play(game, "bob load tobacco 1")
    assert (vp(game, BOB), ship(game, 1)) == (4, ("tobacco", 5))
    play(game, "bob load sugar 2")
    assert vp(game, BOB) == 7
    assert options(game) == {"wharf:tobacco", "pass"}
    play(game, "bob wharf tobacco")
    assert vp(game, BOB) == 10


def test_harbor_and_wharf_with_the_wharf_first(edition):
    """TV-14, R-WHF-2, R-WHF-6, R-CAP-12: nine VP, and the tobacco ship stays open."""
    game = captain(edition, HARBOR_AND_WHARF, ships=TOBACCO_AND_SUGAR)
    play(game, "bob wharf tobacco")
    assert vp(game, BOB) == 9
    assert moves(game)[-1] != "bob wharf tobacco"
    assert ship(game, 1) == ("tobacco", 2)


# -- wharf -----------------------------------------------------------------------------------------


def test_the_wharf_is_an_alternative_to_a_ship(edition):
    """TX-44, R-WHF-1, R-CAP-2: passing is not."""
    game = captain(
        edition,
        {BOB: {"goods": {"corn": 1, "coffee": 1}, "city": {"wharf": 1}}},
        ships=ships(("corn", 1), ("indigo", 1), ("sugar", 1)),
    )
    assert options(game) == {"load:corn:1", "wharf:corn", "wharf:coffee"}


def test_the_wharf_is_never_compulsory(edition):
    """TX-45, R-WHF-4, R-GEN-3, Q-94, G067: nothing fits on the ships."""
    game = captain(
        edition, {BOB: {"goods": {"sugar": 2, "coffee": 1}, "city": {"wharf": 1}}}, ships=BUSY
    )
    assert options(game) == {"wharf:sugar", "wharf:coffee", "pass"}


def test_the_wharf_takes_all_barrels_of_a_kind_to_the_supply(edition):
    """R-WHF-1, R-WHF-5, D-27, Q-99, G068: ten corn are no limit either."""
    game = captain(edition, {BOB: {"goods": {"corn": 10}, "city": {"wharf": 1}}})
    play(game, "bob wharf corn")
    assert vp(game, BOB) == 10
    assert supply(game, "corn") == 10


def test_the_wharf_ships_a_kind_that_a_cargo_ship_carries(edition):
    """R-WHF-2, R-WHF-3: nor need it be the kind one has most of."""
    game = captain(
        edition,
        {BOB: {"goods": {"corn": 1, "coffee": 5}, "city": {"wharf": 1}}},
        ships=ships(("corn", 1), ("indigo", 1), ("sugar", 1)),
    )
    play(game, "bob wharf corn")
    assert vp(game, BOB) == 1
    assert ship(game, 1) == ("corn", 1)


def test_the_wharf_sails_once_a_phase(edition):
    """R-WHF-1, R-GEN-8, D-28."""
    game = captain(
        edition,
        {BOB: {"goods": {"sugar": 2, "coffee": 1}, "city": {"wharf": 1}}},
        ships=BUSY,
    )
    play(game, "bob wharf sugar")
    assert vp(game, BOB) == 2
    assert goods(game, BOB) == {"coffee": 1}
    assert (game.phase, game.turn) == ("role", BOB)


def test_the_wharf_sails_again_in_the_next_captain_phase(edition):
    """R-WHF-1, G070: the flags of a phase do not outlive it."""
    game = captain(
        edition, {BOB: {"goods": {"sugar": 2, "coffee": 1}, "city": {"wharf": 1}}}, ships=BUSY
    )
    play(game, "bob wharf sugar")
    play(game, "bob role trader\nbob pass\ncarol role craftsman\ndave role prospector_1")
    play(game, "bob role captain")
    assert options(game) == {"wharf:coffee", "pass"}


def test_after_the_wharf_the_duty_to_load_is_back(edition):
    """R-WHF-6, R-CAP-2: corn is loaded without being asked."""
    game = captain(
        edition,
        {BOB: {"goods": {"corn": 1, "coffee": 1}, "city": {"wharf": 1}}},
        ships=ships(("corn", 1), ("indigo", 1), ("sugar", 1)),
    )
    play(game, "bob wharf coffee")
    assert "bob load corn 1 !" in moves(game)
    assert vp(game, BOB) == 2


def test_two_wharves_do_not_know_of_each_other(edition):
    """R-WHF-2, G070: the same kind, once for each owner."""
    owner = {"goods": {"sugar": 2}, "city": {"wharf": 1}}
    game = captain(edition, {BOB: owner, CAROL: owner, DAVE: {"goods": {"sugar": 1}}}, ships=BUSY)
    play(game, "bob wharf sugar")
    assert options(game) == {"wharf:sugar", "pass"}
    play(game, "carol wharf sugar")
    assert [vp(game, seat) for seat in (BOB, CAROL, DAVE)] == [2, 2, 0]


def test_an_empty_wharf_ships_nothing(edition):
    """R-GEN-2, R-WHF-1."""
    game = captain(
        edition, {BOB: {"goods": {"sugar": 1, "coffee": 1}, "city": {"wharf": 0}}}, ships=BUSY
    )
    assert game.phase == "storage"
    assert vp(game, BOB) == 0


def test_a_warehouse_gives_no_right_to_hold_goods_back(edition):
    """R-SWH-2, R-CAP-2."""
    warehouses = {"small_warehouse": 1, "large_warehouse": 1}
    game = captain(edition, {BOB: {"goods": {"corn": 1, "sugar": 1}, "city": warehouses}})
    assert "pass" not in options(game)


# -- circuits --------------------------------------------------------------------------------------


CIRCUITS = {
    ALICE: {"goods": {"corn": 1}},
    BOB: {"goods": {"sugar": 2}, "city": {"wharf": 1}},
}


def test_a_pass_is_not_final_while_somebody_loads(edition):
    """R-CAP-8, Q-94, G073: Alice loads, Bob passes, Carol loads, and Bob is asked again."""
    seats = CIRCUITS | {CAROL: {"goods": {"corn": 1}}}
    game = captain(edition, seats, ships=BUSY)
    assert options(game) == {"wharf:sugar", "pass"}
    play(game, "bob pass")
    assert game.phase == "captain"
    assert options(game) == {"wharf:sugar", "pass"}
    play(game, "bob wharf sugar")
    assert vp(game, BOB) == 2


def test_the_phase_ends_when_every_seat_had_a_turn_since_the_last_load(edition):
    """R-CAP-8, Q-94, G073, I-33: Bob passed after Alice's load, the last, and is asked once."""
    game = captain(edition, CIRCUITS, ships=BUSY)
    play(game, "bob pass")
    assert (game.phase, game.turn) == ("role", BOB)
    assert goods(game, BOB) == {"sugar": 1}


def test_nobody_is_asked_twice_without_a_load_in_between(edition):
    """R-CAP-8: seats are treated alike, whether they sit before the last loader or behind it."""
    for wharf in (ALICE, BOB, DAVE):
        seats = {CAROL: {"goods": {"corn": 1}}, wharf: CIRCUITS[BOB]}
        game = captain(edition, seats, ships=BUSY)
        asked = 0
        while game.phase == "captain":
            asked += game.turn == wharf
            game.step("pass")
        # Before Carol's load they are asked in vain; after it once.
        assert asked == (1 if wharf == DAVE else 2)


def test_circuits_begin_with_the_captain(edition):
    """R-CAP-8: turns are counted from the captain, here Carol."""
    game = captain(
        edition,
        {CAROL: {"goods": {"corn": 1}}, BOB: {"goods": {"sugar": 1}, "city": {"wharf": 1}}},
        actor=CAROL,
        ships=BUSY,
    )
    play(game, "bob pass")
    assert (game.phase, game.turn) == ("role", DAVE)


def test_every_circuit_begins_with_the_captain(edition):
    """R-CAP-1, R-CAP-8: after Dave it is Alice's turn again, once, and then Dave's."""
    game = captain(
        edition,
        {
            ALICE: {"goods": {"corn": 1, "indigo": 1, "sugar": 1}},
            DAVE: {"goods": {"corn": 1, "sugar": 1}},
        },
    )
    play(game, "alice load corn 1\ndave load sugar 2\nalice load sugar 2")
    loads = [move for move in moves(game) if " load " in move]
    assert loads[-2:] == ["dave load corn 1 !", "alice load indigo 3 !"]


def test_storing_begins_with_the_captain_too(edition):
    """R-CAP-12: whoever was the last to be asked for a load."""
    two_kinds = {"goods": {"sugar": 2, "coffee": 2}}
    game = captain(edition, {BOB: two_kinds, ALICE: two_kinds}, actor=BOB, ships=BUSY)
    assert (game.phase, game.turn) == ("storage", BOB)


def test_the_first_circuit_takes_place_even_if_nobody_can_load(edition):
    """R-CAP-8, R-CAP-9, TX-53: the wharf is asked once, then goods are stored."""
    game = captain(
        edition,
        {ALICE: {"goods": {"coffee": 3}}, BOB: {"goods": {"coffee": 1}, "city": {"wharf": 1}}},
        ships=BUSY,
    )
    assert options(game) == {"wharf:coffee", "pass"}
    play(game, "bob pass")
    assert (game.phase, game.turn) == ("role", BOB)
    assert goods(game, ALICE) == {"coffee": 1}


# -- VP run out ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pool", "left"), [(3, -2), (5, 0)])
def test_vp_are_written_on_paper_when_the_pool_is_empty(edition, pool, left):
    """TX-54, TX-55, R-CAP-13, R-CAP-14, R-END-3, I-08: the last chip ends the game."""
    game = captain(
        edition,
        {BOB: {"goods": {"corn": 5}}, DAVE: {"vp": 100 - pool}},
        ships=ships(None, None, ("indigo", 1)),
    )
    play(game, "bob load corn 1")
    assert vp(game, BOB) == 5
    assert number(game, "vp_pool") == left
    assert end_triggered(game)


def test_one_vp_left_does_not_end_the_game(edition):
    """R-CAP-13."""
    game = captain(edition, {BOB: {"goods": {"corn": 4}}, DAVE: {"vp": 95}})
    play(game, "bob load corn 1")
    assert number(game, "vp_pool") == 1
    assert not end_triggered(game)


def test_vp_on_paper_go_on_to_the_end_of_the_phase(edition):
    """R-CAP-14: everybody is still paid in full after the pool is gone."""
    game = captain(
        edition,
        {ALICE: {"goods": {"corn": 2}}, BOB: {"goods": {"sugar": 4}}, DAVE: {"vp": 99}},
        ships=ships(("corn", 1), ("sugar", 1), None),
    )
    assert (vp(game, ALICE), vp(game, BOB)) == (3, 4)
    assert number(game, "vp_pool") == 1 - 7


def test_full_ships_are_emptied_and_the_others_keep_their_cargo(edition):
    """R-CAP-12, R-CAP-8, I-23: after everything else."""
    game = captain(
        edition,
        {ALICE: {"goods": {"corn": 3}}},
        ships=ships(("corn", 2), ("indigo", 3), None),
    )
    assert [ship(game, number_) for number_ in (1, 2, 3)] == [(None, 0), ("indigo", 3), (None, 0)]
    assert supply(game, "corn") == 10


def test_a_ship_that_is_full_stays_so_to_the_end_of_the_phase(edition):
    """R-CAP-12, Q-102: Bob's corn finds no ship although the full one is emptied later."""
    game = captain(
        edition,
        {ALICE: {"goods": {"corn": 3}}, BOB: {"goods": {"corn": 2}}},
        ships=ships(("corn", 2), None, None),
    )
    assert vp(game, BOB) == 0
    assert goods(game, BOB) == {"corn": 1}
    assert ship(game, 1) == (None, 0)
