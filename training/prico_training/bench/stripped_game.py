"""A stripped game of the same shape: what a machine gives where there are hardly any rules.

Four seats take roles; half of the roles build, the others produce at random and load three ships.
There are no workers, no tiles, no trade and no end, but a step does what every step must: change
one record of about a thousand bytes, find what is legal and describe the game in 8-bit numbers.
How fast that goes says what a machine gives today, and the speed of the whole rules is told as a
ratio to it, from the same run.
"""

from collections.abc import Callable
from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

NUM_ACTIONS: Final = 200
_SEATS: Final = 4
_MOST_SEATS: Final = 5
_BUILDINGS: Final = 23
_LARGE: Final = 18
"""Buildings from this one on fill two spaces."""
_GOODS: Final = 5
_KINDS: Final = 6
_SHIPS: Final = 3
_ROLES: Final = 8
_PICKS: Final = 5
"""Roles taken in a round."""
_BUILD: Final = _ROLES
_LOAD: Final = 40
_PASS: Final = NUM_ACTIONS - 1
_FEATURES: Final = 480
_CHOOSE, _BUILDER, _CAPTAIN = range(3)

# fmt: off
_RECORD: Final = np.dtype([
    ("rng", "u8"), ("num_seats", "i1"), ("phase", "i1"), ("turn", "i1"), ("governor", "i1"),
    ("actor", "i1"), ("coins", "i2", (_MOST_SEATS,)), ("vp", "i2", (_MOST_SEATS,)),
    ("goods", "i1", (_MOST_SEATS, _GOODS)), ("tiles", "i1", (_MOST_SEATS, _KINDS)),
    ("tile_workers", "i1", (_MOST_SEATS, _KINDS)), ("buildings", "i1", (_MOST_SEATS, _BUILDINGS)),
    ("building_workers", "i1", (_MOST_SEATS, _BUILDINGS)), ("portrait", "i1", (_MOST_SEATS,)),
    ("space", "i1", (_MOST_SEATS,)), ("goods_supply", "i1", (_GOODS,)), ("deck", "i1", (50,)),
    ("deck_size", "i1"), ("row", "i1", (_KINDS,)), ("quarries", "i1"),
    ("ship_good", "i1", (_SHIPS,)), ("ship_load", "i1", (_SHIPS,)), ("ship_size", "i1", (_SHIPS,)),
    ("house", "i1", (4,)), ("role_coins", "i1", (_ROLES,)), ("role_taken", "i1", (_ROLES,)),
    ("register", "i2"), ("worker_supply", "i2"), ("building_supply", "i1", (_BUILDINGS,)),
    ("vp_pool", "i2"), ("end", "i1"), ("over", "i1"),
], align=True)
_COST: Final = np.array(
    [1, 2, 3, 4, 5, 6, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 10, 10, 10, 10], np.int8)
_COLUMN: Final = np.array(
    [1, 1, 2, 2, 3, 3, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4], np.int8)
# fmt: on


@numba.njit
def _below(game: Any, limit: int) -> int:
    number = game.rng
    number ^= number << numba.uint64(13)
    number ^= number >> numba.uint64(7)
    number ^= number << numba.uint64(17)
    game.rng = number
    return int(np.int64((number >> numba.uint64(33)) % numba.uint64(limit)))


@numba.njit
def _price(game: Any, seat: int, building: int) -> int:
    discount = (1 if game.actor == seat else 0) + min(game.tile_workers[seat, 5], _COLUMN[building])
    return max(_COST[building] - discount, 0)


@numba.njit
def _fill_purchases(game: Any, mask: Any) -> None:
    seat = game.turn
    for building in range(_BUILDINGS):
        if (
            game.building_supply[building] > 0
            and game.buildings[seat, building] == 0
            and game.space[seat] >= (2 if building >= _LARGE else 1)
            and game.coins[seat] >= _price(game, seat, building)
        ):
            mask[_BUILD + building] = 1
    mask[_PASS] = 1


@numba.njit
def _fill_loads(game: Any, mask: Any) -> None:
    seat = game.turn
    is_any = False
    for good in range(_GOODS):
        if game.goods[seat, good] == 0:
            continue
        carrier = -1
        for ship in range(_SHIPS):
            if game.ship_good[ship] == good and game.ship_load[ship] > 0:
                carrier = ship
        if carrier >= 0:
            if game.ship_load[carrier] < game.ship_size[carrier]:
                mask[_LOAD + good * _SHIPS + carrier] = 1
                is_any = True
            continue
        most = 0
        for ship in range(_SHIPS):
            if game.ship_load[ship] == 0:
                most = max(most, min(game.ship_size[ship], game.goods[seat, good]))
        for ship in range(_SHIPS):
            if (
                game.ship_load[ship] == 0
                and min(game.ship_size[ship], game.goods[seat, good]) == most
            ):
                mask[_LOAD + good * _SHIPS + ship] = 1
                is_any = True
    if not is_any:
        mask[_PASS] = 1


@numba.njit
def _fill_legal(game: Any, mask: Any) -> None:
    mask[:] = 0
    if game.phase == _CHOOSE:
        for role in range(_ROLES):
            if not game.role_taken[role]:
                mask[role] = 1
    elif game.phase == _BUILDER:
        _fill_purchases(game, mask)
    else:
        _fill_loads(game, mask)


