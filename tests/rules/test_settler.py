"""The settler: a tile for everybody, a quarry for whoever took the role."""

import pytest

from prico_env import IllegalActionError
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    CLASSIC,
    EDITIONS,
    ENGLISH,
    GERMAN,
    all_workers,
    board,
    deck_size,
    discard,
    moves,
    number,
    options,
    play,
    row,
    tiles,
    workers,
)

ROW = {"take:corn", "take:indigo", "take:sugar", "take:tobacco", "take:coffee"}
FULL_ISLAND = {"corn": [4, 0], "indigo": [4, 0], "sugar": [4, 0]}
ELEVEN_TILES = {"corn": [4, 0], "indigo": [4, 0], "sugar": [3, 0]}
NORMAL_TILE_ONLY = (CLASSIC, GERMAN)


def settler(edition, seats=None, **words):
    """Alice has just taken the settler."""
    return play(board(edition=edition, seats=seats, **words), "alice role settler")


# -- the normal action -----------------------------------------------------------------------------


def test_the_settler_takes_a_tile_of_the_row_or_a_quarry_or_nothing(edition):
    """R-STL-1, R-STL-8, D-11."""
    assert options(settler(edition)) == ROW | {"take:quarry", "pass"}


def test_the_others_take_a_tile_of_the_row_or_nothing(edition):
    """R-STL-1, R-STL-2."""
    game = play(settler(edition), "alice take quarry")
    assert options(game) == ROW | {"pass"}
    with pytest.raises(IllegalActionError):
        game.step("take:quarry")


def test_a_tile_is_placed_unoccupied(edition):
    """R-STL-3."""
    game = play(settler(edition), "alice take coffee")
    assert tiles(game, ALICE) == ["indigo", "coffee"]
    assert all_workers(game, ALICE) == 0


def test_the_order_in_which_tiles_are_placed_has_no_effect(edition):
    """R-STL-3, R-GEN-6, D-10, Q-13: an island is a number of tiles of each kind."""
    first = settler(edition, seats={ALICE: {"island": {"corn": [1, 0], "sugar": [2, 1]}}})
    second = settler(edition, seats={ALICE: {"island": {"sugar": [2, 1], "corn": [1, 0]}}})
    assert first.to_bytes() == second.to_bytes()


def test_a_tile_that_is_placed_stays(edition):
    """R-STL-9: nothing in a settler phase takes a tile away."""
    game = settler(edition)
    assert not any(name.startswith(("land", "lodge")) for name in options(game))
    play(game, "alice take quarry")
    assert tiles(game, ALICE) == ["indigo", "quarry"]


def test_the_row_shrinks_while_players_take_from_it(edition):
    """R-STL-14, G010: it is filled up again only after the last player."""
    game = settler(edition)
    play(game, "alice take corn")
    assert options(game) == ROW - {"take:corn"} | {"pass"}
    play(game, "bob take sugar")
    assert options(game) == {"take:indigo", "take:tobacco", "take:coffee", "pass"}
    assert row(game) == {"indigo": 1, "tobacco": 1, "coffee": 1}


def test_a_full_island_takes_nothing_at_all(edition):
    """R-STL-4, TX-06: not even the settler's quarry, a hut's or a hacienda's tile."""
    game = settler(
        edition,
        seats={ALICE: {"island": FULL_ISLAND, "city": {"hacienda": 1, "construction_hut": 1}}},
    )
    assert game.turn == BOB
    assert all(move == "alice pass !" for move in moves(game)[1:])
    assert len(tiles(game, ALICE)) == 12


def test_a_full_island_passes_also_among_the_others(edition):
    """R-STL-4."""
    game = settler(edition, seats={BOB: {"island": FULL_ISLAND}})
    play(game, "alice take quarry")
    assert game.turn == CAROL


