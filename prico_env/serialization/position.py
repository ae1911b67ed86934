"""A position as a plain dict, both ways: for tests, notebooks and saved games.

What a position does not say has its value at set-up, so a few words make a board. ``to_dict`` says
everything, and reading it back gives the same record, byte for byte.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_env.arguments import whole
from prico_env.core.calls import blank_game, deal_game, recount_game
from prico_env.core.phases import captain
from prico_env.core.rng import MAX_SEED
from prico_env.core.rules import Draft
from prico_env.core.state import STATE, State
from prico_env.errors import PositionError
from prico_env.ruleset import RuleSet, check_position
from prico_env.serialization.fields import (
    KeysByModule,
    Reader,
    flag,
    integer,
    integers,
    is_list,
    is_name,
    listed,
    mapping,
    name_or_none,
    number_of,
    seat_or_none,
    sequence,
    tile_names,
)
from prico_env.serialization.invariants import broken_invariants, is_refilled, types_in_game
from prico_env.serialization.keys import (
    FOREST_KEYS,
    PILE_KEYS,
    SEAT_FOREST_KEYS,
    SEAT_KEYS,
    TABLE_KEYS,
    UNIT_KEYS,
    read_keys,
    written,
)
from prico_env.serialization.phase_state import (
    FOLLOWING,
    PENDING_KEYS,
    PendingReader,
    pending_to_dict,
)
from prico_env.serialization.plantations import PlantationReader
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    FOREST,
    GOODS,
    ISLAND_SPACES,
    NOBODY,
    NOT_IN_PLAY,
    NUM_BASE_ROLES,
    NUM_TILES,
    PHASES,
    ROLES,
    SPOTS,
    TILES,
    DecisionPoint,
    EndReason,
    Outcome,
    Phase,
    Role,
)

__all__ = ["PENDING_KEYS", "position_from_dict", "position_to_dict"]

_X1: Final = ("buildings",)
_BLOCKS: Final[KeysByModule] = dict.fromkeys(
    (
        "rules", "round", "governor", "phase", "actor", "turn", "roles", "workers", "citizens",
        "goods", "vp", "quarries", "row", "deck", "discard", "buildings", "ships", "house", "board",
        "forests", "smuggler", "festival", "end_triggered", "players", "pending", "rng",
    ),
    (),
) | {
    "board": _X1, "forests": _X1, "smuggler": ("smuggler",), "festival": ("festival",),
}  # fmt: skip
"""Every block in the order in which it is written, and the expansion that brings it."""
_PLAYER_KEYS: Final[KeysByModule] = dict.fromkeys(
    ("coins", "vp", "goods", "island", "city", "portrait"), ()
) | {"forest_kinds": _X1, "forest_blind": _X1}

_FIRST_POINT: Final = {
    Phase.DRAFT: DecisionPoint.DRAFT,
    Phase.ROLE: DecisionPoint.CHOOSE_ROLE,
    Phase.SETTLER: DecisionPoint.DRAW_TILE,
    Phase.MAYOR: DecisionPoint.RECALL,
    Phase.BUILDER: DecisionPoint.BUY,
    Phase.CRAFTSMAN: DecisionPoint.PRODUCE,
    Phase.TRADER: DecisionPoint.SELL,
    Phase.CAPTAIN: DecisionPoint.LOAD,
    Phase.STORAGE: DecisionPoint.STORE,
    Phase.PROSPECTOR: DecisionPoint.PHASE_END,
    Phase.SMUGGLER: DecisionPoint.SMUGGLE,
    Phase.END: DecisionPoint.PHASE_END,
    Phase.OVER: DecisionPoint.GAME_OVER,
}
"""Where a seat's turn starts in each phase, once the phase has been opened."""

_PHASE_ROLES: Final = {
    phase: roles
    for phase in Phase
    if (roles := tuple(role for role in Role if role.name.startswith(phase.name)))
} | {Phase.STORAGE: (Role.CAPTAIN,)}
"""The role cards that open each phase."""

