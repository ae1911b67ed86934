"""The board of a game with the new buildings in a rule set, and switches that do not agree."""

import json
import random

import numpy as np
import pytest

from prico_env import Game
from prico_env.core.rules import Draft
from prico_env.errors import RuleSetError
from prico_env.ruleset import RuleSet
from prico_env.vocabulary import BUILDINGS, CITIZEN_BUILDINGS, EDITIONS
from tests.rule_sets import BOARD, LARGE_BOARD, X1, X1_AND_X2

PLAYERS = (2, 3, 4, 5)
every_edition = pytest.mark.parametrize("edition", EDITIONS)
every_table = pytest.mark.parametrize("players", PLAYERS)


def record(rules):
    """The rules as a kernel reads them."""
    return rules.table[0]


def number(building):
    return BUILDINGS.index(building)


# -- the board of a game with the new buildings ----------------------------------------------------

CANDIDATES = """
    1   small_market aqueduct
    2   hacienda construction_hut forest_house black_market
    3   small_warehouse storehouse
    4   hospice guest_house
    5   office large_market trading_post church
    6   large_warehouse small_wharf
    7   factory lighthouse
    8   university harbor specialty_factory library
    9   wharf union_hall
    10  guild_hall residence fortress customs_house city_hall cloister statue
"""
CITIZEN_CANDIDATES = """
    2   land_office
    3   chapel
    4   hunting_lodge
    5   notary
    6   royal_supplier
    7   villa
    8   jeweler
    10  royal_garden
"""


def by_cost(table):
    """Types by what they cost."""
    return {int(line.split()[0]): line.split()[1:] for line in table.strip().splitlines()}


def names_of(flags):
    """The buildings whose flags are set."""
    return [name for name, flag in zip(BUILDINGS, flags, strict=False) if flag]


def drafted_by_cost(rules):
    """The types that a draft chooses among, as the table has them."""
    row = record(rules)
    found = {cost: [] for cost in range(1, 11)}
    for name in names_of(row["draft_pool"]):
        found[int(row["cost"][number(name)])].append(name)
    return found


@every_edition
def test_the_players_draft_unless_somebody_says_otherwise(edition):
    """R-X1-4: `board` is "draft" with the new buildings, "standard" without them."""
    assert RuleSet(4, edition, X1).board == "draft"
    assert RuleSet(4, edition, X1, "draft") == RuleSet(4, edition, X1, "standard")
    assert RuleSet(4, edition, ["citizens"]).board == RuleSet(4, edition).board == "standard"
    assert record(RuleSet(4, edition, X1))["draft"] == Draft.BY_PLAYERS
    assert record(RuleSet(4, edition, X1, "random"))["draft"] == Draft.AT_RANDOM
    assert record(RuleSet(4, edition, X1, BOARD))["draft"] == Draft.NONE
    assert record(RuleSet(4, edition))["draft"] == Draft.NONE


@every_edition
def test_a_draft_chooses_17_of_31_types(edition):
    """R-X1-2, R-X1-3, R-X1-5."""
    rules = RuleSet(4, edition, X1)
    assert drafted_by_cost(rules) == by_cost(CANDIDATES)
    assert record(rules)["draft_slots"].tolist() == [0, 1, 2, 1, 1, 2, 1, 1, 2, 1, 5]


@pytest.mark.parametrize(("edition", "chosen"), [("classic", 17), ("1897-en", 25), ("1897-de", 17)])
def test_the_buildings_of_the_citizens_join_the_draft_or_are_all_there(edition, chosen):
    """R-X2-10, D-58, Q-109: they compete for 25 places in English, and come on top elsewhere."""
    rules = RuleSet(4, edition, X1_AND_X2)
    row = record(rules)
    pool = drafted_by_cost(rules)
    assert row["draft_slots"].sum() == chosen
    if edition == "1897-en":
        assert row["draft_slots"].tolist() == [0, 1, 3, 2, 2, 3, 2, 2, 3, 1, 6]
        extra = by_cost(CITIZEN_CANDIDATES)
        assert pool == {
            cost: types + extra.get(cost, []) for cost, types in by_cost(CANDIDATES).items()
        }
        assert not row["start_supply"][number("land_office") :].any()
    else:
        assert pool == by_cost(CANDIDATES)
        assert names_of(row["start_supply"][:]) == [*BUILDINGS[:6], *CITIZEN_BUILDINGS]


