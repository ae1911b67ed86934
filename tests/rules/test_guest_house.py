"""The guest house: two units that may go to work at any time, and stay there then."""

import pytest

from prico_env import IllegalActionError
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    CLASSIC,
    DAVE,
    ENGLISH,
    GERMAN,
    X1,
    X2,
    X3,
    all_workers,
    board,
    citizens,
    city,
    coins,
    endings,
    finish_phase,
    goods,
    laden,
    moves,
    number,
    options,
    play,
    staffing,
    vp,
    workers,
)

INN = {"guest_house": 2}


def hosting(edition, *homes, seat=ALICE, guests=2, expansions=(X1,), **words):
    """A round begins; a seat has guests, and empty buildings where they might go."""
    own = {
        "island": {},
        "city": {"guest_house": guests} | dict.fromkeys(homes, 0),
        **words.pop("own", {}),
    }
    words.setdefault("seats", {})[seat] = own
    return board(edition=edition, expansions=expansions, **words)


def moves_of_guests(game):
    """Where guests may go now."""
    return {name.removeprefix("guest:") for name in options(game) if name.startswith("guest:")}


# -- the printed example ---------------------------------------------------------------------------


def full_ships():
    """Ships that take no corn any more, of kinds that nobody holds."""
    return laden(("indigo", 1), ("sugar", 1), ("tobacco", 1))


def leftovers(edition, *homes, **goods_):
    """The close of Bob's captain phase, in which Alice could not load what she has."""
    game = hosting(edition, *homes, actor=BOB, ships=full_ships(), own={"goods": goods_})
    return play(game, "bob role captain\nalice pass\nalice pass")


@pytest.mark.parametrize("edition", [CLASSIC, GERMAN])
def test_a_guest_moves_to_the_storehouse_before_barrels_are_stored(edition):
    """TV-32, R-GST-2, R-GST-3, D-45: one barrel and three more; one guest is left."""
    game = leftovers(edition, "storehouse", corn=5)
    assert options(game) == {"guest:storehouse", "pass"}
    play(game, "alice guest storehouse")
    assert goods(game, ALICE) == {"corn": 4}
    assert workers(game, ALICE, "guest_house") == 1
    assert workers(game, ALICE, "storehouse") == 1


@pytest.mark.parametrize(
    ("home", "kept"),
    [("small_warehouse", {"corn": 5, "coffee": 1}), ("large_warehouse", {"corn": 5, "coffee": 2})],
)
def test_a_guest_moves_to_a_warehouse_before_barrels_are_stored(home, kept):
    """TV-32e, D-45, ER-09: the kinds of that warehouse are kept whole, and a barrel besides."""
    game = play(leftovers(ENGLISH, home, corn=5, coffee=2), f"alice guest {home}")
    if game.phase == "storage":
        play(game, "alice store corn")
    assert goods(game, ALICE) == kept
    assert workers(game, ALICE, "guest_house") == 1


def test_a_guest_who_stays_keeps_nothing(edition):
    """R-GST-7: the guest house itself stores no barrel."""
    game = play(leftovers(edition, "storehouse", corn=5), "alice pass")
    assert goods(game, ALICE) == {"corn": 1}


def test_the_second_guest_moves_to_the_library_and_the_trader_gets_two_coins(edition):
    """TV-33, R-GST-3, R-GST-5, R-LIB-1: both guests stay where they are from then on."""
    game = hosting(
        edition,
        own={
            "city": {"guest_house": 1, "storehouse": 1, "library": 0},
            "goods": {"sugar": 1},
        },
    )
    play(game, "alice role trader")
    assert options(game) == {"guest:library", "pass"}
    play(game, "alice guest library\nalice sell sugar")
    assert coins(game, ALICE) == 3 + 2 + 2
    play(game, "bob role prospector_1")
    assert workers(game, ALICE, "library") == workers(game, ALICE, "storehouse") == 1
    assert workers(game, ALICE, "guest_house") == 0


def test_the_guest_in_the_library_doubles_the_coin_of_the_prospector(edition):
    """TX-61, R-GST-3, R-LIB-2, Q-74."""
    game = hosting(edition, "library")
    play(game, "alice role prospector_1")
    assert (game.phase, options(game)) == ("prospector", {"guest:library", "pass"})
    play(game, "alice guest library")
    assert coins(game, ALICE) == 3 + 2
    assert (game.phase, game.turn) == ("role", BOB)


