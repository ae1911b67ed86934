"""A run: what it learns from, what it keeps, and that going on equals never having stopped."""

import dataclasses
import errno
import hashlib
import json
import os
import re
import shutil
import signal

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from safetensors.numpy import load, save

from prico_agents.neural.checkpoint import CheckpointError, SavedPolicy, load_policy
from prico_env import RuleSet
from prico_training.config import (
    BehaviourCloning,
    Budget,
    Config,
    Evaluation,
    NetworkShape,
    Opponents,
    Ppo,
    SelfPlay,
    load_config,
)
from prico_training.errors import ConfigError, InUseError, StorageError
from prico_training.folder_lock import FolderLock
from prico_training.learning import run as run_module
from prico_training.learning.checkpoint import (
    ARRAYS_FILE,
    COUNTERS_FILE,
    decisions_name,
    read_checkpoint,
    write_checkpoint,
)
from prico_training.learning.factory import make_actors, make_trainer
from prico_training.learning.learning_curve import Curve, LocalCurve
from prico_training.learning.metrics import read_metrics
from prico_training.learning.ppo import PpoTrainer
from prico_training.learning.run import resume_run, start_run

RULES = RuleSet(players=3)


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def settings(folder=None, **changes):
    config = Config(
        name="test",
        runs=str(folder),
        threads=1,
        game=RULES,
        self_play=SelfPlay(num_envs=8, num_steps=24),
        opponents=Opponents(agents=("corn",), share=0.5, pool_size=1, snapshot_every=400),
        network=NetworkShape(hidden=(16,)),
        behaviour_cloning=BehaviourCloning(
            share=0.3, teacher="corn", others=("trader",), games=3, batch_size=128
        ),
        ppo=Ppo(batch_size=64, update_epochs=1),
        budget=Budget(minutes=0.0, decisions=1800),
        evaluation=Evaluation(every_seconds=1e9, curve=("random",), curve_deals=1, deals=0),
    )
    return dataclasses.replace(config, **changes)


def learn(trainer, times, total=12):
    """Learn on; returns the figures of the last update."""
    figures = {}
    for _ in range(times):
        figures = trainer.learn(trainer.updates / total)
    return figures


def copy_of(state):
    arrays, values = state
    return {name: array.copy() for name, array in arrays.items()}, json.loads(json.dumps(values))


@pytest.mark.parametrize("stop_after", [2, 6])
def test_learning_goes_on_exactly_both_within_the_warm_start_and_after_it(stop_after):
    torch.set_num_threads(1)
    whole, part = make_trainer(settings()), make_trainer(settings())
    learn(part, stop_after)
    arrays, values = copy_of(part.state())
    resumed = make_trainer(settings())
    resumed.restore(arrays, values)
    assert learn(resumed, 9 - stop_after) == learn(whole, 9)
    assert (resumed.decisions, resumed.games) == (whole.decisions, whole.games)
    ours, theirs = whole.state()[0], resumed.state()[0]
    assert ours.keys() == theirs.keys()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_the_warm_start_comes_first_and_is_told_apart():
    trainer = make_trainer(settings())
    assert "agreement" in learn(trainer, 1)
    assert trainer.games == 0
    assert "approx_kl" in learn(trainer, 8)
    assert trainer.decisions > 9 * 8 * 8


def test_without_teachers_it_starts_from_its_own_games():
    config = settings(behaviour_cloning=BehaviourCloning(share=0.0), opponents=Opponents(agents=()))
    trainer = make_trainer(config)
    assert "approx_kl" in learn(trainer, 1)
    assert trainer.decisions == 8 * 24
    assert set(trainer.weights()) >= {"layer_0.weight", "value.weight"}


@pytest.mark.parametrize("name", ["mcts", "human", "nobody"])
def test_only_compiled_players_play_along(name):
    with pytest.raises(ConfigError, match=r"opponents\.agents"):
        make_trainer(settings(opponents=Opponents(agents=(name,))))


