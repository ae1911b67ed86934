"""The engine against the slow, obvious rules, decision by decision."""

import random
from collections import Counter
from itertools import combinations, product

import pytest

from prico_env import Game, RuleSet
from prico_env.actions import NAMES
from prico_env.vocabulary import DecisionPoint
from tests.oracle.boards import as_json, board_with, busy_table, player, set_up, table
from tests.oracle.box import (
    BASE_BUILDINGS,
    BUILDINGS,
    GOODS,
    SPOTS,
    draft_pool,
    draft_slots,
    festival_pool,
)
from tests.oracle.building import payments, price
from tests.oracle.guests import unit_and_spot
from tests.oracle.position import (
    all_circles,
    arrangement,
    empty_circles,
    num_citizens,
    num_units,
    read,
    units_of,
)
from tests.oracle.shadow import Shadow, curious, follow, ways_to_store
from tests.oracle.staffing import (
    edit_sequence,
    legal_arrangements,
    legal_pairs,
    next_actions,
)
from tests.oracle.storage import storage_outcomes
from tests.properties.random_play import EDITIONS, PLAYERS, RULE_SETS, chooser, num_games

EAGERNESS = (0.0, 0.9, 1.0)
"""How players differ: those who pass as gladly as they act, and those who hardly pass."""

EXPANSIONS = ("buildings", "citizens", "smuggler", "festival")


def modules_of(edition):
    """Every choice among the expansions of an edition, but for none at all."""
    there = EXPANSIONS[:2] if edition == "classic" else EXPANSIONS
    return [modules for size in range(1, len(there) + 1) for modules in combinations(there, size)]


EXPANDED = [(edition, modules) for edition in EDITIONS for modules in modules_of(edition)]
"""The 33 combinations of an edition and expansions."""
BASE = [(edition, ()) for edition in EDITIONS]
WHOLE = [(edition, modules_of(edition)[-1]) for edition in EDITIONS]
"""Each edition with everything it has."""


def named(value):
    """A short name of a parameter: `X1X4` for expansions."""
    if not isinstance(value, tuple):
        return str(value)
    return "".join(f"X{1 + EXPANSIONS.index(module)}" for module in value) or "base"


# -- whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "edition"), RULE_SETS)
def test_every_game_begins_as_the_rules_set_it_up(players, edition):
    """A.2, R-SET-1..12."""
    for seed in range(20):
        found = read(Game(RuleSet(players=players, edition=edition), seed))
        expected = set_up(players, edition, random.Random(seed))
        for position in (found, expected):
            face_up = position.pop("row")
            position["tiles"] = Counter(position.pop("deck")) + Counter(face_up)
            assert sum(face_up.values()) == players + 1
        assert found == expected


@pytest.mark.parametrize("eagerness", EAGERNESS)
@pytest.mark.parametrize(("players", "edition"), RULE_SETS)
def test_random_games_agree_with_the_slow_rules(players, edition, eagerness):
    """Turn, options, position, points and places at every decision."""
    for seed in range(num_games(2)):
        Shadow.of(players, edition, seed).play(chooser(seed, eagerness))


@pytest.mark.slow
@pytest.mark.parametrize("eagerness", EAGERNESS)
@pytest.mark.parametrize(("players", "edition"), RULE_SETS)
def test_a_hundred_random_games_agree_with_the_slow_rules(players, edition, eagerness):
    """Turn, options, position, points and places at every decision."""
    for seed in range(1_000, 1_000 + num_games(3)):
        Shadow.of(players, edition, seed).play(chooser(seed, eagerness))


def shadow_of_a_busy_table(players, edition, seed, **switches):
    """A game that begins in the middle, with every sort of building in somebody's city."""
    position = busy_table(players, edition, random.Random(seed))
    position["rules"].update(switches)
    if switches.get("bank_limited"):
        almost_empty_the_bank(position, seed % 4)
    return Shadow(Game.from_dict(as_json(position), seed=seed), **switches)


def almost_empty_the_bank(position, coins_left):
    """Give all coins but these to the seats, so that incomes run the bank dry."""
    for seat in range(position["rules"]["players"]):
        share = (position["bank"] - coins_left) // (position["rules"]["players"] - seat)
        position["players"][seat]["coins"] += share
        position["bank"] -= share


