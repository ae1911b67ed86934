"""The new buildings, one after the other; forests, black market and guest house have own files."""

import itertools

import pytest

from prico_env import IllegalActionError
from prico_env.vocabulary import BUILDINGS, GOODS, DecisionPoint
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
    all_workers,
    board,
    city,
    coins,
    discard,
    end_triggered,
    endings,
    finish_phase,
    goods,
    house,
    laden,
    new_game,
    number,
    options,
    play,
    row,
    supply,
    tiles,
    vp,
    workers,
)

FIGURES = {
    # building: cost, VP, column, circles, copies with three players or more (table A.4)
    "aqueduct": (1, 1, 1, 1, 2),
    "forest_house": (2, 1, 1, 1, 2),
    "black_market": (2, 1, 1, 1, 2),
    "storehouse": (3, 1, 1, 1, 2),
    "guest_house": (4, 2, 2, 2, 2),
    "trading_post": (5, 2, 2, 1, 2),
    "church": (5, 2, 2, 1, 2),
    "small_wharf": (6, 2, 2, 1, 2),
    "lighthouse": (7, 3, 3, 1, 2),
    "specialty_factory": (8, 3, 3, 1, 2),
    "library": (8, 3, 3, 1, 2),
    "union_hall": (9, 3, 3, 1, 2),
    "statue": (10, 8, 4, 0, 1),
    "cloister": (10, 4, 4, 1, 1),
}


def after(edition, script, seat, who=ALICE, expansions=(X1,), **words):
    """The board after a script, played by a seat with these pieces."""
    words.setdefault("seats", {})[who] = seat
    return play(board(edition=edition, expansions=expansions, **words), script)


NOBODY_HAS_TILES = {seat: {"island": {}} for seat in (BOB, CAROL, DAVE)}


def bonus(edition, building, city=None, **seat):
    """What an occupied large building adds to chips and printed VP."""
    game = board(
        edition=edition,
        expansions=(X1,),
        seats={ALICE: seat | {"city": {building: 1} | (city or {})}} | NOBODY_HAS_TILES,
        row={},
    )
    return game.score_table()[ALICE][building]


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_of_each_building(edition, name):
    """A.4, R-GEN-7, R-X1-6: printed ones, and those that examples and lists imply."""
    table = board(edition=edition, expansions=(X1,)).rules.table[0]
    place = BUILDINGS.index(name)
    circles = int(table["circles"][6 + place])
    found = [int(table[field][place]) for field in ("cost", "vp", "column")]
    assert (*found, circles, int(table["copies"][place])) == FIGURES[name]


# -- aqueduct --------------------------------------------------------------------------------------

LARGE_PLANTS = {
    "island": {"indigo": [1, 1], "sugar": [3, 3]},
    "city": {"aqueduct": 1, "indigo_plant": 1, "sugar_mill": 3},
}


def test_the_aqueduct_adds_an_indigo_and_a_sugar(edition):
    """TV-27, R-AQU-1, R-CRA-3: one from the large plant makes two, three make four."""
    game = after(edition, "alice role craftsman", LARGE_PLANTS, BOB)
    assert goods(game, BOB) == {"indigo": 2, "sugar": 4}


def test_small_plants_never_feed_the_aqueduct(edition):
    """TX-36, R-AQU-2."""
    seat = {"island": {"sugar": [1, 1]}, "city": {"aqueduct": 1, "small_sugar_mill": 1}}
    game = after(edition, "alice role craftsman", seat, BOB)
    assert goods(game, BOB) == {"sugar": 1}


def test_the_aqueduct_needs_a_barrel_in_the_supply(edition):
    """TX-36, R-AQU-4, Q-66."""
    seat = {"island": {"sugar": [2, 2]}, "city": {"aqueduct": 1, "sugar_mill": 2}}
    left = dict.fromkeys(GOODS, 5) | {"sugar": 2}
    game = after(edition, "alice role craftsman", seat, BOB, goods=left)
    assert goods(game, BOB) == {"sugar": 2}
    assert supply(game, "sugar") == 0


def test_the_aqueduct_needs_an_occupied_large_plant(edition):
    """R-AQU-3: the small one does the work, the large one is empty."""
    seat = {
        "island": {"sugar": [1, 1]},
        "city": {"aqueduct": 1, "small_sugar_mill": 1, "sugar_mill": 0},
    }
    game = after(edition, "alice role craftsman", seat, BOB)
    assert goods(game, BOB) == {"sugar": 1}


def test_the_owner_says_where_the_crop_went(edition):
    """R-AQU-3, Q-64, G119: one field, both plants occupied: it was the large one."""
    seat = {
        "island": {"indigo": [1, 1]},
        "city": {"aqueduct": 1, "small_indigo_plant": 1, "indigo_plant": 1},
    }
    game = after(edition, "alice role craftsman", seat, BOB)
    assert goods(game, BOB) == {"indigo": 2}


def test_the_aqueduct_needs_something_produced(edition):
    """R-AQU-3: occupied plants without plantations give no water work."""
    seat = {"island": {"sugar": [1, 0]}, "city": {"aqueduct": 1, "sugar_mill": 1}}
    game = after(edition, "alice role craftsman", seat, BOB)
    assert goods(game, BOB) == {}


def test_an_extra_barrel_is_no_new_kind(edition):
    """R-AQU-5, Q-65, R-FAC-1: the factory pays for two kinds."""
    seat = LARGE_PLANTS | {"city": LARGE_PLANTS["city"] | {"factory": 1}}
    game = after(edition, "alice role craftsman", seat, BOB)
    assert coins(game, BOB) == 3 + 1


def test_tobacco_and_coffee_need_no_water(edition):
    """R-AQU-1: indigo and sugar only."""
    seat = {
        "island": {"tobacco": [2, 2], "coffee": [1, 1]},
        "city": {"aqueduct": 1, "tobacco_storage": 2, "coffee_roaster": 1},
    }
    game = after(edition, "alice role craftsman", seat, BOB)
    assert goods(game, BOB) == {"tobacco": 2, "coffee": 1}


