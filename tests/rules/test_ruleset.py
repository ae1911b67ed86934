"""Figures of every edition, and what a rule set accepts, refuses and remembers."""

import copy
import json
import pickle
import random
import re
from pathlib import Path

import numpy as np
import pytest

from prico_env import Game, catalog
from prico_env.actions import NAMES, NUM_BASE_ACTIONS
from prico_env.catalog.model import Building, Setup
from prico_env.catalog.options import SWITCHES, default_switches
from prico_env.errors import PricoError, RuleSetError, did_you_mean, nearest
from prico_env.ruleset import PRESETS, RuleSet
from prico_env.vocabulary import (
    BUILDINGS,
    EDITIONS,
    EXPANSIONS,
    GOODS,
    NUM_BASE_BUILDINGS,
    NUM_TILES,
    POWERS,
    ROLES,
    BuildingClass,
    Good,
    Power,
)
from tests.rule_sets import (
    ALL_RULE_SETS,
    BOARD,
    LARGE_BOARD,
    X1,
    X1_AND_X2,
    modules_of,
    rule_set_id,
)

PLAYERS = (2, 3, 4, 5)
NEW_EDITIONS = ("1897-en", "1897-de")
every_edition = pytest.mark.parametrize("edition", EDITIONS)
every_table = pytest.mark.parametrize("players", PLAYERS)


def record(rules):
    """The rules as a kernel reads them."""
    return rules.table[0]


def number(building):
    return BUILDINGS.index(building)


def names_of(flags):
    """The buildings whose flags are set."""
    return [name for name, flag in zip(BUILDINGS, flags, strict=True) if flag]


# -- figures of A.2 --------------------------------------------------------------------------------


@every_edition
def test_three_players_start_with_the_figures_of_three(edition):
    """TX-01."""
    row = record(RuleSet(3, edition))
    assert (row["worker_supply"], row["register_workers"]) == (55, 3)
    assert row["row_size"] == 4
    assert row["plantations"].sum() - 3 - row["row_size"] == 43
    assert row["vp_pool"] == 75
    assert row["starting_coins"].tolist() == [2, 2, 2, 0, 0]
    assert row["starting_tile"].tolist() == [Good.INDIGO, Good.INDIGO, Good.CORN, -1, -1]


@every_edition
def test_two_players_start_with_the_figures_of_two(edition):
    """TX-02, R-SET-4, R-SET-6: classic borrows them from 1897 (Q-02)."""
    row = record(RuleSet(2, edition))
    assert (row["worker_supply"], row["register_workers"]) == (40, 2)
    assert row["row_size"] == 3
    assert row["plantations"].sum() - 2 - row["row_size"] == 30
    assert row["plantations"].tolist() == [7, 9, 8, 6, 5]
    assert row["quarries"] == 5
    assert row["goods"].tolist() == [8, 9, 9, 7, 7]
    assert (row["num_ships"], row["ship_size"].tolist()) == (2, [4, 6, 0])
    assert row["role_in_play"].sum() == 7
    assert row["picks_per_round"] == 6
    assert row["starting_coins"].tolist() == [3, 3, 0, 0, 0]
    assert row["starting_tile"].tolist() == [Good.INDIGO, Good.CORN, -1, -1, -1]
    assert row["vp_pool"] == 65
    production = row["building_class"] <= BuildingClass.LARGE_PRODUCTION
    assert row["copies"][production].sum() == 12
    assert row["copies"][~production].sum() == 17


@pytest.mark.parametrize(
    ("edition", "pool"), [("classic", 122), ("1897-en", 126), ("1897-de", 126)]
)
def test_five_players_play_for_every_chip_of_the_box(edition, pool):
    """TX-03, G007, D-01: 32 ones and 18 fives in classic, 31 and 19 in 1897."""
    assert record(RuleSet(5, edition))["vp_pool"] == pool


@every_edition
def test_the_vp_pools_of_fewer_players_are_alike_in_all_editions(edition):
    """G007, A.2: never 76 or 101."""
    assert [record(RuleSet(players, edition))["vp_pool"] for players in (2, 3, 4)] == [65, 75, 100]


@every_edition
def test_four_players_start_with_two_indigo_and_two_corn(edition):
    """G001, R-SET-7."""
    assert record(RuleSet(4, edition))["starting_tile"].tolist() == [1, 1, 0, 0, -1]


@every_edition
def test_five_players_start_with_three_indigo_and_two_corn(edition):
    """R-SET-7."""
    assert record(RuleSet(5, edition))["starting_tile"].tolist() == [1, 1, 1, 0, 0]


@every_edition
def test_starting_coins_depend_on_the_size_of_the_table(edition):
    """G002, R-SET-5: one fewer than players, but three for two players."""
    coins = [int(record(RuleSet(players, edition))["starting_coins"][0]) for players in PLAYERS]
    assert coins == [3, 2, 3, 4]


@every_edition
@pytest.mark.parametrize(("players", "prospectors"), [(2, 1), (3, 0), (4, 1), (5, 2)])
def test_prospectors_are_on_the_table_by_the_number_of_players(edition, players, prospectors):
    """G004, A.2: six roles for three players, seven for two and four, eight for five."""
    in_play = record(RuleSet(players, edition))["role_in_play"].tolist()
    expected = [1] * (6 + prospectors) + [0] * (len(ROLES) - 6 - prospectors)
    assert in_play == expected


