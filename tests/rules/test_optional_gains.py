"""Gains that nobody refuses are taken unasked; with ``optional_gains="ask"`` each is a question."""

import pytest

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
    X4,
    all_citizens,
    all_workers,
    board,
    coins,
    festival,
    forests,
    goods,
    house,
    laden,
    number,
    options,
    play,
    register,
    supply,
    vp,
    workers,
)

CORN_AND_SUGAR = {
    "island": {"corn": [2, 2], "sugar": [1, 1]},
    "city": {"small_sugar_mill": 1, "factory": 1},
}


def asking(edition, role, seats=None, **words):
    """Alice has just taken a role at a table that wants to be asked."""
    switches = {"optional_gains": "ask"}
    game = board(edition=edition, seats=seats, switches=switches, **words)
    game.step(f"role:{role}")
    return game


def test_gains_are_taken_unasked_by_default(edition):
    """R-ROL-9, Q-14."""
    game = board(edition=edition)
    assert game.rules.optional_gains == "auto"
    play(game, "alice role prospector_1")
    assert coins(game, ALICE) == 4


@pytest.mark.parametrize(("answer", "paid"), [("gain", 1), ("pass", 0)])
def test_the_prospector_may_leave_the_coin(edition, answer, paid):
    """R-ROL-9, R-ROL-7, R-PRO-1, Q-14."""
    game = asking(edition, "prospector_1")
    assert (game.phase, options(game)) == ("prospector", {"gain", "pass"})
    play(game, f"alice {answer}")
    assert coins(game, ALICE) == 3 + paid
    assert (game.phase, game.turn) == ("role", BOB)


@pytest.mark.parametrize(("answer", "units"), [("gain", 2), ("pass", 1)])
def test_the_mayor_may_leave_the_privilege(edition, answer, units):
    """Q-34, R-MAY-1, R-MAY-3, G025: not the workers that are dealt."""
    game = asking(edition, "mayor")
    supply = number(game, "worker_supply")
    assert (game.phase, options(game)) == ("mayor", {"gain", "pass"})
    play(game, f"alice {answer}")
    assert [all_workers(game, seat) for seat in range(4)] == [units, 1, 1, 1]
    assert number(game, "worker_supply") == supply - (units - 1) - 4


def test_the_mayor_is_not_asked_when_the_supply_is_empty(edition):
    """R-MAY-1, R-ROL-9: there is nothing to gain."""
    game = asking(edition, "mayor", workers={"supply": 0, "register": 4})
    assert (game.phase, game.turn) == ("role", BOB)


@pytest.mark.parametrize(("answer", "on_tile"), [("hospice taken", 1), ("pass", 0)])
def test_the_hospice_may_be_left_unused(edition, answer, on_tile):
    """R-HOS-1, R-GEN-3, R-ROL-9."""
    game = asking(edition, "settler", {ALICE: {"city": {"hospice": 1}}})
    play(game, "alice take corn")
    assert options(game) == {"hospice:taken", "pass"}
    play(game, f"alice {answer}")
    assert workers(game, ALICE, "corn") == on_tile
    assert game.turn == BOB


@pytest.mark.parametrize(("answer", "on_it"), [("place hacienda", 1), ("pass", 0)])
def test_the_university_may_be_left_unused(edition, answer, on_it):
    """R-UNI-1, R-GEN-3, R-ROL-9, G037."""
    game = asking(edition, "builder", {ALICE: {"coins": 9, "city": {"university": 1}}})
    play(game, "alice build hacienda")
    assert options(game) == {"place:hacienda", "pass"}
    play(game, f"alice {answer}")
    assert workers(game, ALICE, "hacienda") == on_it
    assert game.turn == BOB


def test_production_is_taken_whole_or_not_at_all(edition):
    """Q-59, R-ROL-9, D-22."""
    game = asking(edition, "craftsman", {BOB: CORN_AND_SUGAR, CAROL: CORN_AND_SUGAR})
    assert (game.turn, options(game)) == (BOB, {"gain", "pass"})
    play(game, "bob pass")
    assert (game.turn, options(game)) == (CAROL, {"gain", "pass"})
    play(game, "carol gain")
    assert goods(game, BOB) == {}
    assert goods(game, CAROL) == {"corn": 2, "sugar": 1}


