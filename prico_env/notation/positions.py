"""A position as a plain dict, both ways: for tests, notebooks and saved games.

What a position does not say has its value at set-up, so a few words make a board. ``to_dict`` says
everything, and reading it back gives the same record, byte for byte.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from prico_env.bank import lay_on_deck, shuffle_deck
from prico_env.engine import deal
from prico_env.errors import PositionError, did_you_mean
from prico_env.notation.invariants import broken_invariants
from prico_env.powers import recount_powers
from prico_env.rng import seed_rng
from prico_env.ruleset import RuleSet
from prico_env.state import STACK_SLOTS, STATE, State, new_states
from prico_env.vocabulary import (
    BUILDINGS,
    CITY_SPACES,
    DECK_SLOTS,
    GOODS,
    ISLAND_SPACES,
    MAX_BARRELS,
    NOBODY,
    NOT_IN_PLAY,
    NUM_GOODS,
    NUM_TILES,
    PHASES,
    POINTS,
    ROLES,
    SPOTS,
    TILES,
    EndReason,
    Outcome,
    Phase,
    Point,
    Role,
)

_BLOCKS: Final = (
    "rules", "round", "governor", "phase", "actor", "turn", "roles", "workers", "citizens", "goods",
    "vp", "quarries", "row", "deck", "discard", "buildings", "ships", "house", "end_triggered",
    "players", "pending", "rng",
)  # fmt: skip
_PLAYER_KEYS: Final = ("coins", "vp", "goods", "island", "city", "portrait")
PENDING_KEYS: Final = (
    "point", "value", "waiting", "turns", "actor", "role", "picks", "outcome", "end_reasons",
    "drawn", "taken", "bought", "recalled", "cursor", "made", "privilege_goods",
    "circuit_loads", "first_circuit", "captain_loaded", "wharf_used", "passed", "stored", "kept",
)  # fmt: skip

_FOLLOWING: Final = (
    "point", "turns", "actor", "role", "picks", "outcome", "end_reasons", "first_circuit",
)  # fmt: skip
"""What follows from the rest of a position: written only where it is otherwise."""

_FIRST_POINT: Final = {
    Phase.ROLE: Point.CHOOSE_ROLE,
    Phase.SETTLER: Point.DRAW_TILE,
    Phase.MAYOR: Point.RECALL,
    Phase.BUILDER: Point.BUY,
    Phase.CRAFTSMAN: Point.PRODUCE,
    Phase.TRADER: Point.SELL,
    Phase.CAPTAIN: Point.LOAD,
    Phase.STORAGE: Point.STORE,
    Phase.PROSPECTOR: Point.PHASE_END,
    Phase.END: Point.PHASE_END,
    Phase.OVER: Point.GAME_OVER,
}
"""Where a seat's turn starts in each phase, once the phase has been opened."""

_PHASE_ROLES: Final = {
    Phase.SETTLER: (Role.SETTLER,),
    Phase.MAYOR: (Role.MAYOR,),
    Phase.BUILDER: (Role.BUILDER,),
    Phase.CRAFTSMAN: (Role.CRAFTSMAN,),
    Phase.TRADER: (Role.TRADER,),
    Phase.CAPTAIN: (Role.CAPTAIN,),
    Phase.STORAGE: (Role.CAPTAIN,),
    Phase.PROSPECTOR: (Role.PROSPECTOR_1, Role.PROSPECTOR_2),
}
"""The role cards that open each phase."""

_REASONS: Final = tuple(reason.name.lower() for reason in EndReason)
_OUTCOMES: Final = tuple(outcome.name.lower() for outcome in Outcome)


# -- writing ---------------------------------------------------------------------------------------


