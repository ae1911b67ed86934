"""The contrast of what is drawn with its ground, as WCAG, the guidelines for web pages, has it."""

from collections.abc import Iterator, Mapping

from prico_env.render import colours
from tests.render.svg_shapes import Shape, hidden_parts, shapes, without_hidden

TEXT, MARKS = 4.5, 3.0
"""The least contrast of words, and of what has to be told apart without words."""

DECORATION = {
    colours.SPACE,  # where something may lie one day
    colours.LINE,  # a good of which there is none
    colours.WOOD,  # a hull; its slots have an edge
    colours.BACK,  # a pile; it has an edge
}


def luminance(colour: str) -> float:
    """How bright a colour is.

    >>> luminance("#fff"), luminance("#000000")
    (1.0, 0.0)
    """
    letters = colour.removeprefix("#")
    if len(letters) == 3:
        letters = "".join(letter * 2 for letter in letters)
    parts = [int(letters[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return round(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2], 6)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def too_weak(svg: str, exchanged: Mapping[str, str] | None = None) -> set[str]:
    """Say what of a drawing cannot be told from its ground.

    Args:
        svg: The drawing.
        exchanged: Other colours that a page shows instead of some.

    Returns:
        A line for each pair of colours that is too much alike, with the first thing that has it.
    """
    found = set()
    for root in (without_hidden(svg), *hidden_parts(svg)):
        painted: list[Shape] = []
        for shape in shapes(root, colours.INK):
            ground = next((one.fill for one in reversed(painted) if one.holds(*shape.middle)), None)
            if ground is not None:
                found |= set(_complaints(shape, ground, exchanged or {}))
            painted.append(shape)
    return found


def _complaints(shape: Shape, ground: str, exchanged: Mapping[str, str]) -> Iterator[str]:
    def with_ground(colour: str) -> float:
        if colour in ("", "none"):
            return 1.0
        return contrast(exchanged.get(colour, colour), exchanged.get(ground, ground))

    if shape.kind == "text":
        if with_ground(shape.fill) < TEXT:
            yield f"text {shape.fill} on {ground}: {with_ground(shape.fill):.2f} ({shape.words})"
    elif shape.kind in ("path", "circle") and shape.fill not in DECORATION:
        best = max(with_ground(shape.fill), with_ground(shape.stroke))
        if best < MARKS:
            yield f"{shape.kind} {shape.fill} {shape.stroke} on {ground}: {best:.2f}"
