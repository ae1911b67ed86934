"""Both kinds of networks learn for the same processor time, and are told apart by what they win."""

import re

import pytest

pytest.importorskip("torch")

from prico_training.examples import compare_networks

SMALL = [
    "game.players=2", "self_play.num_envs=4", "self_play.num_steps=4", "network.hidden=[8]",
    "network.seat_width=4", "network.object_width=4", "behaviour_cloning.games=1",
    "behaviour_cloning.teacher=corn", "evaluation.curve=[corn]",
]  # fmt: skip


@pytest.mark.training
def test_both_networks_learn_and_meet_the_opponents(capsys):
    compare_networks.main(["--seconds", "0.3", "--deals", "2", *SMALL])
    told = capsys.readouterr().out
    assert re.findall(r"^(\w+): [\d,]+ decisions, [\d,]+ games", told, re.MULTILINE) == [
        "dense",
        "entities",
    ]
    assert len(re.findall(r"^ +[\d.]+% \[[\d.]+%, [\d.]+%\] among corn$", told, re.MULTILINE)) == 2