@pytest.mark.parametrize(("players", "edition"), RULE_SETS)
def test_two_rounds_on_busy_tables_agree_with_the_slow_rules(players, edition):
    """All buildings are in use from the first decision on."""
    for seed in range(num_games(8)):
        shadow = shadow_of_a_busy_table(players, edition, seed)
        shadow.play(chooser(seed, 0.8), max_decisions=40 * players)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "edition"), RULE_SETS)
def test_a_hundred_busy_tables_agree_with_the_slow_rules(players, edition):
    """All buildings are in use from the first decision on."""
    for seed in range(1_000, 1_000 + num_games(9)):
        shadow = shadow_of_a_busy_table(players, edition, seed)
        shadow.play(chooser(seed, 0.8), max_decisions=60 * players)


# -- whole games with expansions -------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "modules"), EXPANDED, ids=named)
def test_every_expanded_game_begins_as_the_rules_set_it_up(edition, modules):
    """R-SET-3, R-SET-11, R-X1-1..7, R-X2-1..4, R-FES-2..6: before a draft, or with a board."""
    for seed, players in enumerate(PLAYERS):
        drafts = {} if seed % 2 else {"board": "random"}
        rules = RuleSet(
            players=players,
            edition=edition,
            expansions=modules,
            **drafts if "buildings" in modules else {},
        )
        found = read(Game(rules, seed))
        is_open = rules.board == "draft"
        expected = set_up(players, edition, random.Random(seed), modules, drafts=is_open)
        assert sum(found["row"].values()) == (0 if is_open else players + 1)
        if "buildings" in modules and not is_open:
            costs = Counter(BUILDINGS[name].cost for name in found["board"])
            assert costs == Counter(draft_slots(found["rules"]))
            assert set(found["board"]) <= set(draft_pool(found["rules"]))
        if "festival" in modules and not is_open:
            building = found["festival"]["building"]
            assert building in festival_pool(found["rules"])
            assert found["buildings"][building] > 0
        for position in (found, expected):
            put_chance_back(position)
        assert found == expected


def put_chance_back(position):
    """Undo what chance decides in a set-up, so that two of them can be compared."""
    position.pop("phase", None)
    position["rules"].pop("forest_source", None)
    position["rules"]["expansions"] = list(position["rules"].get("expansions", []))
    face_up = position.pop("row")
    festival = position.pop("festival", {"estate": None, "goods": (), "building": None})
    position["tiles"] = Counter(position.pop("deck")) + Counter(face_up)
    position["tiles"] += Counter([festival["estate"]] if festival["estate"] else [])
    for good in festival["goods"] or ():
        position["goods"][good] += 1
    refilled = position["rules"]["players"] == 2 and festival["building"] != "jeweler"
    if festival["building"] and not refilled:
        position["buildings"][festival["building"]] += 1
    drafted = draft_pool(position["rules"])
    by_cost = Counter()
    for name in drafted:
        by_cost[BUILDINGS[name].cost] += position["buildings"].pop(name) > 0
    position["board"] = by_cost


def expanded_shadow(edition, modules, seed, **switches):
    """A game that begins in the middle; the number of players follows from the seed."""
    position = busy_table(2 + seed % 4, edition, random.Random(seed), modules, **switches)
    return Shadow(Game.from_dict(as_json(position), seed=seed), **switches)


@pytest.mark.parametrize(("edition", "modules"), EXPANDED, ids=named)
def test_busy_tables_of_every_expansion_agree_with_the_slow_rules(edition, modules):
    """Turn, options, position, points and places at every decision."""
    number = EXPANDED.index((edition, modules))
    for seed in range(number, number + num_games(1)):
        shadow = expanded_shadow(edition, modules, seed)
        shadow.play(curious(seed), max_decisions=80)


@pytest.mark.parametrize(("edition", "modules"), WHOLE, ids=named)
def test_games_with_all_expansions_agree_with_the_slow_rules(edition, modules):
    """From the draft to the last window: every decision."""
    for seed in range(num_games(2)):
        players = 2 + (seed + WHOLE.index((edition, modules))) % 4
        Shadow.of(players, edition, seed, modules).play(curious(seed))