@pytest.mark.parametrize(("answer", "paid"), [("gain", 1), ("pass", 0)])
def test_the_income_of_the_factory_may_be_left(edition, answer, paid):
    """R-FAC-1, R-GEN-3, R-ROL-9."""
    game = asking(edition, "craftsman", {BOB: CORN_AND_SUGAR})
    play(game, f"bob gain\nbob {answer}")
    assert coins(game, BOB) == 3 + paid
    assert (game.phase, game.turn) == ("role", BOB)


def test_the_craftsman_may_leave_the_further_barrel(edition):
    """R-CRA-7, G050, R-ROL-7: also where only one kind is possible."""
    game = asking(edition, "craftsman", {ALICE: {"island": {"corn": [1, 1]}}})
    play(game, "alice gain")
    assert options(game) == {"privilege:corn", "pass"}
    play(game, "alice pass")
    assert goods(game, ALICE) == {"corn": 1}


def test_the_craftsman_who_declines_to_produce_has_no_privilege(edition):
    """Q-63, Q-59, R-CRA-7."""
    game = asking(edition, "craftsman", {ALICE: {"island": {"corn": [1, 1]}}})
    play(game, "alice pass")
    assert goods(game, ALICE) == {}
    assert (game.phase, game.turn) == ("role", BOB)


@pytest.mark.parametrize(
    ("answers", "paid"), [("gain gain", 2), ("gain pass", 1), ("pass gain", 1), ("pass pass", 0)]
)
def test_the_coins_of_market_and_privilege_are_two_questions(edition, answers, paid):
    """R-TRA-4, R-SMK-1, R-GEN-3, R-ROL-9: the price itself is not one."""
    game = asking(edition, "trader", {ALICE: {"goods": {"indigo": 1}, "city": {"small_market": 1}}})
    play(game, "alice sell indigo")
    for answer in answers.split():
        assert (game.turn, options(game)) == (ALICE, {"gain", "pass"})
        play(game, f"alice {answer}")
    assert coins(game, ALICE) == 3 + 1 + paid
    assert house(game) == {"indigo": 1}


@pytest.mark.parametrize(
    ("answers", "paid"), [("gain gain", 4), ("gain pass", 1), ("pass gain", 3), ("pass pass", 0)]
)
def test_each_question_is_about_its_own_amount(edition, answers, paid):
    """R-TRA-4, R-LMK-1, R-ROL-9: the trader's coin first, then three of the markets."""
    markets = {"small_market": 1, "large_market": 1}
    game = asking(edition, "trader", {ALICE: {"goods": {"indigo": 1}, "city": markets}})
    play(game, "alice sell indigo")
    for answer in answers.split():
        play(game, f"alice {answer}")
    assert coins(game, ALICE) == 3 + 1 + paid


def test_questions_leave_no_trace(edition):
    """R-ROL-9, G154: whoever takes every gain stands where nobody was asked."""
    seats = {ALICE: {"goods": {"corn": 2, "sugar": 1}, "city": {"harbor": 1}}}
    asked = asking(edition, "captain", seats)
    play(asked, "alice load corn 3\nalice gain\nalice gain\nalice load sugar 1\nalice gain")
    auto = board(edition=edition, seats=seats)
    play(auto, "alice role captain\nalice load corn 3\nalice load sugar 1")
    assert asked.state.tobytes() == auto.state.tobytes()


@pytest.mark.parametrize(
    ("answers", "scored"), [("gain gain", 2), ("gain pass", 1), ("pass gain", 1), ("pass pass", 0)]
)
def test_the_vp_of_harbor_and_captain_are_two_questions(edition, answers, scored):
    """R-HBR-1, R-CAP-7, R-ROL-9, G074: the VP for barrels are not one."""
    game = asking(
        edition, "captain", {ALICE: {"goods": {"corn": 2, "sugar": 1}, "city": {"harbor": 1}}}
    )
    play(game, "alice load corn 3")
    for answer in answers.split():
        assert (game.turn, options(game)) == (ALICE, {"gain", "pass"})
        play(game, f"alice {answer}")
    assert vp(game, ALICE) == 2 + scored


def test_a_privilege_that_was_declined_does_not_come_back(edition):
    """R-CAP-7: it belongs to the first load, taken or not."""
    game = asking(edition, "captain", {ALICE: {"goods": {"corn": 2, "sugar": 1}}})
    play(game, "alice load corn 3\nalice pass\nalice load sugar 1")
    assert vp(game, ALICE) == 2 + 1


