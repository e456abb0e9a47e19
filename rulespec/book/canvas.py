"""What is drawn upon, and the elements that drawings of marks share."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from .scene import Mark, Piece

UNIT = 44
"""The side of a square in pixels."""
INSET = 2.5
"""How far a shape keeps from the sides of its square."""
LIFT = 9
"""How far one level raises a mark."""


@dataclass
class Canvas:
    """Drawn elements and how far they reach."""

    parts: list[str] = field(default_factory=list)
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    empty: bool = True

    def add(self, part: str, x: float, y: float, width: float, height: float) -> None:
        """Put an element on the canvas; the numbers are the box it fills."""
        self.parts.append(part)
        box = (x, y, x + width, y + height)
        now = box if self.empty else (self.left, self.top, self.right, self.bottom)
        self.left, self.top = min(now[0], box[0]), min(now[1], box[1])
        self.right, self.bottom = max(now[2], box[2]), max(now[3], box[3])
        self.empty = False


def num(value: float) -> str:
    """A length in pixels as it is written in SVG."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def toned(mark: Mark | Piece) -> str:
    """The class for the tone of a mark or piece, after others."""
    return f" t{mark.tone}" if mark.tone > 0 else ""


def centre(mark: Mark) -> tuple[float, float]:
    """Where the centre of a mark is drawn, in pixels: raised by its level."""
    return mark.x * UNIT, mark.y * UNIT - mark.level * LIFT


def words(x: float, y: float, text: str, size: float, kind: str = "") -> str:
    """Text centred at a place, made smaller where it would not fit a unit."""
    fits = min(size, 1.55 * UNIT * 0.9 / max(1, len(text)))
    kind = f' class="{kind.strip()}"' if kind.strip() else ""
    return f'<text x="{num(x)}" y="{num(y)}" font-size="{num(fits)}"{kind}>{escape(text)}</text>'


def rect(x: float, y: float, width: float, height: float, kind: str, *round_by: float) -> str:
    """A rectangle from its left upper corner, of a class, perhaps with round corners."""
    corner = "".join(f' rx="{num(radius)}"' for radius in round_by)
    size = f'width="{num(width)}" height="{num(height)}"'
    return f'<rect class="{kind}" x="{num(x)}" y="{num(y)}" {size}{corner}/>'
