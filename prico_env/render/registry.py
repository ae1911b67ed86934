"""The ways to show a game: one row each.

A row is all that a new renderer needs beside its function: `Game.render`, the render modes of the
environments, their metadata and what is said about wrong names are derived from it.
"""

import importlib
import inspect
from typing import Any, Final, NamedTuple

from prico_env.arguments import one_of
from prico_env.errors import PricoError, did_you_mean
from prico_env.render.drawable import Drawable


class Renderer(NamedTuple):
    """A way to show a game."""

    name: str
    """What it is asked for by."""
    function: str
    """``"module:function"`` in this package, called with the game, the seat that looks on (None for
    nobody in particular) and options of its own. It is loaded when it is used."""
    meaning: str
    """What it does, in words."""
    is_render_mode: bool = False
    """Whether environments offer it as a ``render_mode``."""


RENDERERS: Final = (
    Renderer("human", "terminal:print_text", "prints the board as text", is_render_mode=True),
    Renderer("ansi", "terminal:render_ansi", "returns the board as text", is_render_mode=True),
    Renderer("rgb_array", "raster:render_rgb", "returns pixels, uint8", is_render_mode=True),
    Renderer("svg", "layout:render_svg", "returns a drawing as the text of an SVG file"),
    Renderer("png", "raster:render_png", "returns a drawing as the bytes of a PNG file"),
)

_BY_NAME: Final = {renderer.name: renderer for renderer in RENDERERS}
RENDER_MODES: Final = tuple(renderer.name for renderer in RENDERERS if renderer.is_render_mode)
"""What environments take as a ``render_mode``."""


def render(game: Drawable, name: str = "ansi", seat: int | None = None, **options: Any) -> Any:
    """Show a game.

    Args:
        game: The game.
        name: One of `RENDERERS`: ``"human"``, ``"ansi"``, ``"rgb_array"``, ``"svg"``, ``"png"``.
        seat: The seat whose view is drawn; what everybody may see when left out.
        **options: What the renderer takes besides, such as ``layout="tall"`` of a drawing.

    Raises:
        PricoError: There is no such renderer, seat or option.
    """
    module, _, function = _BY_NAME[one_of(name, _BY_NAME, "renderer")].function.partition(":")
    draw = getattr(importlib.import_module(f"prico_env.render.{module}"), function)
    _, _, *known = inspect.signature(draw).parameters
    for option in options:
        if option not in known:
            there = f"its options are {', '.join(known)}" if known else "it has none"
            raise PricoError(
                f"the renderer {name!r} has no option {option!r}{did_you_mean(option, known)}; "
                f"{there}"
            )
    return draw(game, seat, **options)


def check_render_mode(render_mode: str | None) -> str | None:
    """Return a render mode, or say which ones there are.

    Raises:
        PricoError: There is no such render mode.
    """
    return None if render_mode is None else one_of(render_mode, RENDER_MODES, "render mode")
