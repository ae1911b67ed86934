"""The engine against the slow, obvious rules, decision by decision."""

import random
from collections import Counter

import pytest

from prico_env import Game, RuleSet
from tests.properties.random_play import EDITIONS, PLAYERS, RULE_SETS, chooser, num_games
from tests.reference.boards import as_json, busy_table, player, set_up, table
from tests.reference.box import BUILDINGS, GOODS, SPOTS
from tests.reference.position import all_circles, arrangement, num_units, read
from tests.reference.shadow import Shadow, barrels_of, follow, is_storing
from tests.reference.staffing import edit_sequence, legal_arrangements, next_actions
from tests.reference.storage import storage_outcomes

EAGERNESS = (0.0, 0.9, 1.0)
"""How players differ: those who pass as gladly as they act, and those who hardly pass."""


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
def test_thousands_of_random_games_agree_with_the_slow_rules(players, edition, eagerness):
    """Turn, options, position, points and places at every decision."""
    for seed in range(1_000, 1_000 + num_games(35)):
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
def test_thousands_of_busy_tables_agree_with_the_slow_rules(players, edition):
    """All buildings are in use from the first decision on."""
    for seed in range(1_000, 1_000 + num_games(70)):
        shadow = shadow_of_a_busy_table(players, edition, seed)
        shadow.play(chooser(seed, 0.8), max_decisions=60 * players)


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
    names = [name for name in BUILDINGS if BUILDINGS[name].spaces == 1]
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
    position = table([player(), owner], edition)
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
        found = follow(game, is_storing(1), lambda after: barrels_of(after, 1))
        assert found == Counter(ways), owner
        if len(ways) == 1:
            assert game.phase != "storage"


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
