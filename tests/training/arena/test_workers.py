"""Whatever an agent does, the field goes on: it loses the game it broke, and nobody else does."""

import signal
import time

import pytest

from prico_env import RuleSet
from prico_training.arena.match import ApartError, Contestant, FaultError, Moment, play
from prico_training.arena.results import read_games
from prico_training.arena.roster import ArenaError, Field
from prico_training.arena.schedule import Unit, make_schedule
from prico_training.arena.settings import Entry, Tournament
from prico_training.arena.supervisor import (
    Brief,
    Died,
    FinishedGame,
    Limits,
    Meet,
    Notes,
    Played,
    Pool,
    StrictUmpire,
)
from prico_training.arena.tournament import play_tournament
from tests.training.arena.players import (
    CannotBeMade,
    CannotSit,
    Dice,
    DiceTogether,
    Leaves,
    Raises,
    RaisesTogether,
    Sleeps,
)

RULES = RuleSet(players=2)
LIMITS = Limits(move=0.3, start=20.0, practice=100.0, grace=0.3)
HOME = "tests.training.arena.players"
pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no alarm to interrupt an agent with"
)


def entry(name):
    return Entry(f"{HOME}:{name}", name)


# -- the umpire ------------------------------------------------------------------------------------


@pytest.fixture
def umpire():
    before = signal.getsignal(signal.SIGALRM)
    names = ["ann", *(player.__name__ for player in (Dice, Raises, Leaves, Sleeps))]
    yield StrictUmpire(Notes([0] * 8, [*names, "CannotBeMade", "CannotSit"]), LIMITS)
    signal.signal(signal.SIGALRM, before)


def test_an_answer_in_time_is_passed_on(umpire):
    assert umpire.ask(Moment("act", "ann"), lambda: 7) == 7


def test_a_decision_has_its_time(umpire):
    began = time.perf_counter()
    with pytest.raises(FaultError, match=r"longer than 0\.3 seconds to decide") as fault:
        umpire.ask(Moment("act", "ann"), lambda: time.sleep(20))
    assert fault.value.kind == "timeout"
    assert time.perf_counter() - began < 10
    assert umpire.ask(Moment("act", "ann"), lambda: 7) == 7


def test_who_will_not_be_interrupted_is_late_all_the_same(umpire):
    def stubborn():
        try:
            time.sleep(20)
        except BaseException:
            return 7

    with pytest.raises(FaultError, match="longer than"):
        umpire.ask(Moment("act", "ann"), stubborn)


def test_many_games_at_once_have_the_time_of_many(umpire):
    moment = Moment("act", "ann", games=100)
    assert umpire.ask(moment, lambda: time.sleep(0.4)) is None


def test_the_first_decision_may_compile(umpire):
    assert umpire.ask(Moment("practise", "ann"), lambda: time.sleep(0.4)) is None


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(1), KeyboardInterrupt()])
def test_what_an_agent_raises_is_its_fault(umpire, error):
    def fail():
        raise error

    with pytest.raises(FaultError, match=type(error).__name__) as fault:
        umpire.ask(Moment("act", "ann"), fail)
    assert fault.value.kind == "error"
    assert "in fail" in fault.value.text


def test_notes_say_who_is_busy_and_how_long_that_may_take():
    notes = Notes([0] * 8, ["ann", "bob"])
    assert notes.busy() is None
    moment = Moment("act", "bob", game=3, seat=2, decision=40, games=6)
    notes.begin(moment, 1.5)
    assert notes.busy() == (moment, 1.5)
    notes.end()
    assert notes.busy() is None
    assert notes.count == 2


