"""Forests: a tile without a circle, and a coin off for every two of them."""

import pytest

from prico_env import Game
from tests.builders import (
    ALICE,
    BOB,
    BOTH_1897,
    CAROL,
    CLASSIC,
    ENGLISH,
    GERMAN,
    X1,
    all_workers,
    board,
    coins,
    deck_size,
    discard,
    finish_phase,
    forest_kinds,
    forests,
    goods,
    new_game,
    number,
    options,
    play,
    position,
    row,
    tiles,
    workers,
)

ROW = {"corn": 2, "sugar": 1, "coffee": 1}
TAKES = {"take:corn", "take:sugar", "take:coffee"}
FORESTER = {"city": {"forest_house": 1}}


def settler(edition, seats, **words):
    """Alice has just taken the settler at a table of three, before corn, corn, sugar, coffee."""
    words = {"players": 3, "row": ROW, **words}
    game = board(edition=edition, expansions=(X1,), seats=seats, **words)
    return play(game, "alice role settler")


def a_forest(edition):
    """The words for taking a forest: from the stack, or a sugar plantation of the row."""
    return "forest" if edition == CLASSIC else "forest sugar"


def buying(edition, seat, builder=True, **words):
    """One seat's turn in the builder phase: Alice's, who took the role, or Bob's."""
    turn = ALICE if builder else BOB
    return board(
        "builder", edition=edition, expansions=(X1,), turn=turn, seats={turn: seat}, **words
    )


def price(edition, name, seat, builder):
    """The fewest coins that buy a building."""
    for purse in range(11):
        game = buying(edition, seat | {"coins": purse}, builder, for_sale=(name,))
        if f"build:{name}" in options(game):
            game.step(f"build:{name}")
            assert coins(game, ALICE if builder else BOB) == 0
            return purse
    raise AssertionError(f"nobody can buy {name}")


# -- taking a forest -------------------------------------------------------------------------------


def test_classic_takes_a_forest_from_its_stack():
    """TX-59, R-FOH-1, D-36, D-39, G109: the row keeps its tiles; a quarry is there as well."""
    game = settler(CLASSIC, {ALICE: FORESTER})
    assert options(game) == TAKES | {"take:quarry", "forest", "pass"}
    play(game, "alice forest")
    assert row(game) == ROW
    assert number(game, "forests") == 11
    assert forests(game, ALICE) == 1


@pytest.mark.parametrize("edition", BOTH_1897)
def test_1897_turns_a_tile_of_the_row_face_down(edition):
    """TX-59, R-FOH-2, D-36, D-39, G109: one tile of the row is gone; no quarry becomes a forest."""
    game = settler(edition, {ALICE: FORESTER})
    as_forests = {"forest:corn", "forest:sugar", "forest:coffee"}
    assert options(game) == TAKES | as_forests | {"take:quarry", "pass"}
    play(game, "alice forest coffee")
    assert row(game) == {"corn": 2, "sugar": 1}
    assert forests(game, ALICE) == 1
    assert forest_kinds(game, ALICE) == {"coffee": 1}
    assert "coffee" not in tiles(game, ALICE)


def test_nobody_takes_a_forest_without_an_occupied_forest_house(edition):
    """R-FOH-1, R-FOH-2, R-GEN-2."""
    game = settler(edition, {ALICE: {"city": {"forest_house": 0}}})
    assert options(game) == TAKES | {"take:quarry", "pass"}


def test_others_than_the_settler_take_forests_too(edition):
    """R-FOH-1, R-FOH-2: with the normal action, whoever took the role."""
    game = settler(edition, {BOB: FORESTER})
    play(game, f"alice pass\nbob {a_forest(edition)}")
    assert forests(game, BOB) == 1


def test_the_stack_of_forests_may_be_empty():
    """R-FOH-1, D-37: twelve forests in all."""
    game = settler(CLASSIC, {ALICE: FORESTER, BOB: {"island": {"forest": [12, 0]}}})
    assert number(game, "forests") == 0
    assert options(game) == TAKES | {"take:quarry", "pass"}


