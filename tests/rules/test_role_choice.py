"""A round is a row of picks; a pick is a role, its coins, and a phase for everybody."""

import pytest

from prico_env import IllegalActionError
from prico_env.vocabulary import ROLES
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    ENGLISH,
    NAMES,
    board,
    coins,
    moves,
    new_game,
    number,
    options,
    play,
    role_coins,
    tiles,
)


def test_a_player_must_take_a_role(edition, players):
    """R-ROL-1: passing is not possible."""
    game = new_game(players, edition)
    assert "pass" not in options(game)
    with pytest.raises(IllegalActionError):
        game.step("pass")


def test_a_role_that_is_taken_is_gone_until_the_end_of_the_round(edition, table):
    """R-ROL-2, R-ROL-5, I-17."""
    game = new_game(table, edition)
    game.step("role:craftsman")
    assert "role:craftsman" not in options(game)
    game.step("role:trader")
    assert options(game).isdisjoint({"role:craftsman", "role:trader"})
    assert game.state["role_owner"][0, ROLES.index("craftsman")] == ALICE
    assert game.state["role_owner"][0, ROLES.index("trader")] == BOB


def test_three_players_have_no_prospector_to_take(edition):
    """R-ROL-2, G004."""
    game = new_game(3, edition)
    with pytest.raises(IllegalActionError):
        game.step("role:prospector_1")


def test_two_prospectors_are_two_picks(edition):
    """R-ROL-2: section I.9 keeps both legal even while they are alike."""
    game = new_game(5, edition)
    assert {"role:prospector_1", "role:prospector_2"} <= options(game)
    play(game, "alice role prospector_2")
    assert "role:prospector_1" in options(game)
    assert "role:prospector_2" not in options(game)


def test_coins_on_the_card_go_to_whoever_takes_it_at_once(edition):
    """R-ROL-4, Q-15, TX-04: two coins, minus one for the hut, leave one."""
    game = board(
        edition=edition,
        seats={ALICE: {"coins": 0}},
        roles={"builder": {"coins": 2, "taken_by": None}},
    )
    play(game, "alice role builder")
    assert coins(game, ALICE) == 2
    assert role_coins(game) == {}
    play(game, "alice build construction_hut")
    assert coins(game, ALICE) == 1


def test_a_role_may_be_taken_for_its_coins_alone(edition):
    """R-ROL-2, R-ROL-4, R-ROL-7, G086: a trader without goods is paid and the others still act."""
    game = board(
        edition=edition,
        seats={CAROL: {"goods": {"indigo": 1, "sugar": 1}}},
        roles={"trader": {"coins": 2, "taken_by": None}},
    )
    play(game, "alice role trader")
    assert coins(game, ALICE) == 3 + 2
    assert (game.phase, game.turn) == ("trader", CAROL)
    play(game, "carol sell sugar")
    assert coins(game, CAROL) == 3 + 2


def test_a_privilege_tied_to_an_act_gives_nothing_without_it(edition):
    """R-ROL-8, R-TRA-6: the trader who does not sell gets no coin."""
    game = board(edition=edition, seats={ALICE: {"goods": {"indigo": 1}}})
    play(game, "alice role trader")
    play(game, "alice pass")
    assert coins(game, ALICE) == 3


@pytest.mark.parametrize("actor", range(4))
def test_turns_go_clockwise_from_whoever_took_the_role(edition, actor):
    """R-ROL-6, R-RND-1."""
    game = board(edition=edition, actor=actor)
    game.step("role:settler")
    order = []
    while game.phase == "settler":
        order.append(game.turn)
        game.step("take:quarry" if game.turn == actor else "pass")
    assert order == [(actor + step) % 4 for step in range(4)]
    assert (game.phase, game.turn) == ("role", (actor + 1) % 4)


def test_only_the_actor_has_the_privilege(edition):
    """R-ROL-6, R-STL-1."""
    game = board(edition=edition)
    play(game, "alice role settler")
    assert "take:quarry" in options(game)
    play(game, "alice pass")
    assert "take:quarry" not in options(game)


def test_a_phase_is_over_before_the_next_role_is_picked(edition):
    """R-RND-2."""
    game = board(edition=edition)
    play(
        game,
        """
        alice  role settler
        alice  take corn
        bob    pass
        carol  pass
        dave   pass
        bob    role trader
        carol  role craftsman
        """,
    )
    assert (game.phase, game.turn) == ("role", DAVE)


def test_every_player_picks_once_a_round_beginning_with_the_governor(edition, table):
    """R-RND-1."""
    game = board(players=table, edition=edition, actor=1)
    roles = {3: "trader craftsman captain", 4: "trader craftsman captain prospector_1"}.get(
        table, "trader craftsman captain prospector_1 prospector_2"
    )
    pickers = []
    for role in roles.split():
        pickers.append(game.turn)
        game.step(f"role:{role}")
    assert pickers == [(1 + pick) % table for pick in range(table)]
    assert number(game, "governor") == 2


def test_the_actor_may_decline_the_action_of_the_role(edition):
    """R-ROL-7: the others act all the same."""
    game = board(edition=edition)
    play(game, "alice role builder")
    play(game, "alice pass")
    play(game, "bob build small_market")
    assert coins(game, BOB) == 2


def test_forced_decisions_are_carried_out_and_stay_on_record():
    """R-ROL-7: section I.5 keeps forced decisions in the history, marked."""
    game = board(edition=ENGLISH, seats={CAROL: {"goods": {"corn": 1}}})
    play(game, "alice role trader")
    assert moves(game) == ["alice role trader", "alice pass !", "bob pass !"]
    play(game, "carol pass")
    assert moves(game)[3:] == ["carol pass", "dave pass !"]


def test_a_seat_with_nothing_to_choose_is_asked_when_forced_decisions_are_not_skipped(edition):
    """R-ROL-7: with ``skip_forced`` off every seat says pass itself."""
    game = board(edition=edition, switches={"skip_forced": False})
    play(game, "alice role trader")
    for seat in range(4):
        assert options(game) == {"pass"}
        play(game, f"{NAMES[seat]} pass")
    assert (game.phase, game.turn) == ("role", BOB)
    assert not any(forced for _, forced, _ in game.history)


def test_the_prospector_acts_alone_and_the_next_seat_picks(edition):
    """R-RND-2, R-PRO-1."""
    game = board(edition=edition)
    play(game, "alice role prospector_1")
    assert (game.phase, game.turn) == ("role", BOB)
    assert tiles(game, BOB) == ["indigo"]


def test_nobody_is_the_actor_between_phases(edition):
    """R-RND-2, R-INF-1: the position names an actor and a role in phases only."""
    game = board(edition=edition)
    play(game, "alice role settler")
    assert game.to_dict()["actor"] == ALICE
    play(game, "alice pass\nbob pass\ncarol pass\ndave pass")
    assert "actor" not in game.to_dict()
    assert number(game, "role") == -1