def test_the_next_seat_finds_what_the_aqueduct_left(edition):
    """R-CRA-3, Q-60: the extra comes directly after the own production."""
    left = dict.fromkeys(GOODS, 5) | {"sugar": 3}
    seat = {"island": {"sugar": [2, 2]}, "city": {"aqueduct": 1, "sugar_mill": 2}}
    poor = {"island": {"sugar": [1, 1]}, "city": {"small_sugar_mill": 1}}
    game = after(edition, "alice role craftsman", seat, BOB, seats={CAROL: poor}, goods=left)
    assert (goods(game, BOB), goods(game, CAROL)) == ({"sugar": 3}, {})


# -- storehouse ------------------------------------------------------------------------------------


NOTHING_FITS = laden(("sugar", 1), ("sugar", 1), ("sugar", 1))
"""No ship that takes anything but sugar."""


def storing(edition, barrels, expansions=(X1,), **buildings):
    """Everything Alice can be left with when nothing could be loaded."""
    game = board(
        edition=edition,
        expansions=expansions,
        seats={ALICE: {"goods": barrels, "city": buildings}},
        ships=NOTHING_FITS,
        check=False,
    )
    game.step("role:captain")
    found = endings(game) if game.phase == "storage" else [game]
    return sorted(tuple(sorted(goods(end, ALICE).items())) for end in found)


def test_the_storehouse_keeps_three_barrels_more(edition):
    """TX-52, R-STO-1, R-CAP-10: any four of six."""
    assert storing(edition, {"corn": 5, "coffee": 1}, storehouse=1) == [
        (("coffee", 1), ("corn", 3)),
        (("corn", 4),),
    ]


def test_the_storehouse_adds_to_the_large_warehouse(edition):
    """R-STO-1, Q-100, G118: two kinds whole, then four single barrels of the third."""
    held = {"corn": 5, "indigo": 5, "coffee": 5}
    assert storing(edition, held, storehouse=1, large_warehouse=1) == [
        (("coffee", 4), ("corn", 5), ("indigo", 5)),
        (("coffee", 5), ("corn", 4), ("indigo", 5)),
        (("coffee", 5), ("corn", 5), ("indigo", 4)),
    ]


def test_the_storehouse_adds_to_the_small_warehouse():
    """R-STO-1, Q-100, G118: both are in one game where the draft has a slot more of cost three."""
    found = storing(ENGLISH, {"corn": 5, "coffee": 5}, (X1, X2), storehouse=1, small_warehouse=1)
    assert found == [(("coffee", 4), ("corn", 5)), (("coffee", 5), ("corn", 4))]


STORES = {
    # what is occupied: kinds kept whole, single barrels
    (): (0, 1),
    ("storehouse",): (0, 4),
    ("large_warehouse",): (2, 1),
    ("storehouse", "large_warehouse"): (2, 4),
}
HELD = (
    {"corn": 3, "indigo": 1, "coffee": 2},
    {"corn": 1, "indigo": 1, "tobacco": 1, "coffee": 1},
    {"corn": 6, "tobacco": 5, "coffee": 3},
)


def outcomes(held, kinds, singles):
    """Everything that may be kept: so many kinds whole, and so many barrels of the rest."""
    found = set()
    for whole in itertools.combinations(held, min(kinds, len(held))):
        rest = [good for good in held if good not in whole for _ in range(held[good])]
        for kept in itertools.combinations(rest, min(singles, len(rest))):
            barrels = {good: held[good] for good in whole}
            for good in kept:
                barrels[good] = barrels.get(good, 0) + 1
            found.add(tuple(sorted(barrels.items())))
    return sorted(found)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("buildings", STORES)
def test_each_way_to_store_comes_by_exactly_one_sequence(edition, held, buildings):
    """R-CAP-10, R-CAP-11, R-STO-1, Q-100, Q-101: none is missing, none comes twice."""
    found = storing(edition, held, **dict.fromkeys(buildings, 1))
    assert found == outcomes(held, *STORES[buildings])


def test_an_unoccupied_storehouse_keeps_nothing(edition):
    """R-STO-1, R-GEN-2."""
    assert storing(edition, {"corn": 5}, storehouse=0) == [(("corn", 1),)]


# -- trading post ----------------------------------------------------------------------------------


def test_the_trading_post_buys_a_kind_that_the_house_has(edition):
    """TX-40, R-TPO-1, R-TPO-2, R-TPO-3, R-TPO-4, R-SMK-3, D-47, G110: no markets, but the coin."""
    seat = {
        "goods": {"coffee": 1},
        "city": {"trading_post": 1, "small_market": 1, "large_market": 1},
    }
    game = after(edition, "alice role trader", seat, house=["coffee"])
    before = supply(game, "coffee")
    assert options(game) == {"post:coffee", "pass"}
    play(game, "alice post coffee")
    assert coins(game, ALICE) == 3 + 4 + 1
    assert supply(game, "coffee") == before + 1
    assert house(game) == {"coffee": 1}


@pytest.mark.parametrize("good", GOODS)
def test_the_trading_post_pays_the_price(edition, good):
    """R-TPO-2, Q-81, D-47: whoever is not the trader gets no coin more."""
    seat = {"goods": {good: 1}, "city": {"trading_post": 1}}
    game = after(edition, f"alice role trader\nbob post {good}", seat, BOB)
    assert coins(game, BOB) == 3 + GOODS.index(good)


def test_the_trading_post_buys_when_the_house_is_full(edition):
    """TX-41, R-TPO-5, R-TRA-7, D-23, D-46, Q-80, G110."""
    seat = {"goods": {"tobacco": 1}, "city": {"trading_post": 1}}
    full = ["corn", "indigo", "sugar", "coffee"]
    game = after(edition, "alice role trader", seat, BOB, house=full)
    assert (game.turn, options(game)) == (BOB, {"post:tobacco", "pass"})
    play(game, "bob post tobacco")
    assert coins(game, BOB) == 3 + 3