@every_edition
@pytest.mark.parametrize(("setup", "chosen"), [("add_all_8", 17), ("draft_extra_slots", 25)])
def test_either_way_of_drafting_may_be_chosen_in_every_edition(edition, setup, chosen):
    """Q-109."""
    board = BOARD if chosen == 17 else LARGE_BOARD
    assert (
        record(RuleSet(3, edition, X1_AND_X2, x2_with_x1_setup=setup))["draft_slots"].sum()
        == chosen
    )
    assert len(RuleSet(3, edition, X1_AND_X2, board, x2_with_x1_setup=setup).board) == chosen


@every_edition
@pytest.mark.parametrize(("players", "copies"), [(2, 12 + 12 + 5), (3, 20 + 24 + 5)])
def test_a_fixed_board_is_for_sale_from_the_start(edition, players, copies):
    """R-X1-1, R-X1-6, R-X1-7: 29 tiles beside the 20 production buildings, single ones for two."""
    row = record(RuleSet(players, edition, X1, BOARD))
    assert names_of(row["board"]) == list(BOARD)
    assert names_of(row["start_supply"]) == sorted((*BUILDINGS[:6], *BOARD), key=number)
    assert row["start_supply"].sum() == copies
    assert (row["start_supply"][row["board"] == 1] == row["copies"][row["board"] == 1]).all()


@every_edition
@every_table
@pytest.mark.parametrize("how", ["draft", "random"])
def test_before_a_draft_only_production_buildings_are_for_sale(edition, players, how):
    """R-X1-1."""
    row = record(RuleSet(players, edition, X1, how))
    assert names_of(row["start_supply"]) == list(BUILDINGS[:6])
    assert not row["board"].any()
    assert row["copies"][: number("land_office")].all()


@every_table
def test_citizens_without_new_buildings_bring_all_of_theirs(players):
    """R-X2-1, Q-110: in every edition, beside the standard board."""
    for edition in EDITIONS:
        row = record(RuleSet(players, edition, ["citizens"]))
        small, large = (1, 1) if players == 2 else (2, 1)
        assert row["start_supply"][number("land_office") :].tolist() == [small] * 6 + [2, large]
        assert names_of(row["start_supply"][:37]) == list(BUILDINGS[:23])
        assert not row["draft_pool"].any()
        assert not row["draft_slots"].any()


@every_table
def test_citizens_come_with_all_workers_of_the_box(players):
    """R-X2-2, R-SET-11, Q-111: 20 citizens and 100 workers at every size of table."""
    for edition in EDITIONS:
        row = record(RuleSet(players, edition, ["citizens"]))
        assert row["citizens"] == 20
        assert row["worker_supply"] + row["register_workers"] == 100
        assert record(RuleSet(players, edition))["citizens"] == 0


def test_the_order_of_a_board_does_not_matter():
    """Equal boards are equal rule sets, with the types by their numbers."""
    rules = RuleSet(4, "1897-en", X1, BOARD)
    assert rules.board == BOARD
    for shuffled in (BOARD[::-1], list(BOARD), set(BOARD), iter(BOARD), np.array(BOARD)):
        twin = RuleSet(4, "1897-en", X1, shuffled)
        assert (twin, hash(twin), repr(twin)) == (rules, hash(rules), repr(rules))
        assert all(type(name) is str for name in twin.board)


def test_swapped_prices_swap_places_on_the_board():
    """R-X1-5: the factory then competes at cost 8 and the university at cost 7."""
    rules = RuleSet(4, "1897-en", X1, swap_factory_university=True)
    assert drafted_by_cost(rules)[7] == ["university", "lighthouse"]
    assert drafted_by_cost(rules)[8] == ["factory", "harbor", "specialty_factory", "library"]
    board = [name for name in BOARD if name not in ("harbor", "library")]
    RuleSet(4, "1897-en", X1, [*board, "factory", "library"], swap_factory_university=True)
    with pytest.raises(RuleSetError, match="cost 7 it has 2"):
        RuleSet(4, "1897-en", X1, [*board, "factory", "library"])


@every_edition
@pytest.mark.parametrize("modules", [X1, X1_AND_X2])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("how", ["draft", "random"])
def test_every_board_that_is_chosen_may_be_given_as_a_list(edition, modules, swapped, how):
    """R-X1-3, R-X1-4, R-X2-10: players and generator choose what a list may name."""
    rules = RuleSet(3, edition, modules, how, swap_factory_university=swapped)
    chance = random.Random(edition)
    for seed in range(3):
        game = Game(rules, seed)
        while game.phase == "draft":
            game.step(chance.choice(game.legal_actions()))
        board = game.to_dict()["board"]
        fixed = RuleSet(3, edition, modules, board, swap_factory_university=swapped)
        assert sorted(fixed.board) == sorted(board)
        assert Game(fixed, seed).to_dict()["buildings"] == game.to_dict()["buildings"]


