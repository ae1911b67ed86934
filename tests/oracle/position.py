"""A position as a plain dict (the JSON form of a position), and small questions about it.

`read` copies the numbers of a record into that dict without asking the package's own notation, so
that the two can be compared. Where no citizens are in the game a count of units is a number; where
they are it is a pair, workers and citizens. The questions below take both.
"""

from tests.oracle.box import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    ISLAND_SPACES,
    SETUPS,
    SPOTS,
    TILES,
    buildings_of,
    has,
    switch,
)

BASE_ROLES_AND_PROSPECTORS = (
    "settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector_1", "prospector_2",
)  # fmt: skip
ROLES = (*BASE_ROLES_AND_PROSPECTORS, "smuggler")

UNITS = ("worker", "citizen")


def _kinds(counts) -> dict:
    return dict(zip(GOODS, counts.tolist(), strict=True))


def _player(state, seat: int, rules: dict) -> dict:
    names = ("owned", "workers", "citizens")
    tiles, workers, citizens = (state[name][seat].tolist() for name in names)
    two_kinds = has(rules, "citizens")

    def units(spot):
        return [workers[spot], citizens[spot]] if two_kinds else [workers[spot]]

    player = {
        "coins": int(state["coins"][seat]),
        "vp": int(state["vp"][seat]),
        "goods": _kinds(state["goods"][seat]),
        "island": {tile: [tiles[spot], *units(spot)] for spot, tile in enumerate(TILES)},
        "city": {
            building: units(spot) if two_kinds else units(spot)[0]
            for number, building in enumerate(BUILDINGS)
            if tiles[spot := len(TILES) + number]
        },
        "portrait": int(state["portrait_workers"][seat]),
    }
    if two_kinds:
        player["portrait"] = [player["portrait"], int(state["portrait_citizens"][seat])]
    if has(rules, "buildings"):
        forests = int(state["own_forests"][seat])
        player["island"]["forest"] = [forests, 0, 0] if two_kinds else [forests, 0]
        if not has_forest_stack(rules):
            player["forest_kinds"] = _kinds(state["forest_kinds"][seat])
            player["forest_blind"] = _kinds(state["forest_blind"][seat])
    return player


def _ships(state, sizes) -> list:
    ships = []
    for number, size in enumerate(sizes):
        good, barrels = int(state["ship_good"][number]), int(state["ship_load"][number])
        ships.append({"size": size, "good": GOODS[good] if good >= 0 else None, "barrels": barrels})
    return ships


def _barrels(counts) -> list:
    return [good for number, good in enumerate(GOODS) for _ in range(counts[number])]


def _somebody(seat) -> int | None:
    return int(seat) if seat >= 0 else None


def has_forest_stack(rules: dict) -> bool:
    """Whether forests lie in a stack of their own (D-36)."""
    return has(rules, "buildings") and switch(rules, "forest_source") == "own_stack_12"


def read(game) -> dict:
    """The position of a game, read from its record."""
    state = game.state[0]
    rules = {"players": game.rules.players, "edition": game.rules.edition}
    if game.rules.expansions:
        rules["expansions"] = list(game.rules.expansions)
        rules["forest_source"] = game.rules.forest_source
    setup = SETUPS[rules["players"]]
    supply = dict(zip(BUILDINGS, state["building_supply"].tolist(), strict=True))
    in_play = [n for n in range(len(ROLES)) if state["role_owner"][n] != -2]
    position = {
        "rules": rules,
        "round": int(state["round"]),
        "governor": int(state["governor"]),
        "roles": {
            ROLES[number]: {
                "coins": int(state["role_coins"][number]),
                "taken_by": _somebody(state["role_owner"][number]),
            }
            for number in in_play
        },
        "workers": {
            "supply": int(state["worker_supply"]),
            "register": int(state["register_workers"]),
        },
        "goods": _kinds(state["goods_supply"]),
        "vp": int(state["vp_pool"]),
        "bank": int(state["bank"]),
        "quarries": int(state["quarries"]),
        "row": _kinds(state["row"]),
        "deck": [GOODS[kind] for kind in state["deck"][: state["deck_size"]][::-1]],
        "discard": _kinds(state["discard"]),
        "buildings": {name: supply[name] for name in buildings_of(rules)},
        "ships": _ships(state, setup.ships),
        "house": _barrels(state["house"]),
        "end_triggered": bool(state["end_reasons"]),
        "players": [_player(state, seat, rules) for seat in range(rules["players"])],
    }
    if has(rules, "citizens"):
        position["citizens"] = {
            "supply": int(state["citizen_supply"]),
            "register": int(state["register_citizens"]),
        }
    if has(rules, "buildings"):
        position["board"] = [b for n, b in enumerate(BUILDINGS) if state["board"][n]]
    if has_forest_stack(rules):
        position["forests"] = int(state["forests"])
    if has(rules, "smuggler"):
        position["smuggler"] = {
            "tile": _somebody(state["smuggler_tile"]),
            "captured": {
                ROLES[number]: int(state["role_captor"][number])
                for number in in_play
                if state["role_captor"][number] >= 0
            },
        }
    if has(rules, "festival"):
        estate, building = int(state["festival_estate"]), int(state["festival_building"])
        position["festival"] = {
            "estate": GOODS[estate] if estate >= 0 else None,
            "goods": _barrels(state["festival_goods"]) or None,
            "building": list(BUILDINGS)[building] if building >= 0 else None,
        }
    return position


