"""The load test of the page's server, apart from how fast it is."""

import pytest

pytest.importorskip("starlette", reason="the page needs starlette: pip install 'prico[serve]'")
pytest.importorskip("uvicorn", reason="the page needs uvicorn: pip install 'prico[serve]'")

from prico_training.bench import load
from prico_training.bench.load import Answers, LoadError, run_load
from prico_training.ui.limits import Limits
from tests.training.ui.serving import run_apart, served


def test_browsers_of_the_load_test_do_what_a_page_does_and_nothing_is_refused(monkeypatch):
    monkeypatch.setattr(load, "_PAUSE", 0.02)
    monkeypatch.setattr(load, "LARGEST", "mcts:5")
    answers = Answers()

    async def play():
        browsers = [load._Browser(port, number) for number in range(3)]
        async with load._together(
            [*(load._play(each, answers) for each in browsers), load._ask(browsers[0], answers)]
        ):
            while len(answers.seconds) < len(KINDS):
                await load.asyncio.sleep(0.01)

    with served(limits=Limits(simulations=5)) as address:
        port = int(address.rpartition(":")[2])
        run_apart(play())
    assert set(answers.seconds) == KINDS
    assert [what for what in answers.refused if "409" not in what] == []
    assert load._table("all", answers, 1).row_count == len(KINDS)


KINDS = {"agents play on", "board picture", "decision", "hint of mcts:5", "hint of planner"}
KINDS |= {"new game", "page", "state", "static file", "undo"}


def test_a_server_that_does_not_start_is_named():
    with pytest.raises(LoadError, match="the server did not start; it said 'no'"):
        run_load(1, 1, ["echo", "no"])


def test_two_people_of_the_load_test_share_a_table_and_are_told_of_what_is_done(monkeypatch):
    monkeypatch.setattr(load, "_PAUSE", 0.02)
    answers = Answers()

    async def play():
        table = load._SharedTable(port, 1, answers)
        await table.begin()
        async with load._together(table.work()):
            while table.told < 10:
                await load.asyncio.sleep(0.01)

    with served() as address:
        port = int(address.rpartition(":")[2])
        run_apart(play())
    assert {"new game", "sitting down", "decision", "agents play on"} <= set(answers.seconds)
    assert answers.refused == {}
