"""Is the oracle worth its name? A rule that is slightly wrong in it must be noticed by the games.

Each case bends one slow rule the way other engines got it wrong. If the comparison with the engine
still passed, nobody would have tried that rule.
"""

import random
from collections import Counter

import pytest

from prico_env import Game
from tests.oracle import (
    building,
    loading,
    pieces,
    producing,
    register,
    scoring,
    settling,
    slow_game,
    smuggling,
    storage,
    trading,
)
from tests.oracle.boards import as_json, busy_table
from tests.oracle.box import BUILDINGS, GOODS, TILES, cost
from tests.oracle.position import (
    circles,
    empty_circles,
    forests,
    is_occupied,
    island_left,
    move_units,
    num_citizens,
    num_units,
    units_of,
    units_on,
)
from tests.oracle.register import Refill
from tests.oracle.shadow import Shadow, curious
from tests.oracle.slow_game import SlowGame
from tests.properties.random_play import chooser

EXPANSIONS = ("buildings", "citizens", "smuggler", "festival")
MAX_TABLES = 120
MAX_EXPANDED_TABLES = 100


def any_empty_ship(ships, good, barrels):
    if barrels == 0:
        return {}
    for number, ship in enumerate(ships):
        if ship["barrels"] and ship["good"] == good:
            free = ship["size"] - ship["barrels"]
            return {number: min(barrels, free)} if free else {}
    return {n: min(barrels, s["size"]) for n, s in enumerate(ships) if s["barrels"] == 0}


def full_ships_bar_nobody(ships, good, barrels):
    ships = [s if s["barrels"] < s["size"] else {**s, "good": None} for s in ships]
    return SHIPS_FOR(ships, good, barrels)


SHIPS_FOR = loading._ships_for
LOAD_OPTIONS = loading.load_options


def wharf_owners_may_always_pass(position, seat, **used):
    options = LOAD_OPTIONS(position, seat, **used)
    return options | {"pass"} if any(name.startswith("wharf") for name in options) else options


def price_without_columns(position, seat, name, *, privilege):
    quarries = position["players"][seat]["island"]["quarry"][1]
    return max(0, cost(position["rules"], name) - quarries - privilege)


def price_by_quarries_owned(position, seat, name, *, privilege):
    quarries = min(position["players"][seat]["island"]["quarry"][0], BUILDINGS[name].column)
    return max(0, cost(position["rules"], name) - quarries - privilege)


def price_that_pays_out(position, seat, name, *, privilege):
    quarries = min(position["players"][seat]["island"]["quarry"][1], BUILDINGS[name].column)
    return cost(position["rules"], name) - quarries - privilege


def capacity_of_plantations_alone(player):
    return {good: player["island"][good][1] for good in GOODS}


def capacity_of_large_plants_alone(player):
    made = CAPACITY(player)
    for good, plant in (("indigo", "indigo_plant"), ("sugar", "sugar_mill")):
        made[good] = min(made[good], player["city"].get(plant, 0))
    return made


CAPACITY = producing.capacity


def factory_of_barrels(player, made):
    return FACTORY(player, made) and max(0, sum(made.values()) - 1)


FACTORY = producing.factory_income


def markets_do_not_add_up(player, good, *, privilege, at_post=False):
    both = is_occupied(player, "small_market") and is_occupied(player, "large_market")
    return SALE(player, good, privilege=privilege, at_post=at_post) - (both and not at_post)


SALE = trading.sale_income
SELL = trading.sell_options


def offices_sell_into_a_full_house(position, seat):
    player = position["players"][seat]
    if is_occupied(player, "office"):
        return {"pass", *(f"sell:{good}" for good in GOODS if player["goods"][good])}
    return SELL(position, seat)


def office_without_a_worker(position, seat):
    player = position["players"][seat]
    if "office" in player["city"] and len(position["house"]) < 4:
        return {"pass", *(f"sell:{good}" for good in GOODS if player["goods"][good])}
    return SELL(position, seat)


TAKE = settling.take_options


def a_quarry_for_everybody(position, seat, *, is_actor, by_hut_alone=False):
    return TAKE(position, seat, is_actor=True)


HOSPICE = settling.hospice_tiles


def hospice_from_the_supply_alone(position, seat, drawn, taken):
    return HOSPICE(position, seat, drawn, taken) if position["workers"]["supply"] else []


