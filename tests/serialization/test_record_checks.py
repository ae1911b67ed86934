"""Records that somebody wrote: what no game can have is refused in one line, by field."""

import pickle
import random
import zlib

import numpy as np
import pytest
from numba import config

from prico_env import Game, Games, RecordError, RuleSet
from prico_env.core import engine
from prico_env.core.state import RANGES, STATE, copy_states
from prico_env.serialization import record_to_bytes, wrong_records
from prico_env.testing import random_play
from prico_env.vocabulary import DecisionPoint
from tests.rule_sets import ALL_RULE_SETS, EXPANDED_RULE_SETS


def changed(game, **numbers):
    """The bytes of a game with numbers written into its record, and a checksum that fits."""
    states = copy_states(game.state)
    for field, number in numbers.items():
        states[field].flat[0] = number
    return record_to_bytes(game.rules, states[0])


def refusal(saved):
    """The line with which a saved game is refused."""
    with pytest.raises(RecordError) as caught:
        Game.from_bytes(saved)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("field", "number", "says"),
    [
        ("deck", -128, "deck[0]: -128 is out of range; it may be 0 to 4"),
        ("powers", 50, "powers[0][0]: 50, but"),
        ("workers", 127, "players[0].island.corn: 127 workers on 0 circles"),
        ("role_captor", 50, "role_captor[0]: 50 is out of range; it may be -1 to 4"),
        ("turn", 4, "turn: there is no seat 4; seats run from 0 to 3"),
        ("depth", 3, "depth: 3, but"),
        ("island_used", 12, "island_used[0]: 12, but"),
        ("deck_size", 5, "deck"),
        ("outcome", 1, "outcome: 1 contradicts phase 'role'"),
        ("coins", 5, "coins: 85 coins in all, but the game has 83, so 2 too many (I-07)"),
    ],
)
def test_a_record_that_no_game_can_have_is_refused_by_name(field, number, says):
    """G154: a checksum that fits proves nothing."""
    assert says in refusal(changed(Game(seed=7), **{field: number}))


def test_every_number_out_of_its_range_is_refused_with_the_range():
    """G154: each field, below and above."""
    saved = Game(RuleSet(5, "1897-de", ("buildings", "citizens", "smuggler", "festival")), seed=3)
    for field, (low, high) in RANGES.items():
        if field == "rules":
            continue  # a saved game brings its rule set with it
        kind = np.iinfo(STATE[field].base)
        for number in (low - 1, high + 1, kind.min, kind.max):
            if kind.min <= number <= kind.max and not low <= number <= high:
                message = refusal(changed(saved, **{field: number}))
                assert message.startswith(field), message
                assert f"{number} is out of range; it may be {low} to {high}" in message


def test_a_checksum_that_does_not_fit_is_still_what_is_said_first():
    """G154: damage is told from forgery."""
    saved = bytearray(changed(Game(seed=7), deck=-128))
    saved[-1] ^= 1
    assert "checksum" in refusal(bytes(saved))
    body = bytes(saved[:-4])
    assert "deck" in refusal(body + zlib.crc32(body).to_bytes(4, "little"))


def test_the_rule_set_of_a_saved_game_may_hold_anything_and_is_refused_in_one_line():
    """G154: bytes changed, left out and put in, with a checksum that fits."""
    saved, chance = Game(RuleSet(4, "1897-en", ("citizens",)), seed=1).to_bytes(), random.Random(1)
    size = int.from_bytes(saved[8:12], "little")
    text, record = saved[12 : 12 + size], saved[12 + size : -4]
    junk = (b"", b"[[", b"NaN", b"9" * 99, b'"a\\nb"', b"\xff", b"null", b"-1")
    lines = set()
    for _ in range(300):
        changed_text, at = bytearray(text), chance.randrange(size)
        changed_text[at : at + chance.randrange(9)] = chance.choice(junk)
        body = saved[:8] + len(changed_text).to_bytes(4, "little") + changed_text + record
        try:
            Game.from_bytes(body + zlib.crc32(body).to_bytes(4, "little"))
        except RecordError as error:
            lines.add(str(error))
    assert all(line.isprintable() for line in lines)
    assert len(lines) > 100