# -- who is a guest, and where guests go -----------------------------------------------------------


def test_the_guest_house_takes_two_units_in_the_mayor_phase(edition):
    """R-GST-1, R-MAY-6, Q-38: its circles are filled like any others."""
    seat = {"island": {}, "city": {"guest_house": 0}, "portrait": 3}
    game = board("mayor", edition=edition, expansions=(X1,), seats={ALICE: seat})
    game.settle()
    assert workers(game, ALICE, "guest_house") == 2
    assert workers(game, ALICE, "portrait") == 1


def test_its_empty_circles_are_counted_at_the_refill(edition):
    """R-MAY-11, Q-42: two empty circles for each of three houses."""
    empty = {"island": {}, "city": {"guest_house": 0, "small_sugar_mill": 0}}
    game = board(
        "mayor",
        edition=edition,
        expansions=(X1,),
        turn=DAVE,
        seats={ALICE: empty, BOB: empty},
        workers={"supply": 40, "register": 0},
    )
    game.settle()
    assert number(game, "register_workers") == 6


def test_guests_may_go_to_any_empty_circle_of_their_owner(edition):
    """R-GST-2: plantations, quarries and buildings; not to other seats, nor back."""
    own = {
        "island": {"corn": [2, 1], "quarry": [1, 0], "sugar": [1, 1]},
        "city": {"guest_house": 2, "indigo_plant": 1, "office": 0, "harbor": 1},
    }
    game = hosting(edition, own=own, seats={BOB: {"city": {"wharf": 0}}})
    play(game, "alice role builder")
    assert moves_of_guests(game) == {"corn", "quarry", "indigo_plant", "office"}


def test_a_guest_moves_to_a_production_building_and_works_at_once(edition):
    """R-GST-2, R-GST-3: right before one's own production."""
    own = {
        "island": {"sugar": [2, 2]},
        "city": {"guest_house": 2, "sugar_mill": 0},
    }
    game = hosting(edition, own=own)
    play(game, "alice role craftsman\nalice guest sugar_mill\nalice pass")
    assert options(game) == {"guest:sugar_mill", "pass"}
    play(game, "alice guest sugar_mill")
    game = finish_phase(game)
    assert goods(game, ALICE) == {"sugar": 2 + 1}


def test_a_unit_on_the_guest_house_is_a_guest_however_it_came(edition):
    """Q-87: here the university put it there."""
    own = {"coins": 9, "city": {"university": 1, "office": 0}, "island": {}}
    game = hosting(edition, own=own, for_sale=("guest_house",))
    play(game, "alice role builder\nalice build guest_house")
    assert workers(game, ALICE, "guest_house") == 1
    finish_phase(game)
    play(game, "bob role trader")
    assert (game.turn, options(game)) == (ALICE, {"guest:office", "pass"})


def test_guests_stay_where_they_went_until_the_next_mayor_phase(edition):
    """R-GST-4, R-MAY-10."""
    game = hosting(edition, "library", "office")
    play(game, "alice role prospector_1\nalice guest library\nalice pass\nalice pass")
    assert workers(game, ALICE, "library") == 1
    play(game, "bob role settler")
    assert not any("library" in name for name in options(game))
    finish_phase(game)
    assert workers(game, ALICE, "library") == 1


def test_guests_may_move_together(edition):
    """R-GST-5: both in one window."""
    game = hosting(edition, "office", "storehouse")
    play(game, "alice role trader\nalice guest office\nalice guest storehouse")
    assert workers(game, ALICE, "guest_house") == 0
    assert workers(game, ALICE, "office") == workers(game, ALICE, "storehouse") == 1


def test_guests_may_move_in_two_phases(edition):
    """R-GST-5."""
    game = hosting(edition, "office", "storehouse")
    play(game, "alice role trader\nalice guest office")
    finish_phase(game)
    play(game, "bob role settler\nalice guest storehouse")
    assert workers(game, ALICE, "guest_house") == 0


def test_a_house_whose_guests_are_gone_asks_nothing(edition):
    """R-GST-7."""
    game = hosting(edition, "office", guests=0)
    play(game, "alice role trader")
    assert game.phase == "role"


