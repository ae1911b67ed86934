"""How a game ends: three causes, and always at the end of the round."""

import pytest

from prico_env import Game, IllegalActionError
from tests.builders import (
    ALICE,
    BOB,
    DAVE,
    board,
    city_of,
    coins,
    end_triggered,
    finish_phase,
    number,
    options,
    play,
    role_coins,
)

LAST_CHIP = {"seats": {BOB: {"goods": {"corn": 5}}, DAVE: {"vp": 97}}}


def no_more_workers(edition):
    """The mayor cannot fill the register."""
    game = board(edition=edition, workers={"supply": 0, "register": 4})
    return play(game, "alice role mayor")


def twelfth_space(edition):
    """Alice fills her city."""
    game = board(edition=edition, seats={ALICE: {"coins": 9, "city": city_of(11)}})
    return play(game, "alice role builder\nalice build office\nbob pass\ncarol pass\ndave pass")


def last_vp(edition):
    """Bob ships the last chips."""
    game = board(edition=edition, **LAST_CHIP)
    return play(game, "alice role captain\nbob load corn 1")


CAUSES = {"workers": (no_more_workers, 1), "city": (twelfth_space, 2), "vp": (last_vp, 4)}


@pytest.mark.parametrize("cause", CAUSES)
def test_the_round_is_played_to_its_end_whatever_the_cause(edition, cause):
    """R-END-1, R-END-2, R-END-3, R-END-5, TX-79, G088, D-33: three more picks, then it is over."""
    cause_it, reason = CAUSES[cause]
    game = cause_it(edition)
    assert number(game, "end_reasons") == reason
    assert (game.phase, game.turn, game.over) == ("role", BOB, False)
    game.step("role:trader")
    finish_phase(game)
    assert (game.phase, game.over) == ("role", False)
    game.step("role:craftsman")
    finish_phase(game)
    assert (game.phase, game.turn, game.over) == ("role", DAVE, False)
    game.step("role:prospector_1")
    assert game.over
    assert not game.truncated


@pytest.mark.parametrize("cause", CAUSES)
def test_a_trigger_is_never_taken_back(edition, cause):
    """R-END-4, I-28: also not by what later phases of the round return."""
    game = CAUSES[cause][0](edition)
    reasons = number(game, "end_reasons")
    game.step("role:craftsman")
    finish_phase(game)
    assert number(game, "end_reasons") & reasons == reasons


def test_causes_may_come_together(edition):
    """R-END-1, R-END-2, R-END-5: the game is over once."""
    game = board(
        edition=edition,
        workers={"supply": 0, "register": 4},
        seats={BOB: {"coins": 9, "city": city_of(11)}},
    )
    play(game, "alice role mayor")
    while game.phase == "mayor":
        game.step(int(game.legal_actions()[0]))
    play(game, "bob role builder\nbob build office")
    assert number(game, "end_reasons") == 1 + 2


def test_the_end_is_announced_at_the_moment_of_its_cause(edition):
    """R-END-2, R-BLD-11: the position says so while the phase goes on."""
    game = board(edition=edition, seats={ALICE: {"coins": 9, "city": city_of(11)}})
    play(game, "alice role builder")
    assert game.to_dict()["end_triggered"] is False
    play(game, "alice build office")
    assert game.to_dict()["end_triggered"] is True
    assert game.phase == "builder"


def test_a_position_may_say_that_the_end_is_triggered(edition):
    """R-END-5."""
    game = board(edition=edition, end_triggered=True)
    assert end_triggered(game)
    play(
        game,
        """
        alice  role trader
        bob    role craftsman
        carol  role captain
        dave   role prospector_1
        """,
    )
    assert game.over


def over(edition):
    """A game that has just ended."""
    return play(
        board(edition=edition, end_triggered=True),
        "alice role trader\nbob role craftsman\ncarol role captain\ndave role prospector_1",
    )


def test_nobody_acts_when_the_game_is_over(edition):
    """R-END-5, I-28."""
    game = over(edition)
    assert (game.phase, game.turn) == ("over", -1)
    assert len(game.legal_actions()) == 0
    assert not game.mask().any()
    assert options(game) == set()


def test_acting_when_the_game_is_over_is_an_error_that_says_so(edition):
    """R-END-5."""
    game = over(edition)
    before = game.to_bytes()
    for action in ("pass", 0, "role:settler"):
        with pytest.raises(IllegalActionError, match="over"):
            game.step(action)
    assert game.to_bytes() == before


def test_coins_are_laid_on_roles_also_after_the_last_round(edition):
    """Q-108, R-EOR-2: section I.6 lays them before the end check, so coins add up."""
    game = over(edition)
    assert role_coins(game) == {"settler": 1, "mayor": 1, "builder": 1}
    assert coins(game, DAVE) == 4


def test_a_game_that_is_over_can_be_saved_and_loaded(edition):
    """G154, R-END-5."""
    game = over(edition)
    again = Game.from_bytes(game.to_bytes())
    assert again.over
    assert again.scores() == pytest.approx(game.scores())