def test_a_table_may_close_the_post_with_the_house(edition):
    """D-46, Q-80: `trading_post_after_house_full`."""
    seat = {"goods": {"tobacco": 1}, "city": {"trading_post": 1}}
    game = after(
        edition,
        "alice role trader",
        seat,
        BOB,
        house=["corn", "indigo", "sugar", "coffee"],
        switches={"trading_post_after_house_full": False},
    )
    assert game.phase == "role"
    assert coins(game, BOB) == 3


def test_one_barrel_is_sold_house_or_post(edition):
    """R-TRA-1, R-TPO-1, Q-81, G110, G056."""
    seat = {"goods": {"tobacco": 2}, "city": {"trading_post": 1, "office": 1}}
    game = after(edition, "alice role trader", seat)
    assert options(game) == {"sell:tobacco", "post:tobacco", "pass"}
    play(game, "alice post tobacco")
    assert game.phase == "role"
    assert goods(game, ALICE) == {"tobacco": 1}


def test_the_markets_pay_at_the_house_all_the_same(edition):
    """R-TPO-3, R-SMK-2: who has a post may sell to the house."""
    seat = {"goods": {"coffee": 1}, "city": {"trading_post": 1, "large_market": 1}}
    game = after(edition, "alice role trader\nalice sell coffee", seat)
    assert coins(game, ALICE) == 3 + 4 + 1 + 2


def test_the_library_counts_at_the_post(edition):
    """R-TPO-2, R-LIB-1: two coins for the trader."""
    seat = {"goods": {"corn": 1}, "city": {"trading_post": 1, "library": 1}}
    game = after(edition, "alice role trader\nalice post corn", seat)
    assert coins(game, ALICE) == 3 + 0 + 2


# -- church ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("building", "scored"),
    [
        ("small_market", 0), ("small_sugar_mill", 0), ("sugar_mill", 1), ("office", 1),
        ("wharf", 1), ("coffee_roaster", 1), ("statue", 2), ("fortress", 2),
    ],
)  # fmt: skip
def test_the_church_scores_a_building_by_its_column(edition, building, scored):
    """TX-32, R-CHU-1, Q-55, G107: production buildings included."""
    seat = {"coins": 12, "city": {"church": 1}}
    game = after(edition, f"alice role builder\nalice build {building}", seat, for_sale=(building,))
    assert vp(game, ALICE) == scored
    assert number(game, "vp_pool") == game.rules.vp_pool - scored


def test_the_church_scores_nothing_for_itself(edition):
    """R-CHU-2, D-48, G107: not even when the university occupies it at once."""
    seat = {"coins": 12, "city": {"university": 1}}
    game = after(edition, "alice role builder\nalice build church", seat, for_sale=("church",))
    assert workers(game, ALICE, "church") == 1
    assert vp(game, ALICE) == 0


def test_an_unoccupied_church_scores_nothing(edition):
    """R-CHU-1, Q-55."""
    seat = {"coins": 12, "city": {"church": 0}}
    game = after(edition, "alice role builder\nalice build wharf", seat, for_sale=("wharf",))
    assert vp(game, ALICE) == 0


def test_buildings_of_others_are_none_of_its_business(edition):
    """R-CHU-1."""
    game = after(
        edition,
        "alice role builder\nalice pass\nbob build sugar_mill",
        {"city": {"church": 1}},
        seats={BOB: {"coins": 9}},
    )
    assert (vp(game, ALICE), vp(game, BOB)) == (0, 0)


def test_the_last_vp_may_be_that_of_a_church(edition):
    """Q-103, R-END-3, section I.2: also outside the captain phase."""
    seat = {"coins": 12, "city": {"church": 1}}
    game = after(
        edition, "alice role builder\nalice build statue", seat, for_sale=("statue",), vp=2
    )
    assert number(game, "vp_pool") == 0
    assert end_triggered(game)


# -- small wharf -----------------------------------------------------------------------------------

FIVE_MIXED = {"corn": 2, "indigo": 2, "coffee": 1}


def test_five_barrels_on_the_small_wharf(edition):
    """TX-46, R-SWF-1, R-SWF-4, Q-96, Q-97, G112: two VP, one as captain and one for the harbor."""
    seat = {"goods": FIVE_MIXED, "city": {"small_wharf": 1, "harbor": 1}}
    game = after(edition, "alice role captain", seat)
    play(game, "alice small_wharf corn\nalice small_wharf corn\nalice small_wharf indigo")
    play(game, "alice small_wharf indigo\nalice small_wharf coffee")
    assert vp(game, ALICE) == 2 + 1 + 1
    assert goods(game, ALICE) == {}


def test_one_barrel_on_the_small_wharf_is_gone_for_nothing(edition):
    """TX-47, R-SWF-1, Q-98, R-CAP-6."""
    seat = {"goods": {"corn": 1}, "city": {"small_wharf": 1}}
    game = after(edition, "alice role captain", seat, BOB)
    before = supply(game, "corn")
    play(game, "bob small_wharf corn")
    assert vp(game, BOB) == 0
    assert goods(game, BOB) == {}
    assert supply(game, "corn") == before + 1


def test_half_is_rounded_down_over_all_kinds(edition):
    """R-SWF-1, Q-98, D-49: one corn, one indigo and one coffee are one pair."""
    seat = {
        "goods": {"corn": 1, "indigo": 1, "coffee": 1},
        "city": {"small_wharf": 1},
    }
    game = after(edition, "alice role captain", seat, BOB)
    play(game, "bob small_wharf corn\nbob small_wharf indigo\nbob small_wharf coffee")
    assert vp(game, BOB) == 1