def position_to_dict(rules: RuleSet, state: State) -> dict[str, Any]:
    """Describe a position completely, every block whole.

    Args:
        rules: The rule set the game is played by.
        state: One game, a record.

    Returns:
        The position, made of plain lists, dicts, strings, numbers and booleans (JSON).
    """
    table = rules.table[0]
    seats = range(int(table["num_players"]))
    position: dict[str, Any] = {
        "rules": rules.to_dict(),
        "round": int(state["round"]),
        "governor": int(state["governor"]),
        "phase": PHASES[state["phase"]],
    }
    if Phase(state["phase"]) in _PHASE_ROLES:
        position["actor"] = int(state["actor"])
    position["turn"] = _seat_or_none(state["turn"])
    position["roles"] = {
        ROLES[role]: {
            "coins": int(state["role_coins"][role]),
            "taken_by": _seat_or_none(state["role_owner"][role]),
        }
        for role in range(len(ROLES))
        if state["role_owner"][role] != NOT_IN_PLAY
    }
    position["workers"] = {
        "supply": int(state["worker_supply"]),
        "register": int(state["register_workers"]),
    }
    position["citizens"] = {
        "supply": int(state["citizen_supply"]),
        "register": int(state["register_citizens"]),
    }
    position["goods"] = _named(GOODS, state["goods_supply"])
    position["vp"] = int(state["vp_pool"])
    position["quarries"] = int(state["quarries"])
    position["row"] = _named(GOODS, state["row"])
    position["deck"] = [GOODS[kind] for kind in state["deck"][: state["deck_size"]][::-1]]
    position["discard"] = _named(GOODS, state["discard"])
    position["buildings"] = {
        BUILDINGS[number]: int(state["building_supply"][number])
        for number in range(int(table["num_buildings"]))
        if table["copies"][number] > 0
    }
    position["ships"] = [
        {
            "size": int(table["ship_size"][ship]),
            "good": _name_or_none(GOODS, state["ship_good"][ship]),
            "barrels": int(state["ship_load"][ship]),
        }
        for ship in range(int(table["num_ships"]))
    ]
    position["house"] = [
        good for good, count in zip(GOODS, state["house"], strict=True) for _ in range(count)
    ]
    position["end_triggered"] = bool(state["end_reasons"] != 0)
    position["players"] = [_player_to_dict(state, seat) for seat in seats]
    position["pending"] = _surprising(rules, state, position)
    position["rng"] = [int(number) for number in state["rng"]]
    return position


def _player_to_dict(state: State, seat: int) -> dict[str, Any]:
    tiles, workers = state["tiles"][seat], state["workers"][seat]
    return {
        "coins": int(state["coins"][seat]),
        "vp": int(state["vp"][seat]),
        "goods": _named(GOODS, state["goods"][seat]),
        "island": {
            TILES[kind]: [int(tiles[kind]), int(workers[kind])]
            for kind in range(NUM_TILES)
            if tiles[kind] > 0
        },
        "city": {
            SPOTS[spot]: int(workers[spot])
            for spot in range(NUM_TILES, len(SPOTS))
            if tiles[spot] > 0
        },
        "portrait": int(state["portrait_workers"][seat]),
    }


def _surprising(rules: RuleSet, state: State, position: Mapping[str, Any]) -> dict[str, Any]:
    """Write what the phase remembers, without what follows from the rest of the position."""
    plain = np.array([state], dtype=STATE)
    reader = _Reader(rules, plain[0], position)
    reader.read_clockwork()
    expected = _pending_to_dict(rules, plain[0])
    return {
        key: value
        for key, value in _pending_to_dict(rules, state).items()
        if key not in _FOLLOWING or value != expected[key]
    }