@pytest.mark.parametrize(
    ("player", "kind", "decision", "says"),
    [
        (Raises, "error", 3, "four is too many"),
        (Leaves, "error", 0, "SystemExit"),
        (Sleeps, "timeout", 2, "to decide"),
        (CannotBeMade, "error", 0, "no way into the world"),
        (CannotSit, "error", 0, "no chair"),
    ],
)
def test_a_fault_is_noted_with_its_decision(umpire, player, kind, decision, says):
    line_up = [Contestant(player.__name__, player), Contestant("Dice", Dice)]
    ended = play(RULES, line_up, [5], umpire)
    (((game, seat), fault),) = ended.faults.items()
    assert (game, seat, fault.kind, fault.decision) == (0, 0, kind, decision)
    assert says in fault.text


def test_who_breaks_many_games_at_once_is_asked_one_by_one():
    umpire = StrictUmpire(Notes([0] * 8, ["bad", "dice"]), LIMITS)
    bad, dice = Contestant("bad", RaisesTogether), Contestant("dice", DiceTogether)
    with pytest.raises(ApartError):
        play(RULES, [bad, dice], [1, 2, 3], umpire)
    faults = [bool(play(RULES, [bad, dice], [seed], umpire).faults) for seed in range(1, 4)]
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


# -- the field -------------------------------------------------------------------------------------


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


def field(**settings):
    tournament = Tournament((entry("Dice"), entry("Last")), RULES, deals=4)
    schedule = make_schedule(tournament)
    return Field(schedule, tournament.names, settings.get("max_faults", 0), {})


def always():
    return True


def test_a_worker_that_dies_without_reason_is_given_up_on_in_the_end():
    pool = Scripted(lambda job: Died(None, "crash", "the process was ended by SIGKILL"))
    with pytest.raises(ArenaError, match=r"3 times while no agent was asked.*SIGKILL"):
        field().meet(pool, always)


def test_who_breaks_a_game_twice_at_other_decisions_is_not_asked_again():
    deaths = iter([9, 6])

    def answer(job):
        decision = next(deaths, None)
        if decision is None:
            return None
        return Died(Moment("act", "Last", 0, 1, decision), "crash", "gone")

    pool = Scripted(answer)
    assert list(field().play(pool, iter([Unit(0, (2,))]), always)) == []
    known = [job.known.get(1) for job in pool.asked]
    assert [fault and fault.decision for fault in known] == [None, 9, 0]


def test_who_dies_in_many_games_is_asked_in_each_by_itself():
    def answer(job):
        if len(job.deals) == 1:
            return None
        return Died(Moment("act", "Last", 3, 1, 5, games=2), "crash", "gone")

    pool = Scripted(answer)
    assert list(field().play(pool, iter([Unit(0, (1, 2, 3))]), always)) == []
    assert [job.deals for job in pool.waiting] == [(2,), (3,)]
    assert not any(job.known for job in pool.waiting)


def test_who_dies_while_practising_does_not_practise_again():
    def answer(job):
        if "Last" in job.unpractised:
            return None
        return Died(Moment("practise", "Last"), "crash", "gone")

    pool = Scripted(answer)
    assert list(field().play(pool, iter([Unit(0, (1,))]), always)) == []
    assert pool.asked[-1].unpractised == {"Last"}
    assert not pool.asked[-1].known


def test_a_worker_waits_for_no_agent_to_answer_a_person_who_stops():
    with Pool(Brief(RULES, (entry("Dice"),), 1, LIMITS, None), 1) as pool:
        assert list(pool.run(iter([Meet("Dice")]), lambda: False)) == []


def test_who_broke_enough_games_is_not_asked_any_more():
    def answer(job):
        broken_by = () if "Last" in job.absent else ("Last",)
        return Played([FinishedGame(job.deals[0], [1.0, 0.0], broken_by, b"")])

    pool = Scripted(answer)
    work = iter([Unit(0, (deal,)) for deal in range(4)])
    assert len(list(field(max_faults=2).play(pool, work, always))) == 4
    assert ["Last" in job.absent for job in pool.asked] == [False, False, True, True]
    assert "broke 2 games" in pool.asked[-1].absent["Last"].text