def test_coins_on_a_role_card_are_no_question(edition):
    """R-ROL-4, Q-15: they come with the card."""
    game = board(
        edition=edition,
        roles={"trader": {"coins": 2, "taken_by": None}},
        switches={"optional_gains": "ask"},
    )
    play(game, "alice role trader")
    assert coins(game, ALICE) == 5
    assert (game.phase, game.turn) == ("role", BOB)


# -- new buildings ---------------------------------------------------------------------------------

NO_SHIP = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))
GAIN_OR_PASS = {"gain", "pass"}


def answered(game, name, answers):
    """A seat is asked once for each answer, and gives it."""
    for answer in answers.split():
        assert options(game) == GAIN_OR_PASS
        play(game, f"{name} {answer}")
    return game


@pytest.mark.parametrize(("answers", "taken"), [("gain gain", 2), ("gain pass", 1), ("pass", 0)])
def test_the_library_offers_the_mayor_two_workers(edition, answers, taken):
    """R-LIB-1, R-MAY-1, R-ROL-9, Q-41: one after the other."""
    game = asking(edition, "mayor", {ALICE: {"city": {"library": 1}}}, expansions=(X1,))
    supply_ = number(game, "worker_supply")
    answered(game, "alice", answers)
    assert all_workers(game, ALICE) == 1 + taken + 1
    assert number(game, "worker_supply") == supply_ - taken - number(game, "register_workers")


@pytest.mark.parametrize(("answer", "paid"), [("gain", 2), ("pass", 0)])
def test_the_library_offers_the_prospector_two_coins_at_once(edition, answer, paid):
    """R-LIB-1, R-PRO-1, R-ROL-9."""
    game = asking(edition, "prospector_1", {ALICE: {"city": {"library": 1}}}, expansions=(X1,))
    answered(game, "alice", answer)
    assert coins(game, ALICE) == 3 + paid


@pytest.mark.parametrize(("answer", "paid"), [("gain", 2), ("pass", 0)])
def test_the_library_offers_the_trader_two_coins_at_once(edition, answer, paid):
    """R-LIB-1, R-TRA-4, R-ROL-9: also at the trading post."""
    seat = {"goods": {"coffee": 1}, "city": {"library": 1, "trading_post": 1}}
    game = asking(edition, "trader", {ALICE: seat}, expansions=(X1,))
    play(game, "alice post coffee")
    answered(game, "alice", answer)
    assert coins(game, ALICE) == 3 + 4 + paid


@pytest.mark.parametrize(("answer", "scored"), [("gain", 2), ("pass", 0)])
def test_the_library_offers_the_captain_two_vp_at_once(edition, answer, scored):
    """R-LIB-1, R-CAP-7, R-ROL-9."""
    seat = {"goods": {"corn": 1}, "city": {"library": 1}}
    game = asking(edition, "captain", {ALICE: seat}, expansions=(X1,))
    play(game, "alice load corn 1")
    answered(game, "alice", answer)
    assert vp(game, ALICE) == 1 + scored


def test_the_library_offers_the_craftsman_two_barrels(edition):
    """R-LIB-7, R-CRA-7, G050, D-53: each may be declined."""
    seat = {
        "island": {"corn": [1, 1], "coffee": [1, 1]},
        "city": {"library": 1, "coffee_roaster": 1},
    }
    game = asking(edition, "craftsman", {ALICE: seat}, expansions=(X1,))
    play(game, "alice gain\nalice privilege coffee")
    second = {"privilege:corn", "pass"} | (set() if edition == CLASSIC else {"privilege:coffee"})
    assert options(game) == second
    play(game, "alice pass")
    assert goods(game, ALICE) == {"corn": 1, "coffee": 2}


@pytest.mark.parametrize(("answer", "scored"), [("gain", 1), ("pass", 0)])
def test_the_vp_of_the_church_may_be_left(edition, answer, scored):
    """R-CHU-1, R-GEN-3, R-ROL-9, G107."""
    seat = {"coins": 12, "city": {"church": 1}}
    game = asking(edition, "builder", {ALICE: seat}, expansions=(X1,))
    play(game, "alice build sugar_mill")
    answered(game, "alice", answer)
    assert vp(game, ALICE) == scored
    assert game.turn == BOB


