"""The drawing as pixels: the same ones on every machine, because the letters come with it."""

import io
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prico_env.arguments import as_integer
from prico_env.errors import PricoError, quoted
from prico_env.render.colours import PAPER
from prico_env.render.drawable import Drawable, check_view
from prico_env.render.layout import render_svg
from prico_env.render.text_metrics import FONT_FILES

_WIDEST: Final = 8192
_FRAME_WIDTH: Final = 1280
_FRAME_HEIGHTS: Final = {2: 580, 3: 820, 4: 820, 5: 860}
"""How high a frame is, by the number of players."""
_FULL_FRAME_HEIGHT: Final = 1080
"""How high it is with expansions."""


def render_png(
    game: Drawable, seat: int | None = None, *, layout: str = "wide", width: int | None = None
) -> bytes:
    """Draw the board as a PNG.

    Args:
        game: The game.
        seat: The seat whose view is drawn, see `render_svg`.
        layout: ``"wide"`` or ``"tall"``.
        width: How many pixels wide it is; by default as wide as the drawing.

    Returns:
        The bytes of a PNG file.

    Raises:
        PricoError: There is no such seat or layout, or the width is none.
    """
    if width is not None:
        pixels = as_integer(width)
        if pixels is None or not 0 < pixels <= _WIDEST:
            raise PricoError(f"a picture is 1 to {_WIDEST} pixels wide, not {quoted(width)}")
        width = pixels
    return _png(render_svg(game, seat, layout=layout), width)


def render_rgb(game: Drawable, seat: int | None = None) -> NDArray[np.uint8]:
    """Draw the board as an array of pixels.

    Args:
        game: The game.
        seat: The seat whose view is drawn, see `render_svg`.

    Returns:
        Pixels of the wide layout, uint8, shape ``(height, 1280, 3)``. All positions of a rule set
        have the same height, so that they can be the frames of a film; a drawing that is higher
        is made smaller.
    """
    from PIL import Image  # only who wants pixels pays for loading this

    check_view(game, seat)
    rules = game.rules
    height = _FULL_FRAME_HEIGHT if rules.expansions else _FRAME_HEIGHTS[rules.players]
    size = f'<svg width="{_FRAME_WIDTH}" height="{height}" preserveAspectRatio="xMidYMin" '
    svg = render_svg(game, seat).replace("<svg ", size, 1)
    with Image.open(io.BytesIO(_png(svg, None))) as picture:
        pixels: NDArray[Any] = np.asarray(picture.convert("RGB"))
    return pixels


def _png(svg: str, width: int | None) -> bytes:
    """Turn a drawing into a PNG with the letters of the package."""
    import resvg_py  # only who wants pixels pays for loading this

    fonts = files("prico_env.render") / "fonts"
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            background=PAPER,
            skip_system_fonts=True,
            font_files=[str(fonts / name) for name in FONT_FILES],
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
        )
    )
