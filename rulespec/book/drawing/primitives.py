"""The elements of drawings, and the few functions that their formulas call.

`rulespec/browser/js/primitives.js` has the same ones for the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from math import floor, sqrt

from .scene import Mark

Point = Sequence[float]


def number(value: float) -> str:
    """A length in pixels in SVG notation: rounded to a tenth, halves up, without needless zeros."""
    tenths = floor(value * 10 + 0.5)
    whole, part = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{part}' if part else ''}"


def text_of(value: float | str) -> str:
    """A value in the f-string of a formula."""
    return value if isinstance(value, str) else number(value)


def _look(classes: str) -> str:
    return f' class="{classes.strip()}"' if classes.strip() else ""


def rect(x: float, y: float, width: float, height: float, look: str, radius: float | None = None) -> str:
    """A rectangle given by its upper left corner, optionally with round corners; `look` has its classes."""
    corner = "" if radius is None else f' rx="{number(radius)}"'
    size = f'width="{number(width)}" height="{number(height)}"'
    return f'<rect{_look(look)} x="{number(x)}" y="{number(y)}" {size}{corner}/>'


def circle(x: float, y: float, radius: float, look: str) -> str:
    """A circle around a place."""
    return f'<circle{_look(look)} cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'


def path(d: str, look: str) -> str:
    """A path."""
    return f'<path{_look(look)} d="{d}"/>'


def text(x: float, y: float, words: str, look: str, size: float | None = None) -> str:
    """A text at a place, in this size or that of its classes."""
    font = "" if size is None else f' font-size="{number(size)}"'
    return f'<text{_look(look)} x="{number(x)}" y="{number(y)}"{font}>{escape(words)}</text>'


def use(symbol: str, x: float, y: float, look: str) -> str:
    """A symbol of `symbols.SYMBOLS` at a place."""
    return f'<use{_look(look)} href="#rs-{symbol}" x="{number(x)}" y="{number(y)}"/>'


def join(texts: Iterable[str], between: str = "") -> str:
    """Texts joined with `between`."""
    return between.join(texts)


def total(lengths: Iterable[float]) -> float:
    """The sum of lengths, added one by one because `sum` corrects rounding errors from Python 3.12 on."""
    result = 0.0
    for length in lengths:
        result += length
    return result


def is_at(group: Iterable[Mark], x: float, y: float) -> bool:
    """True if one of these marks has this place."""
    return any(mark.x == x and mark.y == y for mark in group)


def course(mark: Mark, unit: float) -> list[Point]:
    """The places on the path of an arrow, in pixels, without repetitions."""
    places = [(mark.x, mark.y), *mark.via, *([mark.to] if mark.to else [])]
    points = [(x * unit, y * unit) for x, y in places]
    return [point for i, point in enumerate(points) if not i or points[i - 1] != point]


def along(points: Sequence[Point], distance: float) -> Point:
    """The point at a distance from the first point of a path."""
    for a, b in pairwise(points):
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = sqrt(dx * dx + dy * dy)
        if length >= distance:
            return a[0] + dx * distance / length, a[1] + dy * distance / length
        distance -= length
    return points[-1]


CALLABLE = {
    function.__name__: function
    for function in (
        rect,
        circle,
        path,
        text,
        use,
        join,
        total,
        is_at,
        course,
        along,
        sqrt,
        abs,
        min,
        max,
        len,
        range,
    )
}
"""Every function that a formula may call, by name."""
