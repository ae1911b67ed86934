"""A person at the keyboard: what is shown, and how a line that was typed is understood."""

import io

import numpy as np
import pytest
from rich.console import Console

from prico_agents import View
from prico_agents.human import Command, Human, Keyboard, LeaveGameError, choices_table
from prico_env import ALL_EXPANSIONS, Game, PricoError, RuleSet


def human(*words):
    """A person who types these lines, and the screen."""
    screen = io.StringIO()
    return Human(io.StringIO("\n".join(words) + "\n"), screen), screen


def typed(game, *words):
    """The name of what a person decides for who types these lines, and what was shown."""
    person, screen = human(*words)
    return game.name(person.act(View.of(game))), screen.getvalue()


def test_a_person_is_asked_until_the_answer_is_allowed():
    game = Game(RuleSet(), 1)
    name, shown = typed(game, "help", "", "role:setler", "117", "take:corn", "role:settler")
    assert name == "role:settler"
    assert "did you mean 'role:settler'" in shown
    assert " ".join(shown.split()).count("it belongs to the") == 2
    assert "shows the table again" in shown


@pytest.mark.parametrize(
    "word", ["3", "role:builder", "Role:Builder", "build", "take the B", "ROLE:B"]
)
def test_a_person_may_type_numbers_names_words_and_beginnings(word):
    assert typed(Game(RuleSet(), 1), word)[0] == "role:builder"


def test_a_beginning_of_several_actions_is_asked_about():
    name, shown = typed(Game(RuleSet(), 1), "role:c", "role:cr")
    assert name == "role:craftsman"
    assert "'role:c' may mean role:craftsman, role:captain; say which" in shown


def test_a_person_chooses_buildings_for_the_board_first():
    game = Game(RuleSet(2, expansions=["buildings"]), 1)
    name, shown = typed(game, "role:settler", "board:guest_hous", "board:guest_house")
    assert name == "board:guest_house"
    assert "draft" in shown


def test_a_person_can_play_a_whole_game_with_expansions():
    """Every decision can be shown and answered by its name."""
    game = Game(RuleSet(2, "1897-de", ALL_EXPANSIONS, max_rounds=3), 1)
    chance = np.random.default_rng(1)
    while not game.over:
        word = game.name(int(chance.choice(game.legal_actions())))
        assert typed(game, word)[0] == word
        game.step(word)


@pytest.mark.parametrize("words", [["quit"], ["list", "board", "q"], []])
def test_a_person_may_leave_or_have_nothing_more_to_say(words):
    person, _ = human(*words)
    view = View.of(Game(RuleSet(), 1))
    with pytest.raises(LeaveGameError):
        person.act(view)


def test_more_can_be_typed_where_more_is_offered():
    told = []

    def grumble(rest):
        told.append(rest)
        raise PricoError("no use")

    screen, game = io.StringIO(), Game(RuleSet(), 1)
    lines = io.StringIO("Grumble about the deck\nhelp\nrole:mayor\n")
    commands = {"grumble": Command("does no good", grumble)}
    keyboard = Keyboard(Console(file=screen), lines, commands)
    assert game.name(keyboard.ask(game, 0)) == "role:mayor"
    assert told == ["about the deck"]
    assert "no use" in screen.getvalue()
    assert "does no good" in screen.getvalue()


# -- how it looks ----------------------------------------------------------------------------------


def shown(game, **terminal):
    """What a person sees who has such a terminal."""
    screen = io.StringIO()
    keyboard = Keyboard(Console(file=screen, highlight=False, **terminal), io.StringIO())
    with pytest.raises(LeaveGameError):
        keyboard.ask(game, game.turn)
    return screen.getvalue()


def test_colours_are_for_terminals_that_want_them(monkeypatch):
    game = Game(RuleSet(), 1)
    assert "\x1b[" not in shown(game)
    terminal = {"force_terminal": True, "color_system": "256"}
    assert "38;5;172m  9 Tobacco" in shown(game, **terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "38;5;" not in shown(game, **terminal)


@pytest.mark.parametrize("width", [50, 80, 200])
def test_the_board_fits_the_terminal(width):
    game = Game(RuleSet(4, expansions=ALL_EXPANSIONS, board="random"), 1)
    lines = shown(game, width=width).splitlines()
    assert max(map(len, lines)) == min(width, 100)


def test_what_is_allowed_is_grouped_by_its_place():
    seat = {"island": {"corn": [3, 1]}, "city": {"hospice": 1, "small_market": 0, "office": 0}}
    game = Game.from_dict({"phase": "mayor", "actor": 0, "players": [seat]}, check=False)
    game.settle()
    screen = io.StringIO()
    Console(file=screen, width=100).print(choices_table(game, 0))
    lines = [" ".join(line.split()) for line in screen.getvalue().splitlines()]
    assert [lines.index("Countryside"), lines.index("City")] == [0, 2]
    assert lines[1] == "18 recall:corn Recruiter: take a worker back from corn estate"