@every_edition
@pytest.mark.parametrize(
    ("players", "ships"), [(2, [4, 6, 0]), (3, [4, 5, 6]), (4, [5, 6, 7]), (5, [6, 7, 8])]
)
def test_ships_go_by_the_number_of_players(edition, players, ships):
    """A.2."""
    row = record(RuleSet(players, edition))
    assert row["ship_size"].tolist() == ships
    assert row["num_ships"] == np.count_nonzero(ships)


@every_edition
@pytest.mark.parametrize("players", [3, 4, 5])
def test_three_or_more_players_use_everything_in_the_box(edition, players):
    """A.1, A.2."""
    row = record(RuleSet(players, edition))
    assert row["goods"].tolist() == [10, 11, 11, 9, 9]
    assert row["plantations"].tolist() == [10, 12, 11, 9, 8]
    assert row["quarries"] == 8
    assert row["row_size"] == players + 1
    assert row["picks_per_round"] == players
    assert row["register_workers"] == players


@every_edition
def test_workers_in_play_add_up_to_the_totals(edition):
    """A.2, Q-03: the supply does not include the register."""
    totals = [
        int(row["worker_supply"] + row["register_workers"])
        for row in (record(RuleSet(players, edition)) for players in PLAYERS)
    ]
    assert totals == [42, 58, 79, 100]


@pytest.mark.parametrize(("edition", "coins"), [("classic", 86), ("1897-en", 83), ("1897-de", 83)])
def test_the_bank_holds_the_rest_of_the_coins(edition, coins):
    """D-03, A.2: 80, 80, 74 and 66 in classic, 77, 77, 71 and 63 in 1897."""
    rest = []
    for players in PLAYERS:
        row = record(RuleSet(players, edition))
        assert row["coin_total_value"] == coins
        rest.append(int(row["coin_total_value"] - row["starting_coins"].sum()))
    assert rest == [coins - 6, coins - 6, coins - 12, coins - 20]


@every_edition
def test_the_trading_house_pays_nothing_to_four(edition):
    """A.4."""
    assert record(RuleSet(4, edition))["good_price"].tolist() == [0, 1, 2, 3, 4]


@every_edition
def test_the_factory_pays_by_the_number_of_kinds(edition):
    """R-FAC-1."""
    assert record(RuleSet(4, edition))["kind_income"].tolist() == [0, 0, 1, 2, 3, 5]


@pytest.mark.parametrize(("edition", "empty"), [("classic", 4), ("1897-en", 0), ("1897-de", 0)])
def test_the_residence_scores_by_filled_island_spaces(edition, empty):
    """R-RES-1, D-30."""
    scores = record(RuleSet(4, edition))["island_score"].tolist()
    assert scores == [empty, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 6, 7]


# -- figures of A.4 --------------------------------------------------------------------------------

BASE_ROWS = """
    small_indigo_plant  1 1 1 1 4 2    small_sugar_mill    2 1 1 1 4 2
    indigo_plant        3 2 2 3 3 2    sugar_mill          4 2 2 3 3 2
    tobacco_storage     5 3 3 3 3 2    coffee_roaster      6 3 3 2 3 2
    small_market        1 1 1 1 2 1    hacienda            2 1 1 1 2 1
    construction_hut    2 1 1 1 2 1    small_warehouse     3 1 1 1 2 1
    hospice             4 2 2 1 2 1    office              5 2 2 1 2 1
    large_market        5 2 2 1 2 1    large_warehouse     6 2 2 1 2 1
    factory             7 3 3 1 2 1    university          8 3 3 1 2 1
    harbor              8 3 3 1 2 1    wharf               9 3 3 1 2 1
    guild_hall         10 4 4 1 1 1    residence          10 4 4 1 1 1
    fortress           10 4 4 1 1 1    customs_house      10 4 4 1 1 1
    city_hall          10 4 4 1 1 1
"""
NEW_ROWS = """
    aqueduct            1 1 1 1 2 1    forest_house        2 1 1 1 2 1
    black_market        2 1 1 1 2 1    storehouse          3 1 1 1 2 1
    guest_house         4 2 2 2 2 1    trading_post        5 2 2 1 2 1
    church              5 2 2 1 2 1    small_wharf         6 2 2 1 2 1
    lighthouse          7 3 3 1 2 1    specialty_factory   8 3 3 1 2 1
    library             8 3 3 1 2 1    union_hall          9 3 3 1 2 1
    statue             10 8 4 0 1 1    cloister           10 4 4 1 1 1
    land_office         2 1 1 1 2 1    chapel              3 1 1 1 2 1
    hunting_lodge       4 2 2 1 2 1    notary              5 2 2 1 2 1
    royal_supplier      6 2 2 1 2 1    villa               7 3 3 1 2 1
    jeweler             8 3 3 1 2 2    royal_garden       10 4 4 1 1 1
"""


def rows_of(table):
    words = table.split()
    return [(words[at], *map(int, words[at + 1 : at + 7])) for at in range(0, len(words), 7)]


