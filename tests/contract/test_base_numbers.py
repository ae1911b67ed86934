"""What the base game shows keeps its meaning: policies and scripts outlive any expansion.

Actions keep their numbers. Features are found by the names of their blocks, which keep their sizes
and largest values and show what they always showed; others may be added between them.
"""

import hashlib

import numpy as np
import pytest

from prico_env import Game, Games, RuleSet
from prico_env.actions import BLOCKS
from prico_env.observation_layout import layout_for
from prico_env.vocabulary import EXPANSIONS

ACTIONS = """
pass 0 1, role 1 8, take 9 6, draw 15 1, hospice 16 2, recall 18 29, place 47 29, build 76 23,
privilege 99 5, sell 104 5, load 109 15, wharf 124 5, store 129 5, keep 134 5, gain 139 1
"""
"""Kind, first number and size of every block of base actions."""

A_BOARD = """
coins 0 1 100, vp 1 1 200, portrait 2 1 100, island_used 3 1 12, city_used 4 1 12,
is_governor 5 1 1, is_actor 6 1 1, wharf_used 7 1 1, passed 8 1 1, goods 9 5 11, tiles 14 6 12,
buildings 20 23 1, tile_workers 43 6 12, building_workers 49 23 3
"""
"""Block, place on a board at first, size and largest value."""

THE_TABLE = """
point 0 16 1, offer 16 1 10, role_free 17 8 1, role_coins 25 8 100, picks 33 1 6, turns 34 1 5,
first_circuit 35 1 1, circuit_loads 36 1 5, captain_loaded 37 1 1, worker_supply 38 1 100,
register 39 1 100, quarries 40 1 8, vp_pool 41 1 126, end 42 3 1, round 45 1 200,
goods_supply 46 5 11, row 51 5 6, discard 56 5 12, unseen 61 5 12, house 66 5 4,
building_supply 71 23 4, ship_size 94 3 8, ship_load 97 3 8, ship_good 100 15 1, drawn 115 6 1,
taken 121 6 1, recalled 127 29 1, cursor 156 1 50, made 157 5 11, stored 162 5 1, kept 167 5 11
"""
"""Block, place behind the boards at first, size and largest value."""

SIZES = {2: 316, 3: 388, 4: 460, 5: 532}
"""How many features there were at first, by the number of players."""

STREAMS = {
    ("classic", 2): ("bc8a076028b48530", "7886e27287ab6fec"),
    ("classic", 3): ("52a293af6b3f10f0", "14b90f02919769e8"),
    ("classic", 4): ("1987062180ef7e5c", "d5e05fffba23fd10"),
    ("classic", 5): ("c3dc93159c2880a3", "7b663842591b2ceb"),
    ("1897-en", 2): ("1d24e106d0a317d0", "2edbb527f0a24504"),
    ("1897-en", 3): ("36edadf93c508d9c", "ba63691c0d7e463d"),
    ("1897-en", 4): ("ef9a83d8f80e5b41", "322e4682c0b9dc97"),
    ("1897-en", 5): ("6954460620359a31", "6678ed17d525ccf8"),
}
"""What 150 decisions of a seeded game show: digests with gains taken and with gains asked for.

The German edition plays like the English one as long as there are no expansions.
"""

_MULTIPLIER = 6364136223846793005
_INCREMENT = 1442695040888963407


def rows(text):
    """The rows of a table: a word and numbers each."""
    found = []
    for row in text.replace("\n", " ").split(","):
        word, *numbers = row.split()
        found.append((word, *map(int, numbers)))
    return found


def play_on(game, luck):
    """Play one decision that is fixed by a number; returns the next number."""
    luck = (luck * _MULTIPLIER + _INCREMENT) % (1 << 64)
    choices = game.legal_actions()
    game.step(choices[(luck >> 33) % len(choices)])
    return luck


def first_blocks(players):
    """Name, size and largest value of every block there was at first, in the order of then."""
    owners = ["self", *(f"left_{seat}" for seat in range(1, players))]
    boards = [(f"{owner}.{name}", *rest) for owner in owners for name, _, *rest in rows(A_BOARD)]
    return [*boards, *((f"table.{name}", *rest) for name, _, *rest in rows(THE_TABLE))]


def columns(players):
    """Where the features there were at first stand now, in the order of then."""
    blocks = [layout_for(players).block(name) for name, *_ in first_blocks(players)]
    return np.concatenate([np.arange(block.start, block.stop) for block in blocks])


def stream(rules):
    """A digest of what was shown at first to all seats, at the first 150 decisions of a game."""
    game, luck = Game(rules, seed=rules.players), rules.players
    shown = columns(rules.players)
    digest = hashlib.sha256()
    for _ in range(150):
        if game.over:
            break
        for seat in range(rules.players):
            digest.update(game.observation(seat)[shown].tobytes())
        digest.update(game.mask().tobytes())
        luck = play_on(game, luck)
    return digest.hexdigest()[:16]


def test_base_actions_keep_their_numbers():
    blocks = [block for block in BLOCKS if block.module == "base"]
    assert [(block.kind, block.start, len(block.names)) for block in blocks] == rows(ACTIONS)
    assert RuleSet().num_actions == 140


@pytest.mark.parametrize("with_expansions", [False, True])
def test_base_features_keep_their_names_sizes_and_largest_values(players, with_expansions):
    layout = layout_for(players, with_expansions)
    blocks = {(one.name, one.stop - one.start, one.high) for one in layout.blocks}
    expected = first_blocks(players)
    assert [block for block in expected if block not in blocks] == []
    assert sum(size for _, size, _ in expected) == SIZES[players] == len(set(columns(players)))
    assert layout.version == 1


def test_a_base_game_shows_what_it_always_showed(edition, players):
    as_english = "1897-en" if edition == "1897-de" else edition
    with_gains, with_asking = STREAMS[as_english, players]
    assert stream(RuleSet(players, edition)) == with_gains
    assert stream(RuleSet(players, edition, optional_gains="ask")) == with_asking


def test_a_base_game_in_a_batch_with_expansions_shows_the_same_and_nothing_behind(players):
    base = RuleSet(players, "1897-en")
    games = Games([base, RuleSet(players, "1897-en", EXPANSIONS)], n=2, seed=4)
    game, luck = Game(base, seed=4), 4
    for _ in range(60):
        own, rest = np.split(games.observations[0], [base.observation.num_features])
        assert own.tolist() == game.observation().tolist()
        assert not rest.any()
        assert not games.masks[0][140:].any()
        before = len(game.history)
        luck = play_on(game, luck)
        games.step([game.history[before].action, games.sample()[1]])


def test_a_base_game_at_a_larger_table_leaves_the_other_seats_empty():
    small, large = RuleSet(2, "1897-de"), RuleSet(5, "1897-de", EXPANSIONS)
    games = Games([small, large], n=2, seed=4)
    seen = games.layout.decode(games.observations[0])
    alone = small.observation.decode(Game(small, seed=4).observation())
    for name, value in seen.items():
        if name in alone:
            assert value == alone[name], name
        else:
            assert not any(value.values() if isinstance(value, dict) else [value]), name
