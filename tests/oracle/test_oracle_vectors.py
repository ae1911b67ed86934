"""The oracle itself against the printed and derived examples of the rules (C.9, C.10)."""

import random
from collections import Counter
from itertools import product

import pytest

from tests.oracle import (
    building,
    loading,
    producing,
    register,
    scoring,
    settling,
    smuggling,
    trading,
)
from tests.oracle.boards import RandomChance, player, table
from tests.oracle.box import (
    BASE_BUILDINGS,
    BUILDINGS,
    SETUPS,
    SPOTS,
    draft_pool,
    draft_slots,
)
from tests.oracle.loading import legal_cargo, load_options
from tests.oracle.position import UNITS, units_of
from tests.oracle.slow_game import SlowGame
from tests.oracle.staffing import (
    Edit,
    edit_sequence,
    legal_arrangements,
    legal_pairs,
    next_actions,
)
from tests.oracle.storage import storage_outcomes

EDITIONS = ("classic", "1897-en", "1897-de")
X1, X2, X1_X2 = ("buildings",), ("citizens",), ("buildings", "citizens")


def ships(*ships):
    """`(5,)` is an empty ship of 5, `(6, "corn", 3)` carries 3 corn."""
    return [
        {"size": size, "good": cargo[0] if cargo else None, "barrels": cargo[1] if cargo else 0}
        for size, *cargo in ships
    ]


def idle(num_players):
    return [player() for _ in range(num_players)]


# -- loading ---------------------------------------------------------------------------------------


def test_anna_may_load_corn_on_the_corn_ship_or_sugar_where_most_fits():
    """TV-05a (R-CAP-3)."""
    anna = player(goods={"corn": 2, "sugar": 6})
    position = table([anna, *idle(3)], ships=ships((5,), (6, "corn", 3), (7,)))
    assert legal_cargo(position, 0) == {("corn", 1): 2, ("sugar", 2): 6}


def test_benno_must_put_sugar_on_the_sugar_ship_even_if_it_takes_one():
    """TV-05c (R-CAP-3, R-CAP-4)."""
    benno = player(goods={"sugar": 2, "tobacco": 3})
    position = table([benno, *idle(3)], ships=ships((5,), (6, "corn", 3), (7, "sugar", 6)))
    assert legal_cargo(position, 0) == {("sugar", 2): 1, ("tobacco", 0): 3}


def test_a_kind_on_another_ship_is_never_loaded_on_an_empty_one():
    """TV-39."""
    owner = player(goods={"tobacco": 1, "indigo": 1, "corn": 1})
    position = table([owner, *idle(2)], ships=ships((4, "indigo", 1), (5, "corn", 1), (6,)))
    assert set(legal_cargo(position, 0)) == {("indigo", 0), ("corn", 1), ("tobacco", 2)}


@pytest.mark.parametrize(("barrels", "allowed"), [(4, {0, 1, 2}), (5, {1, 2}), (6, {2}), (8, {2})])
def test_among_empty_ships_those_that_take_most_are_allowed(barrels, allowed):
    """TX-42."""
    position = table([player(goods={"corn": barrels}), *idle(2)], ships=ships((4,), (5,), (6,)))
    assert {ship for _, ship in legal_cargo(position, 0)} == allowed


def test_a_full_ship_still_bars_its_kind_from_the_others():
    """TX-43."""
    position = table([player(goods={"corn": 3}), *idle(2)], ships=ships((4,), (5, "corn", 5), (6,)))
    assert legal_cargo(position, 0) == {}


def test_a_wharf_owner_may_pass_only_when_no_cargo_ship_takes_anything():
    """TX-44, TX-45."""
    owner = player(goods={"corn": 3}, city={"wharf": 1})
    position = table([owner, *idle(2)], ships=ships((4, "corn", 1), (5,), (6,)))
    assert load_options(position, 0, wharf_used=False) == {"load:corn:1", "wharf:corn"}
    assert load_options(position, 0, wharf_used=True) == {"load:corn:1"}
    position["ships"] = ships((4, "corn", 4), (5,), (6,))
    assert load_options(position, 0, wharf_used=False) == {"wharf:corn", "pass"}
    assert load_options(position, 0, wharf_used=True) == set()


