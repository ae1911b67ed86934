"""`prico bench`: how fast it is, beside references that are measured in the same run.

Absolute times drift with the machine and with what else it does, so the interesting numbers are
ratios: to a plain copy of the bytes a decision writes, and to an environment that plays no game.
Each figure is the median of several runs. What runs on one core is timed by that core's clock,
which stands still while other programs have the core; what runs on two, by the clock on the wall.
"""

import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)
from rich.console import Console
from rich.table import Table

from prico_env import Game, Games, RuleSet, catalog, env, raw_env
from prico_env.ruleset import every_rule_set
from prico_env.testing import random_play
from prico_env.vocabulary import EXPANSIONS, Phase
from prico_training.bench.data_sets import data_sets
from prico_training.bench.environments import environments
from prico_training.bench.figures import Effort, Figure, by_turns
from prico_training.bench.first_board import can_serve, first_board_seconds
from prico_training.bench.playouts import playouts
from prico_training.bench.rivals import beside
from prico_training.bench.stripped_game import stripped_play
from prico_training.bench.tournaments import arena
from prico_training.bench.trainers import training
from prico_training.bench.tree_search import search
from prico_training.files import write_text
from prico_training.machine import load_averages, machine

BATCHES: Final = (1024, 4096)
MILLI: Final = 1e3
MICRO: Final = 1e6
STRIPPED_SHARE: Final = 1.0
"""What the base game should reach of the rate of a stripped game, whose step chooses, too."""
FULL_STRIPPED_SHARE: Final = 0.4
"""The same for the game with all four expansions."""
BLIND_STEP: Final = 4.5e6
SECOND_CORE: Final = 1.7
"""What a second core should multiply the rate by."""
WHOLE_GAMES: Final = 12_000
GAMES_OF_EACH: Final = 8
"""Games of each rule set in the batch that mixes them all."""
GAME_STEP: Final = 2.0
CLONE: Final = 0.6
RECORD: Final = 2048
POSITION: Final = 1.0
UNCHECKED_POSITION: Final = 0.3
"""Milliseconds in which a whole position is read."""
POSITIONS_READ: Final = 200
MAYOR_SHARE: Final = 30.0
EMPTY_TIMES: Final = 5
"""How many times as long as an empty environment our AEC loop may take."""
WRAPPED_TIMES: Final = 10
"""How many times as long the same takes under the stock wrappers, at least."""
FIRST_STEP: Final = 1.0
FIRST_COMPILED_STEP: Final = 20.0
FIRST_COMPILE: Final = 60.0
FIRST_BOARD: Final = 45.0
"""Seconds from the first start of the page's server to the first board."""
_WHOLE: Final = 1000
_core = time.thread_time
_wall = time.perf_counter
_FIRST_STEP: Final = """
import time
start = time.perf_counter()
from prico_env import Game
game = Game(seed=7)
game.step(game.legal_actions()[0])
print(time.perf_counter() - start)
"""
_COMPILE_ALL: Final = """
import time
start = time.perf_counter()
from prico_training.precompile import precompile
precompile()
print(time.perf_counter() - start)
"""


QUICK: Final = Effort(3, 0.15)
FULL: Final = Effort(7, 0.8)


def run_bench(quick: bool, json_path: Path | None, others: bool = False) -> int:
    """Measure everything and print the table.

    Args:
        quick: A rough answer, soon.
        json_path: Where to write the numbers, too.
        others: Measure only the batch and environments of other games, those that are installed.
    """
    effort = QUICK if quick else FULL
    figures, missing = beside(effort) if others else (_measured(effort), [])
    console = Console()
    about = machine()
    console.print("  ".join(f"{name} {value}" for name, value in about.items()), highlight=False)
    console.print(f"load average {load_averages()[0]:.1f}; median of {effort.runs} runs")
    console.print(_table(figures))
    for each in missing:
        console.print(each, highlight=False)
    if json_path is not None:
        page = {"machine": about, "load": load_averages(), "figures": [asdict(f) for f in figures]}
        write_text(json_path, json.dumps(page, indent=1))
    return 0


