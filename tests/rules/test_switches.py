"""Every switch: what it changes in the table of the rules, and what the base game plays then."""

import random
import re
from pathlib import Path

import numpy as np
import pytest

from prico_env import Game, RuleSet, catalog
from prico_env.catalog.options import SWITCHES, Switch
from prico_env.core.rules import RULES
from prico_env.vocabulary import BASE_BUILDINGS, BUILDINGS, EXPANSIONS, Windows
from tests.builders import (
    ALICE,
    BOB,
    CLASSIC,
    EDITIONS,
    ENGLISH,
    GERMAN,
    all_workers,
    board,
    coins,
    finish_phase,
    goods,
    new_game,
    number,
    options,
    play,
    role_coins,
    rules,
    workers,
)


def record(rules):
    """The rules as a kernel reads them."""
    return rules.table[0]


def names_of(flags):
    """The buildings whose flags are set."""
    return [name for name, flag in zip(BUILDINGS, flags, strict=True) if flag]


DEFAULTS = {
    # switch: classic, 1897-en, 1897-de (section 0.6)
    "bank_limited": (False, False, False),
    "coin_total_value": (86, 83, 83),
    "corn_start_penalty": (0, 0, 0),
    "craftsman_privilege_domain": ("can_produce", "produced", "produced"),
    "hospice_scope": ("normal_tile", "either_tile_once", "normal_tile"),
    "max_rounds": (200, 200, 200),
    "optional_gains": ("auto", "auto", "auto"),
    "residence_zero_tiles_vp": (4, 0, 0),
    "shared_victory": (True, True, True),
    "skip_forced": (True, True, True),
    "swap_factory_university": (False, False, False),
    "vp_hidden": (True, False, False),
    "voluntary_discard": (False, False, False),
    "wharf_capacity": (11, None, None),
}


@pytest.mark.parametrize("switch", DEFAULTS)
def test_a_switch_is_what_the_edition_says(switch):
    """D-03, D-12, D-21, D-25, D-27, D-30, Q-06, Q-11, Q-14, Q-101, Q-104."""
    assert tuple(getattr(rules(4, edition), switch) for edition in EDITIONS) == DEFAULTS[switch]


@pytest.mark.parametrize(
    ("edition", "pools"),
    [
        (CLASSIC, (65, 75, 100, 122)),
        (ENGLISH, (65, 75, 100, 126)),
        (GERMAN, (65, 75, 100, 126)),
    ],
)
def test_the_vp_pool_depends_on_the_table_size(edition, pools):
    """D-01, D-02, Q-01, Q-02, G007."""
    assert tuple(rules(players, edition).vp_pool for players in (2, 3, 4, 5)) == pools


def test_the_vp_pool_may_be_set(edition, players):
    """R-SET-10, D-02, Q-01: for instance 122 with five players in 1897."""
    game = new_game(players, edition, vp_pool=122)
    assert number(game, "vp_pool") == 122
    assert game.to_dict()["vp"] == 122


def test_the_value_of_all_coins_may_be_set(edition, players):
    """D-03, I-07."""
    game = new_game(players, edition, coin_total_value=60)
    assert number(game, "bank") == 60 - sum(coins(game, seat) for seat in range(players))


# -- what reaches the kernels ----------------------------------------------------------------------

