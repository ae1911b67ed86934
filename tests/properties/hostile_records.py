"""Records with numbers changed at random: each is refused in one line, or plays to its end.

Whatever a record says, no kernel may crash on it or go on for ever. So portions are played in
processes of their own, and where one dies or hangs the record that it died of is found and named:

    python -m tests.properties.hostile_records --records 10000

"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from rich.console import Console

from prico_env import Games, RuleSet
from prico_env.core.calls import LEAVE, SHOW, step_games
from prico_env.core.state import FIELDS, RANGES, STATE, copy_states
from prico_env.serialization import wrong_records
from prico_env.serialization.record_checks import lay_out_what_follows
from tests.oracle.invariants import broken_invariants
from tests.rule_sets import ALL_RULE_SETS, rule_set_id

RULE_SETS: Final = [
    RuleSet(one.players, one.edition, one.expansions, optional_gains=gains, max_rounds=12)
    for gains in ("auto", "ask")
    for one in ALL_RULE_SETS
]
"""Every rule set, with optional gains taken and asked for; games end after some rounds."""
PORTION: Final = 5 * len(RULE_SETS)
"""Records that one process looks at."""
MOST_DECISIONS: Final = 5_000
"""More than a game of twelve rounds has."""
MOST_SECONDS: Final = 600
"""After so long a process is taken to hang."""
_COMMAND: Final = "tests.properties.hostile_records"
_CHECKED_CLOSELY: Final = 60
_CHECKED_EVERY: Final = 7
_CHANGES_LISTED: Final = 8


class BrokenRecordError(AssertionError):
    """A record was believed, and then crashed, hung or broke an invariant."""


class Tally(NamedTuple):
    """What became of records.

    Attributes:
        unchanged: Records in which the changes cancelled out.
        refused: How many were refused, by the field that was named.
        played: How many changed records were believed and played to their end.
    """

    unchanged: int
    refused: Counter[str]
    played: int


# -- records ---------------------------------------------------------------------------------------


def honest_records(num_records: int, seed: int) -> np.ndarray:
    """Draw positions of random games, at any distance from their deal, of every rule set."""
    rules = [RULE_SETS[(seed + slot) % len(RULE_SETS)] for slot in range(num_records)]
    games = Games(rules, num_records, seed=seed, observe=False)
    chance = np.random.default_rng(seed)
    lengths = chance.integers(0, 260, num_records)
    for decision in range(int(lengths.max())):
        games.step(np.where(lengths > decision, games.sample(), LEAVE))
    states = copy_states(games.state)
    states["rules"] = [RULE_SETS.index(one) for one in rules]
    return states


# -- changes ---------------------------------------------------------------------------------------


def changed_records(states: np.ndarray, seed: int) -> np.ndarray:
    """Change one number of each record, or a few, or put in a part of another of its rule set."""
    changed = copy_states(states)
    chance = np.random.default_rng(seed)
    for state in changed:
        if chance.random() < 1 / 4:
            others = states[states["rules"] == state["rules"]]
            other = others[chance.integers(len(others))]
            for field in _PARTS[chance.integers(len(_PARTS))]:
                state[field] = other[field]
            lay_out_what_follows(RULE_SETS[state["rules"]], state)
            continue
        for _ in range(int(chance.choice((1, 1, 1, 2, 3, 5)))):
            _CHANGES[chance.integers(len(_CHANGES))](state, chance)
        if chance.random() < 1 / 2 and not _out_of_range(state):
            lay_out_what_follows(RULE_SETS[state["rules"]], state)
    return changed


def _out_of_range(state: Any) -> bool:
    """Whether a number of a record is not even in its range."""
    return state["rules"] >= len(RULE_SETS) or any(
        (state[field] < low).any() or (state[field] > high).any()
        for field, _, _, (low, high), _ in FIELDS
    )


def _anything(state: Any, chance: np.random.Generator) -> None:
    """Any number that the type of a field can hold."""
    field, place = _element(chance)
    kind = np.iinfo(STATE[field].base)
    _put(state, field, place, int(chance.integers(kind.min, kind.max, endpoint=True)))


def _in_range(state: Any, chance: np.random.Generator) -> None:
    """Any number in the range of a field, or just outside."""
    field, place = _element(chance)
    low, high = RANGES[field]
    _put(state, field, place, int(chance.integers(low - 1, min(high, 60) + 1, endpoint=True)))


def _off_by_one(state: Any, chance: np.random.Generator) -> None:
    """One more or one less."""
    field, place = _element(chance)
    _put(state, field, place, int(state[field][place]) + int(chance.choice((-1, 1))))


def _moved(state: Any, chance: np.random.Generator) -> None:
    """One less here and one more there, so that the sum stays."""
    field, place = _element(chance)
    shape = STATE[field].shape
    if not shape:
        return
    other = tuple(int(chance.integers(size)) for size in shape)
    held = state[field]
    _put(state, field, place, int(held[place]) - 1)
    _put(state, field, other, int(state[field][other]) + 1)


def _swapped(state: Any, chance: np.random.Generator) -> None:
    """Two elements of a field change places: seats, kinds, spots."""
    field, place = _element(chance)
    shape = STATE[field].shape
    if shape:
        other = (int(chance.integers(shape[0])), *place[1:])
        one, two = int(state[field][place]), int(state[field][other])
        state[field][place], state[field][other] = two, one


def _paid(state: Any, chance: np.random.Generator) -> None:
    """Some pieces go from the table to a seat, or back."""
    source, target = _PAYMENTS[chance.integers(len(_PAYMENTS))]
    place = tuple(int(chance.integers(size)) for size in _SHAPES[target])
    amount = int(chance.integers(-3, 3, endpoint=True))
    of_source = place[1:] if _SHAPES[source] else ()
    _put(state, source, of_source, int(state[source][of_source]) - amount)
    _put(state, target, place, int(state[target][place]) + amount)


def _seats_swapped(state: Any, chance: np.random.Generator) -> None:
    """All that two seats have of a field changes hands."""
    field = chance.choice([name for name, shape in _SHAPES.items() if len(shape) > 1])
    one, two = chance.choice(5, 2, replace=False)
    state[field][[one, two]] = state[field][[two, one]]


_SHAPES: Final = {name: shape for name, _, shape, _, _ in FIELDS}
_CHANGED: Final = [name for name in RANGES if name not in ("rng", "reserved")]
_PAYMENTS: Final = (
    ("bank", "coins"), ("bank", "role_coins"), ("vp_pool", "vp"), ("goods_supply", "goods"),
    ("worker_supply", "portrait_workers"), ("worker_supply", "workers"), ("quarries", "owned"),
    ("register_workers", "portrait_workers"), ("citizen_supply", "portrait_citizens"),
    ("citizen_supply", "citizens"), ("forests", "own_forests"),
)  # fmt: skip
_CHANGES: Final = (
    _anything, _in_range, _in_range, _off_by_one, _off_by_one, _moved, _swapped, _seats_swapped,
    _paid,
)  # fmt: skip


_WAITING: Final = (
    "decision_point", "turn", "value", "depth", "stack_point", "stack_turn", "stack_value",
)  # fmt: skip
_CLOCKWORK: Final = (
    *_WAITING, "phase", "actor", "role", "turns", "role_owner", "role_captor", "picks", "governor",
    "captured",
)  # fmt: skip
_PARTS: Final = (
    _WAITING,
    _CLOCKWORK,
    (*_CLOCKWORK, "smuggler_tile", "role_coins", "bank", "coins",
     *_CHANGED[_CHANGED.index("drawn"):]),
    ("goods", "goods_supply", "house", "ship_good", "ship_load", "festival_goods"),
    (*_CHANGED[_CHANGED.index("owned"):_CHANGED.index("island_used")], "worker_supply",
     "citizen_supply", "register_workers", "register_citizens", "forests", "quarries", "row",
     "deck", "deck_size", "discard", "building_supply", "board", "festival_building",
     "festival_estate"),
    ("cursor", "value"),
    ("vp", "vp_pool"),
)  # fmt: skip
"""Parts of a record that may go with another one: what waits, clockwork, goods, boards, VP."""


def _element(chance: np.random.Generator) -> tuple[str, tuple[int, ...]]:
    """A field, each as likely, and a place in it."""
    field = _CHANGED[chance.integers(len(_CHANGED))]
    return field, tuple(int(chance.integers(size)) for size in _SHAPES[field])


def _put(state: Any, field: str, place: tuple[int, ...], number: int) -> None:
    """Write a number, as far as the type of the field can hold it."""
    kind = np.iinfo(STATE[field].base)
    number = max(kind.min, min(number, kind.max))
    if place:
        state[field][place] = number
    else:
        state[field] = number


# -- judging ---------------------------------------------------------------------------------------


def judge(honest: np.ndarray, changed: np.ndarray, seed: int) -> Tally:
    """Check records, and play those that are believed to their end.

    Raises:
        BrokenRecordError: A refusal is no single line, or a record that is believed breaks an
            invariant or goes on for ever.
    """
    wrong = wrong_records(RULE_SETS, changed)
    for line in wrong.values():
        if "\n" in line or ":" not in line:
            raise BrokenRecordError(f"a refusal that is not one line of field and reason: {line!r}")
    is_same = [one.tobytes() == other.tobytes() for one, other in zip(honest, changed, strict=True)]
    believed = np.setdiff1d(np.flatnonzero(~np.array(is_same)), list(wrong))
    if len(believed) > 0:
        _play_to_the_end(changed[believed], seed)
    named = Counter(line.split(":")[0].split("[")[0] for line in wrong.values())
    return Tally(sum(is_same), named, len(believed))


def _play_to_the_end(states: np.ndarray, seed: int) -> None:
    """Play records at random to their end, and check every position of the beginning."""
    games = _batch_of(states, seed)
    games.check()
    table = np.concatenate([one.table for one in games.rule_sets])
    for decision in range(MOST_DECISIONS):
        if decision < _CHECKED_CLOSELY or decision % _CHECKED_EVERY == 0:
            broken = broken_invariants(table, games.state)
            if broken:
                raise BrokenRecordError(f"after {decision} decisions: {broken}")
        if games.over.all():
            return
        games.step(games.sample())
    raise BrokenRecordError(f"{np.count_nonzero(~games.over)} games go on for ever")


def _batch_of(states: np.ndarray, seed: int) -> Games:
    """Put records into a batch, unchecked."""
    games = Games([RULE_SETS[row] for row in states["rules"]], len(states), seed=seed)
    rows = games.state["rules"].copy()
    games.state[:] = states
    games.state["rules"] = rows
    return games


def scramble(honest: np.ndarray, seed: int) -> np.ndarray:
    """Draw a third of all fields anew, each number in its range: nothing fits together any more."""
    states = copy_states(honest)
    chance = np.random.default_rng(seed)
    for state in states:
        for field, _, shape, (low, high), _ in FIELDS:
            if field not in ("rules", "rng") and chance.random() < 1 / 3:
                state[field] = chance.integers(low, min(high, 30), shape or None, endpoint=True)
    return states


def look_unchecked(states: np.ndarray, seed: int) -> None:
    """Let kernels find the next choice of records that nobody has checked: they come to an end.

    A table may be asked for what it does not have, which is an IndexError.
    """
    games = _batch_of(states, seed)
    for game in range(len(games)):
        actions = np.full(len(games), SHOW)
        try:
            step_games(games._arrays(), actions, 0, 0, game, game + 1)
        except IndexError:
            continue


# -- portions, each in a process of its own --------------------------------------------------------


def judge_apart(num_records: int, seed: int) -> Tally:
    """Judge records in another process, and name the one that it dies of or hangs on.

    Raises:
        BrokenRecordError: Names the record: its draw, what was changed in it, and what happened.
    """
    answer, problem = _ask(num_records, seed, range(num_records))
    if not problem:
        unchanged, refused, played = json.loads(answer)
        return Tally(unchanged, Counter(refused), played)
    rows = list(range(num_records))
    while len(rows) > 1:
        half = rows[: len(rows) // 2]
        _, problem_of_half = _ask(num_records, seed, half)
        rows = half if problem_of_half else rows[len(rows) // 2 :]
        problem = problem_of_half or problem
    raise BrokenRecordError(f"{describe(num_records, seed, rows[0])}: {problem}")


def describe(num_records: int, seed: int, row: int) -> str:
    """Say which record of a draw this is, and what was changed in it."""
    honest = honest_records(num_records, seed)
    was, now = honest[row], changed_records(honest, seed)[row]
    changes = [
        f"{field}{list(map(int, place)) if place else ''} {one} -> {other}"
        for field in STATE.names or ()
        for place in np.ndindex(STATE[field].shape)
        if (one := was[field][place]) != (other := now[field][place])
    ]
    rules = RULE_SETS[was["rules"]]
    return (
        f"record {row} of draw {seed} with {num_records} ({rule_set_id(rules)}, "
        f"{rules.optional_gains}; {'; '.join(changes[:_CHANGES_LISTED])})"
    )


def _ask(num_records: int, seed: int, rows: Sequence[int]) -> tuple[str, str]:
    """Judge some records of a draw in another process; returns its answer, or what happened."""
    command = [sys.executable, "-m", _COMMAND, "--portion", str(num_records), "--seed", str(seed)]
    try:
        done = subprocess.run(
            command, input=json.dumps(list(rows)), capture_output=True, text=True,
            timeout=MOST_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "", f"not done after {MOST_SECONDS} s"
    if done.returncode == 0:
        return done.stdout, ""
    last = done.stderr.strip().splitlines()[-1:]
    return "", f"status {done.returncode} {' '.join(last)}"


def _judge_here(num_records: int, seed: int, rows: Sequence[int]) -> Tally:
    honest = honest_records(num_records, seed)
    changed = changed_records(honest, seed)
    tally = judge(honest[list(rows)], changed[list(rows)], seed)
    look_unchecked(scramble(honest[list(rows)], seed), seed)
    return tally


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge as many records as the command line says, and say what became of them."""
    parser = argparse.ArgumentParser(prog=f"python -m {_COMMAND}")
    parser.add_argument("--records", type=int, default=10_000, help="how many (default 10000)")
    parser.add_argument("--seed", type=int, default=0, help="the first draw (default 0)")
    parser.add_argument("--portion", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.portion is not None:
        tally = _judge_here(options.portion, options.seed, json.load(sys.stdin))
        sys.stdout.write(json.dumps(tally))
        return
    unchanged, refused, played = 0, Counter[str](), 0
    for portion in range(-(-options.records // PORTION)):
        tally = judge_apart(PORTION, options.seed + portion)
        unchanged, played = unchanged + tally.unchanged, played + tally.played
        refused.update(tally.refused)
    Console().print(
        f"{refused.total():,} changed records refused in one line each, by {len(refused)} fields; "
        f"{played:,} believed and played to their end with every invariant; {unchanged:,} had not "
        f"changed after all. As many scrambled records, unchecked, kept no kernel busy for ever."
    )


if __name__ == "__main__":
    main()
