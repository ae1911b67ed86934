"""`prico bench --beside`: environments of other board games, measured in the same run as ours.

Each plays random games the way its users do. Nothing is installed for it: what is missing is named,
with the command that installs it. Their games are others, so what compares is the price of a step
in training, not how well a game is written. Time is that of all cores which a process uses.
"""

import importlib.util
import random
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from prico_env import Games, RuleSet
from prico_training.bench.environments import openspiel_turn
from prico_training.bench.figures import Effort, Figure, by_turns

BATCH: Final = 1024
_OURS: Final = "prico: Games.step, observation and mask"
_cpu = time.process_time


class Rival(NamedTuple):
    """An environment of somebody else's.

    Attributes:
        module: What is imported.
        package: What is installed.
        start: Returns what plays for so many seconds and says how many decisions a second it made.
    """

    module: str
    package: str
    start: Callable[[], Callable[[float], float]]


def beside(effort: Effort) -> tuple[list[Figure], list[str]]:
    """Measure our batch and every rival that is installed, by turns.

    Returns:
        Decisions by CPU-second, and which rivals are missing, with how to install them.
    """
    found = {name: rival for name, rival in RIVALS.items() if _is_installed(rival)}
    missing = [
        f"{name} is not installed: pip install {rival.package}"
        for name, rival in RIVALS.items()
        if name not in found
    ]
    runs = {_OURS: _ours()} | {name: rival.start() for name, rival in found.items()}
    measures = {name: _for(run, effort.seconds) for name, run in runs.items()}
    rates = {
        name: statistics.median(all_) for name, all_ in by_turns(effort.runs, measures).items()
    }
    ours = rates.pop(_OURS)
    figures = [Figure(f"{_OURS}, batch {BATCH:,}", ours, "decisions/s", None)]
    for name, rate in rates.items():
        figures.append(Figure(name, rate, "decisions/s", None, f"ours: {ours / rate:,.0f} times"))
    return figures, missing


def _is_installed(rival: Rival) -> bool:
    return importlib.util.find_spec(rival.module) is not None


def _for(run: Callable[[float], float], seconds: float) -> Callable[[], float]:
    return lambda: run(seconds)


def _ours() -> Callable[[float], float]:
    games = Games(RuleSet(), BATCH, seed=7, autoreset=True, threads=1)

    def run(seconds: float) -> float:
        began, steps = _cpu(), 0
        while _cpu() - began < seconds:
            games.step(games.sample())
            steps += 1
        return steps * BATCH / (_cpu() - began)

    return run


def _pgx() -> Callable[[float], float]:
    """Backgammon of Pgx: a compiled batch that deals anew, with random legal actions."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make("backgammon")
    step = auto_reset(env.step, env.init)

    def turn(state: Any, key: Any) -> Any:
        choice, chance = jax.random.split(key)
        chosen = jax.random.categorical(
            choice, jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        )
        return step(state, chosen, chance)

    turns = jax.jit(jax.vmap(turn))
    key = jax.random.PRNGKey(7)
    held = [jax.jit(jax.vmap(env.init))(jax.random.split(key, BATCH))]

    def run(seconds: float) -> float:
        began, steps, key = _cpu(), 0, jax.random.PRNGKey(7)
        while _cpu() - began < seconds:
            key, now = jax.random.split(key)
            held[0] = turns(held[0], jax.random.split(now, BATCH))
            held[0].observation.block_until_ready()
            steps += 1
        return steps * BATCH / (_cpu() - began)

    return run


def _chess() -> Callable[[float], float]:
    """Chess of OpenSpiel: legal actions, mask, observation and step, from Python."""
    import pyspiel

    game = pyspiel.load_game("chess")
    return lambda seconds: 1e6 / openspiel_turn(game, seconds)


def _catanatron() -> Callable[[float], float]:
    """Catan of catanatron among four of its random players."""
    from catanatron import Color, Game, RandomPlayer

    def run(seconds: float) -> float:
        random.seed(7)
        began, ticks = _cpu(), 0
        while _cpu() - began < seconds:
            game = Game([RandomPlayer(color) for color in Color])
            while game.winning_color() is None and _cpu() - began < seconds:
                game.play_tick()
                ticks += 1
        return ticks / (_cpu() - began)

    return run


RIVALS: Final[Mapping[str, Rival]] = {
    f"Pgx: backgammon, batch {BATCH:,}": Rival("pgx", "pgx", _pgx),
    "OpenSpiel: chess": Rival("pyspiel", "open_spiel", _chess),
    "catanatron: Catan, its random players": Rival("catanatron", "catanatron", _catanatron),
}
"""Who is measured beside us, by what the table calls them."""
