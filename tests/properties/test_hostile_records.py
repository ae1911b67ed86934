"""Changed records in processes of their own: refused in one line, or played to their end."""

import pytest
from numba import config

from tests.properties.hostile_records import PORTION, RULE_SETS, judge_apart


def test_a_changed_record_is_refused_or_plays_to_its_end():
    """G154: a few of every rule set; `python -m tests.properties.hostile_records` draws more."""
    tally = judge_apart(24 if config.DISABLE_JIT else len(RULE_SETS), seed=1)
    assert tally.refused.total() > tally.played > 0


@pytest.mark.slow
def test_ten_thousand_changed_records_are_refused_or_play_to_their_end():
    """G154: all rule sets, one number changed or several."""
    portions = [judge_apart(PORTION, seed) for seed in range(2, 13)]
    assert sum(one.refused.total() + one.played for one in portions) > 10_000
