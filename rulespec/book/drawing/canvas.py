"""A canvas to draw upon: elements, the box that they fill, and a flow of boxes from left to right."""

from __future__ import annotations

from dataclasses import dataclass, field

from .table import Box


@dataclass
class Canvas:
    """Drawn elements and their box: left, top, right, bottom in pixels."""

    parts: list[str] = field(default_factory=list)
    box: tuple[float, float, float, float] | None = None
    signs: list[tuple[float, float]] = field(default_factory=list)
    """The places of signs, which nothing should cover."""

    def add(self, part: str, box: Box | None) -> None:
        """Add elements to the canvas, and extend it by their box, if any."""
        self.parts.append(part)
        if box:
            left, top, width, height = box
            self.reach((left, top, left + width, top + height))

    def reach(self, box: tuple[float, float, float, float] | None) -> None:
        """Extend the canvas to include a box."""
        if box:
            now = self.box or box
            low, high = map(min, now[:2], box[:2]), map(max, now[2:], box[2:])
            self.box = (*low, *high)  # type: ignore[assignment]


class Flow:
    """Boxes placed side by side, with a new row if one would pass `right`."""

    def __init__(self, left: float, top: float, right: float, gap: float = 0) -> None:
        self.left, self.right, self.gap = left, right, gap
        self.x, self.top, self.high = left, top, 0.0

    def place(self, width: float, height: float, step: float, is_fresh: bool = False) -> tuple[float, float]:
        """The upper left corner of the next box; the following box is a `step` further or in a new row."""
        if is_fresh or (self.x > self.left and self.x + width > self.right):
            self.x, self.top, self.high = self.left, self.top + self.high + self.gap, 0.0
        corner = self.x, self.top
        self.x, self.high = self.x + step, max(self.high, height)
        return corner
