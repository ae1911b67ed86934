"""How long a budget of decisions takes, told before any of it is spent."""

import dataclasses

import numpy as np
import pytest

pytest.importorskip("torch")

from prico_training.config import Actors, BehaviourCloning, Budget, Config
from prico_training.learning import time_estimate
from prico_training.learning.checkpoint import read_checkpoint
from prico_training.learning.run import resume_run, start_run
from prico_training.learning.time_estimate import estimate_seconds
from tests.training.learning.test_run import one_thread, settings  # noqa: F401 - a fixture


class Clockwork:
    """A trainer that learns from 100 decisions a second in its warm start, then from 20."""

    def __init__(self, config: Config) -> None:
        self.decisions = 0
        self.share = config.behaviour_cloning.share

    def learn(self, spent: float) -> None:
        self.decisions += 100 if spent < self.share else 20

    def close(self) -> None:
        """Nothing runs."""


@pytest.fixture(name="a_second_an_update")
def clockwork(monkeypatch):
    seconds = iter(range(100))
    monkeypatch.setattr(time_estimate, "make_trainer", Clockwork)
    monkeypatch.setattr(time_estimate.time, "perf_counter", lambda: float(next(seconds)))


@pytest.mark.usefixtures("a_second_an_update")
@pytest.mark.parametrize(
    ("learnt", "seconds"),
    [
        (0, 1_000_000 / 100 + 1_000_000 / 20),
        (500_000, 500_000 / 100 + 1_000_000 / 20),
        (1_000_000, 1_000_000 / 20),
    ],
)
def test_each_phase_takes_as_long_as_its_trial_says(learnt, seconds):
    half = BehaviourCloning(share=0.5)
    config = Config(behaviour_cloning=half, budget=Budget(decisions=2_000_000))
    assert estimate_seconds(config, learnt) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "changes",
    [
        {"budget": Budget(minutes=3.0)},
        {"budget": Budget(decisions=5000)},
        {"trainer": "expert_iteration"},
        {"actors": Actors(count=2)},
    ],
    ids=["the clock ends it", "it is short", "another trainer", "actors"],
)
def test_nothing_is_tried_where_that_would_tell_little(changes):
    assert estimate_seconds(dataclasses.replace(Config(), **changes), 0) is None


@pytest.mark.usefixtures("one_thread")
def test_a_run_that_tells_its_time_learns_the_same(tmp_path, monkeypatch, capsys):
    silent = start_run(settings(tmp_path / "silent"))
    monkeypatch.setattr(time_estimate, "_LEAST", 100)
    telling = start_run(settings(tmp_path / "telling"))
    assert "1,800 decisions: about" in capsys.readouterr().out
    first, second = (read_checkpoint(run.folder) for run in (silent, telling))
    for name, array in first.arrays.items():
        np.testing.assert_array_equal(array, second.arrays[name])
    resume_run(telling.folder, {"budget": {"decisions": 2400}})
    assert "decisions: about" in capsys.readouterr().out


def test_what_is_advised_for_going_on_is_twice_the_budget():
    assert Budget(decisions=3_000).doubled == "budget.decisions=6000"
    assert Budget(minutes=10, decisions=0).doubled == "budget.minutes=20"