_ON_SPOTS: Final = ("owned", "workers", "citizens")
_PAIR: Final = 2
_TRIPLE: Final = 3


# -- writing ---------------------------------------------------------------------------------------


def position_to_dict(rules: RuleSet, state: State) -> dict[str, Any]:
    """Describe a position completely, every block whole.

    Args:
        rules: The rule set the game is played by.
        state: One game, a record.

    Returns:
        The position, made of plain lists, dicts, strings, numbers and booleans (JSON).
    """
    check_position(rules, state)
    table = rules.table[0]
    seats = range(int(table["num_players"]))
    position: dict[str, Any] = {
        "rules": rules.to_dict(),
        "governor": int(state["governor"]),
        "phase": PHASES[state["phase"]],
    }
    if Phase(state["phase"]) in _PHASE_ROLES:
        position["actor"] = int(state["actor"])
    position["turn"] = seat_or_none(state["turn"])
    position["roles"] = {
        ROLES[role]: {
            "coins": int(state["role_coins"][role]),
            "taken_by": seat_or_none(state["role_owner"][role]),
        }
        for role in range(len(ROLES))
        if state["role_owner"][role] != NOT_IN_PLAY
    }
    position |= {block: written(rules, state, table) for block, table in UNIT_KEYS.items()}
    position |= written(rules, state, TABLE_KEYS + PILE_KEYS)
    position["deck"] = [GOODS[kind] for kind in state["deck"][: state["deck_size"]][::-1]]
    position["buildings"] = {
        BUILDINGS[number]: int(state["building_supply"][number])
        for number in types_in_game(table, state)
    }
    position["ships"] = [
        {
            "size": int(table["ship_size"][ship]),
            "good": name_or_none(GOODS, state["ship_good"][ship]),
            "barrels": int(state["ship_load"][ship]),
        }
        for ship in range(int(table["num_ships"]))
    ]
    position["house"] = _each_barrel(state["house"])
    position.update(_expansions_to_dict(rules, state))
    position["end_triggered"] = bool(state["end_reasons"] != 0)
    position["players"] = [_player_to_dict(rules, state, seat) for seat in seats]
    position["pending"] = _surprising(rules, state, position)
    position["rng"] = [int(number) for number in state["rng"]]
    return {block: position[block] for block in _BLOCKS if block in position}


def _each_barrel(counts: np.ndarray) -> list[str]:
    return [good for good, count in zip(GOODS, counts, strict=True) for _ in range(count)]


def _expansions_to_dict(rules: RuleSet, state: State) -> dict[str, Any]:
    """Write the blocks that appear only with their expansion."""
    blocks: dict[str, Any] = {}
    if "buildings" in rules.expansions:
        blocks["board"] = [BUILDINGS[number] for number in np.flatnonzero(state["board"])]
        if rules.table[0]["forest_source_is_own_stack_12"]:
            blocks |= written(rules, state, FOREST_KEYS)
    if "smuggler" in rules.expansions:
        blocks["smuggler"] = {
            "tile": seat_or_none(state["smuggler_tile"]),
            "captured": {
                ROLES[role]: int(state["role_captor"][role])
                for role in range(NUM_BASE_ROLES)
                if state["role_captor"][role] != NOBODY
            },
        }
    if "festival" in rules.expansions:
        blocks["festival"] = {
            "estate": name_or_none(GOODS, state["festival_estate"]),
            "goods": _each_barrel(state["festival_goods"]) or None,
            "building": name_or_none(BUILDINGS, state["festival_building"]),
        }
    return blocks