def hospice_for_drawn_tiles_everywhere(position, seat, drawn, taken):
    rules = {**position["rules"], "hospice_scope": "either_tile_once"}
    return HOSPICE({**position, "rules": rules}, seat, drawn, taken)


def refill_for_islands_too(position):
    empty = sum(
        circles(player, spot) - units_on(player, spot)
        for player in position["players"]
        for spot in (*TILES, *player["city"])
    )
    required = max(position["rules"]["players"], empty)
    workers = min(required, position["workers"]["supply"])
    return Refill(workers, workers < required)


def refill_that_ends_with_an_empty_supply(position):
    workers = REFILL(position).workers
    return Refill(workers, workers == position["workers"]["supply"])


REFILL = register.refill


def dealt_from_seat_zero(game):
    order, game.order = game.order, [*range(len(game.players))]
    yield from DEAL(game)
    game.order = order


DEAL = SlowGame._deal


def fortress_without_the_portrait(player):
    return NUM_UNITS(player) - units_on(player, "portrait")


NUM_UNITS = scoring.num_units


def bonuses_without_workers(player, building):
    return building in player["city"]


def no_worker_from_the_register(game, seat):
    workers = game.position["workers"]
    yield from ()
    if workers["supply"] == 0:
        return None
    workers["supply"] -= 1
    return "worker"


def a_university_for_itself(game, seat, name):
    yield from BUY(game, seat, name)
    if name == "university":
        yield from game._university(seat, name)


BUY = SlowGame._buy


def no_end_without_vp(game, seat, amount):
    game.players[seat]["vp"] += amount
    game.position["vp"] -= amount


def no_deck_from_the_discard(game, seat=None):
    return game.position["deck"].pop(0) if game.position["deck"] else None


def coins_on_every_role(game):
    for card in game.position["roles"].values():
        card["coins"] += game._from_bank(1)
        card["taken_by"] = None


WRONG_RULES = [
    (loading, "_ships_for", any_empty_ship),
    (loading, "_ships_for", full_ships_bar_nobody),
    (loading, "load_options", wharf_owners_may_always_pass),
    (storage, "kinds_kept_whole", lambda player: is_occupied(player, "small_warehouse")),
    (storage, "kinds_kept_whole", lambda player: 2 * is_occupied(player, "large_warehouse")),
    (building, "price", price_without_columns),
    (building, "price", price_by_quarries_owned),
    (building, "price", price_that_pays_out),
    (building, "city_left", lambda player: 12 - len(player["city"])),
    (producing, "capacity", capacity_of_plantations_alone),
    (producing, "capacity", capacity_of_large_plants_alone),
    (producing, "factory_income", factory_of_barrels),
    (producing, "FACTORY_INCOME", (0, 0, 1, 2, 3, 4)),
    (trading, "sale_income", markets_do_not_add_up),
    (trading, "sell_options", offices_sell_into_a_full_house),
    (trading, "sell_options", office_without_a_worker),
    (settling, "take_options", a_quarry_for_everybody),
    (settling, "hospice_tiles", hospice_from_the_supply_alone),
    (settling, "hospice_tiles", hospice_for_drawn_tiles_everywhere),
    (register, "refill", refill_for_islands_too),
    (register, "refill", refill_that_ends_with_an_empty_supply),
    (SlowGame, "_deal", dealt_from_seat_zero),
    (scoring, "num_units", fortress_without_the_portrait),
    (scoring, "works", bonuses_without_workers),
    (SlowGame, "_take_worker", no_worker_from_the_register),
    (SlowGame, "_buy", a_university_for_itself),
    (SlowGame, "_award_vp", no_end_without_vp),
    (SlowGame, "_draw_tile", no_deck_from_the_discard),
    (SlowGame, "_end_of_round", coins_on_every_role),
]


def named(cases):
    return [f"{number}-{case[1]}" for number, case in enumerate(cases)]


def tables_until_it_is_noticed():
    """How many busy tables agree before one differs."""
    for seed in range(MAX_TABLES):
        chance = random.Random(seed)
        edition = chance.choice(("classic", "1897-en", "1897-de"))
        position = busy_table(2 + seed % 4, edition, chance)
        if seed % 3 == 0:  # workers and VP run out, so that fallbacks and ends are seen
            chip_away(position, chance)
        if differs(position, chooser(seed, 0.9), seed, 120):
            return seed
    return None


