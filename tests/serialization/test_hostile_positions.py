"""Whatever stands at any key of a position is read, or refused in words of the project's own."""

import copy
import json
import random
import warnings

import numpy as np
import pytest

from prico_env import Game, RuleSet
from prico_env.errors import PositionError, PricoError
from prico_env.testing import random_play
from tests.rule_sets import EXPANDED_RULE_SETS

DRAWN = 1500
LONGEST = 2_100


def nested(around, depth: int = 5000):
    found = around(0)
    for _ in range(depth):
        found = around(found)
    return found


VALUES = (
    None, True, False, 1.0, 1.5, float("nan"), float("inf"), 1j,
    "", "x", "1", "corn", "\ud800", "\n\u2028", "x" * 100_000, b"x", bytearray(b"corn"),
    [], [1], ["corn"], [None], [[1, 2]], (1, 2), ("corn",), {1, 2}, range(3), iter([1]),
    {}, {"x": 1}, {1: 2}, {None: 1}, {"corn": 1}, {"corn": None}, {("corn",): 1},
    np.int64(1), np.int8(-1), np.uint64(2**63), np.bool_(True), np.float64(1), np.str_("corn"),
    np.array(1), np.array([]), np.array([1]), np.array([1, 0]), np.array([1.5]),
    np.array(["corn"]), np.array([[1, 2], [3, 4]]), np.array([None, {}], dtype=object),
    np.zeros(1, dtype=[("a", "i4")])[0], np.datetime64("2020"),
    0, -1, 127, 128, 32_767, 2**63, 10**30, -(10**30), 10**5000,
    nested(lambda inner: [inner]), nested(lambda inner: {"a": inner}), object(), len,
)  # fmt: skip
KEYS = (None, 1, 1.5, float("nan"), True, b"corn", ("corn",), np.int64(1), 10**5000, "", "\nx",
        "unknown", "\ud800", "x" * 100_000)  # fmt: skip


def played_positions() -> list[dict]:
    """Positions of the base game and of games with each expansion, somewhere on the way."""
    found = []
    for number, rules in enumerate([RuleSet(4), *EXPANDED_RULE_SETS]):
        game = Game(rules, seed=number)
        random_play(game, seed=number, decisions=30 + 45 * number)
        found.append(game.to_dict())
    return found


def places_in(value, place=()):
    """Every key of a position, as the way to it; of lists, the first few entries."""
    yield place
    entries = value.items() if isinstance(value, dict) else []
    entries = enumerate(value[:3]) if isinstance(value, list) else entries
    for key, inner in entries:
        yield from places_in(inner, (*place, key))


def changed(position, place, change):
    """A position with something else at a place."""
    if not place:
        return change(position)
    position = copy.copy(position)
    position[place[0]] = changed(position[place[0]], place[1:], change)
    return position


def drawn_change(chance: random.Random):
    """Another value, one key more or one key less."""
    value, key, what = chance.choice(VALUES), chance.choice(KEYS), chance.random()

    def change(held):
        if isinstance(held, dict) and what < 0.2:
            return {**held, key: value}
        if isinstance(held, dict) and held and what < 0.3:
            return {name: held[name] for name in list(held)[1:]}
        return value

    return change


def test_any_value_at_any_key_is_read_or_refused_in_words():
    chance = random.Random(14)
    positions = played_positions()
    places = [(position, place) for position in positions for place in places_in(position)]
    outcomes = {True: 0, False: 0}
    for _ in range(DRAWN):
        position, place = chance.choice(places)
        hostile = changed(position, place, drawn_change(chance))
        check = chance.random() < 0.5
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                game = Game.from_dict(hostile, check=check)
            except PricoError as error:
                words = str(error)
            else:
                words = "read"
                game.text()
                json.dumps(game.to_dict())
                for _ in range(3):
                    if not game.over:
                        game.step(chance.choice(game.legal_actions()))
        assert words.isprintable(), place
        assert len(words) <= LONGEST, place
        outcomes[words == "read"] += 1
    assert min(outcomes.values()) > DRAWN // 50


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{type(value).__name__}")
def test_a_position_that_is_no_dict_is_refused(value):
    if not isinstance(value, dict) or value:
        with pytest.raises(PositionError):
            Game.from_dict(value)


def test_numbers_and_arrays_of_numpy_are_read_as_lists_and_numbers():
    """As somebody who works with `game.state` has them at hand."""
    position = Game(RuleSet(3), seed=4).to_dict()
    expected = Game.from_dict(position).to_bytes()
    position["rng"] = np.array(position["rng"], dtype=np.uint32)
    position["deck"] = np.array(position["deck"])
    position["vp"], position["turn"] = np.int64(position["vp"]), np.int8(position["turn"])
    position["end_triggered"] = np.bool_(False)
    player = position["players"][0]
    player["island"] = {tile: np.array(held) for tile, held in player["island"].items()}
    player["goods"] = {good: np.int16(held) for good, held in player["goods"].items()}
    position["players"] = np.array(position["players"], dtype=object)
    position["pending"] = {"wharf_used": np.zeros(3, bool), "made": np.array([{}, {}, {}])}
    assert Game.from_dict(position).to_bytes() == expected


def test_pairs_of_workers_and_citizens_are_read_from_arrays():
    """R-X2-1."""
    rules = RuleSet(3, "classic", ("citizens",))
    game = Game.from_dict(
        {"rules": rules.to_dict(), "players": [{"portrait": np.array([1, 2])}]}, check=False
    )
    assert game.state["portrait_workers"][0, 0] == 1
    assert game.state["portrait_citizens"][0, 0] == 2