@pytest.mark.parametrize(("edition", "modules"), [("classic", ()), *WHOLE], ids=named)
def test_games_that_ask_for_every_gain_agree_with_the_slow_rules(edition, modules):
    """R-ROL-9: `optional_gains` is ask, so that everything may be declined."""
    for seed in range(num_games(3)):
        shadow = expanded_shadow(edition, modules, seed, optional_gains="ask")
        shadow.play(curious(seed, 0.6), max_decisions=100)


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "modules"), [*BASE, *EXPANDED], ids=named)
def test_hundreds_of_games_that_ask_for_every_gain_agree_with_the_slow_rules(edition, modules):
    """R-ROL-9: `optional_gains` is ask, so that everything may be declined."""
    for seed in range(2_000, 2_000 + num_games(3)):
        shadow = expanded_shadow(edition, modules, seed, optional_gains="ask")
        shadow.play(curious(seed, 0.7), max_decisions=60 * len(shadow.slow.players))


@pytest.mark.parametrize("edition", EDITIONS)
def test_guests_that_stay_to_the_end_move_in_the_last_window(edition):
    """Q-90: after a last phase that gave their owner no window."""
    last_windows = 0
    for seed in range(num_games(40)):
        position = busy_table(4 + seed % 2, edition, random.Random(seed), modules_of(edition)[-1])
        if not any(sum(seat["city"].get("guest_house", [0])) for seat in position["players"]):
            continue
        position["end_triggered"] = True
        shadow = Shadow(Game.from_dict(as_json(position), seed=seed))
        last_windows += play_with_patient_guests(shadow, random.Random(seed))
    assert last_windows > 0


def play_with_patient_guests(shadow, chance):
    """Guests wait for the last window, and roles that end without another are chosen last."""
    windows = 0
    while not shadow.game.over:
        shadow.check()
        windows += shadow.game.phase == "end"
        names = {shadow.game.name(action): action for action in shadow.game.legal_actions()}
        wanted = [name for name in names if not name.startswith("guest")]
        if shadow.game.phase == "end":
            wanted = list(names)
        quiet = [n for n in wanted if n.startswith(("role:prospector", "role:smuggler", "capture"))]
        picks_left = sum(
            name["taken_by"] is None for name in shadow.slow.position["roles"].values()
        )
        if quiet and picks_left < 6:
            wanted = quiet
        action = names[chance.choice(wanted)]
        shadow.step(lambda actions, action=action: action if action in actions else actions[0])
    shadow.check_end()
    return windows


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize(("edition", "modules"), EXPANDED, ids=named)
def test_a_hundred_expanded_games_agree_with_the_slow_rules(edition, modules, players):
    """From the draft to the last window: every decision."""
    first = 100 + 10 * EXPANDED.index((edition, modules)) + players
    for seed in range(first, first + num_games(1)):
        Shadow.of(players, edition, seed, modules).play(curious(seed, (0.5, 0.9)[seed % 2]))


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "modules"), EXPANDED, ids=named)
def test_hundreds_of_busy_tables_of_every_expansion_agree_with_the_slow_rules(edition, modules):
    """Turn, options, position, points and places at every decision."""
    for seed in range(1_000, 1_000 + num_games(5)):
        shadow = expanded_shadow(edition, modules, seed)
        shadow.play(curious(seed), max_decisions=60 * len(shadow.slow.players))


SWITCHED = (
    {"voluntary_discard": True},
    {"bank_limited": True},
    {"hospice_scope": "normal_tile"},
    {"hospice_scope": "either_tile_once"},
    {"residence_zero_tiles_vp": 4},
    {"swap_factory_university": True},
    {"max_rounds": 3},
)


@pytest.mark.parametrize("switches", SWITCHED, ids=lambda s: "-".join(map(str, *s.items())))
@pytest.mark.parametrize("players", [2, 4])
def test_every_switch_of_the_base_game_does_what_it_says(players, switches):
    """0.6: the slow game is played with the same switch."""
    for seed in range(num_games(3)):
        for edition in EDITIONS:
            shadow = shadow_of_a_busy_table(players, edition, seed, **switches)
            shadow.play(chooser(seed, 0.8), max_decisions=60 * players)