def test_without_quarries_neither_privilege_nor_hut_gives_one(edition):
    """R-STL-5, R-HUT-4, G011."""
    six = {"quarry": [6, 0], "corn": [1, 0]}
    two = {"quarry": [2, 0]}
    game = settler(
        edition,
        seats={
            ALICE: {"island": {"corn": [1, 0]}},
            BOB: {"city": {"construction_hut": 1}},
            CAROL: {"island": six},
            3: {"island": two},
        },
    )
    assert number(game, "quarries") == 0
    assert options(game) == ROW | {"pass"}
    play(game, "alice take indigo")
    assert "take:quarry" not in options(game)


def test_the_last_quarry_can_be_taken(edition):
    """R-STL-5, G011, I-05."""
    game = settler(edition, seats={CAROL: {"island": {"quarry": [7, 0]}}})
    play(game, "alice take quarry")
    assert number(game, "quarries") == 0


def test_whoever_comes_late_to_an_empty_row_gets_nothing(edition):
    """R-STL-6, Q-33."""
    game = settler(edition, row={"corn": 1})
    play(game, "alice take corn")
    assert (game.phase, game.turn) == ("role", BOB)
    assert moves(game)[2:] == ["bob pass !", "carol pass !", "dave pass !"]


def test_an_empty_row_does_not_end_the_right_to_a_quarry(edition):
    """R-STL-6, Q-153."""
    game = settler(edition, row={}, seats={BOB: {"city": {"construction_hut": 1}}})
    assert options(game) == {"take:quarry", "pass"}
    play(game, "alice pass")
    assert options(game) == {"take:quarry", "pass"}


# -- the row at the end of the phase ---------------------------------------------------------------


def test_left_over_tiles_are_laid_aside_and_a_new_row_is_drawn(edition):
    """R-STL-12, R-STL-14, I-15."""
    game = settler(edition)
    before = deck_size(game)
    play(
        game,
        """
        alice  take corn
        bob    take indigo
        carol  pass
        dave   pass
        """,
    )
    assert discard(game) == {"sugar": 1, "tobacco": 1, "coffee": 1}
    assert sum(row(game).values()) == 5
    assert deck_size(game) == before - 5


def last_seat_passes(edition, row, deck, discard):
    """Three players; Carol, the last of a settler phase, takes nothing."""
    game = board(
        "settler", players=3, edition=edition, turn=CAROL, row=row, deck=deck, discard=discard
    )
    return play(game, "carol pass")


def test_a_short_deck_is_used_up_before_the_discard_is_shuffled(edition):
    """TX-09, R-STL-13, R-STL-14, D-09, Q-19: one from the deck, three from five laid aside."""
    game = last_seat_passes(edition, {"sugar": 2, "coffee": 1}, {"corn": 1}, {"tobacco": 2})
    assert row(game)["corn"] == 1
    assert sum(row(game).values()) == 4
    assert (deck_size(game), discard(game)) == (2, {})


def test_a_row_stays_short_when_there_are_no_more_tiles(edition):
    """TX-10, R-STL-14, D-09: just-discarded tiles come back in the same refill."""
    game = last_seat_passes(edition, {"sugar": 1}, {}, {"coffee": 1})
    assert row(game) == {"sugar": 1, "coffee": 1}
    assert (deck_size(game), discard(game)) == (0, {})


def test_the_discard_is_shuffled_only_when_the_next_draw_needs_it(edition):
    """R-STL-13, Q-19: four tiles left fill the row of three players exactly."""
    game = last_seat_passes(edition, {"sugar": 2}, {"corn": 4}, {"tobacco": 2})
    assert row(game) == {"corn": 4}
    assert deck_size(game) == 0
    assert discard(game) == {"sugar": 2, "tobacco": 2}


def test_the_row_never_overflows(edition):
    """I-15, R-STL-14: what is left is laid aside before the row is drawn again."""
    game = settler(edition)
    play(game, "alice take quarry\nbob pass\ncarol pass\ndave pass")
    assert sum(row(game).values()) == 5
    assert sum(discard(game).values()) == 5