def _measured(effort: Effort) -> list[Figure]:
    """Measure all that is ours."""
    console = Console()
    figures: list[Figure] = []
    for measure in (
        batch,
        expansions,
        single,
        positions,
        aec,
        environments,
        mayor_share,
        playouts,
        search,
        arena,
        training,
        data_sets,
        start,
    ):
        console.print(f"measuring: {measure.__name__.replace('_', ' ')}", style="dim")
        figures += measure(effort)
    return figures


# -- the batch -------------------------------------------------------------------------------------


def batch(effort: Effort) -> list[Figure]:
    """Speed of `Games.step`, with and without observations, on one core and on two."""
    figures = []
    for size in BATCHES:
        base = [RuleSet()] * size
        one = _vector_rate(effort, base)
        figures.append(_beside_stripped(effort, "vector step", one, base, STRIPPED_SHARE))
    two = _vector_rate(effort, base, threads=2)
    blind = _vector_rate(effort, base, observe=False)
    games = _game_rate(effort)
    figures += [
        Figure(
            f"the same on two cores, batch {BATCHES[-1]:,}",
            two,
            "decisions/s",
            SECOND_CORE * one,
            f"{two / one:.2f} times one core, {os.cpu_count()} cores here",
        ),
        Figure("without observations", blind, "decisions/s", BLIND_STEP),
        Figure(
            "whole random games, sampling included",
            games,
            "games/s",
            WHOLE_GAMES,
        ),
    ]
    return figures


def expansions(effort: Effort) -> list[Figure]:
    """Speed of the game with everything, and of a batch in which every rule set is played."""
    full = [RuleSet(expansions=EXPANSIONS)] * BATCHES[0]
    every = every_rule_set() * GAMES_OF_EACH
    one, mixed = _vector_rate(effort, full), _vector_rate(effort, every)
    name = "all expansions: vector step"
    return [
        _beside_stripped(effort, name, one, full, FULL_STRIPPED_SHARE),
        Figure(
            f"all {len(set(every))} rule sets in one batch of {len(every):,}",
            mixed,
            "decisions/s",
            None,
            f"{mixed / one:.2f} times the game with all expansions",
        ),
    ]


def _beside_stripped(
    effort: Effort, name: str, rate: float, rules: Sequence[RuleSet], share: float
) -> Figure:
    """Tell a rate of steps beside a stripped game and beside a plain copy, in the same run."""
    stripped, copy = _stripped_rate(effort, len(rules)), _copy_rate(effort, rules)
    return Figure(
        f"{name}, batch {len(rules):,}, one core",
        rate,
        "decisions/s",
        share * stripped,
        f"{rate / stripped:.2f} of a stripped game with its choices, {stripped:,.0f}; a plain copy "
        f"of what it writes: {copy / rate:.1f} times as fast",
    )


def _stripped_rate(effort: Effort, size: int) -> float:
    """Decisions by second of a game with hardly any rules, see `stripped_game`."""
    play = stripped_play(size)

    def run() -> float:
        began, decisions = _core(), 0
        while _core() - began < effort.seconds:
            decisions += play()
        return decisions / (_core() - began)

    return _median(effort, run)


def _vector_rate(
    effort: Effort, rules: Sequence[RuleSet], threads: int = 1, observe: bool = True
) -> float:
    """Decisions by second of the step alone; choosing random actions is not counted."""
    games = Games(rules, len(rules), seed=7, autoreset=True, observe=observe, threads=threads)
    clock = _core if threads == 1 else _wall
    _mix(games)

    def run() -> float:
        spent, steps = 0.0, 0
        while spent < effort.seconds:
            actions = games.sample().copy()
            began = clock()
            games.step(actions)
            spent += clock() - began
            steps += 1
        return steps * len(games) / spent

    return _median(effort, run)


def _mix(games: Games) -> None:
    """Play until the games stand in all sorts of phases."""
    for _ in range(400):
        games.step(games.sample())