REACHES = """
    vp_pool                                vp_pool
    coin_total_value                       coin_total_value
    max_rounds                             max_rounds
    bank_limited                           bank_limited
    two_player_setup
    hospice_scope                          hospice_scope_is_either_tile_once
    craftsman_privilege_domain             craftsman_privilege_domain_is_can_produce
    voluntary_discard                      voluntary_discard
    wharf_capacity
    residence_zero_tiles_vp                island_score
    vp_hidden                              vp_hidden
    optional_gains                         optional_gains_is_ask
    shared_victory                         shared_victory
    skip_forced                            skip_forced
    swap_factory_university                cost
    corn_start_penalty                     starting_coins
    forest_source                          forest_source_is_own_stack_12 forests
    lighthouse_counts_wharves              lighthouse_counts_wharves
    specialty_counts_privilege             specialty_counts_privilege
    library_two_same_goods                 library_two_same_goods
    union_hall_timing                      union_hall_timing_is_phase_start
    trading_post_after_house_full          trading_post_after_house_full
    black_market_excludes_own_worker       black_market_excludes_own_worker
    guest_windows                          guest_windows
    royal_supplier_timing                  royal_supplier_timing_is_phase_start
    royal_supplier_count                   royal_supplier_count_is_exactly
    chapel_timing                          chapel_timing_is_phase_start
    villa_mode                             villa_mode
    villa_timing                           villa_timing_is_phase_start
    land_office_sale_to                    land_office_sale_to_is_face_up_row
    citizens_from_supply_by_worker_effects citizens_from_supply_by_worker_effects
    land_office_sells_forest               land_office_sells_forest
    land_office_forest_buy                 land_office_forest_buy_is_flip_bought_tile \
                                           forest_source_is_own_stack_12 forests
    exclusive_buildings                    num_pairs pairs
    x2_with_x1_setup                       draft_pool draft_slots start_supply
    capture_others_act                     capture_others_act
    smuggler_affected_by_buildings         smuggler_affected_by_buildings
    festival_building_pool                 festival_pool
    festival_redraw_if_same_product        festival_redraw_if_same_product
    festival_two_player_refill             festival_two_player_refill
    festival_estate_returns_to             festival_estate_returns_to_is_face_up_row
    festival_production_window             festival_production_window_is_whole_phase
"""
"""The fields of the table that a switch changes; two switches never change anything."""

GOES_WITH = {
    ("villa_mode", "replace_first_take"): {"villa_timing": "first_turn"},
    ("villa_mode", "extra"): {"villa_timing": "first_turn"},
    ("villa_mode", "replace_privilege"): {"villa_timing": "first_turn"},
    ("villa_timing", "phase_start"): {"villa_mode": "extra"},
    ("villa_timing", "first_turn"): {"villa_mode": "extra"},
    ("land_office_forest_buy", "take_from_forest_stack"): {"forest_source": "own_stack_12"},
    ("land_office_forest_buy", "flip_bought_tile"): {"forest_source": "facedown_estate"},
}
"""What else a value needs, so that the rule set does not contradict itself."""


def with_switch(edition, name, value):
    """The smallest rule set that a switch is about."""
    modules = SWITCHES[name].needs
    return RuleSet(2, edition, modules, **{name: value}, **GOES_WITH.get((name, value), {}))


def values_of(edition, name):
    """Every value that a switch takes in an edition, or two of a range."""
    if name == "two_player_setup":
        return ("borrowed" if edition == "classic" else "own",)
    values = SWITCHES[name].values
    return (50, 60) if isinstance(values, range) and 60 in values else tuple(values[:2])


@pytest.mark.parametrize("row", REACHES.strip().splitlines(), ids=lambda row: row.split()[0])
def test_a_switch_changes_its_own_fields_of_the_table_and_no_others(edition, row):
    """Section 0.6: every switch that decides something reaches the kernels."""
    name, *fields = row.split()
    if not set(SWITCHES[name].needs) <= set(catalog.load(edition).expansions):
        assert getattr(RuleSet(2, edition), name) is None
        return
    tables = [record(with_switch(edition, name, value)) for value in values_of(edition, name)]
    changed = {
        field
        for field in RULES.names
        if field != "start"  # the position that a game starts from follows from the other fields
        and any(not np.array_equal(table[field], tables[0][field]) for table in tables[1:])
    }
    assert changed == set(fields)


def test_the_field_of_a_switch_follows_from_its_row():
    """One row says how kernels see a switch: by its number, by one of its values, or not at all."""
    flag = Switch("dance", (False, True), False, "Whether they dance.")
    word = Switch("tune", ("slow", "quick"), "slow", "What they dance to.", kernels="quick")
    enumerated = Switch("when", ("full", "reduced"), "full", "How often.", kernels=Windows)
    large = Switch("steps", range(1, 1000), 1, "How far.")
    unseen = Switch("price", (1, 2), 1, "What it costs.", kernels=False)
    assert [one.field for one in (flag, word, enumerated, large, unseen)] == [
        "dance", "tune_is_quick", "when", "steps", None,
    ]  # fmt: skip
    assert [one.kind for one in (flag, word, enumerated, large)] == ["i1", "i1", "i1", "i2"]
    assert [flag.number(True), word.number("quick"), word.number("slow")] == [1, 1, 0]
    assert [enumerated.number("full"), large.number(999)] == [Windows.FULL, 999]
    assert {one.field for one in SWITCHES.values() if one.field} <= set(RULES.names)