# -- construction hut ------------------------------------------------------------------------------


def test_an_occupied_hut_may_take_a_quarry_instead_of_a_plantation(edition):
    """R-HUT-1, R-STL-2, TX-08, G011."""
    game = settler(edition, seats={BOB: {"city": {"construction_hut": 1}}})
    play(game, "alice take corn")
    assert "take:quarry" in options(game)
    play(game, "bob take quarry")
    assert tiles(game, BOB) == ["indigo", "quarry"]
    assert game.turn == CAROL


def test_an_empty_hut_gives_nothing(edition):
    """R-HUT-1, R-GEN-2."""
    game = settler(edition, seats={BOB: {"city": {"construction_hut": 0}}})
    play(game, "alice take corn")
    assert "take:quarry" not in options(game)


def test_the_hut_gives_the_settler_no_second_quarry(edition):
    """R-HUT-2, Q-23."""
    game = settler(edition, seats={ALICE: {"city": {"construction_hut": 1}}})
    play(game, "alice take quarry")
    assert game.turn == BOB


# -- hacienda --------------------------------------------------------------------------------------


HACIENDA = {"city": {"hacienda": 1}}


def test_the_hacienda_is_asked_before_the_normal_action(edition):
    """R-STL-7, R-HAC-1, G013."""
    game = settler(edition, seats={ALICE: HACIENDA})
    assert "draw" in options(game)
    play(game, "alice draw")
    assert game.turn == ALICE
    assert "draw" not in options(game)


def test_the_tile_drawn_is_placed_and_known_before_the_normal_action(edition):
    """R-STL-7, R-HAC-2, Q-17, D-08, G013: the top of the deck lies on the island at once."""
    game = settler(edition, seats={ALICE: HACIENDA}, on_top=("coffee", "tobacco"))
    before = deck_size(game)
    play(game, "alice draw")
    assert tiles(game, ALICE) == ["indigo", "coffee"]
    assert deck_size(game) == before - 1
    assert options(game) == ROW | {"take:quarry", "pass"}


def test_the_normal_action_follows_the_draw_unchanged(edition):
    """R-HAC-5, Q-17: also as a quarry for whoever has the right."""
    game = settler(edition, seats={ALICE: HACIENDA}, on_top=("coffee",))
    play(game, "alice draw\nalice take quarry")
    assert tiles(game, ALICE) == ["indigo", "coffee", "quarry"]


def test_the_normal_action_may_be_declined_after_a_draw(edition):
    """R-STL-8."""
    game = settler(edition, seats={ALICE: HACIENDA}, on_top=("coffee",))
    play(game, "alice draw\nalice pass")
    assert tiles(game, ALICE) == ["indigo", "coffee"]
    assert game.turn == BOB


def test_the_draw_may_be_declined(edition):
    """R-GEN-3, R-HAC-1."""
    game = settler(edition, seats={ALICE: HACIENDA})
    play(game, "alice pass")
    assert game.turn == ALICE
    play(game, "alice take corn")
    assert tiles(game, ALICE) == ["corn", "indigo"]
    assert game.turn == BOB


def test_hut_and_hacienda_give_a_plantation_and_one_quarry_at_most(edition):
    """TX-07, R-HUT-2, R-HAC-4: the extra tile is never a quarry."""
    game = settler(
        edition,
        seats={ALICE: {"city": {"hacienda": 1, "construction_hut": 1}}},
        on_top=("sugar",),
    )
    assert "take:quarry" not in options(game)
    play(game, "alice draw\nalice take quarry")
    assert tiles(game, ALICE) == ["indigo", "sugar", "quarry"]
    assert game.turn == BOB


def test_the_hacienda_works_once_and_in_the_own_turn_only(edition):
    """R-HAC-6, R-GEN-8."""
    game = settler(edition, seats={BOB: HACIENDA})
    assert "draw" not in options(game)
    play(game, "alice take corn")
    play(game, "bob draw")
    assert "draw" not in options(game)
    play(game, "bob take indigo")
    assert "draw" not in options(game)
    assert game.turn == CAROL


