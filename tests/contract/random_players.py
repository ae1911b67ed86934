"""Random legal play through every environment, and the rule sets that each is tried with."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.rule_sets import BASE_RULE_SETS, EXPANDED_RULE_SETS, rule_set_id

EVERY_TABLE = [*BASE_RULE_SETS, *EXPANDED_RULE_SETS]
"""The base game in each edition at each number of players, and a few games with expansions."""

table_name = rule_set_id
"""Name a rule set in a test id."""


def play_cycle(env: Any, choices: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """Play an AEC environment to the end; yields each agent with what ``last`` gave it."""
    while env.agents:
        agent = env.agent_selection
        last = env.last()
        yield agent, last
        observation, _, terminated, truncated, _ = last
        if terminated or truncated:
            env.step(None)
        else:
            env.step(int(choices.choice(np.flatnonzero(observation["action_mask"]))))


def choose(masks: np.ndarray, choices: np.random.Generator) -> np.ndarray:
    """Draw one allowed action a row, each as likely."""
    return np.array([choices.choice(np.flatnonzero(mask)) for mask in masks], dtype=np.int64)
