"""What is printed on streams of any encoding."""

import codecs
import io
import sys

import pytest
from hypothesis import given, settings, strategies as st

from prico_env import Game, RuleSet, catalog, streams
from prico_env.explain import explain_action, explain_building
from prico_env.render.terminal import print_text, render_text
from prico_env.vocabulary import BUILDINGS

ENCODINGS = ("cp1252", "cp437", "ascii", "latin-1", "utf-16", "utf-8", "shift_jis", "cp850")

codecs.register_error("substitute", streams.substitute)


def everything_said(edition):
    """Boards, names of actions and explanations of an edition."""
    expansions = catalog.load(edition).expansions
    game = Game(RuleSet(4, edition, expansions), seed=5)
    said = [render_text(game), game.text()]
    while not game.over and len(game.history) < 150:
        said += [game.name(action) for action in game.legal_actions()]
        game.step(game.legal_actions()[0])
    said += [render_text(game), game.text()]
    said += [explain_building(name, edition) for name in BUILDINGS]
    return said + [explain_action(str(number), edition) for number in range(0, 200, 7)]


@pytest.mark.parametrize("edition", catalog.names())
def test_all_that_the_game_says_can_be_read_on_a_terminal_that_knows_ascii_only(edition):
    for text in everything_said(edition):
        for encoding in ENCODINGS:
            shown = text.encode(encoding, "substitute").decode(encoding)
            assert "\\u" not in shown
            assert "\\x" not in shown
            assert shown.count("\n") == text.count("\n")


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec=None)), st.sampled_from(ENCODINGS))
def test_any_text_reaches_any_stream(text, encoding):
    below = io.BytesIO()
    stream = io.TextIOWrapper(below, encoding, errors="substitute", newline="")
    stream.write(text)
    stream.flush()
    assert below.getvalue() or not text


def test_how_a_person_chose_to_see_strange_characters_stays_so(monkeypatch):
    chosen = io.TextIOWrapper(io.BytesIO(), "ascii", errors="ignore")
    strict = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", chosen)
    monkeypatch.setattr(sys, "stderr", strict)
    monkeypatch.setattr(sys, "stdin", None)
    streams.accept_any_text()
    assert (chosen.errors, strict.errors) == ("ignore", "substitute")


def test_a_board_is_printed_whatever_the_encoding(monkeypatch):
    below = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(below, "ascii"))
    print_text(Game(seed=1))
    sys.stdout.flush()
    assert b"4 players - round 1" in below.getvalue()
