"""The board on a dark page: what is drawn can be read there, too."""

import re
from pathlib import Path

import pytest

import prico_training.ui
from prico_env.render import colours
from tests.builders import EDITIONS
from tests.render.contrast import too_weak
from tests.render.test_contrast import everything

PAGE = Path(prico_training.ui.__file__).parent / "page"

SAME_ON_EVERY_PAGE = {
    "WHITE", "ON_BRIGHT", "MARK", "WARNING", "COIN", "COIN_EDGE", "WORKER", "CITIZEN", "EDGE",
    "CIRCLE_EDGE", "WOOD", "BACK", "SEATS", "TILE_FILLS", "TILE_EDGES", "ICONS", "FOREST_FILL",
    "FOREST_EDGE",
}  # fmt: skip


def exchanged() -> dict[str, str]:
    """The colours of the drawing that a dark page shows otherwise."""
    css = (PAGE / "board.css").read_text(encoding="utf-8")
    dark = css.partition("prefers-color-scheme: dark")[2]
    rules = re.findall(r'\[(?:fill|stroke)="(#\w+)"\] \{ (?:fill|stroke): (#\w+); \}', dark)
    found = dict(rules)
    assert len(found) == len(set(rules)), "one colour is exchanged for two"
    return found


def test_each_colour_has_its_like_on_a_dark_page_or_is_the_same_on_both():
    dark = exchanged()
    for name, value in vars(colours).items():
        if name.isupper():
            values = {value} if isinstance(value, str) else set(value)
            if name in SAME_ON_EVERY_PAGE:
                assert not values & set(dark), name
            else:
                assert values <= set(dark), name


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_words_and_marks_stand_out_on_a_dark_page(edition):
    dark = exchanged()
    assert set().union(*(too_weak(svg, dark) for svg in everything(edition))) == set()