@every_edition
@pytest.mark.parametrize("row", rows_of(BASE_ROWS + NEW_ROWS), ids=lambda row: row[0])
def test_every_building_has_the_figures_of_the_table(edition, row):
    """A.4: cost, VP, column, circles and copies, which are the same in every edition."""
    name, cost, vp, column, circles, copies, copies_two = row
    building = catalog.load(edition).building(name)
    figures = (building.cost, building.vp, building.column, building.circles)
    assert figures == (cost, vp, column, circles)
    assert (building.copies, building.copies_two_players) == (copies, copies_two)

    table = record(RuleSet(4, edition))
    place = number(name)
    assert (table["cost"][place], table["vp"][place], table["column"][place]) == (cost, vp, column)
    assert table["circles"][NUM_TILES + place] == circles
    assert table["spaces"][place] == (2 if column == 4 else 1)


def test_the_tests_know_every_building():
    assert sorted(row[0] for row in rows_of(BASE_ROWS + NEW_ROWS)) == sorted(BUILDINGS)


@every_edition
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_base_game_has_49_buildings(edition, players):
    """G005, A.1: 20 production, 24 small and 5 large commercial buildings."""
    row = record(RuleSet(players, edition))
    by_class = np.bincount(row["building_class"], weights=row["copies"], minlength=4)
    assert by_class.tolist() == [8, 12, 24, 5]
    assert row["copies"].sum() == 49


@every_edition
@every_table
def test_buildings_of_expansions_have_figures_but_no_copies_in_the_base_game(edition, players):
    row = record(RuleSet(players, edition))
    assert not row["copies"][NUM_BASE_BUILDINGS:].any()
    assert row["copies"][:NUM_BASE_BUILDINGS].all()
    assert row["cost"].all()


@pytest.mark.parametrize(
    ("name", "crop"),
    [
        ("small_indigo_plant", Good.INDIGO),
        ("indigo_plant", Good.INDIGO),
        ("small_sugar_mill", Good.SUGAR),
        ("sugar_mill", Good.SUGAR),
        ("tobacco_storage", Good.TOBACCO),
        ("coffee_roaster", Good.COFFEE),
        ("jeweler", -1),
        ("factory", -1),
    ],
)
def test_production_buildings_process_one_good(name, crop):
    """R-PRD-1, R-JEW-3: the jeweler is one of them and processes none."""
    assert record(RuleSet())["crop"][number(name)] == crop


@pytest.mark.parametrize(
    ("name", "power", "amount"),
    [
        ("small_market", Power.SALE_BONUS, 1),
        ("large_market", Power.SALE_BONUS, 2),
        ("hacienda", Power.EXTRA_TILE, 1),
        ("construction_hut", Power.QUARRY_RIGHT, 1),
        ("small_warehouse", Power.STORE_KINDS, 1),
        ("large_warehouse", Power.STORE_KINDS, 2),
        ("hospice", Power.STAFF_TILE, 1),
        ("office", Power.SELL_ANY_KIND, 1),
        ("factory", Power.KIND_INCOME, 1),
        ("university", Power.STAFF_BUILDING, 1),
        ("harbor", Power.LOAD_VP, 1),
        ("wharf", Power.OWN_SHIP, 1),
        ("guild_hall", Power.SCORE_PLANTS, 1),
        ("residence", Power.SCORE_ISLAND, 1),
        ("fortress", Power.SCORE_UNITS, 1),
        ("customs_house", Power.SCORE_VP, 1),
        ("city_hall", Power.SCORE_COMMERCE, 1),
        ("storehouse", Power.STORE_BARRELS, 3),
        ("statue", -1, 0),
        ("indigo_plant", -1, 0),
    ],
)
def test_buildings_give_one_power_each(name, power, amount):
    """C.3 to C.6: a phase asks for the power."""
    row = record(RuleSet())
    assert (row["power"][number(name)], row["power_amount"][number(name)]) == (power, amount)


def test_every_power_is_given_by_some_building():
    given = {building.power for building in catalog.load("classic").buildings}
    assert given == set(Power) | {None}
    assert len(POWERS) == len(Power)


def test_a_building_with_two_powers_is_refused():
    with pytest.raises(ValueError, match="more than one power"):
        Building(
            10,
            "hospice",
            cost=4,
            vp=2,
            column=2,
            circles=1,
            copies=2,
            copies_two_players=1,
            building_class=BuildingClass.SMALL_COMMERCIAL,
            text="Too much.",
            powers={Power.STAFF_TILE: 1, Power.LOAD_VP: 1},
        )


# -- the catalog -----------------------------------------------------------------------------------


def test_editions_are_found_by_looking_in_their_folder():
    assert catalog.names() == EDITIONS
    assert [catalog.load(name).number for name in EDITIONS] == [0, 1, 2]


def test_an_unknown_edition_file_is_named():
    with pytest.raises(KeyError, match="no edition is called 'rum'; the editions are classic"):
        catalog.load("rum")


@every_edition
def test_building_numbers_and_names_never_move(edition):
    """Saved games and trained policies depend on them."""
    rows = catalog.load(edition).buildings
    assert [(row.number, row.id) for row in rows] == list(enumerate(BUILDINGS))
    assert [BUILDINGS.index(name) for name in ("small_indigo_plant", "small_market")] == [0, 6]
    assert [BUILDINGS.index(name) for name in ("city_hall", "aqueduct", "statue")] == [22, 23, 36]
    assert [BUILDINGS.index(name) for name in ("land_office", "royal_garden")] == [37, 44]


