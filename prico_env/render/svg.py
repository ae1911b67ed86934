"""A sheet to draw on: the few shapes of a board, written as SVG.

Only presentation attributes, no style sheets, no ids and nothing from outside, so that several
drawings can stand on one page and a page may forbid inline styles. One shape is one line of text,
and the same position gives the same bytes.
"""

import contextlib
import functools
from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from prico_env.render.colours import INK, MARK
from prico_env.render.text_metrics import Font

FONTS: Final = "DejaVu Sans, Verdana, Bitstream Vera Sans, Geneva, sans-serif"
BODY: Final = Font(12)
"""The usual letters; smaller ones could not be read on a phone."""
STRONG: Final = Font(12, bold=True)
FIGURE: Final = Font(14, bold=True)
"""Numbers to be read at a glance."""
_HIDDEN: Final = ' display="none"'
TIGHTEST: Final = 0.75
"""Words too long for their room are pressed together as far as this, then written smaller."""


class Box(NamedTuple):
    """A rectangle: its upper left corner, its width and its height."""

    x: float
    y: float
    width: float
    height: float


@functools.lru_cache(maxsize=1 << 14)
def number(value: float) -> str:
    """Write a coordinate: as short as it can be, to a tenth.

    >>> number(12.0), number(3.25), number(-0.01)
    ('12', '3.2', '0')
    """
    text = f"{value:.1f}"
    if text.endswith("0"):
        text = text[:-2]
    return "0" if text == "-0" else text


class Sheet:
    """Shapes in the order in which they were drawn, the later ones on top.

    Attributes:
        marked: The anchor that gets a ring, empty for none.
    """

    def __init__(self, marked: str = "") -> None:
        self.marked = marked
        self._lines: list[str] = []

    def rect(
        self, box: Box, fill: str, *, edge: str = "", line: float = 1, radius: float = 4
    ) -> None:
        """Draw a rectangle with round corners."""
        rounded = f' rx="{number(radius)}"' if radius else ""
        self._lines.append(
            f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" '
            f'height="{number(box.height)}"{rounded} fill="{fill}"{_stroke(edge, line)}/>'
        )

    def disc(
        self, x: float, y: float, radius: float, fill: str, edge: str = "", line: float = 1
    ) -> None:
        """Draw a disc around a point."""
        self._lines.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"'
            f"{_stroke(edge, line)}/>"
        )

    def path(self, steps: str, fill: str, edge: str = "", line: float = 1) -> None:
        """Draw a path."""
        self._lines.append(f'<path d="{steps}" fill="{fill}"{_stroke(edge, line)}/>')

    def text(
        self,
        x: float,
        y: float,
        words: object,
        font: Font = BODY,
        *,
        fill: str = INK,
        align: str = "start",
        room: float | None = None,
    ) -> float:
        """Write words on a line; returns how wide they are.

        Args:
            x: Where they start; their middle or end with another `align`.
            y: The line they stand on.
            words: What to write.
            font: How the letters look.
            fill: Their colour.
            align: ``"start"``, ``"middle"`` or ``"end"``.
            room: They are made to fit into so much.
        """
        letters = str(words)
        wide, size, pressed = font.width(letters), font.size, ""
        if room is not None and wide > room:
            size = min(size, size * room / (wide * TIGHTEST))
            wide = room
            pressed = f' textLength="{number(room)}" lengthAdjust="spacingAndGlyphs"'
        self._lines.append(
            f'<text x="{number(x)}" y="{number(y)}"'
            + ("" if size == BODY.size else f' font-size="{number(size)}"')
            + (' font-weight="bold"' if font.bold else "")
            + ("" if fill == INK else f' fill="{fill}"')
            + ("" if align == "start" else f' text-anchor="{align}"')
            + f"{pressed}>{escape(letters)}</text>"
        )
        return wide

    @contextlib.contextmanager
    def anchor(self, name: str, box: Box, ground: str = "") -> Iterator[None]:
        """Group the shapes of an anchor, to which actions can belong, and ring it if it is marked.

        Args:
            name: What the anchor is called.
            box: Where it is, or where its ring goes.
            ground: The colour of its ground, so that all of it can be touched; empty if what is
                drawn covers it anyway.
        """
        self._lines.append(f'<g data-anchor="{name}">')
        if ground:
            self.rect(box, ground)
        yield
        if name == self.marked:
            ring = Box(box.x - 2, box.y - 2, box.width + 4, box.height + 4)
            self.rect(ring, "none", edge=MARK, line=3, radius=6)
        self._lines.append("</g>")

    @contextlib.contextmanager
    def part(self, name: str, value: object, *, is_hidden: bool = False) -> Iterator[None]:
        """Group shapes that a page finds by a name of its own, and may show where hidden."""
        self._lines.append(f'<g data-{name}="{value}"{_HIDDEN if is_hidden else ""}>')
        yield
        self._lines.append("</g>")

    def add(self, other: "Sheet") -> None:
        """Lay another sheet on top of this one."""
        self._lines += other._lines

    def svg(self, width: float, height: float, title: str, description: str) -> str:
        """Return the drawing as the text of an SVG file, which is as large as there is room."""
        size = f"{number(width)} {number(height)}"
        look = f'font-family="{FONTS}" font-size="{number(BODY.size)}" fill="{INK}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img" {look}>'
        words = f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>"
        return "\n".join([head, words, *self._lines, "</svg>\n"])


def _stroke(edge: str, line: float) -> str:
    if not edge:
        return ""
    return f' stroke="{edge}"' + ("" if line == 1 else f' stroke-width="{number(line)}"')