def _player_to_dict(rules: RuleSet, state: State, seat: int) -> dict[str, Any]:
    """Write a player; where citizens are in the game every count of units is a pair."""
    tiles = state["owned"][seat]
    kinds = ["workers", "citizens"] if "citizens" in rules.expansions else ["workers"]

    def units(spot: int) -> list[int]:
        return [int(state[kind][seat, spot]) for kind in kinds]

    def one_or_pair(counts: list[int]) -> int | list[int]:
        return counts if len(counts) > 1 else counts[0]

    island = {
        TILES[kind]: [int(tiles[kind]), *units(kind)]
        for kind in range(NUM_TILES)
        if tiles[kind] > 0 or any(units(kind))
    }
    if state["own_forests"][seat] > 0:
        island["forest"] = [int(state["own_forests"][seat]), *(0 for _ in kinds)]
    player = written(rules, state, SEAT_KEYS, seat) | {
        "island": island,
        "city": {
            SPOTS[spot]: one_or_pair(units(spot))
            for spot in range(NUM_TILES, len(SPOTS))
            if tiles[spot] > 0
        },
        "portrait": one_or_pair([int(state[f"portrait_{kind}"][seat]) for kind in kinds]),
    }
    if "buildings" in rules.expansions and not rules.table[0]["forest_source_is_own_stack_12"]:
        player |= written(rules, state, SEAT_FOREST_KEYS, seat)
    return player


def _surprising(rules: RuleSet, state: State, position: Mapping[str, Any]) -> dict[str, Any]:
    """Write what the phase remembers, without what follows from the rest of the position."""
    plain = np.array([state], dtype=STATE)
    reader = _Reader(rules, plain[0], position)
    reader.read_clockwork()
    expected = pending_to_dict(rules, plain[0])
    return {
        key: value
        for key, value in pending_to_dict(rules, state).items()
        if key not in FOLLOWING or value != expected[key]
    }


# -- reading ---------------------------------------------------------------------------------------


def position_from_dict(
    position: Mapping[str, Any], seed: int = 0, check: bool = True
) -> tuple[RuleSet, np.ndarray]:
    """Read a position; what it leaves out has its value at set-up.

    Args:
        position: The position, as `position_to_dict` writes it, or parts of it.
        seed: Seeds the generator, and with it the order of a deck that is not a list.
        check: Whether the invariants of the rules must hold (I-01 to I-19).

    Returns:
        The rule set, and the records, shape ``(1,)``.

    Raises:
        PositionError: If a field is unknown or has a value it cannot have, or if ``check`` is set
            and an invariant is broken.
    """
    seed, check = whole(seed, "a seed", 0, MAX_SEED), flag(check, "check")
    fields = mapping(position, "position")
    rules = RuleSet.from_dict(mapping(fields.get("rules", {}), "rules"))
    buffer = blank_game(rules).copy()
    deal_game(buffer, seed)
    states = np.ndarray(1, STATE, buffer)
    reader = _Reader(rules, states[0], fields)
    reader.read(seed, buffer)
    if check:
        problems = reader.problems + broken_invariants(rules, states[0])
        if problems:
            raise PositionError("; ".join(problems))
    return rules, states


