"""The load test of the page's server: many browsers play, without searches going on and with them.

It starts a server of its own on the loopback address, and never asks another one. Each browser does
what a page does: it makes a decision, lets agents play on, looks at the table, and at times loads
the page anew, takes a decision back or asks for a quick hint, with a pause after each. In the
second part further browsers ask for the largest hint that is allowed, again and again. In the third
part two people sit at each table with two agents, at browsers of their own: whenever one of them
decides, the other is told, and asks for what stands there then.
"""

import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.table import Table

from prico_env.errors import PricoError
from prico_env.vocabulary import EXPANSIONS
from prico_training.machine import load_averages, machine, usable_cores
from prico_training.ui.limits import USUAL

BROWSERS: Final = 200
SECONDS: Final = 30
THINKERS: Final = 45
"""Browsers that ask for the largest hint at once."""
LARGEST: Final = f"mcts:{USUAL.simulations}"
_LOOPBACK: Final = "127.0.0.1"
TABLES: Final = 200
"""Tables of two people and two agents, in the third part."""
_PAUSE: Final = 4.0
"""Seconds that a person thinks, at the mean."""
_IDLE_SECONDS: Final = 30.0
"""After how long the server forgets a game, to see that its memory comes back."""
_PERCENTILES: Final = (50, 95, 99, 100)
_FILES: Final = ("/static/play.js", "/static/moves.js", "/static/board.js", "/static/play.css")
_TABLES: Final = (
    {"edition": "1897-en", "players": ["human", "corn", "planner"]},
    {"edition": "1897-de", "players": ["human", "planner"]},
    {"edition": "1897-en", "players": ["human"] * 2 + ["builder"] * 3, "expansions": EXPANSIONS},
)
_SHARED: Final = {
    "edition": "1897-en",
    "players": ["human", "corn", "human", "planner"],
    "open": [2],
}
"""The table of the third part."""
_OK: Final = 200
_SHOWN_WORDS: Final = 100
_MILLI: Final = 1000


class LoadError(PricoError):
    """The server of a load test did not start."""


@dataclass
class Answers:
    """What was answered in one half.

    Attributes:
        seconds: How long requests took, by their kind.
        refused: How many were answered with an error, by kind, status and words.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def run_load(
    browsers: int = BROWSERS, seconds: int = SECONDS, command: Sequence[str] | None = None
) -> int:
    """Measure the server and print what it answered.

    Args:
        browsers: How many play.
        seconds: Length of each of the three parts.
        command: What starts the server; by default `prico serve` of this installation.

    Raises:
        LoadError: It does not start.
    """
    limits = (
        f"sessions={browsers + THINKERS + TABLES + 1}",
        f"idle_minutes={_IDLE_SECONDS / 60}",
        f"tables={10_000}",
    )
    usual = [sys.executable, "-m", "prico_training", "serve", "--port", "0", *limits]
    console = Console()
    console.print(
        "  ".join(f"{name} {value}" for name, value in machine().items()), highlight=False
    )
    with tempfile.TemporaryDirectory() as folder:
        with _server(command or [*usual, "--data", folder]) as (port, pid):
            asyncio.run(_measure(console, port, pid, browsers, seconds))
        with _server(command or [*usual, "--data", folder]) as (port, pid):
            asyncio.run(_measure_shared(console, port, pid, seconds))
    return 0


@contextlib.contextmanager
def _server(command: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Start a server; gives its port and the number of its process."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            address = re.search(rf"http://{re.escape(_LOOPBACK)}:(\d+)/", said)
            if address is None:
                raise LoadError(f"the server did not start; it said {said.strip()!r}")
            yield int(address[1]), server.pid
        finally:
            server.terminate()


async def _measure(console: Console, port: int, pid: int, browsers: int, seconds: int) -> None:
    players = [_Browser(port, number) for number in range(browsers)]
    thinkers = [_Browser(port, number) for number in range(THINKERS)]
    await _warm_up(_Browser(port, 0))
    before, peak = _memory(pid), 0.0
    for title, busy in (("nobody searches", []), (f"{THINKERS} search with {LARGEST}", thinkers)):
        answers, spent, load = Answers(), _cpu_seconds(pid), load_averages()[0]
        async with _together(
            [*(_play(each, answers) for each in players), *(_ask(each, answers) for each in busy)]
        ):
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                await asyncio.sleep(0.25)
                peak = max(peak, _memory(pid))
        spent = _cpu_seconds(pid) - spent
        console.print(_table(f"{browsers} browsers, {title}", answers, seconds))
        console.print(
            f"the server used {spent:.0f} of {usable_cores() * seconds} CPU-seconds; load average "
            f"{load:.1f} before, {load_averages()[0]:.1f} after",
            highlight=False,
        )
    left = time.monotonic()
    await _Browser(port, 0).hint("mcts:1")
    freed = time.monotonic() - left
    await asyncio.sleep(1.2 * _IDLE_SECONDS)
    console.print(
        f"searches of who has left: stopped within {freed:.2f} s\n"
        f"memory: {before:.0f} MiB before, {peak:.0f} at most, {_memory(pid):.0f} after all games "
        "were forgotten",
        highlight=False,
    )


async def _measure_shared(console: Console, port: int, pid: int, seconds: int) -> None:
    """Measure tables that several people share."""
    await _warm_up(_Browser(port, 0))
    answers, spent = Answers(), _cpu_seconds(pid)
    tables = [_SharedTable(port, number, answers) for number in range(TABLES)]
    for table in tables:
        await table.begin()
    answers.seconds.clear()
    load = load_averages()[0]
    async with _together([work for table in tables for work in table.work()]):
        await asyncio.sleep(seconds)
    spent = _cpu_seconds(pid) - spent
    title = f"{TABLES} tables of two people and two agents, everybody told at once"
    console.print(_table(title, answers, seconds))
    console.print(
        f"the server used {spent:.0f} CPU-seconds; load average {load:.1f} before, "
        f"{load_averages()[0]:.1f} after; it told of {sum(table.told for table in tables)} changes",
        highlight=False,
    )


async def _warm_up(browser: "_Browser") -> None:
    """See that everything is compiled, and drawn once."""
    for number, _ in enumerate(_TABLES):
        browser.number = number
        await browser.begin()
        await browser.move()
        await browser.hint("mcts:8")


@contextlib.asynccontextmanager
async def _together(work: Sequence[Awaitable[None]]) -> AsyncIterator[None]:
    """Do things meanwhile, and stop them in the midst."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        failed = await asyncio.gather(*tasks, return_exceptions=True)
        for error in failed:
            if isinstance(error, Exception):
                raise error