def test_an_empty_wharf_sails_nowhere():
    """R-GEN-2."""
    owner = player(goods={"corn": 3}, city={"wharf": 0})
    position = table([owner, *idle(2)], ships=ships((4, "corn", 4), (5,), (6,)))
    assert load_options(position, 0, wharf_used=False) == set()


# -- storage ---------------------------------------------------------------------------------------


def test_a_small_warehouse_keeps_one_kind_and_a_single_barrel():
    """TX-50."""
    owner = player(goods={"corn": 3, "sugar": 2, "coffee": 1}, city={"small_warehouse": 1})
    assert storage_outcomes(owner) == {
        (3, 0, 1, 0, 0), (3, 0, 0, 0, 1), (1, 0, 2, 0, 0),
        (0, 0, 2, 0, 1), (1, 0, 0, 0, 1), (0, 0, 1, 0, 1),
    }  # fmt: skip


def test_both_warehouses_keep_three_kinds_and_a_barrel_of_the_fourth():
    """TX-51."""
    goods = {"corn": 2, "indigo": 2, "sugar": 2, "coffee": 2}
    owner = player(goods=goods, city={"small_warehouse": 1, "large_warehouse": 1})
    assert {sum(outcome) for outcome in storage_outcomes(owner)} == {7}
    assert len(storage_outcomes(owner)) == 4


def test_without_warehouses_one_barrel_stays_and_a_lone_barrel_always_does():
    """TX-53 (R-CAP-10)."""
    assert storage_outcomes(player(goods={"coffee": 3})) == {(0, 0, 0, 0, 1)}
    assert storage_outcomes(player()) == {(0, 0, 0, 0, 0)}


def test_what_could_be_kept_is_given_up_only_under_the_switch():
    """R-CAP-11 (Q-101)."""
    owner = player(goods={"corn": 2})
    assert storage_outcomes(owner) == {(1, 0, 0, 0, 0)}
    freely = storage_outcomes(owner, voluntary_discard=True)
    assert freely == {(0, 0, 0, 0, 0), (1, 0, 0, 0, 0)}


# -- building --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("privilege", "prices"), [(0, (1, 3, 5, 7)), (1, (0, 2, 4, 6))])
def test_three_quarries_discount_up_to_the_column(privilege, prices):
    """TV-02, TV-03 (R-BLD-5, R-BLD-6)."""
    owner = player(island={"quarry": [3, 3]})
    position = table([owner, *idle(3)])
    names = ("construction_hut", "office", "harbor", "city_hall")
    assert tuple(building.price(position, 0, n, privilege=privilege) for n in names) == prices


def test_only_occupied_quarries_count_and_no_price_falls_below_zero():
    """TX-22, TX-23 (R-BLD-5, R-BLD-9)."""
    position = table([player(island={"quarry": [4, 4]}), player(island={"quarry": [4, 1]})])
    names = ("coffee_roaster", "small_sugar_mill", "guild_hall")
    assert [building.price(position, 0, name, privilege=0) for name in names] == [3, 1, 6]
    assert building.price(position, 1, "small_market", privilege=1) == 0
    assert building.price(position, 1, "large_warehouse", privilege=0) == 5


def test_a_large_building_does_not_fit_where_one_space_is_left():
    """TX-25 (R-BLD-3)."""
    small = [name for name in BUILDINGS if BUILDINGS[name].spaces == 1][:11]
    owner = player(coins=20, city=dict.fromkeys(small, 0))
    options = building.build_options(table([owner, *idle(2)]), 0, privilege=0)
    assert not any(
        BUILDINGS[name.removeprefix("build:")].column == 4 for name in options - {"pass"}
    )
    assert "build:wharf" in options


def test_nobody_buys_a_second_copy_or_one_that_is_gone():
    """R-BLD-2."""
    position = table([player(coins=20, city={"wharf": 0}), *idle(2)])
    position["buildings"]["harbor"] = 0
    options = building.build_options(position, 0, privilege=0)
    assert not options & {"build:wharf", "build:harbor"}


# -- producing, trading, settling ------------------------------------------------------------------


