"""A game in the terminal, as a person types and reads it."""

import io
import random
import re

import pytest
from rich.console import Console

from prico_agents import AgentError
from prico_agents.random import RandomAgent
from prico_env import ALL_EXPANSIONS, Game, RuleSet
from prico_env.errors import PricoError
from prico_env.text.localization import override
from prico_training.errors import StorageError
from prico_training.ui.keeping import Keeper
from prico_training.ui.session import Session
from prico_training.ui.terminal import (
    DisplayOptions,
    load_session,
    new_session,
    play_in_terminal,
)
from prico_training.ui.terminal_tables import decision_lines
from prico_training.ui.transcripts import read_recorded, recorded_text


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
    assert "round 1 random Choice of role: take the" in seen
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
    assert "planner would play Take the " in seen
    assert "move wins after it ▶ #" in seen
    assert "role:" not in seen
    assert "█" in seen
    assert "chances to win now: you " in seen
    assert "to win, against" in seen or "to win, as after" in seen
    assert session.analyses[0].seat == 0


def test_a_hint_may_come_from_any_agent_but_a_person():
    seen = typed(table("human", "corn"), "hint corn", "hint plannr", "hint human", "quit")
    assert "corn would play Take the " in seen
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
    assert "Allowed. Choice of role: take the Recruiter card" in seen
    assert "not allowed: it belongs to the Planting phase" in seen
    assert seen.count("without looking ahead") >= 2  # as it was played, and when asked again


# -- records ---------------------------------------------------------------------------------------


def test_a_game_is_kept_and_goes_on_where_it_was_left(tmp_path):
    path = tmp_path / "game.jsonl"
    session = table("human", "corn", "random")
    seen = typed(session, "hint corn", "role:settler", save=path, width=300)
    told = f"You left the game. The record is in {path} Go on with: prico play --load {path}"
    assert seen.endswith(told)
    recorded = read_recorded(path)
    assert recorded.players == ("human", "corn", "random")
    assert 0 in recorded.analyses
    session = load_session(path)
    assert session.players == recorded.players
    assert "you Choice of role: take the Planter card" in typed(session, "quit")
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


# -- at a terminal of 24 lines ---------------------------------------------------------------------


class Typist:
    """Types numbers of the list, and looks how many lines it was shown each time."""

    def __init__(self, screen, seed):
        self.screen, self.chance = screen, random.Random(seed)
        self.seen, self.most, self.waits, self.asked = 0, 0, 0, 0

    def readline(self, *args):
        shown = self.screen.getvalue()[self.seen :].split("\n")
        self.seen = len(self.screen.getvalue())
        self.most = max(self.most, len(shown))
        self.asked += 1
        self.waits += "Enter" in shown[-1]
        return "\n" if "Enter" in shown[-1] else f"{self.chance.randint(1, 3)}\n"


@pytest.mark.parametrize(
    ("players", "fields", "explains"),
    [
        (["human", "corn", "random"], {}, False),
        (["human", "human", "random", "corn", "corn"], {"expansions": ALL_EXPANSIONS}, False),
        (["human", "planner", "corn"], {}, True),
    ],
    ids=["base", "all", "explained"],
)
def test_nothing_scrolls_away_before_a_person_has_answered(players, fields, explains):
    session, screen = table(*players, max_rounds=6, **fields), io.StringIO()
    console, typist = Console(file=screen, width=80, height=24, highlight=False), Typist(screen, 1)
    watch = DisplayOptions(explain=explains)
    play_in_terminal(session, watch, None, console, typist, is_interactive=True)
    assert session.game.over
    assert typist.most <= 24
    assert explains or typist.waits * 5 < typist.asked
    shown = screen.getvalue().split("\n")
    assert max(len(line) for line in shown if "> " not in line and "-- " not in line) <= 80


def test_decisions_without_a_choice_are_counted_behind_the_one_before():
    session = table("human", "corn", "corn")
    session.choose("role:mayor")
    while not session.waits_for_person:
        session.advance()
    shown = [line.plain for line in decision_lines(session, session.log)]
    forced = sum(entry.forced for entry in session.log)
    assert forced > 0
    assert sum(map(int, re.findall(r"\(and (\d+) without a choice\)", " ".join(shown)))) == forced
    assert len(shown) == len(session.log) - forced


# -- what is kept by itself ------------------------------------------------------------------------


def test_a_game_is_kept_by_itself_once_a_person_has_decided(tmp_path):
    folder = tmp_path / "data" / "games"
    typed(table("human", "random"), "quit", save=Keeper(folder=folder))
    assert not folder.exists()
    seen = typed(table("human", "random"), "role:mayor", save=Keeper(folder=folder), width=300)
    (path,) = folder.glob("*.jsonl")
    assert seen.endswith(f"Go on with: prico play --load {path}")
    again = load_session(path)
    assert again.game.name(again.log[0].action) == "role:mayor"
    seen = typed(again, save=Keeper(path), width=300)
    assert [*folder.iterdir()] == [path]