@pytest.mark.parametrize("edition", BOTH_1897)
def test_1897_has_as_many_forests_as_players_lay(edition):
    """D-37: the thirteenth is as good as the first."""
    lots = {"island": {"forest": [11, 0]}, "forest_kinds": {"corn": 5, "indigo": 6}}
    game = settler(edition, {ALICE: FORESTER | {"island": {}}, BOB: lots, CAROL: FORESTER})
    play(game, "alice forest coffee\nbob pass\ncarol forest sugar")
    assert [forests(game, seat) for seat in range(3)] == [1, 11, 1]


def test_a_forest_can_be_had_when_the_row_is_empty_in_classic_only():
    """Q-26, Q-153, R-STL-6: elsewhere it needs a tile."""
    classic = settler(CLASSIC, {BOB: FORESTER}, row={})
    play(classic, "alice pass")
    assert options(classic) == {"forest", "pass"}
    for edition in BOTH_1897:
        game = settler(edition, {BOB: FORESTER}, row={})
        play(game, "alice pass")
        assert game.phase == "role"
        assert forests(game, BOB) == 0


def test_a_full_island_takes_no_forest(edition):
    """R-STL-4, R-FOH-8: forests fill island spaces."""
    island = {"forest": [6, 0], "sugar": [6, 0]}
    game = settler(edition, {ALICE: FORESTER | {"island": island}})
    assert game.turn == BOB
    assert forests(game, ALICE) == 6


def test_a_hut_does_not_stand_in_the_way_of_a_forest(edition):
    """D-39, R-FOH-2, R-HUT-1: a plantation, a quarry or a forest."""
    game = settler(edition, {BOB: {"city": {"forest_house": 1, "construction_hut": 1}}})
    play(game, "alice pass")
    assert {"take:quarry", "take:corn", a_forest(edition).replace(" ", ":")} <= options(game)


# -- with the hacienda -----------------------------------------------------------------------------

BOTH_HOUSES = {"city": {"forest_house": 1, "hacienda": 1}}


def test_the_tile_of_the_hacienda_is_seen_before_its_side_is_chosen(edition):
    """R-FOH-3, D-40, Q-25: it must be placed one way or the other."""
    game = settler(edition, {ALICE: BOTH_HOUSES}, on_top=("tobacco",))
    play(game, "alice draw")
    assert options(game) == {"use:plantation", "use:forest"}


def test_the_tile_of_the_hacienda_may_stay_a_plantation(edition):
    """R-FOH-3, R-HAC-2."""
    game = settler(edition, {ALICE: BOTH_HOUSES}, on_top=("tobacco",))
    play(game, "alice draw\nalice use plantation")
    assert "tobacco" in tiles(game, ALICE)
    assert forests(game, ALICE) == 0
    assert "take:corn" in options(game)


@pytest.mark.parametrize("edition", BOTH_1897)
def test_1897_lays_the_tile_of_the_hacienda_face_down(edition):
    """R-FOH-3, D-40, Q-25: it is this tile that becomes the forest."""
    game = settler(edition, {ALICE: BOTH_HOUSES}, on_top=("tobacco",))
    before = deck_size(game)
    play(game, "alice draw\nalice use forest")
    assert forest_kinds(game, ALICE) == {"tobacco": 1}
    assert deck_size(game) == before - 1
    assert discard(game) == {}


def test_classic_shuffles_the_tile_back_and_takes_a_forest_from_the_stack():
    """R-FOH-3, D-40, Q-24: it was looked at and not taken; the right to draw is used up."""
    game = settler(CLASSIC, {ALICE: BOTH_HOUSES}, on_top=("tobacco",))
    before, kinds = deck_size(game), game.state["deck_tiles"].tolist()
    play(game, "alice draw\nalice use forest")
    assert forests(game, ALICE) == 1
    assert number(game, "forests") == 11
    assert deck_size(game) == before
    assert game.state["deck_tiles"].tolist() == kinds
    assert "draw" not in options(game)
    assert "tobacco" not in tiles(game, ALICE)


