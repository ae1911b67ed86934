"""What a phase itself remembers, and where exactly the game waits, as a plain block both ways.

What is left out means "nothing yet". A number that kernels use as a place is checked here however a
position is read.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from prico_env.core.state import STACK_SLOTS, State
from prico_env.errors import PositionError
from prico_env.ruleset import RuleSet
from prico_env.serialization.fields import (
    KeysByModule,
    Reader,
    flag,
    integer,
    integers,
    mapping,
    number_of,
    sequence,
)
from prico_env.vocabulary import (
    BUILDINGS,
    DECISION_POINTS,
    GOODS,
    MAX_BARRELS,
    NOBODY,
    NUM_GOODS,
    NUM_SPOTS,
    PHASES,
    POINTS,
    PORTRAIT,
    ROLES,
    SPOTS,
    TILES,
    Asker,
    DecisionPoint,
    EndReason,
    Outcome,
    Phase,
    Power,
    UsedOnce,
)

_X1: Final = ("buildings",)
_X2: Final = ("citizens",)
_X3: Final = ("smuggler",)
_BASE_KEYS: Final = (
    "point", "value", "waiting", "turns", "actor", "role", "picks", "outcome", "end_reasons",
    "drawn", "taken", "bought", "recalled", "cursor", "made", "privilege_goods",
    "circuit_loads", "first_circuit", "captain_loaded", "wharf_used", "passed", "stored", "kept",
)  # fmt: skip
_KEYS: Final[KeysByModule] = dict.fromkeys(_BASE_KEYS, ()) | {
    "small_wharf_used": _X1,
    "once": _X2,
    "captured": _X3,
    "hand": ("smuggler", "festival"),
}
PENDING_KEYS: Final = tuple(_KEYS)
"""Every key of the block; those of expansions stand there only with them."""

FOLLOWING: Final = (
    "point", "turns", "actor", "role", "picks", "outcome", "end_reasons", "first_circuit",
    "captured",
)  # fmt: skip
"""What follows from the rest of a position: written only where it is otherwise."""

_AFTER_A_PURCHASE: Final = (DecisionPoint.PAY, DecisionPoint.STAFF_BUILDING, DecisionPoint.BUILT)
_MOST_IN_HAND: Final = 127
_MOST_VALUE: Final = 127
_KEY_OF: Final = {"produced": "made", "used_once": "once"}
"""Fields of the record that the block calls otherwise."""
_MARK_BOTH: Final = 3
"""In ``recalled``: a spot from which both kinds of units were taken back."""

_REASONS: Final = tuple(reason.name.lower() for reason in EndReason)
_OUTCOMES: Final = tuple(outcome.name.lower() for outcome in Outcome)
_ONCE: Final = tuple(once.name.lower() for once in UsedOnce)


# -- writing ---------------------------------------------------------------------------------------


def pending_to_dict(rules: RuleSet, state: State) -> dict[str, Any]:
    """Write what the phase itself remembers, and where exactly the game waits."""
    seats = range(rules.players)
    block: dict[str, Any] = {
        "point": DECISION_POINTS[state["decision_point"]],
        "value": int(state["value"]),
        "waiting": [
            {
                "point": DECISION_POINTS[state["stack_point"][level]],
                "turn": int(state["stack_turn"][level]),
                "value": int(state["stack_value"][level]),
            }
            for level in range(int(state["depth"]))
        ],
        "turns": int(state["turns"]),
        "actor": seat_or_none(state["actor"]),
        "role": name_or_none(ROLES, state["role"]),
        "picks": int(state["picks"]),
        "outcome": _OUTCOMES[state["outcome"]],
        "end_reasons": [
            name
            for name, reason in zip(_REASONS, EndReason, strict=True)
            if state["end_reasons"] & reason
        ],
        "drawn": name_or_none(tile_names(rules), state["drawn"]),
        "taken": name_or_none(tile_names(rules), state["taken"]),
        "bought": name_or_none(BUILDINGS, state["bought"]),
        "recalled": {
            SPOTS[spot]: int(state["recalled"][spot])
            for spot in range(len(SPOTS))
            if state["recalled"][spot] != 0
        },
        "cursor": int(state["cursor"]),
        "made": [named(GOODS, state["produced"][seat]) for seat in seats],
        "privilege_goods": named(GOODS, state["privilege_goods"]),
        "circuit_loads": int(state["circuit_loads"]),
        "first_circuit": bool(state["first_circuit"]),
        "captain_loaded": bool(state["captain_loaded"]),
        "wharf_used": [bool(state["wharf_used"][seat]) for seat in seats],
        "passed": [bool(state["passed"][seat]) for seat in seats],
        "stored": named(GOODS, state["stored"]),
        "kept": named(GOODS, state["kept"]),
        "small_wharf_used": [bool(state["small_wharf_used"][seat]) for seat in seats],
        "once": [
            [
                name
                for name, bit in zip(_ONCE, UsedOnce, strict=True)
                if state["used_once"][seat] & bit
            ]
            for seat in seats
        ],
        "captured": bool(state["captured"]),
        "hand": [int(state["hand_workers"]), int(state["hand_citizens"])],
    }
    return {
        key: block[key]
        for key, modules in _KEYS.items()
        if not modules or set(modules) & set(rules.expansions)
    }


def tile_names(rules: RuleSet) -> tuple[str, ...]:
    """Return the island tiles of a game by number; with the new buildings forests are among them.

    >>> tile_names(RuleSet(expansions=["buildings"]))[-1]
    'forest'
    """
    return (*TILES, "forest") if "buildings" in rules.expansions else TILES


def named(names: Sequence[str], counts: np.ndarray) -> dict[str, int]:
    """Return counts by name."""
    return {name: int(count) for name, count in zip(names, counts, strict=False)}


def seat_or_none(seat: int) -> int | None:
    """Return a seat as JSON has it."""
    return None if seat < 0 else int(seat)


def name_or_none(names: Sequence[str], number: int) -> str | None:
    """Return the name of a number, and nothing for none."""
    return None if number < 0 else names[number]


# -- reading ---------------------------------------------------------------------------------------


class PendingReader(Reader):
    """Writes what a phase remembers into a record whose clockwork is set."""

    def read(self, block: Any, end_triggered: bool | None) -> None:
        """Read the block, then refuse what no phase can remember.

        Args:
            block: The block.
            end_triggered: What the position says about it, which the reasons must not contradict.
        """
        keys = self.keys_in_game(block, "pending", _KEYS)
        self._end_triggered = end_triggered
        readers = self._readers()
        for key, value in mapping(block, "pending", keys).items():
            where = f"pending.{key}"
            if key in readers:
                readers[key](value, where)
            else:
                self.store(key, value, where)
        self._check_places()

    def _readers(self) -> dict[str, Callable[[Any, str], None]]:
        tiles = tile_names(self.rules)
        return {
            "point": self._read_point,
            "waiting": self._read_waiting,
            "actor": self._read_actor,
            "role": self._reads_name("role", ROLES, "role"),
            "outcome": self._read_outcome,
            "end_reasons": self._read_end_reasons,
            "drawn": self._reads_name("drawn", tiles, "tile"),
            "taken": self._reads_name("taken", tiles, "tile"),
            "bought": self._reads_name("bought", BUILDINGS, "building"),
            "recalled": self._reads_counts("recalled", SPOTS, "spot"),
            "made": self._read_made,
            "privilege_goods": self._reads_counts("privilege_goods", GOODS, "good"),
            "first_circuit": self._read_flag,
            "captain_loaded": self._read_flag,
            "wharf_used": self._read_flags,
            "small_wharf_used": self._read_flags,
            "passed": self._read_flags,
            "stored": self._reads_counts("stored", GOODS, "good"),
            "kept": self._reads_counts("kept", GOODS, "good"),
            "once": self._read_once,
            "captured": self._read_flag,
            "hand": self._read_hand,
        }

    def _check_places(self) -> None:
        """Refuse what no phase can remember: kernels use these numbers without another look."""
        state = self.state
        spots = int(self.table["num_spots"])
        citizens = self.has("citizens")
        limits = {
            "cursor": (spots if not citizens else 2 * NUM_SPOTS) - 1,
            "recalled": _MARK_BOTH if citizens else 1,
            "stored": 1,
            "kept": MAX_BARRELS,
            "produced": MAX_BARRELS,
            "privilege_goods": MAX_BARRELS,
            "circuit_loads": self.rules.players,
            "value": _MOST_VALUE if self.rules.expansions else MAX_BARRELS,
            "hand_workers": _MOST_IN_HAND,
            "hand_citizens": _MOST_IN_HAND,
        }
        for field, highest in limits.items():
            lowest_found, highest_found = int(state[field].min()), int(state[field].max())
            wrong = lowest_found if lowest_found < 0 else highest_found
            if not 0 <= wrong <= highest:
                key = "hand" if field.startswith("hand") else _KEY_OF.get(field, field)
                raise PositionError(
                    f"pending.{key}: {wrong} cannot be; it lies between 0 and {highest} (I-10)"
                )
        depth = int(state["depth"])
        self._check_point("pending", int(state["decision_point"]), int(state["value"]), depth > 0)
        for level in range(depth):
            point, value = int(state["stack_point"][level]), int(state["stack_value"][level])
            self._check_point(f"pending.waiting[{level}]", point, value, level > 0)
            asks = POINTS[point].asker != Asker.NOBODY
            if state["stack_turn"][level] == NOBODY and asks:
                raise PositionError(
                    f"pending.waiting[{level}].turn: at {DECISION_POINTS[point]!r} a seat decides; "
                    "say which"
                )

    def _check_point(self, where: str, point: int, value: int, interrupts: bool) -> None:
        """Refuse a point without what the decision there is about."""
        state, name, row = self.state, DECISION_POINTS[point], POINTS[point]
        if interrupts != row.interrupts:
            how = (
                "waits for nothing below it" if interrupts else "needs a decision waiting below it"
            )
            raise PositionError(f"{where}.point: {name!r} {how}")
        if point == DecisionPoint.HIRE and value > PORTRAIT:
            raise PositionError(
                f"{where}.value: no unit can go to spot {value}; they run from 0 to {PORTRAIT}"
            )
        if point in _AFTER_A_PURCHASE and state["bought"] == NOBODY:
            raise PositionError(f"pending.bought: at {name!r} a building has been bought")
        is_drawn = NOBODY < state["drawn"] < NUM_GOODS
        from_stack = state["phase"] == Phase.TRADER and self.table["forest_source_is_own_stack_12"]
        if point == DecisionPoint.USE_TILE and not is_drawn and not from_stack:
            raise PositionError(f"pending.drawn: at {name!r} a plantation has been drawn")
        if point == DecisionPoint.PLACE:
            self._check_room()
        if point == DecisionPoint.PAY:
            self._check_payment(where, value)
        ship = int(state["cursor"])
        if point == DecisionPoint.RAID and not 0 <= ship < self.table["num_ships"]:
            raise PositionError(f"pending.cursor: there is no ship {ship} to raid (R-SMG-4)")
        if point == DecisionPoint.RAID and (
            state["ship_load"][ship] <= 0 or state["ship_good"][ship] < 0
        ):
            raise PositionError(f"ships[{ship}]: no barrels, but it is being raided (R-SMG-4)")
        if row.phases and state["phase"] not in row.phases:
            phases = " or ".join(repr(PHASES[phase]) for phase in row.phases)
            raise PositionError(
                f"{where}.point: {name!r} is a point of phase {phases}, not of "
                f"{PHASES[state['phase']]!r}"
            )

    def _check_payment(self, where: str, value: int) -> None:
        """What is missing can be made up for by a unit, a barrel and a VP (R-BLK-2, R-BLK-3)."""
        state, table, seat = self.state, self.table, int(self.state["turn"])
        units = (state["workers"][seat] + state["citizens"][seat]).astype(int)
        if table["black_market_excludes_own_worker"]:
            units[table["power_spot"][Power.BARTER]] = 0
        portrait = state["portrait_workers"][seat] + state["portrait_citizens"][seat]
        kinds = (units.sum() + portrait, state["goods"][seat].sum(), state["vp"][seat])
        most = sum(kind > 0 for kind in kinds[int(state["cursor"]) :])
        if not 1 <= value <= most:
            raise PositionError(
                f"{where}.value: seat {seat} is to make up for {value} coins and can for 1 to "
                f"{most} (R-BLK-2, R-BLK-3)"
            )

    def _check_room(self) -> None:
        """Somebody is in hand, and workers find circles that are open to them (R-MAY-7)."""
        state, seat = self.state, int(self.state["turn"])
        hand = int(state["portrait_workers"][seat])
        circles = state["owned"][seat] * self.table["circles"]
        empty = circles - state["workers"][seat] - state["citizens"][seat]
        is_open = int(((1 - state["recalled"]) * empty).sum())
        has_citizens = state["citizens"][seat].any() or state["portrait_citizens"][seat]
        if hand + int(state["portrait_citizens"][seat]) <= 0:
            raise PositionError(f"players[{seat}].portrait: nobody is in hand to be put down")
        if hand > is_open and not has_citizens:
            raise PositionError(
                f"players[{seat}].portrait: {hand} workers in hand, but {is_open} open circles to "
                "put them on (R-MAY-7)"
            )

    def _read_point(self, value: Any, where: str) -> None:
        self.state["decision_point"] = self._point(value, where)

    def _point(self, value: Any, where: str) -> int:
        """Return a point that this game has."""
        point = DecisionPoint(number_of(value, DECISION_POINTS, where, "point"))
        modules = POINTS[point].modules
        if modules and not self.has(*modules):
            raise PositionError(
                f"{where}: {value!r} belongs to the {modules[0]!r} expansion, which is not in this "
                "game"
            )
        return point

    def _read_actor(self, value: Any, where: str) -> None:
        self.state["actor"] = self.seat_or_nobody(value, where)

    def _read_waiting(self, value: Any, where: str) -> None:
        levels = sequence(value, where)
        if len(levels) > STACK_SLOTS:
            raise PositionError(f"{where}: {len(levels)} decisions, {STACK_SLOTS} can wait at most")
        state = self.state
        state["depth"] = len(levels)
        for level, entry in enumerate(levels):
            place = f"{where}[{level}]"
            waiting = mapping(entry, place, ("point", "turn", "value"))
            state["stack_point"][level] = self._point(waiting.get("point"), f"{place}.point")
            turn = integer(waiting.get("turn", NOBODY), f"{place}.turn", np.int8)
            if turn != NOBODY:
                self.seat(turn, f"{place}.turn")
            state["stack_turn"][level] = turn
            amount = integer(waiting.get("value", 0), f"{place}.value", np.int8, lowest=0)
            state["stack_value"][level] = amount

    def _read_outcome(self, value: Any, where: str) -> None:
        self.state["outcome"] = number_of(value, _OUTCOMES, where, "outcome")

    def _read_end_reasons(self, value: Any, where: str) -> None:
        bits = self._bits(value, where, _REASONS, tuple(EndReason), "reason")
        if self._end_triggered is not None and bool(bits) != self._end_triggered:
            raise PositionError(f"{where}: {value!r} contradicts end_triggered")
        self.state["end_reasons"] = bits

    def _bits(
        self, value: Any, where: str, names: Sequence[str], bits: Sequence[int], noun: str
    ) -> int:
        """Return the sum of the bits that a list names."""
        total = 0
        for place, name in enumerate(sequence(value, where)):
            total |= bits[number_of(name, names, f"{where}[{place}]", noun)]
        return total

    def _read_made(self, value: Any, where: str) -> None:
        self.state["produced"][:] = 0
        for seat, counts in enumerate(self.per_seat(value, where)):
            self.count(self.state["produced"][seat], counts, f"{where}[{seat}]", GOODS, "good")

    def _read_once(self, value: Any, where: str) -> None:
        for seat, names in enumerate(self.per_seat(value, where)):
            place = f"{where}[{seat}]"
            self.state["used_once"][seat] = self._bits(names, place, _ONCE, tuple(UsedOnce), "act")

    def _read_hand(self, value: Any, where: str) -> None:
        workers, citizens = integers(value, where, 2, np.int8)
        if citizens and not self.has("citizens"):
            raise PositionError(f"{where}[1]: {citizens} citizens, but the game has none (I-03)")
        self.state["hand_workers"], self.state["hand_citizens"] = workers, citizens

    def _read_flag(self, value: Any, where: str) -> None:
        self.state[where.rpartition(".")[2]] = flag(value, where)

    def _read_flags(self, value: Any, where: str) -> None:
        field = self.state[where.rpartition(".")[2]]
        for seat, is_set in enumerate(self.per_seat(value, where)):
            field[seat] = flag(is_set, f"{where}[{seat}]")

    def _reads_name(
        self, field: str, names: Sequence[str], noun: str
    ) -> Callable[[Any, str], None]:
        def read(value: Any, where: str) -> None:
            self.state[field] = NOBODY if value is None else number_of(value, names, where, noun)

        return read

    def _reads_counts(
        self, field: str, names: Sequence[str], noun: str
    ) -> Callable[[Any, str], None]:
        def read(value: Any, where: str) -> None:
            self.count(self.state[field], value, where, names, noun)

        return read