def but(*names, board=BOARD):
    """A board with these types more, or without those of them that it has."""
    return [name for name in board if name not in names] + [
        name for name in names if name not in board
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"board": 3}, "board=3 does not go; choose 'draft', 'random' or a list of building ids"),
        ({"board": None}, "board=None does not go"),
        ({"board": "drafted"}, "board='drafted' does not go.*did you mean 'draft'"),
        ({"board": {"wharf": 1}}, "board=.'wharf': 1. does not go"),
        ({"board": but("hospise")}, "no building is called 'hospise'; did you mean 'hospice'"),
        ({"board": but("zoo")}, "no building is called 'zoo'; a draft chooses among small_market"),
        ({"board": [*BOARD, 7]}, "no building is called 7; a draft chooses among"),
        ({"board": [*BOARD, None]}, "no building is called None"),
        ({"board": b"wharf"}, "board=b'wharf' does not go"),
        (
            {"board": but("indigo_plant")},
            "nobody chooses 'indigo_plant': production buildings are always in the game; leave it",
        ),
        (
            {"board": but("villa")},
            "'villa': it belongs to the expansion 'citizens', which is not in this rule set",
        ),
        (
            {"board": but("villa"), "expansions": X1_AND_X2, "edition": "1897-de"},
            "'villa': with x2_with_x1_setup='add_all_8' it is in the game anyway; leave it out",
        ),
        (
            {"board": but("jeweler"), "expansions": X1_AND_X2, "x2_with_x1_setup": "add_all_8"},
            "'jeweler': with x2_with_x1_setup='add_all_8'",
        ),
        ({"board": [*BOARD, "wharf"]}, "'wharf' is there twice, and each type is chosen once"),
        (
            {"board": but("office")},
            r"of the buildings that cost 5 it has 3 \(office, trading_post, church\), and a draft "
            "chooses 2 of office, large_market, trading_post, church$",
        ),
        (
            {"board": but("aqueduct")},
            "that cost 1 it has 0, and a draft chooses 1 of small_market, aqueduct$",
        ),
        (
            {"board": but("statue", "cloister", "residence")},
            r"that cost 10 it has 2 \(fortress, city_hall\), and a draft chooses 5 of guild_hall, ",
        ),
        ({"board": but("statue", "office")}, "that cost 5.*; cost 10 does not fit either$"),
        ({"board": []}, "cost 1 it has 0.*; cost 2, 3, 4, 5, 6, 7, 8, 9 and 10 do not fit either$"),
        (
            {"board": BOARD, "expansions": X1_AND_X2},
            r"that cost 2 it has 2 \(hacienda, forest_house\), and a draft chooses 3 of hacienda, "
            "construction_hut, forest_house, black_market, land_office; cost 3, 4, 5, 6, 7, 8 and ",
        ),
        (
            {"board": LARGE_BOARD},
            "'land_office': it belongs to the expansion 'citizens'",
        ),
    ],
)
def test_a_board_that_no_draft_gives_is_refused_in_words(fields, words):
    """R-X1-2 to R-X1-6, R-X2-10."""
    fields = {"expansions": X1} | fields
    with pytest.raises(RuleSetError, match=words) as caught:
        RuleSet(**fields)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("expansions", [(), ("citizens",), ("smuggler", "festival")])
@pytest.mark.parametrize("board", ["draft", "random", BOARD, [], "drafft"])
def test_without_new_buildings_there_is_no_board_to_choose(expansions, board):
    with pytest.raises(RuleSetError, match="'buildings', which is not in this rule set; leave the"):
        RuleSet(4, "1897-en", expansions, board)


# -- buildings that exclude each other -------------------------------------------------------------


def test_exclusive_buildings_are_the_same_in_any_order_and_survive_json():
    """R-X1-9."""
    pairs = [["trading_post", "office"], ["hacienda", "forest_house"]]
    rules = RuleSet(4, "1897-en", X1, exclusive_buildings=pairs)
    other = RuleSet(4, "1897-en", X1, exclusive_buildings=[pair[::-1] for pair in pairs[::-1]])
    assert rules == other
    assert hash(rules) == hash(other)
    assert RuleSet.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert RuleSet(4, "1897-en", X1, exclusive_buildings=[]) == RuleSet(4, "1897-en", X1)


