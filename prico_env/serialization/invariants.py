"""What must hold in every position, as far as one by itself can show (`rules.md`, part F)."""

from typing import Any, Final

import numpy as np

from prico_env.core import festival
from prico_env.core.jit import uncompiled
from prico_env.core.state import State
from prico_env.ruleset import RuleSet, check_position
from prico_env.serialization.keys import (
    FOREST_KEYS,
    PILE_KEYS,
    SEAT_KEYS,
    TABLE_KEYS,
    UNIT_KEYS,
)
from prico_env.serialization.phase_state import misplaced_memories
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    HOUSE_SLOTS,
    ISLAND_SPACES,
    NOBODY,
    NOT_IN_PLAY,
    NUM_BASE_ROLES,
    NUM_GOODS,
    NUM_TILES,
    QUARRY,
    ROLES,
    SPOTS,
    DecisionPoint,
    Phase,
    Power,
    Role,
    UsedOnce,
)

is_refilled: Final = uncompiled(festival.is_refilled)
FESTIVAL_BARRELS = 3
"""Barrels of the festival's goods goal (R-FES-3)."""


def broken_invariants(rules: RuleSet, state: State) -> list[str]:
    """Find what is wrong with a position.

    Args:
        rules: The rule set the game is played by.
        state: One game, a record.

    Returns:
        One sentence for each broken invariant: the field, by how much it is wrong, and the number
        of the invariant. Empty when all is well.
    """
    check_position(rules, state)
    table = rules.table[0]
    return [
        *_lost_or_made(table, state),
        *_negative(table, state),
        *_boards(table, state),
        *_ships_and_house(table, state),
        *_roles(table, state),
        *_smuggler(table, state),
        *_new_buildings(table, state),
        *_festival(table, state),
        *_memory(rules, state),
    ]


def types_in_game(table: Any, state: State) -> list[int]:
    """Return the building types in the game by number; of those to be drafted, the drafted ones."""
    is_there = (table["copies"] > 0) & ((state["board"] > 0) | (table["draft_pool"] == 0))
    numbers: list[int] = np.flatnonzero(is_there).tolist()
    return numbers


def _balance(field: str, what: str, found: int, right: int, number: str) -> list[str]:
    if found == right:
        return []
    missing = right - found
    wrong = f"{missing} missing" if missing > 0 else f"{-missing} too many"
    return [f"{field}: {found} {what} in all, but the game has {right}, so {wrong} ({number})"]


def _lost_or_made(table: Any, state: State) -> list[str]:
    """Conservation: nothing is lost and nothing is made (I-01 to I-08)."""
    problems = []
    goods = state["goods"].sum(axis=0) + state["goods_supply"] + state["house"]
    goods = goods + state["festival_goods"]
    for ship in range(int(table["num_ships"])):
        if state["ship_good"][ship] >= 0:
            goods[state["ship_good"][ship]] += state["ship_load"][ship]
    for good, found, right in zip(GOODS, goods.tolist(), table["goods"].tolist(), strict=True):
        problems += _balance(f"goods.{good}", f"{good} barrels", found, right, "I-01")
    # Sums of arrays come first: they are wide, where two small numbers would overflow.
    workers = state["workers"].sum() + state["portrait_workers"].sum() + state["worker_supply"]
    workers += state["register_workers"] + np.int64(state["hand_workers"])
    total = int(table["worker_supply"] + table["register_workers"])
    problems += _balance("workers", "workers", int(workers), total, "I-02")
    citizens = state["citizens"].sum() + state["portrait_citizens"].sum() + state["citizen_supply"]
    citizens += state["register_citizens"] + np.int64(state["hand_citizens"])
    problems += _balance("citizens", "citizens", int(citizens), int(table["citizens"]), "I-03")
    tiles = _plantations(state)
    for good, found, right in zip(
        GOODS, tiles.tolist(), table["plantations"].tolist(), strict=True
    ):
        what = f"{good} plantations in deck, row, discard and on islands"
        problems += _balance(f"deck.{good}", what, found, right, "I-04")
    quarries = state["quarries"] + state["owned"][:, QUARRY].sum()
    problems += _balance("quarries", "quarries", int(quarries), int(table["quarries"]), "I-05")
    coins = state["bank"] + state["coins"].sum() + state["role_coins"].sum()
    problems += _balance("coins", "coins", int(coins), int(table["coin_total_value"]), "I-07")
    if table["bank_limited"] and state["bank"] < 0:
        problems.append(f"bank: the bank has paid out {-state['bank']} coins too many (I-07)")
    vp = state["vp_pool"] + state["vp"].sum()
    problems += _balance("vp", "VP", int(vp), int(table["vp_pool"]), "I-08")
    return problems + _copies(table, state)


def _plantations(state: State) -> np.ndarray:
    """Every plantation by kind: forests by what is printed on them, the festival's tile, too.

    A tile that has been drawn, but of which nobody has said yet how it is laid, is in a hand.
    """
    deck = np.bincount(state["deck"][: state["deck_size"]], minlength=NUM_GOODS)
    tiles: np.ndarray = deck + state["row"] + state["discard"]
    tiles = tiles + state["owned"][:, :NUM_GOODS].sum(axis=0) + state["forest_kinds"].sum(axis=0)
    if state["festival_estate"] != NOBODY:
        tiles[state["festival_estate"]] += 1
    if state["decision_point"] == DecisionPoint.USE_TILE and NOBODY < state["drawn"] < NUM_GOODS:
        tiles[state["drawn"]] += 1
    return tiles