def test_the_tests_know_what_every_switch_changes():
    assert {row.split()[0] for row in REACHES.strip().splitlines()} == set(SWITCHES)


@pytest.mark.parametrize(
    ("switch", "field", "value"),
    [
        ({"skip_forced": False}, "skip_forced", 0),
        ({"optional_gains": "ask"}, "optional_gains_is_ask", 1),
        ({"bank_limited": True}, "bank_limited", 1),
        ({"hospice_scope": "normal_tile"}, "hospice_scope_is_either_tile_once", 0),
        (
            {"craftsman_privilege_domain": "can_produce"},
            "craftsman_privilege_domain_is_can_produce",
            1,
        ),
        ({"voluntary_discard": True}, "voluntary_discard", 1),
        ({"vp_hidden": True}, "vp_hidden", 1),
        ({"shared_victory": False}, "shared_victory", 0),
        ({"max_rounds": 7}, "max_rounds", 7),
        ({"coin_total_value": 50}, "coin_total_value", 50),
        ({"vp_pool": 9}, "vp_pool", 9),
    ],
)
def test_a_switch_of_the_base_game_reaches_the_kernels(switch, field, value):
    assert record(RuleSet())[field] != value
    assert record(RuleSet(**switch))[field] == value


@pytest.mark.parametrize(
    ("switch", "field", "value"),
    [
        ({"forest_source": "own_stack_12"}, "forest_source_is_own_stack_12", 1),
        ({"forest_source": "own_stack_12"}, "forests", 12),
        ({"lighthouse_counts_wharves": False}, "lighthouse_counts_wharves", 0),
        ({"specialty_counts_privilege": False}, "specialty_counts_privilege", 0),
        ({"library_two_same_goods": False}, "library_two_same_goods", 0),
        ({"union_hall_timing": "phase_start"}, "union_hall_timing_is_phase_start", 1),
        ({"trading_post_after_house_full": False}, "trading_post_after_house_full", 0),
        ({"black_market_excludes_own_worker": False}, "black_market_excludes_own_worker", 0),
        ({"guest_windows": "reduced"}, "guest_windows", Windows.REDUCED),
        ({"royal_supplier_timing": "phase_start"}, "royal_supplier_timing_is_phase_start", 1),
        ({"royal_supplier_count": "exactly"}, "royal_supplier_count_is_exactly", 1),
        ({"chapel_timing": "phase_start"}, "chapel_timing_is_phase_start", 1),
        ({"villa_mode": "replace_first_take"}, "villa_mode", 2),
        ({"villa_timing": "phase_start"}, "villa_timing_is_phase_start", 1),
        ({"land_office_sale_to": "face_up_row"}, "land_office_sale_to_is_face_up_row", 1),
        ({"land_office_sells_forest": False}, "land_office_sells_forest", 0),
        (
            {"citizens_from_supply_by_worker_effects": True},
            "citizens_from_supply_by_worker_effects",
            1,
        ),
        ({"capture_others_act": True}, "capture_others_act", 1),
        ({"smuggler_affected_by_buildings": True}, "smuggler_affected_by_buildings", 1),
        ({"festival_redraw_if_same_product": False}, "festival_redraw_if_same_product", 0),
        ({"festival_two_player_refill": False}, "festival_two_player_refill", 0),
        (
            {"festival_estate_returns_to": "face_up_row"},
            "festival_estate_returns_to_is_face_up_row",
            1,
        ),
        (
            {"festival_production_window": "own_turn"},
            "festival_production_window_is_whole_phase",
            0,
        ),
    ],
)
def test_a_switch_of_an_expansion_reaches_the_kernels(switch, field, value):
    """Section 0.6: the German edition with everything, two players."""
    modules = EXPANSIONS if switch != {"forest_source": "own_stack_12"} else ("buildings",)
    assert record(RuleSet(2, "1897-de", modules))[field] != value
    assert record(RuleSet(2, "1897-de", modules, **switch))[field] == value


