"""The draft of the new buildings: which commercial buildings a game has."""

import pytest

from prico_env import Game, IllegalActionError
from prico_env.vocabulary import BASE_BUILDINGS, CITIZEN_BUILDINGS, GOODS
from tests.builders import (
    ALICE,
    BOB,
    BOTH_1897,
    CLASSIC,
    ENGLISH,
    GERMAN,
    PRODUCTION,
    X1,
    X2,
    X4,
    candidates,
    chosen,
    copies_in_box,
    deck_size,
    festival,
    moves,
    new_game,
    number,
    options,
    play,
    row,
    rules,
    stock,
)
from tests.properties.random_play import playable

COSTS = {name: cost for cost, names in candidates().items() for name in names}
LARGE_TYPES = candidates()[10]


def draft(edition, players=4, expansions=(X1,), **fields):
    """A game whose board is still to be chosen."""
    return new_game(players, edition, expansions=expansions, **fields)


def choose(game, *names):
    """Whoever's turn it is puts these on the board, one after the other."""
    for name in names:
        game.step(f"board:{name}")
    return game


def draft_all(game, last=False):
    """Every seat takes the first type offered, or the last."""
    while game.phase == "draft":
        game.step(game.legal_actions()[-1 if last else 0])
    return game


def offered(game, cost=None):
    """The types that may be picked, of one cost or of all."""
    names = {option.partition(":")[2] for option in options(game)}
    return {name for name in names if cost in (None, COSTS.get(name))}


def chosen_types(game):
    """The commercial types that are in the game."""
    return [name for name in stock(game) if name not in PRODUCTION]


# -- what is chosen from ---------------------------------------------------------------------------


def test_a_game_with_new_buildings_begins_with_a_draft(edition, players):
    """R-X1-2, R-X1-4, R-SET-4: thirty-one commercial types are to choose from."""
    game = draft(edition, players)
    assert (game.phase, game.turn) == ("draft", ALICE)
    assert options(game) == {f"board:{name}" for names in candidates().values() for name in names}
    assert len(options(game)) == 31


def test_production_buildings_stay_on_the_board(edition, players):
    """R-X1-1: before the draft, nothing else is for sale."""
    assert stock(draft(edition, players)) == {
        name: copies_in_box(players, name) for name in PRODUCTION
    }


def test_the_pool_has_fifty_five_tiles(edition):
    """R-X1-2, A.1: twenty-four small types of two copies and seven large ones."""
    game = draft(edition)
    assert sum(copies_in_box(4, name) for name in offered(game)) == 55


@pytest.mark.parametrize("cost", candidates())
def test_the_types_of_each_cost(edition, cost):
    """R-X1-5: as many are chosen as there are slots of the cost, and no more (R-X1-3)."""
    game = draft(edition)
    assert offered(game, cost) == set(candidates()[cost])
    choose(game, *candidates()[cost][: chosen()[cost]])
    assert offered(game, cost) == set()


@pytest.mark.parametrize(
    ("cost", "slots"),
    [(1, 1), (2, 2), (3, 1), (4, 1), (5, 2), (6, 1), (7, 1), (8, 2), (9, 1), (10, 5)],
)
def test_the_slots_of_each_cost(edition, cost, slots):
    """R-X1-3, R-X1-5: seventeen slots, wherever players look for them."""
    game = draft_all(draft(edition), last=True)
    assert sum(COSTS[name] == cost for name in chosen_types(game)) == slots


@pytest.mark.parametrize(
    ("first", "second", "gone"),
    [
        ("black_market", "hacienda", ("construction_hut", "forest_house")),
        ("church", "office", ("large_market", "trading_post")),
    ],
)
def test_a_cost_whose_slots_are_full_is_closed(edition, first, second, gone):
    """TV-25, TV-26, R-X1-4: also for a seat that wants one of the others."""
    game = draft(edition)
    choose(game, first)
    assert f"board:{gone[0]}" in options(game)
    choose(game, second)
    for name in gone:
        with pytest.raises(IllegalActionError):
            game.step(f"board:{name}")