def test_guests_with_nowhere_to_go_ask_nothing(edition):
    """R-GST-3: an empty circle elsewhere is needed; the other one of the guest house is none."""
    game = hosting(edition, guests=1)
    play(game, "alice role trader")
    assert game.phase == "role"


# -- when they may move ----------------------------------------------------------------------------


def test_windows_are_asked_clockwise_from_whoever_took_the_role(edition):
    """R-GST-3: Bob, then Alice."""
    inn = {"island": {}, "city": {"guest_house": 1, "office": 0}}
    game = board(edition=edition, expansions=(X1,), actor=BOB, seats={ALICE: inn, BOB: inn})
    play(game, "bob role settler\nbob pass\nalice pass")
    assert (game.turn, "take:corn" in options(game)) == (BOB, True)


def test_the_owner_need_not_have_taken_the_role(edition):
    """R-GST-3, G113: also in the trader phase of another seat, before it does anything."""
    game = hosting(edition, "office", actor=BOB)
    play(game, "bob role trader")
    assert (game.turn, options(game)) == (ALICE, {"guest:office", "pass"})


def test_the_mayor_phase_has_no_windows(edition):
    """R-GST-3, G113: units are all placed anew there."""
    game = hosting(edition, "office")
    play(game, "alice role mayor")
    assert not moves_of_guests(game)


def test_the_prospector_of_another_has_no_window(edition):
    """R-GST-3, Q-88, Q-89."""
    game = hosting(edition, "library", actor=BOB)
    play(game, "bob role prospector_1")
    assert (game.phase, game.turn) == ("role", CAROL)


def test_the_prospector_has_a_window_before_and_after_the_coin(edition):
    """R-GST-3, Q-89."""
    game = hosting(edition, "library")
    play(game, "alice role prospector_1\nalice pass")
    assert coins(game, ALICE) == 4
    assert (game.phase, options(game)) == ("prospector", {"guest:library", "pass"})
    play(game, "alice guest library")
    assert coins(game, ALICE) == 4


@pytest.mark.parametrize("edition", [ENGLISH, GERMAN])
def test_the_smuggler_phase_has_no_windows(edition):
    """Q-88, Q-138."""
    game = hosting(edition, "office", expansions=(X1, X3), house=["corn"])
    play(game, "alice role smuggler")
    assert options(game) & {"plunder", "pass"} == {"plunder", "pass"}
    assert not moves_of_guests(game)
    play(game, "alice plunder")
    assert (game.phase, game.turn) == ("role", BOB)


def test_settlers_move_guests_at_the_tile(edition):
    """R-GST-3: beside the plantations; a quarry right that comes counts at once."""
    game = hosting(edition, "construction_hut", seat=BOB)
    play(game, "alice role settler\nbob pass\nalice take corn")
    assert game.turn == BOB
    assert "take:indigo" in options(game)
    assert "take:quarry" not in options(game)
    assert moves_of_guests(game) == {"construction_hut"}
    play(game, "bob guest construction_hut")
    assert "take:quarry" in options(game)


def test_settlers_move_guests_before_they_would_draw(edition):
    """R-GST-3: into the hacienda, which draws at once."""
    game = hosting(edition, "hacienda", on_top=("coffee",))
    play(game, "alice role settler\nalice pass")
    assert "draw" not in options(game)
    play(game, "alice guest hacienda")
    assert options(game) == {"draw", "pass"}


def test_builders_move_guests_at_the_purchase(edition):
    """R-GST-3: a worker on a quarry makes the building cheaper."""
    own = {"island": {"quarry": [1, 0]}, "coins": 3, "city": INN}
    game = hosting(edition, own=own, for_sale=("office",))
    play(game, "alice role builder\nalice pass")
    assert "build:office" not in options(game)
    play(game, "alice guest quarry")
    play(game, "alice build office")
    assert coins(game, ALICE) == 0


def test_a_guest_in_the_university_staffs_the_building(edition):
    """R-GST-2, R-UNI-1: moved at the purchase, before the building is placed."""
    own = {"island": {}, "coins": 9, "city": INN | {"university": 0}}
    game = hosting(edition, own=own, for_sale=("office",))
    play(game, "alice role builder\nalice pass\nalice guest university\nalice build office")
    assert workers(game, ALICE, "office") == 1


