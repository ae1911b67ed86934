"""Settings and words that had other names before, so that an old file is told the new ones."""

from collections.abc import Collection
from typing import Final

from prico_env.errors import did_you_mean

RENAMED: Final = {
    # settings of a search, and their words
    "batch": "batch_size",
    "depth": "rollout_depth",
    "elsewhere": "default_policy",
    "first_play": "fpu_reduction",
    "reuse": "reuse_tree",
    "appraisal": "evaluation",
    "habit": "greedy",
    "habits": "greedy",
    # weights
    "envy": "opponent_weight",
    "follow": "taken_later",
    "foresight": "lookahead_phases",
    "foresight_within": "lookahead_phases_within",
    "temper": "temperature",
    "temper_by_round": "temperature_by_round",
}
"""Old names and what they are called now."""


def name_hint(name: object, known: Collection[str]) -> str:
    """Return the end of a sentence about an unknown name: its new form, or the nearest one.

    >>> name_hint("envy", ["coin", "opponent_weight"]), name_hint("coins", ["coin"])
    ("; it is called 'opponent_weight' now", "; did you mean 'coin'?")
    """
    new = RENAMED.get(str(name))
    return f"; it is called {new!r} now" if new in known else did_you_mean(name, known)