SWITCHED_EXPANSIONS = (
    ("1897-de", {"guest_windows": "reduced"}),
    (
        "1897-en",
        {
            "forest_source": "own_stack_12",
            "land_office_forest_buy": "take_from_forest_stack",
        },
    ),
    (
        "classic",
        {"forest_source": "facedown_estate", "land_office_forest_buy": "flip_bought_tile"},
    ),
    ("classic", {"lighthouse_counts_wharves": True}),
    ("1897-de", {"specialty_counts_privilege": False}),
    ("1897-en", {"library_two_same_goods": False}),
    ("classic", {"craftsman_privilege_domain": "produced"}),
    ("classic", {"union_hall_timing": "phase_start"}),
    ("1897-en", {"union_hall_timing": "first_turn"}),
    ("1897-de", {"royal_supplier_timing": "phase_start"}),
    ("1897-en", {"royal_supplier_timing": "first_turn"}),
    ("1897-de", {"trading_post_after_house_full": False}),
    ("classic", {"black_market_excludes_own_worker": False}),
    ("classic", {"chapel_timing": "phase_start"}),
    ("classic", {"villa_mode": "extra"}),
    ("1897-de", {"villa_timing": "phase_start"}),
    ("1897-de", {"villa_mode": "replace_first_take"}),
    ("classic", {"villa_mode": "replace_privilege"}),
    ("classic", {"land_office_sale_to": "face_up_row"}),
    ("1897-en", {"land_office_sells_forest": True}),
    ("1897-en", {"x2_with_x1_setup": "add_all_8"}),
    ("1897-de", {"capture_others_act": True}),
    ("1897-en", {"capture_others_act": False}),
    ("1897-de", {"smuggler_affected_by_buildings": True}),
    ("1897-en", {"festival_estate_returns_to": "deck"}),
    ("1897-en", {"festival_production_window": "whole_phase"}),
    ("1897-en", {"citizens_from_supply_by_worker_effects": True}),
    ("classic", {"royal_supplier_count": "exactly"}),
    ("1897-en", {"bank_limited": True}),
    ("classic", {"voluntary_discard": True}),
    ("1897-de", {"max_rounds": 21}),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "switches"),
    SWITCHED_EXPANSIONS,
    ids=lambda v: "-".join(map(str, v.items())) if isinstance(v, dict) else v,
)
def test_every_switch_of_the_expansions_does_what_it_says(edition, switches):
    """0.6: the slow game is played with the same switch."""
    for seed in range(num_games(4)):
        shadow = expanded_shadow(edition, modules_of(edition)[-1], seed, **switches)
        shadow.play(curious(seed), max_decisions=60 * len(shadow.slow.players))


@pytest.mark.parametrize("edition", ["classic", "1897-en"])
def test_drafts_with_exclusive_buildings_agree_with_the_slow_rules(edition):
    """R-X1-9: whoever may be chosen leaves a board that fits the slots."""
    pairs = [["office", "trading_post"], ["hacienda", "forest_house"], ["statue", "cloister"]]
    pairs += [["statue", "fortress"], ["cloister", "fortress"]]
    for seed in range(num_games(4)):
        shadow = Shadow.of(3, edition, seed, ("buildings",), exclusive_buildings=pairs)
        shadow.play(curious(seed), max_decisions=30)


def test_three_rounds_truncate_where_the_rules_say_so():
    """`max_rounds` (I-33): nobody has won yet, and the game says so."""
    shadow = Shadow.of(4, "1897-en", 5, max_rounds=3)
    shadow.play(chooser(5))
    assert shadow.game.over
    assert shadow.game.truncated


def test_who_starts_with_corn_pays_for_it_under_the_switch():
    """0.6, `corn_start_penalty`."""
    game = Game(RuleSet(players=4, corn_start_penalty=1), 0)
    assert [seat["coins"] for seat in read(game)["players"]] == [3, 3, 2, 2]


# -- staffing --------------------------------------------------------------------------------------


