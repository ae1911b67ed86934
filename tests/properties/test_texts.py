"""Whatever is read, from whatever source, is either understood or refused in our own words."""

import copy
import json
import random
from typing import Any

import numpy as np
from hypothesis import given, settings, strategies as st

from prico_env import Game, PricoError, RuleSet
from prico_env.serialization import (
    position_from_dict,
    position_to_dict,
    read_transcript,
    record_from_bytes,
    record_to_bytes,
    transcript_lines,
)
from prico_env.text import action_name, parse_action

EDITIONS = {
    "classic": ("buildings", "citizens"),
    "1897-en": ("buildings", "citizens", "smuggler", "festival"),
    "1897-de": ("buildings", "citizens", "smuggler", "festival"),
}
RULES = [RuleSet(players=n, edition=edition) for n in (2, 3, 4, 5) for edition in EDITIONS]
EXPANDED = [
    RuleSet(players, edition, modules, optional_gains=gains)
    for players, gains in ((2, "auto"), (3, "ask"), (5, "auto"))
    for edition, modules in EDITIONS.items()
] + [
    RuleSet(4, edition, modules, board="random", optional_gains=gains)
    for edition, modules in EDITIONS.items()
    for gains in ("auto", "ask")
]
WORDS = (
    "corn", "sugar", "quarry", "office", "wharf", "role", "captain", "mayor", "load", "store",
    "forest", "citizen", "chapel", "library", "smuggler", "raid", "board",
)  # fmt: skip

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-300, 300),
    st.integers(),
    st.floats(allow_nan=False),
    st.sampled_from(WORDS),
    st.text(max_size=5),
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.sampled_from(WORDS), st.text(max_size=5)), inner, max_size=4),
    ),
    max_leaves=6,
)
rule_sets = st.sampled_from([*RULES, *EXPANDED])


def game_at(rules: RuleSet, seed: int, decisions: int) -> Game:
    """A game after so many random decisions, those of a draft not counted."""
    chance = random.Random(seed)
    game = Game(rules, seed=seed)
    while game.phase == "draft" and decisions > 0:
        game.step(chance.choice(game.legal_actions()))
    for _ in range(decisions):
        if game.over:
            break
        game.step(chance.choice(game.legal_actions()))
    return game


def attempt(read: Any, *arguments: Any, **options: Any) -> tuple[Any, str]:
    """What was read, or else the message with which it was refused."""
    try:
        return read(*arguments, **options), ""
    except PricoError as error:
        assert "\n" not in str(error)  # noqa: PT017 - any error of ours will do
        return None, str(error)


def replaced(position: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A position with another value in one place."""
    changed = copy.deepcopy(position)
    block: Any = changed
    for key in path[:-1]:
        block = block[key]
    block[path[-1]] = value
    return changed


def flat_places(position: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Every place of a position that may be replaced."""
    found: list[tuple[Any, ...]] = []
    stack: list[tuple[tuple[Any, ...], Any]] = [((), position)]
    while stack:
        path, block = stack.pop()
        if path:
            found.append(path)
        if isinstance(block, dict):
            stack += [((*path, key), value) for key, value in block.items()]
        elif isinstance(block, list):
            stack += [((*path, number), value) for number, value in enumerate(block)]
    return sorted(found, key=repr)


@settings(max_examples=60, deadline=None)
@given(rules=rule_sets, seed=st.integers(0, 2**63 - 1), decisions=st.integers(0, 150))
def test_any_position_of_any_game_survives_both_ways_of_saving(rules, seed, decisions):
    game = game_at(rules, seed, decisions)
    position = json.loads(json.dumps(game.to_dict()))
    assert Game.from_dict(position).to_bytes() == game.to_bytes()
    assert Game.from_bytes(game.to_bytes()).to_dict() == position


@settings(max_examples=150, deadline=None)
@given(rules=rule_sets, decisions=st.integers(0, 60), value=anything, data=st.data())
def test_a_position_with_anything_in_any_place_is_read_or_refused(rules, decisions, value, data):
    position = game_at(rules, 1, decisions).to_dict()
    path = data.draw(st.sampled_from(flat_places(position)))
    changed = replaced(position, path, value)
    for check in (True, False):
        loaded, message = attempt(position_from_dict, changed, check=check)
        if not message:
            rules, states = loaded
            again, same = position_from_dict(position_to_dict(rules, states[0]), check=check)
            assert again == rules
            assert same.tobytes() == states.tobytes()


ODD_KINDS = (
    np.array([1, 2]), np.array(3), np.zeros((2, 2)), np.float64("nan"), np.bool_(True),
    np.str_("corn"), b"corn", {1, 2}, (1, 2), {(1, 2): 3}, {None: 1}, 1j, range(3), object(),
    10**5000, -(10**5000), float("inf"), "\ud800", [np.array([1, 2])],
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    rules=rule_sets,
    decisions=st.integers(0, 60),
    value=st.sampled_from(ODD_KINDS),
    data=st.data(),
)
def test_a_position_with_an_object_of_python_in_any_place_is_read_or_refused(
    rules, decisions, value, data
):
    """Arrays and sets cannot be compared like words and numbers."""
    position = game_at(rules, 1, decisions).to_dict()
    path = data.draw(st.sampled_from(flat_places(position)))
    for check in (True, False):
        _, message = attempt(position_from_dict, replaced(position, path, value), check=check)
        assert not message or (message.isprintable() and len(message) < 3000)


@settings(max_examples=150, deadline=None)
@given(rules=rule_sets, decisions=st.integers(0, 60), data=st.data())
def test_any_block_of_a_position_may_be_left_out(rules, decisions, data):
    position = game_at(rules, 2, decisions).to_dict()
    for block in data.draw(st.sets(st.sampled_from(sorted(position.keys() - {"rules"})))):
        del position[block]
    _, message = attempt(position_from_dict, position, seed=3)
    assert not message or any(word in message for word in ("I-", "R-", "actor", "play")), message


@settings(max_examples=150, deadline=None)
@given(rules=rule_sets, text=st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map(":".join)))
def test_any_text_is_an_action_or_is_refused(rules, text):
    action, message = attempt(parse_action, rules, text)
    assert message or action_name(action)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(st.one_of(st.text(), anything.map(json.dumps)), max_size=4))
def test_any_lines_are_a_record_or_are_refused(lines):
    record, message = attempt(read_transcript, lines)
    assert message or record.rules


@settings(max_examples=100, deadline=None)
@given(key=st.sampled_from(("seat", "action", "forced")), value=anything, line=st.integers(1, 20))
def test_a_record_with_anything_in_any_line_is_read_or_refused(key, value, line):
    game = game_at(RULES[5], 4, 30)
    lines = list(transcript_lines(game.rules, 4, game.history))
    lines[line] = json.dumps(json.loads(lines[line]) | {key: value})
    record, message = attempt(read_transcript, lines)
    assert record or f"line {line + 1} " in message


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=64), place=st.integers(0, 1700))
def test_any_bytes_are_a_game_or_are_refused(data, place):
    game = game_at(RULES[0], 6, 20)
    saved = record_to_bytes(game.rules, game.state[0])
    for damaged in (data, saved[:place] + data + saved[place + len(data) :]):
        loaded, message = attempt(record_from_bytes, damaged)
        assert message or record_to_bytes(loaded[0], loaded[1][0]) == damaged