@every_edition
def test_every_building_says_in_a_sentence_what_it_does(edition):
    for building in catalog.load(edition).buildings:
        assert re.fullmatch(r"[A-Z].*\.", building.text), building.id
        assert building.evidence.count("[")


@pytest.mark.parametrize(
    ("edition", "building", "printed"),
    [
        ("classic", "hospice", "hospice"),
        ("classic", "notary", "zoning office"),
        ("classic", "land_office", "land office"),
        ("1897-en", "land_office", "Zoning Office"),
        ("1897-en", "notary", "Notary"),
        ("1897-en", "hospice", "Hospital"),
        ("1897-en", "indigo_plant", "Large Fruit Warehouse"),
        ("1897-de", "city_hall", "Gouverneurspalast"),
        ("1897-de", "storehouse", "Lagerhalle"),
    ],
)
def test_an_edition_prints_its_own_names(edition, building, printed):
    """Glossary 1.4; D-69: two buildings share a printed name between editions."""
    assert catalog.load(edition).building_names[building] == printed


@every_edition
def test_printed_names_are_unambiguous_within_an_edition(edition):
    box = catalog.load(edition)
    for names in (box.building_names, box.good_names):
        assert len(set(names.values())) == len(names)
    assert tuple(box.good_names) == GOODS
    assert tuple(box.role_names) == (ROLES if edition != "classic" else ROLES[:-1])


def test_1897_reads_the_order_of_factory_and_university_from_the_listing():
    """Q-04: same figures, less certain."""
    for name in ("factory", "university"):
        assert "[X]" in catalog.load("1897-en").building(name).evidence
        assert catalog.load("classic").building(name).evidence == "[T]"


def test_a_set_up_with_a_good_missing_is_refused():
    with pytest.raises(ValueError, match="barrels of five goods"):
        Setup(65, 40, 2, 3, (), 3, 1, 6, (4, 6), (8, 9), (7, 9, 8, 6, 5), 5)


# -- switches --------------------------------------------------------------------------------------

DEFAULTS = """
    coin_total_value                         86                       83                83
    bank_limited                             False                    False             False
    two_player_setup                         borrowed                 own               own
    hospice_scope                            normal_tile              either_tile_once  normal_tile
    craftsman_privilege_domain               can_produce              produced          produced
    voluntary_discard                        False                    False             False
    max_rounds                               200                      200               200
    forest_source                            own_stack_12             facedown_estate   facedown_estate
    wharf_capacity                           11                       None              None
    lighthouse_counts_wharves                False                    True              True
    specialty_counts_privilege               True                     True              True
    library_two_same_goods                   False                    True              True
    union_hall_timing                        first_turn               phase_start       first_turn
    royal_supplier_timing                    first_turn               phase_start       first_turn
    royal_supplier_count                     up_to                    up_to             up_to
    chapel_timing                            with_production          phase_start       with_production
    villa_mode                               replace_first_take       extra             extra
    villa_timing                             first_turn               phase_start       first_turn
    land_office_sale_to                      discard                  face_up_row       discard
    land_office_sells_forest                 False                    False             True
    land_office_forest_buy                   take_from_forest_stack   flip_bought_tile  flip_bought_tile
    x2_with_x1_setup                         add_all_8                draft_extra_slots add_all_8
    residence_zero_tiles_vp                  4                        0                 0
    trading_post_after_house_full            True                     True              True
    citizens_from_supply_by_worker_effects   False                    False             False
    black_market_excludes_own_worker         True                     True              True
    capture_others_act                       None                     True              False
    smuggler_affected_by_buildings           None                     False             False
    festival_building_pool                   None                     four_named        all_vp3
    festival_redraw_if_same_product          None                     False             True
    festival_two_player_refill               None                     True              True
    festival_estate_returns_to               None                     face_up_row       deck
    festival_production_window               None                     own_turn          whole_phase
    vp_hidden                                True                     False             False
    optional_gains                           auto                     auto              auto
    guest_windows                            full                     full              full
    shared_victory                           True                     True              True
    exclusive_buildings                      None                     None              None
    swap_factory_university                  False                    False             False
    corn_start_penalty                       0                        0                 0
    skip_forced                              True                     True              True
"""  # noqa: E501


@pytest.mark.parametrize("row", DEFAULTS.strip().splitlines(), ids=lambda row: row.split()[0])
def test_every_switch_has_the_default_of_its_edition(row):
    """The table of switches in 0.6, the tournament variants and `skip_forced`."""
    name, *columns = row.split()
    for edition, expected in zip(EDITIONS, columns, strict=True):
        assert str(getattr(RuleSet(2, edition), name)) == expected
        assert RuleSet(2, edition).switches[name] == getattr(RuleSet(2, edition), name)


def test_the_tests_know_every_switch():
    known = {row.split()[0] for row in DEFAULTS.strip().splitlines()}
    assert known | {"vp_pool"} == set(SWITCHES)