def test_the_table_says_nothing_of_an_expansion_that_is_not_there(edition, players):
    """Whatever the edition's switches say, a base game is a base game."""
    table, base = record(RuleSet(players, edition)), record(RuleSet(players, "1897-en"))
    fields = [row.split()[1:] for row in REACHES.strip().splitlines() if _needs_expansion(row)]
    for field in {one for group in fields for one in group} - {"start_supply"}:
        assert not table[field].any(), field
    assert (table["start_supply"] == base["start_supply"]).all()


def _needs_expansion(row):
    return bool(SWITCHES[row.split()[0]].needs)


# -- where the editions differ ---------------------------------------------------------------------

DIFFERENCES = """
    D-01 D-02            vp_pool                                     122  126  126
    D-03                 coin_total_value                             86   83   83
    D-12                 hospice_scope_is_either_tile_once             0    1    0
    D-21                 craftsman_privilege_domain_is_can_produce     1    0    0
    D-25                 vp_hidden                                     1    0    0
    D-30                 island_score                                  4    0    0
    D-36 D-39 D-40       forest_source_is_own_stack_12                 1    0    0
    D-37                 forests                                      12    0    0
    D-50                 lighthouse_counts_wharves                     0    1    1
    D-53                 library_two_same_goods                        0    1    1
    D-56                 union_hall_timing_is_phase_start              0    1    0
    D-58                 draft_slots                                  17   25   17
    D-60 D-85            land_office_sale_to_is_face_up_row            0    1    0
    D-61                 land_office_sells_forest                      0    0    1
    D-62                 land_office_forest_buy_is_flip_bought_tile    0    1    1
    D-63                 chapel_timing_is_phase_start                  0    1    0
    D-67                 royal_supplier_timing_is_phase_start          0    1    0
    D-68                 villa_mode                                    2    1    1
    D-68                 villa_timing_is_phase_start                   0    1    0
    D-71                 capture_others_act                            0    1    0
    D-75                 festival_pool                                 0    4    6
    D-76                 festival_redraw_if_same_product               0    0    1
    D-78 D-85            festival_estate_returns_to_is_face_up_row     0    1    0
    D-79                 festival_production_window_is_whole_phase     0    0    1
"""
"""What the table of five players has of a difference that rules must branch on, by edition."""


def sum_of(field, value):
    """A field as one number: its own, its first, or how much there is of it."""
    if field == "island_score":
        return int(value[0])
    return int(np.sum(value))


@pytest.mark.parametrize("row", DIFFERENCES.strip().splitlines(), ids=lambda row: row.split()[0])
def test_every_difference_that_rules_branch_on_is_in_the_table(row):
    """The must-branch list of A.5: D-01, D-02, D-03, D-12, D-21, D-25, D-30, D-36, D-37, D-39,
    D-40, D-50, D-53, D-56, D-58, D-60, D-61, D-62, D-63, D-67, D-68, D-71, D-75, D-76, D-78,
    D-79 and D-85.
    """
    *_, field, classic, english, german = row.split()
    for edition, expected in zip(EDITIONS, (classic, english, german), strict=True):
        modules = catalog.load(edition).expansions
        if field == "festival_pool":  # in the base game, where the editions differ
            modules = tuple(name for name in modules if name in ("smuggler", "festival"))
        found = sum_of(field, record(RuleSet(5, edition, modules))[field])
        assert found == int(expected), edition


def test_the_tests_know_every_difference_that_rules_branch_on():
    """The must-branch list stands in the reference page of the rules, below table A.5."""
    page = Path(__file__).parents[2] / "prico_env" / "reference" / "rules.md"
    (listed,) = re.findall(r"^\*\*Must-branch list.*$", page.read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"D-\d\d", listed)) == set(re.findall(r"D-\d\d", DIFFERENCES))


