"""Whatever an agent does, the field goes on: it loses the game it broke, and nobody else does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from prico_env import RuleSet
from prico_training.arena.match import (
    BatchFaultError,
    Contestant,
    FaultError,
    Request,
    play,
    what_failed,
)
from prico_training.arena.results import read_games
from prico_training.arena.roster import Roster
from prico_training.arena.schedule import WorkUnit, make_schedule
from prico_training.arena.settings import Entry, Tournament
from prico_training.arena.supervisor import Pool, WorkerDied
from prico_training.arena.tournament import play_tournament
from prico_training.arena.worker import (
    ArenaError,
    FinishedGame,
    Limits,
    Note,
    Probe,
    StrictSupervisor,
    WorkerSettings,
)
from tests.training.arena.players import (
    CannotBeMade,
    CannotSit,
    Dice,
    DiceTogether,
    Hungry,
    Leaves,
    Raises,
    RaisesTogether,
    Sleeps,
)

RULES = RuleSet(players=2)
LIMITS = Limits(move=0.3, start=20.0, warm_up=100.0, grace=0.3)
HOME = "tests.training.arena.players"
pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no alarm to interrupt an agent with"
)


def entry(name):
    return Entry(f"{HOME}:{name}", name)


# -- the supervisor --------------------------------------------------------------------------------


@pytest.fixture
def supervisor():
    before = signal.getsignal(signal.SIGALRM)
    names = ["ann", *(player.__name__ for player in (Dice, Raises, Leaves, Sleeps))]
    yield StrictSupervisor(Note([*names, "CannotBeMade", "CannotSit", "Hungry"]), LIMITS)
    signal.signal(signal.SIGALRM, before)


def test_an_answer_in_time_is_passed_on(supervisor):
    assert supervisor.ask(Request("act", "ann"), lambda: 7) == 7


def test_a_decision_has_its_time(supervisor):
    began = time.perf_counter()
    with pytest.raises(FaultError, match=r"longer than 0\.3 seconds to decide") as fault:
        supervisor.ask(Request("act", "ann"), lambda: time.sleep(20))
    assert fault.value.kind == "timeout"
    assert time.perf_counter() - began < 10
    assert supervisor.ask(Request("act", "ann"), lambda: 7) == 7


def test_who_will_not_be_interrupted_is_late_all_the_same(supervisor):
    def stubborn():
        try:
            time.sleep(20)
        except BaseException:
            return 7

    with pytest.raises(FaultError, match="longer than"):
        supervisor.ask(Request("act", "ann"), stubborn)


def test_many_games_at_once_have_the_time_of_many(supervisor):
    request = Request("act", "ann", games=100)
    assert supervisor.ask(request, lambda: time.sleep(0.4)) is None


def test_the_first_decision_may_compile(supervisor):
    assert supervisor.ask(Request("warm_up", "ann"), lambda: time.sleep(0.4)) is None


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(1), KeyboardInterrupt()])
def test_what_an_agent_raises_is_its_fault(supervisor, error):
    def fail():
        raise error

    with pytest.raises(FaultError, match=type(error).__name__) as fault:
        supervisor.ask(Request("act", "ann"), fail)
    assert fault.value.kind == "error"
    assert "in fail" in fault.value.text


def test_a_forfeit_says_what_failed_first_and_not_what_a_library_advises(supervisor):
    def library():
        try:
            {}["estate"]
        except KeyError as error:
            raise RuntimeError("cannot go on\nFor more information, see the manual.") from error

    with pytest.raises(FaultError) as fault:
        supervisor.ask(Request("act", "ann"), library)
    assert what_failed(fault.value.text) == "KeyError: 'estate'"
    assert fault.value.text.rstrip().endswith("see the manual.")

    def numba():
        raise TypeError("cannot unify int64 and str\n\nThis error may have been caused by ...")

    with pytest.raises(FaultError) as fault:
        supervisor.ask(Request("act", "ann"), numba)
    assert what_failed(fault.value.text) == "TypeError: cannot unify int64 and str"


def test_a_note_says_who_is_asked_and_until_when_that_may_take():
    note = Note(["ann", "bob"])
    assert note.request is None
    request = Request("act", "bob", game=3, seat=2, decision=40, games=6)
    note.begin(request, 1.5)
    assert note.request == request
    assert 1.4 < note.deadline - time.monotonic() <= 1.5
    note.end()
    assert note.request is None
    assert note.deadline == 0


@pytest.mark.parametrize("name", ["x" * 500, "ä" * 300, '"\\\n'])
def test_a_note_has_room_for_any_name(name):
    note = Note(["ann", name])
    note.begin(Request("act", name, 10**9, 4, 10**6, 10**6), 1.0)
    assert note.request.agent == name


@pytest.mark.parametrize(
    ("player", "kind", "decision", "says"),
    [
        (Raises, "error", 3, "four is too many"),
        (Leaves, "error", 0, "SystemExit"),
        (Sleeps, "timeout", 2, "to decide"),
        (CannotBeMade, "error", 0, "no way into the world"),
        (CannotSit, "error", 0, "no chair"),
        (Hungry, "error", 0, "MemoryError"),
    ],
)
def test_a_fault_is_noted_with_its_decision(supervisor, player, kind, decision, says):
    line_up = [Contestant(player.__name__, player), Contestant("Dice", Dice)]
    ended = play(RULES, line_up, [5], supervisor)
    (((game, seat), fault),) = ended.faults.items()
    assert (game, seat, fault.kind, fault.decision) == (0, 0, kind, decision)
    assert says in fault.text


def test_who_breaks_many_games_at_once_is_asked_one_by_one():
    supervisor = StrictSupervisor(Note(["bad", "dice"]), LIMITS)
    bad, dice = Contestant("bad", RaisesTogether), Contestant("dice", DiceTogether)
    with pytest.raises(BatchFaultError):
        play(RULES, [bad, dice], [1, 2, 3], supervisor)
    faults = [bool(play(RULES, [bad, dice], [seed], supervisor).faults) for seed in range(1, 4)]
    assert any(faults)


# -- processes -------------------------------------------------------------------------------------

BAD = {
    "Raises": ("error", 3, "ZeroDivisionError: four is too many"),
    "RaisesTogether": ("error", None, "ZeroDivisionError: together"),
    "Exits": ("crash", 0, "exit code 3"),
    "Segfaults": ("crash", 4, "SIG"),
    "Deaf": ("timeout", 2, "its process had to be ended"),
    "DiesBeingMade": ("crash", 0, "exit code 4"),
}
"""What each does wrong, at which of its decisions, and what is said about it."""


@pytest.mark.slow
def test_bad_agents_lose_the_games_they_break_and_the_field_goes_on(tmp_path):
    tournament = Tournament(
        tuple(entry(name) for name in ("Dice", *BAD)),
        RULES,
        deals=1,
        formats=("copies",),
        against=("Dice",),
        processes=2,
    )
    outcome = play_tournament(tournament, tmp_path, limits=LIMITS)
    games = list(read_games(tmp_path))
    assert outcome.played == outcome.planned == len(games) == 2 * len(BAD)
    for game in games:
        (fault,) = game["faults"]
        seat, name = fault["seat"], fault["agent"]
        assert game["table"][seat] == name
        kind, decision, says = BAD[name]
        assert fault["kind"] == kind
        assert decision in (None, fault["decision"])
        assert says in fault["text"]
        assert (game["wins"][seat], game["wins"][1 - seat]) == (0, 1)
        assert (game["places"][seat], game["places"][1 - seat]) == (2, 1)


def children_of(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the children of who is gone")
def test_a_worker_that_hangs_in_c_does_not_outlive_its_parent(tmp_path):
    note = tmp_path / "hangs"
    words = ["arena", f"{HOME}:HangsForever", f"{HOME}:Dice", "--players", "2", "--deals", "1"]
    main = subprocess.Popen(
        [sys.executable, "-m", "prico_training", *words, "--processes", "1", "--output", "cup"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "HANGS": str(note)},
    )
    try:
        while not note.exists():
            assert main.poll() is None
            time.sleep(0.05)
        (worker,) = (pid for pid in children_of(main.pid) if str(pid) == note.read_text())
    finally:
        main.kill()
        main.wait()
    gone = time.monotonic() + 2
    while Path(f"/proc/{worker}/stat").exists():
        if " Z " in Path(f"/proc/{worker}/stat").read_text():
            break
        assert time.monotonic() < gone
        time.sleep(0.05)


# -- the roster ------------------------------------------------------------------------------------


class Scripted:
    """A pool whose answers a test makes up; it ends when there is none."""

    def __init__(self, answer):
        self.answer = answer
        self.waiting = []
        self.asked = []

    def run(self, jobs, keep_going):
        while keep_going():
            job = self.waiting.pop(0) if self.waiting else next(jobs, None)
            if job is None:
                return
            self.asked.append(job)
            answer = self.answer(job)
            if answer is None:
                return
            yield job, answer

    def again(self, jobs):
        self.waiting = [*jobs, *self.waiting]


def roster(**settings):
    tournament = Tournament((entry("Dice"), entry("Last")), RULES, deals=4)
    schedule = make_schedule(tournament)
    return Roster(schedule, tournament.names, settings.get("max_faults", 0), {})


def always():
    return True


def test_a_worker_that_dies_without_reason_is_given_up_on_in_the_end():
    pool = Scripted(lambda job: WorkerDied(None, "crash", "the process was ended by SIGKILL"))
    with pytest.raises(ArenaError, match=r"3 times while no agent was asked.*SIGKILL"):
        roster().probe(pool, always)


def test_who_breaks_a_game_twice_at_other_decisions_is_not_asked_again():
    deaths = iter([9, 6])

    def answer(job):
        decision = next(deaths, None)
        if decision is None:
            return None
        return WorkerDied(Request("act", "Last", 0, 1, decision), "crash", "gone")

    pool = Scripted(answer)
    assert list(roster().play(pool, iter([WorkUnit(0, (2,))]), always)) == []
    known = [job.known.get(1) for job in pool.asked]
    assert [fault and fault.decision for fault in known] == [None, 9, 0]


def test_who_dies_in_many_games_is_asked_in_each_by_itself():
    def answer(job):
        if len(job.deals) == 1:
            return None
        return WorkerDied(Request("act", "Last", 3, 1, 5, games=2), "crash", "gone")

    pool = Scripted(answer)
    assert list(roster().play(pool, iter([WorkUnit(0, (1, 2, 3))]), always)) == []
    assert [job.deals for job in pool.waiting] == [(2,), (3,)]
    assert not any(job.known for job in pool.waiting)


def test_who_dies_while_practising_does_not_practise_again():
    def answer(job):
        if "Last" in job.no_warm_up:
            return None
        return WorkerDied(Request("warm_up", "Last"), "crash", "gone")

    pool = Scripted(answer)
    assert list(roster().play(pool, iter([WorkUnit(0, (1,))]), always)) == []
    assert pool.asked[-1].no_warm_up == {"Last"}
    assert not pool.asked[-1].known


def test_a_worker_waits_for_no_agent_to_answer_a_person_who_stops():
    with Pool(WorkerSettings(RULES, (entry("Dice"),), 1, LIMITS, None), 1) as pool:
        assert list(pool.run(iter([Probe("Dice")]), lambda: False)) == []


def test_who_broke_enough_games_is_not_asked_any_more():
    def answer(job):
        broken_by = () if "Last" in job.disqualified else ("Last",)
        return [FinishedGame(job.deals[0], [1.0, 0.0], broken_by, b"")]

    pool = Scripted(answer)
    work = iter([WorkUnit(0, (deal,)) for deal in range(4)])
    assert len(list(roster(max_faults=2).play(pool, work, always))) == 4
    assert ["Last" in job.disqualified for job in pool.asked] == [False, False, True, True]
    assert "broke 2 games" in pool.asked[-1].disqualified["Last"].text
