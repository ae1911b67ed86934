"""One record is one game: its fields, what they mean, and how a record is read and copied.

Everything that changes during a game is in its record, the random generator included. Copying a
record copies the game, and an array of records is a batch. What belongs to the expansions has its
place already, so that saved games keep their meaning when expansions are played.

Counts are small signed integers on purpose: arithmetic on them gives the same result compiled and
in plain Python (an unsigned count would wrap around below zero there).
"""

import enum
from typing import Any, Final, TypeAlias

import numpy as np

from prico_env.vocabulary import (
    DECK_SLOTS,
    FOREST,
    MAX_BARRELS,
    MAX_PLAYERS,
    NOBODY,
    NOT_IN_PLAY,
    NUM_BUILDINGS,
    NUM_GOODS,
    NUM_POWERS,
    NUM_ROLES,
    NUM_SHIPS,
    NUM_SPOTS,
    DecisionPoint,
    EndReason,
    Good,
    Outcome,
    Phase,
    UsedOnce,
)

State: TypeAlias = Any
"""One game: a record of :data:`STATE`."""

STACK_SLOTS: Final = 6
"""How deep decisions may interrupt one another."""

_PLAYERS = MAX_PLAYERS


def _one_of(kind: type[enum.IntEnum]) -> tuple[int, int]:
    """The range of a number that names a member."""
    return min(kind), max(kind)


def _bits_of(kind: type[enum.IntEnum]) -> tuple[int, int]:
    """The range of a number whose bits are members."""
    return 0, sum(kind)


# A range is what kernels rely on, whatever the rule set; how many there are in a game is a matter
# of its invariants. Large counts keep away from where a number of 16 bits ends.
_FLAG = (0, 1)
_COUNT = (0, 2**7 - 1)
_LARGE_COUNT = (0, 2**14 - 1)
_ACCOUNT = (-(2**14), 2**14 - 1)
_BARRELS = (0, MAX_BARRELS)
_SEAT_OR_NOBODY = (NOBODY, _PLAYERS - 1)
_GOOD_OR_NONE = (NOBODY, NUM_GOODS - 1)
_BUILDING_OR_NONE = (NOBODY, NUM_BUILDINGS - 1)