def test_a_type_that_was_chosen_is_not_chosen_again(edition):
    """R-X1-4: one slot of cost two is still open."""
    game = choose(draft(edition), "hacienda")
    assert "board:hacienda" not in options(game)
    assert "board:black_market" in options(game)


# -- how it goes -----------------------------------------------------------------------------------


def test_seats_choose_clockwise_from_the_first_governor(edition, players):
    """R-X1-4, Q-110: seventeen picks, and nobody passes."""
    game = draft(edition, players)
    for pick in range(17):
        assert (game.phase, game.turn) == ("draft", pick % players)
        assert "pass" not in options(game)
        game.step(game.legal_actions()[0])
    assert (game.phase, game.turn) == ("role", ALICE)


def test_no_pick_is_forced(edition, players):
    """R-X1-8: even the last seat has a choice, because no cost has as many slots as types."""
    game = draft(edition, players)
    while game.phase == "draft":
        assert len(options(game)) > 1
        game.step(game.legal_actions()[-1])
    assert not any(move.endswith("!") for move in moves(game)[:17])


def test_the_order_within_the_draft_does_not_matter(edition):
    """R-X1-8: the same types make the same board."""
    first = draft_all(choose(draft(edition), "church", "aqueduct", "office"))
    second = draft_all(choose(draft(edition), "aqueduct", "office", "church"))
    assert stock(first) == stock(second)


def test_a_chosen_type_enters_with_all_its_copies(edition, players):
    """R-X1-6, D-35, Q-110: two of a small type, one with two players, one of a large type."""
    game = choose(draft(edition, players), "library", "statue")
    assert stock(game)["library"] == (1 if players == 2 else 2)
    assert stock(game)["statue"] == 1


def test_twenty_nine_tiles_are_used(edition, table):
    """R-X1-7: twelve small types of two copies and five large ones; 26 go back to the box."""
    game = draft_all(draft(edition, table))
    assert sum(stock(game)[name] for name in chosen_types(game)) == 29


def test_two_players_use_seventeen_tiles(edition):
    """R-X1-6, ER-17: one copy of each."""
    game = draft_all(draft(edition, 2))
    assert [stock(game)[name] for name in chosen_types(game)] == [1] * 17


def test_office_and_trading_post_may_both_be_chosen_or_neither(edition):
    """R-X1-9, D-41: having exactly one of them is advice, not a rule."""
    both = draft_all(choose(draft(edition), "office", "trading_post"))
    assert {"office", "trading_post"} <= set(chosen_types(both))
    neither = draft_all(choose(draft(edition), "church", "large_market"))
    assert not {"office", "trading_post"} & set(chosen_types(neither))


PAIRS = [["office", "trading_post"], ["hacienda", "forest_house"]]


def test_a_table_may_agree_on_buildings_that_exclude_each_other(edition):
    """R-X1-9: `exclusive_buildings`; once one of a pair is chosen, nobody chooses the other."""
    game = draft(edition, exclusive_buildings=PAIRS)
    assert {"office", "trading_post", "hacienda", "forest_house"} <= offered(game)
    choose(game, "office", "forest_house")
    assert not {"trading_post", "hacienda"} & offered(game)
    draft_all(game)
    assert not {"trading_post", "hacienda"} & set(chosen_types(game))


def test_a_draft_with_exclusive_buildings_always_ends_with_a_full_board(edition):
    """R-X1-9, R-X1-3: nobody may take a type that would leave a slot empty for ever."""
    seven = [name for name in LARGE_TYPES if name not in ("statue", "cloister")]
    pairs = [["statue", seven[0]], ["statue", seven[1]], ["cloister", seven[0]]]
    game = draft(edition, exclusive_buildings=pairs)
    # The statue would drive out two of seven, and with them gone the cloister is needed.
    assert "statue" in offered(game)
    choose(game, "statue")
    assert not {seven[0], seven[1]} & offered(game)
    draft_all(game, last=True)
    assert len(set(chosen_types(game)) & set(LARGE_TYPES)) == 5


