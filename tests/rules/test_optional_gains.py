"""Gains that nobody refuses are taken unasked; with ``optional_gains="ask"`` each is a question."""

import pytest

from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    all_workers,
    board,
    coins,
    goods,
    house,
    number,
    options,
    play,
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
