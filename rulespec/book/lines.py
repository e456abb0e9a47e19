"""Marks between two places: walls, arrows, lines."""

from __future__ import annotations

from math import hypot

from .canvas import INSET, UNIT, Canvas, centre, num, rect, toned, words
from .scene import Mark


def wall(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A block on a place, or a bar between two neighbours."""
    x, y = centre(mark)
    if mark.to is None:
        side = UNIT - 4 * INSET
        body = rect(x - side / 2, y - side / 2, side, side, "s" + toned(mark), 3)
        body += words(x, y, mark.label, UNIT * 0.42, "i") if mark.label else ""
        canvas.add(body, x - side / 2, y - side / 2, side, side)
        return
    dx, dy = mark.to[0] - mark.x, mark.to[1] - mark.y
    cx, cy = x + dx * UNIT / 2, y + dy * UNIT / 2
    long, thick = UNIT, UNIT * 0.16
    width, height = (thick, long) if abs(dx) >= abs(dy) else (long, thick)
    canvas.add(
        rect(cx - width / 2, cy - height / 2, width, height, "s" + toned(mark), 2),
        cx - width / 2, cy - height / 2, width, height,
    )  # fmt: skip


Point = tuple[float, float]


def arrow(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """An arrow through the places of its course; one that leads nowhere is drawn only if it is refused."""
    places = [(mark.x, mark.y), *mark.via, *([mark.to] if mark.to else [])]
    points = [
        (x * UNIT, y * UNIT)
        for (x, y), before in zip(places, [None, *places], strict=False)
        if (x, y) != before
    ]
    if len(points) == 1:
        if mark.refused:
            refusal(canvas, points[0][0] + UNIT * 0.34, points[0][1] - UNIT * 0.34)
        return
    kind = "a y" if mark.refused else "a" + toned(mark)
    head = _head(points, UNIT * (0.44 if mark.taken else 0.05))
    points[-1] = head[1]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    body = f'<path class="{kind}" d="{_path(points)}{"" if mark.refused else _path(head)}"/>'
    canvas.add(body, min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    if mark.refused:
        refusal(canvas, xs[-1], ys[-1])


def _head(course: list[Point], back: float) -> list[Point]:
    """The head of an arrow, its tip in the middle, that far before the end of its course."""
    (x, y), (ex, ey) = course[-2:]
    length = hypot(ex - x, ey - y)
    ux, uy = (ex - x) / length, (ey - y) / length
    tx, ty = ex - ux * back, ey - uy * back
    long, wide = UNIT * 0.2, UNIT * 0.14
    bx, by = tx - ux * long, ty - uy * long
    return [(bx - uy * wide, by + ux * wide), (tx, ty), (bx + uy * wide, by - ux * wide)]


def _path(points: list[Point]) -> str:
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)


def refusal(canvas: Canvas, x: float, y: float) -> None:
    """The sign of what is refused."""
    size, arm = UNIT * 0.17, UNIT * 0.075
    cross = _path([(x - arm, y - arm), (x + arm, y + arm)]) + _path([(x - arm, y + arm), (x + arm, y - arm)])
    body = f'<circle class="z" cx="{num(x)}" cy="{num(y)}" r="{num(size)}"/><path class="z" d="{cross}"/>'
    canvas.add(body, x - size, y - size, 2 * size, 2 * size)


def line(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """A plain stroke from one place to another."""
    if mark.to is None:
        return
    x, y, ex, ey = mark.x * UNIT, mark.y * UNIT, mark.to[0] * UNIT, mark.to[1] * UNIT
    body = f'<path class="a b{toned(mark)}" d="M{num(x)} {num(y)}L{num(ex)} {num(ey)}"/>'
    canvas.add(body, min(x, ex), min(y, ey), abs(ex - x), abs(ey - y))