def test_an_empty_hacienda_gives_nothing(edition):
    """R-GEN-2, R-HAC-1."""
    game = settler(edition, seats={ALICE: {"city": {"hacienda": 0}}})
    assert "draw" not in options(game)


def test_a_draw_onto_the_twelfth_space_leaves_no_room_for_the_normal_action(edition):
    """TX-05, R-HAC-3, R-STL-4, Q-16, G016."""
    game = settler(edition, seats={ALICE: HACIENDA | {"island": ELEVEN_TILES}})
    play(game, "alice draw")
    assert len(tiles(game, ALICE)) == 12
    assert game.turn == BOB


def test_a_full_island_cannot_draw(edition):
    """R-HAC-3, Q-16, G016."""
    game = settler(edition, seats={BOB: HACIENDA | {"island": FULL_ISLAND}})
    play(game, "alice take corn")
    assert game.turn == CAROL


def test_an_empty_deck_is_made_anew_for_a_draw(edition):
    """R-STL-13, Q-18, G017: in every edition the discard is shuffled when a draw needs it."""
    game = settler(edition, seats={ALICE: HACIENDA}, deck={}, discard={"tobacco": 3})
    play(game, "alice draw")
    assert tiles(game, ALICE) == ["indigo", "tobacco"]
    assert (deck_size(game), discard(game)) == (2, {})


def test_nothing_can_be_drawn_when_deck_and_discard_are_empty(edition):
    """R-STL-13, G017: the hacienda is not even asked."""
    game = settler(edition, seats={ALICE: HACIENDA}, deck={}, discard={})
    assert options(game) == ROW | {"take:quarry", "pass"}


# -- hospice ---------------------------------------------------------------------------------------


HOSPICE = {"city": {"hospice": 1}}
BOTH = {"city": {"hacienda": 1, "hospice": 1}}


@pytest.mark.parametrize("tile", ["corn", "coffee", "quarry"])
def test_the_hospice_puts_a_worker_on_the_tile_taken(edition, tile):
    """R-HOS-1, Q-21, D-13: on a plantation or a quarry."""
    game = settler(edition, seats={ALICE: HOSPICE})
    supply = number(game, "worker_supply")
    play(game, f"alice take {tile}")
    assert workers(game, ALICE, tile) == 1
    assert number(game, "worker_supply") == supply - 1
    assert game.turn == BOB


def test_the_hospice_worker_goes_to_no_older_tile(edition):
    """R-HOS-6, G014: two old corn tiles, the worker counts for the third."""
    game = settler(edition, seats={ALICE: HOSPICE | {"island": {"corn": [2, 1]}}})
    play(game, "alice take corn")
    assert workers(game, ALICE, "corn") == 2
    assert all_workers(game, ALICE) == 3


def test_an_empty_hospice_gives_nothing(edition):
    """R-GEN-2, R-HOS-1."""
    game = settler(edition, seats={ALICE: {"city": {"hospice": 0}}})
    play(game, "alice take corn")
    assert all_workers(game, ALICE) == 0


def test_the_hospice_gives_nothing_without_a_tile(edition):
    """R-HOS-1."""
    game = settler(edition, seats={ALICE: HOSPICE})
    play(game, "alice pass")
    assert all_workers(game, ALICE) == 1


def test_the_hospice_takes_from_the_register_when_the_supply_is_empty(edition):
    """TX-12, R-HOS-2, D-82."""
    game = settler(edition, seats={ALICE: HOSPICE}, workers={"supply": 0, "register": 2})
    play(game, "alice take quarry")
    assert workers(game, ALICE, "quarry") == 1
    assert number(game, "register_workers") == 1


def test_the_hospice_gives_nothing_when_there_are_no_workers_left(edition):
    """TX-13, R-HOS-2, D-82."""
    game = settler(edition, seats={ALICE: HOSPICE}, workers={"supply": 0, "register": 0})
    play(game, "alice take quarry")
    assert workers(game, ALICE, "quarry") == 0
    assert game.turn == BOB