def test_traders_move_guests_at_the_sale(edition):
    """R-GST-3, R-OFF-1: the office opens a kind that the house has."""
    game = hosting(edition, "office", house=["sugar"], own={"goods": {"sugar": 1}})
    play(game, "alice role trader\nalice pass")
    assert options(game) == {"guest:office", "pass"}
    play(game, "alice guest office\nalice sell sugar")
    assert coins(game, ALICE) == 3 + 2 + 1


def test_captains_move_guests_at_each_load(edition):
    """R-GST-3: a move is not a load, and loading stays compulsory."""
    game = hosting(
        edition, "harbor", ships=laden(("corn", 1), ("sugar", 1)), own={"goods": {"corn": 2}}
    )
    play(game, "alice role captain\nalice pass")
    assert options(game) == {"guest:harbor", "load:corn:1"}
    play(game, "alice guest harbor")
    game = finish_phase(game)
    assert vp(game, ALICE) == 2 + 1 + 1


def test_a_captain_who_cannot_load_is_asked_for_guests_all_the_same(edition):
    """R-GST-3, R-CAP-8: neither skipped nor forced; and a wharf may come of it."""
    game = hosting(edition, "wharf", ships=full_ships(), own={"goods": {"corn": 2}})
    play(game, "alice role captain\nalice pass")
    assert (game.turn, options(game)) == (ALICE, {"guest:wharf", "pass"})
    play(game, "alice guest wharf")
    assert options(game) == {"wharf:corn", "pass"}


def test_a_guest_moved_after_a_load_does_not_load_again(edition):
    """R-GST-3, R-CAP-8: turns without loading end the phase, moves or not."""
    game = hosting(edition, "harbor", "office", ships=full_ships(), own={"goods": {"corn": 1}})
    play(game, "alice role captain\nalice pass\nalice guest office\nalice guest harbor")
    assert (game.phase, game.turn) == ("role", BOB)
    assert vp(game, ALICE) == 0


def test_first_turn_effects_come_after_the_window_of_the_turn(edition):
    """R-GST-3, R-UNH-3: a guest who enters the union hall on the first turn counts pairs there."""
    own = {"island": {}, "city": INN | {"union_hall": 0}, "goods": {"corn": 4}}
    game = hosting(edition, ships=full_ships(), own=own)
    play(game, "alice role captain\nalice pass")
    assert options(game) == {"guest:union_hall", "pass"}
    play(game, "alice guest union_hall")
    assert vp(game, ALICE) == (0 if edition == ENGLISH else 2)


def test_an_effect_whose_moment_has_passed_is_not_made_up_for(edition):
    """R-GST-6, R-LGT-2: the captain's coin of the lighthouse comes at the opening."""
    for script, paid in (("alice guest lighthouse", 1), ("alice pass\nalice guest lighthouse", 0)):
        game = hosting(edition, "lighthouse", ships=full_ships(), own={"goods": {"corn": 1}})
        play(game, "alice role captain")
        play(game, script)
        assert coins(game, ALICE) == 3 + paid


def test_the_settler_phase_closes_with_a_window(edition):
    """R-GST-3, R-CMB-8, R-STL-10: before the library's second tile, which it may open."""
    game = hosting(edition, "library")
    play(game, "alice role settler\nalice pass\nalice pass\nbob pass\ncarol pass\ndave pass")
    assert options(game) == {"guest:library", "pass"}
    play(game, "alice guest library")
    assert "take:indigo" in options(game)


def test_the_craftsman_phase_closes_with_a_window_before_the_privilege(edition):
    """R-GST-3, R-CMB-8, R-LIB-2: the library doubles what is still to come."""
    own = {"island": {"corn": [1, 1]}, "city": INN | {"library": 0}}
    game = hosting(edition, own=own)
    play(game, "alice role craftsman\nalice pass\nalice pass")
    assert goods(game, ALICE) == {"corn": 1}
    assert options(game) == {"guest:library", "pass"}
    play(game, "alice guest library")
    assert goods(game, ALICE) == {"corn": 1 + (1 if edition == CLASSIC else 2)}


def test_a_kind_opened_at_the_close_is_for_the_classic_craftsman(edition):
    """D-21, Q-62, R-CRA-7, G046: what he could make now, and not only what he made."""
    own = {
        "island": {"corn": [1, 1], "coffee": [1, 1]},
        "city": INN | {"coffee_roaster": 0},
    }
    game = hosting(edition, own=own)
    play(game, "alice role craftsman\nalice pass\nalice pass\nalice guest coffee_roaster")
    play(game, "alice pass")
    if edition == CLASSIC:
        assert options(game) == {"privilege:corn", "privilege:coffee"}
    else:
        assert goods(game, ALICE) == {"corn": 2}