@numba.njit
def _choose_role(game: Any, role: int) -> None:
    seat = game.turn
    game.coins[seat] += game.role_coins[role]
    game.role_coins[role] = 0
    game.role_taken[role] = 1
    game.actor = seat
    game.phase = _BUILDER if role % 2 == 0 else _CAPTAIN
    if game.phase == _CAPTAIN:
        for each in range(game.num_seats):
            for good in range(_GOODS):
                game.goods[each, good] += _below(game, 3)


@numba.njit
def _build(game: Any, action: int) -> None:
    seat = game.turn
    if action != _PASS:
        building = action - _BUILD
        game.coins[seat] -= _price(game, seat, building)
        game.building_supply[building] -= 1
        game.buildings[seat, building] = 1
        game.space[seat] -= 2 if building >= _LARGE else 1
    game.turn = (game.turn + 1) % game.num_seats
    if game.turn == game.actor:
        _end_phase(game)


@numba.njit
def _load(game: Any, action: int) -> None:
    seat = game.turn
    if action != _PASS:
        good, ship = (action - _LOAD) // _SHIPS, (action - _LOAD) % _SHIPS
        barrels = min(game.goods[seat, good], game.ship_size[ship] - game.ship_load[ship])
        game.ship_good[ship] = good
        game.ship_load[ship] += barrels
        game.goods[seat, good] -= barrels
        game.vp[seat] += barrels
    game.turn = (game.turn + 1) % game.num_seats
    if game.turn == game.actor:
        for ship in range(_SHIPS):
            if game.ship_load[ship] == game.ship_size[ship]:
                game.ship_load[ship] = 0
        for each in range(game.num_seats):
            for good in range(_GOODS):
                game.goods[each, good] = 0
        _end_phase(game)


@numba.njit
def _end_phase(game: Any) -> None:
    game.turn = (game.actor + 1) % game.num_seats
    game.phase = _CHOOSE
    free = 0
    for role in range(_ROLES):
        if not game.role_taken[role]:
            free += 1
    if free <= _ROLES - _PICKS:
        for role in range(_ROLES):
            if not game.role_taken[role]:
                game.role_coins[role] += 1
            game.role_taken[role] = 0
        for seat in range(game.num_seats):
            game.coins[seat] += 2


@numba.njit
def _apply(game: Any, action: int) -> None:
    if game.phase == _CHOOSE:
        _choose_role(game, action)
    elif game.phase == _BUILDER:
        _build(game, action)
    else:
        _load(game, action)


@numba.njit
def _observe(game: Any, features: Any) -> None:
    at = 0
    for offset in range(game.num_seats):
        seat = (game.turn + offset) % game.num_seats
        features[at] = game.coins[seat]
        features[at + 1] = game.vp[seat]
        features[at + 2] = game.space[seat]
        at += 3
        for good in range(_GOODS):
            features[at] = game.goods[seat, good]
            at += 1
        for kind in range(_KINDS):
            features[at] = game.tiles[seat, kind]
            features[at + _KINDS] = game.tile_workers[seat, kind]
            at += 1
        at += _KINDS
        for building in range(_BUILDINGS):
            features[at] = game.buildings[seat, building]
            features[at + _BUILDINGS] = game.building_workers[seat, building]
            at += 1
        at += _BUILDINGS
    for building in range(_BUILDINGS):
        features[at] = game.building_supply[building]
        at += 1
    for ship in range(_SHIPS):
        features[at] = game.ship_good[ship]
        features[at + 1] = game.ship_load[ship]
        features[at + 2] = game.ship_size[ship]
        at += 3
    for role in range(_ROLES):
        features[at] = game.role_coins[role]
        features[at + _ROLES] = game.role_taken[role]
        at += 1


@numba.njit(nogil=True)
def _step(games: Any, actions: Any, observations: Any, masks: Any) -> None:
    for row in range(games.shape[0]):
        game = games[row]
        _apply(game, actions[row])
        _fill_legal(game, masks[row])
        _observe(game, observations[row])


@numba.njit(nogil=True)
def _sample(games: Any, masks: Any, actions: Any) -> None:
    for row in range(games.shape[0]):
        count = 0
        for action in range(NUM_ACTIONS):
            count += masks[row, action]
        left = _below(games[row], count)
        for action in range(NUM_ACTIONS):
            if masks[row, action]:
                if left == 0:
                    actions[row] = action
                    break
                left -= 1


def _deal(num_games: int) -> NDArray[Any]:
    games = np.zeros(num_games, _RECORD)
    games["rng"] = np.arange(1, num_games + 1) * 7919 + 12345
    games["num_seats"] = _SEATS
    games["coins"][:] = 3
    games["building_supply"][:] = 3
    games["space"] = 12
    games["ship_size"] = [5, 6, 7]
    games["role_taken"][:, -1] = 1
    return games


def stripped_play(num_games: int) -> Callable[[], int]:
    """Deal a batch of the stripped game.

    Args:
        num_games: Games side by side.

    Returns:
        What makes one random decision in each game, its choice included; it returns how many.
    """
    games = _deal(num_games)
    observations = np.zeros((num_games, _FEATURES), np.uint8)
    masks = np.zeros((num_games, NUM_ACTIONS), np.int8)
    actions = np.zeros(num_games, np.int32)

    def play() -> int:
        _step(games, actions, observations, masks)
        _sample(games, masks, actions)
        return num_games

    play()
    return play