def small_board(chance):
    """A mayor's turn on a board of up to 9 circles."""
    owner = player()
    names = [name for name in BASE_BUILDINGS if BUILDINGS[name].spaces == 1]
    for name in chance.sample(names, chance.randint(0, 4)):
        owner["city"][name] = 0
    for tile in chance.sample([*GOODS, "quarry"], chance.randint(0, 3)):
        owner["island"][tile] = [chance.randint(1, 3), 0]
    while owner["city"] and sum(all_circles(owner)) > 8:
        owner["city"].pop(next(iter(owner["city"])))
    for spot, circles in zip(SPOTS, all_circles(owner), strict=True):
        units = chance.randint(0, circles)
        if spot in owner["island"]:
            owner["island"][spot][1] = units
        elif units:
            owner["city"][spot] = units
    owner["portrait"] = chance.randint(0, 4)
    return owner


def mayor_turn(owner, edition):
    """A game in which this player, the last of two to place, begins to place."""
    position = table([player(), owner], edition, workers={"supply": 20, "register": 0})
    position["roles"]["mayor"]["taken_by"] = 0
    position = {**as_json(position), "phase": "mayor", "actor": 0, "turn": 1}
    return Game.from_dict(position, check=False)


def all_stagings(game, seat):
    """Every sequence of real decisions of a mayor's turn, and the arrangement it leads to."""
    stack = [game]
    while stack:
        node = stack.pop()
        if node.over or node.phase != "mayor" or node.turn != seat:
            yield node
            continue
        for action in node.legal_actions():
            branch = node.clone()
            branch.step(action)
            stack.append(branch)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_legal_staffing_is_reached_by_exactly_one_sequence(edition):
    """R-MAY-5..8 on hundreds of small boards: each arrangement once, none missing."""
    for seed in range(num_games(100)):
        owner = small_board(random.Random(seed))
        game = mayor_turn(owner, edition)
        game.settle()
        ways = legal_arrangements(num_units(owner), all_circles(owner))
        found = Counter(
            arrangement(read(after)["players"][1]) for after in all_stagings(game, seat=1)
        )
        assert found == Counter(ways), owner
        if len(ways) == 1:
            assert game.phase != "mayor"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_staffing_turn_offers_what_some_legal_arrangement_needs(edition):
    """R-MAY-5..9: the legal actions are the next ones of the allowed sequences."""
    for seed in range(num_games(40)):
        chance = random.Random(seed)
        owner = small_board(chance)
        game = mayor_turn(owner, edition)
        now = arrangement(owner)
        ways = legal_arrangements(num_units(owner), all_circles(owner))
        sequences = {edit_sequence(now, way) for way in ways}
        game.settle()
        while game.phase == "mayor":
            names = {game.name(action) for action in game.legal_actions()}
            assert names == next_actions(sequences, staffing_so_far(game))
            game.step(chance.choice(sorted(names)))
        done = staffing_so_far(game)
        assert any(sequence[: len(done)] == done for sequence in sequences)


def staffing_so_far(game):
    """What seat 1 did in a mayor's turn, forced or not."""
    return tuple(game.name(action) for action, _, seat in game.history if seat == 1)


# -- storage ---------------------------------------------------------------------------------------


def last_to_store(owner, edition, **switches):
    """A game in which this player, the last of two, chooses what to keep."""
    modules = ("buildings", "citizens") if "storehouse" in owner["city"] else ()
    board = board_with(owner["city"], edition, modules) if modules else ()
    position = table([player(), owner], edition, modules, board)
    position["rules"].update(switches)
    for good in GOODS:
        position["goods"][good] -= owner["goods"][good]
    position["roles"]["captain"]["taken_by"] = 0
    position = {**as_json(position), "phase": "storage", "actor": 0, "turn": 1}
    game = Game.from_dict(position, check=False)
    game.settle()
    return game


@pytest.mark.parametrize("discard", [False, True])
def test_every_way_to_store_is_reached_by_exactly_one_sequence(discard):
    """R-CAP-10, R-CAP-11 on hundreds of holdings."""
    for seed in range(num_games(200)):
        chance = random.Random(seed)
        goods = {good: chance.choice((0, 0, 1, 2, 3, 5)) for good in GOODS}
        owner = player(goods=goods)
        for name in ("small_warehouse", "large_warehouse"):
            if chance.random() < 0.6:
                owner["city"][name] = chance.randint(0, 1)
        game = last_to_store(owner, chance.choice(EDITIONS), voluntary_discard=discard)
        ways = storage_outcomes(owner, voluntary_discard=discard)
        if len(ways) > 1:
            assert ways_to_store(game) == Counter(ways), owner
        if len(ways) == 1:
            assert game.phase != "storage"


