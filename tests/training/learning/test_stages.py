"""A run in stages: each begins with what the one before has learnt."""

import numpy as np
import pytest

pytest.importorskip("torch")

from prico_agents.neural.checkpoint import load_policy
from prico_training.config import Config
from prico_training.errors import ConfigError
from prico_training.learning import run as run_module, stages as stages_module
from prico_training.learning.run import CONFIG_FILE, RunResult
from prico_training.learning.stages import resume, start
from prico_training.sections import from_dict, to_plain

SETTINGS = {
    "name": "staged",
    "threads": 1,
    "device": "cpu",
    "game": {"players": 3},
    "self_play": {"num_envs": 4, "num_steps": 8},
    "opponents": {"agents": ["corn"]},
    "network": {"hidden": [8]},
    "behaviour_cloning": {"games": 1, "teacher": "corn", "others": [], "batch_size": 64},
    "ppo": {"batch_size": 32},
    "budget": {"minutes": 0.0, "decisions": 100},
    "evaluation": {"every_seconds": 1e9, "curve": ["random"], "curve_deals": 1, "deals": 0},
    "stages": [
        {"name": "teachers", "behaviour_cloning": {"share": 1.0}},
        {"name": "league", "behaviour_cloning": {"share": 0.0}, "ppo": {"learning_rate": 1e-9}},
    ],
}


def config(folder=None, **changes):
    return from_dict(SETTINGS | {"runs": str(folder)} | changes, Config)


def test_each_stage_has_the_settings_of_all_but_where_it_says_otherwise():
    whole = config()
    teachers, league = whole.stage_configs()
    assert (teachers.name, league.name) == ("teachers", "league")
    assert teachers.behaviour_cloning.share == 1.0
    assert (league.behaviour_cloning.share, league.behaviour_cloning.games) == (0.0, 1)
    assert league.ppo.batch_size == 32
    assert teachers.seed != league.seed
    assert from_dict(to_plain(whole), Config) == whole


@pytest.mark.parametrize(
    ("stages", "says"),
    [
        ([{"name": "one", "ppo": {"learning_rte": 1.0}}], "stages: one: .*learning_rate"),
        ([{"ppo": {}}], "each with a name"),
        ([{"name": "one"}, {"name": "one"}], "a name of its own"),
        ([{"name": "one/two"}], "stages: one/two: name must be a word"),
        (
            [{"name": "one"}, {"name": "two", "opponents": {"agents": ["stage:three:sampled"]}}],
            "stages: two: stage:three is none of the stages before, which are stage:one",
        ),
        (
            [{"name": "one", "network": {"start": "stage:one"}}],
            "stages: one: stage:one is none of the stages before, which are none",
        ),
    ],
)
def test_a_stage_that_cannot_be_is_refused_before_any_time_is_spent(stages, says):
    with pytest.raises(ConfigError, match=says):
        config(stages=stages)


def test_a_stage_begins_with_what_the_one_before_has_learnt(tmp_path):
    outcome = start(config(tmp_path))
    first, second = (load_policy(outcome.folder / name) for name in ("1-teachers", "2-league"))
    # at such a learning rate it stays where it began
    assert all(first.weights[n] == pytest.approx(a, abs=1e-4) for n, a in second.weights.items())
    whole = load_policy(outcome.folder)
    assert all((whole.weights[n] == a).all() for n, a in second.weights.items())
    assert "2-league/report.md" in (outcome.folder / "report.md").read_text()
    with pytest.raises(ConfigError, match="all stages of this run"):
        resume(outcome.folder, {})
    with pytest.raises(ConfigError, match="is a run in stages"):
        resume(outcome.folder, {"budget": {"decisions": 500}})


def test_a_run_goes_on_with_the_stage_in_which_it_was_stopped(tmp_path, monkeypatch):
    whole = start(config(tmp_path / "whole"))

    def stopped(settings, home):
        if home.name == "2-league":
            return RunResult(home, None, interrupted=True)
        return begin(settings, home)

    begin = stages_module.start_run
    monkeypatch.setattr(stages_module, "start_run", stopped)
    outcome = start(config(tmp_path / "parts"))
    assert outcome.interrupted
    assert not (outcome.folder / "2-league" / CONFIG_FILE).exists()
    load_policy(outcome.folder)
    monkeypatch.undo()
    again = resume(outcome.folder, {})
    ours, theirs = (load_policy(folder).weights for folder in (again.folder, whole.folder))
    assert all(np.array_equal(theirs[name], array) for name, array in ours.items())