def test_barrels_may_be_held_back_from_the_small_wharf(edition):
    """R-SWF-2, D-49: two of five go."""
    seat = {"goods": FIVE_MIXED, "city": {"small_wharf": 1}}
    game = after(edition, "alice role captain", seat, BOB, ships=NOTHING_FITS, check=False)
    play(game, "bob small_wharf corn\nbob small_wharf indigo\nbob pass")
    assert game.phase == "storage"
    assert goods(game, BOB) == {"corn": 1, "indigo": 1, "coffee": 1}
    assert vp(game, BOB) == 1


def test_every_selection_comes_by_exactly_one_sequence(edition):
    """R-SWF-1: kinds ascend, so two corn and a coffee can be said in one way only."""
    seat = {"goods": {"corn": 2, "coffee": 1}, "city": {"small_wharf": 1}}
    switches = {"skip_forced": False}
    game = after(
        edition, "alice role captain", seat, BOB, ships=NOTHING_FITS, switches=switches, check=False
    )
    while game.turn != BOB:
        game.step("pass")
    assert options(game) == {"small_wharf:corn", "small_wharf:coffee", "pass"}
    found = []
    waiting = [stepped(game, name) for name in options(game) - {"pass"}]
    while waiting:
        here = waiting.pop()
        if here.state["decision_point"][0] == DecisionPoint.SMALL_SHIP:
            waiting += [stepped(here, name) for name in options(here)]
        else:
            found.append(tuple(goods(here, BOB).items()))
    assert len(found) == len(set(found)) == 3 * 2 - 1


def stepped(game, name):
    """A copy of a game after one decision."""
    copy = game.clone()
    copy.step(name)
    return copy


def test_the_small_wharf_sails_once_a_phase(edition):
    """R-SWF-1, G112."""
    seat = {"goods": {"corn": 3}, "city": {"small_wharf": 1}}
    ships = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))
    game = after(edition, "alice role captain", seat, BOB, ships=ships)
    play(game, "bob small_wharf corn\nbob pass")
    assert game.phase != "captain"
    assert vp(game, BOB) == 0


def test_the_small_wharf_sails_again_in_the_next_captain_phase(edition):
    """R-SWF-1, G070: once a phase, not once a game."""
    seat = {"goods": {"corn": 2}, "city": {"small_wharf": 1}}
    ships = laden(("sugar", 1), ("tobacco", 1), players=2)
    game = after(edition, "alice role captain", seat, BOB, players=2, ships=ships)
    play(game, "bob small_wharf corn\nbob pass")
    for role in ("prospector_1", "craftsman", "trader", "builder", "settler"):
        assert goods(game, BOB) == {"corn": 1}
        game.step(f"role:{role}")
        finish_phase(game)
    assert game.round == 2
    play(game, "bob role captain")
    assert "small_wharf:corn" in options(game)


def test_wharf_and_small_wharf_sail_in_one_phase(edition):
    """R-SWF-3: on different turns, in any order."""
    for first, second in (
        ("small_wharf corn", "wharf coffee"),
        ("wharf coffee", "small_wharf corn"),
    ):
        seat = {"goods": {"corn": 1, "coffee": 2}, "city": {"small_wharf": 1, "wharf": 1}}
        ships = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))
        game = after(edition, "alice role captain", seat, BOB, ships=ships)
        play(game, f"bob {first}")
        if "small_wharf" in first:
            play(game, "bob pass")
        play(game, f"bob {second}")
        assert vp(game, BOB) == 2
        assert goods(game, BOB) == {}


def test_the_small_wharf_is_never_compulsory(edition):
    """R-SWF-1, R-CAP-2, R-GEN-3: nothing fits, and the seat keeps its barrel."""
    seat = {"goods": {"corn": 1}, "city": {"small_wharf": 1}}
    ships = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))
    game = after(edition, "alice role captain", seat, BOB, ships=ships)
    assert options(game) == {"small_wharf:corn", "pass"}
    play(game, "bob pass")
    assert goods(game, BOB) == {"corn": 1}


def test_the_small_wharf_stands_in_for_a_compulsory_load(edition):
    """R-CAP-2: a cargo ship could take the corn, so passing is not allowed, but this is."""
    seat = {"goods": {"corn": 2}, "city": {"small_wharf": 1}}
    ships = laden(("corn", 1), ("tobacco", 1), ("indigo", 1))
    game = after(edition, "alice role captain", seat, BOB, ships=ships)
    assert options(game) == {"load:corn:1", "small_wharf:corn"}
    with pytest.raises(IllegalActionError):
        game.step("pass")


# -- lighthouse ------------------------------------------------------------------------------------


def test_the_lighthouse_pays_for_loads(edition):
    """TX-48, R-LGT-1, R-LGT-2, D-50, D-51, G116: as captain one, then cargo ship and wharf."""
    seat = {"goods": {"corn": 2, "coffee": 1}, "city": {"lighthouse": 1, "wharf": 1}}
    ships = laden(("corn", 1), ("tobacco", 1), ("indigo", 1))
    game = after(
        edition, "alice role captain\nalice load corn 1\nalice wharf coffee", seat, ships=ships
    )
    assert coins(game, ALICE) == 3 + (2 if edition == CLASSIC else 3)


def test_the_captains_coin_comes_without_any_load(edition):
    """TX-49, R-LGT-2, D-51, G116."""
    game = after(edition, "alice role captain", {"city": {"lighthouse": 1}})
    assert coins(game, ALICE) == 3 + 1


def test_a_lighthouse_is_not_only_for_captains(edition):
    """R-LGT-3: a coin for each load, none for the phase."""
    seat = {"goods": {"corn": 1, "coffee": 1}, "city": {"lighthouse": 1}}
    game = after(edition, "alice role captain\nbob load corn 1\nbob load coffee 2", seat, BOB)
    assert coins(game, BOB) == 3 + 2


def test_an_unoccupied_lighthouse_pays_nothing(edition):
    """R-LGT-2, R-GEN-2, G116."""
    game = after(edition, "alice role captain", {"city": {"lighthouse": 0}})
    assert coins(game, ALICE) == 3


