"""A game in the terminal whose every word comes from the messages of one language."""

import io
import re

from rich.console import Console

from prico_env import ALL_EXPANSIONS, RuleSet
from prico_env.text import messages, override
from prico_training.ui.session import Session
from prico_training.ui.terminal import DisplayOptions, play_in_terminal
from tests.text.added_files import MARKED_LANGUAGE, added_files, unmarked

COMMANDS = ("help", "hint", "log", "list", "board", "building hospice", "why #104")
KNOWN = ("planner", "random", "1897-en", "hospice", "CAP", "game.jsonl", "hint", "mcts")

RULE = re.compile(r"R-\w+-\d+ ")
"""The rules in full, which `building` quotes, are in English."""


class Typed(io.StringIO):
    """A person who asks for everything, and then takes the first move until the game is over."""

    def __init__(self, session):
        super().__init__()
        self.session, self.lines = session, iter((*COMMANDS, "1", "undo", "redo", "explain"))

    def readline(self, size=-1):
        return f"{next(self.lines, None) or self.first()}\n"

    def first(self):
        return f"#{self.session.game.legal_actions()[0]}"


def test_no_word_of_a_whole_game_in_the_terminal_comes_from_anywhere_but_the_messages(tmp_path):
    screen = io.StringIO()
    console = Console(file=screen, width=1000, highlight=False)
    with added_files(tmp_path) as add:
        add(messages, "xx", MARKED_LANGUAGE)
        with override("xx"):
            session = Session(RuleSet(2, "1897-en", ALL_EXPANSIONS), ["human", "planner"], 3)
            play_in_terminal(session, DisplayOptions(explain=True), None, console, Typed(session))
    assert session.game.over
    lines = [line for line in screen.getvalue().splitlines() if not RULE.match(line)]
    stray = {line: unmarked(line, KNOWN) for line in lines}
    found = {line: words for line, words in stray.items() if words}
    assert not found, found
