"""A few words to set up a board, to play on it, and to read what is there.

A board is written in the language of the position dict. What a test does not mention is filled so
that the box is complete: a barrel, a tile or a worker that no seat has lies in its supply.
"""

from typing import Any

from prico_env import Game, RuleSet
from prico_env.vocabulary import (
    BASE_BUILDINGS,
    BUILDINGS,
    CITIZEN_BUILDINGS,
    GOODS,
    PHASES,
    ROLES,
    SPOTS,
)

ALICE, BOB, CAROL, DAVE, EVE = range(5)
NAMES = ("alice", "bob", "carol", "dave", "eve")
EDITIONS = ("classic", "1897-en", "1897-de")
CLASSIC, ENGLISH, GERMAN = EDITIONS
BOTH_1897 = (ENGLISH, GERMAN)
X1, X2, X3, X4 = "buildings", "citizens", "smuggler", "festival"

# -- what is in the box, by number of players ------------------------------------------------------

GOODS_IN_BOX = {2: (8, 9, 9, 7, 7)} | dict.fromkeys((3, 4, 5), (10, 11, 11, 9, 9))
PLANTATIONS_IN_BOX = {2: (7, 9, 8, 6, 5)} | dict.fromkeys((3, 4, 5), (10, 12, 11, 9, 8))
QUARRIES_IN_BOX = {2: 5, 3: 8, 4: 8, 5: 8}
WORKERS_IN_BOX = {2: 42, 3: 58, 4: 79, 5: 100}
VP_IN_BOX = {
    "classic": {2: 65, 3: 75, 4: 100, 5: 122},
    "1897-en": {2: 65, 3: 75, 4: 100, 5: 126},
    "1897-de": {2: 65, 3: 75, 4: 100, 5: 126},
}
COINS_IN_BOX = {"classic": 86, "1897-en": 83, "1897-de": 83}
STARTING_COINS = {2: 3, 3: 2, 4: 3, 5: 4}
STARTING_TILES = {
    2: ("indigo", "corn"),
    3: ("indigo", "indigo", "corn"),
    4: ("indigo", "indigo", "corn", "corn"),
    5: ("indigo", "indigo", "indigo", "corn", "corn"),
}
SHIPS = {2: (4, 6), 3: (4, 5, 6), 4: (5, 6, 7), 5: (6, 7, 8)}
PRODUCTION = BASE_BUILDINGS[:6]
SMALL_COMMERCIAL = BASE_BUILDINGS[6:18]
LARGE = BASE_BUILDINGS[18:]
ROLES_IN_PLAY = {
    2: ROLES[:7],
    3: ROLES[:6],
    4: ROLES[:7],
    5: ROLES[:8],
}

# -- what the expansions add to it -----------------------------------------------------------------

ALL_WORKERS = 100
CITIZENS_IN_BOX = 20
FORESTS_IN_BOX = 12
CANDIDATES = {
    1: ("small_market", "aqueduct"),
    2: ("hacienda", "construction_hut", "forest_house", "black_market"),
    3: ("small_warehouse", "storehouse"),
    4: ("hospice", "guest_house"),
    5: ("office", "large_market", "trading_post", "church"),
    6: ("large_warehouse", "small_wharf"),
    7: ("factory", "lighthouse"),
    8: ("university", "harbor", "specialty_factory", "library"),
    9: ("wharf", "union_hall"),
    10: ("guild_hall", "residence", "fortress", "customs_house", "city_hall", "statue", "cloister"),
}
"""Commercial types that the draft of the new buildings chooses among, by cost."""
CHOSEN = {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}
"""How many of them it chooses."""
CITIZEN_COSTS = {
    "land_office": 2,
    "chapel": 3,
    "hunting_lodge": 4,
    "notary": 5,
    "royal_supplier": 6,
    "villa": 7,
    "jeweler": 8,
    "royal_garden": 10,
}
"""The buildings of the citizens, which the English 1897 draft chooses among as well."""

_ROW = ("corn", "indigo", "sugar", "tobacco", "coffee", "corn")
_ROLE_OF_PHASE = {"prospector": "prospector_1", "storage": "captain"}