def _pending_to_dict(rules: RuleSet, state: State) -> dict[str, Any]:
    """Write what the phase itself remembers, and where exactly the game waits."""
    seats = range(rules.players)
    return {
        "point": POINTS[state["point"]],
        "value": int(state["value"]),
        "waiting": [
            {
                "point": POINTS[state["stack_point"][level]],
                "turn": int(state["stack_turn"][level]),
                "value": int(state["stack_value"][level]),
            }
            for level in range(int(state["depth"]))
        ],
        "turns": int(state["turns"]),
        "actor": _seat_or_none(state["actor"]),
        "role": _name_or_none(ROLES, state["role"]),
        "picks": int(state["picks"]),
        "outcome": _OUTCOMES[state["outcome"]],
        "end_reasons": [
            name
            for name, reason in zip(_REASONS, EndReason, strict=True)
            if state["end_reasons"] & reason
        ],
        "drawn": _name_or_none(TILES, state["drawn"]),
        "taken": _name_or_none(TILES, state["taken"]),
        "bought": _name_or_none(BUILDINGS, state["bought"]),
        "recalled": {
            SPOTS[spot]: int(state["recalled"][spot])
            for spot in range(len(SPOTS))
            if state["recalled"][spot] != 0
        },
        "cursor": int(state["cursor"]),
        "made": [_named(GOODS, state["made"][seat]) for seat in seats],
        "privilege_goods": _named(GOODS, state["privilege_goods"]),
        "circuit_loads": int(state["circuit_loads"]),
        "first_circuit": bool(state["first_circuit"]),
        "captain_loaded": bool(state["captain_loaded"]),
        "wharf_used": [bool(state["wharf_used"][seat]) for seat in seats],
        "passed": [bool(state["passed"][seat]) for seat in seats],
        "stored": _named(GOODS, state["stored"]),
        "kept": _named(GOODS, state["kept"]),
    }


def _named(names: Sequence[str], counts: np.ndarray) -> dict[str, int]:
    return {name: int(count) for name, count in zip(names, counts, strict=False)}


def _seat_or_none(seat: int) -> int | None:
    return None if seat < 0 else int(seat)


def _name_or_none(names: Sequence[str], number: int) -> str | None:
    return None if number < 0 else names[number]


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
    fields = _mapping(position, "position", _BLOCKS)
    rules = RuleSet.from_dict(_mapping(fields.get("rules", {}), "rules"))
    states = new_states(1)
    state = states[0]
    deal(rules.table[0], state, seed)
    reader = _Reader(rules, state, fields)
    reader.read(seed)
    tiles = int(state["row"].sum()) + int(state["discard"].sum()) + int(state["deck_size"])
    if tiles > DECK_SLOTS:
        raise PositionError(
            f"row, deck and discard: {tiles} plantations, {tiles - DECK_SLOTS} more than the game "
            "has (I-04)"
        )
    if check:
        problems = reader.problems + broken_invariants(rules, state)
        if problems:
            raise PositionError("; ".join(problems))
    return rules, states


