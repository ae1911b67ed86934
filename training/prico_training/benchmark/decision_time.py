"""How long a candidate takes for a decision: one game at a time, on one core, nothing beside it."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from prico_agents import Agent, View, load_agent
from prico_env import Game, RuleSet
from prico_training.arena.schedule import agent_seed
from prico_training.arena.settings import Entry
from prico_training.benchmark.suites import Suite
from prico_training.rule_sets import rule_set_name

_DECISIONS: Final = 1_000
"""Decisions after which no other game begins."""
_SECONDS: Final = 60.0
"""Seconds after which no other game begins."""
_RULE_SETS: Final = 12
"""Rule sets of a suite that are played in turn, evenly spread."""
_OTHERS: Final = "corn"
"""Who sits around the candidate: somebody quick."""
_DIGITS: Final = 7


def time_decisions(
    candidate: Entry, suite: Suite, refused: frozenset[str], keep_going: Callable[[], bool]
) -> dict[str, Any]:
    """Measure the seconds of single decisions in games of a suite.

    A decision is one call of `act`, which is how programs ask and what a budget is about; workers
    may ask for many at once. The first game does not count, because its decisions may compile.

    Args:
        candidate: Who is measured.
        suite: Whose rule sets are played.
        refused: Names of those that the candidate does not play.
        keep_going: Asked before each game.

    Returns:
        ``decisions`` measured, their ``median``, ``p99`` and ``most`` in seconds, and ``over``, the
        share of those that exceed the budget.
    """
    accepted = [rules for rules in suite.rule_sets if rule_set_name(rules) not in refused]
    played = accepted[:: max(1, len(accepted) // _RULE_SETS)]
    agent, other = load_agent(candidate.agent, **candidate.settings), load_agent(_OTHERS)
    list(_seconds_of_game(agent, other, played[0], 0, suite.seed))
    seconds: list[float] = []
    began, number = time.monotonic(), 0
    while len(seconds) < _DECISIONS and time.monotonic() - began < _SECONDS and keep_going():
        rules = played[number % len(played)]
        seat, deal = number % rules.players, number // rules.players
        seconds += _seconds_of_game(agent, other, rules, seat, suite.seed + deal)
        number += 1
    times = np.array(seconds or [0.0])
    return {
        "decisions": len(seconds),
        "median": round(float(np.median(times)), _DIGITS),
        "p99": round(float(np.percentile(times, 99)), _DIGITS),
        "most": round(float(times.max()), _DIGITS),
        "over": round(float((times > suite.decision_seconds).mean()), _DIGITS),
    }


def _seconds_of_game(
    agent: Agent, other: Agent, rules: RuleSet, own: int, seed: int
) -> Iterator[float]:
    """Play a game and yield how long each decision of a seat took; an error ends it."""
    game = Game(rules, seed)
    other.reset((own + 1) % rules.players, rules, seed)
    try:
        agent.reset(own, rules, agent_seed(seed, own))
        while not game.over:
            view = View.of(game)
            if game.turn == own:
                began = time.perf_counter()
                action = agent.act(view)
                yield time.perf_counter() - began
                game.step(action)
            else:
                game.step(other.act(view))
    except Exception:  # such errors lost games before, where they were counted
        return
