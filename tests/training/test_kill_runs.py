"""What `python -m tests.training.kill_runs` does at length, in short."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("torch")

TRIALS = ["--kills", "1", "--moments", "3", "--flips", "3", "--arena", "1"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc for workers that are left")
def test_whatever_kills_a_run_or_a_tournament_nothing_is_lost():
    done = subprocess.run(
        [sys.executable, "-m", "tests.training.kill_runs", *TRIALS],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
