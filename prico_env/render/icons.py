"""The icons of the board as paths: goods, quarry, forest, and the marks of a role."""

import functools
import re
from typing import Final

from prico_env.render.svg import number

_NUMBER: Final = re.compile(r"-?\d*\.?\d+")

_ICONS: Final = (
    "m0-1c.75.45.75 1.55 0 2c-.75-.45-.75-1.55 0-2z",  # an ear
    "m0-1.05c.45.7.8 1.05.8 1.4a.8.7 0 1 1-1.6 0c0-.35.35-.7.8-1.4z",  # a drop
    "m-.72-.72h1.44v1.44h-1.44z",  # a cube
    "m-.95.95c-.1-1.3.4-1.9 1.9-1.9c0 1.5-.6 2-1.9 1.9z",  # a leaf
    "m-.14-.95c-1 .1-1 1.8 0 1.9zm.28 0c1 .1 1 1.8 0 1.9z",  # a bean
    "m-1 .75l.55-1.5l.5.7l.35-.45l.6 1.25z",  # rocks
    "m0-1l.85 1.4h-.65v.5h-.4v-.5h-.65z",  # a tree
)
"""Icons of the goods, the quarry and the forest, in steps from the middle of a square of side 2."""


@functools.cache
def _scaled(steps: str, size: float) -> str:
    """Make the steps of an icon as large as asked for."""
    parts = []
    for letter, figures in re.findall(r"([a-z])([^a-z]*)", steps):
        values = [float(figure) for figure in _NUMBER.findall(figures)]
        if letter == "a":  # radii grow, flags do not
            values = [
                value if place % 7 in (2, 3, 4) else value * size
                for place, value in enumerate(values)
            ]
        else:
            values = [value * size for value in values]
        text = " ".join(f"{round(value, 1):g}" for value in values)
        parts.append(letter + text.replace(" -", "-"))
    return "".join(parts)


def icon(kind: int, x: float, y: float, size: float) -> str:
    """Return the path of a tile's icon around a point, `size` from its middle to its edge."""
    return f"M{number(x)} {number(y)}{_scaled(_ICONS[kind], size)}"


def diamond(x: float, y: float, size: float) -> str:
    """Return the path of a citizen around a point."""
    n = number
    return f"M{n(x)} {n(y - size)}l{n(size)} {n(size)} {n(-size)} {n(size)} {n(-size)} {n(-size)}z"


def hexagon(x: float, y: float, size: float) -> str:
    """Return the path of an icon of victory points around a point."""
    n, half = number, size / 2
    across = size * 0.9
    return (
        f"M{n(x)} {n(y - size)}l{n(across)} {n(half)}v{n(size)}l{n(-across)} {n(half)}"
        f"{n(-across)} {n(-half)}v{n(-size)}z"
    )


def spaces(places: list[tuple[float, float]], width: float, height: float) -> str:
    """Return one path for all empty spaces of an island or a city."""
    across = f"h{number(width)}v{number(height)}h{number(-width)}z"
    return "".join(f"M{number(x)} {number(y)}{across}" for x, y in places)


def hull(x: float, y: float, width: float, height: float) -> str:
    """Return the path of a ship's hull, `width` wide at its top."""
    n, slope = number, 8
    return f"M{n(x)} {n(y)}h{n(width)}l{n(-slope)} {n(height)}h{n(2 * slope - width)}z"
