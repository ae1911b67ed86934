"""However a game is loaded, it stands at its decision, and all that shows it agrees."""

import copy
import pickle
import random

import gymnasium
import numpy as np
import pytest

from prico_agents import View, load_agent
from prico_env import Game, Games, RuleSet, env
from prico_env.errors import PositionError, RecordError
from prico_env.testing import random_play
from prico_env.vocabulary import PHASES
from tests.builders import ALICE, BOB, DAVE, EDITIONS, board
from tests.rule_sets import ALL_RULE_SETS

WAYS_IN = {
    "a position": lambda game: game,
    "a copy": copy.copy,
    "a deep copy": copy.deepcopy,
    "a pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "bytes": lambda game: _read_back(game),
    "its own position": lambda game: Game.from_dict(game.to_dict(), check=False),
    "a snapshot": lambda game: _restored(game),
}
AGENTS = ("random", "corn", "builder", "trader", "planner", "mcts:4")
SETTLER = {
    "rules": {"players": 3},
    "phase": "settler",
    "actor": 0,
    "turn": 1,
    "players": [{}, {"island": {"corn": [1, 0]}, "coins": 2}, {}],
}


def _restored(game):
    other = Game(game.rules, seed=1)
    other.restore(game.snapshot())
    return other


def _read_back(game):
    try:
        return Game.from_bytes(game.to_bytes())
    except RecordError:  # a position made by hand need not be one that a record may hold
        return game


def drawn_positions(number: int, rule_sets=ALL_RULE_SETS, seed: int = 0):
    """Positions from random play, and what they are without phase state or in another phase."""
    chance = random.Random(seed)
    for _ in range(number):
        rules = chance.choice(rule_sets)
        game = Game(rules, seed=chance.randrange(1 << 30))
        random_play(game, seed=chance.randrange(1 << 30), decisions=chance.randrange(400))
        position = game.to_dict()
        if game.over:
            continue
        yield position
        position.pop("pending")
        yield position
        phase = chance.choice(PHASES)
        if (phase, rules.players) == ("prospector", 3) or phase == "draft":
            continue
        if phase == "smuggler" and "smuggler" not in rules.expansions:
            continue
        seats = range(rules.players)
        position |= {"phase": phase, "actor": chance.choice(seats), "turn": chance.choice(seats)}
        yield position


def is_forced(game: Game) -> bool:
    """Whether the only thing allowed waits for a step, because the position was loaded there."""
    return game.rules.skip_forced and game.mask().sum() == 1


def shown(game: Game) -> dict[str, object]:
    """All that a game shows of where it stands."""
    seats = range(game.rules.players)
    return {
        "turn": game.turn,
        "phase": game.phase,
        "record": game.state.tobytes(),
        "bytes": game.to_bytes(),
        "legal": game.legal_actions(),
        "mask": game.mask().tobytes(),
        "words": [game.describe(action) for action in game.legal_actions()],
        "scores": game.scores(),
        "observations": [game.observation(seat).tobytes() for seat in seats],
        "texts": [game.text(seat) for seat in seats],
        "board": game.render("ansi"),
        "repr": repr(game),
    }


def chosen(game: Game, name: str) -> int:
    """What an agent chooses where a game stands."""
    agent = load_agent(name)
    agent.reset(game.turn, game.rules, 5)
    return agent.act(View.of(game))


def test_all_that_shows_a_loaded_game_is_as_after_settling():
    """However it came in; where a decision is forced, it waits for the next step."""
    compared = 0
    for number, position in enumerate(drawn_positions(14)):
        loaded = Game.from_dict(position, seed=3, check=False)
        for way in WAYS_IN.values():
            game = way(loaded)
            before = shown(game)
            if not is_forced(game):
                game.settle()
                assert shown(game) == before, position
                compared += 1
            else:
                assert before == shown(loaded)
        if number % 8 == 0:
            picture = loaded.render("svg")
            if not is_forced(loaded):
                loaded.settle()
            assert loaded.render("svg") == picture
    assert compared > 150


def test_an_agent_chooses_in_a_loaded_game_what_it_chooses_when_it_is_settled():
    for number, position in enumerate(drawn_positions(30, seed=1)):
        game = Game.from_dict(position, seed=3, check=False)
        if game.over or is_forced(game):
            continue
        name = AGENTS[number % len(AGENTS)]
        before = chosen(game, name)
        game.settle()
        assert chosen(game, name) == before, (name, position)


