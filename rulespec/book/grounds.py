"""Squares and hexagons of a board: plain ones of one colour as one path, raised ones with a front side."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from .canvas import INSET, LIFT, UNIT, Canvas, centre, dashed, num, path, rect, toned
from .faces import face, shade
from .scene import Mark

WIDE, HIGH = UNIT / 2, UNIT / sqrt(3)
"""Half the width and half the height of a hexagon."""


def kind_of(mark: Mark) -> str:
    """The class of a square or hexagon: its tone, or the shade of its level."""
    return ("q" if mark.level > 0 else "g") + shade(mark) + toned(mark)


def is_plain(mark: Mark) -> bool:
    """True if a mark may be drawn in one path with others of its class."""
    whole = mark.kind in ("square", "hexagon") and mark.size == 1.0 and mark.to is None
    return whole and mark.level == 0 and "outline" not in mark.looks and not mark.option


def joined(canvas: Canvas, marks: list[Mark]) -> None:
    """Plain squares or hexagons of one class, and their faces above them."""
    d = []
    for mark in marks:
        x, y = centre(mark)
        if mark.kind == "square":
            d.append(f"M{num(x - UNIT / 2)} {num(y - UNIT / 2)}h{UNIT}v{UNIT}h-{UNIT}z")
            canvas.reach((x - UNIT / 2, y - UNIT / 2, x + UNIT / 2, y + UNIT / 2))
        else:
            d.append(_six(x, y))
            canvas.reach((x - WIDE, y - HIGH, x + WIDE, y + HIGH))
    canvas.parts.append(path("".join(d), kind_of(marks[0])))
    canvas.parts += [text for mark in marks if (text := face(mark, *centre(mark), ()))]


def _six(x: float, y: float) -> str:
    across, half, side = num(WIDE), num(HIGH / 2), num(HIGH)
    right, left = f"l{across} {half}v{side}l-{across} {half}", f"l-{across} -{half}v-{side}z"
    return f"M{num(x)} {num(y - HIGH)}{right}{left}"


def square(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A square of the board, of any size, perhaps raised; or an outline."""
    if "outline" in mark.looks:
        outline(canvas, mark, under)
        return
    x, y = centre(mark)
    side = UNIT * mark.size
    left, top = x - side / 2, y - side / 2
    lift = LIFT if mark.level > 0 else 0
    raised = rect(left, top, side, side + lift, "e") if lift else ""
    box = rect(left, top, side, side, kind_of(mark))
    canvas.add(raised + box + face(mark, x, y, under), left, top, side, side + lift)


def outline(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """The outline of a square, or of the box from one square to another."""
    left, top, width, height = reach(mark)
    x, y = left + width / 2, top + height / 2
    box = dashed(left + INSET, top + INSET, width - 2 * INSET, height - 2 * INSET)
    canvas.add(box + face(mark, x, y, under), left, top, width, height)


def highlight(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A tinted box with a firm edge around a place, or from one place to another."""
    left, top, width, height = reach(mark)
    body = rect(left + 2, top + 2, width - 4, height - 4, "hl" + toned(mark), 5)
    canvas.add(body, left, top, width, height)


def reach(mark: Mark) -> tuple[float, float, float, float]:
    """The box that a mark from one place to another fills: left, top, width, height."""
    x, y = centre(mark)
    to_x, to_y = mark.to or (mark.x, mark.y)
    dx, dy = (to_x - mark.x) * UNIT, (to_y - mark.y) * UNIT
    side = UNIT * mark.size
    return min(x, x + dx) - side / 2, min(y, y + dy) - side / 2, side + abs(dx), side + abs(dy)


def hexagon(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A hexagon of the board, perhaps raised; or an outline."""
    x, y = centre(mark)
    hollow = "outline" in mark.looks
    lift = LIFT if mark.level > 0 and not hollow else 0
    raised = path(_six(x, y + lift), "e") if lift else ""
    body = raised + path(_six(x, y), "o" if hollow else kind_of(mark)) + face(mark, x, y, under)
    canvas.add(body, x - WIDE, y - HIGH, 2 * WIDE, 2 * HIGH + lift)


def rim(marks: Iterable[Mark]) -> str:
    """The outer edge of the squares of a board, as one path; empty if there are none."""
    cells = {(m.x, m.y) for m in marks if m.kind == "square" and is_plain(m)}
    sides: list[str] = []
    for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        edge = {(x, y) for x, y in cells if (x + dx, y + dy) not in cells}
        along = (1, 0) if dx == 0 else (0, 1)
        for x, y in sorted(edge, key=lambda c: (c[1], c[0])):
            if (x - along[0], y - along[1]) in edge:
                continue
            length = 1
            while (x + along[0] * length, y + along[1] * length) in edge:
                length += 1
            left = x * UNIT + (UNIT / 2 if dx > 0 else -UNIT / 2)
            top = y * UNIT + (UNIT / 2 if dy > 0 else -UNIT / 2)
            sides.append(f"M{num(left)} {num(top)}{'h' if along[0] else 'v'}{num(length * UNIT)}")
    return path("".join(sides), "fr") if sides else ""
