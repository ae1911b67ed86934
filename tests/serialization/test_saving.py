"""Copies and saved games: the same position, the same future, and nothing shared."""

import copy
import json
import pickle

import pytest

from prico_env import Game, RecordError
from prico_env.catalog import load
from tests.builders import ALICE, BOB, board, new_game, options, play

COPIES = {
    "clone": lambda game: game.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "bytes": lambda game: Game.from_bytes(game.to_bytes()),
    "dict": lambda game: Game.from_dict(game.to_dict()),
    "json": lambda game: Game.from_dict(json.loads(json.dumps(game.to_dict()))),
}


def some_action(game, step):
    """A legal action that depends on nothing but the position and a counter."""
    legal = game.legal_actions()
    return legal[(7 * step + 3) % len(legal)]


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_has_the_same_future(edition, way):
    """G142, G154: the deck and the generator are copied as well."""
    game = new_game(3, edition, seed=6)
    for step in range(60):
        game.step(some_action(game, step))
    again = COPIES[way](game)
    assert again.to_bytes() == game.to_bytes()
    for step in range(200):
        if game.over:
            break
        assert again.legal_actions() == game.legal_actions()
        action = some_action(game, step)
        game.step(action)
        again.step(action)
        assert (again.turn, again.phase, again.round) == (game.turn, game.phase, game.round)
    assert again.to_bytes() == game.to_bytes()


@pytest.mark.parametrize("way", COPIES)
def test_stepping_a_copy_leaves_the_game_alone(edition, way):
    """G142."""
    game = new_game(4, edition, seed=2)
    before, legal = game.to_bytes(), game.legal_actions()
    again = COPIES[way](game)
    for step in range(40):
        again.step(some_action(again, step))
    assert game.to_bytes() == before
    assert game.legal_actions() == legal
    game.step("role:settler")
    assert again.to_bytes() != game.to_bytes()


def test_the_positions_of_a_game_survive_being_saved(edition, players):
    """G154: counters, flags, what a phase remembers, and the end."""
    game = new_game(players, edition, seed=9)
    for step in range(150):
        assert Game.from_bytes(game.to_bytes()).to_bytes() == game.to_bytes()
        if step % 3 == 0 or game.over:
            text = json.dumps(game.to_dict())
            assert Game.from_dict(json.loads(text)).to_bytes() == game.to_bytes()
        if game.over:
            break
        game.step(some_action(game, step))


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_of_a_game_with_every_expansion_has_the_same_future(edition, way):
    """G142, G154: from the draft on, and from the middle of the game."""
    game = new_game(3, edition, seed=6, expansions=load(edition).expansions, max_rounds=6)
    for length in (4, 60, 200):
        for step in range(length):
            if game.over:
                break
            game.step(some_action(game, step))
        again = COPIES[way](game)
        assert again.to_bytes() == game.to_bytes()
        for step in range(40):
            if game.over:
                break
            assert again.legal_actions() == game.legal_actions()
            action = some_action(game, step)
            game.step(action)
            again.step(action)
        assert again.to_bytes() == game.to_bytes()


def test_a_small_wharf_that_has_sailed_is_remembered(edition):
    """G154, R-SWF-1."""
    game = board(
        edition=edition,
        expansions=("buildings",),
        seats={ALICE: {"goods": {"sugar": 1, "coffee": 3}, "city": {"small_wharf": 1}}},
    )
    play(game, "alice role captain\nalice small_wharf coffee\nalice pass")
    again = Game.from_dict(game.to_dict())
    assert again.to_dict()["pending"]["small_wharf_used"] == [True, False, False, False]
    assert not any(name.startswith("small_wharf:") for name in options(again))


def test_a_land_office_that_has_traded_is_remembered(edition):
    """G154, R-LND-1: in the middle of its owner's turn."""
    game = board(
        edition=edition,
        expansions=("citizens",),
        seats={ALICE: {"goods": {"corn": 1}, "city": {"land_office": [1, 0]}}},
    )
    play(game, "alice role trader\nalice land buy")
    again = Game.from_dict(game.to_dict())
    assert again.to_dict()["pending"]["once"] == [["land"], [], [], []]
    assert options(again) == {"pass", "sell:corn"}