def test_a_random_board_keeps_exclusive_buildings_apart(edition):
    """R-X1-9: whatever the seed."""
    for seed in playable(range(30)):
        game = new_game(
            4, edition, seed, expansions=[X1], board="random", exclusive_buildings=PAIRS
        )
        for pair in PAIRS:
            assert len(set(pair) & set(chosen_types(game))) <= 1
        assert len(chosen_types(game)) == 17


def test_only_what_was_chosen_is_for_sale(edition):
    """R-X1-6, R-BLD-2: no seat buys a building that stayed in the box."""
    game = draft_all(choose(draft(edition), "aqueduct"))
    play(game, "alice role builder")
    assert "build:aqueduct" in options(game)
    assert "build:small_market" not in options(game)


# -- set-up around it ------------------------------------------------------------------------------


def test_classic_lays_out_twelve_forests():
    """R-X1-10, D-36, D-37."""
    assert number(draft_all(draft(CLASSIC)), "forests") == 12


@pytest.mark.parametrize("edition", BOTH_1897)
def test_1897_has_no_forest_tiles(edition):
    """D-36, D-37: its forests are plantations face down."""
    assert number(draft_all(draft(edition)), "forests") == 0


def test_the_game_without_new_buildings_has_no_forests():
    """R-X1-10: they belong to the new buildings."""
    assert number(new_game(4, CLASSIC), "forests") == 0


def test_everything_else_is_set_up_as_in_the_base_game(edition, players):
    """R-X1-11, R-SET-5, R-SET-7, R-SET-8."""
    game, plain = draft_all(draft(edition, players)), new_game(players, edition)
    for field in ("coins", "owned", "role_owner", "goods_supply", "bank", "vp_pool", "quarries"):
        assert game.state[field].tolist() == plain.state[field].tolist()
    for field in ("worker_supply", "register_workers"):
        assert number(game, field) == number(plain, field)
    assert sum(row(game).values()) == players + 1
    assert deck_size(game) == deck_size(plain)


def test_a_draft_that_is_not_over_can_be_saved(edition):
    """R-X1-4, G154: the position goes on with the same choices."""
    game = choose(draft(edition), "church", "statue", "wharf")
    copy = Game.from_dict(game.to_dict())
    assert options(copy) == options(game)
    assert copy.turn == game.turn
    for other in (game, copy):
        draft_all(other)
    assert copy.state["deck"].tolist() == game.state["deck"].tolist()


# -- boards that nobody drafts ---------------------------------------------------------------------


def test_a_random_board_fits_the_slots(edition, players):
    """R-X1-3, R-X1-5: the seed chooses, and play begins at once."""
    game = draft(edition, players, board="random")
    assert (game.phase, game.turn) == ("role", ALICE)
    costs = [COSTS[name] for name in chosen_types(game)]
    assert {cost: costs.count(cost) for cost in chosen()} == chosen()


def test_a_random_board_depends_on_the_seed(edition):
    """R-INF-3: and on nothing else."""
    boards = {
        seed: tuple(chosen_types(new_game(4, edition, seed, expansions=[X1], board="random")))
        for seed in range(8)
    }
    assert len(set(boards.values())) > 1
    again = new_game(4, edition, 3, expansions=[X1], board="random")
    assert tuple(chosen_types(again)) == boards[3]


def test_a_board_may_be_agreed_beforehand(edition):
    """R-X1-6: a tuple of the seventeen types."""
    board = tuple(chosen_types(draft_all(draft(edition), last=True)))
    game = draft(edition, board=board)
    assert game.phase == "role"
    assert tuple(chosen_types(game)) == board


# -- with citizens ---------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", [CLASSIC, GERMAN])
def test_the_buildings_of_the_citizens_are_added_to_the_draft(edition, players):
    """R-X2-10, D-58, D-84, R-X2-1: seventeen are drafted, eight more are in the game."""
    game = draft(edition, players, (X1, X2))
    assert offered(game) == set(COSTS)
    draft_all(game)
    assert len(moves(game)) == 17
    assert set(CITIZEN_BUILDINGS) <= set(chosen_types(game))
    assert len(chosen_types(game)) == 17 + 8