def copies_in_box(players: int, building: str) -> int:
    """How many copies of a building type the box holds (table A.4)."""
    if building in PRODUCTION:
        return 2 if players == 2 else 4 if building.startswith("small") else 3
    if building == "jeweler":
        return 2
    is_large = building in LARGE or building in ("statue", "cloister", "royal_garden")
    return 1 if is_large or players == 2 else 2


def candidates(edition: str = CLASSIC, expansions: tuple[str, ...] = (X1,)) -> dict[int, list[str]]:
    """The types that the draft chooses among, by cost (R-X1-5, R-X2-10)."""
    found = {cost: list(names) for cost, names in CANDIDATES.items()}
    if edition == ENGLISH and X2 in expansions:
        for name, cost in CITIZEN_COSTS.items():
            found[cost].append(name)
    return found


def chosen(edition: str = CLASSIC, expansions: tuple[str, ...] = (X1,)) -> dict[int, int]:
    """How many types of each cost it chooses (R-X1-3, R-X2-10)."""
    extra = edition == ENGLISH and X2 in expansions
    return {
        cost: number + (1 if extra and cost not in (1, 9) else 0) for cost, number in CHOSEN.items()
    }


def drafted(wanted: tuple[str, ...], edition: str, expansions: tuple[str, ...]) -> list[str]:
    """A draft that has the types wanted, and the first of each cost besides."""
    numbers = chosen(edition, expansions)
    board = []
    for cost, names in candidates(edition, expansions).items():
        first = [name for name in names if name in wanted]
        others = [name for name in names if name not in wanted]
        assert len(first) <= numbers[cost], f"a draft does not choose all of {first}"
        board += [*first, *others][: numbers[cost]]
    return sorted(board, key=BUILDINGS.index)


def city_of(spaces: int) -> dict[str, int]:
    """An unoccupied city that fills so many spaces with buildings of one space each."""
    return dict.fromkeys(BASE_BUILDINGS[:spaces], 0)


# -- setting up ------------------------------------------------------------------------------------


def rules(players: int = 4, edition: str = ENGLISH, **fields: Any) -> RuleSet:
    """A base game, unless the fields name expansions."""
    return RuleSet(players=players, edition=edition, **fields)


def new_game(players: int = 4, edition: str = ENGLISH, seed: int = 1, **switches: Any) -> Game:
    """A game at its first decision."""
    return Game(rules(players, edition, **switches), seed=seed)


def position(
    phase: str = "role",
    *,
    players: int = 4,
    edition: str = ENGLISH,
    expansions: tuple[str, ...] = (),
    actor: int = ALICE,
    turn: int | None = None,
    seats: dict[int, dict[str, Any]] | None = None,
    on_top: tuple[str, ...] = (),
    for_sale: tuple[str, ...] = (),
    switches: dict[str, Any] | None = None,
    **blocks: Any,
) -> dict[str, Any]:
    """A position dict: what is said, and the rest of the box in the supplies.

    Args:
        phase: The phase; ``"role"`` is a round that begins with the first pick.
        players: Seats.
        edition: The edition.
        expansions: The expansions in play.
        actor: Who took the role of the phase, and the governor; in ``"role"`` who picks first.
        turn: Whose turn it is, the actor's if left out.
        seats: Blocks of the players that differ from set-up, by seat.
        on_top: Plantations on top of the deck, the next to be drawn first.
        for_sale: Buildings that the draft chose, beside those that somebody owns.
        switches: Switches of the rule set.
        blocks: Any block of the position dict, as it is.
    """
    place: dict[str, Any] = {
        "rules": {
            "players": players,
            "edition": edition,
            "expansions": list(expansions),
            **(switches or {}),
        },
        "governor": actor,
        "phase": phase,
        "turn": actor if turn is None else turn,
        "players": [_filled(players, seat, (seats or {}).get(seat, {})) for seat in range(players)],
    }
    if phase not in ("role", "draft", "end"):
        place["actor"] = actor
        role = _ROLE_OF_PHASE.get(phase, phase)
        place["roles"] = {role: {"coins": 0, "taken_by": actor}}
    row = dict.fromkeys(GOODS, 0)
    for tile in _ROW[: players + 1]:
        row[tile] += 1
    place["row"] = row
    place["discard"] = {}
    place["ships"] = [{"size": size} for size in SHIPS[players]]
    place["house"] = []
    place.update(blocks)
    if X1 in expansions and "board" not in place:
        owned = tuple(building for seat in place["players"] for building in seat["city"])
        place["board"] = drafted((*owned, *for_sale), edition, expansions)
    for name, rest in _rest_of_the_box(place, edition, players, on_top).items():
        place.setdefault(name, rest)
    return place


