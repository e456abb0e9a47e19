"""Tiles: dominoes and larger shapes on a board, in piles, and those that an action would lay (ghosts)."""

from __future__ import annotations

from collections.abc import Mapping

from .canvas import INSET, LIFT, UNIT, Canvas, centre, dashed, num, path, rect, toned, use
from .faces import face, shade
from .regions import Cell, rectangles
from .scene import Mark


def cell(mark: Mark) -> Cell:
    """The place of a mark on the board."""
    return (mark.x, mark.y)


def tile(canvas: Canvas, group: list[Mark], covered: Mapping[Mark, tuple[str, ...]]) -> None:
    """The squares of one tile with their faces."""
    first = group[0]
    ghost = "ghost" in first.looks
    up, lift = first.level * LIFT, LIFT if first.level > 0 and not ghost else 0
    kind = "f" + shade(first) + toned(first)
    domino = _domino(group)
    if domino is not None:
        symbol, x, y = domino
        canvas.parts.append(use(symbol + ("l" if lift else ""), x * UNIT, y * UNIT - up, kind))
    else:
        _crooked(canvas, group, kind, up, lift)
    for mark in group:
        x, y = centre(mark)
        text = face(mark, x, y, covered.get(mark, ()), "fi")
        canvas.add(text, x - UNIT / 2, y - UNIT / 2, UNIT, UNIT + lift)


def _domino(group: list[Mark]) -> tuple[str, float, float] | None:
    """The symbol of a tile of two squares and its centre; None for any other tile."""
    if len(group) != 2:
        return None
    (ax, ay), (bx, by) = map(cell, group)
    return ("dx" if ay == by else "dy"), (ax + bx) / 2, (ay + by) / 2


def _crooked(canvas: Canvas, group: list[Mark], kind: str, up: float, lift: float) -> None:
    """A tile of any shape: its boxes drawn fat, with the faces over the inner lines."""
    boxes, seams = rectangles(map(cell, group), INSET / UNIT)
    round_by = [6.0] if len(boxes) == 1 else []
    drawn = [(a * UNIT, b * UNIT - up, w * UNIT, h * UNIT) for a, b, w, h in boxes]
    canvas.parts += [rect(a, b, w, h + lift - INSET, "e", *round_by) for a, b, w, h in drawn if lift]
    canvas.parts += [rect(a, b, w, h, kind, *round_by) for a, b, w, h in drawn]
    if len(drawn) > 1:
        canvas.parts += [rect(a, b, w, h, kind + " l") for a, b, w, h in drawn]
    d = "".join(
        f"M{num(a * UNIT)} {num(b * UNIT - up)}L{num(c * UNIT)} {num(d * UNIT - up)}" for a, b, c, d in seams
    )
    if d:
        canvas.parts.append(path(d, "d"))


def slim(canvas: Canvas, left: float, top: float, width: float, height: float, rank: int) -> None:
    """The outline of an option that lies on others: so much narrower that all of them are seen."""
    inset = INSET + 4 * rank
    body = dashed(left + inset, top + inset, width - 2 * inset, height - 2 * inset)
    canvas.add(body, left, top, width, height)


def box_of(group: list[Mark]) -> tuple[float, float, float, float]:
    """The box that marks of one unit fill: left, top, width, height."""
    places = [centre(mark) for mark in group]
    left, top = min(x for x, _ in places) - UNIT / 2, min(y for _, y in places) - UNIT / 2
    right, bottom = max(x for x, _ in places) + UNIT / 2, max(y for _, y in places) + UNIT / 2
    return left, top, right - left, bottom - top