def test_plantations_and_circles_both_limit_what_grows():
    """TV-06 (R-CRA-1, R-PRD-2)."""
    owner = player(
        island={"corn": [3, 2], "tobacco": [2, 2], "sugar": [4, 3]},
        city={"tobacco_storage": 1, "small_sugar_mill": 1, "sugar_mill": 3},
    )
    made = producing.production(table([owner, *idle(2)]), 0)
    assert made == {"corn": 2, "indigo": 0, "sugar": 3, "tobacco": 1, "coffee": 0}


def test_kinds_lost_to_an_empty_supply_earn_nothing_in_the_factory():
    """TV-11 (R-FAC-2)."""
    owner = player(
        island={"corn": [3, 3], "sugar": [3, 3], "tobacco": [1, 1]},
        city={"sugar_mill": 3, "tobacco_storage": 1, "factory": 1},
    )
    position = table([owner, *idle(2)])
    position["goods"].update(corn=0, sugar=2)
    made = producing.production(position, 0)
    assert (made["corn"], made["sugar"], made["tobacco"]) == (0, 2, 1)
    assert producing.factory_income(owner, made) == 1


@pytest.mark.parametrize(("kinds", "coins"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3), (5, 5)])
def test_the_factory_pays_by_kinds(kinds, coins):
    """TX-35 (R-FAC-1)."""
    made = {good: int(number < kinds) for number, good in enumerate(SPOTS[:5])}
    assert producing.factory_income(player(city={"factory": 1}), made) == coins
    assert producing.factory_income(player(city={"factory": 0}), made) == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_craftsman_gets_nothing_more_of_an_exhausted_kind(edition):
    """TX-34 (R-CRA-7)."""
    position = table([player(island={"corn": [1, 1]}), *idle(2)], edition)
    made = {"corn": 1, "indigo": 0, "sugar": 0, "tobacco": 0, "coffee": 0}
    assert producing.privilege_kinds(position, 0, made) == ["corn"]
    position["goods"]["corn"] = 0
    assert producing.privilege_kinds(position, 0, made) == []


def test_a_market_pays_for_corn_too():
    """TV-08, TX-38 without the library (R-SMK-1, R-SMK-2)."""
    assert trading.sale_income(player(city={"small_market": 1}), "corn", privilege=0) == 1
    both = player(city={"small_market": 1, "large_market": 1})
    assert trading.sale_income(both, "coffee", privilege=1) == 8
    assert trading.sale_income(player(city={"small_market": 0}), "corn", privilege=0) == 0


def test_an_office_sells_what_the_house_already_holds_unless_it_is_full():
    """TV-09, R-OFF-2."""
    owner = player(goods={"tobacco": 1, "corn": 1}, city={"office": 1})
    plain = player(goods={"tobacco": 1, "corn": 1})
    position = table([owner, plain, *idle(2)], house=["tobacco"])
    assert trading.sell_options(position, 0) == {"pass", "sell:tobacco", "sell:corn"}
    assert trading.sell_options(position, 1) == {"pass", "sell:corn"}
    position["house"] = ["tobacco"] * 4
    assert trading.sell_options(position, 0) == {"pass"}


def test_a_full_island_takes_nothing():
    """TX-06 (R-STL-4)."""
    owner = player(island={"corn": [12, 0]}, city={"hacienda": 1, "construction_hut": 1})
    position = table([owner, *idle(2)], deck=["corn"])
    position["row"]["corn"] = 1
    assert not settling.may_draw(position, 0)
    assert settling.take_options(position, 0, is_actor=True) == {"pass"}


