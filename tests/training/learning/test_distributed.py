"""Several ranks learn as one: `torchrun` starts two of them for all tests here together."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from prico_training import cli
from prico_training.errors import ConfigError
from prico_training.learning import distributed
from prico_training.learning.checkpoint import read_checkpoint
from prico_training.learning.distributed import ALONE, Ranks
from prico_training.learning.metrics import read_metrics
from prico_training.learning.run import METRICS_FILE

TORCHRUN = (sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2")


@pytest.fixture(scope="module")
def noted(tmp_path_factory):
    """The folder in which two ranks noted down what they saw."""
    folder = tmp_path_factory.mktemp("ranks")
    script = Path(__file__).with_name("two_ranks.py")
    done = subprocess.run(
        [*TORCHRUN, script, folder], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def same(one, other):
    with np.load(one) as ours, np.load(other) as theirs:
        assert set(ours) == set(theirs)
        return all(np.array_equal(ours[name], theirs[name]) for name in ours)


def told(noted, name):
    return [json.loads((noted / f"{name}_{rank}.json").read_text()) for rank in range(2)]


@pytest.mark.slow
def test_ranks_play_other_games_and_hold_the_same_weights(noted):
    assert same(noted / "whole_0.npz", noted / "whole_1.npz")
    games = [np.load(noted / f"games_{rank}.npy") for rank in range(2)]
    assert (games[0] != games[1]).any(axis=1).all()


@pytest.mark.slow
def test_ranks_count_what_all_have_learnt_from(noted):
    first, second = told(noted, "told")
    assert first["counts"] == second["counts"]
    decisions, games, updates = first["counts"]
    assert decisions > 5 * 2 * 40 * 6
    assert games > 0
    assert updates == 7
    shared = ("entropy", "approx_kl", "clip_fraction", "value_loss")
    assert all(first["figures"][name] == second["figures"][name] for name in shared)


@pytest.mark.slow
def test_two_ranks_make_the_step_that_one_makes_from_the_games_of_both(noted):
    with np.load(noted / "together.npz") as together, np.load(noted / "alone.npz") as alone:
        for name in alone:
            assert together[name] == pytest.approx(alone[name], abs=2e-5)


@pytest.mark.slow
def test_ranks_go_on_as_if_they_had_never_stopped(noted):
    for rank, page in enumerate(told(noted, "told")):
        assert same(noted / f"whole_{rank}.npz", noted / f"again_{rank}.npz")
        assert page["figures"] == page["figures_again"]


@pytest.mark.slow
def test_who_stops_one_rank_stops_all_and_all_go_on_together(noted):
    first, second = told(noted, "run")
    for page in (first, second):
        assert page["stopped"]
        assert page["updates"] == 4
        assert page["ended"]
    assert (first["to_tell"], second["to_tell"]) == (True, False)
    assert first["folder"] == second["folder"]
    checkpoint = read_checkpoint(Path(first["folder"]))
    assert checkpoint.counters["clock"]["parts"] == 2
    assert checkpoint.counters["decisions"] >= 5000
    assert len(read_metrics(Path(first["folder"], METRICS_FILE), 1e9)) == 2
    assert len(list(Path(first["folder"]).parent.iterdir())) == 1


@pytest.mark.slow
def test_a_run_of_two_ranks_is_not_gone_on_with_by_one(noted):
    assert "one of 2 ranks" in told(noted, "told")[0]["refusal"]


def test_who_is_alone_needs_nobody():
    assert Ranks.join() is ALONE
    assert ALONE.sum([1, 2]).tolist() == [1, 2]
    assert (ALONE.broadcast("yes"), ALONE.gather("yes"), ALONE.any(False)) == (
        "yes",
        ["yes"],
        False,
    )
    with pytest.raises(ConfigError, match="no"):
        ALONE.by_first(refuse)


def refuse():
    raise ConfigError("no")


def test_the_command_starts_its_ranks_by_torchrun(monkeypatch):
    started = []

    def become(program, words):
        started.extend(words)
        raise SystemExit(0)

    monkeypatch.setattr(distributed.os, "execv", become)
    with pytest.raises(SystemExit):
        cli.main(["train", "threads=1", "--ranks", "3"])
    assert started[1:] == [
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node=3",
        "-m",
        "prico_training",
        "train",
        "threads=1",
    ]