# fmt: off
FIELDS: Final = (
    # -- the clockwork -----------------------------------------------------------------------------
    ("rng", "u4", (4,), (0, 2**32 - 1), "The game's random generator (SFC32)."),
    ("rules", "i2", (), _LARGE_COUNT, "Which row of the rules table this game is played by."),
    ("round", "i2", (), (1, 2**15 - 1), "The round being played, from 1."),
    ("outcome", "i1", (), _one_of(Outcome), "An `Outcome`: running, finished or truncated."),
    ("end_reasons", "i1", (), _bits_of(EndReason),
     "Bits of `EndReason`; not zero means that this round is the last."),
    ("phase", "i1", (), _one_of(Phase), "A `Phase`."),
    ("decision_point", "i1", (), _one_of(DecisionPoint),
     "A `DecisionPoint`: where the game waits."),
    ("turn", "i1", (), _SEAT_OR_NOBODY, "The seat to decide, -1 when the game is over."),
    ("value", "i2", (), _COUNT, "What a decision is about: an amount, or what is left to choose."),
    ("depth", "i1", (), (0, STACK_SLOTS), "How many decisions wait below this one."),
    ("stack_point", "i1", (STACK_SLOTS,), _one_of(DecisionPoint),
     "Where each waiting decision goes on."),
    ("stack_turn", "i1", (STACK_SLOTS,), _SEAT_OR_NOBODY, "Whose each waiting decision is."),
    ("stack_value", "i2", (STACK_SLOTS,), _COUNT, "What each waiting decision is about."),
    ("governor", "i1", (), (0, _PLAYERS - 1), "The seat that holds the governor card."),
    ("picks", "i1", (), (0, NUM_ROLES), "Role cards taken this round."),
    ("actor", "i1", (), _SEAT_OR_NOBODY, "The seat that took the current role, -1 between phases."),
    ("role", "i1", (), (NOBODY, NUM_ROLES - 1), "The role being played, -1 between phases."),
    ("turns", "i1", (), (0, _PLAYERS), "Seats that had their turn in this phase or circuit."),
    # -- what lies on the table --------------------------------------------------------------------
    ("role_coins", "i2", (NUM_ROLES,), _LARGE_COUNT, "Coins on each role card."),
    ("role_owner", "i1", (NUM_ROLES,), (NOT_IN_PLAY, _PLAYERS - 1),
     "Who took each card this round; -1 free, -2 not in play."),
    ("role_captor", "i1", (NUM_ROLES,), _SEAT_OR_NOBODY,
     "Smuggler: who captured each card this round."),
    ("smuggler_tile", "i1", (), _SEAT_OR_NOBODY, "Smuggler: who holds the tile, -1 nobody."),
    ("worker_supply", "i2", (), _LARGE_COUNT, "Workers in the supply."),
    ("citizen_supply", "i1", (), _COUNT, "Citizens in the supply."),
    ("register_workers", "i2", (), _LARGE_COUNT, "Workers on the register."),
    ("register_citizens", "i1", (), _COUNT, "Citizens on the register."),
    ("goods_supply", "i1", (NUM_GOODS,), _COUNT, "Barrels in the supply."),
    ("vp_pool", "i2", (), _ACCOUNT, "VP left; below zero they are written on paper."),
    ("bank", "i2", (), _ACCOUNT, "Coins in the bank; a signed account."),
    ("quarries", "i1", (), _COUNT, "Quarries left."),
    ("forests", "i1", (), _COUNT, "Forest tiles left (classic)."),
    ("row", "i1", (NUM_GOODS,), _COUNT, "Plantations face up, by kind."),
    ("discard", "i1", (NUM_GOODS,), _COUNT, "Plantations laid aside, by kind."),
    ("deck_size", "i1", (), (0, DECK_SLOTS), "Plantations face down."),
    ("deck_tiles", "i1", (NUM_GOODS,), (0, DECK_SLOTS), "How many of them there are of each kind."),
    ("deck", "i1", (DECK_SLOTS,), _one_of(Good),
     "Their kinds; the last of the first `deck_size` is drawn next."),
    ("building_supply", "i1", (NUM_BUILDINGS,), _COUNT, "Copies left to buy."),
    ("board", "i1", (NUM_BUILDINGS,), _FLAG, "New buildings: whether the type is in the game."),
    ("ship_good", "i1", (NUM_SHIPS,), _GOOD_OR_NONE, "What each ship carries, -1 nothing."),
    ("ship_load", "i1", (NUM_SHIPS,), _COUNT, "How many barrels it carries."),
    ("house", "i1", (NUM_GOODS,), _COUNT, "Barrels in the trading house, by kind."),
    ("festival_estate", "i1", (), _GOOD_OR_NONE,
     "Festival: plantation kind of the goal, -1 none or won."),
    ("festival_goods", "i1", (NUM_GOODS,), _COUNT, "Festival: barrels of the goods goal."),
    ("festival_building", "i1", (), _BUILDING_OR_NONE,
     "Festival: building of the goal, -1 none or won."),
    # -- what each seat has ------------------------------------------------------------------------
    ("coins", "i2", (_PLAYERS,), _LARGE_COUNT, "Coins."),
    ("vp", "i2", (_PLAYERS,), _LARGE_COUNT, "VP chips, and VP on paper."),
    ("goods", "i1", (_PLAYERS, NUM_GOODS), _COUNT, "Barrels."),
    ("owned", "i1", (_PLAYERS, NUM_SPOTS), _COUNT,
     "Island tiles by kind, then buildings owned (0 or 1)."),
    ("workers", "i1", (_PLAYERS, NUM_SPOTS), _COUNT, "Workers on each spot."),
    ("citizens", "i1", (_PLAYERS, NUM_SPOTS), _COUNT, "Citizens on each spot."),
    ("own_forests", "i1", (_PLAYERS,), _COUNT, "Forests on the island."),
    ("forest_kinds", "i1", (_PLAYERS, NUM_GOODS), _COUNT, "1897: printed kinds of one's forests."),
    ("forest_blind", "i1", (_PLAYERS, NUM_GOODS), _COUNT, "1897: those only their owner has seen."),
    ("portrait_workers", "i1", (_PLAYERS,), _COUNT, "Workers not placed."),
    ("portrait_citizens", "i1", (_PLAYERS,), _COUNT, "Citizens not placed."),
    ("island_used", "i1", (_PLAYERS,), _COUNT, "Island spaces filled."),
    ("city_used", "i1", (_PLAYERS,), _COUNT, "City spaces filled."),
    ("powers", "i1", (_PLAYERS, NUM_POWERS), _COUNT,
     "What one's occupied buildings give right now."),
    # -- what a phase remembers --------------------------------------------------------------------
    ("drawn", "i1", (), (NOBODY, FOREST), "Settler: the tile drawn this turn, -1 none."),
    ("taken", "i1", (), (NOBODY, FOREST), "Settler: the tile taken this turn, -1 none."),
    ("bought", "i1", (), _BUILDING_OR_NONE, "Builder: the building bought this turn, -1 none."),
    ("recalled", "i1", (NUM_SPOTS,), (0, 3),
     "Mayor: spots it took workers (1) and citizens (2) back from."),
    ("cursor", "i1", (), (0, 2 * NUM_SPOTS - 1),
     "Staffing and storage: the lowest spot or good still to come."),
    ("produced", "i1", (_PLAYERS, NUM_GOODS), _BARRELS, "Craftsman: barrels produced this phase."),
    ("privilege_goods", "i1", (NUM_GOODS,), _BARRELS, "Craftsman: barrels of the privilege."),
    ("circuit_loads", "i1", (), (0, _PLAYERS), "Captain: loads in this circuit."),
    ("first_circuit", "i1", (), _FLAG, "Captain: whether the first circuit is on."),
    ("captain_loaded", "i1", (), _FLAG, "Captain: whether the actor has had the privilege."),
    ("wharf_used", "i1", (_PLAYERS,), _FLAG, "Captain: whether the own ship has sailed."),
    ("small_wharf_used", "i1", (_PLAYERS,), _FLAG, "Captain: whether the small one has."),
    ("passed", "i1", (_PLAYERS,), _FLAG, "Captain: whether this seat's last turn was a pass."),
    ("used_once", "i1", (_PLAYERS,), _bits_of(UsedOnce),
     "What was done once in this phase or turn: bits of `UsedOnce`."),
    ("stored", "i1", (NUM_GOODS,), _FLAG, "Storage: kinds this seat keeps whole."),
    ("kept", "i1", (NUM_GOODS,), _BARRELS, "Storage: single barrels this seat keeps."),
    ("captured", "i1", (), _FLAG, "Smuggler: whether a captured role is being played (R-SMG-14)."),
    ("hand_workers", "i1", (), _COUNT, "Workers in hand, to be placed at once (poach, festival)."),
    ("hand_citizens", "i1", (), _COUNT,
     "Citizens in hand, to be placed at once (poach, festival)."),
    ("idle_turns", "i1", (), (0, _PLAYERS), "Captain: turns in a row without loading."),
    ("reserved", "i1", (64,), (0, 0), "Room for what is not thought of yet."),
)
# fmt: on
"""Every field: name, type of an element, shape, the least and the greatest number, meaning."""

RANGES: Final = {name: limits for name, _, _, limits, _ in FIELDS}
"""The least and the greatest number of every field."""

STATE: Final = np.dtype([(name, kind, shape) for name, kind, shape, *_ in FIELDS])
"""The record of one game. It has no padding; its bytes are the saved game."""


def new_states(num_games: int) -> np.ndarray:
    """Make blank records, all zero, shape ``(num_games,)``; `engine.deal` sets them up."""
    return states_in(bytearray(num_games * STATE.itemsize))


def states_in(data: bytes | bytearray) -> np.ndarray:
    """Return the records that lie in a buffer; writable, and without a copy, in a bytearray."""
    return np.frombuffer(data, dtype=STATE)


def copy_states(states: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Copy records at once; NumPy's own copy goes field by field and takes forty times as long.

    Args:
        states: Records, shape ``(num_games,)``.
        out: Where to; new ones by default.
    """
    if out is None:
        return states_in(bytearray(states.tobytes()))
    out.view(np.uint8)[:] = states.view(np.uint8)
    return out


def take_states(states: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Copy the records of some rows, shape ``(rows,)``, each as a block of bytes as above."""
    return states.view(np.dtype((np.void, STATE.itemsize)))[rows].view(STATE)
