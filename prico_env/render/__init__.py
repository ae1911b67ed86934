"""The board for people: as text for a terminal, as a drawing, and as pixels.

Only the registry is loaded here; a renderer is loaded when it is first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

from prico_env.render.registry import RENDER_MODES, RENDERERS, check_render_mode, render

if TYPE_CHECKING:
    from prico_env.render.anchors import anchor_of
    from prico_env.render.layout import render_svg
    from prico_env.render.raster import render_png, render_rgb
    from prico_env.render.terminal import render_text

__all__ = [
    "RENDERERS",
    "RENDER_MODES",
    "anchor_of",
    "check_render_mode",
    "render",
    "render_png",
    "render_rgb",
    "render_svg",
    "render_text",
]

_HOMES: Final = {
    "anchor_of": "anchors",
    "render_png": "raster",
    "render_rgb": "raster",
    "render_svg": "layout",
    "render_text": "terminal",
}
"""Which module each function lives in."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
