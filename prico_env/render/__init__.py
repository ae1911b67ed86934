"""The board for people: as text for a terminal, as a drawing, and as pixels."""

from prico_env.render.anchors import place_of
from prico_env.render.layout import render_svg
from prico_env.render.raster import render_png, render_rgb
from prico_env.render.terminal import render_text

__all__ = ["place_of", "render_png", "render_rgb", "render_svg", "render_text"]