@pytest.mark.parametrize("edition", NORMAL_TILE_ONLY)
def test_the_hospice_serves_the_normal_tile_only(edition):
    """TX-11, R-HOS-3, R-HAC-7, D-12, G014: classic and German."""
    game = settler(edition, seats={ALICE: BOTH}, on_top=("coffee",))
    play(game, "alice draw\nalice take sugar")
    assert (workers(game, ALICE, "coffee"), workers(game, ALICE, "sugar")) == (0, 1)
    assert game.turn == BOB


@pytest.mark.parametrize("edition", NORMAL_TILE_ONLY)
def test_the_hospice_gives_no_worker_to_a_tile_of_the_hacienda(edition):
    """R-HAC-7, R-HOS-3, D-12: classic and German, when the normal action is declined."""
    game = settler(edition, seats={ALICE: BOTH}, on_top=("coffee",))
    play(game, "alice draw\nalice pass")
    assert workers(game, ALICE, "coffee") == 0
    assert game.turn == BOB


@pytest.mark.parametrize("choice", ["drawn", "taken"])
def test_the_english_hospice_serves_either_tile_once(choice):
    """TX-11, R-HOS-3, R-HOS-6, D-12, Q-20, G014: one choice, after both are placed."""
    game = settler(ENGLISH, seats={ALICE: BOTH}, on_top=("coffee",))
    play(game, "alice draw\nalice take sugar")
    assert options(game) == {"hospice:drawn", "hospice:taken"}
    play(game, f"alice hospice {choice}")
    on_tiles = (workers(game, ALICE, "coffee"), workers(game, ALICE, "sugar"))
    assert on_tiles == ((1, 0) if choice == "drawn" else (0, 1))
    assert game.turn == BOB


def test_two_tiles_of_a_kind_leave_the_english_hospice_no_choice():
    """R-HOS-3, R-HOS-6, Q-20: they cannot be told apart."""
    game = settler(ENGLISH, seats={ALICE: BOTH}, on_top=("coffee",))
    play(game, "alice draw\nalice take coffee")
    assert tiles(game, ALICE) == ["indigo", "coffee", "coffee"]
    assert workers(game, ALICE, "coffee") == 1
    assert game.turn == BOB


def test_the_english_hospice_without_a_hacienda_leaves_no_choice():
    """R-HOS-3."""
    game = settler(ENGLISH, seats={ALICE: HOSPICE})
    play(game, "alice take coffee")
    assert workers(game, ALICE, "coffee") == 1
    assert game.turn == BOB


def test_the_english_hospice_serves_the_drawn_tile_when_no_other_is_taken():
    """R-HOS-3, D-12."""
    game = settler(ENGLISH, seats={ALICE: BOTH}, on_top=("coffee",))
    play(game, "alice draw\nalice pass")
    assert workers(game, ALICE, "coffee") == 1
    assert game.turn == BOB


def test_the_english_hospice_serves_a_tile_drawn_onto_the_last_space():
    """R-HOS-3, TX-05: the twelfth tile is the drawn one."""
    game = settler(ENGLISH, seats={ALICE: BOTH | {"island": ELEVEN_TILES}}, on_top=("coffee",))
    play(game, "alice draw")
    assert workers(game, ALICE, "coffee") == 1
    assert game.turn == BOB


@pytest.mark.parametrize("edition", EDITIONS)
def test_hospice_and_hacienda_add_one_worker_whatever_is_chosen(edition):
    """R-HOS-6, G014: never two."""
    game = settler(edition, seats={ALICE: BOTH}, on_top=("coffee",))
    before = all_workers(game, ALICE)
    play(game, "alice draw\nalice take sugar")
    if game.turn == ALICE:
        play(game, "alice hospice taken")
    assert all_workers(game, ALICE) == before + 1
