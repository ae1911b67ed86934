"""What must hold in every position, as far as one by itself can show (`rules.md`, part F)."""

from typing import Any

import numpy as np

from prico_env.ruleset import RuleSet
from prico_env.state import State
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    NOBODY,
    NOT_IN_PLAY,
    NUM_GOODS,
    NUM_TILES,
    QUARRY,
    ROLES,
    SPOTS,
    Phase,
    Point,
    Power,
)


def broken_invariants(rules: RuleSet, state: State) -> list[str]:
    """Find what is wrong with a position.

    Args:
        rules: The rule set the game is played by.
        state: One game, a record.

    Returns:
        One sentence for each broken invariant: the field, by how much it is wrong, and the number
        of the invariant. Empty when all is well.
    """
    table = rules.table[0]
    return [
        *_lost_or_made(table, state),
        *_negative(table, state),
        *_boards(table, state),
        *_ships_and_house(table, state),
        *_roles(table, state),
        *_memory(state),
    ]


def _balance(field: str, what: str, found: int, right: int, number: str) -> list[str]:
    if found == right:
        return []
    missing = right - found
    wrong = f"{missing} missing" if missing > 0 else f"{-missing} too many"
    return [f"{field}: {found} {what} in all, but the game has {right}, so {wrong} ({number})"]


def _lost_or_made(table: Any, state: State) -> list[str]:
    """Conservation: nothing is lost and nothing is made (I-01 to I-09)."""
    problems = []
    goods = state["goods_supply"] + state["goods"].sum(axis=0) + state["house"]
    goods = goods + state["festival_goods"]
    for ship in range(int(table["num_ships"])):
        if state["ship_good"][ship] >= 0:
            goods[state["ship_good"][ship]] += state["ship_load"][ship]
    deck = np.bincount(state["deck"][: state["deck_size"]], minlength=NUM_GOODS)
    tiles = deck + state["row"] + state["discard"] + state["tiles"][:, :NUM_GOODS].sum(axis=0)
    tiles = tiles + state["forest_kinds"].sum(axis=0)
    for kind, good in enumerate(GOODS):
        problems += _balance(
            f"goods.{good}", f"{good} barrels", int(goods[kind]), int(table["goods"][kind]), "I-01"
        )
    units = state["worker_supply"] + state["register_workers"]
    units += state["portrait_workers"].sum() + state["workers"].sum()
    total = int(table["worker_supply"] + table["register_workers"])
    problems += _balance("workers", "workers", int(units), total, "I-02")
    citizens = state["citizen_supply"] + state["register_citizens"] + state["citizens"].sum()
    problems += _balance("citizens", "citizens", int(citizens), 0, "I-03")
    for kind, good in enumerate(GOODS):
        problems += _balance(
            f"deck.{good}",
            f"{good} plantations in deck, row, discard and on islands",
            int(tiles[kind]),
            int(table["plantations"][kind]),
            "I-04",
        )
    quarries = state["quarries"] + state["tiles"][:, QUARRY].sum()
    problems += _balance("quarries", "quarries", int(quarries), int(table["quarries"]), "I-05")
    if table["bank_limited"] and state["bank"] < 0:
        problems.append(f"bank: the bank has paid out {-state['bank']} coins too many (I-07)")
    vp = state["vp_pool"] + state["vp"].sum()
    problems += _balance("vp", "VP", int(vp), int(table["vp_pool"]), "I-08")
    owned = state["tiles"][:, NUM_TILES:].sum(axis=0)
    for number in range(int(table["num_buildings"])):
        copies = int(state["building_supply"][number] + owned[number])
        name = BUILDINGS[number]
        problems += _balance(
            f"buildings.{name}", f"copies of {name}", copies, int(table["copies"][number]), "I-09"
        )
    return problems


_COUNTS = (
    ("worker_supply", "workers.supply"),
    ("register_workers", "workers.register"),
    ("citizen_supply", "citizens.supply"),
    ("register_citizens", "citizens.register"),
    ("goods_supply", "goods"),
    ("quarries", "quarries"),
    ("row", "row"),
    ("discard", "discard"),
    ("building_supply", "buildings"),
    ("ship_load", "ships"),
    ("house", "house"),
)
_SEAT_COUNTS = ("coins", "vp", "goods", "portrait_workers")


def _negative(table: Any, state: State) -> list[str]:
    """Nothing but the VP pool and the bank goes below zero (I-10)."""
    problems = []
    for field, name in _COUNTS:
        lowest = int(state[field].min())
        if lowest < 0:
            problems.append(f"{name}: {lowest} is below zero (I-10)")
    for seat in range(int(table["num_players"])):
        for field in _SEAT_COUNTS:
            lowest = int(state[field][seat].min())
            if lowest < 0:
                name = field.removesuffix("_workers")
                problems.append(f"players[{seat}].{name}: {lowest} is below zero (I-10)")
        for spot, name in enumerate(SPOTS):
            if min(state["tiles"][seat, spot], state["workers"][seat, spot]) < 0:
                problems.append(f"players[{seat}].{_board(spot)}.{name}: below zero (I-10)")
    return problems