@pytest.mark.parametrize("discard", [False, True])
def test_every_way_to_store_with_a_storehouse_is_reached_by_exactly_one_sequence(discard):
    """R-STO-1, Q-100: three single barrels more, from whatever is left."""
    for seed in range(num_games(25)):
        chance = random.Random(seed)
        goods = {good: chance.choice((0, 0, 1, 2) if discard else (0, 1, 2, 4)) for good in GOODS}
        owner = player(goods=goods, city={"storehouse": [1, 0]})
        for name in ("small_warehouse", "large_warehouse"):
            if chance.random() < 0.4:
                owner["city"][name] = [chance.randint(0, 1), 0]
        game = last_to_store(owner, "1897-en", voluntary_discard=discard)
        ways = storage_outcomes(owner, voluntary_discard=discard)
        if len(ways) > 1:
            assert ways_to_store(game) == Counter(ways), owner


# -- staffing with two kinds of units --------------------------------------------------------------


def small_mixed_board(chance):
    """A mayor's turn on a board of up to 6 circles, with workers and citizens."""
    names = ("chapel", "guest_house", "sugar_mill", "land_office", "office", "notary")
    owner = player()
    for name in chance.sample(names, chance.randint(1, 3)):
        owner["city"][name] = [0, 0]
    for tile in chance.sample([*GOODS, "quarry"], chance.randint(0, 2)):
        owner["island"][tile] = [chance.randint(1, 2), 0, 0]
    while owner["city"] and sum(all_circles(owner)) > 6:
        owner["city"].pop(next(iter(owner["city"])))
    for spot, circles in zip(SPOTS, all_circles(owner), strict=True):
        units = chance.randint(0, circles)
        citizens = chance.randint(0, units)
        if spot in owner["island"]:
            owner["island"][spot][1:] = [units - citizens, citizens]
        elif units:
            owner["city"][spot] = [units - citizens, citizens]
    owner["portrait"] = [chance.randint(0, 2), chance.randint(0, 2)]
    return owner


def mixed_mayor_turn(owner, edition):
    """A game in which this player, the last of two to place, begins to place."""
    modules = ("buildings", "citizens")
    position = table(
        [player(), owner],
        edition,
        modules,
        board_with(owner["city"], edition, modules),
        workers={"supply": 20, "register": 0},
        citizens={"supply": 5, "register": 0},
    )
    position["roles"]["mayor"]["taken_by"] = 0
    position = {**as_json(position), "phase": "mayor", "actor": 0, "turn": 1}
    return Game.from_dict(position, check=False)


def both_kinds(owner):
    """Workers and citizens by spot."""
    return arrangement(owner, "worker"), arrangement(owner, "citizen")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_staffing_with_two_kinds_is_reached_by_exactly_one_sequence(edition):
    """R-MAY-5..8, R-X2-8: min(U, C) circles filled, the kinds as the owner likes."""
    for seed in range(num_games(25)):
        owner = small_mixed_board(random.Random(seed))
        game = mixed_mayor_turn(owner, edition)
        owner = read(game)["players"][1]
        total = [
            sum(units_of(owner, spot, unit) for spot in (*SPOTS, "portrait"))
            for unit in ("worker", "citizen")
        ]
        ways = legal_pairs(*total, all_circles(owner))
        now = both_kinds(owner)
        sequences = {edit_sequence(now[0], way[0], now[1], way[1]) for way in ways}
        assert len(sequences) == len(ways)
        game.settle()
        found = [
            (both_kinds(read(after)["players"][1]), staffing_so_far(after))
            for after in all_stagings(game, seat=1)
        ]
        assert Counter(way for way, _ in found) == Counter(ways), owner
        for way, done in found:
            allowed = edit_sequence(now[0], way[0], now[1], way[1])
            assert done == allowed[: len(done)], owner


# -- the black market ------------------------------------------------------------------------------


def at_point(point):
    """Whether a game still waits at this point."""
    return lambda game: not game.over and game.state["decision_point"][0] == point


