"""Games that began from a position: written down with it, read, and replayed bit for bit."""

import json
import pickle
import random

import numpy as np
import pytest

from prico_env import Game, Games, RecordError, RuleSet
from prico_env.serialization import read_transcript, transcript_lines
from tests.rule_sets import ALL_RULE_SETS, EXPANDED_RULE_SETS

SETTLER = {
    "rules": {"players": 3, "edition": "classic"},
    "phase": "settler",
    "actor": 1,
    "row": {"corn": 2, "indigo": 1, "coffee": 1},
}


def play(game: Game, decisions: int, chance: random.Random) -> None:
    """Play at random."""
    for _ in range(decisions):
        if not game.over:
            game.step(chance.choice(game.legal_actions()))


def from_position(rules: RuleSet, seed: int) -> tuple[Game, random.Random]:
    """A game that goes on from a position somewhere in another one."""
    chance = random.Random(seed)
    earlier = Game(rules, seed)
    play(earlier, chance.randrange(150), chance)
    return Game.from_dict(earlier.to_dict()), chance


def changed(text: str, **fields) -> str:
    """A record whose first line says something else; None takes a field away."""
    first, _, others = text.partition("\n")
    header = {**json.loads(first), **fields}
    kept = {key: value for key, value in header.items() if value is not None}
    return f"{json.dumps(kept)}\n{others}"


@pytest.mark.parametrize("number", range(len(ALL_RULE_SETS)))
def test_a_game_from_any_position_is_saved_and_replays_step_by_step(number):
    """Deck and generator are in the position, so chance falls as it did."""
    game, chance = from_position(ALL_RULE_SETS[number], number)
    if chance.random() < 0.5:
        game.settle()
    shown = [game.to_dict()]
    for _ in range(4):
        play(game, 1, chance)
        shown.append(game.to_dict())
    rules, start, actions = read_transcript(game.to_record())
    again = Game.begin(rules, start)
    if actions and actions[0].forced:
        again.settle()
    replayed = [again.to_dict()]
    for action in [action for action, forced in actions if not forced]:
        again.step(action)
        replayed.append(again.to_dict())
    assert replayed == shown[: len(replayed)]
    assert again.to_bytes() == game.to_bytes()
    assert again.to_record() == game.to_record()


@pytest.mark.parametrize("rules", EXPANDED_RULE_SETS, ids=str)
def test_a_game_from_a_position_is_saved_at_its_end(rules):
    game, chance = from_position(rules, 3)
    play(game, 100_000, chance)
    again = Game.from_record(game.to_record())
    assert again.over
    assert again.state.tobytes() == game.state.tobytes()
    assert again.history == game.history


def test_what_a_position_leaves_open_falls_as_it_did():
    """The order of the deck comes from the seed that the position was read with."""
    for seed in range(5):
        game = Game.from_dict(SETTLER, seed=seed)
        play(game, 60, random.Random(seed))
        assert Game.from_record(game.to_record()).to_bytes() == game.to_bytes()


def test_every_way_to_a_game_without_a_deal_gives_a_record():
    """Bytes, a batch, what a seat may know, a copy, a pickle."""
    chance = random.Random(5)
    played = Game(RuleSet(3), seed=5)
    play(played, 40, chance)
    games = Games(RuleSet(3), 2, seed=5)
    games.step(games.sample())
    loaded = Game.from_bytes(played.to_bytes())
    for game in (loaded, games[1], played.determinize(1, 7), loaded.clone()):
        play(game, 30, chance)
        for same in (game, pickle.loads(pickle.dumps(game)), game.clone()):
            assert Game.from_record(same.to_record()).to_bytes() == game.to_bytes()
            assert len(same.history) >= 30


def test_a_record_has_the_position_in_place_of_the_seed():
    game = Game.from_dict(SETTLER)
    start = game.to_dict()
    game.step("take:coffee")
    header = json.loads(game.to_record().partition("\n")[0])
    assert "seed" not in header
    assert header["position"] == game.start == start
    assert Game(seed=3).start == 3


def test_a_position_in_a_record_may_be_as_short_as_any_and_be_dealt_from_a_seed():
    """Whoever writes a game down by hand says only what is not as at set-up."""
    game = Game.from_dict(SETTLER, seed=4)
    game.step("take:quarry")
    by_hand = changed(game.to_record(), position=SETTLER, seed=4)
    assert Game.from_record(by_hand).to_bytes() == game.to_bytes()
    without_rules = {key: value for key, value in SETTLER.items() if key != "rules"}
    by_hand = changed(game.to_record(), position=without_rules, seed=4)
    assert Game.from_record(by_hand).to_bytes() == game.to_bytes()


def test_a_position_is_written_whole_and_by_the_rules_that_are_played():
    """Whoever writes lines of their own may name a part, with numbers of NumPy."""
    row = {"corn": np.int64(2), "indigo": 1, "coffee": 1}
    lines = list(transcript_lines(RuleSet(3), {"row": row, "rules": {"players": 5}}, []))
    rules, start, actions = read_transcript(lines)
    assert (rules, actions) == (RuleSet(3), [])
    assert Game.begin(rules, start).to_dict() == start
    assert (start["row"]["corn"], len(start["players"])) == (2, 3)


def test_forced_decisions_before_the_first_choice_are_played_as_they_were():
    """A position may wait at a decision that leaves no choice: one is asked there, or it is not."""
    forced = {
        "rules": {"players": 3},
        "phase": "trader",
        "actor": 0,
        "goods": {"corn": 9, "indigo": 11, "sugar": 11, "tobacco": 9, "coffee": 9},
        "players": [{}, {"goods": {"corn": 1}}],
    }
    asked, settled, begun = (Game.from_dict(forced) for _ in range(3))
    asked.step("pass")
    settled.settle()
    for game in (asked, settled, begun):
        again = Game.from_record(game.to_record())
        assert again.history == game.history
        assert again.to_bytes() == game.to_bytes()
    assert [move.forced for move in settled.history[:1]] == [True]
    assert not any(move.forced for move in asked.history[:1])
    assert begun.history == []


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"position": 3}, ["'position'", "3"]),
        ({"position": None, "seed": None}, ["'seed'", "'position'"]),
        ({"seed": -1}, ["seed", "-1", "2**63"]),
        ({"position": {"phase": "setler"}}, ["'position'", "phase", "'settler'"]),
        ({"position": {"goods": {"corn": 99}}}, ["'position'", "goods", "I-0"]),
        ({"position": SETTLER, "rules": {"players": 4}}, ["'rules'", "players=3", "leave out"]),
        ({"rules": None}, ["'rules'"]),
    ],
)
def test_a_record_with_a_wrong_start_is_refused_in_one_line(fields, parts):
    text = changed(Game.from_dict(SETTLER).to_record(), **fields)
    with pytest.raises(RecordError, match=r"^line 1 ") as caught:
        Game.from_record(text)
    assert "\n" not in str(caught.value)
    assert all(part in str(caught.value) for part in parts), str(caught.value)


def test_a_board_that_no_draft_could_give_stays_refused_in_a_record():
    """R-X1-4: both buildings that cost 1 are never in one game."""
    rules = RuleSet(3, "classic", ["buildings"])
    game = Game(rules, seed=1)
    board = ["small_market", "aqueduct"]
    position = {"phase": "role", "board": board}
    text = changed(Game.begin(rules, {"phase": "role"}).to_record(), position=position)
    with pytest.raises(RecordError, match=r"line 1 .*'position'.*board"):
        Game.from_record(text)
    assert game.to_record()