def test_what_an_agent_looks_into_stands_where_its_choices_do():
    game = Game.from_dict(SETTLER)
    view = View.of(game)
    assert view.game.legal_actions() == view.choices
    assert view.game.to_dict()["pending"]["point"] == "take_tile"
    assert (view.observation == view.game.observation(view.seat)).all()


@pytest.mark.parametrize("name", ["corn", "builder", "trader", "planner", "mcts:16"])
def test_agents_take_a_tile_in_a_settler_phase_that_was_loaded(name):
    game = Game.from_dict(SETTLER)
    assert game.name(chosen(game, name)).startswith("take:")


def test_a_loaded_position_is_written_as_it_was_until_something_is_decided():
    game = Game.from_dict(SETTLER)
    given = game.to_dict()
    assert "point" not in given["pending"]
    assert Game.from_dict(given).to_bytes() == game.to_bytes()
    for copied in (game.clone(), pickle.loads(pickle.dumps(game))):
        assert copied.to_dict() == given
    game.settle()
    assert game.to_dict()["pending"]["point"] == "take_tile"


def test_a_loaded_position_that_was_written_to_is_written_as_it_is():
    game = Game.from_dict(SETTLER)
    game.state["coins"][0, 2] += 1
    assert game.to_dict()["players"][2]["coins"] == 3


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_forced_decision_of_a_loaded_position_waits_and_all_that_shows_it_agrees(edition):
    game = board("trader", edition=edition, seats={BOB: {"goods": {"corn": 1}}})
    view = View.of(game)
    assert (view.seat, view.choices) == (ALICE, [0])
    assert view.game.turn == ALICE
    assert chosen(game, "planner") == 0
    game.step(0)
    assert game.turn == BOB


def test_a_step_behind_forced_decisions_that_is_refused_changes_nothing():
    game = board("trader", seats={BOB: {"goods": {"corn": 1}}})
    before = shown(game)
    with pytest.raises(ValueError, match="seat 0 may not take action"):
        game.step("sell:indigo")
    assert shown(game) == before
    assert game.history == []


def test_a_game_of_a_batch_shows_what_the_batch_shows():
    games = Games(RuleSet(DAVE + 1), 8, seed=4)
    for _ in range(60):
        games.step(games.sample())
    for number in range(len(games)):
        game = games[number]
        assert np.array_equal(game.mask(), games.masks[number])
        assert np.array_equal(game.observation(), games.observations[number])
        before = shown(game)
        game.settle()
        assert shown(game) == before


def test_a_draft_with_a_full_board_is_refused():
    """R-X1-4: nobody may pass, so there must be something to choose."""
    full = Game(RuleSet(expansions=["buildings"], board="random"), seed=1).to_dict()
    position = {"rules": {"expansions": ["buildings"]}, "phase": "draft", "board": full["board"]}
    with pytest.raises(PositionError, match="17 types leave nothing to choose in the draft"):
        Game.from_dict(position, check=False)


def test_a_pick_with_every_card_taken_is_refused():
    """R-ROL-2: nobody may pass, so there must be a card."""
    cards = ("settler", "mayor", "builder", "craftsman", "trader", "captain")
    position = {"rules": {"players": 3}, "roles": {card: {"taken_by": 0} for card in cards}}
    with pytest.raises(PositionError, match="no card is left that seat 0 could take"):
        Game.from_dict(position, check=False)


def test_environments_that_begin_from_a_position_show_its_decision():
    game = Game.from_dict(SETTLER, seed=1)
    arena = env(players=3)
    arena.reset(seed=1, options={"position": SETTLER})
    assert arena.agent_selection == "player_1"
    assert arena.unwrapped.game.to_bytes() == game.to_bytes()
    mask = arena.last()[0]["action_mask"]
    assert np.flatnonzero(mask).tolist() == game.legal_actions()
    single = gymnasium.make(
        "prico/PuertoRico-v0",
        rules=RuleSet(3),
        seat=1,
        opponents="random",
        disable_env_checker=True,
    )
    _, info = single.reset(seed=1, options={"position": SETTLER})
    assert np.flatnonzero(info["action_mask"]).tolist() == game.legal_actions()
    assert single.unwrapped.game.state["decision_point"] == game.state["decision_point"]
