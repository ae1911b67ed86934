"""Situations of the expansions that other programs, pages or players got wrong in public."""

import pytest

from prico_env import IllegalActionError, RuleSetError, catalog
from tests.builders import (
    ALICE,
    BOB,
    BOTH_1897,
    CAROL,
    CLASSIC,
    DAVE,
    EDITIONS,
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
    copies_in_box,
    deck_size,
    discard,
    end_triggered,
    festival,
    finish_phase,
    forests,
    goods,
    house,
    laden,
    new_game,
    number,
    options,
    play,
    register,
    role_coins,
    row,
    rules,
    ship,
    stock,
    supply,
    tiles,
    vp,
    workers,
)

NO_SHIP = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))


def table(edition, seats=None, expansions=(X1,), **words):
    """A round begins."""
    return board(edition=edition, expansions=expansions, seats=seats, **words)


# -- new buildings ---------------------------------------------------------------------------------


def test_the_library_doubles_each_of_three_picks(edition):
    """G100: two players; nothing limits it to one pick a round."""
    game = table(edition, {ALICE: {"island": {}, "city": {"library": 1}}}, players=2)
    play(game, "alice role prospector_1\nbob role captain\nalice role mayor")
    assert coins(game, ALICE) == 3 + 2
    assert all_workers(game, ALICE) == 1 + 2 + 1


def test_a_statue_is_worth_eight_and_nobody_stands_on_it(edition):
    """G103: not sixteen, no circle for the register, no worker of a university."""
    game = table(edition, {ALICE: {"coins": 12, "city": {"university": 1}}}, for_sale=("statue",))
    before = number(game, "worker_supply")
    play(game, "alice role builder\nalice build statue\nbob pass\ncarol pass\ndave pass")
    assert game.scores()[ALICE] == 3 + 8
    assert number(game, "worker_supply") == before
    play(game, "bob role mayor")
    finish_phase(game)
    assert number(game, "register_workers") == 4
    with pytest.raises(IllegalActionError):
        game.step("place:statue")


def test_six_corn_are_two_sets(edition):
    """G104: and quarries and forests are kinds like others; four sets are the most that count."""

    def sets(island):
        seats = {seat: {"island": {}} for seat in (BOB, CAROL, DAVE)}
        seats[ALICE] = {"island": island, "city": {"cloister": 1}}
        return table(edition, seats, row={}).score_table()[ALICE]["cloister"]

    assert sets({"corn": [6, 0]}) == 3
    assert sets({"quarry": [3, 0], "forest": [3, 0]}) == 3
    assert sets({"corn": [6, 0], "quarry": [3, 0], "indigo": [3, 0]}) == 10


def test_the_black_market_takes_one_of_each_and_not_its_own_worker(edition):
    """G106: three goods and no VP do not buy; and an end that was triggered stays so."""
    seat = {"island": {}, "coins": 2, "goods": {"corn": 3}, "city": {"black_market": 1}}
    game = table(edition, {ALICE: seat}, for_sale=("office",))
    play(game, "alice role builder")
    assert "build:office" not in options(game)
    seat |= {"coins": 3, "vp": 1}
    game = table(edition, {ALICE: seat}, for_sale=("office",), vp=0)
    play(game, "alice role builder\nalice build office")
    assert end_triggered(game)
    assert coins(game, ALICE) == 0


@pytest.mark.parametrize(
    ("building", "scored"),
    [("church", 0), ("storehouse", 0), ("guest_house", 1), ("lighthouse", 1), ("statue", 2)],
)
def test_the_church_scores_by_column_and_not_for_itself(edition, building, scored):
    """G107: not by cost, and nothing for the first column."""
    city = {} if building == "church" else {"church": 1}
    game = table(edition, {ALICE: {"coins": 12, "city": city}}, for_sale=(building,))
    play(game, f"alice role builder\nalice build {building}")
    assert vp(game, ALICE) == scored


def test_forests_are_tiles_of_their_own_or_estates_face_down(edition):
    """G109: the classic row and deck keep what they have, the row of 1897 shrinks."""
    game = table(edition, {ALICE: {"city": {"forest_house": 1, "hospice": 1}}})
    before = deck_size(game)
    play(game, "alice role settler")
    play(game, "alice forest" if edition == CLASSIC else "alice forest corn")
    assert forests(game, ALICE) == 1
    assert sum(row(game).values()) == (5 if edition == CLASSIC else 4)
    assert deck_size(game) == before
    assert number(game, "forests") == (11 if edition == CLASSIC else 0)
    assert workers(game, ALICE, "portrait") == 1