def test_a_game_that_is_over_is_looked_back_at(tmp_path):
    path = tmp_path / "game.jsonl"
    seen = typed(table("random", "corn", max_rounds=1), save=path, width=300)
    assert seen.endswith(f"Look back at it with: prico replay {path}")


def test_a_game_that_cannot_be_kept_by_itself_is_played_all_the_same(tmp_path):
    (tmp_path / "file").write_text("")
    session = table("human", "random")
    seen = typed(session, "role:mayor", save=Keeper(folder=tmp_path / "file" / "games"))
    assert "The game is not kept by itself" in seen
    assert session.log


def test_a_hint_that_takes_too_long_is_called_off_and_the_game_goes_on(monkeypatch):
    session = table("human", "random")

    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "hint", interrupted)
    assert "The hint was called off." in typed(session, "hint mcts:900000", "role:mayor", "quit")
    assert session.log


def test_what_was_taken_back_can_be_decided_again():
    session = table("human", "random", "random")
    seen = typed(session, "redo", "role:settler", "pass", "undo", "redo", "quit")
    assert "there is nothing to do again" in seen
    assert "Decided again." in seen
    assert session.game.name(session.log[1].action) == "pass"


# -- who is who ------------------------------------------------------------------------------------


def test_people_are_called_by_the_names_they_give(monkeypatch):
    assert new_session(RuleSet(2), ["human", "corn"], 3, ["Ann"]).names == ("Ann", "corn")
    people = ["human", "corn", "human"]
    assert new_session(RuleSet(3), people, 3, ["Ann", "Bob"]).names == ("Ann", "corn", "Bob")
    monkeypatch.setattr("getpass.getuser", lambda: "lea")
    assert new_session(RuleSet(2), ["human", "corn"]).names == ("lea", "corn")
    monkeypatch.setattr("getpass.getuser", lambda: "a\x07b")
    assert new_session(RuleSet(2), ["human", "corn"]).names == ("you", "corn")
    with pytest.raises(PricoError, match="2 names were given"):
        new_session(RuleSet(2), ["human", "corn"], 3, ["Ann", "Bob"])
    seen = typed(new_session(RuleSet(2), ["human", "corn"], 3, ["Ann"]), "role:mayor", "quit")
    assert "Ann (Choice of roles)>" in seen
    assert "Ann Choice of role: take the Recruiter card" in seen
    assert "Ann (Governor, you)" in seen


def test_who_sits_in_for_somebody_is_told_with_the_way_to_choose_others(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(recorded_text(Game(RuleSet(2), 3), ["ann", "corn"]))
    seen = typed(load_session(path))
    assert "planner sits in for ann, who cannot be loaded here." in seen
    assert "Choose others with: prico play --load FILE planner corn" in seen
    assert "sits in" not in typed(load_session(path, ["human", "corn"], ["Ann"]), "quit")


def test_the_game_speaks_the_language_that_is_asked_for():
    with override("de"):
        seen = typed(table("human", "corn", edition="1897-en"), "tipp", "warum 3", "ende")
    assert "planner würde spielen:" in seen
    assert "Du hast das Spiel verlassen." in seen
    assert "gewinnt danach" in seen


# -- what is explained inside a game ---------------------------------------------------------------


def test_a_building_is_explained_with_its_price_now():
    seen = typed(table("human", "random", "random", edition="classic"), "building hospice", "quit")
    assert "Hospice · building for sale" in seen
    assert "your price now: 4 doubloons" in seen
    assert "could you build it: hospice costs 4 and you have 2 doubloons (R-BLD-4)" in seen
    assert "R-HOS-1" in seen


def test_a_rule_is_given_by_its_number():
    seen = typed(table("human", "random", "random"), "rule r-pro-1", "rule", "rule R-XYZ", "quit")
    assert "R-PRO-1" in seen
    assert "say which rule" in seen
    assert "no rule is called 'R-XYZ'" in seen


@pytest.mark.parametrize(
    ("edition", "note"),
    [("1897-en", ""), ("1897-de", "Der Regeltext ist auf Englisch.")],
)
def test_who_plays_in_another_language_is_told_that_the_rulebook_is_in_english(edition, note):
    seen = typed(table("human", "random", "random", edition=edition), "rule r-pro-1", "quit")
    assert "R-PRO-1" in seen
    assert note in seen
    assert ("Regeltext" in seen) == bool(note)


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
    assert "Allowed. Choice of role: take the settler card" in seen
    assert "Builder: build harbor – not allowed: it belongs to the builder phase" in seen
    assert "not allowed: it belongs to the captain phase" in seen
    assert "there is no action 'nonsense'" in seen
    assert "say which building" in seen