def test_the_page_of_the_rules_lists_every_switch_with_its_defaults():
    """Section 0.6; the tournament variants stand below the table, `skip_forced` is no rule."""
    page = (Path(__file__).parents[2] / "prico_env" / "reference" / "rules.md").read_text("utf-8")
    table = page.partition("#### Switches")[2].partition("\n---\n")[0]
    rows = re.findall(r"^\| `(\w+)`[^|]*\|(.*?)\|(.*?)\|(.*?)\|", table, re.MULTILINE)
    below = set(re.findall(r"`(\w+)` \(", table.rpartition("|")[2]))
    assert {name for name, *_ in rows} | below | {"skip_forced"} == set(SWITCHES)
    for name, *columns in rows:
        for edition, written in zip(EDITIONS, columns, strict=True):
            default = str(getattr(RuleSet(2, edition), name)).lower()
            first_word = re.split(r"[ /*]", written.strip().strip("`"))[0].strip("`")
            assert first_word.replace("–", "none") == default, name


def test_the_pool_is_a_switch_whose_default_goes_by_players():
    assert [RuleSet(players, "1897-en").vp_pool for players in PLAYERS] == [65, 75, 100, 126]
    assert record(RuleSet(4, vp_pool=12))["vp_pool"] == 12


def test_the_english_festival_draws_from_more_buildings_beside_new_ones():
    """R-FES-4, D-75."""
    english = catalog.load("1897-en")
    pools = [
        default_switches(english, 4, expansions)["festival_building_pool"]
        for expansions in (("festival",), ("buildings", "festival"), ("citizens", "festival"))
    ]
    assert pools == ["four_named", "all_vp3", "all_vp3"]


def test_every_switch_says_what_it_decides():
    for switch in SWITCHES.values():
        assert re.fullmatch(r"[A-Z].*\.", switch.text), switch.name
        assert switch.choices


def test_classic_differs_from_1897_only_where_its_rules_do():
    """D-03, D-12, D-21, D-25, D-30: what the kernels see of an edition at four players."""
    classic, english = record(RuleSet(4, "classic")), record(RuleSet(4, "1897-en"))
    different = {
        name for name in classic.dtype.names if not np.array_equal(classic[name], english[name])
    }
    assert different == {
        "start",  # the position that a game starts from follows from the other fields
        "edition",
        "coin_total_value",
        "hospice_scope_is_either_tile_once",
        "craftsman_privilege_domain_is_can_produce",
        "vp_hidden",
        "island_score",
    }


def test_factory_and_university_swap_their_costs_and_nothing_else():
    swapped, plain = RuleSet(swap_factory_university=True), RuleSet()
    costs = record(swapped)["cost"][[number("factory"), number("university")]].tolist()
    assert costs == [8, 7]
    assert (record(swapped)["column"] == record(plain)["column"]).all()
    assert np.count_nonzero(record(swapped)["cost"] != record(plain)["cost"]) == 2


@pytest.mark.parametrize(
    ("players", "coins"),
    [(2, [3, 2, 0, 0, 0]), (3, [2, 2, 1, 0, 0]), (4, [3, 3, 2, 2, 0]), (5, [4, 4, 4, 3, 3])],
)
def test_seats_that_start_with_corn_may_pay_for_it(players, coins):
    assert record(RuleSet(players, corn_start_penalty=1))["starting_coins"].tolist() == coins


