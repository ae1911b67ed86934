"""Who is who: one name a seat, the same everywhere."""

import json

import pytest

from prico_env import Game, RuleSet
from prico_env.errors import PricoError, RecordError
from prico_env.render import render_svg, render_text
from prico_env.render.svg import STRONG
from prico_env.render.text_metrics import shortened
from prico_env.serialization import read_names
from prico_env.text.localization import override
from prico_training.ui.seat_names import LONGEST_NAME, SeatNameError
from prico_training.ui.session import Session
from prico_training.ui.tables import Chair, Table
from prico_training.ui.transcripts import recorded_text
from prico_training.ui.views import game_view

THREE = RuleSet(players=3)


def seated(players, names=None, **rules):
    return Session(RuleSet(players=len(players), **rules), players, seed=7, names=names)


def view(session):
    """The game as the browser sees it that has all seats of people."""
    chairs = [Chair(holder="browser") for _ in session.players]
    return game_view(Table(session, "browser", chairs), "browser", "wide")


@pytest.mark.parametrize(
    ("players", "given", "names"),
    [
        (["human", "planner", "planner"], None, ("you", "planner", "planner 2")),
        (["human", "planner"], ["Ann", None], ("Ann", "planner")),
        (["human", "planner"], [" Ann  Lee ", None], ("Ann Lee", "planner")),
        (["human", "planner"], ["Planner", None], ("Planner", "planner 2")),
        (["human", "human", "corn"], None, ("player 0", "player 1", "corn")),
        (["human", "human", "corn"], ["Ann", None, None], ("Ann", "player 1", "corn")),
        (["human", "governor", "generalist"], None, ("you", "base network", "network")),
        (["heuristic", "mcts:4"], None, ("planner", "mcts:4")),
    ],
)
def test_every_seat_has_a_name_and_no_two_the_same(players, given, names):
    assert seated(players, given).names == names


def test_a_person_without_a_name_is_spoken_of_in_the_language_of_the_edition():
    assert seated(["human", "corn"], edition="1897-de").names == ("du", "corn")


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ("you", "base network", "network")),
        ("de", ("du", "Basisnetz", "Netz")),
        ("fr", ("vous", "réseau étalon", "réseau")),
    ],
)
def test_a_network_has_a_name_in_the_language_that_is_spoken(language, names):
    session = seated(["human", "governor", "generalist"])
    with override(language):
        assert session.names == names
    assert all(shortened(f"{name} 2", STRONG, 84) == f"{name} 2" for name in names)  # on a phone


def test_a_long_name_of_an_agent_is_cut_so_that_it_has_room():
    agent = "planner:temperature=0.25,opponent_weight=1"
    names = seated([agent, agent, "corn"]).names
    assert [len(name) for name in names] == [LONGEST_NAME, LONGEST_NAME, 4]
    assert names[0] != names[1]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "at least one letter"),
        ("  ", "at least one letter"),
        ("A" * 25, "25 characters, and 24 are the most"),
        ("Ann\x1b[31m", "cannot be seen"),
        ("Ann\u202e", "cannot be seen"),
        ("Ann\ud800", "cannot be seen"),
        (7, "a name is text"),
    ],
)
def test_a_name_that_nobody_could_read_is_refused(name, problem):
    with pytest.raises(SeatNameError, match=problem):
        seated(["human", "corn"], [name, None])


def test_two_people_cannot_have_names_that_read_alike():
    with pytest.raises(SeatNameError, match=r"both be called 'ＡNN': 0 and 1"):
        seated(["human", "human"], ["Ann", "ＡNN"])
    with pytest.raises(SeatNameError, match="2 of them"):
        seated(["human", "human"], ["Ann"])


def test_names_are_kept_in_the_record_and_come_back_with_it():
    session = seated(["human", "planner", "planner"], ["Zoë", None, None])
    record = session.to_record()
    assert json.loads(record.splitlines()[0])["players"] == ["human", "planner", "planner"]
    assert read_names(record) == ("Zoë", "planner", "planner 2")
    assert Session.from_record(record).names == session.names
    others = Session.from_record(record, ["corn", "human", "planner"])
    assert others.names == ("corn", "you", "planner")
    assert Game.from_record(record).to_bytes() == session.game.to_bytes()