def _memory(state: State) -> list[str]:
    """A phase remembers only what it can have seen: barrels kept are barrels held."""
    problems = []
    stores = state["point"] == Point.STORE
    for number, good in enumerate(GOODS):
        held = int(state["goods"][state["turn"], number]) if stores else 0
        for field, most in (("kept", held), ("stored", min(1, held))):
            if state[field][number] > most:
                problems.append(
                    f"pending.{field}.{good}: {state[field][number]}, but there are {most} (I-01)"
                )
    if state["recalled"].any() and state["phase"] != Phase.MAYOR:
        problems.append("pending.recalled: workers are taken back in the mayor phase only (I-29)")
    return problems


def _board(spot: int) -> str:
    return "island" if spot < NUM_TILES else "city"


def _boards(table: Any, state: State) -> list[str]:
    """Spaces and circles of each player board (I-11, I-12)."""
    problems = []
    for seat in range(int(table["num_players"])):
        where = f"players[{seat}]"
        for board, used, spaces in (
            ("island", int(state["island_used"][seat]), ISLAND_SPACES),
            ("city", int(state["city_used"][seat]), CITY_SPACES),
        ):
            if used > spaces:
                problems.append(
                    f"{where}.{board}: {used} spaces used, {used - spaces} more than there are "
                    f"(I-11)"
                )
        for spot, name in enumerate(SPOTS):
            circles = int(state["tiles"][seat, spot] * table["circles"][spot])
            units = int(state["workers"][seat, spot] + state["citizens"][seat, spot])
            if units > circles:
                problems.append(
                    f"{where}.{_board(spot)}.{name}: {units} workers on {circles} circles, "
                    f"{units - circles} too many (I-12)"
                )
    return problems


def _ships_and_house(table: Any, state: State) -> list[str]:
    """Cargo ships, trading house and row (I-13 to I-15)."""
    problems = []
    carried: list[int] = []
    for ship in range(int(table["num_ships"])):
        load, size = int(state["ship_load"][ship]), int(table["ship_size"][ship])
        kind = int(state["ship_good"][ship])
        where = f"ships[{ship}]"
        if load > size:
            problems.append(
                f"{where}: {load} barrels on {size} spaces, {load - size} too many (I-13)"
            )
        if (kind != NOBODY) != (load > 0):
            problems.append(f"{where}: a ship has a good exactly when it carries barrels (I-13)")
        elif kind in carried:
            problems.append(f"{where}: two ships carry {GOODS[kind]} (I-13)")
        carried.append(kind if load > 0 else len(GOODS))
    barrels = int(state["house"].sum())
    if barrels > HOUSE_SLOTS:
        problems.append(
            f"house: {barrels} barrels, {barrels - HOUSE_SLOTS} more than it holds (I-14)"
        )
    office = [
        NUM_TILES + building
        for building in range(int(table["num_buildings"]))
        if table["power"][building] == Power.SELL_ANY_KIND
    ]
    if state["house"].max() > 1 and not state["tiles"][:, office].any():
        kind = int(state["house"].argmax())
        problems.append(f"house: {GOODS[kind]} twice, but nobody has an office (I-14)")
    row, most = int(state["row"].sum()), int(table["row_size"])
    if row > most:
        problems.append(f"row: {row} plantations, {row - most} more than {most} (I-15)")
    return problems


def _roles(table: Any, state: State) -> list[str]:
    """Role cards and the governor (I-16 to I-18)."""
    problems = []
    for role, name in enumerate(ROLES):
        coins = int(state["role_coins"][role])
        if coins < 0 or (coins > 0 and state["role_owner"][role] == NOT_IN_PLAY):
            problems.append(f"roles.{name}.coins: {coins} (I-16)")
    taken = [int(owner) for owner in state["role_owner"] if owner >= 0]
    most = int(table["picks_per_round"])
    if len(taken) > most:
        problems.append(f"roles: {len(taken)} cards taken, {len(taken) - most} too many (I-17)")
    each = most // int(table["num_players"])
    problems += [
        f"roles: seat {seat} has taken {taken.count(seat)} cards, "
        f"{taken.count(seat) - each} too many (I-17)"
        for seat in range(int(table["num_players"]))
        if taken.count(seat) > each
    ]
    if not 0 <= state["governor"] < table["num_players"]:
        problems.append(f"governor: there is no seat {state['governor']} (I-18)")
    return problems