def test_nobody_takes_more_workers_back_than_find_a_circle():
    """R-MAY-7: from the spots they were taken from they are barred."""
    game = Game.from_dict(
        {
            "rules": {"players": 3, "edition": "classic"},
            "phase": "mayor",
            "actor": 0,
            "workers": {"supply": 55, "register": 0},
            "quarries": 7,
            "players": [
                {"island": {"corn": [2, 1], "indigo": [3, 0], "quarry": [1, 1]}, "portrait": 1}
            ],
        }
    )
    game.step("recall:corn")
    states = copy_states(game.state)
    states["portrait_workers"][0, 0] += 2
    states["worker_supply"] -= 2
    message = refusal(record_to_bytes(game.rules, states[0]))
    assert "4 workers in hand, but 3 open circles" in message


def test_a_row_is_full_but_while_settlers_take_from_it():
    """I-15: as long as there is a tile to turn up."""
    game = Game(seed=7)
    states = copy_states(game.state)
    kind = int(states["row"][0].argmax())
    states["row"][0, kind] -= 1
    states["discard"][0, kind] += 1
    message = refusal(record_to_bytes(game.rules, states[0]))
    assert message == "row: 4 plantations, but a row of 5 is full (I-15)"


def test_the_start_of_every_game_lies_in_the_ranges():
    """R-SET-1..12."""
    games = Games(ALL_RULE_SETS, len(ALL_RULE_SETS), seed=5)
    assert wrong_records(games.rule_sets, games.state) == {}


# -- records that were written to ------------------------------------------------------------------


def test_a_batch_that_was_written_to_says_which_games_are_wrong():
    """Both are named in one line, and no game moves."""
    games = Games(RuleSet(3), 6, seed=1)
    games.state["powers"][2, 1, 7] = 9
    games.state["turn"][4] = 3
    before = games.state.tobytes()
    with pytest.raises(
        RecordError, match=r"2 of 6 records cannot be games: game 2 \(powers"
    ) as one:
        games.check()
    assert "game 4 (turn: there is no seat 3" in str(one.value)
    assert games.state.tobytes() == before


@pytest.mark.parametrize("rules", EXPANDED_RULE_SETS[:3])
def test_records_put_into_a_batch_play_on_from_there(rules):
    """What may be done is that of the records, as in the batch they come from."""
    source, target = Games(rules, 4, seed=1), Games(rules, 4, seed=9)
    for _ in range(60):
        source.step(source.sample())
    target.state[:] = source.state
    target.check()
    assert (target.masks == source.masks).all()
    assert (target.observations == source.observations).all()
    for _ in range(60):
        actions = source.sample()
        source.step(actions)
        target.step(actions)
    assert target.state.tobytes() == source.state.tobytes()


def test_a_game_that_was_written_to_is_checked_and_knows_what_is_legal():
    """A coin from the bank is a position; one from nowhere is none."""
    game = Game(seed=2)
    game.step("role:builder")
    legal = game.legal_actions()
    game.state["coins"][0, game.turn] += 8
    with pytest.raises(RecordError, match="8 too many"):
        game.check()
    game.state["bank"] -= 8
    game.check()
    assert set(game.legal_actions()) > set(legal)


def test_a_pickled_game_with_a_number_out_of_its_range_is_refused():
    """G154: whatever else a position made by hand may be."""
    game = Game(seed=2)
    game.state["stack_turn"][0, 3] = 99
    with pytest.raises(RecordError, match=r"stack_turn\[3\]: 99 is out of range"):
        pickle.loads(pickle.dumps(game))


def test_a_saved_game_stands_where_something_is_to_be_decided():
    """R-MAY-7: nobody is asked to place units when there are none."""
    game, decision = Game(RuleSet(3, "classic", ("citizens",)), seed=4), 0
    while game.state["decision_point"][0] != DecisionPoint.PLACE:
        decision += 1
        random_play(game, seed=decision, decisions=1)
    states = copy_states(game.state)
    states["cursor"] = RANGES["cursor"][1]
    assert "has nothing to decide" in refusal(record_to_bytes(game.rules, states[0]))


@pytest.mark.skipif(not config.DISABLE_JIT, reason="compiled kernels keep the number")
def test_a_record_that_never_comes_to_a_choice_is_cut_off(monkeypatch):
    """I-33: whatever it says, no kernel goes on for ever."""
    monkeypatch.setattr(engine, "MOST_STEPS", 3)
    game = Game(RuleSet(3, "classic"), seed=1)
    game.step("role:captain")
    assert (game.over, game.truncated, game.legal_actions()) == (True, True, [])