class _Reader:
    """Writes the blocks of a position into a freshly dealt record."""

    def __init__(self, rules: RuleSet, state: State, fields: Mapping[str, Any]) -> None:
        self.rules = rules
        self.table = rules.table[0]
        self.state = state
        self.fields = fields
        self.problems: list[str] = []

    def read(self, seed: int) -> None:
        """Read every block; pieces first, because the clockwork follows from them."""
        self._read_table()
        self._read_players()
        self._read_plantations(seed)
        self._read_roles()
        self.read_clockwork()
        self._read_pending()
        if "rng" in self.fields:
            self.state["rng"][:] = self._numbers(self.fields["rng"], "rng", 4, np.uint32)

    # -- the pieces --------------------------------------------------------------------------------

    def _read_table(self) -> None:
        state, fields = self.state, self.fields
        for block, keys in (
            ("workers", {"supply": "worker_supply", "register": "register_workers"}),
            ("citizens", {"supply": "citizen_supply", "register": "register_citizens"}),
        ):
            for key, value in _mapping(fields.get(block, {}), block, tuple(keys)).items():
                self._store(keys[key], value, f"{block}.{key}")
        self._read_counts("goods", fields, "goods_supply")
        self._read_number("vp", "vp_pool")
        self._read_number("quarries", "quarries")
        self._read_number("round", "round")
        if state["round"] < 1:
            raise PositionError(f"round: {state['round']} is below 1, the first round (I-10)")
        for name, value in self._buildings(fields.get("buildings", {}), "buildings").items():
            self._put(state["building_supply"], name, value, f"buildings.{BUILDINGS[name]}")
        self._read_ships()
        if "house" in fields:
            state["house"][:] = 0
            for place, good in enumerate(_sequence(fields["house"], "house")):
                state["house"][_number(good, GOODS, f"house[{place}]", "good")] += 1

    def _read_ships(self) -> None:
        if "ships" not in self.fields:
            return
        state = self.state
        sizes = [int(size) for size in self.table["ship_size"][: self.table["num_ships"]]]
        ships = _sequence(self.fields["ships"], "ships")
        if len(ships) > len(sizes):
            raise PositionError(
                f"ships: {len(ships)} ships, but {len(sizes)} are in play (I-13), "
                f"of sizes {_listed(sizes)}"
            )
        state["ship_good"][: len(sizes)] = NOBODY
        state["ship_load"][: len(sizes)] = 0
        for place, entry in enumerate(ships):
            where = f"ships[{place}]"
            ship = _mapping(entry, where, ("size", "good", "barrels"))
            number = place
            if "size" in ship:
                if ship["size"] not in sizes:
                    raise PositionError(
                        f"{where}.size: no ship has {ship['size']!r} spaces; "
                        f"the ships in play have {_listed(sizes)} (I-13)"
                    )
                number = sizes.index(ship["size"])
            if ship.get("good") is not None:
                state["ship_good"][number] = _number(ship["good"], GOODS, f"{where}.good", "good")
            self._put(state["ship_load"], number, ship.get("barrels", 0), f"{where}.barrels")

    def _read_players(self) -> None:
        players = _sequence(self.fields.get("players", ()), "players")
        if len(players) > self.rules.players:
            raise PositionError(
                f"players: {len(players)} players, but the rule set has {self.rules.players}"
            )
        for seat, entry in enumerate(players):
            self._read_player(seat, _mapping(entry, f"players[{seat}]", _PLAYER_KEYS))
        for seat in range(self.rules.players):
            recount(self.rules, self.state, seat)

    def _read_player(self, seat: int, player: Mapping[str, Any]) -> None:
        state, where = self.state, f"players[{seat}]"
        for key, field in (("coins", "coins"), ("vp", "vp"), ("portrait", "portrait_workers")):
            if key in player:
                self._put(state[field], seat, player[key], f"{where}.{key}")
        self._read_counts("goods", player, "goods", seat, where=f"{where}.goods")
        tiles, workers = state["tiles"][seat], state["workers"][seat]
        if "island" in player:
            tiles[:NUM_TILES] = workers[:NUM_TILES] = 0
            for name, pair in _mapping(player["island"], f"{where}.island").items():
                place = f"{where}.island.{name}"
                kind = _number(name, TILES, place, "tile")
                owned, staffed = self._numbers(pair, place, 2, np.int8)
                tiles[kind], workers[kind] = owned, staffed
        if "city" in player:
            tiles[NUM_TILES:] = workers[NUM_TILES:] = 0
            for number, units in self._buildings(player["city"], f"{where}.city").items():
                tiles[NUM_TILES + number] = 1
                self._put(workers, NUM_TILES + number, units, f"{where}.city.{BUILDINGS[number]}")

    def _read_plantations(self, seed: int) -> None:
        """Lay out row, discard and deck; plantations that are named nowhere are in the deck."""
        if {"row", "deck", "discard", "players"} & set(self.fields):
            seed_rng(self.state["rng"], seed)
            self._read_piles()
            deck = self.state["deck"][: self.state["deck_size"]]
            self.state["deck_tiles"][:] = np.bincount(deck, minlength=NUM_GOODS)

    def _read_piles(self) -> None:
        state, fields = self.state, self.fields
        state["discard"][:] = 0
        self._read_counts("discard", fields, "discard")
        state["deck"][:] = 0
        state["deck_size"] = 0
        elsewhere = state["discard"] + state["tiles"][:, :NUM_GOODS].sum(axis=0)
        if "row" in fields:
            self._read_counts("row", fields, "row")
            elsewhere = elsewhere + state["row"]
            self._read_deck(self.table["plantations"] - elsewhere)
            return
        state["row"][:] = 0
        if "deck" in fields:
            self._read_deck(None)
            named = np.bincount(state["deck"][: state["deck_size"]], minlength=NUM_GOODS)
            deck, size = state["deck"].copy(), int(state["deck_size"])
            self._deal_row(self.table["plantations"] - elsewhere - named)
            state["deck"][:], state["deck_size"] = deck, size
        else:
            self._deal_row(self.table["plantations"] - elsewhere)

    def _deal_row(self, tiles: np.ndarray) -> None:
        """Shuffle these tiles into the deck and turn up a row."""
        self._fill_deck(tiles)
        state = self.state
        for _ in range(min(int(self.table["row_size"]), int(state["deck_size"]))):
            state["deck_size"] -= 1
            state["row"][state["deck"][state["deck_size"]]] += 1
            state["deck"][state["deck_size"]] = 0

    def _fill_deck(self, tiles: np.ndarray) -> None:
        self.state["deck"][:] = 0
        self.state["deck_size"] = 0
        self.state["deck_tiles"][:] = 0
        for kind in range(NUM_GOODS):
            lay_on_deck(self.state, kind, max(0, int(tiles[kind])))
        shuffle_deck(self.state)

    def _read_deck(self, left: np.ndarray | None) -> None:
        """Read a deck in drawing order, or shuffle one from counts or from what is left."""
        deck = self.fields.get("deck")
        if deck is None and left is not None:
            self._fill_deck(np.asarray(left))
            return
        if isinstance(deck, Mapping):
            counts = np.zeros(NUM_GOODS, dtype=np.int64)
            for name, value in deck.items():
                kind = _number(name, GOODS, f"deck.{name}", "plantation")
                counts[kind] = _integer(value, f"deck.{name}", np.int8, lowest=0)
            self._check_deck_size(int(counts.sum()))
            self._fill_deck(counts)
            return
        names = _sequence(deck, "deck")
        self._check_deck_size(len(names))
        kinds = [
            _number(name, GOODS, f"deck[{place}]", "plantation") for place, name in enumerate(names)
        ]
        self.state["deck"][: len(kinds)] = kinds[::-1]
        self.state["deck_size"] = len(kinds)

    def _check_deck_size(self, tiles: int) -> None:
        if tiles > DECK_SLOTS:
            raise PositionError(
                f"deck: {tiles} plantations, {tiles - DECK_SLOTS} more than the game has (I-04)"
            )

    # -- the clockwork -----------------------------------------------------------------------------

    def _read_roles(self) -> None:
        state = self.state
        in_play = [
            name
            for name, owner in zip(ROLES, state["role_owner"], strict=True)
            if owner != NOT_IN_PLAY
        ]
        for name, entry in _mapping(self.fields.get("roles", {}), "roles", ROLES).items():
            role, where = ROLES.index(name), f"roles.{name}"
            if name not in in_play:
                raise PositionError(f"{where}: this card is not in play in {self.rules!r}")
            card = _mapping(entry, where, ("coins", "taken_by"))
            if "coins" in card:
                self._put(state["role_coins"], role, card["coins"], f"{where}.coins")
            if card.get("taken_by") is not None:
                state["role_owner"][role] = self._seat(card["taken_by"], f"{where}.taken_by")
        state["bank"] = self.table["coin_total"] - state["coins"].sum() - state["role_coins"].sum()

    def read_clockwork(self) -> None:
        """Work out from phase, actor and turn where the game stands, and whether it ends."""
        state, fields = self.state, self.fields
        state["governor"] = self._seat(fields.get("governor", 0), "governor")
        phase = Phase(_number(fields.get("phase", "role"), PHASES, "phase", "phase"))
        if phase not in _FIRST_POINT:
            raise PositionError(f"phase: there is no {PHASES[phase]} phase in this game")
        state["phase"] = phase
        state["point"] = _FIRST_POINT[phase]
        state["outcome"] = Outcome.FINISHED if phase == Phase.OVER else Outcome.RUNNING
        state["actor"], state["role"] = self._actor_and_role(phase)
        state["picks"] = sum(owner >= 0 for owner in state["role_owner"].tolist())
        state["first_circuit"] = phase == Phase.CAPTAIN
        if phase == Phase.OVER:
            state["turn"] = NOBODY
        elif fields.get("turn") is not None:
            state["turn"] = self._seat(fields["turn"], "turn")
        elif state["actor"] != NOBODY:
            state["turn"] = state["actor"]
        else:
            state["turn"] = (state["governor"] + state["picks"]) % self.rules.players
        state["turns"] = 0
        if state["actor"] != NOBODY:
            state["turns"] = (state["turn"] - state["actor"]) % self.rules.players
        self._read_end()

    def _actor_and_role(self, phase: Phase) -> tuple[int, int]:
        """Find whose phase it is, and which card opened it; that card counts as taken."""
        owners = self.state["role_owner"]
        cards = _PHASE_ROLES.get(phase, ())
        if not cards:
            actor = self.fields.get("actor")
            return (NOBODY if actor is None else self._seat(actor, "actor")), NOBODY
        taken = [role for role in cards if owners[role] >= 0]
        if self.fields.get("actor") is not None:
            actor = self._seat(self.fields["actor"], "actor")
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
            triggered = _flag(self.fields["end_triggered"], "end_triggered")
            if triggered and reasons == 0:
                reasons = EndReason.WORKERS
            elif reasons and not triggered:
                causes = [reason.name.lower() for reason in EndReason if reasons & reason]
                self.problems.append(
                    f"end_triggered: must be true, because the end was triggered by "
                    f"{_listed(causes)} (I-28)"
                )
                reasons = 0
        state["end_reasons"] = reasons

    # -- what the phase remembers ------------------------------------------------------------------

    def _read_pending(self) -> None:
        pending = _mapping(self.fields.get("pending", {}), "pending", PENDING_KEYS)
        readers: dict[str, Callable[[Any, str], None]] = {
            "point": self._read_point,
            "waiting": self._read_waiting,
            "actor": self._read_actor,
            "role": self._reads_name("role", ROLES, "role"),
            "outcome": self._reads_name("outcome", _OUTCOMES, "outcome"),
            "end_reasons": self._read_end_reasons,
            "drawn": self._reads_name("drawn", TILES, "tile"),
            "taken": self._reads_name("taken", TILES, "tile"),
            "bought": self._reads_name("bought", BUILDINGS, "building"),
            "recalled": self._reads_counts("recalled", SPOTS, "spot"),
            "made": self._read_made,
            "privilege_goods": self._reads_counts("privilege_goods", GOODS, "good"),
            "first_circuit": self._read_flag,
            "captain_loaded": self._read_flag,
            "wharf_used": self._read_flags,
            "passed": self._read_flags,
            "stored": self._reads_counts("stored", GOODS, "good"),
            "kept": self._reads_counts("kept", GOODS, "good"),
        }
        for key, value in pending.items():
            where = f"pending.{key}"
            if key in readers:
                readers[key](value, where)
            else:
                self._store(key, value, where)
        self._check_memory()

    def _check_memory(self) -> None:
        """Refuse what no phase can remember: kernels use these numbers without another look."""
        state = self.state
        limits = {
            "cursor": int(self.table["num_spots"]) - 1,
            "recalled": 1,
            "stored": 1,
            "kept": MAX_BARRELS,
            "made": MAX_BARRELS,
            "privilege_goods": MAX_BARRELS,
            "circuit_loads": self.rules.players,
            "value": MAX_BARRELS,
        }
        for field, highest in limits.items():
            lowest_found, highest_found = int(state[field].min()), int(state[field].max())
            wrong = lowest_found if lowest_found < 0 else highest_found
            if not 0 <= wrong <= highest:
                raise PositionError(
                    f"pending.{field}: {wrong} cannot be; it lies between 0 and {highest} (I-10)"
                )

    def _read_point(self, value: Any, where: str) -> None:
        self.state["point"] = _number(value, POINTS, where, "point")

    def _read_actor(self, value: Any, where: str) -> None:
        self.state["actor"] = NOBODY if value is None else self._seat(value, where)

    def _read_waiting(self, value: Any, where: str) -> None:
        levels = _sequence(value, where)
        if len(levels) > STACK_SLOTS:
            raise PositionError(f"{where}: {len(levels)} decisions, {STACK_SLOTS} can wait at most")
        state = self.state
        state["depth"] = len(levels)
        for level, entry in enumerate(levels):
            place = f"{where}[{level}]"
            waiting = _mapping(entry, place, ("point", "turn", "value"))
            point = _number(waiting.get("point"), POINTS, f"{place}.point", "point")
            state["stack_point"][level] = point
            self._put(state["stack_turn"], level, waiting.get("turn", NOBODY), f"{place}.turn")
            self._put(state["stack_value"], level, waiting.get("value", 0), f"{place}.value")

    def _read_end_reasons(self, value: Any, where: str) -> None:
        bits = 0
        for place, name in enumerate(_sequence(value, where)):
            number = _number(name, _REASONS, f"{where}[{place}]", "reason")
            bits |= list(EndReason)[number]
        if "end_triggered" in self.fields and bool(bits) != bool(self.fields["end_triggered"]):
            raise PositionError(f"{where}: {value!r} contradicts end_triggered")
        self.state["end_reasons"] = bits

    def _read_made(self, value: Any, where: str) -> None:
        self.state["made"][:] = 0
        for seat, counts in enumerate(self._per_seat(value, where)):
            place = f"{where}[{seat}]"
            self._read_counts("made", {"made": counts}, "made", seat, where=place)

    def _read_flag(self, value: Any, where: str) -> None:
        self.state[where.rpartition(".")[2]] = _flag(value, where)

    def _read_flags(self, value: Any, where: str) -> None:
        field = self.state[where.rpartition(".")[2]]
        for seat, flag in enumerate(self._per_seat(value, where)):
            field[seat] = _flag(flag, f"{where}[{seat}]")

    def _reads_name(
        self, field: str, names: Sequence[str], noun: str
    ) -> Callable[[Any, str], None]:
        def read(value: Any, where: str) -> None:
            self.state[field] = NOBODY if value is None else _number(value, names, where, noun)

        return read

    def _reads_counts(
        self, field: str, names: Sequence[str], noun: str
    ) -> Callable[[Any, str], None]:
        def read(value: Any, where: str) -> None:
            counts = self.state[field]
            counts[:] = 0
            for name, count in _mapping(value, where).items():
                number = _number(name, names, f"{where}.{name}", noun)
                self._put(counts, number, count, f"{where}.{name}")

        return read

    # -- small readers -----------------------------------------------------------------------------

    def _read_number(self, key: str, field: str) -> None:
        if key in self.fields:
            self._store(field, self.fields[key], key)

    def _read_counts(
        self,
        key: str,
        fields: Mapping[str, Any],
        field: str,
        seat: int | None = None,
        where: str = "",
    ) -> None:
        """Read counts by good; a kind left out is 0."""
        if key not in fields:
            return
        where = where or key
        counts = self.state[field] if seat is None else self.state[field][seat]
        counts[:] = 0
        for name, value in _mapping(fields[key], where).items():
            place = f"{where}.{name}"
            self._put(counts, _number(name, GOODS, place, "good"), value, place)

    def _store(self, field: str, value: Any, where: str) -> None:
        self.state[field] = _integer(value, where, STATE[field])

    def _put(self, array: np.ndarray, place: int, value: Any, where: str) -> None:
        array[place] = _integer(value, where, array.dtype)

    def _numbers(self, value: Any, where: str, size: int, dtype: Any) -> list[int]:
        numbers = _sequence(value, where)
        if len(numbers) != size:
            raise PositionError(f"{where}: {value!r} should be a list of {size} numbers")
        return [_integer(number, f"{where}[{i}]", dtype) for i, number in enumerate(numbers)]

    def _per_seat(self, value: Any, where: str) -> Sequence[Any]:
        entries = _sequence(value, where)
        if len(entries) != self.rules.players:
            raise PositionError(f"{where}: {len(entries)} entries for {self.rules.players} players")
        return entries

    def _seat(self, value: Any, where: str) -> int:
        seat = _integer(value, where, np.int8)
        if not 0 <= seat < self.rules.players:
            raise PositionError(
                f"{where}: there is no seat {seat}; seats run from 0 to {self.rules.players - 1}"
            )
        return seat

    def _buildings(self, block: Any, where: str) -> dict[int, Any]:
        """Read building names into numbers, those of this game only."""
        in_game = tuple(
            BUILDINGS[number]
            for number in range(int(self.table["num_buildings"]))
            if self.table["copies"][number] > 0
        )
        return {
            BUILDINGS.index(in_game[_number(name, in_game, f"{where}.{name}", "building")]): value
            for name, value in _mapping(block, where).items()
        }