LARGE_PAIRS = [
    ["guild_hall", "city_hall"], ["residence", "fortress"], ["customs_house", "statue"],
]  # fmt: skip


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ("office", "choose None or a list of pairs"),
        (["office", "trading_post"], "choose None or a list of pairs"),
        ([["office"]], "choose None or a list of pairs"),
        ([["office", "office"]], "choose None or a list of pairs"),
        ([["office", 3]], "choose None or a list of pairs"),
        ((3, 4), "choose None or a list of pairs"),
        (("of", "ice"), "choose None or a list of pairs"),
        ((("office", []),), "choose None or a list of pairs"),
        ([["office", "tradingpost"]], "no building is called 'tradingpost'; did you mean"),
        ([["office", "indigo_plant"]], "production buildings are always in the game"),
        ([["office", "villa"]], "belongs to the expansion 'citizens'"),
        (LARGE_PAIRS, "too few types are left for a board"),
    ],
)
def test_pairs_that_cannot_exclude_each_other_are_refused(pairs, words):
    """R-X1-9: a pair that the slots cannot satisfy, among others."""
    with pytest.raises(RuleSetError, match=f"exclusive_buildings=.*{words}"):
        RuleSet(4, "1897-en", X1, exclusive_buildings=pairs)


def test_a_board_with_both_of_an_exclusive_pair_is_refused():
    """R-X1-9: it names the pair."""
    with pytest.raises(RuleSetError, match="the board has both 'hacienda' and 'forest_house'"):
        RuleSet(4, "1897-en", X1, BOARD, exclusive_buildings=[["forest_house", "hacienda"]])


# -- switches that contradict each other -----------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "words", "instead"),
    [
        (
            {"expansions": ["citizens"], "villa_mode": "replace_first_take"},
            "villa_timing='phase_start' comes before all turns; choose villa_timing='first_turn', "
            "or villa_mode='extra'",
            {"villa_timing": "first_turn"},
        ),
        (
            {"edition": "classic", "expansions": ["citizens"], "villa_timing": "phase_start"},
            "villa_mode='replace_first_take' needs a turn",
            {"villa_mode": "extra"},
        ),
        (
            {"expansions": X1_AND_X2, "forest_source": "own_stack_12"},
            "land_office_forest_buy='flip_bought_tile' lays plantations face down.*; choose "
            "land_office_forest_buy='take_from_forest_stack', or forest_source='facedown_estate'",
            {"land_office_forest_buy": "take_from_forest_stack"},
        ),
        (
            {"edition": "classic", "expansions": X1_AND_X2, "forest_source": "facedown_estate"},
            "land_office_forest_buy='take_from_forest_stack' needs a stack.* there is none; choose "
            "land_office_forest_buy='flip_bought_tile', or forest_source='own_stack_12'",
            {"land_office_forest_buy": "flip_bought_tile"},
        ),
        (
            {
                "expansions": ["buildings", "festival"],
                "board": but("harbor", "wharf", "union_hall", "specialty_factory"),
                "festival_building_pool": "four_named",
            },
            "asks for the factory, university, harbor or wharf, and the board has none of them; "
            "put one on the board, or choose 'all_vp3'",
            {"festival_building_pool": "all_vp3"},
        ),
        (
            {"expansions": ["festival"], "festival_two_player_refill": False},
            "is about the game with 2 players, and this one has 4; leave it out, or set players=2",
            {"players": 2},
        ),
    ],
)
def test_switches_that_contradict_each_other_are_refused_with_a_way_out(fields, words, instead):
    """R-VIL-1, R-FOH-1, R-LND-6, R-FES-4, R-FES-6: what the message names then works."""
    with pytest.raises(RuleSetError, match=words) as caught:
        RuleSet(**fields)
    assert "\n" not in str(caught.value)
    assert RuleSet(**fields | instead).table.shape == (1,)


@pytest.mark.parametrize(
    "fields",
    [
        {"edition": "classic", "expansions": X1, "forest_source": "facedown_estate"},
        {"expansions": X1, "forest_source": "own_stack_12"},
        {"expansions": ["buildings", "festival"], "festival_building_pool": "four_named"},
        {"expansions": ["festival"], "festival_building_pool": "all_vp3"},
        {"expansions": ["festival"], "festival_two_player_refill": True},
    ],
)
def test_switches_that_can_be_played_are_accepted(fields):
    """Forests alone need no land office, and a drafted board may have a building that is named."""
    assert RuleSet(**fields).table.shape == (1,)
