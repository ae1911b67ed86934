"""A few words to set up a position for the oracle alone, without the package."""

from collections import Counter

from tests.oracle.box import (
    ALL_WORKERS,
    BASE_BUILDINGS,
    BUILDINGS,
    CITIZENS,
    COIN_TOTALS,
    FOREST_TILES,
    GOODS,
    SETUPS,
    SPOTS,
    TILES,
    buildings_of,
    copies,
    cost,
    draft_pool,
    draft_slots,
    festival_pool,
    has,
    switch,
)
from tests.oracle.position import (
    BASE_ROLES_AND_PROSPECTORS,
    circles,
    city_left,
    has_forest_stack,
    island_left,
    move_units,
)


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


def _spread(owner: dict, rules: dict) -> None:
    """Give a player the places that expansions add: for citizens, and for forests."""
    if has(rules, "buildings"):
        owner["island"].setdefault("forest", [0, 0])
        if not has_forest_stack(rules):
            for name in ("forest_kinds", "forest_blind"):
                owner[name] = {**dict.fromkeys(GOODS, 0), **owner.get(name, {})}
    if has(rules, "citizens"):
        owner["island"] = {tile: [*counts, 0][:3] for tile, counts in owner["island"].items()}
        owner["city"] = {name: _pair(units) for name, units in owner["city"].items()}
        owner["portrait"] = _pair(owner["portrait"])


def _pair(units) -> list:
    return list(units) if isinstance(units, list | tuple) else [units, 0]


def table(players, edition="1897-en", expansions=(), board=(), switches=(), **blocks) -> dict:
    """A position with these players; what is not given has its value at set-up.

    With the new buildings `board` names the commercial types that are in the game.
    """
    num_players = len(players)
    setup = SETUPS[num_players]
    rules = {"players": num_players, "edition": edition, **dict(switches)}
    if expansions:
        rules["expansions"] = list(expansions)
    cards = (role for role in BASE_ROLES_AND_PROSPECTORS if role in setup.roles)
    roles = [*cards, *(["smuggler"] if "smuggler" in expansions else [])]
    drafted = set(draft_pool(rules)) - set(board)
    in_box = {name: copies(rules, name) for name in buildings_of(rules)}
    position = {
        "rules": rules,
        "round": 1,
        "governor": 0,
        "roles": {role: {"coins": 0, "taken_by": None} for role in roles},
        "workers": {"supply": setup.workers, "register": num_players},
        "goods": dict(setup.goods),
        "vp": setup.vp[edition],
        "bank": COIN_TOTALS[edition] - setup.coins * num_players,
        "quarries": setup.quarries,
        "row": dict.fromkeys(GOODS, 0),
        "deck": [],
        "discard": dict.fromkeys(GOODS, 0),
        "buildings": {name: 0 if name in drafted else number for name, number in in_box.items()},
        "ships": [{"size": size, "good": None, "barrels": 0} for size in setup.ships],
        "house": [],
        "end_triggered": False,
        "players": list(players),
    }
    if "citizens" in expansions:
        position["workers"] = {"supply": ALL_WORKERS - num_players + 1, "register": num_players - 1}
        position["citizens"] = {"supply": CITIZENS - 1, "register": 1}
    if "buildings" in expansions:
        position["board"] = sorted(board, key=list(BUILDINGS).index)
    if has_forest_stack(rules):
        position["forests"] = FOREST_TILES
    if "smuggler" in expansions:
        position["smuggler"] = {"tile": None, "captured": {}}
    if "festival" in expansions:
        position["festival"] = {"estate": None, "goods": None, "building": None}
    for owner in players:
        _spread(owner, rules)
    return {**position, **blocks}


# -- set-up ----------------------------------------------------------------------------------------


def random_board(rules, chance) -> list:
    """Types that a draft could choose (R-X1-3..5)."""
    board = []
    for price, number in draft_slots(rules).items():
        types = [name for name in draft_pool(rules) if cost(rules, name) == price]
        board += chance.sample(types, number)
    return board


def board_with(wanted, edition="1897-en", expansions=("buildings",)) -> list:
    """A full board that holds the types that are wanted."""
    rules = {"players": 2, "edition": edition, "expansions": expansions}
    board = []
    for price, number in draft_slots(rules).items():
        types = [name for name in draft_pool(rules) if cost(rules, name) == price]
        board += sorted(types, key=lambda name: name not in wanted)[:number]
    missing = set(wanted) & set(draft_pool(rules)) - set(board)
    if missing:
        raise ValueError(f"the board has no room for {missing}")
    return board