def recount(rules: RuleSet, state: State, seat: int) -> None:
    """Work out anew what follows from a seat's tiles and units."""
    table = rules.table[0]
    tiles = state["tiles"][seat].astype(np.int64)
    island = int(tiles[:NUM_TILES].sum()) + int(state["own_forests"][seat])
    city = int((tiles[NUM_TILES:] * table["spaces"]).sum())
    for board, used, spaces in (("island", island, ISLAND_SPACES), ("city", city, CITY_SPACES)):
        if used > np.iinfo(np.int8).max:
            raise PositionError(
                f"players[{seat}].{board}: {used} spaces are used, {used - spaces} more than "
                "there are (I-11)"
            )
    state["island_used"][seat], state["city_used"][seat] = island, city
    recount_powers(table, state, seat)


def _mapping(value: Any, where: str, keys: Sequence[str] | None = None) -> Mapping[str, Any]:
    """Return a block, refusing anything but a dict with these keys."""
    if not isinstance(value, Mapping):
        raise PositionError(f"{where}: {value!r} should be a dict")
    if keys is not None:
        for key in value:
            if key not in keys:
                place = str(key) if where == "position" else f"{where}.{key}"
                raise PositionError(f"{place}: there is no such field{did_you_mean(key, keys)}")
    return value


def _sequence(value: Any, where: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise PositionError(f"{where}: {value!r} should be a list")
    return value


def _number(value: Any, names: Sequence[str], where: str, noun: str) -> int:
    """Return the number of a name."""
    if value not in names:
        raise PositionError(f"{where}: no {noun} is called {value!r}{did_you_mean(value, names)}")
    return names.index(value)


def _integer(value: Any, where: str, dtype: Any, lowest: int | None = None) -> int:
    """Return a whole number that its field can hold."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise PositionError(f"{where}: {value!r} should be a whole number")
    limits = np.iinfo(np.dtype(dtype).base)
    floor = int(limits.min) if lowest is None else lowest
    if not floor <= value <= limits.max:
        raise PositionError(f"{where}: {value} is out of range; it may be {floor} to {limits.max}")
    return int(value)


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise PositionError(f"{where}: {value!r} should be true or false")
    return bool(value)


def _listed(words: Sequence[Any]) -> str:
    return ", ".join(str(word) for word in words)
