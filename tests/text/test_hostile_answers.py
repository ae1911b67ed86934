"""Moves in words, whoever wrote them: an action, or a refusal in one line, and at once."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from prico_env import Game, IllegalActionError, RuleSet
from prico_env.actions import NAMES
from prico_env.text.parsing import actions_named, read_answer, read_prose

LONG = 50_000
ENDLESS = {
    "a letter": "x",
    "an umlaut": "ä",
    "half of a pair": "\ud800",
    "a colon": ":",
    "a word of names": "role:",
    "a word that has several meanings": "role:prospector:",
    "the amounts in sentences": " (1",
    "the mark of a decision": "action: ",
    "blanks": " ",
    "dashes": " -",
    "line ends": "\n",
    "names": "take:sugar ",
    "names on lines": "role:mayor\n",
    "numbers": "9",
    "digits that are no numbers": "²",
}


def settler() -> Game:
    """A game in which the governor takes a tile."""
    game = Game(RuleSet(3), seed=7)
    game.step("role:settler")
    return game


def decided(read: Callable[[str], int], text: str) -> tuple[int | None, str]:
    """The action that a text means, or else the line that refuses it."""
    try:
        return read(text), ""
    except IllegalActionError as error:
        message = str(error)
    assert message.isprintable()
    return None, message


@pytest.mark.parametrize("part", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_answer_is_an_action_or_is_refused_in_one_short_line(part):
    """Twice the text takes twice the time: these would take hours if it took four times as long."""
    game, text = settler(), part * (LONG // len(part))
    reads = (game.parse, lambda text: read_answer(game, text), lambda text: read_prose(game, text))
    for read in reads:
        for answer in (text, f"a{text}b"):
            action, message = decided(read, answer)
            assert action in range(game.num_actions) or 0 < len(message) < 1000


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.text(st.characters(exclude_categories=()), max_size=30),
        st.lists(st.sampled_from([*NAMES, ":", "(1)", " - ", "\n", "action:", "9"])).map("".join),
    )
)
def test_any_text_is_a_decision_or_is_refused_in_one_line(text):
    game = settler()
    action, message = decided(game.parse, text)
    assert message or action in range(game.num_actions)
    for read in (read_answer, read_prose):
        action, message = decided(lambda text, read=read: read(game, text), text)
        assert message or action in game.legal_actions()


def test_the_longest_of_overlapping_names_counts_wherever_they_stand():
    """A sale is named in that to the Trading Post, and means itself elsewhere."""
    choices = {
        1: "Trader: sell corn",
        2: "Trader: sell corn to the post",
        3: "Trader: sell nothing",
    }
    assert actions_named(choices, "sell corn to the post") == [2]
    assert actions_named(choices, "sell corn to the post, or sell corn") == [1, 2]
    assert actions_named(choices, "sell corn, or sell corn to the post") == [1, 2]
    assert actions_named(choices, "Trader: sell corn") == [1]
    assert actions_named(choices, "sell nothing, sell nothing") == [3]