def _copy_rate(effort: Effort, rules: Sequence[RuleSet]) -> float:
    """How often the bytes of one decision can be copied in a second: outputs only."""
    size = len(rules)
    games = Games(rules, size, seed=7)
    row = games.observations.nbytes + games.masks.nbytes + games.rewards.nbytes
    source = np.ones((size, row // size), np.uint8)
    target = np.zeros_like(source)

    def run() -> float:
        began, steps = _core(), 0
        while _core() - began < effort.seconds / 4:
            np.copyto(target, source)
            steps += 1
        return steps * size / (_core() - began)

    return _median(effort, run)


def _game_rate(effort: Effort) -> float:
    games = Games(RuleSet(), BATCHES[0], seed=7, autoreset=True, observe=False, threads=1)
    _mix(games)

    def run() -> float:
        began, ended = _core(), 0
        while _core() - began < effort.seconds:
            games.step(games.sample())
            ended += int(games.ended.sum())
        return ended / (_core() - began)

    return _median(effort, run)


# -- one game --------------------------------------------------------------------------------------


def single(effort: Effort) -> list[Figure]:
    """Speed of a single `Game` from Python."""
    scripts = [_script(seed) for seed in range(20)]
    decisions = sum(len(script) for script in scripts)

    def play() -> float:
        games = [Game(RuleSet(), seed) for seed in range(len(scripts))]
        began = _core()
        for game, script in zip(games, scripts, strict=True):
            step, mask = game.step, game.mask
            for action in script:
                step(action)
                mask()
        return (_core() - began) / decisions * MICRO

    game = Game(RuleSet(), 7)

    def copy(method: Callable[[], Any]) -> float:
        began = _core()
        for _ in range(10_000):
            method()
        return (_core() - began) / 10_000 * MICRO

    step, clone = _median(effort, play), _median(effort, lambda: copy(game.clone))
    snapshot = _median(effort, lambda: copy(game.snapshot))
    size = game.state.dtype.itemsize
    return [
        Figure("Game.step and mask from Python", step, "µs", GAME_STEP),
        Figure(
            "snapshot of one game", snapshot, "µs", CLONE, f"a clone, with a face: {clone:.2f} µs"
        ),
        Figure("record of one game", size, "bytes", RECORD),
    ]


def positions(effort: Effort) -> list[Figure]:
    """Speed of reading whole positions from the middle of a game."""
    modules = catalog.load("1897-en").expansions
    base, expanded = (_position(RuleSet(expansions=expansions)) for expansions in ((), modules))

    def read(position: dict[str, Any], check: bool) -> float:
        began = _core()
        for _ in range(POSITIONS_READ):
            Game.from_dict(position, check=check)
        return (_core() - began) / POSITIONS_READ * MILLI

    figures = []
    for name, check, target in (
        ("a position read and checked", True, POSITION),
        ("the same unchecked", False, UNCHECKED_POSITION),
    ):
        value = _median(effort, partial(read, base, check))
        largest = _median(effort, partial(read, expanded, check))
        beside = f"with all four expansions: {largest:.2f} ms"
        figures.append(Figure(name, value, "ms", target, beside))
    return figures


def _position(rules: RuleSet) -> dict[str, Any]:
    """A position from the middle of a random game."""
    game = Game(rules, 3)
    random_play(game, seed=1, decisions=150)
    return game.to_dict()


def _script(seed: int) -> list[int]:
    """The decisions of a random game."""
    game, chance = Game(RuleSet(), seed), Random(seed)
    script = []
    while not game.over:
        script.append(chance.choice(game.legal_actions()))
        game.step(script[-1])
    return script


def mayor_share(effort: Effort) -> list[Figure]:
    """How many of all decisions of random play are staffing."""
    games = Games(RuleSet(), BATCHES[0], seed=7, autoreset=True, observe=False)
    mayor = total = 0
    for _ in range(1000):
        mayor += int((games.state["phase"] == Phase.MAYOR).sum())
        total += len(games)
        games.step(games.sample())
    share = 100 * mayor / total
    return [
        Figure("mayor decisions of all, random play", share, "%", MAYOR_SHARE),
    ]


# -- the AEC loop ----------------------------------------------------------------------------------


class EmptyEnv(AECEnv[str, Any, int]):
    """As lean as a correct AEC environment can be, with no game inside: the reference."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "empty_v0",
        "render_modes": [],
        "is_parallelizable": False,
    }

    def __init__(self, rules: RuleSet) -> None:
        """Make spaces of the real size."""
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self._seen: dict[str, np.ndarray] = {
            "observation": np.zeros(rules.observation.num_features, np.float32),
            "action_mask": np.ones(rules.num_actions, np.int8),
        }
        self._action_space = spaces.Discrete(rules.num_actions)
        self.render_mode = None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start again."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn = 0
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Any:
        """Return arrays of its own, as an honest environment does."""
        return {name: array.copy() for name, array in self._seen.items()}

    def step(self, action: int) -> None:
        """Give the turn to the next agent."""
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._turn = (self._turn + 1) % len(self.agents)
        self.agent_selection = self.agents[self._turn]

    def action_space(self, agent: str) -> Any:
        """The same object every time."""
        return self._action_space


def aec(effort: Effort) -> list[Figure]:
    """The AEC loop, beside an empty environment and beside the three stock wrappers."""
    rules = RuleSet()
    wrapped = OrderEnforcingWrapper(
        AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw_env(rules), illegal_reward=-1))
    )
    tables = {"ours": env(rules), "empty": EmptyEnv(rules), "wrapped": wrapped}
    rates = by_turns(
        effort.runs,
        {name: partial(_loop_time, each, effort.seconds / 2) for name, each in tables.items()},
    )
    ours, empty, stock = (statistics.median(rates[name]) for name in ("ours", "empty", "wrapped"))
    return [
        Figure(
            "AEC loop: last, choice, step",
            ours,
            "µs",
            EMPTY_TIMES * empty,
            f"empty environment {empty:.1f} µs: {ours / empty:.1f} times that",
        ),
        Figure(
            "that, beside the same under the three stock wrappers",
            ours,
            "µs",
            stock / WRAPPED_TIMES,
            f"wrapped {stock:.1f} µs: {stock / ours:.1f} times that",
        ),
    ]


def _loop_time(table: AECEnv[str, Any, int], seconds: float) -> float:
    """Microseconds of one turn of the usual loop; the game's own sampler chooses where it can."""
    choose = getattr(table.unwrapped, "sample_action", lambda: 0)
    table.reset(seed=7)
    began, turns = _core(), 0
    while _core() - began < seconds:
        for _ in range(50):
            _, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.reset()
                continue
            table.step(choose())
            turns += 1
    return (_core() - began) / turns * MICRO


# -- the start -------------------------------------------------------------------------------------


def start(effort: Effort) -> list[Figure]:
    """From `import prico_env` to the first decision, and the first compile of everything."""
    _fresh_python(_COMPILE_ALL, None)
    cached = statistics.median(_fresh_python(_FIRST_STEP, None) for _ in range(effort.runs))
    figures = [Figure("import to first step, cached", cached, "s", FIRST_STEP)]
    if effort is not QUICK:
        with tempfile.TemporaryDirectory() as folder:
            first = _fresh_python(_FIRST_STEP, folder)
            rest = _fresh_python(_COMPILE_ALL, folder)
        figures += [
            Figure("import to first step, nothing compiled", first, "s", FIRST_COMPILED_STEP),
            Figure("compiling everything", first + rest, "s", FIRST_COMPILE),
        ]
        if can_serve():
            with tempfile.TemporaryDirectory() as folder:
                shown = first_board_seconds(folder)
            name = "prico serve to the first board, nothing compiled"
            figures.append(Figure(name, shown, "s", FIRST_BOARD))
    return figures


def _fresh_python(script: str, cache: str | None) -> float:
    """Run a script in a new interpreter and return the seconds it prints."""
    surroundings = dict(os.environ) | ({"PRICO_CACHE_DIR": cache} if cache else {})
    surroundings["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", script], env=surroundings, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


# -- small print -----------------------------------------------------------------------------------


def _median(effort: Effort, run: Callable[[], float]) -> float:
    gc.collect()
    return statistics.median(run() for _ in range(effort.runs))


def _table(figures: list[Figure]) -> Table:
    table = Table(
        title="Speed: base game of 1897-en with 4 players, where no other is named",
        title_justify="left",
    )
    table.add_column("figure")
    table.add_column("measured", justify="right")
    table.add_column("target", justify="right")
    table.add_column("")
    table.add_column("beside")
    for figure in figures:
        table.add_row(
            figure.name,
            f"{_number(figure.value)} {figure.unit}",
            "" if figure.target is None else _number(figure.target),
            "" if figure.target is None else "reached" if figure.reached else "missed",
            figure.beside,
        )
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= _WHOLE else f"{value:.3g}"
