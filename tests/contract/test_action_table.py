"""One row is one kind of action: all else about it follows from the table."""

import pytest

from prico_env.actions import BLOCKS, NUM_ACTIONS, ActionBlock, _numbered, block_of
from prico_env.vocabulary import PHASES

BY_KIND = {block.kind: block for block in BLOCKS}


def test_blocks_meet_without_gap_or_overlap():
    starts = [block.start for block in BLOCKS]
    assert starts == [0, *(block.stop for block in BLOCKS[:-1])]
    assert BLOCKS[-1].stop == NUM_ACTIONS
    assert all(len(block.names) == block.stop - block.start for block in BLOCKS)
    assert len(BY_KIND) == len(BLOCKS)


def test_a_number_that_is_no_action_is_in_no_block():
    for number in (-1, NUM_ACTIONS):
        with pytest.raises(IndexError, match=f"there is no action {number}"):
            block_of(number)


def test_every_phase_that_asks_for_an_action_exists():
    assert {phase for block in BLOCKS for phase in block.phases} <= set(PHASES)


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        ("build_new", "build"), ("build_x2", "build"), ("recall_x2", "recall"),
        ("place_new", "place"), ("board_x2", "board"), ("guest_citizen", "guest"),
        ("pay_worker_x2", "pay_worker"), ("pay_citizen", "pay_worker"),
    ],
)  # fmt: skip
def test_a_block_that_goes_on_with_a_verb_has_the_phases_rules_and_sentence_of_the_first(
    kind, first
):
    block, base = BY_KIND[kind], BY_KIND[first]
    assert (block.verb, block.phases, block.rules, block.message) == (
        base.verb, base.phases, base.rules, base.message,
    )  # fmt: skip


def test_a_new_row_gets_the_numbers_behind_all_others_and_moves_none():
    row = ActionBlock("burn", "burn", ("corn", "coffee"), ("captain",), ("R-CAP-2",), "smuggler")
    *others, block = _numbered((*BLOCKS, row))
    assert tuple(others) == BLOCKS
    assert (block.start, block.stop) == (NUM_ACTIONS, NUM_ACTIONS + 2)
    assert block.names == ("burn:corn", "burn:coffee")
    assert block.message == "burn"