@pytest.mark.parametrize(
    ("domain", "barrels"), [("can_produce", {"coffee": 1}), ("produced", {"corn": 2})]
)
def test_a_table_may_agree_what_the_privilege_may_be(edition, domain, barrels):
    """D-21, Q-62, R-CRA-7: `craftsman_privilege_domain`, where it makes a difference."""
    own = {
        "island": {"corn": [1, 1], "coffee": [1, 1]},
        "city": {"guest_house": 1, "coffee_roaster": 0},
    }
    switches = {"craftsman_privilege_domain": domain}
    game = hosting(edition, own=own, switches=switches)
    play(game, "alice role craftsman\nalice pass\nalice pass\nalice guest coffee_roaster")
    if domain == "can_produce":
        play(game, "alice privilege coffee")
        barrels = barrels | {"corn": 1}
    assert goods(game, ALICE) == barrels


def test_the_trader_phase_closes_with_a_window(edition):
    """R-GST-3: a guest may take his place for later."""
    game = hosting(edition, "harbor")
    play(game, "alice role trader\nalice pass\nalice pass")
    assert options(game) == {"guest:harbor", "pass"}
    play(game, "alice guest harbor")
    assert (game.phase, game.turn) == ("role", BOB)


def test_windows_are_closed_during_storage_and_payment(edition):
    """R-GST-3: never inside a decision that is going on."""
    game = leftovers(edition, "office", corn=3, coffee=2)
    play(game, "alice pass")
    assert game.phase == "storage"
    assert options(game) == {"keep:corn", "keep:coffee"}
    own = {
        "island": {},
        "coins": 3,
        "city": INN | {"black_market": 1, "office": 0},
        "goods": {"corn": 1, "sugar": 1},
    }
    game = hosting(edition, own=own, for_sale=("church",))
    play(game, "alice role builder\nalice pass\nalice build church")
    assert options(game) == {"pay:worker:guest_house", "pay:corn", "pay:sugar"}


def test_a_small_shipment_is_not_interrupted(edition):
    """R-GST-3."""
    own = {"island": {}, "city": INN | {"small_wharf": 1, "office": 0}, "goods": {"corn": 2}}
    game = hosting(edition, own=own, ships=full_ships())
    play(game, "alice role captain\nalice pass\nalice small_wharf corn")
    assert options(game) == {"small_wharf:corn", "pass"}


def test_a_seat_with_guests_is_neither_skipped_nor_forced(edition):
    """R-GST-3: there is nothing to sell, and still there is a turn."""
    game = hosting(edition, "office", seat=BOB)
    play(game, "alice role trader\nbob pass")
    assert (game.phase, game.turn) == ("trader", BOB)
    assert options(game) == {"guest:office", "pass"}
    assert not any(move.endswith("!") and move.startswith("bob") for move in moves(game))


def test_a_full_island_does_not_keep_guests_from_moving(edition):
    """R-GST-3, R-STL-4: the seat is asked at its turn, although it can take nothing."""
    own = {
        "island": {"sugar": [6, 6], "tobacco": [6, 6]},
        "city": {"guest_house": 1, "office": 0},
    }
    game = hosting(edition, seat=BOB, own=own)
    play(game, "alice role settler\nbob pass\nalice pass")
    assert (game.turn, options(game)) == (BOB, {"guest:office", "pass"})


def test_an_empty_purse_does_not_keep_guests_from_moving(edition):
    """R-GST-3, R-BLD-4: nothing can be bought, and the seat is asked all the same."""
    game = hosting(edition, "office", seat=BOB, own={"coins": 0})
    play(game, "alice role builder\nbob pass\nalice pass")
    assert (game.turn, options(game)) == (BOB, {"guest:office", "pass"})


def test_a_guest_in_the_black_market_pays_in_kind_at_once(edition):
    """R-GST-2, R-BLK-1, R-BLK-5: the other guest may be the payment."""
    own = {"island": {}, "coins": 3, "city": INN | {"black_market": 0}, "goods": {"corn": 1}}
    game = hosting(edition, own=own, for_sale=("office",))
    play(game, "alice role builder\nalice pass")
    assert "build:office" not in options(game)
    play(game, "alice guest black_market\nalice build office")
    assert options(game) == {"pay:worker:guest_house", "pay:corn"}