def test_the_trading_post_with_a_full_house_and_both_markets(edition):
    """G110: list price and the trader's coin; one sale in all; the house is untouched."""
    seat = {
        "goods": {"coffee": 2},
        "city": {"trading_post": 1, "small_market": 1, "large_market": 1},
    }
    full = ["corn", "indigo", "sugar", "tobacco"]
    game = table(edition, {BOB: seat}, house=full)
    play(game, "alice role trader\nbob post coffee")
    assert coins(game, BOB) == 3 + 4
    assert goods(game, BOB) == {"coffee": 1}
    assert game.phase == "role"


def test_three_mixed_barrels_on_the_small_wharf(edition):
    """G112: one VP, one for the harbor, one as captain: three; and once a phase."""
    seat = {
        "goods": {"corn": 1, "coffee": 2},
        "city": {"small_wharf": 1, "harbor": 1},
    }
    game = table(edition, {ALICE: seat}, ships=NO_SHIP)
    before = supply(game, "coffee")
    play(game, "alice role captain\nalice small_wharf corn\nalice small_wharf coffee")
    play(game, "alice small_wharf coffee")
    assert vp(game, ALICE) == 3
    assert supply(game, "coffee") == before + 2
    assert game.phase == "role"


def test_guests_move_outside_ones_own_turn(edition):
    """G113: in the trader phase of another; one after the other; then they stay."""
    seat = {"island": {"corn": [1, 0]}, "city": {"guest_house": 2, "office": 0}}
    game = table(edition, {CAROL: seat})
    play(game, "alice role trader")
    assert game.turn == CAROL
    play(game, "carol guest corn")
    assert options(game) == {"guest:office", "pass"}
    play(game, "carol guest office")
    assert game.phase == "role"
    play(game, "bob role captain")
    assert workers(game, CAROL, "office") == workers(game, CAROL, "corn") == 1


def test_the_library_of_a_craftsman_who_made_only_corn(edition):
    """G115: one corn in classic, by the letter; two of it in 1897."""
    seat = {"island": {"corn": [1, 1]}, "city": {"library": 1}}
    game = table(edition, {ALICE: seat})
    play(game, "alice role craftsman")
    assert goods(game, ALICE)["corn"] == (2 if edition == CLASSIC else 3)


def test_the_lighthouse_and_a_wharf(edition):
    """G116: no coin in classic, one in 1897; the captain's coin in all, if it is occupied."""
    seat = {"goods": {"corn": 2}, "city": {"lighthouse": 1, "wharf": 1}}
    game = table(edition, {ALICE: seat}, ships=NO_SHIP)
    play(game, "alice role captain\nalice wharf corn")
    assert coins(game, ALICE) == 3 + 1 + (edition != CLASSIC)


def test_the_storehouse_does_not_replace_the_single_barrel(edition):
    """G118: three and one, and warehouses besides."""
    held = {"corn": 4, "coffee": 4, "sugar": 4}
    ships = laden(("tobacco", 1), ("tobacco", 1), ("tobacco", 1))
    seat = {"goods": held, "city": {"storehouse": 1, "large_warehouse": 1}}
    game = table(edition, {ALICE: seat}, ships=ships, check=False)
    play(game, "alice role captain")
    while game.phase == "storage":
        game.step(game.legal_actions()[0])
    assert sum(goods(game, ALICE).values()) == 12
    seat = {"goods": held, "city": {"storehouse": 1}}
    game = table(edition, {ALICE: seat}, ships=ships, check=False)
    play(game, "alice role captain")
    while game.phase == "storage":
        game.step(game.legal_actions()[0])
    assert sum(goods(game, ALICE).values()) == 4


def test_the_large_plant_made_the_indigo(edition):
    """G119: one field and both plants: the aqueduct works."""
    seat = {
        "island": {"indigo": [1, 1]},
        "city": {"small_indigo_plant": 1, "indigo_plant": 1, "aqueduct": 1},
    }
    game = play(table(edition, {BOB: seat}), "alice role craftsman")
    assert goods(game, BOB) == {"indigo": 2}


# -- citizens --------------------------------------------------------------------------------------


def test_the_citizen_on_the_register_is_no_addition(edition):
    """G121: five are required, so four workers and a citizen lie there."""
    game = board(
        "mayor",
        edition=edition,
        expansions=(X2,),
        turn=DAVE,
        seats={ALICE: {"island": {}, "city": {"indigo_plant": 0, "tobacco_storage": 1}}},
    )
    game.settle()
    assert register(game) == (4, 1)