def test_the_residence_switch_moves_only_the_empty_island():
    assert record(RuleSet(residence_zero_tiles_vp=4))["island_score"].tolist()[:3] == [4, 4, 4]
    classic = RuleSet(edition="classic", residence_zero_tiles_vp=0)
    assert record(classic)["island_score"].tolist()[:3] == [0, 4, 4]


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        # editions and players
        ({"edition": "clasic"}, "no edition is called 'clasic'.*did you mean 'classic'"),
        ({"edition": "1897"}, "the editions are classic, 1897-en, 1897-de"),
        ({"edition": 1}, "no edition is called 1;"),
        ({"players": 1}, "players=1 is not a number of players; choose 2, 3, 4 or 5"),
        ({"players": 6}, "players=6"),
        ({"players": "4"}, "players='4'"),
        ({"players": 4.0}, r"players=4\.0"),
        ({"players": True}, "players=True"),
        # expansions
        (
            {"expansions": ["nobles"]},
            "no expansion is called 'nobles'; the expansions are buildings",
        ),
        ({"expansions": ["citizen"]}, "did you mean 'citizens'"),
        ({"expansions": "buildings"}, r"not a list of expansions; give a list"),
        ({"expansions": None}, "expansions=None is not a list"),
        ({"expansions": [3]}, "no expansion is called 3;"),
        (
            {"edition": "classic", "expansions": ["smuggler"]},
            "smuggler does not exist in classic; leave that out, or choose the edition 1897-en or",
        ),
        (
            {"edition": "classic", "expansions": ["smuggler", "festival"]},
            "smuggler and festival do not exist in classic",
        ),
        # the board
        (
            {"board": "draft"},
            "board='draft' chooses among.*expansion 'buildings'.*leave the board out",
        ),
        ({"board": ["small_market"]}, r"board=\('small_market',\)"),
        ({"board": 3}, "board=3"),
        # switches
        (
            {"hospis_scope": "normal_tile"},
            "no switch is called 'hospis_scope'; did you mean 'hospice",
        ),
        ({"player": 4}, "did you mean 'players'"),
        ({"zzz": 4}, "no switch is called 'zzz'; the switches are vp_pool, "),
        (
            {"hospice_scope": "either_tile"},
            "choose 'normal_tile' or 'either_tile_once'; did you mean 'either_tile_once'",
        ),
        ({"bank_limited": 1}, "bank_limited=1 does not go; choose False or True"),
        ({"bank_limited": "yes"}, "bank_limited='yes'"),
        ({"vp_pool": 0}, "vp_pool=0 does not go; choose a whole number from 1 to 9999"),
        ({"vp_pool": -5}, "vp_pool=-5"),
        ({"vp_pool": 75.0}, r"vp_pool=75\.0"),
        ({"vp_pool": True}, "vp_pool=True"),
        ({"vp_pool": 100_000}, "from 1 to 9999"),
        ({"max_rounds": 0}, "max_rounds=0 does not go; choose a whole number from 1 to 32767"),
        ({"max_rounds": 1_000_000}, "max_rounds=1000000"),
        (
            {"coin_total_value": 11},
            "does not cover the 12 starting coins of 4 players; choose 12 or",
        ),
        ({"corn_start_penalty": -1}, "corn_start_penalty=-1"),
        (
            {"corn_start_penalty": 4},
            "takes more than the 3 starting coins of 4 players; choose 0 to 3",
        ),
        ({"players": 3, "corn_start_penalty": 3}, "the 2 starting coins of 3 players"),
        ({"wharf_capacity": 12}, "choose 11 or None"),
        ({"residence_zero_tiles_vp": 2}, "choose 0 or 4"),
        # switches that contradict the rule set
        (
            {"two_player_setup": "own"},
            "is about the game with 2 players, and this one has 4; leave",
        ),
        (
            {"players": 2, "edition": "classic", "two_player_setup": "own"},
            "classic has no two-player rules of its own; choose 'borrowed'",
        ),
        (
            {"players": 2, "two_player_setup": "borrowed"},
            "1897-en has its own rules; choose 'own'",
        ),
        (
            {"library_two_same_goods": False},
            "changes nothing without the expansion buildings.*leave it out .it is True.",
        ),
        ({"guest_windows": "reduced"}, "without the expansion buildings"),
        ({"villa_timing": "first_turn"}, "without the expansion citizens"),
        ({"land_office_sells_forest": True}, "without the expansion buildings and citizens"),
        ({"capture_others_act": False}, "without the expansion smuggler"),
        (
            {"smuggler_affected_by_buildings": True, "expansions": ["smuggler"]},
            "without the expansion buildings, which is not in this rule set",
        ),
        ({"festival_building_pool": "all_vp3"}, "without the expansion festival"),
        (
            {"edition": "classic", "capture_others_act": True},
            "is about the smuggler, which does not exist in classic; leave it out",
        ),
        (
            {"edition": "classic", "festival_estate_returns_to": "deck"},
            "is about the festival, which does not exist in classic",
        ),
    ],
)
def test_a_rule_set_that_does_not_exist_is_refused_in_words(fields, words):
    with pytest.raises(RuleSetError, match=words) as caught:
        RuleSet(**fields)
    assert "\n" not in str(caught.value)
    with pytest.raises(RuleSetError, match=words):
        RuleSet.from_dict(fields)


@pytest.mark.parametrize("fields", [None, "classic", ["players", 4], 4])
def test_a_rule_set_is_read_from_a_mapping_only(fields):
    with pytest.raises(RuleSetError, match="a rule set is read from a mapping"):
        RuleSet.from_dict(fields)


@pytest.mark.parametrize(
    ("fields", "words"),
    [({4: "players"}, "are words, and 4 is not one"), ({"self": 4}, "no switch is called 'self'")],
)
def test_odd_keys_are_named(fields, words):
    with pytest.raises(RuleSetError, match=words):
        RuleSet.from_dict(fields)


def test_every_mistake_is_a_prico_error_and_a_value_error():
    assert issubclass(RuleSetError, PricoError)
    assert issubclass(PricoError, ValueError)


def test_the_nearest_word_is_suggested_or_none():
    assert nearest("Hospise", BUILDINGS) == "hospice"
    assert nearest("small market", BUILDINGS) == "small_market"
    assert nearest("rum", GOODS) is None
    assert did_you_mean("coffe", GOODS) == "; did you mean 'coffee'?"
    assert did_you_mean("rum", GOODS) == ""


# -- every rule set there is -----------------------------------------------------------------------


def test_there_are_144_rule_sets():
    """R-CMB-1: 16 choices of expansions in 1897, 4 in classic, each for 2 to 5 players."""
    assert len(ALL_RULE_SETS) == len(set(ALL_RULE_SETS)) == 144


def test_the_pages_say_of_every_edition_what_can_be_played():
    """D-70: and no table of what is covered has an empty cell."""
    page = (Path(__file__).parents[2] / "docs" / "editions.md").read_text("utf-8")
    covered = page.partition("What can be played")[2].partition("Code always uses")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in covered.splitlines()
        if line.startswith("|")
    ]
    assert all(all(row) for row in rows)
    columns = {cell.strip('`"'): place for place, cell in enumerate(rows[0])}
    for edition in EDITIONS:
        (row,) = (row for row in rows if row[0] == f'`"{edition}"`')
        assert row[columns["base game"]] == "2–5 players"
        for name in EXPANSIONS:
            there = name in catalog.load(edition).expansions
            assert row[columns[name]] == ("2–5 players" if there else "does not exist")