def set_up(num_players, edition, chance, expansions=(), *, drafts=False, **switches) -> dict:
    """A game ready for its first role choice; `chance` is a `random.Random` (R-SET).

    With the new buildings the board is chosen at random, or with `drafts` it is still to be chosen:
    then the deck is not shuffled, and nothing lies in the row.
    """
    setup = SETUPS[num_players]
    rules = {
        "players": num_players,
        "edition": edition,
        "expansions": list(expansions),
        **switches,
    }
    board = random_board(rules, chance) if "buildings" in expansions and not drafts else ()
    players = [player(setup.coins) for _ in range(num_players)]
    position = table(players, edition, expansions, board, switches)
    left = dict(setup.plantations)
    for seat, tile in enumerate(setup.tiles):
        position["players"][seat]["island"][tile][0] = 1
        left[tile] -= 1
    if "festival" in expansions:
        _open_the_festival(position, left, chance)
    position["deck"] = [good for good in GOODS for _ in range(left[good])]
    if drafts and "buildings" in expansions:
        return {**position, "phase": "draft"}
    position.update(RandomChance(chance).deal(position))
    building = position.pop("building")
    if building:
        ask_for(position, building)
    return position


def _open_the_festival(position, left, chance) -> None:
    """An estate leaves the plantations, three barrels the supply (R-FES-2, R-FES-3)."""
    festival = position["festival"]
    festival["estate"] = chance.choice(GOODS)
    left[festival["estate"]] -= 1
    barrels = chance.sample([good for good in GOODS for _ in range(3)], 3)
    festival["goods"] = sorted(barrels, key=GOODS.index)
    for good in barrels:
        position["goods"][good] -= 1


def ask_for(position, name) -> None:
    """The festival asks for a building: a copy leaves the supply, two players get another."""
    rules, supply = position["rules"], position["buildings"]
    supply[name] -= 1
    if rules["players"] == 2 and name != "jeweler" and switch(rules, "festival_two_player_refill"):
        supply[name] += 1
    position["festival"]["building"] = name


class RandomChance:
    """Chance out of Python's own generator."""

    def __init__(self, chance) -> None:
        self.chance = chance

    def deck(self, tiles: Counter, seat: int | None) -> list:
        """The tiles in any order."""
        order = sorted(tiles.elements())
        self.chance.shuffle(order)
        return order

    def deal(self, position: dict) -> dict:
        """What is drawn once the buildings of a game are chosen."""
        deck = self.deck(Counter(position["deck"]), None)
        row = Counter(deck.pop(0) for _ in range(position["rules"]["players"] + 1))
        drawn = None
        if has(position["rules"], "festival"):
            drawn = self._festival_building(position)
        return {"deck": deck, "row": {good: row[good] for good in GOODS}, "building": drawn}

    def _festival_building(self, position: dict) -> str:
        pool = [b for b in festival_pool(position["rules"]) if position["buildings"][b] > 0]
        suits = BUILDINGS[drawn := self.chance.choice(pool)].crop
        redraws = switch(position["rules"], "festival_redraw_if_same_product")
        while redraws and suits is not None and suits == position["festival"]["estate"]:
            suits = BUILDINGS[drawn := self.chance.choice(pool)].crop
        return drawn


# -- rich boards -----------------------------------------------------------------------------------


def busy_table(num_players, edition, chance, expansions=(), **switches) -> dict:
    """A round begins in the middle of a game: every piece lies somewhere, none is lost."""
    position = set_up(num_players, edition, chance, expansions, **switches)
    for seat in range(num_players):
        _fill_city(position, seat, chance)
        _fill_island(position, seat, chance)
        _hand_out_units(position, seat, chance)
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
    if "smuggler" in expansions and chance.random() < 0.7:
        position["smuggler"]["tile"] = chance.randrange(num_players)
    if "festival" in expansions and chance.random() < 0.1:
        position["buildings"][position["festival"]["building"]] += 1
        position["festival"]["building"] = None
    if expansions:
        _stir_the_supplies(position, chance)
    position["governor"] = chance.randrange(num_players)
    position["round"] = chance.randint(1, 20)
    return position


PLANTER = ("factory", "small_indigo_plant", "small_sugar_mill", "tobacco_storage", "coffee_roaster")
"""What it takes, with a worker everywhere, to be paid for all five kinds."""


THEMES = (
    ("guest_house", "royal_supplier", "union_hall", "harbor"),
    ("guest_house", "land_office", "trading_post", "library"),
    ("guest_house", "hospice", "university", "hacienda"),
    ("hospice", "university", "church", "notary"),
    ("hacienda", "forest_house", "hospice", "land_office"),
    ("black_market", "university", "church"),
    ("library", "construction_hut", "forest_house", "hunting_lodge"),
    ("small_wharf", "lighthouse", "wharf", "storehouse"),
    ("aqueduct", "indigo_plant", "sugar_mill", "specialty_factory", "library"),
    ("cloister", "royal_garden", "jeweler", "chapel", "villa"),
)
"""Buildings that meet each other's rules; who has them mostly has them staffed."""


