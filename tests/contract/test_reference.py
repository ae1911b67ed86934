"""The reference pages: the rules are complete, and what is generated is up to date."""

import doctest
import re

import pytest

from prico_env import Game, RuleSet
from prico_env.actions import BLOCKS, NAMES
from prico_env.observation_layout import (
    EXTRA_SEAT_BLOCKS,
    EXTRA_TABLE_BLOCKS,
    SEAT_BLOCKS,
    TABLE_BLOCKS,
    layout_for,
)
from prico_env.reference import (
    PAGES,
    find_rules,
    rule_numbers,
    rules_about,
    stale_pages,
    write_pages,
)
from prico_env.reference.__main__ import main
from prico_env.reference.pages import FOLDER
from prico_env.reference.rulebook import window_of
from prico_env.serialization.position import PENDING_KEYS
from prico_env.vocabulary import BUILDING_CODES, BUILDINGS


def test_no_generated_page_is_stale():
    assert stale_pages() == [], "run `make reference`"


def test_the_check_fails_on_a_stale_page_and_writing_cures_it(tmp_path):
    assert stale_pages(tmp_path) == list(PAGES)
    assert write_pages(tmp_path) == list(PAGES)
    assert stale_pages(tmp_path) == []
    (tmp_path / "actions.md").write_text("old", encoding="utf-8")
    assert stale_pages(tmp_path) == ["actions.md"]


def test_the_command_checks_and_writes(capsys, monkeypatch):
    command = "prico_env.reference.__main__"
    monkeypatch.setattr(f"{command}.stale_pages", list)
    assert main(["--check"]) == 0
    assert "up to date" in capsys.readouterr().out
    monkeypatch.setattr(f"{command}.stale_pages", lambda: ["actions.md"])
    assert main(["--check"]) == 1
    assert "stale" in capsys.readouterr().out
    monkeypatch.setattr(f"{command}.write_pages", lambda: ["actions.md"])
    assert main([]) == 0
    assert "written" in capsys.readouterr().out


def test_the_pages_name_every_action_feature_and_building():
    actions = (FOLDER / "actions.md").read_text(encoding="utf-8")
    for number, name in enumerate(NAMES):
        assert f"{number} `{name}`" in actions
    observation = (FOLDER / "observation.md").read_text(encoding="utf-8")
    for block in (*SEAT_BLOCKS, *TABLE_BLOCKS, *EXTRA_TABLE_BLOCKS, *EXTRA_SEAT_BLOCKS):
        assert f"`{block.name}`" in observation
    for players in (2, 3, 4, 5):
        for with_expansions in (False, True):
            size = layout_for(players, with_expansions).num_features
            assert f"{size} with {players} players" in observation
    buildings = (FOLDER / "buildings.md").read_text(encoding="utf-8")
    for name, code in zip(BUILDINGS, BUILDING_CODES, strict=True):
        assert f"| `{name}` | {code} |" in buildings


def test_every_building_has_a_code_rules_and_a_window():
    assert len(set(BUILDING_CODES)) == len(BUILDINGS)
    for number in range(len(BUILDINGS)):
        assert rules_about(number)
        assert "no table" not in window_of(number)


def test_every_kind_of_action_names_rules_that_exist():
    for block in BLOCKS:
        assert block.rules, block.kind
        for number in block.rules:
            assert find_rules(number)[0].number == number


def test_every_rule_that_the_code_cites_is_in_the_rules():
    known = set(rule_numbers())
    cited = {}
    package = FOLDER.parent
    for path in [*package.rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        for number in re.findall(r"\b(?:R-[A-Z]{3}|R-X[12]|Q|I|D)-\d+\b", text):
            cited.setdefault(number, path.name)
    unknown = {number: path for number, path in cited.items() if number not in known}
    assert len(cited) > 100
    assert unknown == {}


def test_the_rules_have_every_family():
    numbers = rule_numbers()
    for family, count in (("I", 33), ("Q", 153), ("D", 85), ("R-CAP", 14), ("R-MAY", 13)):
        found = [number for number in numbers if re.fullmatch(rf"{family}-\d+", number)]
        assert len(found) >= count, family


@pytest.mark.parametrize("word", ["r-cap-3", " R-CAP-3 ", "R-CAP-3"])
def test_a_rule_is_found_in_any_case(word):
    assert [rule.number for rule in find_rules(word)] == ["R-CAP-3"]


def test_the_page_of_positions_names_every_field_and_its_example_runs():
    page = (FOLDER / "positions.md").read_text(encoding="utf-8")
    position = Game(RuleSet(players=2)).to_dict()
    fields = [*position, *position["players"][0], *PENDING_KEYS]
    assert [field for field in fields if f"`{field}`" not in page] == []
    assert doctest.testfile(str(FOLDER / "positions.md"), module_relative=False).failed == 0
