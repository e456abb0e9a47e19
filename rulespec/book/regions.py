"""Squares that belong to one tile: connected regions, with their boxes and seams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Cell = tuple[float, float]
"""The centre of a unit square."""

SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


def regions(names: Mapping[Cell, str]) -> list[list[Cell]]:
    """The connected regions of squares of one name, each in the order of the mapping."""
    found: list[list[Cell]] = []
    taken: set[Cell] = set()
    for start in names:
        if start in taken:
            continue
        reached, waiting = {start}, [start]
        while waiting:
            x, y = waiting.pop()
            for dx, dy in SIDES:
                beside = (x + dx, y + dy)
                if beside not in reached and names.get(beside) == names[start]:
                    reached.add(beside)
                    waiting.append(beside)
        taken |= reached
        found.append([cell for cell in names if cell in reached])
    return found


Box = tuple[float, float, float, float]


def rectangles(cells: Iterable[Cell], inset: float) -> tuple[list[Box], list[Box]]:
    """The boxes (left, top, width, height) that cover a region, and the seams (ends) between its squares.

    A region that fills its rectangle is one box; any other has a box for each square, drawn in by
    `inset` on its free sides only.
    """
    squares = list(cells)
    inside = set(squares)
    seams: list[Box] = []
    for x, y in squares:
        if (x + 1, y) in inside:
            seams.append((x + 0.5, y - 0.5 + 3 * inset, x + 0.5, y + 0.5 - 3 * inset))
        if (x, y + 1) in inside:
            seams.append((x - 0.5 + 3 * inset, y + 0.5, x + 0.5 - 3 * inset, y + 0.5))
    left, top = min(x for x, _ in squares) - 0.5, min(y for _, y in squares) - 0.5
    wide, high = max(x for x, _ in squares) + 0.5 - left, max(y for _, y in squares) + 0.5 - top
    if round(wide * high) == len(inside):
        return [(left + inset, top + inset, wide - 2 * inset, high - 2 * inset)], seams
    boxes: list[Box] = []
    for x, y in squares:
        west, east = (0.0 if (x - 1, y) in inside else inset), (0.0 if (x + 1, y) in inside else inset)
        north, south = (0.0 if (x, y - 1) in inside else inset), (0.0 if (x, y + 1) in inside else inset)
        boxes.append((x - 0.5 + west, y - 0.5 + north, 1 - west - east, 1 - north - south))
    return boxes, seams