def test_the_tile_of_the_hacienda_stays_a_plantation_when_the_stack_is_empty():
    """R-FOH-3, D-40, D-37: no forest is left to take instead."""
    game = settler(
        CLASSIC,
        {ALICE: BOTH_HOUSES, BOB: {"island": {"forest": [12, 0]}}},
        on_top=("tobacco",),
    )
    play(game, "alice draw")
    assert "tobacco" in tiles(game, ALICE)


def test_both_tiles_of_a_turn_may_be_forests(edition):
    """R-FOH-3, R-HAC-5: the normal action follows unchanged."""
    game = settler(edition, {ALICE: BOTH_HOUSES}, on_top=("tobacco",))
    play(game, f"alice draw\nalice use forest\nalice {a_forest(edition)}")
    assert forests(game, ALICE) == 2


# -- with the hospice ------------------------------------------------------------------------------


def test_the_worker_of_the_hospice_goes_to_the_portrait_for_a_forest(edition):
    """R-HOS-5, R-FOH-7, D-83, G109: a forest has no circle."""
    game = settler(edition, {ALICE: {"city": {"forest_house": 1, "hospice": 1}}})
    play(game, f"alice {a_forest(edition)}")
    assert workers(game, ALICE, "portrait") == 1
    assert game.turn == BOB


def test_the_worker_for_a_forest_comes_from_the_register_if_need_be(edition):
    """Q-32, R-HOS-2, R-HOS-5."""
    game = settler(
        edition,
        {ALICE: {"city": {"forest_house": 1, "hospice": 1}}},
        workers={"supply": 0, "register": 2},
    )
    play(game, f"alice {a_forest(edition)}")
    assert workers(game, ALICE, "portrait") == 1
    assert number(game, "register_workers") == 1


def test_the_english_hospice_serves_a_plantation_drawn_or_a_forest_taken():
    """R-HOS-3, R-HOS-5, D-12: one worker, on the tile or on the portrait."""
    seat = {"city": {"forest_house": 1, "hacienda": 1, "hospice": 1}}
    script = "alice draw\nalice use plantation\nalice forest sugar"
    for answer, on_tile, on_portrait in (("drawn", 1, 0), ("taken", 0, 1)):
        game = settler(ENGLISH, {ALICE: seat}, on_top=("tobacco",))
        play(game, script)
        assert options(game) == {"hospice:drawn", "hospice:taken"}
        play(game, f"alice hospice {answer}")
        assert workers(game, ALICE, "tobacco") == on_tile
        assert workers(game, ALICE, "portrait") == on_portrait


@pytest.mark.parametrize("edition", [CLASSIC, GERMAN])
def test_the_other_hospices_do_not_serve_a_forest_drawn(edition):
    """R-HAC-7, R-HOS-3: the normal tile only."""
    seat = {"city": {"forest_house": 1, "hacienda": 1, "hospice": 1}}
    game = settler(edition, {ALICE: seat}, on_top=("tobacco",))
    play(game, "alice draw\nalice use forest\nalice pass")
    assert all_workers(game, ALICE) == 2 + 1


# -- with the library ------------------------------------------------------------------------------


