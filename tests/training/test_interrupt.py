"""The first request lets the work end, the second ends it, and workers hear neither."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from prico_training.interrupt import Interruptions

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals of POSIX")


def ask(number):
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_request_is_answered_and_the_second_ends_the_work(number, capfd):
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    with Interruptions("prico: stopping") as interruptions:
        assert not interruptions.happened
        ask(number)
        assert interruptions.happened
        with pytest.raises(KeyboardInterrupt):
            ask(signal.SIGTERM)
    assert capfd.readouterr().err == "prico: stopping; asked once more, it ends at once\n"
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_rank_takes_what_torchrun_passes_on_for_the_same_request(monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "none")
    with Interruptions() as interruptions:
        ask(signal.SIGINT)
        ask(signal.SIGINT)
        ask(signal.SIGTERM)
        interruptions._asked_at -= 60
        with pytest.raises(KeyboardInterrupt):
            ask(signal.SIGINT)


def test_in_another_thread_signals_stay_with_the_main_one():
    seen = []

    def work():
        with Interruptions() as interruptions:
            seen.append(interruptions.happened)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [False]


GROUP = """
import multiprocessing, sys, time
from prico_training.interrupt import Interruptions, pass_over_requests, requests_held_back

def work(connection):
    connection.send("starting")
    time.sleep(0.5)
    pass_over_requests()
    time.sleep(0.5)
    connection.send("still there")

if __name__ == "__main__":
    with Interruptions() as interruptions:
        ours, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        with requests_held_back():
            process = context.Process(target=work, args=(theirs,))
            process.start()
        print(ours.recv(), flush=True)
        print(ours.recv(), interruptions.happened, flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_whole_group_reaches_the_main_process_alone(number, tmp_path):
    script = tmp_path / "group.py"
    script.write_text(GROUP)
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as main:
        assert main.stdout.readline() == "starting\n"
        os.killpg(main.pid, number)
        assert main.stdout.read() == "still there True\n"
    assert main.returncode == 0


ORPHAN = """
import multiprocessing, os, sys, time
from prico_training import parent

sys.platform = sys.argv[1] if len(sys.argv) > 1 else sys.platform

def work(connection, _):
    connection.send(os.getpid())
    while True:
        time.sleep(0.01)

if __name__ == "__main__":
    ours, theirs = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    context.Process(**parent.tied(work, theirs, sys.argv[1])).start()
    print(ours.recv(), flush=True)
    time.sleep(60)
"""


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return ") Z " not in stat.read()
    except OSError:
        return sys.platform != "linux"


@pytest.mark.parametrize("platform", [sys.platform, "another"])
def test_a_worker_ends_with_its_main_process_on_every_platform(platform, tmp_path):
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN)
    with subprocess.Popen(
        [sys.executable, script, platform],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as main:
        worker = int(main.stdout.readline())
        assert is_running(worker)
        main.kill()
        main.wait()
        late = time.monotonic() + 20
        while is_running(worker):
            assert time.monotonic() < late
            time.sleep(0.02)