def _fill_city(position, seat, chance):
    owner = position["players"][seat]
    two_kinds = has(position["rules"], "citizens")
    names = list(position["buildings"])
    chance.shuffle(names)
    count = chance.randint(0, 12)
    if chance.random() < 0.2:
        names, count = [*PLANTER, *names], max(count, len(PLANTER))
    if chance.random() < 0.5:
        names.sort(key=lambda name: BUILDINGS[name].module == "base")
    if len(position["buildings"]) > len(BASE_BUILDINGS) and chance.random() < 0.6:
        theme = [name for name in chance.choice(THEMES) if name in position["buildings"]]
        names, count = [*theme, *names], max(count, len(theme))
    for name in names[:count]:
        fits = city_left(owner) > BUILDINGS[name].spaces
        if fits and name not in owner["city"] and position["buildings"][name] > 0:
            position["buildings"][name] -= 1
            owner["city"][name] = [0, 0] if two_kinds else 0


def _fill_island(position, seat, chance):
    owner, deck = position["players"][seat], position["deck"]
    estate = position.get("festival", {"estate": None})["estate"]
    if _is_planter(owner):
        for good in GOODS:
            if good in deck and owner["island"][good][0] == 0:
                deck.remove(good)
                owner["island"][good][0] += 1
    favourite = chance.choice(GOODS) if chance.random() < 0.3 else None
    for _ in range(chance.randint(0, island_left(owner))):
        if favourite in deck and favourite != estate:
            deck.remove(favourite)
            owner["island"][favourite][0] += 1
        elif position["quarries"] > 0 and chance.random() < 0.25:
            position["quarries"] -= 1
            owner["island"]["quarry"][0] += 1
        elif "forest" in owner["island"] and chance.random() < 0.25:
            _plant_forest(position, owner, chance)
        elif deck and (deck[-1] != estate or owner["island"][estate][0] < 2):
            owner["island"][deck.pop()][0] += 1


def _plant_forest(position, owner, chance):
    if has_forest_stack(position["rules"]):
        if position["forests"] == 0:
            return
        position["forests"] -= 1
    elif position["deck"]:
        tile = position["deck"].pop()
        owner["forest_kinds"][tile] += 1
        owner["forest_blind"][tile] += chance.random() < 0.5
    else:
        return
    owner["island"]["forest"][0] += 1


def _is_planter(owner):
    return all(name in owner["city"] for name in PLANTER)


def _hand_out_units(position, seat, chance):
    owner = position["players"][seat]
    share = 1.0 if _is_planter(owner) else chance.random()
    has_theme = any(set(theme) <= set(owner["city"]) for theme in THEMES)
    share = max(share, 0.8) if has_theme else share
    noble = chance.choice((0, 0.2, 0.5))
    for spot in SPOTS:
        for _ in range(circles(owner, spot)):
            unit = "worker"
            if position.get("citizens", {"supply": 0})["supply"] > 0 and chance.random() < noble:
                unit = "citizen"
            supply = position["workers" if unit == "worker" else "citizens"]
            guest = 0.7 if spot == "guest_house" else 0
            if supply["supply"] > 0 and chance.random() < max(share, guest):
                supply["supply"] -= 1
                move_units(owner, spot, 1, unit)


def _stir_the_supplies(position, chance):
    """Make supplies run out, so that effects fall back on the register, and fill that."""
    workers = position["workers"]
    if "citizens" in position:
        citizens = position["citizens"]
        if chance.random() < 0.2:
            citizens["supply"] += citizens["register"]
            citizens["register"] = 0
        if chance.random() < 0.2:
            _hand_over(position, citizens, "citizen", citizens["supply"], chance)
        more = min(citizens["supply"], chance.choice((0, 0, 0, 1, 2)))
        citizens["supply"] -= more
        citizens["register"] += more
    more = min(workers["supply"], chance.choice((0, 0, 1, 2, 3, 6, 9)))
    workers["supply"] -= more
    workers["register"] += more
    if chance.random() < 0.3:
        left = chance.choice((0, 0, 1, 2))
        _hand_over(position, workers, "worker", max(0, workers["supply"] - left), chance)


def _hand_over(position, supply, unit, units, chance):
    """Put units of the supply on portraits."""
    supply["supply"] -= units
    for _ in range(units):
        move_units(chance.choice(position["players"]), "portrait", 1, unit)


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
    if "board" in position:
        position["rules"] = {**position["rules"], "board": position["board"]}
        absent = set(draft_pool(position["rules"])) - set(position["board"])
        supply = position["buildings"].items()
        position["buildings"] = {name: left for name, left in supply if name not in absent}
    return {"phase": "role", "turn": position["governor"], **position}
