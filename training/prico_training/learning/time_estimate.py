"""How long a budget of decisions will take: measured on a trial before a run begins."""

import time
from typing import Final

from prico_training.config import Config
from prico_training.learning.factory import make_trainer
from prico_training.learning.trainer import Trainer

_LEAST: Final = 1_000_000
"""Decisions from which a run takes much longer than a trial of it."""


def estimate_seconds(config: Config, decisions: int) -> float | None:
    """Estimate how long a run will learn, from a few updates of a trial that is thrown away.

    Each phase is tried: the warm start, and PPO after it. The run itself is not touched: what it
    learns is the same with and without the estimate.

    Args:
        config: The settings of the run.
        decisions: How many it has learnt from so far.

    Returns:
        Seconds; None if its budget is one of minutes, or too small to be worth a trial, or if it
        learns in another way than by PPO in this process alone.
    """
    left = config.budget.decisions - decisions
    if config.trainer != "ppo" or config.actors.count or config.budget.minutes or left < _LEAST:
        return None
    warm_up = config.behaviour_cloning.share * config.budget.decisions
    trial = make_trainer(config)
    try:
        by_teachers = max(0.0, min(float(left), warm_up - decisions))
        seconds = 0.0
        if by_teachers > 0:
            seconds += by_teachers / _decisions_a_second(trial, 0.0)
        if by_teachers < left:
            seconds += (left - by_teachers) / _decisions_a_second(
                trial, config.behaviour_cloning.share
            )
        return seconds
    finally:
        trial.close()


def _decisions_a_second(trial: Trainer, spent: float) -> float:
    """Measure an update when so much of the budget is spent, after one that warms up."""
    trial.learn(spent)
    before, began = trial.decisions, time.perf_counter()
    trial.learn(spent)
    return (trial.decisions - before) / (time.perf_counter() - began)