def test_the_library_does_not_double_the_lighthouse(edition):
    """R-LGT-4, R-LIB-8, Q-73: it is no privilege."""
    game = after(edition, "alice role captain", {"city": {"lighthouse": 1, "library": 1}})
    assert coins(game, ALICE) == 3 + 1


def test_the_small_wharf_and_the_lighthouse(edition):
    """R-SWF-4, R-LGT-1, D-50."""
    seat = {"goods": {"corn": 2}, "city": {"lighthouse": 1, "small_wharf": 1}}
    ships = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))
    game = after(edition, "alice role captain", seat, BOB, ships=ships)
    play(game, "bob small_wharf corn\nbob small_wharf corn")
    assert coins(game, BOB) == 3 + (0 if edition == CLASSIC else 1)


@pytest.mark.parametrize("counts", [True, False])
def test_a_table_may_count_wharves_or_not(edition, counts):
    """D-50: `lighthouse_counts_wharves`."""
    seat = {"goods": {"corn": 2}, "city": {"lighthouse": 1, "wharf": 1}}
    ships = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))
    switches = {"lighthouse_counts_wharves": counts}
    game = after(edition, "alice role captain", seat, BOB, ships=ships, switches=switches)
    play(game, "bob wharf corn")
    assert coins(game, BOB) == 3 + counts


# -- specialty factory -----------------------------------------------------------------------------

TWO_CROPS = {
    "island": {"corn": [4, 4], "sugar": [3, 3], "coffee": [2, 2]},
    "city": {"specialty_factory": 1, "sugar_mill": 3, "coffee_roaster": 2},
}


def test_the_specialty_is_the_kind_produced_most(edition):
    """TV-34, R-SPF-1, R-SPF-2, R-CRA-5, Q-76: four corn do not count, three sugar pay two."""
    game = after(edition, "alice role craftsman", TWO_CROPS, BOB)
    assert goods(game, BOB) == {"corn": 4, "sugar": 3, "coffee": 2}
    assert coins(game, BOB) == 3 + 2


def test_six_sugar_with_aqueduct_and_privilege(edition):
    """TV-35, R-SPF-3, R-AQU-5, Q-75, D-52, ER-10: four from mills, one each besides."""
    seat = {
        "island": {"sugar": [4, 4]},
        "city": {"specialty_factory": 1, "sugar_mill": 3, "small_sugar_mill": 1, "aqueduct": 1},
    }
    game = after(edition, "alice role craftsman", seat)
    assert goods(game, ALICE) == {"sugar": 6}
    assert coins(game, ALICE) == 3 + 5


@pytest.mark.parametrize(("counts", "paid"), [(True, 5), (False, 4)])
def test_a_table_may_leave_the_privilege_out(edition, counts, paid):
    """D-52, Q-75: `specialty_counts_privilege`."""
    seat = {
        "island": {"sugar": [4, 4]},
        "city": {"specialty_factory": 1, "sugar_mill": 3, "small_sugar_mill": 1, "aqueduct": 1},
    }
    switches = {"specialty_counts_privilege": counts}
    game = after(edition, "alice role craftsman", seat, switches=switches)
    assert coins(game, ALICE) == 3 + paid


@pytest.mark.parametrize(
    "crop",
    [
        {"island": {"coffee": [1, 1]}, "city": {"coffee_roaster": 1}},
        {"island": {"corn": [5, 5]}, "city": {}},
        {"island": {}, "city": {}},
    ],
)
def test_one_barrel_or_corn_pays_nothing(edition, crop):
    """TX-37, R-SPF-1, R-SPF-2, Q-76."""
    seat = crop | {"city": crop["city"] | {"specialty_factory": 1}}
    game = after(edition, "alice role craftsman", seat, BOB)
    assert coins(game, BOB) == 3


def test_the_specialty_of_the_craftsman_is_paid_after_the_privilege(edition):
    """R-CRA-5, R-SPF-3, R-CMB-8: the choice of the barrel makes the difference."""
    for choice, paid in (("sugar", 3), ("coffee", 2), ("corn", 2)):
        game = after(edition, f"alice role craftsman\nalice privilege {choice}", TWO_CROPS)
        assert coins(game, ALICE) == 3 + paid


def test_factory_and_specialty_both_pay(edition):
    """R-SPF-4: three kinds two coins, three sugar two coins."""
    seat = TWO_CROPS | {"city": TWO_CROPS["city"] | {"factory": 1}}
    game = after(edition, "alice role craftsman", seat, BOB)
    assert coins(game, BOB) == 3 + 2 + 2


# -- library ---------------------------------------------------------------------------------------


def test_the_library_gives_the_mayor_two_workers(edition):
    """R-LIB-1, R-MAY-1, Q-70: what a privilege gives is doubled, and nothing else."""
    game = after(edition, "alice role mayor", {"city": {"library": 1}})
    assert all_workers(game, ALICE) == 1 + 2 + 1


def test_the_library_gives_the_last_worker_alone(edition):
    """Q-41, R-LIB-1, R-MAY-1: as many as there are."""
    game = after(
        edition,
        "alice role mayor",
        {"city": {"library": 1}},
        workers={"supply": 1, "register": 4},
    )
    assert all_workers(game, ALICE) == 1 + 1 + 1


def test_the_library_takes_two_coins_off_a_building(edition):
    """TX-24, R-BLD-6, R-LIB-1: ten less four quarries less two."""
    seat = {"coins": 4, "island": {"quarry": [4, 4]}, "city": {"library": 1}}
    game = after(
        edition, "alice role builder\nalice build city_hall", seat, for_sale=("city_hall",)
    )
    assert coins(game, ALICE) == 0


def test_the_library_and_both_markets(edition):
    """TX-38, R-TRA-4, R-LIB-1: coffee four, trader two, markets three."""
    seat = {"goods": {"coffee": 1}, "city": {"library": 1, "small_market": 1, "large_market": 1}}
    game = after(edition, "alice role trader\nalice sell coffee", seat)
    assert coins(game, ALICE) == 3 + 9


