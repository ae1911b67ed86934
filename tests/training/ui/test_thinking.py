"""The queue of searches: who thinks when, and how it is stopped."""

import asyncio
import contextlib
import threading

import pytest

pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

from prico_agents import View, load_agent
from prico_agents.monitor import goes_on
from prico_env import Game, RuleSet
from prico_training.errors import ConfigError
from prico_training.ui.events import Streams
from prico_training.ui.limits import Limits
from prico_training.ui.session import Session
from prico_training.ui.store import Store
from prico_training.ui.tables import Chair, NoRoomError, Table, Tables
from prico_training.ui.thinking import BusyError, CalledOffError, QueueFullError, SearchQueue
from tests.training.ui.serving import run_apart

ONE = Limits(searches=1)


class Pondering:
    """A search that goes on until it is stopped, or told that it has found something."""

    def __init__(self, share=0.5):
        self.share = share
        self.asked, self.done, self.ended = (threading.Event() for _ in range(3))

    def __call__(self):
        self.asked.set()
        while goes_on(self.share) and not self.done.wait(0.001):
            pass
        self.ended.set()
        return "found"


async def until(happened):
    """Wait for something that happens in another thread."""
    while not happened():
        await asyncio.sleep(0.001)


def begin(queue, owner, search, **more):
    """Ask for a search meanwhile."""
    return asyncio.create_task(queue.think(owner, f"agent of {owner}", search, **more))


def run(test):
    """Run a test that waits, and leave no search behind."""

    async def inside():
        async with asyncio.timeout(60):
            await test()

    run_apart(inside())


def test_searches_run_as_many_at_once_as_allowed_and_sessions_take_turns():
    async def test():
        queue = SearchQueue(Limits(searches=2))
        searches = {name: Pondering() for name in "abcd"}
        tasks = {name: begin(queue, name, search) for name, search in searches.items()}
        await until(lambda: searches["a"].asked.is_set() and searches["b"].asked.is_set())
        assert [queue.progress(name).before for name in "abcd"] == [0, 0, 2, 3]
        searches["b"].done.set()
        assert (await tasks["b"]).result == "found"
        again = Pondering()
        tasks["b"] = begin(queue, "b", again)  # behind those that wait already
        await until(lambda: searches["c"].asked.is_set() and queue.progress("b"))
        assert [queue.progress(name).before for name in "acdb"] == [0, 0, 2, 3]
        assert not searches["d"].asked.is_set()
        for search in (*searches.values(), again):
            search.done.set()
        assert {(await task).result for task in tasks.values()} == {"found"}
        assert queue.progress("a") is None

    run(test)


def test_a_session_has_one_search_and_a_hint_gives_way_to_the_next():
    async def test():
        queue, first, second = SearchQueue(ONE), Pondering(), Pondering()
        hint = begin(queue, "a", first, is_replaceable=True)
        await until(first.asked.is_set)
        turn = begin(queue, "a", second)
        with pytest.raises(CalledOffError, match="agent of a was told to stop"):
            await hint
        await until(second.asked.is_set)
        assert first.ended.is_set()
        with pytest.raises(BusyError, match="agent of a is thinking already; wait for it"):
            await queue.think("a", "another", Pondering(), is_replaceable=True)
        second.done.set()
        assert (await turn).result == "found"

    run(test)


def test_who_stops_waiting_calls_the_search_off():
    async def test():
        queue, running, waiting = SearchQueue(ONE), Pondering(), Pondering()
        tasks = [begin(queue, "a", running), begin(queue, "b", waiting)]
        await until(running.asked.is_set)
        for task in reversed(tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await until(running.ended.is_set)
        assert not waiting.asked.is_set()
        assert queue.progress("a") is queue.progress("b") is None

    run(test)


def test_a_compiled_search_stops_when_it_is_cancelled_and_leaves_its_core_to_the_next():
    async def test():
        game, queue = Game(RuleSet(players=3), 7), SearchQueue(ONE)
        agent = load_agent("mcts:900000")
        task = begin(queue, "a", lambda: agent.act(View.of(game)))
        await until(lambda: (progress := queue.progress("a")) and progress.share)
        assert queue.cancel("a")
        with pytest.raises(CalledOffError):
            await task
        assert not queue.cancel("a")
        assert (await queue.think("b", "quick", lambda: 5)).result == 5
        assert agent.report().simulations < 900_000

    run(test)


def test_a_search_out_of_time_decides_with_what_it_has_found():
    async def test():
        queue = SearchQueue(Limits(seconds=0.01))
        thought = await queue.think("a", "slow", Pondering())
        assert (thought.result, thought.was_cut) == ("found", True)
        thought = await queue.think("a", "just done", lambda: goes_on(1.0))
        assert not thought.was_cut

    run(test)


def test_an_agent_that_cannot_be_stopped_keeps_one_core_and_nobody_waits_for_it():
    async def test():
        queue, woken, asked = SearchQueue(Limits(searches=2)), threading.Event(), threading.Event()

        def sleep():
            asked.set()
            woken.wait(60)

        task = begin(queue, "a", sleep)
        await until(asked.is_set)
        queue.cancel("a")
        with pytest.raises(CalledOffError):
            await task
        again = begin(queue, "a", lambda: 1)  # not before the other one has ended
        assert (await queue.think("b", "quick", lambda: 2)).result == 2
        assert queue.progress("a").before == 1
        woken.set()
        assert (await again).result == 1

    run(test)


def test_a_full_queue_says_so():
    async def test():
        queue, search = SearchQueue(Limits(searches=1, queue=1)), Pondering()
        tasks = [begin(queue, owner, search) for owner in "ab"]
        await asyncio.sleep(0)
        with pytest.raises(QueueFullError, match="1 searches wait already"):
            await queue.think("c", "late", search)
        search.done.set()
        await asyncio.gather(*tasks)
        search.asked.clear()
        queue.close()

    run(test)


@pytest.mark.parametrize("error", [ZeroDivisionError, StopIteration, SystemExit])
def test_a_search_that_fails_fails_for_who_asked_and_for_nobody_else(error):
    def fail():
        raise error("no")

    async def test():
        queue = SearchQueue(ONE)
        with pytest.raises(error if error is ZeroDivisionError else RuntimeError):
            await queue.think("a", "clumsy", fail)
        assert (await queue.think("a", "clumsy", lambda: 1)).result == 1

    run(test)


def test_who_waits_for_a_search_is_not_forgotten_however_long_it_takes():
    async def test():
        queue, search = SearchQueue(ONE), Pondering()
        limits = Limits(idle_minutes=100, sessions=1, away_minutes=0)
        tables = Tables(limits, queue, Streams(1), Store(None), asyncio.to_thread)
        table, other = (
            Table(
                Session(RuleSet(players=3), ["human"] * 3, seed),
                "host",
                [Chair() for _ in range(3)],
            )
            for seed in (1, 2)
        )
        await tables.add(table, "host")
        thinking = begin(queue, table.id, search)
        await until(search.asked.is_set)
        table.seen -= 1_000_000
        with pytest.raises(NoRoomError, match="1 games are going on here"):
            await tables.add(other, "other")
        assert await tables.find(table.id) is table
        search.done.set()
        await thinking
        table.seen -= 1_000_000
        await tables.add(other, "other")
        assert await tables.find(table.id) is None
        assert await tables.find(other.id) is other

    run(test)


@pytest.mark.parametrize("name", ["searches", "queue", "simulations", "seconds", "sessions"])
def test_limits_have_ranges(name):
    for value in (-1, 10**9, "many", None, True):
        with pytest.raises(ConfigError, match=name):
            Limits(**{name: value})
