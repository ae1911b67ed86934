"""A game in the terminal, as a person types and reads it."""

import io

import pytest
from rich.console import Console

from prico_agents import AgentError
from prico_agents.random import RandomAgent
from prico_env import Game, RuleSet
from prico_env.errors import PricoError
from prico_training.errors import StorageError
from prico_training.ui.session import Session
from prico_training.ui.terminal import DisplayOptions, load_session, play_in_terminal
from prico_training.ui.transcripts import read_recorded


class Tired(RandomAgent):
    """Plays a few decisions and then no more."""

    def reset(self, seat, rules, seed):
        super().reset(seat, rules, seed)
        self.left = 3

    def act(self, view):
        self.left -= 1
        if self.left < 0:
            raise AgentError("too tired")
        return super().act(view)


def table(*players, seed=3, **fields):
    """A new game with these players."""
    return Session(RuleSet(len(players), **fields), players, seed)


def typed(session, *words, save=None, watch=None, width=100):
    """What a person sees who types these lines and then has nothing more to say."""
    screen = io.StringIO()
    console = Console(file=screen, width=width, highlight=False)
    lines = io.StringIO("".join(f"{word}\n" for word in words))
    play_in_terminal(session, watch or DisplayOptions(), save, console, lines)
    return " ".join(screen.getvalue().split())


# -- playing and watching --------------------------------------------------------------------------


def test_agents_can_be_watched_to_the_end():
    session = table("random", "random")
    seen = typed(session)
    assert session.game.over
    assert "round 1 0 random Choice of role: take the" in seen
    assert "Final score" in seen
    assert "\x1b" not in seen


def test_a_person_plays_by_numbers_names_and_beginnings():
    session = table("human", "random", "random")
    seen = typed(session, "role:set", "bla", "role:mayor", "list", "pass", "log", "quit")
    assert [session.game.name(entry.action) for entry in session.log[:2]] == [
        "role:settler",
        "pass",
    ]
    assert "there is no action 'bla'" in seen
    assert "it belongs to the role phase" in seen
    assert seen.endswith("You left the game.")


def test_the_board_is_shown_once_for_several_decisions_in_a_row():
    session = table("human", "random", "random")
    seen = typed(session, "role:settler", "pass", "quit")
    assert seen.count("Countryside") == 3 * 3  # at the role, at the tile, at the next role
    session = table("human", "human")
    position = typed(session, "role:settler", "list", "quit")
    assert position.count("Countryside") == 2 * 2


def test_an_agent_says_why_if_that_is_wanted():
    seen = typed(table("random", "corn", max_rounds=1), watch=DisplayOptions(explain=True))
    assert "without looking ahead" in seen
    assert "without looking ahead" not in typed(table("random", "corn", max_rounds=1))


# -- help from the table ---------------------------------------------------------------------------


def test_a_hint_has_candidates_with_bars_chances_and_reasons():
    session = table("human", "corn", "corn")
    seen = typed(session, "hint", "quit")
    assert "planner would play role:" in seen
    assert "wins after it ▶ role:" in seen
    assert "█" in seen
    assert "chances to win now: you " in seen
    assert "to win, against" in seen or "to win, as after" in seen
    assert session.analyses[0].seat == 0


def test_a_hint_may_come_from_any_agent_but_a_person():
    seen = typed(table("human", "corn"), "hint corn", "hint plannr", "hint human", "quit")
    assert "corn would play role:" in seen
    assert "no agent is called 'plannr'; did you mean 'planner'?" in seen
    assert "a hint comes from an agent" in seen


def test_a_decision_can_be_taken_back():
    session = table("human", "random", "random")
    seen = typed(session, "undo", "role:settler", "pass", "undo", "undo", "role:trader", "quit")
    assert "there is nothing to take back" in seen
    assert seen.count("Back at your last decision.") == 2
    assert session.game.name(session.log[0].action) == "role:trader"


