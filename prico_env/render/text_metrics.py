"""How wide words are, so that they fit their frames: measuring and breaking lines.

The widths are those of DejaVu Sans, which the package ships for its pixels; a browser that has
another font shows words that are no wider.
"""

import functools
from importlib.resources import as_file, files
from typing import Any, Final, NamedTuple

FONT_FILES: Final = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
"""The letters that come along, regular ones and bold ones."""
_EM: Final = 2048
"""Font units of one letter size."""

_PRESSED: Final = 1.3
"""How much wider than their room words may be that are pressed together."""

_JOINTS: Final = (
    "amt", "behörde", "gebäude", "halle", "haus", "lager", "manufaktur", "markt", "mühle", "palast",
    "posten", "rösterei", "speicher", "wache", "house", "yard",
)  # fmt: skip
"""What a long word may be broken before."""


class Font(NamedTuple):
    """How letters look."""

    size: float
    """Their size."""
    bold: bool = False
    """Whether they are bold."""

    def width(self, words: str) -> float:
        """How wide words are.

        >>> Font(16).width("Corn") < Font(16, True).width("Corn") < Font(16, True).width("Coffee")
        True
        """
        return _units(words, self.bold) * self.size / _EM


@functools.cache
def _font(bold: bool) -> Any:
    from PIL import ImageFont  # only who draws pays for loading this

    with as_file(files("prico_env.render") / "fonts" / FONT_FILES[bold]) as path:
        return ImageFont.truetype(path, _EM, layout_engine=ImageFont.Layout.BASIC)


@functools.cache
def _advance(letter: str, bold: bool) -> int:
    return round(_font(bold).getlength(letter))


@functools.lru_cache(maxsize=4096)
def _units(words: str, bold: bool) -> int:
    return sum(_advance(letter, bold) for letter in words)


@functools.lru_cache(maxsize=4096)
def shortened(words: str, font: Font, room: float) -> str:
    """Cut words that have no room, even pressed together, and say so by three dots.

    >>> shortened("Bartholomew of the Harbour", Font(12), 90)
    'Bartholomew of …'
    """
    room *= _PRESSED
    if font.width(words) <= room:
        return words
    kept = next(end for end in range(len(words), -1, -1) if font.width(words[:end] + " …") <= room)
    return f"{words[:kept].rstrip()} …"


@functools.lru_cache(maxsize=4096)
def lines(words: str, font: Font, room: float) -> tuple[str, ...]:
    """Break words into one line or two, the longer of which is as short as it can be.

    >>> lines("Small Fruit Warehouse", Font(12), 90)
    ('Small Fruit', 'Warehouse')
    >>> lines("Versammlungshalle", Font(12), 90)
    ('Versammlungs-', 'halle')
    """
    if font.width(words) <= room:
        return (words,)
    ways = [
        (words[:place], words[place + 1 :]) for place, mark in enumerate(words) if mark == " "
    ] or [
        (f"{words[:place]}-", words[place:])
        for joint in _JOINTS
        if (place := words.rfind(joint)) > 0
    ]
    if not ways:
        return (words,)
    return min(ways, key=lambda way: max(font.width(line) for line in way))