# -- small questions -------------------------------------------------------------------------------


def clockwise(position: dict, seat: int) -> list[int]:
    """All seats clockwise, starting with this one."""
    num_players = position["rules"]["players"]
    return [(seat + step) % num_players for step in range(num_players)]


def _units(player: dict, spot: str) -> list[int]:
    """Workers and citizens on a player's tiles of one kind, on a building, or on the portrait."""
    if spot in TILES:
        counts = player["island"][spot][1:]
    else:
        counts = player["portrait"] if spot == "portrait" else player["city"].get(spot, 0)
        counts = counts if isinstance(counts, list) else [counts]
    return [*counts, 0][:2]


def units_of(player: dict, spot: str, unit: str) -> int:
    """Units of one kind on a spot or on the portrait."""
    return _units(player, spot)[UNITS.index(unit)]


def units_on(player: dict, spot: str) -> int:
    """Units of both kinds on a spot or on the portrait."""
    return sum(_units(player, spot))


def is_occupied(player: dict, building: str) -> bool:
    """Whether at least one unit stands on the player's building (R-GEN-2)."""
    return building in player["city"] and units_on(player, building) > 0


def has_worker_on(player: dict, building: str) -> bool:
    """Which side of a two-sided building is up (C.6)."""
    return units_of(player, building, "worker") > 0


def has_citizen_on(player: dict, building: str) -> bool:
    """Which side of a two-sided building is up (C.6)."""
    return units_of(player, building, "citizen") > 0


def circles(player: dict, spot: str) -> int:
    """All circles of a player's tiles of one kind, or of a building (R-MAY-6)."""
    if spot in TILES:
        return player["island"][spot][0]
    return BUILDINGS[spot].circles if spot in player["city"] else 0


def empty_circles(player: dict, spot: str) -> int:
    """Circles of a spot with nobody on them."""
    there = circles(player, spot)
    return there and there - units_on(player, spot)


def move_units(player: dict, spot: str, change: int, unit: str = "worker") -> None:
    """Put units on a spot or on the portrait, or take them off."""
    kind = UNITS.index(unit)
    if spot in TILES:
        player["island"][spot][1 + kind] += change
        return
    place, name = (player, spot) if spot == "portrait" else (player["city"], spot)
    if isinstance(place[name], list):
        place[name][kind] += change
    else:
        place[name] += change


def arrangement(player: dict, unit: str | None = None) -> tuple[int, ...]:
    """Units on every spot, in the order of the spots: of one kind, or of both."""
    if unit is None:
        return tuple(units_on(player, spot) for spot in SPOTS)
    return tuple(units_of(player, spot, unit) for spot in SPOTS)


def all_circles(player: dict) -> tuple[int, ...]:
    """Circles of every spot, in the order of the spots."""
    return tuple(circles(player, spot) for spot in SPOTS)


def num_units(player: dict) -> int:
    """All units of a player, the portrait's included."""
    return sum(units_on(player, place) for place in (*TILES, *player["city"], "portrait"))


def num_citizens(player: dict) -> int:
    """All citizens of a player, the portrait's included."""
    places = (*TILES, *player["city"], "portrait")
    return sum(units_of(player, place, "citizen") for place in places)


def forests(player: dict) -> int:
    """Forests on the island."""
    return player["island"].get("forest", [0])[0]


def island_left(player: dict) -> int:
    """Empty island spaces; a forest fills one (R-FOH-8)."""
    return ISLAND_SPACES - sum(counts[0] for counts in player["island"].values())


def city_left(player: dict) -> int:
    """Empty city spaces; a large building fills 2 (R-GEN-5)."""
    return CITY_SPACES - sum(BUILDINGS[building].spaces for building in player["city"])