def test_the_curve_has_the_same_deals_every_time():
    curve = Curve(RULES, ("random", "corn"), 2)
    policy = SavedPolicy(RULES, make_trainer(settings()).weights(), {})
    point = curve.point(policy, lambda: True)
    assert point == curve.point(policy, lambda: True)
    assert point["win_rate"] == pytest.approx(
        (point["win_rate_random"] + point["win_rate_corn"]) / 2
    )
    assert point["win_rate_corn_low"] <= point["win_rate_corn"] <= point["win_rate_corn_high"]


class Slow(LocalCurve):
    """Plays beside learning: who does not wait gets each point when asked for the third time."""

    asked = 0

    def answer(self, go_on, *, wait):
        self.asked += 1
        return super().answer(go_on, wait=wait) if wait or self.asked % 3 == 0 else None


def told(row):
    """A row of metrics without the time it took."""
    return {name: row[name] for name in row if name not in ("seconds", "decisions_per_second")}


def test_a_point_played_beside_learning_tells_of_the_moment_it_was_asked_for(tmp_path, monkeypatch):
    test = Evaluation(every_seconds=1e-9, curve=("random",), curve_deals=2, deals=0)
    config = settings(tmp_path, evaluation=test)
    whole = start_run(config).folder
    monkeypatch.setattr(run_module, "make_curve_player", lambda _, curve: Slow(curve))
    beside = start_run(config).folder
    every, some = (read_metrics(run / run_module.METRICS_FILE, 1e9) for run in (whole, beside))
    known = [told(row) for row in every]
    assert all(told(row) in known for row in some)
    assert [told(some[0]), told(some[-1])] == [known[0], known[-1]]
    assert len(some) <= len(every) / 2
    *_, best = sorted(some, key=lambda row: (row["win_rate"], row["decisions"]))
    assert load_policy(beside / run_module.BEST).about["decisions"] == best["decisions"]