def board(phase: str = "role", *, check: bool | None = None, seed: int = 1, **words: Any) -> Game:
    """A game at a :func:`position`; checked unless the test fixes the size of a supply itself."""
    if check is None:
        check = not SUPPLIES.intersection(words)
    return Game.from_dict(position(phase, **words), seed=seed, check=check)


SUPPLIES = frozenset({"goods", "workers", "deck", "quarries", "vp", "buildings", "bank"})
"""Blocks that complete the box; a test that names one of them says that the box is not complete."""


def _filled(players: int, seat: int, said: dict[str, Any]) -> dict[str, Any]:
    known = {
        "coins": STARTING_COINS[players],
        "vp": 0,
        "goods": {},
        "island": {STARTING_TILES[players][seat]: [1, 0]},
        "city": {},
        "portrait": 0,
    }
    return known | said


def _rest_of_the_box(
    place: dict[str, Any], edition: str, players: int, on_top: tuple[str, ...]
) -> dict[str, Any]:
    expansions, seats = place["rules"]["expansions"], place["players"]
    festival = place.get("festival") or {}
    goods = dict(zip(GOODS, GOODS_IN_BOX[players], strict=True))
    tiles = dict(zip(GOODS, PLANTATIONS_IN_BOX[players], strict=True))
    tiles |= {"quarry": QUARRIES_IN_BOX[players], "forest": FORESTS_IN_BOX}
    units = [ALL_WORKERS if X2 in expansions else WORKERS_IN_BOX[players], CITIZENS_IN_BOX]
    buildings = _copies(place, expansions, players, festival)
    source = "own_stack_12" if edition == CLASSIC else "facedown_estate"
    has_stack = place["rules"].get("forest_source", source) == "own_stack_12"
    for seat in seats:
        if "forest" in seat["island"] and not has_stack:
            printed = [GOODS[n % len(GOODS)] for n in range(seat["island"]["forest"][0])]
            seat.setdefault("forest_kinds", {kind: printed.count(kind) for kind in printed})
        _take_out(goods, seat["goods"])
        _take_out(tiles, {kind: number for kind, (number, *_) in seat["island"].items()})
        _take_out(tiles, seat.get("forest_kinds", {}))
        _take_out(buildings, dict.fromkeys(seat["city"], 1))
        on_tiles = [on_them for _, *on_them in seat["island"].values()]
        for place_of_units in (seat["portrait"], *on_tiles, *seat["city"].values()):
            for kind, number in enumerate(_pair(place_of_units)):
                units[kind] -= number
    for ship in place["ships"]:
        if ship.get("good"):
            _take_out(goods, {ship["good"]: ship["barrels"]})
    for kind in (*place["house"], *(festival.get("goods") or ())):
        _take_out(goods, {kind: 1})
    _take_out(tiles, place["row"])
    _take_out(tiles, place["discard"])
    if festival.get("estate"):
        _take_out(tiles, {festival["estate"]: 1})
    register = 0 if place["phase"] == "mayor" else players
    on_it = [register, 0]
    if X2 in expansions and register:
        on_it = [register - 1, 1]
    rest: dict[str, Any] = {
        "goods": goods,
        "workers": {"supply": units[0] - on_it[0], "register": on_it[0]},
        "quarries": tiles.pop("quarry"),
        "vp": VP_IN_BOX[edition][players] - sum(seat["vp"] for seat in seats),
        "buildings": buildings,
    }
    stack = tiles.pop("forest")
    if X1 in expansions and has_stack:
        rest["forests"] = stack
    if X2 in expansions:
        rest["citizens"] = {"supply": units[1] - on_it[1], "register": on_it[1]}
    _take_out(tiles, {kind: on_top.count(kind) for kind in on_top})
    hidden = [kind for kind in GOODS for _ in range(tiles[kind])]
    rest["deck"] = [*on_top, *hidden] if on_top else tiles
    return rest


def _take_out(box: dict[str, int], pieces: dict[str, int]) -> None:
    for name, number in pieces.items():
        box[name] -= number