def test_the_university_is_asked_before_the_church(edition):
    """R-BLD-10, R-ROL-9: the worker first, then the VP."""
    seat = {"coins": 12, "city": {"church": 1, "university": 1}}
    game = asking(edition, "builder", {ALICE: seat}, expansions=(X1,))
    play(game, "alice build sugar_mill")
    assert options(game) == {"place:sugar_mill", "pass"}
    play(game, "alice place sugar_mill")
    assert options(game) == GAIN_OR_PASS
    play(game, "alice gain")
    assert (workers(game, ALICE, "sugar_mill"), vp(game, ALICE)) == (1, 1)


@pytest.mark.parametrize(("answer", "scored"), [("gain", 2), ("pass", 0)])
def test_the_vp_of_the_union_hall_may_be_left(edition, answer, scored):
    """R-UNH-1, R-GEN-3, R-ROL-9."""
    seat = {"goods": {"corn": 5}, "city": {"union_hall": 1}}
    game = asking(edition, "captain", {BOB: seat}, expansions=(X1,), ships=NO_SHIP)
    assert game.turn == BOB
    answered(game, "bob", answer)
    assert vp(game, BOB) == scored


@pytest.mark.parametrize(
    ("answers", "paid"), [("gain gain", 2), ("pass gain", 1), ("pass pass", 0)]
)
def test_the_coins_of_the_lighthouse_may_be_left(edition, answers, paid):
    """R-LGT-1, R-LGT-2, R-GEN-3, R-ROL-9: as captain, and for a load."""
    seat = {"goods": {"corn": 1}, "city": {"lighthouse": 1}}
    game = asking(edition, "captain", {ALICE: seat}, expansions=(X1,))
    first, second = answers.split()
    answered(game, "alice", first)
    play(game, "alice load corn 1")
    # the captain's VP and the coin of the load, in whatever order they are asked
    before = coins(game, ALICE), vp(game, ALICE)
    for _ in range(2):
        play(game, f"alice {second}")
    both = (coins(game, ALICE) - before[0], vp(game, ALICE) - before[1])
    assert both == ((1, 1) if second == "gain" else (0, 0))
    assert coins(game, ALICE) == 3 + paid


@pytest.mark.parametrize(("answer", "scored"), [("gain", 1), ("pass", 0)])
def test_the_harbor_asks_for_a_small_shipment_too(edition, answer, scored):
    """R-SWF-4, R-HBR-1, R-ROL-9: the VP of barrels are no question."""
    seat = {"goods": {"corn": 2}, "city": {"small_wharf": 1, "harbor": 1}}
    game = asking(edition, "captain", {BOB: seat}, expansions=(X1,), ships=NO_SHIP)
    play(game, "bob small_wharf corn\nbob small_wharf corn")
    answered(game, "bob", answer)
    assert vp(game, BOB) == 1 + scored


@pytest.mark.parametrize(("answer", "paid"), [("gain", 2), ("pass", 0)])
def test_the_income_of_the_specialty_factory_may_be_left(edition, answer, paid):
    """R-SPF-1, R-GEN-3, R-ROL-9."""
    seat = {"island": {"sugar": [3, 3]}, "city": {"sugar_mill": 3, "specialty_factory": 1}}
    game = asking(edition, "craftsman", {BOB: seat}, expansions=(X1,))
    play(game, "bob gain")
    answered(game, "bob", answer)
    assert coins(game, BOB) == 3 + paid


def test_who_does_not_produce_has_no_aqueduct_and_no_specialty(edition):
    """Q-59, R-AQU-3, R-SPF-1: production is taken whole, extras included, or not at all."""
    seat = {
        "island": {"sugar": [2, 2]},
        "city": {"sugar_mill": 2, "specialty_factory": 1, "aqueduct": 1},
    }
    game = asking(edition, "craftsman", {BOB: seat}, expansions=(X1,))
    play(game, "bob pass")
    assert goods(game, BOB) == {}
    assert (game.phase, coins(game, BOB)) == ("role", 3)


@pytest.mark.parametrize(("answer", "on_portrait"), [("hospice taken", 1), ("pass", 0)])
def test_the_worker_for_a_forest_may_be_left(edition, answer, on_portrait):
    """R-HOS-5, R-ROL-9."""
    seat = {"city": {"hospice": 1, "forest_house": 1}}
    game = asking(edition, "settler", {ALICE: seat}, expansions=(X1,))
    play(game, "alice forest" if edition == CLASSIC else "alice forest corn")
    assert options(game) == {"hospice:taken", "pass"}
    play(game, f"alice {answer}")
    assert workers(game, ALICE, "portrait") == on_portrait
    assert forests(game, ALICE) == 1


