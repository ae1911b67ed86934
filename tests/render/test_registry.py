"""A renderer is one file and one row; every row is offered wherever games are shown."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import prico_env
from prico_env import Game, PricoError, RuleSet, env
from prico_env.envs.single_seat import SingleSeatEnv
from prico_env.envs.vector import PuertoRicoVectorEnv
from prico_env.render import RENDER_MODES, RENDERERS, render, render_svg, render_text

PACKAGE = Path(prico_env.__file__).parent
ROW = '    Renderer("coins", "coins:render_coins", "returns the coins", is_render_mode=True),\n'
FILE = '''"""Coins only."""


def render_coins(game, seat=None):
    """Return the coins of every seat."""
    return game.state[0]["coins"].tolist()
'''
SCRIPT = """
import numpy as np
from prico_env import Game, PricoError, env
assert Game(seed=1).render("coins")[:4] == [3, 3, 3, 3]
table = env(render_mode="coins")
table.reset(seed=1)
assert table.render()[:4] == [3, 3, 3, 3]
assert "coins" in table.metadata["render_modes"]
for ask in (lambda: Game().render("coin"), lambda: env(render_mode="coin")):
    try:
        ask()
    except PricoError as error:
        assert "did you mean 'coins'?" in str(error)
"""


def test_a_new_renderer_is_one_file_and_one_row(tmp_path):
    copy = tmp_path / "prico_env"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "render" / "coins.py").write_text(FILE)
    registry, start = copy / "render" / "registry.py", "RENDERERS: Final = (\n"
    registry.write_text(registry.read_text().replace(start, start + ROW))
    surroundings = os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", SCRIPT], cwd=tmp_path, env=surroundings, check=True)


@pytest.mark.parametrize("renderer", RENDERERS, ids=lambda renderer: renderer.name)
def test_a_game_shows_itself_in_every_way(renderer, capsys):
    game = Game(RuleSet(players=2), seed=1)
    shown = game.render(renderer.name, seat=1)
    assert (shown is None) == (renderer.name == "human")
    assert bool(capsys.readouterr().out) == (shown is None)
    assert type(shown) is type(render(game, renderer.name)) or shown is None


def test_renderers_are_the_functions_that_can_be_called_by_name():
    game = Game(seed=1)
    assert game.render() == render_text(game)
    assert game.render("svg", 2, layout="tall") == render_svg(game, 2, layout="tall")


@pytest.mark.parametrize("mode", RENDER_MODES)
def test_every_environment_takes_every_render_mode(mode, capsys):
    single = SingleSeatEnv(players=2, render_mode=mode)
    batch = PuertoRicoVectorEnv(2, players=2, render_mode=mode)
    for made in (env(players=2, render_mode=mode), single, batch):
        assert tuple(made.metadata["render_modes"]) == RENDER_MODES
        made.reset(seed=3)
        shown = made.render()
        assert (shown is None) == (mode == "human")
    assert bool(capsys.readouterr().out) == (mode == "human")


def test_a_renderer_that_does_not_exist_is_answered_with_the_nearest():
    with pytest.raises(PricoError, match=r"renderers are human, ansi.*did you mean 'svg'"):
        Game().render("svgg")
    with pytest.raises(PricoError, match="there is no render mode 'svg'"):
        env(render_mode="svg")


def test_pixels_have_three_channels():
    pixels = Game(RuleSet(players=2)).render("rgb_array")
    assert pixels.dtype == np.uint8
    assert pixels.shape[1:] == (1280, 3)
