"""What `prico bench` measures, apart from how long it takes."""

import pytest

from prico_env.ruleset import every_rule_set
from prico_training.bench import environments, rivals
from prico_training.bench.figures import Effort, Figure
from prico_training.bench.suite import _number, _table


def test_one_batch_plays_every_rule_set():
    """144 of them: editions, expansions and numbers of players."""
    rule_sets = every_rule_set()
    assert len(rule_sets) == len(set(rule_sets)) == 144


@pytest.mark.parametrize(
    ("value", "unit", "target", "reached"),
    [
        (2e6, "decisions/s", 1e6, True),
        (5e5, "decisions/s", 1e6, False),
        (1.5, "µs", 2.0, True),
        (2048, "bytes", 2048, True),
        (2049, "bytes", 2048, False),
    ],
)
def test_rates_should_be_large_and_everything_else_small(value, unit, target, reached):
    assert Figure("speed", value, unit, target).reached is reached


def test_a_figure_without_a_target_is_only_told():
    figure = Figure("speed", 1.0, "decisions/s", None)
    assert figure.reached
    columns = [list(column.cells) for column in _table([figure]).columns]
    assert columns == [["speed"], ["1 decisions/s"], [""], [""], [""]]


def test_large_numbers_are_grouped_and_small_ones_rounded():
    assert (_number(1_234_567.8), _number(12.345)) == ("1,234,568", "12.3")


def test_rivals_that_are_missing_are_named_with_what_installs_them(monkeypatch):
    there = rivals.Rival("json", "json", lambda: lambda seconds: 1000.0)
    missing = rivals.Rival("no_such_module", "no-such-package", there.start)
    monkeypatch.setattr(rivals, "RIVALS", {"There": there, "Elsewhere": missing})
    monkeypatch.setattr(rivals, "BATCH", 2)
    figures, told = rivals.beside(Effort(1, 0.01))
    assert told == ["Elsewhere is not installed: pip install no-such-package"]
    assert [(figure.name, figure.value) for figure in figures[1:]] == [("There", 1000.0)]
    assert figures[1].beside == f"ours: {figures[0].value / 1000:,.0f} times"


def test_environments_are_measured_beside_the_batch_that_they_stand_on(monkeypatch):
    monkeypatch.setattr(environments, "GAMES", 2)
    monkeypatch.setattr(environments, "_MIXED", 1)
    monkeypatch.setattr(environments, "SEATED_GAMES", 2)
    monkeypatch.setattr(environments, "_PLAYED_ALONE", 1)
    figures = environments.environments(Effort(1, 0.001))
    assert len(figures) >= 5
    for figure in figures:
        assert figure.value > 0
        assert figure.target
