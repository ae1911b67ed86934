"""The game as OpenSpiel sees it: its own checks, chance, secrets, and its searches."""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot

from prico_env import Game, PricoError, RuleSet
from prico_env.actions import NAMES
from prico_env.envs.openspiel import Observer
from prico_training.examples import openspiel_mcts
from tests.builders import BOB, board, forest_kinds

SMALL = "python_puerto_rico(players=3,outcomes=8)"
SECRETS = "python_puerto_rico(players=3,expansions=buildings,outcomes=8)"


def at_a_decision(game, decisions, seed=1):
    """A state after so many random decisions and what chance made of them."""
    rng = np.random.RandomState(seed)
    state = game.new_initial_state()
    while decisions or state.is_chance_node():
        decisions -= not state.is_chance_node()
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize(
    "parameters",
    [
        "players=2,outcomes=3",
        "players=3,edition=classic,expansions=buildings+citizens,max_rounds=4",
        "players=5,edition=1897-de,expansions=all,max_rounds=3,outcomes=5",
    ],
)
def test_openspiel_finds_nothing_wrong_with_random_games(parameters):
    game = pyspiel.load_game(f"python_puerto_rico({parameters})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_the_deal_is_a_choice_of_chance_among_our_own_deals():
    state = pyspiel.load_game(SMALL).new_initial_state()
    assert state.chance_outcomes() == [(outcome, 1 / 8) for outcome in range(8)]
    state.apply_action(5)
    assert state.game.to_bytes() == Game(RuleSet(players=3), 5).to_bytes()


def test_chance_is_asked_when_tiles_are_turned_up_and_only_then():
    state = pyspiel.load_game(SMALL).new_initial_state()
    state.apply_action(0)
    state.apply_action(state.string_to_action("role:settler"))
    asked = []
    while not state.is_chance_node():
        asked.append(state.current_player())
        state.apply_action(state.legal_actions()[-1])
    assert asked == [0, 1, 2]
    assert str(state).endswith(f"waits for chance: {NAMES[state.history()[-1]]}")
    before = state.game.state["deck_size"][0]
    rows = {str(after.game.state["row"][0]) for after in map(state.child, range(8))}
    assert len(rows) > 1
    assert state.child(0).game.state["deck_size"][0] == before - 4


@pytest.mark.parametrize("parameters", [SMALL, SECRETS])
def test_what_lies_face_down_in_a_state_says_nothing_of_what_comes(parameters):
    game = pyspiel.load_game(parameters)
    state = at_a_decision(game, 40)
    other = state.clone()
    deck = other.game.state["deck"][0][: other.game.state["deck_size"][0]]
    assert len(set(deck.tolist())) > 1
    deck[:] = deck[::-1].copy()
    rng = np.random.RandomState(3)
    while not state.is_terminal():
        assert str(other) == str(state)
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        other.apply_action(action)
    assert other.returns() == state.returns()


def test_the_returns_are_the_rewards_of_the_game():
    game = pyspiel.load_game(SMALL)
    state = at_a_decision(game, 30)
    assert state.returns() == [0.0] * 3
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == state.game.rewards("win").tolist()
    assert sum(state.returns()) == pytest.approx(0.0)


def test_dealing_anew_what_a_seat_cannot_see_leaves_what_it_sees():
    state = at_a_decision(pyspiel.load_game(SECRETS), 0)
    unseen = {
        "island": {"forest": [1, 0]},
        "forest_kinds": {"corn": 1},
        "forest_blind": {"corn": 1},
    }
    state.game = board(players=3, expansions=("buildings",), seats={BOB: unseen})
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    laid_face_down = {}
    for seat in range(3):
        others = [state.resample_from_infostate(seat, sampler) for _ in range(20)]
        assert len({other.game.to_bytes() for other in others}) == 20
        for other in others:
            assert other.information_state_string(seat) == state.information_state_string(seat)
        laid_face_down[seat] = {tuple(forest_kinds(other.game, BOB)) for other in others}
    assert laid_face_down[BOB] == {("corn",)}
    assert all(len(laid_face_down[seat]) > 1 for seat in range(3) if seat != BOB)


def test_a_seat_remembers_every_decision_but_not_what_chance_did():
    game = pyspiel.load_game("python_puerto_rico(players=3,edition=classic)")
    state = game.new_initial_state()
    state.apply_action(3)
    state.apply_action(state.string_to_action("role:mayor"))
    assert state.information_state_string(2) == f"0 role:mayor\n{state.game.text(2)}"
    assert state.observation_string(2) == state.game.text(2) != state.game.text(0)
    recalling = pyspiel.IIGObservationType(perfect_recall=True)
    assert game.make_py_observer(recalling).tensor is None


def test_the_tensor_is_the_observation_of_all_faces():
    game = pyspiel.load_game(SMALL)
    state = at_a_decision(game, 20)
    layout = RuleSet(players=3).observation
    for seat in range(3):
        ours = layout.scale(state.game.observation(seat))
        assert np.array_equal(np.array(state.observation_tensor(seat), np.float32), ours)
    assert not any(game.new_initial_state().observation_tensor(0))


@pytest.mark.parametrize("kind", ["python", "hidden", "c++"])
def test_a_search_of_openspiel_chooses_a_legal_action_and_leaves_the_state_alone(kind):
    game = pyspiel.load_game(SECRETS)
    state = at_a_decision(game, 100)
    before = str(state)
    if kind == "c++":
        rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, rollouts, 1.4, 4, 10, False, 1, False)
        action = bot.step_with_policy(state)[1]
    else:
        bot = openspiel_mcts.make_search(game, 4, kind == "hidden", np.random.RandomState(1))
        assert isinstance(bot, ISMCTSBot if kind == "hidden" else MCTSBot)
        action = bot.step(state)
    assert action in state.legal_actions()
    assert str(state) == before


def test_the_example_plays_a_game(capsys):
    openspiel_mcts.main(
        ["--game", f"{SMALL[:-1]},max_rounds=2)", "--simulations", "2", "--games=1"]
    )
    assert "gets +0.00" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("players=9", "choose 2, 3, 4 or 5"),
        ("expansions=buildings+citizen", "did you mean 'citizens'"),
        ("outcomes=0", "a whole number from 1 to .*, not 0"),
    ],
)
def test_parameters_that_do_not_go_are_refused_in_words(parameters, message):
    with pytest.raises(PricoError, match=message):
        pyspiel.load_game(f"python_puerto_rico({parameters})")


def test_an_observer_shows_one_seat_and_nothing_else():
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(PricoError, match="what a single seat sees"):
        Observer(RuleSet(), everything, None)
    with pytest.raises(PricoError, match="take no parameters"):
        Observer(RuleSet(), None, {"depth": 3})


def test_without_openspiel_it_says_what_to_install():
    program = "import sys; sys.modules['pyspiel'] = None; import prico_env.envs.openspiel"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'prico[openspiel]'" in done.stderr