def test_with_new_buildings_the_english_festival_asks_for_all_of_three_vp():
    """R-FES-4, D-75, Q-148: those of expansions too, if they are in the game."""
    for modules in (("buildings", "festival"), ("citizens", "festival")):
        pool = names_of(record(RuleSet(4, "1897-en", modules))["festival_pool"])
        box = [row for row in catalog.load("1897-en").buildings if row.module in ("base", *modules)]
        assert pool == [row.id for row in box if row.vp == 3]
    plain = names_of(record(RuleSet(4, "1897-en", ["festival"]))["festival_pool"])
    assert plain == ["factory", "university", "harbor", "wharf"]


# -- playing with the switches of expansions ------------------------------------------------------

BESIDE = GOES_WITH | {
    ("forest_source", "own_stack_12"): {"land_office_forest_buy": "take_from_forest_stack"},
}
CHOICES = [
    (name, value)
    for name, switch in SWITCHES.items()
    if switch.needs
    for value in values_of(GERMAN, name)
]


@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_a_game_with_everything_goes_on_with_any_value_of_a_switch(name, value):
    """Section 0.6, R-CMB-1: three rounds at random, and the position is one that can occur."""
    players = 2 if name == "festival_two_player_refill" else 3
    extra = {name: value, "max_rounds": 3} | BESIDE.get((name, value), {})
    game = Game(RuleSet(players, GERMAN, EXPANSIONS, "random", **extra), seed=len(name))
    chance = random.Random(str(value))
    while not game.over:
        game.step(chance.choice(game.legal_actions()))
    assert Game.from_dict(game.to_dict()).to_dict() == game.to_dict()
    assert getattr(game.rules, name) == value


def test_a_festival_of_named_buildings_has_a_goal_if_the_draft_took_one():
    """R-FES-4, R-FES-11: where the board has none of them there is no goal of a building."""
    modules = ("buildings", "festival")
    rules = RuleSet(3, ENGLISH, modules, "random", festival_building_pool="four_named")
    goals = set()
    for seed in range(40):
        place = Game(rules, seed).to_dict()
        named = {"factory", "university", "harbor", "wharf"} & set(place["board"])
        goal = place["festival"]["building"]
        assert goal in named or (goal is None and not named)
        goals.add(goal)
    assert goals == {"factory", "university", "harbor", "wharf", None}


# -- the bank --------------------------------------------------------------------------------------


def test_the_bank_pays_without_limit_by_default(edition):
    """Q-06, R-CMP-2, I-07: its account goes below zero."""
    game = new_game(4, edition, coin_total_value=12)
    play(game, "alice role prospector_1")
    assert coins(game, ALICE) == 4
    assert number(game, "bank") == -1


def test_a_limited_bank_pays_what_it_has(edition):
    """Q-06, I-07, I-10."""
    game = new_game(4, edition, coin_total_value=12, bank_limited=True)
    play(game, "alice role prospector_1")
    assert coins(game, ALICE) == 3
    assert number(game, "bank") == 0


def test_a_limited_bank_pays_a_part(edition):
    """Q-06: two coins are there when coffee is sold for five."""
    game = board(
        edition=edition,
        seats={ALICE: {"goods": {"coffee": 1}}},
        switches={"coin_total_value": 14, "bank_limited": True},
    )
    play(game, "alice role trader\nalice sell coffee")
    assert coins(game, ALICE) == 5
    assert number(game, "bank") == 0


@pytest.mark.parametrize(("total", "laid"), [(12, 0), (13, 1), (20, 3)])
def test_a_limited_bank_lays_on_roles_what_it_has(edition, total, laid):
    """Q-06, R-EOR-2, I-07: coins are neither made nor lost."""
    game = new_game(4, edition, coin_total_value=total, bank_limited=True)
    for role in ("trader", "craftsman", "captain", "settler"):
        game.step(f"role:{role}")
        finish_phase(game)
    assert sum(role_coins(game).values()) == laid
    assert number(game, "bank") == total - 12 - laid


# -- buildings -------------------------------------------------------------------------------------


