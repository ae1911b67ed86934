"""What a person sees while a run goes on."""

import io

from rich.console import Console

from prico_training.config import load_config
from prico_training.learning.run_progress import RunProgress, Standing

CONFIG = load_config(None, ["evaluation.curve=[planner, corn]"])
ROW = {
    "seconds": 60.0,
    "decisions": 250_000.0,
    "decisions_per_second": 4_000.0,
    **{f"win_rate_{name}": 0.5 for name in ("planner", "corn")},
    **{f"lead_{name}": 3.25 for name in ("planner", "corn")},
}


def shown(terminal):
    page = io.StringIO()
    console = Console(file=page, force_terminal=terminal, width=120)
    with RunProgress(CONFIG, Standing(0.0, 0, 0, {}, {}), console) as progress:
        progress.point(ROW)
        league = {"planner": 0.31, "trader": 0.25}
        figures = {"entropy": 0.612, "value_loss": 0.2}
        progress.show(Standing(0.4, 300_000, 812, league, figures))
    return page.getvalue()


def test_a_terminal_shows_speed_rivals_and_figures():
    page = shown(terminal=True)
    for words in (
        "decisions/s",
        "left",
        "300,000 decisions, 812 games",
        "planner 31%, trader 25%",
        "entropy (nat) 0.612, value loss 0.2",
        "planner 50%, corn 50%",
    ):
        assert words in page


def test_a_log_gets_one_line_for_each_point_of_the_curve():
    lines = shown(terminal=False).splitlines()
    assert len(lines) == 1
    assert "wins among planner 50% (+3.2 VP), corn 50% (+3.2 VP)" in lines[0]
