"""A few words to set up a position for the oracle alone, without the package."""

from tests.reference.box import BUILDINGS, COIN_TOTALS, GOODS, SETUPS, SPOTS, TILES, copies
from tests.reference.position import ROLES, circles, city_left, island_left, move_units


def player(coins=0, vp=0, goods=(), island=(), city=(), portrait=0) -> dict:
    """A player with nothing but what is given: `island={"corn": [2, 1]}`, `city={"wharf": 1}`."""
    return {
        "coins": coins,
        "vp": vp,
        "goods": {**dict.fromkeys(GOODS, 0), **dict(goods)},
        "island": {**{tile: [0, 0] for tile in TILES}, **dict(island)},
        "city": dict(city),
        "portrait": portrait,
    }


def table(players, edition="1897-en", **blocks) -> dict:
    """A position with these players; what is not given has its value at set-up."""
    num_players = len(players)
    setup = SETUPS[num_players]
    rules = {"players": num_players, "edition": edition}
    position = {
        "rules": rules,
        "round": 1,
        "governor": 0,
        "roles": {role: {"coins": 0, "taken_by": None} for role in ROLES if role in setup.roles},
        "workers": {"supply": setup.workers, "register": num_players},
        "goods": dict(setup.goods),
        "vp": setup.vp[edition],
        "bank": COIN_TOTALS[edition] - setup.coins * num_players,
        "quarries": setup.quarries,
        "row": dict.fromkeys(GOODS, 0),
        "deck": [],
        "discard": dict.fromkeys(GOODS, 0),
        "buildings": {building: copies(rules, building) for building in BUILDINGS},
        "ships": [{"size": size, "good": None, "barrels": 0} for size in setup.ships],
        "house": [],
        "end_triggered": False,
        "players": list(players),
    }
    return {**position, **blocks}


def set_up(num_players, edition, chance) -> dict:
    """A game ready for its first role choice; `chance` is a `random.Random` (R-SET)."""
    setup = SETUPS[num_players]
    position = table([player(setup.coins) for _ in range(num_players)], edition)
    left = dict(setup.plantations)
    for seat, tile in enumerate(setup.tiles):
        position["players"][seat]["island"][tile] = [1, 0]
        left[tile] -= 1
    deck = [good for good in GOODS for _ in range(left[good])]
    chance.shuffle(deck)
    for _ in range(num_players + 1):
        position["row"][deck.pop(0)] += 1
    position["deck"] = deck
    return position


# -- rich boards -----------------------------------------------------------------------------------


def busy_table(num_players, edition, chance) -> dict:
    """A round begins in the middle of a game: every piece lies somewhere, none is lost."""
    position = set_up(num_players, edition, chance)
    for seat in range(num_players):
        _fill_city(position, seat, chance)
        _fill_island(position, seat, chance)
        _hand_out_workers(position, seat, chance)
        _hand_out_goods(position, seat, chance)
        position["players"][seat]["vp"] = chance.randint(0, 12)
        position["vp"] -= position["players"][seat]["vp"]
        coins = chance.randint(0, 14)
        position["bank"] -= coins - position["players"][seat]["coins"]
        position["players"][seat]["coins"] = coins
    _load_ships(position, chance)
    for good in chance.sample(GOODS, chance.randint(0, 3)):
        if position["goods"][good] > 0:
            position["goods"][good] -= 1
            position["house"].append(good)
    for _ in range(chance.choice((0, 5, len(position["deck"]) - 2, len(position["deck"])))):
        if position["deck"]:
            position["discard"][position["deck"].pop()] += 1
    position["governor"] = chance.randrange(num_players)
    position["round"] = chance.randint(1, 20)
    return position


PLANTER = ("factory", "small_indigo_plant", "small_sugar_mill", "tobacco_storage", "coffee_roaster")
"""What it takes, with a worker everywhere, to be paid for all five kinds."""


def _fill_city(position, seat, chance):
    owner = position["players"][seat]
    names = list(BUILDINGS)
    chance.shuffle(names)
    count = chance.randint(0, 12)
    if chance.random() < 0.2:
        names, count = [*PLANTER, *names], max(count, len(PLANTER))
    for name in names[:count]:
        fits = city_left(owner) > BUILDINGS[name].spaces
        if fits and name not in owner["city"] and position["buildings"][name] > 0:
            position["buildings"][name] -= 1
            owner["city"][name] = 0


def _fill_island(position, seat, chance):
    owner, deck = position["players"][seat], position["deck"]
    if _is_planter(owner):
        for good in GOODS:
            if good in deck and owner["island"][good][0] == 0:
                deck.remove(good)
                owner["island"][good][0] += 1
    for _ in range(chance.randint(0, island_left(owner))):
        if position["quarries"] > 0 and chance.random() < 0.25:
            position["quarries"] -= 1
            owner["island"]["quarry"][0] += 1
        elif deck:
            owner["island"][deck.pop()][0] += 1


def _is_planter(owner):
    return all(name in owner["city"] for name in PLANTER)


def _hand_out_workers(position, seat, chance):
    owner = position["players"][seat]
    share = 1.0 if _is_planter(owner) else chance.random()
    for spot in SPOTS:
        for _ in range(circles(owner, spot)):
            if position["workers"]["supply"] > 0 and chance.random() < share:
                position["workers"]["supply"] -= 1
                move_units(owner, spot, 1)


def _hand_out_goods(position, seat, chance):
    for good in GOODS:
        barrels = min(position["goods"][good], chance.choice((0, 0, 1, 2, 3, 5)))
        position["goods"][good] -= barrels
        position["players"][seat]["goods"][good] += barrels


def _load_ships(position, chance):
    kinds = list(GOODS)
    chance.shuffle(kinds)
    for ship in position["ships"]:
        good = kinds.pop()
        barrels = min(position["goods"][good], chance.choice((0, 0, 1, 3, ship["size"] - 1)))
        if barrels:
            position["goods"][good] -= barrels
            ship.update(good=good, barrels=barrels)


def as_json(position) -> dict:
    """The same position in the JSON form that the package reads."""
    position = {key: block for key, block in position.items() if key != "bank"}
    position["ships"] = [
        ship if ship["barrels"] else {"size": ship["size"]} for ship in position["ships"]
    ]
    return {"phase": "role", "turn": position["governor"], **position}