def test_the_hospice_may_serve_the_normal_tile_only_or_either(edition):
    """D-12, R-HOS-3: in any edition, as the switch says."""
    seats = {ALICE: {"city": {"hospice": 1, "hacienda": 1}}}
    script = "alice role settler\nalice draw\nalice take sugar"
    normal = board(
        edition=edition,
        seats=seats,
        on_top=("coffee",),
        switches={"hospice_scope": "normal_tile"},
    )
    play(normal, script)
    assert normal.turn == BOB
    assert workers(normal, ALICE, "sugar") == 1
    either = board(
        edition=edition,
        seats=seats,
        on_top=("coffee",),
        switches={"hospice_scope": "either_tile_once"},
    )
    play(either, script)
    assert options(either) == {"hospice:drawn", "hospice:taken"}
    assert all_workers(either, ALICE) == 2


@pytest.mark.parametrize("domain", ["produced", "can_produce"])
def test_both_readings_of_the_craftsman_agree_in_the_base_game(edition, domain):
    """D-21, Q-62, R-CRA-7, G046: what could be made and is left in the supply was made."""
    farm = {
        "island": {"corn": [1, 1], "coffee": [1, 1], "sugar": [1, 1]},
        "city": {"coffee_roaster": 1, "small_sugar_mill": 1},
    }
    game = board(
        edition=edition,
        seats={ALICE: farm},
        goods={"corn": 9, "indigo": 9, "sugar": 9, "tobacco": 9, "coffee": 0},
        switches={"craftsman_privilege_domain": domain},
    )
    play(game, "alice role craftsman")
    assert options(game) == {"privilege:corn", "privilege:sugar"}


@pytest.mark.parametrize("domain", ["produced", "can_produce"])
def test_nothing_produced_is_no_privilege_in_either_reading(edition, domain):
    """Q-63, D-21, R-CRA-7."""
    farm = {"island": {"corn": [1, 1]}}
    game = board(
        edition=edition,
        seats={ALICE: farm},
        goods={"corn": 0, "indigo": 9, "sugar": 9, "tobacco": 9, "coffee": 9},
        switches={"craftsman_privilege_domain": domain},
    )
    play(game, "alice role craftsman")
    assert goods(game, ALICE) == {}


@pytest.mark.parametrize("points", [0, 4])
def test_a_residence_without_tiles_scores_what_the_table_agreed_on(edition, points):
    """D-30, Q-105, R-RES-1, TX-56."""
    game = board(
        edition=edition,
        seats={ALICE: {"island": {}, "city": {"residence": 1}}},
        switches={"residence_zero_tiles_vp": points},
    )
    assert game.scores()[ALICE] == 4 + points


def price_of(name, edition, **switches):
    """What a building costs at a table."""
    table = rules(4, edition, **switches).table
    return int(table["cost"][0, BASE_BUILDINGS.index(name)])


def test_factory_and_university_may_change_prices(edition):
    """Q-04: section 0.6, a tournament variant."""
    assert (price_of("factory", edition), price_of("university", edition)) == (7, 8)
    swapped = {"swap_factory_university": True}
    assert price_of("factory", edition, **swapped) == 8
    assert price_of("university", edition, **swapped) == 7
    game = board("builder", edition=edition, turn=BOB, seats={BOB: {"coins": 7}}, switches=swapped)
    assert "build:university" in options(game)
    assert "build:factory" not in options(game)


@pytest.mark.parametrize("penalty", [0, 1, 2])
def test_corn_may_start_with_fewer_coins(edition, penalty):
    """R-SET-5: section 0.6, a tournament variant; the coins stay in the bank."""
    game = new_game(4, edition, corn_start_penalty=penalty)
    assert [coins(game, seat) for seat in range(4)] == [3, 3, 3 - penalty, 3 - penalty]
    plain = number(new_game(4, edition), "bank")
    assert number(game, "bank") == plain + 2 * penalty


# -- the end ---------------------------------------------------------------------------------------


TIED = {ALICE: {"vp": 9}, BOB: {"vp": 9}}


def tied_game(edition, shared):
    """Alice and Bob are equal in everything when the game ends."""
    game = board(
        edition=edition, seats=TIED, end_triggered=True, switches={"shared_victory": shared}
    )
    return play(
        game,
        """
        alice  role trader
        bob    role craftsman
        carol  role captain
        dave   role prospector_1
        """,
    )


def test_a_tie_is_shared(edition):
    """Q-104, R-SCO-4."""
    game = tied_game(edition, shared=True)
    assert game.ranking()[:2] == [1, 1]
    assert game.rewards("win").tolist() == pytest.approx([0.25, 0.25, -0.25, -0.25])


