"""The table of decision points: one row for each, and play keeps to it."""

import importlib
import inspect
import pkgutil

import pytest

from prico_env import Game
from prico_env.core import phases
from prico_env.vocabulary import DECISION_POINTS, POINTS, Asker, DecisionPoint
from tests.properties.random_play import chooser, playable
from tests.rule_sets import EXPANDED_RULE_SETS


def test_every_decision_point_has_one_row_at_its_number():
    """So that a point is the index of its row."""
    assert [row.point for row in POINTS] == list(DecisionPoint)
    assert len(DECISION_POINTS) == len(POINTS)
    for row in POINTS:
        assert bool(row.phases) == (row.asker == Asker.PHASE)


@pytest.mark.parametrize("rules", playable(EXPANDED_RULE_SETS), ids=repr)
def test_play_keeps_to_the_table_of_decision_points(rules):
    """Phases, modules and interruptions are as their rows say."""
    for seed in range(2):
        game, choose = Game(rules, seed), chooser(seed)
        while not game.over:
            state = game.state[0]
            row = POINTS[state["decision_point"]]
            assert row.asker != Asker.NOBODY
            assert not row.phases or state["phase"] in row.phases
            assert not row.modules or set(row.modules) & set(rules.expansions)
            assert row.interrupts == (state["depth"] > 0)
            game.step(choose(game.legal_actions()))


OFFERED = {
    "begin": ["rules", "state"],
    "fill_legal": ["rules", "state", "player", "legal"],
    "apply": ["rules", "state", "player", "action"],
    "close": ["rules", "state"],
    "end": ["rules", "state"],
}


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(phases.__path__)])
def test_every_phase_file_offers_the_same_functions(name):
    """What one has no use for it leaves out; what it has takes what that of others takes."""
    phase = importlib.import_module(f"{phases.__name__}.{name}")
    found = [offered for offered in OFFERED if hasattr(phase, offered)]
    assert found
    for offered in found:
        function = getattr(phase, offered)
        parameters = inspect.signature(getattr(function, "py_func", function)).parameters
        assert list(parameters) == OFFERED[offered]