def test_the_library_gives_the_captain_two_vp_once(edition):
    """R-LIB-1, R-CAP-7."""
    seat = {"goods": {"corn": 1, "coffee": 1}, "city": {"library": 1}}
    game = after(edition, "alice role captain\nalice load corn 1\nalice load coffee 2", seat)
    assert vp(game, ALICE) == 1 + 2 + 1


def test_the_library_gives_the_prospector_two_coins(edition):
    """R-LIB-1, R-PRO-1, Q-74."""
    game = after(edition, "alice role prospector_1", {"city": {"library": 1}})
    assert coins(game, ALICE) == 3 + 2


def test_the_library_does_not_double_coins_on_a_card(edition):
    """R-LIB-8, Q-73, R-ROL-4."""
    game = after(
        edition,
        "alice role prospector_1",
        {"city": {"library": 1}},
        roles={"prospector_1": {"coins": 3, "taken_by": None}},
    )
    assert coins(game, ALICE) == 3 + 3 + 2


def test_the_library_serves_only_the_role_of_its_owner(edition):
    """R-LIB-9: Bob's library does nothing for Alice's trader, nor for Bob in her phase."""
    seat = {"goods": {"coffee": 1}, "city": {"library": 1}}
    game = after(edition, "alice role trader\nbob sell coffee", seat, BOB)
    assert coins(game, BOB) == 3 + 4


def test_an_unoccupied_library_doubles_nothing(edition):
    """R-LIB-2, Q-71."""
    game = after(edition, "alice role prospector_1", {"city": {"library": 0}})
    assert coins(game, ALICE) == 3 + 1


def test_every_role_of_a_round_is_doubled_with_two_players(edition):
    """G100, R-LIB-9: each pick of three."""
    seat = {"city": {"library": 1}}
    game = after(edition, "alice role prospector_1\nbob role captain", seat, players=2)
    play(game, "alice role mayor")
    assert coins(game, ALICE) == 3 + 2
    assert all_workers(game, ALICE) == 1 + 2 + 1


# -- library: the settler --------------------------------------------------------------------------

OTHERS_PASS = "bob pass\ncarol pass\ndave pass"


def test_the_second_tile_comes_after_everybody_else(edition):
    """R-LIB-3, R-LIB-4, R-STL-10: out of what is left."""
    game = after(edition, "alice role settler\nalice take corn", {"city": {"library": 1}})
    assert game.turn == BOB
    play(game, "bob take coffee\ncarol take sugar\ndave take tobacco")
    assert (game.phase, game.turn) == ("settler", ALICE)
    assert options(game) == {"take:indigo", "pass"}
    play(game, "alice take indigo")
    assert tiles(game, ALICE) == ["corn", "indigo", "indigo"]


def test_the_second_tile_may_be_declined(edition):
    """R-LIB-4, R-GEN-3."""
    script = f"alice role settler\nalice take corn\n{OTHERS_PASS}\nalice pass"
    game = after(edition, script, {"city": {"library": 1}})
    assert tiles(game, ALICE) == ["corn", "indigo"]
    assert (game.phase, game.turn) == ("role", BOB)


def test_the_second_tile_is_a_quarry_only_with_a_hut(edition):
    """TX-15, R-LIB-5, R-HUT-3, D-54, Q-30."""
    for hut, quarry in ((0, False), (1, True)):
        seat = {"city": {"library": 1, "construction_hut": hut}}
        game = after(edition, f"alice role settler\nalice take quarry\n{OTHERS_PASS}", seat)
        assert ("take:quarry" in options(game)) is quarry
        assert "take:corn" in options(game)


def test_two_quarries_with_library_and_hut(edition):
    """R-LIB-5, R-HUT-3, Q-23, Q-30."""
    seat = {"city": {"library": 1, "construction_hut": 1}}
    script = f"alice role settler\nalice take quarry\n{OTHERS_PASS}\nalice take quarry"
    game = after(edition, script, seat)
    assert tiles(game, ALICE) == ["indigo", "quarry", "quarry"]


def test_the_hospice_serves_the_first_tile_only(edition):
    """TX-14, R-HOS-4, R-LIB-6, D-13, D-55."""
    seat = {"city": {"library": 1, "hospice": 1}}
    script = f"alice role settler\nalice take corn\n{OTHERS_PASS}\nalice take coffee"
    game = after(edition, script, seat)
    assert workers(game, ALICE, "corn") == 1
    assert workers(game, ALICE, "coffee") == 0


def test_the_second_tile_is_second_even_if_there_was_no_first(edition):
    """Q-22, R-HOS-4: no worker comes with it."""
    seat = {"city": {"library": 1, "hospice": 1}}
    script = f"alice role settler\nalice pass\n{OTHERS_PASS}\nalice take coffee"
    game = after(edition, script, seat)
    assert "coffee" in tiles(game, ALICE)
    assert workers(game, ALICE, "coffee") == 0


def test_the_hacienda_does_not_draw_for_the_second_tile(edition):
    """R-LIB-6, R-HAC-6."""
    seat = {"city": {"library": 1, "hacienda": 1}}
    script = f"alice role settler\nalice draw\nalice take corn\n{OTHERS_PASS}"
    game = after(edition, script, seat, on_top=("coffee",))
    assert "draw" not in options(game)
    play(game, "alice take sugar")
    assert len(tiles(game, ALICE)) == 4


def test_a_full_island_has_no_second_tile(edition):
    """R-LIB-4, R-STL-4."""
    seat = {"city": {"library": 1}, "island": {"corn": [4, 0], "sugar": [4, 0], "coffee": [3, 0]}}
    game = after(edition, f"alice role settler\nalice take indigo\n{OTHERS_PASS}", seat)
    assert (game.phase, game.turn) == ("role", BOB)