def test_a_guest_in_the_church_scores_the_building(edition):
    """R-GST-2, R-CHU-1: moved at the purchase, before the building is placed."""
    own = {"island": {}, "coins": 9, "city": {"guest_house": 1, "church": 0}}
    game = hosting(edition, own=own)
    play(game, "alice role builder\nalice pass\nalice guest church\nalice build sugar_mill")
    assert vp(game, ALICE) == 1


def test_guests_move_between_sale_and_land(edition):
    """R-GST-3, R-LND-1: a guest may open the land office after the barrel was sold."""
    own = {
        "island": {},
        "city": {"guest_house": [1, 0], "land_office": [0, 0]},
        "goods": {"sugar": 1},
    }
    game = hosting(edition, own=own, expansions=(X1, X2), on_top=("coffee",))
    play(game, "alice role trader\nalice pass\nalice sell sugar")
    assert options(game) == {"guest:land_office", "pass"}
    play(game, "alice guest land_office\nalice land buy")
    assert coins(game, ALICE) == 3 + 2 + 1 - 1


@pytest.mark.parametrize("order", ["land sell corn,sell sugar", "sell sugar,land sell corn"])
def test_land_that_was_traded_is_not_traded_again(edition, order):
    """R-LND-1, R-TRA-1: both have been done, so the turn is over although a guest could move."""
    own = {
        "island": {"corn": [1, 1]},
        "city": {"guest_house": [1, 0], "land_office": [0, 1], "office": [0, 0]},
        "goods": {"sugar": 1},
    }
    game = hosting(edition, own=own, expansions=(X1, X2))
    play(game, "alice role trader\nalice pass")
    for action in order.split(","):
        play(game, f"alice {action}")
    # the turn has ended; what is open now is the window of the phase's close
    assert options(game) == {"guest:office", "pass"}
    play(game, "alice pass")
    assert game.phase == "role"


@pytest.mark.parametrize("edition", [CLASSIC, GERMAN])
def test_a_citizen_guest_opens_the_royal_supplier_on_the_first_turn(edition):
    """R-GST-3, R-RSP-4, Q-116: before the effects of that turn."""
    own = {
        "island": {},
        "city": {"guest_house": [0, 1], "royal_supplier": [0, 0]},
        "goods": {"corn": 2},
    }
    game = hosting(edition, own=own, expansions=(X1, X2), ships=full_ships())
    play(game, "alice role captain\nalice pass")
    assert options(game) == {"guest:citizen:royal_supplier", "pass"}
    play(game, "alice guest citizen royal_supplier")
    assert options(game) == {"supply:corn", "pass"}


# -- the last window -------------------------------------------------------------------------------


def last_round(edition, expansions=(X1,), **words):
    """Dave takes the last role of the last round; Alice has guests and a customs house."""
    taken = {
        role: {"coins": 0, "taken_by": seat}
        for seat, role in enumerate(("settler", "craftsman", "captain"))
    }
    own = {"island": {}, "city": {"guest_house": 2, "customs_house": 0}, "vp": 8}
    return board(
        edition=edition,
        expansions=expansions,
        turn=DAVE,
        seats={ALICE: own},
        roles=taken,
        end_triggered=True,
        **words,
    )


def test_a_guest_may_enter_a_large_building_at_the_last_moment(edition):
    """Q-90, R-SCO-2: as the last phase closes."""
    game = last_round(edition)
    play(game, "dave role trader\nalice pass\nalice pass\nalice guest customs_house")
    assert game.over
    assert game.score_table()[ALICE]["total"] == 8 + 2 + 4 + 2


def test_after_a_prospector_there_is_one_more_window(edition):
    """Q-90: the last phase had none for Alice."""
    game = last_round(edition)
    play(game, "dave role prospector_1")
    assert (game.phase, game.turn) == ("end", ALICE)
    assert options(game) == {"guest:customs_house", "pass"}
    play(game, "alice guest customs_house")
    assert game.over
    assert game.score_table()[ALICE]["total"] == 8 + 2 + 4 + 2