def buyer_turn(edition, chance):
    """The last of two builders has a black market, and too few coins for much."""
    owner = player(
        coins=chance.randint(0, 3),
        vp=chance.choice((0, 1, 3)),
        goods={good: chance.choice((0, 0, 1, 2)) for good in GOODS},
        city={"black_market": chance.choice(([1, 0], [0, 1]))},
        portrait=[chance.randint(0, 1), chance.randint(0, 1)],
    )
    for name in ("sugar_mill", "guest_house", "office"):
        if chance.random() < 0.4:
            owner["city"][name] = chance.choice(([0, 0], [1, 0], [0, 1]))
    owner["island"]["corn"] = chance.choice(([0, 0, 0], [2, 1, 1], [1, 0, 1]))
    modules = ("buildings", "citizens")
    board = board_with(owner["city"], edition, modules)
    position = table([player(), owner], edition, modules, board)
    position["roles"]["builder"]["taken_by"] = 0
    return position, {**as_json(position), "phase": "builder", "actor": 0, "turn": 1}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_payment_of_the_black_market_is_reached_by_exactly_one_sequence(edition):
    """R-BLK-2..5: exactly the coins missing, at most one unit, one barrel and one VP."""
    seen = Counter()
    for seed in range(num_games(8)):
        position, as_read = buyer_turn(edition, random.Random(seed))
        if seed % 4 == 0:
            position["rules"]["black_market_excludes_own_worker"] = False
            as_read["rules"]["black_market_excludes_own_worker"] = False
        start = Game.from_dict(as_read, check=False)
        coins = position["players"][1]["coins"]
        for action in start.legal_actions():
            verb, _, name = start.name(action).partition(":")
            if verb != "build":
                continue
            gap = price(position, 1, name, privilege=0) - coins
            game = start.clone()
            game.step(action)
            found = follow(game, at_point(DecisionPoint.PAY), payment)
            ways = payments(position, 1, gap) if gap > 0 else {()}
            assert found == Counter(ways), (position["players"][1], name)
            seen[max(gap, 0)] += 1
    assert set(seen) == {0, 1, 2, 3}


def payment(game):
    """What was returned, in the order in which it was."""
    names = (game.name(action) for action, _, _ in game.history)
    return tuple(name for name in names if name.startswith("pay:"))


# -- the small wharf and the royal supplier --------------------------------------------------------


def captain_turn(owner, edition, modules):
    """The last of two captains loads, and no cargo ship has room."""
    board = board_with(owner["city"], edition, modules)
    position = table([player(), owner], edition, modules, board)
    for ship in position["ships"]:
        ship.update(good="corn" if ship["size"] == 4 else "coffee", barrels=ship["size"])
    position["roles"]["captain"]["taken_by"] = 0
    position = {**as_json(position), "phase": "captain", "actor": 0, "turn": 1}
    return Game.from_dict(position, check=False)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_selection_of_a_small_wharf_is_reached_by_exactly_one_sequence(edition):
    """R-SWF-1: any barrels, at least one."""
    for seed in range(num_games(15)):
        chance = random.Random(seed)
        goods = {good: chance.choice((0, 0, 1, 2)) for good in GOODS}
        owner = player(goods=goods, city={"small_wharf": 1})
        game = captain_turn(owner, edition, ("buildings",))
        start = len(game.history)
        game.settle()
        ways = {way for way in product(*(range(goods[good] + 1) for good in GOODS)) if any(way)}
        if len(ways) < 2:
            continue
        found: Counter = Counter()
        for action in game.legal_actions():
            if NAMES[action].startswith("small_wharf"):
                branch = game.clone()
                branch.step(action)
                found += follow(branch, at_point(DecisionPoint.SMALL_SHIP), selection(start))
        assert found == Counter(ways)


