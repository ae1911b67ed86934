"""Kill training runs and tournaments, fill their disks and flip their bytes: nothing may be lost.

    python -m tests.training.kill_runs --kills 20 --arena 20 --moments --flips 200 --disks 8

Every life of a run is a process of its own, forked from this one, which has everything loaded: so a
whole run takes seconds, with its warm start, rollouts, updates, checkpoints, learning curve and
ranking. It is exact on one thread, so what comes out at the end must be what an undisturbed run
gives, bit for bit, however often it was killed.
"""

import argparse
import contextlib
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import torch

from prico_agents.neural.checkpoint import load_policy
from prico_env import RuleSet
from prico_env.errors import PricoError
from prico_training.arena import tournament
from prico_training.arena.report import write_report
from prico_training.arena.results import read_games
from prico_training.arena.settings import tournament_from
from prico_training.arena.tournament import LOG_FILE, play_tournament
from prico_training.config import (
    BehaviourCloning,
    Budget,
    Config,
    Evaluation,
    NetworkShape,
    Opponents,
    Ppo,
    SelfPlay,
)
from prico_training.folder_lock import LOCK_FILE
from prico_training.learning.checkpoint import read_checkpoint
from prico_training.learning.run import resume_run, start_run

RULES = RuleSet(players=3)
TIMES = ("seconds", "decisions_per_second")
GONE_SECONDS = 2.0
"""Within which workers must be gone after their main process."""
CUP = {
    "agents": ["random", "corn", "builder"],
    "game": {"players": 2},
    "deals": 400,
    "processes": 1,
}


def settings(runs: Path, deals: int = 2) -> Config:
    """A whole run of a few seconds that checks its course all the time."""
    return Config(
        name="killed",
        runs=str(runs),
        threads=1,
        device="cpu",
        checkpoint_seconds=1e-9,
        game=RULES,
        self_play=SelfPlay(num_envs=8, num_steps=24),
        opponents=Opponents(agents=("corn",), share=0.5, pool_size=2, snapshot_every=400),
        network=NetworkShape(hidden=(16,)),
        behaviour_cloning=BehaviourCloning(
            share=0.4, teacher="corn", others=("trader",), games=2, batch_size=128
        ),
        ppo=Ppo(batch_size=64, update_epochs=1),
        budget=Budget(minutes=0.0, decisions=3000),
        evaluation=Evaluation(
            every_seconds=1e-9, curve=("random",), curve_deals=1, opponents=("corn",), deals=deals
        ),
    )


# -- lives -----------------------------------------------------------------------------------------


class Moment:
    """Where a process ends itself: at the renaming of a file of some kind, or right after it.

    The hook that Python calls before the system renames anything cannot be taken out again, so
    there is one for all lives.
    """

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.kind = ""
        self.is_after = False
        self._is_over = False
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._is_over:
            self._die()
        if event == "os.rename":
            path = Path(str(arguments[1]))
            kind = re.sub(r"\d+", "#", f"{path.parent.name}/{path.name}")
            self.seen.append(kind)
            self._is_over = kind == self.kind
            if self._is_over and not self.is_after:
                self._die()

    def _die(self) -> None:
        self._is_over = False  # to kill is heard, too
        os.kill(os.getpid(), signal.SIGKILL)


class FaultError(Exception):
    """What must not happen."""


