"""Words and marks of the board can be told from what they stand on."""

import pytest

from prico_env import Game
from prico_env.render import render_svg
from tests.builders import ALICE, CLASSIC, EDITIONS
from tests.render.contrast import contrast, too_weak
from tests.render.test_drawing import full_rules, played


def everything(edition: str) -> list[str]:
    """Drawings that have all pieces on them, in all layouts of a page."""
    games = [played(full_rules(5, edition, board="draft"), decisions) for decisions in (6, 300)]
    games.append(played(full_rules(4, edition), 5000))
    full = played(full_rules(3, edition), 200).clone()
    full.state["goods"][0] = 2
    full.state["owned"][0, :, :6] = 1
    full.state["house"][0, :4] = 1
    full.state["building_supply"][0, 3] = 0
    games.append(full)
    return [
        render_svg(game, seat, layout=layout)
        for game in games
        for seat, layout in ((ALICE, "desk"), (None, "tall"))
    ]


def test_contrast_is_computed_as_the_guidelines_do():
    assert contrast("#fff", "#000") == 21
    assert contrast("#777", "#fff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_words_and_marks_stand_out_from_their_ground(edition):
    assert set().union(*map(too_weak, everything(edition))) == set()


def test_words_that_cannot_be_read_are_found():
    svg = render_svg(Game(full_rules(3, CLASSIC)))
    assert any("text" in line for line in too_weak(svg.replace('fill="#655"', 'fill="#aaa"')))