def test_why_tells_what_agents_thought_and_what_is_not_allowed():
    session = table("human", "corn", "corn")
    words = ("why", "why role:mayor", "why take:corn", "explain", "role:trader", "why", "quit")
    seen = typed(session, *words)
    assert "no agent has said why" in seen
    assert "role:mayor is allowed: Choice of role: take the Recruiter card" in seen
    assert "not allowed: it belongs to the Planting phase" in seen
    assert seen.count("without looking ahead") >= 2  # as it was played, and when asked again


# -- records ---------------------------------------------------------------------------------------


def test_a_game_is_kept_and_goes_on_where_it_was_left(tmp_path):
    path = tmp_path / "game.jsonl"
    session = table("human", "corn", "random")
    seen = typed(session, "hint corn", "role:settler", save=path, width=300)
    assert seen.endswith(f"You left the game. The record is in {path}")
    recorded = read_recorded(path)
    assert recorded.players == ("human", "corn", "random")
    assert 0 in recorded.analyses
    session = load_session(path)
    assert session.players == recorded.players
    assert "0 you Choice of role: take the Planter card" in typed(session, "quit")
    assert load_session(path, ["random"] * 3).players == ("random",) * 3


def test_a_game_can_be_saved_on_the_way(tmp_path):
    path = tmp_path / "so far.jsonl"
    session = table("human", "random")
    seen = typed(session, "save", f"save {tmp_path}/nowhere/x.jsonl", f"save {path}", "role:mayor")
    assert "say where to" in seen
    assert "cannot be written" in seen
    assert len(session.log) > 0
    assert Game.from_record(path.read_text()).history == []


def test_a_place_that_cannot_be_written_is_refused_before_the_first_decision(tmp_path):
    session = table("random", "random")
    with pytest.raises(StorageError, match="cannot be written"):
        typed(session, save=tmp_path / "nowhere" / "game.jsonl")
    assert session.log == []


def test_what_was_played_is_kept_when_an_agent_breaks_down(tmp_path):
    path = tmp_path / "game.jsonl"
    with pytest.raises(AgentError, match="too tired"):
        typed(table(f"{__name__}:Tired", "random"), save=path)
    assert len(Game.from_record(path.read_text()).history) >= 3


@pytest.mark.parametrize(
    ("text", "players", "says"),
    [
        (None, (), "cannot be read"),
        ("nonsense", (), "line 1"),
        ("", ("random",), "1 players were named for a table of 2"),
        ("", ("random", "nobody"), "no agent is called 'nobody'"),
    ],
)
def test_a_record_that_cannot_go_on_says_why(text, players, says, tmp_path):
    path = tmp_path / "game.jsonl"
    if text is not None:
        path.write_text(text or table("random", "random").to_record())
    with pytest.raises(PricoError, match=says) as error:
        load_session(path, players)
    assert "\n" not in str(error.value)


# -- what is explained inside a game ---------------------------------------------------------------


def test_a_building_is_explained_with_its_price_now():
    seen = typed(table("human", "random", "random", edition="classic"), "building hospice", "quit")
    assert "Hospice · building for sale" in seen
    assert "your price now: 4 doubloons" in seen
    assert "could you build it: hospice costs 4 and seat 0 has 2 doubloons (R-BLD-4)" in seen
    assert "R-HOS-1" in seen


def test_a_rule_is_given_by_its_number():
    seen = typed(table("human", "random", "random"), "rule r-pro-1", "rule", "rule R-XYZ", "quit")
    assert "R-PRO-1" in seen
    assert "say which rule" in seen
    assert "no rule is called 'R-XYZ'" in seen


def test_why_tells_of_any_action_what_it_brings_or_why_it_is_not_allowed():
    seen = typed(
        table("human", "random", "random", "random", edition="classic"),
        "why role:settler",
        "why build:harbor",
        "why 117",
        "why nonsense",
        "building",
        "quit",
    )
    assert "role:settler is allowed: Choice of role: take the settler card" in seen
    assert "Builder: build harbor – not allowed: it belongs to the builder phase" in seen
    assert "not allowed: it belongs to the captain phase" in seen
    assert "there is no action 'nonsense'" in seen
    assert "say which building" in seen