@pytest.mark.parametrize("picks", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_the_picks_of_a_library_may_be_forests(edition, picks):
    """R-FOH-4, R-LIB-6: none, one or both."""
    game = settler(edition, {ALICE: {"city": {"forest_house": 1, "library": 1}}})
    first, second = (a_forest(edition) if pick else "take sugar" for pick in picks)
    if edition != CLASSIC or not all(picks):
        second = second.replace("sugar", "corn")
    play(game, f"alice {first}\nbob pass\ncarol pass\nalice {second}")
    assert forests(game, ALICE) == sum(picks)
    assert (game.phase, game.turn) == ("role", BOB)


# -- what a forest is ------------------------------------------------------------------------------


def test_a_forest_stays_a_forest(edition):
    """R-FOH-5: nothing offers to turn it over."""
    game = settler(edition, {ALICE: FORESTER | {"island": {"forest": [2, 0]}}})
    assert not any(name.startswith("use:") for name in options(game))
    play(game, "alice take corn")
    assert forests(game, ALICE) == 2


def test_a_forest_has_no_circle(edition):
    """R-FOH-7, R-MAY-6, I-12: the mayor's workers go elsewhere."""
    seat = {"island": {"forest": [3, 0], "corn": [1, 0]}, "portrait": 2}
    game = board("mayor", edition=edition, expansions=(X1,), seats={ALICE: seat})
    game.settle()
    assert workers(game, ALICE, "corn") == 1
    assert workers(game, ALICE, "portrait") == 1


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_forest_produces_nothing_of_its_printed_kind(edition):
    """R-FOH-8."""
    seat = {"island": {"forest": [3, 0], "corn": [1, 1]}, "forest_kinds": {"corn": 3}}
    game = board(edition=edition, expansions=(X1,), seats={BOB: seat})
    play(game, "alice role craftsman")
    assert goods(game, BOB) == {"corn": 1}


def test_forests_fill_island_spaces_for_the_residence(edition):
    """R-FOH-8, R-RES-1, D-31, G091: ten tiles, four of them forests."""
    seat = {"island": {"forest": [4, 0], "corn": [3, 0], "sugar": [3, 1]}, "city": {"residence": 1}}
    game = board(edition=edition, expansions=(X1,), seats={ALICE: seat})
    assert game.scores()[ALICE] == 4 + 5


# -- the discount ----------------------------------------------------------------------------------


def test_six_forests_two_quarries_and_the_builder():
    """TV-28, R-BLD-7, R-FOH-6, D-38: the large warehouse is free."""
    seat = {"island": {"forest": [6, 0], "quarry": [2, 2]}}
    assert price(CLASSIC, "large_warehouse", seat, builder=True) == 0


def test_four_forests_two_quarries_and_the_builder(edition):
    """TV-29, R-BLD-7, Q-28: more than one coin for forests."""
    seat = {"island": {"forest": [4, 0], "quarry": [2, 2]}}
    assert price(edition, "large_warehouse", seat, builder=True) == 1


@pytest.mark.parametrize(
    ("number_", "saved"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (8, 4), (12, 6)]
)
def test_a_coin_is_saved_for_every_two_forests(edition, number_, saved):
    """R-FOH-6, R-BLD-7, Q-28: without a limit."""
    seat = {"island": {"forest": [number_, 0]}} if number_ else {"island": {}}
    assert price(edition, "large_warehouse", seat, builder=False) == 6 - saved


def test_the_discount_needs_no_forest_house(edition):
    """TX-60, R-FOH-6, D-38, Q-27: three forests, and the house is unoccupied or nobody's."""
    island = {"forest": [3, 0]}
    empty = {"island": island, "city": {"forest_house": 0}}
    assert price(edition, "office", empty, builder=False) == 4
    assert price(edition, "office", {"island": island}, builder=False) == 4


def test_the_discount_knows_no_columns(edition):
    """R-FOH-6, R-BLD-7: two coins off a building of the first column, which is free then."""
    seat = {"island": {"forest": [4, 0]}}
    assert price(edition, "hacienda", seat, builder=False) == 0
    assert price(edition, "small_market", seat, builder=False) == 0


def test_the_discount_adds_to_that_of_quarries(edition):
    """R-FOH-6, R-BLD-4, Q-58: quarries by column, forests besides."""
    seat = {"island": {"forest": [4, 0], "quarry": [5, 5]}}
    assert price(edition, "wharf", seat, builder=False) == 9 - 3 - 2
    assert price(edition, "wharf", seat, builder=True) == 9 - 3 - 2 - 1


def test_expansion_buildings_have_quarry_limits_of_their_columns(edition):
    """Q-58, R-BLD-5: aqueduct one, church two, library three, statue four."""
    seat = {"island": {"quarry": [5, 5]}}
    prices = {"aqueduct": 0, "church": 3, "library": 5, "statue": 6}
    for name, cost in prices.items():
        assert price(edition, name, seat, builder=False) == cost


@pytest.mark.parametrize("source", ["own_stack_12", "facedown_estate"])
def test_a_table_may_agree_where_forests_come_from(edition, source):
    """D-36, D-37: `forest_source`."""
    has_stack = source == "own_stack_12"
    game = new_game(4, edition, expansions=[X1], board="random", forest_source=source)
    assert number(game, "forests") == (12 if has_stack else 0)
    game = settler(edition, {ALICE: FORESTER}, switches={"forest_source": source})
    assert ("forest" in options(game)) is has_stack
    assert ("forest:corn" in options(game)) is not has_stack


# -- who knows what --------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_forest_from_the_hacienda_is_known_to_its_owner_only(edition):
    """Q-31, R-INF-2: Bob cannot tell tobacco from coffee, Alice can."""
    seen = []
    for kind, other in (("tobacco", "coffee"), ("coffee", "tobacco")):
        place = position(
            players=3,
            edition=edition,
            expansions=(X1,),
            seats={ALICE: BOTH_HOUSES},
            row=ROW,
        )
        deck = place["deck"]
        rest = [name for name in deck for _ in range(deck[name] - (name in (kind, other)))]
        game = Game.from_dict(place | {"deck": [kind, other, *rest]}, seed=3)
        play(game, "alice role settler\nalice draw\nalice use forest\nalice pass")
        seen.append([game.observation(viewer).tobytes() for viewer in (ALICE, BOB, CAROL)])
        texts = [game.text(viewer) for viewer in (ALICE, BOB, CAROL)]
        seen[-1] += texts[1:]
    assert seen[0][0] != seen[1][0]
    assert seen[0][1:] == seen[1][1:]


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_forest_from_the_row_is_known_to_everybody(edition):
    """Q-31, R-INF-1: they saw it lie there."""
    seen = []
    for kind in ("sugar", "coffee"):
        game = settler(edition, {ALICE: FORESTER})
        play(game, f"alice forest {kind}")
        finish_phase(game)
        assert game.state["forest_blind"].sum() == 0
        seen.append(game.observation(BOB).tobytes())
    assert seen[0] != seen[1]


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_search_deals_forests_that_nobody_else_has_seen_anew(edition):
    """Q-31, R-INF-2, G152: what Bob imagines does not depend on Alice's true tile."""
    game = settler(edition, {ALICE: BOTH_HOUSES}, on_top=("tobacco",))
    play(game, "alice draw\nalice use forest\nalice pass")
    imagined = {tuple(forest_kinds(game.determinize(BOB, seed=seed), ALICE)) for seed in range(12)}
    assert len(imagined) > 1
    own = {tuple(forest_kinds(game.determinize(ALICE, seed=seed), ALICE)) for seed in range(5)}
    assert own == {("tobacco",)}


# -- conservation ----------------------------------------------------------------------------------


def test_forests_are_conserved(edition):
    """I-06, I-04: in classic among twelve, in 1897 among the plantations."""
    game = settler(edition, {ALICE: FORESTER | {"island": {"forest": [2, 0]}}})
    if edition == CLASSIC:
        assert number(game, "forests") + forests(game, ALICE) == 12
    play(game, f"alice {a_forest(edition)}\nbob pass\ncarol pass")
    if edition == CLASSIC:
        assert number(game, "forests") + forests(game, ALICE) == 12
    else:
        assert sum(forest_kinds(game, ALICE).values()) == forests(game, ALICE) == 3
        lying = sum(row(game).values()) + sum(discard(game).values()) + deck_size(game)
        on_islands = sum(len(tiles(game, seat)) for seat in range(3))
        assert lying + on_islands + forests(game, ALICE) == 50
    assert Game.from_dict(game.to_dict()).to_bytes() == game.to_bytes()