def differs(position, choose, seed, max_decisions):
    """Whether the engine and the slow rules part ways from here."""
    game = Game.from_dict(as_json(position), seed=seed)
    try:
        Shadow(game).play(choose, max_decisions)
    except (AssertionError, LookupError, ValueError):
        return True
    return False


def chip_away(position, chance):
    """Nearly empty the pool of VP and the supply of workers."""
    player = position["players"][0]
    given = max(0, position["vp"] - chance.randint(2, 12))
    player["vp"] += given
    position["vp"] -= given
    left = len(position["players"]) + chance.randint(-2, 6)
    moved = max(0, position["workers"]["supply"] - left)
    player["portrait"] += moved
    position["workers"]["supply"] -= moved


def test_without_a_wrong_rule_all_tables_agree():
    """The measure itself: nothing is noticed where nothing is wrong."""
    assert tables_until_it_is_noticed() is None


@pytest.mark.parametrize(("place", "name", "wrong"), WRONG_RULES, ids=named(WRONG_RULES))
def test_a_wrong_rule_is_noticed(place, name, wrong, monkeypatch):
    """Every rule that is bent here makes a game differ."""
    monkeypatch.setattr(place, name, wrong)
    assert tables_until_it_is_noticed() is not None


# -- expansions ------------------------------------------------------------------------------------


def a_notary_for_everything(player, column):
    return 1 if is_occupied(player, "notary") else 0


def the_market_sells_its_own_unit(position, seat, gap):
    rules = {**position["rules"], "black_market_excludes_own_worker": False}
    return PAYMENTS({**position, "rules": rules}, seat, gap)


PAYMENTS = building.payments


def payments_that_leave_coins(position, seat, gap):
    return PAYMENTS(position, seat, gap) | PAYMENTS(position, seat, gap + 1)


def an_aqueduct_for_small_plants(position, seat, made):
    if not is_occupied(position["players"][seat], "aqueduct"):
        return []
    return [g for g in ("indigo", "sugar") if made[g] and position["goods"][g]]


def a_specialty_of_corn(player, made):
    return SPECIALTY({**player}, {**made, "indigo": max(made["corn"], made["indigo"])})


SPECIALTY = producing.specialty_income


def a_union_hall_of_mixed_pairs(player):
    return sum(player["goods"].values()) // 2 if is_occupied(player, "union_hall") else 0


def a_supplier_counts_workers(player):
    return num_units(player) if is_occupied(player, "royal_supplier") else 0


def ties_lead_too(position, seat):
    spaces = [island_left(player) for player in position["players"]]
    return spaces[seat] == max(spaces)


def empty_tiles_go_first(player, tile):
    if tile == "forest" or empty_circles(player, tile) > 0:
        return {"empty"}
    return {"worker" if units_of(player, tile, "worker") else "citizen"}