def _copies(table: Any, state: State) -> list[str]:
    """Copies of every building type; with two players the festival's one is replaced (I-09)."""
    problems: list[str] = []
    replaced: list[list[str]] = []
    in_game = types_in_game(table, state)
    wanted = int(state["festival_building"])
    found = state["owned"][:, NUM_TILES:].sum(axis=0) + state["building_supply"]
    right = np.zeros_like(found)
    right[in_game] = table["copies"][in_game]
    if wanted != NOBODY:
        found[wanted] += 1
        right[wanted] += wanted in in_game and is_refilled(table, wanted)
    for number in np.flatnonzero(found != right).tolist():
        name, copies = BUILDINGS[number], int(found[number])
        problem = _balance(
            f"buildings.{name}", f"copies of {name}", copies, int(right[number]), "I-09"
        )
        may_be_replaced = number in in_game and table["festival_pool"][number]
        if copies == right[number] + 1 and may_be_replaced and is_refilled(table, number):
            replaced.append(problem)
        else:
            problems += problem
    # One goal has been won at most, and nothing else tells which building it asked for.
    if wanted == NOBODY and len(replaced) == 1 and state["phase"] != Phase.DRAFT:
        return problems
    return problems + [line for lines in replaced for line in lines]


_COUNTS: Final = (
    {f"{block}.{key.name}": key.field for block, table in UNIT_KEYS.items() for key in table}
    | {key.name: key.field for key in (*TABLE_KEYS, *FOREST_KEYS, *PILE_KEYS) if key.name != "vp"}
    | {"buildings": "building_supply", "ships": "ship_load", "house": "house"}
)
"""What is counted on the table, and the field of the record: all but VP, which go below zero."""
_SEAT_COUNTS: Final = [(key.name, key.field) for key in SEAT_KEYS] + [
    ("portrait", "portrait_workers"),
    ("portrait", "portrait_citizens"),
    ("island.forest", "own_forests"),
]


def _negative(table: Any, state: State) -> list[str]:
    """Nothing but the VP pool and the bank goes below zero (I-10)."""
    problems = []
    for name, field in _COUNTS.items():
        lowest = int(state[field].min())
        if lowest < 0:
            problems.append(f"{name}: {lowest} is below zero (I-10)")
    seats = int(table["num_players"])
    for name, field in _SEAT_COUNTS:
        lowest = state[field][:seats].reshape(seats, -1).min(axis=1).tolist()
        problems += [
            f"players[{seat}].{name}: {lowest[seat]} is below zero (I-10)"
            for seat in range(seats)
            if lowest[seat] < 0
        ]
    counts = np.minimum(np.minimum(state["owned"], state["workers"]), state["citizens"])[:seats]
    problems += [
        f"players[{seat}].{_board(spot)}.{SPOTS[spot]}: below zero (I-10)"
        for seat, spot in np.argwhere(counts < 0).tolist()
    ]
    return problems


_HAND_POINTS = (DecisionPoint.GATHER, DecisionPoint.PLACE_UNITS)


def _memory(rules: RuleSet, state: State) -> list[str]:
    """A phase remembers only what it can have seen: barrels kept are barrels held."""
    problems = misplaced_memories(rules, state)
    stores = state["decision_point"] == DecisionPoint.STORE
    for number, good in enumerate(GOODS):
        held = int(state["goods"][state["turn"], number]) if stores else 0
        for field, most in (("kept", held), ("stored", min(1, held))):
            if state[field][number] > most:
                problems.append(
                    f"pending.{field}.{good}: {state[field][number]}, but there are {most} (I-01)"
                )
    in_hand = int(state["hand_workers"]) + int(state["hand_citizens"])
    if in_hand and state["decision_point"] not in _HAND_POINTS:
        problems.append(f"pending.hand: {in_hand} units in hand, but nobody is placing any (I-29)")
    for bit, phase in (
        (UsedOnce.LAND, Phase.TRADER),
        (UsedOnce.SOLD, Phase.TRADER),
        (UsedOnce.VILLA, Phase.MAYOR),
    ):
        if (state["used_once"] & bit).any() and state["phase"] != phase:
            problems.append(f"pending.once: {bit.name.lower()} is of another phase (R-GEN-8)")
    if state["captured"] and state["picks"] < rules.table[0]["picks_per_round"]:
        problems.append(
            "pending.captured: a captured role is played after the round's last pick (R-SMG-14)"
        )
    return problems


def _board(spot: int) -> str:
    return "island" if spot < NUM_TILES else "city"


