"""A person at the keyboard: what is shown, and how a line that was typed is understood."""

import io

import numpy as np
import pytest
from rich.console import Console
from rich.style import Style

from prico_agents import View, line_editor
from prico_agents.choice_list import ChoiceList
from prico_agents.human import Command, Human, Keyboard, LeaveGameError
from prico_agents.line_editor import completions
from prico_env import ALL_EXPANSIONS, Game, PricoError, RuleSet
from prico_env.render import terminal_colours
from prico_env.text.localization import override


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
    assert "shows the whole table" in shown


@pytest.mark.parametrize(
    "word", ["3", "role:builder", "Role:Builder", "build", "take the B", "ROLE:B"]
)
def test_a_person_may_type_numbers_names_words_and_beginnings(word):
    assert typed(Game(RuleSet(), 1), word)[0] == "role:builder"


def test_a_beginning_of_several_actions_is_asked_about():
    name, shown = typed(Game(RuleSet(), 1), "role:c", "role:cr")
    assert name == "role:craftsman"
    told = "Take the Craftsman card, Take the Captain card"
    assert f"'role:c' may mean {told}; say which" in shown


def test_a_person_chooses_buildings_for_the_board_first():
    game = Game(RuleSet(2, expansions=["buildings"]), 1)
    name, shown = typed(game, "role:settler", "board:guest_hous", "board:guest_house")
    assert name == "board:guest_house"
    assert "Choice of buildings" in shown
    assert "'Take the Planter card' is not allowed now: it belongs to the role phase" in shown


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
    assert "38;5;130m  9 Tobacco" in shown(game, **terminal)
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
    Console(file=screen, width=100).print(ChoiceList(game, 0).table())
    lines = [" ".join(line.split()) for line in screen.getvalue().splitlines()]
    assert [lines.index("Countryside"), lines.index("City")] == [0, 2]
    assert lines[1] == "1 Take a worker back from corn estate"


# -- at a terminal ---------------------------------------------------------------------------------


def at_a_terminal(game, *words, **terminal):
    """The name of what a person decides for at a terminal of 80 columns, and what was shown."""
    screen = io.StringIO()
    console = Console(file=screen, highlight=False, **({"width": 80, "height": 24} | terminal))
    lines = io.StringIO("".join(f"{word}\n" for word in words))
    keyboard = Keyboard(console, lines, is_interactive=True)
    return game.name(keyboard.ask(game, game.turn)), screen.getvalue()


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("2", "take:indigo"),
        ("#11", "take:sugar"),
        ("action 11", "take:sugar"),
        ("qu", "take:quarry"),
    ],
)
def test_a_number_counts_in_the_list_shown_and_a_sign_makes_it_the_number_of_all_games(word, name):
    game = Game(RuleSet(), 7)
    game.step("role:settler")
    shown = at_a_terminal(game, word)[1]
    assert "2  Take a fruit estate" in shown
    assert at_a_terminal(game, word)[0] == name


def test_numbers_in_a_pipe_are_those_of_all_games_and_shown_as_such():
    game = Game(RuleSet(), 7)
    game.step("role:settler")
    name, shown = typed(game, "11")
    assert name == "take:sugar"
    assert "#11  Take a sugar estate" in shown


def test_a_number_beyond_the_list_says_how_far_it_goes():
    shown = at_a_terminal(Game(RuleSet(), 1), "0", "99", "9" * 5000, "#99999", "1")[1]
    assert " ".join(shown.split()).count("the list goes from 1 to 7, and has no") == 3
    assert "#99" in shown


def test_names_of_the_engine_are_shown_when_they_are_asked_for_and_can_always_be_typed():
    name, shown = at_a_terminal(Game(RuleSet(), 1), "role:mayor")
    assert (name, "role:" in shown) == ("role:mayor", False)
    shown = at_a_terminal(Game(RuleSet(), 1), "names", "names", "1")[1]
    assert shown.count("role:mayor") == 1


def test_tab_completes_what_is_allowed_and_commands():
    game = Game(RuleSet(), 1)
    keyboard = Keyboard(Console(file=io.StringIO()), io.StringIO(), is_interactive=True)
    choices = ChoiceList(game, 0)
    phrases = [*keyboard._phrases(choices, keyboard._commands(game, 0, choices))]
    assert completions("take the c", phrases) == [
        "Take the Craftsman card",
        "Take the Captain card",
    ]
    assert completions("na", phrases) == ["names"]
    assert completions("role:", phrases) == []


def test_a_line_can_be_typed_where_there_is_no_readline(monkeypatch):
    monkeypatch.setattr(line_editor, "_editor", lambda: None)
    asked = []
    monkeypatch.setattr("builtins.input", lambda prompt: asked.append(prompt) or "role:mayor")
    assert line_editor.read_line("Ann> ", tuple, is_styled=True) == "role:mayor"
    assert asked == ["\x1b[1mAnn> \x1b[0m"]


def test_a_list_stands_in_columns_where_there_is_no_room_for_lines():
    game = Game.from_dict({"phase": "builder", "actor": 0, "players": [{"coins": 20}]}, check=False)
    lines = ChoiceList(game, 0).columns(80).plain.split("\n")
    assert len(lines) < len(game.legal_actions()) / 2 + 1
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(" 1  Build ")


def test_what_is_long_waits_until_it_has_been_read():
    shown = at_a_terminal(Game(RuleSet(4), 1), "board", "", "", "1", height=20)[1]
    assert "Enter: more" in shown
    shown = at_a_terminal(Game(RuleSet(4), 1), "board", "q", "1", height=20)[1]
    assert shown.count("Enter: more") == 1


def test_commands_can_be_typed_in_the_language_that_is_spoken_and_in_english():
    with override("de"):
        game = Game(RuleSet(), 1)
        shown = at_a_terminal(game, "hilfe", "help", "aktion 2", height=60)[1]
        assert shown.count("zeigt den ganzen Tisch") == 2
        assert "1  " in shown
        assert "Spieler 0 (Wahl der Rollen)> " in shown


@pytest.mark.parametrize("style", [*terminal_colours.SEATS, *terminal_colours.GOODS.values()])
def test_colours_can_be_read_on_a_dark_and_on_a_light_terminal(style):
    colour = Style.parse(style).color
    if colour is None:  # the terminal's own
        return
    parts = [part / 255 for part in colour.get_truecolor()]
    light = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = sum(
        weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), light, strict=True)
    )
    assert (luminance + 0.05) / 0.05 >= 3.8
    assert 1.05 / (luminance + 0.05) >= 3.8