def a_cloister_without_forests(player):
    return scoring.CLOISTER[sum(player["island"][tile][0] // 3 for tile in TILES)]


def citizens_on_circles_alone(player):
    return num_citizens(player) - units_of(player, "portrait", "citizen")


def two_citizens_a_refill(position):
    new = REFILL(position)
    more = min(1, new.workers, position.get("citizens", {"supply": 0})["supply"] - new.citizens)
    return Refill(new.workers - more, new.ends_the_game, new.citizens + more)


def markets_at_the_post(player, good, *, privilege, at_post=False):
    return SALE(player, good, privilege=privilege)


def quarries_are_sold_too(player):
    return REMOVABLE(player) | ({"quarry"} if player["island"]["quarry"][0] else set())


REMOVABLE = trading.removable_tiles


def a_library_for_captured_roles(game, seat):
    doubles = seat == game.actor and is_occupied(game.players[seat], "library")
    return 2 if doubles else int(seat == game.actor)


def a_villa_of_workers(game, seat):
    unit = "worker" if game.position["workers"]["supply"] else "citizen"
    game._store_of(unit)["supply"] -= 1
    move_units(game.players[seat], "portrait", 1, unit)


def a_festival_of_kinds(game, made):
    return GOODS_GOAL(game, Counter({good: 3 for good, barrels in made.items() if barrels}))


GOODS_GOAL = SlowGame._coins_of_the_festival


def captors_may_take_what_they_captured(position, seat):
    free = {name for name, card in position["roles"].items() if card["taken_by"] is None}
    tile = position.get("smuggler", {"tile": None})["tile"]
    return {f"role:{name}" for name in free if not (name == "smuggler" and tile == seat)}


def smugglers_may_go_on(position, seat):
    free = {name for name, card in position["roles"].items() if card["taken_by"] is None}
    captured = position.get("smuggler", {"captured": {}})["captured"]
    return {f"role:{name}" for name in free if captured.get(name) != seat}


def guests_stay_in_town(player):
    return {move for move in MOVES(player) if move.split(":")[-1] not in TILES}


MOVES = pieces.guest_moves


def no_window_closes_a_phase(game):
    yield from ()


def a_second_pick_by_privilege(position, seat, *, is_actor, by_hut_alone=False):
    return TAKE(position, seat, is_actor=is_actor)


def forests_need_a_unit_in_the_house(player):
    return forests(player) if is_occupied(player, "forest_house") else 0


WRONG_EXPANSION_RULES = [
    (building, "notary_discount", a_notary_for_everything),
    (building, "payments", the_market_sells_its_own_unit),
    (building, "payments", payments_that_leave_coins),
    (building, "forests", forests_need_a_unit_in_the_house),
    (producing, "specialty_income", a_specialty_of_corn),
    (producing, "jeweler_income", citizens_on_circles_alone),
    (loading, "union_hall_vp", a_union_hall_of_mixed_pairs),
    (loading, "supplier_barrels", a_supplier_counts_workers),
    (settling, "leads_in_empty_spaces", ties_lead_too),
    (settling, "what_stands_on", empty_tiles_go_first),
    (scoring, "cloister", a_cloister_without_forests),
    (scoring, "num_citizens", citizens_on_circles_alone),
    (register, "refill", two_citizens_a_refill),
    (trading, "removable_tiles", quarries_are_sold_too),
    (smuggling, "role_options", captors_may_take_what_they_captured),
    (smuggling, "role_options", smugglers_may_go_on),
    (pieces, "guest_moves", guests_stay_in_town),
    (pieces, "TILES_FOR_THE_ESTATE", 4),
    (slow_game, "MOST_RAIDED", 4),
    (slow_game, "CAPTURE_COINS", 2),
    (SlowGame, "_villa_gives", a_villa_of_workers),
]


RARELY_MET = [
    (producing, "aqueduct_extras", an_aqueduct_for_small_plants),
    (settling, "take_options", a_second_pick_by_privilege),
    (storage, "single_barrels", lambda player: 1 + 2 * is_occupied(player, "storehouse")),
    (trading, "sale_income", markets_at_the_post),
    (slow_game, "MOST_POACHED", 2),
    (SlowGame, "_privilege", a_library_for_captured_roles),
    (SlowGame, "_coins_of_the_festival", a_festival_of_kinds),
    (SlowGame, "_close_phase", no_window_closes_a_phase),
]
"""Wrong rules of expansions that it takes many tables to notice."""


def expanded_tables_until_it_is_noticed():
    """How many busy tables with every expansion agree before one differs."""
    for seed in range(MAX_EXPANDED_TABLES):
        chance = random.Random(seed)
        edition = ("classic", "1897-en", "1897-de")[seed % 3]
        modules = ("buildings", "citizens") if edition == "classic" else EXPANSIONS
        position = busy_table(2 + seed // 3 % 4, edition, chance, modules)
        position["end_triggered"] = seed % 4 == 0
        if differs(position, curious(seed, 0.9 if seed % 2 else 0.3), seed, 160):
            return seed
    return None


@pytest.mark.slow
def test_without_a_wrong_rule_all_expanded_tables_agree():
    """The measure itself: nothing is noticed where nothing is wrong."""
    assert expanded_tables_until_it_is_noticed() is None


@pytest.mark.parametrize(
    ("place", "name", "wrong"), WRONG_EXPANSION_RULES, ids=named(WRONG_EXPANSION_RULES)
)
def test_a_wrong_rule_of_an_expansion_is_noticed(place, name, wrong, monkeypatch):
    """Every rule that is bent here makes a game differ."""
    monkeypatch.setattr(place, name, wrong)
    assert expanded_tables_until_it_is_noticed() is not None


@pytest.mark.slow
@pytest.mark.parametrize(("place", "name", "wrong"), RARELY_MET, ids=named(RARELY_MET))
def test_a_wrong_rule_that_is_rarely_met_is_noticed(place, name, wrong, monkeypatch):
    """Every rule that is bent here makes a game differ."""
    monkeypatch.setattr(place, name, wrong)
    assert expanded_tables_until_it_is_noticed() is not None