WITH_AN_EXPLOITER = [
    SETTINGS["stages"][0],
    {
        "name": "exploiter",
        "network": {"start": "", "hidden": [4]},
        "opponents": {"agents": ["stage:teachers"]},
    },
    {
        "name": "league",
        "network": {"start": "stage:teachers"},
        "opponents": {"agents": ["corn", "stage:exploiter:sampled"]},
        "behaviour_cloning": {"share": 0.0},
        "ppo": {"learning_rate": 1e-9},
    },
]


def test_a_later_stage_meets_an_exploiter_and_goes_on_from_an_earlier_one(tmp_path, monkeypatch):
    begun = []

    def until_the_league(settings, home):
        begun.append(settings)
        return (
            RunResult(home, None, interrupted=True)
            if home.name == "3-league"
            else begin(settings, home)
        )

    begin = stages_module.start_run
    monkeypatch.setattr(stages_module, "start_run", until_the_league)
    folder = start(config(tmp_path, stages=WITH_AN_EXPLOITER)).folder
    monkeypatch.undo()
    homes = {name: str(folder / name) for name in ("1-teachers", "2-exploiter")}
    assert [one.network.start for one in begun] == [(), (), (homes["1-teachers"],)]
    assert begun[1].opponents.agents == (homes["1-teachers"],)
    assert begun[2].opponents.agents == ("corn", f"{homes['2-exploiter']}:sampled")
    # the exploiter is another player than the one that the run is about
    assert (folder / "latest").read_text().startswith("1-teachers/")
    outcome = resume(folder, {})
    assert (outcome.folder / "latest").read_text().startswith("3-league/")
    teachers, league = (load_policy(folder / name) for name in ("1-teachers", "3-league"))
    assert all(league.weights[n] == pytest.approx(a, abs=1e-4) for n, a in teachers.weights.items())


def test_a_run_whose_folder_was_moved_finds_the_stages_that_it_names(tmp_path, monkeypatch):
    def stop_in_the_league(run, progress, interruptions):
        if run.config.name == "league":
            interruptions.happened = True
        learn(run, progress, interruptions)

    learn = run_module._Run._learn
    monkeypatch.setattr(run_module._Run, "_learn", stop_in_the_league)
    folder = start(config(tmp_path / "here", stages=WITH_AN_EXPLOITER)).folder
    monkeypatch.undo()
    moved = folder.rename(tmp_path / "there")
    assert not resume(moved, {}).interrupted
    settings = (moved / "3-league" / CONFIG_FILE).read_text()
    assert str(folder) not in settings
    assert f"{moved / '2-exploiter'}:sampled" in settings


def test_a_stage_may_begin_with_the_mean_of_what_two_have_learnt(tmp_path):
    league = {"behaviour_cloning": {"share": 0.0}, "network": {"start": "stage:teachers"}}
    stages = [
        SETTINGS["stages"][0],
        {"name": "one", **league},
        {"name": "other", **league},
        {
            "name": "both",
            "behaviour_cloning": {"share": 0.0},
            "network": {"start": ["stage:one", "stage:other"]},
            "ppo": {"learning_rate": 1e-9},
        },
    ]
    folder = start(config(tmp_path, stages=stages)).folder
    one, other, both = (load_policy(folder / name) for name in ("2-one", "3-other", "4-both"))
    assert any((one.weights[name] != array).any() for name, array in other.weights.items())
    for name, array in both.weights.items():
        mean = (one.weights[name] + other.weights[name]) / 2
        assert array == pytest.approx(mean, abs=1e-4), name


def test_networks_of_different_shapes_have_no_mean(tmp_path):
    wide, narrow = (
        start(config(tmp_path / name, stages=[], network={"hidden": [width]})).folder
        for name, width in (("wide", 16), ("narrow", 8))
    )
    settings = config(tmp_path, stages=[], network={"start": [str(wide), str(narrow)]})
    with pytest.raises(ConfigError, match=r"network.start: only networks of the same shape"):
        start(settings)