def test_whoever_was_called_you_is_you_again_in_any_language():
    record = seated(["human", "corn"], edition="1897-de").to_record()
    assert Session.from_record(record).given_names == (None, None)


def test_records_without_names_still_load_and_wrong_names_are_refused():
    game = Game(THREE, seed=7)
    assert read_names(recorded_text(game, ["human", "corn", "corn"])) == ()
    session = Session.from_record(recorded_text(game, ["human", "corn", "corn"]))
    assert session.names == ("you", "corn", "corn 2")
    with pytest.raises(RecordError, match="no proper 'names'"):
        recorded_text(game, names=["Ann"])


def test_somebody_sits_in_for_players_of_a_record_whom_nobody_can_load_here():
    game = Game(THREE, seed=7)
    session = Session.from_record(recorded_text(game, ["ann", "nowhere:Bot", "corn"]))
    assert session.players == ("planner", "planner", "corn")
    assert session.names == ("planner", "planner 2", "corn")
    assert session.sits_in_for == {0: "ann", 1: "nowhere:Bot"}
    assert view(session)["sits_in_for"] == ["ann", "nowhere:Bot", ""]
    chosen = Session.from_record(session.to_record(), ["human", "corn", "corn"])
    assert chosen.sits_in_for == {}


def test_a_record_cannot_make_a_terminal_obey_it_or_fill_a_page_with_a_name():
    lines = recorded_text(Game(THREE, seed=7), ["ann\x1b[2J", "b" * 9999, "corn"])
    session = Session.from_record(lines)
    assert session.sits_in_for == {0: "ann\\x1b[2J", 1: "b" * 23 + "…"}
    record = recorded_text(Game(THREE, seed=7), ["human"] * 3, names=["\x1b[2J", "a" * 99, "Zoë"])
    assert Session.from_record(record).names == ("player 0", "player 1", "Zoë")


def test_boards_bear_the_names_of_those_who_sit_there():
    names = ["Ann", "base network", "W" * LONGEST_NAME]
    game = Game(THREE, seed=7)
    for board in (render_text(game, 0, names=names), render_svg(game, 0, names=names)):
        assert all(name[:8] in board for name in names)  # a long one may be cut
        assert "Player 1" not in board
    game.step("role:mayor")
    assert "Ann (Governor, you)" in render_text(game, 0, names=names)
    assert "(Ann)" in render_text(game, 0, names=names)  # on the card that was taken
    assert "Player 0" in render_text(game, 0)  # names are forgotten again
    with pytest.raises(PricoError, match="a name for each seat"):
        render_text(game, 0, names=["Ann"])


def test_hints_and_refusals_speak_of_people_by_name():
    session = seated(["human", "human", "corn"], ["Ann", "Bob", None])
    hint = session.hint("planner")
    assert any("Ann may then expect" in reason for reason in hint.reasons)
    assert not any("seat" in reason.casefold() for reason in hint.reasons)
    with pytest.raises(PricoError, match=r"^Ann may not take action"):
        session.choose("take:corn")
    session.choose("role:mayor")
    while session.game.phase != "role" or session.seat_to_act != 1:
        session.step(session.game.legal_actions()[0])
    with pytest.raises(PricoError, match="Ann has taken mayor this round"):
        session.choose("role:mayor")
    assert Game(THREE, seed=7).text(0).count("player 0") > 0  # names are forgotten again


def test_a_lone_person_is_spoken_to():
    session = seated(["human", "corn"])
    assert any("You may then expect" in reason for reason in session.hint("planner").reasons)


def test_views_speak_of_seats_by_name():
    seen = view(seated(["human", "planner", "planner"], ["Ann", None, None]))
    assert seen["names"] == ["Ann", "planner", "planner 2"]
    assert "planner 2" in seen["board"]