def test_the_row_is_laid_aside_after_the_second_tile(edition):
    """Q-29, R-STL-10, R-STL-12, R-CMB-8."""
    seat = {"city": {"library": 1}}
    script = f"alice role settler\nalice take quarry\n{OTHERS_PASS}"
    game = after(edition, script, seat)
    assert discard(game) == {}
    play(game, "alice take corn")
    assert sum(discard(game).values()) == 4
    assert sum(row(game).values()) == 5


# -- library: the craftsman ------------------------------------------------------------------------


def test_two_barrels_of_one_kind_are_for_1897(edition):
    """TX-82, R-LIB-7, D-53, Q-72, G115: classic wants two kinds, and only corn was made."""
    seat = {"island": {"corn": [1, 1]}, "city": {"library": 1}}
    game = after(edition, "alice role craftsman", seat)
    assert goods(game, ALICE) == {"corn": 1 + (1 if edition == CLASSIC else 2)}


def test_two_barrels_of_two_kinds(edition):
    """R-LIB-7, D-53, Q-72: what has been taken first is not offered twice in classic."""
    seat = {
        "island": {"corn": [1, 1], "sugar": [1, 1], "coffee": [1, 1]},
        "city": {"library": 1, "sugar_mill": 1, "coffee_roaster": 1},
    }
    game = after(edition, "alice role craftsman\nalice privilege coffee", seat)
    first = {"privilege:corn", "privilege:sugar"}
    assert options(game) == (first if edition == CLASSIC else first | {"privilege:coffee"})
    play(game, "alice privilege sugar")
    assert goods(game, ALICE) == {"corn": 1, "sugar": 2, "coffee": 2}


@pytest.mark.parametrize(("same", "barrels"), [(True, 3), (False, 2)])
def test_a_table_may_agree_on_two_of_one_kind(edition, same, barrels):
    """D-53, Q-72: `library_two_same_goods`."""
    seat = {"island": {"corn": [1, 1]}, "city": {"library": 1}}
    switches = {"library_two_same_goods": same}
    game = after(edition, "alice role craftsman", seat, switches=switches)
    assert goods(game, ALICE) == {"corn": barrels}


def test_the_second_barrel_needs_one_in_the_supply(edition):
    """R-LIB-7, Q-61, I-32: one coffee is left, then it is sugar or nothing."""
    seat = {"island": {"coffee": [1, 1]}, "city": {"library": 1, "coffee_roaster": 1}}
    left = dict.fromkeys(GOODS, 5) | {"coffee": 2}
    game = after(edition, "alice role craftsman", seat, goods=left)
    assert goods(game, ALICE) == {"coffee": 2}


def test_both_barrels_make_the_specialty(edition):
    """R-SPF-3, R-LIB-7."""
    seat = {
        "island": {"coffee": [2, 2], "sugar": [1, 1]},
        "city": {"library": 1, "specialty_factory": 1, "coffee_roaster": 2, "sugar_mill": 1},
    }
    second = "sugar" if edition == CLASSIC else "coffee"
    game = after(edition, "alice role craftsman\nalice privilege coffee", seat)
    if game.phase == "craftsman":
        play(game, f"alice privilege {second}")
    assert coins(game, ALICE) == 3 + (2 if edition == CLASSIC else 3)


# -- union hall ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("barrels", "scored"),
    [({"corn": 3, "indigo": 2, "coffee": 1}, 2), ({"corn": 4, "coffee": 2}, 3), ({"corn": 1}, 0)],
)
def test_the_union_hall_scores_pairs_of_barrels(edition, barrels, scored):
    """TV-36, TV-37, R-UNH-1, R-UNH-2, R-UNH-3, D-56, Q-91: also when nothing can be loaded."""
    seat = {"goods": barrels, "city": {"union_hall": 1}}
    game = after(edition, "alice role captain", seat, BOB, ships=NOTHING_FITS, check=False)
    assert vp(game, BOB) == scored


def test_barrels_counted_by_the_union_hall_are_loaded_as_usual(edition):
    """R-UNH-2: two VP for pairs, then five for the load and one for the captain."""
    seat = {"goods": {"corn": 5}, "city": {"union_hall": 1}}
    game = after(edition, "alice role captain\nalice load corn 1", seat)
    assert vp(game, ALICE) == 2 + 5 + 1
    assert goods(game, ALICE) == {}


def test_the_union_hall_scores_once_a_phase(edition):
    """R-UNH-1, R-GEN-8: before the first load, not before each."""
    seat = {"goods": {"corn": 2, "coffee": 2}, "city": {"union_hall": 1}}
    game = after(edition, "alice role captain\nbob load corn 1\nbob load coffee 2", seat, BOB)
    assert vp(game, BOB) == 2 + 2 + 2


def test_pairs_of_the_union_hall_are_no_load(edition):
    """R-HBR-3, R-LGT-1: no harbor, no lighthouse."""
    seat = {
        "goods": {"corn": 4},
        "city": {"union_hall": 1, "harbor": 1, "lighthouse": 1},
    }
    ships = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))
    game = after(edition, "alice role captain", seat, BOB, ships=ships)
    assert (vp(game, BOB), coins(game, BOB)) == (2, 3)


def test_when_the_union_hall_scores(edition):
    """R-UNH-3, D-56: at the opening, or at one's own first turn, when Alice has loaded already."""
    seat = {"goods": {"corn": 4}, "city": {"union_hall": 1}}
    rich = {"goods": {"coffee": 1, "sugar": 1}}
    game = after(edition, "alice role captain", seat, BOB, seats={ALICE: rich})
    assert game.turn == ALICE
    assert vp(game, BOB) == (2 if edition == ENGLISH else 0)
    play(game, "alice load coffee 1")
    assert vp(game, BOB) == 2


@pytest.mark.parametrize("timing", ["phase_start", "first_turn"])
def test_a_table_may_agree_when_the_union_hall_scores(edition, timing):
    """D-56: `union_hall_timing`."""
    seat = {"goods": {"corn": 4}, "city": {"union_hall": 1}}
    game = after(
        edition,
        "alice role captain",
        seat,
        BOB,
        seats={ALICE: {"goods": {"coffee": 1, "sugar": 1}}},
        switches={"union_hall_timing": timing},
    )
    assert vp(game, BOB) == (2 if timing == "phase_start" else 0)