def test_a_wharf_that_has_sailed_is_remembered(edition):
    """G154, R-WHF-1."""
    game = board(
        edition=edition,
        seats={
            ALICE: {"goods": {"sugar": 1, "coffee": 1}, "city": {"wharf": 1}},
            BOB: {"goods": {"sugar": 1, "coffee": 1}, "city": {"wharf": 1}},
        },
    )
    play(game, "alice role captain\nalice wharf sugar")
    again = Game.from_dict(game.to_dict())
    play(again, "bob wharf sugar")
    assert again.state["wharf_used"][0, :2].tolist() == [1, 1]
    assert {again.name(action) for action in again.legal_actions()} == {
        "load:coffee:1",
        "load:coffee:2",
        "load:coffee:3",
    }


def pending(game):
    """What a phase remembers, without the picks of the round and the causes of its end."""
    block = game.to_dict()["pending"]
    return {key: block[key] for key in block if key not in ("picks", "end_reasons")}


def test_a_phase_leaves_nothing_pending(edition):
    """G154, R-RND-2: between phases the record remembers how many cards are taken, no more."""
    game = new_game(4, edition, seed=5)
    blank = pending(game)
    for step in range(300):
        if game.over:
            break
        if game.phase == "role":
            assert pending(game) == blank
        game.step(some_action(game, step))


def test_a_phase_of_the_expansions_leaves_nothing_pending_either(edition):
    """G154, R-RND-2: nor do captures, windows and sub-decisions."""
    game = new_game(
        4, edition, seed=5, expansions=load(edition).expansions, board="random", max_rounds=7
    )
    blank = pending(game)
    for step in range(600):
        if game.over:
            break
        if game.phase == "role":
            assert pending(game) == blank
        game.step(some_action(game, step))


def test_a_position_that_was_loaded_carries_nothing_out_by_itself(edition):
    """G154: a forced decision waits for the next step, or for ``settle``."""
    game = board("trader", edition=edition, seats={BOB: {"goods": {"corn": 1}}})
    assert (game.turn, game.legal_actions()) == (ALICE, [0])
    before = game.to_bytes()
    game.mask()
    game.observation()
    assert game.to_bytes() == before
    game.settle()
    assert game.turn == BOB


def test_a_step_behind_forced_decisions_carries_them_out(edition):
    """G154: Alice's pass is forced, and Bob sells."""
    game = board("trader", edition=edition, seats={BOB: {"goods": {"corn": 1}}})
    game.step("sell:corn")
    assert game.state["house"][0, 0] == 1


def test_a_record_replays_to_the_same_bytes(edition, players):
    """G154: section I.5, forced decisions are on record."""
    game = new_game(players, edition, seed=12)
    for step in range(120):
        if game.over:
            break
        game.step(some_action(game, step))
    text = game.to_record()
    lines = [json.loads(line) for line in text.splitlines()]
    assert len(lines) == 1 + len(game.history)
    assert any(line.get("forced") for line in lines[1:])
    again = Game.from_record(text)
    assert again.to_bytes() == game.to_bytes()
    assert again.history == game.history


def test_a_game_from_a_position_that_breaks_the_rules_has_no_record(edition):
    """G154: nobody could read it again, and the error says what to do instead."""
    position = {"rules": {"players": 3, "edition": edition}, "goods": {"corn": 99}}
    with pytest.raises(RecordError, match=r"to_dict .*goods"):
        Game.from_dict(position, check=False).to_record()


def test_the_history_counts_from_the_deal(edition):
    """G155: section I.5, an action and its forced consequences are there when it is done."""
    game = new_game(4, edition)
    assert game.history == []
    game.step("role:trader")
    assert [(game.name(move.action), move.forced, move.seat) for move in game.history] == [
        ("role:trader", False, 0),
        ("pass", True, 0),
        ("pass", True, 1),
        ("pass", True, 2),
        ("pass", True, 3),
    ]