def _copies(
    place: dict[str, Any], expansions: list[str], players: int, festival: dict[str, Any]
) -> dict[str, int]:
    """Copies of the building types in the game, less the one that a festival has set aside."""
    names = [*PRODUCTION, *(place["board"] if X1 in expansions else BASE_BUILDINGS[6:])]
    if X2 in expansions:
        names += [name for name in CITIZEN_BUILDINGS if name not in names]
        if X1 in expansions and place["rules"]["edition"] == ENGLISH:
            names = [*PRODUCTION, *place["board"]]
    copies = {name: copies_in_box(players, name) for name in names}
    if festival.get("building") and (players > 2 or festival["building"] == "jeweler"):
        copies[festival["building"]] -= 1
    return copies


def _pair(units: Any) -> tuple[int, int]:
    """Workers and citizens of a place, whether it names the citizens or not."""
    if isinstance(units, int):
        return units, 0
    workers, citizens = [*units, 0][:2]
    return workers, citizens


# -- playing ---------------------------------------------------------------------------------------


def play(game: Game, script: str) -> Game:
    """Play a script: a seat, then its action in words, one decision a line.

    ``alice  load sugar 2`` is the action ``load:sugar:2`` of seat 0.
    """
    for line in script.strip().splitlines():
        words = line.split()
        if not words:
            continue
        who, action = words[0], ":".join(words[1:])
        waiting = "nobody" if game.over else NAMES[game.turn]
        assert who == waiting, f"{line.strip()!r}: it is {waiting}'s turn in phase {game.phase}"
        game.step(action)
    return game


def laden(*cargo: tuple[str, int] | None, players: int = 4) -> list[dict[str, Any]]:
    """The ships in order of size, each with a kind and its barrels, or with nothing."""
    ships: list[dict[str, Any]] = [{"size": size} for size in SHIPS[players]]
    for ship, load in zip(ships, cargo, strict=False):
        if load:
            ship["good"], ship["barrels"] = load
    return ships


def finish_phase(game: Game) -> Game:
    """Decline what is offered, and take the first option where nothing can be declined."""
    while game.phase not in ("role", "over"):
        game.step(game.legal_actions()[0])  # `pass` is action 0
    return game


def options(game: Game) -> set[str]:
    """What the seat to act may do, by name."""
    return {game.name(action) for action in game.legal_actions()}


def moves(game: Game) -> list[str]:
    """What has been played, in the words of :func:`play`; a forced decision ends in ``!``."""
    return [
        f"{NAMES[seat]} {' '.join(game.name(action).split(':'))}{' !' if forced else ''}"
        for action, forced, seat in game.history
    ]


def endings(game: Game) -> list[Game]:
    """Every game that the decisions of the seat to act lead to, within this phase.

    One game for each sequence of decisions, so an outcome that two sequences reach is there twice.
    """
    seat, phase, found, waiting = game.turn, game.phase, [], [game]
    while waiting:
        here = waiting.pop()
        if here.over or here.turn != seat or here.phase != phase:
            found.append(here)
            continue
        for action in here.legal_actions():
            there = here.clone()
            there.step(action)
            waiting.append(there)
    return found


# -- reading ---------------------------------------------------------------------------------------


def coins(game: Game, seat: int) -> int:
    """A seat's coins."""
    return int(game.state["coins"][0, seat])


def vp(game: Game, seat: int) -> int:
    """A seat's VP, on paper ones included."""
    return int(game.state["vp"][0, seat])


def goods(game: Game, seat: int) -> dict[str, int]:
    """A seat's barrels by kind, without the kinds it has none of."""
    return _counted(GOODS, game.state["goods"][0, seat])


def supply(game: Game, good: str) -> int:
    """Barrels of a kind in the supply."""
    return int(game.state["goods_supply"][0, GOODS.index(good)])


def house(game: Game) -> dict[str, int]:
    """Barrels in the trading house by kind."""
    return _counted(GOODS, game.state["house"][0])


def ship(game: Game, number: int) -> tuple[str | None, int]:
    """What ship 1, 2 or 3 carries: the kind, and how many barrels."""
    kind = int(game.state["ship_good"][0, number - 1])
    return (None if kind < 0 else GOODS[kind], int(game.state["ship_load"][0, number - 1]))


