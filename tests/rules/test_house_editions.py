"""An edition of one's own, with a building that no other has: it works wherever the others do."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from prico_env import Game, RuleSet, catalog
from prico_env.catalog.editions.classic import EDITION as CLASSIC

HOUSE = """
from dataclasses import replace
from prico_env.catalog import Building
from prico_env.catalog.editions.classic import EDITION as CLASSIC
from prico_env.catalog.kinds import BuildingClass, Power

EDITION = replace(
    CLASSIC,
    key="my-house",
    title="how we play at home",
    buildings=(
        *CLASSIC.buildings,
        Building(
            "tavern", "TAV", cost=1, vp=1, column=1, circles=1, copies=5, copies_two_players=5,
            building_class=BuildingClass.SMALL_COMMERCIAL, powers={Power.SALE_BONUS: 1},
            text="Your sale to the trading house brings 1 coin more.",
        ),
    ),
    building_names=CLASSIC.building_names | {"tavern": "tavern by the sea"},
    switches=CLASSIC.switches | {"vp_hidden": False},
)
"""

PLAY = """
import io, json, random, sys
import numpy as np
from prico_env import Game, Games, RuleSet, explain
from prico_env.actions import NAMES
from prico_env.catalog import names
from prico_env.render import render_svg
from prico_env.vocabulary import BUILDINGS, EDITIONS

assert names()[-1] == EDITIONS[-1] == "my-house"
assert BUILDINGS[45:] == ("tavern",)
seen = {"build": False, "place": False, "text": False, "drawn": False, "observed": False}
for players, modules in ((3, ()), (4, ("buildings", "citizens"))):
    rules = RuleSet(players, "my-house", modules, board="random" if modules else "standard")
    assert RuleSet.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    game, chance = Game(rules, seed=7), random.Random(7)
    while not game.over:
        legal = game.legal_actions()
        wanted = [action for action in legal if NAMES[action] == "build:tavern"]
        action = wanted[0] if wanted else chance.choice(legal)
        seen["build"] |= bool(wanted)
        seen["place"] |= NAMES[action] in ("place:tavern", "place:citizen:tavern")
        if wanted:
            assert "tavern by the sea" in game.describe(action)
            assert game.parse("build:tavern") == game.parse("build:tavern by the sea") == action
        decided = game.turn
        game.step(action)
        if wanted and not game.over:
            text = game.text(decided)
            seen["text"] |= "tavern by the sea" in text
            seen["drawn"] |= "tavern" in render_svg(game)
            number = next(
                block.start + block.labels.index("tavern")
                for block in rules.observation.blocks
                if block.name == "self.new_buildings"
            )
            seen["observed"] |= game.observation(decided)[number] == 1
            assert "tavern" in rules.observation.describe(number)
            again = Game.from_dict(json.loads(json.dumps(game.to_dict())))
            assert again.to_bytes() == game.to_bytes()
            assert Game.from_bytes(game.to_bytes()).to_dict() == game.to_dict()
    record = game.to_record()
    assert Game.from_record(record).to_bytes() == game.to_bytes()
    assert sum(game.scores()) > 0
assert Games(RuleSet(3, "my-house"), 2, seed=1).masks.shape[1] == RuleSet(3, "my-house").num_actions
for edition in ("classic", "1897-en", "1897-de"):
    assert RuleSet(3, edition).num_actions == 140
    assert RuleSet(3, edition, ["buildings", "citizens"]).num_actions == 607
    assert not RuleSet(3, edition).table["copies"][0, 45]
try:
    Game(RuleSet(3)).parse("build:tavern")
except ValueError as error:
    assert "tavern" in str(error) and "1897-en does not have" in str(error), error
else:
    raise AssertionError("the English edition has no tavern")
print(json.dumps({name: bool(value) for name, value in seen.items()}))
"""


def run(script, *editions):
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "PRICO_EDITIONS": os.pathsep.join(map(str, editions)),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    return subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("as_folder", [False, True])
def test_a_building_of_ones_own_is_played_saved_drawn_described_and_observed(tmp_path, as_folder):
    """One row in an edition file, and nothing else anywhere."""
    file = tmp_path / "house.py"
    file.write_text(HOUSE)
    done = run(PLAY, tmp_path if as_folder else file)
    assert done.returncode == 0, done.stderr[-3000:]
    assert all(json.loads(done.stdout).values()), done.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("EDITION = 3", ["house.py", "EDITION"]),
        (HOUSE.replace('key="my-house"', 'key="1897-de"'), ["two editions", "'1897-de'"]),
        (HOUSE.replace('"TAV"', '"HAC"'), ["hacienda and tavern", "one code"]),
        (HOUSE.replace("circles=1,", "circles=1, module='smuggler',"), ["tavern", "'smuggler'"]),
        (HOUSE.replace('| {"tavern": "tavern by the sea"}', ""), ["building_names lacks tavern"]),
    ],
)
def test_an_edition_file_that_does_not_fit_is_refused_by_its_fault(tmp_path, text, words):
    file = tmp_path / "house.py"
    file.write_text(text)
    done = run("import prico_env.vocabulary", file)
    assert done.returncode != 0
    assert all(word in done.stderr for word in words), done.stderr[-500:]


def test_more_buildings_than_there_is_room_for_are_refused(tmp_path):
    """A record counts spots in a byte, and observations copy so many at once."""
    file = tmp_path / "house.py"
    inns = (
        "EDITION = replace(EDITION, buildings=(*CLASSIC.buildings, *("
        "replace(CLASSIC.buildings[7], id=f'inn_{n}', code=f'I{n}') for n in range(11))), "
        "building_names=CLASSIC.building_names | {f'inn_{n}': f'inn {n}' for n in range(11)})"
    )
    file.write_text(f"{HOUSE}\n{inns}\n")
    done = run("import prico_env.vocabulary", file)
    assert "the editions have 56 buildings in all, and there is room for 55" in done.stderr


def test_a_place_without_an_edition_is_named(tmp_path):
    done = run("import prico_env.vocabulary", tmp_path / "nowhere.py")
    assert "nowhere.py, and nothing is there" in done.stderr


@pytest.fixture
def registered():
    """An edition of one's own that is added while the program runs."""
    edition = replace(CLASSIC, key="house-rules", switches={"vp_hidden": False})
    catalog.register(edition)
    yield "house-rules"
    del catalog._editions()["house-rules"]


def test_an_edition_without_new_buildings_may_be_added_at_any_time(registered):
    game = Game(RuleSet(3, registered), seed=1)
    assert game.rules.table["edition"][0] == len(catalog.names()) - 1
    assert not game.rules.vp_hidden
    assert Game.from_dict(game.to_dict()).to_bytes() == game.to_bytes()
    assert Game.from_record(game.to_record()).rules.edition == registered
    assert "doubloon" in game.text(0)


def test_an_edition_that_is_there_already_or_needs_more_room_is_not_registered(registered):
    with pytest.raises(ValueError, match="'classic' already"):
        catalog.register(CLASSIC)
    row = replace(CLASSIC.buildings[7], id="tavern", code="TAV")
    larger = replace(
        CLASSIC,
        key="larger",
        buildings=(*CLASSIC.buildings, row),
        building_names={**CLASSIC.building_names, "tavern": "tavern"},
    )
    with pytest.raises(ValueError, match="PRICO_EDITIONS before prico_env is imported"):
        catalog.register(larger)
