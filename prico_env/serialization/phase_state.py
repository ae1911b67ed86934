"""What a phase itself remembers, and where exactly the game waits, as a plain block both ways.

What is left out means "nothing yet". A number that kernels use as a place is checked here however a
position is read.
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from prico_env.actions import NUM_ACTIONS
from prico_env.core.bank import register_of, supply_of
from prico_env.core.island import only_removal
from prico_env.core.phases import draft
from prico_env.core.state import RANGES, STACK_SLOTS, State
from prico_env.errors import PositionError
from prico_env.ruleset import RuleSet
from prico_env.serialization.fields import (
    BARRELS,
    FLAG,
    NUMBER,
    SEAT,
    TILE,
    KeysByModule,
    Kind,
    Reader,
    bits_of,
    counts_of,
    each_seat,
    integer,
    integers,
    mapping,
    number_of,
    one_name,
    sequence,
)
from prico_env.serialization.keys import (
    Key,
    keys,
    read_keys,
    written,
)
from prico_env.vocabulary import (
    BUILDINGS,
    DECISION_POINTS,
    MAX_BARRELS,
    NOBODY,
    NUM_BASE_ROLES,
    NUM_GOODS,
    NUM_TILES,
    PHASES,
    POINTS,
    PORTRAIT,
    ROLES,
    SPOTS,
    Asker,
    DecisionPoint,
    EndReason,
    Outcome,
    Phase,
    Power,
    Role,
    Unit,
    UsedOnce,
)

_X1: Final = ("buildings",)
_X2: Final = ("citizens",)
_X3: Final = ("smuggler",)
_IN_HAND: Final = ("smuggler", "festival")

_AFTER_A_PURCHASE: Final = (DecisionPoint.PAY, DecisionPoint.STAFF_BUILDING, DecisionPoint.BUILT)
_OF_ROLES: Final = tuple(Phase)[Phase.SETTLER : Phase.END]
_AFTER_A_PICK: Final = (*_OF_ROLES, Phase.END)
_BEGUN: Final = tuple(phase for phase in _OF_ROLES if phase != Phase.STORAGE)
_WITH_WINDOWS: Final = tuple(
    phase for phase in _BEGUN if phase not in (Phase.MAYOR, Phase.SMUGGLER)
)
_BETWEEN_DECISIONS: Final = {
    DecisionPoint.PHASE_BEGIN: _BEGUN,
    DecisionPoint.OPEN_WINDOW: _WITH_WINDOWS,
    DecisionPoint.CLOSE_WINDOW: (*_WITH_WINDOWS, Phase.END),
    DecisionPoint.PHASE_CLOSE: _AFTER_A_PICK,
    DecisionPoint.PHASE_END: (Phase.DRAFT, *_AFTER_A_PICK),
    DecisionPoint.GAME_OVER: (Phase.OVER,),
}
"""The phases that have the points which no phase asks at."""
_AFTER_A_DRAW: Final = (DecisionPoint.USE_TILE, DecisionPoint.TAKE_TILE, DecisionPoint.STAFF_TILE)
_SHIPPING: Final = (Phase.CAPTAIN, Phase.STORAGE)
_VALUED: Final = (
    DecisionPoint.MAYOR_PRIVILEGE, DecisionPoint.GAIN_COINS, DecisionPoint.GAIN_VP,
    DecisionPoint.HIRE, DecisionPoint.GATHER, DecisionPoint.PLACE_UNITS, DecisionPoint.GAIN_UNITS,
    DecisionPoint.PAY, DecisionPoint.REMOVE_TILE, DecisionPoint.SMALL_SHIP, DecisionPoint.SUPPLY,
    DecisionPoint.RAID,
)  # fmt: skip
"""Decisions about an amount, or about one of several."""
_IN_ORDER: Final = (
    DecisionPoint.RECALL, DecisionPoint.PLACE, DecisionPoint.PLACE_UNITS, DecisionPoint.PAY,
    DecisionPoint.SMALL_SHIP, DecisionPoint.SUPPLY, DecisionPoint.STORE, DecisionPoint.RAID,
)  # fmt: skip
"""Decisions that go through spots or goods in their order, and the raid of one ship."""
_BEFORE_A_PHASE: Final = {DecisionPoint.OPEN_WINDOW, DecisionPoint.PHASE_BEGIN}


def _read_point(reader: Reader, held: Any, value: Any, where: str) -> int:
    """Return a decision point that this game has."""
    point = DecisionPoint(number_of(value, DECISION_POINTS, where, "point"))
    modules = POINTS[point].modules
    if modules and not reader.has(*modules):
        raise PositionError(
            f"{where}: {value!r} belongs to the {modules[0]!r} expansion, which is not in this game"
        )
    return point


_POINT: Final = Kind(lambda rules, held: DECISION_POINTS[held], _read_point)
_OUTCOMES: Final = tuple(outcome.name.lower() for outcome in Outcome)


# -- the keys --------------------------------------------------------------------------------------


_KEYS: Final = keys(
    Key("point", _POINT, "decision_point", follows=True),
    Key("value", NUMBER, points=_VALUED),
    Key("turns", NUMBER, phases=(*_AFTER_A_PICK, Phase.OVER), follows=True),
    Key("actor", SEAT, phases=_AFTER_A_PICK, follows=True),
    Key("role", one_name(ROLES, "role"), phases=_AFTER_A_PICK, follows=True),
    Key("picks", NUMBER, follows=True),
    Key("outcome", one_name(_OUTCOMES, "outcome", or_none=False), follows=True),
    Key("end_reasons", bits_of(EndReason, "reason"), follows=True),
    Key("drawn", TILE, points=_AFTER_A_DRAW),
    Key("taken", TILE, points=(DecisionPoint.STAFF_TILE,)),
    Key("bought", one_name(BUILDINGS, "building"), points=_AFTER_A_PURCHASE),
    Key(
        "recalled",
        counts_of(SPOTS, "spot", with_zeros=False),
        points=(DecisionPoint.RECALL, DecisionPoint.PLACE),
    ),
    Key("cursor", NUMBER, points=_IN_ORDER),
    Key("made", each_seat(BARRELS), "produced", phases=(Phase.CRAFTSMAN,)),
    Key(
        "privilege_goods",
        BARRELS,
        phases=(Phase.CRAFTSMAN,),
        points=(DecisionPoint.CRAFTSMAN_PRIVILEGE, DecisionPoint.PHASE_END),
    ),
    Key("circuit_loads", NUMBER, phases=(Phase.CAPTAIN,)),
    Key("idle_turns", NUMBER, phases=(Phase.CAPTAIN,)),
    Key("first_circuit", FLAG, phases=(Phase.CAPTAIN,), follows=True),
    Key("captain_loaded", FLAG, phases=_SHIPPING),
    Key("wharf_used", each_seat(FLAG), phases=_SHIPPING),
    Key("passed", each_seat(FLAG), phases=_SHIPPING),
    Key("stored", BARRELS, points=(DecisionPoint.STORE,)),
    Key("kept", BARRELS, points=(DecisionPoint.STORE,)),
    Key("small_wharf_used", each_seat(FLAG), modules=_X1, phases=_SHIPPING),
    Key(
        "once",
        each_seat(bits_of(UsedOnce, "act")),
        "used_once",
        _X2,
        phases=(Phase.MAYOR, Phase.TRADER),
    ),
    Key("captured", FLAG, modules=_X3, phases=_OF_ROLES, follows=True),
)
"""What a phase remembers, key by key; ``waiting`` and ``hand`` are more than one field each."""
_COUNTED: Final = {
    "value": "value", "recalled": "recalled", "cursor": "cursor", "made": "produced",
    "privilege_goods": "privilege_goods", "circuit_loads": "circuit_loads",
    "idle_turns": "idle_turns", "stored": "stored", "kept": "kept", "hand[0]": "hand_workers",
    "hand[1]": "hand_citizens",
}  # fmt: skip
"""Keys that are given as numbers, and the fields whose ranges bound them."""
_MODULES: Final[KeysByModule] = {key.name: key.modules for key in _KEYS} | {
    "waiting": (),
    "hand": _IN_HAND,
}
_ORDER: Final = ("point", "value", "waiting", *(key.name for key in _KEYS[2:]), "hand")
PENDING_KEYS: Final = _ORDER
"""Every key of the block; those of expansions stand there only with them."""
FOLLOWING: Final = tuple(key.name for key in _KEYS if key.follows)
"""What follows from the rest of a position: written only where it is otherwise."""


# -- writing ---------------------------------------------------------------------------------------


def pending_to_dict(rules: RuleSet, state: State) -> dict[str, Any]:
    """Write what the phase itself remembers, and where exactly the game waits."""
    block = written(rules, state, _KEYS)
    block["waiting"] = [
        {
            "point": DECISION_POINTS[state["stack_point"][level]],
            "turn": int(state["stack_turn"][level]),
            "value": int(state["stack_value"][level]),
        }
        for level in range(int(state["depth"]))
    ]
    block["hand"] = [int(state["hand_workers"]), int(state["hand_citizens"])]
    there = ("base", *rules.expansions)
    return {key: block[key] for key in _ORDER if set(_MODULES[key] or there) & set(there)}


# -- checking --------------------------------------------------------------------------------------


def misplaced_memories(rules: RuleSet, state: State) -> list[str]:
    """Say what is remembered that the phase, or the decision there, cannot remember (R-RND-2)."""
    blank, phase = rules.table[0]["start"], Phase(state["phase"])
    points = {int(state["decision_point"]), *state["stack_point"][: state["depth"]].tolist()}
    problems = []
    for key in _KEYS:
        if not (key.phases or key.points):
            continue
        held = state[key.field]
        if held.tobytes() == blank[key.field].tobytes():
            continue
        said = f"pending.{key.name}: {key.kind.write(rules, held)}"
        if key.phases and phase not in key.phases:
            problems.append(
                f"{said} belongs to phase {_any_of(PHASES[one] for one in key.phases)}, "
                f"not to {PHASES[phase]!r}, which is played"
            )
        elif key.points and points.isdisjoint(key.points):
            problems.append(
                f"{said} belongs to point {_any_of(DECISION_POINTS[one] for one in key.points)}, "
                f"not to {DECISION_POINTS[state['decision_point']]!r}, where the game waits"
            )
        elif not key.follows and not key.points and points & _BEFORE_A_PHASE:
            problems.append(f"{said} is remembered once the phase has begun")
    if state["depth"] and phase not in _AFTER_A_PICK:
        problems.append(f"pending.waiting: no decision waits in phase {PHASES[phase]!r}")
    return problems + _made_too_early(rules, state, points)


def _any_of(names: Iterable[str]) -> str:
    return " or ".join(map(repr, names))


def _made_too_early(rules: RuleSet, state: State, points: set[int]) -> list[str]:
    """Only seats that had their turn have produced, until the privilege is next (R-CRA-2)."""
    had_theirs = 0 if DecisionPoint.OPENING in points else int(state["turns"])
    if not points & {DecisionPoint.PRODUCE, DecisionPoint.OPENING}:
        return []
    return [
        f"pending.made[{seat}]: seat {seat} is still to produce at pending.point "
        f"{DECISION_POINTS[state['decision_point']]!r}"
        for seat in range(rules.players)
        if (seat - state["actor"]) % rules.players >= had_theirs and state["produced"][seat].any()
    ]


# -- reading ---------------------------------------------------------------------------------------


class PendingReader(Reader):
    """Writes what a phase remembers into a record whose clockwork is set."""

    def read(self, block: Any, end_triggered: bool | None) -> None:
        """Read the block, then refuse what no phase can remember.

        Args:
            block: The block.
            end_triggered: What the position says about it, which the reasons must not contradict.
        """
        given = self.block(block, "pending", _MODULES)
        read_keys(self, _KEYS, given, "pending.")
        if "waiting" in given:
            self._read_waiting(given["waiting"], "pending.waiting")
        if "hand" in given:
            self._read_hand(given["hand"], "pending.hand")
        has_ended = bool(self.state["end_reasons"])
        if "end_reasons" in given and end_triggered not in (None, has_ended):
            raise PositionError(
                f"pending.end_reasons: {given['end_reasons']!r} contradicts end_triggered"
            )
        self.check_places()

    def check_places(self) -> None:
        """Refuse what no phase can remember: kernels use these numbers without another look."""
        blank = self.table["start"]
        for name, field in _COUNTED.items():
            if self.state[field].tobytes() != blank[field].tobytes():
                self._check_range(name, field)
        state = self.state
        depth = int(state["depth"])
        self._check_end()
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

    def _check_end(self) -> None:
        """The game is over where nobody has a turn, and nowhere else (R-END-5)."""
        state, phase = self.state, PHASES[self.state["phase"]]
        outcome, point = int(state["outcome"]), int(state["decision_point"])
        is_over = phase == PHASES[Phase.OVER]
        if is_over != (outcome != Outcome.RUNNING):
            raise PositionError(
                f"pending.outcome: {_OUTCOMES[outcome]!r} cannot be in phase {phase!r}"
            )
        if is_over and point != DecisionPoint.GAME_OVER:
            name = DECISION_POINTS[point]
            raise PositionError(f"pending.point: {name!r} cannot be in phase {phase!r}")

    def _check_range(self, name: str, field: str) -> None:
        """Refuse a number out of the range of its field, or of what this game has of it."""
        lowest, highest = int(self.state[field].min()), int(self.state[field].max())
        least, most = RANGES[field]
        if name in ("circuit_loads", "idle_turns"):
            most = self.rules.players
        elif name == "value" and not self.rules.expansions:
            most = MAX_BARRELS
        elif name == "recalled" and not self.has("citizens"):
            most = 1
        elif name == "cursor" and not self.has("citizens"):
            most = int(self.table["num_spots"]) - 1
        wrong = lowest if lowest < least else highest
        if not least <= wrong <= most:
            raise PositionError(
                f"pending.{name}: {wrong} cannot be; it lies between {least} and {most} (I-10)"
            )

    def _check_point(self, where: str, point: int, value: int, interrupts: bool) -> None:
        """Refuse a point without what the decision there is about."""
        state, name, row = self.state, DECISION_POINTS[point], POINTS[point]
        phase = int(state["phase"])
        if interrupts != row.interrupts:
            how = (
                "waits for nothing below it" if interrupts else "needs a decision waiting below it"
            )
            raise PositionError(f"{where}.point: {name!r} {how}")
        if point == DecisionPoint.HIRE and value > PORTRAIT:
            raise PositionError(
                f"{where}.value: no unit can go to spot {value}; they run from 0 to {PORTRAIT}"
            )
        if point in (DecisionPoint.DRAFT, DecisionPoint.CHOOSE_ROLE):
            self._check_pick(point)
        if point in _AFTER_A_PURCHASE and state["bought"] == NOBODY:
            raise PositionError(f"pending.bought: at {name!r} a building has been bought")
        if point == DecisionPoint.USE_TILE and not NOBODY < state["drawn"] < NUM_GOODS:
            if phase != Phase.TRADER or not self.table["forest_source_is_own_stack_12"]:
                raise PositionError(f"pending.drawn: at {name!r} a plantation has been drawn")
        if point == DecisionPoint.REMOVE_TILE:
            self._check_removal(where, value)
        if point in (DecisionPoint.GATHER, DecisionPoint.PLACE_UNITS):
            self._check_handout(where, point, value)
        if point == DecisionPoint.PLACE or (
            point == DecisionPoint.RECALL and state["recalled"].any()
        ):
            self._check_room()
        if point == DecisionPoint.PAY:
            self._check_payment(where, value)
        if point == DecisionPoint.RAID:
            self._check_raid(int(state["cursor"]))
        phases = row.phases or _BETWEEN_DECISIONS.get(DecisionPoint(point), ())
        if phases and phase not in phases:
            raise PositionError(
                f"{where}.point: {name!r} is a point of phase "
                f"{_any_of(PHASES[phase] for phase in phases)}, not of "
                f"{PHASES[phase]!r}, which is played"
            )

    def _check_raid(self, ship: int) -> None:
        """A ship that is raided is there and has barrels (R-SMG-4)."""
        if not 0 <= ship < self.table["num_ships"]:
            raise PositionError(f"pending.cursor: there is no ship {ship} to raid (R-SMG-4)")
        if self.state["ship_load"][ship] <= 0 or self.state["ship_good"][ship] < 0:
            raise PositionError(f"ships[{ship}]: no barrels, but it is being raided (R-SMG-4)")

    def _check_pick(self, point: int) -> None:
        """Where a type or a card is picked nobody may pass, so there is one (R-X1-4, R-ROL-2)."""
        state, seat = self.state, int(self.state["turn"])
        if point == DecisionPoint.DRAFT:
            if not draft.fill_legal(self.table, state, seat, np.zeros(NUM_ACTIONS, np.bool_)):
                raise PositionError(
                    f"board: {state['board'].sum()} types leave nothing to choose in the draft; "
                    "with a full board the phase is 'role' (R-X1-4)"
                )
            return
        free = state["role_owner"] == NOBODY
        free[:NUM_BASE_ROLES] &= state["role_captor"][:NUM_BASE_ROLES] != seat
        free[Role.SMUGGLER] &= state["smuggler_tile"] != seat
        if not free.any():
            raise PositionError(f"roles: no card is left that seat {seat} could take (R-ROL-2)")

    def _check_removal(self, where: str, kind: int) -> None:
        """The tiles of a kind that one of is removed differ in what stands on them (R-LND-3)."""
        seat = int(self.state["turn"])
        if not 0 <= kind < NUM_GOODS or only_removal(self.state, seat, kind) != NOBODY:
            raise PositionError(
                f"{where}.value: seat {seat} has no tiles of kind {kind} among which to choose; it "
                "is the number of a plantation whose tiles differ in what stands on them (R-LND-3)"
            )

    def _check_handout(self, where: str, point: int, value: int) -> None:
        """As many units are to come as there are, or to be placed as are in hand (R-SMG-6)."""
        state, place = self.state, "in hand"
        most = int(state["hand_workers"]) + int(state["hand_citizens"])
        if point == DecisionPoint.GATHER and state["phase"] == Phase.SMUGGLER:
            place, most = "on the register", sum(int(register_of(state, unit)) for unit in Unit)
        elif point == DecisionPoint.GATHER:
            place, most = "to be had", sum(int(supply_of(self.table, state, one)) for one in Unit)
        if not 1 <= value <= most:
            raise PositionError(
                f"{where}.value: {value} units are to be handed out, and {most} are {place} "
                "(R-SMG-6, R-FES-7)"
            )

    def _check_payment(self, where: str, value: int) -> None:
        """What is missing can be made up for by a unit, a barrel and a VP (R-BLK-2, R-BLK-3)."""
        state, table, seat = self.state, self.table, int(self.state["turn"])
        building = int(state["bought"])
        is_owned = state["owned"][seat, NUM_TILES + building] > 0
        if state["building_supply"][building] <= 0 or is_owned:
            raise PositionError(
                f"pending.bought: seat {seat} cannot pay for {BUILDINGS[building]}: none is left, "
                "or it has one (R-BLD-2)"
            )
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
        empty = np.maximum(circles - state["workers"][seat] - state["citizens"][seat], 0)
        is_open = int(((1 - state["recalled"]) * empty).sum())
        has_citizens = state["citizens"][seat].any() or state["portrait_citizens"][seat]
        if hand + int(state["portrait_citizens"][seat]) <= 0:
            raise PositionError(f"players[{seat}].portrait: nobody is in hand to be put down")
        if hand > is_open and not has_citizens:
            raise PositionError(
                f"players[{seat}].portrait: {hand} workers in hand, but {is_open} open circles to "
                "put them on (R-MAY-7)"
            )

    def _read_waiting(self, value: Any, where: str) -> None:
        levels = sequence(value, where)
        if len(levels) > STACK_SLOTS:
            raise PositionError(f"{where}: {len(levels)} decisions, {STACK_SLOTS} can wait at most")
        state = self.state
        state["depth"] = len(levels)
        for level, entry in enumerate(levels):
            place = f"{where}[{level}]"
            waiting = mapping(entry, place, ("point", "turn", "value"))
            point = _read_point(self, NOBODY, waiting.get("point"), f"{place}.point")
            state["stack_point"][level] = point
            turn = integer(waiting.get("turn", NOBODY), f"{place}.turn", np.int8)
            if turn != NOBODY:
                self.seat(turn, f"{place}.turn")
            state["stack_turn"][level] = turn
            amount = integer(waiting.get("value", 0), f"{place}.value", np.int8, lowest=0)
            state["stack_value"][level] = amount

    def _read_hand(self, value: Any, where: str) -> None:
        workers, citizens = integers(value, where, 2, np.int8)
        if citizens and not self.has("citizens"):
            raise PositionError(f"{where}[1]: {citizens} citizens, but the game has none (I-03)")
        self.state["hand_workers"], self.state["hand_citizens"] = workers, citizens