class Lives:
    """Starts the lives of a run, and watches what they leave behind."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.killed = 0
        self.slowest = 0.0
        self.said = ""
        self.status = 0

    def live(
        self, work: Callable[[], object], seconds: float | None = None, kind: str = "", after=False
    ) -> bool:
        """Do the work in another process; returns whether it came to its end before its death.

        Raises:
            FaultError: It went wrong by itself, or left processes behind.
        """
        with tempfile.TemporaryFile() as told:
            main = os.fork()
            if main == 0:
                self._be(work, told.fileno(), kind, after)
            self.status = status = self._wait(main, seconds)
            told.seek(0)
            self.said = told.read().decode(errors="replace")
        self._wait_for_workers(main)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            self.killed += 1
            return False
        if "Traceback" in self.said:
            raise FaultError(self.said)
        return os.WEXITSTATUS(status) == 0

    def _be(self, work: Callable[[], object], told: int, kind: str, after: bool) -> None:
        status = 1
        try:
            os.setsid()
            for stream in (1, 2):
                os.dup2(told, stream)
            self.moment.kind, self.moment.is_after = kind, after
            work()
            status = 0
        except PricoError as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            status = 2
        except BaseException:
            import traceback

            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(status)

    def _wait(self, main: int, seconds: float | None) -> int:
        if seconds is not None:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                ended, status = os.waitpid(main, os.WNOHANG)
                if ended:
                    return status
                time.sleep(0.005)
            os.kill(main, signal.SIGKILL)
        return os.waitpid(main, 0)[1]

    def _wait_for_workers(self, main: int) -> None:
        began = time.monotonic()
        while _in_session(main):
            if time.monotonic() > began + 10 * GONE_SECONDS:
                left = [_command(pid) for pid in _in_session(main)]
                raise FaultError(f"processes outlive their main process: {left}")
            time.sleep(0.02)
        self.slowest = max(self.slowest, time.monotonic() - began)


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return "?"


def _in_session(main: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, session = place.read_text().rpartition(") ")[2].split()[:4]
            if int(session) == main and state != "Z":
                found.append(int(place.parent.name))
    return found


# -- what must be the same -------------------------------------------------------------------------


def run_of(runs: Path) -> Path | None:
    """The run that can go on; what was killed before it was one is removed."""
    for folder in list(runs.iterdir()):
        if (folder / "config.yaml").exists():
            return folder
        shutil.rmtree(folder)
    return None


def whole_run(runs: Path) -> None:
    """Begin a run, or go on with it."""
    folder = run_of(runs)
    if folder is None:
        start_run(settings(runs))
    else:
        resume_run(folder, {})


def digest(arrays: dict[str, np.ndarray]) -> dict[str, str]:
    """A digest for each array."""
    hashed = {name: hashlib.sha256(array.tobytes()) for name, array in arrays.items()}
    return {name: one.hexdigest()[:12] for name, one in hashed.items()}


def table(folder: Path) -> list[str]:
    """The games of a tournament without the time they took."""
    games = [{k: v for k, v in game.items() if k != "seconds"} for game in read_games(folder)]
    return sorted(json.dumps(game, sort_keys=True) for game in games)


def untimed(values: object) -> object:
    """Plain values without those that tell a time."""
    if isinstance(values, list):
        return [untimed(each) for each in values]
    if not isinstance(values, dict):
        return values
    return {name: untimed(each) for name, each in values.items() if not re.search("second", name)}


def learnt(run: Path) -> dict[str, object]:
    """What a run has learnt and counted."""
    checkpoint = read_checkpoint(run)
    counters = dict(checkpoint.counters)
    clock, rows = counters.pop("clock"), counters.pop("metrics").splitlines()
    untimed = [at for at, name in enumerate(rows[0].split(",")) if name not in TIMES]
    return {
        "arrays": digest(checkpoint.arrays),
        "counters": counters,
        "best": clock["best"],
        "point": clock["point_decisions"],
        "weights": digest(checkpoint.policy.weights),
        "curve": [[row.split(",")[at] for at in untimed] for row in rows],
        "best_weights": digest(load_policy(run / "best").weights),
        "past": {path.name for path in (run / "past").iterdir()} >= set(counters["past"]),
    }


def files_in(folder: Path) -> set[str]:
    """Files and folders below a folder, but the log of a tournament.

    A worker that ends with its main process may have begun to say so there.
    """
    every = (path for path in folder.rglob("*") if path.name != LOG_FILE)
    return {str(path.relative_to(folder)) for path in every}


def outcome(run: Path) -> dict[str, object]:
    """Everything that must be the same at the end of a run."""
    results = json.loads((run / "results.json").read_text())
    files = {re.sub(r"\d+", "#", each) for each in files_in(run)}
    metrics = (run / "metrics.csv").read_text()
    return learnt(run) | {
        "metrics": metrics == read_checkpoint(run).counters["metrics"],
        "counts": {k: v for k, v in results["counts"].items() if k not in ("seconds", "parts")},
        "ranking": untimed(results["ranking"]),
        "reliability": results["reliability"],
        "games": table(run / "arena"),
        "files": files,
    }


def compare(expected: dict[str, object], found: dict[str, object], what: str) -> None:
    """See that two outcomes are the same.

    Raises:
        FaultError: They are not.
    """
    for name, value in expected.items():
        if found[name] != value:
            if isinstance(value, set):
                value, found[name] = value - found[name], found[name] - value
            raise FaultError(f"{what}: {name} is {found[name]!r:.600}, not {value!r:.600}")


def refuse_litter(folder: Path, what: str) -> None:
    """See that nothing half written is left.

    Raises:
        FaultError: Something is.
    """
    left = [path for path in folder.rglob(".*") if path.name.endswith((".new", ".old", LOCK_FILE))]
    if left:
        raise FaultError(f"{what} leaves {left}")


# -- the trials ------------------------------------------------------------------------------------


class Trials:
    """All trials of a call, in one folder."""

    def __init__(self, home: Path, seed: int) -> None:
        self.home = home
        self.chance = random.Random(seed)
        self.moment = Moment()
        self.lives = Lives(self.moment)
        self._numbers = itertools.count(1)

    def fresh(self) -> Path:
        """An empty folder."""
        folder = self.home / str(next(self._numbers))
        folder.mkdir()
        return folder

    def reference(self) -> None:
        """Make the run that nobody disturbs, twice: the second time everything is loaded."""
        for _ in range(2):
            self.moment.seen.clear()
            runs, began = self.fresh(), time.monotonic()
            whole_run(runs)
            self.seconds = time.monotonic() - began
            self.run = run_of(runs)
            assert self.run is not None
            self.kinds = list(dict.fromkeys(self.moment.seen))
            self.kinds = [kind for kind in self.kinds if not kind.endswith(".old")]
            self.expected = outcome(self.run)
        refuse_litter(self.run, "an undisturbed run")
        self.learning = json.loads((self.run / "results.json").read_text())["counts"]["seconds"]
        say(f"a whole run takes {self.seconds:.1f} s; it renames files of {len(self.kinds)} kinds")

    def random_kills(self, kills: int) -> None:
        """Kill whole runs at random moments."""
        before, ended, runs = self.lives.killed, 0, self.fresh()
        while self.lives.killed - before < kills:
            longest = self.seconds if self.chance.random() < 0.5 else self.learning
            if self._live(runs, self.chance.uniform(0.01, longest)):
                ended += self._ended(runs, "after kills at random moments")
                runs = self.fresh()
        while not self._live(runs):
            pass
        ended += self._ended(runs, "after kills at random moments")
        say(f"{kills} kills at random moments, {ended} runs to their end: as if undisturbed")

    def chosen_kills(self, limit: int | None) -> None:
        """Kill whole runs right before and right after they rename a file of each kind."""
        moments = [(kind, after) for kind in self.kinds for after in (False, True)]
        if limit is not None:
            moments = self.chance.sample(moments, limit)
            moments.sort(key=lambda each: self.kinds.index(each[0]))
        hit, ended, runs = 0, 0, self.fresh()
        for kind, after in moments:
            for _ in range(2):  # the run may have come past such a moment already
                if not self._live(runs, kind=kind, after=after):
                    hit += 1
                    break
                ended += self._ended(runs, f"killed at {kind}")
                runs = self.fresh()
            else:
                raise FaultError(f"nothing renames {kind}")
        while not self._live(runs):
            pass
        ended += self._ended(runs, "after kills at chosen moments")
        say(f"{hit} kills at the renaming of files, {ended} runs to their end: as if undisturbed")

    def _live(self, runs: Path, *how: object, **where: object) -> bool:
        """Let a run live on; returns whether it came to its end, and not to its death."""
        before = self.lives.killed
        is_whole = self.lives.live(partial(whole_run, runs), *how, **where)
        if "ConfigError: this run has used its budget" in self.lives.said:
            return True  # it was killed after its last file
        if not is_whole and self.lives.killed == before:
            raise FaultError(f"a run ends with status {self.lives.status}: {self.lives.said}")
        return is_whole

    def _ended(self, runs: Path, what: str) -> int:
        run = run_of(runs)
        assert run is not None
        compare(self.expected, outcome(run), what)
        refuse_litter(runs, what)
        shutil.rmtree(runs)
        return 1

    def arena_kills(self, kills: int) -> None:
        """Kill tournaments at random moments."""
        cup = tournament_from(CUP)

        def whole(folder: Path) -> None:
            play_tournament(cup, folder)
            write_report(folder)

        first = self.fresh() / "cup"
        began = time.monotonic()
        whole(first)
        seconds, expected = time.monotonic() - began, table(first)
        numbers = untimed(json.loads((first / "report.json").read_text()))
        files = files_in(first)
        before, ended, folder = self.lives.killed, 0, self.fresh() / "cup"
        while self.lives.killed - before < kills or not ended:
            is_last = self.lives.killed - before >= kills
            patience = None if is_last else self.chance.uniform(0.01, seconds)
            if not self.lives.live(partial(whole, folder), patience):
                if "Error: " in self.lives.said:
                    raise FaultError(f"a tournament does not go on: {self.lives.said}")
                continue
            found = {
                "games": table(folder),
                "report": untimed(json.loads((folder / "report.json").read_text())),
                "files": files_in(folder),
            }
            compare({"games": expected, "report": numbers, "files": files}, found, "an arena")
            ended, folder = ended + 1, self.fresh() / "cup"
        say(f"{kills} kills of tournaments, {ended} to their end: the same table and report")

    def flips(self, number: int) -> None:
        """Flip bytes in the files of a run that then goes on."""
        more = {"budget": {"decisions": 3400}, "evaluation": {"deals": 0}}
        newest, older = self._copy(), self._copy()
        resume_run(newest, more)
        gone = sorted((older / "checkpoints").iterdir())[-1]
        shutil.rmtree(gone)
        resume_run(older, more)
        expected = {is_older: learnt(run) for run, is_older in ((newest, False), (older, True))}
        files = sorted(path for path in self.run.rglob("*") if path.is_file())
        refused = told = same = 0
        for _ in range(number):
            run, path = self._copy(), self.chance.choice(files)
            blob = bytearray((run / path.relative_to(self.run)).read_bytes() or b"\0")
            for _ in range(self.chance.choice((1, 1, 4))):
                blob[self.chance.randrange(len(blob))] ^= 1 << self.chance.randrange(8)
            if self.chance.random() < 0.2:
                del blob[self.chance.randrange(len(blob)) :]
            (run / path.relative_to(self.run)).write_bytes(blob)
            what = f"{path.relative_to(self.run)} flipped"
            if not self.lives.live(partial(resume_run, run, more)):
                refused += 1
                if self.lives.said.count("Error: ") != 1:
                    raise FaultError(f"{what}: {self.lives.said}")
            elif "differs from the settings" in self.lives.said:
                told += 1
            else:
                same += 1
                is_older = f"going on from {gone.name}" not in self.lives.said
                is_older &= "going on from" in self.lives.said
                compare(expected[is_older] | {"best_weights": None}, learnt_again(run), what)
            shutil.rmtree(run.parent)
        say(
            f"{number} runs with flipped or lost bytes: {refused} refused in one line, {same} go "
            f"on as if undisturbed, {told} say which setting is another one now"
        )

    def _copy(self) -> Path:
        assert self.run is not None
        return Path(shutil.copytree(self.run, self.fresh() / "run"))

    def disks(self, number: int) -> None:
        """Let runs fill their disk; once there is room they go on."""
        sizes = sorted(self.chance.sample(range(4, 600, 4), number))
        ended = 0
        for size in sizes:
            runs = self.fresh()
            mount(runs, f"size={size}k")
            try:
                if not self.lives.live(partial(whole_run, runs)):
                    lines = [line for line in self.lives.said.splitlines() if "Error: " in line]
                    if len(lines) != 1 or "No space left" not in lines[0]:
                        raise FaultError(f"a disk of {size} kB: {self.lives.said}")
                    refuse_litter(runs, f"a disk of {size} kB")
                    mount(runs, "remount,size=64m")
                    if not self.lives.live(partial(whole_run, runs)):
                        raise FaultError(f"a disk of {size} kB that got room: {self.lives.said}")
                    ended += 1
                run = run_of(runs)
                compare(self.expected, outcome(run), f"a disk of {size} kB")
            finally:
                subprocess.run(["umount", "-l", runs], check=True)
        say(f"{ended} of {number} disks became full; all runs went on when there was room")


def learnt_again(run: Path) -> dict[str, object]:
    """What a run has learnt, whatever became of its best policy."""
    with contextlib.suppress(PricoError):
        return learnt(run) | {"best_weights": None}
    shutil.rmtree(run / "best")
    shutil.copytree(run, run / "best", ignore=shutil.ignore_patterns("arena", "past"))
    return learnt(run) | {"best_weights": None}


def mount(folder: Path, options: str) -> None:
    """Put a small disk in the place of a folder; for root alone."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)


def say(text: str) -> None:
    """Tell how far it has come."""
    print(f"{time.process_time():6.0f} s CPU  {text}", flush=True)


def main() -> int:
    """Make the trials that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=0, help="of training runs, at random moments")
    parser.add_argument("--arena", type=int, default=0, help="kills of tournaments")
    parser.add_argument("--moments", type=int, nargs="?", const=-1, default=0)
    parser.add_argument("--flips", type=int, default=0, help="runs with flipped bytes")
    parser.add_argument("--disks", type=int, default=0, help="disks that become full; as root")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    tournament._cores = lambda: 1  # one worker for each ranking
    with tempfile.TemporaryDirectory() as home:
        trials = Trials(Path(home), asked.seed)
        trials.reference()
        if asked.kills:
            trials.random_kills(asked.kills)
        if asked.moments:
            trials.chosen_kills(None if asked.moments < 0 else asked.moments)
        if asked.flips:
            trials.flips(asked.flips)
        if asked.disks:
            trials.disks(asked.disks)
        if asked.arena:
            trials.arena_kills(asked.arena)
        say(f"{trials.lives.killed} kills; the last worker was gone {trials.lives.slowest:.2f} s")
    return 0