def tiles(game: Game, seat: int) -> list[str]:
    """The tiles of an island, kind by kind."""
    counts = game.state["owned"][0, seat]
    return [SPOTS[spot] for spot in range(6) for _ in range(counts[spot])]


def city(game: Game, seat: int) -> list[str]:
    """The buildings of a city, by number."""
    counts = game.state["owned"][0, seat]
    return [name for spot, name in enumerate(SPOTS) if spot >= 6 and counts[spot]]


def workers(game: Game, seat: int, spot: str) -> int:
    """A seat's workers on all tiles of a kind, in a building, or on the ``"portrait"``."""
    if spot == "portrait":
        return int(game.state["portrait_workers"][0, seat])
    return int(game.state["workers"][0, seat, SPOTS.index(spot)])


def citizens(game: Game, seat: int, spot: str) -> int:
    """A seat's citizens on all tiles of a kind, in a building, or on the ``"portrait"``."""
    if spot == "portrait":
        return int(game.state["portrait_citizens"][0, seat])
    return int(game.state["citizens"][0, seat, SPOTS.index(spot)])


def all_workers(game: Game, seat: int) -> int:
    """Every worker of a seat, wherever it stands."""
    return int(game.state["workers"][0, seat].sum()) + workers(game, seat, "portrait")


def all_citizens(game: Game, seat: int) -> int:
    """Every citizen of a seat, wherever it stands."""
    return int(game.state["citizens"][0, seat].sum()) + citizens(game, seat, "portrait")


def staffing(game: Game, seat: int) -> tuple[int, ...]:
    """Workers on each spot and on the portrait: one arrangement of a mayor phase."""
    return (*game.state["workers"][0, seat].tolist(), workers(game, seat, "portrait"))


def staffing_of_both(game: Game, seat: int) -> tuple[int, ...]:
    """The same, and then the citizens likewise."""
    on_spots = game.state["citizens"][0, seat].tolist()
    return (*staffing(game, seat), *on_spots, citizens(game, seat, "portrait"))


def row(game: Game) -> dict[str, int]:
    """The plantations face up, by kind."""
    return _counted(GOODS, game.state["row"][0])


def discard(game: Game) -> dict[str, int]:
    """The plantations laid aside, by kind."""
    return _counted(GOODS, game.state["discard"][0])


def deck_size(game: Game) -> int:
    """How many plantations lie face down."""
    return int(game.state["deck_size"][0])


def forests(game: Game, seat: int) -> int:
    """How many forests are on an island."""
    return int(game.state["own_forests"][0, seat])


def forest_kinds(game: Game, seat: int) -> dict[str, int]:
    """What is printed on the hidden side of a seat's forests, in 1897."""
    return _counted(GOODS, game.state["forest_kinds"][0, seat])


def register(game: Game) -> tuple[int, int]:
    """Workers and citizens on the register."""
    return number(game, "register_workers"), number(game, "register_citizens")


def stock(game: Game) -> dict[str, int]:
    """The buildings for sale, and how many copies of each."""
    return _counted(BUILDINGS, game.state["building_supply"][0])


def festival(game: Game) -> dict[str, Any]:
    """The goals of the festival that nobody has won yet."""
    estate, building = number(game, "festival_estate"), number(game, "festival_building")
    goals = {
        "estate": None if estate < 0 else GOODS[estate],
        "goods": _counted(GOODS, game.state["festival_goods"][0]),
        "building": None if building < 0 else BUILDINGS[building],
    }
    return {name: goal for name, goal in goals.items() if goal}


def role_coins(game: Game) -> dict[str, int]:
    """Coins on the role cards that have any."""
    return _counted(ROLES, game.state["role_coins"][0])


def number(game: Game, field: str) -> int:
    """A field of the record that is one number, such as ``"vp_pool"`` or ``"worker_supply"``."""
    return int(game.state[field][0])


def end_triggered(game: Game) -> bool:
    """Whether this round is the last."""
    return number(game, "end_reasons") != 0


def _counted(names: tuple[str, ...], counts: Any) -> dict[str, int]:
    return {name: int(count) for name, count in zip(names, counts, strict=False) if count > 0}


assert set(_ROLE_OF_PHASE) <= set(PHASES)