def selection(start):
    """Barrels by kind that went on the small wharf's ship."""

    def shipped(game):
        names = [game.name(action) for action, _, _ in game.history[start:]]
        return tuple(names.count(f"small_wharf:{good}") for good in GOODS)

    return shipped


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_choice_of_a_royal_supplier_is_reached_by_exactly_one_sequence(edition):
    """R-RSP-1, R-RSP-5: up to a barrel a citizen, each of another kind."""
    for seed in range(num_games(15)):
        chance = random.Random(seed)
        owner = player(
            goods={good: chance.choice((0, 1, 3)) for good in GOODS},
            city={"royal_supplier": chance.choice(([1, 0], [0, 1]))},
            portrait=[0, chance.randint(0, 4)],
        )
        position = table([owner, player()], edition, ("citizens",))
        game = Game.from_dict(as_json(position), check=False)
        game.step("role:captain")
        held = [good for good in GOODS if owner["goods"][good]]
        most = min(len(held), num_citizens(position["players"][0]))
        ways = {way for size in range(most + 1) for way in combinations(held, size)}
        if len(ways) > 1:
            assert follow(game, at_point(DecisionPoint.SUPPLY), supplied) == Counter(ways)


def supplied(game):
    """Kinds of which the royal supplier returned a barrel."""
    names = (game.name(action) for action, _, _ in game.history)
    return tuple(n.removeprefix("supply:") for n in names if n.startswith("supply:"))


# -- poached units ---------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS[1:])
def test_every_way_to_place_poached_units_is_reached_by_exactly_one_sequence(edition):
    """R-SMG-6, R-CMB-5: the register shrinks to n, up to 3 units are placed, the rest goes back."""
    for seed in range(num_games(15)):
        chance = random.Random(seed)
        register = [chance.randint(0, 4), chance.randint(0, 3)]
        number = sum(register) - 2
        if number < 1:
            continue
        owner = player(city={"chapel": 0, "sugar_mill": chance.randint(1, 2)})
        owner["island"]["corn"] = [chance.randint(0, 2), 0]
        position = table(
            [owner, player()],
            edition,
            ("citizens", "smuggler"),
            workers={"supply": 9, "register": register[0]},
            citizens={"supply": 9, "register": register[1]},
        )
        owner = position["players"][0]
        game = Game.from_dict(as_json(position), check=False)
        game.step("role:smuggler")
        game.step("poach")
        found = follow(game, is_smuggling, poached)
        removals = [
            (number - citizens, citizens)
            for citizens in range(register[1] + 1)
            if 0 <= number - citizens <= register[0]
        ]
        ways = {
            (removed, placed)
            for removed in removals
            for placed in placings(owner, *removed, most=3)
        }
        assert found == Counter(ways), (owner, register)


def is_smuggling(game):
    """Whether units are still to be chosen or placed."""
    return not game.over and game.state["decision_point"][0] in (
        DecisionPoint.GATHER,
        DecisionPoint.PLACE_UNITS,
    )


def poached(game):
    """Workers and citizens removed, and where they were placed."""
    citizens_left = game.state["citizen_supply"][0] + game.state["citizens"][0].sum()
    workers_left = game.state["worker_supply"][0] + game.state["workers"][0].sum()
    names = [game.name(action) for action, _, _ in game.history]
    before = sum(read(game)["players"][0]["city"]["sugar_mill"])
    placed = sorted(unit_and_spot(name) for name in names if name.startswith("place:"))
    before -= sum(spot == "sugar_mill" for _, spot in placed)
    return (int(workers_left) - 9 - before, int(citizens_left) - 9), tuple(placed)


def placings(owner, workers, citizens, most):
    """Every set of placings: units of each kind on empty circles, at most so many."""
    spots = [spot for spot in SPOTS for _ in range(empty_circles(owner, spot))]
    ways = set()
    for units in product(("worker", "citizen", None), repeat=len(spots)):
        put = tuple(sorted((u, s) for u, s in zip(units, spots, strict=True) if u))
        kinds = Counter(unit for unit, _ in put)
        if len(put) <= most and kinds["worker"] <= workers and kinds["citizen"] <= citizens:
            ways.add(put)
    return ways


# -- the comparison itself -------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_the_comparison_notices_a_coin_a_worker_and_an_option_too_many(players):
    """A check that cannot fail would prove nothing."""
    for change in ("coin", "worker", "option"):
        shadow = Shadow.of(players, "1897-en", 3)
        shadow.check()
        if change == "coin":
            shadow.slow.players[0]["coins"] += 1
        elif change == "worker":
            shadow.slow.position["workers"]["supply"] -= 1
        else:
            ask = shadow.slow.ask
            shadow.slow.ask = ask._replace(options=ask.options | {"pass"})
        with pytest.raises(AssertionError):
            shadow.check()
