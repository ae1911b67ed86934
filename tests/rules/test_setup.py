"""What lies on the table before anyone decides anything."""

import numpy as np
import pytest

from prico_env import Game
from prico_env.core.api import deal, new_states
from prico_env.vocabulary import BASE_BUILDINGS, GOODS, NUM_TILES, ROLES
from tests.builders import (
    ALICE,
    CLASSIC,
    COINS_IN_BOX,
    GOODS_IN_BOX,
    LARGE,
    PLANTATIONS_IN_BOX,
    PRODUCTION,
    QUARRIES_IN_BOX,
    ROLES_IN_PLAY,
    SHIPS,
    SMALL_COMMERCIAL,
    STARTING_COINS,
    STARTING_TILES,
    VP_IN_BOX,
    all_workers,
    city,
    coins,
    copies_in_box,
    deck_size,
    discard,
    goods,
    house,
    new_game,
    number,
    options,
    role_coins,
    row,
    rules,
    supply,
    tiles,
    vp,
)
from tests.rule_sets import ALL_RULE_SETS


def test_every_edition_seats_two_to_five_players(edition, players):
    """R-SET-1, D-04, Q-02: classic borrows the two-player set-up of 1897."""
    game = new_game(players, edition)
    assert rules(players, edition).players == players
    assert (game.phase, game.turn, game.over) == ("role", ALICE, False)


def test_seat_0_is_the_first_governor_and_the_starting_tiles_follow_it(edition, players):
    """R-SET-2, D-05, Q-07, G008."""
    game = new_game(players, edition, seed=5)
    assert number(game, "governor") == ALICE
    assert tiles(game, ALICE) == ["indigo"]


def test_each_player_starts_with_the_coins_of_the_table_size(edition, players):
    """R-SET-5, G002: one coin fewer than players; three in a two-player game."""
    game = new_game(players, edition)
    assert [coins(game, seat) for seat in range(players)] == [STARTING_COINS[players]] * players


def test_starting_plantations_are_dealt_by_seat_and_unoccupied(edition, players):
    """R-SET-7, G001."""
    game = new_game(players, edition)
    dealt = [tiles(game, seat) for seat in range(players)]
    assert dealt == [[kind] for kind in STARTING_TILES[players]]
    assert [all_workers(game, seat) for seat in range(players)] == [0] * players


def test_players_start_with_nothing_else(edition, players):
    """R-SET-12."""
    game = new_game(players, edition)
    for seat in range(players):
        assert (vp(game, seat), goods(game, seat), city(game, seat)) == (0, {}, [])


def test_the_row_has_a_tile_more_than_players_and_the_rest_is_the_deck(edition, players):
    """R-SET-8, D-07, Q-08, TX-01, TX-02."""
    game = new_game(players, edition)
    assert sum(row(game).values()) == players + 1
    assert deck_size(game) == {2: 30, 3: 43, 4: 41, 5: 39}[players]
    assert discard(game) == {}


def test_no_plantation_is_missing_after_set_up(edition, players):
    """R-SET-6, R-SET-8, Q-09, I-04: two players leave three of each kind in the box."""
    game = new_game(players, edition)
    deck = game.state["deck"][0, : deck_size(game)].tolist()
    for kind, name in enumerate(GOODS):
        on_islands = sum(tiles(game, seat).count(name) for seat in range(players))
        total = deck.count(kind) + row(game).get(name, 0) + on_islands
        assert total == PLANTATIONS_IN_BOX[players][kind]


def test_quarries_lie_in_a_stack_of_their_own(edition, players):
    """R-SET-6, R-SET-9, I-05."""
    assert number(new_game(players, edition), "quarries") == QUARRIES_IN_BOX[players]


def test_role_cards_by_table_size(edition, players):
    """R-SET-10, G004: no prospector with three, one with two or four, two with five."""
    offered = options(new_game(players, edition))
    assert offered == {f"role:{role}" for role in ROLES_IN_PLAY[players]}


def test_no_coins_lie_on_role_cards_and_ships_and_house_are_empty(edition, players):
    """R-SET-10."""
    game = new_game(players, edition)
    assert role_coins(game) == {}
    assert house(game) == {}
    assert game.state["ship_load"][0].tolist() == [0, 0, 0]


def test_cargo_ships_by_table_size_in_ascending_order(edition, players):
    """R-SET-10, TX-02: section I.8 numbers ships by capacity."""
    sizes = rules(players, edition).table["ship_size"][0].tolist()
    assert tuple(size for size in sizes if size > 0) == SHIPS[players]


def test_goods_in_the_supply(edition, players):
    """R-SET-6, R-SET-10, R-CMP-2, TX-02."""
    game = new_game(players, edition)
    assert tuple(supply(game, good) for good in GOODS) == GOODS_IN_BOX[players]


def test_workers_in_the_supply_and_as_many_as_players_on_the_register(edition, players):
    """R-SET-10, Q-03, TX-01, TX-02: 55, 75 and 95 do not count the register."""
    game = new_game(players, edition)
    assert number(game, "worker_supply") == {2: 40, 3: 55, 4: 75, 5: 95}[players]
    assert number(game, "register_workers") == players


def test_vp_in_the_pool(edition, players):
    """R-SET-10, D-01, D-02, Q-01, Q-02, G007, TX-01, TX-03."""
    assert number(new_game(players, edition), "vp_pool") == VP_IN_BOX[edition][players]


def test_the_bank_holds_the_coins_that_players_do_not_have(edition, players):
    """D-03, R-SET-5, R-CMP-1, I-07."""
    bank = COINS_IN_BOX[edition] - players * STARTING_COINS[players]
    assert number(new_game(players, edition), "bank") == bank