def test_guests_and_gains_are_asked_side_by_side(edition):
    """R-GST-3, R-ROL-9: before one's own production."""
    seat = {"island": {"corn": [1, 1]}, "city": {"guest_house": 1, "office": 0}}
    game = asking(edition, "craftsman", {BOB: seat}, expansions=(X1,))
    play(game, "bob pass")
    assert options(game) == {"guest:office", "gain", "pass"}
    play(game, "bob gain")
    assert goods(game, BOB) == {"corn": 1}


# -- citizens --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "answer", "gained"),
    [([1, 0], "gain", (1, 0)), ([1, 0], "pass", (0, 0)), ([0, 1], "gain", (0, 1)),
     ([0, 1], "pass", (0, 0))],
)  # fmt: skip
def test_what_the_chapel_gives_may_be_left(edition, unit, answer, gained):
    """R-CHP-1, R-GEN-3, R-ROL-9, G074."""
    game = asking(edition, "craftsman", {BOB: {"city": {"chapel": unit}}}, expansions=(X2,))
    answered(game, "bob", answer)
    assert (coins(game, BOB) - 3, vp(game, BOB)) == gained
    assert game.phase == "role"


@pytest.mark.parametrize(("answer", "paid"), [("gain", 2), ("pass", 0)])
def test_the_coins_of_the_jeweler_may_be_left(edition, answer, paid):
    """R-JEW-1, R-GEN-3, R-ROL-9: all of them at once."""
    seat = {"city": {"jeweler": [0, 1]}, "portrait": [0, 1]}
    game = asking(edition, "craftsman", {BOB: seat}, expansions=(X2,))
    answered(game, "bob", answer)
    assert coins(game, BOB) == 3 + paid


@pytest.mark.parametrize(("answer", "scored"), [("gain", 2), ("pass", 0)])
def test_the_vp_of_the_lodge_may_be_left(edition, answer, scored):
    """R-LDG-2, R-GEN-3, R-ROL-9."""
    seats = {seat: {"island": {"sugar": [3, 0]}} for seat in (BOB, CAROL, DAVE)}
    seats[ALICE] = {"island": {}, "city": {"hunting_lodge": [0, 1]}}
    game = asking(edition, "settler", seats, expansions=(X2,))
    play(game, "alice pass\nbob pass\ncarol pass\ndave pass")
    answered(game, "alice", answer)
    assert vp(game, ALICE) == scored
    assert game.phase == "role"


@pytest.mark.parametrize("edition", BOTH_1897)
@pytest.mark.parametrize(("answer", "come"), [("gain", 1), ("pass", 0)])
def test_the_citizen_of_the_villa_may_be_left(edition, answer, come):
    """R-VIL-1, R-ROL-9."""
    game = asking(
        edition,
        "mayor",
        {BOB: {"island": {}, "city": {"villa": [1, 0]}}},
        expansions=(X2,),
        citizens={"supply": 9, "register": 0},
        workers={"supply": 60, "register": 4},
        check=False,
    )
    if edition == GERMAN:
        play(game, "alice pass")
    assert (game.turn, options(game)) == (BOB, GAIN_OR_PASS)
    play(game, f"bob {answer}")
    if edition == ENGLISH:
        play(game, "alice pass")
    assert all_citizens(game, BOB) == come
    assert all_workers(game, BOB) == 1 + 1


@pytest.mark.parametrize(("answer", "on_it"), [("hospice taken", True), ("pass", False)])
def test_a_register_of_both_kinds_is_asked_after_the_hospice(edition, answer, on_it):
    """R-X2-7, R-ROL-9, section I.12: first whether, then which."""
    game = asking(
        edition,
        "settler",
        {ALICE: {"city": {"hospice": 1}}},
        expansions=(X2,),
        workers={"supply": 0, "register": 2},
        citizens={"supply": 4, "register": 1},
        check=False,
    )
    play(game, f"alice take corn\nalice {answer}")
    if on_it:
        assert options(game) == {"deal:worker", "deal:citizen"}
        play(game, "alice deal citizen")
    assert register(game) == ((2, 0) if on_it else (2, 1))
    assert game.turn == BOB


