"""The example that learns with each scaling."""

import re

import pytest

pytest.importorskip("torch")

from prico_training.examples import compare_scalings


@pytest.mark.training
def test_a_network_agrees_with_its_teacher_more_often_the_longer_it_learns(capsys):
    compare_scalings.main("--players 3 --games 40 --epochs 2 --width 32".split())
    first, *lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"[\d,]+ decisions to learn from, [\d,]+ held out", first)
    assert [line.split()[0] for line in lines] == ["standard", "range", "raw"]
    for line in lines:
        once, twice = map(float, re.findall(r"0\.\d{3}", line)[:2])
        assert 0.1 < once < twice
