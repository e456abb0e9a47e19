"""Marks between two places: walls, arrows, lines."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

from .canvas import INSET, UNIT, Canvas, centre, num, path, rect, toned, words
from .scene import Mark
from .signs import refusal

Point = tuple[float, float]


def wall(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A block on a place, or a bar between two neighbours."""
    x, y = centre(mark)
    if mark.to is None:
        side = UNIT - 4 * INSET
        body = rect(x - side / 2, y - side / 2, side, side, "s" + toned(mark), 3)
        body += words(x, y, mark.label, UNIT * 0.42, f"i{toned(mark)}") if mark.label else ""
        canvas.add(body, x - side / 2, y - side / 2, side, side)
        return
    dx, dy = mark.to[0] - mark.x, mark.to[1] - mark.y
    cx, cy = x + dx * UNIT / 2, y + dy * UNIT / 2
    long, thick = UNIT, UNIT * 0.2
    width, height = (thick, long) if abs(dx) >= abs(dy) else (long, thick)
    body = rect(cx - width / 2, cy - height / 2, width, height, "s" + toned(mark), 2.5)
    if mark.label:
        body += words(cx, cy, mark.label, thick, f"i{toned(mark)}", thick)
    canvas.add(body, cx - width / 2, cy - height / 2, width, height)


def course(mark: Mark) -> list[Point]:
    """The points of an arrow in pixels, those that repeat the one before left out."""
    points: list[Point] = []
    for x, y in [(mark.x, mark.y), *mark.via, *([mark.to] if mark.to else [])]:
        if not points or points[-1] != (x * UNIT, y * UNIT):
            points.append((x * UNIT, y * UNIT))
    return points


def arrow(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """An arrow through the places of its course; one that leads nowhere is drawn only if it is refused."""
    points = course(mark)
    if len(points) == 1:
        if mark.refused:
            refusal(canvas, points[0][0] + UNIT * 0.34, points[0][1] - UNIT * 0.34)
        return
    head = _head(points, UNIT * (0.44 if mark.taken else 0.05))
    points[-1] = head[1]
    xs, ys = [x for x, _ in (*points, *head)], [y for _, y in (*points, *head)]
    d = _path(points)
    if mark.refused:
        body = path(d, "a y")
    else:
        d += _path(head)
        body = path(d, "aa" if mark.tone else "aa ap") + path(d, "a" + toned(mark))
    canvas.add(body, min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    if mark.refused:
        refusal(canvas, *points[-1])


def _head(points: list[Point], back: float) -> list[Point]:
    """The head of an arrow, its tip in the middle, that far before the end of its course."""
    (x, y), (ex, ey) = points[-2:]
    length = _length((x, y), (ex, ey))
    ux, uy = (ex - x) / length, (ey - y) / length
    tx, ty = ex - ux * back, ey - uy * back
    long, wide = UNIT * 0.2, UNIT * 0.15
    bx, by = tx - ux * long, ty - uy * long
    return [(bx - uy * wide, by + ux * wide), (tx, ty), (bx + uy * wide, by - ux * wide)]


def _length(a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    return sqrt(dx * dx + dy * dy)


SHORT = 1.5 * UNIT
"""An arrow shorter than this has its number beside it."""


def number_place(points: list[Point]) -> Point:
    """The place of the number of an arrow: in the middle of its way, or beside the middle of a short one."""
    whole = _whole(points)
    x, y = _halfway(points, whole / 2)
    if whole > SHORT:
        return x, y
    (ax, ay), (bx, by) = points[0], points[-1]
    along = max(_length((ax, ay), (bx, by)), 1.0)
    return x - (by - ay) / along * UNIT * 0.36, y + (bx - ax) / along * UNIT * 0.36


def _whole(points: list[Point]) -> float:
    """The length of a way, added up one by one: `sum` of floats corrects itself from Python 3.12 on."""
    length = 0.0
    for a, b in pairwise(points):
        length += _length(a, b)
    return length


def _halfway(points: list[Point], half: float) -> Point:
    left = half
    for a, b in pairwise(points):
        length = _length(a, b)
        if length >= left:
            return a[0] + (b[0] - a[0]) * left / length, a[1] + (b[1] - a[1]) * left / length
        left -= length
    return points[-1]


def _path(points: list[Point]) -> str:
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)


def line_of(mark: Mark) -> str:
    """The path of a plain stroke from one place to another; empty without the other."""
    return (
        ""
        if mark.to is None
        else _path([(mark.x * UNIT, mark.y * UNIT), (mark.to[0] * UNIT, mark.to[1] * UNIT)])
    )


def line(canvas: Canvas, marks: list[Mark]) -> None:
    """Plain strokes of one colour."""
    for mark in marks:
        for x, y in [(mark.x, mark.y), *([mark.to] if mark.to else [])]:
            canvas.reach((x * UNIT, y * UNIT, x * UNIT, y * UNIT))
    d = "".join(map(line_of, marks))
    if d:
        canvas.parts.append(path(d, "a j" + toned(marks[0])))
