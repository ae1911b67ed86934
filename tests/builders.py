"""A few words to set up a board, to play on it, and to read what is there.

A board is written in the language of the position dict. What a test does not mention is filled so
that the box is complete: a barrel, a tile or a worker that no seat has lies in its supply.
"""

from typing import Any

from prico_env import Game, RuleSet
from prico_env.vocabulary import BASE_BUILDINGS, GOODS, PHASES, ROLES, SPOTS

ALICE, BOB, CAROL, DAVE, EVE = range(5)
NAMES = ("alice", "bob", "carol", "dave", "eve")
EDITIONS = ("classic", "1897-en", "1897-de")
CLASSIC, ENGLISH, GERMAN = EDITIONS

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

_ROW = ("corn", "indigo", "sugar", "tobacco", "coffee", "corn")
_ROLE_OF_PHASE = {"prospector": "prospector_1", "storage": "captain"}


def copies_in_box(players: int, building: str) -> int:
    """How many copies of a building type the box holds (table A.4)."""
    if building in PRODUCTION:
        return 2 if players == 2 else 4 if building.startswith("small") else 3
    return 2 if building in SMALL_COMMERCIAL and players > 2 else 1


def city_of(spaces: int) -> dict[str, int]:
    """An unoccupied city that fills so many spaces with buildings of one space each."""
    return dict.fromkeys(BASE_BUILDINGS[:spaces], 0)


# -- setting up ------------------------------------------------------------------------------------


def rules(players: int = 4, edition: str = ENGLISH, **switches: Any) -> RuleSet:
    """A base game."""
    return RuleSet(players=players, edition=edition, **switches)


def new_game(players: int = 4, edition: str = ENGLISH, seed: int = 1, **switches: Any) -> Game:
    """A game at its first decision."""
    return Game(rules(players, edition, **switches), seed=seed)


def position(
    phase: str = "role",
    *,
    players: int = 4,
    edition: str = ENGLISH,
    actor: int = ALICE,
    turn: int | None = None,
    seats: dict[int, dict[str, Any]] | None = None,
    on_top: tuple[str, ...] = (),
    switches: dict[str, Any] | None = None,
    **blocks: Any,
) -> dict[str, Any]:
    """A position dict: what is said, and the rest of the box in the supplies.

    Args:
        phase: The phase; ``"role"`` is a round that begins with the first pick.
        players: Seats.
        edition: The edition.
        actor: Who took the role of the phase, and the governor; in ``"role"`` who picks first.
        turn: Whose turn it is, the actor's if left out.
        seats: Blocks of the players that differ from set-up, by seat.
        on_top: Plantations on top of the deck, the next to be drawn first.
        switches: Switches of the rule set.
        blocks: Any block of the position dict, as it is.
    """
    place: dict[str, Any] = {
        "rules": {"players": players, "edition": edition, **(switches or {})},
        "governor": actor,
        "phase": phase,
        "turn": actor if turn is None else turn,
        "players": [_filled(players, seat, (seats or {}).get(seat, {})) for seat in range(players)],
    }
    if phase != "role":
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
    seats = place["players"]
    goods = dict(zip(GOODS, GOODS_IN_BOX[players], strict=True))
    tiles = dict(zip(GOODS, PLANTATIONS_IN_BOX[players], strict=True))
    quarries = QUARRIES_IN_BOX[players]
    workers = WORKERS_IN_BOX[players]
    buildings = {name: copies_in_box(players, name) for name in BASE_BUILDINGS}
    for seat in seats:
        for kind, barrels in seat["goods"].items():
            goods[kind] -= barrels
        for kind, (number, on_them) in seat["island"].items():
            workers -= on_them
            if kind == "quarry":
                quarries -= number
            else:
                tiles[kind] -= number
        for building, on_it in seat["city"].items():
            buildings[building] -= 1
            workers -= on_it
        workers -= seat["portrait"]
    for ship in place["ships"]:
        if ship.get("good"):
            goods[ship["good"]] -= ship["barrels"]
    for kind in place["house"]:
        goods[kind] -= 1
    for block in ("row", "discard"):
        for kind, number in place[block].items():
            tiles[kind] -= number
    register = 0 if place["phase"] == "mayor" else players
    rest: dict[str, Any] = {
        "goods": goods,
        "workers": {"supply": workers - register, "register": register},
        "quarries": quarries,
        "vp": VP_IN_BOX[edition][players] - sum(seat["vp"] for seat in seats),
        "buildings": buildings,
        "deck": tiles,
    }
    if on_top:
        for kind in on_top:
            tiles[kind] -= 1
        rest["deck"] = [*on_top, *(kind for kind in GOODS for _ in range(tiles[kind]))]
    return rest


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
    counts = game.state["tiles"][0, seat]
    return [SPOTS[spot] for spot in range(6) for _ in range(counts[spot])]


def city(game: Game, seat: int) -> list[str]:
    """The buildings of a city, by number."""
    counts = game.state["tiles"][0, seat]
    return [name for spot, name in enumerate(SPOTS) if spot >= 6 and counts[spot]]


def workers(game: Game, seat: int, spot: str) -> int:
    """A seat's workers on all tiles of a kind, in a building, or on the ``"portrait"``."""
    if spot == "portrait":
        return int(game.state["portrait_workers"][0, seat])
    return int(game.state["workers"][0, seat, SPOTS.index(spot)])


def all_workers(game: Game, seat: int) -> int:
    """Every worker of a seat, wherever it stands."""
    return int(game.state["workers"][0, seat].sum()) + workers(game, seat, "portrait")


def staffing(game: Game, seat: int) -> tuple[int, ...]:
    """Workers on each spot and on the portrait: one arrangement of a mayor phase."""
    return (*game.state["workers"][0, seat].tolist(), workers(game, seat, "portrait"))


def row(game: Game) -> dict[str, int]:
    """The plantations face up, by kind."""
    return _counted(GOODS, game.state["row"][0])


def discard(game: Game) -> dict[str, int]:
    """The plantations laid aside, by kind."""
    return _counted(GOODS, game.state["discard"][0])


def deck_size(game: Game) -> int:
    """How many plantations lie face down."""
    return int(game.state["deck_size"][0])


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
