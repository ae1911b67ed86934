"""A position as a plain dict (the JSON form of a position), and small questions about it.

`read` copies the numbers of a record into that dict without asking the package's own notation, so
that the two can be compared.
"""

from tests.reference.box import BUILDINGS, CITY_SPACES, GOODS, ISLAND_SPACES, SETUPS, SPOTS, TILES

ROLES = (
    "settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector_1", "prospector_2",
)  # fmt: skip


def _kinds(counts) -> dict:
    return {good: int(counts[number]) for number, good in enumerate(GOODS)}


def _player(state, seat: int) -> dict:
    tiles, workers = state["tiles"][seat], state["workers"][seat]
    return {
        "coins": int(state["coins"][seat]),
        "vp": int(state["vp"][seat]),
        "goods": _kinds(state["goods"][seat]),
        "island": {tile: [int(tiles[spot]), int(workers[spot])] for spot, tile in enumerate(TILES)},
        "city": {
            building: int(workers[len(TILES) + number])
            for number, building in enumerate(BUILDINGS)
            if tiles[len(TILES) + number]
        },
        "portrait": int(state["portrait_workers"][seat]),
    }


def _ships(state, sizes) -> list:
    ships = []
    for number, size in enumerate(sizes):
        good, barrels = int(state["ship_good"][number]), int(state["ship_load"][number])
        ships.append({"size": size, "good": GOODS[good] if good >= 0 else None, "barrels": barrels})
    return ships


def read(game) -> dict:
    """The position of a game, read from its record."""
    state = game.state[0]
    rules = game.rules
    setup = SETUPS[rules.players]
    deck = [GOODS[kind] for kind in state["deck"][: state["deck_size"]][::-1]]
    return {
        "rules": {"players": rules.players, "edition": rules.edition},
        "round": int(state["round"]),
        "governor": int(state["governor"]),
        "roles": {
            role: {
                "coins": int(state["role_coins"][number]),
                "taken_by": int(owner) if owner >= 0 else None,
            }
            for number, role in enumerate(ROLES)
            if (owner := state["role_owner"][number]) != -2
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
        "deck": deck,
        "discard": _kinds(state["discard"]),
        "buildings": {
            building: int(state["building_supply"][number])
            for number, building in enumerate(BUILDINGS)
        },
        "ships": _ships(state, setup.ships),
        "house": sorted(
            (good for number, good in enumerate(GOODS) for _ in range(state["house"][number])),
            key=GOODS.index,
        ),
        "end_triggered": bool(state["end_reasons"]),
        "players": [_player(state, seat) for seat in range(rules.players)],
    }


# -- small questions -------------------------------------------------------------------------------


def clockwise(position: dict, seat: int) -> list[int]:
    """All seats clockwise, starting with this one."""
    num_players = position["rules"]["players"]
    return [(seat + step) % num_players for step in range(num_players)]


def is_occupied(player: dict, building: str) -> bool:
    """Whether at least one unit stands on the player's building (R-GEN-2)."""
    return player["city"].get(building, 0) > 0


def circles(player: dict, spot: str) -> int:
    """All circles of a player's tiles of one kind, or of a building (R-MAY-6)."""
    if spot in TILES:
        return player["island"][spot][0]
    return BUILDINGS[spot].circles if spot in player["city"] else 0


def units_on(player: dict, spot: str) -> int:
    """Units on a player's tiles of one kind, or on a building."""
    return player["island"][spot][1] if spot in TILES else player["city"].get(spot, 0)


def move_units(player: dict, spot: str, change: int) -> None:
    """Put units on a spot, or take them off."""
    if spot in TILES:
        player["island"][spot][1] += change
    else:
        player["city"][spot] += change


def arrangement(player: dict) -> tuple[int, ...]:
    """Units on every spot, in the order of the spots."""
    return tuple(units_on(player, spot) for spot in SPOTS)


def all_circles(player: dict) -> tuple[int, ...]:
    """Circles of every spot, in the order of the spots."""
    return tuple(circles(player, spot) for spot in SPOTS)


def num_units(player: dict) -> int:
    """All units of a player, the portrait's included."""
    return sum(arrangement(player)) + player["portrait"]


def island_left(player: dict) -> int:
    """Empty island spaces."""
    return ISLAND_SPACES - sum(tiles for tiles, _ in player["island"].values())


def city_left(player: dict) -> int:
    """Empty city spaces; a large building fills 2 (R-GEN-5)."""
    return CITY_SPACES - sum(BUILDINGS[building].spaces for building in player["city"])