def test_the_last_vp_may_be_those_of_a_union_hall(edition):
    """Q-103, R-END-3, I-31."""
    seat = {"goods": {"corn": 4}, "city": {"union_hall": 1}}
    ships = laden(("sugar", 1), ("tobacco", 1), ("indigo", 1))
    game = after(edition, "alice role captain", seat, BOB, ships=ships, vp=2)
    assert end_triggered(game)


# -- statue ----------------------------------------------------------------------------------------


def test_the_statue_is_worth_eight_vp(edition):
    """R-STA-1, D-57, G103, R-SCO-2: no more, and no worker needed."""
    game = board(edition=edition, expansions=(X1,), seats={ALICE: {"city": {"statue": 0}}})
    assert game.scores()[ALICE] == 8


def test_the_university_has_no_worker_for_a_statue(edition):
    """TX-29, R-UNI-4, R-STA-1, Q-48, G103."""
    seat = {"coins": 12, "city": {"university": 1}}
    game = after(edition, "alice role builder", seat, for_sale=("statue",))
    before = number(game, "worker_supply")
    play(game, "alice build statue")
    assert "statue" in city(game, ALICE)
    assert number(game, "worker_supply") == before


def test_the_statue_has_no_circle_to_fill(edition):
    """R-STA-1, I-12, G103, Q-42: nobody is placed there and the register does not count it."""
    seat = {"island": {}, "city": {"statue": 0}, "portrait": 1}
    game = board(
        "mayor",
        edition=edition,
        expansions=(X1,),
        turn=ALICE,
        seats={ALICE: seat},
        workers={"supply": 50, "register": 0},
    )
    game.settle()
    assert workers(game, ALICE, "portrait") == 1
    finish_phase(game)
    assert number(game, "register_workers") == 4


def test_the_statue_counts_for_the_city_hall(edition):
    """R-STA-2, Q-107: it is a commercial building."""
    assert bonus(edition, "city_hall", {"statue": 0}) == 2


def test_the_statue_takes_two_city_spaces(edition):
    """R-STA-2, R-BLD-3, R-GEN-5: like every building of the fourth column."""
    seat = {"coins": 12, "city": dict.fromkeys(BUILDINGS[:6], 0)}
    game = after(edition, "alice role builder\nalice build statue", seat, for_sale=("statue",))
    assert number_of_spaces(game, ALICE) == 8


def number_of_spaces(game, seat):
    """City spaces used."""
    return int(game.state["city_used"][0, seat])


# -- cloister --------------------------------------------------------------------------------------


def test_the_cloister_of_the_example(edition):
    """TV-38, R-CLO-1, R-CLO-2, R-FOH-8, G104: six forests are two sets, three quarries one."""
    island = {"forest": [6, 0], "quarry": [3, 0], "corn": [2, 0], "coffee": [1, 0]}
    printed = {"sugar": 3, "tobacco": 3}
    kinds = {} if edition == CLASSIC else {"forest_kinds": printed}
    assert bonus(edition, "cloister", island=island, **kinds) == 6


@pytest.mark.parametrize(
    ("island", "scored"),
    [
        ({"corn": [9, 0], "sugar": [3, 0]}, 10),
        ({"corn": [6, 0]}, 3),
        ({"corn": [3, 3]}, 1),
        ({"corn": [2, 2], "sugar": [2, 0], "coffee": [2, 0]}, 0),
        ({"corn": [3, 0], "indigo": [3, 0], "quarry": [3, 0]}, 6),
        ({"corn": [5, 0], "indigo": [4, 0]}, 3),
        ({}, 0),
    ],
)
def test_the_cloister_scores_sets_of_three(edition, island, scored):
    """TX-57, R-CLO-1, R-CLO-2, G104: occupied or not; six of a kind are two sets."""
    assert bonus(edition, "cloister", island=island) == scored


def test_an_unoccupied_cloister_scores_no_sets(edition):
    """R-SCO-2, R-GEN-2."""
    seat = {"island": {"corn": [6, 0]}, "city": {"cloister": 0}}
    game = board(edition=edition, expansions=(X1,), seats={ALICE: seat})
    assert game.scores()[ALICE] == 4


@pytest.mark.parametrize("edition", BOTH_1897)
def test_forests_are_no_set_with_their_printed_kind(edition):
    """R-FOH-8: two corn and a forest printed corn are no set of corn."""
    island = {"corn": [2, 0], "forest": [1, 0]}
    assert bonus(edition, "cloister", island=island, forest_kinds={"corn": 1}) == 0


# -- all together ----------------------------------------------------------------------------------


def test_switches_of_the_new_buildings(edition):
    """D-50, D-52, D-53, D-56, D-46, D-42, D-36, Q-88: as section 0.6 has them."""
    classic, german = edition == CLASSIC, edition == GERMAN
    found = new_game(4, edition, expansions=[X1], board="random").rules
    assert found.forest_source == ("own_stack_12" if classic else "facedown_estate")
    assert found.lighthouse_counts_wharves is not classic
    assert found.specialty_counts_privilege is True
    assert found.library_two_same_goods is not classic
    assert found.union_hall_timing == ("first_turn" if classic or german else "phase_start")
    assert found.trading_post_after_house_full is True
    assert found.black_market_excludes_own_worker is True
    assert found.guest_windows == "full"


@pytest.mark.parametrize("edition", BOTH_1897)
def test_the_library_does_nothing_for_the_smuggler(edition):
    """R-LIB-8, R-SMG-9, R-CMB-3, D-72: three VP for three barrels."""
    seat = {"city": {"library": 1}}
    game = after(
        edition,
        "alice role smuggler\nalice plunder",
        seat,
        expansions=(X1, X3),
        house=["corn", "sugar", "coffee"],
    )
    assert vp(game, ALICE) == 3
