"""The prospector: a coin for its picker, and nothing for anybody else."""

from tests.builders import ALICE, BOB, CAROL, DAVE, board, coins, new_game, number, play, role_coins


def test_the_prospector_pays_one_coin_to_its_picker_only(edition):
    """R-PRO-1."""
    game = new_game(4, edition)
    bank = number(game, "bank")
    play(game, "alice role prospector_1")
    assert [coins(game, seat) for seat in range(4)] == [4, 3, 3, 3]
    assert number(game, "bank") == bank - 1


def test_the_prospector_pays_its_coin_and_those_on_the_card_once(edition):
    """TV-04, R-PRO-1, R-ROL-4, G082: two on the card and one from the bank."""
    game = board(edition=edition, roles={"prospector_1": {"coins": 2, "taken_by": None}})
    play(game, "alice role prospector_1")
    assert coins(game, ALICE) == 3 + 3
    assert role_coins(game) == {}


def test_two_prospectors_keep_coins_of_their_own(edition):
    """R-ROL-2, G083: taking one leaves the other, with its coins."""
    game = board(
        players=5,
        edition=edition,
        roles={
            "prospector_1": {"coins": 1, "taken_by": None},
            "prospector_2": {"coins": 3, "taken_by": None},
        },
    )
    play(game, "alice role prospector_2")
    assert coins(game, ALICE) == 4 + 3 + 1
    assert role_coins(game) == {"prospector_1": 1}
    play(game, "bob role prospector_1")
    assert coins(game, BOB) == 4 + 1 + 1
    assert role_coins(game) == {}


def test_nobody_decides_anything_in_a_prospector_phase(edition):
    """R-PRO-1."""
    game = new_game(4, edition)
    play(
        game,
        """
        alice  role prospector_1
        bob    role trader
        """,
    )
    assert (game.phase, game.turn) == ("role", CAROL)
    assert coins(game, DAVE) == 3
