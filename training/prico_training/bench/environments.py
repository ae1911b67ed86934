"""How fast the environments of many games are, beside the batch that they stand on."""

import importlib.util
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from gymnasium.vector import AutoresetMode

from prico_agents import load_agent
from prico_agents.compiled import CompiledAgent, play_games
from prico_env import Games, RuleSet
from prico_env.envs import PuertoRicoVectorEnv
from prico_env.feature_scaling import ScalingKind
from prico_training.bench.figures import Effort, Figure, by_turns

GAMES: Final = 4096
RAW_TIMES: Final = 1.3
"""How many times as long as `Games.step` the environment may take, with 8-bit observations."""
SCALED_TIMES: Final = 1.8
"""The same with observations scaled to float32."""
OPPONENT: Final = "corn"
SEATED_GAMES: Final = 256
SEATED_SHARE: Final = 0.5
"""Of the whole games that compiled players play alone, so many one learner among them plays."""
OPENSPIEL_STEP: Final = 40.0
_PLAYED_ALONE: Final = 64
_MICRO: Final = 1e6
_MIXED: Final = 400
"""Steps after which the games stand in all sorts of phases."""
_core = time.thread_time


def environments(effort: Effort) -> list[Figure]:
    """Speed of the vector environment, at all seats and at one, and of OpenSpiel's states."""
    return [*_self_play(effort), *_one_seat(effort), *_openspiel(effort)]


def _self_play(effort: Effort) -> list[Figure]:
    games = Games(RuleSet(), GAMES, seed=7, autoreset=True, threads=1)
    measures = {"Games": _stepping(effort, games, games.step)}
    targets = {}
    kinds: dict[ScalingKind, float] = {"raw": RAW_TIMES, "standard": SCALED_TIMES}
    for scaling, times in kinds.items():
        for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            envs = PuertoRicoVectorEnv(
                GAMES, RuleSet(), scaling=scaling, autoreset_mode=mode, threads=1
            )
            envs.reset(seed=7)
            name = f"vector environment, {scaling}, {mode.name}"
            measures[name] = _stepping(effort, envs.games, envs.step)
            targets[name] = times
    times_of = {
        name: statistics.median(rates) for name, rates in by_turns(effort.runs, measures).items()
    }
    alone = times_of.pop("Games")
    return [
        Figure(
            f"{name}, batch {GAMES:,}, one core",
            spent,
            "µs",
            targets[name] * alone,
            f"Games.step in the same run {alone:.3f} µs: {spent / alone:.2f} times that; "
            f"{1 / spent:.1f} million decisions/s",
        )
        for name, spent in times_of.items()
    ]


def _stepping(
    effort: Effort, games: Games, step: Callable[[np.ndarray], object]
) -> Callable[[], float]:
    """Return what measures the microseconds of a decision; choosing it is not counted."""
    for _ in range(_MIXED):
        step(games.sample())

    def run() -> float:
        spent, steps = 0.0, 0
        while spent < effort.seconds / 2:
            actions = games.sample().copy()
            began = _core()
            step(actions)
            spent += _core() - began
            steps += 1
        return spent / steps / len(games) * _MICRO

    return run


def _one_seat(effort: Effort) -> list[Figure]:
    """Whole games a second with a learner that plays by chance among compiled opponents."""
    envs = PuertoRicoVectorEnv(
        SEATED_GAMES, RuleSet(), seat="rotate", opponents=OPPONENT, threads=1
    )
    envs.reset(seed=7)
    agent = load_agent(OPPONENT)
    assert isinstance(agent, CompiledAgent)
    line_up = [agent] * envs.rules.players

    def alone() -> float:
        seeds = np.arange(_PLAYED_ALONE)
        began = _core()
        play_games(envs.rules, line_up, seeds, np.zeros((len(seeds), len(line_up)), np.int64))
        return len(seeds) / (_core() - began)

    def seated() -> float:
        spent, ended = 0.0, 0
        while spent < effort.seconds or ended < _PLAYED_ALONE:
            actions = envs.sample_actions()
            began = _core()
            _, _, terminations, *_ = envs.step(actions)
            spent += _core() - began
            ended += int(terminations.sum())
        return ended / spent

    rates = by_turns(effort.runs, {"alone": alone, "seated": seated})
    whole, ours = (statistics.median(rates[name]) for name in ("alone", "seated"))
    return [
        Figure(
            f"vector environment, seat='rotate' among {OPPONENT}, batch {SEATED_GAMES}",
            ours,
            "games/s",
            SEATED_SHARE * whole,
            f"play_games among four of them {whole:,.0f} games/s: {ours / whole:.2f} of that",
        )
    ]


def _openspiel(effort: Effort) -> list[Figure]:
    """Microseconds of a turn of OpenSpiel's loop; without OpenSpiel, nothing."""
    if importlib.util.find_spec("pyspiel") is None:
        return []
    import pyspiel

    import prico_env.envs.openspiel

    game = pyspiel.load_game(prico_env.envs.openspiel.NAME)
    spent = statistics.median(
        by_turns(effort.runs, {"turn": partial(openspiel_turn, game, effort.seconds / 2)})["turn"]
    )
    return [
        Figure("OpenSpiel: legal actions, observation, step", spent, "µs", OPENSPIEL_STEP),
    ]


def openspiel_turn(game: Any, seconds: float) -> float:
    """Microseconds of a turn of a random game: legal actions, mask, observation, and the step."""
    from open_spiel.python.observation import make_observation

    observer, chance = make_observation(game), random.Random(7)
    began, turns = _core(), 0
    while _core() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[chance.randrange(len(outcomes))][0])
                continue
            observer.set_from(state, state.current_player())
            state.legal_actions_mask()
            state.apply_action(chance.choice(state.legal_actions()))
            turns += 1
    return (_core() - began) / turns * _MICRO