def test_the_english_draft_chooses_among_them_too(players):
    """R-X2-10, D-58, Q-109: twenty-five picks from thirty-nine types."""
    game = draft(ENGLISH, players, (X1, X2))
    assert offered(game) == set(COSTS) | set(CITIZEN_BUILDINGS)
    for pick in range(25):
        assert (game.phase, game.turn) == ("draft", pick % players)
        assert len(options(game)) > 1
        game.step(game.legal_actions()[-1])
    assert game.phase == "role"


def test_the_slots_of_the_english_draft():
    """R-X2-10, Q-109: one more of each cost from two to eight, and of ten."""
    costs = {name: cost for cost, names in candidates(ENGLISH, (X1, X2)).items() for name in names}
    for last in (False, True):
        game = draft_all(draft(ENGLISH, 4, (X1, X2)), last)
        types = chosen_types(game)
        found = [costs[name] for name in types]
        assert {cost: found.count(cost) for cost in range(1, 11)} == {
            1: 1, 2: 3, 3: 2, 4: 2, 5: 3, 6: 2, 7: 2, 8: 3, 9: 1, 10: 6,
        }  # fmt: skip


def test_the_jeweler_is_a_candidate_of_the_english_draft():
    """Q-109: it competes for a slot of cost eight, the royal garden for one of ten."""
    game = choose(draft(ENGLISH, 4, (X1, X2)), "university", "harbor", "jeweler")
    assert not {"board:library", "board:specialty_factory"} & options(game)
    assert stock(game)["jeweler"] == 2
    assert "board:royal_garden" in options(game)


@pytest.mark.parametrize(
    ("edition", "setup", "picks"),
    [(ENGLISH, "add_all_8", 17), (GERMAN, "draft_extra_slots", 25)],
)
def test_a_table_may_agree_on_the_other_set_up(edition, setup, picks):
    """Q-109, D-58: `x2_with_x1_setup`."""
    game = draft_all(draft(edition, 4, (X1, X2), x2_with_x1_setup=setup))
    assert len(moves(game)) == picks


# -- with the festival -----------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH_1897)
def test_the_building_of_the_festival_is_drawn_after_the_draft(edition):
    """R-FES-11, R-CMB-4, D-74, R-SET-3: the other goals are known while players draft."""
    game = draft(edition, 4, (X1, X4))
    assert set(festival(game)) == {"estate", "goods"}
    draft_all(game)
    assert set(festival(game)) == {"estate", "goods", "building"}


@pytest.mark.parametrize("edition", BOTH_1897)
def test_the_festival_asks_for_a_building_that_is_in_the_game(edition):
    """R-FES-4, R-FES-11, Q-148: any of three VP, production buildings included."""
    found = set()
    for seed in range(40):
        game = new_game(4, edition, seed, expansions=[X1, X4], board="random")
        building = festival(game)["building"]
        found.add(building)
        in_game = {*stock(game), building}
        assert building in in_game
        assert building in PRODUCTION or building in COSTS
        assert COSTS.get(building, 8) in (7, 8, 9)
        # a copy lies on the festival board, so one fewer is for sale
        assert stock(game).get(building, 0) == copies_in_box(4, building) - 1
    assert {"tobacco_storage", "coffee_roaster"} & found
    assert found - set(BASE_BUILDINGS)


def test_forests_and_deck_lie_ready_after_the_draft(edition):
    """R-SET-8: the row is turned up when the board is full."""
    game = draft_all(draft(edition))
    assert set(row(game)) <= set(GOODS)
    assert sum(row(game).values()) == 5
    assert rules(4, edition, expansions=[X1]).board == "draft"


def test_every_seat_may_use_every_type_whoever_chose_it(edition):
    """R-X1-6: a draft is for the table, not for a seat."""
    game = draft_all(choose(draft(edition), "aqueduct"))
    play(game, "alice role builder\nalice pass")
    assert game.turn == BOB
    assert "build:aqueduct" in options(game)
