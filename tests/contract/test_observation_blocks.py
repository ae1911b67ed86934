"""Every block of an observation is a row of a table and the lines that write it, nothing else."""

import subprocess
import sys

import numpy as np
import pytest

from prico_env import Game, RuleSet
from prico_env.core.observation import fill_observation
from prico_env.core.rules import RULES
from prico_env.core.state import STATE
from prico_env.observation_layout import (
    EXTRA_SEAT_BLOCKS,
    EXTRA_TABLE_BLOCKS,
    SEAT_BLOCKS,
    TABLE_BLOCKS,
    places_of,
)
from prico_env.vocabulary import EXPANSIONS, FOREST, ISLAND_SPACES, DecisionPoint, Phase

RULE_SET = RuleSet(3, "1897-en", EXPANSIONS, board="draft")
TABLES = {
    ("seat", False): SEAT_BLOCKS,
    ("table", False): TABLE_BLOCKS,
    ("table", True): EXTRA_TABLE_BLOCKS,
    ("seat", True): EXTRA_SEAT_BLOCKS,
}
CLAIMS = {
    (owner, block.name): set(block.fields or (block.name,))
    for (owner, _), blocks in TABLES.items()
    for block in blocks
}
"""The fields that each block of the tables claims to depend on; two share a name and a claim."""
CLAIMS["seat", "forest_blind"] = {"forest_blind"}

LOOKED_AT = [name for name in STATE.names if name not in ("rules", "rng", "deck", "reserved")]
FURTHER_VALUES = {"phase": (Phase.DRAFT,), "taken": (FOREST,), "drawn": (FOREST,)}
"""Values of some fields that they must have to be shown."""


def observation(record, seat, rest=0):
    """What a seat sees of a record; ``rest`` is what the vector held before."""
    features = np.full(RULE_SET.observation.num_features, rest, np.uint8)
    fill_observation(RULE_SET.table[0], record, seat, features)
    return features


def some_records():
    """Records of a game, of a moment when a seat alone has seen a tile (Q-31), and of no game."""
    game, chance = Game(RULE_SET, seed=4), np.random.default_rng(4)
    for number in range(121):
        if number % 60 == 0:
            record = game.state.copy()[0]
            yield record
        game.step(int(chance.choice(game.legal_actions())))
    record["decision_point"], record["drawn"] = DecisionPoint.USE_TILE, 1
    yield record
    for field in LOOKED_AT:
        record[field] = chance.integers(0, 3, STATE[field].shape)
    record["depth"] = record["stack_point"].size
    yield record


def differences(before, after):
    """The blocks in which two vectors differ, without the names of the seats."""
    places = np.flatnonzero(before != after)
    named = (next(b for b in RULE_SET.observation.blocks if at < b.stop).name for at in places)
    split = (name.split(".") for name in named)
    return {("table" if owner == "table" else "seat", name) for owner, name in split}


def changed_records(record, field):
    """The record with one number of a field changed, at a time."""
    old = np.array(record[field])
    is_secret = record["decision_point"] == DecisionPoint.USE_TILE  # never so with a forest
    further = () if is_secret else FURTHER_VALUES.get(field, ())
    if old.shape:  # a count, not a seat or a decision that other fields are looked up by
        further += (ISLAND_SPACES,)
    for place in np.ndindex(old.shape):
        for value in (0, 1, 2, 3, *further):
            new = old.copy()
            new[place] = value
            record[field] = new
            yield record
    record[field] = old


def test_a_change_of_a_field_shows_in_the_blocks_that_claim_it_and_in_no_other():
    shown = {block: set() for block in CLAIMS}
    for record in some_records():
        for field in LOOKED_AT:
            before = [observation(record, seat) for seat in range(3)]
            for changed in changed_records(record, field):
                for seat in range(3):
                    for block in differences(before[seat], observation(changed, seat)):
                        shown[block].add(field)
    of_the_rules = {name for name in RULES.names if name not in STATE.names}
    expected = {block: fields - of_the_rules for block, fields in CLAIMS.items()}
    assert shown == expected


def test_every_feature_is_written_whatever_the_vector_held_before():
    for record in some_records():
        for seat in range(3):
            assert (observation(record, seat) == observation(record, seat, rest=255)).all()


@pytest.mark.parametrize("blocks", TABLES.values(), ids=map(str, TABLES))
def test_the_place_of_each_block_is_found_by_its_name(blocks):
    places = places_of(blocks)
    at = 0
    for block in blocks:
        assert getattr(places, block.name) == at
        at += block.size


IN_ANOTHER_ORDER = """
import importlib
import numpy as np
from prico_env import Game, RuleSet, observation_layout as layout
from prico_env.core import observation
from prico_env.vocabulary import EXPANSIONS

rules = RuleSet(3, "1897-en", EXPANSIONS)
game, chance = Game(rules, seed=4), np.random.default_rng(4)
for _ in range(60):
    game.step(int(chance.choice(game.legal_actions())))
before = [rules.observation.decode(game.observation(seat)) for seat in range(3)]
for name in ("SEAT_BLOCKS", "TABLE_BLOCKS", "EXTRA_TABLE_BLOCKS", "EXTRA_SEAT_BLOCKS"):
    setattr(layout, name, getattr(layout, name)[::-1])
layout._layout.cache_clear()
importlib.reload(observation)
turned = layout.layout_for(3, True)
assert turned.blocks[0].name == "self.building_workers"
for seat in range(3):
    features = np.full(turned.num_features, 255, np.uint8)
    observation.fill_observation(rules.table[0], game.state[0], seat, features)
    assert turned.decode(features) == before[seat]
"""


def test_rows_may_stand_in_any_order(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    subprocess.run([sys.executable, "-c", IN_ANOTHER_ORDER], check=True)
