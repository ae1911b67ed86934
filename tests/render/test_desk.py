"""The drawings for a page on a desk fit their window, whatever is played."""

import itertools
import re

import pytest

from prico_env import RuleSet
from prico_env.render import render_svg
from prico_env.render.desk import LAPTOP, TABLET
from prico_env.text.localization import codes, override
from prico_env.vocabulary import GOODS
from tests.builders import ALICE, BOB, CLASSIC, EDITIONS, ENGLISH
from tests.render.svg_shapes import SVG, hidden_parts, shapes, without_hidden
from tests.render.test_drawing import anchors_of, assert_words_fit, full_rules, played

DESKS = {"desk": LAPTOP, "tablet": TABLET}
SMALLEST = 11.84
"""In a window of 1024 by 768 or 1280 by 800 pixels the drawing is 0.929 of its size: 11 pixels."""


def size_of(svg: str) -> tuple[float, float]:
    """How wide and how high a drawing is."""
    wide, high = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
    return float(wide), float(high)


@pytest.mark.parametrize("layout", DESKS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_it_has_one_size_with_any_number_of_players_and_everything(edition, layout):
    for players, decisions in ((2, 250), (3, 4), (4, 5000), (5, 8), (5, 300), (5, 600)):
        for board in ("draft", "random"):
            game = played(full_rules(players, edition, board=board), decisions)
            svg = render_svg(game, BOB, layout=layout)
            assert size_of(svg) == (DESKS[layout].width, DESKS[layout].height)
            assert min(shape.size for shape in shapes(without_hidden(svg), "")) >= SMALLEST
            for whole in hidden_parts(svg):
                assert min(shape.size for shape in shapes(whole, "")) >= SMALLEST


@pytest.mark.parametrize("layout", DESKS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_words_run_into_others_on_a_desk(edition, layout):
    for players, decisions, seat in ((2, 250, ALICE), (3, 4, None), (5, 600, BOB)):
        game = played(full_rules(players, edition, board="draft"), decisions)
        game.state["coins"][0, 0], game.state["goods"][0, 1, 3] = 47, 11
        svg = render_svg(game, seat, layout=layout)
        for part in (without_hidden(svg), *hidden_parts(svg)):
            assert_words_fit(part)


@pytest.mark.parametrize("code", codes())
def test_words_of_every_language_fit_and_can_be_read(code):
    with override(code):
        for edition, layout, decisions in itertools.product(EDITIONS, DESKS, (8, 300)):
            game = played(full_rules(5, edition, board="draft"), decisions)
            svg = render_svg(game, BOB, layout=layout)
            for part in (without_hidden(svg), *hidden_parts(svg)):
                assert_words_fit(part)
                assert min(shape.size for shape in shapes(part, "")) >= SMALLEST


def test_who_is_shown_in_a_few_lines_can_be_enlarged():
    svg = render_svg(played(full_rules(5, ENGLISH), 300), BOB, layout="desk")
    compact = re.findall(r'data-compact="(\d)"', svg)
    wholes = {part.get("data-whole"): part for part in hidden_parts(svg)}
    assert compact == ["2", "3", "4", "0"]
    assert set(wholes) == set(compact)
    for seat, part in wholes.items():
        places = {one.get("data-anchor") for one in part.iter(f"{SVG}g")}
        assert {f"goods-{seat}-{good}" for good in GOODS} <= places


def test_all_anchors_are_there_in_each_layout():
    for edition in (ENGLISH, CLASSIC):
        game = played(full_rules(5, edition), 300)
        wide = anchors_of(render_svg(game, ALICE)) - {"phase"}  # beside the board there
        assert anchors_of(render_svg(game, ALICE, layout="desk")) == wide
        assert anchors_of(render_svg(game, ALICE, layout="tablet")) == wide


@pytest.mark.parametrize("layout", DESKS)
def test_two_players_see_both_boards_whole(layout):
    assert "data-compact" not in render_svg(played(RuleSet(2), 100), ALICE, layout=layout)


def test_on_a_phone_ones_own_board_comes_first():
    svg = render_svg(played(full_rules(3, ENGLISH), 100), BOB, layout="tall")
    places = re.findall(r'data-anchor="([^"]+)"', svg)
    assert places[1].endswith("-1")
    assert places.index("role-settler") < places.index("vp-2") < places.index("vp-0")


def test_long_names_are_cut_rather_than_written_too_small():
    game = played(full_rules(5, ENGLISH), 100)
    names = [f"{seat} Bartholomew Featherstonehaugh" for seat in range(5)]
    for layout in (*DESKS, "tall"):
        svg = render_svg(game, ALICE, layout=layout, names=names)
        sizes = [
            (shape.size, shape.words)
            for root in (without_hidden(svg), *hidden_parts(svg))
            for shape in shapes(root, "")
            if " Bar" in shape.words and "–" not in shape.words
        ]
        assert len(sizes) >= 5
        assert min(sizes) >= (SMALLEST, "")