def test_all_hundred_workers_are_in_play_and_may_run_out(edition):
    """G122: with three players as well; that ends nothing."""
    game = new_game(3, edition, expansions=[X2])
    assert number(game, "worker_supply") + number(game, "register_workers") == 100
    game = board(
        "mayor",
        players=3,
        edition=edition,
        expansions=(X2,),
        turn=CAROL,
        workers={"supply": 0, "register": 0},
        citizens={"supply": 0, "register": 0},
        check=False,
    )
    game.settle()
    assert not end_triggered(game)


def test_the_lodge_pays_no_tie_and_looks_last(edition):
    """G124: level before the settling, alone after it."""
    seats = {
        ALICE: {"island": {"sugar": [3, 0]}, "city": {"hunting_lodge": [0, 1]}},
        BOB: {"island": {"indigo": [3, 0]}},
        CAROL: {"island": {"tobacco": [5, 0]}},
    }
    game = table(edition, seats, (X2,), players=3)
    play(game, "alice role settler\nalice pass\nbob pass\ncarol pass")
    assert vp(game, ALICE) == 0
    game = table(edition, seats, (X2,), players=3)
    play(game, "alice role settler\nalice pass\nbob take corn\ncarol pass")
    assert vp(game, ALICE) == 2


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_buildings_share_a_printed_name(edition):
    """G125: in classic the zoning office gives the discount, in 1897 it deals in land."""
    names = catalog.load(edition).building_names
    owners = [name for name, printed in names.items() if printed.lower() == "zoning office"]
    assert owners == {CLASSIC: ["notary"], ENGLISH: ["land_office"], GERMAN: []}[edition]
    assert "zoning_office" not in names


def test_the_villa_is_instead_in_classic_and_extra_in_1897(edition):
    """G127: a citizen of the supply, not of the register; a worker if none is left."""
    seats = {ALICE: {"island": {}, "city": {"villa": [1, 0]}}}
    game = table(
        edition,
        seats,
        (X2,),
        workers={"supply": 60, "register": 4},
        citizens={"supply": 3, "register": 0},
        check=False,
    )
    play(game, "alice role mayor")
    if edition == CLASSIC:
        play(game, "alice villa")
    assert all_citizens(game, ALICE) == 1
    # one stood there and one is the privilege; in classic the fourth unit comes round to her again
    assert all_workers(game, ALICE) == 3
    assert number(game, "citizen_supply") == 3 - 1 - register(game)[1]


def test_the_discount_that_is_shown_is_the_one_that_is_charged(edition):
    """G128: four coins, a price of five, and a worker at the notary."""
    seat = {"coins": 4, "city": {"notary": [1, 0]}}
    game = table(edition, {BOB: seat}, (X2,))
    play(game, "alice role builder\nalice pass")
    assert "build:office" in options(game)
    play(game, "bob build office")
    assert coins(game, BOB) == 0


def test_the_jeweler_counts_for_one_hall_only(edition):
    """G130: two in the guild hall, nothing in the city hall; a coin for each citizen."""
    seat = {"city": {"guild_hall": 1, "city_hall": 1, "jeweler": [1, 0]}, "portrait": [0, 3]}
    game = table(edition, {BOB: seat}, (X2,))
    scores = game.score_table()[BOB]
    assert (scores["guild_hall"], scores["city_hall"]) == (2, 2)
    play(game, "alice role craftsman")
    assert coins(game, BOB) == 3 + 3


@pytest.mark.parametrize("building", ["land_office", "hunting_lodge"])
def test_whoever_stood_on_a_tile_that_goes_is_on_the_portrait(edition, building):
    """G131: not gone, and not in the supply; quarries stay."""
    seat = {"island": {"corn": [1, 1], "quarry": [1, 1]}}
    if building == "land_office":
        seat["city"] = {"land_office": [0, 1]}
        game = table(edition, {ALICE: seat}, (X2,))
        play(game, "alice role trader")
        assert options(game) == {"land:sell:corn", "pass"}
        play(game, "alice land sell corn")
    else:
        seat["city"] = {"hunting_lodge": [1, 0]}
        game = table(edition, {ALICE: seat}, (X2,))
        play(game, "alice role settler\nalice pass\nbob pass\ncarol pass\ndave pass")
        assert options(game) == {"lodge:corn", "pass"}
        play(game, "alice lodge corn")
    assert workers(game, ALICE, "portrait") == 1
    assert tiles(game, ALICE) == ["quarry"]


