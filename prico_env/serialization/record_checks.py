"""Whether a record can be a game: kernels take its numbers as they are, and look no further.

First every number must lie in its range (`core.state.FIELDS`). Then what follows from the rest of
the record must be as it follows, its clockwork must stand at a decision, and what must hold in
every position must hold here, too.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from prico_env.arguments import items, records
from prico_env.core.calls import LOOK, blank_game, recount_game, step_game
from prico_env.core.phases.craftsman import capacity
from prico_env.core.state import FIELDS, STATE, State, states_in
from prico_env.core.turns import seats_acting
from prico_env.errors import PositionError, RecordError
from prico_env.ruleset import RuleSet, check_rules
from prico_env.serialization.fields import listed, tile_names
from prico_env.serialization.invariants import broken_invariants
from prico_env.serialization.phase_state import PendingReader
from prico_env.vocabulary import (
    CITY_SPACES,
    DECISION_POINTS,
    HOUSE_SLOTS,
    NOBODY,
    NOT_IN_PLAY,
    NUM_GOODS,
    NUM_TILES,
    PHASES,
    POINTS,
    ROLES,
    Asker,
    BuildingClass,
    DecisionPoint,
    EndReason,
    Good,
    Outcome,
    Phase,
    Power,
    Role,
)

_MOST_TOLD: Final = 3


def check_record(rules: RuleSet, states: np.ndarray) -> None:
    """Refuse a record that cannot be a game.

    Args:
        rules: The rule set the game is played by.
        states: The record, shape ``(1,)``.

    Raises:
        RecordError: Names a field, what it holds, and why that cannot be.
    """
    wrong = wrong_records((check_rules(rules),), states)
    if wrong:
        raise RecordError(wrong[0])


def check_ranges(states: np.ndarray) -> None:
    """Refuse records with a number out of its range, such as damage brings; positions pass.

    Raises:
        RecordError: Names a field, what it holds, and its range.
    """
    for line in _out_of_range(records(states, STATE)).values():
        raise RecordError(line)


def wrong_records(rule_sets: Iterable[RuleSet], states: np.ndarray) -> dict[int, str]:
    """Find the records that cannot be games.

    Args:
        rule_sets: The rule sets that the records are played by, by their numbers there.
        states: The records, shape ``(n,)``.

    Returns:
        What is wrong with each wrong record, one line, by its place.
    """
    wrong = _out_of_range(records(states, STATE))
    rule_sets = [check_rules(rules) for rules in items(rule_sets, "rule sets")]
    for place, state in enumerate(states):
        if place in wrong:
            continue
        if (number := int(state["rules"])) >= len(rule_sets):
            wrong[place] = f"rules: {number}, but there are {len(rule_sets)} rule sets"
        elif problems := _problems(rule_sets[number], state):
            more = len(problems) - _MOST_TOLD
            told = "; ".join(problems[:_MOST_TOLD])
            wrong[place] = told + (f"; and {more} more" if more > 0 else "")
    return dict(sorted(wrong.items()))


# -- ranges ----------------------------------------------------------------------------------------


class _Elements(NamedTuple):
    """All elements of one type in a record: where their bytes lie, and between what they lie."""

    kind: str
    places: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    names: tuple[str, ...]


def _elements(kind: str) -> _Elements:
    """Lay the ranges of all fields of one type out by element."""
    rows: list[tuple[int, int, int, str]] = []
    size = np.dtype(kind).itemsize
    for name, kind_of_field, shape, (low, high), _ in FIELDS:
        if kind_of_field == kind:
            start = STATE.fields[name][1]  # type: ignore[index]
            for number, index in enumerate(np.ndindex(shape)):
                place = f"{name}{''.join(f'[{one}]' for one in index)}"
                rows.append((start + number * size, low, high, place))
    starts, lowest, highest, names = zip(*rows, strict=True)
    places = np.array(starts)[:, None] + np.arange(size)
    return _Elements(kind, places, np.array(lowest), np.array(highest), names)


_TYPES: Final = tuple(_elements(kind) for kind in dict.fromkeys(kind for _, kind, *_ in FIELDS))


def _out_of_range(states: np.ndarray) -> dict[int, str]:
    """Find the records with a number out of its range, all at once, and name the first of each."""
    data = np.ascontiguousarray(states).view(np.uint8).reshape(len(states), STATE.itemsize)
    found: dict[int, str] = {}
    for kind, places, lowest, highest, names in _TYPES:
        held = data.take(places, axis=1).view(f"<{kind}")[..., 0]
        outside = (held < lowest) | (held > highest)
        for place in np.flatnonzero(outside.any(axis=1)).tolist():
            element = int(outside[place].argmax())
            low, high = lowest[element], highest[element]
            found.setdefault(
                place,
                f"{names[element]}: {held[place, element]} is out of range; it may be {low} "
                f"to {high}",
            )
    return found


# -- what follows ----------------------------------------------------------------------------------


def _problems(rules: RuleSet, state: State) -> list[str]:
    """Say what is wrong with a record whose numbers lie in their ranges."""
    problems = _names(rules, state) or _what_follows(rules, state) or _clockwork(rules, state)
    if problems:
        return problems
    try:
        PendingReader(rules, state).check_places()
    except PositionError as error:
        return [str(error)]
    problems = [*broken_invariants(rules, state), *_moments(rules, state)]
    return problems or _nothing_to_decide(rules, state)


def _game_of(rules: RuleSet, state: State) -> np.ndarray:
    """Return the bytes of a game with a copy of a record, as compiled calls take it."""
    game = blank_game(rules).copy()
    game[: STATE.itemsize] = np.frombuffer(state.tobytes(), np.uint8)
    return game


def _nothing_to_decide(rules: RuleSet, state: State) -> list[str]:
    """A game waits where its seat has a choice: nothing else needs to be done first."""
    game = _game_of(rules, state)
    step_game(game, LOOK)
    if game[: STATE.itemsize].tobytes() == state.tobytes():
        return []
    point = DECISION_POINTS[state["decision_point"]]
    return [f"decision_point: at {point!r} seat {state['turn']} has nothing to decide"]


_SEAT_NUMBERS: Final = (
    "turn", "stack_turn", "governor", "actor", "role_owner", "role_captor", "smuggler_tile",
)  # fmt: skip
"""Fields that hold the number of a seat."""
_OF_SEATS: Final = (
    "coins", "vp", "goods", "owned", "workers", "citizens", "own_forests", "forest_kinds",
    "forest_blind", "portrait_workers", "portrait_citizens", "produced", "wharf_used",
    "small_wharf_used", "passed", "used_once",
)  # fmt: skip
"""Fields with a row for each seat, but for those that follow from others."""
_OF_SPOTS: Final = ("owned", "workers", "citizens")
_OF_MODULES: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("buildings",): ("board", "forests", "own_forests", "forest_kinds", "forest_blind",
                     "small_wharf_used"),
    ("citizens",): ("citizen_supply", "register_citizens", "citizens", "portrait_citizens",
                    "hand_citizens", "used_once"),
    ("smuggler",): ("role_captor", "smuggler_tile", "captured"),
    ("festival",): ("festival_estate", "festival_goods", "festival_building"),
    ("smuggler", "festival"): ("hand_workers",),
}  # fmt: skip
"""Fields that stay as they are at the start where none of some expansions is in the game."""


def _names(rules: RuleSet, state: State) -> list[str]:
    """Every seat and every tile that is named is in the game."""
    for field in _SEAT_NUMBERS:
        if (seat := int(state[field].max())) >= rules.players:
            return [f"{field}: there is no seat {seat}; seats run from 0 to {rules.players - 1}"]
    tiles = tile_names(rules)
    return [
        f"{field}: there is no tile {tile} in this game; they run from 0 to {len(tiles) - 1}"
        for field in ("drawn", "taken")
        if (tile := int(state[field])) >= len(tiles)
    ]


def _what_follows(rules: RuleSet, state: State) -> list[str]:
    """What follows from the rest of the record, or is not in this game, is as it must be."""
    copied = np.array([state], dtype=STATE)
    lay_out_what_follows(rules, copied[0])
    found, right = (np.frombuffer(one.tobytes(), np.uint8) for one in (state, copied))
    if (differs := found != right).any():
        at = int(differs.argmax())
        for kind, places, _, _, names in _TYPES:
            if (elements := np.flatnonzero((places == at).any(axis=1))).size:
                place = places[elements[0]]
                held, follows = (one[place].view(f"<{kind}")[0] for one in (found, right))
                return [
                    f"{names[elements[0]]}: {held}, but from the rest of the record and its rule "
                    f"set follows {follows}"
                ]
    return []


def lay_out_what_follows(rules: RuleSet, state: State) -> None:
    """Write into a record what follows from the rest of it."""
    table, seats = rules.table[0], rules.players
    start = table["start"]
    for modules, fields in _OF_MODULES.items():
        if not set(modules) & set(rules.expansions):
            for field in fields:
                state[field] = start[field]
    for field in _OF_SEATS:
        state[field][seats:] = 0
    for field in _OF_SPOTS:
        state[field][:, table["num_spots"] :] = 0
    if table["forest_source_is_own_stack_12"]:
        state["forest_kinds"][:] = 0
        state["forest_blind"][:] = 0
    else:
        state["forests"] = 0
    state["ship_good"][table["num_ships"] :] = NOBODY
    state["ship_load"][table["num_ships"] :] = 0
    state["deck"][state["deck_size"] :] = 0
    state["deck_tiles"] = np.bincount(state["deck"][: state["deck_size"]], minlength=NUM_GOODS)
    for field in ("stack_point", "stack_turn", "stack_value"):
        state[field][state["depth"] :] = 0
    owned, most = state["owned"].astype(np.int64), np.iinfo(np.int8).max
    island = owned[:, :NUM_TILES].sum(axis=1) + state["own_forests"]
    state["island_used"] = np.minimum(island, most)
    state["city_used"] = np.minimum(owned[:, NUM_TILES:] @ table["spaces"], most)
    game = _game_of(rules, state)
    recount_game(game)
    state["powers"][:seats] = states_in(game[: STATE.itemsize].tobytes())["powers"][0, :seats]
    state["powers"][seats:] = 0
    _lay_out_clockwork(rules, state)


def _lay_out_clockwork(rules: RuleSet, state: State) -> None:
    """Write what the phase and the roles taken say of the clockwork."""
    in_play = rules.table[0]["role_in_play"] > 0
    owners, captors, phase = state["role_owner"], state["role_captor"], state["phase"]
    owners[~in_play] = NOT_IN_PLAY
    owners[in_play] = np.maximum(owners[in_play], NOBODY)
    captors[~in_play] = NOBODY
    captors[Role.SMUGGLER] = NOBODY
    if phase in (Phase.DRAFT, Phase.ROLE, Phase.OVER):
        state["actor"] = state["role"] = NOBODY
        state["captured"] = state["depth"] = 0
    elif state["role"] != NOBODY:
        state["actor"] = owners[state["role"]]
    if phase == Phase.OVER:
        state["turn"] = NOBODY
        return
    taken = (owners >= 0) & (owners != captors)
    state["picks"] = taken.sum()
    if phase == Phase.DRAFT:
        state["turn"] = (state["governor"] + state["board"].sum()) % rules.players
    elif phase == Phase.ROLE:
        state["turn"] = (state["governor"] + state["picks"]) % rules.players
    elif state["role"] != NOBODY:
        role = state["role"]
        state["captured"] = phase != Phase.END and captors[role] == owners[role] != NOBODY


# -- the clockwork ---------------------------------------------------------------------------------

_PASSED_BELOW: Final = {
    DecisionPoint.PHASE_CLOSE: (Phase.SETTLER, Phase.CAPTAIN),
    DecisionPoint.PHASE_END: (
        Phase.SETTLER, Phase.BUILDER, Phase.CRAFTSMAN, Phase.TRADER, Phase.PROSPECTOR,
        Phase.SMUGGLER,
    ),
}  # fmt: skip
"""Points without a decision at which a phase goes on once an interruption is over."""


def _clockwork(rules: RuleSet, state: State) -> list[str]:
    """The game stands at a decision of its phase, and turns have gone round from the actor."""
    phase, point = Phase(state["phase"]), DecisionPoint(state["decision_point"])
    is_over = phase == Phase.OVER
    for name, says in (
        ("outcome", state["outcome"] != Outcome.RUNNING),
        ("decision_point", point == DecisionPoint.GAME_OVER),
    ):
        if says != is_over:
            return [f"{name}: {int(state[name])} contradicts phase {PHASES[phase]!r}"]
    if is_over:
        return []
    if POINTS[point].asker == Asker.NOBODY or state["turn"] == NOBODY:
        return [f"decision_point: at {DECISION_POINTS[point]!r} nobody decides"]
    if phase == Phase.DRAFT:
        return []
    if phase == Phase.ROLE:
        return _picks(rules, state)
    return [*_picks(rules, state), *_roles(rules, state, phase), *_turns(rules, state)]


def _picks(rules: RuleSet, state: State) -> list[str]:
    """Cards are taken in turn from the governor on (R-RND-1)."""
    order = (state["governor"] + np.arange(state["picks"])) % rules.players
    is_taken, is_captors = state["role_owner"] >= 0, state["role_owner"] == state["role_captor"]
    takers = state["role_owner"][is_taken & ~is_captors]
    if (is_taken & is_captors).any() and not (state["captured"] or state["phase"] == Phase.END):
        role = ROLES[int((is_taken & is_captors).argmax())]
        return [f"role_owner: the captor plays {role!r} once the others have theirs (R-SMG-14)"]
    if state["phase"] == Phase.ROLE and state["picks"] >= rules.table[0]["picks_per_round"]:
        return [f"picks: {state['picks']} cards are taken, and the round has no more (R-RND-1)"]
    if sorted(takers) == sorted(order):
        return []
    return [
        f"role_owner: seats {listed(sorted(takers))} have taken cards, but from governor "
        f"{state['governor']} on it was the turn of {listed(sorted(order))} (R-RND-1)"
    ]


def _roles(rules: RuleSet, state: State, phase: Phase) -> list[str]:
    """A phase is opened by its role, and by whoever has taken that (R-RND-2)."""
    role = int(state["role"])
    if role == NOBODY or phase not in (_PHASE_OF_ROLE[role], _AFTER.get(role), Phase.END):
        name = "nobody's role" if role == NOBODY else repr(ROLES[role])
        return [f"role: {name} does not lead to phase {PHASES[phase]!r} (R-RND-2)"]
    if state["actor"] == NOBODY:
        return [f"role_owner[{role}]: {ROLES[role]!r} is played, but nobody has taken it (R-RND-2)"]
    return []


_PHASE_OF_ROLE: Final = tuple(Phase[role.name.split("_")[0]] for role in Role)
_AFTER: Final[dict[int, Phase]] = {Role.CAPTAIN: Phase.STORAGE}


def _turns(rules: RuleSet, state: State) -> list[str]:
    """Turns go round from the actor, and what is interrupted goes on (R-ROL-6)."""
    phase, point = Phase(state["phase"]), DecisionPoint(state["decision_point"])
    turn = int(state["turn"])
    if state["depth"] > 0:
        point, turn = DecisionPoint(state["stack_point"][0]), int(state["stack_turn"][0])
        if POINTS[point].asker == Asker.NOBODY and phase not in _PASSED_BELOW.get(point, ()):
            return [
                f"stack_point[0]: phase {PHASES[phase]!r} does not go on at "
                f"{DECISION_POINTS[point]!r}"
            ]
    actor, turns, seats = (
        int(state["actor"]),
        int(state["turns"]),
        int(seats_acting(rules.table[0], state)),
    )
    is_round = 0 <= turns < seats and turn == (actor + turns) % rules.players
    all_had_theirs = turns == seats and (
        point == DecisionPoint.DEAL or (phase == Phase.CRAFTSMAN and turn == actor)
    )
    if not is_round and not all_had_theirs:
        return [
            f"turns: {turns} of {seats} seats had their turn after seat {actor}, so it is not that "
            f"of seat {turn} (R-ROL-6)"
        ]
    return []


# -- moments ---------------------------------------------------------------------------------------


def _moments(rules: RuleSet, state: State) -> list[str]:
    """What holds in a phase, and once it is over: rows full, ships gone, houses emptied."""
    table, phase = rules.table[0], Phase(state["phase"])
    problems = []
    if state["decision_point"] in (DecisionPoint.RECALL, DecisionPoint.PLACE):
        left = int(state["register_workers"]) + int(state["register_citizens"])
        if left:
            problems.append(f"register_workers: {left} units left when all are dealt (I-21)")
        empty = state["owned"] * table["circles"] - state["workers"] - state["citizens"]
        for turn in range(int(state["turns"])):
            seat = (int(state["actor"]) + turn) % rules.players
            idle = int(state["portrait_workers"][seat]) + int(state["portrait_citizens"][seat])
            if idle and empty[seat].sum():
                problems.append(
                    f"portrait_workers[{seat}]: {idle} units were not placed, but there are empty "
                    "circles (I-20)"
                )
    for reason, has_come in (
        (EndReason.VP, state["vp_pool"] <= 0),
        (EndReason.CITY, state["city_used"].max() >= CITY_SPACES),
    ):
        if has_come and not state["end_reasons"] & reason:
            problems.append(f"end_reasons: {state['end_reasons']} lacks {reason.name} (I-28)")
    if phase == Phase.CRAFTSMAN:
        problems += _produced_too_much(rules, state)
    row, deck = int(state["row"].sum()), int(state["deck_size"]) + int(state["discard"].sum())
    comes_back = table["citizens"] or table["festival"]
    is_laid_out = phase not in (Phase.DRAFT, Phase.SETTLER) and not comes_back
    if row < table["row_size"] and deck and is_laid_out:
        problems.append(f"row: {row} plantations, but a row of {table['row_size']} is full (I-15)")
    full = (state["ship_load"] == table["ship_size"]) & (state["ship_load"] > 0)
    if full.any() and phase not in (Phase.CAPTAIN, Phase.STORAGE):
        problems.append(f"ship_load[{full.argmax()}]: a full ship has sailed (I-23)")
    if (barrels := int(state["house"].sum())) == HOUSE_SLOTS and phase != Phase.TRADER:
        problems.append(f"house: {barrels} barrels, but a full house is emptied (I-24)")
    return problems


def _produced_too_much(rules: RuleSet, state: State) -> list[str]:
    """Nobody has produced more than plantations, plants and aqueduct can (I-32)."""
    table, problems = rules.table[0], []
    is_large = table["building_class"] == BuildingClass.LARGE_PRODUCTION
    for seat, good in np.argwhere(state["produced"]).tolist():
        most = capacity(table, state, seat, good)
        large = NUM_TILES + np.flatnonzero(is_large & (table["crop"] == good))
        is_watered = most and state["powers"][seat, Power.EXTRA_CROP] and good in _WATERED
        if is_watered and (state["workers"][seat, large] + state["citizens"][seat, large]).any():
            most += 1
        if (made := int(state["produced"][seat, good])) > most:
            problems.append(f"produced[{seat}][{good}]: {made}, but {most} can be made (I-32)")
    return problems


_WATERED: Final = (Good.INDIGO, Good.SUGAR)