# -- smuggler --------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH_1897)
@pytest.mark.parametrize(
    ("answers", "kept"), [("gain gain gain", 3), ("gain gain pass", 2), ("pass", 0)]
)
def test_a_raid_may_keep_fewer_barrels(edition, answers, kept):
    """R-SMG-4, Q-126, R-ROL-9: one barrel after the other."""
    words = {"expansions": (X3,), "ships": laden(None, ("corn", 5))}
    game = asking(edition, "smuggler", **words)
    before = supply(game, "corn")
    play(game, "alice raid 2")
    answered(game, "alice", answers)
    assert goods(game, ALICE).get("corn", 0) == kept
    assert supply(game, "corn") == before + 5 - kept
    assert game.phase == "role"


# -- festival --------------------------------------------------------------------------------------


def goal(**named):
    """The goals that are open."""
    return {"expansions": (X4,), "festival": dict.fromkeys(("estate", "goods", "building")) | named}


@pytest.mark.parametrize("edition", BOTH_1897)
@pytest.mark.parametrize(("answer", "come"), [("gain", 3), ("pass", 0)])
def test_the_workers_of_the_festival_may_be_left(edition, answer, come):
    """R-FES-1, R-FES-7, R-ROL-9: the goal is gone in either case."""
    seats = {ALICE: {"island": {"sugar": [2, 0]}}}
    game = asking(edition, "settler", seats, **goal(estate="sugar"))
    play(game, "alice take sugar")
    answered(game, "alice", answer)
    if come:
        play(game, "alice pass")
    assert all_workers(game, ALICE) == come
    assert festival(game) == {}
    assert game.turn == BOB


@pytest.mark.parametrize("edition", BOTH_1897)
def test_as_many_workers_of_the_festival_are_offered_as_there_are(edition):
    """R-FES-7, R-ROL-9, Q-141: two are left."""
    words = {"workers": {"supply": 2, "register": 4}} | goal(estate="sugar")
    game = asking(edition, "settler", {ALICE: {"island": {"sugar": [2, 0]}}}, **words)
    play(game, "alice take sugar\nalice gain\nalice pass")
    assert all_workers(game, ALICE) == 2
    assert number(game, "worker_supply") == 0


@pytest.mark.parametrize("edition", BOTH_1897)
@pytest.mark.parametrize(("answer", "paid"), [("gain", 3), ("pass", 0)])
def test_the_coins_of_the_festival_may_be_left(edition, answer, paid):
    """R-FES-1, R-FES-8, R-ROL-9."""
    seats = {BOB: {"island": {"corn": [3, 3]}}}
    game = asking(edition, "craftsman", seats, **goal(goods=["corn", "corn", "corn"]))
    play(game, "bob gain")
    answered(game, "bob", answer)
    assert coins(game, BOB) == 3 + paid
    assert festival(game) == {}


@pytest.mark.parametrize("edition", BOTH_1897)
@pytest.mark.parametrize(("answer", "scored"), [("gain", 3), ("pass", 0)])
def test_the_vp_of_the_festival_may_be_left(edition, answer, scored):
    """R-FES-1, R-FES-9, R-ROL-9."""
    game = asking(edition, "builder", {ALICE: {"coins": 12}}, **goal(building="harbor"))
    play(game, "alice build harbor")
    answered(game, "alice", answer)
    assert vp(game, ALICE) == scored
    assert festival(game) == {}


# -- and nothing else ------------------------------------------------------------------------------


def test_trade_offs_are_asked_in_any_case(edition):
    """R-ROL-9: hunting and supplying are decisions without any switch."""
    seat = {"island": {"corn": [1, 0]}, "city": {"hunting_lodge": [1, 0]}}
    game = board(edition=edition, expansions=(X2,), seats={ALICE: seat})
    play(game, "alice role settler\nalice pass\nbob pass\ncarol pass\ndave pass")
    assert options(game) == {"lodge:corn", "pass"}


def test_who_takes_every_gain_stands_where_nobody_was_asked(edition):
    """R-ROL-9, G154: with lighthouse, union hall and harbor."""
    seats = {
        ALICE: {
            "goods": {"corn": 4},
            "city": {"harbor": 1, "lighthouse": 1, "union_hall": 1},
        }
    }
    asked = asking(edition, "captain", seats, expansions=(X1,))
    auto = board(edition=edition, seats=seats, expansions=(X1,))
    play(auto, "alice role captain\nalice load corn 1")
    while asked.phase == "captain":
        asked.step("gain" if "gain" in options(asked) else "load:corn:1")
    assert asked.state.tobytes() == auto.state.tobytes()
