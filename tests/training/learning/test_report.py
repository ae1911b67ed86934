"""What a run leaves for people: the picture of its learning curve."""

import pytest
from matplotlib.figure import Figure

from prico_training.config import Config
from prico_training.learning.report import draw_curve


@pytest.fixture
def drawn(tmp_path, monkeypatch):
    """Draw the curve of some rows; the words of each legend."""

    def draw(rows):
        figures, save = [], Figure.savefig

        def keep(figure, *args, **settings):
            figures.append(figure)
            save(figure, *args, **settings)

        monkeypatch.setattr(Figure, "savefig", keep)
        draw_curve(tmp_path / "curve.png", Config(), rows)
        legends = [axes.get_legend() for axes in figures[0].axes]
        return [legend and [text.get_text() for text in legend.get_texts()] for legend in legends]

    return draw


def row(decisions, **figures):
    return {"decisions": float(decisions), **figures}


def test_a_picture_names_what_its_run_has_measured(drawn):
    rows = [row(0), row(1000, entropy=0.5, explained_variance=0.1), row(2000, entropy=0.4)]
    _, policy, values = drawn(rows)
    assert policy == ["entropy (nat)"]  # nobody to agree with: no teacher, no search
    assert values == ["explained variance"]


def test_a_run_that_imitates_is_drawn_with_its_agreement(drawn):
    _, policy, values = drawn([row(0), row(1000, entropy=0.5, agreement=0.7)])
    assert policy == ["entropy (nat)", "agreement with teacher or search"]
    assert values is None
