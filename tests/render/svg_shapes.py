"""A drawing taken apart: its shapes in the order in which they are painted, and where they are."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import NamedTuple

from prico_env.render.text_metrics import Font

SVG = "{http://www.w3.org/2000/svg}"
_STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_FIGURE = re.compile(r"-?\d*\.?\d+")


class Shape(NamedTuple):
    """Something that is painted."""

    kind: str
    """The name of its element."""
    fill: str
    """The colour inside, ``none`` without one."""
    stroke: str
    """The colour of its edge, empty without one."""
    parts: tuple[tuple[float, float, float, float], ...]
    """Left, top, right and bottom of each part of it."""
    words: str
    """What it says."""
    size: float
    """The size of its letters."""

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies on it."""
        return self.fill != "none" and any(
            left <= x <= right and top <= y <= bottom for left, top, right, bottom in self.parts
        )

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its first part."""
        left, top, right, bottom = self.parts[0]
        return (left + right) / 2, (top + bottom) / 2


def without_hidden(svg: str) -> ET.Element:
    """The drawing as it is seen before anything hidden is asked for."""
    root = ET.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.get("display") == "none":
                parent.remove(child)
    return root


def hidden_parts(svg: str) -> list[ET.Element]:
    """What a page may show when it is asked for."""
    return [one for one in ET.fromstring(svg).iter(f"{SVG}g") if one.get("display") == "none"]


def shapes(root: ET.Element, ink: str) -> Iterator[Shape]:
    """Everything painted, from the bottom to the top."""
    for element in root.iter():
        kind = element.tag.removeprefix(SVG)
        parts = _PARTS.get(kind)
        if parts:
            yield Shape(
                kind,
                element.get("fill", ink),
                element.get("stroke", ""),
                parts(element),
                element.text or "",
                float(element.get("font-size", 12)),
            )


def _figures(element: ET.Element, *names: str) -> list[float]:
    return [float(element.get(name, "0")) for name in names]


def _rect(element: ET.Element) -> tuple[tuple[float, float, float, float], ...]:
    x, y, wide, high = _figures(element, "x", "y", "width", "height")
    return ((x, y, x + wide, y + high),)


def _circle(element: ET.Element) -> tuple[tuple[float, float, float, float], ...]:
    x, y, radius = _figures(element, "cx", "cy", "r")
    return ((x - radius, y - radius, x + radius, y + radius),)


def _text(element: ET.Element) -> tuple[tuple[float, float, float, float], ...]:
    x, y = _figures(element, "x", "y")
    size = float(element.get("font-size", 12))
    wide = Font(size, element.get("font-weight") == "bold").width(element.text or "")
    wide = float(element.get("textLength", wide))
    left = x - {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor", "start")] * wide
    return ((left, y - 0.73 * size, left + wide, y),)


def _path(element: ET.Element) -> tuple[tuple[float, float, float, float], ...]:
    """Each part of a path; where it is bent, as far as its control points reach."""
    found = []
    x = y = 0.0
    points: list[tuple[float, float]] = []
    for step, text in _STEP.findall(element.get("d", "")):
        figures = [float(one) for one in _FIGURE.findall(text)]
        if step == "M":
            if points:
                found.append(points)
            x, y = figures
            points = [(x, y)]
        elif step in "hv":
            for figure in figures:
                x, y = (x + figure, y) if step == "h" else (x, y + figure)
                points.append((x, y))
        else:
            size = {"l": 2, "m": 2, "c": 6, "a": 7}.get(step, 2)
            for at in range(0, len(figures) - size + 1, size):
                group = figures[at : at + size]
                if step == "c":
                    points += [(x + group[0], y + group[1]), (x + group[2], y + group[3])]
                x, y = x + group[-2], y + group[-1]
                points.append((x, y))
    found.append(points)
    return tuple(
        (
            min(x for x, _ in part), min(y for _, y in part),
            max(x for x, _ in part), max(y for _, y in part),
        )
        for part in found
    )  # fmt: skip


_PARTS = {"rect": _rect, "circle": _circle, "path": _path, "text": _text}
