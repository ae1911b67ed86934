"""Changed records in processes of their own: refused in one line, or played to their end."""

import pytest
from numba import config

from tests.properties.hostile_records import PORTION, RULE_SETS, judge_apart


def test_a_changed_record_is_refused_or_plays_to_its_end():
    """G154: a few of every rule set; `python -m tests.properties.hostile_records` draws more."""
    tally = judge_apart(24 if config.DISABLE_JIT else len(RULE_SETS), seed=1)
    assert tally.refused.total() > tally.played > 0


@pytest.mark.slow
def test_changed_records_of_every_rule_set_are_refused_or_play_to_their_end():
    """G154: one number changed or several."""
    tally = judge_apart(PORTION, seed=2)
    assert tally.refused.total() + tally.played > PORTION // 2