@pytest.mark.parametrize("rules", ALL_RULE_SETS, ids=rule_set_id)
def test_every_rule_set_builds_and_survives_its_dict(rules):
    """R-CMB-1, R-SET-1."""
    row = record(rules)
    assert (row["num_players"], row["edition"]) == (rules.players, EDITIONS.index(rules.edition))
    assert row["expansions"] == sum(
        bit for bit, name in zip((1, 2, 4, 8), EXPANSIONS, strict=True) if name in rules.expansions
    )
    smuggler = "smuggler" in rules.expansions
    prospectors = {2: 1, 3: 0, 4: 1, 5: 2}[rules.players]
    assert row["role_in_play"].sum() == 6 + prospectors + smuggler  # A.2, R-SMG-1
    assert row["num_actions"] == rules.num_actions
    assert row["festival"] == ("festival" in rules.expansions)
    assert RuleSet.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


@pytest.mark.parametrize(
    ("expansions", "actions"),
    [
        ((), 140),
        (("festival",), 140),
        (X1, 320),
        (X1_AND_X2, 607),
        (("smuggler",), 604),
        (EXPANSIONS, 607),
    ],
)
def test_the_actions_of_a_rule_set_end_with_its_last_expansion(expansions, actions):
    """The festival brings none of its own: its workers are placed as any."""
    rules = RuleSet(4, "1897-en", expansions)
    assert rules.num_actions == len(rules.actions) == record(rules)["num_actions"] == actions


# -- presets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "edition"),
    [
        ("doc000", "1897-en"),
        ("doc001", "classic"),
        ("doc002", "1897-de"),
        ("doc003", "classic"),
        ("doc004", "classic"),
    ],
)
@every_table
def test_every_source_document_is_a_preset(name, edition, players):
    """Presets of 0.6; two players in classic borrow the set-up (Q-02)."""
    assert RuleSet.preset(name, players=players) == RuleSet(players, edition)


@pytest.mark.parametrize("name", ["doc000", "doc001", "doc002", "doc003", "doc004"])
@every_table
def test_every_source_document_is_played_with_all_its_expansions(name, players):
    """Presets of 0.6: X1 to X4 in 1897, X1 and X2 in the original's expansions, else none."""
    modules = {"doc001": (), "doc003": (), "doc004": EXPANSIONS[:2]}.get(name, EXPANSIONS)
    assert PRESETS[name].expansions == modules
    rules = RuleSet.preset(name, players=players, expansions=modules)
    assert rules == RuleSet(players, PRESETS[name].edition, modules)
    assert rules.table.shape == (1,)
    assert RuleSet.from_dict(rules.to_dict()) == rules


@pytest.mark.parametrize("name", PRESETS)
@every_table
def test_a_game_by_every_source_document_goes_on_to_its_last_round(name, players):
    """Presets of 0.6: three rounds at random with all expansions of the document."""
    modules = PRESETS[name].expansions
    rules = RuleSet.preset(name, players, expansions=modules, max_rounds=3)
    game, chance = Game(rules, seed=players), random.Random(name)
    while not game.over:
        game.step(chance.choice(game.legal_actions()))
    assert len(game.scores()) == players
    assert Game.from_record(game.to_record()).to_bytes() == game.to_bytes()


@pytest.mark.parametrize("name", ["doc000", "doc002", "doc004"])
def test_a_preset_takes_any_of_its_expansions_and_a_board(name):
    """R-CMB-1: in any combination."""
    edition = PRESETS[name].edition
    for modules in modules_of(edition):
        rules = RuleSet.preset(name, 3, expansions=modules)
        assert rules == RuleSet(3, edition, modules)
    assert RuleSet.preset(name, expansions=X1, board="random").board == "random"
    assert RuleSet.preset(name, expansions=X1, board=BOARD).board == BOARD


def test_a_preset_takes_switches():
    rules = RuleSet.preset("doc001", 3, skip_forced=False)
    assert rules == RuleSet(3, "classic", skip_forced=False)


@pytest.mark.parametrize(
    ("name", "fields", "words"),
    [
        ("doc1", {}, "no preset is called 'doc1'; the presets are doc000, .*did you mean"),
        (
            "doc001",
            {"expansions": ["buildings"]},
            "has the base game only.*: doc000, doc002, doc004",
        ),
        ("doc003", {"expansions": ["citizens"]}, "doc003 does not have the expansion citizens"),
        ("doc004", {"expansions": ["smuggler"]}, "has buildings and citizens.*: doc000, doc002"),
        ("doc004", {"expansions": ["buildings", "festival"]}, "doc004 does not have.*festival"),
        ("doc001", {"expansions": ["rum"]}, "no expansion is called 'rum'"),
        ("doc001", {"edition": "1897-de"}, "cannot be played as '1897-de'; leave the edition out"),
        ("doc002", {"players": 7}, "players=7"),
    ],
)
def test_a_preset_refuses_what_its_document_does_not_have(name, fields, words):
    with pytest.raises(RuleSetError, match=words):
        RuleSet.preset(name, **fields)


def test_presets_are_named_after_the_documents():
    assert list(PRESETS) == ["doc000", "doc001", "doc002", "doc003", "doc004"]


# -- a value among values --------------------------------------------------------------------------