# -- smuggler --------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH_1897)
def test_the_smuggler_card_never_bears_a_coin(edition):
    """G133: three rounds without a smuggler."""
    game = table(edition, None, (X3,))
    for _ in range(3):
        for role in ("prospector_1", "trader", "captain", "craftsman"):
            game.step(f"role:{role}")
            finish_phase(game)
    assert role_coins(game) == {"settler": 3, "mayor": 3, "builder": 3}


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_captured_trader_is_played_at_the_end_of_the_round(edition):
    """G134: two coins at once, action and privilege later, and no coin on it."""
    game = table(
        edition,
        {ALICE: {"goods": {"sugar": 1}}},
        (X3,),
        roles={"trader": {"coins": 2, "taken_by": None}},
    )
    play(game, "alice role smuggler\nalice capture trader")
    assert coins(game, ALICE) == 5
    play(game, "bob role prospector_1\ncarol role builder")
    finish_phase(game)
    play(game, "dave role craftsman")
    assert (game.phase, game.turn) == ("trader", ALICE)
    play(game, "alice sell sugar")
    assert "trader" not in role_coins(game)
    assert coins(game, ALICE) == 5 + 2 + 1


@pytest.mark.parametrize("edition", BOTH_1897)
def test_a_raid_keeps_three_of_six(edition):
    """G136: the ship of seven is empty, nobody scores."""
    game = table(
        edition, {ALICE: {"city": {"harbor": 1}}}, (X3,), ships=laden(None, None, ("corn", 6))
    )
    play(game, "alice role smuggler\nalice raid 3")
    assert goods(game, ALICE) == {"corn": 3}
    assert ship(game, 3) == (None, 0)
    assert vp(game, ALICE) == 0


@pytest.mark.parametrize("edition", BOTH_1897)
def test_plunder_of_four_with_two_vp_left(edition):
    """G137: four VP, two of them on paper, and the last round."""
    game = table(edition, None, (X3,), house=["corn", "indigo", "sugar", "coffee"], vp=2)
    play(game, "alice role smuggler\nalice plunder")
    assert vp(game, ALICE) == 4
    assert end_triggered(game)
    assert house(game) == {}


# -- festival --------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH_1897)
@pytest.mark.parametrize("way", ["hacienda", "library", "land_office"])
def test_the_third_plantation_counts_however_it_comes(edition, way):
    """G139: not only with the normal action."""
    expansions = (X1, X2, X4)
    seat = {"island": {"corn": [2, 0]}, "city": {way: [1, 0]}}
    game = table(
        edition,
        {ALICE: seat},
        expansions,
        on_top=("corn",),
        festival={"estate": "corn", "goods": None, "building": None},
    )
    nobody_settles = "alice role settler\nalice pass\nbob pass\ncarol pass\ndave pass"
    script = {
        "hacienda": "alice role settler\nalice draw",
        "library": f"{nobody_settles}\nalice take corn",
        "land_office": "alice role trader\nalice land buy",
    }[way]
    play(game, f"{script}\nalice place corn\nalice pass")
    assert festival(game) == {}
    assert workers(game, ALICE, "corn") == 1
    assert workers(game, ALICE, "portrait") == 2


def test_which_buildings_the_festival_draws_from():
    """G140: four in English, all of three VP in German; two players can reach the goal."""
    found = {ENGLISH: set(), GERMAN: set()}
    for edition, names in found.items():
        for seed in range(40):
            game = new_game(2, edition, seed, expansions=[X4])
            building = festival(game)["building"]
            names.add(building)
            assert stock(game)[building] == copies_in_box(2, building)
    assert found[ENGLISH] == {"factory", "university", "harbor", "wharf"}
    assert found[GERMAN] == found[ENGLISH] | {"tobacco_storage", "coffee_roaster"}


def test_expansions_that_an_edition_lacks_are_refused():
    """D-70: with a word about it."""
    with pytest.raises(RuleSetError, match="classic"):
        rules(4, CLASSIC, expansions=[X3])


def test_a_sale_at_the_land_office_is_not_a_second_sale(edition):
    """G056, R-LND-1: one tile and one barrel, and then the turn is over."""
    seat = {
        "island": {"corn": [2, 0]},
        "goods": {"sugar": 1, "coffee": 1},
        "city": {"land_office": [0, 1]},
    }
    game = table(edition, {ALICE: seat}, (X2,))
    play(game, "alice role trader\nalice land sell corn\nalice sell coffee")
    assert game.phase == "role"
    assert goods(game, ALICE) == {"sugar": 1}
    assert sum(discard(game).values()) == (0 if edition == ENGLISH else 1)