async def _play(browser: "_Browser", answers: Answers) -> None:
    """Play as a person does."""
    chance = random.Random(browser.number)
    kinds: dict[Callable[[], Awaitable[None]], int] = {
        browser.move: 12,
        browser.look: 3,
        browser.reload: 1,
        browser.undo: 1,
        browser.quick_hint: 1,
    }
    browser.answers = answers
    await asyncio.sleep(chance.random() * _PAUSE)
    await (browser.look() if browser.state else browser.begin())
    while True:
        await asyncio.sleep(chance.uniform(0.5, 1.5) * _PAUSE)
        (kind,) = chance.choices(list(kinds), list(kinds.values()))
        await kind()


async def _ask(browser: "_Browser", answers: Answers) -> None:
    """Ask for the largest hint, again and again."""
    browser.answers = answers
    await browser.begin()
    while True:
        await browser.hint(LARGEST)


class _Browser:
    """A browser at the table."""

    def __init__(self, port: int, number: int) -> None:
        self.number = number
        self.answers = Answers()
        self.state: Any = None
        self._port = port
        self._cookie = ""

    async def begin(self) -> None:
        asked = _TABLES[self.number % len(_TABLES)]
        await self.show("new game", "/api/new", {**asked, "seed": self.number})

    async def move(self) -> None:
        """Make a decision, and let agents play until the next one."""
        game = self.state["game"]
        if game["over"]:
            await self.begin()
        elif game["waits_for_person"]:
            move = random.Random(self.number + len(game["log"])).choice(game["legal"])
            await self.show("decision", "/api/act", {"action": move["action"]})
        while not (self.state["game"]["waits_for_person"] or self.state["game"]["over"]):
            await self.show("agents play on", "/api/advance", {"all": True})

    async def look(self) -> None:
        await self.show("board picture", "/api/game?layout=tall")

    async def undo(self) -> None:
        if self.state["game"]["can_undo"]:
            await self.show("undo", "/api/undo", {})

    async def reload(self) -> None:
        """Load the page and everything it needs."""
        await self._ask("page", "/")
        for file in _FILES:
            await self._ask("static file", file)
        await self.show("state", "/api/game")

    async def quick_hint(self) -> None:
        if self.state["game"]["waits_for_person"]:
            await self.hint("planner")

    async def hint(self, agent: str) -> None:
        if self.state is None:
            await self.begin()
        await self._ask(f"hint of {agent}", f"/api/hint?agent={agent}")

    async def show(self, kind: str, path: str, body: dict[str, Any] | None = None) -> None:
        """Ask for something that is answered with the table."""
        if body is not None and path not in ("/api/new", "/api/join"):
            body["version"] = self.state["version"]
        answer = json.loads(await self._ask(kind, path, body))
        if answer.get("game"):
            self.state = answer
        elif "game" in answer:
            self.answers.refused["the game was forgotten"] += 1
            await self.begin()

    async def open_stream(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open the stream of events of the table."""
        reader, writer = await asyncio.open_connection(_LOOPBACK, self._port)
        writer.write(
            f"GET /api/events HTTP/1.1\r\nHost: {_LOOPBACK}:{self._port}\r\n"
            f"Cookie: {self._cookie}\r\n\r\n".encode()
        )
        return reader, writer

    async def _ask(self, kind: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        """Ask the server; keep how long it took, and what was refused."""
        began = time.monotonic()
        status, answer = await self._request(path, body)
        self.answers.seconds[kind].append(time.monotonic() - began)
        if status != _OK:
            words = json.loads(answer)["error"]
            self.answers.refused[f"{kind}: {status} {words[:_SHOWN_WORDS]}"] += 1
        return answer

    async def _request(self, path: str, body: dict[str, Any] | None) -> tuple[int, bytes]:
        reader, writer = await asyncio.open_connection(_LOOPBACK, self._port)
        try:
            data = b"" if body is None else json.dumps(body).encode()
            writer.write(
                f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\n"
                f"Host: {_LOOPBACK}:{self._port}\r\nConnection: close\r\nCookie: {self._cookie}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
                + data
            )
            head, _, answer = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
        if cookie := re.search(rb"set-cookie: ([^;]+)", head):
            self._cookie = cookie[1].decode()
        return int(head.split(maxsplit=2)[1]), answer


class _SharedTable:
    """A table of two people at browsers of their own, and two agents.

    Attributes:
        told: How often one of them was told that something has changed.
    """

    def __init__(self, port: int, number: int, answers: Answers) -> None:
        self.told = 0
        self._port = port
        self._number = number
        self._people = [_Browser(port, number), _Browser(port, number)]
        for person in self._people:
            person.answers = answers

    async def begin(self) -> None:
        """Let one of them begin, and the other sit down."""
        host, guest = self._people
        await host.show("new game", "/api/new", _SHARED | {"seed": self._number})
        code = host.state["table"]["seats"][2]["code"]
        await guest.show("sitting down", "/api/join", {"code": code, "name": "Bob"})
        await host.look()

    def work(self) -> list[Awaitable[None]]:
        """What is done at the table meanwhile."""
        return [self._play(), *(self._listen(person) for person in self._people)]

    async def _play(self) -> None:
        """Let whoever is up decide after a while, and agents play on."""
        chance = random.Random(self._number)
        await asyncio.sleep(chance.random() * _PAUSE)
        host = self._people[0]
        while True:
            person = next((one for one in self._people if one.state["game"]["legal"]), None)
            if person is not None:
                move = chance.choice(person.state["game"]["legal"])
                await person.show("decision", "/api/act", {"action": move["action"]})
            elif host.state["game"]["over"]:
                await host.show("new game", "/api/new", _SHARED | {"open": []})
            elif not host.state["game"]["waits_for_person"]:
                await host.show("agents play on", "/api/advance", {"all": True})
                continue
            for one in self._people:
                if one is not person:
                    await one.look()
            await asyncio.sleep(chance.uniform(0.5, 1.5) * _PAUSE)

    async def _listen(self, person: "_Browser") -> None:
        """Follow the events of the table."""
        reader, writer = await person.open_stream()
        try:
            while line := await reader.readline():
                self.told += line.startswith(b"data:")
        finally:
            writer.close()


def _cpu_seconds(pid: int) -> float:
    """CPU time that a process has used, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return float("nan")
    if not hasattr(os, "sysconf"):
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    """MiB that a process has in memory, where the system tells."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return float("nan")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")


def _table(title: str, answers: Answers, seconds: int) -> Table:
    """How long requests of each kind took."""
    total = sum(map(len, answers.seconds.values()))
    table = Table(title=f"{title}: {total / seconds:.0f} requests/s", title_justify="left")
    table.add_column("milliseconds")
    for head in ("requests", "median", "95 %", "99 %", "longest"):
        table.add_column(head, justify="right")
    for kind, times in sorted(answers.seconds.items()):
        figures = np.percentile(times, _PERCENTILES) * _MILLI
        table.add_row(kind, str(len(times)), *(f"{figure:,.0f}" for figure in figures))
    errors = [f"{count} times {what}" for what, count in answers.refused.items()]
    table.caption = "\n".join(errors or ["no errors"])
    table.caption_justify = "left"
    return table