def test_a_quarry_is_for_the_settler_and_for_a_hut():
    """TX-08 (R-STL-1, R-STL-5)."""
    position = table([player(city={"construction_hut": 1}), player(), player()])
    assert settling.take_options(position, 0, is_actor=False) == {"pass", "take:quarry"}
    assert settling.take_options(position, 1, is_actor=False) == {"pass"}
    assert settling.take_options(position, 1, is_actor=True) == {"pass", "take:quarry"}
    position["quarries"] = 0
    assert settling.take_options(position, 1, is_actor=True) == {"pass"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_hospice_serves_the_drawn_tile_in_one_edition(edition):
    """TX-11, TX-13 (R-HOS-2, R-HOS-3)."""
    owner = player(island={"corn": [2, 0], "quarry": [1, 0]}, city={"hospice": 1})
    position = table([owner, *idle(2)], edition)
    either = ["drawn", "taken"] if edition == "1897-en" else ["taken"]
    assert settling.hospice_tiles(position, 0, "corn", "quarry") == either
    assert settling.hospice_tiles(position, 0, "corn", "corn") == ["taken"]
    assert settling.hospice_tiles(position, 0, "corn", None) == [t for t in either if t == "drawn"]
    position["workers"] = {"supply": 0, "register": 0}
    assert settling.hospice_tiles(position, 0, "corn", "quarry") == []


# -- register --------------------------------------------------------------------------------------


def after_mayor(position, *choices):
    """Workers and citizens by seat, once seat 0 has picked the mayor and the units are dealt."""
    game = SlowGame(position, RandomChance(random.Random(0)))
    for choice in ("role:mayor", *choices):
        game.choose(choice)
    seats = game.position["players"]
    return [tuple(units_of(seat, "portrait", unit) for unit in UNITS) for seat in seats]


def test_the_register_is_dealt_clockwise_from_the_mayor():
    """TV-01 (R-MAY-1, R-MAY-2)."""
    position = table(idle(4), workers={"supply": 10, "register": 6})
    assert after_mayor(position) == [(3, 0), (2, 0), (1, 0), (1, 0)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_villa_gives_a_citizen_on_top_or_instead(edition):
    """TX-65 (R-VIL-1): the mayor takes the citizen of a register of 3, the second has the villa."""
    seats = [player(), player(city={"villa": [1, 0]}), player()]
    position = table(seats, edition, X2, workers={"supply": 50, "register": 2})
    if edition == "classic":
        expected = [(2, 1), (0, 1), (1, 0)]
        assert after_mayor(position, "deal:citizen", "villa") == expected
    else:
        assert after_mayor(position, "deal:citizen") == [(1, 1), (1, 1), (1, 0)]


@pytest.mark.parametrize(
    ("empty", "supply", "expected"),
    [(2, 60, (4, False)), (9, 60, (9, False)), (9, 8, (8, True)), (4, 4, (4, False))],
)
def test_the_register_holds_a_worker_for_every_empty_circle_in_town(empty, supply, expected):
    """TX-16..19 (R-MAY-11..13)."""
    cities = {
        2: {"small_market": 0, "hacienda": 0, "office": 1},
        4: {"sugar_mill": 0, "office": 0},
        9: {"sugar_mill": 0, "indigo_plant": 0, "tobacco_storage": 0},
    }
    owner = player(city=cities[empty], island={"corn": [7, 0]})
    position = table([owner, *idle(3)], workers={"supply": supply, "register": 0})
    assert register.refill(position)[:2] == expected


# -- scoring ---------------------------------------------------------------------------------------


def score(part, edition="1897-en", **owner):
    return scoring.score_parts(table([player(**owner), *idle(2)], edition), 0)[part]


def test_the_guild_hall_counts_plants_by_size():
    """TV-15, TV-16."""
    mills = dict.fromkeys(("small_sugar_mill", "sugar_mill", "small_indigo_plant"), 0)
    assert score("guild_hall", city={"guild_hall": 1, **mills, "coffee_roaster": 0}) == 6
    plants = ("small_indigo_plant", "indigo_plant", "coffee_roaster", "sugar_mill")
    assert score("guild_hall", city={"guild_hall": 1, **dict.fromkeys(plants, 1)}) == 7


@pytest.mark.parametrize(("tiles", "bonus"), [(0, (4, 0, 0)), (9, 4), (10, 5), (11, 6), (12, 7)])
def test_the_residence_counts_island_tiles(tiles, bonus):
    """TV-17, TX-56 (R-RES-1)."""
    for number, edition in enumerate(EDITIONS):
        expected = bonus if isinstance(bonus, int) else bonus[number]
        island = {"corn": [tiles, 0]}
        assert score("residence", edition, city={"residence": 1}, island=island) == expected


def test_fortress_customs_house_and_city_hall():
    """TV-18..23."""
    assert score("fortress", city={"fortress": 1}, portrait=19) == 6
    assert score("fortress", city={"fortress": 1}, portrait=21) == 7
    assert score("customs_house", city={"customs_house": 1}, vp=23) == 5
    assert score("customs_house", city={"customs_house": 1}, vp=30) == 7
    names = ("hacienda", "harbor", "office", "construction_hut", "large_warehouse", "residence")
    assert score("city_hall", city={"city_hall": 1, **dict.fromkeys(names, 0)}) == 7


def test_an_empty_large_building_is_worth_its_four_points():
    """TV-24, TV-40."""
    parts = scoring.score_parts(table([player(city={"city_hall": 0}, vp=9), *idle(2)]), 0)
    assert (parts["buildings"], sum(parts.values())) == (4, 13)


def test_coins_and_barrels_break_a_tie_and_equals_share_a_place():
    """TX-58 (R-SCO-4, Q-104)."""
    seats = [player(vp=5, coins=4), player(vp=5, coins=2, goods={"corn": 3}), player(vp=9)]
    assert scoring.ranking(table(seats)) == [3, 2, 1]
    seats[0]["coins"] = 5
    assert scoring.ranking(table(seats)) == [2, 2, 1]


# -- staffing --------------------------------------------------------------------------------------


def circles(**spots):
    return tuple(spots.get(spot, 0) for spot in SPOTS)


def test_five_units_fill_three_circles_in_one_way():
    """TX-20."""
    assert legal_arrangements(5, circles(corn=2, wharf=1)) == {circles(corn=2, wharf=1)}


def test_two_units_and_six_circles_leave_a_free_choice():
    """TX-21 (R-MAY-8)."""
    ways = legal_arrangements(2, circles(corn=3, sugar_mill=3))
    assert ways == {circles(corn=2), circles(corn=1, sugar_mill=1), circles(sugar_mill=2)}


def small_boards():
    """Boards of three spots with up to 3 circles each, every occupation, up to 3 units in hand."""
    for sizes in product((1, 2, 3), (0, 1, 3), (0, 1, 2)):
        board = circles(corn=sizes[0], sugar_mill=sizes[1], coffee_roaster=sizes[2])
        for units in product(*(range(size + 1) for size in sizes)):
            now = circles(corn=units[0], sugar_mill=units[1], coffee_roaster=units[2])
            for hand in range(4):
                yield board, now, hand


def walk(edit_of, done=()):
    """Every finished sequence of an edit, with the arrangement it leads to."""
    edit = edit_of(done)
    options = edit.options()
    if not options:
        yield done, tuple(edit.units["worker"])
    for action in sorted(options):
        yield from walk(edit_of, (*done, action))


def test_step_by_step_staffing_allows_exactly_the_legal_arrangements_once():
    """R-MAY-5..8: the rule of thumb equals the set of sequences that brute force allows."""
    for board, now, hand in small_boards():

        def edit_of(done, board=board, now=now, hand=hand):
            edit = Edit(now, hand, board)
            for action in done:
                edit.act(action)
            return edit

        found = list(walk(edit_of))
        ways = legal_arrangements(sum(now) + hand, board)
        assert Counter(way for _, way in found) == Counter(ways)
        assert {sequence for sequence, _ in found} == {edit_sequence(now, way) for way in ways}


def mixed_boards():
    """Boards of three spots, every occupation by two kinds, up to 2 units of each in hand."""
    for sizes in ((1, 1, 2), (2, 1, 0), (1, 2, 1)):
        board = circles(corn=sizes[0], chapel=sizes[1], guest_house=sizes[2])
        each = ([(w, c) for w in range(size + 1) for c in range(size + 1 - w)] for size in sizes)
        for units in product(*each):
            pair = [
                circles(corn=units[0][kind], chapel=units[1][kind], guest_house=units[2][kind])
                for kind in (0, 1)
            ]
            for hand in product((0, 2), (0, 1)):
                yield board, pair, hand


def test_step_by_step_staffing_with_citizens_allows_exactly_the_legal_arrangements_once():
    """R-X2-8: the bounds by spot equal the set of sequences that brute force allows."""
    for board, (workers, citizens), hand in mixed_boards():

        def edit_of(done, board=board, workers=workers, citizens=citizens, hand=hand):
            edit = Edit(workers, hand[0], board, citizens, hand[1])
            for action in done:
                edit.act(action)
            return edit

        ways = legal_pairs(sum(workers) + hand[0], sum(citizens) + hand[1], board)
        found = [sequence for sequence, _ in walk(edit_of)]
        expected = [edit_sequence(workers, way[0], citizens, way[1]) for way in ways]
        assert sorted(found) == sorted(expected)


def test_two_units_may_change_places():
    """R-X2-8: the worker may leave only because the citizen leaves as well."""
    now = Edit(circles(corn=1), 0, circles(corn=1, chapel=1), circles(chapel=1))
    assert now.options() == {"recall:corn", "pass"}
    now.act("recall:corn")
    assert now.options() == {"recall:citizen:chapel"}
    now.act("recall:citizen:chapel")
    assert now.options() == {"pass"}
    now.act("pass")
    assert now.options() == {"place:chapel"}
    now.act("place:chapel")
    assert now.options() == {"place:citizen:corn"}


def test_what_may_follow_is_what_some_legal_arrangement_needs():
    """R-MAY-8: recalling the corn farmer needs an empty circle elsewhere."""
    now, board = circles(corn=1), circles(corn=1, wharf=1)
    sequences = {edit_sequence(now, way) for way in legal_arrangements(1, board)}
    assert next_actions(sequences, ()) == {"recall:corn", "pass"}
    assert next_actions(sequences, ("recall:corn",)) == {"pass"}
    assert next_actions(sequences, ("recall:corn", "pass")) == {"place:wharf"}


# -- expansions ------------------------------------------------------------------------------------


def made(**barrels):
    return {good: barrels.get(good, 0) for good in SPOTS[:5]}


def test_the_draft_chooses_17_types_or_25_with_those_of_the_citizens():
    """R-X1-2, R-X1-3, R-X1-5, D.2: slots and candidates by cost."""
    for edition in EDITIONS:
        rules = {"players": 4, "edition": edition, "expansions": X1_X2}
        numbers = {}
        for name in draft_pool(rules):
            numbers[BUILDINGS[name].cost] = numbers.get(BUILDINGS[name].cost, 0) + 1
        slots = draft_slots(rules)
        if edition == "1897-en":
            assert list(slots.values()) == [1, 3, 2, 2, 3, 2, 2, 3, 1, 6]
            assert [numbers[cost] for cost in slots] == [2, 5, 3, 3, 5, 3, 3, 5, 2, 8]
        else:
            assert list(slots.values()) == [1, 2, 1, 1, 2, 1, 1, 2, 1, 5]
            assert [numbers[cost] for cost in slots] == [2, 4, 2, 2, 4, 2, 2, 4, 2, 7]


@pytest.mark.parametrize(("forests", "price"), [(6, 0), (4, 1), (3, 2)])
def test_two_forests_take_a_coin_off(forests, price):
    """TV-28, TV-29, TX-60 (R-FOH-6)."""
    owner = player(island={"quarry": [2, 2], "forest": [forests, 0]}, city={"forest_house": 0})
    position = table([owner, *idle(2)], "classic", X1, ("large_warehouse",))
    assert building.price(position, 0, "large_warehouse", privilege=1) == price


def test_a_notary_helps_with_small_buildings_or_with_large_ones():
    """TX-68 (R-NOT-1)."""
    for units, prices in (([1, 0], (4, 10)), ([0, 1], (5, 8)), ([0, 0], (5, 10))):
        position = table([player(city={"notary": units}), *idle(2)], "classic", X2)
        names = ("office", "fortress")
        assert tuple(building.price(position, 0, n, privilege=0) for n in names) == prices


def test_the_black_market_closes_exactly_the_gap():
    """TV-30, TV-31, TX-30, TX-31 (R-BLK)."""
    city = {"black_market": 1, "office": 1}
    owner = player(coins=6, vp=1, goods={"indigo": 1}, city=city)
    position = table([owner, *idle(2)], "classic", X1, ("black_market", "harbor", "office"))
    worker, indigo, point = "pay:worker:office", "pay:indigo", "pay:vp"
    assert building.payments(position, 0, 2) == {
        (worker, indigo), (worker, point), (indigo, point),
    }  # fmt: skip
    assert building.payments(position, 0, 3) == {(worker, indigo, point)}
    assert building.payments(position, 0, 4) == set()
    owner.update(vp=0, goods=made(), city={"black_market": 1})
    assert building.payments(position, 0, 1) == set()


def test_the_aqueduct_waters_large_plants_alone():
    """TV-27, TX-36 (R-AQU)."""
    owner = player(city={"aqueduct": 1, "indigo_plant": 1, "sugar_mill": 3, "small_sugar_mill": 1})
    position = table([owner, *idle(2)], "classic", X1, ("aqueduct",))
    assert producing.aqueduct_extras(position, 0, made(indigo=1, sugar=3)) == ["indigo", "sugar"]
    position["goods"]["sugar"] = 0
    assert producing.aqueduct_extras(position, 0, made(indigo=1, sugar=3)) == ["indigo"]
    owner["city"]["indigo_plant"] = 0
    assert producing.aqueduct_extras(position, 0, made(indigo=1)) == []


def test_the_specialty_factory_pays_for_the_best_kind_but_corn():
    """TV-34, TV-35, TX-37 (R-SPF)."""
    owner = player(city={"specialty_factory": 1})
    assert producing.specialty_income(owner, made(corn=4, sugar=3, coffee=2)) == 2
    assert producing.specialty_income(owner, made(sugar=6)) == 5
    assert producing.specialty_income(owner, made(coffee=1)) == 0
    assert producing.specialty_income(owner, made(corn=7)) == 0


def test_the_union_hall_counts_pairs_and_the_supplier_citizens():
    """TV-36, TV-37, TX-62 (R-UNH-1, R-RSP-1)."""
    city = {"union_hall": [1, 0], "royal_supplier": [1, 0]}
    owner = player(goods={"corn": 3, "indigo": 2, "coffee": 1}, city=city, portrait=[0, 2])
    position = table([owner, *idle(2)], "classic", X1_X2, ("union_hall",))
    assert loading.union_hall_vp(owner) == 2
    owner["goods"] = made(corn=4, coffee=2)
    assert loading.union_hall_vp(owner) == 3
    owner["goods"] = made(corn=3, sugar=2)
    corn, sugar = "supply:corn", "supply:sugar"
    choices = {("pass",), (corn, "pass"), (sugar, "pass"), (corn, sugar)}
    assert loading.supplier_choices(owner, position["rules"]) == choices
    owner["goods"] = made(corn=2, sugar=1)
    assert loading.union_hall_vp(owner) == 1


def test_a_storehouse_keeps_three_barrels_more():
    """TX-52 (R-STO-1)."""
    owner = player(goods={"corn": 5, "coffee": 1}, city={"storehouse": 1})
    assert storage_outcomes(owner) == {(4, 0, 0, 0, 0), (3, 0, 0, 0, 1)}


def test_the_cloister_counts_sets_of_three():
    """TV-38, TX-57 (R-CLO)."""
    island = {"forest": [6, 0], "quarry": [3, 0], "corn": [2, 0], "coffee": [1, 0]}
    assert score("cloister", city={"cloister": 1}, island=island) == 6
    assert score("cloister", city={"cloister": 1}, island={"corn": [9, 0], "sugar": [3, 0]}) == 10


def test_citizens_count_once_and_twice_with_a_royal_garden():
    """TX-69, TX-70 (R-SCO-1, R-GDN-1, R-JEW-1)."""
    city = {"royal_garden": [0, 1], "jeweler": [1, 0]}
    owner = player(city=city, island={"corn": [3, 0, 2]}, portrait=[0, 2])
    parts = scoring.score_parts(table([owner, *idle(2)], "classic", X2), 0)
    assert (parts["citizens"], parts["royal_garden"]) == (5, 5)
    assert producing.jeweler_income(owner) == 5


@pytest.mark.parametrize(
    ("workers", "citizens", "expected"), [(50, 20, (5, 1)), (50, 0, (6, 0)), (2, 3, (2, 1))]
)
def test_the_register_holds_one_citizen_while_there_are_any(workers, citizens, expected):
    """TX-63, TX-64 (R-X2-3, R-X2-4)."""
    owner = player(city={"sugar_mill": [0, 0], "indigo_plant": [0, 0]})
    position = table(
        [owner, *idle(3)],
        "classic",
        X2,
        workers={"supply": workers, "register": 0},
        citizens={"supply": citizens, "register": 0},
    )
    new = register.refill(position)
    assert (new.workers, new.citizens, new.ends_the_game) == (*expected, False)


def test_a_post_pays_the_price_without_markets_and_takes_any_kind():
    """TX-40, TX-41 (R-TPO)."""
    city = {"trading_post": 1, "small_market": 1, "large_market": 1}
    owner = player(goods={"coffee": 1}, city=city)
    position = table([owner, *idle(2)], "1897-en", X1, ("trading_post",), house=["coffee"])
    assert trading.sell_options(position, 0) == {"pass", "post:coffee"}
    assert trading.sale_income(owner, "coffee", privilege=1, at_post=True) == 5
    assert trading.sale_income(owner, "coffee", privilege=2) == 9
    position["house"] = ["corn"] * 4
    assert trading.sell_options(position, 0) == {"pass", "post:coffee"}


def test_a_land_office_buys_with_a_worker_and_sells_with_a_citizen():
    """R-LND-2, R-LND-3, TX-66."""
    owner = player(coins=1, island={"corn": [1, 1, 0], "quarry": [1, 0, 0], "forest": [1, 0, 0]})
    for edition, sellable in (("classic", {"corn"}), ("1897-de", {"corn", "forest"})):
        owner["city"] = {"land_office": [0, 1]}
        position = table([owner, *idle(2)], edition, X1_X2, deck=["sugar"])
        assert trading.land_options(position, 0) == {f"land:sell:{tile}" for tile in sellable}
        owner["city"] = {"land_office": [1, 0]}
        assert trading.land_options(position, 0) == {"land:buy"}
        position["deck"] = []
        assert trading.land_options(position, 0) == set()
    assert settling.what_stands_on(owner, "corn") == {"worker"}


def test_the_emptiest_island_is_empty_beyond_all_others():
    """TX-67 (R-LDG-2)."""
    for tiles, leads in (((4, 4, 7), False), ((4, 5, 7), True)):
        seats = [player(island={"corn": [number, 0]}) for number in tiles]
        assert settling.leads_in_empty_spaces(table(seats), 0) == leads


def test_only_forests_of_the_edition_may_be_taken():
    """TX-59 (R-FOH-1, R-FOH-2)."""
    row = {**made(), "coffee": 1, "corn": 2, "sugar": 1}
    for edition, forests in (
        ("classic", {"forest"}),
        ("1897-en", {"forest:coffee", "forest:corn", "forest:sugar"}),
    ):
        owner = player(city={"forest_house": 1})
        position = table([owner, *idle(2)], edition, X1, ("forest_house",), row=row)
        assert settling.forest_options(position, 0) == forests


def test_poachers_take_citizens_first_and_place_in_one_order():
    """R-SMG-6, R-CMB-5."""
    register_units = {"worker": 4, "citizen": 1}
    assert smuggling.gathered(register_units, [], 4) == {"worker", "citizen"}
    assert smuggling.gathered(register_units, [], 5) == {"citizen"}
    assert smuggling.gathered({"worker": 4, "citizen": 1}, ["worker"], 4) == {"worker"}
    owner = player(city={"chapel": [0, 0]}, island={"corn": [1, 0, 0]})
    hand = {"worker": 1, "citizen": 1}
    both = {"place:corn", "place:chapel", "place:citizen:corn", "place:citizen:chapel"}
    assert smuggling.places_for(owner, hand, None) == both
    citizens = {"place:citizen:corn", "place:citizen:chapel"}
    assert smuggling.places_for(owner, hand, ("citizen", "corn")) == citizens


# -- the box ---------------------------------------------------------------------------------------


def test_the_box_holds_what_the_component_list_says():
    """A.1, A.2, TX-01, TX-02."""
    by_module = dict.fromkeys(("base", "buildings", "citizens"), 0)
    for line in BUILDINGS.values():
        by_module[line.module] += line.copies
    assert by_module == {"base": 49, "buildings": 26, "citizens": 15}
    production = [BUILDINGS[name] for name in BASE_BUILDINGS if not BUILDINGS[name].is_commercial]
    assert sum(line.copies for line in production) == 20
    for num_players, setup in SETUPS.items():
        assert len(setup.tiles) == num_players
        assert sum(setup.goods.values()) == (40 if num_players == 2 else 50)
        assert sum(setup.plantations.values()) == (35 if num_players == 2 else 50)
        assert setup.workers + num_players == {2: 42, 3: 58, 4: 79, 5: 100}[num_players]
