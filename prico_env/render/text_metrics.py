"""How wide words are, so that they fit their frames: measuring and breaking lines.

The widths are those of DejaVu Sans, which the package ships for its pixels; a browser that has
another font shows words that are no wider.
"""

import functools
from typing import Final, NamedTuple

_EM: Final = 2048
"""Font units of one letter size."""

_REGULAR: Final = {
    563: "'", 569: "ijlìíîï", 604: "IJÌÍÎÏ", 651: " ,.·’", 690: "/:;\\|¦", 721: "f", 739: "-",
    799: "()[]", 803: "t", 821: "!¡²³¹", 842: "r", 942: "\"", 965: "ªº", 1024: "*_`§¨¯°´¸–",
    1067: "s", 1075: "z", 1087: "?¿", 1126: "cç", 1141: "L", 1178: "F", 1186: "k", 1212: "vxyýÿ",
    1235: "P", 1239: "Þ", 1251: "TYÝ", 1253: "o«»ðòóôõöø", 1255: "aàáâãäå", 1260: "eèéêë",
    1290: "ß", 1294: "EÈÉÊË", 1298: "hnuñùúûü", 1300: "Sbdgpqþ", 1303: "$0123456789{}¢£¤¥µ¶",
    1343: "K", 1401: "AVÀÁÂÃÄÅ", 1403: "XZ", 1405: "B", 1423: "R", 1430: "CÇ", 1499: "UÙÚÛÜ",
    1532: "NÑ", 1540: "H", 1577: "D", 1587: "GÐ", 1597: "&", 1612: "OQÒÓÔÕÖØ", 1675: "w",
    1716: "#+<=>^~¬±×÷", 1767: "M", 1946: "%", 1985: "¼½¾", 1995: "mÆ", 2011: "æ", 2025: "W",
    2048: "@©®…",
}  # fmt: skip
_BOLD: Final = {
    627: "'", 702: "ijlìíîï", 713: " ", 748: "/\\|¦", 762: "IJÌÍÎÏ", 778: ",.·’", 819: ":;",
    850: "-", 891: "f", 897: "²³¹", 934: "!¡", 936: "()[]", 979: "t", 1010: "r", 1024: "_`§¨¯°´¸–",
    1067: "\"", 1071: "*", 1155: "ªº", 1188: "?¿", 1192: "z", 1214: "cç", 1219: "s", 1303: "¤¶",
    1305: "L", 1321: "x", 1323: "«»", 1335: "vyýÿ", 1362: "k", 1382: "aàáâãäå", 1389: "eèéêë",
    1397: "T", 1399: "EFÈÉÊË", 1407: "oðòóôõöø", 1425: "$0123456789¢£¥", 1458: "hnu{}ñùúûü",
    1466: "bdgpqþ", 1473: "ß", 1475: "S", 1483: "YÝ", 1485: "Z", 1501: "P", 1503: "CÇ", 1507: "µ",
    1511: "Þ", 1561: "B", 1577: "R", 1579: "X", 1585: "AVÀÁÂÃÄÅ", 1587: "K", 1663: "UÙÚÛÜ",
    1681: "G", 1700: "D", 1714: "HNÑ", 1716: "#+<=>^~¬±Ð×÷", 1741: "OQÒÓÔÕÖØ", 1786: "&",
    1892: "w", 2038: "M", 2048: "@©®…", 2052: "%", 2120: "¼½¾", 2134: "m", 2146: "æ", 2222: "Æ",
    2259: "W",
}  # fmt: skip
"""Letters by their advance in font units, regular ones and bold ones."""
_WIDEST: Final = 2048
"""What we count for a letter that is not in the tables."""


def _by_letter(table: dict[int, str]) -> dict[str, int]:
    return {letter: advance for advance, letters in table.items() for letter in letters}


_ADVANCES: Final = (_by_letter(_REGULAR), _by_letter(_BOLD))

LETTERS: Final = frozenset(_ADVANCES[False])
"""The letters whose width is known; the font that comes with the package has all of them."""

_JOINTS: Final = (
    "amt", "behörde", "gebäude", "halle", "haus", "lager", "markt", "mühle", "palast", "posten",
    "rösterei", "speicher", "wache", "house", "yard",
)  # fmt: skip
"""What a long word may be broken before."""


class Font(NamedTuple):
    """How letters look.

    Attributes:
        size: Their size.
        bold: Whether they are bold.
    """

    size: float
    bold: bool = False

    def width(self, words: str) -> float:
        """How wide words are.

        >>> Font(16).width("Corn") < Font(16, True).width("Corn") < Font(16, True).width("Coffee")
        True
        """
        return _units(words, self.bold) * self.size / _EM


@functools.lru_cache(maxsize=4096)
def _units(words: str, bold: bool) -> int:
    advances = _ADVANCES[bold]
    return sum(advances.get(letter, _WIDEST) for letter in words)


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