class _Reader(Reader):
    """Writes the blocks of a position into a freshly dealt record."""

    def __init__(self, rules: RuleSet, state: State, fields: Mapping[str, Any]) -> None:
        super().__init__(rules, state)
        self.fields = fields
        self.problems: list[str] = []
        self._in_game: dict[str, int] = {}
        self._has_citizens = self.has("citizens")

    def read(self, seed: int, buffer: NDArray[np.uint8]) -> None:
        """Read every block; pieces first, because the clockwork follows from them.

        Args:
            seed: Of the generator, and with it the order of a deck that is not a list.
            buffer: The bytes of the game that the record lies in, see `core.calls.GAME`.
        """
        self.block(self.fields, "position", _BLOCKS)
        phase = self.phase
        lays_out = self._set_out(phase)
        self._read_table()
        self._read_players()
        self._count_spaces()
        recount_game(buffer)
        plantations = PlantationReader(self.rules, self.state, self.fields)
        if lays_out or {"row", "deck", "discard", "players"} & set(self.fields):
            plantations.read(phase != Phase.DRAFT, seed)
        self._read_roles()
        self.read_clockwork()
        triggered = self.fields.get("end_triggered")
        pending = PendingReader(self.rules, self.state)
        pending.read(self.fields.get("pending", {}), None if triggered is None else bool(triggered))
        plantations.check_room()
        if "rng" in self.fields:
            self.state["rng"][:] = integers(self.fields["rng"], "rng", 4, np.uint32)

    @functools.cached_property
    def phase(self) -> Phase:
        """Which phase it is; the draft and those of role cards are played only where they exist."""
        phase = Phase(number_of(self.fields.get("phase", "role"), PHASES, "phase", "phase"))
        drafts = self.table["draft"] == Draft.BY_PLAYERS
        cards = self.table["role_in_play"][list(_PHASE_ROLES.get(phase, ()))]
        if (phase == Phase.DRAFT and not drafts) or (cards.size and not cards.any()):
            raise PositionError(f"phase: there is no {PHASES[phase]} phase in this game")
        return phase

    # -- what is in the game -----------------------------------------------------------------------

    def _set_out(self, phase: Phase) -> bool:
        """Lay out board and festival, which decide what else lies where.

        Returns:
            Whether the plantations must be laid out anew.
        """
        was_dealt = Phase(self.state["phase"])
        if self.has("buildings"):
            self._read_board(phase)
        self._in_game = {BUILDINGS[one]: one for one in types_in_game(self.table, self.state)}
        keeps_goals = phase == Phase.DRAFT and "festival" not in self.fields
        if self.has("festival") and not keeps_goals:
            self._read_festival()
        self._stock_buildings()
        if "forests" in self.fields and not self.table["forest_source_is_own_stack_12"]:
            raise PositionError(
                "forests: in this game forests are plantations face down, and there is no stack "
                "of them (D-36)"
            )
        read_keys(self, FOREST_KEYS, self.fields, "")
        return (self.has("festival") and not keeps_goals) or was_dealt == Phase.DRAFT != phase

    def _read_board(self, phase: Phase) -> None:
        """Mark the drafted types: those named, else those that the rest of the position needs."""
        state, pool = self.state, self.table["draft_pool"]
        names = {BUILDINGS[number]: number for number in np.flatnonzero(pool).tolist()}
        dealt = state["board"].tolist()
        board = [0] * len(dealt)
        if "board" in self.fields:
            for place, name in enumerate(sequence(self.fields["board"], "board")):
                where = f"board[{place}]"
                if not isinstance(name, str) or name not in names:
                    number_of(name, tuple(names), where, "building to draft")
                if board[names[name]]:
                    raise PositionError(f"{where}: {name} is there twice (R-X1-4)")
                board[names[name]] = 1
            if isinstance(self.rules.board, tuple) and board != dealt:
                raise PositionError(
                    "board: it differs from the board of the rule set; leave one of them out"
                )
        elif isinstance(self.rules.board, tuple):
            board = dealt
        else:
            for number in self._types_mentioned():
                board[number] = int(pool[number])
            if phase != Phase.DRAFT:
                self._fill(board)
        state["board"] = board

    def _fill(self, board: list[int]) -> None:
        """Put the first types of each cost on the board, as many as it still has places for."""
        pool = np.flatnonzero(self.table["draft_pool"]).tolist()
        costs, left = self.table["cost"].tolist(), self.table["draft_slots"].tolist()
        for number, is_there in enumerate(board):
            left[costs[number]] -= is_there
        for number in pool:
            if not board[number] and left[costs[number]] > 0:
                board[number] = 1
                left[costs[number]] -= 1

    def _types_mentioned(self) -> Iterator[int]:
        """Every building type that the position names."""
        blocks = [self.fields.get("buildings")]
        players = self.fields.get("players")
        if isinstance(players, Sequence):
            blocks += [one.get("city") for one in players if isinstance(one, Mapping)]
        festival = self.fields.get("festival")
        if isinstance(festival, Mapping) and is_name(festival.get("building"), BUILDINGS):
            yield BUILDINGS.index(festival["building"])
        for block in blocks:
            if isinstance(block, Mapping):
                yield from (BUILDINGS.index(name) for name in block if is_name(name, BUILDINGS))

    def _read_festival(self) -> None:
        """Read the goals; a goal that is not named is won, or was never there."""
        state = self.state
        block = mapping(
            self.fields.get("festival", {}), "festival", ("estate", "goods", "building")
        )
        estate, building = block.get("estate"), block.get("building")
        state["festival_estate"] = NOBODY
        if estate is not None:
            kind = number_of(estate, GOODS, "festival.estate", "plantation")
            state["festival_estate"] = kind
        barrels = block.get("goods")
        self.tally(state["festival_goods"], [] if barrels is None else barrels, "festival.goods")
        state["goods_supply"][:] = self.table["goods"] - state["festival_goods"]
        state["festival_building"] = NOBODY
        if building is not None:
            state["festival_building"] = self._building(building, "festival.building")

    def _stock_buildings(self) -> None:
        """Put the copies of every type in the game up for sale, but for the festival's one."""
        state = self.state
        in_game = [*self._in_game.values()]
        state["building_supply"][:] = 0
        state["building_supply"][in_game] = self.table["copies"][in_game]
        wanted = int(state["festival_building"])
        if wanted != NOBODY and not is_refilled(self.table, wanted):
            state["building_supply"][wanted] -= 1

    def _building(self, name: Any, where: str) -> int:
        """The number of a building type that is in the game."""
        if isinstance(name, str) and (number := self._in_game.get(name)) is not None:
            return number
        if is_name(name, BUILDINGS):
            why = "is not in this game"
            if self.table["draft_pool"][BUILDINGS.index(name)]:
                why = "is not on the board of this game"
            raise PositionError(f"{where}: {name} {why}")
        return number_of(name, tuple(self._in_game), where, "building")

    def _buildings(self, block: Any, where: str) -> dict[int, Any]:
        """Read building names into numbers, those of this game only."""
        return {
            self._building(name, f"{where}.{name}"): value
            for name, value in mapping(block, where).items()
        }

    # -- the pieces --------------------------------------------------------------------------------

    def _read_table(self) -> None:
        state, fields = self.state, self.fields
        for block, table in UNIT_KEYS.items():
            names = [key.name for key in table]
            read_keys(self, table, mapping(fields.get(block, {}), block, names), f"{block}.")
        read_keys(self, TABLE_KEYS, fields, "")
        if state["round"] < 1:
            raise PositionError(f"round: {state['round']} is below 1, the first round (I-10)")
        if "buildings" in fields:
            left, dtype = state["building_supply"].tolist(), state["building_supply"].dtype
            for number, value in self._buildings(fields["buildings"], "buildings").items():
                left[number] = integer(value, f"buildings.{BUILDINGS[number]}", dtype)
            state["building_supply"] = left
        self._read_ships()
        if "house" in fields:
            self.tally(state["house"], fields["house"], "house")

    def _read_ships(self) -> None:
        if "ships" not in self.fields:
            return
        state = self.state
        sizes = [int(size) for size in self.table["ship_size"][: self.table["num_ships"]]]
        ships = sequence(self.fields["ships"], "ships")
        if len(ships) > len(sizes):
            raise PositionError(
                f"ships: {len(ships)} ships, but {len(sizes)} are in play (I-13), "
                f"of sizes {listed(sizes)}"
            )
        state["ship_good"][: len(sizes)] = NOBODY
        state["ship_load"][: len(sizes)] = 0
        for place, entry in enumerate(ships):
            where = f"ships[{place}]"
            ship = mapping(entry, where, ("size", "good", "barrels"))
            number = place
            if "size" in ship:
                size = integer(ship["size"], f"{where}.size", np.int8)
                if size not in sizes:
                    raise PositionError(
                        f"{where}.size: no ship has {size} spaces; "
                        f"the ships in play have {listed(sizes)} (I-13)"
                    )
                number = sizes.index(size)
            if ship.get("good") is not None:
                good = number_of(ship["good"], GOODS, f"{where}.good", "good")
                state["ship_good"][number] = good
            self.put(state["ship_load"], number, ship.get("barrels", 0), f"{where}.barrels")

    def _read_players(self) -> None:
        players = sequence(self.fields.get("players", ()), "players")
        if len(players) > self.rules.players:
            raise PositionError(
                f"players: {len(players)} players, but the rule set has {self.rules.players}"
            )
        for seat, entry in enumerate(players):
            where = f"players[{seat}]"
            self._read_player(seat, self.block(entry, where, _PLAYER_KEYS))

    def _count_spaces(self) -> None:
        """Count the spaces that are used on each board."""
        state, owned = self.state, self.state["owned"].astype(np.int64)
        island = owned[:, :NUM_TILES].sum(axis=1) + state["own_forests"]
        city = owned[:, NUM_TILES:] @ self.table["spaces"].astype(np.int64)
        for board, used, spaces in (
            ("island", island, ISLAND_SPACES),
            ("city", city, CITY_SPACES),
        ):
            if used.max() > np.iinfo(np.int8).max:
                seat = used.argmax()
                raise PositionError(
                    f"players[{seat}].{board}: {used[seat]} spaces are used, "
                    f"{used[seat] - spaces} more than there are (I-11)"
                )
            state[f"{board}_used"] = used

    def _read_player(self, seat: int, player: Mapping[str, Any]) -> None:
        state, where = self.state, f"players[{seat}]"
        read_keys(self, SEAT_KEYS, player, f"{where}.", seat)
        if "portrait" in player:
            units = self._units(player["portrait"], f"{where}.portrait")
            state["portrait_workers"][seat], state["portrait_citizens"][seat] = units
        if "island" in player:
            self._read_island(seat, player["island"], f"{where}.island")
        if "city" in player:
            self._read_city(seat, player["city"], f"{where}.city")
        if self.has("buildings") and not self.table["forest_source_is_own_stack_12"]:
            self._read_forest_kinds(seat, player)

    def _read_island(self, seat: int, block: Any, where: str) -> None:
        """Read tiles and the units on them: two numbers a kind, three where citizens are."""
        state, names = self.state, tile_names(self.rules)
        rows = tiles, workers, citizens = [[0] * len(names) for _ in range(3)]
        for name, value in mapping(block, where).items():
            place = f"{where}.{name}"
            kind = number_of(name, names, place, "tile")
            size = _PAIR
            if self._has_citizens and len(sequence(value, place)) == _TRIPLE:
                size = _TRIPLE
            owned, *units = integers(value, place, size, np.int8)
            if owned < 0:
                raise PositionError(f"{place}: {owned} tiles are below zero (I-10)")
            if kind == FOREST and any(units):
                raise PositionError(
                    f"{place}: {sum(units)} units, but forests have no circle (I-12)"
                )
            tiles[kind], workers[kind], citizens[kind] = (owned, *units, 0)[:_TRIPLE]
        for field, row in zip(_ON_SPOTS, rows, strict=True):
            state[field][seat, :NUM_TILES] = row[:NUM_TILES]
        state["own_forests"][seat] = sum(tiles[FOREST:])

    def _read_city(self, seat: int, block: Any, where: str) -> None:
        """Read buildings and the units in them; nobody stands where no action would find them."""
        owned, workers, citizens = (self.state[field][seat, NUM_TILES:] for field in _ON_SPOTS)
        for number, value in self._buildings(block, where).items():
            place = f"{where}.{BUILDINGS[number]}"
            owned[number] = 1
            units = self._units(value, place)
            if any(units):
                workers[number], citizens[number] = units
                if self.table["circles"][NUM_TILES + number] == 0:
                    raise PositionError(
                        f"{place}: {BUILDINGS[number]} has no circle for anybody (I-12)"
                    )

    def _units(self, value: Any, where: str) -> tuple[int, int]:
        """Return numbers of workers and citizens: a number or, where there are citizens, a pair."""
        if self._has_citizens and is_list(value):
            workers, citizens = integers(value, where, _PAIR, np.int8)
            return workers, citizens
        return integer(value, where, np.int8), 0

    def _read_forest_kinds(self, seat: int, player: Mapping[str, Any]) -> None:
        """Read what is printed on a seat's forests: exactly as many kinds as there are forests."""
        state, where = self.state, f"players[{seat}]"
        read_keys(self, SEAT_FOREST_KEYS, player, f"{where}.", seat)
        kinds, blind = (state[key.field][seat].tolist() for key in SEAT_FOREST_KEYS)
        for key, counts in zip(SEAT_FOREST_KEYS, (kinds, blind), strict=True):
            if min(counts) < 0:
                raise PositionError(f"{where}.{key.name}: {min(counts)} is below zero (I-10)")
        if "forest_kinds" not in player:
            return
        if sum(kinds) != (forests := int(state["own_forests"][seat])):
            raise PositionError(
                f"{where}.forest_kinds: {sum(kinds)} kinds for {forests} forests (I-04)"
            )
        if any(unseen > there for unseen, there in zip(blind, kinds, strict=True)):
            raise PositionError(f"{where}.forest_blind: more than forest_kinds has (I-04)")

    # -- the clockwork -----------------------------------------------------------------------------

    def _read_roles(self) -> None:
        state = self.state
        in_play = [
            name
            for name, owner in zip(ROLES, state["role_owner"], strict=True)
            if owner != NOT_IN_PLAY
        ]
        for name, entry in mapping(self.fields.get("roles", {}), "roles", ROLES).items():
            role, where = ROLES.index(name), f"roles.{name}"
            if name not in in_play:
                raise PositionError(f"{where}: this card is not in play in {self.rules!r}")
            card = mapping(entry, where, ("coins", "taken_by"))
            if "coins" in card:
                self.put(state["role_coins"], role, card["coins"], f"{where}.coins")
            if card.get("taken_by") is not None:
                state["role_owner"][role] = self.seat(card["taken_by"], f"{where}.taken_by")
        state["bank"] = (
            self.table["coin_total_value"] - state["coins"].sum() - state["role_coins"].sum()
        )
        self._read_captures(in_play)

    def _read_captures(self, in_play: Sequence[str]) -> None:
        """Read which cards lie in front of whom; the smuggler card itself cannot be captured."""
        smuggler = mapping(self.fields.get("smuggler", {}), "smuggler", ("tile", "captured"))
        captured = mapping(smuggler.get("captured", {}), "smuggler.captured")
        names = tuple(name for name in in_play if name != ROLES[Role.SMUGGLER])
        for name, captor in captured.items():
            where = f"smuggler.captured.{name}"
            role = ROLES.index(names[number_of(name, names, where, "card that can be captured")])
            self.state["role_captor"][role] = self.seat_or_nobody(captor, where)

    def read_clockwork(self) -> None:
        """Work out from phase, actor and turn where the game stands, and whether it ends."""
        state, fields = self.state, self.fields
        state["governor"] = self.seat(fields.get("governor", 0), "governor")
        phase = self.phase
        state["phase"] = phase
        state["outcome"] = Outcome.FINISHED if phase == Phase.OVER else Outcome.RUNNING
        state["actor"], state["role"] = self._actor_and_role(phase)
        self._read_smuggler_tile()
        owners, captors = state["role_owner"], state["role_captor"]
        played_by_captor = (owners >= 0) & (owners == captors)
        state["picks"] = int((owners >= 0).sum()) - int(played_by_captor.sum())
        state["captured"] = state["role"] != NOBODY and played_by_captor[state["role"]]
        state["first_circuit"] = phase == Phase.CAPTAIN
        state["turn"] = self._turn(phase)
        state["turns"] = 0
        if state["actor"] != NOBODY:
            state["turns"] = (state["turn"] - state["actor"]) % self.rules.players
        state["decision_point"] = self._first_point(phase)
        self._read_end()

    def _turn(self, phase: Phase) -> int:
        """Whose turn it is, if need be worked out."""
        state = self.state
        if phase == Phase.OVER:
            return NOBODY
        if self.fields.get("turn") is not None:
            return self.seat(self.fields["turn"], "turn")
        if state["actor"] != NOBODY:
            return int(state["actor"])
        if phase == Phase.DRAFT:
            return int(state["board"].sum()) % self.rules.players
        return int(state["governor"] + state["picks"]) % self.rules.players

    def _first_point(self, phase: Phase) -> int:
        """Where a seat's turn starts, its phase opened."""
        if phase == Phase.CAPTAIN and self.has("buildings", "citizens"):
            return int(captain.first_point(self.table))
        if phase in (Phase.PROSPECTOR, Phase.END) and self.table["guest_windows"]:
            return DecisionPoint.CLOSE_WINDOW
        return _FIRST_POINT[phase]

    def _read_smuggler_tile(self) -> None:
        """Read who has the tile: if nothing is said, who has taken the card (R-SMG-2)."""
        if not self.has("smuggler"):
            return
        owner = int(self.state["role_owner"][Role.SMUGGLER])
        smuggler = self.fields.get("smuggler", {})
        if "tile" in smuggler:
            self.state["smuggler_tile"] = self.seat_or_nobody(smuggler["tile"], "smuggler.tile")
        else:
            self.state["smuggler_tile"] = max(owner, NOBODY)

    def _actor_and_role(self, phase: Phase) -> tuple[int, int]:
        """Find whose phase it is, and which card opened it; that card counts as taken."""
        owners = self.state["role_owner"]
        cards = _PHASE_ROLES.get(phase, ())
        if not cards:
            return self.seat_or_nobody(self.fields.get("actor"), "actor"), NOBODY
        taken = [role for role in cards if owners[role] >= 0]
        if self.fields.get("actor") is not None:
            actor = self.seat(self.fields["actor"], "actor")
        elif taken:
            actor = int(owners[taken[-1]])
        else:
            raise PositionError(
                f"actor: nobody has taken the {ROLES[cards[0]]} card, so the position must say "
                f"who is the actor of the {PHASES[phase]} phase"
            )
        own = [role for role in taken if owners[role] == actor]
        if own:
            return actor, own[-1]
        free = [role for role in cards if owners[role] == NOBODY]
        if not free:
            self.problems.append(
                f"actor: seat {actor} cannot be the actor of the {PHASES[phase]} phase, because "
                f"seat {owners[cards[0]]} has taken the {ROLES[cards[0]]} card (I-17)"
            )
            return actor, cards[0]
        owners[free[0]] = actor
        return actor, free[0]

    def _read_end(self) -> None:
        """Whether this round is the last, and why, as far as the position shows it."""
        state = self.state
        reasons = 0
        if state["vp_pool"] <= 0:
            reasons |= EndReason.VP
        if any(used >= CITY_SPACES for used in state["city_used"].tolist()):
            reasons |= EndReason.CITY
        if "end_triggered" in self.fields:
            triggered = flag(self.fields["end_triggered"], "end_triggered")
            if triggered and reasons == 0:
                reasons = EndReason.WORKERS
            elif reasons and not triggered:
                causes = [reason.name.lower() for reason in EndReason if reasons & reason]
                self.problems.append(
                    f"end_triggered: must be true, because the end was triggered by "
                    f"{listed(causes)} (I-28)"
                )
                reasons = 0
        state["end_reasons"] = reasons