class StopAfter(PpoTrainer):
    """A trainer during whose work somebody presses Ctrl-C."""

    stops = 0

    def __init__(self, config, ranks):
        super().__init__(config, make_actors(config), ranks)

    def learn(self, spent):
        figures = super().learn(spent)
        type(self).stops -= 1
        if type(self).stops == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return figures


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A short run, and the same one that was stopped twice and went on."""
    folder = tmp_path_factory.mktemp("runs")
    whole = start_run(settings(folder)).folder
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_module, "make_trainer", StopAfter)
        StopAfter.stops = 2
        stopped = start_run(settings(folder))
        StopAfter.stops = 6
        assert resume_run(stopped.folder, {}).interrupted
        assert not resume_run(stopped.folder, {}).interrupted
    assert stopped.interrupted
    return whole, stopped.folder


def test_a_run_that_was_stopped_ends_as_the_one_that_never_was(finished):
    whole, stopped = (read_checkpoint(folder) for folder in finished)
    assert stopped.counters["trainer"] == whole.counters["trainer"]
    assert stopped.counters["past"] == whole.counters["past"]
    assert stopped.counters["clock"]["parts"] == 3
    assert all(np.array_equal(whole.arrays[name], stopped.arrays[name]) for name in whole.arrays)


def test_a_run_leaves_a_policy_that_plays_and_judges(finished):
    policy = load_policy(finished[0])
    assert policy.weights["value.weight"].shape == (RULES.players, 16)
    assert policy.about["decisions"] >= 1800
    assert load_policy(finished[0] / run_module.BEST).rules == RULES


def test_past_selves_are_kept_as_long_as_they_are_met(finished):
    names = [folder.name for folder in (finished[0] / run_module.PAST).iterdir()]
    assert names == read_checkpoint(finished[0]).counters["past"]
    assert len(names) == 1


def test_the_metrics_grow_with_the_run(finished):
    rows = read_metrics(finished[1] / run_module.METRICS_FILE, 1e9)
    decisions = [row["decisions"] for row in rows]
    assert decisions == sorted(decisions)
    assert decisions[0] == 0
    assert {"win_rate_random", "league_corn", "league_past", "entropy", "value_loss"} <= set(
        rows[-1]
    )


def test_a_run_that_was_never_stopped_can_be_given_more(finished):
    with pytest.raises(ConfigError, match="used its budget"):
        resume_run(finished[0], {})
    for fields, says in (
        ({"network": {"values": "own"}}, r"keeps network\.values"),
        ({"opponents": {"agents": []}}, r"keeps opponents\.agents"),
        ({"game": {"players": 4}}, "keeps its rule set"),
    ):
        with pytest.raises(ConfigError, match=says):
            resume_run(finished[0], {"budget": {"decisions": 9000}} | fields)


def test_a_run_that_is_under_way_is_refused_to_a_second_process(finished, tmp_path):
    run = shutil.copytree(finished[0], tmp_path / "run")
    with FolderLock(run), pytest.raises(InUseError, match=f"process {os.getpid()} on "):
        resume_run(run, {"budget": {"decisions": 2400}})


def test_a_run_that_was_killed_before_its_first_checkpoint_begins_anew(finished, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    shutil.copy(finished[0] / run_module.CONFIG_FILE, run)
    assert not resume_run(run, {}).interrupted
    whole, again = (read_checkpoint(folder) for folder in (finished[0], run))
    assert again.counters["trainer"] == whole.counters["trainer"]


def test_a_run_that_was_killed_before_its_report_is_brought_to_its_end(finished, tmp_path):
    run = shutil.copytree(finished[0], tmp_path / "run")
    (run / "results.json").unlink()
    (run / ".report.md.new").write_text("half")
    assert not resume_run(run, {}).interrupted
    whole, again = (read_checkpoint(folder) for folder in (finished[0], run))
    assert again.counters["trainer"] == whole.counters["trainer"]
    assert again.counters["metrics"] == whole.counters["metrics"]
    assert {path.name for path in run.iterdir()} == {path.name for path in finished[0].iterdir()}


def test_a_run_that_was_stopped_while_its_values_were_judged_is_ranked_when_it_goes_on(
    tmp_path, monkeypatch
):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(run_module, "measure_reliability", stopped)
    test = Evaluation(every_seconds=1e9, curve=("random",), curve_deals=1, deals=1)
    outcome = start_run(settings(tmp_path, evaluation=test))
    assert outcome.interrupted
    assert "There was no ranking." in (outcome.folder / "report.md").read_text()
    assert not run_module.is_finished(outcome.folder)


def test_settings_that_were_changed_behind_the_run_are_told(finished, tmp_path, capsys):
    run = shutil.copytree(finished[0], tmp_path / "run")
    config = run / run_module.CONFIG_FILE
    config.write_text(config.read_text().replace("clip_range: 0.2", "clip_range: 0.3"))
    resume_run(run, {"budget": {"decisions": 2400}})
    assert "here on: ppo.clip_range=0.3, not 0.2\n" in capsys.readouterr().err


def test_a_checkpoint_that_does_not_fit_is_refused_in_words(finished, tmp_path, monkeypatch):
    read = run_module.newest_whole_checkpoint

    def other(folder):
        found = read(folder)
        del found.counters["trainer"]["league_3"]["generator"]
        return found

    monkeypatch.setattr(run_module, "newest_whole_checkpoint", other)
    run = shutil.copytree(finished[0], tmp_path / "run")
    with pytest.raises(CheckpointError, match="does not fit this version or its settings"):
        resume_run(run, {"budget": {"decisions": 2400}})


def test_a_full_disk_keeps_the_newest_checkpoint_and_says_how_to_go_on(tmp_path, monkeypatch):
    written = []

    def fills_up(run, checkpoint):
        if len(written) == 3:
            monkeypatch.setattr(os, "fsync", no_space)
        written.append(checkpoint.counters["decisions"])
        return write_checkpoint(run, checkpoint)

    def no_space(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(run_module, "write_checkpoint", fills_up)
    with pytest.raises(StorageError) as refused:
        start_run(settings(tmp_path, checkpoint_seconds=1e-9))
    monkeypatch.undo()
    (run,) = tmp_path.iterdir()
    kept = decisions_name(written[2])
    assert read_checkpoint(run).counters["decisions"] == written[2]
    assert f"{kept} is kept, go on with: prico train --resume {run}" in str(refused.value)
    assert "No space left on device" in str(refused.value)
    assert not list(run.rglob(".*"))
    assert not resume_run(run, {}).interrupted


def test_a_run_whose_folder_is_removed_says_so(tmp_path, monkeypatch):
    def remove(run, checkpoint):
        shutil.rmtree(run)
        return write_checkpoint(run, checkpoint)

    monkeypatch.setattr(run_module, "write_checkpoint", remove)
    with pytest.raises(StorageError, match="cannot be written: No such file or directory"):
        start_run(settings(tmp_path, checkpoint_seconds=1e-9))
    assert not list(tmp_path.iterdir())


def test_a_run_of_another_version_is_refused(finished, tmp_path, monkeypatch):
    checkpoint = read_checkpoint(finished[0])
    old = dataclasses.replace(checkpoint, counters={"decisions": 3})
    monkeypatch.setattr(run_module, "newest_whole_checkpoint", lambda _: old)
    with pytest.raises(CheckpointError, match="another version"):
        resume_run(finished[0], {})


def test_tensorboard_shows_the_same_metrics(tmp_path):
    pytest.importorskip("tensorboard")
    config = settings(tmp_path, tensorboard=True, budget=Budget(minutes=0.0, decisions=100))
    run = start_run(config).folder
    assert list((run / run_module.TENSORBOARD).iterdir())


def test_a_run_of_an_older_version_goes_on_under_the_names_of_today(finished, tmp_path):
    """Its settings, metrics and checkpoint are told as that version wrote them."""
    run = tmp_path / "run"
    shutil.copytree(finished[0], run)
    ours = read_checkpoint(run)
    rename_as_before(run)
    theirs = read_checkpoint(run)
    since = {"figures", "metrics"}
    assert theirs.counters == {n: v for n, v in ours.counters.items() if n not in since}
    assert theirs.arrays.keys() == ours.arrays.keys()
    assert all(np.array_equal(theirs.arrays[name], ours.arrays[name]) for name in ours.arrays)
    rows = read_metrics(run / run_module.METRICS_FILE, 1e9)
    again = resume_run(run, {"budget": {"decisions": 2400}})
    assert not again.interrupted
    after = read_metrics(run / run_module.METRICS_FILE, 1e9)
    assert str(after[: len(rows)]) == str(rows)  # some are not a number, which never is the same
    assert "value_loss" in rows[-1]
    assert load_config(run / run_module.CONFIG_FILE).ppo.batch_size == 64


BEFORE = {
    "behaviour_cloning": "imitation",
    "batch_size": "minibatch",
    "update_epochs": "epochs",
    "num_envs": "games",
    "num_steps": "steps",
    "vf_coef": "value_loss",
    "gae_lambda": "decay",
    "expert_iteration": "search",
    "actors": "workers",
    "batches": "lessons",
    "win_rates": "wins",
    "mean": "middle",
}


def rename_as_before(run):
    """Write a run as a version wrote it that had other names for settings, metrics and parts."""
    names = "|".join(BEFORE)
    config = run / run_module.CONFIG_FILE
    config.write_text(re.sub(rf"\b({names})(?=:)", lambda m: BEFORE[m[1]], config.read_text()))
    metrics = run / run_module.METRICS_FILE
    head, *rows = metrics.read_text().splitlines(keepends=True)
    for new, old in (("value_loss", "value_error"), ("approx_kl", "policy_change")):
        head = head.replace(new, old)
    metrics.write_text("".join([head, *rows]))
    newest = run / (run / "latest").read_text().strip()
    counters = newest / COUNTERS_FILE
    arrays = load((newest / ARRAYS_FILE).read_bytes())
    blob = save(
        {re.sub(rf"\b({names})\b", lambda m: BEFORE[m[1]], n): a for n, a in arrays.items()}
    )
    (newest / ARRAYS_FILE).write_bytes(blob)
    text = re.sub(rf'"({names})":', lambda m: f'"{BEFORE[m[1]]}":', counters.read_text())
    known = json.loads(text)["counters"]
    before = {name: known[name] for name in ("decisions", "clock", "past", "trainer")}
    page = {"arrays_sha256": hashlib.sha256(blob).hexdigest(), "counters": before}
    counters.write_text(json.dumps(page))