def test_a_tie_may_have_one_winner(edition):
    """Q-104: with the switch off no place is shared."""
    game = tied_game(edition, shared=False)
    assert sorted(game.ranking()) == [1, 2, 3, 4]
    assert sorted(game.ranking()[:2]) == [1, 2]
    assert sorted(game.rewards("win").tolist()) == pytest.approx([-0.25, -0.25, -0.25, 0.75])


@pytest.mark.parametrize("limit", [1, 2, 200])
def test_a_game_is_cut_off_after_so_many_rounds(edition, limit):
    """I-33."""
    game = new_game(3, edition, max_rounds=limit)
    for rounds in range(1, 5):
        for role in ("trader", "craftsman", "captain"):
            game.step(f"role:{role}")
        assert game.over is game.truncated is (rounds == limit)
        if game.over:
            break


def test_a_game_that_ends_in_its_last_round_is_not_cut_off(edition):
    """I-33, R-END-5: it has a winner."""
    game = board(
        players=3,
        edition=edition,
        end_triggered=True,
        seats={BOB: {"vp": 3}},
        switches={"max_rounds": 1},
    )
    play(game, "alice role trader\nbob role craftsman\ncarol role captain")
    assert game.over
    assert not game.truncated
    assert game.ranking()[BOB] == 1
    assert game.rewards("win")[BOB] > 0


# -- forced decisions ------------------------------------------------------------------------------


def test_forced_decisions_may_be_asked(edition):
    """R-CRA-7, R-ROL-7: section B.0 lets the engine carry them out, the switch lets it ask."""
    farm = {"island": {"corn": [1, 1]}}
    auto = play(board(edition=edition, seats={ALICE: farm}), "alice role craftsman")
    asked = board(edition=edition, seats={ALICE: farm}, switches={"skip_forced": False})
    play(asked, "alice role craftsman")
    assert options(asked) == {"privilege:corn"}
    play(asked, "alice privilege corn")
    assert goods(asked, ALICE) == goods(auto, ALICE) == {"corn": 2}
    assert [move.forced for move in auto.history] == [False, True]
    assert [move.forced for move in asked.history] == [False, False]


FULL_ISLAND = {"corn": [4, 0], "indigo": [4, 0], "sugar": [4, 0]}


@pytest.mark.parametrize(
    ("phase", "seat"), [("trader", {}), ("builder", {"coins": 0}), ("settler", FULL_ISLAND)]
)
def test_a_seat_without_an_option_says_pass_itself(edition, phase, seat):
    """R-ROL-7: outside captain circuits, where it is skipped (R-CAP-8)."""
    seat = {"island": seat} if phase == "settler" else seat
    game = board(
        phase, edition=edition, turn=BOB, seats={BOB: seat}, switches={"skip_forced": False}
    )
    game.settle()
    assert game.turn == BOB
    assert options(game) == {"pass"}
    assert game.history == []


def test_both_ways_of_playing_lead_to_the_same_game(edition, players):
    """R-ROL-7: section I.5, forced moves asked one by one are those that are carried out."""
    asked = new_game(players, edition, skip_forced=False)
    auto = new_game(players, edition)
    for _ in range(120):
        if auto.over:
            break
        action = auto.legal_actions()[-1]
        auto.step(action)
    for move in auto.history:
        assert asked.turn == move.seat
        asked.step(move.action)
    while not auto.over and len(asked.legal_actions()) == 1:
        asked.step(asked.legal_actions()[0])
    for field in ("coins", "vp", "goods", "workers", "owned", "turn", "phase", "bank", "rng"):
        assert auto.state[field].tolist() == asked.state[field].tolist()


def test_a_switch_is_part_of_the_rule_set():
    """R-SET-1: it is kept with the rules, and nothing else is."""
    first = RuleSet(players=3, edition=GERMAN, voluntary_discard=True)
    assert RuleSet.from_dict(first.to_dict()) == first
    assert first != RuleSet(players=3, edition=GERMAN)
    assert hash(first) == hash(RuleSet(players=3, edition=GERMAN, voluntary_discard=True))