SAMPLES = [
    RuleSet(),
    RuleSet(2, "classic"),
    RuleSet(2, "classic", two_player_setup="borrowed"),
    RuleSet(3, "1897-de", vp_pool=40, skip_forced=False),
    RuleSet(5, "classic", hospice_scope="either_tile_once", wharf_capacity=None, max_rounds=1),
    RuleSet(4, "1897-en", corn_start_penalty=1, swap_factory_university=True, optional_gains="ask"),
    RuleSet(4, "1897-en", EXPANSIONS),
    RuleSet(4, "1897-en", EXPANSIONS, "random", chapel_timing="with_production"),
    RuleSet(4, "1897-en", X1, BOARD),
    RuleSet(4, "1897-en", X1, BOARD[::-1], guest_windows="reduced"),
    RuleSet(2, "1897-en", X1_AND_X2, LARGE_BOARD),
    RuleSet(5, "classic", X1_AND_X2, BOARD, villa_mode="extra"),
]
every_sample = pytest.mark.parametrize("rules", SAMPLES, ids=repr)


@every_sample
def test_a_rule_set_survives_json(rules):
    written = json.loads(json.dumps(rules.to_dict()))
    assert RuleSet.from_dict(written) == rules
    assert written == rules.to_dict()


@every_sample
def test_a_rule_set_survives_yaml(rules):
    yaml = pytest.importorskip("yaml")
    assert RuleSet.from_dict(yaml.safe_load(yaml.safe_dump(rules.to_dict()))) == rules


@every_sample
def test_a_rule_set_survives_pickle_and_copies(rules):
    assert rules.table.shape == (1,)
    for twin in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules)):
        assert twin == rules
        assert hash(twin) == hash(rules)
        assert (twin.table == rules.table).all()


@every_sample
def test_what_a_rule_set_prints_makes_it_again(rules):
    assert eval(repr(rules)) == rules  # our own text


@every_sample
@pytest.mark.parametrize("other", SAMPLES, ids=repr)
def test_rule_sets_are_equal_when_they_say_the_same(rules, other):
    same = rules.to_dict() == other.to_dict()
    assert (rules == other) is same
    assert (hash(rules) == hash(other)) is same


def test_a_dict_holds_only_what_differs_from_the_defaults():
    assert RuleSet().to_dict() == {"players": 4, "edition": "1897-en", "expansions": []}
    assert RuleSet.from_dict({}) == RuleSet()
    rules = RuleSet(3, "classic", (), "standard", vp_pool=75, skip_forced=False)
    assert rules.to_dict() == {
        "players": 3,
        "edition": "classic",
        "expansions": [],
        "skip_forced": False,
    }


def test_what_repeats_a_default_changes_nothing():
    assert RuleSet(vp_pool=100, hospice_scope="either_tile_once", villa_mode="extra") == RuleSet()
    assert len({RuleSet(), RuleSet(vp_pool=100), RuleSet(vp_pool=99)}) == 2


def test_numpy_numbers_are_taken_for_what_they_say():
    rules = RuleSet(np.int64(3), vp_pool=np.int16(60), skip_forced=np.bool_(False))
    assert rules == RuleSet(3, vp_pool=60, skip_forced=False)
    json.dumps(rules.to_dict())


def test_a_rule_set_does_not_change():
    rules = RuleSet()
    with pytest.raises(AttributeError, match="a rule set does not change"):
        rules.players = 3
    with pytest.raises(AttributeError, match="does not change"):
        del rules.vp_pool
    with pytest.raises(TypeError):
        rules.switches["vp_pool"] = 3
    assert rules == RuleSet()


def test_a_misspelt_attribute_is_told_its_neighbour():
    with pytest.raises(AttributeError, match="no 'hospice_scop'; did you mean 'hospice_scope'"):
        _ = RuleSet().hospice_scop
    assert not hasattr(RuleSet(), "rum")


def test_a_rule_set_is_not_equal_to_its_dict():
    assert RuleSet() != RuleSet().to_dict()


# -- what kernels and callers get ------------------------------------------------------------------


@every_edition
@every_table
def test_the_table_is_one_read_only_row_made_once(edition, players):
    rules = RuleSet(players, edition)
    assert rules.table.shape == (1,)
    assert rules.table is rules.table
    assert (record(rules)["num_players"], record(rules)["expansions"]) == (players, 0)
    assert record(rules)["edition"] == EDITIONS.index(edition)
    assert (record(rules)["num_spots"], record(rules)["num_buildings"]) == (29, 23)
    with pytest.raises(ValueError, match="read-only"):
        rules.table["vp_pool"] = 1


@every_edition
@every_table
def test_the_actions_of_the_base_game_are_the_first_of_all(edition, players):
    rules = RuleSet(players, edition)
    actions = rules.actions
    assert rules.num_actions == record(rules)["num_actions"] == len(actions) == NUM_BASE_ACTIONS
    assert actions.names == NAMES[:NUM_BASE_ACTIONS]
    assert [actions.ids[name] for name in actions.names] == list(range(NUM_BASE_ACTIONS))


def test_slices_cut_the_actions_into_their_kinds():
    actions = RuleSet().actions
    assert actions.names[actions.slices["wharf"]] == tuple(f"wharf:{good}" for good in GOODS)
    cut = [name for part in actions.slices.values() for name in actions.names[part]]
    assert tuple(cut) == actions.names
    assert {block.module for block in actions.blocks} == {"base"}
