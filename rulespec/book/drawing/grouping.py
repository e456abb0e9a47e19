"""Marks drawn as one: the squares of a tile, plain squares in a row; and the edge of a board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from .primitives import number, path
from .scene import Mark
from .table import UNIT, together

Cell = tuple[float, float]
"""The centre of a unit square."""

SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))


def groups(marks: Iterable[Mark]) -> Iterable[list[Mark]]:
    """The marks in drawing groups: those of a tile together, and equal neighbours together."""
    gathered: list[list[Mark]] = []
    tiles: dict[tuple[int, int, int], list[Mark]] = {}
    for mark in marks:
        group = [mark]
        if mark.kind == "tile" and mark.joins is not None:
            group = tiles.setdefault((mark.layer, mark.level, mark.option), [])
            group.append(mark)
        if len(group) == 1:
            gathered.append(group)
    split: list[list[Mark]] = []
    for group in gathered:
        squares = {(m.x, m.y): m for m in group}
        names = {cell: mark.joins for cell, mark in squares.items()}
        parts = ([squares[cell] for cell in region] for region in regions(names))
        split += [group] if len(group) == 1 else parts
    for key, row in groupby(split, key=_key):
        listed = [*row]
        yield from [[mark for group in listed for mark in group]] if key else listed


def _key(group: list[Mark]) -> tuple[object, ...]:
    """A key, equal for groups that may be drawn as one; empty for all others."""
    mark = group[0]
    return (mark.kind, like, mark.new) if len(group) == 1 and (like := together(mark)) else ()


def regions(names: Mapping[Cell, str | None]) -> list[list[Cell]]:
    """The connected regions of squares with the same name, each in the order of the mapping."""
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
                if beside not in reached and beside in names and names[beside] == names[start]:
                    reached.add(beside)
                    waiting.append(beside)
        taken |= reached
        found.append([cell for cell in names if cell in reached])
    return found


def with_corners(board: Sequence[Mark]) -> list[Mark]:
    """The marks, lowest first; where a labelled mark covers others, their labels go into its corner."""
    piles: dict[tuple[int, Cell], list[int]] = {}
    for i, mark in enumerate(board):
        if mark.label and not mark.option:
            piles.setdefault((mark.layer, (mark.x, mark.y)), []).append(i)
    marks = [*board]
    for pile in piles.values():
        *under, top = (board[i] for i in pile)
        if not top.corner and any(a.level < b.level for a, b in pairwise([*under, top])):
            marks[pile[-1]] = replace(top, corner=" ".join(mark.label for mark in under))
    return marks


def is_ground(mark: Mark) -> bool:
    """True if a mark is a plain square, which the edge of the board encloses."""
    return mark.kind == "square" and bool(together(mark))


def edge(marks: Iterable[Mark]) -> str:
    """The outer edge of the plain squares of a board, as one SVG path; empty if there are none."""
    cells = {(m.x, m.y): None for m in sorted(filter(is_ground, marks), key=lambda m: (m.y, m.x))}
    sides: list[str] = []
    for dx, dy in SIDES:
        free = {(x, y): None for x, y in cells if (x + dx, y + dy) not in cells}
        along, line = ((1, 0), "h") if dy else ((0, 1), "v")
        for x, y in free:
            if (x - along[0], y - along[1]) in free:
                continue
            length = 1
            while (x + along[0] * length, y + along[1] * length) in free:
                length += 1
            left, top = (
                x * UNIT + (UNIT / 2 if dx > 0 else -UNIT / 2),
                y * UNIT + (UNIT / 2 if dy > 0 else -UNIT / 2),
            )
            sides.append(f"M{number(left)} {number(top)}{line}{number(length * UNIT)}")
    return path("".join(sides), "fr") if sides else ""
