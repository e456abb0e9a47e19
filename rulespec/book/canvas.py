"""A canvas to draw upon, and the elements that drawings of marks share.

All numbers are pixels. Nothing here depends on more than additions, products and square roots of doubles, and
`num` rounds by a rule of its own, so that a drawer in another language writes the same text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from math import floor

from .scene import Mark, Piece

UNIT = 44
"""The side of a square in pixels."""
INSET = 2.5
"""The distance of a shape from the sides of its square, in pixels."""
LIFT = 9
"""The height of one level, in pixels."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass
class Canvas:
    """Drawn elements and their box."""

    parts: list[str] = field(default_factory=list)
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    empty: bool = True
    signs: list[tuple[float, float]] = field(default_factory=list)
    """The places of signs, which nothing should cover."""

    def add(self, part: str, x: float, y: float, width: float, height: float) -> None:
        """Put an element on the canvas; the numbers are the box it fills."""
        self.parts.append(part)
        self.reach((x, y, x + width, y + height))

    def reach(self, box: Box) -> None:
        """Let the canvas reach at least so far."""
        now = box if self.empty else self.box
        self.left, self.top = min(now[0], box[0]), min(now[1], box[1])
        self.right, self.bottom = max(now[2], box[2]), max(now[3], box[3])
        self.empty = False

    @property
    def box(self) -> Box:
        """The box of all elements, in pixels."""
        return self.left, self.top, self.right, self.bottom


def num(value: float) -> str:
    """A length in pixels as it is written in SVG: rounded to a tenth, halves up, without needless zeros."""
    tenths = floor(value * 10 + 0.5)
    whole, part = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{part}' if part else ''}"


def toned(mark: Mark | Piece) -> str:
    """The class for the tone of a mark or piece, after others."""
    return f" t{mark.tone}" if mark.tone > 0 else ""


def centre(mark: Mark) -> tuple[float, float]:
    """The centre of a mark in pixels, raised by its level."""
    return mark.x * UNIT, mark.y * UNIT - mark.level * LIFT


def fitted(text: str, size: float, width: float = 1.4 * UNIT) -> float:
    """The size at which text fits a width, at most `size`."""
    return min(size, width / max(1, len(text)))


def words(x: float, y: float, text: str, size: float, kind: str = "", width: float = 1.4 * UNIT) -> str:
    """Text centred at a place, made smaller where it would not fit a width (see `fitted`)."""
    kind = f' class="{kind.strip()}"' if kind.strip() else ""
    place = f'x="{num(x)}" y="{num(y)}" font-size="{num(fitted(text, size, width))}"'
    return f"<text {place}{kind}>{escape(text)}</text>"


def rect(x: float, y: float, width: float, height: float, kind: str, *round_by: float) -> str:
    """A rectangle from its left upper corner, of a class, perhaps with round corners."""
    corner = "".join(f' rx="{num(radius)}"' for radius in round_by)
    size = f'width="{num(width)}" height="{num(height)}"'
    return f'<rect class="{kind}" x="{num(x)}" y="{num(y)}" {size}{corner}/>'


def dashed(x: float, y: float, width: float, height: float) -> str:
    """A dashed box, over a band that makes it visible on light and dark things alike."""
    return rect(x, y, width, height, "oo", 4) + rect(x, y, width, height, "o", 4)


def circle(x: float, y: float, radius: float, kind: str) -> str:
    """A circle of a class."""
    return f'<circle class="{kind}" cx="{num(x)}" cy="{num(y)}" r="{num(radius)}"/>'


def path(d: str, kind: str) -> str:
    """A path of a class."""
    return f'<path class="{kind}" d="{d}"/>'


def use(symbol: str, x: float, y: float, kind: str = "") -> str:
    """A symbol of `symbols.SYMBOLS` at a place."""
    kind = f' class="{kind.strip()}"' if kind.strip() else ""
    return f'<use{kind} href="#rs-{symbol}" x="{num(x)}" y="{num(y)}"/>'