def test_building_copies(edition, players):
    """R-SET-4, G005, TX-02: 49 tiles, or one of each commercial and two of each production."""
    game = new_game(players, edition)
    copies = game.state["building_supply"][0, : len(BASE_BUILDINGS)].tolist()
    assert copies == [copies_in_box(players, name) for name in BASE_BUILDINGS]
    assert sum(copies) == (29 if players == 2 else 49)
    assert not game.state["building_supply"][0, len(BASE_BUILDINGS) :].any()


BUILDING_TABLE = {
    # id: cost, VP, column, circles, city spaces (table A.4)
    "small_indigo_plant": (1, 1, 1, 1, 1),
    "small_sugar_mill": (2, 1, 1, 1, 1),
    "indigo_plant": (3, 2, 2, 3, 1),
    "sugar_mill": (4, 2, 2, 3, 1),
    "tobacco_storage": (5, 3, 3, 3, 1),
    "coffee_roaster": (6, 3, 3, 2, 1),
    "small_market": (1, 1, 1, 1, 1),
    "hacienda": (2, 1, 1, 1, 1),
    "construction_hut": (2, 1, 1, 1, 1),
    "small_warehouse": (3, 1, 1, 1, 1),
    "hospice": (4, 2, 2, 1, 1),
    "office": (5, 2, 2, 1, 1),
    "large_market": (5, 2, 2, 1, 1),
    "large_warehouse": (6, 2, 2, 1, 1),
    "factory": (7, 3, 3, 1, 1),
    "university": (8, 3, 3, 1, 1),
    "harbor": (8, 3, 3, 1, 1),
    "wharf": (9, 3, 3, 1, 1),
    "guild_hall": (10, 4, 4, 1, 2),
    "residence": (10, 4, 4, 1, 2),
    "fortress": (10, 4, 4, 1, 2),
    "customs_house": (10, 4, 4, 1, 2),
    "city_hall": (10, 4, 4, 1, 2),
}


@pytest.mark.parametrize("building", BASE_BUILDINGS)
def test_a_building_costs_what_is_printed_on_it(edition, building):
    """Q-04, G005, R-PRD-3: cost, VP, column, circles and city spaces, alike in every edition."""
    table = rules(4, edition).table
    number_ = BASE_BUILDINGS.index(building)
    printed = tuple(
        int(table[field][0, index])
        for field, index in (
            ("cost", number_),
            ("vp", number_),
            ("column", number_),
            ("circles", NUM_TILES + number_),
            ("spaces", number_),
        )
    )
    assert printed == BUILDING_TABLE[building]


def test_the_catalogue_splits_into_plants_shops_and_large_buildings():
    """R-GEN-5, R-PRD-3: 6 production types, 12 small commercial ones and 5 large ones."""
    assert len(PRODUCTION) == 6
    assert len(SMALL_COMMERCIAL) == 12
    assert len(LARGE) == 5
    assert {name for name, printed in BUILDING_TABLE.items() if printed[4] == 2} == set(LARGE)


def test_plantations_and_quarries_have_one_circle(edition):
    """R-MAY-6."""
    assert rules(4, edition).table["circles"][0, :NUM_TILES].tolist() == [1] * NUM_TILES


def test_goods_are_worth_nought_to_four(edition):
    """Q-05, R-TRA-4."""
    assert rules(4, edition).table["good_price"][0].tolist() == [0, 1, 2, 3, 4]


def test_the_same_seed_deals_the_same_game_and_another_seed_another(edition, players):
    """R-INF-3: chance is in the deck, and the deck is in the seed."""
    first, again = new_game(players, edition, seed=3), new_game(players, edition, seed=3)
    assert first.to_bytes() == again.to_bytes()
    decks = {new_game(players, edition, seed=seed).state["deck"].tobytes() for seed in range(5)}
    assert len(decks) == 5


def test_positions_leave_out_what_has_its_value_at_set_up(edition, players):
    """R-SET-10: an empty position is a new game, but for the shuffle."""
    game = Game.from_dict({"rules": {"players": players, "edition": edition}}, seed=8)
    fresh = new_game(players, edition)
    for field in ("coins", "owned", "goods_supply", "building_supply", "role_owner", "house"):
        assert game.state[field].tolist() == fresh.state[field].tolist()
    assert sum(row(game).values()) == players + 1


def test_editions_differ_only_in_the_coins_the_vp_and_a_few_switches(players):
    """D-01, D-03, D-06: the components of one table size are the same in the three boxes."""
    first, second, third = (new_game(players, edition) for edition in COINS_IN_BOX)
    for game in (second, third):
        for field in ("goods_supply", "building_supply", "coins", "owned", "worker_supply"):
            assert game.state[field].tolist() == first.state[field].tolist()
    assert CLASSIC in COINS_IN_BOX
    assert len(ROLES) == 9


@pytest.mark.parametrize("rule_set", ALL_RULE_SETS, ids=repr)
def test_a_deal_over_a_used_record_leaves_nothing_of_what_was_there(rule_set):
    """R-SET-1: every field comes from the start of the rule set or is drawn; none is forgotten."""
    fresh, used = new_states(1), new_states(1)
    used.view(np.uint8)[:] = 0x5A
    used["rules"] = 0
    for states in (fresh, used):
        deal(rule_set.table[0], states[0], 7)
    assert used.tobytes() == fresh.tobytes()


def test_a_deal_leaves_the_start_of_its_rule_set_as_it_was(edition):
    """R-SET-1: it is copied, so that a rule set can deal for ever."""
    rule_set = rules(4, edition)
    before = rule_set.table.tobytes()
    first, again = (Game(rule_set, 3).to_bytes() for _ in range(2))
    assert first == again
    assert rule_set.table.tobytes() == before