def _boards(table: Any, state: State) -> list[str]:
    """Spaces and circles of each player board (I-11, I-12)."""
    problems = []
    circles = state["owned"].astype(np.int64) * table["circles"]
    units = state["workers"].astype(np.int64) + state["citizens"]
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
        for spot in np.flatnonzero(units[seat] > circles[seat]).tolist():
            standing, most = units[seat, spot], circles[seat, spot]
            what = "units" if table["citizens"] else "workers"
            problems.append(
                f"{where}.{_board(spot)}.{SPOTS[spot]}: {standing} {what} on {most} circles, "
                f"{standing - most} too many (I-12)"
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
    office = table["power"] == Power.SELL_ANY_KIND
    if state["house"].max() > 1 and not state["owned"][:, NUM_TILES:][:, office].any():
        kind = int(state["house"].argmax())
        problems.append(f"house: {GOODS[kind]} twice, but nobody has an office (I-14)")
    row, most = int(state["row"].sum()), int(table["row_size"])
    is_open = (table["land_office_sale_to_is_face_up_row"] and table["citizens"]) or (
        table["festival_estate_returns_to_is_face_up_row"] and table["festival"]
    )
    if row > most and not is_open:
        problems.append(f"row: {row} plantations, {row - most} more than {most} (I-15)")
    return problems


def _roles(table: Any, state: State) -> list[str]:
    """Role cards and the governor (I-16 to I-18)."""
    problems = []
    for role, name in enumerate(ROLES):
        coins = int(state["role_coins"][role])
        may_have_some = state["role_owner"][role] != NOT_IN_PLAY and role != Role.SMUGGLER
        if coins < 0 or (coins > 0 and not may_have_some):
            problems.append(f"roles.{name}.coins: {coins} (I-16)")
    taken = [
        int(owner)
        for owner, captor in zip(state["role_owner"], state["role_captor"], strict=True)
        if owner >= 0 and owner != captor  # what a captor plays was not picked
    ]
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


def _smuggler(table: Any, state: State) -> list[str]:
    """Who takes the smuggler takes the tile and may capture one card (I-19, R-SMG-7)."""
    problems = []
    owner, tile = int(state["role_owner"][Role.SMUGGLER]), int(state["smuggler_tile"])
    if owner >= 0 and tile != owner:
        problems.append(
            f"smuggler.tile: seat {owner} has taken the smuggler card, and with it the tile (I-19)"
        )
    captured = [role for role in range(NUM_BASE_ROLES) if state["role_captor"][role] != NOBODY]
    if len(captured) > 1:
        problems.append(
            f"smuggler.captured: {len(captured)} cards, {len(captured) - 1} too many; the smuggler "
            "captures one (R-SMG-7)"
        )
    for role in captured:
        where = f"smuggler.captured.{ROLES[role]}"
        if state["role_captor"][role] != owner:
            problems.append(
                f"{where}: seat {state['role_captor'][role]} has not taken the smuggler card this "
                "round (R-SMG-7)"
            )
        if state["role_coins"][role]:
            problems.append(f"roles.{ROLES[role]}.coins: none lie on a captured card (R-SMG-13)")
    return problems


def _new_buildings(table: Any, state: State) -> list[str]:
    """The types on the board, and forests (I-06, I-09)."""
    problems = []
    for cost, slots in enumerate(table["draft_slots"].tolist()):
        types = int(state["board"][table["cost"] == cost].sum())
        is_short = types < slots and state["phase"] != Phase.DRAFT
        if types > slots or is_short:
            problems.append(
                f"board: {types} types that cost {cost}, but the board has {slots} places for them "
                "(R-X1-3)"
            )
    if table["forest_source_is_own_stack_12"]:
        forests = int(state["forests"] + state["own_forests"].sum())
        problems += _balance("forests", "forests", forests, int(table["forests"]), "I-06")
        return problems
    for seat in range(int(table["num_players"])):
        kinds, blind = state["forest_kinds"][seat], state["forest_blind"][seat]
        forests = int(state["own_forests"][seat])
        if kinds.sum() != forests or (blind > kinds).any() or min(kinds.min(), blind.min()) < 0:
            problems.append(
                f"players[{seat}].forest_kinds: {kinds.sum()} kinds, {blind.sum()} of them blind, "
                f"for {forests} forests (I-06)"
            )
    return problems


def _festival(table: Any, state: State) -> list[str]:
    """The goals are such as can be drawn (R-FES-3, R-FES-4)."""
    problems = []
    barrels = int(state["festival_goods"].sum())
    if barrels not in (0, FESTIVAL_BARRELS):
        problems.append(f"festival.goods: {barrels} barrels, but the goal has 3 (R-FES-3)")
    wanted = int(state["festival_building"])
    if wanted != NOBODY and not table["festival_pool"][wanted]:
        problems.append(
            f"festival.building: the goal cannot be {BUILDINGS[wanted]} in this game (R-FES-4)"
        )
    if wanted != NOBODY and state["phase"] == Phase.DRAFT:
        problems.append("festival.building: it is drawn after the draft (R-FES-11)")
    suits = wanted != NOBODY and table["crop"][wanted] == state["festival_estate"] != NOBODY
    if suits and table["festival_redraw_if_same_product"]:
        problems.append(
            f"festival.building: {BUILDINGS[wanted]} suits the goal's plantation (R-FES-5)"
        )
    return problems