@pytest.mark.parametrize("edition", [ENGLISH, GERMAN])
def test_after_a_smuggler_there_is_one_more_window(edition):
    """Q-90, Q-138."""
    game = last_round(edition, (X1, X3))
    play(game, "dave role smuggler\ndave pass")
    assert (game.phase, game.turn) == ("end", ALICE)
    play(game, "alice pass")
    assert game.over
    assert game.score_table()[ALICE]["total"] == 8 + 2 + 4


def test_after_a_mayor_phase_there_is_none(edition):
    """Q-90, R-GST-3: everybody has just placed everybody."""
    game = last_round(edition, workers={"supply": 0, "register": 0})
    play(game, "dave role mayor")
    while not game.over:
        assert game.phase == "mayor"
        game.step(game.legal_actions()[0])
    assert workers(game, ALICE, "guest_house") == 2


# -- fewer windows ---------------------------------------------------------------------------------


def test_a_table_may_agree_on_fewer_windows(edition):
    """Q-88: `guest_windows` reduced: no opening window, but own turns and the close."""
    switches = {"guest_windows": "reduced"}
    game = hosting(edition, "office", seat=BOB, switches=switches)
    play(game, "alice role trader")
    assert (game.turn, options(game)) == (BOB, {"guest:office", "pass"})
    play(game, "bob pass")
    assert (game.phase, game.turn, options(game)) == ("trader", BOB, {"guest:office", "pass"})
    play(game, "bob pass")
    assert game.phase == "role"


def test_fewer_windows_leave_the_prospector_his(edition):
    """Q-88, TX-61: his turn is the phase."""
    game = hosting(edition, "library", switches={"guest_windows": "reduced"})
    play(game, "alice role prospector_1\nalice guest library")
    assert coins(game, ALICE) == 3 + 2


# -- with citizens ---------------------------------------------------------------------------------


def test_which_guest_moves_matters_where_there_are_citizens(edition):
    """Q-116, R-X2-5, section I.12: a worker or a citizen goes to the notary."""
    own = {"island": {}, "city": {"guest_house": [1, 1], "notary": [0, 0]}}
    game = hosting(edition, own=own, expansions=(X1, X2))
    play(game, "alice role builder")
    assert moves_of_guests(game) == {"notary", "citizen:notary"}
    play(game, "alice guest citizen notary")
    assert citizens(game, ALICE, "notary") == 1
    assert workers(game, ALICE, "guest_house") == 1
    assert citizens(game, ALICE, "guest_house") == 0


def test_a_citizen_who_enters_the_lodge_at_the_close_hunts(edition):
    """R-CMB-8, R-LDG-3, R-GST-3: window, library pick, lodge."""
    own = {"island": {"corn": [1, 1]}, "city": {"guest_house": [0, 1], "hunting_lodge": [0, 0]}}
    three = {"island": {"sugar": [3, 0]}}
    game = hosting(
        edition, own=own, expansions=(X1, X2), seats=dict.fromkeys((BOB, CAROL, DAVE), three)
    )
    play(game, "alice role settler\nalice pass\nalice pass\nbob pass\ncarol pass\ndave pass")
    play(game, "alice guest citizen hunting_lodge")
    assert vp(game, ALICE) == 2


# -- nothing gets lost -----------------------------------------------------------------------------


def test_no_unit_is_made_or_lost_by_moving(edition):
    """I-02, I-29: whatever guests do in a phase."""
    game = hosting(edition, "office", "harbor", own={"island": {"corn": [1, 0]}, "goods": {}})
    before = all_workers(game, ALICE)
    play(game, "alice role trader")
    found = endings(game)
    assert {all_workers(end, ALICE) for end in found} == {before}
    assert len({staffing(end, ALICE) for end in found}) > 1


def test_a_guest_does_not_go_where_there_is_no_circle(edition):
    """R-GST-2, R-STA-1, R-FOH-7: not to a statue, a forest or a full building."""
    own = {
        "island": {"forest": [1, 0], "corn": [1, 1]},
        "city": INN | {"statue": 0, "office": 1, "harbor": 0},
    }
    game = hosting(edition, own=own)
    play(game, "alice role trader")
    assert options(game) == {"guest:harbor", "pass"}
    with pytest.raises(IllegalActionError):
        game.step("guest:corn")
    assert "statue" in city(game, ALICE)
