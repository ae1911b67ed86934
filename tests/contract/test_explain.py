"""Look-ups explain what is asked for, and point to the nearest name otherwise."""

import runpy
import sys

import pytest

from prico_env.actions import NUM_ACTIONS
from prico_env.errors import PricoError
from prico_env.explain import (
    explain_action,
    explain_building,
    explain_feature,
    explain_rule,
)
from prico_env.look_up import main
from prico_env.observation_layout import layout_for
from prico_env.reference import rule_numbers
from prico_env.vocabulary import BUILDINGS


def answer(capsys, *words: str) -> str:
    """What the command prints when it succeeds."""
    assert main(words) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def complaint(capsys, *words: str) -> str:
    """What the command prints when it does not."""
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


def test_an_action_is_explained_with_its_phase_and_its_rules(capsys):
    text = answer(capsys, "action", "117")
    for words in (
        "117 = load:sugar:3",
        "numbers 109 to 123",
        "Captain: load sugar on ship 3",
        "Kapitän: Zucker",
        "prico_env/core/phases/captain.py",
        "R-CAP-3",
        "R-CAP-4",
    ):
        assert words in text, words


@pytest.mark.parametrize("word", ["build:hospice", "build:Hospital", "build:krankenhaus", "86"])
def test_an_action_may_be_named_in_any_way(capsys, word):
    assert answer(capsys, "action", word).startswith("86 = build:hospice")


def test_a_building_is_explained_with_its_row_and_its_rules(capsys):
    text = answer(capsys, "building", "hospice")
    for words in (
        "hospice (classic), Hospital (1897-en), Krankenhaus (1897-de)",
        "cost 4, 2 VP, column 2, 1 circle",
        "settler: after own tile placement",
        "86 build:hospice",
        "R-HOS-1",
        "R-HOS-6",
    ):
        assert words in text, words


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("raid:2", ["592 = raid:2", "'smuggler' expansion", "Schiff 2 (6) leeren", "R-SMG-4"]),
        ("plunder", ["594 = plunder", "R-SMG-5"]),
        ("poach", ["R-SMG-6"]),
        ("capture:mayor", ["597 = capture:mayor", "R-SMG-7"]),
        ("role:smuggler", ["590 = role:smuggler", "R-SMG-2", "R-SMG-3"]),
        ("place:citizen:Bohio", ["= place:citizen:guest_house", "R-X2-8"]),
        ("use:forest", ["319 = use:forest", "R-FOH-3"]),
        ("villa", ["454 = villa", "Figur der Villa", "R-VIL-1"]),
        ("lodge:forest", ["589 = lodge:forest", "R-LDG-4"]),
    ],
)
def test_an_action_of_the_expansions_is_explained(capsys, word, parts):
    text = answer(capsys, "action", word)
    assert all(part in text for part in parts), text
    assert ("classic" in text) == ("'smuggler'" not in text)


def test_a_building_of_the_expansions_is_explained(capsys):
    text = answer(capsys, "building", "Kapelle")
    for words in ("by the kind of unit on it", "board:chapel", "guest:citizen:chapel", "R-CHP-2"):
        assert words in text, words
    assert "actions 185 build:statue, 216 board:statue\n" in answer(capsys, "building", "STA")


@pytest.mark.parametrize("word", ["Hospital", "krankenhaus", "HOS", "hos"])
def test_a_building_may_be_named_in_any_way(capsys, word):
    assert answer(capsys, "building", word).startswith("hospice = ")


def test_a_feature_is_explained(capsys):
    number = layout_for(4).block("self.coins").start
    text = answer(capsys, "feature", str(number))
    assert text.startswith(f"{number} = self.coins")
    assert "deciding seat's own board" in text
    last = layout_for(2).num_features - 1
    assert "with 2 players" in answer(capsys, "feature", str(last), "--players", "2")
    assert "neighbour 1 to the left" in answer(capsys, "feature", "left_1.coins")
    assert "expansion" not in text.replace("with expansions", "")


def test_a_feature_of_the_expansions_is_explained(capsys):
    first = layout_for(4).num_features
    text = answer(capsys, "feature", str(first))
    assert text.startswith(f"{first} = table.extra_point [draft]")
    assert "only in games with an expansion" in text
    assert "self.tile_citizens" in answer(capsys, "feature", "self.tile_citizens")
    last = layout_for(4, True).num_features - 1
    message = complaint(capsys, "feature", str(last + 1))
    assert f"from 0 to {first - 1}, with expansions to {last}" in message


def test_a_rule_is_quoted(capsys):
    text = answer(capsys, "rule", "R-CAP-3")
    assert "B.7 Captain phase" in text
    assert "min(g, capacity)" in text
    assert answer(capsys, "rule", "r-cap").count("\n  R-CAP-") == 14


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("action", "607"), ["no action 607", "0 to 606"]),
        (("action", "-5"), ["no action -5"]),
        (("action", "load:suger:2"), ["did you mean 'load:sugar:2'?"]),
        (("feature", "9999"), ["no feature '9999'", "0 to"]),
        (("feature", "self.coin"), ["did you mean 'self.coins'?"]),
        (("building", "hospise"), ["did you mean 'hospice'?"]),
        (("rule", "R-CAP-99"), ["did you mean 'R-CAP-9'?"]),
        (("rule", "zzz"), ["no rule is called 'zzz'"]),
    ],
)
def test_a_wrong_name_gets_the_nearest_one_and_exit_code_2(capsys, words, parts):
    # A number below zero looks like an option; two dashes say that it is none.
    topic, word = words
    message = complaint(capsys, topic, "--", word)
    assert message.startswith("prico: ")
    assert message.count("\n") == 1
    assert all(part in message for part in parts), message


def test_a_name_that_two_buildings_have_means_the_one_of_the_edition_asked_for(capsys):
    question = ("building", "zoning office", "--edition")
    assert answer(capsys, *question, "1897-en").startswith("land_office = ")
    assert answer(capsys, *question, "classic").startswith("notary = ")
    assert "printed on land_office and notary" in complaint(capsys, *question, "1897-de")


@pytest.mark.parametrize("words", [(), ("actions", "3"), ("feature", "1", "--players", "6")])
def test_a_wrong_command_is_exit_code_2_too(capsys, words):
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert "Usage" in capsys.readouterr().err


def test_everything_there_is_can_be_explained():
    for action in range(NUM_ACTIONS):
        assert "rules" in explain_action(str(action)), action
    for building in BUILDINGS:
        assert "R-" in explain_building(building)
    for feature in range(layout_for(5, True).num_features):
        assert explain_feature(str(feature), players=5)
    for number in rule_numbers():
        assert number in explain_rule(number)


def test_python_m_prico_env_looks_things_up(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["prico_env", "rule", "R-PRO-1"])
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("prico_env", run_name="__main__")
    assert caught.value.code == 0
    assert "R-PRO-1" in capsys.readouterr().out


def test_a_wrong_word_is_an_error_of_ours():
    with pytest.raises(PricoError):
        explain_building("castle")
